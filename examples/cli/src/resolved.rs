//! Prints the merged file of a ruleset: everything it extends, with its own keys laid over that.
//!
//! ```text
//! paishan resolved --rules my.toml > whole.toml
//! ```

use crate::rules::RulesArgs;

/// Prints the merged file of a ruleset, which extends nothing.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

pub fn run(args: &Args) -> Result<String, String> {
    let source = args.rules.source()?;
    // The merged file is the same for all options. Loading still refuses options that cannot be set.
    let rules = args.rules.load()?;
    let text = source.resolved().map_err(|error| error.to_string())?;
    let hash = rules.plan().content_hash();
    Ok(format!(
        "# {}, hash {hash:016x}\n{text}",
        rules.plan().name()
    ))
}
