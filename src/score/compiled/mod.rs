//! [`Compiled`]: finds quickly which patterns count for a reading.
//!
//! Patterns and fu rows ask the same questions about the same groups again and again. A *question* is "is
//! this fact at least n?". When a ruleset loads, each question gets a bit in one of a few words. Each
//! condition becomes a chain of [checks](Check). A check compares several bits of a word at once.
//!
//! A [`ReadingBits`] has the bits of a reading. It is filled in three steps:
//!
//! 1. [`Compiled::fill_hand`]: the win and the tiles, once a hand.
//! 2. [`Compiled::fill_groups`]: the groups, once an arrangement. Each group adds a [row](rows) of small
//!    counts.
//! 3. [`Compiled::fill_reading`]: the group that the winning tile completed, once a reading.
//!
//! Each pattern *waits* at the rarest bit that it needs. The pattern is evaluated only if that bit is set. Facts
//! without a bit are read from the reading, after all checks of bits.

mod compile;
mod rows;

use super::ScoreFamily;
use super::combine::{PATTERN_WORDS, PatternSet, Relations};
use super::condition::{Condition, Count};
use super::facts::Fact;
use super::han_fu::{Fu, HanFuRules};
use super::pattern::{Line, Lines, Pattern, PatternValue};
use super::reading::Reading;
use crate::decompose::Grammar;
use crate::meld::Group;
use crate::set::KindSet;
use crate::state::{FlagSet, Way};
use crate::tile::Suit;
use rows::{GroupRows, Sums};

/// Words of bits: two for the win and the tiles, one for the reading, the rest for groups.
const WORDS: usize = 3 + rows::MOST;
const BITS: usize = 64 * WORDS;
/// The index of the word about the reading.
const READING: usize = 2;
/// The index of the first word about groups.
const GROUPS: usize = 3;

/// Word 0 starts with the flags. From this bit on come the ways to win, then single facts.
const WAYS: u32 = FlagSet::MAX as u32;
const SELF_DRAW: u32 = WAYS + Way::WORDS.len() as u32;
const CLOSED: u32 = SELF_DRAW + 1;
const WINNER: u32 = CLOSED + 1;
/// There is a face-up indicator. The next three bits: there are indicators under face-up ones, red fives, declared
/// melds.
const BONUS: u32 = WINNER + 1;
const URA: u32 = BONUS + 1;
const REDS: u32 = URA + 1;
const MELDS: u32 = REDS + 1;
/// The hand has at least one suit. The next two bits: at least two, at least three.
const SUITS: u32 = MELDS + 1;
/// The hand has exactly one suit.
const ONE_SUIT: u32 = SUITS + 3;

/// The index of the word about classes of tiles.
const TILES: usize = 1;

/// The first bit of the word about the reading. Here are the form and the family of the group that the
/// winning tile completed. Then come the place of the tile in that group and the classes of the tile.
const FORMS: u32 = 64 * READING as u32;
const FAMILIES: u32 = FORMS + 8;
const PLACES: u32 = FAMILIES + 8;
/// Two groups might be identical. From `ALIKE` on: groups might differ only in suit, in two suits, in three.
/// An unset bit rules such groups out, but a set bit does not prove that there are any.
const TWINS: u32 = PLACES + 3;
const ALIKE: u32 = TWINS + 1;
/// From here on: classes of the winning tile.
const LAST: u32 = ALIKE + 2;

/// A position in the chains: an index into the checks of bits, an index into those of facts, or an end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct At(u16);

impl At {
    /// The condition holds.
    const YES: Self = Self(u16::MAX);
    /// The condition does not hold.
    const NO: Self = Self(u16::MAX - 1);
    /// Undecided: the condition itself must be evaluated.
    const ASK: Self = Self(u16::MAX - 2);
    /// From this number on a position is an index into the checks of facts.
    const FACTS: u16 = 1 << 15;

    const fn is_end(self) -> bool {
        self.0 >= Self::ASK.0
    }
}

/// Compares some bits of a word with the bits wanted. Has the next position for either result.
#[derive(Clone, Copy, Debug)]
struct Check {
    mask: u64,
    want: u64,
    word: u8,
    yes: At,
    no: At,
}

impl Check {
    /// A check that always holds and continues at this position.
    const fn on(at: At) -> Self {
        Self {
            mask: 0,
            want: 0,
            word: 0,
            yes: at,
            no: At::NO,
        }
    }

    #[inline]
    fn holds(&self, bits: &ReadingBits) -> bool {
        bits.words[usize::from(self.word) % WORDS] & self.mask == self.want
    }
}

/// A fact that must be at least `from` and less than `below`, with the next position for either result.
#[derive(Clone, Copy, Debug)]
struct FactCheck {
    fact: Fact,
    from: i32,
    below: i32,
    yes: At,
    no: At,
}

