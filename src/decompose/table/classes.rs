//! Distances of the classical grammar, looked up.
//!
//! What a lane lacks of so many groups and a pair or none is a vector of ten costs, of which there are few:
//! every lane is one byte, the class of its vector. Classes of three suits are folded one after another
//! by tables, and the honours' class picks the answer. All is computed at first use.

use super::{FIVE, HONOURS, RANKS};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::OnceLock;

/// The most tiles of a lane that is looked up: a hand on turn and one more.
const TILES: u32 = 15;
/// No target costs so much.
const FAR: u8 = 99;

/// Costs of 0 to 4 groups, and of as many and a pair: places 0 to 4 and 8 to 12.
type Costs = [u8; 16];

const NOTHING: Costs = {
    let mut costs = [FAR; 16];
    costs[0] = 0;
    costs
};

/// Costs of targets that are so many groups and pairs more and lack so many tiles more.
#[inline]
fn moved(costs: &Costs, groups: usize, pair: bool, lacks: u8) -> Costs {
    let mut moved = [FAR; 16];
    for half in 0..2 - usize::from(pair) {
        let to = 8 * (half + usize::from(pair));
        for place in groups..5 {
            moved[to + place] = costs[8 * half + place - groups].saturating_add(lacks);
        }
    }
    moved
}

#[inline]
fn take_least(costs: &mut Costs, other: &Costs) {
    for (mine, theirs) in costs.iter_mut().zip(other) {
        *mine = (*mine).min(*theirs);
    }
}

/// The least costs of two lanes together.
fn together(a: &Costs, b: &Costs) -> Costs {
    let mut sum = [FAR; 16];
    for groups in 0..5 {
        for (pair, place) in [(false, groups), (true, 8 + groups)] {
            take_least(&mut sum, &moved(b, groups, pair, a[place]));
        }
    }
    sum
}

/// Runs that began one rank and two ranks before, at most two each: three alike are three pungs.
const OPEN: usize = 9;

/// Tells the number of things met before, in the order in which they were met first.
struct Numbered<T> {
    numbers: HashMap<T, usize>,
    all: Vec<T>,
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self {
            numbers: HashMap::new(),
            all: Vec::new(),
        }
    }

    fn number(&mut self, thing: T) -> usize {
        *self.numbers.entry(thing).or_insert_with(|| {
            self.all.push(thing);
            self.all.len() - 1
        })
    }
}

/// Finds the class of every lane, rank by rank: what lanes that begin alike have in common is
/// reckoned once.
struct Classes {
    kinds: usize,
    has_runs: bool,
    lanes: Box<[u8]>,
    costs: Numbered<Costs>,
    /// The last costs and their class: neighbours are often alike.
    last: (Costs, u8),
}

impl Classes {
    fn new(kinds: usize, has_runs: bool) -> Self {
        let mut classes = Self {
            kinds,
            has_runs,
            lanes: vec![0; FIVE[kinds]].into_boxed_slice(),
            costs: Numbered::new(),
            last: ([FAR; 16], 0),
        };
        let mut open = [[FAR; 16]; OPEN];
        open[0] = NOTHING;
        classes.rank(0, 0, TILES, &open);
        classes
    }

    /// Goes through the counts of a kind; `open` are the costs so far by what has begun.
    fn rank(&mut self, kind: usize, index: usize, left: u32, open: &[Costs; OPEN]) {
        if kind == self.kinds {
            let costs = open[0];
            if costs != self.last.0 {
                let class = self.costs.number(costs);
                self.last = (costs, class as u8);
            }
            self.lanes[index] = self.last.1;
            return;
        }
        // What targets do with a kind, by how many tiles of it they use.
        let begins = if self.has_runs && kind + 2 < self.kinds {
            3
        } else {
            1
        };
        let mut used = [[[FAR; 16]; OPEN]; 5];
        for (state, costs) in open.iter().enumerate() {
            let (one, two) = (state / 3, state % 3);
            if costs.iter().all(|&cost| cost == FAR) {
                continue;
            }
            for begun in 0..begins {
                for (pungs, pair) in [(0, false), (0, true), (1, false)] {
                    let tiles = one + two + begun + 3 * pungs + 2 * usize::from(pair);
                    if let Some(by_state) = used.get_mut(tiles) {
                        let more = moved(costs, begun + pungs, pair, 0);
                        take_least(&mut by_state[3 * begun + one], &more);
                    }
                }
            }
        }
        for count in 0..=left.min(4) {
            let mut next = [[FAR; 16]; OPEN];
            for (tiles, by_state) in used.iter().enumerate() {
                let lacks = (tiles as u8).saturating_sub(count as u8);
                for (next, costs) in next.iter_mut().zip(by_state) {
                    for (least, &cost) in next.iter_mut().zip(costs) {
                        *least = (*least).min(cost.saturating_add(lacks)).min(FAR);
                    }
                }
            }
            let index = index + count as usize * FIVE[kind];
            self.rank(kind + 1, index, left - count, &next);
        }
    }
}

