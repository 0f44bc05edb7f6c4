//! [`HostedMatch`]: a match that people and bots play together, with undo, hints, save and resume.

use crate::agent::{self, Agent, Decision, UnknownAgent, notify};
use crate::forms::two_forms;
use crate::game::{
    ActionError, Deal, Match, MatchState, Moves, MovesError, Next, Observer, Outcome, RecordError,
};
use crate::lang::Lang;
use crate::log::{Line, LogOptions, Recorder};
use crate::notation::{Notation, Wording};
use crate::random::{Seed, Seeds, Stream};
use crate::request::Request;
use crate::ruleset::{Rules, Ruleset};
use crate::score::Explanation;
use crate::seat::{Player, Seat};
use crate::state::{Action, DealState, Event, Legal, Snapshot, View, Win};
use std::fmt;

/// Who plays for a player of the match.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Sitter {
    /// A person, or a program outside the crate. The match waits for its decisions.
    Human,
    /// An agent of this name, see [`agent::by_name`].
    Agent(String),
}

impl Sitter {
    /// `human`, or the name of the agent.
    pub fn name(&self) -> &str {
        match self {
            Self::Human => "human",
            Self::Agent(name) => name,
        }
    }

    /// Reads a name. Whether there is such an agent is checked when a match begins.
    pub fn of_name(name: &str) -> Self {
        match name {
            "human" => Self::Human,
            name => Self::Agent(name.to_owned()),
        }
    }
}

two_forms! {
    /// A hosted match as a program stores it: with the rules it is the whole match. It has the seeds, so it is secret while
    /// the match goes on.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct SavedHost {
        /// Who plays, in player order: `human`, or the name of an agent.
        pub seats: Vec<String>,
        /// The seed of the agents.
        pub agent_seed: Seed,
        /// The seed of the walls, the hash of the rules, and all decisions.
        pub moves: Moves,
    }
}

/// Why a hosted match refuses something. It stays as it was.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The number of sitters is not the number of players.
    #[error("{have} seats are given, the ruleset has {want} players")]
    Seats {
        /// How many were given.
        have: usize,
        /// How many players there are.
        want: usize,
    },
    /// An agent is unknown, or does not play the ruleset.
    #[error(transparent)]
    Agent(#[from] UnknownAgent),
    /// The player is not at the table.
    #[error("no player {player} at the table")]
    NoSuchPlayer {
        /// The number that was given.
        player: usize,
    },
    /// The player has nothing to decide now.
    #[error("player {player} has nothing to decide")]
    NotAsked {
        /// The player.
        player: usize,
    },
    /// The action is not legal now.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// Bots have played [`HostedMatch::MOST_DEALS`] deals in a row, and the match is not over. Some matches never end if
    /// nobody plays to win.
    #[error("bots have played {MOST_DEALS} deals, and the match is not over")]
    Endless,
    /// There is no decision of a person to take back.
    #[error("there is no decision to take back")]
    NothingToUndo,
    /// Saved decisions do not fit the rules.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// The match does not record a deal. Only a faulty ruleset causes this.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The players of a match, who observe it: the agents, the decisions, and the deals that are over.
struct Company {
    /// The agents, by player. `None` for people.
    agents: Vec<Option<Box<dyn Agent>>>,
    agent_seed: Seed,
    moves: Moves,
    /// The places of people's decisions in `moves`.
    of_people: Vec<usize>,
    /// The number of the deal, from 1.
    deal: u32,
    /// The events of the deal, and how many of them each player's agent has been told.
    heard: Vec<Event>,
    told: Vec<usize>,
    /// The parts of the deal with wins, each with the state after it.
    won: Vec<(DealState, Outcome)>,
    ended: Vec<EndedDeal>,
    /// How many deals ended since a person decided.
    deals_alone: usize,
    /// True while saved decisions are made again. Agents then decide as they did before, so that their random numbers go on
    /// from there.
    repeats: bool,
}

impl Company {
    fn stream(&self, player: Player) -> Stream {
        Stream::of_agent(self.agent_seed, self.deal, player)
    }

    /// Tells a player's agent what happened since it was told last.
    fn notify(&mut self, player: Player, seat: Seat) {
        if let Some(agent) = &mut self.agents[player.index()] {
            let told = &mut self.told[player.index()];
            notify(&mut **agent, seat, &self.heard[*told..]);
            *told = self.heard.len();
        }
    }

    /// The decision of a player's agent, which is notified of events first. `None` for a person.
    fn decide(&mut self, state: &DealState, seat: Seat, legal: &Legal) -> Option<Action> {
        let player = seat.player(state.dealer(), state.players());
        self.notify(player, seat);
        let agent = self.agents[player.index()].as_mut()?;
        Some(agent.decide(&state.view(seat), legal))
    }
}

impl Observer for Company {
    fn deal_started(&mut self, state: &DealState) {
        self.moves.deal_started(state);
        self.heard.clear();
        self.won.clear();
        self.told.fill(0);
        for player in Player::all(self.agents.len()) {
            let stream = self.stream(player);
            if let Some(agent) = &mut self.agents[player.index()] {
                agent.begin(stream);
            }
        }
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        if self.repeats {
            self.decide(state, seat, legal);
        }
        let player = seat.player(state.dealer(), state.players());
        if self.agents[player.index()].is_none() {
            self.of_people.push(self.moves.decisions().len());
            self.ended.clear();
            self.deals_alone = 0;
        }
        self.moves.decided(state, seat, legal, action);
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        self.moves.event(state, event);
        self.heard.push(*event);
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        if !part.wins().is_empty() {
            self.won.push((state.clone(), part.clone()));
        }
    }

    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        for seat in Seat::all(state.players()) {
            self.notify(seat.player(state.dealer(), state.players()), seat);
        }
        if self.ended.len() >= MOST_KEPT {
            self.ended.remove(0);
        }
        self.ended.push(EndedDeal {
            number: self.deal,
            state: state.clone(),
            outcome: outcome.clone(),
            won: std::mem::take(&mut self.won),
        });
        self.deal = series.deal_number();
        self.deals_alone += 1;
    }
}

