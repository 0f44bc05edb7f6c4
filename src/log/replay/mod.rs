//! Replays a log. The players' events become actions. The engine must produce all other lines of the log.
//!
//! One driver plays every log. A [`Source`] reads the log: `own.rs` reads the crate's logs, `plain.rs` reads plain
//! mjai. If a log has no walls, `lay.rs` builds walls that fit. `unseen/` finds the tiles that a player's view hides.

mod fault;
mod lay;
mod own;
mod plain;
pub(super) mod source;
mod unseen;

use super::mjai::Message;
use super::record::{LogOptions, Recorder};
use super::{FORMAT, Line, LogView, StartGame};
use crate::game::{Deal, Match, Observer};
use crate::notation::Notation;
use crate::random::Seed;
use crate::ruleset::{LoadError, OptionValue, Ruleset};
use crate::seat::Player;
use crate::wall::Wall;
pub use fault::LogFault;
use own::OwnLog;
use plain::PlainLog;
pub use source::{ReplayError, Replayed};
use source::{Source, Told, malformed};
use std::cell::RefCell;
use std::sync::Arc;

/// The state of a replay: the match, and the deal in play.
struct Replaying<R> {
    series: Match<R>,
    deal: Option<Deal<R>>,
    deals: u32,
}

/// Plays a match from a source and notifies an observer. Stops at the end of the match, at the first decision at line
/// `stop_at` or later, or between deals if a log that may break off ends there.
///
/// If a source has several walls for a deal, they are tried in turn until the deal agrees with the log. The observer is
/// notified of every attempt.
fn drive<R: Ruleset + Clone>(
    mut series: Match<R>,
    options: LogOptions,
    source: &mut impl Source,
    stop_at: usize,
    observer: &mut dyn Observer,
) -> Result<Replaying<R>, ReplayError> {
    let made = RefCell::new(Vec::new());
    let recorder = Recorder::new(series.state().plan(), options, |line| {
        made.borrow_mut().push(line)
    });
    let taken = || std::mem::take(&mut *made.borrow_mut());
    let mut watching = (recorder, observer);
    watching.match_started(series.state());
    source.compare(taken())?;
    let mut deals = 0;
    while !series.is_over() {
        if source.has_broken_off() || !watching.wants_more() {
            return Ok(Replaying {
                series,
                deal: None,
                deals,
            });
        }
        let recorder = watching.0.clone();
        let mut refused: Option<ReplayError> = None;
        let (deal, is_stopped) = loop {
            let Some(wall) = source.wall(series.state())? else {
                break Err(refused);
            };
            match play_deal(&series, wall, source, stop_at, &taken, &mut watching) {
                Ok(played) => break Ok(played),
                Err(error) if source.back_up() => {
                    // Report the error of the attempt that matched the most lines.
                    if refused
                        .as_ref()
                        .is_none_or(|first| first.line() < error.line())
                    {
                        refused = Some(error);
                    }
                    taken();
                    watching.0 = recorder.clone();
                }
                Err(error) => break Err(Some(error)),
            }
        }
        .or_else(|error| match error {
            Some(error) => Err(error),
            None => malformed(source.at(), LogFault::NothingFits),
        })?;
        if is_stopped {
            return Ok(Replaying {
                series,
                deal: Some(deal),
                deals,
            });
        }
        let outcome = deal.outcome().cloned().unwrap_or_default();
        let next = match series.finish(&deal) {
            Ok(next) => next,
            Err(error) => return malformed(source.at(), LogFault::Record(error)),
        };
        watching.deal_ended(series.state(), deal.state(), &outcome, next);
        source.compare(taken())?;
        deals += 1;
    }
    watching.match_ended(series.state());
    source.end(series.state(), taken())?;
    Ok(Replaying {
        series,
        deal: None,
        deals,
    })
}

