//! One table: a match that Python and built-in agents play.

use crate::error;
use paishan::agent::{self, Agent};
use paishan::game::{Deal, Match, Moves, Observer};
use paishan::log::mjai::{self, Message};
use paishan::log::{LogOptions, Recorder};
use paishan::random::{Seeds, Stream};
use paishan::state::{Action, DealState, Event, Phase};
use paishan::{Notation, Player, Rules, Seat};
use pyo3::PyResult;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The place of a table's matches among the games of a seed: table `t` begins with game `t`, as `paishan simulate` numbers
/// games. Its next match comes so many games later.
const NEXT_MATCH: u64 = 1 << 24;

/// Keeps events until agents are notified.
#[derive(Default)]
struct Events(Vec<Event>);

impl Observer for Events {
    fn event(&mut self, _: &DealState, event: &Event) {
        self.0.push(*event);
    }
}

/// The built-in agents of a table by player. `None` for players that Python plays.
struct Company {
    /// Python may share an environment among threads, so agents must be `Sync`. Nobody locks them.
    agents: Vec<Option<Mutex<Box<dyn Agent>>>>,
    events: Events,
    /// How many events each player has been notified of.
    told: Vec<usize>,
}

impl Company {
    fn agent(&mut self, player: Player) -> Option<&mut dyn Agent> {
        let agent = self.agents[player.index()].as_mut()?;
        let agent = agent.get_mut().unwrap_or_else(PoisonError::into_inner);
        Some(&mut **agent)
    }

    fn tell(&mut self, player: Player, seat: Seat) {
        let events = std::mem::take(&mut self.events.0);
        let told = std::mem::replace(&mut self.told[player.index()], events.len());
        if let Some(agent) = self.agent(player).filter(|agent| agent.listens()) {
            for event in &events[told..] {
                agent.notice(&event.seen_by(seat));
            }
        }
        self.events.0 = events;
    }
}

/// Creates the agents of a table.
fn company(rules: &Rules, names: &[Option<String>]) -> PyResult<Option<Company>> {
    if names.iter().all(Option::is_none) {
        return Ok(None);
    }
    let make = |name: &Option<String>| {
        let agent = name.as_ref().map(|name| agent::by_name(name, rules.plan()));
        agent.transpose().map(|agent| agent.map(Mutex::new))
    };
    let agents: Result<Vec<_>, _> = names.iter().map(make).collect();
    Ok(Some(Company {
        agents: agents.map_err(error::value)?,
        events: Events::default(),
        told: vec![0; names.len()],
    }))
}

/// What has happened since the last decision of a Python player.
#[derive(Clone, Copy, Default)]
pub struct Progress {
    /// The match ended.
    pub is_over: bool,
    /// A deal ended.
    pub deal_ended: bool,
}

/// One table.
pub struct Table {
    rules: Rules,
    /// The seeds of the run and the number of the table's match among its games. Without a number they are those of the
    /// match itself.
    seeds: Seeds,
    game: Option<u64>,
    series: Match<Rules>,
    deal: Deal<Rules>,
    company: Option<Company>,
    /// Every deal is a match of its own.
    single_deals: bool,
    /// The decisions of the match so far.
    decisions: Vec<(Seat, Action)>,
    seat: Seat,
    /// Totals in points before and after what has happened.
    pub progress: Progress,
}

impl Table {
    /// Table `number` of a run, or a single match, at its first decision by a Python player.
    pub fn new(
        rules: &Rules,
        seeds: Seeds,
        number: Option<u64>,
        agents: &[Option<String>],
        single_deals: bool,
    ) -> PyResult<Self> {
        let series = Match::new(rules.clone(), seeds.game);
        let mut table = Self {
            deal: series.start_deal(),
            series,
            seeds,
            game: number,
            company: company(rules, agents)?,
            single_deals,
            decisions: Vec::new(),
            seat: Seat::EAST,
            progress: Progress::default(),
            rules: rules.clone(),
        };
        table.begin_match();
        Ok(table)
    }

    /// The number of the table's match among the games of the run, and the moves of the match.
    pub fn save(&self) -> (u64, Moves) {
        let moves = Moves::of(self.match_seed(), self.decisions.clone());
        (self.game.unwrap_or_default(), moves)
    }

    /// What a player may know of the match so far, as messages of mjai that follow the first `told` ones.
    pub fn mjai(&self, player: Player, told: usize) -> PyResult<VecDeque<Message>> {
        let plan = self.rules.plan();
        let names = Player::all(plan.players()).map(|player| player.index().to_string());
        let mut options = LogOptions::new(names.collect(), Notation::Mjai);
        options.viewer = Some(player);
        let (mut messages, mut seen) = (VecDeque::new(), 0);
        let mut recorder = Recorder::new(plan, options, |line| {
            if let Some(message) = Message::plain(plan, &line) {
                seen += 1;
                if seen > told {
                    mjai::queue(&mut messages, message);
                }
            }
        });
        let (_, moves) = self.save();
        let series = Match::new(&self.rules, moves.game_seed());
        let resumed = moves.resume_observed(series, &mut recorder);
        let (series, deal) = resumed.map_err(error::value)?;
        if series.is_over() {
            recorder.match_ended(series.state());
        } else if deal.is_none() {
            // No seat has decided in this deal yet.
            series.start_deal_observed(&mut recorder);
        }
        drop(recorder);
        Ok(messages)
    }

