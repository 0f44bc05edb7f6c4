//! [`Counts`]: how many tiles of each kind. Only this file knows how the counts are packed.

use crate::set::KindSet;
use crate::tile::Kind;
use std::fmt;

/// How many tiles of each kind: 0 to 4, or 0 to 8 of jokers, blossoms and extra kinds. Four lanes (tong, sock, man,
/// honours) hold sixteen four-bit counts each. The high bit of each nibble stays free and guards subtractions. Counts of five to seven
/// occur where a search tries a fifth copy, and where wild tiles stand for copies that the set does not have. Eight
/// copies take the guard bit, which only the lane of honours can have: what subtracts or compares looks for it and then
/// goes nibble by nibble.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Counts([u64; 4]);

const _: () = assert!(size_of::<Counts>() == 32);

/// The guard bit: the free high bit of every nibble.
pub(crate) const GUARD: u64 = 0x8888_8888_8888_8888;
/// The low bit of every nibble.
pub(crate) const ONES: u64 = 0x1111_1111_1111_1111;
/// The most copies of a kind in a set, other than jokers, blossoms and extra kinds.
pub const MAX_COPIES: u8 = 4;
/// The most copies of any kind in a set: see [`Kind::most_copies`].
pub const MOST_COPIES: u8 = 8;
/// The most copies of a kind that a count can hold: a nibble without its guard bit.
pub(crate) const MOST_HELD: u8 = 7;

/// Packs the low bits of sixteen nibbles into sixteen bits.
#[inline]
pub(crate) const fn gather(low_bits: u64) -> u64 {
    let x = low_bits & ONES;
    let x = (x | x >> 3) & 0x0303_0303_0303_0303;
    let x = (x | x >> 6) & 0x000f_000f_000f_000f;
    let x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
    (x | x >> 24) & 0xffff
}

/// Sixteen nibbles as bytes, the lowest first.
#[inline]
pub(crate) fn nibbles_as_bytes(nibbles: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (pair, byte) in bytes.chunks_exact_mut(2).zip(nibbles.to_le_bytes()) {
        pair.copy_from_slice(&[byte & 15, byte >> 4]);
    }
    bytes
}

