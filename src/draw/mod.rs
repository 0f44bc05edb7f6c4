//! Tiles to look at: a compact drawing for a terminal ([`text`]) and SVG pictures ([`svg`]).
//!
//! Unicode has no tiles for sixteen ranks, a zero or compressed winds, so both are drawn by the
//! crate itself: the text of ranks and suit letters, the pictures of plain shapes, without fonts.

pub mod svg;
pub mod text;

use crate::hand::Hand;
use crate::meld::{Family, Meld};
use crate::tile::Tile;

/// A piece as it lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// Face up.
    Up(Tile),
    /// Face down.
    Down,
}

/// Pieces in a row, in groups with a gap between them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Row {
    /// The groups; none is empty.
    pub groups: Vec<Vec<Piece>>,
}

impl Row {
    fn push(&mut self, pieces: impl IntoIterator<Item = Piece>) {
        let group: Vec<Piece> = pieces.into_iter().collect();
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// A hand as its owner shows it: the concealed tiles in order, the last tile beside them, the
    /// melds as they were declared, the flowers. `last` may be a tile just drawn or the tile of somebody else: a
    /// hand that waits for a tile (3n + 1 of them) does not have it yet and is drawn whole; out of any other hand it is
    /// taken, if it is there.
    ///
    /// ```
    /// use paishan::draw::Row;
    /// use paishan::{Hand, Notation, Ruleset, ruleset};
    /// let uzje = ruleset::by_id("uzje", &[])?;
    /// let tiles = Notation::Ujmj.parse("9xasZEE")?;
    /// let hand = Hand::try_new(&uzje.plan().tiles, &tiles, &[], &[])?;
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
        row.push(
            hand.flowers
                .iter()
                .map(|flower| Piece::Up(Tile::flower(flower))),
        );
        row
    }
}

/// The pieces of a meld: of a concealed kong two lie face down, of one that is not shown all four.
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
