//! Hands as text: concealed tiles, melds, bonus tiles laid aside.

use super::{Notation, ParseTilesError};
use crate::hand::{Hand, HandError};
use crate::meld::Meld;
use std::fmt;
use std::str::FromStr;

/// The text is no hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHandError {
    /// A part is not in the notation.
    #[error("in `{part}`: {error}")]
    Tiles {
        /// The part.
        part: String,
        /// What is wrong with it.
        error: ParseTilesError,
    },
    /// No ruleset has a meld of these tiles.
    #[error("`{part}` is no meld")]
    NoMeld {
        /// The part.
        part: String,
    },
    /// The tiles are no possible hand.
    #[error(transparent)]
    Hand(#[from] HandError),
}

impl Notation {
    /// Reads a hand: concealed tiles, then melds, then bonus tiles laid aside after a `/`. Each meld follows a `+` if
    /// it is open or a `-` if it is concealed. Spaces between the parts are optional. The text does not say
    /// which tile of an open meld was claimed, or from whom, so the hand does not know it.
    ///
    /// ```
    /// use paishan::Notation;
    /// let hand = Notation::Ujmj.parse_hand("123m456m +CCC -7777s /hi")?;
    /// assert_eq!((hand.concealed_len(), hand.melds().len(), hand.aside().len()), (6, 2, 2));
    /// assert_eq!(Notation::Ujmj.print_hand(&hand), "123456m+CCC-7777s/hi");
    /// # Ok::<(), paishan::ParseHandError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseHandError`]. This does not check that a ruleset has the tiles: [`Hand::check`] does.
    pub fn parse_hand(self, text: &str) -> Result<Hand, ParseHandError> {
        let tiles = |part: &str| {
            self.parse(part.trim()).map_err(|error| {
                let part = part.trim().to_owned();
                ParseHandError::Tiles { part, error }
            })
        };
        let (text, aside) = text.split_once('/').unwrap_or((text, ""));
        let aside = tiles(aside)?;
        let first = text.find(['+', '-']).unwrap_or(text.len());
        let (concealed, mut rest) = text.split_at(first);
        let concealed = tiles(concealed)?;
        let mut melds = Vec::new();
        while let Some(sign) = rest.chars().next() {
            let behind = &rest[1..];
            let (part, next) = behind.split_at(behind.find(['+', '-']).unwrap_or(behind.len()));
            let tiles = tiles(part)?;
            let own = Meld::of_tiles(&tiles).map_err(|_| ParseHandError::NoMeld {
                part: part.trim().to_owned(),
            })?;
            let open = sign == '+';
            melds.push(Meld { open, ..own });
            rest = next;
        }
        Ok(Hand::of_any_set(&concealed, &melds, &aside)?)
    }

    /// Writes a hand as [`Notation::parse_hand`] reads it.
    pub fn print_hand(self, hand: &Hand) -> String {
        let mut text = self.print(hand.tiles());
        for meld in hand.melds.iter() {
            text.push(if meld.open { '+' } else { '-' });
            if meld.reds | meld.wild == 0 {
                text.push_str(&self.print_group(meld.group));
            } else {
                text.push_str(&self.print(meld.tiles()));
            }
        }
        if !hand.aside.is_empty() {
            text.push('/');
            text.push_str(&self.print(hand.aside.tiles()));
        }
        text
    }
}

/// Reads `ujmj` notation, like [`Notation::parse_hand`].
impl FromStr for Hand {
    type Err = ParseHandError;

    fn from_str(text: &str) -> Result<Self, ParseHandError> {
        Notation::Ujmj.parse_hand(text)
    }
}

/// Writes `ujmj` notation, as [`Notation::parse_hand`] reads it.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Notation::Ujmj.print_hand(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_read_as_they_are_written() {
        for text in [
            "",
            "123456m+CCC-7777s/hi",
            "R55t+123t+R55s-0369s",
            "1t-ZZZ+014s+124m-EEEE/hijkopqr",
            "EEEhj/k",
            "1tJ+4tJ6t+J23t+JEE/hyz",
        ] {
            let hand: Result<Hand, _> = text.parse();
            if text.contains("0369s") {
                assert!(matches!(hand, Err(ParseHandError::NoMeld { .. })));
                continue;
            }
            let hand = hand.unwrap();
            assert_eq!(hand.to_string(), text);
            assert_eq!(hand.to_string().parse(), Ok(hand));
        }
        let spaced: Hand = " 123m456m  +CCC - 7777s /hi ".parse().unwrap();
        assert_eq!(spaced.to_string(), "123456m+CCC-7777s/hi");
        for (text, fault) in [
            (
                "12",
                "in `12`: the rank at byte 0 has no suit letter after it",
            ),
            ("1m+12s", "`12s` is no meld"),
            ("1m+", "`` is no meld"),
            ("1m+hhh", "`hhh` is no meld"),
            ("11111m", "5 copies of 1m, the set has 4"),
            ("11m/hh", "2 copies of h, the set has 1"),
            ("11m/1t", "1t cannot be laid aside"),
            ("11m+CCC-CCC", "5 copies of C, the set has 4"),
        ] {
            let found = text.parse::<Hand>().unwrap_err();
            assert_eq!(found.to_string(), fault, "{text}");
        }
    }
}
