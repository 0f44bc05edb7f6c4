//! Tile notations: [`Notation`] parses and prints tiles.
//!
//! `ujmj` is the default and writes every tile. `mpsz` is the notation of Riichi players. It writes suits of
//! nine ranks, full winds, dragons and red fives only. The docs of the module `protocol` explain both under
//! "Tiles".

mod error;
mod hand;
mod mjai;
mod mpsz;
mod names;
mod ujmj;
mod wording;

use crate::meld::Group;
use crate::text::ParseError;
use crate::tile::{Flower, Kind, Tile};
use std::fmt::Write;
use std::str::FromStr;

pub use error::ParseTilesError;
pub use hand::ParseHandError;
pub(crate) use mpsz::writes as mpsz_writes;
pub use names::TileNames;
pub(crate) use names::{SuitNames, TileWords};
pub use wording::Wording;

/// A way to write tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Notation {
    /// Rank and suit: `1`–`9 x a`–`f`, then `t s m`. Honours: `Z E S W N H V C F P`, the
    /// joker `J`, the blossom `B`, a flower that is part of a hand, and the extra kinds `A D G K`. Flowers: `h i j k o p q r
    /// g l n u v w y z`. A red five has the rank `R`.
    #[default]
    Ujmj,
    /// Digits and `m p s z`. `0` is a red five; `1z` to `7z` are East, South, West, North, white, green, red.
    Mpsz,
    /// The tiles of the mjai protocol, each with its suit: `1m`, `5mr`, `E S W N P F C`. For logs only.
    Mjai,
}

impl Notation {
    /// The notation with a name: `ujmj`, `mpsz` or `mjai`.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "ujmj" => Some(Self::Ujmj),
            "mpsz" => Some(Self::Mpsz),
            "mjai" => Some(Self::Mjai),
            _ => None,
        }
    }

    /// The name of the notation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ujmj => "ujmj",
            Self::Mpsz => "mpsz",
            Self::Mjai => "mjai",
        }
    }

    /// Reads tiles and keeps their order.
    ///
    /// ```
    /// use paishan::Notation;
    /// let tiles = Notation::Ujmj.parse("9xasZEEh")?;
    /// assert_eq!(tiles.len(), 7);
    /// assert_eq!(Notation::Ujmj.print(tiles.iter().copied()), "9xasZEEh");
    /// assert!(Notation::Ujmj.parse("12").is_err());
    /// # Ok::<(), paishan::ParseTilesError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseTilesError`] with the byte offset of the first fault.
    pub fn parse(self, text: &str) -> Result<Vec<Tile>, ParseTilesError> {
        match self {
            Self::Ujmj => ujmj::parse(text),
            Self::Mpsz => mpsz::parse(text),
            Self::Mjai => mjai::parse(text),
        }
    }

    /// Reads exactly one tile.
    ///
    /// # Errors
    /// Those of [`Notation::parse`], and [`ParseTilesError::NotOne`].
    pub fn parse_one(self, text: &str) -> Result<Tile, ParseTilesError> {
        match *self.parse(text)? {
            [tile] => Ok(tile),
            ref tiles => Err(ParseTilesError::NotOne { found: tiles.len() }),
        }
    }

    /// Writes tiles in the given order. Neighbours of the same suit share its letter. A tile that the
    /// notation cannot write becomes `?`.
    pub fn print(self, tiles: impl IntoIterator<Item = Tile>) -> String {
        let mut text = String::new();
        let mut open_suit = None;
        for tile in tiles {
            let (symbol, suit) = match self {
                Self::Ujmj => ujmj::symbol(tile),
                Self::Mpsz => mpsz::symbol(tile),
                Self::Mjai => {
                    mjai::push(&mut text, tile);
                    continue;
                }
            };
            if open_suit != suit {
                text.extend(open_suit);
            }
            text.push(symbol);
            open_suit = suit;
        }
        text.extend(open_suit);
        text
    }

    /// Writes one tile.
    pub fn print_one(self, tile: Tile) -> String {
        self.print([tile])
    }

    /// Writes a group. In `ujmj` a zero used as a number is `0`.
    pub fn print_group(self, group: Group) -> String {
        match self {
            Self::Ujmj => {
                let mut text = String::with_capacity(5);
                // Writing to a string cannot fail.
                let _ = write!(text, "{group}");
                text
            }
            Self::Mpsz | Self::Mjai => self.print(group.tiles().map(Tile::plain)),
        }
    }

    /// Writes each kind as a string of its own, in the given order.
    pub fn print_kinds(self, kinds: impl IntoIterator<Item = Kind>) -> Vec<String> {
        kinds
            .into_iter()
            .map(|kind| self.print_one(kind.into()))
            .collect()
    }
}

