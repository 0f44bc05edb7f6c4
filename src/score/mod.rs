//! Scoring: every reading of a hand is tried against the patterns, the best one counts.

pub(crate) mod condition;
mod doubles;
pub mod facts;
mod fan;
mod han_fu;
mod pattern;
mod reading;
mod settle;
mod sieve;

pub use condition::{Condition, ConditionError, Count};
pub(crate) use condition::{Dead, Tallied};
pub use doubles::{Doubles, DoublesRules};
pub use facts::FamilySet;
pub use fan::{Fan, FanRules};
pub use han_fu::{FuRow, HanFu, HanFuRules, LimitRow};
pub use pattern::{Line, Lines, Pattern, PatternStatus, PatternValue};
pub use reading::{ReadGroup, Reading, TableFacts};
pub use settle::{
    AllPayRules, Payment, PaymentReason, Payments, RiichiRules, Settlement, SettlementRules,
};

pub(crate) use pattern::Liable;

use crate::counts::Counts;
use crate::decimal::Decimal;
use crate::decompose::{Decomposer, Grammar, Holding};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::{Kind, Tile, Wind};
use crate::tile_set::TileSet;
use facts::{Class, Fact, WinningPlace};
use sieve::{Glance, Sieve};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// From whom a discard may complete a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChowFrom {
    /// The player whose turn comes before.
    Previous,
    /// The player whose turn comes next.
    Next,
    /// Anyone.
    Any,
}

impl ChowFrom {
    /// True when `seat` may complete a run with a discard of `from`.
    #[inline]
    pub const fn allows(self, seat: Seat, from: Seat, players: usize) -> bool {
        match self {
            Self::Previous => seat.steps_from(from, players) == 1,
            Self::Next => from.steps_from(seat, players) == 1,
            Self::Any => true,
        }
    }
}

/// Which groups a claimed tile may complete for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinRules {
    /// Families that a claimed tile may complete.
    pub completes: FamilySet,
    /// From whom it may complete a run.
    pub run_from: ChowFrom,
    /// Players at the table.
    pub players: usize,
}

impl WinRules {
    /// True when a win may complete this group.
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

