//! [`Hand`]: all tiles of one player, concealed and on the table.

use crate::aside::Aside;
use crate::counts::Counts;
use crate::list::List;
use crate::meld::{Group, Meld, MeldError};
use crate::set::{FlowerSet, KindSet};
use crate::tile::{Face, Kind, Rank, Suit, Tile};
use crate::tile_set::TileSet;
use std::borrow::Cow;

/// The most melds that a hand of any ruleset can have.
pub const MAX_MELDS: usize = 5;

/// The tiles of one player: concealed tiles, melds, bonus tiles laid aside. The concealed tiles plus three for each meld
/// make 13, or 14 on turn; in games of other sizes 10 and 11, or 16 and 17. A flower that was dealt but not laid down
/// yet counts among them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hand {
    concealed: Counts,
    /// The concealed kinds; those held twice or more; those held four times. Cached, because every discard
    /// asks.
    kinds: KindSet,
    pairs: KindSet,
    fours: KindSet,
    reds: [u8; 3],
    held_flowers: FlowerSet,
    pub(crate) aside: Aside,
    pub(crate) melds: List<Meld, MAX_MELDS>,
    pub(crate) dead: bool,
}

// A shift finds the hand of a seat.
const _: () = assert!(size_of::<Hand>() == 128);

/// The tiles cannot be a hand of the ruleset.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum HandError {
    /// A tile is not in play.
    #[error("{tile} is not in the set")]
    NotInSet {
        /// The tile.
        tile: Tile,
    },
    /// A tile has more copies than the set.
    #[error("{have} copies of {tile}, the set has {max}")]
    TooManyCopies {
        /// The tile.
        tile: Tile,
        /// How many copies were found.
        have: usize,
        /// How many copies exist.
        max: usize,
    },
    /// A tile that cannot be laid aside.
    #[error("{tile} cannot be laid aside")]
    NotAside {
        /// The tile.
        tile: Tile,
    },
    /// The ruleset does not know a declared meld.
    #[error("meld {index}: {reason}")]
    BadMeld {
        /// Index of the meld, from 0.
        index: usize,
        /// What is wrong with it.
        reason: MeldError,
    },
    /// The number of tiles is not that of a hand.
    #[error("{have} tiles (a meld counts three), expected {want}")]
    WrongTileCount {
        /// How many tiles were found.
        have: usize,
        /// Which number would be right.
        want: Cow<'static, str>,
    },
}

impl HandError {
    pub(crate) fn wrong_count(have: usize, want: impl Into<Cow<'static, str>>) -> Self {
        let want = want.into();
        Self::WrongTileCount { have, want }
    }

    /// The error code in the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotInSet { .. } => "tile-not-in-set",
            Self::NotAside { .. } => "bad-tile",
            Self::TooManyCopies { .. } => "too-many-copies",
            Self::BadMeld { .. } => "bad-meld",
            Self::WrongTileCount { .. } => "wrong-tile-count",
        }
    }
}

impl Hand {
    /// An empty hand.
    pub fn new() -> Self {
        Self::default()
    }

    /// A hand with these concealed tiles, melds and tiles laid aside. Flowers among `concealed` are not laid yet.
    ///
    /// ```
    /// use paishan::{Group, Hand, Kind, Meld, Notation, Rules, Seat};
    /// let woo = Rules::by_id("woo")?;
    /// let tiles = Notation::Ujmj.parse("123t456s78mEE")?;
    /// let pung = Meld::claimed(Group::pung(Kind::RED), Kind::RED.into(), Seat::WEST)?;
    /// let hand = Hand::try_new(woo.plan().tiles(), &tiles, &[pung], &[])?;
    /// assert_eq!((hand.size(), hand.is_closed()), (13, false));
    /// let five = Notation::Ujmj.parse("11111t")?;
    /// assert!(Hand::try_new(woo.plan().tiles(), &five, &[], &[]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - [`HandError::NotInSet`] and [`HandError::TooManyCopies`].
    /// - [`HandError::NotAside`] for a tile in `aside` that [`Aside::takes`] not.
    /// - [`HandError::BadMeld`] for a fifth meld, a pair, or more red fives than a meld has fives.
    /// - [`HandError::WrongTileCount`] for more than fourteen tiles; a meld counts three.
    pub fn try_new(
        tiles: &TileSet,
        concealed: &[Tile],
        melds: &[Meld],
        aside: &[Tile],
    ) -> Result<Self, HandError> {
        Self::try_new_for(4, tiles, concealed, melds, aside)
    }

