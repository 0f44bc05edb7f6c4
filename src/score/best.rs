//! Finds the reading of a hand that counts: scores every reading and keeps the best.

use super::compiled::Glance;
use super::family::Worth;
use super::pattern::Lines;
use super::reading::{ReadGroup, Reading, WaitCounts, WinningPlace};
use super::rules::stands_for;
use super::{Condition, LoserRules, Score, ScoreError, ScoreInput, ScoreRules, Tally};
use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::set::KindSet;
use crate::state::Win;
use crate::tile::Kind;
use crate::tile_set::TileSet;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The best reading so far.
struct Found {
    worth: Worth,
    points: i64,
    tally: Tally,
    winning_rank: u8,
    /// The index of the group that the winning tile completed.
    winning: Option<u8>,
    /// The concealed tiles that are in no group.
    loose: Counts,
}

/// Goes through the readings of a hand and keeps the best.
struct Best<'a> {
    rules: &'a ScoreRules,
    /// The lines of the current reading.
    lines: Lines,
    /// The concealed tiles that are in no group of the current arrangement.
    loose: Counts,
    found: Option<Found>,
    /// The lines and the groups of the best reading so far.
    best_lines: Lines,
    groups: List<Group, 8>,
}

impl<'a> Best<'a> {
    fn new(rules: &'a ScoreRules) -> Self {
        Self {
            rules,
            lines: Lines::new(),
            loose: Counts::EMPTY,
            found: None,
            best_lines: Lines::new(),
            groups: List::new(),
        }
    }

    /// Scores a reading that was looked at, and keeps it if it is the best so far.
    fn consider(&mut self, reading: &Reading<'_>, glance: &Glance) {
        let is_ruled_out = |(flag, condition): &(Option<usize>, Condition)| {
            let has = |win: &Win| flag.is_none_or(|flag| win.flags.contains(flag));
            reading.win.is_some_and(has) && !condition.holds(reading)
        };
        if self.rules.required.iter().any(is_ruled_out) {
            return;
        }
        let ScoreRules {
            compiled, patterns, ..
        } = self.rules;
        compiled.count(patterns, reading, glance, &mut self.lines);
        self.rate(reading, glance);
    }

    /// Keeps the current reading with its lines if it is the best so far.
    fn rate(&mut self, reading: &Reading<'_>, glance: &Glance) {
        let ScoreRules {
            compiled, family, ..
        } = self.rules;
        let (tally, points) = family.sum(compiled, &mut self.lines, reading, glance);
        let worth = tally.worth(points);
        if let Some(best) = &self.found {
            let order = best.worth.cmp(&worth).reverse();
            let order = order.then_with(|| {
                let ties = self.rules.ties.iter();
                let orders = ties.map(|tie| tie.order(&self.best_lines, &self.lines));
                orders.fold(Ordering::Equal, Ordering::then)
            });
            if order.then_with(|| self.order(best, reading)).is_le() {
                return;
            }
        }
        self.groups.clear();
        let groups = reading.groups.iter();
        self.groups.extend(groups.map(|group| group.group));
        self.found = Some(Found {
            worth,
            points,
            tally,
            winning_rank: winning_rank(reading),
            winning: reading.winning.map(|place| place as u8),
            loose: self.loose,
        });
        std::mem::swap(&mut self.lines, &mut self.best_lines);
    }

    /// Compares the best reading with another of equal worth; the lesser one counts. The sorted keys of their
    /// groups decide first, then the place of the winning tile. Source: `rulesets/woo.md` §8.6.
    fn order(&self, best: &Found, other: &Reading<'_>) -> Ordering {
        let groups = List::first_of(other.groups.iter().map(|group| group.group));
        let order = match self.groups == groups {
            true => Ordering::Equal,
            false => keys(&self.groups).cmp(&keys(&groups)),
        };
        order.then_with(|| best.winning_rank.cmp(&winning_rank(other)))
    }

    /// The score of the best reading.
    fn score(self, hand: &Hand) -> Option<Score> {
        let found = self.found?;
        Some(Score {
            points: found.points,
            tally: found.tally,
            lines: self.best_lines,
            groups: self.groups,
            winning: found.winning,
            singles: Some(found.loose).filter(|loose| !loose.is_empty()),
            is_open: !hand.is_closed(),
        })
    }
}

