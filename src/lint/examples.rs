//! Golden hands: examples in a ruleset file, each a score request with the expected answer.

use crate::protocol::{Answer, Body, TallyAnswer, Value};
use crate::ruleset::source::{ACCEPT, Node, Value as Told};

/// Converts a value of a ruleset file into a value of a request.
pub(super) fn told(node: &Node) -> Value {
    match &node.value {
        Told::Text(text) => Value::Text(text.clone()),
        Told::Int(value) => Value::Int(*value),
        Told::Bool(value) => Value::Bool(*value),
        Told::Decimal(value) => Value::Float(value.tenths() as f64 / 10.0),
        Told::Other => Value::Null,
        Told::List(items) => Value::List(items.iter().map(told).collect()),
        Told::Table(entries) => {
            let members = entries
                .iter()
                .map(|entry| (entry.key.clone(), told(&entry.node)));
            Value::Object(members.collect())
        }
    }
}

/// Members of an example that the request has not.
pub(super) const NOT_ASKED: [&str; 3] = ["expect", "doc", ACCEPT];

/// The score request of an example.
pub(super) fn request(example: &Value) -> Value {
    let Value::Object(members) = example else {
        return example.clone();
    };
    let is_asked = |(name, _): &&(String, Value)| !NOT_ASKED.contains(&name.as_str());
    let kind = ("type".to_owned(), Value::Text("score".to_owned()));
    let members = members.iter().filter(is_asked).cloned();
    Value::Object(members.chain([kind]).collect())
}

/// What an example may expect beside numbers.
const OTHERS: [&str; 2] = ["patterns", "error"];

/// Compares what an example expects with the answer.
pub(super) fn compare(example: &Value, answer: &Answer) -> Result<(), String> {
    let Some(expected @ Value::Object(members)) = example.get("expect") else {
        return Err("an example needs a table `expect`".to_owned());
    };
    if members.is_empty() {
        return Err("`expect` expects nothing".to_owned());
    }
    let score = match &answer.body {
        Body::Score(score) => score,
        Body::Error { error, .. } => {
            return match expected.get("error").and_then(Value::as_str) {
                Some(code) if code == error.code => Ok(()),
                _ => Err(format!(
                    "the example has no score: {} ({})",
                    error.message, error.code
                )),
            };
        }
        _ => return Err("an example must be a score request".to_owned()),
    };
    if let Some(code) = expected.get("error").and_then(Value::as_str) {
        return Err(format!(
            "expected the error {code}, found {} points",
            score.points
        ));
    }
    let number = |name: &str| match expected.get(name) {
        None => Ok(None),
        Some(Value::Int(value)) => Ok(Some(*value as f64)),
        Some(Value::Float(value)) => Ok(Some(*value)),
        Some(_) => Err(format!("`{name}` in `expect` must be a number")),
    };
    let tallied: Vec<(&str, f64)> = match &score.tally {
        TallyAnswer::HanFu { han, fu, .. } => {
            vec![("han", f64::from(*han)), ("fu", f64::from(*fu))]
        }
        TallyAnswer::Sums { columns, .. } => {
            let columns = columns.iter();
            columns
                .map(|(name, sum)| (name.as_str(), sum.tenths() as f64 / 10.0))
                .collect()
        }
    };
    let found: Vec<(&str, f64)> = std::iter::once(("points", score.points as f64))
        .chain(tallied)
        .collect();
    for (name, _) in members
        .iter()
        .filter(|(name, _)| !OTHERS.contains(&name.as_str()))
    {
        let Some(wanted) = number(name)? else {
            continue;
        };
        match found.iter().find(|(known, _)| known == name) {
            Some((_, found)) if (wanted - found).abs() < 1e-9 => {}
            Some((_, found)) => return Err(format!("expected {wanted} {name}, found {found}")),
            None => {
                let known: Vec<&str> = found.iter().map(|(known, _)| *known).collect();
                return Err(format!(
                    "unknown key `{name}` in `expect`; there are {}, patterns and error",
                    known.join(", ")
                ));
            }
        }
    }
    if let Some(wanted) = expected.get("patterns") {
        let Value::List(wanted) = wanted else {
            return Err("`patterns` in `expect` must be a list of patterns".to_owned());
        };
        let mut wanted: Vec<&str> = wanted.iter().filter_map(Value::as_str).collect();
        let mut found: Vec<&str> = score.patterns.iter().map(|one| one.id.as_str()).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        if wanted != found {
            return Err(format!(
                "expected the patterns {}, found {}",
                wanted.join(", "),
                found.join(", ")
            ));
        }
    }
    Ok(())
}
