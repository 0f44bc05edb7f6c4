//! The forms of values on a wire: in every format, what is written is read again as it was, and what is no value is
//! refused.

use crate::common::agents;
use bincode::serde::BorrowedSerdeDecoder;
use erased_serde::Deserializer;
use paishan::game::{Match, MatchState, Moves, Next, Observer, Outcome, SavedMatch};
use paishan::hand::MAX_MELDS;
use paishan::host::{HostedMatch, SavedHost, Sitter};
use paishan::log::{self, LogOptions, LogView, OptionMap, Recorder, mjai, tenhou};
use paishan::ruleset::{self, OptionValue, PatternValues};
use paishan::score::{
    HanFu, Line, Payment, PaymentHook, PaymentReason, Score, ScoreError, Settlement, Sums, Tally,
};
use paishan::simulate::{Cause, CausePoints, Causes, Collector, Statistics, Summary, play};
use paishan::state::{
    AbortiveDraw, Action, ActionSnapshot, Announcement, DealState, Discard, DiscardSnapshot,
    DrawSource, Ending, Event, FlagSet, Legal, MeldSnapshot, MeldTiles, OnTable, Passed, Progress,
    Riichi, Snapshot, TurnedId, TurnedTile, Way, Win,
};
use paishan::{
    AsideId, BySeat, Counts, Decimal, Family, Flower, FlowerSet, Group, Hand, HandError, Kind,
    KindSet, Meld, MeldError, Notation, Number, Player, Seat, SeatSet, Seed, Suit, Tile, Wind,
};
use paishan::{Rules, protocol};
use proptest::prelude::*;
use quote::ToTokens;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use syn::visit::Visit;

/// A value that is written and read.
trait Kept: Serialize + DeserializeOwned + PartialEq + Debug {}

impl<T: Serialize + DeserializeOwned + PartialEq + Debug> Kept for T {}

