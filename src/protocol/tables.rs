//! Requests that play: `new`, `view`, `legal`, `act`, `default`, `undo`, `fork`, `hint`, `save`, `load`, `log`, `spectate`
//! and `close`.

use super::answer::{
    Body, EndedAnswer, EstimateAnswer, GoalAnswer, SavedTable, TableAnswer, Waiting, WeighedAnswer,
};
use super::error::ErrorAnswer;
use super::read::{self, check_members};
use super::value::Value;
use crate::agent::{Decision, Pursued, Weighed};
use crate::decimal::Number;
use crate::game::Moves;
use crate::host::{HostError, HostedMatch, SavedHost, Sitter};
use crate::lang::Lang;
use crate::log::Line;
use crate::notation::Notation;
use crate::random::{Seed, Seeds};
use crate::ruleset::{OptionValue, Rules, Source};
use crate::seat::{Player, Seat};
use crate::state::{Action, ActionSnapshot};
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, ErrorAnswer>;

/// The agent that gives hints where a request names none.
const ADVISER: &str = "value";
/// The player of a seat for which a request names none.
const OPPONENT: &str = "greedy";
/// The most tables of a responder.
const MOST_TABLES: usize = 1000;

/// A table, and what it was made from.
#[derive(Debug)]
struct Hosted {
    source: Source,
    options: Vec<(String, OptionValue)>,
    table: HostedMatch,
}

impl From<HostError> for ErrorAnswer {
    fn from(error: HostError) -> Self {
        let code = match &error {
            HostError::Action(_) => "not-legal",
            HostError::NotAsked { .. } => "not-asked",
            _ => "bad-request",
        };
        Self::new(code, error.to_string())
    }
}

/// The members of each type of request, beside `id`, `type`, `table` and `lang`.
fn members(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "new" => &["ruleset", "rules", "options", "seed", "agent_seed", "seats"],
        "load" => &["saved"],
        "view" | "legal" | "default" => &["player"],
        "act" => &["player", "action"],
        "hint" => &["player", "agent", "reasons"],
        "log" => &["player", "from", "notation"],
        "fork" => &["as"],
        "undo" | "save" | "spectate" | "close" => &[],
        _ => return None,
    })
}

/// True for a type of request about a table.
pub(super) fn is_of_table(kind: &str) -> bool {
    members(kind).is_some()
}

/// A member that is a string.
fn text<'a>(value: &'a Value, name: &str) -> Result<Option<&'a str>> {
    match value.get(name) {
        None => Ok(None),
        Some(Value::Text(text)) => Ok(Some(text)),
        Some(_) => Err(ErrorAnswer::bad_request(format!(
            "`{name}` must be a string"
        ))),
    }
}

fn required<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    text(value, name)?.ok_or_else(|| ErrorAnswer::bad_request(format!("`{name}` is missing")))
}

/// A member that is an integer of 0 or more.
fn index(value: &Value, name: &str) -> Result<Option<usize>> {
    let number = match value.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Int(number)) => usize::try_from(*number).ok(),
        Some(_) => None,
    };
    let fault = || ErrorAnswer::bad_request(format!("`{name}` must be an integer of 0 or more"));
    number.map(Some).ok_or_else(fault)
}

fn seed(value: &Value, name: &str) -> Result<Option<Seed>> {
    let fault = || {
        let message = format!("`{name}` must be an integer of 0 or more, or 64 hexadecimal digits");
        ErrorAnswer::bad_request(message)
    };
    match value.get(name) {
        None => Ok(None),
        Some(Value::Int(number)) => {
            let number = u64::try_from(*number).map_err(|_| fault())?;
            Ok(Some(number.into()))
        }
        Some(Value::Text(text)) => text.parse().map(Some).map_err(|_| fault()),
        Some(_) => Err(fault()),
    }
}

/// Who plays: a list in player order, or an object by the seats of the first deal.
fn sitters(value: Option<&Value>, players: usize, dealer: Player) -> Result<Vec<Sitter>> {
    let fault = || {
        let message =
            "`seats` must be a list of names in player order, or an object of names by seat";
        ErrorAnswer::bad_request(message)
    };
    let player = |seat: Seat| seat.player(dealer, players).index();
    let mut sitters = vec![Sitter::Agent(OPPONENT.to_owned()); players];
    match value {
        None => sitters[player(Seat::EAST)] = Sitter::Human,
        Some(Value::List(names)) => {
            let name = |name: &Value| name.as_str().map(Sitter::of_name).ok_or_else(fault);
            return names.iter().map(name).collect();
        }
        Some(Value::Object(names)) => {
            for (seat, name) in names {
                let seat: Option<Seat> = seat.parse().ok();
                let seat = seat.filter(|seat| seat.index() < players);
                let (seat, name) = (seat.ok_or_else(fault)?, name.as_str().ok_or_else(fault)?);
                sitters[player(seat)] = Sitter::of_name(name);
            }
        }
        Some(_) => return Err(fault()),
    }
    Ok(sitters)
}

