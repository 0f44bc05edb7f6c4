//! [`Event`]: what happened at the table.

use super::win::Win;
use super::{AbortiveDraw, Announcement};
use crate::meld::Group;
use crate::seat::Seat;
use crate::tile::{Kind, Tile};

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
        /// The tile; `None` for who may not see it.
        tile: Option<Tile>,
        /// It is a replacement from the end of the wall.
        from_back: bool,
    },
    /// A flower was laid down.
    #[cfg_attr(feature = "serde", serde(rename = "flower"))]
    FlowerLaid {
        /// Whose flower.
        seat: Seat,
        /// The flower.
        tile: Tile,
    },
    /// A tile was discarded.
    #[cfg_attr(feature = "serde", serde(rename = "dahai"))]
    Discarded {
        /// Who discarded.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// It was the tile just drawn.
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
        /// Red fives among the tiles put beside the claimed one.
        reds: u8,
        /// The other three tiles of a kong were a concealed pung on the table.
        laid: bool,
    },
    /// Four of one's own tiles were declared.
    #[cfg_attr(feature = "serde", serde(rename = "ankan"))]
    ConcealedKong {
        /// Whose kong.
        seat: Seat,
        /// Its kind; `None` for who may not see it.
        kind: Option<Kind>,
        /// Red fives among its tiles.
        reds: u8,
        /// It lies face down.
        hidden: bool,
    },
    /// A kong that lies face down was challenged and shown.
    #[cfg_attr(feature = "serde", serde(rename = "challenge"))]
    Challenged {
        /// Who challenged.
        seat: Seat,
        /// Whose kong.
        owner: Seat,
        /// Its kind.
        kind: Kind,
    },
    /// A hand was announced, just before the discard that it comes with.
    #[cfg_attr(feature = "serde", serde(rename = "declare"))]
    Announced {
        /// Whose hand.
        seat: Seat,
        /// What it is from now on.
        announcement: Announcement,
    },
    /// A win was declared that is none; it ends the deal.
    #[cfg_attr(feature = "serde", serde(rename = "penalty"))]
    FalseWin {
        /// Who declared it.
        seat: Seat,
    },
    /// A judge has declared a hand dead.
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
    /// The fourth tile was added to a pung on the table.
    #[cfg_attr(feature = "serde", serde(rename = "kakan"))]
    AddedKong {
        /// Whose kong.
        seat: Seat,
        /// The tile that was added.
        tile: Tile,
        /// Red fives among the other three.
        reds: u8,
        /// The pung was open.
        open: bool,
    },
    /// Riichi was declared, just before the discard that it comes with.
    #[cfg_attr(feature = "serde", serde(rename = "reach"))]
    RiichiDeclared {
        /// Who declared it.
        seat: Seat,
    },
    /// The discard of a riichi was not won off; its deposit is paid.
    #[cfg_attr(feature = "serde", serde(rename = "reach_accepted"))]
    RiichiAccepted {
        /// Who has declared it.
        seat: Seat,
    },
    /// One's own tiles were laid down as a meld.
    #[cfg_attr(feature = "serde", serde(rename = "lay"))]
    LaidDown {
        /// Whose meld.
        seat: Seat,
        /// The meld.
        group: Group,
    },
    /// Somebody won.
    #[cfg_attr(feature = "serde", serde(rename = "hora"))]
    Won {
        /// The winner.
        seat: Seat,
        /// How.
        win: Win,
    },
    /// The dealer ends the match after this deal, as he may.
    #[cfg_attr(feature = "serde", serde(rename = "end"))]
    MatchEnded {
        /// The dealer's seat.
        seat: Seat,
    },
    /// The deal ended without a winner: no tile is left to draw.
    #[cfg_attr(feature = "serde", serde(rename = "exhausted"))]
    Exhausted,
    /// The deal ended without a winner while tiles were left.
    #[cfg_attr(feature = "serde", serde(rename = "ryukyoku"))]
    Aborted {
        /// Why.
        draw: AbortiveDraw,
        /// Who declared it, if anybody had to.
        seat: Option<Seat>,
    },
}

impl Event {
    /// The event as a seat sees it: tiles that others drew, and kongs that others laid face down, are
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
