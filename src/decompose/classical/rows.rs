//! Tables by the numbers of lanes, in which rows that are alike are kept once.
//!
//! Whatever is known of a lane follows from little of its other kinds: of sixteen thousand rows a
//! thousand or two are different, and the table stays in the cache.

use super::digits::{IN_ROW_STEP, NUMBERS};
use std::collections::HashMap;
use std::hash::Hash;

/// So many kinds stand in a row.
pub(super) const IN_ROW: usize = 3;
/// Rows of a table, of which many are alike.
const ROWS: usize = NUMBERS / IN_ROW_STEP;
/// Room for different ones.
const DIFFERENT: usize = 2048;

/// What a table has for every count of the kinds of a row, and nothing at numbers that are none.
type Row<T> = [T; IN_ROW_STEP];

/// Tells the number of things met before, in the order in which they were met first.
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

/// A table that is being made.
pub(super) struct RowsMade<T> {
    which: Box<[u16; ROWS]>,
    rows: Numbered<Row<T>>,
}

impl<T: Copy + Default + Eq + Hash> RowsMade<T> {
    pub(super) fn new() -> Self {
        let mut rows = Numbered::new();
        // What is never set is nothing.
        rows.number([T::default(); IN_ROW_STEP]);
        Self {
            which: boxed(vec![0; ROWS]),
            rows,
        }
    }

    /// What stands in a list by number.
    pub(super) fn of(entries: &[T]) -> Self {
        let mut made = Self::new();
        for (i, entries) in entries.chunks_exact(IN_ROW_STEP).enumerate() {
            let row = made.row(std::array::from_fn(|place| entries[place]));
            made.set(i * IN_ROW_STEP, row);
        }
        made
    }

    /// The row of a table.
    pub(super) fn row(&mut self, row: Row<T>) -> u16 {
        self.rows.number(row) as u16
    }

    /// Sets the row of the lanes whose numbers begin like `number`.
    pub(super) fn set(&mut self, number: usize, row: u16) {
        self.which[number / IN_ROW_STEP] = row;
    }

    pub(super) fn done(self) -> Rows<T> {
        let mut rows = self.rows.all;
        assert!(rows.len() <= DIFFERENT, "{} rows", rows.len());
        rows.resize(DIFFERENT, [T::default(); IN_ROW_STEP]);
        Rows {
            which: self.which,
            rows: boxed(rows),
        }
    }
}

/// A table by the numbers of lanes.
pub(super) struct Rows<T> {
    which: Box<[u16; ROWS]>,
    rows: Box<[Row<T>; DIFFERENT]>,
}

impl<T: Copy> Rows<T> {
    #[inline]
    pub(super) fn get(&self, number: usize) -> T {
        let row = usize::from(self.which[number / IN_ROW_STEP % ROWS]);
        self.rows[row % DIFFERENT][number % IN_ROW_STEP]
    }
}

/// An array that never stands on the stack.
fn boxed<T, const N: usize>(all: Vec<T>) -> Box<[T; N]> {
    let all = all.into_boxed_slice();
    all.try_into()
        .ok()
        .expect("tables have room for what is put in")
}