/// The sum of sixteen nibbles, each at most 8.
#[inline]
pub(crate) const fn lane_sum(lane: u64) -> u32 {
    let bytes = (lane & 0x0f0f_0f0f_0f0f_0f0f) + (lane >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// True if each nibble of `lane` is at least the same nibble of `mask`.
#[inline]
pub(crate) const fn lane_covers(lane: u64, mask: u64) -> bool {
    (lane | GUARD).wrapping_sub(mask) & GUARD == GUARD
}

/// What is left of each count of a lane. None drops below zero.
#[inline]
pub(crate) const fn lane_minus(lane: u64, other: u64) -> u64 {
    let rest = (lane | GUARD) - other;
    // The guard bit survives where nothing had to be borrowed.
    rest & (((rest & GUARD) >> 3) * 7)
}

/// [`lane_minus`] for a lane in which some count may be eight.
#[inline(never)]
fn wide_minus(lane: u64, other: u64) -> u64 {
    let rest = |place| nibble(lane, place).saturating_sub(nibble(other, place));
    (0..16).map(|place| at(place, rest(place))).sum()
}

/// [`lane_covers`] for lanes in which some count may be eight.
#[inline(never)]
fn wide_covers(lane: u64, mask: u64) -> bool {
    (0..16).all(|place| nibble(lane, place) >= nibble(mask, place))
}

/// The count at one place of a lane.
#[inline]
pub(crate) const fn nibble(lane: u64, place: u32) -> u64 {
    lane >> (place * 4) & 15
}

/// A lane with `count` tiles at one place.
#[inline]
pub(crate) const fn at(place: u32, count: u64) -> u64 {
    count << (4 * place)
}

/// The lowest place of a lane that holds a tile. 16 if none does.
#[inline]
pub(crate) const fn lowest_place(lane: u64) -> u32 {
    lane.trailing_zeros() / 4
}

/// The kinds of a lane that are held once, among those marked.
#[inline]
pub(crate) const fn lone(lane: u64, marked: u64) -> u64 {
    lane & !(lane >> 1 | lane >> 2) & ONES & marked
}

impl Counts {
    /// No tiles.
    pub const EMPTY: Self = Self([0; 4]);

    /// How many tiles of a kind.
    #[inline]
    pub const fn get(&self, kind: Kind) -> u8 {
        nibble(self.0[kind.lane()], kind.place()) as u8
    }

    /// True if `other` holds at least as many of every kind.
    #[inline]
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        if self.has_eight() | other.has_eight() {
            let mut lanes = self.0.iter().zip(&other.0);
            return lanes.all(|(&lane, &most)| wide_covers(most, lane));
        }
        let lanes = self.0.iter().zip(&other.0);
        lanes.fold(true, |all, (&lane, &most)| all & lane_covers(most, lane))
    }

    /// True if eight of some kind are held.
    #[inline]
    const fn has_eight(&self) -> bool {
        self.0[3] & GUARD != 0
    }

    /// Adds one tile. Returns false and changes nothing if [all copies](Kind::most_copies) are held already.
    #[inline]
    pub const fn try_add(&mut self, kind: Kind) -> bool {
        if self.get(kind) >= kind.most_copies() {
            return false;
        }
        self.add(kind, 1);
        true
    }

    /// Adds one tile, even a fifth copy. Returns false and changes nothing if seven or more are held already.
    #[inline]
    pub(crate) const fn try_add_beyond(&mut self, kind: Kind) -> bool {
        if self.get(kind) >= MOST_HELD {
            return false;
        }
        *self = self.with_beyond(kind);
        true
    }

    /// The counts with one more of a kind, even a fifth copy. Fewer than seven may be held.
    #[inline]
    pub(crate) const fn with_beyond(&self, kind: Kind) -> Self {
        debug_assert!(self.get(kind) < MOST_HELD);
        let mut lanes = self.0;
        lanes[kind.lane()] += at(kind.place(), 1);
        Self(lanes)
    }

    /// Seven of each kind that is held, or eight where there are eight.
    pub(crate) const fn filled(&self) -> Self {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 4 {
            let held = lanes[lane];
            let eights = held & GUARD;
            lanes[lane] = (7 * ((held | held >> 1 | held >> 2) & ONES)) | eights;
            lane += 1;
        }
        Self(lanes)
    }

    /// True if some kind has a [fifth copy](Self::with_beyond).
    #[inline]
    pub(crate) fn goes_beyond(&self) -> bool {
        let beyond = |all, lane: &u64| all | lane >> 2 & (lane | lane >> 1) & ONES;
        self.0.iter().fold(0, beyond) != 0
    }

    /// Takes one tile away. Returns false and changes nothing if none is held.
    #[inline]
    pub const fn try_remove(&mut self, kind: Kind) -> bool {
        if self.get(kind) == 0 {
            return false;
        }
        self.sub(kind, 1);
        true
    }

    /// Sets the count of a kind. More than [all copies](Kind::most_copies) count as all.
    pub const fn set(&mut self, kind: Kind, count: u8) {
        let most = kind.most_copies();
        let count = if count > most { most } else { count };
        let shift = kind.place() * 4;
        let lane = &mut self.0[kind.lane()];
        *lane = *lane & !(15 << shift) | (count as u64) << shift;
    }

    #[inline]
    pub(crate) const fn add(&mut self, kind: Kind, count: u8) {
        debug_assert!(self.get(kind) + count <= kind.most_copies());
        self.0[kind.lane()] += (count as u64) << (kind.place() * 4);
    }

    #[inline]
    pub(crate) const fn sub(&mut self, kind: Kind, count: u8) {
        debug_assert!(self.get(kind) >= count);
        self.0[kind.lane()] -= (count as u64) << (kind.place() * 4);
    }

    /// The counts with one more of a kind. `None` if [all copies](Kind::most_copies) are held already.
    #[inline]
    pub const fn with(&self, kind: Kind) -> Option<Self> {
        if self.get(kind) >= kind.most_copies() {
            return None;
        }
        // Rewrites all four lanes. After a store to a single lane, a load of the whole value would have to
        // wait for it.
        let one = at(kind.place(), 1);
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 4 {
            lanes[lane] += one * (lane == kind.lane()) as u64;
            lane += 1;
        }
        Some(Self(lanes))
    }

    /// The counts without the tiles of these kinds.
    #[inline]
    pub(crate) fn without_kinds(mut self, kinds: KindSet) -> Self {
        if !kinds.is_empty() {
            for kind in self.kinds().intersection(kinds).iter() {
                self.set(kind, 0);
            }
        }
        self
    }

    /// The counts without one tile of each kind in the `mask` of a lane. All of them must be held.
    pub(crate) const fn without_one_each(&self, lane: usize, mask: u64) -> Self {
        let mut lanes = self.0;
        debug_assert!(lane_covers(lanes[lane], mask));
        lanes[lane] -= mask;
        Self(lanes)
    }

    /// The counts with one tile more of each kind in the `mask` of a lane. No kind may have four already.
    pub(crate) const fn with_one_each(&self, lane: usize, mask: u64) -> Self {
        let mut lanes = self.0;
        lanes[lane] += mask;
        debug_assert!(lanes[lane] & GUARD == 0);
        Self(lanes)
    }

    /// All lanes.
    #[inline]
    pub(crate) const fn lanes(&self) -> [u64; 4] {
        self.0
    }

    /// One lane.
    #[inline]
    pub(crate) const fn lane(&self, lane: usize) -> u64 {
        self.0[lane]
    }

    /// How many tiles in total.
    #[inline]
    pub const fn total(&self) -> usize {
        // The sum of two lanes is at most 15 in a nibble, and no hand or set has more than 255 tiles: nothing overflows.
        let (a, b) = (self.0[0] + self.0[1], self.0[2] + self.0[3]);
        let low = (a & 0x0f0f_0f0f_0f0f_0f0f) + (b & 0x0f0f_0f0f_0f0f_0f0f);
        let high = (a >> 4 & 0x0f0f_0f0f_0f0f_0f0f) + (b >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        ((low + high).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
    }

    /// True if there is no tile.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The sum of both counts. `None` if a kind would exceed [all copies](Kind::most_copies).
    pub fn try_plus(&self, other: &Self) -> Option<Self> {
        // The joker is the first kind that may have eight copies.
        if (self.0[3] | other.0[3]) >> (4 * Kind::JOKER.place()) != 0 {
            return self.try_plus_wide(other);
        }
        let mut sum = Self::EMPTY;
        for lane in 0..4 {
            let added = self.0[lane] + other.0[lane];
            // A nibble holds at most 4 + 4 = 8, so nothing carries. Adding 3 sets the guard bit for 5 to 8.
            if added.wrapping_add(0x3333_3333_3333_3333) & GUARD != 0 {
                return None;
            }
            sum.0[lane] = added;
        }
        Some(sum)
    }

    /// [`Self::try_plus`] with kinds that may have eight copies.
    #[inline(never)]
    fn try_plus_wide(&self, other: &Self) -> Option<Self> {
        let mut sum = *self;
        let fits = |kind: Kind| (0..other.get(kind)).all(|_| sum.try_add(kind));
        other.kinds().iter().all(fits).then_some(sum)
    }

    /// The sum of both counts, fifth copies included. `None` if a kind would exceed seven, or eight where it may have as
    /// many.
    pub(crate) fn try_plus_beyond(&self, other: &Self) -> Option<Self> {
        // A nibble holds at most 7 + 7 = 14 unless there are eight, so nothing carries into the next.
        if !(self.has_eight() | other.has_eight()) {
            let sum = by_lane(|lane| self.0[lane] + other.0[lane]);
            if sum.iter().all(|lane| lane & GUARD == 0) {
                return Some(Self(sum));
            }
        }
        let all = self.kinds().union(other.kinds());
        let fits =
            |kind: Kind| self.get(kind) + other.get(kind) <= kind.most_copies().max(MOST_HELD);
        all.iter()
            .all(fits)
            .then(|| Self(by_lane(|lane| self.0[lane] + other.0[lane])))
    }

    /// The sum of both counts, fifth copies included, where the other is given as lanes. `None` if a kind would exceed seven.
    pub(crate) fn plus_lanes(&self, lanes: &[u64; 4]) -> Option<Self> {
        self.try_plus_beyond(&Self(*lanes))
    }

    /// What is left after `other` is taken away. `None` if a count would drop below zero.
    pub(crate) fn try_minus(&self, other: &Self) -> Option<Self> {
        other.is_within(self).then(|| self.saturating_minus(other))
    }

    /// What is left after `other` is taken away. No count drops below zero.
    #[inline]
    pub fn saturating_minus(&self, other: &Self) -> Self {
        if self.has_eight() | other.has_eight() {
            return Self(by_lane(|lane| wide_minus(self.0[lane], other.0[lane])));
        }
        Self(by_lane(|lane| lane_minus(self.0[lane], other.0[lane])))
    }

    /// The kinds with at least `count` copies, 1 to 4.
    #[inline]
    pub const fn at_least(&self, count: u8) -> KindSet {
        let mut lows = [0; 4];
        let (mut any, mut lane) = (0, 0);
        while lane < 4 {
            let mut c = self.0[lane];
            if lane == 3 {
                // Eight counts as four or more.
                c |= (c & GUARD) >> 1;
            }
            lows[lane] = ONES
                & match count {
                    0 => ONES,
                    1 => c | c >> 1 | c >> 2,
                    2 => c >> 1 | c >> 2,
                    3 => c >> 2 | (c & c >> 1),
                    _ => c >> 2,
                };
            any |= lows[lane];
            lane += 1;
        }
        // Most hands have no three or four alike: skip the packing below.
        if count > 2 && any == 0 {
            return KindSet::EMPTY;
        }
        let [a, b, c, d] = lows;
        KindSet::from_bits(gather(a) | gather(b) << 16 | gather(c) << 32 | gather(d) << 48)
    }

    /// The kinds held.
    #[inline]
    pub const fn kinds(&self) -> KindSet {
        self.at_least(1)
    }

    /// The tiles of the kinds of a mask.
    #[inline]
    pub(crate) fn masked(&self, mask: &KindMask) -> Self {
        Self(by_lane(|lane| self.0[lane] & mask.0[lane]))
    }

    /// How many tiles belong to the kinds of a set.
    pub fn count_in(&self, set: KindSet) -> u32 {
        set.intersection(self.kinds())
            .iter()
            .map(|kind| u32::from(self.get(kind)))
            .sum()
    }

    /// Each kind in order, repeated as often as it is held.
    pub fn iter(&self) -> impl Iterator<Item = Kind> + '_ {
        self.kinds()
            .iter()
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(self.get(kind))))
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.kinds().iter().map(|kind| (kind, self.get(kind))))
            .finish()
    }
}

