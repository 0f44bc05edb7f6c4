//! The fan family: a hand needs fan to win. A curve turns fan into points: each fan above a minimum is a step up the
//! preferred numbers 2, 5, 10, 20, 50, …, up to limits; or every fan is a point; or a table has the points.
//! Source: `rulesets/uzje.md` §8.2, §10.

use super::pattern::{Line, Lines, PatternValue};
use super::points::PointTable;
use crate::decimal::Decimal;

/// Parameters of the family.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FanRules {
    /// A hand needs more fan than this to win.
    pub minimum: Decimal,
    /// How fan become points.
    pub curve: FanCurve,
}

/// From fan to points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FanCurve {
    /// Each fan above the minimum is a step up the preferred numbers.
    Preferred {
        /// Points of one limit.
        limit: i64,
        /// How many more fan make another limit.
        fan_per_limit: u32,
    },
    /// A point for each fan.
    Plain,
    /// The points that a table gives. Below its first row a hand is worth nothing.
    Table {
        /// From fan to points.
        table: PointTable,
        /// Points of one limit.
        limit: i64,
    },
}

impl FanCurve {
    /// Points of `limits` limits.
    fn limits(&self, limits: i64) -> i64 {
        match *self {
            Self::Preferred { limit, .. } | Self::Table { limit, .. } => {
                limits.saturating_mul(limit)
            }
            Self::Plain => limits,
        }
    }
}

/// What the patterns of a hand add up to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Fan {
    /// Fan, including those that do not count towards the minimum. 0 if patterns worth limits count instead.
    pub fan: Decimal,
    /// Limits: those of patterns, or those that the fan reach.
    pub limits: u32,
    /// The hand is worth enough to win.
    pub wins: bool,
}

/// The most steps above the minimum. Sums stop here instead of overflowing.
const MAX_STEPS: i64 = 1_000_000;

/// The n-th number of 2, 5, 10, 20, 50, 100, …. Far beyond any limit it stops rising.
fn preferred(n: u32) -> i64 {
    [2, 5, 10][n as usize % 3] * 10_i64.pow((n / 3).min(12))
}

impl FanRules {
    /// The least fan that wins.
    pub fn least(&self) -> Decimal {
        Decimal::from_tenths(self.minimum.tenths() + 1)
    }

    /// What a hand of so many fan is worth, without patterns that are worth limits: the points, and the limits that the fan
    /// reach. 0 points if they do not win.
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::decimal::Decimal;
    /// use paishan::score::ScoreFamily;
    /// let uzje = Rules::by_id("uzje")?;
    /// let ScoreFamily::Fan(rules) = uzje.plan().score().family() else { unreachable!() };
    /// assert_eq!(rules.worth(Decimal::from_tenths(26)), (2, 0));
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    pub fn worth(&self, fan: Decimal) -> (i64, u32) {
        let mut lines: Lines = std::iter::once(Line {
            pattern: 0,
            times: 1,
        })
        .collect();
        let (sum, points) = self.sum(&[PatternValue::Fan(fan)], &mut lines);
        (points, sum.limits)
    }

    /// The fan, or the limits, that a pattern adds each time it counts.
    pub(crate) fn value(&self, value: PatternValue) -> Decimal {
        match value {
            PatternValue::Fan(fan) | PatternValue::BonusFan(fan) => fan,
            PatternValue::LeastFan => self.least(),
            PatternValue::Limits(limits) => Decimal::whole(i64::from(limits)),
            _ => Decimal::default(),
        }
    }

