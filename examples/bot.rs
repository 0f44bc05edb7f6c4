//! A bot plays against three agents of the crate.
//!
//! ```text
//! cargo run --release --example bot
//! ```

use paishan::agent::{self, Agent};
use paishan::simulate::{Summary, play};
use paishan::state::{Action, Legal, View};
use paishan::{Player, Rules, Tile, game_seed};
use std::error::Error;
use std::io::{self, Write};

/// Claims nothing, wins when it may, and discards the tile with the fewest neighbours in its hand.
struct Patient;

impl Agent for Patient {
    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        for action in [Action::Win, Action::Pass] {
            if legal.contains(action) {
                return action;
            }
        }
        let worth = |action: &Action| match *action {
            Action::Discard { tile, .. } => view
                .hand()
                .tiles()
                .filter(|&other| is_near(tile, other))
                .count(),
            _ => 0,
        };
        let discard = legal.discards().min_by_key(worth);
        // In rulesets with other decisions, such as an exchange, it takes the first action.
        let action = discard.or_else(|| legal.nth(0));
        action.expect("an agent is asked only where there is a legal action")
    }
}

/// True for equal tiles, and for tiles of one suit that may be in one run.
fn is_near(tile: Tile, other: Tile) -> bool {
    let (Some(tile), Some(other)) = (tile.kind(), other.kind()) else {
        return false;
    };
    let ranks = (tile.rank(), other.rank());
    tile == other
        || matches!(ranks, (Some(a), Some(b)) if tile.suit() == other.suit() && a.get().abs_diff(b.get()) <= 2)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::by_id("woo")?;
    let mut agents = agent::for_all("greedy", rules.plan())?;
    agents[0] = Box::new(Patient);
    let mut summary = Summary::default();
    for game in 0..200 {
        play(&rules, &mut agents, game_seed(1, game), &mut summary)?;
    }

    let mut out = io::stdout().lock();
    writeln!(out, "{} deals of {}", summary.deals, rules.plan().name())?;
    for player in Player::all(agents.len()).map(Player::index) {
        let name = if player == 0 { "patient" } else { "greedy" };
        let points = summary.points[player] as f64 / summary.deals as f64;
        let wins = summary.wins[player];
        writeln!(out, "{name:<8} {wins:>4} wins, {points:+.2} points a deal")?;
    }
    Ok(())
}
