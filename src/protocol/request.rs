//! Reads requests: tiles, melds and players here, who won and how in `table.rs`.
//!
//! Faults are looked for from the outside in, in one order for all rulesets: members, tiles, the tile set, melds,
//! copies, numbers of tiles, circumstances of the win.

use super::Value;
use crate::decimal::Decimal;
use crate::decompose::Holding;
use crate::hand::{Hand, HandError, SetAside, TileTally};
use crate::meld::{Family, Group, Meld};
use crate::notation::{Notation, ParseTilesError};
use crate::ruleset::source::nearest;
use crate::ruleset::{AddedTo, FlowersLaid, LoadError, OptionValue, PatternValues, Plan, Ruleset};
use crate::score::{ScoreError, SettlementRules};
use crate::seat::Seat;
use crate::tile::{Kind, Tile, Wind};
use crate::wall::IndicatorOrder;

/// What is wrong with a request.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new("bad-request", message)
    }
}

macro_rules! fault_from {
    ($($error:ty),*) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::new(error.code(), error.to_string())
            }
        }
    )*};
}

fault_from!(ParseTilesError, HandError, ScoreError, LoadError);

/// Reads the options of a request. An impossible value becomes one that no option takes. So an unknown name
/// is reported before a bad value.
pub(super) fn options(value: Option<&Value>) -> Result<Vec<(String, OptionValue)>, Fault> {
    let members = match value {
        None => return Ok(Vec::new()),
        Some(Value::Object(members)) => members,
        Some(_) => return Err(Fault::bad_request("`options` must be an object")),
    };
    const NO_VALUE: Decimal = Decimal::from_tenths(-1);
    let bad = || OptionValue::Text("\0".to_owned());
    let set = members.iter().map(|(name, value)| {
        let value = match value {
            Value::Bool(value) => OptionValue::Bool(*value),
            Value::Int(value) => OptionValue::Int(*value),
            Value::Text(value) => OptionValue::Text(value.clone()),
            Value::Float(value) => Decimal::from_f64(*value).map_or_else(bad, OptionValue::Decimal),
            Value::List(items) => list(items).unwrap_or_else(bad),
            Value::Object(members) => {
                // A bad value becomes one that no pattern can have.
                let decimal = |value: &Value| match value {
                    Value::Int(value) => Decimal::whole(*value),
                    Value::Float(value) => Decimal::from_f64(*value).unwrap_or(NO_VALUE),
                    _ => NO_VALUE,
                };
                let values = members
                    .iter()
                    .map(|(id, value)| (id.clone(), decimal(value)));
                OptionValue::Values(PatternValues(values.collect()))
            }
            _ => bad(),
        };
        (name.clone(), value)
    });
    Ok(set.collect())
}

/// A list of integers only, or of words only.
fn list(items: &[Value]) -> Option<OptionValue> {
    let int = |item: &Value| match item {
        Value::Int(value) => Some(*value),
        _ => None,
    };
    let ints: Option<Vec<i64>> = items.iter().map(int).collect();
    let word = |item: &Value| item.as_str().map(str::to_owned);
    let words = || -> Option<Vec<String>> { items.iter().map(word).collect() };
    words()
        .map(OptionValue::Words)
        .or(ints.map(OptionValue::Ints))
}

/// A request with its ruleset.
pub(super) struct Request<'a> {
    pub(super) rules: &'a dyn Ruleset,
    pub(super) plan: &'a Plan,
    pub(super) notation: Notation,
    pub(super) value: &'a Value,
}

/// Refuses members that requests of this type do not have under the ruleset.
fn check_request(plan: &Plan, value: &Value) -> Result<(), Fault> {
    let kind = value.get("type").and_then(Value::as_str);
    let is_settle = kind.is_none_or(|kind| kind == "settle");
    let is_table = is_settle || kind == Some("score");
    let is_bare = matches!(kind, Some("decompose" | "distance"));
    let settlement = plan.settlement;
    let is_riichi = is_settle && matches!(settlement, SettlementRules::Riichi(_));
    let indicators = plan.wall.indicators.filter(|_| is_table);
    let under = indicators == Some(IndicatorOrder::TopsBeyondReplacements);
    let known = [
        ("id", true),
        ("type", true),
        ("ruleset", true),
        ("rules", true),
        ("options", true),
        ("notation", true),
        ("round", is_table),
        ("player", kind == Some("score")),
        ("win", kind == Some("score")),
        ("players", is_settle),
        ("wins", is_settle),
        ("hand", is_bare),
        ("melds", is_bare),
        ("tiles", kind == Some("parse")),
        ("bonus", indicators.is_some() && !under),
        ("dora", under),
        ("ura", under),
        ("honba", is_table && settlement.has_counters()),
        ("deposits", is_table && settlement.deposit() > 0),
        ("draw", is_riichi),
        ("nagashi", is_riichi),
        ("false-win", is_riichi),
        ("penalty", is_settle && plan.procedures.false_win.is_some()),
    ];
    check_members(value, "a request", &known)
}

