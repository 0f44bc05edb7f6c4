//! From scores to what each player gains or pays.

use super::Score;
use crate::seat::BySeat;

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// Nobody pays anybody: each player adds the points of his own hand. Source: `spec/woo.md`
    /// §8.7.
    OwnPoints,
}

/// What a deal brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settlement {
    /// The scores of the hands that have one.
    pub scores: BySeat<Option<Score>>,
    /// The change of each player's total.
    pub deltas: BySeat<i64>,
}

impl SettlementRules {
    /// Pays for scores. Without any win nobody gains or loses.
    pub(crate) fn settle(self, scores: BySeat<Option<Score>>) -> Settlement {
        let deltas = match self {
            Self::OwnPoints => {
                BySeat::from_fn(|seat| scores[seat].as_ref().map_or(0, |score| score.points))
            }
        };
        Settlement { scores, deltas }
    }
}
