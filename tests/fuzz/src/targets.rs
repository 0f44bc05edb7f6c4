//! What is done with an input, whoever made it: the fuzzers, or the plain test over all that was ever found. A target
//! panics where the library does, or where something does not hold that always must.

use arbitrary::{Arbitrary, Unstructured};
use paishan::agent::{self, Agent};
use paishan::decimal::Number;
use paishan::decompose::{Holding, Scratch};
use paishan::draw::{Row, svg, text};
use paishan::game::{Deal, Match, Moves};
use paishan::lint::lint;
use paishan::log::mjai::Message;
use paishan::log::mjlog::{self, Tag};
use paishan::log::{Line, LogOptions, Recorder, replay, replay_plain};
use paishan::protocol::{Responder, Value};
use paishan::random::{Seed, Stream};
use paishan::ruleset::{self, LoadError, OptionType, OptionValue, Ruleset, Source};
use paishan::score::ScoreInput;
use paishan::state::{Action, DealState, FlagSet, MeldTiles, OnTable, Phase, Way, Win};
use paishan::{
    Counts, Group, Hand, Kind, Meld, Notation, Player, Rank, Rules, Seat, Suit, Tile, Wind,
    simulate,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// What is done with an input.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const ALL: [(&str, Target); 10] = [
    ("request", request),
    ("ruleset", rules),
    ("log", log),
    ("mjai", mjai),
    ("mjlog", record),
    ("notation", notation),
    ("act", act),
    ("resume", resume),
    ("api", api),
    ("table", table),
];

/// The rulesets that are played.
const IDS: [&str; 13] = [
    "uzje",
    "riichi-mcgill",
    "woo",
    "traditional",
    "celestial",
    "hong-kong-old-style",
    "zung-jung",
    "mcr",
    "riichi-sanma",
    "taiwanese",
    "sichuan",
    "hangzhou",
    "malaysian",
];

/// A ruleset with options of any kind, most of them allowed.
fn any_rules(input: &mut Unstructured<'_>) -> arbitrary::Result<Rules> {
    let id = *input.choose(&IDS)?;
    let plain = built_in(id);
    let mut set = Vec::new();
    for _ in 0..input.int_in_range(0..=3)? {
        let options: Vec<_> = plain.plan().options().iter().collect();
        let (spec, _) = options[input.choose_index(options.len())?];
        let value = match &spec.kind {
            OptionType::Bool => OptionValue::Bool(input.arbitrary()?),
            OptionType::Int { min, max, .. } => OptionValue::Int(input.int_in_range(*min..=*max)?),
            OptionType::Enum { values } => input.choose(values)?.as_str().into(),
            OptionType::Words { values } => {
                let keep: u64 = input.arbitrary()?;
                let kept = values
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| keep >> i & 1 == 1);
                OptionValue::Words(kept.map(|(_, word)| word.clone()).collect())
            }
            _ => continue,
        };
        set.push((spec.name.clone(), value));
    }
    // A match of one length is as good as another.
    set.retain(|(name, _)| !matches!(name.as_str(), "rounds" | "games" | "length"));
    let loaded = kept(format!("{id} {set:?}"), || Rules::by_id_with(id, &set));
    Ok(loaded.unwrap_or(plain))
}

/// Rulesets that were loaded before, by what was asked for: one input is much like the one before it.
fn kept(key: String, load: impl FnOnce() -> Result<Rules, LoadError>) -> Result<Rules, LoadError> {
    thread_local! {
        static KEPT: RefCell<HashMap<String, Rules>> = RefCell::default();
    }
    if let Some(rules) = KEPT.with_borrow(|kept| kept.get(&key).cloned()) {
        return Ok(rules);
    }
    let rules = load()?;
    KEPT.with_borrow_mut(|kept| {
        if kept.len() > 200 {
            kept.clear();
        }
        kept.insert(key, rules.clone());
    });
    Ok(rules)
}

fn built_in(id: &str) -> Rules {
    static LOADED: OnceLock<Vec<(&str, Rules)>> = OnceLock::new();
    let load = |id: &'static str| (id, Rules::by_id(id).expect("it is built in"));
    let loaded = LOADED.get_or_init(|| IDS.map(load).to_vec());
    let found = loaded.iter().find(|(known, _)| *known == id);
    found.map_or_else(|| loaded[0].1.clone(), |(_, rules)| rules.clone())
}

/// A request: as it stands, or put together from words that requests have.
pub fn request(data: &[u8]) {
    thread_local! {
        static RESPONDER: RefCell<Responder> = RefCell::new(Responder::new());
    }
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    let request: Value = match kind {
        b'{' | b'[' | b'"' => match serde_json::from_slice(data) {
            Ok(request) => request,
            Err(_) => return,
        },
        _ => match made_request(&mut Unstructured::new(rest)) {
            Ok(request) => request,
            Err(_) => return,
        },
    };
    // Rules are a target of their own, and a new one for each request would fill the memory.
    if request.get("rules").is_some() {
        return;
    }
    let answer = RESPONDER.with_borrow_mut(|responder| responder.answer(&request));
    let text = serde_json::to_string(&answer).expect("an answer can be written");
    let again: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(again["ok"].as_bool(), Some(answer.ok));
}

