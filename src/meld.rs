//! [`Group`]: tiles that belong together. [`Meld`]: a group declared on the table.

use crate::counts::Counts;
use crate::forms::two_forms;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit, Tile};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The type of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Family {
    /// Two of a kind.
    Pair,
    /// Three of a kind.
    Pung,
    /// Four of a kind, declared.
    Kong,
    /// Three ranks in arithmetic progression. A classical run has step 1.
    Arith,
    /// Three ranks in geometric progression.
    Gem,
    /// Three successive powers with the same exponent, such as 1, 4, 9.
    Power,
    /// Five of a kind. Nearly every kind has four copies, so one of them is a wild tile.
    Quint,
    /// Six of a kind.
    Sextet,
}

impl Family {
    /// The name of the family in ruleset files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Pung => "pung",
            Self::Kong => "kong",
            Self::Arith => "arith",
            Self::Gem => "gem",
            Self::Power => "power",
            Self::Quint => "quint",
            Self::Sextet => "sextet",
        }
    }

    /// All families: those of tiles alike by their number, then runs.
    pub(crate) const ALL: [Self; 8] = [
        Self::Pair,
        Self::Pung,
        Self::Kong,
        Self::Quint,
        Self::Sextet,
        Self::Arith,
        Self::Gem,
        Self::Power,
    ];

    /// The families of tiles alike: of two, three and more tiles.
    pub(crate) const ALIKE: [Self; 5] = [
        Self::Pair,
        Self::Pung,
        Self::Kong,
        Self::Quint,
        Self::Sextet,
    ];

    /// The families of more tiles alike than a kong has.
    pub(crate) const LARGER: [Self; 2] = [Self::Quint, Self::Sextet];

    /// The number of tiles of a group of this family.
    #[inline]
    pub(crate) const fn tiles(self) -> usize {
        match self {
            Self::Pair => 2,
            Self::Kong => 4,
            Self::Quint => 5,
            Self::Sextet => 6,
            Self::Pung | Self::Arith | Self::Gem | Self::Power => 3,
        }
    }

    /// True for ariths, gems and powers: three different ranks of one suit.
    pub const fn is_run(self) -> bool {
        matches!(self, Self::Arith | Self::Gem | Self::Power)
    }
}

/// Tiles that belong together in an arrangement: two to six of one kind, or three different kinds of one suit. A zero used
/// as a number is [`Kind::ZERO`], first of the three.
#[derive(Clone, Copy, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct Group {
    family: Family,
    kinds: [Kind; 3],
}

// Groups are compared all the time, so compare them as one number.
impl PartialEq for Group {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Hash for Group {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

const _: () = assert!(size_of::<Group>() == 4);

impl Default for Group {
    fn default() -> Self {
        Self::pair(Kind::EAST)
    }
}

impl Group {
    /// Two of a kind.
    pub const fn pair(kind: Kind) -> Self {
        Self::same(Family::Pair, kind)
    }

    /// Three of a kind.
    pub const fn pung(kind: Kind) -> Self {
        Self::same(Family::Pung, kind)
    }

    /// Four of a kind.
    pub const fn kong(kind: Kind) -> Self {
        Self::same(Family::Kong, kind)
    }

