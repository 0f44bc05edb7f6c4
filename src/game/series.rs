//! [`Match`]: deals in a row, with dealer, totals and end.

use super::{Deal, DealSetup, Ended, Ending, Observer, Outcome, wall_of};
use crate::random::{Seed, Stream};
use crate::ruleset::{FirstDealer, Plan, PlayedDeal, Ruleset, Standing, ranked};
use crate::score::ScoreError;
use crate::seat::{BySeat, MAX_PLAYERS, Player, Seat};
use crate::state::{DealState, OnTable, Phase, Progress};
use crate::tile::Wind;
use crate::wall::Wall;
use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::Arc;

/// What follows after a deal.
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

/// Why a match does not take a deal.
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
    /// It is another deal of the match, or one that the match took before.
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
    /// The outcome is not that of the deal, or the deal began with other totals.
    #[error("the outcome does not lead from the match's totals to those of the deal")]
    OtherOutcome,
}

/// A match as it stands between two deals. [`MatchState::save`] makes it and [`Match::restore`] takes it. To
/// begin in the middle of a match, save a new match and change it:
///
/// ```
/// use paishan::game::Match;
/// use paishan::{Player, Wind, ruleset};
/// let riichi = ruleset::by_id("riichi-tenhou", &[])?;
/// let mut saved = Match::new(&riichi, 7).save();
/// saved.totals = vec![31_000, 19_000, 28_000, 21_000];
/// saved.on_table.counters = 1;
/// saved.on_table.deposits = 1;
/// (saved.deal, saved.rounds) = (7, 1);
/// saved.dealer = Player::new(2).expect("a player");
/// let series = Match::restore(&riichi, &saved)?;
/// assert_eq!((series.round(), series.dealer_number()), (Wind::South, 3));
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
    /// The number of the deal that comes next, from 1.
    pub deal: u32,
    /// Complete rounds: 1 in the South round.
    pub rounds: u32,
    /// How many deals somebody won.
    pub won: u32,
    /// Who deals next.
    pub dealer: Player,
    /// Who dealt first.
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

/// Why a saved match cannot go on.
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
    /// A dealer is named who does not sit at the table.
    #[error("there is no player {player}")]
    NoSuchPlayer {
        /// The player.
        player: Player,
    },
    /// The number of the next deal is 0, but deals are counted from 1.
    #[error("deals are counted from 1")]
    DealZero,
}

/// Where the match stands after a deal, and who deals next. `totals` are those after the deal.
pub(super) fn standing_after<'a>(
    rules: &impl Ruleset,
    progress: Progress,
    played: PlayedDeal<'a>,
    totals: &'a [i64],
) -> (Standing<'a>, Player) {
    let next = rules.next_dealer(&played);
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

impl Ended {
    /// What a state keeps of an outcome.
    pub(super) fn of(outcome: &Outcome) -> Self {
        Self {
            winners: outcome.wins.iter().map(|(seat, _)| *seat).collect(),
            ending: outcome.ending,
            ready: outcome.ready,
            dealer_ends: outcome.dealer_ends,
        }
    }
}

impl Outcome {
    /// The players who won, in turn order from who gave the tile.
    pub(super) fn winners(&self, state: &DealState) -> SmallVec<[Player; 4]> {
        let player = |seat: Seat| seat.player(state.dealer(), state.players());
        self.wins.iter().map(|(seat, _)| player(*seat)).collect()
    }

    /// The part of the outcome that the match needs.
    pub(super) fn played<'a>(&self, state: &DealState, winners: &'a [Player]) -> PlayedDeal<'a> {
        PlayedDeal {
            dealer: state.dealer(),
            winners,
            exhausted: self.ending == Ending::Exhausted,
            dealer_was_ready: self.ready.contains(Seat::EAST),
            dealer_ends: self.dealer_ends,
        }
    }
}

/// The index of the first dealer, where dice decide. Source: `rulesets/uzje.md` §4.3.
pub(crate) fn first_by_roll<R: AsRef<[u8]>>(dice: &[R], players: usize) -> usize {
    let dice = dice.iter().flat_map(|roll| roll.as_ref());
    (players - 1 + dice.map(|&die| usize::from(die)).sum::<usize>()) % players
}

