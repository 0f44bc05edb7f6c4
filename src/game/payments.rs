//! Payments during a deal: for wins after which play goes on, for kongs, and for the exhausted wall.

use super::deal::{Deal, turn_of};
use super::observer::Observer;
use super::outcome::Outcome;
use crate::hand::Hand;
use crate::meld::Group;
use crate::ruleset::{KongWay, Ruleset};
use crate::score::{
    KongsOnDiscard, LinearRules, PaymentReason, ScoreInput, Settlement, SettlementRules, WallEnd,
};
use crate::seat::{BySeat, Seat};
use crate::set::{KindSet, SeatSet};
use crate::state::{DrawSource, Ending, Event, Phase, Turn, Way, Win, Window};
use crate::tile::{Flower, Tile};

impl<R: Ruleset> Deal<R> {
    /// Pays a part of the deal at once and keeps it for the outcome.
    fn pay(&mut self, part: Outcome, observer: &mut (impl Observer + ?Sized)) {
        for seat in Seat::all(self.state.players()) {
            let change = part.settlement.deltas[seat];
            let (points, paid) = (&mut self.state.points[seat], &mut self.state.paid[seat]);
            *points = points.saturating_add(change);
            *paid = paid.saturating_add(change);
        }
        observer.paid(&self.state, &part);
        let before = self.outcome.take();
        self.outcome = Some(match before {
            Some(before) => before.followed_by(part),
            None => self
                .before_resumed(part.wins.len(), &part.settlement)
                .followed_by(part),
        });
    }

    /// What was paid before the deal was resumed from a state: the winners and the changes, because the state keeps no
    /// more. `wins` and `settlement` are what was added to the state since.
    fn before_resumed(&self, wins: usize, settlement: &Settlement) -> Outcome {
        let before = self.state.wins.len() - wins;
        Outcome {
            wins: self.state.wins[..before].iter().copied().collect(),
            settlement: Settlement {
                deltas: BySeat::from_fn(|seat| {
                    self.state.paid[seat].saturating_sub(settlement.deltas[seat])
                }),
                ..Settlement::default()
            },
            ..Outcome::default()
        }
    }

    /// The whole outcome of the deal, given its last part.
    #[inline(never)]
    pub(super) fn whole(&mut self, last: Outcome) -> Outcome {
        match self.outcome.take() {
            Some(before) => before.followed_by(last),
            None if self.state.wins.is_empty() && self.state.paid == BySeat::default() => last,
            None => self
                .before_resumed(0, &Settlement::default())
                .followed_by(last),
        }
    }

    /// Pays winners and goes on with the next player, unless only one is left.
    #[inline(never)]
    pub(super) fn play_on(&mut self, part: Outcome, observer: &mut (impl Observer + ?Sized)) {
        let wins = part.wins.clone();
        let Some(&(last, _)) = wins.last() else {
            return;
        };
        for &(seat, win) in &wins {
            self.state.wins.push((seat, win));
            self.state.out.insert(seat);
            self.state.cache.waits[seat] = KindSet::EMPTY;
            // The hand of a winner lies open.
            for meld in self.state.hands[seat].melds.iter_mut() {
                meld.hidden = false;
            }
        }
        for seat in Seat::all(self.state.players()) {
            self.legal[seat].clear();
        }
        let is_over = self.state.in_play().len() <= 1;
        let next = self.state.next_in_play(last);
        self.state.phase = match is_over {
            true => Phase::Over,
            false => Phase::Turn(turn_of(next)),
        };
        for &(seat, win) in &wins {
            observer.event(&self.state, &Event::Won { seat, win });
        }
        self.pay(part, observer);
        if is_over {
            self.close(&Settlement::default());
            let ending = Ending::Won;
            self.conclude(Outcome {
                ending,
                ..Outcome::default()
            });
        } else {
            self.start_turn(next, observer);
        }
    }

    /// The payments of a family that pays while a deal goes on.
    #[inline]
    fn linear(&self) -> Option<&LinearRules> {
        match &self.plan.settlement {
            SettlementRules::Linear(rules) => Some(rules),
            _ => None,
        }
    }

    /// Pays the kong that a seat has just made, if the ruleset pays kongs.
    #[inline]
    pub(super) fn pay_kong(
        &mut self,
        turn: &Turn,
        way: KongWay,
        observer: &mut (impl Observer + ?Sized),
    ) {
        if let Some(&rules) = self.linear().filter(|rules| rules.pays_kongs()) {
            self.pay_kong_by(rules, turn, way, observer);
        }
    }

    /// Pays the series of flowers that a seat has just completed, if the ruleset pays them.
    #[inline]
    pub(super) fn pay_flower(
        &mut self,
        seat: Seat,
        flower: Flower,
        observer: &mut (impl Observer + ?Sized),
    ) {
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
        observer: &mut (impl Observer + ?Sized),
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
        self.pay(part, observer);
    }

