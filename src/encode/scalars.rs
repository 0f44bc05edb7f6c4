//! The scalars of an observation.

use super::uses::Uses;
use crate::ruleset::Plan;
use crate::state::{AskedFor, View, Way};
use crate::tile::Flower;

/// The place of what a ruleset does not have. It lies beyond every array.
pub(super) const NONE: usize = usize::MAX / 2;

/// A scalar of an [`Observation`](super::Observation).
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Scalar {
    /// What the scalar is about.
    pub name: &'static str,
    /// Whose scalar it is, in steps of turn order after the seat. `None` for the seat's own secrets and for the table.
    pub player: Option<usize>,
    /// A typical magnitude to divide by: 1 for facts that hold or do not hold.
    pub scale: f32,
}

/// 1 for a fact that holds, otherwise 0.
#[inline(always)]
pub(super) fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// Writes the scalars of the seat and of the table in order: their values, or what they are about.
#[inline(always)]
pub(super) fn each_of_table(plan: &Plan, uses: &Uses, mut out: impl Scalars) {
    let wall = plan.tiles.len() as f32;
    out.put("draws-left", wall, |view, _| view.draws_left() as f32);
    out.put("counters", 10.0, |view, _| view.on_table().counters as f32);
    out.put("deposits", 10.0, |view, _| view.on_table().deposits as f32);
    out.put("deal", 10.0, |view, _| view.progress().deal as f32);
    out.put("rounds", 4.0, |view, _| view.progress().rounds as f32);
    let players = plan.players as f32;
    out.put("dealer", players, |view, _| view.dealer().index() as f32);
    out.put("ready", 1.0, |_, table| flag(table.ready));
    if plan.procedures.furiten.is_some() {
        out.put("furiten", 1.0, |view, _| flag(view.is_furiten()));
    }
    out.put("own-turn", 1.0, |view, _| {
        flag(view.turn() == Some(view.seat()))
    });
    out.put("replacement", 1.0, |view, _| flag(view.drew_replacement()));
    let mut asked = |name, what: AskedFor| {
        out.put(name, 1.0, |_, table| flag(table.asked == Some(what)));
    };
    asked("asked-discard", AskedFor::Discard);
    asked("asked-kong", AskedFor::Kong);
    if plan.procedures.challenge.is_some() {
        asked("asked-challenge", AskedFor::Challenge);
    }
    if !uses.flowers.is_empty() || uses.set_aside {
        asked("asked-bonus-tile", AskedFor::BonusTile);
    }
    if uses.exchange {
        asked("asked-exchange", AskedFor::Exchange);
    }
    if uses.missing {
        asked("asked-missing", AskedFor::MissingSuit);
    }
    if uses.shows {
        asked("asked-show", AskedFor::Show);
    }
    if plan.ways().contains(&Way::Turned) {
        asked("asked-turned", AskedFor::Turned);
    }
    asked("asked-end", AskedFor::End);
    for flower in uses.flowers.iter() {
        let name = HELD_FLOWERS[flower.index()];
        out.put(name, 1.0, move |view, _| {
            flag(view.hand().held_flowers().contains(flower))
        });
    }
}

/// Where the scalars of a player are among all scalars of that player. [`NONE`] for those that the ruleset does not have.
#[derive(Clone, Copy)]
pub(super) struct PlayerScalars {
    pub(super) points: usize,
    pub(super) place: usize,
    pub(super) deals: usize,
    pub(super) discards: usize,
    pub(super) last_drawn: usize,
    pub(super) melds: usize,
    pub(super) concealed: usize,
    /// The seat itself does not have this one.
    pub(super) gives: usize,
    pub(super) hidden_kongs: usize,
    pub(super) riichi: usize,
    pub(super) calling: usize,
    pub(super) standing: usize,
    pub(super) dead: usize,
    pub(super) out: usize,
    pub(super) bonus_tiles: usize,
    pub(super) set_aside: usize,
    /// The first of three.
    pub(super) missing: usize,
    /// The first of as many as there are flowers.
    pub(super) flowers: usize,
    /// How many scalars a player has.
    pub(super) len: usize,
}

