//! [`Refusal`]: why the server refuses something.

use crate::store::StoreError;
use paishan::host::HostError;

/// Why the server refuses a request. Nothing has changed. Clients get [`Refusal::code`] and the message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The message is no request.
    #[error("the message is no request: {0}")]
    BadMessage(String),
    /// More messages than a connection may send. The connection is closed.
    #[error("more than {0} messages in a short time")]
    TooFast(u32),
    /// No such ruleset.
    #[error("unknown ruleset `{0}`")]
    UnknownRuleset(String),
    /// An option that the ruleset does not have, or a value outside its range.
    #[error("{0}")]
    BadOptions(String),
    /// The rules are not those that the client has pinned.
    #[error("the rules have the hash {0}")]
    OtherRules(String),
    /// The seats do not fit the ruleset, or name no agent that plays here.
    #[error("{0}")]
    BadSeats(String),
    /// A time outside its range.
    #[error("`{name}` must be from {least} to {most} milliseconds")]
    BadClock {
        /// The member of `clock`.
        name: &'static str,
        /// Its least value.
        least: u64,
        /// Its greatest value.
        most: u64,
    },
    /// People at one table without a time in which claims are answered.
    #[error("`claim_ms` may be 0 only where one person plays")]
    ClaimsInTheOpen,
    /// A name that is empty or too long, or has characters that cannot be shown.
    #[error("a name has 1 to {0} letters, digits, spaces and signs")]
    BadName(usize),
    /// There is no such room.
    #[error("there is no such room")]
    NoSuchRoom,
    /// The seat is taken, or no seat is free.
    #[error("no such seat is free")]
    SeatTaken,
    /// No seat has this token.
    #[error("no seat of this room has the token")]
    BadToken,
    /// The connection is in a room already.
    #[error("this connection is in a room already")]
    InRoom,
    /// The connection is in no room.
    #[error("this connection is in no room")]
    NotInRoom,
    /// As many rooms as there may be, or too many at once.
    #[error("no more rooms may be opened now")]
    TooManyRooms,
    /// As many spectators as there may be.
    #[error("no more people may watch this room")]
    TooManySpectators,
    /// A room that may not be watched.
    #[error("this room may not be watched: the time of a claim would show who is asked")]
    NoSpectators,
    /// The player has no such question to answer, or too late.
    #[error("you are not asked, or not any more")]
    NotAsked,
    /// Text that is no action.
    #[error("`action`: {0}")]
    BadAction(String),
    /// An action that is not legal now.
    #[error("{0}")]
    NotLegal(String),
    /// The seat has come back on another connection. The connection is closed.
    #[error("the seat has come back on another connection")]
    Replaced,
    /// The match cannot be stored or read. The table stops until somebody comes back.
    #[error("the match cannot be stored: {0}")]
    Storage(String),
    /// The match cannot go on.
    #[error("the match cannot go on: {0}")]
    Stopped(String),
}

impl Refusal {
    /// The code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadMessage(_) => "bad-message",
            Self::TooFast(_) => "too-fast",
            Self::UnknownRuleset(_) => "unknown-ruleset",
            Self::BadOptions(_) => "bad-options",
            Self::OtherRules(_) => "other-rules",
            Self::BadSeats(_) => "bad-seats",
            Self::BadClock { .. } | Self::ClaimsInTheOpen => "bad-clock",
            Self::BadName(_) => "bad-name",
            Self::NoSuchRoom => "no-such-room",
            Self::SeatTaken => "seat-taken",
            Self::BadToken => "bad-token",
            Self::InRoom => "in-room",
            Self::NotInRoom => "not-in-room",
            Self::TooManyRooms => "too-many-rooms",
            Self::TooManySpectators => "too-many-spectators",
            Self::NoSpectators => "no-spectators",
            Self::NotAsked => "not-asked",
            Self::BadAction(_) => "bad-action",
            Self::NotLegal(_) => "not-legal",
            Self::Replaced => "replaced",
            Self::Storage(_) => "storage",
            Self::Stopped(_) => "stopped",
        }
    }

    /// True for a refusal after which the connection is closed.
    pub fn closes(&self) -> bool {
        matches!(self, Self::TooFast(_) | Self::Replaced)
    }
}

impl From<HostError> for Refusal {
    fn from(error: HostError) -> Self {
        match error {
            HostError::Action(error) => Self::NotLegal(error.to_string()),
            HostError::NotAsked { .. } => Self::NotAsked,
            HostError::Seats { .. } | HostError::Agent(_) => Self::BadSeats(error.to_string()),
            error => Self::Stopped(error.to_string()),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Storage(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PROTOCOL.md` has a row for each code, and no other rows.
    #[test]
    fn the_protocol_lists_every_code() {
        let text = String::new();
        let refusals = [
            Refusal::BadMessage(text.clone()),
            Refusal::TooFast(1),
            Refusal::UnknownRuleset(text.clone()),
            Refusal::BadOptions(text.clone()),
            Refusal::OtherRules(text.clone()),
            Refusal::BadSeats(text.clone()),
            Refusal::ClaimsInTheOpen,
            Refusal::BadName(24),
            Refusal::NoSuchRoom,
            Refusal::SeatTaken,
            Refusal::BadToken,
            Refusal::InRoom,
            Refusal::NotInRoom,
            Refusal::TooManyRooms,
            Refusal::TooManySpectators,
            Refusal::NoSpectators,
            Refusal::NotAsked,
            Refusal::BadAction(text.clone()),
            Refusal::NotLegal(text.clone()),
            Refusal::Replaced,
            Refusal::Storage(text.clone()),
            Refusal::Stopped(text),
        ];
        let protocol = include_str!("../PROTOCOL.md");
        let (_, errors) = protocol.split_once("# Errors").unwrap();
        let rows = errors.lines().filter_map(|line| line.strip_prefix("| `"));
        let listed = rows.flat_map(|row| row.split_once(" |").unwrap().0.split(", "));
        let mut listed: Vec<_> = listed.map(|code| code.trim_matches('`')).collect();
        let mut codes: Vec<_> = refusals.iter().map(Refusal::code).collect();
        listed.sort_unstable();
        codes.sort_unstable();
        assert_eq!(listed, codes);
    }
}
