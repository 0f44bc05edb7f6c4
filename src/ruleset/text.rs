//! Rulesets as texts: their sources, merged files, hashes and differences.

#[cfg(feature = "toml")]
use super::built_in::{Text, extendable, ids};
#[cfg(feature = "toml")]
use super::cause::{Cause, Causes, Layers};
#[cfg(feature = "toml")]
use super::options::OptionValue;
#[cfg(feature = "toml")]
use super::plan::{LoadError, Plan};
#[cfg(feature = "toml")]
use super::source::{self, Files, RulesetError, RulesetErrors, RulesetFault, limits, nearest};
use super::source::{Entry, Node, Texts, Value, is_name};
use crate::lang::Lang;
use crate::text::fnv_1a;
use std::fmt::{self, Write};
#[cfg(feature = "toml")]
use std::sync::Arc;

/// The source of a ruleset.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A built-in ruleset, by its id.
    BuiltIn(String),
    /// A custom text: [`Source::text`], [`Source::with_parents`].
    #[non_exhaustive]
    Text {
        /// Its name in errors, such as the path of a file.
        file: String,
        /// The text in TOML. It may extend a built-in ruleset or the first of its parents.
        text: String,
        /// The custom texts that it extends, directly and indirectly, in this order.
        parents: Vec<Parent>,
    },
}

/// A custom text that another one extends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parent {
    /// Its name in errors, such as the path of a file.
    pub file: String,
    /// The text in TOML.
    pub text: String,
}

impl Source {
    /// A custom text. `file` is its name in errors, such as the path of a file.
    pub fn text(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text {
            file: file.into(),
            text: text.into(),
            parents: Vec::new(),
        }
    }
}

