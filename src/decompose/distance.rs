//! The search for the costs of a lane.
//!
//! A target is four groups and a pair that use no more copies of a kind than the set has. The missing tiles of a
//! hand are those of its nearest target. Groups stay within a lane, so each lane is searched alone for the cost of
//! `m` groups and `p` pairs. Four lanes combine by min-plus.
//!
//! The lanes share the zero tile. So costs have a third coordinate `u`, the zeros of the lane; see [`Zeros`].
//! Counted zeros are charged once, at the end.

use super::costs::{Costs, Found, Target, Zeros};
use super::grammar::{Grammar, GrammarId, Shape, ShapeSet};
use crate::counts::{GUARD, ONES, at, lane_covers, lane_sum, lowest_place, nibble};
use smallvec::SmallVec;

/// A cache of lane costs, for distances. Create one per thread and keep it. It works for any number of rulesets.
#[derive(Clone, Debug)]
pub struct Scratch {
    entries: Vec<Entry>,
}

/// The costs of one lane, with their key.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The grammar of the lane. Under another grammar the same tiles have other costs.
    grammar: GrammarId,
    counts: u64,
    /// Copies left for the target, with flags in the guard bits. All ones mark an empty entry; no real key has
    /// this value.
    limit: u64,
    costs: Costs,
}

impl Entry {
    const EMPTY: Self = Self {
        grammar: GrammarId::NONE,
        counts: 0,
        limit: u64::MAX,
        costs: Costs::FAR,
    };
}

const CACHE_BITS: u32 = 14;

