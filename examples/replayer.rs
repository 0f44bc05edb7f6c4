//! Reads the log of a match and steps through it. Prints each decision, and the table as it was at one line.
//!
//! ```text
//! cargo run --release --example replayer                       # records a match of its own
//! cargo run --release --example replayer -- games.jsonl 250    # the first match of a file, its line 250
//! ```

use paishan::draw::text;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::log::{self, Line, LogOptions, Recorder};
use paishan::state::{Action, DealState, Legal};
use paishan::{Lang, Notation, Rules, Seat, agent, simulate};
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

/// Collects what happens in words.
#[derive(Default)]
struct Steps(Vec<String>);

impl Observer for Steps {
    fn deal_started(&mut self, state: &DealState) {
        self.0
            .push(format!("-- a deal, player {} deals --", state.dealer()));
    }

    fn decided(&mut self, _: &DealState, seat: Seat, _: &Legal, action: Action) {
        self.0.push(format!("{seat}: {action}"));
    }

    fn deal_ended(&mut self, series: &MatchState, _: &DealState, outcome: &Outcome, _: Next) {
        for (seat, win) in outcome.wins() {
            self.0.push(format!("{seat} wins with {}", win.tile));
        }
        self.0.push(format!("totals {:?}", series.totals()));
    }
}

/// The lines of the first match in a file.
fn read(path: &str) -> Result<Vec<Line>, Box<dyn Error>> {
    let mut lines = Vec::new();
    for text in BufReader::new(File::open(path)?).lines() {
        lines.push(serde_json::from_str(&text?)?);
        if let Some(Line::EndGame { .. }) = lines.last() {
            break;
        }
    }
    Ok(lines)
}

/// The lines of a match that is played now.
fn record() -> Result<Vec<Line>, Box<dyn Error>> {
    let rules = Rules::by_id("woo")?;
    let mut agents = agent::for_all("greedy", rules.plan())?;
    let mut lines = Vec::new();
    let options = LogOptions::new(vec!["greedy".to_owned(); agents.len()], Notation::Ujmj);
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    simulate::play(&rules, &mut agents, 7, &mut recorder)?;
    drop(recorder);
    Ok(lines)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let lines = match args.next() {
        Some(path) => read(&path)?,
        None => record()?,
    };
    let at = args.next().map_or(Ok(100), |at| at.parse::<usize>())?;

    // The log names its ruleset, and every line is checked against the rules.
    let mut steps = Steps::default();
    log::replay_to(&lines, lines.len(), Rules::by_id_with, &mut steps)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", steps.0.join("\n"))?;

    // The deal could be played on from here.
    let (_, deal) = log::replay_to(&lines, at, Rules::by_id_with, &mut ())?;
    if let Some(deal) = deal {
        let table = text::table(
            &deal.state().view(Seat::EAST),
            deal.rules().plan().tile_names(),
            Lang::EN,
        );
        writeln!(out, "\nline {at}, as East sees it\n{table}")?;
    }
    Ok(())
}
