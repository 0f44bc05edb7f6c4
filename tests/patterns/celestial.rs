//! For each scoring item of `celestial` one hand that has it and one that narrowly has not.
//! Source: `rulesets/celestial.md` §8.

use crate::common::classical::{by, number_kongs, number_pungs, with_meld, with_pair, with_pung};
use crate::common::patterns::{Row, check, closed, open};
use serde_json::{Value as Json, json};

pub fn base() -> Json {
    crate::common::classical::base("celestial", json!({}))
}

fn flowers(flowers: &str) -> Json {
    json!({"flowers": flowers})
}

pub fn rows() -> Vec<Row> {
    let hand = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile});
    let loser = |hand: &str| json!({"hand": hand, "tile": null});
    let poor = |flowers: &str| {
        json!({"hand": "258t369s147mESWN", "tile": null, "flowers": flowers,
               "options": {"losers-bonus": false}})
    };
    let pungs = |dragon: &str, suit: &str| {
        hand(
            &format!("{dragon}111{suit}333{suit}55{suit}99{suit}"),
            &format!("9{suit}"),
        )
    };
    let mut rows = Vec::new();
    rows.extend([
        ("pair-player-wind", with_pair("SS"), with_pair("NN")),
        ("pair-prevalent-wind", with_pair("EE"), with_pair("SS")),
        (
            "pair-dragons",
            with_pair("PP"),
            // The discard completes the pair.
            hand("123t456t678s234mP", "P"),
        ),
    ]);
    rows.extend(number_pungs());
    rows.extend([
        (
            "pung-wind-exposed",
            with_meld(open("WWW")),
            with_meld(open("PPP")),
        ),
        ("pung-wind-concealed", with_pung("WWW"), with_pung("PPP")),
        (
            "pung-dragon-exposed",
            with_meld(open("CCC")),
            with_pung("CCC"),
        ),
        ("pung-dragon-concealed", with_pung("CCC"), with_pung("NNN")),
    ]);
    rows.extend(number_kongs());
    rows.extend([
        (
            "kong-wind-exposed",
            with_meld(open("NNNN")),
            with_meld(open("FFFF")),
        ),
        (
            "kong-wind-concealed",
            with_meld(closed("NNNN")),
            with_meld(open("NNNN")),
        ),
        (
            "kong-dragon-exposed",
            with_meld(open("FFFF")),
            with_meld(open("FFF")),
        ),
        (
            "kong-dragon-concealed",
            with_meld(closed("FFFF")),
            with_meld(closed("NNNN")),
        ),
        ("flower", flowers("h"), poor("h")),
        ("mahjong", json!({}), loser("123t456t789s23m55m")),
        (
            "player-wind-meld",
            loser("SSS258t369s17mEW"),
            loser("SS258t369s147mEW"),
        ),
        ("prevalent-wind-meld", with_pung("EEE"), with_pair("EE")),
        ("dragon-meld", with_meld(open("FFF")), with_pair("FF")),
        ("player-flower", flowers("hi"), flowers("hj")),
        ("four-flowers", flowers("opqr"), flowers("opqh")),
        ("four-seasons", flowers("hijk"), flowers("hijo")),
        (
            "without-chow",
            hand("222t77m777s888sWW", "W"),
            hand("222t77m777s789sWW", "W"),
        ),
        (
            "pure-hand",
            hand("222s33s345s456s78s", "9s"),
            hand("222sPP345s456s78s", "9s"),
        ),
        ("fully-concealed", by("wall", &[]), by("discard", &[])),
        (
            "robbing-the-kong",
            by("robbed-kong", &[]),
            by("discard", &[]),
        ),
        (
            "from-the-wall",
            by("replacement", &["after-kong"]),
            by("discard", &[]),
        ),
        (
            "moon-from-the-sea",
            by("wall", &["last-tile"]),
            by("wall", &[]),
        ),
        (
            "thirteen-orphans",
            hand("19t19s19mESWNCFP", "P"),
            hand("19t19s19mESWNCFP", "2t"),
        ),
        (
            "orphans",
            hand("111t999t11m999m99s", "1m"),
            hand("111t999t11m999mEE", "1m"),
        ),
        (
            "nine-gates",
            hand("1112345678999s", "9s"),
            json!({"hand": "1112345678s", "melds": [open("999s")], "tile": "5s"}),
        ),
        (
            "seven-pairs",
            hand("1111t22s33m88s99tC", "C"),
            hand("1111t22s33m88s99tC", "F"),
        ),
        (
            "all-kongs",
            json!({"hand": "5m", "tile": "5m", "melds":
                [open("2222t"), closed("3333s"), open("7777m"), open("8888s")]}),
            json!({"hand": "5m", "tile": "5m", "melds":
                [open("2222t"), closed("3333s"), open("7777m"), open("888s")]}),
        ),
        (
            "great-winds",
            hand("EEESSSWWNNN55m", "W"),
            hand("EEESSSWW555mNN", "W"),
        ),
        ("ruby-dragon", pungs("CCC", "m"), pungs("FFF", "m")),
        ("jade-dragon", pungs("FFF", "s"), pungs("FFF", "t")),
        ("opal-dragon", pungs("PPP", "t"), pungs("CCC", "t")),
    ]);
    rows
}

#[test]
fn each_item_has_a_hand_and_a_near_miss() {
    check(&base(), &rows());
}
