//! Clients that break the rules are refused, and others play on.

mod common;

use common::{Socket, choice};
use futures_util::SinkExt;
use paishan_server::limits::Limits;
use paishan_server::lobby::Lobby;
use paishan_server::rulesets::Rulesets;
use paishan_server::server::Server;
use paishan_server::store::Store;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

async fn start(limits: Limits, page: Option<PathBuf>) -> (SocketAddr, Arc<Lobby>) {
    let lobby = Lobby::new(limits, Rulesets::default(), Store::none());
    let any = "127.0.0.1:0".parse().unwrap();
    let server = Server::bind(any, Arc::clone(&lobby), page).await.unwrap();
    let address = server.address().unwrap();
    tokio::spawn(server.run(std::future::pending()));
    (address, lobby)
}

fn one_person() -> Value {
    let clock = json!({"claim_ms": 20, "pace_ms": 10, "pause_ms": 10});
    json!({"type": "create", "ruleset": "woo", "seats": ["human", "greedy", "greedy", "greedy"], "clock": clock})
}

/// Opens a room and takes its seat.
async fn sit(socket: &mut Socket) -> (String, String) {
    let created = socket.ask(one_person()).await;
    let room = created["room"].as_str().expect("a room").to_owned();
    let seated = socket
        .ask(json!({"type": "join", "room": room, "name": "Ann"}))
        .await;
    (room, seated["token"].as_str().unwrap().to_owned())
}

/// Answers some questions.
async fn play(socket: &mut Socket, questions: usize) {
    for number in 0..questions {
        let ask = socket.wait_for("ask").await;
        let action = choice(&ask["view"], number as u64);
        socket
            .send(json!({"type": "act", "question": ask["question"], "action": action}))
            .await;
        socket.wait_for("accepted").await;
    }
}

#[tokio::test]
async fn wrong_messages_are_refused() {
    let (address, _) = start(Limits::default(), None).await;
    let mut socket = Socket::connect(address).await;
    for wrong in [
        "",
        "{",
        "[]",
        r#"{"type":"rooms","x":1}"#,
        "\u{0}",
        &"[".repeat(8_000),
    ] {
        socket.send_text(wrong).await;
        assert_eq!(socket.next().await.unwrap()["code"], "bad-message");
    }
    socket.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(socket.next().await.unwrap()["code"], "bad-message");
    let mut socket = Socket::connect(address).await;
    for (code, request) in [
        ("not-in-room", json!({"type": "leave"})),
        (
            "not-in-room",
            json!({"type": "act", "question": 1, "action": "none"}),
        ),
        (
            "no-such-room",
            json!({"type": "join", "room": "x", "name": "Ann"}),
        ),
        (
            "no-such-room",
            json!({"type": "watch", "room": "0123456789abcdef"}),
        ),
        (
            "bad-message",
            json!({"type": "watch", "room": "x", "lang": "??"}),
        ),
    ] {
        assert_eq!(socket.refused(request).await, code);
    }
    for (code, change) in [
        ("unknown-ruleset", json!({"ruleset": "chess"})),
        ("bad-options", json!({"options": {"rounds": "many"}})),
        ("bad-options", json!({"options": {"nothing": 1}})),
        ("other-rules", json!({"ruleset_hash": "0000000000000000"})),
        ("bad-seats", json!({"seats": ["human"]})),
        (
            "bad-seats",
            json!({"seats": ["human", "greedy", "greedy", "nobody"]}),
        ),
        (
            "bad-seats",
            json!({"seats": ["human", "greedy", "greedy", "search"]}),
        ),
        ("bad-clock", json!({"clock": {"turn_ms": 1}})),
        (
            "bad-clock",
            json!({"seats": ["human", "human", "greedy", "greedy"], "clock": {"claim_ms": 0}}),
        ),
        ("bad-message", json!({"seed": 7})),
    ] {
        // A room costs more than a message.
        let mut socket = Socket::connect(address).await;
        let mut request = one_person();
        for (name, value) in change.as_object().unwrap() {
            request[name] = value.clone();
        }
        assert_eq!(socket.refused(request).await, code, "{change}");
    }
}