/// When the bots of a table decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pace {
    /// As soon as they are asked.
    AtOnce,
    /// One at a time, at each [`HostedMatch::step`].
    BySteps,
}

/// A match that people and bots play together. Bots decide at once, so the match always waits for a person or is over.
/// A server that shows each decision after the other begins it [by steps](HostedMatch::start_by_steps).
///
/// Everything follows from the rules, the seeds, the sitters and the decisions of people: [`HostedMatch::save`] gives what
/// a program has to store.
///
/// ```
/// use paishan::host::{HostedMatch, Sitter};
/// use paishan::{Player, Rules};
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let mut sitters = vec![Sitter::Agent("greedy".to_owned()); 4];
/// sitters[0] = Sitter::Human;
/// let mut table = HostedMatch::start(rules, sitters, 7)?;
/// let me = Player::FIRST;
/// for _ in 0..20 {
///     let action = table.hint(me, "value")?;
///     table.act(me, action)?;
/// }
/// table.undo()?;
/// assert_eq!(table.waiting().collect::<Vec<_>>(), [me]);
/// // The same table again, after a crash.
/// let again = HostedMatch::resume(table.rules().clone(), &table.save())?;
/// assert_eq!(again.snapshot(me)?, table.snapshot(me)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HostedMatch<R = Rules> {
    rules: R,
    sitters: Vec<Sitter>,
    series: Match<R>,
    deal: Deal<R>,
    company: Company,
    pace: Pace,
}

/// The most deals that bots play without a decision of a person.
const MOST_DEALS: usize = 5_000;

/// The most deals that are kept of those that ended with one decision.
const MOST_KEPT: usize = 8;

/// A deal that is over, with its last state and its outcome.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EndedDeal {
    /// The number of the deal in the match, from 1.
    pub number: u32,
    /// The state in which play ended.
    pub state: DealState,
    /// Winners, scores and payments.
    pub outcome: Outcome,
    /// The parts of the deal with wins, each with the state after it.
    won: Vec<(DealState, Outcome)>,
}

