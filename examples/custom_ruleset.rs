//! Loads a small ruleset of your own from a TOML string and plays it. The rules need no Rust.
//!
//! The ruleset extends `woo`. It has three players, two suits, and honours without flowers. It adds seven pairs
//! as a second form, a pattern of its own, and several winners on one discard.
//!
//! ```text
//! cargo run --release --example custom_ruleset
//! ```

use paishan::simulate::{Summary, play};
use paishan::{Rules, agent};
use paishan::{Seat, game_seed};
use std::error::Error;
use std::io::{self, Write};

const RULES: &str = r#"
[ruleset]
id = "kitchen"
name = "Kitchen table"
extends = "woo"
players = 3
doc = "A quick game for three."

[options.rounds]
default = 6

[tiles]
copies = [
    { tiles = "123456789t123456789s", count = 4 },
    { tiles = "ESWNCFP", count = 4 },
]

[wall]
spare-stacks = "first"

[claims]
winners = "all"

[forms.seven-pairs]
groups = "pairs(7, distinct)"
doc = "Seven different pairs"

[patterns.seven-pairs]
bonus = 20
when = "form is seven-pairs"
doc = "Seven different pairs"
src = "house rule"
status = "provisional"

[patterns.all-terminals-and-honours]
doubles = 2
when = "winner and all-tiles(terminal|honour)"
doc = "No simples"
src = "house rule"
status = "provisional"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::from_toml("kitchen.toml", RULES)?;
    let plan = rules.plan();
    let mut agents = agent::for_all("greedy", plan)?;
    let mut summary = Summary::default();
    for game in 0..200 {
        play(&rules, &mut agents, game_seed(1, game), &mut summary)?;
    }

    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {} deals, {} won, {} drawn",
        plan.name(),
        summary.deals,
        summary.won(),
        summary.draws
    )?;
    for seat in Seat::all(plan.players()) {
        let points = summary.seat_points[seat.index()] as f64 / summary.deals as f64;
        writeln!(out, "seat {seat}: {points:.2} points a deal")?;
    }
    for (pattern, count) in plan.score().patterns().iter().zip(&summary.patterns) {
        if pattern.src == "house rule" {
            writeln!(out, "{}: in {count} winning hands", pattern.id)?;
        }
    }

    // A mistake in the text is refused, with its place.
    let fault = Rules::from_toml("kitchen.toml", &RULES.replace("distinct", "distinkt"));
    if let Err(fault) = fault {
        writeln!(out, "\nwith a slip of the pen:\n{fault}")?;
    }
    Ok(())
}
