//! The play-test lab as a user meets it: parts are the whole, the report is whole, and what is mispriced
//! is found.

use crate::command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("playtest")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn playtest(args: &[&str], report: &Path) -> Output {
    let mut program = command("playtest");
    program.args(args).arg("--report").arg(report);
    program.output().unwrap()
}

fn played(args: &[&str], report: &Path) -> String {
    let output = playtest(args, report);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(!report.join("progress.json").exists());
    String::from_utf8(output.stdout).unwrap()
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn parts_and_a_resumed_run_are_the_whole() {
    let base = folder("parts");
    let job = [
        "--ruleset",
        "woo",
        "--games",
        "50",
        "--seed",
        "3",
        "--agents",
        "random",
    ];
    let at = |name: &str| base.join(name);
    played(&job, &at("whole"));
    let whole = read(&at("whole"), "summary.json");
    let mut merge = vec!["merge".to_owned()];
    for part in ["0/3", "1/3", "2/3"] {
        let to = at(&part.replace('/', "-"));
        let args = [&job[..], &["--shard", part, "--threads", "1"]].concat();
        played(&args, &to);
        merge.push(to.display().to_string());
    }
    merge.swap(1, 3);
    let merge: Vec<&str> = merge.iter().map(String::as_str).collect();
    played(&merge, &at("merged"));
    assert_eq!(read(&at("merged"), "summary.json"), whole);
    assert_eq!(
        read(&at("merged"), "patterns.csv"),
        read(&at("whole"), "patterns.csv")
    );

    // What was done of the first games is gone on with.
    played(&job, &at("0-3"));
    assert_eq!(read(&at("0-3"), "summary.json"), whole);

    let gap = playtest(&[merge[0], merge[1], merge[3]], &at("gap"));
    assert!(!gap.status.success() && !at("gap").join("summary.json").exists());
    let said = String::from_utf8_lossy(&gap.stderr).into_owned();
    assert!(
        said.contains("by no part") || said.contains("twice"),
        "{said}"
    );
}

#[test]
fn players_are_compared_with_greedy_ones_on_the_same_walls() {
    let base = folder("compared");
    let at = |name: &str| base.join(name);
    let job = ["--ruleset", "woo", "--games", "6"];
    let run = |more: &[&str], name: &str| played(&[&job[..], more].concat(), &at(name));
    run(&[], "whole");
    run(&["--shard", "0/2"], "0");
    run(&["--shard", "1/2", "--threads", "1"], "1");
    run(&["--agents", "greedy"], "greedy");
    let parts = [at("0"), at("1")].map(|part| part.display().to_string());
    played(&["merge", &parts[0], &parts[1]], &at("merged"));
    let whole = read(&at("whole"), "summary.json");
    assert_eq!(read(&at("merged"), "summary.json"), whole);
    let [whole, greedy] = [&whole, &read(&at("greedy"), "summary.json")]
        .map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
    assert_eq!(whole["compared"], greedy["statistics"]);
    assert_eq!(whole["job"]["compared"], "greedy");
    assert!(whole["statistics"] != greedy["statistics"]);
    assert!(greedy["compared"].is_null() && greedy["job"]["compared"].is_null());
}

#[test]
fn the_report_is_whole() {
    let at = folder("report");
    let args = ["--ruleset", "uzje", "--games", "12", "--suggest"];
    let short = played(&args, &at);
    assert!(short.contains("dearest for their rarity"), "{short}");
    let page = read(&at, "report.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</body></html>\n"));
    for id in ["prices", "outliers", "turns", "points", "seats", "places"] {
        let plot = page.split(&format!("<svg id=\"{id}\"")).nth(1);
        let plot = plot.unwrap_or_else(|| panic!("no plot {id}"));
        let (plot, _) = plot.split_once("</svg>").unwrap();
        assert!(plot.contains("<text") && plot.len() > 1000, "{id}");
        let whole = format!("<svg{plot}</svg>");
        let mut reader = quick_xml::Reader::from_str(&whole);
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(_) => {}
                Err(error) => panic!("{id}: {error}"),
            }
        }
    }
    // Patterns are listed by how much more often players who aim win with them.
    let (_, rows) = page.split_once("<table id=\"pursued\">").unwrap();
    let (rows, _) = rows.split_once("</table>").unwrap();
    let more: Vec<f64> = rows
        .lines()
        .filter_map(|row| {
            row.rsplit_once("<td class=\"n\">")?
                .1
                .split(' ')
                .next()?
                .parse()
                .ok()
        })
        .collect();
    assert!(
        more.len() > 10 && more.is_sorted_by(|a, b| a >= b),
        "{rows}"
    );
    assert!(more[0] > 1.0 && more[more.len() - 1] < -1.0, "{rows}");
    // It needs nothing from elsewhere: the one address is the name of SVG itself.
    assert_eq!(
        page.matches("://").count(),
        page.matches("http://www.w3.org/2000/svg").count()
    );
    for said in [
        "12 games with value, seed 1",
        "What value pursues and greedy does not",
        "Never seen",
        "Proposed values",
        "95 %",
    ] {
        assert!(page.contains(said), "{said}");
    }
}

