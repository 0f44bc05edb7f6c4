//! Tiles that rows of `[turned]` turn face up from the wall.

use crate::tile::{Kind, Tile};

/// The most tiles of all rows of `[turned]` together.
pub const MAX_TURNED: usize = 8;

/// A row of `[turned]`, by its place in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct TurnedId(u8);

impl TurnedId {
    /// The row at a place in the file.
    pub(crate) const fn at(place: usize) -> Self {
        Self(place as u8)
    }

    /// The place in the file, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tile that was turned face up from the wall and belongs to nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TurnedTile {
    /// The row that it was turned for.
    pub row: TurnedId,
    /// The tile.
    pub tile: Tile,
}

impl TurnedTile {
    /// A tile that was turned for a row.
    pub const fn new(row: TurnedId, tile: Tile) -> Self {
        Self { row, tile }
    }

    /// How many seats after the one that counts the tile names: 1, 5 and 9 name that seat itself, 2 and 6 the next. A
    /// wind counts like its rank from East on. `None` for a tile without a rank.
    pub(crate) fn steps(self, players: usize) -> Option<usize> {
        let kind = self.tile.kind()?;
        let winds = [Kind::EAST, Kind::SOUTH, Kind::WEST, Kind::NORTH];
        let rank = match kind.rank() {
            Some(rank) => usize::from(rank.get()).checked_sub(1)?,
            None => winds.iter().position(|&wind| wind == kind)?,
        };
        Some(rank % players)
    }
}
