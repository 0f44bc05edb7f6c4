//! Hangzhou mahjong: which hands with a wild tile win. Source: `rulesets/hangzhou.toml`.

use crate::common::rigged::{points, score};

/// The answer for a hand of South's that wins with a drawn tile.
fn drawn_with((option, value): (&str, &str), player: &str, win: &str) -> serde_json::Value {
    score(&format!(
        r#"{{"type": "score", "ruleset": "hangzhou", "options": {{"{option}": "{value}"}}, "player": {player}, "win": {win}}}"#
    ))
}

fn drawn(value: &str, player: &str, win: &str) -> serde_json::Value {
    drawn_with(("wild-wins", value), player, win)
}

/// The golden hands of the file show the default: no bound.
#[test]
fn a_wild_tile_may_be_bound_to_the_copies_of_the_set() {
    let set = ("wild-copies", "set");
    let drawn = |player: &str, tile: &str| {
        let win = format!(r#"{{"tile": "{tile}", "by": "wall", "flags": []}}"#);
        drawn_with(set, player, &win)
    };
    let pung =
        r#"{"seat": "S", "hand": "123456789mP", "melds": [{"open": true, "tiles": "555t"}]}"#;
    assert_eq!(points(&drawn(pung, "E")), 1);
    // All four are in the kong, so no tile is left that would not win.
    let kong =
        r#"{"seat": "S", "hand": "123456789mP", "melds": [{"open": true, "tiles": "5555t"}]}"#;
    assert_eq!(points(&drawn(kong, "E")), 2);
    for (hand, tile) in [("123456789m111tP", "1t"), ("EEEE123456m88sP", "P")] {
        let player = format!(r#"{{"seat": "S", "hand": "{hand}"}}"#);
        let refused = drawn(&player, tile);
        assert_eq!(refused["error"]["code"], "not-a-win", "{refused}");
    }
}

#[test]
fn a_wild_tile_may_win_only_with_any_tile_or_after_a_kong() {
    let only = "any-tile-or-kong";
    let wall = r#"{"tile": "3t", "by": "wall", "flags": []}"#;
    let as_number = r#"{"seat": "S", "hand": "123456789m2tEEP"}"#;
    assert_eq!(points(&drawn("any", as_number, wall)), 1);
    let refused = drawn(only, as_number, wall);
    assert_eq!(refused["error"]["code"], "not-a-win", "{refused}");
    // No wild tile, a wait for any tile, the replacement of a kong.
    let natural = r#"{"seat": "S", "hand": "123456789m12tEE"}"#;
    assert_eq!(points(&drawn(only, natural, wall)), 1);
    let any_tile = r#"{"seat": "S", "hand": "123456789m123sP"}"#;
    assert_eq!(points(&drawn(only, any_tile, wall)), 2);
    let kong =
        r#"{"seat": "S", "hand": "123456m2tEEP", "melds": [{"open": false, "tiles": "7777m"}]}"#;
    let replacement = r#"{"tile": "3t", "by": "replacement", "flags": ["after-kong"], "quads": 1}"#;
    assert_eq!(points(&drawn(only, kong, replacement)), 2);
}
