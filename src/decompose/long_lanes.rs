//! Heavy lanes, of more tiles than tables know, together with what the other lanes lack.
//!
//! The lowest tile of a lane is in a group that holds another, in the pair, or in neither: then it is left
//! over, or the one tile that a group holds. Going on so, few tiles remain that the tables know. What
//! they tell is a bound from below, for they do not know which copies the target uses already; where
//! the bound is better than the best so far, the plain search has the last word.

use super::costs::{Costs, FAR, Found, Plane, Zeros, cell};
use super::distance::{self, Lane, matched};
use super::grammar::{Grammar, ShapeSet};
use super::lane_tables::Tables;
use crate::counts::{MAX_COPIES, ONES, lane_covers, lane_sum, nibble};
use smallvec::SmallVec;

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
        (Some(tables), Some(&others)) => {
            let mut split = Split::new(grammar, tables, lane, others, bound);
            split.go(lane.counts, &Taken::default());
            split.least
        }
        _ => distance::search(grammar, lane, found).least(),
    }
}

/// Places of a lane at which one more tile lowers what it lacks together with what others do for so many groups, which
/// is `missing`: of a lane of as many tiles as tables know.
///
/// What the lowest tile stands in leaves few enough for the tables, whichever tile is one more. That tile makes up
/// for one at most, so of all that the lowest tile may stand in only that is asked of which no more is missing
/// without it.
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
    let place = lane.counts.trailing_zeros() / 4;
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
        let counts = lane.counts + (1 << (4 * more_at));
        let more = Lane { counts, ..*lane };
        let mut split = Split::new(grammar, tables, &more, others, missing);
        for &choice in &choices {
            // Alone in a group it is among those that are left.
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

/// What the lowest tile of a lane stands in: tiles of a group or the pair. Without any it stands in nothing or alone in
/// a group, and so do those of its kind.
#[derive(Clone, Copy)]
struct Choice {
    tiles: u64,
    /// How many these are.
    size: u8,
    /// A zero stands beside them.
    zero: bool,
}

impl Choice {
    const LEFT: Self = Self {
        tiles: 0,
        size: 0,
        zero: false,
    };

    /// So many alike.
    fn alike(size: u8, place: u32) -> Self {
        Self {
            tiles: u64::from(size) << (4 * place),
            size,
            zero: false,
        }
    }

    const fn is_pair(self) -> bool {
        self.size == 2 && !self.zero
    }

    /// Its tiles that are held in `rest`, and how many these are.
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

/// What tables tell that a lane lacks at least together with the others.
struct Least {
    /// Of all that is missing.
    all: u8,
    /// Of that what the lane lacks beside what was taken, and how many tiles are alone in groups.
    lacks: u8,
    alone: usize,
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

    /// False when nothing better can come of it with so many tiles to go.
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

    fn go(&mut self, rest: u64, taken: &Taken) {
        if !self.may_better(rest, taken) {
            return;
        }
        if lane_sum(rest) as usize <= self.tiles {
            return self.look_up(rest, taken);
        }
        let place = rest.trailing_zeros() / 4;
        // Groups that lack nothing come first, so that good targets are found early.
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

    /// All groups and pairs that the lowest tile may stand in, at a place.
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

    /// How many tiles a group or the pair lacks, a zero that is in hand being there.
    #[inline]
    fn lacks(&self, rest: u64, taken: &Taken, choice: Choice) -> u8 {
        let zero_lacks = choice.zero && taken.zeros >= self.held;
        choice.size - choice.held(rest).1 + u8::from(zero_lacks)
    }

    /// What remains of tiles, and what was decided with a choice; `None` where there is no such choice.
    #[inline]
    fn with(&self, rest: u64, taken: &Taken, choice: Choice, place: u32) -> Option<(u64, Taken)> {
        if choice.size == 0 {
            let all = 15 << (4 * place);
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

    /// Goes on with a choice.
    #[inline]
    fn choose(&mut self, rest: u64, taken: &Taken, choice: Choice, place: u32) {
        if let Some((rest, taken)) = self.with(rest, taken, choice, place) {
            self.go(rest, &taken);
        }
    }

    /// Tiles that groups and pair lack, with the zeros that are not in hand.
    fn cost(&self, taken: &Taken) -> u8 {
        taken.cost + taken.zeros.saturating_sub(self.held) as u8
    }

    /// What is missing at least with what was taken, as far as tables tell of what remains.
    fn least_by_tables(&self, rest: u64, taken: &Taken) -> Option<Least> {
        let left = lane_sum(taken.left) as usize;
        // Of the zeros in hand this lane has those of its groups and some for what remains.
        let used = taken.zeros.min(self.held);
        let lane = Lane {
            counts: rest,
            ..*self.lane
        };
        let costs = self.tables.costs(self.grammar, &lane)?;
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
        Some(Least {
            all: self.cost(taken) + bound,
            lacks,
            alone,
        })
    }

    /// Asks the tables about what remains.
    fn look_up(&mut self, rest: u64, taken: &Taken) {
        let cost = self.cost(taken);
        if let Some(Least { all, lacks, alone }) = self.least_by_tables(rest, taken) {
            if all >= self.least {
                return;
            }
            // Only with four of a kind, one or more of them missing, can the target have a fifth.
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
