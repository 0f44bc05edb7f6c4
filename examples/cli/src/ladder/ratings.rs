//! Ratings and the skill index, from the results of matches.

use crate::duplicate::{Estimate, Z};
use paishan::Seed;
use paishan::random::Stream;

/// The rating of the anchor.
const ANCHOR_RATING: f64 = 1000.0;
/// How often the games are drawn anew, with repetition, to find intervals.
const RESAMPLES: usize = 200;
/// A step that changes no strength by more than this part is the last one.
const CLOSE: f64 = 1e-7;
const MOST_STEPS: usize = 2000;

/// Sums over matches. Sums of games can be added.
#[derive(Clone, Debug)]
pub struct Matches {
    agents: usize,
    /// `ahead[i * agents + j]`: how often agent `i` finished ahead of `j`. A shared rank counts half for both.
    ahead: Vec<f64>,
    /// The normal equations of the points above the table's mean, linear in the strengths of the agents.
    products: Vec<f64>,
    targets: Vec<f64>,
    /// The sum of the squares of these points.
    squares: f64,
    /// The degrees of freedom of these points: one less than the players for each match.
    freedom: f64,
}

impl Matches {
    pub fn new(agents: usize) -> Self {
        Self {
            agents,
            ahead: vec![0.0; agents * agents],
            products: vec![0.0; agents * agents],
            targets: vec![0.0; agents],
            squares: 0.0,
            freedom: 0.0,
        }
    }

    /// Adds a match: which agents played, and their results.
    pub fn add_match(&mut self, table: &[usize], results: &[i64]) {
        let (n, players) = (self.agents, table.len() as f64);
        for (&i, mine) in table.iter().zip(results) {
            for (&j, theirs) in table.iter().zip(results).filter(|(j, _)| **j != i) {
                self.ahead[i * n + j] += match mine.cmp(theirs) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
        // The row of a player: 1 for its agent, less the mean of the table.
        let mut mean = vec![0.0; n];
        for &i in table {
            mean[i] += 1.0 / players;
        }
        let sum: i128 = results.iter().map(|&points| i128::from(points)).sum();
        for (&agent, &points) in table.iter().zip(results) {
            let above = points as f64 - sum as f64 / players;
            let row = |i: usize| f64::from(u8::from(i == agent)) - mean[i];
            for i in 0..n {
                self.targets[i] += row(i) * above;
                for j in 0..n {
                    self.products[i * n + j] += row(i) * row(j);
                }
            }
            self.squares += above * above;
        }
        self.freedom += players - 1.0;
    }

    fn add(&mut self, other: &Self) {
        let both = |mine: &mut [f64], theirs: &[f64]| {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        };
        both(&mut self.ahead, &other.ahead);
        both(&mut self.products, &other.products);
        both(&mut self.targets, &other.targets);
        self.squares += other.squares;
        self.freedom += other.freedom;
    }

    /// Bradley–Terry strengths: `i` finishes ahead of `j` with probability `s[i] / (s[i] + s[j])`. Each pair counts as
    /// tied once more than it met, so that an agent that always wins has a strength, too. `s` is where to start.
    fn strengths(&self, mut s: Vec<f64>) -> Vec<f64> {
        let n = self.agents;
        let met = |i: usize, j: usize| self.ahead[i * n + j] + self.ahead[j * n + i] + 1.0;
        let others = |i: usize| (0..n).filter(move |&j| j != i);
        for _ in 0..MOST_STEPS {
            let mut change: f64 = 0.0;
            for i in 0..n {
                let ahead: f64 = others(i).map(|j| self.ahead[i * n + j] + 0.5).sum();
                let expected: f64 = others(i).map(|j| met(i, j) / (s[i] + s[j])).sum();
                let next = ahead / expected;
                change = change.max((next / s[i] - 1.0).abs());
                s[i] = next;
            }
            if change < CLOSE {
                break;
            }
        }
        s
    }

    /// The share of the variance of points above the table's mean that follows from who plays.
    fn skill(&self) -> f64 {
        let n = self.agents;
        // Strengths matter only as differences: their sum is set to 0.
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let products = &self.products[i * n..][..n];
                let row = products.iter().map(|product| product + 1.0);
                row.chain([self.targets[i]]).collect()
            })
            .collect();
        for i in 0..n {
            let size = |&row: &usize| rows[row][i].abs();
            let largest = (i..n).max_by(|a, b| size(a).total_cmp(&size(b)));
            rows.swap(i, largest.unwrap_or(i));
            let pivot = rows[i].clone();
            if pivot[i].abs() < 1e-9 {
                continue;
            }
            for row in (0..n).filter(|&row| row != i) {
                let factor = rows[row][i] / pivot[i];
                for (value, pivot) in rows[row].iter_mut().zip(&pivot) {
                    *value -= factor * pivot;
                }
            }
        }
        let explained: f64 = (0..n)
            .filter(|&i| rows[i][i].abs() >= 1e-9)
            .map(|i| rows[i][n] / rows[i][i] * self.targets[i])
            .sum();
        let rest = self.freedom - (n - 1) as f64;
        if self.squares <= 0.0 || rest <= 0.0 {
            return 0.0;
        }
        1.0 - (self.squares - explained) / self.squares * self.freedom / rest
    }
}

