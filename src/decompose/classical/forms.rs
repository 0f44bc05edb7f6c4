//! Seven pairs and thirteen orphans, read from the counts of kinds.

use super::set::{HONOUR_ONES, without_one};
use crate::counts::{Counts, ONES};
use crate::decompose::form::SpecialForm;

/// The forms of a grammar, if all of them but those of lists are seven pairs or thirteen orphans. Their missing tiles
/// follow from the counts of kinds.
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
    /// The forms of a grammar. `None` if there is another form among them, lists apart, or seven pairs occur
    /// twice.
    pub(in crate::decompose) fn new(forms: &[SpecialForm]) -> Option<Self> {
        let mut all = Self::default();
        for form in forms {
            match form {
                SpecialForm::Pairs { distinct } if all.pairs.is_none() => {
                    all.pairs = Some(*distinct);
                }
                SpecialForm::OneEach { tiles, twice: true } if is_orphans(tiles) => {
                    all.orphans = true;
                }
                // Forms of lists are evaluated beside the tables.
                SpecialForm::Different { .. } | SpecialForm::WithGroups { .. } => {}
                SpecialForm::OneEach { .. } | SpecialForm::Pairs { .. } | SpecialForm::Straight => {
                    return None;
                }
            }
        }
        Some(all)
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
