//! What a rulebook says of rules that a sentence, a formula or a table must get right.

use super::tables;
use super::words::chapters;
use crate::document::Document;
use crate::lang::Lang;
use crate::ruleset::{Rules, Source, parse_option};

fn rules(id: &str, options: &[&str]) -> Rules {
    let options: Vec<_> = options
        .iter()
        .map(|text| parse_option(text).unwrap())
        .collect();
    Rules::by_id_with(id, &options).unwrap()
}

/// The sentences of a chapter.
fn said(rules: &Rules, title: &str) -> Vec<String> {
    let chapters = chapters(rules.plan(), Lang::EN);
    let found = chapters.into_iter().find(|chapter| chapter.title == title);
    found.unwrap().lines
}

fn says(lines: &[String], sentence: &str) -> bool {
    lines.iter().any(|line| line == sentence)
}

/// True if a sentence has a part.
fn tells(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
}

#[test]
fn tiles_with_names_of_their_own_are_in_no_suit() {
    let rules = rules("vietnamese", &[]);
    let stands =
        "joker of circles. They stand for tiles of these kinds in groups and the pair: circles.";
    assert!(says(
        &said(&rules, "The tiles"),
        &format!("Wild tiles: {stands}")
    ));
    let mut book = Document::new("");
    super::tiles(&mut book, rules.plan(), Lang::EN);
    let text = book.to_markdown();
    let rows = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((rows("| circles |"), rows("| others |")), (1, 2), "{text}");
    assert_eq!(rows("| `xt`  | joker of circles |"), 1, "{text}");
}

#[test]
fn steps_before_the_first_turn_follow_each_other() {
    let lines = said(&rules("american", &["charleston=both"]), "The deal");
    let passes: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains("passes 3 tiles"))
        .collect();
    let to = |when: &str, whom: &str| {
        format!("{when} every player passes 3 tiles to the {whom}, none of J.")
    };
    let first = "Before the first turn";
    let expected = [
        to(first, "next player"),
        to("Then", "player opposite"),
        to("Then", "player before"),
        to("Then", "player before"),
        to("Then", "player opposite"),
        to("Then", "next player"),
    ];
    assert_eq!(passes, expected.iter().collect::<Vec<_>>());
    let sichuan = said(&rules("sichuan", &[]), "The deal");
    assert!(
        sichuan
            .iter()
            .any(|line| line.starts_with("Before the first turn every player passes 3 tiles on"))
    );
    let suit = "every player declares a suit that the winning hand will not have.";
    assert!(says(&sichuan, &format!("Then {suit}")));
    let alone = said(&rules("sichuan", &["exchange=false"]), "The deal");
    assert!(says(&alone, &format!("{first} {suit}")));
}

#[test]
fn forms_alone_are_complete_where_groups_and_a_pair_are_not() {
    let american = said(&rules("american", &[]), "Winning");
    assert!(says(
        &american,
        "A complete hand has one of the forms below: 14 tiles."
    ));
    assert!(
        american
            .iter()
            .any(|line| line.starts_with("Complete, `steps`: "))
    );
    let quints = american
        .iter()
        .find(|line| line.starts_with("Complete, `quints`: "));
    let quint = "a kong of rank r+4 of suit a and a quint of rank r+6 of suit a";
    assert!(quints.is_some_and(|line| line.contains(quint)));
    assert!(
        !american
            .iter()
            .any(|line| line.contains("and a pair: ") || line.starts_with("Also complete"))
    );
    let traditional = said(&rules("two-player", &[]), "Winning");
    let groups = "A complete hand has 4 groups and a pair: 14 tiles, and one more for each kong.";
    assert!(says(&traditional, groups));
}

#[test]
fn requirements_are_told_with_the_conditions_that_they_name() {
    let lines = said(&rules("changsha", &[]), "Winning");
    assert!(says(
        &lines,
        "A complete hand wins only if it meets `pairs(eye) == 1 or big-hand or big-way`."
    ));
    let meaning = |name: &str| {
        let start = format!("`{name}` stands for `");
        lines.iter().filter(|line| line.starts_with(&start)).count()
    };
    assert_eq!(
        (meaning("big-hand"), meaning("big-way"), meaning("begging")),
        (1, 1, 1)
    );
    // Conditions that no sentence names are not explained.
    let named = |line: &&String| line.contains("` stands for `");
    assert_eq!(
        said(&rules("hong-kong-old-style", &[]), "Winning")
            .iter()
            .filter(named)
            .count(),
        0
    );
}

