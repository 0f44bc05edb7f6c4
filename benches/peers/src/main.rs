//! paishan beside its peers: the same hands and games in one process, in turns.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml
//! ```
//!
//! Every answer that two programs give is compared first; a row is the median of the rounds, in
//! nanoseconds a hand or a round of play, and how many times as long the peer takes.

mod games;
mod hands;

use std::time::Instant;

/// Rounds of measuring; each program has its turn in each.
const ROUNDS: usize = 7;

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

/// Times programs in turns and prints their medians; the first is ours. `count` is what one run does.
pub fn compare(what: &str, count: usize, mut works: Vec<Work<'_>>) {
    let mut times = vec![Vec::new(); works.len()];
    for round in 0..=ROUNDS {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let start = Instant::now();
            std::hint::black_box((work.run)());
            // The first round warms up.
            if round > 0 {
                times.push(start.elapsed().as_nanos() as f64 / count as f64);
            }
        }
    }
    let medians: Vec<f64> = times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .collect();
    print!("| {what} |");
    for (i, (work, median)) in works.iter().zip(&medians).enumerate() {
        match i {
            0 => print!(" {median:.1} |"),
            _ => print!(" {} {median:.1} ({:.2} ×) |", work.name, median / medians[0]),
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
