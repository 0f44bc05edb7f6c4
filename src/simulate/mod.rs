//! Whole matches played by agents: [`play`] one, [`run`] many; [`Summary`] and [`Statistics`] add them up.

mod statistics;

pub use statistics::{Collector, Statistics, run};

use crate::agent::Agent;
use crate::game::{ActionError, Deal, Match, MatchState, Next, Observer, Outcome, RecordError};
use crate::random::{Seeds, Stream};
use crate::ruleset::Ruleset;
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::state::{Action, DealState, Event, Legal};
use std::cell::RefCell;

/// A match that could not be played to its end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// There is not one agent for each player.
    #[error("{have} agents for {want} players")]
    Agents {
        /// Agents given.
        have: usize,
        /// Players at the table.
        want: usize,
    },
    /// The match does not take a deal: the ruleset settles it in two ways.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An agent chose what is not legal.
    #[error("player {player} in hand {hand}: {error}")]
    Action {
        /// Whose agent.
        player: Player,
        /// The hand of the match, from 1.
        hand: u32,
        /// What was wrong.
        error: ActionError,
    },
}

/// Plays a match: agents by player, everything else from the seeds. Agents draw from a seed of their own, so
/// that walls do not depend on them and nothing that they draw tells of a wall; of one seed alone theirs
/// follows ([`Seeds`]).
///
/// ```
/// use paishan::{agent, ruleset, simulate};
/// let woo = ruleset::by_id("woo", &[])?;
/// let mut agents: Vec<_> = (0..4).filter_map(|_| agent::by_name("random", woo.plan())).collect();
/// let series = simulate::play(&*woo, &mut agents, 7, &mut ())?;
/// assert!(series.is_over());
/// assert_eq!(series.deal_number(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The match ends early when the observer wants no more.
///
/// # Errors
/// [`PlayError`].
pub fn play<'a>(
    rules: &'a dyn Ruleset,
    agents: &mut [Box<dyn Agent>],
    seeds: impl Into<Seeds>,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Match<&'a dyn Ruleset>, PlayError> {
    let seeds = seeds.into();
    let mut series = Match::new(rules, seeds.game);
    let players = series.players();
    if agents.len() != players {
        return Err(PlayError::Agents {
            have: agents.len(),
            want: players,
        });
    }
    observer.match_started(&series);
    while !series.is_over() && observer.wants_more() {
        for (agent, player) in agents.iter_mut().zip(Player::all(players)) {
            agent.begin(Stream::of_agent(seeds.agents, series.deal_number(), player));
        }
        let deal = play_deal(&series, agents, observer)?;
        let next = series.finish(&deal)?;
        if let Some(outcome) = deal.outcome() {
            observer.deal_ended(&series, deal.state(), outcome, next);
        }
    }
    observer.match_ended(&series);
    Ok(series)
}

/// Keeps events until the agents are told.
struct Ears<'a>(Option<&'a RefCell<Vec<Event>>>);

impl Observer for Ears<'_> {
    fn event(&mut self, _: &DealState, event: &Event) {
        if let Some(heard) = self.0 {
            heard.borrow_mut().push(*event);
        }
    }
}

/// Tells agents what has happened in a deal, each when it is asked or the deal is over and at no other time: that an
/// agent is told now would tell that another is asked.
struct Teller {
    heard: RefCell<Vec<Event>>,
    /// How much each seat has been told.
    told: [usize; MAX_PLAYERS],
}

impl Teller {
    fn tell(&mut self, seat: Seat, agent: &mut dyn Agent) {
        let told = &mut self.told[seat.index()];
        if agent.listens() {
            for event in &self.heard.get_mut()[*told..] {
                agent.notice(&event.seen_by(seat));
            }
        }
        *told = self.heard.get_mut().len();
    }
}

