//! The commands as a user meets them: the same bytes for any number of threads, and bad input of every kind.

#[cfg(unix)]
mod bots;
#[cfg(unix)]
mod files;
mod names;
mod paper;
mod playtest;
mod readme;
mod records;
mod rescore;
mod seeds;
mod tables;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A subcommand of the program.
fn command(name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paishan"));
    command.arg(name);
    command
}

fn run(name: &str, args: &[&str]) -> Output {
    let mut program = command(name);
    if name == "simulate" && !args.contains(&"--ruleset") {
        program.args(["--ruleset", "woo"]);
    }
    program.args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn jsonl(input: &[u8]) -> Vec<serde_json::Value> {
    let mut child = command("jsonl")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn jsonl_answers_garbage_and_goes_on() {
    let good = br#"{"id": 1, "type": "parse", "ruleset": "woo", "tiles": "E"}"#;
    let mut input = Vec::new();
    let bad: Vec<Vec<u8>> = vec![
        b"garbage".to_vec(),
        b"".to_vec(),
        b"\xff\xfe\"\x80".to_vec(),
        b"{\"id\": \"\xff\"}".to_vec(),
        vec![b'['; 100_000],
        [
            b"{\"type\": \"".to_vec(),
            vec![b'x'; 10 << 20],
            b"\"}".to_vec(),
        ]
        .concat(),
    ];
    for line in &bad {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(good);
        input.push(b'\n');
    }
    let answers = jsonl(&input);
    assert_eq!(answers.len(), 2 * bad.len());
    for pair in answers.chunks(2) {
        assert_eq!(pair[0]["ok"], false);
        assert_eq!(pair[0]["error"]["code"], "bad-json");
        assert_eq!(pair[1]["ok"], true);
        assert_eq!(pair[1]["id"], 1);
    }
    // The last line may lack its end.
    assert_eq!(jsonl(good).len(), 1);
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = folder("threads");
    let mut logs = Vec::new();
    for threads in ["1", "2", "5"] {
        let log = folder.join(format!("{threads}.jsonl"));
        let log = log.to_str().unwrap();
        let mut args = vec![
            "--games",
            "40",
            "--seed",
            "9",
            "--agents",
            "random,first,greedy,random",
        ];
        args.extend(["--threads", threads, "--log", log, "--with-legal"]);
        let output = run("simulate", &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr).lines().count(), 1);
        logs.push(fs::read(log).unwrap());
    }
    assert!(logs[0].len() > 100_000);
    assert!(logs[0] == logs[1] && logs[0] == logs[2]);

    let log = folder.join("1.jsonl");
    for args in [vec![], vec!["--from-seed"]] {
        let output = command("replay").args(&args).arg(&log).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stdout));
        assert_eq!(text(&output.stdout).lines().count(), 40);
        assert!(text(&output.stdout).starts_with("game 0: ok, 8 hands, "));
    }
}

#[test]
fn simulate_sums_up() {
    let output = run("simulate", &["--games", "20", "--agents", "greedy"]);
    assert!(output.status.success());
    let report = text(&output.stdout);
    for word in [
        "Woo",
        "20 games",
        "deals",
        "drawn",
        "self-drawn",
        "most frequent",
        "The Woo",
    ] {
        assert!(report.contains(word), "{report}");
    }
}

#[test]
fn simulate_refuses_what_it_cannot_do() {
    let folder = folder("refuse");
    let log = folder.join("log.jsonl");
    let log = log.to_str().unwrap();
    for (args, want) in [
        (
            vec!["--ruleset", "wooo"],
            "unknown ruleset `wooo`; did you mean `woo`?",
        ),
        (
            vec!["--option", "flower=1"],
            "unknown option `flower`; did you mean `flowers`?",
        ),
        (
            vec!["--option", "flowers=7"],
            "option `flowers` must be an integer from 0 to 2",
        ),
        (vec!["--option", "flowers"], "is not NAME=VALUE"),
        (vec!["--agents", "genius"], "unknown agent `genius`"),
        (vec!["--agents", "greedy,greedy"], "2 agents for 4 players"),
        (vec!["--players", "3"], "`woo` is for 4 players"),
        (vec!["--view", "4"], "--view must be"),
        (vec!["--notation", "mpsz"], "mpsz cannot write every tile"),
        (vec!["--games", "many"], "invalid value"),
        (vec!["--log", "/no/such/folder/x.jsonl"], "No such file"),
    ] {
        let mut all = args.clone();
        if !args.contains(&"--log") {
            all.extend(["--log", log]);
        }
        let output = run("simulate", &all);
        assert!(!output.status.success(), "{args:?}");
        let message = text(&output.stderr);
        assert!(message.contains(want), "{args:?}: {message}");
        assert!(!message.contains("panicked"));
        // No log is left behind, whole or in part.
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{args:?}");
    }
}

