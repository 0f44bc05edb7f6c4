//! How many tiles a hand lacks.
//!
//! A target is four groups and a pair in which no kind stands more often than the set has it;
//! what the hand lacks is the least missing over all targets. Groups stay within a lane, so each
//! lane is searched alone for the cost of `m` groups and `p` pairs, and four lanes combine by
//! min-plus. The zero tile is shared: each lane's cost has `u`, the zeros that the lane's target
//! uses, as a third coordinate, and zeros are paid for once at the end.

use super::Holding;
use super::grammar::{Grammar, Shape};
use super::special;
use crate::counts::{Counts, GUARD, ONES, lane_covers, lane_sum};
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;

/// More tiles than any hand can lack.
pub(super) const FAR: u8 = 60;

/// Groups 0 to 4 times pair 0 or 1.
const PLANE: usize = 10;
/// Zeros 0 to 4.
const ZEROS: usize = 5;
const CELLS: usize = PLANE * ZEROS;

type Costs = [u8; CELLS];

#[inline]
const fn cell(zeros: usize, groups: usize, pair: usize) -> usize {
    zeros * PLANE + groups * 2 + pair
}

/// Memory for distances: lane costs that were met before. Make one a thread and keep it.
#[derive(Clone, Debug)]
pub struct Scratch {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    counts: u64,
    /// Copies left for the target; never all ones in a real key.
    limit: u64,
    costs: Costs,
}

const CACHE_BITS: u32 = 12;

impl Scratch {
    /// Empty memory of about 300 kB.
    pub fn new() -> Self {
        let empty = Entry {
            counts: 0,
            limit: u64::MAX,
            costs: [FAR; CELLS],
        };
        Self {
            entries: vec![empty; 1 << CACHE_BITS],
        }
    }

