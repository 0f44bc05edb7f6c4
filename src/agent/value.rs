//! [`Value`]: plays for what a hand is worth, not only for the nearest one.

use super::{Agent, Greedy};
use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding, Scratch};
use crate::hand::Hand;
use crate::meld::{Group, Meld};
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::score::{self, ScoreInput, ScoreRules};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, FlagSet, Legal, View, Way, Win};
use crate::tile::{Kind, Tile};
use crate::tile_set::TileSet;
use smallvec::SmallVec;

/// Ways to the end that are imagined for a hand. With few of them luck decides between discards.
const WAYS: u32 = 32;
/// Discards that are looked at, the nearest first.
const DISCARDS: usize = 6;
/// In so many turns the chance that nobody else has won falls to about a third.
const PATIENCE: f64 = 20.0;
/// A claim must promise so much more than to pass.
const CLAIM: f64 = 1.2;

/// Imagines how a hand may be completed, by the tiles that it accepts and nobody has shown, and scores
/// what comes out: it plays for the points of a win times the chance to get there in time. Hands that are
/// complete and worth too little are worth nothing to it, and neither is a claim that leads to such hands.
/// It knows a ruleset by its patterns alone.
#[derive(Clone, Debug)]
pub struct Value {
    greedy: Greedy,
    decomposer: Decomposer,
    score: ScoreRules,
    tiles: TileSet,
    /// The flag that a closed hand may have for the asking, where there is one.
    declared: Option<usize>,
    stream: Stream,
    scratch: Scratch,
}

/// What a seat knows when it decides.
struct Table {
    seat: Seat,
    round: crate::tile::Wind,
    players: usize,
    /// Copies of each kind that nobody has shown.
    unseen: Counts,
    left: f64,
    bonus: SmallVec<[Tile; 8]>,
}

impl Value {
    /// An agent for a ruleset.
    pub fn new(plan: &Plan) -> Self {
        let declared = plan
            .procedures
            .riichi
            .as_ref()
            .and_then(|_| plan.flag("riichi"));
        Self {
            greedy: Greedy::new(plan),
            decomposer: plan.decomposer.clone(),
            score: plan.score.clone(),
            tiles: plan.tiles,
            declared,
            stream: Stream::new(0, 0),
            scratch: Scratch::new(),
        }
    }

    fn table(&self, view: &View<'_>) -> Table {
        let unseen = self.tiles.copies().saturating_minus(&view.seen());
        Table {
            seat: view.seat(),
            round: view.round(),
            players: view.players(),
            left: unseen.total() as f64,
            unseen,
            bonus: view.turned().collect(),
        }
    }

    /// One of some kinds, by how many of each are unseen, and how many there are of all.
    fn draw(&mut self, kinds: KindSet, unseen: &Counts) -> Option<(Kind, u32)> {
        let all: u32 = kinds.iter().map(|kind| u32::from(unseen.get(kind))).sum();
        let mut place = self.stream.below(all.max(1));
        for kind in kinds.iter() {
            let count = u32::from(unseen.get(kind));
            if place < count {
                return Some((kind, all));
            }
            place -= count;
        }
        None
    }

    /// What a hand that waits for its turn promises: points times the chance to get them.
    fn promise(&mut self, hand: &Hand, table: &Table) -> f64 {
        let mut sum = 0.0;
        for _ in 0..WAYS {
            sum += self.one_way(hand, table);
        }
        sum / f64::from(WAYS)
    }

    fn one_way(&mut self, hand: &Hand, table: &Table) -> f64 {
        let mut hand = *hand;
        let mut unseen = table.unseen;
        let mut turns = 0.0;
        loop {
            let holding = Holding::from(&hand);
            let (distance, accepts) = self.decomposer.accepts(&holding, &mut self.scratch);
            let Some((kind, count)) = self.draw(accepts, &unseen) else {
                return 0.0;
            };
            let wait = table.left / f64::from(count);
            if distance <= 0 {
                return self.worth(&hand, kind, table, turns, wait);
            }
            turns += wait;
            unseen.try_remove(kind);
            hand.add(kind.into());
            // Any discard that keeps what was won.
            let whole = Holding::from(&hand);
            let mut kept: SmallVec<[Kind; 14]> = SmallVec::new();
            for discard in hand.concealed().kinds().iter() {
                let mut rest = whole;
                rest.concealed.try_remove(discard);
                if self.decomposer.distance(&rest, &mut self.scratch) < distance {
                    kept.push(discard);
                }
            }
            let Some(&discard) = kept.get(self.stream.below(kept.len().max(1) as u32) as usize)
            else {
                return 0.0;
            };
            hand.take_kind(discard, 1);
        }
    }