fn play_deal<'a>(
    series: &Match<&'a dyn Ruleset>,
    agents: &mut [Box<dyn Agent>],
    observer: &mut (impl Observer + ?Sized),
) -> Result<Deal<&'a dyn Ruleset>, PlayError> {
    let players = series.players();
    let dealer = series.dealer();
    let listening = agents.iter().any(|agent| agent.listens());
    let mut teller = Teller {
        heard: RefCell::new(Vec::new()),
        told: [0; MAX_PLAYERS],
    };
    let mut deal = {
        let mut observer = (&mut *observer, Ears(listening.then_some(&teller.heard)));
        Deal::start(*series.rules(), series.setup(), &mut observer)
    };
    while !deal.state().waiting().is_empty() {
        for seat in deal.state().deciding() {
            let player = seat.player(dealer, players);
            let agent = &mut *agents[player.index()];
            if listening {
                teller.tell(seat, agent);
            }
            let action = agent.decide(&deal.state().view(seat), deal.legal(seat));
            let mut observer = (&mut *observer, Ears(listening.then_some(&teller.heard)));
            deal.act(seat, action, &mut observer)
                .map_err(|error| PlayError::Action {
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
    Ok(deal)
}

/// Counts over many matches: integers only, so that parts add up to the same whole in any order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Summary {
    /// Matches played.
    pub matches: u64,
    /// Deals played.
    pub deals: u64,
    /// Deals that nobody won, those that a false win ended included.
    pub draws: u64,
    /// Decisions made by agents.
    pub decisions: u64,
    /// Wins with a drawn tile.
    pub self_draws: u64,
    /// Sum of the winners' points.
    pub winning_points: i64,
    /// Wins by player.
    pub wins: [u64; MAX_PLAYERS],
    /// Wins by seat.
    pub seat_wins: [u64; MAX_PLAYERS],
    /// Sum of points won by player.
    pub points: [i64; MAX_PLAYERS],
    /// Sum of points won by seat.
    pub seat_points: [i64; MAX_PLAYERS],
    /// First places by player, shared ones included.
    pub firsts: [u64; MAX_PLAYERS],
    /// Winning hands in which each pattern counted, in the order of the ruleset's patterns.
    pub patterns: Vec<u64>,
}

impl Summary {
    /// Adds another summary of the same ruleset.
    pub fn merge(&mut self, other: &Self) {
        fn add(mine: &mut [u64], theirs: &[u64]) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = mine.saturating_add(*theirs);
            }
        }
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
        self.winning_points = self.winning_points.saturating_add(other.winning_points);
        add(&mut self.wins, &other.wins);
        add(&mut self.seat_wins, &other.seat_wins);
        add_points(&mut self.points, &other.points);
        add_points(&mut self.seat_points, &other.seat_points);
        add(&mut self.firsts, &other.firsts);
        if self.patterns.len() < other.patterns.len() {
            self.patterns.resize(other.patterns.len(), 0);
        }
        add(&mut self.patterns, &other.patterns);
    }

    /// Deals that somebody won.
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
        // Whoever watches from the middle of a match has not been told of its beginning.
        self.patterns
            .resize(series.plan().score.patterns().len(), 0);
        self.deals += 1;
        self.draws += u64::from(outcome.wins.is_empty());
        for seat in Seat::all(players) {
            let delta = outcome.change(series.plan(), state, seat);
            self.seat_points[seat.index()] += delta;
            self.points[seat.player(state.dealer(), players).index()] += delta;
        }
        for (seat, win) in &outcome.wins {
            self.wins[seat.player(state.dealer(), players).index()] += 1;
            self.seat_wins[seat.index()] += 1;
            self.self_draws += u64::from(win.is_self_draw());
            if let Some(score) = &outcome.settlement.scores[*seat] {
                self.winning_points += score.points;
                for line in &score.lines {
                    self.patterns[usize::from(line.pattern)] += 1;
                }
            }
        }
    }

    fn match_ended(&mut self, series: &MatchState) {
        self.matches += 1;
        for (firsts, rank) in self.firsts.iter_mut().zip(series.ranks()) {
            *firsts += u64::from(rank == 1);
        }
    }
}