/// Room for the classes of a suit, of the honours, and of several suits: rows of tables are so long.
const SUITS: usize = 128;
const HONOUR_CLASSES: usize = 64;
const FOLDED: usize = 256;

/// The tables of distances.
pub(super) struct Distances {
    suits: Box<[u8]>,
    honours: Box<[u8]>,
    /// Two suits' classes to a number, that and a third's to another.
    two: Box<[[u8; SUITS]; SUITS]>,
    three: Box<[[u8; SUITS]; FOLDED]>,
    /// The missing tiles for 0 to 4 groups and a pair, by the number of three suits and the honours' class.
    missing: Box<[[[u8; HONOUR_CLASSES]; FOLDED]; 5]>,
}

/// A hand as its lanes' numbers and classes.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    index: [usize; 4],
    class: [u8; 4],
}

/// The tables, made at first use.
pub(super) fn distances() -> &'static Distances {
    static TABLES: OnceLock<Distances> = OnceLock::new();
    TABLES.get_or_init(Distances::new)
}

impl Distances {
    fn new() -> Self {
        let suits = Classes::new(RANKS, true);
        let honours = Classes::new(HONOURS, false);
        let of_suits = &suits.costs.all;
        let mut pairs = Numbered::new();
        let mut two = Box::new([[0; SUITS]; SUITS]);
        for (a, row) in of_suits.iter().zip(two.iter_mut()) {
            for (b, number) in of_suits.iter().zip(row) {
                *number = pairs.number(together(a, b)) as u8;
            }
        }
        let mut triples = Numbered::new();
        let mut three = Box::new([[0; SUITS]; FOLDED]);
        for (a, row) in pairs.all.iter().zip(three.iter_mut()) {
            for (b, number) in of_suits.iter().zip(row) {
                *number = triples.number(together(a, b)) as u8;
            }
        }
        let mut missing = Box::new([[[0; HONOUR_CLASSES]; FOLDED]; 5]);
        for (i, a) in triples.all.iter().enumerate() {
            for (j, b) in honours.costs.all.iter().enumerate() {
                let costs = together(a, b);
                for (groups, missing) in missing.iter_mut().enumerate() {
                    missing[i][j] = costs[8 + groups];
                }
            }
        }
        Self {
            two,
            three,
            missing,
            suits: suits.lanes,
            honours: honours.lanes,
        }
    }

    /// The classes of a hand's lanes.
    #[inline]
    pub(super) fn hand(&self, index: [usize; 4]) -> Hand {
        let class = std::array::from_fn(|lane| self.class(lane, index[lane]));
        Hand { index, class }
    }

    #[inline]
    fn class(&self, lane: usize, index: usize) -> u8 {
        if lane == 3 {
            self.honours[index]
        } else {
            self.suits[index]
        }
    }

    #[inline]
    fn two(&self, a: u8, b: u8) -> u8 {
        self.two[usize::from(a) % SUITS][usize::from(b) % SUITS]
    }

    #[inline]
    fn three(&self, two: u8, suit: u8) -> u8 {
        self.three[usize::from(two)][usize::from(suit) % SUITS]
    }

    #[inline]
    fn all(&self, groups: usize, three: u8, honours: u8) -> u8 {
        self.missing[groups % 5][usize::from(three)][usize::from(honours) % HONOUR_CLASSES]
    }

    /// Tiles that a hand lacks of so many groups and a pair.
    #[inline]
    pub(super) fn missing(&self, hand: &Hand, groups: usize) -> u8 {
        let [t, s, m, h] = hand.class;
        self.all(groups, self.three(self.two(t, s), m), h)
    }

    /// For each lane the kinds, as bits by their places in its number, of which one more lowers what is
    /// missing below `missing`; of each lane those kinds are tried that are named.
    #[inline]
    pub(super) fn lowering(
        &self,
        hand: &Hand,
        groups: usize,
        missing: u8,
        tried: [u16; 4],
    ) -> [u16; 4] {
        let [t, s, m, h] = hand.class;
        let others = [self.two(s, m), self.two(t, m), self.two(t, s)];
        let three = self.three(others[2], m);
        std::array::from_fn(|lane| {
            let (class, index) = (hand.class[lane], hand.index[lane]);
            let mut left = tried[lane];
            let mut lowering = 0;
            while left != 0 {
                let place = left.trailing_zeros() as usize;
                left &= left - 1;
                let changed = self.class(lane, index + FIVE[place]);
                if changed == class {
                    continue;
                }
                let after = match lane {
                    3 => self.all(groups, three, changed),
                    _ => self.all(groups, self.three(others[lane], changed), h),
                };
                lowering |= u16::from(after < missing) << place;
            }
            lowering
        })
    }
}
