//! Options of a ruleset: their types and current values.

use super::keys::KeyType;
use super::read::columns::read_quantum;
use super::source::{ACCEPT, Entry, Node, RulesetError, Section, Value, limits, nearest};
use crate::decimal::Decimal;
use crate::forms::two_forms;
use crate::lang::Names;
#[cfg(feature = "serde")]
use serde::de::{MapAccess, Visitor};
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

two_forms! {
    #[serde(untagged)]
    /// The value of an option.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum OptionValue {
        /// True or false.
        Bool(bool),
        /// An integer.
        Int(i64),
        /// A number with one decimal place.
        Decimal(Decimal),
        /// One of the option's words.
        Text(String),
        /// A list of words. An empty list counts as one.
        Words(Vec<String>),
        /// A list of integers.
        Ints(Vec<i64>),
        /// Values of patterns by id.
        Values(PatternValues),
    }
}

/// Values of patterns by id, in the order in which they were set. The later of two values for one pattern counts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PatternValues(pub Vec<(String, Decimal)>);

impl PatternValues {
    /// The value set for a pattern.
    pub fn get(&self, pattern: &str) -> Option<Decimal> {
        let found = self.0.iter().rev().find(|(id, _)| id == pattern);
        found.map(|(_, value)| *value)
    }

    /// These values, overridden by others.
    fn and(&self, more: &Self) -> Self {
        let kept = |(id, _): &&(String, Decimal)| more.get(id).is_none();
        let mine = self.0.iter().filter(kept).cloned();
        Self(mine.chain(more.0.iter().cloned()).collect())
    }
}

#[cfg(feature = "serde")]
impl Serialize for PatternValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, value)| (id, value)))
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for PatternValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor;
        impl<'de> Visitor<'de> for MapVisitor {
            type Value = PatternValues;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values of patterns by id")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PatternValues, A::Error> {
                let mut values = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    values.push(entry);
                }
                Ok(PatternValues(values))
            }
        }
        deserializer.deserialize_map(MapVisitor)
    }
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

impl From<Decimal> for OptionValue {
    fn from(value: Decimal) -> Self {
        Self::Decimal(value)
    }
}

/// The value as [`parse_option`] reads it after `NAME=`. Values of patterns are `PATTERN=VALUE` with commas between them.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |f: &mut fmt::Formatter<'_>, items: Vec<String>| write!(f, "[{}]", items.join(","));
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Decimal(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
            Self::Words(words) => list(f, words.clone()),
            Self::Ints(ints) => list(f, ints.iter().map(i64::to_string).collect()),
            Self::Values(PatternValues(values)) => {
                let values = values.iter().map(|(id, value)| format!("{id}={value}"));
                f.write_str(&values.collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// The option that sets values of patterns, unless the file declares an option of this name.
pub(crate) const VALUES: &str = "values";

/// Reads `NAME=VALUE` as written on a command line. `NAME.PATTERN=VALUE` sets the value of one pattern, in an
/// option that holds pattern values. Every ruleset takes `values.PATTERN=VALUE`, declared or not. A list is in
/// brackets, with commas between its items: `uma=[15000,5000,-5000,-15000]`, `responsibility=[]`.
///
/// # Errors
/// [`OptionError::NoValue`] without an equals sign.
pub fn parse_option(text: &str) -> Result<(String, OptionValue), OptionError> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(OptionError::NoValue {
            text: text.to_owned(),
        });
    };
    let decimal = Decimal::parse(value);
    if let (Some((name, pattern)), Some(decimal)) = (name.split_once('.'), decimal) {
        let values = PatternValues(vec![(pattern.to_owned(), decimal)]);
        return Ok((name.to_owned(), OptionValue::Values(values)));
    }
    if let Some(items) = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')) {
        let items = items
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        let ints: Result<Vec<i64>, _> = items.clone().map(str::parse).collect();
        let value = match ints {
            Ok(ints) if !ints.is_empty() => OptionValue::Ints(ints),
            _ => OptionValue::Words(items.map(str::to_owned).collect()),
        };
        return Ok((name.to_owned(), value));
    }
    let value = match (value, value.parse()) {
        ("true", _) => OptionValue::Bool(true),
        ("false", _) => OptionValue::Bool(false),
        (_, Ok(int)) => OptionValue::Int(int),
        _ => decimal.map_or_else(|| OptionValue::Text(value.to_owned()), OptionValue::Decimal),
    };
    Ok((name.to_owned(), value))
}

