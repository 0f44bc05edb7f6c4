//! Holds many tables of bots in one process and says what a table costs: memory, and processor time a decision. A person
//! at one more table answers at once and measures how late it is told what follows a discard.
//!
//! ```text
//! cargo run --release --example load -- --tables 1000 --seconds 60
//! ```
//!
//! It reads `/proc`, so it needs Linux. It opens no connection.

use clap::Parser;
use paishan_server::client::Client;
use paishan_server::clock::Clock;
use paishan_server::limits::Limits;
use paishan_server::lobby::{Command, Lobby};
use paishan_server::message::{Create, Join, Options};
use paishan_server::rulesets::Rulesets;
use paishan_server::store::Store;
use serde_json::Value;
use std::error::Error;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Bots at many tables.
#[derive(Parser, Debug)]
struct Arguments {
    /// How many tables
    #[arg(long, default_value_t = 1_000)]
    tables: usize,
    /// How long to measure
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The ruleset
    #[arg(long, default_value = "woo")]
    ruleset: String,
    /// Who plays
    #[arg(long, default_value = "greedy")]
    agent: String,
    /// The time after a discard, and before a bot's decision, in milliseconds
    #[arg(long, default_value_t = 500)]
    pace: u64,
    /// Keep matches in memory alone
    #[arg(long)]
    no_database: bool,
}

const HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// What the process has used: resident memory in bytes, and processor time.
fn used() -> Result<(u64, Duration), Box<dyn Error>> {
    let memory = fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = memory.split(' ').nth(1).ok_or("no memory")?.parse()?;
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, after_name) = stat.rsplit_once(')').ok_or("no name")?;
    let ticks = after_name
        .split(' ')
        .skip(12)
        .take(2)
        .map(str::parse::<u64>);
    let ticks: u64 = ticks.collect::<Result<Vec<_>, _>>()?.iter().sum();
    // Linux counts pages of 4096 bytes here and 100 ticks a second on all common machines.
    Ok((pages * 4_096, Duration::from_millis(ticks * 10)))
}

fn create(arguments: &Arguments, sitters: Vec<String>) -> Create {
    Create {
        ruleset: arguments.ruleset.clone(),
        options: Options::new(),
        ruleset_hash: None,
        seats: Some(sitters),
        clock: Clock {
            claim_ms: arguments.pace,
            pace_ms: arguments.pace,
            pause_ms: arguments.pace,
            ..Clock::default()
        },
        listed: false,
    }
}

/// Plays at a table and returns how late each message after a discard came.
async fn probe(
    lobby: Arc<Lobby>,
    room: String,
    claim: Duration,
    until: Instant,
) -> Result<Vec<Duration>, Box<dyn Error + Send + Sync>> {
    let handle = lobby.room(&room).await?;
    let (client, mut outbox) = Client::new(1_000);
    let name = "probe".to_owned();
    let join = Join {
        room,
        name,
        player: None,
        ruleset_hash: None,
        lang: None,
    };
    let own = client.clone();
    handle
        .enter(|reply| Command::Join(own, join, None, reply))
        .await?;
    let (mut late, mut discard) = (Vec::new(), None::<Instant>);
    while Instant::now() < until
        && let Some(text) = outbox.messages.recv().await
    {
        let (now, message): (_, Value) = (Instant::now(), serde_json::from_str(&text)?);
        if message["type"] == "ask" {
            let legal = message["view"]["legal"].as_array();
            let action = legal.and_then(|legal| legal.last()?["action"].as_str());
            let (question, action) = (message["question"].as_u64(), action.unwrap_or("none"));
            let question = u32::try_from(question.unwrap_or(0))?;
            let act = Command::Act(client.clone(), question, action.to_owned(), None);
            handle.tell(act).await?;
        }
        if message["type"] == "update" {
            if let Some(discard) = discard {
                late.push((now - discard).saturating_sub(claim));
            }
            let last = message["events"]
                .as_array()
                .and_then(|events| events.last());
            let is_discard = last.is_some_and(|event| event["type"] == "dahai");
            discard = is_discard.then_some(now);
        }
    }
    late.sort();
    Ok(late)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let folder = tempfile::tempdir()?;
    let store = match arguments.no_database {
        true => Store::none(),
        false => Store::open(&folder.path().join("rooms.sqlite"), 1)?,
    };
    let limits = Limits {
        rooms: usize::MAX,
        rooms_per_address: usize::MAX,
        ..Limits::default()
    };
    let lobby = Lobby::new(limits, Rulesets::default(), store);
    let rules = paishan::Rules::by_id(&arguments.ruleset)?;
    let bots = vec![arguments.agent.clone(); rules.plan().players()];
    let mut one_person = bots.clone();
    one_person[0] = "human".to_owned();
    let (room, _) = lobby.create(create(&arguments, one_person), HOST).await?;
    // Tables of the rules and of the agent are made once, by the first of them.
    lobby.create(create(&arguments, bots.clone()), HOST).await?;
    sleep(Duration::from_secs(2)).await;
    let (before, _) = used()?;
    for number in 0..arguments.tables {
        lobby.create(create(&arguments, bots.clone()), HOST).await?;
        // Tables begin at different moments, as people do.
        if number % 10 == 9 {
            sleep(Duration::from_millis(10)).await;
        }
    }
    let (start, seconds) = (Instant::now(), Duration::from_secs(arguments.seconds));
    let claim = Duration::from_millis(arguments.pace);
    let late = tokio::spawn(probe(Arc::clone(&lobby), room, claim, start + seconds));
    let ((_, at_start), decided) = (used()?, lobby.decisions());
    sleep(seconds).await;
    let ((memory, at_end), decisions) = (used()?, lobby.decisions() - decided);
    let time = (at_end - at_start).as_secs_f64();
    println!(
        "{} tables of {} in {}",
        arguments.tables, arguments.agent, arguments.ruleset
    );
    let table = memory.saturating_sub(before) as f64 / arguments.tables as f64 / 1024.0;
    println!(
        "memory: {table:.1} KiB a table, {} MiB in all",
        memory >> 20
    );
    let rate = decisions as f64 / seconds.as_secs_f64();
    let cost = time * 1e6 / decisions as f64;
    println!("decisions: {decisions}, {rate:.0} a second, {cost:.0} µs of processor time each");
    let share = time / seconds.as_secs_f64();
    println!(
        "processors: {share:.2} of {}",
        std::thread::available_parallelism()?
    );
    println!("tables left: {}", lobby.len());
    let late = late.await?.map_err(|error| error.to_string())?;
    if let (Some(middle), Some(most)) = (late.get(late.len() / 2), late.last()) {
        println!(
            "late after a discard: median {middle:.1?}, at most {most:.1?}, of {}",
            late.len()
        );
    }
    Ok(())
}