    /// Plays a match again up to where it was saved. False if it cannot be played so.
    pub fn restore(&mut self, game: u64, moves: &Moves) -> bool {
        self.game = self.game.map(|_| game);
        if self.match_seed() != moves.game_seed() {
            return false;
        }
        self.begin_match();
        while self.decisions.len() < moves.decisions().len() {
            let (_, action) = moves.decisions()[self.decisions.len()];
            if self.progress.is_over || !self.is_legal(action) {
                return false;
            }
            self.act(action);
        }
        self.decisions == moves.decisions()
    }

    /// Begins the next match of the table.
    pub fn next_match(&mut self) {
        self.game = self.game.map(|game| game.wrapping_add(NEXT_MATCH));
        self.begin_match();
    }

    /// The seeds of the match.
    fn match_seeds(&self) -> Seeds {
        self.game
            .map_or(self.seeds, |game| self.seeds.of_game(game))
    }

    fn begin_match(&mut self) {
        self.series = Match::new(self.rules.clone(), self.match_seeds().game);
        self.decisions.clear();
        self.begin_deal();
        self.progress = Progress::default();
        self.play_agents();
    }

    fn begin_deal(&mut self) {
        let (seeds, series) = (self.match_seeds(), &self.series);
        self.deal = match &mut self.company {
            None => series.start_deal(),
            Some(company) => {
                let deal = series.deal_number();
                for player in Player::all(company.agents.len()) {
                    if let Some(agent) = company.agent(player) {
                        agent.begin(Stream::of_agent(seeds.agents, deal, player));
                    }
                }
                company.told.fill(0);
                company.events.0.clear();
                series.start_deal_observed(&mut company.events)
            }
        };
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The deal.
    pub fn deal(&self) -> &Deal<Rules> {
        &self.deal
    }

    /// The seat that decides.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The seat of a player. `None` for a player that the table does not have.
    pub fn seat_of(&self, player: usize) -> Option<Seat> {
        let state = self.deal.state();
        let known = Player::new(player).filter(|_| player < state.players());
        known.map(|player| player.seat(state.dealer(), state.players()))
    }

    /// The same table again, to be played on independently. `None` for a table with built-in agents, whose memory cannot
    /// be copied.
    pub fn copied(&self) -> Option<Self> {
        self.company.is_none().then(|| Self {
            rules: self.rules.clone(),
            seeds: self.seeds,
            game: self.game,
            series: self.series.clone(),
            deal: self.deal.clone(),
            company: None,
            single_deals: self.single_deals,
            decisions: self.decisions.clone(),
            seat: self.seat,
            progress: self.progress,
        })
    }

    /// The player of the seat that decides.
    pub fn player(&self) -> usize {
        let state = self.deal.state();
        self.seat.player(state.dealer(), state.players()).index()
    }

    /// The decisions of the match so far, those of agents included.
    pub fn decisions(&self) -> &[(Seat, Action)] {
        &self.decisions
    }

    /// The seed of the match.
    pub fn match_seed(&self) -> paishan::random::Seed {
        self.match_seeds().game
    }

    /// True if an action is legal for the seat that decides.
    #[inline]
    pub fn is_legal(&self, action: Action) -> bool {
        self.deal.legal(self.seat).contains(action)
    }

    /// Makes a decision that is known to be legal, and lets agents play until a Python player decides or the match is
    /// over.
    #[inline]
    pub fn act(&mut self, action: Action) {
        self.progress = Progress::default();
        self.decide(action);
        self.play_agents();
    }

    #[inline]
    fn decide(&mut self, action: Action) {
        let acted = match &mut self.company {
            None => self.deal.act(self.seat, action),
            Some(company) => self
                .deal
                .act_observed(self.seat, action, &mut company.events),
        };
        debug_assert!(acted.is_ok(), "only legal actions come here");
        self.decisions.push((self.seat, action));
    }

    /// Lets agents play until a Python player decides or the match is over.
    #[inline]
    fn play_agents(&mut self) {
        loop {
            let state = self.deal.state();
            let seat = match state.phase() {
                Phase::Turn(turn) => Some(turn.seat),
                _ => state.deciding().next(),
            };
            let Some(seat) = seat else {
                self.end_deal();
                if self.progress.is_over {
                    return;
                }
                self.begin_deal();
                continue;
            };
            self.seat = seat;
            let Some(company) = &mut self.company else {
                return;
            };
            let state = self.deal.state();
            let player = seat.player(state.dealer(), state.players());
            if company.agents[player.index()].is_none() {
                return;
            }
            company.tell(player, seat);
            let Some(agent) = company.agent(player) else {
                return;
            };
            let action = agent.decide(&state.view(seat), self.deal.legal(seat));
            self.decide(action);
        }
    }

    /// Records the deal, tells agents its end, and finds out whether the match is over.
    fn end_deal(&mut self) {
        if let Some(company) = &mut self.company {
            let state = self.deal.state();
            for seat in Seat::all(state.players()) {
                company.tell(seat.player(state.dealer(), state.players()), seat);
            }
        }
        // The deal belongs to the match, so only a faulty ruleset could refuse it.
        let recorded = self.series.finish(&self.deal).is_ok();
        self.progress.deal_ended = true;
        self.progress.is_over = !recorded || self.series.is_over() || self.single_deals;
    }

    /// The totals by player in points: at the end of a match with everything that the match adds.
    pub fn points(&self, player: usize) -> f64 {
        let per_point = self.rules.plan().units_per_point() as f64;
        let state = self.series.state();
        let total = match self.series.is_over() {
            true => state.results().get(player).copied().unwrap_or_default(),
            false => state.totals().get(player).copied().unwrap_or_default(),
        };
        total as f64 / per_point
    }
}