    /// The group of these tiles, given in any order: two to six of a kind, or a run of any family.
    /// Three ranks that are no progression count as a power, because some ruleset may have one.
    ///
    /// ```
    /// use paishan::{Family, Group, Kind, Rank, Suit};
    /// let kinds = [1, 2, 4].map(|rank| Kind::number(Suit::Characters, Rank::new(rank).expect("a rank")));
    /// assert_eq!(Group::of(&kinds).map(|group| group.family()), Some(Family::Gem));
    /// assert_eq!(Group::of(&[Kind::RED; 7]), None);
    /// ```
    pub fn of(kinds: &[Kind]) -> Option<Self> {
        let first = *kinds.first()?;
        if kinds.iter().all(|&kind| kind == first) {
            let mut alike = Family::ALIKE.into_iter();
            let family = alike.find(|family| family.tiles() == kinds.len())?;
            return Some(Self::same(family, first));
        }
        let mut kinds: [Kind; 3] = kinds.try_into().ok()?;
        let number = |kind: Kind| kind.rank().map_or(0, |rank| u32::from(rank.get()));
        kinds.sort_unstable_by_key(|&kind| number(kind));
        let [zero_or_low, middle, high] = kinds;
        let suit = high.suit()?;
        let is_number = |kind: Kind| kind.suit() == Some(suit);
        if !is_number(middle) || !(is_number(zero_or_low) || zero_or_low == Kind::ZERO) {
            return None;
        }
        let [a, b, c] = kinds.map(number);
        if a == b || b == c {
            return None;
        }
        let family = if b - a == c - b {
            Family::Arith
        } else if a > 0 && b * b == a * c {
            Family::Gem
        } else {
            Family::Power
        };
        Some(Self::run(family, kinds))
    }

    /// The group of tiles alike of a family that is no run.
    pub(crate) const fn same(family: Family, kind: Kind) -> Self {
        Self {
            family,
            kinds: [kind; 3],
        }
    }

    /// Three different kinds, lowest rank first. A zero comes before all ranks.
    pub(crate) const fn run(family: Family, kinds: [Kind; 3]) -> Self {
        Self { family, kinds }
    }

    /// The group as a number. Different groups have different numbers.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        let [a, b, c] = self.kinds;
        let [a, b, c] = [a.index() as u8, b.index() as u8, c.index() as u8];
        u32::from_le_bytes([self.family as u8, a, b, c])
    }

    /// The type of the group.
    #[inline]
    pub const fn family(self) -> Family {
        self.family
    }

    /// The three kinds of a run, lowest rank first. Other groups repeat their one kind three times.
    #[inline]
    pub const fn kinds(self) -> [Kind; 3] {
        self.kinds
    }

    /// The kind of tiles alike; the lowest kind of a run.
    #[inline]
    pub const fn kind(self) -> Kind {
        self.kinds[0]
    }

    /// How many tiles: 2 to 6.
    #[inline]
    pub const fn len(self) -> usize {
        self.family.tiles()
    }

    /// Always false: a group is never empty.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The tiles, lowest first.
    pub fn tiles(self) -> impl Iterator<Item = Kind> {
        (0..self.len()).map(move |i| self.kinds[i.min(2)])
    }

    /// The kinds as a set.
    pub fn kind_set(self) -> KindSet {
        self.kinds.into_iter().collect()
    }

    /// The tiles as counts.
    pub fn counts(self) -> Counts {
        let tiles = self.tiles();
        tiles.fold(Counts::EMPTY, |counts, kind| counts.with_beyond(kind))
    }

    /// True if the group has the kind.
    #[inline]
    pub fn contains(self, kind: Kind) -> bool {
        // Compares all three kinds: the processor would mispredict an early exit.
        self.kinds
            .iter()
            .fold(false, |has, &own| has | (own == kind))
    }

    /// True for a run of three successive ranks without a zero.
    pub fn is_consecutive(self) -> bool {
        // The kinds of a suit are numbered by rank, and no zero comes right before them.
        let [a, b, c] = self.kinds.map(Kind::index);
        self.family == Family::Arith && b == a + 1 && c == b + 1
    }

    /// The step of an arith; a zero counts as rank 0. `None` for other groups.
    pub fn step(self) -> Option<u8> {
        let rank = |kind: Kind| kind.rank().map_or(0, |rank| rank.get());
        (self.family == Family::Arith).then(|| rank(self.kinds[2]) - rank(self.kinds[1]))
    }

    /// The suit. A zero inside a run has the suit of the run.
    pub fn suit(self) -> Option<Suit> {
        self.kinds[2].suit()
    }