#[tokio::test]
async fn nobody_acts_for_others() {
    let (address, _) = start(Limits::default(), None).await;
    let mut owner = Socket::connect(address).await;
    let (room, token) = sit(&mut owner).await;
    let ask = owner.wait_for("ask").await;
    let act = |question: &Value, action: &str| json!({"type": "act", "question": question, "action": action});
    let action = choice(&ask["view"], 1);

    let mut other = Socket::connect(address).await;
    assert_eq!(
        other.refused(act(&ask["question"], &action)).await,
        "not-in-room"
    );
    let join = json!({"type": "join", "room": room, "name": "Bob"});
    assert_eq!(other.refused(join).await, "seat-taken");
    let rejoin = json!({"type": "rejoin", "room": room, "token": token.replace('a', "b")});
    let changed = token.contains('a');
    if changed {
        assert_eq!(other.refused(rejoin).await, "bad-token");
    }
    let pinned = json!({"type": "watch", "room": room, "ruleset_hash": "0"});
    assert_eq!(other.refused(pinned).await, "other-rules");
    assert_eq!(
        other.ask(json!({"type": "watch", "room": room})).await["type"],
        "watching"
    );
    assert_eq!(
        other.refused(act(&ask["question"], &action)).await,
        "not-asked"
    );
    assert_eq!(
        other.refused(json!({"type": "watch", "room": room})).await,
        "in-room"
    );

    assert_eq!(owner.refused(act(&json!(2), &action)).await, "not-asked");
    assert_eq!(
        owner.refused(act(&ask["question"], "dahai")).await,
        "bad-action"
    );
    assert_eq!(
        owner.refused(act(&ask["question"], "ryukyoku")).await,
        "not-legal"
    );
    assert_eq!(
        owner.ask(act(&ask["question"], &action)).await["type"],
        "accepted"
    );
    assert_eq!(
        owner.refused(act(&ask["question"], &action)).await,
        "not-asked"
    );

    // Whoever has the token has the seat, on one connection.
    let mut again = Socket::connect(address).await;
    let rejoin = json!({"type": "rejoin", "room": room, "token": token});
    assert_eq!(again.ask(rejoin).await["player"], 0);
    let replaced = owner.wait_for("error").await;
    assert_eq!(replaced["code"], "replaced");
    assert!(owner.next().await.is_none());
    play(&mut again, 2).await;
}

#[tokio::test]
async fn names_are_checked() {
    let (address, _) = start(Limits::default(), None).await;
    let mut socket = Socket::connect(address).await;
    let room = socket.ask(one_person()).await["room"].clone();
    for bad in ["", "   ", "a\nb", "a\u{202e}b", &"x".repeat(25), "a\u{0}"] {
        let join = json!({"type": "join", "room": room, "name": bad});
        assert_eq!(socket.refused(join).await, "bad-name", "{bad:?}");
    }
    let join = json!({"type": "join", "room": room, "name": " Müller 一 <b> "});
    assert_eq!(socket.ask(join).await["type"], "seated");
    let about = socket.wait_for("room").await;
    assert_eq!(about["seats"][0]["name"], "Müller 一 <b>");
}

