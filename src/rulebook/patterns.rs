//! Every pattern, with a hand that has it and one that narrowly misses it.

use super::words::other_names;
use crate::document::{Block, Document, Inlines, Table};
use crate::draw::Row;
use crate::illustrate::{self, Illustration};
use crate::lang::Lang;
use crate::notation::Notation;
use crate::request::Request;
use crate::ruleset::{Plan, Rules, Ruleset};
use crate::score::{Pattern, PatternStatus, ScoreError, ScoreFamily};
use crate::seat::Seat;
use crate::tile::Tile;

/// A hand, drawn, with what is said of its win.
pub(super) fn hand(rules: &dyn Ruleset, request: &Request) -> Inlines {
    let plan = rules.plan();
    let Ok(table) = request.check(rules) else {
        return Inlines::from("(no hand)");
    };
    let Ok(input) = table.scored() else {
        return Inlines::from("(no hand)");
    };
    let mut line = Inlines::default();
    let melded: Vec<String> = input
        .hand
        .melds()
        .iter()
        .map(|meld| {
            let tiles = Notation::Ujmj.print_group(meld.group());
            match meld.is_open() {
                true => format!("[{tiles}]"),
                false => format!("[{tiles} closed]"),
            }
        })
        .collect();
    let concealed: Vec<Tile> = input.hand.tiles().collect();
    let mut words = Notation::Ujmj.print(concealed);
    if let Some(win) = input.win {
        words.push_str(&format!(" + {}", Notation::Ujmj.print_one(win.tile)));
    }
    for meld in melded {
        words.push_str(&format!(" {meld}"));
    }
    let beside: Vec<Tile> = input.hand.aside().tiles().collect();
    if !beside.is_empty() {
        words.push_str(&format!(" / {}", Notation::Ujmj.print(beside)));
    }
    let row = Row::of_hand(input.hand, input.win.map(|win| win.tile));
    line = line.tiles(row, words);
    let mut said: Vec<String> = Vec::new();
    match input.win {
        None => said.push("a losing hand".to_owned()),
        Some(win) => {
            said.push(format!("won {}", super::words::way(win.way)));
            let ids = win.flags.iter().filter_map(|flag| plan.flags.get(flag));
            said.extend(ids.map(|flag| flag.id.clone()));
            if win.kongs_in_row > 1 {
                said.push(format!("{} kongs in a row", win.kongs_in_row));
            }
        }
    }
    said.push(format!(
        "seat {}, round {}",
        input.seat,
        input.round.letter()
    ));
    for (what, tiles) in [("indicators", input.bonus), ("under them", input.ura)] {
        if !tiles.is_empty() {
            let tiles = Notation::Ujmj.print(tiles.iter().copied());
            said.push(format!("{what} {tiles}"));
        }
    }
    line.text(format!(" {}. ", said.join(", ")))
}

/// What a hand is worth, in words.
fn worth(rules: &dyn Ruleset, request: &Request) -> Option<String> {
    let table = request.check(rules).ok()?;
    let score = &rules.plan().score;
    match table.score() {
        Ok(of) => {
            let points = match of.points {
                1 => "1 point".to_owned(),
                points => format!("{points} points"),
            };
            let sum = score.sum_in_words(&of);
            Some(match sum == points {
                true => format!("{points}."),
                false => format!("{sum}; {points}."),
            })
        }
        Err(ScoreError::BelowMinimum(of)) => {
            Some(format!("{}; not enough to win.", score.sum_in_words(&of)))
        }
        Err(_) => None,
    }
}

/// The value of a pattern, and how often it counts.
pub(super) fn value(plan: &Plan, pattern: &Pattern) -> String {
    let value = plan.score.in_words(pattern.value);
    match pattern.per {
        None => value,
        Some(_) => format!("{value} each time"),
    }
}

pub(super) fn patterns(book: &mut Document, rules: &Rules, lang: Lang, known: &[Request]) {
    let plan = &**rules.plan();
    let all = plan.score.patterns();
    book.push(Block::heading(1, "Patterns"));
    if all.iter().any(|one| one.status != PatternStatus::Fixed) {
        book.push(Block::text("Values are fixed by the source unless marked: provisional ones may change, assumed ones are not in the source."));
    }
    let mut shown: Vec<&str> = Vec::new();
    for pattern in all.iter().filter(|one| illustrate::can_count(plan, one)) {
        book.push(Block::heading(2, pattern.names.get(lang)));
        let others = other_names(&pattern.names, lang);
        if !others.is_empty() {
            book.push(Block::text(others));
        }
        let status = match pattern.status {
            PatternStatus::Fixed => "",
            PatternStatus::Provisional => " (provisional)",
            PatternStatus::Assumed => " (assumed)",
        };
        let mut line = Inlines::default()
            .strong(value(plan, pattern))
            .text(status)
            .text(". ");
        line = line.marked(&format!("{} ", pattern.doc)).code(&pattern.id);
        if !pattern.src.is_empty() {
            line = line.text(format!(" [{}]", pattern.src));
        }
        book.push(Block::text(line));
        let mut instead: Vec<&str> = pattern
            .supersedes
            .iter()
            .filter_map(|place| all.get(*place))
            .filter(|one| one.id != pattern.id && illustrate::can_count(plan, one))
            .map(|one| one.names.get(lang))
            .collect();
        instead.dedup();
        if !instead.is_empty() && instead.len() + 2 < all.len() {
            book.push(Block::text(format!(
                "Counts in place of {}.",
                instead.join(", ")
            )));
        } else if !instead.is_empty() {
            book.push(Block::text("Counts in place of all other patterns."));
        }
        // Patterns may share an id. One illustration is enough.
        if shown.contains(&pattern.id.as_str()) {
            continue;
        }
        shown.push(&pattern.id);
        match illustrate::pattern(rules, &pattern.id, known) {
            Some(found) => illustrated(book, rules, &found),
            None => book.push(Block::text(
                "The engine finds no hand in which this pattern counts with these options.",
            )),
        }
    }
}

fn illustrated(book: &mut Document, rules: &Rules, found: &Illustration) {
    let has = hand(rules, &found.request).text(worth(rules, &found.request).unwrap_or_default());
    let mut items = vec![Inlines::from("Has it: ").and(has)];
    if let Some(near_miss) = &found.near_miss {
        let misses = hand(rules, &near_miss.request)
            .marked(&format!("Missing: {}. ", near_miss.why_not.join("; ")))
            .text(worth(rules, &near_miss.request).unwrap_or_default());
        items.push(Inlines::from("Near miss: ").and(misses));
    }
    book.push(Block::List(items));
}

/// The rows of fu.
pub(super) fn fu(book: &mut Document, plan: &Plan) {
    let ScoreFamily::HanFu(rules) = plan.score.family() else {
        return;
    };
    book.push(Block::heading(2, "Fu"));
    let mut table = Table::new(["Fu", "For", "Source"]);
    for row in &rules.fu {
        let each = if row.per.is_some() { " each time" } else { "" };
        let exact = if row.exact { ", no others" } else { "" };
        table.push([
            format!("{}{each}{exact}", row.fu),
            row.doc.clone(),
            row.src.clone(),
        ]);
    }
    book.push(Block::Table(table));
}

/// The seat of the first winner.
pub(super) fn winner(request: &Request) -> Option<Seat> {
    request.wins.first().map(|(seat, _)| *seat)
}
