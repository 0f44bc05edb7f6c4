//! Rows: the classes of a lane with one tile more, side by side.
//!
//! To find what a hand accepts, each of its lanes is tried with one more tile of every kind. Those lanes have
//! numbers far apart, so each class would be an access to distant memory. A row takes one access for all.
//! Only lanes of few tiles have rows. They are few of all lanes, but most of the lanes of real hands.

use std::sync::atomic::{AtomicU64, Ordering};

/// By the place of the added tile: the class of the lane with it, plus one. [`NONE`] if that lane has no
/// class. If no copy of the tile is left, the entry is that of some other place.
pub(in crate::decompose) type Row = [u8; 16];

/// The entry for no class.
pub(super) const NONE: u8 = u8::MAX;

/// Sixteen bytes as two words.
#[inline]
pub(super) fn halves(bytes: Row) -> [u64; 2] {
    let whole = u128::from_le_bytes(bytes);
    [whole as u64, (whole >> 64) as u64]
}

/// The rows by the number of the lane, computed on demand.
pub(super) struct AcceptRows {
    /// Each row as two words. No byte of a known row is 0.
    halves: Box<[[AtomicU64; 2]]>,
}

impl AcceptRows {
    /// Room for the rows of `lanes` lanes; none is known yet.
    pub(super) fn new(lanes: usize) -> Self {
        let unknown = || [AtomicU64::new(0), AtomicU64::new(0)];
        Self {
            halves: (0..lanes).map(|_| unknown()).collect(),
        }
    }

    /// The row of a lane. If it is not known yet, `make` finds it, and it is kept if there is room.
    #[inline]
    pub(super) fn row(&self, lane: usize, make: impl FnOnce() -> Row) -> Row {
        let Some(halves) = self.halves.get(lane) else {
            return make();
        };
        let [low, high] = [0, 1].map(|half| halves[half].load(Ordering::Acquire));
        if low == 0 || high == 0 {
            return Self::keep(halves, make());
        }
        (u128::from(low) | u128::from(high) << 64).to_le_bytes()
    }

    #[cold]
    fn keep(halves: &[AtomicU64; 2], row: Row) -> Row {
        debug_assert!(!row.contains(&0));
        for (half, known) in halves.iter().zip(self::halves(row)) {
            half.store(known, Ordering::Release);
        }
        row
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.halves)
    }
}
