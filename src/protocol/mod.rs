//! The JSON Lines interface: a [`Responder`] takes requests as [`Value`]s and returns [`Answer`]s.
//!
//! The crate does no input or output and has no JSON library. `examples/cli/src/jsonl.rs` reads and writes the lines.
//!
#![doc = include_str!("interface.md")]

mod answer;
mod error;
mod read;
mod tables;
mod value;
mod write;

pub use answer::{
    Answer, Body, ChangeAnswer, DiscardAnswer, EndedAnswer, LeftAnswer, PatternAnswer,
    PaymentAnswer, RepairAnswer, SavedTable, ScoreAnswer, TableAnswer, TallyAnswer, Waiting,
    WinAnswer, bad_json,
};
pub use error::ErrorAnswer;
pub use value::Value;
pub use write::{score_request, settle_request};

use crate::decimal::Number;
use crate::decompose::Scratch;
use crate::random::Seed;
use crate::request::{self, Accepted, Distance, Goal, Request, SeatHand, Table, Unfinished};
use crate::ruleset::{self, OptionValue, Plan, Rules, Ruleset, Source};
use crate::score::{ScoreError, ScoreInput};
use crate::seat::Seat;
use crate::tile::Tile;
use answer::error;
use read::Reader;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tables::Tables;

/// Reads the members of a `settle` request, such as those that [`settle_request`] writes. `type`, `ruleset` and `rules`
/// are not needed.
///
/// # Errors
/// The error answer for members that cannot be read. [`Request::check`] checks the request against the ruleset.
pub fn read_settle(plan: &Plan, request: &Value) -> Result<Request, ErrorAnswer> {
    Reader::new(plan, request, "settle")?.settle()
}

/// Reads the members of a `score` request, such as those that [`score_request`] writes. `type`, `ruleset` and `rules` are
/// not needed.
///
/// # Errors
/// The error answer for members that cannot be read. [`Request::check`] checks the request against the ruleset.
pub fn read_score(plan: &Plan, request: &Value) -> Result<Request, ErrorAnswer> {
    Reader::new(plan, request, "score")?.score()
}

/// Answers a single request. A program with many requests should keep a [`Responder`].
///
/// ```
/// use paishan::protocol::{Value, answer};
/// let request: Value = serde_json::from_str(
///     r#"{"id": "1", "type": "parse", "ruleset": "woo", "tiles": "hCE9s1t"}"#,
/// )?;
/// let text = serde_json::to_string(&answer(&request))?;
/// assert_eq!(text, r#"{"id":"1","ok":true,"tiles":"1t9sECh","count":5}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn answer(request: &Value) -> Answer {
    Responder::new().answer(request)
}

type Loaded = (Source, Vec<(String, OptionValue)>, Rules);

/// Answers requests and caches the rulesets that they use.
#[derive(Debug, Default)]
pub struct Responder {
    /// The rulesets used last, latest first.
    rulesets: Vec<Loaded>,
    scratch: Scratch,
    /// The texts of rulesets that requests registered, by id.
    registered: BTreeMap<String, Source>,
    tables: Tables,
}

/// The most rulesets that a responder caches. Each set of options is a separate entry. There is room for all built-in
/// rulesets, each with some sets of options.
const MOST_RULESETS: usize = 128;

impl Responder {
    /// A responder that has loaded nothing yet. Each request for a new table must have a seed.
    pub fn new() -> Self {
        Self::default()
    }

    /// A responder that gives each table a seed of its own. Players who know the seed know the walls.
    pub fn with_seed(seed: impl Into<Seed>) -> Self {
        Self {
            tables: Tables::with_seed(seed.into()),
            ..Self::default()
        }
    }

    /// Registers a ruleset, as the request `rules` does. Returns its id.
    ///
    /// # Errors
    /// The error of the interface for a text that does not load, and for the id of a built-in ruleset.
    pub fn register(&mut self, source: Source) -> Result<String, ErrorAnswer> {
        let id = self.ruleset(source.clone(), None)?.plan().id().to_owned();
        if ruleset::ids().any(|known| known == id) {
            let message = format!("`{id}` is the id of a built-in ruleset");
            return Err(ErrorAnswer::bad_request(message));
        }
        self.registered.insert(id.clone(), source);
        Ok(id)
    }

    /// The text of a registered ruleset in the place of its id.
    fn registered(&self, source: Source) -> Source {
        match &source {
            Source::BuiltIn(id) => self.registered.get(id).cloned().unwrap_or(source),
            Source::Text { .. } => source,
        }
    }

    /// Answers a request. Errors are answers, too.
    pub fn answer(&mut self, request: &Value) -> Answer {
        let id = match request.get("id") {
            Some(id @ (Value::Text(_) | Value::Int(_))) => id.clone(),
            _ => Value::Null,
        };
        match self.respond(request) {
            Ok(body) => Answer {
                id,
                ok: !matches!(body, Body::Error { .. }),
                body,
            },
            Err(fault) => error(id, fault),
        }
    }

