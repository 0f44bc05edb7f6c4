//! Heavy lanes, of more tiles than tables know, together with what the other lanes lack.
//!
//! The lowest tile of a lane is in a group that holds another, in the pair, or in neither: then it is left
//! over, or the one tile that a group holds. Going on so, few tiles remain that the tables know. What
//! they tell is a bound from below, for they do not know which copies the target uses already; where
//! the bound is better than the best so far, the plain search has the last word.

use super::costs::{Costs, FAR, Found, Plane, Zeros, cell};
use super::distance::{self, Lane, matched};
use super::grammar::{Grammar, ShapeSet};
use super::wide::Tables;
use crate::counts::{MAX_COPIES, ONES, lane_covers, lane_sum, nibble};

/// What a lane lacks together with what others do for so many groups and a pair, where that is less
/// than `bound`; otherwise `bound`.
pub(super) fn least_with(
    grammar: &Grammar,
    tables: Option<&Tables>,
    lane: &Lane,
    (others, need): (&Costs, usize),
    bound: u8,
) -> u8 {
    let found = Found::with_aim(lane.zeros, others, need, bound);
    let tables = tables.and_then(|tables| Some((tables, tables.tiles(lane)?)));
    match (tables, found.others()) {
        (Some((tables, tiles)), Some(&others)) => {
            let mut split = Split {
                grammar,
                tables,
                lane,
                tiles,
                held: lane.zeros.planes() - 1,
                most_alike: most_alike(lane.counts),
                others,
                least: bound,
            };
            split.go(lane.counts, &Taken::default());
            split.least
        }
        _ => distance::search(grammar, lane, found).least(),
    }
}

/// Tiles of the kind of which a lane has most.
fn most_alike(lane: u64) -> u8 {
    let two = (lane >> 1 | lane >> 2) & ONES;
    let three = (lane & lane >> 1 | lane >> 2) & ONES;
    let four = lane >> 2 & ONES;
    1 + [two, three, four]
        .map(|kinds| u8::from(kinds != 0))
        .iter()
        .sum::<u8>()
}

/// What was decided of some tiles.
#[derive(Clone, Copy, Default)]
struct Taken {
    groups: usize,
    pair: usize,
    /// Zeros that the groups use.
    zeros: usize,
    /// Tiles that groups and pair lack, zeros aside.
    cost: u8,
    /// All tiles of groups and pair.
    target: u64,
    /// Tiles in neither.
    left: u64,
}

struct Split<'a> {
    grammar: &'a Grammar,
    tables: &'a Tables,
    lane: &'a Lane,
    /// The most tiles that are looked up.
    tiles: usize,
    /// Zeros in hand.
    held: usize,
    /// Tiles of the kind of which the lane has most.
    most_alike: u8,
    /// What the others lack beside each target of the lane, by the zeros that they leave it.
    others: Costs,
    least: u8,
}

/// The least that groups and a pair lack beside some that are there, when so many tiles may be in them
/// with others and any may be alone in one: by the pair and the groups that are there, and the tiles.
static FLOOR: [[[Plane; 20]; 5]; 2] = {
    let mut table = [[[[FAR; 16]; 20]; 5]; 2];
    let mut had = 0;
    while had < 10 {
        let (groups, paired) = (had / 2, had % 2);
        let mut tiles = 0;
        while tiles < 20 {
            let mut at = had;
            while at < 10 {
                if at % 2 >= paired {
                    let whole: usize = 3 * (at / 2 - groups) + 2 * (at % 2 - paired);
                    let short = whole.saturating_sub(tiles);
                    // A tile alone makes up for a group of three, and lacks two.
                    table[paired][groups][tiles][at] = (short - short / 3) as u8;
                }
                at += 1;
            }
            tiles += 1;
        }
        had += 1;
    }
    table
};

