//! How a deal ended, and its result.

use crate::ruleset::{Plan, PlayedDeal};
use crate::score::{ScoreError, Settlement};
use crate::seat::{Player, Seat};
use crate::set::SeatSet;
use crate::state::{DealState, Ending, Win};
use smallvec::SmallVec;

/// How a deal ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Outcome {
    pub(crate) wins: SmallVec<[(Seat, Win); 2]>,
    /// How the deal ended.
    pub ending: Ending,
    /// Which seats were ready when the wall was used up or the deal was drawn, if the ruleset needs them.
    pub ready: SeatSet,
    /// Which seats are paid for nagashi mangan: at an exhausted wall, they have discarded only orphans.
    pub nagashi: SeatSet,
    /// Kongs made in the deal.
    pub kongs: u32,
    /// Scores and payments.
    pub settlement: Settlement,
    /// True when the dealer has chosen to end the match with this deal.
    pub dealer_ends: bool,
    /// Why the deal could not be played or settled. Nothing is paid then, and matches reject such a deal.
    pub fault: Option<ScoreError>,
}

impl Outcome {
    /// The winners in the order of their wins, those off one tile in turn order from the seat that gave it. Empty for a
    /// drawn deal.
    pub fn wins(&self) -> &[(Seat, Win)] {
        &self.wins
    }

    /// Adds what came after.
    pub(super) fn followed_by(mut self, later: Self) -> Self {
        self.wins.extend(later.wins);
        self.settlement.add(later.settlement);
        Self {
            wins: self.wins,
            settlement: self.settlement,
            ..later
        }
    }

    /// The change of a seat's total in the deal: its settlement minus its deposits.
    pub fn change(&self, plan: &Plan, state: &DealState, seat: Seat) -> i64 {
        let deposited = state.riichi(seat).is_some_and(|riichi| riichi.accepted);
        self.change_with(plan, seat, deposited)
    }

    /// The same, if the seat has paid a deposit or not.
    pub(super) fn change_with(&self, plan: &Plan, seat: Seat, deposited: bool) -> i64 {
        let deposit = plan.settlement.deposit();
        self.settlement.deltas[seat].saturating_sub(if deposited { deposit } else { 0 })
    }

    /// The players who won, in turn order from the giver of the tile.
    pub(super) fn winners(&self, dealer: Player, players: usize) -> SmallVec<[Player; 4]> {
        let player = |seat: Seat| seat.player(dealer, players);
        self.wins.iter().map(|(seat, _)| player(*seat)).collect()
    }

    /// The part of the outcome that the match needs.
    pub(super) fn played<'a>(&self, dealer: Player, winners: &'a [Player]) -> PlayedDeal<'a> {
        PlayedDeal {
            dealer,
            winners,
            exhausted: self.ending == Ending::Exhausted,
            dealer_was_ready: self.ready.contains(Seat::EAST),
            kongs: self.kongs,
            dealer_ends: self.dealer_ends,
        }
    }
}
