//! [`Causes`]: what points are won and lost for.

use crate::game::{MatchState, Next, Observer, Outcome};
use crate::ruleset::Plan;
use crate::score::{PaymentHook, PaymentReason, SettlementRules};
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::state::DealState;
use std::collections::BTreeMap;

/// What points are won and lost for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Cause {
    /// A win, with its counters and what is added for the dealer.
    Win,
    /// The hands of those who did not win, where they are paid.
    LosingHand,
    /// Kongs that are paid by themselves, with what is returned of it.
    Kong,
    /// Bonus tiles that are paid by themselves. Those that a winning hand scores for belong to the win.
    BonusTile,
    /// A wall that was used up: ready hands, tiles of the missing suit, nagashi.
    DrawnDeal,
    /// Deposits.
    Deposit,
    /// What is paid at the end of every deal, false wins and house rules.
    Other,
    /// What the ruleset adds at the end of a match, without the points with which the match started.
    MatchEnd,
}

impl Cause {
    /// All causes.
    pub const ALL: [Self; 8] = [
        Self::Win,
        Self::LosingHand,
        Self::Kong,
        Self::BonusTile,
        Self::DrawnDeal,
        Self::Deposit,
        Self::Other,
        Self::MatchEnd,
    ];

    /// The cause of a payment.
    pub const fn of(reason: PaymentReason) -> Self {
        match reason {
            PaymentReason::Win
            | PaymentReason::WinFor(_)
            | PaymentReason::Counters
            | PaymentReason::Answers => Self::Win,
            PaymentReason::HigherLoser | PaymentReason::Difference => Self::LosingHand,
            PaymentReason::Row { on, .. } | PaymentReason::Returned { on, .. } => match on {
                PaymentHook::Win => Self::Win,
                PaymentHook::Kong => Self::Kong,
                PaymentHook::Aside => Self::BonusTile,
                PaymentHook::Exhausted => Self::DrawnDeal,
                PaymentHook::Shown | PaymentHook::Dealt | PaymentHook::DealEnd => Self::Other,
            },
            PaymentReason::FalseWin | PaymentReason::HouseRule => Self::Other,
        }
    }
}

/// The points of one [`Cause`], in the least unit of the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CausePoints {
    /// What seats won by it, losses left out. It is counted deal by deal, so a payment that is returned in the same
    /// deal does not count.
    pub gained: i64,
    /// What each seat won minus what it lost. The end of a match belongs to the seats of its first deal.
    pub seats: [i64; MAX_PLAYERS],
    /// What each player won minus what that player lost.
    pub players: [i64; MAX_PLAYERS],
}

impl CausePoints {
    fn add(&mut self, seat: Seat, player: Player, points: i64) {
        self.gained = self.gained.saturating_add(points.max(0));
        for sum in [
            &mut self.seats[seat.index()],
            &mut self.players[player.index()],
        ] {
            *sum = sum.saturating_add(points);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.gained = self.gained.saturating_add(other.gained);
        let seats = self.seats.iter_mut().zip(&other.seats);
        let players = self.players.iter_mut().zip(&other.players);
        for (mine, theirs) in seats.chain(players) {
            *mine = mine.saturating_add(*theirs);
        }
    }
}

/// The points of many matches by [`Cause`]. A cause that never occurred is left out.
///
/// The points of a player are those of the result, where the ruleset adds something at the end of a match, and otherwise
/// those won and lost since the start:
///
/// ```
/// use paishan::simulate::{Causes, play};
/// use paishan::{Player, Rules, agent};
/// let tenhou = Rules::by_id("riichi-tenhou")?;
/// let mut agents = agent::for_all("greedy", tenhou.plan())?;
/// let mut causes = Causes::default();
/// let series = play(&tenhou, &mut agents, 7, &mut causes)?;
/// assert_eq!(causes.of_player(Player::FIRST), series.state().results()[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Causes(BTreeMap<Cause, CausePoints>);

impl Causes {
    /// The points of a cause.
    pub fn get(&self, cause: Cause) -> CausePoints {
        self.0.get(&cause).copied().unwrap_or_default()
    }

    /// The causes that occurred, in the order of [`Cause::ALL`], with their points.
    pub fn iter(&self) -> impl Iterator<Item = (Cause, &CausePoints)> {
        self.0.iter().map(|(cause, points)| (*cause, points))
    }

    /// The points of a player from all causes.
    pub fn of_player(&self, player: Player) -> i64 {
        let points = self.0.values().map(|points| points.players[player.index()]);
        points.fold(0, i64::saturating_add)
    }

    /// Adds the points of other matches of the same ruleset.
    pub fn merge(&mut self, other: &Self) {
        for (cause, points) in &other.0 {
            self.0.entry(*cause).or_default().merge(points);
        }
    }

