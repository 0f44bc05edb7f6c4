//! Converts JSON requests to the types of [`crate::request`]. Those types check them.

use super::answer::{ChangeAnswer, RepairAnswer};
use super::{ScoreAnswer, error::ErrorAnswer, value::Value};
use crate::decimal::Decimal;
use crate::decompose::Holding;
use crate::hand::{Hand, HandError, TileTally};
use crate::lang::Lang;
use crate::notation::{Notation, ParseTilesError};
use crate::request::{
    Change, Declared, Goal, NoWin, Request, RequestError, SeatHand, Table, Unfinished, all_in_set,
    check_melds,
};
use crate::ruleset::{OptionValue, PatternValues, Plan};
use crate::score::{Score, ScoreError, ScoreInput, SettlementRules};
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::{OnTable, TurnedId, TurnedTile, Way, Win};
use crate::text::{hint, nearest};
use crate::tile::{Kind, Tile, Wind};
use crate::wall::IndicatorOrder;
use std::cell::RefCell;

type Result<T> = std::result::Result<T, ErrorAnswer>;

/// Reads the options of a request. An invalid value becomes one that no option accepts, so that an unknown name
/// is reported before an invalid value.
pub(super) fn options(value: Option<&Value>) -> Result<Vec<(String, OptionValue)>> {
    let members = match value {
        None => return Ok(Vec::new()),
        Some(Value::Object(members)) => members,
        Some(_) => return Err(ErrorAnswer::bad_request("`options` must be an object")),
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
                // An invalid value becomes one that no pattern can have.
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

/// Reads a list of integers or a list of strings.
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

pub(super) fn text_of<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    value
        .get(name)
        .and_then(Value::as_str)
        .ok_or_else(|| ErrorAnswer::bad_request(format!("`{name}` must be a string")))
}

/// The language of names. `None` if it is absent.
pub(super) fn lang(value: &Value) -> Result<Option<Lang>> {
    let Some(lang) = value.get("lang") else {
        return Ok(None);
    };
    let lang = lang.as_str().and_then(|tag| tag.parse().ok());
    let fault = "`lang` must be a language tag such as `zh`";
    lang.map(Some)
        .ok_or_else(|| ErrorAnswer::bad_request(fault))
}

fn list_of<'a>(value: &'a Value, name: &str) -> Result<&'a [Value]> {
    match value.get(name) {
        None => Ok(&[]),
        Some(Value::List(items)) => Ok(items),
        Some(_) => Err(ErrorAnswer::bad_request(format!("`{name}` must be a list"))),
    }
}

pub(super) fn bool_of(value: &Value, name: &str) -> Result<Option<bool>> {
    match value.get(name) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(_) => {
            let message = format!("`{name}` must be true or false");
            Err(ErrorAnswer::bad_request(message))
        }
    }
}

/// An integer in a range. `None` if it is absent.
fn int_of(value: &Value, name: &str, range: std::ops::RangeInclusive<i64>) -> Result<Option<i64>> {
    match value.get(name) {
        None => Ok(None),
        Some(Value::Int(int)) if range.contains(int) => Ok(Some(*int)),
        Some(_) => {
            let (low, high) = (range.start(), range.end());
            let message = format!("`{name}` must be an integer from {low} to {high}");
            Err(ErrorAnswer::bad_request(message))
        }
    }
}

/// A member that may be null.
fn given<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).filter(|value| **value != Value::Null)
}

/// Rejects unknown members. `of` names the object.
pub(super) fn check_members(value: &Value, of: &str, known: &[(&str, bool)]) -> Result<()> {
    let Value::Object(members) = value else {
        return Err(ErrorAnswer::bad_request(format!("{of} must be an object")));
    };
    let known = || known.iter().filter(|(_, has)| *has).map(|(name, _)| *name);
    match members
        .iter()
        .find(|(name, _)| known().all(|one| one != name))
    {
        None => Ok(()),
        Some((name, _)) => {
            let all: Vec<&str> = known().collect();
            let hint = hint(nearest(name, known()).as_deref(), &all);
            let message = format!("{of} has no member `{name}`{hint}");
            Err(ErrorAnswer::bad_request(message))
        }
    }
}

