//! Tokens, and a recursive-descent parser that checks types on the way.

use super::expr::{
    Comparison, ConditionError, Constant, Expr, Named, Names, Operation, Result, Table,
};
use super::groups::{
    self, Combination, Letters, MOST_COMBINED, MOST_GROUPS, RANKS, RankTerm, Wanted,
};
use super::rewrites::{Rewrites, Span};
use super::tokens::{Token, tokens};
use crate::decimal::Decimal;
use crate::decompose::FormSuit;
use crate::meld::Family;
use crate::notation::Notation;
use crate::score::facts::{
    self, Argument, BonusClass, BonusPart, Class, ClassPart, CountedFrom, EventFact, Fact, FactDoc,
    FactType, FamilySet, Form, Given, Means, Scope, Shape, Step, SumFact,
};
use crate::score::reading::WinningPlace;
use crate::seat::Seat;
use crate::set::{FlowerSet, KindSet};
use crate::state::{DrawSource, KongWay, Way};
use crate::text::{MOST_LISTED, nearest};
use crate::tile::Wind;
use smallvec::SmallVec;

/// Converts a whole number beside a decimal one into tenths. Facts are converted only in formulas: payments, and sums of
/// patterns.
fn lift(scope: Scope, one: (&mut Expr, &mut FactType), other: (&mut Expr, &mut FactType)) {
    let (whole, is) = match (*one.1, *other.1) {
        (FactType::Int, FactType::Decimal) => one,
        (FactType::Decimal, FactType::Int) => other,
        _ => return,
    };
    if matches!(scope, Scope::Payment | Scope::Sums) {
        let number = std::mem::replace(whole, Expr::Constant(10));
        *whole = Expr::operation(Operation::Times, vec![number, Expr::Constant(10)]);
        *is = FactType::Decimal;
    } else if in_tenths(whole) {
        *is = FactType::Decimal;
    }
}

/// Converts the numbers of an expression into tenths. Returns false if the expression is more than numbers.
fn in_tenths(expr: &mut Expr) -> bool {
    match expr {
        Expr::Constant(number) => {
            *number = number.saturating_mul(10);
            true
        }
        Expr::Plus(sides) | Expr::Minus(sides) => sides.iter_mut().all(in_tenths),
        _ => false,
    }
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    depth: usize,
    /// The size of the expressions substituted for names and letters so far.
    put_in: usize,
    scope: Scope,
    names: &'a dyn Names,
    /// Parts of the text with options resolved, if these are wanted.
    pub(super) rewrites: Option<Rewrites>,
}

