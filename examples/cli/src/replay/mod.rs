//! Plays recorded games again and says where a log disagrees with the rules.
//!
//! ```text
//! paishan replay games.jsonl
//! paishan replay --from-seed games.jsonl
//! paishan replay --explain games.jsonl
//! paishan replay --html game.html --game 3 games.jsonl
//! paishan replay --tenhou game.json elsewhere.mjson
//! paishan replay --ruleset riichi-tenhou --option rounds=1 elsewhere.mjson record.mjlog
//! ```
//!
//! Plain mjai and Tenhou's records do not name their ruleset and do not have the wall. So you name the rules here.
//! A record says some of them itself. The wall is laid as the log tells.

mod elsewhere;
mod ours;

use crate::commitments::{self, Commitments};
use crate::rules::{LangArgs, RulesArgs};
use crate::wins::Wins;
use crate::{input, output};
use elsewhere::Elsewhere;
use ours::Game;
use paishan::draw::DiscardLayout;
use paishan::log::mjai::Message;
use paishan::log::tenhou::TenhouLog;
use paishan::log::{Line, LogOptions, Recorder, ReplayError, ReplayPage, tenhou};
use paishan::ruleset::{LoadError, OptionValue, Source};
use paishan::{Lang, Notation, Rules};
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// How a text may begin, and how a packed file begins.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const GZIP: &[u8] = b"\x1f\x8b";

/// Replays logs of games and compares every line.
///
/// Logs that name no ruleset are played by `--ruleset` or `--rules`. Without these the ruleset is riichi-mcgill for mjai,
/// riichi-tenhou for records of Tenhou with four players, and riichi-sanma for those with three.
#[derive(clap::Args)]
pub struct Args {
    /// Plays each game again from its seed with the named agents, and compares the lines as text.
    #[arg(long)]
    from_seed: bool,
    /// Checks that each game was played from the seed to which its server had committed itself before: a line a
    /// game, its number and the SHA-256 of the seed's 64 hexadecimal digits.
    #[arg(long, value_name = "FILE", conflicts_with = "from_seed")]
    commitments: Option<PathBuf>,
    /// Explains every win: what its hand is worth, and why.
    #[arg(long)]
    explain: bool,
    /// Writes a page to step through a game here: one file that loads nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "from_seed")]
    html: Option<PathBuf>,
    /// Writes a game as JSON of Tenhou (tenhou.net/6) here.
    #[arg(long, value_name = "FILE", conflicts_with = "from_seed")]
    tenhou: Option<PathBuf>,
    /// Which game of the logs `--html` and `--tenhou` write, counted from 1.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// Draws all discards of the page as one pile, sorted and stacked two high, in place of rivers.
    #[arg(long, requires = "html")]
    sorted_pile: bool,
    #[command(flatten)]
    names: LangArgs,
    #[command(flatten)]
    rules: RulesArgs,
    /// The logs; `-` for standard input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
}

/// What is wrong, and the line of the file.
pub struct Fault {
    line: usize,
    message: String,
}

/// Reads each text as a line of JSON. The first one is line `first` of its file, and `what` says what a line is.
fn parsed<T: DeserializeOwned>(
    first: usize,
    texts: &[String],
    what: &str,
) -> Result<Vec<T>, Fault> {
    let read = |(i, text): (usize, &String)| {
        serde_json::from_str(text).map_err(|error| Fault {
            line: first + i,
            message: format!("no {what}: {error}"),
        })
    };
    texts.iter().enumerate().map(read).collect()
}

fn show(line: &impl serde::Serialize) -> String {
    serde_json::to_string(line).unwrap_or_else(|error| error.to_string())
}

/// What differs, in two lines.
fn difference(expected: &str, found: &str) -> String {
    format!("expected {}\n    found    {}", cut(expected), cut(found))
}

