//! Requests as types: what a program fills in that asks for a hand or a table. Texts are written as in the interface
//! and are checked when the request is answered.

use super::Value;
use crate::notation::Notation;
use crate::ruleset::{OptionMap, Source};
use crate::state::Way;

/// One player's hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlayerAsked {
    /// The seat, such as `E`.
    pub seat: String,
    /// Concealed tiles without the winning tile.
    pub hand: String,
    /// Declared melds: whether a meld is open, and its tiles.
    pub melds: Vec<(bool, String)>,
    /// Flowers laid down.
    pub flowers: String,
    /// Tiles set aside.
    pub set_aside: String,
}

/// How a hand won.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct WinAsked {
    /// The winning tile.
    pub tile: String,
    /// The word of a [`Way`]. Left out, it is a discard if `from` names a seat, and a draw otherwise.
    pub by: Option<String>,
    /// Whose tile it was.
    pub from: Option<String>,
    /// Circumstances.
    pub flags: Vec<String>,
    /// Kongs made in a row.
    pub quads: Option<i64>,
}

/// A request for the worth of a hand, or for what everybody at a table pays.
///
/// ```
/// use paishan::protocol::{Asked, Body, PlayerAsked, Responder, WinAsked};
/// use paishan::ruleset::Source;
/// let asked = Asked {
///     round: "E".into(),
///     players: vec![PlayerAsked { seat: "N".into(), hand: "111234567s55s67s".into(), ..PlayerAsked::default() }],
///     win: Some(WinAsked { tile: "8s".into(), from: Some("W".into()), ..WinAsked::default() }),
///     ..Asked::of(Source::BuiltIn("woo".into()))
/// };
/// let answer = Responder::new().answer(&asked.score());
/// assert!(matches!(answer.body, Body::Score(score) if score.points == 144));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// The ruleset.
    pub rules: Source,
    /// Options that are set.
    pub options: OptionMap,
    /// How tiles are written: `ujmj` or `mpsz`.
    pub notation: String,
    /// The wind of the round.
    pub round: String,
    /// Bonus tiles face up.
    pub bonus: String,
    /// Dora indicators.
    pub dora: String,
    /// The indicators under them.
    pub ura: String,
    /// Counters on the table.
    pub honba: i64,
    /// Deposits on the table.
    pub deposits: i64,
    /// The hand to score, or every hand of the table in seat order.
    pub players: Vec<PlayerAsked>,
    /// The win of the first player, or of the seat that is named in [`Asked::settle`].
    pub win: Option<WinAsked>,
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// A member that not every ruleset has: left out if it is empty.
fn given<'a>(name: &'a str, value: &str) -> Option<(&'a str, Value)> {
    (!value.is_empty()).then(|| (name, text(value)))
}

fn object(members: Vec<(&str, Value)>) -> Value {
    let own = |(name, value): (&str, Value)| (name.to_owned(), value);
    Value::Object(members.into_iter().map(own).collect())
}

impl PlayerAsked {
    fn value(&self) -> Value {
        let meld = |(open, tiles): &(bool, String)| {
            object(vec![("tiles", text(tiles)), ("open", Value::Bool(*open))])
        };
        let mut members = vec![
            ("seat", text(&self.seat)),
            ("hand", text(&self.hand)),
            ("melds", Value::List(self.melds.iter().map(meld).collect())),
            ("flowers", text(&self.flowers)),
        ];
        members.extend(given("set_aside", &self.set_aside));
        object(members)
    }
}

impl WinAsked {
    fn members(&self) -> Vec<(&str, Value)> {
        let way = match self.from {
            Some(_) => Way::Discard,
            None => Way::Wall,
        };
        let from = self.from.as_deref();
        let flags = self.flags.iter().map(|flag| text(flag));
        let mut members = vec![
            ("tile", text(&self.tile)),
            ("by", text(self.by.as_deref().unwrap_or(way.word()))),
            ("from", from.map_or(Value::Null, text)),
            ("flags", Value::List(flags.collect())),
        ];
        members.extend(self.quads.map(|quads| ("quads", Value::Int(quads))));
        members
    }
}

impl Asked {
    /// A request with the default options and nothing else.
    pub fn of(rules: Source) -> Self {
        Self {
            rules,
            options: OptionMap(Vec::new()),
            notation: Notation::default().name().to_owned(),
            round: "E".to_owned(),
            bonus: String::new(),
            dora: String::new(),
            ura: String::new(),
            honba: 0,
            deposits: 0,
            players: Vec::new(),
            win: None,
        }
    }

    fn value(&self, kind: &str, more: Vec<(&str, Value)>) -> Value {
        let options = self.options.0.iter().cloned();
        let options = options.map(|(name, value)| (name, Value::from(value)));
        let mut members = vec![
            ("type", text(kind)),
            match &self.rules {
                Source::BuiltIn(id) => ("ruleset", text(id)),
                Source::Text { text: toml, .. } => ("rules", text(toml)),
            },
            ("options", Value::Object(options.collect())),
            ("notation", text(&self.notation)),
            ("round", text(&self.round)),
        ];
        let tiles = [
            ("bonus", &self.bonus),
            ("dora", &self.dora),
            ("ura", &self.ura),
        ];
        members.extend(
            tiles
                .into_iter()
                .filter_map(|(name, tiles)| given(name, tiles)),
        );
        let counts = [("honba", self.honba), ("deposits", self.deposits)];
        let counts = counts.into_iter().filter(|(_, count)| *count != 0);
        members.extend(counts.map(|(name, count)| (name, Value::Int(count))));
        members.extend(more);
        object(members)
    }

    /// The request for the worth of the first player's hand.
    pub fn score(&self) -> Value {
        let player = self.players.first().map_or(Value::Null, PlayerAsked::value);
        let win = self.win.as_ref();
        let win = win.map_or(Value::Null, |win| object(win.members()));
        self.value("score", vec![("player", player), ("win", win)])
    }

    /// The request for what everybody pays, with `winner` as the seat that won.
    pub fn settle(&self, winner: &str) -> Value {
        let win = self.win.iter().map(|win| {
            let mut members = win.members();
            members.push(("seat", text(winner)));
            object(members)
        });
        let wins = Value::List(win.collect());
        let players = self.players.iter().map(PlayerAsked::value).collect();
        self.value(
            "settle",
            vec![("players", Value::List(players)), ("wins", wins)],
        )
    }
}
