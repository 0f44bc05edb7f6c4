//! The engine for a page: [`Engine::answer`] takes a line of JSON and returns one. It knows the requests of
//! [`paishan::protocol`] and those in `requests.md`, which this page reads for its tabs.
#![doc = include_str!("requests.md")]
#![deny(unsafe_code)]

mod abi;
mod about;
mod compare;
mod design;
mod replay;
mod score;

use paishan::protocol::{Responder, Value, bad_json};
use paishan::ruleset::{LoadError, OptionMap, OptionValue, RulesetError, Source};
use paishan::{Lang, Rules};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Display;

/// The longest request in bytes. Logs of whole matches are parts of requests.
const LONGEST: usize = 64 << 20;

/// The rules that a request names.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(default)]
struct Choice {
    ruleset: Option<String>,
    rules: Option<String>,
    options: OptionMap,
}

impl Choice {
    fn source(&self) -> Result<Source, Fault> {
        match (&self.ruleset, &self.rules) {
            (Some(id), None) => Ok(Source::BuiltIn(id.clone())),
            (None, Some(text)) => Ok(Source::Text {
                file: "rules".to_owned(),
                text: text.clone(),
            }),
            _ => Err(Fault::request(
                "exactly one of `ruleset` and `rules` must be given",
            )),
        }
    }
}

/// A place in the text of a ruleset, counted from 1, and what is wrong there.
#[derive(Serialize, Debug)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    message: String,
}

impl From<&RulesetError> for Place {
    fn from(error: &RulesetError) -> Self {
        Self {
            file: error.file.clone(),
            line: error.line,
            column: error.column,
            message: error.fault.to_string(),
        }
    }
}

/// Why a request has no other answer.
#[derive(Serialize, Debug)]
struct Fault {
    code: &'static str,
    message: String,
    /// The places in the text of a ruleset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Place>,
    /// The line of a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

impl Fault {
    fn new(code: &'static str, message: impl Display) -> Self {
        Self {
            code,
            message: message.to_string(),
            places: Vec::new(),
            line: None,
        }
    }

    fn request(message: impl Display) -> Self {
        Self::new("bad-request", message)
    }

    fn at_line(line: usize, message: impl Display) -> Self {
        Self {
            line: Some(line),
            ..Self::new("bad-log", message)
        }
    }
}

impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Self {
        let places = match &error {
            LoadError::Text(error) => vec![Place::from(error)],
            LoadError::Texts(errors) => errors.shown.iter().map(Place::from).collect(),
            _ => Vec::new(),
        };
        Self {
            places,
            ..Self::new(error.code(), error)
        }
    }
}

/// Reads the tag of a language.
fn lang<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Lang, D::Error> {
    let tag = String::deserialize(deserializer)?;
    tag.parse().map_err(D::Error::custom)
}

type Answered = Result<serde_json::Value, Fault>;

/// An answer as JSON.
fn told(answer: impl Serialize) -> Answered {
    serde_json::to_value(answer).map_err(Fault::request)
}

/// The requests beside those of the library.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Request {
    Rulesets(about::ListRequest),
    About(about::AboutRequest),
    Tiles,
    Text(about::TextRequest),
    Rulebook(about::AboutRequest),
    Ledger(about::LedgerRequest),
    Payments(score::PaymentsRequest),
    Better(score::BetterRequest),
    Compare(compare::CompareRequest),
    Lint(design::LintRequest),
    Differences(design::DifferencesRequest),
    Simulate(design::SimulateRequest),
    Replay(replay::ReplayRequest),
    Advice(replay::AdviceRequest),
}

/// The types of [`Request`].
const TYPES: [&str; 14] = [
    "rulesets",
    "about",
    "tiles",
    "text",
    "rulebook",
    "ledger",
    "payments",
    "better",
    "compare",
    "lint",
    "differences",
    "simulate",
    "replay",
    "advice",
];

#[derive(Serialize)]
struct Answer<'a, T> {
    id: &'a Value,
    ok: bool,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct Refused {
    error: Fault,
}

type Loaded = (Source, Vec<(String, OptionValue)>, Rules);

/// Answers requests. It keeps tables, rulesets that were loaded, and the log that was replayed last.
///
/// ```
/// use paishan_web::Engine;
/// let mut engine = Engine::default();
/// let request = r#"{"id": 1, "type": "parse", "ruleset": "woo", "tiles": "hCE9s1t"}"#;
/// let answer = engine.answer(request.as_bytes());
/// assert_eq!(answer, r#"{"id":1,"ok":true,"tiles":"1t9sECh","count":5}"#);
/// let request = br#"{"id": 2, "type": "about", "ruleset": "uzje"}"#;
/// assert!(engine.answer(request).contains(r#""players":4"#));
/// ```
#[derive(Default)]
pub struct Engine {
    responder: Responder,
    /// The rules that were loaded last.
    loaded: Option<Loaded>,
    replayed: Option<replay::Replayed>,
}

fn write(answer: &impl Serialize) -> String {
    // Answers have no maps with keys other than strings.
    serde_json::to_string(answer).unwrap_or_default()
}

impl Engine {
    /// Answers a request: a line of JSON for a line of JSON. Errors are answers, too.
    pub fn answer(&mut self, line: &[u8]) -> String {
        if line.len() > LONGEST {
            return write(&bad_json(&format!("a line of more than {LONGEST} bytes")));
        }
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return write(&bad_json(&error.to_string())),
        };
        let kind = value.get("type").and_then(Value::as_str);
        if !kind.is_some_and(|kind| TYPES.contains(&kind)) {
            return write(&self.responder.answer(&value));
        }
        let id = match value.get("id") {
            Some(id @ (Value::Text(_) | Value::Int(_))) => id,
            _ => &Value::Null,
        };
        let request = serde_json::from_slice(line).map_err(Fault::request);
        match request.and_then(|request| self.respond(request)) {
            Ok(body) => write(&Answer { id, ok: true, body }),
            Err(error) => write(&Answer {
                id,
                ok: false,
                body: Refused { error },
            }),
        }
    }

    fn respond(&mut self, request: Request) -> Answered {
        match request {
            Request::Rulesets(request) => about::rulesets(request),
            Request::About(request) => self.about(request),
            Request::Tiles => about::tiles(),
            Request::Text(request) => about::text(&request),
            Request::Rulebook(request) => self.rulebook(request),
            Request::Ledger(request) => self.ledger(request),
            Request::Payments(request) => self.payments(request),
            Request::Better(request) => self.better(&request),
            Request::Compare(request) => compare::compare(&request),
            Request::Lint(request) => design::lint(&request),
            Request::Differences(request) => design::differences(&request),
            Request::Simulate(request) => self.simulate(request),
            Request::Replay(request) => self.replay(request),
            Request::Advice(request) => self.advice(&request),
        }
    }

    /// The rules that a request names.
    fn rules(&mut self, choice: &Choice) -> Result<Rules, Fault> {
        self.load(choice.source()?, &choice.options.0)
    }

    fn load(&mut self, source: Source, options: &[(String, OptionValue)]) -> Result<Rules, Fault> {
        match &self.loaded {
            Some((known, set, rules)) if *known == source && set == options => Ok(rules.clone()),
            _ => {
                let rules = source.load(options)?;
                self.loaded = Some((source, options.to_vec(), rules.clone()));
                Ok(rules)
            }
        }
    }
}