    /// Answers a score request under a ruleset, with the options of the request.
    pub(crate) fn score_under(&mut self, source: &Source, request: &Value) -> Answer {
        let rules = self.ruleset(source.clone(), request.get("options"));
        let scored = rules.and_then(|rules| {
            let reader = Reader::new(rules.plan(), request, "score")?;
            score(&rules, &reader, &mut self.scratch)
        });
        match scored {
            Ok(body) => Answer {
                id: Value::Null,
                ok: true,
                body,
            },
            Err(fault) => error(Value::Null, fault),
        }
    }

    fn respond(&mut self, value: &Value) -> Result<Body, ErrorAnswer> {
        let Value::Object(_) = value else {
            return Err(ErrorAnswer::bad_request("a request must be an object"));
        };
        let Some(kind) = value.get("type").and_then(Value::as_str) else {
            return Err(ErrorAnswer::bad_request("`type` must be a string"));
        };
        if tables::is_of_table(kind) {
            let mut tables = std::mem::take(&mut self.tables);
            let answer = tables.respond(kind, value, &mut |value| {
                let source = self.registered(source(value)?);
                let rules = self.ruleset(source.clone(), value.get("options"))?;
                Ok((source, rules))
            });
            self.tables = tables;
            return answer;
        }
        if kind == "rules" {
            let known = ["id", "type", "rules", "lang"].map(|name| (name, true));
            read::check_members(value, "a request", &known)?;
            let text = value.get("rules").and_then(Value::as_str);
            let text =
                text.ok_or_else(|| ErrorAnswer::bad_request("`rules` must be a string of TOML"))?;
            let lang = read::lang(value)?.unwrap_or_default();
            let ruleset = self.register(Source::text("rules", text))?;
            // It was loaded to be registered.
            let source = self.registered(Source::BuiltIn(ruleset.clone()));
            let rules = self.ruleset(source, None)?;
            let name = rules.plan().names().get(lang).to_owned();
            return Ok(Body::Registered { ruleset, name });
        }
        let respond = match kind {
            "score" => score,
            "settle" => settle,
            "decompose" => decompose,
            "distance" => distance,
            "parse" => parse,
            other => return Err(ErrorAnswer::bad_request(format!("unknown type `{other}`"))),
        };
        let source = self.registered(source(value)?);
        let rules = self.ruleset(source, value.get("options"))?;
        let reader = Reader::new(rules.plan(), value, kind)?;
        respond(&rules, &reader, &mut self.scratch)
    }

    fn ruleset(&mut self, source: Source, options: Option<&Value>) -> Result<Rules, ErrorAnswer> {
        let known = self.rulesets.iter().find(|(known, ..)| *known == source);
        if let (Source::BuiltIn(id), None) = (&source, known)
            && !ruleset::ids().any(|known| known == id)
        {
            // Report an unknown id before its options.
            Rules::by_id(id)?;
        }
        let options = read::options(options)?;
        let same = |(known, set, _): &Loaded| *known == source && *set == options;
        let loaded = match self.rulesets.iter().position(same) {
            Some(place) => self.rulesets.remove(place),
            None => {
                let rules = match known {
                    Some((.., rules)) => rules.with_options(&options)?,
                    None => source.load(&options)?,
                };
                (source, options, rules)
            }
        };
        let rules = loaded.2.clone();
        self.rulesets.insert(0, loaded);
        self.rulesets.truncate(MOST_RULESETS);
        Ok(rules)
    }
}

/// The ruleset that a request names or contains.
fn source(value: &Value) -> Result<Source, ErrorAnswer> {
    match (value.get("ruleset"), value.get("rules")) {
        (Some(_), Some(_)) => Err(ErrorAnswer::bad_request(
            "exactly one of `ruleset` and `rules` must be given",
        )),
        (None, Some(Value::Text(text))) => Ok(Source::text("rules", text.clone())),
        (None, Some(_)) => Err(ErrorAnswer::bad_request("`rules` must be a string of TOML")),
        (Some(Value::Text(id)), None) => Ok(Source::BuiltIn(id.clone())),
        (_, None) => Err(ErrorAnswer::bad_request("`ruleset` must be a string")),
    }
}

fn score(rules: &dyn Ruleset, reader: &Reader<'_>, _: &mut Scratch) -> Result<Body, ErrorAnswer> {
    let table = reader.score()?.check(rules)?;
    match table.score() {
        Ok(score) => {
            let input = table.scored()?;
            Ok(Body::Score(ScoreAnswer {
                repair: reader.repairs(&table)?,
                ..reader.score_answer(&input, &score)?
            }))
        }
        Err(error) => below_minimum(reader, &table, error),
    }
}

