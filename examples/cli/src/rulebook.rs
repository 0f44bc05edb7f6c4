//! Writes the rulebook of a ruleset, for players.
//!
//! ```text
//! paishan rulebook --ruleset uzje --html uzje.html
//! paishan rulebook --ruleset riichi-tenhou --option rounds=1 --lang ja --markdown tenhou.md
//! ```

use crate::output::{self, Fault};
use crate::rules::{LangArgs, RulesArgs};
use paishan::lint;
use paishan::rulebook::rulebook;
use std::path::PathBuf;

/// Writes the rulebook of a ruleset: its rules in sentences, every pattern with a hand that has it and one that narrowly misses
/// it, worked examples, options and what they change, a quick reference, and a score sheet to print.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    names: LangArgs,
    /// Writes the rulebook as one page of HTML here. It loads nothing and prints section by section.
    #[arg(long, value_name = "FILE", required_unless_present = "markdown")]
    html: Option<PathBuf>,
    /// Writes the rulebook as Markdown here, with tiles in notation.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let source = args.rules.source()?;
    let rules = args.rules.load()?;
    let known = lint::golden_hands(&rules, &source).map_err(|error| error.to_string())?;
    let book = rulebook(&rules, args.names.lang, &known);
    if let Some(path) = &args.html {
        output::write(path, book.to_html().as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        output::write(path, book.to_markdown().as_bytes())?;
    }
    let patterns = rules.plan().score().patterns().len();
    output::say(&format!("{}: {patterns} patterns\n", book.title))
}