/// The members of `distance` that give a goal. A request has at most one.
const GOALS: [&str; 3] = ["worth", "points", "pattern"];

/// Rejects members that requests of this type do not have under the ruleset.
fn check_request(plan: &Plan, value: &Value, kind: &str) -> Result<()> {
    let (is_score, is_settle) = (kind == "score", kind == "settle");
    let is_table = is_settle || is_score;
    let is_bare = matches!(kind, "decompose" | "distance");
    let is_distance = kind == "distance";
    let has_goal = is_distance && GOALS.iter().any(|goal| value.get(goal).is_some());
    let settlement = plan.settlement;
    let is_riichi = is_settle && matches!(settlement, SettlementRules::Riichi(_));
    let is_turned = plan.turned_when_dealt.is_some();
    let turns = is_settle && !plan.play.turned.is_empty();
    let indicators = plan.wall.indicators.filter(|_| is_table || has_goal);
    let under = indicators == Some(IndicatorOrder::TopsBeyondReplacements);
    let known = [
        ("id", true),
        ("type", true),
        ("ruleset", true),
        ("rules", true),
        ("options", true),
        ("notation", true),
        ("lang", is_table),
        ("round", is_table || has_goal),
        ("player", is_score),
        ("win", is_score),
        ("explain", is_table),
        ("why_not", is_score),
        ("repair", is_score),
        ("players", is_settle),
        ("wins", is_settle),
        ("hand", is_bare),
        ("melds", is_bare),
        ("tiles", kind == "parse"),
        ("bonus", indicators.is_some() && !under && !is_turned),
        ("turned", turns || is_turned && (is_table || is_bare)),
        ("dora", under),
        ("ura", under && is_table),
        ("honba", (is_table || has_goal) && plan.has_counters()),
        ("deposits", is_table && settlement.deposit() > 0),
        ("seen", is_distance),
        ("worth", is_distance),
        ("points", is_distance),
        ("pattern", is_distance),
        ("within", has_goal),
        ("seat", has_goal),
        ("flowers", has_goal),
        ("set_aside", has_goal && !plan.play.aside.kinds().is_empty()),
        ("by", has_goal),
        ("from", has_goal),
        ("flags", has_goal),
        ("draw", is_riichi),
        ("nagashi", is_riichi),
        ("false-win", is_riichi),
        ("penalty", is_settle && plan.procedures.false_win.is_some()),
    ];
    check_members(value, "a request", &known)
}

fn bad_repair() -> ErrorAnswer {
    ErrorAnswer::bad_request("`repair` must be a list of pattern ids and nulls")
}

