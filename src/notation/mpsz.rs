//! `mpsz`, the notation of Riichi players.

use super::error::ParseTilesError;
use crate::tile::{Face, Kind, Rank, Suit, Tile};
use smallvec::SmallVec;

/// The honours `1z` to `7z`.
const HONOURS: [Kind; 7] = [
    Kind::EAST,
    Kind::SOUTH,
    Kind::WEST,
    Kind::NORTH,
    Kind::WHITE,
    Kind::GREEN,
    Kind::RED,
];

pub(super) const fn suit_letter(suit: Suit) -> char {
    match suit {
        Suit::Circles => 'p',
        Suit::Bamboos => 's',
        Suit::Characters => 'm',
    }
}

/// True if the notation can write the kind.
pub(crate) fn writes(kind: Kind) -> bool {
    match kind.rank() {
        Some(rank) => rank.get() <= 9,
        None => HONOURS.contains(&kind),
    }
}

pub(super) fn parse(text: &str) -> Result<Vec<Tile>, ParseTilesError> {
    let mut tiles = Vec::with_capacity(text.len().min(256));
    let mut digits: SmallVec<[(usize, char); 16]> = SmallVec::new();
    for (at, found) in text.char_indices() {
        if found.is_ascii_digit() {
            digits.push((at, found));
            continue;
        }
        let suit = Suit::ALL.into_iter().find(|&s| suit_letter(s) == found);
        if digits.is_empty() || suit.is_none() && found != 'z' {
            return Err(match digits.first() {
                Some(&(at, _)) if found.is_ascii_alphabetic() => {
                    ParseTilesError::MissingSuit { at }
                }
                _ => ParseTilesError::UnknownCharacter { at, found },
            });
        }
        for (at, digit) in digits.drain(..) {
            let number = digit as u8 - b'0';
            let tile = match suit {
                Some(suit) => Some(match Rank::new(number) {
                    Some(rank) => Tile::plain(Kind::number(suit, rank)),
                    None => Tile::red_five(suit),
                }),
                None => usize::from(number)
                    .checked_sub(1)
                    .and_then(|i| HONOURS.get(i))
                    .map(|&kind| Tile::plain(kind)),
            };
            tiles.push(tile.ok_or_else(|| ParseTilesError::NoSuchTile {
                at,
                found: format!("{digit}{found}"),
            })?);
        }
    }
    match digits.first() {
        Some(&(at, _)) => Err(ParseTilesError::MissingSuit { at }),
        None => Ok(tiles),
    }
}

/// The character of a tile, and the letter that must follow it.
pub(super) fn symbol(tile: Tile) -> (char, Option<char>) {
    match tile.face() {
        Face::Plain(kind) => match (kind.rank(), kind.suit()) {
            (Some(rank), Some(suit)) if rank.get() <= 9 => (rank.digit(), Some(suit_letter(suit))),
            _ => match HONOURS.iter().position(|&k| k == kind) {
                Some(i) => ((b'1' + i as u8) as char, Some('z')),
                None => ('?', None),
            },
        },
        Face::RedFive(suit) => ('0', Some(suit_letter(suit))),
        Face::Flower(_) => ('?', None),
    }
}