    /// True when the hand with the last tile is complete in a way that may be won.
    pub fn can_win(&self, decomposer: &Decomposer, hand: &Hand, seat: Seat, win: &Win) -> bool {
        let Some(kind) = win.tile.kind() else {
            return false;
        };
        let Some(whole) = Holding::from(hand).with(kind) else {
            return false;
        };
        decomposer
            .arrangements(&whole, |arrangement| {
                let allowed = arrangement.groups.is_empty()
                    || arrangement
                        .groups
                        .iter()
                        .any(|&group| group.contains(kind) && self.allows(group, seat, win));
                if allowed {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .is_break()
    }
}

/// What scores in the hand of a player who did not win.
#[derive(Clone, Debug)]
pub struct LoserRules {
    /// Four alike among the concealed tiles are a kong; else a pung.
    pub kongs: bool,
    /// Classes of pairs that count, the first wins.
    pub(crate) pairs: Vec<Class>,
    /// The most pairs that count.
    pub most_pairs: usize,
}

/// The most patterns that a ruleset may have.
pub(crate) const MAX_PATTERNS: usize = 1000;

/// How a ruleset scores: its patterns, family and what it reads.
#[derive(Clone, Debug)]
pub struct ScoreRules {
    /// Patterns in the order of display.
    patterns: Vec<Pattern>,
    /// The family that turns patterns into points.
    family: ScoreFamily,
    /// Both of them, compiled.
    sieve: Sieve,
    /// The step between values of patterns that are decimals.
    pub quantum: Decimal,
    /// Places of the patterns that win on a flower; such a win counts nothing else.
    pub(crate) flower_wins: Vec<usize>,
    /// Flags, and what a reading must be for a win with that flag.
    pub(crate) flag_readings: Vec<(usize, Condition)>,
    /// What a claimed tile may complete.
    pub win: WinRules,
    /// Some pattern asks how many kinds a hand waits for.
    asks_waits: bool,
    /// What losers score; `None` where they score nothing.
    pub losers: Option<LoserRules>,
}

impl ScoreRules {
    /// Rules of these patterns for the groups of a grammar.
    pub(crate) fn new(
        patterns: Vec<Pattern>,
        family: ScoreFamily,
        win: WinRules,
        grammar: &Grammar,
    ) -> Self {
        Self {
            sieve: Sieve::new(&patterns, &family, grammar),
            asks_waits: patterns.iter().any(|pattern| pattern.asks(Fact::Waits)),
            patterns,
            family,
            quantum: Decimal::whole(1),
            flower_wins: Vec::new(),
            flag_readings: Vec::new(),
            win,
            losers: None,
        }
    }

    /// The same rules with patterns beside the others.
    pub(crate) fn with(&self, patterns: &[Pattern], grammar: &Grammar) -> Self {
        let patterns = [&self.patterns[..], patterns].concat();
        let all = Self::new(patterns, self.family.clone(), self.win, grammar);
        Self {
            patterns: all.patterns,
            sieve: all.sieve,
            asks_waits: all.asks_waits,
            ..self.clone()
        }
    }

    /// Patterns in the order of display.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The family that turns patterns into points.
    pub fn family(&self) -> &ScoreFamily {
        &self.family
    }
}

/// The family that turns patterns into points.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ScoreFamily {
    /// Points and doubles.
    Doubles(DoublesRules),
    /// Fan.
    Fan(FanRules),
    /// Han and fu.
    HanFu(HanFuRules),
}

impl ScoreFamily {
    /// The sum and the points of lines; lines that do not count after all are taken out.
    fn sum(
        &self,
        sieve: &Sieve,
        lines: &mut Lines,
        reading: &Reading<'_>,
        glance: &Glance,
    ) -> (Tally, i64) {
        let values = sieve.values();
        match self {
            Self::HanFu(rules) => {
                let fu = || sieve.fu(rules, reading, glance);
                let (sum, points) = rules.sum(values, lines, reading, fu);
                (Tally::HanFu(sum), points)
            }
            Self::Doubles(rules) => {
                let (sum, points) = rules.sum(values, lines);
                (Tally::Doubles(sum), points)
            }
            Self::Fan(rules) => {
                let (sum, points) = rules.sum(values, lines);
                (Tally::Fan(sum), points)
            }
        }
    }
}

/// How the points of a hand came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Tally {
    /// In points and doubles.
    Doubles(Doubles),
    /// In fan.
    Fan(Fan),
    /// In han and fu.
    HanFu(HanFu),
}

impl Tally {
    /// What decides between two readings: points, then in doubles limit hands and the sum before
    /// rounding and limit, in fan the fan.
    fn worth(&self, points: i64) -> Worth {
        match self {
            Self::Doubles(sum) => (points, i64::from(sum.limit_hands), sum.uncapped),
            Self::Fan(sum) => (points, 0, sum.fan.tenths()),
            Self::HanFu(sum) => {
                let (limits, han) = (i64::from(sum.limits), i64::from(sum.han));
                (points, limits, han * 1000 + i64::from(sum.fu))
            }
        }
    }

    /// True when the hand is worth enough to win.
    pub const fn wins(&self) -> bool {
        match self {
            Self::Doubles(sum) => sum.wins,
            Self::Fan(sum) => sum.wins,
            Self::HanFu(sum) => sum.wins,
        }
    }
}

impl ScoreRules {
    /// True when a complete hand may be no win: a minimum, or flags that some readings rule out.
    pub(crate) fn must_score_to_win(&self) -> bool {
        let has_minimum = match &self.family {
            ScoreFamily::Fan(_) | ScoreFamily::HanFu(_) => true,
            ScoreFamily::Doubles(rules) => rules.minimum > 0,
        };
        has_minimum || !self.flag_readings.is_empty()
    }
}

/// A hand to be scored.
#[derive(Clone, Copy, Debug)]
pub struct ScoreInput<'a> {
    /// The hand without the winning tile.
    pub hand: &'a Hand,
    /// The seat.
    pub seat: Seat,
    /// The wind of the round.
    pub round: Wind,
    /// The win, `None` for a hand that did not win.
    pub win: Option<&'a Win>,
    /// Indicators (bonus tiles) that lie face up; empty where a ruleset has none.
    pub bonus: &'a [Tile],
    /// Indicators under them; empty where a ruleset has none.
    pub ura: &'a [Tile],
    /// Counters on the table.
    pub counters: u32,
}

