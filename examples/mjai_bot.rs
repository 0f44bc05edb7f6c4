//! A bot that speaks mjai and discards what it draws. `paishan simulate` lets it play:
//!
//! ```text
//! cargo build --release --example mjai_bot
//! paishan simulate --ruleset riichi-mcgill --games 2 \
//!     --agents drawer,greedy,greedy,greedy --bot drawer=target/release/examples/mjai_bot
//! ```
//!
//! It reads one message a line from standard input and writes one answer a line to standard output.

use paishan::log::mjai::Message;
use std::error::Error;
use std::io::{self, BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut me = 0;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Message::StartGame { id, .. } => {
                me = id.unwrap_or_default();
                Message::None
            }
            Message::Tsumo { actor, pai } if actor == me => Message::Dahai {
                actor,
                pai,
                tsumogiri: Some(true),
            },
            // Like most mjai bots, it does not answer the end of a match but leaves.
            Message::EndGame { .. } => break,
            _ => Message::None,
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        out.flush()?;
    }
    Ok(())
}
