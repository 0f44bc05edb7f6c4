//! Plays the games of a job, or of a part of one, and saves what is done.

use super::named::Named;
use crate::output::{self, Fault};
use crate::{agents, input, progress};
use fs4::{FileExt, TryLockError};
use paishan::Rules;
use paishan::agent::{self, Agent};
use paishan::ruleset::{OptionValue, Plan, Ruleset};
use paishan::simulate::{PlayError, Statistics, run};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The version of `summary.json` and of the games in it. It is 2 since agents draw from a seed of their own, and 3 since
/// patterns have ids and the summary has the ranks of each player.
const FORMAT: u32 = 3;
/// The agents that play where none are given: those whose wins say what values are worth.
pub const AGENTS: &str = "value";
/// Plays the same walls beside agents who aim. What they win with and these do not was aimed for.
const WEAK: &str = "greedy";
/// How long finished games may stay in memory before they are saved.
const KEEP_EVERY: Duration = Duration::from_secs(1);
/// How many games a thread plays at once.
const GO: u64 = 8;

/// The size limit of a summary, in bytes.
const LONGEST: u64 = 256 << 20;

/// What a job is. All its parts agree on this.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    format: u32,
    pub ruleset: String,
    pub ruleset_hash: String,
    options: serde_json::Map<String, serde_json::Value>,
    pub agents: Vec<String>,
    /// The agent that plays all seats on the same walls for comparison. `None` if no agent aims.
    pub compared: Option<String>,
    pub seed: u64,
    /// Games of the whole job.
    pub games: u64,
}

/// What was played of a job.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub job: Identity,
    /// The numbers of the games played.
    pub played: Range<u64>,
    pub statistics: Statistics,
    /// The same games with [`Identity::compared`] at every seat.
    pub compared: Option<Statistics>,
}

/// A [`Record`] in a file.
#[derive(Serialize, Deserialize)]
struct Written {
    job: Identity,
    played: Range<u64>,
    statistics: Named,
    compared: Option<Named>,
}

impl TryFrom<Written> for Record {
    type Error = serde_json::Error;

    fn try_from(written: Written) -> Result<Self, serde_json::Error> {
        Ok(Self {
            job: written.job,
            played: written.played,
            statistics: written.statistics.statistics()?,
            compared: written.compared.map(Named::statistics).transpose()?,
        })
    }
}

/// `I/N` with I from 0 to N − 1.
pub fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/');
    let parsed = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parsed
        .filter(|(i, n)| i < n)
        .ok_or_else(|| "a shard is I/N with I from 0 to N - 1".to_owned())
}

/// How many games are played where no number is given. A run other than three ranks in a row makes a decision of
/// `value` some five times as slow.
fn usual_games(plan: &Plan) -> u64 {
    let is_in_row = |ranks: [u8; 3]| ranks[0] > 0 && ranks[2] == ranks[0] + 2;
    let mut shapes = plan.decomposer().grammar().shapes();
    match shapes.all(|(_, shape)| is_in_row(shape.ranks())) {
        true => 10_000,
        false => 2_000,
    }
}

impl Identity {
    pub fn new(
        rules: &dyn Ruleset,
        agents: &str,
        seed: u64,
        games: Option<u64>,
    ) -> Result<Self, String> {
        let plan = rules.plan();
        let games = games.unwrap_or_else(|| usual_games(plan));
        let agents = agents::names(agents, plan, &[])?;
        let aims = |name: &String| !agents::IGNORE_WORTH.contains(&name.as_str());
        let option = |(spec, value): (&paishan::ruleset::OptionSpec, &OptionValue)| {
            let value = serde_json::to_value(value).map_err(|error| error.to_string())?;
            Ok((spec.name.clone(), value))
        };
        Ok(Self {
            format: FORMAT,
            ruleset: plan.id().to_owned(),
            ruleset_hash: format!("{:016x}", plan.content_hash()),
            options: plan
                .options()
                .iter()
                .map(option)
                .collect::<Result<_, String>>()?,
            compared: agents.iter().any(aims).then(|| WEAK.to_owned()),
            agents,
            seed,
            games,
        })
    }
}