fn word(input: &mut Unstructured<'_>, words: &[&str]) -> arbitrary::Result<Value> {
    Ok(match input.int_in_range(0..=31)? {
        0 => Value::Null,
        1 => Value::Int(input.arbitrary()?),
        2 => Value::Float(input.arbitrary()?),
        3 => Value::Text(input.arbitrary()?),
        4 => Value::Bool(input.arbitrary()?),
        _ => Value::Text((*input.choose(words)?).to_owned()),
    })
}

fn made_tiles(input: &mut Unstructured<'_>, most: usize) -> arbitrary::Result<Value> {
    const PIECES: [&str; 42] = [
        "123s",
        "456s",
        "789s",
        "123t",
        "456t",
        "789t",
        "111m",
        "234m",
        "567m",
        "99m",
        "EEE",
        "SS",
        "CCC",
        "FF",
        "PPP",
        "Z",
        "ZZ",
        "0s",
        "014s",
        "149m",
        "124t",
        "369s",
        "xabs",
        "ff",
        "1ft1fs1fm",
        "ESWNCFP",
        "JB",
        "ADGK",
        "R5s",
        "Rt",
        "5m",
        "H",
        "VV",
        "hijk",
        "opqr",
        "h",
        "?",
        "0m",
        "1z",
        "7z",
        "E",
        "1111s",
    ];
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=most)? {
        text.push_str(input.choose(&PIECES)?);
    }
    Ok(Value::Text(text))
}

fn made_request(input: &mut Unstructured<'_>) -> arbitrary::Result<Value> {
    let object = |members: Vec<(&str, Value)>| {
        let members = members.into_iter();
        Value::Object(
            members
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    };
    let seats = ["E", "S", "W", "N", "5", "6"];
    let flags = [
        "last-tile",
        "riichi",
        "double-riichi",
        "ippatsu",
        "after-kong",
        "after-flower",
        "first-turn",
        "closed-kong",
        "standing",
        "dangerous-discard",
        "eight-dealer-keeps",
        "first-draw",
    ];
    let kind = word(
        input,
        &["score", "settle", "decompose", "distance", "parse"],
    )?;
    let rules = word(input, &IDS)?;
    let player = |input: &mut Unstructured<'_>, at: Option<&str>| -> arbitrary::Result<Value> {
        let mut melds = Vec::new();
        for _ in 0..input.int_in_range(0..=5)? {
            melds.push(object(vec![
                ("tiles", made_tiles(input, 1)?),
                ("open", Value::Bool(input.arbitrary()?)),
                ("from", word(input, &seats)?),
                ("added", Value::Bool(input.arbitrary()?)),
            ]));
        }
        let seat = match at {
            Some(seat) => Value::Text(seat.to_owned()),
            None => word(input, &seats)?,
        };
        Ok(object(vec![
            ("seat", seat),
            ("hand", made_tiles(input, 6)?),
            ("melds", Value::List(melds)),
            ("flowers", made_tiles(input, 2)?),
        ]))
    };
    let win = |input: &mut Unstructured<'_>| -> arbitrary::Result<Value> {
        let mut set = Vec::new();
        for _ in 0..input.int_in_range(0..=2)? {
            set.push(word(input, &flags)?);
        }
        Ok(object(vec![
            ("seat", word(input, &seats)?),
            ("tile", made_tiles(input, 1)?),
            (
                "by",
                word(input, &["wall", "replacement", "discard", "robbed-kong"])?,
            ),
            ("from", word(input, &seats)?),
            ("flags", Value::List(set)),
            ("quads", Value::Int(input.int_in_range(-1..=5)?)),
        ]))
    };
    let mut players = Vec::new();
    for seat in seats.iter().take(input.int_in_range(0..=6)?) {
        players.push(player(input, Some(seat))?);
    }
    let mut wins = Vec::new();
    for _ in 0..input.int_in_range(0..=9)? {
        wins.push(win(input)?);
    }
    let mut members = vec![
        ("id", word(input, &["1"])?),
        ("type", kind),
        ("ruleset", rules),
        ("round", word(input, &["E", "S", "W", "N"])?),
        ("player", player(input, None)?),
        ("win", win(input)?),
        ("players", Value::List(players)),
        ("wins", Value::List(wins)),
        ("hand", made_tiles(input, 6)?),
        ("tiles", made_tiles(input, 6)?),
        ("bonus", made_tiles(input, 3)?),
        ("dora", made_tiles(input, 3)?),
        ("ura", made_tiles(input, 3)?),
        ("honba", Value::Int(input.arbitrary()?)),
        ("deposits", Value::Int(input.arbitrary()?)),
        ("notation", word(input, &["ujmj", "mpsz", "mjai"])?),
    ];
    let keep: u32 = input.arbitrary()?;
    // Members that do not belong to a request refuse it, so most of them go.
    let wanted: &[&str] = match members[1].1.as_str() {
        Some("score") => &["id", "type", "ruleset", "round", "player", "win"],
        Some("settle") => &["id", "type", "ruleset", "round", "players", "wins"],
        Some("parse") => &["id", "type", "ruleset", "tiles", "notation"],
        _ => &["id", "type", "ruleset", "hand", "notation"],
    };
    let mut place = 0;
    members.retain(|(name, _)| {
        place += 1;
        wanted.contains(name) || keep >> (place % 32) & 7 == 7
    });
    Ok(object(members))
}

