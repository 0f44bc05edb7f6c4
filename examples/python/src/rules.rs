//! Rules, and the shapes of their actions and observations.

use crate::error::{ActionError, RulesError};
use paishan::encode;
use paishan::ruleset::OptionValue;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The ids of the built-in rulesets.
#[pyfunction]
pub fn rulesets() -> Vec<&'static str> {
    paishan::ruleset::ids().collect()
}

/// A ruleset with the values of its options.
#[pyclass(frozen, subclass, module = "paishan._paishan")]
pub struct Rules {
    pub rules: paishan::Rules,
    /// The TOML text of rules that are not built in.
    text: Option<String>,
}

impl Rules {
    /// Built-in rules.
    pub fn of(rules: paishan::Rules) -> Self {
        let text = None;
        Self { rules, text }
    }
}

fn fault(error: impl std::fmt::Display) -> PyErr {
    RulesError::new_err(error.to_string())
}

/// Sets options that are given as a JSON object.
fn with(rules: paishan::Rules, options: &str) -> PyResult<paishan::Rules> {
    let options: BTreeMap<String, OptionValue> = serde_json::from_str(options).map_err(fault)?;
    let set = |rules: paishan::Rules, (id, value): (String, OptionValue)| rules.with(&id, value);
    options.into_iter().try_fold(rules, set).map_err(fault)
}

#[pymethods]
impl Rules {
    /// Options are the text of a JSON object. With the TOML text of a ruleset, `ruleset` is the name of its file, which
    /// errors show.
    #[new]
    #[pyo3(signature = (ruleset, options, text=None))]
    fn new(ruleset: &str, options: &str, text: Option<&str>) -> PyResult<Self> {
        let rules = match text {
            None => paishan::Rules::by_id(ruleset),
            Some(text) => paishan::Rules::from_toml(ruleset, text),
        };
        let rules = with(rules.map_err(fault)?, options)?;
        let text = text.map(str::to_owned);
        Ok(Self { rules, text })
    }

    /// The id of the ruleset.
    #[getter]
    fn id(&self) -> &str {
        self.rules.plan().id()
    }

    /// The English name.
    #[getter]
    fn name(&self) -> &str {
        self.rules.plan().name()
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.rules.plan().players()
    }

    /// The hash of the rules with their options, as 16 hexadecimal digits.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.rules.plan().content_hash())
    }

    /// The options with their values in force, as the text of a JSON object.
    #[getter]
    fn options(&self) -> PyResult<String> {
        let options = self.rules.plan().options().iter();
        let options: BTreeMap<_, _> = options.map(|(spec, value)| (&spec.name, value)).collect();
        serde_json::to_string(&options).map_err(fault)
    }

    /// The TOML text of rules that are not built in.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The text of the ruleset's documentation.
    #[getter]
    fn doc(&self) -> &str {
        self.rules.plan().doc()
    }

    fn __repr__(&self) -> String {
        format!("<Rules {} {}>", self.id(), self.hash())
    }
}

/// A number for every action of a ruleset, from 0. The numbers are stable as long as ``Rules.hash`` is.
#[pyclass(frozen, module = "paishan._paishan")]
pub struct ActionSpace {
    pub space: Arc<encode::ActionSpace>,
}

#[pymethods]
impl ActionSpace {
    #[new]
    fn new(rules: &Rules) -> Self {
        let space = encode::ActionSpace::of(rules.rules.plan());
        Self {
            space: Arc::new(space),
        }
    }

    fn __len__(&self) -> usize {
        self.space.len()
    }

    /// An upper bound on the number of legal actions of one player.
    #[getter]
    fn most_legal(&self) -> usize {
        self.space.most_legal()
    }

    /// The blocks of like actions: ``[(name, first, one after the last), ...]``.
    #[getter]
    fn blocks(&self) -> Vec<(&'static str, usize, usize)> {
        let blocks = self.space.blocks().iter();
        blocks
            .map(|block| (block.name, block.numbers.start, block.numbers.end))
            .collect()
    }

    /// The action with a number, in the words of the log: ``"dahai 5t"``, ``"pon EEE"``.
    fn __getitem__(&self, number: isize) -> PyResult<String> {
        let place = usize::try_from(number).ok();
        let action = place.and_then(|number| self.space.action(number));
        action
            .map(|action| action.to_string())
            .ok_or_else(|| PyIndexError::new_err(format!("no action has the number {number}")))
    }

    /// The number of an action in the words of the log.
    fn number(&self, action: &str) -> PyResult<usize> {
        let read = action.parse().map_err(crate::error::value)?;
        let number = self.space.number(read);
        number.ok_or_else(|| ActionError::new_err(format!("`{action}` is no action of the rules")))
    }

    fn __repr__(&self) -> String {
        format!("<ActionSpace of {} actions>", self.space.len())
    }
}

/// What a player may know, as arrays: planes by kind of tile, and scalars.
#[pyclass(frozen, module = "paishan._paishan")]
pub struct Observation {
    pub observation: encode::Observation,
}

/// The name of a plane or a scalar: ``name``, ``name+1`` of the next player, ``name+1.2`` for the second of several.
fn label(name: &str, player: Option<usize>, number: Option<usize>) -> String {
    let player = player
        .map(|player| format!("+{player}"))
        .unwrap_or_default();
    let number = number
        .map(|number| format!(".{number}"))
        .unwrap_or_default();
    format!("{name}{player}{number}")
}

#[pymethods]
impl Observation {
    #[new]
    fn new(rules: &Rules) -> Self {
        let observation = encode::Observation::v1(rules.rules.plan());
        Self { observation }
    }

    /// The version of the encoding.
    #[getter]
    fn version(&self) -> u32 {
        self.observation.version()
    }

    /// The names of the planes. ``"discard+1"`` is of the next player in turn order, ``"hand.2"`` the second of several.
    #[getter]
    fn planes(&self) -> Vec<String> {
        let planes = self.observation.planes();
        let is_many = |plane: &encode::Plane| {
            planes.iter().any(|other| {
                (other.name, other.player) == (plane.name, plane.player) && other.number > 1
            })
        };
        let of = |plane: &encode::Plane| {
            label(
                plane.name,
                plane.player,
                is_many(plane).then_some(plane.number),
            )
        };
        planes.iter().map(of).collect()
    }

    /// The kinds of tiles, one column each.
    #[getter]
    fn kinds(&self) -> Vec<String> {
        self.observation
            .kinds()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The names of the scalars.
    #[getter]
    fn scalars(&self) -> Vec<String> {
        let scalars = self.observation.scalars().iter();
        scalars
            .map(|scalar| label(scalar.name, scalar.player, None))
            .collect()
    }

    /// A typical magnitude of each scalar, to divide by.
    #[getter]
    fn scales(&self) -> Vec<f32> {
        self.observation
            .scalars()
            .iter()
            .map(|scalar| scalar.scale)
            .collect()
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.observation)
    }
}
