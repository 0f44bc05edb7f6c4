//! Plays matches of Ùzje mahjong with greedy agents and sums them up.
//!
//! ```text
//! cargo run --release --example simulate
//! cargo run --release --example simulate -- --games 20
//! ```

use paishan::simulate::{Summary, play};
use paishan::{Rules, Seat, agent, game_seed};
use std::error::Error;
use std::io::{self, Write};

/// The number of matches: a hundred, or what the command line says.
fn games() -> Result<u64, Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [] => Ok(100),
        [option, games] if option == "--games" => Ok(games.parse()?),
        _ => Err("usage: simulate [--games N]".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let games = games()?;
    let rules = Rules::by_id("uzje")?;
    let plan = rules.plan();
    let mut agents = agent::for_all("greedy", plan)?;
    let mut summary = Summary::default();
    for game in 0..games {
        // Everything follows from the seed, so each run plays the same matches.
        play(&rules, &mut agents, game_seed(1, game), &mut summary)?;
    }

    let mut out = io::stdout().lock();
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(out, "{}: {games} matches", plan.name())?;
    writeln!(
        out,
        "{} deals, {:.1} % won, {:.1} % of the wins self-drawn",
        summary.deals,
        percent(summary.won(), summary.deals),
        percent(summary.self_draws, summary.wins.iter().sum()),
    )?;
    let per_point = plan.units_per_point() as f64;
    for seat in Seat::all(plan.players()) {
        let points = summary.seat_points[seat.index()] as f64 / per_point;
        let mean = points / summary.deals.max(1) as f64;
        writeln!(out, "seat {seat}: {mean:+.2} points a deal")?;
    }

    writeln!(out, "\nthe most frequent patterns of winning hands")?;
    let mut patterns: Vec<_> = plan
        .score()
        .patterns()
        .iter()
        .zip(&summary.patterns)
        .collect();
    patterns.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (pattern, count) in patterns.into_iter().take(10) {
        writeln!(out, "{:<22}{count:>6}  {}", pattern.id, pattern.doc)?;
    }
    Ok(())
}