#[cfg(feature = "toml")]
impl Source {
    /// A custom text with the custom texts that it extends. A text extends another one by `extends = "./base.toml"`. `read`
    /// is asked for each by its path: the path in `extends` joined to the folder of the file that extends it. It returns
    /// the text, or nothing where there is none.
    ///
    /// ```
    /// use paishan::ruleset::Source;
    /// let club = "ruleset = { id = \"club\", extends = \"woo\" }\noptions.rounds.default = 2\n";
    /// let mine = "ruleset = { id = \"mine\", extends = \"./club.toml\" }\n";
    /// let read = |path: &str| (path == "rules/club.toml").then(|| club.to_owned());
    /// let source = Source::with_parents("rules/mine.toml", mine, read)?;
    /// assert_eq!(source.load(&[])?.plan().id(), "mine");
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError::Text`] where `read` returns nothing, a path leads out of the folder, texts extend each other, or one
    /// is not TOML. [`Source::load`] checks the rest.
    pub fn with_parents(
        file: &str,
        text: &str,
        mut read: impl FnMut(&str) -> Option<String>,
    ) -> Result<Self, LoadError> {
        let mut parents: Vec<Parent> = Vec::new();
        loop {
            let last = parents.last();
            let (from, text) = last.map_or((file, text), |last| (&*last.file, &*last.text));
            let mut texts = Texts::default();
            let tree = texts.add(from, text)?;
            let Some((name, place)) = tree.header_text("extends") else {
                break;
            };
            if !is_of_own(name) {
                break;
            }
            let fault = |fault| Err(texts.error(place, 0, fault).into());
            let Some(path) = beside(from, name) else {
                return fault(unreadable(name));
            };
            if path == file || parents.iter().any(|parent| parent.file == path) {
                return fault(RulesetFault::ExtendEachOther);
            }
            if parents.len() == limits::PARENTS {
                let (what, most) = ("files that extend each other", limits::PARENTS);
                return fault(source::too_many(what, most + 1, most));
            }
            let Some(text) = read(&path) else {
                return fault(unreadable(name));
            };
            parents.push(Parent { file: path, text });
        }
        Ok(Self::Text {
            file: file.to_owned(),
            text: text.to_owned(),
            parents,
        })
    }

    /// The text of a custom ruleset as one that extends no other custom text: its own, or the
    /// [merged](Self::resolved) one. `None` for a built-in ruleset.
    ///
    /// # Errors
    /// [`LoadError`] if a text with parents does not load.
    pub fn standalone(&self) -> Result<Option<String>, LoadError> {
        match self {
            Self::BuiltIn(_) => Ok(None),
            Self::Text { text, parents, .. } if parents.is_empty() => Ok(Some(text.clone())),
            Self::Text { .. } => self.resolved().map(Some),
        }
    }

    /// The merged file: the text and everything that it extends, as one TOML text. The merged text extends nothing and
    /// loads as the same ruleset.
    ///
    /// ```
    /// use paishan::ruleset::Source;
    /// let short = "ruleset = { id = \"short\", extends = \"woo\" }\noptions.rounds.default = 2\n";
    /// let source = Source::text("short.toml", short);
    /// let merged = source.resolved()?;
    /// assert!(merged.contains("[patterns.") && !merged.contains("extends"));
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] if the text does not load.
    pub fn resolved(&self) -> Result<String, LoadError> {
        let mut out = String::new();
        write_table(
            &mut out,
            &mut Vec::new(),
            &self.tree()?,
            (&|_| true, Numbers::AsRead),
        );
        Ok(out)
    }

    /// The merged tree and its source texts.
    pub(crate) fn parsed(&self) -> Result<(Texts, Node), LoadError> {
        let (texts, layers) = self.layers()?;
        Ok((texts, layers.merged()))
    }

    /// The trees of the text and of all that it extends, and the texts.
    pub(crate) fn layers(&self) -> Result<(Texts, Layers), LoadError> {
        match self {
            Self::BuiltIn(id) => {
                let known = ids().find(|known| known == id);
                let Some(Text { file, text, .. }) =
                    known.and_then(|id| extendable().find(|one| one.id == id))
                else {
                    return Err(LoadError::UnknownRuleset {
                        id: id.clone(),
                        suggestion: nearest(id, ids()),
                    });
                };
                layers(file, text, &[])
            }
            Self::Text {
                file,
                text,
                parents,
            } => layers(file, text, parents),
        }
    }

    fn tree(&self) -> Result<Vec<Entry>, LoadError> {
        let parsed = Parsed::new(self.clone())?;
        parsed.read(&[])?;
        let Value::Table(mut entries) = parsed.tree.value else {
            return Ok(Vec::new());
        };
        for entry in entries.iter_mut().filter(|entry| entry.key == "ruleset") {
            if let Value::Table(header) = &mut entry.node.value {
                header.retain(|entry| entry.key != "extends");
            }
        }
        Ok(entries)
    }

    /// The differences between this ruleset and another, in the order of this one's file. Documentation and sources are
    /// left out.
    ///
    /// # Errors
    /// [`LoadError`] if one of them does not load.
    pub fn differences(&self, other: &Self) -> Result<Vec<Difference>, LoadError> {
        let mut found = Vec::new();
        compare(&mut found, &mut Vec::new(), &self.tree()?, &other.tree()?);
        Ok(found)
    }
}

#[cfg(feature = "toml")]
/// The settings at which a text is loaded again: with every option at the ends of its range and with each of its words.
fn settings(
    texts: &Texts,
    tree: &Node,
    options: &[(String, OptionValue)],
    plan: &Plan,
) -> Result<Vec<Vec<(String, OptionValue)>>, LoadError> {
    let variations = plan.options.variations();
    let patterns = tree.member("patterns").map_or(0, |node| node.keys().len());
    for (what, have, most) in [
        (
            "values tried (keys and items, times what options are tried at)",
            tree.size(),
            limits::VALUES_TRIED,
        ),
        (
            "patterns tried (patterns, times what options are tried at)",
            patterns,
            limits::PATTERNS_TRIED,
        ),
    ] {
        let have = have.saturating_mul(variations.len());
        if have > most {
            let fault = source::too_many(what, have, most);
            return Err(texts.error(tree.place_of(&["options"]), 0, fault).into());
        }
    }
    let setting = |variation: (String, OptionValue)| {
        let others = options.iter().filter(|(name, _)| *name != variation.0);
        others.chain([&variation]).cloned().collect()
    };
    Ok(variations.into_iter().map(setting).collect())
}

