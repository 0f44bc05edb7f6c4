//! Conditions in disjunctive normal form, as sets of [literals](Literal).
//!
//! A condition holds exactly if one of its *alternatives* does. An alternative holds if all of its literals
//! do.

use super::expr::{Comparison, Expr};
use super::{Condition, Count};
use crate::score::facts::Fact;

/// A question and its answer: the fact is at least `least`, or it is not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::score) struct Literal {
    pub(in crate::score) fact: Fact,
    pub(in crate::score) least: i32,
    pub(in crate::score) holds: bool,
}

/// Literals that hold together.
pub(in crate::score) type Alternative = Vec<Literal>;

/// A condition with more alternatives is evaluated directly.
const MOST: usize = 64;
/// The same for sums: how many facts are added, and the number that the sum is compared with.
const MOST_SUMMANDS: usize = 4;
const MOST_OF_SUM: i32 = 8;

impl Literal {
    /// The literal that the fact is at least `least`.
    pub(in crate::score) const fn at_least(fact: Fact, least: i32) -> Self {
        let holds = true;
        Self { fact, least, holds }
    }

    /// True when the two cannot both hold.
    fn contradicts(&self, other: &Self) -> bool {
        let (yes, no) = match (self.holds, other.holds) {
            (true, false) => (self, other),
            (false, true) => (other, self),
            _ => return false,
        };
        yes.fact == no.fact && yes.least >= no.least
    }
}

impl Condition {
    /// The alternatives of the condition. Without any alternative it never holds. With an empty one it always
    /// does.
    ///
    /// `None` if there are too many, or if the condition is not made of facts and numbers.
    pub(in crate::score) fn alternatives(&self) -> Option<Vec<Alternative>> {
        alternatives(&self.expr, true)
    }

    /// A lower bound of a fact in readings for which the condition holds. It is 0 if the alternatives imply
    /// none.
    pub(in crate::score) fn least_of(&self, fact: Fact) -> usize {
        let least = |all: &Alternative| {
            let of_fact = all.iter().filter(|one| one.fact == fact && one.holds);
            of_fact.map(|one| one.least).max().unwrap_or(0)
        };
        let all = self.alternatives().unwrap_or_default();
        let least = all.iter().map(least).min().unwrap_or(0);
        usize::try_from(least).unwrap_or(0)
    }
}

impl Count {
    /// The alternatives of "the number is at least 1".
    pub(in crate::score) fn alternatives(&self) -> Option<Vec<Alternative>> {
        at_least(&self.expr, 1, true)
    }

    /// The facts whose sum the number is. `None` if it is not a sum of facts.
    pub(in crate::score) fn summands(&self) -> Option<Vec<Fact>> {
        summands(&self.expr)
    }
}

fn summands(expr: &Expr) -> Option<Vec<Fact>> {
    match expr {
        Expr::Fact(fact) => Some(vec![*fact]),
        Expr::Plus(sides) => Some([summands(&sides[0])?, summands(&sides[1])?].concat()),
        _ => None,
    }
}

/// The alternatives of "`a` and `b`".
fn both(a: &[Alternative], b: &[Alternative]) -> Option<Vec<Alternative>> {
    let mut all = Vec::new();
    for one in a {
        for other in b {
            let mut joined = one.clone();
            joined.extend(other.iter().filter(|literal| !one.contains(literal)));
            let is_possible = |literal: &Literal| !one.iter().any(|l| l.contradicts(literal));
            if other.iter().all(is_possible) {
                all.push(joined);
            }
        }
    }
    (all.len() <= MOST).then_some(all)
}

/// The alternatives of "`a` or `b`".
fn either(mut a: Vec<Alternative>, b: Vec<Alternative>) -> Option<Vec<Alternative>> {
    a.extend(b);
    (a.len() <= MOST).then_some(a)
}

fn constant(holds: bool) -> Vec<Alternative> {
    if holds { vec![Vec::new()] } else { Vec::new() }
}

/// The alternatives of an expression being true, or of its being false.
fn alternatives(expr: &Expr, is: bool) -> Option<Vec<Alternative>> {
    match expr {
        Expr::Constant(value) => Some(constant((*value != 0) == is)),
        Expr::Not(inner) => alternatives(inner, !is),
        Expr::All(parts) | Expr::Any(parts) => {
            let mut parts = parts.iter().map(|part| alternatives(part, is));
            if matches!(expr, Expr::All(_)) == is {
                parts.try_fold(constant(true), |all, part| both(&all, &part?))
            } else {
                parts.try_fold(constant(false), |all, part| either(all, part?))
            }
        }
        Expr::Compare(comparison, sides) => {
            let [a, Expr::Constant(n)] = &**sides else {
                return None;
            };
            let n = *n;
            let more = n.checked_add(1)?;
            match comparison {
                Comparison::AtLeast => at_least(a, n, is),
                Comparison::More => at_least(a, more, is),
                Comparison::Less => at_least(a, n, !is),
                Comparison::AtMost => at_least(a, more, !is),
                Comparison::Equal | Comparison::Unequal => {
                    if matches!(comparison, Comparison::Equal) == is {
                        both(&at_least(a, n, true)?, &at_least(a, more, false)?)
                    } else {
                        either(at_least(a, n, false)?, at_least(a, more, true)?)
                    }
                }
            }
        }
        // A number is true if it is not 0, and these are never negative.
        Expr::Fact(_) | Expr::Plus(..) => at_least(expr, 1, is),
        Expr::Minus(..) | Expr::Of(..) | Expr::Seats(_) | Expr::Table(..) => None,
    }
}

