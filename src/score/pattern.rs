//! [`Pattern`]: a named feature that a hand scores for.

use super::amounts::Amounts;
use super::condition::{Combination, Condition, Count};
use super::facts::{Class, Fact, FamilySet};
use super::reading::Reading;

use crate::lang::Names;
use smallvec::SmallVec;

/// What a pattern is worth each time it counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PatternValue {
    /// What it adds to each column, and limits.
    Sums(Amounts),
    /// Nothing: its line only shows that a condition holds.
    Mark,
    /// Limits of a limit hand in han and fu. If any pattern has these, han do not count.
    Limits(u32),
    /// Han of a yaku.
    Han {
        /// In a closed hand.
        closed: u32,
        /// In an open hand. 0 if the yaku does not count there.
        open: u32,
    },
    /// Han that are not from yaku, such as dora.
    BonusHan(u32),
    /// Han that replace all others if the hand is worth less without them.
    HanAlone(u32),
}

impl PatternValue {
    /// True for a pattern that is switched off. It never counts and supersedes nothing.
    pub(crate) fn is_off(self) -> bool {
        match self {
            Self::Limits(limits) => limits == 0,
            Self::Sums(amounts) => amounts.is_nothing(),
            _ => false,
        }
    }

    /// True for a limit hand.
    pub(crate) fn is_limit(self) -> bool {
        match self {
            Self::Limits(_) => true,
            Self::Sums(amounts) => amounts.limits > 0,
            _ => false,
        }
    }

    /// Han of a yaku in a closed or an open hand.
    pub(crate) fn han(self, is_closed: bool) -> u32 {
        match self {
            Self::Han { closed, .. } if is_closed => closed,
            Self::Han { open, .. } => open,
            _ => 0,
        }
    }
}

/// Whether a value may be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PatternStatus {
    /// The source gives the value.
    #[default]
    Fixed,
    /// The source says that it may change.
    Provisional,
    /// The source gives no value.
    Assumed,
}

/// The most times that a pattern counts. It keeps sums small, whatever a file says.
pub(super) const MAX_TIMES: i32 = 255;

/// Liability (pao): the player who fed a declared meld is liable for a pattern. Source:
/// `rulesets/riichi-mcgill.md` §6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Liable {
    /// Families of the melds that count.
    pub(crate) families: FamilySet,
    /// All tiles of such a meld are in this class.
    pub(crate) class: Class,
    /// Which of these melds decides, counted from 1. `None` is the last one.
    pub(crate) nth: Option<usize>,
    /// No player is liable for a kong that was added to a pung.
    pub(crate) not_added: bool,
}

/// A named feature that a hand scores for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pattern {
    /// The id, as in the rule document.
    pub id: String,
    /// The names by language, for people.
    pub names: Names,
    /// Its key in the file, which differs from the id where several patterns share one.
    pub(crate) key: String,
    /// What it is worth.
    pub value: PatternValue,
    /// When it counts. `None` means always.
    pub when: Option<Condition>,
    /// How often it counts. `None` means once.
    pub per: Option<Count>,
    /// Indices of the patterns that do not count beside it. If it is superseded itself, they do.
    pub supersedes: Vec<usize>,
    /// The combinations of melds that it counts. After the first that counts, each has at most one meld that is already
    /// combined.
    pub(crate) combines: Vec<Combination>,
    /// What it requires besides the melds that it combines.
    pub(crate) beside_melds: Option<Condition>,
    /// Who is liable for the pattern. `None` means no player.
    pub(crate) liable: Option<Liable>,
    /// What it is.
    pub doc: String,
    /// Where the rule comes from.
    pub src: String,
    /// Whether the value may be tuned.
    pub status: PatternStatus,
}

impl Pattern {
    /// A marker: a pattern worth nothing whose line shows that a condition holds.
    pub(crate) fn marking(when: Condition) -> Self {
        Self {
            id: String::new(),
            names: Names::default(),
            key: String::new(),
            value: PatternValue::Mark,
            when: Some(when),
            per: None,
            supersedes: Vec::new(),
            combines: Vec::new(),
            beside_melds: None,
            liable: None,
            doc: String::new(),
            src: String::new(),
            status: PatternStatus::Fixed,
        }
    }

    /// True when the pattern's condition holds for a reading, whatever the pattern is worth.
    pub(crate) fn holds(&self, reading: &Reading<'_>) -> bool {
        self.when.as_ref().is_none_or(|when| when.holds(reading))
    }

    /// The condition that is evaluated before melds are looked up.
    pub(super) fn compiled_when(&self) -> &Option<Condition> {
        match self.combines.is_empty() {
            true => &self.when,
            false => &self.beside_melds,
        }
    }

    /// True when `is` holds for some fact of the pattern.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        self.when.as_ref().is_some_and(|when| when.any_fact(is))
            || self.per.as_ref().is_some_and(|per| per.any_fact(is))
    }

    /// True when the pattern uses a fact.
    pub(crate) fn asks(&self, fact: Fact) -> bool {
        self.when.as_ref().is_some_and(|when| when.asks(fact))
            || self.per.as_ref().is_some_and(|per| per.asks(fact))
    }

    /// How often the pattern counts for a reading.
    pub(super) fn times(&self, reading: &Reading<'_>) -> u32 {
        let is_han = matches!(self.value, PatternValue::Han { .. });
        let no_han = is_han && self.value.han(reading.hand.is_closed()) == 0;
        if self.value.is_off() || no_han || !self.holds(reading) {
            return 0;
        }
        self.times_where_it_holds(reading)
    }

    /// The same, if the condition is known to hold and the value to count.
    pub(super) fn times_where_it_holds(&self, reading: &Reading<'_>) -> u32 {
        match &self.per {
            Some(per) => per.value(reading).clamp(0, MAX_TIMES) as u32,
            None => 1,
        }
    }
}

/// A pattern that counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// The index of the pattern in the ruleset's list.
    pub pattern: u16,
    /// How often it counted, at least once.
    pub times: u16,
}

/// Lines of a score, in the order of the ruleset's patterns.
pub type Lines = SmallVec<[Line; 16]>;

/// The most patterns that a ruleset may have.
pub(crate) const MAX_PATTERNS: usize = 1000;