    /// The bytes of the `ujmj` notation as one number: first byte highest, zero bytes at the end. So keys
    /// sort like the notation.
    #[inline]
    pub(crate) fn key(self) -> u64 {
        // For each family: the bytes that hold the tiles, the places of further tiles, and the place of the suit.
        const TILES: [(u64, u64, u64); 8] = {
            let three = (u64::MAX, 0, 1 << 24);
            let mut tiles = [three; 8];
            tiles[Family::Pair as usize] = (u64::MAX << 40, 0, 1 << 32);
            tiles[Family::Kong as usize] = (u64::MAX, 1 << 24, 1 << 16);
            tiles[Family::Quint as usize] = (u64::MAX, 1 << 24 | 1 << 16, 1 << 8);
            tiles[Family::Sextet as usize] = (u64::MAX, 1 << 24 | 1 << 16 | 1 << 8, 1);
            tiles
        };
        let [first, b, c] = self.kinds.map(|kind| u64::from(SIGNS[kind.index() % 64]));
        let lanes = [self.kinds[0].lane(), self.kinds[2].lane()];
        // A zero inside a run is written `0`, not `Z`.
        let a = if lanes[0] == lanes[1] {
            first
        } else {
            b'0'.into()
        };
        let suit = u64::from(SUITS[lanes[1] % 4]);
        let (three, more, end) = TILES[self.family as usize];
        let tiles = (a << 48 | b << 40 | c << 32) & three;
        tiles | (c * more) | (suit * end)
    }
}

/// The character of each kind: a digit or an honour's letter.
const SIGNS: [u8; 64] = {
    let mut signs = [0; 64];
    let mut i = 0;
    while let Some(kind) = Kind::from_index(i) {
        signs[i] = match (kind.rank(), kind.honour_letter()) {
            (Some(rank), _) => rank.digit() as u8,
            (None, Some(letter)) => letter as u8,
            (None, None) => 0,
        };
        i += 1;
    }
    signs
};

/// The letters of the suits by lane. Honours have none.
const SUITS: [u8; 4] = [
    Suit::ALL[0].letter() as u8,
    Suit::ALL[1].letter() as u8,
    Suit::ALL[2].letter() as u8,
    0,
];

impl fmt::Display for Group {
    /// Writes the group in `ujmj` notation, such as `123t`, `4444s`, `CC` or `014s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.key().to_be_bytes().into_iter();
        text.filter(|&byte| byte != 0)
            .try_for_each(|byte| write!(f, "{}", byte as char))
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a meld that no game can have, or not this ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum MeldError {
    /// The tiles are no group, or jokers alone, which could be any.
    #[error("these tiles are no meld")]
    NoGroup,
    /// The group is a pair.
    #[error("a pair is no meld")]
    Pair,
    /// A concealed meld has a claimed tile, or a seat that it came from.
    #[error("a concealed meld has no claimed tile")]
    ConcealedClaim,
    /// The claimed tile is not in the meld.
    #[error("the claimed tile is not in it")]
    ClaimedTile,
    /// A meld that is no kong has an added tile.
    #[error("a tile is added to a kong alone")]
    Added,
    /// A meld that is no concealed kong lies face down.
    #[error("only a concealed kong lies face down")]
    FaceDown,
    /// Every tile is a joker.
    #[error("some tile of a meld is no joker")]
    Jokers,
    /// More of its tiles are said to be red fives than are fives.
    #[error("more red fives than it has fives")]
    Reds,
    /// The ruleset has no such concealed melds.
    #[error("such a meld is never concealed")]
    NeverConcealed,
    /// The ruleset adds no tile to such a meld.
    #[error("no tile was added to it")]
    NotAdded,
    /// The claimed tile comes from the player of the meld.
    #[error("a meld comes from another seat")]
    OwnTile,
    /// The claimed tile of a run comes from a seat that runs are not claimed from.
    #[error("a run comes from another player")]
    OtherPlayer,
    /// A hand has more melds than its ruleset has groups.
    #[error("more than {most} melds")]
    TooMany {
        /// The highest number of melds.
        most: usize,
    },
}

two_forms! {
    #[check(Meld::check)]
    /// A group declared on the table. Its fields cannot contradict each other.
    ///
    /// ```
    /// use paishan::{Group, Kind, Meld, Seat};
    /// let pung = Meld::claimed(Group::pung(Kind::RED), Kind::RED.into(), Seat::WEST)?;
    /// assert!(pung.is_open() && pung.claimed_from() == Some(Seat::WEST));
    /// let kong = Meld::concealed(Group::kong(Kind::RED))?.face_down()?;
    /// assert!(!kong.is_open() && kong.is_face_down());
    /// assert!(pung.face_down().is_err());
    /// # Ok::<(), paishan::MeldError>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[doc(alias("fuuro"))]
    #[repr(C)]
    pub struct Meld {
        /// The tiles.
        pub(crate) group: Group,
        /// True if a claimed tile is in the meld. A kong added to an open pung is open too.
        pub(crate) open: bool,
        /// True for a kong made by adding a tile to a pung on the table.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub(crate) added: bool,
        /// How many melds the hand had when the pung became a kong. 0 for other melds, or if unknown.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub(crate) added_after: u8,
        /// True if the meld lies face down and no other player has seen it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub(crate) hidden: bool,
        /// How many of its tiles are red fives.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub(crate) reds: u8,
        /// The tiles of the group that are jokers, one bit for each place in [`Group::tiles`]. In a pung these are the lowest
        /// bits.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub(crate) wild: u8,
        /// The claimed tile, if the meld is open and the tile is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) claimed: Option<Tile>,
        /// The seat that the claimed tile came from, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) from: Option<Seat>,
    }
}

const _: () = assert!(size_of::<Meld>() <= 12);

#[cfg(feature = "serde")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// The tiles of a meld, with its red fives and jokers.
#[derive(Clone, Debug)]
pub(crate) struct TilesOfMeld<K> {
    kinds: K,
    reds: u8,
    wild: u8,
}

impl<K: Iterator<Item = Kind>> Iterator for TilesOfMeld<K> {
    type Item = Tile;

