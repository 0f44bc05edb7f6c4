//! The end of a deal, or of a part of it: settled, paid, closed.

use super::deal::{Deal, turn_of};
use super::match_state::{is_over, standing_after};
use super::observer::Observer;
use super::outcome::Outcome;
use crate::ruleset::{Ruleset, TurnedOn};
use crate::score::Settlement;
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::set::KindSet;
use crate::state::{Action, Ending, Event, Phase, TurnedId, TurnedTile, Win};
use smallvec::SmallVec;

impl<R: Ruleset> Deal<R> {
    /// Ends the deal, or, with wins after which play goes on, a part of it.
    pub(super) fn end(
        &mut self,
        ending: Ending,
        wins: &[(Seat, Win)],
        observer: &mut dyn Observer,
    ) {
        if ending == Ending::Won && !self.plan.play.turned.is_empty() {
            self.turn_tiles(TurnedOn::Win, observer);
        }
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
        observer.paid(&self.state, &part);
        self.conclude(part);
    }

    /// Turns the tiles of rows of `[turned]` face up, as many as the wall has.
    #[inline(never)]
    fn turn_tiles(&mut self, on: TurnedOn, observer: &mut dyn Observer) {
        let rows = self.plan.play.turned;
        let rows = rows.iter().enumerate().filter(|(_, row)| row.on == on);
        for (place, row) in rows {
            for _ in 0..row.count {
                let wall = &mut self.state.wall;
                let tile = match row.at_end {
                    true => wall.draw_replacement(),
                    false => wall.draw(Seat::EAST),
                };
                let Some(tile) = tile else { break };
                let row = TurnedId::at(place);
                self.state.turned.push(TurnedTile::new(row, tile));
                observer.event(&self.state, &Event::TileTurned { row, tile });
            }
        }
    }

    /// Pays winners and goes on with the next player, unless only one is left.
    #[inline(never)]
    fn play_on(&mut self, part: Outcome, observer: &mut dyn Observer) {
        let before = self.paid_before();
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
        self.pay(before, part, observer);
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

    /// Stores the outcome, whose last part is `last`. If the dealer may end a match that would go on, the dealer
    /// chooses next. Source: `rulesets/riichi-mcgill.md` §13, `end-by-choice`.
    pub(super) fn conclude(&mut self, mut last: Outcome) {
        if self.plan.pays_within_deals() {
            last = self.paid_before().followed_by(last);
        }
        last.kongs = self.state.kongs() as u32;
        let outcome = self.outcome.insert(last);
        let state = &self.state;
        let totals: SmallVec<[i64; MAX_PLAYERS]> = Player::all(state.players())
            .map(|player| state.points[player.seat(state.dealer, state.players())])
            .collect();
        let winners = outcome.winners(state.dealer(), state.players());
        let played = outcome.played(state.dealer(), &winners);
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
    pub(super) fn choose_end(&mut self, action: Action, observer: &mut dyn Observer) {
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
