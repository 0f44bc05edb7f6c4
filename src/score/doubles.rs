//! The points-and-doubles family: items of a base, doubles, bonuses, a limit.
//! Source: `spec/woo.md` §8.4.

use super::pattern::{Line, Pattern, PatternValue};

/// Parameters of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DoublesRules {
    /// The most points of a hand; no bound for `None`.
    pub cap: Option<i64>,
    /// Bonuses join the base before it is doubled.
    pub bonus_doubled: bool,
}

/// The sum of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Doubles {
    /// Points of the base items.
    pub base: i64,
    /// Doubles, final ones included.
    pub doubles: u32,
    /// Points of the bonus items.
    pub bonus: i64,
    /// The points equal the cap.
    pub limit: bool,
    /// The sum before the cap.
    pub uncapped: i64,
}

/// No hand has more doubles or points; beyond them a sum stays where it is instead of overflowing.
const MAX_DOUBLES: u32 = 30;
const MAX_POINTS: i64 = 1 << 40;

fn doubled(points: i64, doubles: u32) -> i64 {
    points
        .saturating_mul(1 << doubles)
        .clamp(-MAX_POINTS, MAX_POINTS)
}

impl DoublesRules {
    /// The sum and the points of lines.
    pub(crate) fn sum(&self, patterns: &[Pattern], lines: &[Line]) -> (Doubles, i64) {
        let mut sum = Doubles::default();
        let (mut early, mut late, mut limit) = (0, 0, false);
        for line in lines {
            let times = i64::from(line.times);
            match patterns[usize::from(line.pattern)].value {
                PatternValue::Points(points) => sum.base += points * times,
                PatternValue::Bonus(points) => sum.bonus += points * times,
                PatternValue::Doubles(doubles) => early += doubles * u32::from(line.times),
                PatternValue::FinalDoubles(doubles) => late += doubles * u32::from(line.times),
                PatternValue::Limit => limit = true,
                // Values of another family, which a plan does not mix in.
                PatternValue::Fan(_) | PatternValue::LeastFan | PatternValue::Limits(_) => {}
            }
        }
        sum.doubles = early + late;
        let early = early.min(MAX_DOUBLES);
        let late = late.min(MAX_DOUBLES - early);
        sum.uncapped = if self.bonus_doubled {
            doubled(sum.base + sum.bonus, early + late)
        } else {
            doubled(doubled(sum.base, early) + sum.bonus, late)
        };
        let points = match self.cap {
            Some(cap) if limit => cap,
            Some(cap) => sum.uncapped.min(cap),
            None => sum.uncapped,
        };
        sum.limit = self.cap == Some(points);
        (sum, points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonuses_join_before_or_after_the_doubles() {
        let patterns = [
            PatternValue::Points(10),
            PatternValue::Doubles(2),
            PatternValue::Bonus(6),
            PatternValue::FinalDoubles(1),
        ]
        .map(Pattern::worth);
        let lines: Vec<Line> = (0..4).map(|pattern| Line { pattern, times: 1 }).collect();
        let rules = |cap, bonus_doubled| DoublesRules { cap, bonus_doubled };
        assert_eq!(
            rules(None, false).sum(&patterns, &lines).1,
            (10 * 4 + 6) * 2
        );
        assert_eq!(rules(None, true).sum(&patterns, &lines).1, (10 + 6) * 8);
        let (sum, points) = rules(Some(50), false).sum(&patterns, &lines);
        assert_eq!(
            (points, sum.uncapped, sum.limit, sum.doubles),
            (50, 92, true, 3)
        );
    }

    #[test]
    fn absurd_values_do_not_overflow() {
        let patterns =
            [PatternValue::Points(1_000_000), PatternValue::Doubles(20)].map(Pattern::worth);
        let lines = [0, 1].map(|pattern| Line {
            pattern,
            times: u16::MAX,
        });
        let rules = DoublesRules {
            cap: None,
            bonus_doubled: false,
        };
        assert_eq!(rules.sum(&patterns, &lines).1, MAX_POINTS);
    }
}