    fn costs(&mut self, grammar: &Grammar, lane: &Lane) -> Costs {
        // Suit or honours and the zeros held stand in the guard bits of the limit.
        let honours = u64::from(lane.index == 3) << 63;
        let zeros = (1..ZEROS).filter(|&n| n == lane.held_zeros);
        let key = zeros.fold(lane.limit | honours, |key, n| key | 1 << (4 * n + 3));
        let counts = lane.counts;
        let hash = (counts ^ key.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.entries[(hash >> (64 - CACHE_BITS)) as usize];
        if entry.counts != counts || entry.limit != key {
            *entry = Entry {
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

/// The zero's nibble in the honours lane.
const ZERO_NIBBLE: u64 = 15 << (4 * Kind::ZERO.place());

/// One lane of a hand.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// 0 to 3, the honours last.
    index: usize,
    counts: u64,
    /// Copies that a target may use.
    limit: u64,
    /// Zeros in the whole hand: more of them in a target must be paid for.
    held_zeros: usize,
}

/// A hand taken apart into lanes.
pub(super) struct Lanes<'a> {
    grammar: &'a Grammar,
    holding: Holding,
    limits: Counts,
    costs: [Costs; 4],
    planes: usize,
}

impl<'a> Lanes<'a> {
    pub(super) fn new(grammar: &'a Grammar, holding: &Holding, scratch: &mut Scratch) -> Self {
        let limits = grammar.copies.saturating_minus(&holding.declared);
        let mut lanes = Self {
            grammar,
            holding: *holding,
            limits,
            costs: [[FAR; CELLS]; 4],
            planes: if grammar.uses_zero { ZEROS } else { 1 },
        };
        for lane in 0..4 {
            lanes.costs[lane] = lanes.lane(lane, holding.concealed.lane(lane), scratch);
        }
        lanes
    }

    fn lane(&self, lane: usize, counts: u64, scratch: &mut Scratch) -> Costs {
        let (mut counts, mut limit) = (counts, self.limits.lane(lane));
        if lane == 3 && self.grammar.uses_zero {
            // Zeros are the third coordinate, not tiles of the lane.
            counts &= !ZERO_NIBBLE;
            limit &= !ZERO_NIBBLE;
        }
        let lane = Lane {
            index: lane,
            counts,
            limit,
            held_zeros: if self.grammar.uses_zero {
                self.zeros()
            } else {
                0
            },
        };
        scratch.costs(self.grammar, &lane)
    }

    fn need(&self) -> usize {
        self.grammar.groups.saturating_sub(self.holding.melds)
    }

    fn zeros(&self) -> usize {
        usize::from(self.holding.concealed.get(Kind::ZERO))
    }

    /// The least cost of a whole hand from the costs of three lanes and of the fourth.
    fn total(&self, three: &Costs, fourth: &Costs) -> u8 {
        let (need, zeros) = (self.need(), self.zeros());
        let most = usize::from(self.limits.get(Kind::ZERO));
        let mut least = FAR;
        for used in 0..self.planes {
            if used > most {
                break;
            }
            let paid = used.saturating_sub(zeros) as u8;
            for u in 0..=used {
                for m in 0..=need {
                    for p in 0..2 {
                        let cost = three[cell(u, m, p)] + fourth[cell(used - u, need - m, 1 - p)];
                        least = least.min(cost + paid);
                    }
                }
            }
        }
        least
    }

    fn plus(&self, a: &Costs, b: &Costs) -> Costs {
        let need = self.need();
        let mut sum = [FAR; CELLS];
        for ua in 0..self.planes {
            for ub in 0..self.planes - ua {
                for ma in 0..=need {
                    for mb in 0..=need - ma {
                        let at = cell(ua + ub, ma + mb, 0);
                        let (a0, a1) = (a[cell(ua, ma, 0)], a[cell(ua, ma, 1)]);
                        let (b0, b1) = (b[cell(ub, mb, 0)], b[cell(ub, mb, 1)]);
                        sum[at] = sum[at].min(a0 + b0);
                        sum[at + 1] = sum[at + 1].min((a0 + b1).min(a1 + b0));
                    }
                }
            }
        }
        sum
    }

    pub(super) fn distance(&self) -> i8 {
        let [t, s, m, h] = &self.costs;
        let three = self.plus(&self.plus(t, s), m);
        let standard = self.total(&three, h);
        let special = special::least_missing(self.grammar, &self.holding);
        standard.min(special) as i8 - 1
    }

    /// Kinds that lower the distance when drawn.
    pub(super) fn accepts(&self, distance: i8, scratch: &mut Scratch) -> KindSet {
        if distance < 0 {
            return KindSet::EMPTY;
        }
        let [t, s, m, h] = &self.costs;
        let (ts, mh) = (self.plus(t, s), self.plus(m, h));
        let others = [
            self.plus(s, &mh),
            self.plus(t, &mh),
            self.plus(&ts, h),
            self.plus(&ts, m),
        ];
        let mut accepts = KindSet::EMPTY;
        for kind in self.grammar.copies.kinds().iter() {
            if self.holding.is_exhausted(kind, &self.grammar.copies) {
                continue;
            }
            if self.grammar.uses_zero && kind == Kind::ZERO {
                // A zero more changes what every lane may use.
                let mut more = self.holding;
                more.concealed.try_add(kind);
                if Lanes::new(self.grammar, &more, scratch).distance() < distance {
                    accepts.insert(kind);
                }
                continue;
            }
            let lane = kind.lane();
            let counts = self.holding.concealed.lane(lane) + (1 << (4 * kind.place()));
            let changed = self.lane(lane, counts, scratch);
            let mut after = self.total(&others[lane], &changed);
            if self.holding.consecutive && !self.grammar.forms.is_empty() {
                if let Some(more) = self.holding.with(kind) {
                    after = after.min(special::least_missing(self.grammar, &more));
                }
            }
            if (after as i8 - 1) < distance {
                accepts.insert(kind);
            }
        }
        accepts
    }
}

/// A group that a lane's target may have: a run (a 1 in each nibble) or three of a kind.
#[derive(Clone, Copy)]
struct Candidate {
    mask: u64,
    zeros: usize,
    /// What it lacks of the whole lane; beside other groups never less.
    missing: u8,
}

/// How many tiles of `mask` are held in `rest`, and which.
#[inline]
fn matched(rest: u64, mask: u64) -> (u64, u32) {
    let run = mask & ONES;
    if run == mask {
        let held = (rest | rest >> 1 | rest >> 2) & run;
        (held, held.count_ones())
    } else {
        // Three of a kind: one nibble.
        let shift = mask.trailing_zeros() / 4 * 4;
        let held = (rest >> shift & 15).min(3);
        (held << shift, held as u32)
    }
}

/// The least cost of `m` groups and `p` pairs in a lane for every number of zeros they use.
///
/// Where the grammar is *roomy*, only groups that hold two tiles or more are searched: any target
/// can be put together so that these come first, each holding at least two tiles that the ones
/// before it left over. What remains are *seeds*, groups that hold one tile and cost two (or hold
/// a zero), and groups of tiles nobody holds, which cost three wherever they stand; both are added
/// at each node by counting. In a small set, where groups may run out, everything is searched.
fn lane_costs(grammar: &Grammar, lane: &Lane) -> Costs {
    let Lane {
        index: lane,
        counts,
        limit,
        held_zeros,
    } = *lane;
    let planes = if grammar.uses_zero { ZEROS } else { 1 };
    let mut candidates: SmallVec<[Candidate; 128]> = SmallVec::new();
    let mut zero_shapes: SmallVec<[u64; 16]> = SmallVec::new();
    let mut offer = |mask: u64, zeros: usize| {
        let (_, held) = matched(counts, mask);
        let held = held + zeros as u32;
        if lane_covers(limit, mask) && (held >= 2 || !grammar.roomy) {
            candidates.push(Candidate {
                mask,
                zeros,
                missing: 3 - held as u8,
            });
        }
    };
    if grammar.has_pung {
        for place in 0..16 {
            offer(3 << (4 * place), 0);
        }
        if lane == 3 && grammar.uses_zero {
            offer(0, 3);
        }
    }
    if lane < 3 {
        for shape in &grammar.shapes {
            offer(shape.mask, usize::from(shape.takes_zero()));
            if shape.takes_zero() && lane_covers(limit, shape.mask) {
                zero_shapes.push(shape.mask);
            }
        }
    }
    // Cheap groups first: good targets are found early and bound the rest.
    candidates.sort_by_key(|candidate| (candidate.missing, candidate.mask, candidate.zeros));
    let mut search = Search {
        candidates: &candidates,
        zero_shapes: &zero_shapes,
        shapes: if lane < 3 { &grammar.shapes } else { &[] },
        best: [FAR; CELLS],
        limit,
        groups: grammar.groups,
        planes,
        roomy: grammar.roomy,
        zero_pair: lane == 3 && grammar.uses_zero,
        held_zeros,
    };
    search.go(0, 0, 0, 0, counts, 0);
    search.best
}

struct Search<'a> {
    candidates: &'a [Candidate],
    /// Runs that take a zero and fit the limit.
    zero_shapes: &'a [u64],
    /// Every run of the lane, for seeds.
    shapes: &'a [Shape],
    best: Costs,
    limit: u64,
    groups: usize,
    planes: usize,
    roomy: bool,
    /// A pair of zeros may stand in this lane.
    zero_pair: bool,
    held_zeros: usize,
}

impl Search<'_> {
    /// Goes through the targets that hold `target` and candidates from `from` on. `rest` are held
    /// tiles that the target does not use yet.
    fn go(&mut self, from: usize, groups: usize, zeros: usize, cost: u8, rest: u64, target: u64) {
        self.record(groups, zeros, cost, rest, target);
        if groups == self.groups || !self.may_better(groups, zeros, cost, rest, 0) {
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
                if !self.may_better(groups, zeros, cost, rest, floor) {
                    return;
                }
            }
            if zeros + more >= ZEROS || !lane_covers(self.limit, target + mask) {
                continue;
            }
            let (held, n) = matched(rest, mask);
            let used = n + more as u32;
            if self.roomy && used < 2 {
                continue;
            }
            let missing = 3 - used as u8;
            self.go(
                i,
                groups + 1,
                zeros + more,
                cost + missing,
                rest - held,
                target + mask,
            );
        }
    }

