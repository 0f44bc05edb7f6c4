//! Distances of the classical grammar, from tables.
//!
//! The *costs* of a lane are how many tiles it lacks for 0 to 4 groups, with a pair or without: ten numbers.
//! Few such vectors exist. The number of a vector is its *class*, one byte, and the tables have the class of
//! every lane. Further tables *fold* the classes of the three suits to one class, one suit after another.
//! With it and the class of the honours they give the missing tiles. All tables are built at first use.

use super::digits::{HONOUR_STEPS, IN_ROW_STEP, SUIT_STEPS};
use super::rows::{IN_ROW, Numbered, RowsBuilder, SharedRows};
use super::set::{HONOURS, RANKS};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The most tiles of a lane in the tables: those of a hand on turn, and one more.
const TILES: u32 = 15;
/// More than any target costs.
const FAR: u8 = 99;

/// Costs of 0 to 4 groups at indices 0 to 4, and of as many with a pair at indices 8 to 12.
type Costs = [u8; 16];

/// The costs of a lane without kinds: no groups for no tiles.
const NOTHING: Costs = {
    let mut costs = [FAR; 16];
    costs[0] = 0;
    costs
};

/// The costs after each target gets `groups` more groups, a pair if `pair`, and `lacks` more missing tiles.
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

/// A lane is built kind by kind, so some runs are *open*: begun one or two kinds before, and not finished. At
/// most two of each can be open, because three equal runs are three pungs. That makes nine states.
const OPEN: usize = 9;

/// The costs so far by state: three times the runs begun one kind before, plus those begun two kinds before.
type Open = [Costs; OPEN];

/// Finds the class of every lane, kind by kind from the last one. Lanes with the same last kinds share that
/// work, and so do lanes that reach the same costs.
struct Classes {
    steps: &'static [usize],
    has_runs: bool,
    costs: Numbered<Costs>,
    /// The classes found so far, by the costs and by the kinds and tiles left.
    met: HashMap<(Open, usize, u32), Vec<u8>>,
    rows: RowsBuilder<u8>,
}

impl Classes {
    fn new(steps: &'static [usize], has_runs: bool) -> Self {
        let mut classes = Self {
            steps,
            has_runs,
            costs: Numbered::new(),
            met: HashMap::new(),
            rows: RowsBuilder::new(),
        };
        let mut open = [[FAR; 16]; OPEN];
        open[0] = NOTHING;
        classes.rows_of(steps.len(), 0, TILES, &open);
        classes
    }

    /// Tries all counts of the kinds below `kinds`. When only the kinds of a row are left, it notes the row.
    fn rows_of(&mut self, kinds: usize, number: usize, left: u32, open: &Open) {
        if kinds == IN_ROW {
            let mut row = [0; IN_ROW_STEP];
            let classes = self.classes(kinds, left, open);
            row[..classes.len()].copy_from_slice(&classes);
            let row = self.rows.row(row);
            return self.rows.set(number, row);
        }
        for count in 0..=left.min(4) {
            let number = number + count as usize * self.steps[kinds - 1];
            let open = self.counted(kinds - 1, count, open);
            self.rows_of(kinds - 1, number, left - count, &open);
        }
    }

    /// The classes for all counts of the kinds below `kinds`. These are the kinds of a row, or fewer.
    fn classes(&mut self, kinds: usize, left: u32, open: &Open) -> Vec<u8> {
        if kinds == 0 {
            return vec![self.costs.number(open[0]) as u8];
        }
        // The kinds left cannot hold more tiles. Without this limit, `met` would have more keys for the same
        // classes.
        let left = left.min(4 * kinds as u32);
        let key = (*open, kinds, left);
        if let Some(met) = self.met.get(&key) {
            return met.clone();
        }
        let mut classes = vec![0; 5_usize.pow(kinds as u32)];
        for (count, part) in (0..=left.min(4)).zip(classes.chunks_mut(self.steps[kinds - 1])) {
            let open = self.counted(kinds - 1, count, open);
            part.copy_from_slice(&self.classes(kinds - 1, left - count, &open));
        }
        self.met.insert(key, classes.clone());
        classes
    }

    /// The costs after a kind with `count` tiles, over all ways in which targets may use it.
    fn counted(&self, kind: usize, count: u32, open: &Open) -> Open {
        // A run that begins here also needs the two kinds below.
        let begins = if self.has_runs && kind >= 2 { 3 } else { 1 };
        let mut next = [[FAR; 16]; OPEN];
        for (state, costs) in open.iter().enumerate() {
            let (one, two) = (state / 3, state % 3);
            if costs.iter().all(|&cost| cost == FAR) {
                continue;
            }
            for begun in 0..begins {
                for (pungs, pair) in [(0, false), (0, true), (1, false)] {
                    let tiles = one + two + begun + 3 * pungs + 2 * usize::from(pair);
                    if tiles <= 4 {
                        let lacks = (tiles as u8).saturating_sub(count as u8);
                        let more = moved(costs, begun + pungs, pair, lacks);
                        take_least(&mut next[3 * begun + one], &more);
                    }
                }
            }
        }
        next
    }
}