    /// [`Hand::try_new`] for hands of so many groups and a pair, at most five.
    ///
    /// # Errors
    /// Those of [`Hand::try_new`], with as many melds as there are groups, and three tiles for each group and two
    /// more.
    pub fn try_new_for(
        groups: usize,
        tiles: &TileSet,
        concealed: &[Tile],
        melds: &[Meld],
        aside: &[Tile],
    ) -> Result<Self, HandError> {
        let groups = groups.min(MAX_MELDS);
        let mut tally = TileTally::new(tiles);
        tally.add_all(concealed.iter().chain(aside).copied())?;
        if let Some(&tile) = aside.iter().find(|tile| !Aside::takes(**tile)) {
            return Err(HandError::NotAside { tile });
        }
        for (index, meld) in melds.iter().enumerate() {
            if let Err(reason) = meld.check() {
                return Err(HandError::BadMeld { index, reason });
            }
            tally.add_all(meld.tiles())?;
        }
        if melds.len() > groups {
            return Err(HandError::BadMeld {
                index: groups,
                reason: MeldError::TooMany { most: groups },
            });
        }
        let have = concealed.len() + 3 * melds.len();
        let most = 3 * groups + 2;
        if have > most {
            return Err(HandError::wrong_count(have, format!("at most {most}")));
        }
        let mut hand = Self::new();
        for &tile in concealed {
            hand.add(tile);
        }
        hand.aside = aside.iter().copied().collect();
        hand.melds = List::first_of(melds.iter().copied());
        Ok(hand)
    }

    /// A hand that some set allows: four of each kind, any of the fives red, each flower once.
    pub(crate) fn of_any_set(
        concealed: &[Tile],
        melds: &[Meld],
        aside: &[Tile],
    ) -> Result<Self, HandError> {
        Self::try_new_for(
            MAX_MELDS,
            &TileSet::of_everything(),
            concealed,
            melds,
            aside,
        )
    }

    /// Checks that the set has all tiles of the hand, and enough copies of each.
    ///
    /// # Errors
    /// [`HandError::NotInSet`] and [`HandError::TooManyCopies`].
    pub fn check(&self, set: &TileSet) -> Result<(), HandError> {
        self.check_copies(set, None)
    }

    /// Checks that the set has all tiles of the hand and `last`, melds included, and enough copies of each.
    pub(crate) fn check_copies(&self, set: &TileSet, last: Option<Tile>) -> Result<(), HandError> {
        let is_sound = || {
            let mut all = Some(self.concealed);
            let kinds = self.melds.iter().flat_map(|meld| meld.kinds());
            let kinds = kinds.chain(self.aside.kinds());
            for kind in kinds.chain(last.and_then(Tile::kind)) {
                all = all?.with(kind);
            }
            let last_flower = last.and_then(Tile::as_flower);
            let flowers = self.held_flowers.union(self.aside.flowers());
            let is_new = last_flower.is_none_or(|flower| !flowers.contains(flower));
            let has = |flower| set.contains(Tile::flower(flower));
            let mut reds = self.reds;
            for meld in self.melds.iter().filter(|meld| meld.reds > 0) {
                let sum = &mut reds[meld.group.suit()?.lane()];
                *sum = sum.saturating_add(meld.reds);
            }
            if let Some(Face::RedFive(suit)) = last.map(Tile::face) {
                let sum = &mut reds[suit.lane()];
                *sum = sum.saturating_add(1);
            }
            let reds_fit = Suit::ALL
                .iter()
                .all(|&suit| reds[suit.lane()] <= set.reds(suit));
            let fits = all?.is_within(set.copies());
            let all_fit = fits && reds_fit && is_new;
            (all_fit && flowers.iter().chain(last_flower).all(has)).then_some(())
        };
        if is_sound().is_some() {
            return Ok(());
        }
        // Something is wrong. Counts again, tile by tile, to name it.
        let mut tally = TileTally::new(set);
        tally.add_all(self.tiles().chain(self.aside.tiles()))?;
        for meld in self.melds.iter() {
            tally.add_all(meld.tiles())?;
        }
        tally.add_all(last)
    }

