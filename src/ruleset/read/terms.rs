//! Reads what several sections are written with: conditions, counts, flags, classes of kinds, ids.

use super::vocabulary::Vocabulary;
use crate::ruleset::keys::{self, KeyType};
use crate::ruleset::source::{
    Entry, Node, RulesetError, RulesetFault, Section, Value, limits, nearest,
};
use crate::score::condition::{self, Combination, ConditionError, Names};
use crate::score::facts::{self, Scope};
use crate::score::{Condition, Count};
use crate::set::KindSet;
use std::collections::{HashMap, HashSet};

pub(in crate::ruleset) fn read_condition(
    section: &Section<'_>,
    key: &'static str,
    scope: Scope,
    names: &Vocabulary<'_>,
) -> Result<Option<Condition>, RulesetError> {
    let text = section.text_as(key, KeyType::Condition(scope))?;
    let (Some(text), Some(node)) = (text, section.node(key)) else {
        return Ok(None);
    };
    condition::condition(text, scope, names)
        .map(Some)
        .map_err(|error| section.texts().condition(node.place, error))
}

/// The text of a condition or formula with options resolved, for people.
pub(in crate::ruleset) fn read_resolved(
    section: &Section<'_>,
    key: &'static str,
    scope: Scope,
    names: &Vocabulary<'_>,
) -> Result<Option<String>, RulesetError> {
    let node = section.node(key);
    let Some((node, text)) = node.and_then(|node| Some((node, node.as_text()?))) else {
        return Ok(None);
    };
    condition::resolved(text, scope, names)
        .map(Some)
        .map_err(|error| section.texts().condition(node.place, error))
}

/// Entries of `[conditions]`, each after those whose names stand in its text. Where that is impossible the first entry of a
/// circle precedes what depends on it.
fn in_order(entries: &[Entry]) -> Vec<&Entry> {
    let mut ordered = Vec::with_capacity(entries.len());
    let mut left: Vec<(&Entry, Vec<&str>)> = Vec::new();
    for entry in entries {
        let words = match &entry.node.value {
            Value::Text(text) => condition::words(text),
            _ => Vec::new(),
        };
        left.push((entry, words));
    }
    while !left.is_empty() {
        let names: HashSet<&str> = left.iter().map(|(entry, _)| &*entry.key).collect();
        let waits =
            |(_, words): &(&Entry, Vec<&str>)| words.iter().any(|word| names.contains(word));
        let (mut later, mut next): (Vec<_>, Vec<_>) = left.into_iter().partition(waits);
        if next.is_empty() {
            next.push(later.remove(first_of_circle(&later)));
        }
        ordered.extend(next.into_iter().map(|(entry, _)| entry));
        left = later;
    }
    ordered
}

/// The first entry of a circle, by its index. The text of each entry has the name of another, or its own.
fn first_of_circle(entries: &[(&Entry, Vec<&str>)]) -> usize {
    let names = entries.iter().enumerate();
    let names: HashMap<&str, usize> = names.map(|(i, (entry, _))| (&*entry.key, i)).collect();
    let used = |(i, (_, words)): (usize, &(&Entry, Vec<&str>))| {
        let mut words = words.iter();
        words.find_map(|word| names.get(word).copied()).unwrap_or(i)
    };
    let used: Vec<usize> = entries.iter().enumerate().map(used).collect();
    // As many steps as there are entries lead into a circle, wherever they begin.
    let within = used.iter().fold(0, |index, _| used[index]);
    let circle = used.iter().scan(within, |index, _| {
        *index = used[*index];
        Some(*index)
    });
    circle.min().unwrap_or(within)
}

