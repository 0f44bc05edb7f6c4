//! Ruleset texts as a tree whose nodes store their place in the text, for errors.
//!
//! A text is merged over the parent that it extends. [`Section`] reads tables strictly: unknown keys are
//! errors. `toml.rs` parses a text into a tree, and `read/resolve.rs` inserts option values.

use super::keys::{self, Absent, KeyDoc, KeyType, SECTIONS, SectionDoc, one_of};
use crate::decimal::Decimal;
use crate::decompose::{FormError, GrammarError, WildScopeError};
use crate::lang::{self, Lang};
use crate::score::condition;
pub(crate) use crate::text::nearest;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A fault in a ruleset text, with its place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {fault}")]
#[non_exhaustive]
pub struct RulesetError {
    /// Name of the text, such as `rulesets/woo.toml`.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: RulesetFault,
}

/// Several faults in a ruleset text, one a line, in the order of the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("{}{}", lines(.shown), more(*.further))]
#[non_exhaustive]
pub struct RulesetErrors {
    /// The first of them, [`RulesetErrors::MOST`] at most.
    pub shown: Vec<RulesetError>,
    /// How many more were found.
    pub further: usize,
}

impl RulesetErrors {
    /// The most faults that are shown at once.
    pub const MOST: usize = 20;

    /// Sorts the faults by their place.
    pub(crate) fn new(mut all: Vec<RulesetError>) -> Self {
        all.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        all.dedup();
        let further = all.len().saturating_sub(Self::MOST);
        all.truncate(Self::MOST);
        Self {
            shown: all,
            further,
        }
    }
}

fn lines(errors: &[RulesetError]) -> String {
    let lines: Vec<String> = errors.iter().map(RulesetError::to_string).collect();
    lines.join("\n")
}

fn more(further: usize) -> String {
    match further {
        0 => String::new(),
        further => format!("\nand {further} more"),
    }
}

/// What can be wrong with a ruleset text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesetFault {
    /// The text is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// A key that the table does not have.
    #[error("unknown key `{key}` {}{}", within(.table), did_you_mean(.suggestion))]
    UnknownKey {
        /// The key.
        key: String,
        /// Path of the table.
        table: String,
        /// The nearest key that exists, if one is near.
        suggestion: Option<String>,
    },
    /// A key that the table must have.
    #[error("{}", has_no(.table, .key))]
    MissingKey {
        /// The key.
        key: &'static str,
        /// Path of the table.
        table: String,
    },
    /// A value of the wrong type or outside its range.
    #[error("`{key}` must be {expected}")]
    BadValue {
        /// Path of the value.
        key: String,
        /// What it must be.
        expected: String,
    },
    /// A word that is not allowed here.
    #[error("`{found}` is no {what}{}", did_you_mean(.suggestion))]
    UnknownName {
        /// What kind of word was looked for.
        what: &'static str,
        /// The word.
        found: String,
        /// The nearest word that exists, if one is near.
        suggestion: Option<String>,
    },
    /// A condition that breaks the grammar, or has a wrong name or type.
    #[error("{0}")]
    Condition(condition::ConditionError),
    /// Wild tiles that cannot stand for what the rows say.
    #[error("{0}")]
    Wild(WildScopeError),
    /// More of something than a ruleset may have.
    #[error("{have} {what}, a ruleset may have {most}")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        have: usize,
        /// How many there may be.
        most: usize,
    },
    /// Less of something than the rest of the ruleset needs.
    #[error("{have} {what} are too few, the ruleset needs {least}")]
    TooFew {
        /// What there is too little of.
        what: &'static str,
        /// How many there are.
        have: usize,
        /// How many there must be.
        least: usize,
    },
    /// A key without what it depends on.
    #[error("`{key}` needs {needs}")]
    Needs {
        /// Path of the key.
        key: String,
        /// What it depends on: another key, a value of another key, or a property of the tiles.
        needs: String,
    },
    /// Two keys whose values exclude each other.
    #[error("`{key}` conflicts with `{other}`: {why}")]
    Conflict {
        /// Path of one key.
        key: String,
        /// Path of the other.
        other: String,
        /// Why they exclude each other.
        why: &'static str,
    },
    /// A row of `[payments]` asks for a fact that it may not know.
    #[error("`{key}` asks for `{fact}`, {why}")]
    UnknownFact {
        /// Path of the condition or number.
        key: String,
        /// The fact.
        fact: &'static str,
        /// Why the row may not know it.
        why: String,
    },
    /// A name that conditions know already.
    #[error("`{name}` is the name of a fact, a flag, an option or a column already")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A named condition whose meaning depends on itself.
    #[error("the meaning of `{name}` depends on `{name}`")]
    UsesItself {
        /// Its name.
        name: String,
    },
    /// Rulesets that extend each other.
    #[error("rulesets extend each other")]
    ExtendEachOther,
    /// Melds and forms that no hand can have.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// A form that no hand can have.
    #[error("form `{form}`{}: {error}", .item.as_ref().map(|item| format!(", item `{item}`")).unwrap_or_default())]
    Form {
        /// The form.
        form: String,
        /// The first item with which it cannot be made, where one is at fault.
        item: Option<String>,
        /// What is wrong.
        error: FormError,
    },
    /// A key with which something does not load that another file says, which this one extends.
    #[error("because of `{key}`: {error}")]
    BecauseOf {
        /// Path of the key.
        key: String,
        /// What does not load with it.
        error: Box<RulesetError>,
    },
}