#[test]
fn replay_names_the_line_that_is_wrong() {
    let folder = folder("corrupt");
    let log = folder.join("log.jsonl");
    let path = log.to_str().unwrap();
    let output = run(
        "simulate",
        &["--games", "2", "--agents", "greedy", "--log", path],
    );
    assert!(output.status.success());
    let whole = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let replay_of = |bytes: &[u8]| {
        fs::write(&log, bytes).unwrap();
        let output = run("replay", &[path]);
        assert!(!text(&output.stderr).contains("panicked"));
        (output.status.code(), text(&output.stdout))
    };
    let with_line = |number: usize, new: &[u8]| {
        let mut bytes = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            bytes.extend_from_slice(if i + 1 == number {
                new
            } else {
                line.as_bytes()
            });
            bytes.push(b'\n');
        }
        bytes
    };
    let (status, report) = replay_of(whole.as_bytes());
    assert_eq!((status, report.lines().count()), (Some(0), 2));

    let (status, report) = replay_of(&with_line(5, b"\xff\xfe"));
    assert_eq!(status, Some(1));
    assert!(report.contains("log.jsonl:5: no line of a log"), "{report}");

    let other = lines[3].replace("\"actor\":", "\"actor\":9");
    let (status, report) = replay_of(&with_line(4, other.as_bytes()));
    assert_eq!(status, Some(1));
    assert!(report.contains("log.jsonl:4: "), "{report}");

    // A log that claims a game without end is not played to its end.
    let endless = whole.replace("\"rounds\":8", "\"rounds\":1000000000");
    assert_ne!(endless, whole);
    fs::write(&log, endless).unwrap();
    let output = run("replay", &["--from-seed", path]);
    assert_eq!(output.status.code(), Some(1));

    let half = &whole.as_bytes()[..whole.len() / 3];
    let (status, _) = replay_of(half);
    assert_eq!(status, Some(1));
    let cut: String = lines[..lines.len() - 5].join("\n");
    let (status, report) = replay_of(cut.as_bytes());
    assert_eq!(status, Some(1));
    assert!(report.contains("breaks off"), "{report}");

    let (status, report) = replay_of(b"");
    assert_eq!(status, Some(1));
    assert!(report.contains("no game"));
    let deep = vec![b'['; 200_000];
    assert_eq!(replay_of(&deep).0, Some(1));
    let missing = run("replay", &["/no/such/file"]);
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn plain_mjai_replays_under_the_rules_that_are_named() {
    let folder = folder("plain");
    let log = folder.join("games.mjson");
    let path = log.to_str().unwrap();
    let done = run(
        "simulate",
        &[
            "--ruleset",
            "riichi-tenhou",
            "--games",
            "4",
            "--notation",
            "mjai",
            "--log",
            path,
        ],
    );
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(!fs::read_to_string(&log).unwrap().contains("wall"));
    let under = |args: &[&str]| run("replay", &[args, &[path]].concat());
    assert!(under(&["--ruleset", "riichi-tenhou"]).status.success());
    let done = under(&[
        "--ruleset",
        "riichi-tenhou",
        "--option",
        "start-points=30000",
    ]);
    let said = text(&done.stdout);
    assert!(
        said.contains(&format!("{path}:2: expected")) && said.contains("30000"),
        "{said}"
    );
    assert_eq!(done.status.code(), Some(1));
    assert!(!under(&["--ruleset", "woo"]).status.success());
}

