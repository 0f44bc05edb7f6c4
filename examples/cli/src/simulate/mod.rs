//! Plays whole games with agents. Writes their log or sums them up.
//!
//! ```text
//! paishan simulate
//! paishan simulate --ruleset woo --games 300 --seed 7 \
//!     --agents greedy,random,first,greedy --option cap=500 --log games.jsonl --with-legal
//! ```
//!
//! A game depends only on the seed and its own number. Games are written in order. So the same command gives the
//! same bytes with any number of threads.

mod finished;

use crate::bots::{BotArgs, Table, Tables, speaks_mjai};
use crate::output::{self, Fault, Target};
use crate::rules::RulesArgs;
use crate::{commitments, progress};
use finished::Finished;
use paishan::lint::{self, Judgement};
use paishan::log::mjai::Message;
use paishan::log::{Line, LogOptions, Recorder};
use paishan::ruleset::{Invariant, Plan};
use paishan::simulate::{Draws, Summary};
use paishan::{Notation, Player, Rules, Seed, Seeds};
use rayon::prelude::*;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::SpooledTempFile;

/// Plays whole games of mahjong with agents.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Players at the table, where the ruleset lets one choose.
    #[arg(long)]
    players: Option<usize>,
    /// Games to play.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The seed: a number, or 64 hexadecimal digits that cannot be guessed.
    #[arg(long, default_value = "1")]
    seed: Seed,
    /// What the agents draw from; it follows from the seed where it is not given.
    #[arg(long, value_name = "SEED")]
    agent_seed: Option<Seed>,
    /// Writes what the games are committed to here before they are played, for `replay --commitments`: a line a
    /// game, its number and the SHA-256 of the 64 hexadecimal digits of its seed.
    #[arg(long, value_name = "FILE")]
    commit: Option<PathBuf>,
    /// Threads. For 0 it is one where bots play, so that a bot plays all games in order, and otherwise one a core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// One agent for all players, or one a player: random, first, greedy, value, search, or the name of a bot; `value-20` slips in
    /// 20 of 100 decisions.
    #[arg(long, default_value = "greedy")]
    agents: String,
    #[command(flatten)]
    bots: BotArgs,
    /// Writes the log here; `-` for standard output. A table of results is then not printed.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Writes the finished deals here, for `rescore`.
    #[arg(long, value_name = "FILE")]
    finished: Option<PathBuf>,
    /// `all`, or the player whose view is written, counted from 0.
    #[arg(long, default_value = "all")]
    view: String,
    /// How tiles are written: ujmj or mpsz; mjai writes plain mjai and nothing else.
    #[arg(long, default_value = "ujmj")]
    notation: String,
    /// Writes every decision with all legal actions.
    #[arg(long)]
    with_legal: bool,
}

/// Why the run cannot go on.
fn fault(message: impl Into<String>) -> Fault {
    message.into().into()
}

/// A run. Everything in it is checked.
struct Run {
    rules: Rules,
    names: Vec<String>,
    notation: Notation,
    viewer: Option<Player>,
    with_legal: bool,
    with_log: bool,
    with_finished: bool,
    seeds: Seeds,
}

fn viewer(text: &str, players: usize) -> Result<Option<Player>, Fault> {
    if text == "all" {
        return Ok(None);
    }
    let player = text.parse().ok().filter(|&n: &usize| n < players);
    match player.and_then(Player::new) {
        Some(player) => Ok(Some(player)),
        None => Err(fault(format!(
            "--view must be `all` or a player from 0 to {}",
            players - 1
        ))),
    }
}

fn notation(text: &str, plan: &Plan) -> Result<Notation, Fault> {
    match Notation::by_name(text) {
        Some(Notation::Mjai) if !speaks_mjai(plan) => Err(fault(format!(
            "`{}` is no Riichi: it cannot be written as mjai",
            plan.id()
        ))),
        Some(Notation::Mpsz) if !plan.tiles().fits_mpsz() => Err(fault(format!(
            "mpsz cannot write every tile of `{}` with these options",
            plan.id()
        ))),
        Some(notation) => Ok(notation),
        None => Err(fault(format!("unknown notation `{text}`"))),
    }
}

