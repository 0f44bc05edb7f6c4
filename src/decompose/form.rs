//! [`SpecialForm`]: complete hands that are not groups and a pair.

use crate::counts::Counts;

/// A complete hand that is not groups and a pair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SpecialForm {
    /// Seven pairs.
    Pairs {
        /// All pairs must differ: four of a kind are not two pairs.
        distinct: bool,
    },
    /// Each of these tiles. With `twice`, one of them once more.
    OneEach {
        /// The tiles that the form needs.
        tiles: Counts,
        /// The form has one more tile, of any of these kinds.
        twice: bool,
    },
    /// Fourteen different tiles, all of them in one of these lists. Nothing is declared.
    Different {
        /// Each list has fourteen kinds or more, each once.
        lists: Vec<Counts>,
    },
    /// All tiles of one of these lists, and groups and a pair beside them. The groups may be declared.
    WithGroups {
        /// Each list has nine or twelve tiles, each once. So there is one group beside them, or none.
        lists: Vec<Counts>,
    },
    /// Fourteen ranks of one suit in a row. Groups declared beside it must be open runs of three ranks in a
    /// row.
    Straight,
}