    fn next(&mut self) -> Option<Tile> {
        let kind = self.kinds.next()?;
        let is_joker = self.wild & 1 == 1;
        self.wild >>= 1;
        match (kind.suit(), kind.rank()) {
            _ if is_joker => Some(Kind::JOKER.into()),
            (Some(suit), Some(Rank::FIVE)) if self.reds > 0 => {
                self.reds -= 1;
                Some(Tile::red_five(suit))
            }
            _ => Some(kind.into()),
        }
    }
}

impl Meld {
    /// The meld as a number, without the seat that its claimed tile came from. Different melds have different numbers.
    #[inline]
    pub(crate) fn bits(&self) -> u128 {
        let [a, b, c, d] = self.group.bits().to_le_bytes();
        let (open, added) = (u8::from(self.open), u8::from(self.added));
        let (after, hidden) = (self.added_after, u8::from(self.hidden));
        let claimed = self.claimed.map_or(0, Tile::code);
        let low = u64::from_le_bytes([a, b, c, d, open, added, after, hidden]);
        let high = u32::from_le_bytes([self.reds, self.wild, claimed, 0]);
        u128::from(high) << 64 | u128::from(low)
    }

    /// A meld of the player's own tiles.
    ///
    /// # Errors
    /// [`MeldError::Pair`].
    pub fn concealed(group: Group) -> Result<Self, MeldError> {
        Self::of_own(group).check()
    }

