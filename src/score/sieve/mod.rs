//! [`Sieve`]: which patterns count for a reading, told by a few words of bits.
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
/// The word about the reading.
const READING: usize = 2;
/// The first word about groups.
const GROUPS: usize = 3;

/// Bits of the first word: the flags, the way of winning, plain things, then what is asked of tiles.
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
const ASKED_OF_TILES: u32 = SUITS + 3;

/// Bits of the word about the reading: the form, the family of the group that the last tile completed, where it
/// stands in it.
const FORMS: u32 = 64 * READING as u32;
const FAMILIES: u32 = FORMS + 8;
const PLACES: u32 = FAMILIES + 8;

/// Words of candidates; there is a bit for each pattern, and for one that marks readings.
const CANDIDATES: usize = (MAX_PATTERNS + 1).div_ceil(64);

/// Where the checks of a pattern begin, go on or end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    #[inline]
    fn next(&self, glance: &Glance) -> At {
        match glance.words[usize::from(self.word) % WORDS] & self.mask == self.want {
            true => self.yes,
            false => self.no,
        }
    }

    /// What goes on there in any case.
    const fn on(at: At) -> Self {
        Self {
            mask: 0,
            want: 0,
            word: 0,
            yes: at,
            no: at,
        }
    }
}

/// A fact that must be at least so much, and what comes next.
#[derive(Clone, Copy, Debug)]
struct FactCheck {
    fact: Fact,
    least: i32,
    yes: At,
    no: At,
}

/// What is asked of the tiles of a hand: a class, and the bit that tells.
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
    /// Its place in the ruleset.
    place: u16,
    /// It may count more than once, or not at all.
    counts: bool,
    /// Others do not count beside it.
    supersedes: bool,
    /// Most fail here.
    first: Check,
}

/// Patterns and fu rows, compiled.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    tiles: AskedOfTiles,
    rows: Rows,
    checks: Vec<Check>,
    facts: Vec<FactCheck>,
    patterns: Vec<Sifted>,
    /// Words of a set of patterns.
    width: usize,
    /// The patterns that wait at no bit, then those that wait at each bit of all words.
    waiting: Vec<u64>,
    /// Bits at which some pattern waits.
    awaited: [u64; WORDS],
    /// Rows of fu, those of groups left out and those that always count.
    fu: Vec<Sifted>,
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
            of_groups: rows::NOTHING,
            fu: 0,
            is_strange: false,
        }
    }
}

