//! [`SpecialForm`]: complete hands that are not groups and a pair, written as items, and the concrete hands that
//! they stand for.

use super::special::{Item, Melds, Way, at_least_of};
use crate::counts::{Counts, MOST_HELD, ONES, at, by_lane, nibble};
use crate::set::KindSet;
use crate::tile::{Kind, Suit};
use smallvec::SmallVec;

/// A complete hand that is not groups and a pair.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct SpecialForm {
    /// The items of the hand, in each of the ways in which it can be made.
    pub ways: Vec<Vec<FormItem>>,
    /// No declared meld may be part of the hand.
    pub concealed: bool,
    /// The numbers of tiles alike in which no wild tile may stand; 1 for single tiles, those of [`FormItem::Each`] among them.
    pub natural: Vec<u8>,
    /// A declared kong takes four of the hand's tiles, as where it draws no replacement, and may be a kong of the form; and
    /// so do larger groups. Otherwise it takes three, so a hand with a declared kong has a tile more than the form.
    pub declared_kongs: bool,
    /// How many tiles of a hand may be copies that the set does not have. Wild tiles stand for them.
    pub beyond: u8,
}

impl SpecialForm {
    /// True if every way to make it needs wild tiles and takes any tiles of `kinds` beside them, so that no discard lowers the
    /// distance.
    pub(crate) fn needs_only_wild_tiles(&self, kinds: KindSet) -> bool {
        let listed = |tiles: &FormTiles| match tiles {
            FormTiles::Listed(listed) => listed.kinds(),
            _ => KindSet::EMPTY,
        };
        let is_free = |item: &FormItem| match item {
            FormItem::Wild(_) => true,
            FormItem::Alike {
                size: 1,
                distinct: false,
                kinds: tiles,
                ..
            } => {
                let taken = tiles
                    .iter()
                    .map(listed)
                    .fold(KindSet::EMPTY, KindSet::union);
                kinds.difference(taken).is_empty()
            }
            _ => false,
        };
        let has_wild =
            |way: &Vec<FormItem>| way.iter().any(|item| matches!(item, FormItem::Wild(_)));
        self.ways
            .iter()
            .all(|way| has_wild(way) && way.iter().all(is_free))
    }
}

/// A part of a form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FormItem {
    /// All of these tiles.
    Each(FormTiles),
    /// Tiles alike.
    Alike {
        /// How many tiles of a kind.
        size: u8,
        /// How many times.
        count: u8,
        /// Each time of one of these kinds.
        kinds: Vec<FormTiles>,
        /// Each time of another kind.
        distinct: bool,
    },
    /// A number of groups of the grammar, each of three tiles.
    Groups(u8),
    /// A number of wild tiles that stand for themselves.
    Wild(u8),
}

/// Tiles of an item.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FormTiles {
    /// These tiles.
    Listed(Counts),
    /// Ranks of a suit. Different letters of suits are different suits.
    Ranks {
        /// The ranks.
        ranks: Vec<FormRank>,
        /// The suit.
        suit: FormSuit,
    },
    /// The honour that belongs to a suit.
    Honour {
        /// Those of all suits.
        honours: Honours,
        /// The suit.
        suit: FormSuit,
    },
}

/// The honour that belongs to each suit, by [`Suit::lane`].
pub type Honours = [Option<Kind>; 3];

/// A rank of an item: a number, or a letter that stands for a rank and a number to add.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FormRank {
    /// The letter; none for a rank that is given.
    pub letter: Option<char>,
    /// The rank, or what is added to that of the letter.
    pub plus: i8,
}

/// A suit of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormSuit {
    /// This suit.
    Fixed(Suit),
    /// The suit that a letter stands for.
    Letter(char),
}

impl FormSuit {
    /// The suit of a letter `t`, `s` or `m`, or the letter for any.
    pub(crate) fn of(letter: char) -> Self {
        Suit::from_letter(letter).map_or(Self::Letter(letter), Self::Fixed)
    }
}

/// The most concrete hands of all forms of a grammar.
pub const MOST_HANDS: usize = 20_000;

/// The most letters for ranks. Three suits allow three letters for suits.
const MOST_RANKS: usize = 3;

/// The most groups beside other items.
const MOST_BESIDE: u8 = 2;

