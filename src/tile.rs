//! Faces and tiles: [`Suit`], [`Rank`], [`Wind`], [`Flower`], [`Kind`] and [`Tile`].
//!
//! A [`Kind`] is a face to play with. A [`Tile`] is a physical piece: a kind, a red five or a flower.
//! Sixty-four kinds cover every ruleset: three suits of sixteen ranks, the zero tile, four winds, two
//! compressed winds, three dragons, the joker, the blossom and four extra kinds.

use crate::text::{ParseError, one_char};
use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

/// A suit of number tiles. Suits sort in notation order: circles, bamboos, characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[doc(alias("dots", "pin", "bamboo", "sou", "characters", "wan"))]
pub enum Suit {
    /// Circles, written `t`.
    #[default]
    Circles,
    /// Bamboos, written `s`.
    Bamboos,
    /// Characters, written `m`.
    Characters,
}

impl Suit {
    /// The three suits in notation order.
    pub const ALL: [Self; 3] = [Self::Circles, Self::Bamboos, Self::Characters];

    /// The lane of [`Counts`](crate::Counts) that counts the suit: 0, 1 or 2.
    #[inline]
    pub const fn lane(self) -> usize {
        self as usize
    }

    /// The suit of a letter in `ujmj` notation.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            't' => Some(Self::Circles),
            's' => Some(Self::Bamboos),
            'm' => Some(Self::Characters),
            _ => None,
        }
    }

    /// The letter of the suit in `ujmj` notation.
    pub const fn letter(self) -> char {
        match self {
            Self::Circles => 't',
            Self::Bamboos => 's',
            Self::Characters => 'm',
        }
    }
}

/// The rank of a number tile, 1 to 16.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(u8);

impl Rank {
    /// The rank of a five.
    pub const FIVE: Self = Self(5);
    /// The greatest rank.
    pub const MAX: Self = Self(16);

    /// The rank with a number. `None` outside 1 to 16.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 16 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number, 1 to 16.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The `ujmj` character of the rank: `1`–`9`, `x`, `a`–`f`.
    pub const fn digit(self) -> char {
        RANK_DIGITS[self.0 as usize] as char
    }
}

/// The `ujmj` characters by rank. Rank 0 is the zero tile used as a number.
pub(crate) const RANK_DIGITS: &[u8; 17] = b"0123456789xabcdef";

/// One of the four winds: of a tile, of a seat, or the prevailing wind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wind {
    /// East, `E`.
    East,
    /// South, `S`.
    South,
    /// West, `W`.
    West,
    /// North, `N`.
    North,
}

impl Wind {
    /// The winds in playing order.
    pub const ALL: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    /// The tile of this wind in a set with full winds.
    pub const fn kind(self) -> Kind {
        Kind(Kind::EAST.0 + self as u8)
    }

    /// The tile of this wind in a set with compressed winds: `H` for East and West, `V` for South and North.
    pub const fn compressed(self) -> Kind {
        match self {
            Self::East | Self::West => Kind::HORIZONTAL,
            Self::South | Self::North => Kind::VERTICAL,
        }
    }

    /// The letter of the wind: `E S W N`.
    pub const fn letter(self) -> char {
        match self {
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
            Self::North => 'N',
        }
    }

    /// The wind with a letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'E' => Some(Self::East),
            'S' => Some(Self::South),
            'W' => Some(Self::West),
            'N' => Some(Self::North),
            _ => None,
        }
    }
}

impl fmt::Display for Wind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Wind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        one_char("wind", text, Self::from_letter)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Suit {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let of = |letter| Self::ALL.into_iter().find(|suit| suit.letter() == letter);
        one_char("suit", text, of)
    }
}

/// A flower tile: one that is no part of the hand. There are four series of four, one copy each: the seasons `h i j k`,
/// the plants `o p q r`, the animals `g l n u` and the faces `v w y z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[doc(alias("season", "animal", "bonus tile"))]
pub struct Flower(u8);

impl Flower {
    /// How many flowers exist.
    pub const COUNT: usize = 16;

    /// The flower with index 0 to 15, series by series.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The index, 0 to 15, series by series.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of the flower in its series, 0 to 3.
    #[inline]
    pub const fn number(self) -> usize {
        (self.0 & 3) as usize
    }

    /// The letter of the flower in notation.
    pub const fn letter(self) -> char {
        FLOWER_LETTERS[self.0 as usize] as char
    }

    /// All flowers in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }
}

impl fmt::Display for Flower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

const FLOWER_LETTERS: &[u8; Flower::COUNT] = b"hijkopqrglnuvwyz";
const HONOUR_LETTERS: &[u8; 16] = b"ZESWNHVCFPJBADGK";