    /// Concealed tiles by kind. Red fives count as fives, flowers are left out.
    #[inline]
    pub const fn concealed(&self) -> &Counts {
        &self.concealed
    }

    /// The kinds of the concealed tiles.
    #[inline]
    pub const fn kinds(&self) -> KindSet {
        self.kinds
    }

    /// The kinds with two or more concealed tiles.
    #[inline]
    pub const fn pairs(&self) -> KindSet {
        self.pairs
    }

    /// The kinds with all four tiles concealed.
    #[inline]
    pub const fn fours(&self) -> KindSet {
        self.fours
    }

    /// The declared melds, in the order in which they were declared.
    #[inline]
    pub fn melds(&self) -> &[Meld] {
        &self.melds
    }

    /// The bonus tiles that lie beside the hand.
    #[inline]
    pub const fn aside(&self) -> Aside {
        self.aside
    }

    /// True if the hand is dead. It is played on, but it claims nothing, cannot win and scores nothing.
    #[inline]
    pub const fn is_dead(&self) -> bool {
        self.dead
    }

    /// Flowers in the hand that are not laid down yet.
    #[inline]
    pub const fn held_flowers(&self) -> FlowerSet {
        self.held_flowers
    }

    /// How many concealed fives of a suit are red.
    #[inline]
    pub const fn reds(&self, suit: Suit) -> u8 {
        self.reds[suit.lane()]
    }

    /// How many concealed tiles of a kind are red fives.
    #[inline]
    pub(crate) const fn reds_of(&self, kind: Kind) -> u8 {
        self.concealed.get(kind) - self.plain(kind)
    }

    /// True if a concealed tile is a red five.
    #[inline]
    pub const fn has_reds(&self) -> bool {
        self.reds[0] | self.reds[1] | self.reds[2] != 0
    }

    /// How many tiles are concealed, held flowers included.
    #[inline]
    pub const fn concealed_len(&self) -> usize {
        // Few hands hold flowers, and most builds have no instruction that counts bits.
        let flowers = match self.held_flowers.is_empty() {
            true => 0,
            false => self.held_flowers.len(),
        };
        self.concealed.total() + flowers
    }

    /// The number of concealed tiles plus three for each meld.
    #[inline]
    pub fn size(&self) -> usize {
        self.concealed_len() + 3 * self.melds.len()
    }

    /// True if no meld is open.
    #[inline]
    pub fn is_closed(&self) -> bool {
        let melds = self.melds.places();
        !melds.fold(false, |any, (is_there, meld)| any | is_there & meld.open)
    }

    /// The place of the concealed pung on the table that a claimed tile makes a kong. `None` if the hand holds such tiles:
    /// those make a kong of their own with it.
    pub(crate) fn laid_pung(&self, kind: Kind) -> Option<usize> {
        let is_laid = |meld: &Meld| meld.group == Group::pung(kind) && !meld.open;
        let place = self.melds.iter().position(is_laid);
        place.filter(|_| self.concealed.get(kind) == 0)
    }

    /// The tiles of the melds as they lie on the table.
    pub fn melded(&self) -> Counts {
        let mut counts = Counts::EMPTY;
        for meld in self.melds.iter() {
            meld.add_to(&mut counts);
        }
        counts
    }

