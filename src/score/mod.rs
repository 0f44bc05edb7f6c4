//! Scoring: every reading of a hand is tried against the patterns, the best one counts.

pub(crate) mod condition;
mod doubles;
pub mod facts;
mod fan;
mod han_fu;
mod pattern;
mod reading;
mod settle;
mod signature;

pub use condition::{Condition, ConditionError, Count};
pub(crate) use condition::{Dead, Tallied};
pub use doubles::{Doubles, DoublesRules};
pub use facts::FamilySet;
pub use fan::{Fan, FanRules};
pub use han_fu::{FuRow, HanFu, HanFuRules, LimitRow};
pub use pattern::{Line, Lines, Pattern, PatternStatus, PatternValue, Patterns};
pub use reading::{ReadGroup, Reading, TableFacts};
pub use settle::{
    AllPayRules, Payment, PaymentReason, Payments, RiichiRules, Settlement, SettlementRules,
};

pub(crate) use pattern::Liable;

use crate::counts::Counts;
use crate::decimal::Decimal;
use crate::decompose::{Decomposer, Holding};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::{Kind, Tile, Wind};
use crate::tile_set::TileSet;
use facts::{Class, WinningPlace};
use signature::Signature;
use smallvec::SmallVec;
use std::cmp::Reverse;
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

