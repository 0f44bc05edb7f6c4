//! [`Client`]: what a room knows of a connection.

use crate::error::Refusal;
use crate::message::Answer;
use paishan::Lang;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{Notify, mpsc};

/// The sending half of a connection.
#[derive(Clone, Debug)]
pub struct Client {
    id: u64,
    sender: mpsc::Sender<Arc<str>>,
    close: Arc<Notify>,
    /// The language of words.
    pub lang: Lang,
}

/// The receiving half: what is to be sent, and when to stop.
#[derive(Debug)]
pub struct Outbox {
    /// The messages in order.
    pub messages: mpsc::Receiver<Arc<str>>,
    /// Notified when the connection must be closed after them.
    pub close: Arc<Notify>,
}

impl Client {
    /// A connection for which some messages may wait.
    pub fn new(waiting: usize) -> (Self, Outbox) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let (sender, messages) = mpsc::channel(waiting);
        let close = Arc::new(Notify::new());
        let client = Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            sender,
            close: Arc::clone(&close),
            lang: Lang::EN,
        };
        (client, Outbox { messages, close })
    }

    /// The number of the connection.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Sends a message. A client that does not read what waits is closed.
    pub fn send(&self, message: impl Into<Arc<str>>) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.sender.try_send(message.into()) {
            self.close();
        }
    }

    /// Sends an answer to a request.
    pub fn answer(&self, answer: &Answer<'_>, id: Option<u64>) {
        self.send(answer.to_json(id));
    }

    /// Refuses a request, and closes the connection if the refusal does.
    pub fn refuse(&self, refusal: &Refusal, id: Option<u64>) {
        self.send(Answer::refusal(refusal, id));
        if refusal.closes() {
            self.close();
        }
    }

    /// Closes the connection after the messages that wait.
    pub fn close(&self) {
        self.close.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_closed() {
        let (client, mut outbox) = Client::new(2);
        client.send("1");
        client.send("2");
        let closed = |outbox: &Outbox| {
            let close = Arc::clone(&outbox.close);
            tokio::time::timeout(Duration::from_millis(1), async move {
                close.notified().await;
            })
        };
        assert!(closed(&outbox).await.is_err());
        client.send("3");
        assert!(closed(&outbox).await.is_ok());
        assert_eq!(outbox.messages.recv().await.as_deref(), Some("1"));
    }
}
