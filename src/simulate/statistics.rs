//! [`Statistics`] of many matches of a ruleset, in integers that can be added.

use super::{Causes, PlayError, Summary, add, play};
use crate::agent::Agent;
use crate::game::{MatchState, Next, Observer, Outcome};
use crate::random::Seeds;
use crate::ruleset::Ruleset;
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::SeatSet;
use crate::state::{Action, DealState, Event, Legal, Phase};
use std::collections::BTreeMap;
use std::ops::Range;

/// Statistics of many matches of a ruleset. All are integers, so parts can be added in any order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Statistics {
    /// Wins, points and decisions.
    pub summary: Summary,
    /// What points were won and lost for.
    pub causes: Causes,
    /// For each seat the sum of the squares of the points that it won or lost in a deal. The dealer comes
    /// first.
    pub seat_squares: [u64; MAX_PLAYERS],
    /// How many wins there are for each number of points before settlement.
    pub win_points: BTreeMap<i64, u64>,
    /// How many wins there are for each number of discards before them.
    pub win_discards: BTreeMap<usize, u64>,
    /// How often each pattern counted in winning hands, in the order of the ruleset's patterns.
    pub pattern_times: Vec<u64>,
    /// How many winning hands had two given patterns. There is a row for each pattern but the first, and it
    /// counts that pattern together with each earlier one.
    pub pattern_pairs: Vec<Vec<u64>>,
    /// For each pattern the final places of players in matches in which they won with it, first place first.
    pub pattern_ranks: Vec<[u64; MAX_PLAYERS]>,
    /// How many hands were complete at least once but worth too little to win. A hand counts once a deal.
    pub refused: u64,
    /// How many of these hands won later in the deal.
    pub refused_and_won: u64,
}

/// Plays the matches of a range of numbers one after another, each from its own seeds ([`Seeds::of_game`]).
/// Parts of a range may be played on different machines. [Merged](Statistics::merge), they equal the whole.
///
/// ```
/// use paishan::simulate::{Statistics, run};
/// use paishan::{Rules, agent};
/// let woo = Rules::by_id("woo")?;
/// let agents = || agent::for_all("random", woo.plan()).expect("an agent of the crate");
/// let whole = run(&woo, agents, 7, 0..20)?;
/// let mut parts = run(&woo, agents, 7, 0..5)?;
/// parts.merge(&run(&woo, agents, 7, 5..20)?);
/// assert_eq!(parts, whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlayError`].
pub fn run(
    rules: &dyn Ruleset,
    agents: impl Fn() -> Vec<Box<dyn Agent>>,
    seeds: impl Into<Seeds>,
    games: Range<u64>,
) -> Result<Statistics, PlayError> {
    let seeds = seeds.into();
    let mut collector = Collector::new(rules);
    let mut agents = agents();
    for game in games {
        play(rules, &mut agents, seeds.of_game(game), &mut collector)?;
    }
    Ok(collector.statistics)
}

impl Statistics {
    /// Adds other statistics of the same ruleset.
    pub fn merge(&mut self, other: &Self) {
        self.summary.merge(&other.summary);
        self.causes.merge(&other.causes);
        self.grow(other.pattern_times.len());
        add(&mut self.seat_squares, &other.seat_squares);
        add(&mut self.pattern_times, &other.pattern_times);
        for (mine, theirs) in self.pattern_pairs.iter_mut().zip(&other.pattern_pairs) {
            add(mine, theirs);
        }
        for (mine, theirs) in self.pattern_ranks.iter_mut().zip(&other.pattern_ranks) {
            add(mine, theirs);
        }
        for (points, count) in &other.win_points {
            let mine = self.win_points.entry(*points).or_default();
            *mine = mine.saturating_add(*count);
        }
        for (discards, count) in &other.win_discards {
            let mine = self.win_discards.entry(*discards).or_default();
            *mine = mine.saturating_add(*count);
        }
        add(std::slice::from_mut(&mut self.refused), &[other.refused]);
        add(
            std::slice::from_mut(&mut self.refused_and_won),
            &[other.refused_and_won],
        );
    }

    /// Makes room for this many patterns.
    fn grow(&mut self, patterns: usize) {
        if self.pattern_times.len() < patterns {
            self.pattern_times.resize(patterns, 0);
            self.pattern_ranks.resize(patterns, [0; MAX_PLAYERS]);
            let rows = self.pattern_pairs.len() + 1..patterns;
            self.pattern_pairs
                .extend(rows.map(|before| vec![0; before]));
        }
    }

    /// How many winning hands had both patterns.
    pub fn both(&self, one: usize, other: usize) -> u64 {
        let (less, more) = (one.min(other), one.max(other));
        let row = more
            .checked_sub(1)
            .and_then(|row| self.pattern_pairs.get(row));
        row.and_then(|row| row.get(less)).copied().unwrap_or(0)
    }
}

