//! Patterns that combine melds, and patterns that supersede others.
//!
//! A pattern with `combines` counts once for each combination of melds. Combinations are chosen one after another:
//! each after the first has at most one meld that is already combined, and at least one that is not. Of all such
//! sequences the one worth most counts. Source: Mahjong Competition Rules (World Mahjong Organization), the principles
//! of counting.

use super::condition::MOST_COMBINED;
use super::facts::FamilySet;
use super::pattern::{Lines, MAX_PATTERNS, Pattern, PatternValue};
use super::reading::Reading;
use crate::list::List;
use crate::meld::Group;
use smallvec::SmallVec;

/// The most groups of a hand that may be combined.
const GROUPS: usize = 7;

/// Words with a bit for each pattern, and one for a [marker](Pattern::marking).
pub(super) const PATTERN_WORDS: usize = (MAX_PATTERNS + 1).div_ceil(64);

/// Words of the filter before the table of combinations.
const FILTER: usize = 64;

/// A set of patterns, by their places in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PatternSet([u64; PATTERN_WORDS]);

impl PatternSet {
    pub(super) const EMPTY: Self = Self([0; PATTERN_WORDS]);

    fn insert(&mut self, pattern: u16) {
        self.0[usize::from(pattern) / 64] |= 1 << (pattern % 64);
    }

    fn contains(&self, pattern: u16) -> bool {
        self.0[usize::from(pattern) / 64] >> (pattern % 64) & 1 == 1
    }

    /// A word of the set, with 64 patterns.
    #[inline]
    pub(super) fn word(&self, word: usize) -> u64 {
        self.0[word]
    }
}

impl FromIterator<u16> for PatternSet {
    fn from_iter<T: IntoIterator<Item = u16>>(patterns: T) -> Self {
        let mut set = Self::EMPTY;
        patterns.into_iter().for_each(|pattern| set.insert(pattern));
        set
    }
}

/// Which melds patterns combine, and which patterns they supersede.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    /// A hash table of the combinations: the key of the melds and the pattern. Its length is a power of two.
    table: Vec<Option<(u128, u16)>>,
    /// A bit for the hash of each combination. It saves most lookups.
    filter: Box<[u64; FILTER]>,
    /// Families that are combined.
    families: FamilySet,
    /// Patterns that combine melds.
    combining: PatternSet,
    /// What each pattern is worth when combinations are chosen, in an open and in a closed hand.
    worth: Vec<[i64; 2]>,
    /// Patterns that supersede others, each after those that may supersede it.
    takers: Vec<u16>,
    /// For each pattern its index in `takers`, or `u16::MAX`.
    taker: Vec<u16>,
    /// Words of [`PatternSet`] in use.
    width: usize,
    /// `width` words for each taker: the patterns that it supersedes.
    taken: Vec<u64>,
}

/// The combinations in a reading: bits for the melds, and the pattern.
pub(super) struct Made {
    melds: usize,
    patterns: SmallVec<[(u8, u16); 16]>,
}

/// The melds, sorted by their bits, as a number.
fn key(sorted: impl Iterator<Item = Group>) -> u128 {
    sorted.fold(0, |key, group| key << 32 | u128::from(group.bits()))
}

/// The index at which the search for a key begins.
fn slot(key: u128, length: usize) -> usize {
    let folded = (key ^ key >> 64) as u64;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (length - 1)
}

