//! `--lang`: names in other languages.

use crate::{folder, run, text};
use std::fs;

/// What a subcommand prints.
fn printed(name: &str, args: &[&str]) -> String {
    let output = run(name, args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn score_and_compare_print_names_in_a_language() {
    let file = folder("names").join("my-woo.toml");
    let rules = "ruleset = { id = 'my-woo', extends = 'woo', name = { en = 'My Woo', zh = '我的' } }\n\
        patterns.woo.name = { en = 'Going out', zh = '和牌' }\n";
    fs::write(&file, rules).unwrap();
    let file = file.to_str().unwrap();
    let hand = ["111234567s55s67s", "8s"];
    for (lang, ruleset, pattern) in [
        (None, "My Woo", "Going out"),
        (Some("zh"), "我的", "和牌"),
        (Some("fi"), "My Woo", "Going out"),
    ] {
        let lang: Vec<&str> = lang.iter().flat_map(|lang| ["--lang", lang]).collect();
        let score = printed(
            "score",
            &[&hand[..], &["--rules", file], &lang[..]].concat(),
        );
        assert!(score.contains(&format!("\n{ruleset}\n\n")), "{score}");
        assert!(score.contains(&format!("\n  {pattern} ")), "{score}");
        let compared = printed("compare", &[&hand[..], &["--in", file], &lang[..]].concat());
        assert!(compared.contains(pattern), "{compared}");
    }
}

#[test]
fn watch_prints_actions_and_suits_in_a_language() {
    let watched = |lang: &str| printed("watch", &["--ruleset", "sichuan", "--lang", lang]);
    let (chinese, japanese) = (watched("zh"), watched("ja"));
    assert!(chinese.contains("\n→ 打 "), "{chinese}");
    assert!(
        ["without 筒子", "without 索子", "without 万子"]
            .iter()
            .any(|said| chinese.contains(said))
    );
    assert!(japanese.contains("\n→ ツモ切り "), "{japanese}");
    assert!(!chinese.contains("discard "), "{chinese}");
}

#[test]
fn a_malformed_language_is_refused() {
    for name in ["score", "compare", "watch", "play"] {
        let output = run(name, &["--lang", "ZH"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let errors = text(&output.stderr);
        assert!(
            errors.contains("`ZH` is no language tag"),
            "{name}: {errors}"
        );
    }
}
