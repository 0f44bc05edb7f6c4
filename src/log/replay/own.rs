//! Reads logs of this crate: omniscient logs and players' views.

use super::source::{LogFault, ReplayError, Source, Told, malformed};
use super::unseen::{self, Unmet};
use crate::game::{MatchState, first_by_roll, wall_of};
use crate::log::record::Writer;
use crate::log::{Announced, Hora, Line, LogOptions, StartKyoku, parse_tiles, reason_of};
use crate::notation::Notation;
use crate::ruleset::{FirstDealer, Plan};
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::state::{AbortiveDraw, Action, DealState, Legal, Phase};
use crate::wall::Wall;
use smallvec::SmallVec;
use std::borrow::Cow;

/// The lines of one match.
pub(super) struct OwnLog<'a> {
    lines: Cow<'a, [Line]>,
    /// The same lines, with tiles filled in that the viewer does not see.
    told: Cow<'a, [Line]>,
    viewer: Option<Player>,
    plan: &'a Plan,
    notation: Notation,
    /// The log has the seed of walls, dice and the first dealer.
    has_seed: bool,
    /// How many lines agree so far.
    at: usize,
    /// The log may stop anywhere.
    may_break_off: bool,
    /// The line after those whose decisions were read. The engine writes decisions when it has all of them.
    read: usize,
    /// The line at which the deal begins, and the number of the attempt to find a wall that fits it.
    deal: (usize, usize),
    /// What no attempt so far has met in this deal.
    unmet: Option<Unmet>,
}

impl<'a> OwnLog<'a> {
    pub(super) fn new(
        lines: &'a [Line],
        plan: &'a Plan,
        options: &LogOptions,
        has_seed: bool,
        may_break_off: bool,
    ) -> Self {
        Self {
            may_break_off,
            lines: Cow::Borrowed(lines),
            told: Cow::Borrowed(lines),
            viewer: options.viewer,
            plan,
            notation: options.notation,
            has_seed,
            at: 0,
            read: 0,
            deal: (0, 0),
            unmet: None,
        }
    }

    /// True if from `at` on the log has only events that several players cause at the same time.
    fn ends_with_events_of_several(&self, at: usize) -> bool {
        self.lines[at.min(self.lines.len())..]
            .iter()
            .all(is_simultaneous)
    }

    /// Moves the next draw before penalties that make hands dead. A hand may die while other players decide about a
    /// discard. In the deal that was found for a player's view there may be no such decision.
    fn judge_later(&mut self) {
        let is_dead = |line: &&Line| matches!(line, Line::Penalty { dead: true, .. });
        let deaths = self.lines[self.at..].iter().take_while(is_dead).count();
        let draw = self.at + deaths;
        if deaths > 0 && matches!(self.lines.get(draw), Some(Line::Tsumo { .. })) {
            self.lines.to_mut()[self.at..=draw].rotate_right(1);
            self.told.to_mut()[self.at..=draw].rotate_right(1);
        }
    }

    /// The player whose calling hand a line announces, unless the viewer sees that hand.
    fn calls_unseen(&self, line: &Line) -> Option<usize> {
        match line {
            Line::Declare {
                actor,
                what: Announced::Calling,
            } => self
                .viewer
                .is_some_and(|viewer| viewer.index() != *actor)
                .then_some(*actor),
            _ => None,
        }
    }

    /// A wall that fits the deal at the next line.
    fn fitting_wall(
        &mut self,
        dice: &[Vec<u8>],
        broken: (Seat, u8),
    ) -> Result<Option<Wall>, ReplayError> {
        let at = self.at;
        if self.deal.0 != at {
            self.deal = (at, 0);
        }
        let is_in = |line: &&Line| !matches!(line, Line::StartKyoku { .. });
        let end = at + 1 + self.lines[at + 1..].iter().take_while(is_in).count();
        let told = &mut self.told.to_mut()[..end];
        told[at..].clone_from_slice(&self.lines[at..end]);
        let attempt = self.deal.1;
        let Some((dealt, unmet)) = unseen::deal(self.plan, self.notation, told, at, attempt)?
        else {
            return match self.unmet {
                Some(Unmet { line, player }) => malformed(line, LogFault::Unfitted { player }),
                None => Ok(None),
            };
        };
        self.unmet = unmet.filter(|_| attempt == 0 || self.unmet.is_some());
        dealt.wall(self.plan, at, dice, broken).map(Some)
    }

