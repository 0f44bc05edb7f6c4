//! [`Action`]: what a seat does.

use crate::decompose::{Grammar, ShapeId};
use crate::tile::{Kind, Suit, Tile};

/// What a seat does when it must decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "super::wire::Form", into = "super::wire::Form")
)]
#[non_exhaustive]
pub enum Action {
    /// Claim nothing.
    Pass,
    /// Win with the tile drawn, discarded, robbed or laid down as a flower.
    Win,
    /// Announce a standing hand, with the first discard.
    Stand,
    /// Declare riichi, with the discard that comes next.
    Riichi,
    /// Declare a draw: nine different orphans in the first turn.
    NineOrphans,
    /// End the match after its last deal, as the dealer who leads may; to pass is to play on.
    EndMatch,
    /// Declare a win that is none, which is punished.
    FalseWin,
    /// Have a kong shown that was laid face down.
    Challenge,
    /// Claim a discard for a kong.
    ClaimKong,
    /// Claim a discard for a pung.
    Pung {
        /// Red fives among the two tiles put beside it.
        reds: u8,
    },
    /// Claim a discard for a run of this shape and suit.
    Chow {
        /// The suit of the run.
        suit: Suit,
        /// The run, by its number in the grammar.
        shape: ShapeId,
        /// The five put beside the claimed tile is a red one.
        red: bool,
    },
    /// Declare four of one's own tiles.
    ConcealedKong(Kind),
    /// Add the fourth tile to a pung on the table.
    AddedKong(Kind),
    /// Lay three of one's own tiles down as a concealed pung.
    LayPung(Kind),
    /// Lay one's own tiles down as a concealed run.
    LayRun {
        /// The suit of the run.
        suit: Suit,
        /// The run, by its number in the grammar.
        shape: ShapeId,
    },
    /// Discard a tile.
    Discard {
        /// The tile.
        tile: Tile,
        /// It is the tile just drawn, not one like it that was held before.
        drawn: bool,
    },
}

const _: () = assert!(size_of::<Action>() <= 4);

impl Action {
    /// The action in words; runs are numbered by a grammar, which is needed to name their tiles.
    pub fn describe(&self, grammar: &Grammar) -> String {
        let run = |suit, shape| match grammar.shapes().nth(ShapeId::index(shape)) {
            Some((_, shape)) => shape.group(suit).to_string(),
            None => "an unknown run".to_owned(),
        };
        match *self {
            Self::Pass => "pass".to_owned(),
            Self::Win => "win".to_owned(),
            Self::Stand => "announce a standing hand".to_owned(),
            Self::Riichi => "declare riichi".to_owned(),
            Self::NineOrphans => "declare a draw with nine orphans".to_owned(),
            Self::EndMatch => "end the match".to_owned(),
            Self::FalseWin => "declare a false win".to_owned(),
            Self::Challenge => "challenge".to_owned(),
            Self::ClaimKong => "claim a kong".to_owned(),
            Self::Pung { reds: 0 } => "claim a pung".to_owned(),
            Self::Pung { .. } => "claim a pung with a red five".to_owned(),
            Self::Chow { suit, shape, red } => {
                let with = if red { " with a red five" } else { "" };
                format!("claim {}{with}", run(suit, shape))
            }
            Self::ConcealedKong(kind) => format!("kong of {}", Tile::plain(kind)),
            Self::AddedKong(kind) => format!("add {} to a pung", Tile::plain(kind)),
            Self::LayPung(kind) => format!("lay down three {}", Tile::plain(kind)),
            Self::LayRun { suit, shape } => format!("lay down {}", run(suit, shape)),
            Self::Discard { tile, drawn: true } => format!("discard {tile}, just drawn"),
            Self::Discard { tile, drawn: false } => format!("discard {tile}"),
        }
    }
}