/// Plays a deal from a source with a wall. Returns the deal, and true if it stopped at line `stop_at` or later.
fn play_deal<R: Ruleset + Clone>(
    series: &Match<R>,
    wall: Wall,
    source: &mut impl Source,
    stop_at: usize,
    taken: &impl Fn() -> Vec<Line>,
    watching: &mut dyn Observer,
) -> Result<(Deal<R>, bool), ReplayError> {
    let setup = series.state().setup_with(wall);
    let mut deal = Deal::start_observed(series.rules().clone(), setup, watching);
    source.compare(taken())?;
    while !deal.state().waiting().is_empty() {
        if source.at() >= stop_at {
            return Ok((deal, true));
        }
        let legal = |seat| deal.legal(seat).clone();
        let not_legal = |line| move |error| ReplayError::NotLegal { line, error };
        match source.told(deal.state(), &legal)? {
            Told::Dead(seat) => {
                deal.declare_dead_observed(seat, watching)
                    .map_err(not_legal(source.at()))?;
                source.compare(taken())?;
            }
            Told::Decisions(decisions) => {
                for (line, seat, action) in decisions {
                    if line >= stop_at {
                        return Ok((deal, true));
                    }
                    deal.act_observed(seat, action, watching)
                        .map_err(not_legal(source.at()))?;
                    source.compare(taken())?;
                }
            }
        }
    }
    Ok((deal, false))
}

/// The header of a log of this crate.
struct Header<R> {
    rules: R,
    options: LogOptions,
    game_seed: Option<Seed>,
    /// True if the log shows every tile.
    is_whole: bool,
}

fn header<R: Ruleset>(
    lines: &[Line],
    load: impl FnOnce(&str, &[(String, OptionValue)]) -> Result<R, LoadError>,
) -> Result<Header<R>, ReplayError> {
    let Some(Line::StartGame(start)) = lines.first() else {
        return malformed(0, LogFault::NoStartGame);
    };
    let StartGame {
        names,
        ruleset,
        ruleset_hash,
        options,
        notation,
        view,
        game,
        game_seed,
        agent_seed,
        format,
        ..
    } = &**start;
    if *format != FORMAT {
        return malformed(0, LogFault::Format { found: *format });
    }
    let rules = load(ruleset, &options.0).map_err(|error| ReplayError::Ruleset {
        line: 0,
        error: Box::new(error),
    })?;
    let expected = format!("{:016x}", rules.plan().content_hash);
    if let Some(found) = ruleset_hash.as_ref().filter(|&hash| *hash != expected) {
        return Err(ReplayError::OtherRules {
            line: 0,
            found: found.clone(),
            expected,
        });
    }
    let Some(notation) = Notation::by_name(notation) else {
        return malformed(
            0,
            LogFault::Notation {
                name: notation.clone(),
            },
        );
    };
    let viewer = match *view {
        LogView::All => None,
        LogView::Player(player) => {
            let players = rules.plan().players;
            match Player::new(player).filter(|player| player.index() < players) {
                Some(viewer) => Some(viewer),
                None => return malformed(0, LogFault::NoSuchPlayer { player }),
            }
        }
    };
    let has_walls = lines
        .iter()
        .all(|line| !matches!(line, Line::StartKyoku(start) if start.wall.is_none()));
    Ok(Header {
        rules,
        options: LogOptions {
            names: names.clone(),
            notation,
            viewer,
            with_legal: lines
                .iter()
                .any(|line| matches!(line, Line::Decision { .. })),
            game: *game,
            agent_seed: *agent_seed,
        },
        game_seed: *game_seed,
        is_whole: viewer.is_none() && (has_walls || game_seed.is_some()),
    })
}

