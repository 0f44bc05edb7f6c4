//! [`Explanation`]: how the points of a hand are made up.

mod data;
mod steps;
mod text;

use super::best::find_best;
use super::facts::RuleNames;
use super::pattern::Line;
use super::reading::Reading;
use super::readings::each_reading;
use super::{
    Condition, Count, Pattern, PatternValue, Score, ScoreFamily, ScoreInput, ScoreRules, Tally,
};
use crate::decompose::Decomposer;
use crate::hand::Hand;
use crate::lang::Lang;
use crate::meld::Group;
use crate::notation::{Notation, Wording};
use crate::set::KindSet;
use crate::state::Win;
use crate::tile::{Kind, Tile};
use crate::tile_set::TileSet;
pub use data::{
    ExplainedFu, ExplainedGroup, ExplainedPattern, Explanation, LeftOut, Operation, Quantity,
    RunnerUp, Step,
};
pub(crate) use text::times;

impl ScoreRules {
    /// Explains the score of a hand.
    pub(crate) fn explain(
        &self,
        score: &Score,
        decomposer: &Decomposer,
        set: &TileSet,
        input: &ScoreInput<'_>,
        wording: Wording,
    ) -> Explanation {
        let is_other = |reading: &Reading<'_>| !score.is_like(reading);
        let second = find_best(self, decomposer, set, input, is_other);
        let mut told = Vec::new();
        each_reading(self, decomposer, set, input, |reading, _, loose| {
            if told.is_empty() && score.is_of(reading, loose) {
                told.push(self.explain_reading(score, reading, wording));
            }
        });
        // A dead hand has no reading.
        let circumstances =
            Reading::circumstances(set, input.hand, input.seat, input.round, input.win);
        let mut told = match told.pop() {
            Some(told) => told,
            None => self.explain_reading(score, &circumstances, wording),
        };
        told.runner_up = second.map(|second| self.runner_up(score, &second, input, wording));
        told
    }

    /// Why a pattern does not count: nothing if it does. `None` if there is no pattern with this id. Of the readings of the
    /// hand the one is told that lacks least.
    pub(crate) fn why_not(
        &self,
        id: &str,
        score: &Score,
        (decomposer, set): (&Decomposer, &TileSet),
        input: &ScoreInput<'_>,
        names: &RuleNames<'_>,
    ) -> Option<Vec<String>> {
        let patterns = || self.patterns.iter().filter(|pattern| pattern.id == id);
        patterns().next()?;
        if self.has_counted(score, id) {
            return Some(Vec::new());
        }
        if input.hand.dead {
            return Some(vec!["the hand is dead".to_owned()]);
        }
        let mut best: Option<Vec<String>> = None;
        let mut elsewhere = false;
        let mut left_out = None;
        each_reading(self, decomposer, set, input, |reading, _, loose| {
            if left_out.is_none() && score.is_of(reading, loose) {
                let mut all = self.left_out(score, reading, Lang::EN).into_iter();
                left_out = all.find(|one| one.id == id);
            }
            if !self.allows(reading) {
                return;
            }
            for pattern in patterns() {
                let reasons = self.missing(pattern, reading, names);
                elsewhere |= reasons.is_empty();
                if best.as_ref().is_none_or(|best| reasons.len() < best.len()) {
                    best = Some(reasons);
                }
            }
        });
        Some(match left_out {
            Some(one) => vec![one.reason],
            None if elsewhere => {
                vec!["the hand has it in another reading, which is worth less".to_owned()]
            }
            None => best.unwrap_or_default(),
        })
    }

    /// What a reading lacks for a pattern.
    fn missing(
        &self,
        pattern: &Pattern,
        reading: &Reading<'_>,
        names: &RuleNames<'_>,
    ) -> Vec<String> {
        if pattern.value.is_off() {
            return vec!["it is switched off".to_owned()];
        }
        let missing = pattern
            .when
            .as_ref()
            .map(|when| when.missing(reading, names));
        let mut missing = missing.unwrap_or_default();
        let is_open = !reading.hand.is_closed();
        if let PatternValue::Han { open: 0, .. } = pattern.value
            && is_open
        {
            missing.push("it does not count in an open hand".to_owned());
        }
        if missing.is_empty() && pattern.times(reading) == 0 {
            missing.push("there is nothing that it counts".to_owned());
        }
        missing
    }

