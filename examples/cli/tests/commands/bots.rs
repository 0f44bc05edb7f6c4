//! Bots that speak mjai. One that does not play fair ends the run with a sentence about it, and nothing of it is left.

use super::{folder, run, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A bot that discards what it draws, or `TILE` each time if there is one, as a command.
fn tiny_bot(folder: &Path, tile: &str) -> String {
    let file = folder.join("tiny-bot.sh");
    let script = r#"
        while read -r line; do
            case $line in
            *'"type":"start_game"'*) id=${line##*'"id":'} id=${id%%[!0-9]*} ;;
            *'"type":"end_game"'*) exit ;;
            '{"type":"tsumo","actor":'"$id",*)
                drawn=${line##*'"pai":"'} pai=${TILE:-${drawn%%'"'*}} tsumogiri=true
                [ -z "$TILE" ] || tsumogiri=false
                echo '{"type":"dahai","actor":'"$id"',"pai":"'"$pai"'","tsumogiri":'"$tsumogiri"'}'
                continue ;;
            esac
            echo '{"type":"none"}'
        done"#;
    fs::write(&file, format!("TILE={tile}\n{script}\n")).unwrap();
    format!("sh '{}'", file.display())
}

fn bot_games(folder: &Path, command: &str, more: &[&str]) -> (Output, PathBuf) {
    let log = folder.join("games.jsonl");
    let _ = fs::remove_file(&log);
    let mut args = vec![
        "--ruleset",
        "riichi-mcgill",
        "--option",
        "rounds=1",
        "--games",
        "3",
    ];
    let bot = format!("bot={command}");
    args.extend(["--agents", "bot,greedy,bot,random", "--bot", &bot]);
    args.extend(["--log", log.to_str().unwrap()]);
    args.extend(more);
    (run("simulate", &args), log)
}

