//! Bots that speak mjai over their standard input and output.
//!
//! A bot is a program of its own. It reads what its player may know, one JSON message a line, from `start_game`
//! (with its `id`) to `end_game`. It answers each line with one line: `{"type":"none"}`, or what it does. Riichi
//! is two answers: `reach`, and after that the discard.

use crate::output::INTERRUPTED;
use paishan::agent::Agent;
use paishan::log::mjai::{self, Message};
use paishan::log::{Line, LogOptions, Recorder};
use paishan::ruleset::Plan;
use paishan::state::{Action, Legal, View};
use paishan::{Notation, Player, Rules};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
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
    /// What has happened but it has not been told yet.
    messages: VecDeque<Message>,
    /// Why it cannot play any more.
    fault: Option<String>,
}

/// A bot, shared by the agent that asks it and the game that tells it what happens.
pub type SharedBot = Arc<Mutex<Bot>>;

/// A poisoned lock does no harm: the run stops then, and nothing half done is used.
fn open(bot: &SharedBot) -> MutexGuard<'_, Bot> {
    bot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An observer that keeps what the bot's player may know.
pub fn recorder(
    bot: &SharedBot,
    plan: &Arc<Plan>,
    names: &[String],
    game: u64,
) -> Recorder<impl FnMut(Line) + use<>> {
    let mut options = LogOptions::new(names.to_vec(), Notation::Mjai);
    options.viewer = Some(open(bot).player);
    options.game = game;
    let bot = bot.clone();
    Recorder::new(plan, options, move |line| {
        open(&bot).messages.extend(Message::plain(&line));
    })
}

/// Tells a bot how the game has ended. Returns the fault that it had, if any.
pub fn finish(bot: &SharedBot, is_over: bool) -> Option<String> {
    let mut bot = open(bot);
    if is_over && bot.fault.is_none() {
        bot.fault = bot.tell(false).err();
    }
    let player = bot.player.index();
    let fault = bot.fault.take();
    fault.map(|fault| format!("the bot of player {player}: {fault}"))
}

/// A bot's program while it runs. One thread writes what the bot is told, and another reads what it says. So a bot
/// that does not read, or says nothing, delays the match by its time limit at most.
struct Process {
    child: Child,
    told_to: Option<SyncSender<String>>,
    answers: Receiver<Said>,
    /// Lines told to the bot.
    told: usize,
}

/// A line of a bot.
enum Said {
    Line(String),
    /// The line is too long for a message, or is no text.
    NoMessage,
}

/// The size limit of a line of a bot, in bytes.
const LONGEST_ANSWER: usize = 64 << 10;

/// How many lines may wait to be read, by a bot and by us.
const MOST_LINES: usize = 64;

/// Programs that run now. They are ended when the run itself is ended from outside.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ends a program and whatever it has started.
fn kill_group(id: u32) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            // The group may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// Ends all bots when somebody interrupts the run. They are not in its process group.
pub fn end_with_the_run() -> Result<(), String> {
    let handled = ctrlc::set_handler(|| {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.iter().copied().for_each(kill_group);
        std::process::exit(INTERRUPTED.into());
    });
    handled.map_err(|error| error.to_string())
}

