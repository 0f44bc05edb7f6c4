//! What the patterns of a hand add up to, column by column, and the formulas that make points of it.

use super::amounts::MOST_SUMS;
use super::condition::{Adding, Condition, Formula};
use super::pattern::{Lines, PatternValue};
use super::reading::Reading;
use crate::decimal::{Decimal, Number};

/// The most points. Values stop here instead of overflowing.
const MAX_POINTS: i64 = 1 << 40;

/// The most limits.
const MAX_LIMITS: i64 = 1_000_000;

/// How columns become points.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SumsRules {
    /// The columns.
    pub names: Vec<String>,
    /// What the columns are called, for people.
    pub shown: Vec<String>,
    /// All amounts are whole numbers.
    pub whole: bool,
    /// A bit for each column in which the greatest amount counts instead of the sum.
    pub(crate) greatest: u8,
    /// Points of one limit.
    pub limit: Option<i64>,
    /// If some pattern has limits, patterns without limits do not count.
    pub limits_alone: bool,
    /// Answers and logs list a pattern each time it counts. Otherwise they list it once, with the product.
    pub(crate) listed_each: bool,
    /// The limits that the columns reach by themselves.
    pub(crate) reached: Option<Formula>,
    /// What the columns are worth. Of readings with equal points and limits the one that is worth more counts.
    pub(crate) worth: Formula,
    /// The points of the hand. `None` if they are its worth.
    pub(crate) points: Option<Formula>,
    /// What the columns of a hand must meet to win. A hand with limits needs no minimum.
    pub(crate) minimum: Option<Minimum>,
}

/// A condition on the sums of a winning hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Minimum {
    pub(crate) condition: Condition,
    /// The condition as the file has it, with the values of options.
    pub(crate) text: String,
}

/// What the patterns of a hand add up to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Sums {
    /// By column, in the order of the ruleset's `sums`.
    pub columns: [Decimal; MOST_SUMS],
    /// Limits: those of patterns, or those that the columns reach.
    pub limits: u32,
    /// Some pattern has limits.
    pub limit_hand: bool,
    /// What the columns are worth, before limits and rounding.
    pub worth: Decimal,
    /// The hand is worth enough to win.
    pub wins: bool,
}

impl SumsRules {
    /// The index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// True for a column in which the greatest amount counts instead of the sum.
    pub(crate) const fn takes_greatest(&self, column: usize) -> bool {
        self.greatest >> column & 1 == 1
    }

    /// True when points depend on the first column and limits alone.
    pub(crate) fn has_one_column(&self) -> bool {
        let others = self.reached.iter().chain(&self.points);
        let mut all = others.chain([&self.worth]);
        all.all(|formula| !(1..MOST_SUMS).any(|column| formula.asks_column(column)))
    }

    /// A number of a column: whole, or with one decimal place if the ruleset has such amounts.
    pub(crate) fn number(&self, amount: Decimal) -> Number {
        match self.whole {
            true => Number::Whole(amount.tenths() / 10),
            false => Number::Decimal(amount),
        }
    }

    /// What columns and limits are worth, whatever the win is: the sums, and the points even if they are not enough to
    /// win.
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::decimal::Decimal;
    /// use paishan::score::ScoreFamily;
    /// let uzje = Rules::by_id("uzje")?;
    /// let ScoreFamily::Sums(rules) = uzje.plan().score().family() else { unreachable!() };
    /// let fan = |tenths| [Decimal::from_tenths(tenths)];
    /// assert_eq!(rules.of(&fan(36), 0).1, 5);
    /// let (sums, points) = rules.of(&fan(130), 0);
    /// assert_eq!((sums.limits, points), (1, 5000));
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    pub fn of(&self, columns: &[Decimal], limits: u32) -> (Sums, i64) {
        let mut tenths = [0; MOST_SUMS];
        for (tenths, column) in tenths.iter_mut().zip(columns) {
            *tenths = column.tenths();
        }
        self.result(tenths, limits.into(), None)
    }

    /// The sum of each column, in tenths, and of limits.
    #[inline]
    fn add(&self, values: &[PatternValue], lines: &Lines) -> ([i64; MOST_SUMS], i64) {
        let (mut columns, mut limits) = ([0; MOST_SUMS], 0);
        for line in lines {
            let PatternValue::Sums(amounts) = &values[usize::from(line.pattern)] else {
                continue;
            };
            let times = i64::from(line.times);
            for (column, &tenths) in columns.iter_mut().zip(&amounts.tenths) {
                *column += i64::from(tenths) * times;
            }
            limits += i64::from(amounts.limits) * times;
        }
        if self.greatest != 0 {
            self.find_greatest(values, lines, &mut columns);
        }
        (columns, limits)
    }

