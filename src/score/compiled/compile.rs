//! Compiles patterns and fu rows into chains of [checks](Check).
//!
//! A condition is split into [alternatives](Alternative), one of which must hold. [`Bits`] gives a bit to
//! each question that they ask. [`Needs`] is what an alternative requires of each word. A chain tries the
//! alternatives in turn until one holds.

use super::*;
use crate::meld::Family;
use crate::score::condition::{Alternative, Literal};
use crate::score::facts::{Class, Shape};
use crate::score::han_fu::FuRow;
use crate::state::Way;
use rows::{Place, Questions, Shares};
use std::cmp::Reverse;
use std::ops::Range;

/// How `fact >= n` is evaluated.
enum Told {
    Always,
    Never,
    /// The bit with this number, counted over all words.
    By(u32),
    /// No bit has the answer. The fact must be read.
    ByFact,
}

/// Estimates are the number of readings, of this many, in which a bit is set. Only speed depends on them.
const OF: u64 = 1024;

/// Gives bits to questions.
struct Bits {
    tiles: AskedOfTiles,
    /// Free bits for classes of tiles and for classes of the winning tile, each within its word.
    free: Range<u32>,
    free_of_last: Range<u32>,
    groups: Questions,
}

impl Bits {
    fn new() -> Self {
        Self {
            tiles: AskedOfTiles::default(),
            free: 0..64,
            free_of_last: LAST - FORMS..64,
            groups: Questions::default(),
        }
    }

    /// How `fact >= least` is evaluated. A new question gets a free bit.
    fn told(&mut self, fact: Fact, least: i32) -> Told {
        let once = |bit: u32| match least {
            1 => Told::By(bit),
            _ => Told::Never,
        };
        match fact {
            _ if least <= 0 => Told::Always,
            Fact::Flag(flag) if flag < FlagSet::MAX => once(flag as u32),
            Fact::Way { way } => once(WAYS + way as u32),
            Fact::SelfDraw => once(SELF_DRAW),
            Fact::Closed => once(CLOSED),
            Fact::Winner => once(WINNER),
            Fact::DeclaredMelds if least == 1 => Told::By(MELDS),
            Fact::Suits if least <= 3 => Told::By(SUITS + least as u32 - 1),
            Fact::Form { shape: Shape(form) } if form < 8 => once(FORMS + u32::from(form)),
            Fact::WinningGroup { family } => once(FAMILIES + family as u32),
            Fact::WinningPlace { place } => once(PLACES + place as u32),
            Fact::Has { class } if least == 1 => {
                Self::of_class(class, CLASSES, &mut self.tiles.has, &mut self.free)
            }
            Fact::AllTiles { class } if least == 1 => {
                Self::of_class(class, CLASSES, &mut self.tiles.all, &mut self.free)
            }
            Fact::WinningTile { class } if least == 1 => {
                Self::of_class(class, FORMS, &mut self.tiles.last, &mut self.free_of_last)
            }
            _ if Questions::are_about(&fact) => match self.groups.place(fact, least) {
                Place::Never => Told::Never,
                Place::At(word, bit) => Told::By(64 * (GROUPS + word) as u32 + bit),
                Place::Nowhere => Told::ByFact,
            },
            _ => Told::ByFact,
        }
    }

    /// The same for a fact that a `per` counts. Here a bit suffices if it is unset whenever the fact is 0.
    fn told_of_count(&mut self, fact: Fact, least: i32) -> Told {
        match fact {
            Fact::Dora | Fact::BonusTiles if least == 1 => Told::By(BONUS),
            Fact::UraDora if least == 1 => Told::By(URA),
            Fact::RedFives if least == 1 => Told::By(REDS),
            _ => self.told(fact, least),
        }
    }

    /// The bit of a question about a class. `word` is the first bit of its word.
    fn of_class(
        class: Class,
        word: u32,
        list: &mut Vec<(KindSet, u32)>,
        free: &mut Range<u32>,
    ) -> Told {
        if class.depends_on_winds() {
            return Told::ByFact;
        }
        let kinds = class.fixed_kinds();
        let known = list.iter().find(|(known, _)| *known == kinds);
        if let Some((_, bit)) = known {
            return Told::By(word + bit);
        }
        let Some(bit) = free.next() else {
            return Told::ByFact;
        };
        list.push((kinds, bit));
        Told::By(word + bit)
    }