impl Run {
    /// Plays one game.
    fn game(&self, table: &mut Table, game: u64) -> Result<Played, Fault> {
        let seeds = self.seeds.of_game(game);
        let mut log = spool();
        let mut unwritten = None;
        let finished = Finished::new(game, self.with_finished);
        let mut watching = (Summary::default(), finished);
        let played = if self.with_log {
            let mut options = LogOptions::new(self.names.clone(), self.notation);
            options.viewer = self.viewer;
            options.with_legal = self.with_legal;
            options.game = game;
            options.agent_seed = Some(seeds.agents);
            let mut log = BufWriter::new(&mut log);
            let write = |line: Line| {
                let written = if self.notation != Notation::Mjai {
                    serde_json::to_writer(&mut log, &line)
                } else if let Some(message) = Message::plain(self.rules.plan(), &line) {
                    serde_json::to_writer(&mut log, &message)
                } else {
                    return;
                };
                let ended = written.map_err(io::Error::from);
                let ended = ended.and_then(|()| log.write_all(b"\n"));
                unwritten = unwritten.take().or(ended.err());
            };
            let recorder = Recorder::new(self.rules.plan(), options, write);
            table.play(seeds, game, Draws::InTurn, &mut (&mut watching, recorder))
        } else {
            table.play(seeds, game, Draws::InTurn, &mut watching)
        };
        let (summary, finished) = watching;
        if let Some(error) = unwritten.or(finished.fault) {
            return Err(Fault::unwritten(error));
        }
        played?;
        Ok(Played {
            log,
            finished: finished.spool,
            summary,
        })
    }
}

/// What a game gave: its log and its finished deals as bytes, if they are wanted, and its summary.
struct Played {
    log: Spool,
    finished: Spool,
    summary: Summary,
}

/// What one game writes. If it is long it goes to the disk, so that memory stays flat.
type Spool = SpooledTempFile;

/// A game with more bytes than this goes to the disk.
const SPOOL_BYTES: usize = 1 << 20;

fn spool() -> Spool {
    SpooledTempFile::new(SPOOL_BYTES)
}

/// Where a log goes.
enum Sink {
    Nowhere,
    Output(BufWriter<io::Stdout>),
    File(BufWriter<Target>),
}

impl Sink {
    fn open(log: Option<&Path>) -> Result<Self, Fault> {
        let Some(path) = log else {
            return Ok(Self::Nowhere);
        };
        if path == Path::new("-") {
            return Ok(Self::Output(BufWriter::new(io::stdout())));
        }
        Ok(Self::File(BufWriter::new(Target::create(path)?)))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let written = match self {
            Self::Nowhere => Ok(()),
            Self::Output(writer) => writer.write_all(bytes),
            Self::File(writer) => writer.write_all(bytes),
        };
        written.map_err(Fault::unwritten)
    }

    /// Writes what a game has. Returns how many bytes.
    fn take(&mut self, mut spool: Spool) -> Result<u64, Fault> {
        spool.rewind().map_err(Fault::unwritten)?;
        let copied = match self {
            Self::Nowhere => Ok(0),
            Self::Output(writer) => io::copy(&mut spool, writer),
            Self::File(writer) => io::copy(&mut spool, writer),
        };
        copied.map_err(Fault::unwritten)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        match std::mem::replace(self, Self::Nowhere) {
            Self::Nowhere => Ok(()),
            Self::Output(mut writer) => writer.flush().map_err(Fault::unwritten),
            Self::File(writer) => {
                let target = writer.into_inner();
                let target = target.map_err(|error| Fault::unwritten(error.error()))?;
                target.finish()
            }
        }
    }
}

/// About how many bytes of logs stay in memory before they are written.
const BATCH_BYTES: u64 = 32 << 20;

