//! The shortest record of a match: its seed and its decisions.

use super::deal::{ActionError, Deal};
use super::match_state::RecordError;
use super::observer::Observer;
use super::series::Match;
use crate::forms::two_forms;
use crate::random::Seed;
use crate::ruleset::Ruleset;
use crate::seat::Seat;
use crate::state::{Action, DealState, Event, Legal};

two_forms! {
    /// The seed of a match, the hash of its rules and all its decisions. That is enough to play the match again, or to
    /// save and resume it. [`Moves::resume`] refuses the moves under other rules or options. A decision takes eight
    /// bytes. Everything else about the match, including its log, is derived by playing it again.
    ///
    /// A server saves the moves after every decision, and resumes after a crash:
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::game::{Match, Moves};
    /// let woo = Rules::by_id("woo")?;
    /// let series = Match::new(&woo, 7);
    /// let mut moves = Moves::new(7);
    /// let mut deal = series.start_deal_observed(&mut moves);
    /// for _ in 0..20 {
    ///     let seat = deal.state().waiting().first().expect("somebody decides");
    ///     let action = deal.legal(seat).iter().last().expect("an action");
    ///     deal.act_observed(seat, action, &mut moves)?;
    /// }
    /// let (again, resumed) = moves.resume(Match::new(&woo, moves.game_seed()))?;
    /// assert_eq!(resumed.expect("a deal is being played").state(), deal.state());
    /// assert_eq!(again.totals(), series.totals());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// With the feature `serde` moves are read and written as
    /// `{"game_seed": …, "rules_hash": "…", "decisions": […], "dead": […]}`. Moves without `rules_hash`, as
    /// earlier versions wrote them, are read and fit any rules under which their decisions are legal.
    ///
    /// Walls come from the seed. Moves cannot record a deal on a custom wall
    /// ([`MatchState::setup_with`](super::MatchState::setup_with)).
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Moves {
        game_seed: Seed,
        /// The hash of the rules. `None` for moves that were not watched.
        #[serde(default, with = "crate::text::hex::option", skip_serializing_if = "Option::is_none")]
        rules_hash: Option<u64>,
        decisions: Vec<(Seat, Action)>,
        /// The hands that a judge declared dead, each with the number of decisions made before that.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dead: Vec<(usize, Seat)>,
    }
}

/// The error for moves that do not fit a match of the ruleset.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MovesError {
    /// The match has another seed than the moves.
    // Seeds are secret while a match goes on, so the message does not show them.
    #[error("the moves are of another seed than the match")]
    OtherSeed {
        /// The seed of the moves.
        found: Seed,
        /// The seed of the match.
        expected: Seed,
    },
    /// The moves belong to other rules, or to other options.
    #[error("the moves are of other rules (hash {found:016x}, not {expected:016x})")]
    OtherRules {
        /// The rules hash of the moves.
        found: u64,
        /// The rules hash of the match.
        expected: u64,
    },
    /// A decision was refused.
    #[error("decision {at}: {error}")]
    Action {
        /// The number of the decision, from 1.
        at: usize,
        /// Why the decision was refused.
        error: ActionError,
    },
    /// The decisions stop within a deal.
    #[error("the decisions end after {at}, within a deal")]
    Ended {
        /// How many there are.
        at: usize,
    },
    /// The match does not record a deal. Only a faulty ruleset causes this.
    #[error("the deal that ends with decision {at}: {error}")]
    Record {
        /// How many decisions were made so far.
        at: usize,
        /// Why the match does not record the deal.
        error: RecordError,
    },
    /// The match is over, and decisions are left.
    #[error("the match is over after {at} of {all} decisions")]
    Surplus {
        /// How many were made.
        at: usize,
        /// How many there are.
        all: usize,
    },
}

impl Moves {
    /// An empty record of the match with this seed.
    pub fn new(game_seed: impl Into<Seed>) -> Self {
        Self::of(game_seed, Vec::new())
    }

    /// A record of decisions that were stored elsewhere. Their rules are unknown, so the moves fit any rules under
    /// which the decisions are legal.
    pub fn of(game_seed: impl Into<Seed>, decisions: Vec<(Seat, Action)>) -> Self {
        Self {
            game_seed: game_seed.into(),
            rules_hash: None,
            decisions,
            dead: Vec::new(),
        }
    }

    /// A record with these parts.
    pub(crate) fn of_parts(
        game_seed: Seed,
        rules_hash: Option<u64>,
        decisions: Vec<(Seat, Action)>,
        dead: Vec<(usize, Seat)>,
    ) -> Self {
        Self {
            game_seed,
            rules_hash,
            decisions,
            dead,
        }
    }

    /// The hands that a judge declared dead, each with the number of decisions made before that.
    pub(crate) fn dead(&self) -> &[(usize, Seat)] {
        &self.dead
    }

    /// Begins the record of another match and reuses the memory.
    pub fn begin(&mut self, game_seed: impl Into<Seed>) {
        self.game_seed = game_seed.into();
        self.rules_hash = None;
        self.decisions.clear();
        self.dead.clear();
    }