    /// True if this very tile is concealed in the hand: a plain tile, a red five, or a held flower.
    #[inline]
    pub const fn holds(&self, tile: Tile) -> bool {
        match tile.face() {
            Face::Plain(kind) => self.plain(kind) > 0,
            Face::RedFive(suit) => self.reds[suit.lane()] > 0,
            Face::Flower(flower) => self.held_flowers.contains(flower),
        }
    }

    /// How many concealed tiles of a kind are not red.
    #[inline]
    pub const fn plain(&self, kind: Kind) -> u8 {
        // No branch on red fives: the processor would mispredict it.
        let is_five = kind.lane() < 3 && kind.place() == Rank::FIVE.get() as u32 - 1;
        let red = self.reds[kind.lane() % 3] * is_five as u8;
        self.concealed.get(kind) - red
    }

    /// The concealed tiles in notation order, held flowers last.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        let kinds = self.kinds.iter().flat_map(move |kind| {
            let plain = self.plain(kind);
            let red = self.concealed.get(kind) - plain;
            let red_tile = kind.suit().map(Tile::red_five);
            (0..red)
                .filter_map(move |_| red_tile)
                .chain((0..plain).map(move |_| Tile::plain(kind)))
        });
        kinds.chain(self.held_flowers.iter().map(Tile::flower))
    }

    /// Adds a tile to the concealed ones.
    #[inline]
    pub(crate) fn add(&mut self, tile: Tile) {
        match tile.face() {
            Face::Plain(kind) => self.add_kind(kind),
            Face::RedFive(suit) => {
                self.add_kind(Kind::number(suit, Rank::FIVE));
                self.reds[suit.lane()] += 1;
            }
            Face::Flower(flower) => self.held_flowers.insert(flower),
        }
    }

    /// Removes a concealed tile. The caller knows that it is there.
    #[inline]
    pub(crate) fn take(&mut self, tile: Tile) {
        match tile.face() {
            Face::Plain(kind) => self.sub_kind(kind, 1),
            Face::RedFive(suit) => {
                self.sub_kind(Kind::number(suit, Rank::FIVE), 1);
                self.reds[suit.lane()] -= 1;
            }
            Face::Flower(flower) => self.held_flowers.remove(flower),
        }
    }

    /// Lays down four concealed tiles of a kind as a concealed kong. Returns how many of them are red fives.
    pub(crate) fn lay_kong(&mut self, kind: Kind, hidden: bool) -> u8 {
        let reds = self.take_kind(kind, 4);
        self.melds.push(Meld {
            hidden,
            reds,
            ..Meld::of_own(Group::kong(kind))
        });
        reds
    }

    /// Adds a concealed tile to a pung, which becomes a kong. Returns the pung, if there is one, and whether the tile is a red
    /// five.
    pub(crate) fn add_to_pung(&mut self, kind: Kind) -> (Option<Meld>, bool) {
        let reds = self.take_kind(kind, 1);
        let after = self.melds.len() as u8;
        let takes_it = |meld: &&mut Meld| meld.group == Group::pung(kind) && meld.wild == 0;
        let pung = self.melds.iter_mut().find(takes_it).map(|meld| {
            let pung = *meld;
            meld.group = Group::kong(kind);
            meld.added = true;
            meld.added_after = after;
            meld.reds += reds;
            pung
        });
        (pung, reds > 0)
    }

    #[inline]
    fn add_kind(&mut self, kind: Kind) {
        let held = u64::from(self.concealed.get(kind));
        self.concealed.add(kind, 1);
        self.kinds.insert(kind);
        let if_it = |is_so: bool| KindSet::from_bits(u64::from(is_so) << kind.index());
        self.pairs = self.pairs.union(if_it(held > 0));
        self.fours = self.fours.union(if_it(held > 2));
        debug_assert!(self.is_kept_right());
    }

    #[inline]
    fn sub_kind(&mut self, kind: Kind, count: u8) {
        self.concealed.sub(kind, count);
        let held = self.concealed.get(kind);
        let only = KindSet::one(kind).bits();
        let gone = |is_gone: bool| KindSet::from_bits(if is_gone { only } else { 0 });
        self.kinds = self.kinds.difference(gone(held == 0));
        self.pairs = self.pairs.difference(gone(held < 2));
        self.fours = self.fours.difference(gone(held < 4));
        debug_assert!(self.is_kept_right());
    }

    /// True if the cached kinds match the concealed tiles.
    fn is_kept_right(&self) -> bool {
        let Self {
            concealed,
            kinds,
            pairs,
            fours,
            ..
        } = self;
        let kept = [*kinds, *pairs, *fours];
        kept == [1, 2, 4].map(|count| concealed.at_least(count))
    }

    /// Removes `count` concealed tiles of a kind, plain ones first. Returns how many of them were red fives.
    pub(crate) fn take_kind(&mut self, kind: Kind, count: u8) -> u8 {
        let reds = count.saturating_sub(self.plain(kind));
        self.sub_kind(kind, count);
        if let (true, Some(suit)) = (reds > 0, kind.suit()) {
            self.reds[suit.lane()] -= reds;
        }
        reds
    }
}

