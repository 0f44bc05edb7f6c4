//! [`SpecialForm`]: complete hands that are not groups and a pair.

use crate::counts::{Counts, ONES, lane_covers};

/// A complete hand that is not groups and a pair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SpecialForm {
    /// Seven pairs.
    Pairs {
        /// All pairs must differ: four of a kind are not two pairs.
        distinct: bool,
    },
    /// Each of these tiles and, with `twice`, a second copy of one of them.
    OneEach {
        /// The tiles that the form needs.
        tiles: Counts,
        /// The form has one more tile, of any of these kinds.
        twice: bool,
    },
    /// Fourteen different tiles, all of them in one of these lists. The hand has no declared melds.
    Different {
        /// Each list has fourteen kinds or more, each once.
        lists: Vec<Counts>,
    },
    /// All tiles of one of these lists, and groups and a pair beside them. The groups may be declared.
    WithGroups {
        /// Each list has nine or twelve tiles, each once. So there is one group beside them, or none.
        lists: Vec<Counts>,
    },
    /// Fourteen ranks of one suit in a row. Some of them may be declared, as open runs of three ranks in a
    /// row.
    Straight,
}

/// Tiles of a complete hand.
const HAND: usize = 14;

/// The most lists of all forms of a grammar.
pub(super) const MOST_LISTS: usize = 24;

/// An error in the lists of a form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// A list has a tile twice, or a tile that is not in the set.
    #[error("a list of a form has each tile once, and only tiles of the set")]
    Tiles,
    /// A list for fourteen different tiles has fewer than fourteen.
    #[error("{0} tiles to choose from, a hand has fourteen")]
    TooFew(usize),
    /// A list beside groups and a pair has another size than 9 or 12.
    #[error("{0} tiles beside groups and a pair, 9 or 12 are possible")]
    BesideGroups(usize),
    /// All forms together have more than 24 lists.
    #[error("{0} lists of tiles in all forms, at most {MOST_LISTS} are possible")]
    TooMany(usize),
}

impl SpecialForm {
    /// The lists of a form that is written as lists. Empty for any other form.
    pub fn lists(&self) -> &[Counts] {
        match self {
            Self::Different { lists } | Self::WithGroups { lists } => lists,
            Self::Pairs { .. } | Self::OneEach { .. } | Self::Straight => &[],
        }
    }

    /// Checks the lists of the form against a set with these copies.
    ///
    /// # Errors
    /// [`ListError`] if a list does not fit the form or the set.
    pub fn check_lists(&self, copies: &Counts) -> Result<(), ListError> {
        for list in self.lists() {
            let is_of_set = (0..4).all(|lane| {
                let wanted = list.lane(lane);
                wanted & !ONES == 0 && lane_covers(copies.lane(lane), wanted)
            });
            let total = list.total();
            match self {
                _ if !is_of_set => return Err(ListError::Tiles),
                Self::Different { .. } if total < HAND => return Err(ListError::TooFew(total)),
                Self::WithGroups { .. } if !matches!(total, 9 | 12) => {
                    return Err(ListError::BesideGroups(total));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
