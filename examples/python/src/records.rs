//! Decisions of recorded matches: own logs, mjai and Tenhou's records.

use crate::error::LogError;
use crate::rules::{ActionSpace, Rules};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use paishan::encode;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::log::{self, Line, LogOptions, Recorder, ReplayError, mjai, mjlog};
use paishan::random::Seeds;
use paishan::ruleset::OptionValue;
use paishan::state::{Action, DealState, Legal};
use paishan::{Notation, Seat, agent, simulate};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The decisions of one match as arrays. `n` is the number of decisions.
#[pyclass(frozen, module = "paishan._paishan")]
pub struct Decisions {
    /// The rules of the match.
    #[pyo3(get)]
    rules: Py<Rules>,
    /// The number of every action.
    #[pyo3(get)]
    action_space: Py<ActionSpace>,
    /// ``uint8 [n, planes, kinds]``.
    #[pyo3(get)]
    planes: Py<PyArray3<u8>>,
    /// ``float32 [n, scalars]``.
    #[pyo3(get)]
    scalars: Py<PyArray2<f32>>,
    /// ``uint8 [n, actions]``, 1 for legal actions.
    #[pyo3(get)]
    mask: Py<PyArray2<u8>>,
    /// ``uint16 [n]``, the numbers of the actions that were chosen.
    #[pyo3(get)]
    action: Py<PyArray1<u16>>,
    /// ``int8 [n]``, the players who decided.
    #[pyo3(get)]
    player: Py<PyArray1<i8>>,
    /// ``int32 [n]``, the deals of the decisions, from 1.
    #[pyo3(get)]
    deal: Py<PyArray1<i32>>,
    /// ``float32 [n, players]``, what the deal of the decision brought each player, in points.
    #[pyo3(get)]
    deal_points: Py<PyArray2<f32>>,
    /// The points of each player at the end, with everything that the match adds.
    #[pyo3(get)]
    points: Vec<f64>,
    /// The place of each player, from 1.
    #[pyo3(get)]
    places: Vec<usize>,
    /// Why the replay stopped before the end of the record. ``None`` for a whole record.
    #[pyo3(get)]
    fault: Option<String>,
}

/// Collects decisions while a record is replayed.
struct Collector {
    space: encode::ActionSpace,
    encoder: encode::Encoder<u8>,
    arrays: Arrays,
    /// How long the arrays were when the deal began. A deal may be tried with several walls.
    begun: (u32, usize),
    fault: Option<encode::EncodeError>,
    /// Why the replay stopped.
    broken: Option<String>,
    points: Vec<f64>,
    places: Vec<usize>,
    /// The totals before the deal, by player.
    before: Vec<i64>,
    per_point: f64,
}

/// Arrays of all decisions, one after another.
#[derive(Default)]
struct Arrays {
    planes: Vec<u8>,
    scalars: Vec<f32>,
    mask: Vec<u8>,
    action: Vec<u16>,
    player: Vec<i8>,
    deal: Vec<i32>,
    deal_points: Vec<f32>,
}

impl Collector {
    fn of(rules: &paishan::Rules) -> Self {
        let plan = rules.plan();
        let per_point = plan.units_per_point();
        Self {
            space: encode::ActionSpace::of(plan),
            encoder: encode::Encoder::new(&encode::Observation::v1(plan)),
            arrays: Arrays::default(),
            begun: (0, 0),
            fault: None,
            broken: None,
            points: Vec::new(),
            places: Vec::new(),
            before: vec![plan.matches().start_points * per_point; plan.players()],
            per_point: per_point as f64,
        }
    }

    fn sizes(&self) -> [usize; 3] {
        let shape = self.encoder.observation();
        let planes = shape.planes().len() * shape.kinds().len();
        [planes, shape.scalars().len(), self.space.len()]
    }

    fn add(
        &mut self,
        state: &DealState,
        seat: Seat,
        legal: &Legal,
        action: Action,
    ) -> Result<(), encode::EncodeError> {
        let [planes, scalars, actions] = self.sizes();
        let Some(number) = self.space.number(action) else {
            return Err(encode::EncodeError::NoNumber { action });
        };
        let arrays = &mut self.arrays;
        let at = (arrays.planes.len(), arrays.scalars.len(), arrays.mask.len());
        arrays.planes.resize(at.0 + planes, 0);
        arrays.scalars.resize(at.1 + scalars, 0.0);
        arrays.mask.resize(at.2 + actions, 0);
        let view = state.view(seat);
        self.encoder.write(
            &view,
            &mut arrays.planes[at.0..],
            &mut arrays.scalars[at.1..],
        )?;
        self.space.write_mask(legal, &mut arrays.mask[at.2..])?;
        arrays.action.push(number as u16);
        let player = seat.player(state.dealer(), state.players());
        arrays.player.push(player.index() as i8);
        arrays.deal.push(state.progress().deal as i32);
        Ok(())
    }
}