/// A set of kinds in the layout of [`Counts`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KindMask([u64; 4]);

impl From<KindSet> for KindMask {
    fn from(kinds: KindSet) -> Self {
        let mut lanes = [0; 4];
        for kind in kinds.iter() {
            lanes[kind.lane()] |= at(kind.place(), 15);
        }
        Self(lanes)
    }
}

/// What a function gives for each lane. Unlike that of `array::from_fn`, its code is always inlined.
#[inline(always)]
pub(crate) fn by_lane<T>(of: impl Fn(usize) -> T) -> [T; 4] {
    [of(0), of(1), of(2), of(3)]
}

/// The counts as sets of kinds, one for each bit of a count. Made once, it counts the tiles of many sets fast.
#[derive(Clone, Debug)]
pub(crate) struct CountBits {
    ones: KindSet,
    twos: KindSet,
    fours: KindSet,
    eights: KindSet,
}

impl CountBits {
    pub(crate) fn of(counts: &Counts) -> Self {
        let kinds = |bit: u32| {
            let [a, b, c, d] = by_lane(|lane| gather(counts.lane(lane) >> bit));
            KindSet::from_bits(a | b << 16 | c << 32 | d << 48)
        };
        Self {
            ones: kinds(0),
            twos: kinds(1),
            fours: kinds(2),
            eights: match counts.has_eight() {
                true => kinds(3),
                false => KindSet::EMPTY,
            },
        }
    }