impl Split<'_> {
    /// False when nothing better can come of it with so many tiles to go.
    fn may_better(&self, rest: u64, taken: &Taken) -> bool {
        let unused = self.held.saturating_sub(taken.zeros);
        let tiles = (lane_sum(rest) as usize + unused).min(19);
        let cost = taken.cost + taken.zeros.saturating_sub(self.held) as u8;
        let floor = &FLOOR[taken.pair][taken.groups][tiles];
        self.others.0[self.held - unused..=self.held]
            .iter()
            .any(|others| {
                let sums = floor.iter().zip(others).map(|(floor, other)| floor + other);
                cost + sums.min().unwrap_or(FAR) < self.least
            })
    }

    fn go(&mut self, rest: u64, taken: &Taken) {
        if !self.may_better(rest, taken) {
            return;
        }
        if lane_sum(rest) as usize <= self.tiles {
            return self.look_up(rest, taken);
        }
        let place = rest.trailing_zeros() / 4;
        let count = nibble(rest, place);
        let shapes = match self.lane.index {
            3 => ShapeSet::EMPTY,
            _ => self.grammar.shapes_with[place as usize],
        };
        let pung = self.grammar.has_pung && count >= 2;
        // Groups that lack nothing come first, so that good targets are found early.
        for lacks in 0..2 {
            if pung && 3 - count.min(3) == lacks {
                self.take(rest, taken, 3 << (4 * place), 0, lacks as u8);
            }
            for id in shapes.iter() {
                let shape = self.grammar.shape(id);
                let zeros = usize::from(shape.takes_zero());
                let held = matched(rest, shape.mask).1 as usize;
                let zero_held = zeros.min(self.held.saturating_sub(taken.zeros));
                if 3 - (held + zero_held) == lacks as usize {
                    let lacks = (3 - zeros - held) as u8;
                    self.take(rest, taken, shape.mask, zeros, lacks);
                }
            }
            if taken.pair == 0 && 2 - count.min(2) == lacks {
                self.take(rest, taken, 2 << (4 * place), 0, lacks as u8);
            }
        }
        let all = 15 << (4 * place);
        let taken = Taken {
            left: taken.left | rest & all,
            ..*taken
        };
        self.go(rest & !all, &taken);
    }

    /// Goes on with a group, or a pair, that lacks some tiles beside its zeros.
    fn take(&mut self, rest: u64, taken: &Taken, tiles: u64, zeros: usize, lacks: u8) {
        let target = taken.target + tiles;
        let pair = usize::from(lane_sum(tiles) == 2 && zeros == 0);
        let groups = taken.groups + 1 - pair;
        if groups > self.grammar.groups || !lane_covers(self.lane.limit, target) {
            return;
        }
        let held = match lane_sum(tiles) {
            2 if pair == 1 => {
                let shift = tiles.trailing_zeros() / 4 * 4;
                (rest >> shift & 15).min(2) << shift
            }
            _ => matched(rest, tiles).0,
        };
        let taken = Taken {
            groups,
            pair: taken.pair + pair,
            zeros: taken.zeros + zeros,
            cost: taken.cost + lacks,
            target,
            left: taken.left,
        };
        self.go(rest - held, &taken);
    }

    /// Asks the tables about what remains.
    fn look_up(&mut self, rest: u64, taken: &Taken) {
        let paid = taken.zeros.saturating_sub(self.held) as u8;
        let cost = taken.cost + paid;
        let left = lane_sum(taken.left) as usize;
        // Of the zeros in hand this lane has those of its groups and some for what remains.
        let used = taken.zeros.min(self.held);
        let lane = Lane {
            counts: rest,
            ..*self.lane
        };
        if let Some(costs) = self.tables.costs(self.grammar, &lane) {
            // What lane and others lack, of which the lane so much, with so many tiles alone in groups.
            let (mut bound, mut lacks, mut alone) = (FAR, FAR, 0);
            for zeros in 0..=self.held - used {
                let (costs, others) = (&costs.0[zeros], &self.others.0[used + zeros]);
                for seeds in 0..=left.min(4 - taken.groups) {
                    for pair in 0..2 - taken.pair {
                        for groups in seeds..5 - taken.groups {
                            let lane = costs[cell(groups - seeds, pair)] + 2 * seeds as u8;
                            let all = cell(taken.groups + groups, taken.pair + pair);
                            if lane + others[all] < bound {
                                (bound, lacks, alone) = (lane + others[all], lane, seeds);
                            }
                        }
                    }
                }
            }
            if cost + bound >= self.least {
                return;
            }
            // Only with four of a kind, one or more of them missing, can the target have a fifth.
            if alone == 0 && self.most_alike + cost + lacks <= MAX_COPIES {
                self.least = cost + bound;
                return;
            }
        }
        let mut others = Costs::FAR;
        for zeros in 0..=self.held - used {
            let (to, from) = (&mut others.0[zeros], &self.others.0[used + zeros]);
            for pair in 0..2 - taken.pair {
                for groups in 0..5 - taken.groups {
                    let other = from[cell(taken.groups + groups, taken.pair + pair)];
                    to[cell(groups, pair)] = (other + cost).min(FAR);
                }
            }
        }
        let zeros = match self.lane.zeros {
            Zeros::Shared(held) => Zeros::Shared(held - used),
            other => other,
        };
        let lane = Lane {
            counts: rest + taken.left,
            limit: self.lane.limit - taken.target,
            zeros,
            ..*self.lane
        };
        let found = Found::aiming(zeros, others, self.least);
        self.least = distance::search(self.grammar, &lane, found).least();
    }
}