/// A pattern of every third hand at a price of eight fan is farthest from the line, and is proposed to be
/// worth much less.
#[test]
fn what_is_mispriced_is_found() {
    let at = folder("mispriced");
    let file = at.join("mispriced.toml");
    let text = "ruleset = { id = \"mispriced\", extends = \"uzje\" }\n\
                patterns.bonus-tile = { fan = 8.0, status = \"provisional\" }\n";
    fs::write(&file, text).unwrap();
    let args = [
        "--rules",
        file.to_str().unwrap(),
        "--games",
        "16",
        "--agents",
        "greedy",
        "--suggest",
    ];
    let short = played(&args, &at);
    let (_, after) = short.split_once("dearest for their rarity\n").unwrap();
    let first = after.split_whitespace().next().unwrap();
    assert_eq!(first, "bonus-tile", "{short}");
    let (_, proposed) = short.split_once("proposed values\n").unwrap();
    let line = proposed
        .lines()
        .find(|line| line.trim_start().starts_with("bonus-tile"))
        .unwrap();
    let value: f64 = line
        .split('→')
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(value < 3.0, "{line}");
}

/// All values of the competition rules are fixed. The file that the report proposes opens one.
#[test]
fn fixed_values_are_opened_as_the_report_says() {
    let at = folder("fixed");
    let args = [
        "--ruleset",
        "mcr",
        "--games",
        "8",
        "--agents",
        "greedy",
        "--suggest",
    ];
    let short = played(&args, &at);
    assert!(
        short.contains("none, because no pattern on the line may be changed"),
        "{short}"
    );
    let (_, text) = short.split_once("\n  ruleset = {").unwrap();
    let text = format!("ruleset = {{{}", text.replace("\n  ", "\n"));
    let file = at.join("my-mcr.toml");
    fs::write(&file, &text).unwrap();
    let id = text.split("patterns.").nth(1).unwrap();
    let (id, _) = id.split_once(".status").unwrap();
    let args = [&["--rules", file.to_str().unwrap()], &args[2..]].concat();
    let short = played(&args, &at);
    let (_, proposed) = short.split_once("proposed values\n").unwrap();
    let is_its = |line: &str| line.trim_start().starts_with(id) && line.contains('→');
    assert!(proposed.lines().any(is_its), "{short}");
}

