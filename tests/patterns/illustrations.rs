//! Every pattern of every ruleset has a hand in which it counts and a hand that narrowly misses it:
//! `tests/patterns/hands/`. Written anew with `PAISHAN_WRITE=1 cargo test --test patterns illustrations`, which keeps the
//! hands that it finds there, and what confirms them.
//!
//! A line has `pattern`, the `option` with which it can count, `request`, `near_miss`, `why_not` (the reasons of the near
//! miss), and `confirmed`: what confirms the first hand, a public case, a golden hand, a row of these tests, or the text
//! of the rule read by hand. A pattern without a hand has `none`, the reason, one without a near miss `no_near_miss`.

use crate::common::patterns::{Row, request};
use crate::{celestial, riichi, traditional, uzje};
use paishan::Rules;
use paishan::illustrate::{self, Switched};
use paishan::lint;
use paishan::protocol::{self, Responder, Value};
use paishan::request::Request;
use paishan::ruleset::{self, Source};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};

fn file(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/patterns/hands/{id}.jsonl"))
}

fn lines(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn value(json: &Json) -> Value {
    serde_json::from_value(json.clone()).unwrap()
}

fn json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap()
}

/// The rules under which a pattern can count.
fn rules_of(rules: &Rules, one: &Switched) -> Rules {
    match &one.option {
        None => rules.clone(),
        Some((name, value)) => rules.clone().with(name, value.clone()).unwrap(),
    }
}

/// A hand that something confirms.
struct Known {
    request: Request,
    source: String,
}

/// The hands with a pattern that cases, golden hands and tests have.
fn known(rules: &Rules, id: &str) -> Vec<Known> {
    let ruleset = rules.plan().id();
    let mut all: Vec<(Json, String)> = Vec::new();
    let has = |list: &Json| {
        let ids = list.as_array().into_iter().flatten();
        ids.map(|one| one["id"].as_str().or(one.as_str()))
            .any(|one| one == Some(id))
    };
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for case in lines(&cases.join(format!("{ruleset}.jsonl"))) {
        let request = &case["request"];
        if request["type"] == "score"
            && request["options"].is_null()
            && has(&case["answer"]["patterns"])
        {
            all.push((
                request.clone(),
                format!("the public case {}", request["id"].as_str().unwrap()),
            ));
        }
    }
    let text = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        Source::text(file, fs::read_to_string(path).unwrap_or_default())
    };
    let golden = format!("tests/golden/{ruleset}.toml");
    let own = format!("rulesets/{ruleset}.toml");
    for file in [golden, own] {
        for example in lint::examples(&text(&file)).unwrap_or_default() {
            let example = json(&example);
            if has(&example["expect"]["patterns"]) {
                let doc = example["doc"].as_str().unwrap_or("an example");
                all.push((example.clone(), format!("{file}: {doc}")));
            }
        }
    }
    let rows: Vec<(&str, Json, Vec<Row>)> = vec![
        ("uzje", uzje::base(), uzje::rows()),
        ("traditional", traditional::base(), traditional::rows()),
        ("celestial", celestial::base(), celestial::rows()),
        ("riichi", riichi::base(), riichi::rows()),
    ];
    for (name, base, rows) in rows {
        if !ruleset.starts_with(name) {
            continue;
        }
        for (_, has, _) in rows.iter().filter(|(of, ..)| *of == id) {
            all.push((request(&base, has), format!("tests/patterns/{name}.rs")));
        }
    }
    let read = |(request, source): (Json, String)| {
        let Json::Object(mut members) = request else {
            return None;
        };
        for name in ["id", "type", "ruleset", "options", "doc", "expect"] {
            members.remove(name);
        }
        let request = protocol::read_score(rules.plan(), &value(&members.into())).ok()?;
        Some(Known { request, source })
    };
    all.into_iter().filter_map(read).collect()
}

