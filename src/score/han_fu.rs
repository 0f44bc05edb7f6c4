//! The han-and-fu family of Japanese Riichi: han of yaku and bonuses, fu of groups and waits, a table of
//! limits, and limit hands. Source: `rulesets/riichi-mcgill.md` §9 to §11.

use super::condition::{Adding, Condition, Count};
use super::pattern::{Line, Lines, MAX_TIMES, PatternValue};
use super::reading::Reading;
use super::sums::Minimum;
use crate::seat::Seat;
use crate::state::Win;

/// A reason for fu.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FuRow {
    /// The id.
    pub id: String,
    /// Fu each time it counts.
    pub fu: i64,
    /// When it counts. `None` means always.
    pub when: Option<Condition>,
    /// How often it counts. `None` means once.
    pub per: Option<Count>,
    /// If it counts, the hand has these fu and no others. They are not rounded.
    pub exact: bool,
    /// What it is.
    pub doc: String,
    /// Where the rule comes from.
    pub src: String,
}

impl FuRow {
    /// How often the row counts for a reading.
    pub(super) fn times(&self, reading: &Reading<'_>) -> i32 {
        match &self.when {
            Some(when) if !when.holds(reading) => 0,
            _ => self.times_where_it_holds(reading),
        }
    }

    /// The same, if the condition is known to hold.
    pub(super) fn times_where_it_holds(&self, reading: &Reading<'_>) -> i32 {
        let times = self.per.as_ref().map_or(1, |per| per.value(reading));
        times.clamp(0, MAX_TIMES)
    }
}

/// The fu of a reading before rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fu {
    /// A row fixes them.
    Exact(i64),
    /// The sum of the rows.
    Sum(i64),
}

/// A limit: a hand with at least `han` han has this base.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct LimitRow {
    /// The han that reach it.
    pub han: u32,
    /// The base of payments.
    pub base: i64,
    /// The name, such as `mangan`.
    pub name: String,
}

/// Parameters of the family.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HanFuRules {
    /// Fu rows, in the order of the file.
    pub fu: Vec<FuRow>,
    /// The least fu of an open hand.
    pub open_least: i64,
    /// What the han of yaku, han and fu of a hand must meet to win. A limit hand needs no minimum.
    pub(crate) minimum: Option<Minimum>,
    /// Limits of the base, the lowest first.
    pub table: Vec<LimitRow>,
    /// A base of at least this is replaced by that of the first limit.
    pub limit_from: i64,
    /// The base of a limit hand, for each of its limits.
    pub limit_base: i64,
    /// The name of a limit hand's worth, such as `yakuman`.
    pub limit_name: String,
    /// Several limit hands add up. Otherwise only the greatest counts.
    pub limits_add: bool,
}

/// What the patterns of a hand add up to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct HanFu {
    /// Han, bonuses included. 0 for a limit hand.
    pub han: u32,
    /// Fu, rounded. 0 for a limit hand.
    pub fu: u32,
    /// Limits of the limit hands.
    pub limits: u32,
    /// The base of payments.
    pub base: i64,
    /// The index of the limit in the table. `None` below all limits and for a limit hand.
    pub limit: Option<usize>,
    /// The hand is worth enough to win.
    pub wins: bool,
}

/// Payments are rounded up to a multiple of this.
const UNIT: i64 = 100;

/// The most han. Sums stop here instead of overflowing; more han do not raise the base.
const MAX_HAN: u32 = 1000;

/// What one player pays: a multiple of the base, rounded up.
pub(super) fn payment(base: i64, times: i64) -> i64 {
    let units = base.saturating_mul(times).saturating_add(UNIT - 1);
    units.div_euclid(UNIT).saturating_mul(UNIT)
}

/// How many times the base one loser pays for a self-drawn win.
pub(super) fn self_draw_times(winner: Seat, loser: Seat) -> i64 {
    match winner == Seat::EAST || loser == Seat::EAST {
        true => 2,
        false => 1,
    }
}

/// What one loser pays for a self-drawn win.
pub(super) fn self_draw_payment(base: i64, winner: Seat, loser: Seat) -> i64 {
    payment(base, self_draw_times(winner, loser))
}

/// How many times the base the discarder pays.
pub(super) fn discard_times(winner: Seat) -> i64 {
    match winner == Seat::EAST {
        true => 6,
        false => 4,
    }
}

/// What the discarder pays.
pub(super) fn discard_payment(base: i64, winner: Seat) -> i64 {
    payment(base, discard_times(winner))
}

