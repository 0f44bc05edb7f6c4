//! paishan beside its peers: the same hands and games in one process, in turns.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml
//! ```
//!
//! Every answer that two programs give is compared first; a row is the medians of the rounds: nanoseconds a hand
//! or a round of play, and how many times as long the peer takes.

mod games;
mod hands;

use std::time::{Duration, Instant};

/// Rounds of measuring; each program has its turn in each.
const ROUNDS: usize = 31;
/// A turn takes at least so long: short work is done again and again, so that fetching what the others have pushed
/// out of the caches counts little.
const TURN: Duration = Duration::from_millis(1);

/// A program's way to do some work on everything at once; what it returns keeps the work alive.
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

/// Nanoseconds of doing some work once, of a turn.
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

/// Times programs in turns and prints the medians of their times, and of how many times as long as ours they
/// took in a round: on a machine that is now faster and now slower, a round is one of both. The first program is
/// ours; `count` is what one run does.
pub fn compare(what: &str, count: usize, mut works: Vec<Work<'_>>) {
    // One round more warms up.
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
    println!("| work | paishan, ns | peers: ns (times ours) |");
    println!("| --- | --- | --- |");
    hands::all();
    games::all();
}
