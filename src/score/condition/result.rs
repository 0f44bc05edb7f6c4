//! Conditions over results: evaluated for one hand, or proved for all hands with at least a given result.

use super::Condition;
use super::expr::{Comparison, Expr, Operation};
use crate::score::amounts::MOST_SUMS;
use crate::score::facts::{Fact, ResultFact, SumFact, Tallied};

impl Condition {
    /// True when a condition over results holds for this result.
    pub(crate) fn holds_of(&self, tallied: &Tallied) -> bool {
        let of = |part: &Expr| match part {
            Expr::Fact(Fact::Result(fact)) => Some(fact.read(tallied)),
            Expr::Fact(Fact::Sum(fact)) => Some(fact.read(tallied)),
            _ => None,
        };
        self.expr.value(&of).is_some_and(|value| value != 0)
    }

    /// True when a condition over results certainly holds for every hand with at least this result. "At
    /// least" means the sums, and whether the hand wins.
    pub(crate) fn holds_from(&self, least: &Tallied) -> bool {
        rises(&self.expr, true, &Fact::range) && self.holds_of(least)
    }

    /// True when a minimum certainly holds. `least` gives a lower bound, in tenths, of the columns added up, each as often as it
    /// is told.
    pub(crate) fn holds_from_sums(&self, least: &Least<'_>) -> bool {
        holds_from_sums(&self.expr, least)
    }
}

/// A lower bound of the columns, each taken as many times as it is told.
pub(crate) type Least<'a> = dyn Fn(&[i64; MOST_SUMS]) -> Option<i64> + 'a;

fn holds_from_sums(expr: &Expr, least: &Least<'_>) -> bool {
    match expr {
        Expr::All(parts) => parts.iter().all(|part| holds_from_sums(part, least)),
        Expr::Any(parts) => parts.iter().any(|part| holds_from_sums(part, least)),
        _ => {
            let of = |part: &Expr| {
                let (times, whole) = times_of_columns(part)?;
                let tenths = least(&times)?;
                Some(if whole { tenths.div_euclid(10) } else { tenths })
            };
            rises_with(expr, &of) && expr.value(&of).is_some_and(|value| value != 0)
        }
    }
}

/// How often each column counts in a sum or difference of columns, and whether it is a whole number.
fn times_of_columns(expr: &Expr) -> Option<([i64; MOST_SUMS], bool)> {
    let (sides, sign) = match expr {
        Expr::Fact(Fact::Sum(SumFact::Column { place, whole })) => {
            let mut times = [0; MOST_SUMS];
            times[usize::from(*place) % MOST_SUMS] = 1;
            return Some((times, *whole));
        }
        Expr::Plus(sides) => (sides, 1),
        Expr::Minus(sides) => (sides, -1),
        _ => return None,
    };
    let (mut times, whole) = times_of_columns(&sides[0])?;
    let (others, other_whole) = times_of_columns(&sides[1])?;
    for (times, other) in times.iter_mut().zip(others) {
        *times += sign * other;
    }
    (whole == other_whole).then_some((times, whole))
}

/// True when an expression never falls while the parts of known bounds rise: a comparison of such a part with a number, or
/// what rises with the sums.
fn rises_with(expr: &Expr, of: &dyn Fn(&Expr) -> Option<i64>) -> bool {
    match expr {
        Expr::Compare(Comparison::More | Comparison::AtLeast, sides) => {
            let is_bounded = of(&sides[0]).is_some() && matches!(sides[1], Expr::Constant(_));
            is_bounded || rises(expr, true, &Fact::range)
        }
        _ => rises(expr, true, &Fact::range),
    }
}

/// True when the value never falls while sums and winning rise, given the ranges of facts. If `up` is false: when it
/// never rises. Facts about the win do not change meanwhile.
pub(super) fn rises(expr: &Expr, up: bool, range: &dyn Fn(&Fact) -> (i64, i64)) -> bool {
    let all = |parts: &[Expr], up| parts.iter().all(|part| rises(part, up, range));
    let is_fixed = |part: &Expr| rises(part, true, range) && rises(part, false, range);
    match expr {
        Expr::Constant(_) => true,
        Expr::Fact(Fact::Result(ResultFact::Wins) | Fact::Sum(_)) => up,
        Expr::Fact(Fact::Result(_) | Fact::Event(_)) | Expr::Seats(_) => false,
        Expr::Fact(_) => true,
        Expr::Not(inner) => rises(inner, !up, range),
        Expr::All(parts) | Expr::Any(parts) => all(parts, up),
        Expr::Compare(comparison, sides) => {
            let [a, b] = &**sides;
            match comparison {
                Comparison::More | Comparison::AtLeast => {
                    rises(a, up, range) && rises(b, !up, range)
                }
                Comparison::Less | Comparison::AtMost => {
                    rises(a, !up, range) && rises(b, up, range)
                }
                // Equality may change in either direction, unless neither side changes.
                Comparison::Equal | Comparison::Unequal => sides.iter().all(is_fixed),
            }
        }
        Expr::Plus(sides) => all(&**sides, up),
        Expr::Minus(sides) => rises(&sides[0], up, range) && rises(&sides[1], !up, range),
        Expr::Table(table, index) => table.rises() && rises(index, up, range),
        Expr::Of(operation, parts) => match operation {
            Operation::Min | Operation::Max | Operation::Pow2 => all(parts, up),
            // A number that may be negative turns the others around.
            Operation::Times => parts.iter().enumerate().all(|(i, part)| {
                let mut others = parts.iter().enumerate().filter(|(j, _)| *j != i);
                let keep = others.all(|(_, other)| other.range(range).0 >= 0);
                is_fixed(part) || rises(part, up, range) && keep
            }),
            Operation::Over | Operation::RoundUp | Operation::RoundDown => {
                rises(&parts[0], up, range) && parts[1..].iter().all(is_fixed)
            }
            Operation::If => {
                let [when, then, otherwise] = &parts[..] else {
                    return false;
                };
                let leaps = |low: &Expr, high: &Expr| low.range(range).1 <= high.range(range).0;
                let turns = is_fixed(when)
                    || rises(when, up, range) && leaps(otherwise, then)
                    || rises(when, !up, range) && leaps(then, otherwise);
                turns && all(&parts[1..], up)
            }
        },
    }
}