/// Room for the classes of a suit, of the honours, and of several suits. Powers of two make cheap indices.
const SUITS: usize = 128;
const HONOUR_CLASSES: usize = 64;
const FOLDED: usize = 256;
/// Room for 0 to 4 groups.
const GROUP_COUNTS: usize = 8;

/// The tables of classes and distances.
pub(super) struct Distances {
    suits: SharedRows<u8>,
    honours: SharedRows<u8>,
    /// The class of two suits by theirs.
    two: Box<[[u8; SUITS]; SUITS]>,
    /// The class of three suits, by that of two and that of the third.
    three: Box<[[u8; SUITS]; FOLDED]>,
    /// The missing tiles, by groups needed beside the pair (0 to 4), class of three suits, and class of the
    /// honours.
    missing: Box<[[[u8; HONOUR_CLASSES]; FOLDED]; GROUP_COUNTS]>,
}

/// A hand as the numbers and the classes of its lanes.
#[derive(Clone, Copy)]
pub(super) struct HandClasses {
    index: [usize; 4],
    class: [u8; 4],
}

/// The tables, built at first use.
pub(super) fn distances() -> &'static Distances {
    static TABLES: OnceLock<Distances> = OnceLock::new();
    TABLES.get_or_init(Distances::new)
}

impl Distances {
    fn new() -> Self {
        let suits = Classes::new(&SUIT_STEPS, true);
        let honours = Classes::new(&HONOUR_STEPS, false);
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
        let mut missing = Box::new([[[0; HONOUR_CLASSES]; FOLDED]; GROUP_COUNTS]);
        for (i, a) in triples.all.iter().enumerate() {
            for (j, b) in honours.costs.all.iter().enumerate() {
                let costs = together(a, b);
                for (groups, missing) in missing.iter_mut().enumerate().take(5) {
                    missing[i][j] = costs[8 + groups];
                }
            }
        }
        Self {
            two,
            three,
            missing,
            suits: suits.rows.done(),
            honours: honours.rows.done(),
        }
    }

    /// Looks up the classes of a hand's lanes.
    #[inline]
    pub(super) fn hand(&self, index: [usize; 4]) -> HandClasses {
        let [t, s, m, h] = index;
        let suit = |index| self.suits.get(index);
        let class = [suit(t), suit(s), suit(m), self.honours.get(h)];
        HandClasses { index, class }
    }

