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
//! class = word { "|" word } [ "except" word { "|" word } ]
//! ```
//!
//! A name is a fact, a flag or an option, looked up in this order; `option(NAME)` is the option in
//! any case. Where only options are known (`if`), a name is an option.
//!
//! The language is total: no loops, no variables, nothing that could fail once it has compiled.

use super::facts::{self, Class, ClassPart, Fact, FamilySet, Scope, WinningPlace, Word};
use super::reading::Reading;
use crate::meld::Family;
use crate::notation::Notation;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::Way;

/// A condition that cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
#[derive(Clone, PartialEq, Eq, Debug)]
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Bool,
    Int,
}

impl Type {
    const fn word(self) -> &'static str {
        match self {
            Self::Bool => "true or false",
            Self::Int => "a number",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Clone, PartialEq, Eq, Debug)]
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
                let (a, b) = (a.eval(reading), b.eval(reading));
                i32::from(match comparison {
                    Comparison::Equal => a == b,
                    Comparison::Unequal => a != b,
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::More => a > b,
                    Comparison::AtLeast => a >= b,
                })
            }
            Self::Plus(a, b) => a.eval(reading).saturating_add(b.eval(reading)),
            Self::Minus(a, b) => a.eval(reading).saturating_sub(b.eval(reading)),
        }
    }
}

/// A compiled condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition(Expr);

impl Condition {
    /// True when the condition holds for a reading.
    pub fn holds(&self, reading: &Reading<'_>) -> bool {
        self.0.eval(reading) != 0
    }
}

/// A compiled count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count(Expr);

impl Count {
    /// The number for a reading.
    pub fn value(&self, reading: &Reading<'_>) -> i32 {
        self.0.eval(reading)
    }
}

/// Compiles a condition that is true or false.
pub(crate) fn condition(text: &str, scope: Scope, names: &dyn Names) -> Result<Condition> {
    compile(text, scope, names, Type::Bool).map(Condition)
}

/// Compiles an expression that counts.
pub(crate) fn count(text: &str, scope: Scope, names: &dyn Names) -> Result<Count> {
    compile(text, scope, names, Type::Int).map(Count)
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Word(&'a str),
    Number(i32),
    Sign(&'a str),
    End,
}

fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if byte.is_ascii_alphanumeric() {
            // A hyphen belongs to a name; a minus has blanks around it.
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'-') {
                at += 1;
            }
            let word = &text[start..at];
            let token = match word.parse() {
                Ok(number) => Token::Number(number),
                Err(_) => Token::Word(word),
            };
            tokens.push((start, token));
            continue;
        }
        let sign = [
            "==", "!=", "<=", ">=", "<", ">", "+", "-", "(", ")", ",", "|",
        ]
        .into_iter()
        .find(|sign| text[at..].starts_with(sign));
        match sign {
            Some(sign) => {
                at += sign.len();
                tokens.push((start, Token::Sign(sign)));
            }
            None => {
                let found = text[at..].chars().next().unwrap_or(' ');
                return Err(ConditionError::Expected {
                    at,
                    expected: "a name, a number or an operator",
                    found: format!("`{found}`"),
                });
            }
        }
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    depth: usize,
    scope: Scope,
    names: &'a dyn Names,
}

const MAX_DEPTH: usize = 40;

impl<'a> Parser<'a> {
    fn new(text: &'a str, scope: Scope, names: &'a dyn Names) -> Result<Self> {
        Ok(Self {
            text,
            tokens: tokens(text)?,
            next: 0,
            depth: 0,
            scope,
            names,
        })
    }

