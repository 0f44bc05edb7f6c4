//! The messages: [`Request`] from a client, [`Answer`] to it. `PROTOCOL.md` describes them.

use crate::clock::Clock;
use crate::error::Refusal;
use crate::limits::Limits;
use paishan::decimal::Number;
use paishan::protocol::EndedAnswer;
use paishan::ruleset::OptionValue;
use paishan::state::{Event, Snapshot};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// Options of a ruleset by name.
pub type Options = BTreeMap<String, OptionValue>;

/// What a client asks for.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// The rooms that wait for people.
    Rooms {},
    /// A new room.
    Create(Create),
    /// A seat in a room that waits for people.
    Join(Join),
    /// The seat that one has already.
    Rejoin {
        /// The room.
        room: String,
        /// The token of the seat.
        token: String,
        /// The language of words.
        #[serde(default)]
        lang: Option<String>,
    },
    /// To see what everybody sees, later.
    Watch {
        /// The room.
        room: String,
        /// The hash that the rules must have.
        #[serde(default)]
        ruleset_hash: Option<String>,
        /// The language of words.
        #[serde(default)]
        lang: Option<String>,
    },
    /// A decision.
    Act {
        /// The number of the question.
        question: u32,
        /// The action.
        action: String,
    },
    /// To leave the room. A seat stays its owner's once the match has begun.
    Leave {},
}

/// The members of `create`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// The id of the ruleset.
    pub ruleset: String,
    /// Options that differ from their defaults.
    #[serde(default)]
    pub options: Options,
    /// The hash that the rules must have.
    #[serde(default)]
    pub ruleset_hash: Option<String>,
    /// Who plays, in player order: `human`, or the name of an agent. All are people if it is left out.
    #[serde(default)]
    pub seats: Option<Vec<String>>,
    /// The times.
    #[serde(default)]
    pub clock: Clock,
    /// True if `rooms` lists the room.
    #[serde(default = "yes")]
    pub listed: bool,
}

fn yes() -> bool {
    true
}

/// The members of `join`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The room.
    pub room: String,
    /// The name that others see.
    pub name: String,
    /// The number of the player. The first free seat of a person if it is left out.
    #[serde(default)]
    pub player: Option<usize>,
    /// The hash that the rules must have.
    #[serde(default)]
    pub ruleset_hash: Option<String>,
    /// The language of words.
    #[serde(default)]
    pub lang: Option<String>,
}

/// Reads a message: the `id` of the request, and the request.
///
/// # Errors
/// [`Refusal::BadMessage`], with the `id` if it could be read.
pub fn read(text: &str) -> (Option<u64>, Result<Request, Refusal>) {
    let bad = |error: serde_json::Error| Refusal::BadMessage(error.to_string());
    let mut value: serde_json::Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return (None, Err(bad(error))),
    };
    let id = value
        .as_object_mut()
        .and_then(|members| members.remove("id"));
    match id.as_ref().map(serde_json::Value::as_u64) {
        Some(None) => {
            let fault = "`id` must be an integer of 0 or more".to_owned();
            (None, Err(Refusal::BadMessage(fault)))
        }
        id => (id.flatten(), serde_json::from_value(value).map_err(bad)),
    }
}

/// What a client is sent.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Answer<'a> {
    /// The first message of a connection.
    Welcome {
        /// The version of the protocol.
        protocol: u32,
        /// The version of the server.
        server: &'static str,
        /// What a client may use.
        limits: &'a Limits,
        /// The rulesets.
        rulesets: Vec<String>,
    },
    /// The answer to `rooms`.
    Rooms {
        /// The rooms.
        rooms: Vec<RoomAnswer>,
    },
    /// A room, for everybody in it, whenever something of this changes.
    Room(&'a RoomAnswer),
    /// The answer to `create`: the room.
    Created {
        /// The room.
        room: &'a str,
        /// The hash of its rules.
        ruleset_hash: &'a str,
    },
    /// The answer to `join` and `rejoin`.
    Seated {
        /// The room.
        room: &'a str,
        /// The player.
        player: usize,
        /// The token with which the seat is taken again. It is secret.
        token: &'a str,
    },
    /// The answer to `watch`.
    Watching {
        /// The room.
        room: &'a str,
    },
    /// What happened, and the table after it.
    Update {
        /// The number of the update in the match.
        number: u64,
        /// The number of the deal.
        deal: u32,
        /// What happened since the update before, for players.
        events: Option<Vec<Event>>,
        /// The table.
        view: Box<Snapshot>,
    },
    /// A question to a player.
    Ask {
        /// The number of the question.
        question: u32,
        /// The time to answer, in milliseconds.
        ms: u64,
        /// What is left of the bank, in milliseconds.
        bank_ms: u64,
        /// The table with the legal actions.
        view: Box<Snapshot>,
    },
    /// An answer was accepted.
    Accepted {
        /// The number of the question.
        question: u32,
    },
    /// The server has answered for a player who did not.
    Defaulted {
        /// The number of the question.
        question: u32,
        /// The action.
        action: String,
    },
    /// A deal is over.
    Ended {
        /// The number of the update in the match.
        number: u64,
        /// Wins, payments and differences.
        #[serde(flatten)]
        ended: Box<EndedAnswer>,
        /// The totals after it, in player order.
        totals: Vec<Number>,
    },
    /// The match is over.
    Over {
        /// The room.
        room: &'a str,
        /// The totals, in player order.
        totals: Vec<Number>,
        /// The results with what is added at the end of a match, in player order.
        results: Vec<Number>,
        /// The seed of the walls.
        seed: String,
        /// The commitment to the seed.
        commitment: &'a str,
        /// Where the log is.
        log: String,
    },
    /// The connection has left its room.
    Left {},
    /// A refusal.
    Error {
        /// The code.
        code: &'static str,
        /// The message for people.
        message: String,
    },
}