/// The keys of groups in order, padded with the highest number.
fn keys(groups: &[Group]) -> [u64; 8] {
    let mut keys = [u64::MAX; 8];
    for (key, group) in keys.iter_mut().zip(groups) {
        *key = group.key();
    }
    keys.sort_unstable();
    keys
}

/// The order of winning tiles: in the pair, in the middle of a run, at its end, elsewhere.
fn winning_rank(reading: &Reading<'_>) -> u8 {
    match (reading.winning_group(), reading.winning_place()) {
        (Some(group), _) if group.group.family() == Family::Pair => 0,
        (_, Some(WinningPlace::Middle)) => 1,
        (_, Some(_)) => 2,
        _ => 3,
    }
}

/// Scores a hand. Of all its readings one counts, decided in this order:
///
/// 1. The most points.
/// 2. In points and doubles the most limit hands, then the highest sum before rounding and limit. In fan the
///    most fan. In han and fu the most limits, then han, then fu.
/// 3. What the ruleset says ([`ScoreRules::ties`]).
/// 4. The arrangement that is first in byte order.
/// 5. The winning tile in the pair, then in the middle of a run, at its end, elsewhere.
///
/// A dead hand scores nothing.
///
/// # Errors
/// - [`ScoreError::BelowMinimum`], with the score, if the hand is not worth enough.
/// - [`ScoreError::NotAWin`] if the winner's tiles are no complete hand, if the winning tile may not complete
///   it, or if the hand is dead.
/// - [`ScoreError::NotScored`] for a loser if losers score nothing.
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

/// True when a hand is a win and worth enough. Like [`best`], but without an error that allocates.
pub(crate) fn wins(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> bool {
    !input.hand.dead
        && find_best(rules, decomposer, set, input).is_some_and(|score| score.tally.wins())
}

/// True when a hand is complete in a way that the ruleset accepts, whatever it is worth.
pub(crate) fn has_reading(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> bool {
    find_best(rules, decomposer, set, input).is_some()
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
        wild: decomposer.wild(),
        waits: waits(rules, decomposer, set, input),
        ..circumstances
    };
    match input.win {
        Some(win) if win.tile.is_flower() => flower_win(rules, input, circumstances),
        Some(win) => winner(rules, decomposer, input, win, circumstances),
        None => loser(rules, rules.losers.as_ref()?, input, circumstances),
    }
}

/// What a dead hand is worth: no points and no win.
fn dead(
    rules: &ScoreRules,
    input: &ScoreInput<'_>,
    reading: &Reading<'_>,
) -> Result<Score, ScoreError> {
    if input.win.is_some() {
        return Err(ScoreError::NotAWin);
    }
    let mut lines = Lines::new();
    let glance = rules.compiled.look(reading);
    let (tally, points) = rules
        .family
        .sum(&rules.compiled, &mut lines, reading, &glance);
    Ok(Score {
        points,
        tally,
        lines,
        groups: List::new(),
        winning: None,
        singles: None,
        is_open: false,
    })
}

/// How many kinds complete a winner's other tiles. 0 if no condition asks.
fn waits(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> WaitCounts {
    if input.win.is_none() || !rules.asks_waits {
        return WaitCounts::default();
    }
    let declared = input.hand.melded();
    let concealed = input.hand.concealed();
    let waits = decomposer.waits_of(input.hand);
    let is_left =
        |kind: &Kind| concealed.get(*kind) + declared.get(*kind) < set.copies().get(*kind);
    let kinds = set.copies().kinds();
    WaitCounts {
        open: kinds.iter().filter(is_left).count() as u8,
        left: waits.iter().filter(is_left).count() as u8,
        all: waits.len() as u8,
    }
}

type Groups = List<ReadGroup, 8>;

fn declared(hand: &Hand) -> impl Iterator<Item = ReadGroup> + '_ {
    let melds = hand.melds.iter();
    melds.map(|meld| ReadGroup::new(meld.group, meld.open, true))
}

/// All tiles of a hand but flowers: its melds and `concealed`.
fn tiles_of(hand: &Hand, concealed: &Counts) -> Counts {
    let mut tiles = *concealed;
    for meld in hand.melds.iter() {
        for kind in meld.group.tiles() {
            // With what wild tiles stand for there may be more than four of a kind.
            tiles.try_add_beyond(kind);
        }
    }
    tiles
}

/// Takes out the zeros that are numbers in some group, because they are no honours there. Returns how many.
#[inline]
fn leave_out_zeros(tiles: &mut Counts, groups: &[ReadGroup]) -> u8 {
    let groups = groups.iter().map(|group| group.group);
    let zeros = groups.filter(|group| group.kind() == Kind::ZERO && group.family().is_run());
    let zeros = tiles.get(Kind::ZERO).min(zeros.count() as u8);
    tiles.sub(Kind::ZERO, zeros);
    zeros
}

/// A win on a flower, whatever the hand. One of the patterns for it must hold, and only these patterns count.
/// Source: `rulesets/uzje.md` §8.4.
fn flower_win(rules: &ScoreRules, input: &ScoreInput<'_>, reading: Reading<'_>) -> Option<Score> {
    let ScoreRules {
        patterns,
        flower_wins,
        compiled,
        ..
    } = rules;
    let holds = |&place: &usize| patterns[place].holds(&reading);
    if !input.hand.held_flowers().is_empty() || !flower_wins.iter().any(holds) {
        return None;
    }
    let glance = compiled.look(&reading);
    let mut best = Best::new(rules);
    compiled.count(patterns, &reading, &glance, &mut best.lines);
    best.lines
        .retain(|line| flower_wins.contains(&usize::from(line.pattern)));
    best.rate(&reading, &glance);
    best.score(input.hand)
}

/// The score of a winner's hand: every arrangement, with every group that the winning tile may complete.
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
    let _ = decomposer.substitutions(&holding, |holding| {
        let stands = stands_for(decomposer, hand, kind, &holding.concealed);
        let natural = decomposer.natural();
        winner_as(
            &mut best,
            natural,
            input,
            win,
            (holding, stands),
            &circumstances,
        );
        ControlFlow::Continue(())
    });
    best.score(hand)
}

