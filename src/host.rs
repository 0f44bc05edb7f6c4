//! [`HostedMatch`]: a match that people and bots play together, with undo, hints, save and resume.

use crate::agent::{self, Agent, UnknownAgent, notify};
use crate::forms::two_forms;
use crate::game::{ActionError, Deal, Match, Moves, MovesError, Observer, Outcome, RecordError};
use crate::log::{Line, LogOptions, Recorder};
use crate::notation::Notation;
use crate::random::{Seed, Seeds, Stream};
use crate::request::Request;
use crate::ruleset::{Rules, Ruleset};
use crate::score::Explanation;
use crate::seat::{Player, Seat};
use crate::state::{Action, DealState, Event, Legal, Snapshot};
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

/// Records decisions, and the events of the deal for the agents.
struct Watch<'a> {
    moves: &'a mut Moves,
    heard: &'a mut Vec<Event>,
}

impl Observer for Watch<'_> {
    fn deal_started(&mut self, state: &DealState) {
        self.moves.deal_started(state);
        self.heard.clear();
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        self.moves.decided(state, seat, legal, action);
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        self.moves.event(state, event);
        self.heard.push(*event);
    }
}

/// A match that people and bots play together. Bots decide at once, so the match always waits for a person or is over.
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
    seeds: Seeds,
    sitters: Vec<Sitter>,
    /// The agents, by player. `None` for people.
    agents: Vec<Option<Box<dyn Agent>>>,
    series: Match<R>,
    deal: Deal<R>,
    moves: Moves,
    /// The places of people's decisions in `moves`.
    of_people: Vec<usize>,
    /// The events of the deal, and how many of them each player's agent has been told.
    heard: Vec<Event>,
    told: Vec<usize>,
    ended: Vec<EndedDeal>,
    /// How many deals ended since a person decided.
    deals_alone: usize,
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
}

impl EndedDeal {
    /// The explanation of a winner's score. `None` for other seats, and in rulesets in which play goes on after a win: there
    /// a deal is scored in parts, and a part is explained only while it is paid
    /// ([`Observer::paid`]).
    pub fn explain(
        &self,
        rules: &dyn Ruleset,
        seat: Seat,
        notation: Notation,
    ) -> Option<Explanation> {
        let plan = rules.plan();
        let won = self
            .outcome
            .wins()
            .iter()
            .any(|(winner, _)| *winner == seat);
        let score = self.outcome.settlement.scores[seat]
            .as_ref()
            .filter(|_| won)?;
        let request = Request::of_deal(plan, &self.state, &self.outcome);
        let table = request.check(rules).ok()?;
        let input = table.inputs().find(|input| input.seat == seat)?;
        Some(plan.explain(&input, score, notation))
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
        let mut table = Self::set_up(rules, sitters, seeds.into())?;
        table.go_on()?;
        Ok(table)
    }

    /// Plays the decisions of a saved match again, and then until a person must decide.
    ///
    /// # Errors
    /// Those of [`HostedMatch::start`], and [`HostError::Moves`] for decisions that do not fit.
    pub fn resume(rules: R, saved: &SavedHost) -> Result<Self, HostError> {
        let sitters = saved
            .seats
            .iter()
            .map(|name| Sitter::of_name(name))
            .collect();
        let moves = &saved.moves;
        let seeds = Seeds {
            game: moves.game_seed(),
            agents: saved.agent_seed,
        };
        let mut table = Self::set_up(rules, sitters, seeds)?;
        let expected = table.rules.plan().content_hash();
        if let Some(found) = moves.rules_hash().filter(|&found| found != expected) {
            return Err(MovesError::OtherRules { found, expected }.into());
        }
        let all = moves.decisions().len();
        for (made, &(seat, action)) in moves.decisions().iter().enumerate() {
            table.end_deals()?;
            if seat.index() >= table.sitters.len() {
                let error = ActionError::NoSuchSeat { seat };
                return Err(MovesError::Action {
                    at: made + 1,
                    error,
                }
                .into());
            }
            if table.is_over() {
                return Err(MovesError::Surplus { at: made, all }.into());
            }
            let player = table.player_of(seat);
            // An agent decides as it did before, so that its random numbers go on from there.
            if table.deal.state().waiting().contains(seat) {
                table.decide(player);
            }
            let refused = |error| MovesError::Action {
                at: made + 1,
                error,
            };
            table.make(player, action).map_err(refused)?;
        }
        table.go_on()?;
        Ok(table)
    }