    /// Adds up lines. Returns the sum and the points. If some patterns are worth limits, the lines of all
    /// others are dropped. `values` are those of all patterns.
    pub(super) fn sum(&self, values: &[PatternValue], lines: &mut Lines) -> (Fan, i64) {
        let value_of = |pattern: u16| values[usize::from(pattern)];
        let is_limit = |pattern| matches!(value_of(pattern), PatternValue::Limits(_));
        if lines.iter().any(|line| is_limit(line.pattern)) {
            lines.retain(|line| is_limit(line.pattern));
        }
        let (mut tenths, mut bonus, mut limits) = (0, 0, 0);
        for line in lines.iter() {
            let times = i64::from(line.times);
            match value_of(line.pattern) {
                PatternValue::Limits(value) => limits += i64::from(value) * times,
                PatternValue::BonusFan(fan) => bonus += fan.tenths() * times,
                value => tenths += self.value(value).tenths() * times,
            }
        }
        let mut sum = Fan {
            fan: Decimal::from_tenths(tenths + bonus),
            limits: limits as u32,
            wins: true,
        };
        if limits > 0 {
            return (sum, self.curve.limits(limits));
        }
        if tenths <= self.minimum.tenths() {
            sum.wins = false;
            return (sum, 0);
        }
        let tenths = tenths + bonus;
        let (limit, fan_per_limit) = match &self.curve {
            &FanCurve::Preferred {
                limit,
                fan_per_limit,
            } => (limit, fan_per_limit),
            FanCurve::Plain => return (sum, tenths / 10),
            FanCurve::Table { table, .. } => return (sum, table.of(sum.fan).unwrap_or(0)),
        };
        let steps = ((tenths - self.minimum.tenths()) / 10).min(MAX_STEPS) as u32;
        let first = (0..).find(|&step| preferred(step) >= limit);
        match first {
            Some(first) if steps >= first => {
                sum.limits = 1 + (steps - first) / fan_per_limit.max(1);
                (sum, self.curve.limits(i64::from(sum.limits)))
            }
            _ => (sum, preferred(steps)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(minimum: i64, limit: i64) -> FanRules {
        FanRules {
            minimum: Decimal::from_tenths(minimum),
            curve: FanCurve::Preferred {
                limit,
                fan_per_limit: 3,
            },
        }
    }

    fn points(rules: &FanRules, tenths: i64) -> (i64, u32) {
        let values = [PatternValue::Fan(Decimal::from_tenths(tenths))];
        let mut lines: Lines = [Line {
            pattern: 0,
            times: 1,
        }]
        .into_iter()
        .collect();
        let (sum, points) = rules.sum(&values, &mut lines);
        assert_eq!(sum.wins, points > 0);
        (points, sum.limits)
    }

    /// The table of preferred numbers, and values between its rows.
    #[test]
    fn fan_climb_the_preferred_numbers() {
        let rules = rules(25, 5000);
        let table = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
        for (fan, want) in (3..).zip(table) {
            for tenths in [10 * fan - 4, 10 * fan, 10 * fan + 4] {
                assert_eq!(points(&rules, tenths), (want, 0), "{tenths} tenths");
            }
        }
        for (fan, limits) in [
            (13, 1),
            (15, 1),
            (16, 2),
            (18, 2),
            (19, 3),
            (22, 4),
            (24, 4),
        ] {
            assert_eq!(points(&rules, 10 * fan), (5000 * i64::from(limits), limits));
        }
        assert_eq!(points(&rules, 24), (0, 0));
        assert_eq!(points(&rules, 0), (0, 0));
    }

    #[test]
    fn a_limit_between_two_numbers_caps_from_the_next_on() {
        let rules = rules(5, 8000);
        // 2 5 10 20 50 100 200 500 1000 2000 5000 10000
        assert_eq!(points(&rules, 10 * 11), (5000, 0));
        assert_eq!(points(&rules, 10 * 12), (8000, 1));
        assert_eq!(points(&rules, 10 * 15), (16000, 2));
    }

    /// Bonus fan are paid but do not count towards the minimum.
    #[test]
    fn plain_fan_are_points() {
        let rules = FanRules {
            minimum: Decimal::from_tenths(79),
            curve: FanCurve::Plain,
        };
        let fan = |fan| PatternValue::Fan(Decimal::whole(fan));
        let values = [fan(6), PatternValue::BonusFan(Decimal::whole(1)), fan(2)];
        let sum = |times: [u16; 3]| {
            let lines = (0..).zip(times).filter(|(_, times)| *times > 0);
            let mut lines: Lines = lines
                .map(|(pattern, times)| Line { pattern, times })
                .collect();
            let (sum, points) = rules.sum(&values, &mut lines);
            (sum.fan, sum.wins, points)
        };
        assert_eq!(sum([1, 5, 0]), (Decimal::whole(11), false, 0));
        assert_eq!(sum([1, 5, 1]), (Decimal::whole(13), true, 13));
        assert_eq!(sum([1, 0, 1]), (Decimal::whole(8), true, 8));
    }

    #[test]
    fn a_table_tells_points() {
        let rows = [(1, 4), (5, 8), (7, 12)];
        let rows = rows.map(|(fan, points)| (Decimal::whole(fan), points));
        let rules = FanRules {
            minimum: Decimal::from_tenths(0),
            curve: FanCurve::Table {
                table: PointTable::new(rows.to_vec()).unwrap(),
                limit: 12,
            },
        };
        let fan = [10, 49, 50, 69, 70, 990].map(|tenths| points(&rules, tenths).0);
        assert_eq!(fan, [4, 4, 8, 8, 12, 12]);
        let values = [PatternValue::Limits(2)];
        let mut lines: Lines = smallvec::smallvec![Line {
            pattern: 0,
            times: 1
        }];
        assert_eq!(rules.sum(&values, &mut lines).1, 24);
    }

    #[test]
    fn limits_count_alone() {
        let values = [
            PatternValue::Fan(Decimal::whole(50)),
            PatternValue::Limits(2),
            PatternValue::Limits(1),
        ];
        let mut lines: Lines = (0..3).map(|pattern| Line { pattern, times: 1 }).collect();
        let (sum, points) = rules(25, 5000).sum(&values, &mut lines);
        assert_eq!((points, sum.limits, sum.fan.tenths()), (15_000, 3, 0));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn absurd_values_do_not_overflow() {
        let values = [PatternValue::Fan(Decimal::whole(1_000_000))];
        let mut lines: Lines = [Line {
            pattern: 0,
            times: 255,
        }]
        .into_iter()
        .collect();
        let (_, points) = rules(25, 1_000_000).sum(&values, &mut lines);
        assert!(points > 0);
    }
}
