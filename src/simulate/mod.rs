//! Whole matches played by agents. [`play`] plays one match, and [`run`] plays many. [`Summary`] and
//! [`Statistics`] add up the results.

mod causes;
mod price;
mod statistics;

pub use causes::{Cause, CausePoints, Causes};
pub use price::PriceUnit;
pub use statistics::{Collector, Statistics, run};

use crate::agent::{Agent, notify};
use crate::game::{ActionError, Deal, Match, MatchState, Next, Observer, Outcome, RecordError};
use crate::random::{Seeds, Stream};
use crate::ruleset::Ruleset;
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::state::{Action, DealState, Event, Legal};
use std::cell::RefCell;

/// The error for a match that could not be played to its end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The number of agents is not the number of players.
    #[error("{have} agents for {want} players")]
    Agents {
        /// How many agents were given.
        have: usize,
        /// How many players sit at the table.
        want: usize,
    },
    /// The match does not record a deal. Only a faulty ruleset causes this.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An agent chose an action that is not legal.
    #[error("player {player} in hand {hand}: {error}")]
    Action {
        /// The player of the agent.
        player: Player,
        /// The number of the deal in the match, from 1.
        hand: u32,
        /// Why the action was refused.
        error: ActionError,
    },
}

/// From which tiles of the wall the seats draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Draws {
    /// The next tile, whoever draws it.
    #[default]
    InTurn,
    /// Each seat from its own stream ([`Wall::in_streams`](crate::Wall::in_streams)), so a claim does not change
    /// what the others draw. Logs and saved matches do not store this, and `log::replay` refuses such a log.
    InStreams,
}

/// Plays a match. `agents` are in player order, and everything else follows from the seeds.
///
/// Agents draw random numbers from a separate seed, so walls do not depend on agents, and no random number of an agent
/// reveals a wall. If only one seed is given, the agents' seed follows from it ([`Seeds`]).
///
/// ```
/// use paishan::{Rules, agent, simulate};
/// let woo = Rules::by_id("woo")?;
/// let mut agents = agent::for_all("random", woo.plan())?;
/// let series = simulate::play(&woo, &mut agents, 7, &mut ())?;
/// assert!(series.is_over());
/// assert_eq!(series.deal_number(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The match stops early when [`Observer::wants_more`] returns false.
///
/// # Errors
/// [`PlayError`].
pub fn play<'a>(
    rules: &'a dyn Ruleset,
    agents: &mut [Box<dyn Agent>],
    seeds: impl Into<Seeds>,
    observer: &mut dyn Observer,
) -> Result<Match<&'a dyn Ruleset>, PlayError> {
    play_with(rules, agents, seeds, Draws::InTurn, observer)
}

/// Plays a match like [`play`], with a choice of draws.
///
/// # Errors
/// [`PlayError`].
pub fn play_with<'a>(
    rules: &'a dyn Ruleset,
    agents: &mut [Box<dyn Agent>],
    seeds: impl Into<Seeds>,
    draws: Draws,
    observer: &mut dyn Observer,
) -> Result<Match<&'a dyn Ruleset>, PlayError> {
    let seeds = seeds.into();
    let mut series = Match::new(rules, seeds.game);
    let players = series.state().players();
    if agents.len() != players {
        return Err(PlayError::Agents {
            have: agents.len(),
            want: players,
        });
    }
    observer.match_started(series.state());
    while !series.is_over() && observer.wants_more() {
        for (agent, player) in agents.iter_mut().zip(Player::all(players)) {
            agent.begin(Stream::of_agent(seeds.agents, series.deal_number(), player));
        }
        play_deal(&mut series, agents, draws, observer)?;
    }
    observer.match_ended(series.state());
    Ok(series)
}

/// Keeps events until the agents are notified.
struct EventBuffer<'a>(&'a RefCell<Vec<Event>>);

impl Observer for EventBuffer<'_> {
    fn event(&mut self, _: &DealState, event: &Event) {
        self.0.borrow_mut().push(*event);
    }
}

/// Notifies agents of the events of a deal. Each agent is notified only when it is asked, or when the deal is over. Any
/// other time would reveal that another agent is asked.
struct Teller {
    heard: RefCell<Vec<Event>>,
    /// How many events each seat has been notified of.
    told: [usize; MAX_PLAYERS],
}

