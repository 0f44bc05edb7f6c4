//! Expressions of the condition language, the names in them, and what can be wrong with one.

use crate::aside::AsideId;
use crate::decimal::Decimal;
use crate::decompose::{Grammar, Honours};
use crate::meld::Family;
use crate::score::facts::{Fact, FactType, Scope, SumFact};
use crate::score::reading::Reading;
use crate::seat::MAX_PLAYERS;
use crate::set::KindSet;
use crate::state::TurnedId;
use crate::text::hint;
use crate::tile_set::TileSet;
use std::sync::Arc;

/// A condition that cannot be compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// The text breaks the grammar.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// Byte offset in the condition.
        at: usize,
        /// What the grammar allows here.
        expected: &'static str,
        /// What the text has here.
        found: String,
    },
    /// A name that does not exist.
    #[error("no {what} `{name}`{}", hint(.known.first().filter(|_| *.near).map(String::as_str), .known))]
    Unknown {
        /// Byte offset in the condition.
        at: usize,
        /// What kind of name was looked for, such as `fact` or `class`.
        what: &'static str,
        /// The name.
        name: String,
        /// True if `known` is the nearest name that exists.
        near: bool,
        /// The nearest name that exists, if one is near; otherwise all names, if there are few.
        known: Vec<String>,
    },
    /// An expression of the wrong type.
    #[error("expected {expected}, `{found}` is {is}")]
    Type {
        /// Byte offset in the condition.
        at: usize,
        /// The type that is needed.
        expected: &'static str,
        /// The expression.
        found: String,
        /// Its type.
        is: &'static str,
    },
    /// A fact that is not known where the condition is evaluated, see [`Scope`](crate::score::facts::Scope).
    #[error("`{name}` is not known here{}; it is a fact about {known}", .within.as_ref().map(|c| format!(", and `{c}` asks for it")).unwrap_or_default())]
    Scope {
        /// Byte offset in the condition.
        at: usize,
        /// The fact.
        name: String,
        /// The subject of the fact.
        known: &'static str,
        /// The named condition that uses it, if the text itself does not.
        within: Option<String>,
    },
    /// The letters of all conditions together stand for too many groups.
    #[error("the letters of all groups stand for too many ranks and suits")]
    TooManyLetters {
        /// Byte offset in the condition.
        at: usize,
    },
    /// A number divides, or is rounded to, that may be less than 1.
    #[error("`{found}` may be less than 1, and nothing is divided by that")]
    Divisor {
        /// Byte offset in the condition.
        at: usize,
        /// The number.
        found: String,
    },
    /// The condition is nested too deeply, or too long.
    #[error("nested too deeply, or too long")]
    TooDeep {
        /// Byte offset in the condition.
        at: usize,
    },
}

impl ConditionError {
    /// The byte offset of the fault in the condition.
    pub const fn at(&self) -> usize {
        match self {
            Self::Expected { at, .. }
            | Self::Unknown { at, .. }
            | Self::Type { at, .. }
            | Self::Scope { at, .. }
            | Self::TooManyLetters { at }
            | Self::Divisor { at, .. }
            | Self::TooDeep { at } => *at,
        }
    }
}

/// A value that is known when a condition is compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Constant {
    Bool(bool),
    Int(i64),
    Decimal(Decimal),
    /// A word, and every word that the option can be.
    Word(String, Vec<String>),
    /// A list or a table, which nothing is compared with.
    List,
}

/// A named condition or number, compiled for each scope.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(super) of: Vec<(Scope, Result<(Expr, FactType)>)>,
}

