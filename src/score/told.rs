//! A score in words: the patterns that counted with their values, the groups, and the total.

use super::{Amounts, Pattern, PatternValue, Score, ScoreFamily, ScoreRules, Sums, Tally};
use crate::decimal::{Decimal, Number};
use crate::notation::Notation;
use crate::tile::Tile;

/// A pattern that counted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Counted<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// How often the pattern counted.
    pub times: u32,
    /// The value each time: what it adds to the first column to which it adds something. Limits that do not count alone
    /// have the value of one limit.
    pub each: Number,
}

impl ScoreRules {
    /// The patterns of a score with their values, in the ruleset's order. Lines of other rules are left out.
    pub fn told<'a>(&'a self, score: &'a Score) -> impl Iterator<Item = Counted<'a>> {
        score.lines.iter().filter_map(|line| {
            let pattern = self.pattern(line)?;
            let each = match (self.family(), pattern.value) {
                (ScoreFamily::Sums(rules), PatternValue::Sums(amounts)) => {
                    match (amounts.first(), rules.limits_alone) {
                        (Some((_, amount)), _) => rules.number(amount),
                        (None, true) => rules.number(Decimal::whole(amounts.limits.into())),
                        (None, false) => rules.limit.unwrap_or_default().into(),
                    }
                }
                (
                    _,
                    PatternValue::Limits(n) | PatternValue::BonusHan(n) | PatternValue::HanAlone(n),
                ) => Number::from(i64::from(n)),
                (_, value) => i64::from(value.han(!score.is_open)).into(),
            };
            let times = u32::from(line.times);
            Some(Counted {
                pattern,
                times,
                each,
            })
        })
    }

    /// The patterns of a score by id, as in JSON answers and logs: each once, with the product, or each time that it
    /// counts, as the ruleset says.
    #[cfg(feature = "serde")]
    pub(crate) fn listed(&self, score: &Score) -> Vec<(String, Number)> {
        let is_each = matches!(self.family(), ScoreFamily::Sums(rules) if rules.listed_each);
        let listed = self.told(score).flat_map(
            |Counted {
                 pattern,
                 times,
                 each,
             }| {
                let times = i64::from(times);
                let (value, rows) = match each {
                    each if is_each => (each, times),
                    Number::Whole(each) => (each.saturating_mul(times).into(), 1),
                    each => {
                        let tenths = each.tenths().saturating_mul(times);
                        (Decimal::from_tenths(tenths).into(), 1)
                    }
                };
                std::iter::repeat_n((pattern.id.clone(), value), rows as usize)
            },
        );
        listed.collect()
    }

    /// A value in words, such as `2 doubles` or `1 han, closed`.
    ///
    /// ```
    /// use paishan::{Rules, ruleset};
    /// let rules = Rules::by_id("woo")?;
    /// let score = &rules.plan().score();
    /// let pattern = score.patterns().iter().find(|pattern| pattern.id == "dragon-set");
    /// assert_eq!(score.in_words(pattern.expect("a pattern of `woo`").value), "1 double");
    /// # Ok::<(), ruleset::LoadError>(())
    /// ```
    pub fn in_words(&self, value: PatternValue) -> String {
        let is_han_fu = matches!(self.family(), ScoreFamily::HanFu(_));
        match value {
            PatternValue::Sums(amounts) => self.amounts_in_words(amounts),
            PatternValue::Mark => "nothing".to_owned(),
            PatternValue::Limits(1) if is_han_fu => "limit hand".to_owned(),
            PatternValue::Limits(limits) if is_han_fu => format!("{limits} × limit hand"),
            PatternValue::Limits(limits) => limits_in_words(limits),
            PatternValue::Han { closed, open } if closed == open => format!("{closed} han"),
            PatternValue::Han { closed, open: 0 } => format!("{closed} han, closed"),
            PatternValue::Han { closed, open } => format!("{closed} han, open {open}"),
            PatternValue::BonusHan(han) => format!("{han} han, no yaku"),
            PatternValue::HanAlone(han) => format!("{han} han, alone"),
        }
    }
}

/// A number of limits in words.
fn limits_in_words(limits: u32) -> String {
    match limits {
        1 => "1 limit".to_owned(),
        limits => format!("{limits} limits"),
    }
}

impl ScoreRules {
    /// The sum of a column, if the ruleset has it.
    pub(crate) fn sum_named(&self, column: &str, sums: &Sums) -> Option<Number> {
        let ScoreFamily::Sums(rules) = self.family() else {
            return None;
        };
        let place = rules.column(column)?;
        Some(rules.number(sums.columns[place]))
    }

