//! What the statistics mean: shares with intervals, prices against rarity, proposals.

use super::job::Record;
use paishan::ruleset::Plan;
use paishan::score::{Pattern, PatternStatus};
use paishan::simulate::{PriceUnit, Summary};
use paishan::{Decimal, Seat};

/// Two-sided 95 % of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;
/// The line uses only patterns seen in at least this many winning hands.
const SEEN: u64 = 5;
/// A pattern of at least this share of winning hands is no choice of players.
const NEARLY_EVERY: f64 = 0.9;

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The share of `part` in `whole`, with Wilson's interval.
pub fn share(part: u64, whole: u64) -> Estimate {
    if whole == 0 {
        return Estimate {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (n, p) = (whole as f64, part as f64 / whole as f64);
    let z = Z * Z / n;
    let centre = (p + z / 2.0) / (1.0 + z);
    let half = Z * (p * (1.0 - p) / n + z / (4.0 * n)).sqrt() / (1.0 + z);
    Estimate {
        value: p,
        low: if part == 0 { 0.0 } else { centre - half },
        high: if part == whole { 1.0 } else { centre + half },
    }
}

/// The difference of two shares, with Newcombe's interval from those of the shares.
fn difference(one: Estimate, other: Estimate) -> Estimate {
    let value = one.value - other.value;
    Estimate {
        value,
        low: value - (one.value - one.low).hypot(other.high - other.value),
        high: value + (one.high - one.value).hypot(other.value - other.low),
    }
}

fn in_units(price: Decimal) -> f64 {
    price.tenths() as f64 / 10.0
}

/// A mean from a sum and a sum of squares.
pub fn mean(sum: i64, squares: u64, count: u64) -> Estimate {
    let n = count.max(1) as f64;
    let value = sum as f64 / n;
    let variance = (squares as f64 / n - value * value).max(0.0);
    let half = Z * (variance / n).sqrt();
    Estimate {
        value,
        low: value - half,
        high: value + half,
    }
}

/// What the analysis says about a pattern.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The index of the pattern, or of the first that has its id.
    pub index: usize,
    pub id: String,
    pub doc: String,
    pub status: PatternStatus,
    /// It is no choice: nearly every win has it, or it counts only where nothing else does.
    pub is_base: bool,
    /// Winning hands with it.
    pub hands: u64,
    /// How often it counted in them.
    pub times: u64,
    /// Its share of winning hands.
    pub share: Estimate,
    /// Its share among the players compared with.
    pub compared: Option<Compared>,
    /// What it is worth, in the unit of the ruleset.
    pub price: Option<f64>,
    /// −log₂ of its share.
    pub rarity: Option<f64>,
    /// What the line says a pattern this rare is worth.
    pub fair: Option<Estimate>,
    /// The mean place of players who won with it in a match.
    pub place: Option<f64>,
}

/// What players who do not aim make of a pattern.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared {
    /// Winning hands with it.
    pub hands: u64,
    /// Its share of winning hands.
    pub share: Estimate,
    /// By how much the share of those who aim is higher.
    pub more: Estimate,
}

impl Finding {
    /// By how much more often those who aim win with it, if they or the others have ever won with it.
    pub fn more(&self) -> Option<Estimate> {
        let compared = self.compared?;
        (self.hands + compared.hands > 0).then_some(compared.more)
    }

    /// How much more it is worth than the line says. Negative for a cheap pattern.
    pub fn excess(&self) -> Option<f64> {
        Some(self.price? - self.fair?.value)
    }

    /// Its value may be changed.
    pub fn may_change(&self) -> bool {
        self.status != PatternStatus::Fixed
    }
}

/// How prices are laid out: as they are, or by how often they double where the dearest is worth far more than the
/// cheapest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Even,
    Doubling,
}

impl Scale {
    /// Prices that differ by more than this factor are laid out by doublings.
    const WIDE: f64 = 30.0;

    fn of(prices: impl Iterator<Item = f64> + Clone) -> Self {
        let low = prices.clone().fold(f64::INFINITY, f64::min);
        let high = prices.fold(0.0, f64::max);
        match high > low * Self::WIDE {
            true => Self::Doubling,
            false => Self::Even,
        }
    }

