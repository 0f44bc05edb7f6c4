//! Formulas over the sums of patterns.

use super::expr::{Expr, Names, Operation, Result};
use super::parse::Parser;
use super::result::rises;
use super::{Condition, FactType, Scope, any_fact};
use crate::decimal::Decimal;
use crate::score::amounts::MOST_SUMS;
use crate::score::facts::{EventFact, Fact, SumFact};
use crate::score::reading::Reading;

/// Sums of patterns that become points.
#[derive(Clone, Copy)]
pub(crate) struct Adding<'a> {
    /// By column, in tenths.
    pub(crate) columns: [i64; MOST_SUMS],
    pub(crate) limits: i64,
    /// The worth of the columns, as its formula gives it.
    pub(crate) worth: i64,
    /// The hand. `None` for sums without a hand; then nothing holds of the win.
    pub(crate) reading: Option<&'a Reading<'a>>,
}

impl Adding<'_> {
    #[inline]
    fn fact(&self, fact: &Fact) -> i64 {
        match fact {
            Fact::Sum(SumFact::Column { place, whole }) => {
                let tenths = self.columns[usize::from(*place) % MOST_SUMS];
                if *whole { tenths / 10 } else { tenths }
            }
            Fact::Sum(SumFact::Limits) => self.limits,
            Fact::Sum(SumFact::Worth) => self.worth,
            Fact::Event(EventFact::Counters) => {
                self.reading.map_or(0, |reading| reading.counters.into())
            }
            fact => i64::from(self.reading.map_or(0, |reading| fact.read(reading))),
        }
    }

    /// The value of an expression. It has no parts but those that sums know.
    fn value(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::Constant(value) => i64::from(*value),
            Expr::Fact(fact) => self.fact(fact),
            Expr::Plus(sides) => self.value(&sides[0]).saturating_add(self.value(&sides[1])),
            Expr::Minus(sides) => self.value(&sides[0]).saturating_sub(self.value(&sides[1])),
            Expr::Of(Operation::If, parts) => match &parts[..] {
                [when, then, otherwise] => match self.value(when) {
                    0 => self.value(otherwise),
                    _ => self.value(then),
                },
                _ => 0,
            },
            Expr::Of(operation, parts) => match &parts[..] {
                [one] => operation.of(self.value(one), 0),
                [first, others @ ..] => others
                    .iter()
                    .fold(self.value(first), |a, b| operation.of(a, self.value(b))),
                [] => 0,
            },
            Expr::Table(table, index) => table.at(self.value(index)),
            Expr::Compare(comparison, sides) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| self.value(side));
                i64::from(comparison.holds(a, b))
            }
            Expr::Not(inner) => i64::from(self.value(inner) == 0),
            Expr::All(parts) => i64::from(parts.iter().all(|part| self.value(part) != 0)),
            Expr::Any(parts) => i64::from(parts.iter().any(|part| self.value(part) != 0)),
            // No scope of sums knows it.
            Expr::Seats(_) => 0,
        }
    }
}

impl Condition {
    /// True when a condition over sums holds.
    #[inline]
    pub(crate) fn holds_of_sums(&self, sums: &Adding<'_>) -> bool {
        sums.value(&self.expr) != 0
    }

    /// True when a condition over sums always holds.
    pub(crate) fn is_always(&self) -> bool {
        matches!(self.expr, Expr::Constant(value) if value != 0)
    }
}

/// A compiled number over the sums of patterns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Formula {
    expr: Expr,
    in_tenths: bool,
    text: String,
}

impl Formula {
    /// The type of the number.
    pub(crate) const fn is(&self) -> FactType {
        match self.in_tenths {
            true => FactType::Decimal,
            false => FactType::Int,
        }
    }

    /// The same formula with another text for people.
    pub(crate) fn shown_as(self, text: String) -> Self {
        Self { text, ..self }
    }

    /// The formula as the file has it, with the values of options.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number for these sums: in tenths if it is a decimal.
    #[inline]
    pub(crate) fn value(&self, sums: &Adding<'_>) -> i64 {
        match &self.expr {
            Expr::Fact(fact) => sums.fact(fact),
            expr => sums.value(expr),
        }
    }

    /// A value of the formula as a whole number, rounded down.
    #[inline]
    pub(crate) const fn whole(&self, value: i64) -> i64 {
        match self.in_tenths {
            true => value.div_euclid(10),
            false => value,
        }
    }

    /// A value of the formula in tenths.
    #[inline]
    pub(crate) const fn tenths(&self, value: i64) -> i64 {
        match self.in_tenths {
            true => value,
            false => value.saturating_mul(10),
        }
    }

    /// True when the number is proved never to fall while columns, limits and worth rise. `least` are the least values
    /// of the columns, in tenths; `worth` that of the worth.
    pub(crate) fn rises(&self, least: &[i64; MOST_SUMS], worth: i64) -> bool {
        rises(&self.expr, true, &|fact| range(fact, least, worth))
    }

    /// The least value, given those of the columns and the worth.
    pub(crate) fn least(&self, least: &[i64; MOST_SUMS], worth: i64) -> i64 {
        self.expr.range(&|fact| range(fact, least, worth)).0
    }

    /// True when `is` holds for some fact of the formula.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        any_fact(&self.expr, is)
    }

    /// True when the number depends on a column.
    pub(crate) fn asks_column(&self, column: usize) -> bool {
        self.expr.any_part(&|part| {
            matches!(part, Expr::Fact(Fact::Sum(SumFact::Column { place, .. })) if usize::from(*place) == column)
        })
    }
}

fn range(fact: &Fact, least: &[i64; MOST_SUMS], worth: i64) -> (i64, i64) {
    match fact {
        Fact::Sum(SumFact::Column { place, whole }) => {
            let tenths = least[usize::from(*place) % MOST_SUMS];
            (
                if *whole {
                    tenths.div_euclid(10)
                } else {
                    tenths
                },
                i64::MAX,
            )
        }
        Fact::Sum(SumFact::Worth) => (worth, i64::MAX),
        fact => fact.range(),
    }
}

/// Compiles a number over the sums of patterns.
pub(crate) fn formula(text: &str, names: &dyn Names) -> Result<Formula> {
    let mut parser = Parser::new(text, Scope::Sums, names)?;
    let (expr, is) = parser.or()?;
    parser.end()?;
    if is == FactType::Bool {
        parser.demand(0, FactType::Int, is, text)?;
    }
    Ok(Formula {
        expr,
        in_tenths: is == FactType::Decimal,
        text: text.to_owned(),
    })
}

/// The value of a number that uses options alone.
pub(crate) fn number(text: &str, names: &dyn Names) -> Result<Decimal> {
    let mut parser = Parser::new(text, Scope::Options, names)?;
    let (expr, is) = parser.or()?;
    parser.end()?;
    if is == FactType::Bool {
        parser.demand(0, FactType::Int, is, text)?;
    }
    // This scope knows no facts.
    let value = expr.value(&|_| None).unwrap_or_default();
    Ok(match is {
        FactType::Decimal => Decimal::from_tenths(value),
        _ => Decimal::whole(value),
    })
}
