//! A quick lower bound on the missing tiles of the special forms, from the number of kinds that a hand holds.

use super::form::SpecialForm;
use super::holding::Holding;
use super::kinds::{Kinds, one_more};
use crate::counts::{Counts, ONES, by_lane, gather, lane_covers, lane_sum};
use crate::set::KindSet;

/// Tiles of a complete special form.
pub(super) const WHOLE: usize = 14;

/// How many lanes hold tiles.
#[inline]
pub(super) fn held_lanes(lanes: &[u64; 4]) -> usize {
    lanes.iter().filter(|&&lane| lane != 0).count()
}

/// The kinds that a hand holds, as lanes with a 1 in the nibble of each kind.
pub(super) struct Held {
    /// Kinds held at least once.
    pub(super) ones: [u64; 4],
    /// Kinds held at least twice.
    pub(super) twos: [u64; 4],
}

impl Held {
    #[inline]
    pub(super) fn new(counts: &Counts) -> Self {
        let lanes = counts.lanes();
        Self {
            ones: lanes.map(|lane| (lane | lane >> 1 | lane >> 2) & ONES),
            twos: lanes.map(|lane| (lane >> 1 | lane >> 2) & ONES),
        }
    }
}

/// The floor: a lower bound on the missing tiles of the special forms, from the number of kinds that a hand holds.
/// It saves time because nearly always fewer tiles are missing from groups and a pair. "One-each form" below means
/// [`SpecialForm::OneEach`].
#[derive(Clone, Debug, Default)]
pub(super) struct Floor {
    pairs: bool,
    straight: bool,
    /// Every kind that some one-each form wants, as ones in the nibbles.
    wanted: [u64; 4],
    /// How many kinds the smallest one-each form wants.
    fewest: Option<u8>,
    /// The honours that every one-each form wants, as ones in the nibbles. Without such a form, a 7 in every
    /// nibble: more than a hand can hold.
    honours: u64,
    /// `honours` as a set; the whole lane of honours if there is no one-each form.
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
                // `lists` has its own bounds.
                SpecialForm::Different { .. } | SpecialForm::WithGroups { .. } => {}
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

    /// False if the honours rule out every one-each form, as they do in most hands.
    #[inline]
    pub(super) fn may_be_one_each(&self, honours: u64) -> bool {
        lane_covers(honours, self.honours)
    }

    /// The kinds that may complete a form. No other kind can. Nearly always the set is empty.
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

    /// False if the tiles are certainly no form. Rules out nearly every hand that is none.
    #[inline]
    pub(super) fn may_be_forms(&self, concealed: &Counts) -> bool {
        let lanes = concealed.lanes();
        let [a, b, c, honours] = lanes;
        let is_even = (a | b | c | honours) & ONES == 0;
        // `&` instead of `&&`: whether there are honours is a branch that the processor mispredicts.
        is_even && self.pairs
            || self.straight & (honours == 0) & (held_lanes(&lanes) == 1)
            || self.may_be_one_each(honours)
    }

    /// False if every form certainly lacks `bound` tiles or more.
    #[inline]
    pub(super) fn reaches(&self, holding: &Holding, held: &Held, bound: u8) -> bool {
        let tiles = holding.concealed.total() as u8;
        if tiles > WHOLE as u8 || !holding.declared.is_empty() {
            return true;
        }
        let ones = &held.ones;
        // A hand has no more pairs than tiles that repeat a kind.
        if self.pairs && 7 + count(*ones) < bound + tiles {
            return true;
        }
        let wanted = by_lane(|lane| ones[lane] & self.wanted[lane]);
        if self
            .fewest
            .is_some_and(|fewest| fewest < bound + count(wanted))
        {
            return true;
        }
        // The product sums all nibbles into the top one. At most fourteen tiles fit into it.
        let different = |lane: usize| (ones[lane].wrapping_mul(ONES) >> 60) as u8;
        self.straight && (0..3).any(|lane| bound + different(lane) > WHOLE as u8)
    }
}

/// The sum of all nibbles of four lanes of ones.
#[inline]
pub(super) fn count(lanes: [u64; 4]) -> u8 {
    lane_sum(lanes.iter().sum()) as u8
}
