//! Finished deals that are written by `simulate` and scored again by `rescore`.

use super::{command, folder, text};
use std::fs;
use std::path::Path;

fn rescored(file: &Path, more: &[&str]) -> Result<String, String> {
    let output = command("rescore").arg(file).args(more).output().unwrap();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr)),
    }
}

#[test]
fn deals_are_kept_and_scored_again() {
    let folder = folder("finished");
    let file = folder.join("deals.jsonl");
    let mut simulate = command("simulate");
    simulate.args([
        "--ruleset",
        "uzje",
        "--games",
        "2",
        "--option",
        "limit=2000",
    ]);
    let output = simulate.arg("--finished").arg(&file).output().unwrap();
    assert!(output.status.success(), "{output:?}");

    // The options of the file hold where nothing else is said.
    let same = rescored(&file, &[]).unwrap();
    assert!(same.contains("worth something else   0 (0.0 %)"), "{same}");
    assert!(same.contains("games of other ranks   0 (0.0 %)"), "{same}");
    let mine = folder.join("mine.toml");
    let text = "ruleset = { id = \"mine\", extends = \"uzje\" }\npatterns.closed-hand.fan = 9.0\n";
    fs::write(&mine, text).unwrap();
    let dearer = rescored(&file, &["--rules", mine.to_str().unwrap()]).unwrap();
    let changed = dearer.split_once("worth something else   ").unwrap().1;
    let changed: u32 = changed.split(' ').next().unwrap().parse().unwrap();
    assert!(changed > 10, "{dearer}");
    assert!(dearer.contains("most changed hands\n  game "), "{dearer}");

    // What the file says of options holds, not what the rules said that were played.
    let text = "ruleset = { id = \"mine\", extends = \"uzje\" }\noptions.threshold.default = 3.5\n";
    fs::write(&mine, text).unwrap();
    let edited = rescored(&file, &["--rules", mine.to_str().unwrap()]).unwrap();
    assert!(!edited.contains("too little to win now  0\n"), "{edited}");

    let short = rescored(&file, &["--option", "threshold=3.5"]).unwrap();
    assert!(!short.contains("too little to win now  0\n"), "{short}");
    let fault = rescored(&file, &["--ruleset", "riichi-mcgill"]).unwrap_err();
    assert!(fault.contains("deals.jsonl:"), "{fault}");
    let broken = folder.join("broken.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    fs::write(&broken, lines.replacen("\"hand\":2", "\"hand\":-2", 1)).unwrap();
    assert!(
        rescored(&broken, &[])
            .unwrap_err()
            .contains("broken.jsonl:3:")
    );
    assert!(rescored(&folder.join("none"), &[]).is_err());
}
