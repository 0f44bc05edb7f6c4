//! The state of a match, how it is saved, and what follows a deal.

use super::outcome::Outcome;
use super::setup::{DealSetup, wall_of};
use crate::random::Seed;
use crate::ruleset::{Plan, PlayedDeal, Ruleset, Standing, ranked};
use crate::score::ScoreError;
use crate::seat::{BySeat, MAX_PLAYERS, Player, Seat};
use crate::state::{DealState, OnTable, Progress};
use crate::tile::Wind;
use crate::wall::Wall;
use std::sync::Arc;

/// What follows a deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Next {
    /// The dealer deals again.
    Stay,
    /// Another player deals.
    Pass,
    /// The match is over.
    End,
}

/// The error for a deal that a match does not record.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The ruleset could not settle the deal.
    #[error("the deal cannot be settled: {0}")]
    Settlement(#[from] ScoreError),
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// The deal was played under other rules or options.
    #[error("the deal was played under other rules")]
    OtherRules,
    /// The deal is not over.
    #[error("the deal is not over")]
    Unfinished,
    /// The deal is another one of the match, or has been recorded before.
    #[error("this is not the match's deal {expected}: it is a deal {found}")]
    OtherDeal {
        /// The number of the given deal.
        found: u32,
        /// The number of the deal that comes next.
        expected: u32,
    },
    /// The deal belongs to another match: another seed, dealer or round, or other counters and deposits.
    #[error("the deal is of another match")]
    OtherMatch,
    /// The deal began with other totals, or its payments overflow a total.
    #[error("the payments do not lead from the match's totals to those of the deal")]
    OtherTotals,
}

/// A match saved between two deals. [`MatchState::save`] creates the value, and
/// [`Match::restore`](super::Match::restore) loads it. To begin in the middle of a match, save a new match and change
/// it:
///
/// ```
/// use paishan::game::Match;
/// use paishan::{Player, Rules, Wind};
/// let riichi = Rules::by_id("riichi-tenhou")?;
/// let mut saved = Match::new(&riichi, 7).save();
/// saved.totals = vec![31_000, 19_000, 28_000, 21_000];
/// saved.on_table.counters = 1;
/// saved.on_table.deposits = 1;
/// (saved.deal, saved.rounds) = (7, 1);
/// saved.dealer = Player::new(2).expect("a player");
/// let series = Match::restore(&riichi, &saved)?;
/// assert_eq!((series.state().round(), series.state().dealer_number()), (Wind::South, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SavedMatch {
    /// The hash of the rules: [`Plan::content_hash`].
    #[cfg_attr(feature = "serde", serde(with = "crate::text::hex"))]
    pub rules_hash: u64,
    /// The seed that decides walls and dice.
    pub game_seed: Seed,
    /// The number of the deal that comes next, from 1. In a finished match the number of the last deal.
    pub deal: u32,
    /// Complete rounds: 1 in the South round.
    pub rounds: u32,
    /// The number of deals with a winner.
    pub won: u32,
    /// The next dealer.
    pub dealer: Player,
    /// The first dealer.
    pub first_dealer: Player,
    /// How many deals in a row the dealer has won.
    pub dealer_wins: u32,
    /// Counters and deposits.
    pub on_table: OnTable,
    /// Totals by player, in the least unit of the ruleset.
    pub totals: Vec<i64>,
    /// True when no further deal is played.
    pub is_over: bool,
}

/// The error for a saved match that cannot be restored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The match belongs to other rules, or to other options.
    #[error("the match is of other rules (hash {found:016x}, not {expected:016x})")]
    OtherRules {
        /// The rules hash of the saved match.
        found: u64,
        /// The rules hash of the rules given.
        expected: u64,
    },
    /// The number of totals is not the number of players.
    #[error("{have} totals for {want} players")]
    Totals {
        /// How many totals there are.
        have: usize,
        /// How many players there are.
        want: usize,
    },
    /// The dealer or first dealer does not sit at the table.
    #[error("there is no player {player}")]
    NoSuchPlayer {
        /// The player.
        player: Player,
    },
    /// The number of the next deal is 0, but deals are counted from 1.
    #[error("deals are counted from 1")]
    DealZero,
    /// A number that no match can reach. Rounds, wins and deals won in a row are at most the deals played. There are at
    /// most 10^9 counters and deposits, and at most 10^15 units of points.
    #[error("no match has such `{what}`")]
    OutOfRange {
        /// Which number.
        what: &'static str,
    },
}

/// The most counters and deposits of a restored match.
const MOST_ON_TABLE: u32 = 1_000_000_000;
/// The most units of points of a restored match, won or lost.
const MOST_POINTS: u64 = 1_000_000_000_000_000;

/// The progress of the match after a deal, and the next dealer. `totals` are those after the deal.
pub(super) fn standing_after<'a>(
    rules: &impl Ruleset,
    progress: Progress,
    played: PlayedDeal<'a>,
    totals: &'a [i64],
) -> (Standing<'a>, Player) {
    // Players are counted round the table, whatever a ruleset says.
    let next = rules.next_dealer(&played).after(0, totals.len());
    let round_ends = next != played.dealer && next == progress.first_dealer;
    let standing = Standing {
        deals: progress.deal,
        rounds: progress.rounds + u32::from(round_ends),
        rounds_before: progress.rounds,
        totals,
        first_dealer: progress.first_dealer,
        played,
    };
    (standing, next)
}

