//! Long lanes: lanes with more tiles than the tables cover, searched together with the costs of the other
//! lanes.
//!
//! The search decides the tiles of the lane one by one, those with the fewest choices first. A tile is in the pair,
//! in a group with another held tile, or set aside. A tile set aside is left over, or it is the only held tile of a
//! group. After a few steps the tables cover the remaining tiles.
//!
//! The tables give only a lower bound, because they do not know which copies the target already uses. Where the
//! bound might be too low and is less than the best target so far, the plain search decides.

use super::costs::{Costs, FAR, Found, Plane, Zeros, cell};
use super::distance::{self, Lane, matched};
use super::grammar::{Grammar, Shape, ShapeSet};
use super::lane_tables::Tables;
use crate::counts::{ONES, at, lane_covers, lane_sum, lowest_place, nibble};
use smallvec::SmallVec;

/// The missing tiles of a lane and the others together for `need` groups and a pair, if fewer than `bound`;
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
            Split::new(grammar, tables, lane, others, bound).least_from_below()
        }
        _ => distance::search(grammar, lane, found).least(),
    }
}

/// The places where one more tile lowers `missing`, the missing tiles of the lane and the others together for
/// `need` groups and a pair. The lane has the most tiles that the tables cover, so one more makes it long.
///
/// The lowest tile is decided first. The remaining tiles are then few enough for the tables, wherever the extra
/// tile is. The extra tile lowers the cost of a choice by at most one. So only choices are tried that cost no
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
                split.settle();
            }
            if split.least < missing {
                lowering |= 1 << more_at;
                break;
            }
        }
    }
    Some(lowering)
}

/// The kinds of which a lane has at least `count` tiles, 1 to 3, as ones. Nibbles may be up to 15 if `count` is 1,
/// otherwise up to 7.
#[inline]
const fn at_least(lane: u64, count: u8) -> u64 {
    let kinds = match count {
        1 => lane | lane >> 1 | lane >> 2 | lane >> 3,
        2 => lane >> 1 | lane >> 2,
        _ => lane & lane >> 1 | lane >> 2,
    };
    kinds & ONES
}

/// What the search has decided so far.
#[derive(Clone, Copy, Default)]
struct Taken {
    groups: usize,
    pair: usize,
    /// Zeros that the groups use.
    zeros: usize,
    /// Missing tiles of the groups and the pair, zeros left out.
    cost: u8,
    /// All tiles of the groups and the pair.
    target: u64,
    /// Tiles set aside: left over, or alone in a further group.
    left: u64,
}