/// Merges settings of the same option. The later value counts. Pattern values are combined.
pub fn merged(options: &[(String, OptionValue)]) -> Vec<(String, OptionValue)> {
    let mut merged: Vec<(String, OptionValue)> = Vec::new();
    for (name, value) in options {
        let before = merged.iter_mut().find(|(known, _)| known == name);
        match (before, value) {
            (Some((_, OptionValue::Values(before))), OptionValue::Values(more)) => {
                *before = before.and(more);
            }
            (Some((_, before)), value) => *before = value.clone(),
            (None, value) => merged.push((name.clone(), value.clone())),
        }
    }
    merged
}

/// A list of words only or of integers only. `None` for any other list.
fn read_list(items: &[Node]) -> Option<OptionValue> {
    let ints: Option<Vec<i64>> = items
        .iter()
        .map(|item| match item.value {
            Value::Int(value) => Some(value),
            _ => None,
        })
        .collect();
    let words = || -> Option<Vec<String>> {
        items
            .iter()
            .map(|item| match &item.value {
                Value::Text(value) => Some(value.clone()),
                _ => None,
            })
            .collect()
    };
    words()
        .map(OptionValue::Words)
        .or(ints.map(OptionValue::Ints))
}

/// The type and range of an option.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum OptionType {
    /// True or false.
    Bool,
    /// An integer from `min` to `max`, both included, in steps from `min`.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// The step from one value to the next.
        step: i64,
    },
    /// A number with one decimal place from `min` to `max`, both included, in steps from `min`.
    Decimal {
        /// The least value.
        min: Decimal,
        /// The greatest value.
        max: Decimal,
        /// The step from one value to the next.
        step: Decimal,
    },
    /// One of these words.
    Enum {
        /// The words.
        values: Vec<String>,
    },
    /// A list of `len` integers, each from `min` to `max`, both included.
    Ints {
        /// How many.
        len: usize,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// Any of these words, each at most once.
    Words {
        /// The words.
        values: Vec<String>,
    },
    /// Values of patterns by id. None is negative, and 0 switches the pattern off.
    PatternValues {
        /// The patterns whose value may be set.
        patterns: Vec<ValueRange>,
    },
}

/// The range of a pattern's value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ValueRange {
    /// The pattern's key in the file.
    pub id: String,
    /// Its value must be a multiple of this.
    pub quantum: Decimal,
    /// The greatest value.
    pub max: Decimal,
}

impl ValueRange {
    fn allows(&self, value: Decimal) -> bool {
        (0..=self.max.tenths()).contains(&value.tenths())
            && value.tenths() % self.quantum.tenths() == 0
    }

    /// The greatest value that is allowed.
    fn most(&self) -> Decimal {
        let (max, quantum) = (self.max.tenths(), self.quantum.tenths());
        Decimal::from_tenths(max / quantum * quantum)
    }

    /// The ranges of a file's patterns. What patterns add to columns are multiples of `quantum`, and no value exceeds
    /// `max`.
    fn of_patterns(
        root: &Section<'_>,
        quantum: Decimal,
        max: Decimal,
    ) -> Result<Vec<Self>, RulesetError> {
        let Some(Value::Table(patterns)) = root.node("patterns").map(|node| &node.value) else {
            return Ok(Vec::new());
        };
        let columns = root.node("score").and_then(|score| score.member("sums"));
        let columns: Vec<&str> = match columns.map(|node| &node.value) {
            Some(Value::List(columns)) => columns.iter().filter_map(Node::as_text).collect(),
            _ => Vec::new(),
        };
        let steps = read_quantum(&root.need("score")?, &columns)?;
        let one = Decimal::whole(1);
        let of_key = |key: &str| match key {
            "limits" | "han" | "bonus-han" | "han-alone" => {
                Some((one, max.min(Decimal::whole(1000))))
            }
            _ => {
                let place = columns.iter().position(|column| *column == key)?;
                Some((steps.get(place).copied().unwrap_or(one).max(quantum), max))
            }
        };
        let is_gone = |entry: &Entry| {
            entry.key == "enabled" && matches!(entry.node.value, Value::Bool(false))
        };
        let ranges = patterns.iter().filter_map(|pattern| {
            let Value::Table(keys) = &pattern.node.value else {
                return None;
            };
            // An amount that is a formula has no number to be set.
            let numbers = keys.iter().filter(|key| key.node.as_text().is_none());
            let range = numbers.into_iter().find_map(|key| of_key(&key.key));
            let (quantum, max) = range.filter(|_| !keys.iter().any(is_gone))?;
            Some(Self {
                id: pattern.key.clone(),
                quantum,
                max,
            })
        });
        Ok(ranges.collect())
    }
}

