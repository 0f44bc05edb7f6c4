//! Plays a ruleset many times and says what its values are worth.
//!
//! ```text
//! paishan playtest --rules my.toml --games 100000 --seed 1 --report out/
//! paishan playtest --ruleset woo --games 3000 --shard 0/3 --report part-0/
//! paishan playtest merge part-0 part-1 part-2 --report out/
//! paishan playtest --ruleset uzje --games 500 --set threshold=3.5
//! ```
//!
//! It writes `report.html`, `summary.json` and `patterns.csv` and prints the short form. After an interruption,
//! start it again and it goes on where it was. The same ruleset, agents, seed and games give the same bytes in
//! `summary.json`: in one run, in shards, or resumed.

mod against;
mod analysis;
mod job;
mod named;
mod plots;
mod report;

use crate::output::{self, Fault};
use crate::rules::{self, RulesArgs};
use clap::Subcommand;
use job::{Identity, Job, Record};
use paishan::Rules;
use paishan::ruleset::{OptionValue, parse_option};
use std::path::PathBuf;

/// Plays a ruleset many times and reports what its patterns and seats are worth.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    merge: Option<Sub>,
    #[command(flatten)]
    play: Play,
}

#[derive(Subcommand)]
enum Sub {
    /// Puts the parts of a job together.
    Merge(Merge),
}

#[derive(clap::Args)]
struct Play {
    #[command(flatten)]
    rules: RulesArgs,
    /// Games to play. By default 10,000, or 2,000 where runs are other than three ranks in a row, because agents
    /// decide slower there.
    #[arg(long)]
    games: Option<u64>,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One agent for all players, or one a player: random, first, greedy, value, search; `value-20` slips in 20 of 100 decisions.
    /// The first three ignore what a hand is worth.
    #[arg(long, default_value = job::AGENTS)]
    agents: String,
    /// Plays only part I of N, counted from 0, for `merge` to put together.
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = job::shard)]
    shard: (u64, u64),
    /// Threads; as many as the machine has cores, for 0.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Plays another ruleset, by id or file, on the same walls, and reports the differences instead.
    #[arg(long, value_name = "ID or FILE", conflicts_with = "shard")]
    against: Option<String>,
    /// Compares with the ruleset under another value of an option; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_option, conflicts_with = "shard")]
    changes: Vec<(String, OptionValue)>,
    #[command(flatten)]
    output: Output,
}

impl Play {
    /// The ruleset to be compared with, where one is.
    fn other(&self) -> Result<Option<Rules>, String> {
        if self.against.is_none() && self.changes.is_empty() {
            return Ok(None);
        }
        let source = match &self.against {
            None => self.rules.source()?,
            Some(name) => rules::named(name)?,
        };
        let mut options = match self.against {
            None => self.rules.options.clone(),
            Some(_) => Vec::new(),
        };
        options.extend(self.changes.iter().cloned());
        source
            .load(&options)
            .map(Some)
            .map_err(|error| error.to_string())
    }
}

#[derive(clap::Args)]
struct Merge {
    /// Folders of the parts.
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    output: Output,
}

#[derive(clap::Args)]
struct Output {
    /// The folder for the report.
    #[arg(long, value_name = "FOLDER", default_value = "playtest")]
    report: PathBuf,
    /// Proposes values for provisional patterns that fit their rarity.
    #[arg(long)]
    suggest: bool,
}

pub fn run(args: Args) -> Result<(), Fault> {
    let (rules, record, output, lock) = match args.merge {
        Some(Sub::Merge(merge)) => {
            let record = Record::merged(&merge.parts)?;
            let mut given = merge.rules.clone();
            if given.given()?.is_none() {
                given = RulesArgs::built_in(record.ruleset());
            }
            // The parts know how the options were set.
            given.options = record.options()?;
            let rules = given.load()?;
            record.check(&rules)?;
            (rules, record, merge.output, None)
        }
        None => {
            let play = args.play;
            let rules = play.rules.load()?;
            let identity = Identity::new(&rules, &play.agents, play.seed, play.games)?;
            if let Some(other) = play.other()? {
                let told = against::compare([&rules, &other], &identity)?;
                return output::say(&told);
            }
            let job = Job {
                rules: rules.clone(),
                identity,
                shard: play.shard,
                threads: usize::from(play.threads),
                folder: play.output.report.clone(),
            };
            let (record, lock) = job.play()?;
            (rules, record, play.output, Some(lock))
        }
    };
    // No other process writes into the folder until the report is complete.
    let _lock = match lock {
        Some(lock) => lock,
        None => job::lock(&output.report)?,
    };
    let analysis = analysis::Analysis::new(rules.plan(), &record);
    report::write(
        &output.report,
        rules.plan(),
        &record,
        &analysis,
        output.suggest,
    )?;
    job::finished(&output.report);
    let short = report::short(rules.plan(), &record, &analysis, output.suggest);
    output::say(&short)
}
