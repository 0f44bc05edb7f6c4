//! What rows of `[payments]` pay for.

use crate::score::facts::{EventFact, Fact, Scope};

/// What a row of `[payments]` pays for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PaymentHook {
    /// A kong that can no longer be challenged or robbed. Its owner is paid.
    Kong,
    /// A tile that was laid aside and that nobody has won on. Its owner is paid.
    Aside,
    /// A hand that was shown in a step of `[opening]`. Its owner is paid.
    Shown,
    /// The beginning of play, after all steps of `[opening]`. Each seat is paid.
    Dealt,
    /// A win. Each winner is paid, those off one tile in turn order from its giver.
    Win,
    /// A wall that was used up. Each seat in play is paid.
    Exhausted,
    /// The end of a deal that was won, or whose wall was used up. Each seat is paid. A claimed winning tile is in no hand.
    DealEnd,
}

impl PaymentHook {
    /// Every hook, with its word in ruleset files.
    pub const WORDS: [(&'static str, Self); 7] = [
        ("kong", Self::Kong),
        ("aside", Self::Aside),
        ("shown", Self::Shown),
        ("dealt", Self::Dealt),
        ("win", Self::Win),
        ("exhausted", Self::Exhausted),
        ("deal-end", Self::DealEnd),
    ];

    /// The word in ruleset files.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// True while the deal goes on, wins after which it goes on not counted.
    pub(crate) const fn is_within_deal(self) -> bool {
        matches!(self, Self::Kong | Self::Aside | Self::Shown | Self::Dealt)
    }

    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// True when a fact is known to a row of this hook. Facts about the deal are not known where a request settles, too.
    pub(crate) fn knows(self, fact: &Fact) -> bool {
        match fact {
            Fact::Event(EventFact::Made { .. } | EventFact::AddedDrawn) => self == Self::Kong,
            Fact::Event(EventFact::Completes { .. }) => self == Self::Aside,
            Fact::Event(
                EventFact::Turned { .. }
                | EventFact::TurnedTo { .. }
                | EventFact::Winners
                | EventFact::Liable,
            ) => self == Self::Win,
            Fact::Event(EventFact::Shown { .. }) => self == Self::Shown,
            Fact::Event(EventFact::Gave) => matches!(self, Self::Kong | Self::Win),
            Fact::Event(
                EventFact::Ready
                | EventFact::Barred
                | EventFact::DiscardedOnly { .. }
                | EventFact::BestWin,
            ) => self == Self::Exhausted,
            Fact::Event(EventFact::WithDealer | EventFact::Counters) => true,
            fact if fact.is_of_winning_tile() => false,
            fact if fact.is_of_win() => self == Self::Win,
            fact => match fact.scope() {
                Scope::Hand | Scope::Result => self == Self::Win,
                Scope::Table => self.is_within_deal(),
                Scope::Claim => false,
                _ => true,
            },
        }
    }
}