/// Goes through the readings of a winner's hand in which no tile is wild. The winning tile stands for one of some kinds.
#[inline]
fn winner_as<'a>(
    best: &mut Best<'_>,
    decomposer: &Decomposer,
    input: &ScoreInput<'a>,
    win: &'a Win,
    (holding, stands): (&Holding, KindSet),
    circumstances: &Reading<'a>,
) {
    let (hand, rules) = (input.hand, best.rules);
    let whole = holding.concealed;
    let mut glance = Glance::new();
    let tiles = tiles_of(hand, &whole);
    // How many zeros were numbers when the hand was last looked at.
    let mut looked_with = None;
    let _ = decomposer.arrangements(holding, |arrangement| {
        best.loose = match arrangement.form {
            0 => Counts::EMPTY,
            _ => arrangement.loose(&whole),
        };
        let mut groups = Groups::new();
        let concealed_groups = arrangement.groups.iter();
        groups.extend(concealed_groups.map(|&group| ReadGroup::new(group, false, false)));
        groups.extend(declared(hand));
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
            rules.compiled.look_at_hand(&reading, &mut glance);
            looked_with = Some(number_zeros);
        }
        rules.compiled.look_at_groups(&reading, &mut glance);
        let is_loose = !best.loose.kinds().intersection(stands).is_empty();
        let mut read = |winning| {
            reading.winning = winning;
            rules.compiled.look_at_reading(&reading, &mut glance);
            best.consider(&reading, &glance);
        };
        if is_loose || arrangement.groups.is_empty() {
            read(None);
        }
        let groups = arrangement.groups.iter();
        let with_kind = groups.map(|group| stands.iter().any(|kind| group.contains(kind)));
        let mut with_kind = with_kind
            .rev()
            .fold(0_u32, |all, has| all << 1 | u32::from(has));
        while with_kind != 0 {
            let i = with_kind.trailing_zeros() as usize;
            with_kind &= with_kind - 1;
            let group = arrangement.groups[i];
            // An identical group gives the same reading.
            let again = arrangement.groups[..i].contains(&group);
            if !again && rules.win.allows(group, input.seat, win) {
                read(Some(i));
            }
        }
        ControlFlow::Continue(())
    });
}

/// The score of a loser's hand. It is not complete, so [`LoserRules`] says which groups it has.
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
    let mut taken = KindSet::EMPTY;
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
    let mut tiles = tiles_of(hand, concealed);
    let number_zeros = leave_out_zeros(&mut tiles, &groups);
    let reading = Reading {
        groups: &groups,
        tiles,
        number_zeros,
        ..circumstances
    };
    let mut best = Best::new(rules);
    best.consider(&reading, &rules.compiled.look(&reading));
    best.score(hand)
}