/// Limits on the size of a ruleset, so that any text is loaded or rejected in about a second. The largest
/// ruleset of the crate has a tenth of each.
pub(crate) mod limits {
    /// Bytes of one text.
    pub(crate) const TEXT: usize = 512 * 1024;
    /// Custom texts that one text extends, directly and indirectly.
    pub(crate) const PARENTS: usize = 8;
    /// Levels of tables and lists within one another.
    pub(crate) const DEPTH: usize = 32;
    /// Bytes of a `src` that all tables of a section share.
    pub(crate) const SOURCE: usize = 500;
    /// Named conditions.
    pub(crate) const CONDITIONS: usize = 200;
    /// Ranks and suits that are substituted for the letters of all conditions.
    pub(crate) const LETTERS: usize = 40_000;
    /// Rows of `[payments]`.
    pub(crate) const PAYMENTS: usize = 64;
    /// Options. Loading tries each at several values.
    pub(crate) const OPTIONS: usize = 128;
    /// Words of one option.
    pub(crate) const WORDS: usize = 256;
    /// Keys and items of all trees that are read again to find the cause of a fault.
    pub(crate) const CAUSES: usize = 200_000;
    /// Keys and items of all values, times the number of option values that loading tries.
    pub(crate) const VALUES_TRIED: usize = 2_000_000;
    /// Patterns, times the number of option values that loading tries.
    pub(crate) const PATTERNS_TRIED: usize = 200_000;
}

fn has_no(table: &str, key: &str) -> String {
    match table {
        // All that a file must have are tables.
        "" => format!("the file has no [{key}]"),
        _ => format!("[{table}] has no `{key}`"),
    }
}

/// Keys of earlier versions, and the keys that replaced them.
const FORMER: [(&str, &[&str]); 3] = [
    ("requires", &["consistent", "when"]),
    ("requires-hand", &["consistent", "when"]),
    ("requires-reading", &["when"]),
];

fn within(table: &str) -> String {
    match table {
        "" => "at the top of the file".to_owned(),
        _ => format!("in [{table}]"),
    }
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    match suggestion {
        Some(word) => format!("; did you mean `{word}`?"),
        None => String::new(),
    }
}

/// A place in one of the texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(super) text: usize,
    pub(super) offset: usize,
}

impl Place {
    /// True for a place in the ruleset's own text, and not in one that it extends.
    pub(crate) const fn is_own(self) -> bool {
        self.text == 0
    }
}

/// The texts that a ruleset is made of: its own, and those that it extends. Each has a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) all: Vec<(String, String)>,
}

/// The texts of a ruleset while it is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    pub(super) files: Arc<Files>,
    /// Errors noted so far. Reading continues after them, to find more.
    noted: RefCell<Vec<RulesetError>>,
    #[cfg(test)]
    pub(super) questions: RefCell<Vec<Question>>,
}

/// What a reader asks of a key, for the tests of [`keys`](super::keys).
#[cfg(test)]
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Question {
    pub(super) section: String,
    pub(super) key: String,
    /// The reader asks it of the items of a list.
    pub(super) of_item: bool,
    pub(super) wanted: String,
}

impl Texts {
    /// The texts without errors.
    pub(super) fn new(files: Arc<Files>) -> Self {
        Self {
            files,
            ..Self::default()
        }
    }

    /// The value of a result. An error is noted.
    pub(crate) fn note<T>(&self, result: Result<T, RulesetError>) -> Option<T> {
        result.map_err(|error| self.note_error(error)).ok()
    }

    /// Notes an error, so that reading continues and finds others.
    pub(crate) fn note_error(&self, error: RulesetError) {
        self.noted.borrow_mut().push(error);
    }

    /// Fails if errors are noted. One of them is removed and returned.
    pub(crate) fn check_noted(&self) -> Result<(), RulesetError> {
        self.noted.borrow_mut().pop().map_or(Ok(()), Err)
    }

    /// Removes and returns all noted errors.
    pub(crate) fn take_noted(&self) -> Vec<RulesetError> {
        self.noted.take()
    }

    /// An error at a place. `further` is an offset in bytes, for a place within a string.
    pub(crate) fn error(&self, place: Place, further: usize, fault: RulesetFault) -> RulesetError {
        let (file, line, column) = self.locate(place, further);
        RulesetError {
            file,
            line,
            column,
            fault,
        }
    }