/// The text of a ruleset: what loads is played, and now and then looked through.
pub fn rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(rules) = Rules::from_toml("fuzz.toml", text) else {
        return;
    };
    let plan = rules.plan();
    let sum: usize = data.iter().map(|&byte| usize::from(byte)).sum();
    play_some(&rules, sum as u64, 400);
    for name in ["greedy", "value"] {
        let mut agents: Vec<Box<dyn Agent>> = (0..plan.players())
            .map(|_| agent::by_name(name, plan).expect("an agent of the crate"))
            .collect();
        let mut left = Some(if name == "value" { 3 } else { 60 });
        let mut deal = Deal::start(&rules, Match::new(&rules, 3).state().setup());
        while let (Some(seat), Some(more)) = (deal.state().deciding().next(), left) {
            let legal = deal.legal(seat).clone();
            let action = agents[seat.index()].decide(&deal.state().view(seat), &legal);
            deal.act(seat, action).expect("agents choose what is legal");
            left = u32::checked_sub(more, 1);
        }
    }
    if sum.is_multiple_of(64) {
        let source = Source::text("fuzz.toml", text);
        lint(&source, &[]).expect("it loads");
        let merged = source.resolved().expect("it loads");
        let again = Rules::from_toml("merged.toml", &merged).expect("so does what it says");
        assert_eq!(again.plan().players(), plan.players());
    }
}

/// Plays at random, so many decisions at the most.
fn play_some(rules: &dyn Ruleset, seed: u64, most: usize) {
    let mut series = Match::new(rules, seed);
    let mut stream = Stream::new(seed, 1);
    let mut made = 0;
    while !series.is_over() && made < most {
        let mut deal = Deal::start(rules, series.state().setup());
        while let Some(seat) = deal.state().deciding().next() {
            let place = stream.below(deal.legal(seat).len() as u32) as usize;
            let action = deal.legal(seat).nth(place).expect("somebody has to act");
            deal.act(seat, action).expect("it is legal");
            made += 1;
        }
        check(rules, deal.state());
        series.finish(&deal).expect("the deal of the match");
    }
}

/// What always holds of a state: every tile is somewhere, hands have their size, views can be shown.
fn check(rules: &dyn Ruleset, state: &DealState) {
    let mut tiles: Vec<Tile> = Vec::new();
    for seat in Seat::all(state.players()) {
        let hand = state.hand(seat);
        tiles.extend(hand.tiles().filter_map(|tile| tile.kind()).map(Tile::plain));
        tiles.extend(hand.held_flowers().iter().map(Tile::flower));
        tiles.extend(hand.aside().tiles());
        for meld in hand.melds().iter() {
            tiles.extend(meld.kinds().map(Tile::plain));
        }
        let kongs = hand
            .melds()
            .iter()
            .filter(|meld| meld.group().tiles().count() == 4);
        let grammar = rules.plan().decomposer().grammar();
        let groups = grammar.groups();
        assert!(hand.size() <= grammar.hand_tiles() + 1 && kongs.count() <= groups);
        let view = state.view(seat);
        assert_eq!(view.snapshot().seat, Some(seat.letter()));
    }
    let plain = |tile: Tile| tile.kind().map_or(tile, Tile::plain);
    let loose = state.discards().iter().filter(|one| !one.claimed);
    tiles.extend(loose.map(|one| plain(one.tile)));
    tiles.extend(state.robbed().iter().copied().map(plain));
    let wall = state.wall();
    let (front, back) = wall.taken();
    let gone: Vec<usize> = wall.back_places().take(back).collect();
    let undrawn = wall.tiles().enumerate().skip(front);
    tiles.extend(
        undrawn
            .filter(|(i, _)| !gone.contains(i))
            .map(|(_, tile)| plain(tile)),
    );
    let mut all: Vec<Tile> = rules.plan().tiles().iter().map(plain).collect();
    tiles.sort_unstable();
    all.sort_unstable();
    if matches!(state.phase(), Phase::Over | Phase::EndChoice) && tiles.len() + 1 == all.len() {
        // A robbed tile lies in no hand when the deal is over.
        let gone = tiles.iter().zip(&all).position(|(a, b)| a != b);
        all.remove(gone.unwrap_or(tiles.len()));
    }
    assert_eq!(tiles, all, "every tile is somewhere");
}

