//! The JSON Lines interface. It reads one request a line from standard input and writes one answer a line to
//! standard output, in order.
//!
//! ```text
//! echo '{"id": "1", "type": "distance", "ruleset": "woo", "hand": "1112345678999s"}' | paishan jsonl
//! echo '{"type": "new", "ruleset": "uzje"}' | paishan jsonl
//! ```

use crate::input::{self, LineRead};
use crate::output::Fault;
use crate::{rules, secret};
use paishan::Seed;
use paishan::protocol::{Answer, Responder, bad_json};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;

/// Answers requests of the JSON Lines interface: scores, distances, whole tables to play at.
#[derive(clap::Args)]
pub struct Args {
    /// A ruleset file that requests may name by its id; may be repeated.
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// Gives the tables their walls. Without it the walls are secret.
    #[arg(long)]
    seed: Option<Seed>,
}

/// The longest line that is read as a request. The answer to a longer one is an error.
const LONGEST: usize = 1 << 20;

fn answer(responder: &mut Responder, line: &[u8]) -> Answer {
    match serde_json::from_slice(line) {
        Ok(request) => responder.answer(&request),
        Err(error) => bad_json(&error.to_string()),
    }
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let seed = args.seed.map_or_else(secret::seed, Ok)?;
    let mut responder = Responder::with_seed(seed);
    for path in &args.rules {
        let registered = responder.register(rules::read(path)?);
        registered.map_err(|error| error.message)?;
    }
    let mut line = Vec::new();
    loop {
        let read = input::read_line(&mut input, &mut line, LONGEST);
        let told = match read.map_err(|error| error.to_string())? {
            LineRead::Line => answer(&mut responder, &line),
            LineRead::TooLong => bad_json(&format!("a line of more than {LONGEST} bytes")),
            LineRead::End => break,
        };
        serde_json::to_writer(&mut output, &told).map_err(Fault::unwritten)?;
        output.write_all(b"\n").map_err(Fault::unwritten)?;
        // A client may wait for the answer before it asks again.
        if input.buffer().is_empty() {
            output.flush().map_err(Fault::unwritten)?;
        }
    }
    output.flush().map_err(Fault::unwritten)
}