impl Record {
    pub fn ruleset(&self) -> &str {
        &self.job.ruleset
    }

    /// Who played: one name if all were of it, otherwise one a player.
    pub fn players(&self) -> String {
        let mut agents = self.job.agents.clone();
        agents.dedup();
        match agents.len() {
            1 => agents.remove(0),
            _ => self.job.agents.join(", "),
        }
    }

    /// A warning if players ignore what hands are worth.
    pub fn warning(&self) -> Option<String> {
        let here = |name: &&str| self.job.agents.iter().any(|agent| agent == name);
        let names: Vec<&str> = agents::IGNORE_WORTH.into_iter().filter(here).collect();
        let verb = match names.len() {
            0 => return None,
            1 => "ignores",
            _ => "ignore",
        };
        let names = names.join(" and ");
        Some(format!(
            "{names} {verb} what a hand is worth. Shares and prices are those of players who never aim; \
             `--agents {AGENTS}` aims."
        ))
    }

    /// The options as they were set.
    pub fn options(&self) -> Result<Vec<(String, OptionValue)>, String> {
        let option = |(name, value): (&String, &serde_json::Value)| {
            let value = serde_json::from_value(value.clone());
            let value = value.map_err(|error| format!("option {name}: {error}"))?;
            Ok((name.clone(), value))
        };
        self.job.options.iter().map(option).collect()
    }

    /// Refuses rules other than those that were played.
    pub fn check(&self, rules: &dyn Ruleset) -> Result<(), String> {
        let hash = format!("{:016x}", rules.plan().content_hash());
        match hash == self.job.ruleset_hash {
            true => Ok(()),
            false => Err(format!(
                "`{}` was played by other rules (hash {}, now {hash}); give their file with --rules",
                self.job.ruleset, self.job.ruleset_hash
            )),
        }
    }

    fn read(path: &Path) -> Result<Self, String> {
        let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = input::read_text(path, LONGEST).map_err(|error| fault(&error))?;
        Self::of_text(&text).map_err(|error| fault(&error))
    }

    /// Reads what [`Record::text`] wrote.
    pub fn of_text(text: &str) -> Result<Self, String> {
        let written: Result<Written, _> = serde_json::from_str(text);
        let record = written.and_then(Self::try_from);
        let record = record.map_err(|error| error.to_string())?;
        let is_sound = record.is_sound(&record.statistics)
            && record
                .compared
                .as_ref()
                .is_none_or(|all| record.is_sound(all))
            && record.compared.is_some() == record.job.compared.is_some();
        match is_sound {
            true => Ok(record),
            false => Err("it is no record of this program".to_owned()),
        }
    }

    /// True if the numbers fit each other and can be added to those of other parts.
    fn is_sound(&self, statistics: &Statistics) -> bool {
        let Statistics {
            summary,
            pattern_times,
            pattern_pairs,
            pattern_ranks,
            win_points,
            win_discards,
            seat_squares,
            refused,
            refused_and_won,
            causes,
            ..
        } = statistics;
        let patterns = pattern_times.len();
        let is_small = |count: &u64| *count < 1 << 48;
        let is_no_sum = |points: &i64| points.unsigned_abs() < 1 << 56;
        let sum = |counts: &[u64]| counts.iter().fold(0, |sum: u64, n| sum.saturating_add(*n));
        let wins = sum(&summary.wins);
        let counted = |counts: &mut dyn Iterator<Item = &u64>| {
            counts.fold(0, |sum: u64, n| sum.saturating_add(*n))
        };
        let by_deal = [summary.deal_ins, summary.claimed_deals, summary.announced];
        let games = self.played.end.saturating_sub(self.played.start);
        let fits = summary.matches == games
            && summary.deals >= games
            && summary.draws <= summary.deals
            && wins >= summary.deals - summary.draws
            && wins == sum(&summary.seat_wins)
            && wins == counted(&mut win_points.values())
            && wins == counted(&mut win_discards.values())
            && summary.self_draws <= wins
            && summary.patterns.iter().all(|count| *count <= wins)
            && summary.ranks.iter().all(|ranks| sum(ranks) <= games)
            && by_deal
                .iter()
                .all(|counts| counts.iter().all(|count| *count <= summary.deals))
            && refused_and_won <= refused
            && pattern_times
                .iter()
                .zip(&summary.patterns)
                .all(|(times, hands)| times >= hands);
        let counts = [summary.deals, summary.decisions, wins, *refused];
        let can_be_added = counts
            .iter()
            .chain(pattern_times)
            .chain(pattern_pairs.iter().flatten())
            .chain(pattern_ranks.iter().flatten())
            .chain(&summary.claims)
            .all(is_small)
            && seat_squares.iter().all(|squares| *squares < 1 << 60)
            && summary
                .winning_points
                .iter()
                .chain(&summary.points)
                .chain(&summary.seat_points)
                .all(is_no_sum);
        let has_sound_causes = causes.iter().all(|(_, points)| {
            let each = points.seats.iter().chain(&points.players);
            each.chain([&points.gained]).all(is_no_sum)
        });
        let points = win_points
            .keys()
            .all(|points| points.unsigned_abs() < 1 << 40);
        self.job.format == FORMAT
            && self.played.start <= self.played.end
            && self.played.end <= self.job.games
            && fits
            && can_be_added
            && has_sound_causes
            && summary.patterns.len() <= patterns
            && pattern_ranks.len() == patterns
            && pattern_pairs.len() == patterns.saturating_sub(1)
            && pattern_pairs
                .iter()
                .zip(1..)
                .all(|(row, length)| row.len() == length)
            && points
    }