    /// Explains a score by the reading that counted.
    fn explain_reading(
        &self,
        score: &Score,
        reading: &Reading<'_>,
        wording: Wording,
    ) -> Explanation {
        let Wording { notation, lang } = wording;
        let fu = self.explain_fu(score, reading, notation);
        Explanation {
            headline: self.headline(score, reading),
            points: score.points,
            wins: reading.win.is_some() && score.tally.wins(),
            split: self.split(score, reading),
            groups: self.explain_groups(score, reading.hand, reading.win, notation),
            patterns: self.explain_patterns(score, reading, wording),
            steps: self.steps(score, reading, &fu, lang),
            fu,
            left_out: self.left_out(score, reading, lang),
            runner_up: None,
        }
    }

    fn explain_groups(
        &self,
        score: &Score,
        hand: &Hand,
        win: Option<&Win>,
        notation: Notation,
    ) -> Vec<ExplainedGroup> {
        let declared_from = score.groups.len().saturating_sub(hand.melds.len());
        let is_claimed = win.is_some_and(|win| !win.is_self_draw());
        let groups = score.groups.iter().enumerate().map(|(place, &group)| {
            let winning = score.winning.map(usize::from) == Some(place);
            let meld = place.checked_sub(declared_from);
            let meld = meld.and_then(|meld| hand.melds.get(meld));
            ExplainedGroup {
                tiles: notation.print_group(group),
                family: Some(group.family().word().to_owned()),
                declared: meld.is_some(),
                open: meld.map_or(winning && is_claimed, |meld| meld.open),
                winning,
            }
        });
        let singles = score.singles.iter().map(|singles| {
            let kind = win.and_then(|win| win.tile.kind());
            ExplainedGroup {
                tiles: notation.print(singles.iter().map(Tile::plain)),
                family: None,
                declared: false,
                open: false,
                winning: score.winning.is_none() && kind.is_some_and(|kind| singles.get(kind) > 0),
            }
        });
        groups.chain(singles).collect()
    }

    fn explain_patterns(
        &self,
        score: &Score,
        reading: &Reading<'_>,
        wording: Wording,
    ) -> Vec<ExplainedPattern> {
        let explained = self.told(score).map(|counted| {
            let Pattern { when, per, .. } = counted.pattern;
            ExplainedPattern {
                id: counted.pattern.id.clone(),
                name: counted.pattern.names.get(wording.lang).to_owned(),
                times: counted.times,
                value: self.in_words(counted.pattern.value),
                made_of: made_of(when.as_ref(), per.as_ref(), reading, wording.notation),
                doc: counted.pattern.doc.clone(),
                src: counted.pattern.src.clone(),
            }
        });
        explained.collect()
    }

    fn explain_fu(
        &self,
        score: &Score,
        reading: &Reading<'_>,
        notation: Notation,
    ) -> Vec<ExplainedFu> {
        let (ScoreFamily::HanFu(rules), Tally::HanFu(sum)) = (&self.family, &score.tally) else {
            return Vec::new();
        };
        if sum.limits > 0 {
            return Vec::new();
        }
        let rows = rules.fu.iter().map(|row| (row, row.times(reading)));
        let counted = rows.filter(|&(_, times)| times > 0);
        // If a row fixes the fu, no other row counts.
        let exact = counted.clone().find(|(row, _)| row.exact);
        let all: Vec<_> = exact.map_or_else(|| counted.collect(), |exact| vec![exact]);
        let explained = all.into_iter().map(|(row, times)| ExplainedFu {
            id: row.id.clone(),
            times: times as u32,
            fu: row.fu,
            made_of: made_of(row.when.as_ref(), row.per.as_ref(), reading, notation),
            doc: row.doc.clone(),
            src: row.src.clone(),
        });
        explained.collect()
    }