    fn peek(&self) -> (usize, Token<'a>) {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> (usize, Token<'a>) {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn accept(&mut self, wanted: Token<'_>) -> bool {
        let found = self.peek().1 == wanted;
        self.next += usize::from(found);
        found
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T> {
        let (at, token) = self.peek();
        Err(ConditionError::Expected {
            at,
            expected,
            found: match token {
                Token::Word(word) => format!("`{word}`"),
                Token::Number(number) => format!("`{number}`"),
                Token::Sign(sign) => format!("`{sign}`"),
                Token::End => "the end".to_owned(),
            },
        })
    }

    fn end(&self) -> Result<()> {
        match self.peek().1 {
            Token::End => Ok(()),
            _ => self.fail("the end"),
        }
    }

    fn demand(&self, at: usize, want: Type, is: Type, found: &str) -> Result<()> {
        if want == is {
            return Ok(());
        }
        Err(ConditionError::Type {
            at,
            expected: want.word(),
            found: found.to_owned(),
            is: is.word(),
        })
    }

    fn unknown<T>(&self, at: usize, what: &'static str, name: &str) -> Result<T> {
        Err(ConditionError::Unknown {
            at,
            what,
            name: name.to_owned(),
            suggestion: self.names.nearest(what, name),
        })
    }

    fn or(&mut self) -> Result<(Expr, Type)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ConditionError::TooDeep { at: self.peek().0 });
        }
        let joined = self.joined("or", Self::and, Expr::Any)?;
        self.depth -= 1;
        Ok(joined)
    }

    fn and(&mut self) -> Result<(Expr, Type)> {
        self.joined("and", Self::not, Expr::All)
    }

    fn joined(
        &mut self,
        word: &'static str,
        part: fn(&mut Self) -> Result<(Expr, Type)>,
        join: fn(Vec<Expr>) -> Expr,
    ) -> Result<(Expr, Type)> {
        let start = self.peek().0;
        let first = part(self)?;
        if self.peek().1 != Token::Word(word) {
            return Ok(first);
        }
        self.demand(start, Type::Bool, first.1, self.source(start))?;
        let mut parts = vec![first.0];
        while self.accept(Token::Word(word)) {
            let start = self.peek().0;
            let (expr, is) = part(self)?;
            self.demand(start, Type::Bool, is, self.source(start))?;
            parts.push(expr);
        }
        Ok((join(parts), Type::Bool))
    }

    /// The text from a place to the token that is next.
    fn source(&self, start: usize) -> &'a str {
        self.text[start..self.peek().0].trim_end()
    }

    fn not(&mut self) -> Result<(Expr, Type)> {
        let mut negations = 0;
        while self.accept(Token::Word("not")) {
            negations += 1;
        }
        let start = self.peek().0;
        let (expr, is) = self.test()?;
        if negations == 0 {
            return Ok((expr, is));
        }
        self.demand(start, Type::Bool, is, self.source(start))?;
        let expr = if negations % 2 == 1 {
            Expr::Not(Box::new(expr))
        } else {
            expr
        };
        Ok((expr, Type::Bool))
    }

    fn test(&mut self) -> Result<(Expr, Type)> {
        let start = self.peek().0;
        let (left, is) = self.sum()?;
        let comparison = match self.peek().1 {
            Token::Sign("==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::Unequal,
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::AtMost,
            Token::Sign(">") => Comparison::More,
            Token::Sign(">=") => Comparison::AtLeast,
            _ => return Ok((left, is)),
        };
        let left_text = self.source(start);
        self.next += 1;
        let ordered = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if ordered {
            self.demand(start, Type::Int, is, left_text)?;
        }
        let right_start = self.peek().0;
        let (right, right_is) = self.sum()?;
        self.demand(right_start, is, right_is, self.source(right_start))?;
        let expr = Expr::Compare(comparison, Box::new(left), Box::new(right));
        Ok((expr, Type::Bool))
    }

    fn sum(&mut self) -> Result<(Expr, Type)> {
        let start = self.peek().0;
        let (mut expr, is) = self.term()?;
        loop {
            let plus = match self.peek().1 {
                Token::Sign("+") => true,
                Token::Sign("-") => false,
                _ => return Ok((expr, is)),
            };
            self.demand(start, Type::Int, is, self.source(start))?;
            self.next += 1;
            let right_start = self.peek().0;
            let (right, right_is) = self.term()?;
            self.demand(right_start, Type::Int, right_is, self.source(right_start))?;
            let (left, right) = (Box::new(expr), Box::new(right));
            expr = if plus {
                Expr::Plus(left, right)
            } else {
                Expr::Minus(left, right)
            };
        }
    }

    fn term(&mut self) -> Result<(Expr, Type)> {
        match self.take() {
            (_, Token::Number(number)) => Ok((Expr::Constant(number), Type::Int)),
            (_, Token::Sign("(")) => {
                let inner = self.or()?;
                if self.accept(Token::Sign(")")) {
                    Ok(inner)
                } else {
                    self.fail("`)`")
                }
            }
            (at, Token::Word(name)) => self.name(at, name),
            _ => {
                self.next -= 1;
                self.fail("a name or a number")
            }
        }
    }

    fn name(&mut self, at: usize, name: &'a str) -> Result<(Expr, Type)> {
        if name == "option" {
            return self.named_option();
        }
        let option = self.names.option(name);
        if let (Scope::Options, Some(constant)) = (self.scope, &option) {
            return self.option(constant.clone());
        }
        let bool = |fact| Ok((Expr::Fact(fact), Type::Bool));
        let int = |fact| Ok((Expr::Fact(fact), Type::Int));
        let Some(doc) = facts::by_name(name) else {
            return match self.names.flag(name) {
                Some(_) if self.scope == Scope::Options || self.scope == Scope::Table => {
                    self.out_of_scope(at, name)
                }
                Some(flag) => bool(Fact::Flag(flag)),
                None => match option {
                    Some(constant) => self.option(constant),
                    None => self.unknown(at, "fact", name),
                },
            };
        };
        let known = match self.scope {
            Scope::Options => false,
            Scope::Circumstances => doc.scope == Scope::Circumstances,
            scope => doc.scope == Scope::Circumstances || doc.scope == scope,
        };
        if !known {
            return self.out_of_scope(at, name);
        }
        match doc.word {
            Word::Winner => bool(Fact::Winner),
            Word::SelfDraw => bool(Fact::SelfDraw),
            Word::Dealer => bool(Fact::Seat(Seat::EAST)),
            Word::Closed => bool(Fact::Closed),
            Word::Flowers => int(Fact::Flowers),
            Word::SeatFlowers => int(Fact::SeatFlowers),
            Word::Suits => int(Fact::Suits),
            Word::DrawsLeft => int(Fact::DrawsLeft),
            Word::Discards => int(Fact::Discards),
            Word::Kongs => int(Fact::Kongs),
            Word::ReplacedKong => bool(Fact::ReplacedKong),
            Word::ReplacedFlower => bool(Fact::ReplacedFlower),
            Word::Has => {
                let class = self.one_class()?;
                bool(Fact::Has(class))
            }
            Word::AllTiles => {
                let class = self.one_class()?;
                bool(Fact::AllTiles(class))
            }
            Word::Count => {
                let class = self.one_class()?;
                int(Fact::Count(class))
            }
            Word::Pairs => {
                let class = self.one_class()?;
                let mut families = FamilySet::default();
                families.insert(Family::Pair);
                int(Fact::Melds {
                    families,
                    class,
                    open: None,
                })
            }
            Word::Melds => {
                let fact = self.melds()?;
                int(fact)
            }
            Word::WinningTile => {
                if !self.accept(Token::Word("in")) && !self.accept(Token::Word("is")) {
                    return self.fail("`in`");
                }
                let class = self.class()?;
                bool(Fact::WinningTile(class))
            }
            Word::Way => self.is_word("way", |p, at, word| {
                let found = Way::WORDS.into_iter().find(|(w, _)| *w == word);
                found.map_or_else(|| p.unknown(at, "way", word), |(_, way)| Ok(Fact::Way(way)))
            }),
            Word::Seat => self.is_word("seat", |p, at, word| p.seat(at, word).map(Fact::Seat)),
            Word::From => self.is_word("seat", |p, at, word| p.seat(at, word).map(Fact::From)),
            Word::WinningGroup => self.is_word("family", |p, at, word| {
                p.family(at, word).map(Fact::WinningGroup)
            }),
            Word::WinningPlace => self.is_word("place", |p, at, word| {
                let found = WinningPlace::WORDS.into_iter().find(|(w, _)| *w == word);
                found.map_or_else(
                    || p.unknown(at, "place", word),
                    |(_, place)| Ok(Fact::WinningPlace(place)),
                )
            }),
            Word::Form => self.is_word("form", |p, at, word| {
                let form = match word {
                    "standard" => Some(0),
                    word => p.names.form(word),
                };
                form.map_or_else(|| p.unknown(at, "form", word), |form| Ok(Fact::Form(form)))
            }),
        }
    }

    fn out_of_scope<T>(&self, at: usize, name: &str) -> Result<T> {
        Err(ConditionError::Scope {
            at,
            name: name.to_owned(),
        })
    }

    /// `option(name)`, for an option that is called like a fact or a flag.
    fn named_option(&mut self) -> Result<(Expr, Type)> {
        self.open()?;
        let (at, Token::Word(name)) = self.take() else {
            self.next -= 1;
            return self.fail("the name of an option");
        };
        self.close()?;
        match self.names.option(name) {
            Some(constant) => self.option(constant),
            None => self.unknown(at, "option", name),
        }
    }

    /// An option: a truth, a number, or a word that is compared at once.
    fn option(&mut self, constant: Constant) -> Result<(Expr, Type)> {
        match constant {
            Constant::Bool(value) => Ok((Expr::Constant(i32::from(value)), Type::Bool)),
            Constant::Int(value) => {
                let clamped = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
                Ok((Expr::Constant(clamped as i32), Type::Int))
            }
            Constant::Word(value) => {
                if !self.accept(Token::Word("is")) {
                    return self.fail("`is`");
                }
                let negated = self.accept(Token::Word("not"));
                let Token::Word(word) = self.take().1 else {
                    self.next -= 1;
                    return self.fail("a word");
                };
                let holds = (word == value) != negated;
                Ok((Expr::Constant(i32::from(holds)), Type::Bool))
            }
        }
    }

    fn is_word(
        &mut self,
        what: &'static str,
        fact: impl Fn(&Self, usize, &str) -> Result<Fact>,
    ) -> Result<(Expr, Type)> {
        if !self.accept(Token::Word("is")) {
            return self.fail("`is`");
        }
        let negated = self.accept(Token::Word("not"));
        let (at, token) = self.take();
        let number;
        let word = match token {
            Token::Word(word) => word,
            // Seats 5 and 6 look like numbers.
            Token::Number(n) => {
                number = n.to_string();
                &number
            }
            _ => {
                self.next -= 1;
                return self.fail(what);
            }
        };
        let expr = Expr::Fact(fact(self, at, word)?);
        let expr = if negated {
            Expr::Not(Box::new(expr))
        } else {
            expr
        };
        Ok((expr, Type::Bool))
    }

    fn open(&mut self) -> Result<()> {
        if self.accept(Token::Sign("(")) {
            Ok(())
        } else {
            self.fail("`(`")
        }
    }

    fn close(&mut self) -> Result<()> {
        if self.accept(Token::Sign(")")) {
            Ok(())
        } else {
            self.fail("`)`")
        }
    }

    fn one_class(&mut self) -> Result<Class> {
        self.open()?;
        let class = self.class()?;
        self.close()?;
        Ok(class)
    }

    fn melds(&mut self) -> Result<Fact> {
        self.open()?;
        let mut families = FamilySet::default();
        loop {
            let (at, token) = self.take();
            match token {
                Token::Word("any") => families = FamilySet::ALL,
                Token::Word(word) => families.insert(self.family(at, word)?),
                _ => {
                    self.next -= 1;
                    return self.fail("a family");
                }
            }
            if !self.accept(Token::Sign("|")) {
                break;
            }
        }
        if !self.accept(Token::Sign(",")) {
            return self.fail("`,`");
        }
        let class = self.class()?;
        let mut open = None;
        if self.accept(Token::Sign(",")) {
            open = Some(match self.take() {
                (_, Token::Word("open")) => true,
                (_, Token::Word("concealed")) => false,
                _ => {
                    self.next -= 1;
                    return self.fail("`open` or `concealed`");
                }
            });
        }
        self.close()?;
        Ok(Fact::Melds {
            families,
            class,
            open,
        })
    }

    fn seat(&self, at: usize, word: &str) -> Result<Seat> {
        let mut letters = word.chars();
        match (letters.next().and_then(Seat::from_letter), letters.next()) {
            (Some(seat), None) => Ok(seat),
            _ => self.unknown(at, "seat", word),
        }
    }

    fn family(&self, at: usize, word: &str) -> Result<Family> {
        use Family::{Arith, Gem, Kong, Pair, Power, Pung};
        let all = [Pair, Pung, Kong, Arith, Gem, Power];
        match all.into_iter().find(|family| family.word() == word) {
            Some(family) => Ok(family),
            None => self.unknown(at, "family", word),
        }
    }

    fn class(&mut self) -> Result<Class> {
        let include = self.class_part()?;
        let exclude = if self.accept(Token::Word("except")) {
            self.class_part()?
        } else {
            ClassPart::default()
        };
        Ok(Class { include, exclude })
    }

    fn class_part(&mut self) -> Result<ClassPart> {
        let mut part = ClassPart::default();
        loop {
            let (at, token) = self.take();
            let Token::Word(word) = token else {
                self.next -= 1;
                return self.fail("a class of tiles");
            };
            match word {
                "any" => part.kinds = KindSet::ALL,
                "seat-wind" => part.seat_wind = true,
                "round-wind" => part.round_wind = true,
                word => match self.names.class(word) {
                    Some(kinds) => part.kinds = part.kinds.union(kinds),
                    None => match Notation::Ujmj.parse(word) {
                        Ok(tiles) => {
                            let kinds = tiles.iter().filter_map(|tile| tile.kind()).collect();
                            part.kinds = part.kinds.union(kinds);
                        }
                        Err(_) => return self.unknown(at, "class", word),
                    },
                },
            }
            if !self.accept(Token::Sign("|")) {
                return Ok(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Hand;
    use crate::state::{FlagSet, Win};
    use crate::tile::{Kind, Tile, Wind};
    use crate::tile_set::TileSet;

    struct Some3;

    impl Names for Some3 {
        fn option(&self, name: &str) -> Option<Constant> {
            match name {
                "flag-option" => Some(Constant::Bool(true)),
                "three" => Some(Constant::Int(3)),
                "mode" => Some(Constant::Word("fast".into())),
                _ => None,
            }
        }
        fn flag(&self, name: &str) -> Option<usize> {
            (name == "last-tile").then_some(0)
        }
        fn class(&self, name: &str) -> Option<KindSet> {
            (name == "dragon").then(|| [Kind::RED, Kind::GREEN, Kind::WHITE].into_iter().collect())
        }
        fn form(&self, _: &str) -> Option<u8> {
            None
        }
        fn nearest(&self, what: &'static str, name: &str) -> Option<String> {
            (what == "class" && name == "drgaon").then(|| "dragon".into())
        }
    }

    fn holds(text: &str) -> bool {
        let win = Win {
            tile: Tile::plain(Kind::RED),
            way: Way::Wall,
            from: None,
            flags: FlagSet::EMPTY,
        };
        let hand = Hand::new();
        let reading = Reading::circumstances(
            &TileSet::default(),
            &hand,
            Seat::EAST,
            Wind::East,
            Some(&win),
        );
        condition(text, Scope::Hand, &Some3)
            .unwrap()
            .holds(&reading)
    }

    #[test]
    fn conditions_mean_what_they_say() {
        for text in [
            "winner",
            "winner and not last-tile",
            "last-tile or self-draw and dealer",
            "not not winner",
            "(last-tile or winner) and three == 3",
            "three - 1 == 2 and three + 1 > 3 and 2 <= three",
            "way is wall and way is not discard",
            "seat is E and not (seat is 5)",
            "winning-tile in dragon",
            "winning-tile in any except F|P",
            "winning-tile is C",
            "option(three) == 3",
            "mode is fast and mode is not slow and flag-option",
            "melds(any, dragon) == 0 and count(19t|dragon) == 0",
            "all-tiles(dragon) and not has(dragon)",
        ] {
            assert!(holds(text), "{text}");
        }
        for text in [
            "not winner",
            "winning-tile in dragon except C",
            "three < 3",
            "way is discard",
        ] {
            assert!(!holds(text), "{text}");
        }
    }

    #[test]
    fn faults_tell_what_and_where() {
        let fault = |text| condition(text, Scope::Hand, &Some3).unwrap_err();
        let say = |text| fault(text).to_string();
        assert_eq!(
            say("melds(pung, drgaon) == 1"),
            "no class `drgaon`; did you mean `dragon`?"
        );
        assert_eq!(fault("melds(pung, drgaon) == 1").at(), 12);
        assert_eq!(say("winer"), "no fact `winer`");
        assert_eq!(say("suits"), "expected true or false, `suits` is a number");
        assert_eq!(
            say("winner and suits"),
            "expected true or false, `suits` is a number"
        );
        assert_eq!(
            say("winner == 1"),
            "expected true or false, `1` is a number"
        );
        assert_eq!(
            say("winner < winner"),
            "expected a number, `winner` is true or false"
        );
        assert_eq!(
            say("winner and"),
            "expected a name or a number, found the end"
        );
        assert_eq!(say("(winner"), "expected `)`, found the end");
        assert_eq!(
            say("winner $"),
            "expected a name, a number or an operator, found `$`"
        );
        assert_eq!(say("draws-left == 0"), "`draws-left` is not known here");
        assert_eq!(say("melds(run, any)"), "no family `run`");
        assert!(matches!(
            condition(&"(".repeat(100_000), Scope::Hand, &Some3),
            Err(ConditionError::TooDeep { .. })
        ));
        let scope = |text, scope| condition(text, scope, &Some3);
        assert!(scope("discards == 0", Scope::Table).is_ok());
        assert!(scope("closed", Scope::Circumstances).is_err());
        assert!(scope("winner", Scope::Options).is_err());
        assert!(scope("three == 3", Scope::Options).is_ok());
        assert!(count("suits + 1", Scope::Hand, &Some3).is_ok());
    }

    #[test]
    fn every_fact_of_the_docs_compiles() {
        for fact in facts::FACTS {
            let usage = fact
                .usage
                .replace("(FAMILIES, CLASS, open|concealed)", "(pung, dragon, open)")
                .replace("CLASS", "dragon")
                .replace("WAY", "wall")
                .replace("SEAT", "E")
                .replace("FAMILY", "pung")
                .replace("PLACE", "low")
                .replace("FORM", "standard");
            let kind = match fact.kind {
                "int" => count(&usage, fact.scope, &Some3).map(|_| ()),
                _ => condition(&usage, fact.scope, &Some3).map(|_| ()),
            };
            assert_eq!(kind, Ok(()), "{usage}");
        }
    }
}
