//! Checks a ruleset for what loads but looks wrong.
//!
//! ```text
//! cargo run --release --example lint -- --rules my.toml
//! cargo run --release --example lint -- --ruleset uzje --option threshold=4.5
//! ```
//!
//! Exit status: 2 after an error, 1 after a lint.

#[path = "common/output.rs"]
mod output;
#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use output::Fault;
use paishan::lint::{Judgement, judge, lint};
use rules::RulesArgs;
use std::process::ExitCode;

/// Looks through a ruleset: dead conditions, patterns that cannot occur or follow from others, options that
/// change nothing, walls, invariants, golden hands.
#[derive(Parser)]
#[command(version, about, after_help = STATUS)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

/// The end of the help text: how the program ends.
const STATUS: &str = "\
Exit status: 0 when nothing was found, 1 when something was, 2 when the ruleset cannot be read, 3 when the output \
cannot be written (nobody reads it any more, or a disk is full).";

/// The findings as text, and whether there are none.
fn run(args: &Args) -> Result<(String, bool), String> {
    let source = args.rules.source()?;
    let lints = lint(&source, &args.rules.options).map_err(|error| error.to_string())?;
    let rules = args.rules.load()?;
    let mut out = String::new();
    for lint in &lints {
        out.push_str(&format!("{lint}\n"));
    }
    for invariant in &rules.plan().invariants {
        if judge(&*rules, invariant) == Judgement::Proved {
            out.push_str(&format!(
                "invariant {}: proved. {}\n",
                invariant.id, invariant.doc
            ));
        }
    }
    out.push_str(&format!("{}: {} lints\n", rules.plan().id, lints.len()));
    Ok((out, lints.is_empty()))
}

fn main() -> ExitCode {
    let told = match run(&Args::parse()) {
        Ok((text, is_clean)) => output::say(&text).map(|()| is_clean),
        Err(message) => Err(Fault { status: 2, message }),
    };
    match told {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(fault) => output::end("lint", Err(fault)),
    }
}
