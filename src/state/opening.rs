//! What all seats choose at the same time, before the first turn.

use crate::list::List;
use crate::seat::BySeat;
use crate::set::SeatSet;
use crate::tile::{Kind, Suit};

/// The most tiles that a seat may pass.
pub const MAX_EXCHANGED: usize = 4;

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum OpeningChoice {
    /// The tiles that each seat passes to another.
    Exchange,
    /// The suit that each hand will do without.
    MissingSuit,
    /// Whether to show the hand. Only seats whose hands may be shown are asked.
    Show,
}

/// A choice of all seats before the first turn. It stays hidden until all have chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Opening {
    /// What is chosen.
    pub choice: OpeningChoice,
    /// The place of the step among those of [`Plan::opening`](crate::ruleset::Plan::opening).
    pub step: u8,
    /// The seats that still have to choose.
    pub waiting: SeatSet,
    pub(crate) chosen: BySeat<Chosen>,
}

/// What a seat has chosen so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Chosen {
    /// The tiles that it gives away, in tile order.
    pub(crate) tiles: List<Kind, MAX_EXCHANGED>,
    /// The suit that it will do without.
    pub(crate) suit: Option<Suit>,
    /// It shows its hand.
    pub(crate) shows: bool,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            tiles: List::over(Kind::EAST),
            suit: None,
            shows: false,
        }
    }
}

impl Opening {
    /// A choice that no seat has made.
    pub(crate) fn of(choice: OpeningChoice, step: u8, players: usize) -> Self {
        Self {
            choice,
            step,
            waiting: SeatSet::of_table(players),
            chosen: BySeat::default(),
        }
    }
}
