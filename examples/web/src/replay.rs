//! Logs of matches: ours, mjai and Tenhou's, as steps to look at; and what an agent would have done.

use crate::{Answered, Choice, Engine, Fault, Request, told};
use paishan::agent::{self, Weighed};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::log::mjai::Message;
use paishan::log::mjlog::{self, Tag};
use paishan::log::tenhou::{self, TenhouLog};
use paishan::log::{
    Line, ReplayError, ReplayFrame, ReplayPage, replay_observed, replay_plain_observed, replay_to,
};
use paishan::random::{Seed, Stream};
use paishan::ruleset::{OptionValue, Source};
use paishan::state::{Action, DealState, Event, Legal};
use paishan::{Lang, Rules, Seat};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

impl Fault {
    fn at_line(line: usize, message: impl Display) -> Self {
        Self {
            line: Some(line),
            ..Self::new("bad-log", message)
        }
    }
}

/// A decision of a match, as it was before it.
struct Decided {
    state: DealState,
    seat: Seat,
    legal: Legal,
    action: Action,
    /// The number of the deal, from 1, and how many of its events came before.
    deal: u32,
    events: usize,
}

/// The decisions of the match that was replayed last.
pub struct Replayed {
    rules: Rules,
    lang: Lang,
    decisions: Vec<Decided>,
    /// The events of each deal.
    deals: Vec<Vec<Event>>,
}

/// A page, and the decisions between its steps.
struct Watching<'a> {
    page: ReplayPage<'a>,
    decisions: Vec<Decided>,
    /// The last step before each decision.
    places: Vec<usize>,
    deals: Vec<Vec<Event>>,
    /// The deal in play is recorded.
    is_over: bool,
}

impl Observer for Watching<'_> {
    fn deal_started(&mut self, state: &DealState) {
        if !self.is_over {
            // Another wall is tried for this deal.
            self.deals.pop();
            let deals = self.deals.len() as u32;
            self.decisions.retain(|one| one.deal <= deals);
            self.places.truncate(self.decisions.len());
        }
        self.is_over = false;
        self.deals.push(Vec::new());
        self.page.deal_started(state);
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        self.places.push(self.page.frames().len().saturating_sub(1));
        self.decisions.push(Decided {
            state: state.clone(),
            seat,
            legal: legal.clone(),
            action,
            deal: self.deals.len() as u32,
            events: self.deals.last().map_or(0, Vec::len),
        });
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        if let Some(deal) = self.deals.last_mut() {
            deal.push(*event);
        }
        self.page.event(state, event);
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        self.page.paid(state, part);
    }

    fn deal_ended(&mut self, series: &MatchState, state: &DealState, part: &Outcome, next: Next) {
        self.is_over = true;
        self.page.deal_ended(series, state, part, next);
    }

    fn match_ended(&mut self, series: &MatchState) {
        self.page.match_ended(series);
    }
}

#[derive(Serialize)]
struct DecisionAnswer {
    /// The step after which the decision was made.
    frame: usize,
    player: usize,
    action: String,
    words: String,
}

#[derive(Serialize)]
struct ReplayAnswer<'a> {
    ruleset: &'a str,
    name: &'a str,
    /// How many matches the text has.
    games: usize,
    names: Vec<String>,
    players: usize,
    view_box: &'a str,
    hand_box: &'a str,
    fragments: &'a [String],
    explanations: &'a [String],
    frames: &'a [ReplayFrame],
    decisions: Vec<DecisionAnswer>,
}

/// The kind of a line, and the version of our format.
#[derive(Deserialize)]
struct Peek {
    #[serde(rename = "type")]
    kind: String,
    format: Option<u32>,
}

/// A match as it was read.
enum Record {
    Own(Vec<Line>),
    /// Plain messages, with options that the record tells and the place of each message in it.
    Plain {
        default: &'static str,
        options: Vec<(String, OptionValue)>,
        messages: Vec<Message>,
        places: Vec<usize>,
    },
}

const fn riichi_of(players: usize) -> &'static str {
    match players {
        3 => "riichi-sanma",
        _ => "riichi-tenhou",
    }
}

fn of_mjlog(text: &str) -> Result<Record, Fault> {
    let read = mjlog::tags(text).map_err(|error| Fault::at_line(error.line, error.message))?;
    let (only, lines): (Vec<Tag>, Vec<usize>) = read.into_iter().unzip();
    let line = |tag: usize| lines.get(tag).copied().unwrap_or(1);
    let log = mjlog::read(&only).map_err(|error| Fault::at_line(line(error.tag), &error))?;
    Ok(Record::Plain {
        default: riichi_of(log.players),
        options: log.options,
        places: log.tags.iter().map(|tag| line(*tag)).collect(),
        messages: log.messages,
    })
}

