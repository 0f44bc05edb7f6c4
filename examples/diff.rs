//! Says what differs between two rulesets, in the words of their files.
//!
//! ```text
//! cargo run --release --example diff -- uzje my.toml
//! ```

#[path = "common/output.rs"]
mod output;
#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use paishan::ruleset::{self, Source};
use std::path::Path;
use std::process::ExitCode;

/// Says what differs between two rulesets; documentation and sources are left out.
#[derive(Parser)]
#[command(version, about, after_help = output::STATUS)]
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

fn run(args: &Args) -> Result<String, String> {
    let (before, after) = (source(&args.before)?, source(&args.after)?);
    let found = before
        .differences(&after)
        .map_err(|error| error.to_string())?;
    let mut out = String::new();
    for difference in &found {
        out.push_str(&format!("{difference}\n"));
    }
    if found.is_empty() {
        out.push_str("they are the same\n");
    }
    Ok(out)
}

fn main() -> ExitCode {
    output::end_with("diff", run(&Args::parse()))
}
