//! Payments while a deal goes on, for kongs and flowers, and how the parts of a deal become one outcome.

use super::deal::Deal;
use super::observer::Observer;
use super::outcome::Outcome;
use crate::meld::Group;
use crate::ruleset::{KongWay, Ruleset};
use crate::score::{LinearRules, PaymentReason, Settlement, SettlementRules};
use crate::seat::{BySeat, Seat};
use crate::state::{DrawSource, Turn};
use crate::tile::{Flower, Tile};

impl<R: Ruleset> Deal<R> {
    /// Pays a part of the deal at once. `before` is what was [paid before](Self::paid_before) the part.
    pub(super) fn pay(&mut self, before: Outcome, part: Outcome, observer: &mut dyn Observer) {
        for seat in Seat::all(self.state.players()) {
            let change = part.settlement.deltas[seat];
            let (points, paid) = (&mut self.state.points[seat], &mut self.state.paid[seat]);
            *points = points.saturating_add(change);
            *paid = paid.saturating_add(change);
        }
        observer.paid(&self.state, &part);
        self.outcome = Some(before.followed_by(part));
    }

    /// The parts of the deal that were paid so far. Those before a deal was resumed are winners and changes alone,
    /// because a state keeps no more.
    pub(super) fn paid_before(&mut self) -> Outcome {
        let before = self.outcome.take();
        before.unwrap_or_else(|| Outcome {
            wins: self.state.wins.iter().copied().collect(),
            settlement: Settlement {
                deltas: self.state.paid,
                ..Settlement::default()
            },
            ..Outcome::default()
        })
    }

    /// The payments of a family that pays while a deal goes on.
    #[inline]
    pub(super) fn linear(&self) -> Option<&LinearRules> {
        match &self.plan.settlement {
            SettlementRules::Linear(rules) => Some(rules),
            _ => None,
        }
    }

    /// Pays the kong that a seat has just made, if the ruleset pays kongs.
    #[inline]
    pub(super) fn pay_kong(&mut self, turn: &Turn, way: KongWay, observer: &mut dyn Observer) {
        if let Some(&rules) = self.linear().filter(|rules| rules.pays_kongs()) {
            self.pay_kong_by(rules, turn, way, observer);
        }
    }

    /// Pays the series of flowers that a seat has just completed, if the ruleset pays them.
    #[inline]
    pub(super) fn pay_flower(&mut self, seat: Seat, flower: Flower, observer: &mut dyn Observer) {
        if let Some(&rules) = self.linear().filter(|rules| rules.pays_flowers()) {
            self.pay_flower_by(rules, seat, flower, observer);
        }
    }

    #[inline(never)]
    fn pay_flower_by(
        &mut self,
        rules: LinearRules,
        seat: Seat,
        flower: Flower,
        observer: &mut dyn Observer,
    ) {
        let laid = self.state.hands[seat].flowers;
        let of_series = |other: &Flower| other.index() / 4 == flower.index() / 4;
        if laid.iter().filter(of_series).count() < 4 {
            return;
        }
        let points = match self.state.discards.is_empty() {
            true => rules.flower_sets.dealt,
            false => rules.flower_sets.later,
        };
        let units = points.saturating_mul(self.plan.settlement.units_per_point());
        let mut settlement = Settlement::default();
        for from in self.others(seat).iter() {
            settlement.transfer(from, seat, units, PaymentReason::FlowerSet);
        }
        if settlement.payments.is_empty() {
            return;
        }
        let part = Outcome {
            settlement,
            ..Outcome::default()
        };
        let before = self.paid_before();
        self.pay(before, part, observer);
    }

    #[inline(never)]
    fn pay_kong_by(
        &mut self,
        rules: LinearRules,
        turn: &Turn,
        way: KongWay,
        observer: &mut dyn Observer,
    ) {
        let seat = turn.seat;
        // Of a kind that was just drawn only one kong can be made.
        let drawn = turn.drawn.and_then(Tile::kind).map(Group::kong);
        let mut added = self.state.hands[seat]
            .melds
            .iter()
            .filter(|meld| meld.added);
        let is_drawn = added.any(|meld| Some(meld.group) == drawn);
        let giver = self.state.discards.last().map(|discard| discard.seat);
        let mut settlement = Settlement::default();
        if turn.source != DrawSource::Kong {
            self.state.last_kongs = BySeat::default();
        }
        for from in self.others(seat).iter() {
            let points = match way {
                KongWay::Concealed => rules.kongs.concealed,
                KongWay::Added if is_drawn => rules.kongs.added,
                KongWay::Added => rules.kongs.added_later,
                KongWay::Claimed if giver == Some(from) => rules.kongs.claimed_giver,
                KongWay::Claimed => rules.kongs.claimed_others,
            };
            let units = points.saturating_mul(self.plan.settlement.units_per_point());
            let sum = i32::try_from(units).unwrap_or(i32::MAX);
            let before = &mut self.state.paid_for_kongs[seat][from];
            *before = before.saturating_add(sum);
            let in_row = &mut self.state.last_kongs[from];
            *in_row = in_row.saturating_add(sum);
            settlement.transfer(from, seat, units, PaymentReason::Kong);
        }
        if settlement.payments.is_empty() {
            return;
        }
        let part = Outcome {
            settlement,
            ..Outcome::default()
        };
        let before = self.paid_before();
        self.pay(before, part, observer);
    }
}