    /// Notes what a target costs, alone and with a pair, and with seeds and groups of unheld tiles
    /// beside it.
    fn record(&mut self, groups: usize, zeros: usize, cost: u8, rest: u64, target: u64) {
        self.fill(groups, zeros, 0, cost, rest, target);
        if self.zero_pair && zeros + 2 < ZEROS {
            self.fill(groups, zeros + 2, 1, cost, rest, target);
        }
        // Places whose limit leaves room for two more.
        let free = (self.limit | GUARD) - target;
        let room = (free >> 1 | free >> 2) & ONES;
        let held = (rest | rest >> 1 | rest >> 2) & room;
        let mut places = held;
        while places != 0 {
            let one = places & places.wrapping_neg();
            let shift = one.trailing_zeros();
            let have = (rest >> shift & 15).min(2);
            let cost = cost + 2 - have as u8;
            self.fill(
                groups,
                zeros,
                1,
                cost,
                rest - (have << shift),
                target + 2 * one,
            );
            places &= places - 1;
        }
        let anywhere = self.roomy || room != 0;
        if anywhere {
            self.fill(groups, zeros, 1, cost + 2, rest, target);
        }
    }

    fn note(&mut self, groups: usize, zeros: usize, pair: usize, cost: u8) {
        // What is possible with fewer zeros is possible with more.
        for zeros in zeros..self.planes {
            let at = cell(zeros, groups, pair);
            self.best[at] = self.best[at].min(cost);
        }
    }