    /// The place of an error, as far as a line and a column tell.
    pub(crate) fn place_of(&self, error: &RulesetError) -> Option<Place> {
        let mut files = self.files.all.iter().enumerate();
        let (text, (_, all)) = files.find(|(_, (file, _))| *file == error.file)?;
        let start: usize = all
            .split_inclusive('\n')
            .take(error.line - 1)
            .map(str::len)
            .sum();
        let before = all[start..].chars().take(error.column - 1);
        let offset = start + before.map(char::len_utf8).sum::<usize>();
        Some(Place { text, offset })
    }

    /// The name of the text, line and column of a place. `further` as in [`Texts::error`].
    pub(crate) fn locate(&self, place: Place, further: usize) -> (String, usize, usize) {
        let (file, text) = &self.files.all[place.text];
        let mut offset = (place.offset + further).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        (file.clone(), line, column)
    }
}

/// The fault of exceeding a limit.
pub(crate) const fn too_many(what: &'static str, have: usize, most: usize) -> RulesetFault {
    RulesetFault::TooMany { what, have, most }
}

/// Sections whose keys are ids, each with a table that may have a `src`.
pub(crate) const SECTIONS_OF_IDS: [&str; 11] = [
    "aside",
    "opening",
    "options",
    "melds",
    "forms",
    "flags",
    "patterns",
    "invariants",
    "payments",
    "turned",
    "wild",
];

/// The key for the lints that a table accepts.
pub(crate) const ACCEPT: &str = "accept";

/// True for the path of a name, which is a string or a table by language. Names are no rules.
pub(super) fn is_name(path: &[&str]) -> bool {
    match path {
        ["tiles", "names", "tile"] => false,
        ["ruleset", "name"]
        | ["patterns" | "options" | "opening", _, "name"]
        | ["tiles" | "actions", "names", _]
        | ["tiles", "suits", _, "name" | "tile"]
        | ["tiles", "names", "tile", _] => true,
        _ => false,
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Int(i64),
    Bool(bool),
    Decimal(Decimal),
    /// A date, or a number that is too large or has too many decimal places. No key of a ruleset accepts one.
    Other,
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key of a table with its value, in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) place: Place,
    pub(crate) node: Node,
}

impl Node {
    /// Merges `child` over `self`. Tables are merged key by key. Any other value is replaced.
    pub(crate) fn merge(&mut self, child: Self) {
        // `{ option = "name" }` is a value, so it is replaced as one.
        let as_a_whole = self.is_reference() || child.is_reference();
        match (&mut self.value, child.value) {
            (Value::Table(mine), Value::Table(theirs)) if !as_a_whole => {
                self.place = child.place;
                // A text has each key once, so only keys of `self` can occur again.
                let known: HashMap<String, usize> = mine
                    .iter()
                    .enumerate()
                    .map(|(i, entry)| (entry.key.clone(), i))
                    .collect();
                for entry in theirs {
                    match known.get(&entry.key) {
                        Some(&i) => {
                            mine[i].place = entry.place;
                            mine[i].node.merge(entry.node);
                        }
                        None => mine.push(entry),
                    }
                }
            }
            (_, value) => {
                *self = Self {
                    value,
                    place: child.place,
                }
            }
        }
    }

    /// Copies the `src` of a section to each table in it that has no `src`. For sections whose keys are ids.
    pub(super) fn spread_sources(&mut self) {
        let Value::Table(sections) = &mut self.value else {
            return;
        };
        let has_ids = |section: &&mut Entry| SECTIONS_OF_IDS.contains(&section.key.as_str());
        for section in sections.iter_mut().filter(has_ids) {
            let Value::Table(entries) = &mut section.node.value else {
                continue;
            };
            let is_source = |entry: &Entry| {
                let is_short = |text: &str| text.len() <= limits::SOURCE;
                entry.key == "src"
                    && matches!(&entry.node.value, Value::Text(text) if is_short(text))
            };
            let Some(at) = entries.iter().position(is_source) else {
                continue;
            };
            let source = entries.remove(at);
            for entry in entries {
                if let Value::Table(keys) = &mut entry.node.value
                    && !keys.iter().any(|key| key.key == "src")
                {
                    keys.push(source.clone());
                }
            }
        }
    }

