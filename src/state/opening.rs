//! What all seats choose at the same time, before the first turn.

use crate::list::List;
use crate::seat::BySeat;
use crate::set::SeatSet;
use crate::tile::{Kind, Suit};

/// The most tiles that a seat may exchange.
pub const MAX_EXCHANGED: usize = 4;

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum OpeningChoice {
    /// The tiles that each seat gives away.
    Exchange,
    /// The suit that each hand will do without.
    MissingSuit,
}

/// A choice of all seats before the first turn. It stays hidden until all have chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Opening {
    /// What is chosen.
    pub choice: OpeningChoice,
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
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            tiles: List::over(Kind::EAST),
            suit: None,
        }
    }
}

impl Opening {
    /// A choice that no seat has made.
    pub(crate) fn of(choice: OpeningChoice, players: usize) -> Self {
        Self {
            choice,
            waiting: SeatSet::of_table(players),
            chosen: BySeat::default(),
        }
    }
}