#[tokio::test]
async fn floods_and_large_frames_close_the_connection() {
    let (address, _) = start(Limits::default(), None).await;
    let mut calm = Socket::connect(address).await;
    sit(&mut calm).await;

    let mut flood = Socket::connect(address).await;
    for _ in 0..500 {
        flood.send_text(r#"{"type":"rooms"}"#).await;
    }
    // What waits to be read when the connection is closed may be lost.
    let mut answers = 0;
    while let Some(message) = flood.next().await {
        answers += usize::from(message["type"] == "rooms");
    }
    assert!(answers < 60);

    let mut pings = Socket::connect(address).await;
    for _ in 0..500 {
        let _ = pings.0.send(Message::Ping(vec![0; 100].into())).await;
    }
    while pings.next().await.is_some() {}

    let mut rooms = Socket::connect(address).await;
    let mut codes = Vec::new();
    for _ in 0..6 {
        rooms.send(one_person()).await;
        codes.push(
            rooms.next().await.unwrap()["type"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    assert_eq!(
        codes,
        ["created", "created", "error", "error", "error", "error"]
    );

    for size in [9 * 1024, 4 << 20] {
        let mut large = Socket::connect(address).await;
        large.send_text(&" ".repeat(size)).await;
        while large.next().await.is_some() {}
    }
    play(&mut calm, 5).await;
}

#[tokio::test]
async fn rooms_and_connections_are_limited() {
    let limits = Limits {
        rooms: 3,
        rooms_per_address: 2,
        connections_per_address: 4,
        spectators: 1,
        ..Limits::default()
    };
    let (address, lobby) = start(limits, None).await;
    let mut first = Socket::connect(address).await;
    let (room, _) = sit(&mut first).await;
    let mut second = Socket::connect(address).await;
    assert_eq!(second.ask(one_person()).await["type"], "created");
    assert_eq!(second.refused(one_person()).await, "too-many-rooms");
    assert_eq!(lobby.len(), 2);
    // Two rooms have used up what may be sent at once.
    sleep(Duration::from_secs(1)).await;
    let watch = json!({"type": "watch", "room": room});
    assert_eq!(second.ask(watch.clone()).await["type"], "watching");
    let mut third = Socket::connect(address).await;
    assert_eq!(third.refused(watch.clone()).await, "too-many-spectators");
    second.ask(json!({"type": "leave"})).await;
    assert_eq!(third.ask(watch).await["type"], "watching");

    let fourth = Socket::connect(address).await;
    assert!(Socket::try_connect(address).await.is_none());
    drop(fourth);
    // The server learns of the loss a moment later.
    let again = async {
        while Socket::try_connect(address).await.is_none() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(5), again).await.unwrap();
    play(&mut first, 3).await;
}

/// A client that does not read is closed when too much waits for it, and its table goes on.
#[tokio::test]
async fn clients_that_do_not_read_are_closed() {
    let limits = Limits {
        waiting_messages: 8,
        message_bytes: 8 * 1024,
        ..Limits::default()
    };
    let (address, _) = start(limits, None).await;
    let mut owner = Socket::connect(address).await;
    let mut request = one_person();
    request["clock"]["watch_delay_ms"] = json!(0);
    let room = owner.ask(request).await["room"].clone();
    let mut deaf = Socket::connect(address).await;
    deaf.ask(json!({"type": "watch", "room": room})).await;
    // The system holds some megabytes for a client that does not read, so its requests are answered at length.
    let deaf = tokio::spawn(async move {
        let stop = tokio::time::Instant::now() + Duration::from_secs(4);
        while tokio::time::Instant::now() < stop {
            deaf.send_text(r#"{"type":"rooms"}"#).await;
            sleep(Duration::from_millis(210)).await;
        }
    });
    owner
        .ask(json!({"type": "join", "room": room, "name": "Ann"}))
        .await;
    play(&mut owner, 10).await;
    deaf.await.unwrap();
    play(&mut owner, 3).await;
}

#[tokio::test]
async fn wrong_http_is_refused_and_files_stay_inside_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<p>page</p>").unwrap();
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    let (address, _) = start(Limits::default(), Some(page)).await;
    let get = async |request: &str| {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // Some answers end with a reset, because the rest of the request was not read.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    };
    let path = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(get(&path("/")).await.ends_with("<p>page</p>"));
    for outside in [
        "/../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "//secret",
        "/x/../../secret",
    ] {
        assert!(!get(&path(outside)).await.ends_with("secret"), "{outside}");
    }
    assert!(get(&path("/ws")).await.starts_with("HTTP/1.1 4"));
    assert!(get("nonsense\r\n\r\n").await.starts_with("HTTP/1.1 400"));
    let large = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(!get(&large).await.contains("200 OK"));
    let mut socket = Socket::connect(address).await;
    assert_eq!(
        socket.ask(json!({"type": "rooms"})).await["rooms"],
        json!([])
    );
}
