//! The scalars of an observation.

use super::uses::Uses;
use crate::ruleset::Plan;
use crate::seat::{MAX_PLAYERS, Seat};
use crate::state::{Announcement, AskedFor, View};
use crate::tile::{Flower, Suit};

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

/// Writes all scalars in order: their values, or what they are about.
pub(super) fn each_scalar(plan: &Plan, uses: &Uses, out: &mut impl Scalars) {
    let flag = |value: bool| f32::from(u8::from(value));
    let tiles = plan.decomposer.grammar().hand_tiles() as f32;
    let start = plan.matches.start_points;
    let points = if start > 0 { start as f32 } else { 100.0 };
    let per_point = plan.units_per_point() as f32;

    let wall = plan.tiles.len() as f32;
    out.of_table("draws-left", wall, |view, _| view.draws_left() as f32);
    out.of_table("counters", 10.0, |view, _| view.on_table().counters as f32);
    out.of_table("deposits", 10.0, |view, _| view.on_table().deposits as f32);
    out.of_table("deal", 10.0, |view, _| view.progress().deal as f32);
    out.of_table("rounds", 4.0, |view, _| view.progress().rounds as f32);
    let players = plan.players as f32;
    out.of_table("dealer", players, |view, _| view.dealer().index() as f32);
    out.of_table("ready", 1.0, |_, table| flag(table.ready));
    if plan.procedures.furiten.is_some() {
        out.of_table("furiten", 1.0, |view, _| flag(view.is_furiten()));
    }
    out.of_table("own-turn", 1.0, |view, _| {
        flag(view.turn() == Some(view.seat()))
    });
    out.of_table("replacement", 1.0, |view, _| flag(view.drew_replacement()));
    let mut asked = |name, what: AskedFor| {
        out.of_table(name, 1.0, |_, table| flag(table.asked == Some(what)));
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
    asked("asked-end", AskedFor::End);
    for flower in uses.flowers.iter() {
        let name = HELD_FLOWERS[flower.index()];
        out.of_table(name, 1.0, move |view, _| {
            flag(view.hand().held_flowers().contains(flower))
        });
    }

    for after in 0..plan.players {
        out.of_player("points", after, points, |view, _, seat| {
            view.points(seat) as f32 / per_point
        });
        out.of_player("place", after, players, |_, table, _| {
            f32::from(table.place[after])
        });
        out.of_player("deals", after, 1.0, |_, _, seat| flag(seat == Seat::EAST));
        out.of_player("discards", after, 24.0, |_, table, _| {
            f32::from(table.discards[after])
        });
        out.of_player("last-drawn", after, 1.0, |_, table, _| {
            flag(table.last_drawn[after])
        });
        out.of_player("melds", after, 4.0, |_, table, _| {
            f32::from(table.melds[after])
        });
        out.of_player("concealed", after, tiles, |view, _, seat| {
            view.concealed_len(seat) as f32
        });
        if after > 0 {
            out.of_player("gives", after, 1.0, |_, table, seat| {
                flag(table.gives == Some(seat))
            });
        }
        if uses.hidden_kongs {
            out.of_player("hidden-kongs", after, 1.0, |_, table, _| {
                f32::from(table.hidden_kongs[after])
            });
        }
        if uses.riichi {
            out.of_player("riichi", after, 1.0, |view, _, seat| {
                flag(view.riichi(seat).is_some())
            });
        }
        if uses.announced {
            use Announcement::{Calling, Standing};
            out.of_player("calling", after, 1.0, |view, _, seat| {
                flag(view.announced(seat) == Some(Calling))
            });
            out.of_player("standing", after, 1.0, |view, _, seat| {
                flag(view.announced(seat) == Some(Standing))
            });
        }
        if uses.dead {
            out.of_player("dead", after, 1.0, |view, _, seat| flag(view.is_dead(seat)));
        }
        if uses.plays_on {
            out.of_player("out", after, 1.0, |view, _, seat| flag(view.has_won(seat)));
        }
        if uses.indicators {
            out.of_player("bonus-tiles", after, 4.0, |_, table, _| {
                f32::from(table.bonus[after])
            });
        }
        if uses.set_aside {
            out.of_player("set-aside", after, 4.0, |view, _, seat| {
                view.aside(seat).kinds().count() as f32
            });
        }
        if uses.missing {
            for (suit, name) in Suit::ALL
                .into_iter()
                .zip(["missing-t", "missing-s", "missing-m"])
            {
                out.of_player(name, after, 1.0, |view, _, seat| {
                    flag(view.missing_suit(seat) == Some(suit))
                });
            }
        }
        for flower in uses.flowers.iter() {
            let name = FLOWERS[flower.index()];
            out.of_player(name, after, 1.0, |view, _, seat| {
                flag(view.aside(seat).flowers().contains(flower))
            });
        }
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

/// What is counted while planes are written, by steps of turn order after the seat.
pub(super) struct Table {
    /// The seats, that of the view first.
    pub(super) seats: [Seat; MAX_PLAYERS],
    pub(super) ready: bool,
    pub(super) discards: [u8; MAX_PLAYERS],
    pub(super) last_drawn: [bool; MAX_PLAYERS],
    pub(super) melds: [u8; MAX_PLAYERS],
    pub(super) hidden_kongs: [u8; MAX_PLAYERS],
    /// Tiles of kinds that indicators point to.
    pub(super) bonus: [u8; MAX_PLAYERS],
    /// Places by points, from 1. Players with the same points have the same place.
    pub(super) place: [u8; MAX_PLAYERS],
    pub(super) asked: Option<AskedFor>,
    /// The seat that gives the tile that may be claimed.
    pub(super) gives: Option<Seat>,
}

/// Takes scalars in order.
pub(super) trait Scalars {
    fn put(
        &mut self,
        name: &'static str,
        player: Option<usize>,
        scale: f32,
        value: impl Fn(&View<'_>, &Table) -> f32,
    );

    #[inline(always)]
    fn of_table(
        &mut self,
        name: &'static str,
        scale: f32,
        value: impl Fn(&View<'_>, &Table) -> f32,
    ) {
        self.put(name, None, scale, value);
    }

    #[inline(always)]
    fn of_player(
        &mut self,
        name: &'static str,
        after: usize,
        scale: f32,
        value: impl Fn(&View<'_>, &Table, Seat) -> f32,
    ) {
        self.put(name, Some(after), scale, |view, table| {
            value(view, table, table.seats[after])
        });
    }
}

/// Keeps what scalars are about.
pub(super) struct List(pub(super) Vec<Scalar>);

impl Scalars for List {
    fn put(
        &mut self,
        name: &'static str,
        player: Option<usize>,
        scale: f32,
        _: impl Fn(&View<'_>, &Table) -> f32,
    ) {
        self.0.push(Scalar {
            name,
            player,
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
    fn put(
        &mut self,
        _: &'static str,
        _: Option<usize>,
        _: f32,
        value: impl Fn(&View<'_>, &Table) -> f32,
    ) {
        if let Some(place) = self.places.next() {
            *place = value(self.view, &self.table);
        }
    }
}