impl Process {
    /// Ends the program and whatever it has started, but only once. Later the number may belong to another program.
    fn kill(&mut self) {
        let id = self.child.id();
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = running.iter().position(|&other| other == id) {
            running.swap_remove(place);
            kill_group(id);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.told_to = None;
        self.kill();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes lines to a program until there are no more, or until the program stops reading.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Reads the lines of a program until there are no more, or until one is no message.
fn read_lines(output: impl Read, sender: &SyncSender<Said>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        // A longer line may never end.
        let mut some = (&mut output).take(LONGEST_ANSWER as u64 + 1);
        match some.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_long = line.len() > LONGEST_ANSWER;
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        let said = match String::from_utf8(line) {
            Ok(text) if !is_long => Said::Line(text),
            _ => Said::NoMessage,
        };
        let is_last = matches!(said, Said::NoMessage);
        if sender.send(said).is_err() || is_last {
            return;
        }
    }
}

impl Bot {
    /// A bot for a player. Its program starts with the first message.
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
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // A process group of its own, so that all of it can be ended.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| format!("`{program}` does not start: {error}"))?;
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.push(child.id());
        drop(running);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let (told_to, lines) = sync_channel(MOST_LINES);
        let (sender, answers) = sync_channel(MOST_LINES);
        thread::spawn(move || write_lines(input, &lines));
        thread::spawn(move || read_lines(output, &sender));
        Ok(Process {
            child,
            told_to: Some(told_to),
            answers,
            told: 0,
        })
    }

    /// Tells the bot a line and starts it if need be. Returns the number of the line and the answer.
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

    /// Whether the bot has ended by itself. If so, it is started again when there is more to tell.
    fn has_left(&mut self) -> bool {
        let end = self.process.as_mut().and_then(Process::end);
        let left = end.is_some_and(|status| status.success());
        if left {
            self.process = None;
        }
        left
    }

    /// Tells the bot what has happened. Returns the one answer that is not `none`, if there is one, with its text.
    /// It may be given only if the bot `decides`, and to the last message, or to one before indicators alone.
    fn tell(&mut self, decides: bool) -> Result<Option<(Message, String)>, String> {
        let mut choice = None;
        while let Some(message) = self.messages.pop_front() {
            let text = serde_json::to_string(&message).map_err(|error| error.to_string())?;
            let mut asked = self.ask(&text);
            if asked.is_err() && self.has_left() {
                // A bot may leave between two games, before or after it answers `end_game`.
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
            let mut later = self.messages.iter();
            if !decides || later.any(|message| !matches!(message, Message::Dora { .. })) {
                return Err(format!(
                    "line {told}, {text}: the answer `{answer}` where it has nothing to decide"
                ));
            }
            if let Some((_, earlier)) = choice.replace((read, answer)) {
                return Err(format!(
                    "line {told}, {text}: another answer after `{earlier}`"
                ));
            }
        }
        Ok(choice)
    }

    fn choose(&mut self, plan: &Plan, view: &View<'_>, legal: &Legal) -> Result<Action, String> {
        let choice = self.tell(true)?;
        let told = self.process.as_ref().map_or(0, |process| process.told);
        let Some((choice, text)) = choice else {
            return if legal.contains(Action::Pass) {
                Ok(Action::Pass)
            } else {
                Err(format!("line {told}: `none` where it has to act"))
            };
        };
        mjai::action(plan, view, legal, &choice)
            .filter(|_| {
                // Some bots leave out the player where only they can be meant.
                let actor = choice.actor();
                actor.is_none_or(|actor| actor == self.player.index())
            })
            .ok_or_else(|| {
                let legal = mjai::possible_actions(plan, view, legal);
                let legal = serde_json::to_string(&legal).unwrap_or_default();
                format!("line {told}: {text} is not legal; legal are {legal}")
            })
    }
}

impl Process {
    /// How the program has ended, if it has. It may end a moment after its last output.
    fn end(&mut self) -> Option<ExitStatus> {
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                // Programs that it has started end, too.
                self.kill();
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
        // The next line is sent only after the answer, so at most one line waits here.
        let sent = self
            .told_to
            .as_ref()
            .map(|lines| lines.try_send(text.to_owned()));
        let is_sent = matches!(sent, Some(Ok(())));
        match self.answers.recv_timeout(limit) {
            Ok(Said::Line(answer)) => Ok(answer),
            Ok(Said::NoMessage) => {
                self.kill();
                Err(format!(
                    "no message: no text, or more than {LONGEST_ANSWER} bytes in a line"
                ))
            }
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {limit:?}")),
            Err(RecvTimeoutError::Disconnected) => Err(match self.end() {
                Some(status) => format!("the bot has ended ({status})"),
                None if is_sent => "the bot has closed its output".to_owned(),
                None => "the bot does not read".to_owned(),
            }),
        }
    }
}

/// An agent that asks a bot.
pub struct BotAgent {
    pub bot: SharedBot,
    pub rules: Rules,
}

impl Agent for BotAgent {
    fn listens(&self) -> bool {
        false
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        // mjai has no word for ending a game by choice. The game ends if the bot leads.
        if legal.contains(Action::EndMatch) {
            return Action::EndMatch;
        }
        let mut bot = open(&self.bot);
        match bot.choose(self.rules.plan(), view, legal) {
            Ok(action) => action,
            Err(fault) => {
                bot.fault = Some(fault);
                // This is never legal here, so it ends the game.
                Action::FalseWin
            }
        }
    }
}
