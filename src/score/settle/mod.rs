//! From scores to what each player gains or pays. A family of settlement turns scores into payments,
//! and the changes of totals are their sums.

mod all_pay;
mod riichi;

pub use all_pay::AllPayRules;
pub use riichi::RiichiRules;

use super::{Score, ScoreInput, ScoreRules};
use crate::decimal::Number;
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use crate::state::{OnTable, Win};
use smallvec::SmallVec;

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// Nobody pays anybody: each player adds the points of his own hand. Source: `rulesets/woo.md`
    /// §8.7.
    OwnPoints,
    /// Who gave the winning tile pays each winner in full; for a drawn tile all others pay half.
    /// The unit is half a point. Source: `rulesets/uzje.md` §10.
    GiverOrHalves,
    /// All others pay the winner; the losers may settle among themselves.
    AllPay(AllPayRules),
    /// Payments of the han-and-fu family, with counters, deposits and who answers for a hand.
    Riichi(RiichiRules),
}

/// Why a payment is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PaymentReason {
    /// The points of a win.
    #[default]
    Win,
    /// Half the points of a win.
    HalfWin,
    /// The points of a win in place of another loser.
    WinFor(Seat),
    /// Twice what a loser's points are more than the winner's.
    HigherLoser,
    /// What one loser's points are more than another's.
    Difference,
    /// A false win.
    FalseWin,
    /// Counters of a win.
    Counters,
    /// The points of a win for which the payer answers.
    Answers,
    /// A hand that is not ready pays one that is.
    NotReady,
    /// Nothing but orphans was discarded, and none claimed.
    Nagashi,
    /// A rule that a ruleset's type adds ([`Ruleset::adjust_settlement`](crate::Ruleset::adjust_settlement)).
    HouseRule,
}

/// What one player pays another, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Payment {
    /// Who pays.
    pub from: Seat,
    /// Who is paid.
    pub to: Seat,
    /// How much, in the least unit of the ruleset.
    pub units: i64,
    /// Why.
    pub reason: PaymentReason,
    /// The points that it comes from: of the win, or the difference of two hands.
    pub points: i64,
    /// The factor for the dealer, 1 where neither of the two deals.
    pub factor: i64,
}

/// Every payment of a deal; what one win brings at a full table fits without allocating.
pub type Payments = SmallVec<[Payment; MAX_PLAYERS * (MAX_PLAYERS - 1) / 2]>;

impl Payment {
    /// The payment in words, such as "E pays S 200: S wins with 100, × 2 for the dealer".
    pub fn describe(&self, units_per_point: i64) -> String {
        let Self { from, to, .. } = self;
        let amount = Number::of_units(self.units, units_per_point);
        let points = self.points;
        let mut text = format!("{from} pays {to} {amount}: ");
        text.push_str(&match self.reason {
            PaymentReason::Win => format!("{to} wins with {points}"),
            PaymentReason::HalfWin => format!("{to} draws and wins with {points}, each pays half"),
            PaymentReason::WinFor(seat) => {
                format!("{to} wins with {points}, {from} pays for {seat}")
            }
            PaymentReason::HigherLoser => {
                format!("{to} has {points} more than the winner, twice that")
            }
            PaymentReason::Difference => format!("{to} has {points} more"),
            PaymentReason::FalseWin => format!("{from} declared a win that is none"),
            PaymentReason::Counters => "for the counters".to_owned(),
            PaymentReason::Answers => format!("{from} answers for the hand of {to}"),
            PaymentReason::NotReady => format!("{to} is ready, {from} is not"),
            PaymentReason::HouseRule => "by a house rule".to_owned(),
            PaymentReason::Nagashi => format!("{to} discarded orphans alone, none was claimed"),
        });
        if self.factor != 1 {
            text.push_str(&format!(", × {} for the dealer", self.factor));
        }
        text
    }
}

/// What a deal brought.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Settlement {
    /// The scores of the hands that have one.
    pub scores: BySeat<Option<Score>>,
    /// The change of each player's total, in the least unit of the ruleset
    /// ([`SettlementRules::units_per_point`]).
    pub deltas: BySeat<i64>,
    /// Every payment, in the order of settling; none where nobody pays anybody.
    pub payments: Payments,
    /// Who takes the deposits, and how much they are; they come from nobody's total.
    pub deposits: Option<(Seat, i64)>,
}

impl Settlement {
    fn pay(&mut self, payment: Payment) {
        let Payment {
            from, to, units, ..
        } = payment;
        if units != 0 {
            self.deltas[from] = self.deltas[from].saturating_sub(units);
            self.deltas[to] = self.deltas[to].saturating_add(units);
            self.payments.push(payment);
        }
    }

    /// A payment that comes from no hand's points, in the least unit of the ruleset. Nothing is paid for 0.
    pub fn transfer(&mut self, from: Seat, to: Seat, units: i64, reason: PaymentReason) {
        self.pay(Payment {
            from,
            to,
            units,
            reason,
            points: units,
            factor: 1,
        });
    }

    /// What a player pays to each of the others, without any score.
    pub(crate) fn penalty(from: Seat, points: i64, players: usize, units_per_point: i64) -> Self {
        let mut settlement = Self::default();
        for to in Seat::all(players).filter(|&to| to != from) {
            let units = points * units_per_point;
            settlement.transfer(from, to, units, PaymentReason::FalseWin);
        }
        settlement
    }

    /// What one of several wins brings by itself: the payments to the winner, and the deposits that he
    /// takes.
    pub fn of_winner(&self, winner: Seat) -> BySeat<i64> {
        let mut deltas = BySeat::default();
        for payment in self.payments.iter().filter(|payment| payment.to == winner) {
            deltas[payment.from] -= payment.units;
            deltas[winner] += payment.units;
        }
        if let Some((seat, units)) = self.deposits {
            deltas[winner] += if seat == winner { units } else { 0 };
        }
        deltas
    }
}

impl SettlementRules {
    /// True where counters lie on the table.
    pub const fn has_counters(self) -> bool {
        matches!(self, Self::Riichi(_))
    }

    /// What a deposit is, in the least unit of the ruleset; 0 where there are none.
    pub const fn deposit(self) -> i64 {
        match self {
            Self::Riichi(rules) => rules.deposit,
            _ => 0,
        }
    }

    /// How many of the ruleset's least unit make a point: 1, or 2 where there are half points.
    pub const fn units_per_point(self) -> i64 {
        match self {
            Self::OwnPoints | Self::AllPay(_) | Self::Riichi(_) => 1,
            Self::GiverOrHalves => 2,
        }
    }

    /// Pays for scores. Without any win nobody gains or loses.
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
                // Losers settle with one another once, so there is one winner.
                Self::AllPay(rules) if settlement.payments.is_empty() => {
                    rules.settle(&mut settlement, &points, hand.seat, win, players);
                }
                Self::AllPay(_) => {}
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
