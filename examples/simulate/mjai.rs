//! Bots that speak mjai over their standard input and output.
//!
//! A bot is a program of its own. It is told what its player may know, a JSON message a line, from
//! `start_game` (with its `id`) to `end_game`, and answers each line with one: `{"type":"none"}`, or
//! what it does. Riichi is two answers, `reach` and after that the discard.

use paishan::agent::Agent;
use paishan::log::mjai::{self, Message};
use paishan::log::{Line, LogOptions, Recorder};
use paishan::ruleset::{Plan, Ruleset};
use paishan::state::{Action, Legal, View};
use paishan::{Notation, Player};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How bots are run.
#[derive(Clone)]
pub struct BotOptions {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long the first answer may take.
    pub startup: Duration,
    /// How long every other answer may take.
    pub limit: Duration,
}

/// A bot.
pub struct Bot {
    options: BotOptions,
    player: Player,
    process: Option<Process>,
    /// What has happened and it has not been told.
    messages: VecDeque<Message>,
    /// Why it is of no use any more.
    fault: Option<String>,
}

/// A bot as the agent that asks it and the game that tells it hold it.
pub type SharedBot = Arc<Mutex<Bot>>;

/// Nothing is left half done where a lock was poisoned: the run stops then.
fn open(bot: &SharedBot) -> MutexGuard<'_, Bot> {
    bot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An observer that keeps what the bot's player may know.
pub fn recorder<'a>(
    bot: &SharedBot,
    plan: &'a Plan,
    names: &[String],
    game: u64,
) -> Recorder<'a, impl FnMut(Line) + use<>> {
    let options = LogOptions {
        names: names.to_vec(),
        notation: Notation::Mjai,
        viewer: Some(open(bot).player),
        with_legal: false,
        game,
    };
    let bot = bot.clone();
    Recorder::new(plan, options, move |line| {
        open(&bot).messages.extend(Message::plain(&line));
    })
}

/// Tells a bot how the game has ended; the fault that it has had.
pub fn finish(bot: &SharedBot, is_over: bool) -> Option<String> {
    let mut bot = open(bot);
    if is_over && bot.fault.is_none() {
        bot.fault = match bot.tell() {
            Ok(None) => None,
            Ok(Some(answer)) => Some(format!("{answer:?} after the end of the game")),
            Err(fault) => Some(fault),
        };
    }
    let player = bot.player.index();
    let fault = bot.fault.take();
    fault.map(|fault| format!("the bot of player {player}: {fault}"))
}

struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    /// Lines told to the bot.
    told: usize,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Bot {
    /// A bot for a player; it starts with the first message.
    pub fn shared(options: BotOptions, player: Player) -> SharedBot {
        Arc::new(Mutex::new(Self {
            options,
            player,
            process: None,
            messages: VecDeque::new(),
            fault: None,
        }))
    }

    fn start(&self) -> Result<Process, String> {
        let [program, arguments @ ..] = &self.options.command[..] else {
            return Err("there is no command for it".to_owned());
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("`{program}` does not start: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let (sender, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process {
            child,
            input,
            answers,
            told: 0,
        })
    }

    /// Tells a running bot a line: the number of the line, and the answer.
    fn ask(&mut self, text: &str) -> Result<(usize, String), String> {
        let process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let process = self.process.insert(process);
        match process.ask(text, &self.options) {
            Ok(answer) => Ok((process.told, answer)),
            Err(fault) => Err(format!("line {}, {text}: {fault}", process.told)),
        }
    }

    /// Whether the bot has ended of its own will; if so it is started again when there is more to tell.
    fn has_left(&mut self) -> bool {
        let end = self.process.as_mut().and_then(Process::end);
        let left = end.is_some_and(|status| status.success());
        if left {
            self.process = None;
        }
        left
    }

    /// Tells the bot what has happened; the one answer that is not `none`, if there is one.
    fn tell(&mut self) -> Result<Option<Message>, String> {
        let mut choice = None;
        while let Some(message) = self.messages.pop_front() {
            let text = serde_json::to_string(&message).map_err(|error| error.to_string())?;
            let mut asked = self.ask(&text);
            if asked.is_err() && self.has_left() {
                // A bot may leave between two games, before it answers `end_game` or after.
                match message {
                    Message::EndGame { .. } => continue,
                    Message::StartGame { .. } => asked = self.ask(&text),
                    _ => {}
                }
            }
            let (told, answer) = asked?;
            let read: Message = serde_json::from_str(&answer).map_err(|error| {
                format!("line {told}, {text}: the answer `{answer}` is no message: {error}")
            })?;
            if read == Message::None {
                continue;
            }
            if let Some(earlier) = choice.replace(read) {
                return Err(format!(
                    "line {told}, {text}: another answer after {earlier:?}"
                ));
            }
        }
        Ok(choice)
    }

    fn choose(&mut self, plan: &Plan, view: &View<'_>, legal: &Legal) -> Result<Action, String> {
        let choice = self.tell()?;
        let told = self.process.as_ref().map_or(0, |process| process.told);
        let Some(choice) = choice else {
            return if legal.contains(Action::Pass) {
                Ok(Action::Pass)
            } else {
                Err(format!("line {told}: `none` where it has to act"))
            };
        };
        let text = serde_json::to_string(&choice).unwrap_or_default();
        mjai::action(plan, view, legal, &choice)
            .filter(|_| {
                // Some bots name nobody in what they alone can say.
                let actor = choice.actor();
                actor.is_none_or(|actor| actor == self.player.index())
            })
            .ok_or_else(|| format!("line {told}: {text} is not legal"))
    }
}

impl Process {
    /// How the program has ended, if it has; a moment may pass between its last word and its end.
    fn end(&mut self) -> Option<ExitStatus> {
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        None
    }

    fn ask(&mut self, text: &str, options: &BotOptions) -> Result<String, String> {
        let limit = if self.told == 0 {
            options.startup
        } else {
            options.limit
        };
        self.told += 1;
        let sent = writeln!(self.input, "{text}").and_then(|()| self.input.flush());
        match self.answers.recv_timeout(limit) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {limit:?}")),
            Err(RecvTimeoutError::Disconnected) => Err(match (self.end(), sent) {
                (Some(status), _) => format!("the bot has ended ({status})"),
                (None, Err(error)) => format!("the bot does not read: {error}"),
                (None, Ok(())) => "the bot has closed its output".to_owned(),
            }),
        }
    }
}

/// An agent that asks a bot.
pub struct BotAgent {
    pub bot: SharedBot,
    pub rules: Arc<dyn Ruleset>,
}

impl Agent for BotAgent {
    fn listens(&self) -> bool {
        false
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let mut bot = open(&self.bot);
        match bot.choose(self.rules.plan(), view, legal) {
            Ok(action) => action,
            Err(fault) => {
                bot.fault = Some(fault);
                // What is never legal here ends the game.
                Action::FalseWin
            }
        }
    }
}