/// Ratings by agent, and the skill index.
pub struct Rated {
    pub elo: Vec<Estimate>,
    pub skill: Estimate,
}

/// Ratings by agent, and the skill index.
type Sample = (Vec<f64>, f64);

/// Ratings on the scale of Elo, on which 400 points more are odds of 10 to 1. Intervals come from games drawn anew.
pub fn rate(games: &[&Matches], anchor: usize, seed: Seed) -> Rated {
    let agents = games.first().map_or(0, |game| game.agents);
    let total = |games: &mut dyn Iterator<Item = &Matches>| {
        games.fold(Matches::new(agents), |mut sum, game| {
            sum.add(game);
            sum
        })
    };
    let elo = |strengths: &[f64]| -> Vec<f64> {
        let above = |strength: &f64| 400.0 * (strength / strengths[anchor]).log10();
        strengths.iter().map(|s| ANCHOR_RATING + above(s)).collect()
    };
    let whole = total(&mut games.iter().copied());
    let strengths = whole.strengths(vec![1.0; agents]);
    let mut stream = Stream::new(seed.of_agents(), 0);
    let resampled: Vec<Sample> = (0..RESAMPLES)
        .map(|_| {
            let mut drawn = games
                .iter()
                .map(|_| games[stream.below(games.len() as u32) as usize]);
            let sample = total(&mut drawn);
            (elo(&sample.strengths(strengths.clone())), sample.skill())
        })
        .collect();
    let estimate = |mean: f64, of: &dyn Fn(&Sample) -> f64| {
        let n = RESAMPLES as f64;
        let middle = resampled.iter().map(of).sum::<f64>() / n;
        let squares = resampled.iter().map(|one| (of(one) - middle).powi(2));
        let half = Z * (squares.sum::<f64>() / (n - 1.0)).sqrt();
        Estimate {
            mean,
            half: Some(half),
        }
    };
    let ratings = elo(&strengths);
    let rated = (0..agents).map(|i| estimate(ratings[i], &|(elo, _)| elo[i]));
    Rated {
        elo: rated.collect(),
        skill: estimate(whole.skill(), &|(_, skill)| *skill),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of two whose results have the odds of the strengths 1, 2 and 8.
    #[test]
    fn ratings_have_the_odds_of_the_results() {
        let mut matches = Matches::new(3);
        for (i, j, ahead, behind) in [(0, 1, 2000, 4000), (1, 2, 1000, 4000), (0, 2, 500, 4000)] {
            (0..ahead).for_each(|_| matches.add_match(&[i, j], &[1, -1]));
            (0..behind).for_each(|_| matches.add_match(&[j, i], &[1, -1]));
        }
        let rated = rate(&[&matches], 1, Seed::from(1));
        for (elo, strength) in rated.elo.iter().zip([1.0_f64, 2.0, 8.0]) {
            let want = ANCHOR_RATING + 400.0 * (strength / 2.0).log10();
            assert!((elo.mean - want).abs() < 1.0, "{} {want}", elo.mean);
        }
        // One game drawn anew is the same game.
        assert!(rated.skill.half.is_some_and(|half| half < 1e-9));
    }

    /// Points of four agents: their strength, and chance with `spread` times the variance.
    fn skill(spread: f64) -> f64 {
        let strengths = [300.0, 100.0, -100.0, -300.0, 500.0];
        let mut matches = Matches::new(strengths.len());
        let mut stream = Stream::new(5, 5);
        // Of a uniform number from −w to w the variance is w² / 3, and three quarters of it lie within a table of four.
        let variance = strengths
            .iter()
            .map(|s: &f64| (s - 100.0).powi(2))
            .sum::<f64>()
            / 4.0;
        let width = (3.0 * spread * variance).sqrt();
        for _ in 0..20_000 {
            let mut table = [0, 1, 2, 3, 4];
            stream.shuffle(&mut table);
            let results = [0, 1, 2, 3].map(|seat| {
                let chance = f64::from(stream.below(20_001)) / 10_000.0 - 1.0;
                (strengths[table[seat]] + width * chance).round() as i64
            });
            matches.add_match(&table[..4], &results);
        }
        matches.skill()
    }

    #[test]
    fn the_skill_index_is_the_share_of_the_strengths_in_the_variance() {
        assert!((skill(0.0) - 1.0).abs() < 1e-6);
        assert!((skill(1.0) - 0.5).abs() < 0.01, "{}", skill(1.0));
        assert!((skill(9.0) - 0.1).abs() < 0.01, "{}", skill(9.0));
    }

    #[test]
    fn an_agent_that_always_wins_has_a_rating() {
        let mut matches = Matches::new(2);
        (0..10).for_each(|_| matches.add_match(&[0, 1], &[5, -5]));
        let rated = rate(&[&matches], 0, Seed::from(1));
        assert_eq!(rated.elo[0].mean, ANCHOR_RATING);
        // 10½ to ½.
        let want = ANCHOR_RATING - 400.0 * 21.0_f64.log10();
        assert!(
            (rated.elo[1].mean - want).abs() < 0.1,
            "{}",
            rated.elo[1].mean
        );
    }
}
