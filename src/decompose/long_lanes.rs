//! Long lanes: lanes with more tiles than the tables hold, searched together with the costs of the other
//! lanes.
//!
//! The search decides about the lowest tile of the lane. That tile is in the pair, in a group with another
//! held tile, or set aside. A tile set aside is left over, or it is the only held tile of a group. After a
//! few steps the tables hold what remains.
//!
//! The tables give a lower bound only, for they do not know which copies the target uses already. Where the
//! bound beats the best target so far, the plain search decides.

use super::costs::{Costs, FAR, Found, Plane, Zeros, cell};
use super::distance::{self, Lane, matched};
use super::grammar::{Grammar, ShapeSet};
use super::lane_tables::Tables;
use crate::counts::{MAX_COPIES, ONES, at, lane_covers, lane_sum, lowest_place, nibble};
use smallvec::SmallVec;

/// The tiles that a lane and the others lack together for `need` groups and a pair, if fewer than `bound`;
/// otherwise `bound`. `others` are the combined costs of the other lanes.
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
        (Some(tables), Some(&others)) => {
            let mut split = Split::new(grammar, tables, lane, others, bound);
            split.go(lane.counts, &Taken::default());
            split.least
        }
        _ => distance::search(grammar, lane, found).least(),
    }
}

/// The places where one more tile lowers `missing`. This is what the lane and the others lack together for
/// `need` groups and a pair. The lane has as many tiles as the tables hold, so one more makes it long.
///
/// The lowest tile is decided first. What it leaves is short enough for the tables, wherever the extra tile
/// goes. The extra tile lowers what a choice costs by one at most. So only choices are tried that cost no
/// more than `missing` without it.
pub(super) fn lowering(
    grammar: &Grammar,
    tables: &Tables,
    lane: &Lane,
    (others, need): (&Costs, usize),
    missing: u8,
) -> Option<u16> {
    let found = Found::with_aim(lane.zeros, others, need, missing + 1);
    let tables = (tables, tables.tiles(lane)?);
    let others = *found.others()?;
    let split = Split::new(grammar, tables, lane, others, missing + 1);
    let taken = Taken::default();
    let place = lowest_place(lane.counts);
    let may_do = |choice: &Choice| match split.with(lane.counts, &taken, *choice, place) {
        Some((rest, taken)) => split
            .least_by_tables(rest, &taken)
            .is_none_or(|least| least.all <= missing),
        None => false,
    };
    let choices: SmallVec<[Choice; 64]> = split
        .choices(place)
        .chain([Choice::LEFT])
        .filter(may_do)
        .collect();
    let mut lowering = 0;
    for more_at in 0..16 {
        if nibble(lane.counts, more_at) >= nibble(lane.limit, more_at) {
            continue;
        }
        let counts = lane.counts + at(more_at, 1);
        let more = Lane { counts, ..*lane };
        let mut split = Split::new(grammar, tables, &more, others, missing);
        for &choice in &choices {
            // A group in which the lowest tile would be alone is part of [`Choice::LEFT`].
            if split.lacks(counts, &taken, choice) < 2 {
                split.choose(counts, &taken, choice, place);
            }
            if split.least < missing {
                lowering |= 1 << more_at;
                break;
            }
        }
    }
    Some(lowering)
}

/// The tiles of the kind that the lane has most of; 1 for an empty lane.
fn most_alike(lane: u64) -> u8 {
    let two = (lane >> 1 | lane >> 2) & ONES;
    let three = (lane & lane >> 1 | lane >> 2) & ONES;
    let four = lane >> 2 & ONES;
    1 + [two, three, four]
        .map(|kinds| u8::from(kinds != 0))
        .iter()
        .sum::<u8>()
}

/// What the search has decided so far.
#[derive(Clone, Copy, Default)]
struct Taken {
    groups: usize,
    pair: usize,
    /// Zeros that the groups use.
    zeros: usize,
    /// Tiles that the groups and the pair lack, zeros left out.
    cost: u8,
    /// All tiles of the groups and the pair.
    target: u64,
    /// Tiles set aside: left over, or alone in a further group.
    left: u64,
}

