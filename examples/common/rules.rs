//! The rules that a program is told to play by: a built-in ruleset or a file of one's own.
#![allow(dead_code, reason = "a program takes of it what it needs")]

use clap::Args;
use paishan::ruleset::{OptionValue, Ruleset, Source, parse_option};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Which rules, and how they are set.
#[derive(Args, Clone)]
pub struct RulesArgs {
    /// A built-in ruleset, by id.
    #[arg(long, value_name = "ID", conflicts_with = "rules")]
    ruleset: Option<String>,
    /// A ruleset file of one's own; it may extend a built-in ruleset.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Sets an option of the ruleset; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    pub options: Vec<(String, OptionValue)>,
}

/// The text of a ruleset file.
pub fn read(path: &Path) -> Result<Source, String> {
    let file = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Source::Text { file, text }),
        Err(error) => Err(format!("{file}: {error}")),
    }
}

/// Ends a program: what it tells goes to standard output, a fault to standard error under the program's name.
pub fn end(program: &str, told: Result<String, String>) -> ExitCode {
    let written = told.and_then(|text| {
        let written = io::stdout().lock().write_all(text.as_bytes());
        written.map_err(|error| error.to_string())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "{program}: {message}");
            ExitCode::FAILURE
        }
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

    /// True for a file of one's own.
    pub fn is_text(&self) -> bool {
        self.rules.is_some()
    }

    /// The id of a built-in ruleset.
    pub fn id(&self) -> Option<&str> {
        self.ruleset.as_deref()
    }

    /// Where the rules come from; `None` where nothing is said.
    pub fn given(&self) -> Result<Option<Source>, String> {
        match (&self.rules, &self.ruleset) {
            (Some(path), _) => read(path).map(Some),
            (None, Some(id)) => Ok(Some(Source::BuiltIn(id.clone()))),
            (None, None) => Ok(None),
        }
    }

    /// The same, with `uzje` where nothing is said.
    pub fn source(&self) -> Result<Source, String> {
        let given = self.given()?;
        Ok(given.unwrap_or_else(|| Source::BuiltIn("uzje".to_owned())))
    }

    /// The ruleset.
    pub fn load(&self) -> Result<Arc<dyn Ruleset>, String> {
        let loaded = self.source()?.load(&self.options);
        loaded.map_err(|error| error.to_string())
    }
}
