//! The parts of the documentation of a key: its type, what applies without it, its meaning.

use crate::score::facts::Scope;
use std::fmt;
use std::ops::RangeInclusive;

/// What the value of a key may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KeyType {
    /// True or false.
    Bool,
    /// An integer in a range, both bounds included.
    Int {
        /// The least value.
        least: i64,
        /// The greatest value.
        most: i64,
    },
    /// A number with at most one decimal place.
    Decimal,
    /// Any string.
    Text,
    /// A name: a string, which is the English name, or a table of strings by the tags of their languages.
    Names,
    /// A string that is one of some words.
    Words(&'static [&'static str]),
    /// A string with a condition. [The facts](crate::score::facts::FACTS) of its scope are known.
    Condition(Scope),
    /// A string with an expression that is an integer. The facts of its scope are known.
    Count(Scope),
    /// A string with the amount of a payment in points.
    Amount,
    /// A string with a number over the sums of patterns.
    Formula,
    /// A string with a number over options.
    Amounts,
    /// A string with an id of a section of the file, such as `flags`.
    Id(&'static str),
    /// A string of another form, in words.
    Form(&'static str),
    /// Tiles: a string, or a list of strings and of tables `{ tiles = "…", if = "…" }`.
    Tiles,
    /// A value that depends on other keys.
    Any,
    /// A table. Its keys are those of the section with this path.
    Table,
    /// A list with items of one type.
    List(&'static Self),
}

impl KeyType {
    pub(crate) const fn of_range(range: &RangeInclusive<i64>) -> Self {
        int(*range.start(), *range.end())
    }
}

/// An integer from one bound to another.
pub(super) const fn int(least: i64, most: i64) -> KeyType {
    KeyType::Int { least, most }
}

/// Dice, such as `2d6`.
pub(crate) const DICE: KeyType =
    KeyType::Form("dice such as `2d6`: one to three dice of up to twenty sides");

/// Three ranks, such as `124`.
pub(crate) const RANKS: KeyType = KeyType::Form("three rising ranks such as `124`");

/// Claims of equal precedence.
pub(crate) const CLAIMS: KeyType = KeyType::Form(
    "one of `win`, `kong`, `pung`, `chow`, `quint`, `sextet`, or several joined by `|`",
);

/// A class of kinds.
pub(crate) const CLASS: KeyType = KeyType::Form("a class of tiles such as `dragon|19t`");

/// A class of kinds that is the same for every seat.
pub(crate) const KINDS: KeyType =
    KeyType::Form("a class of tiles such as `dragon|19t`, without the winds of seat and round");

/// A list of groups, as in `has-groups`.
pub(crate) const GROUPS: KeyType = KeyType::Form("groups such as `chow r a, chow r+1 b`");

/// The items of a form.
pub(crate) const FORM_ITEMS: KeyType =
    KeyType::Form("items such as `each honour, pung r a, pair r+1 a`");

/// A named condition or number.
pub(crate) const EXPRESSION: KeyType =
    KeyType::Form("a condition, or an expression that is a number");

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Int { least, most } => write!(f, "an integer from {least} to {most}"),
            Self::Decimal => f.write_str("a number with at most one decimal place"),
            Self::Text => f.write_str("a string"),
            Self::Names => f.write_str("a string, or a table of strings by language"),
            Self::Words(words) => f.write_str(&one_of(words)),
            Self::Condition(scope) => write!(f, "a condition of scope `{scope:?}`"),
            Self::Count(scope) => write!(f, "a count of scope `{scope:?}`"),
            Self::Amount => f.write_str("a number of whole or half points of scope `Payment`"),
            Self::Formula => f.write_str("a number of scope `Sums`"),
            Self::Amounts => f.write_str("a string with a number over options"),
            Self::Id(section) => write!(f, "an id of `[{section}]`"),
            Self::Form(words) => f.write_str(words),
            Self::Tiles => f.write_str("tiles in ujmj notation"),
            Self::Any => f.write_str("a value"),
            Self::Table => f.write_str("a table"),
            Self::List(item) => write!(f, "a list, each {item}"),
        }
    }
}

/// Words as the end of a sentence that says what a value must be.
pub(crate) fn one_of(words: &[&str]) -> String {
    format!("one of `{}`", words.join("`, `"))
}

/// What applies if a file does not have a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Absent {
    /// The file, with all that it extends, must have the key.
    Required,
    /// The same as this value, in TOML.
    Default(&'static str),
    /// See the documentation of the key.
    Unset,
}

/// A key of a section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct KeyDoc {
    /// The path of its section.
    pub section: &'static str,
    /// Its name. `<id>` is any name that the file gives.
    pub name: &'static str,
    /// What its value may be: one of these.
    pub types: &'static [KeyType],
    /// What applies without it.
    pub absent: Absent,
}

impl KeyDoc {
    /// What the value may be, in words.
    pub fn value(&self) -> String {
        let types: Vec<String> = self.types.iter().map(ToString::to_string).collect();
        types.join("; or ")
    }
}

/// The key on one line.
impl fmt::Display for KeyDoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.value())?;
        match self.absent {
            Absent::Required => f.write_str(", required")?,
            Absent::Default(value) => write!(f, ", `{value}` if absent")?,
            Absent::Unset => {}
        }
        write!(f, ". {}", self.doc())
    }
}

/// A table of a file with its keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SectionDoc {
    /// The keys that lead to it, joined by dots. `<id>` is any name that the file gives. The top of a file has an empty
    /// path. A list of tables has the path of its key.
    pub path: &'static str,
    /// Its keys.
    pub keys: &'static [KeyDoc],
}

impl SectionDoc {
    /// The key of this name.
    pub fn key(&self, name: &str) -> Option<&'static KeyDoc> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// The section as text, one key a line.
impl fmt::Display for SectionDoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path {
            "" => writeln!(f, "The top of a file: {}", self.doc())?,
            path => writeln!(f, "[{path}]: {}", self.doc())?,
        }
        for key in self.keys {
            writeln!(f, "  {key}")?;
        }
        Ok(())
    }
}
