//! [`Store`]: rooms and decisions in an SQLite database.
//!
//! One thread writes. It puts what waits into one transaction, and answers when that is committed. A table shows a
//! decision only after it is stored, so a server that is killed loses nothing that anybody has seen.

use crate::clock::Clock;
use crate::message::{Options, Stage};
use paishan::encode::BytesError;
use paishan::game::Moves;
use paishan::{Action, Seat, Seed};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot};

/// A failure of the database.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// SQLite reports an error.
    #[error("{0}")]
    Sqlite(String),
    /// A room that is stored in a form that cannot be read.
    #[error("the room is damaged: {0}")]
    Damaged(String),
    /// The thread of the database has ended.
    #[error("the database is closed")]
    Closed,
    /// The database was made by a later version of the server.
    #[error("the database has version {0}")]
    Version(i64),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error.to_string())
    }
}

impl From<BytesError> for StoreError {
    fn from(error: BytesError) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// A seat as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredSeat {
    /// `human`, or the name of an agent.
    pub sitter: String,
    /// The name of the person.
    pub name: Option<String>,
    /// The hash of the token.
    pub token: Option<String>,
}

/// What a room is made of, beside its decisions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredRoom {
    /// The id of the ruleset.
    pub ruleset: String,
    /// Its options.
    pub options: Options,
    /// The hash of the rules.
    pub ruleset_hash: String,
    /// The times.
    pub clock: Clock,
    /// The seats in player order.
    pub seats: Vec<StoredSeat>,
    /// The seed of the walls.
    pub seed: Seed,
    /// Whether the match has begun.
    pub stage: Stage,
    /// What is left of each player's bank, in milliseconds.
    pub bank_ms: Vec<u64>,
    /// The number of the frame that was shown last.
    pub shown: u64,
}

/// The decisions of one deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredDeal {
    /// The number of the deal.
    pub deal: u32,
    /// The decisions.
    pub moves: Moves,
}

/// What is written.
#[derive(Clone, Debug)]
pub struct Save {
    /// The name of the room.
    pub room: String,
    /// The room. `None` deletes it.
    pub stored: Option<StoredRoom>,
    /// The decisions of the deal in play.
    pub deal: Option<StoredDeal>,
}

/// A room from the database, with the decisions of all deals.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The room.
    pub room: StoredRoom,
    /// All decisions of the match.
    pub decisions: Vec<(Seat, Action)>,
}

enum Job {
    Save(Box<Save>, oneshot::Sender<Result<(), StoreError>>),
    Load(String, oneshot::Sender<Result<Option<Loaded>, StoreError>>),
    Count(oneshot::Sender<Result<usize, StoreError>>),
}

/// The door to the database. Without one everything is kept in memory alone.
#[derive(Clone, Debug)]
pub struct Store {
    jobs: Option<mpsc::Sender<Job>>,
}

/// The version of the tables.
const VERSION: i64 = 1;
/// The most jobs of one transaction.
const BATCH: usize = 512;

impl Store {
    /// A store that keeps nothing.
    pub fn none() -> Self {
        Self { jobs: None }
    }

    /// True if there is a database.
    pub fn is_kept(&self) -> bool {
        self.jobs.is_some()
    }

