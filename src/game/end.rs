//! The end of a deal: it is settled, paid and closed.

use super::deal::Deal;
use super::match_state::{is_over, standing_after};
use super::observer::Observer;
use super::outcome::Outcome;
use crate::hand::Hand;
use crate::ruleset::Ruleset;
use crate::score::{ScoreInput, Settlement};
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::set::SeatSet;
use crate::state::{Action, Ending, Event, Phase, Win};
use crate::tile::Tile;
use smallvec::SmallVec;

impl<R: Ruleset> Deal<R> {
    /// Ends the deal, or, with wins after which play goes on, a part of it.
    pub(super) fn end(
        &mut self,
        ending: Ending,
        wins: &[(Seat, Win)],
        observer: &mut (impl Observer + ?Sized),
    ) {
        let part = self.settle(ending, wins);
        if self.plan.play.plays_on && ending == Ending::Won && part.fault.is_none() {
            return self.play_on(part, observer);
        }
        self.close(&part.settlement);
        match ending {
            Ending::Won => {
                for &(seat, win) in wins {
                    observer.event(&self.state, &Event::Won { seat, win });
                }
            }
            Ending::Exhausted => observer.event(&self.state, &Event::Exhausted),
            Ending::Aborted(draw, seat) => {
                observer.event(&self.state, &Event::Aborted { draw, seat });
            }
            Ending::FalseWin(seat) => observer.event(&self.state, &Event::FalseWin { seat }),
        }
        if self.plan.pays_within_deals() {
            observer.paid(&self.state, &part);
        }
        self.conclude(part);
    }

    /// The part of the outcome that an ending adds.
    fn settle(&mut self, ending: Ending, wins: &[(Seat, Win)]) -> Outcome {
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

    /// Stores the outcome, whose last part is `last`. If the dealer may end a match that would go on, the dealer
    /// chooses next. Source: `rulesets/riichi-mcgill.md` §13, `end-by-choice`.
    pub(super) fn conclude(&mut self, mut last: Outcome) {
        if self.plan.pays_within_deals() {
            last = self.whole(last);
        }
        let outcome = self.outcome.insert(last);
        let state = &self.state;
        let totals: SmallVec<[i64; MAX_PLAYERS]> = Player::all(state.players())
            .map(|player| state.points[player.seat(state.dealer, state.players())])
            .collect();
        let winners = outcome.winners(state);
        let played = outcome.played(state, &winners);
        let (standing, _) = standing_after(&self.rules, state.progress, played, &totals);
        let may_end = self.rules.dealer_may_end(&standing) && !is_over(&self.rules, &standing);
        if may_end {
            self.state.phase = Phase::EndChoice;
            self.let_dealer_end();
        }
    }

    /// Lets the dealer choose to end the match or to play on.
    pub(super) fn let_dealer_end(&mut self) {
        self.legal[Seat::EAST].allow(Action::Pass);
        self.legal[Seat::EAST].allow(Action::EndMatch);
    }

    /// Carries out the dealer's choice to end the match or to play on.
    pub(super) fn choose_end(&mut self, action: Action, observer: &mut (impl Observer + ?Sized)) {
        self.state.phase = Phase::Over;
        if action == Action::EndMatch {
            if let Some(outcome) = &mut self.outcome {
                outcome.dealer_ends = true;
            }
            let seat = Seat::EAST;
            observer.event(&self.state, &Event::MatchEnded { seat });
        }
    }

    /// Ends play and pays the settlement. No seat may claim or discard any more.
    pub(super) fn close(&mut self, settlement: &Settlement) {
        self.state.phase = Phase::Over;
        for seat in Seat::all(self.state.players()) {
            let points = &mut self.state.points[seat];
            *points = points.saturating_add(settlement.deltas[seat]);
        }
        // "All tiles in every quad are flipped back up." Source: `rulesets/uzje.md` §6.3.
        for seat in Seat::all(self.state.players()) {
            for meld in self.state.hands[seat].melds.iter_mut() {
                meld.hidden = false;
            }
        }
        for seat in Seat::all(self.state.players()) {
            self.legal[seat].clear();
        }
    }
}