/// True for the name of a custom text in `extends`.
#[cfg(feature = "toml")]
fn is_of_own(name: &str) -> bool {
    name.starts_with("./") || name.starts_with("../")
}

/// The path of a custom text, which lies in the folder of the file that extends it, or below. `None` for a path that leads
/// out of it.
#[cfg(feature = "toml")]
fn beside(file: &str, name: &str) -> Option<String> {
    let folder = file.rfind(['/', '\\']).map_or("", |end| &file[..=end]);
    let inner = name.strip_prefix("./")?;
    let goes_down = |part: &str| !part.is_empty() && part != "." && part != "..";
    let is_within = !inner.contains('\\') && inner.split('/').all(goes_down);
    is_within.then(|| format!("{folder}{inner}"))
}

#[cfg(feature = "toml")]
fn unreadable(name: &str) -> RulesetFault {
    RulesetFault::UnknownName {
        what: "file that can be read, in the folder of this one",
        found: name.to_owned(),
        suggestion: None,
    }
}

#[cfg(feature = "toml")]
/// A source that has been parsed.
#[derive(Debug)]
pub(super) struct Parsed {
    source: Source,
    files: Arc<Files>,
    /// The merged tree.
    tree: Node,
}

#[cfg(feature = "toml")]
impl Parsed {
    pub(super) fn new(source: Source) -> Result<Self, LoadError> {
        let (texts, tree) = source.parsed()?;
        Ok(Self {
            source,
            files: texts.files,
            tree,
        })
    }

    /// Reads the ruleset with some options set. A custom text is read again with every option at the ends of its range
    /// and with each of its words, so a loaded ruleset cannot fail later.
    pub(super) fn read(&self, options: &[(String, OptionValue)]) -> Result<Plan, LoadError> {
        let texts = Texts::new(Arc::clone(&self.files));
        let read = |set: &[(String, OptionValue)]| {
            let read = Plan::read(&texts, &self.tree, set);
            read.map_err(|error| self.at_cause(set, error))
        };
        let plan = read(options)?;
        if let Source::Text { .. } = self.source {
            for set in settings(&texts, &self.tree, options, &plan)? {
                read(&set)?;
            }
        }
        Ok(plan)
    }