impl EndedDeal {
    /// The explanation of a winner's score. `None` for other seats.
    pub fn explain(
        &self,
        rules: &dyn Ruleset,
        seat: Seat,
        wording: impl Into<Wording>,
    ) -> Option<Explanation> {
        let has_won = |(winner, _): &(Seat, Win)| *winner == seat;
        let mut parts = self.won.iter();
        let (state, part) = parts.find(|(_, part)| part.wins().iter().any(has_won))?;
        let request = Request::of_deal(rules.plan(), state, part);
        let table = request.check(rules).ok()?;
        let mut all = table
            .explain_settlement(&part.settlement, wording)
            .into_iter();
        all.find(|(winner, _)| *winner == seat)
            .map(|(_, told)| told)
    }
}

impl<R: Ruleset> fmt::Debug for HostedMatch<R> {
    /// Hides the seeds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_struct("HostedMatch");
        told.field("ruleset", &self.rules.plan().id());
        told.field("sitters", &self.sitters);
        told.field("deal", &self.series.deal_number());
        told.finish_non_exhaustive()
    }
}

impl<R: Ruleset + Clone> HostedMatch<R> {
    /// The most deals that bots play without a decision of a person.
    pub const MOST_DEALS: usize = MOST_DEALS;

    /// Begins a match and plays until a person must decide. `sitters` are in player order.
    ///
    /// # Errors
    /// [`HostError::Seats`], [`HostError::Agent`], and [`HostError::Endless`] if no person plays.
    pub fn start(
        rules: R,
        sitters: Vec<Sitter>,
        seeds: impl Into<Seeds>,
    ) -> Result<Self, HostError> {
        let seeds = seeds.into();
        let moves = Moves::new(seeds.game);
        Self::play_again(rules, sitters, seeds.agents, &moves, Pace::AtOnce, &mut ())
    }

    /// Begins a match whose bots decide one at a time, each at a call of [`HostedMatch::step`]. The observer is notified
    /// of what happens.
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::host::{HostedMatch, Sitter};
    /// let sitters = vec![Sitter::of_name("greedy"); 4];
    /// let rules = Rules::by_id("woo")?;
    /// let mut table = HostedMatch::start_by_steps(rules, sitters, 7, &mut ())?;
    /// assert!(table.moves().decisions().is_empty());
    /// while table.series().deal_number() == 1 {
    ///     assert!(table.step(&mut ())?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`HostError::Seats`], [`HostError::Agent`].
    pub fn start_by_steps(
        rules: R,
        sitters: Vec<Sitter>,
        seeds: impl Into<Seeds>,
        observer: &mut dyn Observer,
    ) -> Result<Self, HostError> {
        let seeds = seeds.into();
        let moves = Moves::new(seeds.game);
        Self::play_again(
            rules,
            sitters,
            seeds.agents,
            &moves,
            Pace::BySteps,
            observer,
        )
    }

    /// Plays the decisions of a saved match again, and then until a person must decide.
    ///
    /// # Errors
    /// Those of [`HostedMatch::start`], and [`HostError::Moves`] for decisions that do not fit.
    pub fn resume(rules: R, saved: &SavedHost) -> Result<Self, HostError> {
        Self::resume_at(rules, saved, Pace::AtOnce, &mut ())
    }

    /// [`HostedMatch::resume`] for a match whose bots [decide by steps](HostedMatch::start_by_steps). The observer is
    /// notified of everything that has happened in the match.
    ///
    /// # Errors
    /// Those of [`HostedMatch::start_by_steps`], and [`HostError::Moves`] for decisions that do not fit.
    pub fn resume_by_steps(
        rules: R,
        saved: &SavedHost,
        observer: &mut dyn Observer,
    ) -> Result<Self, HostError> {
        Self::resume_at(rules, saved, Pace::BySteps, observer)
    }

    fn resume_at(
        rules: R,
        saved: &SavedHost,
        pace: Pace,
        observer: &mut dyn Observer,
    ) -> Result<Self, HostError> {
        let names = saved.seats.iter();
        let sitters = names.map(|name| Sitter::of_name(name)).collect();
        let (seed, moves) = (saved.agent_seed, &saved.moves);
        Self::play_again(rules, sitters, seed, moves, pace, observer)
    }