    /// The height of a price.
    pub fn height(self, price: f64) -> f64 {
        match self {
            Self::Even => price,
            Self::Doubling => price.log2(),
        }
    }

    /// The price at a height.
    pub fn price(self, height: f64) -> f64 {
        match self {
            Self::Even => height,
            Self::Doubling => height.exp2(),
        }
    }
}

/// The height of a price by rarity: `height = base + slope × rarity`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    pub base: f64,
    pub slope: f64,
    /// The interval of the slope. Its ends are infinite if there are too few points for one.
    pub slopes: [f64; 2],
}

impl Line {
    /// The height at a rarity.
    pub fn at(&self, rarity: f64) -> f64 {
        self.base + self.slope * rarity
    }

    /// True if rarer patterns are dearer beyond chance. Otherwise the line does not say what a pattern should be worth.
    pub fn rises(&self) -> bool {
        self.slopes[0] > 0.0
    }

    /// The line with the median slope and the median base (Theil and Sen). A few mispriced patterns do not move
    /// it. The interval of the slope is Sen's: the slopes between which Kendall's statistic does not differ clearly
    /// from 0.
    fn through(points: &[(f64, f64)]) -> Option<Self> {
        let mut slopes: Vec<f64> = Vec::new();
        for (i, a) in points.iter().enumerate() {
            for b in &points[i + 1..] {
                if (a.0 - b.0).abs() > 1e-9 {
                    slopes.push((b.1 - a.1) / (b.0 - a.0));
                }
            }
        }
        slopes.sort_by(f64::total_cmp);
        let slope = median(&slopes)?;
        let mut bases: Vec<f64> = points.iter().map(|(x, y)| y - slope * x).collect();
        bases.sort_by(f64::total_cmp);
        let base = median(&bases)?;
        let around = Z * kendall_variance(points).sqrt() / 2.0;
        // How many slopes lie below the interval, and as many above it.
        let outside = (slopes.len() as f64 / 2.0 - around).max(0.0) as usize;
        let slopes = match outside.checked_sub(1) {
            Some(last) => [slopes[last], slopes[slopes.len() - outside]],
            None => [f64::NEG_INFINITY, f64::INFINITY],
        };
        Some(Self {
            base,
            slope,
            slopes,
        })
    }
}

/// The variance of Kendall's statistic of these points if height does not depend on rarity. Equal heights lower it.
fn kendall_variance(points: &[(f64, f64)]) -> f64 {
    let of = |n: usize| {
        let n = n as f64;
        n * (n - 1.0) * (2.0 * n + 5.0) / 18.0
    };
    let mut heights: Vec<f64> = points.iter().map(|(_, y)| *y).collect();
    heights.sort_by(f64::total_cmp);
    let equal = heights.chunk_by(|a, b| a == b).map(|equal| of(equal.len()));
    of(points.len()) - equal.sum::<f64>()
}

/// The median of sorted numbers.
fn median(all: &[f64]) -> Option<f64> {
    let middle = all.len() / 2;
    match all.len() % 2 {
        1 => Some(all[middle]),
        _ => Some((*all.get(middle.checked_sub(1)?)? + all[middle]) / 2.0),
    }
}

/// A proposed value.
pub struct Proposal<'a> {
    pub finding: &'a Finding,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Everything a report says beside the statistics themselves.
pub struct Analysis {
    pub unit: PriceUnit,
    pub scale: Scale,
    pub patterns: Vec<Finding>,
    pub line: Option<Line>,
    /// The step between values.
    quantum: f64,
    /// The mean place of all players.
    pub place: f64,
    /// Mean points a deal by seat, the dealer's first.
    pub seats: Vec<(char, Estimate)>,
}

fn mean_place(ranks: &[u64]) -> Option<f64> {
    let all: u64 = ranks.iter().sum();
    let places = (1..).zip(ranks).map(|(place, count)| place * count);
    (all > 0).then(|| places.sum::<u64>() as f64 / all as f64)
}

