//! Reads and writes the JSON of the server Tenhou (`tenhou.net/6`), which editors and viewers of games use.
//!
//! The caller's JSON library turns text into a [`TenhouLog`]. [`read`] converts it to plain mjai, and [`write()`] plain mjai to
//! it. Each deal is a list. It begins with the number of the deal, counters and deposits. The points and both kinds of
//! indicators follow. Then each player has three lists: the dealt tiles, what the player takes, what the player discards. The
//! result comes last. Tiles are numbers:
//! 11 to 19 characters, 21 to 29 circles, 31 to 39 bamboos, 41 to 47 honours, 51 to 53 red fives. A claim is a text with a
//! letter, the place of which says from whom the tile is.

mod read;
mod write;

pub use read::{TenhouError, TenhouFault, TenhouGame, read};
pub use write::write;

use crate::forms::two_forms;
use crate::notation::Notation;
use crate::tile::{Face, Kind, Rank, Suit, Tile, Wind};

two_forms! {
    #[serde(untagged)]
    /// A value in the list of a deal.
    #[derive(Clone, PartialEq, Debug)]
    #[non_exhaustive]
    pub enum Cell {
        /// A whole number: a tile, points.
        Number(i64),
        /// Another number.
        Decimal(f64),
        /// A claim, a declaration, words.
        Text(String),
        /// A list.
        List(Vec<Cell>),
    }
}

two_forms! {
    /// The rules, as the server names them.
    #[derive(Clone, PartialEq, Debug, Default)]
    #[non_exhaustive]
    pub struct TenhouRule {
    /// The name, such as `般南喰赤`.
    #[serde(default)]
    pub disp: String,
    /// Red fives of characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aka51: Option<i64>,
    /// Red fives of circles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aka52: Option<i64>,
    /// Red fives of bamboos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aka53: Option<i64>,
    /// Red fives of each suit, in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aka: Option<i64>,
}
}

two_forms! {
    /// A game, or some of its deals. Other members are ignored.
    #[derive(Clone, PartialEq, Debug, Default)]
    #[non_exhaustive]
    pub struct TenhouLog {
    /// Two lines of a title.
    #[serde(default)]
    pub title: Vec<String>,
    /// The names of the players.
    #[serde(default)]
    pub name: Vec<String>,
    /// The rules.
    #[serde(default)]
    pub rule: TenhouRule,
    /// The final points and results of the players, in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sc: Option<Vec<Cell>>,
    /// The deals.
    pub log: Vec<Vec<Cell>>,
}
}

/// The tile of a number.
fn tile_of(number: i64) -> Option<Tile> {
    // The server's order of suits.
    const SUITS: [Suit; 3] = [Suit::Characters, Suit::Circles, Suit::Bamboos];
    let place = usize::try_from(number % 10).ok()?;
    match number {
        11..=39 => {
            let suit = SUITS[usize::try_from(number / 10 - 1).ok()?];
            let rank = Rank::new(place as u8)?;
            (place <= 9).then(|| Tile::plain(Kind::number(suit, rank)))
        }
        41..=44 => Some(Tile::plain(Wind::ALL[place - 1].kind())),
        45..=47 => Some(Tile::plain(
            [Kind::WHITE, Kind::GREEN, Kind::RED][place - 5],
        )),
        51..=53 => Some(Tile::red_five(SUITS[place - 1])),
        _ => None,
    }
}

/// The number of a tile in `mjai` notation.
fn number_of(text: &str) -> Option<i64> {
    let tile = Notation::Mjai.parse_one(text).ok()?;
    let suit = |suit: Suit| match suit {
        Suit::Characters => 1,
        Suit::Circles => 2,
        Suit::Bamboos => 3,
    };
    Some(match tile.face() {
        Face::RedFive(of) => 50 + suit(of),
        Face::Flower(_) => return None,
        Face::Plain(kind) => match (kind.suit(), kind.rank()) {
            (Some(of), Some(rank)) if rank.get() <= 9 => 10 * suit(of) + i64::from(rank.get()),
            _ => {
                let honours = Wind::ALL.map(Wind::kind).into_iter();
                let mut honours = honours.chain([Kind::WHITE, Kind::GREEN, Kind::RED]);
                41 + honours.position(|known| known == kind)? as i64
            }
        },
    })
}