/// What is wrong with a game.
fn report(error: &ReplayError) -> String {
    match error {
        ReplayError::Differs {
            expected, found, ..
        } => difference(&show(expected), &show(found)),
        ReplayError::Disagrees {
            expected, found, ..
        } => difference(&show(expected), &show(found)),
        error => error.to_string(),
    }
}

/// A long line, cut so that it fits a message.
fn cut(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The size limit of a record of Tenhou, in bytes.
const LONGEST_RECORD: u64 = 64 << 20;

/// The kind of a line, and the version of our format.
#[derive(serde::Deserialize)]
struct Peek {
    #[serde(rename = "type")]
    kind: String,
    format: Option<u32>,
}

/// The lines of one game, and the number of the first line.
struct Lines {
    first: usize,
    texts: Vec<String>,
    /// True if the game names its rules.
    is_ours: bool,
}

/// One game to be written.
struct Chosen {
    layout: DiscardLayout,
    lang: Lang,
    /// Games until the one that is shown, itself included.
    left: Cell<u64>,
    /// The page, and the game as JSON of Tenhou.
    made: RefCell<Option<(String, String)>>,
}

/// Collects the messages of a game.
struct Collecting {
    recorder: Recorder<Box<dyn FnMut(Line)>>,
    messages: Rc<RefCell<Vec<Message>>>,
}

impl Collecting {
    fn new(rules: &Rules, names: &[String]) -> Self {
        let messages = Rc::new(RefCell::new(Vec::new()));
        let plan = Arc::clone(rules.plan());
        let to = Rc::clone(&messages);
        let keep = move |line: Line| to.borrow_mut().extend(Message::plain(&plan, &line));
        let options = LogOptions::new(names.to_vec(), Notation::Mjai);
        Self {
            recorder: Recorder::new(rules.plan(), options, Box::new(keep)),
            messages,
        }
    }
}

/// What watches a game that is played again: explained wins, the page, and the messages.
type Watching<'a> = (
    Option<Wins<'a>>,
    (
        Option<ReplayPage<'a>>,
        Option<Recorder<Box<dyn FnMut(Line)>>>,
    ),
);

/// What is made of games besides reports.
#[derive(Clone, Copy)]
struct Makes<'a> {
    /// The language in which wins are explained, if they are.
    explain: Option<Lang>,
    chosen: Option<&'a Chosen>,
}

impl Makes<'_> {
    /// Calls `check` with the observers of a game, which may be the chosen one. Returns the explained wins and the result.
    fn watch<T>(
        &self,
        rules: &Rules,
        names: &[String],
        check: impl FnOnce(&mut Watching<'_>) -> Result<T, Fault>,
    ) -> Result<(String, T), Fault> {
        let wins = self.explain.map(|lang| Wins::new(rules, lang));
        let chosen = self.chosen.filter(|chosen| {
            let left = chosen.left.get();
            chosen.left.set(left.saturating_sub(1));
            left == 1
        });
        let page = chosen.map(|chosen| {
            let names = names.iter().cloned();
            ReplayPage::new(rules, chosen.lang, names).discards(chosen.layout)
        });
        let collecting = chosen.map(|_| Collecting::new(rules, names));
        let (recorder, messages) = match collecting {
            Some(Collecting { recorder, messages }) => (Some(recorder), messages),
            None => (None, Rc::default()),
        };
        let mut watching = (wins, (page, recorder));
        let done = check(&mut watching)?;
        let (wins, (page, recorder)) = watching;
        drop(recorder);
        if let (Some(chosen), Some(page)) = (chosen, page) {
            let json = show(&tenhou::write(rules.plan(), &messages.borrow()));
            *chosen.made.borrow_mut() = Some((page.html(), json + "\n"));
        }
        Ok((wins.map(Wins::text).unwrap_or_default(), done))
    }
}

/// How logs are checked.
struct Checks {
    from_seed: bool,
    explain: Option<Lang>,
    chosen: Option<Chosen>,
    /// Commitments of servers, by the number of the game.
    commitments: Option<Commitments>,
    /// The rules from the command line.
    source: Option<Source>,
    options: Vec<(String, OptionValue)>,
}

