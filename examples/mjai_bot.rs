//! A tiny bot that speaks mjai. It discards what it draws. `simulate` lets it play:
//!
//! ```text
//! cargo build --release --examples
//! cargo run --release --example simulate -- --ruleset riichi-mcgill --games 2 \
//!     --agents mjai,greedy,greedy,greedy --mjai target/release/examples/mjai_bot
//! ```
//!
//! It reads one message a line from standard input and writes one answer a line to standard output. With a tile
//! as its argument it always discards that tile, whether it holds it or not. This shows what `simulate` does with
//! a bot that plays illegally.

#[path = "common/input.rs"]
mod input;

use paishan::log::mjai::Message;
use std::io::{self, Write};
use std::process::ExitCode;

/// What the bot knows.
struct Bot {
    id: usize,
    stubborn: Option<String>,
}

impl Bot {
    fn answer(&mut self, message: &Message) -> Message {
        match message {
            Message::StartGame { id, .. } => {
                self.id = id.unwrap_or_default();
                Message::None
            }
            Message::Tsumo { actor, pai } if *actor == self.id => Message::Dahai {
                actor: self.id,
                pai: self.stubborn.clone().unwrap_or_else(|| pai.clone()),
                tsumogiri: self.stubborn.is_none(),
            },
            _ => Message::None,
        }
    }
}

fn main() -> ExitCode {
    let mut bot = Bot {
        id: 0,
        stubborn: std::env::args().nth(1),
    };
    let mut out = io::stdout().lock();
    for (_, line) in input::lines(io::stdin().lock()) {
        let answer = line.map_err(io::Error::other).and_then(|line| {
            let message = serde_json::from_str(&line).map_err(io::Error::other)?;
            if let Message::EndGame { .. } = message {
                // Like most mjai bots, it does not answer the end of a game but leaves.
                return Ok(false);
            }
            let answer = serde_json::to_string(&bot.answer(&message)).map_err(io::Error::other)?;
            writeln!(out, "{answer}").and_then(|()| out.flush())?;
            Ok(true)
        });
        match answer {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let _ = writeln!(io::stderr(), "mjai_bot: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