    #[inline(never)]
    fn pay_kong_by(
        &mut self,
        rules: LinearRules,
        turn: &Turn,
        way: KongWay,
        observer: &mut (impl Observer + ?Sized),
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
        self.pay(part, observer);
    }

    /// Returns the payments for kongs in a row, or transfers them to the winner, if a seat wins off the discard that
    /// follows them.
    #[inline(never)]
    pub(super) fn return_kong(&mut self, wins: &[(Seat, Win)], settlement: &mut Settlement) {
        let rule = self.linear().map(|rules| rules.kongs.on_discard);
        let off_discard = |&(_, win): &(Seat, Win)| win.from.filter(|_| win.way == Way::Discard);
        // A tile that was set aside is no discard.
        let is_discard =
            matches!(&self.state.phase, Phase::Claims(claims) if claims.window == Window::Discard);
        let giver = wins.first().and_then(off_discard).filter(|_| is_discard);
        let (true, Some(seat), Some(&(winner, _))) = (self.state.after_kong, giver, wins.first())
        else {
            return;
        };
        let to_winner = match rule {
            Some(KongsOnDiscard::Returned) => false,
            Some(KongsOnDiscard::ToWinner) => true,
            Some(KongsOnDiscard::Kept) | None => return,
        };
        let paid = std::mem::take(&mut self.state.last_kongs);
        for payer in Seat::all(self.state.players()) {
            let units = i64::from(paid[payer]);
            if !to_winner {
                settlement.transfer(seat, payer, units, PaymentReason::KongReturned);
            }
            let before = &mut self.state.paid_for_kongs[seat][payer];
            *before = before.saturating_sub(paid[payer]);
        }
        if to_winner {
            let all = Seat::all(self.state.players()).map(|payer| i64::from(paid[payer]));
            settlement.transfer(seat, winner, all.sum(), PaymentReason::KongToWinner);
        }
    }

    /// The payments among players in play when the wall is used up. `None` if there are none.
    #[inline(never)]
    pub(super) fn wall_end(&self, ready: SeatSet) -> Option<Settlement> {
        let linear = self.linear()?;
        let rules = linear.wall_end;
        let per_point = self.plan.settlement.units_per_point();
        if rules == WallEnd::default() {
            return None;
        }
        let in_play = self.state.in_play();
        let mut settlement = Settlement::default();
        if rules.holds_missing_suit > 0 {
            let holds = |seat: &Seat| self.state.holds_barred(*seat);
            for from in in_play.iter().filter(holds) {
                for to in in_play.iter().filter(|seat| !holds(seat)) {
                    let units = rules.holds_missing_suit * per_point;
                    settlement.transfer(from, to, units, PaymentReason::HoldsMissingSuit);
                }
            }
        }
        let pays_more = |seat: Seat| rules.holds_missing_suit > 0 && self.state.holds_barred(seat);
        for from in in_play.difference(ready).iter() {
            if rules.not_ready && !pays_more(from) {
                for to in ready.iter() {
                    let points = self.best_off(to, from);
                    let units = linear.giver_pays(points);
                    settlement.transfer(from, to, units, PaymentReason::NotReady);
                }
            }
            if rules.returns_kongs {
                for to in Seat::all(self.state.players()) {
                    let units = i64::from(self.state.paid_for_kongs[from][to]);
                    settlement.transfer(from, to, units, PaymentReason::KongReturned);
                }
            }
        }
        Some(settlement)
    }

    /// The most points that a ready hand could win off a discard of another seat.
    fn best_off(&self, seat: Seat, from: Seat) -> i64 {
        let (hand, waits) = self.ready_waits(seat);
        let points = |tile| {
            let win = Win::off(tile, from);
            let input = ScoreInput::new(&hand, seat, self.state.round, Some(&win));
            self.rules
                .score_hand(&input)
                .map_or(0, |score| score.points)
        };
        let all = waits.iter().map(|kind| points(kind.into()));
        all.max().unwrap_or(0)
    }

    /// The hand of a seat without the tile drawn last, and its waits if it counts as ready.
    pub(super) fn ready_waits(&self, seat: Seat) -> (Hand, KindSet) {
        let mut hand = self.state.hands[seat];
        let has_drawn = hand.size() > self.hand_tiles();
        if let (Phase::Turn(turn), true) = (self.state.phase, has_drawn) {
            // The tile drawn last does not count as part of the hand.
            if let Some(tile) = turn.drawn.filter(|&tile| hand.holds(tile)) {
                hand.take(tile);
            }
        }
        if self.state.out.contains(seat) || self.state.holds_barred(seat) {
            return (hand, KindSet::EMPTY);
        }
        let waits = self.plan.ready_with(&hand, seat, self.state.round);
        (hand, waits.difference(self.state.barred_kinds(seat)))
    }
}