/// Questions about the tiles of a hand and about the winning tile. Each has a class and the bit within its
/// word.
#[derive(Clone, Debug, Default)]
struct AskedOfTiles {
    /// Some tile is in the class.
    has: Vec<(KindSet, u32)>,
    /// All tiles are in the class.
    all: Vec<(KindSet, u32)>,
    /// The winning tile is in the class.
    last: Vec<(KindSet, u32)>,
}

/// A pattern or fu row with its first check.
#[derive(Clone, Copy, Debug)]
struct CompiledPattern {
    /// It has a `per`, so it may count several times or not at all.
    counts: bool,
    /// It supersedes other patterns.
    supersedes: bool,
    /// Most candidates fail here.
    first: Check,
}

impl CompiledPattern {
    /// A placeholder that never counts, to fill up the last 64 patterns.
    const NOTHING: Self = Self {
        counts: false,
        supersedes: false,
        first: Check::on(At::NO),
    };
}

/// A fu row.
#[derive(Clone, Copy, Debug)]
struct CompiledFu {
    pattern: CompiledPattern,
    /// The index in [`HanFuRules::fu`].
    place: usize,
    fu: i64,
    exact: bool,
}

/// Patterns and fu rows, compiled.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    tiles: AskedOfTiles,
    rows: GroupRows,
    checks: Vec<Check>,
    facts: Vec<FactCheck>,
    /// The patterns, 64 at a time.
    patterns: Vec<[CompiledPattern; 64]>,
    /// How many words are in use.
    words: usize,
    /// The patterns that wait at no bit, 64 at a time.
    unbound: Vec<u64>,
    /// The patterns that wait at each bit, 64 at a time.
    waiting: Vec<[u64; BITS]>,
    /// Bits at which some pattern waits.
    awaited: [u64; WORDS],
    /// Fu rows, without those that [`GroupRows`] adds up and those that always count.
    fu: Vec<CompiledFu>,
    /// Combinations of melds, and which patterns supersede others.
    relations: Relations,
    /// The fu of the rows that always count.
    least_fu: i64,
    /// The values of the patterns. Sums read nothing else of a pattern, so the values are stored together.
    values: Vec<PatternValue>,
}

/// The bits of a hand, of one of its arrangements, and of one reading.
#[derive(Clone, Debug)]
pub(super) struct ReadingBits {
    words: [u64; WORDS],
    /// Patterns that wait at no bit, or at a set bit of the win and the tiles.
    of_hand: [u64; PATTERN_WORDS],
    /// Counts of the groups. A group that a claimed winning tile completed still counts as concealed.
    of_groups: Sums,
    /// Bits of the word about the reading: those of the winning tile, and those of the arrangement.
    last: u64,
    of_arrangement: u64,
    /// The fu that [`GroupRows`] adds up for the reading.
    fu: i64,
    /// Some group has no row, so every condition must be evaluated.
    has_unknown_group: bool,
}

impl ReadingBits {
    pub(super) const fn new() -> Self {
        Self {
            words: [0; WORDS],
            of_hand: [0; PATTERN_WORDS],
            of_groups: Sums::new(),
            last: 0,
            of_arrangement: 0,
            fu: 0,
            has_unknown_group: false,
        }
    }
}

impl Compiled {
    /// The values of the patterns.
    pub(super) fn values(&self) -> &[PatternValue] {
        &self.values
    }

    /// Takes all three steps for a single reading.
    pub(super) fn bits(&self, reading: &Reading<'_>) -> ReadingBits {
        let mut bits = ReadingBits::new();
        self.fill_hand(reading, &mut bits);
        self.fill_groups(reading, &mut bits);
        self.fill_reading(reading, &mut bits);
        bits
    }