    /// The error of reading with these options set. What is wrong in a file that is extended is told where the own text
    /// is the cause.
    fn at_cause(&self, set: &[(String, OptionValue)], error: LoadError) -> LoadError {
        let (Source::Text { .. }, Ok((texts, layers))) = (&self.source, self.source.layers())
        else {
            return error;
        };
        let faults = |error: LoadError| match error {
            LoadError::Text(error) => Ok(RulesetErrors {
                shown: vec![error],
                further: 0,
            }),
            LoadError::Texts(errors) => Ok(errors),
            error => Err(error),
        };
        let look = |tree: &Node| match Plan::read(&texts, tree, set) {
            Ok(_) => Some(Vec::new()),
            Err(error) => faults(error).ok().map(|errors| errors.shown),
        };
        let errors = match faults(error) {
            Ok(errors) if layers.extends().is_some() => errors,
            Ok(errors) => return errors.into(),
            Err(error) => return error,
        };
        let mut causes = Causes::new(&layers, &look);
        let at_cause = |error: &RulesetError| {
            let is_own = error.file == texts.files.all[0].0;
            let is_missing = matches!(error.fault, RulesetFault::MissingKey { .. });
            let is_of_file = !is_missing && (error.line, error.column) == (1, 1);
            if is_own && !is_of_file {
                return error.clone();
            }
            let place = match causes.of(error, &errors.shown) {
                Cause::Key(_, place) if is_own => place,
                Cause::Key(key, place) => {
                    let error = Box::new(error.clone());
                    return texts.error(place, 0, RulesetFault::BecauseOf { key, error });
                }
                Cause::Keys(_) | Cause::Unknown if is_own => return error.clone(),
                Cause::Parent if is_own || !is_missing => return error.clone(),
                Cause::Keys(place) => place,
                // The own text has nothing of it.
                Cause::Parent | Cause::Unknown => match layers.extends() {
                    Some(place) => place,
                    None => return error.clone(),
                },
            };
            texts.error(place, 0, error.fault.clone())
        };
        let mut all: Vec<RulesetError> = errors.shown.iter().map(at_cause).collect();
        // One key may be the cause of many.
        let mut told = Vec::new();
        all.retain(|error| {
            if !matches!(error.fault, RulesetFault::BecauseOf { .. }) {
                return true;
            }
            let place = (error.file.clone(), error.line, error.column);
            let is_new = !told.contains(&place);
            told.push(place);
            is_new
        });
        // What is not shown may have the same cause.
        let further = match all.len() == errors.shown.len() {
            true => errors.further,
            false => 0,
        };
        RulesetErrors {
            further,
            ..RulesetErrors::new(all)
        }
        .into()
    }

    /// The plans with one more option set. Settings that do not load are left out.
    pub(super) fn varied(
        &self,
        options: &[(String, OptionValue)],
        settings: Vec<(String, OptionValue)>,
    ) -> Vec<Varied> {
        let texts = Texts::new(Arc::clone(&self.files));
        let plan = |setting: (String, OptionValue)| {
            let others = options.iter().filter(|(name, _)| *name != setting.0);
            let all: Vec<_> = others.chain([&setting]).cloned().collect();
            Some((setting, Plan::read(&texts, &self.tree, &all).ok()?))
        };
        settings.into_iter().filter_map(plan).collect()
    }
}

#[cfg(feature = "toml")]
/// Parses a text and everything that it extends.
fn layers(file: &str, text: &str, parents: &[Parent]) -> Result<(Texts, Layers), LoadError> {
    let mut texts = Texts::default();
    let mut all: Vec<Node> = Vec::new();
    let (mut file, mut text) = (file, text);
    let mut parents = parents.iter();
    let mut built_in = 0;
    loop {
        let mut tree = texts.add(file, text)?;
        tree.spread_sources();
        tree.spread_names();
        // A child is not called like its parent.
        if let (false, Some(Value::Table(header))) = (
            all.is_empty(),
            tree.member_mut("ruleset").map(|node| &mut node.value),
        ) {
            header.retain(|entry| entry.key != "name");
        }
        all.push(tree);
        let Some((name, place)) = all.last().and_then(|tree| tree.header_text("extends")) else {
            return Ok((texts, Layers::new(all)));
        };
        (file, text) = match is_of_own(name) {
            true => match parents.next() {
                Some(parent) => (&*parent.file, &*parent.text),
                None => return Err(texts.error(place, 0, unreadable(name)).into()),
            },
            false => match extendable().find(|one| one.id == name) {
                Some(one) => {
                    built_in += 1;
                    (one.file, one.text)
                }
                None => {
                    let suggestion = match name.ends_with(".toml") {
                        true => Some(format!("./{name}")),
                        false => nearest(name, extendable().map(|one| one.id)),
                    };
                    let fault = RulesetFault::UnknownName {
                        what: "built-in ruleset",
                        found: name.to_owned(),
                        suggestion,
                    };
                    return Err(texts.error(place, 0, fault).into());
                }
            },
        };
        if built_in > extendable().count() {
            return Err(texts.error(place, 0, RulesetFault::ExtendEachOther).into());
        }
    }
}

