//! Every arrangement of a complete hand.
//!
//! The lowest tile of a lane must be in a pair, in a pung, or in a run of which it is the lowest
//! number; a run may take a zero from the honours. A second group from the same lowest tile never
//! goes back in the order of choices, or arrangements would come twice.

use super::arrangement::{Arrangement, MOST};
use super::grammar::Grammar;
use crate::counts::{Counts, ONES, ZERO_NIBBLE, nibble};
use crate::meld::Group;
use crate::tile::Kind;
use std::ops::ControlFlow;

struct Walk<'a, V> {
    grammar: &'a Grammar,
    /// The lanes before anything was taken.
    lanes: [u64; 4],
    /// What was taken so far.
    found: [Group; MOST],
    visit: &'a mut V,
}

/// What is still to be found, in one number: [`GROUP`] for each group, [`PAIR`], in the place of each lane where the pair may
/// be, [`ZERO`] for each zero that no run has taken; and [`FOUND`] for each group that was found, the pair among them.
type Left = u64;
const FOUND: Left = 1;
const GROUP: Left = 1 << 8;
const ZERO: Left = 1 << 16;
const PAIR: Left = 1 << 24;
const PAIR_ANYWHERE: Left = 15 * PAIR;

/// Choices at a tile: the pair, a pung, and from here on the runs by their numbers.
const RUNS: usize = 2;

/// How many of something are counted.
#[inline]
const fn times(left: Left, unit: Left) -> usize {
    (left / unit) as u8 as usize
}

/// What lanes lack of threes. Groups are threes, so a lane lacks one tile for the pair and one for each run that takes a
/// zero: sixteen is one more than threes, so it leaves what its nibbles' sum leaves.
pub(super) struct Remainders {
    pub(super) zeros: u64,
    /// What each lane lacks, zeros left aside: 0 to 2.
    pub(super) lacks: [u64; 4],
    /// The sum of those.
    pub(super) missing: u64,
}

impl Remainders {
    #[inline]
    pub(super) fn of(grammar: &Grammar, concealed: &Counts) -> Self {
        let zeros = match grammar.uses_zero {
            true => u64::from(concealed.get(Kind::ZERO)),
            false => 0,
        };
        let lacks = std::array::from_fn(|lane| {
            let zeros = if lane == 3 {
                zeros << (4 * Kind::ZERO.place())
            } else {
                0
            };
            2 * (concealed.lane(lane) - zeros) % 3
        });
        Self {
            zeros,
            lacks,
            missing: lacks.iter().sum(),
        }
    }

    /// False where the tiles are no groups and a pair.
    #[inline]
    const fn may_be_whole(&self) -> bool {
        self.missing <= self.zeros + 1 && self.lacks[3] < 2
    }
}

/// Visits every arrangement in groups and a pair.
pub(super) fn standard<V: FnMut(&Arrangement) -> ControlFlow<()>>(
    grammar: &Grammar,
    concealed: &Counts,
    melds: usize,
    visit: &mut V,
) -> ControlFlow<()> {
    let Some(groups) = grammar.groups.checked_sub(melds) else {
        return ControlFlow::Continue(());
    };
    let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
    let remainders = Remainders::of(grammar, concealed);
    if !remainders.may_be_whole() {
        return ControlFlow::Continue(());
    }
    let Remainders {
        zeros,
        lacks,
        missing,
    } = remainders;
    // Where they lack as many as there are zeros and a pair, they lack nothing else.
    let pair = match missing == zeros + 1 {
        true => (0..4)
            .map(|lane| u64::from(lacks[lane] > 0) * (PAIR << lane))
            .sum(),
        false => PAIR_ANYWHERE,
    };
    let alone = match zeros {
        0 => &grammar.alone_without_zero,
        _ => &grammar.alone,
    };
    let is_whole = concealed.total() == 3 * groups + 2;
    if !is_whole || has_lone(&lanes, alone) {
        return ControlFlow::Continue(());
    }
    // The lowest tile of the first suit is what is begun with.
    let begin = lanes[1..3]
        .iter()
        .all(|&lane| grammar.may_begin(lane, zeros > 0));
    if !begin || !stand_alone(&lanes, alone) {
        return ControlFlow::Continue(());
    }
    let left = groups as Left * GROUP + pair + zeros * ZERO;
    let mut walk = Walk {
        grammar,
        lanes,
        found: [Group::default(); MOST],
        visit,
    };
    walk.go(0, lanes[0], left, 0)
}