impl<'a> ScoreInput<'a> {
    /// A hand without indicators and counters.
    pub const fn new(hand: &'a Hand, seat: Seat, round: Wind, win: Option<&'a Win>) -> Self {
        Self {
            hand,
            seat,
            round,
            win,
            bonus: &[],
            ura: &[],
            counters: 0,
        }
    }
}

/// The worth of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Points before settlement.
    pub points: i64,
    /// How they came about.
    pub tally: Tally,
    /// The patterns that counted, in the ruleset's order.
    pub lines: Lines,
    /// The groups of the reading that counted, declared melds included, in byte order of their
    /// notation.
    pub arrangement: List<Group, 8>,
    /// The concealed tiles of a form that has no groups.
    pub singles: Option<Counts>,
    /// Some declared meld is open.
    pub is_open: bool,
}

/// A hand that has no score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// The tiles are no winning form, or the winning tile may not complete them.
    #[error("the tiles are no win")]
    NotAWin,
    /// A complete hand that is not worth enough.
    #[error("the hand is not worth enough to win")]
    BelowMinimum(Box<Score>),
    /// The ruleset scores winners only.
    #[error("only the winner's hand has a score")]
    NotScored,
}

impl ScoreError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAWin => "not-a-win",
            Self::BelowMinimum(_) => "below-minimum",
            Self::NotScored => "bad-request",
        }
    }
}

/// Points and what decides between readings of as many, the most first.
type Worth = (i64, i64, i64);

/// What the best reading so far came to.
struct Found {
    worth: Worth,
    points: i64,
    tally: Tally,
    groups: List<Group, 8>,
    winning_rank: u8,
    /// It has no groups among the concealed tiles.
    is_single: bool,
}

impl Found {
    /// True when this reading counts and not another that is worth no less: that is worth the same, and
    /// the keys of whose groups in order, then the place of the last tile, are not before this one's.
    /// Source: `spec/woo.md` §8.6.
    fn is_before(&self, other: &Self) -> bool {
        if self.worth != other.worth {
            return false;
        }
        let keys = |found: &Self| found.sorted().map(|sorted| sorted >> 8);
        let order = if self.groups == other.groups {
            Ordering::Equal
        } else {
            keys(self).cmp(&keys(other))
        };
        order
            .then(self.winning_rank.cmp(&other.winning_rank))
            .is_le()
    }

    /// The keys of the groups in order, and in their lowest bits where the groups are; after them the
    /// highest number.
    fn sorted(&self) -> [u64; 8] {
        // Places are counted instead of moving keys about: no comparison is a guess.
        let (mut keys, mut places) = ([0; 8], [0; 8]);
        for (i, group) in self.groups.iter().enumerate().take(8) {
            let key = group.key() << 8 | i as u64;
            for (other, place) in keys[..i].iter().zip(&mut places) {
                *place += usize::from(*other > key);
            }
            places[i] = keys[..i]
                .iter()
                .map(|&other| usize::from(other < key))
                .sum();
            keys[i] = key;
        }
        let mut sorted = [u64::MAX; 8];
        for (key, place) in keys.into_iter().zip(places).take(self.groups.len()) {
            sorted[place % 8] = key;
        }
        sorted
    }
}

struct Best<'a> {
    rules: &'a ScoreRules,
    /// The lines of the reading that is looked at.
    lines: Lines,
    found: Option<Found>,
    /// The lines of what was found.
    best_lines: Lines,
}