impl OptionSpec {
    /// Every value of a numeric option, if there are few. Empty for any other option.
    pub(crate) fn between(&self) -> impl Iterator<Item = OptionValue> {
        const MOST: i64 = 64;
        let (first, last, step, decimal) = match self.kind {
            OptionType::Int { min, max, step } => (min, max, step, false),
            OptionType::Decimal { min, max, step } => {
                (min.tenths(), max.tenths(), step.tenths(), true)
            }
            _ => (1, 0, 1, false),
        };
        let steps = last.saturating_sub(first) / step.max(1);
        let count = if (0..=MOST).contains(&steps) {
            steps + 1
        } else {
            0
        };
        (0..count).map(move |i| {
            let value = first + i * step;
            match decimal {
                true => OptionValue::Decimal(Decimal::from_tenths(value)),
                false => OptionValue::Int(value),
            }
        })
    }
}

impl OptionType {
    /// The value converted to this type. `None` if it is not allowed.
    fn accept(&self, value: &OptionValue) -> Option<OptionValue> {
        let allowed = match (self, value) {
            (Self::Bool, OptionValue::Bool(_)) => true,
            (Self::Int { min, max, step }, OptionValue::Int(value)) => {
                (min..=max).contains(&value) && value.abs_diff(*min) % step.unsigned_abs() == 0
            }
            (Self::Decimal { .. }, OptionValue::Int(value)) => {
                return self.accept(&OptionValue::Decimal(Decimal::whole(*value)));
            }
            (Self::Decimal { min, max, step }, OptionValue::Decimal(value)) => {
                (min..=max).contains(&value) && (value.tenths() - min.tenths()) % step.tenths() == 0
            }
            (Self::Enum { values }, OptionValue::Text(value)) => values.contains(value),
            (Self::Ints { len, min, max }, OptionValue::Ints(list)) => {
                list.len() == *len && list.iter().all(|value| (min..=max).contains(&value))
            }
            (Self::Words { values }, OptionValue::Words(list)) => {
                let twice = |(i, word): (usize, &String)| list[..i].contains(word);
                list.iter().all(|word| values.contains(word)) && !list.iter().enumerate().any(twice)
            }
            (Self::PatternValues { patterns }, OptionValue::Values(values)) => {
                values.0.iter().all(|(id, value)| {
                    let range = patterns.iter().find(|range| range.id == *id);
                    range.is_some_and(|range| range.allows(*value))
                })
            }
            _ => false,
        };
        allowed.then(|| value.clone())
    }

    /// The first unknown name in a value of this type.
    fn unknown<'a>(&self, value: &'a OptionValue) -> Option<&'a str> {
        if let (Self::Words { values }, OptionValue::Words(list)) = (self, value) {
            let mut words = list.iter().map(String::as_str);
            return words.find(|word| !values.iter().any(|value| value == word));
        }
        let (Self::PatternValues { patterns }, OptionValue::Values(values)) = (self, value) else {
            return None;
        };
        let known = |id: &&str| patterns.iter().any(|range| range.id == *id);
        let mut ids = values.0.iter().map(|(id, _)| id.as_str());
        ids.find(|id| !known(id))
    }

    fn expected(&self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Int { min, max, step: 1 } => format!("an integer from {min} to {max}"),
            Self::Int { min, max, step } => {
                format!("an integer from {min} to {max} in steps of {step}")
            }
            Self::Decimal { min, max, step } => {
                format!("a number from {min} to {max} in steps of {step}")
            }
            Self::Enum { values } => format!("one of `{}`", values.join("`, `")),
            Self::Ints { len, min, max } => {
                format!("a list of {len} integers from {min} to {max}")
            }
            Self::Words { values } => {
                format!("a list of any of `{}`, each once", values.join("`, `"))
            }
            Self::PatternValues { patterns } => {
                let max = patterns.iter().map(|range| range.max).max();
                let max = max.unwrap_or_default();
                format!(
                    "values of patterns from 0 to {max}, each a multiple of its quantum; \
                     doubles, han and limits have least values and bounds of their own"
                )
            }
        }
    }
}

