//! Every command of the README runs, and what they write stays out of git and of the package. (The README's Rust
//! code is tested with the docs.)

use crate::common::example;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the commands of the README in `folder`.
fn run_commands(folder: &Path) {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let mut ran = 0;
    for line in readme.lines() {
        let Some((before, command)) = line.split_once("cargo run --release --example ") else {
            continue;
        };
        let mut words = command.split_whitespace().filter(|word| *word != "--");
        let name = words.next().unwrap();
        let mut program = example(name);
        program.current_dir(folder).args(words);
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

/// The lines that a command prints.
fn lines(command: &mut Command) -> Vec<String> {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Git in `folder`, without the settings of whoever runs the test. `None` where git is not installed.
fn git(folder: &Path, args: &[&str]) -> Option<Command> {
    let is_installed = Command::new("git")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    let mut git = Command::new("git");
    git.current_dir(folder)
        .args(["-c", "core.excludesFile="])
        .args(args);
    is_installed.then_some(git)
}

/// The commands run in a copy of the package that has its manifest and `.gitignore` and a library without code.
#[test]
fn the_commands_of_the_readme_run_and_leave_the_tree_clean() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    let (manifest, _) = manifest.split_once("\n[[bench]]").unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    fs::copy(
        Path::new(ROOT).join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )
    .unwrap();
    run_commands(&folder);
    // Without `--report` it writes to its default folder.
    let mut playtest = example("playtest");
    playtest.args(["--ruleset", "woo", "--games", "1"]);
    lines(playtest.current_dir(&folder));
    assert!(folder.join("playtest/report.html").exists());

    let package = ["package", "--list", "--allow-dirty", "--offline"];
    let packed = lines(
        Command::new(env!("CARGO"))
            .args(package)
            .current_dir(&folder),
    );
    let own = ["Cargo.lock", "Cargo.toml", "Cargo.toml.orig", "src/lib.rs"];
    assert_eq!(packed, own, "`exclude` in Cargo.toml");

    let Some(mut init) = git(&folder, &["init", "--quiet"]) else {
        return;
    };
    lines(&mut init);
    fs::copy(
        Path::new(ROOT).join(".gitignore"),
        folder.join(".gitignore"),
    )
    .unwrap();
    let untracked = ["ls-files", "--others", "--exclude-standard"];
    let untracked = lines(&mut git(&folder, &untracked).unwrap());
    let own = [".gitignore", "Cargo.lock", "Cargo.toml", "src/lib.rs"];
    assert_eq!(untracked, own, ".gitignore");
}

/// Skipped where git is not installed or the sources are not a checkout.
#[test]
fn no_file_that_git_ignores_is_committed() {
    if !Path::new(ROOT).join(".git").exists() {
        return;
    }
    let tracked = ["ls-files", "--cached", "--ignored", "--exclude-standard"];
    if let Some(mut git) = git(Path::new(ROOT), &tracked) {
        assert_eq!(lines(&mut git), Vec::<String>::new());
    }
}