    /// A meld with a claimed tile.
    ///
    /// # Errors
    /// [`MeldError::Pair`], [`MeldError::ClaimedTile`], and [`MeldError::Reds`] for a red five that is no five.
    pub fn claimed(group: Group, tile: Tile, from: Seat) -> Result<Self, MeldError> {
        Self::of_claimed(group, tile, from).check()
    }

    /// The concealed meld of these tiles. Jokers stand where they lie: `J56t` is 456, `56Jt` is 567, and `5JJt` is a
    /// pung.
    ///
    /// ```
    /// use paishan::{Meld, Notation};
    /// let meld = Meld::of_tiles(&Notation::Ujmj.parse("J56t")?)?;
    /// assert_eq!((meld.group().to_string(), meld.jokers()), ("456t".to_owned(), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MeldError::NoGroup`] and [`MeldError::Pair`].
    pub fn of_tiles(tiles: &[Tile]) -> Result<Self, MeldError> {
        let (group, wild) = Self::with_jokers(tiles).ok_or(MeldError::NoGroup)?;
        let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
        let own = Self::of_own(group);
        Self { reds, wild, ..own }.check()
    }

    /// The meld with `reds` red fives among its tiles.
    ///
    /// # Errors
    /// [`MeldError::Reds`].
    pub fn with_reds(self, reds: u8) -> Result<Self, MeldError> {
        Self { reds, ..self }.check()
    }

    /// The kong as one that a tile was added to. `after` is the number of melds that the hand had then, or 0 if it is
    /// unknown.
    ///
    /// # Errors
    /// [`MeldError::Added`].
    pub fn added(self, after: u8) -> Result<Self, MeldError> {
        let (added, added_after) = (true, after);
        Self {
            added,
            added_after,
            ..self
        }
        .check()
    }

    /// The kong, face down.
    ///
    /// # Errors
    /// [`MeldError::FaceDown`].
    pub fn face_down(self) -> Result<Self, MeldError> {
        let hidden = true;
        Self { hidden, ..self }.check()
    }

    /// The tiles, jokers as the kinds that they stand for.
    #[inline]
    pub const fn group(&self) -> Group {
        self.group
    }

    /// True if a claimed tile is in the meld. A kong added to an open pung is open too.
    #[inline]
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// True for a kong made by adding a tile to a pung on the table.
    #[inline]
    pub const fn is_added(&self) -> bool {
        self.added
    }

    /// How many melds the hand had when the pung became a kong. 0 for other melds, or if unknown.
    #[inline]
    pub const fn added_after(&self) -> u8 {
        self.added_after
    }

    /// True if the meld lies face down and no other player has seen it.
    #[inline]
    pub const fn is_face_down(&self) -> bool {
        self.hidden
    }

    /// How many of its tiles are red fives.
    #[inline]
    pub const fn reds(&self) -> u8 {
        self.reds
    }

    /// The claimed tile, if the meld is open and the tile is known.
    #[inline]
    pub const fn claimed_tile(&self) -> Option<Tile> {
        self.claimed
    }

    /// The seat that the claimed tile came from, if known.
    #[inline]
    pub const fn claimed_from(&self) -> Option<Seat> {
        self.from
    }

    /// Refuses a meld whose fields contradict each other.
    pub(crate) fn check(self) -> Result<Self, MeldError> {
        let is_kong = self.group.family() == Family::Kong;
        let claimed = self.claimed.and_then(Tile::kind);
        let fives = || self.tiles().filter(|tile| tile.is_red()).count();
        if self.group.family() == Family::Pair {
            Err(MeldError::Pair)
        } else if !self.open && (self.claimed.is_some() || self.from.is_some()) {
            Err(MeldError::ConcealedClaim)
        } else if self.claimed.is_some() && !claimed.is_some_and(|kind| self.group.contains(kind)) {
            Err(MeldError::ClaimedTile)
        } else if (self.added || self.added_after > 0) && !is_kong {
            Err(MeldError::Added)
        } else if self.hidden && (!is_kong || self.open) {
            Err(MeldError::FaceDown)
        } else if u32::from(self.wild) + 1 >= 1 << self.group.len() {
            Err(MeldError::Jokers)
        } else if usize::from(self.reds) > fives() {
            Err(MeldError::Reds)
        } else {
            Ok(self)
        }
    }