    /// Step 1: the win and the tiles. Readings of a hand with the same number of zeros used as numbers share it.
    pub(super) fn fill_hand(&self, reading: &Reading<'_>, bits: &mut ReadingBits) {
        let hand = reading.hand;
        let kinds = reading.tiles.kinds();
        let mut plain = 0;
        if let Some(win) = reading.win {
            plain |= u64::from(win.flags.bits()) | 1 << (WAYS + win.way as u32) | 1 << WINNER;
            plain |= u64::from(win.is_self_draw()) << SELF_DRAW;
        }
        plain |= u64::from(hand.is_closed()) << CLOSED;
        plain |= u64::from(!reading.bonus.is_empty()) << BONUS;
        plain |= u64::from(!reading.ura.is_empty()) << URA;
        plain |= u64::from(reading.reds() > 0) << REDS;
        plain |= u64::from(!hand.melds.is_empty()) << MELDS;
        let suits = Suit::ALL.map(|suit| u32::from(reading.tiles.lane(suit.lane()) != 0));
        let suits: u32 = suits.iter().sum();
        plain |= ((1 << suits) - 1) << SUITS | u64::from(suits == 1) << ONE_SUIT;
        let mut tiles = 0;
        let mut tell = |bit: u32, is: bool| tiles |= u64::from(is) << bit;
        for &(class, bit) in &self.tiles.has {
            tell(bit, !kinds.intersection(class).is_empty());
        }
        for &(class, bit) in &self.tiles.all {
            tell(bit, kinds.is_subset(class));
        }
        let words = [plain, tiles];
        bits.last = 0;
        if let Some(last) = reading.win.and_then(|win| win.tile.kind()) {
            for &(class, bit) in &self.tiles.last {
                bits.last |= u64::from(class.contains(last)) << bit;
            }
        }
        bits.words[..READING].copy_from_slice(&words);
        let of_hand = bits.of_hand.iter_mut();
        for (candidates, (unbound, waiting)) in of_hand.zip(self.unbound.iter().zip(&self.waiting))
        {
            *candidates = *unbound;
            for (word, bits) in words.into_iter().enumerate() {
                *candidates |= self.called(waiting, word, bits);
            }
        }
    }

    /// Step 2: the groups, whichever of them the winning tile completed.
    pub(super) fn fill_groups(&self, reading: &Reading<'_>, bits: &mut ReadingBits) {
        self.rows.begin(&mut bits.of_groups);
        // Each suit has a word in `seen`, with bits for the lowest rank of a group. These are the first bits
        // of pairs, of pungs and larger groups, and of runs.
        const KINDS_OF_GROUPS: [u32; 8] = [0, 16, 16, 32, 32, 32, 16, 16];
        let (mut seen, mut twins, mut is_known) = ([0_u64; 4], 0, true);
        for group in reading.groups {
            let (place, knows) = self.place(group.group, reading);
            self.rows
                .add(&mut bits.of_groups, place + usize::from(group.open));
            is_known &= knows;
            let [first, _, last] = group.group.kinds();
            let seen = &mut seen[last.lane() % 4];
            let bit = 1 << (first.place() + KINDS_OF_GROUPS[group.group.family() as usize]);
            twins |= *seen & bit;
            *seen |= bit;
        }
        let [t, s, m, _] = seen;
        bits.of_arrangement = u64::from(twins != 0) << (TWINS % 64)
            | u64::from((t & s | t & m | s & m) != 0) << (ALIKE % 64)
            | u64::from(t & s & m != 0) << (ALIKE % 64 + 1);
        bits.has_unknown_group = !is_known;
    }

    /// Step 3: the form, and the group that the winning tile completed.
    pub(super) fn fill_reading(&self, reading: &Reading<'_>, bits: &mut ReadingBits) {
        let mut word = bits.last | bits.of_arrangement;
        if reading.form < 8 {
            word |= 1 << (FORMS % 64 + u32::from(reading.form));
        }
        if let Some(group) = reading.winning_group() {
            word |= 1 << (FAMILIES % 64 + group.group.family() as u32);
        }
        if let Some(place) = reading.winning_place() {
            word |= 1 << (PLACES % 64 + place as u32);
        }
        bits.words[READING] = word;
        let groups = &mut bits.words[GROUPS..];
        let claimed = reading.claimed_group().map(|claimed| claimed.group);
        let claimed = claimed.filter(|group| self.rows.ask_open.contains(group.family()));
        match claimed {
            Some(group) => {
                let (place, _) = self.place(group, reading);
                let mut sums = bits.of_groups;
                self.rows.subtract(&mut sums, place);
                self.rows.add(&mut sums, place + 1);
                self.rows.answer(&sums, groups);
                bits.fu = sums.fu;
            }
            None => {
                self.rows.answer(&bits.of_groups, groups);
                bits.fu = bits.of_groups.fu;
            }
        }
    }

    #[inline]
    fn place(&self, group: Group, reading: &Reading<'_>) -> (usize, bool) {
        self.rows.of(group, reading.seat_wind, reading.round_wind)
    }

    /// The patterns that wait at these bits of a word.
    #[inline]
    fn called(&self, waiting: &[u64; BITS], word: usize, bits: u64) -> u64 {
        let mut patterns = 0;
        let mut left = bits & self.awaited[word % WORDS];
        while left != 0 {
            patterns |= waiting[(64 * word + left.trailing_zeros() as usize) % BITS];
            left &= left - 1;
        }
        patterns
    }

