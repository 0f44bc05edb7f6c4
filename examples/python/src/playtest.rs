//! The play-test of `paishan playtest`: many games, and what the patterns and seats of a ruleset are worth.

#[path = "../../cli/src/playtest/analysis.rs"]
mod analysis;
#[path = "../../cli/src/playtest/job.rs"]
mod job;
#[path = "../../cli/src/playtest/named.rs"]
mod named;
#[path = "../../cli/src/playtest/plots.rs"]
mod plots;
#[path = "../../cli/src/playtest/report.rs"]
mod report;

use crate::error;
use crate::rules::Rules;
use job::{Identity, Job, Record};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// The text of `summary.json` and the short form of the report.
type Texts = (String, String);

/// The texts of a record. The report is written into the folder, if there is one.
fn texts(rules: &paishan::Rules, record: &Record, folder: Option<&Path>) -> Result<Texts, String> {
    let plan = rules.plan();
    let analysis = analysis::Analysis::new(plan, record);
    if let Some(folder) = folder {
        let written = report::write(folder, plan, record, &analysis, false);
        written.map_err(|fault| fault.to_string())?;
        job::finished(folder);
    }
    let short = report::short(plan, record, &analysis, false);
    Ok((record.text(plan)?, short))
}

/// Plays part `part` of `parts` of a job of games.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "the Python function has keywords and defaults"
)]
pub fn playtest(
    py: Python<'_>,
    rules: &Rules,
    games: Option<u64>,
    seed: u64,
    agents: &str,
    part: u64,
    parts: u64,
    threads: usize,
    folder: Option<PathBuf>,
) -> PyResult<Texts> {
    let rules = &rules.rules;
    let played = py.detach(|| {
        let shard = job::shard(&format!("{part}/{parts}"))?;
        let passing = tempfile::tempdir().map_err(|error| error.to_string())?;
        let job = Job {
            rules: rules.clone(),
            identity: Identity::new(rules, agents, seed, games)?,
            shard,
            threads,
            folder: folder.clone().unwrap_or(passing.path().to_owned()),
        };
        let (record, _lock) = job.play().map_err(|fault| fault.to_string())?;
        texts(rules, &record, folder.as_deref())
    });
    played.map_err(error::value)
}

/// Puts the parts of a job together: texts of `summary.json` in any order.
#[pyfunction]
pub fn merge(
    py: Python<'_>,
    rules: &Rules,
    parts: Vec<String>,
    folder: Option<PathBuf>,
) -> PyResult<Texts> {
    let rules = &rules.rules;
    let merged = py.detach(|| {
        let parts = parts.iter().map(|text| Record::of_text(text));
        let record = Record::joined(parts.collect::<Result<_, _>>()?)?;
        record.check(rules)?;
        let lock = folder.as_deref().map(job::lock).transpose();
        let _lock = lock.map_err(|fault| fault.to_string())?;
        texts(rules, &record, folder.as_deref())
    });
    merged.map_err(error::value)
}
