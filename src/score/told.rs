//! A score in words: the patterns that counted with their values, the groups, and the total.

use super::{Pattern, PatternValue, Score, ScoreFamily, ScoreRules, Tally};
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
    /// The value each time. A limit of points and doubles has the value of the cap.
    pub each: Number,
}

impl ScoreRules {
    /// The patterns of a score with their values, in the ruleset's order. Lines of other rules are left out.
    pub fn told<'a>(&'a self, score: &'a Score) -> impl Iterator<Item = Counted<'a>> {
        score.lines.iter().filter_map(|line| {
            let pattern = self.pattern(line)?;
            let each = match (self.family(), pattern.value) {
                (ScoreFamily::Fan(rules), value) => Number::from(rules.value(value)),
                (
                    ScoreFamily::HanFu(_),
                    PatternValue::Limits(n) | PatternValue::BonusHan(n) | PatternValue::HanAlone(n),
                ) => Number::from(i64::from(n)),
                (ScoreFamily::HanFu(_), value) => i64::from(value.han(!score.is_open)).into(),
                (
                    ScoreFamily::Doubles(_),
                    PatternValue::Points(n) | PatternValue::Bonus(n) | PatternValue::LimitPoints(n),
                ) => n.into(),
                (
                    ScoreFamily::Doubles(_),
                    PatternValue::Doubles(n) | PatternValue::FinalDoubles(n),
                ) => i64::from(n).into(),
                (ScoreFamily::Doubles(rules), _) => rules.limit.unwrap_or_default().into(),
            };
            let times = u32::from(line.times);
            Some(Counted {
                pattern,
                times,
                each,
            })
        })
    }

    /// The patterns of a score by id, as in JSON answers and logs. In points and doubles a pattern is listed each time
    /// it counts. In fan and han it is listed once, with the product.
    #[cfg(feature = "serde")]
    pub(crate) fn listed(&self, score: &Score) -> Vec<(String, Number)> {
        let is_each = matches!(self.family(), ScoreFamily::Doubles(_));
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
            PatternValue::Points(points) => format!("{points} points"),
            PatternValue::Bonus(points) => format!("{points} points bonus"),
            PatternValue::Doubles(1) => "1 double".to_owned(),
            PatternValue::Doubles(doubles) => format!("{doubles} doubles"),
            PatternValue::FinalDoubles(doubles) => format!("{doubles} double at the end"),
            PatternValue::LimitPoints(points) => format!("limit, {points}"),
            PatternValue::Limit => match self.family() {
                ScoreFamily::Doubles(rules) => {
                    format!("limit, {}", rules.limit.unwrap_or_default())
                }
                _ => "limit".to_owned(),
            },
            PatternValue::Fan(fan) => format!("{fan} fan"),
            PatternValue::BonusFan(fan) => format!("{fan} fan bonus"),
            PatternValue::LeastFan => "the least that wins".to_owned(),
            PatternValue::Limits(1) if is_han_fu => "limit hand".to_owned(),
            PatternValue::Limits(limits) if is_han_fu => format!("{limits} × limit hand"),
            PatternValue::Limits(1) => "1 limit".to_owned(),
            PatternValue::Limits(limits) => format!("{limits} limits"),
            PatternValue::Han { closed, open } if closed == open => format!("{closed} han"),
            PatternValue::Han { closed, open: 0 } => format!("{closed} han, closed"),
            PatternValue::Han { closed, open } => format!("{closed} han, open {open}"),
            PatternValue::BonusHan(han) => format!("{han} han, no yaku"),
            PatternValue::HanAlone(han) => format!("{han} han, alone"),
        }
    }
}

impl ScoreRules {
    /// What the patterns of a score add up to, before the points: `base 12, doubles 2: 48`, `3 han 40 fu`.
    pub fn sum_in_words(&self, score: &Score) -> String {
        match (&score.tally, self.family()) {
            (Tally::Doubles(sum), _) => {
                let mut text = format!("base {}", sum.base);
                if sum.doubles > 0 {
                    text.push_str(&format!(", doubles {}", sum.doubles));
                }
                if sum.bonus > 0 {
                    text.push_str(&format!(", bonus {}", sum.bonus));
                }
                if sum.doubles > 0 || sum.bonus > 0 {
                    text.push_str(&format!(": {}", sum.uncapped));
                }
                text.push_str(match sum.limit {
                    true if score.points < sum.uncapped => ", held down to the limit",
                    true => ", worth the limit",
                    false if score.points > sum.uncapped => ", rounded up",
                    false => "",
                });
                text
            }
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
            (Tally::Fan(sum), _) if sum.limits == 0 => format!("{} fan", sum.fan),
            (Tally::Fan(sum), _) => {
                let limits = self.in_words(PatternValue::Limits(sum.limits));
                format!("{} fan, {limits}", sum.fan)
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
