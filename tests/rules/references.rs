//! What the built-in rulesets were checked against: `rulesets/GAMES.md`, the table of README.md and that of
//! `benches/BASELINE.md`. The figures of runs are in `benches/references.json`, all others are counted here. Regenerate with
//! `PAISHAN_WRITE=1 cargo test --test rules references`.

use crate::generated::compare;
use crate::layers::mentions;
use paishan::Rules;
use paishan::ruleset::{self, OptionType};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

fn file(name: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).ok()
}

fn figures(of: &str) -> Vec<Value> {
    let text = file("benches/references.json").unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all[of].as_array().unwrap().clone()
}

fn text<'a>(of: &'a Value, member: &str) -> &'a str {
    of[member].as_str().unwrap_or_default()
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|text| text.as_str().unwrap()).collect()
}

/// A number with commas.
fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

/// How much was compared. Empty where nobody counted.
fn compared(check: &Value) -> String {
    let more = check["more"].as_str();
    let Some(count) = check["count"].as_u64() else {
        return "–".to_owned();
    };
    let all = format!("{} {}", grouped(count), text(check, "unit"));
    match more {
        Some(more) => format!("{all}, {more}"),
        None => all,
    }
}

fn differences(check: &Value) -> String {
    let Some(count) = check["differences"].as_u64() else {
        return "–".to_owned();
    };
    match check["reasons"].as_str() {
        Some(reasons) => format!("{}: {reasons}", grouped(count)),
        None => count.to_string(),
    }
}

/// A ruleset with what is counted in files.
struct Game {
    id: &'static str,
    lines: usize,
    rust: usize,
    /// Public cases of its document, and golden hands.
    cases: usize,
    golden: usize,
}

fn games() -> Vec<Game> {
    let ids: Vec<&str> = ruleset::ids().collect();
    let rust = mentions(&ids);
    let game = |(id, rust): (&'static str, usize)| {
        let hands =
            |name: String| file(&name).map_or(0, |text| text.matches("[[examples]]").count());
        let cases = file(&format!("tests/cases/{id}.jsonl")).unwrap_or_default();
        Game {
            id,
            lines: ruleset::text(id).unwrap().lines().count(),
            rust,
            cases: cases.lines().filter(|line| !line.trim().is_empty()).count(),
            golden: hands(format!("rulesets/{id}.toml")) + hands(format!("tests/golden/{id}.toml")),
        }
    };
    ruleset::ids().zip(rust).map(game).collect()
}

fn rules(id: &str) -> Rules {
    Rules::by_id(id).unwrap()
}

/// The numbers of players of a ruleset.
fn players(id: &str) -> String {
    let rules = rules(id);
    let options = rules.plan().options();
    let spec = options.iter().find(|(spec, _)| spec.name == "players");
    match spec.map(|(spec, _)| &spec.kind) {
        Some(OptionType::Int { min, max, .. }) => format!("{min}–{max}"),
        _ => rules.plan().players().to_string(),
    }
}

/// Joins texts, with one in the place of several that are alike.
fn joined(texts: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = texts.collect();
    all.dedup();
    all.join("; ")
}

fn is_of(check: &Value, ids: &[&str]) -> bool {
    texts(&check["rulesets"]).iter().any(|id| ids.contains(id))
}

