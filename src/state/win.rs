//! How a hand was won: [`Win`], [`Way`] and [`FlagSet`].

use crate::seat::Seat;
use crate::tile::Tile;

/// How the winning tile came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Way {
    /// An ordinary draw.
    Wall,
    /// A replacement, drawn after a kong or a flower.
    Replacement,
    /// A discard.
    Discard,
    /// A tile robbed from a kong.
    RobbedKong,
    /// The tile that was turned face up when the tiles were dealt. It counts as drawn.
    Turned,
}

impl Way {
    /// Every way, with its word in the interface and in ruleset files.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("wall", Self::Wall),
        ("replacement", Self::Replacement),
        ("discard", Self::Discard),
        ("robbed-kong", Self::RobbedKong),
        ("turned", Self::Turned),
    ];

    /// The word in the interface and in ruleset files.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// True when the winner drew the tile, or won on the turned tile.
    #[inline]
    pub const fn is_self_draw(self) -> bool {
        matches!(self, Self::Wall | Self::Replacement | Self::Turned)
    }
}

/// Circumstances of a win: one bit per flag, in the order of the ruleset's `[flags]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FlagSet(u32);

impl FlagSet {
    /// No flag.
    pub const EMPTY: Self = Self(0);
    /// The largest number of flags that a ruleset may have.
    pub const MAX: usize = 32;

    /// Sets a flag by its index. An index of [`FlagSet::MAX`] or more does nothing, because no ruleset has
    /// it.
    pub const fn insert(&mut self, flag: usize) {
        if flag < Self::MAX {
            self.0 |= 1 << flag;
        }
    }

    /// True when a flag is set.
    #[inline]
    pub const fn contains(self, flag: usize) -> bool {
        flag < Self::MAX && self.0 >> flag & 1 == 1
    }

    /// The flags as bits, the first flag lowest.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The indices of the flags that are set, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..Self::MAX).filter(move |&flag| self.contains(flag))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for FlagSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.iter().collect::<Vec<usize>>().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for FlagSet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut flags = Self::EMPTY;
        for place in <Vec<usize> as serde::Deserialize>::deserialize(deserializer)? {
            if place >= Self::MAX {
                let fault = format!("flags have places below {}, not {place}", Self::MAX);
                return Err(serde::de::Error::custom(fault));
            }
            flags.insert(place);
        }
        Ok(flags)
    }
}

/// A win: the winning tile and how it came.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Win {
    /// The winning tile.
    pub tile: Tile,
    /// How it came.
    pub way: Way,
    /// The seat that discarded the tile or was robbed of it. `None` for a self-draw, and where a request does not say.
    /// For a replacement after a claimed kong it is the kong's discarder, where that player pays for the win.
    #[cfg_attr(feature = "serde", serde(default))]
    pub from: Option<Seat>,
    /// Circumstances.
    #[cfg_attr(feature = "serde", serde(default))]
    pub flags: FlagSet,
    /// How many kongs in a row led to the winning tile, each made with the replacement of the one before. 0
    /// for any other win, and where the ruleset does not ask.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kongs_in_row: u8,
}

impl Win {
    /// The seat whose discard or robbed tile the winner claimed.
    pub(crate) fn giver(&self) -> Option<Seat> {
        self.from.filter(|_| !self.is_self_draw())
    }

    /// A win with a drawn tile, without circumstances.
    ///
    /// ```
    /// use paishan::Seat;
    /// use paishan::state::Win;
    /// let win = Win::drawn("5t".parse()?);
    /// assert!(win.is_self_draw());
    /// assert_eq!(Win::off("5t".parse()?, Seat::WEST).from, Some(Seat::WEST));
    /// # Ok::<(), paishan::ParseTilesError>(())
    /// ```
    pub const fn drawn(tile: Tile) -> Self {
        Self {
            tile,
            way: Way::Wall,
            from: None,
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        }
    }

    /// A win off another seat's discard, without circumstances.
    pub const fn off(tile: Tile, from: Seat) -> Self {
        Self {
            way: Way::Discard,
            from: Some(from),
            ..Self::drawn(tile)
        }
    }

    /// True when the winner drew the tile and no other player alone must pay for it.
    #[inline]
    pub const fn is_self_draw(&self) -> bool {
        self.way.is_self_draw() && self.from.is_none()
    }
}
