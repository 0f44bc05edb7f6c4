//! Classes of lanes, found when they are asked for and kept for all threads.
//!
//! What a lane lacks of every number of groups and pairs is a vector of costs. Lanes are many, different
//! vectors few: of two million lanes of an Ùzje suit without zeros there are 76. A lane is kept as the
//! number of its vector, a class; two lanes together are a class again.

use crate::decompose::costs::Costs;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A number that is not known yet, known, or never will be, in one cell.
pub(super) trait Cell {
    const UNKNOWN: Self;
    /// The greatest value, which stands for a class that there was no room for.
    const FULL: u16;
    fn get(&self) -> u16;
    fn put(&self, value: u16);
}

impl Cell for AtomicU8 {
    const UNKNOWN: Self = Self::new(0);
    const FULL: u16 = u8::MAX as u16;

    #[inline]
    fn get(&self) -> u16 {
        u16::from(self.load(Ordering::Acquire))
    }

    fn put(&self, value: u16) {
        self.store(value as u8, Ordering::Release);
    }
}

impl Cell for AtomicU16 {
    const UNKNOWN: Self = Self::new(0);
    const FULL: u16 = u16::MAX;

    #[inline]
    fn get(&self) -> u16 {
        self.load(Ordering::Acquire)
    }

    fn put(&self, value: u16) {
        self.store(value, Ordering::Release);
    }
}

/// Vectors of costs by their class.
struct Vectors {
    classes: Mutex<HashMap<Costs, u16>>,
    all: Box<[OnceLock<Costs>]>,
}

impl Vectors {
    fn new(most: usize) -> Self {
        Self {
            classes: Mutex::default(),
            all: (0..most).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The class of a vector; `None` where there is no room for another.
    fn class(&self, costs: Costs) -> Option<u16> {
        let mut classes = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&class) = classes.get(&costs) {
            return Some(class);
        }
        let class = classes.len();
        self.all.get(class)?.get_or_init(|| costs);
        classes.insert(costs, class as u16);
        Some(class as u16)
    }
}

/// The classes of things that have numbers, as they become known.
pub(super) struct Classes<C> {
    cells: Box<[C]>,
    vectors: Vectors,
}

impl<C: Cell> Classes<C> {
    /// Nothing known of `things` things, which may have up to `most` classes.
    pub(super) fn new(things: usize, most: usize) -> Self {
        Self {
            cells: (0..things).map(|_| C::UNKNOWN).collect(),
            // No more classes than things.
            vectors: Vectors::new(most.min(usize::from(C::FULL) - 1).min(things)),
        }
    }

    /// The class of a thing; its costs are reckoned where it is not known yet. `None` where there are
    /// more things or classes than there is room for.
    #[inline]
    pub(super) fn class(&self, thing: usize, costs: impl FnOnce() -> Costs) -> Option<usize> {
        match self.cells.get(thing)?.get() {
            0 => self.find(thing, costs()),
            class if class == C::FULL => None,
            class => Some(usize::from(class) - 1),
        }
    }

    /// One more than the class of a thing; 0 where it is not known, and the greatest value where there was no room for it.
    #[inline]
    pub(super) fn cell(&self, thing: usize) -> usize {
        self.cells.get(thing).map_or(0, |cell| cell.get().into())
    }

    /// As [`Classes::cell`] of so many things one after another, where there are so many.
    #[inline]
    pub(super) fn cells<const N: usize>(&self, from: usize) -> Option<&[C; N]> {
        self.cells.get(from..)?.first_chunk()
    }

    #[cold]
    fn find(&self, thing: usize, costs: Costs) -> Option<usize> {
        let class = self.vectors.class(costs);
        self.cells[thing].put(class.map_or(C::FULL, |class| class + 1));
        class.map(usize::from)
    }

    /// The costs of a thing, as [`Classes::class`].
    pub(super) fn costs_of(&self, thing: usize, costs: impl FnOnce() -> Costs) -> Option<&Costs> {
        self.class(thing, costs).map(|class| self.costs(class))
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.cells) + size_of_val(&*self.vectors.all)
    }

    /// The costs of a class that was told.
    #[inline]
    pub(super) fn costs(&self, class: usize) -> &Costs {
        self.vectors.all[class].get().unwrap_or(&Costs::FAR)
    }
}
