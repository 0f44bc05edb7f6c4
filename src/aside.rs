//! [`Aside`]: the bonus tiles that a player has laid beside the hand. [`AsideId`] names the rules for some of them.

use crate::set::{FlowerSet, KindSet};
use crate::tile::{Face, Kind, Tile};
use std::fmt;

/// Bits of a count.
const BITS: u32 = 3;

/// The most tiles of one kind.
const MOST: u32 = (1 << BITS) - 1;

/// The kinds that can be laid aside, in notation order: full winds, dragons and jokers.
const KINDS: [Kind; 8] = [
    Kind::EAST,
    Kind::SOUTH,
    Kind::WEST,
    Kind::NORTH,
    Kind::RED,
    Kind::GREEN,
    Kind::WHITE,
    Kind::JOKER,
];

/// The bonus tiles that a player has laid beside the hand, each for a replacement: flowers, full winds, dragons and
/// jokers. They are no part of the hand but count in its score.
///
/// ```
/// use paishan::{Aside, Kind, Notation};
/// let aside: Aside = Notation::Ujmj.parse("hNN")?.into_iter().collect();
/// assert_eq!((aside.len(), aside.count(Kind::NORTH)), (3, 2));
/// assert_eq!(Notation::Ujmj.print(aside.tiles()), "NNh");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Bytes, because a hand has no room for alignment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Aside {
    flowers: [u8; 2],
    /// Three bits for each of [`KINDS`].
    kinds: [u8; 3],
}

/// A set of kinds that can be laid aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct AsideKinds(u8);

impl AsideKinds {
    /// Those of these kinds that can be laid aside.
    pub(crate) fn of(kinds: KindSet) -> Self {
        let bits = KINDS.iter().enumerate();
        let bits = bits.map(|(place, kind)| u8::from(kinds.contains(*kind)) << place);
        Self(bits.sum())
    }

    pub(crate) fn contains(self, kind: Kind) -> bool {
        let place = KINDS.iter().position(|&own| own == kind);
        place.is_some_and(|place| self.0 >> place & 1 == 1)
    }
}

impl Aside {
    /// No tiles.
    pub const EMPTY: Self = Self {
        flowers: [0; 2],
        kinds: [0; 3],
    };

    /// True for a tile of which a hand can lay copies aside.
    pub fn takes(tile: Tile) -> bool {
        match tile.face() {
            Face::Flower(_) => true,
            Face::Plain(kind) => shift(kind).is_some(),
            Face::RedFive(_) => false,
        }
    }

    /// The flowers.
    #[inline]
    pub const fn flowers(&self) -> FlowerSet {
        FlowerSet::from_bits(u16::from_le_bytes(self.flowers))
    }

    /// The number of tiles of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        shift(kind).map_or(0, |shift| (self.counts() >> shift & MOST) as usize)
    }

    /// The tiles that are no flowers, in notation order.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        let aside = *self;
        // Most hands have none.
        let all = if self.counts() == 0 { &[][..] } else { &KINDS };
        all.iter()
            .flat_map(move |&kind| (0..aside.count(kind)).map(move |_| kind))
    }

    /// The tiles in notation order, flowers last.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        let flowers = self.flowers().iter().map(Tile::flower);
        self.kinds().map(Tile::plain).chain(flowers)
    }

    /// The number of tiles.
    pub fn len(&self) -> usize {
        self.flowers().len() + self.kinds().count()
    }

    /// True if there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        u16::from_le_bytes(self.flowers) == 0 && self.counts() == 0
    }

    /// Adds a tile. Returns false and changes nothing if there is no room for it, or for a second copy of a flower.
    pub(crate) fn add(&mut self, tile: Tile) -> bool {
        match tile.face() {
            Face::Flower(flower) => {
                let mut flowers = self.flowers();
                let is_new = !flowers.contains(flower);
                flowers.insert(flower);
                self.flowers = flowers.bits().to_le_bytes();
                is_new
            }
            Face::Plain(kind) => match shift(kind) {
                Some(shift) if self.counts() >> shift & MOST < MOST => {
                    self.set_counts(self.counts() + (1 << shift));
                    true
                }
                _ => false,
            },
            Face::RedFive(_) => false,
        }
    }

    /// Takes a tile away, if it is there.
    pub(crate) fn remove(&mut self, tile: Tile) {
        match tile.face() {
            Face::Flower(flower) => {
                let mut flowers = self.flowers();
                flowers.remove(flower);
                self.flowers = flowers.bits().to_le_bytes();
            }
            Face::Plain(kind) => {
                if let Some(shift) = shift(kind).filter(|shift| self.counts() >> shift & MOST > 0) {
                    self.set_counts(self.counts() - (1 << shift));
                }
            }
            Face::RedFive(_) => {}
        }
    }

    const fn counts(&self) -> u32 {
        let [a, b, c] = self.kinds;
        u32::from_le_bytes([a, b, c, 0])
    }

    fn set_counts(&mut self, counts: u32) {
        let [a, b, c, _] = counts.to_le_bytes();
        self.kinds = [a, b, c];
    }
}

/// The lowest bit of the count of a kind. `None` for a kind that cannot be laid aside.
fn shift(kind: Kind) -> Option<u32> {
    let place = KINDS.iter().position(|&own| own == kind)?;
    Some(place as u32 * BITS)
}

/// A row of `[aside]`, by its place in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct AsideId(u8);

impl AsideId {
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

impl FromIterator<Tile> for Aside {
    /// Leaves out tiles for which there is no room.
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut aside = Self::EMPTY;
        for tile in tiles {
            aside.add(tile);
        }
        aside
    }
}

impl fmt::Debug for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tiles()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    #[test]
    fn tiles_are_added_and_taken_away() {
        let tiles = Notation::Ujmj.parse("EESWWWNNNNCFPJJJJhz").unwrap();
        let mut aside: Aside = tiles.iter().copied().collect();
        assert_eq!(aside.tiles().collect::<Vec<_>>(), tiles);
        assert_eq!(aside.len(), tiles.len());
        for &tile in &tiles {
            aside.remove(tile);
            aside.remove(Tile::plain(Kind::ZERO));
        }
        assert!(aside.is_empty());
    }

    #[test]
    fn what_has_no_room_is_refused() {
        let mut aside = Aside::EMPTY;
        let tile = |text: &str| Notation::Ujmj.parse(text).unwrap()[0];
        assert!(aside.add(tile("h")) && !aside.add(tile("h")));
        for text in ["1t", "Rt", "Z", "H"] {
            assert!(
                !Aside::takes(tile(text)) && !aside.add(tile(text)),
                "{text}"
            );
        }
        let norths = (0..9).filter(|_| aside.add(tile("N"))).count();
        assert_eq!((norths, aside.len()), (7, 8));
    }
}