/// Reads the members of one request.
pub(super) struct Reader<'a> {
    pub(super) plan: &'a Plan,
    pub(super) notation: Notation,
    /// The language of names. `None` if the request names none.
    lang: Option<Lang>,
    value: &'a Value,
    /// The answer explains scores.
    explains: bool,
    /// The patterns of which the answer says why they do not count.
    why_not: Vec<String>,
    /// The patterns that the answer repairs the hand for. `None` is a win.
    repair: Vec<Option<String>>,
    /// The error of the first string that is not tiles. It is reported after errors of members.
    bad_tile: RefCell<Option<ParseTilesError>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(plan: &'a Plan, value: &'a Value, kind: &str) -> Result<Self> {
        check_request(plan, value, kind)?;
        let notation = match value.get("notation") {
            None => Notation::Ujmj,
            Some(name) => name
                .as_str()
                .and_then(Notation::by_name)
                .filter(|notation| *notation != Notation::Mjai)
                .ok_or_else(|| ErrorAnswer::bad_request("`notation` must be `ujmj` or `mpsz`"))?,
        };
        if notation == Notation::Mpsz && !plan.tiles.fits_mpsz() {
            let message = "mpsz notation cannot write every tile of this set";
            return Err(ErrorAnswer::bad_request(message));
        }
        let explains = bool_of(value, "explain")?.unwrap_or(false);
        Ok(Self {
            plan,
            notation,
            lang: lang(value)?,
            value,
            explains,
            why_not: match value.get("why_not") {
                None => Vec::new(),
                Some(Value::List(ids)) => {
                    let id = |id: &Value| id.as_str().map(str::to_owned);
                    let ids = ids.iter().map(id).collect::<Option<_>>();
                    ids.ok_or_else(|| {
                        ErrorAnswer::bad_request("`why_not` must be a list of pattern ids")
                    })?
                }
                Some(_) => {
                    let message = "`why_not` must be a list of pattern ids";
                    return Err(ErrorAnswer::bad_request(message));
                }
            },
            repair: match value.get("repair") {
                None => Vec::new(),
                Some(Value::List(goals)) => {
                    let goal = |goal: &Value| match goal {
                        Value::Null => Some(None),
                        goal => goal.as_str().map(|id| Some(id.to_owned())),
                    };
                    let goals = goals.iter().map(goal).collect::<Option<_>>();
                    goals.ok_or_else(bad_repair)?
                }
                Some(_) => return Err(bad_repair()),
            },
            bad_tile: RefCell::new(None),
        })
    }

    /// The repairs that the request asks for.
    pub(super) fn repairs(&self, table: &Table<'_>) -> Result<Option<Vec<RepairAnswer>>> {
        let repair = |pattern: &Option<String>| {
            let goal = pattern.clone().map_or(Goal::Win, Goal::Pattern);
            let found = match table.repair(&goal) {
                Ok(found) => found,
                Err(error) => return Err(ErrorAnswer::bad_request(error.to_string())),
            };
            let answer = |change: &Change| ChangeAnswer::new(change, self.notation);
            Ok(RepairAnswer {
                pattern: pattern.clone(),
                changes: found.map(|found| found.changes.iter().map(answer).collect()),
            })
        };
        let repairs = self.repair.iter().map(repair).collect::<Result<_>>()?;
        Ok(Some(repairs).filter(|_| !self.repair.is_empty()))
    }

    /// Keeps the first error of tiles for [`Reader::finish`].
    fn or_bad_tile<T>(&self, parsed: std::result::Result<T, ParseTilesError>) -> Option<T> {
        let note = |error| {
            self.bad_tile.borrow_mut().get_or_insert(error);
        };
        parsed.map_err(note).ok()
    }

    /// Returns `read` if no string of tiles was invalid.
    fn finish<T>(&self, read: T) -> Result<T> {
        match self.bad_tile.take() {
            Some(error) => Err(error.into()),
            None => Ok(read),
        }
    }

    fn tiles(&self, value: &Value, name: &str) -> Result<Vec<Tile>> {
        let parsed = self.notation.parse(text_of(value, name)?);
        Ok(self.or_bad_tile(parsed).unwrap_or_default())
    }

    /// Tiles. Empty if the member is absent.
    fn tiles_or_none(&self, value: &Value, name: &str) -> Result<Vec<Tile>> {
        match value.get(name) {
            None => Ok(Vec::new()),
            Some(_) => self.tiles(value, name),
        }
    }

    fn seat(&self, value: &Value, name: &str) -> Result<Seat> {
        let mut letters = text_of(value, name)?.chars();
        match (letters.next().and_then(Seat::from_letter), letters.next()) {
            (Some(seat), None) if seat.index() < self.plan.players => Ok(seat),
            _ => Err(ErrorAnswer::bad_request(format!("`{name}` must be a seat"))),
        }
    }

    /// A seat that may be null.
    fn seat_or_none(&self, value: &Value, name: &str) -> Result<Option<Seat>> {
        given(value, name)
            .map(|_| self.seat(value, name))
            .transpose()
    }

    fn round(&self) -> Result<Wind> {
        let fault = || ErrorAnswer::bad_request("`round` must be one of `E S W N`");
        let Some(round) = self.value.get("round") else {
            return match self.plan.matches.round_winds {
                true => Err(ErrorAnswer::bad_request("`round` is missing")),
                false => Ok(Wind::East),
            };
        };
        let mut letters = round.as_str().ok_or_else(fault)?.chars();
        match (letters.next().and_then(Wind::from_letter), letters.next()) {
            (Some(wind), None) => Ok(wind),
            _ => Err(fault()),
        }
    }

    fn melds(&self, value: &Value) -> Result<Vec<Declared>> {
        let meld = |meld: &Value| {
            let known = ["tiles", "open", "added", "from"].map(|name| (name, true));
            check_members(meld, "a meld", &known)?;
            Ok(Declared {
                tiles: self.tiles(meld, "tiles")?,
                open: bool_of(meld, "open")?.unwrap_or(true),
                added: bool_of(meld, "added")?.unwrap_or(false),
                from: self.seat_or_none(meld, "from")?,
            })
        };
        list_of(value, "melds")?.iter().map(meld).collect()
    }

    /// The bonus tiles laid aside: `flowers`, and others under a name of their own.
    fn aside(&self, value: &Value) -> Result<Vec<Tile>> {
        let mut aside = self.tiles_or_none(value, "set_aside")?;
        aside.extend(self.tiles_or_none(value, "flowers")?);
        Ok(aside)
    }

    fn player(&self, value: &Value) -> Result<SeatHand> {
        let play = &self.plan.play;
        let known = [
            ("seat", true),
            ("hand", true),
            ("melds", true),
            ("flowers", true),
            ("set_aside", !play.aside.kinds().is_empty()),
            ("dead", self.plan.procedures.dead_hands),
            ("out", play.plays_on),
        ];
        check_members(value, "a player", &known)?;
        Ok(SeatHand {
            melds: self.melds(value)?,
            aside: self.aside(value)?,
            dead: bool_of(value, "dead")?.unwrap_or(false),
            out: bool_of(value, "out")?.unwrap_or(false),
            ..SeatHand::new(self.seat(value, "seat")?, self.tiles(value, "hand")?)
        })
    }

    /// Reads a win. `has_seat` is true for the wins of `settle`, which name the winner.
    fn win(&self, value: &Value, has_seat: bool) -> Result<Win> {
        let known = [
            ("tile", true),
            ("by", true),
            ("from", true),
            ("flags", true),
            ("quads", self.plan.kong_flag.is_some()),
            ("seat", has_seat),
        ];
        check_members(value, "a win", &known)?;
        let tile = self.notation.parse_one(text_of(value, "tile")?);
        Ok(Win {
            tile: self.or_bad_tile(tile).unwrap_or(Kind::EAST.into()),
            kongs_in_row: int_of(value, "quads", 1..=4)?.unwrap_or(0) as u8,
            ..self.win_without_tile(value, text_of(value, "by")?)?
        })
    }

    /// Reads `from` and `flags` of a win.
    fn win_without_tile(&self, value: &Value, by: &str) -> Result<Win> {
        let Some((_, way)) = Way::WORDS.into_iter().find(|(word, _)| *word == by) else {
            return Err(ErrorAnswer::bad_request(format!(
                "nothing is won by `{by}`"
            )));
        };
        let flags = list_of(value, "flags")?.iter().map(|flag| {
            let flag = flag.as_str();
            flag.ok_or_else(|| ErrorAnswer::bad_request("a flag must be a string"))
        });
        Ok(Win {
            way,
            from: self.seat_or_none(value, "from")?,
            flags: self.plan.flag_set(flags.collect::<Result<Vec<_>>>()?)?,
            ..Win::drawn(Kind::EAST.into())
        })
    }

    /// Reads the members that `score` and `settle` share, beside hands and wins.
    fn around(&self, request: Request) -> Result<Request> {
        let value = self.value;
        let count = |name| {
            Ok::<_, ErrorAnswer>(int_of(value, name, 0..=1_000_000_000)?.unwrap_or(0) as u32)
        };
        let (dealt, turned) = self.all_turned()?;
        let indicators = ["dora", "bonus"].map(|name| self.tiles_or_none(value, name));
        let indicators = indicators.into_iter().chain([Ok(dealt)]);
        let indicators = indicators.collect::<Result<Vec<_>>>()?.concat();
        let request = Request {
            round: self.round()?,
            indicators,
            under_indicators: self.tiles_or_none(value, "ura")?,
            turned,
            on_table: OnTable {
                counters: count("honba")?,
                deposits: count("deposits")?,
            },
            ..request
        };
        self.finish(request)
    }

    /// Reads the tiles that were turned face up, an object with the tiles of each row: those that were turned when the tiles
    /// were dealt, and those after a win.
    fn all_turned(&self) -> Result<(Vec<Tile>, Vec<TurnedTile>)> {
        let Some(given) = given(self.value, "turned") else {
            return Ok((Vec::new(), Vec::new()));
        };
        let ids = self.plan.turned_ids.iter();
        let dealt = self.plan.turned_when_dealt.as_ref();
        let known = ids.clone().chain(dealt).map(|id| (id.as_str(), true));
        check_members(given, "`turned`", &known.collect::<Vec<_>>())?;
        let dealt = dealt.map_or(Ok(Vec::new()), |id| self.tiles_or_none(given, id))?;
        let mut turned = Vec::new();
        for (place, id) in ids.enumerate() {
            let tiles = self.tiles_or_none(given, id)?.into_iter();
            turned.extend(tiles.map(|tile| TurnedTile::new(TurnedId::at(place), tile)));
        }
        Ok((dealt, turned))
    }

    /// The answer for a score, explained if the request asks for it.
    pub(super) fn score_answer(
        &self,
        input: &ScoreInput<'_>,
        score: &Score,
    ) -> Result<ScoreAnswer> {
        let wording = self.notation.in_lang(self.lang.unwrap_or_default());
        let explain = || Box::new(self.plan.explain(input, score, wording));
        let why_not = |id: &String| {
            let why = self.plan.why_not(input, score, id);
            let unknown = || ErrorAnswer::bad_request(format!("no pattern `{id}`"));
            Ok((id.clone(), why.ok_or_else(unknown)?))
        };
        let why_not = self.why_not.iter().map(why_not).collect::<Result<_>>()?;
        let mut answer = ScoreAnswer {
            explanation: self.explains.then(explain),
            why_not: Some(why_not).filter(|_| !self.why_not.is_empty()),
            ..ScoreAnswer::new(self.plan, self.notation, score)?
        };
        if let Some(lang) = self.lang {
            answer.add_names(self.plan, lang);
        }
        Ok(answer)
    }

    /// Reads a `score` request.
    pub(super) fn score(&self) -> Result<Request> {
        let value = self.value;
        let member = |name| {
            let missing = || ErrorAnswer::bad_request(format!("`{name}` is missing"));
            value.get(name).ok_or_else(missing)
        };
        let hand = self.player(member("player")?)?;
        let win = match member("win")? {
            Value::Null if self.plan.score.losers.is_none() => {
                return Err(ScoreError::NotScored.into());
            }
            Value::Null => None,
            win => Some(self.win(win, false)?),
        };
        self.around(Request::of_hand(hand, win))
    }

    /// Reads a `settle` request.
    pub(super) fn settle(&self) -> Result<Request> {
        let value = self.value;
        let hands = list_of(value, "players")?.iter();
        let hands: Vec<_> = hands
            .map(|player| self.player(player))
            .collect::<Result<_>>()?;
        if !hands
            .iter()
            .map(|hand| hand.seat)
            .eq(Seat::all(self.plan.players))
        {
            let (have, want) = (hands.len(), self.plan.players);
            return Err(RequestError::NotTheTable { have, want }.into());
        }
        if value.get("wins").is_none() {
            return Err(ErrorAnswer::bad_request("`wins` is missing"));
        }
        let wins = list_of(value, "wins")?.iter();
        let wins = wins.map(|win| Ok((self.seat(win, "seat")?, self.win(win, true)?)));
        let request = Request::of_table(hands, wins.collect::<Result<_>>()?);
        let no_win = self.no_win()?;
        self.around(Request { no_win, ..request })
    }

    /// Reads how a deal without a win ended. `None` if the request does not say it.
    fn no_win(&self) -> Result<Option<NoWin>> {
        let text = |name| {
            given(self.value, name)
                .map(|_| text_of(self.value, name))
                .transpose()
        };
        let mut false_win = self.seat_or_none(self.value, "false-win")?;
        if let Some(penalty) = given(self.value, "penalty") {
            check_members(penalty, "a penalty", &[("seat", true), ("kind", true)])?;
            false_win = Some(self.seat(penalty, "seat")?);
            let kind = text_of(penalty, "kind")?;
            if kind != "false-mahjong" {
                return Err(ErrorAnswer::bad_request(format!(
                    "unknown penalty `{kind}`"
                )));
            }
        }
        let mut seats = SeatSet::EMPTY;
        let nagashi = text("nagashi")?;
        for letter in nagashi.unwrap_or_default().chars() {
            let seat = Seat::from_letter(letter).filter(|&seat| !seats.contains(seat));
            seats.insert(
                seat.ok_or_else(|| {
                    ErrorAnswer::bad_request("`nagashi` must name seats, each once")
                })?,
            );
        }
        let drawn = match text("draw")? {
            None => nagashi.map(|_| NoWin::Exhausted { nagashi: seats }),
            Some("exhaustive") => Some(NoWin::Exhausted { nagashi: seats }),
            Some("nine-orphans" | "four-winds" | "four-kans" | "four-riichi" | "three-rons") => {
                Some(NoWin::Aborted)
            }
            Some(other) => {
                return Err(ErrorAnswer::bad_request(format!("unknown draw `{other}`")));
            }
        };
        let is_abortive_with_nagashi = drawn == Some(NoWin::Aborted) && nagashi.is_some();
        match (false_win, drawn) {
            (Some(_), Some(_)) => Err(RequestError::TwoEndings.into()),
            _ if is_abortive_with_nagashi => Err(RequestError::TwoEndings.into()),
            (Some(seat), None) => Ok(Some(NoWin::FalseWin(seat))),
            (None, drawn) => Ok(drawn),
        }
    }

    /// The goal of a `distance` request, if it has one.
    fn goal(&self) -> Result<Option<Goal>> {
        let value = self.value;
        let mut given = GOALS
            .iter()
            .filter_map(|name| Some((*name, value.get(name)?)));
        let Some((name, goal)) = given.next() else {
            return Ok(None);
        };
        if let Some((other, _)) = given.next() {
            let message = format!("`{name}` and `{other}` cannot be given together");
            return Err(ErrorAnswer::bad_request(message));
        }
        let found = match (name, goal) {
            ("pattern", Value::Text(id)) => Some(Goal::Pattern(id.clone())),
            ("points", Value::Int(points)) => Some(Goal::Points(*points)),
            ("worth", Value::Int(worth)) => Some(Goal::Worth(Decimal::whole(*worth))),
            ("worth", Value::Float(worth)) => Decimal::from_f64(*worth).map(Goal::Worth),
            _ => None,
        };
        let want = match name {
            "pattern" => "a pattern id",
            "points" => "an integer",
            _ => "a number with at most one decimal",
        };
        let wrong = || ErrorAnswer::bad_request(format!("`{name}` must be {want}"));
        Ok(Some(found.ok_or_else(wrong)?))
    }

    /// Reads a `distance` request with a goal. `None` without one.
    pub(super) fn unfinished(&self) -> Result<Option<Unfinished>> {
        let value = self.value;
        let Some(goal) = self.goal()? else {
            return Ok(None);
        };
        let hand = SeatHand {
            melds: self.melds(value)?,
            aside: self.aside(value)?,
            ..SeatHand::new(self.seat(value, "seat")?, self.tiles(value, "hand")?)
        };
        let by = match value.get("by") {
            None => Way::Wall.word(),
            Some(_) => text_of(value, "by")?,
        };
        let win = self.win_without_tile(value, by)?;
        let seen = self.tiles_or_none(value, "seen")?;
        let within = int_of(value, "within", 0..=Unfinished::MOST.into())?;
        let around = self.around(Request::of_hand(hand.clone(), None))?;
        let mut unfinished = Unfinished::new(hand, goal);
        unfinished.round = around.round;
        unfinished.indicators = around.indicators;
        unfinished.on_table = around.on_table;
        unfinished.win = win;
        unfinished.seen = seen;
        if let Some(within) = within {
            unfinished.within = within as u8;
        }
        Ok(Some(unfinished))
    }

    /// Reads the tiles of a `distance` request that are visible elsewhere. `None` if the request does not count them.
    pub(super) fn seen(&self) -> Result<Option<Vec<Tile>>> {
        let seen = given(self.value, "seen").map(|_| self.tiles(self.value, "seen"));
        seen.transpose()
    }

    /// Reads the turned tile of a `decompose` or `distance` request.
    pub(super) fn turned(&self) -> Result<Option<Tile>> {
        let (turned, _) = self.all_turned()?;
        let turned = self.finish(turned)?;
        all_in_set(self.plan, &turned)?;
        Ok(turned.first().copied())
    }

    /// Reads the tiles of a `parse` request.
    pub(super) fn parse(&self) -> Result<Vec<Tile>> {
        let tiles = self.tiles(self.value, "tiles")?;
        let mut tiles = self.finish(tiles)?;
        all_in_set(self.plan, &tiles)?;
        tiles.sort();
        Ok(tiles)
    }

    /// Reads the tiles of a `decompose` or `distance` request. With melds, which count as three, the total must be that
    /// of a hand with the drawn tile, or without it if `may_wait`. Without melds groups may be missing.
    pub(super) fn holding(&self, may_wait: bool) -> Result<(Hand, Holding)> {
        let tiles = self.tiles(self.value, "hand")?;
        let melds = self.melds(self.value)?;
        let seen = self.tiles_or_none(self.value, "seen")?;
        let (tiles, given) = self.finish((tiles, melds))?;
        all_in_set(self.plan, &seen)?;
        let all = || {
            tiles
                .iter()
                .chain(given.iter().flat_map(|meld| &meld.tiles))
        };
        all_in_set(self.plan, all())?;
        if tiles.iter().any(|tile| tile.is_flower()) {
            return Err(ErrorAnswer::bad_request(
                "`hand` cannot contain flowers here",
            ));
        }
        let melds = check_melds(self.plan, &given, None)?;
        let mut tally = TileTally::new(&self.plan.tiles);
        tally.add_all(all().chain(&seen).copied())?;
        let grammar = self.plan.decomposer.grammar();
        let have = tiles.len() + grammar.tiles_of_melds(&melds);
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
        let holding = if melds.is_empty() {
            Holding::of_tiles_for(*hand.concealed(), groups)
        } else {
            Holding::from(&hand)
        };
        Ok((hand, holding))
    }
}
