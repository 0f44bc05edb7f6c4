//! A rulebook for players, made from a ruleset: [`rulebook`].
//!
//! Its sentences follow from the plan, and its descriptions of patterns, flags and options are the `doc`s of the file. So it
//! claims nothing that the engine does not do. The engine finds a hand for each pattern, and one that narrowly misses it, and
//! computes every example and every table.

mod examples;
mod patterns;
mod tables;
#[cfg(test)]
mod tests;
mod words;

use crate::document::{Block, Document, Inlines, Table};
use crate::draw::{Piece, Row};
use crate::lang::Lang;
use crate::meld::{Family, Group};
use crate::notation::Notation;
use crate::request::Request;
use crate::ruleset::{OptionMap, OptionSpec, OptionType, OptionValue, Plan, Rules};
use crate::score::ScoreFamily;
use crate::tile::{Kind, Suit, Tile};
use std::collections::BTreeSet;
use words::{Chapter, by_suit, listed, other_names, suit_of};

/// The rulebook of a ruleset with the options that are set: tiles, wall, deal, turn, claims, winning, every pattern with a
/// hand that has it and one that narrowly misses it, points, settlement with an example, match, penalties, options and what
/// they change, a page of quick reference, and a score sheet to print.
///
/// Names are in `lang`, and those of patterns in every other language of the file beside it. `known` hands, such as golden
/// hands, illustrate the patterns that they have; the engine finds the others. It takes a few seconds.
///
/// ```
/// use paishan::{Lang, Rules, rulebook};
/// let rules = Rules::by_id("two-player")?;
/// let book = rulebook::rulebook(&rules, Lang::EN, &[]);
/// assert!(book.to_html().contains("<h2 id=\"section-1\">The tiles</h2>"));
/// assert!(book.to_markdown().contains("## Claims"));
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
pub fn rulebook(rules: &Rules, lang: Lang, known: &[Request]) -> Document {
    let plan = &**rules.plan();
    let mut book = Document::new(plan.names.get(lang));
    book.lang = lang;
    title_page(&mut book, plan, lang);
    for Chapter { title, lines } in words::chapters(plan, lang) {
        book.push(Block::heading(1, title));
        if title == "The tiles" {
            tiles(&mut book, plan, lang);
        }
        let lines = lines.iter().map(|line| Inlines::default().marked(line));
        book.push(Block::List(lines.collect()));
        match title {
            "Winning" => {
                shapes(&mut book, plan);
                flags(&mut book, plan);
                patterns::patterns(&mut book, rules, lang, known);
            }
            "From patterns to points" => {
                patterns::fu(&mut book, plan);
                tables::points(&mut book, plan);
            }
            "Settlement" => {
                tables::payments(&mut book, plan);
                examples::settlements(&mut book, rules, lang);
            }
            _ => {}
        }
    }
    options(&mut book, rules, lang);
    tables::quick_reference(&mut book, plan, lang);
    tables::score_sheet(&mut book, plan);
    book
}

fn title_page(book: &mut Document, plan: &Plan, lang: Lang) {
    let others = other_names(&plan.names, lang);
    if !others.is_empty() {
        book.push(Block::text(others));
    }
    if !plan.doc.is_empty() {
        book.push(Block::text(plan.doc.as_str()));
    }
    let mut about = Inlines::from("Ruleset ").code(plan.id());
    if !plan.version.is_empty() {
        about = about.text(format!(", version {}", plan.version));
    }
    let hash = format!("{:016x}", plan.content_hash);
    book.push(Block::text(about.text(", hash ").code(hash).text(".")));
    if !plan.source.is_empty() {
        book.push(Block::text(format!(
            "Source: {}.",
            plan.source.trim_end_matches('.')
        )));
    }
    let changed = OptionMap::changed(&plan.options).0;
    let mut line = Inlines::from(match changed.is_empty() {
        true => "All options are at their defaults.",
        false => "Options in force: ",
    });
    for (place, (name, value)) in changed.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        line = line.text(comma).code(format!("{name}={value}"));
    }
    book.push(Block::text(line));
    book.push(Block::text("Tiles are written as rank and suit letter: t circles, s bamboos, m characters; E S W N winds, C F P dragons, Z zero, J joker. The engine found and checked every hand in this book."));
    book.push(Block::Contents);
}