/// Replays a log of this crate, all of it or up to a line.
fn replay_own<R: Ruleset + Clone>(
    lines: &[Line],
    header: Header<R>,
    stop_at: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<Replaying<R>, ReplayError> {
    let Header {
        rules,
        options,
        game_seed,
        ..
    } = header;
    let first = lines.iter().find_map(|line| match line {
        Line::StartKyoku(start) => Some(start.oya),
        _ => None,
    });
    let plan = Arc::clone(rules.plan());
    let dealer = first_dealer(first, 0, plan.players)?;
    let has_seed = game_seed.is_some();
    let mut source = OwnLog::new(lines, &plan, &options, has_seed, stop_at.is_some());
    let series = match game_seed {
        Some(seed) => Match::new(rules, seed),
        None => Match::with_dealer(rules, 0, dealer),
    };
    let stop_at = stop_at.map_or(usize::MAX, |line| line.min(lines.len()));
    drive(series, options, &mut source, stop_at, observer)
}

/// The first dealer that a log names.
fn first_dealer(oya: Option<usize>, at: usize, players: usize) -> Result<Player, ReplayError> {
    match oya
        .and_then(Player::new)
        .filter(|player| player.index() < players)
    {
        Some(dealer) => Ok(dealer),
        None => malformed(at, LogFault::NoFirstDealer),
    }
}

/// Replays one match, from its `start_game` to its `end_game`. `load` loads the ruleset that the log names.
///
/// Walls, dice and the first dealer must be those of the `game_seed`. A log without a `game_seed` is replayed with its
/// own walls. In a log without walls, such as a player's view, each deal gets a wall that fits the log.
///
/// # Errors
/// [`ReplayError`] for the first line that does not follow the rules.
pub fn replay<R: Ruleset>(
    lines: &[Line],
    load: impl FnOnce(&str, &[(String, OptionValue)]) -> Result<R, LoadError>,
) -> Result<Replayed, ReplayError> {
    replay_observed(lines, load, &mut ())
}

/// [`replay`] with an observer, which is notified of everything that is replayed. If several walls are tried for a deal,
/// it is notified of each attempt, which begins with the start of the deal. In a log that hides tiles, other tiles
/// may stand for them.
///
/// # Errors
/// Those of [`replay`].
pub fn replay_observed<R: Ruleset>(
    lines: &[Line],
    load: impl FnOnce(&str, &[(String, OptionValue)]) -> Result<R, LoadError>,
    observer: &mut dyn Observer,
) -> Result<Replayed, ReplayError> {
    let Header {
        rules,
        options,
        game_seed,
        is_whole,
    } = header(lines, load)?;
    let game = options.game;
    let header = Header {
        // One engine for all rulesets makes programs smaller.
        rules: &rules as &dyn Ruleset,
        options,
        game_seed,
        is_whole,
    };
    let played = replay_own(lines, header, None, observer)?;
    Ok(Replayed {
        game,
        hands: played.deals,
        lines: lines.len(),
        complete: is_whole,
    })
}

/// Replays one match up to a line, counted from 0 at its `start_game`. Returns the match, and the deal at the
/// first decision at this line or later. The deal can be played on. It is `None` if the match is over by
/// then.
///
/// A log that breaks off before this line is read to its end. The deal is `None` if the log breaks off between two
/// deals. The observer is notified of everything that is replayed.
///
/// ```
/// use paishan::log::{self, LogOptions, Recorder};
/// use paishan::{Notation, Rules, agent, simulate};
/// let woo = Rules::by_id("woo")?;
/// let mut agents = agent::for_all("random", woo.plan())?;
/// let mut lines = Vec::new();
/// let options = LogOptions::new(vec!["random".into(); 4], Notation::Ujmj);
/// simulate::play(&woo, &mut agents, 7, &mut Recorder::new(woo.plan(), options, |line| lines.push(line)))?;
/// let (series, deal) = log::replay_to(&lines, 50, Rules::by_id_with, &mut ())?;
/// let mut deal = deal.expect("a game has more lines");
/// assert_eq!((series.deal_number(), deal.outcome()), (1, None));
/// let seat = deal.state().waiting().first().expect("somebody decides");
/// deal.act(seat, deal.legal(seat).nth(0).expect("an action"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReplayError`] for the first line before `line` that does not follow the rules, and for a log that hides tiles.
#[allow(clippy::type_complexity, reason = "a pair of what it says")]
pub fn replay_to<R: Ruleset + Clone>(
    lines: &[Line],
    line: usize,
    load: impl FnOnce(&str, &[(String, OptionValue)]) -> Result<R, LoadError>,
    observer: &mut dyn Observer,
) -> Result<(Match<R>, Option<Deal<R>>), ReplayError> {
    let header = header(lines, load)?;
    if !header.is_whole {
        return malformed(0, LogFault::HiddenTiles);
    }
    let played = replay_own(lines, header, Some(line), observer)?;
    Ok((played.series, played.deal))
}

/// Replays one match of plain mjai under a ruleset. Members that the log leaves out are not compared. The final scores
/// may or may not include the points that the ruleset adds at the end.
///
/// # Errors
/// [`ReplayError`] for the first message that does not follow the rules. Its line is the index of the
/// message.
pub fn replay_plain(rules: &dyn Ruleset, messages: &[Message]) -> Result<Replayed, ReplayError> {
    replay_plain_observed(rules, messages, &mut ())
}

/// [`replay_plain`] with an observer, which is notified as by [`replay_observed`].
///
/// # Errors
/// Those of [`replay_plain`].
pub fn replay_plain_observed(
    rules: &dyn Ruleset,
    messages: &[Message],
    observer: &mut dyn Observer,
) -> Result<Replayed, ReplayError> {
    let played = replay_messages(rules, messages, None, observer)?;
    Ok(Replayed {
        game: 0,
        hands: played.deals,
        lines: messages.len(),
        complete: true,
    })
}

/// Replays one match of plain mjai up to a message, counted from 0, as [`replay_to`] replays a log of this crate.
/// [`mjlog`](super::mjlog) converts records of the server Tenhou to such messages.
///
/// The log does not contain the whole wall, so the positions of the other tiles are arbitrary. After the last message
/// of a log that breaks off, draws come from these tiles. The seed of the match is 0 and has no meaning.
///
/// ```
/// use paishan::game::Moves;
/// use paishan::log::{self, LogOptions, Recorder, mjai::Message};
/// use paishan::{Notation, Rules, agent, simulate};
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let mut agents = agent::for_all("greedy", rules.plan())?;
/// let mut messages = Vec::new();
/// let options = LogOptions::new(vec!["greedy".into(); 4], Notation::Mjai);
/// let write = |line| messages.extend(Message::plain(rules.plan(), &line));
/// simulate::play(&rules, &mut agents, 7, &mut Recorder::new(rules.plan(), options, write))?;
///
/// // The server went down after 30 messages.
/// messages.truncate(30);
/// assert!(log::replay_plain(&rules, &messages).is_err());
/// let mut moves = Moves::new(0);
/// let (series, deal) = log::replay_plain_to(&rules, &messages, usize::MAX, &mut moves)?;
/// let mut deal = deal.expect("a deal was being played");
/// assert!(series.deal_number() == 1 && deal.state().discards().len() > 10);
/// // The table before each of its decisions.
/// let (_, first) = log::replay_plain_to(&rules, &messages, 0, &mut ())?;
/// let mut table = first.expect("the first decision");
/// for &(seat, action) in moves.decisions() {
///     table.act(seat, action)?;
/// }
/// assert_eq!(table.state(), deal.state());
/// // Somebody takes over.
/// let seat = deal.state().waiting().first().expect("somebody decides");
/// deal.act(seat, deal.legal(seat).nth(0).expect("an action"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReplayError`] for the first message before `message` that does not follow the rules.
#[allow(clippy::type_complexity, reason = "a pair of what it says")]
pub fn replay_plain_to<R: Ruleset + Clone>(
    rules: R,
    messages: &[Message],
    message: usize,
    observer: &mut dyn Observer,
) -> Result<(Match<R>, Option<Deal<R>>), ReplayError> {
    let played = replay_messages(rules, messages, Some(message), observer)?;
    Ok((played.series, played.deal))
}

/// Replays one match of plain mjai, all of it or up to a message.
fn replay_messages<R: Ruleset + Clone>(
    rules: R,
    messages: &[Message],
    stop_at: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<Replaying<R>, ReplayError> {
    let first = messages
        .iter()
        .enumerate()
        .find_map(|(i, message)| match message {
            Message::StartKyoku { oya, .. } => Some((i, *oya)),
            _ => None,
        });
    let Some((at, oya)) = first else {
        return malformed(0, LogFault::NoDeal);
    };
    let plan = Arc::clone(rules.plan());
    if plan.wall.indicators.is_none() || !plan.pays_at_exhausted_wall() {
        return malformed(
            0,
            LogFault::NoPlainMjai {
                ruleset: plan.id.clone(),
            },
        );
    }
    let dealer = first_dealer(Some(oya), at, plan.players)?;
    let options = LogOptions::new(Vec::new(), Notation::Mjai);
    let mut source = PlainLog::new(messages, at, &plan, stop_at.is_some());
    let series = Match::with_dealer(rules, 0, dealer);
    let stop_at = stop_at.map_or(usize::MAX, |message| message.min(messages.len()));
    drive(series, options, &mut source, stop_at, observer)
}
