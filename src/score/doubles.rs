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

/// No hand has more doubles; beyond it points stay where they are instead of overflowing.
const MAX_DOUBLES: u32 = 30;

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
            }
        }
        sum.doubles = early + late;
        let early = early.min(MAX_DOUBLES);
        let late = late.min(MAX_DOUBLES - early);
        sum.uncapped = if self.bonus_doubled {
            (sum.base + sum.bonus) << (early + late)
        } else {
            ((sum.base << early) + sum.bonus) << late
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