pub(super) fn text_of<'a>(value: &'a Value, name: &str) -> Result<&'a str, Fault> {
    value
        .get(name)
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::bad_request(format!("`{name}` must be a string")))
}

pub(super) fn list_of<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], Fault> {
    match value.get(name) {
        None => Ok(&[]),
        Some(Value::List(items)) => Ok(items),
        Some(_) => Err(Fault::bad_request(format!("`{name}` must be a list"))),
    }
}

pub(super) fn bool_of(value: &Value, name: &str) -> Result<Option<bool>, Fault> {
    match value.get(name) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(_) => Err(Fault::bad_request(format!(
            "`{name}` must be true or false"
        ))),
    }
}

/// Refuses members that nobody reads. `of` names the object.
pub(super) fn check_members(value: &Value, of: &str, known: &[(&str, bool)]) -> Result<(), Fault> {
    let Value::Object(members) = value else {
        return Err(Fault::bad_request(format!("{of} must be an object")));
    };
    let known = || known.iter().filter(|(_, has)| *has).map(|(name, _)| *name);
    match members
        .iter()
        .find(|(name, _)| known().all(|one| one != name))
    {
        None => Ok(()),
        Some((name, _)) => {
            let hint = nearest(name, known()).map(|near| format!("; did you mean `{near}`?"));
            let hint = hint.unwrap_or_default();
            Err(Fault::bad_request(format!(
                "{of} has no member `{name}`{hint}"
            )))
        }
    }
}

/// A declared meld as written in a request.
pub(super) struct RawMeld<'a> {
    pub(super) tiles: &'a str,
    pub(super) open: bool,
    pub(super) added: bool,
    pub(super) from: Option<Seat>,
}

/// A player as written in a request. Tiles are still strings.
pub(super) struct RawPlayer<'a> {
    pub(super) seat: Seat,
    pub(super) hand: &'a str,
    pub(super) flowers: &'a str,
    pub(super) set_aside: &'a str,
    pub(super) melds: Vec<RawMeld<'a>>,
    pub(super) dead: bool,
    pub(super) out: bool,
}

/// The tiles of a player.
pub(super) struct Player {
    pub(super) hand: Vec<Tile>,
    pub(super) flowers: Vec<Tile>,
    pub(super) set_aside: SetAside,
    pub(super) melds: Vec<Vec<Tile>>,
}