/// The most games of a batch for each thread. At the end of a batch threads wait for each other.
const MOST_IN_BATCH: u64 = 256;

/// Plays all games. Logs go to the first sink, finished deals to the second.
fn play_all(
    run: &Run,
    tables: &Tables<'_>,
    games: u64,
    sinks: &mut [Sink; 2],
) -> Result<Summary, Fault> {
    let bar = progress::bar(games);
    let mut summary = Summary::default();
    // A batch is played in any order and written in order. If logs are long, a batch is small.
    let threads = rayon::current_num_threads().max(1) as u64;
    let mut batch = threads;
    let mut first = 0;
    while first < games {
        let last = games.min(first.saturating_add(batch));
        let mut written = 0;
        let played: Vec<_> = (first..last)
            .into_par_iter()
            .map(|game| {
                let played = tables.with(|table| run.game(table, game));
                bar.inc(1);
                played
            })
            .collect();
        for game in played {
            let played = match game {
                Ok(played) => played,
                Err(failure) => {
                    // What bots played before is kept.
                    if tables.have_bots() && summary.matches > 0 {
                        sinks.iter_mut().try_for_each(Sink::finish)?;
                    }
                    return Err(failure);
                }
            };
            for (sink, spool) in sinks.iter_mut().zip([played.log, played.finished]) {
                written += sink.take(spool)?;
            }
            summary.merge(&played.summary);
        }
        first = last;
        batch = match written > BATCH_BYTES {
            true => (batch / 2).max(threads),
            false => (2 * batch).min(MOST_IN_BATCH * threads),
        };
    }
    bar.finish_and_clear();
    sinks.iter_mut().try_for_each(Sink::finish)?;
    Ok(summary)
}

fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn mean(sum: i64, count: u64) -> f64 {
    sum as f64 / count.max(1) as f64
}

