//! The condition language: parsed, checked for types against the facts, compiled, evaluated.
//!
//! ```text
//! or    = and { "or" and }
//! and   = not { "and" not }
//! not   = "not" not | test
//! test  = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//!       | name "is" ["not"] word | name "in" class
//! sum   = product { ("+" | "-") product }
//! product = term { ("*" | "/") term }
//! term  = number | "(" or ")" | name [ "(" argument { "," argument } ")" ]
//!       | function "(" or { "," or } ")"
//!       | "has-groups" "(" group { "," group } ")"
//! group = family { "|" family } rank [ rank rank ] suit
//! rank  = digits | letter [ ("+" | "-") digits ]
//! suit  = "t" | "s" | "m" | letter
//! number = digits [ "." digit ]
//! class = word { "|" word } [ "except" word { "|" word } ]
//! ```
//!
//! A name is a fact, a flag, an option or a named condition of `[conditions]`. `option(NAME)` always means the option.
//! In an `if` only options and `players` are known, so a name is an option before it is a fact. A named condition may
//! be a number. It may use other named conditions, in any order but no circle, and is known in the scopes that know
//! all its facts.
//!
//! A family may be called by the name of a meld, such as `chow`, if no other meld has that family.
//!
//! The letters in `has-groups` are variables for ranks and suits. A letter has one value in a list of groups, and
//! different letters for suits are different suits. `has-groups(chow r a, chow r+1 b, chow r+2 c)` holds if three
//! chows, one in each suit, begin with three ranks in a row. A run may be written with its lowest rank if no other run
//! of its family begins with that rank. When the text is compiled, it is expanded into all groups that the set allows.
//!
//! Functions are `min(a, b, …)`, `max(a, b, …)`, `round-up(a, n)` and `round-down(a, n)` to a multiple of `n`, `pow2(a)`,
//! and `if(CONDITION, a, b)`. `/` rounds down, to a whole number or, where the number has a decimal place, to one. A divisor
//! and an `n` must be provably at least 1. Numbers saturate.
//!
//! Where sums of patterns are known, `table(ID, n)` is the n-th number of a table of `[score.tables]`, from 0, and
//! `place(ID, a)` the first index whose number is at least `a`.
//!
//! The language is total: it has no loops, and letters are expanded at compile time. A compiled condition cannot fail.

mod alternatives;
mod expr;
mod groups;
mod items;
mod lacks;
mod logic;
mod parse;
mod parts;
mod resolved;
mod result;
mod rewrites;
mod sums;
mod tokens;
mod why;

pub(super) use alternatives::{Alternative, Literal};
pub use expr::ConditionError;
pub(crate) use expr::{Constant, Named, Names};
pub(crate) use groups::{Combination, MOST_COMBINED};
pub(crate) use items::{SIZES as ITEM_SIZES, item_texts, items, words as item_words};
pub(crate) use logic::{Dead, InPlay, Mechanisms};
pub(crate) use resolved::resolved;
pub(crate) use sums::{Adding, Formula, formula, number};

use super::facts::{Class, Fact, FactType, Scope, SumFact};
use super::reading::Reading;
use expr::{Expr, Result};
use parse::Parser;

/// A compiled condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    expr: Expr,
}

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
        any_fact(&self.expr, &Fact::asks_concealed)
    }

    /// False when the condition is certainly false, given bounds of its facts.
    pub(crate) fn may_hold(&self, bounds: &dyn Fn(&Fact) -> (i64, i64)) -> bool {
        self.expr.range(bounds).1 != 0
    }

    /// The parts that `and` joins, by the least that must be known to judge them: the circumstances of the win, the declared
    /// melds and bonus tiles, a reading of the hand. What always holds is left out.
    pub(crate) fn by_stage(self) -> [Option<Self>; 3] {
        fn add(expr: Expr, stages: &mut [Vec<Expr>; 3]) {
            match expr {
                Expr::All(parts) => parts.into_iter().for_each(|part| add(part, stages)),
                part if part.value(&|_| None).is_some_and(|value| value != 0) => {}
                part => {
                    let asks = |is: &dyn Fn(&Fact) -> bool| any_fact(&part, is);
                    let stage = match () {
                        () if asks(&Fact::asks_concealed) => 2,
                        () if asks(&|fact| fact.scope() != Scope::Circumstances) => 1,
                        () => 0,
                    };
                    stages[stage].push(part);
                }
            }
        }
        let mut stages = Default::default();
        add(self.expr, &mut stages);
        stages.map(|mut parts| match parts.len() {
            0 | 1 => parts.pop().map(Self::of),
            _ => Some(Self::of(Expr::All(parts))),
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
    /// True when `is` holds for some fact of the count.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        any_fact(&self.expr, is)
    }

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

/// Reads the facts of a payment: about the seats of one, and about each seat that is counted.
pub(crate) trait Reader: Sized {
    /// Reads a fact: a number, or 1 for true and 0 for false. Facts about results are in tenths.
    fn fact(&self, fact: &Fact) -> i64;
    /// A reader for each seat that `seats` counts.
    fn seats(&self) -> impl Iterator<Item = Self>;
}

fn read_by<R: Reader>(expr: &Expr, reader: &R) -> i64 {
    let of = |part: &Expr| match part {
        Expr::Fact(fact) => Some(reader.fact(fact)),
        Expr::Seats(inner) => {
            let meets = |seat: &R| read_by(inner, seat) != 0;
            Some(reader.seats().filter(meets).count() as i64)
        }
        _ => None,
    };
    // A reader knows every fact.
    expr.value(&of).unwrap_or_default()
}

impl Condition {
    /// True when the condition of a payment holds.
    pub(crate) fn holds_for(&self, reader: &impl Reader) -> bool {
        read_by(&self.expr, reader) != 0
    }

    /// True when `is` holds for some fact of the condition.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        any_fact(&self.expr, is)
    }

    /// The same. `is` is told whether the fact is about each seat that `seats` counts.
    pub(crate) fn any_fact_within(&self, is: &dyn Fn(&Fact, bool) -> bool) -> bool {
        any_fact_within(&self.expr, is)
    }
}

fn any_fact(expr: &Expr, is: &dyn Fn(&Fact) -> bool) -> bool {
    expr.any_part(&|part| matches!(part, Expr::Fact(fact) if is(fact)))
}

fn any_fact_within(expr: &Expr, is: &dyn Fn(&Fact, bool) -> bool) -> bool {
    match expr {
        Expr::Fact(fact) => is(fact, false),
        Expr::Seats(inner) => any_fact(inner, &|fact| is(fact, true)),
        expr => expr.parts().iter().any(|part| any_fact_within(part, is)),
    }
}

/// A compiled amount of a payment, in points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Amount {
    expr: Expr,
    in_tenths: bool,
}

