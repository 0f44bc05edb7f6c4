//! [`Step`]: how the sum of the patterns becomes points.

use super::data::{ExplainedFu, Operation, Quantity, Step};
use super::text::least_fan;
use crate::decimal::{Decimal, Number};
use crate::lang::Lang;
use crate::score::doubles::{Doubles, DoublesRules, MAX_DOUBLES, MAX_POINTS};
use crate::score::fan::{Fan, FanCurve, FanRules};
use crate::score::han_fu::{self, HanFu, HanFuRules};
use crate::score::pattern::PatternValue;
use crate::score::reading::Reading;
use crate::score::{Score, ScoreFamily, ScoreRules, Tally};
use crate::seat::Seat;

/// Records steps, and the value of each quantity after them.
#[derive(Default)]
pub(super) struct Steps {
    taken: Vec<Step>,
    /// In tenths, by quantity.
    values: [i64; Quantity::Points as usize + 1],
}

impl Steps {
    fn value(&self, of: Quantity) -> i64 {
        self.values[of as usize]
    }

    /// Takes a step. `amount` is in tenths.
    fn tenths(
        &mut self,
        of: Quantity,
        operation: Operation,
        amount: i64,
        reason: impl Into<String>,
    ) {
        let before = self.value(of);
        let value = match operation {
            Operation::Add => before.saturating_add(amount),
            Operation::Double => before.saturating_mul(1 << (amount / 10).clamp(0, 60)),
            Operation::Times => before.saturating_mul(amount / 10),
            Operation::RoundUp => match before.rem_euclid(amount.max(1)) {
                0 => before,
                over => before + amount - over,
            },
            Operation::AtLeast => before.max(amount),
            Operation::AtMost => before.min(amount),
            Operation::Becomes => amount,
        };
        let keeps = matches!(
            operation,
            Operation::RoundUp | Operation::AtLeast | Operation::AtMost
        );
        if keeps && value == before {
            return;
        }
        self.values[of as usize] = value;
        self.taken.push(Step {
            of,
            operation,
            amount: number(amount),
            value: number(value),
            reason: reason.into(),
        });
    }

    /// Takes a step with a whole amount.
    fn step(&mut self, of: Quantity, operation: Operation, amount: i64, reason: impl Into<String>) {
        self.tenths(of, operation, amount.saturating_mul(10), reason);
    }
}

/// A number of tenths, whole if it can be.
fn number(tenths: i64) -> Number {
    match tenths % 10 {
        0 => Number::Whole(tenths / 10),
        _ => Number::Decimal(Decimal::from_tenths(tenths)),
    }
}

/// The name of a pattern or the id of a row, and how often it counted.
fn times_name(times: u32, name: &str) -> String {
    match times {
        1 => name.to_owned(),
        times => format!("{times} × {name}"),
    }
}

impl ScoreRules {
    /// The steps from the lines of a score to its points. `fu` are the rows that counted.
    pub(super) fn steps(
        &self,
        score: &Score,
        reading: &Reading<'_>,
        fu: &[ExplainedFu],
        lang: Lang,
    ) -> Vec<Step> {
        let mut steps = Steps::default();
        match (&self.family, &score.tally) {
            (ScoreFamily::Doubles(rules), Tally::Doubles(sum)) => {
                self.steps_of_doubles(rules, sum, score, &mut steps, lang);
            }
            (ScoreFamily::Fan(rules), Tally::Fan(sum)) => {
                self.steps_of_fan(rules, sum, score, &mut steps, lang);
            }
            (ScoreFamily::HanFu(rules), Tally::HanFu(sum)) => {
                self.steps_of_han_fu(rules, sum, score, reading, (fu, lang), &mut steps);
            }
            // A score of other rules.
            _ => {}
        }
        if steps.value(Quantity::Points) != score.points.saturating_mul(10) {
            let reason = "rules in Rust";
            steps.step(Quantity::Points, Operation::Becomes, score.points, reason);
        }
        steps.taken
    }

