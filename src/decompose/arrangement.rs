//! [`Arrangement`]: one way to read a complete hand.

use crate::list::List;
use crate::meld::Group;

/// Room for the groups of an arrangement, the pair included. Seven pairs are the most.
pub(super) const MOST: usize = 7;

/// One way to read concealed tiles as a complete hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Arrangement {
    /// 0 for groups and a pair, otherwise 1 + the index in [`Grammar::forms`](super::Grammar::forms).
    pub form: u8,
    /// The concealed groups, the pair included. Declared melds are not listed. Empty for a form of single
    /// tiles.
    pub groups: List<Group, MOST>,
}

const _: () = assert!(size_of::<Arrangement>() <= 32);
