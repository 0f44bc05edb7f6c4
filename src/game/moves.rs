//! The shortest record of a match: its seed and what was decided.

use super::{ActionError, Deal, Match, Observer, RecordError};
use crate::random::Seed;
use crate::ruleset::Ruleset;
use crate::seat::Seat;
use crate::state::{Action, DealState, Event, Legal};

/// What was decided in a match, with its seed: enough to play it again, or to save it and go on. It costs five
/// bytes a decision and next to no time; whatever else one wants to know of a match, its log among them, is told by
/// playing it again.
///
/// A server keeps the moves after every decision, and goes on after a crash:
///
/// ```
/// use paishan::game::{Match, Moves};
/// use paishan::ruleset;
/// let woo = ruleset::by_id("woo", &[])?;
/// let series = Match::new(&woo, 7);
/// let mut moves = Moves::new(7);
/// let mut deal = series.start_deal(&mut moves);
/// for _ in 0..20 {
///     let seat = deal.state().waiting().first().expect("somebody decides");
///     let action = deal.legal(seat).iter().last().expect("an action");
///     deal.act(seat, action, &mut moves)?;
/// }
/// let (again, resumed) = moves.resume(Match::new(&woo, moves.game_seed()), &mut ())?;
/// assert_eq!(resumed.expect("a deal is being played").state(), deal.state());
/// assert_eq!(again.totals(), series.totals());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` moves are read and written as `{"game_seed": …, "decisions": […], "dead": […]}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moves {
    game_seed: Seed,
    decisions: Vec<(Seat, Action)>,
    /// Hands that a judge has declared dead, each with the number of decisions made before.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    dead: Vec<(usize, Seat)>,
}

/// Moves that are none of a match of the ruleset.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MovesError {
    /// A decision that could not be made.
    #[error("decision {at}: {error}")]
    Action {
        /// Which one, from 1.
        at: usize,
        /// What was wrong.
        error: ActionError,
    },
    /// The decisions end within a deal.
    #[error("the decisions end after {at}, within a deal")]
    Ended {
        /// How many there are.
        at: usize,
    },
    /// A deal that the match does not take: the ruleset settles it in two ways.
    #[error("the deal that ends with decision {at}: {error}")]
    Record {
        /// Decisions made so far.
        at: usize,
        /// What was wrong.
        error: RecordError,
    },
    /// Decisions are left when the match is over.
    #[error("the match is over after {at} of {all} decisions")]
    Surplus {
        /// How many were made.
        at: usize,
        /// How many there are.
        all: usize,
    },
}

impl Moves {
    /// No moves yet of the match with a seed.
    pub fn new(game_seed: impl Into<Seed>) -> Self {
        Self::of(game_seed, Vec::new())
    }

    /// Moves that were kept elsewhere.
    pub fn of(game_seed: impl Into<Seed>, decisions: Vec<(Seat, Action)>) -> Self {
        Self {
            game_seed: game_seed.into(),
            decisions,
            dead: Vec::new(),
        }
    }

    /// Begins the record of another match in the same memory.
    pub fn begin(&mut self, game_seed: impl Into<Seed>) {
        self.game_seed = game_seed.into();
        self.decisions.clear();
        self.dead.clear();
    }

    /// The seed of the match.
    pub const fn game_seed(&self) -> Seed {
        self.game_seed
    }

    /// What was decided, in order.
    pub fn decisions(&self) -> &[(Seat, Action)] {
        &self.decisions
    }

    /// Takes back what was decided after so many decisions: with [`Moves::resume`] the way to undo.
    pub fn truncate(&mut self, decisions: usize) {
        self.decisions.truncate(decisions);
        self.dead.retain(|(after, _)| *after < decisions);
    }

    /// Plays the match again, or as much of it as whole deals were played.
    ///
    /// # Errors
    /// [`MovesError`] where the moves are none of this ruleset and seed.
    pub fn play<'a>(
        &self,
        rules: &'a dyn Ruleset,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Match<&'a dyn Ruleset>, MovesError> {
        let series = Match::new(rules, self.game_seed);
        let (series, deal) = self.resume(series, observer)?;
        if deal.is_some() {
            let at = self.decisions.len();
            return Err(MovesError::Ended { at });
        }
        observer.match_ended(&series);
        Ok(series)
    }

    /// Plays on from a match that has just begun, or was [restored](Match::restore): makes all decisions and stops.
    /// What comes back is the match, and the deal that is being played; `None` between two deals and after the
    /// last. The observer is told of the match as it goes, but not that it ends.
    ///
    /// # Errors
    /// [`MovesError`] where the moves are none of this match.
    #[allow(clippy::type_complexity, reason = "a pair of what it says")]
    pub fn resume<R: Ruleset + Clone>(
        &self,
        mut series: Match<R>,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<(Match<R>, Option<Deal<R>>), MovesError> {
        let all = self.decisions.len();
        let (mut made, mut dead) = (0, self.dead.iter().peekable());
        observer.match_started(&series);
        while !series.is_over() && (made < all || dead.peek().is_some()) {
            let mut deal = series.start_deal(observer);
            while !deal.state().waiting().is_empty() {
                let error = |error| MovesError::Action { at: made, error };
                if let Some(&(_, seat)) = dead.next_if(|(after, _)| *after <= made) {
                    deal.declare_dead(seat, observer).map_err(error)?;
                    continue;
                }
                let Some(&(seat, action)) = self.decisions.get(made) else {
                    return Ok((series, Some(deal)));
                };
                made += 1;
                let error = |error| MovesError::Action { at: made, error };
                deal.act(seat, action, observer).map_err(error)?;
            }
            let error = |error| MovesError::Record { at: made, error };
            let next = series.finish(&deal).map_err(error)?;
            if let Some(outcome) = deal.outcome() {
                observer.deal_ended(&series, deal.state(), outcome, next);
            }
        }
        if made < all {
            return Err(MovesError::Surplus { at: made, all });
        }
        Ok((series, None))
    }
}

impl Observer for Moves {
    fn decided(&mut self, _: &DealState, seat: Seat, _: &Legal, action: Action) {
        self.decisions.push((seat, action));
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        if let Event::HandDied { seat } = event {
            self.dead.push((self.decisions.len(), *seat));
        }
    }
}

const _: () = assert!(size_of::<(Seat, Action)>() <= 5);