/// An error in a form.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// The items have another number of tiles than a hand.
    #[error("the items have {0} tiles, a complete hand has {1}")]
    Size(usize, usize),
    /// Too many letters, or one that is both a rank and a suit.
    #[error("at most three letters for ranks and three others for suits")]
    Letters,
    /// More than one item repeats tiles alike.
    #[error("one item at most is `pairs(…)` or `any(…)`")]
    Choices,
    /// More than two groups beside other items.
    #[error("{0} groups beside other items, at most {MOST_BESIDE} are possible")]
    Groups(u8),
    /// Melds cannot be part of the hand.
    #[error(
        "melds can be groups of the form, or its tiles where each is named or taken by `any(…)`; pairs and different \
         tiles are concealed"
    )]
    Melds,
    /// Groups of the grammar beside items that allow no wild tiles, or beside wild tiles that stand for themselves.
    #[error(
        "a form with `group` has wild tiles in all of its items, and none that stand for themselves"
    )]
    Natural,
    /// The set has no tiles for the form.
    #[error("the set has no tiles for such a hand")]
    NoHand,
    /// The letters and classes of all forms stand for too many hands.
    #[error("the letters and classes stand for more than {MOST_HANDS} hands")]
    TooMany,
}

impl SpecialForm {
    /// A form of these items, which can be made in several ways.
    pub const fn new(ways: Vec<Vec<FormItem>>, concealed: bool) -> Self {
        Self {
            ways,
            concealed,
            natural: Vec::new(),
            declared_kongs: false,
            beyond: 0,
        }
    }

    /// The concrete hands of the form with this number, over a set with these copies. A hand has `whole` tiles. Hands
    /// that the set cannot make are left out.
    pub(super) fn expand(
        &self,
        form: u8,
        copies: &Counts,
        whole: usize,
    ) -> Result<Vec<Way>, FormError> {
        let mut found = Vec::new();
        for items in &self.ways {
            let expansion = Expansion::new(self, items, form, copies, whole)?;
            expansion.run(&mut found)?;
        }
        shrink(&mut found)?;
        Ok(found)
    }

    /// Checks that a set with these copies can make the form, as a hand of `whole` tiles.
    ///
    /// # Errors
    /// [`FormError`] if the items do not fit or stand for no hand, or for too many.
    pub fn check(&self, copies: &Counts, whole: usize) -> Result<(), FormError> {
        match self.expand(0, copies, whole)?.is_empty() {
            true => Err(FormError::NoHand),
            false => Ok(()),
        }
    }

    /// True if the form is nothing but pairs.
    pub(crate) fn is_pairs(&self) -> bool {
        let is_pairs = |item: &FormItem| {
            matches!(
                item,
                FormItem::Alike {
                    size: 2,
                    count: 2..,
                    ..
                }
            )
        };
        self.ways.iter().flatten().all(is_pairs)
    }

    /// The tiles of one hand of the form, for a set with these copies. `None` if the form has groups of the grammar, or
    /// the set lacks tiles for it.
    pub(crate) fn example(&self, copies: &Counts, whole: usize) -> Option<Counts> {
        let ways = self.expand(0, copies, whole).ok()?;
        ways.iter().find_map(Way::example)
    }
}

/// Sorts hands and drops those that occur twice.
///
/// # Errors
/// [`FormError::TooMany`] if more are left than a grammar may have.
pub(super) fn shrink(ways: &mut Vec<Way>) -> Result<(), FormError> {
    ways.sort_unstable();
    ways.dedup();
    match ways.len() > MOST_HANDS {
        true => Err(FormError::TooMany),
        false => Ok(()),
    }
}

impl FormTiles {
    /// One tile of each kind.
    pub fn of_kinds(kinds: KindSet) -> Self {
        let mut tiles = Counts::EMPTY;
        kinds.iter().for_each(|kind| tiles.set(kind, 1));
        Self::Listed(tiles)
    }

    fn total(&self) -> usize {
        match self {
            Self::Listed(tiles) => tiles.total(),
            Self::Ranks { ranks, .. } => ranks.len(),
            Self::Honour { .. } => 1,
        }
    }

    /// The letter of the suit.
    fn suit_letter(&self) -> Option<char> {
        match self {
            Self::Ranks { suit, .. } | Self::Honour { suit, .. } => match suit {
                FormSuit::Letter(letter) => Some(*letter),
                FormSuit::Fixed(_) => None,
            },
            Self::Listed(_) => None,
        }
    }
}