/// The line of a pattern. `before` is the one that the file has.
fn line(rules: &Rules, one: &Switched, before: Option<&Json>) -> Json {
    let rules = rules_of(rules, one);
    let plan = rules.plan();
    let mut line = json!({ "pattern": one.id });
    if let Some((name, value)) = &one.option {
        line["option"] = json!({ name: value });
    }
    let known = known(&rules, &one.id);
    let mut requests: Vec<Request> = known.iter().map(|one| one.request.clone()).collect();
    let kept = before.filter(|before| before["request"].is_object());
    let kept = kept.map(|before| protocol::read_score(plan, &value(&before["request"])).unwrap());
    requests.extend(kept.clone());
    let Some(found) = illustrate::pattern(&rules, &one.id, &requests) else {
        let reason = before.and_then(|before| before["none"].as_str());
        line["none"] = reason.unwrap_or("TODO").into();
        return line;
    };
    line["request"] = json(&protocol::score_request(plan, &found.request));
    if let Some(near_miss) = found.near_miss {
        line["near_miss"] = json(&protocol::score_request(plan, &near_miss.request));
        line["why_not"] = near_miss.why_not.into();
    } else {
        line["no_near_miss"] =
            "no complete hand that differs in one group, tile, meld or circumstance lacks it"
                .into();
    }
    let source = known.iter().find(|one| one.request == found.request);
    let is_kept = kept.as_ref() == Some(&found.request);
    let said = before
        .filter(|_| is_kept)
        .and_then(|before| before["confirmed"].as_str());
    let confirmed = source.map(|one| one.source.as_str()).or(said);
    line["confirmed"] = confirmed.map_or(Json::Null, Json::from);
    line
}

/// The answer to a request of a line.
fn answer(responder: &mut Responder, rules: &Rules, line: &Json, name: &str) -> Json {
    let mut request = line[name].clone();
    request["type"] = "score".into();
    request["ruleset"] = rules.plan().id().into();
    request["why_not"] = json!([line["pattern"]]);
    if line["option"].is_object() {
        request["options"] = line["option"].clone();
    }
    serde_json::to_value(responder.answer(&value(&request))).unwrap()
}

fn check(responder: &mut Responder, rules: &Rules, line: &Json) {
    let id = line["pattern"].as_str().unwrap();
    let at = format!("{} {id}", rules.plan().id());
    if line["none"].is_string() {
        assert_ne!(line["none"], "TODO", "{at}");
        return;
    }
    let counts = |answer: &Json| {
        let list = answer["patterns"]
            .as_array()
            .unwrap_or_else(|| panic!("{at}: {answer}"));
        list.iter().any(|one| one["id"] == id)
    };
    let has = answer(responder, rules, line, "request");
    assert!(has["ok"] == true && counts(&has), "{at}: {has}");
    assert_eq!(has["why_not"][id], json!([]), "{at}");
    assert!(line["confirmed"].is_string(), "{at}: nothing confirms it");
    if line["near_miss"].is_null() {
        assert!(line["no_near_miss"].is_string(), "{at}: no near miss");
        return;
    }
    let misses = answer(responder, rules, line, "near_miss");
    assert!(!counts(&misses), "{at}: {misses}");
    assert!(
        misses["ok"] == true || misses["error"]["code"] == "below-minimum",
        "{at}: {misses}"
    );
    if misses["ok"] == true {
        assert_eq!(misses["why_not"][id], line["why_not"], "{at}");
    }
    assert_ne!(line["why_not"], json!([]), "{at}");
}

#[test]
fn every_pattern_has_a_hand_and_a_near_miss() {
    let only = std::env::var("PAISHAN_ONLY").ok();
    let mut responder = Responder::new();
    for id in ruleset::ids() {
        if only.as_ref().is_some_and(|only| only != id) {
            continue;
        }
        let rules = Rules::by_id(id).unwrap();
        let (path, all) = (file(id), illustrate::patterns(&rules));
        let before = lines(&path);
        if std::env::var_os("PAISHAN_WRITE").is_some() {
            let of = |one: &Switched| before.iter().find(|line| line["pattern"] == one.id);
            let text: String = all
                .iter()
                .map(|one| format!("{}\n", line(&rules, one, of(one))))
                .collect();
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            continue;
        }
        let ids: Vec<&str> = before
            .iter()
            .map(|line| line["pattern"].as_str().unwrap())
            .collect();
        let want: Vec<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, want, "{id}");
        for line in &before {
            check(&mut responder, &rules, line);
        }
    }
}
