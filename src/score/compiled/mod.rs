//! [`Compiled`]: which patterns count for a reading, told by a few words of bits.
//!
//! Patterns and fu rows ask the same things of the same groups again and again. When a ruleset is read,
//! what they ask becomes bits (a fact is at least so much) and every condition a short chain of
//! [checks](Check) of several bits at once. Bits about the win and the tiles are found once for all readings of
//! a hand, those about groups as the [sum of a row for each](rows), once for an arrangement. Each pattern waits
//! at the rarest bit that it cannot do without, so that most are never looked at. What has no bit is
//! read off the reading, after everything else.

mod compile;
mod rows;

use super::condition::{Condition, Count};
use super::facts::Fact;
use super::han_fu::{Fu, HanFuRules};
use super::pattern::{Line, Lines, Pattern, PatternValue};
use super::reading::Reading;
use super::{MAX_PATTERNS, ScoreFamily};
use crate::decompose::Grammar;
use crate::meld::Group;
use crate::set::KindSet;
use crate::state::FlagSet;
use crate::tile::Suit;
use rows::{Rows, Sums};

/// Words of bits: two about the win and the tiles, one about the reading, the rest about groups.
const WORDS: usize = 3 + rows::MOST;
const BITS: usize = 64 * WORDS;
/// The word about the reading.
const READING: usize = 2;
/// The first word about groups.
const GROUPS: usize = 3;

/// Bits of the first word: the flags, the way of winning, plain things. Those of the second are about
/// classes of tiles.
const WAYS: u32 = FlagSet::MAX as u32;
const SELF_DRAW: u32 = WAYS + 4;
const CLOSED: u32 = SELF_DRAW + 1;
const WINNER: u32 = CLOSED + 1;
/// There are indicators that lie face up, under them, red fives, melds.
const BONUS: u32 = WINNER + 1;
const URA: u32 = BONUS + 1;
const REDS: u32 = URA + 1;
const MELDS: u32 = REDS + 1;
/// At least one suit, two, three.
const SUITS: u32 = MELDS + 1;
/// One suit and no more.
const ONE_SUIT: u32 = SUITS + 3;

/// The word about classes of tiles.
const TILES: usize = 1;

/// Bits of the word about the reading: the form, the family of the group that the last tile completed, where it
/// stands in it, what that tile is.
const FORMS: u32 = 64 * READING as u32;
const FAMILIES: u32 = FORMS + 8;
const PLACES: u32 = FAMILIES + 8;
/// Two groups may be the same, or the same but for the suit in two suits, or in three; without these
/// bits none are.
const TWINS: u32 = PLACES + 3;
const ALIKE: u32 = TWINS + 1;
/// Here begin classes of the last tile.
const LAST: u32 = ALIKE + 2;

/// Words of candidates; there is a bit for each pattern, and for one that marks readings.
const CANDIDATES: usize = (MAX_PATTERNS + 1).div_ceil(64);

/// Where the checks of a pattern begin, go on or end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct At(u16);

impl At {
    /// The condition holds.
    const YES: Self = Self(u16::MAX);
    /// It does not.
    const NO: Self = Self(u16::MAX - 1);
    /// The condition itself has to be asked.
    const ASK: Self = Self(u16::MAX - 2);
    /// Here begin the facts that have no bit.
    const FACTS: u16 = 1 << 15;

    const fn is_end(self) -> bool {
        self.0 >= Self::ASK.0
    }
}

/// Some bits of a word that must be so, and what comes next.
#[derive(Clone, Copy, Debug)]
struct Check {
    mask: u64,
    want: u64,
    word: u8,
    yes: At,
    no: At,
}

impl Check {
    /// What goes on there in any case.
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
    fn holds(&self, glance: &Glance) -> bool {
        glance.words[usize::from(self.word) % WORDS] & self.mask == self.want
    }
}

/// A fact that must lie between two numbers, the second one left out, and what comes next.
#[derive(Clone, Copy, Debug)]
struct FactCheck {
    fact: Fact,
    from: i32,
    below: i32,
    yes: At,
    no: At,
}

/// What is asked of the tiles of a hand and of the last of them: a class, and the bit of their word that
/// tells.
#[derive(Clone, Debug, Default)]
struct AskedOfTiles {
    /// Some tile is one of these.
    has: Vec<(KindSet, u32)>,
    /// All tiles are.
    all: Vec<(KindSet, u32)>,
    /// The last tile is.
    last: Vec<(KindSet, u32)>,
}

/// A pattern or a fu row.
#[derive(Clone, Copy, Debug)]
struct Sifted {
    /// It may count more than once, or not at all.
    counts: bool,
    /// Others do not count beside it.
    supersedes: bool,
    /// Most fail here, and do not count.
    first: Check,
}

impl Sifted {
    /// What never counts.
    const NOTHING: Self = Self {
        counts: false,
        supersedes: false,
        first: Check::on(At::NO),
    };
}

