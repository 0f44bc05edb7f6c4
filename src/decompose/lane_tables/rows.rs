//! The classes of lanes with one tile more, all of a lane in one row.
//!
//! Whoever asks what a hand accepts asks of each of its lanes what class it has with one tile more, of every kind.
//! These lanes lie far apart, and each is a look at far memory; a row is one. Lanes of few tiles, which are most that
//! are held and few of all, have one.

use std::sync::atomic::{AtomicU64, Ordering};

/// One more than the class of a lane with one tile more, by the place of that tile; [`NONE`] where it has no class, and that
/// of some other place where the tile has no copy left.
pub(in crate::decompose) type Row = [u8; 16];

/// What stands for no class.
pub(super) const NONE: u8 = u8::MAX;

/// Sixteen bytes as two words.
#[inline]
pub(super) fn halves(bytes: Row) -> [u64; 2] {
    let whole = u128::from_le_bytes(bytes);
    [whole as u64, (whole >> 64) as u64]
}

/// Rows by the number of a lane, as they become known.
pub(super) struct Rows {
    /// Halves of rows: none of their bytes is zero once they are known.
    halves: Box<[[AtomicU64; 2]]>,
}

impl Rows {
    /// Rows of so many lanes, nothing known yet.
    pub(super) fn new(lanes: usize) -> Self {
        let unknown = || [AtomicU64::new(0), AtomicU64::new(0)];
        Self {
            halves: (0..lanes).map(|_| unknown()).collect(),
        }
    }

    /// The row of a lane, made where it is not known yet, and kept where there is room for it.
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