impl Observer for Collector {
    fn deal_started(&mut self, state: &DealState) {
        let deal = state.progress().deal;
        if self.begun.0 == deal {
            // Another wall is tried for the same deal.
            let len = self.begun.1;
            let [planes, scalars, actions] = self.sizes();
            let arrays = &mut self.arrays;
            arrays.planes.truncate(len * planes);
            arrays.scalars.truncate(len * scalars);
            arrays.mask.truncate(len * actions);
            arrays.action.truncate(len);
            arrays.player.truncate(len);
            arrays.deal.truncate(len);
        }
        self.begun = (deal, self.arrays.action.len());
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        let added = self.add(state, seat, legal, action);
        self.fault = self.fault.take().or(added.err());
    }

    fn deal_ended(&mut self, series: &MatchState, _: &DealState, _: &Outcome, _: Next) {
        let totals = series.totals();
        let won = totals
            .iter()
            .zip(&self.before)
            .map(|(now, before)| ((now - before) as f64 / self.per_point) as f32);
        let won: Vec<f32> = won.collect();
        for _ in self.begun.1..self.arrays.action.len() {
            self.arrays.deal_points.extend(&won);
        }
        self.before = totals.to_vec();
    }

    fn match_ended(&mut self, series: &MatchState) {
        let results = series.results();
        self.points = results
            .iter()
            .map(|&total| total as f64 / self.per_point)
            .collect();
        self.places = vec![0; results.len()];
        for (place, player) in (1..).zip(series.standing()) {
            self.places[player.index()] = place;
        }
    }
}

fn fault(error: impl std::fmt::Display) -> PyErr {
    LogError::new_err(error.to_string())
}

/// The error for a place in a record.
fn at(place: String, error: &ReplayError) -> PyErr {
    let json = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
    match error {
        ReplayError::Differs {
            expected, found, ..
        } => {
            let expected = json(serde_json::to_string(expected));
            let found = json(serde_json::to_string(found));
            fault(format!("{place}: expected {expected}, found {found}"))
        }
        ReplayError::Disagrees {
            expected, found, ..
        } => {
            let expected = json(serde_json::to_string(expected));
            let found = json(serde_json::to_string(found));
            fault(format!("{place}: expected {expected}, found {found}"))
        }
        error => fault(format!("{place}: {error}")),
    }
}

/// Other options than a record names, as the text of a JSON object.
fn merged(known: &[(String, OptionValue)], options: &str) -> PyResult<Vec<(String, OptionValue)>> {
    let more: BTreeMap<String, OptionValue> = serde_json::from_str(options).map_err(fault)?;
    let known = known
        .iter()
        .filter(|(id, _)| !more.contains_key(id))
        .cloned();
    let mut all: Vec<_> = known.collect();
    all.extend(more);
    Ok(all)
}

/// A record that was replayed: its rules, its decisions, and the first fault if the decisions before it are wanted.
type Replayed = (paishan::Rules, Collector);

/// The collector after a replay. If `keeps`, a fault ends the decisions and is no error.
fn kept(
    rules: paishan::Rules,
    mut collector: Collector,
    replayed: Result<(), PyErr>,
    keeps: bool,
) -> PyResult<Replayed> {
    match replayed {
        Err(error) if !keeps => Err(error),
        Err(error) => {
            collector.broken = Some(error.to_string());
            Ok((rules, collector))
        }
        Ok(()) => Ok((rules, collector)),
    }
}

/// The arrays of a collector.
fn finished(py: Python<'_>, (rules, collector): Replayed) -> PyResult<Decisions> {
    if let Some(error) = collector.fault {
        return Err(fault(error));
    }
    let shape = collector.encoder.observation();
    let (rows, kinds) = (shape.planes().len(), shape.kinds().len());
    let scalars = shape.scalars().len();
    let (actions, players) = (collector.space.len(), rules.plan().players());
    let arrays = collector.arrays;
    let n = arrays.action.len();
    let space = Arc::new(collector.space);
    // A record that breaks off has no points of its last deal.
    let mut deal_points = arrays.deal_points;
    deal_points.resize(n * players, f32::NAN);
    Ok(Decisions {
        planes: PyArray1::from_vec(py, arrays.planes)
            .reshape((n, rows, kinds))?
            .unbind(),
        scalars: PyArray1::from_vec(py, arrays.scalars)
            .reshape((n, scalars))?
            .unbind(),
        mask: PyArray1::from_vec(py, arrays.mask)
            .reshape((n, actions))?
            .unbind(),
        action: PyArray1::from_vec(py, arrays.action).unbind(),
        player: PyArray1::from_vec(py, arrays.player).unbind(),
        deal: PyArray1::from_vec(py, arrays.deal).unbind(),
        deal_points: PyArray1::from_vec(py, deal_points)
            .reshape((n, players))?
            .unbind(),
        points: collector.points,
        places: collector.places,
        fault: collector.broken,
        action_space: Py::new(py, ActionSpace { space })?,
        rules: Py::new(py, Rules::of(rules))?,
    })
}

