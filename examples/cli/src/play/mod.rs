//! A table in the terminal: one person among bots, or bots that a person watches.
//!
//! ```text
//! paishan play
//! paishan play --spectate --agents greedy,value --pace 0.5
//! paishan play --ruleset riichi-tenhou --agents value --save evening.json
//! ```

mod app;
mod screen;
mod words;

use crate::output::Fault;
use crate::rules::{LangArgs, RulesArgs};
use crate::secret;
use app::App;
use paishan::Seed;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind,
};
use ratatui::crossterm::execute;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

/// Play against bots in the terminal.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    names: LangArgs,
    /// Your seat in the first deal: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: paishan::Seat,
    /// The bots: one agent for all, or one for each seat of the bots, separated by commas: random, first, greedy, value, search;
    /// `value-20` slips in 20 of 100 decisions.
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
    /// Lets agents play all seats, with open hands. Enter makes the next decision. Agents decide as their hints say.
    #[arg(long)]
    spectate: bool,
    /// Seconds between the decisions of a spectated match. `p` pauses and resumes it.
    #[arg(long, value_name = "SECONDS", requires = "spectate", value_parser = pace)]
    pace: Option<Duration>,
    /// Draws without colours.
    #[arg(long)]
    plain: bool,
}

fn pace(seconds: &str) -> Result<Duration, String> {
    let seconds: f64 = seconds.parse().map_err(|error| format!("{error}"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
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
        execute!(io::stdout(), EnableMouseCapture)?;
        while !app.is_done() {
            let mut hits = Vec::new();
            terminal.draw(|frame| hits = screen::draw(frame, &app))?;
            if app.plays && !event::poll(args.pace.unwrap_or(Duration::from_secs(1)))? {
                app.step();
                continue;
            }
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => app.press(key),
                Event::Mouse(mouse) => app.point(mouse, &hits),
                _ => {}
            }
        }
        Ok(())
    })();
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    // Whatever became of the terminal, the match is kept.
    app.save()?;
    played.map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests;
