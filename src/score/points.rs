//! [`PointTable`]: from a sum to points, row by row.

use crate::decimal::Decimal;

/// A table from sums to points or factors. Each row has a least sum. Of the rows that a sum reaches the last counts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PointTable(Vec<(Decimal, i64)>);

impl PointTable {
    /// A table. `None` unless the sums rise from row to row.
    pub fn new(rows: Vec<(Decimal, i64)>) -> Option<Self> {
        rows.is_sorted_by(|one, next| one.0 < next.0)
            .then_some(Self(rows))
    }

    /// The points or factor of the last row that the sum reaches. `None` below the first row.
    ///
    /// ```
    /// use paishan::score::PointTable;
    /// use paishan::decimal::Decimal;
    /// let rows = [(4, 16), (7, 32), (10, 64)].map(|(faan, points)| (Decimal::whole(faan), points));
    /// let bands = PointTable::new(rows.to_vec()).expect("rows that rise");
    /// let points = [3, 4, 9, 10, 99].map(|faan| bands.of(Decimal::whole(faan)));
    /// assert_eq!(points, [None, Some(16), Some(32), Some(64), Some(64)]);
    /// ```
    pub fn of(&self, sum: Decimal) -> Option<i64> {
        let mut reached = self.0.iter().rev().filter(|(from, _)| *from <= sum);
        reached.next().map(|(_, points)| *points)
    }

    /// The rows: the least sum, and the points or factor.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (Decimal, i64)> + '_ {
        self.0.iter().copied()
    }

    /// The points or factor of the last row. `None` for a table without rows.
    pub fn last(&self) -> Option<i64> {
        self.0.last().map(|(_, points)| *points)
    }
}
