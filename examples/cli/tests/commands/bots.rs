//! Bots that do not play fair: each ends the run with a sentence about it, and nothing of it is left.

use super::{bot_games, folder, text};
use std::process::Command;
use std::time::{Duration, Instant};

/// A bot as a line of shell.
fn shell(folder: &std::path::Path, script: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = folder.join("bot.sh");
    std::fs::write(&file, script).unwrap();
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
    let limits = ["--mjai-startup", "0.3", "--mjai-limit", "0.3"];
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
        let limits = ["--mjai-startup", "0.3", "--mjai-limit", "0.3"];
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
    std::fs::write(&file, "sleep 98764 & exec sleep 98764").unwrap();
    let mut run = super::command("simulate")
        .args([
            "--ruleset",
            "riichi-mcgill",
            "--games",
            "1",
            "--agents",
            "mjai",
        ])
        .args(["--mjai", &format!("sh {}", file.display())])
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
