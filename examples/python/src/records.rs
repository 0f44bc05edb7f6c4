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
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The decisions of one match as arrays. `n` is the number of decisions.
///
/// Planes and masks are kept packed, because nearly all of their values are 0: a match may have 100,000 decisions.
#[pyclass(frozen, module = "paishan._paishan")]
pub struct Decisions {
    shape: (usize, usize),
    packed_planes: Packed,
    packed_mask: Packed,
    planes: PyOnceLock<Py<PyArray3<u8>>>,
    mask: PyOnceLock<Py<PyArray2<u8>>>,
    /// The rules of the match.
    #[pyo3(get)]
    rules: Py<Rules>,
    /// The number of every action.
    #[pyo3(get)]
    action_space: Py<ActionSpace>,
    /// ``float32 [n, scalars]``.
    #[pyo3(get)]
    scalars: Py<PyArray2<f32>>,
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

/// Rows of equal length in which most values are 0. Each other value is stored after the number of zeros before it, and so
/// is a zero after 255 others.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    /// Where each row ends in `bytes`.
    ends: Vec<usize>,
}

impl Packed {
    fn push(&mut self, row: &[u8]) {
        let mut zeros = 0;
        for &value in row {
            if value == 0 && zeros < u8::MAX {
                zeros += 1;
                continue;
            }
            self.bytes.extend([zeros, value]);
            zeros = 0;
        }
        self.ends.push(self.bytes.len());
    }

    fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Writes a row into an array of zeros.
    fn unpack(&self, row: usize, out: &mut [u8]) {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let (pairs, _) = self.bytes[start..self.ends[row]].as_chunks();
        let mut next = 0;
        for &[zeros, value] in pairs {
            let place = next + usize::from(zeros);
            if let Some(place) = out.get_mut(place) {
                *place = value;
            }
            next = place + 1;
        }
    }

    /// Some rows, one after another.
    fn rows(&self, rows: &[usize], len: usize) -> Vec<u8> {
        let mut out = vec![0; rows.len() * len];
        if len > 0 {
            for (&row, out) in rows.iter().zip(out.chunks_exact_mut(len)) {
                self.unpack(row, out);
            }
        }
        out
    }
}

#[pymethods]
impl Decisions {
    /// How many decisions there are.
    fn __len__(&self) -> usize {
        self.packed_mask.ends.len()
    }

    /// ``uint8 [n, planes, kinds]``.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let all = || Ok(self.planes_of(py, &self.all())?.unbind());
        let planes = self.planes.get_or_try_init(py, all);
        planes.map(|planes| planes.bind(py).clone())
    }

    /// ``uint8 [n, actions]``, 1 for legal actions.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let all = || Ok(self.mask_of(py, &self.all())?.unbind());
        let mask = self.mask.get_or_try_init(py, all);
        mask.map(|mask| mask.bind(py).clone())
    }

    /// New arrays with the planes and the masks of some decisions.
    fn part<'py>(&self, py: Python<'py>, rows: Vec<usize>) -> PyResult<Part<'py>> {
        if let Some(row) = rows.iter().find(|&&row| row >= self.__len__()) {
            let have = self.__len__();
            let fault = format!("no decision {row}; there are {have}");
            return Err(PyIndexError::new_err(fault));
        }
        Ok((self.planes_of(py, &rows)?, self.mask_of(py, &rows)?))
    }
}

/// Planes and masks of decisions.
type Part<'py> = (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray2<u8>>);

impl Decisions {
    fn all(&self) -> Vec<usize> {
        (0..self.__len__()).collect()
    }

    fn planes_of<'py>(
        &self,
        py: Python<'py>,
        rows: &[usize],
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let (planes, kinds) = self.shape;
        let values = py.detach(|| self.packed_planes.rows(rows, planes * kinds));
        PyArray1::from_vec(py, values).reshape((rows.len(), planes, kinds))
    }

    fn mask_of<'py>(&self, py: Python<'py>, rows: &[usize]) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let actions = self.action_space.get().space.len();
        let values = py.detach(|| self.packed_mask.rows(rows, actions));
        PyArray1::from_vec(py, values).reshape((rows.len(), actions))
    }
}

/// Collects decisions while a record is replayed.
struct Collector {
    space: encode::ActionSpace,
    encoder: encode::Encoder,
    /// The planes and the mask of the last decision.
    last: (Vec<u8>, Vec<u8>),
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
    planes: Packed,
    scalars: Vec<f32>,
    mask: Packed,
    action: Vec<u16>,
    player: Vec<i8>,
    deal: Vec<i32>,
    deal_points: Vec<f32>,
}

impl Collector {
    fn of(rules: &paishan::Rules) -> Self {
        let plan = rules.plan();
        let per_point = plan.units_per_point();
        let space = encode::ActionSpace::of(plan);
        let shape = encode::Observation::v1(plan);
        let planes = shape.planes().len() * shape.kinds().len();
        Self {
            encoder: encode::Encoder::new(&shape),
            last: (vec![0; planes], vec![0; space.len()]),
            space,
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

    fn add(
        &mut self,
        state: &DealState,
        seat: Seat,
        legal: &Legal,
        action: Action,
    ) -> Result<(), encode::EncodeError> {
        let Some(number) = self.space.number(action) else {
            return Err(encode::EncodeError::NoNumber { action });
        };
        let (arrays, (planes, mask)) = (&mut self.arrays, &mut self.last);
        let (before, len) = (
            arrays.scalars.len(),
            self.encoder.observation().scalars().len(),
        );
        arrays.scalars.resize(before + len, 0.0);
        let scalars = &mut arrays.scalars[before..];
        self.encoder.update(&state.view(seat), planes, scalars)?;
        self.space.write_mask(legal, mask)?;
        arrays.planes.push(planes);
        arrays.mask.push(mask);
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
            let scalars = self.encoder.observation().scalars().len();
            let arrays = &mut self.arrays;
            arrays.planes.truncate(len);
            arrays.scalars.truncate(len * scalars);
            arrays.mask.truncate(len);
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
    let players = rules.plan().players();
    let arrays = collector.arrays;
    let n = arrays.action.len();
    let space = Arc::new(collector.space);
    // A record that breaks off has no points of its last deal.
    let mut deal_points = arrays.deal_points;
    deal_points.resize(n * players, f32::NAN);
    Ok(Decisions {
        shape: (rows, kinds),
        packed_planes: arrays.planes,
        packed_mask: arrays.mask,
        planes: PyOnceLock::new(),
        mask: PyOnceLock::new(),
        scalars: PyArray1::from_vec(py, arrays.scalars)
            .reshape((n, scalars))?
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

#[cfg(test)]
mod tests {
    use super::Packed;

    #[test]
    fn packed_rows_are_the_same_again() {
        let mut rows = vec![vec![0; 600], vec![7; 600], vec![0; 600]];
        rows[2][599] = 1;
        for zeros in [0, 1, 254, 255, 256, 257, 510, 511] {
            let mut row = vec![0; 600];
            (row[zeros], row[zeros + 1], row[599]) = (1, 2, u8::MAX);
            rows.push(row);
        }
        let mut packed = Packed::default();
        rows.iter().for_each(|row| packed.push(row));
        packed.push(&[1; 600]);
        packed.truncate(rows.len());
        let all: Vec<usize> = (0..rows.len()).rev().collect();
        rows.reverse();
        assert_eq!(packed.rows(&all, 600), rows.concat());
    }
}
