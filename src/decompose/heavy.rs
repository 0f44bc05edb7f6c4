//! Heavy lanes, of more tiles than tables know, together with what the other lanes lack.
//!
//! The lowest tile of a lane is in a group that holds another, in the pair, or in neither: then it is left
//! over, or the one tile that a group holds. Going on so, few tiles remain that the tables know. What
//! they tell is a bound from below, for they do not know which copies the target uses already; where
//! the bound is better than the best so far, the plain search has the last word.

use super::costs::{Costs, FAR, Found, Plane, Zeros, cell};
use super::distance::{self, Lane, matched};
use super::grammar::Grammar;
use super::wide::Tables;
use crate::counts::{lane_covers, lane_sum, nibble};

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
                others,
                least: bound,
            };
            split.go(lane.counts, &Taken::default());
            split.least
        }
        _ => distance::search(grammar, lane, found).least(),
    }
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
    /// What the others lack beside each target of the lane, by the zeros that they leave it.
    others: Costs,
    least: u8,
}

/// The least that groups and a pair lack beside some groups when so many tiles may be in them with
/// others and any may be alone in one: by the groups that are there and the tiles.
const FLOOR: [[Plane; 20]; 5] = {
    let mut table = [[[FAR; 16]; 20]; 5];
    let mut groups = 0usize;
    while groups < 5 {
        let mut tiles = 0;
        while tiles < 20 {
            let mut all = groups;
            while all < 5 {
                let mut pair = 0;
                while pair < 2 {
                    let whole: usize = 3 * (all - groups) + 2 * pair;
                    let short = whole.saturating_sub(tiles);
                    // A tile alone makes up for a group of three, and lacks two.
                    table[groups][tiles][cell(all, pair)] = (short - short / 3) as u8;
                    pair += 1;
                }
                all += 1;
            }
            tiles += 1;
        }
        groups += 1;
    }
    table
};

impl Split<'_> {
    /// False when nothing better can come of it with so many tiles to go.
    fn may_better(&self, rest: u64, taken: &Taken) -> bool {
        let mut tiles = lane_sum(rest) as usize + 2 * taken.pair;
        let paid = taken.zeros.saturating_sub(self.held) as u8;
        let cost = taken.cost + paid;
        tiles += self.held.saturating_sub(taken.zeros);
        let floor = &FLOOR[taken.groups][tiles.min(19)];
        let mut better = false;
        for others in &self.others.0[taken.zeros.min(self.held)..=self.held] {
            for pair in taken.pair..2 {
                for groups in taken.groups..5 {
                    let at = cell(groups, pair);
                    better |= cost + floor[at] + others[at] < self.least;
                }
            }
        }
        better
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
        let shapes = self.grammar.shapes_with[place as usize];
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
        let bound = self.tables.costs(self.grammar, &lane).map(|costs| {
            let mut bound = FAR;
            for zeros in 0..=self.held - used {
                let (costs, others) = (&costs.0[zeros], &self.others.0[used + zeros]);
                for pair in 0..2 - taken.pair {
                    for groups in 0..5 - taken.groups {
                        let mut least = FAR;
                        for alone in 0..=groups.min(left) {
                            let lacks = costs[cell(groups - alone, pair)] + 2 * alone as u8;
                            least = least.min(lacks);
                        }
                        let others = others[cell(taken.groups + groups, taken.pair + pair)];
                        bound = bound.min(least + others);
                    }
                }
            }
            bound
        });
        if bound.is_some_and(|bound| cost + bound >= self.least) {
            return;
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