    /// Patterns that hold for the reading and have no line.
    fn left_out(&self, score: &Score, reading: &Reading<'_>, lang: Lang) -> Vec<LeftOut> {
        let counts = |place: usize| {
            let mut lines = score.lines.iter();
            lines.any(|line| usize::from(line.pattern) == place)
        };
        let holds =
            |(place, pattern): &(usize, &Pattern)| !counts(*place) && pattern.times(reading) > 0;
        let mut left_out = Vec::new();
        for (place, pattern) in self.patterns.iter().enumerate().filter(holds) {
            let supersedes = |line: &&Line| {
                let pattern = self.pattern(line);
                pattern.is_some_and(|pattern| pattern.supersedes.contains(&place))
            };
            let by = score.lines.iter().filter(supersedes);
            let by = by.filter_map(|line| self.pattern(line));
            let by: Vec<&Pattern> = by.collect();
            let is_limit = |line: &Line| self.pattern(line).is_some_and(|one| one.value.is_limit());
            let reason = if !by.is_empty() {
                let names: Vec<&str> = by.iter().map(|one| one.names.get(lang)).collect();
                format!("counted in {}", names.join(", "))
            } else if reading.last().is_none() && reading.win.is_some() {
                "the hand wins on a flower".to_owned()
            } else if score.lines.iter().any(is_limit) {
                "the hand is a limit hand".to_owned()
            } else if !pattern.combines.is_empty() {
                "its melds count for other patterns".to_owned()
            } else {
                "other patterns count in its place".to_owned()
            };
            left_out.push(LeftOut {
                id: pattern.id.clone(),
                name: pattern.names.get(lang).to_owned(),
                value: self.in_words(pattern.value),
                reason,
                by: by.into_iter().map(|pattern| pattern.id.clone()).collect(),
            });
        }
        left_out
    }

    fn runner_up(
        &self,
        best: &Score,
        second: &Score,
        input: &ScoreInput<'_>,
        wording: Wording,
    ) -> RunnerUp {
        let [won, lost] = [best, second].map(|score| self.family.order(&score.tally, score.points));
        let (sum, best_sum) = (self.sum_in_words(second), self.sum_in_words(best));
        let reason = if lost.0 < won.0 {
            format!("{} points instead of {}", lost.0, won.0)
        } else if lost < won {
            format!("as many points, but {sum} instead of {best_sum}")
        } else {
            "worth as much; the other arrangement comes first".to_owned()
        };
        RunnerUp {
            groups: self.explain_groups(second, input.hand, input.win, wording.notation),
            patterns: self
                .told(second)
                .map(|one| one.pattern.id.clone())
                .collect(),
            names: self
                .told(second)
                .map(|one| one.pattern.names.get(wording.lang).to_owned())
                .collect(),
            points: second.points,
            sum,
            reason,
        }
    }
}

/// The groups and tiles of a reading that make a pattern or a row of fu.
fn made_of(
    when: Option<&Condition>,
    per: Option<&Count>,
    reading: &Reading<'_>,
    notation: Notation,
) -> Vec<String> {
    let of = [
        when.map(|when| when.parts(reading)),
        per.map(|per| per.parts(reading)),
    ];
    let (mut groups, mut kinds) = (0, KindSet::EMPTY);
    for parts in of.into_iter().flatten() {
        groups |= parts.groups;
        kinds = kinds.union(parts.kinds);
    }
    let chosen = reading.groups.iter().enumerate();
    let chosen = chosen.filter(|(place, _)| groups >> place & 1 == 1);
    let mut all: Vec<String> = chosen
        .map(|(_, group)| notation.print_group(group.group))
        .collect();
    let is_alone = |kind: &Kind| {
        let mut chosen = (0..reading.groups.len()).filter(|place| groups >> place & 1 == 1);
        !chosen.any(|place| reading.groups[place].group.contains(*kind))
    };
    let tiles = kinds.iter().filter(is_alone);
    let tiles: Vec<Tile> = tiles
        .flat_map(|kind| std::iter::repeat_n(Tile::plain(kind), reading.held(kind).into()))
        .collect();
    if !tiles.is_empty() {
        all.push(notation.print(tiles));
    }
    all
}

impl Score {
    /// True for a reading with the same groups of which the winning tile completed the same one.
    fn is_like(&self, reading: &Reading<'_>) -> bool {
        let sorted = |mut groups: Vec<Group>| {
            groups.sort_unstable_by_key(|group| group.key());
            groups
        };
        let groups = reading.groups.iter().map(|group| group.group).collect();
        let winning = reading.winning_group().map(|group| group.group);
        winning == self.winning_group() && sorted(groups) == sorted(self.groups.to_vec())
    }
}
