//! How far a condition is from holding.

use super::Condition;
use super::expr::{Comparison, Expr};
use crate::score::reading::Reading;

/// The most that one part lacks.
const MOST: u32 = 9;

impl Condition {
    /// How far the condition is from holding: 0 if it holds. Each part that fails adds at least 1, a comparison of numbers
    /// as much as they are apart. Of alternatives the nearest counts.
    pub(in crate::score) fn lacks(&self, reading: &Reading<'_>) -> u32 {
        lacks(&self.expr, true, reading)
    }
}

fn lacks(expr: &Expr, wanted: bool, reading: &Reading<'_>) -> u32 {
    if (expr.read(reading) != 0) == wanted {
        return 0;
    }
    let of = |part: &Expr| lacks(part, wanted, reading);
    match (expr, wanted) {
        (Expr::All(parts), true) | (Expr::Any(parts), false) => parts.iter().map(of).sum(),
        (Expr::Any(parts), true) | (Expr::All(parts), false) => {
            parts.iter().map(of).min().unwrap_or(1)
        }
        (Expr::Not(inner), _) => lacks(inner, !wanted, reading),
        (Expr::Compare(comparison, sides), _) => {
            let [value, bound] = &**sides;
            let apart = value.read(reading).abs_diff(bound.read(reading));
            let is_strict = match comparison {
                Comparison::Less | Comparison::More | Comparison::Unequal => wanted,
                _ => !wanted,
            };
            (apart.min(MOST.into()) as u32 + u32::from(is_strict)).max(1)
        }
        (
            Expr::Fact(_)
            | Expr::Constant(_)
            | Expr::Plus(_)
            | Expr::Minus(_)
            | Expr::Of(..)
            | Expr::Seats(_)
            | Expr::Table(..),
            _,
        ) => 1,
    }
}
