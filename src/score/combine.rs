//! Patterns that combine melds, and patterns that supersede others.
//!
//! A pattern with `combines` counts once for each way to combine melds into it. Melds are accounted for once: after
//! the first combination, each has one meld at most that is combined already; its others are new. Of all ways to go
//! on like that, the one worth most counts. Source: Mahjong Competition Rules (World Mahjong Organization), the
//! principles of counting.

use super::condition::MOST_COMBINED;
use super::facts::FamilySet;
use super::family::ScoreFamily;
use super::pattern::{Line, Lines, Pattern, PatternValue};
use super::reading::Reading;
use crate::list::List;
use crate::meld::Group;
use smallvec::SmallVec;

/// The most groups of a hand that may be combined.
const GROUPS: usize = 7;

/// What patterns do to one another: which melds they combine, and which patterns they supersede.
#[derive(Clone, Debug, Default)]
pub(super) struct Between {
    /// A hash table of the combinations: the key of the melds and the pattern. Its length is a power of two.
    table: Vec<Option<(u128, u16)>>,
    /// Families that are combined.
    families: FamilySet,
    /// Which patterns combine melds, and what they are worth to the choice in an open and a closed hand.
    worth: Vec<Option<[i64; 2]>>,
    /// For each pattern its place in the order in which patterns supersede others.
    order: Vec<u16>,
}

/// The melds of a reading that make patterns: bits for the melds, and the pattern.
pub(super) struct Made {
    melds: usize,
    patterns: SmallVec<[(u8, u16); 16]>,
}

impl Made {
    pub(super) fn has(&self, pattern: u16) -> bool {
        self.patterns.iter().any(|(_, made)| *made == pattern)
    }
}

/// The melds as a number, whatever their order is when they are sorted by their bits.
fn key(sorted: impl Iterator<Item = Group>) -> u128 {
    sorted.fold(0, |key, group| key << 32 | u128::from(group.bits()))
}

/// Where the search for a key begins.
fn slot(key: u128, length: usize) -> usize {
    let folded = (key ^ key >> 64) as u64;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (length - 1)
}

/// What a pattern is worth in a closed or an open hand when the most valuable combinations are chosen. What is worth
/// nothing is still better than no combination.
fn worth(value: PatternValue, family: &ScoreFamily, is_closed: bool) -> i64 {
    let worth = match value {
        PatternValue::Points(points) | PatternValue::Bonus(points) => 10 * points,
        PatternValue::Fan(fan) | PatternValue::BonusFan(fan) => fan.tenths(),
        PatternValue::LeastFan => match family {
            ScoreFamily::Fan(rules) => rules.least().tenths(),
            _ => 0,
        },
        PatternValue::BonusHan(number)
        | PatternValue::HanAlone(number)
        | PatternValue::Doubles(number)
        | PatternValue::FinalDoubles(number) => 10 * i64::from(number),
        PatternValue::Han { .. } => 10 * i64::from(value.han(is_closed)),
        // More than any others together.
        PatternValue::LimitPoints(points) => 1_000_000_000_000 + points,
        PatternValue::Limits(limits) => 1_000_000_000_000 * i64::from(limits),
        PatternValue::Limit => 1_000_000_000_000,
    };
    64 * worth + 1
}

/// The order in which patterns supersede others: none before those that may supersede it. Of patterns that
/// supersede each other in a circle the first comes first.
fn order(patterns: &[Pattern]) -> Vec<u16> {
    let mut waits_for = vec![0_usize; patterns.len()];
    for &place in patterns.iter().flat_map(|pattern| &pattern.supersedes) {
        waits_for[place] += 1;
    }
    let mut order = vec![u16::MAX; patterns.len()];
    for next in 0..patterns.len() {
        let mut left = (0..patterns.len()).filter(|&place| order[place] == u16::MAX);
        let first = left.clone().next();
        let Some(place) = left.find(|&place| waits_for[place] == 0).or(first) else {
            break;
        };
        order[place] = next as u16;
        for &other in &patterns[place].supersedes {
            waits_for[other] = waits_for[other].saturating_sub(1);
        }
    }
    order
}

impl Between {
    pub(super) fn new(patterns: &[Pattern], family: &ScoreFamily) -> Self {
        let combines = |pattern: &Pattern| !pattern.combines.is_empty();
        let all = patterns.iter().map(|pattern| pattern.combines.len());
        let length = (2 * all.sum::<usize>()).next_power_of_two();
        let mut between = Self {
            table: vec![
                None;
                if patterns.iter().any(combines) {
                    length
                } else {
                    0
                }
            ],
            families: FamilySet::default(),
            worth: patterns
                .iter()
                .map(|pattern| {
                    let worths = [false, true].map(|closed| worth(pattern.value, family, closed));
                    combines(pattern).then_some(worths)
                })
                .collect(),
            order: order(patterns),
        };
        for (place, pattern) in (0..).zip(patterns) {
            for combination in &pattern.combines {
                let mut sorted = combination.clone();
                sorted.sort_unstable_by_key(|group| group.bits());
                for group in &sorted {
                    between.families.insert(group.family());
                }
                let key = key(sorted.into_iter());
                let mut at = slot(key, length);
                while between.table[at].is_some() {
                    at = (at + 1) & (length - 1);
                }
                between.table[at] = Some((key, place));
            }
        }
        between
    }

    pub(super) fn combines(&self, pattern: u16) -> bool {
        self.worth[usize::from(pattern)].is_some()
    }

