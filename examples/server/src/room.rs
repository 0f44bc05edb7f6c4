//! [`Room`]: seats, the match, and what is sent when.
//!
//! A room does no input or output. It is told the time, sends to its clients' queues, and says what must be stored
//! ([`Room::advance`]) and when it must be woken ([`Room::wake`]).

use crate::client::Client;
use crate::clock::Clock;
use crate::commitment;
use crate::error::Refusal;
use crate::feed::{Feed, Frame};
use crate::limits::Limits;
use crate::message::{Answer, Join, Options, RoomAnswer, SeatAnswer, Stage};
use crate::store::{Loaded, Save, StoredDeal, StoredRoom, StoredSeat};
use paishan::decimal::Number;
use paishan::game::Moves;
use paishan::host::{HostedMatch, SavedHost, Sitter};
use paishan::log::{Line, LogOptions, Recorder};
use paishan::protocol::EndedAnswer;
use paishan::random::Seeds;
use paishan::state::{Action, Phase};
use paishan::{Lang, Notation, Player, Rules, Seed};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What a room is opened with.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The name of the room.
    pub room: String,
    /// The rules.
    pub rules: Rules,
    /// The id of the ruleset.
    pub ruleset: String,
    /// Options that differ from their defaults.
    pub options: Options,
    /// Who plays, in player order.
    pub sitters: Vec<Sitter>,
    /// The times.
    pub clock: Clock,
    /// The seed of the walls. Those of the agents follow from it.
    pub seed: Seed,
}

/// A seat.
#[derive(Debug)]
struct Place {
    sitter: Sitter,
    name: Option<String>,
    /// The hash of the token.
    token: Option<String>,
    client: Option<Client>,
    bank: Duration,
    ask: Option<Ask>,
}

impl Place {
    fn new(sitter: Sitter, clock: &Clock) -> Self {
        Self {
            sitter,
            name: None,
            token: None,
            client: None,
            bank: Duration::from_millis(clock.bank_ms),
            ask: None,
        }
    }

    fn is_free(&self) -> bool {
        self.sitter == Sitter::Human && self.token.is_none()
    }

    fn is_connected_person(&self) -> bool {
        self.sitter == Sitter::Human && self.client.is_some()
    }
}

/// A question that a player has not answered.
#[derive(Clone, Copy, Debug)]
struct Ask {
    question: u32,
    since: Instant,
    deadline: Instant,
    /// True if the time counts on the player's own clock.
    is_timed: bool,
}

/// A match in play.
struct Play {
    table: HostedMatch,
    feed: Feed,
    /// The frame that was shown last.
    shown: Option<Frame>,
    /// When that was.
    shown_at: Instant,
    /// The earliest time of what follows the frame that was shown last.
    open_at: Instant,
    /// The earliest time of the next decision of a bot on its turn.
    bot_at: Instant,
    /// True if decisions are to be stored before anything more is shown.
    unsaved: bool,
    /// When the table stopped because no person is connected.
    stopped: Option<Instant>,
}

/// A match that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The rules.
    pub rules: Rules,
    /// The names of the players, for the log.
    pub names: Vec<String>,
    /// The seed of the agents.
    pub agent_seed: Seed,
    /// All decisions.
    pub moves: Moves,
    totals: Vec<Number>,
    results: Vec<Number>,
}

impl Finished {
    /// The log of the match, one JSON object a line.
    ///
    /// # Errors
    /// [`Refusal::Stopped`] for decisions that do not fit the rules.
    pub fn log(&self) -> Result<String, Refusal> {
        let stopped = |error: &dyn std::error::Error| Refusal::Stopped(error.to_string());
        let mut options = LogOptions::new(self.names.clone(), Notation::Ujmj);
        options.agent_seed = Some(self.agent_seed);
        let (mut log, mut fault) = (String::new(), None);
        let mut recorder =
            Recorder::new(
                self.rules.plan(),
                options,
                |line: Line| match serde_json::to_string(&line) {
                    Ok(line) => log.extend([line.as_str(), "\n"]),
                    Err(error) => fault = Some(error),
                },
            );
        let played = self.moves.play(&self.rules, &mut recorder);
        played.map_err(|error| stopped(&error))?;
        drop(recorder);
        match fault {
            Some(error) => Err(stopped(&error)),
            None => Ok(log),
        }
    }
}