fn options(viewer: Option<Player>, with_legal: bool, notation: Notation) -> LogOptions {
    let mut options = LogOptions::new(vec!["first".to_owned(); 4], notation);
    options.viewer = viewer;
    options.with_legal = with_legal;
    options
}

/// Games to begin with: a ruleset, and its log as lines of text.
fn logs() -> &'static [Vec<String>] {
    static LOGS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    LOGS.get_or_init(|| {
        let mut logs = Vec::new();
        for id in ["woo", "uzje", "riichi-mcgill", "traditional"] {
            for (viewer, with_legal) in [(None, true), (None, false), (Player::new(1), true)] {
                let short = format!(
                    "ruleset = {{ id = \"{id}\", extends = \"{id}\" }}\nmatch = {{ ends = [{{ deals = 1 }}] }}\n"
                );
                let rules = Rules::from_toml("short.toml", &short).expect("it loads");
                let mut lines = Vec::new();
                let options = options(viewer, with_legal, Notation::Ujmj);
                let mut recorder = Recorder::new(rules.plan(), options, |line: Line| {
                    lines.push(serde_json::to_string(&line).expect("a line is written"));
                });
                let mut agents: Vec<_> = (0..4)
                    .map(|_| agent::by_name("random", rules.plan()).expect("an agent of the crate"))
                    .collect();
                simulate::play(&rules, &mut agents, 5, &mut recorder).expect("they play");
                drop(recorder);
                logs.push(lines);
            }
        }
        logs
    })
}

/// Lines changed as an input says: left out, said twice, swapped, with another number or tile.
fn mangle(input: &mut Unstructured<'_>, lines: &mut Vec<String>) -> arbitrary::Result<()> {
    const WORDS: [&str; 24] = [
        "\"?\"",
        "\"E\"",
        "\"1s\"",
        "\"Rs\"",
        "\"5mr\"",
        "\"Z\"",
        "\"h\"",
        "\"dahai\"",
        "\"tsumo\"",
        "\"hora\"",
        "\"chi\"",
        "\"pon\"",
        "\"ankan\"",
        "\"kakan\"",
        "\"dora\"",
        "\"ryukyoku\"",
        "\"end_kyoku\"",
        "\"none\"",
        "\"reach\"",
        "true",
        "null",
        "[]",
        "{}",
        "-1",
    ];
    for _ in 0..input.int_in_range(1..=6)? {
        if lines.is_empty() {
            return Ok(());
        }
        let at = input.choose_index(lines.len())?;
        let other = input.choose_index(lines.len())?;
        match input.int_in_range(0..=6)? {
            0 => drop(lines.remove(at)),
            1 => lines.insert(other, lines[at].clone()),
            2 => lines.swap(at, other),
            3 => lines.truncate(at),
            kind => {
                // Some value of the line gives way to another one.
                let line = lines[at].clone();
                let starts: Vec<usize> = line
                    .match_indices([':', ',', '['])
                    .map(|(i, _)| i + 1)
                    .collect();
                let Some(&start) = starts.get(input.choose_index(starts.len().max(1))?) else {
                    continue;
                };
                let end = line[start..]
                    .find([',', ']', '}'])
                    .map_or(line.len(), |i| start + i);
                let new = match kind {
                    4 => (*input.choose(&WORDS)?).to_owned(),
                    5 => input.arbitrary::<i64>()?.to_string(),
                    _ => input.int_in_range(0..=150u8)?.to_string(),
                };
                lines[at] = format!("{}{new}{}", &line[..start], &line[end..]);
            }
        }
    }
    Ok(())
}

/// The lines that an input is, or those of one of some logs, changed as it says.
fn lines_of(data: &[u8], logs: &[Vec<String>]) -> arbitrary::Result<Vec<String>> {
    if data.first() == Some(&b'{') {
        let text = String::from_utf8_lossy(data);
        return Ok(text.lines().map(str::to_owned).collect());
    }
    let mut input = Unstructured::new(data);
    let mut lines = input.choose(logs)?.clone();
    mangle(&mut input, &mut lines)?;
    Ok(lines)
}

/// A log of our own.
pub fn log(data: &[u8]) {
    let Ok(lines) = lines_of(data, logs()) else {
        return;
    };
    let read: Result<Vec<Line>, _> = lines
        .iter()
        .map(|line| serde_json::from_str(line))
        .collect();
    let Ok(read) = read else { return };
    let short = |id: &str, options: &[(String, OptionValue)]| {
        let text = format!(
            "ruleset = {{ id = \"{id}\", extends = \"{id}\" }}\nmatch = {{ ends = [{{ deals = 1 }}] }}\n"
        );
        match IDS.contains(&id) && options.len() < 100 {
            // Without every option tried again.
            true => kept(format!("short {id} {options:?}"), || {
                Source::text("short.toml", text.clone()).load(options)
            }),
            false => Rules::by_id_with(id, options),
        }
    };
    if let Err(error) = replay(&read, short) {
        assert!(error.line() <= read.len());
        assert!(!error.to_string().is_empty());
    }
}