    /// The seat whose hand a judge declares dead on line `at`.
    fn hand_died(&self, at: usize, state: &DealState) -> Option<Seat> {
        match self.lines.get(at) {
            Some(Line::Penalty {
                actor, dead: true, ..
            }) => {
                let player = Player::new(*actor).filter(|p| p.index() < state.players())?;
                Some(player.seat(state.dealer(), state.players()))
            }
            _ => None,
        }
    }
}

impl Source for OwnLog<'_> {
    fn at(&self) -> usize {
        self.at
    }

    fn has_broken_off(&mut self) -> bool {
        self.may_break_off && self.at.max(self.read) >= self.lines.len()
    }

    fn compare(&mut self, made: Vec<Line>) -> Result<(), ReplayError> {
        for mut expected in made {
            // Only its owner knows whether a hand is calling.
            if self.calls_unseen(&expected).is_some() {
                continue;
            }
            if self.viewer.is_some() && matches!(expected, Line::Tsumo { .. }) {
                self.judge_later();
            }
            let found = self.lines.get(self.at);
            let calls = found.and_then(|line| self.calls_unseen(line));
            if calls.is_some()
                && matches!(&expected, Line::Dahai { actor, .. } if Some(*actor) == calls)
            {
                self.at += 1;
            }
            if let (Line::StartKyoku(start), Some(Line::StartKyoku(written))) =
                (&mut expected, self.lines.get(self.at))
                && written.wall.is_none()
            {
                start.wall = None;
            }
            if let (Line::StartGame(start), Some(Line::StartGame(written))) =
                (&mut expected, self.lines.get(self.at))
            {
                // Another version may have written the log, so the engine's name may differ. The hash of the
                // rules and the seed may be missing.
                start.engine.clone_from(&written.engine);
                if written.ruleset_hash.is_none() {
                    start.ruleset_hash = None;
                }
                if written.game_seed.is_none() {
                    start.game_seed = None;
                }
            }
            match self.lines.get(self.at) {
                Some(found) if *found == expected => self.at += 1,
                Some(found) => {
                    return Err(ReplayError::Differs {
                        line: self.at,
                        expected: Box::new(expected),
                        found: Box::new(found.clone()),
                    });
                }
                None if self.may_break_off => break,
                None => return malformed(self.at, LogFault::BreaksOff),
            }
        }
        Ok(())
    }

    fn wall(&mut self, series: &MatchState) -> Result<Option<Wall>, ReplayError> {
        let Some(Line::StartKyoku(start)) = self.lines.get(self.at) else {
            return malformed(self.at, LogFault::NoStartKyoku);
        };
        let StartKyoku {
            wall: tiles,
            dice,
            wall_break: broken,
            oya,
            ..
        } = &**start;
        let tiles = match tiles
            .as_ref()
            .map(|tiles| parse_tiles(self.notation, tiles))
        {
            Some(Err(error)) => return malformed(self.at, LogFault::Tile(error)),
            Some(Ok(tiles)) => Some(tiles),
            None => None,
        };
        let players = series.players();
        let owner = Player::new(broken.player).filter(|player| player.index() < players);
        let (Some(owner), Ok(count)) = (owner, u8::try_from(broken.count)) else {
            return malformed(self.at, LogFault::InvalidBreak);
        };
        let plan = self.plan;
        let (hand, dealer) = (series.deal_number(), series.dealer());
        let broken = (owner.seat(dealer, players), count);
        if self.has_seed {
            if hand == 1 && *oya != dealer.index() {
                let (found, expected) = (*oya, dealer.index());
                return malformed(self.at, LogFault::OtherDealer { found, expected });
            }
            let wall = wall_of(plan, series.game_seed(), hand, dealer);
            let thrown = wall.dice.iter().map(|roll| &**roll);
            let is_thrown = dice.iter().map(Vec::as_slice).eq(thrown);
            let is_it = tiles.is_none_or(|tiles| wall.tiles().eq(tiles));
            if !is_thrown || broken != wall.broken || !is_it {
                return malformed(self.at, LogFault::OtherWall);
            }
            return Ok(Some(wall));
        }
        let (seat, stacks) = plan.wall.broken_by(dice, players);
        if !plan.wall.throws(dice) || broken != (seat, stacks as u8) {
            return malformed(self.at, LogFault::WrongBreak);
        }
        let first = match plan.matches.first_dealer {
            FirstDealer::Random => dealer.index(),
            FirstDealer::Fixed => 0,
            FirstDealer::Roll => first_by_roll(dice, players),
        };
        if hand == 1 && dealer.index() != first {
            let (found, expected) = (dealer.index(), first);
            return malformed(self.at, LogFault::OtherDealer { found, expected });
        }
        let Some(tiles) = tiles else {
            let dice = dice.clone();
            return self.fitting_wall(&dice, broken);
        };
        match Wall::from_tiles(&plan.wall, &plan.tiles, players, &tiles, dice, broken) {
            Some(wall) => Ok(Some(wall)),
            None => malformed(self.at, LogFault::OtherTiles),
        }
    }

    fn back_up(&mut self) -> bool {
        let (at, attempt) = self.deal;
        let has_wall = |start: &StartKyoku| start.wall.is_some();
        if !matches!(self.lines.get(at), Some(Line::StartKyoku(start)) if !has_wall(start)) {
            return false;
        }
        (self.at, self.read, self.deal) = (at, at, (at, attempt + 1));
        true
    }

    fn told(
        &mut self,
        state: &DealState,
        legal: &dyn Fn(Seat) -> Legal,
    ) -> Result<Told, ReplayError> {
        let mut at = self.at.max(self.read);
        if let Some(seat) = self.hand_died(at, state) {
            return Ok(Told::Dead(seat));
        }
        let players = state.players();
        let writer = Writer {
            plan: self.plan,
            notation: self.notation,
        };
        if matches!(state.phase(), Phase::EndChoice) {
            // The result of the deal comes before the dealer's decision to end the match.
            let left = self.lines[at.min(self.lines.len())..].iter();
            at += left.take_while(|line| is_result(line)).count();
        }
        let mut decisions = Vec::new();
        let mut left: SmallVec<[Seat; MAX_PLAYERS]> = state.deciding().collect();
        while !left.is_empty() {
            if !decisions.is_empty() && self.hand_died(at, state).is_some() {
                break;
            }
            // Automatic events come before the decision.
            while self.lines.get(at).is_some_and(is_automatic) {
                at += 1;
            }
            let player_of = |seat: Seat| seat.player(state.dealer(), players).index();
            // Players who answer after a hand died may be listed before players who answered earlier.
            let named = match self.lines.get(at) {
                Some(Line::Decision { actor, .. }) => {
                    left.iter().position(|&seat| player_of(seat) == *actor)
                }
                _ => None,
            };
            let seat = left.remove(named.unwrap_or_default());
            let player = player_of(seat);
            let actions: Vec<Action> = legal(seat).iter().collect();
            // A player's view does not have the decisions of other players.
            let is_hidden = self.viewer.is_some_and(|viewer| viewer.index() != player);
            let left_out = |line: &&Line| is_hidden && matches!(line, Line::Decision { .. });
            let from = at.min(self.lines.len());
            let at_event = from + self.told[from..].iter().take_while(left_out).count();
            if let Some(Line::Decision { actor, chosen, .. }) = self.told.get(at_event) {
                // The whole line is compared when the engine writes the decision.
                let Some(&action) = actions.get(*chosen).filter(|_| *actor == player) else {
                    return malformed(
                        at,
                        LogFault::OtherDecision {
                            player,
                            actions: actions.len(),
                        },
                    );
                };
                decisions.push((at, seat, action));
                at += 1;
                continue;
            }
            // Without decisions in the log, the next event shows the action. Wins of several players are consecutive
            // lines, and so are the choices before the first turn.
            let chosen = state.view(seat).chosen_for_exchange().len();
            let step = self.plan.step_of(state.phase());
            let told = self.told[at_event..]
                .iter()
                .take_while(|line| is_simultaneous(line))
                .chain(self.told.get(at_event))
                .filter_map(event_choice)
                .filter(|choice| actor_of(choice) == Some(player))
                .filter(|choice| match choice {
                    Line::Show { what, .. } => step.is_some_and(|step| step.id == *what),
                    _ => true,
                })
                .nth(chosen);
            let draw = reason_of(AbortiveDraw::ThreeWins);
            let is_drawn = matches!(self.told.get(at_event), Some(Line::Ryukyoku { reason, .. }) if reason == draw);
            let action = match told {
                // This draw means that every player who could win did declare it.
                None if is_drawn && actions.contains(&Action::Win) => Some(Action::Win),
                Some(told) => actions.iter().copied().find(|&action| {
                    writer.choice(&state.view(seat), action).as_ref() == Some(&told)
                }),
                None => actions.contains(&Action::Pass).then_some(Action::Pass),
            };
            match action {
                Some(action) => decisions.push((at, seat, action)),
                None if self.may_break_off && self.ends_with_events_of_several(at) => {
                    // The decision would come after the last line, so the driver stops before it.
                    decisions.push((self.lines.len(), seat, Action::Pass));
                    break;
                }
                None => {
                    let found = match self.lines.get(at) {
                        Some(_) => LogFault::NoAction { player },
                        None => LogFault::BreaksOff,
                    };
                    return malformed(at, found);
                }
            }
        }
        self.read = at;
        Ok(Told::Decisions(decisions))
    }

    fn end(&mut self, _: &MatchState, made: Vec<Line>) -> Result<(), ReplayError> {
        self.compare(made)?;
        if self.at < self.lines.len() {
            return malformed(self.at, LogFault::TrailingLines);
        }
        Ok(())
    }
}