/// An option with another value, and the plan with it.
#[cfg(feature = "toml")]
pub(crate) type Varied = ((String, OptionValue), Plan);

/// A difference between two rulesets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The place of the difference: section, id, key.
    pub path: Vec<String>,
    /// The value in the first ruleset. `None` if absent.
    pub before: Option<String>,
    /// The value in the second ruleset. `None` if absent.
    pub after: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = self.path.first().map_or("", String::as_str);
        // One entry of such a section is called by the singular.
        let one = match section {
            _ if self.path.len() == 1 => section,
            "patterns" => "pattern",
            "options" => "option",
            "presets" => "preset",
            "melds" => "meld",
            "forms" => "form",
            "flags" => "flag",
            "invariants" => "invariant",
            "penalties" => "penalty",
            "procedures" => "procedure",
            _ => section,
        };
        f.write_str(one)?;
        if let Some(id) = self.path.get(1) {
            write!(f, " {id}")?;
        }
        if self.path.len() > 2 {
            write!(f, ", {}", self.path[2..].join("."))?;
        }
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, ": {before} → {after}"),
            (Some(before), None) => write!(f, ": gone (it was {before})"),
            (None, Some(after)) => write!(f, ": new, {after}"),
            (None, None) => Ok(()),
        }
    }
}

/// False for the path of a key that documents a rule, gives examples, cites its source, or names something for people.
pub(crate) fn is_rule(path: &[&str]) -> bool {
    let is_about_rules = |key: &&str| {
        matches!(
            *key,
            "doc" | "src" | "source" | "extends" | "examples" | "names" | "accept"
        )
    };
    // `[actions]` has nothing but names.
    !is_name(path) && path != ["actions"] && !path.last().is_some_and(is_about_rules)
}

/// True if the value at a path is no name and no table of names alone.
fn is_more_than_names(path: &[&str], node: &Node) -> bool {
    let inner =
        |entry: &Entry| is_more_than_names(&[path, &[entry.key.as_str()]].concat(), &entry.node);
    !is_name(path)
        && match &node.value {
            Value::Table(entries) => entries.is_empty() || entries.iter().any(inner),
            _ => true,
        }
}

fn compare(found: &mut Vec<Difference>, path: &mut Vec<String>, a: &[Entry], b: &[Entry]) {
    let find = |entries: &'_ [Entry], key: &str| entries.iter().position(|entry| entry.key == key);
    let only_in_b = b.iter().filter(|entry| find(a, &entry.key).is_none());
    for entry in a.iter().chain(only_in_b) {
        path.push(entry.key.clone());
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let [before, after] = [a, b].map(|of| find(of, &entry.key).map(|i| &of[i].node));
        let mut both = before.into_iter().chain(after);
        if !is_rule(&keys) || !both.any(|node| is_more_than_names(&keys, node)) {
            path.pop();
            continue;
        }
        match (
            before.map(|node| &node.value),
            after.map(|node| &node.value),
        ) {
            (Some(Value::Table(a)), Some(Value::Table(b))) => compare(found, path, a, b),
            _ => {
                let plainly = |node: Option<&Node>| node.map(|node| inline(node, Numbers::Plain));
                let [before, after] = [before, after].map(plainly);
                if before != after {
                    found.push(Difference {
                        path: path.clone(),
                        before,
                        after,
                    });
                }
            }
        }
        path.pop();
    }
}

/// A hash of a tree without documentation and sources, the same on every machine.
pub(super) fn hash(tree: &Node, options: impl Iterator<Item = String>) -> u64 {
    let mut text = String::new();
    if let Value::Table(entries) = &tree.value {
        write_table(
            &mut text,
            &mut Vec::new(),
            entries,
            (&is_rule, Numbers::Plain),
        );
    }
    options.for_each(|option| text.push_str(&option));
    fnv_1a(0xcbf2_9ce4_8422_2325, &text)
}

