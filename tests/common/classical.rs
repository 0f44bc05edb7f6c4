//! Hands that the classical games share: pungs and kongs score alike, and stand in like hands.

use super::patterns::{Row, closed, open};
use serde_json::{Value as Json, json};

/// Chows and a worthless pair, won by South on a discard of North at an open end.
pub fn base(ruleset: &str, options: Json) -> Json {
    json!({
        "ruleset": ruleset, "round": "E", "options": options,
        "seat": "S", "hand": "123t456t789s23m55m", "melds": [], "flowers": "",
        "tile": "4m", "by": "discard", "from": "N", "flags": [],
    })
}

/// A hand with one meld declared and chows around it.
pub fn with_meld(meld: Json) -> Json {
    json!({"hand": "123t456t23m88m", "melds": [meld]})
}

/// The same with a concealed pung.
pub fn with_pung(tiles: &str) -> Json {
    json!({"hand": format!("123t456t23m88m{tiles}")})
}

/// A pair beside chows.
pub fn with_pair(tiles: &str) -> Json {
    json!({"hand": format!("123t456t678s23m{tiles}")})
}

/// Won in another way.
pub fn by(by: &str, flags: &[&str]) -> Json {
    json!({"by": by, "flags": flags})
}

/// Pungs of numbers.
pub fn number_pungs() -> [Row; 4] {
    [
        (
            "pung-simple-exposed",
            with_meld(open("777s")),
            with_pung("777s"),
        ),
        (
            "pung-simple-concealed",
            with_pung("777s"),
            with_pung("999s"),
        ),
        (
            "pung-terminal-exposed",
            with_meld(open("999s")),
            with_meld(open("888s")),
        ),
        (
            "pung-terminal-concealed",
            with_pung("111s"),
            with_meld(open("111s")),
        ),
    ]
}

/// Kongs of numbers.
pub fn number_kongs() -> [Row; 4] {
    [
        (
            "kong-simple-exposed",
            with_meld(open("5555s")),
            with_meld(open("555s")),
        ),
        (
            "kong-simple-concealed",
            with_meld(closed("5555s")),
            // Four that were not declared are no kong: the fourth tile stands in a chow.
            json!({"hand": "123t5555s67s23m88m"}),
        ),
        (
            "kong-terminal-exposed",
            with_meld(open("9999s")),
            with_meld(closed("9999s")),
        ),
        (
            "kong-terminal-concealed",
            with_meld(closed("1111s")),
            with_meld(closed("2222s")),
        ),
    ]
}