/// The most tiles side by side, so that a phone shows them at a readable size.
const SIDE_BY_SIDE: usize = 8;

/// Drawn tiles.
fn drawn(tiles: &[Tile]) -> Inlines {
    let mut line = Inlines::default();
    for tiles in tiles.chunks(SIDE_BY_SIDE) {
        let row = Row {
            groups: vec![tiles.iter().copied().map(Piece::Up).collect()],
        };
        line = line
            .tiles(row, Notation::Ujmj.print(tiles.iter().copied()))
            .text(" ");
    }
    line
}

/// The tiles of the set, drawn, with their number and names.
fn tiles(book: &mut Document, plan: &Plan, lang: Lang) {
    let set = &plan.tiles;
    let names = &plan.tile_names;
    let mut table = Table::new(["", "Tiles", "Copies of each"]);
    let is_laid = |kind: Kind| plan.play.aside.forced().contains(kind);
    let parts = by_suit(plan).into_iter().flat_map(|(suit, kinds)| {
        let name = suit.map_or("others", |suit| names.suit(suit, lang));
        let (laid, held): (Vec<Kind>, _) = kinds.into_iter().partition(|&kind| is_laid(kind));
        [(name, held), ("bonus tiles", laid)]
    });
    for (name, kinds) in parts {
        let mut by_count: Vec<(u8, Vec<Tile>)> = Vec::new();
        for kind in kinds {
            let count = set.copies().get(kind);
            match by_count.iter_mut().find(|(known, _)| *known == count) {
                Some((_, tiles)) => tiles.push(kind.into()),
                None => by_count.push((count, vec![kind.into()])),
            }
        }
        for (count, tiles) in by_count {
            table.push([Inlines::from(name), drawn(&tiles), count.to_string().into()]);
        }
    }
    for suit in Suit::ALL {
        let reds = set.reds(suit);
        if reds > 0 {
            let five = format!("among the fives of {}", names.suit(suit, lang));
            table.push([
                Inlines::from(five),
                drawn(&[Tile::red_five(suit)]),
                reds.to_string().into(),
            ]);
        }
    }
    let flowers: Vec<Tile> = set.flowers().iter().map(Tile::flower).collect();
    for series in flowers.chunks(4) {
        table.push([Inlines::from("bonus tiles"), drawn(series), "1".into()]);
    }
    book.push(Block::Table(table));
    let others = set.kinds().iter();
    let others = others.filter(|kind| suit_of(plan, *kind).is_none());
    let flowers = flowers.into_iter().filter(|one| names.has_single(*one));
    let named: Vec<Tile> = others.map(Tile::plain).chain(flowers).collect();
    if named.is_empty() {
        return;
    }
    let langs: Vec<Lang> = all_langs(plan, lang);
    let heads = std::iter::once("Tile".to_owned()).chain(langs.iter().map(Lang::to_string));
    let mut table = Table::new(heads);
    for tile in named {
        let names = langs
            .iter()
            .map(|lang| Inlines::from(names.tile(tile, *lang)));
        table.push(std::iter::once(drawn(&[tile])).chain(names));
    }
    book.push(Block::Table(table));
}

/// The languages of the names of tiles, the given one first.
fn all_langs(plan: &Plan, lang: Lang) -> Vec<Lang> {
    let others: BTreeSet<Lang> = plan
        .tile_names
        .iter()
        .flat_map(|(_, names)| names.langs())
        .filter(|other| *other != lang)
        .collect();
    std::iter::once(lang).chain(others).collect()
}

