//! Plays a log again: the players' events become actions, everything else must come out the same.

use super::mjai::Message;
use super::record::{LogOptions, Recorder, Writer};
use super::{Choice, FORMAT, Line, LogView, What, parse_tiles, partial, reason_of};
use crate::game::{ActionError, Deal, Match, Observer, first_by_roll};
use crate::notation::Notation;
use crate::random::Seed;
use crate::ruleset::{FirstDealer, LoadError, Ruleset};
use crate::seat::{Player, Seat};
use crate::state::{AbortiveDraw, Action, DealState, Phase};
use crate::wall::Wall;
use std::cell::RefCell;

/// A game that was replayed without a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The number that the game has in its log.
    pub game: u64,
    /// Hands played.
    pub hands: u32,
    /// Lines compared, header and decisions included.
    pub lines: usize,
    /// Every tile was known and every line compared. A player's view is only checked for what
    /// that player knows.
    pub complete: bool,
}

/// Where a replay first disagrees with its log. Lines are counted from 0 within the game.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The engine produces another line.
    #[error("another line was expected")]
    Differs {
        /// Place of the line.
        line: usize,
        /// What the engine produces.
        expected: Box<Line>,
        /// What the log has.
        found: Box<Line>,
    },
    /// The engine says something else than a message of plain mjai.
    #[error("another message was expected")]
    Disagrees {
        /// Place of the message.
        line: usize,
        /// What the engine says.
        expected: Box<Message>,
        /// What the log has.
        found: Box<Message>,
    },
    /// The log goes on where the game is over, or stops before it is.
    #[error("{message}")]
    Shape {
        /// Place of the line.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// The event is no legal action.
    #[error("{error}")]
    NotLegal {
        /// Place of the line.
        line: usize,
        /// What is wrong.
        error: ActionError,
    },
    /// The ruleset or its options are unknown.
    #[error("{error}")]
    Ruleset {
        /// Place of the line.
        line: usize,
        /// What is wrong.
        error: Box<LoadError>,
    },
}

impl ReplayError {
    /// Place of the line, from 0 within the game.
    pub fn line(&self) -> usize {
        match self {
            Self::Differs { line, .. }
            | Self::Disagrees { line, .. }
            | Self::Shape { line, .. }
            | Self::NotLegal { line, .. }
            | Self::Ruleset { line, .. } => *line,
        }
    }
}

pub(super) fn shape<T>(line: usize, message: impl Into<String>) -> Result<T, ReplayError> {
    Err(ReplayError::Shape {
        line,
        message: message.into(),
    })
}

/// Replays one game, from its `start_game` to its `end_game`. `load` makes the ruleset that the
/// log names.
///
/// # Errors
/// [`ReplayError`] for the first line that is not as the rules say.
pub fn replay<R: Ruleset>(
    lines: &[Line],
    load: impl FnOnce(&str, &[(String, crate::ruleset::OptionValue)]) -> Result<R, LoadError>,
) -> Result<Replayed, ReplayError> {
    let Some(Line::StartGame {
        names,
        ruleset,
        options,
        notation,
        view,
        game,
        game_seed,
        agent_seed,
        format,
        ..
    }) = lines.first()
    else {
        return shape(0, "a game begins with start_game");
    };
    if *format != FORMAT {
        return shape(0, format!("format {format}; this engine reads {FORMAT}"));
    }
    let rules = load(ruleset, &options.0).map_err(|error| ReplayError::Ruleset {
        line: 0,
        error: Box::new(error),
    })?;
    let Some(notation) = Notation::by_name(notation) else {
        return shape(0, format!("unknown notation `{notation}`"));
    };
    let whole = lines
        .iter()
        .all(|line| !matches!(line, Line::StartKyoku { wall: None, .. }));
    if *view != LogView::All || !whole {
        return partial::check(lines, rules.plan(), notation, *view, *game);
    }
    let Some(game_seed) = *game_seed else {
        return shape(0, "game_seed is missing");
    };
    let options = LogOptions {
        names: names.clone(),
        notation,
        viewer: None,
        with_legal: lines
            .iter()
            .any(|line| matches!(line, Line::Decision { .. })),
        game: *game,
        agent_seed: *agent_seed,
    };
    let made = RefCell::new(Vec::new());
    let mut replayer = Replayer {
        lines,
        rules: &rules,
        notation,
        at: 0,
        made: &made,
        recorder: Recorder::new(rules.plan(), options, |line| made.borrow_mut().push(line)),
    };
    let hands = replayer.play(game_seed)?;
    Ok(Replayed {
        game: *game,
        hands,
        lines: lines.len(),
        complete: true,
    })
}