impl Teller {
    fn tell(&mut self, seat: Seat, agent: &mut dyn Agent) {
        let told = &mut self.told[seat.index()];
        let heard = self.heard.get_mut();
        notify(agent, seat, &heard[*told..]);
        *told = heard.len();
    }
}

/// Plays the next deal of a match and records it.
// The deal does not leave this function, because a move would copy it.
fn play_deal(
    series: &mut Match<&dyn Ruleset>,
    agents: &mut [Box<dyn Agent>],
    draws: Draws,
    observer: &mut dyn Observer,
) -> Result<(), PlayError> {
    let players = series.state().players();
    let dealer = series.state().dealer();
    let listening = agents.iter().any(|agent| agent.listens());
    let mut teller = Teller {
        heard: RefCell::new(Vec::new()),
        told: [0; MAX_PLAYERS],
    };
    let (rules, mut setup) = (*series.rules(), series.state().setup());
    if draws == Draws::InStreams {
        setup.wall = setup.wall.in_streams(players);
    }
    let mut deal = match listening {
        true => Deal::start_observed(
            rules,
            setup,
            &mut (&mut *observer, EventBuffer(&teller.heard)),
        ),
        false => Deal::start_observed(rules, setup, observer),
    };
    while !deal.state().waiting().is_empty() {
        for seat in deal.state().deciding() {
            let player = seat.player(dealer, players);
            let agent = &mut *agents[player.index()];
            if listening {
                teller.tell(seat, agent);
            }
            let action = agent.decide(&deal.state().view(seat), deal.legal(seat));
            let acted = match listening {
                true => {
                    let mut both = (&mut *observer, EventBuffer(&teller.heard));
                    deal.act_observed(seat, action, &mut both)
                }
                false => deal.act_observed(seat, action, observer),
            };
            acted.map_err(|error| PlayError::Action {
                player,
                hand: series.deal_number(),
                error,
            })?;
        }
    }
    for seat in Seat::all(players).filter(|_| listening) {
        let player = seat.player(dealer, players);
        teller.tell(seat, &mut *agents[player.index()]);
    }
    let next = series.finish(&deal)?;
    if let Some(outcome) = deal.outcome() {
        observer.deal_ended(series.state(), deal.state(), outcome, next);
    }
    Ok(())
}

/// Counts over many matches. All are integers, so parts can be added in any order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Summary {
    /// How many matches were played.
    pub matches: u64,
    /// How many deals were played.
    pub deals: u64,
    /// The number of deals without a winner, including those that a false win ended.
    pub draws: u64,
    /// How many decisions the agents made.
    pub decisions: u64,
    /// How many wins were self-drawn.
    pub self_draws: u64,
    /// How many times each player won.
    pub wins: [u64; MAX_PLAYERS],
    /// For each player the sum of the points of the wins, before settlement.
    pub winning_points: [i64; MAX_PLAYERS],
    /// For each player how many deals had a win with a tile that the player discarded or was robbed of.
    pub deal_ins: [u64; MAX_PLAYERS],
    /// For each player how many melds were made of claimed tiles.
    pub claims: [u64; MAX_PLAYERS],
    /// For each player how many deals had at least one such meld.
    pub claimed_deals: [u64; MAX_PLAYERS],
    /// For each player how many deals ended with an announced hand: riichi, a calling or a standing hand.
    pub announced: [u64; MAX_PLAYERS],
    /// How many times each seat won.
    pub seat_wins: [u64; MAX_PLAYERS],
    /// The points that each player won minus those lost in deals, in the least unit of the ruleset, without what a match
    /// adds at its end.
    pub points: [i64; MAX_PLAYERS],
    /// The points that each seat won minus those lost, in the least unit of the ruleset.
    pub seat_points: [i64; MAX_PLAYERS],
    /// For each player how often the player finished a match in each place, first place first. Players may share a place.
    pub ranks: [[u64; MAX_PLAYERS]; MAX_PLAYERS],
    /// How many winning hands each pattern counted in, in the order of the ruleset's patterns.
    pub patterns: Vec<u64>,
}