enum State {
    Waiting,
    Playing(Box<Play>),
    Over(Arc<Finished>),
}

/// A room with its match.
pub struct Room {
    opening: Opening,
    ruleset_name: String,
    ruleset_hash: String,
    commitment: String,
    places: Vec<Place>,
    spectators: Vec<Client>,
    most_spectators: usize,
    /// What spectators are sent later. Only while there are spectators.
    delayed: VecDeque<(Instant, Delayed)>,
    state: State,
    /// True if the room itself is to be stored.
    unsaved: bool,
    /// How many decisions were made since the room is in memory.
    decisions: u64,
}

/// A message to spectators.
enum Delayed {
    /// The same in all languages.
    Text(Arc<str>),
    /// The end of a deal.
    Ended(Box<Frame>, Vec<Number>),
}

/// The name of a person, without what cannot be shown.
fn checked_name(name: &str, most: usize) -> Result<String, Refusal> {
    let name = name.trim();
    let is_shown = |char: char| char.is_alphanumeric() || char == ' ' || char.is_ascii_graphic();
    match !name.is_empty() && name.chars().count() <= most && name.chars().all(is_shown) {
        true => Ok(name.to_owned()),
        false => Err(Refusal::BadName(most)),
    }
}

/// The hash of rules as it is written.
pub fn hash_of(rules: &Rules) -> String {
    format!("{:016x}", rules.plan().content_hash())
}

fn numbers(rules: &Rules, units: &[i64]) -> Vec<Number> {
    let per_point = rules.plan().units_per_point();
    let points = units
        .iter()
        .map(|&units| Number::of_units(units, per_point));
    points.collect()
}

impl Room {
    /// A room that waits for people. A room without people begins at once.
    ///
    /// # Errors
    /// [`Refusal::BadSeats`].
    pub fn open(opening: Opening, limits: &Limits, now: Instant) -> Result<Self, Refusal> {
        // The match is begun once to find faults of the seats before anybody sits down.
        HostedMatch::start_by_steps(
            opening.rules.clone(),
            opening.sitters.clone(),
            opening.seed,
            &mut (),
        )?;
        let sitters = opening.sitters.iter().cloned();
        let places = sitters
            .map(|sitter| Place::new(sitter, &opening.clock))
            .collect();
        let mut room = Self::of_parts(opening, limits, places, State::Waiting);
        room.begin_if_full(now)?;
        Ok(room)
    }

    fn of_parts(opening: Opening, limits: &Limits, places: Vec<Place>, state: State) -> Self {
        Self {
            ruleset_name: opening.rules.plan().names().get(Lang::EN).to_owned(),
            ruleset_hash: hash_of(&opening.rules),
            commitment: commitment::of(opening.seed),
            opening,
            places,
            spectators: Vec::new(),
            most_spectators: limits.spectators,
            delayed: VecDeque::new(),
            state,
            unsaved: true,
            decisions: 0,
        }
    }

