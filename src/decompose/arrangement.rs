//! [`Arrangement`]: one way to read a complete hand.

use crate::counts::Counts;
use crate::list::List;
use crate::meld::Group;

/// Room for the groups of an arrangement, the pair included. Eight pairs of seventeen tiles are the most.
pub(super) const MOST: usize = 8;

/// One way to read concealed tiles as a complete hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Arrangement {
    /// 0 for groups and a pair, otherwise 1 + the index in [`Grammar::forms`](super::Grammar::forms).
    pub form: u8,
    pub(crate) groups: List<Group, MOST>,
}

impl Arrangement {
    /// The concealed groups, the pair included. Declared melds are not listed. Forms also have tiles in no group, see
    /// [`Self::loose`].
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The tiles of a complete hand that are in none of the groups. Only forms have such tiles.
    pub fn loose(&self, concealed: &Counts) -> Counts {
        let take = |left: Counts, group: &Group| left.saturating_minus(&group.counts());
        self.groups.iter().fold(*concealed, take)
    }
}

const _: () = assert!(size_of::<Arrangement>() <= 36);
