//! The program `paishan`: plays, scores, checks and compares rulesets of mahjong. Each subcommand has a module.

mod agents;
mod bots;
mod commitments;
mod compare;
mod diff;
mod distance;
mod duel;
mod duplicate;
mod hand;
mod input;
mod jsonl;
mod ladder;
mod ledger;
mod lint;
mod output;
mod play;
mod playtest;
mod progress;
mod replay;
mod rescore;
mod resolved;
mod rulebook;
mod rules;
mod score;
mod secret;
mod simulate;
mod timed;
mod watch;
mod wins;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use output::Fault;
use std::io::{self, Write};
use std::process::ExitCode;

/// Plays, scores, checks and compares rulesets of mahjong.
#[derive(Parser)]
#[command(name = "paishan", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one value, moved a few times"
)]
enum Command {
    Simulate(simulate::Args),
    Score(score::Args),
    Distance(distance::Args),
    Compare(compare::Args),
    Watch(watch::Args),
    Replay(replay::Args),
    Lint(lint::Args),
    Resolved(resolved::Args),
    Rulebook(rulebook::Args),
    Diff(diff::Args),
    Play(play::Args),
    Playtest(playtest::Args),
    Rescore(rescore::Args),
    Duel(duel::Args),
    Ladder(ladder::Args),
    Ledger(ledger::Args),
    Jsonl(jsonl::Args),
    /// Prints the completions of a shell.
    Completions {
        shell: Shell,
    },
}

/// The parser. The help of every subcommand documents the exit statuses.
fn parser() -> clap::Command {
    let parser = Cli::command().after_help(output::STATUS);
    parser.mut_subcommands(|command| command.after_help(output::STATUS))
}

fn completions(shell: Shell) -> Result<(), Fault> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut parser(), "paishan", &mut script);
    output::say_bytes(&script)
}

fn run(command: Command) -> Result<(), Fault> {
    match command {
        Command::Simulate(args) => simulate::run(&args),
        Command::Score(args) => output::say(&score::run(&args)?),
        Command::Distance(args) => output::say(&distance::run(&args)?),
        Command::Compare(args) => output::say(&compare::run(&args)?),
        Command::Watch(args) => watch::run(&args),
        Command::Replay(args) => replay::run(args),
        Command::Lint(args) => lint::run(&args),
        Command::Resolved(args) => output::say(&resolved::run(&args)?),
        Command::Rulebook(args) => rulebook::run(&args),
        Command::Diff(args) => output::say(&diff::run(&args)?),
        Command::Play(args) => play::run(&args),
        Command::Playtest(args) => playtest::run(args),
        Command::Rescore(args) => output::say(&rescore::run(&args)?),
        Command::Duel(args) => output::say(&duel::run(&args)?),
        Command::Ladder(args) => output::say(&ladder::run(&args)?),
        Command::Ledger(args) => ledger::run(&args),
        Command::Jsonl(args) => jsonl::run(&args),
        Command::Completions { shell } => completions(shell),
    }
}

fn main() -> ExitCode {
    let matches = parser().get_matches();
    let name = matches.subcommand_name().unwrap_or_default();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let Err(fault) = run(cli.command) else {
        return ExitCode::SUCCESS;
    };
    let message = fault.to_string();
    if !message.is_empty() {
        let _ = writeln!(io::stderr(), "paishan {name}: {message}");
    }
    ExitCode::from(fault.status())
}
