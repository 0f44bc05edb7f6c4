//! Conditions over results: evaluated for one hand, or proved for all hands with at least a given result.

use super::Condition;
use super::expr::{Comparison, Expr};
use crate::decimal::Decimal;
use crate::score::facts::{Fact, ResultFact, Tallied};
use crate::score::{Score, ScoreFamily, Tally};

/// The fan, doubles or han of a limit hand: more than any number in a condition.
const BEYOND: i64 = 1 << 40;

impl Tallied {
    /// An empty result: only the minimum is set.
    pub(crate) fn nothing(family: &ScoreFamily) -> Self {
        Self {
            minimum: match family {
                ScoreFamily::Fan(rules) => rules.minimum.tenths(),
                ScoreFamily::Doubles(rules) => 10 * i64::from(rules.minimum),
                ScoreFamily::HanFu(rules) => 10 * i64::from(rules.minimum),
            },
            ..Self::default()
        }
    }

    /// The result of a score.
    pub(crate) fn of(family: &ScoreFamily, score: &Score) -> Self {
        let whole = |number: i64| number.saturating_mul(10);
        let counted = |is_limit: bool, number: i64| if is_limit { BEYOND } else { number };
        let nothing = Self {
            wins: score.tally.wins(),
            points: if score.tally.wins() {
                whole(score.points)
            } else {
                0
            },
            ..Self::nothing(family)
        };
        match &score.tally {
            Tally::Fan(sum) => Self {
                fan: counted(
                    sum.fan == Decimal::default() && sum.limits > 0,
                    sum.fan.tenths(),
                ),
                ..nothing
            },
            Tally::Doubles(sum) => Self {
                doubles: counted(sum.limit_hands > 0, whole(i64::from(sum.doubles))),
                base: whole(sum.base),
                ..nothing
            },
            Tally::HanFu(sum) => Self {
                han: counted(sum.limits > 0, whole(i64::from(sum.han))),
                fu: whole(i64::from(sum.fu)),
                ..nothing
            },
        }
    }
}

impl Condition {
    /// True when a condition over results holds for this result.
    pub(crate) fn holds_of(&self, tallied: &Tallied) -> bool {
        let of = |part: &Expr| match part {
            Expr::Fact(Fact::Result(fact)) => Some(fact.read(tallied)),
            _ => None,
        };
        self.expr.value(&of).is_some_and(|value| value != 0)
    }

    /// True when a condition over results certainly holds for every hand with at least this result. "At
    /// least" means fan, doubles, and whether the hand wins.
    pub(crate) fn holds_from(&self, least: &Tallied) -> bool {
        rises(&self.expr, true) && self.holds_of(least)
    }
}

/// True when the value never falls while fan, doubles and winning rise. If `up` is false: when it never
/// rises.
fn rises(expr: &Expr, up: bool) -> bool {
    match expr {
        Expr::Constant(_) => true,
        Expr::Fact(Fact::Result(fact)) => match fact {
            ResultFact::Minimum => true,
            ResultFact::Wins | ResultFact::Fan | ResultFact::Doubles => up,
            _ => false,
        },
        Expr::Fact(_) | Expr::Of(..) | Expr::Seats(_) => false,
        Expr::Not(inner) => rises(inner, !up),
        Expr::All(parts) | Expr::Any(parts) => parts.iter().all(|part| rises(part, up)),
        Expr::Compare(comparison, sides) => {
            let [a, b] = &**sides;
            match comparison {
                Comparison::More | Comparison::AtLeast => rises(a, up) && rises(b, !up),
                Comparison::Less | Comparison::AtMost => rises(a, !up) && rises(b, up),
                // Equality may change in either direction, unless neither side changes.
                Comparison::Equal | Comparison::Unequal => sides
                    .iter()
                    .all(|side| rises(side, true) && rises(side, false)),
            }
        }
        Expr::Plus(sides) => sides.iter().all(|side| rises(side, up)),
        Expr::Minus(sides) => rises(&sides[0], up) && rises(&sides[1], !up),
    }
}
