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
            "wrong-tile-count",
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

/// If several wins fail, `not-a-win` takes precedence over `below-minimum`. One tile may be written in two ways.
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
    // The nine completes this hand, but it is worth too little.
    let cheap = r#""hand": "123s45678sWW", "melds": [{"tiles": "999m", "open": true}]"#;
    let none = r#""hand": "2579m1fm1ftSNCFP""#;
    assert_eq!(code(&settle(cheap, none, ["9s", "9s"])), "not-a-win");
    assert_eq!(code(&settle(none, cheap, ["9s", "9s"])), "not-a-win");
    let east = r#""hand": "123s456s12sEE999m""#;
    let west = r#""hand": "12s123456m111mPP""#;
    assert_eq!(code(&settle(east, west, ["Z", "0s"])), "ok");
    assert_eq!(code(&settle(east, west, ["Z", "3s"])), "bad-request");
}

/// If play goes on after a win, a request settles the wins off one tile.
#[test]
fn deals_that_play_on_are_settled_win_by_win() {
    let settle = |south: &str, wins: &str| {
        ask(&format!(
            r#"{{"type": "settle", "ruleset": "sichuan", "players": [
                {{"seat": "E", "hand": "111999t111888m5t"}},
                {{"seat": "S", "hand": "123456m234678t9t"{south}}},
                {{"seat": "W", "hand": "123456s234678m9m"}},
                {{"seat": "N", "hand": "1122334455667s"}}], "wins": [{wins}]}}"#
        ))
    };
    let south = r#"{"seat": "S", "tile": "9t", "by": "wall"}"#;
    let west = r#"{"seat": "W", "tile": "9m", "by": "discard", "from": "N"}"#;
    let answer = settle("", &format!("{south}, {west}"));
    assert!(answer.contains("settled in a request each"), "{answer}");
    let answer = settle("", "");
    assert!(answer.contains("which no request has"), "{answer}");
    let hands = settle(r#", "out": true"#, west);
    assert!(hands.contains(r#""ok":true"#), "{hands}");
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
    assert_eq!(score(hand, r#""tile": "5m""#, many), "too-many-copies");
    let many = r#", "bonus": "123456789m12345678s""#;
    assert_eq!(score(hand, r#""tile": "5m""#, many), "wrong-tile-count");
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
                .contains(r#""fan":1.0,"limits":0,"limit":false,"worth":1.0,"patterns":[{"id":"self-draw","value":1.0}]"#),
        "{answer}"
    );
}

/// Score requests for the classical rulesets, and the code of each answer.
#[test]
fn flags_that_contradict_the_hand_are_refused() {
    let score = |ruleset: &str, seat: &str, melds: &str, win: &str| {
        let hand = match melds.matches("tiles").count() {
            0 => "123t456t789s23m55m",
            1 => "456t789s23m55m",
            _ => "789s23m55m",
        };
        code(&format!(
            r#"{{"type": "score", "ruleset": "{ruleset}", "round": "E",
                "player": {{"seat": "{seat}", "hand": "{hand}", "melds": [{melds}]}},
                "win": {{"tile": "1m", {win}}}}}"#
        ))
    };
    let open = r#"{"tiles": "777s"}"#;
    let another = r#"{"tiles": "EEE"}"#;
    let closed = r#"{"tiles": "6666s", "open": false}"#;
    let wall = |flags: &str| format!(r#""by": "wall", "flags": [{flags}]"#);
    let loose = |flags: &str| format!(r#""by": "replacement", "flags": [{flags}]"#);
    let discard = |from: &str, flags: &str| format!(r#""by": "discard"{from}, "flags": [{flags}]"#);
    let from_e = r#", "from": "E""#;
    for (want, seat, melds, win) in [
        ("ok", "S", "", wall("")),
        ("ok", "S", "", wall(r#""last-tile""#)),
        ("bad-request", "S", "", loose(r#""last-tile""#)),
        ("ok", "S", "", loose(r#""after-kong""#)),
        ("ok", "S", "", loose("")),
        ("bad-request", "S", "", wall(r#""after-kong""#)),
        (
            "bad-request",
            "S",
            "",
            loose(r#""after-kong", "after-flower""#),
        ),
        (
            "bad-request",
            "S",
            "",
            loose(r#""after-kong", "after-kong""#),
        ),
        ("ok", "S", "", discard("", "")),
        (
            "bad-request",
            "S",
            "",
            r#""by": "wall", "from": "E""#.to_owned(),
        ),
        ("bad-request", "S", "", discard(r#", "from": "S""#, "")),
        ("bad-request", "S", "", discard(r#", "from": "X""#, "")),
        ("bad-request", "S", "", r#""by": "luck""#.to_owned()),
    ] {
        for ruleset in ["traditional", "celestial"] {
            assert_eq!(score(ruleset, seat, melds, &win), want, "{ruleset} {win}");
        }
    }
    let standing = r#""standing""#;
    let first = r#""first-turn""#;
    let dangerous = r#""dangerous-discard""#;
    for (want, seat, melds, win) in [
        ("ok", "S", open, wall(standing)),
        (
            "bad-request",
            "S",
            &format!("{open}, {another}"),
            wall(standing),
        ),
        ("ok", "S", "", discard("", dangerous)),
        ("bad-request", "S", "", wall(dangerous)),
        ("ok", "E", "", wall(first)),
        ("ok", "E", "", loose(r#""first-turn", "after-flower""#)),
        (
            "bad-request",
            "E",
            "",
            loose(r#""first-turn", "after-kong""#),
        ),
        ("bad-request", "E", closed, wall(first)),
        ("bad-request", "E", "", wall(r#""first-turn", "standing""#)),
        ("bad-request", "E", "", wall(r#""first-turn", "last-tile""#)),
        ("bad-request", "E", "", discard("", first)),
        ("bad-request", "S", "", wall(first)),
        ("ok", "S", "", discard("", first)),
        ("ok", "S", "", discard(from_e, first)),
        ("bad-request", "S", "", discard(r#", "from": "N""#, first)),
        (
            "bad-request",
            "S",
            "",
            discard(from_e, r#""first-turn", "dangerous-discard""#),
        ),
    ] {
        assert_eq!(
            score("traditional", seat, melds, &win),
            want,
            "{seat} {melds} {win}"
        );
        // `celestial` knows none of these flags.
        assert_eq!(
            score("celestial", seat, melds, &win),
            "bad-request",
            "{win}"
        );
    }
}

#[test]
fn melds_of_the_classical_games() {
    for (want, meld) in [
        ("ok", r#"{"tiles": "777s"}"#),
        ("ok", r#"{"tiles": "777s", "from": "N"}"#),
        // A run is claimed from the previous seat.
        ("bad-meld", r#"{"tiles": "678s", "from": "N"}"#),
        ("ok", r#"{"tiles": "678s", "from": "E"}"#),
        ("ok", r#"{"tiles": "7777s", "added": true}"#),
        ("ok", r#"{"tiles": "7777s", "open": false}"#),
        (
            "bad-meld",
            r#"{"tiles": "7777s", "open": false, "added": true}"#,
        ),
        ("bad-meld", r#"{"tiles": "777s", "added": true}"#),
        ("bad-meld", r#"{"tiles": "777s", "open": false}"#),
        ("bad-meld", r#"{"tiles": "678s", "open": false}"#),
        ("bad-meld", r#"{"tiles": "77s"}"#),
        ("bad-meld", r#"{"tiles": "777s", "from": "S"}"#),
        ("bad-request", r#"{"tiles": "777s", "open": 1}"#),
        ("bad-meld", r#"{"tiles": "hij"}"#),
        ("bad-request", r#"{"tiles": "777s", "opne": true}"#),
        ("tile-not-in-set", r#"{"tiles": "ZZZ"}"#),
        ("bad-tile", r#"{"tiles": "7y"}"#),
    ] {
        for ruleset in ["traditional", "celestial"] {
            let text = format!(
                r#"{{"type": "score", "ruleset": "{ruleset}", "round": "E",
                    "player": {{"seat": "S", "hand": "456t789t23m55m", "melds": [{meld}]}},
                    "win": {{"tile": "1m", "by": "wall"}}}}"#
            );
            assert_eq!(code(&text), want, "{ruleset} {meld}");
        }
    }
    // The fifth meld is reported before the contradiction, wherever the melds are written.
    let chow = r#"{"tiles": "123t"}"#;
    let open = r#"{"tiles": "777s", "open": true}"#;
    let kong = |kind: char| {
        format!(
            r#"{{"tiles": "{}", "open": false}}"#,
            kind.to_string().repeat(4)
        )
    };
    let melds = [
        kong('C'),
        kong('F'),
        kong('P'),
        open.to_owned(),
        chow.to_owned(),
    ]
    .join(", ");
    let text = format!(
        r#"{{"type": "score", "ruleset": "traditional", "round": "E",
            "player": {{"seat": "S", "hand": "5m", "melds": [{melds}]}},
            "win": {{"tile": "5m", "by": "wall", "flags": ["standing"]}}}}"#
    );
    assert_eq!(code(&text), "wrong-tile-count");
    assert_eq!(code(&text.replace(r#""standing""#, "")), "wrong-tile-count");
}

#[test]
fn a_table_with_a_penalty_a_dead_hand_or_a_fault() {
    let settle = |ruleset: &str, hand: &str, more: &str| {
        format!(
            r#"{{"type": "settle", "ruleset": "{ruleset}", "round": "E", "players": [
                {{"seat": "E", "hand": "{hand}"{}}},
                {{"seat": "S", "hand": "123t456t789s23m55m"}},
                {{"seat": "W", "hand": "369t147s258mESWN"}},
                {{"seat": "N", "hand": "247t258s369mESWC"}}], {more}}}"#,
            if ruleset == "traditional" {
                r#", "dead": true"#
            } else {
                ""
            },
        )
    };
    let win = r#""wins": [{"seat": "S", "tile": "1m", "by": "discard", "from": "W"}]"#;
    let nobody = r#""wins": []"#;
    let penalty = |kind: &str| format!(r#", "penalty": {{"seat": "E", "kind": "{kind}"}}"#);
    let false_win = penalty("false-mahjong");
    for (want, ruleset, hand, more) in [
        ("ok", "traditional", "CCC", win.to_owned()),
        ("too-many-copies", "traditional", "11111t", win.to_owned()),
        // `celestial` has no dead hands, so three tiles are too few.
        ("wrong-tile-count", "celestial", "CCC", win.to_owned()),
        ("ok", "traditional", "", format!("{nobody}{false_win}")),
        (
            "bad-request",
            "traditional",
            "",
            format!("{win}{false_win}"),
        ),
        (
            "bad-request",
            "traditional",
            "",
            format!("{nobody}{}", penalty("theft")),
        ),
        (
            "bad-request",
            "traditional",
            "",
            format!(r#"{nobody}, "penalty": 3"#),
        ),
        (
            "bad-request",
            "traditional",
            "",
            win.replace(r#", "from": "W""#, ""),
        ),
        (
            "not-a-win",
            "traditional",
            "",
            win.replace(r#""seat": "S""#, r#""seat": "E""#),
        ),
        (
            "bad-request",
            "traditional",
            "",
            r#""wins": [{}, {}]"#.to_owned(),
        ),
        (
            "bad-request",
            "traditional",
            "",
            String::from(r#""round": "E""#),
        ),
    ] {
        assert_eq!(
            code(&settle(ruleset, hand, &more)),
            want,
            "{ruleset} {more}"
        );
    }
    let answer: serde_json::Value =
        serde_json::from_str(&ask(&settle("traditional", "CCC", win))).unwrap();
    assert_eq!(answer["scores"][0]["points"], 0);
    assert_eq!(answer["scores"][0]["arrangement"], serde_json::json!([]));
    assert_eq!(
        answer["payments"][0],
        serde_json::json!({"from": "E", "to": "S", "points": 60,
            "why": "E pays S 60: S wins with 30, × 2 for the dealer"})
    );
}

/// A misspelt member is rejected, and so is a member that the ruleset does not have.
#[test]
fn unknown_members_are_named() {
    let score = |ruleset: &str, player: &str, win: &str, more: &str| {
        ask(&format!(
            r#"{{"type": "score", "ruleset": "{ruleset}", "round": "E",
                "player": {{"seat": "S", "hand": "123t456t789s23m55m"{player}}},
                "win": {{"tile": "1m", "by": "wall"{win}}}{more}}}"#
        ))
    };
    assert!(score("traditional", "", "", "").contains(r#""ok":true"#));
    for (ruleset, player, win, more, name) in [
        ("traditional", r#", "flower": "h""#, "", "", "flower"),
        ("celestial", r#", "dead": true"#, "", "", "dead"),
        ("traditional", "", r#", "flag": ["last-tile"]"#, "", "flag"),
        ("traditional", "", r#", "seat": "S""#, "", "seat"),
        ("traditional", "", r#", "quads": 1"#, "", "quads"),
        ("traditional", "", "", r#", "dora": """#, "dora"),
        ("traditional", "", "", r#", "honba": 0"#, "honba"),
        ("traditional", "", "", r#", "penalty": null"#, "penalty"),
        ("traditional", "", "", r#", "players": []"#, "players"),
    ] {
        let answer = score(ruleset, player, win, more);
        let named = answer.contains(&format!("no member `{name}`"));
        assert!(named && answer.contains("bad-request"), "{answer}");
    }
    let hint = score("traditional", r#", "flower": "h""#, "", "");
    assert!(hint.contains("did you mean `flowers`?"), "{hint}");
}

/// The defaults of `open` and `from`, for every ruleset with wins off discards.
#[test]
fn requests_are_read_in_one_way() {
    for id in crate::ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        if !rules.plan().ways().contains(&crate::state::Way::Discard) {
            continue;
        }
        let score = |meld: &str, win: &str| {
            code(&format!(
                r#"{{"type": "score", "ruleset": "{id}", "round": "E",
                    "player": {{"seat": "S", "hand": "123s456s789s5t", "melds": [{{"tiles": "777t"{meld}}}]}},
                    "win": {{"tile": "5t", {win}}}}}"#
            ))
        };
        let discard = r#""by": "discard""#;
        let as_given = score(r#", "open": true"#, discard);
        assert_eq!(score("", discard), as_given, "{id}");
        let named = score("", r#""by": "discard", "from": "E""#);
        if ["tile-not-in-set", "wrong-tile-count"].contains(&&*as_given) {
            continue;
        }
        assert!(
            !["bad-request", "bad-meld"].contains(&&*as_given),
            "{id}: {as_given}"
        );
        assert_eq!(named, as_given, "{id}");
        assert_eq!(
            score("", r#""by": "wall", "from": "E""#),
            "bad-request",
            "{id}"
        );
    }
}

#[test]
fn distances_leave_out_waits_that_the_rules_refuse() {
    let ask = |ruleset: &str, hand: &str| {
        let request =
            format!(r#"{{"type": "distance", "ruleset": "{ruleset}", "hand": "{hand}"}}"#);
        let answer: serde_json::Value = serde_json::from_str(&ask(&request)).unwrap();
        (answer["distance"].clone(), answer["accepts"].clone())
    };
    // In `changsha` the eye must be 2, 5 or 8 unless the hand is a big one.
    let accepts = |kinds: &[&str]| serde_json::json!(kinds);
    assert_eq!(
        ask("changsha", "123t456t789s23m55m"),
        (0.into(), accepts(&["1m", "4m"]))
    );
    assert_eq!(
        ask("changsha", "123t456t789s23m66m"),
        (1.into(), accepts(&["2m", "6m"]))
    );
    // Of a shorter hand the requirements of whole hands are not asked.
    assert_eq!(
        ask("changsha", "789s23m66m"),
        (0.into(), accepts(&["1m", "4m"]))
    );
    // A complete hand that is refused is no win either.
    assert_eq!(ask("changsha", "123t456t789s123m55m").0, -1);
    assert_eq!(ask("changsha", "123t456t789s123m66m").0, 1);
}

/// The requests of the documentation get its answers, one after another.
#[test]
fn the_documentation_answers_as_it_says() {
    let text = include_str!("interface.md");
    let blocks = text.split("```json\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
    let lines: Vec<&str> = lines.collect();
    let mut responder = Responder::new();
    let is_answer = |line: &str| line.contains("\"ok\":");
    let mut asked = 0;
    for pair in lines
        .windows(2)
        .filter(|pair| !is_answer(pair[0]) && is_answer(pair[1]))
    {
        let request = serde_json::from_str(pair[0]).unwrap();
        let answer = serde_json::to_string(&responder.answer(&request)).unwrap();
        assert_eq!(answer, pair[1], "{}", pair[0]);
        asked += 1;
    }
    assert!(asked > 20, "{asked}");
}

fn talk(responder: &mut Responder, text: &str) -> serde_json::Value {
    let request = serde_json::from_str(text).unwrap();
    serde_json::to_value(responder.answer(&request)).unwrap()
}

/// A table is saved, closed and loaded, and goes on as if nothing had happened.
#[test]
fn a_saved_table_goes_on() {
    let mut responder = Responder::with_seed(3);
    let opened = talk(
        &mut responder,
        r#"{"type": "new", "ruleset": "uzje", "options": {"players": 3}}"#,
    );
    assert_eq!(opened["waiting"][0]["seat"], "E");
    let (mut views, mut saved) = (Vec::new(), Vec::new());
    for _ in 0..30 {
        views.push(talk(&mut responder, r#"{"type": "view", "table": "1"}"#)["view"].clone());
        saved.push(talk(&mut responder, r#"{"type": "save", "table": "1"}"#)["saved"].clone());
        let hint = talk(&mut responder, r#"{"type": "hint", "table": "1"}"#);
        let act = format!(
            r#"{{"type": "act", "table": "1", "action": {}}}"#,
            hint["action"]
        );
        assert_eq!(talk(&mut responder, &act)["ok"], true, "{hint}");
    }
    for (view, saved) in views.iter().zip(&saved) {
        let load = format!(r#"{{"type": "load", "table": "again", "saved": {saved}}}"#);
        assert_eq!(talk(&mut responder, &load)["ok"], true, "{load}");
        let again = talk(&mut responder, r#"{"type": "view", "table": "again"}"#);
        assert_eq!(again["view"], *view);
        assert_eq!(
            talk(&mut responder, r#"{"type": "close", "table": "again"}"#)["ok"],
            true
        );
    }
    // A seat that nobody has, a decision that was not legal, other rules.
    let nobody = saved[20].to_string().replacen("\"E ", "\"6 ", 1);
    let load = format!(r#"{{"type": "load", "saved": {nobody}}}"#);
    assert_eq!(talk(&mut responder, &load)["error"]["code"], "bad-request");
    let forged = saved[20].to_string().replace("dahai", "reach");
    let other = saved[20]
        .to_string()
        .replace("\"players\":3", "\"players\":4");
    for bad in [forged, other] {
        let answer = talk(
            &mut responder,
            &format!(r#"{{"type": "load", "saved": {bad}}}"#),
        );
        assert_eq!(answer["error"]["code"], "bad-request", "{answer}");
    }
}

#[test]
fn hints_say_why_when_asked() {
    let mut responder = Responder::with_seed(4);
    talk(&mut responder, r#"{"type": "new", "ruleset": "woo"}"#);
    let mut estimated = 0;
    for _ in 0..12 {
        let plain = talk(&mut responder, r#"{"type": "hint", "table": "1"}"#);
        let mut why = talk(
            &mut responder,
            r#"{"type": "hint", "table": "1", "reasons": true}"#,
        );
        let weighed = why.as_object_mut().unwrap().remove("weighed").unwrap();
        assert_eq!(why, plain, "reasons change the hint");
        for one in weighed.as_array().unwrap() {
            let best = weighed.as_array().unwrap().iter();
            let worth = |one: &serde_json::Value| one["worth"].as_f64();
            if one["action"] == plain["action"] && worth(one).is_some() {
                assert!(
                    best.map(worth).all(|other| other <= worth(one)),
                    "{weighed}"
                );
                estimated += 1;
            }
            for goal in one["goals"].as_array().unwrap() {
                let [accepts, left] =
                    ["accepts", "left"].map(|name| goal[name].as_array().unwrap());
                assert_eq!(accepts.len(), left.len(), "{goal}");
            }
        }
        let act = format!(
            r#"{{"type": "act", "table": "1", "action": {}}}"#,
            plain["action"]
        );
        assert_eq!(talk(&mut responder, &act)["ok"], true);
    }
    assert!(estimated > 6, "{estimated}");
    let wrong = r#"{"type": "hint", "table": "1", "reasons": 1}"#;
    assert_eq!(talk(&mut responder, wrong)["ok"], false);
}

/// A deal that ends is told with the decision that ended it, its wins explained.
#[test]
fn deals_that_end_are_told() {
    let mut responder = Responder::with_seed(8);
    let mut answer = talk(
        &mut responder,
        r#"{"type": "new", "ruleset": "riichi-tenhou"}"#,
    );
    let (mut deals, mut wins) = (0, 0);
    while answer["over"] == false && deals < 6 {
        let hint = talk(
            &mut responder,
            r#"{"type": "hint", "table": "1", "agent": "greedy"}"#,
        );
        let act = format!(
            r#"{{"type": "act", "table": "1", "action": {}}}"#,
            hint["action"]
        );
        answer = talk(&mut responder, &act);
        for ended in answer["ended"].as_array().into_iter().flatten() {
            deals += 1;
            let deltas = ended["deltas"].as_array().unwrap().iter();
            let taken: i64 = deltas.map(|delta| delta.as_i64().unwrap()).sum();
            assert!(taken >= 0, "{ended}");
            for win in ended["wins"].as_array().unwrap() {
                let told = &win["explanation"];
                let winner = win["player"].as_u64().unwrap() as usize;
                assert!(
                    ended["deltas"][winner].as_i64() >= told["points"].as_i64(),
                    "{ended}"
                );
                assert_eq!(told["wins"], true);
                wins += 1;
            }
        }
    }
    assert!(deals > 3 && wins > 1, "{deals} {wins}");
    // Bots alone play to the end, which tells of the last deal.
    let bots = r#"{"type": "new", "ruleset": "two-player", "seats": ["greedy", "greedy"]}"#;
    let over = talk(&mut responder, bots);
    let last = over["ended"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&over["over"], &over["deal"]),
        (&true.into(), &last["deal"])
    );
}

/// Faults of requests about tables, each with the table as it was.
#[test]
fn refused_requests_leave_tables_alone() {
    let mut responder = Responder::with_seed(5);
    let new =
        r#"{"type": "new", "ruleset": "woo", "table": "t", "seats": {"S": "human", "W": "human"}}"#;
    let dealer = talk(&mut responder, new)["dealer"].clone();
    let of_a_bot =
        format!(r#"{{"type": "act", "table": "t", "player": {dealer}, "action": "none"}}"#);
    let view = |responder: &mut Responder| {
        talk(responder, r#"{"type": "view", "table": "t", "player": 1}"#)
    };
    let before = (
        view(&mut responder),
        talk(&mut responder, r#"{"type": "save", "table": "t"}"#),
    );
    for (code, text) in [
        ("bad-request", new),
        ("bad-request", r#"{"type": "new"}"#),
        (
            "unknown-ruleset",
            r#"{"type": "new", "ruleset": "nothing"}"#,
        ),
        (
            "unknown-option",
            r#"{"type": "new", "ruleset": "woo", "options": {"capp": 1}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "new", "ruleset": "woo", "seats": ["human"]}"#,
        ),
        (
            "bad-request",
            r#"{"type": "new", "ruleset": "woo", "seats": {"5": "human"}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "new", "ruleset": "woo", "seats": {"E": "nobody"}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "new", "ruleset": "woo", "seed": -1}"#,
        ),
        (
            "bad-request",
            r#"{"type": "new", "ruleset": "woo", "sead": 1}"#,
        ),
        ("bad-request", r#"{"type": "view", "table": "t"}"#),
        ("bad-request", r#"{"type": "view", "table": 1}"#),
        ("bad-request", r#"{"type": "view"}"#),
        (
            "bad-request",
            r#"{"type": "view", "table": "t", "player": 4}"#,
        ),
        (
            "bad-request",
            r#"{"type": "view", "table": "t", "player": "S"}"#,
        ),
        ("no-such-table", r#"{"type": "view", "table": "u"}"#),
        ("no-such-table", r#"{"type": "close", "table": "u"}"#),
        ("no-such-table", r#"{"type": "fork", "table": "u"}"#),
        ("not-asked", &of_a_bot),
        (
            "bad-request",
            r#"{"type": "act", "table": "t", "player": 1}"#,
        ),
        (
            "bad-request",
            r#"{"type": "act", "table": "t", "player": 1, "action": "dance"}"#,
        ),
        ("bad-request", r#"{"type": "undo", "table": "t"}"#),
        (
            "bad-request",
            r#"{"type": "fork", "table": "t", "as": "t"}"#,
        ),
        (
            "bad-request",
            r#"{"type": "load", "table": "x", "saved": {}}"#,
        ),
        (
            "bad-request",
            r#"{"type": "log", "table": "t", "from": -1}"#,
        ),
        (
            "bad-request",
            r#"{"type": "log", "table": "t", "notation": "kanji"}"#,
        ),
        ("bad-request", r#"{"type": "rules", "rules": "[ruleset]"}"#),
    ] {
        assert_eq!(talk(&mut responder, text)["error"]["code"], code, "{text}");
    }
    let after = (
        view(&mut responder),
        talk(&mut responder, r#"{"type": "save", "table": "t"}"#),
    );
    assert_eq!(before, after);
    // Without a seed of its own a responder cannot deal.
    let refused = talk(
        &mut Responder::new(),
        r#"{"type": "new", "ruleset": "woo"}"#,
    );
    assert_eq!(refused["error"]["message"], "`seed` is missing");
}

/// A ruleset is registered once and then named by its id, in every type of request.
#[test]
fn rules_are_registered_once() {
    let mut responder = Responder::with_seed(5);
    let rules = serde_json::Value::from(
        "[ruleset]\nid = \"house\"\nextends = \"woo\"\n[options.cap]\ndefault = 77\nsrc = \"house\"\n",
    );
    let registered = talk(
        &mut responder,
        &format!(r#"{{"type": "rules", "rules": {rules}}}"#),
    );
    assert_eq!(registered["ruleset"], "house", "{registered}");
    let parsed = talk(
        &mut responder,
        r#"{"type": "parse", "ruleset": "house", "tiles": "1t"}"#,
    );
    assert_eq!(parsed["count"], 1);
    assert_eq!(
        talk(&mut responder, r#"{"type": "new", "ruleset": "house"}"#)["ok"],
        true
    );
    let saved = talk(&mut responder, r#"{"type": "save", "table": "1"}"#);
    assert_eq!(saved["saved"]["rules"], rules);
    let woo = rules.to_string().replace("house", "woo");
    let refused = talk(
        &mut responder,
        &format!(r#"{{"type": "rules", "rules": {woo}}}"#),
    );
    assert_eq!(refused["ok"], false);
}

/// `repair` has goals: patterns, and null for a win. A hand that is worth too little has repairs, too.
#[test]
fn repairs_are_answered_for_each_goal() {
    let mut responder = Responder::new();
    let mut ask = |repair: &str| {
        let text = format!(
            r#"{{"type": "score", "ruleset": "riichi-tenhou", "round": "E", "repair": {repair},
                "player": {{"seat": "S", "hand": "456s678m99s34t", "melds": [{{"tiles": "234m", "from": "E"}}]}},
                "win": {{"tile": "5t", "by": "discard", "from": "E"}}}}"#
        );
        talk(&mut responder, &text)
    };
    let answer = ask(r#"[null, "big-four-winds"]"#);
    assert_eq!(answer["error"]["code"], "below-minimum");
    let repair = &answer["repair"];
    let expected = serde_json::json!([
        {
            "pattern": null,
            "changes": [{
                "change": "undeclared", "from": "234m", "to": null, "meld": 0,
                "words": "234m in the hand, not declared",
            }],
        },
        {"pattern": "big-four-winds", "changes": null},
    ]);
    assert_eq!(*repair, expected, "{answer}");
    for (wrong, message) in [
        (r#"["nothing"]"#, "no pattern `nothing`"),
        (
            r#""pinfu""#,
            "`repair` must be a list of pattern ids and nulls",
        ),
        ("[7]", "`repair` must be a list of pattern ids and nulls"),
    ] {
        let answer = ask(wrong);
        assert_eq!(answer["error"]["code"], "bad-request");
        assert_eq!(answer["error"]["message"], message);
    }
}