const MAX_DEPTH: usize = 40;
/// The most facts, numbers and operators that names and letters of one condition stand for.
const MAX_SIZE: usize = 2000;

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, scope: Scope, names: &'a dyn Names) -> Result<Self> {
        Ok(Self {
            text,
            tokens: tokens(text)?,
            next: 0,
            depth: 0,
            put_in: 0,
            scope,
            names,
            rewrites: None,
        })
    }

    pub(super) const fn names(&self) -> &'a dyn Names {
        self.names
    }

    /// The digits of the next token, which is a number.
    pub(super) fn number_text(&self) -> &'a str {
        let rest = &self.text[self.peek().0..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        &rest[..digits]
    }

    pub(super) fn peek(&self) -> (usize, Token<'a>) {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn take(&mut self) -> (usize, Token<'a>) {
        let token = self.peek();
        self.next += 1;
        token
    }

    pub(super) fn accept(&mut self, wanted: Token<'_>) -> bool {
        let found = self.peek().1 == wanted;
        self.next += usize::from(found);
        found
    }

    pub(super) fn fail<T>(&self, expected: &'static str) -> Result<T> {
        let (at, token) = self.peek();
        Err(ConditionError::Expected {
            at,
            expected,
            found: match token {
                Token::Word(word) => format!("`{word}`"),
                Token::Number(number) => format!("`{number}`"),
                Token::Decimal(tenths) => format!("`{}`", Decimal::from_tenths(i64::from(tenths))),
                Token::Sign(sign) => format!("`{sign}`"),
                Token::End => "the end".to_owned(),
            },
        })
    }

    pub(super) fn end(&self) -> Result<()> {
        match self.peek().1 {
            Token::End => Ok(()),
            _ => self.fail("the end"),
        }
    }

    pub(super) fn demand(
        &self,
        at: usize,
        want: FactType,
        is: FactType,
        found: &str,
    ) -> Result<()> {
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

    pub(super) fn unknown<T>(&self, at: usize, what: &'static str, name: &str) -> Result<T> {
        // A digit begins tiles.
        let is_tiles = name.starts_with(|first: char| first.is_ascii_digit());
        if matches!(what, "class" | "bonus tile") && is_tiles {
            return Err(ConditionError::Expected {
                at,
                expected: "a class or tiles (suits are `t`, `s` and `m`)",
                found: format!("`{name}`"),
            });
        }
        // The words of the language itself are the same in every file.
        let words: Vec<&str> = match what {
            "way" => Way::WORDS.map(|(word, _)| word).into(),
            "place" => WinningPlace::WORDS.map(|(word, _)| word).into(),
            "kong" => KongWay::WORDS.map(|(word, _)| word).into(),
            "word" => CountedFrom::WORDS.map(|(word, _)| word).into(),
            _ => self.names.known(what),
        };
        let also = ALSO_CALLED.iter().find(|(other, _)| *other == name);
        let suggestion = match also.filter(|_| what == "family") {
            Some((_, family)) => Some(family.word().to_owned()),
            None => nearest(name, words.iter().copied()),
        };
        unknown_among(at, what, name, suggestion, words)
    }

    pub(super) fn or(&mut self) -> Result<(Expr, FactType)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ConditionError::TooDeep { at: self.peek().0 });
        }
        let joined = self.joined("or", Self::and, Expr::Any)?;
        self.depth -= 1;
        Ok(joined)
    }

    fn and(&mut self) -> Result<(Expr, FactType)> {
        self.joined("and", Self::not, Expr::All)
    }

    fn joined(
        &mut self,
        word: &'static str,
        part: fn(&mut Self) -> Result<(Expr, FactType)>,
        join: fn(Vec<Expr>) -> Expr,
    ) -> Result<(Expr, FactType)> {
        let start = self.peek().0;
        let first = part(self)?;
        if self.peek().1 != Token::Word(word) {
            return Ok(first);
        }
        self.demand(start, FactType::Bool, first.1, self.source(start))?;
        let mut spans: SmallVec<[Span; 8]> = SmallVec::new();
        spans.push(self.span(start, &first.0));
        let mut parts = vec![first.0];
        while self.accept(Token::Word(word)) {
            let start = self.peek().0;
            let (expr, is) = part(self)?;
            self.demand(start, FactType::Bool, is, self.source(start))?;
            spans.push(self.span(start, &expr));
            parts.push(expr);
        }
        self.put_joined(word, &spans);
        Ok((join(parts), FactType::Bool))
    }

    /// The text from a place to the next token.
    pub(super) fn source(&self, start: usize) -> &'a str {
        self.text[start..self.peek().0].trim_end()
    }

    fn not(&mut self) -> Result<(Expr, FactType)> {
        let mut negations = 0;
        let whole = self.peek().0;
        while self.accept(Token::Word("not")) {
            negations += 1;
        }
        let start = self.peek().0;
        let (expr, is) = self.test()?;
        if negations == 0 {
            return Ok((expr, is));
        }
        self.demand(start, FactType::Bool, is, self.source(start))?;
        let expr = if negations % 2 == 1 {
            Expr::Not(Box::new(expr))
        } else {
            expr
        };
        self.put_folded(whole, &expr, FactType::Bool);
        Ok((expr, FactType::Bool))
    }

    fn test(&mut self) -> Result<(Expr, FactType)> {
        let start = self.peek().0;
        let (mut left, mut is) = self.sum()?;
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
        if ordered && is != FactType::Decimal {
            self.demand(start, FactType::Int, is, left_text)?;
        }
        let right_start = self.peek().0;
        let (mut right, mut right_is) = self.sum()?;
        lift(
            self.scope,
            (&mut left, &mut is),
            (&mut right, &mut right_is),
        );
        self.demand(right_start, is, right_is, self.source(right_start))?;
        let expr = Expr::compare(comparison, left, right);
        self.put_folded(start, &expr, FactType::Bool);
        Ok((expr, FactType::Bool))
    }

    fn sum(&mut self) -> Result<(Expr, FactType)> {
        let start = self.peek().0;
        let (mut expr, mut is) = self.product()?;
        loop {
            let plus = match self.peek().1 {
                Token::Sign("+") => true,
                Token::Sign("-") => false,
                _ => return Ok((expr, is)),
            };
            if is != FactType::Decimal {
                self.demand(start, FactType::Int, is, self.source(start))?;
            }
            let left = self.span(start, &expr);
            self.next += 1;
            let right_start = self.peek().0;
            let (mut right, mut right_is) = self.product()?;
            let of_right = self.span(right_start, &right);
            lift(
                self.scope,
                (&mut expr, &mut is),
                (&mut right, &mut right_is),
            );
            self.demand(right_start, is, right_is, self.source(right_start))?;
            let sides = Box::new([expr, right]);
            expr = if plus {
                Expr::Plus(sides)
            } else {
                Expr::Minus(sides)
            };
            self.put_neutral(if plus { "+" } else { "-" }, left, of_right);
            self.put_folded(start, &expr, is);
        }
    }

    fn product(&mut self) -> Result<(Expr, FactType)> {
        let start = self.peek().0;
        let (mut expr, mut is) = self.term()?;
        loop {
            let operation = match self.peek().1 {
                Token::Sign("*") => Operation::Times,
                Token::Sign("/") => Operation::Over,
                _ => return Ok((expr, is)),
            };
            if is != FactType::Decimal {
                self.demand(start, FactType::Int, is, self.source(start))?;
            }
            let left = self.span(start, &expr).0;
            let left = (left, expr.value(&|_| None).filter(|_| is == FactType::Int));
            self.next += 1;
            let right_start = self.peek().0;
            let (right, right_is) = self.term()?;
            let of_right = self.span(right_start, &right).0;
            let of_right = (
                of_right,
                right.value(&|_| None).filter(|_| right_is == FactType::Int),
            );
            // Tenths times a whole number are tenths.
            let of_tenths = match (operation, is, right_is) {
                (Operation::Times, FactType::Int, FactType::Decimal) => FactType::Decimal,
                _ => {
                    let found = self.source(right_start);
                    self.demand(right_start, FactType::Int, right_is, found)?;
                    is
                }
            };
            if operation == Operation::Over {
                let found = self.source(right_start);
                self.check_divisor(right_start, found, &right)?;
            }
            expr = Expr::operation(operation, vec![expr, right]);
            is = of_tenths;
            let sign = if operation == Operation::Times {
                "*"
            } else {
                "/"
            };
            self.put_neutral(sign, left, of_right);
            self.put_folded(start, &expr, is);
        }
    }

    /// Refuses a divisor that may be less than 1.
    fn check_divisor(&self, at: usize, text: &str, divisor: &Expr) -> Result<()> {
        match divisor.range(&Fact::range) {
            (1.., _) => Ok(()),
            _ => Err(ConditionError::Divisor {
                at,
                found: text.to_owned(),
            }),
        }
    }

    /// True where sums of patterns are known.
    const fn knows_sums(&self) -> bool {
        matches!(self.scope, Scope::Sums | Scope::Result | Scope::Payment)
    }

    /// A sum of the patterns, if the name is one.
    fn sum_of_patterns(&self, at: usize, name: &str) -> Option<Result<(Expr, FactType)>> {
        if name == "limit" && self.scope == Scope::Sums {
            let limit = self
                .names
                .limit()
                .and_then(|limit| i32::try_from(limit).ok());
            return Some(match limit {
                Some(limit) => Ok((Expr::Constant(limit), FactType::Int)),
                None => self.unknown(at, "`limit` in [score], so no name", name),
            });
        }
        let (fact, is) = self.names.sum(name)?;
        let is_worth = fact == SumFact::Worth;
        match (self.scope, is_worth) {
            (Scope::Sums, _) => Some(Ok((Expr::Fact(Fact::Sum(fact)), is))),
            (Scope::Result | Scope::Payment, false) => {
                Some(Ok((Expr::Fact(Fact::Sum(fact)), FactType::Decimal)))
            }
            (Scope::Options, _) => None,
            _ if self.names.option(name).is_some() => None,
            _ => Some(Err(ConditionError::Scope {
                at,
                name: name.to_owned(),
                known: Scope::Sums.about(),
                within: None,
            })),
        }
    }

    /// Reads `table(ID, index)`, or `place(ID, number)`: the first index whose number is as great.
    fn table(&mut self, is_place: bool) -> Result<(Expr, FactType)> {
        self.open()?;
        let (at, Token::Word(name)) = self.take() else {
            self.next -= 1;
            return self.fail("the name of a table");
        };
        let Some(numbers) = self.names.table(name).cloned() else {
            return self.unknown(at, "table", name);
        };
        if !self.accept(Token::Sign(",")) {
            return self.fail("`,`");
        }
        let start = self.peek().0;
        let (index, is) = self.or()?;
        let by_tenths = is == FactType::Decimal;
        if !by_tenths {
            self.demand(start, FactType::Int, is, self.source(start))?;
        }
        let table = Table { numbers, by_tenths };
        let expr = match (is_place, index) {
            (true, Expr::Constant(number)) => {
                let number = i64::from(number);
                let least = if by_tenths {
                    number.div_euclid(10)
                } else {
                    number
                };
                Expr::Constant(i32::try_from(table.place_of(least)).unwrap_or(i32::MAX))
            }
            (true, _) => {
                self.next -= 1;
                return self.fail("a number that options decide");
            }
            (false, index) => {
                let of_table = Expr::Table(table, Box::new(index));
                match of_table.value(&|_| None).map(i32::try_from) {
                    Some(Ok(value)) => Expr::Constant(value),
                    _ => of_table,
                }
            }
        };
        self.close()?;
        Ok((expr, FactType::Int))
    }

    /// Reads the condition of which the seats are counted that meet it.
    fn seats(&mut self) -> Result<(Expr, FactType)> {
        self.open()?;
        let start = self.peek().0;
        let (expr, is) = self.or()?;
        self.demand(start, FactType::Bool, is, self.source(start))?;
        if expr.any_part(&|part| matches!(part, Expr::Seats(_))) {
            return self.fail("a condition without `seats` within `seats`");
        }
        self.close()?;
        // An option may rule it out.
        let count = match expr.value(&|_| None) {
            Some(0) => Expr::Constant(0),
            _ => Expr::Seats(Box::new(expr)),
        };
        Ok((count, FactType::Int))
    }

    /// Reads the arguments of a function.
    fn function(&mut self, at: usize, operation: Operation) -> Result<(Expr, FactType)> {
        let before = self.next - 1;
        self.open()?;
        let mut parts: Vec<(usize, &str, Expr, FactType)> = Vec::new();
        let mut spans: SmallVec<[Span; 8]> = SmallVec::new();
        loop {
            let start = self.peek().0;
            let (expr, is) = self.or()?;
            spans.push(self.span(start, &expr));
            parts.push((start, self.source(start), expr, is));
            if !self.accept(Token::Sign(",")) {
                break;
            }
        }
        let fits = match operation {
            Operation::Pow2 => parts.len() == 1,
            Operation::If => parts.len() == 3,
            Operation::Min | Operation::Max => parts.len() >= 2,
            _ => parts.len() == 2,
        };
        match (fits, operation) {
            (true, _) => self.close()?,
            (_, Operation::Pow2) => return self.fail("one number in `pow2`"),
            (_, Operation::If) => return self.fail("a condition and two numbers in `if`"),
            (_, Operation::Min | Operation::Max) => return self.fail("at least two numbers"),
            _ => return self.fail("two numbers"),
        }
        let is_condition = |place: usize| operation == Operation::If && place == 0;
        let decimal = parts
            .iter()
            .enumerate()
            .any(|(place, part)| !is_condition(place) && part.3 == FactType::Decimal);
        let is_bool =
            operation == Operation::If && parts[1..].iter().all(|part| part.3 == FactType::Bool);
        let is = match decimal && operation != Operation::Pow2 {
            _ if is_bool => FactType::Bool,
            true => FactType::Decimal,
            false => FactType::Int,
        };
        let mut numbers = Vec::new();
        for (place, (at, text, mut expr, mut found)) in parts.into_iter().enumerate() {
            if is_condition(place) {
                self.demand(at, FactType::Bool, found, text)?;
            } else {
                let mut other = (Expr::Constant(0), is);
                lift(
                    self.scope,
                    (&mut expr, &mut found),
                    (&mut other.0, &mut other.1),
                );
                self.demand(at, is, found, text)?;
            }
            if place == 1 && matches!(operation, Operation::RoundUp | Operation::RoundDown) {
                self.check_divisor(at, text, &expr)?;
            }
            numbers.push(expr);
        }
        let expr = Expr::operation(operation, numbers);
        if operation == Operation::If {
            self.put_branch(at, before, &spans);
        }
        self.put_folded(at, &expr, is);
        Ok((expr, is))
    }

    fn term(&mut self) -> Result<(Expr, FactType)> {
        match self.take() {
            (_, Token::Number(number)) => Ok((Expr::Constant(number), FactType::Int)),
            (_, Token::Decimal(tenths)) => Ok((Expr::Constant(tenths), FactType::Decimal)),
            (at, Token::Sign("(")) => {
                let start = self.peek().0;
                let inner = self.or()?;
                let span = self.span(start, &inner.0);
                if self.accept(Token::Sign(")")) {
                    self.put_inner(at, span);
                    Ok(inner)
                } else {
                    self.fail("`)`")
                }
            }
            (at, Token::Word(name)) => {
                let found = self.name(at, name)?;
                let is_option = name == "option" || self.names.option(name).is_some();
                if is_option || self.names.condition(name).is_some() {
                    self.put_value(at, &found);
                }
                Ok(found)
            }
            _ => {
                self.next -= 1;
                self.fail("a name or a number")
            }
        }
    }

    fn name(&mut self, at: usize, name: &'a str) -> Result<(Expr, FactType)> {
        if name == "option" {
            return self.named_option();
        }
        if self.peek().1 == Token::Sign("(") {
            if let Some(operation) = known(&Operation::FUNCTIONS, name) {
                return self.function(at, operation);
            }
            if name == "seats" && self.scope == Scope::Payment {
                return self.seats();
            }
            if matches!(name, "table" | "place") && self.knows_sums() {
                let found = self.table(name == "place")?;
                self.put_folded(at, &found.0, found.1);
                return Ok(found);
            }
        }
        if let Some(sum) = self.sum_of_patterns(at, name) {
            return sum;
        }
        let option = self.names.option(name);
        if let (Scope::Options, Some(constant)) = (self.scope, &option) {
            return self.option(at, constant.clone());
        }
        // Facts about results and payments are known in their own scopes alone. Elsewhere flags, options and named
        // conditions may have their names.
        let is_known_here = |doc: &&'static FactDoc| {
            // The counters are told with the hand.
            let is_told = |fact: fn(&Given) -> Fact| {
                fact(&Given::NOTHING) == Fact::Event(EventFact::Counters)
            };
            let is_counters = matches!(doc.means, Means::Fact(fact) if is_told(fact));
            self.scope.knows(doc.scope) || self.scope == Scope::Sums && is_counters
        };
        let is_known = |doc: &&'static FactDoc| doc.scope < Scope::Sums || is_known_here(doc);
        let Some(doc) = facts::by_name(name).filter(is_known) else {
            return match self.names.flag(name) {
                Some(_) if self.scope == Scope::Options || self.scope == Scope::Table => {
                    self.out_of_scope(at, name)
                }
                Some(flag) => Ok((Expr::Fact(Fact::Flag(flag)), FactType::Bool)),
                None => match (option, self.names.condition(name)) {
                    (Some(constant), _) => self.option(at, constant),
                    (None, Some(named)) => self.named_condition(at, name, named),
                    (None, None) if facts::by_name(name).is_some() => self.out_of_scope(at, name),
                    (None, None) => self.unknown(at, "fact", name),
                },
            };
        };
        if !is_known_here(&doc) {
            return self.out_of_scope(at, name);
        }
        match doc.means {
            Means::Fact(fact) => self.fact(doc, fact),
            Means::Groups => self.has_groups(at),
            Means::Players => {
                let Some(players) = self.names.players() else {
                    return self.out_of_scope(at, name);
                };
                let found = (Expr::Constant(players as i32), doc.value);
                self.put_value(at, &found);
                Ok(found)
            }
        }
    }

    /// Reads the arguments of a fact.
    fn fact(&mut self, doc: &FactDoc, fact: fn(&Given) -> Fact) -> Result<(Expr, FactType)> {
        let mut given = Given::NOTHING;
        let mut negated = false;
        match doc.form {
            Form::Alone => {}
            Form::Of => {
                self.open()?;
                for (place, &argument) in doc.arguments.iter().enumerate() {
                    let is_there = place == 0 || self.accept(Token::Sign(","));
                    match (is_there, argument) {
                        (true, _) => self.argument(argument, &mut given)?,
                        (false, Argument::Side | Argument::Laid | Argument::Counted) => {}
                        (false, _) => return self.fail("`,`"),
                    }
                }
                self.close()?;
            }
            Form::Is if !self.accept(Token::Word("is")) => return self.fail("`is`"),
            Form::In if !self.accept(Token::Word("in")) && !self.accept(Token::Word("is")) => {
                return self.fail("`in`");
            }
            Form::Is | Form::In => {
                negated = doc.form == Form::Is && self.accept(Token::Word("not"));
                for &argument in doc.arguments {
                    self.argument(argument, &mut given)?;
                }
            }
        }
        let expr = Expr::Fact(fact(&given));
        Ok(match negated {
            true => (Expr::Not(Box::new(expr)), doc.value),
            false => (expr, doc.value),
        })
    }

    fn argument(&mut self, argument: Argument, given: &mut Given) -> Result<()> {
        match argument {
            Argument::Class => given.class = self.class()?,
            Argument::Families => given.families = self.families()?,
            Argument::Side => given.open = Some(self.side()?),
            Argument::Copies => given.copies = self.copies()?,
            Argument::Bonus => given.bonus = self.bonus()?,
            Argument::Laid => {
                given.laid = self.word("word", |_, word| (word == "laid").then_some(true))?;
            }
            Argument::Replaced => {
                given.replaced = self.word("row of [aside]", |parser, word| match word {
                    "kong" => Some(DrawSource::Kong),
                    word => parser.names.aside(word).map(DrawSource::Aside),
                })?;
            }
            Argument::Way => {
                given.way = self.word("way", |_, word| known(&Way::WORDS, word))?;
            }
            Argument::Seat => {
                given.seat = self.word("seat", |_, word| {
                    letter_of(word).and_then(Seat::from_letter)
                })?;
            }
            Argument::Wind => {
                given.wind = self.word("wind", |_, word| {
                    letter_of(word).and_then(Wind::from_letter)
                })?;
            }
            Argument::Family => given.family = self.word("family", Self::family_of)?,
            Argument::Place => {
                given.place = self.word("place", |_, word| known(&WinningPlace::WORDS, word))?;
            }
            Argument::Shape => {
                given.shape = self.word("form", |parser, word| match word {
                    "standard" => Some(Shape(0)),
                    word => parser.names.form(word).map(Shape),
                })?;
            }
            Argument::Kong => {
                given.made = self.word("kong", |_, word| known(&KongWay::WORDS, word))?;
            }
            Argument::Turned => {
                given.turned =
                    self.word("row of [turned]", |parser, word| parser.names.turned(word))?;
            }
            Argument::Counted => {
                given.counted = self.word("word", |_, word| known(&CountedFrom::WORDS, word))?;
            }
            Argument::Step => {
                given.step = self.word("step of [opening]", |parser, word| {
                    parser.names.step(word).map(Step)
                })?;
            }
            // Groups are expanded into a condition, see `has_groups`.
            Argument::Groups => {}
        }
        Ok(())
    }

    fn out_of_scope<T>(&self, at: usize, name: &str) -> Result<T> {
        // Flags belong to a win.
        let scope = facts::by_name(name).map_or(Scope::Circumstances, |doc| doc.scope);
        Err(ConditionError::Scope {
            at,
            name: name.to_owned(),
            known: scope.about(),
            within: None,
        })
    }

    /// Substitutes the expression of a name of `[conditions]`.
    fn named_condition(
        &mut self,
        at: usize,
        name: &str,
        named: &Named,
    ) -> Result<(Expr, FactType)> {
        let found = named.of.iter().find(|(scope, _)| *scope == self.scope);
        match found.map(|(_, found)| found) {
            Some(Ok((expr, is))) => Ok((self.put_in(at, expr.clone())?, *is)),
            Some(Err(ConditionError::Scope {
                name: fact, known, ..
            })) => Err(ConditionError::Scope {
                at,
                name: fact.clone(),
                known,
                within: Some(name.to_owned()),
            }),
            _ => self.out_of_scope(at, name),
        }
    }

    /// Counts the size of a substituted expression, because a short text can stand for a very long one.
    fn put_in(&mut self, at: usize, expr: Expr) -> Result<Expr> {
        self.put_in += expr.size();
        match self.put_in > MAX_SIZE {
            true => Err(ConditionError::TooDeep { at }),
            false => Ok(expr),
        }
    }

    /// Parses `option(name)`, which is needed for an option with the name of a fact or a flag.
    fn named_option(&mut self) -> Result<(Expr, FactType)> {
        self.open()?;
        let (at, Token::Word(name)) = self.take() else {
            self.next -= 1;
            return self.fail("the name of an option");
        };
        self.close()?;
        match self.names.option(name) {
            Some(constant) => self.option(at, constant),
            None => self.unknown(at, "option", name),
        }
    }

    /// An option: true or false, a number, or a word that must be compared at once.
    fn option(&mut self, at: usize, constant: Constant) -> Result<(Expr, FactType)> {
        match constant {
            Constant::Bool(value) => Ok((Expr::Constant(i32::from(value)), FactType::Bool)),
            Constant::Int(value) => {
                let clamped = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
                Ok((Expr::Constant(clamped as i32), FactType::Int))
            }
            Constant::Decimal(value) => {
                let most = (i64::from(i32::MIN), i64::from(i32::MAX));
                let tenths = value.tenths().clamp(most.0, most.1);
                Ok((Expr::Constant(tenths as i32), FactType::Decimal))
            }
            Constant::List => Err(ConditionError::Type {
                at,
                expected: "an option that is true, false, a number or a word",
                found: self.source(at).to_owned(),
                is: "a list",
            }),
            Constant::Word(value, words) => {
                if !self.accept(Token::Word("is")) {
                    return self.fail("`is`");
                }
                let negated = self.accept(Token::Word("not"));
                let (at, Token::Word(word)) = self.take() else {
                    self.next -= 1;
                    return self.fail("a word");
                };
                if !words.iter().any(|known| known == word) {
                    let near = nearest(word, words.iter().map(String::as_str));
                    let words = words.iter().map(String::as_str).collect();
                    return unknown_among(at, "word of this option", word, near, words);
                }
                let holds = (word == value) != negated;
                Ok((Expr::Constant(i32::from(holds)), FactType::Bool))
            }
        }
    }

    /// Reads one word of a kind. `find` returns its meaning.
    fn word<T>(
        &mut self,
        what: &'static str,
        find: impl Fn(&Self, &str) -> Option<T>,
    ) -> Result<T> {
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
        find(self, word).map_or_else(|| self.unknown(at, what, word), Ok)
    }

    pub(super) fn open(&mut self) -> Result<()> {
        if self.accept(Token::Sign("(")) {
            Ok(())
        } else {
            self.fail("`(`")
        }
    }

    pub(super) fn close(&mut self) -> Result<()> {
        if self.accept(Token::Sign(")")) {
            Ok(())
        } else {
            self.fail("`)`")
        }
    }

    /// Reads a class of bonus tiles.
    fn bonus(&mut self) -> Result<BonusClass> {
        let include = self.bonus_part()?;
        let exclude = match self.accept(Token::Word("except")) {
            true => self.bonus_part()?,
            false => BonusPart::NOTHING,
        };
        Ok(BonusClass { include, exclude })
    }

    fn bonus_part(&mut self) -> Result<BonusPart> {
        let mut part = BonusPart::NOTHING;
        loop {
            let (at, token) = self.take();
            let Token::Word(word) = token else {
                self.next -= 1;
                return self.fail("a class of bonus tiles");
            };
            match word {
                "any" => (part.flowers, part.kinds) = (FlowerSet::ALL, KindSet::ALL),
                "flower" => part.flowers = FlowerSet::ALL,
                "own-flower" => part.of_seat = true,
                word => match self.names.class(word) {
                    Some(kinds) => part.kinds = part.kinds.union(kinds),
                    None => {
                        let Ok(tiles) = Notation::Ujmj.parse(word) else {
                            return self.unknown(at, "bonus tile", word);
                        };
                        for tile in tiles {
                            match (tile.as_flower(), tile.kind()) {
                                (Some(flower), _) => part.flowers.insert(flower),
                                (None, Some(kind)) => part.kinds.insert(kind),
                                (None, None) => {}
                            }
                        }
                    }
                },
            }
            if !self.accept(Token::Sign("|")) {
                return Ok(part);
            }
        }
    }

    fn copies(&mut self) -> Result<u8> {
        match self.take().1 {
            Token::Number(number @ 1..=8) => Ok(number as u8),
            _ => {
                self.next -= 1;
                self.fail("a number of tiles from 1 to 8")
            }
        }
    }

    fn families(&mut self) -> Result<FamilySet> {
        let mut families = FamilySet::default();
        loop {
            match self.peek().1 {
                Token::Word("any") => {
                    self.take();
                    families = FamilySet::ALL;
                }
                Token::Word(_) => families.insert(self.word("family", Self::family_of)?),
                _ => return self.fail("a family"),
            }
            if !self.accept(Token::Sign("|")) {
                return Ok(families);
            }
        }
    }

    /// True for `open`, false for `concealed`.
    fn side(&mut self) -> Result<bool> {
        match self.take().1 {
            Token::Word("open") => Ok(true),
            Token::Word("concealed") => Ok(false),
            _ => {
                self.next -= 1;
                self.fail("`open` or `concealed`")
            }
        }
    }

    /// Reads a list of groups in parentheses, and expands its letters.
    fn has_groups(&mut self, at: usize) -> Result<(Expr, FactType)> {
        self.open()?;
        let alternatives = self.groups(at)?;
        self.close()?;
        Ok((
            self.put_in(at, groups::any_of(&alternatives))?,
            FactType::Bool,
        ))
    }

    /// Reads a list of groups that are combined. The condition holds for a hand that has them.
    pub(super) fn combinations(&mut self) -> Result<(Vec<Combination>, Expr)> {
        let alternatives = self.groups(0)?;
        let expr = groups::any_of(&alternatives);
        let Some(set) = self.names.set() else {
            return self.out_of_scope(0, "combines");
        };
        let combinations = groups::combinations(&alternatives, set);
        match combinations.iter().any(|one| one.len() > MOST_COMBINED) {
            true => self.fail("four groups at most to combine"),
            false => Ok((combinations, self.put_in(0, expr)?)),
        }
    }

    /// Reads a list of groups. Returns the groups for every substitution of ranks and suits.
    fn groups(&mut self, at: usize) -> Result<Vec<Vec<groups::Group>>> {
        let mut all: SmallVec<[Wanted; MOST_GROUPS]> = SmallVec::new();
        loop {
            if all.len() == MOST_GROUPS {
                return self.fail("at most seven groups");
            }
            all.push(self.wanted()?);
            if !self.accept(Token::Sign(",")) {
                break;
            }
        }
        let Some(set) = self.names.set() else {
            return self.out_of_scope(at, "has-groups");
        };
        let letters = Letters::of(&all, at)?;
        // A text that is read once more spends nothing.
        if self.rewrites.is_none() && !self.names.spend(letters.ways()) {
            return Err(ConditionError::TooManyLetters { at });
        }
        groups::expand(&all, &letters, set)
    }

    /// Reads `honour` and the letter of a suit. Returns the letter. A class may have the same name: no letter follows it.
    pub(super) fn honour(&mut self) -> Result<Option<char>> {
        if self.peek().1 != Token::Word("honour") {
            return Ok(None);
        }
        let at = self.peek().0;
        self.take();
        let Token::Word(word) = self.peek().1 else {
            self.next -= 1;
            return Ok(None);
        };
        let Some(letter) = letter(word) else {
            self.next -= 1;
            return Ok(None);
        };
        self.take();
        match self.names.honours() {
            [None, None, None] => Err(ConditionError::Expected {
                at,
                expected: "a suit with a key `honour` in [tiles.suits]",
                found: "none".to_owned(),
            }),
            _ => Ok(Some(letter)),
        }
    }

    /// Reads one group: families, one rank or three, and a suit, or the honour of a suit.
    fn wanted(&mut self) -> Result<Wanted> {
        let at = self.peek().0;
        let mut families = SmallVec::new();
        loop {
            if !matches!(self.peek().1, Token::Word(_)) {
                return self.fail("a family");
            }
            families.push(self.word("family", Self::family_of)?);
            if !self.accept(Token::Sign("|")) {
                break;
            }
        }
        if families.len() > 1 && families.iter().copied().any(Family::is_run) {
            return Err(ConditionError::Expected {
                at,
                expected: "one family of runs, or families of tiles alike",
                found: "both".to_owned(),
            });
        }
        let mut ranks = SmallVec::new();
        if let Some(letter) = self.honour()? {
            return Ok(Wanted {
                families,
                ranks,
                suit: FormSuit::of(letter),
                honours: Some(self.names.honours()),
                at,
            });
        }
        loop {
            match self.peek().1 {
                Token::Number(plus) => {
                    if plus >= RANKS {
                        return self.fail("a rank from 0 to 16");
                    }
                    self.take();
                    ranks.push(RankTerm { letter: None, plus });
                }
                Token::Word(word) => {
                    // The tokenizer reads `r-1` as one word.
                    if let Some((first, number)) = word.split_once('-')
                        && let (Some(letter), Ok(minus)) = (letter(first), number.parse::<u8>())
                    {
                        self.take();
                        ranks.push(RankTerm {
                            letter: Some(letter),
                            plus: -i32::from(minus),
                        });
                        continue;
                    }
                    let Some(letter) = letter(word) else {
                        return self.fail("a rank or a suit, a number or one letter");
                    };
                    self.take();
                    let plus = match self.peek().1 {
                        Token::Sign(sign @ ("+" | "-")) => {
                            self.take();
                            let Token::Number(number) = self.take().1 else {
                                self.next -= 1;
                                return self.fail("a number");
                            };
                            Some(if sign == "+" { number } else { -number })
                        }
                        _ => None,
                    };
                    let is_last = matches!(self.peek().1, Token::Sign("," | ")") | Token::End);
                    match (plus, is_last) {
                        (None, true) if matches!(ranks.len(), 1 | 3) => {
                            return Ok(Wanted {
                                families,
                                ranks,
                                suit: FormSuit::of(letter),
                                honours: None,
                                at,
                            });
                        }
                        (plus, _) => ranks.push(RankTerm {
                            letter: Some(letter),
                            plus: plus.unwrap_or(0),
                        }),
                    }
                }
                _ => return self.fail("one rank or three, and a suit"),
            }
            if ranks.len() > 3 {
                return self.fail("one rank or three, and a suit");
            }
        }
    }

    fn family_of(&self, word: &str) -> Option<Family> {
        use Family::{Arith, Gem, Kong, Pair, Power, Pung, Quint, Sextet};
        let all = [Pair, Pung, Kong, Arith, Gem, Power, Quint, Sextet];
        let found = all.into_iter().find(|family| family.word() == word);
        found.or_else(|| self.names.meld(word))
    }

    pub(super) fn class(&mut self) -> Result<Class> {
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

/// The error for an unknown name. Lists what exists if that is short and nothing is near.
fn unknown_among<T>(
    at: usize,
    what: &'static str,
    name: &str,
    suggestion: Option<String>,
    words: Vec<&str>,
) -> Result<T> {
    let near = suggestion.is_some();
    let all = words.into_iter().map(str::to_owned);
    let all: Vec<String> = if all.len() > MOST_LISTED {
        Vec::new()
    } else {
        all.collect()
    };
    Err(ConditionError::Unknown {
        at,
        what,
        name: name.to_owned(),
        near,
        known: suggestion.map_or(all, |near| vec![near]),
    })
}

/// Other words for families, for a hint.
const ALSO_CALLED: [(&str, Family); 7] = [
    ("chow", Family::Arith),
    ("run", Family::Arith),
    ("sequence", Family::Arith),
    ("straight", Family::Arith),
    ("triplet", Family::Pung),
    ("pon", Family::Pung),
    ("quad", Family::Kong),
];

/// The meaning of a word.
fn known<T: Copy>(words: &[(&str, T)], word: &str) -> Option<T> {
    let found = words.iter().find(|(known, _)| *known == word);
    found.map(|(_, what)| *what)
}

/// The letter that a word is, if it is one.
fn letter_of(word: &str) -> Option<char> {
    let mut letters = word.chars();
    let first = letters.next()?;
    letters.next().is_none().then_some(first)
}

/// The lower-case letter that a word is, if it is one.
pub(super) fn letter(word: &str) -> Option<char> {
    letter_of(word).filter(char::is_ascii_lowercase)
}