    fn play_again(
        rules: R,
        sitters: Vec<Sitter>,
        agent_seed: Seed,
        moves: &Moves,
        pace: Pace,
        observer: &mut dyn Observer,
    ) -> Result<Self, HostError> {
        let players = rules.plan().players();
        if sitters.len() != players {
            let (have, want) = (sitters.len(), players);
            return Err(HostError::Seats { have, want });
        }
        let agent = |sitter: &Sitter| match sitter {
            Sitter::Human => Ok(None),
            Sitter::Agent(name) => agent::by_name(name, rules.plan()).map(Some),
        };
        let series = Match::new(rules.clone(), moves.game_seed());
        let mut company = Company {
            agents: sitters.iter().map(agent).collect::<Result<_, _>>()?,
            agent_seed,
            moves: Moves::new(moves.game_seed()),
            of_people: Vec::new(),
            deal: series.deal_number(),
            heard: Vec::new(),
            told: vec![0; players],
            won: Vec::new(),
            ended: Vec::new(),
            deals_alone: 0,
            repeats: true,
        };
        let mut watching = (&mut company, observer);
        let (series, deal) = moves.last_deal(series, &mut watching)?;
        watching.0.repeats = false;
        let is_last = |deal: &Deal<R>| series.is_over() || !deal.state().waiting().is_empty();
        let deal = match deal.filter(is_last) {
            Some(deal) => deal,
            None => series.start_deal_observed(&mut watching),
        };
        let mut table = Self {
            rules,
            sitters,
            series,
            deal,
            company,
            pace,
        };
        table.go_on()?;
        Ok(table)
    }

    /// The seat of a player in this deal.
    pub fn seat_of(&self, player: Player) -> Seat {
        player.seat(self.deal.state().dealer(), self.deal.state().players())
    }

    fn player_of(&self, seat: Seat) -> Player {
        seat.player(self.deal.state().dealer(), self.deal.state().players())
    }

    /// Lets agents decide until a person must decide or the match is over, unless they decide by steps.
    fn go_on(&mut self) -> Result<(), HostError> {
        while self.pace == Pace::AtOnce && self.step(&mut ())? {}
        Ok(())
    }

