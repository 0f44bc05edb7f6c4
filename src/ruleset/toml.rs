//! Parses TOML into a tree whose nodes know their place in the text.

use super::source::{
    Entry, Node, Place, RulesetError, RulesetFault, Texts, Value, limits, too_many,
};
use crate::decimal::Decimal;
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
            let offset = error.span().map_or(0, |span| span.start);
            let fault = RulesetFault::Syntax(error.message().to_owned());
            self.error(place(offset), 0, fault)
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