impl Amount {
    /// The amount in least units.
    pub(crate) fn units(&self, per_point: i64, reader: &impl Reader) -> i64 {
        let value = read_by(&self.expr, reader);
        match self.in_tenths {
            // The product is no more than the value.
            true if value % 10 == 0 => (value / 10).saturating_mul(per_point),
            true => value.saturating_mul(per_point) / 10,
            false => value.saturating_mul(per_point),
        }
    }

    /// True when the amount may be less than 0.
    pub(crate) fn may_be_negative(&self) -> bool {
        self.expr.range(&Fact::range).0 < 0
    }

    /// True when the amount is always 0.
    pub(crate) fn is_nothing(&self) -> bool {
        self.expr == Expr::Constant(0)
    }

    /// A number of tenths of which the amount is always a multiple.
    fn grain(&self) -> i64 {
        let of = |fact: &Fact| match fact {
            Fact::Result(_) | Fact::Sum(SumFact::Column { whole: true, .. } | SumFact::Limits) => {
                10
            }
            _ => 1,
        };
        let grain = self.expr.grain(&of);
        if self.in_tenths { grain } else { 10 }
    }

    /// True when the amount is always a whole number of half points.
    pub(crate) fn is_in_halves(&self) -> bool {
        self.grain() % 5 == 0
    }

    /// True when the amount may be half a point.
    pub(crate) fn has_halves(&self) -> bool {
        self.grain() % 10 != 0
    }

    /// True when `is` holds for some fact of the amount.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        any_fact(&self.expr, is)
    }

    /// The same. `is` is told whether the fact is about each seat that `seats` counts.
    pub(crate) fn any_fact_within(&self, is: &dyn Fn(&Fact, bool) -> bool) -> bool {
        any_fact_within(&self.expr, is)
    }
}

/// Compiles the amount of a payment.
pub(crate) fn amount(text: &str, names: &dyn Names) -> Result<Amount> {
    let mut parser = Parser::new(text, Scope::Payment, names)?;
    let (expr, is) = parser.or()?;
    parser.end()?;
    if is == FactType::Bool {
        parser.demand(0, FactType::Int, is, text)?;
    }
    let in_tenths = is == FactType::Decimal;
    Ok(Amount { expr, in_tenths })
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

/// Evaluates a condition that uses options and the number of players alone.
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

/// The scopes in which a named condition may be known.
const NAMED_IN: [Scope; 6] = [
    Scope::Hand,
    Scope::Table,
    Scope::Claim,
    Scope::Sums,
    Scope::Result,
    Scope::Payment,
];

/// The text of a named condition with options resolved, if it is known in some scope.
pub(crate) fn resolved_anywhere(text: &str, names: &dyn Names) -> Option<String> {
    let mut all = NAMED_IN.into_iter();
    all.find_map(|scope| resolved(text, scope, names).ok())
}

/// Compiles a named condition for each scope. It must be known in one of them, and may be a number.
pub(crate) fn named(text: &str, names: &dyn Names) -> Result<Named> {
    let of_scope = |scope| {
        let mut parser = Parser::new(text, scope, names)?;
        let found = parser.or()?;
        parser.end()?;
        Ok(found)
    };
    let of: Vec<_> = NAMED_IN.map(|scope| (scope, of_scope(scope))).into();
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

/// The words of a condition. None for a text that is no condition.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let tokens = tokens::tokens(text).unwrap_or_default();
    let word = |(_, token)| match token {
        tokens::Token::Word(word) => Some(word),
        _ => None,
    };
    tokens.into_iter().filter_map(word).collect()
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
