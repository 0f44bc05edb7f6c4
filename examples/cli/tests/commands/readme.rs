//! Every command of the README and the guides and every example of the library runs, and what they write stays out of git and of the
//! package. (The README's Rust code is tested with the docs.)

use super::command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The folder of the small examples, built with the profile of this test.
fn examples() -> PathBuf {
    let profile = Path::new(env!("CARGO_BIN_EXE_paishan")).parent().unwrap();
    // `cargo test --workspace` has built them. `cargo test -p paishan-cli` has not.
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--workspace", "--examples", "--quiet"]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    lines(build.current_dir(ROOT));
    profile.join("examples")
}

/// The README and the guides.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "src/guide/apps.md",
    "src/guide/designers.md",
    "src/guide/researchers.md",
    "src/guide/clubs.md",
];

/// Runs the commands of all documents in `folder`.
fn run_commands(folder: &Path) {
    let texts = DOCUMENTS.map(|file| fs::read_to_string(Path::new(ROOT).join(file)).unwrap());
    let examples = examples();
    let folder_of_examples = format!("{}/", examples.to_str().unwrap());
    let built = |word: &str| word.replace("target/release/examples/", &folder_of_examples);
    let (mut ran, mut in_shell) = (0, false);
    for line in texts.iter().flat_map(|text| text.lines()) {
        if line.starts_with("```") {
            in_shell = line == "```sh";
        }
        if !in_shell {
            continue;
        }
        let words = shlex::split(line).unwrap();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut input = "";
        if let ["echo", text, "|", ..] = words[..] {
            input = text;
            words.drain(..3);
        }
        let (mut program, args) = match words[..] {
            ["paishan", name, ref args @ ..]
            | [
                "cargo",
                "run",
                "--release",
                "-p",
                "paishan-cli",
                "--",
                name,
                ref args @ ..,
            ] => (command(name), args),
            [
                "cargo",
                "run",
                "--release",
                "--example",
                name,
                ref args @ ..,
            ] => {
                let mut example = Command::new(examples.join(name));
                if line.ends_with("--example simulate") {
                    example.args(["--games", "1"]);
                }
                (example, args.strip_prefix(&["--"]).unwrap_or(args))
            }
            _ => continue,
        };
        let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/readme-input");
        fs::write(file, input).unwrap();
        program.stdin(fs::File::open(file).unwrap());
        program.args(args.iter().map(|word| built(word)));
        let output = program.current_dir(folder).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}\n{errors}");
        assert!(!(output.stdout.is_empty() && errors.is_empty()), "{line}");
        ran += 1;
    }
    assert!(ran >= 30, "{ran}");
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
fn the_commands_of_the_documents_run_and_leave_the_tree_clean() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    let (manifest, _) = manifest.split_once("\n[lints]").unwrap();
    // The copy is in the target folder, but not in the workspace.
    fs::write(
        folder.join("Cargo.toml"),
        format!("{manifest}\n[workspace]\n"),
    )
    .unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    fs::copy(
        Path::new(ROOT).join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )
    .unwrap();
    run_commands(&folder);
    // Without `--report` it writes to its default folder.
    let mut playtest = command("playtest");
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

/// The bot that speaks mjai waits for messages and says nothing by itself.
#[test]
fn every_example_runs() {
    let built = examples();
    for source in fs::read_dir(Path::new(ROOT).join("examples")).unwrap() {
        let source = source.unwrap().path();
        if source.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let name = source.file_stem().unwrap();
        let mut example = Command::new(built.join(name));
        if name == "simulate" {
            example.args(["--games", "1"]);
        }
        let said = lines(example.stdin(Stdio::null()));
        assert_eq!(said.is_empty(), name == "mjai_bot", "{name:?}");
    }
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