fn told(error: impl ToString) -> String {
    error.to_string()
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Format {
    Json,
    MessagePack,
    NamedMessagePack,
    Cbor,
    Postcard,
    Bincode,
}

impl Format {
    const ALL: [Self; 6] = [
        Self::Json,
        Self::MessagePack,
        Self::NamedMessagePack,
        Self::Cbor,
        Self::Postcard,
        Self::Bincode,
    ];

    // Types are erased: to compile each of them for each format takes minutes.
    fn write(self, value: &dyn erased_serde::Serialize) -> Result<Vec<u8>, String> {
        match self {
            Self::Json => serde_json::to_vec(value).map_err(told),
            Self::MessagePack => rmp_serde::to_vec(value).map_err(told),
            Self::NamedMessagePack => rmp_serde::to_vec_named(value).map_err(told),
            Self::Cbor => {
                let mut bytes = Vec::new();
                ciborium::into_writer(value, &mut bytes).map_err(told)?;
                Ok(bytes)
            }
            Self::Postcard => postcard::to_stdvec(value).map_err(told),
            Self::Bincode => bincode::serde::encode_to_vec(value, BINCODE).map_err(told),
        }
    }

    fn read<T: DeserializeOwned>(self, bytes: &[u8]) -> Result<T, String> {
        let read = erased_serde::deserialize::<T>;
        match self {
            Self::Json => {
                let mut json = serde_json::Deserializer::from_slice(bytes);
                let value = read(&mut <dyn Deserializer>::erase(&mut json)).map_err(told)?;
                json.end().map(|()| value).map_err(told)
            }
            Self::MessagePack | Self::NamedMessagePack => {
                let mut pack = rmp_serde::Deserializer::from_read_ref(bytes);
                read(&mut <dyn Deserializer>::erase(&mut pack)).map_err(told)
            }
            Self::Cbor => ciborium::from_reader(bytes).map_err(told),
            Self::Postcard => {
                let mut postcard = postcard::Deserializer::from_bytes(bytes);
                read(&mut <dyn Deserializer>::erase(&mut postcard)).map_err(told)
            }
            Self::Bincode => {
                let mut decoder = BorrowedSerdeDecoder::from_slice(bytes, BINCODE, ());
                read(&mut <dyn Deserializer>::erase(decoder.as_deserializer())).map_err(told)
            }
        }
    }

    #[track_caller]
    fn round_trip<T: Kept>(self, value: &T) {
        let bytes = self.write(value);
        let bytes = bytes.unwrap_or_else(|error| panic!("{self:?}: {error}: {value:?}"));
        let again = self.read::<T>(&bytes);
        assert_eq!(again.as_ref(), Ok(value), "{self:?}: {bytes:?}");
    }
}

/// Bincode allocates what a length asks for, so readers limit it.
const BINCODE: bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    bincode::config::Limit<1_000_000>,
> = bincode::config::standard().with_limit();

/// Writes and reads a value in every format. Returns its JSON.
#[track_caller]
fn round_trip<T: Kept>(value: &T) -> String {
    for format in Format::ALL {
        format.round_trip(value);
    }
    serde_json::to_string(value).unwrap()
}

/// What to do with a value of each type.
trait Each {
    fn one<T: Kept>(&mut self, value: &T);
}

/// Every public type that is written and read, with values of it.
fn every_value(each: &mut impl Each) {
    fn json<T: Kept>(each: &mut impl Each, texts: &[&str]) {
        for text in texts {
            let value = serde_json::from_str::<T>(text);
            let value = value.unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(serde_json::to_string(&value).unwrap(), *text);
            each.one(&value);
        }
    }
    macro_rules! json {
        ($($type:ty: $($text:literal)*;)*) => {$(json::<$type>(each, &[$($text),*]);)*};
    }
    json! {
        Tile: r#""5t""# r#""Rt""# r#""h""# r#""Z""#;
        Kind: r#""9m""#;
        Flower: r#""h""#;
        Suit: r#""s""#;
        Wind: r#""S""#;
        Seat: r#""W""#;
        Player: "2";
        Family: r#""pung""#;
        Group: r#""123t""# r#""4444s""# r#""CC""# r#""014s""#;
        Meld: r#"{"group":"123t","open":false}"#
            r#"{"group":"5555t","open":true,"added":true,"added_after":2,"reds":1,"claimed":"Rt","from":"W"}"#
            r#"{"group":"CCCC","open":false,"hidden":true,"wild":3}"#;
        KindSet: r#"["1t","E"]"#;
        FlowerSet: r#"["h","l"]"#;
        SeatSet: r#"["E","N"]"#;
        Counts: r#"["1t","1t","E"]"#;
        BySeat<i64>: "[-1,2,3,4,5,6]";
        Hand: r#"{"concealed":["1t","1t"],"melds":[{"group":"CCC","open":true}],"flowers":["h"]}"#
            r#"{"concealed":["1t"],"melds":[],"flowers":[],"set_aside":["N"],"dead":true}"#;
        HandError: r#"{"bad-meld":{"index":1,"reason":"pair"}}"#;
        MeldError: r#""face-down""# r#"{"too-many":{"most":4}}"#;
        Decimal: "2.0" "-0.5";
        Number: "3" "2.5";
        Seed: "7" r#""ffffffffffffffff000000000000000000000000000000000000000000000000""#;
        Action: r#""none""# r#""chi 4R6t""# r#""swap 4tJ6t""# r#""dahai 5t tsumogiri""#;
        MeldTiles: r#""123t""# r#""JEE""#;
        Legal: r#"["none","pon R55t"]"#;
        Event: r#"{"type":"tsumo","seat":"E","tile":null,"from_back":false}"#
            r#"{"type":"exchange","seat":"E","to":"S","tile":"1t"}"# r#"{"type":"missing","seat":"E","suit":"t"}"#
            r#"{"type":"show","seat":"E","step":0,"tiles":["1t","1t","E"]}"# r#"{"type":"turned","row":0,"tile":"5t"}"#
            r#"{"type":"aside","seat":"E","tile":"h"}"# r#"{"type":"aside","seat":"E","tile":"N"}"#
            r#"{"type":"dahai","seat":"E","tile":"1t","drawn":true}"#
            r#"{"type":"claim","seat":"S","from":"E","tile":"1t","tiles":"J11t","laid":false}"#
            r#"{"type":"swap","seat":"E","owner":"W","tiles":"1tJ3t","tile":"2t"}"#
            r#"{"type":"ankan","seat":"E","kind":null,"reds":0,"hidden":true}"#
            r#"{"type":"challenge","seat":"E","owner":"S","kind":"C"}"#
            r#"{"type":"declare","seat":"E","announcement":"calling"}"# r#"{"type":"penalty","seat":"E"}"#
            r#"{"type":"dead_hand","seat":"E"}"# r#"{"type":"dora","tile":"5t"}"#
            r#"{"type":"kakan","seat":"E","tile":"5t","reds":1,"open":true}"# r#"{"type":"reach","seat":"E"}"#
            r#"{"type":"reach_accepted","seat":"E"}"# r#"{"type":"lay","seat":"E","group":"CCC"}"#
            r#"{"type":"hora","seat":"E","win":{"tile":"5t","way":"wall","from":null,"flags":[1,3],"kongs_in_row":0}}"#
            r#"{"type":"end","seat":"E"}"# r#"{"type":"exhausted"}"#
            r#"{"type":"ryukyoku","draw":"four-winds","seat":null}"#;
        Win: r#"{"tile":"5t","way":"discard","from":"N","flags":[],"kongs_in_row":2}"#;
        Way: r#""robbed-kong""#;
        FlagSet: "[0,31]";
        Discard: r#"{"seat":"E","tile":"Rt","drawn":true,"claimed":false}"#;
        AsideId: "1";
        TurnedId: "1";
        TurnedTile: r#"{"row":1,"tile":"5t"}"#;
        DrawSource: r#"{"aside":1}"#;
        Announcement: r#""standing""#;
        OnTable: r#"{"counters":1,"deposits":2}"#;
        Ending: r#""won""# r#"{"false-win":"S"}"# r#"{"aborted":["nine-orphans","E"]}"#;
        AbortiveDraw: r#""three-wins""#;
        Passed: r#""until-draw""#;
        Riichi: r#"{"at_once":true,"accepted":false,"discard":3,"unbroken":true}"#;
        Progress: r#"{"deal":2,"rounds":0,"won":1,"first_dealer":3,"match_id":9}"#;
        MeldSnapshot: r#"{"tiles":"123t","open":true,"added":false,"claimed":"3t","from":"E"}"#;
        DiscardSnapshot: r#"{"seat":"S","tile":"3t","drawn":true,"claimed":false,"riichi":false}"#;
        ActionSnapshot: r#"{"action":"ankan C","words":"declare a concealed kong of C"}"#;
        ScoreError: r#""not-a-win""# r#"{"no-such-seat":{"seat":"N"}}"#
            r#"{"hand":{"wrong-tile-count":{"have":12,"want":"14"}}}"#;
        Tally: r#"{"sums":{"columns":[8.0,0.0,0.0,0.0],"limits":0,"limit_hand":false,"worth":8.0,"wins":true}}"#;
        Sums: r#"{"columns":[2.5,0.0,0.0,0.0],"limits":0,"limit_hand":false,"worth":2.5,"wins":true}"#;
        HanFu: r#"{"han":3,"fu":40,"limits":0,"base":1280,"limit":null,"wins":true}"#;
        Line: r#"{"pattern":3,"times":2}"#;
        Payment: r#"{"from":"S","to":"E","units":200,"reason":{"win-for":"W"},"points":100,"factor":2}"#;
        PaymentHook: r#""deal-end""#;
        PaymentReason: r#""counters""# r#"{"row":{"row":1,"on":"kong"}}"#;
        Cause: r#""match-end""#;
        CausePoints: r#"{"gained":3,"seats":[1,-2,2,0,0,0],"players":[0,1,2,-2,0,0]}"#;
        Causes: r#"{"win":{"gained":3,"seats":[1,-2,2,0,0,0],"players":[0,1,2,-2,0,0]}}"#;
        OptionValue: "true" "-5" "2.5" r#""half-spicy""# r#"["a","b"]"# "[]" "[15000,-15000]" r#"{"orchard":2.5}"#;
        PatternValues: r#"{"orchard":2.5,"ready":1.0}"#;
        OptionMap: r#"{"cap":500,"flowers":false,"uma":[1,2],"values":{"orchard":2.5}}"#;
        Next: r#""stay""#;
        LogView: r#""all""# "3";
        log::Break: r#"{"player":1,"count":7}"#;
        log::DrawnFrom: r#""back""#;
        log::NextDeal: r#""renchan""#;
        log::Announced: r#""calling""#;
        log::HiddenKong: r#"{"actor":2,"consumed":["C","C","C","C"]}"#;
        log::LegalLines: r#"[{"type":"none"}]"#;
        log::StartGame: r#"{"names":["a"],"format":1,"engine":"e","ruleset":"woo","options":{},"players":4,"notation":"ujmj","view":"all","game":0}"#;
        log::StartKyoku: r#"{"bakaze":"E","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[0],"tehais":[["E"]],"hand":1,"dice":[],"break":{"player":1,"count":7},"reserve":0,"reserve_moves":false,"back":[],"indicators":[1]}"#;
        log::Hora: r#"{"actor":1,"target":1,"pai":"E"}"# r#"{"actor":1,"target":2,"pai":"E","flags":[],"yakus":[["a",1]]}"#;
        log::Line: r#"{"type":"reach","actor":1}"# r#"{"type":"none"}"#
            r#"{"type":"chi","actor":0,"target":1,"pai":"3t","consumed":["1t","X"],"as":["1t","2t"]}"#
            r#"{"type":"show","actor":0,"what":"four-joys","tehai":["1t"]}"# r#"{"type":"turned","what":"birds","pai":"1t"}"#
            r#"{"type":"end_kyoku","next":"pass","quads":[{"actor":2,"consumed":["C"]}]}"#;
        mjai::Message: r#"{"type":"start_game","names":["a"]}"# r#"{"type":"kita","actor":0,"pai":"N"}"#
            r#"{"type":"end_game","scores":[1,2]}"#;
        tenhou::Cell: "11" "2.5" r#""c111213""# r#"[1,"r60"]"#;
        tenhou::TenhouRule: r#"{"disp":"a","aka51":1}"#;
        tenhou::TenhouLog: r#"{"title":["a"],"name":["b"],"rule":{"disp":"c"},"log":[[[0,0,0],"d"]]}"#;
    }
    let riichi = Rules::by_id("riichi-tenhou").unwrap();
    let mut watching = (Wire::default(), (Moves::new(7), Collector::new(&riichi)));
    play(&riichi, &mut agents(&riichi, "greedy"), 7, &mut watching).unwrap();
    let (wire, (moves, collector)) = watching;
    let statistics = collector.statistics;
    let outcome: Outcome = wire.outcome.unwrap();
    let settlement: &Settlement = &outcome.settlement;
    let score: &Score = settlement
        .scores
        .as_slice()
        .iter()
        .flatten()
        .next()
        .unwrap();
    each.one::<Snapshot>(&wire.snapshot.unwrap());
    each.one::<Score>(score);
    each.one(&ScoreError::BelowMinimum(Box::new(score.clone())));
    each.one::<Settlement>(settlement);
    each.one::<Outcome>(&outcome);
    each.one::<SavedMatch>(&wire.saved.unwrap());
    each.one::<Moves>(&moves);
    let sitters = vec![Sitter::of_name("greedy"); 4];
    let hosted = HostedMatch::start(riichi.clone(), sitters, 7).unwrap();
    each.one::<SavedHost>(&hosted.save());
    each.one::<Summary>(&statistics.summary);
    each.one::<Statistics>(&statistics);
}

/// The path of a type without what it is generic over.
fn path<T>() -> String {
    let name = type_name::<T>();
    name.split('<').next().unwrap_or(name).to_owned()
}

#[test]
fn every_value_is_read_in_every_format_as_it_was_written() {
    struct RoundTrip;
    impl Each for RoundTrip {
        fn one<T: Kept>(&mut self, value: &T) {
            round_trip(value);
        }
    }
    every_value(&mut RoundTrip);
    // What may be anything needs a format that says what it holds.
    let any = r#"{"a":null,"b":[true,1,2.5,"c"]}"#;
    let any: protocol::Value = serde_json::from_str(any).unwrap();
    for format in [
        Format::Json,
        Format::MessagePack,
        Format::NamedMessagePack,
        Format::Cbor,
    ] {
        format.round_trip(&any);
    }
    // Options are written only, and read as what they set.
    let options = Rules::by_id("woo").unwrap().plan().options().clone();
    for format in Format::ALL {
        let again = format.read::<OptionMap>(&format.write(&options).unwrap());
        assert_eq!(again, Ok(OptionMap::from(&options)));
    }
}

/// The public types of `src`.
#[derive(Default)]
struct Types {
    /// The module that is being read.
    module: String,
    /// Their paths by name.
    paths: BTreeMap<String, Vec<String>>,
    /// The names of those that are written, and of those that are read.
    written: BTreeSet<String>,
    read: BTreeSet<String>,
}

impl Types {
    fn of_crate() -> Self {
        fn visit(folder: &Path, module: &str, types: &mut Types) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let stem = path.file_stem().unwrap().to_str().unwrap();
                let inner = match stem {
                    "lib" | "mod" => module.to_owned(),
                    _ => format!("{module}::{stem}"),
                };
                if path.is_dir() {
                    visit(&path, &inner, types);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    types.module = inner;
                    let text = fs::read_to_string(&path).unwrap();
                    types.visit_file(&syn::parse_file(&text).unwrap());
                }
            }
        }
        let mut types = Self::default();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        visit(&folder, "paishan", &mut types);
        types
    }

    fn define(
        &mut self,
        visibility: &syn::Visibility,
        name: &syn::Ident,
        attributes: &[syn::Attribute],
    ) {
        if matches!(visibility, syn::Visibility::Public(_)) {
            let path = format!("{}::{name}", self.module);
            self.paths
                .entry(name.to_string())
                .or_default()
                .push(path.clone());
            let text = attributes
                .iter()
                .map(|attribute| attribute.to_token_stream().to_string());
            let text: String = text.filter(|text| text.contains("derive")).collect();
            if text.contains("Serialize") {
                self.written.insert(path.clone());
            }
            if text.contains("Deserialize") {
                self.read.insert(path);
            }
        }
    }

    fn implement(&mut self, of: &str, name: String) {
        match of {
            "Serialize" => drop(self.written.insert(name)),
            "Deserialize" => drop(self.read.insert(name)),
            _ => {}
        }
    }

    /// The paths of names and paths.
    fn paths(&self, names: &BTreeSet<String>) -> BTreeSet<String> {
        let paths = names.iter().flat_map(|name| match name.contains("::") {
            true => vec![name.clone()],
            false => self.paths.get(name).cloned().unwrap_or_default(),
        });
        paths.collect()
    }
}

