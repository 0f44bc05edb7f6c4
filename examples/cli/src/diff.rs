//! Compares two rulesets, in the words of their files.
//!
//! ```text
//! paishan diff uzje my.toml
//! ```

use crate::rules;

/// Prints how two rulesets differ, documentation and sources left out.
#[derive(clap::Args)]
pub struct Args {
    /// The first ruleset: the id of a built-in one, or a file.
    before: String,
    /// The other.
    after: String,
}

pub fn run(args: &Args) -> Result<String, String> {
    let (before, after) = (rules::named(&args.before)?, rules::named(&args.after)?);
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
