//! Duplicate play, matches of agents on the same walls from every seat: what the agents did in them.

use paishan::Player;
use paishan::simulate::{Draws, Summary};
use std::iter::Sum;

/// Standard deviations on each side of the middle 95 % of a normal distribution.
pub const Z: f64 = 1.96;

/// How the walls are drawn from.
#[derive(clap::Args)]
pub struct DrawArgs {
    /// Each seat draws its own stream of tiles, so a claim does not change what the others draw.
    #[arg(long)]
    streams: bool,
}

impl DrawArgs {
    pub fn draws(&self) -> Draws {
        match self.streams {
            true => Draws::InStreams,
            false => Draws::InTurn,
        }
    }
}

/// What agents of one name did. A deal and a match count once for each of these agents at the table.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub matches: u64,
    pub deals: u64,
    /// In the least unit of the ruleset.
    pub points: i64,
    /// The sum of the final results of matches, in the least unit of the ruleset, if they are counted.
    pub results: i64,
    /// The sum of the ranks in matches.
    pub ranks: u64,
    pub wins: u64,
    pub winning_points: i64,
    pub deal_ins: u64,
    pub claims: u64,
    pub claimed_deals: u64,
    pub announced: u64,
}

impl Tally {
    /// What one player did.
    pub fn of(summary: &Summary, player: Player) -> Self {
        let i = player.index();
        let ranks = summary.ranks[i].iter().zip(1..);
        Self {
            matches: summary.matches,
            deals: summary.deals,
            points: summary.points[i],
            results: 0,
            ranks: ranks.map(|(count, rank)| count * rank).sum(),
            wins: summary.wins[i],
            winning_points: summary.winning_points[i],
            deal_ins: summary.deal_ins[i],
            claims: summary.claims[i],
            claimed_deals: summary.claimed_deals[i],
            announced: summary.announced[i],
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |sum, other| Self {
            matches: sum.matches + other.matches,
            deals: sum.deals + other.deals,
            points: sum.points + other.points,
            results: sum.results + other.results,
            ranks: sum.ranks + other.ranks,
            wins: sum.wins + other.wins,
            winning_points: sum.winning_points + other.winning_points,
            deal_ins: sum.deal_ins + other.deal_ins,
            claims: sum.claims + other.claims,
            claimed_deals: sum.claimed_deals + other.claimed_deals,
            announced: sum.announced + other.announced,
        })
    }
}

/// A mean, and half the width of its 95 % interval. A single game has no interval.
#[derive(Clone, Copy)]
pub struct Estimate {
    pub mean: f64,
    pub half: Option<f64>,
}

impl Estimate {
    /// The ratio of two sums over games, so a game counts by its weight: the second number.
    pub fn ratio(games: impl ExactSizeIterator<Item = (f64, f64)> + Clone) -> Self {
        let n = games.len() as f64;
        let weights = games.clone().map(|(_, weight)| weight).sum::<f64>();
        let weights = weights.max(f64::MIN_POSITIVE);
        let mean = games.clone().map(|(value, _)| value).sum::<f64>() / weights;
        let rests = games.map(|(value, weight)| (value - mean * weight).powi(2));
        let rests = rests.sum::<f64>();
        let half = Z * (rests * n / (n - 1.0)).sqrt() / weights;
        Self {
            mean,
            half: Some(half).filter(|_| n > 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_count_by_their_weight() {
        let even = Estimate::ratio([(2.0, 1.0), (4.0, 1.0)].into_iter());
        assert_eq!(even.mean, 3.0);
        // The standard deviation of 2 and 4 is the root of 2, and that of their mean is 1.
        assert!((even.half.unwrap() - Z).abs() < 1e-9);
        let longer = Estimate::ratio([(2.0, 1.0), (12.0, 3.0)].into_iter());
        assert_eq!(longer.mean, 3.5);
        assert!(Estimate::ratio([(2.0, 1.0)].into_iter()).half.is_none());
    }
}
