//! Every arrangement of a complete hand.
//!
//! The lowest tile of a lane must be in a pair, in a pung, or in a run of which it is the lowest
//! number; a run may take a zero from the honours. A second group from the same lowest tile never
//! goes back in the order of choices, or arrangements would come twice.

use super::grammar::{Grammar, ShapeSet};
use crate::counts::{Counts, ONES, lane_covers, lane_sum, nibble};
use crate::list::List;
use crate::meld::Group;
use crate::tile::{Kind, Suit};
use std::ops::ControlFlow;

/// One way to read concealed tiles as a complete hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arrangement {
    /// 0 for the standard form, otherwise 1 + the index in [`Grammar::forms`].
    pub form: u8,
    /// The groups without declared melds, the pair among them; empty for a form of single tiles.
    pub groups: List<Group, 7>,
}

const _: () = assert!(size_of::<Arrangement>() <= 32);

struct Walk<'a, V> {
    grammar: &'a Grammar,
    lanes: [u64; 4],
    /// The lanes before anything was taken, and the runs that suits covered then, once they are asked for.
    whole: [u64; 4],
    runs: [Option<ShapeSet>; 3],
    found: [Group; 5],
    len: usize,
    visit: &'a mut V,
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
    if has_lone(grammar, &lanes) || is_hopeless(grammar, &lanes, groups) {
        return ControlFlow::Continue(());
    }
    Walk {
        grammar,
        lanes,
        whole: lanes,
        runs: [None; 3],
        found: [Group::default(); 5],
        len: 0,
        visit,
    }
    .lane(0, groups, true, 0, u32::MAX)
}

/// True where some kind that stands in no run is held once.
#[inline]
fn has_lone(grammar: &Grammar, lanes: &[u64; 4]) -> bool {
    // All lanes are looked at: where the first lone one is would be a guess.
    let all = lanes.iter().zip(&grammar.alone);
    all.fold(0, |all, (lane, alone)| all | lone(*lane, *alone)) != 0
}

/// Of the kinds of a lane that are marked those of which one tile is held.
#[inline]
pub(super) const fn lone(lane: u64, marked: u64) -> u64 {
    lane & !(lane >> 1 | lane >> 2) & ONES & marked
}

/// True where counting tells that the tiles are not so many groups and a pair: of most hands it does.
#[inline]
fn is_hopeless(grammar: &Grammar, lanes: &[u64; 4], groups: usize) -> bool {
    // What stands in no run is a pair, a pung, or, beyond what a set can have, both.
    let (mut wrong, mut pairs) = (0, 0);
    for (lane, alone) in lanes.iter().zip(&grammar.alone) {
        let [one, two, four] = [0, 1, 2].map(|bit| (lane & alone) >> bit & ONES);
        wrong |= (one ^ four) & !two;
        pairs += two & !one | four & one;
    }
    if wrong != 0 || lane_sum(pairs) > 1 {
        return true;
    }
    let sums = lanes.map(lane_sum);
    if sums.iter().sum::<u32>() as usize != 3 * groups + 2 {
        return true;
    }
    // Groups are threes, so exactly one lane, the pair's, has two tiles over. A zero belongs to any.
    let has_zeros = grammar.uses_zero && nibble(lanes[3], Kind::ZERO.place()) > 0;
    let rests = sums.map(|sum| sum % 3);
    !has_zeros && (rests.contains(&1) || rests.iter().sum::<u32>() != 2)
}

impl<V: FnMut(&Arrangement) -> ControlFlow<()>> Walk<'_, V> {
    fn lane(
        &mut self,
        mut lane: usize,
        groups: usize,
        pair: bool,
        from_choice: usize,
        last_place: u32,
    ) -> ControlFlow<()> {
        let mut last_place = last_place;
        while lane < 4 && self.lanes[lane] == 0 {
            lane += 1;
            last_place = u32::MAX;
        }
        if lane == 4 {
            if groups > 0 || pair {
                return ControlFlow::Continue(());
            }
            let arrangement = Arrangement {
                form: 0,
                groups: self.found[..self.len].iter().copied().collect(),
            };
            return (self.visit)(&arrangement);
        }
        let place = self.lanes[lane].trailing_zeros() / 4;
        let from_choice = if place == last_place { from_choice } else { 0 };
        let count = nibble(self.lanes[lane], place);
        let kind = Kind::at(lane, place);
        let one = 1u64 << (4 * place);
        if pair && count >= 2 && from_choice == 0 {
            self.step(
                lane,
                2 * one,
                false,
                Group::pair(kind),
                (groups, false),
                (1, place),
            )?;
        }
        if groups == 0 {
            return ControlFlow::Continue(());
        }
        if self.grammar.has_pung && count >= 3 && from_choice <= 1 {
            self.step(
                lane,
                3 * one,
                false,
                Group::pung(kind),
                (groups - 1, pair),
                (2, place),
            )?;
        }
        let Some(&suit) = Suit::ALL.get(lane) else {
            return ControlFlow::Continue(());
        };
        let grammar = self.grammar;
        let runs = self.runs_of(lane);
        let mut numbers = grammar.shapes_from(place);
        // Beyond a pair and a pung choices are numbers of shapes.
        numbers.start = numbers.start.max(from_choice.saturating_sub(2));
        while !numbers.is_empty() {
            let mut covered = runs.among(&numbers);
            while covered != 0 {
                let number = numbers.start + covered.trailing_zeros() as usize;
                covered &= covered - 1;
                let shape = &grammar.shapes[number];
                if !lane_covers(self.lanes[lane], shape.mask) {
                    continue;
                }
                let zero = shape.takes_zero();
                if zero && nibble(self.lanes[3], Kind::ZERO.place()) == 0 {
                    continue;
                }
                self.step(
                    lane,
                    shape.mask,
                    zero,
                    shape.group(suit),
                    (groups - 1, pair),
                    (number + 2, place),
                )?;
            }
            numbers.start += 64;
        }
        ControlFlow::Continue(())
    }

    /// The runs that a suit covered before anything was taken.
    #[inline]
    fn runs_of(&mut self, lane: usize) -> ShapeSet {
        let has_zeros = self.grammar.uses_zero && nibble(self.whole[3], Kind::ZERO.place()) > 0;
        let find = || self.grammar.runs_within(self.whole[lane], has_zeros);
        *self.runs[lane].get_or_insert_with(find)
    }

    fn step(
        &mut self,
        lane: usize,
        mask: u64,
        zero: bool,
        group: Group,
        (groups, pair): (usize, bool),
        (choice, place): (usize, u32),
    ) -> ControlFlow<()> {
        let zero = u64::from(zero) << (4 * Kind::ZERO.place());
        self.lanes[lane] -= mask;
        self.lanes[3] -= zero;
        self.found[self.len] = group;
        self.len += 1;
        let flow = self.lane(lane, groups, pair, choice, place);
        self.len -= 1;
        self.lanes[3] += zero;
        self.lanes[lane] += mask;
        flow
    }
}
