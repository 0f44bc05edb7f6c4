//! The readings of every suit of the classical grammar.
//!
//! A *reading* of a suit is a way to split it into groups, or into groups and a pair. Of two million suits
//! some twenty thousand are complete, and most of these have one reading. A [perfect hash](super::places)
//! gives each complete suit a *slot* of eight bytes. The slot has the suit's only reading, or the index of its first
//! reading. A reading is a *code* of one byte for each group.

use super::digits::{SUIT_STEPS, number};
use super::places::{PLACES, Places};
use super::set::{GROUPS, HONOURS, RANKS, honours, rest};
use crate::counts::{Counts, at, lowest_place, nibble};
use crate::decompose::arrangement::{Arrangement, MOST};
use crate::list::List;
use crate::meld::{Family, Group};
use crate::set::BYTES;
use crate::tile::Kind;
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// The groups of one lane, a byte each, from the top byte down. Bits 0 and 1 of a byte are the family of the
/// group, and the bits from 2 up are its lowest kind. 0 ends the list. The two highest bits of a byte are
/// free for the lane.
type Codes = u64;

const PAIR: u64 = 1;
const PUNG: u64 = 2;
const RUN: u64 = 3;

/// The entry of a complete suit. The lowest bits are its number. From bit [`COUNT`] on follows one less than
/// its number of readings. From bit [`CODES`] on follows its only reading, in its usual bits, or else the index
/// of its first reading.
type Slot = u64;

const COUNT: u32 = 21;
const CODES: u32 = 24;
const NUMBER: Slot = (1 << COUNT) - 1;
/// A slot without a suit: no suit has this number.
const FREE: Slot = NUMBER;

/// How many readings the suit of a slot has.
const fn count(slot: Slot) -> usize {
    (slot >> COUNT) as usize % (1 << (CODES - COUNT)) + 1
}

/// The readings of all complete suits.
pub(super) struct Readings {
    slots: Box<[Slot]>,
    /// The place of each number's slot.
    places: Places,
    /// The readings of suits that have several.
    several: Box<[Codes]>,
    /// The group of each code, with the lane in the two highest bits.
    groups: [Group; 256],
}

/// The readings of all suits, built at first use.
pub(super) fn readings() -> &'static Readings {
    static READINGS: OnceLock<Readings> = OnceLock::new();
    READINGS.get_or_init(Readings::new)
}

/// Packs groups into codes, in rising order.
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
        let places = Places::of(&numbers);
        let mut slots = vec![FREE; PLACES];
        let mut several = Vec::new();
        for all in found.chunk_by(|(one, _), (other, _)| one == other) {
            let (number, codes) = all[0];
            let first = several.len() as u64;
            let reading = if all.len() == 1 {
                codes
            } else {
                first << CODES
            };
            slots[places.place(number)] =
                reading | (all.len() as u64 - 1) << COUNT | u64::from(number);
            if all.len() > 1 {
                several.extend(all.iter().map(|&(_, codes)| codes));
            }
        }
        Self {
            slots: slots.into(),
            places,
            several: several.into(),
            groups: std::array::from_fn(|code| group(code >> 6, code % 64)),
        }
    }

    /// The slot of the suit with this number. If that suit is not complete, the slot has another number.
    #[inline]
    fn slot(&self, number: u32) -> Slot {
        self.slots[self.places.place(number)]
    }

    /// The readings in a slot. `only` is the reading of a slot that has just one.
    #[inline]
    fn of<'a>(&'a self, slot: Slot, only: &'a Codes) -> &'a [Codes] {
        match count(slot) {
            1 => std::slice::from_ref(only),
            more => {
                let first = (slot >> CODES) as usize;
                &self.several[first..first + more]
            }
        }
    }

    /// Joins the groups of all lanes to an arrangement.
    #[inline]
    fn arrangement(&self, lanes: [Codes; 4]) -> Arrangement {
        let (mut all, mut len) = (0, 0);
        for (lane, codes) in lanes.into_iter().enumerate() {
            // Every code has its family in the two lowest bits, so this is a 1 in each byte in use.
            let each = (codes | codes >> 1) & BYTES;
            all |= (codes + each * ((lane as u64) << 6)) >> (8 * len);
            len += each.wrapping_mul(BYTES) >> 56;
        }
        // Always five groups, so that the processor cannot mispredict the end of the loop.
        let mut groups = [Group::default(); MOST];
        for (i, group) in groups.iter_mut().enumerate().take(GROUPS + 1) {
            *group = self.groups[(all >> (56 - 8 * i) & 255) as usize];
        }
        Arrangement {
            form: 0,
            groups: List::of(groups, len as usize),
        }
    }

    /// Visits every arrangement. The tiles must all be in the classical set, and their number must be that of groups
    /// and a pair.
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
        let numbers = [0, 1, 2].map(|lane| number(concealed, lane) as u32);
        let slots = numbers.map(|number| self.slot(number));
        let of_others = slots.iter().zip(numbers);
        let of_others = of_others.fold(0, |all, (slot, number)| {
            all | (slot ^ u64::from(number)) & NUMBER
        });
        if of_others != 0 {
            return ControlFlow::Continue(());
        }
        let only = slots.map(|slot| slot >> CODES << CODES);
        let [circles, bamboos, characters] =
            [0, 1, 2].map(|lane| self.of(slots[lane], &only[lane]));
        for &circles in circles {
            for &bamboos in bamboos {
                for &characters in characters {
                    visit(&self.arrangement([circles, bamboos, characters, honours]))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The reading of the honours, if they are complete. They never have more than one.
#[inline]
fn of_honours(lane: u64) -> Option<Codes> {
    let lane = honours(lane);
    let (mut codes, mut shift, mut pairs) = (0, 64, 0);
    let mut left = lane;
    while left != 0 {
        let place = lowest_place(left);
        let family = match nibble(lane, place) {
            2 if pairs == 0 => PAIR,
            3 => PUNG,
            _ => return None,
        };
        pairs += u32::from(family == PAIR);
        shift -= 8;
        codes |= (u64::from(place) << 2 | family) << shift;
        left &= !(at(place, 0xf));
    }
    Some(codes)
}

/// The group of a code in a lane. Numbers that are not codes give a default group.
fn group(lane: usize, code: usize) -> Group {
    let place = code as u32 >> 2;
    let kinds = if lane == 3 { HONOURS } else { RANKS };
    if place as usize >= kinds {
        return Group::default();
    }
    let kind = match lane {
        // The lane has a zero before the winds, and two compressed winds after them.
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

/// Notes every choice of groups, alone and with each pair.
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
    // Never goes back to an earlier group, so each choice is found once.
    for (i, &group) in groups.iter().enumerate() {
        chosen.push(group);
        add_groups(&groups[i..], chosen, found);
        chosen.pop();
    }
}

/// Notes a choice of groups under the number of its tiles, unless it needs a fifth copy.
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
        let bytes = size_of_val(&*all.slots) + size_of_val(&*all.several) + all.places.bytes();
        assert!(bytes < 300_000, "{bytes}");
        let used = all.slots.iter().filter(|&&slot| slot != FREE);
        let counts: Vec<usize> = used.map(|&slot| count(slot)).collect();
        assert!(counts.len() > 20_000);
        let several: usize = counts.iter().filter(|&&count| count > 1).sum();
        assert_eq!(several, all.several.len());
        assert!(several > 1000);
    }
}
