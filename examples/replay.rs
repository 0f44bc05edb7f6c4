//! Plays recorded games again and says where a log disagrees with the rules.
//!
//! ```text
//! cargo run --release --example replay -- games.jsonl
//! cargo run --release --example replay -- --from-seed games.jsonl
//! ```

use clap::Parser;
use paishan::agent::{self, Agent};
use paishan::game::Observer;
use paishan::log::{Line, LogOptions, LogView, Recorder, ReplayError, replay};
use paishan::ruleset;
use paishan::simulate::play;
use paishan::{Notation, Player};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Replays logs of games and compares every line.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// Plays each game again from its seed with the named agents, and compares the lines as text.
    #[arg(long)]
    from_seed: bool,
    /// The logs; `-` for standard input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
}

/// The lines of one game, as text and read, and the number of the first.
struct Game {
    first: usize,
    texts: Vec<String>,
    lines: Vec<Line>,
}

/// What is wrong, and in which line of the file.
struct Fault {
    line: usize,
    message: String,
}

fn show(line: &Line) -> String {
    serde_json::to_string(line).unwrap_or_else(|error| error.to_string())
}

/// A long line cut to what fits a message.
fn cut(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

impl Game {
    fn check(&self, from_seed: bool) -> Result<String, Fault> {
        if from_seed {
            self.check_seed()
        } else {
            self.check_rules()
        }
    }

    fn check_rules(&self) -> Result<String, Fault> {
        let done = replay(&self.lines, ruleset::by_id).map_err(|error| {
            let message = match &error {
                ReplayError::Differs {
                    expected, found, ..
                } => format!(
                    "expected {}\n    found    {}",
                    cut(&show(expected)),
                    cut(&show(found))
                ),
                error => error.to_string(),
            };
            Fault {
                line: self.first + error.line(),
                message,
            }
        })?;
        let decided = |line: &&Line| matches!(line, Line::Decision { .. });
        let events = done.lines - self.lines.iter().filter(decided).count();
        let scope = if done.complete {
            ""
        } else {
            " (as far as tiles are known)"
        };
        Ok(format!(
            "game {}: ok, {} hands, {events} events{scope}",
            done.game, done.hands
        ))
    }

    fn check_seed(&self) -> Result<String, Fault> {
        let fault = |message: String| Fault {
            line: self.first,
            message,
        };
        let Some(Line::StartGame {
            names,
            ruleset,
            options,
            notation,
            view,
            game,
            game_seed,
            engine,
            ..
        }) = self.lines.first()
        else {
            return Err(fault("a game begins with start_game".to_owned()));
        };
        let Some(seed) = *game_seed else {
            return Err(fault(
                "a log without game_seed cannot be played again".to_owned(),
            ));
        };
        let rules =
            ruleset::by_id(ruleset, &options.0).map_err(|error| fault(error.to_string()))?;
        let agents: Option<Vec<Box<dyn Agent>>> = names
            .iter()
            .map(|name| agent::by_name(name, rules.plan()))
            .collect();
        let Some(mut agents) = agents else {
            return Err(fault(format!("unknown agents among {names:?}")));
        };
        let options = LogOptions {
            names: names.clone(),
            notation: Notation::by_name(notation)
                .ok_or_else(|| fault(format!("unknown notation `{notation}`")))?,
            viewer: match view {
                LogView::All => None,
                LogView::Player(player) => Player::new(*player),
            },
            with_legal: self
                .lines
                .iter()
                .any(|line| matches!(line, Line::Decision { .. })),
            game: *game,
        };
        let mut at = 0;
        let mut differs: Option<Fault> = None;
        let stop = Cell::new(false);
        let compare = |mut line: Line| {
            if let Line::StartGame { engine: made, .. } = &mut line {
                // Another version may have written the log.
                made.clone_from(engine);
            }
            let want = show(&line);
            let found = self
                .texts
                .get(at)
                .map_or("the end of the game", String::as_str);
            if differs.is_none() && want != found {
                stop.set(true);
                differs = Some(Fault {
                    line: self.first + at,
                    message: format!("expected {}\n    found    {}", cut(&want), cut(found)),
                });
            }
            at += 1;
        };
        let recorder = Recorder::new(rules.plan(), options, compare);
        let series = play(&*rules, &mut agents, seed, &mut (recorder, Stop(&stop)))
            .map_err(|error| fault(error.to_string()))?;
        if let Some(differs) = differs {
            return Err(differs);
        }
        if at < self.texts.len() {
            return Err(Fault {
                line: self.first + at,
                message: "the game is over".to_owned(),
            });
        }
        Ok(format!(
            "game {game}: ok, {} hands, {at} lines from its seed",
            series.hand()
        ))
    }
}

/// Ends a match once something else has seen enough.
struct Stop<'a>(&'a Cell<bool>);

impl Observer for Stop<'_> {
    fn wants_more(&self) -> bool {
        !self.0.get()
    }
}

/// Splits a log into games and checks each; returns games and failures.
fn check_log(name: &str, input: impl BufRead, from_seed: bool) -> io::Result<(usize, usize)> {
    let mut out = io::stdout().lock();
    let (mut games, mut failed) = (0, 0);
    let mut game: Option<Game> = None;
    let mut finish = |game: Game, out: &mut dyn Write| -> io::Result<()> {
        games += 1;
        match game.check(from_seed) {
            Ok(report) => writeln!(out, "{report}"),
            Err(fault) => {
                failed += 1;
                writeln!(out, "{name}:{}: {}", fault.line, fault.message)
            }
        }
    };
    let mut broken = 0;
    for (i, bytes) in input.split(b'\n').enumerate() {
        let (number, bytes) = (i + 1, bytes?);
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let line: Line = match serde_json::from_slice(&bytes) {
            Ok(line) => line,
            Err(error) => {
                // What follows cannot be placed any more.
                writeln!(out, "{name}:{number}: no line of a log: {error}")?;
                broken += 1;
                game = None;
                break;
            }
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if matches!(line, Line::StartGame { .. }) {
            if let Some(game) = game.take() {
                finish(game, &mut out)?;
            }
            game = Some(Game {
                first: number,
                texts: Vec::new(),
                lines: Vec::new(),
            });
        }
        let Some(open) = &mut game else {
            writeln!(out, "{name}:{number}: a line outside a game")?;
            broken += 1;
            break;
        };
        let last = matches!(line, Line::EndGame { .. });
        open.texts.push(text);
        open.lines.push(line);
        if last {
            if let Some(game) = game.take() {
                finish(game, &mut out)?;
            }
        }
    }
    if let Some(game) = game.take() {
        finish(game, &mut out)?;
    }
    if games + broken == 0 {
        writeln!(out, "{name}: no game")?;
        broken += 1;
    }
    Ok((games, failed + broken))
}

fn main() -> ExitCode {
    let args = Args::parse();
    let (mut games, mut failed) = (0, 0);
    for path in &args.logs {
        let name = path.display().to_string();
        let checked = if name == "-" {
            check_log("-", io::stdin().lock(), args.from_seed)
        } else {
            File::open(path).and_then(|file| check_log(&name, BufReader::new(file), args.from_seed))
        };
        match checked {
            Ok((all, bad)) => {
                games += all;
                failed += bad;
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "replay: {name}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let _ = writeln!(io::stderr(), "{games} games, {failed} failures");
    if failed > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
