//! What hands of seven pairs and thirteen orphans wait for and accept.

use super::digits::Digits;
use super::forms::{ORPHANS, TableForms};
use super::set::CLASSICAL;
use crate::counts::{Counts, ONES, gather};
use crate::set::KindSet;

impl TableForms {
    /// The tiles that make thirteen tiles one of the forms.
    #[inline]
    pub(in crate::decompose) fn waits(self, concealed: &Counts) -> KindSet {
        let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
        let mut waits = KindSet::EMPTY;
        if let Some(distinct) = self.pairs {
            // Thirteen tiles with one odd kind; where the pairs must differ it stands alone and none is
            // four. The odd kinds are an odd number: their sums are no power of two but where it is one.
            let odd: u64 = lanes.iter().map(|lane| lane & ONES).sum();
            let alike = |all, lane: &u64| all | lane & lane >> 1 & ONES | lane >> 2 & ONES;
            if odd.is_power_of_two() && !(distinct && lanes.iter().fold(0, alike) != 0) {
                let bits = (0..4).map(|lane| gather(lanes[lane]) << (16 * lane));
                waits = KindSet::from_bits(bits.sum());
            }
        }
        if self.orphans {
            // Twelve kinds or thirteen, none thrice.
            let fits = |(lane, orphans): (&u64, u64)| lane & !(3 * orphans) == 0;
            let lacks_one = || Digits::of(concealed).missing_orphans(self) == 1;
            if lanes.iter().zip(ORPHANS).all(fits) && lacks_one() {
                waits = waits.union(orphans_wanted(concealed));
            }
        }
        waits
    }

    /// Kinds of which one more brings a form nearer that lacks so many tiles; `digits` are the hand's.
    pub(super) fn accepts(self, concealed: &Counts, digits: &Digits, missing: u8) -> KindSet {
        let [one, two, four] = [1, 2, 4].map(|count| concealed.at_least(count));
        let mut accepts = KindSet::EMPTY;
        if digits.missing_pairs(self) == missing {
            // The second tile of a pair; the first of another where there are too few.
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

/// Orphans that are not held, and all of them where none is held twice.
fn orphans_wanted(concealed: &Counts) -> KindSet {
    let bits = (0..4).map(|lane| gather(ORPHANS[lane]) << (16 * lane));
    let orphans = KindSet::from_bits(bits.sum());
    if orphans.intersection(concealed.at_least(2)).is_empty() {
        orphans
    } else {
        orphans.difference(concealed.kinds())
    }
}
