//! The JSON Lines interface: one request a line on standard input, one answer a line on standard
//! output, in order.
//!
//! ```text
//! echo '{"id": "1", "type": "distance", "ruleset": "woo", "hand": "1112345678999s"}' \
//!     | cargo run --release --example jsonl
//! ```

use paishan::protocol::{Answer, Responder, bad_json};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

/// The longest line that is read as a request; a longer one is answered with an error.
const LONGEST: usize = 1 << 20;

fn answer(responder: &mut Responder, line: &[u8]) -> Answer {
    if line.len() > LONGEST {
        return bad_json(&format!("a line of more than {LONGEST} bytes"));
    }
    match serde_json::from_slice(line) {
        Ok(request) => responder.answer(&request),
        Err(error) => bad_json(&error.to_string()),
    }
}

/// Reads a line of any bytes without its end, keeping at most one byte more than [`LONGEST`].
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

fn run() -> io::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut responder = Responder::new();
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        serde_json::to_writer(&mut output, &answer(&mut responder, &line))?;
        output.write_all(b"\n")?;
        // Somebody may wait for the answer before he asks again.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the answers has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "jsonl: {error}");
            ExitCode::FAILURE
        }
    }
}
