//! [`Goal`]: what a hand is wanted to be.

use crate::decimal::Decimal;
use crate::ruleset::Plan;
use crate::score::{Score, ScoreError, Tally};

/// What a hand is wanted to be.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Goal {
    /// Any complete hand, whatever it is worth. See [`Unfinished`](super::Unfinished) for hands that `[win]` refuses.
    #[default]
    Complete,
    /// A win: the hand is complete, and worth the minimum of the ruleset.
    Win,
    /// A win with at least this sum in the first column of the ruleset, such as fan, doubles or han. A limit hand meets any
    /// such goal.
    Worth(Decimal),
    /// A win with at least this many points before settlement.
    Points(i64),
    /// The pattern with this id counts. The hand is complete, but may be worth too little to win.
    Pattern(String),
}

impl Goal {
    /// The id of a pattern that the ruleset does not have.
    pub(super) fn unknown_pattern(&self, plan: &Plan) -> Option<&str> {
        match self {
            Self::Pattern(id) if plan.score.patterns().iter().all(|one| one.id != *id) => Some(id),
            _ => None,
        }
    }

    /// True if a hand with this score meets the goal.
    pub(super) fn is_met(&self, plan: &Plan, scored: &Result<Score, ScoreError>) -> bool {
        let (score, wins) = match scored {
            Ok(score) => (score, true),
            Err(ScoreError::BelowMinimum(score)) => (&**score, false),
            Err(_) => return false,
        };
        match self {
            Self::Complete => true,
            Self::Win => wins,
            Self::Points(points) => wins && score.points >= *points,
            Self::Worth(worth) => wins && is_worth(&score.tally, *worth),
            Self::Pattern(id) => plan.score.has_counted(score, id),
        }
    }
}

fn is_worth(tally: &Tally, worth: Decimal) -> bool {
    match tally {
        Tally::Sums(sum) => sum.limit_hand || sum.columns[0] >= worth,
        Tally::HanFu(sum) => sum.limits > 0 || Decimal::whole(sum.han.into()) >= worth,
    }
}