    /// Turns each name that is a string into a table with the English name, so that names are merged by language.
    pub(super) fn spread_names(&mut self) {
        fn spread<'a>(node: &'a mut Node, path: &mut Vec<&'a str>) {
            if is_name(path) {
                if let Value::Text(name) = &mut node.value {
                    let place = node.place;
                    let value = Value::Text(std::mem::take(name));
                    let english = Entry {
                        key: Lang::EN.to_string(),
                        place,
                        node: Node { value, place },
                    };
                    node.value = Value::Table(vec![english]);
                }
            } else if let (Value::Table(entries), 0..=3) = (&mut node.value, path.len()) {
                for Entry { key, node, .. } in entries {
                    path.push(key);
                    spread(node, path);
                    path.pop();
                }
            }
        }
        spread(self, &mut Vec::new());
    }

    /// The string that the node is, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The keys of a table. None for any other value.
    pub(crate) fn keys(&self) -> Vec<&str> {
        match &self.value {
            Value::Table(entries) => entries.iter().map(|entry| entry.key.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    /// The items of a list, or the value itself.
    fn tables(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// The values within this one.
    fn inner(&self) -> impl Iterator<Item = &Self> {
        let (items, entries): (&[Self], &[Entry]) = match &self.value {
            Value::List(items) => (items, &[]),
            Value::Table(entries) => (&[], entries),
            _ => (&[], &[]),
        };
        items.iter().chain(entries.iter().map(|entry| &entry.node))
    }

    /// How many keys and items there are, at all levels.
    pub(crate) fn size(&self) -> usize {
        self.inner().map(|node| 1 + node.size()).sum()
    }

    /// The first value that is nested in more than `most` tables and lists, as its depth and place.
    pub(super) fn deeper_than(&self, most: usize) -> Option<(usize, Place)> {
        fn look(node: &Node, depth: usize, most: usize) -> Option<(usize, Place)> {
            match depth > most {
                true => Some((depth, node.place)),
                false => node.inner().find_map(|node| look(node, depth + 1, most)),
            }
        }
        look(self, 0, most)
    }

    /// True for `{ option = "name" }`.
    pub(crate) fn is_reference(&self) -> bool {
        match &self.value {
            Value::Table(entries) => matches!(
                &entries[..],
                [Entry { key, node: Self { value: Value::Text(_), .. }, .. }] if key == "option"
            ),
            _ => false,
        }
    }

    /// The place of the key at a path. If there is no such key, the place of the last key of the path that exists.
    pub(crate) fn place_of(&self, path: &[&str]) -> Place {
        let mut place = self.place;
        let mut node = self;
        for key in path {
            let Value::Table(entries) = &node.value else {
                break;
            };
            let Some(entry) = entries.iter().find(|entry| entry.key == *key) else {
                break;
            };
            place = entry.place;
            node = &entry.node;
        }
        place
    }

    /// True for a value from the ruleset's own text, and not from one that it extends.
    pub(crate) const fn is_own(&self) -> bool {
        self.place.is_own()
    }

    /// The same tree with another name for the key at a path, or without the key.
    pub(crate) fn renamed(&self, path: &[&str], name: Option<&str>) -> Self {
        let mut tree = self.clone();
        let table = path.split_last().and_then(|(last, above)| {
            let mut above = above.iter();
            Some((
                last,
                above.try_fold(&mut tree, |node, key| node.member_mut(key))?,
            ))
        });
        if let Some((
            last,
            Self {
                value: Value::Table(entries),
                ..
            },
        )) = table
        {
            match name {
                None => entries.retain(|entry| entry.key != *last),
                Some(name) => entries
                    .iter_mut()
                    .filter(|entry| entry.key == *last)
                    .for_each(|entry| entry.key = name.to_owned()),
            }
        }
        tree
    }

    /// The same tree without an item of the list at a path.
    pub(crate) fn without_item(&self, path: &[&str], item: usize) -> Self {
        let mut tree = self.clone();
        let list = path
            .iter()
            .try_fold(&mut tree, |node, key| node.member_mut(key));
        if let Some(Self {
            value: Value::List(items),
            ..
        }) = list
            && item < items.len()
        {
            items.remove(item);
        }
        tree
    }

    pub(crate) fn member(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.node),
            _ => None,
        }
    }

    pub(crate) fn member_mut(&mut self, key: &str) -> Option<&mut Self> {
        match &mut self.value {
            Value::Table(entries) => {
                let entry = entries.iter_mut().find(|entry| entry.key == key);
                entry.map(|entry| &mut entry.node)
            }
            _ => None,
        }
    }

    /// A string of the header `[ruleset]`, before strict reading begins.
    pub(crate) fn header_text(&self, key: &str) -> Option<(&str, Place)> {
        let node = self.member("ruleset")?.member(key)?;
        match &node.value {
            Value::Text(text) => Some((text, node.place)),
            _ => None,
        }
    }

    /// The tree with the key at a path alone.
    pub(crate) fn only(&self, path: &[&str]) -> Self {
        let Some((key, below)) = path.split_first() else {
            return self.clone();
        };
        let own = match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == *key),
            _ => None,
        };
        let own = own.map(|entry| Entry {
            key: entry.key.clone(),
            place: entry.place,
            node: entry.node.only(below),
        });
        Self {
            value: Value::Table(own.into_iter().collect()),
            place: self.place,
        }
    }
}