/// True for a result of a deal.
fn is_result(line: &Line) -> bool {
    matches!(line, Line::Hora { .. } | Line::Ryukyoku { .. })
}

/// True for events that several players cause at the same time.
fn is_simultaneous(line: &Line) -> bool {
    matches!(
        line,
        Line::Hora { .. } | Line::Exchange { .. } | Line::Missing { .. } | Line::Show { .. }
    )
}

/// True for automatic events that come after a choice and before the event of that choice.
fn is_automatic(line: &Line) -> bool {
    let calling = matches!(
        line,
        Line::Declare {
            what: Announced::Calling,
            ..
        }
    );
    let is_told = matches!(
        line,
        Line::ReachAccepted { .. } | Line::Dora { .. } | Line::Turned { .. } | Line::Paid { .. }
    );
    calling || is_told
}

/// The line of the legal action that led to an event.
fn event_choice(line: &Line) -> Option<Line> {
    let mut choice = line.clone();
    match &mut choice {
        Line::Hora(hora) => {
            **hora = Hora {
                actor: hora.actor,
                target: hora.target,
                pai: std::mem::take(&mut hora.pai),
                ..Hora::default()
            };
        }
        Line::Ryukyoku {
            actor: Some(_),
            tehais,
            tenpais,
            deltas,
            scores,
            ..
        } => {
            (*tehais, *tenpais) = (None, None);
            (*deltas, *scores) = (None, None);
        }
        Line::Penalty { deltas, scores, .. } => (*deltas, *scores) = (None, None),
        Line::Challenge {
            consumed, valid, ..
        } => (*consumed, *valid) = (None, None),
        Line::Exchange { target, .. } => *target = None,
        Line::Show { tehai, .. } => *tehai = None,
        _ => {}
    }
    actor_of(&choice).is_some().then_some(choice)
}

/// The player whose action may have caused a line.
fn actor_of(line: &Line) -> Option<usize> {
    match line {
        Line::Hora(hora) => Some(hora.actor),
        Line::Daiminkan { actor, .. }
        | Line::Pon { actor, .. }
        | Line::Chi { actor, .. }
        | Line::Ankan { actor, .. }
        | Line::Challenge { actor, .. }
        | Line::Declare {
            actor,
            what: Announced::Standing,
        }
        | Line::Penalty { actor, .. }
        | Line::Reach { actor }
        | Line::End { actor }
        | Line::Ryukyoku {
            actor: Some(actor), ..
        }
        | Line::Kakan { actor, .. }
        | Line::Lay { actor, .. }
        | Line::Swap { actor, .. }
        | Line::Nukidora { actor, .. }
        | Line::Exchange { actor, .. }
        | Line::Missing { actor, .. }
        | Line::Show { actor, .. }
        | Line::Dahai { actor, .. } => Some(*actor),
        _ => None,
    }
}