/// The line leaves out what every winner has. Where rarer patterns are not dearer it says so.
#[test]
fn a_line_that_does_not_rise_is_said_to_mean_nothing() {
    let at = folder("flat");
    let file = at.join("flat.toml");
    let rules = paishan::Rules::by_id("uzje").unwrap();
    let mut text = "ruleset = { id = \"flat\", extends = \"uzje\" }\n\
                    patterns.any = { fan = 1.0, when = \"winner\", doc = \"any win\", src = \"x\", status = \"assumed\" }\n"
        .to_owned();
    for pattern in rules.plan().score().patterns() {
        if matches!(pattern.value, paishan::score::PatternValue::Sums(_)) {
            text.push_str(&format!("patterns.{}.fan = 1.0\n", pattern.id));
        }
    }
    fs::write(&file, &text).unwrap();
    let args = ["--games", "12", "--agents", "greedy", "--suggest"];
    let short = played(
        &[&["--rules", file.to_str().unwrap()], &args[..]].concat(),
        &at,
    );
    let line = short
        .lines()
        .find(|line| line.starts_with("price line: "))
        .unwrap();
    assert!(line.contains("This slope may be chance"), "{line}");
    let (_, left_out) = line.split_once("players do not choose them: ").unwrap();
    assert!(left_out.starts_with("any (100 % of wins)"), "{line}");
    let (_, proposed) = short.split_once("proposed values\n").unwrap();
    assert!(
        proposed.trim_start().starts_with("these mean little"),
        "{short}"
    );
    assert!(!proposed.contains("  any "), "{short}");
}

#[test]
fn faults_leave_nothing_behind() {
    let base = folder("faults");
    let file = base.join("file");
    fs::write(&file, "taken").unwrap();
    let job = ["--ruleset", "woo", "--games", "4", "--agents", "random"];
    let output = playtest(&job, &file.join("report"));
    assert!(!output.status.success() && output.stdout.is_empty());
    assert_eq!(fs::read_to_string(&file).unwrap(), "taken");
    let bad: [&[&str]; 5] = [
        &["--ruleset", "wooo"],
        &["--agents", "nobody"],
        &["--shard", "3/3"],
        &["--rules", "no-such-file.toml"],
        &["merge", "no-such-folder"],
    ];
    for args in bad {
        let output = playtest(args, &base.join("bad"));
        assert!(!output.status.success(), "{args:?}");
        assert!(!base.join("bad").join("summary.json").exists(), "{args:?}");
    }
}

/// The same rules play the same games; a higher minimum leaves more deals drawn.
#[test]
fn rulesets_are_compared_on_the_same_walls() {
    let base = folder("against");
    let short = ["--option", "length=games", "--option", "games=4"];
    let job = ["--ruleset", "uzje", "--games", "8", "--agents", "greedy"];
    let job = [&job, &short[..]].concat();
    let told = |more: &[&str]| {
        let output = playtest(&[&job[..], more].concat(), &base.join("none"));
        assert!(output.status.success());
        assert!(!base.join("none").exists(), "nothing is written");
        String::from_utf8(output.stdout).unwrap()
    };
    let same = told(&["--set", "limit=5000"]);
    assert!(
        same.contains("\n0 of 8 games were played otherwise"),
        "{same}"
    );
    let higher = told(&["--set", "threshold=3.5"]);
    assert!(!higher.contains("\n0 of 8 games"), "{higher}");
    let drawn = higher
        .lines()
        .find(|line| line.starts_with("drawn deals"))
        .unwrap();
    let numbers: Vec<f64> = drawn
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    assert!(numbers[1] > numbers[0] + 5.0 && numbers[2] > 5.0, "{drawn}");
    assert!(higher.contains(": win → "), "{higher}");
}

