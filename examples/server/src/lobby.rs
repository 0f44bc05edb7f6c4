//! [`Lobby`]: all rooms. Each is a task that runs its [`Room`], stores what it says and wakes it in time.

use crate::client::Client;
use crate::commitment;
use crate::error::Refusal;
use crate::limits::Limits;
use crate::message::{Answer, Create, Join, Options, RoomAnswer, Stage};
use crate::room::{Finished, Opening, Room, hash_of};
use crate::rulesets::Rulesets;
use crate::store::{Save, Store};
use paishan::host::Sitter;
use paishan::{Rules, Seed};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::Instant;

/// The most commands that wait for a room.
const WAITING: usize = 64;

/// The threads for work that takes milliseconds.
const THREADS: usize = 2;

/// What a room is told.
#[derive(Debug)]
pub enum Command {
    /// A client takes a seat.
    Join(Client, Join, Option<u64>, Reply),
    /// A client takes its seat again, by its token.
    Rejoin(Client, String, Option<u64>, Reply),
    /// A client watches if the rules have this hash.
    Watch(Client, Option<String>, Option<u64>, Reply),
    /// A client decides: the number of the question, and the action.
    Act(Client, u32, String, Option<u64>),
    /// A connection is lost, or, with `true`, gives up its seat.
    Leave(u64, bool),
    /// The match is asked for, if it is over.
    Log(oneshot::Sender<Option<Arc<Finished>>>),
}

/// Where the answer to somebody who enters a room goes.
pub type Reply = oneshot::Sender<Result<(), Refusal>>;

/// The door to a room in memory.
#[derive(Clone, Debug)]
pub struct Handle {
    commands: mpsc::Sender<Command>,
    /// How the room stands, for the list of rooms.
    about: Arc<Mutex<RoomAnswer>>,
    is_listed: bool,
    opened_by: Option<IpAddr>,
}

impl Handle {
    /// True while the room is in memory.
    pub fn is_open(&self) -> bool {
        !self.commands.is_closed()
    }

    /// Tells the room something.
    ///
    /// # Errors
    /// [`Refusal::NoSuchRoom`] for a room that has ended.
    pub async fn tell(&self, command: Command) -> Result<(), Refusal> {
        let told = self.commands.send(command).await;
        told.map_err(|_| Refusal::NoSuchRoom)
    }

    /// Tells the room that somebody enters, and waits for the answer.
    ///
    /// # Errors
    /// Those of the room.
    pub async fn enter(&self, command: impl FnOnce(Reply) -> Command) -> Result<(), Refusal> {
        let (sender, answer) = oneshot::channel();
        self.tell(command(sender)).await?;
        answer.await.unwrap_or(Err(Refusal::NoSuchRoom))
    }
}

/// All rooms of a server.
#[derive(Debug)]
pub struct Lobby {
    limits: Limits,
    rulesets: Rulesets,
    store: Store,
    rooms: Mutex<HashMap<String, Handle>>,
    /// Held while a room is read, so that it is read once.
    loading: tokio::sync::Mutex<()>,
    /// Rules are loaded, and logs written, by so many threads at most.
    threads: Semaphore,
    decisions: AtomicU64,
}

impl Lobby {
    /// A lobby without rooms in memory.
    pub fn new(limits: Limits, rulesets: Rulesets, store: Store) -> Arc<Self> {
        Arc::new(Self {
            limits,
            rulesets,
            store,
            rooms: Mutex::default(),
            loading: tokio::sync::Mutex::default(),
            threads: Semaphore::new(THREADS),
            decisions: AtomicU64::new(0),
        })
    }

    /// What clients may use.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The first message of a connection.
    pub fn welcome(&self) -> String {
        let welcome = Answer::Welcome {
            protocol: crate::message::PROTOCOL,
            server: env!("CARGO_PKG_VERSION"),
            limits: &self.limits,
            rulesets: self.rulesets.ids(),
        };
        welcome.to_json(None)
    }

    /// How many decisions were made in all rooms.
    pub fn decisions(&self) -> u64 {
        self.decisions.load(Ordering::Relaxed)
    }

    /// The rooms in memory.
    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Handle>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many rooms are in memory.
    pub fn len(&self) -> usize {
        self.rooms().len()
    }

    /// True if no room is in memory.
    pub fn is_empty(&self) -> bool {
        self.rooms().is_empty()
    }

