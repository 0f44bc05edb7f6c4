//! Checks a ruleset: dead conditions, patterns that cannot occur or follow from others, options that change nothing,
//! walls, invariants, golden hands.
//!
//! ```text
//! paishan lint --rules my.toml
//! paishan lint --ruleset uzje --option threshold=4.5
//! paishan lint --new > my.toml
//! paishan lint --keys patterns
//! ```

use crate::output::{self, Fault};
use crate::rules::RulesArgs;
use paishan::lint::{Judgement, judge, lint};
use paishan::ruleset::keys;
use paishan::score::facts;

/// Checks a ruleset for what loads but looks wrong.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Prints the keys of a section and of those within it, of any table (`any`), or of all sections, and checks
    /// nothing.
    #[arg(long, value_name = "SECTION", num_args = 0..=1, default_missing_value = "", group = "reference")]
    keys: Option<String>,
    /// Prints the facts that conditions may ask for, and checks nothing.
    #[arg(long, group = "reference")]
    facts: bool,
    /// Prints a template for a new ruleset, and checks nothing.
    #[arg(long, group = "reference")]
    new: bool,
}

impl Args {
    /// What is printed in place of findings.
    fn reference(&self) -> Option<Result<String, String>> {
        if self.new {
            return Some(Ok(keys::SKELETON.to_owned()));
        }
        if self.facts {
            return Some(Ok(facts::text()));
        }
        let path = self.keys.as_deref()?;
        Some(keys::text(path).ok_or_else(|| format!("no section [{path}]")))
    }
}

/// The findings as text, and whether there are none.
fn findings(args: &Args) -> Result<(String, bool), String> {
    if let Some(text) = args.reference() {
        return text.map(|text| (text, true));
    }
    let source = args.rules.source()?;
    let lints = lint(&source, &args.rules.options).map_err(|error| error.to_string())?;
    let rules = args.rules.load()?;
    let mut out = String::new();
    for lint in &lints {
        out.push_str(&format!("{lint}\n"));
    }
    for invariant in rules.plan().invariants() {
        if judge(rules.plan(), invariant) == Judgement::Proved {
            out.push_str(&format!(
                "invariant {}: proved. {}\n",
                invariant.id, invariant.doc
            ));
        }
    }
    out.push_str(&format!("{}: {} lints\n", rules.plan().id(), lints.len()));
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
