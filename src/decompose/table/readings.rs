//! Every way to read a suit of the classical grammar as groups, or as groups and a pair.
//!
//! Of two million suits a few thousand are complete, and most of these are read in one way. Their numbers
//! are found by hashing; a reading is a word of eight bytes, a byte a group from the top.

use super::digits::{SUIT_STEPS, number};
use super::{GROUPS, HONOURS, RANKS, honours, rest};
use crate::counts::{Counts, nibble};
use crate::decompose::Arrangement;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::tile::Kind;
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Groups of one lane in the order of their bytes, the first one on top: from two bits up the lowest
/// kind, below it which group it is; 0 for no more.
type Codes = u64;

const PAIR: u64 = 1;
const PUNG: u64 = 2;
const RUN: u64 = 3;

#[derive(Clone, Copy)]
struct Slot {
    number: u32,
    /// Where the readings begin, and how many there are.
    first: u32,
    count: u32,
}

const FREE: u32 = u32::MAX;

pub(super) struct Readings {
    slots: Box<[Slot]>,
    all: Box<[Codes]>,
    /// The groups of codes, lane by lane.
    groups: [[Group; 64]; 4],
}

/// The readings of every suit, made at first use.
pub(super) fn readings() -> &'static Readings {
    static READINGS: OnceLock<Readings> = OnceLock::new();
    READINGS.get_or_init(Readings::new)
}

/// Puts groups, the least first, one behind the other.
fn code(groups: &[u64]) -> Codes {
    let mut groups: SmallVec<[u64; GROUPS + 1]> = groups.into();
    groups.sort_unstable();
    let place = |(i, group): (usize, &u64)| group << (56 - 8 * i);
    groups.iter().enumerate().map(place).sum()
}

impl Readings {
    fn new() -> Self {
        let groups = (0..RANKS as u64)
            .map(|rank| rank << 2 | PUNG)
            .chain((0..RANKS as u64 - 2).map(|rank| rank << 2 | RUN));
        let groups: Vec<u64> = groups.collect();
        let mut found = Vec::new();
        add_groups(&groups, &mut Vec::new(), &mut found);
        found.sort_unstable();
        let mut numbers: Vec<u32> = found.iter().map(|&(number, _)| number).collect();
        numbers.dedup();
        let free = Slot {
            number: FREE,
            first: 0,
            count: 0,
        };
        let mut all = Self {
            slots: vec![free; (2 * numbers.len()).next_power_of_two()].into(),
            all: found.iter().map(|&(_, codes)| codes).collect(),
            groups: std::array::from_fn(|lane| std::array::from_fn(|code| group(lane, code))),
        };
        let mut first = 0;
        for number in numbers {
            let count = found[first..].iter().take_while(|(of, _)| *of == number);
            let count = count.count();
            let place = all.place(number);
            all.slots[place] = Slot {
                number,
                first: first as u32,
                count: count as u32,
            };
            first += count;
        }
        all
    }

    /// The slot of a number, or the free one where it would be.
    #[inline]
    fn place(&self, number: u32) -> usize {
        let last = self.slots.len() - 1;
        let mut place = (number.wrapping_mul(0x9e37_79b1) >> 12) as usize & last;
        while self.slots[place].number != number && self.slots[place].number != FREE {
            place = (place + 1) & last;
        }
        place
    }

    /// The readings of a suit; none where it is not complete.
    #[inline]
    fn of(&self, concealed: &Counts, lane: usize) -> &[Codes] {
        let number = number(concealed, lane);
        let Slot { first, count, .. } = self.slots[self.place(number as u32)];
        &self.all[first as usize..(first + count) as usize]
    }

    #[inline]
    fn add(&self, lane: usize, mut codes: Codes, groups: &mut List<Group, 7>) {
        while codes != 0 {
            groups.push(self.groups[lane][(codes >> 56) as usize % 64]);
            codes <<= 8;
        }
    }