/// What the lowest tile of a lane stands in: the tiles of a group or of the pair. Without any tiles
/// ([`Choice::LEFT`]) the lowest tile is set aside, and so are all others of its kind.
#[derive(Clone, Copy)]
struct Choice {
    /// The tiles of the group or pair as a lane, the zero left out.
    tiles: u64,
    /// How many tiles these are.
    size: u8,
    /// True if a zero belongs to the group too.
    zero: bool,
}

impl Choice {
    const LEFT: Self = Self {
        tiles: 0,
        size: 0,
        zero: false,
    };

    /// A pair or a pung.
    fn alike(size: u8, place: u32) -> Self {
        Self {
            tiles: at(place, u64::from(size)),
            size,
            zero: false,
        }
    }

    const fn is_pair(self) -> bool {
        self.size == 2 && !self.zero
    }

    /// The tiles of the choice that `rest` holds, and how many.
    #[inline]
    fn held(self, rest: u64) -> (u64, u8) {
        if self.is_pair() {
            let shift = self.tiles.trailing_zeros() / 4 * 4;
            let held = (rest >> shift & 15).min(2);
            return (held << shift, held as u8);
        }
        let (held, count) = matched(rest, self.tiles);
        (held, count as u8)
    }
}

/// A lower bound from the tables.
struct Least {
    /// The tiles that are missing, in this lane and the others.
    all: u8,
    /// The part of `all` that the remaining tiles of the lane lack, beside what was decided.
    lacks: u8,
    /// How many tiles set aside are alone in a group.
    alone: usize,
}

/// The search of one long lane.
struct Split<'a> {
    grammar: &'a Grammar,
    tables: &'a Tables,
    lane: &'a Lane,
    /// The most tiles of a lane in the tables.
    tiles: usize,
    /// Zeros in hand.
    held: usize,
    /// The tiles of the kind that the lane has most of.
    most_alike: u8,
    /// What the other lanes lack beside each target of this lane, by the zeros that they leave it.
    others: Costs,
    /// The fewest tiles missing so far.
    least: u8,
}

/// The floor: a lower bound on what the groups and the pair still to come lack. It is indexed by the pairs
/// decided, the groups decided, the tiles that remain, and the cell of the whole target. Any group to come
/// may hold a tile set aside.
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
                    // A group without any remaining tile holds one set aside, at best. Then it lacks two
                    // tiles instead of three.
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

impl<'a> Split<'a> {
    fn new(
        grammar: &'a Grammar,
        (tables, tiles): (&'a Tables, usize),
        lane: &'a Lane,
        others: Costs,
        least: u8,
    ) -> Self {
        Self {
            grammar,
            tables,
            lane,
            tiles,
            held: lane.zeros.planes() - 1,
            most_alike: most_alike(lane.counts),
            others,
            least,
        }
    }

    /// False if no target with these decisions can beat `least`.
    fn may_better(&self, rest: u64, taken: &Taken) -> bool {
        let unused = self.held.saturating_sub(taken.zeros);
        let tiles = (lane_sum(rest) as usize + unused).min(19);
        let cost = self.cost(taken);
        let floor = &FLOOR[taken.pair][taken.groups][tiles];
        self.others.0[self.held - unused..=self.held]
            .iter()
            .any(|others| {
                let sums = floor.iter().zip(others).map(|(floor, other)| floor + other);
                cost + sums.min().unwrap_or(FAR) < self.least
            })
    }

    /// Tries every way to decide about the tiles in `rest`.
    fn go(&mut self, rest: u64, taken: &Taken) {
        if !self.may_better(rest, taken) {
            return;
        }
        if lane_sum(rest) as usize <= self.tiles {
            return self.look_up(rest, taken);
        }
        let place = lowest_place(rest);
        // Groups that lack nothing come first: a good target found early cuts off more of the rest.
        let mut later: SmallVec<[Choice; 32]> = SmallVec::new();
        for choice in self.choices(place) {
            match self.lacks(rest, taken, choice) {
                0 => self.choose(rest, taken, choice, place),
                1 => later.push(choice),
                _ => {}
            }
        }
        for choice in later {
            self.choose(rest, taken, choice, place);
        }
        self.choose(rest, taken, Choice::LEFT, place);
    }

    /// All groups and pairs that a tile at this place may stand in.
    #[inline]
    fn choices(&self, place: u32) -> impl Iterator<Item = Choice> + use<'a> {
        let grammar = self.grammar;
        let shapes = match self.lane.index {
            3 => ShapeSet::EMPTY,
            _ => grammar.shapes_with[place as usize],
        };
        let run = |id| {
            let shape = grammar.shape(id);
            let zero = shape.takes_zero();
            Choice {
                tiles: shape.mask,
                size: 3 - u8::from(zero),
                zero,
            }
        };
        let pung = grammar.has_pung.then(|| Choice::alike(3, place));
        let pair = Choice::alike(2, place);
        pung.into_iter().chain(shapes.iter().map(run)).chain([pair])
    }