/// What everybody may know of a room.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoomAnswer {
    /// The name of the room in requests.
    pub room: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The name of the ruleset.
    pub ruleset_name: String,
    /// The hash of the rules with these options.
    pub ruleset_hash: String,
    /// Options that differ from their defaults.
    pub options: Options,
    /// The least units that make a point. The points of views are in least units.
    pub units_per_point: i64,
    /// The commitment to the walls.
    pub commitment: String,
    /// The times.
    pub clock: Clock,
    /// Whether the match has begun or is over.
    pub stage: Stage,
    /// The seats in player order.
    pub seats: Vec<SeatAnswer>,
    /// How many watch.
    pub spectators: usize,
}

/// Whether a match has begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// It waits for people.
    Waiting,
    /// It has begun.
    Playing,
    /// It is over.
    Over,
}

impl Stage {
    /// The word for the stage.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Playing => "playing",
            Self::Over => "over",
        }
    }
}

/// What everybody may know of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatAnswer {
    /// `human`, or the name of the agent.
    pub sitter: String,
    /// The name of the person. `null` while the seat is free, and for agents.
    pub name: Option<String>,
    /// True while the person is connected, and for agents.
    pub connected: bool,
}

impl Answer<'_> {
    /// The message as JSON, with the `id` of the request that it answers.
    pub fn to_json(&self, id: Option<u64>) -> String {
        #[derive(Serialize)]
        struct Message<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<u64>,
            #[serde(flatten)]
            answer: &'a Answer<'a>,
        }
        // Maps have strings as keys and there are no other reasons to fail.
        serde_json::to_string(&Message { id, answer: self }).unwrap_or_default()
    }

    /// A refusal as JSON.
    pub fn refusal(refusal: &Refusal, id: Option<u64>) -> String {
        let answer = Answer::Error {
            code: refusal.code(),
            message: refusal.to_string(),
        };
        answer.to_json(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_strictly() {
        let (id, request) = read(r#"{"id":7,"type":"act","question":3,"action":"none"}"#);
        let action = "none".to_owned();
        assert_eq!(id, Some(7));
        assert_eq!(
            request,
            Ok(Request::Act {
                question: 3,
                action
            })
        );
        assert_eq!(read(r#"{"type":"rooms"}"#), (None, Ok(Request::Rooms {})));
        let read_create = read(r#"{"type":"create","ruleset":"woo","options":{"rounds":1}}"#).1;
        let Ok(Request::Create(create)) = read_create else {
            panic!("{read_create:?}");
        };
        assert_eq!(create.options["rounds"], OptionValue::Int(1));
        assert!(create.listed && create.seats.is_none());
        for bad in [
            "",
            "[]",
            "7",
            "{}",
            r#"{"type":"act"}"#,
            r#"{"type":"act","question":-1,"action":"none"}"#,
            r#"{"type":"act","question":1,"action":"none","player":2}"#,
            r#"{"type":"rooms","more":1}"#,
            r#"{"type":"leave","id":"x"}"#,
            r#"{"type":"create","ruleset":"woo","seed":7}"#,
            r#"{"type":"create","ruleset":"woo","clock":{"claims":1}}"#,
            r#"{"type":"shutdown"}"#,
            &"[".repeat(5_000),
        ] {
            let refused = read(bad).1.unwrap_err();
            assert_eq!(refused.code(), "bad-message", "{bad}");
        }
    }
}