    /// A room from the database. A match in play goes on when a person comes back.
    ///
    /// # Errors
    /// [`Refusal::OtherRules`], and [`Refusal::Stopped`] for decisions that do not fit.
    pub fn restore(
        name: &str,
        loaded: Loaded,
        rules: Rules,
        limits: &Limits,
        now: Instant,
    ) -> Result<Self, Refusal> {
        let stored = loaded.room;
        if stored.ruleset_hash != hash_of(&rules) {
            return Err(Refusal::OtherRules(hash_of(&rules)));
        }
        let place = |(seat, bank): (&StoredSeat, &u64)| Place {
            name: seat.name.clone(),
            token: seat.token.clone(),
            bank: Duration::from_millis(*bank),
            ..Place::new(Sitter::of_name(&seat.sitter), &stored.clock)
        };
        let places: Vec<Place> = stored
            .seats
            .iter()
            .zip(&stored.bank_ms)
            .map(place)
            .collect();
        let opening = Opening {
            room: name.to_owned(),
            ruleset: stored.ruleset,
            options: stored.options,
            sitters: places.iter().map(|place| place.sitter.clone()).collect(),
            clock: stored.clock,
            seed: stored.seed,
            rules,
        };
        let mut room = Self::of_parts(opening, limits, places, State::Waiting);
        let moves = Moves::of(stored.seed, loaded.decisions);
        match stored.stage {
            Stage::Waiting => {}
            Stage::Playing => room.begin(&moves, stored.shown, now)?,
            Stage::Over => {
                let series = moves.play(&room.opening.rules, &mut ());
                let series = series.map_err(|error| Refusal::Stopped(error.to_string()))?;
                let (totals, results) = (series.totals().to_vec(), series.state().results());
                room.state = State::Over(room.finished(moves, &totals, &results));
            }
        }
        room.unsaved = false;
        Ok(room)
    }

    fn seeds(&self) -> Seeds {
        self.opening.seed.into()
    }

    fn begin_if_full(&mut self, now: Instant) -> Result<(), Refusal> {
        if self.places.iter().any(Place::is_free) {
            return Ok(());
        }
        self.unsaved = true;
        self.begin(&Moves::new(self.opening.seed), 0, now)
    }

    /// Begins the match, or plays it again up to where it was. Frames up to a number were shown already.
    fn begin(&mut self, moves: &Moves, shown: u64, now: Instant) -> Result<(), Refusal> {
        let rules = self.opening.rules.clone();
        let mut feed = Feed::new(&rules, shown);
        let sitters = self
            .places
            .iter()
            .map(|place| place.sitter.name().to_owned());
        let saved = SavedHost {
            seats: sitters.collect(),
            agent_seed: self.seeds().agents,
            moves: moves.clone(),
        };
        let table = HostedMatch::resume_by_steps(rules, &saved, &mut feed)?;
        feed.rest(table.deal().state(), table.ended());
        let is_old = feed.next().is_some_and(|frame| frame.number <= shown);
        let frame = is_old.then(|| feed.take()).flatten();
        let mut play = Box::new(Play {
            table,
            feed,
            shown: None,
            shown_at: now,
            open_at: now,
            bot_at: now,
            unsaved: false,
            stopped: None,
        });
        if let Some(frame) = frame {
            // The time to answer begins again.
            play.open_at = now + hold(&self.opening.clock, &frame);
            play.bot_at = play.open_at + self.opening.clock.pace();
            play.shown = Some(frame);
        }
        self.state = State::Playing(play);
        self.stop_if_deserted(now);
        Ok(())
    }

    fn finished(&self, moves: Moves, totals: &[i64], results: &[i64]) -> Arc<Finished> {
        let rules = &self.opening.rules;
        let name = |place: &Place| match &place.name {
            Some(name) => name.clone(),
            None => place.sitter.name().to_owned(),
        };
        Arc::new(Finished {
            rules: rules.clone(),
            names: self.places.iter().map(name).collect(),
            agent_seed: self.seeds().agents,
            moves,
            totals: numbers(rules, totals),
            results: numbers(rules, results),
        })
    }

    /// What everybody may know of the room.
    pub fn about(&self) -> RoomAnswer {
        let seat = |place: &Place| SeatAnswer {
            sitter: place.sitter.name().to_owned(),
            name: place.name.clone(),
            connected: place.sitter != Sitter::Human || place.client.is_some(),
        };
        RoomAnswer {
            room: self.opening.room.clone(),
            ruleset: self.opening.ruleset.clone(),
            ruleset_name: self.ruleset_name.clone(),
            ruleset_hash: self.ruleset_hash.clone(),
            options: self.opening.options.clone(),
            units_per_point: self.opening.rules.plan().units_per_point(),
            commitment: self.commitment.clone(),
            clock: self.opening.clock,
            stage: self.stage(),
            seats: self.places.iter().map(seat).collect(),
            spectators: self.spectators.len(),
        }
    }