impl<'ast> Visit<'ast> for Types {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.define(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.define(&item.vis, &item.ident, &item.attrs);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let (Some((of, _)), syn::Type::Path(path)) = (&item.trait_, &*item.self_ty) {
            let last = |path: &syn::Path| path.segments.last().unwrap().ident.to_string();
            let name = last(&path.path);
            let here = format!("{}::{name}", self.module);
            let is_here = self
                .paths
                .get(&name)
                .is_some_and(|paths| paths.contains(&here));
            self.implement(&last(of), if is_here { here } else { name });
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        let mut both = |name: String| {
            self.implement("Serialize", name.clone());
            self.implement("Deserialize", name);
        };
        let tokens = item.mac.tokens.clone();
        let mut words = tokens.clone().into_iter();
        let first = words.find_map(|word| syn::parse2::<syn::Ident>(word.into()).ok());
        if item.mac.path.is_ident("two_forms") {
            let inner: syn::Item = syn::parse2(tokens).unwrap();
            match &inner {
                syn::Item::Enum(inner) => both(inner.ident.to_string()),
                syn::Item::Struct(inner) => both(inner.ident.to_string()),
                _ => unreachable!("`two_forms` defines types"),
            }
            self.visit_item(&inner);
        } else if item.mac.path.is_ident("as_text") || item.mac.path.is_ident("as_list") {
            let text = tokens.to_string();
            // What stands before a colon.
            let names = text
                .split(':')
                .filter_map(|before| before.split_whitespace().last());
            names.for_each(|name| both(name.to_owned()));
        } else if let (true, Some(name)) = (item.mac.path.is_ident("bit_set"), first) {
            let path = format!("{}::{name}", self.module);
            self.paths.entry(name.to_string()).or_default().push(path);
        }
    }
}

/// The types that are written only: options, explanations, steps of a replay, and answers of the protocol, which are JSON.
const WRITTEN_ONLY: [&str; 30] = [
    "paishan::log::page::ReplayFrame",
    "paishan::protocol::answer::Answer",
    "paishan::protocol::answer::Body",
    "paishan::protocol::answer::ChangeAnswer",
    "paishan::protocol::answer::DiscardAnswer",
    "paishan::protocol::answer::EndedAnswer",
    "paishan::protocol::answer::EstimateAnswer",
    "paishan::protocol::answer::GoalAnswer",
    "paishan::protocol::answer::LeftAnswer",
    "paishan::protocol::answer::PatternAnswer",
    "paishan::protocol::answer::PaymentAnswer",
    "paishan::protocol::answer::RepairAnswer",
    "paishan::protocol::answer::SavedTable",
    "paishan::protocol::answer::ScoreAnswer",
    "paishan::protocol::answer::TableAnswer",
    "paishan::protocol::answer::TallyAnswer",
    "paishan::protocol::answer::Waiting",
    "paishan::protocol::answer::WeighedAnswer",
    "paishan::protocol::answer::WinAnswer",
    "paishan::protocol::error::ErrorAnswer",
    "paishan::ruleset::options::Options",
    "paishan::score::explain::data::ExplainedFu",
    "paishan::score::explain::data::ExplainedGroup",
    "paishan::score::explain::data::ExplainedPattern",
    "paishan::score::explain::data::Explanation",
    "paishan::score::explain::data::LeftOut",
    "paishan::score::explain::data::Operation",
    "paishan::score::explain::data::Quantity",
    "paishan::score::explain::data::RunnerUp",
    "paishan::score::explain::data::Step",
];

#[test]
fn the_list_has_every_public_type_that_is_read() {
    #[derive(Default)]
    struct Paths(BTreeSet<String>);
    impl Each for Paths {
        fn one<T: Kept>(&mut self, _: &T) {
            self.0.insert(path::<T>());
        }
    }
    let mut listed = Paths::default();
    every_value(&mut listed);
    listed.0.insert(path::<protocol::Value>());
    let types = Types::of_crate();
    let (written, read) = (types.paths(&types.written), types.paths(&types.read));
    assert_eq!(read, listed.0);
    let written: Vec<&String> = written.difference(&read).collect();
    assert_eq!(written, WRITTEN_ONLY);
}

/// Bytes of a value, and what reads them.
type Reader = (Format, Vec<u8>, fn(Format, &[u8]));

/// Reads bytes that may be anything. A value that is read is written and read again.
fn read_anything<T: Kept>(format: Format, bytes: &[u8]) {
    if let Ok(value) = format.read::<T>(bytes) {
        let written = format.write(&value).unwrap();
        let again = format.read::<T>(&written);
        let again = again.unwrap_or_else(|error| panic!("{format:?}: {error}: {value:?}"));
        assert_eq!(format.write(&again), Ok(written), "{format:?}: {value:?}");
    }
}

static READERS: LazyLock<Vec<Reader>> = LazyLock::new(|| {
    struct Readers(Vec<Reader>);
    impl Each for Readers {
        fn one<T: Kept>(&mut self, value: &T) {
            let reader = |format: Format| {
                (
                    format,
                    format.write(value).unwrap(),
                    read_anything::<T> as _,
                )
            };
            self.0.extend(Format::ALL.map(reader));
        }
    }
    let mut readers = Readers(Vec::new());
    every_value(&mut readers);
    readers.0
});

/// Sends everything that happens over the wire.
#[derive(Default)]
struct Wire {
    actions: HashSet<Action>,
    events: usize,
    deals: usize,
    wins: usize,
    snapshot: Option<Snapshot>,
    outcome: Option<Outcome>,
    saved: Option<SavedMatch>,
}

impl Observer for Wire {
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        round_trip(legal);
        self.actions.extend(legal.iter());
        round_trip(&action);
        let snapshot = state.view(seat).snapshot();
        round_trip(&snapshot);
        self.snapshot = Some(snapshot);
        round_trip(state.hand(seat));
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        round_trip(event);
        round_trip(&event.seen_by(Seat::EAST));
        self.events += 1;
    }