    /// True when a cost would be news: less than what was found with as many zeros, and with what
    /// must be paid for zeros that nobody holds less than what was found with fewer. Zeros of
    /// other lanes can only make more of them to be paid for.
    fn is_news(&self, groups: usize, zeros: usize, pair: usize, cost: u8) -> bool {
        let paid = |zeros: usize| zeros.saturating_sub(self.held_zeros) as u8;
        cost < self.best[cell(zeros, groups, pair)]
            && (0..zeros).all(|fewer| {
                cost + paid(zeros) < self.best[cell(fewer, groups, pair)] + paid(fewer)
            })
    }

    /// Notes a cost, and in a roomy grammar those with more groups beside it.
    fn fill(&mut self, groups: usize, zeros: usize, pair: usize, cost: u8, rest: u64, target: u64) {
        self.note(groups, zeros, pair, cost);
        let more = self.groups - groups;
        if !self.roomy || more == 0 {
            return;
        }
        // No group beside it is cheaper than a seed; mostly that is known to help nothing.
        let in_vain = (1..=more).all(|j| {
            let least = cost + 2 * j as u8;
            (zeros..self.planes.min(zeros + j + 1))
                .all(|u| !self.is_news(groups + j, u, pair, least))
        });
        if in_vain {
            return;
        }
        let (seeds, target) = self.seeds(rest, target, more);
        let zero_seeds = self.zero_seeds(0, rest, target, more);
        for seeds in 0..=seeds {
            for zero_seeds in 0..=zero_seeds.min(more - seeds) {
                let cheap = seeds + zero_seeds;
                for unheld in 0..=more - cheap {
                    let cost = cost + 2 * cheap as u8 + 3 * unheld as u8;
                    self.note(groups + cheap + unheld, zeros + zero_seeds, pair, cost);
                }
            }
        }
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
    fn zero_seeds(&self, from: usize, rest: u64, target: u64, most: usize) -> usize {
        let mut best = 0;
        if most == 0 {
            return best;
        }
        for (i, &mask) in self.zero_shapes.iter().enumerate().skip(from) {
            if matched(rest, mask).1 == 0 && lane_covers(self.limit, target + mask) {
                best = best.max(1 + self.zero_seeds(i, rest, target + mask, most - 1));
                if best == most {
                    break;
                }
            }
        }
        best
    }

    /// False when no target that goes on from here with groups that cost `each` or more can be
    /// cheaper than what was found.
    fn may_better(&self, groups: usize, zeros: usize, cost: u8, rest: u64, each: u8) -> bool {
        let held = lane_sum(rest);
        (zeros..self.planes).any(|u| {
            (groups + 1..=self.groups).any(|m| {
                // A zero saves a tile.
                let tiles = (3 * (m - groups) + zeros).saturating_sub(u) as u32;
                let least = each * (m - groups) as u8;
                let floor = |more: u32| cost + least.max((tiles + more).saturating_sub(held) as u8);
                self.is_news(m, u, 0, floor(0)) || self.is_news(m, u, 1, floor(2))
            })
        })
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
