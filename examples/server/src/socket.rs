//! A WebSocket connection: reads requests, writes what waits for the client.

use crate::client::{Client, Outbox};
use crate::error::Refusal;
use crate::limits::{Allowance, Limits};
use crate::lobby::{Command, Handle, Lobby};
use crate::message::{self, Answer, Request};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::SinkExt;
use futures_util::stream::{SplitSink, StreamExt};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// The code with which a connection that breaks the rules is closed.
const POLICY: u16 = 1008;

/// Serves a connection until either side closes it.
pub async fn serve(socket: WebSocket, lobby: Arc<Lobby>, address: IpAddr) {
    let (client, outbox) = Client::new(lobby.limits().waiting_messages);
    client.send(lobby.welcome());
    let (sink, mut stream) = socket.split();
    let mut writer = tokio::spawn(write(sink, outbox));
    let mut connection = Connection {
        allowance: Allowance::new(lobby.limits()),
        lobby,
        address,
        client,
        room: None,
    };
    let (mut last, mut request) = (Instant::now(), Instant::now());
    loop {
        let received = tokio::select! {
            received = timeout(Limits::SILENCE, stream.next()) => received,
            _ = &mut writer => break,
        };
        let Ok(Some(Ok(message))) = received else {
            break;
        };
        let now = Instant::now();
        if !connection.allowance.take(now - last) {
            let most = connection.lobby.limits().messages_at_once;
            connection.client.refuse(&Refusal::TooFast(most), None);
            break;
        }
        last = now;
        match message {
            Message::Text(text) => {
                request = now;
                connection.take(text.as_str()).await;
            }
            Message::Binary(_) => {
                let fault = "messages are text".to_owned();
                connection.client.refuse(&Refusal::BadMessage(fault), None);
            }
            Message::Close(_) => break,
            Message::Ping(_) | Message::Pong(_) => {}
        }
        if connection.room.is_none() && now - request > Limits::SILENCE {
            break;
        }
    }
    if let Some(room) = connection.room {
        // A room that has ended needs no notice.
        let _ = room
            .tell(Command::Leave(connection.client.id(), false))
            .await;
    }
    connection.client.close();
    if !writer.is_finished() {
        let _ = timeout(Limits::HEAD, writer).await;
    }
}

/// Writes messages and pings until the connection is closed.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut outbox: Outbox) {
    let mut pings = interval(Limits::PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pings.tick().await;
    loop {
        let message = tokio::select! {
            biased;
            () = outbox.close.notified() => break,
            message = outbox.messages.recv() => match message {
                Some(text) => Message::Text((&*text).into()),
                None => break,
            },
            _ = pings.tick() => Message::Ping(Vec::new().into()),
        };
        // A client that does not read must not keep the task.
        match timeout(Limits::SILENCE, sink.send(message)).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
    outbox.messages.close();
    let last = async {
        while let Some(text) = outbox.messages.recv().await {
            sink.feed(Message::Text((&*text).into())).await?;
        }
        let code = POLICY;
        let reason = "closed by the server".into();
        sink.send(Message::Close(Some(CloseFrame { code, reason })))
            .await
    };
    let _ = timeout(Limits::HEAD, last).await;
}

struct Connection {
    lobby: Arc<Lobby>,
    address: IpAddr,
    client: Client,
    allowance: Allowance,
    room: Option<Handle>,
}

impl Connection {
    /// Does what a message asks for.
    async fn take(&mut self, text: &str) {
        let (id, request) = message::read(text);
        let done = match request {
            Ok(request) => self.answer(request, id).await,
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = done {
            self.client.refuse(&refusal, id);
        }
    }

    async fn answer(&mut self, request: Request, id: Option<u64>) -> Result<(), Refusal> {
        match request {
            Request::Rooms {} => {
                let rooms = self.lobby.list();
                self.client.answer(&Answer::Rooms { rooms }, id);
            }
            Request::Create(create) => {
                if !self.allowance.take_room() {
                    return Err(Refusal::TooManyRooms);
                }
                let (room, hash) = self.lobby.create(create, self.address).await?;
                let created = Answer::Created {
                    room: &room,
                    ruleset_hash: &hash,
                };
                self.client.answer(&created, id);
            }
            Request::Join(join) => {
                let room = self.enter(&join.room, join.lang.as_deref()).await?;
                let client = self.client.clone();
                room.enter(|reply| Command::Join(client, join, id, reply))
                    .await?;
                self.room = Some(room);
            }
            Request::Rejoin { room, token, lang } => {
                let room = self.enter(&room, lang.as_deref()).await?;
                let client = self.client.clone();
                room.enter(|reply| Command::Rejoin(client, token, id, reply))
                    .await?;
                self.room = Some(room);
            }
            Request::Watch {
                room,
                ruleset_hash,
                lang,
            } => {
                let room = self.enter(&room, lang.as_deref()).await?;
                let client = self.client.clone();
                room.enter(|reply| Command::Watch(client, ruleset_hash, id, reply))
                    .await?;
                self.room = Some(room);
            }
            Request::Act { question, action } => {
                let room = self.room.as_ref().ok_or(Refusal::NotInRoom)?;
                let client = self.client.clone();
                room.tell(Command::Act(client, question, action, id))
                    .await?;
            }
            Request::Leave {} => {
                let room = self.room.take().ok_or(Refusal::NotInRoom)?;
                room.tell(Command::Leave(self.client.id(), true)).await?;
                self.client.answer(&Answer::Left {}, id);
            }
        }
        Ok(())
    }

    /// The room that a client wants to enter.
    async fn enter(&mut self, room: &str, lang: Option<&str>) -> Result<Handle, Refusal> {
        if self.room.as_ref().is_some_and(Handle::is_open) {
            return Err(Refusal::InRoom);
        }
        if let Some(lang) = lang {
            let bad = |error: paishan::ParseError| Refusal::BadMessage(error.to_string());
            self.client.lang = lang.parse().map_err(bad)?;
        }
        self.lobby.room(room).await
    }
}