/// Which paths of keys are written.
type Wanted<'a> = &'a dyn Fn(&[&str]) -> bool;

/// Writes a table: its own values, then the tables in it under their headings.
fn write_table<'a>(
    out: &mut String,
    path: &mut Vec<&'a str>,
    entries: &'a [Entry],
    (wanted, numbers): (Wanted<'_>, Numbers),
) {
    let mut inner = Vec::new();
    // A table without entries is written as its heading.
    let mut has_heading = path.is_empty();
    let mut head = |out: &mut String, path: &[&str]| {
        if !std::mem::replace(&mut has_heading, true) {
            out.push_str("\n[");
            for (place, part) in path.iter().enumerate() {
                out.push_str(if place > 0 { "." } else { "" });
                write_key(out, part);
            }
            out.push_str("]\n");
        }
    };
    if entries.is_empty() {
        head(out, path);
    }
    for entry in entries {
        path.push(&entry.key);
        let is_name = is_name(path);
        let is_wanted = wanted(path);
        path.pop();
        if !is_wanted {
            continue;
        }
        // A name in English alone is a string.
        let node = match &entry.node.value {
            Value::Table(names) if is_name => match &names[..] {
                [name] if name.key == Lang::EN.as_str() => &name.node,
                _ => &entry.node,
            },
            Value::Table(entries) if !entry.node.is_reference() && !entries.is_empty() => {
                inner.push((&*entry.key, &entries[..]));
                continue;
            }
            _ => &entry.node,
        };
        head(out, path);
        write_key(out, &entry.key);
        out.push_str(" = ");
        write_value(out, node, numbers);
        out.push('\n');
    }
    for (key, entries) in inner {
        path.push(key);
        write_table(out, path, entries, (wanted, numbers));
        path.pop();
    }
}

fn write_key(out: &mut String, key: &str) {
    let is_bare = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    match !key.is_empty() && key.bytes().all(is_bare) {
        true => out.push_str(key),
        false => write_quoted(out, key),
    }
}

fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(place) = rest.find(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
        let (plain, from) = rest.split_at(place);
        out.push_str(plain);
        let mut chars = from.chars();
        if let Some(c) = chars.next() {
            let _ = match c {
                '"' | '\\' => write!(out, "\\{c}"),
                '\n' => write!(out, "\\n"),
                '\t' => write!(out, "\\t"),
                c => write!(out, "\\u{:04x}", u32::from(c)),
            };
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// The format of whole decimals.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Numbers {
    /// As decimals, so that they are read as decimals again.
    AsRead,
    /// Like integers, because 3.0 equals 3.
    Plain,
}

/// A value on one line, as a file writes it.
pub(crate) fn written(node: &Node) -> String {
    inline(node, Numbers::Plain)
}

/// A value on one line.
fn inline(node: &Node, numbers: Numbers) -> String {
    let mut out = String::new();
    write_value(&mut out, node, numbers);
    out
}

fn write_value(out: &mut String, node: &Node, numbers: Numbers) {
    let _ = match &node.value {
        Value::Text(text) => return write_quoted(out, text),
        Value::Int(value) => write!(out, "{value}"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Decimal(value) => {
            let tenths = value.tenths();
            let sign = if tenths < 0 { "-" } else { "" };
            match numbers == Numbers::Plain && tenths % 10 == 0 {
                true => write!(out, "{}", tenths / 10),
                false => write!(out, "{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10),
            }
        }
        // No key accepts such a value, and none accepts infinity.
        Value::Other => write!(out, "inf"),
        Value::List(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                write_value(out, item, numbers);
            }
            write!(out, "]")
        }
        Value::Table(entries) => {
            out.push('{');
            for (place, entry) in entries.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { " " });
                write_key(out, &entry.key);
                out.push_str(" = ");
                write_value(out, &entry.node, numbers);
            }
            write!(out, "{}", if entries.is_empty() { "}" } else { " }" })
        }
    };
}
