//! Rows of a pattern, a hand that has it and one that narrowly has not.

use paishan::Rules;
use paishan::protocol::{Responder, Value};
use serde_json::{Map, Value as Json, json};

/// A pattern, what makes the base a hand that has it, and what makes it one that has not.
pub type Row = (&'static str, Json, Json);

/// The request that a hand stands for: the base with members replaced, `null` ones left out.
pub fn request(base: &Json, change: &Json) -> Json {
    let mut all = base.clone();
    for (name, value) in change.as_object().unwrap() {
        all[name] = value.clone();
    }
    let drawn = matches!(all["by"].as_str(), Some("wall" | "replacement"));
    if drawn && change["from"].is_null() {
        all["from"] = Json::Null;
    }
    let pick = |names: &[&str]| -> Json {
        names
            .iter()
            .filter(|name| !all[**name].is_null())
            .map(|name| ((*name).to_owned(), all[*name].clone()))
            .collect::<Map<_, _>>()
            .into()
    };
    let mut request = pick(&["ruleset", "round", "options", "bonus", "dora", "ura"]);
    request["type"] = "score".into();
    request["player"] = pick(&["seat", "hand", "melds", "flowers"]);
    request["win"] = match &all["tile"] {
        Json::Null => Json::Null,
        _ => pick(&["tile", "by", "from", "flags", "quads"]),
    };
    request
}

/// The answer to a hand.
pub fn answer(responder: &mut Responder, base: &Json, change: &Json) -> Json {
    let text = request(base, change).to_string();
    let value: Value = serde_json::from_str(&text).unwrap();
    let answer = serde_json::to_value(responder.answer(&value)).unwrap();
    let code = answer["error"]["code"].as_str();
    assert!(
        matches!(code, None | Some("below-minimum" | "not-a-win")),
        "{text}: {answer}"
    );
    answer
}

fn patterns(responder: &mut Responder, base: &Json, change: &Json) -> Vec<String> {
    let answer = answer(responder, base, change);
    let list = answer["patterns"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect()
}

pub fn open(tiles: &str) -> Json {
    json!({"tiles": tiles, "open": true})
}

pub fn closed(tiles: &str) -> Json {
    json!({"tiles": tiles, "open": false})
}

/// Every pattern of the ruleset has a row, in its order; its hand has it, the near miss has not.
pub fn check(base: &Json, rows: &[Row]) {
    let mut responder = Responder::new();
    let rules = Rules::by_id(base["ruleset"].as_str().unwrap()).unwrap();
    let patterns_of_rules = rules.plan().score().patterns();
    let ids: Vec<&str> = patterns_of_rules.iter().map(|p| p.id.as_str()).collect();
    let tested: Vec<&str> = rows.iter().map(|(id, ..)| *id).collect();
    assert_eq!(tested, ids);
    for (id, has, misses) in rows {
        let with = patterns(&mut responder, base, has);
        assert!(with.iter().any(|pattern| pattern == id), "{id}: {with:?}");
        let without = patterns(&mut responder, base, misses);
        assert!(
            !without.iter().any(|pattern| pattern == id),
            "{id}: {without:?}"
        );
    }
}