    /// Points of a ready hand with its last tile, off a discard or from the wall, times the chance.
    fn worth(&mut self, hand: &Hand, kind: Kind, table: &Table, turns: f64, wait: f64) -> f64 {
        let mut flags = FlagSet::EMPTY;
        if let Some(flag) = self.declared.filter(|_| hand.is_closed()) {
            flags.insert(flag);
        }
        let points = |way: Way, from: Option<Seat>| {
            let win = Win {
                tile: kind.into(),
                way,
                from,
                flags,
                kongs_in_row: 0,
            };
            let input = ScoreInput {
                bonus: &table.bonus,
                ..ScoreInput::new(hand, table.seat, table.round, Some(&win))
            };
            let scored = score::best(&self.score, &self.decomposer, &self.tiles, &input);
            scored.map_or(0.0, |score| score.points as f64)
        };
        let drawn = points(Way::Wall, None);
        let given = points(Way::Discard, Some(table.seat.after(1, table.players)));
        let chance = |turns: f64| (-turns / PATIENCE).exp();
        let others = (table.players - 1) as f64;
        if given > 0.0 {
            let mean = (others * given + drawn) / (others + 1.0);
            mean * chance(turns + wait / (others + 1.0))
        } else {
            drawn * chance(turns + wait)
        }
    }

    /// Of the discards that leave the hand nearest the one that promises most, and what it promises; `None`
    /// where nothing promises anything.
    fn best_discard(&mut self, hand: &Hand, kinds: KindSet, table: &Table) -> Option<(f64, Kind)> {
        let whole = Holding::from(hand);
        let mut near: SmallVec<[(i8, u32, Kind); 14]> = SmallVec::new();
        for kind in kinds.iter() {
            let mut rest = whole;
            if !rest.concealed.try_remove(kind) {
                continue;
            }
            let (distance, accepts) = self.decomposer.accepts(&rest, &mut self.scratch);
            let count: u32 = accepts
                .iter()
                .map(|kind| u32::from(table.unseen.get(kind)))
                .sum();
            near.push((distance, u32::MAX - count, kind));
        }
        near.sort_unstable();
        let mut best: Option<(f64, Kind)> = None;
        let least = near.first().map_or(0, |(distance, ..)| *distance);
        for &(distance, _, kind) in near.iter().take(DISCARDS) {
            // Farther hands only where the nearest are worth nothing.
            if distance > least && best.is_some() {
                break;
            }
            let mut rest = *hand;
            rest.take_kind(kind, 1);
            let promise = self.promise(&rest, table);
            if promise > best.map_or(0.0, |(most, _)| most) {
                best = Some((promise, kind));
            }
        }
        best
    }

    fn discard(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let table = self.table(view);
        let best = self.best_discard(view.hand(), legal.discard_kinds(), &table);
        match best {
            Some((_, kind)) => super::discard_of(legal, kind),
            None => self.greedy.discard(view, legal),
        }
    }

    fn claim(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let Some((tile, from)) = view.claimable() else {
            return Action::Pass;
        };
        let Some(kind) = tile.kind() else {
            return Action::Pass;
        };
        let table = self.table(view);
        let mut best = (self.promise(view.hand(), &table) * CLAIM, Action::Pass);
        for action in legal.iter() {
            let group = match action {
                Action::Pung { .. } => Group::pung(kind),
                Action::Chow { suit, shape, .. } => {
                    self.decomposer.grammar().shape(shape).group(suit)
                }
                _ => continue,
            };
            let mut hand = *view.hand();
            let mut claimed = Some(kind);
            for own in group.tiles() {
                if claimed == Some(own) {
                    claimed = None;
                } else {
                    hand.take_kind(own, 1);
                }
            }
            hand.melds.push(Meld::claimed(group, tile, from));
            let kinds = hand.concealed().kinds();
            if let Some((promise, _)) = self.best_discard(&hand, kinds, &table) {
                if promise > best.0 {
                    best = (promise, action);
                }
            }
        }
        best.1
    }
}

impl Agent for Value {
    fn listens(&self) -> bool {
        false
    }

    fn begin(&mut self, stream: Stream) {
        self.stream = stream;
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        if let Some(action) = super::at_once(legal) {
            return action;
        }
        if view.claimable().is_some() {
            return self.claim(view, legal);
        }
        match self.greedy.kong(view, legal) {
            Some(kong) => kong,
            None => self.discard(view, legal),
        }
    }
}