/// True when the match is over after a deal.
pub(super) fn is_over(rules: &impl Ruleset, standing: &Standing<'_>) -> bool {
    let most = rules.plan().matches.max_deals;
    standing.played.dealer_ends || standing.deals >= most || rules.is_over(standing)
}

/// The state of a match: everything but the code of its rules. [`Match::state`](super::Match::state) gives it, and an
/// [`Observer`](super::Observer) receives it.
#[derive(Clone, Debug)]
pub struct MatchState {
    pub(super) plan: Arc<Plan>,
    pub(super) game_seed: Seed,
    pub(super) match_id: u64,
    pub(super) totals: [i64; MAX_PLAYERS],
    pub(super) dealer: Player,
    pub(super) first_dealer: Player,
    /// The number of the current deal, from 1.
    pub(super) deal: u32,
    /// Complete rounds.
    pub(super) rounds: u32,
    /// The number of deals with a winner.
    pub(super) won: u32,
    pub(super) on_table: OnTable,
    /// How many deals in a row the dealer has won.
    pub(super) dealer_wins: u32,
    pub(super) over: bool,
}

impl MatchState {
    /// The plan of the rules.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The seed that decides walls, dice and the first dealer.
    pub fn game_seed(&self) -> Seed {
        self.game_seed
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.plan.players
    }

    /// Totals by player, in the least unit of the ruleset.
    pub fn totals(&self) -> &[i64] {
        &self.totals[..self.players()]
    }

    /// The current dealer.
    pub fn dealer(&self) -> Player {
        self.dealer
    }

    /// The number of the deal in the match, from 1.
    pub fn deal_number(&self) -> u32 {
        self.deal
    }

    /// The wind of the round. It starts with East. Where round winds turn, the next wind begins each time
    /// that the deal comes back to the first dealer.
    pub fn round(&self) -> Wind {
        if self.plan.matches.round_winds {
            Wind::ALL[self.rounds as usize % 4]
        } else {
            Wind::East
        }
    }

    /// The number of the dealer in the round, from 1. Where round winds turn, the first dealer is number 1.
    /// Elsewhere player 0 is.
    pub fn dealer_number(&self) -> usize {
        let first = if self.plan.matches.round_winds {
            self.first_dealer
        } else {
            Player::FIRST
        };
        self.dealer.seat(first, self.players()).index() + 1
    }

    /// True when no further deal is played.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The setup of the current deal, with the wall that follows from the seed.
    pub fn setup(&self) -> DealSetup {
        self.setup_with(wall_of(&self.plan, self.game_seed, self.deal, self.dealer))
    }

    /// The setup of the current deal, with a given wall.
    pub fn setup_with(&self, wall: Wall) -> DealSetup {
        DealSetup {
            dealer: self.dealer,
            round: self.round(),
            wall,
            points: BySeat::from_fn(|seat| {
                let is_taken = seat.index() < self.players();
                let player = seat.player(self.dealer, self.players());
                if is_taken {
                    self.totals[player.index()]
                } else {
                    0
                }
            }),
            on_table: self.on_table,
            dealer_wins: self.dealer_wins,
            progress: self.progress(),
        }
    }

    /// Saves the match between two deals, to be [restored](super::Match::restore) later. A deal in play is not saved;
    /// use [`Moves`](super::Moves) for it.
    pub fn save(&self) -> SavedMatch {
        SavedMatch {
            rules_hash: self.plan.content_hash,
            game_seed: self.game_seed,
            deal: self.deal,
            rounds: self.rounds,
            won: self.won,
            dealer: self.dealer,
            first_dealer: self.first_dealer,
            dealer_wins: self.dealer_wins,
            on_table: self.on_table,
            totals: self.totals().to_vec(),
            is_over: self.over,
        }
    }