    /// Replaces the sums of some columns by their greatest amounts.
    #[inline(never)]
    fn find_greatest(
        &self,
        values: &[PatternValue],
        lines: &Lines,
        columns: &mut [i64; MOST_SUMS],
    ) {
        for (place, column) in columns.iter_mut().enumerate() {
            if self.takes_greatest(place) {
                let amounts = lines
                    .iter()
                    .map(|line| match values[usize::from(line.pattern)] {
                        PatternValue::Sums(amounts) => i64::from(amounts.tenths[place]),
                        _ => 0,
                    });
                *column = amounts.max().unwrap_or(0);
            }
        }
    }

    /// Adds up lines. Returns the sums and the points. If limits count alone, other lines are dropped. `values` are
    /// those of all patterns.
    #[inline]
    pub(super) fn sum(
        &self,
        values: &[PatternValue],
        lines: &mut Lines,
        reading: &Reading<'_>,
    ) -> (Sums, i64) {
        let (mut columns, limits) = self.add(values, lines);
        if limits > 0 && self.limits_alone {
            lines.retain(|line| values[usize::from(line.pattern)].is_limit());
            columns = self.add(values, lines).0;
        }
        let (sums, points) = self.result(columns, limits, Some(reading));
        let is_too_little = reading.win.is_some() && !sums.wins;
        (sums, if is_too_little { 0 } else { points })
    }

    fn result(
        &self,
        columns: [i64; MOST_SUMS],
        limits: i64,
        reading: Option<&Reading<'_>>,
    ) -> (Sums, i64) {
        let mut adding = Adding {
            columns,
            limits: limits.min(MAX_LIMITS),
            worth: 0,
            reading,
        };
        let limit_hand = limits > 0;
        if let (false, Some(reached)) = (limit_hand, &self.reached) {
            adding.limits = reached.whole(reached.value(&adding)).clamp(0, MAX_LIMITS);
        }
        let worth = self.worth.value(&adding).clamp(-MAX_POINTS, MAX_POINTS);
        adding.worth = worth;
        let points = match &self.points {
            Some(points) => {
                let value = points.value(&adding);
                points.whole(value).clamp(-MAX_POINTS, MAX_POINTS)
            }
            None => self.worth.whole(worth),
        };
        let minimum = self.minimum.as_ref();
        let wins = limit_hand || minimum.is_none_or(|one| one.condition.holds_of_sums(&adding));
        let sums = Sums {
            columns: columns.map(Decimal::from_tenths),
            limits: adding.limits as u32,
            limit_hand,
            worth: Decimal::from_tenths(self.worth.tenths(worth)),
            wins,
        };
        (sums, points)
    }

    /// How readings compare that have the same points.
    #[inline]
    pub(super) fn order(&self, sums: &Sums) -> (i64, i64) {
        let limits = if self.limits_alone { 0 } else { sums.limits };
        (limits.into(), sums.worth.tenths())
    }

    /// True when a hand is a limit hand, or worth just a limit.
    pub fn is_limit(&self, sums: &Sums, points: i64) -> bool {
        sums.limit_hand || self.limit == Some(points)
    }

    /// The first formula that is not proved to rise with columns and limits, given the values of the patterns, and its
    /// key.
    pub(crate) fn falling(
        &self,
        values: impl Iterator<Item = PatternValue>,
    ) -> Option<(&'static str, &Formula)> {
        let mut least = [0; MOST_SUMS];
        for value in values {
            if let PatternValue::Sums(amounts) = value {
                for (least, &tenths) in least.iter_mut().zip(&amounts.tenths) {
                    if tenths < 0 {
                        *least = i64::MIN;
                    }
                }
            }
        }
        let worth = self.worth.least(&least, 0);
        let all = [
            ("worth", Some(&self.worth)),
            ("reached", self.reached.as_ref()),
            ("points", self.points.as_ref()),
        ];
        all.into_iter()
            .filter_map(|(key, formula)| Some((key, formula?)))
            .find(|(_, formula)| !formula.rises(&least, worth))
    }
}