    /// The tiles of the meld, red fives before plain ones, and jokers in the place of what they stand for.
    pub(crate) fn tiles(&self) -> TilesOfMeld<impl Iterator<Item = Kind> + use<>> {
        TilesOfMeld {
            kinds: self.group.tiles(),
            reds: self.reds,
            wild: self.wild,
        }
    }

    /// The kinds of the tiles of the meld as they lie on the table.
    #[inline]
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        let wild = self.wild;
        (0..).zip(self.group.tiles()).map(move |(place, kind)| {
            if wild >> place & 1 == 1 {
                Kind::JOKER
            } else {
                kind
            }
        })
    }

    /// Adds the tiles of the meld as they lie on the table. More than [all copies](Kind::most_copies) count as all.
    #[inline]
    pub(crate) fn add_to(&self, counts: &mut Counts) {
        let [first, second, third] = self.group.kinds();
        if self.wild == 0 && first == second {
            counts.set(first, counts.get(first) + self.group.len() as u8);
        } else if self.wild == 0 {
            for kind in [first, second, third] {
                counts.try_add(kind);
            }
        } else {
            for kind in self.kinds() {
                counts.try_add(kind);
            }
        }
    }

    /// The kinds of the tiles of a meld, but not of the claimed one.
    pub(crate) fn beside(&self, claimed: Option<Kind>) -> impl Iterator<Item = Kind> + use<> {
        let mut claimed = claimed;
        self.kinds().filter(move |&kind| {
            let is_it = claimed == Some(kind);
            claimed = claimed.filter(|_| !is_it);
            !is_it
        })
    }

    /// How many of its tiles are jokers.
    #[inline]
    pub const fn jokers(&self) -> usize {
        self.wild.count_ones() as usize
    }

    /// What the first joker of the meld stands for.
    pub fn joker_stands_for(&self) -> Option<Kind> {
        let place = self.wild.trailing_zeros() as usize;
        self.group.tiles().nth(place)
    }

    /// The group and the places of its jokers, of tiles in the order of the meld: `J56t` is 456, `56Jt` is 567, and
    /// `5JJt` is a pung. `None` if jokers alone could be any group.
    pub(crate) fn with_jokers(tiles: &[Tile]) -> Option<(Group, u8)> {
        let kinds: Vec<Kind> = tiles
            .iter()
            .map(|tile| tile.kind())
            .collect::<Option<_>>()?;
        let is_joker = |kind: &Kind| *kind == Kind::JOKER;
        let jokers = kinds.iter().filter(|kind| is_joker(kind)).count();
        if jokers == 0 {
            return Some((Group::of(&kinds)?, 0));
        }
        let first = *kinds.iter().find(|kind| !is_joker(kind))?;
        let all_like = |kind: Kind| kinds.iter().all(|one| *one == kind || is_joker(one));
        if all_like(first) {
            let group = Group::of(&vec![first; kinds.len()])?;
            return Some((group, (1 << jokers) - 1));
        }
        let place = kinds.iter().position(is_joker)?;
        if jokers != 1 || kinds.len() != 3 {
            return None;
        }
        let rest: Vec<Kind> = kinds
            .iter()
            .copied()
            .filter(|kind| !is_joker(kind))
            .collect();
        let [low, high] = [rest.first()?.rank()?.get(), rest.get(1)?.rank()?.get()];
        let rank = match place {
            0 => low.checked_sub(1),
            1 => Some(low + 1),
            _ => Some(high + 1),
        };
        let stands_for = Kind::number(first.suit()?, Rank::new(rank?)?);
        let mut whole = rest;
        whole.insert(place, stands_for);
        let group = Group::of(&whole).filter(|group| group.is_consecutive())?;
        let place = group.tiles().position(|kind| kind == stands_for)?;
        Some((group, 1 << place))
    }

