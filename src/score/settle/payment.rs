//! The settlement of a deal: every payment with its reason.

use super::hook::PaymentHook;
use crate::score::Score;
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use smallvec::SmallVec;

/// Why a payment is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PaymentReason {
    /// The points of a win.
    #[default]
    Win,
    /// The points of a win, paid for another loser.
    WinFor(Seat),
    /// Twice the points by which a loser exceeds the winner.
    HigherLoser,
    /// The points by which one loser exceeds another.
    Difference,
    /// A false win.
    FalseWin,
    /// The counters of a win.
    Counters,
    /// The points of a win for which the payer is liable.
    Answers,
    /// A row of `[payments]`, by its number in [`PaymentRules::rows`](crate::score::PaymentRules::rows).
    Row {
        /// The number of the row.
        row: u8,
        /// What it pays for.
        on: PaymentHook,
    },
    /// An earlier payment that a row of `[payments]` returns or passes on.
    Returned {
        /// The number of the row.
        row: u8,
        /// What the earlier payment was for.
        on: PaymentHook,
    },
    /// A house rule, added in [`Ruleset::adjust_settlement`](crate::Ruleset::adjust_settlement).
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
    /// The points behind it: those of the win, or the difference of two hands.
    pub points: i64,
    /// The factor for the dealer. 1 if neither of the two deals.
    pub factor: i64,
}

/// Every payment of a deal. The payments of one win at a full table fit without allocating.
pub type Payments = SmallVec<[Payment; MAX_PLAYERS * (MAX_PLAYERS - 1) / 2]>;

/// The result of a deal: scores, payments and the changes of totals.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Settlement {
    /// The scores of the hands that have one.
    pub scores: BySeat<Option<Score>>,
    /// The change of each player's total, in the least unit of the ruleset
    /// ([`PaymentRules::units_per_point`](crate::score::PaymentRules::units_per_point)).
    pub deltas: BySeat<i64>,
    /// Every payment, in the order of settling. Empty if there are none.
    pub payments: Payments,
    /// Who takes the deposits, and their amount in the least unit. No player's total decreases by them.
    pub deposits: Option<(Seat, i64)>,
}

impl Settlement {
    /// Adds a later settlement: its payments, its changes, and its scores where this one has none.
    pub(crate) fn add(&mut self, later: Self) {
        for seat in Seat::all(MAX_PLAYERS) {
            self.deltas[seat] = self.deltas[seat].saturating_add(later.deltas[seat]);
        }
        for (own, later) in self.scores.iter_mut().zip(later.scores) {
            *own = own.take().or(later);
        }
        self.payments.extend(later.payments);
        self.deposits = self.deposits.or(later.deposits);
    }

    pub(super) fn pay(&mut self, payment: Payment) {
        let Payment {
            from, to, units, ..
        } = payment;
        if units != 0 {
            self.deltas[from] = self.deltas[from].saturating_sub(units);
            self.deltas[to] = self.deltas[to].saturating_add(units);
            self.payments.push(payment);
        }
    }

    /// Adds a payment that does not depend on the points of a hand, in the least unit of the ruleset. A payment of 0 is
    /// left out.
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

    /// One player pays each of the others. Nothing is scored.
    pub(crate) fn penalty(from: Seat, points: i64, players: usize, units_per_point: i64) -> Self {
        let mut settlement = Self::default();
        for to in Seat::all(players).filter(|&to| to != from) {
            let units = points.saturating_mul(units_per_point);
            settlement.transfer(from, to, units, PaymentReason::FalseWin);
        }
        settlement
    }

    /// The changes that one of several wins causes: the payments to the winner, and the deposits that the winner takes.
    pub fn of_winner(&self, winner: Seat) -> BySeat<i64> {
        let mut deltas = BySeat::<i64>::default();
        for payment in self.payments.iter().filter(|payment| payment.to == winner) {
            deltas[payment.from] = deltas[payment.from].saturating_sub(payment.units);
            deltas[winner] = deltas[winner].saturating_add(payment.units);
        }
        if let Some((_, units)) = self.deposits.filter(|(seat, _)| *seat == winner) {
            deltas[winner] = deltas[winner].saturating_add(units);
        }
        deltas
    }
}