/// Players who ignore worth are named, those who heed it are not.
#[test]
fn players_who_ignore_worth_are_warned_of() {
    let base = folder("players");
    let run = |name: &str, agents: &[&str]| {
        let job = [&["--ruleset", "woo", "--games", "1"], agents].concat();
        let short = played(&job, &base.join(name));
        (short, read(&base.join(name), "report.html"))
    };
    let (short, page) = run("usual", &[]);
    assert!(
        short.contains("\nplayers                         value\n"),
        "{short}"
    );
    assert!(!short.contains("warning:") && !page.contains("class=\"warning\""));
    let (short, page) = run("mixed", &["--agents", "value,greedy,random,value"]);
    let warning = "random and greedy ignore what a hand is worth.";
    assert!(short.contains(&format!("\nwarning: {warning}")), "{short}");
    assert!(page.contains(&format!("<p class=\"warning\">{warning}")));
    assert!(short.contains("value, greedy, random, value\n"), "{short}");
}

/// The points by cause add up to those of the seats, and to those of the match.
#[test]
fn points_by_cause_add_up() {
    let at = folder("causes");
    let args = [
        "--ruleset",
        "riichi-tenhou",
        "--games",
        "6",
        "--agents",
        "greedy,first,greedy,first",
    ];
    let short = played(&args, &at);
    for told in [
        "by cause and seat",
        "by cause and player",
        "  end of match",
        "  drawn deals",
        "  deposits",
    ] {
        assert!(short.contains(told), "{short}");
    }
    let page = read(&at, "report.html");
    assert!(page.contains("<tr><td>end of match</td>"));
    let record: serde_json::Value = serde_json::from_str(&read(&at, "summary.json")).unwrap();
    let statistics = &record["statistics"];
    let causes = statistics["causes"].as_object().unwrap();
    let sum = |of: &str, place: usize, without: &str| -> i64 {
        let here = causes.iter().filter(|(cause, _)| *cause != without);
        here.map(|(_, points)| points[of][place].as_i64().unwrap())
            .sum()
    };
    let summary = &statistics["summary"];
    for place in 0..4 {
        assert_eq!(
            sum("seats", place, "match-end"),
            summary["seat_points"][place].as_i64().unwrap()
        );
        assert_eq!(
            sum("players", place, "match-end"),
            summary["points"][place].as_i64().unwrap()
        );
    }
    // The results of a match add up to nothing.
    let results: i64 = (0..4).map(|place| sum("players", place, "")).sum();
    assert_eq!(results, 0);
    assert_eq!((0..4).map(|place| sum("seats", place, "")).sum::<i64>(), 0);
}

/// Other payments at the end of a match change no decision of greedy players, but what they win in the match.
#[test]
fn rulesets_are_compared_with_the_end_of_the_match() {
    let base = folder("uma");
    let job = [
        "--ruleset",
        "riichi-mcgill",
        "--games",
        "6",
        "--agents",
        "greedy",
    ];
    let change = ["--set", "uma=[30000,10000,-10000,-30000]"];
    let output = playtest(&[&job[..], &change].concat(), &base.join("none"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("\n0 of 6 games were played otherwise"),
        "{told}"
    );
    let difference = |measure: &str| -> f64 {
        let line = told.lines().find(|line| line.starts_with(measure)).unwrap();
        let numbers = line
            .split_whitespace()
            .filter_map(|word| word.parse::<f64>().ok());
        numbers.collect::<Vec<_>>()[2]
    };
    assert_eq!(difference("best result"), 20_000.0, "{told}");
    assert_eq!(difference("worst result"), -20_000.0, "{told}");
    assert_eq!(difference("gained at the end"), 25_000.0, "{told}");
}

#[test]
fn a_run_without_wins_reports_no_turn_of_the_win() {
    let base = folder("nobody-wins");
    let args = |agent| ["--ruleset", "mcr", "--games", "1", "--agents", agent];
    let nobody = played(&args("first"), &base.join("nobody"));
    let somebody = played(&args("greedy"), &base.join("somebody"));
    for name in ["turn of the win", "points of a win", "won by self-draw"] {
        assert!(!nobody.contains(name), "{nobody}");
        assert!(somebody.contains(name), "{somebody}");
    }
    assert!(nobody.contains("drawn"));
}
