//! Scores a hand and says in words what it is worth.
//!
//! ```text
//! cargo run --release --example score_hand
//! ```

use paishan::draw::{Row, text};
use paishan::score::ScoreInput;
use paishan::state::Win;
use paishan::{Hand, Notation, Seat, Tile, Wind, ruleset};
use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = ruleset::by_id("woo", &[])?;
    // Concealed tiles, an open pung after `+`, flowers after `/`.
    let hand: Hand = "234567s55s67s+CCC/hi".parse()?;
    let tile: Tile = "8s".parse()?;
    let win = Win::off(tile, Seat::WEST);
    let score = rules.score(&ScoreInput::new(&hand, Seat::NORTH, Wind::East, Some(&win)))?;

    let mut out = io::stdout().lock();
    writeln!(out, "{}", text::row(&Row::of_hand(&hand, Some(tile))))?;
    let groups = score.print_groups(Notation::Ujmj).join(" ");
    writeln!(out, "read as {groups}")?;
    let worth = &rules.plan().score;
    for counted in worth.told(&score) {
        let pattern = counted.pattern;
        let value = worth.in_words(pattern.value);
        let times = counted.times;
        writeln!(
            out,
            "{:<20}{times} × {value:<11}{}",
            pattern.id, pattern.doc
        )?;
    }
    writeln!(out, "{} points", score.points)?;
    Ok(())
}