impl Sieve {
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
        let mut words = [0; READING];
        let first = &mut words[0];
        if let Some(win) = reading.win {
            *first |= u64::from(win.flags.bits()) | 1 << (WAYS + win.way as u32) | 1 << WINNER;
            *first |= u64::from(win.is_self_draw()) << SELF_DRAW;
        }
        *first |= u64::from(hand.is_closed()) << CLOSED;
        *first |= u64::from(!reading.bonus.is_empty()) << BONUS;
        *first |= u64::from(!reading.ura.is_empty()) << URA;
        *first |= u64::from(reading.reds() > 0) << REDS;
        *first |= u64::from(!hand.melds.is_empty()) << MELDS;
        let suits = Suit::ALL.map(|suit| u32::from(reading.tiles.lane(suit.lane()) != 0));
        *first |= ((1 << suits.iter().sum::<u32>()) - 1) << SUITS;
        let mut tell = |bit: u32, is: bool| words[bit as usize / 64] |= u64::from(is) << (bit % 64);
        for &(class, bit) in &self.tiles.has {
            tell(bit, !kinds.intersection(class).is_empty());
        }
        for &(class, bit) in &self.tiles.all {
            tell(bit, kinds.is_subset(class));
        }
        if let Some(last) = reading.win.and_then(|win| win.tile.kind()) {
            for &(class, bit) in &self.tiles.last {
                tell(bit, class.contains(last));
            }
        }
        glance.words[..READING].copy_from_slice(&words);
        glance.of_hand[..self.width].copy_from_slice(&self.waiting[..self.width]);
        for (word, bits) in words.into_iter().enumerate() {
            self.call(word, bits, &mut glance.of_hand);
        }
    }

    /// Looks at the groups, none of them being that which the last tile completed.
    pub(super) fn look_at_groups(&self, reading: &Reading<'_>, glance: &mut Glance) {
        self.rows.begin(&mut glance.of_groups);
        glance.is_strange = false;
        for group in reading.groups {
            match self.row(group.group, reading) {
                Some(row) => self
                    .rows
                    .add(&mut glance.of_groups, row[usize::from(group.open)]),
                None => glance.is_strange = true,
            }
        }
    }

    /// Looks at the form and the group that the last tile completed.
    pub(super) fn look_at_reading(&self, reading: &Reading<'_>, glance: &mut Glance) {
        let mut word = 0;
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
        glance.fu = match reading.claimed_group() {
            Some(claimed) if self.rows.asks_open => {
                let mut sums = glance.of_groups;
                if let Some([concealed, open]) = self.row(claimed.group, reading) {
                    self.rows.exchange(&mut sums, concealed, open);
                }
                self.rows.answer(&sums, groups)
            }
            _ => self.rows.answer(&glance.of_groups, groups),
        };
    }

    #[inline]
    fn row(&self, group: Group, reading: &Reading<'_>) -> Option<[usize; 2]> {
        self.rows.of(group, reading.seat_wind, reading.round_wind)
    }

    /// Adds the patterns that wait at some bits of a word.
    #[inline]
    fn call(&self, word: usize, bits: u64, candidates: &mut [u64; CANDIDATES]) {
        let mut left = bits & self.awaited[word];
        while left != 0 {
            let bit = 64 * word + left.trailing_zeros() as usize;
            left &= left - 1;
            let waiting = self.waiting[(bit + 1) * self.width..].iter();
            for (all, more) in candidates[..self.width].iter_mut().zip(waiting) {
                *all |= more;
            }
        }
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
        let mut candidates = glance.of_hand;
        for (word, &bits) in glance.words.iter().enumerate().skip(READING) {
            self.call(word, bits, &mut candidates);
        }
        if glance.is_strange {
            candidates[..self.width].fill(u64::MAX);
        }
        let mut supersedes = false;
        for (word, &bits) in candidates[..self.width].iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                let place = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                let Some(sifted) = self.patterns.get(place) else {
                    break;
                };
                let times = match self.ends(&sifted.first, reading, glance) {
                    At::NO => continue,
                    At::YES if !sifted.counts => 1,
                    At::YES => patterns[place].times_where_it_holds(reading),
                    _ => patterns[place].times(reading),
                };
                if times > 0 {
                    supersedes |= sifted.supersedes;
                    lines.push(Line {
                        pattern: place as u16,
                        times: times as u16,
                    });
                }
            }
        }
        debug_assert!(tells_the_same(patterns, reading, lines));
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

    /// The fu of a reading that was looked at.
    pub(super) fn fu(&self, rules: &HanFuRules, reading: &Reading<'_>, glance: &Glance) -> Fu {
        if glance.is_strange {
            return rules.fu_of(reading);
        }
        let mut sum = glance.fu + self.least_fu;
        for sifted in &self.fu {
            let row = &rules.fu[usize::from(sifted.place)];
            let times = match self.ends(&sifted.first, reading, glance) {
                At::NO => continue,
                At::YES if !sifted.counts => 1,
                At::YES => row.times_where_it_holds(reading),
                _ => row.times(reading),
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
    fn ends(&self, first: &Check, reading: &Reading<'_>, glance: &Glance) -> At {
        if glance.is_strange {
            return At::ASK;
        }
        let mut at = first.next(glance);
        loop {
            if at.0 >= At::ASK.0 {
                return at;
            }
            at = if at.0 < At::FACTS {
                self.checks[usize::from(at.0)].next(glance)
            } else {
                let check = &self.facts[usize::from(at.0 - At::FACTS)];
                match check.fact.read(reading) >= check.least {
                    true => check.yes,
                    false => check.no,
                }
            };
        }
    }
}

/// True when lines are those for which the patterns' conditions hold, asked one by one.
fn tells_the_same(patterns: &[Pattern], reading: &Reading<'_>, lines: &[Line]) -> bool {
    let times = patterns.iter().map(|pattern| pattern.times(reading));
    let found = times.enumerate().filter(|&(_, times)| times > 0);
    let told = lines
        .iter()
        .map(|line| (usize::from(line.pattern), u32::from(line.times)));
    found.eq(told)
}
