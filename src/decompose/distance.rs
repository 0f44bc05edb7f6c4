//! How many tiles a lane lacks, searched.
//!
//! A target is four groups and a pair in which no kind stands more often than the set has it;
//! what the hand lacks is the least missing over all targets. Groups stay within a lane, so each
//! lane is searched alone for the cost of `m` groups and `p` pairs, and four lanes combine by
//! min-plus. The zero tile is shared: each lane's cost has `u`, the zeros that the lane's target
//! uses, as a third coordinate, and zeros are paid for once at the end.

use super::costs::{Costs, Found, Target, Zeros};
use super::grammar::{Grammar, GrammarId, Shape, ShapeSet};
use crate::counts::{GUARD, ONES, lane_covers, lane_sum, nibble};
use smallvec::SmallVec;

/// Memory for distances: lane costs that were met before. Make one a thread and keep it; it serves any
/// number of rulesets.
#[derive(Clone, Debug)]
pub struct Scratch {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Whose lane it is: others have other groups.
    grammar: GrammarId,
    counts: u64,
    /// Copies left for the target; never all ones in a real key.
    limit: u64,
    costs: Costs,
}

const CACHE_BITS: u32 = 14;

impl Scratch {
    /// Empty memory of about 1.6 MB.
    pub fn new() -> Self {
        let empty = Entry {
            grammar: GrammarId::default(),
            counts: 0,
            limit: u64::MAX,
            costs: Costs::FAR,
        };
        Self {
            entries: vec![empty; 1 << CACHE_BITS],
        }
    }

    /// What a lane lacks, searched where it was not met before.
    pub(super) fn costs(&mut self, grammar: &Grammar, lane: &Lane) -> Costs {
        // Suit or honours and the zeros stand in the guard bits of the limit.
        let honours = u64::from(lane.index == 3) << 63;
        let zeros = match lane.zeros {
            Zeros::None => 0,
            Zeros::Shared(held) => 1 << (4 * held + 3),
            Zeros::Counted(held) => 1 << (4 * held + 3) | 1 << 59,
        };
        let key = lane.limit | honours | zeros;
        let counts = lane.counts;
        let hash = (counts ^ key.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
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
    /// 0 to 3, the honours last.
    pub(super) index: usize,
    pub(super) counts: u64,
    /// Copies that a target may use.
    pub(super) limit: u64,
    pub(super) zeros: Zeros,
}

/// A group that a lane's target may have: a run (a 1 in each nibble) or three of a kind.
#[derive(Clone, Copy, Default)]
struct Candidate {
    mask: u64,
    zeros: usize,
    /// What it lacks of the whole lane; beside other groups never less.
    missing: u8,
}

/// How many nibbles of `ones` hold a one, at most fifteen: they are summed in the highest nibble.
#[inline]
fn spread_count(ones: u64) -> u32 {
    (ones.wrapping_mul(ONES) >> 60) as u32
}

/// How many tiles of `mask` are held in `rest`, and which.
#[inline]
pub(super) fn matched(rest: u64, mask: u64) -> (u64, u32) {
    let run = mask & ONES;
    if run == mask {
        let held = (rest | rest >> 1 | rest >> 2) & run;
        (held, spread_count(held))
    } else {
        // Three of a kind: one nibble.
        let shift = mask.trailing_zeros() / 4 * 4;
        let held = (rest >> shift & 15).min(3);
        (held << shift, held as u32)
    }
}

/// Groups by what they lack: cheap ones come first, so that good targets are found early and bound
/// the rest.
type Candidates = SmallVec<[Candidate; 128]>;

/// The groups of a lane that hold two tiles or more, a zero being one; all groups where the grammar
/// is not roomy.
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
                offer(3 << (4 * place), 0);
            }
        }
        if index == 3 && grammar.uses_zero && lane.zeros != Zeros::Shared(0) {
            offer(0, 3);
        }
    }
    if index < 3 {
        // Counted for all shapes at once: those with one held number, those with two.
        let (mut one, mut two) = (grammar.zero_shapes.bits(), 0);
        let mut held = (counts | counts >> 1 | counts >> 2) & ONES;
        while held != 0 {
            let with = grammar.shapes_with[held.trailing_zeros() as usize / 4].bits();
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
    lists.into_iter().flatten().collect()
}

/// The least cost of `m` groups and `p` pairs in a lane for every number of zeros they use.
///
/// Where the grammar is *roomy*, only groups that hold two tiles or more are searched: any target
/// can be put together so that these come first, each holding at least two tiles that the ones
/// before it left over. What remains are *seeds*, groups that hold one tile and cost two (or hold
/// a zero), and groups of tiles nobody holds, which cost three wherever they stand; both are added
/// at each node by counting. In a small set, where groups may run out, everything is searched.
pub(super) fn lane_costs(grammar: &Grammar, lane: &Lane) -> Costs {
    search(grammar, lane, Found::new(lane.zeros)).costs
}

/// Searches a lane for all that it may lack, or with an aim for the least alone, which is found much faster.
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

struct Search<'a> {
    candidates: &'a [Candidate],
    grammar: &'a Grammar,
    /// Every run of the lane, for seeds.
    shapes: &'a [Shape],
    found: Found,
    limit: u64,
    /// A pair of zeros may stand in this lane.
    zero_pair: bool,
}

impl Search<'_> {
    /// Goes through the targets that hold `tiles` and candidates from `from` on. `rest` are held
    /// tiles that the target does not use yet.
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
                // From here on every group lacks as much.
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
            // With a zero that it would lack itself a group of one tile is a seed.
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

    /// Notes what a target costs, alone and with a pair, and with seeds and groups of unheld tiles
    /// beside it.
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
        // Places whose limit leaves room for two more.
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

    /// Notes what a target costs in the plain case, which is nearly every: every kind that is left
    /// is held once or twice and has room for a pung, so each is a seed, and all are alike. False
    /// where the case is another.
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

    /// True when one run that takes a zero, of which nothing is held, can be had `times` times.
    fn zeros_serve(&self, held: u64, tiles: u64, times: usize) -> bool {
        let free = self.limit - tiles;
        let serves = |id| {
            let mask = self.grammar.shape(id).mask;
            held & mask == 0 && lane_covers(free, mask * times as u64)
        };
        self.grammar.zero_shapes.iter().any(serves)
    }

    /// Notes a cost, and in a roomy grammar those with more groups beside it.
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

    /// How many seeds there are, at most `most`: groups that hold one tile each. A tile that has
    /// room for two more of its kind is the seed of a pung; others need a run, and the target with
    /// those runs is returned.
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

    /// Places whose limit leaves room for three more.
    fn room_for_pung(&self, target: u64) -> u64 {
        let free = (self.limit | GUARD) - target;
        (free >> 2 | (free & free >> 1)) & ONES
    }

    /// As [`Search::seeds`] where some held kinds have no room for a pung: each of these is tried
    /// in every run that has room.
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

    /// How many runs there are, at most `most`, that hold a zero and no other tile.
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
            let mask = self.grammar.shape(id).mask;
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
