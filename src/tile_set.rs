//! [`TileSet`]: which tiles a ruleset plays with, and how many of each.

use crate::counts::{Counts, MAX_COPIES, MOST_COPIES};
use crate::list::List;
use crate::seat::{BySeat, Seat};
use crate::set::{FlowerSet, KindSet};
use crate::tile::{Face, Kind, Rank, Suit, Tile};

/// The most tiles that a set lists. No wall has so many.
const MOST_TILES: usize = 255;

/// The tiles of a ruleset: copies of each kind, red fives among them, and flowers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TileSet {
    copies: Counts,
    reds: [u8; 3],
    flowers: FlowerSet,
    /// The flowers that belong to each seat.
    own: BySeat<FlowerSet>,
    /// Every physical tile in notation order, kept because each wall starts as this list.
    all: List<Tile, MOST_TILES>,
    /// A hash of the tiles, with which walls name the set that they were built from.
    id: u32,
}

impl Default for TileSet {
    /// A set without tiles.
    fn default() -> Self {
        Self::new(Counts::EMPTY, [0; 3], FlowerSet::EMPTY)
    }
}

impl TileSet {
    /// A set with these copies of each kind, `reds` red fives in each suit, and flowers. Red fives replace
    /// plain ones. If a suit has more red fives than fives, all its fives are red. A set of more than 255 tiles does not
    /// list the last ones.
    pub fn new(copies: Counts, reds: [u8; 3], flowers: FlowerSet) -> Self {
        let reds = std::array::from_fn(|lane| {
            let five = Kind::number(Suit::ALL[lane], Rank::FIVE);
            reds[lane].min(copies.get(five))
        });
        let mut all = List::over(Tile::plain(Kind::EAST));
        let of_kind = |kind: Kind| {
            let red = match (kind.suit(), kind.rank()) {
                (Some(suit), Some(Rank::FIVE)) => Some((suit, reds[suit.lane()])),
                _ => None,
            };
            let plain = copies.get(kind) - red.map_or(0, |(_, count)| count);
            let reds = red.into_iter().flat_map(|(suit, count)| {
                std::iter::repeat_n(Tile::red_five(suit), usize::from(count))
            });
            reds.chain(std::iter::repeat_n(Tile::plain(kind), usize::from(plain)))
        };
        let kinds = copies.kinds().iter().flat_map(of_kind);
        let tiles = kinds.chain(flowers.iter().map(Tile::flower));
        all.extend(tiles.take(MOST_TILES));
        let id = all.iter().fold(0x811c_9dc5_u32, |hash, tile| {
            (hash ^ u32::from(tile.code())).wrapping_mul(0x0100_0193)
        });
        Self {
            copies,
            reds,
            flowers,
            own: BySeat::default(),
            all,
            id,
        }
    }

    /// The same set with these flowers, of which each seat owns some.
    pub(crate) fn with_flowers(&self, flowers: FlowerSet, own: BySeat<FlowerSet>) -> Self {
        Self {
            own,
            ..Self::new(self.copies, self.reds, flowers)
        }
    }

    /// All copies of each kind that counts allow, any of the fives red, and every flower.
    pub(crate) fn of_everything() -> Self {
        let mut copies = Counts::EMPTY;
        for kind in Kind::all() {
            copies.set(kind, MOST_COPIES);
        }
        Self::new(copies, [MAX_COPIES; 3], FlowerSet::ALL)
    }

    /// Copies of each kind, red fives included.
    pub fn copies(&self) -> &Counts {
        &self.copies
    }

    /// The kinds in play.
    pub fn kinds(&self) -> KindSet {
        self.copies.kinds()
    }

    /// The flowers in play.
    pub fn flowers(&self) -> FlowerSet {
        self.flowers
    }

    /// The flowers that belong to a seat: `own` in `[aside]`.
    #[inline]
    pub fn flowers_of(&self, seat: Seat) -> FlowerSet {
        self.own[seat]
    }

    /// How many fives of a suit are red.
    pub fn reds(&self, suit: Suit) -> u8 {
        self.reds[suit.lane()]
    }

    /// True if the tile is in play.
    pub fn contains(&self, tile: Tile) -> bool {
        match tile.face() {
            Face::Plain(kind) => self.copies.get(kind) > 0,
            Face::RedFive(suit) => self.reds(suit) > 0,
            Face::Flower(flower) => self.flowers.contains(flower),
        }
    }

    /// The kind that an indicator points to: the next rank in play, wind or dragon. The last one points to the first.
    /// Other honours point to themselves. Source: `rulesets/riichi-mcgill.md` §9.2.
    pub fn indicated(&self, indicator: Kind) -> Kind {
        if indicator.suit().is_some() {
            let place = |step| (indicator.place() + step) % 9;
            let ranks = (1..=9).map(|step| Kind::at(indicator.lane(), place(step)));
            let mut in_play = ranks.filter(|&kind| self.copies.get(kind) > 0);
            return in_play.next().unwrap_or(indicator);
        }
        match indicator {
            Kind::EAST => Kind::SOUTH,
            Kind::SOUTH => Kind::WEST,
            Kind::WEST => Kind::NORTH,
            Kind::NORTH => Kind::EAST,
            Kind::WHITE => Kind::GREEN,
            Kind::GREEN => Kind::RED,
            Kind::RED => Kind::WHITE,
            kind => kind,
        }
    }

    /// How many tiles in total.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True for a set without tiles.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every physical tile in notation order.
    pub fn iter(&self) -> impl Iterator<Item = Tile> + use<> {
        let all = self.all;
        (0..all.len()).map(move |place| all[place])
    }

    /// Every physical tile in notation order, as a list that needs no copy.
    #[inline]
    pub(crate) fn all(&self) -> &List<Tile, MOST_TILES> {
        &self.all
    }

    /// A hash of the tiles.
    #[inline]
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// True if `mpsz` notation can write every tile of the set.
    pub fn fits_mpsz(&self) -> bool {
        self.flowers.is_empty() && self.kinds().iter().all(crate::notation::mpsz_writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::FlowerSet;

    #[test]
    fn red_fives_replace_plain_ones() {
        let mut copies = Counts::EMPTY;
        let five = Kind::number(Suit::Characters, Rank::FIVE);
        copies.set(five, 4);
        copies.set(Kind::EAST, 4);
        let set = TileSet::new(copies, [2, 0, 1], FlowerSet::EMPTY);
        assert_eq!(set.len(), 8);
        assert_eq!(set.iter().filter(|t| t.is_red()).count(), 1);
        assert_eq!(set.iter().filter(|t| t.kind() == Some(five)).count(), 4);
        assert!(!set.contains(Tile::red_five(Suit::Circles)));
        assert!(set.iter().is_sorted());
    }
}
