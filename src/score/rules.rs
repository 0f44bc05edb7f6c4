//! How a ruleset scores: its patterns and family, and the wins and losing hands that it accepts.

use super::amounts::MOST_SUMS;
use super::compiled::{Compiled, ReadingBits};
use super::condition::Condition;
use super::facts::{BonusClass, Class, Fact, FamilySet};
use super::family::{ScoreFamily, Tally};
use super::input::{Score, ScoreError};
use super::pattern::{Line, Lines, Pattern};
use super::reading::Reading;
use crate::decimal::Decimal;
use crate::decompose::{Decomposer, Grammar, Holding};
use crate::hand::Hand;
use crate::meld::Group;
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::Win;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The facts for which the waits of a hand must be known.
const WAITS: [Fact; 4] = [
    Fact::Waits,
    Fact::WaitsForAll,
    Fact::ShapeWaits,
    Fact::NaturalWaits,
];

/// Whose discard may complete a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ChowFrom {
    /// The player before in turn order.
    Previous,
    /// The player after in turn order.
    Next,
    /// Anyone.
    Any,
    /// No player.
    Nobody,
}

impl ChowFrom {
    /// The seats that may complete a run with a discard of `from`.
    #[inline]
    pub(crate) const fn seats(self, from: Seat, players: usize) -> SeatSet {
        match self {
            Self::Previous => SeatSet::one(from.next(players)),
            Self::Next => SeatSet::one(from.after(players - 1, players)),
            Self::Any => SeatSet::of_table(players),
            Self::Nobody => SeatSet::EMPTY,
        }
    }

    /// True when `seat` may complete a run with a discard of `from`.
    #[inline]
    pub const fn allows(self, seat: Seat, from: Seat, players: usize) -> bool {
        match self {
            Self::Previous => seat.index() == from.next(players).index(),
            Self::Next => from.index() == seat.next(players).index(),
            Self::Any => true,
            Self::Nobody => false,
        }
    }
}

/// Which groups a claimed tile may complete for a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct WinRules {
    /// Families that a claimed tile may complete.
    pub completes: FamilySet,
    /// Whose tile may complete a run.
    pub run_from: ChowFrom,
    /// Players at the table.
    pub players: usize,
}

impl WinRules {
    /// True when the winning tile may complete this group.
    #[inline]
    pub fn allows(&self, group: Group, seat: Seat, win: &Win) -> bool {
        if win.is_self_draw() {
            return true;
        }
        let family = group.family();
        let from_right_player = !family.is_run()
            || win
                .from
                .is_none_or(|from| self.run_from.allows(seat, from, self.players));
        self.completes.contains(family) && from_right_player
    }

