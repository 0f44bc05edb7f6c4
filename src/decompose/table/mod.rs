//! What a lane of the classical grammar is and wants, looked up.
//!
//! The classical grammar has suits of nine ranks, seven honours, four of each, pungs and runs of three
//! ranks in a row. A lane of it is a number in base five with a digit a kind, and one entry a number says
//! whether the lane is groups alone or groups and a pair, and which tiles would make it one of the
//! two. Lanes hold threes but for the pair, so which of the two is asked follows from how many
//! tiles a lane holds. Tables are made at first use and shared: two million entries of two bytes for a
//! suit, eighty thousand for the honours.

mod classes;
mod readings;

use super::Arrangement;
use super::costs::FAR;
use super::grammar::SpecialForm;
use crate::counts::{Counts, ONES, gather, lane_sum};
use crate::set::KindSet;
use std::ops::ControlFlow;
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

/// Makes every table now.
pub(super) fn prepare() {
    tables();
    classes::distances();
    readings::readings();
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
        let index: usize = (0..kinds)
            .map(|kind| usize::from(tiles[kind]) * FIVE[kind])
            .sum();
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
    let pairs = (lane & 0x000f_0f0f_0f0f) + 5 * (lane >> 4 & 0x000f_0f0f_0f0f);
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

/// The entries of the four lanes of a hand.
#[inline]
fn entries(concealed: &Counts) -> [u16; 4] {
    let [suits, honours] = tables();
    let numbers = numbers(concealed);
    std::array::from_fn(|lane| match lane {
        3 => honours.0[numbers[3]],
        _ => suits.0[numbers[lane]],
    })
}

/// What is over when the tiles of each lane are counted in threes: sixteen is one more than threes, so
/// the lane leaves what its nibbles' sum leaves.
#[inline]
fn rest(concealed: &Counts) -> [u64; 4] {
    std::array::from_fn(|lane| concealed.lane(lane) % 3)
}

/// True when the tiles are groups and a pair; their number is not looked at.
#[inline]
pub(super) fn is_complete(concealed: &Counts) -> bool {
    let rest = rest(concealed);
    // Two are over in the lane that has the pair.
    let [a, b, c, d] = rest;
    if a | b | c | d != 2 || a + b + c + d != 2 {
        return false;
    }
    entries(concealed).iter().all(|entry| entry & COMPLETE != 0)
}

/// Visits every arrangement in groups and a pair of tiles that are as many as these have.
#[inline]
pub(super) fn arrangements<V: FnMut(&Arrangement) -> ControlFlow<()>>(
    concealed: &Counts,
    visit: &mut V,
) -> ControlFlow<()> {
    readings::readings().arrangements(concealed, visit)
}

/// The tiles that make the tiles groups and a pair, whether a fifth copy of a kind or not.
#[inline]
pub(super) fn waits(concealed: &Counts) -> KindSet {
    let rest = rest(concealed);
    let ones = rest.iter().filter(|&&rest| rest == 1).count();
    let twos = rest.iter().filter(|&&rest| rest == 2).count();
    // The one lane that has a tile over, or the two that have two, one of them the pair's.
    let wanting = match (ones, twos) {
        (1, 0) => 1,
        (0, 2) => 2,
        _ => return KindSet::EMPTY,
    };
    let entries = entries(concealed);
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

/// Nibbles of which a lane holds one or more, and two or more, as their lowest bits.
#[inline]
fn held(lane: u64) -> (u64, u64) {
    (
        (lane | lane >> 1 | lane >> 2) & ONES,
        (lane >> 1 | lane >> 2) & ONES,
    )
}

/// The forms of a grammar of which sums over nibbles tell what a hand lacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TableForms {
    /// Seven pairs, and whether all are different.
    pairs: Option<bool>,
    /// One of each of thirteen kinds and one of them twice: a one in the nibble of each.
    orphans: Option<[u64; 4]>,
}

impl TableForms {
    /// The forms of a grammar; `None` where one is another.
    pub(super) fn new(forms: &[SpecialForm]) -> Option<Self> {
        let mut all = Self::default();
        for form in forms {
            match form {
                SpecialForm::Pairs { distinct } if all.pairs.is_none() => {
                    all.pairs = Some(*distinct);
                }
                SpecialForm::OneEach { tiles, twice: true }
                    if tiles.at_least(2).is_empty() && all.orphans.is_none() =>
                {
                    all.orphans = Some(std::array::from_fn(|lane| tiles.lane(lane)));
                }
                _ => return None,
            }
        }
        Some(all)
    }

    /// True when fourteen tiles are one of the forms.
    #[inline]
    pub(super) fn is_any(&self, concealed: &Counts) -> bool {
        let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
        let is_pairs = self.pairs.is_some_and(|distinct| {
            let no_pairs = if distinct { !(2 * ONES) } else { ONES };
            lanes.iter().fold(0, |all, lane| all | lane & no_pairs) == 0
        });
        is_pairs
            || self.orphans.is_some_and(|orphans| {
                // Of thirteen kinds at most three each, and at least one: one of them twice.
                let fits = |(lane, orphans): (&u64, &u64)| {
                    (lane | lane >> 1) & ONES == *orphans && lane & !(3 * orphans) == 0
                };
                lanes.iter().zip(&orphans).all(fits)
            })
    }

    /// The tiles that make thirteen tiles one of the forms.
    #[inline]
    pub(super) fn waits(&self, concealed: &Counts) -> KindSet {
        let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
        let mut waits = KindSet::EMPTY;
        if let Some(distinct) = self.pairs {
            // Thirteen tiles with one odd kind; where the pairs must differ it stands alone and none is
            // four. The odd kinds are an odd number: their sums are no power of two but where it is one.
            let odd: u64 = lanes.iter().map(|lane| lane & ONES).sum();
            let alike = |all, lane: &u64| all | lane & lane >> 1 & ONES | lane >> 2 & ONES;
            if odd.is_power_of_two() && !(distinct && lanes.iter().fold(0, alike) != 0) {
                let bits = (0..4).map(|lane| gather(lanes[lane]) << (16 * lane));
                waits = KindSet::from_bits(bits.sum());
            }
        }
        if let Some(orphans) = &self.orphans {
            // Twelve kinds or thirteen, none thrice.
            let fits = |(lane, orphans): (&u64, &u64)| lane & !(3 * orphans) == 0;
            if lanes.iter().zip(orphans).all(fits) && self.missing(concealed)[1] == 1 {
                waits = waits.union(self.accepts(concealed, [FAR, 1], 1));
            }
        }
        waits
    }

    /// Tiles missing from pairs and from orphans.
    #[inline]
    fn missing(&self, concealed: &Counts) -> [u8; 2] {
        let lanes: [(u64, u64); 4] = std::array::from_fn(|lane| held(concealed.lane(lane)));
        let mut missing = [FAR; 2];
        // Four lanes have at most eight in a nibble together.
        let [half, whole] = match self.pairs {
            None => [0, 0],
            Some(true) => {
                let ones = lane_sum(lanes.iter().map(|(one, _)| one).sum());
                let twos = lane_sum(lanes.iter().map(|(_, two)| two).sum());
                [ones - twos, twos]
            }
            Some(false) => {
                let lanes = [0, 1, 2, 3].map(|lane| concealed.lane(lane));
                let odd = lanes.iter().map(|lane| lane & ONES).sum();
                let pairs = lanes
                    .iter()
                    .map(|lane| (lane >> 1 & ONES) + 2 * (lane >> 2 & ONES));
                [lane_sum(odd), lane_sum(pairs.sum())]
            }
        };
        if self.pairs.is_some() {
            let whole = whole.min(7);
            let half = half.min(7 - whole);
            missing[0] = (half + 2 * (7 - whole - half)) as u8;
        }
        if let Some(orphans) = &self.orphans {
            let (mut ones, mut twos) = (0, 0);
            for (lane, wanted) in orphans.iter().enumerate() {
                ones += lanes[lane].0 & wanted;
                twos |= lanes[lane].1 & wanted;
            }
            missing[1] = 14 - lane_sum(ones) as u8 - u8::from(twos != 0);
        }
        missing
    }

    /// Kinds of which one more brings a form nearer that lacks so many tiles.
    fn accepts(&self, concealed: &Counts, of_forms: [u8; 2], missing: u8) -> KindSet {
        let [one, two, four] = [1, 2, 4].map(|count| concealed.at_least(count));
        let mut accepts = KindSet::EMPTY;
        if of_forms[0] == missing {
            // The second tile of a pair; the first of another where there are too few.
            let three = concealed.at_least(3);
            let (halves, pairs, others) = match self.pairs {
                Some(false) => {
                    let halves = one.difference(two).union(three.difference(four));
                    let pairs = two.len() + four.len();
                    (halves, pairs, CLASSICAL.difference(halves))
                }
                _ => (one.difference(two), two.len(), CLASSICAL.difference(one)),
            };
            accepts = accepts.union(halves);
            if halves.len() + pairs < 7 {
                accepts = accepts.union(others);
            }
        }
        if let (true, Some(orphans)) = (of_forms[1] == missing, &self.orphans) {
            let bits = (0..4).map(|lane| gather(orphans[lane]) << (16 * lane));
            let wanted = KindSet::from_bits(bits.sum());
            accepts = accepts.union(wanted.difference(one));
            if wanted.intersection(two).is_empty() {
                accepts = accepts.union(wanted);
            }
        }
        accepts.difference(four)
    }
}

/// The kinds of the classical set.
const CLASSICAL: KindSet = KindSet::from_bits(0x1ff | 0x1ff << 16 | 0x1ff << 32 | 0x39e << 48);

/// True when all tiles are of the classical set.
#[inline]
pub(super) fn has_all(concealed: &Counts) -> bool {
    // Nine nibbles of a suit; four winds and three dragons.
    const NUMBERS: u64 = (1 << 36) - 1;
    const HONOURS: u64 = 0xffff << 4 | 0xfff << 28;
    let suits = concealed.lane(0) | concealed.lane(1) | concealed.lane(2);
    suits & !NUMBERS == 0 && concealed.lane(3) & !HONOURS == 0
}

/// The numbers of a hand's lanes.
#[inline]
fn numbers(concealed: &Counts) -> [usize; 4] {
    std::array::from_fn(|lane| match lane {
        3 => index(honours(concealed.lane(3))),
        _ => index(concealed.lane(lane)),
    })
}

/// Tiles missing from so many groups and a pair, or from a form where any may be.
#[inline]
pub(super) fn missing(concealed: &Counts, groups: usize, forms: TableForms) -> u8 {
    let tables = classes::distances();
    let standard = tables.missing(&tables.hand(numbers(concealed)), groups);
    let [pairs, orphans] = forms.missing(concealed);
    standard.min(pairs).min(orphans)
}

/// The same, and the kinds of which one more lowers it; kinds of which four are held are left out.
pub(super) fn accepts(concealed: &Counts, groups: usize, forms: TableForms) -> (u8, KindSet) {
    let tables = classes::distances();
    let hand = tables.hand(numbers(concealed));
    let standard = tables.missing(&hand, groups);
    let of_forms = forms.missing(concealed);
    let missing = standard.min(of_forms[0]).min(of_forms[1]);
    let mut accepts = KindSet::EMPTY;
    if missing == 0 {
        return (missing, accepts);
    }
    if standard == missing {
        // A kind of which four are held has its nibble's third bit.
        let left = |lane: u64, all: u16| !(gather(lane >> 2) as u16) & all;
        let tried = [
            left(concealed.lane(0), 0x1ff),
            left(concealed.lane(1), 0x1ff),
            left(concealed.lane(2), 0x1ff),
            left(honours(concealed.lane(3)), 0x7f),
        ];
        let lowering = tables.lowering(&hand, groups, missing, tried);
        for (lane, bits) in lowering.into_iter().enumerate() {
            accepts = accepts.union(kinds(lane, bits));
        }
    }
    if of_forms.contains(&missing) {
        accepts = accepts.union(forms.accepts(concealed, of_forms, missing));
    }
    (missing, accepts)
}

#[cfg(test)]
mod tests {
    use super::TableForms;
    use crate::counts::Counts;
    use crate::decompose::lanes::Lanes;
    use crate::decompose::{Holding, Scratch};
    use crate::random::Stream;
    use crate::ruleset::{Ruleset, by_id};
    use crate::tile::{Kind, Rank, Suit};

    /// Hands that wait for a fifth copy lack at most two tiles of a hand without it: all lanes of one suit,
    /// the other groups and the pair of honours.
    #[test]
    fn who_waits_for_a_fifth_copy_is_near() {
        fn all(
            groups: &[[usize; 3]],
            lane: &mut [u8; 9],
            left: usize,
            see: &mut impl FnMut(&[u8; 9], usize),
        ) {
            see(lane, left);
            for (i, group) in groups.iter().enumerate().filter(|_| left > 0) {
                group.iter().for_each(|&rank| lane[rank] += 1);
                all(&groups[i..], lane, left - 1, see);
                group.iter().for_each(|&rank| lane[rank] -= 1);
            }
        }
        let groups: Vec<[usize; 3]> = (0..9)
            .map(|rank| [rank; 3])
            .chain((0..7).map(|rank| [rank, rank + 1, rank + 2]))
            .collect();
        let kind = |rank| Kind::number(Suit::Sock, Rank::new(rank as u8 + 1).unwrap());
        let mut fifths = 0;
        all(&groups, &mut [0; 9], 4, &mut |lane, left| {
            for pair in 0..10 {
                let mut lane = *lane;
                if pair < 9 {
                    lane[pair] += 2;
                }
                let most: Vec<usize> = (0..9).filter(|&rank| lane[rank] > 4).collect();
                if most.len() != 1 || lane[most[0]] != 5 {
                    continue;
                }
                let mut tiles = Counts::EMPTY;
                lane[most[0]] = 4;
                for (rank, &count) in lane.iter().enumerate() {
                    (0..count).for_each(|_| assert!(tiles.try_add(kind(rank))));
                }
                let honours = [Kind::RED, Kind::GREEN, Kind::WHITE, Kind::NORTH];
                for &honour in &honours[..left] {
                    (0..3).for_each(|_| assert!(tiles.try_add(honour)));
                }
                if pair == 9 {
                    (0..2).for_each(|_| assert!(tiles.try_add(Kind::EAST)));
                }
                assert_eq!(tiles.total(), 13);
                assert!(
                    super::missing(&tiles, 4, TableForms::default()) <= 2,
                    "{tiles:?}"
                );
                fifths += 1;
            }
        });
        assert!(fifths > 500, "{fifths}");
    }

    /// What is looked up is what the search finds: any hands, hands of one suit, of few kinds, of orphans,
    /// with fewer groups left.
    #[test]
    fn tables_tell_what_the_search_finds() {
        let mut stream = Stream::new(21, 21);
        let mut scratch = Scratch::new();
        for id in ["riichi-mcgill", "woo", "traditional", "celestial"] {
            let rules = by_id(id, &[]).unwrap();
            let decomposer = &rules.plan().decomposer;
            let grammar = decomposer.grammar();
            let all: Vec<Kind> = grammar.copies().kinds().iter().collect();
            let classes = &rules.plan().classes;
            let honours = classes.iter().find(|(name, _)| name == "honour").unwrap().1;
            let mut seen = [0; 16];
            for round in 0..4000 {
                let mut pick = |n: usize| stream.below(n as u32) as usize;
                let from: Vec<Kind> = match round % 5 {
                    0 => all.clone(),
                    1 => all
                        .iter()
                        .copied()
                        .filter(|kind| kind.lane() == 1)
                        .collect(),
                    2 => (0..8).map(|_| all[pick(all.len())]).collect(),
                    3 => {
                        let is_orphan = |kind: &Kind| {
                            honours.contains(*kind)
                                || kind.rank().is_some_and(|rank| matches!(rank.get(), 1 | 9))
                        };
                        all.iter().copied().filter(is_orphan).collect()
                    }
                    _ => all
                        .iter()
                        .copied()
                        .filter(|kind| kind.lane() >= 2)
                        .collect(),
                };
                let size = match pick(4) {
                    0 => 13 - 3 * pick(4),
                    1 => 14 - 3 * pick(4),
                    n => 11 + n,
                };
                let mut tiles = Counts::EMPTY;
                while tiles.total() < size.min(4 * from.len()) {
                    tiles.try_add(from[pick(from.len())]);
                }
                let holding = Holding::of_tiles(tiles);
                assert!(decomposer.looked_up(&holding).is_some(), "{id} {tiles:?}");
                let lanes = Lanes::new(grammar, None, &holding, &mut scratch);
                let distance = lanes.distance();
                let accepts = lanes.accepts(distance, &mut scratch);
                let found = decomposer.accepts(&holding, &mut scratch);
                assert_eq!(found, (distance, accepts), "{id} {tiles:?}");
                assert_eq!(decomposer.distance(&holding, &mut scratch), distance);
                seen[(distance + 1) as usize] += 1;
            }
            assert!(
                seen[0] > 0 && seen[1..5].iter().all(|&n| n > 50),
                "{seen:?}"
            );
        }
    }
}
