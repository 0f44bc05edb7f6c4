//! Tables over JSON, hosted by a program in another language.

use crate::text;
use std::process::Command;

/// The client in Python knows no game and plays several.
#[test]
fn a_client_in_python_hosts_matches() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands/host.py");
    for ruleset in ["riichi-tenhou", "uzje", "sichuan", "malaysian"] {
        let mut python = Command::new("python3");
        let program = env!("CARGO_BIN_EXE_paishan");
        let output = python.args([script, program, ruleset]).output();
        let output = output.expect("this test needs python3");
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{ruleset}: {errors}");
        assert!(text(&output.stdout).starts_with(&format!("{ruleset}: ")));
    }
}