    /// Estimates how often each bit is set in [`OF`] readings.
    fn often(&self, shares: &Shares) -> Often {
        let mut often = [OF / 3; BITS];
        let mut guess = |bit: u32, of: u64| often[bit as usize] = of;
        for flag in 0..FlagSet::MAX as u32 {
            guess(flag, 1);
        }
        guess(WAYS + Way::Replacement as u32, 8);
        guess(WAYS + Way::RobbedKong as u32, 8);
        guess(WAYS + Way::Turned as u32, 1);
        for bit in [WINNER, SUITS, FORMS] {
            guess(bit, OF);
        }
        guess(SUITS + 1, OF - OF / 16);
        for bit in [BONUS, URA, REDS, CLOSED] {
            guess(bit, OF / 2);
        }
        for bit in [ONE_SUIT, TWINS] {
            guess(bit, OF / 16);
        }
        guess(ALIKE, OF / 4);
        guess(ALIKE + 1, OF / 32);
        for bit in FORMS + 1..FAMILIES {
            guess(bit, 1);
        }
        for (_, bit) in &self.tiles.all {
            guess(CLASSES + bit, 8);
        }
        for (word, bit, share, least) in shares.of(&self.groups, OF) {
            let all_are = (0..least).fold(OF, |often, _| often * share / OF);
            guess(GROUP_BITS + 64 * word as u32 + bit, all_are);
        }
        often
    }
}

/// How often each bit is set in [`OF`] readings.
type Often = [u64; BITS];

/// The first bit about classes of tiles.
const CLASSES: u32 = 64 * TILES as u32;
/// The first bit about groups.
const GROUP_BITS: u32 = 64 * GROUPS as u32;

/// The requirements of one alternative, all of which must be met: some bits of each word (a mask and their
/// values), and facts.
#[derive(Clone, Default)]
struct Needs {
    words: [(u64, u64); WORDS],
    /// Facts without a bit, each with its least value and the value that it must stay below.
    facts: Vec<(Fact, i32, i32)>,
    /// Some bit would have to be both set and unset. Two classes written differently may share a bit.
    contradicts_itself: bool,
}

impl Needs {
    fn demand(&mut self, bit: u32, holds: bool) {
        let (word, bit) = (bit as usize / 64, bit % 64);
        self.demand_of_word(word, 1 << bit, u64::from(holds) << bit);
    }

    /// Demands these values of some bits of a word.
    fn demand_of_word(&mut self, word: usize, bits: u64, wants: u64) {
        let (mask, want) = &mut self.words[word];
        self.contradicts_itself |= *mask & bits & (*want ^ wants) != 0;
        *mask |= bits;
        *want |= wants;
    }

    /// Replaces "at least one suit and not two" by one bit, because a pattern waits at a single bit.
    fn name_one_suit(&mut self) {
        let (mask, want) = &mut self.words[0];
        let both = 3 << SUITS;
        if *mask & both == both && *want & both == 1 << SUITS {
            *mask &= !both;
            *want &= !both;
            self.demand(ONE_SUIT, true);
        }
    }

    /// Demands the literal of a fact that has no bit.
    fn demand_of(&mut self, literal: Literal) {
        let Literal { fact, least, holds } = literal;
        let known = self.facts.iter().position(|(known, ..)| *known == fact);
        let place = known.unwrap_or(self.facts.len());
        if known.is_none() {
            self.facts.push((fact, i32::MIN, i32::MAX));
        }
        let (_, from, below) = &mut self.facts[place];
        if holds {
            *from = least.max(*from);
        } else {
            *below = least.min(*below);
        }
    }
}

/// A count of groups of any tiles that is never less than this fact.
fn wider(fact: &Fact) -> Option<Fact> {
    let families = match *fact {
        Fact::SameRunInSuits => [Family::Arith, Family::Gem, Family::Power]
            .into_iter()
            .collect(),
        Fact::SameStepAriths => [Family::Arith].into_iter().collect(),
        Fact::SamePungInSuits => [Family::Pung, Family::Kong].into_iter().collect(),
        Fact::Melds { families, .. } => families,
        _ => return None,
    };
    let mut class = Class::default();
    class.include.kinds = KindSet::ALL;
    Some(Fact::Melds {
        families,
        class,
        open: None,
    })
}

/// The needs of each alternative. Without any alternative the condition never holds.
type Alternatives = Vec<Needs>;

fn needs(alternatives: &[Alternative], mut told: impl FnMut(Fact, i32) -> Told) -> Alternatives {
    let mut all = Vec::new();
    'next: for literals in alternatives {
        let mut needs = Needs::default();
        for &literal in literals {
            let Literal { fact, least, holds } = literal;
            match (told(fact, least), holds) {
                (Told::Always, true) | (Told::Never, false) => {}
                (Told::Always, false) | (Told::Never, true) => continue 'next,
                (Told::By(bit), _) => needs.demand(bit, holds),
                (Told::ByFact, _) => needs.demand_of(literal),
            }
            match fact {
                Fact::TwinMelds if holds => needs.demand(TWINS, true),
                Fact::SameRunInSuits | Fact::SamePungInSuits if holds && least > 1 => {
                    needs.demand(ALIKE + u32::from(least > 2), true);
                }
                _ => {}
            }
            // A bit that all alternatives need rejects them with one check.
            if let Some(wider) = wider(&fact)
                && holds
                && (alternatives.len() > 3 || !Questions::are_about(&fact))
                && let Told::By(bit) = told(wider, least)
            {
                needs.demand(bit, true);
            }
        }
        needs.name_one_suit();
        if !needs.contradicts_itself {
            all.push(needs);
        }
    }
    all
}

