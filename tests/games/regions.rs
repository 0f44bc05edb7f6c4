//! Singaporean, Korean, Japanese classical and Guangdong mahjong: what hands are worth and who pays, derived a second time from the
//! texts that the files cite, by trying every reading of a hand. First random complete hands with melds, bonus tiles and
//! circumstances, then whole games with what is paid while they go on.

use crate::common::{games, ruleset_with};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::meld::Family;
use paishan::protocol::Responder;
use paishan::random::Stream;
use paishan::state::{DealState, Event, Way, Win};
use paishan::{Hand, Kind, Rules, Seat, game_seed, simulate};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

pub(super) type Tiles = [u8; Kind::COUNT];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Pair,
    Chow,
    Pung,
    Kong,
}

/// A group, or the pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) shape: Shape,
    pub(super) low: usize,
    pub(super) open: bool,
    /// The seat that fed it.
    pub(super) from: Option<usize>,
    /// Whether it is a kong that was added to a pung.
    pub(super) added: bool,
}

impl Group {
    pub(super) fn own(shape: Shape, low: usize) -> Self {
        Self {
            shape,
            low,
            open: false,
            from: None,
            added: false,
        }
    }

    pub(super) fn kinds(&self) -> Vec<usize> {
        match self.shape {
            Shape::Pair => vec![self.low; 2],
            Shape::Chow => vec![self.low, self.low + 1, self.low + 2],
            Shape::Pung => vec![self.low; 3],
            Shape::Kong => vec![self.low; 4],
        }
    }

    pub(super) fn is_set(&self) -> bool {
        matches!(self.shape, Shape::Pung | Shape::Kong)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Standard,
    Orphans,
    Pairs,
}

/// A reading of a hand. `last` is the place of the group that the winning tile completed.
struct Reading {
    form: Form,
    groups: Vec<Group>,
    last: usize,
}

impl Reading {
    fn sets(&self, of: &[usize]) -> usize {
        let sets = self.groups.iter().filter(|group| group.is_set());
        sets.filter(|group| of.contains(&group.low)).count()
    }

    fn has_pair(&self, of: &[usize]) -> bool {
        self.form == Form::Standard
            && (self.groups.iter())
                .any(|group| group.shape == Shape::Pair && of.contains(&group.low))
    }

    fn count(&self, test: impl Fn(&&Group) -> bool) -> usize {
        self.groups.iter().filter(test).count()
    }

    fn is_all(&self, shape: Shape) -> bool {
        self.form == Form::Standard && self.count(|group| group.shape == shape) == 4
    }

    fn is_all_sets(&self) -> bool {
        self.form == Form::Standard && self.count(|group| group.is_set()) == 4
    }

