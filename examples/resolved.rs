//! Prints the merged file of a ruleset: everything that it extends, with its own keys laid over it.
//!
//! ```text
//! cargo run --release --example resolved -- --rules my.toml > whole.toml
//! ```

#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use rules::RulesArgs;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints the merged file of a ruleset, which extends nothing.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

fn run(args: &Args) -> Result<(), String> {
    let source = args.rules.source()?;
    // Options that cannot be set so are a fault here, too, though the file has every value of them.
    let rules = args.rules.load()?;
    let text = source.resolved().map_err(|error| error.to_string())?;
    let mut out = io::stdout().lock();
    let hash = rules.plan().content_hash;
    write!(out, "# {}, hash {hash:016x}\n{text}", rules.plan().name)
        .map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "resolved: {message}");
            ExitCode::FAILURE
        }
    }
}
