//! Sets of families and classes of tiles: the arguments of facts.

use crate::meld::Family;
use crate::score::reading::Reading;
use crate::set::{FlowerSet, KindSet};
use crate::tile::Wind;

/// A set of families, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FamilySet(u8);

impl FamilySet {
    /// Every family.
    pub const ALL: Self = Self(0xff);
    /// No family.
    pub(crate) const NOTHING: Self = Self(0);

    /// The set of one family.
    pub(crate) const fn one(family: Family) -> Self {
        Self(1 << family as u8)
    }

    /// The families of both sets.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set without a family.
    pub(crate) const fn without(self, family: Family) -> Self {
        Self(self.0 & !Self::one(family).0)
    }

    /// The families as bits.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// True when no family is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True when the other set has all of these families.
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// True when some family is in both sets.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds a family.
    pub const fn insert(&mut self, family: Family) {
        self.0 |= 1 << family as u8;
    }

    /// True when the family is in the set.
    #[inline]
    pub const fn contains(self, family: Family) -> bool {
        self.0 >> family as u8 & 1 == 1
    }
}

impl FromIterator<Family> for FamilySet {
    fn from_iter<I: IntoIterator<Item = Family>>(families: I) -> Self {
        let mut set = Self::default();
        families.into_iter().for_each(|family| set.insert(family));
        set
    }
}

/// A step of `[opening]`, by its place in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step(pub(crate) u8);

/// The seat from which the ranks of turned tiles are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum CountedFrom {
    /// The winner.
    Winner,
    /// The dealer.
    Dealer,
    /// The seat that gave the winning tile, and the winner of a drawn tile.
    Giver,
}

impl CountedFrom {
    /// The seats that a file may name.
    pub(crate) const WORDS: [(&'static str, Self); 2] =
        [("dealer", Self::Dealer), ("giver", Self::Giver)];
}

/// A form of complete hands, as in [`Reading::form`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape(pub(crate) u8);

/// A class of bonus tiles. `exclude` takes precedence over `include`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct BonusClass {
    pub(crate) include: BonusPart,
    pub(crate) exclude: BonusPart,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct BonusPart {
    pub(crate) flowers: FlowerSet,
    pub(crate) kinds: KindSet,
    /// The flowers of the seat.
    pub(crate) of_seat: bool,
}

impl BonusPart {
    /// No tile.
    pub(crate) const NOTHING: Self = Self {
        flowers: FlowerSet::EMPTY,
        kinds: KindSet::EMPTY,
        of_seat: false,
    };

    fn flowers(&self, own: FlowerSet) -> FlowerSet {
        match self.of_seat {
            true => self.flowers.union(own),
            false => self.flowers,
        }
    }
}

impl BonusClass {
    /// No tile.
    pub(crate) const NOTHING: Self = Self {
        include: BonusPart::NOTHING,
        exclude: BonusPart::NOTHING,
    };

    /// Every flower.
    pub(crate) const FLOWERS: Self = Self {
        include: BonusPart {
            flowers: FlowerSet::ALL,
            ..BonusPart::NOTHING
        },
        exclude: BonusPart::NOTHING,
    };

    /// The flowers of the class for a seat with these of its own.
    #[inline]
    pub(crate) fn flowers(&self, own: FlowerSet) -> FlowerSet {
        let excluded = self.exclude.flowers(own);
        self.include.flowers(own).difference(excluded)
    }

    /// The kinds of the class.
    #[inline]
    pub(crate) fn kinds(&self) -> KindSet {
        self.include.kinds.difference(self.exclude.kinds)
    }

    /// Every flower that is in the class for some seat.
    pub(in crate::score) fn widest_flowers(&self) -> FlowerSet {
        let all = self.include.flowers(FlowerSet::ALL);
        all.difference(self.exclude.flowers)
    }
}

/// A class of tiles: certain kinds, and winds that depend on the seat and the round. `exclude` takes precedence
/// over `include`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Class {
    pub(crate) include: ClassPart,
    pub(crate) exclude: ClassPart,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct ClassPart {
    pub(crate) kinds: KindSet,
    pub(crate) seat_wind: bool,
    pub(crate) round_wind: bool,
}

impl ClassPart {
    /// No tile.
    const NOTHING: Self = Self {
        kinds: KindSet::EMPTY,
        seat_wind: false,
        round_wind: false,
    };

    fn kinds(&self, reading: &Reading<'_>) -> KindSet {
        let mut kinds = self.kinds;
        if self.seat_wind {
            kinds.insert(reading.seat_wind);
        }
        if self.round_wind {
            kinds.insert(reading.round_wind);
        }
        kinds
    }
}

impl Class {
    /// No tile.
    pub(crate) const NOTHING: Self = Self {
        include: ClassPart::NOTHING,
        exclude: ClassPart::NOTHING,
    };

    /// The kinds of the class without seat and prevailing winds.
    pub(crate) fn fixed_kinds(&self) -> KindSet {
        self.include.kinds.difference(self.exclude.kinds)
    }

    /// True when the class depends on the seat or the round.
    pub(in crate::score) const fn depends_on_winds(&self) -> bool {
        self.include.seat_wind
            || self.include.round_wind
            || self.exclude.seat_wind
            || self.exclude.round_wind
    }

    /// Every kind that is in the class for some seat and round.
    pub(in crate::score) fn widest(&self) -> KindSet {
        let winds = Wind::ALL.into_iter();
        let mut kinds = self.include.kinds;
        if self.include.seat_wind || self.include.round_wind {
            for wind in winds {
                kinds.insert(wind.kind());
                kinds.insert(wind.compressed());
            }
        }
        kinds.difference(self.exclude.kinds)
    }

    /// The kinds of the class for a reading.
    #[inline]
    pub(crate) fn kinds(&self, reading: &Reading<'_>) -> KindSet {
        self.include
            .kinds(reading)
            .difference(self.exclude.kinds(reading))
    }
}
