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
//!       | "has-groups" "(" group { "," group } ")"
//! group = family { "|" family } rank [ rank rank ] suit
//! rank  = digits | letter [ ("+" | "-") digits ]
//! suit  = "t" | "s" | "m" | letter
//! number = digits [ "." digit ]
//! class = word { "|" word } [ "except" word { "|" word } ]
//! ```
//!
//! A name is a fact, a flag, an option or a named condition of `[conditions]`. `option(NAME)` always means the
//! option. In an `if` only options are known, so a name is an option. A named condition may be a number. It may use
//! only named conditions that are defined before it, and is known in the scopes that know all its facts.
//!
//! A family may be called by the name of a meld, such as `chow`, if no other meld has that family.
//!
//! The letters in `has-groups` are variables for ranks and suits. A letter has one value in a list of groups, and
//! different letters for suits are different suits. `has-groups(chow r a, chow r+1 b, chow r+2 c)` holds if three
//! chows, one in each suit, begin with three ranks in a row. A run may be written with its lowest rank if no other run
//! of its family begins with that rank. When the text is compiled, it is expanded into all groups that the set allows.
//!
//! The language is total: it has no loops, and letters are expanded at compile time. A compiled condition cannot fail.

mod alternatives;
mod expr;
mod groups;
mod lacks;
mod logic;
mod parse;
mod parts;
mod result;
mod tokens;
mod why;

pub(super) use alternatives::{Alternative, Literal};
pub use expr::ConditionError;
pub(crate) use expr::{Constant, Named, Names};
pub(crate) use groups::{Combination, MOST_COMBINED};
pub(crate) use logic::{Dead, InPlay};

use super::facts::{Class, Fact, FactType, Scope};
use super::reading::Reading;
use expr::{Expr, Result};
use parse::Parser;

/// A compiled condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    expr: Expr,
}

#[cfg(test)]
impl Condition {
    /// A condition that always holds.
    pub(crate) fn always() -> Self {
        Self::of(Expr::Constant(1))
    }
}

impl Condition {
    const fn of(expr: Expr) -> Self {
        Self { expr }
    }

    /// The condition that this one and one of the others hold.
    pub(crate) fn of_melds(when: Option<Self>, one_of: Vec<Self>) -> Self {
        let one_of = Expr::Any(one_of.into_iter().map(|one| one.expr).collect());
        Self::of(match when {
            Some(when) => Expr::All(vec![when.expr, one_of]),
            None => one_of,
        })
    }

    /// True when the condition uses a fact.
    pub(crate) fn asks(&self, fact: Fact) -> bool {
        self.expr.asks(fact)
    }

    /// True when the condition uses tiles that are not declared.
    pub(crate) fn asks_concealed(&self) -> bool {
        self.expr.any_part(&|part| match part {
            Expr::Fact(fact) => fact.asks_concealed(),
            _ => false,
        })
    }

    /// True when the condition holds for a reading.
    #[inline]
    pub fn holds(&self, reading: &Reading<'_>) -> bool {
        self.expr.read(reading) != 0
    }
}

/// A compiled expression that counts, such as the `per` of a pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Count {
    expr: Expr,
}

impl Count {
    /// True when the count uses a fact.
    pub(crate) fn asks(&self, fact: Fact) -> bool {
        self.expr.asks(fact)
    }

    /// The number for a reading.
    #[inline]
    pub fn value(&self, reading: &Reading<'_>) -> i32 {
        match &self.expr {
            Expr::Fact(fact) => fact.read(reading),
            expr => expr
                .read(reading)
                .clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32,
        }
    }
}

/// Compiles an expression that is true or false.
pub(crate) fn condition(text: &str, scope: Scope, names: &dyn Names) -> Result<Condition> {
    compile(text, scope, names, FactType::Bool).map(Condition::of)
}

/// The combinations of melds that a list of groups stands for, and the condition that a hand has one of them.
pub(crate) fn combinations(text: &str, names: &dyn Names) -> Result<(Vec<Combination>, Condition)> {
    let mut parser = Parser::new(text, Scope::Hand, names)?;
    let (combinations, expr) = parser.combinations()?;
    parser.end()?;
    Ok((combinations, Condition::of(expr)))
}

/// Compiles an expression that is a number.
pub(crate) fn count(text: &str, scope: Scope, names: &dyn Names) -> Result<Count> {
    compile(text, scope, names, FactType::Int).map(|expr| Count { expr })
}

/// Evaluates a condition that uses options alone.
pub(crate) fn over_options(text: &str, names: &dyn Names) -> Result<bool> {
    let expr = compile(text, Scope::Options, names, FactType::Bool)?;
    // This scope knows no facts.
    Ok(expr.value(&|_| None).is_some_and(|value| value != 0))
}

/// Parses a class of tiles outside a condition, such as the pairs that a loser's hand scores.
pub(crate) fn class(text: &str, names: &dyn Names) -> Result<Class> {
    let mut parser = Parser::new(text, Scope::Hand, names)?;
    let class = parser.class()?;
    parser.end()?;
    Ok(class)
}

/// Compiles a named condition for each scope. It must be known in one of them, and may be a number.
pub(crate) fn named(text: &str, names: &dyn Names) -> Result<Named> {
    let of_scope = |scope| {
        let mut parser = Parser::new(text, scope, names)?;
        let found = parser.or()?;
        parser.end()?;
        Ok(found)
    };
    let scopes = [
        Scope::Hand,
        Scope::Table,
        Scope::Result,
        Scope::Circumstances,
        Scope::Melds,
    ];
    let of: Vec<_> = scopes.map(|scope| (scope, of_scope(scope))).into();
    if of.iter().any(|(_, found)| found.is_ok()) {
        return Ok(Named { of });
    }
    // An unknown name is a more useful error than a fact that is not known here.
    let faults = || of.iter().filter_map(|(_, found)| found.as_ref().err());
    let is_of_scope = |error: &&ConditionError| matches!(error, ConditionError::Scope { .. });
    let fault = faults()
        .find(|error| !is_of_scope(error))
        .or(faults().next());
    Err(fault.cloned().unwrap_or(ConditionError::TooDeep { at: 0 }))
}

/// True for a word that can name a condition.
pub(crate) fn is_name(text: &str) -> bool {
    const TAKEN: [&str; 6] = ["and", "or", "not", "is", "in", "option"];
    let is_word = matches!(tokens::tokens(text).as_deref(), Ok([(0, tokens::Token::Word(word)), _]) if *word == text);
    is_word && !TAKEN.contains(&text)
}

fn compile(text: &str, scope: Scope, names: &dyn Names, want: FactType) -> Result<Expr> {
    let mut parser = Parser::new(text, scope, names)?;
    let (expr, is) = parser.or()?;
    parser.end()?;
    parser.demand(0, want, is, text)?;
    Ok(expr)
}

#[cfg(test)]
mod tests;