    /// Whether the match has begun or is over.
    pub fn stage(&self) -> Stage {
        match self.state {
            State::Waiting => Stage::Waiting,
            State::Playing(_) => Stage::Playing,
            State::Over(_) => Stage::Over,
        }
    }

    /// The match, if it is over.
    pub fn log(&self) -> Option<Arc<Finished>> {
        match &self.state {
            State::Over(finished) => Some(Arc::clone(finished)),
            _ => None,
        }
    }

    /// How many decisions were made since the room is in memory.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// True if nobody is connected and no match of bots goes on.
    pub fn is_idle(&self) -> bool {
        let is_played = matches!(self.state, State::Playing(_)) && self.people() == 0;
        !is_played && self.clients().next().is_none()
    }

    fn people(&self) -> usize {
        let people = self.places.iter();
        people.filter(|place| place.sitter == Sitter::Human).count()
    }

    fn clients(&self) -> impl Iterator<Item = &Client> {
        let seated = self.places.iter().filter_map(|place| place.client.as_ref());
        seated.chain(&self.spectators)
    }

    /// Tells everybody how the room stands.
    fn tell_all(&self) {
        let about: Arc<str> = Answer::Room(&self.about()).to_json(None).into();
        self.clients()
            .for_each(|client| client.send(Arc::clone(&about)));
    }