    /// How many tiles a choice lacks. A zero still in hand is not missing.
    #[inline]
    fn lacks(&self, rest: u64, taken: &Taken, choice: Choice) -> u8 {
        let zero_lacks = choice.zero && taken.zeros >= self.held;
        choice.size - choice.held(rest).1 + u8::from(zero_lacks)
    }

    /// The remaining tiles and the decisions after a choice. `None` if the choice is impossible.
    #[inline]
    fn with(&self, rest: u64, taken: &Taken, choice: Choice, place: u32) -> Option<(u64, Taken)> {
        if choice.size == 0 {
            let all = at(place, 15);
            let taken = Taken {
                left: taken.left | rest & all,
                ..*taken
            };
            return Some((rest & !all, taken));
        }
        let target = taken.target + choice.tiles;
        let pair = usize::from(choice.is_pair());
        let (pairs, groups) = (taken.pair + pair, taken.groups + 1 - pair);
        if pairs > 1 || groups > self.grammar.groups || !lane_covers(self.lane.limit, target) {
            return None;
        }
        let (held, count) = choice.held(rest);
        let taken = Taken {
            groups,
            pair: pairs,
            zeros: taken.zeros + usize::from(choice.zero),
            cost: taken.cost + choice.size - count,
            target,
            left: taken.left,
        };
        Some((rest - held, taken))
    }

    /// Makes a choice and goes on with the next tile.
    #[inline]
    fn choose(&mut self, rest: u64, taken: &Taken, choice: Choice, place: u32) {
        if let Some((rest, taken)) = self.with(rest, taken, choice, place) {
            self.go(rest, &taken);
        }
    }

    /// The tiles that the groups and the pair lack, with the zeros that are not in hand.
    fn cost(&self, taken: &Taken) -> u8 {
        taken.cost + taken.zeros.saturating_sub(self.held) as u8
    }

    /// A lower bound on the missing tiles with these decisions. `None` if the tables do not hold what
    /// remains.
    fn least_by_tables(&self, rest: u64, taken: &Taken) -> Option<Least> {
        let left = lane_sum(taken.left) as usize;
        // The groups decided use up some zeros in hand. What remains in the lane gets none, some or all of
        // the others.
        let used = taken.zeros.min(self.held);
        let lane = Lane {
            counts: rest,
            ..*self.lane
        };
        let costs = self.tables.costs(self.grammar, &lane)?;
        // `bound` is what the lane and the others lack, `lacks` is the lane's part of it. `alone` is how many
        // tiles set aside are alone in a group.
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
        Some(Least {
            all: self.cost(taken) + bound,
            lacks,
            alone,
        })
    }

    /// Takes the bound from the tables for what remains. If it might be too low, runs the plain search.
    fn look_up(&mut self, rest: u64, taken: &Taken) {
        let cost = self.cost(taken);
        if let Some(Least { all, lacks, alone }) = self.least_by_tables(rest, taken) {
            if all >= self.least {
                return;
            }
            // The target has no more copies of a kind than held plus missing ones. With four at most, it
            // cannot use a fifth copy, so the bound is exact.
            if alone == 0 && self.most_alike + cost + lacks <= MAX_COPIES {
                self.least = all;
                return;
            }
        }
        let used = taken.zeros.min(self.held);
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
