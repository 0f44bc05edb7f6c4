//! Seeds on the command line: of walls, of agents, secret ones, and what a server commits itself to.

use super::{folder, run, text};
use paishan::Seed;
use std::fs;

fn games(folder: &std::path::Path, name: &str, more: &[&str]) -> String {
    let log = folder.join(name);
    let args = [
        "--games",
        "2",
        "--agents",
        "random",
        "--log",
        log.to_str().unwrap(),
    ];
    let output = run("simulate", &[&args, more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    fs::read_to_string(log).unwrap()
}

fn walls(log: &str) -> Vec<serde_json::Value> {
    log.lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["hand"] == 1)
        .map(|line| line["wall"].clone())
        .collect()
}

#[test]
fn agents_draw_from_a_seed_of_their_own() {
    let folder = folder("agent-seed");
    let plain = games(&folder, "plain.jsonl", &["--seed", "5"]);
    let same = Seed::from(5).of_agents().hex();
    let given = games(
        &folder,
        "given.jsonl",
        &["--seed", "5", "--agent-seed", &same],
    );
    assert_eq!(plain, given, "by default it follows from the seed");
    let other = games(
        &folder,
        "other.jsonl",
        &["--seed", "5", "--agent-seed", "6"],
    );
    assert_ne!(plain, other);
    assert_eq!(walls(&plain), walls(&other), "it moves no tile");
    assert!(plain.lines().next().unwrap().contains("\"agent_seed\":\""));
    // What one player sees tells neither.
    let view = games(&folder, "view.jsonl", &["--seed", "5", "--view", "1"]);
    assert!(!view.contains("agent_seed") && !view.contains("game_seed"));
    for log in ["plain.jsonl", "other.jsonl"] {
        let again = run_replay(&["--from-seed", folder.join(log).to_str().unwrap()]);
        assert!(again.0, "{}", again.1);
    }
}

fn run_replay(args: &[&str]) -> (bool, String) {
    let output = super::command("replay").args(args).output().unwrap();
    (
        output.status.success(),
        text(&output.stdout) + &text(&output.stderr),
    )
}

#[test]
fn a_server_commits_itself_to_its_walls() {
    let folder = folder("commit");
    let secret = "c0ffee".repeat(10) + "beef";
    let hashes = folder.join("hashes");
    let hashes = hashes.to_str().unwrap();
    let log = games(
        &folder,
        "log.jsonl",
        &["--seed", &secret, "--commit", hashes],
    );
    assert!(!log.contains(&secret), "the seed of the run is not told");
    let path = folder.join("log.jsonl");
    let path = path.to_str().unwrap();
    let (holds, said) = run_replay(&["--commitments", hashes, path]);
    assert!(holds, "{said}");
    let (holds, said) = run_replay(&["--from-seed", path]);
    assert!(holds, "{said}");
    // Another seed, another wall, a game that nothing was said of.
    let changed = folder.join("changed.jsonl");
    let changed = changed.to_str().unwrap();
    let lines: Vec<&str> = log.lines().collect();
    let mut first: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    let seed = first["game_seed"].as_str().unwrap().to_owned();
    first["game_seed"] = seed.replace(&seed[..2], "00").into();
    fs::write(changed, format!("{first}\n{}\n", lines[1..].join("\n"))).unwrap();
    let (holds, said) = run_replay(&["--commitments", hashes, changed]);
    assert!(
        !holds && said.contains("is not what was committed to"),
        "{said}"
    );
    let at = lines
        .iter()
        .position(|line| line.contains("\"wall\""))
        .unwrap();
    let mut wall: serde_json::Value = serde_json::from_str(lines[at]).unwrap();
    wall["wall"].as_array_mut().unwrap().reverse();
    let mut moved: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    moved[at] = wall.to_string();
    fs::write(changed, moved.join("\n")).unwrap();
    let (holds, said) = run_replay(&["--commitments", hashes, changed]);
    assert!(
        !holds && said.contains("this is not the wall of game_seed, or not its dice"),
        "{said}"
    );
    let mut thrown: serde_json::Value = serde_json::from_str(lines[at]).unwrap();
    for roll in thrown["dice"].as_array_mut().unwrap() {
        let dice = roll.as_array_mut().unwrap();
        dice[0] = (dice[0].as_u64().unwrap() % 6 + 1).into();
    }
    moved[at] = thrown.to_string();
    fs::write(changed, moved.join("\n")).unwrap();
    let (holds, said) = run_replay(&["--commitments", hashes, changed]);
    assert!(!holds && said.contains("or not its dice"), "{said}");
    let mut dealer: serde_json::Value = serde_json::from_str(lines[at]).unwrap();
    dealer["oya"] = ((dealer["oya"].as_u64().unwrap() + 1) % 4).into();
    moved[at] = dealer.to_string();
    fs::write(changed, moved.join("\n")).unwrap();
    let (holds, said) = run_replay(&["--commitments", hashes, changed]);
    assert!(!holds && said.contains("deals, not player"), "{said}");
    let none = folder.join("none");
    fs::write(&none, "").unwrap();
    let (holds, said) = run_replay(&["--commitments", none.to_str().unwrap(), path]);
    assert!(
        !holds && said.contains("there is no commitment to game 0"),
        "{said}"
    );
    fs::write(&none, "0 abc\n").unwrap();
    let (holds, said) = run_replay(&["--commitments", none.to_str().unwrap(), path]);
    assert!(!holds && said.contains("64 hexadecimal digits"), "{said}");
}