impl Analysis {
    pub fn new(plan: &Plan, record: &Record) -> Self {
        let statistics = &record.statistics;
        let summary = &statistics.summary;
        let compared = record.compared.as_ref().map(|all| &all.summary);
        let patterns = plan.score().patterns();
        let unit = PriceUnit::of(plan);
        let mut findings: Vec<Finding> = Vec::new();
        for (i, pattern) in patterns.iter().enumerate() {
            if patterns[..i].iter().any(|before| before.id == pattern.id) {
                continue;
            }
            let seen = |summary: &Summary| {
                let hands = summary.patterns.get(i).copied().unwrap_or(0);
                (hands, share(hands, summary.wins.iter().sum()))
            };
            let (hands, share) = seen(summary);
            let compared = compared.map(|summary| {
                let (hands, other) = seen(summary);
                let more = difference(share, other);
                Compared {
                    hands,
                    share: other,
                    more,
                }
            });
            let ranks = statistics.pattern_ranks.get(i);
            let gives_way = |other: &&Pattern| other.supersedes.contains(&i);
            let is_last = 2 * patterns.iter().filter(gives_way).count() > patterns.len();
            findings.push(Finding {
                index: i,
                id: pattern.id.clone(),
                doc: pattern.doc.clone(),
                status: pattern.status,
                is_base: is_last || (hands >= SEEN && share.value >= NEARLY_EVERY),
                hands,
                times: statistics.pattern_times.get(i).copied().unwrap_or(0),
                share,
                compared,
                price: unit.price(pattern).map(in_units),
                rarity: (hands > 0).then(|| -share.value.log2()),
                fair: None,
                place: ranks.and_then(|ranks| mean_place(ranks)),
            });
        }
        let scale = Scale::of(findings.iter().filter_map(|finding| finding.price));
        let on_line = |finding: &&Finding| finding.hands >= SEEN && !finding.is_base;
        let points: Vec<(f64, f64)> = findings
            .iter()
            .filter(on_line)
            .filter_map(|finding| Some((finding.rarity?, scale.height(finding.price?))))
            .collect();
        let line = Line::through(&points).filter(|_| points.len() >= 4);
        for finding in &mut findings {
            let is_on = on_line(&&*finding);
            if let (Some(line), true, Some(rarity)) = (line, is_on, finding.rarity) {
                // The rarest share in the interval gives the highest value.
                let ends = [finding.share.high, finding.share.low]
                    .map(|share| scale.price(line.at(-share.log2())));
                finding.fair = Some(Estimate {
                    value: scale.price(line.at(rarity)),
                    low: ends[0].min(ends[1]),
                    high: ends[0].max(ends[1]),
                });
            }
        }
        let per_point = plan.units_per_point() as f64;
        let scaled = |e: Estimate| Estimate {
            value: e.value / per_point,
            low: e.low / per_point,
            high: e.high / per_point,
        };
        let seats = Seat::all(plan.players()).map(|seat| {
            let i = seat.index();
            let points = mean(
                summary.seat_points[i],
                statistics.seat_squares[i],
                summary.deals,
            );
            (seat.letter(), scaled(points))
        });
        Self {
            scale,
            line,
            quantum: in_units(plan.score().quantum[unit.column().unwrap_or(0)]),
            unit,
            place: mean_place(&summary.places()).unwrap_or_default(),
            seats: seats.collect(),
            patterns: findings,
        }
    }

    /// Patterns that are dearer or cheaper than their rarity says, the farthest from the line first.
    pub fn outliers(&self) -> Vec<&Finding> {
        let mut all: Vec<&Finding> = self
            .patterns
            .iter()
            .filter(|finding| finding.excess().is_some())
            .collect();
        let far = |finding: &&Finding| match (finding.price, finding.fair) {
            (Some(price), Some(fair)) => {
                (self.scale.height(price) - self.scale.height(fair.value)).abs()
            }
            _ => 0.0,
        };
        all.sort_by(|a, b| far(b).total_cmp(&far(a)));
        all
    }

    /// Patterns by how much more often those who aim win with them, those they pursue most first. Empty without a
    /// comparison.
    pub fn pursued(&self) -> Vec<(&Finding, Compared)> {
        let compared = |finding| Some((finding, Finding::more(finding).and(finding.compared)?));
        let mut all: Vec<_> = self.patterns.iter().filter_map(compared).collect();
        all.sort_by(|(_, a), (_, b)| b.more.value.total_cmp(&a.more.value));
        all
    }

