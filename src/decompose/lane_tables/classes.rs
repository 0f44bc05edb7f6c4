//! The classes of lanes, computed on demand and shared by all threads.
//!
//! The costs of a lane for every number of groups and pairs are a vector. There are many lanes and few
//! different vectors: two million lanes of an Ùzje suit without zeros have 76. So for a lane the tables keep
//! only its *class*, the number of its vector. Two lanes together have a class too.

use crate::decompose::costs::Costs;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// An entry of a table: not known yet (0), a class plus one, or full (there was no room for the class).
pub(super) trait Cell {
    /// An entry that is not known yet.
    const UNKNOWN: Self;
    /// The greatest value: there was no room for the class.
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

/// The cost vectors by class, and the classes by cost vector.
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

    /// The class of a vector, new or known. `None` if there is no room for another.
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

/// The classes of numbered things, computed on demand. A thing is a lane or a pair of lanes.
pub(super) struct Classes<C> {
    cells: Box<[C]>,
    vectors: Vectors,
}

impl<C: Cell> Classes<C> {
    /// Room for `things` things with up to `most` classes; nothing is known yet.
    pub(super) fn new(things: usize, most: usize) -> Self {
        Self {
            cells: (0..things).map(|_| C::UNKNOWN).collect(),
            // There are never more classes than things.
            vectors: Vectors::new(most.min(usize::from(C::FULL) - 1).min(things)),
        }
    }

    /// The class of a thing. If it is not known yet, it is found from `costs`. `None` if there is no room for
    /// the thing or for its class.
    #[inline]
    pub(super) fn class(&self, thing: usize, costs: impl FnOnce() -> Costs) -> Option<usize> {
        match self.cells.get(thing)?.get() {
            0 => self.find(thing, costs()),
            class if class == C::FULL => None,
            class => Some(usize::from(class) - 1),
        }
    }

    /// The class of a thing plus one; 0 if it is not known. [`Cell::FULL`] if there was no room for the
    /// class.
    #[inline]
    pub(super) fn cell(&self, thing: usize) -> usize {
        self.cells.get(thing).map_or(0, |cell| cell.get().into())
    }

    /// The entries of `N` things in a row. `None` if there are fewer from there on.
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

    /// The costs of a thing; `None` as for [`Classes::class`].
    pub(super) fn costs_of(&self, thing: usize, costs: impl FnOnce() -> Costs) -> Option<&Costs> {
        self.class(thing, costs).map(|class| self.costs(class))
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.cells) + size_of_val(&*self.vectors.all)
    }

    /// The costs of a class that [`Classes::class`] gave.
    #[inline]
    pub(super) fn costs(&self, class: usize) -> &Costs {
        self.vectors.all[class].get().unwrap_or(&Costs::FAR)
    }
}