    fn add(&mut self, cause: Cause, seat: Seat, player: Player, points: i64) {
        if points != 0 {
            self.0.entry(cause).or_default().add(seat, player, points);
        }
    }
}

/// The points of a deal that a seat won and lost by no payment: its deposit, the deposits that it takes, points of its
/// own hand, and what a house rule has changed.
fn unpaid(
    plan: &Plan,
    state: &DealState,
    outcome: &Outcome,
    seat: Seat,
    paid: i64,
) -> [(Cause, i64); 2] {
    let settlement = &outcome.settlement;
    let taken = settlement.deposits.filter(|(taker, _)| *taker == seat);
    let taken = taken.map_or(0, |(_, units)| units);
    let deposits = outcome
        .change(plan, state, seat)
        .saturating_sub(settlement.deltas[seat])
        .saturating_add(taken);
    let rest = settlement.deltas[seat]
        .saturating_sub(taken)
        .saturating_sub(paid);
    let won = outcome.wins().iter().any(|(winner, _)| *winner == seat);
    let cause = match plan.settlement {
        SettlementRules::OwnPoints if won => Cause::Win,
        SettlementRules::OwnPoints => Cause::LosingHand,
        _ => Cause::Other,
    };
    [(Cause::Deposit, deposits), (cause, rest)]
}

impl Observer for Causes {
    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let mut paid = [[0_i64; MAX_PLAYERS]; Cause::ALL.len()];
        for payment in &outcome.settlement.payments {
            let by_seat = &mut paid[Cause::of(payment.reason) as usize];
            let (from, to) = (payment.from.index(), payment.to.index());
            by_seat[from] = by_seat[from].saturating_sub(payment.units);
            by_seat[to] = by_seat[to].saturating_add(payment.units);
        }
        for seat in Seat::all(state.players()) {
            let player = seat.player(state.dealer(), state.players());
            let of_seat = paid.map(|by_seat| by_seat[seat.index()]);
            let all = of_seat.iter().fold(0, |sum: i64, n| sum.saturating_add(*n));
            let unpaid = unpaid(series.plan(), state, outcome, seat, all);
            for (cause, points) in Cause::ALL.into_iter().zip(of_seat).chain(unpaid) {
                self.add(cause, seat, player, points);
            }
        }
    }

    fn match_ended(&mut self, series: &MatchState) {
        let Some(bonus) = series.bonus() else {
            return;
        };
        let plan = series.plan();
        let start = plan.matches.start_points * plan.units_per_point();
        let (first, players) = (series.progress().first_dealer, series.players());
        for (player, bonus) in Player::all(players).zip(bonus) {
            let seat = player.seat(first, players);
            self.add(Cause::MatchEnd, seat, player, bonus.saturating_add(start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent;
    use crate::ruleset::{Rules, ids};
    use crate::simulate::{Summary, play};

    /// The points of each player in every ruleset, those of each seat and the whole, with players whose false wins,
    /// kongs and deposits leave nothing out.
    #[test]
    fn points_by_cause_are_the_points_of_the_match() {
        let mut seen = Causes::default();
        for id in ids() {
            let rules = Rules::by_id(id).unwrap();
            let plan = rules.plan();
            for (name, games) in [("greedy", 6), ("random", 2)] {
                let mut agents = agent::for_all(name, plan).unwrap();
                for seed in 0..games {
                    let mut watching = (Causes::default(), Summary::default());
                    let series = play(&rules, &mut agents, seed, &mut watching).unwrap();
                    let (causes, summary) = watching;
                    let state = series.state();
                    let start = plan.matches.start_points * plan.units_per_point();
                    for player in Player::all(plan.players()) {
                        let won = match state.bonus() {
                            Some(_) => state.results()[player.index()],
                            None => state.totals()[player.index()] - start,
                        };
                        assert_eq!(causes.of_player(player), won, "{id} {name} {seed}");
                    }
                    let in_deals = |seat: usize| -> i64 {
                        let deals = causes.iter().filter(|(cause, _)| *cause != Cause::MatchEnd);
                        deals.map(|(_, points)| points.seats[seat]).sum()
                    };
                    for seat in 0..plan.players() {
                        assert_eq!(in_deals(seat), summary.seat_points[seat], "{id}");
                    }
                    for (cause, points) in causes.iter() {
                        let sums =
                            [points.seats, points.players].map(|all| all.iter().sum::<i64>());
                        assert_eq!(sums[0], sums[1], "{id} {cause:?}");
                        assert!(points.gained >= sums[0].max(0), "{id} {cause:?}");
                    }
                    seen.merge(&causes);
                }
            }
        }
        for cause in Cause::ALL {
            assert!(seen.get(cause).gained > 0, "{cause:?} never occurred");
        }
    }

    /// Only what [`Cause::Other`] lists is there: nothing that has a cause falls through to it.
    #[test]
    fn every_point_of_riichi_has_a_cause() {
        let rules = Rules::by_id("riichi-tenhou").unwrap();
        let mut causes = Causes::default();
        for seed in 0..8 {
            let mut agents = agent::for_all("greedy", rules.plan()).unwrap();
            play(&rules, &mut agents, seed, &mut causes).unwrap();
        }
        let found: Vec<Cause> = causes.iter().map(|(cause, _)| cause).collect();
        let expected = [
            Cause::Win,
            Cause::DrawnDeal,
            Cause::Deposit,
            Cause::MatchEnd,
        ];
        assert_eq!(found, expected);
    }
}
