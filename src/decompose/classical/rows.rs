//! Tables indexed by the numbers of lanes, with equal rows stored once.
//!
//! A *row* has the entries of all lanes that differ only in their first three kinds. The entries of a row depend
//! little on the other kinds. So of sixteen thousand rows only one or two thousand are different, and the table
//! stays in the processor's cache.

use super::digits::{IN_ROW_STEP, NUMBERS};
use std::collections::HashMap;
use std::hash::Hash;

/// The number of kinds in which the lanes of a row differ.
pub(super) const IN_ROW: usize = 3;
/// The rows of a table, equal ones included.
const ROWS: usize = NUMBERS / IN_ROW_STEP;
/// Room for the different rows.
const DIFFERENT: usize = 2048;

/// An entry for all counts of three kinds. Indices that are not counts have the default.
type Row<T> = [T; IN_ROW_STEP];

/// Numbers values in the order in which they first occur.
pub(super) struct Numbered<T> {
    numbers: HashMap<T, usize>,
    pub(super) all: Vec<T>,
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    pub(super) fn new() -> Self {
        Self {
            numbers: HashMap::new(),
            all: Vec::new(),
        }
    }

    pub(super) fn number(&mut self, thing: T) -> usize {
        *self.numbers.entry(thing).or_insert_with(|| {
            self.all.push(thing);
            self.all.len() - 1
        })
    }
}

/// A table that is being built.
pub(super) struct RowsBuilder<T> {
    which: Box<[u16; ROWS]>,
    /// The different rows.
    rows: Numbered<Row<T>>,
}

impl<T: Copy + Default + Eq + Hash> RowsBuilder<T> {
    pub(super) fn new() -> Self {
        let mut rows = Numbered::new();
        // Row 0 is empty. All rows that are never set share it.
        rows.number([T::default(); IN_ROW_STEP]);
        Self {
            which: boxed(vec![0; ROWS]),
            rows,
        }
    }

    /// A table with the entries of a list, which is indexed by number.
    pub(super) fn of(entries: &[T]) -> Self {
        let mut made = Self::new();
        for (i, entries) in entries.chunks_exact(IN_ROW_STEP).enumerate() {
            let row = made.row(std::array::from_fn(|place| entries[place]));
            made.set(i * IN_ROW_STEP, row);
        }
        made
    }

    /// The index of a row. A new row is added.
    pub(super) fn row(&mut self, row: Row<T>) -> u16 {
        self.rows.number(row) as u16
    }

    /// Sets the row with the lane of this `number`.
    pub(super) fn set(&mut self, number: usize, row: u16) {
        self.which[number / IN_ROW_STEP] = row;
    }

    pub(super) fn done(self) -> SharedRows<T> {
        let mut rows = self.rows.all;
        assert!(rows.len() <= DIFFERENT, "{} rows", rows.len());
        rows.resize(DIFFERENT, [T::default(); IN_ROW_STEP]);
        SharedRows {
            which: self.which,
            rows: boxed(rows),
        }
    }
}

/// A table indexed by the numbers of lanes.
pub(super) struct SharedRows<T> {
    which: Box<[u16; ROWS]>,
    rows: Box<[Row<T>; DIFFERENT]>,
}

impl<T: Copy> SharedRows<T> {
    #[inline]
    pub(super) fn get(&self, number: usize) -> T {
        let row = usize::from(self.which[number / IN_ROW_STEP % ROWS]);
        self.rows[row % DIFFERENT][number % IN_ROW_STEP]
    }
}

/// Turns a list into a boxed array without putting it on the stack.
fn boxed<T, const N: usize>(all: Vec<T>) -> Box<[T; N]> {
    let all = all.into_boxed_slice();
    all.try_into()
        .ok()
        .expect("tables have room for what is put in")
}