/// A face to play with, 0 to 63, numbered lane × 16 + place. The lanes are tong, sock, man and honours. A
/// number tile has the place rank − 1. The places of the honours are `Z E S W N H V C F P J B A D G K`. Kinds sort in
/// notation order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias("face"))]
pub struct Kind(u8);

const _: () = assert!(size_of::<Kind>() == 1 && size_of::<Option<Tile>>() == 1);

impl Kind {
    /// How many kinds exist in all rulesets together.
    pub const COUNT: usize = 64;
    /// The zero tile.
    pub const ZERO: Self = Self(48);
    /// East wind.
    pub const EAST: Self = Self(49);
    /// South wind.
    pub const SOUTH: Self = Self(50);
    /// West wind.
    pub const WEST: Self = Self(51);
    /// North wind.
    pub const NORTH: Self = Self(52);
    /// The compressed wind of East and West.
    pub const HORIZONTAL: Self = Self(53);
    /// The compressed wind of South and North.
    pub const VERTICAL: Self = Self(54);
    /// Red dragon.
    pub const RED: Self = Self(55);
    /// Green dragon.
    pub const GREEN: Self = Self(56);
    /// White dragon.
    pub const WHITE: Self = Self(57);
    /// The joker. It is never itself: it is always wild.
    pub const JOKER: Self = Self(58);
    /// The blossom: a flower that is held in the hand, in games in which flowers are parts of hands. All blossoms are
    /// alike. Flowers that are laid aside are [`Flower`]s.
    pub const BLOSSOM: Self = Self(59);
    /// The extra kinds, `A D G K`: honours without a meaning of their own, for what else a set has. A ruleset names those
    /// that it plays with. Their letters are the same in all rulesets, so that tiles are read without one.
    pub const EXTRA: [Self; 4] = [Self(60), Self(61), Self(62), Self(63)];

    /// The number tile of a suit and a rank.
    #[inline]
    pub const fn number(suit: Suit, rank: Rank) -> Self {
        Self(suit as u8 * 16 + rank.get() - 1)
    }

    /// The kind with index 0 to 63.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The kind at a place of a lane.
    #[inline]
    pub(crate) const fn at(lane: usize, place: u32) -> Self {
        debug_assert!(lane < 4 && place < 16);
        Self((lane * 16) as u8 + place as u8)
    }

    /// The index, 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The lane: 0 tong, 1 sock, 2 man, 3 honours.
    #[inline]
    pub const fn lane(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// The place in the lane, 0 to 15.
    #[inline]
    pub const fn place(self) -> u32 {
        (self.0 & 15) as u32
    }

    /// The suit of a number tile. `None` for an honour.
    #[inline]
    pub const fn suit(self) -> Option<Suit> {
        // A lookup: the processor would mispredict a branch on the suit.
        const SUITS: [Option<Suit>; 4] = [
            Some(Suit::Circles),
            Some(Suit::Bamboos),
            Some(Suit::Characters),
            None,
        ];
        SUITS[self.lane() & 3]
    }

    /// The rank of a number tile. `None` for an honour.
    #[inline]
    pub const fn rank(self) -> Option<Rank> {
        if self.lane() < 3 {
            Some(Rank(self.0 % 16 + 1))
        } else {
            None
        }
    }

    /// True for the zero tile, winds, dragons, the joker, the blossom and the extra kinds.
    #[inline]
    pub const fn is_honour(self) -> bool {
        self.lane() == 3
    }

    /// The letter of an honour. `None` for a number tile.
    pub const fn honour_letter(self) -> Option<char> {
        if self.is_honour() {
            Some(HONOUR_LETTERS[self.place() as usize] as char)
        } else {
            None
        }
    }

    /// The most copies that a set can have of the kind: eight of the joker, of the blossom and of each extra kind, four of
    /// any other.
    #[inline]
    pub const fn most_copies(self) -> u8 {
        if self.0 >= Self::JOKER.0 { 8 } else { 4 }
    }

    /// The honour with a letter of `Z E S W N H V C F P J B A D G K`.
    pub fn from_honour_letter(letter: char) -> Option<Self> {
        let place = HONOUR_LETTERS.iter().position(|&c| c as char == letter)?;
        Some(Self(48 + place as u8))
    }

    /// All kinds in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }
}

impl fmt::Display for Kind {
    /// Writes one tile in `ujmj` notation, with its suit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.suit(), self.rank(), self.honour_letter()) {
            (Some(suit), Some(rank), _) => write!(f, "{}{}", rank.digit(), suit.letter()),
            (_, _, Some(letter)) => write!(f, "{letter}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A physical tile: a kind, a red five, or a flower. `Option<Tile>` takes one byte; `None` is the unseen tile
/// `?`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("pai"))]
pub struct Tile(NonZeroU8);

/// What a [`Tile`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// A plain tile of a kind.
    Plain(Kind),
    /// The red five of a suit.
    RedFive(Suit),
    /// A flower.
    Flower(Flower),
}

const RED_BASE: u8 = Kind::COUNT as u8 + 1;
const FLOWER_BASE: u8 = RED_BASE + 3;

impl Tile {
    const fn from_code(code: u8) -> Self {
        match NonZeroU8::new(code) {
            Some(code) => Self(code),
            None => panic!("tile codes start at 1"),
        }
    }