    /// The listed rooms that wait for people.
    pub fn list(&self) -> Vec<RoomAnswer> {
        let rooms = self.rooms();
        let listed = rooms.values().filter(|room| room.is_listed);
        let about = listed.map(|room| {
            let about = room.about.lock().unwrap_or_else(PoisonError::into_inner);
            about.clone()
        });
        let waiting = about.filter(|about| about.stage == Stage::Waiting);
        let mut waiting: Vec<_> = waiting.take(self.limits.listed).collect();
        waiting.sort_by(|a, b| a.room.cmp(&b.room));
        waiting
    }

    /// Does work that takes milliseconds, apart from the tables.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let stopped = |error: &dyn std::error::Error| Refusal::Stopped(error.to_string());
        let one = self.threads.acquire().await;
        let _one = one.map_err(|error| stopped(&error))?;
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| Err(stopped(&error)))
    }

    async fn load(self: &Arc<Self>, id: &str, options: &Options) -> Result<Rules, Refusal> {
        let (lobby, id, options) = (Arc::clone(self), id.to_owned(), options.clone());
        self.apart(move || lobby.rulesets.load(&id, &options)).await
    }

    /// The log of a match that is over. `None` while it is not.
    ///
    /// # Errors
    /// Those of [`Lobby::room`], and [`Refusal::Stopped`].
    pub async fn log(self: &Arc<Self>, name: &str) -> Result<Option<String>, Refusal> {
        let (sender, answer) = oneshot::channel();
        self.room(name).await?.tell(Command::Log(sender)).await?;
        let finished = answer.await.map_err(|_| Refusal::NoSuchRoom)?;
        let Some(finished) = finished else {
            return Ok(None);
        };
        self.apart(move || finished.log().map(Some)).await
    }

    /// Opens a room for a client at an address. Returns its name and the hash of its rules.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn create(
        self: &Arc<Self>,
        create: Create,
        address: IpAddr,
    ) -> Result<(String, String), Refusal> {
        self.check_room(Some(address))?;
        if self.store.rooms().await? >= self.limits.stored_rooms {
            return Err(Refusal::TooManyRooms);
        }
        let rules = self.load(&create.ruleset, &create.options).await?;
        let hash = hash_of(&rules);
        if create.ruleset_hash.is_some_and(|pinned| pinned != hash) {
            return Err(Refusal::OtherRules(hash));
        }
        let players = rules.plan().players();
        let seats = create
            .seats
            .unwrap_or_else(|| vec!["human".to_owned(); players]);
        if let Some(slow) = seats.iter().find(|name| name.starts_with("search")) {
            let fault = format!("`{slow}` thinks too long for a server");
            return Err(Refusal::BadSeats(fault));
        }
        let sitters: Vec<Sitter> = seats.iter().map(|name| Sitter::of_name(name)).collect();
        let people = sitters.iter().filter(|one| **one == Sitter::Human).count();
        create.clock.check(people)?;
        let no_random = |error: getrandom::Error| Refusal::Stopped(error.to_string());
        let opening = Opening {
            room: commitment::hex(&commitment::random::<8>().map_err(no_random)?),
            rules,
            ruleset: create.ruleset,
            options: create.options,
            sitters,
            clock: create.clock,
            seed: Seed::from_bytes(commitment::random().map_err(no_random)?),
        };
        let name = opening.room.clone();
        let room = Room::open(opening, &self.limits, Instant::now())?;
        self.keep(room, create.listed, Some(address))?;
        Ok((name, hash))
    }

    /// Checks that there may be one more room.
    fn check_room(&self, address: Option<IpAddr>) -> Result<(), Refusal> {
        let rooms = self.rooms();
        let open = rooms.values().filter(|room| room.is_open());
        let by_it = open.clone().filter(|room| room.opened_by == address);
        let of_one = address.is_some() && by_it.count() >= self.limits.rooms_per_address;
        match of_one || open.count() >= self.limits.rooms {
            true => Err(Refusal::TooManyRooms),
            false => Ok(()),
        }
    }

    /// Starts the task of a room.
    fn keep(
        self: &Arc<Self>,
        room: Room,
        is_listed: bool,
        opened_by: Option<IpAddr>,
    ) -> Result<Handle, Refusal> {
        // Others may have opened rooms since the first check.
        self.check_room(opened_by)?;
        let (sender, commands) = mpsc::channel(WAITING);
        let about = room.about();
        let name = about.room.clone();
        let handle = Handle {
            commands: sender,
            about: Arc::new(Mutex::new(about)),
            is_listed,
            opened_by,
        };
        self.rooms().insert(name.clone(), handle.clone());
        let (lobby, own) = (Arc::clone(self), handle.clone());
        tokio::spawn(async move {
            lobby.run(room, &name, commands, &own.about).await;
            let mut rooms = lobby.rooms();
            // It may have been read again already.
            let is_own = |room: &Handle| room.commands.same_channel(&own.commands);
            if rooms.get(&name).is_some_and(is_own) {
                rooms.remove(&name);
            }
        });
        Ok(handle)
    }

    /// The room of a name, from memory or from the database.
    ///
    /// # Errors
    /// [`Refusal::NoSuchRoom`], [`Refusal::TooManyRooms`], [`Refusal::Storage`], and those of [`Room::restore`].
    pub async fn room(self: &Arc<Self>, name: &str) -> Result<Handle, Refusal> {
        let known = |lobby: &Self| {
            let room = lobby.rooms().get(name).cloned();
            room.filter(Handle::is_open)
        };
        if let Some(room) = known(self) {
            return Ok(room);
        }
        let is_name = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_name || !self.store.is_kept() {
            return Err(Refusal::NoSuchRoom);
        }
        let _one_at_a_time = self.loading.lock().await;
        if let Some(room) = known(self) {
            return Ok(room);
        }
        let loaded = self.store.load(name).await?.ok_or(Refusal::NoSuchRoom)?;
        self.check_room(None)?;
        let rules = self
            .load(&loaded.room.ruleset, &loaded.room.options)
            .await?;
        let (limits, own) = (self.limits, name.to_owned());
        let restore = move || Room::restore(&own, loaded, rules, &limits, Instant::now());
        let room = self.apart(restore).await?;
        self.keep(room, false, None)
    }

    /// Runs a room until nobody is in it for some time, or it fails.
    async fn run(
        &self,
        mut room: Room,
        name: &str,
        mut commands: mpsc::Receiver<Command>,
        about: &Mutex<RoomAnswer>,
    ) {
        let mut decided = 0;
        loop {
            if let Err(refusal) = self.settle(&mut room).await {
                room.fail(&refusal);
                return;
            }
            self.decisions
                .fetch_add(room.decisions() - decided, Ordering::Relaxed);
            decided = room.decisions();
            let empty = Instant::now() + Limits::EMPTY;
            let wake = match (room.wake(), room.is_idle()) {
                (wake, false) => wake,
                (wake, true) => Some(wake.map_or(empty, |wake| wake.min(empty))),
            };
            let command = tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => command,
                    None => return,
                },
                () = sleep_until(wake) => {
                    if room.is_idle() && Instant::now() >= empty {
                        break;
                    }
                    continue;
                }
            };
            self.obey(&mut room, command).await;
            *about.lock().unwrap_or_else(PoisonError::into_inner) = room.about();
        }
        if room.stage() == Stage::Waiting {
            let (stored, deal) = (None, None);
            let room = name.to_owned();
            // What cannot be deleted now is deleted as an old room.
            let _ = self.store.save(Save { room, stored, deal }).await;
        }
    }

    /// Lets a room do what is due, and stores what it says.
    async fn settle(&self, room: &mut Room) -> Result<(), Refusal> {
        while let Some(save) = room.advance(Instant::now())? {
            if self.store.is_kept() {
                self.store.save(save).await?;
            }
        }
        Ok(())
    }

    /// Does what a room was told.
    async fn obey(&self, room: &mut Room, command: Command) {
        let now = Instant::now();
        // Whoever waits for an answer may be gone.
        match command {
            Command::Join(client, join, id, reply) => {
                let joined = room.join(client, &join, &self.limits, id, now);
                let _ = reply.send(joined);
            }
            Command::Rejoin(client, token, id, reply) => {
                let _ = reply.send(room.rejoin(client, &token, id, now));
            }
            Command::Watch(client, hash, id, reply) => {
                let _ = reply.send(room.watch(client, hash.as_deref(), id, now));
            }
            Command::Act(client, question, action, id) => {
                if let Err(refusal) = room.act(&client, question, &action, id, now) {
                    client.refuse(&refusal, id);
                }
            }
            Command::Leave(client, gives_up) => room.leave(client, gives_up, now),
            Command::Log(reply) => drop(reply.send(room.log())),
        }
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