/// The names that a ruleset adds to the facts. By default there are only options.
pub(crate) trait Names {
    /// The value of an option.
    fn option(&self, name: &str) -> Option<Constant>;
    /// The number of players, once it is known.
    fn players(&self) -> Option<usize> {
        None
    }
    /// The index of a flag.
    fn flag(&self, _: &str) -> Option<usize> {
        None
    }
    /// Counts ranks and suits that are substituted for letters. False if all together are too many.
    fn spend(&self, _: usize) -> bool {
        false
    }
    /// A named condition.
    fn condition(&self, _: &str) -> Option<&Named> {
        None
    }
    /// The family of the only meld of this name, where no other meld has that family.
    fn meld(&self, _: &str) -> Option<Family> {
        None
    }
    /// The set and its groups; `None` before they are known.
    fn set(&self) -> Option<(&TileSet, &Grammar)> {
        None
    }
    /// The kinds of a class.
    fn class(&self, _: &str) -> Option<KindSet> {
        None
    }
    /// The honours that belong to suits.
    fn honours(&self) -> Honours {
        Honours::default()
    }
    /// The row of `[aside]` with an id.
    fn aside(&self, _: &str) -> Option<AsideId> {
        None
    }
    /// The row of `[turned]` with an id.
    fn turned(&self, _: &str) -> Option<TurnedId> {
        None
    }
    /// The place of a step of `[opening]`.
    fn step(&self, _: &str) -> Option<u8> {
        None
    }
    /// The number of a form, as in [`Reading::form`].
    fn form(&self, _: &str) -> Option<u8> {
        None
    }
    /// A sum of the patterns, with its type where these become points.
    fn sum(&self, _: &str) -> Option<(SumFact, FactType)> {
        None
    }
    /// What one limit is worth.
    fn limit(&self) -> Option<i64> {
        None
    }
    /// A table of `[score.tables]`.
    fn table(&self, _: &str) -> Option<&Arc<[i64]>> {
        None
    }
    /// The names of a kind that exist, such as of a `class`.
    fn known(&self, what: &'static str) -> Vec<&str>;
}

pub(super) type Result<T> = std::result::Result<T, ConditionError>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Comparison {
    #[inline]
    pub(super) fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Unequal => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => a > b,
            Self::AtLeast => a >= b,
        }
    }
}

impl Comparison {
    /// Whether the comparison holds for all numbers in two ranges, and whether it holds for some.
    fn of_ranges(self, a: (i64, i64), b: (i64, i64)) -> (bool, bool) {
        let is_one = a.0 == a.1 && a == b;
        let meet = a.0 <= b.1 && b.0 <= a.1;
        match self {
            Self::Equal => (is_one, meet),
            Self::Unequal => (!meet, !is_one),
            // The others are monotone in both numbers, so the ends are at two corners.
            _ => {
                let ends = [self.holds(a.0, b.1), self.holds(a.1, b.0)];
                (ends[0] && ends[1], ends[0] || ends[1])
            }
        }
    }
}

/// Whether all numbers of a range are true, and whether one is.
const fn truth((least, most): (i64, i64)) -> (bool, bool) {
    (least > 0 || most < 0, least != 0 || most != 0)
}

/// An operation on numbers. Each saturates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operation {
    /// The product of two numbers.
    Times,
    /// A number divided by another, rounded down.
    Over,
    /// The least number.
    Min,
    /// The greatest number.
    Max,
    /// The least multiple of the second number that is not less than the first.
    RoundUp,
    /// The greatest multiple of the second number that is not greater than the first.
    RoundDown,
    /// Two to the power of a number; one for a negative number.
    Pow2,
    /// The second number if the first is true, otherwise the third.
    If,
}