    /// The patterns that these melds make.
    fn of_melds(&self, key: u128) -> impl Iterator<Item = u16> + '_ {
        let length = self.table.len();
        let first = slot(key, length);
        let places = (0..length).map(move |i| &self.table[(first + i) & (length - 1)]);
        let entries = places.map_while(|entry| *entry);
        entries.filter_map(move |(found, pattern)| (found == key).then_some(pattern))
    }

    /// Takes away the lines of superseded patterns. A pattern that is superseded itself supersedes nothing.
    pub(super) fn supersede(&self, patterns: &[Pattern], lines: &mut Lines) {
        let supersedes = |line: &Line| &patterns[usize::from(line.pattern)].supersedes;
        let mut takers: SmallVec<[u16; 16]> = lines
            .iter()
            .filter(|line| !supersedes(line).is_empty())
            .map(|line| line.pattern)
            .collect();
        takers.sort_unstable_by_key(|&pattern| self.order[usize::from(pattern)]);
        for taker in takers {
            if lines.iter().any(|line| line.pattern == taker) {
                let taken = &patterns[usize::from(taker)].supersedes;
                lines.retain(|line| !taken.contains(&usize::from(line.pattern)));
            }
        }
    }

    /// The melds of a reading that make patterns, whatever else these ask for.
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
        for melds in 1..1_u8 << groups.len() {
            if (2..=MOST_COMBINED as u32).contains(&melds.count_ones()) {
                let chosen = (0..groups.len()).filter(|i| melds >> i & 1 == 1);
                let found = self.of_melds(key(chosen.map(|i| groups[i])));
                all.patterns.extend(found.map(|pattern| (melds, pattern)));
            }
        }
        all
    }

    /// Counts the combinations of melds. Patterns that others supersede combine nothing; so do combinations that
    /// are worth less than others with the same melds.
    // Never inlined: few rulesets combine melds.
    #[inline(never)]
    pub(super) fn combine(
        &self,
        patterns: &[Pattern],
        all: &Made,
        is_closed: bool,
        lines: &mut Lines,
    ) {
        let mut others = lines.clone();
        others.retain(|line| !self.combines(line.pattern));
        self.supersede(patterns, &mut others);
        let is_taken = |pattern: u16| {
            let takes = |line: &Line| {
                let supersedes = &patterns[usize::from(line.pattern)].supersedes;
                supersedes.contains(&usize::from(pattern))
            };
            others.iter().any(takes)
        };
        let counts =
            |pattern: u16| lines.iter().any(|line| line.pattern == pattern) && !is_taken(pattern);
        let worth_of = |pattern: u16| {
            let worths = self.worth[usize::from(pattern)].unwrap_or_default();
            worths[usize::from(is_closed)]
        };
        // The best pattern of each set of melds that makes one.
        let mut made: SmallVec<[(u8, i64, u16); 16]> = SmallVec::new();
        for same in all.patterns.chunk_by(|one, other| one.0 == other.0) {
            let worths = same
                .iter()
                .filter(|(_, pattern)| counts(*pattern))
                .map(|&(melds, pattern)| (melds, worth_of(pattern), pattern));
            // Of equal worth the first counts.
            made.extend(worths.reduce(|best, one| if one.1 > best.1 { one } else { best }));
        }
        made.sort_by_key(|&(.., pattern)| pattern);
        let mut times: SmallVec<[u16; 16]> = smallvec::smallvec![0; made.len()];
        for choice in best(&made, all.melds) {
            times[choice] += 1;
        }
        lines.retain(|line| {
            if !self.combines(line.pattern) {
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

/// True if a combination may follow others: it has a new meld, and one that is combined already at most.
const fn may_follow(melds: u8, used: u8) -> bool {
    melds & !used != 0 && (melds & used).count_ones() <= 1
}

/// Chooses combinations one after another that are worth most together.
fn best(made: &[(u8, i64, u16)], melds: usize) -> SmallVec<[usize; GROUPS]> {
    // By the melds that are combined already: the most that can still be had, and the combination to go on with.
    let mut after: [(i64, Option<u8>); 1 << GROUPS] = [(0, None); 1 << GROUPS];
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
    use crate::decimal::Decimal;
    use crate::random::Stream;
    use crate::score::{FanCurve, FanRules};

    /// The search by melds finds as much as trying every order.
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

    /// What is superseded supersedes nothing; of two that supersede each other the first counts.
    #[test]
    fn what_is_superseded_supersedes_nothing() {
        let pattern = |supersedes: &[usize]| Pattern {
            supersedes: supersedes.to_vec(),
            ..Pattern::marking(crate::score::Condition::always())
        };
        // The chain 3, 1, 0; the circle 4 and 5.
        let all = [&[][..], &[0], &[], &[1], &[5], &[4]].map(pattern);
        let family = ScoreFamily::Fan(FanRules {
            minimum: Decimal::default(),
            curve: FanCurve::Plain,
        });
        let between = Between::new(&all, &family);
        let left = |held: &[u16]| {
            let lines = held.iter().map(|&pattern| Line { pattern, times: 1 });
            let mut lines: Lines = lines.collect();
            between.supersede(&all, &mut lines);
            lines.iter().map(|line| line.pattern).collect::<Vec<_>>()
        };
        assert_eq!(left(&[0, 1, 2]), [1, 2]);
        assert_eq!(left(&[0, 1, 2, 3]), [0, 2, 3]);
        assert_eq!(left(&[4, 5]), [4]);
        assert_eq!(left(&[5]), [5]);
    }
}