/// True where some kind is held once that stands in no run.
#[inline]
fn has_lone(lanes: &[u64; 4], alone: &[u64; 4]) -> bool {
    // All lanes are looked at: where the first lone one is would be a guess.
    let all = lanes.iter().zip(alone);
    all.fold(0, |all, (lane, alone)| all | lone(*lane, *alone)) != 0
}

/// Of the kinds of a lane that are marked those of which one tile is held.
#[inline]
pub(super) const fn lone(lane: u64, marked: u64) -> u64 {
    lane & !(lane >> 1 | lane >> 2) & ONES & marked
}

/// True where what stands in no run is pungs and at most one pair; beyond what a set can have five alike are both. None
/// of it is [held once](has_lone).
#[inline]
fn stand_alone(lanes: &[u64; 4], alone: &[u64; 4]) -> bool {
    let (mut wrong, mut pairs) = (0, 0);
    for (lane, alone) in lanes.iter().zip(alone) {
        let [one, two, four] = [0, 1, 2].map(|bit| (lane & alone) >> bit & ONES);
        wrong |= four & !(one | two);
        // Of several lanes some may stand at one place.
        pairs += two & !one | four & one;
    }
    let many = pairs & pairs.wrapping_sub(1) | pairs & !ONES;
    wrong | many == 0
}

impl<V: FnMut(&Arrangement) -> ControlFlow<()>> Walk<'_, V> {
    /// Goes on in every way with what is `rest` of a lane. `from` is the first choice that is open at its lowest
    /// tile: 0 is a pair, 1 a pung, [`RUNS`] and more are runs by their numbers.
    fn go(
        &mut self,
        mut lane: usize,
        mut rest: u64,
        mut left: Left,
        mut from: usize,
    ) -> ControlFlow<()> {
        let grammar = self.grammar;
        loop {
            while rest == 0 {
                lane += 1;
                from = 0;
                rest = match lane {
                    0..3 => self.lanes[lane],
                    3 => self.honours(times(left, ZERO)),
                    _ if left & (PAIR_ANYWHERE | (255 * GROUP)) == 0 => {
                        return self.tell(times(left, FOUND));
                    }
                    _ => return ControlFlow::Continue(()),
                };
            }
            let place = rest.trailing_zeros() / 4;
            let (one, count) = (1 << (4 * place), nibble(rest, place));
            let found = times(left, FOUND);
            // Most tiles leave one choice: the last one is gone on with here, and those before it are gone into.
            let mut last = None;
            if count >= 2 {
                if left & PAIR << lane != 0 && from == 0 {
                    self.found[found] = Group::pair(Kind::at(lane, place));
                    last = Some((
                        rest - 2 * one,
                        (left & !PAIR_ANYWHERE) + FOUND,
                        usize::from(count > 2),
                    ));
                }
                if count >= 3 && grammar.has_pung && times(left, GROUP) > 0 && from <= 1 {
                    if let Some((rest, left, from)) = last {
                        self.go(lane, rest, left, from)?;
                    }
                    self.found[found] = Group::pung(Kind::at(lane, place));
                    let from = if count > 3 { RUNS } else { 0 };
                    last = Some((rest - 3 * one, left - GROUP + FOUND, from));
                }
            }
            if times(left, GROUP) > 0 && lane < 3 {
                let held = (rest | rest >> 1 | rest >> 2) & ONES;
                let zero = times(left, ZERO) > 0;
                grammar.runs_from(place, held, zero, |number, shape| {
                    if number + RUNS < from {
                        return ControlFlow::Continue(());
                    }
                    if let Some((rest, left, from)) = last {
                        self.go(lane, rest, left, from)?;
                    }
                    self.found[found] = shape.group_in(lane);
                    let from = if count > 1 { number + RUNS } else { 0 };
                    let zero = ZERO * u64::from(shape.takes_zero());
                    last = Some((rest - shape.mask, left - GROUP + FOUND - zero, from));
                    ControlFlow::Continue(())
                })?;
            }
            let Some(next) = last else {
                return ControlFlow::Continue(());
            };
            (rest, left, from) = next;
        }
    }

    /// The honours with so many zeros among them.
    #[inline]
    fn honours(&self, zeros: usize) -> u64 {
        match self.grammar.uses_zero {
            true => self.lanes[3] & !ZERO_NIBBLE | (zeros as u64) << (4 * Kind::ZERO.place()),
            false => self.lanes[3],
        }
    }

    /// Shows the visitor so many groups as an arrangement.
    fn tell(&mut self, found: usize) -> ControlFlow<()> {
        let groups = self.found[..found].iter().copied().collect();
        (self.visit)(&Arrangement { form: 0, groups })
    }
}
