//! The set of the classical grammar: 34 kinds in four lanes.

use crate::counts::Counts;
use crate::set::KindSet;

/// The kinds of a suit.
pub(super) const RANKS: usize = 9;

/// The kinds of honours.
pub(super) const HONOURS: usize = 7;

/// The honours as ones in the nibbles of their lane: four winds and, two places further, three dragons.
pub(super) const HONOUR_ONES: u64 = 0x111 << 28 | 0x1111 << 4;

/// The groups of a complete hand, beside the pair.
pub(super) const GROUPS: usize = 4;

/// The kinds of the classical set.
pub(super) const CLASSICAL: KindSet =
    KindSet::from_bits(0x1ff | 0x1ff << 16 | 0x1ff << 32 | 0x39e << 48);

/// The counts of the seven honours in neighbouring nibbles.
#[inline]
pub(super) fn honours(lane: u64) -> u64 {
    lane >> 4 & 0xffff | lane >> 12 & 0xfff_0000
}

/// The tiles of each lane over a multiple of three. 16 is 1 modulo 3, so a lane modulo 3 is its tile total
/// modulo 3.
#[inline]
pub(super) fn rest(concealed: &Counts) -> [u64; 4] {
    std::array::from_fn(|lane| concealed.lane(lane) % 3)
}

/// The bits without the lowest one set. Not 0 if two or more are set.
#[inline]
pub(super) const fn without_one(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}