fn add(mine: &mut [u64], theirs: &[u64]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = mine.saturating_add(*theirs);
    }
}

impl Summary {
    /// Adds another summary of the same ruleset.
    pub fn merge(&mut self, other: &Self) {
        fn add_points(mine: &mut [i64], theirs: &[i64]) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = mine.saturating_add(*theirs);
            }
        }
        for (mine, theirs) in [
            (&mut self.matches, other.matches),
            (&mut self.deals, other.deals),
            (&mut self.draws, other.draws),
            (&mut self.decisions, other.decisions),
            (&mut self.self_draws, other.self_draws),
        ] {
            *mine = mine.saturating_add(theirs);
        }
        for (mine, theirs) in [
            (&mut self.wins, &other.wins),
            (&mut self.seat_wins, &other.seat_wins),
            (&mut self.deal_ins, &other.deal_ins),
            (&mut self.claims, &other.claims),
            (&mut self.claimed_deals, &other.claimed_deals),
            (&mut self.announced, &other.announced),
        ] {
            add(mine, theirs);
        }
        for (mine, theirs) in [
            (&mut self.winning_points, &other.winning_points),
            (&mut self.points, &other.points),
            (&mut self.seat_points, &other.seat_points),
        ] {
            add_points(mine, theirs);
        }
        for (mine, theirs) in self.ranks.iter_mut().zip(&other.ranks) {
            add(mine, theirs);
        }
        if self.patterns.len() < other.patterns.len() {
            self.patterns.resize(other.patterns.len(), 0);
        }
        add(&mut self.patterns, &other.patterns);
    }

    /// The final places of all players in all matches, first place first.
    pub fn places(&self) -> [u64; MAX_PLAYERS] {
        let mut places = [0; MAX_PLAYERS];
        for ranks in &self.ranks {
            add(&mut places, ranks);
        }
        places
    }

    /// The number of deals with a winner.
    pub fn won(&self) -> u64 {
        self.deals.saturating_sub(self.draws)
    }
}

impl Observer for Summary {
    fn match_started(&mut self, series: &MatchState) {
        self.patterns
            .resize(series.plan().score.patterns().len(), 0);
    }

    fn decided(&mut self, _: &DealState, _: Seat, _: &Legal, _: Action) {
        self.decisions += 1;
    }

    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let players = state.players();
        // An observer that starts in the middle of a match has not seen `match_started`.
        self.patterns
            .resize(series.plan().score.patterns().len(), 0);
        self.deals += 1;
        self.draws += u64::from(outcome.wins.is_empty());
        for seat in Seat::all(players) {
            let delta = outcome.change(series.plan(), state, seat);
            let player = seat.player(state.dealer(), players);
            for points in [
                &mut self.seat_points[seat.index()],
                &mut self.points[player.index()],
            ] {
                *points = points.saturating_add(delta);
            }
            let claims = state.hand(seat).melds().iter();
            let claims = claims.filter(|meld| meld.is_open()).count() as u64;
            let announced = state.riichi(seat).is_some() || state.announced(seat).is_some();
            let deals_in = outcome.wins.iter().any(|(_, win)| win.from == Some(seat));
            self.claims[player.index()] += claims;
            self.claimed_deals[player.index()] += u64::from(claims > 0);
            self.announced[player.index()] += u64::from(announced);
            self.deal_ins[player.index()] += u64::from(deals_in);
        }
        for (seat, win) in &outcome.wins {
            let player = seat.player(state.dealer(), players);
            self.wins[player.index()] += 1;
            self.seat_wins[seat.index()] += 1;
            self.self_draws += u64::from(win.is_self_draw());
            if let Some(score) = &outcome.settlement.scores[*seat] {
                let points = &mut self.winning_points[player.index()];
                *points = points.saturating_add(score.points);
                for place in series.plan().score.counted(&score.lines) {
                    self.patterns[place] += 1;
                }
            }
        }
    }

    fn match_ended(&mut self, series: &MatchState) {
        self.matches += 1;
        for (ranks, rank) in self.ranks.iter_mut().zip(series.ranks()) {
            ranks[rank - 1] += 1;
        }
    }
}