/// The needs of "both of these".
fn both(a: &[Needs], b: &[Needs]) -> Alternatives {
    let mut all = Vec::new();
    for one in a {
        for other in b {
            let mut needs = one.clone();
            for (word, (bits, wants)) in other.words.into_iter().enumerate() {
                needs.demand_of_word(word, bits, wants);
            }
            needs.facts.extend(&other.facts);
            if !needs.contradicts_itself {
                all.push(needs);
            }
        }
    }
    all
}

/// The bits that all alternatives need, with their values.
fn in_common(alternatives: &[Needs]) -> [(u64, u64); WORDS] {
    let common = alternatives.iter().map(|needs| needs.words);
    let common = common.reduce(|mut all, other| {
        for ((mask, want), (more, wants)) in all.iter_mut().zip(other) {
            *mask &= more & !(*want ^ wants);
            *want &= *mask;
        }
        all
    });
    common.unwrap_or_default()
}

impl Compiled {
    pub(in crate::score) fn new(
        patterns: &[Pattern],
        family: &ScoreFamily,
        grammar: &Grammar,
    ) -> Self {
        let mut bits = Bits::new();
        let of_patterns: Vec<_> = patterns
            .iter()
            .map(|pattern| of_pattern(pattern, &mut bits))
            .collect();
        let mut of_fu = Vec::new();
        if let ScoreFamily::HanFu(rules) = family {
            for (place, row) in rules.fu.iter().enumerate() {
                match fu_of_groups(row) {
                    Some(facts) => {
                        let facts = facts.into_iter().map(|fact| (fact, row.fu));
                        bits.groups.fu.extend(facts);
                    }
                    None => of_fu.push((place, row, of_both(&row.when, &row.per, &mut bits))),
                }
            }
        }
        let width = patterns.len().div_ceil(64).min(PATTERN_WORDS);
        let (rows, shares) = GroupRows::new(&bits.groups, grammar);
        let often = bits.often(&shares);
        let mut compiled = Self {
            rows,
            tiles: AskedOfTiles::default(),
            checks: Vec::new(),
            facts: Vec::new(),
            patterns: vec![[CompiledPattern::NOTHING; 64]; width],
            words: GROUPS + bits.groups.words(),
            unbound: vec![0; width],
            waiting: vec![[0; BITS]; width],
            awaited: [0; WORDS],
            fu: Vec::new(),
            relations: Relations::new(patterns),
            least_fu: 0,
            values: patterns.iter().map(|pattern| pattern.value).collect(),
        };
        for (place, (pattern, needs)) in patterns.iter().zip(&of_patterns).enumerate() {
            let (of, within) = (place / 64, place % 64);
            let first = compiled.add(needs.as_deref(), &often);
            if first.yes == At::NO || of >= width {
                continue;
            }
            compiled.patterns[of][within] = CompiledPattern {
                counts: pattern.per.is_some(),
                supersedes: !pattern.supersedes.is_empty(),
                first,
            };
            match needs.as_deref().and_then(|all| waits_at(all, &often)) {
                Some(places) => {
                    for bit in places {
                        compiled.waiting[of][bit] |= 1 << within;
                        compiled.awaited[bit / 64] |= 1 << (bit % 64);
                    }
                }
                None => compiled.unbound[of] |= 1 << within,
            }
        }
        for (place, row, needs) in of_fu {
            if row.when.is_none() && row.per.is_none() && !row.exact {
                compiled.least_fu += row.fu;
                continue;
            }
            let pattern = CompiledPattern {
                counts: row.per.is_some(),
                supersedes: false,
                first: compiled.add(needs.as_deref(), &often),
            };
            compiled.fu.push(CompiledFu {
                pattern,
                place,
                fu: row.fu,
                exact: row.exact,
            });
        }
        compiled.tiles = bits.tiles;
        compiled
    }