    /// Visits every arrangement of so many tiles as groups and a pair have, all of the classical set.
    #[inline]
    pub(super) fn arrangements<V: FnMut(&Arrangement) -> ControlFlow<()>>(
        &self,
        concealed: &Counts,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let [a, b, c, d] = rest(concealed);
        if a | b | c | d != 2 || a + b + c + d != 2 {
            return ControlFlow::Continue(());
        }
        let Some(honours) = of_honours(concealed.lane(3)) else {
            return ControlFlow::Continue(());
        };
        let [tongs, socks, mans] = [0, 1, 2].map(|lane| self.of(concealed, lane));
        for &tongs in tongs {
            for &socks in socks {
                for &mans in mans {
                    let mut found = Arrangement::default();
                    for (lane, codes) in [tongs, socks, mans, honours].into_iter().enumerate() {
                        self.add(lane, codes, &mut found.groups);
                    }
                    visit(&found)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The only reading of honours, if there is one.
#[inline]
fn of_honours(lane: u64) -> Option<Codes> {
    let lane = honours(lane);
    let (mut codes, mut shift, mut pairs) = (0, 64, 0);
    let mut left = lane;
    while left != 0 {
        let place = left.trailing_zeros() / 4;
        let family = match nibble(lane, place) {
            2 if pairs == 0 => PAIR,
            3 => PUNG,
            _ => return None,
        };
        pairs += u32::from(family == PAIR);
        shift -= 8;
        codes |= (u64::from(place) << 2 | family) << shift;
        left &= !(0xf << (4 * place));
    }
    Some(codes)
}

/// The group of a code in a lane; any for what is no code.
fn group(lane: usize, code: usize) -> Group {
    let place = code as u32 >> 2;
    let kinds = if lane == 3 { HONOURS } else { RANKS };
    if place as usize >= kinds {
        return Group::default();
    }
    let kind = match lane {
        // A zero stands before the winds, two compressed winds behind them.
        3 => Kind::at(3, place + 1 + 2 * u32::from(place >= 4)),
        _ => Kind::at(lane, place),
    };
    match code as u64 & 3 {
        PAIR => Group::pair(kind),
        PUNG => Group::pung(kind),
        RUN if lane < 3 && (place as usize) < RANKS - 2 => {
            let kinds = [0, 1, 2].map(|step| Kind::at(lane, place + step));
            Group::run(Family::Arith, kinds)
        }
        _ => Group::default(),
    }
}

/// Notes every choice of groups, with each pair and without one, under the number of its tiles.
fn add_groups(groups: &[u64], chosen: &mut Vec<u64>, found: &mut Vec<(u32, Codes)>) {
    note(chosen, found);
    for rank in 0..RANKS as u64 {
        chosen.push(rank << 2 | PAIR);
        note(chosen, found);
        chosen.pop();
    }
    if chosen.len() == GROUPS {
        return;
    }
    // A group after itself or a later one: each choice once.
    for (i, &group) in groups.iter().enumerate() {
        chosen.push(group);
        add_groups(&groups[i..], chosen, found);
        chosen.pop();
    }
}

fn note(groups: &[u64], found: &mut Vec<(u32, Codes)>) {
    let mut tiles = [0_u8; RANKS];
    for group in groups {
        let rank = (group >> 2) as usize;
        match group & 3 {
            PAIR => tiles[rank] += 2,
            PUNG => tiles[rank] += 3,
            _ => tiles[rank..rank + 3]
                .iter_mut()
                .for_each(|count| *count += 1),
        }
    }
    if tiles.iter().all(|&count| count <= 4) {
        let counts = tiles.iter().zip(SUIT_STEPS);
        let number: usize = counts.map(|(&count, step)| usize::from(count) * step).sum();
        found.push((number as u32, code(groups)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_keep_within_their_bound() {
        let all = readings();
        let bytes = size_of_val(&*all.slots) + size_of_val(&*all.all);
        assert!(bytes < 1 << 20, "{bytes}");
        let used = all.slots.iter().filter(|slot| slot.number != FREE);
        assert!(used.clone().count() > 5000);
        assert_eq!(
            used.map(|slot| slot.count as usize).sum::<usize>(),
            all.all.len()
        );
    }
}