impl Hosted {
    fn status(&self, name: &str, lang: Lang) -> TableAnswer {
        let (state, table) = (self.table.series().state(), &self.table);
        let per_point = table.rules().plan().units_per_point();
        let points = |totals: &[i64]| {
            let points = totals
                .iter()
                .map(|&units| Number::of_units(units, per_point));
            points.collect::<Vec<_>>()
        };
        TableAnswer {
            table: name.to_owned(),
            deal: state.deal_number(),
            round: table.deal().state().round().letter(),
            dealer: table.deal().state().dealer().index(),
            totals: points(state.totals()),
            waiting: table
                .waiting()
                .map(|player| Waiting {
                    player: player.index(),
                    seat: table.seat_of(player).letter(),
                })
                .collect(),
            over: table.is_over(),
            results: table.is_over().then(|| points(&state.results())),
            ended: table
                .ended()
                .iter()
                .map(|deal| EndedAnswer::new(table.rules(), deal, lang))
                .collect(),
            action: None,
        }
    }

    /// The player that a request names. Without a name, the only person at the table.
    fn player(&self, value: &Value) -> Result<Player> {
        if let Some(number) = index(value, "player")? {
            return Ok(self.table.player(number)?);
        }
        let sitters = self.table.sitters().iter().enumerate();
        let mut people = sitters.filter(|(_, sitter)| **sitter == Sitter::Human);
        match (people.next(), people.next()) {
            (Some((number, _)), None) => Ok(self.table.player(number)?),
            _ => Err(ErrorAnswer::bad_request(
                "`player` is missing: it is needed unless one person plays",
            )),
        }
    }

    fn save(&self) -> SavedTable {
        let (ruleset, rules) = match &self.source {
            Source::BuiltIn(id) => (Some(id.clone()), None),
            // It was loaded before the table began.
            text => (None, text.standalone().ok().flatten()),
        };
        let option = |(name, value): &(String, OptionValue)| (name.clone(), value.clone().into());
        let seeds = self.table.seeds();
        let decision = |(seat, action): &(Seat, Action)| format!("{seat} {action}");
        SavedTable {
            ruleset,
            rules,
            options: Value::Object(self.options.iter().map(option).collect()),
            ruleset_hash: format!("{:016x}", self.table.rules().plan().content_hash()),
            seats: self
                .table
                .sitters()
                .iter()
                .map(|one| one.name().to_owned())
                .collect(),
            seed: seeds.game.to_string(),
            agent_seed: seeds.agents.to_string(),
            decisions: self
                .table
                .moves()
                .decisions()
                .iter()
                .map(decision)
                .collect(),
        }
    }
}

/// A legal action with its words.
fn told(hosted: &Hosted, player: Player, action: Action, lang: Lang) -> Result<ActionSnapshot> {
    let snapshot = hosted.table.snapshot_in(player, lang)?;
    let found = snapshot.legal.into_iter().find(|one| one.action == action);
    found.ok_or_else(|| ErrorAnswer::bad_request("the agent gives no legal action"))
}

/// What an agent weighed, in points and in words.
fn reasons(
    hosted: &Hosted,
    player: Player,
    weighed: Vec<Weighed>,
    lang: Lang,
) -> Result<Vec<WeighedAnswer>> {
    let per_point = hosted.table.rules().plan().units_per_point() as f64;
    let goal = |goal: Pursued| GoalAnswer {
        accepts: goal
            .accepts
            .iter()
            .map(|one| one.kind.to_string())
            .collect(),
        left: goal.accepts.as_slice().into(),
        distance: goal.distance,
        goal: goal.goal,
    };
    let answer = |one: Weighed| {
        Ok(WeighedAnswer {
            action: told(hosted, player, one.action, lang)?,
            estimate: one.estimate.map(|estimate| EstimateAnswer {
                worth: estimate.worth / per_point,
                gain: estimate.gain / per_point,
                risk: estimate.risk,
                cost: estimate.cost / per_point,
            }),
            goals: one.goals.into_iter().map(goal).collect(),
        })
    };
    weighed.into_iter().map(answer).collect()
}

