//! Errors of requests.

use crate::hand::HandError;
use crate::ruleset::CircumstanceError;
use crate::score::ScoreError;
use crate::seat::Seat;
use crate::tile::Tile;

/// The error for a request that the ruleset does not allow.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The request has neither one hand nor every hand in seat order.
    #[error(
        "{have} hands, or not in seat order: a request has one hand, or those of all {want} seats"
    )]
    NotTheTable {
        /// How many hands were given.
        have: usize,
        /// How many seats the table has.
        want: usize,
    },
    /// A seat that is not at the table.
    #[error("there is no seat {seat} at this table")]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
    },
    /// A winner without a hand.
    #[error("{seat} wins, but the hand is not given")]
    NoHand {
        /// The winner.
        seat: Seat,
    },
    /// The ruleset does not have this part.
    #[error("the ruleset has no {part}")]
    NotInRules {
        /// The part of the request.
        part: &'static str,
    },
    /// An impossible hand.
    #[error("hand of {seat}: {error}")]
    Hand {
        /// The player.
        seat: Seat,
        /// What is wrong with it.
        error: HandError,
    },
    /// Tiles of the whole table that the set does not have, or has fewer copies of.
    #[error(transparent)]
    Tiles(#[from] HandError),
    /// A flower in a hand of a ruleset that has flowers laid down before play.
    #[error("hand of {seat}: {tile} belongs among the flowers")]
    HeldFlower {
        /// The player.
        seat: Seat,
        /// The flower.
        tile: Tile,
    },
    /// An impossible win.
    #[error("win of {seat}: {fault}")]
    Win {
        /// The winner.
        seat: Seat,
        /// What is wrong with it.
        fault: WinFault,
    },
    /// Several wins that the ruleset does not allow at once.
    #[error("these players cannot win together")]
    WinsTogether,
    /// Wins off different tiles where play goes on after a win.
    #[error(
        "play goes on after a win: wins off different tiles are settled in a request each, with `out` for \
         players who have won before"
    )]
    WinsApart,
    /// An ending beside a win, or two endings.
    #[error("the deal cannot have ended in both ways")]
    TwoEndings,
    /// A deal without a win whose payments depend on facts that requests do not have.
    #[error(
        "a deal without a win cannot be settled: what is paid for it follows from missing suits and payments for \
         kongs, which no request has"
    )]
    OpenEnd,
    /// Everything is in order, but the hand has no score.
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// The error for an impossible win.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WinFault {
    /// The seat that gave the tile is missing, so no payment can be found.
    #[error("`from` is missing: a seat gave the tile")]
    NoGiver,
    /// The winner gave the tile.
    #[error("the tile comes from the winner")]
    FromOneself,
    /// A drawn tile has a giver.
    #[error("`from` is given, but the tile was drawn")]
    FromBesideDraw,
    /// No open kong of the winner was claimed from that seat.
    #[error("no open kong was fed by {from}")]
    NotFed {
        /// The seat that is named.
        from: Seat,
    },
    /// More kongs in a row than the win can have.
    #[error("{count} kongs in a row: there are 1 to 4, with the flag of kongs in a row only")]
    KongsInRow {
        /// How many.
        count: u8,
    },
    /// The tile is won as the turned one, but another tile or none was turned.
    #[error("the winning tile is not the turned tile")]
    NotTurned,
    /// The seat has won before.
    #[error("a seat that is out of play cannot win again")]
    Out,
    /// The way of the win, the flags, and the hand contradict each other.
    #[error(transparent)]
    Contradiction(#[from] CircumstanceError),
}

/// The error for an unfinished hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NearestError {
    /// A hand or circumstances that the ruleset does not allow.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The ruleset has no such pattern.
    #[error("no pattern `{id}`")]
    NoPattern {
        /// The id.
        id: String,
    },
    /// A bound that is too great.
    #[error("distances up to {most} are searched for, not up to {within}", most = super::Unfinished::MOST)]
    Within {
        /// The bound.
        within: u8,
    },
}

impl NearestError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Request(error) => error.code(),
            _ => "bad-request",
        }
    }
}

impl RequestError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Hand { error, .. } | Self::Tiles(error) => error.code(),
            Self::Score(error) => error.code(),
            _ => "bad-request",
        }
    }
}