    /// Lets one bot decide, or records a deal that is over and begins the next one. Returns false where nothing is left to
    /// do: people must decide, or the match is over. Only a table whose bots
    /// [decide by steps](HostedMatch::start_by_steps) ever returns true.
    ///
    /// # Errors
    /// [`HostError::Endless`], [`HostError::Record`]. The table stays as it was.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Result<bool, HostError> {
        if self.pace == Pace::BySteps {
            self.company.ended.clear();
        }
        let mut watching = (&mut self.company, observer);
        if self.deal.state().waiting().is_empty() {
            if self.series.is_over() {
                return Ok(false);
            }
            if watching.0.deals_alone >= Self::MOST_DEALS {
                return Err(HostError::Endless);
            }
            let next = self.series.finish(&self.deal)?;
            if let Some(outcome) = self.deal.outcome() {
                watching.deal_ended(self.series.state(), self.deal.state(), outcome, next);
            }
            match self.series.is_over() {
                true => watching.1.match_ended(self.series.state()),
                false => self.deal = self.series.start_deal_observed(&mut watching),
            }
            return Ok(true);
        }
        let state = self.deal.state();
        let player_of = |seat: Seat| seat.player(state.dealer(), state.players());
        let is_agent = |seat: &Seat| self.sitters[player_of(*seat).index()] != Sitter::Human;
        let Some(seat) = state.deciding().find(is_agent) else {
            return Ok(false);
        };
        let action = watching.0.decide(state, seat, self.deal.legal(seat));
        let Some(action) = action else {
            return Ok(false);
        };
        self.deal.act_observed(seat, action, &mut watching)?;
        Ok(true)
    }

    /// The player with a number.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`].
    pub fn player(&self, number: usize) -> Result<Player, HostError> {
        let player = Player::new(number).filter(|player| player.index() < self.sitters.len());
        player.ok_or(HostError::NoSuchPlayer { player: number })
    }

    /// The players who must decide, all of them people, in the order in which a log lists their decisions. Several people
    /// may answer to one discard, in any order. Who is asked is secret: tell each player only what concerns that player.
    pub fn waiting(&self) -> impl Iterator<Item = Player> + '_ {
        let deciding = self.deal.state().deciding();
        let players = deciding.map(|seat| self.player_of(seat));
        players.filter(|player| self.sitters[player.index()] == Sitter::Human)
    }

    /// The legal actions of a player. Empty unless the player must decide.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`].
    pub fn legal(&self, player: Player) -> Result<&Legal, HostError> {
        let player = self.player(player.index())?;
        Ok(self.deal.legal(self.seat_of(player)))
    }

    /// Makes a decision for a person, and plays until a person must decide.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`], [`HostError::NotAsked`], [`HostError::Action`] for an action that is not legal, and
    /// what stops bots afterwards: [`HostError::Endless`], [`HostError::Record`]. The table stays as it was.
    pub fn act(&mut self, player: Player, action: Action) -> Result<(), HostError> {
        self.act_observed(player, action, &mut ())
    }

    /// [`HostedMatch::act`] with an observer, which is notified of the decision and of what follows from it. It is not
    /// notified of what bots do at once.
    ///
    /// # Errors
    /// Those of [`HostedMatch::act`].
    pub fn act_observed(
        &mut self,
        player: Player,
        action: Action,
        observer: &mut dyn Observer,
    ) -> Result<(), HostError> {
        let player = self.player(player.index())?;
        if self.waiting().all(|waiting| waiting != player) {
            let player = player.index();
            return Err(HostError::NotAsked { player });
        }
        let made = self.moves().decisions().len();
        let seat = self.seat_of(player);
        let mut watching = (&mut self.company, observer);
        self.deal.act_observed(seat, action, &mut watching)?;
        if let Err(error) = self.go_on() {
            self.back_to(made)?;
            return Err(error);
        }
        Ok(())
    }

    /// The deals that ended with the last decision of a person, or while bots played alone: usually one at most, and never
    /// more than eight. Where bots decide by steps, the deal that the last step recorded.
    pub fn ended(&self) -> &[EndedDeal] {
        &self.company.ended
    }

    /// Makes the decision that harms a player least, for a player who does not answer in time:
    /// [`Legal::default_action`]. Returns the action.
    ///
    /// # Errors
    /// Those of [`HostedMatch::act`].
    pub fn act_by_default(&mut self, player: Player) -> Result<Action, HostError> {
        let action = self.legal(player)?.default_action();
        let player_number = player.index();
        let action = action.ok_or(HostError::NotAsked {
            player: player_number,
        })?;
        self.act(player, action)?;
        Ok(action)
    }

    /// What an agent would do in the place of a player who must decide. The agent knows what the player has seen in this
    /// deal. Its random numbers begin anew with each hint.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`], [`HostError::NotAsked`], [`HostError::Agent`].
    pub fn hint(&self, player: Player, agent: &str) -> Result<Action, HostError> {
        self.advice(player, agent, |agent, view, legal| {
            agent.decide(view, legal)
        })
    }

    /// The action of [`HostedMatch::hint`] and why the agent would choose it ([`Agent::explain`]).
    ///
    /// # Errors
    /// Those of [`HostedMatch::hint`].
    pub fn explain(&self, player: Player, agent: &str) -> Result<Decision, HostError> {
        self.advice(player, agent, |agent, view, legal| {
            agent.explain(view, legal)
        })
    }

    fn advice<T>(
        &self,
        player: Player,
        agent: &str,
        ask: impl FnOnce(&mut dyn Agent, &View<'_>, &Legal) -> T,
    ) -> Result<T, HostError> {
        let player = self.player(player.index())?;
        let seat = self.seat_of(player);
        let legal = self.deal.legal(seat);
        if !self.deal.state().waiting().contains(seat) {
            let player = player.index();
            return Err(HostError::NotAsked { player });
        }
        let mut agent = agent::by_name(agent, self.rules.plan())?;
        agent.begin(self.company.stream(player));
        notify(&mut *agent, seat, &self.company.heard);
        Ok(ask(&mut *agent, &self.deal.state().view(seat), legal))
    }

    /// Takes back the last decision of a person and everything that came after it.
    ///
    /// # Errors
    /// [`HostError::NothingToUndo`].
    pub fn undo(&mut self) -> Result<(), HostError> {
        let &last = self
            .company
            .of_people
            .last()
            .ok_or(HostError::NothingToUndo)?;
        self.back_to(last)
    }

    /// Goes back to the table before decision number `made`, counted from 0.
    fn back_to(&mut self, made: usize) -> Result<(), HostError> {
        let mut moves = self.moves().clone();
        moves.truncate(made);
        *self = self.with(&moves)?;
        Ok(())
    }

    /// The same table once more, to try out something else.
    ///
    /// # Errors
    /// None that a table which has got this far gives.
    pub fn fork(&self) -> Result<Self, HostError> {
        self.with(self.moves())
    }

    /// A table with the same players and other decisions.
    fn with(&self, moves: &Moves) -> Result<Self, HostError> {
        let (rules, sitters) = (self.rules.clone(), self.sitters.clone());
        let (seed, pace) = (self.company.agent_seed, self.pace);
        Self::play_again(rules, sitters, seed, moves, pace, &mut ())
    }

    /// Everything that must be stored to [resume](HostedMatch::resume) the match, beside the rules.
    pub fn save(&self) -> SavedHost {
        let seats = self.sitters.iter().map(|sitter| sitter.name().to_owned());
        SavedHost {
            seats: seats.collect(),
            agent_seed: self.company.agent_seed,
            moves: self.moves().clone(),
        }
    }

    /// What a player sees, with the player's legal actions.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`].
    pub fn snapshot(&self, player: Player) -> Result<Snapshot, HostError> {
        self.snapshot_in(player, Lang::EN)
    }

    /// [`HostedMatch::snapshot`] with the words of actions in a language.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`].
    pub fn snapshot_in(&self, player: Player, lang: Lang) -> Result<Snapshot, HostError> {
        let player = self.player(player.index())?;
        Ok(self.deal.snapshot_in(self.seat_of(player), lang))
    }

    /// What everybody sees.
    pub fn public_snapshot(&self) -> Snapshot {
        self.deal.public_snapshot()
    }

    /// The log of the match so far, of everything or as one player sees it. The last lines are those of the last event.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`].
    pub fn log(&self, viewer: Option<Player>, notation: Notation) -> Result<Vec<Line>, HostError> {
        let viewer = viewer
            .map(|player| self.player(player.index()))
            .transpose()?;
        let names = self.sitters.iter().map(|sitter| sitter.name().to_owned());
        let options = LogOptions {
            viewer,
            agent_seed: viewer.is_none().then_some(self.company.agent_seed),
            ..LogOptions::new(names.collect(), notation)
        };
        let mut lines = Vec::new();
        let mut recorder = Recorder::new(self.rules.plan(), options, |line| lines.push(line));
        let series = Match::new(&self.rules, self.moves().game_seed());
        let (series, deal) = self.moves().resume_observed(series, &mut recorder)?;
        if series.is_over() {
            recorder.match_ended(series.state());
        } else if deal.is_none() {
            // No seat has decided in this deal yet.
            series.start_deal_observed(&mut recorder);
        }
        Ok(lines)
    }

    /// True when the match is over.
    pub fn is_over(&self) -> bool {
        self.series.is_over()
    }

    /// The match: its totals, the number of the deal.
    pub fn series(&self) -> &Match<R> {
        &self.series
    }

    /// The deal in play. When the match is over, its last deal.
    pub fn deal(&self) -> &Deal<R> {
        &self.deal
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The seeds. They are secret while the match goes on.
    pub fn seeds(&self) -> Seeds {
        Seeds {
            game: self.moves().game_seed(),
            agents: self.company.agent_seed,
        }
    }

    /// Who plays, in player order.
    pub fn sitters(&self) -> &[Sitter] {
        &self.sitters
    }

    /// All decisions so far.
    pub fn moves(&self) -> &Moves {
        &self.company.moves
    }
}
