//! One table for loops in plain Python.

use crate::error::ActionError;
use crate::rules::{ActionSpace, Rules};
use crate::table::Table;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use paishan::encode;
use paishan::game::Moves;
use paishan::random::Seeds;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The seed of a table's match and the decisions so far.
pub fn moves(table: &Table) -> (String, Vec<(char, String)>) {
    let decisions = table.decisions().iter();
    let decisions = decisions.map(|(seat, action)| (seat.letter(), action.to_string()));
    (table.match_seed().hex(), decisions.collect())
}

/// The planes and the scalars of an observation.
type Arrays<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<f32>>);

/// One match. Actions are numbers of the ``ActionSpace`` of its rules.
#[pyclass(subclass, module = "paishan._paishan")]
pub struct Game {
    table: Table,
    space: Arc<encode::ActionSpace>,
    encoder: Option<encode::Encoder<u8>>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, seed, agents, agent_seed=None))]
    fn new(
        rules: &Rules,
        seed: &Bound<'_, PyAny>,
        agents: Vec<Option<String>>,
        agent_seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let rules = &rules.rules;
        let players = rules.plan().players();
        if agents.len() != players {
            let have = agents.len();
            return Err(PyValueError::new_err(format!(
                "{have} agents for {players} players"
            )));
        }
        let mut seeds = Seeds::from(crate::env::seed(seed)?);
        if let Some(seed) = agent_seed {
            seeds.agents = crate::env::seed(seed)?;
        }
        Ok(Self {
            table: Table::new(rules, seeds, None, &agents, false)?,
            space: Arc::new(encode::ActionSpace::of(rules.plan())),
            encoder: None,
        })
    }

    /// A number for every action of the rules.
    #[getter]
    fn action_space(&self) -> ActionSpace {
        ActionSpace {
            space: Arc::clone(&self.space),
        }
    }

    /// True when the match is over.
    #[getter]
    fn done(&self) -> bool {
        self.table.progress.is_over
    }

    /// True when the last decision ended a deal.
    #[getter]
    fn deal_done(&self) -> bool {
        self.table.progress.deal_ended
    }

    /// The player who decides, from 0.
    #[getter]
    fn player(&self) -> usize {
        self.table.player()
    }

    /// The numbers of the legal actions. Empty when the match is over.
    #[getter]
    fn legal(&self) -> PyResult<Vec<u16>> {
        if self.done() {
            return Ok(Vec::new());
        }
        let mut numbers = vec![0; self.space.most_legal()];
        let legal = self.table.deal().legal(self.table.seat());
        let len = self.space.write_numbers(legal, &mut numbers);
        numbers.truncate(len.map_err(crate::error::value)?);
        Ok(numbers)
    }

    /// Makes a decision.
    fn step(&mut self, action: usize) -> PyResult<()> {
        let known = self.space.action(action);
        let known = known.filter(|&known| !self.done() && self.table.is_legal(known));
        let Some(known) = known else {
            return Err(self.illegal(action));
        };
        self.table.act(known);
        Ok(())
    }

    /// The points of each player.
    #[getter]
    fn points(&self) -> Vec<f64> {
        let players = self.table.rules().plan().players();
        (0..players)
            .map(|player| self.table.points(player))
            .collect()
    }

    /// The seed of the match as 64 hexadecimal digits, and the decisions so far.
    fn moves(&self) -> (String, Vec<(char, String)>) {
        moves(&self.table)
    }

    /// The moves of the match as bytes.
    fn save(&self) -> Vec<u8> {
        self.table.save().1.to_bytes()
    }

    /// Plays the match again up to where it was saved.
    fn restore(&mut self, saved: Vec<u8>) -> PyResult<()> {
        let moves = Moves::from_bytes(&saved).map_err(crate::error::value)?;
        match self.table.restore(0, &moves) {
            true => Ok(()),
            false => Err(PyValueError::new_err("the moves are of another match")),
        }
    }

    /// What the player who decides may know, as JSON text.
    fn snapshot(&self) -> PyResult<String> {
        let snapshot = self.table.deal().snapshot(self.table.seat());
        serde_json::to_string(&snapshot).map_err(crate::error::value)
    }

    /// New arrays with what the player who decides may know: planes and scalars.
    fn observe<'py>(&mut self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        let plan = self.table.rules().plan();
        let new = || encode::Encoder::new(&encode::Observation::v1(plan));
        let encoder = self.encoder.get_or_insert_with(new);
        let (width, height, len) = {
            let shape = encoder.observation();
            (
                shape.kinds().len(),
                shape.planes().len(),
                shape.scalars().len(),
            )
        };
        let mut planes = vec![0; height * width];
        let mut scalars = vec![0.0; len];
        let view = self.table.deal().state().view(self.table.seat());
        let written = encoder.write(&view, &mut planes, &mut scalars);
        written.map_err(crate::error::value)?;
        let planes = PyArray1::from_vec(py, planes).reshape((height, width))?;
        Ok((planes, PyArray1::from_vec(py, scalars)))
    }
}

impl Game {
    #[cold]
    fn illegal(&self, number: usize) -> PyErr {
        let name = self.space.action(number);
        let name = name
            .map(|action| format!(" `{action}`"))
            .unwrap_or_default();
        let legal = self.table.deal().legal(self.table.seat()).iter();
        let legal: Vec<String> = legal.map(|action| action.to_string()).collect();
        let legal = match self.done() {
            true => "the match is over".to_owned(),
            false => format!("legal are {}", legal.join(", ")),
        };
        ActionError::new_err(format!("action {number}{name} is not legal; {legal}"))
    }
}