fn of_tenhou(log: &TenhouLog) -> Result<Record, Fault> {
    let game = tenhou::read(log).map_err(|error| Fault::at_line(1, error))?;
    Ok(Record::Plain {
        default: riichi_of(game.players),
        options: game.options,
        places: Vec::new(),
        messages: game.messages,
    })
}

fn of_lines(lines: &[(usize, &str)]) -> Result<Record, Fault> {
    fn parsed<T: for<'de> Deserialize<'de>>(lines: &[(usize, &str)]) -> Result<Vec<T>, Fault> {
        let read = |(number, text): &(usize, &str)| {
            serde_json::from_slice(text.as_bytes()).map_err(|error| Fault::at_line(*number, error))
        };
        lines.iter().map(read).collect()
    }
    let first = lines.first().map_or("", |(_, text)| *text);
    let first: Peek = serde_json::from_slice(first.as_bytes())
        .map_err(|error| Fault::at_line(lines.first().map_or(1, |line| line.0), error))?;
    match first.format {
        Some(_) => parsed(lines).map(Record::Own),
        None => Ok(Record::Plain {
            default: "riichi-mcgill",
            options: Vec::new(),
            messages: parsed(lines)?,
            places: lines.iter().map(|line| line.0).collect(),
        }),
    }
}

/// The matches of a text, and the one that is asked for.
fn read(text: &str, game: usize) -> Result<(usize, Record), Fault> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let absent = |games| {
        let message = format!("there is no match {} of {games}", game + 1);
        Fault::new("bad-log", message)
    };
    if text.starts_with('<') {
        return match game {
            0 => Ok((1, of_mjlog(text)?)),
            _ => Err(absent(1)),
        };
    }
    let logs = serde_json::Deserializer::from_slice(text.as_bytes()).into_iter::<TenhouLog>();
    let logs: Result<Vec<TenhouLog>, _> = logs.collect();
    if let Ok(logs) = logs
        && !logs.is_empty()
    {
        let log = logs.get(game).ok_or_else(|| absent(logs.len()))?;
        return Ok((logs.len(), of_tenhou(log)?));
    }
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let starts = |(_, line): &(usize, &str)| {
        let peek: Option<Peek> = serde_json::from_slice(line.as_bytes()).ok();
        peek.is_some_and(|peek| peek.kind == "start_game")
    };
    let begins: Vec<usize> = (0..lines.len())
        .filter(|&i| i == 0 || starts(&lines[i]))
        .collect();
    let begin = *begins.get(game).ok_or_else(|| absent(begins.len()))?;
    let end = begins.get(game + 1).copied().unwrap_or(lines.len());
    Ok((begins.len(), of_lines(&lines[begin..end])?))
}

/// The rules of a match and the names of its players.
fn rules(
    engine: &mut Engine,
    record: &Record,
    choice: &Choice,
) -> Result<(Rules, Vec<String>), Fault> {
    let given = match choice.is_given() {
        true => Some(choice.source()?),
        false => None,
    };
    match record {
        Record::Own(lines) => {
            let Some(Line::StartGame(start)) = lines.first() else {
                return Err(Fault::at_line(1, "a match begins with start_game"));
            };
            let rules = match given {
                Some(source @ Source::Text { .. }) => engine.load(source, &start.options.0)?,
                _ => engine.load(Source::BuiltIn(start.ruleset.clone()), &start.options.0)?,
            };
            Ok((rules, start.names.clone()))
        }
        Record::Plain {
            default,
            options,
            messages,
            ..
        } => {
            // Options that were chosen go before what the record says.
            let chosen = &choice.options.0;
            let is_chosen = |name: &String| chosen.iter().any(|(known, _)| known == name);
            let told = options.iter().filter(|(name, _)| !is_chosen(name));
            let options: Vec<_> = told.chain(chosen).cloned().collect();
            let source = given.unwrap_or_else(|| Source::BuiltIn((*default).to_owned()));
            let names = messages.iter().find_map(|message| match message {
                Message::StartGame { names, .. } => Some(names.clone()),
                _ => None,
            });
            Ok((engine.load(source, &options)?, names.unwrap_or_default()))
        }
    }
}