#[test]
fn formulas_have_the_values_of_options() {
    for (minimum, sentence) in [
        (
            "minimum=1",
            "To win, a hand must meet `doubles - bonus-doubles >= 1`, or be a limit hand.",
        ),
        (
            "minimum=3",
            "To win, a hand must meet `doubles - bonus-doubles >= 3`, or be a limit hand.",
        ),
    ] {
        let rules = rules("hong-kong-old-style", &[minimum]);
        assert!(says(&said(&rules, "Winning"), sentence), "{minimum}");
        let points = said(&rules, "From patterns to points").join(" ");
        assert!(
            !points.contains("option(") && !points.contains("steps is"),
            "{points}"
        );
    }
}

#[test]
fn jokers_are_exchanged_as_far_as_the_rules_say() {
    let of = |id: &str, options: &[&str]| {
        let lines = said(&rules(id, options), "The turn");
        lines
            .iter()
            .filter(|line| line.contains("that a joker stands for"))
            .cloned()
            .collect::<Vec<_>>()
    };
    let american = of("american", &[]).remove(0);
    assert!(american.contains("drawn or claimed a tile") && american.contains("of any player"));
    let malaysian = of("malaysian", &[]).remove(0);
    assert!(malaysian.contains("drawn a tile") && malaysian.contains("of their own"));
    assert!(of("malaysian", &["take-jokers=false"]).is_empty());
}

/// Where only winners score, no sum is below what every winner has, or odd where all amounts are even.
#[test]
fn tables_of_points_have_sums_that_hands_can_have() {
    let heads = |losers: &str| {
        let text =
            format!("[ruleset]\nid = \"club\"\nname = \"Club\"\nextends = \"celestial\"\n{losers}");
        let rules = Source::text("club", text).load(&[]).unwrap();
        let mut book = Document::new("Points");
        tables::points(&mut book, rules.plan());
        let text = book.to_markdown();
        let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
        let firsts = rows.filter_map(|row| row.split(' ').next()?.parse::<i64>().ok());
        firsts.collect::<Vec<_>>()
    };
    let all = heads("");
    assert!(all.contains(&2) && !all.contains(&1), "{all:?}");
    let winners = heads("[score.losers]\nenabled = false\n");
    assert_eq!(winners.first(), Some(&20), "{winners:?}");
    assert!(winners.iter().all(|sum| sum % 2 == 0) && winners.len() > 10);
}

#[test]
fn kinds_that_are_laid_aside_are_bonus_tiles() {
    let book = |options: &[&str]| -> Vec<String> {
        let rules = rules("fuzhou", options);
        let chapters = ["The tiles", "The wall", "The deal", "The turn"];
        chapters.iter().flat_map(|one| said(&rules, one)).collect()
    };
    let all = book(&[]);
    assert!(says(
        &all,
        "The set has 144 tiles: 108 of 27 kinds, and 36 bonus tiles."
    ));
    assert!(tells(&all, "Bonus tiles are the flowers and: east wind"));
    let none = book(&["set=no-flowers"]);
    for lines in [&all, &none] {
        assert!(tells(lines, "Dealt bonus tiles are laid down"));
        assert!(says(lines, "A drawn bonus tile is laid down and replaced."));
    }
    assert!(tells(&none, "Bonus tiles are: east wind"));
    let mut table = Document::new("");
    super::tiles(&mut table, rules("fuzhou", &[]).plan(), Lang::EN);
    let text = table.to_markdown();
    assert!(!text.contains("| others |"), "{text}");
}

#[test]
fn items_without_wild_tiles_are_told() {
    let lines = said(&rules("american", &[]), "The tiles");
    assert!(tells(&lines, "not in single tiles and pairs."));
}

#[test]
fn hands_to_show_are_told_by_their_conditions() {
    let text = "
        ruleset = { id = \"x\", extends = \"hong-kong-old-style\" }
        opening.bare = { show = { when = \"suits <= 2\" } }
    ";
    let lines = said(&Source::text("x", text).load(&[]).unwrap(), "The deal");
    assert!(tells(&lines, "if the tiles meet `suits <= 2`."));
}

#[test]
fn nothing_is_replaced_where_neither_kongs_nor_bonus_tiles_are() {
    let lines = said(&rules("american", &[]), "The wall");
    assert!(!tells(&lines, "Replacements come"));
}
