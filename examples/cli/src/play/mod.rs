//! A table in the terminal: one person among bots.
//!
//! ```text
//! paishan play
//! paishan play --ruleset riichi-tenhou --agents value --save evening.json
//! ```

mod app;
mod screen;
mod words;

use crate::output::Fault;
use crate::rules::RulesArgs;
use crate::secret;
use app::App;
use paishan::Seed;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Play against bots in the terminal.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Your seat in the first deal: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: paishan::Seat,
    /// The bots: one agent for all, or one for each other seat, separated by commas: random, first, greedy, value.
    #[arg(long, default_value = "greedy")]
    agents: String,
    /// The bot that gives hints.
    #[arg(long, value_name = "AGENT", default_value = "value")]
    hints: String,
    /// Where the walls come from. Without it they are secret.
    #[arg(long)]
    seed: Option<Seed>,
    /// Keeps the match in this file. If the file exists, the match goes on from it.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Draws without colours.
    #[arg(long)]
    plain: bool,
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let rules = args.rules.load()?;
    let seed = args.seed.map_or_else(secret::seed, Ok)?;
    let mut app = App::new(args, rules, seed)?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err("`play` needs a terminal; programs use `paishan jsonl`".into());
    }
    let mut terminal = ratatui::try_init().map_err(|error| error.to_string())?;
    let played = (|| -> io::Result<()> {
        while !app.is_done() {
            terminal.draw(|frame| screen::draw(frame, &app))?;
            if let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                app.press(key);
            }
        }
        Ok(())
    })();
    ratatui::restore();
    // Whatever became of the terminal, the match is kept.
    app.save()?;
    played.map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests;