impl<'a> Best<'a> {
    fn new(rules: &'a ScoreRules) -> Self {
        Self {
            rules,
            lines: Lines::new(),
            found: None,
            best_lines: Lines::new(),
        }
    }

    /// Considers a reading that was looked at.
    fn consider(&mut self, reading: &Reading<'_>, glance: &Glance) {
        let is_ruled_out = |(flag, condition): &(usize, Condition)| {
            let is_set = reading.win.is_some_and(|win| win.flags.contains(*flag));
            is_set && !condition.holds(reading)
        };
        if self.rules.flag_readings.iter().any(is_ruled_out) {
            return;
        }
        let ScoreRules {
            sieve, patterns, ..
        } = self.rules;
        sieve.count(patterns, reading, glance, &mut self.lines);
        self.rate(reading, glance);
    }

    /// Keeps the reading with the lines found for it if it is the best so far.
    fn rate(&mut self, reading: &Reading<'_>, glance: &Glance) {
        let ScoreRules { sieve, family, .. } = self.rules;
        let (tally, points) = family.sum(sieve, &mut self.lines, reading, glance);
        let worth = tally.worth(points);
        if self.found.as_ref().is_some_and(|best| best.worth > worth) {
            return;
        }
        let found = Found {
            worth,
            points,
            tally,
            groups: reading.groups.iter().map(|group| group.group).collect(),
            winning_rank: winning_rank(reading),
            is_single: reading.form > 0 && reading.groups.iter().all(|group| group.declared),
        };
        if !self
            .found
            .as_ref()
            .is_some_and(|best| best.is_before(&found))
        {
            self.found = Some(found);
            std::mem::swap(&mut self.lines, &mut self.best_lines);
        }
    }

    /// The score of the best reading of a hand with these concealed tiles.
    fn score(self, hand: &Hand, concealed: &Counts) -> Option<Score> {
        let found = self.found?;
        let mut arrangement = found.groups;
        for (group, sorted) in arrangement.iter_mut().zip(found.sorted()) {
            *group = found.groups[(sorted & 0xff) as usize];
        }
        Some(Score {
            points: found.points,
            tally: found.tally,
            lines: self.best_lines,
            arrangement,
            singles: found.is_single.then_some(*concealed),
            is_open: !hand.is_closed(),
        })
    }
}

/// The winning tile in the pair, in the middle of a run, at its end, elsewhere.
fn winning_rank(reading: &Reading<'_>) -> u8 {
    match (reading.winning_group(), reading.winning_place()) {
        (Some(group), _) if group.group.family() == Family::Pair => 0,
        (_, Some(WinningPlace::Middle)) => 1,
        (_, Some(_)) => 2,
        _ => 3,
    }
}

