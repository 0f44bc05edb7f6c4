//! Plays one deal and draws the table each time that a seat has to decide.
//!
//! ```text
//! cargo run --release --example watch
//! cargo run --release --example watch -- --ruleset woo --seed 4 --seat S --agents greedy
//! ```

#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use paishan::agent::{self, Agent};
use paishan::draw::text;
use paishan::game::{Deal, Match};
use paishan::{Seat, game_seed};
use rules::RulesArgs;
use std::error::Error;
use std::io::{self, Write};

/// Plays one deal and draws the table as one seat sees it.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Where all chance comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Whose eyes: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: char,
    /// Who plays: random, first, greedy, value.
    #[arg(long, default_value = "greedy")]
    agents: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let rules = args.rules.load()?;
    let plan = rules.plan();
    let viewer = Seat::from_letter(args.seat).filter(|seat| seat.index() < plan.players);
    let viewer = viewer.ok_or("there is no such seat at the table")?;
    let agent = |_| agent::by_name(&args.agents, plan).ok_or("there is no such agent");
    let mut agents = (0..plan.players)
        .map(agent)
        .collect::<Result<Vec<Box<dyn Agent>>, _>>()?;
    let series = Match::new(&*rules, game_seed(args.seed, 0));
    let mut deal = Deal::start(&*rules, series.setup(), &mut ());
    let mut out = io::stdout().lock();
    while let Some(seat) = deal.state().deciding().next() {
        let legal = deal.legal(seat);
        if seat == viewer {
            writeln!(out, "{}", text::table(&deal.state().view(viewer)))?;
        }
        let action = agents[seat.index()].decide(&deal.state().view(seat), legal);
        if seat == viewer {
            writeln!(
                out,
                "→ {action}\n",
                action = action.describe(plan.decomposer.grammar())
            )?;
        }
        deal.act(seat, action, &mut ())?;
    }
    writeln!(out, "{}", text::table(&deal.state().view(viewer)))?;
    let outcome = deal.outcome().cloned().unwrap_or_default();
    if outcome.wins.is_empty() {
        writeln!(out, "nobody wins")?;
    }
    for (seat, win) in &outcome.wins {
        let score = outcome.settlement.scores[*seat].as_ref();
        let points = score.map_or(0, |score| score.points);
        writeln!(out, "{seat} wins with {}: {points} points", win.tile)?;
    }
    Ok(())
}
