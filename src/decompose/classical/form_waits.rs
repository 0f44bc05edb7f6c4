//! The waits and accepted tiles of hands near seven pairs or thirteen orphans.

use super::digits::Digits;
use super::forms::{ORPHANS, TableForms};
use super::set::CLASSICAL;
use crate::counts::{Counts, ONES, gather};
use crate::set::KindSet;

impl TableForms {
    /// The kinds that complete thirteen tiles as one of the forms.
    #[inline]
    pub(in crate::decompose) fn waits(self, concealed: &Counts) -> KindSet {
        let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
        let mut waits = KindSet::EMPTY;
        if let Some(distinct) = self.pairs {
            // One kind only may have an odd count. Thirteen tiles have an odd number of such kinds, and the
            // sum of their bits is a power of two only for one. If all pairs must differ, that kind is held
            // once, and no kind is held four times.
            let odd: u64 = lanes.iter().map(|lane| lane & ONES).sum();
            let alike = |all, lane: &u64| all | lane & lane >> 1 & ONES | lane >> 2 & ONES;
            if odd.is_power_of_two() && !(distinct && lanes.iter().fold(0, alike) != 0) {
                let bits = (0..4).map(|lane| gather(lanes[lane]) << (16 * lane));
                waits = KindSet::from_bits(bits.sum());
            }
        }
        if self.orphans {
            // Orphans only, of twelve or thirteen kinds. Then none of them is held three times.
            let fits = |(lane, orphans): (&u64, u64)| lane & !(3 * orphans) == 0;
            let lacks_one = || Digits::of(concealed).missing_orphans(self) == 1;
            if lanes.iter().zip(ORPHANS).all(fits) && lacks_one() {
                waits = waits.union(orphans_wanted(concealed));
            }
        }
        waits
    }

    /// The accepted tiles of the forms with `missing` missing tiles. `digits` are those of the hand.
    #[inline(always)]
    pub(super) fn accepts(self, concealed: &Counts, digits: &Digits, missing: u8) -> KindSet {
        let [one, two, four] = [1, 2, 4].map(|count| concealed.at_least(count));
        let mut accepts = KindSet::EMPTY;
        if digits.missing_pairs(self) == missing {
            // The second tile of a pair helps. The first tile of another helps too if fewer than seven have
            // begun.
            let three = concealed.at_least(3);
            let (halves, pairs, others) = match self.pairs {
                Some(false) => {
                    let halves = one.difference(two).union(three.difference(four));
                    let pairs = two.len() + four.len();
                    (halves, pairs, CLASSICAL.difference(halves))
                }
                _ => (one.difference(two), two.len(), CLASSICAL.difference(one)),
            };
            accepts = accepts.union(halves);
            if halves.len() + pairs < 7 {
                accepts = accepts.union(others);
            }
        }
        if digits.missing_orphans(self) == missing {
            accepts = accepts.union(orphans_wanted(concealed));
        }
        accepts.difference(four)
    }
}

/// The orphans that are not held; all orphans if none is held twice.
fn orphans_wanted(concealed: &Counts) -> KindSet {
    let bits = (0..4).map(|lane| gather(ORPHANS[lane]) << (16 * lane));
    let orphans = KindSet::from_bits(bits.sum());
    if orphans.intersection(concealed.at_least(2)).is_empty() {
        orphans
    } else {
        orphans.difference(concealed.kinds())
    }
}