impl Scratch {
    /// An empty cache. It allocates about 1.6 MB when a hand is first searched.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// The costs of a lane, from the cache or the search.
    pub(super) fn costs(&mut self, grammar: &Grammar, lane: &Lane) -> Costs {
        // The guard bits of the limit are free: a kind with eight copies, which takes one, is in no group. They hold how
        // zeros are treated and whether the lane is the honours.
        let honours = u64::from(lane.index == 3) << 63;
        let zeros = match lane.zeros {
            Zeros::None => 0,
            Zeros::Shared(held) => 1 << (4 * held + 3),
            Zeros::Counted(held) => 1 << (4 * held + 3) | 1 << 59,
        };
        let key = lane.limit | honours | zeros;
        let counts = lane.counts;
        let hash = (counts ^ key.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.entries.is_empty() {
            self.entries = vec![Entry::EMPTY; 1 << CACHE_BITS];
        }
        let entry = &mut self.entries[(hash >> (64 - CACHE_BITS)) as usize];
        if (entry.grammar, entry.counts, entry.limit) != (grammar.id, counts, key) {
            *entry = Entry {
                grammar: grammar.id,
                counts,
                limit: key,
                costs: lane_costs(grammar, lane),
            };
        }
        entry.costs
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// One lane of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// 0 to 3; 3 is the honours.
    pub(super) index: usize,
    pub(super) counts: u64,
    /// Copies of each kind that a target may use.
    pub(super) limit: u64,
    pub(super) zeros: Zeros,
}

/// A group that a target may have: a run as a 1 in each nibble, or a pung as a 3 in one nibble.
#[derive(Clone, Copy, Default)]
struct Candidate {
    mask: u64,
    /// Zeros in the group. They count as held.
    zeros: usize,
    /// Missing tiles if the group may use the whole lane: a lower bound beside other groups.
    missing: u8,
}

/// The number of ones in the nibbles of `ones`, at most fifteen. The product sums them in the highest nibble.
#[inline]
fn spread_count(ones: u64) -> u32 {
    (ones.wrapping_mul(ONES) >> 60) as u32
}

/// The tiles of `mask` that `rest` holds, and how many.
#[inline]
pub(super) fn matched(rest: u64, mask: u64) -> (u64, u32) {
    let run = mask & ONES;
    if run == mask {
        let held = (rest | rest >> 1 | rest >> 2) & run;
        (held, spread_count(held))
    } else {
        // A pung is in one nibble.
        let shift = mask.trailing_zeros() / 4 * 4;
        let held = (rest >> shift & 15).min(3);
        (held << shift, held as u32)
    }
}

/// Groups, the cheapest first: a good target found early cuts off more of the rest.
type Candidates = SmallVec<[Candidate; 128]>;

/// The groups that hold two tiles or more, zeros included. All groups if the grammar is not roomy.
fn candidates(grammar: &Grammar, lane: &Lane) -> Candidates {
    let Lane {
        index,
        counts,
        limit,
        ..
    } = *lane;
    let mut lists: [SmallVec<[Candidate; 64]>; 4] = Default::default();
    let mut offer = |mask: u64, zeros: usize| {
        let held = matched(counts, mask).1 as usize + zeros;
        if lane_covers(limit, mask) && (held >= 2 || !grammar.roomy) {
            let missing = 3 - held;
            lists[missing].push(Candidate {
                mask,
                zeros,
                missing: missing as u8,
            });
        }
    };
    if grammar.has_pung {
        for place in 0..16 {
            if !grammar.roomy || nibble(counts, place) >= 2 {
                offer(at(place, 3), 0);
            }
        }
        if index == 3 && grammar.uses_zero && lane.zeros != Zeros::Shared(0) {
            offer(0, 3);
        }
    }
    if index < 3 {
        // Counts for all shapes at once. `one` has the shapes with one held tile or more, a zero included;
        // `two` has those with two or more.
        let (mut one, mut two) = (grammar.zero_shapes.bits(), 0);
        let mut held = (counts | counts >> 1 | counts >> 2) & ONES;
        while held != 0 {
            let with = grammar.shapes_with[lowest_place(held) as usize].bits();
            two |= one & with;
            one |= with;
            held &= held - 1;
        }
        let wanted = if grammar.roomy { two } else { u128::MAX };
        for id in ShapeSet::from_bits(wanted)
            .iter()
            .take_while(|id| id.index() < grammar.shapes.len())
        {
            let shape = &grammar.shapes[id.index()];
            offer(shape.mask, usize::from(shape.takes_zero()));
        }
    }
    // Copies slices: iterating over the lists would move them, kilobytes each.
    let mut all = Candidates::new();
    for list in &lists {
        all.extend_from_slice(list);
    }
    all
}

/// The costs of a lane: the fewest tiles missing for `m` groups and `p` pairs, for every number of zeros.
///
/// In a *roomy* grammar the search adds only groups that hold two tiles or more. This is enough: the groups
/// of any target can be ordered so that these come first, each with two tiles or more that the groups before it
/// do not use. Two sorts of groups remain. A *seed* holds one tile and costs two, or it holds a zero. A group
/// without held tiles costs three, wherever it is. The search does not enumerate either; it counts them at
/// each node.
///
/// In a small set groups may run out, so the search tries all groups.
pub(super) fn lane_costs(grammar: &Grammar, lane: &Lane) -> Costs {
    search(grammar, lane, Found::new(lane.zeros, grammar.groups)).costs
}

/// Searches a lane for all its costs. With an aim it looks only for the least sum, which is much faster.
pub(super) fn search(grammar: &Grammar, lane: &Lane, found: Found) -> Found {
    let candidates = candidates(grammar, lane);
    let mut search = Search {
        candidates: &candidates,
        grammar,
        shapes: if lane.index < 3 { &grammar.shapes } else { &[] },
        found,
        limit: lane.limit,
        zero_pair: lane.index == 3 && grammar.uses_zero && lane.zeros != Zeros::Shared(0),
    };
    let empty = Target {
        groups: 0,
        zeros: 0,
        cost: 0,
    };
    search.go(0, empty, lane.counts, 0);
    search.found
}

/// The search of one lane.
struct Search<'a> {
    candidates: &'a [Candidate],
    grammar: &'a Grammar,
    /// Every run of the lane's suit, for seeds.
    shapes: &'a [Shape],
    found: Found,
    limit: u64,
    /// True if a pair of zeros counts in this lane.
    zero_pair: bool,
}

impl Search<'_> {
    /// Visits the targets that contain `tiles` and add candidates from index `from` on. `rest` are held tiles
    /// that the target does not use.
    fn go(&mut self, from: usize, target: Target, rest: u64, tiles: u64) {
        self.record(target, rest, tiles);
        let left = lane_sum(rest) as usize;
        if target.groups == self.grammar.groups || !self.found.may_better(target, left, 0) {
            return;
        }
        let mut floor = 0;
        for i in from..self.candidates.len() {
            let Candidate {
                mask,
                zeros: more,
                missing,
            } = self.candidates[i];
            if missing > floor {
                // All candidates from here on lack at least this many.
                floor = missing;
                if !self.found.may_better(target, left, floor) {
                    return;
                }
            }
            let zeros = target.zeros + more;
            if !self.found.allows(zeros) || !lane_covers(self.limit, tiles + mask) {
                continue;
            }
            let (held, n) = matched(rest, mask);
            let used = n + more as u32;
            // A group with one held tile and a zero that is missing is a seed.
            if self.grammar.roomy && (used < 2 || n < 2 && more == 1 && !self.found.has(zeros)) {
                continue;
            }
            let next = Target {
                groups: target.groups + 1,
                zeros,
                cost: target.cost + 3 - used as u8,
            };
            self.go(i, next, rest - held, tiles + mask);
        }
    }

