//! The shortest record of a match: its seed and what was decided.

use crate::game::{ActionError, Deal, Match, Observer, RecordError};
use crate::random::Seed;
use crate::ruleset::Ruleset;
use crate::seat::Seat;
use crate::state::{Action, DealState, Legal};

/// What was decided in a match, with its seed: enough to play it again, in five bytes a decision. Keeping
/// moves costs next to nothing while a match is played; whatever else one wants to know of it, its
/// log among them, is told by playing it again.
///
/// ```
/// use paishan::log::Moves;
/// use paishan::{agent, ruleset, simulate};
/// let woo = ruleset::by_id("woo", &[])?;
/// let mut agents: Vec<_> = (0..4).filter_map(|_| agent::by_name("random", woo.plan())).collect();
/// let mut moves = Moves::new(7);
/// let series = simulate::play(&*woo, &mut agents, moves.game_seed(), &mut moves)?;
/// let again = moves.play(&*woo, &mut ())?;
/// assert_eq!(series.totals(), again.totals());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    game_seed: Seed,
    decisions: Vec<(Seat, Action)>,
}

/// Moves that are none of a match of the ruleset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
        Self {
            game_seed: game_seed.into(),
            decisions: Vec::new(),
        }
    }

    /// Moves that were kept elsewhere.
    pub fn of(game_seed: impl Into<Seed>, decisions: Vec<(Seat, Action)>) -> Self {
        Self {
            game_seed: game_seed.into(),
            decisions,
        }
    }

    /// Begins the record of another match in the same memory.
    pub fn begin(&mut self, game_seed: impl Into<Seed>) {
        self.game_seed = game_seed.into();
        self.decisions.clear();
    }

    /// The seed of the match.
    pub const fn game_seed(&self) -> Seed {
        self.game_seed
    }

    /// What was decided, in order.
    pub fn decisions(&self) -> &[(Seat, Action)] {
        &self.decisions
    }

    /// Plays the match again, or as much of it as whole deals were played.
    ///
    /// # Errors
    /// [`MovesError`] where the moves are none of this ruleset and seed.
    pub fn play<'a>(
        &self,
        rules: &'a dyn Ruleset,
        observer: &mut impl Observer,
    ) -> Result<Match<&'a dyn Ruleset>, MovesError> {
        let mut series = Match::new(rules, self.game_seed);
        let all = self.decisions.len();
        let mut made = 0;
        observer.match_started(&series);
        while !series.is_over() && made < all {
            let mut deal = Deal::start(*series.rules(), series.setup(), observer);
            while !deal.state().waiting().is_empty() {
                let &(seat, action) = self
                    .decisions
                    .get(made)
                    .ok_or(MovesError::Ended { at: made })?;
                made += 1;
                deal.act(seat, action, observer)
                    .map_err(|error| MovesError::Action { at: made, error })?;
            }
            let outcome = deal.outcome().cloned().unwrap_or_default();
            let next = series
                .record(deal.state(), &outcome)
                .map_err(|error| MovesError::Record { at: made, error })?;
            observer.deal_ended(&series, deal.state(), &outcome, next);
        }
        if made < all {
            return Err(MovesError::Surplus { at: made, all });
        }
        observer.match_ended(&series);
        Ok(series)
    }
}

impl Observer for Moves {
    fn decided(&mut self, _: &DealState, seat: Seat, _: &Legal, action: Action) {
        self.decisions.push((seat, action));
    }
}

const _: () = assert!(size_of::<(Seat, Action)>() <= 5);
