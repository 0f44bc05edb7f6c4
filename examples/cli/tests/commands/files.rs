//! What programs write and read: special files, full disks, readers that go away, runs that are killed, input without end.

use super::{command, folder, run, text};
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The status of what cannot be written.
const UNWRITTEN: Option<i32> = Some(3);

fn shell(script: &str) -> Output {
    Command::new("sh").arg("-c").arg(script).output().unwrap()
}

/// A command as words of shell.
fn program(name: &str) -> String {
    format!("'{}' {name}", env!("CARGO_BIN_EXE_paishan"))
}

fn is_unwritten(output: &Output, name: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), UNWRITTEN, "{name}: {said}");
    let sentence = format!("paishan {name}: the output cannot be written: ");
    assert!(said.contains(&sentence), "{said}");
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn devices_pipes_and_links_stay_what_they_are() {
    let folder = folder("special");
    // A device of our own would need rights; the one that is always full is there.
    let output = run("simulate", &["--games", "1", "--log", "/dev/full"]);
    is_unwritten(&output, "simulate");
    assert!(
        fs::metadata("/dev/full")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    let output = run("simulate", &["--games", "1", "--log", "/dev/null"]);
    assert!(output.status.success());

    let pipe = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    let output = run(
        "simulate",
        &["--games", "1", "--log", pipe.to_str().unwrap()],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(reader.join().unwrap().ends_with("}\n"));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());

    let (link, file) = (folder.join("link"), folder.join("file"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let output = run(
        "simulate",
        &["--games", "1", "--log", link.to_str().unwrap()],
    );
    assert!(output.status.success());
    assert!(
        fs::symlink_metadata(&link)
            .unwrap()
            .file_type()
            .is_symlink()
    );
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .starts_with("{\"type\":\"start_game\"")
    );
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = folder("full");
    let log = folder.join("log.jsonl");
    fs::write(&log, "what was there\n").unwrap();
    let simulate = program("simulate");
    let output = shell(&format!(
        "trap '' XFSZ; ulimit -f 64; {simulate} --ruleset woo --games 50 --agents random --log '{}'",
        log.display()
    ));
    is_unwritten(&output, "simulate");
    assert_eq!(fs::read_to_string(&log).unwrap(), "what was there\n");
    assert_eq!(names(&folder), ["log.jsonl"]);
    let playtest = program("playtest");
    let report = folder.join("out");
    let output = shell(&format!(
        "trap '' XFSZ; ulimit -f 1; {playtest} --ruleset woo --games 3 --report '{}'",
        report.display()
    ));
    is_unwritten(&output, "playtest");
    assert!(!names(&report).iter().any(|name| name.ends_with(".part")));
}

#[test]
fn readers_that_go_away_are_told_of_in_one_way() {
    let folder = folder("closed");
    let log = folder.join("log.jsonl");
    assert!(
        run(
            "simulate",
            &["--games", "1", "--log", log.to_str().unwrap()]
        )
        .status
        .success()
    );
    let log = log.display();
    let report = folder.join("out");
    let report = report.display();
    for (name, args) in [
        ("simulate", "--ruleset woo --games 1".to_owned()),
        ("simulate", "--ruleset woo --games 30 --log -".to_owned()),
        ("replay", format!("'{log}'")),
        ("resolved", "--ruleset woo".to_owned()),
        ("diff", "woo uzje".to_owned()),
        ("lint", "--ruleset woo".to_owned()),
        ("compare", "123s456s789sEECC C".to_owned()),
        (
            "score",
            "--ruleset woo --seat N --from W 111234567s55s67s 8s".to_owned(),
        ),
        ("watch", "--ruleset woo".to_owned()),
        ("duel", "first random --ruleset woo --games 1".to_owned()),
        ("ladder", "first random --ruleset woo --games 2".to_owned()),
        (
            "playtest",
            format!("--ruleset woo --games 2 --report '{report}'"),
        ),
    ] {
        let program = program(name);
        let output = shell(&format!("{program} {args} > /dev/full"));
        is_unwritten(&output, name);
    }
    let ask = r#"{"type":"parse","ruleset":"woo","tiles":"E"}"#;
    let jsonl = program("jsonl");
    is_unwritten(
        &shell(&format!("echo '{ask}' | {jsonl} > /dev/full")),
        "jsonl",
    );
    // Nobody reads any more: the same as a full disk.
    let simulate = program("simulate");
    let output = shell(&format!(
        "trap '' PIPE; {{ {simulate} --ruleset woo --games 200 --agents random --log -; echo \"status $?\" >&2; }} | head -c 10 > /dev/null"
    ));
    let said = text(&output.stderr);
    assert!(said.contains("status 3"), "{said}");
}

fn playtest(folder: &Path, games: &str) -> Command {
    let mut command = command("playtest");
    command
        .args(["--ruleset", "woo", "--agents", "random", "--threads", "1"])
        .args(["--games", games, "--report"])
        .arg(folder)
        .stdout(Stdio::null());
    command
}

/// The part files in a folder.
fn parts(folder: &Path) -> Vec<String> {
    let mut parts = names(folder);
    parts.retain(|name| name.ends_with(".part"));
    parts
}

#[test]
fn a_log_is_written_by_one_run_and_parts_of_killed_runs_go() {
    let folder = folder("parts");
    let log = folder.join("log.jsonl");
    let log = log.to_str().unwrap();
    let mut first = command("simulate")
        .args(["--ruleset", "woo", "--games", "100000000", "--log", log])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..600 {
        if !parts(&folder).is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let written = parts(&folder);
    let second = run("simulate", &["--games", "1", "--log", log]);
    let other = folder.join("other.jsonl");
    let third = run(
        "simulate",
        &["--games", "1", "--log", other.to_str().unwrap()],
    );
    let kept = parts(&folder);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(written.len(), 1, "{written:?}");
    let said = text(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(said.contains("another process writes this file"), "{said}");
    // A run does not touch the part of one that goes on.
    assert!(third.status.success() && kept == written);
    assert_eq!(names(&folder).len(), 2, "the killed run left its part");
    // The next run removes it, and so it does with parts that earlier versions have left.
    fs::write(folder.join(".paishan-a1B2c3.part"), "left").unwrap();
    let output = run("simulate", &["--games", "1", "--log", log]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(names(&folder), ["log.jsonl", "other.jsonl"]);
}

#[test]
fn a_report_folder_is_for_one_run_and_a_killed_one_goes_on() {
    let (folder, whole) = (folder("killed"), folder("killed-not"));
    let games = "6000";
    let mut first = playtest(&folder, games).spawn().unwrap();
    let lock = folder.join(".lock");
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    let second = playtest(&folder, games).output().unwrap();
    if first.try_wait().unwrap().is_none() {
        assert_eq!(second.status.code(), Some(1));
        let said = text(&second.stderr);
        assert!(
            said.contains("another run writes into this folder"),
            "{said}"
        );
    }
    std::thread::sleep(Duration::from_millis(1200));
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(playtest(&folder, games).status().unwrap().success());
    assert!(playtest(&whole, games).status().unwrap().success());
    for name in ["summary.json", "patterns.csv", "report.html"] {
        assert_eq!(
            fs::read(folder.join(name)).unwrap(),
            fs::read(whole.join(name)).unwrap()
        );
    }
}

#[test]
fn what_was_kept_is_checked_before_it_is_trusted() {
    let folder = folder("kept");
    assert!(playtest(&folder, "20").status().unwrap().success());
    let summary = fs::read_to_string(folder.join("summary.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let games = |record: &mut serde_json::Value, games: u64| {
        record["played"]["end"] = games.into();
    };
    let changes: [&dyn Fn(&mut serde_json::Value); 6] = [
        &|record| record["statistics"]["summary"]["deals"] = u64::MAX.into(),
        &|record| record["statistics"]["summary"]["matches"] = 9.into(),
        &|record| record["statistics"]["summary"]["winning_points"][0] = i64::MIN.into(),
        &|record| record["statistics"]["win_points"]["40"] = u64::MAX.into(),
        &|record| record["statistics"]["patterns"][0]["with"]["flower"] = 1.into(),
        &|record| record["statistics"]["patterns"][0]["times"] = u64::MAX.into(),
    ];
    for change in changes {
        let mut kept = record.clone();
        games(&mut kept, 10);
        kept["statistics"]["summary"]["matches"] = 10.into();
        change(&mut kept);
        fs::remove_file(folder.join("summary.json")).unwrap();
        fs::write(folder.join("progress.json"), kept.to_string()).unwrap();
        assert!(playtest(&folder, "20").status().unwrap().success());
        assert_eq!(
            fs::read_to_string(folder.join("summary.json")).unwrap(),
            summary
        );
    }
    // A report that cannot be written stands beside no older one.
    fs::remove_file(folder.join("patterns.csv")).unwrap();
    fs::create_dir(folder.join("patterns.csv")).unwrap();
    let failed = playtest(&folder, "25").output().unwrap();
    assert_eq!(failed.status.code(), UNWRITTEN);
    assert!(!folder.join("report.html").exists());
}

#[test]
fn input_without_end_is_refused() {
    let folder = folder("endless");
    let line = folder.join("line");
    fs::write(&line, vec![b'x'; 17 << 20]).unwrap();
    let said = |output: Output| text(&output.stdout) + &text(&output.stderr);
    let replayed = command("replay").arg(&line).output().unwrap();
    assert_eq!(replayed.status.code(), Some(1));
    assert!(
        said(replayed).contains("line:1: no line of a log: a line of more than 16777216 bytes")
    );
    let rescored = command("rescore").arg(&line).output().unwrap();
    assert!(said(rescored).contains("a line of more than 16777216 bytes"));
    let rules = run_rules("/dev/zero");
    assert_eq!(rules.status.code(), Some(1));
    assert!(said(rules).contains("/dev/zero: more than 1048576 bytes"));
    let record = folder.join("record.mjlog");
    // A record of nothing but tags takes as long as it is.
    fs::write(
        &record,
        "<mjloggm ver=\"2.3\">\n".to_owned() + &"<a/>\n".repeat(300_000),
    )
    .unwrap();
    let tags = command("replay").arg(&record).output().unwrap();
    assert_eq!(tags.status.code(), Some(1));
}

fn run_rules(file: &str) -> Output {
    command("resolved")
        .args(["--rules", file])
        .output()
        .unwrap()
}

/// Rules under which nobody can win: the match ends all the same, and its log is not kept in memory.
#[test]
fn long_matches_end_and_take_no_more_memory() {
    let folder = folder("long");
    let rules = folder.join("never.toml");
    let text_of_rules = "ruleset = { id = \"never\", extends = \"hong-kong-old-style\" }\n\
                         win.minimum = \"doubles >= 100\"\nmatch.max-deals = 2000\n";
    fs::write(&rules, text_of_rules).unwrap();
    let log = folder.join("log.jsonl");
    let simulate = program("simulate");
    let output = shell(&format!(
        "export MALLOC_ARENA_MAX=1; ulimit -v 262144; {simulate} --rules '{}' --agents first --games 4 --threads 2 --log '{}'",
        rules.display(),
        log.display()
    ));
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("4 games, 8000 deals"), "{said}");
    let linted = command("lint").arg("--rules").arg(&rules).output().unwrap();
    assert!(text(&linted.stdout).contains("[no-win]"));
}