/// The decisions of a match in a log of this project: the text of its lines, from `start_game` to `end_game`.
#[pyfunction]
#[pyo3(signature = (text, rules, options, keeps))]
pub fn own_log(
    py: Python<'_>,
    text: &str,
    rules: Option<&Rules>,
    options: &str,
    keeps: bool,
) -> PyResult<Decisions> {
    let rules = rules.map(|rules| rules.rules.clone());
    let replayed = py.detach(|| {
        let mut lines = Vec::new();
        for (number, text) in (1..).zip(text.lines()) {
            let line = serde_json::from_str::<Line>(text);
            lines.push(line.map_err(|error| fault(format!("line {number}: {error}")))?);
        }
        let Some(Line::StartGame(start)) = lines.first() else {
            return Err(fault("line 1: a log begins with `start_game`"));
        };
        let options = merged(&start.options.0, options)?;
        let rules = match rules {
            Some(rules) => rules,
            None => paishan::Rules::by_id_with(&start.ruleset, &options).map_err(fault)?,
        };
        let mut collector = Collector::of(&rules);
        let loaded = rules.clone();
        let replayed = log::replay_observed(&lines, |_, _| Ok(loaded), &mut collector);
        let replayed = replayed.map_err(|error| at(format!("line {}", error.line() + 1), &error));
        kept(rules, collector, replayed.map(drop), keeps)
    })?;
    finished(py, replayed)
}

/// The decisions of a match in plain mjai: the text of its lines. The rules are those of the record.
#[pyfunction]
pub fn plain_log(py: Python<'_>, text: &str, rules: &Rules, keeps: bool) -> PyResult<Decisions> {
    let rules = rules.rules.clone();
    let replayed = py.detach(|| {
        let read = |(number, text): (usize, &str)| {
            let message = serde_json::from_str::<mjai::Message>(text);
            message.map_err(|error| fault(format!("line {number}: {error}")))
        };
        let messages: Result<Vec<_>, _> = (1..).zip(text.lines()).map(read).collect();
        let place = |message: usize| format!("line {}", message + 1);
        replay(rules, &messages?, place, keeps)
    })?;
    finished(py, replayed)
}

fn replay(
    rules: paishan::Rules,
    messages: &[mjai::Message],
    place: impl Fn(usize) -> String,
    keeps: bool,
) -> PyResult<Replayed> {
    let mut collector = Collector::of(&rules);
    let replayed = log::replay_plain_observed(&rules, messages, &mut collector);
    let replayed = replayed.map_err(|error| at(place(error.line()), &error));
    kept(rules, collector, replayed.map(drop), keeps)
}

/// The decisions of a match in a record of Tenhou: its tags with their attributes.
#[pyfunction]
pub fn tenhou(
    py: Python<'_>,
    tags: Vec<(String, Vec<(String, String)>)>,
    options: &str,
    keeps: bool,
) -> PyResult<Decisions> {
    let replayed = py.detach(|| {
        let tag = |(name, attributes)| mjlog::Tag { name, attributes };
        let tags: Vec<_> = tags.into_iter().map(tag).collect();
        let record = mjlog::read(&tags);
        let record = record.map_err(|error| fault(format!("tag {}: {error}", error.tag + 1)))?;
        let id = match record.players {
            3 => "riichi-sanma",
            _ => "riichi-tenhou",
        };
        let options = merged(&record.options, options)?;
        let rules = paishan::Rules::by_id_with(id, &options).map_err(fault)?;
        let place = |message: usize| {
            let tag = record.tags.get(message).copied().unwrap_or(tags.len());
            format!("tag {}", tag + 1)
        };
        replay(rules, &record.messages, place, keeps)
    })?;
    finished(py, replayed)
}

/// Plays a match with built-in agents and returns its log.
#[pyfunction]
pub fn record(
    py: Python<'_>,
    rules: &Rules,
    agents: Vec<String>,
    seed: &Bound<'_, PyAny>,
    game: u64,
) -> PyResult<String> {
    let rules = rules.rules.clone();
    let seeds = Seeds::from(crate::env::seed(seed)?).of_game(game);
    py.detach(|| {
        let plan = rules.plan();
        let made: Result<Vec<_>, _> = agents
            .iter()
            .map(|name| agent::by_name(name, plan))
            .collect();
        let mut made = made.map_err(crate::error::value)?;
        let mut options = LogOptions::new(agents, Notation::Ujmj);
        (options.game, options.agent_seed) = (game, Some(seeds.agents));
        let mut text = String::new();
        let mut broken = None;
        let write = |line: Line| match serde_json::to_string(&line) {
            Ok(line) => {
                text.push_str(&line);
                text.push('\n');
            }
            Err(error) => broken = Some(error),
        };
        let mut recorder = Recorder::new(plan, options, write);
        let played = simulate::play(&rules, &mut made, seeds, &mut recorder);
        played.map_err(crate::error::value)?;
        broken.map_or(Ok(text), |error| Err(crate::error::value(error)))
    })
}
