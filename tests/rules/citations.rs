//! What the ruleset files and the docs cite of the rules stands in the rules that ship with the crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, endings, found);
        } else if endings
            .iter()
            .any(|end| path.extension().is_some_and(|ext| ext == *end))
        {
            found.push(path);
        }
    }
}

/// The sections of a rule document by number, such as `8.3`, and the items of their numbered lists, such as `6.3` for
/// the third item of section 6.
fn sections(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut section = String::new();
    for line in text.lines() {
        let word = line.trim_start_matches('#').split_whitespace().next();
        let number = word.unwrap_or_default().trim_end_matches('.');
        if number.is_empty() || !number.chars().all(|c| c.is_ascii_digit() || c == '.') {
            continue;
        }
        if line.starts_with('#') {
            section = number.to_owned();
            found.insert(section.clone());
        } else if word.is_some_and(|word| word.ends_with('.')) {
            found.insert(format!("{section}.{number}"));
        }
    }
    found
}

#[test]
fn every_cited_section_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for (folder, endings) in [
        ("rulesets", &["toml"][..]),
        ("src", &["rs"]),
        ("tests", &["rs"]),
    ] {
        files(&root.join(folder), endings, &mut all);
    }
    let mut cited = 0;
    for file in all.iter().filter(|file| !file.ends_with("citations.rs")) {
        let text = fs::read_to_string(file).unwrap();
        // "uzje.md §5, §6.3" and "`rulesets/woo.md` §5, §6.1", over the end of a line too.
        let text = text
            .replace("\n///", " ")
            .replace("\n//!", " ")
            .replace("\n//", " ");
        for (at, _) in text.match_indices(".md") {
            let name_starts = text[..at].rfind(|c: char| !c.is_ascii_lowercase() && c != '-');
            let name = &text[name_starts.map_or(0, |i| i + 1)..at];
            let document = root.join("rulesets").join(format!("{name}.md"));
            let mut rest = text[at + 3..].trim_start_matches('`').trim_start();
            if !rest.starts_with('§') {
                continue;
            }
            let document = fs::read_to_string(&document)
                .unwrap_or_else(|_| panic!("{}: {name}.md is not there", file.display()));
            let sections = sections(&document);
            while let Some(behind) = rest.strip_prefix('§') {
                let ends = behind.find(|c: char| !c.is_ascii_digit() && c != '.');
                let number = behind[..ends.unwrap_or(behind.len())].trim_end_matches('.');
                assert!(
                    sections.contains(number),
                    "{}: {name}.md has no §{number}",
                    file.display()
                );
                cited += 1;
                rest = behind[ends.unwrap_or(behind.len())..]
                    .trim_start_matches(',')
                    .trim_start();
            }
        }
    }
    assert!(cited > 150, "{cited}");
}