    fn steps_of_doubles(
        &self,
        rules: &DoublesRules,
        sum: &Doubles,
        score: &Score,
        steps: &mut Steps,
        lang: Lang,
    ) {
        use Operation::{Add, AtLeast, AtMost, Becomes, Double, RoundUp, Times};
        use Quantity::{Base, Bonus, Points};
        let (mut early, mut late, mut least, mut reaches_limit) = (0, 0, None, false);
        for counted in self.told(score) {
            let name = times_name(counted.times, counted.pattern.names.get(lang));
            let times = i64::from(counted.times);
            match counted.pattern.value {
                PatternValue::Points(points) => steps.step(Base, Add, points * times, name),
                PatternValue::Bonus(points) => steps.step(Bonus, Add, points * times, name),
                PatternValue::Doubles(doubles) => {
                    early += doubles * counted.times;
                    steps.step(Quantity::Doubles, Add, i64::from(doubles) * times, name);
                }
                PatternValue::FinalDoubles(doubles) => {
                    late += doubles * counted.times;
                    steps.step(Quantity::Doubles, Add, i64::from(doubles) * times, name);
                }
                PatternValue::Limit => reaches_limit = true,
                PatternValue::LimitPoints(points) => least = least.max(Some((points, name))),
                _ => {}
            }
        }
        let early = early.min(MAX_DOUBLES);
        let late = late.min(MAX_DOUBLES - early);
        steps.step(Points, Becomes, sum.base, "the base");
        let add_bonus = |steps: &mut Steps| {
            if sum.bonus != 0 {
                steps.step(Points, Add, sum.bonus, "the bonus");
            }
        };
        let double = |steps: &mut Steps, doubles: u32, reason: &str| {
            if doubles > 0 {
                steps.step(Points, Double, i64::from(doubles), reason);
            }
            steps.step(Points, AtMost, MAX_POINTS, "the most points");
        };
        if let Some(table) = &rules.table {
            if rules.bonus_doubled {
                add_bonus(steps);
            }
            let all = early + late;
            let factor = match reaches_limit {
                true => table.last(),
                false => table.of(Decimal::whole(i64::from(all))),
            };
            match factor {
                Some(factor) => {
                    let reason = match reaches_limit {
                        true => "a limit hand: the last row of the table".to_owned(),
                        false => format!("{all} doubles in the table"),
                    };
                    steps.step(Points, Times, factor, reason);
                }
                None => double(steps, all, "the doubles"),
            }
            if !rules.bonus_doubled {
                add_bonus(steps);
            }
        } else if rules.bonus_doubled {
            add_bonus(steps);
            double(steps, early + late, "the doubles");
        } else {
            double(steps, early, "the doubles");
            add_bonus(steps);
            double(steps, late, "the doubles at the end");
        }
        let to = rules.round_up_to;
        steps.step(Points, RoundUp, to, "rounding");
        if let Some(limit) = rules.limit {
            if reaches_limit && rules.table.is_none() {
                steps.step(Points, AtLeast, limit, "a limit hand");
            }
            if rules.capped {
                steps.step(Points, AtMost, limit, "the limit");
            }
        }
        if let Some((least, name)) = least {
            steps.step(Points, AtLeast, least, name);
        }
    }

    fn steps_of_fan(
        &self,
        rules: &FanRules,
        sum: &Fan,
        score: &Score,
        steps: &mut Steps,
        lang: Lang,
    ) {
        use Operation::{Add, Becomes};
        use Quantity::{Limits, Points};
        for counted in self.told(score) {
            let name = times_name(counted.times, counted.pattern.names.get(lang));
            let times = i64::from(counted.times);
            match counted.pattern.value {
                PatternValue::Limits(limits) => {
                    steps.step(Limits, Add, i64::from(limits) * times, name);
                }
                _ => steps.tenths(Quantity::Fan, Add, counted.each.tenths() * times, name),
            }
        }
        let reason = match &rules.curve {
            _ if !sum.wins => format!("{} fan needed", least_fan(rules)),
            _ if steps.value(Limits) > 0 => "limits".to_owned(),
            FanCurve::Plain => "a point a fan".to_owned(),
            FanCurve::Table { .. } => format!("{} fan in the table", sum.fan),
            FanCurve::Preferred { .. } if sum.limits > 0 => {
                let limits = self.in_words(PatternValue::Limits(sum.limits));
                format!("{} fan reach {limits}", sum.fan)
            }
            FanCurve::Preferred { .. } => {
                let above = (sum.fan.tenths() - rules.minimum.tenths()) / 10;
                let minimum = rules.minimum;
                format!("step {above} of 2, 5, 10, 20, …: whole fan above {minimum}")
            }
        };
        steps.step(Points, Becomes, score.points, reason);
    }

