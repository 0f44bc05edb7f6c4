//! The least that special forms can lack, told from how many kinds are held.

use super::form::SpecialForm;
use super::holding::Holding;
use super::kinds::{Kinds, one_more};
use crate::counts::{Counts, ONES, gather, lane_covers, lane_sum};
use crate::set::KindSet;

/// Tiles of a hand read as a whole.
pub(super) const WHOLE: usize = 14;

/// How many lanes have tiles.
#[inline]
pub(super) fn held_lanes(lanes: &[u64; 4]) -> usize {
    lanes.iter().filter(|&&lane| lane != 0).count()
}

/// The kinds of which a hand holds some, as ones in the nibbles of its lanes.
pub(super) struct Held {
    pub(super) ones: [u64; 4],
    pub(super) twos: [u64; 4],
}

impl Held {
    #[inline]
    pub(super) fn new(counts: &Counts) -> Self {
        let lanes: [u64; 4] = std::array::from_fn(|lane| counts.lane(lane));
        Self {
            ones: lanes.map(|lane| (lane | lane >> 1 | lane >> 2) & ONES),
            twos: lanes.map(|lane| (lane >> 1 | lane >> 2) & ONES),
        }
    }
}

/// The least that forms can lack, told from how many kinds are held: nearly always groups and a pair lack
/// less.
#[derive(Clone, Debug, Default)]
pub(super) struct Floor {
    pairs: bool,
    straight: bool,
    /// Every kind that some form wants of each one, as ones; how many the one of fewest kinds wants.
    wanted: [u64; 4],
    fewest: Option<u8>,
    /// Honours that all of these want; more than can be held where there are none.
    honours: u64,
    /// Their kinds; all honours where there are no such forms.
    honour_kinds: KindSet,
}

impl Floor {
    pub(super) fn new(forms: &[SpecialForm]) -> Self {
        let mut floor = Self {
            honours: 7 * ONES,
            ..Self::default()
        };
        for form in forms {
            match form {
                SpecialForm::Pairs { .. } => floor.pairs = true,
                SpecialForm::Straight => floor.straight = true,
                SpecialForm::OneEach { tiles, .. } => {
                    let kinds = Held::new(tiles).ones;
                    let wants = count(kinds);
                    floor.honours &= kinds[3];
                    floor.fewest = Some(floor.fewest.map_or(wants, |fewest| fewest.min(wants)));
                    for (all, kinds) in floor.wanted.iter_mut().zip(kinds) {
                        *all |= kinds;
                    }
                }
            }
        }
        floor.honour_kinds = KindSet::from_bits(gather(floor.honours) << 48);
        floor
    }

    /// False where the honours tell that tiles are no form of one each: of most hands they do.
    #[inline]
    pub(super) fn may_be_one_each(&self, honours: u64) -> bool {
        lane_covers(honours, self.honours)
    }

    /// Kinds of which one more may complete a form; no other does, and nearly always none.
    #[inline]
    pub(super) fn wanted(&self, kinds: Kinds) -> KindSet {
        let mut wanted = one_more(self.honour_kinds.difference(kinds.held), KindSet::ALL);
        if self.pairs {
            wanted = wanted.union(one_more(kinds.single(), KindSet::ALL));
        }
        if self.straight {
            for lane in 0..3 {
                let lane = KindSet::of_lane(lane);
                if kinds.held.is_subset(lane) {
                    wanted = wanted.union(lane);
                }
            }
        }
        wanted
    }

    /// False where the tiles are no form: of nearly all that are none.
    #[inline]
    pub(super) fn may_be_forms(&self, concealed: &Counts) -> bool {
        let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
        let [a, b, c, honours] = lanes;
        let is_even = (a | b | c | honours) & ONES == 0;
        // Not one after the other: whether there are honours would be a guess.
        is_even && self.pairs
            || self.straight & (honours == 0) & (held_lanes(&lanes) == 1)
            || self.may_be_one_each(honours)
    }

    /// False where every form lacks `bound` tiles or more.
    #[inline]
    pub(super) fn reaches(&self, holding: &Holding, held: &Held, bound: u8) -> bool {
        let tiles = holding.concealed.total() as u8;
        if tiles > WHOLE as u8 || !holding.declared.is_empty() {
            return true;
        }
        let ones = &held.ones;
        // Only a second tile of a kind makes a pair.
        if self.pairs && 7 + count(*ones) < bound + tiles {
            return true;
        }
        let wanted = std::array::from_fn(|lane| ones[lane] & self.wanted[lane]);
        if self
            .fewest
            .is_some_and(|fewest| fewest < bound + count(wanted))
        {
            return true;
        }
        // A lane of so few tiles has as many different ones as the top nibble of the product says.
        let different = |lane: usize| (ones[lane].wrapping_mul(ONES) >> 60) as u8;
        self.straight && (0..3).any(|lane| bound + different(lane) > WHOLE as u8)
    }
}

/// Ones in the nibbles of four lanes.
#[inline]
pub(super) fn count(lanes: [u64; 4]) -> u8 {
    lane_sum(lanes.iter().sum()) as u8
}