    fn deal_ended(&mut self, series: &MatchState, _: &DealState, outcome: &Outcome, next: Next) {
        round_trip(outcome);
        round_trip(&next);
        let saved = series.save();
        round_trip(&saved);
        self.saved = Some(saved);
        self.wins += outcome.wins().len();
        if !outcome.wins().is_empty() {
            self.outcome = Some(outcome.clone());
        }
        self.deals += 1;
    }

    fn wants_more(&self) -> bool {
        self.deals < 4
    }
}

#[test]
fn whole_games_cross_the_wire() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let mut options = LogOptions::new(
            vec!["random".to_owned(); rules.plan().players()],
            Notation::Ujmj,
        );
        options.with_legal = true;
        let recorder = Recorder::new(rules.plan(), options, |line| {
            round_trip(&line);
            mjai::Message::plain(rules.plan(), &line)
                .iter()
                .for_each(|message| drop(round_trip(message)));
        });
        let mut watching = (Wire::default(), (Moves::new(3), recorder));
        play(&rules, &mut agents(&rules, "random"), 3, &mut watching).unwrap();
        let (wire, (moves, _)) = watching;
        round_trip(&OptionMap::from(rules.plan().options()));
        round_trip(&moves);
        let (events, actions) = (wire.events, wire.actions.len());
        assert!(events > 80 && actions > 25, "{id}: {events} {actions}");
    }
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let mut wire = Wire::default();
    play(&rules, &mut agents(&rules, "greedy"), 3, &mut wire).unwrap();
    assert!(wire.wins > 1);
}

