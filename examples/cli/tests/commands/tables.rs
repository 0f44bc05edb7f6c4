//! Tables that people play at: over JSON, hosted by a program in another language, and in a terminal.

use crate::text;
use std::process::Command;

/// Runs a script in Python with the program and a ruleset. What it prints begins with the ruleset.
fn python(script: &str, ruleset: &str) {
    let script = format!("{}/tests/commands/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut python = Command::new("python3");
    let program = env!("CARGO_BIN_EXE_paishan");
    let output = python.args([&script, program, ruleset]).output();
    let output = output.expect("this test needs python3");
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{ruleset}: {errors}");
    assert!(text(&output.stdout).starts_with(&format!("{ruleset}: ")));
}

/// The client in Python knows no game and plays several.
#[test]
fn a_client_in_python_hosts_matches() {
    for ruleset in ["riichi-tenhou", "uzje", "sichuan", "malaysian"] {
        python("host.py", ruleset);
    }
}

/// A deal is played by keys in a pseudo-terminal, which is as before afterwards.
#[cfg(unix)]
#[test]
fn a_deal_is_played_in_a_terminal() {
    for ruleset in ["uzje", "riichi-mcgill", "sichuan", "malaysian"] {
        python("terminal.py", ruleset);
    }
    // Without a terminal there is an error, and no table.
    let output = crate::run("play", &["--ruleset", "woo"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("needs a terminal"));
}