    fn steps_of_han_fu(
        &self,
        rules: &HanFuRules,
        sum: &HanFu,
        score: &Score,
        reading: &Reading<'_>,
        (fu, lang): (&[ExplainedFu], Lang),
        steps: &mut Steps,
    ) {
        use Operation::{Add, AtLeast, Becomes, RoundUp};
        use Quantity::{Han, Limits, Payment, Points};
        for counted in self.told(score) {
            let name = times_name(counted.times, counted.pattern.names.get(lang));
            let amount = counted.each.tenths() * i64::from(counted.times);
            match counted.pattern.value {
                PatternValue::Limits(_) => steps.tenths(Limits, Add, amount, name),
                _ => steps.tenths(Han, Add, amount, name),
            }
        }
        if sum.limits > 0 {
            let reason = format!("{} × {}", sum.limits, rules.limit_base);
            steps.step(Payment, Becomes, sum.base, reason);
        } else {
            for row in fu {
                let name = times_name(row.times, &row.id);
                steps.step(Quantity::Fu, Add, row.fu * i64::from(row.times), name);
            }
            let is_exact =
                |row: &ExplainedFu| rules.fu.iter().any(|one| one.exact && one.id == row.id);
            if !fu.iter().any(is_exact) {
                steps.step(Quantity::Fu, RoundUp, 10, "rounding");
                if !reading.hand.is_closed() {
                    steps.step(Quantity::Fu, AtLeast, rules.open_least, "an open hand");
                }
            }
            let power = (2 + sum.han).min(20);
            let doubled = i64::from(sum.fu) << power;
            let reason = format!("{} fu × 2^(2 + {} han)", sum.fu, sum.han);
            steps.step(Payment, Becomes, doubled, reason);
            if let Some(row) = sum.limit.and_then(|place| rules.table.get(place)) {
                let reason = match sum.han >= row.han {
                    true => format!("{}: from {} han on", row.name, row.han),
                    false => format!("{}: from {} on", row.name, rules.limit_from),
                };
                steps.step(Payment, Becomes, row.base, reason);
            }
        }
        let Some(win) = reading.win.filter(|_| sum.wins) else {
            steps.step(Points, Becomes, 0, "no win");
            return;
        };
        let mut pays = |payer: &str, times: i64, amount: i64| {
            let reason = format!("{payer} pays {times} × {}, rounded up to 100", sum.base);
            steps.step(Points, Add, amount, reason);
        };
        if win.is_self_draw() {
            let losers = Seat::all(reading.players).filter(|&seat| seat != reading.seat);
            for loser in losers {
                let times = han_fu::self_draw_times(reading.seat, loser);
                let payer = loser.letter().to_string();
                pays(&payer, times, han_fu::payment(sum.base, times));
            }
        } else {
            let times = han_fu::discard_times(reading.seat);
            let payer = win.from.map_or_else(
                || "the discarder".to_owned(),
                |from| from.letter().to_string(),
            );
            pays(&payer, times, han_fu::payment(sum.base, times));
        }
    }

    /// How points are split between the payers of a Riichi win: `8,000`, `2,000 / 4,000`, `4,000 all`.
    pub(super) fn split(&self, score: &Score, reading: &Reading<'_>) -> Option<String> {
        let (Tally::HanFu(sum), Some(win)) = (&score.tally, reading.win) else {
            return None;
        };
        if !sum.wins {
            return None;
        }
        let pays = |times| grouped(han_fu::payment(sum.base, times));
        Some(match (win.is_self_draw(), reading.seat == Seat::EAST) {
            (false, _) => pays(han_fu::discard_times(reading.seat)),
            (true, true) => format!("{} all", pays(2)),
            (true, false) => format!("{} / {}", pays(1), pays(2)),
        })
    }
}

/// A number with a comma before every third digit.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
