//! Settlement: a settlement family turns scores into payments. Each player's total changes by the sum of the
//! player's payments.

mod all_pay;
mod liable;
mod linear;
mod payment;
mod riichi;

pub use all_pay::AllPayRules;
pub use linear::{DealerExtra, FlowerSetPay, KongPay, KongsOnDiscard, LinearRules, Share, WallEnd};
pub use payment::{Payment, PaymentReason, Payments, Settlement};
pub use riichi::RiichiRules;

use super::{ScoreInput, ScoreRules};
use crate::seat::{BySeat, Seat};
use crate::set::{KindSet, SeatSet};
use crate::state::OnTable;
use liable::liable_for;

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// There are no payments. Each player adds the points of their own hand. Source: `rulesets/woo.md` §8.7.
    OwnPoints,
    /// All others pay the winner. The losers may settle among themselves.
    AllPay(AllPayRules),
    /// Each loser pays every winner a share of the points and a fixed sum.
    Linear(LinearRules),
    /// Payments of the han-and-fu family, with counters, deposits and liability.
    Riichi(RiichiRules),
}

impl SettlementRules {
    /// True when there are counters. With Riichi's payments there is one for each deal in a row that the dealer won or
    /// that ended without a win; with linear ones, for each deal in a row that the dealer kept.
    pub const fn has_counters(self) -> bool {
        match self {
            Self::Riichi(_) => true,
            Self::Linear(rules) => rules.dealer.each != 0,
            _ => false,
        }
    }

    /// The size of a deposit, in the least unit of the ruleset. 0 if there are none.
    pub const fn deposit(self) -> i64 {
        match self {
            Self::Riichi(rules) => rules.deposit,
            _ => 0,
        }
    }

    /// True if there are payments at an exhausted wall: for ready hands, for kongs that are paid back, or for discards
    /// of only [these kinds](Self::nagashi).
    pub const fn pays_at_exhausted_wall(self) -> bool {
        match self {
            Self::Riichi(_) => true,
            Self::Linear(rules) => rules.wall_end.asks_ready(),
            _ => false,
        }
    }

    /// The kinds for which a seat is paid at an exhausted wall if it discarded nothing else and none was claimed.
    pub const fn nagashi(self) -> Option<KindSet> {
        match self {
            Self::Riichi(rules) => rules.nagashi,
            _ => None,
        }
    }

    /// True if a hand that waits only for tiles of which it has all copies counts as ready.
    pub(crate) const fn counts_empty_waits(self) -> bool {
        match self {
            Self::Riichi(rules) => rules.empty_waits,
            _ => false,
        }
    }

    /// The payments at an exhausted wall that depend only on ready hands and discards. `None` if the family has no such
    /// payments.
    pub(crate) fn exhausted(
        self,
        ready: SeatSet,
        nagashi: SeatSet,
        players: usize,
    ) -> Option<Settlement> {
        match self {
            Self::Riichi(rules) => Some(rules.exhausted(ready, nagashi, players)),
            _ => None,
        }
    }

    /// How many of the ruleset's least units make a point: 1, or 2 if there are half points.
    pub const fn units_per_point(self) -> i64 {
        match self {
            Self::OwnPoints | Self::AllPay(_) | Self::Riichi(_) => 1,
            Self::Linear(rules) => rules.units_per_point(),
        }
    }