impl PlayerScalars {
    /// Registers the scalars of a player after those that are registered already.
    pub(super) fn register(plan: &Plan, uses: &Uses, player: usize, all: &mut Vec<Scalar>) -> Self {
        let start = plan.matches.start_points;
        let points = if start > 0 { start as f32 } else { 100.0 };
        let tiles = plan.decomposer.grammar().hand_tiles() as f32;
        let first = all.len();
        let mut add = |name, scale, exists: bool| {
            if !exists {
                return NONE;
            }
            all.push(Scalar {
                name,
                player: Some(player),
                scale,
            });
            all.len() - 1 - first
        };
        let mut scalars = Self {
            points: add("points", points, true),
            place: add("place", plan.players as f32, true),
            deals: add("deals", 1.0, true),
            discards: add("discards", 24.0, true),
            last_drawn: add("last-drawn", 1.0, true),
            melds: add("melds", 4.0, true),
            concealed: add("concealed", tiles, true),
            gives: add("gives", 1.0, player > 0),
            hidden_kongs: add("hidden-kongs", 1.0, uses.hidden_kongs),
            riichi: add("riichi", 1.0, uses.riichi),
            calling: add("calling", 1.0, uses.announced),
            standing: add("standing", 1.0, uses.announced),
            dead: add("dead", 1.0, uses.dead),
            out: add("out", 1.0, uses.plays_on),
            bonus_tiles: add("bonus-tiles", 4.0, uses.indicators),
            set_aside: add("set-aside", 4.0, uses.set_aside),
            missing: add("missing-t", 1.0, uses.missing),
            flowers: NONE,
            len: 0,
        };
        add("missing-s", 1.0, uses.missing);
        add("missing-m", 1.0, uses.missing);
        for flower in uses.flowers.iter() {
            let place = add(FLOWERS[flower.index()], 1.0, true);
            scalars.flowers = scalars.flowers.min(place);
        }
        scalars.len = all.len() - first;
        scalars
    }
}

/// The names of the scalars of flowers that a player has laid down, in the order of [`Flower`].
const FLOWERS: [&str; Flower::COUNT] = [
    "flower-h", "flower-i", "flower-j", "flower-k", "flower-o", "flower-p", "flower-q", "flower-r",
    "flower-g", "flower-l", "flower-n", "flower-u", "flower-v", "flower-w", "flower-y", "flower-z",
];

/// The names of the scalars of flowers that the seat still holds.
const HELD_FLOWERS: [&str; Flower::COUNT] = [
    "held-h", "held-i", "held-j", "held-k", "held-o", "held-p", "held-q", "held-r", "held-g",
    "held-l", "held-n", "held-u", "held-v", "held-w", "held-y", "held-z",
];

/// What is found before scalars are written.
pub(super) struct Table {
    pub(super) ready: bool,
    pub(super) asked: Option<AskedFor>,
}

/// Takes scalars in order.
pub(super) trait Scalars {
    fn put(&mut self, name: &'static str, scale: f32, value: impl Fn(&View<'_>, &Table) -> f32);
}

/// Keeps what scalars are about.
impl Scalars for &mut Vec<Scalar> {
    fn put(&mut self, name: &'static str, scale: f32, _: impl Fn(&View<'_>, &Table) -> f32) {
        self.push(Scalar {
            name,
            player: None,
            scale,
        });
    }
}

/// Writes the values of scalars.
pub(super) struct Values<'a, 'b> {
    pub(super) view: &'a View<'b>,
    pub(super) table: Table,
    pub(super) places: std::slice::IterMut<'a, f32>,
}

impl Scalars for Values<'_, '_> {
    #[inline(always)]
    fn put(&mut self, _: &'static str, _: f32, value: impl Fn(&View<'_>, &Table) -> f32) {
        if let Some(place) = self.places.next() {
            *place = value(self.view, &self.table);
        }
    }
}
