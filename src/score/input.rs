//! A hand to be scored, its score, and why it may have none.

use super::amounts::MOST_SUMS;
use super::facts::Tallied;
use super::family::Tally;
use super::pattern::Lines;
use crate::counts::Counts;
use crate::hand::{Hand, HandError};
use crate::list::List;
use crate::meld::Group;
use crate::seat::Seat;
use crate::state::{TurnedTile, Win};
use crate::tile::{Tile, Wind};
use crate::tile_set::TileSet;

/// The score of one hand. Equality includes the order in which groups were found. Scores of the same hand have
/// the same order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Score {
    /// Points before settlement.
    pub points: i64,
    /// The sums behind the points.
    pub tally: Tally,
    /// The patterns that counted, in the ruleset's order.
    pub lines: Lines,
    /// The groups of the reading that counts, in the order in which they were found.
    pub(crate) groups: List<Group, 8>,
    /// The index in `groups` of the group that the winning tile completed.
    pub(crate) winning: Option<u8>,
    /// The concealed tiles that are in no group, if the form has such tiles.
    pub singles: Option<Counts>,
    /// Some declared meld is open.
    pub is_open: bool,
}

impl Score {
    /// A score of points alone, for a hand whose tiles are not known.
    pub(crate) fn of_points(points: i64, tally: Tally) -> Self {
        Self {
            points,
            tally,
            lines: Lines::new(),
            groups: List::new(),
            winning: None,
            singles: None,
            is_open: false,
        }
    }

    /// The groups of the reading that counts, declared melds included. They are in byte order of their
    /// notation.
    ///
    /// ```
    /// use paishan::score::ScoreInput;
    /// use paishan::state::{FlagSet, Way, Win};
    /// use paishan::{Hand, Notation, Rules, Ruleset, Seat, Wind};
    ///
    /// let celestial = Rules::by_id("celestial")?;
    /// let tiles = Notation::Ujmj.parse("777s123t456t23m99s")?;
    /// let hand = Hand::try_new(&celestial.plan().tiles(), &tiles, &[], &[])?;
    /// let win = Win {
    ///     tile: Notation::Ujmj.parse_one("4m")?,
    ///     way: Way::Discard,
    ///     from: Seat::from_letter('N'),
    ///     flags: FlagSet::EMPTY,
    ///     kongs_in_row: 0,
    /// };
    /// let seat = Seat::from_letter('S').expect("a seat");
    /// let score = celestial.score_hand(&ScoreInput::new(&hand, seat, Wind::East, Some(&win)))?;
    /// let groups: Vec<String> = score.arrangement().iter().map(|group| group.to_string()).collect();
    /// assert_eq!(groups, ["123t", "234m", "456t", "777s", "99s"]);
    /// assert_eq!(score.winning_group().expect("the tile is in a run").to_string(), "234m");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn arrangement(&self) -> Vec<Group> {
        let mut groups = self.groups.to_vec();
        groups.sort_unstable_by_key(|group| group.key());
        groups
    }

    /// The group of the reading that counts that the winning tile completed. `None` if the tile is in no group, as in
    /// some special forms, and for a hand that did not win.
    pub fn winning_group(&self) -> Option<Group> {
        self.groups.get(usize::from(self.winning?)).copied()
    }
}

/// Why a hand has no score.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ScoreError {
    /// The tiles are not a winning hand, or the winning tile may not complete them.
    #[error("the tiles are no win")]
    NotAWin,
    /// A complete hand that is not worth enough. This is its score.
    #[error("the hand is not worth enough to win")]
    BelowMinimum(Box<Score>),
    /// The ruleset scores winners only.
    #[error("only the winner's hand has a score")]
    NotScored,
    /// The seat of the hand, or that of the giver of the tile, is not at the table.
    #[error("the table has no seat {seat}")]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
    },
    /// The winner is named as the giver of the winning tile.
    #[error("{seat} cannot win off a tile of his own")]
    FromOneself {
        /// The winner.
        seat: Seat,
    },
    /// The tile was not drawn and its giver is not known, so it is not known who pays.
    #[error("{seat} wins off a discard, but no seat discarded it")]
    NoGiver {
        /// The winner.
        seat: Seat,
    },
    /// The score names a pattern that the ruleset does not have. Scores of other rulesets and faulty rulesets cause this.
    #[error("the score names pattern {pattern}, the ruleset has {patterns}")]
    UnknownPattern {
        /// The index of the pattern.
        pattern: u16,
        /// How many patterns the ruleset has.
        patterns: usize,
    },
    /// Tiles that no hand of the ruleset can have.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// A deal was started with a wall of other tiles than those of its rules.
    #[error("the wall has other tiles than the rules")]
    OtherWall,
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
            | Self::OtherWall
            | Self::NoSuchSeat { .. }
            | Self::FromOneself { .. }
            | Self::NoGiver { .. }
            | Self::UnknownPattern { .. }
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
    /// The prevailing wind.
    pub round: Wind,
    /// The win. `None` for a hand that did not win.
    pub win: Option<&'a Win>,
    /// Face-up indicators. Empty if the ruleset has none.
    pub bonus: &'a [Tile],
    /// Indicators under them. Empty if the ruleset has none.
    pub ura: &'a [Tile],
    /// Tiles that were turned face up for rows of `[turned]`.
    pub turned: &'a [TurnedTile],
    /// Counters on the table.
    pub counters: u32,
    /// The seat has won before and is retired from the deal. It neither pays nor is paid.
    pub out: bool,
}

impl ScoreInput<'_> {
    /// The first face-up indicator. Where a turned tile says which kind is wild it is that tile.
    pub fn turned_tile(&self) -> Option<Tile> {
        self.bonus.first().copied()
    }

    /// Returns an error unless the hand is possible at a table of `players`:
    ///
    /// - Both seats exist, and they differ.
    /// - Without the winning tile the hand has `size` tiles. A meld counts as three.
    /// - All tiles are in the set, with no more copies than the set has.
    ///
    /// It may be unknown who gave a tile, because requests may leave that out (`rulesets/riichi-mcgill.md`
    /// §12).
    pub(crate) fn check(
        &self,
        tiles: &TileSet,
        size: usize,
        players: usize,
    ) -> Result<(), ScoreError> {
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
            // A dead hand scores nothing, whatever tiles it has.
            return Ok(());
        }
        if hand.size() != size {
            return Err(HandError::wrong_count(hand.size(), size.to_string()).into());
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
            turned: &[],
            counters: 0,
            out: false,
        }
    }
}

/// The first sum of a limit hand: more than any number in a condition.
const BEYOND: i64 = 1 << 40;

impl Tallied {
    /// The result of a score.
    pub(crate) fn of(score: &Score) -> Self {
        let whole = |number: i64| number.saturating_mul(10);
        let (limits, is_limit_hand, mut sums) = match &score.tally {
            Tally::Sums(sum) => (
                sum.limits,
                sum.limit_hand,
                sum.columns.map(|column| column.tenths()),
            ),
            Tally::HanFu(sum) => {
                let mut sums = [0; MOST_SUMS];
                sums[..2].copy_from_slice(&[sum.han, sum.fu].map(|sum| whole(sum.into())));
                (sum.limits, sum.limits > 0, sums)
            }
        };
        if is_limit_hand {
            sums[0] = BEYOND;
        }
        let wins = score.tally.wins();
        Self {
            wins,
            points: if wins { whole(score.points) } else { 0 },
            limits: whole(limits.into()),
            sums,
        }
    }
}
