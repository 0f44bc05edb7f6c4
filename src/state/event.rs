//! [`Event`]: what happened at the table.

use super::win::Win;
use super::{AbortiveDraw, Announcement};
use crate::meld::Group;
#[cfg(doc)]
use crate::meld::Meld;
use crate::seat::Seat;
use crate::tile::{Kind, Suit, Tile};

/// Something that happened in a deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "type"))]
#[non_exhaustive]
pub enum Event {
    /// A tile was drawn.
    #[cfg_attr(feature = "serde", serde(rename = "tsumo"))]
    Drew {
        /// Who drew.
        seat: Seat,
        /// The tile. `None` for those who may not see it.
        tile: Option<Tile>,
        /// True for a replacement from the back of the wall.
        from_back: bool,
    },
    /// A player gave a tile to another before the first turn. All exchange their tiles at the same time.
    #[cfg_attr(feature = "serde", serde(rename = "exchange"))]
    Exchanged {
        /// Who gave.
        seat: Seat,
        /// Who received.
        to: Seat,
        /// The tile. `None` for those who may not see it.
        tile: Option<Tile>,
    },
    /// A player declared the suit that the hand will do without. All declare at the same time.
    #[cfg_attr(feature = "serde", serde(rename = "missing"))]
    SuitDeclared {
        /// Who declared it.
        seat: Seat,
        /// The suit.
        suit: Suit,
    },
    /// A flower was laid down.
    #[cfg_attr(feature = "serde", serde(rename = "flower"))]
    FlowerLaid {
        /// Whose flower.
        seat: Seat,
        /// The flower.
        tile: Tile,
    },
    /// A tile was set aside.
    #[cfg_attr(feature = "serde", serde(rename = "set_aside"))]
    SetAside {
        /// Whose tile.
        seat: Seat,
        /// The tile.
        tile: Tile,
    },
    /// A tile was discarded.
    #[cfg_attr(feature = "serde", serde(rename = "dahai"))]
    Discarded {
        /// Who discarded.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// True when it was the tile just drawn.
        drawn: bool,
    },
    /// A discard was claimed for a meld.
    #[cfg_attr(feature = "serde", serde(rename = "claim"))]
    Claimed {
        /// Who claimed.
        seat: Seat,
        /// Who discarded.
        from: Seat,
        /// The claimed tile.
        tile: Tile,
        /// The meld.
        group: Group,
        /// How many of the tiles beside the claimed one are red fives.
        reds: u8,
        /// True when the other three tiles of a kong were a concealed pung on the table.
        laid: bool,
        /// The places of its jokers, as [`Meld::wild`] has them.
        #[cfg_attr(
            feature = "serde",
            serde(default, skip_serializing_if = "crate::meld::is_zero")
        )]
        wild: u8,
    },
    /// A player put a tile in the place of a joker in a meld, and took the joker.
    #[cfg_attr(feature = "serde", serde(rename = "take_joker"))]
    JokerTaken {
        /// Whose meld.
        seat: Seat,
        /// The index of the meld.
        meld: u8,
        /// The tile.
        tile: Tile,
    },
    /// A concealed kong was declared.
    #[cfg_attr(feature = "serde", serde(rename = "ankan"))]
    ConcealedKong {
        /// Whose kong.
        seat: Seat,
        /// Its kind. `None` for those who may not see it.
        kind: Option<Kind>,
        /// How many of its tiles are red fives.
        reds: u8,
        /// True when it lies face down.
        hidden: bool,
    },
    /// A face-down kong was challenged and shown.
    #[cfg_attr(feature = "serde", serde(rename = "challenge"))]
    Challenged {
        /// Who challenged.
        seat: Seat,
        /// Whose kong.
        owner: Seat,
        /// Its kind.
        kind: Kind,
    },
    /// A player announced a hand. The discard that belongs to it comes next.
    #[cfg_attr(feature = "serde", serde(rename = "declare"))]
    Announced {
        /// Whose hand.
        seat: Seat,
        /// What was announced.
        announcement: Announcement,
    },
    /// A player declared a win without a winning hand. It ends the deal.
    #[cfg_attr(feature = "serde", serde(rename = "penalty"))]
    FalseWin {
        /// Who declared it.
        seat: Seat,
    },
    /// A judge declared a hand dead.
    #[cfg_attr(feature = "serde", serde(rename = "dead_hand"))]
    HandDied {
        /// Whose hand.
        seat: Seat,
    },
    /// An indicator was turned.
    #[cfg_attr(feature = "serde", serde(rename = "dora"))]
    IndicatorTurned {
        /// The tile.
        tile: Tile,
    },
    /// A fourth tile was added to a pung on the table.
    #[cfg_attr(feature = "serde", serde(rename = "kakan"))]
    AddedKong {
        /// Whose kong.
        seat: Seat,
        /// The tile that was added.
        tile: Tile,
        /// How many of the other three tiles are red fives.
        reds: u8,
        /// True when the pung was open.
        open: bool,
    },
    /// A player declared riichi. The discard that belongs to it comes next.
    #[cfg_attr(feature = "serde", serde(rename = "reach"))]
    RiichiDeclared {
        /// Who declared it.
        seat: Seat,
    },
    /// Nobody won off the riichi discard, and the deposit is paid.
    #[cfg_attr(feature = "serde", serde(rename = "reach_accepted"))]
    RiichiAccepted {
        /// Who declared riichi.
        seat: Seat,
    },
    /// A player laid concealed tiles down as a meld.
    #[cfg_attr(feature = "serde", serde(rename = "lay"))]
    LaidDown {
        /// Whose meld.
        seat: Seat,
        /// The meld.
        group: Group,
    },
    /// Somebody won. It ends the deal, unless play goes on after a win.
    #[cfg_attr(feature = "serde", serde(rename = "hora"))]
    Won {
        /// The winner.
        seat: Seat,
        /// How.
        win: Win,
    },
    /// The dealer chose to end the match after this deal.
    #[cfg_attr(feature = "serde", serde(rename = "end"))]
    MatchEnded {
        /// The dealer's seat.
        seat: Seat,
    },
    /// The deal ended without a winner because no tile is left to draw.
    #[cfg_attr(feature = "serde", serde(rename = "exhausted"))]
    Exhausted,
    /// The deal ended without a winner while tiles were left.
    #[cfg_attr(feature = "serde", serde(rename = "ryukyoku"))]
    Aborted {
        /// Why.
        draw: AbortiveDraw,
        /// Who declared it, if somebody had to.
        seat: Option<Seat>,
    },
}

impl Event {
    /// The event as a seat sees it. Tiles that others drew and kongs that others laid face down become
    /// `None`.
    #[must_use]
    pub fn seen_by(self, viewer: Seat) -> Self {
        match self {
            Self::Drew {
                seat, from_back, ..
            } if seat != viewer => Self::Drew {
                seat,
                tile: None,
                from_back,
            },
            Self::Exchanged { seat, to, .. } if seat != viewer && to != viewer => Self::Exchanged {
                seat,
                to,
                tile: None,
            },
            Self::ConcealedKong {
                seat, hidden: true, ..
            } if seat != viewer => Self::ConcealedKong {
                seat,
                kind: None,
                reds: 0,
                hidden: true,
            },
            event => event,
        }
    }
}