/// The hash of a meld. That of several melds is the sum.
fn hash(group: Group) -> u64 {
    (u64::from(group.bits()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7
}

/// The word of the filter and the bit for a hash.
fn filter_bit(hash: u64) -> (usize, u64) {
    let mixed = hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48;
    (mixed as usize / 64 % FILTER, 1 << (mixed % 64))
}

/// What a pattern is worth in a closed or an open hand when combinations are chosen. A pattern of no value is still
/// better than no combination.
fn worth(value: PatternValue, is_closed: bool) -> i64 {
    // More than any others together.
    const LIMIT: i64 = 1_000_000_000_000;
    let worth = match value {
        PatternValue::Sums(amounts) => {
            let column = amounts.first().map_or(0, |(_, amount)| amount.tenths());
            LIMIT * i64::from(amounts.limits) + column
        }
        PatternValue::Mark => 0,
        PatternValue::BonusHan(number) | PatternValue::HanAlone(number) => 10 * i64::from(number),
        PatternValue::Han { .. } => 10 * i64::from(value.han(is_closed)),
        PatternValue::Limits(limits) => LIMIT * i64::from(limits),
    };
    64 * worth + 1
}

/// Patterns that supersede others, each after those that may supersede it. In a cycle of patterns that supersede each
/// other the first in the list comes first.
fn takers(patterns: &[Pattern]) -> Vec<u16> {
    let mut waits_for = vec![0_usize; patterns.len()];
    for &place in patterns.iter().flat_map(|pattern| &pattern.supersedes) {
        waits_for[place] += 1;
    }
    let mut left: Vec<usize> = (0..patterns.len()).collect();
    let mut takers = Vec::new();
    while !left.is_empty() {
        let free = left.iter().position(|&place| waits_for[place] == 0);
        let place = left.remove(free.unwrap_or(0));
        for &other in &patterns[place].supersedes {
            waits_for[other] = waits_for[other].saturating_sub(1);
        }
        if !patterns[place].supersedes.is_empty() {
            takers.push(place as u16);
        }
    }
    takers
}

impl Relations {
    pub(super) fn new(patterns: &[Pattern]) -> Self {
        let all = patterns.iter().map(|pattern| pattern.combines.len());
        let length = match all.sum::<usize>() {
            0 => 0,
            number => (2 * number).next_power_of_two(),
        };
        let combining = |(_, pattern): &(u16, &Pattern)| !pattern.combines.is_empty();
        let worths =
            |pattern: &Pattern| [false, true].map(|is_closed| worth(pattern.value, is_closed));
        let takers = takers(patterns);
        let width = patterns.len().div_ceil(64);
        let mut taker = vec![u16::MAX; patterns.len()];
        let mut taken = vec![0; width * takers.len()];
        for (place, &pattern) in takers.iter().enumerate() {
            taker[usize::from(pattern)] = place as u16;
            for &other in &patterns[usize::from(pattern)].supersedes {
                taken[width * place + other / 64] |= 1 << (other % 64);
            }
        }
        let mut relations = Self {
            table: vec![None; length],
            filter: Box::new([0; FILTER]),
            families: FamilySet::default(),
            combining: (0..)
                .zip(patterns)
                .filter(combining)
                .map(|(place, _)| place)
                .collect(),
            worth: patterns.iter().map(worths).collect(),
            takers,
            taker,
            width,
            taken,
        };
        for (place, pattern) in (0..).zip(patterns) {
            for combination in &pattern.combines {
                relations.add(combination, place);
            }
        }
        relations
    }

    /// Adds a combination of a pattern to the table.
    fn add(&mut self, combination: &[Group], pattern: u16) {
        let mut sorted = combination.to_vec();
        sorted.sort_unstable_by_key(|group| group.bits());
        let hashes = sorted.iter().map(|&group| hash(group));
        let (word, bit) = filter_bit(hashes.fold(0, u64::wrapping_add));
        self.filter[word] |= bit;
        for group in &sorted {
            self.families.insert(group.family());
        }
        let key = key(sorted.into_iter());
        let length = self.table.len();
        let mut at = slot(key, length);
        while self.table[at].is_some() {
            at = (at + 1) & (length - 1);
        }
        self.table[at] = Some((key, pattern));
    }

    /// True if some pattern combines melds.
    pub(super) fn combines_melds(&self) -> bool {
        !self.table.is_empty()
    }

    /// The patterns that combine no melds, or whose melds the reading has.
    pub(super) fn possible(&self, made: &Made) -> PatternSet {
        let made: PatternSet = made.patterns.iter().map(|&(_, pattern)| pattern).collect();
        let mut possible = self.combining;
        for (word, made) in possible.0.iter_mut().zip(made.0) {
            *word = !*word | made;
        }
        possible
    }

    /// The patterns that combine these melds.
    fn of_melds(&self, key: u128) -> impl Iterator<Item = u16> + '_ {
        let length = self.table.len();
        let first = slot(key, length);
        let places = (0..length).map(move |i| &self.table[(first + i) & (length - 1)]);
        let entries = places.map_while(|entry| *entry);
        entries.filter_map(move |(found, pattern)| (found == key).then_some(pattern))
    }

    /// Removes superseded patterns. A superseded pattern supersedes nothing. Returns all patterns that the remaining
    /// ones supersede.
    fn settle(&self, held: &mut PatternSet, takers: &PatternSet) -> PatternSet {
        let mut all = PatternSet::EMPTY;
        for (of, &takers) in takers.0.iter().enumerate().take(self.width) {
            let mut left = takers;
            while left != 0 {
                let place = 64 * of + left.trailing_zeros() as usize;
                left &= left - 1;
                if held.contains(self.takers[place]) {
                    let taken = &self.taken[self.width * place..][..self.width];
                    for ((held, all), taken) in held.0.iter_mut().zip(&mut all.0).zip(taken) {
                        *held &= !taken;
                        *all |= taken;
                    }
                }
            }
        }
        all
    }

    /// The patterns with lines for which `may` is true, and the indices in `takers` of those that supersede others.
    fn held(&self, lines: &Lines, may: impl Fn(u16) -> bool) -> [PatternSet; 2] {
        let [mut held, mut takers] = [PatternSet::EMPTY; 2];
        for pattern in lines.iter().map(|line| line.pattern) {
            if may(pattern) {
                held.insert(pattern);
                let taker = self.taker[usize::from(pattern)];
                if taker != u16::MAX {
                    takers.insert(taker);
                }
            }
        }
        [held, takers]
    }

    /// Removes the lines of superseded patterns. A superseded pattern supersedes nothing.
    pub(super) fn supersede(&self, lines: &mut Lines) {
        let [mut held, takers] = self.held(lines, |_| true);
        self.settle(&mut held, &takers);
        lines.retain(|line| held.contains(line.pattern));
    }

    /// The combinations in a reading, without a check of the other conditions of their patterns.
    pub(super) fn made(&self, reading: &Reading<'_>) -> Made {
        let mut groups: List<Group, 8> = List::new();
        for group in reading.groups {
            if self.families.contains(group.group.family()) && groups.len() < GROUPS {
                groups.push(group.group);
            }
        }
        groups.sort_unstable_by_key(|group| group.bits());
        let mut all = Made {
            melds: groups.len(),
            patterns: SmallVec::new(),
        };
        let mut hashes = [0_u64; 1 << GROUPS];
        for melds in 1..1_u8 << groups.len() {
            let first = melds.trailing_zeros() as usize;
            let others = hashes[usize::from(melds & (melds - 1))];
            let sum = hash(groups[first]).wrapping_add(others);
            hashes[usize::from(melds)] = sum;
            let (word, bit) = filter_bit(sum);
            if self.filter[word] & bit != 0
                && (2..=MOST_COMBINED as u32).contains(&melds.count_ones())
            {
                let chosen = (0..groups.len()).filter(|i| melds >> i & 1 == 1);
                let found = self.of_melds(key(chosen.map(|i| groups[i])));
                all.patterns.extend(found.map(|pattern| (melds, pattern)));
            }
        }
        all
    }

    /// Counts the combinations of melds. Superseded patterns combine nothing. Of several combinations of the same
    /// melds only the one worth most may count.
    #[inline(never)]
    pub(super) fn combine(&self, all: &Made, is_closed: bool, lines: &mut Lines) {
        if all.patterns.is_empty() {
            return;
        }
        let combines = |pattern: u16| self.combining.contains(pattern);
        let [mut others, takers] = self.held(lines, |pattern| !combines(pattern));
        let taken = self.settle(&mut others, &takers);
        let [counting, _] = self.held(lines, |pattern| !taken.contains(pattern));
        // The best pattern of each set of melds that is combined.
        let mut made: SmallVec<[(u8, i64, u16); 16]> = SmallVec::new();
        for same in all.patterns.chunk_by(|one, other| one.0 == other.0) {
            let worths = same
                .iter()
                .filter(|(_, pattern)| counting.contains(*pattern))
                .map(|&(melds, pattern)| {
                    let worth = self.worth[usize::from(pattern)][usize::from(is_closed)];
                    (melds, worth, pattern)
                });
            // If two are worth the same, the first counts.
            made.extend(worths.reduce(|best, one| if one.1 > best.1 { one } else { best }));
        }
        made.sort_unstable_by_key(|&(melds, _, pattern)| (pattern, melds));
        let mut times: SmallVec<[u16; 16]> = smallvec::smallvec![0; made.len()];
        for choice in best(&made, all.melds) {
            times[choice] += 1;
        }
        lines.retain(|line| {
            if !combines(line.pattern) {
                return true;
            }
            let own = made
                .iter()
                .zip(&times)
                .filter(|((.., pattern), _)| *pattern == line.pattern);
            line.times = own.map(|(_, times)| times).sum();
            line.times > 0
        });
    }
}

/// True if a combination may follow others: it has a new meld, and at most one that is already combined.
const fn may_follow(melds: u8, used: u8) -> bool {
    melds & !used != 0 && (melds & used).count_ones() <= 1
}

/// Chooses the sequence of combinations that is worth most.
fn best(made: &[(u8, i64, u16)], melds: usize) -> SmallVec<[usize; GROUPS]> {
    // By the melds that are already combined: the greatest worth of the following combinations, and the next one.
    let mut after: SmallVec<[(i64, Option<u8>); 16]> = smallvec::smallvec![(0, None); 1 << melds];
    for used in (0..1_usize << melds).rev() {
        for (i, &(one, worth, _)) in (0..).zip(made) {
            if may_follow(one, used as u8) {
                let sum = worth + after[used | usize::from(one)].0;
                if sum > after[used].0 {
                    after[used] = (sum, Some(i));
                }
            }
        }
    }
    let mut chosen = SmallVec::new();
    let mut used = 0;
    while let Some(next) = after[used].1 {
        chosen.push(usize::from(next));
        used |= usize::from(made[usize::from(next)].0);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;
    use crate::score::pattern::Line;

    /// The choice is worth as much as the best of all orders.
    #[test]
    fn combinations_are_worth_most() {
        fn slowly(made: &[(u8, i64, u16)], used: u8) -> i64 {
            let further = made.iter().filter(|(melds, ..)| may_follow(*melds, used));
            let sums = further.map(|&(melds, worth, _)| worth + slowly(made, used | melds));
            sums.max().unwrap_or(0).max(0)
        }
        let mut stream = Stream::new(2, 5);
        let mut several = 0;
        for _ in 0..3000 {
            let melds = 2 + stream.below(4) as usize;
            let made: Vec<(u8, i64, u16)> = (0..stream.below(8))
                .map(|pattern| {
                    let of = 1 + stream.below((1 << melds) - 1) as u8;
                    (of, 1 + i64::from(stream.below(9)), pattern as u16)
                })
                .collect();
            let chosen = best(&made, melds);
            let mut used = 0;
            let mut sum = 0;
            for &i in &chosen {
                let (melds, worth, _) = made[i];
                assert!(may_follow(melds, used), "{made:?}: {chosen:?}");
                used |= melds;
                sum += worth;
            }
            assert_eq!(sum, slowly(&made, 0), "{made:?}");
            several += usize::from(chosen.len() > 2);
        }
        assert!(several > 100);
    }

    /// A superseded pattern supersedes nothing; of two that supersede each other the first counts.
    #[test]
    fn what_is_superseded_supersedes_nothing() {
        let pattern = |supersedes: &[usize]| Pattern {
            supersedes: supersedes.to_vec(),
            ..Pattern::marking(crate::score::Condition::always())
        };
        // The chain 3, 1, 0; the cycle 4 and 5.
        let all = [&[][..], &[0], &[], &[1], &[5], &[4]].map(pattern);
        let relations = Relations::new(&all);
        let left = |held: &[u16]| {
            let lines = held.iter().map(|&pattern| Line { pattern, times: 1 });
            let mut lines: Lines = lines.collect();
            relations.supersede(&mut lines);
            lines.iter().map(|line| line.pattern).collect::<Vec<_>>()
        };
        assert_eq!(left(&[0, 1, 2]), [1, 2]);
        assert_eq!(left(&[0, 1, 2, 3]), [0, 2, 3]);
        assert_eq!(left(&[4, 5]), [4]);
        assert_eq!(left(&[5]), [5]);
    }
}
