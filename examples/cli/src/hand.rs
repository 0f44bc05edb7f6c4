//! Hands as command lines write them.

use paishan::request::{Declared, SeatHand};
use paishan::state::{Way, Win};
use paishan::{Notation, ParseTilesError, Seat, Tile};

/// Reads a hand. Each meld is its tiles, `closed:` before them for a concealed one.
pub fn read<'a>(
    notation: Notation,
    seat: Seat,
    concealed: &str,
    melds: impl Iterator<Item = &'a str>,
    flowers: &str,
) -> Result<SeatHand, ParseTilesError> {
    let mut hand = SeatHand::new(seat, notation.parse(concealed)?);
    for meld in melds {
        hand.melds.push(match meld.strip_prefix("closed:") {
            Some(tiles) => Declared::concealed(notation.parse(tiles)?),
            None => Declared::open(notation.parse(meld)?),
        });
    }
    hand.flowers = notation.parse(flowers)?;
    Ok(hand)
}

/// A win by `way`. Without one a discard if somebody gave the tile, and a draw otherwise.
pub fn win(tile: Tile, way: Option<Way>, from: Option<Seat>) -> Win {
    let mut win = from.map_or(Win::drawn(tile), |from| Win::off(tile, from));
    win.way = way.unwrap_or(win.way);
    win
}