    /// The table before the first decision.
    fn set_up(rules: R, sitters: Vec<Sitter>, seeds: Seeds) -> Result<Self, HostError> {
        let players = rules.plan().players();
        if sitters.len() != players {
            let (have, want) = (sitters.len(), players);
            return Err(HostError::Seats { have, want });
        }
        let agent = |sitter: &Sitter| match sitter {
            Sitter::Human => Ok(None),
            Sitter::Agent(name) => agent::by_name(name, rules.plan()).map(Some),
        };
        let agents = sitters.iter().map(agent).collect::<Result<_, _>>()?;
        let series = Match::new(rules.clone(), seeds.game);
        let mut moves = Moves::new(seeds.game);
        let mut heard = Vec::new();
        let deal = series.start_deal_observed(&mut Watch {
            moves: &mut moves,
            heard: &mut heard,
        });
        let mut table = Self {
            rules,
            seeds,
            sitters,
            agents,
            series,
            deal,
            moves,
            of_people: Vec::new(),
            heard,
            told: vec![0; players],
            ended: Vec::new(),
            deals_alone: 0,
        };
        table.begin_agents();
        Ok(table)
    }

    fn stream(&self, player: Player) -> Stream {
        Stream::of_agent(self.seeds.agents, self.series.deal_number(), player)
    }

    /// Tells the agents that a deal begins.
    fn begin_agents(&mut self) {
        for player in Player::all(self.agents.len()) {
            let stream = self.stream(player);
            if let Some(agent) = &mut self.agents[player.index()] {
                agent.begin(stream);
            }
        }
        self.told.fill(0);
    }

    /// The seat of a player in this deal.
    pub fn seat_of(&self, player: Player) -> Seat {
        player.seat(self.deal.state().dealer(), self.deal.state().players())
    }

    fn player_of(&self, seat: Seat) -> Player {
        seat.player(self.deal.state().dealer(), self.deal.state().players())
    }

    /// The decision of a player's agent, which is notified of events first. `None` for a person.
    fn decide(&mut self, player: Player) -> Option<Action> {
        let seat = self.seat_of(player);
        let agent = self.agents[player.index()].as_mut()?;
        let told = &mut self.told[player.index()];
        notify(&mut **agent, seat, &self.heard[*told..]);
        *told = self.heard.len();
        Some(agent.decide(&self.deal.state().view(seat), self.deal.legal(seat)))
    }

    /// Makes a decision.
    fn make(&mut self, player: Player, action: Action) -> Result<(), ActionError> {
        let seat = self.seat_of(player);
        let place = self.moves.decisions().len();
        let mut watch = Watch {
            moves: &mut self.moves,
            heard: &mut self.heard,
        };
        self.deal.act_observed(seat, action, &mut watch)?;
        if self.sitters[player.index()] == Sitter::Human {
            self.of_people.push(place);
            self.ended.clear();
            self.deals_alone = 0;
        }
        Ok(())
    }

    /// Records the deal if it is over and starts the next one, unless the match is over.
    fn end_deals(&mut self) -> Result<(), HostError> {
        while self.deal.state().waiting().is_empty() && !self.series.is_over() {
            if self.deals_alone >= Self::MOST_DEALS {
                return Err(HostError::Endless);
            }
            self.deals_alone += 1;
            for player in Player::all(self.agents.len()) {
                let seat = self.seat_of(player);
                let told = self.told[player.index()];
                if let Some(agent) = &mut self.agents[player.index()] {
                    notify(&mut **agent, seat, &self.heard[told..]);
                }
            }
            let number = self.series.deal_number();
            self.series.finish(&self.deal)?;
            if let Some(outcome) = self.deal.outcome() {
                if self.ended.len() >= MOST_KEPT {
                    self.ended.remove(0);
                }
                self.ended.push(EndedDeal {
                    number,
                    state: self.deal.state().clone(),
                    outcome: outcome.clone(),
                });
            }
            if !self.series.is_over() {
                self.deal = self.series.start_deal_observed(&mut Watch {
                    moves: &mut self.moves,
                    heard: &mut self.heard,
                });
                self.begin_agents();
            }
        }
        Ok(())
    }