/// The summary as a table for people.
fn report(run: &Run, summary: &Summary, seconds: f64) -> String {
    let plan = run.rules.plan();
    let mut text = format!(
        "{} – {} games, seed {}\n\n",
        plan.name(),
        summary.matches,
        run.seeds.game
    );
    let mut row = |name: &str, value: String| text.push_str(&format!("{name:<22}{value}\n"));
    let won = summary.won();
    let wins: u64 = summary.wins.iter().sum();
    row("deals", summary.deals.to_string());
    row("won", format!("{won} ({:.1} %)", share(won, summary.deals)));
    row(
        "drawn",
        format!(
            "{} ({:.1} %)",
            summary.draws,
            share(summary.draws, summary.deals)
        ),
    );
    row(
        "self-drawn wins",
        format!(
            "{} ({:.1} %)",
            summary.self_draws,
            share(summary.self_draws, wins)
        ),
    );
    row(
        "points a win",
        format!("{:.1}", mean(summary.winning_points.iter().sum(), wins)),
    );
    row("decisions", summary.decisions.to_string());
    row(
        "a second",
        format!(
            "{:.0} deals, {:.0} decisions",
            summary.deals as f64 / seconds,
            summary.decisions as f64 / seconds
        ),
    );
    text.push_str(
        "\nplayer  agent       wins  first  points a deal   | seat  wins  points a deal\n",
    );
    let per_point = plan.units_per_point() as f64;
    for (i, name) in run.names.iter().enumerate() {
        text.push_str(&format!(
            "{i:<8}{name:<9}{:>7}{:>7}{:>15.2}   | {:<4}{:>6}{:>15.2}\n",
            summary.wins[i],
            summary.ranks[i][0],
            mean(summary.points[i], summary.deals) / per_point,
            paishan::Seat::new(i).map_or(' ', |seat| seat.letter()),
            summary.seat_wins[i],
            mean(summary.seat_points[i], summary.deals) / per_point,
        ));
    }
    let mut patterns: Vec<(u64, &str, &str)> = summary
        .patterns
        .iter()
        .zip(plan.score().patterns())
        .map(|(&count, pattern)| (count, pattern.id.as_str(), pattern.doc.as_str()))
        .filter(|(count, ..)| *count > 0)
        .collect();
    patterns.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    text.push_str("\nmost frequent in winning hands\n");
    for (count, id, doc) in patterns.into_iter().take(15) {
        text.push_str(&format!("{id:<24}{:>6.1} %  {doc}\n", share(count, wins)));
    }
    text
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let mut given = args.rules.clone();
    if let Some(players) = args.players {
        // Rulesets that let you choose have an option for it.
        let mut rules = given.clone();
        rules.options.clear();
        let rules = rules.load()?;
        let plan = rules.plan();
        match plan.options().get("players") {
            Some(_) => given
                .options
                .push(("players".to_owned(), (players as i64).into())),
            None if players == plan.players() => {}
            None => {
                let message = format!("`{}` is for {} players", plan.id(), plan.players());
                return Err(fault(message));
            }
        }
    }
    let rules = given.load()?;
    let plan = rules.plan();
    let is_broken = |invariant: &&Invariant| {
        matches!(
            lint::judge(rules.plan(), invariant),
            Judgement::Refuted { .. }
        )
    };
    for invariant in plan.invariants().iter().filter(is_broken) {
        let _ = writeln!(io::stderr(), "note: {} [{}]", invariant.doc, invariant.src);
    }
    let names = args.bots.names(&args.agents, plan)?;
    if args.notation == "mjai" && args.with_legal {
        return Err(fault(
            "plain mjai has no decisions: --with-legal is for the other notations",
        ));
    }
    let run = Run {
        names,
        notation: notation(&args.notation, plan)?,
        viewer: viewer(&args.view, plan.players())?,
        with_legal: args.with_legal,
        with_log: args.log.is_some(),
        with_finished: args.finished.is_some(),
        seeds: Seeds {
            agents: args.agent_seed.unwrap_or(args.seed.of_agents()),
            game: args.seed,
        },
        rules: rules.clone(),
    };
    let tables = Tables::new(&args.bots, &run.rules, &run.names)?;
    let pool = tables.pool(args.threads)?;
    let uses_output = |file: &Option<PathBuf>| file.as_deref() == Some(Path::new("-"));
    let files = [&args.log, &args.finished, &args.commit];
    let twice = |(i, file): (usize, &&Option<PathBuf>)| {
        file.is_some() && files[..i].iter().any(|other| other == file)
    };
    if files.iter().enumerate().any(twice) {
        return Err(fault(
            "--log, --finished and --commit must be different files",
        ));
    }
    if args.finished.is_some() && plan.pays_within_deals() {
        return Err(fault(format!(
            "--finished is not for `{}`, which pays within deals",
            plan.id()
        )));
    }
    let mut sinks = [
        Sink::open(args.log.as_deref())?,
        Sink::open(args.finished.as_deref())?,
    ];
    if let Some(path) = &args.commit {
        commit(path, &run, args.games)?;
    }
    if args.finished.is_some() {
        let head = finished::head(plan).map_err(|error| error.to_string())?;
        sinks[1].write(&head)?;
    }
    let start = Instant::now();
    let played = pool.install(|| play_all(&run, &tables, args.games, &mut sinks));
    let summary = played?;
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if args.log.is_none() && !uses_output(&args.finished) {
        output::say(&report(&run, &summary, seconds))?;
    }
    let _ = writeln!(
        io::stderr(),
        "{}: {} games, {} deals, {} decisions in {seconds:.2} s",
        plan.id(),
        summary.matches,
        summary.deals,
        summary.decisions
    );
    Ok(())
}

/// Writes the commitments of the games before any game is played.
fn commit(path: &Path, run: &Run, games: u64) -> Result<(), Fault> {
    let mut sink = Sink::open(Some(path))?;
    for game in 0..games {
        let seed = run.seeds.of_game(game).game;
        sink.write(commitments::line(game, seed).as_bytes())?;
    }
    sink.finish()
}
