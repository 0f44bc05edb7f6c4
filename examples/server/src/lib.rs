//! A small server for tables of [`paishan`]: rooms, seats, clocks that do not show who is asked, spectators who see later,
//! matches that survive a restart. `PROTOCOL.md` describes the messages, `README.md` how to run it.

pub mod client;
pub mod clock;
pub mod commitment;
pub mod error;
pub mod feed;
pub mod limits;
pub mod lobby;
pub mod message;
pub mod room;
pub mod rulesets;
pub mod server;
pub mod socket;
pub mod store;
