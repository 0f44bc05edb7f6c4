//! [`Limits`]: what clients may use of the server.

use serde::Serialize;
use std::time::Duration;

/// The most of everything that clients can make the server hold or do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Limits {
    /// Connections in all.
    pub connections: usize,
    /// Connections of one address.
    pub connections_per_address: usize,
    /// Rooms in memory.
    pub rooms: usize,
    /// Rooms in memory that one address has opened.
    pub rooms_per_address: usize,
    /// Rooms in the database.
    pub stored_rooms: usize,
    /// Spectators of a room.
    pub spectators: usize,
    /// Bytes of a message.
    pub message_bytes: usize,
    /// Messages that a connection may send at once. It earns [`Limits::messages_per_second`] more.
    pub messages_at_once: u32,
    /// Messages a second that a connection may send in the long run.
    pub messages_per_second: u32,
    /// Messages to a connection that may wait to be read.
    pub waiting_messages: usize,
    /// Characters of a name.
    pub name: usize,
    /// Rooms in the answer to `rooms`.
    pub listed: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 5_000,
            connections_per_address: 32,
            rooms: 2_000,
            rooms_per_address: 8,
            stored_rooms: 200_000,
            spectators: 50,
            message_bytes: 8 * 1024,
            messages_at_once: 20,
            messages_per_second: 5,
            waiting_messages: 128,
            name: 24,
            listed: 100,
        }
    }
}

impl Limits {
    /// The time in which a client must send the head of an HTTP request.
    pub const HEAD: Duration = Duration::from_secs(10);
    /// The time after which a connection that is in no room, or does not answer a ping, is closed.
    pub const SILENCE: Duration = Duration::from_secs(60);
    /// The time between two pings.
    pub const PING: Duration = Duration::from_secs(20);
    /// The time for which a room without connections stays in memory.
    pub const EMPTY: Duration = Duration::from_secs(600);
}

/// How many messages a connection may still send.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    left: f64,
    most: f64,
    per_second: f64,
}

impl Allowance {
    /// The allowance of a new connection.
    pub fn new(limits: &Limits) -> Self {
        let most = f64::from(limits.messages_at_once);
        Self {
            left: most,
            most,
            per_second: f64::from(limits.messages_per_second),
        }
    }

    /// Takes one message that arrives some time after the one before. Returns false if it is one too many.
    pub fn take(&mut self, since: Duration) -> bool {
        self.left = (self.left + since.as_secs_f64() * self.per_second).min(self.most);
        self.spend(1.0)
    }

    /// Takes what a new room costs beside its message: with that, two fifths of what may be sent at once. Returns false if
    /// it is too much.
    pub fn take_room(&mut self) -> bool {
        self.spend(self.most * 0.4 - 1.0)
    }

    fn spend(&mut self, cost: f64) -> bool {
        let has = self.left >= cost;
        if has {
            self.left -= cost;
        }
        has
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_may_send_some_at_once_and_some_a_second() {
        let mut allowance = Allowance::new(&Limits::default());
        for _ in 0..20 {
            assert!(allowance.take(Duration::ZERO));
        }
        assert!(!allowance.take(Duration::from_millis(199)));
        assert!(allowance.take(Duration::from_millis(2)));
        assert!(!allowance.take(Duration::ZERO));
        // No more than at the start, however long it was silent.
        assert!(allowance.take(Duration::from_secs(3_600)));
        assert!((0..19).all(|_| allowance.take(Duration::ZERO)));
        assert!(!allowance.take(Duration::ZERO));
    }

    #[test]
    fn a_room_costs_as_much_as_eight_messages() {
        let mut allowance = Allowance::new(&Limits::default());
        for _ in 0..2 {
            assert!(allowance.take(Duration::ZERO) && allowance.take_room());
        }
        assert!(allowance.take(Duration::ZERO) && !allowance.take_room());
        assert!(allowance.take(Duration::from_secs(1)) && allowance.take_room());
    }
}
