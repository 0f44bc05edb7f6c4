use super::*;
use crate::decimal::Decimal;
use crate::ruleset::plan::Plan;
use crate::ruleset::source::{Entry, Node, Question, SECTIONS_OF_IDS, Texts, Value};
use crate::ruleset::{Source, ids};
use std::collections::BTreeSet;

/// Keys and values that no built-in ruleset has.
const PROBES: &[&str] = &[
    r#"
ruleset = { id = "probe", extends = "woo" }
claims.kong.when = "declared-melds == 0"
claims.pung.when = "declared-melds == 0"
score.ties = ["most-patterns", { is = "first-patterns", if = "cap >= 1" }]
score.quantum = { base = 1 }
payments.probe = { on = "aside", when = "discards == 0", who = "dealer", amount = "1", account = "probe", doc = "x" }
opening.probe = { pass = { tiles = 1, to = "next" } }
payments.back = { on = "kong", returns = "probe", what = "last", of = "giver", to = "actor" }
"#,
    r#"
ruleset = { id = "probe", extends = "riichi-mcgill" }
patterns.probe = { limits = 1, when = "winner", liable = { families = ["pung"], class = "any", meld = "last" } }
"#,
    r#"
ruleset = { id = "probe", extends = "american" }
melds.sextet.family = "sextet"
claims.precedence = ["win", "pung|kong|quint|sextet", "chow"]
claims.sextet.when = "forms-left >= 1"
"#,
    MINIMAL,
];

/// A file with as few keys as possible.
const MINIMAL: &str = r#"
ruleset = { id = "probe", players = 4 }
tiles.copies = [{ tiles = "123456789t123456789s123456789m", count = 4 }]
wall.replacements = "from-end"
deal.packets = [4, 4, 4, 1]
melds.pung.family = "pung"
claims.precedence = ["win", "kong", "pung", "chow"]
win.ways = ["wall"]
score = { sums = ["points-won"], worth = "points-won" }
patterns.mahjong = { points-won = 1, when = "winner" }
settlement.family = "all-pay"
match.ends = [{ deals = 1 }]
"#;

fn parsed() -> impl Iterator<Item = (Texts, Node)> {
    let with_values =
        format!("{MINIMAL}options.values = {{ type = \"pattern-values\", default = {{}} }}\n");
    let probes = PROBES
        .iter()
        .map(|text| (*text).to_owned())
        .chain([with_values]);
    let probes = probes.map(|text| Source::text("probe", text).parsed().unwrap());
    let built_in = ids().map(|id| Source::BuiltIn(id.to_owned()).parsed().unwrap());
    built_in.chain(probes)
}

/// A path as in [`SECTIONS`]: with `<id>` for the names that a file gives.
fn general(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('.').collect();
    if parts.len() > 1 && (SECTIONS_OF_IDS.contains(&parts[0]) || parts[0] == "fu") {
        parts[1] = "<id>";
    }
    if let ["tiles", "suits", suit] = &mut parts[..] {
        *suit = "<id>";
    }
    parts.join(".")
}

/// What readers ask while all files load.
fn asked() -> BTreeSet<Question> {
    let mut asked = BTreeSet::new();
    for (texts, tree) in parsed() {
        Plan::read(&texts, &tree, &[]).unwrap();
        asked.extend(texts.questions.take().into_iter().map(|question| Question {
            section: general(&question.section),
            key: match question.section.as_str() {
                "tiles.classes" | "score.tables" => "<id>".to_owned(),
                _ => question.key,
            },
            ..question
        }));
    }
    // `Node::spread_sources` reads this key of all of them.
    asked.extend(SECTIONS_OF_IDS.map(|section| question(section, "src", false, &KeyType::Text)));
    asked
}

fn question(section: &str, key: &str, of_item: bool, wanted: &dyn ToString) -> Question {
    Question {
        section: section.to_owned(),
        key: key.to_owned(),
        of_item,
        wanted: wanted.to_string(),
    }
}

/// What readers should ask of a key.
fn expected(section: &str, key: &KeyDoc) -> Vec<Question> {
    let of_type = |of: &KeyType| match of {
        KeyType::List(item) => vec![
            question(section, key.name, false, &"a list"),
            question(section, key.name, true, *item),
        ],
        of => vec![question(section, key.name, false, of)],
    };
    key.types.iter().flat_map(of_type).collect()
}

#[test]
fn readers_ask_for_the_keys_of_the_table_and_no_others() {
    // The lint reads golden hands; its tests compare their keys.
    let is_read_here = |section: &SectionDoc| !section.path.starts_with("examples");
    let mut rows = BTreeSet::new();
    for section in SECTIONS.iter().filter(|section| is_read_here(section)) {
        for key in section.keys.iter().filter(|key| key.name != "examples") {
            rows.extend(expected(section.path, key));
        }
    }
    let asked = asked();
    let undocumented: Vec<&Question> = asked.difference(&rows).collect();
    let unasked: Vec<&Question> = rows.difference(&asked).collect();
    assert!(
        undocumented.is_empty(),
        "without a row: {undocumented:#?}\nunasked: {unasked:#?}"
    );
    assert!(unasked.is_empty(), "no reader asks for {unasked:#?}");
}

