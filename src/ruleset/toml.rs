//! Parses TOML into a tree whose nodes know their place in the text.

use super::source::{
    Entry, Node, Place, RulesetError, RulesetFault, Texts, Value, limits, too_many,
};
use crate::decimal::Decimal;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

impl Texts {
    /// Parses a text into a tree.
    pub(crate) fn add(&mut self, file: &str, text: &str) -> Result<Node, RulesetError> {
        let all = &mut Arc::make_mut(&mut self.files).all;
        let index = all.len();
        let place = |offset| Place {
            text: index,
            offset,
        };
        if text.len() > limits::TEXT {
            all.push((file.to_owned(), String::new()));
            let fault = too_many("bytes", text.len(), limits::TEXT);
            return Err(self.error(place(0), 0, fault));
        }
        all.push((file.to_owned(), text.to_owned()));
        let parsed = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let mut message = error.message().to_owned();
            if message == "duplicate key"
                && let Some(key) = text.get(span.clone())
            {
                message.push_str(&format!(" `{key}`"));
                if let Some(first) = first_of(text, span.clone()) {
                    let (_, line, _) = self.locate(place(first), 0);
                    message.push_str(&format!(", which is at line {line} already"));
                }
            }
            self.error(place(span.start), 0, RulesetFault::Syntax(message))
        })?;
        let table = convert_table(parsed.get_ref(), &place);
        let node = Node {
            value: Value::Table(table),
            place: place(0),
        };
        match node.deeper_than(limits::DEPTH) {
            None => Ok(node),
            Some((depth, place)) => {
                let fault = too_many("levels of tables and lists", depth, limits::DEPTH);
                Err(self.error(place, 0, fault))
            }
        }
    }
}

/// Where a key that a table has twice is for the first time, given the second one.
fn first_of(text: &str, second: Range<usize>) -> Option<usize> {
    let start = text[..second.start].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[..start];
    let is_header = |line: &str| line.trim_start().starts_with('[');
    let line = &text[start..second.end];
    let mut path = match is_header(line) {
        true => keys_of(line.trim_start().trim_start_matches('['))?,
        false => {
            let mut headers = before.lines().rev().filter(|line| is_header(line));
            let header = headers.find_map(|line| {
                let (keys, _) = line.trim_start().trim_start_matches('[').split_once(']')?;
                keys_of(keys)
            });
            let mut path = header.unwrap_or_default();
            path.extend(keys_of(line)?);
            path
        }
    };
    let last = path.pop()?;
    let (root, _) = DeTable::parse_recoverable(before);
    let mut table = root.get_ref();
    for key in &path {
        let value = match table.get(key.as_str())?.get_ref() {
            DeValue::Array(items) => items.last()?.get_ref(),
            value => value,
        };
        table = value.as_table()?;
    }
    let (key, _) = table.get_key_value(last.as_str())?;
    Some(key.span().start)
}

/// The keys of a dotted key.
fn keys_of(dotted: &str) -> Option<Vec<String>> {
    let text = format!("{dotted} = 0");
    let parsed = DeTable::parse(&text).ok()?;
    let mut table = parsed.get_ref();
    let mut keys = Vec::new();
    while let Some((key, value)) = table.iter().next() {
        keys.push(key.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    Some(keys)
}

fn convert_table(table: &DeTable<'_>, place: &impl Fn(usize) -> Place) -> Vec<Entry> {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            place: place(key.span().start),
            node: Node {
                value: convert(value.get_ref(), place),
                place: place(value.span().start),
            },
        })
        .collect();
    entries.sort_by_key(|entry| entry.place.offset);
    entries
}

fn convert(value: &DeValue<'_>, place: &impl Fn(usize) -> Place) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(int) => {
            match i64::from_str_radix(&int.as_str().replace('_', ""), int.radix()) {
                Ok(int) => Value::Int(int),
                Err(_) => Value::Other,
            }
        }
        DeValue::Boolean(bool) => Value::Bool(*bool),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| Node {
                    value: convert(item.get_ref(), place),
                    place: place(item.span().start),
                })
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(convert_table(table, place)),
        DeValue::Float(float) => {
            Decimal::parse(&float.as_str().replace('_', "")).map_or(Value::Other, Value::Decimal)
        }
        DeValue::Datetime(_) => Value::Other,
    }
}