    /// Writes the lines of a reading, given its bits. Superseded patterns have none.
    pub(super) fn count(
        &self,
        patterns: &[Pattern],
        reading: &Reading<'_>,
        bits: &ReadingBits,
        lines: &mut Lines,
    ) {
        lines.clear();
        // Compiled patterns do not check for melds that combine, so patterns without such melds are left out.
        let combines = self.relations.combines_melds();
        let made = combines.then(|| self.relations.made(reading));
        let possible = made.as_ref().map(|made| self.relations.possible(made));
        let supersedes = if bits.has_unknown_group {
            lines.extend(ask_all(patterns, reading));
            true
        } else {
            self.count_known(patterns, reading, bits, possible.as_ref(), lines)
        };
        debug_assert!(ask_all(patterns, reading).eq(lines.iter().copied()));
        if let Some(made) = &made {
            let is_closed = reading.hand.is_closed();
            self.relations.combine(made, is_closed, lines);
        }
        if supersedes {
            self.relations.supersede(lines);
        }
    }

    /// Writes the lines of a reading whose groups all have rows, superseded patterns included. Only the possible
    /// patterns are evaluated. Returns true if a pattern with a line supersedes others.
    #[inline]
    fn count_known(
        &self,
        patterns: &[Pattern],
        reading: &Reading<'_>,
        bits: &ReadingBits,
        possible: Option<&PatternSet>,
        lines: &mut Lines,
    ) -> bool {
        let mut supersedes = false;
        let all = self.patterns.iter().zip(&self.waiting);
        for (of, ((compiled, waiting), &of_hand)) in all.zip(&bits.of_hand).enumerate() {
            let mut called = of_hand;
            for (word, &found) in bits.words[..self.words].iter().enumerate().skip(READING) {
                called |= self.called(waiting, word, found);
            }
            if let Some(possible) = possible {
                called &= possible.word(of);
            }
            // All first checks come before any chain. They need no branch that the processor mispredicts.
            let mut left = 0;
            while called != 0 {
                let within = called.trailing_zeros() as usize % 64;
                called &= called - 1;
                left |= u64::from(compiled[within].first.holds(bits)) << within;
            }
            while left != 0 {
                let within = left.trailing_zeros() as usize % 64;
                left &= left - 1;
                let compiled = &compiled[within];
                let pattern = || patterns.get(64 * of + within);
                let times = match self.ends(compiled.first.yes, reading, bits) {
                    At::NO => continue,
                    At::YES if !compiled.counts => 1,
                    At::YES => pattern().map_or(0, |one| one.times_where_it_holds(reading)),
                    _ => pattern().map_or(0, |one| one.times(reading)),
                };
                if times > 0 {
                    supersedes |= compiled.supersedes;
                    lines.push(Line {
                        pattern: (64 * of + within) as u16,
                        times: times as u16,
                    });
                }
            }
        }
        supersedes
    }

    /// The fu of a reading before rounding, given its bits.
    pub(super) fn fu(&self, rules: &HanFuRules, reading: &Reading<'_>, bits: &ReadingBits) -> Fu {
        if bits.has_unknown_group {
            return rules.fu_of(reading);
        }
        let mut sum = bits.fu + self.least_fu;
        for row in &self.fu {
            if !row.pattern.first.holds(bits) {
                continue;
            }
            let times = match self.ends(row.pattern.first.yes, reading, bits) {
                At::NO => continue,
                At::YES if !row.pattern.counts => 1,
                At::YES => rules.fu[row.place].times_where_it_holds(reading),
                _ => rules.fu[row.place].times(reading),
            };
            if row.exact && times > 0 {
                return Fu::Exact(row.fu);
            }
            sum += row.fu * i64::from(times);
        }
        let fu = Fu::Sum(sum);
        debug_assert_eq!(fu, rules.fu_of(reading));
        fu
    }

    /// Follows a chain to its end: [`At::YES`], [`At::NO`] or [`At::ASK`].
    #[inline]
    fn ends(&self, first: At, reading: &Reading<'_>, bits: &ReadingBits) -> At {
        let mut at = first;
        while !at.is_end() {
            let (is_so, yes, no) = if at.0 < At::FACTS {
                let check = &self.checks[usize::from(at.0)];
                (check.holds(bits), check.yes, check.no)
            } else {
                let check = &self.facts[usize::from(at.0 - At::FACTS)];
                let value = check.fact.read(reading);
                (
                    check.from <= value && value < check.below,
                    check.yes,
                    check.no,
                )
            };
            at = if is_so { yes } else { no };
        }
        at
    }
}

/// The lines of all patterns that count, with each condition evaluated directly. Slow.
fn ask_all(patterns: &[Pattern], reading: &Reading<'_>) -> impl Iterator<Item = Line> {
    (0..).zip(patterns).filter_map(|(pattern, one)| {
        let times = one.times(reading) as u16;
        (times > 0).then_some(Line { pattern, times })
    })
}

#[cfg(test)]
mod tests;
