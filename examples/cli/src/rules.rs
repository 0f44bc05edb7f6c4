//! The rules a command plays by: a built-in ruleset or a file of your own.

use crate::input;
use clap::Args;
use paishan::ruleset::{self, OptionValue, Source, parse_option};
use paishan::{Lang, Rules};
use std::path::{Path, PathBuf};

/// Which rules, and how they are set.
#[derive(Args, Clone)]
pub struct RulesArgs {
    /// A built-in ruleset, by id. Without it the ruleset is `uzje`. `replay`, `rescore`, `ledger` and
    /// `playtest merge` take that of their files.
    #[arg(long, value_name = "ID", conflicts_with = "rules")]
    ruleset: Option<String>,
    /// A custom ruleset file. It may extend a built-in ruleset.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Sets an option of the ruleset; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    pub options: Vec<(String, OptionValue)>,
}

/// In which language names are printed.
#[derive(Args, Clone, Copy)]
pub struct LangArgs {
    /// The language of the names of patterns, tiles and actions, such as zh or ja. Names that the ruleset does not have in
    /// it are English.
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub lang: Lang,
}

/// The size limit of a file, in bytes. The library takes no longer text.
const LONGEST: u64 = 1 << 20;

/// A ruleset file and the files that it extends.
pub fn read(path: &Path) -> Result<Source, String> {
    let file = path.display().to_string();
    let text = input::read_text(path, LONGEST).map_err(|error| format!("{file}: {error}"))?;
    let parent = |path: &str| input::read_text(Path::new(path), LONGEST).ok();
    Source::with_parents(&file, &text, parent).map_err(|error| error.to_string())
}

/// A built-in ruleset by its id, or else a file.
pub fn named(name: &str) -> Result<Source, String> {
    match ruleset::ids().any(|id| id == name) {
        true => Ok(Source::BuiltIn(name.to_owned())),
        false => read(Path::new(name)),
    }
}

impl RulesArgs {
    /// A built-in ruleset as it is.
    pub fn built_in(id: &str) -> Self {
        Self {
            ruleset: Some(id.to_owned()),
            rules: None,
            options: Vec::new(),
        }
    }

    /// True for rules from a file.
    pub fn is_text(&self) -> bool {
        self.rules.is_some()
    }

    /// The id of a built-in ruleset.
    pub fn id(&self) -> Option<&str> {
        self.ruleset.as_deref()
    }

    /// Where the rules come from. `None` if the command line does not say.
    pub fn given(&self) -> Result<Option<Source>, String> {
        match (&self.rules, &self.ruleset) {
            (Some(path), _) => read(path).map(Some),
            (None, Some(id)) if id.ends_with(".toml") => Err(format!(
                "`{id}` is a file: a ruleset of one's own is given with `--rules`"
            )),
            (None, Some(id)) => Ok(Some(Source::BuiltIn(id.clone()))),
            (None, None) => Ok(None),
        }
    }

    /// The same, with `uzje` if the command line does not say.
    pub fn source(&self) -> Result<Source, String> {
        let given = self.given()?;
        Ok(given.unwrap_or_else(|| Source::BuiltIn("uzje".to_owned())))
    }

    /// The ruleset.
    pub fn load(&self) -> Result<Rules, String> {
        let loaded = self.source()?.load(&self.options);
        loaded.map_err(|error| error.to_string())
    }
}
