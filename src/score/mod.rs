//! Scoring: every reading of a hand is tried against the patterns, the best one counts.

mod best;
pub(crate) mod condition;
mod doubles;
pub mod facts;
mod fan;
mod han_fu;
mod pattern;
mod reading;
mod settle;
mod sieve;

pub use best::best;
pub(crate) use best::wins;
pub use condition::{Condition, ConditionError, Count};
pub(crate) use condition::{Dead, Tallied};
pub use doubles::{Doubles, DoublesRules};
pub use facts::FamilySet;
pub use fan::{Fan, FanRules};
pub use han_fu::{FuRow, HanFu, HanFuRules, LimitRow};
pub use pattern::{Line, Lines, Pattern, PatternStatus, PatternValue};
pub use reading::{ReadGroup, Reading, TableFacts};
pub use settle::{
    AllPayRules, Payment, PaymentReason, Payments, RiichiRules, Settlement, SettlementRules,
};

pub(crate) use pattern::Liable;

use crate::counts::Counts;
use crate::decimal::Decimal;
use crate::decompose::{Decomposer, Grammar, Holding};
use crate::hand::{Hand, HandError};
use crate::list::List;
use crate::meld::Group;
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::Win;
use crate::tile::{Tile, Wind};
use crate::tile_set::TileSet;
use facts::{Class, Fact};
use sieve::{Glance, Sieve};
use std::ops::ControlFlow;

/// From whom a discard may complete a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ChowFrom {
    /// The player whose turn comes before.
    Previous,
    /// The player whose turn comes next.
    Next,
    /// Anyone.
    Any,
}

impl ChowFrom {
    /// Who may complete a run with a discard of `from`.
    #[inline]
    pub(crate) const fn seats(self, from: Seat, players: usize) -> SeatSet {
        match self {
            Self::Previous => SeatSet::one(from.next(players)),
            Self::Next => SeatSet::one(from.after(players - 1, players)),
            Self::Any => SeatSet::of_table(players),
        }
    }

    /// True when `seat` may complete a run with a discard of `from`.
    #[inline]
    pub const fn allows(self, seat: Seat, from: Seat, players: usize) -> bool {
        match self {
            Self::Previous => seat.index() == from.next(players).index(),
            Self::Next => from.index() == seat.next(players).index(),
            Self::Any => true,
        }
    }
}

/// Which groups a claimed tile may complete for a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct WinRules {
    /// Families that a claimed tile may complete.
    pub completes: FamilySet,
    /// From whom it may complete a run.
    pub run_from: ChowFrom,
    /// Players at the table.
    pub players: usize,
}

impl WinRules {
    /// True when a win may complete this group.
    #[inline]
    pub fn allows(&self, group: Group, seat: Seat, win: &Win) -> bool {
        if win.is_self_draw() {
            return true;
        }
        let family = group.family();
        let from_right_player = !family.is_run()
            || win
                .from
                .is_none_or(|from| self.run_from.allows(seat, from, self.players));
        self.completes.contains(family) && from_right_player
    }

    /// True when the hand with the last tile is complete in a way that may be won.
    pub fn can_win(&self, decomposer: &Decomposer, hand: &Hand, seat: Seat, win: &Win) -> bool {
        let Some(kind) = win.tile.kind() else {
            return false;
        };
        let Some(whole) = Holding::from(hand).with(kind) else {
            return false;
        };
        decomposer
            .arrangements(&whole, |arrangement| {
                let allowed = arrangement.groups.is_empty()
                    || arrangement
                        .groups
                        .iter()
                        .any(|&group| group.contains(kind) && self.allows(group, seat, win));
                if allowed {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .is_break()
    }
}

/// What scores in the hand of a player who did not win.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoserRules {
    /// Four alike among the concealed tiles are a kong; else a pung.
    pub kongs: bool,
    /// Classes of pairs that count, the first wins.
    pub(crate) pairs: Vec<Class>,
    /// The most pairs that count.
    pub most_pairs: usize,
}

/// The most patterns that a ruleset may have.
pub(crate) const MAX_PATTERNS: usize = 1000;

/// How a ruleset scores: its patterns, family and what it reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ScoreRules {
    /// Patterns in the order of display.
    patterns: Vec<Pattern>,
    /// The family that turns patterns into points.
    family: ScoreFamily,
    /// Both of them, compiled.
    sieve: Sieve,
    /// The step between values of patterns that are decimals.
    pub quantum: Decimal,
    /// Places of the patterns that win on a flower; such a win counts nothing else.
    flower_wins: Vec<usize>,
    /// The fewest flowers on the table with which one of those may hold, as far as their conditions tell.
    flowers_to_win: usize,
    /// Flags, and what a reading must be for a win with that flag.
    pub(crate) flag_readings: Vec<(usize, Condition)>,
    /// What a claimed tile may complete.
    pub win: WinRules,
    /// Some pattern asks how many kinds a hand waits for.
    asks_waits: bool,
    /// What losers score; `None` where they score nothing.
    pub losers: Option<LoserRules>,
}

impl ScoreRules {
    /// Rules of these patterns for the groups of a grammar.
    pub(crate) fn new(
        patterns: Vec<Pattern>,
        family: ScoreFamily,
        win: WinRules,
        grammar: &Grammar,
    ) -> Self {
        Self {
            sieve: Sieve::new(&patterns, &family, grammar),
            asks_waits: patterns.iter().any(|pattern| pattern.asks(Fact::Waits)),
            patterns,
            family,
            quantum: Decimal::whole(1),
            flower_wins: Vec::new(),
            flowers_to_win: 0,
            flag_readings: Vec::new(),
            win,
            losers: None,
        }
    }