#[cfg(test)]
mod tests {
    use super::super::amounts::Amounts;
    use super::*;
    use crate::ruleset::Rules;
    use crate::score::{Line, ScoreFamily, ScoreRules};

    /// The rules of the score of a file.
    fn read(parent: &str, lines: &str) -> ScoreRules {
        let text = format!("ruleset = {{ id = \"my\", extends = \"{parent}\" }}\n{lines}");
        Rules::from_toml("my.toml", &text)
            .unwrap()
            .plan()
            .score
            .clone()
    }

    fn of(rules: &ScoreRules, columns: &[i64], limits: u32) -> (i64, Sums) {
        let ScoreFamily::Sums(rules) = rules.family() else {
            panic!("a family of sums");
        };
        let columns: Vec<Decimal> = columns
            .iter()
            .map(|&sum| Decimal::from_tenths(sum))
            .collect();
        let (sums, points) = rules.of(&columns, limits);
        (points, sums)
    }

    /// The table of preferred numbers, and values between its rows.
    #[test]
    fn fan_climb_the_preferred_numbers() {
        let rules = read("uzje", "");
        let points = |tenths: i64| of(&rules, &[tenths], 0);
        let table = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
        for (fan, want) in (3..).zip(table) {
            for tenths in [10 * fan - 4, 10 * fan, 10 * fan + 4] {
                let (points, sums) = points(tenths);
                assert_eq!((points, sums.limits), (want, 0), "{tenths} tenths");
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
            let (points, sums) = points(10 * fan);
            assert_eq!((points, sums.limits), (5000 * i64::from(limits), limits));
        }
        assert!(points(26).1.wins && !points(25).1.wins && !points(0).1.wins);
    }

    #[test]
    fn a_limit_between_two_numbers_caps_from_the_next_on() {
        let rules = read(
            "uzje",
            "options.threshold.default = 0.5\noptions.limit.default = 8000\n",
        );
        // 2 5 10 20 50 100 200 500 1000 2000 5000 10000
        for (fan, want) in [(11, (5000, 0)), (12, (8000, 1)), (15, (16_000, 2))] {
            let (points, sums) = of(&rules, &[10 * fan], 0);
            assert_eq!((points, sums.limits), want);
        }
    }

    #[test]
    fn limits_count_alone_or_beside_the_columns() {
        let sum = |rules: &ScoreRules, values: &[([i64; 2], u32)]| {
            let ScoreFamily::Sums(family) = rules.family() else {
                panic!("a family of sums");
            };
            let amounts = |&([first, second], limits): &([i64; 2], u32)| {
                let mut columns = [Decimal::default(); MOST_SUMS];
                columns[..2].copy_from_slice(&[first, second].map(Decimal::whole));
                PatternValue::Sums(Amounts::new(columns, limits))
            };
            let values: Vec<PatternValue> = values.iter().map(amounts).collect();
            let lines = (0..values.len()).map(|pattern| Line {
                pattern: pattern as u16,
                times: 1,
            });
            let mut lines: Lines = lines.collect();
            let hand = crate::hand::Hand::new();
            let set = crate::tile_set::TileSet::default();
            let (seat, round) = (crate::seat::Seat::EAST, crate::tile::Wind::East);
            let reading = Reading::circumstances(&set, &hand, seat, round, None);
            let (sums, points) = family.sum(&values, &mut lines, &reading);
            (points, sums.limits, sums.limit_hand, lines.len())
        };
        let alone = read("uzje", "");
        let three = [([50, 0], 0), ([0, 0], 2), ([0, 0], 1)];
        assert_eq!(sum(&alone, &three), (15_000, 3, true, 2));
        // A limit hand is worth the limit, and no hand more.
        let beside = read("traditional", "");
        assert_eq!(sum(&beside, &[([0, 44], 0)]), (50, 0, false, 1));
        assert_eq!(
            sum(&beside, &[([1, 30], 0), ([0, 0], 2)]),
            (500, 2, true, 2)
        );
        assert_eq!(sum(&beside, &[([9, 30], 0)]), (500, 0, false, 1));
        // Points of a limit of its own pass the cap, and of several the greatest counts.
        let own = read("zung-jung", "");
        assert_eq!(sum(&own, &[([500, 0], 0)]), (320, 0, false, 1));
        let two = [([0, 400], 1), ([0, 480], 1), ([500, 0], 0)];
        assert_eq!(sum(&own, &two), (480, 2, true, 3));
    }

    /// Bonuses are doubled or not, and the doubles of a bonus are among all doubles.
    #[test]
    fn formulas_hold_for_several_columns() {
        let woo = read("woo", "");
        assert_eq!(of(&woo, &[30, 220, 120, 10], 0).0, 22 * 8 + 12 * 2);
        let doubled = read("woo", "options.bonuses-doubled.default = true\n");
        let most = of(&doubled, &[20, 220, 20, 10], 0).0;
        assert_eq!(most, (22 + 2) * 4);
        let bands = read("hong-kong-old-style", "options.steps.default = \"bands\"\n");
        let points = |doubles: i64, limits| of(&bands, &[10 * doubles, 10, 0], limits).0;
        assert_eq!(
            [0, 3, 4, 6, 7, 10, 99].map(|doubles| points(doubles, 0)),
            [1, 8, 16, 16, 32, 64, 64]
        );
        assert_eq!(points(0, 1), 64);
    }

    /// Doubles that are a bonus do not help over a minimum. A limit hand needs none.
    #[test]
    fn a_minimum_is_a_condition_on_columns() {
        let rules = read("hong-kong-old-style", "");
        let wins = |doubles: i64, bonus: i64, limits| {
            of(&rules, &[10 * doubles, 10, 10 * bonus], limits).1.wins
        };
        assert!(wins(3, 0, 0) && wins(5, 2, 0) && wins(0, 0, 1));
        assert!(!wins(3, 1, 0) && !wins(2, 0, 0));
    }

    #[test]
    fn absurd_values_do_not_overflow() {
        for id in [
            "woo",
            "uzje",
            "traditional",
            "hong-kong-old-style",
            "malaysian",
        ] {
            let rules = read(id, "");
            for sum in [i64::MAX, i64::MIN, 1 << 50] {
                let (points, sums) = of(&rules, &[sum; MOST_SUMS], u32::MAX);
                assert!(points.abs() <= MAX_POINTS, "{id}");
                assert!(sums.worth.tenths().abs() <= 10 * MAX_POINTS, "{id}");
            }
        }
    }

    /// What is proved of a formula holds for random sums, and a formula that falls is not proved.
    #[test]
    fn formulas_that_are_proved_to_rise_do() {
        let mut stream = crate::random::Stream::new(3, 9);
        let mut check = |rules: &ScoreRules, what: &str| {
            let ScoreFamily::Sums(family) = rules.family() else {
                return false;
            };
            let values = || rules.patterns().iter().map(|pattern| pattern.value);
            let is_proved = family.falling(values()).is_none();
            let mut falls = false;
            for _ in 0..2000 {
                let mut draw = |most: u32| i64::from(stream.below(most));
                let few: [i64; MOST_SUMS] = [0; MOST_SUMS].map(|_| 10 * draw(20));
                let more = few.map(|sum| sum + 10 * draw(3));
                let limits = draw(2) as u32;
                // A pattern with limits takes the place of limits that columns reach.
                let most = match family.reached {
                    Some(_) => limits,
                    None => limits + draw(2) as u32,
                };
                falls |= of(rules, &few, limits).0 > of(rules, &more, most).0;
            }
            assert!(!is_proved || !falls, "{what}");
            is_proved
        };
        for id in crate::ruleset::ids() {
            let rules = Rules::by_id(id).unwrap();
            let is_sums = matches!(rules.plan().score.family(), ScoreFamily::Sums(_));
            assert_eq!(check(&rules.plan().score, id), is_sums, "{id}");
        }
        for (points, is_proved) in [
            ("50 - worth", false),
            ("worth * (3 - limits)", false),
            ("if(fan >= 10, 5, fan)", false),
            ("if(fan >= 10, 10 + fan, min(fan, 10))", true),
            ("if(self-draw, 2, 1) * worth", true),
            ("if(fan == 10, 10, fan)", false),
            ("max(3, fan - 100) / 2", true),
            ("table(falling, fan)", false),
        ] {
            let text = format!(
                "[score]\npoints = \"{points}\"\ntables.falling = [5, 4]\n[win]\nminimum = \"fan >= 0\"\n"
            );
            assert_eq!(check(&read("mcr", &text), points), is_proved, "{points}");
        }
    }
}
