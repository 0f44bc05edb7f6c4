//! The points-and-doubles family: base points, doubles, bonus points, rounding, a limit.
//! Sources: `rulesets/woo.md` §8.4, `rulesets/traditional.md` §8.6, `rulesets/celestial.md` §8.5.

use super::pattern::{Line, PatternValue};
use super::points::PointTable;
use crate::decimal::Decimal;

/// Parameters of the family.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct DoublesRules {
    /// The least points of a limit hand. With a table a limit hand is worth the factor of the last row, up to the
    /// limit. `None` if there is no limit.
    pub limit: Option<i64>,
    /// No hand is worth more than the limit.
    pub capped: bool,
    /// Points are rounded up to a multiple of this, 1 or more. The limit applies afterwards.
    pub round_up_to: i64,
    /// Bonus points are added before the doubles.
    pub bonus_doubled: bool,
    /// Doubles that a hand needs to win. Final doubles do not count. A limit hand needs none.
    pub minimum: u32,
    /// Points that a hand needs to win, before they are doubled and without bonus points. A limit hand needs none.
    pub minimum_points: i64,
    /// Factors by the number of doubles. Below the first row, and without a table, each double multiplies by two.
    /// With a table, final doubles count like the others, and bonus points are doubled only if `bonus_doubled`.
    pub table: Option<PointTable>,
}

/// What the patterns of a hand add up to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Doubles {
    /// Points before doubling, without bonus points.
    pub base: i64,
    /// Doubles, final ones included.
    pub doubles: u32,
    /// Bonus points.
    pub bonus: i64,
    /// It is a limit hand, or its points are capped at the limit.
    pub limit: bool,
    /// How many patterns make it a limit hand.
    pub limit_hands: u32,
    /// Points before rounding and limit.
    pub uncapped: i64,
    /// The hand is worth enough to win.
    pub wins: bool,
}

/// The most doubles and points. Sums stop here instead of overflowing.
pub(super) const MAX_DOUBLES: u32 = 30;
pub(super) const MAX_POINTS: i64 = 1 << 40;

fn doubled(points: i64, doubles: u32) -> i64 {
    points
        .saturating_mul(1 << doubles)
        .clamp(-MAX_POINTS, MAX_POINTS)
}

impl DoublesRules {
    /// The points of a hand with so many points before doubling and so many doubles, without limit hands and bonus points,
    /// whether or not it is worth enough to win.
    pub fn worth(&self, base: i64, doubles: u32) -> i64 {
        let values = [PatternValue::Points(base), PatternValue::Doubles(doubles)];
        let line = |pattern| Line { pattern, times: 1 };
        self.sum(&values, &[line(0), line(1)]).1
    }

