//! The JSON Lines interface: a [`Responder`] takes requests as [`Value`]s and returns [`Answer`]s.
//!
//! The crate does no input or output and has no JSON library. `examples/cli/src/jsonl.rs` reads and writes the lines.
//!
#![doc = include_str!("interface.md")]

mod error;
mod read;
mod value;
mod write;

pub use error::ErrorAnswer;
pub use value::Value;
pub use write::settle_request;

use crate::decimal::{Decimal, Number};
use crate::decompose::Scratch;
use crate::notation::Notation;
use crate::request::{Request, Table};
use crate::ruleset::{self, OptionValue, Plan, Rules, Ruleset, Source};
use crate::score::{Explanation, Score, ScoreError, ScoreFamily, ScoreInput, Tally};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::tile::Tile;
use read::Reader;
use serde::Serialize;
use std::ops::ControlFlow;

/// An answer to a request, ready to be written as JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// The `id` of the request; `null` if it could not be read.
    pub id: Value,
    /// False for an error.
    pub ok: bool,
    /// The result, or the error.
    #[serde(flatten)]
    pub body: Body,
}

/// The members of an answer beside `id` and `ok`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Body {
    /// The answer to `score`.
    Score(ScoreAnswer),
    /// The answer to `settle`.
    Settle {
        /// The score of each seat; `null` if it has none.
        scores: Vec<Option<ScoreAnswer>>,
        /// What each seat gains.
        deltas: Vec<Number>,
        /// Every payment, in the order of settling.
        payments: Vec<PaymentAnswer>,
    },
    /// The answer to `decompose`.
    Decompose {
        /// Every way to split the hand.
        arrangements: Vec<Vec<String>>,
    },
    /// The answer to `distance` of 3n + 1 tiles.
    Accepts {
        /// Tiles missing from a complete hand, minus one.
        distance: i8,
        /// Tiles that lower the distance.
        accepts: Vec<String>,
    },
    /// The answer to `distance` of 3n + 2 tiles.
    Discards {
        /// Tiles missing from a complete hand, minus one.
        distance: i8,
        /// Discards that keep the distance.
        discards: Vec<DiscardAnswer>,
    },
    /// The answer to `parse`.
    Parse {
        /// The tiles in tile order.
        tiles: String,
        /// How many tiles.
        count: usize,
    },
    /// An error.
    Error {
        /// What is wrong.
        error: ErrorAnswer,
        /// The score of a hand that is worth too little to win.
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        score: Option<ScoreAnswer>,
    },
}

/// A payment from one seat to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct PaymentAnswer {
    /// The seat that pays.
    pub from: char,
    /// The seat that is paid.
    pub to: char,
    /// The amount.
    pub points: Number,
    /// A description of the payment.
    pub why: String,
}

/// A discard that keeps the distance.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct DiscardAnswer {
    /// The tile.
    pub tile: String,
    /// Tiles that lower the distance after this discard.
    pub accepts: Vec<String>,
}

/// A pattern that counted. In points and doubles it is listed each time it counts. In the other families it is
/// listed once, with the product.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct PatternAnswer {
    /// The id of the pattern.
    pub id: String,
    /// Its value: points, doubles or the limit; fan or limits; han or limits.
    pub value: Number,
}

/// How the points of a hand add up.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum TallyAnswer {
    /// In points and doubles.
    Doubles {
        /// The sum of the base points.
        base: i64,
        /// The number of doubles.
        doubles: u32,
        /// The sum of the bonus points.
        bonus: i64,
        /// True for a limit hand, and if the points reach the limit.
        limit: bool,
        /// The points before rounding and limit.
        uncapped: i64,
    },
    /// In han and fu.
    HanFu {
        /// Han; 0 for a limit hand.
        han: u32,
        /// Fu; 0 for a limit hand.
        fu: u32,
        /// The number of limits of a limit hand.
        limits: u32,
        /// The name of the limit, if the hand reaches one.
        name: Option<String>,
    },
    /// In fan.
    Fan {
        /// Fan; 0 if limits count instead.
        fan: Decimal,
        /// The number of limits.
        limits: u32,
    },
}

impl TallyAnswer {
    fn new(family: &ScoreFamily, tally: &Tally) -> Self {
        match tally {
            Tally::HanFu(sum) => Self::HanFu {
                han: sum.han,
                fu: sum.fu,
                limits: sum.limits,
                name: match family {
                    ScoreFamily::HanFu(rules) => rules.name(sum).map(str::to_owned),
                    _ => None,
                },
            },
            Tally::Doubles(sum) => Self::Doubles {
                base: sum.base,
                doubles: sum.doubles,
                bonus: sum.bonus,
                limit: sum.limit,
                uncapped: sum.uncapped,
            },
            Tally::Fan(sum) => Self::Fan {
                fan: sum.fan,
                limits: sum.limits,
            },
        }
    }
}