    /// How many tiles belong to the kinds of a set. See [`Counts::count_in`].
    #[inline]
    pub(crate) fn count_in(&self, set: KindSet) -> u32 {
        let kinds = |bits: &KindSet| set.intersection(*bits).len() as u32;
        let few = kinds(&self.ones) + 2 * kinds(&self.twos) + 4 * kinds(&self.fours);
        match self.eights.is_empty() {
            true => few,
            false => few + 8 * kinds(&self.eights),
        }
    }
}

/// The zero's nibble in the honours lane.
pub(crate) const ZERO_NIBBLE: u64 = at(Kind::ZERO.place(), 15);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_counts_agree_with_an_array(picks in proptest::collection::vec(0..Kind::COUNT, 0..60)) {
            let mut counts = Counts::EMPTY;
            let mut plain = [0u8; Kind::COUNT];
            for pick in picks {
                let kind = Kind::from_index(pick).unwrap();
                prop_assert_eq!(counts.try_add(kind), plain[pick] < kind.most_copies());
                plain[pick] = (plain[pick] + 1).min(kind.most_copies());
            }
            prop_assert_eq!(counts.total(), plain.iter().map(|&n| usize::from(n)).sum::<usize>());
            for n in 1..=4 {
                let want: KindSet = Kind::all().filter(|k| plain[k.index()] >= n).collect();
                prop_assert_eq!(counts.at_least(n), want);
            }
            prop_assert_eq!(counts.iter().count(), counts.total());
            let odd: KindSet = Kind::all().filter(|kind| kind.index() % 2 == 1).collect();
            prop_assert_eq!(CountBits::of(&counts).count_in(odd), counts.count_in(odd));
            let is_half = |kind: Kind| 2 * plain[kind.index()] <= kind.most_copies();
            prop_assert_eq!(counts.try_plus(&counts).is_some(), Kind::all().all(is_half));
        }

        /// Lanes with up to eight of some kinds agree with arrays.
        #[test]
        fn eight_copies_agree_with_an_array(
            own in proptest::array::uniform4(0_u8..=8), other in proptest::array::uniform4(0_u8..=8),
        ) {
            let kinds = [Kind::JOKER, Kind::EXTRA[3], Kind::WHITE, Kind::EAST];
            let counts = |of: [u8; 4]| {
                let mut counts = Counts::EMPTY;
                kinds.into_iter().zip(of).for_each(|(kind, count)| counts.set(kind, count));
                counts
            };
            let (a, b) = (counts(own), counts(other));
            let get = |counts: &Counts| kinds.map(|kind| counts.get(kind));
            let each = |of: fn(u8, u8) -> u8| -> [u8; 4] {
                std::array::from_fn(|place| of(get(&a)[place], get(&b)[place]))
            };
            let all = |of: fn(u8, u8, u8) -> bool| {
                (0..4).all(|place| of(get(&a)[place], get(&b)[place], kinds[place].most_copies()))
            };
            prop_assert_eq!(get(&a), [0, 1, 2, 3].map(|place| own[place].min(kinds[place].most_copies())));
            prop_assert_eq!(get(&a.saturating_minus(&b)), each(u8::saturating_sub));
            prop_assert_eq!(a.is_within(&b), all(|a, b, _| a <= b));
            prop_assert_eq!(a.try_minus(&b).is_some(), all(|a, b, _| a >= b));
            for sum in [a.try_plus(&b), a.try_plus_beyond(&b)].into_iter().flatten() {
                prop_assert_eq!(get(&sum), each(|a, b| a + b));
            }
            prop_assert_eq!(a.try_plus(&b).is_some(), all(|a, b, most| a + b <= most));
            prop_assert_eq!(a.total(), get(&a).iter().map(|&n| usize::from(n)).sum::<usize>());
            prop_assert_eq!(a.filled().at_least(1), a.kinds());
        }
    }
}
