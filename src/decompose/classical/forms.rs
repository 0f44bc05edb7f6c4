//! Seven pairs and thirteen orphans, read from the counts of kinds.

use super::set::{HONOUR_ONES, without_one};
use crate::counts::{Counts, ONES};
use crate::decompose::special::Way;

/// The forms of a grammar that are seven pairs or thirteen orphans. Their missing tiles follow from the counts of kinds.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::decompose) struct TableForms {
    /// Seven pairs; true if all of them must differ.
    pub(super) pairs: Option<bool>,
    /// Thirteen orphans: one of each terminal and honour, and one of them twice.
    pub(super) orphans: bool,
}

/// The orphans as ones in the nibbles of lanes: the first and last rank of each suit, winds and dragons.
pub(super) const ORPHANS: [u64; 4] = {
    let terminals = 1 | 1 << 32;
    [terminals, terminals, terminals, HONOUR_ONES]
};

impl TableForms {
    /// Tells these forms of a grammar from its other concrete hands. `copies` are those of the set.
    pub(in crate::decompose) fn split(ways: &[Way], copies: &Counts) -> (Self, Vec<Way>) {
        let mut all = Self::default();
        let mut others = Vec::new();
        for way in ways {
            match way.is_pairs(copies) {
                Some(distinct) if all.pairs.is_none() => all.pairs = Some(distinct),
                _ if way.is_once_and_one_twice() && is_orphans(&way.tiles) => all.orphans = true,
                _ => others.push(way.clone()),
            }
        }
        (all, others)
    }

    /// True if fourteen tiles are one of the forms.
    #[inline]
    pub(in crate::decompose) fn is_any(self, concealed: &Counts) -> bool {
        let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
        let is_pairs = self.pairs.is_some_and(|distinct| {
            let no_pairs = if distinct { !(2 * ONES) } else { ONES };
            lanes.iter().fold(0, |all, lane| all | lane & no_pairs) == 0
        });
        is_pairs
            || self.orphans && {
                // All tiles are orphans, and each orphan is held one to three times. Of fourteen tiles, one
                // is held twice.
                let fits = |(lane, orphans): (&u64, u64)| {
                    (lane | lane >> 1) & ONES == orphans && lane & !(3 * orphans) == 0
                };
                lanes.iter().zip(ORPHANS).all(fits)
            }
    }

    /// False for most hands that lack more than one tile of every form. It has no branch that the processor
    /// could mispredict.
    #[inline]
    pub(in crate::decompose) fn may_wait(self, concealed: &Counts) -> bool {
        let odd: u64 = (0..4).map(|lane| concealed.lane(lane) & ONES).sum();
        let pairs = self.pairs.is_some() & (odd & odd.wrapping_sub(1) == 0);
        pairs | may_want_orphan(concealed.lane(3), self)
    }
}

fn is_orphans(tiles: &Counts) -> bool {
    (0..4).all(|lane| tiles.lane(lane) == ORPHANS[lane])
}

/// False if thirteen orphans lack more than one honour, so no tile completes them.
#[inline]
pub(super) fn may_want_orphan(honours: u64, forms: TableForms) -> bool {
    let missing = HONOUR_ONES & !(honours | honours >> 1 | honours >> 2);
    forms.orphans && without_one(missing) == 0
}
