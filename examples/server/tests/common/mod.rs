//! A client of the server, and what people do in tests.

#![allow(dead_code)]

use futures_util::{SinkExt, StreamExt};
use paishan::state::{ActionSnapshot, Snapshot};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The longest wait for a message.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection to a server.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Connects and reads the first message.
    pub async fn connect(address: SocketAddr) -> Self {
        let mut socket = Self::try_connect(address).await.unwrap();
        assert_eq!(socket.next().await.unwrap()["type"], "welcome");
        socket
    }

    pub async fn try_connect(address: SocketAddr) -> Option<Self> {
        let (socket, _) = connect_async(format!("ws://{address}/ws")).await.ok()?;
        Some(Self(socket))
    }

    pub async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        // The other side may have closed the connection. The next read tells.
        let _ = self.0.send(Message::text(text)).await;
    }

    /// The next message. `None` when the connection is closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let message = timeout(PATIENCE, self.0.next())
                .await
                .expect("a message in time");
            match message?.ok()? {
                Message::Text(text) => return serde_json::from_str(&text).ok(),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    /// The next message of a type.
    pub async fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await;
            let message = message.unwrap_or_else(|| panic!("closed before `{kind}`"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Sends a request and returns its answer or error.
    pub async fn ask(&mut self, mut request: Value) -> Value {
        request["id"] = json!(77);
        self.send(request).await;
        loop {
            let message = self.next().await.expect("an answer");
            if message["id"] == 77 {
                return message;
            }
        }
    }

    /// The code of the error with which a request is refused.
    pub async fn refused(&mut self, request: Value) -> String {
        let answer = self.ask(request).await;
        assert_eq!(answer["type"], "error", "{answer}");
        answer["code"].as_str().unwrap().to_owned()
    }
}

/// What a person decides: to win, and otherwise what a number picks among the legal actions, with a liking for claims.
pub fn choice(view: &Value, number: u64) -> String {
    let snapshot: Snapshot = serde_json::from_value(view.clone()).unwrap();
    choose(&snapshot, number).action.to_string()
}

pub fn choose(view: &Snapshot, number: u64) -> &ActionSnapshot {
    let is = |one: &&ActionSnapshot, word: &str| one.action.to_string().starts_with(word);
    let legal = &view.legal;
    let win = legal.iter().find(|one| is(one, "hora"));
    let claim = legal.iter().find(|one| is(one, "pon") || is(one, "chi"));
    let place = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    let any = &legal[place as usize % legal.len()];
    win.or(claim.filter(|_| !place.is_multiple_of(3)))
        .unwrap_or(any)
}
