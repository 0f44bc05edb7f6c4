//! What clubs print and exchange: rulebooks, ledgers, pages of logs, JSON of Tenhou.

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
             [tiles.suits]\nt.name = \"{hostile}\"\n\
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

#[test]
fn a_log_becomes_a_page() {
    let folder = folder("replay-page");
    let [log, page] = ["games.jsonl", "page.html"].map(|name| folder.join(name));
    let [log, page] = [&log, &page].map(|path| path.to_str().unwrap());
    let args = [
        "--ruleset",
        "two-player",
        "--games",
        "2",
        "--seed",
        "3",
        "--agents",
        "greedy",
        "--log",
        log,
    ];
    assert!(run("simulate", &args).status.success());
    let hostile = fs::read_to_string(log).unwrap();
    let hostile = hostile.replace(
        "\"names\":[\"greedy\"",
        "\"names\":[\"</script><script>alert(1)</script>\"",
    );
    fs::write(log, hostile).unwrap();
    let done = run("replay", &["--html", page, "--game", "2", log]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let html = fs::read_to_string(page).unwrap();
    is_self_contained(&html);
    assert_eq!(html.matches("<script").count(), 1);
    assert_eq!(html.matches("</script").count(), 1);
    assert!(html.contains("&lt;/script&gt;"));
    for part in [
        "id=\"back\"",
        "id=\"on\"",
        "id=\"win\"",
        "id=\"hands\"",
        "ArrowRight",
        "class=\\\"explanation\\\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    let done = run("replay", &["--html", page, "--game", "3", log]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("game 3 is not there"));
}

#[test]
fn a_ledger_is_settled_and_wrong_lines_are_named() {
    let folder = folder("ledger");
    let [file, page, table] =
        ["evening.txt", "page.html", "table.csv"].map(|name| folder.join(name));
    fs::write(
        &file,
        "# Friday\nruleset hong-kong-old-style\nplayers Anna, <Bo>, Chen, Dee\n3 won off 2, 16 points\ndraw\nAnna pays Dee 4 points: a broken tile\n",
    )
    .unwrap();
    let [file, page, table] = [&file, &page, &table].map(|path| path.to_str().unwrap());
    let done = run("ledger", &["--html", page, "--csv", table, file]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("deal 3, round E: "));
    let html = fs::read_to_string(page).unwrap();
    is_self_contained(&html);
    assert!(
        html.contains("<h1>Friday</h1>") && html.contains("&lt;Bo&gt;") && !html.contains("<Bo>")
    );
    let table = fs::read_to_string(table).unwrap();
    assert!(table.starts_with("table,line,deal,round,dealer,entry,player,change,total,rank\n"));
    assert_eq!(table.lines().count(), 1 + 3 * 4 + 4);
    fs::write(
        file,
        "ruleset woo\nplayers A, B, C, D\n\n9 won, 3 points\nnothing\n",
    )
    .unwrap();
    let done = run("ledger", &[file]);
    assert_eq!(done.status.code(), Some(1));
    let said = text(&done.stderr);
    assert!(
        said.contains("evening.txt:4: there is no player `9`"),
        "{said}"
    );
    assert!(
        said.contains("evening.txt:5: `nothing` is no line of a ledger"),
        "{said}"
    );
}

/// A game goes to JSON of Tenhou and back, with every decision and every payment.
#[test]
fn games_go_to_the_json_of_tenhou_and_back() {
    let folder = folder("tenhou");
    let [log, json, again] =
        ["games.jsonl", "game.json", "again.json"].map(|name| folder.join(name));
    let [log, json, again] = [&log, &json, &again].map(|path| path.to_str().unwrap());
    for (id, games) in [("riichi-tenhou", 6), ("riichi-sanma", 4)] {
        let all = games.to_string();
        let args = [
            "--ruleset",
            id,
            "--games",
            &all,
            "--seed",
            "4",
            "--agents",
            "greedy",
            "--log",
            log,
        ];
        assert!(run("simulate", &args).status.success());
        for game in 1..=games {
            let game = game.to_string();
            let done = run("replay", &["--tenhou", json, "--game", &game, log]);
            assert!(done.status.success(), "{}", text(&done.stderr));
            // The replay compares all changes of totals with those of the engine.
            let done = run("replay", &["--tenhou", again, json]);
            assert!(done.status.success(), "{id} {game}: {}", text(&done.stdout));
            let [first, second] = [json, again].map(|path| {
                let text = fs::read_to_string(path).unwrap();
                serde_json::from_str::<serde_json::Value>(&text).unwrap()
            });
            assert_eq!(first["log"], second["log"], "{id} {game}");
            assert_eq!(first["rule"], second["rule"]);
        }
    }
    fs::write(json, "{\"log\":[[[0,0,0],[]]]}").unwrap();
    let done = run("replay", &[json]);
    assert!(
        text(&done.stdout).contains("deal 1: "),
        "{}",
        text(&done.stdout)
    );
}
