//! Scores one hand under several rulesets, side by side.
//!
//! ```text
//! cargo run --release --example compare -- 123s456s789sEECC C
//! cargo run --release --example compare -- --in uzje --in my.toml --seat S --from E 222s333s444s55m66m 6m
//! ```

#[path = "common/output.rs"]
mod output;
#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use paishan::protocol::{
    Asked, Body, PlayerAsked, Responder, ScoreAnswer, TallyAnswer, Value, WinAsked,
};
use paishan::ruleset::{self, Source};
use std::path::Path;
use std::process::ExitCode;

/// Scores one hand under several rulesets, side by side.
#[derive(Parser)]
#[command(version, about, after_help = output::STATUS)]
struct Args {
    /// Concealed tiles without the winning tile, such as `123s456s789sEECC`.
    hand: String,
    /// The winning tile.
    tile: String,
    /// A ruleset to score under, by id or as a file; may be repeated. All that are built in, for none.
    #[arg(long = "in", value_name = "ID or FILE")]
    rulesets: Vec<String>,
    /// The seat: E, S, W, N.
    #[arg(long, default_value = "S")]
    seat: String,
    /// The wind of the round.
    #[arg(long, default_value = "E")]
    round: String,
    /// The seat whose discard it was; drawn from the wall, for none.
    #[arg(long)]
    from: Option<String>,
    /// A declared meld: tiles, `closed:` before them for a concealed one; may be repeated.
    #[arg(long = "meld", value_name = "[closed:]TILES")]
    melds: Vec<String>,
    /// Flowers laid down.
    #[arg(long, default_value = "")]
    flowers: String,
}

impl Args {
    fn sources(&self) -> Result<Vec<(String, Source)>, String> {
        if self.rulesets.is_empty() {
            let built_in = |id: &str| (id.to_owned(), Source::BuiltIn(id.to_owned()));
            return Ok(ruleset::ids().map(built_in).collect());
        }
        let named = |name: &String| match ruleset::ids().any(|id| id == name) {
            true => Ok((name.clone(), Source::BuiltIn(name.clone()))),
            false => Ok((name.clone(), rules::read(Path::new(name))?)),
        };
        self.rulesets.iter().map(named).collect()
    }

    fn request(&self, source: &Source) -> Value {
        let meld = |meld: &String| match meld.strip_prefix("closed:") {
            Some(tiles) => (false, tiles.to_owned()),
            None => (true, meld.clone()),
        };
        let player = PlayerAsked {
            seat: self.seat.clone(),
            hand: self.hand.clone(),
            melds: self.melds.iter().map(meld).collect(),
            flowers: self.flowers.clone(),
            ..PlayerAsked::default()
        };
        let win = WinAsked {
            tile: self.tile.clone(),
            from: self.from.clone(),
            ..WinAsked::default()
        };
        let asked = Asked {
            round: self.round.clone(),
            players: vec![player],
            win: Some(win),
            ..Asked::of(source.clone())
        };
        asked.score()
    }
}

/// How the points came about, in a few words.
fn tally(score: &ScoreAnswer) -> String {
    match &score.tally {
        TallyAnswer::Doubles {
            base,
            doubles,
            bonus,
            limit,
            ..
        } => {
            let bonus = if *bonus > 0 {
                format!(" + {bonus}")
            } else {
                String::new()
            };
            let limit = if *limit { ", the limit" } else { "" };
            format!("{base} doubled {doubles} times{bonus}{limit}")
        }
        TallyAnswer::HanFu {
            limits: limits @ 1..,
            ..
        } => format!("{limits} limits"),
        TallyAnswer::HanFu { han, fu, name, .. } => {
            let name = name.as_ref().map(|name| format!(", {name}"));
            format!("{han} han {fu} fu{}", name.unwrap_or_default())
        }
        TallyAnswer::Fan { fan, limits: 0 } => format!("{fan} fan"),
        TallyAnswer::Fan { fan, limits } => format!("{fan} fan, {limits} limits"),
        _ => String::new(),
    }
}

/// Patterns, each once and how often.
fn patterns(score: &ScoreAnswer) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for pattern in &score.patterns {
        match counted.iter_mut().find(|(id, _)| *id == pattern.id) {
            Some((_, times)) => *times += 1,
            None => counted.push((&pattern.id, 1)),
        }
    }
    let named = counted.into_iter().map(|(id, times)| match times {
        1 => id.to_owned(),
        _ => format!("{times} × {id}"),
    });
    named.collect::<Vec<_>>().join(", ")
}

fn run(args: &Args) -> Result<String, String> {
    let sources = args.sources()?;
    let width = sources
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut responder = Responder::new();
    let mut out = String::new();
    for (name, source) in &sources {
        let line = match responder.answer(&args.request(source)).body {
            Body::Score(score) => {
                let read = score.arrangement.join(" ");
                format!(
                    "{:>7}  {}: {}  [{read}]",
                    score.points,
                    tally(&score),
                    patterns(&score)
                )
            }
            Body::Error {
                error,
                score: Some(score),
            } => {
                format!(
                    "{:>7}  {} ({}): {}",
                    "–",
                    error.message,
                    tally(&score),
                    patterns(&score)
                )
            }
            Body::Error { error, .. } => format!("{:>7}  {}", "–", error.message),
            _ => continue,
        };
        out.push_str(&format!("{name:<width$}  {line}\n"));
    }
    Ok(out)
}

fn main() -> ExitCode {
    output::end_with("compare", run(&Args::parse()))
}
