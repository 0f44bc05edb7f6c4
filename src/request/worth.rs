//! Hands that are known by their worth alone, as players write them down.

use crate::decimal::Decimal;
use crate::hand::Hand;
use crate::ruleset::Plan;
use crate::score::{
    AllPayRules, HanFu, HanFuRules, Happening, Score, ScoreFamily, ScoreInput, Settlement,
    SettlementRules, Sums, SumsRules, Tally,
};
use crate::seat::{BySeat, Seat};
use crate::set::SeatSet;
use crate::state::{OnTable, Win};
use crate::tile::Wind;

/// What a hand is worth, in place of its tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Worth {
    /// Points before settlement: all that the winner is paid in han and fu, the points of the hand elsewhere.
    Points(i64),
    /// A sum of the first column, such as fan, where points depend on no other.
    Sum {
        /// The name of the column.
        column: String,
        /// The sum.
        amount: Decimal,
    },
    /// Han and fu.
    HanFu {
        /// Han.
        han: u32,
        /// Fu as they count.
        fu: u32,
    },
    /// The name of a limit in han and fu, such as `mangan`.
    Limit(String),
}

/// The error for a worth that no hand has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorthError {
    /// The ruleset counts something else.
    #[error("this ruleset does not count {what}")]
    OtherFamily {
        /// What is not counted.
        what: String,
    },
    /// No hand is worth these points.
    #[error("no hand that wins this way is worth {points} points")]
    NoSuchPoints {
        /// The points.
        points: i64,
    },
    /// The hand is worth too little to win.
    #[error("this is not enough to win")]
    TooLittle,
    /// The ruleset has no such limit.
    #[error("there is no limit `{name}`{}", if known.is_empty() { String::new() } else { format!("; there are {}", known.join(", ")) })]
    NoSuchLimit {
        /// The name.
        name: String,
        /// The names of the limits.
        known: Vec<String>,
    },
    /// The settlement needs the points of a losing hand.
    #[error("the points of {seat} are needed, because this ruleset settles them")]
    NoPoints {
        /// The seat.
        seat: Seat,
    },
    /// A win off a discard without its giver, or off a seat that is not at the table.
    #[error("the seat that gave the winning tile is needed")]
    NoGiver,
}

/// Fu as they count.
const FU: [i64; 14] = [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140];
/// How many sums are tried for a number of points.
const MOST_TRIED: usize = 2000;
/// The most limits of a limit hand.
const MOST_LIMITS: i64 = 8;

impl Worth {
    /// The score of a hand that is won at a seat.
    ///
    /// # Errors
    /// [`WorthError`] if no winning hand of the ruleset is worth this.
    pub fn score(&self, plan: &Plan, seat: Seat, win: &Win) -> Result<Score, WorthError> {
        let other = |what: &str| WorthError::OtherFamily {
            what: what.to_owned(),
        };
        match (self, plan.score.family()) {
            (&Self::Points(points), ScoreFamily::HanFu(rules)) => {
                let sum = base_for(rules, points, seat, win, plan.players);
                let sum = sum.ok_or(WorthError::NoSuchPoints { points })?;
                Ok(Score::of_points(points, Tally::HanFu(sum)))
            }
            (&Self::Points(points), ScoreFamily::Sums(rules)) => {
                if rules.has_one_column() && !is_reached(rules, plan.score.quantum[0], points) {
                    return Err(WorthError::NoSuchPoints { points });
                }
                let sums = Sums {
                    worth: Decimal::whole(points),
                    wins: true,
                    ..Sums::default()
                };
                Ok(Score::of_points(points, Tally::Sums(sums)))
            }
            (Self::Sum { column, amount }, ScoreFamily::Sums(rules))
                if rules.has_one_column() && rules.names[0] == *column =>
            {
                let (sums, points) = rules.of(&[*amount], 0);
                match sums.wins {
                    true => Ok(Score::of_points(points, Tally::Sums(sums))),
                    false => Err(WorthError::TooLittle),
                }
            }
            (Self::Sum { column, .. }, _) => Err(other(column)),
            (&Self::HanFu { han, fu }, ScoreFamily::HanFu(rules)) => {
                let (base, _) = rules.base(han, fu.into());
                let sum = rules.sum_of(base, han, fu);
                Ok(of_base(sum, seat, win, plan.players))
            }
            (Self::HanFu { .. }, _) => Err(other("han and fu")),
            (Self::Limit(name), ScoreFamily::HanFu(rules)) => {
                let same = |known: &str| known.eq_ignore_ascii_case(name);
                if same(&rules.limit_name) {
                    let sum = HanFu {
                        limits: 1,
                        ..rules.sum_of(rules.limit_base, 0, 0)
                    };
                    return Ok(of_base(sum, seat, win, plan.players));
                }
                let row = rules.table.iter().find(|row| same(&row.name));
                let row = row.ok_or_else(|| WorthError::NoSuchLimit {
                    name: name.clone(),
                    known: rules
                        .table
                        .iter()
                        .map(|row| &row.name)
                        .chain([&rules.limit_name])
                        .cloned()
                        .collect(),
                })?;
                let sum = rules.sum_of(row.base, row.han, 0);
                Ok(of_base(sum, seat, win, plan.players))
            }
            (Self::Limit(_), _) => Err(other("limits by name")),
        }
    }
}

