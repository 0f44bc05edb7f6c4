//! One table for loops in plain Python.

use crate::error::ActionError;
use crate::rules::{ActionSpace, Rules};
use crate::table::Table;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use paishan::game::Moves;
use paishan::log::mjai::{self, Message};
use paishan::random::Seeds;
use paishan::{Player, Seat, encode};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
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
    encoder: Option<encode::Encoder>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, seed, agents, agent_seed=None, single_deal=false))]
    fn new(
        rules: &Rules,
        seed: &Bound<'_, PyAny>,
        agents: Vec<Option<String>>,
        agent_seed: Option<&Bound<'_, PyAny>>,
        single_deal: bool,
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
            table: Table::new(rules, seeds, None, &agents, single_deal)?,
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

    /// Sets the match to that of another game without built-in agents, which stays as it is.
    fn set_to(&mut self, other: PyRef<'_, Self>) -> PyResult<()> {
        let copied = other.table.copied();
        self.table =
            copied.ok_or_else(|| PyTypeError::new_err("a game with agents cannot be copied"))?;
        self.space = Arc::clone(&other.space);
        self.encoder = None;
        Ok(())
    }

    /// What a player may know, as JSON text. Without a player: the one who decides.
    #[pyo3(signature = (player=None))]
    fn snapshot(&self, player: Option<usize>) -> PyResult<String> {
        let snapshot = self.table.deal().snapshot(self.seat(player)?);
        serde_json::to_string(&snapshot).map_err(crate::error::value)
    }

    /// What a player may know of the match, as messages of mjai in JSON that follow the first ``told`` ones.
    fn mjai(&self, player: usize, told: usize) -> PyResult<Vec<String>> {
        let known = Player::new(player).filter(|_| self.table.seat_of(player).is_some());
        let player =
            known.ok_or_else(|| PyIndexError::new_err(format!("there is no player {player}")))?;
        let messages = self.table.mjai(player, told)?;
        messages.iter().map(json).collect()
    }

    /// The messages of mjai, in JSON, that the player who decides may answer.
    fn possible_messages(&self) -> PyResult<Vec<String>> {
        if self.done() {
            return Ok(Vec::new());
        }
        let (deal, seat) = (self.table.deal(), self.table.seat());
        let plan = self.table.rules().plan();
        let possible = mjai::possible_actions(plan, &deal.state().view(seat), deal.legal(seat));
        possible.iter().map(json).collect()
    }

    /// The number of the action that an answer in mjai means, in JSON.
    fn number_of_message(&self, message: &str) -> PyResult<usize> {
        let read: Message = serde_json::from_str(message).map_err(crate::error::value)?;
        let (deal, seat) = (self.table.deal(), self.table.seat());
        let (plan, legal) = (self.table.rules().plan(), deal.legal(seat));
        let is_own = read
            .actor()
            .is_none_or(|actor| actor == self.table.player());
        let action = mjai::action(plan, &deal.state().view(seat), legal, &read);
        let action = action.filter(|_| is_own && !self.done());
        let number = action.and_then(|action| self.space.number(action));
        let Some(number) = number else {
            let legal = self.possible_messages()?.join(", ");
            return Err(ActionError::new_err(format!(
                "{message} is not legal; legal are {legal}"
            )));
        };
        Ok(number)
    }

    /// New arrays with what a player may know: planes and scalars. Without a player: the one who decides.
    #[pyo3(signature = (player=None))]
    fn observe<'py>(&mut self, py: Python<'py>, player: Option<usize>) -> PyResult<Arrays<'py>> {
        let seat = self.seat(player)?;
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
        let view = self.table.deal().state().view(seat);
        let written = encoder.write(&view, &mut planes, &mut scalars);
        written.map_err(crate::error::value)?;
        let planes = PyArray1::from_vec(py, planes).reshape((height, width))?;
        Ok((planes, PyArray1::from_vec(py, scalars)))
    }
}

fn json(message: &Message) -> PyResult<String> {
    serde_json::to_string(message).map_err(crate::error::value)
}

impl Game {
    /// The seat of a player, or the one that decides.
    fn seat(&self, player: Option<usize>) -> PyResult<Seat> {
        let Some(player) = player else {
            return Ok(self.table.seat());
        };
        let seat = self.table.seat_of(player);
        seat.ok_or_else(|| PyIndexError::new_err(format!("there is no player {player}")))
    }

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
