//! From scores to what each player gains or pays.

use super::{Score, ScoreInput};
use crate::seat::{BySeat, Seat};
use crate::state::Win;
use smallvec::SmallVec;

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// Nobody pays anybody: each player adds the points of his own hand. Source: `spec/woo.md`
    /// §8.7.
    OwnPoints,
    /// Who gave the winning tile pays each winner in full; for a drawn tile all others pay half.
    /// The unit is half a point. Source: `spec/uzje.md` §10.
    GiverOrHalves,
}

/// What a deal brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settlement {
    /// The scores of the hands that have one.
    pub scores: BySeat<Option<Score>>,
    /// The change of each player's total, in the least unit of the ruleset
    /// ([`SettlementRules::units_per_point`]).
    pub deltas: BySeat<i64>,
    /// What each win pays by itself, in seat order, where wins are paid one by one.
    pub by_win: SmallVec<[(Seat, BySeat<i64>); 1]>,
}

impl SettlementRules {
    /// How many of the ruleset's least unit make a point: 1, or 2 where there are half points.
    pub const fn units_per_point(self) -> i64 {
        match self {
            Self::OwnPoints => 1,
            Self::GiverOrHalves => 2,
        }
    }

    /// Pays for scores. Without any win nobody gains or loses.
    pub(crate) fn settle(
        self,
        hands: &[ScoreInput<'_>],
        scores: BySeat<Option<Score>>,
    ) -> Settlement {
        let mut settlement = Settlement {
            scores,
            ..Settlement::default()
        };
        let points = |seat| {
            settlement.scores[seat]
                .as_ref()
                .map_or(0, |score| score.points)
        };
        match self {
            Self::OwnPoints => settlement.deltas = BySeat::from_fn(points),
            Self::GiverOrHalves => {
                for hand in hands {
                    let Some(win) = hand.win else { continue };
                    let paid = giver_or_halves(points(hand.seat), hand.seat, win, hands.len());
                    for seat in Seat::all(hands.len()) {
                        settlement.deltas[seat] += paid[seat];
                    }
                    settlement.by_win.push((hand.seat, paid));
                }
            }
        }
        settlement
    }
}

/// What one win pays, in half points.
fn giver_or_halves(points: i64, winner: Seat, win: &Win, players: usize) -> BySeat<i64> {
    let mut deltas = BySeat::default();
    match win.from.filter(|_| !win.way.is_self_draw()) {
        Some(giver) => {
            deltas[giver] = -2 * points;
            deltas[winner] = 2 * points;
        }
        None => {
            for seat in Seat::all(players).filter(|&seat| seat != winner) {
                deltas[seat] = -points;
            }
            deltas[winner] = points * (players as i64 - 1);
        }
    }
    deltas
}
