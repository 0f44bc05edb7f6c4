//! Prints the merged file of a ruleset: everything it extends, with its own keys laid over that.
//!
//! ```text
//! cargo run --release --example resolved -- --rules my.toml > whole.toml
//! ```

#[path = "common/output.rs"]
mod output;
#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use rules::RulesArgs;
use std::process::ExitCode;

/// Prints the merged file of a ruleset, which extends nothing.
#[derive(Parser)]
#[command(version, about, after_help = output::STATUS)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

fn run(args: &Args) -> Result<String, String> {
    let source = args.rules.source()?;
    // The merged file is the same for all options. Loading still refuses options that cannot be set.
    let rules = args.rules.load()?;
    let text = source.resolved().map_err(|error| error.to_string())?;
    let hash = rules.plan().content_hash;
    Ok(format!("# {}, hash {hash:016x}\n{text}", rules.plan().name))
}

fn main() -> ExitCode {
    output::end_with("resolved", run(&Args::parse()))
}