fn plain_logs() -> &'static [Vec<String>] {
    static LOGS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
    LOGS.get_or_init(|| {
        let rules = built_in("riichi-mcgill");
        let one = |seed: u64| {
            let mut lines = Vec::new();
            let options = options(None, false, Notation::Mjai);
            let mut recorder = Recorder::new(rules.plan(), options, |line: Line| {
                if let Some(message) = Message::plain(rules.plan(), &line) {
                    lines.push(serde_json::to_string(&message).expect("a message is written"));
                }
            });
            let mut agents: Vec<_> = (0..4)
                .map(|_| agent::by_name("random", rules.plan()).expect("an agent of the crate"))
                .collect();
            simulate::play(&rules, &mut agents, seed, &mut recorder).expect("they play");
            drop(recorder);
            // The first hands are enough, and a log that breaks off is one more kind.
            lines.truncate(600);
            lines
        };
        (0..4).map(one).collect()
    })
}

/// Plain mjai.
pub fn mjai(data: &[u8]) {
    let Ok(lines) = lines_of(data, plain_logs()) else {
        return;
    };
    let read: Result<Vec<Message>, _> = lines
        .iter()
        .map(|line| serde_json::from_str(line))
        .collect();
    let Ok(read) = read else { return };
    for id in ["riichi-mcgill", "woo"] {
        if let Err(error) = replay_plain(&built_in(id), &read) {
            assert!(error.line() <= read.len());
        }
    }
}

/// The tags of an XML text.
fn tags(text: &str) -> Option<Vec<Tag>> {
    let tags = mjlog::tags(text).ok()?;
    Some(tags.into_iter().map(|(tag, _)| tag).collect())
}

/// A record of Tenhou, or one that is like it.
pub fn record(data: &[u8]) {
    const RECORD: &str = include_str!("../../records/small.mjlog");
    let tags = match data.first() {
        Some(b'<') => match std::str::from_utf8(data).ok().and_then(tags) {
            Some(tags) => tags,
            None => return,
        },
        _ => {
            let mut tags = tags(RECORD).expect("the record is one");
            let mut input = Unstructured::new(data);
            if mangle_tags(&mut input, &mut tags).is_err() {
                return;
            }
            tags
        }
    };
    let Ok(log) = mjlog::read(&tags) else { return };
    let told: Vec<_> = log.options.clone();
    if let Ok(rules) = Rules::by_id_with("riichi-tenhou", &told) {
        let _ = replay_plain(&rules, &log.messages);
    }
}

fn mangle_tags(input: &mut Unstructured<'_>, tags: &mut Vec<Tag>) -> arbitrary::Result<()> {
    for _ in 0..input.int_in_range(1..=6)? {
        if tags.is_empty() {
            return Ok(());
        }
        let at = input.choose_index(tags.len())?;
        let other = input.choose_index(tags.len())?;
        match input.int_in_range(0..=5)? {
            0 => drop(tags.remove(at)),
            1 => tags.insert(other, tags[at].clone()),
            2 => tags.swap(at, other),
            3 => tags.truncate(at),
            kind => {
                let tag = &mut tags[at];
                let number = match kind {
                    4 => input.arbitrary::<i64>()?,
                    _ => i64::from(input.int_in_range(0..=140u8)?),
                };
                if tag.attributes.is_empty() {
                    tag.name = format!("{}{number}", &tag.name[..1]);
                } else {
                    let place = input.choose_index(tag.attributes.len())?;
                    let value = &mut tag.attributes[place].1;
                    let mut parts: Vec<String> = value.split(',').map(str::to_owned).collect();
                    let part = input.choose_index(parts.len())?;
                    parts[part] = number.to_string();
                    *value = parts.join(",");
                }
            }
        }
    }
    Ok(())
}

/// Tiles as text, in every notation.
pub fn notation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for notation in [Notation::Ujmj, Notation::Mpsz, Notation::Mjai] {
        let _ = notation.parse_one(text);
        let Ok(tiles) = notation.parse(text) else {
            continue;
        };
        let written = notation.print(tiles.iter().copied());
        let mut again = notation.parse(&written).expect("what is written is read");
        let mut sorted = tiles;
        sorted.sort_unstable();
        again.sort_unstable();
        assert_eq!(again, sorted);
    }
    let _ = text.parse::<Seed>();
    let _ = paishan::Decimal::parse(text);
    let _ = ruleset::parse_option(text);
}