/// The alternatives of a number being at least `least`, or of its being less. The number is never negative.
fn at_least(expr: &Expr, least: i32, is: bool) -> Option<Vec<Alternative>> {
    match expr {
        Expr::Constant(value) if *value >= 0 => Some(constant((*value >= least) == is)),
        Expr::Fact(_) | Expr::Plus(..) if least <= 0 => {
            summands(expr)?;
            Some(constant(is))
        }
        Expr::Fact(fact) => Some(vec![vec![Literal {
            fact: *fact,
            least,
            holds: is,
        }]]),
        // One summand has some of the total, the other has the rest. The limits keep this short: a long sum
        // splits in endless ways, even where constants rule most of them out.
        Expr::Plus(sides) if least <= MOST_OF_SUM && summands(expr)?.len() <= MOST_SUMMANDS => {
            let [a, b] = &**sides;
            let mut all = constant(!is);
            for of_a in 0..=least {
                let of_b = least - of_a;
                all = if is {
                    either(
                        all,
                        both(&at_least(a, of_a, true)?, &at_least(b, of_b, true)?)?,
                    )?
                } else {
                    let fails = either(at_least(a, of_a, false)?, at_least(b, of_b, false)?)?;
                    both(&all, &fails)?
                };
            }
            Some(all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the alternatives say if facts have these values.
    fn holds(alternatives: &[Alternative], value: impl Fn(&Fact) -> i32) -> bool {
        let is_so = |literal: &Literal| (value(&literal.fact) >= literal.least) == literal.holds;
        alternatives.iter().any(|all| all.iter().all(is_so))
    }

    /// A condition and its alternatives say the same, whatever the facts are.
    #[test]
    fn alternatives_say_what_the_condition_says() {
        let (a, b) = (Fact::Kongs, Fact::Claims);
        let sum = || Expr::Plus(Box::new([a, b].map(Expr::Fact)));
        let comparisons = [
            Comparison::Equal,
            Comparison::Unequal,
            Comparison::Less,
            Comparison::AtMost,
            Comparison::More,
            Comparison::AtLeast,
        ];
        let mut parts = vec![Expr::Fact(a), Expr::Constant(0), Expr::Constant(3), sum()];
        for comparison in comparisons {
            for n in -1..4 {
                for counted in [Expr::Fact(a), sum()] {
                    parts.push(Expr::compare(comparison, counted, Expr::Constant(n)));
                }
            }
        }
        let value_of = |fact: &Fact, x, y| [x, y][usize::from(*fact == b)];
        let mut told = 0;
        for one in &parts {
            for other in &parts {
                let pair = || vec![one.clone(), Expr::Not(Box::new(other.clone()))];
                for expr in [Expr::All(pair()), Expr::Any(pair())] {
                    let Some(alternatives) = alternatives(&expr, true) else {
                        continue;
                    };
                    told += 1;
                    for (x, y) in (0..5).flat_map(|x| (0..5).map(move |y| (x, y))) {
                        let says = holds(&alternatives, |fact| value_of(fact, x, y));
                        let of = |part: &Expr| match part {
                            Expr::Fact(fact) => Some(i64::from(value_of(fact, x, y))),
                            _ => None,
                        };
                        assert_eq!(Some(i64::from(says)), expr.value(&of), "{expr:?} {x} {y}");
                    }
                }
            }
        }
        assert!(told > 4000, "{told} of {}", 2 * parts.len() * parts.len());
    }

    /// The least value that every alternative requires, and 0 if one requires none.
    #[test]
    fn the_least_of_a_fact_is_what_every_alternative_asks() {
        let is = |fact, n| Expr::compare(Comparison::Equal, Expr::Fact(fact), Expr::Constant(n));
        let (kongs, claims) = (Fact::Kongs, Fact::Claims);
        let least = |expr, fact| Condition::of(expr).least_of(fact);
        assert_eq!(least(is(kongs, 5), kongs), 5);
        assert_eq!(least(is(kongs, 5), claims), 0);
        let five_or_three = || Expr::Any(vec![is(kongs, 5), is(kongs, 3)]);
        assert_eq!(least(five_or_three(), kongs), 3);
        let and_claims = Expr::All(vec![five_or_three(), is(claims, 2)]);
        assert_eq!(least(and_claims, claims), 2);
        let or_claims = Expr::Any(vec![five_or_three(), is(claims, 2)]);
        assert_eq!(least(or_claims, kongs), 0);
        assert_eq!(least(Expr::Not(Box::new(is(kongs, 2))), kongs), 0);
    }

    /// A sum with too many alternatives is abandoned at once.
    #[test]
    fn long_sums_are_asked_as_they_stand() {
        for summand in [Expr::Constant(0), Expr::Fact(Fact::Kongs)] {
            let plus = |sum, _| Expr::Plus(Box::new([sum, summand.clone()]));
            let sum = (0..20).fold(summand.clone(), plus);
            for comparison in [Comparison::AtLeast, Comparison::Less] {
                let expr = Expr::compare(comparison, sum.clone(), Expr::Constant(60));
                assert_eq!(alternatives(&expr, true), None);
                assert_eq!(alternatives(&expr, false), None);
            }
        }
    }
}
