//! `rulesets/PRESETS.md` compares the presets of Riichi and agrees with their files. Regenerate it with
//! `PAISHAN_WRITE=1 cargo test --test rules presets`.

use crate::common::{RIICHI_PRESETS, ruleset_with};
use paishan::ruleset::OptionValue;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn shown(value: &OptionValue) -> String {
    serde_json::to_string(value)
        .unwrap()
        .replace('"', "")
        .replace(',', ", ")
}

fn table() -> String {
    let all = ["riichi-mcgill"].into_iter().chain(RIICHI_PRESETS);
    let rules: Vec<_> = all.map(|id| ruleset_with(id, &[])).collect();
    let mut text = "# Presets of Riichi\n\n\
        Generated from the ruleset files in this folder, which cite the source of each value. A preset extends\n\
        `riichi-mcgill` and only sets defaults of options. Rules that no option can express are listed at the top of\n\
        its file. A value that differs from that of `riichi-mcgill` is bold.\n\n"
        .to_owned();
    let titles: Vec<String> = rules
        .iter()
        .map(|rules| format!("{} ({})", rules.plan().id(), rules.plan().version()))
        .collect();
    writeln!(text, "| option | {} |", titles.join(" | ")).unwrap();
    writeln!(text, "| --- |{}", " --- |".repeat(rules.len())).unwrap();
    for (spec, own) in rules[0].plan().options().iter() {
        let cells: Vec<String> = rules
            .iter()
            .map(|rules| rules.plan().options().get(&spec.name).unwrap())
            .map(|value| match value == own {
                true => shown(value),
                false => format!("**{}**", shown(value)),
            })
            .collect();
        writeln!(text, "| `{}` | {} |", spec.name, cells.join(" | ")).unwrap();
    }
    text.push_str("\n## What the options say\n\n");
    for (spec, _) in rules[0].plan().options().iter() {
        writeln!(text, "- `{}`: {}", spec.name, spec.doc).unwrap();
    }
    text
}

#[test]
fn the_table_of_presets_is_what_their_files_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/PRESETS.md");
    let table = table();
    if env::var_os("PAISHAN_WRITE").is_some() {
        fs::write(&path, &table).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written, table,
        "write it anew with PAISHAN_WRITE=1 cargo test --test rules presets"
    );
}

/// Every line of a preset that sets something says where that is from.
#[test]
fn presets_set_options_alone_and_name_their_sources() {
    for id in &RIICHI_PRESETS {
        let text = paishan::ruleset::text(id).unwrap();
        let rules = ruleset_with(id, &[]);
        let own = ruleset_with("riichi-mcgill", &[]);
        let mut set = 0;
        for section in text.split("\n[").skip(1) {
            let (name, body) = section.split_once("]\n").unwrap();
            if name == "[examples]" {
                continue;
            }
            if name == "ruleset" {
                assert!(body.contains("extends = \"riichi-mcgill\""), "{id}");
                continue;
            }
            let option = name
                .strip_prefix("options.")
                .unwrap_or_else(|| panic!("{id}: [{name}]"));
            let keys: Vec<&str> = body
                .lines()
                .filter_map(|line| line.split_once(" = ").map(|(key, _)| key))
                .filter(|key| *key != "accept")
                .collect();
            assert_eq!(keys, ["default", "src"], "{id}: {option}");
            let (ours, theirs) = (
                own.plan().options().get(option),
                rules.plan().options().get(option),
            );
            assert_ne!(ours, theirs, "{id}: {option} is set to what it is");
            set += 1;
        }
        assert!(set > 10, "{id}");
    }
}
