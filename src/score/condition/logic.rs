//! What can be said of conditions without a hand: what never holds, what follows from what.

use super::Condition;
use super::expr::{Comparison, Expr};
use crate::score::Pattern;
use crate::score::facts::{Class, Fact};
use crate::set::KindSet;

/// How much of a condition asks for tiles that are never in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Dead {
    /// Nothing of it.
    Nothing,
    /// Some of it, which never holds.
    Part,
    /// So much that it never holds.
    Whole,
}

impl Condition {
    /// How much of the condition asks for tiles that are never in play.
    pub(crate) fn dead(&self, in_play: KindSet) -> Dead {
        let is_dead = |fact: &Fact| asks_in_vain(fact, in_play);
        if !self.expr.any_fact(&is_dead) {
            Dead::Nothing
        } else if known(&self.expr, &is_dead) == Some(0) && known(&self.expr, &|_| false) != Some(0)
        {
            Dead::Whole
        } else {
            Dead::Part
        }
    }

    /// True when it says no more than that the hand won.
    pub(crate) fn is_of_every_winner(&self) -> bool {
        self.expr == Expr::Fact(Fact::Winner)
    }

    /// True when it can be told that the other holds wherever this one does.
    pub(crate) fn implies(&self, other: &Self) -> bool {
        implies(&self.expr, &other.expr)
    }

    /// True when it can be told that a pattern counts in every winning hand for which this holds.
    pub(crate) fn implies_pattern(&self, pattern: &Pattern) -> bool {
        let of_winners = Expr::All(vec![Expr::Fact(Fact::Winner), self.expr.clone()]);
        let when = pattern.when.as_ref().map(|when| &when.expr);
        let per = pattern.per.as_ref().map(|per| &per.expr);
        let mut parts = when.into_iter().chain(per);
        parts.all(|part| implies(&of_winners, part))
    }
}

impl Expr {
    fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Fact(fact) => is(fact),
            Self::Not(inner) => inner.any_fact(is),
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.any_fact(is)),
            Self::Compare(_, a, b) | Self::Plus(a, b) | Self::Minus(a, b) => {
                a.any_fact(is) || b.any_fact(is)
            }
        }
    }
}

/// The tiles that a fact asks for, where it is 0 without them.
fn asked(fact: &Fact) -> Option<&Class> {
    match fact {
        Fact::Melds { class, .. }
        | Fact::Count(class)
        | Fact::Kinds(class)
        | Fact::Has(class)
        | Fact::AllTiles(class)
        | Fact::WinningTile(class)
        | Fact::GroupsWith(class) => Some(class),
        _ => None,
    }
}

fn asks_in_vain(fact: &Fact, in_play: KindSet) -> bool {
    asked(fact).is_some_and(|class| class.widest().intersection(in_play).is_empty())
}

/// The value of an expression where it is the same for all hands, facts that are in vain being 0.
fn known(expr: &Expr, in_vain: &dyn Fn(&Fact) -> bool) -> Option<i32> {
    let both = |a: &Expr, b: &Expr| Some((known(a, in_vain)?, known(b, in_vain)?));
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Fact(fact) => in_vain(fact).then_some(0),
        Expr::Not(inner) => known(inner, in_vain).map(|value| i32::from(value == 0)),
        Expr::All(parts) | Expr::Any(parts) => {
            // One part that is so decides; all that are not so decide, too.
            let decides = i32::from(matches!(expr, Expr::Any(_)));
            let parts = parts.iter().map(|part| known(part, in_vain));
            let parts: Vec<Option<i32>> = parts
                .map(|part| part.map(|value| i32::from(value != 0)))
                .collect();
            if parts.contains(&Some(decides)) {
                Some(decides)
            } else if parts.contains(&None) {
                None
            } else {
                Some(1 - decides)
            }
        }
        Expr::Compare(comparison, a, b) => {
            let (a, b) = both(a, b)?;
            Some(i32::from(comparison.holds(a, b)))
        }
        Expr::Plus(a, b) => both(a, b).map(|(a, b)| a.saturating_add(b)),
        Expr::Minus(a, b) => both(a, b).map(|(a, b)| a.saturating_sub(b)),
    }
}

/// A fact and the numbers between which it lies, both included.
fn bounds(expr: &Expr) -> Option<(&Fact, i32, i32)> {
    match expr {
        Expr::Fact(fact) => Some((fact, 1, i32::MAX)),
        Expr::Compare(comparison, fact, number) => match (&**fact, &**number) {
            (Expr::Fact(fact), &Expr::Constant(n)) => match comparison {
                Comparison::Equal => Some((fact, n, n)),
                Comparison::AtLeast => Some((fact, n, i32::MAX)),
                Comparison::More => Some((fact, n.saturating_add(1), i32::MAX)),
                Comparison::AtMost => Some((fact, i32::MIN, n)),
                Comparison::Less => Some((fact, i32::MIN, n.saturating_sub(1))),
                Comparison::Unequal => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn within(a: &Class, b: &Class) -> bool {
    // Winds of seats and rounds depend on who asks.
    let plain = |class: &Class| !class.depends_on_winds();
    a == b || plain(a) && plain(b) && a.widest().is_subset(b.widest())
}

/// True when the second fact is at least as much as the first in every hand.
fn at_least(one: &Fact, other: &Fact) -> bool {
    match (one, other) {
        (
            Fact::Melds {
                families,
                class,
                open,
            },
            Fact::Melds {
                families: wider,
                class: all,
                open: any,
            },
        ) => families.is_subset(*wider) && within(class, all) && (any.is_none() || any == open),
        (Fact::Count(a), Fact::Count(b))
        | (Fact::Kinds(a), Fact::Kinds(b))
        | (Fact::Has(a), Fact::Has(b))
        | (Fact::AllTiles(a), Fact::AllTiles(b))
        | (Fact::WinningTile(a), Fact::WinningTile(b))
        | (Fact::GroupsWith(a), Fact::GroupsWith(b)) => within(a, b),
        _ => one == other,
    }
}

fn implies(one: &Expr, other: &Expr) -> bool {
    if one == other {
        return true;
    }
    match (one, other) {
        (_, Expr::All(parts)) => parts.iter().all(|part| implies(one, part)),
        (Expr::Any(parts), _) => parts.iter().all(|part| implies(part, other)),
        (Expr::All(parts), _) if parts.iter().any(|part| implies(part, other)) => true,
        (_, Expr::Any(parts)) => parts.iter().any(|part| implies(one, part)),
        _ => match (bounds(one), bounds(other)) {
            (Some((fact, low, high)), Some((wider, least, most))) => {
                let same = fact == wider && least <= low && high <= most;
                same || most == i32::MAX && least <= low && at_least(fact, wider)
            }
            _ => false,
        },
    }
}
