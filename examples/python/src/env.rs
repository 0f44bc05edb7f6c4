//! Many tables at once, stepped into arrays that numpy reads.

use crate::error::{self, ActionError};
use crate::rules::{ActionSpace, Observation, Rules};
use crate::table::Table;
use crate::team::Team;
use numpy::ndarray::{ArrayView1, ArrayView2, ArrayView3};
use numpy::{PyArray1, PyArray2, PyArray3, PyReadonlyArray1};
use paishan::decompose::{Holding, Scratch};
use paishan::encode;
use paishan::game::Moves;
use paishan::random::{Seed, Seeds};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::slice::ChunksMut;
use std::sync::{Arc, Mutex, PoisonError};

/// The most tables of an environment.
const MOST_TABLES: usize = 1 << 20;

/// A thread does its tables in as many parts.
const SHARES: usize = 8;

/// Fills the rest of a list of legal actions.
const PADDING: u16 = u16::MAX;

/// A table with its encoder.
struct Place {
    table: Table,
    encoder: encode::Encoder,
    /// Points by player after the last decision.
    points: Vec<f64>,
}

/// The arrays of all tables. They never move, because numpy reads them.
struct Arrays {
    mask: Vec<u8>,
    legal: Vec<u16>,
    legal_len: Vec<i64>,
    planes: Vec<u8>,
    scalars: Vec<f32>,
    player: Vec<i8>,
    reward: Vec<f32>,
    scores: Vec<f64>,
    done: Vec<u8>,
    deal_done: Vec<u8>,
}

/// The sizes of the arrays of one table. 0 for an array that is not written.
#[derive(Clone, Copy)]
struct Sizes {
    mask: usize,
    legal: usize,
    planes: usize,
    scalars: usize,
    players: usize,
}

/// The arrays of consecutive tables.
struct Part<'a> {
    /// The number of the first table.
    first: usize,
    sizes: Sizes,
    /// The actions that are made next. They are checked before any table moves.
    chosen: &'a [u16],
    mask: &'a mut [u8],
    legal: &'a mut [u16],
    legal_len: &'a mut [i64],
    planes: &'a mut [u8],
    scalars: &'a mut [f32],
    player: &'a mut [i8],
    reward: &'a mut [f32],
    scores: &'a mut [f64],
    done: &'a mut [u8],
    deal_done: &'a mut [u8],
}

/// The part of table `table` in an array with `size` elements a table.
#[inline]
fn row<T>(array: &mut [T], size: usize, table: usize) -> &mut [T] {
    &mut array[table * size..][..size]
}

impl Part<'_> {
    /// Takes the arrays of the first tables.
    fn split_off(&mut self, tables: usize) -> Self {
        fn first<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
            rest.split_off_mut(..len).unwrap_or_default()
        }
        let (number, sizes) = (self.first, self.sizes);
        self.first += tables;
        Self {
            first: number,
            sizes,
            chosen: self.chosen.split_off(..tables).unwrap_or_default(),
            mask: first(&mut self.mask, tables * sizes.mask),
            legal: first(&mut self.legal, tables * sizes.legal),
            legal_len: first(&mut self.legal_len, tables),
            planes: first(&mut self.planes, tables * sizes.planes),
            scalars: first(&mut self.scalars, tables * sizes.scalars),
            player: first(&mut self.player, tables),
            reward: first(&mut self.reward, tables * sizes.players),
            scores: first(&mut self.scores, tables * sizes.players),
            done: first(&mut self.done, tables),
            deal_done: first(&mut self.deal_done, tables),
        }
    }
}

/// The tables of a thread that are not taken yet, with their arrays.
type Share<'a> = Mutex<(ChunksMut<'a, Place>, Part<'a>)>;

/// Takes the next tables of a thread. `None` if all are taken.
fn take<'a>(share: &Share<'a>) -> Option<(&'a mut [Place], Part<'a>)> {
    let mut share = share.lock().unwrap_or_else(PoisonError::into_inner);
    let (places, parts) = &mut *share;
    let places = places.next()?;
    let part = parts.split_off(places.len());
    Some((places, part))
}

/// Keeps the error of the first table that has one.
#[cold]
fn note(
    fault: &Mutex<Option<(usize, encode::EncodeError)>>,
    table: usize,
    error: encode::EncodeError,
) {
    let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
    if fault.as_ref().is_none_or(|(other, _)| table < *other) {
        *fault = Some((table, error));
    }
}

