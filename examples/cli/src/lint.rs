//! Checks a ruleset: dead conditions, patterns that cannot occur or follow from others, options that change nothing,
//! walls, invariants, golden hands.
//!
//! ```text
//! paishan lint --rules my.toml
//! paishan lint --ruleset uzje --option threshold=4.5
//! ```

use crate::output::{self, Fault};
use crate::rules::RulesArgs;
use paishan::lint::{Judgement, judge, lint};

/// Checks a ruleset for what loads but looks wrong.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

/// The findings as text, and whether there are none.
fn findings(args: &Args) -> Result<(String, bool), String> {
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

pub fn run(args: &Args) -> Result<(), Fault> {
    let (text, is_clean) = findings(args).map_err(Fault::Invalid)?;
    output::say(&text)?;
    match is_clean {
        true => Ok(()),
        false => Err(Fault::Found),
    }
}
