//! [`Match`]: a sequence of deals, with dealer, totals and end.

use super::deal::Deal;
use super::match_state::{
    MatchState, Next, RecordError, RestoreError, SavedMatch, is_over, standing_after,
};
use super::observer::Observer;
use super::outcome::Outcome;
use super::setup::{first_by_roll, wall_of};
use crate::random::{Seed, Stream};
use crate::ruleset::{FirstDealer, Rules, Ruleset};
use crate::score::SettlementRules;
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::set::SeatSet;
use crate::state::OnTable;
use std::sync::Arc;

/// A match: a sequence of deals under a ruleset, with walls from the seed of the match.
///
/// ```
/// use paishan::Rules;
/// use paishan::game::{Match, Next};
/// let mut series = Match::new(Rules::by_id("woo")?, 7);
/// let mut deal = series.start_deal();
/// while let Some(seat) = deal.state().waiting().first() {
///     let action = deal.legal(seat).iter().last().expect("somebody has to act");
///     deal.act(seat, action)?;
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

impl<R> Match<R> {
    /// The state of the match: totals, dealer, round and seed.
    pub fn state(&self) -> &MatchState {
        &self.state
    }

    /// True when no deal is left to play: [`MatchState::is_over`].
    pub fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// The number of the current deal, from 1: [`MatchState::deal_number`].
    pub fn deal_number(&self) -> u32 {
        self.state.deal_number()
    }

    /// Totals by player, in the least unit of the ruleset: [`MatchState::totals`].
    pub fn totals(&self) -> &[i64] {
        self.state.totals()
    }

    /// The match between two deals, to be [restored](Match::restore) later.
    pub fn save(&self) -> SavedMatch {
        self.state.save()
    }
}

impl<R: Ruleset> Match<R> {
    /// A new match. The seed determines the first dealer if the ruleset leaves that to chance.
    pub fn new(rules: R, game_seed: impl Into<Seed>) -> Self {
        let game_seed = game_seed.into();
        let plan = rules.plan();
        let first = match plan.matches.first_dealer {
            FirstDealer::Fixed => 0,
            FirstDealer::Random => Stream::of_match(game_seed).below(plan.players as u32) as usize,
            FirstDealer::Roll => {
                // The dice of the first wall do not depend on the dealer.
                let wall = wall_of(plan, game_seed, 1, Player::FIRST);
                first_by_roll(&wall.dice, plan.players)
            }
        };
        // The number is below the number of players.
        let dealer = Player::new(first).expect("a table has at most six players");
        Self::with_dealer(rules, game_seed, dealer)
    }

