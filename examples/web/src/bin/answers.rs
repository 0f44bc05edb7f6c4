//! Answers requests of the page natively: a line of JSON from standard input for a line on standard output. Tests compare
//! it with the module. With `--time` the last line says how many microseconds the answers took.

use paishan_web::Engine;
use std::io::{self, BufRead, BufWriter, Write};
use std::time::{Duration, Instant};

fn main() -> io::Result<()> {
    let is_timed = std::env::args().any(|argument| argument == "--time");
    let mut engine = Engine::default();
    let mut output = BufWriter::new(io::stdout().lock());
    let mut spent = Duration::ZERO;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let start = Instant::now();
        let answer = engine.answer(line.as_bytes());
        spent += start.elapsed();
        writeln!(output, "{answer}")?;
    }
    if is_timed {
        writeln!(output, "{}", spent.as_micros())?;
    }
    output.flush()
}