    pub(super) fn restore(plan: &Arc<Plan>, saved: &SavedMatch) -> Result<Self, RestoreError> {
        let (found, expected) = (saved.rules_hash, plan.content_hash);
        if found != expected {
            return Err(RestoreError::OtherRules { found, expected });
        }
        let (have, want) = (saved.totals.len(), plan.players);
        if have != want {
            return Err(RestoreError::Totals { have, want });
        }
        let is_absent = |player: &Player| player.index() >= want;
        if let Some(player) = [saved.dealer, saved.first_dealer]
            .into_iter()
            .find(is_absent)
        {
            return Err(RestoreError::NoSuchPlayer { player });
        }
        if saved.deal == 0 {
            return Err(RestoreError::DealZero);
        }
        let OnTable { counters, deposits } = saved.on_table;
        // A finished match stays at its last deal.
        let played = saved.deal - u32::from(!saved.is_over);
        let beyond = |total: &i64| total.unsigned_abs() > MOST_POINTS;
        let out_of_range = [
            ("rounds", saved.rounds > played),
            ("won", saved.won > played),
            ("dealer_wins", saved.dealer_wins > played),
            ("counters", counters > MOST_ON_TABLE),
            ("deposits", deposits > MOST_ON_TABLE),
            ("totals", saved.totals.iter().any(beyond)),
        ];
        if let Some((what, _)) = out_of_range.into_iter().find(|(_, is_out)| *is_out) {
            return Err(RestoreError::OutOfRange { what });
        }
        let mut totals = [0; MAX_PLAYERS];
        totals[..want].copy_from_slice(&saved.totals);
        Ok(Self {
            plan: Arc::clone(plan),
            game_seed: saved.game_seed,
            match_id: saved.game_seed.match_id(),
            totals,
            dealer: saved.dealer,
            first_dealer: saved.first_dealer,
            deal: saved.deal,
            rounds: saved.rounds,
            won: saved.won,
            on_table: saved.on_table,
            dealer_wins: saved.dealer_wins,
            over: saved.is_over || saved.deal > plan.matches.max_deals,
        })
    }

    /// Counters and deposits on the table.
    pub fn on_table(&self) -> OnTable {
        self.on_table
    }

    /// Returns the outcome of a deal that is the current one of this match and is over.
    pub(super) fn check<'a>(
        &self,
        state: &DealState,
        outcome: Option<&'a Outcome>,
    ) -> Result<&'a Outcome, RecordError> {
        let players = self.players();
        if self.over {
            return Err(RecordError::Over);
        }
        if state.rules_hash() != self.plan.content_hash || state.players() != players {
            return Err(RecordError::OtherRules);
        }
        let outcome = outcome.ok_or(RecordError::Unfinished)?;
        let (found, expected) = (state.progress(), self.progress());
        if found.deal != expected.deal {
            return Err(RecordError::OtherDeal {
                found: found.deal,
                expected: expected.deal,
            });
        }
        let deposited = |seat: &Seat| state.riichi(*seat).is_some_and(|riichi| riichi.accepted);
        let deposits = match self.plan.settlement.deposit() {
            0 => 0,
            _ => Seat::all(players).filter(deposited).count() as u32,
        };
        let OnTable {
            counters,
            deposits: before,
        } = self.on_table;
        let is_here = found == expected
            && state.dealer() == self.dealer
            && state.round() == self.round()
            && state.dealer_wins == self.dealer_wins
            && state.on_table().counters == counters
            && state.on_table().deposits == before.saturating_add(deposits);
        if !is_here {
            return Err(RecordError::OtherMatch);
        }
        if let Some(fault) = &outcome.fault {
            return Err(fault.clone().into());
        }
        let is_booked = |player: Player| {
            let seat = player.seat(self.dealer, players);
            let change = outcome.change(&self.plan, state, seat);
            state.points(seat) == self.totals[player.index()].saturating_add(change)
        };
        if !Player::all(players).all(is_booked) {
            return Err(RecordError::OtherTotals);
        }
        Ok(outcome)
    }

    /// The progress of the match.
    pub fn progress(&self) -> Progress {
        Progress {
            deal: self.deal,
            rounds: self.rounds,
            won: self.won,
            first_dealer: self.first_dealer,
            match_id: self.match_id,
        }
    }

    /// What the ruleset adds to each player's total at the end, in its least unit. `None` if it adds nothing.
    pub fn bonus(&self) -> Option<Vec<i64>> {
        let plan = &self.plan;
        let rules = plan.matches.result?;
        let per_point = plan.units_per_point();
        let players = self.players();
        let mut bonus = vec![-rules.return_points * per_point; players];
        let by_rank = ranked(self.totals(), self.first_dealer);
        for (player, points) in by_rank.iter().zip(rules.by_rank) {
            bonus[player.index()] += points * per_point;
        }
        let over = rules.return_points - plan.matches.start_points;
        let first = by_rank.first().map_or(0, |player| player.index());
        bonus[first] += over * players as i64 * per_point;
        if rules.deposits_to_first {
            let deposits = i64::from(self.on_table.deposits);
            let deposits = deposits.saturating_mul(plan.settlement.deposit());
            bonus[first] = bonus[first].saturating_add(deposits);
        }
        Some(bonus)
    }

    /// The final result of each player: the total plus what the ruleset adds.
    pub fn results(&self) -> Vec<i64> {
        let bonus = self.bonus().unwrap_or_else(|| vec![0; self.players()]);
        self.totals()
            .iter()
            .zip(bonus)
            .map(|(total, bonus)| total.saturating_add(bonus))
            .collect()
    }

    /// Players from the highest total to the lowest. Equal totals go in the order of the seats in the first
    /// deal.
    pub fn standing(&self) -> Vec<Player> {
        ranked(self.totals(), self.first_dealer).into_vec()
    }

    /// The rank of each player: 1 for the highest result. Equal results share a rank.
    pub fn ranks(&self) -> Vec<usize> {
        let results = self.results();
        let better = |mine: &i64| results.iter().filter(|other| *other > mine).count();
        results.iter().map(|mine| 1 + better(mine)).collect()
    }
}
