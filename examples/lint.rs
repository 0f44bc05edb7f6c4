//! Looks through a ruleset for what loads but looks wrong.
//!
//! ```text
//! cargo run --release --example lint -- --rules my.toml
//! cargo run --release --example lint -- --ruleset uzje --option threshold=4.5
//! ```
//!
//! An error ends it with status 2, a lint with status 1.

#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use paishan::lint::{Judgement, judge, lint};
use rules::RulesArgs;
use std::io::{self, Write};
use std::process::ExitCode;

/// Looks through a ruleset: dead conditions, patterns that cannot occur or follow from others, options that
/// change nothing, walls, invariants, golden hands.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

/// What was found; true where nothing was.
fn run(args: &Args) -> Result<bool, String> {
    let source = args.rules.source()?;
    let lints = lint(&source, &args.rules.options).map_err(|error| error.to_string())?;
    let rules = args.rules.load()?;
    let mut out = io::stdout().lock();
    let mut say = |line: String| writeln!(out, "{line}").map_err(|error| error.to_string());
    for lint in &lints {
        say(lint.to_string())?;
    }
    for invariant in &rules.plan().invariants {
        if judge(&*rules, invariant) == Judgement::Proved {
            say(format!(
                "invariant {}: proved. {}",
                invariant.id, invariant.doc
            ))?;
        }
    }
    say(format!("{}: {} lints", rules.plan().id, lints.len()))?;
    Ok(lints.is_empty())
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            let _ = writeln!(io::stderr(), "lint: {message}");
            ExitCode::from(2)
        }
    }
}
