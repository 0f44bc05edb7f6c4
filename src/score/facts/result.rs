//! The sums of the patterns of a hand, and its result.

use crate::score::amounts::MOST_SUMS;

/// The result of a scored hand. Numbers are in tenths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Tallied {
    pub(crate) wins: bool,
    pub(crate) points: i64,
    pub(crate) limits: i64,
    /// By column of `[score] sums`. In han and fu these are the two columns.
    pub(crate) sums: [i64; MOST_SUMS],
}

/// A sum of the patterns of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SumFact {
    /// A column of `[score] sums`. `whole` if all its values are whole numbers.
    Column {
        /// Its index.
        place: u8,
        /// All its values are whole numbers.
        whole: bool,
    },
    /// Limits.
    Limits,
    /// The worth that the columns make. Only `[score] points` knows it.
    Worth,
}

impl SumFact {
    /// Reads the fact from a result, in tenths.
    pub(crate) fn read(self, result: &Tallied) -> i64 {
        match self {
            Self::Column { place, .. } => result.sums[usize::from(place) % MOST_SUMS],
            Self::Limits => result.limits,
            Self::Worth => 0,
        }
    }
}
