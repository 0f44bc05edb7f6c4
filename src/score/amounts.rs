//! What patterns add to the columns of a score.

use crate::decimal::Decimal;

/// The most columns that a ruleset may have.
pub const MOST_SUMS: usize = 4;

/// What a pattern adds each time it counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Amounts {
    /// By column, in tenths.
    pub(super) tenths: [i32; MOST_SUMS],
    /// Limits.
    pub limits: u32,
}

impl Amounts {
    /// Amounts by column, and limits. An amount out of range becomes the largest or smallest one.
    pub fn new(columns: [Decimal; MOST_SUMS], limits: u32) -> Self {
        let most = (i64::from(i32::MIN), i64::from(i32::MAX));
        Self {
            tenths: columns.map(|column| column.tenths().clamp(most.0, most.1) as i32),
            limits,
        }
    }

    /// What it adds to each column.
    pub fn columns(&self) -> [Decimal; MOST_SUMS] {
        self.tenths
            .map(|tenths| Decimal::from_tenths(tenths.into()))
    }

    /// The first column to which it adds something, and what. `None` if it adds limits alone, or nothing.
    pub fn first(&self) -> Option<(usize, Decimal)> {
        let mut columns = self.columns().into_iter().enumerate();
        columns.find(|(_, amount)| amount.tenths() != 0)
    }

    /// True when it adds nothing.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}
