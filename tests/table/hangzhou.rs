//! Hangzhou mahjong: which hands with a wild tile win. Source: `rulesets/hangzhou.toml`.

use crate::common::rigged::{points, score};

/// The answer for a hand of South's that wins with a drawn tile.
fn drawn(option: &str, player: &str, win: &str) -> serde_json::Value {
    score(&format!(
        r#"{{"type": "score", "ruleset": "hangzhou", "options": {{"wild-wins": "{option}"}}, "player": {player}, "win": {win}}}"#
    ))
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