/// A row of fu.
#[derive(Clone, Copy, Debug)]
struct SiftedFu {
    sifted: Sifted,
    /// Its place in the ruleset.
    place: usize,
    fu: i64,
    exact: bool,
}

/// Patterns and fu rows, compiled.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    tiles: AskedOfTiles,
    rows: Rows,
    checks: Vec<Check>,
    facts: Vec<FactCheck>,
    /// The patterns by 64, and what never counts after the last.
    patterns: Vec<[Sifted; 64]>,
    /// Words of bits that are in use.
    words: usize,
    /// Of each 64 patterns those that wait at no bit.
    unbound: Vec<u64>,
    /// Of each 64 patterns those that wait at each bit of all words.
    waiting: Vec<[u64; BITS]>,
    /// Bits at which some pattern waits.
    awaited: [u64; WORDS],
    /// Rows of fu, those of groups left out and those that always count.
    fu: Vec<SiftedFu>,
    /// The fu of those.
    least_fu: i64,
    /// What the patterns are worth, side by side.
    values: Vec<PatternValue>,
}

/// What is seen of a hand, of one of its arrangements, and of a reading of it.
#[derive(Clone, Debug)]
pub(super) struct Glance {
    words: [u64; WORDS],
    /// Patterns that may count as far as the win and the tiles tell.
    of_hand: [u64; CANDIDATES],
    /// Counts of the groups, none of which a claimed tile completed.
    of_groups: Sums,
    /// Bits of the word about the reading that are about the last tile, and about the arrangement.
    last: u64,
    of_arrangement: u64,
    /// Fu of the groups of the reading.
    fu: i64,
    /// A group has no row: everything is asked of the reading.
    is_strange: bool,
}

impl Glance {
    pub(super) const fn new() -> Self {
        Self {
            words: [0; WORDS],
            of_hand: [0; CANDIDATES],
            of_groups: Sums::new(),
            last: 0,
            of_arrangement: 0,
            fu: 0,
            is_strange: false,
        }
    }
}

impl Compiled {
    /// What the patterns are worth.
    pub(super) fn values(&self) -> &[PatternValue] {
        &self.values
    }

    /// Looks at a reading.
    pub(super) fn look(&self, reading: &Reading<'_>) -> Glance {
        let mut glance = Glance::new();
        self.look_at_hand(reading, &mut glance);
        self.look_at_groups(reading, &mut glance);
        self.look_at_reading(reading, &mut glance);
        glance
    }

    /// Looks at all that is the same for every reading of a hand: the win and the tiles.
    pub(super) fn look_at_hand(&self, reading: &Reading<'_>, glance: &mut Glance) {
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
        glance.last = 0;
        if let Some(last) = reading.win.and_then(|win| win.tile.kind()) {
            for &(class, bit) in &self.tiles.last {
                glance.last |= u64::from(class.contains(last)) << bit;
            }
        }
        glance.words[..READING].copy_from_slice(&words);
        let of_hand = glance.of_hand.iter_mut();
        for (candidates, (unbound, waiting)) in of_hand.zip(self.unbound.iter().zip(&self.waiting))
        {
            *candidates = *unbound;
            for (word, bits) in words.into_iter().enumerate() {
                *candidates |= self.called(waiting, word, bits);
            }
        }
    }

    /// Looks at the groups, none of them being that which the last tile completed.
    pub(super) fn look_at_groups(&self, reading: &Reading<'_>, glance: &mut Glance) {
        self.rows.begin(&mut glance.of_groups);
        // Groups of each suit: a bit for pairs, for pungs and kongs, for runs, of each lowest rank.
        const KINDS_OF_GROUPS: [u32; 6] = [0, 16, 16, 32, 32, 32];
        let (mut seen, mut twins, mut is_known) = ([0_u64; 4], 0, true);
        for group in reading.groups {
            let (place, knows) = self.place(group.group, reading);
            self.rows
                .add(&mut glance.of_groups, place + usize::from(group.open));
            is_known &= knows;
            let [first, _, last] = group.group.kinds();
            let seen = &mut seen[last.lane() % 4];
            let bit = 1 << (first.place() + KINDS_OF_GROUPS[group.group.family() as usize]);
            twins |= *seen & bit;
            *seen |= bit;
        }
        let [t, s, m, _] = seen;
        glance.of_arrangement = u64::from(twins != 0) << (TWINS % 64)
            | u64::from((t & s | t & m | s & m) != 0) << (ALIKE % 64)
            | u64::from(t & s & m != 0) << (ALIKE % 64 + 1);
        glance.is_strange = !is_known;
    }