    /// [`Meld::concealed`] of a group that is known to be no pair.
    pub(crate) const fn of_own(group: Group) -> Self {
        Self {
            group,
            open: false,
            added: false,
            added_after: 0,
            hidden: false,
            reds: 0,
            wild: 0,
            claimed: None,
            from: None,
        }
    }

    /// [`Meld::claimed`] with a tile that is known to be in the group.
    pub(crate) fn of_claimed(group: Group, tile: Tile, from: Seat) -> Self {
        Self {
            open: true,
            reds: u8::from(tile.is_red()),
            claimed: Some(tile),
            from: Some(from),
            ..Self::of_own(group)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jokers_stand_in_melds() {
        let read = |text: &str| {
            let tiles = crate::notation::Notation::Ujmj.parse(text).unwrap();
            Meld::with_jokers(&tiles).map(|(group, wild)| (group.to_string(), wild))
        };
        let found = |text: &str, wild| Some((text.to_owned(), wild));
        assert_eq!(read("4t5tJ"), found("456t", 0b100));
        assert_eq!(read("J5t6t"), found("456t", 0b001));
        assert_eq!(read("4tJ6t"), found("456t", 0b010));
        assert_eq!(read("5tJJ"), found("555t", 0b011));
        assert_eq!(read("JEE"), found("EEE", 0b001));
        assert_eq!(read("456t"), found("456t", 0));
        let meld = |wild| Meld {
            wild,
            ..Meld::of_claimed(Group::pung(Kind::EAST), Kind::EAST.into(), Seat::SOUTH)
        };
        assert!(meld(0b011).check().is_ok());
        assert!(meld(0b111).check().is_err() && meld(0b1000).check().is_err());
        for text in ["JJJ", "4tJ7t", "J1t2t", "JJ4t5t", "EJW", "4t5sJ"] {
            assert_eq!(read(text), None, "{text}");
        }
        let (group, wild) =
            Meld::with_jokers(&[Kind::EAST.into(), Kind::JOKER.into(), Kind::EAST.into()]).unwrap();
        let meld = Meld {
            wild,
            ..Meld::of_own(group)
        };
        assert_eq!(
            meld.kinds().collect::<Vec<_>>(),
            [Kind::JOKER, Kind::EAST, Kind::EAST]
        );
        assert_eq!(
            (meld.jokers(), meld.joker_stands_for()),
            (1, Some(Kind::EAST))
        );
    }

    #[test]
    fn groups_print_in_notation() {
        let n = |r| Kind::number(Suit::Bamboos, Rank::new(r).unwrap());
        let arith = Group::run(Family::Arith, [n(9), n(10), n(11)]);
        assert_eq!(arith.to_string(), "9xas");
        let power = Group::run(Family::Power, [Kind::ZERO, n(1), n(4)]);
        assert_eq!(power.to_string(), "014s");
        assert_eq!(power.suit(), Some(Suit::Bamboos));
        assert_eq!(Group::kong(Kind::RED).to_string(), "CCCC");
        assert_eq!(Group::pair(n(5)).to_string(), "55s");
        assert_eq!(Group::pung(Kind::ZERO).to_string(), "ZZZ");
        assert_eq!(Group::kong(Kind::EAST).counts().get(Kind::EAST), 4);
        for (family, text) in Family::LARGER.into_iter().zip(["11111s", "111111s"]) {
            let group = Group::same(family, n(1));
            assert_eq!(group.to_string(), text);
            assert_eq!(Group::of(&group.tiles().collect::<Vec<_>>()), Some(group));
            assert_eq!(usize::from(group.counts().get(n(1))), group.len());
        }
    }
}
