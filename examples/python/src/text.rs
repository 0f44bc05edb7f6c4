//! The JSON Lines interface and lint, as text.

use crate::error::RulesError;
use paishan::Notation;
use paishan::draw::svg;
use paishan::protocol;
use paishan::ruleset::Source;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Answers requests of the interface as JSON text, and caches the rulesets that they use.
#[pyclass(frozen, module = "paishan._paishan")]
pub struct Responder {
    responder: Mutex<protocol::Responder>,
}

#[pymethods]
impl Responder {
    #[new]
    fn new() -> Self {
        let responder = Mutex::new(protocol::Responder::new());
        Self { responder }
    }

    /// Answers a request.
    fn answer(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        py.detach(|| {
            let mut responder = self
                .responder
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let answer = match serde_json::from_str(request) {
                Ok(request) => responder.answer(&request),
                Err(error) => protocol::bad_json(&error.to_string()),
            };
            serde_json::to_string(&answer).map_err(crate::error::value)
        })
    }

    /// Registers a ruleset and returns its id, by which requests may name it then.
    fn register(&self, text: &str, file: &str) -> PyResult<String> {
        let mut responder = self
            .responder
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let registered = responder.register(Source::text(file, text));
        registered.map_err(|error| RulesError::new_err(error.message))
    }
}

/// Looks for what loads but looks wrong. Returns one text for each finding.
#[pyfunction]
pub fn lint(py: Python<'_>, text: &str, file: &str) -> PyResult<Vec<String>> {
    let source = Source::text(file, text);
    let found = py.detach(|| paishan::lint::lint(&source, &[]));
    let found = found.map_err(|error| RulesError::new_err(error.to_string()))?;
    Ok(found.iter().map(ToString::to_string).collect())
}

/// Sorts tiles and writes them in standard form. Raises ``ValueError`` for a text that is not tiles.
#[pyfunction]
pub fn tiles(text: &str) -> PyResult<Vec<String>> {
    let mut tiles = Notation::Ujmj.parse(text).map_err(crate::error::value)?;
    tiles.sort();
    Ok(tiles.iter().map(ToString::to_string).collect())
}

/// A hand as text, read and written again, and as a drawing in SVG. ``last`` is drawn apart.
#[pyfunction]
#[pyo3(signature = (text, last=None))]
pub fn hand(text: &str, last: Option<&str>) -> PyResult<(String, String)> {
    let hand = Notation::Ujmj
        .parse_hand(text)
        .map_err(crate::error::value)?;
    let last = last.map(|last| Notation::Ujmj.parse_one(last)).transpose();
    let svg = svg::hand(&hand, last.map_err(crate::error::value)?);
    Ok((Notation::Ujmj.print_hand(&hand), svg))
}
