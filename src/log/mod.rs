//! The event log of matches: one JSON object for each line.
//!
//! A [`Line`] is one line as a serde type, with the names of the mjai protocol. A [`Recorder`] writes lines while a
//! match is played. [`replay`] plays a log again and compares every line. The crate does no input or output: the
//! caller's JSON library turns lines into text.
//!
#![doc = include_str!("format.md")]

pub mod mjai;
pub mod mjlog;
mod page;
mod record;
mod replay;
pub mod tenhou;

pub use crate::ruleset::OptionMap;
pub use page::{ReplayFrame, ReplayPage};
pub use record::{LogOptions, Recorder};
pub use replay::{
    LogFault, ReplayError, Replayed, replay, replay_observed, replay_plain, replay_plain_observed,
    replay_plain_to, replay_to,
};

use crate::decimal::Number;
use crate::forms::two_forms;
use crate::notation::{Notation, ParseTilesError};
use crate::random::Seed;
use crate::state::{AbortiveDraw, Announcement};
use crate::tile::Tile;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;
use std::fmt;
use std::ops::Deref;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Name and version of the engine, as written into logs.
pub const ENGINE: &str = concat!("paishan ", env!("CARGO_PKG_VERSION"));

two_forms! {
    #[text(ViewText)]
    /// What a log shows.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum LogView {
        /// Everything.
        All,
        /// Only what one player may know.
        Player(usize),
    }
}

/// The text form of a [`LogView`]: `"all"` or the number of a player.
struct ViewText;

impl ViewText {
    fn serialize<S: Serializer>(view: &LogView, serializer: S) -> Result<S::Ok, S::Error> {
        match view {
            LogView::All => serializer.serialize_str("all"),
            LogView::Player(player) => serializer.serialize_u64(*player as u64),
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<LogView, D::Error> {
        struct ViewVisitor;
        impl Visitor<'_> for ViewVisitor {
            type Value = LogView;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"all\" or a player")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<LogView, E> {
                match text {
                    "all" => Ok(LogView::All),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }
            fn visit_u64<E: serde::de::Error>(self, player: u64) -> Result<LogView, E> {
                Ok(LogView::Player(player as usize))
            }
        }
        deserializer.deserialize_any(ViewVisitor)
    }
}

/// Whose wall was broken, and how many stacks were counted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Break {
    /// The player.
    pub player: usize,
    /// How many stacks were counted.
    pub count: u32,
}

/// Where a tile was drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DrawnFrom {
    /// The front of the live wall.
    Front,
    /// The back: a replacement.
    Back,
}

/// What follows a deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum NextDeal {
    /// The dealer deals again.
    Renchan,
    /// Another player deals.
    Pass,
    /// The match is over.
    End,
}

/// What a player announces about his hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Announced {
    /// The hand is ready.
    Calling,
    /// The hand has been ready since its first discard and stays ready.
    Standing,
}

impl From<Announcement> for Announced {
    fn from(announcement: Announcement) -> Self {
        match announcement {
            Announcement::Calling => Self::Calling,
            Announcement::Standing => Self::Standing,
        }
    }
}

/// A kong that lay face down and is turned up at the end of a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HiddenKong {
    /// The owner of the kong.
    pub actor: usize,
    /// The four tiles.
    pub consumed: Vec<String>,
}

/// The reason of a penalty for a false win, and of the draw that ends the deal.
const FALSE_WIN: &str = "false-mahjong";

/// The reason of an exhaustive draw.
const EXHAUSTED: &str = "fanpai";

/// The reason of an exhaustive draw with a payment for nagashi mangan.
const NAGASHI: &str = "nagashimangan";

/// The reason of an abortive draw.
const fn reason_of(draw: AbortiveDraw) -> &'static str {
    match draw {
        AbortiveDraw::NineOrphans => "kyushukyuhai",
        AbortiveDraw::FourWinds => "sufonrenta",
        AbortiveDraw::FourKongs => "sukaikan",
        AbortiveDraw::FourRiichi => "suchareach",
        AbortiveDraw::ThreeWins => "sanchaho",
    }
}