/// Some programs say of a draw nothing but what everybody gets.
#[test]
fn plain_mjai_replays_though_the_reasons_of_draws_are_not_told() {
    let folder = folder("reasons");
    let log = folder.join("games.mjson");
    let path = log.to_str().unwrap();
    let mut args = vec!["--ruleset", "riichi-tenhou", "--games", "40"];
    args.extend(["--agents", "greedy", "--notation", "mjai", "--log", path]);
    let done = run("simulate", &args);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.contains("kyushukyuhai"));
    let less = told.lines().map(|line| {
        let mut message: serde_json::Value = serde_json::from_str(line).unwrap();
        if message["type"] == "ryukyoku" {
            let fields = message.as_object_mut().unwrap();
            fields.retain(|name, _| name == "type" || name == "deltas");
        }
        format!("{message}\n")
    });
    fs::write(&log, less.collect::<String>()).unwrap();
    let done = run("replay", &["--ruleset", "riichi-tenhou", path]);
    assert!(done.status.success(), "{}", text(&done.stdout));
}

/// Programs do not agree on what setting a north aside is called.
#[test]
fn games_for_three_are_replayed_from_plain_mjai() {
    let folder = folder("three");
    let log = folder.join("games.mjson");
    let path = log.to_str().unwrap();
    let mut args = vec!["--ruleset", "riichi-sanma", "--games", "20"];
    args.extend(["--agents", "greedy", "--notation", "mjai", "--log", path]);
    let done = run("simulate", &args);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.matches("\"kita\"").count() > 100);
    let replays = |told: &str| {
        fs::write(&log, told).unwrap();
        let done = run("replay", &["--ruleset", "riichi-sanma", path]);
        assert!(done.status.success(), "{}", text(&done.stdout));
    };
    replays(&told);
    replays(&told.replace("kita", "nukidora"));
    let unnamed = told.lines().map(|line| match line.contains("kita") {
        true => line.replace(",\"pai\":\"N\"", "") + "\n",
        false => format!("{line}\n"),
    });
    replays(&unnamed.collect::<String>());
}

#[test]
fn a_win_in_riichi_without_its_under_indicators_is_not_guessed_at() {
    let folder = folder("under");
    let log = folder.join("games.mjson");
    let path = log.to_str().unwrap();
    let mut args = vec!["--ruleset", "riichi-mcgill", "--games", "4"];
    args.extend(["--notation", "mjai", "--log", path]);
    assert!(run("simulate", &args).status.success());
    let told = fs::read_to_string(&log).unwrap();
    let less = told.lines().map(|line| {
        let mut message: serde_json::Value = serde_json::from_str(line).unwrap();
        let fields = message.as_object_mut().unwrap();
        fields.retain(|name, _| name != "ura_markers" && name != "uradora_markers");
        format!("{message}\n")
    });
    fs::write(&log, less.collect::<String>()).unwrap();
    let done = run("replay", &["--ruleset", "riichi-mcgill", path]);
    let said = text(&done.stdout);
    assert!(
        said.contains("does not show the under-indicators of a win in riichi"),
        "{said}"
    );
}

/// A hand that lacks one tile waits only for tiles with which it wins.
#[test]
fn score_names_the_tiles_that_win() {
    let said = |args: &[&str]| {
        let output = run("score", args);
        assert!(!output.status.success(), "{}", text(&output.stdout));
        text(&output.stderr)
    };
    // East completes the hand, which then has less than eight fan.
    let hand = ["--seat", "S", "--from", "W", "123s456s789tEE22m", "9m"];
    let waits = said(&[&["--ruleset", "mcr"], &hand[..]].concat());
    assert!(
        waits.contains("no tile wins. With 2m E it is complete but not worth enough"),
        "{waits}"
    );
    let waits = said(&[&["--ruleset", "woo"], &hand[..]].concat());
    assert!(waits.contains("ready and waits for 2m E."), "{waits}");
    // A pung of dragons is worth a faan, and one of winds of another seat nothing.
    let hand = ["--option", "minimum=2", "--seat", "S", "--from", "W"];
    let hand = [&hand[..], &["123s456s789tNNCC", "9m"]].concat();
    let waits = said(&[&["--ruleset", "hong-kong-old-style"], &hand[..]].concat());
    assert!(
        waits.contains("waits for C. With N it is complete but not worth enough"),
        "{waits}"
    );
    // Three suits win nothing, whatever the hand is worth.
    let hand = ["--seat", "S", "--from", "W", "123s456t789t111m2m", "9m"];
    let waits = said(&[&["--ruleset", "sichuan"], &hand[..]].concat());
    assert!(
        waits.contains("no tile wins. With 2m 3m it is complete but no win"),
        "{waits}"
    );
}

