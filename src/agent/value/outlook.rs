//! [`Outlook`]: what points won or lost in a deal are worth at the end of the match.

use super::course::Course;
use crate::ruleset::{MatchEnd, Plan};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::state::View;

/// By this the variance is multiplied so that [`Outlook::behind`] has the slope of a normal distribution where two totals
/// are equal.
const SLOPE: f64 = std::f64::consts::FRAC_PI_2;
/// Totals as close as this are equal: less than the least unit.
const TIE: f64 = 0.1;

/// The totals at a decision, and how much they may still change after the deal. A result is a total with what the ruleset
/// adds by rank at the end of the match.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outlook {
    players: usize,
    seat: Seat,
    /// By seat. Of equal totals the one that ranks higher is greater by [`TIE`].
    totals: [f64; MAX_PLAYERS],
    /// What decides between equal totals.
    ties: [f64; MAX_PLAYERS],
    /// What is added at the end, by rank.
    by_rank: [f64; MAX_PLAYERS],
    /// The variance of the difference of two totals, from the end of the deal to the end of the match.
    variance: f64,
    /// The mean of the final result if the deal changes nothing.
    now: f64,
}

/// How many deals follow the one in play, if each dealer deals once.
fn deals_left(plan: &Plan, view: &View<'_>) -> u32 {
    let (progress, players) = (view.progress(), plan.players);
    let dealt = view.dealer().seat(progress.first_dealer, players).index() as u32;
    let left = |end: &MatchEnd| match *end {
        MatchEnd::Deals(deals) => Some(deals.saturating_sub(progress.deal)),
        MatchEnd::Rounds(rounds) | MatchEnd::RoundsOrGoal { rounds, .. } => {
            let deals = rounds.saturating_sub(progress.rounds) * players as u32;
            Some(deals.saturating_sub(dealt + 1))
        }
        _ => None,
    };
    let most = plan.matches.max_deals.saturating_sub(progress.deal);
    let ends = plan.matches.ends.iter().filter_map(left);
    ends.min().unwrap_or(most).min(most)
}

impl Outlook {
    /// `None` where the end of a match adds nothing, so that points are worth what they are.
    pub(super) fn of(plan: &Plan, course: &Course, view: &View<'_>) -> Option<Self> {
        let rules = plan.matches.result?;
        let (players, per_point) = (plan.players, plan.units_per_point());
        let mut by_rank = rules.by_rank.map(|points| (points * per_point) as f64);
        let over = (rules.return_points - plan.matches.start_points) * per_point;
        by_rank[0] += over as f64 * players as f64;
        let first = view.progress().first_dealer;
        let (mut totals, mut ties) = ([0.0; MAX_PLAYERS], [0.0; MAX_PLAYERS]);
        for seat in Seat::all(players) {
            let place = seat.player(view.dealer(), players).seat(first, players);
            ties[seat.index()] = -TIE * place.index() as f64;
            totals[seat.index()] = view.points(seat) as f64 + ties[seat.index()];
        }
        let mut this = Self {
            players,
            seat: view.seat(),
            totals,
            ties,
            by_rank,
            variance: f64::from(deals_left(plan, view)) * course.repeats * course.swing,
            now: 0.0,
        };
        this.now = this.result(&this.totals);
        Some(this)
    }

    /// The chance that a total is behind another one at the end of the match.
    fn behind(&self, difference: f64) -> f64 {
        0.5 - 0.5 * difference / (difference * difference + SLOPE * self.variance).sqrt()
    }

    /// The mean of the seat's final result after a deal that leaves these totals.
    fn result(&self, totals: &[f64; MAX_PLAYERS]) -> f64 {
        let own = totals[self.seat.index()];
        let mut ranks = [0.0; MAX_PLAYERS];
        ranks[0] = 1.0;
        for other in Seat::all(self.players).filter(|other| *other != self.seat) {
            let behind = self.behind(own - totals[other.index()]);
            for rank in (0..self.players).rev() {
                let better = rank.checked_sub(1).map_or(0.0, |rank| ranks[rank]);
                ranks[rank] = ranks[rank] * (1.0 - behind) + better * behind;
            }
        }
        let added = ranks.iter().zip(self.by_rank);
        own + added.map(|(chance, points)| chance * points).sum::<f64>()
    }

    /// The mean of the seat's final result after a deal that leaves these totals.
    pub(super) fn result_of(&self, points: impl Fn(Seat) -> i64) -> f64 {
        let mut totals = self.ties;
        for seat in Seat::all(self.players) {
            totals[seat.index()] += points(seat) as f64;
        }
        self.result(&totals)
    }

    /// What the seat's result gains on average by a change of its total. `to` takes from it or gives to it; without it all
    /// others do so equally.
    fn change(&self, own: f64, to: Option<(Seat, f64)>) -> f64 {
        let mut totals = self.totals;
        totals[self.seat.index()] += own;
        let (taker, taken) = to.map_or((None, 0.0), |(seat, taken)| (Some(seat), taken));
        if let Some(seat) = taker {
            totals[seat.index()] += taken;
        }
        let others = |seat: &Seat| *seat != self.seat && Some(*seat) != taker;
        let count = Seat::all(self.players).filter(others).count().max(1) as f64;
        for seat in Seat::all(self.players).filter(others) {
            totals[seat.index()] -= (own + taken) / count;
        }
        self.result(&totals) - self.now
    }

    /// What a win is worth that brings these points.
    pub(super) fn gain(&self, points: f64) -> f64 {
        match points > 0.0 {
            true => self.change(points, None),
            false => 0.0,
        }
    }

    /// What it costs to pay these points to all others together.
    pub(super) fn paid(&self, points: f64) -> f64 {
        -self.change(-points, None)
    }

    /// What it costs to pay these points to a seat that wins.
    pub(super) fn given(&self, winner: Seat, points: f64) -> f64 {
        -self.change(-points, Some((winner, points)))
    }

    /// What it costs on average that another seat wins `won` points, of which this seat pays `lost`.
    pub(super) fn lost(&self, lost: f64, won: f64) -> f64 {
        let others = Seat::all(self.players).filter(|other| *other != self.seat);
        let cost = others.map(|winner| -self.change(-lost, Some((winner, won))));
        cost.sum::<f64>() / (self.players - 1).max(1) as f64
    }
}