impl Texts {
    /// Records what a reader asks of a key. Does nothing outside tests.
    #[cfg_attr(
        not(test),
        expect(unused_variables, reason = "tests compare what is asked with `keys`")
    )]
    pub(crate) fn asks<W: fmt::Display>(
        &self,
        section: &str,
        key: &str,
        of_item: bool,
        wanted: impl FnOnce() -> W,
    ) {
        #[cfg(test)]
        self.questions.borrow_mut().push(Question {
            section: section.to_owned(),
            key: key.to_owned(),
            of_item,
            wanted: wanted().to_string(),
        });
    }

    /// Checks that every lint that a table accepts has a reason.
    pub(super) fn check_accepted(&self, node: &Node) -> Result<(), RulesetError> {
        let has_reason =
            |entry: &Entry| matches!(&entry.node.value, Value::Text(text) if !text.is_empty());
        match &node.value {
            Value::Table(entries) if entries.iter().all(has_reason) => Ok(()),
            _ => Err(self.expected(node, ACCEPT, "a table of reasons by the kind of lint")),
        }
    }

    pub(crate) fn expected(&self, node: &Node, key: &str, expected: &str) -> RulesetError {
        let fault = RulesetFault::BadValue {
            key: key.to_owned(),
            expected: expected.to_owned(),
        };
        self.error(node.place, 0, fault)
    }

    /// The error of a condition whose string starts at a place.
    pub(crate) fn condition(&self, place: Place, error: condition::ConditionError) -> RulesetError {
        // The opening quote is one byte.
        let further = 1 + error.at();
        self.error(place, further, RulesetFault::Condition(error))
    }
}

/// What a key in a table of names must be.
const LANG: &str = "a language tag of 2 to 8 lower-case letters, digits and hyphens, such as `zh`";

fn names<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

/// A table that is read strictly: [`Section::finish`] returns an error for a key that no reader asked for.
pub(crate) struct Section<'a> {
    texts: &'a Texts,
    entries: &'a [Entry],
    place: Place,
    path: String,
    asked: RefCell<Vec<Cow<'static, str>>>,
}

impl<'a> Section<'a> {
    /// The table of a whole text.
    pub(crate) fn root(texts: &'a Texts, node: &'a Node) -> Result<Self, RulesetError> {
        Self::of(texts, node, String::new())
    }

    /// A node that must be a table.
    pub(crate) fn of(
        texts: &'a Texts,
        node: &'a Node,
        path: impl Into<String>,
    ) -> Result<Self, RulesetError> {
        let path = path.into();
        match &node.value {
            Value::Table(entries) => Ok(Self {
                texts,
                entries,
                place: node.place,
                path,
                asked: RefCell::new(Vec::new()),
            }),
            _ => Err(texts.expected(node, &path, &KeyType::Table.to_string())),
        }
    }

    /// A copy of the table, with the keys that were asked for so far.
    pub(crate) fn again(&self) -> Self {
        Self {
            path: self.path.clone(),
            asked: self.asked.clone(),
            ..*self
        }
    }

