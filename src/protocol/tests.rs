use super::*;

fn ask(text: &str) -> String {
    let answer = match serde_json::from_str(text) {
        Ok(value) => answer(&value),
        Err(error) => bad_json(&error.to_string()),
    };
    serde_json::to_string(&answer).unwrap()
}

fn code(text: &str) -> String {
    let answer: serde_json::Value = serde_json::from_str(&ask(text)).unwrap();
    answer["error"]["code"].as_str().unwrap_or("ok").to_owned()
}

#[test]
fn faults_are_found_in_the_order_of_the_spec() {
    for (want, text) in [
        ("bad-json", "{"),
        ("bad-request", "[]"),
        ("bad-request", "3"),
        ("bad-request", r#"{"type": "nothing", "ruleset": "x"}"#),
        ("bad-request", r#"{"type": "parse"}"#),
        (
            "unknown-ruleset",
            r#"{"type": "parse", "ruleset": "x", "options": 3}"#,
        ),
        (
            "bad-request",
            r#"{"type": "parse", "ruleset": "woo", "options": 3}"#,
        ),
        (
            "unknown-option",
            r#"{"type": "parse", "ruleset": "woo", "options": {"cap": [], "x": 1}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "parse", "ruleset": "woo", "options": {"cap": []}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "parse", "ruleset": "woo", "options": {"cap": 1.5}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "parse", "ruleset": "woo", "tiles": 3}"#,
        ),
        (
            "bad-request",
            r#"{"type": "parse", "ruleset": "woo", "tiles": "E", "notation": "x"}"#,
        ),
        (
            "bad-tile",
            r#"{"type": "parse", "ruleset": "woo", "tiles": "1"}"#,
        ),
        (
            "tile-not-in-set",
            r#"{"type": "parse", "ruleset": "woo", "tiles": "Rs"}"#,
        ),
        (
            "bad-request",
            r#"{"type": "decompose", "ruleset": "woo", "hand": "11sh"}"#,
        ),
        (
            "too-many-copies",
            r#"{"type": "decompose", "ruleset": "woo", "hand": "11111s"}"#,
        ),
        (
            "wrong-tile-count",
            r#"{"type": "decompose", "ruleset": "woo", "hand": "1111s"}"#,
        ),
        (
            "wrong-tile-count",
            r#"{"type": "distance", "ruleset": "woo", "hand": "111s"}"#,
        ),
        (
            "wrong-tile-count",
            r#"{"type": "distance", "ruleset": "woo", "hand": ""}"#,
        ),
        (
            "wrong-tile-count",
            r#"{"type": "decompose", "ruleset": "woo", "hand": "11s", "melds": [{"tiles": "CCC", "open": true}]}"#,
        ),
        (
            "bad-request",
            r#"{"type": "decompose", "ruleset": "woo", "hand": "11s", "melds": [{"tiles": "CCC"}]}"#,
        ),
        (
            "bad-meld",
            r#"{"type": "decompose", "ruleset": "woo", "hand": "11s", "melds": [{"tiles": "CCh", "open": true}]}"#,
        ),
        ("bad-request", r#"{"type": "score", "ruleset": "woo"}"#),
        (
            "bad-request",
            r#"{"type": "score", "ruleset": "woo", "player": {"seat": "E", "hand": "1"}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "score", "ruleset": "woo", "player": {"seat": "5", "hand": "1"}, "win": null}"#,
        ),
        (
            "bad-tile",
            r#"{"type": "score", "ruleset": "woo", "player": {"seat": "E", "hand": "E", "flowers": "E"}, "win": null}"#,
        ),
        (
            "wrong-tile-count",
            r#"{"type": "score", "ruleset": "woo", "player": {"seat": "E", "hand": "E"}, "win": null}"#,
        ),
        (
            "bad-request",
            r#"{"type": "score", "ruleset": "woo", "round": "X", "player": {"seat": "E", "hand": "E"}, "win": null}"#,
        ),
    ] {
        assert_eq!(code(text), want, "{text}");
    }
}

#[test]
fn first_draw_is_refused_beside_a_kong() {
    let text = r#"{"type": "score", "ruleset": "woo", "player": {"seat": "E", "hand": "123t456s55m67s",
        "melds": [{"tiles": "CCCC", "open": false}]},
        "win": {"tile": "8s", "by": "wall", "flags": ["first-draw"]}}"#;
    assert_eq!(code(text), "bad-request");
    let text = text.replace(r#"["first-draw"]"#, "[]");
    assert_eq!(code(&text), "ok");
}

#[test]
fn ids_come_back_as_they_are() {
    let tail = r#""type": "parse", "ruleset": "woo", "tiles": "E"}"#;
    assert!(ask(&format!(r#"{{"id": 7, {tail}"#)).starts_with(r#"{"id":7,"ok":true"#));
    assert!(ask(&format!(r#"{{"id": "7", {tail}"#)).starts_with(r#"{"id":"7","ok":true"#));
    assert!(ask(&format!(r#"{{"id": [], {tail}"#)).starts_with(r#"{"id":null,"ok":true"#));
}

#[test]
fn a_responder_keeps_rulesets_apart_by_options() {
    let mut responder = Responder::new();
    for flowers in [0, 1, 2, 0, 1, 2] {
        let text = format!(
            r#"{{"type": "parse", "ruleset": "woo", "tiles": "o", "options": {{"flowers": {flowers}}}}}"#
        );
        let answer = responder.answer(&serde_json::from_str(&text).unwrap());
        assert_eq!(answer.ok, flowers == 2);
    }
    assert_eq!(responder.rulesets.len(), 3);
}

/// Of several wins that fail, one that is none goes before one that is not worth enough; and one
/// tile may be written in two ways.
#[test]
fn several_wins_are_judged_together() {
    let settle = |east: &str, west: &str, tiles: [&str; 2]| {
        format!(
            r#"{{"type": "settle", "ruleset": "uzje", "round": "E", "options": {{"players": 3}},
            "players": [{{"seat": "E", {east}}}, {{"seat": "S", "hand": "368s368m1ftEECCS"}}, {{"seat": "W", {west}}}],
            "wins": [{{"seat": "E", "tile": "{}", "by": "discard", "from": "S"}},
                     {{"seat": "W", "tile": "{}", "by": "discard", "from": "S"}}]}}"#,
            tiles[0], tiles[1]
        )
    };
    // Complete with a nine, and worth nothing.
    let cheap = r#""hand": "123s45678sWW", "melds": [{"tiles": "999m", "open": true}]"#;
    let none = r#""hand": "2579m1fm1ftSNCFP""#;
    assert_eq!(code(&settle(cheap, none, ["9s", "9s"])), "not-a-win");
    assert_eq!(code(&settle(none, cheap, ["9s", "9s"])), "not-a-win");
    let east = r#""hand": "123s456s12sEE999m""#;
    let west = r#""hand": "12s123456m111mPP""#;
    assert_eq!(code(&settle(east, west, ["Z", "0s"])), "ok");
    assert_eq!(code(&settle(east, west, ["Z", "3s"])), "bad-request");
}

#[test]
fn uzje_requests_are_checked_in_order() {
    let score = |player: &str, win: &str, more: &str| {
        code(&format!(
            r#"{{"type": "score", "ruleset": "uzje", "round": "E", "player": {{"seat": "W", {player}}}, "win": {{"by": "discard", "from": "E", {win}}}{more}}}"#
        ))
    };
    let hand = r#""hand": "123s456s789mEEE5m""#;
    assert_eq!(score(hand, r#""tile": "5m""#, ""), "ok");
    let many = r#", "bonus": "11112222333344445s""#;
    assert_eq!(
        score(r#""hand": "1""#, r#""tile": "5m""#, many),
        "bad-request"
    );
    assert_eq!(
        score(hand, r#""tile": "5m""#, r#", "bonus": "!""#),
        "bad-tile"
    );
    assert_eq!(
        score(hand, r#""tile": "5m", "quads": 1"#, ""),
        "bad-request"
    );
    assert_eq!(score(hand, r#""tile": "R5m""#, ""), "bad-tile");
    assert_eq!(
        score(hand, r#""tile": "h", "by": "robbed-kong""#, ""),
        "not-a-win"
    );
    let text = r#"{"type": "score", "ruleset": "uzje", "player": {"seat": "W", "hand": "1"}, "win": null}"#;
    assert_eq!(code(text), "bad-request");
    let answer = ask(
        r#"{"type": "score", "ruleset": "uzje", "round": "S", "player": {"seat": "W", "hand": "456s789mEEE5m",
        "melds": [{"tiles": "123s", "open": true}]}, "win": {"tile": "5m", "by": "wall"}}"#,
    );
    assert!(
        answer.contains(r#""code":"below-minimum""#)
            && answer
                .contains(r#""fan":1.0,"limits":0,"patterns":[{"id":"self-draw","value":1.0}]"#),
        "{answer}"
    );
}
