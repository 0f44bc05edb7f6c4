//! Puts option values into the tree of a ruleset, and takes out what they switch off.

use crate::ruleset::keys::KeyType;
use crate::ruleset::options::{OptionValue, Options, PatternValues};
use crate::ruleset::source::{
    ACCEPT, Entry, Node, RulesetError, RulesetFault, Texts, Value, nearest,
};
use crate::score::condition::{self, Constant, Names};
use crate::score::facts::Scope;

/// Says, for tests, what a key must be that any table may have.
fn asks(texts: &Texts, key: &str, wanted: KeyType) {
    texts.asks("<any>", key, false, || wanted);
}

/// The names that an `if` may use. Classes and flags are not known yet.
struct BeforePlay<'a> {
    options: &'a Options,
    players: Option<usize>,
}

impl Names for BeforePlay<'_> {
    fn option(&self, name: &str) -> Option<Constant> {
        self.options.constant(name)
    }

    fn players(&self) -> Option<usize> {
        self.players
    }

    fn known(&self, _: &'static str) -> Vec<&str> {
        self.options.names().collect()
    }
}

impl Node {
    /// The node with `{ option = "name" }` replaced by the option's value, without what has `enabled = false` or an `if`
    /// that does not hold. `{ is = VALUE, if = CONDITION }` is the value where the condition holds.
    pub(crate) fn resolve(&self, texts: &Texts, options: &Options) -> Result<Self, RulesetError> {
        let mut names = BeforePlay {
            options,
            players: None,
        };
        let header = self.member("ruleset");
        if let Some(node) = header.and_then(|header| header.member("players")) {
            // A number that is none is told where the header is read.
            let node = node.resolve_keys(texts, &names, |_| true)?;
            names.players = match node.value {
                Value::Int(players) => usize::try_from(players).ok(),
                _ => None,
            };
        }
        self.resolve_keys(texts, &names, |_| true)
    }

    /// The same for a table without some of its keys.
    fn resolve_keys(
        &self,
        texts: &Texts,
        names: &BeforePlay<'_>,
        has: impl Fn(&str) -> bool,
    ) -> Result<Self, RulesetError> {
        let value = match &self.value {
            Value::List(items) => Value::List(
                items
                    .iter()
                    .filter_map(|item| item.keep(texts, names).transpose())
                    .collect::<Result<_, _>>()?,
            ),
            Value::Table(entries) => {
                let entries_left = || entries.iter().filter(|entry| has(&entry.key));
                if let (Some(entry), None) = (entries_left().next(), entries_left().nth(1))
                    && entry.key == "option"
                {
                    asks(texts, "option", KeyType::Id("options"));
                    return entry.node.option_value(texts, names);
                }
                let mut kept = Vec::with_capacity(entries.len());
                for entry in entries_left() {
                    if let Some(node) = entry.node.keep(texts, names)? {
                        kept.push(Entry {
                            key: entry.key.clone(),
                            place: entry.place,
                            node,
                        });
                    }
                }
                Value::Table(kept)
            }
            value => value.clone(),
        };
        Ok(self.with(value))
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

    fn option_value(&self, texts: &Texts, names: &BeforePlay<'_>) -> Result<Self, RulesetError> {
        let Value::Text(name) = &self.value else {
            let fault = RulesetFault::BadValue {
                key: "option".into(),
                expected: "the name of an option".into(),
            };
            return Err(texts.error(self.place, 0, fault));
        };
        let value = match names.options.get(name) {
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
                    suggestion: nearest(name, names.options.names()),
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
    fn keep(&self, texts: &Texts, names: &BeforePlay<'_>) -> Result<Option<Self>, RulesetError> {
        let entries = match &self.value {
            Value::Table(entries) if entries.iter().any(|entry| is_switch(&entry.key)) => entries,
            _ => return self.resolve_keys(texts, names, |_| true).map(Some),
        };
        let of = |key: &str| entries.iter().find(|entry| entry.key == key);
        let (accept, enabled, holds_if) = (of(ACCEPT), of("enabled"), of("if"));
        if let Some(accept) = accept {
            asks(texts, ACCEPT, KeyType::Any);
            texts.check_accepted(&accept.node)?;
        }
        if let Some(entry) = enabled {
            asks(texts, "enabled", KeyType::Bool);
            let entry = entry.node.resolve_keys(texts, names, |_| true)?;
            match entry.value {
                Value::Bool(true) => {}
                Value::Bool(false) if entries.len() == 1 + usize::from(accept.is_some()) => {
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
        if let Some(entry) = holds_if {
            asks(texts, "if", KeyType::Condition(Scope::Options));
            let Value::Text(text) = &entry.node.value else {
                return Err(texts.expected(&entry.node, "if", "a condition over options"));
            };
            let holds = condition::over_options(text, names)
                .map_err(|error| texts.condition(entry.node.place, error))?;
            if !holds {
                return Ok(None);
            }
            let mut others = entries.iter().filter(|entry| !is_switch(&entry.key));
            if let (Some(entry), None) = (others.next(), others.next())
                && entry.key == "is"
            {
                asks(texts, "is", KeyType::Any);
                return entry.node.resolve_keys(texts, names, |_| true).map(Some);
            }
        }
        self.resolve_keys(texts, names, |key| !is_switch(key))
            .map(Some)
    }
}

/// True for a key that says whether its table is kept, or why.
fn is_switch(key: &str) -> bool {
    matches!(key, "enabled" | "if") || key == ACCEPT
}