#[test]
fn members_that_are_left_out_have_their_default() {
    let win: Win = serde_json::from_str(r#"{"tile":"5t","way":"wall"}"#).unwrap();
    assert_eq!(win, Win::drawn(win.tile));
}

#[test]
fn what_is_no_value_is_refused() {
    fn refused<T: DeserializeOwned>(texts: &[&str]) {
        for text in texts {
            assert!(serde_json::from_str::<T>(text).is_err(), "{text}");
        }
    }
    refused::<Tile>(&[r#""""#, r#""12t""#, r#""5""#, "5", "null"]);
    refused::<Kind>(&[r#""Rt""#, r#""h""#]);
    refused::<Flower>(&[r#""5t""#]);
    refused::<Seat>(&[r#""7""#, r#""ES""#, "1"]);
    refused::<Player>(&["6", "-1"]);
    refused::<Group>(&[r#""12t""#, r#""1111111t""#, r#""123""#, r#""1t2s3m""#]);
    refused::<Counts>(&[r#"["1t","1t","1t","1t","1t"]"#]);
    refused::<FlagSet>(&["[32]"]);
    refused::<BySeat<i64>>(&["[1,2,3,4,5,6,7]"]);
    refused::<Hand>(&[
        r#"{"concealed":["1t","1t","1t","1t","1t"]}"#,
        r#"{"concealed":[],"melds":[{"group":"11t","open":true}]}"#,
        r#"{"concealed":[],"melds":[{"group":"123t","open":true,"reds":1}]}"#,
        r#"{"concealed":[],"flowers":["h","h"]}"#,
    ]);
    refused::<Action>(&[
        r#""nothing""#,
        r#""chi 11t""#,
        r#""dahai""#,
        r#"{"type":"none"}"#,
    ]);
    refused::<Legal>(&[r#"["dahai 5t","exchange 5t"]"#, r#"["pon 12t"]"#]);
    refused::<SavedMatch>(&["{}"]);
    let decision = r#"{"type":"decision","actor":0,"legal":[],"chosen":0}"#;
    assert!(serde_json::from_str::<log::Line>(decision).is_ok());
    let nested = decision.replace("[]", &format!("[{decision}]"));
    refused::<log::Line>(&[&nested]);
    assert!(serde_json::from_str::<log::Line>(decision).is_ok());
    // The same in binary formats, whose hands have all their members in order.
    type Parts<'a> = (Vec<&'a str>, Vec<Meld>, Vec<&'a str>, Vec<Kind>, bool);
    let pung = Meld::concealed(Group::pung(Kind::RED)).unwrap();
    for (is_hand, parts) in [
        (
            true,
            (vec!["1t"], vec![pung], vec!["h"], vec![Kind::RED], false),
        ),
        (false, (vec!["12t"], vec![], vec![], vec![], false)),
        (false, (vec!["1t"; 5], vec![], vec![], vec![], false)),
        (
            false,
            (vec![], vec![pung; MAX_MELDS + 1], vec![], vec![], false),
        ),
        (false, (vec![], vec![], vec!["h", "h"], vec![], false)),
        (false, (vec![], vec![], vec![], vec![Kind::RED; 5], false)),
    ] {
        let parts: Parts = parts;
        for format in [Format::MessagePack, Format::Postcard, Format::Bincode] {
            let hand = format.read::<Hand>(&format.write(&parts).unwrap());
            assert_eq!(hand.is_ok(), is_hand, "{format:?}: {parts:?}");
        }
    }
    // A run that a grammar does not have is legal nowhere.
    let chow: Action = serde_json::from_str(r#""chi 135t""#).unwrap();
    let woo = Rules::by_id("woo").unwrap();
    let mut deal = Match::new(&woo, 1).start_deal();
    assert!(deal.act(Seat::EAST, chow).is_err());
}

fn kinds() -> impl Strategy<Value = Kind> {
    (0..Kind::COUNT).prop_map(|i| Kind::from_index(i).unwrap())
}

proptest! {
    #[test]
    fn bytes_that_may_be_anything_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..64),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        for (format, written, read) in &*READERS {
            read(*format, &bytes);
            let mut changed = written.clone();
            changed[place.index(written.len())] = byte;
            read(*format, &changed);
        }
    }

    #[test]
    fn sets_groups_and_hands_are_read_as_they_are_written(
        bits in any::<u64>(),
        small in any::<u8>(),
        tiles in prop::collection::vec(kinds(), 0..14),
        three in prop_oneof![
            prop::collection::vec(kinds(), 2..5),
            (kinds(), 2..7_usize).prop_map(|(kind, size)| vec![kind; size]),
        ],
        red in any::<bool>(),
        numbers in any::<[i64; 6]>(),
    ) {
        round_trip(&KindSet::from_bits(bits));
        round_trip(&FlowerSet::from_bits(u16::from(small) << 4));
        round_trip(&SeatSet::from_bits(small));
        round_trip(&BySeat::from_fn(|seat| numbers[seat.index()]));
        let mut flags = FlagSet::EMPTY;
        (0..32).filter(|i| bits >> i & 1 == 1).for_each(|i| flags.insert(i));
        round_trip(&flags);
        let mut counts = Counts::EMPTY;
        let kept: Vec<Tile> = tiles.iter().filter(|&&kind| counts.try_add(kind)).map(|&kind| kind.into()).collect();
        round_trip(&counts);
        if let Some(group) = Group::of(&three) {
            round_trip(&group);
            prop_assert_eq!(group.to_string().parse(), Ok(group));
            let has_five = group.tiles().any(|kind| kind.rank().is_some_and(|rank| rank.get() == 5));
            let claimed = Meld::claimed(group, group.kind().into(), Seat::SOUTH);
            prop_assert_eq!(claimed.is_ok(), group.family() != Family::Pair);
            if let Ok(meld) = claimed {
                round_trip(&meld.with_reds(u8::from(red && has_five)).unwrap());
            }
        }
        let text = paishan::Notation::Ujmj.print(kept);
        if let Ok(hand) = text.parse::<Hand>() {
            round_trip(&hand);
            prop_assert_eq!(hand.to_string().parse(), Ok(hand));
        }
    }
}