    /// Opens or makes a database. Rooms that have not changed for some days are deleted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(path: &Path, keep_days: u32) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        prepare(&connection, now() - i64::from(keep_days) * 86_400)?;
        let (sender, mut receiver) = mpsc::channel(4 * BATCH);
        let run = move || {
            let mut jobs = Vec::with_capacity(BATCH);
            while receiver.blocking_recv_many(&mut jobs, BATCH) > 0 {
                work(&mut connection, &mut jobs);
            }
        };
        let thread = std::thread::Builder::new().name("store".to_owned());
        let spawned = thread.spawn(run);
        spawned.map_err(|error| StoreError::Sqlite(error.to_string()))?;
        Ok(Self { jobs: Some(sender) })
    }

    async fn ask<T>(
        &self,
        none: T,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job,
    ) -> Result<T, StoreError> {
        let Some(jobs) = &self.jobs else {
            return Ok(none);
        };
        let (sender, answer) = oneshot::channel();
        let sent = jobs.send(job(sender)).await;
        sent.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Writes a room. It is committed when this returns.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn save(&self, save: Save) -> Result<(), StoreError> {
        self.ask((), |answer| Job::Save(Box::new(save), answer))
            .await
    }

    /// Reads a room. `None` if there is none of this name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn load(&self, room: &str) -> Result<Option<Loaded>, StoreError> {
        self.ask(None, |answer| Job::Load(room.to_owned(), answer))
            .await
    }

    /// The number of stored rooms.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn rooms(&self) -> Result<usize, StoreError> {
        self.ask(0, Job::Count).await
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

fn prepare(connection: &Connection, oldest: i64) -> Result<(), StoreError> {
    // With the journal beside the database a killed server loses nothing. Only a crash of the machine can lose what
    // was committed last.
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        0 => connection.execute_batch(
            "CREATE TABLE rooms (
                 room TEXT PRIMARY KEY,
                 changed INTEGER NOT NULL,
                 stored TEXT NOT NULL
             ) WITHOUT ROWID;
             CREATE TABLE deals (
                 room TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE,
                 deal INTEGER NOT NULL,
                 moves BLOB NOT NULL,
                 PRIMARY KEY (room, deal)
             ) WITHOUT ROWID;
             PRAGMA user_version = 1;",
        )?,
        VERSION => {}
        other => return Err(StoreError::Version(other)),
    }
    connection.execute("DELETE FROM rooms WHERE changed < ?", [oldest])?;
    Ok(())
}

/// Does the jobs in one transaction, and answers them after it.
fn work(connection: &mut Connection, jobs: &mut Vec<Job>) {
    let mut saved = Vec::new();
    let mut loads = Vec::new();
    let done = (|| {
        let transaction = connection.transaction()?;
        for job in jobs.drain(..) {
            match job {
                Job::Save(save, answer) => {
                    let result = write(&transaction, &save);
                    saved.push((answer, result));
                }
                job => loads.push(job),
            }
        }
        transaction.commit()?;
        Ok(())
    })();
    for (answer, result) in saved {
        // Whoever asked may be gone.
        let _ = answer.send(done.clone().and(result));
    }
    // A failed transaction may leave jobs behind. Their senders learn of it when they are dropped.
    jobs.clear();
    for job in loads {
        match job {
            Job::Load(room, answer) => drop(answer.send(read(connection, &room))),
            Job::Count(answer) => drop(answer.send(count(connection))),
            Job::Save(..) => {}
        }
    }
}

fn write(connection: &Connection, save: &Save) -> Result<(), StoreError> {
    let Some(stored) = &save.stored else {
        let mut delete = connection.prepare_cached("DELETE FROM rooms WHERE room = ?")?;
        delete.execute([&save.room])?;
        return Ok(());
    };
    let mut put = connection.prepare_cached(
        "INSERT INTO rooms (room, changed, stored) VALUES (?, ?, ?)
         ON CONFLICT (room) DO UPDATE SET changed = excluded.changed, stored = excluded.stored",
    )?;
    put.execute(params![save.room, now(), serde_json::to_string(stored)?])?;
    if let Some(StoredDeal { deal, moves }) = &save.deal {
        let mut put = connection
            .prepare_cached("INSERT OR REPLACE INTO deals (room, deal, moves) VALUES (?, ?, ?)")?;
        put.execute(params![save.room, deal, moves.to_bytes()])?;
    }
    Ok(())
}