    fn concealed_sets(&self) -> usize {
        self.count(|group| group.is_set() && !group.open)
    }
}

pub(super) fn kind(text: &str) -> usize {
    text.parse::<Kind>().unwrap().index()
}

/// The kinds of the full set.
pub(super) fn all_kinds() -> Vec<usize> {
    let suits = (0..3).flat_map(|suit| (0..9).map(move |rank| 16 * suit + rank));
    suits.chain(winds()).chain(dragons()).collect()
}

pub(super) fn winds() -> [usize; 4] {
    ["E", "S", "W", "N"].map(kind)
}

pub(super) fn dragons() -> [usize; 3] {
    ["C", "F", "P"].map(kind)
}

pub(super) fn is_honour(kind: usize) -> bool {
    kind / 16 == 3
}

pub(super) fn is_end(kind: usize) -> bool {
    !is_honour(kind) && matches!(kind % 16, 0 | 8)
}

pub(super) fn is_orphan(kind: usize) -> bool {
    is_honour(kind) || is_end(kind)
}

pub(super) fn orphans() -> Vec<usize> {
    let all = all_kinds().into_iter();
    all.filter(|kind| is_orphan(*kind)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Game {
    Singaporean,
    Korean,
    Japanese,
    Guangdong,
}

/// A winning hand and how it won.
#[derive(Clone, Debug)]
struct Won {
    game: Game,
    seat: usize,
    round: usize,
    /// Concealed tiles with the winning one.
    held: Tiles,
    melds: Vec<Group>,
    last: usize,
    way: Way,
    from: Option<usize>,
    bonus: String,
    flags: Vec<&'static str>,
    /// Kongs in a row before the winning replacement.
    row: u8,
    /// The kind of the kong that was made last, if it is not the last one of the melds.
    kong: Option<usize>,
}

impl Won {
    fn is_drawn(&self) -> bool {
        matches!(self.way, Way::Wall | Way::Replacement)
    }

    fn is_closed(&self) -> bool {
        self.melds.iter().all(|meld| !meld.open)
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// All tiles of the hand and its melds.
    fn all(&self) -> Vec<usize> {
        let held = (0..Kind::COUNT).flat_map(|kind| vec![kind; self.held[kind].into()]);
        held.chain(self.melds.iter().flat_map(Group::kinds))
            .collect()
    }

    fn suits(&self) -> usize {
        let all = self.all();
        let suit = |suit: &usize| {
            all.iter()
                .any(|kind| !is_honour(*kind) && kind / 16 == *suit)
        };
        (0..3).filter(suit).count()
    }

    fn wind(&self) -> usize {
        winds()[self.seat]
    }

    fn round_wind(&self) -> usize {
        winds()[self.round]
    }

    /// Every way to make groups and a pair, or a special form, of the tiles.
    fn readings(&self) -> Vec<Reading> {
        let mut found = Vec::new();
        let mut forms = Vec::new();
        split(
            &self.held,
            4 - self.melds.len(),
            true,
            &mut Vec::new(),
            &mut |groups| {
                forms.push((Form::Standard, groups.to_vec()));
            },
        );
        if self.melds.is_empty() {
            if self.game != Game::Korean && is_thirteen_orphans(&self.held) {
                forms.push((Form::Orphans, vec![Group::own(Shape::Pair, self.last)]));
            }
            let four = self.game == Game::Guangdong;
            let is_paired = |count: &u8| matches!(count, 0 | 2) || four && *count == 4;
            let has_pairs = self.game == Game::Korean || four;
            if has_pairs && self.held.iter().all(is_paired) {
                let pairs = (0..Kind::COUNT)
                    .flat_map(|kind| vec![kind; usize::from(self.held[kind] / 2)])
                    .map(|kind| Group::own(Shape::Pair, kind));
                forms.push((Form::Pairs, pairs.collect()));
            }
        }
        for (form, own) in forms {
            for place in 0..own.len() {
                if !own[place].kinds().contains(&self.last) {
                    continue;
                }
                let mut groups = own.clone();
                // A pung that another player's tile completes is an open one.
                groups[place].open = !self.is_drawn() && groups[place].is_set();
                groups.extend(&self.melds);
                found.push(Reading {
                    form,
                    groups,
                    last: place,
                });
            }
        }
        found
    }

    /// How many kinds complete the tiles without the winning one, whatever copies are left.
    fn waits(&self) -> usize {
        let mut before = self.held;
        before[self.last] -= 1;
        all_kinds()
            .into_iter()
            .filter(|kind| {
                let mut held = before;
                held[*kind] += 1;
                let mut is_complete = false;
                split(
                    &held,
                    4 - self.melds.len(),
                    true,
                    &mut Vec::new(),
                    &mut |_| {
                        is_complete = true;
                    },
                );
                is_complete
            })
            .count()
    }

    /// 1112345678999 of one suit before the last tile.
    fn is_nine_gates(&self) -> bool {
        let mut before = self.held;
        before[self.last] -= 1;
        self.melds.is_empty()
            && (0..3).any(|suit| {
                (0..9).all(|rank| {
                    before[16 * suit + rank] == if matches!(rank, 0 | 8) { 3 } else { 1 }
                })
            })
    }
}

/// Visits every way to split tiles into so many groups, and a pair.
pub(super) fn split(
    held: &Tiles,
    groups: usize,
    pair: bool,
    so_far: &mut Vec<Group>,
    visit: &mut dyn FnMut(&[Group]),
) {
    let Some(first) = held.iter().position(|count| *count > 0) else {
        if groups == 0 && !pair {
            visit(so_far);
        }
        return;
    };
    for shape in [Shape::Pair, Shape::Chow, Shape::Pung] {
        let group = Group::own(shape, first);
        let is_run = !is_honour(first) && first % 16 <= 6;
        let may = match shape {
            Shape::Pair => pair,
            Shape::Chow => groups > 0 && is_run,
            _ => groups > 0,
        };
        let mut rest = *held;
        let held = may
            && group.kinds().into_iter().all(|kind| {
                let has = rest[kind] > 0;
                rest[kind] -= u8::from(has);
                has
            });
        if held {
            so_far.push(group);
            let is_pair = shape == Shape::Pair;
            split(
                &rest,
                groups - usize::from(!is_pair),
                pair && !is_pair,
                so_far,
                visit,
            );
            so_far.pop();
        }
    }
}

pub(super) fn is_thirteen_orphans(held: &Tiles) -> bool {
    let orphans = orphans();
    held.iter().map(|count| u32::from(*count)).sum::<u32>() == 14
        && orphans.iter().all(|kind| held[*kind] >= 1)
        && (0..Kind::COUNT).all(|kind| held[kind] == 0 || orphans.contains(&kind))
}

/// Options as numbers, words and truth values.
pub(super) struct Options(BTreeMap<&'static str, &'static str>);

impl Options {
    pub(super) fn new(texts: &[&'static str]) -> Self {
        let pairs = texts.iter().map(|text| text.split_once('=').unwrap());
        Self(pairs.collect())
    }

    fn word(&self, name: &str, default: &'static str) -> &'static str {
        self.0.get(name).copied().unwrap_or(default)
    }

    pub(super) fn number(&self, name: &str, default: i64) -> i64 {
        self.0
            .get(name)
            .map_or(default, |text| text.parse().unwrap())
    }

    pub(super) fn is(&self, name: &str, default: bool) -> bool {
        self.0.get(name).map_or(default, |text| *text == "true")
    }

    pub(super) fn json(&self) -> Json {
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| json!(text));
        let pairs = self
            .0
            .iter()
            .map(|(name, text)| ((*name).to_owned(), value(text)));
        Json::Object(pairs.collect())
    }
}

/// What a hand is worth, or `None` if that is not enough.
fn points(won: &Won, options: &Options) -> Option<i64> {
    let readings = won.readings();
    assert!(!readings.is_empty(), "{won:?}");
    let worth = readings.iter().map(|reading| match won.game {
        Game::Singaporean => singaporean(won, reading, options),
        Game::Korean => korean(won, reading, options),
        Game::Japanese => Some(japanese(won, reading, options)),
        Game::Guangdong => guangdong(won, reading, options),
    });
    worth.max().flatten()
}

/// The rulings R1 to R17 of the log that the file cites.
fn singaporean(won: &Won, reading: &Reading, options: &Options) -> Option<i64> {
    let limit = options.number("limit", 5);
    let all = won.all();
    let of = |letters: &str| {
        letters
            .chars()
            .filter(|one| won.bonus.contains(*one))
            .count() as i64
    };
    let drawn = won.is_drawn();
    // R10: flowers, seasons and animals.
    let mut bonus = of(&"hijk"[won.seat..=won.seat]) + of(&"opqr"[won.seat..=won.seat]);
    bonus += i64::from(of("hijk") == 4) + i64::from(of("opqr") == 4);
    bonus += of("glnu") + i64::from(of("glnu") == 4);
    // R1, R17: how the winning tile came.
    let mut way = i64::from(won.is_closed() && drawn);
    way += options.number("self-draw", 0) * i64::from(drawn);
    way += i64::from(won.has("after-kong")) + i64::from(won.has("after-flower"));
    way += i64::from(won.way == Way::RobbedKong) + i64::from(won.has("last-tile"));
    // R7: hands that are worth the limit.
    let is_limit = of("hijkopqr") == 8
        || reading.form == Form::Orphans
        || all.iter().all(|kind| is_honour(*kind))
        || all.iter().all(|kind| is_end(*kind))
        || won.is_nine_gates()
        || reading.is_all_sets() && reading.concealed_sets() == 4 && drawn
        || reading.count(|group| group.shape == Shape::Kong) == 4
        || won.has("after-kong") && won.row >= 2
        || reading.sets(&dragons()) == 3
        || reading.sets(&winds()) == 4
        || ["heaven", "earth", "human"]
            .iter()
            .any(|flag| won.has(flag));
    let tai = match is_limit {
        true => limit,
        false => bonus + way + singaporean_shape(won, reading, options),
    };
    let tai = tai.min(limit);
    (tai >= options.number("minimum", 1)).then(|| 1 << (tai - 1).max(0))
}

fn singaporean_shape(won: &Won, reading: &Reading, options: &Options) -> i64 {
    let all = won.all();
    let honours = all.iter().any(|kind| is_honour(*kind));
    let value = [dragons().as_slice(), &[won.wind(), won.round_wind()]].concat();
    let is_open_wait = won.waits() >= 2 || won.is_drawn() && won.melds.len() < 4;
    // R5, R2: four chows.
    let chows = reading.is_all(Shape::Chow) && !reading.has_pair(&value);
    let sequence = chows && won.bonus.is_empty() && is_open_wait;
    let free = !options.is("lesser-wait", false);
    let lesser = chows && !won.bonus.is_empty() && (is_open_wait || free);
    let pungs = reading.is_all_sets();
    let full = won.suits() == 1 && !honours;
    // R4: green tiles in place of the flush.
    let green = ["2s", "3s", "4s", "6s", "8s", "F"].map(kind);
    let flush = match (won.suits(), honours) {
        _ if all.iter().all(|kind| green.contains(kind)) => 4,
        (1, true) => 2,
        (1, false) => 4,
        _ => 0,
    };
    // R8: mixed terminals with their pungs.
    let mixed = pungs && all.iter().all(|kind| is_orphan(*kind)) && honours;
    let of_sets = if mixed { 4 } else { 2 * i64::from(pungs) };
    // R6: full flushes with a price of their own.
    let shape = match () {
        () if full && sequence => 10,
        () if full && pungs => 8,
        () => flush + of_sets + 4 * i64::from(sequence) + i64::from(lesser),
    };
    let mut rest = reading.sets(&dragons()) as i64;
    rest += i64::from(rest == 2 && reading.has_pair(&dragons()));
    rest += (reading.sets(&[won.wind()]) + reading.sets(&[won.round_wind()])) as i64;
    rest += 2 * i64::from(reading.sets(&winds()) == 3 && reading.has_pair(&winds()));
    shape + rest
}

/// The texts of mahjong.co.kr, and the table of three schools.
fn korean(won: &Won, reading: &Reading, options: &Options) -> Option<i64> {
    let school = match options.word("school", "nagari") {
        "nagari" => 0,
        "samsigi" => 1,
        _ => 2,
    };
    let players = options.number("players", 4);
    let by_school = |values: [i64; 3]| values[school];
    let with_round = options.is("round-wind", true);
    let all = won.all();
    let drawn = won.is_drawn();
    let honours = all.iter().any(|kind| is_honour(*kind));
    let mut value = [dragons().as_slice(), &[won.wind()]].concat();
    if with_round {
        value.push(won.round_wind());
    }
    let mut basic = i64::from(won.is_closed()) * (1 + i64::from(drawn));
    basic += i64::from(reading.is_all(Shape::Chow) && !drawn && !reading.has_pair(&value));
    basic += i64::from(all.iter().all(|kind| !is_orphan(*kind)));
    let of_dragons = reading.sets(&dragons());
    basic += match of_dragons {
        3 => by_school([8, 6, 6]),
        count => count as i64,
    };
    // Six, four and six with the two pungs.
    if of_dragons == 2 && reading.has_pair(&dragons()) {
        basic += by_school([6, 4, 6]) - 2;
    }
    basic += reading.sets(&[won.wind()]) as i64;
    basic += (reading.sets(&[won.round_wind()]) * usize::from(with_round)) as i64;
    let chows: Vec<usize> = (reading.groups.iter())
        .filter(|group| group.shape == Shape::Chow)
        .map(|group| group.low)
        .collect();
    let is_straight = (0..3).any(|suit| {
        [0, 3, 6]
            .iter()
            .all(|rank| chows.contains(&(16 * suit + rank)))
    });
    basic += 2 * i64::from(is_straight);
    let is_honours = won.suits() == 0;
    let is_orphans = all.iter().all(|kind| is_orphan(*kind));
    let four_winds = players == 4 && reading.sets(&winds()) == 4;
    basic += match () {
        () if won.is_nine_gates() => by_school([24, 12, 48]),
        () if is_honours => by_school([12, 6, 12]),
        () if won.suits() == 1 && !honours => by_school([8, 6, 6]),
        () if won.suits() == 1 => 2,
        () => 0,
    };
    if is_orphans && !is_honours {
        basic += by_school([8, 6, 4]);
    }
    if reading.is_all_sets() && !is_honours && !is_orphans && !four_winds {
        basic += 2;
    }
    basic += match reading.concealed_sets() {
        3 => by_school([4, 2, 2]),
        4 => by_school([6, 4, 6]),
        _ => 0,
    };
    basic += i64::from(reading.form == Form::Pairs) * by_school([4, 2, 2]);
    if four_winds {
        basic += by_school([12, 6, 6]);
    }
    let three = reading.sets(&winds()) == 3;
    if three && (players == 3 || reading.has_pair(&winds())) {
        basic += by_school([8, 4, 4]);
    }
    basic += i64::from(won.has("first-discards")) * by_school([16, 12, 12]);
    basic += i64::from(won.has("first-turn")) * by_school([16, 12, 12]);
    basic += i64::from(won.has("first-draw")) * by_school([16, 12, 24]);

    let mut bonus = all.iter().filter(|kind| **kind == won.last).count() as i64;
    bonus += match won.bonus.len() {
        4 => 8,
        count => count as i64,
    };
    bonus += i64::from(won.has("uper"));
    let is_north = |group: &&Group| group.shape == Shape::Pair && group.low == kind("N");
    bonus += i64::from(players == 3 && reading.count(is_north) == 1);
    let mut happens = |flag: &str, great: Option<&str>| {
        let is_great = great.is_some_and(|tile| won.last == kind(tile));
        bonus += i64::from(won.has(flag)) * if is_great { 8 } else { 5 };
    };
    happens("after-kong", Some("5t"));
    happens("last-tile", Some("1t"));
    happens("last-discard", Some("9t"));
    happens("after-kong-discard", None);
    let sum = options.number("ante", 10) + basic + bonus;
    (basic >= options.number("minimum", 2)).then(|| sum.min(options.number("limit", 80)))
}

/// The table of fu of nihon-majan.com and the hands of labo47.
fn japanese(won: &Won, reading: &Reading, options: &Options) -> i64 {
    let all = won.all();
    let drawn = won.is_drawn();
    let closed = won.is_closed();
    let honours = all.iter().any(|kind| is_honour(*kind));
    let is_orphans = all.iter().all(|kind| is_orphan(*kind));
    let limits = [
        won.has("first-draw"),
        won.has("first-turn"),
        reading.sets(&dragons()) == 3,
        reading.form == Form::Orphans,
        reading.concealed_sets() == 4,
        all.iter().all(|kind| is_end(*kind)),
        all.iter().all(|kind| is_honour(*kind)),
        reading.sets(&winds()) == 4 || reading.sets(&winds()) == 3 && reading.has_pair(&winds()),
        is_any_nine_gates(won),
    ];
    let limits = limits.iter().filter(|limit| **limit).count() as i64;
    if limits > 0 {
        return 500 * limits;
    }
    let value = [dragons().as_slice(), &[won.wind(), won.round_wind()]].concat();
    let group = reading.groups[reading.last];
    let place = won.last - group.low;
    let is_chow = group.shape == Shape::Chow;
    let is_edge = is_chow && (place == 2 && won.last % 16 == 2 || place == 0 && won.last % 16 == 6);
    let is_middle = is_chow && place == 1;
    let value_pair = reading.has_pair(&value);
    let chows = reading.is_all(Shape::Chow) && is_chow && !is_edge && !is_middle && !value_pair;
    let pinfu = chows && (!drawn || closed && options.is("drawn-all-sequences", false));

    let mut fu = 20;
    if closed && !drawn {
        fu += 10;
    }
    if drawn && !(pinfu && closed) {
        fu += 2;
    }
    if group.shape == Shape::Pair || is_edge || is_middle {
        fu += 2;
    }
    fu += 2 * i64::from(value_pair);
    for group in reading.groups.iter().filter(|group| group.is_set()) {
        let mut of = 2;
        of *= if is_orphan(group.low) { 2 } else { 1 };
        of *= if group.open { 1 } else { 2 };
        of *= if group.shape == Shape::Kong { 4 } else { 1 };
        fu += of;
    }
    let mut doubles = i64::from(closed && drawn) + i64::from(pinfu);
    doubles += i64::from(all.iter().all(|kind| !is_orphan(*kind)));
    doubles += i64::from(is_orphans);
    if won.suits() == 1 {
        doubles += if honours { 1 } else { 3 };
        fu += if honours { 0 } else { 10 };
    }
    doubles += i64::from(reading.is_all_sets());
    let is_outside = |group: &&Group| group.kinds().iter().any(|kind| is_orphan(*kind));
    let has_chow = reading.count(|group| group.shape == Shape::Chow) > 0;
    doubles += i64::from(reading.count(is_outside) == 5 && has_chow);
    let is_chow_at = |low: usize| {
        (reading.groups.iter()).any(|group| group.shape == Shape::Chow && group.low == low)
    };
    doubles +=
        i64::from((0..3).any(|suit| [0, 3, 6].iter().all(|rank| is_chow_at(16 * suit + rank))));
    doubles += i64::from(reading.concealed_sets() == 3);
    let of_dragons = reading.sets(&dragons()) as i64;
    doubles += of_dragons + i64::from(of_dragons == 2 && reading.has_pair(&dragons()));
    doubles += (reading.sets(&[won.wind()]) + reading.sets(&[won.round_wind()])) as i64;
    doubles += i64::from(won.has("after-kong")) + i64::from(won.way == Way::RobbedKong);
    doubles += i64::from(won.has("last-tile"));
    let whole = match options.word("rounding", "up") {
        "up" => (fu + 9) / 10 * 10,
        // Four is dropped, six becomes ten.
        "nearest" => fu / 10 * 10 + if fu % 10 >= 6 { 10 } else { 0 },
        _ => fu,
    };
    (whole << doubles).min(500)
}

/// Nine gates that need not wait for all kinds of the suit.
/// The rule panel that the file cites: a great hand is worth its faan, a small one three at most.
fn guangdong(won: &Won, reading: &Reading, options: &Options) -> Option<i64> {
    let all = won.all();
    let is_sets = reading.is_all_sets();
    let (suits, has_honour) = (won.suits(), all.iter().any(|kind| is_honour(*kind)));
    let is_small = |count: usize, of: &[usize]| reading.sets(of) == count && reading.has_pair(of);
    let is_first = ["first-draw", "first-discard", "first-turn"]
        .iter()
        .any(|flag| won.has(flag));
    let great = match reading.form {
        Form::Pairs if !options.is("seven-pairs", false) => return None,
        _ if is_first || reading.form == Form::Orphans => 6,
        Form::Pairs if won.held.contains(&4) => 5,
        Form::Pairs => 4,
        _ if reading.sets(&winds()) == 4 || reading.sets(&dragons()) == 3 => 6,
        _ if won.is_nine_gates() || suits == 0 || all.iter().all(|kind| is_end(*kind)) => 6,
        _ if is_small(2, &dragons()) || is_small(3, &winds()) => 5,
        _ if is_sets && all.iter().all(|kind| is_orphan(*kind)) => 5,
        _ if suits == 1 && !has_honour => 4 + i64::from(is_sets),
        _ if suits == 1 && is_sets => 4,
        _ => 0,
    };
    let mut faan = match (is_sets, suits, reading.is_all(Shape::Chow)) {
        (true, _, _) | (_, 1, _) => options.number("half-and-pungs", 2),
        (_, _, chows) => i64::from(chows),
    };
    faan += reading.sets(&dragons()) as i64;
    faan += reading.sets(&[won.wind()]) as i64 + reading.sets(&[won.round_wind()]) as i64;
    faan += i64::from(won.is_drawn());
    faan += options.number("concealed-hand", 0) * i64::from(won.is_closed());
    let late = options.is("late-discards", false)
        && (won.has("last-discard") || won.has("after-kong-discard"));
    let is_full = won.has("last-tile") || won.has("after-kong") || won.way == Way::RobbedKong;
    let faan = if late || is_full { 3 } else { faan.min(3) };
    let worth = if great > 0 { great } else { faan };
    (worth >= options.number("minimum", 0)).then(|| 1 << worth)
}

fn is_any_nine_gates(won: &Won) -> bool {
    let has = |kind: usize| won.held[kind];
    won.melds.is_empty()
        && won.suits() == 1
        && (0..3).any(|suit| {
            (0..9).all(|rank| has(16 * suit + rank) >= if matches!(rank, 0 | 8) { 3 } else { 1 })
        })
}

/// What each seat gets for a win.
fn paid(won: &Won, points: i64, options: &Options, players: usize) -> Vec<i64> {
    let mut deltas = vec![0; players];
    let mut pay = |from: usize, amount: i64| {
        deltas[from] -= amount;
        deltas[won.seat] += amount;
    };
    let others = || (0..players).filter(|seat| *seat != won.seat);
    let liable = liable(won, options);
    for seat in others() {
        let gave = won.from == Some(seat) && !won.is_drawn();
        let with_dealer = i64::from(seat == 0 || won.seat == 0);
        let amount = match won.game {
            Game::Singaporean if liable.is_some() => 0,
            Game::Singaporean if won.is_drawn() || is_thirteen_orphans(&won.held) => 2 * points,
            Game::Singaporean if options.word("shooter", "double") == "alone" => {
                4 * points * i64::from(gave)
            }
            Game::Singaporean => points * (1 + i64::from(gave)),
            Game::Korean if won.is_drawn() => points,
            Game::Korean => points * options.number("giver", 2) * i64::from(gave),
            Game::Japanese if won.is_drawn() => points * (1 + with_dealer),
            Game::Japanese => points * i64::from(gave) * if won.seat == 0 { 6 } else { 4 },
            Game::Guangdong if won.is_drawn() => points,
            Game::Guangdong => {
                let for_all = options.word("discarded-win", "once") == "for-all";
                let is_robbed = won.way == Way::RobbedKong;
                points * i64::from(gave) * if for_all || is_robbed { 3 } else { 1 }
            }
        };
        let payer = match (won.game, liable) {
            (Game::Japanese | Game::Guangdong, Some(liable)) if won.is_drawn() => liable,
            _ => seat,
        };
        pay(payer, amount);
    }
    if let (Game::Singaporean, Some(liable)) = (won.game, liable) {
        pay(liable, points * if won.is_drawn() { 6 } else { 4 });
    }
    deltas
}

/// Who fed the meld that made a great hand of honours certain.
fn liable(won: &Won, options: &Options) -> Option<usize> {
    let fed = |of: &[usize], place: usize| {
        let melds = won
            .melds
            .iter()
            .filter(|meld| meld.is_set() && of.contains(&meld.low));
        melds
            .collect::<Vec<_>>()
            .get(place - 1)
            .and_then(|meld| meld.from)
    };
    let readings = won.readings();
    let counts =
        |of: &[usize], sets: usize| readings.iter().any(|reading| reading.sets(of) == sets);
    let honours = [winds().as_slice(), &dragons()].concat();
    match won.game {
        Game::Singaporean if options.is("pay-for-all", true) => {
            let of_dragons = counts(&dragons(), 3).then(|| fed(&dragons(), 3)).flatten();
            of_dragons.or_else(|| counts(&winds(), 4).then(|| fed(&winds(), 4)).flatten())
        }
        Game::Japanese if options.is("responsibility", true) => {
            let of_dragons = counts(&dragons(), 3).then(|| fed(&dragons(), 3)).flatten();
            let of_honours = || counts(&honours, 4).then(|| fed(&honours, 4)).flatten();
            let is_honours = won.all().iter().all(|kind| is_honour(*kind));
            of_dragons.or_else(|| of_honours().filter(|_| is_honours || counts(&winds(), 4)))
        }
        Game::Guangdong => {
            let is_last = |meld: &&Group| won.kong.is_none_or(|kind| meld.low == kind);
            let kongs = (won.melds.iter()).filter(|meld| meld.shape == Shape::Kong);
            let mut kongs = kongs.filter(is_last);
            let kong = (won.has("after-kong") && options.is("fed-kong", true))
                .then(|| kongs.next_back().filter(|kong| !kong.added)?.from)
                .flatten();
            let is_down = won.melds.iter().filter(|meld| meld.open).count() == 4;
            let fourth = (is_down && won.is_drawn() && options.is("fourth-meld", true))
                .then(|| won.melds[3].from)
                .flatten();
            let great = |of: &[usize], sets: usize| {
                (options.is("great-melds", true) && counts(of, sets))
                    .then(|| fed(of, sets))
                    .flatten()
            };
            kong.or(fourth)
                .or_else(|| great(&dragons(), 3))
                .or_else(|| great(&winds(), 4))
        }
        _ => None,
    }
}

/// A random complete hand.
struct Maker {
    stream: Stream,
    game: Game,
    players: usize,
    used: Tiles,
    /// Whether there are flags for late discards.
    late: bool,
}

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.stream.below(bound as u32) as usize
    }

    fn is_in_play(&self, kind: usize) -> bool {
        self.game != Game::Korean || kind / 16 != 1
    }

    fn copies(&self, kind: usize) -> u8 {
        match self.game == Game::Korean && self.players == 3 && kind == winds()[3] {
            true => 2,
            false => 4,
        }
    }

    /// Takes the tiles of a group, if there are so many.
    fn take(&mut self, group: Group) -> bool {
        let kinds = group.kinds();
        let fits = kinds.iter().all(|&kind| {
            let more = kinds.iter().filter(|other| **other == kind).count() as u8;
            self.is_in_play(kind) && self.used[kind] + more <= self.copies(kind)
        });
        if fits {
            kinds.iter().for_each(|kind| self.used[*kind] += 1);
        }
        fits
    }

    /// Groups of kinds that a style allows.
    fn group(&mut self, kinds: &[usize], shapes: &[Shape]) -> Option<Group> {
        (0..40).find_map(|_| {
            let shape = shapes[self.below(shapes.len())];
            let low = kinds[self.below(kinds.len())];
            let group = Group::own(shape, low);
            let is_run = shape != Shape::Chow || !is_honour(low) && low % 16 <= 6;
            let fits = is_run && group.kinds().iter().all(|kind| kinds.contains(kind));
            (fits && self.take(group)).then_some(group)
        })
    }

    fn won(&mut self) -> Option<Won> {
        self.used = [0; Kind::COUNT];
        let (game, players) = (self.game, self.players);
        let suit = if game == Game::Korean {
            2 * self.below(2)
        } else {
            self.below(3)
        };
        let style = self.below(9);
        let green = ["2s", "3s", "4s", "6s", "8s", "F"].map(kind);
        let in_style = |kind: usize| match style {
            1 => kind / 16 == suit,
            2 => kind / 16 == suit || is_honour(kind),
            3 => is_honour(kind),
            4 => is_end(kind) || kind / 16 == suit,
            5 => is_orphan(kind),
            6 => green.contains(&kind) || game == Game::Korean,
            _ => true,
        };
        let kinds: Vec<usize> = all_kinds()
            .into_iter()
            .filter(|kind| self.is_in_play(*kind) && in_style(*kind))
            .collect();
        let shapes: &[Shape] = match self.below(3) {
            0 => &[Shape::Chow],
            1 => &[Shape::Chow, Shape::Pung],
            _ => &[Shape::Pung, Shape::Pung, Shape::Kong],
        };
        let seat = self.below(players);
        let mut won = Won {
            game,
            seat,
            round: self.below(players),
            held: [0; Kind::COUNT],
            melds: Vec::new(),
            last: 0,
            way: Way::Wall,
            from: None,
            bonus: String::new(),
            flags: Vec::new(),
            row: 0,
            kong: None,
        };
        match self.below(30) {
            0 if game != Game::Korean => {
                let orphans = orphans();
                let again = orphans[self.below(13)];
                let all = orphans.into_iter().chain([again]);
                all.for_each(|kind| won.held[kind] += 1);
            }
            1 if game == Game::Guangdong => {
                for _ in 0..7 {
                    let pair = self.group(&kinds, &[Shape::Pair])?;
                    won.held[pair.low] += 2;
                }
            }
            1 if game == Game::Korean => {
                for _ in 0..7 {
                    let pair = self.group(&kinds, &[Shape::Pair])?;
                    won.held[pair.low] += 2;
                }
                won.held.iter().all(|count| *count <= 2).then_some(())?;
            }
            2 => {
                for (rank, count) in [3, 1, 1, 1, 1, 1, 1, 1, 3].into_iter().enumerate() {
                    won.held[16 * suit + rank] = count;
                }
                won.held[16 * suit + self.below(9)] += 1;
            }
            _ => {
                let pair = self.group(&kinds, &[Shape::Pair])?;
                won.held[pair.low] += 2;
                let open = self.below(5);
                for number in 0..4 {
                    let mut group = self.group(&kinds, shapes)?;
                    let declared = group.shape == Shape::Kong
                        || number < open && (game != Game::Korean || group.shape != Shape::Chow);
                    if declared {
                        group.open = group.shape != Shape::Kong || self.below(2) == 0;
                        if group.open {
                            let steps = if group.shape == Shape::Chow {
                                players - 1
                            } else {
                                1 + self.below(players - 1)
                            };
                            group.from = Some((seat + steps) % players);
                        }
                        won.melds.push(group);
                    } else {
                        group
                            .kinds()
                            .into_iter()
                            .for_each(|kind| won.held[kind] += 1);
                    }
                }
            }
        }
        won.held.iter().all(|count| *count <= 4).then_some(())?;
        self.used = won.held;
        won.melds
            .iter()
            .flat_map(Group::kinds)
            .for_each(|kind| self.used[kind] += 1);
        self.circumstances(&mut won);
        Some(won)
    }

    /// The winning tile, how it came, and bonus tiles.
    fn circumstances(&mut self, won: &mut Won) {
        let letters = match won.game {
            Game::Singaporean => "hijkopqrglnu",
            Game::Korean => "opqr",
            Game::Japanese | Game::Guangdong => "",
        };
        let often = [0, 0, 1, 3][self.below(4)];
        won.bonus = letters.chars().filter(|_| self.below(4) < often).collect();
        if !letters.is_empty() && self.below(20) == 0 {
            won.bonus = letters.to_owned();
        }
        let held: Vec<usize> = (0..Kind::COUNT)
            .filter(|kind| won.held[*kind] > 0)
            .collect();
        won.last = held[self.below(held.len())];
        let kongs = won
            .melds
            .iter()
            .filter(|meld| meld.shape == Shape::Kong)
            .count();
        let other = (won.seat + 1 + self.below(self.players - 1)) % self.players;
        let is_first = won.melds.is_empty();
        match self.below(8) {
            0 if kongs > 0 => {
                (won.way, won.row) = (Way::Replacement, 1);
                won.flags.push("after-kong");
                if won.game == Game::Singaporean && kongs >= 2 && self.below(2) == 0 {
                    won.row = 2;
                }
            }
            1 if !won.bonus.is_empty() => {
                won.way = Way::Replacement;
                won.flags.push("after-flower");
            }
            2 if won.held[won.last] == 1 => {
                (won.way, won.from) = (Way::RobbedKong, Some(other));
            }
            3..=5 => (won.way, won.from) = (Way::Discard, Some(other)),
            _ => {}
        }
        let drawn = won.is_drawn();
        let rare = self.below(12);
        match (won.game, won.way) {
            (Game::Singaporean, Way::Wall | Way::Discard)
            | (Game::Korean | Game::Japanese | Game::Guangdong, Way::Wall)
                if rare == 0 =>
            {
                won.flags.push("last-tile");
            }
            (Game::Korean, Way::Discard) if rare == 0 => won.flags.push("last-discard"),
            (Game::Korean, Way::Discard) if rare == 1 => won.flags.push("after-kong-discard"),
            (Game::Guangdong, Way::Discard) if rare <= 1 && self.late => {
                won.flags.push(["last-discard", "after-kong-discard"][rare]);
            }
            (Game::Guangdong, Way::Discard) if rare == 2 && is_first && won.from == Some(0) => {
                won.flags.push("first-discard");
            }
            (Game::Singaporean, Way::Wall) if rare == 2 && is_first && won.seat == 0 => {
                won.flags.push("heaven")
            }
            (Game::Singaporean, Way::Wall | Way::Discard)
                if rare == 2
                    && is_first
                    && won.seat > 0
                    && won.from.is_none_or(|from| from == 0) =>
            {
                won.flags.push("earth");
            }
            (Game::Singaporean, Way::Discard) if rare == 3 && is_first && won.seat > 0 => {
                won.flags.push("human")
            }
            (Game::Korean, Way::Discard) if rare == 2 && is_first && won.seat > 0 => {
                won.flags.push("first-discards");
            }
            (Game::Korean | Game::Japanese | Game::Guangdong, Way::Wall)
                if rare == 2 && is_first =>
            {
                won.flags.push(if won.seat == 0 {
                    "first-draw"
                } else {
                    "first-turn"
                });
            }
            _ => {}
        }
        if won.game == Game::Korean && won.is_closed() && !drawn && self.below(4) == 0 {
            won.flags.push("uper");
        }
    }

    /// Thirteen tiles that nobody has.
    fn others(&mut self) -> String {
        let mut tiles = String::new();
        for _ in 0..13 {
            let left: Vec<usize> = all_kinds()
                .into_iter()
                .filter(|kind| self.is_in_play(*kind) && self.used[*kind] < self.copies(*kind))
                .collect();
            let kind = left[self.below(left.len())];
            self.used[kind] += 1;
            tiles += &text(kind);
        }
        tiles
    }
}

pub(super) fn text(kind: usize) -> String {
    let all = Kind::all().find(|one| one.index() == kind);
    all.expect("a kind").to_string()
}

/// Asks for the settlement of a hand.
fn request(won: &Won, options: &Options, maker: &mut Maker) -> Json {
    let seats = ["E", "S", "W", "N"];
    let id = match won.game {
        Game::Singaporean => "singaporean",
        Game::Korean => "korean",
        Game::Japanese => "japanese-classical",
        Game::Guangdong => "guangdong",
    };
    let mut held = won.held;
    held[won.last] -= 1;
    let hand: String = (0..Kind::COUNT)
        .map(|kind| text_of(kind, held[kind]))
        .collect();
    let meld = |meld: &Group| {
        let tiles: String = meld.kinds().into_iter().map(text).collect();
        match meld.from {
            Some(from) => json!({ "open": true, "tiles": tiles, "from": seats[from] }),
            None => json!({ "open": meld.open, "tiles": tiles }),
        }
    };
    let melds: Vec<Json> = won.melds.iter().map(meld).collect();
    let players: Vec<Json> = (0..maker.players)
        .map(|seat| match seat == won.seat {
            true => {
                json!({ "seat": seats[seat], "hand": hand, "melds": melds, "flowers": won.bonus })
            }
            false => json!({ "seat": seats[seat], "hand": maker.others() }),
        })
        .collect();
    let by = won.way.word();
    let mut win =
        json!({ "seat": seats[won.seat], "tile": text(won.last), "by": by, "flags": won.flags });
    if let Some(from) = won.from {
        win["from"] = json!(seats[from]);
    }
    if won.game == Game::Singaporean && won.has("after-kong") {
        win["quads"] = json!(won.row);
    }
    json!({
        "type": "settle", "ruleset": id, "options": options.json(), "round": seats[won.round],
        "players": players, "wins": [win],
    })
}

pub(super) fn text_of(kind: usize, count: u8) -> String {
    if count == 0 {
        String::new()
    } else {
        text(kind).repeat(count.into())
    }
}

/// Settles 3,000 random hands and compares; at least a third must be worth enough. Returns how often somebody paid for all.
fn settled(game: Game, chosen: &[&'static str]) -> usize {
    const HANDS: u64 = 3000;
    let options = Options::new(chosen);
    let players = match game {
        Game::Korean => options.number("players", 4) as usize,
        _ => 4,
    };
    let mut maker = Maker {
        stream: Stream::new(game_seed(48, HANDS), 0),
        game,
        players,
        used: [0; Kind::COUNT],
        late: options.is("late-discards", false),
    };
    let mut responder = Responder::new();
    let (mut wins, mut fed) = (0, 0);
    for _ in 0..HANDS {
        let Some(won) = maker.won() else { continue };
        let request = request(&won, &options, &mut maker);
        let answer = responder.answer(&serde_json::from_value(request.clone()).unwrap());
        let answer = serde_json::to_value(answer).unwrap();
        match points(&won, &options) {
            None => {
                // Seven pairs, where the table has them not.
                let is_hand = won.game != Game::Guangdong
                    || won.readings().iter().any(|one| one.form != Form::Pairs);
                let code = if is_hand {
                    "below-minimum"
                } else {
                    "not-a-win"
                };
                assert_eq!(answer["error"]["code"], code, "{request}\n{answer}");
            }
            Some(points) => {
                assert_eq!(
                    answer["scores"][won.seat]["points"], points,
                    "{request}\n{answer}"
                );
                let deltas = paid(&won, points, &options, players);
                assert_eq!(answer["deltas"], json!(deltas), "{request}\n{answer}");
                wins += 1;
                fed += usize::from(liable(&won, &options).is_some());
            }
        }
    }
    assert!(wins > HANDS / 3, "{chosen:?}: {wins}");
    fed
}

#[test]
fn singaporean_hands_are_worth_what_the_rulings_say() {
    let mut fed = 0;
    for options in [
        &[][..],
        &["limit=10", "minimum=0"],
        &[
            "limit=3",
            "shooter=alone",
            "self-draw=1",
            "lesser-wait=true",
        ],
        &["pay-for-all=false", "human-hand=true", "limit=8"],
    ] {
        fed += settled(Game::Singaporean, options);
    }
    assert!(fed > 20, "{fed}");
}

#[test]
fn korean_hands_are_worth_what_the_texts_say() {
    for options in [
        &[][..],
        &["school=samsigi", "ante=0", "minimum=0", "limit=200"],
        &["school=coffee", "round-wind=false", "giver=3"],
        &["players=3", "giver=1", "limit=20"],
    ] {
        settled(Game::Korean, options);
    }
}

#[test]
fn japanese_classical_hands_are_worth_what_the_texts_say() {
    let mut fed = 0;
    for options in [
        &[][..],
        &["rounding=nearest", "drawn-all-sequences=true"],
        &["rounding=exact", "responsibility=false"],
    ] {
        fed += settled(Game::Japanese, options);
    }
    assert!(fed > 20, "{fed}");
}

#[test]
fn guangdong_hands_are_worth_what_the_panel_says() {
    let mut fed = 0;
    for options in [
        &[][..],
        &["minimum=3", "late-discards=true", "concealed-hand=1"],
        &["half-and-pungs=3", "seven-pairs=true", "minimum=1"],
        &[
            "discarded-win=for-all",
            "fourth-meld=false",
            "fed-kong=false",
        ],
    ] {
        fed += settled(Game::Guangdong, options);
    }
    assert!(fed > 20, "{fed}");
}

/// The kind of the winning tile.
pub(super) fn last_of(win: &Win) -> usize {
    win.tile.kind().expect("no flower").index()
}

/// The concealed tiles of a winner with the winning one.
pub(super) fn held_with(hand: &Hand, last: usize) -> Tiles {
    let mut held = [0; Kind::COUNT];
    for kind in hand.concealed().iter() {
        held[kind.index()] += 1;
    }
    held[last] += 1;
    held
}

/// The melds of a winner.
pub(super) fn melds_of(hand: &Hand) -> Vec<Group> {
    let melds = hand.melds().iter().map(|meld| Group {
        shape: match meld.group().family() {
            Family::Pung => Shape::Pung,
            Family::Kong => Shape::Kong,
            _ => Shape::Chow,
        },
        low: meld.group().kind().index(),
        open: meld.is_open(),
        from: meld.claimed_from().map(Seat::index),
        added: meld.is_added(),
    });
    melds.collect()
}

/// The place of the round's wind.
pub(super) fn round_of(state: &DealState) -> usize {
    let round = state.round().kind().index();
    winds().iter().position(|wind| *wind == round).unwrap()
}

/// Whole games: wins as they happen, and what is paid before.
struct Watch {
    rules: Rules,
    game: Game,
    options: Options,
    players: usize,
    before: Vec<i64>,
    due: Vec<i64>,
    kong: Option<(Seat, i64)>,
    /// The kind of the kong that was made last.
    last_kong: Option<usize>,
    wins: usize,
    bites: usize,
    kongs: usize,
}

impl Watch {
    fn all_pay(&mut self, to: Seat, amount: i64) {
        for seat in Seat::all(self.players).filter(|seat| *seat != to) {
            self.due[to.index()] += amount;
            self.due[seat.index()] -= amount;
        }
    }

    fn won(&self, state: &DealState, seat: Seat, win: &Win) -> Won {
        let (hand, last) = (state.hand_before(seat, win), last_of(win));
        let mut won = Won {
            game: self.game,
            seat: seat.index(),
            round: round_of(state),
            held: held_with(&hand, last),
            melds: melds_of(&hand),
            last,
            way: win.way,
            from: win.from.map(Seat::index),
            bonus: hand.aside().tiles().map(|tile| tile.to_string()).collect(),
            flags: Vec::new(),
            row: win.kongs_in_row,
            kong: self.last_kong,
        };
        let drawn = won.is_drawn();
        let discards = state.discards();
        let claims = discards.iter().any(|discard| discard.claimed);
        let has_discarded = discards.iter().any(|discard| discard.seat == seat);
        let is_last = state.wall().draws_left() == 0;
        let is_quiet = !claims && state.kongs() == 0;
        let is_dealer = seat == Seat::EAST;
        let discard = win.way == Way::Discard;
        // Kongs and declarations before the win are the table's.
        let flags = self.rules.plan().flags().iter().enumerate();
        for (_, flag) in flags.filter(|(place, _)| win.flags.contains(*place)) {
            let told = ["after-kong", "after-flower", "after-kong-discard", "uper"];
            won.flags
                .extend(told.into_iter().filter(|told| *told == flag.id));
        }
        let mut set = |flag: &'static str, holds: bool| {
            if holds {
                won.flags.push(flag);
            }
        };
        match self.game {
            Game::Singaporean => {
                set("last-tile", is_last && (win.way == Way::Wall || discard));
                set("heaven", is_dealer && drawn && discards.is_empty());
                set(
                    "earth",
                    !is_dealer
                        && !claims
                        && (discard && discards.len() == 1 || drawn && !has_discarded),
                );
                set(
                    "human",
                    !is_dealer && !claims && discard && !has_discarded && discards.len() > 1,
                );
            }
            Game::Korean => {
                set("last-tile", is_last && drawn);
                set("last-discard", is_last && discard);
                set(
                    "first-draw",
                    is_dealer && drawn && discards.is_empty() && state.kongs() == 0,
                );
                set(
                    "first-turn",
                    !is_dealer && drawn && !has_discarded && is_quiet,
                );
                set(
                    "first-discards",
                    !is_dealer && discard && !has_discarded && is_quiet,
                );
            }
            Game::Japanese => {
                set("last-tile", is_last && win.way == Way::Wall);
                set(
                    "first-draw",
                    is_dealer && drawn && discards.is_empty() && state.kongs() == 0,
                );
                set(
                    "first-turn",
                    !is_dealer && drawn && !has_discarded && is_quiet,
                );
            }
            Game::Guangdong => {
                let is_opening = state.kongs() == 0;
                set("last-tile", is_last && drawn);
                set("last-discard", is_last && discard);
                set(
                    "first-draw",
                    is_dealer && drawn && discards.is_empty() && is_opening,
                );
                set(
                    "first-discard",
                    discard && discards.len() == 1 && is_opening,
                );
                set(
                    "first-turn",
                    !is_dealer && drawn && !has_discarded && is_quiet,
                );
            }
        }
        won
    }
}

impl Observer for Watch {
    fn deal_started(&mut self, state: &DealState) {
        self.before = Seat::all(self.players)
            .map(|seat| state.points(seat))
            .collect();
        (self.due, self.kong, self.last_kong) = (vec![0; self.players], None, None);
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        match *event {
            Event::Claimed { tiles, .. } if tiles.group().family() == Family::Kong => {
                self.last_kong = Some(tiles.group().kind().index());
            }
            Event::AddedKong { tile, .. } => self.last_kong = tile.kind().map(Kind::index),
            Event::ConcealedKong { kind, .. } => self.last_kong = kind.map(Kind::index),
            _ => {}
        }
        if self.game != Game::Singaporean {
            return;
        }
        let bite = self.options.number("bite", 2);
        match *event {
            Event::Claimed { seat, tiles, .. } if tiles.group().family() == Family::Kong => {
                self.kong = Some((seat, bite));
            }
            Event::AddedKong { seat, .. } => self.kong = Some((seat, bite)),
            Event::ConcealedKong { seat, .. } => self.kong = Some((seat, 2 * bite)),
            Event::Drew { seat, .. } => {
                // The replacement comes once the kong can no longer be robbed.
                if let Some((owner, amount)) = self.kong.take() {
                    assert_eq!(seat, owner);
                    self.kongs += 1;
                    self.all_pay(seat, amount);
                }
            }
            Event::LaidAside { seat, tile } => {
                let aside: String = state
                    .hand(seat)
                    .aside()
                    .tiles()
                    .map(|tile| tile.to_string())
                    .collect();
                let own = ["ho", "ip", "jq", "kr"][seat.index()];
                let pairs = [
                    ("gl", 1),
                    ("nu", 1),
                    (own, 1),
                    ("glnu", 2),
                    ("hijk", 2),
                    ("opqr", 2),
                ];
                for (set, times) in pairs {
                    let completes = set.contains(&tile.to_string())
                        && set.chars().all(|one| aside.contains(one));
                    let is_hidden = times == 1 && state.discards().is_empty();
                    let hidden = is_hidden && self.options.is("hidden-bites", true);
                    if completes {
                        self.bites += 1;
                        self.all_pay(seat, bite * times * if hidden { 2 } else { 1 });
                    }
                }
            }
            _ => {}
        }
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        for (seat, win) in outcome.wins() {
            let won = self.won(state, *seat, win);
            let score = outcome.settlement.scores[*seat].as_ref().expect("a score");
            let points = points(&won, &self.options);
            assert_eq!(Some(score.points), points, "{won:?} {:?}", score.lines);
            // Three winners off one tile have three faan at least.
            let least = match self.game {
                Game::Guangdong if outcome.wins().len() >= 3 => 8,
                _ => 0,
            };
            let points = score.points.max(least);
            for (due, delta) in
                self.due
                    .iter_mut()
                    .zip(paid(&won, points, &self.options, self.players))
            {
                *due += delta;
            }
            self.wins += 1;
        }
        let now = Seat::all(self.players).map(|seat| state.points(seat));
        let changes: Vec<i64> = now
            .zip(&self.before)
            .map(|(now, before)| now - before)
            .collect();
        assert_eq!(changes, self.due);
    }
}

fn watched(game: Game, id: &str, options: &[&'static str], usual: [u64; 3]) -> Watch {
    let rules = ruleset_with(id, options);
    let mut watch = Watch {
        players: rules.plan().players(),
        rules: rules.clone(),
        game,
        options: Options::new(options),
        before: Vec::new(),
        due: Vec::new(),
        kong: None,
        last_kong: None,
        wins: 0,
        bites: 0,
        kongs: 0,
    };
    let [greedy, value, random] = usual;
    for (name, games) in [
        ("greedy", games(greedy)),
        ("value", value),
        ("random", games(random)),
    ] {
        let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
        for game in 0..games {
            simulate::play(&rules, &mut agents, game_seed(48, game), &mut watch).unwrap();
        }
    }
    watch
}

#[test]
fn singaporean_games_pay_wins_bites_and_kongs() {
    for options in [
        &["rounds=2"][..],
        &[
            "bite=1",
            "hidden-bites=false",
            "rounds=1",
            "dealer-keeps=win",
        ],
    ] {
        let watch = watched(Game::Singaporean, "singaporean", options, [20, 1, 0]);
        let Watch {
            wins, bites, kongs, ..
        } = watch;
        assert!(
            wins > 80 && bites > 20 && kongs > 5,
            "{options:?} {wins} {bites} {kongs}"
        );
    }
}

#[test]
fn korean_games_pay_wins() {
    for options in [&[][..], &["players=3", "minimum=0", "giver=3"]] {
        let watch = watched(Game::Korean, "korean", options, [8, 1, 2]);
        assert!(watch.wins > 100, "{options:?} {}", watch.wins);
    }
}

#[test]
fn japanese_classical_games_pay_wins() {
    for options in [&[][..], &["winners=all", "furiten=false", "rounding=exact"]] {
        let watch = watched(Game::Japanese, "japanese-classical", options, [8, 1, 2]);
        assert!(watch.wins > 100, "{options:?} {}", watch.wins);
    }
}

#[test]
fn guangdong_games_pay_wins() {
    for options in [
        &[][..],
        &["minimum=1", "late-discards=true", "winners=nearest"],
    ] {
        let watch = watched(Game::Guangdong, "guangdong", options, [6, 1, 2]);
        assert!(watch.wins > 100, "{options:?} {}", watch.wins);
    }
}