impl Checks {
    fn makes(&self) -> Makes<'_> {
        Makes {
            explain: self.explain,
            chosen: self.chosen.as_ref(),
        }
    }

    fn elsewhere(&self) -> Elsewhere<'_> {
        Elsewhere {
            source: self.source.as_ref(),
            options: &self.options,
            makes: self.makes(),
        }
    }

    /// The ruleset that a log names: the given file if it has that id, or else a built-in ruleset.
    fn load(&self, id: &str, options: &[(String, OptionValue)]) -> Result<Rules, LoadError> {
        if let Some(source @ Source::Text { .. }) = &self.source {
            let rules = source.load(options)?;
            if rules.plan().id() == id {
                return Ok(rules);
            }
        }
        Rules::by_id_with(id, options)
    }

    fn check(&self, game: Lines) -> Result<String, Fault> {
        let Lines {
            first,
            texts,
            is_ours,
        } = game;
        if !is_ours {
            let done = self.elsewhere().check_mjai(first, &texts)?;
            return Ok(format!("{}game: ok, {}", done.wins, done.counts()));
        }
        let lines = parsed(first, &texts, "line of a log")?;
        let game = Game {
            first,
            texts,
            lines,
        };
        let load = |id: &str, options: &_| self.load(id, options);
        if let Some(commitments) = &self.commitments {
            game.check_commitment(commitments)?;
        }
        game.check(self.from_seed, self.makes(), load)
    }

    /// Checks games in JSON of Tenhou. Returns how many games and failures there are.
    fn check_tenhou(&self, name: &str, bytes: &[u8]) -> Result<(usize, usize), output::Fault> {
        let mut out = Out;
        let (mut games, mut failed) = (0, 0);
        let logs = serde_json::Deserializer::from_slice(bytes).into_iter::<TenhouLog>();
        for log in logs {
            games += 1;
            let log = log.map_err(|error| Fault {
                line: error.line(),
                message: format!("no JSON of Tenhou: {error}"),
            });
            let is_broken = log.is_err();
            match log.and_then(|log| self.elsewhere().check_tenhou(&log)) {
                Ok(done) => out.say(format!("{}{name}: ok, {}", done.wins, done.counts()))?,
                Err(fault) => {
                    failed += 1;
                    out.say(format!("{name}:{}: {}", fault.line, fault.message))?;
                }
            }
            if is_broken {
                break;
            }
        }
        Ok((games, failed))
    }

    /// Checks the games of a file. Returns how many games and failures there are.
    fn check_file(
        &self,
        name: &str,
        mut input: impl BufRead,
    ) -> Result<(usize, usize), output::Fault> {
        let unread = |error: io::Error| format!("{name}: {error}");
        let mut out = Out;
        let begin = input.fill_buf().map_err(unread)?;
        if begin.starts_with(GZIP) {
            out.say(format!(
                "{name}: it is packed: unpack it with `gzip -d` first"
            ))?;
            return Ok((1, 1));
        }
        if begin.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        if input.fill_buf().map_err(unread)?.first() == Some(&b'<') {
            let bytes = input::read_all(&mut input, LONGEST_RECORD).map_err(unread)?;
            let text = String::from_utf8_lossy(&bytes);
            return match self.elsewhere().check_mjlog(&text) {
                Ok(done) => {
                    out.say(format!("{}{name}: ok, {}", done.wins, done.counts()))?;
                    Ok((1, 0))
                }
                Err(fault) => {
                    out.say(format!("{name}:{}: {}", fault.line, fault.message))?;
                    Ok((1, 1))
                }
            };
        }
        // JSON of Tenhou has no types of events. In the lines of a log the type may be any member.
        let begin = input.fill_buf().map_err(unread)?;
        let begin = begin.split(|&byte| byte == b'\n').next().unwrap_or(begin);
        if begin.first() == Some(&b'{') && !begin.windows(6).any(|word| word == b"\"type\"") {
            let bytes = input::read_all(&mut input, LONGEST_RECORD).map_err(unread)?;
            return self.check_tenhou(name, &bytes);
        }
        let (mut games, mut failed) = (0, 0);
        let mut game: Option<Lines> = None;
        let mut finish = |game: Lines, out: &mut Out| {
            games += 1;
            match self.check(game) {
                Ok(report) => out.say(report),
                Err(fault) => {
                    failed += 1;
                    out.say(format!("{name}:{}: {}", fault.line, fault.message))
                }
            }
        };
        let mut broken = 0;
        for (number, text) in input::lines(&mut input) {
            let text = match text {
                Ok(text) => text,
                Err(error) => {
                    out.say(format!("{name}:{number}: no line of a log: {error}"))?;
                    broken += 1;
                    game = None;
                    break;
                }
            };
            let bytes = text.as_bytes();
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let peek: Peek = match serde_json::from_slice(bytes) {
                Ok(peek) => peek,
                Err(error) => {
                    // After this, no line can be assigned to a game.
                    out.say(format!("{name}:{number}: no line of a log: {error}"))?;
                    broken += 1;
                    game = None;
                    break;
                }
            };
            if peek.kind == "start_game" {
                if let Some(game) = game.take() {
                    finish(game, &mut out)?;
                }
                game = Some(Lines {
                    first: number,
                    texts: Vec::new(),
                    is_ours: peek.format.is_some(),
                });
            }
            let Some(open) = &mut game else {
                out.say(format!("{name}:{number}: a line outside a game"))?;
                broken += 1;
                break;
            };
            open.texts.push(text);
            if peek.kind == "end_game"
                && let Some(game) = game.take()
            {
                finish(game, &mut out)?;
            }
        }
        if let Some(game) = game.take() {
            finish(game, &mut out)?;
        }
        if games + broken == 0 {
            out.say(format!("{name}: no game"))?;
            broken += 1;
        }
        Ok((games, failed + broken))
    }
}

