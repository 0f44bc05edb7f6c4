//! The JSON Lines interface. It reads one request a line from standard input and writes one answer a line to
//! standard output, in order.
//!
//! ```text
//! echo '{"id": "1", "type": "distance", "ruleset": "woo", "hand": "1112345678999s"}' | paishan jsonl
//! ```

use crate::input::{self, LineRead};
use crate::output::Fault;
use paishan::protocol::{Answer, Responder, bad_json};
use std::io::{self, BufReader, BufWriter, Write};

/// The longest line that is read as a request. The answer to a longer one is an error.
const LONGEST: usize = 1 << 20;

fn answer(responder: &mut Responder, line: &[u8]) -> Answer {
    match serde_json::from_slice(line) {
        Ok(request) => responder.answer(&request),
        Err(error) => bad_json(&error.to_string()),
    }
}

pub fn run() -> Result<(), Fault> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut responder = Responder::new();
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