impl FormItem {
    /// A number of pairs.
    pub fn pairs(count: u8, kinds: KindSet, distinct: bool) -> Self {
        Self::Alike {
            size: 2,
            count,
            kinds: vec![FormTiles::of_kinds(kinds)],
            distinct,
        }
    }

    /// One each of these tiles.
    pub const fn each(tiles: Counts) -> Self {
        Self::Each(FormTiles::Listed(tiles))
    }

    /// How many tiles the item has.
    pub fn size(&self) -> usize {
        match self {
            Self::Each(tiles) => tiles.total(),
            Self::Alike { size, count, .. } => usize::from(*size) * usize::from(*count),
            Self::Groups(count) => 3 * usize::from(*count),
            Self::Wild(count) => usize::from(*count),
        }
    }

    /// How many tiles alike the item has. 0 for groups of the grammar and for wild tiles.
    pub(crate) const fn alike(&self) -> u8 {
        match self {
            Self::Each(_) => 1,
            Self::Alike { size, .. } => *size,
            Self::Groups(_) | Self::Wild(_) => 0,
        }
    }

    fn tiles(&self) -> &[FormTiles] {
        match self {
            Self::Each(tiles) => std::slice::from_ref(tiles),
            Self::Alike { kinds, .. } => kinds,
            Self::Groups(_) | Self::Wild(_) => &[],
        }
    }
}

/// What the letters of a way stand for.
struct Letters<'a> {
    ranks: &'a [(char, i8)],
    suits: &'a [(char, usize)],
}

impl Letters<'_> {
    /// The tiles with ranks and suits put in. `None` if one of them is not in the set.
    fn tiles(&self, tiles: &FormTiles, copies: &Counts) -> Option<Counts> {
        let mut found = Counts::EMPTY;
        let lane = |suit: &FormSuit| match suit {
            FormSuit::Fixed(suit) => Some(suit.lane()),
            FormSuit::Letter(letter) => known(self.suits, *letter),
        };
        match tiles {
            FormTiles::Listed(tiles) => found = *tiles,
            FormTiles::Honour { honours, suit } => found.set(honours[lane(suit)?]?, 1),
            FormTiles::Ranks { ranks, suit } => {
                let lane = lane(suit)?;
                for rank in ranks {
                    let base = match rank.letter {
                        Some(letter) => known(self.ranks, letter)?,
                        None => 0,
                    };
                    let rank = base + rank.plus;
                    let place = u32::try_from(rank - 1).ok().filter(|&place| place < 16)?;
                    if !found.try_add(Kind::at(lane, place)) {
                        return None;
                    }
                }
            }
        }
        found.is_within(copies).then_some(found)
    }

    /// The kinds of the set among these tiles.
    fn kinds(&self, tiles: &[FormTiles], copies: &Counts) -> KindSet {
        let mut kinds = KindSet::EMPTY;
        for tiles in tiles {
            let found = match tiles {
                FormTiles::Listed(tiles) => Some(*tiles),
                FormTiles::Ranks { .. } | FormTiles::Honour { .. } => self.tiles(tiles, copies),
            };
            kinds = kinds.union(found.map_or(KindSet::EMPTY, |found| found.kinds()));
        }
        kinds.intersection(copies.kinds())
    }
}

fn known<T: Copy>(letters: &[(char, T)], letter: char) -> Option<T> {
    let found = letters.iter().find(|(known, _)| *known == letter);
    found.map(|(_, value)| *value)
}

/// A way of a form whose letters and classes are put in.
struct Expansion<'a> {
    items: &'a [FormItem],
    concealed: bool,
    natural: &'a [u8],
    declared_kongs: bool,
    beyond: u8,
    form: u8,
    copies: &'a Counts,
    ranks: Vec<char>,
    suits: Vec<char>,
    groups: u8,
    wilds: u8,
    /// The item whose kinds are not put in one by one.
    open: Option<usize>,
}