/// An action of any kind, most of them not legal.
fn any_action(input: &mut Unstructured<'_>, rules: &dyn Ruleset) -> arbitrary::Result<Action> {
    let kind = |input: &mut Unstructured<'_>| -> arbitrary::Result<Kind> {
        let place = input.choose_index(Kind::COUNT)?;
        Ok(Kind::from_index(place).unwrap_or(Kind::EAST))
    };
    let suit = |input: &mut Unstructured<'_>| input.choose(&Suit::ALL).copied();
    let shapes: Vec<_> = rules
        .plan()
        .decomposer()
        .grammar()
        .shapes()
        .map(|(_, shape)| shape)
        .collect();
    let group = |input: &mut Unstructured<'_>| -> arbitrary::Result<Group> {
        Ok(match input.int_in_range(0..=2)? {
            0 => Group::pung(kind(input)?),
            1 => Group::kong(kind(input)?),
            _ => input.choose(&shapes)?.group(suit(input)?),
        })
    };
    Ok(match input.int_in_range(0..=15)? {
        0 => Action::Pass,
        1 => Action::Win,
        2 => Action::Stand,
        3 => Action::Riichi,
        4 => Action::NineOrphans,
        5 => Action::FalseWin,
        6 => Action::Challenge,
        7 => Action::Aside(kind(input)?),
        8 => Action::EndMatch,
        9 => Action::claim(group(input)?),
        10 => {
            let tiles = MeldTiles::from(group(input)?);
            Action::Claim(tiles.with_reds(input.arbitrary()?).unwrap_or(tiles))
        }
        11 => Action::ConcealedKong(kind(input)?),
        12 => Action::AddedKong(kind(input)?),
        13 => Action::Lay(group(input)?),
        14 => Action::Swap(group(input)?.into()),
        _ => Action::Discard {
            tile: match input.arbitrary()? {
                true => Tile::red_five(suit(input)?),
                false => kind(input)?.into(),
            },
            drawn: input.arbitrary()?,
        },
    })
}

/// Any action at any time: what is not legal changes nothing.
pub fn act(data: &[u8]) {
    let _ = acted(&mut Unstructured::new(data));
}

fn acted(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let rules = any_rules(input)?;
    let series = Match::new(&rules, input.int_in_range(0..=999u64)?);
    let mut deal = Deal::start(&rules, series.state().setup());
    let mut moves = 0;
    while !input.is_empty() && moves < 400 {
        moves += 1;
        let seat = Seat::new(input.int_in_range(0..=5)?).unwrap_or(Seat::EAST);
        if input.ratio(1, 40)? {
            let _ = deal.declare_dead(seat);
            continue;
        }
        let waiting = deal.state().deciding().next();
        let (seat, action) = match waiting {
            Some(waiting) if input.ratio(3, 4)? => {
                let legal = deal.legal(waiting);
                let place = input.choose_index(legal.len())?;
                (waiting, legal.nth(place).expect("a place within the set"))
            }
            _ => (seat, any_action(input, &rules)?),
        };
        let is_legal = deal.state().waiting().contains(seat) && deal.legal(seat).contains(action);
        let before = (!is_legal).then(|| deal.state().clone());
        let acted = deal.act(seat, action);
        assert_eq!(acted.is_ok(), is_legal);
        if let Some(before) = before {
            assert_eq!(*deal.state(), before, "what is refused changes nothing");
        }
        if moves % 16 == 0 {
            check(&rules, deal.state());
        }
        if let Some(seat) = deal.state().deciding().next() {
            assert!(!deal.legal(seat).is_empty());
        }
    }
    check(&rules, deal.state());
    Ok(())
}

/// Deals that go on from what a seat imagines, and matches from their moves.
pub fn resume(data: &[u8]) {
    let _ = resumed(&mut Unstructured::new(data));
}

fn resumed(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let rules = any_rules(input)?;
    let seed = input.int_in_range(0..=999u64)?;
    let series = Match::new(&rules, seed);
    let mut deal = Deal::start(&rules, series.state().setup());
    let mut stream = Stream::new(seed, input.arbitrary::<u8>()?.into());
    let mut decisions = Vec::new();
    for _ in 0..input.int_in_range(0..=250)? {
        let Some(seat) = deal.state().deciding().next() else {
            break;
        };
        let legal = deal.legal(seat);
        // What is rare more often than it comes by itself.
        let place = match input.ratio(1, 3)? {
            true => input.choose_index(legal.len())?,
            false => stream.below(legal.len() as u32) as usize,
        };
        let action = legal.nth(place).expect("a place within the set");
        deal.act(seat, action).expect("it is legal");
        decisions.push((seat, action));
    }
    if let Phase::Over | Phase::EndChoice = deal.state().phase() {
        assert!(Deal::resume(&rules, deal.state().clone()).is_err());
        return Ok(());
    }
    let same = Deal::resume(&rules, deal.state().clone()).expect("the same rules");
    for seat in deal.state().waiting().iter() {
        assert_eq!(same.legal(seat), deal.legal(seat));
    }
    let players = rules.plan().players();
    let seat = Seat::EAST.after(input.int_in_range(0..=5)?, players);
    let imagined = deal.state().imagined_by(seat, &mut stream);
    check(&rules, &imagined);
    assert_eq!(
        deal.state().view(seat).snapshot(),
        imagined.view(seat).snapshot()
    );
    let mut world = Deal::resume(&rules, imagined).expect("the same rules");
    while let Some(seat) = world.state().deciding().next() {
        let place = stream.below(world.legal(seat).len() as u32) as usize;
        let action = world.legal(seat).nth(place).expect("somebody has to act");
        world.act(seat, action).expect("it is legal");
    }
    check(&rules, world.state());
    // Moves of one match in another are refused and nothing worse.
    let moves = Moves::of(seed + u64::from(input.arbitrary::<bool>()?), decisions);
    let _ = moves.play(&rules, &mut ());
    Ok(())
}

