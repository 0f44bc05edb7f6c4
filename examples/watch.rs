//! Plays one deal and draws the table each time a seat has to decide.
//!
//! ```text
//! cargo run --release --example watch
//! cargo run --release --example watch -- --ruleset woo --seed 4 --seat S --agents greedy
//! ```

#[path = "common/output.rs"]
mod output;
#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use output::Fault;
use paishan::agent::{self, Agent};
use paishan::draw::text;
use paishan::game::{Deal, Match};
use paishan::{Seat, Seed};
use rules::RulesArgs;
use std::process::ExitCode;

/// Plays one deal and draws the table as one seat sees it.
#[derive(Parser)]
#[command(version, about, after_help = output::STATUS)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Where all chance comes from.
    #[arg(long, default_value = "1")]
    seed: Seed,
    /// Whose eyes: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: char,
    /// Who plays: random, first, greedy, value.
    #[arg(long, default_value = "greedy")]
    agents: String,
}

fn main() -> ExitCode {
    output::end("watch", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Fault> {
    let rules = args.rules.load()?;
    let plan = rules.plan();
    let viewer = Seat::from_letter(args.seat).filter(|seat| seat.index() < plan.players);
    let viewer = viewer.ok_or("there is no such seat at the table")?;
    let agent = |_| agent::by_name(&args.agents, plan).ok_or("there is no such agent");
    let mut agents = (0..plan.players)
        .map(agent)
        .collect::<Result<Vec<Box<dyn Agent>>, _>>()?;
    let series = Match::new(&*rules, args.seed.of_game(0));
    let mut deal = Deal::start(&*rules, series.setup(), &mut ());
    while let Some(seat) = deal.state().deciding().next() {
        let legal = deal.legal(seat);
        if seat == viewer {
            output::say(&format!("{}\n", text::table(&deal.state().view(viewer))))?;
        }
        let action = agents[seat.index()].decide(&deal.state().view(seat), legal);
        if seat == viewer {
            let told = action.describe(plan.decomposer.grammar());
            output::say(&format!("→ {told}\n\n"))?;
        }
        deal.act(seat, action, &mut ())
            .map_err(|error| error.to_string())?;
    }
    output::say(&format!("{}\n", text::table(&deal.state().view(viewer))))?;
    let outcome = deal.outcome().cloned().unwrap_or_default();
    if outcome.wins.is_empty() {
        output::say("nobody wins\n")?;
    }
    for (seat, win) in &outcome.wins {
        let score = outcome.settlement.scores[*seat].as_ref();
        let points = score.map_or(0, |score| score.points);
        output::say(&format!("{seat} wins with {}: {points} points\n", win.tile))?;
    }
    Ok(())
}