/// Loads the ruleset that an object names or contains, with its options.
type Load<'a> = &'a mut dyn FnMut(&Value) -> Result<(Source, Rules)>;

/// The tables of a responder, by name.
#[derive(Debug, Default)]
pub(super) struct Tables {
    hosted: BTreeMap<String, Hosted>,
    /// How many tables were opened.
    opened: u64,
    /// Gives tables their seeds.
    seed: Option<Seed>,
}

impl Tables {
    pub(super) fn with_seed(seed: Seed) -> Self {
        Self {
            seed: Some(seed),
            ..Self::default()
        }
    }

    /// Answers a request about a table.
    pub(super) fn respond(&mut self, kind: &str, value: &Value, load: Load<'_>) -> Result<Body> {
        let known: Vec<(&str, bool)> = ["id", "type", "table", "lang"]
            .into_iter()
            .chain(members(kind).unwrap_or_default().iter().copied())
            .map(|name| (name, true))
            .collect();
        check_members(value, "a request", &known)?;
        let lang = read::lang(value)?.unwrap_or_default();
        match kind {
            "new" => return self.open(value, load, lang),
            "load" => return self.load(value, load, lang),
            _ => {}
        }
        let name = required(value, "table")?.to_owned();
        let unknown = || ErrorAnswer::new("no-such-table", format!("there is no table `{name}`"));
        if kind == "fork" {
            let hosted = self.hosted.get(&name).ok_or_else(unknown)?;
            let fork = Hosted {
                source: hosted.source.clone(),
                options: hosted.options.clone(),
                table: hosted.table.fork()?,
            };
            return self.keep(text(value, "as")?, fork, lang);
        }
        if kind == "close" {
            self.hosted.remove(&name).ok_or_else(unknown)?;
            return Ok(Body::Closed { table: name });
        }
        let hosted = self.hosted.get_mut(&name).ok_or_else(unknown)?;
        Ok(match kind {
            "act" => {
                let action = required(value, "action")?;
                let action: Action = action
                    .parse()
                    .map_err(|error| ErrorAnswer::bad_request(format!("`action`: {error}")))?;
                hosted.table.act(hosted.player(value)?, action)?;
                Body::Table(hosted.status(&name, lang))
            }
            "default" => {
                let action = hosted.table.act_by_default(hosted.player(value)?)?;
                Body::Table(TableAnswer {
                    action: Some(action.to_string()),
                    ..hosted.status(&name, lang)
                })
            }
            "undo" => {
                hosted.table.undo()?;
                Body::Table(hosted.status(&name, lang))
            }
            "view" => {
                let player = hosted.player(value)?;
                Body::View {
                    table: name,
                    player: Some(player.index()),
                    view: Box::new(hosted.table.snapshot_in(player, lang)?),
                }
            }
            "spectate" => Body::View {
                table: name,
                player: None,
                view: Box::new(hosted.table.public_snapshot()),
            },
            "legal" => {
                let player = hosted.player(value)?;
                Body::Legal {
                    table: name,
                    player: player.index(),
                    actions: hosted.table.snapshot_in(player, lang)?.legal,
                }
            }
            "hint" => {
                let player = hosted.player(value)?;
                let agent = text(value, "agent")?.unwrap_or(ADVISER);
                let (action, weighed) = match read::bool_of(value, "reasons")?.unwrap_or(false) {
                    false => (hosted.table.hint(player, agent)?, None),
                    true => {
                        let Decision { action, weighed } = hosted.table.explain(player, agent)?;
                        (action, Some(reasons(hosted, player, weighed, lang)?))
                    }
                };
                Body::Hint {
                    table: name,
                    player: player.index(),
                    hint: told(hosted, player, action, lang)?,
                    weighed,
                }
            }
            "save" => Body::Saved {
                table: name,
                saved: Box::new(hosted.save()),
            },
            _ => {
                let viewer = match value.get("player") {
                    None | Some(Value::Null) => None,
                    Some(_) => Some(hosted.player(value)?),
                };
                let notation = text(value, "notation")?.unwrap_or("ujmj");
                let notation = Notation::by_name(notation).ok_or_else(|| {
                    ErrorAnswer::bad_request("`notation` must be `ujmj`, `mpsz` or `mjai`")
                })?;
                let lines = hosted.table.log(viewer, notation)?;
                let from = index(value, "from")?.unwrap_or(0).min(lines.len());
                Body::Log {
                    table: name,
                    next: lines.len(),
                    lines: lines.into_iter().skip(from).collect::<Vec<Line>>(),
                }
            }
        })
    }

