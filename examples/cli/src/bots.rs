//! Tables of agents, among them bots that speak mjai over their standard input and output.
//!
//! A bot is a program of its own. It reads what its player may know, one JSON message a line, from `start_game`
//! (with its `id`) to `end_game`. It answers each line with one line: `{"type":"none"}`, or what it does. Riichi
//! is two answers: `reach`, and after that the discard. One process plays all games of a place at a table, and
//! `start_game` tells it each time which player it is.

use crate::output::{Fault, INTERRUPTED};
use crate::{agents, timed};
use paishan::agent::{self, Agent};
use paishan::game::Observer;
use paishan::log::mjai::{self, Message};
use paishan::log::{Line, LogOptions, Recorder};
use paishan::ruleset::Plan;
use paishan::simulate::{Draws, PlayError, play_with};
use paishan::state::{Action, Legal, View};
use paishan::{Notation, Player, Rules, Seeds};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The bots of a command line.
#[derive(clap::Args)]
pub struct BotArgs {
    /// Gives an agent's name to a program that speaks mjai: a message a line on its standard input, an answer a line on
    /// its standard output. May be repeated.
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = named)]
    bots: Vec<NamedBot>,
    /// Seconds that the first answer of a bot may take.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    bot_startup: Duration,
    /// Seconds that any other answer of a bot may take.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    bot_limit: Duration,
    /// Lists the legal actions in each message that a bot has to decide on, as `possible_actions`.
    #[arg(long)]
    bot_actions: bool,
}

/// A bot's name, with its program and the program's arguments.
#[derive(Clone)]
struct NamedBot {
    name: String,
    command: Vec<String>,
}