    #[inline]
    fn class(&self, lane: usize, index: usize) -> u8 {
        match lane {
            3 => self.honours.get(index),
            _ => self.suits.get(index),
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
        self.missing[groups % GROUP_COUNTS][usize::from(three)]
            [usize::from(honours) % HONOUR_CLASSES]
    }

    /// The tiles that a hand lacks for `groups` groups and a pair.
    #[inline]
    pub(super) fn missing(&self, hand: &HandClasses, groups: usize) -> u8 {
        let [t, s, m, h] = hand.class;
        self.all(groups, self.three(self.two(t, s), m), h)
    }

    /// For each lane, the kinds that leave fewer than `missing` tiles missing when drawn. A kind is a bit, by
    /// the place of its digit in the lane's number. The bits of kinds held four times mean nothing.
    #[inline]
    pub(super) fn lowering(&self, hand: &HandClasses, groups: usize, missing: u8) -> [u16; 4] {
        let [t, s, m, h] = hand.class;
        let others = [self.two(s, m), self.two(t, m), self.two(t, s)];
        let three = self.three(others[2], m);
        let suit = |lane: usize| {
            bits_of(&SUIT_STEPS, |step| {
                let suit = self.suits.get(hand.index[lane] + step);
                self.all(groups, self.three(others[lane], suit), h) < missing
            })
        };
        let honours = bits_of(&HONOUR_STEPS, |step| {
            let honours = self.honours.get(hand.index[3] + step);
            self.all(groups, three, honours) < missing
        });
        [suit(0), suit(1), suit(2), honours]
    }

    /// The classes of all lanes with one tile more.
    #[inline(always)]
    fn more(&self, hand: &HandClasses) -> More {
        let [t, s, m, h] = hand.index;
        More {
            suits: [
                self.more_of_suit(t),
                self.more_of_suit(s),
                self.more_of_suit(m),
            ],
            honours: self.more_of_honours(h),
        }
    }

    #[inline(always)]
    fn more_of_suit(&self, index: usize) -> [u8; RANKS] {
        let mut more = [0; RANKS];
        for (more, step) in more.iter_mut().zip(SUIT_STEPS) {
            *more = self.suits.get(index + step);
        }
        more
    }

    #[inline(always)]
    fn more_of_honours(&self, index: usize) -> [u8; HONOURS] {
        let mut more = [0; HONOURS];
        for (more, step) in more.iter_mut().zip(HONOUR_STEPS) {
            *more = self.honours.get(index + step);
        }
        more
    }

    /// [`Self::lowering`], given the classes of the lanes and those with one tile more. For a single hand it is
    /// slower, because the classes must be packed first.
    #[inline(always)]
    fn lowering_among(
        &self,
        &[t, s, m, h]: &[u8; 4],
        more: &More,
        groups: usize,
        missing: u8,
    ) -> [u16; 4] {
        let missing_from = &self.missing[groups % GROUP_COUNTS];
        let of_suit = |row: &[u8; RANKS], others: u8| {
            let three = &self.three[usize::from(others)];
            bits_of(row, |suit| {
                let three = usize::from(three[usize::from(suit) % SUITS]);
                missing_from[three][usize::from(h) % HONOUR_CLASSES] < missing
            })
        };
        let [circles, bamboos, characters] = &more.suits;
        let two = self.two(t, s);
        let of_three = &missing_from[usize::from(self.three(two, m))];
        [
            of_suit(circles, self.two(s, m)),
            of_suit(bamboos, self.two(t, m)),
            of_suit(characters, two),
            bits_of(&more.honours, |honours| {
                of_three[usize::from(honours) % HONOUR_CLASSES] < missing
            }),
        ]
    }

    /// [`Self::lowering`] for one lane.
    #[inline(always)]
    fn lowering_in(&self, lane: usize, hand: &HandClasses, groups: usize, missing: u8) -> u16 {
        let [t, s, m, h] = hand.class;
        let index = hand.index[lane];
        let others = match lane {
            0 => self.two(s, m),
            1 => self.two(t, m),
            _ => self.two(t, s),
        };
        if lane == 3 {
            let three = self.three(others, m);
            return bits_of(&HONOUR_STEPS, |step| {
                self.all(groups, three, self.honours.get(index + step)) < missing
            });
        }
        bits_of(&SUIT_STEPS, |step| {
            let suit = self.suits.get(index + step);
            self.all(groups, self.three(others, suit), h) < missing
        })
    }
}

/// The classes of lanes with one tile more, by the place of its digit. Those of kinds held four times mean nothing.
struct More {
    suits: [[u8; RANKS]; 3],
    honours: [u8; HONOURS],
}

/// Answers for a hand on turn, one discard after another. Three lanes stay as they are, so their classes with one
/// tile more are looked up once for all discards.
pub(super) struct Discards<'a> {
    tables: &'a Distances,
    hand: HandClasses,
    groups: usize,
    missing: u8,
    more: More,
    /// The accepted tiles of the other lanes beside a lane of some class: that class, and the bits by lane.
    beside: SmallVec<[(u8, [u16; 4]); RANKS]>,
    /// The lane that `beside` is about.
    lane: usize,
}

impl<'a> Discards<'a> {
    /// For a hand that lacks `missing` tiles of `groups` groups and a pair, one or more.
    pub(super) fn new(
        tables: &'a Distances,
        hand: &HandClasses,
        groups: usize,
        missing: u8,
    ) -> Self {
        Self {
            tables,
            hand: *hand,
            groups,
            missing,
            more: tables.more(hand),
            beside: SmallVec::new(),
            lane: 0,
        }
    }

    /// For each lane, the kinds that lower the number of missing tiles after a discard. `place` is the place of the
    /// discard's digit in the lane's number. `None` if the discard raises the number of missing tiles. Call it for all
    /// discards of one lane in sequence.
    pub(super) fn after(&mut self, lane: usize, place: usize) -> Option<[u16; 4]> {
        let Self {
            tables,
            groups,
            missing,
            ..
        } = *self;
        let step = if lane == 3 {
            HONOUR_STEPS[place]
        } else {
            SUIT_STEPS[place]
        };
        let index = self.hand.index[lane] - step;
        let class = tables.class(lane, index);
        let mut hand = self.hand;
        hand.class[lane] = class;
        if tables.missing(&hand, groups) != missing {
            return None;
        }
        if self.lane != lane {
            self.lane = lane;
            self.beside.clear();
        }
        let known = self.beside.iter().find(|(other, _)| *other == class);
        let mut lowering = match known {
            Some((_, lowering)) => *lowering,
            None => {
                let lowering = tables.lowering_among(&hand.class, &self.more, groups, missing);
                self.beside.push((class, lowering));
                lowering
            }
        };
        hand.index[lane] = index;
        lowering[lane] = tables.lowering_in(lane, &hand, groups, missing);
        Some(lowering)
    }
}

/// The places that pass the test. It tries all of them, because finding out which may matter takes longer.
#[inline(always)]
fn bits_of<T: Copy, const N: usize>(places: &[T; N], holds: impl Fn(T) -> bool) -> u16 {
    let places = places.iter().enumerate();
    places.fold(0, |bits, (place, &what)| {
        bits | u16::from(holds(what)) << place
    })
}