    /// The number of the tile among all tiles, from 1.
    #[inline]
    pub(crate) const fn code(self) -> u8 {
        self.0.get()
    }

    /// The plain tile of a kind.
    #[inline]
    pub const fn plain(kind: Kind) -> Self {
        Self::from_code(kind.0 + 1)
    }

    /// The red five of a suit.
    pub const fn red_five(suit: Suit) -> Self {
        Self::from_code(RED_BASE + suit as u8)
    }

    /// A flower as a tile.
    #[inline]
    pub const fn flower(flower: Flower) -> Self {
        Self::from_code(FLOWER_BASE + flower.0)
    }

    /// What the tile is.
    #[inline]
    pub const fn face(self) -> Face {
        let code = self.0.get();
        if code < RED_BASE {
            Face::Plain(Kind(code - 1))
        } else if code < FLOWER_BASE {
            Face::RedFive(Suit::ALL[(code - RED_BASE) as usize])
        } else {
            Face::Flower(Flower(code - FLOWER_BASE))
        }
    }

    /// The kind. A red five is a five; a flower has none.
    #[inline]
    pub const fn kind(self) -> Option<Kind> {
        match self.face() {
            Face::Plain(kind) => Some(kind),
            Face::RedFive(suit) => Some(Kind::number(suit, Rank::FIVE)),
            Face::Flower(_) => None,
        }
    }

    /// The flower. `None` for other tiles.
    #[inline]
    pub const fn as_flower(self) -> Option<Flower> {
        match self.face() {
            Face::Flower(flower) => Some(flower),
            _ => None,
        }
    }

    /// True for a flower.
    #[inline]
    pub const fn is_flower(self) -> bool {
        self.0.get() >= FLOWER_BASE
    }

    /// True for a red five.
    #[inline]
    pub const fn is_red(self) -> bool {
        self.0.get() >= RED_BASE && self.0.get() < FLOWER_BASE
    }

    /// A sort key for notation order. A red five comes just before the plain fives, flowers come last.
    #[inline]
    pub const fn order(self) -> u8 {
        match self.face() {
            Face::Plain(kind) => kind.0 * 2 + 1,
            Face::RedFive(suit) => Kind::number(suit, Rank::FIVE).0 * 2,
            Face::Flower(flower) => 128 + flower.0,
        }
    }
}

impl From<Kind> for Tile {
    fn from(kind: Kind) -> Self {
        Self::plain(kind)
    }
}

impl PartialOrd for Tile {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tile {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl fmt::Display for Tile {
    /// Writes the tile in `ujmj` notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.face() {
            Face::Plain(kind) => fmt::Display::fmt(&kind, f),
            Face::RedFive(suit) => write!(f, "R{}", suit.letter()),
            Face::Flower(flower) => write!(f, "{}", flower.letter()),
        }
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_know_their_parts() {
        for kind in Kind::all() {
            match (kind.suit(), kind.rank()) {
                (Some(suit), Some(rank)) => assert_eq!(Kind::number(suit, rank), kind),
                _ => {
                    let letter = kind.honour_letter().unwrap();
                    assert_eq!(Kind::from_honour_letter(letter), Some(kind));
                }
            }
            assert_eq!(Tile::plain(kind).kind(), Some(kind));
        }
        assert_eq!(Wind::West.kind(), Kind::WEST);
        assert_eq!(Wind::West.compressed(), Kind::HORIZONTAL);
        let extra: String = Kind::EXTRA.iter().map(Kind::to_string).collect();
        assert_eq!(extra, "ADGK");
    }

    #[test]
    fn order_is_the_order_of_notation() {
        let mut tiles: Vec<Tile> = Kind::all().map(Tile::plain).collect();
        tiles.extend(Flower::all().map(Tile::flower));
        assert!(tiles.is_sorted());
        let five = Tile::plain(Kind::number(Suit::Bamboos, Rank::FIVE));
        let four = Tile::plain(Kind::number(Suit::Bamboos, Rank::new(4).unwrap()));
        let red = Tile::red_five(Suit::Bamboos);
        assert!(four < red && red < five);
        assert_eq!(red.kind(), five.kind());
    }
}
