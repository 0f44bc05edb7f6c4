//! The public cases of `tests/cases/`: requests with the answers that they must get.

use paishan::protocol::{Responder, bad_json};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Compares as the cases ask: any error where one is expected, patterns as a set, every other member of
/// the expected answer exactly.
fn differs(want: &Value, got: &Value) -> Option<String> {
    if want["ok"] == false {
        let is_error = got["ok"] == false && got["error"]["code"].is_string();
        return (!is_error).then(|| format!("error {}, got {got}", want["error"]["code"]));
    }
    for (name, value) in want.as_object()? {
        if !same(name, value, &got[name]) {
            return Some(format!("{name}: want {value}, got {}", got[name]));
        }
    }
    None
}

fn same(name: &str, want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::Array(want), Value::Array(got)) if name == "patterns" => {
            let sorted = |items: &[Value]| {
                let mut rows: Vec<String> = items
                    .iter()
                    .map(|row| format!("{} {}", row["id"], row["value"].as_f64().unwrap_or(0.0)))
                    .collect();
                rows.sort();
                rows
            };
            sorted(want) == sorted(got)
        }
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(w, g)| same("", w, g))
        }
        (Value::Object(want), _) => want.iter().all(|(name, w)| same(name, w, &got[name])),
        (Value::Number(want), Value::Number(got)) => want.as_f64() == got.as_f64(),
        _ => want == got,
    }
}

/// Runs every case of every file in a folder; the number of cases.
fn run(folder: &Path) -> usize {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let mut responder = Responder::new();
    let mut faults = Vec::new();
    let mut cases = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).unwrap();
            let request = match &case["request"] {
                Value::String(raw) => raw.clone(),
                request => request.to_string(),
            };
            let answer = match serde_json::from_str(&request) {
                Ok(request) => responder.answer(&request),
                Err(error) => bad_json(&error.to_string()),
            };
            let answer = serde_json::to_value(&answer).unwrap();
            if let Some(difference) = differs(&case["answer"], &answer) {
                faults.push(format!("{difference}\n  {request}\n  {}", case["why"]));
            }
            cases += 1;
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {cases}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    cases
}

#[test]
fn every_case_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    assert!(run(&folder) >= 759);
}

/// Cases that may not be kept here, such as settlements recorded from other people's games: the folder
/// that `PAISHAN_CASES` names.
#[test]
#[allow(clippy::print_stdout, reason = "says what was not run")]
fn cases_from_elsewhere_hold() {
    match std::env::var("PAISHAN_CASES") {
        Ok(folder) => println!("{} cases of {folder} hold", run(Path::new(&folder))),
        Err(_) => println!("PAISHAN_CASES names no folder: nothing was run"),
    }
}