    /// Notes the costs of a target: without and with a pair, each with seeds and groups of unheld tiles.
    fn record(&mut self, target: Target, rest: u64, tiles: u64) {
        let held = (rest | rest >> 1 | rest >> 2) & ONES;
        if self.record_plainly(target, held, rest, tiles) {
            return;
        }
        self.fill(target, 0, rest, tiles);
        let zeros = target.zeros + 2;
        if self.zero_pair && self.found.allows(zeros) {
            self.fill(Target { zeros, ..target }, 1, rest, tiles);
        }
        // Places with room for two more copies.
        let free = (self.limit | GUARD) - tiles;
        let room = (free >> 1 | free >> 2) & ONES;
        let mut places = held & room;
        while places != 0 {
            let one = places & places.wrapping_neg();
            let shift = one.trailing_zeros();
            let have = (rest >> shift & 15).min(2);
            let cost = target.cost + 2 - have as u8;
            let pair = Target { cost, ..target };
            self.fill(pair, 1, rest - (have << shift), tiles + 2 * one);
            places &= places - 1;
        }
        if self.grammar.roomy || room != 0 {
            let cost = target.cost + 2;
            self.fill(Target { cost, ..target }, 1, rest, tiles);
        }
    }

    /// [`Self::record`] for the plain case, which is nearly every target. Each kind left is held once or
    /// twice and has room for a pung. So each is a seed, and all are alike. Returns false and notes nothing
    /// in other cases.
    fn record_plainly(&mut self, target: Target, held: u64, rest: u64, tiles: u64) -> bool {
        let more = self.grammar.groups - target.groups;
        let triples = rest >> 2 | (rest & rest >> 1);
        let plain = self.grammar.roomy
            && more > 0
            && triples & ONES == 0
            && held & !self.room_for_pung(tiles) == 0;
        if !plain {
            return false;
        }
        let mut zero_seeds = 0;
        if self.found.has(target.zeros + 1) && !self.shapes.is_empty() {
            zero_seeds = more;
            if !self.zeros_serve(held, tiles, more) {
                return false;
            }
        }
        let with = |more: u8| Target {
            cost: target.cost + more,
            ..target
        };
        let seeds = spread_count(held) as usize;
        self.found.note(target, 0, seeds, zero_seeds);
        self.found.note(with(2), 1, seeds, zero_seeds);
        if seeds > 0 {
            let is_pair = rest >> 1 & ONES != 0;
            let pair = with(if is_pair { 0 } else { 1 });
            self.found.note(pair, 1, seeds - 1, zero_seeds);
        }
        let zeros = target.zeros + 2;
        if self.zero_pair && self.found.allows(zeros) {
            let pair = Target { zeros, ..target };
            self.found.note(pair, 1, seeds, zero_seeds);
        }
        true
    }

