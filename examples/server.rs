//! The loop of a server. Each person who must decide gets what the seat may know as JSON, and answers with an action as
//! JSON. Bots take the other seats. The server saves the match after each decision. It stops in the middle of a deal and goes on from what it has saved.
//!
//! ```text
//! cargo run --release --example server
//! ```

use paishan::Rules;
use paishan::host::{HostedMatch, Sitter};
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

/// Asks one player and carries out the decision.
fn step(table: &mut HostedMatch) -> Result<(), Box<dyn Error>> {
    if let Some(player) = { table.waiting().next() } {
        let answer = answer(&serde_json::to_string(&table.snapshot(player)?)?)?;
        // An illegal action is an error and changes nothing. A real server asks again, or plays for the seat with
        // `act_by_default`.
        table.act(player, serde_json::from_str(&answer)?)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::by_id("woo")?;
    // Two people and two bots. A server that deals for people takes 32 secret random bytes as the seed.
    let mut sitters = vec![Sitter::Human; 2];
    sitters.resize(4, Sitter::of_name("greedy"));
    let mut table = HostedMatch::start(rules.clone(), sitters, 7)?;
    let mut saved = String::new();
    for _ in 0..100 {
        step(&mut table)?;
        saved = serde_json::to_string(&table.save())?;
    }

    let mut out = io::stdout().lock();
    let (deal, made) = (
        table.series().deal_number(),
        table.moves().decisions().len(),
    );
    writeln!(
        out,
        "stopped in deal {deal} after {made} decisions, {} bytes saved",
        saved.len()
    )?;
    drop(table);
    let mut table = HostedMatch::resume(rules, &serde_json::from_str(&saved)?)?;
    while !table.is_over() {
        step(&mut table)?;
    }
    let (deals, totals) = (table.series().deal_number(), table.series().totals());
    writeln!(out, "over after {deals} deals, totals {totals:?}")?;
    Ok(())
}
