//! Draws tiles: compactly for a terminal ([`text`]) and as SVG pictures ([`svg`]); and whole tables ([`Scene`]).
//!
//! Unicode has no tiles for sixteen ranks, a zero or compressed winds, so the crate draws all tiles itself.
//! The text consists of ranks and suit letters. The pictures consist of plain shapes, without fonts.

pub mod svg;
mod table;
pub mod text;

pub use table::{DiscardLayout, Scene, ScenePart};

use crate::hand::Hand;
use crate::meld::{Family, Meld};
use crate::tile::Tile;

/// A tile as it lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Piece {
    /// Face up.
    Up(Tile),
    /// Face up and turned by a quarter: the tile that a meld was claimed with, the discard of a riichi.
    Turned(Tile),
    /// Face down.
    Down,
}

/// A row of pieces, in groups with a gap between them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Row {
    /// The groups. None is empty.
    pub groups: Vec<Vec<Piece>>,
}

impl Row {
    fn push(&mut self, pieces: impl IntoIterator<Item = Piece>) {
        let group: Vec<Piece> = pieces.into_iter().collect();
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// The row of a hand: the concealed tiles in order, the last tile beside them, the melds as declared, the
    /// the bonus tiles laid aside.
    ///
    /// `last` may be a tile just drawn or another player's tile. A hand of 3n + 1 tiles does not contain it yet. From a
    /// hand of another size one copy of it is removed first, if present.
    ///
    /// ```
    /// use paishan::draw::Row;
    /// use paishan::{Hand, Notation, Rules};
    /// let uzje = Rules::by_id("uzje")?;
    /// let tiles = Notation::Ujmj.parse("9xasZEE")?;
    /// let hand = Hand::try_new(&uzje.plan().tiles(), &tiles, &[], &[])?;
    /// let row = Row::of_hand(&hand, Some(tiles[0]));
    /// assert_eq!(row.groups.iter().map(Vec::len).collect::<Vec<_>>(), [5, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_hand(hand: &Hand, last: Option<Tile>) -> Self {
        let mut row = Self::default();
        let waits = hand.size() % 3 == 1;
        let mut taken = last.filter(|_| !waits);
        row.push(hand.tiles().filter_map(|tile| {
            if taken == Some(tile) {
                taken = None;
                None
            } else {
                Some(Piece::Up(tile))
            }
        }));
        row.push(last.map(Piece::Up));
        for meld in hand.melds.iter() {
            row.push(meld_pieces(Some(meld)));
        }
        row.push(hand.aside.tiles().map(Piece::Up));
        row
    }
}

/// The pieces of a meld. Two tiles of a concealed kong lie face down. `None` is a hidden kong, of which all four tiles
/// lie face down.
fn meld_pieces(meld: Option<&Meld>) -> Vec<Piece> {
    let Some(meld) = meld else {
        return vec![Piece::Down; 4];
    };
    let mut pieces: Vec<Piece> = meld.tiles().map(Piece::Up).collect();
    if meld.group.family() == Family::Kong && !meld.open {
        pieces[0] = Piece::Down;
        pieces[3] = Piece::Down;
    }
    pieces
}
