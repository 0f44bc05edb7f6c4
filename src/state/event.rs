//! [`Event`]: what happened at the table.

use super::win::Win;
use super::{AbortiveDraw, Announcement, MeldTiles, TurnedId};
use crate::counts::Counts;
use crate::forms::two_forms;
use crate::meld::Group;
use crate::seat::Seat;
use crate::tile::{Kind, Suit, Tile};

two_forms! {
    #[serde(tag = "type")]
    /// Something that happened in a deal.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum Event {
        /// A tile was drawn.
        #[serde(rename = "tsumo")]
        Drew {
            /// The seat that drew.
            seat: Seat,
            /// The tile. `None` for seats that may not see it.
            tile: Option<Tile>,
            /// True for a replacement from the back of the wall.
            from_back: bool,
        },
        /// A player passed a tile to another before the first turn. All pass their tiles at the same time.
        #[serde(rename = "exchange")]
        Exchanged {
            /// The giver.
            seat: Seat,
            /// The receiver.
            to: Seat,
            /// The tile. `None` for seats that may not see it.
            tile: Option<Tile>,
        },
        /// A player chose the suit that the hand will do without. All choose at the same time.
        #[serde(rename = "missing")]
        SuitDeclared {
            /// The declaring seat.
            seat: Seat,
            /// The suit.
            suit: Suit,
        },
        /// A player showed the hand before the first turn, and took it back.
        #[serde(rename = "show")]
        HandShown {
            /// Whose hand.
            seat: Seat,
            /// The place of the step among those of [`Plan::opening`](crate::ruleset::Plan::opening).
            step: u8,
            /// Its tiles. Red fives count as fives.
            tiles: Counts,
        },
        /// A tile was turned face up from the wall for a row of `[turned]`.
        #[serde(rename = "turned")]
        TileTurned {
            /// The row.
            row: TurnedId,
            /// The tile.
            tile: Tile,
        },
        /// Seats may win on the tile that was turned when the tiles were dealt. A log has no line for this.
        #[serde(rename = "offered")]
        TurnedOffered {
            /// The tile.
            tile: Tile,
        },
        /// A bonus tile was laid aside.
        #[serde(rename = "aside")]
        LaidAside {
            /// Whose tile.
            seat: Seat,
            /// The tile.
            tile: Tile,
        },
        /// A tile was discarded.
        #[serde(rename = "dahai")]
        Discarded {
            /// The seat that discarded the tile.
            seat: Seat,
            /// The tile.
            tile: Tile,
            /// True when it was the tile just drawn.
            drawn: bool,
        },
        /// A discard was claimed for a meld.
        #[serde(rename = "claim")]
        Claimed {
            /// The claiming seat.
            seat: Seat,
            /// The seat that discarded the tile.
            from: Seat,
            /// The claimed tile.
            tile: Tile,
            /// The meld. The red fives are those beside the claimed tile.
            tiles: MeldTiles,
            /// True when the other three tiles of a kong were a concealed pung on the table.
            laid: bool,
        },
        /// A player put a tile in the place of a wild tile in a meld, and took the wild tile.
        #[serde(rename = "swap")]
        Swapped {
            /// The seat that took the wild tile.
            seat: Seat,
            /// Whose meld.
            owner: Seat,
            /// The tiles of the meld before.
            tiles: MeldTiles,
            /// The tile.
            tile: Tile,
        },
        /// A concealed kong was declared.
        #[serde(rename = "ankan")]
        ConcealedKong {
            /// Whose kong.
            seat: Seat,
            /// Its kind. `None` for seats that may not see it.
            kind: Option<Kind>,
            /// How many of its tiles are red fives.
            reds: u8,
            /// True when it lies face down.
            hidden: bool,
        },
        /// A face-down kong was challenged and shown.
        #[serde(rename = "challenge")]
        Challenged {
            /// The challenging seat.
            seat: Seat,
            /// Whose kong.
            owner: Seat,
            /// Its kind.
            kind: Kind,
        },
        /// A player announced a hand. The discard that belongs to it comes next.
        #[serde(rename = "declare")]
        Announced {
            /// Whose hand.
            seat: Seat,
            /// What was announced.
            announcement: Announcement,
        },
        /// A player declared a win without a winning hand. It ends the deal.
        #[serde(rename = "penalty")]
        FalseWin {
            /// The declaring seat.
            seat: Seat,
        },
        /// A judge declared a hand dead.
        #[serde(rename = "dead_hand")]
        HandDied {
            /// Whose hand.
            seat: Seat,
        },
        /// An indicator was turned.
        #[serde(rename = "dora")]
        IndicatorTurned {
            /// The tile.
            tile: Tile,
        },
        /// A fourth tile was added to a pung on the table.
        #[serde(rename = "kakan")]
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
        #[serde(rename = "reach")]
        RiichiDeclared {
            /// The declaring seat.
            seat: Seat,
        },
        /// No seat won off the riichi discard, and the deposit is paid.
        #[serde(rename = "reach_accepted")]
        RiichiAccepted {
            /// The seat that declared riichi.
            seat: Seat,
        },
        /// A player laid concealed tiles down as a meld.
        #[serde(rename = "lay")]
        LaidDown {
            /// Whose meld.
            seat: Seat,
            /// The meld.
            group: Group,
        },
        /// A seat won. The deal ends, unless play goes on after a win.
        #[serde(rename = "hora")]
        Won {
            /// The winner.
            seat: Seat,
            /// How.
            win: Win,
        },
        /// The dealer chose to end the match after this deal.
        #[serde(rename = "end")]
        MatchEnded {
            /// The dealer's seat.
            seat: Seat,
        },
        /// The deal ended without a winner because no tile is left to draw.
        #[serde(rename = "exhausted")]
        Exhausted,
        /// The deal ended without a winner while tiles were left.
        #[serde(rename = "ryukyoku")]
        Aborted {
            /// Why.
            draw: AbortiveDraw,
            /// The declaring seat, if a declaration is needed.
            seat: Option<Seat>,
        },
    }
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
