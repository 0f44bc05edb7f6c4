//! Tokens, and a recursive-descent parser that checks types on the way.

use super::expr::{Comparison, ConditionError, Constant, Expr, Named, Names, Result, Type};
use super::groups::{
    self, Combination, Letters, MOST_COMBINED, MOST_GROUPS, RANKS, RankTerm, SuitTerm, Wanted,
    is_run,
};
use super::tokens::{Token, tokens};
use crate::decimal::Decimal;
use crate::meld::Family;
use crate::notation::Notation;
use crate::score::facts::{self, Class, ClassPart, Fact, FamilySet, ResultFact, Scope, Word};
use crate::score::reading::WinningPlace;
use crate::seat::Seat;
use crate::set::{FlowerSet, KindSet};
use crate::state::Way;
use crate::tile::Suit;
use smallvec::SmallVec;

/// Converts a whole number beside a decimal one into tenths.
fn lift(one: (&mut Expr, &mut Type), other: (&mut Expr, &mut Type)) {
    let (whole, is) = match (*one.1, *other.1) {
        (Type::Int, Type::Decimal) => one,
        (Type::Decimal, Type::Int) => other,
        _ => return,
    };
    if in_tenths(whole) {
        *is = Type::Decimal;
    }
}

/// Converts the numbers of an expression into tenths. Returns false if the expression is more than numbers.
fn in_tenths(expr: &mut Expr) -> bool {
    match expr {
        Expr::Constant(number) => {
            *number = number.saturating_mul(10);
            true
        }
        Expr::Plus(a, b) | Expr::Minus(a, b) => in_tenths(a) && in_tenths(b),
        _ => false,
    }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    depth: usize,
    /// The size of what names and letters stand for, so far.
    put_in: usize,
    scope: Scope,
    names: &'a dyn Names,
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

    pub(super) fn demand(&self, at: usize, want: Type, is: Type, found: &str) -> Result<()> {
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

    pub(super) fn or(&mut self) -> Result<(Expr, Type)> {
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

    /// The text from a place to the next token.
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
        if ordered && is != Type::Decimal {
            self.demand(start, Type::Int, is, left_text)?;
        }
        let right_start = self.peek().0;
        let (mut right, mut right_is) = self.sum()?;
        lift((&mut left, &mut is), (&mut right, &mut right_is));
        self.demand(right_start, is, right_is, self.source(right_start))?;
        let expr = Expr::Compare(comparison, Box::new(left), Box::new(right));
        Ok((expr, Type::Bool))
    }

    fn sum(&mut self) -> Result<(Expr, Type)> {
        let start = self.peek().0;
        let (mut expr, mut is) = self.term()?;
        loop {
            let plus = match self.peek().1 {
                Token::Sign("+") => true,
                Token::Sign("-") => false,
                _ => return Ok((expr, is)),
            };
            if is != Type::Decimal {
                self.demand(start, Type::Int, is, self.source(start))?;
            }
            self.next += 1;
            let right_start = self.peek().0;
            let (mut right, mut right_is) = self.term()?;
            lift((&mut expr, &mut is), (&mut right, &mut right_is));
            self.demand(right_start, is, right_is, self.source(right_start))?;
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
            (_, Token::Decimal(tenths)) => Ok((Expr::Constant(tenths), Type::Decimal)),
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
        // Facts about results are known in their own scope alone. Elsewhere flags and options may have their
        // names.
        let is_known =
            |doc: &&facts::FactDoc| (doc.scope == Scope::Result) <= (self.scope == Scope::Result);
        let Some(doc) = facts::by_name(name).filter(is_known) else {
            return match self.names.flag(name) {
                Some(_) if self.scope == Scope::Options || self.scope == Scope::Table => {
                    self.out_of_scope(at, name)
                }
                Some(flag) => bool(Fact::Flag(flag)),
                None => match (option, self.names.condition(name)) {
                    (Some(constant), _) => self.option(constant),
                    (None, Some(named)) => self.named_condition(at, name, named),
                    (None, None) => self.unknown(at, "fact", name),
                },
            };
        };
        if !self.scope.knows(doc.scope) {
            return self.out_of_scope(at, name);
        }
        match doc.word {
            Word::Winner => bool(Fact::Winner),
            Word::SelfDraw => bool(Fact::SelfDraw),
            Word::Dealer => bool(Fact::Seat(Seat::EAST)),
            Word::Closed => bool(Fact::Closed),
            Word::DeclaredMelds => int(Fact::DeclaredMelds),
            Word::Flowers => int(Fact::Flowers),
            Word::SeatFlowers => int(Fact::SeatFlowers),
            Word::Seasons => int(Fact::Seasons),
            Word::FlowersAmong => {
                let flowers = self.flowers()?;
                int(Fact::FlowersAmong(flowers))
            }
            Word::Suits => int(Fact::Suits),
            Word::Wilds => int(Fact::Wilds),
            Word::WaitsForAll => bool(Fact::WaitsForAll),
            Word::Waits => int(Fact::Waits),
            Word::ShapeWaits => int(Fact::ShapeWaits),
            Word::VisibleCopies => int(Fact::VisibleCopies),
            Word::DrawsLeft => int(Fact::DrawsLeft),
            Word::Discards => int(Fact::Discards),
            Word::Kongs => int(Fact::Kongs),
            Word::ReplacedKong => bool(Fact::ReplacedKong),
            Word::KongDiscard => bool(Fact::KongDiscard),
            Word::ReplacedFlower => bool(Fact::ReplacedFlower),
            Word::ReplacedSetAside => bool(Fact::ReplacedSetAside),
            Word::TilesSetAside => int(Fact::TilesSetAside),
            Word::RobbedConcealed => bool(Fact::RobbedConcealed),
            Word::Stands => bool(Fact::Stands),
            Word::InRiichi => bool(Fact::InRiichi),
            Word::RiichiAtOnce => bool(Fact::RiichiAtOnce),
            Word::RiichiUnbroken => bool(Fact::RiichiUnbroken),
            Word::HasDiscarded => bool(Fact::HasDiscarded),
            Word::Claims => int(Fact::Claims),
            Word::DealerWins => int(Fact::DealerWins),
            Word::WonOnFlower => bool(Fact::WonOnFlower),
            Word::KongsInRow => int(Fact::KongsInRow),
            Word::LaidFlowers => int(Fact::LaidFlowers),
            Word::SetAside => int(Fact::SetAside),
            Word::FlowerSets => int(Fact::FlowerSets),
            Word::BonusTiles => int(Fact::BonusTiles),
            Word::TwinMelds => int(Fact::TwinMelds),
            Word::SameStepAriths => int(Fact::SameStepAriths),
            Word::Dora => int(Fact::Dora),
            Word::UraDora => int(Fact::UraDora),
            Word::RedFives => int(Fact::RedFives),
            Word::WinningCopies => int(Fact::WinningCopies),
            Word::SameRunInSuits => int(Fact::SameRunInSuits),
            Word::SamePungInSuits => int(Fact::SamePungInSuits),
            Word::Result(ResultFact::Wins) => bool(Fact::Result(ResultFact::Wins)),
            Word::Result(fact) => Ok((Expr::Fact(Fact::Result(fact)), Type::Decimal)),
            Word::GroupsWith => {
                let class = self.one_class()?;
                int(Fact::GroupsWith(class))
            }
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
            Word::Kinds => {
                let class = self.one_class()?;
                int(Fact::Kinds(class))
            }
            Word::KindsHeld | Word::NaturalsHeld => {
                self.open()?;
                let (_, Token::Number(number @ 1..=8)) = self.take() else {
                    self.next -= 1;
                    return self.fail("a number of tiles from 1 to 8");
                };
                if !self.accept(Token::Sign(",")) {
                    return self.fail("`,`");
                }
                let class = self.class()?;
                self.close()?;
                let number = number as u8;
                int(match doc.word {
                    Word::NaturalsHeld => Fact::NaturalsHeld { number, class },
                    _ => Fact::KindsHeld { number, class },
                })
            }
            Word::Pairs => {
                let class = self.one_class()?;
                let families = [Family::Pair].into_iter().collect();
                int(Fact::Melds {
                    families,
                    class,
                    open: None,
                })
            }
            Word::HasGroups => self.has_groups(at),
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
        // Flags belong to a win.
        let scope = facts::by_name(name).map_or(Scope::Circumstances, |doc| doc.scope);
        Err(ConditionError::Scope {
            at,
            name: name.to_owned(),
            known: scope.about(),
            within: None,
        })
    }

    /// Puts in what a name of `[conditions]` stands for.
    fn named_condition(&mut self, at: usize, name: &str, named: &Named) -> Result<(Expr, Type)> {
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

    /// Counts what a name or letters stand for. A short text could stand for a very long one.
    fn put_in(&mut self, at: usize, expr: Expr) -> Result<Expr> {
        self.put_in += expr.size();
        match self.put_in > MAX_SIZE {
            true => Err(ConditionError::TooDeep { at }),
            false => Ok(expr),
        }
    }

    /// Parses `option(name)`, which is needed for an option with the name of a fact or a flag.
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

    /// An option: true or false, a number, or a word that must be compared at once.
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

    /// Letters of flowers in parentheses.
    fn flowers(&mut self) -> Result<FlowerSet> {
        self.open()?;
        let letters = match self.take().1 {
            Token::Word(letters) => Notation::Ujmj.parse(letters).unwrap_or_default(),
            _ => Vec::new(),
        };
        let flowers: Option<FlowerSet> = letters.iter().map(|tile| tile.as_flower()).collect();
        match flowers.filter(|flowers| !flowers.is_empty()) {
            Some(flowers) => {
                self.close()?;
                Ok(flowers)
            }
            None => {
                self.next -= 1;
                self.fail("letters of flowers")
            }
        }
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

    /// Reads a list of groups in parentheses, and puts in what its letters stand for.
    fn has_groups(&mut self, at: usize) -> Result<(Expr, Type)> {
        self.open()?;
        let alternatives = self.groups(at)?;
        self.close()?;
        Ok((self.put_in(at, groups::any_of(&alternatives))?, Type::Bool))
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

    /// Reads a list of groups: the groups that it stands for, in every way to put in ranks and suits.
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
        if !self.names.spend(letters.ways()) {
            return Err(ConditionError::TooManyLetters { at });
        }
        groups::expand(&all, &letters, set)
    }

    /// Reads one group: families, one rank or three, and a suit.
    fn wanted(&mut self) -> Result<Wanted> {
        let at = self.peek().0;
        let mut families = SmallVec::new();
        loop {
            let Token::Word(word) = self.peek().1 else {
                return self.fail("a family");
            };
            families.push(self.family(self.peek().0, word)?);
            self.take();
            if !self.accept(Token::Sign("|")) {
                break;
            }
        }
        if families.len() > 1 && families.iter().copied().any(is_run) {
            return Err(ConditionError::Expected {
                at,
                expected: "one family of runs, or families of tiles alike",
                found: "both".to_owned(),
            });
        }
        let mut ranks = SmallVec::new();
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
                    // `r-1` is one word for the reader of tokens.
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
                            let suit = Suit::ALL.into_iter().find(|suit| suit.letter() == letter);
                            let suit = suit.map_or(SuitTerm::Letter(letter), SuitTerm::Fixed);
                            return Ok(Wanted {
                                families,
                                ranks,
                                suit,
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
            None => match self.names.meld(word) {
                Some(family) => Ok(family),
                None => self.unknown(at, "family", word),
            },
        }
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

/// The letter that a word is, if it is one.
fn letter(word: &str) -> Option<char> {
    let mut letters = word.chars();
    let first = letters.next().filter(char::is_ascii_lowercase)?;
    letters.next().is_none().then_some(first)
}
