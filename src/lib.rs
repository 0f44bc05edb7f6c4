//! A mahjong engine for every ruleset. All rulesets share one hand decomposer and one table. A ruleset is a TOML file,
//! loaded as [`Rules`], or a type that implements the trait [`Ruleset`].
//!
//! The crate answers two kinds of question:
//!
//! - *What is this hand worth?* [`Rules::score`] and [`Rules::settle`] answer. [`decompose`] finds
//!   arrangements and distances. [`protocol`] answers the same questions in JSON.
//! - *What may happen next?* [`game::Deal`] and [`game::Match`] know the rules of play. An [`agent`] decides,
//!   [`simulate`] plays many matches, [`host`] lets people play, and [`log`] records what happened.
//!
//! Scoring a hand:
//!
//! ```
//! use paishan::{Notation, Request, Rules, Seat};
//!
//! let rules = Rules::by_id("woo")?;
//! let request = Request::won(&"111234567s55s67s".parse()?, "8s".parse()?);
//! let request = request.seat(Seat::NORTH).off(Seat::WEST);
//! assert_eq!(rules.score(&request)?.points, 144);
//! println!("{}", rules.explain(&request, Notation::Ujmj)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `serde` | yes | serialization ([`wire`]), the event log ([`log`]), hosted matches ([`host`]); with `toml`: [`protocol`], [`lint`], [`rulebook`] |
//! | `toml` | yes | rules from text: the built-in rulesets, [`Rules::by_id`], [`Rules::from_toml`], [`ledger`] |
//! | `xml` | no | reads the XML of Tenhou's records ([`log::mjlog`]) |
//!
//! Without any of them the crate has tiles, notation, walls, and the decomposer for a custom [`decompose::Grammar`].
//! The crate then depends on `rand_chacha`, `smallvec` and `thiserror` only.
//!
//! The [guides](guide) are for [apps and servers](guide::apps), [rule designers](guide::designers),
//! [researchers](guide::researchers) and [clubs](guide::clubs).
//!
//! The file `rulesets/<id>.toml` defines each ruleset. Five of them are also described in words, in `rulesets/<id>.md`,
//! which the docs cite by section.
//!
//! The crate does no input or output, reads no clock and no environment and never panics on input. Its only global state
//! are caches: tables, and what the agent [`Value`](agent::Value) has learnt. They change no result. The same ruleset,
//! options, seed and decisions give the same bytes on every machine.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]
#![cfg_attr(
    not(all(feature = "toml", feature = "serde")),
    allow(
        dead_code,
        unused_imports,
        reason = "readers of what these features bring have no caller"
    )
)]

pub mod agent;
mod aside;
pub mod counts;
pub mod decimal;
pub mod decompose;
pub mod document;
pub mod draw;
pub mod encode;
mod forms;
pub mod game;
pub mod guide;
pub mod hand;
#[cfg(feature = "serde")]
pub mod host;
pub mod illustrate;
pub mod lang;
#[cfg(feature = "toml")]
pub mod ledger;
#[cfg(all(feature = "serde", feature = "toml"))]
pub mod lint;
mod list;
#[cfg(feature = "serde")]
pub mod log;
pub mod meld;
pub mod notation;
#[cfg(all(feature = "serde", feature = "toml"))]
pub mod protocol;
pub mod random;
pub mod request;
#[cfg(all(feature = "serde", feature = "toml"))]
pub mod rulebook;
pub mod ruleset;
pub mod score;
pub mod seat;
pub mod set;
pub mod simulate;
pub mod state;
pub mod text;
pub mod tile;
pub mod tile_set;
pub mod wall;
#[cfg(feature = "serde")]
pub mod wire;

pub use agent::Agent;
pub use aside::{Aside, AsideId};
pub use counts::Counts;
pub use decimal::{Decimal, Number};
pub use game::{Deal, Match};
pub use hand::{Hand, HandError};
pub use lang::{Lang, Names};
#[cfg(feature = "toml")]
pub use ledger::Ledger;
pub use meld::{Family, Group, Meld, MeldError};
pub use notation::{Notation, ParseHandError, ParseTilesError, TileNames, Wording};
pub use random::{Seed, Seeds, game_seed};
pub use request::Request;
pub use ruleset::{Plan, Rules, Ruleset};
pub use score::Score;
pub use seat::{BySeat, Player, Seat};
pub use set::{FlowerSet, KindSet, SeatSet};
pub use state::{Action, Legal, View, Win};
pub use text::ParseError;
pub use tile::{Flower, Kind, Rank, Suit, Tile, Wind};
pub use tile_set::TileSet;
pub use wall::Wall;

/// The traits of random generators, which appear in this crate's API.
pub use rand_chacha::rand_core;

/// Runs the code of the README with the doc tests.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

/// Users share these types between threads, so they must stay `Send + Sync`.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<state::DealState>();
    shared::<game::Deal<Rules>>();
    shared::<decompose::Decomposer>();
    shared::<ruleset::Plan>();
};
