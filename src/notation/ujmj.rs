//! `ujmj`, the default notation.

use super::error::ParseTilesError;
use crate::tile::{Face, Flower, Kind, RANK_DIGITS, Rank, Suit, Tile};
use smallvec::SmallVec;

fn suit_of(letter: char) -> Option<Suit> {
    Suit::ALL.into_iter().find(|suit| suit.letter() == letter)
}

pub(super) fn parse(text: &str) -> Result<Vec<Tile>, ParseTilesError> {
    let mut tiles = Vec::with_capacity(text.len().min(256));
    let mut ranks: SmallVec<[(usize, char); 16]> = SmallVec::new();
    for (at, found) in text.char_indices() {
        if found == 'R' || found.is_ascii() && RANK_DIGITS.contains(&(found as u8)) {
            ranks.push((at, found));
            continue;
        }
        if let Some(suit) = suit_of(found) {
            if ranks.is_empty() {
                return Err(ParseTilesError::UnknownCharacter { at, found });
            }
            for (_, rank) in ranks.drain(..) {
                tiles.push(numbered(rank, suit));
            }
            continue;
        }
        if let Some(&(at, _)) = ranks.first() {
            return Err(ParseTilesError::MissingSuit { at });
        }
        let single = Kind::from_honour_letter(found)
            .map(Tile::plain)
            .or_else(|| {
                Flower::all()
                    .find(|f| f.letter() == found)
                    .map(Tile::flower)
            });
        tiles.push(single.ok_or(ParseTilesError::UnknownCharacter { at, found })?);
    }
    match ranks.first() {
        Some(&(at, _)) => Err(ParseTilesError::MissingSuit { at }),
        None => Ok(tiles),
    }
}

fn numbered(rank: char, suit: Suit) -> Tile {
    if rank == 'R' {
        return Tile::red_five(suit);
    }
    let number = RANK_DIGITS.iter().position(|&c| c as char == rank);
    match number.and_then(|n| Rank::new(n as u8)) {
        Some(rank) => Tile::plain(Kind::number(suit, rank)),
        // A zero is the same tile in every suit.
        None => Tile::plain(Kind::ZERO),
    }
}

/// The character of a tile, and the suit letter that must follow it.
pub(super) fn symbol(tile: Tile) -> (char, Option<char>) {
    match tile.face() {
        Face::Plain(kind) => match (kind.rank(), kind.suit()) {
            (Some(rank), Some(suit)) => (rank.digit(), Some(suit.letter())),
            _ => (kind.honour_letter().unwrap_or('?'), None),
        },
        Face::RedFive(suit) => ('R', Some(suit.letter())),
        Face::Flower(flower) => (flower.letter(), None),
    }
}