/// True if some sum of the first column, or some limits, bring these points.
fn is_reached(rules: &SumsRules, quantum: Decimal, points: i64) -> bool {
    let (_, limit) = rules.of(&[], 1);
    if points > 0 && limit > 0 && points % limit == 0 {
        return true;
    }
    let step = quantum.tenths().max(1);
    let all = (0..).step_by(step as usize).take(MOST_TRIED);
    let mut won = all
        .map(|tenths| rules.of(&[Decimal::from_tenths(tenths)], 0))
        .filter(|(sums, _)| sums.wins)
        .map(|(_, reached)| reached);
    match rules.points {
        None => won.next().is_some_and(|least| points >= least),
        Some(_) => won.any(|reached| reached == points),
    }
}

fn of_base(sum: HanFu, seat: Seat, win: &Win, players: usize) -> Score {
    let points = HanFuRules::points_of(sum.base, seat, win, players);
    Score::of_points(points, Tally::HanFu(sum))
}

/// The least base with which a hand brings these points.
fn base_for(
    rules: &HanFuRules,
    points: i64,
    seat: Seat,
    win: &Win,
    players: usize,
) -> Option<HanFu> {
    let pays = |base: i64| HanFuRules::points_of(base, seat, win, players) == points;
    let below_limits = (1..=13).flat_map(|han| FU.map(|fu| (han, fu)));
    let mut all = below_limits.map(|(han, fu)| rules.sum_of(rules.base(han, fu).0, han, fu as u32));
    all.find(|sum| pays(sum.base)).or_else(|| {
        let mut limits = (1..=MOST_LIMITS).map(|limits| HanFu {
            limits: limits as u32,
            ..rules.sum_of(rules.limit_base.saturating_mul(limits), 0, 0)
        });
        limits.find(|sum| pays(sum.base))
    })
}

/// A hand at a table that is settled by what its hands are worth.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Scored {
    /// The tiles, as far as they are known. Who is liable depends on the melds of a winner, and payments for jokers on the
    /// jokers of every hand. Facts of `[payments]` about a winner's hand as it is read do not hold if its tiles are not known.
    pub hand: Hand,
    /// The score. `None` for a losing hand whose points are not known.
    pub score: Option<Score>,
    /// The win, if the seat wins.
    pub win: Option<Win>,
}

impl SettlementRules {
    /// True if a settlement needs the points of losing hands, too.
    pub const fn settles_losers(self) -> bool {
        match self {
            Self::OwnPoints => true,
            Self::AllPay(AllPayRules {
                losers_settle,
                winner_pays_higher,
                ..
            }) => losers_settle || winner_pays_higher,
            _ => false,
        }
    }
}