/// Does something to each table of a section, as long as it returns `None`.
fn in_tables<T>(
    node: &mut Node,
    path: &[&str],
    then: &mut dyn FnMut(&mut Vec<Entry>) -> Option<T>,
) -> Option<T> {
    match (&mut node.value, path) {
        (Value::Table(entries), []) => then(entries),
        (Value::List(items), _) => items
            .iter_mut()
            .find_map(|item| in_tables(item, path, then)),
        (Value::Table(entries), ["<id>", rest @ ..]) => entries
            .iter_mut()
            .find_map(|entry| in_tables(&mut entry.node, rest, then)),
        (Value::Table(entries), [key, rest @ ..]) => {
            let entry = entries.iter_mut().find(|entry| entry.key == *key)?;
            in_tables(&mut entry.node, rest, then)
        }
        _ => None,
    }
}

/// The plan of a tree without its hash, as text. `None` if it does not load.
fn meaning(texts: &Texts, tree: &Node) -> Option<String> {
    let plan = Plan::read(texts, tree, &[]).ok()?;
    Some(format!(
        "{:?}",
        Plan {
            content_hash: 0,
            ..plan
        }
    ))
}

/// The meanings of a tree with another value for a key in the table of a section with this number. `None` for the key
/// is the tree without it.
fn with(
    (texts, tree): (&Texts, &Node),
    (section, key): (&SectionDoc, &KeyDoc),
    number: usize,
    value: Option<&Value>,
) -> Option<Option<String>> {
    let mut tree = tree.clone();
    let place = tree.place;
    let path: Vec<&str> = section
        .path
        .split('.')
        .filter(|part| !part.is_empty())
        .collect();
    let mut at = 0;
    in_tables(&mut tree, &path, &mut |entries| {
        at += 1;
        if at <= number {
            return None;
        }
        entries.retain(|entry| entry.key != key.name);
        entries.extend(value.map(|value| Entry {
            key: key.name.to_owned(),
            place,
            node: Node {
                value: value.clone(),
                place,
            },
        }));
        Some(())
    })?;
    Some(meaning(texts, &tree))
}

/// The value of a text in TOML.
fn value(text: &str) -> Value {
    let node = Texts::default()
        .add("value", &format!("value = {text}"))
        .unwrap();
    node.member("value").unwrap().value.clone()
}

/// Other values that a key may have.
fn others(key: &KeyDoc, default: &Value) -> Vec<Value> {
    let of_type = |of: &KeyType| match (of, default) {
        (KeyType::Bool, Value::Bool(is)) => vec![Value::Bool(!is)],
        (KeyType::Int { least, most }, Value::Int(is)) => [is - 1, is + 1, *most]
            .into_iter()
            .filter(|int| int != is && (*least..=*most).contains(int))
            .map(Value::Int)
            .collect(),
        (KeyType::Decimal, _) => [5, 20]
            .map(|tenths| Value::Decimal(Decimal::from_tenths(tenths)))
            .to_vec(),
        (KeyType::Words(words), Value::Text(is)) => words
            .iter()
            .filter(|word| *word != is)
            .map(|word| Value::Text((*word).to_owned()))
            .collect(),
        (KeyType::Text, _) => vec![Value::Text("another".to_owned())],
        (KeyType::Tiles, _) => ["h", "P"]
            .map(|tiles| Value::Text(tiles.to_owned()))
            .to_vec(),
        _ => Vec::new(),
    };
    key.types.iter().flat_map(of_type).collect()
}

/// Whether a table of a file confirms what the row of a key says about its absence. `None` if the table shows nothing.
fn shows(
    without: Option<&String>,
    stated: impl Fn(&Value) -> Option<String>,
    key: &KeyDoc,
) -> Option<bool> {
    match key.absent {
        Absent::Required => without.is_none().then_some(true),
        Absent::Unset => without.is_some().then_some(true),
        Absent::Default(text) => {
            let default = value(text);
            // Without it the key belongs to tables of another kind.
            let with_default = stated(&default)?;
            if without != Some(&with_default) {
                return Some(false);
            }
            let others = others(key, &default);
            let matters = others.iter().any(|other| stated(other).as_ref() != without);
            (matters || others.is_empty()).then_some(true)
        }
    }
}

/// A file that states the default of a key means the same as one without the key. A file with another value does not.
#[test]
fn defaults_are_what_holds_without_the_key() {
    let mut files: Vec<(Texts, Node)> = parsed().collect();
    let mut wrong = Vec::new();
    let is_read_here =
        |section: &&SectionDoc| !["<any>", "examples", "examples.expect"].contains(&section.path);
    for section in SECTIONS.iter().filter(is_read_here) {
        for key in section.keys {
            let row = (section, key);
            let found = files.iter().enumerate().find_map(|(place, (texts, tree))| {
                (0..4).find_map(|number| {
                    let without = with((texts, tree), row, number, None)?;
                    let stated =
                        |value: &Value| with((texts, tree), row, number, Some(value)).flatten();
                    Some((place, shows(without.as_ref(), stated, key)?))
                })
            });
            match found {
                // The next key is likely to matter in the same file.
                Some((place, true)) => files.swap(0, place),
                _ => wrong.push(format!("[{}] {}: {:?}", section.path, key.name, key.absent)),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "not so, or no file shows it:\n{}",
        wrong.join("\n")
    );
}