    /// Adds the checks of the alternatives, what they have in common first. Returns the check to begin with.
    fn add(&mut self, alternatives: Option<&[Needs]>, often: &Often) -> Check {
        let Some(all) = alternatives else {
            return Check::on(At::ASK);
        };
        // Positions have 15 bits. That is enough for any file that a person writes. Beyond that conditions
        // are evaluated directly.
        let facts: usize = all.iter().map(|needs| needs.facts.len()).sum();
        let most = usize::from(At::FACTS) - 8;
        if self.checks.len() + (all.len() + 1) * WORDS > most || self.facts.len() + facts > most {
            return Check::on(At::ASK);
        }
        let mut first = At::NO;
        let mut common = Needs::default();
        if all.len() > 1 {
            common.words = in_common(all);
        }
        for needs in all.iter().rev() {
            let mut needs = needs.clone();
            for ((mask, want), (told, _)) in needs.words.iter_mut().zip(common.words) {
                *mask &= !told;
                *want &= !told;
            }
            first = self.add_one(&needs, At::YES, first, often);
        }
        first = self.add_one(&common, first, At::NO, often);
        // Chains are built from their end, so the check added last comes first.
        let is_last = usize::from(first.0) + 1 == self.checks.len();
        match self.checks.pop_if(|check| is_last && check.no == At::NO) {
            Some(check) => check,
            None => Check::on(first),
        }
    }

    /// Adds the checks of one alternative from the end: facts last, and of the words those first that rarely
    /// hold. Returns where they begin.
    fn add_one(&mut self, needs: &Needs, yes: At, no: At, often: &Often) -> At {
        let mut at = yes;
        for &(fact, from, below) in needs.facts.iter().rev() {
            let check = FactCheck {
                fact,
                from,
                below,
                yes: at,
                no,
            };
            at = At(At::FACTS + self.facts.len() as u16);
            self.facts.push(check);
        }
        let often = |&(word, (mask, want)): &(u8, (u64, u64))| {
            let asked = (0..64).filter(|bit| mask >> bit & 1 == 1);
            let often = asked.map(|bit| match often[64 * usize::from(word) + bit] {
                set if want >> bit & 1 == 1 => set,
                set => OF - set,
            });
            Reverse(often.min())
        };
        let mut words: Vec<(u8, (u64, u64))> = (0..).zip(needs.words).collect();
        words.retain(|(_, (mask, _))| *mask != 0);
        words.sort_by_key(often);
        for (word, (mask, want)) in words {
            self.checks.push(Check {
                mask,
                want,
                word,
                yes: at,
                no,
            });
            at = At((self.checks.len() - 1) as u16);
        }
        at
    }
}

/// The rarest bit that each alternative needs set. `None` if some alternative needs no set bit.
fn waits_at(alternatives: &[Needs], often: &Often) -> Option<Vec<usize>> {
    let rarest = |needs: &Needs| {
        let words = (0..).zip(needs.words);
        let set = words.flat_map(|(word, (_, want))| {
            let set = (0..64).filter(move |bit| want >> bit & 1 == 1);
            set.map(move |bit| 64 * word + bit)
        });
        set.min_by_key(|&bit| often[bit])
    };
    alternatives.iter().map(rarest).collect()
}

/// The needs of a pattern. `None` if its condition must be evaluated directly.
fn of_pattern(pattern: &Pattern, bits: &mut Bits) -> Option<Alternatives> {
    let closed = |holds| {
        let literal = Literal::at_least(Fact::Closed, 1);
        vec![vec![Literal { holds, ..literal }]]
    };
    let of_value = match pattern.value {
        value if value.is_off() => Vec::new(),
        PatternValue::Han { closed: 0, open: 0 } => Vec::new(),
        PatternValue::Han { open: 0, .. } => closed(true),
        PatternValue::Han { closed: 0, .. } => closed(false),
        _ => vec![Vec::new()],
    };
    let of_value = needs(&of_value, |fact, least| bits.told(fact, least));
    Some(both(
        &of_value,
        &of_both(pattern.compiled_when(), &pattern.per, bits)?,
    ))
}

/// The needs of a condition and of a `per` that is at least 1.
fn of_both(when: &Option<Condition>, per: &Option<Count>, bits: &mut Bits) -> Option<Alternatives> {
    let when = match when {
        Some(when) => when.alternatives()?,
        None => vec![Vec::new()],
    };
    let all = needs(&when, |fact, least| bits.told(fact, least));
    // The number itself is read later, so only the bits of its facts are needed.
    let of_per = per.as_ref().and_then(Count::alternatives);
    let of_per = of_per.map(|per| needs(&per, |fact, least| bits.told_of_count(fact, least)));
    Some(match of_per {
        Some(mut of_per) => {
            of_per.iter_mut().for_each(|needs| needs.facts.clear());
            both(&all, &of_per)
        }
        None => all,
    })
}

/// The facts that a fu row adds up over all groups. `None` if the row is not such a sum.
fn fu_of_groups(row: &FuRow) -> Option<Vec<Fact>> {
    if row.when.is_some() || row.exact {
        return None;
    }
    let facts = row.per.as_ref()?.summands()?;
    facts.iter().all(Questions::are_about).then_some(facts)
}
