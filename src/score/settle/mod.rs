//! Settlement: a settlement family turns scores into payments. Each player's total changes by the sum of the
//! player's payments.

mod all_pay;
mod hook;
mod liable;
mod payment;
mod riichi;
mod rows;

pub use all_pay::AllPayRules;
pub use hook::PaymentHook;
pub use payment::{Payment, PaymentReason, Payments, Settlement};
pub use riichi::RiichiRules;
pub(crate) use rows::{PaymentEvent, Pays, all_declared, read_seats};
pub use rows::{PaymentFormulas, PaymentRow, PaymentRules};

use super::{ScoreInput, ScoreRules};
use crate::seat::{BySeat, Seat};
use crate::state::OnTable;

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// There are no payments. Each player adds the points of their own hand. Source: `rulesets/woo.md` §8.7.
    OwnPoints,
    /// All others pay the winner. The losers may settle among themselves.
    AllPay(AllPayRules),
    /// The rows of `[payments]` alone say who pays.
    Rows,
    /// Payments of the han-and-fu family, with counters, deposits and liability.
    Riichi(RiichiRules),
}

impl SettlementRules {
    /// The size of a deposit, in the least unit of the ruleset. 0 if there are none.
    pub const fn deposit(self) -> i64 {
        match self {
            Self::Riichi(rules) => rules.deposit,
            _ => 0,
        }
    }

    /// True if a hand that waits only for tiles of which it has all copies counts as ready.
    pub(crate) const fn counts_empty_waits(self) -> bool {
        match self {
            Self::Riichi(rules) => rules.empty_waits,
            _ => false,
        }
    }

    /// What a win with a hand of `points` points brings `winner`, without what rows of `[payments]` add.
    pub(crate) fn win_gain(self, points: i64, winner: Seat, players: usize) -> i64 {
        match self {
            // Points of this family are what all losers pay together.
            Self::OwnPoints | Self::Riichi(_) => points,
            Self::AllPay(rules) => rules.win_gain(points, winner, players),
            Self::Rows => 0,
        }
    }

    /// What counters and deposits bring the first winner, without what rows of `[payments]` add.
    pub(crate) fn on_table_gain(self, table: OnTable) -> i64 {
        match self {
            Self::Riichi(rules) => rules.counters(table).saturating_add(rules.deposits(table)),
            _ => 0,
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
        for hand in hands {
            let Some(win) = hand.win else { continue };
            match self {
                Self::OwnPoints => {}
                // Losers settle with one another only once, so only one winner is paid.
                Self::AllPay(rules) if settlement.payments.is_empty() => {
                    rules.settle(settlement, &points, hand.seat, win, players);
                }
                Self::AllPay(_) => {}
                Self::Rows | Self::Riichi(_) => {}
            }
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
            settlement.payments[1].describe(&PaymentRules::default()),
            "E pays W 1000: E declared a win that is none"
        );
    }

    #[test]
    fn a_win_gains_what_the_others_pay() {
        let [east, south] = [Seat::EAST, Seat::EAST.after(1, 4)];
        let all_pay = SettlementRules::AllPay(AllPayRules {
            dealer_factor: 2,
            losers_settle: false,
            winner_pays_higher: false,
            giver_pays_all: None,
            par: None,
        });
        assert_eq!(all_pay.win_gain(20, south, 4), 80);
        assert_eq!(all_pay.win_gain(20, east, 4), 120);
        assert_eq!(SettlementRules::OwnPoints.win_gain(20, east, 4), 20);
    }
}