    /// The same rules with patterns beside the others.
    pub(crate) fn with(&self, patterns: &[Pattern], grammar: &Grammar) -> Self {
        let patterns = [&self.patterns[..], patterns].concat();
        let all = Self::new(patterns, self.family.clone(), self.win, grammar);
        Self {
            patterns: all.patterns,
            sieve: all.sieve,
            asks_waits: all.asks_waits,
            ..self.clone()
        }
    }

    /// The same rules with the places of patterns that win on a flower.
    pub(crate) fn winning_on_flowers(mut self, places: Vec<usize>) -> Self {
        let least = places.iter().map(|&place| {
            let when = self.patterns[place].when.as_ref();
            when.map_or(0, |when| when.least_of(Fact::LaidFlowers))
        });
        self.flowers_to_win = least.min().unwrap_or(0);
        self.flower_wins = places;
        self
    }

    /// Places of the patterns that win on a flower; such a win counts nothing else.
    pub(crate) fn flower_wins(&self) -> &[usize] {
        &self.flower_wins
    }

    /// True when so many flowers on the table, beside the one that is won on, may be enough for a win on a flower.
    pub(crate) fn may_win_on_flower(&self, flowers: usize) -> bool {
        !self.flower_wins.is_empty() && flowers >= self.flowers_to_win
    }

    /// Patterns in the order of display.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The family that turns patterns into points.
    pub fn family(&self) -> &ScoreFamily {
        &self.family
    }
}

/// The family that turns patterns into points.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ScoreFamily {
    /// Points and doubles.
    Doubles(DoublesRules),
    /// Fan.
    Fan(FanRules),
    /// Han and fu.
    HanFu(HanFuRules),
}

impl ScoreFamily {
    /// The sum and the points of lines; lines that do not count after all are taken out.
    fn sum(
        &self,
        sieve: &Sieve,
        lines: &mut Lines,
        reading: &Reading<'_>,
        glance: &Glance,
    ) -> (Tally, i64) {
        let values = sieve.values();
        match self {
            Self::HanFu(rules) => {
                let fu = || sieve.fu(rules, reading, glance);
                let (sum, points) = rules.sum(values, lines, reading, fu);
                (Tally::HanFu(sum), points)
            }
            Self::Doubles(rules) => {
                let (sum, points) = rules.sum(values, lines);
                (Tally::Doubles(sum), points)
            }
            Self::Fan(rules) => {
                let (sum, points) = rules.sum(values, lines);
                (Tally::Fan(sum), points)
            }
        }
    }
}

/// Points and what decides between readings of as many, the most first.
type Worth = (i64, i64, i64);

/// How the points of a hand came about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Tally {
    /// In points and doubles.
    Doubles(Doubles),
    /// In fan.
    Fan(Fan),
    /// In han and fu.
    HanFu(HanFu),
}

impl Tally {
    /// What decides between two readings: points, then in doubles limit hands and the sum before
    /// rounding and limit, in fan the fan.
    fn worth(&self, points: i64) -> Worth {
        match self {
            Self::Doubles(sum) => (points, i64::from(sum.limit_hands), sum.uncapped),
            Self::Fan(sum) => (points, 0, sum.fan.tenths()),
            Self::HanFu(sum) => {
                let (limits, han) = (i64::from(sum.limits), i64::from(sum.han));
                (points, limits, han * 1000 + i64::from(sum.fu))
            }
        }
    }

    /// True when the hand is worth enough to win.
    pub const fn wins(&self) -> bool {
        match self {
            Self::Doubles(sum) => sum.wins,
            Self::Fan(sum) => sum.wins,
            Self::HanFu(sum) => sum.wins,
        }
    }
}

impl ScoreRules {
    /// True when a complete hand may be no win: a minimum, or flags that some readings rule out.
    pub(crate) fn must_score_to_win(&self) -> bool {
        let has_minimum = match &self.family {
            ScoreFamily::Fan(_) | ScoreFamily::HanFu(_) => true,
            ScoreFamily::Doubles(rules) => rules.minimum > 0,
        };
        has_minimum || !self.flag_readings.is_empty()
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
