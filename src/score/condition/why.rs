//! Why a condition does not hold.

use super::Condition;
use super::expr::{Comparison, Expr, Operation};
use crate::score::facts::RuleNames;
use crate::score::reading::Reading;

impl Condition {
    /// The parts for which the condition does not hold, each with what it is and what it should be. Of alternatives the one
    /// that lacks least is told.
    pub(in crate::score) fn missing(
        &self,
        reading: &Reading<'_>,
        names: &RuleNames<'_>,
    ) -> Vec<String> {
        missing(&self.expr, true, reading, names)
    }

    /// The condition as files write it.
    #[cfg(test)]
    pub(in crate::score) fn written(&self, names: &RuleNames<'_>) -> String {
        written(&self.expr, names)
    }
}

/// What keeps an expression from being `wanted`.
fn missing(expr: &Expr, wanted: bool, reading: &Reading<'_>, names: &RuleNames<'_>) -> Vec<String> {
    if (expr.read(reading) != 0) == wanted {
        return Vec::new();
    }
    let of = |part: &Expr| missing(part, wanted, reading, names);
    match (expr, wanted) {
        // All of these parts are needed.
        (Expr::All(parts), true) | (Expr::Any(parts), false) => parts.iter().flat_map(of).collect(),
        // One of these is enough.
        (Expr::Any(parts), true) | (Expr::All(parts), false) => {
            let ways = parts.iter().map(of);
            ways.min_by_key(Vec::len).unwrap_or_default()
        }
        (Expr::Not(inner), _) => missing(inner, !wanted, reading, names),
        (Expr::Fact(fact), _) => {
            let text = fact.written(names);
            match (wanted, fact.read(reading)) {
                (true, 0) => vec![format!("`{text}` does not hold")],
                (true, _) => Vec::new(),
                (false, 1) => vec![format!("`{text}` holds")],
                (false, number) => vec![format!("`{text}` is {number}")],
            }
        }
        (Expr::Compare(comparison, sides), _) => {
            let [value, bound] = &**sides;
            let (is, number) = (value.read(reading), bound.read(reading));
            let needed = match (comparison, wanted) {
                (Comparison::Equal, true) | (Comparison::Unequal, false) => format!("{number}"),
                (Comparison::Unequal, true) | (Comparison::Equal, false) => {
                    format!("any number but {number}")
                }
                (Comparison::AtLeast, true) | (Comparison::Less, false) => {
                    format!("{number} or more")
                }
                (Comparison::More, true) | (Comparison::AtMost, false) => {
                    format!("more than {number}")
                }
                (Comparison::AtMost, true) | (Comparison::More, false) => {
                    format!("at most {number}")
                }
                (Comparison::Less, true) | (Comparison::AtLeast, false) => {
                    format!("less than {number}")
                }
            };
            vec![format!("`{}` is {is}, not {needed}", written(value, names))]
        }
        (
            Expr::Constant(_)
            | Expr::Plus(_)
            | Expr::Minus(_)
            | Expr::Of(..)
            | Expr::Seats(_)
            | Expr::Table(..),
            _,
        ) => {
            vec![format!(
                "`{}` is {}",
                written(expr, names),
                expr.read(reading)
            )]
        }
    }
}

/// An expression as it is written.
fn written(expr: &Expr, names: &RuleNames<'_>) -> String {
    let listed = |parts: &[Expr], between: &str| {
        let parts: Vec<String> = parts.iter().map(|part| written(part, names)).collect();
        parts.join(between)
    };
    // Sums are read from the left, and comparisons have sums for sides.
    let is_sum = |part: &Expr| matches!(part, Expr::Plus(_) | Expr::Minus(_));
    let side = |part: &Expr, is_closed: bool| {
        let text = written(part, names);
        match part {
            Expr::Constant(_)
            | Expr::Fact(_)
            | Expr::All(_)
            | Expr::Any(_)
            | Expr::Of(..)
            | Expr::Seats(_)
            | Expr::Table(..) => text,
            _ if is_sum(part) && !is_closed => text,
            _ => format!("({text})"),
        }
    };
    let sum = |[left, right]: &[Expr; 2], sign: &str| {
        format!("{} {sign} {}", side(left, false), side(right, true))
    };
    match expr {
        Expr::Constant(number) => number.to_string(),
        Expr::Fact(fact) => fact.written(names),
        Expr::Not(inner) => format!("not {}", side(inner, true)),
        Expr::All(parts) => format!("({})", listed(parts, " and ")),
        Expr::Any(parts) => format!("({})", listed(parts, " or ")),
        Expr::Plus(sides) => sum(sides, "+"),
        Expr::Minus(sides) => sum(sides, "-"),
        Expr::Of(operation, parts) => {
            let of_name = |(_, other): &&(&str, Operation)| other == operation;
            match Operation::FUNCTIONS.iter().find(of_name) {
                Some((name, _)) => format!("{name}({})", listed(parts, ", ")),
                None => {
                    let sign = match operation {
                        Operation::Over => " / ",
                        _ => " * ",
                    };
                    let sides: Vec<String> = parts.iter().map(|part| side(part, true)).collect();
                    format!("({})", sides.join(sign))
                }
            }
        }
        Expr::Seats(inner) => format!("seats({})", written(inner, names)),
        Expr::Table(_, index) => format!("table({})", written(index, names)),
        Expr::Compare(comparison, sides) => {
            let sign = match comparison {
                Comparison::Equal => "==",
                Comparison::Unequal => "!=",
                Comparison::Less => "<",
                Comparison::AtMost => "<=",
                Comparison::More => ">",
                Comparison::AtLeast => ">=",
            };
            let [left, right] = &**sides;
            format!("{} {sign} {}", side(left, false), side(right, false))
        }
    }
}