/// Reads one tile in `ujmj` notation.
///
/// ```
/// use paishan::{Suit, Tile};
/// assert!("R5t".parse::<Tile>().is_err());
/// assert_eq!("Rt".parse(), Ok(Tile::red_five(Suit::Circles)));
/// ```
impl FromStr for Tile {
    type Err = ParseTilesError;

    fn from_str(text: &str) -> Result<Self, ParseTilesError> {
        Notation::Ujmj.parse_one(text)
    }
}

/// Reads one tile in `ujmj` notation that is neither a red five nor a flower.
impl FromStr for Kind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let tile = text.parse().ok().filter(|tile: &Tile| !tile.is_red());
        let kind = tile.and_then(Tile::kind);
        kind.ok_or_else(|| ParseError::new("kind of tile", text))
    }
}

/// Reads the letter of a flower.
impl FromStr for Flower {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let tile = text.parse().ok();
        let flower = tile.and_then(Tile::as_flower);
        flower.ok_or_else(|| ParseError::new("flower", text))
    }
}

/// Reads two to four tiles in `ujmj` notation that some ruleset has as a group, such as `123t`, `4444s`, `CC`
/// or `014s`.
impl FromStr for Group {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let tiles = Notation::Ujmj.parse(text).unwrap_or_default();
        let kinds: Option<Vec<Kind>> = tiles.iter().map(|tile| tile.kind()).collect();
        let group = kinds.and_then(|kinds| Self::of(&kinds));
        group.ok_or_else(|| ParseError::new("group", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{Flower, Suit};
    use proptest::prelude::*;

    fn any_tile() -> impl Strategy<Value = Tile> {
        prop_oneof![
            (0..Kind::COUNT).prop_map(|i| Tile::plain(Kind::from_index(i).unwrap())),
            (0..3usize).prop_map(|i| Tile::red_five(Suit::ALL[i])),
            (0..Flower::COUNT).prop_map(|i| Tile::flower(Flower::from_index(i).unwrap())),
        ]
    }

    proptest! {
        #[test]
        fn ujmj_round_trips(tiles in proptest::collection::vec(any_tile(), 0..30)) {
            let text = Notation::Ujmj.print(tiles.iter().copied());
            prop_assert_eq!(Notation::Ujmj.parse(&text).unwrap(), tiles);
        }

        #[test]
        fn mpsz_round_trips(tiles in proptest::collection::vec(any_tile(), 0..30)) {
            let tiles: Vec<Tile> = tiles
                .into_iter()
                .filter(|t| t.kind().is_some_and(mpsz_writes))
                .collect();
            for notation in [Notation::Mpsz, Notation::Mjai] {
                let text = notation.print(tiles.iter().copied());
                prop_assert_eq!(notation.parse(&text).unwrap(), tiles.clone());
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            for notation in [Notation::Ujmj, Notation::Mpsz, Notation::Mjai] {
                if let Ok(tiles) = notation.parse(&text) {
                    prop_assert_eq!(notation.parse(&notation.print(tiles.clone())).unwrap(), tiles);
                }
            }
        }
    }

    #[test]
    fn errors_tell_the_place() {
        let fault = |text| Notation::Ujmj.parse(text).unwrap_err();
        assert_eq!(fault("12s3"), ParseTilesError::MissingSuit { at: 3 });
        assert_eq!(
            fault("1s!"),
            ParseTilesError::UnknownCharacter { at: 2, found: '!' }
        );
        assert_eq!(
            fault("t"),
            ParseTilesError::UnknownCharacter { at: 0, found: 't' }
        );
        assert_eq!(fault("12E"), ParseTilesError::MissingSuit { at: 0 });
        assert_eq!(
            Notation::Mpsz.parse("128z").unwrap_err(),
            ParseTilesError::NoSuchTile {
                at: 2,
                found: "8z".into()
            }
        );
        assert_eq!(
            Notation::Mjai.parse("1m4sr").unwrap_err(),
            ParseTilesError::NoSuchTile {
                at: 2,
                found: "4sr".into()
            }
        );
        assert_eq!(
            Notation::Ujmj.parse_one("12s").unwrap_err(),
            ParseTilesError::NotOne { found: 2 }
        );
    }

    #[test]
    fn zero_in_a_hand_is_the_zero_tile() {
        let tiles = Notation::Ujmj.parse("014s").unwrap();
        assert_eq!(tiles[0], Tile::plain(Kind::ZERO));
        assert_eq!(Notation::Ujmj.print(tiles), "Z14s");
    }

    #[test]
    fn mpsz_writes_the_dragons_in_its_own_numbers() {
        let tiles = Notation::Ujmj.parse("R5tESWNCFP").unwrap();
        assert_eq!(Notation::Mpsz.print(tiles.iter().copied()), "05p1234765z");
        assert_eq!(Notation::Mjai.print(tiles), "5pr5pESWNCFP");
    }
}