/// Groups, drawn: a pung, a kong, and a run of each family and step.
fn shapes(book: &mut Document, plan: &Plan) {
    let grammar = plan.decomposer.grammar();
    let kinds = plan.tiles.kinds();
    // Tiles alike, with jokers in front for copies that the set does not have.
    let alike = |family: Family| -> Option<Vec<Tile>> {
        let jokers = plan
            .play
            .wild
            .claimed
            .most_in(Group::same(family, Kind::EAST));
        let copies = |kind: Kind| usize::from(plan.tiles.copies().get(kind));
        let kind = (kinds.iter()).find(|&kind| copies(kind) >= family.tiles().min(4))?;
        let own = copies(kind).min(family.tiles());
        let wild = family.tiles() - own;
        let tiles = std::iter::repeat_n(Kind::JOKER, wild).chain(std::iter::repeat_n(kind, own));
        (wild <= usize::from(jokers)).then(|| tiles.map(Tile::plain).collect())
    };
    let mut rows: Vec<(Family, Inlines)> = Vec::new();
    for family in Family::ALIKE {
        if let Some(tiles) = alike(family).filter(|_| grammar.has(family)) {
            rows.push((family, drawn(&tiles)));
        }
    }
    let mut seen: Vec<(Family, bool, u8)> = Vec::new();
    for (_, shape) in grammar.shapes() {
        let [low, middle, _] = shape.ranks();
        let key = (shape.family(), shape.takes_zero(), middle - low);
        let mut groups = Suit::ALL.into_iter().rev().map(|suit| shape.group(suit));
        let group = groups.find(|group| group.tiles().all(|kind| kinds.contains(kind)));
        let Some(group) = group.filter(|_| !seen.contains(&key)) else {
            continue;
        };
        seen.push(key);
        let tiles: Vec<Tile> = group.tiles().map(Tile::plain).collect();
        match rows
            .iter_mut()
            .find(|(family, _)| *family == shape.family())
        {
            Some((_, line)) => *line = std::mem::take(line).and(drawn(&tiles)),
            None => rows.push((shape.family(), drawn(&tiles))),
        }
    }
    let is_in_row = grammar
        .shapes()
        .all(|(_, shape)| shape.group(Suit::Circles).is_consecutive());
    let mut table = Table::new(["Groups", "Such as"]);
    for (family, line) in rows {
        table.push([Inlines::from(words::family(family, is_in_row)), line]);
    }
    if !table.rows.is_empty() {
        book.push(Block::Table(table));
    }
}

fn flags(book: &mut Document, plan: &Plan) {
    if plan.flags.is_empty() {
        return;
    }
    book.push(Block::heading(2, "Circumstances of a win"));
    let mut table = Table::new(["Flag", "Meaning"]);
    for flag in &plan.flags {
        table.push([
            Inlines::default().code(&flag.id),
            Inlines::default().marked(&flag.doc),
        ]);
    }
    book.push(Block::Table(table));
}

/// The values that an option can have.
fn values(kind: &OptionType) -> String {
    match kind {
        OptionType::Bool => "true or false".to_owned(),
        OptionType::Int { min, max, step: 1 } => format!("{min} to {max}"),
        OptionType::Int { min, max, step } => format!("{min} to {max} in steps of {step}"),
        OptionType::Decimal { min, max, step } => format!("{min} to {max} in steps of {step}"),
        OptionType::Enum { values } => listed(values, "or"),
        OptionType::Ints { len, min, max } => format!("{len} numbers from {min} to {max}"),
        OptionType::Words { values } => format!("any of {}", listed(values, "and")),
        OptionType::PatternValues { .. } => {
            "a value for each pattern, 0 to switch it off".to_owned()
        }
    }
}

/// The most sentences that are shown for a value of an option.
const MOST_CHANGES: usize = 4;

/// What a value of an option changes: the sentences that are not in the book, and how many more there are.
fn changes(plan: &Plan, other: &Plan, lang: Lang) -> (Vec<(String, String)>, usize) {
    let lines = |plan: &Plan| {
        let chapters = words::chapters(plan, lang).into_iter();
        let chapters = chapters.flat_map(|one| {
            one.lines
                .into_iter()
                .map(move |line| (one.title.to_owned(), line))
        });
        let patterns = words::pattern_lines(plan, lang).into_iter();
        let patterns = patterns.map(|line| ("Patterns".to_owned(), line));
        let flags = plan
            .flags
            .iter()
            .map(|flag| ("Circumstances of a win".to_owned(), flag.id.clone()));
        chapters.chain(patterns).chain(flags).collect::<Vec<_>>()
    };
    let [before, after] = [lines(plan), lines(other)];
    let conditions = conditions(plan, other, lang);
    let without =
        |all: &[(String, String)], others: &[(String, String)]| -> Vec<(String, String)> {
            all.iter()
                .filter(|line| !others.contains(line))
                .cloned()
                .collect()
        };
    let mut found = without(&after, &before);
    let gone = without(&before, &after);
    if found.is_empty() {
        found = gone
            .into_iter()
            .map(|(chapter, line)| (chapter, format!("No longer: {line}")))
            .collect();
    }
    found.extend(conditions);
    let more = found.len().saturating_sub(MOST_CHANGES);
    found.truncate(MOST_CHANGES);
    (found, more)
}