impl Plan {
    /// Settles a deal by the scores of its hands, in seat order. Seats of `out` have won before and are out of play. Without
    /// a winner nothing is paid.
    ///
    /// ```
    /// use paishan::request::{Scored, Worth};
    /// use paishan::set::SeatSet;
    /// use paishan::state::OnTable;
    /// use paishan::{Rules, Seat, Win};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let win = Win::off("5m".parse()?, Seat::WEST);
    /// let mut hands = vec![Scored::default(); 4];
    /// hands[1].score = Some(Worth::Points(5200).score(rules.plan(), Seat::SOUTH, &win)?);
    /// hands[1].win = Some(win);
    /// let settlement = rules.plan().settle_scored(&hands, SeatSet::EMPTY, OnTable::default())?;
    /// assert_eq!(settlement.deltas[Seat::WEST], -5200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WorthError::NoPoints`] if the ruleset settles losing hands and a score is missing, [`WorthError::NoGiver`] for a
    /// win off a discard of no seat of the table.
    pub fn settle_scored(
        &self,
        hands: &[Scored],
        out: SeatSet,
        table: OnTable,
    ) -> Result<Settlement, WorthError> {
        let seats = || Seat::all(self.players).zip(hands);
        let mut settlement = Settlement::default();
        let is_won = hands.iter().any(|hand| hand.win.is_some());
        for (seat, hand) in seats().filter(|_| is_won) {
            let needs = hand.win.is_some() || self.settlement.settles_losers();
            if needs && hand.score.is_none() && !out.contains(seat) {
                return Err(WorthError::NoPoints { seat });
            }
            if let Some(win) = hand.win {
                let from = win
                    .from
                    .filter(|from| from.index() < self.players && *from != seat);
                if from.is_none() && !win.is_self_draw() {
                    return Err(WorthError::NoGiver);
                }
            }
            settlement.scores[seat].clone_from(&hand.score);
        }
        let inputs: Vec<ScoreInput<'_>> = seats()
            .map(|(seat, hand)| ScoreInput {
                out: out.contains(seat) && hand.win.is_none(),
                counters: table.counters,
                ..ScoreInput::new(&hand.hand, seat, Wind::East, hand.win.as_ref())
            })
            .collect();
        if is_won && inputs.len() == self.players {
            self.pay(&inputs, &mut settlement, table);
        }
        Ok(settlement)
    }

    /// Settles a deal whose wall was used up, by the seats with ready hands and those that discarded only kinds of which a
    /// row of payments asks this. `None` if the payments depend on more.
    pub(crate) fn settle_wall_end(&self, ready: SeatSet, nagashi: SeatSet) -> Option<Settlement> {
        if self.payments.has_open_end() {
            return None;
        }
        let hand = Hand::new();
        let seats = Seat::all(self.players);
        let inputs: Vec<_> = seats
            .map(|seat| ScoreInput::new(&hand, seat, Wind::East, None))
            .collect();
        let happening = Happening {
            ready,
            only_discarded: &|seat, _| nagashi.contains(seat),
            ..Happening::default()
        };
        let mut settlement = Settlement::default();
        self.pay_wall_end(&inputs, happening, &mut settlement);
        Some(settlement)
    }

    /// What each seat of a full table gains or pays for a win with so many points, in the least unit. The hands of the
    /// losers are worth nothing.
    pub(crate) fn payments_for(
        &self,
        worth: &Worth,
        winner: Seat,
        win: Win,
    ) -> Option<BySeat<i64>> {
        let score = |seat: Seat| match seat == winner {
            true => worth.score(self, winner, &win).ok(),
            false => {
                let tally = Tally::Sums(Sums::default());
                Some(Score::of_points(0, tally))
            }
        };
        let hands: Vec<Scored> = Seat::all(self.players)
            .map(|seat| Scored {
                score: score(seat),
                win: (seat == winner).then_some(win),
                ..Scored::default()
            })
            .collect();
        let settled = self.settle_scored(&hands, SeatSet::EMPTY, OnTable::default());
        settled.ok().map(|settlement| settlement.deltas)
    }
}