/// The group or the pair that a tile of a lane is put into. [`Choice::LEFT`], which has no tiles, sets the tile aside
/// with all others of its kind.
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

    fn run(shape: &Shape) -> Self {
        let zero = shape.takes_zero();
        Self {
            tiles: shape.mask,
            size: 3 - u8::from(zero),
            zero,
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
    /// True if the bound is exact, because no target with this cost runs out of copies. Always false unless the
    /// bound is less than the best target so far.
    is_exact: bool,
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
    /// The costs of the other lanes beside each target of this lane, by the zeros that they leave it.
    others: Costs,
    /// The fewest tiles missing so far.
    least: u8,
    /// A lower bound on the missing tiles of every target.
    fewest: u8,
    /// False while only targets that leave no tile over are searched.
    spares: bool,
    /// Decisions whose bound may be too low: the bound, the remaining tiles, and the decisions.
    doubtful: SmallVec<[(u8, u64, Taken); 4]>,
}

/// The floor: a lower bound on the missing tiles of the undecided groups and pair. It is indexed by the pairs
/// decided, the groups decided, the tiles that remain, and the cell of the whole target. Any undecided group
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
                    // At best a group without a remaining tile holds one that was set aside. Then two of
                    // its tiles are missing instead of three.
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
            others,
            least,
            fewest: 0,
            spares: true,
            doubtful: SmallVec::new(),
        }
    }

    /// The fewest tiles missing, at most `least`.
    ///
    /// In most hands with a long lane the number of missing tiles is the floor, or one more. So the first search
    /// looks only for the floor. It has few choices, because no tile may be left over.
    fn least_from_below(&mut self) -> u8 {
        let (counts, taken, bound) = (self.lane.counts, Taken::default(), self.least);
        self.fewest = self.floor(lane_sum(counts) as usize, &taken);
        if self.fewest >= bound {
            return bound;
        }
        self.least = self.fewest + 1;
        self.spares = false;
        self.go(counts, &taken);
        self.settle();
        if self.least > self.fewest {
            self.fewest += 1;
            self.least = bound;
            self.spares = true;
            self.go(counts, &taken);
            self.settle();
        }
        self.least
    }

    /// A lower bound on the missing tiles, given how many tiles of the lane are undecided.
    fn floor(&self, tiles: usize, taken: &Taken) -> u8 {
        let unused = self.held.saturating_sub(taken.zeros);
        let floor = &FLOOR[taken.pair][taken.groups][(tiles + unused).min(19)];
        let mut least = [FAR; 16];
        for others in &self.others.0[self.held - unused..=self.held] {
            for i in 0..16 {
                least[i] = least[i].min(floor[i] + others[i]);
            }
        }
        self.cost(taken) + least.into_iter().min().unwrap_or(FAR)
    }

    /// Tries every way to decide the tiles in `rest`.
    fn go(&mut self, rest: u64, taken: &Taken) {
        let tiles = lane_sum(rest) as usize;
        if self.least <= self.fewest || self.floor(tiles, taken) >= self.least {
            return;
        }
        if tiles <= self.tiles {
            return self.look_up(rest, taken);
        }
        let whole = match self.lane.index {
            3 => ShapeSet::EMPTY,
            _ => self.grammar.runs_within(rest, taken.zeros < self.held),
        };
        let place = self.place_to_decide(rest, taken, whole);
        let with = self.grammar.shapes_with[place as usize];
        // Complete groups come first: a good target found early cuts off more of the rest.
        let count = nibble(rest, place);
        for choice in [Choice::alike(3, place), Choice::alike(2, place)] {
            let may = self.grammar.has_pung || choice.size == 2;
            if may && count >= u64::from(choice.size) {
                self.choose(rest, taken, choice, place);
            }
        }
        for id in whole.intersection(with).iter() {
            self.choose(rest, taken, Choice::run(self.grammar.own_shape(id)), place);
        }
        let one_short = Taken {
            cost: taken.cost + 1,
            ..*taken
        };
        if self.floor(tiles + 1, &one_short) < self.least {
            for choice in self.choices(place) {
                if self.lacks(rest, taken, choice) == 1 {
                    self.choose(rest, taken, choice, place);
                }
            }
        }
        self.choose(rest, taken, Choice::LEFT, place);
    }

    /// The place to decide next: the one whose tile is in the fewest complete groups. A tile that is in none ends a
    /// search that may leave no tile over, so it comes first in such a search, and last in any other. `whole` are the
    /// runs that are held completely.
    fn place_to_decide(&self, rest: u64, taken: &Taken, whole: ShapeSet) -> u32 {
        /// This many runs plus two still fit in a nibble. Whether there are more does not matter.
        const MOST: usize = 13;
        let runs = whole.iter().take(MOST);
        let mut groups: u64 = runs.map(|id| self.grammar.own_shape(id).mask).sum();
        let [held, pairs, pungs] = [1, 2, 3].map(|count| at_least(rest, count));
        if taken.pair == 0 {
            groups += pairs;
        }
        if self.grammar.has_pung {
            groups += pungs;
        }
        let none = held & !at_least(groups, 1);
        if none == held || none != 0 && !self.spares {
            return lowest_place(none);
        }
        let mut fewest = 1;
        loop {
            let best = held & !at_least(groups ^ (fewest * ONES), 1);
            if best != 0 {
                return lowest_place(best);
            }
            fewest += 1;
        }
    }

    /// All groups and pairs that a tile at this place may be in.
    #[inline]
    fn choices(&self, place: u32) -> impl Iterator<Item = Choice> + use<'a> {
        let grammar = self.grammar;
        let shapes = match self.lane.index {
            3 => ShapeSet::EMPTY,
            _ => grammar.shapes_with[place as usize],
        };
        let pung = grammar.has_pung.then(|| Choice::alike(3, place));
        let pair = Choice::alike(2, place);
        let run = |id| Choice::run(grammar.own_shape(id));
        pung.into_iter().chain(shapes.iter().map(run)).chain([pair])
    }

    /// The number of missing tiles of a choice. A zero still in hand is not missing.
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

    /// Makes a choice and continues with the next tile.
    #[inline]
    fn choose(&mut self, rest: u64, taken: &Taken, choice: Choice, place: u32) {
        if let Some((rest, taken)) = self.with(rest, taken, choice, place) {
            self.go(rest, &taken);
        }
    }

    /// The missing tiles of the groups and the pair, with the zeros that are not in hand.
    fn cost(&self, taken: &Taken) -> u8 {
        taken.cost + taken.zeros.saturating_sub(self.held) as u8
    }

    /// A lower bound on the missing tiles with these decisions, from the tables. `None` if the tables do not cover
    /// the remaining tiles.
    fn least_by_tables(&self, rest: u64, taken: &Taken) -> Option<Least> {
        // The groups decided use up some zeros in hand. The remaining tiles of the lane get none, some or all
        // of the others.
        let used = taken.zeros.min(self.held);
        let lane = Lane {
            counts: rest,
            ..*self.lane
        };
        let costs = self.tables.costs(self.grammar, &lane)?;
        let planes = || {
            let others = self.others.0[used..=self.held].iter();
            costs
                .0
                .iter()
                .zip(others.map(|others| beside(others, taken)))
        };
        let most_alone = (lane_sum(taken.left) as usize).min(4 - taken.groups);
        let mut least = [[FAR; 16]; 5];
        for (costs, others) in planes() {
            for (alone, least) in least.iter_mut().enumerate().take(most_alone + 1) {
                let costs = moved(costs, cell(alone, 0));
                for i in 0..16 {
                    least[i] = least[i].min(costs[i] + others[i]);
                }
            }
        }
        let bounds = least.iter().enumerate().take(most_alone + 1);
        let bounds = bounds.map(|(alone, plane)| {
            let least = plane.iter().copied().min().unwrap_or(FAR);
            (least + 2 * alone as u8, alone)
        });
        let (bound, alone) = bounds.min()?;
        let all = self.cost(taken) + bound;
        let lacks = || {
            let cells =
                planes().flat_map(|(costs, others)| (0..16).map(move |i| (costs[i], others[i])));
            cells
                .filter(|(cost, other)| cost + other == bound)
                .map(|(cost, _)| cost)
                .min()
        };
        let is_exact = all < self.least
            && alone == 0
            && lacks().is_some_and(|lacks| self.has_room(taken.target + rest, lacks));
        Some(Least { all, is_exact })
    }

    /// True if a target with these tiles may use `more` further tiles of any kind of the lane.
    fn has_room(&self, target: u64, more: u8) -> bool {
        let none = ONES & !at_least(self.lane.limit, 1);
        // A kind that is not in the lane is in no target.
        let limit = self.lane.limit | (7 * none);
        let more = u64::from(more) * ONES;
        more == 0 && lane_covers(limit, target)
            || lane_covers(limit, more) && lane_covers(limit - more, target)
    }

    /// Takes the bound from the tables for the remaining tiles. If it might be too low, notes it as doubtful.
    fn look_up(&mut self, rest: u64, taken: &Taken) {
        let Least { all, is_exact } = self.least_by_tables(rest, taken).unwrap_or(Least {
            all: self.cost(taken),
            is_exact: false,
        });
        if all >= self.least {
            return;
        }
        match is_exact {
            true => self.least = all,
            false => self.doubtful.push((all, rest, *taken)),
        }
    }

    /// Searches the doubtful decisions that may still lead to a better target.
    fn settle(&mut self) {
        while let Some((all, rest, taken)) = self.doubtful.pop() {
            if all < self.least {
                self.search(rest, &taken);
            }
        }
    }

    /// The plain search of the remaining tiles, with the copies that the decisions leave.
    fn search(&mut self, rest: u64, taken: &Taken) {
        let cost = self.cost(taken);
        let used = taken.zeros.min(self.held);
        let mut others = Costs::FAR;
        for (to, from) in others.0.iter_mut().zip(&self.others.0[used..=self.held]) {
            *to = beside(from, taken).map(|other| (other + cost).min(FAR));
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

/// The costs of the other lanes, for each target of the remaining tiles beside the groups and the pair decided.
#[inline]
fn beside(others: &Plane, taken: &Taken) -> Plane {
    let far = u128::from_le_bytes([FAR; 16]);
    let decided = 8 * cell(taken.groups, taken.pair) as u32;
    let mut rest = u128::from_le_bytes(*others) >> decided;
    if decided > 0 {
        rest |= far << (128 - decided);
    }
    let mut rest = rest.to_le_bytes();
    if taken.pair > 0 {
        // A target has no second pair.
        rest.iter_mut()
            .skip(1)
            .step_by(2)
            .for_each(|other| *other = FAR);
    }
    rest
}

/// A plane with its cells moved up.
#[inline]
fn moved(plane: &Plane, cells: usize) -> Plane {
    let far = u128::from_le_bytes([FAR; 16]);
    match 8 * cells as u32 {
        0 => *plane,
        bits => (u128::from_le_bytes(*plane) << bits | far >> (128 - bits)).to_le_bytes(),
    }
}
