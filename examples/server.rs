//! The loop of a server. Each seat that must decide gets what it may know as JSON, and answers with an action as JSON.
//! The server saves the match after each decision. It stops in the middle of a deal and goes on from what it has saved.
//!
//! ```text
//! cargo run --release --example server
//! ```

use paishan::Rules;
use paishan::game::{Deal, Match, Moves};
use paishan::state::{Action, Snapshot};
use std::error::Error;
use std::io::{self, Write};

/// A client, at the other end of the wire. It wins when it may, and otherwise takes the last of the legal actions.
fn answer(snapshot: &str) -> serde_json::Result<String> {
    let shown: Snapshot = serde_json::from_str(snapshot)?;
    let mut actions = shown.legal.iter().map(|legal| legal.action);
    let win = actions.clone().find(|action| *action == Action::Win);
    serde_json::to_string(&win.or_else(|| actions.next_back()))
}

/// A match in play. `deal` is `None` between two deals.
struct Table {
    series: Match<Rules>,
    deal: Option<Deal<Rules>>,
    moves: Moves,
}

impl Table {
    /// Goes on from saved moves. The walls follow from the seed, so the decisions bring everything back.
    fn resume(rules: Rules, saved: &str) -> Result<Self, Box<dyn Error>> {
        let moves: Moves = serde_json::from_str(saved)?;
        let series = Match::new(rules, moves.game_seed());
        let (series, deal) = moves.resume(series)?;
        Ok(Self {
            series,
            deal,
            moves,
        })
    }

    /// Asks one seat and carries out its decision. Finishes the deal if no seat has to decide.
    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        let series = &self.series;
        let mut deal = self
            .deal
            .take()
            .unwrap_or_else(|| series.start_deal_observed(&mut self.moves));
        let Some(seat) = deal.state().deciding().next() else {
            self.series.finish(&deal)?;
            return Ok(());
        };
        let answer = answer(&serde_json::to_string(&deal.snapshot(seat))?)?;
        // An illegal action is an error and changes nothing. A real server asks again, or plays for the seat.
        deal.act_observed(seat, serde_json::from_str(&answer)?, &mut self.moves)?;
        self.deal = Some(deal);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::by_id("woo")?;
    // A server that deals for people takes 32 secret random bytes as the seed.
    let mut saved = serde_json::to_string(&Moves::new(7))?;
    let mut table = Table::resume(rules.clone(), &saved)?;
    for _ in 0..100 {
        table.step()?;
        saved = serde_json::to_string(&table.moves)?;
    }

    let mut out = io::stdout().lock();
    let (deal, made) = (table.series.deal_number(), table.moves.decisions().len());
    writeln!(
        out,
        "stopped in deal {deal} after {made} decisions, {} bytes saved",
        saved.len()
    )?;
    drop(table);
    let mut table = Table::resume(rules, &saved)?;
    while !table.series.is_over() {
        table.step()?;
    }
    let (deals, totals) = (table.series.deal_number(), table.series.totals());
    writeln!(out, "over after {deals} deals, totals {totals:?}")?;
    Ok(())
}
