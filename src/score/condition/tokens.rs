//! The tokens of a condition.

use super::expr::{ConditionError, Result};
use crate::decimal::Decimal;

const MAX_TOKENS: usize = 500;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Number(i32),
    /// In tenths.
    Decimal(i32),
    Sign(&'a str),
    End,
}

/// Operators of other languages, and their equivalents in this one.
const FOREIGN: [(&str, &str); 5] = [
    ("&&", "`and`"),
    ("||", "`or`"),
    ("&", "`and`"),
    ("=", "`==`, or `is` before a word"),
    ("!", "`not`"),
];

pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>> {
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
            let is_number = text[start..at].bytes().all(|byte| byte.is_ascii_digit());
            if is_number && bytes.get(at) == Some(&b'.') {
                at += 1;
                while at < bytes.len() && bytes[at].is_ascii_digit() {
                    at += 1;
                }
                let found = &text[start..at];
                let tenths = Decimal::parse(found).and_then(|d| i32::try_from(d.tenths()).ok());
                let Some(tenths) = tenths else {
                    return Err(ConditionError::Expected {
                        at: start,
                        expected: "a number with at most one decimal place",
                        found: format!("`{found}`"),
                    });
                };
                tokens.push((start, Token::Decimal(tenths)));
                continue;
            }
            let word = &text[start..at];
            let token = match word.parse() {
                Ok(number) => Token::Number(number),
                Err(_) => Token::Word(word),
            };
            tokens.push((start, token));
            continue;
        }
        let begins = |sign: &str| sign.as_bytes()[0] == byte && text[at..].starts_with(sign);
        if let Some((found, expected)) = FOREIGN.iter().find(|(sign, _)| {
            begins(sign) && !text[at..].starts_with("==") && !text[at..].starts_with("!=")
        }) {
            return Err(ConditionError::Expected {
                at,
                expected,
                found: format!("`{found}`"),
            });
        }
        let sign = [
            "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", ",", "|",
        ]
        .into_iter()
        .find(|sign| begins(sign));
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
    if tokens.len() > MAX_TOKENS {
        // A long sum nests as deeply as it has terms.
        return Err(ConditionError::TooDeep { at: text.len() });
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}
