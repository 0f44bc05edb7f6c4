//! Says in the language of rules what differs between two rulesets.
//!
//! ```text
//! cargo run --release --example diff -- uzje my.toml
//! ```

#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use paishan::ruleset::{self, Source};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Says what differs between two rulesets; documentation and sources are left out.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// The first ruleset: the id of a built-in one, or a file.
    before: String,
    /// The other.
    after: String,
}

/// A built-in ruleset by its id, or else a file.
fn source(name: &str) -> Result<Source, String> {
    match ruleset::ids().any(|id| id == name) {
        true => Ok(Source::BuiltIn(name.to_owned())),
        false => rules::read(Path::new(name)),
    }
}

fn run(args: &Args) -> Result<(), String> {
    let (before, after) = (source(&args.before)?, source(&args.after)?);
    let found = before
        .differences(&after)
        .map_err(|error| error.to_string())?;
    let mut out = io::stdout().lock();
    for difference in &found {
        writeln!(out, "{difference}").map_err(|error| error.to_string())?;
    }
    if found.is_empty() {
        writeln!(out, "they are the same").map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "diff: {message}");
            ExitCode::FAILURE
        }
    }
}
