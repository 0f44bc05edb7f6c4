//! The play-test of `paishan playtest` on many machines: each rank of an MPI job plays a part of the games, the first one
//! puts the parts together and writes the report.
//!
//! ```text
//! mpirun -n 4 target/release/paishan-cluster --rules my.toml --games 1000000 --report out/
//! ```
//!
//! `summary.json` is the same, byte for byte, as that of one process. Each rank keeps what it has done in
//! `part-I-of-N` in the folder of the report: a job that was cut off goes on there when it is started
//! again with as many ranks.

#![allow(dead_code, reason = "of the files of `paishan` it uses a part")]

#[path = "../../cli/src/agents.rs"]
mod agents;
#[path = "../../cli/src/playtest/analysis.rs"]
mod analysis;
#[path = "../../cli/src/input.rs"]
mod input;
#[path = "../../cli/src/playtest/job.rs"]
mod job;
#[path = "../../cli/src/playtest/named.rs"]
mod named;
#[path = "../../cli/src/output.rs"]
mod output;
#[path = "../../cli/src/playtest/plots.rs"]
mod plots;
#[path = "../../cli/src/progress.rs"]
mod progress;
#[path = "../../cli/src/playtest/report.rs"]
mod report;
#[path = "../../cli/src/rules.rs"]
mod rules;

use clap::Parser;
use job::{Identity, Job, Record};
use mpi::datatype::PartitionMut;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Root};
use mpi::{Count, Threading};
use output::Fault;
use paishan::Rules;
use rules::RulesArgs;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Plays a ruleset many times on many machines and reports what its patterns and seats are worth.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Games to play. By default 10,000, or 2,000 where runs are other than three ranks in a row, because agents
    /// decide slower there.
    #[arg(long)]
    games: Option<u64>,
    /// Where all chance comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One agent for all players, or one a player: random, first, greedy, value. All but `value` ignore what a hand
    /// is worth.
    #[arg(long, default_value = job::AGENTS)]
    agents: String,
    /// Threads of each rank; as many as its machine has cores, for 0.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// The folder for the report.
    #[arg(long, value_name = "FOLDER", default_value = "playtest")]
    report: PathBuf,
    /// Proposes values for provisional patterns that fit their rarity.
    #[arg(long)]
    suggest: bool,
}

/// The texts of all ranks, at the first rank.
fn gathered(world: &SimpleCommunicator, text: &str) -> Result<Vec<String>, String> {
    let first = world.process_at_rank(0);
    let length = Count::try_from(text.len()).map_err(|_| "a part is too long to be sent")?;
    if world.rank() != 0 {
        first.gather_into(&length);
        first.gather_varcount_into(text.as_bytes());
        return Ok(Vec::new());
    }
    let mut lengths = vec![0; world.size() as usize];
    first.gather_into_root(&length, &mut lengths);
    let mut starts = Vec::with_capacity(lengths.len());
    let mut end: Count = 0;
    for length in &lengths {
        starts.push(end);
        end = end
            .checked_add(*length)
            .ok_or("the parts are too long to be sent")?;
    }
    let mut bytes = vec![0_u8; end as usize];
    {
        let mut parts = PartitionMut::new(&mut bytes[..], &lengths[..], &starts[..]);
        first.gather_varcount_into_root(text.as_bytes(), &mut parts);
    }
    let part = |(start, length): (&Count, &Count)| {
        let part = &bytes[*start as usize..(start + length) as usize];
        String::from_utf8(part.to_vec()).map_err(|error| error.to_string())
    };
    starts.iter().zip(&lengths).map(part).collect()
}

fn run(world: &SimpleCommunicator, args: &Args) -> Result<(), Fault> {
    let (rank, ranks) = (world.rank() as u64, world.size() as u64);
    let rules: Rules = args.rules.load()?;
    let identity = Identity::new(&rules, &args.agents, args.seed, args.games)?;
    let folder = args.report.join(format!("part-{rank}-of-{ranks}"));
    let job = Job {
        rules: rules.clone(),
        identity,
        shard: (rank, ranks),
        threads: usize::from(args.threads),
        folder: folder.clone(),
    };
    let (part, lock) = job.play()?;
    let part = part.text(rules.plan())?;
    let parts = gathered(world, &part)?;
    if rank == 0 {
        let _lock = job::lock(&args.report)?;
        let parts = parts.iter().map(|text| Record::of_text(text));
        let record = Record::joined(parts.collect::<Result<_, _>>()?)?;
        let analysis = analysis::Analysis::new(rules.plan(), &record);
        report::write(&args.report, rules.plan(), &record, &analysis, args.suggest)?;
        let short = report::short(rules.plan(), &record, &analysis, args.suggest);
        output::say(&short)?;
    }
    // What a rank has kept is of use until the report is there.
    world.barrier();
    job::finished(&folder);
    // The name goes while the lock is held: no other process can lock a file that is gone.
    let _ = fs::remove_file(folder.join(".lock"));
    drop(lock);
    let _ = fs::remove_dir(&folder);
    Ok(())
}

fn main() -> ExitCode {
    // Games are played in threads; messages are sent by the first one alone.
    let started = mpi::initialize_with_threading(Threading::Funneled);
    let Some((universe, _)) = started.filter(|(_, level)| *level >= Threading::Funneled) else {
        let _ = writeln!(
            io::stderr(),
            "cluster: MPI cannot be started beside other threads"
        );
        return ExitCode::FAILURE;
    };
    let world = universe.world();
    // Of arguments that are wrong one rank tells for all.
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            if world.rank() == 0 {
                let _ = error.print();
            }
            drop(universe);
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    match run(&world, &args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            let _ = writeln!(io::stderr(), "cluster: rank {}: {fault}", world.rank());
            // The others would wait for this one.
            world.abort(i32::from(fault.status()))
        }
    }
}
