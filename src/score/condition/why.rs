//! Why a condition does not hold.

use super::Condition;
use super::expr::{Comparison, Expr};
use crate::score::reading::Reading;

impl Condition {
    /// The parts for which the condition does not hold, each with what it is and what it should be. Of alternatives the one
    /// that lacks least is told. `flag` gives the id of a flag.
    pub(in crate::score) fn missing(
        &self,
        reading: &Reading<'_>,
        flag: &dyn Fn(usize) -> String,
    ) -> Vec<String> {
        missing(&self.expr, true, reading, flag)
    }
}

/// What keeps an expression from being `wanted`.
fn missing(
    expr: &Expr,
    wanted: bool,
    reading: &Reading<'_>,
    flag: &dyn Fn(usize) -> String,
) -> Vec<String> {
    if (expr.read(reading) != 0) == wanted {
        return Vec::new();
    }
    let of = |part: &Expr| missing(part, wanted, reading, flag);
    match (expr, wanted) {
        // All of these parts are needed.
        (Expr::All(parts), true) | (Expr::Any(parts), false) => parts.iter().flat_map(of).collect(),
        // One of these is enough.
        (Expr::Any(parts), true) | (Expr::All(parts), false) => {
            let ways = parts.iter().map(of);
            ways.min_by_key(Vec::len).unwrap_or_default()
        }
        (Expr::Not(inner), _) => missing(inner, !wanted, reading, flag),
        (Expr::Fact(fact), _) => {
            let text = fact.written(flag);
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
            vec![format!("`{}` is {is}, not {needed}", written(value, flag))]
        }
        (Expr::Constant(_) | Expr::Plus(_) | Expr::Minus(_), _) => {
            vec![format!(
                "`{}` is {}",
                written(expr, flag),
                expr.read(reading)
            )]
        }
    }
}

/// An expression as it is written.
fn written(expr: &Expr, flag: &dyn Fn(usize) -> String) -> String {
    let listed = |parts: &[Expr], between: &str| {
        let parts: Vec<String> = parts.iter().map(|part| written(part, flag)).collect();
        parts.join(between)
    };
    match expr {
        Expr::Constant(number) => number.to_string(),
        Expr::Fact(fact) => fact.written(flag),
        Expr::Not(inner) => format!("not {}", written(inner, flag)),
        Expr::All(parts) => format!("({})", listed(parts, " and ")),
        Expr::Any(parts) => format!("({})", listed(parts, " or ")),
        Expr::Plus(sides) => listed(&**sides, " + "),
        Expr::Minus(sides) => listed(&**sides, " - "),
        Expr::Compare(comparison, sides) => {
            let sign = match comparison {
                Comparison::Equal => " == ",
                Comparison::Unequal => " != ",
                Comparison::Less => " < ",
                Comparison::AtMost => " <= ",
                Comparison::More => " > ",
                Comparison::AtLeast => " >= ",
            };
            listed(&**sides, sign)
        }
    }
}