/// Shares tables out among the threads of a team.
fn share_out(
    team: &mut Team,
    tables: &mut [Place],
    mut rest: Part<'_>,
    run: impl Fn(&mut [Place], Part<'_>) + Sync,
) {
    // Each thread has tables of its own, so that they stay in the cache of its processor. A thread that has done these
    // takes some of another thread, because a thread may wake up late or not at all. The calling thread is the first.
    let threads = team.len();
    let of_thread = tables.len().div_ceil(threads);
    let some = of_thread.div_ceil(SHARES);
    let mut shares: Vec<Share<'_>> = Vec::with_capacity(threads);
    for own in tables.chunks_mut(of_thread) {
        let part = rest.split_off(own.len());
        shares.push(Mutex::new((own.chunks_mut(some), part)));
    }
    team.run(&|thread| {
        let (others, own) = shares.split_at(thread.min(shares.len()));
        for share in own.iter().chain(others) {
            while let Some((places, part)) = take(share) {
                run(places, part);
            }
        }
    });
}

impl Arrays {
    fn all<'a>(&'a mut self, sizes: Sizes, chosen: &'a [u16]) -> Part<'a> {
        Part {
            first: 0,
            sizes,
            chosen,
            mask: &mut self.mask,
            legal: &mut self.legal,
            legal_len: &mut self.legal_len,
            planes: &mut self.planes,
            scalars: &mut self.scalars,
            player: &mut self.player,
            reward: &mut self.reward,
            scores: &mut self.scores,
            done: &mut self.done,
            deal_done: &mut self.deal_done,
        }
    }
}

impl Place {
    /// Writes what the player who decides sees at table `table` of the part.
    #[inline]
    fn write(
        &mut self,
        space: &encode::ActionSpace,
        part: &mut Part<'_>,
        table: usize,
    ) -> Result<(), encode::EncodeError> {
        part.player[table] = self.table.player() as i8;
        let (deal, seat, sizes) = (self.table.deal(), self.table.seat(), part.sizes);
        let legal = deal.legal(seat);
        let mask = row(part.mask, sizes.mask, table);
        let list = row(part.legal, sizes.legal, table);
        mask.fill(0);
        let mut len = 0;
        let visited = space.visit(legal, |number| {
            if let Some(place) = mask.get_mut(usize::from(number)) {
                *place = 1;
            }
            if let Some(place) = list.get_mut(len) {
                *place = number;
                len += 1;
            }
        });
        let before = std::mem::replace(&mut part.legal_len[table], len as i64);
        if let Some(rest) = list.get_mut(len..before as usize) {
            rest.fill(PADDING);
        }
        visited?;
        if sizes.planes > 0 {
            let planes = row(part.planes, sizes.planes, table);
            let scalars = row(part.scalars, sizes.scalars, table);
            self.encoder
                .update(&deal.state().view(seat), planes, scalars)?;
        }
        Ok(())
    }

    /// Makes the action that has been checked and writes what follows.
    #[inline]
    fn step(
        &mut self,
        space: &encode::ActionSpace,
        part: &mut Part<'_>,
        table: usize,
    ) -> Result<(), encode::EncodeError> {
        if let Some(action) = space.action(part.chosen[table].into()) {
            self.table.act(action);
        }
        let progress = self.table.progress;
        if std::mem::replace(&mut part.deal_done[table], progress.deal_ended.into()) != 0 {
            row(part.reward, part.sizes.players, table).fill(0.0);
        }
        part.done[table] = progress.is_over.into();
        if progress.deal_ended {
            self.end_deal(part, table);
        }
        self.write(space, part, table)
    }

    #[inline(never)]
    fn end_deal(&mut self, part: &mut Part<'_>, table: usize) {
        let rewards = row(part.reward, part.sizes.players, table);
        let scores = row(part.scores, part.sizes.players, table);
        for (player, before) in self.points.iter_mut().enumerate() {
            let points = self.table.points(player);
            rewards[player] = (points - *before) as f32;
            scores[player] = points;
            *before = points;
        }
        self.skip_ended();
    }

    /// Begins the next match if the last decision, or agents before the first one, ended the match.
    fn skip_ended(&mut self) {
        while self.table.progress.is_over {
            self.table.next_match();
            self.begin();
        }
    }

    /// Notes the points after the last deal.
    fn note_points(&mut self) {
        for (player, points) in self.points.iter_mut().enumerate() {
            *points = self.table.points(player);
        }
    }

    /// Sets the points of a match that begins.
    fn begin(&mut self) {
        let start = self.table.rules().plan().matches().start_points as f64;
        self.points.fill(start);
    }
}

/// Many tables that are stepped together. The arrays are views of the same memory in every step.
#[pyclass(module = "paishan._paishan")]
pub struct Env {
    rules: paishan::Rules,
    space: Arc<encode::ActionSpace>,
    observation: encode::Observation,
    seeds: Seeds,
    agents: Vec<Option<String>>,
    single_deals: bool,
    places: Vec<Place>,
    arrays: Arrays,
    sizes: Sizes,
    /// The action of each table in the next step.
    chosen: Vec<u16>,
    scratch: Scratch,
    team: Option<Team>,
}

/// The actions of a step.
#[derive(FromPyObject)]
enum Actions<'py> {
    Short(PyReadonlyArray1<'py, u16>),
    Long(PyReadonlyArray1<'py, i64>),
    Int(PyReadonlyArray1<'py, i32>),
    List(Vec<i64>),
}

/// Reads a seed: a number, or 64 hexadecimal digits.
pub fn seed(seed: &Bound<'_, PyAny>) -> PyResult<Seed> {
    if let Ok(number) = seed.extract::<u64>() {
        return Ok(number.into());
    }
    let text: String = seed.extract().map_err(|_| {
        PyTypeError::new_err("a seed is a number below 2**64 or 64 hexadecimal digits")
    })?;
    text.parse().map_err(error::value)
}

impl Env {
    fn check_array<T>(&mut self, actions: &PyReadonlyArray1<'_, T>) -> PyResult<()>
    where
        T: numpy::Element + Copy + Into<i64>,
    {
        match actions.as_slice() {
            Ok(actions) => self.check(actions.iter().map(|&action| action.into())),
            Err(_) => self.check(actions.as_array().iter().map(|&action| action.into())),
        }
    }

    fn check(&mut self, actions: impl ExactSizeIterator<Item = i64>) -> PyResult<()> {
        if actions.len() != self.places.len() {
            let (have, want) = (actions.len(), self.places.len());
            return Err(PyValueError::new_err(format!(
                "{have} actions for {want} tables"
            )));
        }
        for (table, action) in actions.enumerate() {
            let known = u16::try_from(action).ok();
            match known.filter(|&known| self.is_legal(table, known)) {
                Some(known) => self.chosen[table] = known,
                None => return Err(self.illegal(table, action)),
            }
        }
        Ok(())
    }

    #[inline]
    fn is_legal(&self, table: usize, number: u16) -> bool {
        let width = self.sizes.mask;
        if width > 0 {
            let mask = &self.arrays.mask[table * width..][..width];
            return mask.get(usize::from(number)) == Some(&1);
        }
        let action = self.space.action(number.into());
        action.is_some_and(|action| self.places[table].table.is_legal(action))
    }

    #[cold]
    fn illegal(&self, table: usize, number: i64) -> PyErr {
        let known = usize::try_from(number).ok();
        let known = known.and_then(|number| self.space.action(number));
        let name = known
            .map(|action| format!(" `{action}`"))
            .unwrap_or_default();
        let place = &self.places[table].table;
        let legal = place.deal().legal(place.seat()).iter();
        let legal: Vec<String> = legal.map(|action| action.to_string()).collect();
        let legal = legal.join(", ");
        ActionError::new_err(format!(
            "table {table}: action {number}{name} is not legal; legal are {legal}"
        ))
    }

    /// Calls `f` for each table, on all threads. Returns the error of the first table that has one.
    fn each(
        &mut self,
        f: impl Fn(&mut Place, &mut Part<'_>, usize) -> Result<(), encode::EncodeError> + Sync,
    ) -> Result<(), encode::EncodeError> {
        let fault = Mutex::new(None);
        let run = |places: &mut [Place], mut part: Part<'_>| {
            for (table, place) in places.iter_mut().enumerate() {
                if let Err(error) = f(place, &mut part, table) {
                    note(&fault, part.first + table, error);
                }
            }
        };
        let rest = self.arrays.all(self.sizes, &self.chosen);
        match &mut self.team {
            None => run(&mut self.places, rest),
            Some(team) => share_out(team, &mut self.places, rest, run),
        }
        let fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
        fault.map_or(Ok(()), |(_, fault)| Err(fault))
    }

    fn write_all(&mut self) -> PyResult<()> {
        let space = Arc::clone(&self.space);
        let written = self.each(|place, part, table| {
            row(part.reward, part.sizes.players, table).fill(0.0);
            (part.done[table], part.deal_done[table]) = (0, 0);
            row(part.scores, part.sizes.players, table).copy_from_slice(&place.points);
            place.write(&space, part, table)
        });
        written.map_err(error::value)
    }
}

#[pymethods]
impl Env {
    #[new]
    #[pyo3(signature = (rules, tables, seed, agents, single_deals, mask, legal, observe, threads))]
    #[allow(
        clippy::too_many_arguments,
        reason = "the Python class has keywords and defaults"
    )]
    fn new(
        rules: &Rules,
        tables: usize,
        seed: &Bound<'_, PyAny>,
        agents: Vec<Option<String>>,
        single_deals: bool,
        mask: bool,
        legal: bool,
        observe: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let rules = rules.rules.clone();
        let players = rules.plan().players();
        if tables == 0 || tables > MOST_TABLES {
            return Err(PyValueError::new_err(format!(
                "tables must be from 1 to {MOST_TABLES}"
            )));
        }
        if agents.len() != players {
            let have = agents.len();
            return Err(PyValueError::new_err(format!(
                "{have} agents for {players} players"
            )));
        }
        if agents.iter().all(Option::is_some) {
            return Err(PyValueError::new_err(
                "all players are agents; leave at least one None",
            ));
        }
        let space = encode::ActionSpace::of(rules.plan());
        let observation = encode::Observation::v1(rules.plan());
        let size = |is_written: bool, size: usize| if is_written { size } else { 0 };
        let planes = observation.planes().len() * observation.kinds().len();
        let sizes = Sizes {
            mask: size(mask, space.len()),
            legal: size(legal, space.most_legal()),
            planes: size(observe, planes),
            scalars: size(observe, observation.scalars().len()),
            players,
        };
        let arrays = Arrays {
            mask: vec![0; tables * sizes.mask],
            legal: vec![PADDING; tables * sizes.legal],
            legal_len: vec![0; tables],
            planes: vec![0; tables * sizes.planes],
            scalars: vec![0.0; tables * sizes.scalars],
            player: vec![0; tables],
            reward: vec![0.0; tables * players],
            scores: vec![0.0; tables * players],
            done: vec![0; tables],
            deal_done: vec![0; tables],
        };
        let team = match threads {
            0 => return Err(PyValueError::new_err("threads must be at least 1")),
            1 => None,
            // The calling thread is one of them.
            threads => Some(Team::new(threads - 1)?),
        };
        let mut env = Self {
            seeds: self::seed(seed)?.into(),
            space: Arc::new(space),
            observation,
            agents,
            single_deals,
            places: Vec::new(),
            arrays,
            sizes,
            chosen: vec![0; tables],
            scratch: Scratch::new(),
            team,
            rules,
        };
        env.begin(tables)?;
        Ok(env)
    }

    /// Begins all tables anew, with another seed if one is given.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let Some(seed) = seed {
            self.seeds = self::seed(seed)?.into();
        }
        let tables = self.places.len();
        self.begin(tables)
    }

    /// Makes one decision at each table.
    fn step(&mut self, py: Python<'_>, actions: Actions<'_>) -> PyResult<()> {
        match &actions {
            Actions::Short(array) => self.check_array(array)?,
            Actions::Int(array) => self.check_array(array)?,
            Actions::Long(array) => self.check_array(array)?,
            Actions::List(list) => self.check(list.iter().copied())?,
        }
        let stepped = py.detach(|| {
            let space = Arc::clone(&self.space);
            self.each(|place, part, table| place.step(&space, part, table))
        });
        stepped.map_err(error::value)
    }

    /// The distance to completion of the hand of the player who decides, for each table, in a new array.
    fn distance<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let scratch = &mut self.scratch;
        let tables = self.places.iter().map(|place| &place.table);
        let distances = tables.map(|table| {
            let hand = table.deal().state().hand(table.seat());
            let decomposer = table.rules().plan().decomposer();
            decomposer.distance(&Holding::from(hand), scratch)
        });
        PyArray1::from_vec(py, distances.collect())
    }

    /// The action space.
    #[getter]
    fn action_space(&self) -> ActionSpace {
        ActionSpace {
            space: Arc::clone(&self.space),
        }
    }

    /// The encoding of observations.
    #[getter]
    fn observation(&self) -> Observation {
        Observation {
            observation: self.observation.clone(),
        }
    }

    /// The seed of the match that a table plays, as 64 hexadecimal digits, and its decisions so far: pairs of a seat's
    /// letter and an action in the words of the log.
    fn moves(&self, table: usize) -> PyResult<(String, Vec<(char, String)>)> {
        let place = self.places.get(table).ok_or_else(|| {
            PyValueError::new_err(format!("no table {table}; there are {}", self.places.len()))
        })?;
        Ok(crate::game::moves(&place.table))
    }

    /// For each table the number of its match and the moves of the match as bytes.
    fn save(&self) -> Vec<(u64, Vec<u8>)> {
        let saved = self.places.iter().map(|place| place.table.save());
        saved
            .map(|(game, moves)| (game, moves.to_bytes()))
            .collect()
    }

    /// Restores tables that were saved.
    fn restore(&mut self, saved: Vec<(u64, Vec<u8>)>) -> PyResult<()> {
        let (have, want) = (saved.len(), self.places.len());
        if have != want {
            return Err(PyValueError::new_err(format!(
                "{have} tables were saved, not {want}"
            )));
        }
        for (number, ((game, bytes), place)) in saved.iter().zip(&mut self.places).enumerate() {
            let moves = Moves::from_bytes(bytes).map_err(error::value)?;
            if !place.table.restore(*game, &moves) {
                let fault = format!("table {number}: the moves are of another match");
                return Err(PyValueError::new_err(fault));
            }
            place.note_points();
        }
        self.write_all()
    }

    #[getter]
    fn mask<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<u8>> {
        let env = slf.borrow();
        view_2(&env.arrays.mask, env.sizes.mask, slf)
    }

    #[getter]
    fn legal<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<u16>> {
        let env = slf.borrow();
        view_2(&env.arrays.legal, env.sizes.legal, slf)
    }

    #[getter]
    fn legal_len<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        view_1(&slf.borrow().arrays.legal_len, slf)
    }

    #[getter]
    fn planes<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray3<u8>> {
        let env = slf.borrow();
        let (tables, kinds) = (env.places.len(), env.observation.kinds().len());
        let shape = (tables, env.sizes.planes / kinds.max(1), kinds);
        let view = ArrayView3::from_shape(shape, &env.arrays.planes);
        let view = view.expect("the array has this shape");
        // SAFETY: the array belongs to `slf` and never moves. It is written only in methods of `slf`.
        unsafe { PyArray3::borrow_from_array(&view, slf.clone().into_any()) }
    }

    #[getter]
    fn scalars<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<f32>> {
        let env = slf.borrow();
        view_2(&env.arrays.scalars, env.sizes.scalars, slf)
    }

    #[getter]
    fn player<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<i8>> {
        view_1(&slf.borrow().arrays.player, slf)
    }

    #[getter]
    fn reward<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<f32>> {
        let env = slf.borrow();
        view_2(&env.arrays.reward, env.sizes.players, slf)
    }

    #[getter]
    fn scores<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        let env = slf.borrow();
        view_2(&env.arrays.scores, env.sizes.players, slf)
    }

    #[getter]
    fn done<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<u8>> {
        view_1(&slf.borrow().arrays.done, slf)
    }

    #[getter]
    fn deal_done<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<u8>> {
        view_1(&slf.borrow().arrays.deal_done, slf)
    }
}