    /// Keeps a table under the name that a request gives, or under the next number.
    fn keep(&mut self, name: Option<&str>, hosted: Hosted, lang: Lang) -> Result<Body> {
        if self.hosted.len() >= MOST_TABLES {
            let message = format!("there are {MOST_TABLES} tables; `close` some");
            return Err(ErrorAnswer::bad_request(message));
        }
        let name = match name {
            Some(name) if self.hosted.contains_key(name) => {
                let message = format!("there is a table `{name}` already");
                return Err(ErrorAnswer::bad_request(message));
            }
            Some(name) => name.to_owned(),
            None => {
                let mut numbers = (self.opened + 1..).map(|number| number.to_string());
                numbers
                    .find(|name| !self.hosted.contains_key(name))
                    .unwrap_or_default()
            }
        };
        self.opened += 1;
        let answer = Body::Table(hosted.status(&name, lang));
        self.hosted.insert(name, hosted);
        Ok(answer)
    }

    /// Begins a match.
    fn open(&mut self, value: &Value, load: Load<'_>, lang: Lang) -> Result<Body> {
        let options = read::options(value.get("options"))?;
        let (source, rules) = load(value)?;
        let game = match (seed(value, "seed")?, self.seed) {
            (Some(seed), _) => seed,
            (None, Some(seed)) => seed.of_game(self.opened),
            (None, None) => return Err(ErrorAnswer::bad_request("`seed` is missing")),
        };
        let seeds = match seed(value, "agent_seed")? {
            Some(agents) => Seeds { game, agents },
            None => game.into(),
        };
        let dealer = crate::game::Match::new(&rules, game).state().dealer();
        let sitters = sitters(value.get("seats"), rules.plan().players(), dealer)?;
        let table = HostedMatch::start(rules, sitters, seeds)?;
        let hosted = Hosted {
            source,
            options,
            table,
        };
        self.keep(text(value, "table")?, hosted, lang)
    }

    /// Takes back a table that was saved.
    fn load(&mut self, value: &Value, load: Load<'_>, lang: Lang) -> Result<Body> {
        let saved = value.get("saved");
        let saved = saved.ok_or_else(|| ErrorAnswer::bad_request("`saved` is missing"))?;
        const KNOWN: [&str; 8] = [
            "ruleset",
            "rules",
            "options",
            "ruleset_hash",
            "seats",
            "seed",
            "agent_seed",
            "decisions",
        ];
        check_members(saved, "`saved`", &KNOWN.map(|name| (name, true)))?;
        let missing = |name: &str| ErrorAnswer::bad_request(format!("`saved` has no `{name}`"));
        let options = read::options(saved.get("options"))?;
        let (source, rules) = load(saved)?;
        let hash = format!("{:016x}", rules.plan().content_hash());
        if required(saved, "ruleset_hash")? != hash {
            let message = "the table was saved under other rules";
            return Err(ErrorAnswer::bad_request(message));
        }
        let game = seed(saved, "seed")?.ok_or_else(|| missing("seed"))?;
        let agents = seed(saved, "agent_seed")?.ok_or_else(|| missing("agent_seed"))?;
        let Some(Value::List(names)) = saved.get("seats") else {
            return Err(missing("seats"));
        };
        let names = names.iter().map(|name| name.as_str().map(str::to_owned));
        let seats: Option<Vec<String>> = names.collect();
        let Some(Value::List(decisions)) = saved.get("decisions") else {
            return Err(missing("decisions"));
        };
        let decision = |value: &Value| -> Option<(Seat, Action)> {
            let (seat, action) = value.as_str()?.split_once(' ')?;
            Some((seat.parse().ok()?, action.parse().ok()?))
        };
        let fault = || ErrorAnswer::bad_request("`decisions` must be a list of seats with actions");
        let decisions: Option<Vec<_>> = decisions.iter().map(decision).collect();
        let saved = SavedHost {
            seats: seats.ok_or_else(|| missing("seats"))?,
            agent_seed: agents,
            moves: Moves::of(game, decisions.ok_or_else(fault)?),
        };
        let table = HostedMatch::resume(rules, &saved)?;
        let hosted = Hosted {
            source,
            options,
            table,
        };
        self.keep(text(value, "table")?, hosted, lang)
    }
}