    fn pinned(&self, hash: Option<&str>) -> Result<(), Refusal> {
        match hash {
            Some(hash) if hash != self.ruleset_hash => {
                Err(Refusal::OtherRules(self.ruleset_hash.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Gives a client a seat. The last of them begins the match.
    ///
    /// # Errors
    /// [`Refusal::OtherRules`], [`Refusal::BadName`], [`Refusal::SeatTaken`], [`Refusal::Stopped`].
    pub fn join(
        &mut self,
        client: Client,
        join: &Join,
        limits: &Limits,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), Refusal> {
        self.pinned(join.ruleset_hash.as_deref())?;
        let name = checked_name(&join.name, limits.name)?;
        let number = match join.player {
            Some(number) => Some(number),
            None => self.places.iter().position(Place::is_free),
        };
        let place = number.and_then(|number| self.places.get_mut(number));
        let place = place.filter(|place| place.is_free());
        let (Some(place), Some(player)) = (place, number) else {
            return Err(Refusal::SeatTaken);
        };
        let token = commitment::random::<32>();
        let token = token.map_err(|error| Refusal::Stopped(error.to_string()))?;
        let token = commitment::hex(&token);
        place.token = Some(commitment::of_token(&token));
        place.name = Some(name);
        self.unsaved = true;
        self.seat(client, player, &token, id);
        self.begin_if_full(now)?;
        self.tell_all();
        Ok(())
    }

    /// Gives a client the seat of its token. A connection that has the seat is closed.
    ///
    /// # Errors
    /// [`Refusal::BadToken`].
    pub fn rejoin(
        &mut self,
        client: Client,
        token: &str,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), Refusal> {
        let hash = Some(commitment::of_token(token));
        let player = self.places.iter().position(|place| place.token == hash);
        let player = player.ok_or(Refusal::BadToken)?;
        if let Some(old) = self.places[player].client.take() {
            old.refuse(&Refusal::Replaced, None);
        }
        self.seat(client, player, token, id);
        self.tell_all();
        self.go_on(now);
        self.show_again(player, now);
        Ok(())
    }

    fn seat(&mut self, client: Client, player: usize, token: &str, id: Option<u64>) {
        let room = &self.opening.room;
        let seated = Answer::Seated {
            room,
            player,
            token,
        };
        client.answer(&seated, id);
        self.places[player].client = Some(client);
    }

    /// Starts the clocks again when the first person comes back.
    fn go_on(&mut self, now: Instant) {
        let State::Playing(play) = &mut self.state else {
            return;
        };
        let Some(stopped) = play.stopped.take() else {
            return;
        };
        let passed = now - stopped;
        play.open_at += passed;
        play.bot_at += passed;
        for ask in self
            .places
            .iter_mut()
            .filter_map(|place| place.ask.as_mut())
        {
            ask.since += passed;
            ask.deadline += passed;
        }
    }

    /// Stops the clocks when the last person has gone.
    fn stop_if_deserted(&mut self, now: Instant) {
        if self.people() > 0
            && !self.places.iter().any(Place::is_connected_person)
            && let State::Playing(play) = &mut self.state
        {
            play.stopped.get_or_insert(now);
        }
    }

    /// Sends a player that has come back the table and its question.
    fn show_again(&self, player: usize, now: Instant) {
        let Some(client) = &self.places[player].client else {
            return;
        };
        match &self.state {
            State::Waiting => {}
            State::Playing(play) => {
                if let Some(frame) = &play.shown {
                    self.send_frame(play, frame, player, client);
                }
                self.send_ask(play, player, now);
            }
            State::Over(finished) => client.send(self.over(finished)),
        }
    }

    fn send_frame(&self, play: &Play, frame: &Frame, number: usize, client: &Client) {
        let Some(player) = Player::new(number) else {
            return;
        };
        match &frame.ended {
            Some(_) => client.send(self.ended(frame, &self.totals(play), client.lang)),
            None => {
                let update = Answer::Update {
                    number: frame.number,
                    deal: frame.deal,
                    events: Some(frame.events(player)),
                    view: Box::new(frame.view(player)),
                };
                client.answer(&update, None);
            }
        }
    }

    fn send_ask(&self, play: &Play, number: usize, now: Instant) {
        let place = &self.places[number];
        let (Some(ask), Some(client)) = (place.ask, &place.client) else {
            return;
        };
        let player = Player::new(number);
        let view = player.and_then(|player| play.table.snapshot_in(player, client.lang).ok());
        let Some(view) = view else { return };
        let ask = Answer::Ask {
            question: ask.question,
            ms: ask.deadline.saturating_duration_since(now).as_millis() as u64,
            bank_ms: place.bank.as_millis() as u64,
            view: Box::new(view),
        };
        client.answer(&ask, None);
    }

    fn totals(&self, play: &Play) -> Vec<Number> {
        numbers(&self.opening.rules, play.table.series().totals())
    }

    fn ended(&self, frame: &Frame, totals: &[Number], lang: Lang) -> String {
        let Some(deal) = &frame.ended else {
            return String::new();
        };
        let ended = Answer::Ended {
            number: frame.number,
            ended: Box::new(EndedAnswer::new(&self.opening.rules, deal, lang)),
            totals: totals.to_vec(),
        };
        ended.to_json(None)
    }

    fn over(&self, finished: &Finished) -> String {
        let room = &self.opening.room;
        let over = Answer::Over {
            room,
            totals: finished.totals.clone(),
            results: finished.results.clone(),
            seed: self.opening.seed.hex(),
            commitment: &self.commitment,
            log: format!("/api/rooms/{room}/log"),
        };
        over.to_json(None)
    }

    /// Lets a client watch. It sees what happens from now on, later by the delay.
    ///
    /// # Errors
    /// [`Refusal::OtherRules`], [`Refusal::NoSpectators`], [`Refusal::TooManySpectators`].
    pub fn watch(
        &mut self,
        client: Client,
        hash: Option<&str>,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), Refusal> {
        self.pinned(hash)?;
        if !self.opening.clock.hides_claims(self.people()) {
            return Err(Refusal::NoSpectators);
        }
        if self.spectators.len() >= self.most_spectators {
            return Err(Refusal::TooManySpectators);
        }
        let room = &self.opening.room;
        client.answer(&Answer::Watching { room }, id);
        let is_first = self.spectators.is_empty();
        self.spectators.push(client.clone());
        match &self.state {
            State::Playing(play) if is_first => {
                if let Some(frame) = play.shown.clone() {
                    let totals = self.totals(play);
                    self.delay(frame, totals, now);
                }
            }
            State::Over(finished) => client.send(self.over(finished)),
            _ => {}
        }
        self.tell_all();
        Ok(())
    }

    /// Keeps what spectators see later.
    fn delay(&mut self, frame: Frame, totals: Vec<Number>, now: Instant) {
        let message = match frame.ended {
            Some(_) => Delayed::Ended(Box::new(frame), totals),
            None => {
                let update = Answer::Update {
                    number: frame.number,
                    deal: frame.deal,
                    events: None,
                    view: Box::new(frame.public_view()),
                };
                Delayed::Text(update.to_json(None).into())
            }
        };
        let at = now + self.opening.clock.watch_delay();
        self.delayed.push_back((at, message));
    }

    /// A connection leaves, or is lost. A seat is free again if the match has not begun and its owner leaves.
    pub fn leave(&mut self, client: u64, gives_up: bool, now: Instant) {
        let is_it = |other: &Client| other.id() == client;
        self.spectators.retain(|other| !is_it(other));
        if self.spectators.is_empty() {
            self.delayed.clear();
        }
        let waits = matches!(self.state, State::Waiting);
        for place in &mut self.places {
            if place.client.as_ref().is_some_and(is_it) {
                place.client = None;
                if gives_up && waits {
                    place.name = None;
                    place.token = None;
                    self.unsaved = true;
                }
            }
        }
        self.stop_if_deserted(now);
        self.tell_all();
    }

    /// Takes a decision of the client's own seat.
    ///
    /// # Errors
    /// [`Refusal::NotAsked`], [`Refusal::BadAction`], [`Refusal::NotLegal`], [`Refusal::Stopped`].
    pub fn act(
        &mut self,
        client: &Client,
        question: u32,
        action: &str,
        id: Option<u64>,
        now: Instant,
    ) -> Result<(), Refusal> {
        let is_it = |place: &Place| {
            place
                .client
                .as_ref()
                .is_some_and(|one| one.id() == client.id())
        };
        let number = self
            .places
            .iter()
            .position(is_it)
            .ok_or(Refusal::NotAsked)?;
        let player = Player::new(number).ok_or(Refusal::NotAsked)?;
        let place = &mut self.places[number];
        let asked = place
            .ask
            .filter(|ask| ask.question == question && now < ask.deadline);
        let (Some(ask), State::Playing(play)) = (asked, &mut self.state) else {
            return Err(Refusal::NotAsked);
        };
        let action: Action = action
            .parse()
            .map_err(|error: paishan::ParseError| Refusal::BadAction(error.to_string()))?;
        play.table.act_observed(player, action, &mut play.feed)?;
        if ask.is_timed {
            place.bank = self.opening.clock.left(place.bank, now - ask.since);
        }
        place.ask = None;
        play.acted();
        self.decisions += 1;
        client.answer(&Answer::Accepted { question }, id);
        Ok(())
    }

    /// Tells everybody that the table stops, and stops it.
    pub fn fail(&mut self, refusal: &Refusal) {
        let message: Arc<str> = Answer::refusal(refusal, None).into();
        for client in self.clients() {
            client.send(Arc::clone(&message));
            client.close();
        }
    }

    /// When something is to be done, if nothing else happens.
    pub fn wake(&self) -> Option<Instant> {
        let mut times = Vec::new();
        if let Some((at, _)) = self.delayed.front() {
            times.push(*at);
        }
        if let State::Playing(play) = &self.state
            && play.stopped.is_none()
        {
            times.extend(play.due(&self.places));
        }
        times.into_iter().min()
    }

    /// Does what is due. Returns what must be stored; the room must be told to go on after that, until there is nothing.
    ///
    /// # Errors
    /// [`Refusal::Stopped`] for a match that cannot go on.
    pub fn advance(&mut self, now: Instant) -> Result<Option<Save>, Refusal> {
        self.show_delayed(now);
        loop {
            if let Some(save) = self.take_unsaved() {
                return Ok(Some(save));
            }
            let State::Playing(play) = &mut self.state else {
                return Ok(None);
            };
            if play.stopped.is_some() {
                return Ok(None);
            }
            let clock = self.opening.clock;
            if play.feed.next().is_some() {
                if now < play.open_at {
                    return Ok(None);
                }
                self.show(now);
            } else if play.is_over() {
                self.end();
            } else if play.asks_people(&self.places) {
                self.ask(now);
            } else if let Some(number) = play.late(&self.places, now) {
                self.act_by_default(number)?;
            } else if play.has_step(now) {
                let made = play.table.moves().decisions().len();
                if !play.table.step(&mut play.feed)? {
                    return Ok(None);
                }
                play.acted();
                play.bot_at = now + clock.pace();
                self.decisions += (play.table.moves().decisions().len() - made) as u64;
            } else {
                return Ok(None);
            }
        }
    }

    /// Shows the next frame.
    fn show(&mut self, now: Instant) {
        let clock = self.opening.clock;
        let State::Playing(play) = &mut self.state else {
            return;
        };
        let Some(frame) = play.feed.take() else {
            return;
        };
        play.shown_at = now;
        play.open_at = now + hold(&clock, &frame);
        play.bot_at = play.open_at + clock.pace();
        play.shown = Some(frame.clone());
        let State::Playing(play) = &self.state else {
            return;
        };
        for (number, place) in self.places.iter().enumerate() {
            if let Some(client) = &place.client {
                self.send_frame(play, &frame, number, client);
            }
        }
        if !self.spectators.is_empty() {
            let totals = self.totals(play);
            self.delay(frame, totals, now);
            // Without a delay it is due now.
            self.show_delayed(now);
        }
    }

    fn show_delayed(&mut self, now: Instant) {
        while self.delayed.front().is_some_and(|(at, _)| *at <= now) {
            match self.delayed.pop_front() {
                Some((_, Delayed::Text(text))) => {
                    self.spectators
                        .iter()
                        .for_each(|client| client.send(Arc::clone(&text)));
                }
                Some((_, Delayed::Ended(frame, totals))) => {
                    for client in &self.spectators {
                        client.send(self.ended(&frame, &totals, client.lang));
                    }
                }
                None => {}
            }
        }
    }

    /// Asks the people who must decide.
    fn ask(&mut self, now: Instant) {
        let clock = self.opening.clock;
        let State::Playing(play) = &self.state else {
            return;
        };
        let answers = matches!(play.table.deal().state().phase(), Phase::Claims(_));
        let waiting: Vec<Player> = play.table.waiting().collect();
        for player in waiting {
            let place = &mut self.places[player.index()];
            if place.ask.is_some() {
                continue;
            }
            place.ask = Some(Ask {
                question: play.feed.decisions(player) + 1,
                since: now,
                deadline: match answers {
                    true if clock.claim_ms > 0 => play.open_at - clock.margin(),
                    true => now + clock.turn(),
                    false => now + clock.turn() + place.bank,
                },
                is_timed: !answers,
            });
            self.send_ask(play, player.index(), now);
        }
    }

    /// Decides for a player whose time is over.
    fn act_by_default(&mut self, number: usize) -> Result<(), Refusal> {
        let State::Playing(play) = &mut self.state else {
            return Ok(());
        };
        let place = &mut self.places[number];
        let (Some(ask), Some(player)) = (place.ask.take(), Player::new(number)) else {
            return Ok(());
        };
        let action = play.table.legal(player)?.default_action();
        let action = action.ok_or(Refusal::NotAsked)?;
        play.table.act_observed(player, action, &mut play.feed)?;
        play.acted();
        self.decisions += 1;
        if ask.is_timed {
            place.bank = Duration::ZERO;
        }
        if let Some(client) = &place.client {
            let (question, action) = (ask.question, action.to_string());
            client.answer(&Answer::Defaulted { question, action }, None);
        }
        Ok(())
    }

    /// Ends the match.
    fn end(&mut self) {
        let State::Playing(play) = &self.state else {
            return;
        };
        let series = play.table.series();
        let (totals, results) = (series.totals().to_vec(), series.state().results());
        let finished = self.finished(play.table.moves().clone(), &totals, &results);
        let over: Arc<str> = self.over(&finished).into();
        let players = self.places.iter().filter_map(|place| place.client.as_ref());
        players.for_each(|client| client.send(Arc::clone(&over)));
        if !self.spectators.is_empty() {
            let at = self.delayed.back().map(|(at, _)| *at);
            let at = at.unwrap_or(play.open_at + self.opening.clock.watch_delay());
            self.delayed.push_back((at, Delayed::Text(over)));
        }
        self.state = State::Over(finished);
        self.unsaved = true;
        self.tell_all();
    }

    /// What is not stored yet.
    fn take_unsaved(&mut self) -> Option<Save> {
        let mut deal = None;
        let mut shown = 0;
        if let State::Playing(play) = &mut self.state {
            shown = play.shown.as_ref().map_or(0, |frame| frame.number);
            if std::mem::take(&mut play.unsaved) {
                self.unsaved = true;
                let made = &play.table.moves().decisions()[play.feed.before_deal()..];
                if !made.is_empty() {
                    deal = Some(StoredDeal {
                        deal: play.feed.deal(),
                        moves: Moves::of(self.opening.seed, made.to_vec()),
                    });
                }
            }
        }
        if !std::mem::take(&mut self.unsaved) {
            return None;
        }
        let seat = |place: &Place| StoredSeat {
            sitter: place.sitter.name().to_owned(),
            name: place.name.clone(),
            token: place.token.clone(),
        };
        let bank = |place: &Place| place.bank.as_millis() as u64;
        Some(Save {
            room: self.opening.room.clone(),
            stored: Some(StoredRoom {
                ruleset: self.opening.ruleset.clone(),
                options: self.opening.options.clone(),
                ruleset_hash: self.ruleset_hash.clone(),
                clock: self.opening.clock,
                seats: self.places.iter().map(seat).collect(),
                seed: self.opening.seed,
                stage: self.stage(),
                bank_ms: self.places.iter().map(bank).collect(),
                shown,
            }),
            deal,
        })
    }
}

/// The time from a frame to what follows it.
fn hold(clock: &Clock, frame: &Frame) -> Duration {
    match frame {
        frame if frame.is_end => clock.pause(),
        frame if frame.may_be_answered => clock.claim(),
        _ => Duration::ZERO,
    }
}

impl Play {
    /// Notes that a decision was made or a deal was recorded.
    fn acted(&mut self) {
        self.unsaved = true;
        self.feed
            .rest(self.table.deal().state(), self.table.ended());
    }

    fn is_over(&self) -> bool {
        self.table.is_over()
    }

    /// True if a person must decide who was not asked yet.
    fn asks_people(&self, places: &[Place]) -> bool {
        let mut waiting = self.table.waiting();
        waiting.any(|player| places[player.index()].ask.is_none())
    }

    /// A player whose time is over.
    fn late(&self, places: &[Place], now: Instant) -> Option<usize> {
        let is_late = |place: &Place| place.ask.is_some_and(|ask| ask.deadline <= now);
        places.iter().position(is_late)
    }

    /// When the table itself has something to do: the decision of a bot, or the record of a deal that is over. Bots answer
    /// a discard as soon as it is shown, because nobody sees that.
    fn step_at(&self) -> Option<Instant> {
        let state = self.table.deal().state();
        if state.waiting().is_empty() {
            return Some(self.open_at);
        }
        let sitters = self.table.sitters();
        let player = |seat: paishan::Seat| seat.player(state.dealer(), state.players());
        let mut deciding = state.deciding();
        let has_bot = deciding.any(|seat| sitters[player(seat).index()] != Sitter::Human);
        has_bot.then(|| match state.phase() {
            Phase::Claims(_) => self.shown_at,
            _ => self.bot_at,
        })
    }

    fn has_step(&self, now: Instant) -> bool {
        self.step_at().is_some_and(|at| at <= now)
    }

    /// The times at which something is due.
    fn due(&self, places: &[Place]) -> impl Iterator<Item = Instant> {
        let shows = self.feed.next().map(|_| self.open_at);
        let step = match shows {
            Some(_) => None,
            None => self.step_at(),
        };
        let asks = places.iter().filter_map(|place| place.ask);
        let deadlines: Vec<Instant> = asks.map(|ask| ask.deadline).collect();
        shows.into_iter().chain(step).chain(deadlines)
    }
}