impl<'a> Request<'a> {
    pub(super) fn new(rules: &'a dyn Ruleset, value: &'a Value) -> Result<Self, Fault> {
        let plan = rules.plan();
        check_request(plan, value)?;
        let notation = match value.get("notation") {
            None => Notation::Ujmj,
            Some(name) => name
                .as_str()
                .and_then(Notation::by_name)
                .filter(|notation| *notation != Notation::Mjai)
                .ok_or_else(|| Fault::bad_request("`notation` must be `ujmj` or `mpsz`"))?,
        };
        if notation == Notation::Mpsz && !plan.tiles.fits_mpsz() {
            let message = "mpsz notation cannot write every tile of this set";
            return Err(Fault::bad_request(message));
        }
        Ok(Self {
            rules,
            plan,
            notation,
            value,
        })
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, Fault> {
        text_of(self.value, name)
    }

    /// Reads tiles. A red five is a bad tile if the ruleset's notation has none.
    pub(super) fn tiles(&self, text: &str) -> Result<Vec<Tile>, Fault> {
        let tiles = self.notation.parse(text)?;
        match tiles.iter().find(|tile| tile.is_red()) {
            Some(red) if !self.plan.red_fives_written => {
                let message = format!("`{}` has no tile `{red}`", self.plan.id);
                Err(Fault::new("bad-tile", message))
            }
            _ => Ok(tiles),
        }
    }

    pub(super) fn all_in_set(&self, tiles: &[Tile]) -> Result<(), Fault> {
        match tiles.iter().find(|&&tile| !self.plan.tiles.contains(tile)) {
            Some(&tile) => Err(HandError::NotInSet { tile }.into()),
            None => Ok(()),
        }
    }

    pub(super) fn round(&self) -> Result<Wind, Fault> {
        let fault = || Fault::bad_request("`round` must be one of `E S W N`");
        let Some(round) = self.value.get("round") else {
            return if self.plan.matches.round_winds {
                Err(Fault::bad_request("`round` is missing"))
            } else {
                Ok(Wind::East)
            };
        };
        let mut letters = round.as_str().ok_or_else(fault)?.chars();
        match (letters.next().and_then(Wind::from_letter), letters.next()) {
            (Some(wind), None) => Ok(wind),
            _ => Err(fault()),
        }
    }

    pub(super) fn seat(&self, value: &Value, name: &str) -> Result<Seat, Fault> {
        let mut letters = text_of(value, name)?.chars();
        match (letters.next().and_then(Seat::from_letter), letters.next()) {
            (Some(seat), None) if seat.index() < self.plan.players => Ok(seat),
            _ => Err(Fault::bad_request(format!("`{name}` must be a seat"))),
        }
    }

    fn raw_melds(&self, value: &'a Value) -> Result<Vec<RawMeld<'a>>, Fault> {
        list_of(value, "melds")?
            .iter()
            .map(|meld| {
                let known = ["tiles", "open", "added", "from"].map(|name| (name, true));
                check_members(meld, "a meld", &known)?;
                Ok(RawMeld {
                    tiles: text_of(meld, "tiles")?,
                    open: bool_of(meld, "open")?.unwrap_or(true),
                    added: bool_of(meld, "added")?.unwrap_or(false),
                    from: match meld.get("from") {
                        None | Some(Value::Null) => None,
                        Some(_) => Some(self.seat(meld, "from")?),
                    },
                })
            })
            .collect()
    }

    pub(super) fn raw_player(&self, value: &'a Value) -> Result<RawPlayer<'a>, Fault> {
        let play = &self.plan.play;
        let known = [
            ("seat", true),
            ("hand", true),
            ("melds", true),
            ("flowers", true),
            ("set_aside", play.set_aside.is_some()),
            ("dead", self.plan.procedures.dead_hands),
            ("out", play.plays_on),
        ];
        check_members(value, "a player", &known)?;
        Ok(RawPlayer {
            seat: self.seat(value, "seat")?,
            hand: text_of(value, "hand")?,
            flowers: match value.get("flowers") {
                None => "",
                Some(_) => text_of(value, "flowers")?,
            },
            set_aside: match value.get("set_aside") {
                None => "",
                Some(_) => text_of(value, "set_aside")?,
            },
            melds: self.raw_melds(value)?,
            dead: bool_of(value, "dead")?.unwrap_or(false),
            out: bool_of(value, "out")?.unwrap_or(false),
        })
    }

    pub(super) fn read_player(&self, raw: &RawPlayer<'_>) -> Result<Player, Fault> {
        let player = Player {
            hand: self.tiles(raw.hand)?,
            flowers: self.tiles(raw.flowers)?,
            set_aside: self.set_aside(raw.set_aside)?,
            melds: raw
                .melds
                .iter()
                .map(|meld| self.tiles(meld.tiles))
                .collect::<Result<_, _>>()?,
        };
        match player.flowers.iter().find(|tile| !tile.is_flower()) {
            Some(&tile) => Err(HandError::NotAFlower { tile }.into()),
            None => Ok(player),
        }
    }

    /// Tiles that a player has set aside.
    fn set_aside(&self, text: &str) -> Result<SetAside, Fault> {
        let tiles = self.tiles(text)?;
        let may = self.plan.play.set_aside;
        let other = tiles
            .iter()
            .find(|tile| tile.kind() != may || tile.is_red());
        match (may, other) {
            (_, Some(tile)) => Err(Fault::bad_request(format!("{tile} may not be set aside"))),
            (None, None) => Ok(SetAside::default()),
            (Some(kind), None) => SetAside::new(kind, tiles.len()).ok_or_else(|| {
                let message = format!("{} of {kind} set aside, a set has four", tiles.len());
                Fault::new("too-many-copies", message)
            }),
        }
    }

    pub(super) fn player_in_set(&self, player: &Player) -> Result<(), Fault> {
        self.all_in_set(&player.hand)?;
        self.all_in_set(&player.flowers)?;
        player
            .melds
            .iter()
            .try_for_each(|tiles| self.all_in_set(tiles))?;
        // Where flowers are laid down before play, no hand keeps one.
        let held = player.hand.iter().find(|tile| tile.is_flower());
        let never = self.plan.play.flowers == FlowersLaid::BeforePlay;
        match held.filter(|_| never) {
            Some(tile) => {
                let message = format!("{tile} belongs among the flowers");
                Err(Fault::bad_request(message))
            }
            None => Ok(()),
        }
    }

    /// The melds of the player at `seat`. Without a seat, `from` may name anyone.
    pub(super) fn melds(
        &self,
        raw: &[RawMeld<'_>],
        tiles: &[Vec<Tile>],
        seat: Option<Seat>,
    ) -> Result<Vec<Meld>, Fault> {
        raw.iter()
            .zip(tiles)
            .enumerate()
            .map(|(index, (raw, tiles))| {
                self.meld(raw, tiles, seat).map_err(|reason| {
                    let reason = reason.into();
                    HandError::BadMeld { index, reason }.into()
                })
            })
            .collect()
    }

    fn meld(
        &self,
        raw: &RawMeld<'_>,
        tiles: &[Tile],
        seat: Option<Seat>,
    ) -> Result<Meld, &'static str> {
        let grammar = self.plan.decomposer.grammar();
        let play = &self.plan.play;
        let (group, wild) = Meld::with_jokers(tiles)
            .filter(|(group, wild)| {
                let jokers = wild.count_ones() as u8;
                jokers == 0 || raw.open && jokers <= play.jokers.most_in(*group)
            })
            .unwrap_or_default();
        let kinds: Option<Vec<Kind>> = match wild {
            0 => tiles.iter().map(|tile| tile.kind()).collect(),
            _ => Some(group.tiles().collect()),
        };
        let group: Group = kinds
            .and_then(|kinds| grammar.meld_of(&kinds))
            .ok_or("these tiles are no meld")?;
        let family = group.family();
        if !raw.open && family != Family::Kong && !play.lay_down.contains(family) {
            return Err("such a meld is never concealed");
        }
        if raw.added {
            let fits = match play.added_to {
                AddedTo::None => false,
                AddedTo::Laid => !raw.open,
                AddedTo::Claimed => raw.open,
            };
            if family != Family::Kong || !fits {
                return Err("no tile was added to it");
            }
        }
        if let Some(from) = raw.from {
            if !raw.open {
                return Err("a concealed meld comes from nobody");
            }
            if let Some(seat) = seat {
                if from == seat {
                    return Err("a meld comes from another seat");
                }
                let players = self.plan.players;
                if family.is_run() && !play.chow_from.allows(seat, from, players) {
                    return Err("a run comes from another player");
                }
            }
        }
        Ok(Meld {
            group,
            open: raw.open,
            added: raw.added,
            added_after: 0,
            hidden: false,
            reds: tiles.iter().filter(|tile| tile.is_red()).count() as u8,
            wild,
            claimed: None,
            from: raw.from,
        })
    }

    /// Reads the tiles of a `decompose` or `distance` request. With melds the total must be that of a hand with
    /// the drawn tile, or without it if it `may_wait`; a meld counts three. Without melds groups may be missing.
    pub(super) fn holding(&self, may_wait: bool) -> Result<Holding, Fault> {
        let hand = self.text("hand")?;
        let raw = self.raw_melds(self.value)?;
        let tiles = self.tiles(hand)?;
        let meld_tiles = raw
            .iter()
            .map(|meld| self.tiles(meld.tiles))
            .collect::<Result<Vec<_>, _>>()?;
        if tiles.iter().any(|tile| tile.is_flower()) {
            return Err(Fault::bad_request("a flower is no part of a hand here"));
        }
        self.all_in_set(&tiles)?;
        for tiles in &meld_tiles {
            self.all_in_set(tiles)?;
        }
        let melds = self.melds(&raw, &meld_tiles, None)?;
        let mut tally = TileTally::new(&self.plan.tiles);
        tally.add_all(tiles.iter().chain(meld_tiles.iter().flatten()).copied())?;
        let have = tiles.len() + 3 * melds.len();
        let grammar = self.plan.decomposer.grammar();
        let (groups, size) = (grammar.groups(), grammar.hand_tiles());
        let rest = tiles.len() % 3;
        let fits = if melds.is_empty() {
            tiles.len() <= size + 1 && (rest == 2 || rest == 1 && may_wait)
        } else {
            (have == size + 1 || have == size && may_wait) && !tiles.is_empty()
        };
        if !fits {
            let want = if may_wait {
                format!("{size} or {}, or 3n + 1 or 3n + 2 without melds", size + 1)
            } else {
                format!("{}, or 3n + 2 without melds", size + 1)
            };
            return Err(HandError::wrong_count(have, want).into());
        }
        let hand = Hand::try_new_for(groups, &self.plan.tiles, &tiles, &melds, &[])?;
        Ok(if melds.is_empty() {
            Holding::of_tiles_for(*hand.concealed(), groups)
        } else {
            Holding::from(&hand)
        })
    }
}