/// The answer to a hand without a score. If the hand is worth too little to win, the answer has the score that it would
/// have without a minimum.
fn below_minimum(
    reader: &Reader<'_>,
    table: &Table<'_>,
    error: ScoreError,
) -> Result<Body, ErrorAnswer> {
    let ScoreError::BelowMinimum(score) = &error else {
        return Err(error.into());
    };
    // If there are several winners, find the one with this score.
    let is_it = |input: &ScoreInput<'_>| {
        let scored = || table.rules().score_hand(input);
        input.win.is_some() && scored().is_err_and(|other| other == error)
    };
    let input = table
        .inputs()
        .find(is_it)
        .map_or_else(|| table.scored(), Ok)?;
    Ok(Body::Error {
        score: Some(ScoreAnswer {
            repair: reader.repairs(table)?,
            ..reader.score_answer(&input, score)?
        }),
        error: error.into(),
    })
}

fn settle(rules: &dyn Ruleset, reader: &Reader<'_>, _: &mut Scratch) -> Result<Body, ErrorAnswer> {
    let plan = reader.plan;
    let per_point = plan.units_per_point();
    let table = reader.settle()?.check(rules)?;
    let settlement = match table.settle() {
        Ok(settlement) => settlement,
        Err(error) => return below_minimum(reader, &table, error),
    };
    let answer = |seat| {
        let input = table.inputs().find(|input| input.seat == seat);
        let scored = input.zip(settlement.scores[seat].as_ref());
        let answer = scored.map(|(input, score)| reader.score_answer(&input, score));
        answer.transpose()
    };
    Ok(Body::Settle {
        scores: Seat::all(plan.players)
            .map(answer)
            .collect::<Result<_, _>>()?,
        deltas: Seat::all(plan.players)
            .map(|seat| Number::of_units(settlement.deltas[seat], per_point))
            .collect(),
        payments: settlement
            .payments
            .iter()
            .map(|payment| PaymentAnswer {
                from: payment.from.letter(),
                to: payment.to.letter(),
                points: Number::of_units(payment.units, per_point),
                why: payment.describe(plan.payments()),
            })
            .collect(),
    })
}

fn decompose(_: &dyn Ruleset, reader: &Reader<'_>, _: &mut Scratch) -> Result<Body, ErrorAnswer> {
    let (_, holding) = reader.holding(false)?;
    let decomposer = reader.plan.decomposer_of(reader.turned()?);
    let notation = reader.notation;
    let mut arrangements = Vec::new();
    let _ = decomposer.arrangements(&holding, |found| {
        let mut groups: Vec<String> = found
            .groups
            .iter()
            .map(|&group| notation.print_group(group))
            .collect();
        if groups.is_empty() {
            groups.push(notation.print(holding.concealed.iter().map(Tile::plain)));
        }
        groups.sort();
        arrangements.push(groups);
        ControlFlow::Continue(())
    });
    arrangements.sort();
    arrangements.dedup();
    Ok(Body::Decompose { arrangements })
}

fn distance(
    rules: &dyn Ruleset,
    reader: &Reader<'_>,
    scratch: &mut Scratch,
) -> Result<Body, ErrorAnswer> {
    let (nearest, counts) = match reader.unfinished()? {
        Some(unfinished) => (unfinished.nearest(rules)?, true),
        None => {
            let seen = reader.seen()?;
            let (hand, holding) = reader.holding(true)?;
            let turned = reader.turned()?;
            let visible = seen.iter().flatten().chain(&turned);
            let left = request::left(reader.plan.tiles.copies(), &holding, visible);
            let nobody = SeatHand::new(Seat::EAST, Vec::new());
            let mut unfinished = Unfinished::new(nobody, Goal::Complete);
            unfinished.indicators.extend(turned);
            let nearest = unfinished.complete(rules, hand, &holding, &left, scratch);
            (nearest, seen.is_some())
        }
    };
    let print = |accepts: &[Accepted]| {
        let kinds = accepts.iter().map(|one| one.kind);
        reader.notation.print_kinds(kinds)
    };
    let left = |accepts: &[Accepted]| counts.then(|| LeftAnswer::from(accepts));
    let distance = match nearest.distance {
        Distance::Exactly(distance) => distance,
        Distance::Beyond(beyond) => {
            return Ok(Body::Beyond {
                distance: (),
                beyond,
            });
        }
    };
    if !nearest.must_discard {
        return Ok(Body::Accepts {
            distance,
            accepts: print(&nearest.accepts),
            left: left(&nearest.accepts),
        });
    }
    let discards = nearest.discards.iter().map(|discard| DiscardAnswer {
        tile: reader.notation.print_one(discard.kind.into()),
        accepts: print(&discard.accepts),
        left: left(&discard.accepts),
    });
    Ok(Body::Discards {
        distance,
        discards: discards.collect(),
    })
}

fn parse(_: &dyn Ruleset, reader: &Reader<'_>, _: &mut Scratch) -> Result<Body, ErrorAnswer> {
    let tiles = reader.parse()?;
    Ok(Body::Parse {
        tiles: reader.notation.print(tiles.iter().copied()),
        count: tiles.len(),
    })
}

#[cfg(test)]
mod tests;