/// An option as its ruleset declares it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The id.
    pub name: String,
    /// The names by language, for people.
    pub names: Names,
    /// Which values it can have.
    pub kind: OptionType,
    /// The default value.
    pub default: OptionValue,
    /// What it means.
    pub doc: String,
    /// The source of the rule.
    pub src: String,
}

/// The error for an option that cannot be set.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The ruleset has no such option.
    #[error("unknown option `{name}`{}", suggestion.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name that exists, if one is near.
        suggestion: Option<String>,
    },
    /// A value of another type or out of range.
    #[error("option `{name}` must be {expected}")]
    BadValue {
        /// The option.
        name: String,
        /// Which values it can have.
        expected: String,
    },
    /// The text is not `NAME=VALUE`.
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

/// The options of a ruleset with their current values, in the order of the file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options(Vec<(OptionSpec, OptionValue)>);

impl Options {
    /// The current value.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.0
            .iter()
            .find(|(spec, _)| spec.name == name)
            .map(|(_, value)| value)
    }

    /// The options, each with its current value.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&OptionSpec, &OptionValue)> {
        self.0.iter().map(|(spec, value)| (spec, value))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(spec, _)| spec.name.as_str())
    }

    /// The options with some of them set. Unknown names are reported before bad values.
    ///
    /// # Errors
    /// [`OptionError`].
    pub(crate) fn with(&self, set: &[(String, OptionValue)]) -> Result<Self, OptionError> {
        for (name, value) in set {
            if self.get(name).is_none() {
                return Err(OptionError::Unknown {
                    name: name.clone(),
                    suggestion: nearest(name, self.names()),
                });
            }
            let spec = self.0.iter().find(|(spec, _)| spec.name == *name);
            if let Some((spec, _)) = spec {
                self.known_within(spec, value)?;
            }
        }
        let mut options = self.clone();
        for (name, value) in &merged(set) {
            for (spec, current) in &mut options.0 {
                if spec.name != *name {
                    continue;
                }
                let Some(value) = spec.kind.accept(value) else {
                    return Err(OptionError::BadValue {
                        name: name.clone(),
                        expected: spec.kind.expected(),
                    });
                };
                *current = match (&*current, value) {
                    (OptionValue::Values(before), OptionValue::Values(more)) => {
                        OptionValue::Values(before.and(&more))
                    }
                    (_, value) => value,
                };
            }
        }
        Ok(options)
    }

    /// Returns an error for an unknown name within a value.
    fn known_within(&self, spec: &OptionSpec, value: &OptionValue) -> Result<(), OptionError> {
        let Some(id) = spec.kind.unknown(value) else {
            return Ok(());
        };
        let suggestion = match &spec.kind {
            OptionType::PatternValues { patterns } => {
                nearest(id, patterns.iter().map(|range| range.id.as_str()))
            }
            OptionType::Words { values } => nearest(id, values.iter().map(String::as_str)),
            _ => None,
        };
        Err(OptionError::Unknown {
            name: format!("{}.{id}", spec.name),
            suggestion: suggestion.map(|known| format!("{}.{known}", spec.name)),
        })
    }

    /// Reads the `[options]` of a file. Every option has its default.
    pub(crate) fn read(root: &Section<'_>) -> Result<Self, RulesetError> {
        let Some(section) = root.section("options")? else {
            return Ok(Self::default());
        };
        section.only_tables()?;
        let have = section.entries().len();
        if have > limits::OPTIONS {
            return Err(section.too_many("options", have, limits::OPTIONS));
        }
        let mut options = Vec::new();
        for (name, _, one) in section.ids() {
            // A child may remove an option of its parent.
            if let Some(accepted) = one.node(ACCEPT) {
                one.texts().check_accepted(accepted)?;
            }
            if one.bool("enabled")? == Some(false) {
                continue;
            }
            let kind = Self::read_type(&one, root)?;
            one.asks("default", || KeyType::Any);
            let default = one.node("default");
            let default = one.require("default", default)?;
            let value = match &default.value {
                Value::Bool(value) => OptionValue::Bool(*value),
                Value::Int(value) => OptionValue::Int(*value),
                Value::Decimal(value) => OptionValue::Decimal(*value),
                Value::Text(value) => OptionValue::Text(value.clone()),
                Value::List(items) => {
                    read_list(items).ok_or_else(|| one.bad(default, "default", &kind.expected()))?
                }
                Value::Table(entries) => OptionValue::Values(PatternValues(
                    entries
                        .iter()
                        .map(|entry| {
                            let value = one.decimal_of(&entry.node, &entry.key)?;
                            Ok((entry.key.clone(), value))
                        })
                        .collect::<Result<_, RulesetError>>()?,
                )),
                _ => return Err(one.bad(default, "default", &kind.expected())),
            };
            let Some(value) = kind.accept(&value) else {
                return Err(one.bad(default, "default", &kind.expected()));
            };
            let spec = OptionSpec {
                name: name.to_owned(),
                names: Names::new(name, one.names("name", &[])?),
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

    /// Declares the option `values` for the values of patterns, if the file declares no option of that name.
    pub(crate) fn declare_values(&mut self, root: &Section<'_>) -> Result<(), RulesetError> {
        if self.get(VALUES).is_some() {
            return Ok(());
        }
        let max = Decimal::whole(1_000_000);
        let quantum = Decimal::from_tenths(1);
        let value = OptionValue::Values(PatternValues::default());
        let spec = OptionSpec {
            name: VALUES.to_owned(),
            names: Names::new(VALUES, Vec::new()),
            kind: OptionType::PatternValues {
                patterns: ValueRange::of_patterns(root, quantum, max)?,
            },
            default: value.clone(),
            doc:
                "Values of patterns by id in place of those of the file; 0 switches a pattern off."
                    .to_owned(),
            src: String::new(),
        };
        self.0.push((spec, value));
        Ok(())
    }

    fn read_type(one: &Section<'_>, root: &Section<'_>) -> Result<OptionType, RulesetError> {
        #[derive(Clone, Copy)]
        enum Word {
            Bool,
            Int,
            Decimal,
            Enum,
            Ints,
            Words,
            PatternValues,
        }
        let words = [
            ("bool", Word::Bool),
            ("int", Word::Int),
            ("decimal", Word::Decimal),
            ("enum", Word::Enum),
            ("ints", Word::Ints),
            ("words", Word::Words),
            ("pattern-values", Word::PatternValues),
        ];
        let decimal = |key, default| one.decimal(key).map(|value| value.unwrap_or(default));
        let word = one.word("type", &words)?;
        Ok(match one.require("type", word)? {
            Word::Bool => OptionType::Bool,
            Word::Int => {
                let all = -1_000_000_000..=1_000_000_000;
                let min = one.int("min", all.clone())?.unwrap_or(*all.start());
                let max = one.int("max", all.clone())?.unwrap_or(*all.end());
                let step = one.int("step", 1..=1_000_000_000)?.unwrap_or(1);
                OptionType::Int { min, max, step }
            }
            Word::Decimal => {
                let min = decimal("min", Decimal::whole(-1_000_000))?;
                let max = decimal("max", Decimal::whole(1_000_000))?;
                let step = decimal("step", Decimal::from_tenths(1))?;
                if step.tenths() < 1 {
                    return Err(one.must_be("step", "more than 0"));
                }
                OptionType::Decimal { min, max, step }
            }
            Word::PatternValues => {
                let quantum = decimal("quantum", Decimal::from_tenths(1))?;
                let max = decimal("max", Decimal::whole(1_000_000))?;
                if quantum.tenths() < 1 {
                    return Err(one.must_be("quantum", "more than 0"));
                }
                let patterns = ValueRange::of_patterns(root, quantum, max)?;
                OptionType::PatternValues { patterns }
            }
            Word::Ints => {
                let all = -1_000_000_000..=1_000_000_000;
                let len = one.int("len", 1..=100)?;
                OptionType::Ints {
                    len: one.require("len", len)? as usize,
                    min: one.int("min", all.clone())?.unwrap_or(*all.start()),
                    max: one.int("max", all.clone())?.unwrap_or(*all.end()),
                }
            }
            Word::Words => OptionType::Words {
                values: Self::read_words(one)?,
            },
            Word::Enum => OptionType::Enum {
                values: Self::read_words(one)?,
            },
        })
    }

    fn read_words(one: &Section<'_>) -> Result<Vec<String>, RulesetError> {
        let values = one.list("values")?;
        if values.len() > limits::WORDS {
            return Err(one.too_many("words of an option", values.len(), limits::WORDS));
        }
        one.asks_items("values", || KeyType::Text);
        values
            .iter()
            .map(|node| one.text_of(node, "values").map(str::to_owned))
            .collect()
    }

    /// Settings that change one option at a time: to true and false, to each word, to both ends of a numeric range and
    /// the value after the first, to the extremes of lists and pattern values.
    pub fn variations(&self) -> Vec<(String, OptionValue)> {
        let mut all = Vec::new();
        for (spec, current) in &self.0 {
            let values: Vec<OptionValue> = match &spec.kind {
                OptionType::Bool => vec![true.into(), false.into()],
                OptionType::Int { min, max, step } => {
                    let steps = max.abs_diff(*min) / step.unsigned_abs();
                    let most = min.saturating_add_unsigned(steps * step.unsigned_abs());
                    [*min, min.saturating_add(*step).min(most), most]
                        .map(OptionValue::Int)
                        .to_vec()
                }
                OptionType::Decimal { min, max, step } => {
                    let (first, step) = (min.tenths(), step.tenths());
                    // Steps count from the first value, so the last one may lie below the bound.
                    let last = first + (max.tenths() - first) / step * step;
                    [first, (first + step).min(last), last]
                        .map(|tenths| OptionValue::Decimal(Decimal::from_tenths(tenths)))
                        .to_vec()
                }
                OptionType::Enum { values } => values
                    .iter()
                    .map(|v| OptionValue::Text(v.clone()))
                    .collect(),
                OptionType::Ints { len, min, max } => [*min, *max]
                    .map(|value| OptionValue::Ints(vec![value; *len]))
                    .to_vec(),
                OptionType::Words { values } => vec![
                    OptionValue::Words(Vec::new()),
                    OptionValue::Words(values.clone()),
                ],
                OptionType::PatternValues { patterns } => {
                    let all = |value: fn(&ValueRange) -> Decimal| {
                        let values = patterns
                            .iter()
                            .map(|range| (range.id.clone(), value(range)));
                        OptionValue::Values(PatternValues(values.collect()))
                    };
                    vec![all(|_| Decimal::default()), all(ValueRange::most)]
                }
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

#[cfg(feature = "serde")]
impl Serialize for Options {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(spec, value)| (&spec.name, value)))
    }
}

/// Option values by name. Their order is kept.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct OptionMap(pub Vec<(String, OptionValue)>);

impl OptionMap {
    /// The options whose value is not their default.
    pub(crate) fn changed(options: &Options) -> Self {
        let changed = options
            .iter()
            .filter(|(spec, value)| spec.default != **value);
        let changed = changed.map(|(spec, value)| (spec.name.clone(), value.clone()));
        Self(changed.collect())
    }
}

impl From<&Options> for OptionMap {
    fn from(options: &Options) -> Self {
        Self(
            options
                .iter()
                .map(|(spec, value)| (spec.name.clone(), value.clone()))
                .collect(),
        )
    }
}

#[cfg(feature = "serde")]
impl Serialize for OptionMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for OptionMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor;
        impl<'de> Visitor<'de> for MapVisitor {
            type Value = OptionMap;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("option values by name")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OptionMap, A::Error> {
                let mut options = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    options.push(entry);
                }
                Ok(OptionMap(options))
            }
        }
        deserializer.deserialize_map(MapVisitor)
    }
}

