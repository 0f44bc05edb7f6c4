//! Conditions as they are evaluated: a chain of tests, each of which says where to go on.

use super::expr::{Comparison, Expr};
use crate::score::facts::Fact;
use crate::score::reading::Reading;

/// The ends of a chain.
const TRUE: u16 = u16::MAX;
const FALSE: u16 = u16::MAX - 1;

/// A condition without `and`, `or` and `not`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Test {
    Fact(Fact),
    Compare(Comparison, Fact, i32),
    Other(Expr),
}

impl Test {
    #[inline]
    fn holds(&self, reading: &Reading<'_>) -> bool {
        match self {
            Self::Fact(fact) => fact.read(reading) != 0,
            Self::Compare(comparison, fact, number) => {
                comparison.holds(fact.read(reading), *number)
            }
            Self::Other(expr) => expr.eval(reading) != 0,
        }
    }
}

/// A test, and the index of the next step for each answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Step {
    test: Test,
    yes: u16,
    no: u16,
}

/// A chain of tests. It ends as soon as the answer is certain.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Decision {
    steps: Vec<Step>,
    first: u16,
}

impl Decision {
    /// The chain that decides whether an expression is true.
    pub(super) fn new(expr: &Expr) -> Self {
        let mut decision = Self {
            steps: Vec::new(),
            first: TRUE,
        };
        decision.first = decision.add(expr, TRUE, FALSE);
        decision
    }

    /// Adds the steps of an expression in front of what follows. Returns the index of the first one.
    fn add(&mut self, expr: &Expr, yes: u16, no: u16) -> u16 {
        let test = match expr {
            Expr::Constant(value) => return if *value != 0 { yes } else { no },
            Expr::Not(inner) => return self.add(inner, no, yes),
            Expr::All(parts) => {
                let parts = parts.iter().rev();
                return parts.fold(yes, |next, part| self.add(part, next, no));
            }
            Expr::Any(parts) => {
                let parts = parts.iter().rev();
                return parts.fold(no, |next, part| self.add(part, yes, next));
            }
            Expr::Fact(fact) => Test::Fact(*fact),
            Expr::Compare(comparison, a, b) => match (&**a, &**b) {
                (Expr::Fact(fact), Expr::Constant(number)) => {
                    Test::Compare(*comparison, *fact, *number)
                }
                _ => Test::Other(expr.clone()),
            },
            Expr::Plus(..) | Expr::Minus(..) => Test::Other(expr.clone()),
        };
        // The parser limits the length of a condition, so the index stays far below `FALSE`.
        let place = self.steps.len().min(usize::from(FALSE) - 1) as u16;
        self.steps.push(Step { test, yes, no });
        place
    }

    #[inline]
    pub(super) fn holds(&self, reading: &Reading<'_>) -> bool {
        let mut at = self.first;
        while let Some(step) = self.steps.get(usize::from(at)) {
            at = if step.test.holds(reading) {
                step.yes
            } else {
                step.no
            };
        }
        at == TRUE
    }
}