/// The reason of a penalty that makes a hand dead.
const DEAD_HAND: &str = "dead-hand";

/// The id of a pattern that counted, and its value.
pub type Yaku = (String, Number);

two_forms! {
    #[serde(deny_unknown_fields)]
    /// The members of [`Line::StartGame`].
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs, reason = "the module says what each is")]
    #[non_exhaustive]
    pub struct StartGame {
        pub names: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub id: Option<usize>,
        pub format: u32,
        pub engine: String,
        pub ruleset: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ruleset_hash: Option<String>,
        pub options: OptionMap,
        pub players: usize,
        pub notation: String,
        pub view: LogView,
        pub game: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub game_seed: Option<Seed>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent_seed: Option<Seed>,
    }
}

two_forms! {
    #[serde(deny_unknown_fields)]
    /// The members of [`Line::StartKyoku`].
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs, reason = "the module says what each is")]
    #[non_exhaustive]
    pub struct StartKyoku {
        pub bakaze: char,
        pub kyoku: usize,
        pub honba: u32,
        pub kyotaku: u32,
        pub oya: usize,
        pub scores: Vec<Number>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub dora_marker: Option<String>,
        pub tehais: Vec<Vec<String>>,
        pub hand: u32,
        pub dice: Vec<Vec<u8>>,
        #[serde(rename = "break")]
        pub wall_break: Break,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub wall: Option<Vec<String>>,
        pub reserve: usize,
        pub reserve_moves: bool,
        pub back: Vec<usize>,
        pub indicators: Vec<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub ura: Option<Vec<usize>>,
    }
}

two_forms! {
    #[serde(deny_unknown_fields)]
    /// The members of [`Line::Hora`]. In a decision, members that only the event has are `None`.
    #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
    #[allow(missing_docs, reason = "the module says what each is")]
    #[non_exhaustive]
    pub struct Hora {
        pub actor: usize,
        pub target: usize,
        pub pai: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hora_tehais: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub by: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub flags: Option<Vec<String>>,
        #[serde(default, rename = "quads", skip_serializing_if = "Option::is_none")]
        pub kongs_in_row: Option<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub uradora_markers: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hora_points: Option<Number>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fu: Option<Number>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fan: Option<Number>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub yakus: Option<Vec<Yaku>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub arrangement: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tehais: Option<Vec<Vec<String>>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub player_points: Option<Vec<Option<Number>>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub deltas: Option<Vec<Number>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub scores: Option<Vec<Number>>,
    }
}