/// Counts tiles one by one and compares them with a set.
pub(crate) struct TileTally<'a> {
    set: &'a TileSet,
    kinds: [u8; Kind::COUNT],
    reds: [u8; 3],
    /// Plain fives of each suit, if they are counted apart from red ones.
    plain_fives: Option<[u8; 3]>,
    flowers: FlowerSet,
}

impl<'a> TileTally<'a> {
    pub(crate) fn new(set: &'a TileSet) -> Self {
        Self {
            set,
            kinds: [0; Kind::COUNT],
            reds: [0; 3],
            plain_fives: None,
            flowers: FlowerSet::EMPTY,
        }
    }

    /// A tally that also limits plain fives: where the set has one red five of a suit, it has only three
    /// plain ones. For tiles as they lie on a table.
    pub(crate) fn of_table(set: &'a TileSet) -> Self {
        Self {
            plain_fives: Some([0; 3]),
            ..Self::new(set)
        }
    }

    /// Adds tiles of a kind of which it is unknown whether they are red.
    pub(crate) fn add_unseen(&mut self, kind: Kind, count: u8) -> Result<(), HandError> {
        let have = &mut self.kinds[kind.index()];
        *have = have.saturating_add(count);
        let (have, max) = (*have, self.set.copies().get(kind));
        if have > max {
            return Err(HandError::TooManyCopies {
                tile: kind.into(),
                have: have.into(),
                max: max.into(),
            });
        }
        Ok(())
    }