#[test]
fn a_bot_that_speaks_mjai_plays() {
    let folder = folder("bot");
    let bot = tiny_bot(&folder, "");
    let (done, log) = bot_games(&folder, &bot, &["--with-legal", "--threads", "2"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let first = fs::read(&log).unwrap();
    let replayed = run("replay", &[log.to_str().unwrap()]);
    assert!(replayed.status.success(), "{}", text(&replayed.stdout));
    assert_eq!(text(&replayed.stdout).matches(": ok").count(), 3);
    let (_, log) = bot_games(&folder, &bot, &["--with-legal", "--threads", "1"]);
    assert!(first == fs::read(&log).unwrap());
    // A discard without `tsumogiri` is that of the drawn tile.
    let file = folder.join("tiny-bot.sh");
    let script = fs::read_to_string(&file).unwrap();
    let shorter = script.replace(r#","tsumogiri":'"$tsumogiri"'}'"#, "}'");
    assert_ne!(script, shorter);
    fs::write(&file, shorter).unwrap();
    let (done, log) = bot_games(&folder, &bot, &["--with-legal"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(first == fs::read(&log).unwrap());
}

#[test]
fn a_bot_is_told_a_late_indicator_before_the_discard() {
    let folder = folder("bot-dora");
    let told = folder.join("told.jsonl");
    let bot = format!("bot={}", tiny_bot(&folder, ""));
    let file = folder.join("tiny-bot.sh");
    let script = fs::read_to_string(&file).unwrap();
    let writes = format!(r#"do echo "$line" >>'{}'"#, told.display());
    fs::write(&file, script.replacen("do", &writes, 1)).unwrap();
    let _ = fs::remove_file(&told);
    let args = ["--ruleset", "riichi-mcgill", "--games", "12"];
    let agents = ["--agents", "bot,random,random,random", "--bot", &bot];
    let done = run("simulate", &[args.as_slice(), &agents].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let told = fs::read_to_string(&told).unwrap();
    let kind = |line: &str| line.split('"').nth(3).unwrap_or_default().to_owned();
    let kinds: Vec<String> = told.lines().map(kind).collect();
    let has = |three: [&str; 3]| kinds.windows(3).any(|found| found == three);
    assert!(has(["tsumo", "dora", "dahai"]));
    assert!(!kinds.windows(2).any(|two| two == ["dahai", "dora"]));
}

#[test]
fn a_bot_that_fails_stops_the_run_and_is_named() {
    let folder = folder("bad-bot");
    let quick = ["--bot-startup", "1", "--bot-limit", "1"];
    let bad = [
        (
            "sh -c 'exit 3'".to_owned(),
            "line 1, {\"type\":\"start_game\"",
            "the bot has ended (exit status: 3)",
        ),
        ("/no/such/bot".to_owned(), "player 0", "does not start"),
        ("sleep 60".to_owned(), "line 1,", "no answer within 1s"),
        (
            "yes nonsense".to_owned(),
            "line 1,",
            "the answer `nonsense` is no message",
        ),
        (
            "sh -c 'read l; echo {\\\"type\\\":\\\"none\\\"}; exec sleep 60'".to_owned(),
            "line 2,",
            "no answer within 1s",
        ),
        (
            tiny_bot(&folder, "1z"),
            "line 3:",
            "\"pai\":\"1z\",\"tsumogiri\":false} is not legal",
        ),
        (
            "yes {\\\"type\\\":\\\"none\\\"}".to_owned(),
            "line 3:",
            "`none` where it has to act",
        ),
    ];
    for (command, place, fault) in bad {
        let (done, log) = bot_games(&folder, &command, &quick);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("game 0 (game_seed "), "{said}");
        assert!(said.contains("the bot of player 0"), "{said}");
        assert!(
            said.contains(place) && said.contains(fault),
            "{command}: {said}"
        );
        assert!(!log.exists(), "nothing was played");
    }
    let riichi = ["--ruleset", "riichi-mcgill"];
    for (ruleset, args, fault) in [
        (riichi, &["--agents", "bot"][..], "unknown agent `bot`"),
        (riichi, &["--bot", "bot=cat"], "no agent is the bot `bot`"),
        (riichi, &["--bot", "cat"], "there is no `=`"),
        (riichi, &["--bot", "bot= "], "there is no command"),
        (riichi, &["--bot", "a,b=cat"], "`a,b` cannot be a name"),
        (
            riichi,
            &["--bot", "greedy=cat"],
            "an agent without a program",
        ),
        (
            riichi,
            &["--agents", "bot", "--bot", "bot=cat", "--bot-limit=-1"],
            "--bot-limit",
        ),
        (
            ["--ruleset", "woo"],
            &["--agents", "bot", "--bot", "bot=cat"],
            "no words for `woo`",
        ),
        (["--ruleset", "woo"], &["--notation", "mjai"], "no Riichi"),
        (
            riichi,
            &["--notation", "mjai", "--with-legal"],
            "no decisions",
        ),
    ] {
        let output = run("simulate", &[&ruleset[..], args].concat());
        let said = text(&output.stderr);
        assert!(
            !output.status.success() && said.contains(fault),
            "{args:?}: {said}"
        );
    }
}

/// Two bots with their own commands play beside agents of the crate. Each is one process a seat for the whole run and is
/// told at each start who it is.
#[test]
fn several_bots_play_in_one_process_a_seat() {
    let folder = folder("several-bots");
    let command = tiny_bot(&folder, "");
    // It stays after the end of a game.
    let file = folder.join("tiny-bot.sh");
    let script = fs::read_to_string(&file).unwrap();
    let leave = r#"*'"type":"end_game"'*) exit ;;"#;
    assert!(script.contains(leave));
    fs::write(&file, script.replace(leave, "")).unwrap();
    let started = folder.join("started");
    let _ = fs::remove_file(&started);
    let count = format!("sh -c \"echo >> '{}'; exec {command}\"", started.display());
    let log = folder.join("games.jsonl");
    let mut args = vec!["--ruleset", "riichi-mcgill", "--option", "rounds=1"];
    args.extend(["--games", "3", "--agents", "one,greedy,other,one"]);
    let bots = [format!("one={count}"), format!("other={command}")];
    args.extend(["--bot", &bots[0], "--bot", &bots[1]]);
    args.extend(["--log", log.to_str().unwrap()]);
    let output = run("simulate", &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read(&started).unwrap().len(), 2, "one process a seat");
    let log = fs::read_to_string(&log).unwrap();
    let names = r#""names":["one","greedy","other","one"]"#;
    assert_eq!(log.matches(names).count(), 3);
}

/// Bots play duels on either side, each in one process a seat, and the bot moves from seat to seat.
#[test]
fn bots_play_duels() {
    let folder = folder("bot-duel");
    let bot = format!("bot={}", tiny_bot(&folder, ""));
    let rules = ["--ruleset", "riichi-mcgill", "--option", "rounds=1"];
    let duel = |agents: [&str; 2]| {
        let more = ["--games", "2", "--bot", &bot];
        run("duel", &[&agents[..], &rules, &more].concat())
    };
    let output = duel(["bot", "greedy"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        said.contains("bot against greedy, 2 games from each of 4 seats"),
        "{said}"
    );
    assert!(said.contains("points a deal more   -"), "{said}");
    assert_eq!(text(&duel(["bot", "greedy"]).stdout), said);
    let said = text(&duel(["greedy", "bot"]).stdout);
    assert!(said.contains("points a deal more   +"), "{said}");
    // A bot that leaves in a game is named with its player in that game.
    let leaves = "bot=sh -c 'read line; echo {\\\"type\\\":\\\"none\\\"}'";
    let output = run(
        "duel",
        &[&["greedy", "bot"], &rules[..], &["--bot", leaves]].concat(),
    );
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the bot of player 1: line 2"), "{said}");
}

/// A bot as a line of shell.
fn shell(folder: &Path, script: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = folder.join("bot.sh");
    fs::write(&file, script).unwrap();
    let (output, log) = bot_games(folder, &format!("sh {}", file.display()), more);
    assert!(!log.exists(), "no log is left of a run that failed");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn a_bot_that_floods_is_stopped() {
    let folder = folder("bot-flood");
    let (status, said) = shell(&folder, "yes | tr -d '\\n'", &[]);
    assert_eq!(status, Some(2));
    assert!(
        said.contains("no message: no text, or more than 65536 bytes in a line"),
        "{said}"
    );
    // Lines without end are no better: the second one answers nothing that was asked.
    let (status, said) = shell(&folder, "yes '{\"type\":\"none\"}'", &[]);
    assert_eq!(status, Some(2));
    assert!(said.contains("has to act"), "{said}");
    // What is no text is no message.
    let (status, said) = shell(&folder, "printf '\\377\\376\\n'; cat > /dev/null", &[]);
    assert_eq!(status, Some(2));
    assert!(said.contains("no message: no text"), "{said}");
}

#[test]
fn a_bot_that_neither_reads_nor_answers_has_its_time() {
    let folder = folder("bot-silent");
    let limits = ["--bot-startup", "0.3", "--bot-limit", "0.3"];
    let (status, said) = shell(&folder, "exec sleep 1000", &limits);
    assert_eq!(status, Some(2));
    assert!(said.contains("no answer within 300ms"), "{said}");
    let (status, said) = shell(&folder, "exec >&-; cat > /dev/null", &limits);
    assert_eq!(status, Some(2));
    assert!(
        said.contains("closed its output") || said.contains("has ended"),
        "{said}"
    );
}

#[test]
fn a_refused_answer_keeps_its_text_and_lists_legal_actions() {
    let folder = folder("bot-refused");
    let answers = |first: &str, other: &str| {
        format!(
            "while read -r line; do case $line in *start_game*) id=${{line##*'\"id\":'}} id=${{id%%[!0-9]*}}; \
             echo '{first}' ;; '{{\"type\":\"tsumo\",\"actor\":'\"$id\",*) echo '{other}' ;; \
             *) echo '{{\"type\":\"none\"}}' ;; esac; done"
        )
    };
    let none = r#"{"type":"none"}"#;
    let strange = r#"{"type":"moo","loud":true}"#;
    let (status, said) = shell(&folder, &answers(none, strange), &[]);
    assert_eq!(status, Some(2), "{said}");
    let refused = format!("line 3: {strange} is not legal; legal are [");
    assert!(said.contains(&refused), "{said}");
    let listed = r#"{"type":"dahai","actor":0,"pai":""#;
    assert!(said.contains(listed), "{said}");
    // A discard cannot answer the start of a game.
    let early = r#"{"type":"dahai","actor":0,"pai":"1m"}"#;
    let (status, said) = shell(&folder, &answers(early, none), &[]);
    assert_eq!(status, Some(2), "{said}");
    let place = r#"line 1, {"type":"start_game""#;
    let refused = format!("the answer `{early}` where it has nothing to decide");
    assert!(said.contains(place) && said.contains(&refused), "{said}");
}

/// With `--bot-actions` a bot that takes the first listed action wherever there is a list plays every game.
#[test]
fn messages_list_the_legal_actions() {
    let folder = folder("bot-actions");
    let file = folder.join("bot.sh");
    let script = r#"
        while read -r line; do
            case $line in
            *'"possible_actions":['*)
                actions=${line##*'"possible_actions":['}
                echo "${actions%%\}*}}" ;;
            *) echo '{"type":"none"}' ;;
            esac
        done"#;
    fs::write(&file, script).unwrap();
    let bot = format!("sh {}", file.display());
    let (done, log) = bot_games(&folder, &bot, &["--bot-actions"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let log = fs::read_to_string(&log).unwrap();
    // Bots are players 0 and 2.
    for actor in [0, 2] {
        let acts = format!(r#"{{"type":"dahai","actor":{actor},"#);
        assert!(log.matches(&acts).count() > 20);
    }
    let (done, _) = bot_games(&folder, &bot, &[]);
    let said = text(&done.stderr);
    assert!(said.contains("`none` where it has to act"), "{said}");
}

/// Processes whose command line has a word in it.
fn alive(word: &str) -> bool {
    let found = Command::new("sh")
        .arg("-c")
        .arg(format!("for p in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $p 2>/dev/null | grep -q '^sleep {word}' && echo $p; done"))
        .output()
        .unwrap();
    !found.stdout.is_empty()
}

#[test]
fn what_a_bot_has_started_ends_with_it() {
    let folder = folder("bot-family");
    for (seconds, script) in [
        ("98761", "sleep 98761 & read line; exit 7"),
        ("98762", "sleep 98762 & sleep 98762"),
        ("98763", "(sleep 98763 & sleep 98763) & yes | tr -d '\\n'"),
    ] {
        let limits = ["--bot-startup", "0.3", "--bot-limit", "0.3"];
        let (status, _) = shell(&folder, script, &limits);
        assert_eq!(status, Some(2));
        // The system may take a moment to end them.
        let start = Instant::now();
        while alive(seconds) && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(!alive(seconds), "{script}");
    }
}

/// A run that is interrupted takes its bots with it, though they are in groups of their own.
#[test]
fn an_interrupted_run_ends_its_bots() {
    let folder = folder("bot-interrupt");
    let file = folder.join("bot.sh");
    fs::write(&file, "sleep 98764 & exec sleep 98764").unwrap();
    let mut run = super::command("simulate")
        .args([
            "--ruleset",
            "riichi-mcgill",
            "--games",
            "1",
            "--agents",
            "bot",
        ])
        .args(["--bot", &format!("bot=sh {}", file.display())])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait_until = |wanted: bool| {
        let start = Instant::now();
        while alive("98764") != wanted && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(alive("98764"), wanted);
    };
    wait_until(true);
    let id = run.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(run.wait().unwrap().code(), Some(130));
    wait_until(false);
}