/// Scores a hand: the reading with the most points counts, then the one with more limit hands, then
/// with the higher sum before rounding and limit, in the fan family with the most fan; among equals
/// the arrangement first in byte order, then the winning tile in the pair, in the middle of a run,
/// at its end, elsewhere. A dead hand scores nothing.
///
/// # Errors
/// [`ScoreError::BelowMinimum`] with the score when it is not worth enough;
/// [`ScoreError::NotAWin`] when the winner's tiles are no complete hand, the tile may not
/// complete it, or the hand is dead; [`ScoreError::NotScored`] for a loser where losers score nothing.
pub fn best(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> Result<Score, ScoreError> {
    if input.hand.dead {
        let reading = Reading::circumstances(set, input.hand, input.seat, input.round, input.win);
        return dead(rules, input, &reading);
    }
    if input.win.is_none() && rules.losers.is_none() {
        return Err(ScoreError::NotScored);
    }
    match find_best(rules, decomposer, set, input) {
        Some(score) if input.win.is_some() && !score.tally.wins() => {
            Err(ScoreError::BelowMinimum(Box::new(score)))
        }
        Some(score) => Ok(score),
        None => Err(ScoreError::NotAWin),
    }
}

/// True when a win is one and worth enough: as [`best`], without an error that allocates.
pub(crate) fn wins(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> bool {
    !input.hand.dead
        && find_best(rules, decomposer, set, input).is_some_and(|score| score.tally.wins())
}

/// The best reading of a hand that is not dead.
fn find_best(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> Option<Score> {
    let circumstances = Reading::circumstances(set, input.hand, input.seat, input.round, input.win);
    let circumstances = Reading {
        bonus: input.bonus,
        ura: input.ura,
        counters: input.counters,
        players: rules.win.players,
        waits: waits(rules, decomposer, set, input),
        ..circumstances
    };
    match input.win {
        Some(win) if win.tile.is_flower() => flower_win(rules, input, circumstances),
        Some(win) => winner(rules, decomposer, input, win, circumstances),
        None => loser(rules, rules.losers.as_ref()?, input, circumstances),
    }
}

/// What a dead hand is worth: nothing, and no win.
fn dead(
    rules: &ScoreRules,
    input: &ScoreInput<'_>,
    reading: &Reading<'_>,
) -> Result<Score, ScoreError> {
    if input.win.is_some() {
        return Err(ScoreError::NotAWin);
    }
    let mut lines = Lines::new();
    let glance = rules.sieve.look(reading);
    let (tally, points) = rules.family.sum(&rules.sieve, &mut lines, reading, &glance);
    Ok(Score {
        points,
        tally,
        lines,
        arrangement: List::new(),
        singles: None,
        is_open: false,
    })
}

/// Kinds that would complete a winner's other tiles, those of which the hand and its melds hold all
/// copies left out; 0 where no pattern asks.
fn waits(rules: &ScoreRules, decomposer: &Decomposer, set: &TileSet, input: &ScoreInput<'_>) -> u8 {
    if input.win.is_none() || !rules.asks_waits {
        return 0;
    }
    let declared = input.hand.melded();
    let concealed = input.hand.concealed();
    let completes = |kind: &Kind| {
        concealed.get(*kind) + declared.get(*kind) < set.copies().get(*kind)
            && decomposer.completes(input.hand, Some(*kind))
    };
    set.copies().kinds().iter().filter(completes).count() as u8
}

type Groups = List<ReadGroup, 8>;

fn declared(hand: &Hand) -> impl Iterator<Item = ReadGroup> + '_ {
    let melds = hand.melds.iter();
    melds.map(|meld| ReadGroup::new(meld.group, meld.open, true))
}

/// All tiles of a hand but flowers, its melds and these concealed tiles.
fn tiles_of(hand: &Hand, concealed: &Counts) -> Counts {
    let mut tiles = *concealed;
    for meld in hand.melds.iter() {
        for kind in meld.group.tiles() {
            tiles.try_add(kind);
        }
    }
    tiles
}

/// Leaves out the zeros that are numbers in some groups, for there they are no honours; says how many.
#[inline]
fn leave_out_zeros(tiles: &mut Counts, groups: &[ReadGroup]) -> u8 {
    let groups = groups.iter().map(|group| group.group);
    let zeros = groups.filter(|group| group.kind() == Kind::ZERO && group.family().is_run());
    let zeros = tiles.get(Kind::ZERO).min(zeros.count() as u8);
    tiles.sub(Kind::ZERO, zeros);
    zeros
}

/// A win on a flower: whatever the hand, one of the patterns for it must hold, and they alone
/// count. Source: `spec/uzje.md` §8.4.
fn flower_win(rules: &ScoreRules, input: &ScoreInput<'_>, reading: Reading<'_>) -> Option<Score> {
    let ScoreRules {
        patterns,
        flower_wins,
        sieve,
        ..
    } = rules;
    let holds = |&place: &usize| patterns[place].holds(&reading);
    if !input.hand.held_flowers().is_empty() || !flower_wins.iter().any(holds) {
        return None;
    }
    let glance = sieve.look(&reading);
    let mut best = Best::new(rules);
    sieve.count(patterns, &reading, &glance, &mut best.lines);
    best.lines
        .retain(|line| flower_wins.contains(&usize::from(line.pattern)));
    best.rate(&reading, &glance);
    best.score(input.hand, &Counts::EMPTY)
}

fn winner<'a>(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    input: &ScoreInput<'a>,
    win: &'a Win,
    circumstances: Reading<'a>,
) -> Option<Score> {
    let hand = input.hand;
    let kind = win.tile.kind()?;
    let whole = hand.concealed().with(kind)?;
    if !hand.held_flowers().is_empty() {
        return None;
    }
    let holding = Holding {
        concealed: whole,
        ..Holding::from(hand)
    };
    let mut best = Best::new(rules);
    let mut glance = Glance::new();
    let tiles = tiles_of(hand, &whole);
    // Zeros used as numbers in the arrangement for which the hand was looked at.
    let mut looked_with = None;
    let _ = decomposer.arrangements(&holding, |arrangement| {
        let concealed = arrangement.groups.len();
        let mut groups = Groups::new();
        for &group in arrangement.groups.iter() {
            groups.push(ReadGroup::new(group, false, false));
        }
        declared(hand).for_each(|group| groups.push(group));
        let mut tiles = tiles;
        let number_zeros = leave_out_zeros(&mut tiles, &groups);
        let mut reading = Reading {
            groups: &groups,
            form: arrangement.form,
            tiles,
            number_zeros,
            ..circumstances.clone()
        };
        if looked_with != Some(number_zeros) {
            rules.sieve.look_at_hand(&reading, &mut glance);
            looked_with = Some(number_zeros);
        }
        rules.sieve.look_at_groups(&reading, &mut glance);
        let mut read = |winning| {
            reading.winning = winning;
            rules.sieve.look_at_reading(&reading, &mut glance);
            best.consider(&reading, &glance);
        };
        if concealed == 0 {
            read(None);
        }
        let with_kind = arrangement.groups.iter().map(|group| group.contains(kind));
        let mut with_kind = with_kind
            .rev()
            .fold(0_u32, |all, has| all << 1 | u32::from(has));
        while with_kind != 0 {
            let i = with_kind.trailing_zeros() as usize;
            with_kind &= with_kind - 1;
            let group = arrangement.groups[i];
            // The same group again reads the same.
            let again = arrangement.groups[..i].contains(&group);
            if !again && rules.win.allows(group, input.seat, win) {
                read(Some(i));
            }
        }
        ControlFlow::Continue(())
    });
    best.score(hand, &whole)
}

fn loser<'a>(
    rules: &ScoreRules,
    losers: &LoserRules,
    input: &ScoreInput<'a>,
    circumstances: Reading<'a>,
) -> Option<Score> {
    let hand = input.hand;
    let concealed = hand.concealed();
    let mut groups = Groups::new();
    let mut add = |group| groups.push(ReadGroup::new(group, false, false));
    for kind in concealed.at_least(3).iter() {
        let kong = losers.kongs && concealed.get(kind) == 4;
        add(if kong {
            Group::kong(kind)
        } else {
            Group::pung(kind)
        });
    }
    let pairs = concealed.at_least(2).difference(concealed.at_least(3));
    let mut left = losers.most_pairs;
    let mut taken = crate::set::KindSet::EMPTY;
    for class in &losers.pairs {
        let fits = pairs
            .intersection(class.kinds(&circumstances))
            .difference(taken);
        for kind in fits.iter().take(left) {
            add(Group::pair(kind));
            taken.insert(kind);
            left -= 1;
        }
    }
    declared(hand).for_each(|group| groups.push(group));
    let mut tiles = tiles_of(hand, concealed);
    let number_zeros = leave_out_zeros(&mut tiles, &groups);
    let reading = Reading {
        groups: &groups,
        tiles,
        number_zeros,
        ..circumstances
    };
    let mut best = Best::new(rules);
    best.consider(&reading, &rules.sieve.look(&reading));
    best.score(hand, concealed)
}
