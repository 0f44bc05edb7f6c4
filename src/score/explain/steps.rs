//! [`Step`]: how the sum of the patterns becomes points.

use super::data::{ExplainedFu, Operation, Quantity, Step};
use crate::decimal::{Decimal, Number};
use crate::lang::Lang;
use crate::score::han_fu::{self, HanFu, HanFuRules};
use crate::score::pattern::PatternValue;
use crate::score::reading::Reading;
use crate::score::sums::{Sums, SumsRules};
use crate::score::{Score, ScoreFamily, ScoreRules, Tally};
use crate::seat::Seat;

/// Records steps, and the value of each quantity after them.
#[derive(Default)]
pub(super) struct Steps {
    taken: Vec<Step>,
    /// In tenths, by quantity.
    values: Vec<(Quantity, i64)>,
}

impl Steps {
    fn value(&self, of: &Quantity) -> i64 {
        let found = self.values.iter().find(|(known, _)| known == of);
        found.map_or(0, |(_, value)| *value)
    }

    /// Takes a step. `amount` is in tenths.
    fn tenths(
        &mut self,
        of: Quantity,
        operation: Operation,
        amount: i64,
        reason: impl Into<String>,
    ) {
        let before = self.value(&of);
        let value = match operation {
            Operation::Add => before.saturating_add(amount),
            Operation::RoundUp => match before.rem_euclid(amount.max(1)) {
                0 => before,
                over => before + amount - over,
            },
            Operation::AtLeast => before.max(amount),
            Operation::Becomes => amount,
        };
        let keeps = matches!(operation, Operation::RoundUp | Operation::AtLeast);
        if keeps && value == before {
            return;
        }
        match self.values.iter_mut().find(|(known, _)| *known == of) {
            Some((_, known)) => *known = value,
            None => self.values.push((of.clone(), value)),
        }
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
            (ScoreFamily::Sums(rules), Tally::Sums(sum)) => {
                self.steps_of_sums(rules, sum, score, &mut steps, lang);
            }
            (ScoreFamily::HanFu(rules), Tally::HanFu(sum)) => {
                self.steps_of_han_fu(rules, sum, score, reading, (fu, lang), &mut steps);
            }
            // A score of other rules.
            _ => {}
        }
        if steps.value(&Quantity::Points) != score.points.saturating_mul(10) {
            let reason = "rules in Rust";
            steps.step(Quantity::Points, Operation::Becomes, score.points, reason);
        }
        steps.taken
    }

    fn steps_of_sums(
        &self,
        rules: &SumsRules,
        sum: &Sums,
        score: &Score,
        steps: &mut Steps,
        lang: Lang,
    ) {
        use Operation::{Add, Becomes};
        for counted in self.told(score) {
            let PatternValue::Sums(amounts) = counted.pattern.value else {
                continue;
            };
            let times = i64::from(counted.times);
            let name = || times_name(counted.times, counted.pattern.names.get(lang));
            for ((place, column), amount) in rules.names.iter().enumerate().zip(amounts.columns()) {
                let (of, amount) = (Quantity::Column(column.clone()), amount.tenths() * times);
                if amount != 0 && rules.takes_greatest(place) {
                    steps.tenths(of, Operation::AtLeast, amount, name());
                } else if amount != 0 {
                    steps.tenths(of, Add, amount, name());
                }
            }
            if amounts.limits > 0 {
                steps.step(
                    Quantity::Limits,
                    Add,
                    i64::from(amounts.limits) * times,
                    name(),
                );
            }
        }
        if let (false, Some(reached), 1..) = (sum.limit_hand, &rules.reached, sum.limits) {
            let reason = format!("`{}`", reached.text());
            steps.step(Quantity::Limits, Becomes, sum.limits.into(), reason);
        }
        if let Some(points) = &rules.points {
            let reason = format!("`{}`", rules.worth.text());
            steps.tenths(Quantity::Worth, Becomes, sum.worth.tenths(), reason);
            let reason = format!("`{}`", points.text());
            if sum.wins || score.points != 0 {
                steps.step(Quantity::Points, Becomes, score.points, reason);
            }
        } else if sum.wins || score.points != 0 {
            let reason = format!("`{}`", rules.worth.text());
            steps.step(Quantity::Points, Becomes, score.points, reason);
        }
        if let (false, 0, Some(minimum)) = (sum.wins, score.points, &rules.minimum) {
            let reason = format!("not `{}`", minimum.text);
            steps.step(Quantity::Points, Becomes, 0, reason);
        }
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