    /// True when the hand and the winning tile are complete in a way that may win.
    pub fn can_win(&self, decomposer: &Decomposer, hand: &Hand, seat: Seat, win: &Win) -> bool {
        let Some(kind) = win.tile.kind() else {
            return false;
        };
        let Some(whole) = Holding::from(hand).with(kind) else {
            return false;
        };
        let is_break = decomposer.substitutions(&whole, |substituted| {
            let stands = decomposer.stands_for(hand, kind, &substituted.concealed);
            decomposer.arrangements_as(&whole, substituted, |arrangement| {
                let is_loose = || {
                    arrangement.form > 0 && {
                        let loose = arrangement.loose(&substituted.concealed).kinds();
                        !loose.intersection(stands).is_empty()
                    }
                };
                let completes = |group: Group| group.tiles().any(|kind| stands.contains(kind));
                let allowed = arrangement.groups.is_empty()
                    || is_loose()
                    || arrangement
                        .groups
                        .iter()
                        .any(|&group| completes(group) && self.allows(group, seat, win));
                if allowed {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        is_break.is_break()
    }
}

/// What scores in the hand of a player who did not win.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoserRules {
    /// Four alike among the concealed tiles are a kong. Otherwise three of them are a pung.
    pub kongs: bool,
    /// Classes of pairs that count. If there are more than `most_pairs`, pairs of earlier classes are preferred.
    pub(crate) pairs: Vec<Class>,
    /// The most pairs that count.
    pub most_pairs: usize,
}

/// How a ruleset scores: its patterns, its family, and the hands that it accepts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ScoreRules {
    /// Patterns in the order of display.
    pub(super) patterns: Vec<Pattern>,
    /// The family that turns patterns into points.
    pub(super) family: ScoreFamily,
    /// Patterns and family, compiled.
    pub(super) compiled: Compiled,
    /// What patterns add to each column are multiples of this.
    pub quantum: [Decimal; MOST_SUMS],
    /// Indices of the patterns that win on a flower. Nothing else counts in such a win.
    pub(super) flower_wins: Vec<usize>,
    /// A lower bound on the flowers on the table that such a pattern needs, the winning flower not included.
    pub(super) flowers_to_win: usize,
    /// A condition that the reading of a win must meet.
    pub(super) required: Option<Condition>,
    /// What a claimed tile may complete.
    pub win: WinRules,
    /// For each pattern the first one that has its id.
    first_of_id: Vec<u16>,
    /// Some condition uses the number of waits.
    pub(super) asks_waits: bool,
    /// What losers score. `None` if they score nothing.
    pub losers: Option<LoserRules>,
    /// What decides between readings of equal worth, before their groups do.
    pub ties: Vec<Tie>,
}

/// Which of two readings of equal worth counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Tie {
    /// The one with fewer patterns.
    FewestPatterns,
    /// The one with more patterns.
    MostPatterns,
    /// The one with the pattern that comes first in the file, then with the one that comes second, and so on.
    FirstPatterns,
}

impl Tie {
    /// Compares the patterns of two readings. The lesser one counts.
    pub(super) fn order(self, one: &[Line], other: &[Line]) -> Ordering {
        let number = |lines: &[Line]| lines.iter().map(|line| u32::from(line.times)).sum::<u32>();
        match self {
            Self::FewestPatterns => number(one).cmp(&number(other)),
            Self::MostPatterns => number(other).cmp(&number(one)),
            Self::FirstPatterns => {
                // A reading that has all patterns of another and more of them counts.
                let end = std::iter::once(u16::MAX);
                let places = other.iter().map(|line| line.pattern);
                let own = one.iter().map(|line| line.pattern);
                own.chain(end.clone()).cmp(places.chain(end))
            }
        }
    }
}

fn first_of_id(patterns: &[Pattern]) -> Vec<u16> {
    let first = |pattern: &Pattern| patterns.iter().position(|one| one.id == pattern.id);
    let firsts = patterns
        .iter()
        .map(|pattern| first(pattern).unwrap_or(0) as u16);
    firsts.collect()
}

impl ScoreRules {
    /// Compiles patterns for the groups of a grammar.
    pub(crate) fn new(
        patterns: Vec<Pattern>,
        family: ScoreFamily,
        win: WinRules,
        grammar: &Grammar,
    ) -> Self {
        Self {
            compiled: Compiled::new(&patterns, &family, grammar),
            first_of_id: first_of_id(&patterns),
            asks_waits: patterns
                .iter()
                .any(|one| WAITS.into_iter().any(|fact| one.asks(fact))),
            patterns,
            family,
            quantum: [Decimal::whole(1); MOST_SUMS],
            flower_wins: Vec::new(),
            flowers_to_win: 0,
            required: None,
            win,
            losers: None,
            ties: Vec::new(),
        }
    }

    /// The same rules with more patterns.
    pub(crate) fn with(&self, patterns: &[Pattern], grammar: &Grammar) -> Self {
        let patterns = [&self.patterns[..], patterns].concat();
        let all = Self::new(patterns, self.family.clone(), self.win, grammar);
        Self {
            patterns: all.patterns,
            compiled: all.compiled,
            first_of_id: all.first_of_id,
            asks_waits: self.asks_waits || all.asks_waits,
            ..self.clone()
        }
    }

    /// The same rules with other patterns and another family, which are not compiled.
    pub(crate) fn uncompiled(
        &self,
        patterns: Vec<Pattern>,
        family: ScoreFamily,
        flower_wins: Vec<usize>,
        grammar: &Grammar,
    ) -> Self {
        Self {
            patterns,
            compiled: Compiled::new(&[], &family, grammar),
            family,
            flower_wins,
            first_of_id: Vec::new(),
            ..self.clone()
        }
    }

    /// True when `is` holds for some fact on which points or wins depend.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        self.patterns.iter().any(|pattern| pattern.any_fact(is))
            || self.required.as_ref().is_some_and(|one| one.any_fact(is))
            || self.family.any_fact(is)
    }

    /// The same rules with a condition that readings of wins must meet.
    pub(crate) fn requiring(mut self, required: Option<Condition>) -> Self {
        self.asks_waits |= required
            .iter()
            .any(|one| WAITS.into_iter().any(|fact| one.asks(fact)));
        self.required = required;
        self
    }

    /// What readings of wins must meet.
    pub(crate) fn required(&self) -> Option<&Condition> {
        self.required.as_ref()
    }

    /// The same rules, where other rules ask for facts, too.
    pub(crate) fn asked(mut self, asks: impl Fn(&Fact) -> bool) -> Self {
        self.asks_waits |= WAITS.iter().any(asks);
        self
    }

    /// The same rules. Patterns that do not meet a condition have no liability.
    pub(crate) fn liable_where(mut self, keeps: impl Fn(&Pattern) -> bool) -> Self {
        for pattern in &mut self.patterns {
            pattern.liable = pattern.liable.filter(|_| keeps(pattern));
        }
        self
    }

    /// The same rules, where the patterns at these indices win on a flower.
    pub(crate) fn winning_on_flowers(mut self, places: Vec<usize>) -> Self {
        let least = places.iter().map(|&place| {
            let when = self.patterns[place].when.as_ref();
            let laid = |laid| Fact::Aside {
                bonus: BonusClass::FLOWERS,
                laid,
            };
            let least =
                |when: &Condition| when.least_of(laid(true)).max(when.least_of(laid(false)));
            when.map_or(0, least)
        });
        self.flowers_to_win = least.min().unwrap_or(0);
        self.flower_wins = places;
        self
    }

    /// Indices of the patterns that win on a flower. Nothing else counts in such a win.
    pub(crate) fn flower_wins(&self) -> &[usize] {
        &self.flower_wins
    }

    /// True when this number of flowers on the table may be enough to win on another one.
    pub(crate) fn may_win_on_flower(&self, flowers: usize) -> bool {
        !self.flower_wins.is_empty() && flowers >= self.flowers_to_win
    }

    /// Patterns in the order of display.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The pattern of a line. `None` if the line comes from other rules.
    pub fn pattern(&self, line: &Line) -> Option<&Pattern> {
        self.patterns.get(usize::from(line.pattern))
    }

    /// Checks that a score names patterns of these rules.
    ///
    /// # Errors
    /// [`ScoreError::UnknownPattern`].
    pub fn check(&self, score: &Score) -> Result<(), ScoreError> {
        let unknown = |line: &&Line| self.pattern(line).is_none();
        match score.lines.iter().find(unknown) {
            Some(&Line { pattern, .. }) => Err(ScoreError::UnknownPattern {
                pattern,
                patterns: self.patterns.len(),
            }),
            None => Ok(()),
        }
    }

    /// The indices of the patterns that counted, each once. Patterns that share an id have the index of the first one.
    /// Lines of other rules are left out.
    pub fn counted(&self, lines: &[Line]) -> impl Iterator<Item = usize> {
        let first = |line: &Line| self.first_of_id.get(usize::from(line.pattern)).copied();
        lines.iter().enumerate().filter_map(move |(i, line)| {
            let place = first(line)?;
            let mut before = lines[..i].iter().filter_map(first);
            let is_new = before.all(|other| other != place);
            is_new.then_some(usize::from(place))
        })
    }

    /// True when a pattern with this id counts in a score.
    pub fn has_counted(&self, score: &Score, id: &str) -> bool {
        let mut lines = score.lines.iter().filter_map(|line| self.pattern(line));
        lines.any(|pattern| pattern.id == id)
    }

    /// False for a reading of a win that does not meet the conditions of the ruleset. For a win on a flower only the
    /// patterns for such wins are conditions.
    #[inline]
    pub(super) fn allows(&self, reading: &Reading<'_>) -> bool {
        if reading.win.is_none_or(|win| win.tile.is_flower()) {
            return true;
        }
        self.required.as_ref().is_none_or(|one| one.holds(reading))
    }

    /// In a win on a flower, removes the lines of all patterns but those for such wins.
    #[inline]
    pub(super) fn keep_flower_wins(&self, reading: &Reading<'_>, lines: &mut Lines) {
        if reading.win.is_some_and(|win| win.tile.is_flower()) {
            lines.retain(|line| self.flower_wins.contains(&usize::from(line.pattern)));
        }
    }

    /// What the sums of a hand must meet to win, as the file has it with the values of options. A limit hand needs no
    /// minimum.
    pub fn minimum(&self) -> Option<&str> {
        let minimum = self.family.minimum();
        minimum.map(|minimum| minimum.text.as_str())
    }

    /// The family that turns patterns into points.
    pub fn family(&self) -> &ScoreFamily {
        &self.family
    }
}

impl ScoreRules {
    /// True when a complete hand may not be a win, because there is a minimum or some readings are ruled out.
    pub(crate) fn must_score_to_win(&self) -> bool {
        let minimum = self.family.minimum();
        let has_minimum = minimum.is_some_and(|one| !one.condition.is_always());
        has_minimum || self.required.is_some()
    }
}

impl ScoreFamily {
    /// Adds up lines. Returns the sum and the points. Lines that do not count in the end are dropped.
    pub(super) fn sum(
        &self,
        compiled: &Compiled,
        lines: &mut Lines,
        reading: &Reading<'_>,
        bits: &ReadingBits,
    ) -> (Tally, i64) {
        let values = compiled.values();
        match self {
            Self::HanFu(rules) => {
                let fu = || compiled.fu(rules, reading, bits);
                let (sum, points) = rules.sum(values, lines, reading, fu);
                (Tally::HanFu(sum), points)
            }
            Self::Sums(rules) => {
                let (sum, points) = rules.sum(values, lines, reading);
                (Tally::Sums(sum), points)
            }
        }
    }
}
