//! The end of a deal: wins with their circumstances, and the settlement.

use super::deal::Deal;
use super::match_state::{is_over, standing_after};
use super::observer::Observer;
use super::outcome::Outcome;
use crate::hand::Hand;
use crate::ruleset::Ruleset;
use crate::score::{ScoreError, ScoreInput, Settlement, TableFacts};
use crate::seat::{BySeat, MAX_PLAYERS, Player, Seat};
use crate::set::SeatSet;
use crate::state::{
    AbortiveDraw, Action, Announcement, Claims, DrawSource, Ended, Ending, Event, FlagSet, Phase,
    TilelessAction, Turn, Way, Win, Window,
};
use crate::tile::Tile;
use smallvec::SmallVec;

/// The settlement, or an empty one and the reason.
fn or_fault(settled: Result<Settlement, ScoreError>) -> (Settlement, Option<ScoreError>) {
    match settled {
        Ok(settlement) => (settlement, None),
        Err(fault) => (Settlement::default(), Some(fault)),
    }
}

impl<R: Ruleset> Deal<R> {
    fn table_facts(&self, seat: Seat) -> TableFacts {
        let riichi = self.state.riichi[seat].filter(|riichi| riichi.accepted);
        TableFacts {
            in_riichi: riichi.is_some(),
            riichi_at_once: riichi.is_some_and(|riichi| riichi.at_once),
            riichi_unbroken: riichi.is_some_and(|riichi| riichi.unbroken),
            has_discarded: self.state.has_discarded(seat),
            claims: self.state.claims(),
            dealer_wins: self.state.dealer_wins,
            draws_left: self.state.wall.draws_left(),
            discards: self.state.discards.len(),
            kongs: self.state.kongs(),
            tiles_set_aside: self.state.tiles_set_aside(),
            stands: self.state.announced[seat] == Some(Announcement::Standing),
            ..TableFacts::default()
        }
    }

    /// Adds the flags that the table sees to a win.
    fn flagged(&self, seat: Seat, mut win: Win, mut facts: TableFacts) -> Win {
        let plan = &*self.plan;
        if plan.asks_visible_copies {
            facts.visible_copies = self.state.visible_copies(&win);
        }
        let (hand, round) = (&self.state.hands[seat], self.state.round);
        win.flags = plan.flags_at_table(hand, seat, round, &win, facts);
        if !plan.kong_flag.is_some_and(|flag| win.flags.contains(flag)) {
            win.kongs_in_row = 0;
        }
        win
    }

    /// The win with a drawn tile. If the tile is a flower, it was drawn and laid down.
    fn self_drawn_win(&self, turn: &Turn, tile: Tile) -> Win {
        let source = match tile.as_flower() {
            None => turn.source,
            Some(flower) if turn.drawn_for_flower.contains(flower) => DrawSource::Flower,
            Some(flower) if turn.drawn_for_kong.contains(flower) => DrawSource::Kong,
            // A dealt flower counts as drawn from the wall when it is laid down.
            Some(_) => DrawSource::Wall,
        };
        let win = Win {
            tile,
            way: match source {
                DrawSource::Wall => Way::Wall,
                DrawSource::Kong | DrawSource::Flower | DrawSource::SetAside => Way::Replacement,
            },
            from: turn.fed_by.filter(|_| source == DrawSource::Kong),
            flags: FlagSet::EMPTY,
            kongs_in_row: turn.kongs_in_row.max(1),
        };
        let facts = TableFacts {
            replaced_kong: source == DrawSource::Kong,
            replaced_flower: source == DrawSource::Flower,
            replaced_set_aside: source == DrawSource::SetAside,
            ..self.table_facts(turn.seat)
        };
        self.flagged(turn.seat, win, facts)
    }

    /// The win with the tile drawn last.
    pub(super) fn drawn_win(&self, turn: &Turn) -> Option<Win> {
        Some(self.self_drawn_win(turn, turn.drawn?))
    }

