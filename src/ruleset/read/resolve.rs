//! Puts option values into the tree of a ruleset, and takes out what they switch off.

use crate::ruleset::keys::KeyType;
use crate::ruleset::options::{OptionValue, Options, PatternValues};
use crate::ruleset::source::{
    ACCEPT, Entry, Node, RulesetError, RulesetFault, Texts, Value, nearest,
};
use crate::score::condition;
use crate::score::facts::Scope;

/// Says, for tests, what a key must be that any table may have.
fn asks(texts: &Texts, key: &str, wanted: KeyType) {
    texts.asks("<any>", key, false, || wanted);
}

impl Node {
    /// Replaces `{ option = "name" }` by the option's value. Removes what has `enabled = false`, or an `if`
    /// that does not hold. `{ is = VALUE, if = CONDITION }` is the value where the condition holds.
    pub(crate) fn resolve(self, texts: &Texts, options: &Options) -> Result<Self, RulesetError> {
        let place = self.place;
        let value = match self.value {
            Value::List(items) => Value::List(
                items
                    .into_iter()
                    .map(|item| item.keep(texts, options))
                    .filter_map(Result::transpose)
                    .collect::<Result<_, _>>()?,
            ),
            Value::Table(entries) => {
                if let [entry] = &entries[..]
                    && entry.key == "option"
                {
                    asks(texts, "option", KeyType::Id("options"));
                    return entry.node.option_value(texts, options);
                }
                let mut kept = Vec::with_capacity(entries.len());
                for entry in entries {
                    if let Some(node) = entry.node.keep(texts, options)? {
                        kept.push(Entry { node, ..entry });
                    }
                }
                Value::Table(kept)
            }
            value => value,
        };
        Ok(Self { value, place })
    }

    /// Puts values of patterns into `[score.values]`, after those that the file sets.
    pub(super) fn put_values(&mut self, values: &PatternValues) {
        let Some(score) = self.member_mut("score") else {
            return;
        };
        let place = score.place;
        if score.member("values").is_none()
            && let Value::Table(entries) = &mut score.value
        {
            entries.push(Entry {
                key: "values".to_owned(),
                place,
                node: Self {
                    value: Value::Table(Vec::new()),
                    place,
                },
            });
        }
        let own = score.member_mut("values").map(|node| &mut node.value);
        if let Some(Value::Table(entries)) = own {
            entries.extend(values.0.iter().map(|(id, value)| Entry {
                key: id.clone(),
                place,
                node: Self {
                    value: Value::Decimal(*value),
                    place,
                },
            }));
        }
    }

    /// Another value at the same place.
    fn with(&self, value: Value) -> Self {
        Self {
            value,
            place: self.place,
        }
    }

    fn option_value(&self, texts: &Texts, options: &Options) -> Result<Self, RulesetError> {
        let Value::Text(name) = &self.value else {
            let fault = RulesetFault::BadValue {
                key: "option".into(),
                expected: "the name of an option".into(),
            };
            return Err(texts.error(self.place, 0, fault));
        };
        let value = match options.get(name) {
            Some(OptionValue::Bool(value)) => Value::Bool(*value),
            Some(OptionValue::Int(value)) => Value::Int(*value),
            Some(OptionValue::Decimal(value)) => Value::Decimal(*value),
            Some(OptionValue::Text(value)) => Value::Text(value.clone()),
            Some(OptionValue::Ints(list)) => {
                Value::List(list.iter().map(|int| self.with(Value::Int(*int))).collect())
            }
            Some(OptionValue::Words(list)) => Value::List(
                list.iter()
                    .map(|word| self.with(Value::Text(word.clone())))
                    .collect(),
            ),
            Some(OptionValue::Values(values)) => Value::Table(
                values
                    .0
                    .iter()
                    .map(|(id, value)| Entry {
                        key: id.clone(),
                        place: self.place,
                        node: Self {
                            value: Value::Decimal(*value),
                            place: self.place,
                        },
                    })
                    .collect(),
            ),
            None => {
                let fault = RulesetFault::UnknownName {
                    what: "option",
                    found: name.clone(),
                    suggestion: nearest(name, options.names()),
                };
                return Err(texts.error(self.place, 0, fault));
            }
        };
        Ok(Self {
            value,
            place: self.place,
        })
    }

    /// The resolved node. `None` if its `if` does not hold or it is not enabled.
    fn keep(mut self, texts: &Texts, options: &Options) -> Result<Option<Self>, RulesetError> {
        if let Value::Table(entries) = &mut self.value {
            if let Some(i) = entries.iter().position(|e| e.key == ACCEPT) {
                asks(texts, ACCEPT, KeyType::Any);
                texts.check_accepted(&entries.remove(i).node)?;
            }
            if let Some(i) = entries.iter().position(|e| e.key == "enabled") {
                asks(texts, "enabled", KeyType::Bool);
                let entry = entries.remove(i).node.resolve(texts, options)?;
                match entry.value {
                    Value::Bool(true) => {}
                    Value::Bool(false) if entries.is_empty() => {
                        let fault = RulesetFault::Needs {
                            key: "enabled".to_owned(),
                            needs: "other keys beside it: `enabled = false` switches nothing off"
                                .to_owned(),
                        };
                        return Err(texts.error(self.place, 0, fault));
                    }
                    Value::Bool(false) => return Ok(None),
                    _ => return Err(texts.expected(&entry, "enabled", "true or false")),
                }
            }
            if let Some(i) = entries.iter().position(|e| e.key == "if") {
                asks(texts, "if", KeyType::Condition(Scope::Options));
                let entry = entries.remove(i).node;
                let Value::Text(text) = &entry.value else {
                    return Err(texts.expected(&entry, "if", "a condition over options"));
                };
                let holds = condition::over_options(text, options)
                    .map_err(|error| texts.condition(entry.place, error))?;
                if !holds {
                    return Ok(None);
                }
                if let [entry] = &mut entries[..]
                    && entry.key == "is"
                {
                    asks(texts, "is", KeyType::Any);
                    let value = std::mem::replace(&mut entry.node.value, Value::Bool(true));
                    self.value = value;
                }
            }
        }
        self.resolve(texts, options).map(Some)
    }
}