/// Patterns and rows of fu that are described alike and count under other conditions.
fn conditions(plan: &Plan, other: &Plan, lang: Lang) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut changed = |chapter: &str, name: &str| {
        let line = (
            chapter.to_owned(),
            format!("{name} counts under another condition."),
        );
        if !found.contains(&line) {
            found.push(line);
        }
    };
    for one in other.score.patterns() {
        let mut known = plan
            .score
            .patterns()
            .iter()
            .filter(|known| known.key == one.key);
        if known.any(|known| {
            known.value == one.value && (&known.when, &known.per) != (&one.when, &one.per)
        }) {
            changed("Patterns", one.names.get(lang));
        }
    }
    if let (ScoreFamily::HanFu(rules), ScoreFamily::HanFu(others)) =
        (plan.score.family(), other.score.family())
    {
        for row in &others.fu {
            let mut known = rules.fu.iter().filter(|known| known.id == row.id);
            if known.any(|known| (&known.when, &known.per) != (&row.when, &row.per)) {
                changed("Fu", &row.doc);
            }
        }
    }
    found
}

fn options(book: &mut Document, rules: &Rules, lang: Lang) {
    let plan = &**rules.plan();
    if plan.options.iter().len() == 0 {
        return;
    }
    book.push(Block::heading(1, "Options"));
    book.push(Block::text("Each option with its value in this book, the values that it can have, and what other values change: sentences and patterns that the rulebook then has instead. Of a range the ends are shown."));
    let varied = rules.varied();
    for (spec, value) in plan.options.iter() {
        option(book, plan, spec, value, &varied, lang);
    }
}

fn option(
    book: &mut Document,
    plan: &Plan,
    spec: &OptionSpec,
    value: &OptionValue,
    varied: &[((String, OptionValue), Plan)],
    lang: Lang,
) {
    book.push(Block::heading(2, spec.names.get(lang)));
    let others = other_names(&spec.names, lang);
    if !others.is_empty() {
        book.push(Block::text(others));
    }
    let set = match *value == spec.default {
        true => " (default)".to_owned(),
        false => format!(" (default {})", spec.default),
    };
    let mut line = Inlines::default()
        .code(format!("{}={value}", spec.name))
        .text(set);
    line = line.text(format!(". Values: {}.", values(&spec.kind)));
    book.push(Block::text(line));
    let src = match spec.src.is_empty() {
        true => String::new(),
        false => format!(" [{}]", spec.src),
    };
    book.push(Block::text(Inlines::default().marked(&spec.doc).text(src)));
    if matches!(spec.kind, OptionType::PatternValues { .. }) {
        return;
    }
    let mut items = Vec::new();
    for ((name, other), changed) in varied.iter().filter(|((name, _), _)| *name == spec.name) {
        let (found, more) = changes(plan, changed, lang);
        let mut line = Inlines::from("With ")
            .code(format!("{name}={other}"))
            .text(": ");
        if found.is_empty() {
            line = line.text("nothing that another sentence or value of this book says.");
        }
        for (place, (chapter, text)) in found.into_iter().enumerate() {
            let between = if place > 0 { " " } else { "" };
            line = line.marked(&format!("{between}{chapter}: {text}"));
        }
        if more > 0 {
            line = line.text(format!(" And {more} more."));
        }
        items.push(line);
    }
    if !items.is_empty() {
        book.push(Block::List(items));
    }
}