/// The score of one hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct ScoreAnswer {
    /// Points before settlement.
    pub points: i64,
    /// How the points add up.
    #[serde(flatten)]
    pub tally: TallyAnswer,
    /// The patterns that counted.
    pub patterns: Vec<PatternAnswer>,
    /// The reading that counted.
    pub arrangement: Vec<String>,
    /// Why, if the request has `"explain": true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<Explanation>>,
}

impl ScoreAnswer {
    /// Converts a score to an answer.
    ///
    /// # Errors
    /// [`ScoreError::UnknownPattern`] for a score under other rules.
    pub fn new(plan: &Plan, notation: Notation, score: &Score) -> Result<Self, ScoreError> {
        plan.score.check(score)?;
        Ok(Self {
            points: score.points,
            tally: TallyAnswer::new(plan.score.family(), &score.tally),
            patterns: plan
                .score
                .listed(score)
                .into_iter()
                .map(|(id, value)| PatternAnswer { id, value })
                .collect(),
            arrangement: score.print_groups(notation),
            explanation: None,
        })
    }
}

/// The answer to a line that is not JSON.
pub fn bad_json(message: &str) -> Answer {
    error(Value::Null, ErrorAnswer::new("bad-json", message))
}

fn error(id: Value, error: ErrorAnswer) -> Answer {
    let body = Body::Error { error, score: None };
    Answer {
        id,
        ok: false,
        body,
    }
}

/// Reads the members of a `settle` request, such as those that [`settle_request`] writes. `type`, `ruleset` and `rules`
/// are not needed.
///
/// # Errors
/// The error answer for members that cannot be read. [`Request::check`] checks the request against the ruleset.
pub fn read_settle(plan: &Plan, request: &Value) -> Result<Request, ErrorAnswer> {
    Reader::new(plan, request, "settle")?.settle()
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
}

/// The most rulesets that a responder caches. Each set of options is a separate entry.
const MOST_RULESETS: usize = 16;

impl Responder {
    /// A responder without cached rulesets.
    pub fn new() -> Self {
        Self::default()
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

    /// Answers a score request under the given rules, ignoring its own ruleset.
    pub(crate) fn score_under(&mut self, rules: &dyn Ruleset, request: &Value) -> Answer {
        let reader = Reader::new(rules.plan(), request, "score");
        match reader.and_then(|reader| score(rules, &reader, &mut self.scratch)) {
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
        let respond = match kind {
            "score" => score,
            "settle" => settle,
            "decompose" => decompose,
            "distance" => distance,
            "parse" => parse,
            other => return Err(ErrorAnswer::bad_request(format!("unknown type `{other}`"))),
        };
        let rules = self.ruleset(source(value)?, value.get("options"))?;
        let reader = Reader::new(rules.plan(), value, kind)?;
        respond(&rules, &reader, &mut self.scratch)
    }

    fn ruleset(&mut self, source: Source, options: Option<&Value>) -> Result<Rules, ErrorAnswer> {
        if let Source::BuiltIn(id) = &source
            && !ruleset::ids().any(|known| known == id)
        {
            // Report an unknown id before its options.
            Rules::by_id(id)?;
        }
        let options = read::options(options)?;
        let known = |(known, set, _): &Loaded| *known == source && *set == options;
        let loaded = match self.rulesets.iter().position(known) {
            Some(place) => self.rulesets.remove(place),
            None => {
                let rules = source.load(&options)?;
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
        (None, Some(Value::Text(text))) => Ok(Source::Text {
            file: "rules".to_owned(),
            text: text.clone(),
        }),
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
            Ok(Body::Score(reader.score_answer(&input, &score)?))
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
        score: Some(reader.score_answer(&input, score)?),
        error: error.into(),
    })
}

fn settle(rules: &dyn Ruleset, reader: &Reader<'_>, _: &mut Scratch) -> Result<Body, ErrorAnswer> {
    let plan = reader.plan;
    let per_point = plan.settlement.units_per_point();
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
                why: payment.describe(per_point),
            })
            .collect(),
    })
}

fn decompose(_: &dyn Ruleset, reader: &Reader<'_>, _: &mut Scratch) -> Result<Body, ErrorAnswer> {
    let holding = reader.holding(false)?;
    let notation = reader.notation;
    let mut arrangements = Vec::new();
    let _ = reader.plan.decomposer.arrangements(&holding, |found| {
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
    _: &dyn Ruleset,
    reader: &Reader<'_>,
    scratch: &mut Scratch,
) -> Result<Body, ErrorAnswer> {
    let holding = reader.holding(true)?;
    let decomposer = &reader.plan.decomposer;
    let print = |kinds: KindSet| reader.notation.print_kinds(kinds.iter());
    if holding.concealed.total() % 3 == 1 {
        let (distance, accepts) = decomposer.accepts(&holding, scratch);
        return Ok(Body::Accepts {
            distance,
            accepts: print(accepts),
        });
    }
    let mut discards = Vec::new();
    let distance = decomposer.discards(&holding, scratch, |kind, accepts| {
        discards.push(DiscardAnswer {
            tile: reader.notation.print_one(kind.into()),
            accepts: print(accepts),
        });
    });
    Ok(Body::Discards { distance, discards })
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