    /// Puts the parts of one job in the folders together.
    pub fn merged(folders: &[PathBuf]) -> Result<Self, String> {
        let parts = folders
            .iter()
            .map(|folder| Self::read(&folder.join("summary.json")))
            .collect::<Result<Vec<_>, _>>()?;
        Self::joined(parts)
    }

    /// Puts parts of one job together. They must be neighbours without gaps.
    pub fn joined(mut parts: Vec<Self>) -> Result<Self, String> {
        parts.sort_by_key(|part| (part.played.start, part.played.end));
        let mut parts = parts.into_iter();
        let Some(mut whole) = parts.next() else {
            return Err("no parts".to_owned());
        };
        for part in parts {
            if part.job != whole.job {
                return Err("the parts are of different jobs".to_owned());
            }
            if part.played.start != whole.played.end {
                return Err(format!(
                    "games {} to {} are played {}",
                    part.played.start.min(whole.played.end),
                    part.played.start.max(whole.played.end),
                    if part.played.start > whole.played.end {
                        "by no part"
                    } else {
                        "twice"
                    },
                ));
            }
            whole.add(&part.statistics, part.compared.as_ref());
            whole.played.end = part.played.end;
        }
        Ok(whole)
    }

    fn add(&mut self, statistics: &Statistics, compared: Option<&Statistics>) {
        self.statistics.merge(statistics);
        if let (Some(all), Some(more)) = (&mut self.compared, compared) {
            all.merge(more);
        }
    }

    /// The text of the file. The same games give the same text.
    pub fn text(&self, plan: &Plan) -> Result<String, String> {
        let named = |statistics| Named::new(statistics, plan);
        let text = || {
            serde_json::to_string_pretty(&Written {
                job: self.job.clone(),
                played: self.played.clone(),
                statistics: named(&self.statistics)?,
                compared: self.compared.as_ref().map(named).transpose()?,
            })
        };
        let text = text().map_err(|error| error.to_string())?;
        Ok(text + "\n")
    }
}

/// Where an unfinished run saves what it has done.
fn progress(folder: &Path) -> PathBuf {
    folder.join("progress.json")
}

/// Keeps other runs out of a folder while it is held.
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = FileExt::unlock(&self.0);
    }
}

/// Takes a folder for this run alone.
pub fn lock(folder: &Path) -> Result<Lock, Fault> {
    let path = folder.join(".lock");
    fs::create_dir_all(folder).map_err(|error| Fault::unwritten_file(folder, error))?;
    let file = File::create(&path).map_err(|error| Fault::unwritten_file(&path, error))?;
    match FileExt::try_lock(&file) {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => {
            Err(format!("{}: another run writes into this folder", folder.display()).into())
        }
        Err(TryLockError::Error(error)) => Err(Fault::unwritten_file(&path, error)),
    }
}

