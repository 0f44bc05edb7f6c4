//! The layers of ARCHITECTURE.md: a file uses its own layer and lower ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: &[&[&str]] = &[
    &["tile", "set", "counts", "seat", "list", "decimal"],
    &["random", "tile_set", "meld", "hand", "wall", "notation"],
    &["decompose", "state"],
    &["score", "draw"],
    &["ruleset"],
    &["game", "agent"],
    &["simulate", "protocol", "log"],
    &["lint"],
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_arrow_points_upwards() {
    let layer: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(i, names)| names.iter().map(move |name| (*name, i)))
        .collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut arrows = 0;
    for file in all {
        let relative = file.strip_prefix(&source).unwrap();
        let top = relative.components().next().unwrap();
        let module = Path::new(top.as_os_str())
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap();
        if module == "lib" {
            continue;
        }
        let own = *layer
            .get(module)
            .unwrap_or_else(|| panic!("`{module}` is in no layer"));
        // The slow definitions are tests, and so are files of that name.
        if relative.ends_with("naive.rs") || relative.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        // Tests and docs may use what they like.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (i, line) in code.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for used in line.split("crate::").skip(1) {
                let name: String = used
                    .chars()
                    .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                    .collect();
                let Some(&theirs) = layer.get(name.as_str()) else {
                    continue;
                };
                arrows += 1;
                assert!(
                    theirs <= own,
                    "{}:{}: `{module}` (layer {own}) uses `{name}` (layer {theirs})",
                    relative.display(),
                    i + 1
                );
            }
            assert!(!line.contains("use crate::*"), "{}", relative.display());
        }
    }
    assert!(arrows > 50);
}