/// How a match stands: everything but the code of its rules. A [`Match`] dereferences to it, and an
/// [`Observer`] receives it.
#[derive(Clone, Debug)]
pub struct MatchState {
    plan: Arc<Plan>,
    game_seed: Seed,
    match_id: u64,
    totals: [i64; MAX_PLAYERS],
    dealer: Player,
    first_dealer: Player,
    /// The number of the current deal, from 1.
    deal: u32,
    /// Complete rounds.
    rounds: u32,
    /// How many deals somebody won.
    won: u32,
    on_table: OnTable,
    /// How many deals in a row the dealer has won.
    dealer_wins: u32,
    over: bool,
}

/// A match: deals in a row under a ruleset, each with its wall from the seed of the match.
///
/// ```
/// use paishan::game::{Match, Next};
/// use paishan::ruleset;
/// let mut series = Match::new(ruleset::by_id("woo", &[])?, 7);
/// let mut deal = series.start_deal(&mut ());
/// while let Some(seat) = deal.state().waiting().first() {
///     let action = deal.legal(seat).iter().last().expect("somebody has to act");
///     deal.act(seat, action, &mut ())?;
/// }
/// assert_ne!(series.finish(&deal)?, Next::End);
/// assert_eq!(series.deal_number(), 2);
/// // A deal is taken once.
/// assert!(series.finish(&deal).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match<R> {
    rules: R,
    state: MatchState,
}

impl<R> Deref for Match<R> {
    type Target = MatchState;

    fn deref(&self) -> &MatchState {
        &self.state
    }
}

impl<R: Ruleset> Match<R> {
    /// A new match. The seed decides who deals first, where the ruleset leaves that to chance.
    pub fn new(rules: R, game_seed: impl Into<Seed>) -> Self {
        let game_seed = game_seed.into();
        let plan = rules.plan();
        let first = match plan.matches.first_dealer {
            FirstDealer::Fixed => 0,
            FirstDealer::Random => Stream::of_match(game_seed).below(plan.players as u32) as usize,
            FirstDealer::Roll => {
                // The dice of the first wall do not depend on who deals.
                let wall = wall_of(plan, game_seed, 1, Player::FIRST);
                first_by_roll(&wall.dice, plan.players)
            }
        };
        // The number is below the number of players.
        let dealer = Player::new(first).expect("a table has at most six players");
        Self::with_dealer(rules, game_seed, dealer)
    }

    /// A new match in which `dealer` deals first. At a smaller table the player number wraps around. Where
    /// dice name the first dealer, choose that player: a log with another dealer does not replay, because the
    /// wall of the seed disagrees.
    pub fn with_dealer(rules: R, game_seed: impl Into<Seed>, dealer: Player) -> Self {
        let game_seed = game_seed.into();
        let plan = Arc::clone(rules.plan());
        let dealer = dealer.after(0, plan.players);
        let state = MatchState {
            totals: [plan.matches.start_points * plan.settlement.units_per_point(); MAX_PLAYERS],
            game_seed,
            match_id: game_seed.match_id(),
            dealer,
            first_dealer: dealer,
            deal: 1,
            rounds: 0,
            won: 0,
            on_table: OnTable::default(),
            dealer_wins: 0,
            over: false,
            plan,
        };
        Self { rules, state }
    }

