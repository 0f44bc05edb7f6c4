//! What an ending is worth: scores and payments of wins, of an exhausted wall and of the other ends.

use super::deal::Deal;
use super::outcome::Outcome;
use crate::hand::Hand;
use crate::ruleset::Ruleset;
use crate::score::ScoreInput;
use crate::seat::Seat;
use crate::set::{KindSet, SeatSet};
use crate::state::{Ending, Phase, Win};
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
                self.score_all(&[], &mut part);
                self.pay_wall_end(part.ready, &mut part.settlement);
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
            self.give_back_after_wins(wins, &mut part.settlement);
            let rules = &self.rules;
            rules.adjust_settlement(&self.state, wins, &mut part.settlement);
        }
        part
    }

    /// Scores all hands and settles the deal. The settlement, or the reason why there is none, goes into `part`.
    fn score_all(&self, wins: &[(Seat, Win)], part: &mut Outcome) {
        let players = self.state.players();
        let win_of = |seat| wins.iter().find(|(s, _)| *s == seat).map(|(_, win)| win);
        let hands = self.hands_before(wins);
        let bonus: SmallVec<[Tile; 16]> = self.state.wall.turned().collect();
        let ura: SmallVec<[Tile; 16]> = self.plan.ura(&self.state).collect();
        let on_table = self.state.on_table;
        let turned = self.state.turned;
        let inputs: SmallVec<[ScoreInput<'_>; 6]> = Seat::all(players)
            .zip(&hands)
            .map(|(seat, hand)| ScoreInput {
                bonus: &bonus,
                ura: &ura,
                turned: &turned,
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

    /// The hands of all seats, those of winners without the tiles on which they won.
    pub(super) fn hands_before(&self, wins: &[(Seat, Win)]) -> SmallVec<[Hand; 6]> {
        let win_of = |seat| wins.iter().find(|(s, _)| *s == seat).map(|(_, win)| win);
        let before = |seat| match win_of(seat).or(self.state.win_of(seat)) {
            Some(win) => self.state.hand_before(seat, win),
            None => self.state.hands[seat],
        };
        Seat::all(self.state.players()).map(before).collect()
    }

    /// The seats with a ready hand, if the ruleset pays for it.
    fn ready(&self) -> SeatSet {
        let plan = &*self.plan;
        if !plan.pays_at_exhausted_wall() {
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

    /// The seats that have discarded nothing but kinds of which a row asks this, if any does.
    fn nagashi(&self) -> SeatSet {
        let Some(kinds) = self.plan.payments.only_discarded() else {
            return SeatSet::EMPTY;
        };
        let seats = Seat::all(self.state.players());
        seats
            .filter(|&seat| self.only_discarded(seat, kinds))
            .collect()
    }

    /// True when all discards of a seat are of these kinds, and none was claimed.
    pub(super) fn only_discarded(&self, seat: Seat, kinds: KindSet) -> bool {
        let mut own = self
            .state
            .discards
            .iter()
            .filter(|discard| discard.seat == seat);
        self.state.furiten.discarded[seat].is_subset(kinds) && own.all(|discard| !discard.claimed)
    }

    /// The most points that a ready hand could win off a discard of another seat.
    pub(super) fn best_off(&self, seat: Seat, from: Seat) -> i64 {
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
        let waits = self
            .plan
            .ready_with(&hand, seat, self.state.round, self.state.turned_tile());
        (hand, waits.difference(self.state.barred_kinds(seat)))
    }
}