/// Collects [`Statistics`] of the matches that it observes, all of one ruleset.
#[derive(Clone, Debug)]
pub struct Collector<'a> {
    rules: &'a dyn Ruleset,
    /// The statistics so far.
    pub statistics: Statistics,
    /// True when a complete hand may be refused as a win.
    may_refuse: bool,
    /// The seats that were refused a win in this deal.
    refused: SeatSet,
    /// How many discards were made before each seat won.
    discards: [usize; MAX_PLAYERS],
    /// For each pattern, which players have won with it in this match.
    won_with: Vec<[bool; MAX_PLAYERS]>,
}

impl<'a> Collector<'a> {
    /// A collector that has seen nothing.
    pub fn new(rules: &'a dyn Ruleset) -> Self {
        let plan = rules.plan();
        let patterns = plan.score.patterns().len();
        let mut statistics = Statistics::default();
        statistics.grow(patterns);
        Self {
            rules,
            statistics,
            may_refuse: plan.may_refuse_complete(),
            refused: SeatSet::EMPTY,
            discards: [0; MAX_PLAYERS],
            won_with: vec![[false; MAX_PLAYERS]; patterns],
        }
    }

    /// Makes room for the patterns of a match.
    fn make_room(&mut self, series: &MatchState) {
        let patterns = series.plan().score.patterns().len();
        self.statistics.grow(patterns);
        if self.won_with.len() < patterns {
            self.won_with.resize(patterns, [false; MAX_PLAYERS]);
        }
    }

    fn refuse(&mut self, seat: Seat) {
        if !self.refused.contains(seat) {
            self.refused.insert(seat);
            self.statistics.refused += 1;
        }
    }
}

impl Observer for Collector<'_> {
    fn match_started(&mut self, series: &MatchState) {
        self.make_room(series);
        self.statistics.summary.match_started(series);
        self.won_with.fill([false; MAX_PLAYERS]);
    }

    fn deal_started(&mut self, _: &DealState) {
        self.refused = SeatSet::EMPTY;
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        self.statistics.summary.decided(state, seat, legal, action);
        let has_drawn = |phase: &Phase| matches!(phase, Phase::Turn(turn) if turn.drawn.is_some());
        if self.may_refuse && !legal.contains(Action::Win) && has_drawn(state.phase()) {
            let decomposer = self.rules.plan().decomposer_of(state.turned_tile());
            let is_useful = !state.holds_barred(seat);
            if is_useful && decomposer.completes(state.hand(seat), None) {
                self.refuse(seat);
            }
        }
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        if let Event::Won { seat, .. } = event {
            self.discards[seat.index()] = state.discards().len();
        }
        let &Event::Discarded { seat, tile, .. } = event else {
            return;
        };
        let (true, Some(kind)) = (self.may_refuse, tile.kind()) else {
            return;
        };
        let could_win = match state.phase() {
            Phase::Claims(claims) => claims.could_win,
            _ => SeatSet::EMPTY,
        };
        let decomposer = self.rules.plan().decomposer_of(state.turned_tile());
        for other in Seat::all(state.players()) {
            // A furiten seat is not refused because of what its hand is worth.
            let is_useful = !state.holds_barred(other) && !state.barred_kinds(other).contains(kind);
            let asks = other != seat
                && !could_win.contains(other)
                && !state.is_furiten(other)
                && !state.out().contains(other)
                && is_useful;
            if asks && decomposer.completes(state.hand(other), Some(kind)) {
                self.refuse(other);
            }
        }
    }

    fn deal_ended(
        &mut self,
        series: &MatchState,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        self.make_room(series);
        let statistics = &mut self.statistics;
        statistics.summary.deal_ended(series, state, outcome, next);
        statistics.causes.deal_ended(series, state, outcome, next);
        for seat in Seat::all(state.players()) {
            let change = outcome.change(series.plan(), state, seat).unsigned_abs();
            let square = &mut statistics.seat_squares[seat.index()];
            *square = square.saturating_add(change.saturating_mul(change));
        }
        for (seat, _) in &outcome.wins {
            let discards = self.discards[seat.index()];
            *statistics.win_discards.entry(discards).or_default() += 1;
            statistics.refused_and_won += u64::from(self.refused.contains(*seat));
            let Some(score) = &outcome.settlement.scores[*seat] else {
                continue;
            };
            *statistics.win_points.entry(score.points).or_default() += 1;
            let player = seat.player(state.dealer(), state.players());
            let rules = &series.plan().score;
            for line in &score.lines {
                for place in rules.counted(std::slice::from_ref(line)) {
                    statistics.pattern_times[place] += u64::from(line.times);
                }
            }
            let mut counted: Vec<usize> = rules.counted(&score.lines).collect();
            counted.sort_unstable();
            for (i, &place) in counted.iter().enumerate() {
                self.won_with[place][player.index()] = true;
                for &before in &counted[..i] {
                    statistics.pattern_pairs[place - 1][before] += 1;
                }
            }
        }
    }

    fn match_ended(&mut self, series: &MatchState) {
        self.statistics.summary.match_ended(series);
        self.statistics.causes.match_ended(series);
        for (player, rank) in series.ranks().into_iter().enumerate() {
            let place = rank - 1;
            for (ranks, won) in self.statistics.pattern_ranks.iter_mut().zip(&self.won_with) {
                ranks[place] += u64::from(won[player]);
            }
        }
    }
}
