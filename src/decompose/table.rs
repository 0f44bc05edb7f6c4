//! What a lane of the classical grammar is and wants, looked up.
//!
//! The classical grammar has suits of nine ranks, seven honours, four of each, pungs and runs of three
//! ranks in a row. A lane of it is a number in base five with a digit a kind, and one entry a number says
//! whether the lane is groups alone or groups and a pair, and which tiles would make it one of the
//! two. Lanes hold threes but for the pair, so which of the two is asked follows from how many
//! tiles a lane holds. Tables are made at first use and shared: two million entries of two bytes for a
//! suit, eighty thousand for the honours.

use crate::counts::{Counts, lane_sum};
use crate::set::KindSet;
use std::sync::OnceLock;

/// Kinds of a suit, and of honours.
const RANKS: usize = 9;
const HONOURS: usize = 7;
/// The most groups of a hand.
const GROUPS: usize = 4;

const fn powers() -> [usize; RANKS + 1] {
    let mut powers = [1; RANKS + 1];
    let mut i = 1;
    while i <= RANKS {
        powers[i] = 5 * powers[i - 1];
        i += 1;
    }
    powers
}

/// Powers of five.
const FIVE: [usize; RANKS + 1] = powers();

/// The lane is groups alone, or groups and a pair, as the number of its tiles says.
const COMPLETE: u16 = 1 << 15;

/// For every lane: bits 0 to 8, which tiles complete it; [`COMPLETE`]. Of lanes that hold two tiles
/// more than threes these tiles make groups alone, though the lane itself may be groups and a pair.
struct Lanes(Box<[u16]>);

fn tables() -> &'static [Lanes; 2] {
    static TABLES: OnceLock<[Lanes; 2]> = OnceLock::new();
    TABLES.get_or_init(|| [Lanes::new(RANKS, true), Lanes::new(HONOURS, false)])
}

impl Lanes {
    /// Lays every lane that is complete, and every lane that lacks one tile of that.
    fn new(kinds: usize, has_runs: bool) -> Self {
        let mut lanes = Self(vec![0; FIVE[kinds]].into_boxed_slice());
        let mut groups: Vec<Vec<usize>> = (0..kinds).map(|kind| vec![kind; 3]).collect();
        if has_runs {
            groups.extend((0..kinds - 2).map(|kind| vec![kind, kind + 1, kind + 2]));
        }
        lanes.add_groups(&groups, &mut [0; RANKS], kinds, GROUPS);
        lanes
    }

    fn add_groups(
        &mut self,
        groups: &[Vec<usize>],
        tiles: &mut [u8; RANKS],
        kinds: usize,
        left: usize,
    ) {
        self.note(tiles, kinds);
        for pair in 0..kinds {
            tiles[pair] += 2;
            self.note(tiles, kinds);
            tiles[pair] -= 2;
        }
        if left == 0 {
            return;
        }
        // A group after itself or a later one: each choice once.
        for (i, group) in groups.iter().enumerate() {
            group.iter().for_each(|&kind| tiles[kind] += 1);
            self.add_groups(&groups[i..], tiles, kinds, left - 1);
            group.iter().for_each(|&kind| tiles[kind] -= 1);
        }
    }

    /// Notes a complete lane, of which some kind may stand five times: what lacks that tile waits for a
    /// fifth.
    fn note(&mut self, tiles: &[u8; RANKS], kinds: usize) {
        let over = tiles.iter().filter(|&&count| count > 4).count();
        let most = tiles.iter().copied().max().unwrap_or(0);
        if over > 1 || most > 5 {
            return;
        }
        let index: usize = (0..kinds).map(|kind| usize::from(tiles[kind]) * FIVE[kind]).sum();
        if over == 0 {
            self.0[index] |= COMPLETE;
        }
        for kind in 0..kinds {
            let is_left = tiles[kind] > 0 && (over == 0 || tiles[kind] == 5);
            // What makes a lane of threes and a pair complete is asked of lanes with one over.
            if is_left {
                self.0[index - FIVE[kind]] |= 1 << kind;
            }
        }
    }
}

/// The number of a lane of nine nibbles.
#[inline]
fn index(lane: u64) -> usize {
    let pairs = (lane & 0x0f0f_0f0f_0f) + 5 * (lane >> 4 & 0x0f0f_0f0f_0f);
    let fours = (pairs & 0x00ff_00ff_00ff) + 25 * (pairs >> 8 & 0x00ff_00ff_00ff);
    let eights = (fours & 0xffff) + 625 * (fours >> 16 & 0xffff);
    (eights + 390_625 * (fours >> 32 & 0xffff)) as usize
}

/// The seven honours as nibbles in a row.
#[inline]
fn honours(lane: u64) -> u64 {
    lane >> 4 & 0xffff | lane >> 12 & 0xfff_0000
}

/// Nine bits of a suit, or seven of the honours, as kinds of a lane.
#[inline]
fn kinds(lane: usize, bits: u16) -> KindSet {
    let bits = u64::from(bits & 0x1ff);
    let placed = match lane {
        3 => (bits & 0xf) << 1 | (bits & 0x70) << 3,
        _ => bits,
    };
    KindSet::from_bits(placed << (16 * lane))
}

/// The entries of the four lanes of a hand, and how many tiles each holds beyond threes.
#[inline]
fn entries(concealed: &Counts) -> ([u16; 4], [u32; 4]) {
    let [suits, honour_lanes] = tables();
    let entry = |lane: usize| match lane {
        3 => honour_lanes.0[index(honours(concealed.lane(3)))],
        _ => suits.0[index(concealed.lane(lane))],
    };
    let rest = |lane| lane_sum(concealed.lane(lane)) % 3;
    (std::array::from_fn(entry), std::array::from_fn(rest))
}

/// True when the tiles are groups and a pair; their number is not looked at.
#[inline]
pub(super) fn is_complete(concealed: &Counts) -> bool {
    let rest: [u32; 4] = std::array::from_fn(|lane| lane_sum(concealed.lane(lane)) % 3);
    // One lane has the pair.
    if rest.iter().sum::<u32>() != 2 || rest.contains(&1) {
        return false;
    }
    let (entries, _) = entries(concealed);
    entries.iter().all(|entry| entry & COMPLETE != 0)
}

/// The tiles that make the tiles groups and a pair, whether a fifth copy of a kind or not.
#[inline]
pub(super) fn waits(concealed: &Counts) -> KindSet {
    let rest: [u32; 4] = std::array::from_fn(|lane| lane_sum(concealed.lane(lane)) % 3);
    let ones = rest.iter().filter(|&&rest| rest == 1).count();
    let twos = rest.iter().filter(|&&rest| rest == 2).count();
    // The one lane that has a tile over, or the two that have two, one of them the pair's.
    let wanting = match (ones, twos) {
        (1, 0) => 1,
        (0, 2) => 2,
        _ => return KindSet::EMPTY,
    };
    let (entries, _) = entries(concealed);
    let is_complete = |lane: usize| entries[lane] & COMPLETE != 0;
    let mut waits = KindSet::EMPTY;
    for lane in (0..4).filter(|&lane| rest[lane] == wanting) {
        let others_are_complete = (0..4).all(|other| other == lane || is_complete(other));
        if others_are_complete {
            waits = waits.union(kinds(lane, entries[lane]));
        }
    }
    waits
}
