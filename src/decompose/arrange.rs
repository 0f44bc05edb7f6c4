//! Every arrangement of a complete hand.
//!
//! The search takes the lowest tile of a lane. That tile is in the pair, in a pung, or in a run as its lowest
//! number. A run may take a zero from the honours. If two consecutive groups start from the same tile, the
//! second choice must not come before the first one in the order of choices. Otherwise the same arrangement
//! would be found twice.

use super::arrangement::{Arrangement, MOST};
use super::grammar::Grammar;
use crate::counts::{Counts, ONES, ZERO_NIBBLE, at, by_lane, lone, lowest_place, nibble};
use crate::list::List;
use crate::meld::Group;
use crate::tile::Kind;
use std::ops::ControlFlow;

/// The search for arrangements of one hand.
struct Walk<'a, V> {
    grammar: &'a Grammar,
    /// All tiles of the hand.
    lanes: [u64; 4],
    /// The groups chosen so far.
    found: [Group; MOST],
    visit: &'a mut V,
}

/// What the search has found and what it still needs, packed into one number:
///
/// - [`FOUND`] times the groups found, the pair included,
/// - [`GROUP`] times the groups still needed,
/// - [`ZERO`] times the zeros that no run has taken yet,
/// - [`PAIR`], shifted by the lane, for each lane that may still have the pair.
type Left = u64;
const FOUND: Left = 1;
const GROUP: Left = 1 << 8;
const ZERO: Left = 1 << 16;
const PAIR: Left = 1 << 24;
const PAIR_ANYWHERE: Left = 15 * PAIR;

/// Choices at a tile: 0 is the pair, 1 a pung. From here on they are the runs, by their numbers.
const RUNS: usize = 2;

/// Reads one counter of `left`: how many of a unit it holds.
#[inline]
const fn times(left: Left, unit: Left) -> usize {
    (left / unit) as u8 as usize
}

/// How many tiles each lane lacks for a multiple of three. Every group has three tiles. So a lane of a
/// complete hand lacks one tile if it has the pair, and one for each run that takes its zero from the
/// honours.
///
/// This is cheap to compute: 16 is 1 modulo 3, so a lane modulo 3 is its tile total modulo 3. And a lane and its
/// complement sum to a multiple of 3, so the complement modulo 3 is what the lane lacks.
pub(super) struct Remainders {
    /// Zeros in hand; 0 if the grammar does not use them.
    pub(super) zeros: u64,
    /// What each lane lacks, 0 to 2. Zeros are left out.
    pub(super) lacks: [u64; 4],
    /// The sum of `lacks`.
    pub(super) missing: u64,
}

impl Remainders {
    #[inline]
    pub(super) fn of(grammar: &Grammar, concealed: &Counts) -> Self {
        let zeros = match grammar.uses_zero {
            true => u64::from(concealed.get(Kind::ZERO)),
            false => 0,
        };
        let lacks = by_lane(|lane| {
            let zeros = if lane == 3 {
                at(Kind::ZERO.place(), zeros)
            } else {
                0
            };
            !(concealed.lane(lane) - zeros) % 3
        });
        Self {
            zeros,
            lacks,
            missing: lacks.iter().sum(),
        }
    }

    /// False if the tiles cannot be groups and a pair.
    #[inline]
    const fn may_be_whole(&self) -> bool {
        self.missing <= self.zeros + 1 && self.lacks[3] < 2
    }
}

/// Visits every arrangement as groups and a pair. `melds` groups are declared already.
pub(super) fn standard<V: FnMut(&Arrangement) -> ControlFlow<()>>(
    grammar: &Grammar,
    concealed: &Counts,
    melds: usize,
    visit: &mut V,
) -> ControlFlow<()> {
    let Some(groups) = grammar
        .groups
        .checked_sub(melds)
        .filter(|_| grammar.standard)
    else {
        return ControlFlow::Continue(());
    };
    let lanes = concealed.lanes();
    let remainders = Remainders::of(grammar, concealed);
    if !remainders.may_be_whole() {
        return ControlFlow::Continue(());
    }
    let Remainders {
        zeros,
        lacks,
        missing,
    } = remainders;
    // If the lanes lack one tile for every zero and one for the pair, the pair is in a lane that lacks a
    // tile.
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
    // The walk starts with the lowest tile of lane 0, so only the other suits are tested here.
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

/// True if a kind that is in no run is held once.
#[inline]
fn has_lone(lanes: &[u64; 4], alone: &[u64; 4]) -> bool {
    // Looks at all lanes: stopping at the first hit would be a branch that the processor mispredicts.
    let all = lanes.iter().zip(alone);
    all.fold(0, |all, (lane, alone)| all | lone(*lane, *alone)) != 0
}

/// True if the kinds that are in no run make only pungs and at most one pair. Call it after [`has_lone`]: no
/// such kind may be held once. Five of a kind, more than the set has, are a pung and a pair. Seven are not
/// counted: no hand with them is complete.
#[inline]
fn stand_alone(lanes: &[u64; 4], alone: &[u64; 4]) -> bool {
    let (mut wrong, mut pairs) = (0, 0);
    for (lane, alone) in lanes.iter().zip(alone) {
        let [one, two, four] = [0, 1, 2].map(|bit| (lane & alone) >> bit & ONES);
        wrong |= four & !(one | two);
        // Two or five of a kind include a pair; three or six do not. The sum is not an OR, because two lanes may
        // have a pair at the same place.
        pairs += (one ^ two) & !(one ^ four);
    }
    let many = pairs & pairs.wrapping_sub(1) | pairs & !ONES;
    wrong | many == 0
}

impl<V: FnMut(&Arrangement) -> ControlFlow<()>> Walk<'_, V> {
    /// Uses up `rest`, the remaining tiles of a lane, in every possible way. `from` is the first choice
    /// allowed at the lowest tile: 0 is the pair, 1 a pung, [`RUNS`] and more are runs by their numbers.
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
            let place = lowest_place(rest);
            let (one, count) = (at(place, 1), nibble(rest, place));
            let found = times(left, FOUND);
            // Most tiles allow only one choice. So the loop continues with the last choice and recurses for
            // the others.
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
                    let from = usize::from(count > 3);
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

    /// The lane of honours with this many zeros in it.
    #[inline]
    fn honours(&self, zeros: usize) -> u64 {
        match self.grammar.uses_zero {
            true => self.lanes[3] & !ZERO_NIBBLE | at(Kind::ZERO.place(), zeros as u64),
            false => self.lanes[3],
        }
    }

    /// Passes the first `found` groups to the visitor as an arrangement.
    fn tell(&mut self, found: usize) -> ControlFlow<()> {
        let groups = List::first_of(self.found[..found].iter().copied());
        (self.visit)(&Arrangement { form: 0, groups })
    }
}

#[cfg(test)]
mod tests {
    use super::Remainders;
    use crate::counts::Counts;
    use crate::ruleset::Rules;
    use crate::tile::Kind;

    /// The last place of a lane fills its highest bits.
    #[test]
    fn a_lane_lacks_what_its_total_lacks_whatever_its_places() {
        let rules = Rules::by_id("woo").unwrap();
        for kind in Kind::all() {
            for count in 0..=kind.most_copies() {
                let mut tiles = Counts::EMPTY;
                tiles.set(kind, count);
                let lacks = Remainders::of(rules.plan().decomposer.grammar(), &tiles).lacks;
                let mut expected = [0; 4];
                expected[kind.lane()] = u64::from((15 - count) % 3);
                assert_eq!(lacks, expected, "{count} of {kind}");
            }
        }
    }
}