#[test]
fn watch_shows_exchanges_missing_suits_and_payments() {
    let watched = |args: &[&str]| {
        let output = run("watch", args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let shown = watched(&["--ruleset", "sichuan", "--seed", "1"]);
    // Three tiles given, three received.
    let gives = |line: &&str| line.contains(" gives ");
    assert_eq!(shown.lines().filter(gives).count(), 6, "{shown}");
    let does_without = |line: &&str| line.contains(" does without ");
    assert_eq!(shown.lines().filter(does_without).count(), 4, "{shown}");
    assert!(shown.contains(" tiles (you), without "), "{shown}");
    let many: Vec<String> = (1..=8)
        .map(|seed| watched(&["--ruleset", "sichuan", "--seed", &seed.to_string()]))
        .collect();
    for payment in [" has a kong", " wins with "] {
        assert!(
            many.iter().any(|shown| shown.contains(payment)),
            "{payment}"
        );
    }
    let many: Vec<String> = (1..=8)
        .map(|seed| watched(&["--ruleset", "malaysian", "--seed", &seed.to_string()]))
        .collect();
    for line in [" with a joker as ", "        J stands for "] {
        assert!(many.iter().any(|shown| shown.contains(line)), "{line}");
    }
}

#[test]
fn watch_says_what_an_agent_compared() {
    let watched = |agents: &str, more: &[&str]| {
        let output = run(
            "watch",
            &[&["--ruleset", "woo", "--agents", agents], more].concat(),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    for (agents, told) in [("value", "worth "), ("greedy", "any 1 away, ")] {
        let (plain, explained) = (watched(agents, &[]), watched(agents, &["--explain"]));
        let is_reason = |line: &str| line.starts_with("  ") && line.contains(" away");
        let rest: String = explained
            .lines()
            .filter(|line| !is_reason(line))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(rest, plain, "reasons change the deal");
        let reasons: Vec<&str> = explained.lines().filter(|line| is_reason(line)).collect();
        assert!(
            reasons.len() > 50 && reasons.iter().any(|line| line.contains(told)),
            "{explained}"
        );
    }
}

/// Where play goes on after a win, each win is explained when it is paid.
#[test]
fn watch_explains_every_win() {
    let mut several = 0;
    for seed in 1..=6 {
        let output = run(
            "watch",
            &["--ruleset", "sichuan", "--seed", &seed.to_string()],
        );
        let shown = text(&output.stdout);
        let is_win = |line: &&str| {
            let (winner, rest) = line.split_at_checked(1).unwrap_or(("", ""));
            "ESWN".contains(winner) && rest.starts_with(" wins") && rest.contains(" with ")
        };
        let wins = shown.lines().filter(is_win).count();
        let explained = shown
            .lines()
            .filter(|line| line.contains(" points: "))
            .count();
        assert_eq!(wins, explained, "{shown}");
        several += usize::from(wins > 1);
    }
    assert!(several > 0);
}

/// Where the points under the named rulesets differ, each score is explained, and why patterns of the others are missing.
#[test]
fn compare_explains_differences() {
    let compared = |args: &[&str]| {
        let output = run("compare", args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let hand = ["--seat", "S", "--from", "E", "123s456s789s66s45s", "3s"];
    let all = compared(&hand);
    assert_eq!(
        all.lines().count(),
        paishan::ruleset::ids().count(),
        "{all}"
    );
    let two = ["--in", "hong-kong-old-style", "--in", "uzje"];
    let shown = compared(&[&two[..], &hand[..]].concat());
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("hong-kong-old-style") && lines[1].starts_with("uzje"));
    for line in ["-- hong-kong-old-style --", "-- uzje --"] {
        assert!(lines.contains(&line), "{shown}");
    }
    // The steps to the points, and what does not count.
    assert!(shown.contains("table(steps, "), "{shown}");
    assert!(shown.contains("pow2(doubles)"), "{shown}");
    assert!(shown.contains("  no such patterns: "), "{shown}");
    let (_, uzje) = shown.split_once("-- uzje --\n").unwrap();
    assert_eq!(lines[1].split_whitespace().nth(1), uzje.split(' ').next());
    // The same points need no words.
    let same = ["--in", "riichi-ema", "--in", "riichi-wrc"];
    let shown = compared(&[&same[..], &hand[..]].concat());
    assert_eq!(shown.lines().count(), 2, "{shown}");
}

/// The strongest agent comes first, and threads change nothing.
#[test]
fn a_ladder_rates_agents() {
    let args = [
        "random",
        "greedy",
        "greedy-30",
        "--ruleset",
        "woo",
        "--games",
        "4",
    ];
    let output = run("ladder", &args);
    let told = text(&output.stdout);
    let rows: Vec<Vec<&str>> = told
        .lines()
        .skip(3)
        .take(3)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0][..2], ["greedy", "1000"], "{told}");
    assert_eq!([rows[1][0], rows[2][0]], ["greedy-30", "random"], "{told}");
    let skill = told
        .lines()
        .find_map(|line| line.strip_prefix("skill index"));
    let skill = skill.unwrap().split_whitespace().next().unwrap();
    assert!(
        (1.0..100.0).contains(&skill.parse::<f64>().unwrap()),
        "{told}"
    );
    let mut one = command("ladder");
    let one = one
        .args(args)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap();
    assert_eq!(text(&one.stdout), told);
    for wrong in [
        &["greedy"][..],
        &["greedy", "greedy"],
        &["greedy", "genius"],
    ] {
        assert_eq!(run("ladder", wrong).status.code(), Some(1), "{wrong:?}");
    }
}

/// An agent against itself gains nothing; `random` loses to `greedy` from every seat.
#[test]
fn agents_are_compared_from_every_seat() {
    let duel = |challenger: &str| {
        let args = [challenger, "greedy", "--ruleset", "woo", "--games", "2"];
        text(&run("duel", &args).stdout)
    };
    let same = duel("greedy");
    assert!(
        same.contains("points a deal more   +0.00 (95 %: "),
        "{same}"
    );
    let worse = duel("random");
    let line = worse.lines().nth(1).unwrap();
    assert!(line.starts_with("points a deal more   -"), "{worse}");
    assert!(!line.contains('+'), "{worse}");
    // The columns of the table: the label, the first agent, the others.
    let row = |name: &str| {
        let line = worse.lines().find_map(|line| line.strip_prefix(name));
        let numbers = line.unwrap_or_else(|| panic!("{name}: {worse}"));
        let numbers = numbers.split_whitespace();
        let numbers: Vec<f64> = numbers.filter_map(|word| word.parse().ok()).collect();
        numbers
    };
    let ranks = row("mean rank");
    assert!(ranks[0] > ranks[2], "{worse}");
    let wins = row("wins a deal");
    assert!(wins[0] < wins[1], "{worse}");
    let claims = row("claims a deal");
    assert!(claims.iter().all(|claims| *claims > 0.0), "{worse}");
    assert!(!worse.contains("announced hands"), "{worse}");
    assert!(duel("genius").is_empty());
    let args = ["random", "greedy", "--ruleset", "woo", "--games", "2"];
    let streams = run("duel", &[&args[..], &["--streams"]].concat());
    assert_ne!(text(&streams.stdout), worse);
    let line = text(&streams.stdout).lines().nth(1).unwrap().to_owned();
    assert!(line.starts_with("points a deal more   -"), "{line}");
}