impl<'a> Expansion<'a> {
    fn new(
        of: &'a SpecialForm,
        items: &'a [FormItem],
        form: u8,
        copies: &'a Counts,
        whole: usize,
    ) -> Result<Self, FormError> {
        let SpecialForm {
            concealed,
            natural,
            declared_kongs,
            beyond,
            ..
        } = of;
        let (concealed, declared_kongs) = (*concealed, *declared_kongs);
        let size = items.iter().map(FormItem::size).sum();
        if size != whole {
            return Err(FormError::Size(size, whole));
        }
        let (mut ranks, mut suits) = (Vec::new(), Vec::new());
        let note = |letters: &mut Vec<char>, letter: char| match letters.contains(&letter) {
            true => {}
            false => letters.push(letter),
        };
        for tiles in items.iter().flat_map(FormItem::tiles) {
            if let FormTiles::Ranks { ranks: all, .. } = tiles {
                let of_ranks = all.iter().filter_map(|rank| rank.letter);
                of_ranks.for_each(|letter| note(&mut ranks, letter));
            }
            if let Some(letter) = tiles.suit_letter() {
                note(&mut suits, letter);
            }
        }
        let is_both = ranks.iter().any(|letter| suits.contains(letter));
        if is_both || ranks.len() > MOST_RANKS || suits.len() > Suit::ALL.len() {
            return Err(FormError::Letters);
        }
        let (mut groups, mut wilds) = (0_u8, 0_u8);
        for item in items {
            match item {
                FormItem::Groups(count) => groups = groups.saturating_add(*count),
                FormItem::Wild(count) => wilds = wilds.saturating_add(*count),
                FormItem::Each(_) | FormItem::Alike { .. } => {}
            }
        }
        if groups > MOST_BESIDE {
            return Err(FormError::Groups(groups));
        }
        let is_natural = |item: &FormItem| natural.contains(&item.alike());
        if groups > 0 && (wilds > 0 || items.iter().any(is_natural)) {
            return Err(FormError::Natural);
        }
        let many = |item: &FormItem| matches!(item, FormItem::Alike { count: 2.., .. });
        if items.iter().filter(|item| many(item)).count() > 1 {
            return Err(FormError::Choices);
        }
        let is_choice = |item: &FormItem| match item {
            FormItem::Alike { kinds, .. } => {
                kinds.len() > 1 || kinds[..].iter().any(|one| one.total() > 1)
            }
            FormItem::Each(_) | FormItem::Groups(_) | FormItem::Wild(_) => false,
        };
        let mut open = items.iter().position(many);
        // The melds of a hand must be groups of one concrete hand. Open items ignore `beyond`, so none is
        // open where wild tiles may stand for copies that the set does not have.
        if open.is_none() && (concealed && *beyond == 0 || groups > 0) {
            open = items.iter().rposition(is_choice);
        }
        let natural_items = items
            .iter()
            .filter(|item| !matches!(item, FormItem::Wild(_)));
        if let (false, 0, Some(FormItem::Alike { size, distinct, .. })) =
            (concealed, groups, open.map(|open| &items[open]))
            && (*size != 1 || *distinct || natural_items.count() > 1)
        {
            return Err(FormError::Melds);
        }
        Ok(Self {
            items,
            concealed,
            natural,
            declared_kongs,
            beyond: *beyond,
            form,
            copies,
            ranks,
            suits,
            groups,
            wilds,
            open,
        })
    }

    /// Adds the hands for all ranks and suits.
    fn run(&self, out: &mut Vec<Way>) -> Result<(), FormError> {
        let mut orders: Vec<SmallVec<[(char, usize); 3]>> = vec![SmallVec::new()];
        for &letter in &self.suits {
            let longer = orders.iter().flat_map(|order| {
                let is_free = |lane: &usize| order.iter().all(|(_, other)| other != lane);
                (0..3).filter(is_free).map(|lane| {
                    let mut longer = order.clone();
                    longer.push((letter, lane));
                    longer
                })
            });
            orders = longer.collect();
        }
        for suits in &orders {
            for number in 0..16_usize.pow(self.ranks.len() as u32) {
                let rank = |place: usize| (number >> (4 * place) & 15) as i8 + 1;
                let ranks = self.ranks.iter().enumerate();
                let ranks: SmallVec<[(char, i8); MOST_RANKS]> = ranks
                    .map(|(place, letter)| (*letter, rank(place)))
                    .collect();
                let letters = Letters {
                    ranks: &ranks,
                    suits,
                };
                self.choose(&letters, self.items, &Hand::default(), out)?;
            }
        }
        Ok(())
    }