    /// Adds up lines. Returns the sum and the points. `values` are those of all patterns.
    pub(super) fn sum(&self, values: &[PatternValue], lines: &[Line]) -> (Doubles, i64) {
        let mut sum = Doubles::default();
        let (mut early, mut late) = (0, 0);
        let (mut reaches_limit, mut least) = (false, 0);
        for line in lines {
            let times = i64::from(line.times);
            match values[usize::from(line.pattern)] {
                PatternValue::Points(points) => sum.base += points * times,
                PatternValue::Bonus(points) => sum.bonus += points * times,
                PatternValue::Doubles(doubles) => early += doubles * u32::from(line.times),
                PatternValue::FinalDoubles(doubles) => late += doubles * u32::from(line.times),
                PatternValue::Limit => {
                    sum.limit_hands += 1;
                    reaches_limit = true;
                }
                PatternValue::LimitPoints(points) => {
                    sum.limit_hands += 1;
                    least = points.max(least);
                }
                // Values of other families. No plan mixes families.
                _ => {}
            }
        }
        sum.doubles = early + late;
        let has_enough = early >= self.minimum && sum.base >= self.minimum_points;
        sum.wins = has_enough || sum.limit_hands > 0;
        let early = early.min(MAX_DOUBLES);
        let late = late.min(MAX_DOUBLES - early);
        sum.uncapped = if let Some(table) = &self.table {
            let all = early + late;
            let factor = match reaches_limit {
                true => table.last(),
                false => table.of(Decimal::whole(i64::from(all))),
            };
            let times = |points: i64| match factor {
                Some(factor) => points.saturating_mul(factor),
                None => doubled(points, all),
            };
            let whole = match self.bonus_doubled {
                true => times(sum.base + sum.bonus),
                false => times(sum.base).saturating_add(sum.bonus),
            };
            whole.clamp(-MAX_POINTS, MAX_POINTS)
        } else if self.bonus_doubled {
            doubled(sum.base + sum.bonus, early + late)
        } else {
            doubled(doubled(sum.base, early) + sum.bonus, late)
        };
        let over = sum.uncapped.rem_euclid(self.round_up_to);
        let rounded = if over == 0 {
            sum.uncapped
        } else {
            sum.uncapped + self.round_up_to - over
        };
        let is_limit_hand = sum.limit_hands > 0;
        let Some(limit) = self.limit else {
            sum.limit = is_limit_hand;
            return (sum, rounded.max(least));
        };
        let worth = if reaches_limit && self.table.is_none() {
            rounded.max(limit)
        } else {
            rounded
        };
        let points = if self.capped { worth.min(limit) } else { worth };
        sum.limit = is_limit_hand || self.capped && points == limit;
        (sum, points.max(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_limit_of_its_own_pass_the_cap() {
        let rules = |limit| DoublesRules {
            limit,
            capped: true,
            round_up_to: 1,
            minimum: 2,
            minimum_points: 0,
            table: None,
            bonus_doubled: false,
        };
        let sum = |limit, values: &[PatternValue]| {
            let lines: Vec<Line> = (0..values.len())
                .map(|pattern| Line {
                    pattern: pattern as u16,
                    times: 1,
                })
                .collect();
            let (sum, points) = rules(limit).sum(values, &lines);
            (points, sum.limit, sum.wins)
        };
        use PatternValue::{LimitPoints, Points};
        assert_eq!(sum(Some(320), &[Points(500)]), (320, true, false));
        let two = [LimitPoints(400), LimitPoints(480), Points(500)];
        assert_eq!(sum(Some(320), &two), (480, true, true));
        assert_eq!(sum(None, &two), (500, true, true));
        assert_eq!(sum(Some(320), &[LimitPoints(100)]), (100, true, true));
        let both = [LimitPoints(100), PatternValue::Limit];
        assert_eq!(sum(Some(320), &both), (320, true, true));
    }

    #[test]
    fn a_table_tells_factors() {
        let rows = [(5, 24), (6, 32)].map(|(doubles, factor)| (Decimal::whole(doubles), factor));
        let rules = |bonus_doubled| DoublesRules {
            limit: None,
            capped: false,
            round_up_to: 1,
            minimum: 0,
            minimum_points: 0,
            bonus_doubled,
            table: PointTable::new(rows.to_vec()),
        };
        let values = [
            PatternValue::Points(3),
            PatternValue::Doubles(1),
            PatternValue::FinalDoubles(1),
            PatternValue::Bonus(5),
        ];
        let points = |bonus_doubled, times: [u16; 4]| {
            let lines = (0..).zip(times).filter(|(_, times)| *times > 0);
            let lines = lines.map(|(pattern, times)| Line { pattern, times });
            rules(bonus_doubled)
                .sum(&values, &lines.collect::<Vec<_>>())
                .1
        };
        assert_eq!(points(false, [1, 4, 0, 0]), 3 * 16);
        assert_eq!(points(false, [1, 4, 1, 0]), 3 * 24);
        assert_eq!(points(false, [1, 9, 9, 0]), 3 * 32);
        assert_eq!(points(false, [1, 4, 1, 1]), 3 * 24 + 5);
        assert_eq!(points(true, [1, 4, 1, 1]), (3 + 5) * 24);
    }

    /// A limit hand is worth the factor of the last row, unless the limit is less.
    #[test]
    fn a_limit_hand_reaches_the_last_row() {
        let rows = [(5, 24), (6, 32)].map(|(doubles, factor)| (Decimal::whole(doubles), factor));
        let values = [
            PatternValue::Points(3),
            PatternValue::Doubles(1),
            PatternValue::Limit,
        ];
        let points = |limit, times: [u16; 3]| {
            let lines = (0..).zip(times).filter(|(_, times)| *times > 0);
            let lines = lines.map(|(pattern, times)| Line { pattern, times });
            let rules = DoublesRules {
                limit: Some(limit),
                capped: true,
                round_up_to: 1,
                minimum: 3,
                minimum_points: 0,
                bonus_doubled: false,
                table: PointTable::new(rows.to_vec()),
            };
            let (sum, points) = rules.sum(&values, &lines.collect::<Vec<_>>());
            assert!(sum.wins);
            (points, sum.limit)
        };
        assert_eq!(points(1000, [1, 9, 0]), (3 * 32, false));
        assert_eq!(points(1000, [1, 0, 1]), (3 * 32, true));
        assert_eq!(points(50, [1, 0, 1]), (50, true));
    }

    #[test]
    fn bonuses_join_before_or_after_the_doubles() {
        let values = [
            PatternValue::Points(10),
            PatternValue::Doubles(2),
            PatternValue::Bonus(6),
            PatternValue::FinalDoubles(1),
        ];
        let lines: Vec<Line> = (0..4).map(|pattern| Line { pattern, times: 1 }).collect();
        let rules = |limit, bonus_doubled| DoublesRules {
            limit,
            capped: true,
            round_up_to: 1,
            minimum: 0,
            minimum_points: 0,
            table: None,
            bonus_doubled,
        };
        assert_eq!(rules(None, false).sum(&values, &lines).1, (10 * 4 + 6) * 2);
        assert_eq!(rules(None, true).sum(&values, &lines).1, (10 + 6) * 8);
        let (sum, points) = rules(Some(50), false).sum(&values, &lines);
        assert_eq!(
            (points, sum.uncapped, sum.limit, sum.doubles),
            (50, 92, true, 3)
        );
    }

    #[test]
    fn absurd_values_do_not_overflow() {
        let values = [PatternValue::Points(1_000_000), PatternValue::Doubles(20)];
        let lines = [0, 1].map(|pattern| Line {
            pattern,
            times: u16::MAX,
        });
        let rules = DoublesRules {
            limit: None,
            capped: false,
            round_up_to: 1,
            minimum: 0,
            minimum_points: 0,
            table: None,
            bonus_doubled: false,
        };
        assert_eq!(rules.sum(&values, &lines).1, MAX_POINTS);
    }

    #[test]
    fn points_are_rounded_before_they_are_held_down() {
        let values = [44, 1].map(PatternValue::Points);
        let line = |pattern, times| Line { pattern, times };
        let rules = |limit, capped| DoublesRules {
            limit: Some(limit),
            capped,
            round_up_to: 10,
            minimum: 0,
            minimum_points: 0,
            table: None,
            bonus_doubled: false,
        };
        let points = |limit, capped, lines: &[Line]| {
            let (sum, points) = rules(limit, capped).sum(&values, lines);
            (points, sum.limit, sum.uncapped)
        };
        assert_eq!(points(500, true, &[line(0, 1)]), (50, false, 44));
        assert_eq!(points(500, true, &[line(1, 40)]), (40, false, 40));
        assert_eq!(points(45, true, &[line(0, 1)]), (45, true, 44));
        assert_eq!(points(45, false, &[line(0, 1)]), (50, false, 44));
        assert_eq!(points(50, true, &[line(0, 1)]), (50, true, 44));
    }

    #[test]
    fn a_limit_hand_is_worth_the_limit_at_least() {
        let values = [PatternValue::Points(30), PatternValue::Limit];
        let lines = [0, 1].map(|pattern| Line { pattern, times: 1 });
        let points = |limit, capped| {
            let rules = DoublesRules {
                limit: Some(limit),
                capped,
                round_up_to: 1,
                minimum: 0,
                minimum_points: 0,
                table: None,
                bonus_doubled: false,
            };
            let (sum, points) = rules.sum(&values, &lines);
            assert!(sum.limit);
            points
        };
        assert_eq!([points(20, true), points(20, false)], [20, 30]);
        assert_eq!([points(90, true), points(90, false)], [90, 90]);
    }

    /// Final doubles do not help a hand over the minimum. A limit hand needs no doubles.
    #[test]
    fn a_minimum_counts_doubles_and_limits() {
        let values = [
            PatternValue::Points(1),
            PatternValue::Doubles(1),
            PatternValue::FinalDoubles(5),
            PatternValue::Limit,
        ];
        let rules = DoublesRules {
            limit: Some(1000),
            capped: true,
            round_up_to: 1,
            bonus_doubled: false,
            minimum: 3,
            minimum_points: 0,
            table: None,
        };
        let wins = |lines: &[(u16, u16)]| {
            let line = |&(pattern, times): &(u16, u16)| Line { pattern, times };
            let lines: Vec<Line> = lines.iter().map(line).collect();
            rules.sum(&values, &lines).0.wins
        };
        let by_points = |lines: &[(u16, u16)]| {
            let rules = DoublesRules {
                minimum: 0,
                minimum_points: 8,
                ..rules.clone()
            };
            let values = [
                PatternValue::Points(4),
                PatternValue::Bonus(4),
                PatternValue::Limit,
            ];
            let line = |&(pattern, times): &(u16, u16)| Line { pattern, times };
            let lines: Vec<Line> = lines.iter().map(line).collect();
            rules.sum(&values, &lines).0.wins
        };
        assert!(by_points(&[(0, 2)]) && by_points(&[(0, 1), (2, 1)]));
        assert!(!by_points(&[(0, 1), (1, 5)]));
        assert!(wins(&[(0, 1), (1, 3)]));
        assert!(!wins(&[(0, 1), (1, 2), (2, 1)]));
        assert!(wins(&[(0, 1), (3, 1)]));
    }
}
