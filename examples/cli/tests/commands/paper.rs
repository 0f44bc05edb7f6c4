//! `paishan rulebook`: what clubs print.

use super::{folder, run, text};
use paishan::{Lang, Rules, illustrate, ruleset};
use std::fs;
use std::path::Path;

/// A page refers to nothing outside of it.
fn is_self_contained(page: &str) {
    for outside in [
        "src=",
        "url(",
        "@import",
        "<link",
        "<iframe",
        "<object",
        "href=\"http",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    let links = page
        .match_indices("href=\"")
        .map(|(at, found)| &page[at + found.len()..]);
    for link in links {
        assert!(link.starts_with('#'), "{}", &link[..40.min(link.len())]);
    }
    assert!(page.contains("default-src 'none'"));
    assert!(page.trim_end().ends_with("</html>"));
}

fn book(args: &[&str], file: &Path) -> String {
    let file = file.to_str().unwrap();
    let output = run("rulebook", &[args, &["--html", file]].concat());
    assert!(
        output.status.success(),
        "{args:?}: {}",
        text(&output.stderr)
    );
    fs::read_to_string(file).unwrap()
}

const SECTIONS: [&str; 12] = [
    "The tiles",
    "The wall",
    "The deal",
    "The turn",
    "Claims",
    "Winning",
    "Patterns",
    "From patterns to points",
    "Settlement",
    "The match",
    "Quick reference",
    "Score sheet",
];

/// Patterns of which no hand exists: with no red five in the set, and runs in three suits with two ranks of one.
const WITHOUT_HANDS: [&str; 2] = ["red-five", "mixed-chiis"];

fn is_complete(id: &str, page: &str) {
    let rules = Rules::by_id(id).unwrap();
    for section in SECTIONS {
        assert!(
            page.contains(&format!("\">{section}</h2>")),
            "{id}: {section}"
        );
    }
    let plan = rules.plan();
    let all = illustrate::patterns(&rules);
    for one in all.iter().filter(|one| one.option.is_none()) {
        let patterns = plan.score().patterns();
        let pattern = patterns
            .iter()
            .find(|pattern| pattern.id == one.id)
            .unwrap();
        let heading = format!(
            "<h3>{}</h3>",
            paishan::text::escaped(pattern.names.get(Lang::EN))
        );
        let start = page
            .find(&heading)
            .unwrap_or_else(|| panic!("{id}: {heading}"));
        let rest = &page[start + heading.len()..];
        let end = rest
            .find("<h3>")
            .or_else(|| rest.find("<h2"))
            .unwrap_or(rest.len());
        let has_hand = rest[..end].contains("Has it: ");
        assert!(
            has_hand || WITHOUT_HANDS.contains(&one.id.as_str()),
            "{id}: {}",
            one.id
        );
    }
    for (option, _) in plan.options().iter() {
        assert!(
            page.contains(&format!("<code>{}=", option.name)),
            "{id}: {}",
            option.name
        );
    }
}

#[test]
fn every_built_in_ruleset_has_a_complete_rulebook() {
    let folder = folder("rulebooks");
    let ids: Vec<&str> = ruleset::ids().collect();
    std::thread::scope(|scope| {
        for half in ids.chunks(ids.len().div_ceil(2)) {
            let folder = &folder;
            scope.spawn(move || {
                for id in half {
                    let page = book(&["--ruleset", id], &folder.join(format!("{id}.html")));
                    is_self_contained(&page);
                    is_complete(id, &page);
                }
            });
        }
    });
}

#[test]
fn names_and_docs_of_a_hostile_file_are_escaped() {
    let folder = folder("hostile-rulebook");
    let rules = folder.join("hostile.toml");
    let hostile = "<script>alert('x')</script>\\\"><img src=x onerror=alert(1)>";
    fs::write(
        &rules,
        format!(
            "[ruleset]\nid = \"hostile\"\nextends = \"two-player\"\nname = \"{hostile}\"\ndoc = \"{hostile}\"\nsource = \"{hostile}\"\n\
             [patterns.mine]\nname.en = \"{hostile}\"\nname.zh = \"{hostile}\"\ndoubles = 1\nwhen = \"all-tiles(terminal)\"\ndoc = \"{hostile}\"\nsrc = \"{hostile}\"\n\
             [tiles.names]\ncircles = \"{hostile}\"\n\
             [flags.odd]\nwhen = \"draws-left == 3\"\ndoc = \"{hostile}\"\n\
             [options.odd]\ntype = \"bool\"\ndefault = false\nname.en = \"{hostile}\"\ndoc = \"{hostile}\"\nsrc = \"{hostile}\"\n"
        ),
    )
    .unwrap();
    let rules = rules.to_str().unwrap();
    for lang in ["en", "zh"] {
        let page = book(
            &["--rules", rules, "--lang", lang],
            &folder.join("page.html"),
        );
        assert!(
            !page.contains("<script") && !page.contains("<img"),
            "{page}"
        );
        assert!(page.matches("&lt;script&gt;").count() > 8);
        assert_eq!(
            page.matches("onerror").count(),
            page.matches("&lt;img src=x onerror").count()
        );
    }
    let markdown = folder.join("page.md");
    let output = run(
        "rulebook",
        &["--rules", rules, "--markdown", markdown.to_str().unwrap()],
    );
    assert!(output.status.success());
    let markdown = fs::read_to_string(markdown).unwrap();
    assert!(markdown.contains("\\<script\\>"));
    assert!(
        !markdown.replace("\\<script", "").contains("<script"),
        "{markdown}"
    );
}

/// An option that is set is in the book, and what it changes.
#[test]
fn options_change_the_rulebook() {
    let folder = folder("rulebook-options");
    let file = folder.join("book.html");
    let page = book(&["--ruleset", "uzje"], &file);
    assert!(page.contains("All options are at their defaults"));
    assert!(page.contains("4 walls of stacks") && !page.contains("<h2>6 walls"));
    assert!(page.contains("With <code>players=6</code>: The tiles: The set has 232 tiles"));
    let page = book(&["--ruleset", "uzje", "--option", "players=6"], &file);
    assert!(page.contains("Options in force: <code>players=6</code>"));
    assert!(page.contains("6 walls of stacks"));
    let output = run("rulebook", &["--ruleset", "uzje"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn names_are_in_the_languages_of_the_file() {
    let folder = folder("rulebook-languages");
    let page = book(
        &["--ruleset", "two-player", "--lang", "zh"],
        &folder.join("zh.html"),
    );
    assert!(page.contains("<html lang=\"zh\">"));
    let plan = Rules::by_id("two-player").unwrap();
    let plan = plan.plan();
    let names = plan
        .score()
        .patterns()
        .iter()
        .filter_map(|one| one.names.given_in(Lang::ZH));
    let mut count = 0;
    for name in names {
        assert!(page.contains(&format!("<h3>{name}</h3>")), "{name}");
        count += 1;
    }
    assert!(count > 0);
}
