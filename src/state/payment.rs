//! What payments while a deal goes on depend on: the way of a kong, and what was paid so far.

use crate::seat::{BySeat, Seat};

/// How a kong was made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KongWay {
    /// With four tiles of the player's own.
    Concealed,
    /// With a claimed discard.
    Claimed,
    /// By adding a tile to a pung on the table.
    Added,
}

impl KongWay {
    /// Every way, with its word in ruleset files.
    pub const WORDS: [(&'static str, Self); 3] = [
        ("concealed", Self::Concealed),
        ("claimed", Self::Claimed),
        ("added", Self::Added),
    ];

    /// The word in ruleset files.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// What was paid in a deal and may be returned, in the least unit of the ruleset.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Accounts {
    /// The payments to each seat, by payer.
    paid: BySeat<BySeat<i32>>,
    /// What each seat paid for the last event, and for those that followed each other directly before it.
    last: BySeat<i32>,
}

impl Accounts {
    /// Notes a payment.
    pub(crate) fn add(&mut self, to: Seat, from: Seat, units: i64) {
        let sum = i32::try_from(units).unwrap_or(i32::MAX);
        for noted in [&mut self.paid[to][from], &mut self.last[from]] {
            *noted = noted.saturating_add(sum);
        }
    }

    /// Begins a new event, which does not follow the one before directly.
    pub(crate) fn begin(&mut self) {
        self.last = BySeat::default();
    }

    /// Takes out what was paid to a seat, by payer.
    pub(crate) fn take(&mut self, to: Seat) -> BySeat<i32> {
        std::mem::take(&mut self.paid[to])
    }

    /// Takes out what was paid for the last event, to this seat.
    pub(crate) fn take_last(&mut self, to: Seat) -> BySeat<i32> {
        let last = std::mem::take(&mut self.last);
        for (paid, last) in self.paid[to].iter_mut().zip(last.as_slice()) {
            *paid = paid.saturating_sub(*last);
        }
        last
    }
}