    /// Adds the hands that begin with the tiles of `hand` and have these items beside them.
    fn choose(
        &self,
        letters: &Letters<'_>,
        items: &[FormItem],
        hand: &Hand,
        out: &mut Vec<Way>,
    ) -> Result<(), FormError> {
        let Some((first, others)) = items.split_first() else {
            out.extend(self.way(hand, letters));
            if out.len() > 2 * MOST_HANDS {
                shrink(out)?;
            }
            return Ok(());
        };
        let is_open = self.open == Some(self.items.len() - items.len());
        match first {
            FormItem::Each(tiles) => {
                let tiles = letters.tiles(tiles, self.copies);
                match tiles.and_then(|tiles| hand.with_each(&tiles, self.natural)) {
                    Some(more) => self.choose(letters, others, &more, out),
                    None => Ok(()),
                }
            }
            FormItem::Alike { size, kinds, .. } if !is_open => {
                for kind in letters.kinds(kinds, self.copies).iter() {
                    if let Some(more) = hand.with_alike(kind, *size, self.natural) {
                        self.choose(letters, others, &more, out)?;
                    }
                }
                Ok(())
            }
            FormItem::Alike { .. } | FormItem::Groups(_) | FormItem::Wild(_) => {
                self.choose(letters, others, hand, out)
            }
        }
    }

    /// The concrete hand, if the set has its tiles.
    fn way(&self, hand: &Hand, letters: &Letters<'_>) -> Option<Way> {
        let beyond = hand.tiles.saturating_minus(self.copies).total();
        if beyond > usize::from(self.beyond) || !hand.natural.is_within(self.copies) {
            return None;
        }
        let room = self.copies.saturating_minus(&hand.tiles);
        let item = match self.open.map(|open| &self.items[open]) {
            Some(FormItem::Alike {
                size,
                count,
                kinds,
                distinct,
            }) => {
                let kinds = letters.kinds(kinds, self.copies);
                Some(Box::new(Item::new(
                    (*size, *count, *distinct),
                    self.natural.contains(size),
                    kinds,
                    &room,
                )?))
            }
            _ => None,
        };
        let melds = match (self.concealed, self.groups, &item) {
            (true, ..) => Melds::None,
            (false, 1.., _) => Melds::Groups,
            (false, 0, Some(_)) => Melds::Among,
            (false, 0, None) => {
                let twice = at_least_of(&hand.tiles, 2);
                let pungs = |lane: u64| lane & !(15 * (lane >> 2 & ONES));
                Melds::Parts {
                    alike: match self.declared_kongs {
                        true => hand.alike,
                        false => hand.alike.map(pungs),
                    },
                    kongs: self.declared_kongs,
                    runs: by_lane(|lane| hand.each[lane] & !twice[lane]),
                }
            }
        };
        Some(Way {
            form: self.form,
            tiles: hand.tiles,
            groups: self.groups,
            item,
            melds,
            natural: hand.natural,
            wilds: self.wilds,
        })
    }
}

/// The tiles of a hand so far.
#[derive(Clone, Copy, Default)]
struct Hand {
    tiles: Counts,
    /// The kinds that `each` names.
    each: [u64; 4],
    /// Those that no wild tile may stand for.
    natural: Counts,
    /// The number of tiles of the only group of three or more of a kind.
    alike: [u64; 4],
}

impl Hand {
    fn with_each(&self, tiles: &Counts, natural: &[u8]) -> Option<Self> {
        let named = at_least_of(tiles, 1);
        Some(Self {
            tiles: self.tiles.try_plus_beyond(tiles)?,
            each: by_lane(|lane| self.each[lane] | named[lane]),
            natural: match natural.contains(&1) {
                true => self.natural.try_plus_beyond(tiles)?,
                false => self.natural,
            },
            ..*self
        })
    }

    fn with_alike(&self, kind: Kind, size: u8, natural: &[u8]) -> Option<Self> {
        let mut more = *self;
        if self.tiles.get(kind) + size > MOST_HELD {
            return None;
        }
        for _ in 0..size {
            more.tiles.try_add_beyond(kind);
            if natural.contains(&size) {
                more.natural.try_add_beyond(kind);
            }
        }
        let (lane, place) = (kind.lane(), kind.place());
        if size >= 3 && nibble(self.alike[lane], place) == 0 {
            more.alike[lane] |= at(place, u64::from(size));
        }
        Some(more)
    }
}