/// Settings as [`parse_option`] reads them, with a space between two.
///
/// ```
/// use paishan::ruleset::OptionMap;
/// let options: OptionMap = "cap=500 flowers=false values.orchard=2.5".parse()?;
/// assert_eq!(options.0.len(), 3);
/// assert_eq!(options.to_string(), "cap=500 flowers=false values.orchard=2.5");
/// # Ok::<(), paishan::ruleset::OptionError>(())
/// ```
impl FromStr for OptionMap {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let settings = text.split_whitespace().map(parse_option);
        Ok(Self(merged(&settings.collect::<Result<Vec<_>, _>>()?)))
    }
}

impl fmt::Display for OptionMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        for (name, value) in &self.0 {
            let list = |items: Vec<String>| format!("{name}=[{}]", items.join(","));
            match value {
                OptionValue::Bool(value) => settings.push(format!("{name}={value}")),
                OptionValue::Int(value) => settings.push(format!("{name}={value}")),
                OptionValue::Decimal(value) => settings.push(format!("{name}={value}")),
                OptionValue::Text(value) => settings.push(format!("{name}={value}")),
                OptionValue::Words(words) => settings.push(list(words.clone())),
                OptionValue::Ints(ints) => {
                    settings.push(list(ints.iter().map(ToString::to_string).collect()));
                }
                OptionValue::Values(values) => {
                    let one = |(id, value): &(String, Decimal)| format!("{name}.{id}={value}");
                    settings.extend(values.0.iter().map(one));
                }
            }
        }
        f.write_str(&settings.join(" "))
    }
}
