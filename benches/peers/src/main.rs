//! Measures paishan beside its peers: the same hands and games in one process, in turns.
//!
//! ```text
//! cargo run --locked --release --manifest-path benches/peers/Cargo.toml
//! ```
//!
//! With `-- sanma [GAMES]` it plays games for three beside `riichienv-core` and compares every decision instead,
//! and with `-- wins [HANDS]` the scores of hands that won in games.
//!
//! Every answer that two programs give is compared first. A row has medians over the rounds: nanoseconds for a
//! hand or a round of play, and how many times as long the peer takes.

mod games;
mod hands;
mod play;
mod sanma;
mod wins;

use std::time::{Duration, Instant};

/// Rounds of measuring. Each program has one turn in each round.
const ROUNDS: usize = 31;
/// A turn takes at least this long. Short work is repeated, so that refilling the caches after the other programs
/// counts little.
const TURN: Duration = Duration::from_millis(1);

/// How a program does some work on all hands or games. The compiler keeps the work because its result is used.
pub struct Work<'a> {
    name: &'static str,
    run: Box<dyn FnMut() -> u64 + 'a>,
}

impl<'a> Work<'a> {
    pub fn new(name: &'static str, run: impl FnMut() -> u64 + 'a) -> Self {
        Self {
            name,
            run: Box::new(run),
        }
    }
}

/// Measures one turn. Returns the nanoseconds for doing the work once.
fn turn(work: &mut Work<'_>) -> f64 {
    let (start, mut times) = (Instant::now(), 0);
    loop {
        std::hint::black_box((work.run)());
        times += 1;
        let time = start.elapsed();
        if time >= TURN {
            return time.as_nanos() as f64 / f64::from(times);
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Times programs in turns. Prints the medians of their times and of their ratios to ours. Ratios are taken within
/// a round, because the machine's speed changes between rounds. The first program is ours. `count` is how many
/// hands or games one run does.
pub fn compare(what: &str, count: usize, mut works: Vec<Work<'_>>) {
    // The first round is extra and warms up.
    let rounds: Vec<Vec<f64>> = (0..=ROUNDS)
        .map(|_| works.iter_mut().map(turn).collect())
        .skip(1)
        .collect();
    print!("| {what} |");
    for (i, work) in works.iter().enumerate() {
        let time = median(rounds.iter().map(|times| times[i]).collect()) / count as f64;
        let ratio = median(rounds.iter().map(|times| times[i] / times[0]).collect());
        match i {
            0 => print!(" {time:.1} |"),
            _ if ratio < 0.1 => print!(" {} {time:.1} ({ratio:.3} ×) |", work.name),
            _ => print!(" {} {time:.1} ({ratio:.2} ×) |", work.name),
        }
    }
    println!();
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = args.get(1).and_then(|number| number.parse().ok());
    match args.first().map(String::as_str) {
        Some("sanma") => return sanma::all(number.unwrap_or(2000)),
        Some("wins") => return wins::all(number.unwrap_or(100_000)),
        _ => {}
    }
    println!("| work | paishan, ns | peers: ns (times ours) |");
    println!("| --- | --- | --- |");
    hands::all();
    play::all();
    games::all();
}