fn named(text: &str) -> Result<NamedBot, String> {
    let (name, command) = text.split_once('=').ok_or("there is no `=`")?;
    if name.is_empty() || name.contains(',') || name.trim() != name {
        return Err(format!("`{name}` cannot be a name"));
    }
    if agent::NAMES.contains(&name) {
        return Err(format!("`{name}` is an agent without a program"));
    }
    let command = shlex::split(command).filter(|words| !words.is_empty());
    Ok(NamedBot {
        name: name.to_owned(),
        command: command.ok_or("there is no command")?,
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// True if mjai has words for all that happens under these rules.
pub fn speaks_mjai(plan: &Plan) -> bool {
    plan.tiles().fits_mpsz() && plan.has_counters()
}

impl BotArgs {
    /// The names of agents that a text lists for the players of a plan: one for all, or one for each.
    pub fn names(&self, text: &str, plan: &Plan) -> Result<Vec<String>, String> {
        let mut more: Vec<&str> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        let given = text.split(',').map(str::trim);
        more.extend(given.filter(|name| timed::time_of(name).is_some()));
        agents::names(text, plan, &more)
    }

    /// How the bot with a name is run. `None` for an agent without a program.
    fn options(&self, name: &str) -> Option<BotOptions> {
        let bot = self.bots.iter().find(|bot| bot.name == name)?;
        Some(BotOptions {
            command: bot.command.clone(),
            startup: self.bot_startup,
            limit: self.bot_limit,
            lists_actions: self.bot_actions,
        })
    }
}

/// Tables at which the same agents play. A table is used for one game after another.
pub struct Tables<'a> {
    rules: &'a Rules,
    names: &'a [String],
    /// How to run each agent that is a bot.
    bots: Vec<Option<BotOptions>>,
    free: Mutex<Vec<Table>>,
}

impl<'a> Tables<'a> {
    /// Tables for agents that [`BotArgs::names`] has read.
    pub fn new(args: &BotArgs, rules: &'a Rules, names: &'a [String]) -> Result<Self, Fault> {
        let bots: Vec<_> = names.iter().map(|name| args.options(name)).collect();
        if bots.iter().any(Option::is_some) {
            let plan = rules.plan();
            if !speaks_mjai(plan) {
                return Err(format!("mjai has no words for `{}`", plan.id()).into());
            }
            end_with_the_run()?;
        }
        if let Some(bot) = args.bots.iter().find(|bot| !names.contains(&bot.name)) {
            return Err(format!("no agent is the bot `{}`", bot.name).into());
        }
        Ok(Self {
            rules,
            names,
            bots,
            free: Mutex::default(),
        })
    }

    /// True if a bot plays.
    pub fn have_bots(&self) -> bool {
        self.bots.iter().any(Option::is_some)
    }

    /// Threads for this many; 0 is one if bots play, so that each bot is one process and plays the games in order, and
    /// otherwise one a core.
    pub fn pool(&self, threads: usize) -> Result<ThreadPool, Fault> {
        let threads = match threads {
            0 if self.have_bots() => 1,
            threads => threads,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| error.to_string().into())
    }

    /// Lets a function use a table that no other thread uses.
    pub fn with<T>(&self, function: impl FnOnce(&mut Table) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let table = free().pop();
        let mut table = table.unwrap_or_else(|| self.table());
        let value = function(&mut table);
        free().push(table);
        value
    }

    fn table(&self) -> Table {
        let bots = self.bots.iter().cloned();
        let bots: Vec<_> = bots.map(|options| options.map(Bot::shared)).collect();
        let agent = |(name, bot): (&String, &Option<SharedBot>)| -> Box<dyn Agent> {
            let rules = self.rules.clone();
            match bot.clone() {
                Some(bot) => Box::new(BotAgent { bot, rules }),
                // The names have been checked.
                None => timed::by_name(name, rules.plan()).expect("an agent that needs no program"),
            }
        };
        Table {
            rules: self.rules.clone(),
            agents: self.names.iter().zip(&bots).map(agent).collect(),
            names: self.names.to_vec(),
            bots,
        }
    }
}

/// Agents at a table, in the order of the players.
pub struct Table {
    rules: Rules,
    names: Vec<String>,
    agents: Vec<Box<dyn Agent>>,
    bots: Vec<Option<SharedBot>>,
}

impl Table {
    /// Lets two players change places.
    pub fn swap(&mut self, one: usize, other: usize) {
        self.names.swap(one, other);
        self.agents.swap(one, other);
        self.bots.swap(one, other);
    }

    /// Plays a game.
    pub fn play(
        &mut self,
        seeds: Seeds,
        game: u64,
        draws: Draws,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let players = Player::all(self.names.len());
        let bots = self.bots.iter().zip(players);
        let bots: Vec<_> = bots
            .filter_map(|(bot, player)| Some((bot.as_ref()?, player)))
            .collect();
        let plan = self.rules.plan();
        let watcher = |&(bot, player): &(_, Player)| recorder(bot, player, plan, &self.names, game);
        let watchers: Vec<_> = bots.iter().map(watcher).collect();
        let agents = &mut self.agents;
        let played = match watchers.is_empty() {
            true => play_with(&self.rules, agents, seeds, draws, observer),
            false => {
                let mut watching = (watchers, &mut *observer);
                play_with(&self.rules, agents, seeds, draws, &mut watching)
            }
        };
        let failure = |fault: String| format!("game {game} (game_seed {}): {fault}", seeds.game);
        for (bot, player) in bots {
            if let Some(fault) = finish(bot, played.is_ok()) {
                let fault = format!("the bot of player {}: {fault}", player.index());
                return Err(Fault::Invalid(failure(fault)));
            }
        }
        match played {
            Ok(_) => Ok(()),
            Err(error @ PlayError::Action { .. }) => {
                Err(Fault::Invalid(failure(error.to_string())))
            }
            Err(error) => Err(Fault::Failed(failure(error.to_string()))),
        }
    }
}

/// How a bot is run.
#[derive(Clone)]
struct BotOptions {
    /// The program and its arguments.
    command: Vec<String>,
    /// How long the first answer may take.
    startup: Duration,
    /// How long every other answer may take.
    limit: Duration,
    /// True if messages list the legal actions.
    lists_actions: bool,
}

/// A message as a bot is told it.
#[derive(serde::Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    message: &'a Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    possible_actions: Option<&'a [Message]>,
}

/// A bot.
struct Bot {
    options: BotOptions,
    /// Who it is in the current game.
    player: usize,
    process: Option<Process>,
    /// What has happened but it has not been told yet.
    messages: VecDeque<Message>,
    /// Why it cannot play any more.
    fault: Option<String>,
}

/// A bot, shared by the agent that asks it and the game that tells it what happens.
type SharedBot = Arc<Mutex<Bot>>;

/// A poisoned lock does no harm: the run stops then, and nothing half done is used.
fn open(bot: &SharedBot) -> MutexGuard<'_, Bot> {
    bot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An observer that keeps what a bot's player may know of a game.
fn recorder(
    bot: &SharedBot,
    player: Player,
    plan: &Arc<Plan>,
    names: &[String],
    game: u64,
) -> Recorder<impl FnMut(Line) + use<>> {
    let mut options = LogOptions::new(names.to_vec(), Notation::Mjai);
    options.viewer = Some(player);
    options.game = game;
    open(bot).player = player.index();
    let (bot, rules) = (bot.clone(), Arc::clone(plan));
    Recorder::new(plan, options, move |line| {
        let Some(message) = Message::plain(&rules, &line) else {
            return;
        };
        mjai::queue(&mut open(&bot).messages, message);
    })
}

/// Tells a bot how the game has ended. Returns the fault that it had, if any.
fn finish(bot: &SharedBot, is_over: bool) -> Option<String> {
    let mut bot = open(bot);
    if is_over && bot.fault.is_none() {
        bot.fault = bot.tell(None).err();
    }
    bot.fault.take()
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
fn end_with_the_run() -> Result<(), String> {
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
    /// A bot. Its program starts with the first message.
    fn shared(options: BotOptions) -> SharedBot {
        Arc::new(Mutex::new(Self {
            options,
            player: 0,
            process: None,
            messages: VecDeque::new(),
            fault: None,
        }))
    }

    fn start(&self) -> Result<Process, String> {
        let [program, arguments @ ..] = &self.options.command[..] else {
            unreachable!("a command has a program");
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

    /// Tells the bot what has happened. Returns its answer to the last message, with its text, unless that is `none`.
    /// `possible` are the actions of which it may answer one, if any.
    fn tell(&mut self, possible: Option<&[Message]>) -> Result<Option<(Message, String)>, String> {
        while let Some(message) = self.messages.pop_front() {
            let possible = possible.filter(|_| self.messages.is_empty());
            let told = Told {
                message: &message,
                possible_actions: possible.filter(|_| self.options.lists_actions),
            };
            let text = serde_json::to_string(&told).map_err(|error| error.to_string())?;
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
            match read {
                Message::None => {}
                _ if possible.is_some() => return Ok(Some((read, answer))),
                _ => {
                    return Err(format!(
                        "line {told}, {text}: the answer `{answer}` where it has nothing to decide"
                    ));
                }
            }
        }
        Ok(None)
    }

    fn choose(&mut self, plan: &Plan, view: &View<'_>, legal: &Legal) -> Result<Action, String> {
        let possible = mjai::possible_actions(plan, view, legal);
        let choice = self.tell(Some(&possible))?;
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
                actor.is_none_or(|actor| actor == self.player)
            })
            .ok_or_else(|| {
                let legal = serde_json::to_string(&possible).unwrap_or_default();
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
struct BotAgent {
    bot: SharedBot,
    rules: Rules,
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