/// Removes what was saved for going on.
pub fn finished(folder: &Path) {
    let _ = fs::remove_file(progress(folder));
}

/// The games to play.
pub struct Job {
    pub rules: Rules,
    pub identity: Identity,
    pub shard: (u64, u64),
    pub threads: usize,
    pub folder: PathBuf,
}

impl Job {
    /// The games of this part.
    fn range(&self) -> Range<u64> {
        let (part, parts) = self.shard;
        let first = |part: u64| {
            let whole = u128::from(self.identity.games) * u128::from(part);
            (whole / u128::from(parts)) as u64
        };
        first(part)..first(part + 1)
    }

    /// What was done before, if it belongs to this part of this job.
    fn before(&self, range: &Range<u64>) -> Option<Record> {
        let kept = Record::read(&progress(&self.folder))
            .or_else(|_| Record::read(&self.folder.join("summary.json")))
            .ok()?;
        let fits = kept.job == self.identity
            && kept.played.start == range.start
            && kept.played.end <= range.end;
        fits.then_some(kept)
    }

    fn agents(&self) -> Vec<Box<dyn Agent>> {
        let names = self.identity.agents.iter();
        names.map(|name| self.agent(name)).collect()
    }

    fn agent(&self, name: &str) -> Box<dyn Agent> {
        agent::by_name(name, self.rules.plan()).expect("an agent of the crate")
    }

    /// Plays some games, with the agents and with the one they are compared with.
    fn games(&self, games: Range<u64>) -> Result<(Statistics, Option<Statistics>), PlayError> {
        let seed = self.identity.seed;
        let statistics = run(&self.rules, || self.agents(), seed, games.clone())?;
        let compared = self.identity.compared.as_ref().map(|name| {
            let all = || self.identity.agents.iter().map(|_| self.agent(name));
            run(&self.rules, || all().collect(), seed, games)
        });
        Ok((statistics, compared.transpose()?))
    }

    /// Plays what is left. The folder stays locked until the report is written.
    pub fn play(&self) -> Result<(Record, Lock), Fault> {
        let range = self.range();
        let lock = lock(&self.folder)?;
        let mut record = self.before(&range).unwrap_or_else(|| Record {
            job: self.identity.clone(),
            played: range.start..range.start,
            statistics: Statistics::default(),
            compared: self
                .identity
                .compared
                .as_ref()
                .map(|_| Statistics::default()),
        });
        // Find out before playing that a folder cannot be written.
        output::write(
            &progress(&self.folder),
            record.text(self.rules.plan())?.as_bytes(),
        )?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| error.to_string())?;
        let bar = progress::bar(range.end - range.start);
        bar.set_position(record.played.end - range.start);
        bar.reset_eta();
        // A batch is about as many games as are played between two saves.
        let mut batch = GO * pool.current_num_threads() as u64;
        let mut kept = Instant::now();
        while record.played.end < range.end {
            let began = Instant::now();
            let next = record.played.end..range.end.min(record.played.end.saturating_add(batch));
            let goes: Vec<Range<u64>> = (next.start..next.end)
                .step_by(GO as usize)
                .map(|first| first..next.end.min(first.saturating_add(GO)))
                .collect();
            let played: Vec<_> = pool.install(|| {
                goes.into_par_iter()
                    .map(|go| {
                        let games = go.end - go.start;
                        let played = self.games(go);
                        bar.inc(games);
                        played
                    })
                    .collect()
            });
            for part in played {
                let (statistics, compared) = part.map_err(|error| error.to_string())?;
                record.add(&statistics, compared.as_ref());
            }
            record.played.end = next.end;
            if began.elapsed() < KEEP_EVERY / 2 {
                batch = batch.saturating_mul(2);
            }
            if kept.elapsed() >= KEEP_EVERY {
                output::write(
                    &progress(&self.folder),
                    record.text(self.rules.plan())?.as_bytes(),
                )?;
                kept = Instant::now();
            }
        }
        bar.finish_and_clear();
        Ok((record, lock))
    }
}