/// How a ruleset scores: its patterns, family and what it reads.
#[derive(Clone, Debug)]
pub struct ScoreRules {
    /// Patterns in the order of display.
    pub patterns: Patterns,
    /// The family that turns patterns into points.
    pub family: ScoreFamily,
    /// The step between values of patterns that are decimals.
    pub quantum: Decimal,
    /// Places of the patterns that win on a flower; such a win counts nothing else.
    pub(crate) flower_wins: Vec<usize>,
    /// Flags, and what a reading must be for a win with that flag.
    pub(crate) flag_readings: Vec<(usize, Condition)>,
    /// What a claimed tile may complete.
    pub win: WinRules,
    /// Some pattern asks how many kinds a hand waits for.
    pub(crate) asks_waits: bool,
    /// What losers score; `None` where they score nothing.
    pub losers: Option<LoserRules>,
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
        patterns: &[Pattern],
        lines: &mut Lines,
        reading: &Reading<'_>,
        known: Signature,
    ) -> (Tally, i64) {
        match self {
            Self::HanFu(rules) => {
                let (sum, points) = rules.sum(patterns, lines, reading, known);
                (Tally::HanFu(sum), points)
            }
            Self::Doubles(rules) => {
                let (sum, points) = rules.sum(patterns, lines);
                (Tally::Doubles(sum), points)
            }
            Self::Fan(rules) => {
                let (sum, points) = rules.sum(patterns, lines);
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

/// Orders readings that are worth the same. Source: `spec/woo.md` §8.6.
type TieBreak = ([u64; 8], u8);

/// Points and what decides between readings of as many, the most first.
type Worth = (i64, i64, i64);

/// Worth first, then what decides between equals; the least is the best.
type Rank = (Reverse<Worth>, TieBreak);

struct Best<'a> {
    rules: &'a ScoreRules,
    lines: Lines,
    /// The groups of the arrangement that is read, by what decides between equals; empty until asked.
    sorted: SmallVec<[(u64, Group); 8]>,
    found: Option<(Rank, Score)>,
}

impl<'a> Best<'a> {
    fn new(rules: &'a ScoreRules) -> Self {
        Self {
            rules,
            lines: Lines::new(),
            sorted: SmallVec::new(),
            found: None,
        }
    }

    fn consider(&mut self, reading: &Reading<'_>, known: Signature, concealed: &Counts) {
        let is_ruled_out = |(flag, condition): &(usize, Condition)| {
            let is_set = reading.win.is_some_and(|win| win.flags.contains(*flag));
            is_set && !condition.holds(reading)
        };
        if self.rules.flag_readings.iter().any(is_ruled_out) {
            return;
        }
        self.rules.patterns.count(reading, known, &mut self.lines);
        self.rate(reading, known, concealed);
    }

    /// Keeps the reading with the lines found for it if it is the best so far.
    fn rate(&mut self, reading: &Reading<'_>, known: Signature, concealed: &Counts) {
        let ScoreRules {
            patterns, family, ..
        } = self.rules;
        let (tally, points) = family.sum(patterns, &mut self.lines, reading, known);
        let worth = Reverse(tally.worth(points));
        let best = self.found.as_ref();
        if best.is_some_and(|((most, _), _)| *most < worth) {
            return;
        }
        if self.sorted.is_empty() {
            let groups = reading.groups.iter();
            self.sorted
                .extend(groups.map(|group| (group.group.key(), group.group)));
            self.sorted.sort_unstable_by_key(|(key, _)| *key);
        }
        let mut keys = [0; 8];
        for (key, (group, _)) in keys.iter_mut().zip(&self.sorted) {
            *key = *group;
        }
        let rank = (worth, (keys, winning_rank(reading)));
        if best.is_some_and(|(best, _)| *best <= rank) {
            return;
        }
        let score = Score {
            points,
            tally,
            lines: self.lines.clone(),
            arrangement: self.sorted.iter().map(|(_, group)| *group).collect(),
            singles: (reading.form > 0 && reading.groups.iter().all(|group| group.declared))
                .then_some(*concealed),
            is_open: !reading.hand.is_closed(),
        };
        self.found = Some((rank, score));
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
    let mut best = Best::new(rules);
    match input.win {
        Some(win) if win.tile.is_flower() => flower_win(rules, input, circumstances, &mut best),
        Some(win) => winner(rules, decomposer, input, win, circumstances, &mut best),
        None => loser(rules.losers.as_ref()?, input, circumstances, &mut best),
    }
    best.found.map(|(_, score)| score)
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
    let known = Signature::of(reading);
    let (tally, points) = rules
        .family
        .sum(&rules.patterns, &mut lines, reading, known);
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

type Groups = SmallVec<[ReadGroup; 8]>;

fn declared(hand: &Hand) -> impl Iterator<Item = ReadGroup> + '_ {
    let melds = hand.melds.iter();
    melds.map(|meld| ReadGroup::new(meld.group, meld.open, true))
}

/// All tiles of a reading but flowers, and how many zeros are used as numbers and left out.
fn tiles_of(whole: &Counts, groups: &[ReadGroup]) -> (Counts, u8) {
    let mut tiles = *whole;
    for group in groups {
        if group.declared {
            for kind in group.group.tiles() {
                tiles.try_add(kind);
            }
        }
    }
    let mut zeros = 0;
    for group in groups {
        if group.group.family().is_run() && group.group.kind() == Kind::ZERO {
            zeros += u8::from(tiles.try_remove(Kind::ZERO));
        }
    }
    (tiles, zeros)
}

/// A win on a flower: whatever the hand, one of the patterns for it must hold, and they alone
/// count. Source: `spec/uzje.md` §8.4.
fn flower_win(
    rules: &ScoreRules,
    input: &ScoreInput<'_>,
    reading: Reading<'_>,
    best: &mut Best<'_>,
) {
    let holds = |&place: &usize| rules.patterns[place].holds(&reading);
    if !input.hand.held_flowers().is_empty() || !rules.flower_wins.iter().any(holds) {
        return;
    }
    let known = Signature::of(&reading);
    rules.patterns.count(&reading, known, &mut best.lines);
    best.lines
        .retain(|line| rules.flower_wins.contains(&usize::from(line.pattern)));
    best.rate(&reading, known, &Counts::EMPTY);
}

fn winner<'a>(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    input: &ScoreInput<'a>,
    win: &'a Win,
    circumstances: Reading<'a>,
    best: &mut Best<'_>,
) {
    let hand = input.hand;
    let Some(kind) = win.tile.kind() else { return };
    let Some(whole) = hand.concealed().with(kind) else {
        return;
    };
    if !hand.held_flowers().is_empty() {
        return;
    }
    let holding = Holding {
        concealed: whole,
        ..Holding::from(hand)
    };
    let of_win = Signature::of_circumstances(&circumstances);
    let _ = decomposer.arrangements(&holding, |arrangement| {
        let concealed = arrangement.groups.len();
        let mut groups: Groups = arrangement
            .groups
            .iter()
            .map(|&group| ReadGroup::new(group, false, false))
            .chain(declared(hand))
            .collect();
        let (tiles, number_zeros) = tiles_of(&whole, &groups);
        let of_arrangement = Reading {
            form: arrangement.form,
            tiles,
            number_zeros,
            ..circumstances.clone()
        };
        // The same for all readings of an arrangement.
        let known = of_win.and(Signature::of_tiles(
            &of_arrangement.of_groups(&groups, None),
        ));
        best.sorted.clear();
        let mut read = |groups: &Groups, winning| {
            let reading = of_arrangement.of_groups(groups, winning);
            best.consider(&reading, known, &whole);
        };
        if concealed == 0 {
            read(&groups, None);
        }
        for i in 0..concealed {
            let group = groups[i].group;
            // The same group again reads the same.
            let again = groups[..i].iter().any(|other| other.group == group);
            if again || !group.contains(kind) || !rules.win.allows(group, input.seat, win) {
                continue;
            }
            groups[i].open = !win.is_self_draw();
            read(&groups, Some(i));
            groups[i].open = false;
        }
        ControlFlow::Continue(())
    });
}

fn loser<'a>(
    losers: &LoserRules,
    input: &ScoreInput<'a>,
    circumstances: Reading<'a>,
    best: &mut Best<'_>,
) {
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
    groups.extend(declared(hand));
    let (tiles, number_zeros) = tiles_of(concealed, &groups);
    let reading = Reading {
        groups: &groups,
        tiles,
        number_zeros,
        ..circumstances
    };
    best.consider(&reading, Signature::of(&reading), concealed);
}
