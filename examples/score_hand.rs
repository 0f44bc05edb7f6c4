//! Scores a hand and says in words what it is worth.
//!
//! ```text
//! cargo run --release --example score_hand
//! ```

use paishan::draw::{Row, text};
use paishan::{Hand, Notation, Request, Rules, Seat, Tile};
use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::by_id("woo")?;
    // Concealed tiles, an open pung after `+`, flowers after `/`.
    let hand: Hand = "234567s55s67s+CCC/hi".parse()?;
    let tile: Tile = "8s".parse()?;
    let request = Request::won(&hand, tile).seat(Seat::NORTH).off(Seat::WEST);
    let words = rules.explain(&request, Notation::Ujmj)?;

    let mut out = io::stdout().lock();
    writeln!(out, "{}", text::row(&Row::of_hand(&hand, Some(tile))))?;
    write!(out, "{words}")?;
    Ok(())
}
