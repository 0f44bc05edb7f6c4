//! [`SpecialForm`]: complete hands that are not groups and a pair.

use crate::counts::Counts;

/// A complete hand that is not groups and a pair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SpecialForm {
    /// As many pairs as fill fourteen tiles.
    Pairs {
        /// Four alike are no two pairs.
        distinct: bool,
    },
    /// Each of these tiles, and where `twice` one of them once more.
    OneEach {
        /// The tiles that are needed.
        tiles: Counts,
        /// One more of any of the kinds.
        twice: bool,
    },
    /// Fourteen ranks of one suit in a row; groups declared beside it must be open runs of three
    /// ranks in a row.
    Straight,
}