    /// Looks at the form and the group that the last tile completed.
    pub(super) fn look_at_reading(&self, reading: &Reading<'_>, glance: &mut Glance) {
        let mut word = glance.last | glance.of_arrangement;
        if reading.form < 8 {
            word |= 1 << (FORMS % 64 + u32::from(reading.form));
        }
        if let Some(group) = reading.winning_group() {
            word |= 1 << (FAMILIES % 64 + group.group.family() as u32);
        }
        if let Some(place) = reading.winning_place() {
            word |= 1 << (PLACES % 64 + place as u32);
        }
        glance.words[READING] = word;
        let groups = &mut glance.words[GROUPS..];
        let claimed = reading.claimed_group().map(|claimed| claimed.group);
        let claimed = claimed.filter(|group| self.rows.ask_open.contains(group.family()));
        match claimed {
            Some(group) => {
                let (place, _) = self.place(group, reading);
                let mut sums = glance.of_groups;
                self.rows.subtract(&mut sums, place);
                self.rows.add(&mut sums, place + 1);
                self.rows.answer(&sums, groups);
                glance.fu = sums.fu;
            }
            None => {
                self.rows.answer(&glance.of_groups, groups);
                glance.fu = glance.of_groups.fu;
            }
        }
    }

    #[inline]
    fn place(&self, group: Group, reading: &Reading<'_>) -> (usize, bool) {
        self.rows.of(group, reading.seat_wind, reading.round_wind)
    }

    /// The patterns that wait at the bits of a word.
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

    /// The patterns that count for a reading that was looked at, those left out beside which they do not.
    pub(super) fn count(
        &self,
        patterns: &[Pattern],
        reading: &Reading<'_>,
        glance: &Glance,
        lines: &mut Lines,
    ) {
        lines.clear();
        let supersedes = if glance.is_strange {
            lines.extend(ask_all(patterns, reading));
            true
        } else {
            self.count_known(patterns, reading, glance, lines)
        };
        debug_assert!(ask_all(patterns, reading).eq(lines.iter().copied()));
        if !supersedes {
            return;
        }
        let supersedes = |line: &Line| &patterns[usize::from(line.pattern)].supersedes;
        let all = lines.clone();
        lines.retain(|line| {
            let place = usize::from(line.pattern);
            !all.iter().any(|other| supersedes(other).contains(&place))
        });
    }

    /// The patterns that count where all groups are known; says whether one of them supersedes others.
    #[inline]
    fn count_known(
        &self,
        patterns: &[Pattern],
        reading: &Reading<'_>,
        glance: &Glance,
        lines: &mut Lines,
    ) -> bool {
        let mut supersedes = false;
        let all = self.patterns.iter().zip(&self.waiting);
        for (of, ((sifted, waiting), &of_hand)) in all.zip(&glance.of_hand).enumerate() {
            let mut called = of_hand;
            for (word, &bits) in glance.words[..self.words].iter().enumerate().skip(READING) {
                called |= self.called(waiting, word, bits);
            }
            // The first checks of all before what follows from any: none of them is a guess.
            let mut left = 0;
            while called != 0 {
                let within = called.trailing_zeros() as usize % 64;
                called &= called - 1;
                left |= u64::from(sifted[within].first.holds(glance)) << within;
            }
            while left != 0 {
                let within = left.trailing_zeros() as usize % 64;
                left &= left - 1;
                let sifted = &sifted[within];
                let pattern = || patterns.get(64 * of + within);
                let times = match self.ends(sifted.first.yes, reading, glance) {
                    At::NO => continue,
                    At::YES if !sifted.counts => 1,
                    At::YES => pattern().map_or(0, |one| one.times_where_it_holds(reading)),
                    _ => pattern().map_or(0, |one| one.times(reading)),
                };
                if times > 0 {
                    supersedes |= sifted.supersedes;
                    lines.push(Line {
                        pattern: (64 * of + within) as u16,
                        times: times as u16,
                    });
                }
            }
        }
        supersedes
    }

    /// The fu of a reading that was looked at.
    pub(super) fn fu(&self, rules: &HanFuRules, reading: &Reading<'_>, glance: &Glance) -> Fu {
        if glance.is_strange {
            return rules.fu_of(reading);
        }
        let mut sum = glance.fu + self.least_fu;
        for row in &self.fu {
            if !row.sifted.first.holds(glance) {
                continue;
            }
            let times = match self.ends(row.sifted.first.yes, reading, glance) {
                At::NO => continue,
                At::YES if !row.sifted.counts => 1,
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

    /// Where checks end: [`At::YES`], [`At::NO`] or [`At::ASK`].
    #[inline]
    fn ends(&self, first: At, reading: &Reading<'_>, glance: &Glance) -> At {
        let mut at = first;
        while !at.is_end() {
            let (is_so, yes, no) = if at.0 < At::FACTS {
                let check = &self.checks[usize::from(at.0)];
                (check.holds(glance), check.yes, check.no)
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

/// The patterns whose conditions hold, asked one by one.
fn ask_all(patterns: &[Pattern], reading: &Reading<'_>) -> impl Iterator<Item = Line> {
    (0..).zip(patterns).filter_map(|(pattern, one)| {
        let times = one.times(reading) as u16;
        (times > 0).then_some(Line { pattern, times })
    })
}

#[cfg(test)]
mod tests;