/// Constructors and questions with any numbers at all.
pub fn api(data: &[u8]) {
    let _ = asked(&mut Unstructured::new(data));
}

#[derive(Arbitrary, Debug)]
struct Numbers {
    players: usize,
    steps: usize,
    units: i64,
    per_point: i64,
    flag: usize,
    bytes: [u8; 32],
    game: u64,
    hand: u32,
}

fn asked(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let numbers: Numbers = input.arbitrary()?;
    let seat = Seat::new(usize::from(input.arbitrary::<u8>()? % 6)).unwrap_or(Seat::EAST);
    let other = seat.after(numbers.steps, numbers.players);
    let player = other.player(
        Player::FIRST.after(numbers.steps, numbers.players),
        numbers.players,
    );
    let _ = (
        seat.steps_from(other, numbers.players),
        other.letter(),
        other.wind(),
    );
    let _ = (
        player.seat(player, numbers.players),
        seat.next(numbers.players).letter(),
    );
    let number = Number::of_units(numbers.units, numbers.per_point);
    let _ = (number.tenths(), number.to_string());
    let mut flags = FlagSet::EMPTY;
    flags.insert(numbers.flag);
    assert_eq!(flags.contains(numbers.flag), numbers.flag < FlagSet::MAX);
    let secret = Seed::from_bytes(numbers.bytes);
    assert_eq!(secret.to_string().parse(), Ok(secret));
    let mut stream = Stream::of_wall(secret.of_game(numbers.game), numbers.hand);
    let rules = any_rules(input)?;
    let plan = rules.plan();
    let players = numbers.players;
    let dealer = Player::FIRST;
    let wall = paishan::Wall::build(plan.wall(), plan.tiles(), players, dealer, &mut stream);
    assert_eq!(wall.tiles().count(), plan.tiles().len());

    // A hand that nobody can hold, or somebody can.
    let kinds: Vec<Kind> = plan.tiles().copies().kinds().iter().collect();
    let any_kind = |input: &mut Unstructured<'_>| -> arbitrary::Result<Kind> {
        match input.ratio(15, 16)? {
            true => input.choose(&kinds).copied(),
            false => Ok(Kind::from_index(input.choose_index(Kind::COUNT)?).unwrap_or(Kind::EAST)),
        }
    };
    let grammar = plan.decomposer().grammar();
    let shapes: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
    let any_group = |input: &mut Unstructured<'_>| -> arbitrary::Result<Group> {
        Ok(match input.int_in_range(0..=5)? {
            0 => Group::pair(any_kind(input)?),
            1 => Group::kong(any_kind(input)?),
            2 | 3 => Group::pung(any_kind(input)?),
            _ => input.choose(&shapes)?.group(*input.choose(&Suit::ALL)?),
        })
    };
    let mut tiles = Vec::new();
    for _ in 0..input.int_in_range(0..=5)? {
        tiles.extend(any_group(input)?.tiles().map(Tile::plain));
    }
    for _ in 0..input.int_in_range(0..=4)? {
        tiles.push(match input.int_in_range(0..=7)? {
            0 => Tile::red_five(*input.choose(&Suit::ALL)?),
            _ => any_kind(input)?.into(),
        });
    }
    let mut melds = Vec::new();
    for _ in 0..input.int_in_range(0..=5)? {
        let (group, reds) = (any_group(input)?, input.int_in_range(0..=5)?);
        melds.extend(match input.arbitrary()? {
            true => Meld::concealed(group).and_then(|meld| meld.with_reds(reds)),
            false => Meld::claimed(group, any_kind(input)?.into(), other),
        });
    }
    let flowers: Vec<Tile> = paishan::Flower::all()
        .take(input.int_in_range(0..=8)?)
        .map(Tile::flower)
        .collect();
    let mut scratch = Scratch::new();
    let mut counts = Counts::EMPTY;
    for tile in &tiles {
        if let Some(kind) = tile.kind() {
            counts.set(kind, counts.get(kind).saturating_add(1));
        }
    }
    let mut holding = Holding::of_tiles(counts);
    for meld in &melds {
        holding.declare(meld.group(), meld.is_open());
    }
    let decomposer = &plan.decomposer();
    if holding.concealed.total() <= 14 {
        decomposer.distance(&holding, &mut scratch);
        decomposer.accepts(&holding, &mut scratch);
        decomposer.waits(&holding);
        decomposer.is_complete(&holding);
        let _ = decomposer.arrangements(&holding, |_| ControlFlow::Continue(()));
    }
    let Ok(hand) = Hand::try_new(plan.tiles(), &tiles, &melds, &flowers) else {
        return Ok(());
    };
    assert!(hand.size() <= 14);
    let last: Tile = any_kind(input)?.into();
    let row = Row::of_hand(&hand, Some(last));
    let _ = (text::row(&row), svg::row(&row));
    let mut win = Win {
        tile: match input.ratio(1, 12)? {
            true => flowers.first().copied().unwrap_or(last),
            false => last,
        },
        way: *input.choose(&Way::WORDS.map(|(_, way)| way))?,
        from: match input.arbitrary()? {
            true => Seat::new(input.int_in_range(0..=6)?),
            false => None,
        },
        flags: FlagSet::EMPTY,
        kongs_in_row: input.arbitrary()?,
    };
    for flag in 0..plan.flags().len() {
        if input.ratio(1, 6)? {
            win.flags.insert(flag);
        }
    }
    let round = *input.choose(&Wind::ALL)?;
    let bonus: Vec<Tile> = tiles
        .iter()
        .copied()
        .take(input.int_in_range(0..=5)?)
        .collect();
    let of = |seat, won: bool| ScoreInput {
        bonus: &bonus,
        ura: &bonus,
        counters: numbers.hand,
        ..ScoreInput::new(&hand, seat, round, won.then_some(&win))
    };
    let _ = rules.score_hand(&of(seat, true));
    let _ = rules.score_hand(&of(seat, false));
    let inputs: Vec<ScoreInput<'_>> = Seat::all(plan.players())
        .map(|at| of(at, at == seat))
        .collect();
    let table = OnTable {
        counters: numbers.hand,
        deposits: numbers.hand,
    };
    let _ = rules.settle_hands(&inputs, table);
    let _ = Rank::new(input.arbitrary()?);
    let _ = matches!(
        Deal::start(&rules, Match::new(&rules, secret).state().setup())
            .state()
            .phase(),
        Phase::Over
    );
    Ok(())
}

