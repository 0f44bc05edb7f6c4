//! Conditions and formulas as text with options resolved: the text of the file, where options are values and what follows
//! from them is left out. Names, facts and groups stay as the file writes them.

use super::expr::{Expr, Names, Result};
use super::parse::Parser;
use super::rewrites::{Rewrites, Span};
use super::tokens::Token;
use crate::decimal::Decimal;
use crate::score::facts::{FactType, Scope};

/// The text of a condition or formula with options resolved. A condition that they decide is `true` or `false`.
pub(crate) fn resolved(text: &str, scope: Scope, names: &dyn Names) -> Result<String> {
    let mut parser = Parser::new(text, scope, names)?;
    parser.rewrites = Some(Rewrites::default());
    parser.or()?;
    parser.end()?;
    let rewrites = parser.rewrites.take().unwrap_or_default();
    let text = rewrites.between(text, (0, text.len()));
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl Parser<'_> {
    /// The part of the text from a place to the next token.
    pub(super) fn span(&self, start: usize, expr: &Expr) -> Span {
        match self.rewrites {
            Some(_) => {
                let end = start + self.source(start).len();
                ((start, end), expr.value(&|_| None))
            }
            None => ((start, start), None),
        }
    }

    /// True if options are asked for in a part of the text.
    fn asks_options(&self, at: (usize, usize)) -> bool {
        let rewrites = self.rewrites.as_ref();
        rewrites.is_some_and(|rewrites| rewrites.has_within(at))
    }

    fn rewrite(&mut self, at: (usize, usize), text: String) {
        if let Some(rewrites) = &mut self.rewrites {
            rewrites.set(at, text);
        }
    }

    fn rewritten(&self, at: (usize, usize)) -> String {
        let rewrites = self.rewrites.as_ref();
        rewrites.map_or_else(String::new, |rewrites| rewrites.between(self.text, at))
    }

    /// Writes the value of a name that is an option, or stands for options alone.
    pub(super) fn put_value(&mut self, start: usize, (expr, is): &(Expr, FactType)) {
        if let (at, Some(value)) = self.span(start, expr) {
            self.rewrite(at, written(value, *is));
        }
    }

    /// Writes the value of what options decide.
    pub(super) fn put_folded(&mut self, start: usize, expr: &Expr, is: FactType) {
        let (at, value) = self.span(start, expr);
        if let (true, Some(value)) = (self.asks_options(at), value) {
            self.rewrite(at, written(value, is));
        }
    }

    /// Leaves out the parts of an `and` or `or` that options decide.
    pub(super) fn put_joined(&mut self, word: &str, spans: &[Span]) {
        let (Some((first, _)), Some((last, _))) = (spans.first(), spans.last()) else {
            return;
        };
        let whole = (first.0, last.1);
        if !self.asks_options(whole) {
            return;
        }
        let decides = word == "or";
        let known = || spans.iter().filter_map(|(_, value)| *value);
        let left = spans.iter().filter(|(_, value)| value.is_none());
        let left: Vec<String> = left.map(|(at, _)| self.rewritten(*at)).collect();
        let text = match left.is_empty() || known().any(|value| (value != 0) == decides) {
            true if known().any(|value| (value != 0) == decides) => decides.to_string(),
            true => (!decides).to_string(),
            false => left.join(&format!(" {word} ")),
        };
        self.rewrite(whole, text);
    }

    /// Leaves out the side of a sum or product that options decide and that changes nothing.
    pub(super) fn put_neutral(&mut self, sign: &str, left: Span, right: Span) {
        let whole = (left.0.0, right.0.1);
        let neutral = match sign {
            "*" | "/" => 1,
            _ => 0,
        };
        let is_neutral = |side: Span| side.1 == Some(neutral) && self.asks_options(side.0);
        let kept = match sign {
            _ if is_neutral(right) => left,
            "*" | "+" if is_neutral(left) => right,
            _ => return,
        };
        let text = self.rewritten(kept.0);
        self.rewrite(whole, text);
    }

    /// Writes the branch of an `if` whose condition options decide.
    pub(super) fn put_branch(&mut self, start: usize, before: usize, parts: &[Span]) {
        let [(of_condition, Some(value)), then, otherwise] = parts else {
            return;
        };
        if !self.asks_options(*of_condition) {
            return;
        }
        let branch = if *value != 0 { then } else { otherwise };
        let text = self.rewritten(branch.0);
        // An operator beside it would take a part of a branch with operators of its own.
        let stands_alone = |token: Option<Token<'_>>| {
            matches!(
                token,
                None | Some(Token::End | Token::Sign("(" | ")" | ","))
            )
        };
        let (previous, next) = (
            before.checked_sub(1).map(|place| self.tokens[place].1),
            Some(self.peek().1),
        );
        let alone = stands_alone(previous) && stands_alone(next) || is_one(&text);
        let end = start + self.source(start).len();
        self.rewrite((start, end), if alone { text } else { format!("({text})") });
    }

    /// Leaves out parentheses around a single word or call.
    pub(super) fn put_inner(&mut self, start: usize, inner: Span) {
        let end = start + self.source(start).len();
        if self.asks_options(inner.0) {
            let text = self.rewritten(inner.0);
            if is_one(&text) {
                self.rewrite((start, end), text);
            }
        }
    }
}

/// True for one word, or one call without a space outside its parentheses.
fn is_one(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|letter| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth > 0 || !letter.is_whitespace()
    })
}

fn written(value: i64, is: FactType) -> String {
    match is {
        FactType::Bool => (value != 0).to_string(),
        FactType::Decimal => Decimal::from_tenths(value).to_string(),
        FactType::Int => value.to_string(),
    }
}
