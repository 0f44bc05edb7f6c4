//! The condition language: parsed, checked for types against the facts, compiled, evaluated.
//!
//! ```text
//! or    = and { "or" and }
//! and   = not { "and" not }
//! not   = "not" not | test
//! test  = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//!       | name "is" ["not"] word | name "in" class
//! sum   = term { ("+" | "-") term }
//! term  = number | "(" or ")" | name [ "(" argument { "," argument } ")" ]
//! number = digits [ "." digit ]
//! class = word { "|" word } [ "except" word { "|" word } ]
//! ```
//!
//! A name is a fact, a flag or an option, looked up in this order; `option(NAME)` is the option in
//! any case. Where only options are known (`if`), a name is an option.
//!
//! The language is total: no loops, no variables, nothing that could fail once it has compiled.

mod alternatives;
mod decide;
mod logic;
mod parse;
mod result;

pub(super) use alternatives::{Alternative, Literal};
pub(crate) use logic::Dead;
pub(crate) use result::Tallied;

use super::facts::{Class, Fact, Scope};
use super::reading::Reading;
use crate::seat::Seat;
use crate::set::KindSet;
use decide::Decision;
use parse::Parser;

/// A condition that cannot be compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// Byte offset in the condition.
        at: usize,
        /// What could stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
    },
    /// A name that is no fact, flag or option.
    #[error("no {what} `{name}`{}", .suggestion.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// Byte offset in the condition.
        at: usize,
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest name that there is.
        suggestion: Option<String>,
    },
    /// An expression of another type.
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
    /// A fact that is not known where the condition is judged.
    #[error("`{name}` is not known here")]
    Scope {
        /// Byte offset in the condition.
        at: usize,
        /// The fact.
        name: String,
    },
    /// Nested deeper than anybody writes.
    #[error("nested too deeply")]
    TooDeep {
        /// Byte offset in the condition.
        at: usize,
    },
}

impl ConditionError {
    /// Byte offset of the fault in the condition.
    pub const fn at(&self) -> usize {
        match self {
            Self::Expected { at, .. }
            | Self::Unknown { at, .. }
            | Self::Type { at, .. }
            | Self::Scope { at, .. }
            | Self::TooDeep { at } => *at,
        }
    }
}

/// A value that is known when a condition is compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Constant {
    Bool(bool),
    Int(i64),
    Word(String),
}

/// The names that a ruleset adds to the facts.
pub(crate) trait Names {
    /// The value of an option.
    fn option(&self, name: &str) -> Option<Constant>;
    /// The place of a flag.
    fn flag(&self, name: &str) -> Option<usize>;
    /// The kinds of a class.
    fn class(&self, name: &str) -> Option<KindSet>;
    /// The number of a form.
    fn form(&self, name: &str) -> Option<u8>;
    /// The nearest of the names of a kind to one that is none.
    fn nearest(&self, what: &'static str, name: &str) -> Option<String>;
}

type Result<T> = std::result::Result<T, ConditionError>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Type {
    Bool,
    Int,
    /// In tenths.
    Decimal,
}

impl Type {
    const fn word(self) -> &'static str {
        match self {
            Self::Bool => "true or false",
            Self::Int => "a number",
            Self::Decimal => "a number with one decimal place",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Comparison {
    #[inline]
    fn holds<T: Ord>(self, a: T, b: T) -> bool {
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

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Expr {
    Constant(i32),
    Fact(Fact),
    Not(Box<Expr>),
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    Plus(Box<Expr>, Box<Expr>),
    Minus(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn eval(&self, reading: &Reading<'_>) -> i32 {
        match self {
            Self::Constant(value) => *value,
            Self::Fact(fact) => fact.read(reading),
            Self::Not(inner) => i32::from(inner.eval(reading) == 0),
            Self::All(parts) => i32::from(parts.iter().all(|part| part.eval(reading) != 0)),
            Self::Any(parts) => i32::from(parts.iter().any(|part| part.eval(reading) != 0)),
            Self::Compare(comparison, a, b) => {
                i32::from(comparison.holds(a.eval(reading), b.eval(reading)))
            }
            Self::Plus(a, b) => a.eval(reading).saturating_add(b.eval(reading)),
            Self::Minus(a, b) => a.eval(reading).saturating_sub(b.eval(reading)),
        }
    }
}

impl Expr {
    /// True when a fact stands in the expression.
    fn asks(&self, fact: Fact) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Fact(own) => *own == fact,
            Self::Not(inner) => inner.asks(fact),
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.asks(fact)),
            Self::Compare(_, a, b) | Self::Plus(a, b) | Self::Minus(a, b) => {
                a.asks(fact) || b.asks(fact)
            }
        }
    }
}

/// A compiled condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    expr: Expr,
    decision: Decision,
}

#[cfg(test)]
impl Condition {
    /// A condition that always holds.
    pub(crate) fn always() -> Self {
        Self::of(Expr::Constant(1))
    }
}

impl Condition {
    fn of(expr: Expr) -> Self {
        Self {
            decision: Decision::new(&expr),
            expr,
        }
    }

    /// True when the condition asks for a fact.
    pub(crate) fn asks(&self, fact: Fact) -> bool {
        self.expr.asks(fact)
    }

    /// True when the condition holds for a reading.
    #[inline]
    pub fn holds(&self, reading: &Reading<'_>) -> bool {
        let holds = self.decision.holds(reading);
        debug_assert_eq!(holds, self.expr.eval(reading) != 0, "{self:?}");
        holds
    }
}

/// A compiled count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Count {
    expr: Expr,
}

impl Count {
    /// True when the count asks for a fact.
    pub(crate) fn asks(&self, fact: Fact) -> bool {
        self.expr.asks(fact)
    }

    /// The number for a reading.
    #[inline]
    pub fn value(&self, reading: &Reading<'_>) -> i32 {
        match &self.expr {
            Expr::Fact(fact) => fact.read(reading),
            expr => expr.eval(reading),
        }
    }
}

/// Compiles a condition that is true or false.
pub(crate) fn condition(text: &str, scope: Scope, names: &dyn Names) -> Result<Condition> {
    compile(text, scope, names, Type::Bool).map(Condition::of)
}

/// Compiles an expression that counts.
pub(crate) fn count(text: &str, scope: Scope, names: &dyn Names) -> Result<Count> {
    compile(text, scope, names, Type::Int).map(|expr| Count { expr })
}

/// Judges a condition that uses options alone.
pub(crate) fn over_options(text: &str, names: &dyn Names) -> Result<bool> {
    let expr = compile(text, Scope::Options, names, Type::Bool)?;
    // No fact is known in this scope, so the reading is never looked at.
    let hand = crate::hand::Hand::new();
    let set = crate::tile_set::TileSet::default();
    let wind = crate::tile::Wind::East;
    let reading = Reading::circumstances(&set, &hand, Seat::EAST, wind, None);
    Ok(expr.eval(&reading) != 0)
}

/// A class of tiles outside a condition, such as the pairs that a loser's hand scores.
pub(crate) fn class(text: &str, names: &dyn Names) -> Result<Class> {
    let mut parser = Parser::new(text, Scope::Hand, names)?;
    let class = parser.class()?;
    parser.end()?;
    Ok(class)
}

fn compile(text: &str, scope: Scope, names: &dyn Names, want: Type) -> Result<Expr> {
    let mut parser = Parser::new(text, scope, names)?;
    let (expr, is) = parser.or()?;
    parser.end()?;
    parser.demand(0, want, is, text)?;
    Ok(expr)
}

#[cfg(test)]
mod tests;