/// Reads `[conditions]`: names for conditions and numbers, to be said once and used in others. Returns what they stand for, for
/// people.
pub(super) fn read_conditions<'a>(
    section: &Section<'a>,
    names: &mut Vocabulary<'a>,
) -> Result<Vec<(String, String)>, RulesetError> {
    let texts = section.texts();
    let have = section.entries().len();
    let mut shown = Vec::new();
    // What uses these is not told as well.
    let mut failed: HashSet<&str> = HashSet::new();
    if have > limits::CONDITIONS {
        return Err(section.too_many("named conditions", have, limits::CONDITIONS));
    }
    section.asks("<id>", || keys::EXPRESSION);
    for entry in in_order(section.entries()) {
        let name = entry.key.as_str();
        if !condition::is_name(name) {
            let fault = RulesetFault::BadValue {
                key: section.join(name),
                expected: "named by letters, digits and hyphens, a letter first".to_owned(),
            };
            texts.note_error(texts.error(entry.place, 0, fault));
            failed.insert(name);
            continue;
        }
        let is_taken = facts::is_name(name)
            || names.flag(name).is_some()
            || names.option(name).is_some()
            || names.columns.place(name).is_some();
        if is_taken {
            let fault = RulesetFault::NameTaken {
                name: name.to_owned(),
            };
            texts.note_error(texts.error(entry.place, 0, fault));
            continue;
        }
        let read = section.text_of(&entry.node, name).and_then(|text| {
            condition::named(text, names)
                .map(Some)
                .or_else(|error| match error {
                    // It would be known, since names are read after those that they use.
                    ConditionError::Unknown {
                        what: "fact",
                        name: used,
                        ..
                    } if section.has(&used) => match failed.contains(&*used) {
                        true => Ok(None),
                        false => {
                            let name = name.to_owned();
                            Err(texts.error(entry.place, 0, RulesetFault::UsesItself { name }))
                        }
                    },
                    error => Err(texts.condition(entry.node.place, error)),
                })
        });
        let Some(named) = texts.note(read).flatten() else {
            failed.insert(name);
            continue;
        };
        let text = entry.node.as_text();
        let text = text.and_then(|text| condition::resolved_anywhere(text, names));
        shown.extend(text.map(|text| (name.to_owned(), text)));
        names.conditions.push((name, named));
    }
    // Conditions with these names would seem to be wrong as well.
    texts.check_noted().map(|()| shown)
}

/// Reads which melds a pattern combines: one list of groups, or several. `when` then asks for one of them, too.
pub(super) fn read_combinations(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
    when: &mut Option<Condition>,
) -> Result<Vec<Combination>, RulesetError> {
    let Some(node) = section.node("combines") else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    let mut conditions = Vec::new();
    let several = match matches!(node.value, Value::List(_)) {
        true => {
            section.asks_items("combines", || keys::GROUPS);
            section.list("combines")?
        }
        false => {
            section.asks("combines", || keys::GROUPS);
            std::slice::from_ref(node)
        }
    };
    for one in several {
        let text = section.text_of(one, "combines")?;
        let (combinations, condition) = condition::combinations(text, names)
            .map_err(|error| section.texts().condition(one.place, error))?;
        all.extend(combinations);
        conditions.push(condition);
    }
    *when = Some(Condition::of_melds(when.take(), conditions));
    Ok(all)
}

/// The index of a flag, by its id.
pub(super) fn flag_place(
    section: &Section<'_>,
    node: &Node,
    id: &str,
    names: &Vocabulary<'_>,
) -> Result<usize, RulesetError> {
    let fault = || RulesetFault::UnknownName {
        what: "flag",
        found: id.to_owned(),
        suggestion: nearest(id, names.flags.iter().copied()),
    };
    let place = names.flag(id);
    place.ok_or_else(|| section.texts().error(node.place, 0, fault()))
}

/// The index of the flag that a key names.
pub(in crate::ruleset) fn read_flag(
    section: &Section<'_>,
    key: &'static str,
    names: &Vocabulary<'_>,
) -> Result<Option<usize>, RulesetError> {
    match (
        section.text_as(key, KeyType::Id("flags"))?,
        section.node(key),
    ) {
        (Some(id), Some(node)) => flag_place(section, node, id, names).map(Some),
        _ => Ok(None),
    }
}

/// Reads how often something counts: the key `per`.
pub(super) fn read_per(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Option<Count>, RulesetError> {
    let text = section.text_as("per", KeyType::Count(Scope::Hand))?;
    let (Some(text), Some(node)) = (text, section.node("per")) else {
        return Ok(None);
    };
    condition::count(text, Scope::Hand, names)
        .map(Some)
        .map_err(|error| section.texts().condition(node.place, error))
}

/// Reads the kinds of a class that does not depend on seat and round.
pub(in crate::ruleset) fn read_kinds(
    section: &Section<'_>,
    key: &'static str,
    names: &Vocabulary<'_>,
) -> Result<Option<KindSet>, RulesetError> {
    let text = section.text_as(key, keys::KINDS)?;
    let (Some(text), Some(node)) = (text, section.node(key)) else {
        return Ok(None);
    };
    let class = condition::class(text, names)
        .map_err(|error| section.texts().condition(node.place, error))?;
    Ok(Some(class.fixed_kinds()))
}

/// Reads the ids of a list, each with its node. `of` is the section that they are ids of.
pub(in crate::ruleset) fn read_ids<'a>(
    section: &Section<'a>,
    key: &'static str,
    of: &'static str,
) -> Result<Vec<(&'a Node, &'a str)>, RulesetError> {
    section.asks_items(key, || KeyType::Id(of));
    let nodes = section.list(key)?.iter();
    nodes
        .map(|node| Ok((node, section.text_of(node, key)?)))
        .collect()
}
