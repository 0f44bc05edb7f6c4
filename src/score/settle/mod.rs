//! From scores to what each player gains or pays. A settlement family turns scores into payments. Each total
//! changes by the sum of its payments.

mod all_pay;
mod linear;
mod payment;
mod riichi;

pub use all_pay::AllPayRules;
pub use linear::{LinearRules, Share};
pub use payment::{Payment, PaymentReason, Payments, Settlement};
pub use riichi::RiichiRules;

use super::{Score, ScoreInput, ScoreRules};
use crate::seat::{BySeat, Seat};
use crate::set::{KindSet, SeatSet};
use crate::state::{OnTable, Win};

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// Nobody pays anybody. Each player adds the points of his own hand. Source: `rulesets/woo.md` §8.7.
    OwnPoints,
    /// Whoever gave the winning tile pays each winner in full. For a drawn tile all others pay half. The unit
    /// is half a point. Source: `rulesets/uzje.md` §10.
    GiverOrHalves,
    /// All others pay the winner. The losers may settle among themselves.
    AllPay(AllPayRules),
    /// Each loser pays every winner a share of the points and a fixed sum.
    Linear(LinearRules),
    /// Payments of the han-and-fu family, with counters, deposits and liability.
    Riichi(RiichiRules),
}

impl SettlementRules {
    /// True when counters lie on the table.
    pub const fn has_counters(self) -> bool {
        matches!(self, Self::Riichi(_))
    }

    /// The size of a deposit, in the least unit of the ruleset. 0 if there are none.
    pub const fn deposit(self) -> i64 {
        match self {
            Self::Riichi(rules) => rules.deposit,
            _ => 0,
        }
    }

    /// True if an exhausted wall pays ready hands, or who discarded nothing but [these kinds](Self::nagashi).
    pub const fn pays_at_exhausted_wall(self) -> bool {
        matches!(self, Self::Riichi(_))
    }

    /// The kinds for which a seat is paid at an exhausted wall if it discarded nothing else and nobody claimed any.
    pub const fn nagashi(self) -> Option<KindSet> {
        match self {
            Self::Riichi(rules) => rules.nagashi,
            _ => None,
        }
    }

    /// True if a hand counts as ready that waits for tiles of which it has all copies.
    pub(crate) const fn counts_empty_waits(self) -> bool {
        match self {
            Self::Riichi(rules) => rules.empty_waits,
            _ => false,
        }
    }

    /// What an exhausted wall brings by ready hands and discards. `None` where the scores of all hands tell.
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
            Self::OwnPoints | Self::AllPay(_) | Self::Linear(_) | Self::Riichi(_) => 1,
            Self::GiverOrHalves => 2,
        }
    }

    /// Settles a deal with these scores. Without a win nobody gains or loses.
    pub(crate) fn settle(
        self,
        score_rules: &ScoreRules,
        hands: &[ScoreInput<'_>],
        scores: BySeat<Option<Score>>,
        table: OnTable,
    ) -> Settlement {
        let points = BySeat::from_fn(|seat| scores[seat].as_ref().map_or(0, |score| score.points));
        let mut settlement = Settlement {
            scores,
            ..Settlement::default()
        };
        let players = hands.len();
        if self == Self::OwnPoints {
            settlement.deltas = points;
        }
        for hand in hands {
            let Some(win) = hand.win else { continue };
            match self {
                Self::OwnPoints => {}
                Self::GiverOrHalves => {
                    giver_or_halves(&mut settlement, points[hand.seat], hand.seat, win, players);
                }
                // Losers settle with one another only once, so only one winner is paid.
                Self::AllPay(rules) if settlement.payments.is_empty() => {
                    rules.settle(&mut settlement, &points, hand.seat, win, players);
                }
                Self::AllPay(_) => {}
                Self::Linear(rules) => {
                    rules.settle(&mut settlement, points[hand.seat], hand.seat, win, players);
                }
                Self::Riichi(_) => {}
            }
        }
        if let Self::Riichi(rules) = self {
            rules.settle(&mut settlement, score_rules, hands, table);
        }
        settlement
    }
}

/// Pays one win, in half points.
fn giver_or_halves(
    settlement: &mut Settlement,
    points: i64,
    winner: Seat,
    win: &Win,
    players: usize,
) {
    let giver = win.from.filter(|_| !win.is_self_draw());
    for from in Seat::all(players).filter(|&seat| seat != winner) {
        if giver.is_some_and(|giver| giver != from) {
            continue;
        }
        let (units, reason) = match giver {
            Some(_) => (2 * points, PaymentReason::Win),
            None => (points, PaymentReason::HalfWin),
        };
        settlement.pay(Payment {
            from,
            to: winner,
            units,
            reason,
            points,
            factor: 1,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the World Mahjong Organization's competition rules pay: 8 from each, and the points from whoever gave the
    /// tile, or from each for a drawn one.
    #[test]
    fn shares_and_fixed_sums_are_paid() {
        use crate::state::Win;
        use crate::tile::Kind;
        let share = |times, plus| Share { times, plus };
        let rules = LinearRules {
            giver: share(1, 8),
            others: share(0, 8),
            self_draw: share(1, 8),
        };
        let settled = |rules: LinearRules, win: Win| {
            let mut settlement = Settlement::default();
            rules.settle(&mut settlement, 10, Seat::SOUTH, &win, 4);
            let mut sums: BySeat<i64> = BySeat::default();
            for payment in &settlement.payments {
                sums[payment.from] -= payment.units;
                sums[payment.to] += payment.units;
            }
            assert_eq!(sums, settlement.deltas);
            let deltas: Vec<i64> = Seat::all(4).map(|seat| settlement.deltas[seat]).collect();
            let said: Vec<String> = settlement.payments.iter().map(|p| p.describe(1)).collect();
            (deltas, said)
        };
        let tile = Kind::EAST.into();
        let (deltas, said) = settled(rules, Win::off(tile, Seat::WEST));
        assert_eq!(deltas, [-8, 34, -18, -8]);
        assert_eq!(
            said,
            [
                "E pays S 8: the same for any win",
                "W pays S 18: S wins with 10, and 8 on top",
                "N pays S 8: the same for any win",
            ]
        );
        assert_eq!(settled(rules, Win::drawn(tile)).0, [-18, 54, -18, -18]);
        let twice = LinearRules {
            self_draw: share(2, 0),
            ..rules
        };
        let (deltas, said) = settled(twice, Win::drawn(tile));
        assert_eq!(
            (deltas, &*said[0]),
            (vec![-20, 60, -20, -20], "E pays S 20: S wins with 20")
        );
    }

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
}
