//! Each loser pays the winner a share of the points and a fixed sum.

use super::payment::{Payment, PaymentReason, Settlement};
use crate::seat::Seat;
use crate::state::Win;

/// What a loser pays: so many times the points of the hand, and so much on top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Share {
    /// Times the points.
    pub times: i64,
    /// What is paid on top, whatever the hand is worth.
    pub plus: i64,
}

/// Parameters of [`SettlementRules::Linear`](super::SettlementRules::Linear). Every winner is paid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LinearRules {
    /// What the player pays who gave the winning tile.
    pub giver: Share,
    /// What the others pay then.
    pub others: Share,
    /// What each loser pays where the winner drew the tile.
    pub self_draw: Share,
}

impl LinearRules {
    pub(super) fn settle(
        &self,
        settlement: &mut Settlement,
        points: i64,
        winner: Seat,
        win: &Win,
        players: usize,
    ) {
        let giver = win.from.filter(|_| !win.is_self_draw());
        for from in Seat::all(players).filter(|&seat| seat != winner) {
            let Share { times, plus } = match giver {
                None => self.self_draw,
                Some(giver) if giver == from => self.giver,
                Some(_) => self.others,
            };
            let points = points.saturating_mul(times);
            settlement.pay(Payment {
                from,
                to: winner,
                units: points.saturating_add(plus),
                reason: match (times, plus) {
                    (_, 0) => PaymentReason::Win,
                    (0, _) => PaymentReason::AnyWin,
                    _ => PaymentReason::WinAnd(plus),
                },
                points,
                factor: 1,
            });
        }
    }
}
