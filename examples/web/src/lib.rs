//! The engine for a page: [`Engine::answer`] takes a line of JSON and returns one. It knows the requests of
//! [`paishan::protocol`] and those in `requests.md`, which this page reads for its tabs.
#![doc = include_str!("requests.md")]
#![deny(unsafe_code)]

mod abi;
mod about;
mod compare;
mod design;
mod paper;
mod replay;
mod score;

use paishan::protocol::{Responder, Value, bad_json};
use paishan::ruleset::{LoadError, OptionMap, OptionValue, RulesetError, Source};
use paishan::{Lang, Rules};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;

/// The longest request in bytes. Logs of whole matches are parts of requests.
const LONGEST: usize = 64 << 20;

/// The rules that a request names.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(default, deny_unknown_fields)]
struct Choice {
    ruleset: Option<String>,
    rules: Option<String>,
    options: OptionMap,
}

impl Choice {
    /// True if the request names rules.
    const fn is_given(&self) -> bool {
        self.ruleset.is_some() || self.rules.is_some()
    }

    fn source(&self) -> Result<Source, Fault> {
        match (&self.ruleset, &self.rules) {
            (Some(id), None) => Ok(Source::BuiltIn(id.clone())),
            (None, Some(text)) => Ok(Source::text("rules", text.clone())),
            _ => Err(Fault::request(
                "exactly one of `ruleset` and `rules` must be given",
            )),
        }
    }
}

/// A request that the library does not know. One type for all, because each type of its own makes the module larger.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Request {
    #[serde(rename = "type")]
    kind: String,
    /// Repeated in the answer, which reads it for itself.
    #[serde(rename = "id")]
    _id: Value,
    ruleset: Option<String>,
    rules: Option<String>,
    options: OptionMap,
    /// The language of names.
    #[serde(deserialize_with = "lang")]
    lang: Lang,
    /// The text of a log or of a ledger.
    text: String,
    /// Which match of a log, from 0.
    game: usize,
    /// The members of a `score` request.
    score: Value,
    /// The points of losing hands by seat, 0 by default.
    losers: BTreeMap<char, i64>,
    /// Only load the ruleset.
    quick: bool,
    before: Choice,
    after: Choice,
    /// One name for all players, or one a player.
    agents: Vec<String>,
    seed: u64,
    /// The number of the first match, and the number after that of the last one.
    from: u64,
    to: u64,
    /// The number of a decision in the log that was replayed last.
    decision: usize,
    agent: String,
}

impl Request {
    fn choice(&self) -> Choice {
        Choice {
            ruleset: self.ruleset.clone(),
            rules: self.rules.clone(),
            options: self.options.clone(),
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

/// An answer without `id` and `ok`: an object in JSON.
type Answered = Result<String, Fault>;

fn told(answer: impl Serialize) -> Answered {
    Ok(write(&answer))
}

/// The types of [`Request`].
const TYPES: [&str; 14] = [
    "rulesets",
    "about",
    "tiles",
    "text",
    "payments",
    "better",
    "rulebook",
    "ledger",
    "compare",
    "lint",
    "differences",
    "simulate",
    "replay",
    "advice",
];

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

/// The text of an answer. Most pieces of JSON have few bytes, and a host takes long to copy memory, so those are pushed.
#[derive(Default)]
struct Text(Vec<u8>);

impl Text {
    /// The most bytes that are pushed.
    const SHORT: usize = 8;
}

impl io::Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > Self::SHORT {
            self.0.extend_from_slice(bytes);
        } else {
            bytes.iter().for_each(|&byte| self.0.push(byte));
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(answer: &impl Serialize) -> String {
    let mut text = Text::default();
    // Answers have no maps with keys other than strings, and JSON is UTF-8.
    let written = serde_json::to_writer(&mut text, answer);
    written
        .ok()
        .and_then(|()| String::from_utf8(text.0).ok())
        .unwrap_or_default()
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
        let (ok, body) = match request.and_then(|request| self.respond(&request)) {
            Ok(body) => (true, body),
            Err(error) => (false, write(&Refused { error })),
        };
        let members = body.strip_prefix('{').unwrap_or("}");
        let comma = if members == "}" { "" } else { "," };
        format!(r#"{{"id":{},"ok":{ok}{comma}{members}"#, write(id))
    }

    fn respond(&mut self, request: &Request) -> Answered {
        match request.kind.as_str() {
            "rulesets" => about::rulesets(request.lang),
            "about" => self.about(request),
            "tiles" => about::tiles(),
            "text" => about::text(request),
            "payments" => self.payments(request),
            "better" => self.better(request),
            "rulebook" => self.rulebook(request),
            "ledger" => self.ledger(request),
            "lint" => design::lint(request),
            "differences" => design::differences(request),
            "compare" => compare::compare(request),
            "simulate" => self.simulate(request),
            "replay" => self.replay(request),
            _ => self.advice(request),
        }
    }

    /// The rules that a request names.
    fn rules(&mut self, choice: &Choice) -> Result<Rules, Fault> {
        self.load(choice.source()?, &choice.options.0)
    }

    fn load(&mut self, source: Source, options: &[(String, OptionValue)]) -> Result<Rules, Fault> {
        match &self.loaded {
            Some((known, set, rules)) if *known == source && set == options => Ok(rules.clone()),
            loaded => {
                let rules = match loaded {
                    Some((known, _, rules)) if *known == source => rules.with_options(options)?,
                    _ => source.load(options)?,
                };
                self.loaded = Some((source, options.to_vec(), rules.clone()));
                Ok(rules)
            }
        }
    }
}