    pub(crate) fn texts(&self) -> &'a Texts {
        self.texts
    }

    /// The path of a key of this table. No key is the table itself.
    pub(crate) fn join(&self, key: &str) -> String {
        match (self.path.as_str(), key) {
            ("", key) => key.to_owned(),
            (path, "") => path.to_owned(),
            (path, key) => format!("{path}.{key}"),
        }
    }

    /// All entries that are tables, for tables whose keys are ids.
    pub(crate) fn ids(&self) -> impl Iterator<Item = (&'a str, &'a Node, Section<'a>)> + '_
    where
        'a: 'a,
    {
        self.entries.iter().filter_map(|entry| {
            let section = Section::of(self.texts, &entry.node, self.join(&entry.key)).ok()?;
            Some((entry.key.as_str(), &entry.node, section))
        })
    }

    /// Fails on the first entry that is not a table, for tables whose keys are ids.
    pub(crate) fn only_tables(&self) -> Result<(), RulesetError> {
        self.asks("<id>", || KeyType::Table);
        for entry in self.entries {
            Section::of(self.texts, &entry.node, self.join(&entry.key))?;
        }
        Ok(())
    }

    pub(crate) fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    /// True when the table has a key. This does not mark it as asked for.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The value of a key, which is marked as asked for.
    pub(crate) fn node(&self, key: &'static str) -> Option<&'a Node> {
        self.asked.borrow_mut().push(Cow::Borrowed(key));
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// The value of a key that the file itself has named elsewhere, which is marked as asked for.
    pub(crate) fn named(&self, key: &str) -> Option<&'a Node> {
        self.asked.borrow_mut().push(Cow::Owned(key.to_owned()));
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// Records, for tests, what the reader of a key expects.
    pub(crate) fn asks<W: fmt::Display>(&self, key: &str, wanted: impl FnOnce() -> W) {
        self.texts.asks(&self.path, key, false, wanted);
    }

    /// The same for each item of a list.
    pub(crate) fn asks_items<W: fmt::Display>(&self, key: &str, wanted: impl FnOnce() -> W) {
        self.texts.asks(&self.path, key, true, wanted);
    }

    /// The error of a missing key.
    pub(crate) fn missing(&self, key: &'static str) -> RulesetError {
        let fault = RulesetFault::MissingKey {
            key,
            table: self.path.clone(),
        };
        self.fault(fault)
    }

    /// Notes every required key that the table or a table in it does not have. The table is that of a whole text.
    pub(crate) fn note_missing(&self) {
        let has_required = |section: &&SectionDoc| {
            section
                .keys
                .iter()
                .any(|key| key.absent == Absent::Required)
        };
        for section in SECTIONS.iter().filter(has_required) {
            let path: Vec<&str> = section
                .path
                .split('.')
                .filter(|part| !part.is_empty())
                .collect();
            self.note_missing_at(&path, section);
        }
    }

    fn note_missing_at(&self, path: &[&str], section: &SectionDoc) {
        let Some((key, path)) = path.split_first() else {
            let is_missing = |key: &&KeyDoc| key.absent == Absent::Required && !self.has(key.name);
            for key in section.keys.iter().filter(is_missing) {
                self.texts.note_error(self.missing(key.name));
            }
            return;
        };
        let known = match *key {
            "<id>" => keys::section(&self.path),
            _ => None,
        };
        let is_meant = |entry: &&Entry| match *key {
            "<id>" => known.is_none_or(|section| section.key(&entry.key).is_none()),
            key => entry.key == key,
        };
        for entry in self.entries.iter().filter(is_meant) {
            for table in entry.node.tables() {
                if let Ok(table) = Section::of(self.texts, table, self.join(&entry.key)) {
                    table.note_missing_at(path, section);
                }
            }
        }
    }

    /// Notes every key that no table of its path may have. The table is that of a whole text. Golden hands are the lint's.
    /// Returns the places of the tables with such keys, and of their keys.
    pub(crate) fn note_unknown(&self) -> HashSet<Place> {
        let sums = |entry: &'a Entry| match entry.node.member("sums").map(|node| &node.value) {
            Some(Value::List(sums)) if entry.key == "score" => sums.iter().map(Node::as_text),
            _ => [].iter().map(Node::as_text),
        };
        let columns: Vec<&str> = self.entries.iter().flat_map(sums).flatten().collect();
        let mut places = Vec::new();
        if let Some(top) = keys::section("") {
            self.note_unknown_in(top, &columns, &mut places);
        }
        places.into_iter().collect()
    }

    fn note_unknown_in(&self, section: &SectionDoc, columns: &[&str], places: &mut Vec<Place>) {
        let own = section.key("<column>").map_or(&[][..], |_| columns);
        let is_named = |key: &str| section.key(key).is_some();
        let mut is_misspelt = false;
        for entry in self.entries {
            let key = entry.key.as_str();
            let is_known = is_named(key) || is_named("<id>") || own.contains(&key);
            is_misspelt |= !is_known;
            // More are not shown, and each takes a look through the text.
            if !is_known && self.texts.noted.borrow().len() < RulesetErrors::MOST {
                let known = section.keys.iter().map(|key| key.name);
                let error = self.unknown_key(entry, known.chain(own.iter().copied()));
                self.texts.note_error(error);
            }
            let is_table = |node: &&Node| matches!(node.value, Value::Table(_));
            let mut tables = entry.node.tables().iter().filter(is_table).peekable();
            if tables.peek().is_none() {
                continue;
            }
            let part = if is_named(key) { key } else { "<id>" };
            let path = match section.path {
                "" => part.to_owned(),
                path => format!("{path}.{part}"),
            };
            let Some(inner) = keys::section(&path).filter(|inner| inner.path != "examples") else {
                continue;
            };
            for table in tables {
                if let Ok(table) = Section::of(self.texts, table, self.join(key)) {
                    table.note_unknown_in(inner, columns, places);
                }
            }
        }
        if is_misspelt {
            let keys = self.entries.iter().map(|entry| entry.place);
            places.extend(keys.chain([self.place]));
        }
    }

    /// An error about this table as a whole.
    pub(crate) fn fault(&self, fault: RulesetFault) -> RulesetError {
        self.texts.error(self.place, 0, fault)
    }

    /// An error about a key of this table, or about a path from it. Without such a key it is about what has none.
    pub(crate) fn fault_of(&self, key: &str, fault: RulesetFault) -> RulesetError {
        let mut entries = self.entries;
        let mut place = self.place;
        for part in key.split('.') {
            let Some(entry) = entries.iter().find(|entry| entry.key == part) else {
                break;
            };
            place = entry.place;
            entries = match &entry.node.value {
                Value::Table(inner) => inner,
                _ => &[],
            };
        }
        self.texts.error(place, 0, fault)
    }

    /// The error of exceeding a limit in this table.
    pub(crate) fn too_many(&self, what: &'static str, have: usize, most: usize) -> RulesetError {
        self.fault(too_many(what, have, most))
    }

    /// The error of a key of this table without what it depends on.
    pub(crate) fn needs(&self, key: &str, needs: impl Into<String>) -> RulesetError {
        let needs = needs.into();
        let path = self.join(key);
        self.fault_of(key, RulesetFault::Needs { key: path, needs })
    }

    /// The error of a key of this table that excludes another. `other` is a path.
    pub(crate) fn conflict(
        &self,
        key: &str,
        other: impl Into<String>,
        why: &'static str,
    ) -> RulesetError {
        let fault = RulesetFault::Conflict {
            key: self.join(key),
            other: other.into(),
            why,
        };
        self.fault_of(key, fault)
    }

    /// The error of a value of this table that is wrong as a whole, or beside other values.
    pub(crate) fn must_be(&self, key: &str, expected: impl Into<String>) -> RulesetError {
        let expected = expected.into();
        let path = self.join(key);
        self.fault_of(
            key,
            RulesetFault::BadValue {
                key: path,
                expected,
            },
        )
    }

    pub(crate) fn bad(&self, node: &Node, key: &str, expected: &str) -> RulesetError {
        self.texts.expected(node, &self.join(key), expected)
    }

    pub(crate) fn require<T>(
        &self,
        key: &'static str,
        value: Option<T>,
    ) -> Result<T, RulesetError> {
        value.ok_or_else(|| self.missing(key))
    }

    /// The table of a key.
    pub(crate) fn section(&self, key: &'static str) -> Result<Option<Section<'a>>, RulesetError> {
        self.asks(key, || KeyType::Table);
        self.node(key)
            .map(|node| Section::of(self.texts, node, self.join(key)))
            .transpose()
    }

    /// The table of a key that must exist.
    pub(crate) fn need(&self, key: &'static str) -> Result<Section<'a>, RulesetError> {
        let section = self.section(key)?;
        self.require(key, section)
    }

    pub(crate) fn text(&self, key: &'static str) -> Result<Option<&'a str>, RulesetError> {
        self.text_as(key, KeyType::Text)
    }

    /// A string of some form, which the caller parses.
    pub(crate) fn text_as(
        &self,
        key: &'static str,
        form: KeyType,
    ) -> Result<Option<&'a str>, RulesetError> {
        self.asks(key, || form);
        let node = self.node(key);
        node.map(|node| self.text_of(node, key)).transpose()
    }

    /// Names by language. None without the key. `words` are those that a name may have in braces.
    pub(crate) fn names(
        &self,
        key: &'static str,
        words: &[&str],
    ) -> Result<Vec<(Lang, String)>, RulesetError> {
        self.asks(key, || KeyType::Names);
        match self.node(key) {
            Some(node) => self.names_at(key, node, words),
            None => Ok(Vec::new()),
        }
    }

    /// The names by language at the node of a key.
    pub(crate) fn names_at(
        &self,
        key: &str,
        node: &Node,
        words: &[&str],
    ) -> Result<Vec<(Lang, String)>, RulesetError> {
        let name = |node: &Node, key: &str| match &node.value {
            Value::Text(name) => match lang::unknown_word(name, words) {
                None => Ok(name.clone()),
                Some(_) if words.is_empty() => {
                    Err(self.bad(node, key, "a name without words in braces"))
                }
                Some(_) => {
                    let expected = format!(
                        "a name with no words in braces but `{{{}}}`",
                        words.join("}`, `{")
                    );
                    Err(self.bad(node, key, &expected))
                }
            },
            _ => Err(self.bad(node, key, &KeyType::Text.to_string())),
        };
        match &node.value {
            Value::Text(_) => Ok(vec![(Lang::EN, name(node, key)?)]),
            Value::Table(entries) => {
                let read = |entry: &Entry| {
                    let key = format!("{key}.{}", entry.key);
                    let lang = entry.key.parse().map_err(|_| {
                        let fault = RulesetFault::BadValue {
                            key: self.join(&key),
                            expected: LANG.to_owned(),
                        };
                        self.texts.error(entry.place, 0, fault)
                    })?;
                    Ok((lang, name(&entry.node, &key)?))
                };
                entries.iter().map(read).collect()
            }
            _ => Err(self.bad(node, key, &KeyType::Names.to_string())),
        }
    }

    pub(crate) fn bool(&self, key: &'static str) -> Result<Option<bool>, RulesetError> {
        self.asks(key, || KeyType::Bool);
        match self.node(key) {
            None => Ok(None),
            Some(Node {
                value: Value::Bool(value),
                ..
            }) => Ok(Some(*value)),
            Some(node) => Err(self.bad(node, key, &KeyType::Bool.to_string())),
        }
    }

    pub(crate) fn int(
        &self,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, RulesetError> {
        self.asks(key, || KeyType::of_range(&range));
        let node = self.node(key);
        node.map(|node| self.read_int(node, key, range)).transpose()
    }

    /// An item of a list of integers.
    pub(crate) fn int_of(
        &self,
        node: &Node,
        key: &str,
        range: RangeInclusive<i64>,
    ) -> Result<i64, RulesetError> {
        self.asks_items(key, || KeyType::of_range(&range));
        self.read_int(node, key, range)
    }

    pub(crate) fn read_int(
        &self,
        node: &Node,
        key: &str,
        range: RangeInclusive<i64>,
    ) -> Result<i64, RulesetError> {
        match node.value {
            Value::Int(value) if range.contains(&value) => Ok(value),
            _ => Err(self.bad(node, key, &KeyType::of_range(&range).to_string())),
        }
    }

    /// A number with at most one decimal place.
    pub(crate) fn decimal(&self, key: &'static str) -> Result<Option<Decimal>, RulesetError> {
        self.asks(key, || KeyType::Decimal);
        let node = self.node(key);
        node.map(|node| self.decimal_of(node, key)).transpose()
    }

    pub(crate) fn decimal_of(&self, node: &Node, key: &str) -> Result<Decimal, RulesetError> {
        match node.value {
            Value::Int(value) if value.unsigned_abs() <= 1_000_000 => Ok(Decimal::whole(value)),
            Value::Decimal(value) if value.tenths().unsigned_abs() <= 10_000_000 => Ok(value),
            _ => Err(self.bad(node, key, &KeyType::Decimal.to_string())),
        }
    }

    pub(crate) fn list(&self, key: &'static str) -> Result<&'a [Node], RulesetError> {
        self.asks(key, || "a list");
        match self.node(key) {
            None => Ok(&[]),
            Some(Node {
                value: Value::List(items),
                ..
            }) => Ok(items),
            Some(node) => Err(self.bad(node, key, "a list")),
        }
    }

    /// A value that must be a list.
    pub(crate) fn list_of(&self, node: &'a Node, key: &str) -> Result<&'a [Node], RulesetError> {
        match &node.value {
            Value::List(items) => Ok(items),
            _ => Err(self.bad(node, key, "a list")),
        }
    }

    /// An item of a list of tables.
    pub(crate) fn table_of(&self, node: &'a Node, key: &str) -> Result<Section<'a>, RulesetError> {
        self.asks_items(key, || KeyType::Table);
        Section::of(self.texts, node, self.join(key))
    }

    pub(crate) fn text_of(&self, node: &'a Node, key: &str) -> Result<&'a str, RulesetError> {
        match &node.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.bad(node, key, &KeyType::Text.to_string())),
        }
    }

    /// One of some words.
    pub(crate) fn word<T: Copy>(
        &self,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, RulesetError> {
        self.asks(key, || one_of(&names(words)));
        let node = self.node(key);
        node.map(|node| self.read_word(node, key, words))
            .transpose()
    }

    /// An item of a list of words.
    pub(crate) fn word_of<T: Copy>(
        &self,
        node: &'a Node,
        key: &str,
        words: &[(&'static str, T)],
    ) -> Result<T, RulesetError> {
        self.asks_items(key, || one_of(&names(words)));
        self.read_word(node, key, words)
    }

    fn read_word<T: Copy>(
        &self,
        node: &'a Node,
        key: &str,
        words: &[(&'static str, T)],
    ) -> Result<T, RulesetError> {
        let text = self.text_of(node, key)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(*value);
        }
        let suggestion = nearest(text, names(words));
        if suggestion.is_none() {
            return Err(self.bad(node, key, &one_of(&names(words))));
        }
        let fault = RulesetFault::UnknownName {
            what: "word for this key",
            found: text.to_owned(),
            suggestion,
        };
        Err(self.texts.error(node.place, 0, fault))
    }

    /// The error of a key that the table does not have. `known` are those that it may have.
    fn unknown_key<'b>(&self, entry: &Entry, known: impl Iterator<Item = &'b str>) -> RulesetError {
        let known: Vec<&str> = known.collect();
        let successors = FORMER.iter().find(|(key, _)| *key == entry.key);
        let mut successors = successors.iter().flat_map(|(_, keys)| keys.iter());
        let successor = successors.find(|key| known.contains(key));
        let fault = RulesetFault::UnknownKey {
            key: entry.key.clone(),
            table: self.path.clone(),
            suggestion: match successor {
                Some(key) => Some((*key).to_owned()),
                None => nearest(&entry.key, known),
            },
        };
        self.texts.error(entry.place, 0, fault)
    }

    /// Returns an error for the first key that no reader asked for.
    pub(crate) fn finish(self) -> Result<(), RulesetError> {
        let asked = self.asked.borrow();
        let is_unknown = |entry: &&Entry| !asked.iter().any(|key| *key == entry.key);
        match self.entries.iter().find(is_unknown) {
            Some(entry) => Err(self.unknown_key(entry, asked.iter().map(|key| &**key))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested() {
        let words = ["supersedes", "when", "per", "doubles"];
        assert_eq!(nearest("supercedes", words).as_deref(), Some("supersedes"));
        assert_eq!(nearest("wehn", words).as_deref(), Some("when"));
        assert_eq!(nearest("elephant", words), None);
    }

    #[test]
    fn a_child_is_laid_over_its_parent() {
        let mut texts = Texts::default();
        let mut parent = texts
            .add("a", "[x]\na = 1\nb = [1, 2]\n[y]\nc = 1\n")
            .unwrap();
        let child = texts.add("b", "[x]\nb = [3]\nd = 4\n").unwrap();
        parent.merge(child);
        let root = Section::root(&texts, &parent).unwrap();
        let x = root.need("x").unwrap();
        assert_eq!(x.int("a", 0..=9).unwrap(), Some(1));
        assert_eq!(x.list("b").unwrap().len(), 1);
        assert_eq!(x.int("d", 0..=9).unwrap(), Some(4));
        x.finish().unwrap();
        let error = root.need("y").unwrap().finish().unwrap_err();
        assert_eq!(error.to_string(), "a:5:1: unknown key `c` in [y]");
    }
}