impl Env {
    /// Begins `tables` tables.
    fn begin(&mut self, tables: usize) -> PyResult<()> {
        self.places.clear();
        for number in 0..tables {
            let (seeds, agents) = (self.seeds, &self.agents);
            let number = Some(number as u64);
            let table = Table::new(&self.rules, seeds, number, agents, self.single_deals)?;
            let mut place = Place {
                table,
                encoder: encode::Encoder::new(&self.observation),
                points: vec![0.0; self.sizes.players],
            };
            place.begin();
            place.skip_ended();
            self.places.push(place);
        }
        self.write_all()
    }
}

fn view_1<'py, T: numpy::Element>(array: &[T], owner: &Bound<'py, Env>) -> Bound<'py, PyArray1<T>> {
    let view = ArrayView1::from(array);
    // SAFETY: the array belongs to `owner` and never moves. It is written only in methods of `owner`.
    unsafe { PyArray1::borrow_from_array(&view, owner.clone().into_any()) }
}

fn view_2<'py, T: numpy::Element>(
    array: &[T],
    width: usize,
    owner: &Bound<'py, Env>,
) -> Bound<'py, PyArray2<T>> {
    let tables = owner.borrow().places.len();
    let view = ArrayView2::from_shape((tables, width), array).expect("the array has this shape");
    // SAFETY: the array belongs to `owner` and never moves. It is written only in methods of `owner`.
    unsafe { PyArray2::borrow_from_array(&view, owner.clone().into_any()) }
}
