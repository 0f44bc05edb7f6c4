//! Every command of the README runs. (Its Rust code is tested with the docs.)

use crate::common::example;
use std::fs;

#[test]
fn the_commands_of_the_readme_run() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let mut ran = 0;
    for line in readme.lines() {
        let Some((before, command)) = line.split_once("cargo run --release --example ") else {
            continue;
        };
        let mut words = command.split_whitespace().filter(|word| *word != "--");
        let name = words.next().unwrap();
        let mut program = example(name);
        program.current_dir(env!("CARGO_TARGET_TMPDIR")).args(words);
        if name == "simulate" && !command.contains("--games") {
            program.args(["--games", "1"]);
        }
        if let Some(input) = before.strip_prefix("echo '") {
            let input = input.split('\'').next().unwrap();
            let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/readme-input");
            fs::write(file, input).unwrap();
            program.stdin(fs::File::open(file).unwrap());
        }
        let output = program.output().unwrap();
        assert!(
            output.status.success(),
            "{line}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(!(output.stdout.is_empty() && output.stderr.is_empty()));
        ran += 1;
    }
    assert!(ran >= 8, "{ran}");
}