#[test]
fn every_game_and_reference_is_listed() {
    let games = games();
    let checks = figures("checks");
    let mut table = String::from(
        "| id | game | players | lines | Rust | golden hands | cases | checks |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for game in &games {
        let numbers = (1..).zip(&checks);
        let own = numbers.filter(|(_, check)| is_of(check, &[game.id]));
        let own: Vec<String> = own.map(|(number, _)| number.to_string()).collect();
        let Game {
            id,
            lines,
            rust,
            golden,
            cases,
            ..
        } = game;
        let or_none = |count: usize| {
            if count == 0 {
                "–".to_owned()
            } else {
                count.to_string()
            }
        };
        let (name, golden, cases) = (
            rules(id).plan().name().to_owned(),
            or_none(*golden),
            or_none(*cases),
        );
        let own = if own.is_empty() {
            "–".to_owned()
        } else {
            own.join(", ")
        };
        let players = players(id);
        writeln!(
            table,
            "| `{id}` | {name} | {players} | {lines} | {rust} | {golden} | {cases} | {own} |"
        )
        .unwrap();
    }
    table.push_str(
        "\n| check | reference | rulesets | compared | how much | differences |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for (number, check) in (1..).zip(&checks) {
        let ids: Vec<String> = texts(&check["rulesets"])
            .iter()
            .map(|id| format!("`{id}`"))
            .collect();
        let reference = match check["where"].as_str() {
            Some(place) => format!("{} (`{place}`)", text(check, "reference")),
            None => text(check, "reference").to_owned(),
        };
        let (ids, what) = (ids.join(" "), text(check, "compared"));
        let (count, differences) = (compared(check), differences(check));
        writeln!(
            table,
            "| {number} | {reference} | {ids} | {what} | {count} | {differences} |"
        )
        .unwrap();
    }
    compare("rulesets/GAMES.md", "references", &table);
}

#[test]
fn the_readme_has_a_row_for_each_group_of_games() {
    let games = games();
    let of = |id: &str| games.iter().find(|game| game.id == id).unwrap();
    let checks = figures("checks");
    let mut table = String::from(
        "| id | game | players | special | lines | Rust | checked: how much (differences) |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut listed = Vec::new();
    for group in figures("groups") {
        let ids = texts(&group["ids"]);
        listed.extend(ids.iter().map(|id| (*id).to_owned()));
        let shown: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
        let own = ids.iter().map(|id| of(id));
        let cases: usize = own.clone().map(|game| game.cases).sum();
        let golden: usize = own.clone().map(|game| game.golden).sum();
        let lines: Vec<String> = own.clone().map(|game| game.lines.to_string()).collect();
        let rust: usize = own.map(|game| game.rust).sum();
        let mut checked = Vec::new();
        checked.extend((cases > 0).then(|| format!("cases of its document {cases} (0)")));
        checked.extend((golden > 0).then(|| format!("golden hands {golden} (0)")));
        for check in checks.iter().filter(|check| is_of(check, &ids)) {
            let name = text(check, "name");
            checked.push(
                match (check["count"].as_u64(), check["differences"].as_u64()) {
                    (Some(count), Some(differences)) => {
                        format!("{name} {} ({})", grouped(count), grouped(differences))
                    }
                    _ => name.to_owned(),
                },
            );
        }
        let players = joined(ids.iter().map(|id| players(id)));
        let (ids, lines, checked) = (shown.join(" "), lines.join(" "), checked.join(", "));
        let (game, special) = (text(&group, "game"), text(&group, "special"));
        writeln!(
            table,
            "| {ids} | {game} | {players} | {special} | {lines} | {rust} | {checked} |"
        )
        .unwrap();
    }
    listed.sort();
    assert_eq!(listed, ruleset::ids().collect::<Vec<_>>());
    compare("README.md", "references", &table);
    let text = file("README.md").unwrap();
    assert!(text.lines().count() <= 150, "{}", text.lines().count());
}

#[test]
fn the_baseline_has_the_figures_of_outside_references() {
    let mut table = String::from(
        "| script | reference | compared | how much | differences |\n| --- | --- | --- | --- | --- |\n",
    );
    for check in figures("checks")
        .iter()
        .filter(|check| check["outside"] == true)
    {
        let (script, reference) = (text(check, "where"), text(check, "reference"));
        assert!(
            file(&format!("benches/peers/{script}")).is_some(),
            "{script}"
        );
        let (what, count, differences) =
            (text(check, "compared"), compared(check), differences(check));
        writeln!(
            table,
            "| `{script}` | {reference} | {what} | {count} | {differences} |"
        )
        .unwrap();
    }
    compare("benches/BASELINE.md", "references", &table);
}

/// No code names a ruleset.
#[test]
fn no_rust_names_a_game() {
    for Game { id, rust, .. } in games() {
        assert_eq!(rust, 0, "{id}");
    }
}