    /// The win of a seat with the tile of a window.
    pub(super) fn claimed_win(&self, seat: Seat, claims: &Claims) -> Win {
        let (way, concealed) = match claims.window {
            Window::Flower(turn) if seat == claims.from => {
                return self.self_drawn_win(&turn, claims.tile);
            }
            Window::Discard | Window::Flower(_) | Window::SetAside(_) | Window::Challenge(_) => {
                (Way::Discard, false)
            }
            Window::AddedKong(_) => (Way::RobbedKong, false),
            Window::ConcealedKong(_) => (Way::RobbedKong, true),
        };
        let win = Win {
            tile: claims.tile,
            way,
            from: Some(claims.from),
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        if claims.tile.is_flower() {
            // Another player's flower is no discard, so no flags about discards apply.
            return win;
        }
        let facts = TableFacts {
            robbed_concealed: concealed,
            kong_discard: claims.window == Window::Discard && self.state.after_kong,
            ..self.table_facts(seat)
        };
        self.flagged(seat, win, facts)
    }

    /// Ends the deal without a winner because no tile is left to draw.
    pub(super) fn exhaust(&mut self, observer: &mut (impl Observer + ?Sized)) {
        let (ready, nagashi) = (self.ready(), self.nagashi());
        let rules = self.plan.settlement;
        let (mut settlement, fault) = match rules.exhausted(ready, nagashi, self.state.players()) {
            Some(paid) => (paid, None),
            None => match self.wall_end(ready) {
                Some(paid) => (paid, None),
                None => or_fault(self.settlement(&[])),
            },
        };
        if fault.is_none() {
            self.rules
                .adjust_settlement(&self.state, &[], &mut settlement);
        }
        self.close(&settlement);
        observer.event(&self.state, &Event::Exhausted);
        self.end(
            Outcome {
                ending: Ending::Exhausted,
                ready,
                nagashi,
                settlement,
                fault,
                ..Outcome::default()
            },
            observer,
        );
    }

    /// Scores all hands and settles the deal.
    fn settlement(&self, wins: &[(Seat, Win)]) -> Result<Settlement, ScoreError> {
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
        let settlement = self.rules.settle(&inputs, on_table)?;
        for score in settlement.scores.as_slice().iter().flatten() {
            self.plan.score.check(score)?;
        }
        Ok(settlement)
    }

    /// The seats with a ready hand, where the ruleset pays for that.
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

    /// The seats that earned nagashi mangan: all their discards are of its kinds, and none was claimed.
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

    /// Ends the deal with an abortive draw.
    pub(super) fn abort(
        &mut self,
        draw: AbortiveDraw,
        seat: Option<Seat>,
        observer: &mut (impl Observer + ?Sized),
    ) {
        let ready = self.ready();
        self.close(&Settlement::default());
        observer.event(&self.state, &Event::Aborted { draw, seat });
        self.end(
            Outcome {
                ending: Ending::Aborted(draw, seat),
                ready,
                ..Outcome::default()
            },
            observer,
        );
    }

    pub(super) fn finish(
        &mut self,
        wins: SmallVec<[(Seat, Win); 2]>,
        observer: &mut (impl Observer + ?Sized),
    ) {
        let (mut settlement, fault) = or_fault(self.settlement(&wins));
        if fault.is_none() {
            self.return_kong(&wins, &mut settlement);
            self.rules
                .adjust_settlement(&self.state, &wins, &mut settlement);
        }
        if self.plan.play.plays_on && fault.is_none() {
            let part = Outcome {
                wins,
                ending: Ending::Won,
                settlement,
                ..Outcome::default()
            };
            return self.play_on(part, observer);
        }
        self.close(&settlement);
        for &(seat, win) in &wins {
            observer.event(&self.state, &Event::Won { seat, win });
        }
        self.end(
            Outcome {
                wins,
                ending: Ending::Won,
                settlement,
                fault,
                ..Outcome::default()
            },
            observer,
        );
    }

    /// Ends the deal with a false win and its penalty.
    pub(super) fn punish_false_win(&mut self, seat: Seat, observer: &mut (impl Observer + ?Sized)) {
        // Never legal without the rules for it.
        let settlement = self.plan.false_win(seat).unwrap_or_default();
        self.close(&settlement);
        observer.event(&self.state, &Event::FalseWin { seat });
        self.end(
            Outcome {
                ending: Ending::FalseWin(seat),
                settlement,
                ..Outcome::default()
            },
            observer,
        );
    }

    /// Ends the deal with its last part, or its only one.
    fn end(&mut self, last: Outcome, observer: &mut (impl Observer + ?Sized)) {
        if self.plan.pays_within_deals() {
            observer.paid(&self.state, &last);
        }
        self.conclude(last);
    }

    /// Stores the outcome. `last` is its last part. If the dealer may end a match that would go on, the dealer
    /// chooses next.
    /// Source: `rulesets/riichi-mcgill.md` §13, `end-by-choice`.
    pub(super) fn conclude(&mut self, last: Outcome) {
        let outcome = if self.plan.pays_within_deals() {
            self.whole(last)
        } else {
            last
        };
        let state = &self.state;
        let totals: SmallVec<[i64; MAX_PLAYERS]> = Player::all(state.players())
            .map(|player| state.points[player.seat(state.dealer, state.players())])
            .collect();
        let winners = outcome.winners(state);
        let played = outcome.played(state, &winners);
        let (standing, _) = standing_after(&self.rules, state.progress, played, &totals);
        let may_end = self.rules.dealer_may_end(&standing) && !is_over(&self.rules, &standing);
        self.state.ended = Some(Ended::of(&outcome));
        self.outcome = Some(outcome);
        if may_end {
            self.state.phase = Phase::EndChoice;
            self.let_dealer_end();
        }
    }

    /// Lets the dealer choose to end the match or to play on.
    pub(super) fn let_dealer_end(&mut self) {
        self.legal[Seat::EAST].allow(TilelessAction::Pass, true);
        self.legal[Seat::EAST].allow(TilelessAction::EndMatch, true);
    }

    /// Carries out the dealer's choice to end the match or to play on.
    pub(super) fn choose_end(&mut self, action: Action, observer: &mut (impl Observer + ?Sized)) {
        self.state.phase = Phase::Over;
        if action == Action::EndMatch {
            if let Some(outcome) = &mut self.outcome {
                outcome.dealer_ends = true;
                self.state.ended = Some(Ended::of(outcome));
            }
            let seat = Seat::EAST;
            observer.event(&self.state, &Event::MatchEnded { seat });
        }
    }

    /// Ends play and pays the settlement. Nobody may claim or discard any more.
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
        self.legal = BySeat::default();
    }
}