    /// A new match in which `dealer` deals first. At a smaller table the player number wraps around. If dice determine
    /// the first dealer, choose that player: a log with another dealer cannot be replayed, because the wall of the seed
    /// differs.
    pub fn with_dealer(rules: R, game_seed: impl Into<Seed>, dealer: Player) -> Self {
        let game_seed = game_seed.into();
        let plan = Arc::clone(rules.plan());
        let dealer = dealer.after(0, plan.players);
        let state = MatchState {
            totals: [plan.matches.start_points * plan.units_per_point(); MAX_PLAYERS],
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

    /// Restores a saved match. Its log begins in the middle of a match, so `log::replay` does not accept the log.
    ///
    /// ```
    /// use paishan::{Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let saved = Match::new(&woo, 7).save();
    /// let series = Match::restore(&woo, &saved)?;
    /// assert_eq!(series.deal_number(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    pub fn start_deal(&self) -> Deal<R>
    where
        R: Clone,
    {
        self.start_deal_observed(&mut ())
    }

    /// [`Match::start_deal`] with an observer, which is notified of what happens.
    pub fn start_deal_observed(&self, observer: &mut dyn Observer) -> Deal<R>
    where
        R: Clone,
    {
        Deal::start_observed(self.rules.clone(), self.state.setup(), observer)
    }

    /// Records a finished deal and moves on to the next one.
    ///
    /// ```
    /// use paishan::game::Next;
    /// use paishan::{Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let mut series = Match::new(&woo, 7);
    /// let mut deal = series.start_deal();
    /// assert!(series.finish(&deal).is_err());
    /// while let Some(seat) = deal.state().waiting().first() {
    ///     let action = deal.legal(seat).default_action().expect("an action");
    ///     deal.act(seat, action)?;
    /// }
    /// assert_ne!(series.finish(&deal)?, Next::End);
    /// assert_eq!(series.deal_number(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError`] for a deal that is not the current one, is not over, or was recorded before. The match is then
    /// unchanged.
    pub fn finish<S: Ruleset>(&mut self, deal: &Deal<S>) -> Result<Next, RecordError> {
        let state = deal.state();
        let outcome = self.state.check(state, deal.outcome())?;
        let seats = Seat::all(self.state.players());
        let accepted = |seat: &Seat| state.riichi(*seat).is_some_and(|riichi| riichi.accepted);
        Ok(self.book(outcome, seats.filter(accepted).collect()))
    }

    /// Records the outcome of a deal that was played elsewhere, such as at a real table, and moves on to the next one.
    /// `deposits` are the seats that have paid a deposit in the deal.
    ///
    /// ```
    /// use paishan::game::{Next, Outcome};
    /// use paishan::set::SeatSet;
    /// use paishan::{Match, Rules};
    /// let mut series = Match::new(Rules::by_id("riichi-tenhou")?, 7);
    /// // The wall was used up, and nobody was ready.
    /// assert_eq!(series.record(&Outcome::default(), SeatSet::EMPTY)?, Next::Pass);
    /// assert_eq!(series.state().on_table().counters, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError::Over`] for a match that is over, [`RecordError::Settlement`] for an outcome that could not be
    /// settled. The match is then unchanged.
    pub fn record(&mut self, outcome: &Outcome, deposits: SeatSet) -> Result<Next, RecordError> {
        if self.state.over {
            return Err(RecordError::Over);
        }
        if let Some(fault) = &outcome.fault {
            return Err(fault.clone().into());
        }
        Ok(self.book(outcome, deposits))
    }

    /// Adds the changes of totals, and finds the next dealer.
    fn book(&mut self, outcome: &Outcome, deposits: SeatSet) -> Next {
        let series = &mut self.state;
        let players = series.players();
        let dealer = series.dealer;
        for player in Player::all(players) {
            let seat = player.seat(dealer, players);
            let total = &mut series.totals[player.index()];
            let change = outcome.change_with(&series.plan, seat, deposits.contains(seat));
            *total = total.saturating_add(change);
        }
        let winners = outcome.winners(dealer, players);
        let played = outcome.played(dealer, &winners);
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
        if series.plan.has_counters() {
            let again = match series.plan.settlement {
                SettlementRules::Riichi(_) => dealer_won || winners.is_empty(),
                // What counts here is the dealer's streak.
                _ => next == dealer,
            };
            let made = match series.plan.settlement.deposit() {
                0 => 0,
                _ => deposits.iter().count() as u32,
            };
            series.on_table = OnTable {
                counters: if again {
                    series.on_table.counters.saturating_add(1)
                } else {
                    0
                },
                deposits: match outcome.settlement.deposits {
                    Some(_) => 0,
                    None => series.on_table.deposits.saturating_add(made),
                },
            };
        }
        if is_over {
            series.over = true;
            return Next::End;
        }
        series.rounds += u32::from(round_ends);
        series.dealer = next;
        series.deal += 1;
        if next == dealer {
            Next::Stay
        } else {
            Next::Pass
        }
    }
}

impl Rules {
    /// The first deal of a match, with the walls and the dealer that follow from the seed. [`Match`] plays all deals.
    ///
    /// ```
    /// use paishan::Rules;
    /// let rules = Rules::by_id("woo")?;
    /// let mut deal = rules.deal(7);
    /// while let Some(seat) = deal.state().deciding().next() {
    ///     let action = deal.legal(seat).iter().last().expect("a seat that decides has legal actions");
    ///     deal.act(seat, action)?;
    /// }
    /// assert!(deal.outcome().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deal(&self, game_seed: impl Into<Seed>) -> Deal<Self> {
        Match::new(self.clone(), game_seed).start_deal()
    }
}