    /// Adds tiles. Fails at the first tile that is not in the set or exceeds its copies.
    pub(crate) fn add_all(
        &mut self,
        tiles: impl IntoIterator<Item = Tile>,
    ) -> Result<(), HandError> {
        for tile in tiles {
            if !self.set.contains(tile) {
                return Err(HandError::NotInSet { tile });
            }
            let (have, max) = match tile.face() {
                Face::Flower(flower) => {
                    let again = usize::from(self.flowers.contains(flower));
                    self.flowers.insert(flower);
                    (again + 1, 1)
                }
                face => {
                    if let Face::RedFive(suit) = face {
                        self.reds[suit.lane()] += 1;
                        let (have, max) = (self.reds[suit.lane()], self.set.reds(suit));
                        if have > max {
                            return Err(HandError::TooManyCopies {
                                tile,
                                have: usize::from(have),
                                max: usize::from(max),
                            });
                        }
                    }
                    let Some(kind) = tile.kind() else { continue };
                    let five = kind.suit().filter(|_| kind.rank() == Some(Rank::FIVE));
                    if let (Some(suit), Some(plain), false) =
                        (five, &mut self.plain_fives, tile.is_red())
                    {
                        let have = &mut plain[suit.lane()];
                        *have += 1;
                        let max = self.set.copies().get(kind) - self.set.reds(suit);
                        if *have > max {
                            return Err(HandError::TooManyCopies {
                                tile,
                                have: usize::from(*have),
                                max: usize::from(max),
                            });
                        }
                    }
                    let have = &mut self.kinds[kind.index()];
                    *have = have.saturating_add(1);
                    (usize::from(*have), usize::from(self.set.copies().get(kind)))
                }
            };
            if have > max {
                return Err(HandError::TooManyCopies { tile, have, max });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meld::Group;
    use crate::notation::Notation;

    fn set() -> TileSet {
        let mut copies = Counts::EMPTY;
        for kind in Kind::all() {
            copies.set(kind, 4);
        }
        TileSet::new(copies, [1, 1, 1], FlowerSet::ALL)
    }

    #[test]
    fn a_hand_keeps_reds_and_flowers_apart() {
        let tiles = Notation::Ujmj.parse("R55sEEhZ").unwrap();
        let mut hand = Hand::try_new(&set(), &tiles, &[], &[]).unwrap();
        assert_eq!(hand.concealed_len(), 7);
        assert_eq!(Notation::Ujmj.print(hand.tiles()), "R55sZEEh");
        hand.take_kind(Kind::number(Suit::Bamboos, Rank::FIVE), 3);
        assert_eq!(hand.reds(Suit::Bamboos), 0);
        assert_eq!(Notation::Ujmj.print(hand.tiles()), "ZEEh");
    }

    #[test]
    fn no_hand_has_more_than_fourteen_tiles() {
        let many = Notation::Ujmj.parse("111222333444555s").unwrap();
        let refused = |tiles, melds: &[Meld]| {
            let made = Hand::try_new(&set(), tiles, melds, &[]);
            matches!(made, Err(HandError::WrongTileCount { .. }))
        };
        assert!(refused(&many, &[]));
        assert!(!refused(&many[..14], &[]));
        assert!(refused(
            &many[..12],
            &[Meld::of_own(Group::kong(Kind::EAST))]
        ));
    }

    #[test]
    fn what_is_no_hand_is_refused() {
        let tiles = |text: &str| Notation::Ujmj.parse(text).unwrap();
        let five = Kind::number(Suit::Bamboos, Rank::FIVE);
        let of = |melds: &[Meld], aside: &str| Hand::try_new(&set(), &[], melds, &tiles(aside));
        let pair = Meld::of_own(Group::pair(five));
        assert!(matches!(
            of(&[pair], ""),
            Err(HandError::BadMeld { index: 0, .. })
        ));
        let reds = |kind, reds| Meld {
            reds,
            ..Meld::of_own(Group::pung(kind))
        };
        of(&[reds(five, 1)], "").unwrap();
        // The set has one red five in each suit.
        let many = of(&[reds(five, 2)], "");
        assert!(matches!(
            many,
            Err(HandError::TooManyCopies { have: 2, .. })
        ));
        let east = of(&[reds(Kind::EAST, 1)], "");
        assert!(matches!(east, Err(HandError::BadMeld { index: 0, .. })));
        let number = of(&[], "h5s");
        assert!(matches!(number, Err(HandError::NotAside { .. })));
        of(&[], "hoNN").unwrap();
    }

    #[test]
    fn too_many_copies_are_refused() {
        let tiles = Notation::Ujmj.parse("5555sR5s").unwrap();
        assert!(matches!(
            Hand::try_new(&set(), &tiles, &[], &[]),
            Err(HandError::TooManyCopies {
                have: 5,
                max: 4,
                ..
            })
        ));
        let tiles = Notation::Ujmj.parse("RRs").unwrap();
        assert!(matches!(
            Hand::try_new(&set(), &tiles, &[], &[]),
            Err(HandError::TooManyCopies {
                have: 2,
                max: 1,
                ..
            })
        ));
        let meld = Meld::of_own(Group::kong(Kind::EAST));
        let tiles = Notation::Ujmj.parse("E").unwrap();
        assert!(Hand::try_new(&set(), &tiles, &[meld], &[]).is_err());
    }
}
