//! Bit sets: [`KindSet`], [`FlowerSet`] and [`SeatSet`].

use crate::seat::{MAX_PLAYERS, Seat};
use crate::tile::{Flower, Kind};
use std::fmt;

/// A word with the value 1 in each byte.
pub(crate) const BYTES: u64 = 0x0101_0101_0101_0101;

/// For each byte value: the positions of its first, second … set bit.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut found) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                places[byte][found] = place as u8;
                found += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    places
};

/// A set whose members are counted byte by byte. It finds the rank of a member and the n-th member without a
/// loop.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    bits: u64,
    /// Byte i holds the number of members in bytes 0 to i.
    so_far: u64,
}

impl Ranked {
    #[inline]
    pub(crate) const fn of(set: KindSet) -> Self {
        Self::of_bits(set.bits())
    }

    #[inline]
    const fn of_bits(bits: u64) -> Self {
        let twos = bits - (bits >> 1 & 0x5555_5555_5555_5555);
        let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
        let so_far = ((fours + (fours >> 4)) & (15 * BYTES)).wrapping_mul(BYTES);
        Self { bits, so_far }
    }

    #[inline]
    pub(crate) const fn len(self) -> usize {
        (self.so_far >> 56) as usize
    }

    /// How many members come before `index`.
    #[inline]
    pub(crate) const fn rank(self, index: usize) -> usize {
        let byte = index as u32 & !7;
        let whole = (self.so_far << 8 >> byte) as u8;
        let rest = (self.bits >> byte) as u8 & ((1 << (index & 7)) - 1);
        whole as usize + rest.count_ones() as usize
    }

    /// The index of the member at `place`, counted from 0 among the members in order.
    #[inline]
    pub(crate) const fn nth(self, place: usize) -> Option<usize> {
        if place >= self.len() {
            return None;
        }
        // Counts how many whole bytes to skip. A loop over members would end in a branch that the processor
        // mispredicts.
        let left_out = ((place as u64 * BYTES) | (128 * BYTES)) - self.so_far;
        let bytes = (left_out >> 7 & BYTES).wrapping_mul(BYTES) >> 56;
        let left = place as u64 - (self.so_far << 8 >> (8 * bytes) & 255);
        let byte = self.bits >> (8 * bytes) & 255;
        Some(8 * bytes as usize + PLACES[byte as usize][(left & 7) as usize] as usize)
    }
}