struct Replayer<'a, F: FnMut(Line)> {
    lines: &'a [Line],
    rules: &'a dyn Ruleset,
    notation: Notation,
    /// Lines that agree so far.
    at: usize,
    made: &'a RefCell<Vec<Line>>,
    recorder: Recorder<'a, F>,
}

impl<F: FnMut(Line)> Replayer<'_, F> {
    /// Compares what the engine has written with the log.
    fn compare(&mut self) -> Result<(), ReplayError> {
        for mut expected in self.made.borrow_mut().drain(..) {
            if let (
                Line::StartGame {
                    engine,
                    ruleset_hash,
                    ..
                },
                Some(Line::StartGame {
                    engine: written,
                    ruleset_hash: hash,
                    ..
                }),
            ) = (&mut expected, self.lines.get(self.at))
            {
                // Another version may have written the log; its rules count, not its name. What the rules
                // came to may have been left out.
                engine.clone_from(written);
                if hash.is_none() {
                    *ruleset_hash = None;
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
                None => return shape(self.at, "the log breaks off inside a game"),
            }
        }
        Ok(())
    }

    fn play(&mut self, game_seed: Seed) -> Result<u32, ReplayError> {
        let first = self.lines.iter().find_map(|line| match line {
            Line::StartKyoku { oya, .. } => Player::new(*oya),
            _ => None,
        });
        let Some(dealer) = first.filter(|dealer| dealer.index() < self.rules.plan().players) else {
            return shape(self.at, "the first dealer is no player");
        };
        let mut series = Match::with_dealer(self.rules, game_seed, dealer);
        self.recorder.match_started(&series);
        self.compare()?;
        let mut hands = 0;
        while !series.is_over() {
            let deal = self.deal(&series)?;
            let outcome = deal.outcome().cloned().unwrap_or_default();
            let next = match series.record(deal.state(), &outcome) {
                Ok(next) => next,
                Err(error) => return shape(self.at, error.to_string()),
            };
            self.recorder
                .deal_ended(&series, deal.state(), &outcome, next);
            self.compare()?;
            hands += 1;
        }
        self.recorder.match_ended(&series);
        self.compare()?;
        if self.at < self.lines.len() {
            return shape(self.at, "the game is over");
        }
        Ok(hands)
    }

    fn deal<'r>(
        &mut self,
        series: &Match<&'r dyn Ruleset>,
    ) -> Result<Deal<&'r dyn Ruleset>, ReplayError> {
        let wall = self.wall(series)?;
        let setup = series.setup_with(wall);
        let mut deal = Deal::start(*series.rules(), setup, &mut self.recorder);
        self.compare()?;
        while !deal.state().waiting().is_empty() {
            if let Some(seat) = self.hand_died(self.at, deal.state()) {
                deal.declare_dead(seat, &mut self.recorder)
                    .map_err(|error| ReplayError::NotLegal {
                        line: self.at,
                        error,
                    })?;
                self.compare()?;
                continue;
            }
            for (seat, action) in self.decisions(&deal)? {
                deal.act(seat, action, &mut self.recorder)
                    .map_err(|error| ReplayError::NotLegal {
                        line: self.at,
                        error,
                    })?;
                self.compare()?;
            }
        }
        Ok(deal)
    }

    /// The wall of the hand that begins at the current line.
    fn wall(&self, series: &Match<&dyn Ruleset>) -> Result<Wall, ReplayError> {
        let Some(Line::StartKyoku {
            wall: Some(tiles),
            dice,
            broken,
            ..
        }) = self.lines.get(self.at)
        else {
            return shape(self.at, "a hand begins with start_kyoku and its wall");
        };
        let tiles = match parse_tiles(self.notation, tiles) {
            Ok(tiles) => tiles,
            Err(error) => return shape(self.at, format!("the wall: {error}")),
        };
        let players = series.players();
        let owner = Player::new(broken.player).filter(|player| player.index() < players);
        let (Some(owner), Ok(count)) = (owner, u8::try_from(broken.count)) else {
            return shape(self.at, "the break is none");
        };
        let plan = self.rules.plan();
        let broken = (owner.seat(series.dealer(), players), count);
        let (seat, stacks) = plan.wall.broken_by(dice, players);
        if !plan.wall.throws(dice) || broken != (seat, stacks as u8) {
            return shape(self.at, "the dice do not break the wall there");
        }
        let first = match plan.matches.first_dealer {
            FirstDealer::Random => series.dealer().index(),
            FirstDealer::Fixed => 0,
            FirstDealer::Roll => first_by_roll(dice, players),
        };
        if series.hand() == 1 && series.dealer().index() != first {
            return shape(self.at, "another player deals first");
        }
        match Wall::from_tiles(&plan.wall, &plan.tiles, players, &tiles, dice, broken) {
            Some(wall) => Ok(wall),
            None => shape(self.at, "the wall is not the tile set"),
        }
    }

    /// The seat whose hand a judge declared dead on this line.
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

    /// What the seats that must decide have done, as the log tells it.
    fn decisions<R: Ruleset>(&self, deal: &Deal<R>) -> Result<Vec<(Seat, Action)>, ReplayError> {
        let state = deal.state();
        let players = state.players();
        let writer = Writer {
            plan: self.rules.plan(),
            notation: self.notation,
        };
        let mut at = self.at;
        if matches!(state.phase(), Phase::EndChoice) {
            // What the hand brought stands before the dealer's last word.
            let left = self.lines[at.min(self.lines.len())..].iter();
            at += left.take_while(|line| is_result(line)).count();
        }
        let mut decisions = Vec::new();
        for seat in state.deciding() {
            if !decisions.is_empty() && self.hand_died(at, state).is_some() {
                break;
            }
            // What the table does of itself stands before what was chosen.
            while self.lines.get(at).is_some_and(is_of_itself) {
                at += 1;
            }
            let player = seat.player(state.dealer(), players).index();
            let actions: Vec<Action> = deal.legal(seat).iter().collect();
            if let Some(Line::Decision { actor, chosen, .. }) = self.lines.get(at) {
                // The whole line is compared when the engine writes its own.
                let Some(&action) = actions.get(*chosen).filter(|_| *actor == player) else {
                    return shape(
                        at,
                        format!("player {player} decides, among {} actions", actions.len()),
                    );
                };
                decisions.push((seat, action));
                at += 1;
                continue;
            }
            // Without decisions the next event tells; several winners stand in a row.
            let told = self.lines[at.min(self.lines.len())..]
                .iter()
                .take_while(|line| matches!(line, Line::Hora { .. }))
                .chain(self.lines.get(at))
                .filter_map(event_choice)
                .find(|choice| actor_of(choice) == Some(player));
            let draw = reason_of(AbortiveDraw::ThreeWins);
            let is_drawn =
                matches!(self.lines.get(at), Some(Line::Ryukyoku { reason, .. }) if reason == draw);
            let action = match told {
                // Everybody who could has declared a win.
                None if is_drawn && actions.contains(&Action::Win) => Some(Action::Win),
                Some(told) => actions.iter().copied().find(|&action| {
                    writer.choice(&state.view(seat), action).as_ref() == Some(&told)
                }),
                None => actions.contains(&Action::Pass).then_some(Action::Pass),
            };
            match action {
                Some(action) => decisions.push((seat, action)),
                None => {
                    let found = match self.lines.get(at) {
                        Some(_) => format!("the event is no legal action of player {player}"),
                        None => "the log breaks off inside a game".to_owned(),
                    };
                    return shape(at, found);
                }
            }
        }
        Ok(decisions)
    }
}

