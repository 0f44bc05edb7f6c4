//! [`gain_by`]: what a seat gains by a win, as far as it may know.

use crate::counts::{CountBits, Counts};
use crate::hand::Hand;
use crate::ruleset::Plan;
use crate::score::{self, ScoreInput};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{FlagSet, Way, Win};
use crate::tile::{Kind, Tile, Wind};
use smallvec::SmallVec;

/// The table as far as it matters for what a win is worth.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub seat: Seat,
    pub round: Wind,
    /// The number of unseen copies of each kind.
    pub unseen: Counts,
    pub bits: CountBits,
    /// All unseen tiles.
    pub left: f64,
    pub bonus: SmallVec<[Tile; 8]>,
}

impl Seen {
    pub(super) fn new(seat: Seat, round: Wind, unseen: Counts, bonus: SmallVec<[Tile; 8]>) -> Self {
        Self {
            seat,
            round,
            bits: CountBits::of(&unseen),
            left: (unseen.total() as f64).max(1.0),
            unseen,
            bonus,
        }
    }

    pub(super) fn share(&self, kinds: KindSet) -> f64 {
        f64::from(self.bits.count_in(kinds)) / self.left
    }
}

/// What a seat gains by a win in some way, as far as it may know. A closed hand is announced where riichi is
/// played, unless it is `silent`. 0 where it does not win.
pub(super) fn gain_by(
    plan: &Plan,
    way: Way,
    (hand, silent): (&Hand, bool),
    kind: Kind,
    seen: &Seen,
) -> f64 {
    let mut flags = FlagSet::EMPTY;
    let riichi = plan.procedures.riichi.and_then(|rules| rules.flag);
    if let Some(flag) = riichi.filter(|_| hand.is_closed() && !silent) {
        flags.insert(flag);
    }
    let from = (way == Way::Discard).then(|| seen.seat.next(plan.players));
    let win = Win {
        tile: kind.into(),
        way,
        from,
        flags,
        kongs_in_row: 0,
    };
    let refuses =
        || plan.may_refuse_complete() && !plan.allows_hand(hand, seen.seat, seen.round, &win);
    if !plan.ways().contains(&way) || refuses() {
        return 0.0;
    }
    let input = ScoreInput {
        bonus: &seen.bonus,
        ..ScoreInput::new(hand, seen.seat, seen.round, Some(&win))
    };
    let scored = score::best(&plan.score, &plan.decomposer, &plan.tiles, &input);
    scored.map_or(0.0, |score| {
        plan.win_gain(score.points, seen.seat, seen.round, from) as f64
    })
}