impl Operation {
    /// The operations that are written as functions, with their names.
    pub(super) const FUNCTIONS: [(&'static str, Self); 6] = [
        ("min", Self::Min),
        ("max", Self::Max),
        ("round-up", Self::RoundUp),
        ("round-down", Self::RoundDown),
        ("pow2", Self::Pow2),
        ("if", Self::If),
    ];

    /// The result for two numbers. Functions of one number ignore the second.
    pub(super) fn of(self, a: i64, b: i64) -> i64 {
        let down = |b: i64| a.div_euclid(b.max(1)).saturating_mul(b.max(1));
        match self {
            Self::Times => a.saturating_mul(b),
            Self::Over => a.div_euclid(b.max(1)),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::RoundDown => down(b),
            Self::RoundUp if down(b) == a => a,
            Self::RoundUp => down(b).saturating_add(b.max(1)),
            Self::Pow2 => 1 << a.clamp(0, 62),
            // The branch is chosen where the condition is known.
            Self::If => b,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Expr {
    Constant(i32),
    Fact(Fact),
    Not(Box<Expr>),
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Compare(Comparison, Box<[Expr; 2]>),
    Plus(Box<[Expr; 2]>),
    Minus(Box<[Expr; 2]>),
    /// An operation on numbers. Those of two have at least two.
    Of(Operation, Vec<Expr>),
    /// How many seats in play meet a condition.
    Seats(Box<Expr>),
    /// The number of a table at an index. In a table that is looked up by tenths, the index is in tenths.
    Table(Table, Box<Expr>),
}

/// A table of numbers by index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Table {
    /// The numbers; at least one.
    pub(super) numbers: Arc<[i64]>,
    /// The index is in tenths.
    pub(super) by_tenths: bool,
}

impl Table {
    /// The number at an index. Beyond the ends of the table it is the first or the last number.
    pub(super) fn at(&self, index: i64) -> i64 {
        let whole = if self.by_tenths {
            index.div_euclid(10)
        } else {
            index
        };
        let last = self.numbers.len().saturating_sub(1);
        let place = usize::try_from(whole.max(0)).map_or(last, |place| place.min(last));
        self.numbers.get(place).copied().unwrap_or(0)
    }

    /// True when no number is less than the one before.
    pub(super) fn rises(&self) -> bool {
        self.numbers.is_sorted()
    }

    /// The first index whose number is at least `least`; the length of the table if there is none.
    pub(super) fn place_of(&self, least: i64) -> usize {
        let found = self.numbers.iter().position(|&number| number >= least);
        found.unwrap_or(self.numbers.len())
    }
}

impl Expr {
    /// The value of the expression, if it follows from the parts that have a value. True is 1 and false is 0.
    pub(super) fn value(&self, of: &impl Fn(&Self) -> Option<i64>) -> Option<i64> {
        if let Some(value) = of(self) {
            return Some(value);
        }
        match self {
            Self::Constant(value) => Some(i64::from(*value)),
            Self::Fact(_) => None,
            Self::Not(inner) => inner.value(of).map(|inner| i64::from(inner == 0)),
            Self::All(parts) | Self::Any(parts) => {
                // One true part decides an `or`, one false part decides an `and`.
                let decides = matches!(self, Self::Any(_));
                let mut all_known = true;
                for part in parts {
                    match part.value(of) {
                        Some(value) if (value != 0) == decides => return Some(i64::from(decides)),
                        value => all_known &= value.is_some(),
                    }
                }
                all_known.then_some(i64::from(!decides))
            }
            Self::Compare(comparison, sides) => {
                let [a, b] = &**sides;
                Some(i64::from(comparison.holds(a.value(of)?, b.value(of)?)))
            }
            Self::Plus(sides) => {
                let [a, b] = &**sides;
                Some(a.value(of)?.saturating_add(b.value(of)?))
            }
            Self::Minus(sides) => {
                let [a, b] = &**sides;
                Some(a.value(of)?.saturating_sub(b.value(of)?))
            }
            Self::Of(Operation::If, parts) => match &parts[..] {
                [when, then, otherwise] => match when.value(of)? {
                    0 => otherwise.value(of),
                    _ => then.value(of),
                },
                _ => None,
            },
            Self::Of(operation, parts) => {
                let (first, others) = parts.split_first()?;
                let first = first.value(of)?;
                match others {
                    [] => Some(operation.of(first, 0)),
                    others => others
                        .iter()
                        .try_fold(first, |a, b| Some(operation.of(a, b.value(of)?))),
                }
            }
            Self::Seats(_) => None,
            Self::Table(table, index) => Some(table.at(index.value(of)?)),
        }
    }

    /// The value for a reading.
    pub(super) fn read(&self, reading: &Reading<'_>) -> i64 {
        let of = |part: &Self| match part {
            Self::Fact(fact) => Some(i64::from(fact.read(reading))),
            _ => None,
        };
        // A reading knows every fact.
        self.value(&of).unwrap_or_default()
    }

    /// What the expression is made of.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Constant(_) | Self::Fact(_) => &[],
            Self::Not(inner) | Self::Seats(inner) | Self::Table(_, inner) => {
                std::slice::from_ref(inner)
            }
            Self::All(parts) | Self::Any(parts) | Self::Of(_, parts) => parts,
            Self::Compare(_, sides) | Self::Plus(sides) | Self::Minus(sides) => &**sides,
        }
    }

    /// How many facts, numbers and operators the expression is made of.
    pub(super) fn size(&self) -> usize {
        1 + self.parts().iter().map(Self::size).sum::<usize>()
    }

    /// True when `is` holds for the expression or for a part of it.
    pub(super) fn any_part(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        is(self) || self.parts().iter().any(|part| part.any_part(is))
    }

    /// True when the expression uses a fact.
    pub(super) fn asks(&self, fact: Fact) -> bool {
        self.any_part(&|part| *part == Self::Fact(fact))
    }

    /// A comparison of two expressions.
    pub(super) fn compare(comparison: Comparison, a: Self, b: Self) -> Self {
        Self::Compare(comparison, Box::new([a, b]))
    }

    /// An operation. Its result, if that is known already.
    pub(super) fn operation(operation: Operation, mut parts: Vec<Self>) -> Self {
        if operation == Operation::If
            && let [Self::Constant(when), ..] = parts[..]
        {
            return parts.swap_remove(if when == 0 { 2 } else { 1 });
        }
        if operation == Operation::Times && parts.contains(&Self::Constant(0)) {
            return Self::Constant(0);
        }
        let of_parts = Self::Of(operation, parts);
        match of_parts.value(&|_| None).map(i32::try_from) {
            Some(Ok(value)) => Self::Constant(value),
            _ => of_parts,
        }
    }

    /// A number of which the value is always a multiple, given those of facts. 0 if the value is always 0.
    pub(super) fn grain(&self, of: &dyn Fn(&Fact) -> i64) -> i64 {
        fn common(a: i64, b: i64) -> i64 {
            match b {
                0 => a,
                b => common(b, a % b),
            }
        }
        let both = |sides: &[Self]| {
            let all = sides.iter().map(|side| side.grain(of));
            all.fold(0, common)
        };
        match self {
            Self::Constant(value) => i64::from(*value).abs(),
            Self::Fact(fact) => of(fact),
            Self::Plus(sides) | Self::Minus(sides) => both(&**sides),
            Self::Of(Operation::Min | Operation::Max, parts) => both(parts),
            Self::Of(Operation::If, parts) => both(&parts[1..]),
            Self::Of(Operation::Times, parts) => {
                let all = parts.iter().map(|part| part.grain(of));
                all.fold(1, i64::saturating_mul)
            }
            Self::Of(Operation::RoundUp | Operation::RoundDown, parts) => match parts[1] {
                Self::Constant(n) => i64::from(n),
                _ => 1,
            },
            Self::Of(Operation::Over, parts) => match (parts[0].grain(of), &parts[1]) {
                (grain, Self::Constant(n)) if grain % i64::from(*n) == 0 => grain / i64::from(*n),
                _ => 1,
            },
            _ => 1,
        }
    }

    /// Bounds of the value, given those of facts. Facts are taken to be independent of each other.
    pub(super) fn range(&self, of: &dyn Fn(&Fact) -> (i64, i64)) -> (i64, i64) {
        let all = |parts: &[Self]| -> Vec<(i64, i64)> {
            parts.iter().map(|part| part.range(of)).collect()
        };
        let widest = |values: &[i64]| {
            let least = values.iter().min().copied().unwrap_or(i64::MIN);
            (least, values.iter().max().copied().unwrap_or(i64::MAX))
        };
        match self {
            Self::Constant(value) => (i64::from(*value), i64::from(*value)),
            Self::Fact(fact) => of(fact),
            Self::Not(inner) => {
                let (surely, maybe) = truth(inner.range(of));
                (i64::from(!maybe), i64::from(!surely))
            }
            Self::All(parts) | Self::Any(parts) => {
                let decides = matches!(self, Self::Any(_));
                let truths = parts.iter().map(|part| truth(part.range(of)));
                let joined = truths.fold((!decides, !decides), |all, part| match decides {
                    true => (all.0 | part.0, all.1 | part.1),
                    false => (all.0 & part.0, all.1 & part.1),
                });
                (i64::from(joined.0), i64::from(joined.1))
            }
            Self::Compare(comparison, sides) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| side.range(of));
                let (surely, maybe) = comparison.of_ranges(a, b);
                (i64::from(surely), i64::from(maybe))
            }
            Self::Seats(_) => (0, MAX_PLAYERS as i64),
            Self::Table(table, index) if table.rises() => {
                let (least, most) = index.range(of);
                (table.at(least), table.at(most))
            }
            Self::Table(table, _) => widest(&table.numbers),
            Self::Plus(sides) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| side.range(of));
                (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
            }
            Self::Minus(sides) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| side.range(of));
                (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
            }
            Self::Of(Operation::If, parts) => {
                let ranges = all(&parts[1..]);
                let ends: Vec<i64> = ranges.iter().flat_map(|range| [range.0, range.1]).collect();
                widest(&ends)
            }
            Self::Of(operation, parts) => match &all(parts)[..] {
                [(least, most)] => (operation.of(*least, 0), operation.of(*most, 0)),
                [first, others @ ..] => others.iter().fold(*first, |a, b| match operation {
                    Operation::RoundUp => (a.0, a.1.saturating_add(b.1)),
                    Operation::RoundDown if a.0 >= 0 => (0, a.1),
                    Operation::RoundDown => (a.0.saturating_sub(b.1), a.1),
                    // The others are monotone in each of their numbers, so the ends are at corners.
                    _ => {
                        let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                        widest(&corners.map(|(a, b)| operation.of(a, b)))
                    }
                }),
                [] => (i64::MIN, i64::MAX),
            },
        }
    }
}