fn play(record: &Record, rules: &Rules, watching: &mut Watching<'_>) -> Result<(), Fault> {
    // Errors count lines from 0.
    let place = |error: &ReplayError| match record {
        Record::Own(_) => error.line() + 1,
        Record::Plain { places, .. } => places.get(error.line()).copied().unwrap_or(1),
    };
    let done = match record {
        // A match that goes on is shown up to its last line.
        Record::Own(lines) if !matches!(lines.last(), Some(Line::EndGame { .. })) => {
            replay_to(lines, lines.len(), |_, _| Ok(rules), watching).map(drop)
        }
        Record::Own(lines) => replay_observed(lines, |_, _| Ok(rules), watching).map(drop),
        Record::Plain { messages, .. } => {
            replay_plain_observed(rules, messages, watching).map(drop)
        }
    };
    done.map_err(|error| Fault::at_line(place(&error), &error))
}

impl Engine {
    /// Replays a log and answers with the steps to look at.
    pub(crate) fn replay(&mut self, request: &Request) -> Answered {
        let (games, record) = read(&request.text, request.game)?;
        let (rules, names) = rules(self, &record, &request.choice())?;
        let plan = rules.plan();
        let lang = request.lang;
        let mut watching = Watching {
            page: ReplayPage::new(&rules, lang, names.iter().cloned()),
            decisions: Vec::new(),
            places: Vec::new(),
            deals: Vec::new(),
            is_over: true,
        };
        play(&record, &rules, &mut watching)?;
        let Watching {
            page,
            decisions,
            places,
            deals,
            ..
        } = watching;
        let (view_box, hand_box) = page.view_boxes();
        let told_decisions = decisions.iter().zip(places).map(|(one, frame)| {
            let player = one.seat.player(one.state.dealer(), one.state.players());
            DecisionAnswer {
                frame,
                player: player.index(),
                action: one.action.to_string(),
                words: plan.describe(one.action, one.state.phase(), lang),
            }
        });
        let answer = told(ReplayAnswer {
            ruleset: plan.id(),
            name: plan.names().get(lang),
            games,
            names,
            players: plan.players(),
            view_box,
            hand_box,
            fragments: page.fragments(),
            explanations: page.explanations(),
            frames: page.frames(),
            decisions: told_decisions.collect(),
        });
        drop(page);
        self.replayed = Some(Replayed {
            rules,
            lang,
            decisions,
            deals,
        });
        answer
    }

    /// What an agent would have done at a decision of the log that was replayed last.
    pub(crate) fn advice(&mut self, request: &Request) -> Answered {
        let replayed = self
            .replayed
            .as_ref()
            .ok_or_else(|| Fault::request("no log was replayed"))?;
        let decided = replayed
            .decisions
            .get(request.decision)
            .ok_or_else(|| Fault::request("the match has no such decision"))?;
        replayed.advice(decided, &request.agent)
    }
}

#[derive(Serialize)]
struct GoalAnswer {
    goal: String,
    distance: i8,
    accepts: Vec<String>,
    left: u32,
}

#[derive(Serialize)]
struct WeighedAnswer {
    action: String,
    words: String,
    /// What the agent compares actions by, in points.
    worth: Option<f64>,
    goals: Vec<GoalAnswer>,
}

#[derive(Serialize)]
struct AdviceAnswer {
    player: usize,
    action: String,
    words: String,
    /// The action that was taken.
    taken: String,
    weighed: Vec<WeighedAnswer>,
}

impl Replayed {
    fn advice(&self, decided: &Decided, agent: &str) -> Answered {
        let Decided {
            state, seat, legal, ..
        } = decided;
        let plan = self.rules.plan();
        let player = seat.player(state.dealer(), state.players());
        let mut agent = agent::by_name(agent, plan).map_err(Fault::request)?;
        agent.begin(Stream::of_agent(Seed::from(0), decided.deal, player));
        let before = self
            .deals
            .get(decided.deal as usize - 1)
            .and_then(|events| events.get(..decided.events));
        for event in before.unwrap_or_default() {
            agent.notice(&event.seen_by(*seat));
        }
        let decision = agent.explain(&state.view(*seat), legal);
        let words = |action: Action| plan.describe(action, state.phase(), self.lang);
        let per_point = plan.units_per_point() as f64;
        let weighed = |one: Weighed| WeighedAnswer {
            action: one.action.to_string(),
            words: words(one.action),
            worth: one.estimate.map(|estimate| estimate.worth / per_point),
            goals: one
                .goals
                .into_iter()
                .map(|goal| GoalAnswer {
                    accepts: goal
                        .accepts
                        .iter()
                        .map(|one| one.kind.to_string())
                        .collect(),
                    left: goal.accepts.iter().map(|one| u32::from(one.left)).sum(),
                    distance: goal.distance,
                    goal: goal.goal,
                })
                .collect(),
        };
        told(AdviceAnswer {
            player: player.index(),
            action: decision.action.to_string(),
            words: words(decision.action),
            taken: words(decided.action),
            weighed: decision.weighed.into_iter().map(weighed).collect(),
        })
    }
}