/// Prints what was found, line by line.
struct Out;

impl Out {
    fn say(&mut self, line: String) -> Result<(), output::Fault> {
        output::say(&(line + "\n"))
    }
}

pub fn run(args: Args) -> Result<(), output::Fault> {
    let commitments = match &args.commitments {
        Some(path) => Some(commitments::read(path)?),
        None => None,
    };
    let checks = Checks {
        from_seed: args.from_seed,
        explain: args.explain.then_some(args.names.lang),
        chosen: (args.html.is_some() || args.tenhou.is_some()).then(|| Chosen {
            layout: match args.sorted_pile {
                true => DiscardLayout::SortedPile,
                false => DiscardLayout::Rivers,
            },
            lang: args.names.lang,
            left: Cell::new(args.game),
            made: RefCell::new(None),
        }),
        commitments,
        source: args.rules.given()?,
        options: args.rules.options,
    };
    let (mut games, mut failed) = (0, 0);
    for path in &args.logs {
        let name = path.display().to_string();
        let (all, bad) = if name == "-" {
            checks.check_file("-", io::stdin().lock())?
        } else {
            let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
            checks.check_file(&name, BufReader::new(file))?
        };
        games += all;
        failed += bad;
    }
    let _ = writeln!(io::stderr(), "{games} games, {failed} failures");
    if let Some(chosen) = checks.chosen {
        let Some((html, json)) = chosen.made.take() else {
            let message = format!(
                "game {} is not there, or disagrees with its rules",
                args.game
            );
            return Err(message.into());
        };
        for (path, made) in [(&args.html, html), (&args.tenhou, json)] {
            if let Some(path) = path {
                output::write(path, made.as_bytes())?;
            }
        }
    }
    match failed {
        0 => Ok(()),
        _ => Err(output::Fault::Found),
    }
}
