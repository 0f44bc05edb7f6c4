//! A match of four people over WebSocket. One connection is lost and comes back, the server is killed and started again on
//! the same database. The log is that of the same decisions played in process.

mod common;

use common::{Socket, choice};
use paishan::game::{Match, Observer};
use paishan::log::{Line, LogOptions, Recorder, replay};
use paishan::random::Seeds;
use paishan::{Action, Notation, Rules, Seed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;

/// A server in a process of its own, killed when it is dropped.
struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    fn start(database: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_paishan-server"))
            .args(["--listen", "127.0.0.1:0", "--messages", "200", "--database"])
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("http://")
            .unwrap()
            .parse()
            .unwrap();
        Self { child, address }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SIGKILL: nothing is written any more.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// What a person knows of its own decisions.
#[derive(Default)]
struct Decisions {
    /// What was sent, by the number of the question.
    sent: BTreeMap<u32, String>,
    /// What the server has accepted or decided itself.
    known: BTreeMap<u32, String>,
    connections: usize,
    over: Value,
}

/// Plays to the end. Comes back whenever the connection is lost, and loses it once on purpose.
async fn play(
    player: usize,
    room: String,
    address: watch::Receiver<SocketAddr>,
    updates: Arc<AtomicU64>,
) -> Decisions {
    let mut decisions = Decisions::default();
    let mut token: Option<String> = None;
    loop {
        let at = *address.borrow();
        let Some(mut socket) = Socket::try_connect(at).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        decisions.connections += 1;
        let enter = match &token {
            None => {
                json!({"type": "join", "room": room, "name": format!("P{player}"), "player": player})
            }
            Some(token) => json!({"type": "rejoin", "room": room, "token": token}),
        };
        socket.send(enter).await;
        let mut shown: Option<u64> = None;
        while let Some(message) = socket.next().await {
            match message["type"].as_str().unwrap() {
                "seated" => {
                    assert_eq!(message["player"], player);
                    token = message["token"].as_str().map(str::to_owned);
                }
                "update" | "ended" => {
                    let number = message["number"].as_u64().unwrap();
                    assert!(shown.is_none_or(|shown| number == shown + 1));
                    shown = Some(number);
                    updates.fetch_max(number, Ordering::Relaxed);
                }
                "ask" => {
                    let question = message["question"].as_u64().unwrap() as u32;
                    let action = choice(&message["view"], u64::from(question) * 4 + player as u64);
                    decisions.sent.insert(question, action.clone());
                    socket
                        .send(json!({"type": "act", "question": question, "action": action}))
                        .await;
                    if player == 2 && question == 9 {
                        break;
                    }
                }
                "accepted" => {
                    let question = message["question"].as_u64().unwrap() as u32;
                    let action = decisions.sent[&question].clone();
                    decisions.known.insert(question, action);
                }
                "defaulted" => {
                    let question = message["question"].as_u64().unwrap() as u32;
                    let action = message["action"].as_str().unwrap().to_owned();
                    decisions.known.insert(question, action);
                }
                "over" => {
                    decisions.over = message;
                    return decisions;
                }
                "error" => assert_eq!(message["code"], "not-asked", "{message}"),
                _ => {}
            }
        }
        drop(socket);
        sleep(Duration::from_millis(150)).await;
    }
}

/// Gets a path by HTTP.
async fn get(address: SocketAddr, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

fn rules() -> Rules {
    Rules::by_id_with("woo", &[("rounds".to_owned(), 2.into())]).unwrap()
}

/// The log of the match in process. Of decisions that a person cannot know, `defaults` tells those of the server.
fn in_process(
    seed: Seed,
    people: &[Decisions],
    defaults: &BTreeSet<(usize, u32)>,
) -> Option<Vec<Line>> {
    let rules = rules();
    let names = (0..4).map(|player| format!("P{player}")).collect();
    let mut options = LogOptions::new(names, Notation::Ujmj);
    options.agent_seed = Some(Seeds::from(seed).agents);
    let mut lines = Vec::new();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    let mut series = Match::new(&rules, seed);
    let mut questions = [0; 4];
    recorder.match_started(series.state());
    while !series.is_over() {
        let mut deal = series.start_deal_observed(&mut recorder);
        while let Some(seat) = deal.state().deciding().next() {
            let player = seat.player(deal.state().dealer(), 4).index();
            questions[player] += 1;
            let question = questions[player];
            let sent = people[player].sent.get(&question);
            let sent = sent.filter(|_| !defaults.contains(&(player, question)));
            let action = match people[player].known.get(&question).or(sent) {
                Some(action) => action.parse::<Action>().unwrap(),
                None => deal.legal(seat).default_action().unwrap(),
            };
            deal.act_observed(seat, action, &mut recorder).ok()?;
        }
        let next = series.finish(&deal).ok()?;
        let outcome = deal.outcome().unwrap();
        recorder.deal_ended(series.state(), deal.state(), outcome, next);
    }
    recorder.match_ended(series.state());
    drop(recorder);
    Some(lines)
}

#[tokio::test(flavor = "multi_thread")]
async fn four_clients_come_back_after_losses() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("rooms.sqlite");
    let server = Process::start(&database);
    let mut host = Socket::connect(server.address).await;
    let clock = json!({"claim_ms": 40, "turn_ms": 60_000, "pause_ms": 20});
    let create =
        json!({"type": "create", "ruleset": "woo", "options": {"rounds": 2}, "clock": clock});
    let created = host.ask(create).await;
    let room = created["room"].as_str().unwrap().to_owned();
    let hash = format!("{:016x}", rules().plan().content_hash());
    assert_eq!(created["ruleset_hash"], hash);
    let listed = host.ask(json!({"type": "rooms"})).await["rooms"][0].clone();
    assert_eq!(
        (&listed["room"], &listed["stage"]),
        (&json!(room), &json!("waiting"))
    );
    drop(host);

    let (set_address, address) = watch::channel(server.address);
    let updates = Arc::new(AtomicU64::new(0));
    let person = |player| play(player, room.clone(), address.clone(), Arc::clone(&updates));
    let people: Vec<_> = (0..4).map(|player| tokio::spawn(person(player))).collect();
    while updates.load(Ordering::Relaxed) < 80 {
        assert!(!people.iter().any(|person| person.is_finished()));
        sleep(Duration::from_millis(5)).await;
    }
    drop(server);
    sleep(Duration::from_millis(100)).await;
    let server = Process::start(&database);
    set_address.send(server.address).unwrap();
    let mut known = Vec::new();
    for person in people {
        known.push(person.await.unwrap());
    }
    assert!(updates.load(Ordering::Relaxed) > 120);
    let connections: Vec<usize> = known.iter().map(|one| one.connections).collect();
    assert_eq!(connections, [2, 2, 3, 2]);

    let over = &known[0].over;
    assert!(known.iter().all(|one| one.over == *over));
    assert_eq!(over["commitment"], listed["commitment"]);
    let seed: Seed = over["seed"].as_str().unwrap().parse().unwrap();
    assert_eq!(listed["commitment"], paishan_server::commitment::of(seed));

    let (head, log) = get(server.address, over["log"].as_str().unwrap()).await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let log: Vec<Line> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // Answers on their way when a connection was lost are the person's or the server's.
    let unknown = known.iter().enumerate().flat_map(|(player, one)| {
        let sent = one
            .sent
            .keys()
            .filter(|question| !one.known.contains_key(question));
        sent.map(move |&question| (player, question))
    });
    let unknown: Vec<_> = unknown.collect();
    assert!(unknown.len() < 10, "{unknown:?}");
    let same = (0..1_u32 << unknown.len()).any(|choice| {
        let is_default = |(place, _): &(usize, &(usize, u32))| choice >> place & 1 == 1;
        let defaults = unknown
            .iter()
            .enumerate()
            .filter(is_default)
            .map(|(_, one)| *one);
        in_process(seed, &known, &defaults.collect()).is_some_and(|lines| lines == log)
    });
    assert!(same);
    assert!(replay(&log, Rules::by_id_with).unwrap().complete);

    // The room can be read again, by an old owner and by others.
    let mut late = Socket::connect(server.address).await;
    assert_eq!(
        late.refused(json!({"type": "join", "room": room, "name": "X"}))
            .await,
        "seat-taken"
    );
    assert_eq!(
        late.refused(json!({"type": "rejoin", "room": room, "token": "0"}))
            .await,
        "bad-token"
    );
    late.send(json!({"type": "watch", "room": room})).await;
    assert_eq!(late.wait_for("over").await, *over);
}

/// A match in play has no log, nor has a room that does not exist.
#[tokio::test(flavor = "multi_thread")]
async fn only_a_finished_match_has_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(&folder.path().join("rooms.sqlite"));
    let mut host = Socket::connect(server.address).await;
    let seats = ["human", "greedy", "greedy", "greedy"];
    let created = host
        .ask(json!({"type": "create", "ruleset": "woo", "seats": seats}))
        .await;
    let room = created["room"].as_str().unwrap();
    let seated = host
        .ask(json!({"type": "join", "room": room, "name": "Ann"}))
        .await;
    assert_eq!(seated["type"], "seated");
    let (head, _) = get(server.address, &format!("/api/rooms/{room}/log")).await;
    assert!(head.starts_with("HTTP/1.1 409"), "{head}");
    for unknown in [
        "/api/rooms/0123456789abcdef/log",
        "/api/rooms/x/log",
        "/nothing",
    ] {
        let (head, _) = get(server.address, unknown).await;
        assert!(head.starts_with("HTTP/1.1 404"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"));
    }
}