    /// True if some run with a zero and without held tiles fits `times` times.
    fn zeros_serve(&self, held: u64, tiles: u64, times: usize) -> bool {
        let free = self.limit - tiles;
        let serves = |id| {
            let mask = self.grammar.own_shape(id).mask;
            held & mask == 0 && lane_covers(free, mask * times as u64)
        };
        self.grammar.zero_shapes.iter().any(serves)
    }

    /// Notes a target and, in a roomy grammar, the same with more groups.
    fn fill(&mut self, target: Target, pair: usize, rest: u64, tiles: u64) {
        let more = self.grammar.groups - target.groups;
        if !self.grammar.roomy || more == 0 {
            return self.found.note_alone(target, pair);
        }
        let (seeds, tiles) = self.seeds(rest, tiles, more);
        let zero_seeds = if self.found.has(target.zeros + 1) {
            self.zero_seeds(0, rest, tiles, more)
        } else {
            0
        };
        self.found.note(target, pair, seeds, zero_seeds);
    }

    /// How many seeds there are, at most `most`, and the target with the runs that they take. A seed holds
    /// one tile. If its kind has room for a pung, it needs nothing else. Otherwise it needs a run, which
    /// takes copies.
    fn seeds(&self, rest: u64, target: u64, most: usize) -> (usize, u64) {
        let held = (rest | rest >> 1 | rest >> 2) & ONES;
        let pungs = (held & self.room_for_pung(target)).count_ones() as usize;
        if pungs >= most {
            return (most, target);
        }
        let tight = held & !self.room_for_pung(target);
        if tight == 0 {
            return (pungs, target);
        }
        self.tight_seeds(held, tight, target, most)
    }

    /// Places with room for three more copies.
    fn room_for_pung(&self, target: u64) -> u64 {
        let free = (self.limit | GUARD) - target;
        (free >> 2 | (free & free >> 1)) & ONES
    }

    /// [`Self::seeds`] if some held kinds (`tight`) have no room for a pung. Tries each of these in every run
    /// that has room.
    fn tight_seeds(&self, held: u64, tight: u64, target: u64, most: usize) -> (usize, u64) {
        let pungs = (held & self.room_for_pung(target)).count_ones() as usize;
        let mut best = (pungs.min(most), target);
        if tight == 0 || best.0 == most {
            return best;
        }
        let one = tight & tight.wrapping_neg();
        let others = tight & (tight - 1);
        let without = self.tight_seeds(held & !one, others, target, most);
        if without.0 > best.0 {
            best = without;
        }
        for shape in self.shapes {
            let fits = shape.mask & one != 0
                && !shape.takes_zero()
                && lane_covers(self.limit, target + shape.mask);
            if fits && most > 0 {
                let (more, target) =
                    self.tight_seeds(held & !one, others, target + shape.mask, most - 1);
                if more + 1 > best.0 {
                    best = (more + 1, target);
                }
                if best.0 == most {
                    return best;
                }
            }
        }
        best
    }

    /// How many runs, at most `most`, can hold a zero and no other held tile.
    fn zero_seeds(&self, from: usize, rest: u64, tiles: u64, most: usize) -> usize {
        let mut best = 0;
        if most == 0 || self.shapes.is_empty() {
            return best;
        }
        let held = (rest | rest >> 1 | rest >> 2) & ONES;
        if self.zeros_serve(held, tiles, most) {
            return most;
        }
        let shapes = self.grammar.zero_shapes.iter().skip(from);
        for (i, id) in shapes.enumerate() {
            let mask = self.grammar.own_shape(id).mask;
            if matched(rest, mask).1 == 0 && lane_covers(self.limit, tiles + mask) {
                let more = self.zero_seeds(from + i, rest, tiles + mask, most - 1);
                best = best.max(1 + more);
                if best == most {
                    break;
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matched_counts_what_is_held() {
        let rest = 0x0000_0000_0000_4012;
        assert_eq!(matched(rest, 0x111), (0x011, 2));
        assert_eq!(matched(rest, 3 << 12), (3 << 12, 3));
        assert_eq!(matched(rest, 3), (2, 2));
    }
}