    /// A match that goes on from where it was saved.
    ///
    /// # Errors
    /// [`RestoreError`] for a match of other rules, and for numbers that no match can have.
    pub fn restore(rules: R, saved: &SavedMatch) -> Result<Self, RestoreError> {
        let state = MatchState::restore(rules.plan(), saved)?;
        Ok(Self { rules, state })
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Starts the current deal.
    pub fn start_deal(&self, observer: &mut (impl Observer + ?Sized)) -> Deal<R>
    where
        R: Clone,
    {
        Deal::start(self.rules.clone(), self.setup(), observer)
    }

    /// Records a finished deal and moves on to the next one.
    ///
    /// # Errors
    /// [`RecordError`] for a deal that is not the current one, is not over, or was recorded before. Nothing
    /// has changed then.
    pub fn finish<S: Ruleset>(&mut self, deal: &Deal<S>) -> Result<Next, RecordError> {
        self.state.takes(deal.state())?;
        let outcome = deal.outcome().ok_or(RecordError::Unfinished)?;
        self.book(deal.state(), outcome)
    }

    /// Records a deal by its state and outcome. [`Match::finish`] needs only the deal.
    ///
    /// # Errors
    /// As for [`Match::finish`].
    #[deprecated(note = "call `finish` with the deal")]
    pub fn record(&mut self, state: &DealState, outcome: &Outcome) -> Result<Next, RecordError> {
        self.book(state, outcome)
    }

    fn book(&mut self, state: &DealState, outcome: &Outcome) -> Result<Next, RecordError> {
        self.state.check(state, outcome)?;
        let series = &mut self.state;
        let players = series.players();
        let dealer = state.dealer();
        for player in Player::all(players) {
            let seat = player.seat(dealer, players);
            let total = &mut series.totals[player.index()];
            *total = total.saturating_add(outcome.change(&series.plan, state, seat));
        }
        let winners = outcome.winners(state);
        let played = outcome.played(state, &winners);
        let progress = series.progress();
        let totals = &series.totals[..players];
        let (standing, next) = standing_after(&self.rules, progress, played, totals);
        let round_ends = standing.rounds > series.rounds;
        let is_over = is_over(&self.rules, &standing);
        let dealer_won = winners.contains(&dealer);
        series.won += u32::from(!winners.is_empty());
        series.dealer_wins = if dealer_won && next == dealer {
            series.dealer_wins + 1
        } else {
            0
        };
        if series.plan.settlement.has_counters() {
            let again = dealer_won || winners.is_empty();
            series.on_table = OnTable {
                counters: if again {
                    series.on_table.counters + 1
                } else {
                    0
                },
                deposits: match outcome.settlement.deposits {
                    Some(_) => 0,
                    None => state.on_table().deposits,
                },
            };
        }
        if is_over {
            series.over = true;
            return Ok(Next::End);
        }
        series.rounds += u32::from(round_ends);
        series.dealer = next;
        series.deal += 1;
        if next == dealer {
            Ok(Next::Stay)
        } else {
            Ok(Next::Pass)
        }
    }
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

    /// How many players.
    pub fn players(&self) -> usize {
        self.plan.players
    }

    /// Totals by player, in the least unit of the ruleset.
    pub fn totals(&self) -> &[i64] {
        &self.totals[..self.players()]
    }

    /// Who deals now.
    pub fn dealer(&self) -> Player {
        self.dealer
    }

    /// The number of the deal in the match, from 1.
    pub fn deal_number(&self) -> u32 {
        self.deal
    }

    /// The number of the deal in the match, from 1.
    #[deprecated(note = "it is called `deal_number`")]
    pub fn hand(&self) -> u32 {
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

    /// Saves how the match stands between two deals, to be [restored](Match::restore) later. A deal in play
    /// is not part of it. [`Moves`](super::Moves) keep that.
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

    fn restore(plan: &Arc<Plan>, saved: &SavedMatch) -> Result<Self, RestoreError> {
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

    /// Fails when the match is over, and for a state that is not of a finished deal under these rules.
    fn takes(&self, state: &DealState) -> Result<(), RecordError> {
        if self.over {
            return Err(RecordError::Over);
        }
        if state.rules_hash() != self.plan.content_hash || state.players() != self.players() {
            return Err(RecordError::OtherRules);
        }
        if !matches!(state.phase(), Phase::Over) {
            return Err(RecordError::Unfinished);
        }
        Ok(())
    }

    /// Fails unless the deal is the current one of this match, finished with this outcome.
    fn check(&self, state: &DealState, outcome: &Outcome) -> Result<(), RecordError> {
        let players = self.players();
        self.takes(state)?;
        let (found, expected) = (state.progress(), self.progress());
        if found.deal != expected.deal {
            return Err(RecordError::OtherDeal {
                found: found.deal,
                expected: expected.deal,
            });
        }
        let deposited = |seat: &Seat| state.riichi(*seat).is_some_and(|riichi| riichi.accepted);
        let deposits = Seat::all(players).filter(deposited).count() as u32;
        let OnTable {
            counters,
            deposits: before,
        } = self.on_table;
        let is_here = found == expected
            && state.dealer() == self.dealer
            && state.round() == self.round()
            && state.dealer_wins == self.dealer_wins
            && state.on_table().counters == counters
            && state.on_table().deposits == before + deposits;
        if !is_here {
            return Err(RecordError::OtherMatch);
        }
        if state.ended != Some(Ended::of(outcome)) {
            return Err(RecordError::OtherOutcome);
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
            return Err(RecordError::OtherOutcome);
        }
        Ok(())
    }

    /// How far the match is.
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
        let per_point = plan.settlement.units_per_point();
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
            bonus[first] += i64::from(self.on_table.deposits) * plan.settlement.deposit();
        }
        Some(bonus)
    }

    /// The final result of each player: the total plus what the ruleset adds.
    pub fn results(&self) -> Vec<i64> {
        let bonus = self.bonus().unwrap_or_else(|| vec![0; self.players()]);
        self.totals()
            .iter()
            .zip(bonus)
            .map(|(total, bonus)| total + bonus)
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
