//! What an ending is worth: scores and payments of wins, of an exhausted wall and of the other ends.

use super::deal::Deal;
use super::outcome::Outcome;
use crate::hand::Hand;
use crate::ruleset::Ruleset;
use crate::score::{KongsOnDiscard, PaymentReason, ScoreInput, Settlement, WallEnd};
use crate::seat::Seat;
use crate::set::{KindSet, SeatSet};
use crate::state::{Ending, Phase, Way, Win, Window};
use crate::tile::Tile;
use smallvec::SmallVec;

impl<R: Ruleset> Deal<R> {
    /// The part of the outcome that an ending adds.
    pub(super) fn settle(&mut self, ending: Ending, wins: &[(Seat, Win)]) -> Outcome {
        let mut part = Outcome {
            ending,
            wins: wins.iter().copied().collect(),
            ..Outcome::default()
        };
        match ending {
            Ending::Won => self.score_all(wins, &mut part),
            Ending::Exhausted => {
                (part.ready, part.nagashi) = (self.ready(), self.nagashi());
                let rules = &self.plan.settlement;
                let paid = rules.exhausted(part.ready, part.nagashi, self.state.players());
                match paid.or_else(|| self.wall_end(part.ready)) {
                    Some(paid) => part.settlement = paid,
                    None => self.score_all(&[], &mut part),
                }
            }
            Ending::Aborted(..) => {
                part.ready = self.ready();
                return part;
            }
            Ending::FalseWin(seat) => {
                // Never legal without the rules for it.
                part.settlement = self.plan.false_win(seat).unwrap_or_default();
                return part;
            }
        }
        if part.fault.is_none() {
            self.return_kong(wins, &mut part.settlement);
            let rules = &self.rules;
            rules.adjust_settlement(&self.state, wins, &mut part.settlement);
        }
        part
    }

    /// Scores all hands and settles the deal. The settlement, or the reason why there is none, goes into `part`.
    fn score_all(&self, wins: &[(Seat, Win)], part: &mut Outcome) {
        let players = self.state.players();
        let win_of = |seat| wins.iter().find(|(s, _)| *s == seat).map(|(_, win)| win);
        let hands: SmallVec<[Hand; 6]> = Seat::all(players)
            .map(|seat| match win_of(seat).or(self.state.win_of(seat)) {
                Some(win) => self.state.hand_before(seat, win),
                None => self.state.hands[seat],
            })
            .collect();
        let bonus: SmallVec<[Tile; 16]> = self.state.wall.turned().collect();
        let ura: SmallVec<[Tile; 16]> = self.plan.ura(&self.state).collect();
        let on_table = self.state.on_table;
        let inputs: SmallVec<[ScoreInput<'_>; 6]> = Seat::all(players)
            .zip(&hands)
            .map(|(seat, hand)| ScoreInput {
                bonus: &bonus,
                ura: &ura,
                counters: on_table.counters,
                out: self.state.out.contains(seat),
                ..ScoreInput::new(hand, seat, self.state.round, win_of(seat))
            })
            .collect();
        match self.rules.settle_hands(&inputs, on_table) {
            Ok(settlement) => {
                let scores = settlement.scores.as_slice().iter().flatten();
                let mut checked = scores.map(|score| self.plan.score.check(score));
                match checked.find_map(Result::err) {
                    Some(fault) => part.fault = Some(fault),
                    None => part.settlement = settlement,
                }
            }
            Err(fault) => part.fault = Some(fault),
        }
    }

    /// The seats with a ready hand, if the ruleset pays for it.
    fn ready(&self) -> SeatSet {
        let plan = &*self.plan;
        if !plan.settlement.pays_at_exhausted_wall() {
            return SeatSet::EMPTY;
        }
        let mut ready = SeatSet::EMPTY;
        for seat in Seat::all(self.state.players()) {
            if !self.ready_waits(seat).1.is_empty() {
                ready.insert(seat);
            }
        }
        ready
    }

    /// The seats that earned nagashi mangan: all their discards are of the kinds that count for it, and none was
    /// claimed.
    fn nagashi(&self) -> SeatSet {
        let Some(kinds) = self.plan.settlement.nagashi() else {
            return SeatSet::EMPTY;
        };
        let has_it = |seat: &Seat| {
            let own = self.state.discards.iter().filter(|d| d.seat == *seat);
            self.state.furiten.discarded[*seat].is_subset(kinds) && own.clone().all(|d| !d.claimed)
        };
        let mut seats = SeatSet::EMPTY;
        for seat in Seat::all(self.state.players()).filter(has_it) {
            seats.insert(seat);
        }
        seats
    }

    /// Returns the payments for kongs in a row, or transfers them to the winner, if a seat wins off the discard that
    /// follows them.
    #[inline(never)]
    fn return_kong(&mut self, wins: &[(Seat, Win)], settlement: &mut Settlement) {
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
    fn wall_end(&self, ready: SeatSet) -> Option<Settlement> {
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
    fn ready_waits(&self, seat: Seat) -> (Hand, KindSet) {
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
