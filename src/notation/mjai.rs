//! The tiles of the mjai protocol: `1m` to `9m`, `5mr`, `p` and `s` likewise, `E S W N P F C`.

use super::error::ParseTilesError;
use super::mpsz::suit_letter;
use crate::tile::{Face, Kind, Rank, Suit, Tile};

/// The honour with a letter, if the protocol has it.
fn honour(letter: char) -> Option<Kind> {
    Kind::from_honour_letter(letter).filter(|&kind| super::mpsz_writes(kind))
}

pub(super) fn parse(text: &str) -> Result<Vec<Tile>, ParseTilesError> {
    let mut tiles = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, found)) = letters.next() {
        if let Some(kind) = honour(found) {
            tiles.push(kind.into());
            continue;
        }
        let rank = found.to_digit(10).and_then(|digit| Rank::new(digit as u8));
        let Some(rank) = rank else {
            return Err(ParseTilesError::UnknownCharacter { at, found });
        };
        let suit = letters.next().map(|(_, letter)| letter);
        let suit = Suit::ALL
            .into_iter()
            .find(|&s| Some(suit_letter(s)) == suit);
        let Some(suit) = suit else {
            return Err(ParseTilesError::MissingSuit { at });
        };
        if letters.next_if(|(_, letter)| *letter == 'r').is_none() {
            tiles.push(Tile::plain(Kind::number(suit, rank)));
        } else if rank == Rank::FIVE {
            tiles.push(Tile::red_five(suit));
        } else {
            let found = format!("{found}{}r", suit_letter(suit));
            return Err(ParseTilesError::NoSuchTile { at, found });
        }
    }
    Ok(tiles)
}

/// Writes a tile, or `?` if the protocol does not have it.
pub(super) fn push(text: &mut String, tile: Tile) {
    match tile.face() {
        Face::RedFive(suit) => text.extend(['5', suit_letter(suit), 'r']),
        Face::Plain(kind) if super::mpsz_writes(kind) => match (kind.rank(), kind.suit()) {
            (Some(rank), Some(suit)) => text.extend([rank.digit(), suit_letter(suit)]),
            _ => text.extend(kind.honour_letter()),
        },
        _ => text.push('?'),
    }
}
