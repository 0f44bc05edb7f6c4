//! Payments for a winning hand alone, and the nearest hand that is worth more.

use crate::{Answered, Engine, Fault, Request, told};
use paishan::protocol::{Value, read_score, score_request};
use paishan::request::{Goal, Scored, Worth};
use paishan::set::SeatSet;
use paishan::{Hand, Notation, Number, Seat};
use serde::Serialize;

#[derive(Serialize)]
struct BetterAnswer {
    /// The fewest changes after which the hand is worth more, in words. `None` if no two changes do it.
    changes: Option<Vec<String>>,
    /// The hand after the changes, as members of a `score` request.
    score: Option<Value>,
    points: Option<i64>,
}

#[derive(Serialize)]
struct Payment {
    from: char,
    to: char,
    points: Number,
    why: String,
}

#[derive(Serialize)]
struct PaymentsAnswer {
    deltas: Vec<Number>,
    payments: Vec<Payment>,
}

impl Engine {
    /// The nearest hand that is worth more points. For a hand that does not win, the nearest one that does.
    pub(crate) fn better(&mut self, request: &Request) -> Answered {
        let rules = self.rules(&request.choice())?;
        let plan = rules.plan();
        let read = read_score(plan, &request.score)
            .map_err(|error| Fault::new(error.code, error.message))?;
        let table = read
            .check(&rules)
            .map_err(|error| Fault::new(error.code(), error))?;
        let goal = match table.score() {
            Ok(score) => Goal::Points(score.points.saturating_add(1)),
            Err(_) => Goal::Win,
        };
        let repair = table.repair(&goal).map_err(Fault::request)?;
        let Some(repair) = repair else {
            return told(BetterAnswer {
                changes: None,
                score: None,
                points: None,
            });
        };
        let changes = repair.changes.iter();
        let changed = rules.score(&repair.request);
        told(BetterAnswer {
            changes: Some(changes.map(|one| one.describe(Notation::Ujmj)).collect()),
            points: changed.ok().map(|score| score.points),
            score: Some(score_request(plan, &repair.request)),
        })
    }

    /// What a table pays for a winning hand.
    pub(crate) fn payments(&mut self, request: &Request) -> Answered {
        let rules = self.rules(&request.choice())?;
        let plan = rules.plan();
        let read = read_score(plan, &request.score)
            .map_err(|error| Fault::new(error.code, error.message))?;
        let on_table = read.on_table;
        let table = read
            .check(&rules)
            .map_err(|error| Fault::new(error.code(), error))?;
        let input = table
            .inputs()
            .next()
            .ok_or_else(|| Fault::request("a hand is needed"))?;
        let win = *input.win.ok_or_else(|| Fault::request("nobody wins"))?;
        let score = table
            .score()
            .map_err(|error| Fault::new(error.code(), error))?;
        let mut hands = vec![Scored::default(); plan.players()];
        for (seat, hand) in Seat::all(plan.players()).zip(&mut hands) {
            if seat == input.seat {
                (hand.hand, hand.score, hand.win) = (*input.hand, Some(score.clone()), Some(win));
            } else {
                let points = request.losers.get(&seat.letter()).copied().unwrap_or(0);
                hand.hand = Hand::new();
                hand.score = plan
                    .settlement()
                    .settles_losers()
                    .then(|| Worth::Points(points).score(plan, seat, &win))
                    .transpose()
                    .map_err(Fault::request)?;
            }
        }
        let settlement = plan
            .settle_scored(&hands, SeatSet::EMPTY, on_table)
            .map_err(Fault::request)?;
        let number = |units| Number::of_units(units, plan.units_per_point());
        told(PaymentsAnswer {
            deltas: Seat::all(plan.players())
                .map(|seat| number(settlement.deltas[seat]))
                .collect(),
            payments: settlement
                .payments
                .iter()
                .map(|payment| Payment {
                    from: payment.from.letter(),
                    to: payment.to.letter(),
                    points: number(payment.units),
                    why: payment.describe(plan.payments()),
                })
                .collect(),
        })
    }
}