fn read(connection: &Connection, room: &str) -> Result<Option<Loaded>, StoreError> {
    let mut get = connection.prepare_cached("SELECT stored FROM rooms WHERE room = ?")?;
    let stored: Option<String> = get.query_row([room], |row| row.get(0)).optional()?;
    let Some(stored) = stored else {
        return Ok(None);
    };
    let mut get =
        connection.prepare_cached("SELECT moves FROM deals WHERE room = ? ORDER BY deal")?;
    let mut rows = get.query([room])?;
    let mut decisions = Vec::new();
    while let Some(row) = rows.next()? {
        let moves = Moves::from_bytes(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?)?;
        decisions.extend_from_slice(moves.decisions());
    }
    Ok(Some(Loaded {
        room: serde_json::from_str(&stored)?,
        decisions,
    }))
}

fn count(connection: &Connection) -> Result<usize, StoreError> {
    let count = connection.query_row("SELECT count(*) FROM rooms", [], |row| row.get::<_, i64>(0));
    Ok(count.map(|count| count as usize)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(stage: Stage) -> StoredRoom {
        StoredRoom {
            ruleset: "woo".to_owned(),
            options: Options::new(),
            ruleset_hash: "0".to_owned(),
            clock: Clock::default(),
            seats: Vec::new(),
            seed: 7.into(),
            stage,
            bank_ms: vec![1, 2],
            shown: 3,
        }
    }

    fn moves(actions: &[&str]) -> Moves {
        let decision = |action: &&str| (Seat::SOUTH, action.parse().unwrap());
        Moves::of(7, actions.iter().map(decision).collect())
    }

    #[tokio::test]
    async fn what_is_saved_is_there_when_the_database_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rooms.sqlite");
        let save = |stage, deal, actions: &[&str]| Save {
            room: "a".to_owned(),
            stored: Some(room(stage)),
            deal: Some(StoredDeal {
                deal,
                moves: moves(actions),
            }),
        };
        {
            let store = Store::open(&path, 30).unwrap();
            assert!(store.load("a").await.unwrap().is_none());
            store
                .save(save(Stage::Playing, 1, &["dahai E"]))
                .await
                .unwrap();
            store
                .save(save(Stage::Playing, 1, &["dahai E", "none"]))
                .await
                .unwrap();
            store.save(save(Stage::Over, 2, &["hora"])).await.unwrap();
            assert_eq!(store.rooms().await, Ok(1));
        }
        let store = Store::open(&path, 30).unwrap();
        let loaded = store.load("a").await.unwrap().unwrap();
        assert_eq!(loaded.room, room(Stage::Over));
        assert_eq!(
            loaded.decisions,
            moves(&["dahai E", "none", "hora"]).decisions()
        );
        let stored = None;
        let deal = None;
        let room = "a".to_owned();
        store.save(Save { room, stored, deal }).await.unwrap();
        assert_eq!(store.rooms().await, Ok(0));
    }

    #[tokio::test]
    async fn damage_and_old_rooms_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rooms.sqlite");
        let stored = Some(room(Stage::Playing));
        let moves = moves(&["dahai E"]);
        let deal = Some(StoredDeal { deal: 1, moves });
        let name = "a".to_owned();
        {
            let store = Store::open(&path, 30).unwrap();
            let room = name.clone();
            store.save(Save { room, stored, deal }).await.unwrap();
            let other = Connection::open(&path).unwrap();
            let damage = "UPDATE deals SET moves = CAST(substr(moves, 2) AS BLOB)";
            assert_eq!(other.execute(damage, []), Ok(1));
            let found = store.load("a").await.unwrap_err();
            assert!(matches!(found, StoreError::Damaged(_)), "{found:?}");
            other
                .execute("UPDATE rooms SET changed = changed - 31 * 86400", [])
                .unwrap();
        }
        let store = Store::open(&path, 32).unwrap();
        assert_eq!(store.rooms().await, Ok(1));
        drop(store);
        let store = Store::open(&path, 30).unwrap();
        assert_eq!(store.rooms().await, Ok(0));
        let other = Connection::open(&path).unwrap();
        other.pragma_update(None, "user_version", 2).unwrap();
        assert_eq!(Store::open(&path, 30).unwrap_err(), StoreError::Version(2));
    }
}