    /// What a win with a hand of `points` points brings `winner` at a full table, in the least unit of the ruleset: what
    /// the others pay, without counters, deposits, liability and what losers' own hands change. A win off a discard of
    /// `giver`, or self-drawn without a giver.
    ///
    /// ```
    /// use paishan::{Rules, Seat};
    /// let tenhou = Rules::by_id("riichi-tenhou")?;
    /// let gain = tenhou.plan().settlement().win_gain(7700, Seat::EAST, None, 4);
    /// assert_eq!(gain, 7700);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_gain(self, points: i64, winner: Seat, giver: Option<Seat>, players: usize) -> i64 {
        match self {
            // Points of this family are what all losers pay together.
            Self::OwnPoints | Self::Riichi(_) => points,
            Self::AllPay(rules) => rules.win_gain(points, winner, players),
            Self::Linear(rules) => rules.win_gain(points, winner, giver, players),
        }
    }

    /// Settles a deal with the scores of `settlement`, which has no payments yet. Without a win there are no
    /// payments.
    pub(crate) fn settle(
        self,
        score_rules: &ScoreRules,
        hands: &[ScoreInput<'_>],
        settlement: &mut Settlement,
        table: OnTable,
    ) {
        let scores = &settlement.scores;
        let points = BySeat::from_fn(|seat| scores[seat].as_ref().map_or(0, |score| score.points));
        let players = hands.len();
        if self == Self::OwnPoints {
            settlement.deltas = points;
        }
        let out = hands.iter().filter(|hand| hand.out).map(|hand| hand.seat);
        let out: SeatSet = out.collect();
        for hand in hands {
            let Some(win) = hand.win else { continue };
            match self {
                Self::OwnPoints => {}
                // Losers settle with one another only once, so only one winner is paid.
                Self::AllPay(rules) if settlement.payments.is_empty() => {
                    rules.settle(settlement, &points, hand.seat, win, players);
                }
                Self::AllPay(_) => {}
                Self::Linear(rules) => {
                    let (points, won) = (points[hand.seat], (hand.seat, win));
                    let score = settlement.scores[hand.seat].as_ref();
                    let liable = score.and_then(|score| liable_for(score_rules, hand, score));
                    let seats = (players, out);
                    rules.settle(settlement, points, won, seats, table.counters, liable);
                }
                Self::Riichi(_) => {}
            }
        }
        if let Self::Linear(rules) = self {
            rules.settle_jokers(settlement, hands);
        }
        if let Self::Riichi(rules) = self {
            rules.settle(settlement, score_rules, hands, table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_win_is_paid_to_each() {
        let settlement = Settlement::penalty(Seat::EAST, 1000, 4, 1);
        assert_eq!(
            Seat::all(4)
                .map(|seat| settlement.deltas[seat])
                .collect::<Vec<_>>(),
            [-3000, 1000, 1000, 1000]
        );
        let south = Seat::EAST.after(1, 4);
        let of_south = settlement.of_winner(south);
        assert_eq!(
            Seat::all(4).map(|s| of_south[s]).collect::<Vec<_>>(),
            [-1000, 1000, 0, 0]
        );
        assert_eq!(
            settlement.payments[1].describe(1),
            "E pays W 1000: E declared a win that is none"
        );
    }

    /// Linear payments with a share of the points, a fixed sum and the dealer's extra.
    #[test]
    fn a_win_gains_what_the_others_pay() {
        let rules = LinearRules {
            giver: Share { halves: 2, plus: 8 },
            others: Share { halves: 0, plus: 8 },
            self_draw: Share { halves: 2, plus: 3 },
            dealer: DealerExtra { plus: 1, each: 0 },
            ..LinearRules::default()
        };
        let settlement = SettlementRules::Linear(rules);
        let [east, south] = [Seat::EAST, Seat::EAST.after(1, 4)];
        assert_eq!(
            settlement.win_gain(20, south, Some(east), 4),
            20 + 3 * 8 + 1
        );
        assert_eq!(settlement.win_gain(20, south, None, 4), 3 * 23 + 1);
        assert_eq!(settlement.win_gain(20, east, None, 4), 3 * 24);
        let all_pay = SettlementRules::AllPay(AllPayRules {
            dealer_factor: 2,
            losers_settle: false,
            winner_pays_higher: false,
            giver_pays_all: None,
            par: None,
        });
        assert_eq!(all_pay.win_gain(20, south, Some(east), 4), 80);
        assert_eq!(all_pay.win_gain(20, east, None, 4), 120);
        assert_eq!(SettlementRules::OwnPoints.win_gain(20, east, None, 4), 20);
    }
}
