//! Finished deals, one a line, for `rescore`.

use super::{Spool, spool};
use paishan::Seat;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::log::OptionMap;
use paishan::protocol::{Value, settle_request};
use paishan::request::Request;
use paishan::ruleset::Plan;
use paishan::score::Line;
use paishan::state::DealState;
use serde::Serialize;
use std::io::{self, Write};

/// The version of the format.
const FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Serialize)]
struct Head<'a> {
    finished: u32,
    ruleset: &'a str,
    ruleset_hash: String,
    options: OptionMap,
    players: usize,
}

/// The first line of a file of finished deals.
pub fn head(plan: &Plan) -> serde_json::Result<Vec<u8>> {
    // Only the options that were set. Edited rules may have other defaults.
    let changed = plan
        .options()
        .iter()
        .filter(|(spec, value)| spec.default != **value);
    let head = Head {
        finished: FORMAT,
        ruleset: plan.id(),
        ruleset_hash: format!("{:016x}", plan.content_hash()),
        options: OptionMap(
            changed
                .map(|(spec, value)| (spec.name.clone(), value.clone()))
                .collect(),
        ),
        players: plan.players(),
    };
    let mut line = serde_json::to_vec(&head)?;
    line.push(b'\n');
    Ok(line)
}

/// What a winner's hand was worth.
#[derive(Serialize)]
struct Scored {
    seat: char,
    points: i64,
    /// Ids of the patterns that counted.
    patterns: Vec<String>,
}

/// A deal and what it brought. A won deal also has the members of a `settle` request.
#[derive(Serialize)]
struct Deal {
    game: u64,
    hand: u32,
    dealer: usize,
    /// What the settlement brought, by seat, in the least unit of the ruleset.
    deltas: Vec<i64>,
    /// What was paid before, such as deposits, by seat, in the same unit. Empty if nothing was paid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paid: Vec<i64>,
    scored: Vec<Scored>,
    #[serde(flatten)]
    request: Option<Value>,
}

/// Writes each deal that ends, if finished deals are wanted.
pub struct Finished {
    game: u64,
    hand: u32,
    wanted: bool,
    pub spool: Spool,
    pub fault: Option<io::Error>,
}

impl Finished {
    /// For the deals of one game.
    pub fn new(game: u64, wanted: bool) -> Self {
        Self {
            game,
            hand: 0,
            wanted,
            spool: spool(),
            fault: None,
        }
    }
}

impl Observer for Finished {
    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        if !self.wanted {
            return;
        }
        self.hand += 1;
        let plan = series.plan();
        let settled = &outcome.settlement;
        let seats = || Seat::all(state.players());
        let score = |&(seat, _): &(Seat, _)| {
            let score = settled.scores[seat].as_ref()?;
            let id = |line: &Line| {
                plan.score().patterns()[usize::from(line.pattern)]
                    .id
                    .clone()
            };
            Some(Scored {
                seat: seat.letter(),
                points: score.points,
                patterns: score.lines.iter().map(id).collect(),
            })
        };
        let mut paid: Vec<i64> = seats()
            .map(|seat| settled.deltas[seat] - outcome.change(plan, state, seat))
            .collect();
        if paid.iter().all(|&units| units == 0) {
            paid.clear();
        }
        let deal = Deal {
            game: self.game,
            hand: self.hand,
            dealer: state.dealer().index(),
            deltas: seats().map(|seat| settled.deltas[seat]).collect(),
            paid,
            scored: outcome.wins().iter().filter_map(score).collect(),
            request: (!outcome.wins().is_empty())
                .then(|| settle_request(plan, &Request::of_deal(plan, state, outcome))),
        };
        let line = serde_json::to_vec(&deal).map_err(io::Error::from);
        let written = line.and_then(|mut line| {
            line.push(b'\n');
            self.spool.write_all(&line)
        });
        self.fault = self.fault.take().or(written.err());
    }
}