/// The total that a winner receives for a base.
pub(super) fn paid(base: i64, winner: Seat, win: &Win, players: usize) -> i64 {
    if !win.is_self_draw() {
        return discard_payment(base, winner);
    }
    Seat::all(players)
        .filter(|&loser| loser != winner)
        .map(|loser| self_draw_payment(base, winner, loser))
        .fold(0, i64::saturating_add)
}

impl HanFuRules {
    /// The columns of `[score] sums`.
    pub const COLUMNS: [&'static str; 2] = ["han", "fu"];

    /// True when these han of yaku, han and fu are enough to win.
    pub(crate) fn is_enough(
        &self,
        yaku: u32,
        (han, fu): (u32, i64),
        reading: Option<&Reading<'_>>,
    ) -> bool {
        let Some(minimum) = &self.minimum else {
            return true;
        };
        let columns = [han.into(), fu, yaku.into(), 0].map(|number: i64| 10 * number);
        minimum.condition.holds_of_sums(&Adding {
            columns,
            limits: 0,
            worth: 0,
            reading,
        })
    }

    /// The fu of a reading before rounding, evaluated row by row.
    pub(super) fn fu_of(&self, reading: &Reading<'_>) -> Fu {
        let mut sum = 0;
        for row in &self.fu {
            let times = row.times(reading);
            if row.exact && times > 0 {
                return Fu::Exact(row.fu);
            }
            sum += row.fu * i64::from(times);
        }
        Fu::Sum(sum)
    }

    /// Fu as they count: rounded up to tens, except exact ones.
    fn rounded(&self, fu: Fu, is_closed: bool) -> i64 {
        let sum = match fu {
            Fu::Exact(fu) => return fu,
            Fu::Sum(sum) => sum,
        };
        let rounded = (sum + 9).div_euclid(10) * 10;
        if is_closed {
            rounded
        } else {
            rounded.max(self.open_least)
        }
    }

    /// The base of payments of a hand with so many han and fu, fu as they count, and the name of the limit that it reaches.
    pub fn base(&self, han: u32, fu: i64) -> (i64, Option<&str>) {
        let (base, limit) = self.base_of(han.min(MAX_HAN), fu);
        let row = limit.and_then(|place| self.table.get(place));
        (base, row.map(|row| row.name.as_str()))
    }

    /// The sums of a hand with a base.
    pub(crate) fn sum_of(&self, base: i64, han: u32, fu: u32) -> HanFu {
        HanFu {
            han,
            fu,
            base,
            limit: self.table.iter().position(|row| row.base == base),
            wins: true,
            ..HanFu::default()
        }
    }

    /// What a loser pays for a hand with this base: off a discard, or self-drawn.
    pub fn pays(base: i64, winner: Seat, loser: Seat, is_self_draw: bool) -> i64 {
        match is_self_draw {
            true => self_draw_payment(base, winner, loser),
            false => discard_payment(base, winner),
        }
    }

    /// The points of a hand with this base: all that the winner is paid for it.
    pub(crate) fn points_of(base: i64, winner: Seat, win: &Win, players: usize) -> i64 {
        paid(base, winner, win, players)
    }

    /// The base of these han and fu, and the index of the limit that it reaches.
    fn base_of(&self, han: u32, fu: i64) -> (i64, Option<usize>) {
        let by_han = self.table.iter().rposition(|row| han >= row.han);
        let doubled = fu << (2 + han).min(20);
        let reaches = doubled >= self.limit_from && !self.table.is_empty();
        let limit = by_han.or(reaches.then_some(0));
        (limit.map_or(doubled, |place| self.table[place].base), limit)
    }

    /// Adds up lines. Returns the sum and the points. Lines that do not count in the end are dropped.
    /// `values` are those of all patterns. `fu` is called only if fu matter.
    pub(super) fn sum(
        &self,
        values: &[PatternValue],
        lines: &mut Lines,
        reading: &Reading<'_>,
        fu: impl FnOnce() -> Fu,
    ) -> (HanFu, i64) {
        let value_of = |line: &Line| values[usize::from(line.pattern)];
        let points = |base: i64| match reading.win {
            Some(win) => paid(base, reading.seat, win, reading.players),
            None => 0,
        };
        let closed = reading.hand.is_closed();
        let (mut yaku, mut bonus, mut alone, mut is_limit) = (0, 0, None, false);
        for line in lines.iter() {
            let times = u32::from(line.times);
            match value_of(line) {
                value @ PatternValue::Han { .. } => yaku += value.han(closed) * times,
                PatternValue::BonusHan(han) => bonus += han * times,
                PatternValue::HanAlone(han) => alone = Some((*line, han)),
                PatternValue::Limits(limits) => is_limit |= limits * times > 0,
                // Values of other families. No plan mixes families.
                _ => {}
            }
        }
        if is_limit {
            let sum = self.limits(values, lines);
            return (sum, points(sum.base));
        }
        let fu = self.rounded(fu(), closed);
        let counted = (yaku + bonus).min(MAX_HAN);
        let (base, limit) = self.base_of(counted, fu);
        let mut sum = HanFu {
            han: counted,
            fu: fu as u32,
            limits: 0,
            base,
            limit,
            wins: self.is_enough(yaku, (counted, fu), Some(reading)),
        };
        if let Some((line, han)) = alone {
            lines.retain(|line| !matches!(value_of(line), PatternValue::HanAlone(_)));
            let (base, limit) = self.base_of(han, fu);
            if !sum.wins || base > sum.base {
                lines.clear();
                lines.push(line);
                sum = HanFu {
                    han,
                    base,
                    limit,
                    wins: true,
                    ..sum
                };
            }
        }
        let points = if sum.wins { points(sum.base) } else { 0 };
        (sum, points)
    }

    /// Adds up lines, some of which are limit hands. All other lines are dropped.
    fn limits(&self, values: &[PatternValue], lines: &mut Lines) -> HanFu {
        let limits_of = |line: &Line| match values[usize::from(line.pattern)] {
            PatternValue::Limits(limits) => limits * u32::from(line.times),
            _ => 0,
        };
        lines.retain(|line| limits_of(line) > 0);
        if !self.limits_add {
            let most = lines.iter().map(limits_of).max().unwrap_or_default();
            let first = lines.iter().position(|line| limits_of(line) == most);
            let only = lines[first.unwrap_or_default()];
            lines.clear();
            lines.push(only);
        }
        let limits = lines.iter().map(limits_of).sum();
        HanFu {
            limits,
            base: self.limit_base * i64::from(limits),
            wins: true,
            ..HanFu::default()
        }
    }

    /// The name of a hand's worth. `None` below the first limit.
    pub fn name(&self, sum: &HanFu) -> Option<&str> {
        match sum.limit {
            _ if sum.limits > 0 => Some(&self.limit_name),
            Some(place) => self.table.get(place).map(|row| row.name.as_str()),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(limit_from: i64) -> HanFuRules {
        let row = |han, base, name: &str| LimitRow {
            han,
            base,
            name: name.to_owned(),
        };
        HanFuRules {
            fu: Vec::new(),
            open_least: 0,
            minimum: None,
            table: vec![
                row(5, 2000, "mangan"),
                row(6, 3000, "haneman"),
                row(13, 8000, "counted"),
            ],
            limit_from,
            limit_base: 8000,
            limit_name: "yakuman".to_owned(),
            limits_add: true,
        }
    }

    #[test]
    fn a_base_climbs_to_its_limits() {
        let rounded = rules(1920);
        let strict = rules(2000);
        assert_eq!(rounded.base_of(1, 30), (240, None));
        assert_eq!(rounded.base_of(4, 30), (2000, Some(0)));
        assert_eq!(strict.base_of(4, 30), (1920, None));
        assert_eq!(strict.base_of(4, 40), (2000, Some(0)));
        assert_eq!(strict.base_of(3, 70), (2000, Some(0)));
        assert_eq!(strict.base_of(5, 20), (2000, Some(0)));
        assert_eq!(strict.base_of(12, 20), (3000, Some(1)));
        assert_eq!(strict.base_of(MAX_HAN, 20), (8000, Some(2)));
    }

    #[test]
    fn payments_are_rounded_up_one_by_one() {
        let (east, south, west) = (Seat::EAST, Seat::EAST.after(1, 4), Seat::EAST.after(2, 4));
        assert_eq!(discard_payment(240, south), 1000);
        assert_eq!(discard_payment(240, east), 1500);
        assert_eq!(self_draw_payment(240, south, east), 500);
        assert_eq!(self_draw_payment(240, south, west), 300);
        assert_eq!(self_draw_payment(240, east, south), 500);
        assert_eq!(payment(0, 4), 0);
    }
}
