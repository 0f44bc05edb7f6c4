//! What is scored, what comes of it, and what cannot be scored.

use super::family::Tally;
use super::pattern::Lines;
use crate::counts::Counts;
use crate::hand::{Hand, HandError};
use crate::list::List;
use crate::meld::Group;
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::{Tile, Wind};
use crate::tile_set::TileSet;

/// The worth of one hand. Two are equal whose groups were found in the same order, as those of the same hand are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Score {
    /// Points before settlement.
    pub points: i64,
    /// How they came about.
    pub tally: Tally,
    /// The patterns that counted, in the ruleset's order.
    pub lines: Lines,
    /// The groups of the reading that counted, as they were found.
    pub(crate) groups: List<Group, 8>,
    /// The concealed tiles of a form that has no groups.
    pub singles: Option<Counts>,
    /// Some declared meld is open.
    pub is_open: bool,
}

impl Score {
    /// The groups of the reading that counted, declared melds included, in byte order of their notation.
    ///
    /// ```
    /// use paishan::score::ScoreInput;
    /// use paishan::state::{FlagSet, Way, Win};
    /// use paishan::{Hand, Notation, Ruleset, Seat, Wind, ruleset};
    ///
    /// let celestial = ruleset::by_id("celestial", &[])?;
    /// let tiles = Notation::Ujmj.parse("777s123t456t23m99s")?;
    /// let hand = Hand::try_new(&celestial.plan().tiles, &tiles, &[], &[])?;
    /// let win = Win {
    ///     tile: Notation::Ujmj.parse_one("4m")?,
    ///     way: Way::Discard,
    ///     from: Seat::from_letter('N'),
    ///     flags: FlagSet::EMPTY,
    ///     kongs_in_row: 0,
    /// };
    /// let seat = Seat::from_letter('S').expect("a seat");
    /// let score = celestial.score(&ScoreInput::new(&hand, seat, Wind::East, Some(&win)))?;
    /// let groups: Vec<String> = score.arrangement().iter().map(|group| group.to_string()).collect();
    /// assert_eq!(groups, ["123t", "234m", "456t", "777s", "99s"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn arrangement(&self) -> List<Group, 8> {
        let mut groups = self.groups;
        groups.sort_unstable_by_key(|group| group.key());
        groups
    }
}

/// A hand that has no score.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ScoreError {
    /// The tiles are no winning form, or the winning tile may not complete them.
    #[error("the tiles are no win")]
    NotAWin,
    /// A complete hand that is not worth enough.
    #[error("the hand is not worth enough to win")]
    BelowMinimum(Box<Score>),
    /// The ruleset scores winners only.
    #[error("only the winner's hand has a score")]
    NotScored,
    /// A seat that the table does not have, of the hand or of who gave the tile.
    #[error("nobody sits at {seat}")]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
    },
    /// A tile that the winner has given himself.
    #[error("{seat} cannot win off a tile of his own")]
    FromOneself {
        /// The winner.
        seat: Seat,
    },
    /// Nobody has given the tile that was not drawn, so nobody pays for it.
    #[error("nobody has given the tile that {seat} wins off")]
    NoGiver {
        /// The winner.
        seat: Seat,
    },
    /// Tiles that no hand of the ruleset can be.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// The hands are not those of the whole table in seat order.
    #[error("{have} hands, or not in seat order: the table has {want} seats")]
    NotTheTable {
        /// How many hands were given.
        have: usize,
        /// How many seats the table has.
        want: usize,
    },
}

impl ScoreError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAWin => "not-a-win",
            Self::BelowMinimum(_) => "below-minimum",
            Self::Hand(error) => error.code(),
            Self::NotScored
            | Self::NoSuchSeat { .. }
            | Self::FromOneself { .. }
            | Self::NoGiver { .. }
            | Self::NotTheTable { .. } => "bad-request",
        }
    }
}

/// A hand to be scored.
#[derive(Clone, Copy, Debug)]
pub struct ScoreInput<'a> {
    /// The hand without the winning tile.
    pub hand: &'a Hand,
    /// The seat.
    pub seat: Seat,
    /// The wind of the round.
    pub round: Wind,
    /// The win, `None` for a hand that did not win.
    pub win: Option<&'a Win>,
    /// Indicators (bonus tiles) that lie face up; empty where a ruleset has none.
    pub bonus: &'a [Tile],
    /// Indicators under them; empty where a ruleset has none.
    pub ura: &'a [Tile],
    /// Counters on the table.
    pub counters: u32,
}

impl ScoreInput<'_> {
    /// Refuses what cannot be at a table of `players`. The seats must exist, and nobody wins off himself. Beside the
    /// winning tile a hand has thirteen, a meld counting three. All tiles are in the set, none more often than there.
    /// Who gave a tile may be unknown: requests may leave it out (`rulesets/riichi-mcgill.md` §12).
    pub(crate) fn check(&self, tiles: &TileSet, players: usize) -> Result<(), ScoreError> {
        let Self {
            hand, seat, win, ..
        } = *self;
        let from = win.and_then(|win| win.from);
        if let Some(seat) = [Some(seat), from]
            .into_iter()
            .flatten()
            .find(|seat| seat.index() >= players)
        {
            return Err(ScoreError::NoSuchSeat { seat });
        }
        if from == Some(seat) {
            return Err(ScoreError::FromOneself { seat });
        }
        if hand.dead {
            // However many tiles it has, they count for nothing.
            return Ok(());
        }
        if hand.size() != 13 {
            return Err(HandError::wrong_count(hand.size(), "13").into());
        }
        hand.check_copies(tiles, win.map(|win| win.tile))?;
        Ok(())
    }
}

impl<'a> ScoreInput<'a> {
    /// A hand without indicators and counters.
    pub const fn new(hand: &'a Hand, seat: Seat, round: Wind, win: Option<&'a Win>) -> Self {
        Self {
            hand,
            seat,
            round,
            win,
            bonus: &[],
            ura: &[],
            counters: 0,
        }
    }
}
