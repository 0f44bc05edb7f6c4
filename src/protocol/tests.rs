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
