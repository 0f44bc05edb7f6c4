//! Records of games that people have played elsewhere, replayed by `replay`.
//!
//! A small record of our own making is always replayed. With `PAISHAN_RECORDS` set to a folder every
//! `.mjlog` in it is, too: other people's records stay out of the repository.

use super::command;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::{env, fs};

fn replayed(path: &Path, options: &[&str]) -> Output {
    let set = options.iter().flat_map(|option| ["--option", option]);
    command("replay").args(set).arg(path).output().unwrap()
}

/// Says what a passing test would keep to itself.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/records/small.mjlog")
}

#[test]
fn a_record_replays() {
    let done = replayed(&own(), &[]);
    let report = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{report}");
    assert!(report.contains("ok, 7 hands, 920 events"), "{report}");
}

/// Every win of a log is explained: of the crate's logs, whole or as a player sees them, by rules or by seed, and of
/// records.
#[test]
fn wins_of_logs_are_explained() {
    let explained = |args: &[&str], path: &Path| {
        let mut program = command("replay");
        let done = program.arg("--explain").args(args).arg(path).output();
        let done = done.unwrap();
        let report = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{report}");
        report
    };
    let record = explained(&[], &own());
    let wins = fs::read_to_string(own()).unwrap().matches("<AGARI").count();
    let told = |report: &str| report.matches(" wins").count();
    assert_eq!(told(&record), wins, "{record}");
    assert_eq!(record.matches(" points (").count(), wins, "{record}");
    assert!(record.contains("ok, 7 hands, 920 events"), "{record}");
    let folder = env::temp_dir().join(format!("paishan-explained-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for ruleset in ["sichuan", "woo"] {
        let logs = ["all", "1"].map(|view| {
            let log = folder.join(format!("{ruleset}-{view}.jsonl"));
            let mut simulate = command("simulate");
            simulate.args([
                "--ruleset",
                ruleset,
                "--games",
                "2",
                "--seed",
                "6",
                "--view",
                view,
            ]);
            assert!(
                simulate
                    .arg("--log")
                    .arg(&log)
                    .output()
                    .unwrap()
                    .status
                    .success()
            );
            log
        });
        let [whole, own] = &logs;
        let wins = fs::read_to_string(whole).unwrap();
        let wins = wins.matches("\"type\":\"hora\"").count();
        let report = explained(&[], whole);
        assert!(wins > 8);
        assert_eq!(told(&report), wins, "{report}");
        assert_eq!(report.matches(" points: ").count(), wins, "{report}");
        assert_eq!(told(&explained(&[], own)), wins);
        let by_seed = explained(&["--from-seed"], whole);
        let told = |report: &str| -> Vec<String> {
            let lines = report.lines().filter(|line| !line.starts_with("game "));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(told(&by_seed), told(&report));
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_record_may_begin_with_a_byte_order_mark_and_not_be_packed() {
    let folder = env::temp_dir().join(format!("paishan-marks-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("record.mjlog");
    let marked = [b"\xef\xbb\xbf", &fs::read(own()).unwrap()[..]].concat();
    fs::write(&path, marked).unwrap();
    assert!(replayed(&path, &[]).status.success());
    fs::write(&path, b"\x1f\x8b\x08\x00").unwrap();
    let done = replayed(&path, &[]);
    assert!(String::from_utf8_lossy(&done.stdout).contains("gzip -d"));
    assert_eq!(done.status.code(), Some(1));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_record_that_is_not_as_the_rules_say_does_not_replay() {
    let text = fs::read_to_string(own()).unwrap();
    let folder = env::temp_dir().join(format!("paishan-records-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let fault = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let done = replayed(&path, &[]);
        let report = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!(done.status.code(), Some(1), "{report}");
        report
    };
    let line_of =
        |text: &str, wanted: &str| 1 + text.lines().position(|line| line.contains(wanted)).unwrap();

    let win = line_of(&text, "<AGARI");
    let worth = text.lines().nth(win - 1).unwrap();
    let (before, ten) = worth.split_once(" ten=\"").unwrap();
    let (_, after) = ten.split_once(',').unwrap();
    let fu = text.replace(worth, &format!("{before} ten=\"110,{after}"));
    let report = fault("fu.mjlog", &fu);
    assert!(
        report.contains(&format!("fu.mjlog:{win}: tag {win} (AGARI): expected")),
        "{report}"
    );
    assert!(report.contains("\"fu\":110"), "{report}");

    // The rules of the record: without red fives other tiles are in play.
    let other = text.replace("<GO type=\"1\"", "<GO type=\"3\"");
    fault("reds.mjlog", &other);
    // Four players cannot have played as three do.
    let three = fault(
        "three.mjlog",
        &text.replace("<GO type=\"1\"", "<GO type=\"17\""),
    );
    assert!(three.contains("is no player"), "{three}");
    let cut = &text[..text.find("<AGARI").unwrap()];
    assert!(fault("cut.mjlog", cut).contains("breaks off"));
    assert!(fault("xml.mjlog", "<mjloggm><INIT seed=\"0,0\"").contains("xml.mjlog:1:"));
    assert!(fault("tile.mjlog", &text.replacen("<T", "<T999\"/><T", 1)).contains("tile.mjlog:"));
    assert!(
        fault("empty.mjlog", "<mjloggm ver=\"2.3\"></mjloggm>").contains("a match without a deal")
    );
    // A rule that was not played.
    let done = replayed(&own(), &["start-points=30000"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stdout).contains("(INIT): expected"));
    let done = command("replay")
        .args(["--ruleset", "riichi-tenhuo"])
        .arg(own())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&done.stdout).contains("did you mean `riichi-tenhou`?"));
    fs::remove_dir_all(folder).unwrap();
}

/// Records that were not played as `riichi-tenhou` says, and how they are checked.
enum Known {
    /// Other options were in force.
    Options(&'static [&'static str]),
    /// The record itself is faulty: what is said of the first fault.
    Faulty(&'static str),
}

/// What is known of records in the folder, by name, and why.
const KNOWN: [(&str, Known); 4] = [
    // Of a time before a ready dealer in the lead ended the game.
    ("tenhou-bug1.mjlog", Known::Options(&["tenpaiyame=false"])),
    // Written by an emulator, not by the server: riichi of which no deposit is paid …
    (
        "tenhou-python-bot-23.mjlog",
        Known::Faulty("tag 92 (U71): expected {\"type\":\"reach_accepted\""),
    ),
    (
        "tenhou-python-bot-24.mjlog",
        Known::Faulty("tag 256 (U76): expected {\"type\":\"reach_accepted\""),
    ),
    // … and under-dora written as dora.
    (
        "tenhou-python-bot-25.mjlog",
        Known::Faulty("tag 129 (AGARI): expected"),
    ),
];

#[test]
fn records_of_a_folder_replay() {
    let Some(folder) = env::var_os("PAISHAN_RECORDS") else {
        tell("no records: PAISHAN_RECORDS names no folder");
        return;
    };
    let mut records: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", Path::new(&folder).display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mjlog")
        })
        .collect();
    records.sort();
    assert!(!records.is_empty(), "no .mjlog in the folder");
    let (mut whole, mut hands) = (0, 0);
    let mut faults = Vec::new();
    for path in &records {
        let name = path.file_name().unwrap().to_string_lossy();
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        let options = match known {
            Some((_, Known::Options(options))) => options,
            _ => &[][..],
        };
        let done = replayed(path, options);
        let report = String::from_utf8_lossy(&done.stdout).into_owned();
        match known {
            Some((_, Known::Faulty(fault))) if report.contains(fault) => {}
            _ if done.status.success() => {
                whole += 1;
                let count = report
                    .split(" hands")
                    .next()
                    .and_then(|text| text.rsplit(' ').next());
                hands += count.and_then(|count| count.parse::<usize>().ok()).unwrap();
            }
            _ => faults.push(report),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let all = records.len();
    tell(&format!("{whole} of {all} records replay, {hands} hands"));
}
