//! For each scoring item of `traditional` one hand that has it and one that narrowly has not, and the
//! numbers that come of them. Source: `rulesets/traditional.md` §8.

use crate::common::classical::{by, number_kongs, number_pungs, with_meld, with_pair, with_pung};
use crate::common::patterns::{Row, answer, check, closed, open};
use paishan::protocol::Responder;
use serde_json::{Value as Json, json};

pub fn base() -> Json {
    crate::common::classical::base("traditional", json!({"round-to": 1}))
}

pub fn rows() -> Vec<Row> {
    let hand = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile});
    let drawn = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile, "by": "wall"});
    let loser = |hand: &str| json!({"hand": hand, "tile": null});
    let east = |change: Json| {
        let mut east = change;
        east["seat"] = "E".into();
        east
    };
    let mut rows = Vec::new();
    rows.extend(number_pungs());
    rows.extend([
        (
            "pung-honor-exposed",
            with_meld(open("WWW")),
            with_pung("WWW"),
        ),
        (
            "pung-honor-concealed",
            with_pung("PPP"),
            with_meld(open("PPP")),
        ),
    ]);
    rows.extend(number_kongs());
    rows.extend([
        (
            "kong-honor-exposed",
            with_meld(open("NNNN")),
            with_meld(open("NNN")),
        ),
        (
            "kong-honor-concealed",
            with_meld(closed("NNNN")),
            with_meld(open("NNNN")),
        ),
        ("pair-own-wind", with_pair("SS"), with_pair("WW")),
        ("pair-round-wind", with_pair("EE"), with_pair("SS")),
        ("pair-dragons", with_pair("PP"), with_pair("NN")),
        ("flower", json!({"flowers": "h"}), json!({})),
        ("mah-jong", json!({}), loser("123t456t789s23m55m")),
        (
            "from-wall",
            by("wall", &[]),
            by("replacement", &["after-flower"]),
        ),
        (
            "only-tile",
            hand("123t456t789s24m55m", "3m"),
            // The pair may be 5 or 8.
            hand("123t456t789s5678m", "5m"),
        ),
        (
            "no-chows",
            hand("222t77m777s888sWW", "W"),
            hand("222t77m777s789sWW", "W"),
        ),
        ("no-score", json!({"flowers": "hi"}), with_pair("SS")),
        ("last-tile", by("wall", &["last-tile"]), by("wall", &[])),
        (
            "loose-tile",
            by("replacement", &["after-kong"]),
            by("wall", &[]),
        ),
        ("standing", json!({"flags": ["standing"]}), json!({})),
        ("dragon-set", with_meld(open("FFF")), with_pair("FF")),
        (
            "own-wind-set",
            loser("SSS258t369s17mEW"),
            loser("SS258t369s147mEW"),
        ),
        ("round-wind-set", with_pung("EEE"), with_pung("WWW")),
        ("robbing-kong", by("robbed-kong", &[]), by("discard", &[])),
        (
            "one-suit-honors",
            hand("123s456s789s22sPP", "P"),
            hand("123s456t789s22sPP", "P"),
        ),
        (
            "terminals-honors",
            hand("11t999m999sNNNWW", "W"),
            hand("11t999m888sNNNWW", "W"),
        ),
        (
            "one-suit",
            hand("222s33s345s456s78s", "9s"),
            hand("222sPP345s456s78s", "9s"),
        ),
        (
            "thirteen-unique-wonders",
            hand("19t19s19mESWNCFP", "P"),
            hand("19t19s19mESWNCFP", "2t"),
        ),
        (
            "calling-nine",
            hand("1112345678999s", "5s"),
            hand("1112345678999s", "9s"),
        ),
        (
            "heavens-blessing",
            east(by("wall", &["first-turn"])),
            east(by("wall", &[])),
        ),
        (
            "earths-blessing",
            json!({"from": "E", "flags": ["first-turn"]}),
            json!({"from": "E"}),
        ),
        (
            "three-great-scholars",
            hand("CCCFFFPPP23m55t", "4m"),
            hand("CCCFFF23mPP555t", "4m"),
        ),
        (
            "all-winds-dragons",
            hand("SSSWWWNNNCCEE", "C"),
            hand("SSSWWWNNNCC99m", "C"),
        ),
        (
            "heads-and-tails",
            hand("111t999t11m999m99s", "1m"),
            hand("111t999t11m999mEE", "1m"),
        ),
        (
            "concealed-treasure",
            drawn("222s444s666s88s99s", "9s"),
            hand("222s444s666s88s99s", "9s"),
        ),
    ]);
    rows
}

#[test]
fn each_item_has_a_hand_and_a_near_miss() {
    check(&base(), &rows());
}

fn points(change: Json) -> i64 {
    let mut responder = Responder::new();
    let answer = answer(&mut responder, &base(), &change);
    answer["points"]
        .as_i64()
        .unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn options_change_what_a_hand_is_worth() {
    let worth = |options: Json, mut change: Json| {
        change["options"] = options;
        points(change)
    };
    // 20 + 10 for no score.
    assert_eq!(worth(json!({"round-to": 1}), json!({})), 30);
    assert_eq!(worth(json!({"round-to": 7}), json!({})), 35);
    assert_eq!(worth(json!({"round-to": 7, "limit": 31}), json!({})), 31);
    let loose = || by("replacement", &["after-flower"]);
    assert_eq!(worth(json!({"round-to": 1}), loose()), 40);
    let both = json!({"round-to": 1, "loose-is-wall": true});
    assert_eq!(worth(both, loose()), 42);
    let scholars = || json!({"hand": "CCCFFFPPP23m55t"});
    assert_eq!(worth(json!({}), scholars()), 500);
    // 3 × 8 + 20 points and three doubles.
    let strict = json!({"round-to": 1, "scholars-any-set": false});
    assert_eq!(worth(strict, scholars()), 352);
}

#[test]
fn all_kinds_that_complete_the_hand_are_counted_but_those_that_are_used_up() {
    // 2333: the 1 and the 4 complete a Chow, the 2 the pair.
    let has = |change: Json| {
        let mut responder = Responder::new();
        let answer = answer(&mut responder, &base(), &change);
        answer["patterns"].to_string().contains("only-tile")
    };
    assert!(!has(json!({"hand": "123t456t789s2333m", "tile": "4m"})));
    // All 1s are in the melds: 23 waits for 4 alone.
    let melds = json!([closed("1111m")]);
    assert!(has(json!({"hand": "456t789s23m99s", "melds": melds})));
    let wonders = json!({"hand": "19t199s19mESWNCF", "tile": "P"});
    assert!(has(wonders));
}