    /// Lets agents decide until a person must decide or the match is over.
    fn go_on(&mut self) -> Result<(), HostError> {
        loop {
            self.end_deals()?;
            let deciding = self.deal.state().deciding();
            let next = deciding
                .map(|seat| self.player_of(seat))
                .find(|player| self.sitters[player.index()] != Sitter::Human);
            let Some(player) = next else {
                return Ok(());
            };
            if let Some(action) = self.decide(player) {
                self.make(player, action)?;
            }
        }
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
        deciding.map(|seat| self.player_of(seat))
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
    /// [`HostError::NoSuchPlayer`], [`HostError::NotAsked`], and [`HostError::Action`] for an action that is not legal.
    pub fn act(&mut self, player: Player, action: Action) -> Result<(), HostError> {
        let player = self.player(player.index())?;
        if self.waiting().all(|waiting| waiting != player) {
            let player = player.index();
            return Err(HostError::NotAsked { player });
        }
        self.make(player, action)?;
        self.go_on()
    }

    /// The deals that ended with the last decision of a person, or while bots played alone: usually one at most, and never
    /// more than eight.
    pub fn ended(&self) -> &[EndedDeal] {
        &self.ended
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
        let player = self.player(player.index())?;
        let seat = self.seat_of(player);
        let legal = self.deal.legal(seat);
        if !self.deal.state().waiting().contains(seat) {
            let player = player.index();
            return Err(HostError::NotAsked { player });
        }
        let mut agent = agent::by_name(agent, self.rules.plan())?;
        agent.begin(self.stream(player));
        notify(&mut *agent, seat, &self.heard);
        Ok(agent.decide(&self.deal.state().view(seat), legal))
    }

    /// Takes back the last decision of a person and everything that came after it.
    ///
    /// # Errors
    /// [`HostError::NothingToUndo`].
    pub fn undo(&mut self) -> Result<(), HostError> {
        let &last = self.of_people.last().ok_or(HostError::NothingToUndo)?;
        let mut moves = self.moves.clone();
        moves.truncate(last);
        *self = self.with(moves)?;
        Ok(())
    }

    /// The same table once more, to try out something else.
    ///
    /// # Errors
    /// None that a table which has got this far gives.
    pub fn fork(&self) -> Result<Self, HostError> {
        self.with(self.moves.clone())
    }

    fn with(&self, moves: Moves) -> Result<Self, HostError> {
        let saved = SavedHost {
            moves,
            ..self.save()
        };
        Self::resume(self.rules.clone(), &saved)
    }

    /// Everything that must be stored to [resume](HostedMatch::resume) the match, beside the rules.
    pub fn save(&self) -> SavedHost {
        let seats = self.sitters.iter().map(|sitter| sitter.name().to_owned());
        SavedHost {
            seats: seats.collect(),
            agent_seed: self.seeds.agents,
            moves: self.moves.clone(),
        }
    }

    /// What a player sees, with the player's legal actions.
    ///
    /// # Errors
    /// [`HostError::NoSuchPlayer`].
    pub fn snapshot(&self, player: Player) -> Result<Snapshot, HostError> {
        let player = self.player(player.index())?;
        Ok(self.deal.snapshot(self.seat_of(player)))
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
            agent_seed: viewer.is_none().then_some(self.seeds.agents),
            ..LogOptions::new(names.collect(), notation)
        };
        let mut lines = Vec::new();
        let mut recorder = Recorder::new(self.rules.plan(), options, |line| lines.push(line));
        let series = Match::new(&self.rules, self.seeds.game);
        let (series, deal) = self.moves.resume_observed(series, &mut recorder)?;
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
        self.seeds
    }

    /// Who plays, in player order.
    pub fn sitters(&self) -> &[Sitter] {
        &self.sitters
    }

    /// All decisions so far.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }
}