/// Requests about tables, most of them sensible. An error leaves the table as it was, and a table that is saved and loaded
/// is the same.
fn table(bytes: &[u8]) {
    fn ask(responder: &mut Responder, request: serde_json::Value) -> serde_json::Value {
        let request: Value = serde_json::from_value(request).unwrap();
        serde_json::to_value(responder.answer(&request)).unwrap()
    }
    let mut input = Unstructured::new(bytes);
    let mut pick = |most: usize| input.int_in_range(0..=most).unwrap_or(0);
    let mut responder = Responder::with_seed(pick(9999) as u64);
    let id = IDS[pick(IDS.len() - 1)];
    const NAMES: [&str; 5] = ["human", "greedy", "random", "first", "nobody"];
    let seats: Vec<&str> = (0..pick(4)).map(|_| NAMES[pick(4)]).collect();
    let mut new = serde_json::json!({"type": "new", "ruleset": id, "table": "t"});
    if !seats.is_empty() {
        new["seats"] = serde_json::json!(seats);
    }
    if ask(&mut responder, new)["ok"] != true {
        return;
    }
    for _ in 0..pick(60) {
        let saved = ask(
            &mut responder,
            serde_json::json!({"type": "save", "table": "t"}),
        );
        let player = pick(4);
        let legal = serde_json::json!({"type": "legal", "table": "t", "player": player});
        let legal = ask(&mut responder, legal);
        let actions = legal["actions"].as_array().map_or(0, Vec::len);
        let action = match pick(actions) {
            place if place < actions => legal["actions"][place]["action"].clone(),
            _ => serde_json::json!(["none", "hora", "dahai 1t", "reach", "x"][pick(4)]),
        };
        let kind = [
            "act", "act", "act", "default", "undo", "hint", "view", "log", "spectate",
        ][pick(8)];
        let mut request = serde_json::json!({"type": kind, "table": "t"});
        if !matches!(kind, "undo" | "spectate") {
            request["player"] = player.into();
        }
        if kind == "act" {
            request["action"] = action;
        }
        let answer = ask(&mut responder, request.clone());
        let after = ask(
            &mut responder,
            serde_json::json!({"type": "save", "table": "t"}),
        );
        let changes = matches!(kind, "act" | "default" | "undo") && answer["ok"] == true;
        assert_eq!(after != saved, changes, "{request}: {answer}");
        if changes {
            assert_eq!(
                answer["over"] == true,
                answer["waiting"] == serde_json::json!([])
            );
        }
    }
    let saved = ask(
        &mut responder,
        serde_json::json!({"type": "save", "table": "t"}),
    );
    let load = serde_json::json!({"type": "load", "table": "u", "saved": saved["saved"]});
    let loaded = ask(&mut responder, load);
    assert_eq!(loaded["ok"], true, "{loaded}");
    let [one, other] = ["t", "u"].map(|name| {
        let request = serde_json::json!({"type": "view", "table": name, "player": 0});
        ask(&mut responder, request)["view"].clone()
    });
    assert_eq!(one, other);
}