    /// What a pattern adds to the columns, in words.
    fn amounts_in_words(&self, amounts: Amounts) -> String {
        let ScoreFamily::Sums(rules) = self.family() else {
            return limits_in_words(amounts.limits);
        };
        let columns = amounts.columns().into_iter().zip(&rules.shown);
        let there = columns.filter(|(amount, _)| amount.tenths() != 0);
        let mut parts: Vec<String> = there.map(|(amount, name)| counted(amount, name)).collect();
        match (amounts.limits, rules.limits_alone, rules.limit) {
            (0, ..) => {}
            (limits, true, _) => parts.push(limits_in_words(limits)),
            (_, _, Some(limit)) if parts.is_empty() => parts.push(format!("limit, {limit}")),
            _ => parts.push("limit".to_owned()),
        }
        match parts.is_empty() {
            true => "0".to_owned(),
            false => parts.join(" and "),
        }
    }
}

/// An amount of a column in words: `1 double`, `2 doubles`, `1 fan`. The first word of the name in the plural loses its `s`
/// for one: `1 double of the bonus`.
pub(crate) fn counted(amount: Decimal, name: &str) -> String {
    if amount != Decimal::whole(1) {
        return format!("{amount} {name}");
    }
    let is_plural = |word: &str| {
        let is_singular = word.ends_with("us") || word.ends_with("ss");
        word.len() > 1 && word.ends_with('s') && !is_singular
    };
    let mut words: Vec<&str> = name.split(' ').collect();
    if let Some(word) = words.iter_mut().find(|word| is_plural(word)) {
        *word = &word[..word.len() - 1];
    }
    format!("{amount} {}", words.join(" "))
}

impl ScoreRules {
    /// What the patterns of a score add up to, before the points: `base 12, doubles 2: 48`, `3 han 40 fu`.
    pub fn sum_in_words(&self, score: &Score) -> String {
        match (&score.tally, self.family()) {
            (Tally::Sums(sum), ScoreFamily::Sums(rules)) => {
                let columns = sum.columns.iter().zip(&rules.shown);
                let there = columns.filter(|(amount, _)| amount.tenths() != 0);
                let there: Vec<_> = there.collect();
                // A hand of several columns, or of one that a formula turns into something else.
                let is_plain = match there[..] {
                    [] => rules.names.len() == 1,
                    [(amount, _)] => rules.names.len() == 1 || *amount == sum.worth,
                    _ => false,
                };
                let mut text = match there[..] {
                    [] if is_plain => counted(Decimal::default(), &rules.shown[0]),
                    [] => "nothing".to_owned(),
                    [(amount, name)] if is_plain => counted(*amount, name),
                    _ => {
                        let told = there
                            .iter()
                            .map(|(amount, name)| format!("{name} {amount}"));
                        told.collect::<Vec<_>>().join(", ")
                    }
                };
                if sum.limits > 0 && (rules.limits_alone || !sum.limit_hand) {
                    text.push_str(&format!(", {}", limits_in_words(sum.limits)));
                }
                if !(is_plain || sum.limit_hand && rules.limits_alone) {
                    text.push_str(&format!(": {}", sum.worth));
                    let points = Decimal::whole(score.points);
                    text.push_str(match rules.is_limit(sum, score.points) {
                        true if points < sum.worth => ", held down to the limit",
                        true => ", worth the limit",
                        false if points > sum.worth => ", rounded up",
                        false => "",
                    });
                }
                text
            }
            (Tally::Sums(sum), _) => sum.worth.to_string(),
            (Tally::HanFu(sum), _) if sum.limits > 0 => {
                self.in_words(PatternValue::Limits(sum.limits))
            }
            (Tally::HanFu(sum), family) => {
                let name = match family {
                    ScoreFamily::HanFu(rules) => rules.name(sum),
                    _ => None,
                };
                let name = name.map(|name| format!(": {name}")).unwrap_or_default();
                format!("{} han {} fu{name}", sum.han, sum.fu)
            }
        }
    }
}

impl Score {
    /// The groups of the reading that counts in a notation, in byte order. A special form is one group.
    pub fn print_groups(&self, notation: Notation) -> Vec<String> {
        let groups = self.groups.iter().map(|&group| notation.print_group(group));
        let mut groups: Vec<String> = groups.collect();
        if let Some(singles) = &self.singles {
            groups.push(notation.print(singles.iter().map(Tile::plain)));
        }
        groups.sort();
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_column_is_named_in_the_singular() {
        let said = |number: i64, name: &str| counted(Decimal::whole(number), name);
        for (name, one) in [
            ("doubles", "1 double"),
            ("bonus doubles", "1 bonus double"),
            ("doubles of the bonus", "1 double of the bonus"),
            ("bonus points", "1 bonus point"),
            ("bonus", "1 bonus"),
            ("fan", "1 fan"),
        ] {
            assert_eq!(said(1, name), one);
            assert_eq!(said(3, name), format!("3 {name}"));
        }
        assert_eq!(counted(Decimal::from_tenths(5), "points"), "0.5 points");
    }
}