    /// Values on the line, rounded to the quantum, for patterns whose value may be changed.
    pub fn proposals(&self) -> Vec<Proposal<'_>> {
        let on_quantum = |value: f64| {
            let steps = (value / self.quantum).round().max(1.0);
            // Decimals have one place.
            Decimal::from_tenths((steps * self.quantum * 10.0).round() as i64).tenths() as f64
                / 10.0
        };
        let may_change = |finding: &&Finding| finding.may_change() && finding.price.is_some();
        self.patterns
            .iter()
            .filter(may_change)
            .filter_map(|finding| {
                let fair = finding.fair?;
                Some(Proposal {
                    finding,
                    value: on_quantum(fair.value),
                    low: on_quantum(fair.low),
                    high: on_quantum(fair.high),
                })
            })
            .collect()
    }

    /// Priced patterns that the line leaves out.
    pub fn base(&self) -> impl Iterator<Item = &Finding> {
        let is_out = |finding: &&Finding| finding.is_base && finding.price.is_some();
        self.patterns.iter().filter(is_out)
    }

    /// Patterns on the line whose value may not be changed, the farthest from it first.
    pub fn locked(&self) -> impl Iterator<Item = &Finding> {
        let outliers = self.outliers().into_iter();
        outliers.filter(|finding| !finding.may_change())
    }

    /// Patterns that no winning hand had.
    pub fn unseen(&self) -> impl Iterator<Item = &Finding> {
        self.patterns.iter().filter(|finding| finding.hands == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_wilsons_interval() {
        let half = share(50, 100);
        assert!((half.low - 0.4038).abs() < 1e-4 && (half.high - 0.5962).abs() < 1e-4);
        let none = share(0, 100);
        assert!(none.low == 0.0 && (none.high - 0.0370).abs() < 1e-4);
    }

    /// Newcombe 1998, table II, method 10.
    #[test]
    fn differences_of_shares_have_newcombes_interval() {
        let more = difference(share(56, 70), share(48, 80));
        assert!((more.low - 0.0524).abs() < 1e-4 && (more.high - 0.3339).abs() < 1e-4);
        let none = difference(share(0, 10), share(0, 10));
        assert!((none.low + 0.2775).abs() < 1e-4 && (none.high - 0.2775).abs() < 1e-4);
    }

    #[test]
    fn wide_prices_are_laid_out_by_doublings() {
        assert_eq!(Scale::of([1.0, 88.0, 24.0].into_iter()), Scale::Doubling);
        assert_eq!(Scale::of([0.4, 3.0, 6.0].into_iter()), Scale::Even);
        assert_eq!(Scale::Doubling.height(64.0), 6.0);
        assert_eq!(Scale::Doubling.price(3.0), 8.0);
    }

    #[test]
    fn a_mispriced_pattern_does_not_move_the_line() {
        let mut points: Vec<(f64, f64)> = (1..12)
            .map(|x| (f64::from(x), 1.0 + 0.5 * f64::from(x)))
            .collect();
        points.push((1.5, 8.0));
        let line = Line::through(&points).unwrap();
        assert!((line.slope - 0.5).abs() < 0.05 && (line.base - 1.0).abs() < 0.2);
        assert!(line.rises());
    }

    #[test]
    fn a_slope_that_may_be_chance_does_not_rise() {
        let rarities = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let line = |heights: [f64; 6]| {
            let points: Vec<_> = rarities.into_iter().zip(heights).collect();
            Line::through(&points).unwrap()
        };
        assert!(line([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).rises());
        let flat = line([2.0, 1.0, 3.0, 1.0, 2.0, 3.0]);
        assert!(!flat.rises() && flat.slopes[0] < flat.slope && flat.slope < flat.slopes[1]);
        assert!(!line([6.0, 5.0, 4.0, 3.0, 2.0, 1.0]).rises());
    }

    /// Of ten points Kendall's statistic has variance 125. With two groups of five equal heights 16⅔ each are gone.
    #[test]
    fn equal_heights_lower_the_variance() {
        let points = |height: fn(u8) -> u8| -> Vec<(f64, f64)> {
            (0..10)
                .map(|x| (f64::from(x), f64::from(height(x))))
                .collect()
        };
        assert_eq!(kendall_variance(&points(|x| x)), 125.0);
        let equal = kendall_variance(&points(|x| x / 5));
        assert!((equal - (125.0 - 100.0 / 3.0)).abs() < 1e-9);
    }
}
