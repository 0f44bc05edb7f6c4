//! The set of the classical grammar: 34 kinds in four lanes.

use crate::counts::Counts;
use crate::set::KindSet;

/// Kinds of a suit, and of honours.
pub(super) const RANKS: usize = 9;

pub(super) const HONOURS: usize = 7;

/// Ones in the nibbles of the honours: four winds, and three dragons two places further.
pub(super) const HONOUR_ONES: u64 = 0x111 << 28 | 0x1111 << 4;

/// The most groups of a hand.
pub(super) const GROUPS: usize = 4;

/// The kinds of the classical set.
pub(super) const CLASSICAL: KindSet =
    KindSet::from_bits(0x1ff | 0x1ff << 16 | 0x1ff << 32 | 0x39e << 48);

/// The seven honours as nibbles in a row.
#[inline]
pub(super) fn honours(lane: u64) -> u64 {
    lane >> 4 & 0xffff | lane >> 12 & 0xfff_0000
}

/// What is over when the tiles of each lane are counted in threes: sixteen is one more than threes, so
/// the lane leaves what its nibbles' sum leaves.
#[inline]
pub(super) fn rest(concealed: &Counts) -> [u64; 4] {
    std::array::from_fn(|lane| concealed.lane(lane) % 3)
}

/// Bits without the lowest of them.
#[inline]
pub(super) const fn without_one(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}
