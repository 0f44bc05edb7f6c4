//! Options of a ruleset: what may be set, and what is in force.

use super::source::{RulesetError, Section, Value, nearest};
use serde::{Deserialize, Serialize, Serializer};

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// One of the option's words.
    Text(String),
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for OptionValue {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// Reads `NAME=VALUE` as written on a command line.
///
/// # Errors
/// [`OptionError::NoValue`] without an equals sign.
pub fn parse_option(text: &str) -> Result<(String, OptionValue), OptionError> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(OptionError::NoValue {
            text: text.to_owned(),
        });
    };
    let value = match (value, value.parse()) {
        ("true", _) => OptionValue::Bool(true),
        ("false", _) => OptionValue::Bool(false),
        (_, Ok(int)) => OptionValue::Int(int),
        _ => OptionValue::Text(value.to_owned()),
    };
    Ok((name.to_owned(), value))
}

/// What an option may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionType {
    /// True or false.
    Bool,
    /// An integer within bounds, both included.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of some words.
    Enum {
        /// The words.
        values: Vec<String>,
    },
}

impl OptionType {
    fn allows(&self, value: &OptionValue) -> bool {
        match (self, value) {
            (Self::Bool, OptionValue::Bool(_)) => true,
            (Self::Int { min, max }, OptionValue::Int(value)) => (min..=max).contains(&value),
            (Self::Enum { values }, OptionValue::Text(value)) => values.contains(value),
            _ => false,
        }
    }

    fn expected(&self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Int { min, max } => format!("an integer from {min} to {max}"),
            Self::Enum { values } => format!("one of `{}`", values.join("`, `")),
        }
    }
}

/// An option as its ruleset declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name.
    pub name: String,
    /// What it may be.
    pub kind: OptionType,
    /// Its value where nobody sets it.
    pub default: OptionValue,
    /// What it means.
    pub doc: String,
    /// Where the rule comes from.
    pub src: String,
}

/// An option that cannot be set so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The ruleset has no such option.
    #[error("unknown option `{name}`{}", suggestion.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name that there is.
        suggestion: Option<String>,
    },
    /// A value of another type or out of range.
    #[error("option `{name}` must be {expected}")]
    BadValue {
        /// The option.
        name: String,
        /// What it may be.
        expected: String,
    },
    /// A name and a value were wanted.
    #[error("`{text}` is not NAME=VALUE")]
    NoValue {
        /// What was written.
        text: String,
    },
}

impl OptionError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown-option",
            Self::BadValue { .. } | Self::NoValue { .. } => "bad-request",
        }
    }
}

/// The options of a ruleset with their values in force, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options(Vec<(OptionSpec, OptionValue)>);

impl Options {
    /// The value in force.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.0
            .iter()
            .find(|(spec, _)| spec.name == name)
            .map(|(_, value)| value)
    }

    /// The options with what they may be and their values in force.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&OptionSpec, &OptionValue)> {
        self.0.iter().map(|(spec, value)| (spec, value))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(spec, _)| spec.name.as_str())
    }

    /// The options with some of them set. Unknown names are found before bad values.
    ///
    /// # Errors
    /// [`OptionError`].
    pub(crate) fn with(&self, set: &[(String, OptionValue)]) -> Result<Self, OptionError> {
        for (name, _) in set {
            if self.get(name).is_none() {
                return Err(OptionError::Unknown {
                    name: name.clone(),
                    suggestion: nearest(name, self.names()),
                });
            }
        }
        let mut options = self.clone();
        for (name, value) in set {
            for (spec, current) in &mut options.0 {
                if spec.name != *name {
                    continue;
                }
                if !spec.kind.allows(value) {
                    return Err(OptionError::BadValue {
                        name: name.clone(),
                        expected: spec.kind.expected(),
                    });
                }
                *current = value.clone();
            }
        }
        Ok(options)
    }

    /// Reads the `[options]` of a file; every option stands at its default.
    pub(crate) fn read(root: &Section<'_>) -> Result<Self, RulesetError> {
        let Some(section) = root.section("options")? else {
            return Ok(Self::default());
        };
        section.only_tables()?;
        let mut options = Vec::new();
        for (name, _, one) in section.ids() {
            let kind = Self::read_type(&one)?;
            let default = one.node("default");
            let default = one.require("default", default)?;
            let value = match &default.value {
                Value::Bool(value) => OptionValue::Bool(*value),
                Value::Int(value) => OptionValue::Int(*value),
                Value::Text(value) => OptionValue::Text(value.clone()),
                _ => return Err(one.bad(default, "default", &kind.expected())),
            };
            if !kind.allows(&value) {
                return Err(one.bad(default, "default", &kind.expected()));
            }
            let spec = OptionSpec {
                name: name.to_owned(),
                kind,
                default: value.clone(),
                doc: one.text("doc")?.unwrap_or_default().to_owned(),
                src: one.text("src")?.unwrap_or_default().to_owned(),
            };
            one.finish()?;
            options.push((spec, value));
        }
        Ok(Self(options))
    }

    fn read_type(one: &Section<'_>) -> Result<OptionType, RulesetError> {
        #[derive(Clone, Copy)]
        enum Word {
            Bool,
            Int,
            Enum,
        }
        let words = [
            ("bool", Word::Bool),
            ("int", Word::Int),
            ("enum", Word::Enum),
        ];
        let word = one.word("type", &words)?;
        Ok(match one.require("type", word)? {
            Word::Bool => OptionType::Bool,
            Word::Int => {
                let all = -1_000_000_000..=1_000_000_000;
                let min = one.int("min", all.clone())?.unwrap_or(*all.start());
                let max = one.int("max", all.clone())?.unwrap_or(*all.end());
                OptionType::Int { min, max }
            }
            Word::Enum => OptionType::Enum {
                values: one
                    .list("values")?
                    .iter()
                    .map(|node| one.text_of(node, "values").map(str::to_owned))
                    .collect::<Result<_, _>>()?,
            },
        })
    }

    /// Every way to set one option to another value that its type suggests: both truths, the
    /// bounds and the values beside them, each word.
    pub fn variations(&self) -> Vec<(String, OptionValue)> {
        let mut all = Vec::new();
        for (spec, current) in &self.0 {
            let values: Vec<OptionValue> = match &spec.kind {
                OptionType::Bool => vec![true.into(), false.into()],
                OptionType::Int { min, max } => vec![
                    OptionValue::Int(*min),
                    OptionValue::Int(min.saturating_add(1).min(*max)),
                    OptionValue::Int(*max),
                ],
                OptionType::Enum { values } => values
                    .iter()
                    .map(|v| OptionValue::Text(v.clone()))
                    .collect(),
            };
            for value in values {
                let pair = (spec.name.clone(), value);
                if pair.1 != *current && !all.contains(&pair) {
                    all.push(pair);
                }
            }
        }
        all
    }
}

impl Serialize for Options {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(spec, value)| (&spec.name, value)))
    }
}
