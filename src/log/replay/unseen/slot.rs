//! A dealt tile, followed through the steps in which tiles are passed.

use crate::tile::Tile;

/// A tile that was dealt.
#[derive(Clone)]
pub(super) struct Slot {
    /// What it is, if the log tells.
    pub(super) tile: Option<Tile>,
    /// After which numbers of steps the log tells where it is.
    pub(super) told: Vec<usize>,
    /// The player to whom it was dealt, and who has it after each step.
    pub(super) at: Vec<usize>,
    /// The player who has it when the turns begin, and its index among the player's arrivals.
    pub(super) last: (usize, usize),
}

impl Slot {
    /// A tile that was dealt to a player, if the log tells it.
    pub(super) fn dealt(player: usize, tile: Option<Tile>) -> Self {
        Self {
            tile,
            told: tile.map(|_| 0).into_iter().collect(),
            at: vec![player],
            last: (player, 0),
        }
    }

    /// The player to whom it was dealt.
    pub(super) fn dealt_to(&self) -> usize {
        self.at[0]
    }

    /// True if the log does not tell what it is.
    pub(super) const fn is_hidden(&self) -> bool {
        self.tile.is_none()
    }

    /// Notes that the log tells what it is, after the steps so far.
    pub(super) fn tell(&mut self, tile: Tile) {
        self.tile = Some(tile);
        self.told.push(self.at.len() - 1);
    }

    /// After how many steps the log tells last where it is.
    pub(super) fn since(&self) -> usize {
        self.told.last().copied().unwrap_or(0)
    }
}

/// A tile that a player passes to another.
pub(super) struct Gift {
    pub(super) line: usize,
    pub(super) giver: usize,
    pub(super) receiver: usize,
    pub(super) tile: Option<Tile>,
}

/// A tile that was passed: the line, the giver, the slot, and the number of the step among those in which tiles are passed.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    pub(super) line: usize,
    pub(super) giver: usize,
    pub(super) slot: usize,
    pub(super) step: usize,
}
