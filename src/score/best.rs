//! Scores every reading of a hand and keeps the best.

use super::compiled::ReadingBits;
use super::family::Worth;
use super::pattern::Lines;
use super::reading::{Reading, WinningPlace};
use super::readings::each_reading;
use super::{Score, ScoreError, ScoreInput, ScoreRules, Tally};
use crate::counts::Counts;
use crate::decompose::Decomposer;
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::tile_set::TileSet;
use std::cmp::Ordering;

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
            found: None,
            best_lines: Lines::new(),
            groups: List::new(),
        }
    }

    /// Scores a reading, given its bits, and keeps it if it is the best so far.
    fn consider(&mut self, reading: &Reading<'_>, bits: &ReadingBits, loose: &Counts) {
        let ScoreRules {
            compiled,
            family,
            patterns,
            ..
        } = self.rules;
        if !self.rules.allows(reading) {
            return;
        }
        compiled.count(patterns, reading, bits, &mut self.lines);
        self.rules.keep_flower_wins(reading, &mut self.lines);
        let (tally, points) = family.sum(compiled, &mut self.lines, reading, bits);
        let worth = family.order(&tally, points);
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
            loose: *loose,
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
/// 2. The most limits, unless limits count alone, then the highest worth before rounding and limit. In han and fu the
///    most limits, then han, then fu.
/// 3. The tie-breaks of the ruleset ([`ScoreRules::ties`]).
/// 4. The arrangement that is first in byte order.
/// 5. The winning tile in the pair, then in the middle of a run, at its end, elsewhere.
///
/// A dead hand scores nothing.
///
/// # Errors
/// - [`ScoreError::BelowMinimum`], with the score, if the hand is not worth enough.
/// - [`ScoreError::NotAWin`] if the winner's tiles are not a complete hand, if the winning tile may not complete
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
    match find_best(rules, decomposer, set, input, |_| true) {
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
    find_best(rules, decomposer, set, input, |_| true).is_some_and(|score| score.tally.wins())
}

/// True when a hand is complete in a way that the ruleset accepts, whatever it is worth.
pub(crate) fn has_reading(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> bool {
    find_best(rules, decomposer, set, input, |_| true).is_some()
}

/// The best of those readings of a hand for which `may` returns true. A dead hand has no reading.
#[inline]
pub(super) fn find_best(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
    may: impl Fn(&Reading<'_>) -> bool,
) -> Option<Score> {
    let mut best = Best::new(rules);
    each_reading(rules, decomposer, set, input, |reading, bits, loose| {
        if may(reading) {
            best.consider(reading, bits, loose);
        }
    });
    best.score(input.hand)
}

/// The score of a dead hand: no points and no win.
fn dead(
    rules: &ScoreRules,
    input: &ScoreInput<'_>,
    reading: &Reading<'_>,
) -> Result<Score, ScoreError> {
    if input.win.is_some() {
        return Err(ScoreError::NotAWin);
    }
    let mut lines = Lines::new();
    let bits = rules.compiled.bits(reading);
    let (tally, _) = rules
        .family
        .sum(&rules.compiled, &mut lines, reading, &bits);
    Ok(Score {
        points: 0,
        tally,
        lines,
        groups: List::new(),
        winning: None,
        singles: None,
        is_open: false,
    })
}