    /// The seed of the match.
    pub const fn game_seed(&self) -> Seed {
        self.game_seed
    }

    /// The hash of the rules ([`Plan::content_hash`](crate::ruleset::Plan::content_hash)). `None` before a deal was
    /// watched, and for decisions that were stored elsewhere.
    pub const fn rules_hash(&self) -> Option<u64> {
        self.rules_hash
    }

    /// The decisions in order.
    pub fn decisions(&self) -> &[(Seat, Action)] {
        &self.decisions
    }

    /// Keeps the first `decisions` decisions and drops the rest. To undo, truncate and then
    /// [`Moves::resume`].
    pub fn truncate(&mut self, decisions: usize) {
        self.decisions.truncate(decisions);
        self.dead.retain(|(after, _)| *after <= decisions);
    }

    /// Plays the match again, or as many deals of it as are complete.
    ///
    /// # Errors
    /// [`MovesError`] if the moves do not fit the ruleset and the seed, or stop within a deal.
    pub fn play<'a>(
        &self,
        rules: &'a dyn Ruleset,
        observer: &mut dyn Observer,
    ) -> Result<Match<&'a dyn Ruleset>, MovesError> {
        let series = Match::new(rules, self.game_seed);
        let (series, deal) = self.resume_observed(series, observer)?;
        if deal.is_some() {
            let at = self.decisions.len();
            return Err(MovesError::Ended { at });
        }
        observer.match_ended(series.state());
        Ok(series)
    }

    /// Makes all decisions, starting from a match that has just begun or was [restored](Match::restore).
    ///
    /// Returns the match and the deal in play. The deal is `None` between two deals and after the last one.
    ///
    /// # Errors
    /// [`MovesError`] if the moves do not fit this match.
    pub fn resume<R: Ruleset + Clone>(
        &self,
        series: Match<R>,
    ) -> Result<(Match<R>, Option<Deal<R>>), MovesError> {
        self.resume_observed(series, &mut ())
    }

    /// [`Moves::resume`] with an observer, which is notified of what happens, except the end of the match.
    ///
    /// # Errors
    /// Those of [`Moves::resume`].
    pub fn resume_observed<R: Ruleset + Clone>(
        &self,
        series: Match<R>,
        observer: &mut dyn Observer,
    ) -> Result<(Match<R>, Option<Deal<R>>), MovesError> {
        let (series, last) = self.last_deal(series, observer)?;
        let in_play = last.filter(|deal| !deal.state().waiting().is_empty());
        Ok((series, in_play))
    }

    /// [`Moves::resume_observed`], but returns the last deal even if it is over. `None` if no deal was begun.
    pub(crate) fn last_deal<R: Ruleset + Clone>(
        &self,
        mut series: Match<R>,
        observer: &mut dyn Observer,
    ) -> Result<(Match<R>, Option<Deal<R>>), MovesError> {
        let (found, expected) = (self.game_seed, series.state().game_seed());
        if found != expected {
            return Err(MovesError::OtherSeed { found, expected });
        }
        let expected = series.state().plan().content_hash;
        if let Some(found) = self.rules_hash.filter(|&found| found != expected) {
            return Err(MovesError::OtherRules { found, expected });
        }
        let all = self.decisions.len();
        let (mut made, mut dead) = (0, self.dead.iter().peekable());
        let mut last = None;
        observer.match_started(series.state());
        while !series.is_over() && (made < all || dead.peek().is_some()) {
            let mut deal = series.start_deal_observed(observer);
            while !deal.state().waiting().is_empty() {
                let error = |error| MovesError::Action { at: made, error };
                if let Some(&(_, seat)) = dead.next_if(|(after, _)| *after <= made) {
                    deal.declare_dead_observed(seat, observer).map_err(error)?;
                    continue;
                }
                let Some(&(seat, action)) = self.decisions.get(made) else {
                    return Ok((series, Some(deal)));
                };
                made += 1;
                let error = |error| MovesError::Action { at: made, error };
                deal.act_observed(seat, action, observer).map_err(error)?;
            }
            let error = |error| MovesError::Record { at: made, error };
            let next = series.finish(&deal).map_err(error)?;
            if let Some(outcome) = deal.outcome() {
                observer.deal_ended(series.state(), deal.state(), outcome, next);
            }
            last = Some(deal);
        }
        if made < all {
            return Err(MovesError::Surplus { at: made, all });
        }
        Ok((series, last))
    }
}

impl Observer for Moves {
    fn deal_started(&mut self, state: &DealState) {
        self.rules_hash = Some(state.rules_hash());
    }

    fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, action: Action) {
        // A deal in play may be all that is watched.
        self.rules_hash = Some(state.rules_hash());
        self.decisions.push((seat, action));
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        if let Event::HandDied { seat } = event {
            self.dead.push((self.decisions.len(), *seat));
        }
    }
}

const _: () = assert!(size_of::<(Seat, Action)>() <= 12);