two_forms! {
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    /// A line of a log. Players are indices. A tile is a string, `?` if it is unseen. The [module](self) explains
    /// the other members.
    ///
    /// A legal action in a [`Line::Decision`] is the line of the event that it would cause. Members that only the event
    /// has, such as `deltas`, are `None` there.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs, reason = "the module says what each is")]
    #[non_exhaustive]
    pub enum Line {
        /// A match begins.
        StartGame(Box<StartGame>),
        /// A deal begins.
        StartKyoku(Box<StartKyoku>),
        /// A player passes a tile to another before the first turn.
        Exchange {
            actor: usize,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            target: Option<usize>,
            pai: String,
        },
        /// A player chooses the suit to do without.
        Missing { actor: usize, suit: char },
        /// A player shows the hand before the first turn.
        Show {
            actor: usize,
            what: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tehai: Option<Vec<String>>,
        },
        /// A tile is turned face up from the wall for a row of `[turned]`.
        Turned { what: String, pai: String },
        /// Points are paid within a deal.
        Paid {
            actor: usize,
            reason: String,
            deltas: Vec<Number>,
            scores: Vec<Number>,
        },
        /// A tile is drawn.
        Tsumo {
            actor: usize,
            pai: String,
            from: DrawnFrom,
        },
        /// A tile is discarded.
        Dahai {
            actor: usize,
            pai: String,
            tsumogiri: bool,
        },
        /// A run is claimed.
        Chi {
            actor: usize,
            target: usize,
            pai: String,
            consumed: Vec<String>,
            #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
            reads: Option<Vec<String>>,
        },
        /// A pung is claimed.
        Pon {
            actor: usize,
            target: usize,
            pai: String,
            consumed: Vec<String>,
        },
        /// A kong is claimed, or a group of more tiles alike.
        Daiminkan {
            actor: usize,
            target: usize,
            pai: String,
            consumed: Vec<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            laid: Option<bool>,
        },
        /// A concealed kong.
        Ankan {
            actor: usize,
            consumed: Vec<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            hidden: Option<bool>,
        },
        /// A kong laid face down is challenged and shown.
        Challenge {
            actor: usize,
            target: usize,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            consumed: Option<Vec<String>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            valid: Option<bool>,
        },
        /// An indicator is turned.
        Dora { dora_marker: String },
        /// A fourth tile is added to a pung.
        Kakan {
            actor: usize,
            pai: String,
            consumed: Vec<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            open: Option<bool>,
        },
        /// A tile replaces a wild tile in a meld, and the wild tile goes to the hand. `target` has the meld if it is another's.
        Swap {
            actor: usize,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            target: Option<usize>,
            pai: String,
            meld: Vec<String>,
        },
        /// A concealed meld is laid down.
        Lay { actor: usize, consumed: Vec<String> },
        /// A flower is laid down.
        Flower { actor: usize, pai: String },
        /// A tile is set aside.
        Nukidora { actor: usize, pai: String },
        /// A calling or standing hand is announced, just before the discard.
        Declare { actor: usize, what: Announced },
        /// Riichi is declared, just before the discard.
        Reach { actor: usize },
        /// No player won off the riichi discard, and the deposit is paid.
        ReachAccepted {
            actor: usize,
            deltas: Vec<Number>,
            scores: Vec<Number>,
        },
        /// A player is penalized.
        Penalty {
            actor: usize,
            reason: String,
            dead: bool,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            deltas: Option<Vec<Number>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<Number>>,
        },
        /// Somebody wins.
        Hora(Box<Hora>),
        /// The deal ends without a winner.
        Ryukyoku {
            reason: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            actor: Option<usize>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tehais: Option<Vec<Vec<String>>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tenpais: Option<Vec<bool>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            deltas: Option<Vec<Number>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<Number>>,
        },
        /// The dealer ends the match with this deal.
        End { actor: usize },
        /// A deal is over.
        EndKyoku {
            next: NextDeal,
            #[serde(default, rename = "quads", skip_serializing_if = "Option::is_none")]
            hidden_kongs: Option<Vec<HiddenKong>>,
        },
        /// A match is over.
        EndGame {
            scores: Vec<Number>,
            ranks: Vec<usize>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            bonus: Option<Vec<Number>>,
        },
        /// A decision: every legal action, and the index of the chosen one.
        Decision {
            actor: usize,
            legal: LegalLines,
            chosen: usize,
        },
        /// A pass. It occurs only in decisions.
        None,
    }
}

// A decision has a line for each legal action, so lines are kept small.
const _: () = assert!(size_of::<Line>() <= 152);

/// The legal actions of a decision. It dereferences to a slice.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct LegalLines(Vec<Line>);

impl FromIterator<Line> for LegalLines {
    fn from_iter<T: IntoIterator<Item = Line>>(lines: T) -> Self {
        Self(lines.into_iter().collect())
    }
}

impl Deref for LegalLines {
    type Target = [Line];

    fn deref(&self) -> &[Line] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for LegalLines {
    /// Rejects a nested decision before reading it, because binary formats do not limit the depth.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        thread_local! {
            static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
        }
        if IS_INSIDE.replace(true) {
            return Err(serde::de::Error::custom("a decision is not a legal action"));
        }
        let lines = Vec::deserialize(deserializer);
        IS_INSIDE.set(false);
        lines.map(Self)
    }
}

/// Parses the tiles of a log, each a separate string.
pub(crate) fn parse_tiles(
    notation: Notation,
    tiles: &[String],
) -> Result<Vec<Tile>, ParseTilesError> {
    tiles.iter().map(|tile| notation.parse_one(tile)).collect()
}