/// True for what a hand brought.
fn is_result(line: &Line) -> bool {
    matches!(line, Line::Hora { .. } | Line::Ryukyoku { .. })
}

/// True for what nobody chooses and the table does between a choice and what comes of it.
fn is_of_itself(line: &Line) -> bool {
    let calling = matches!(
        line,
        Line::Declare {
            what: What::Calling,
            ..
        }
    );
    calling || matches!(line, Line::ReachAccepted { .. } | Line::Dora { .. })
}

/// The choice that an event came from.
fn event_choice(line: &Line) -> Option<Choice> {
    Some(match line.clone() {
        Line::Dahai {
            actor,
            pai,
            tsumogiri,
        } => Choice::Dahai {
            actor,
            pai,
            tsumogiri,
        },
        Line::Chi {
            actor,
            target,
            pai,
            consumed,
            reads,
        } => Choice::Chi {
            actor,
            target,
            pai,
            consumed,
            reads,
        },
        Line::Pon {
            actor,
            target,
            pai,
            consumed,
        } => Choice::Pon {
            actor,
            target,
            pai,
            consumed,
        },
        Line::Daiminkan {
            actor,
            target,
            pai,
            consumed,
            laid,
        } => Choice::Daiminkan {
            actor,
            target,
            pai,
            consumed,
            laid,
        },
        Line::Ankan {
            actor,
            consumed,
            hidden,
        } => Choice::Ankan {
            actor,
            consumed,
            hidden,
        },
        Line::Challenge { actor, target, .. } => Choice::Challenge { actor, target },
        Line::Kakan {
            actor,
            pai,
            consumed,
            open,
        } => Choice::Kakan {
            actor,
            pai,
            consumed,
            open,
        },
        Line::Lay { actor, consumed } => Choice::Lay { actor, consumed },
        Line::Hora {
            actor, target, pai, ..
        } => Choice::Hora { actor, target, pai },
        Line::Declare {
            actor,
            what: What::Standing,
        } => Choice::Declare {
            actor,
            what: What::Standing,
        },
        Line::Reach { actor } => Choice::Reach { actor },
        Line::Ryukyoku {
            actor: Some(actor),
            reason,
            ..
        } => Choice::Ryukyoku { actor, reason },
        Line::End { actor } => Choice::End { actor },
        Line::Penalty {
            actor,
            reason,
            dead,
            ..
        } => Choice::Penalty {
            actor,
            reason,
            dead,
        },
        _ => return None,
    })
}

fn actor_of(choice: &Choice) -> Option<usize> {
    match choice {
        Choice::None => None,
        Choice::Hora { actor, .. }
        | Choice::Daiminkan { actor, .. }
        | Choice::Pon { actor, .. }
        | Choice::Chi { actor, .. }
        | Choice::Ankan { actor, .. }
        | Choice::Challenge { actor, .. }
        | Choice::Declare { actor, .. }
        | Choice::Penalty { actor, .. }
        | Choice::Reach { actor }
        | Choice::End { actor }
        | Choice::Ryukyoku { actor, .. }
        | Choice::Kakan { actor, .. }
        | Choice::Lay { actor, .. }
        | Choice::Dahai { actor, .. } => Some(*actor),
    }
}