macro_rules! bit_set {
    ($(#[$doc:meta])* $name:ident, $members:ident, $bits:ty, $item:ty, $all:expr, |$value:ident| $index:expr, |$i:ident| $from:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
        pub struct $name($bits);

        impl $name {
            /// The empty set.
            pub const EMPTY: Self = Self(0);
            /// The set of all members that exist.
            pub const ALL: Self = Self($all);

            /// The set with these bits. Bits without a member are dropped.
            #[inline]
            pub const fn from_bits(bits: $bits) -> Self {
                Self(bits & $all)
            }

            /// The bits, one for each member.
            #[inline]
            pub const fn bits(self) -> $bits {
                self.0
            }

            /// The set with one member.
            #[inline]
            pub const fn one($value: $item) -> Self {
                Self(1 << $index)
            }

            /// True if the set has no members.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The number of members.
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// True if the set has the member.
            #[inline]
            pub const fn contains(self, $value: $item) -> bool {
                self.0 >> $index & 1 == 1
            }

            /// Adds a member.
            #[inline]
            pub const fn insert(&mut self, $value: $item) {
                self.0 |= 1 << $index;
            }

            /// Removes a member.
            #[inline]
            pub const fn remove(&mut self, $value: $item) {
                self.0 &= !(1 << $index);
            }

            /// The members of either set.
            #[inline]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The members of both sets.
            #[inline]
            pub const fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// The members of this set that the other does not have.
            #[inline]
            pub const fn difference(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// True if the other set has every member of this one.
            #[inline]
            pub const fn is_subset(self, other: Self) -> bool {
                self.0 & !other.0 == 0
            }

            /// The member with the lowest index.
            #[inline]
            pub const fn first(self) -> Option<$item> {
                if self.0 == 0 {
                    None
                } else {
                    let $i = self.0.trailing_zeros() as usize;
                    Some($from)
                }
            }

            /// The member at `place`, counted from 0 among the members in order.
            #[inline]
            pub fn nth(self, place: usize) -> Option<$item> {
                let $i = Ranked::of_bits(u64::from(self.0)).nth(place)?;
                Some($from)
            }

            /// The members in order.
            #[inline]
            pub fn iter(self) -> $members {
                $members(self.0)
            }
        }

        impl IntoIterator for $name {
            type Item = $item;
            type IntoIter = $members;

            #[inline]
            fn into_iter(self) -> $members {
                $members(self.0)
            }
        }

        #[doc = concat!("The members of a [`", stringify!($name), "`] in order.")]
        #[derive(Clone, Debug)]
        pub struct $members($bits);

        impl Iterator for $members {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                let first = $name(self.0).first()?;
                self.0 &= self.0 - 1;
                Some(first)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let len = self.0.count_ones() as usize;
                (len, Some(len))
            }
        }

        impl ExactSizeIterator for $members {}

        impl FromIterator<$item> for $name {
            fn from_iter<T: IntoIterator<Item = $item>>(members: T) -> Self {
                let mut set = Self::EMPTY;
                for member in members {
                    set.insert(member);
                }
                set
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}

bit_set! {
    /// A set of kinds, one bit each: waits, accepts, classes of tiles, legal discards.
    KindSet, KindSetIter, u64, Kind, u64::MAX,
    |value| value.index(),
    |i| Kind::at(i / 16, (i % 16) as u32)
}

impl SeatSet {
    /// The seats of a table.
    #[inline]
    pub(crate) const fn of_table(players: usize) -> Self {
        debug_assert!(players <= MAX_PLAYERS);
        Self::from_bits((1 << players) - 1)
    }

    /// The seats of a table for which `is_one` is true.
    #[inline(always)]
    pub(crate) fn of(players: usize, mut is_one: impl FnMut(Seat) -> bool) -> Self {
        let mut bits = 0;
        // At least four seats: their loop has no branches.
        for seat in Seat::all(players.max(4)) {
            bits |= u8::from(is_one(seat)) << seat.index();
        }
        Self::from_bits(bits).intersection(Self::of_table(players))
    }

    /// The next member after `seat` in turn order. `seat` itself comes last.
    #[inline]
    pub(crate) const fn next_after(self, seat: Seat) -> Option<Seat> {
        let once = self.bits() as u32;
        let from = seat.index() + 1;
        let ahead = (once | once << MAX_PLAYERS) >> from;
        if ahead == 0 {
            return None;
        }
        let next = from + ahead.trailing_zeros() as usize;
        Seat::new(if next < MAX_PLAYERS {
            next
        } else {
            next - MAX_PLAYERS
        })
    }
}

impl KindSet {
    /// All kinds of a lane.
    #[inline]
    pub(crate) const fn of_lane(lane: usize) -> Self {
        Self::from_bits(0xffff << (16 * lane))
    }

    /// True if the set has more than one member.
    #[inline]
    pub(crate) const fn are_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }
}

bit_set! {
    /// A set of flowers. Each flower exists once.
    FlowerSet, FlowerSetIter, u16, Flower, 0xffff,
    |value| value.index(),
    |i| match Flower::from_index(i) { Some(flower) => flower, None => unreachable!() }
}

bit_set! {
    /// A set of seats.
    SeatSet, SeatSetIter, u8, Seat, 0x3f,
    |value| value.index(),
    |i| match Seat::new(i) { Some(seat) => seat, None => unreachable!() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn members_are_found_by_their_place(bits in any::<u64>(), sparse in any::<u64>()) {
            for bits in [bits, bits & sparse, bits & sparse.rotate_left(7) & sparse, sparse | bits] {
                let set = KindSet::from_bits(bits);
                for (place, kind) in set.iter().enumerate() {
                    prop_assert_eq!(set.nth(place), Some(kind));
                }
                for beyond in [set.len(), set.len() + 1, 63, 64, usize::MAX] {
                    prop_assert_eq!(set.nth(beyond.max(set.len())), None);
                }
            }
        }
    }

    #[test]
    fn sets_do_what_their_words_say() {
        let mut set: KindSet = [Kind::WHITE, Kind::EAST].into_iter().collect();
        assert_eq!(set.len(), 2);
        assert_eq!(set.first(), Some(Kind::EAST));
        assert_eq!(set.nth(1), Some(Kind::WHITE));
        assert_eq!(set.nth(2), None);
        assert_eq!(set.iter().collect::<Vec<_>>(), [Kind::EAST, Kind::WHITE]);
        set.remove(Kind::EAST);
        assert!(set.is_subset(KindSet::one(Kind::WHITE)) && !set.contains(Kind::EAST));
        assert_eq!(KindSet::ALL.len(), Kind::COUNT);
        assert_eq!(KindSet::from_bits(u64::MAX), KindSet::ALL);
    }

    #[test]
    fn seats_come_in_turn_order() {
        let some = |indices: &[usize]| -> SeatSet {
            let seats = indices.iter().map(|&index| Seat::new(index).unwrap());
            seats.collect()
        };
        let seat = |index| Seat::new(index).unwrap();
        let set = some(&[1, 3]);
        for (from, next) in [(0, 1), (1, 3), (2, 3), (3, 1), (5, 1)] {
            assert_eq!(set.next_after(seat(from)), Some(seat(next)), "{from}");
        }
        assert_eq!(some(&[2]).next_after(seat(2)), Some(seat(2)));
        assert_eq!(SeatSet::EMPTY.next_after(seat(2)), None);
        assert_eq!(SeatSet::of(5, |seat| seat.index() % 2 == 1), set);
        assert_eq!(SeatSet::of_table(3), some(&[0, 1, 2]));
    }
}
