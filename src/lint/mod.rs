//! Finds probable faults in rulesets that load without an error:
//!
//! - conditions that no hand can meet,
//! - flags that are never set at a table,
//! - patterns that supersede each other,
//! - patterns that follow from others,
//! - formulas that may fall,
//! - walls of unequal length,
//! - options that change nothing,
//! - keys that change nothing, and names that nothing uses,
//! - rules under which hardly any hand wins,
//! - invariants that the values break,
//! - examples that fail.

mod examples;
mod invariants;
mod unused;

use invariants::Winnable;
pub(crate) use invariants::least_of_winners;
pub use invariants::{Judgement, is_proved, judge};

use crate::protocol::{Responder, Value, read_score};
use crate::request::Request;
use crate::ruleset::cause::{Cause, Causes, Layers};
use crate::ruleset::source::{ACCEPT, Entry, Node, Place, Texts, Value as Told, nearest};
use crate::ruleset::{Flag, LoadError, OptionValue, Plan, Ruleset, Source};
use crate::score::facts::Fact;
use crate::score::{
    Condition, Count, Dead, InPlay, Liable, Mechanisms, Pattern, PatternValue, ScoreFamily,
};
use examples::{NOT_ASKED, compare, request, told};
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

/// The kind of a [`Lint`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LintKind {
    /// No hand can meet a part of a condition.
    DeadBranch,
    /// No hand can have the pattern.
    Never,
    /// A flag has no `when`, so it is never set at a table.
    Flag,
    /// Two patterns supersede each other.
    Clash,
    /// Every hand with one pattern has another, and neither supersedes the other.
    Implied,
    /// An option changes nothing.
    Option,
    /// A key changes nothing, or nothing uses a name.
    Unused,
    /// The tiles do not fill walls of equal length, or no tile can replace a flower or a kong.
    Wall,
    /// The search found no winning hand, or only limit hands.
    NoWin,
    /// More of what patterns add may be worth less.
    Falls,
    /// The values break an invariant, or do not prove it.
    Invariant,
    /// An example does not score as expected.
    Example,
}

impl LintKind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::DeadBranch,
        Self::Never,
        Self::Flag,
        Self::Clash,
        Self::Implied,
        Self::Option,
        Self::Unused,
        Self::Wall,
        Self::NoWin,
        Self::Falls,
        Self::Invariant,
        Self::Example,
    ];

    /// The word in brackets after a lint.
    pub const fn word(self) -> &'static str {
        match self {
            Self::DeadBranch => "dead-branch",
            Self::Never => "never",
            Self::Flag => "flag",
            Self::Clash => "clash",
            Self::Implied => "implied",
            Self::Option => "option",
            Self::Unused => "unused",
            Self::Wall => "wall",
            Self::NoWin => "no-win",
            Self::Falls => "falls",
            Self::Invariant => "invariant",
            Self::Example => "example",
        }
    }
}

/// A probable fault in a ruleset that loads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Lint {
    /// The kind of fault.
    pub kind: LintKind,
    /// The file with the fault.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What looks wrong.
    pub message: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            file,
            line,
            column,
            message,
        } = self;
        write!(f, "{file}:{line}:{column}: {message}   [{}]", kind.word())
    }
}

/// Checks a ruleset with some options set. Lints are in the order of the list in the [module](self).
///
/// ```
/// use paishan::lint::{LintKind, lint};
/// use paishan::ruleset::Source;
/// let text = "ruleset = { id = \"my\", extends = \"uzje\" }\n\
///             patterns.odd = { fan = 1.0, when = \"winning-tile is 5t\" }\n";
/// let source = Source::text("my.toml", text);
/// let lints = lint(&source, &[])?;
/// let odd = lints.iter().find(|lint| lint.kind == LintKind::Never && lint.line == 2).expect("5t is not in play");
/// assert_eq!((odd.line, odd.column), (2, 29));
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`LoadError`] if the ruleset does not load.
pub fn lint(source: &Source, options: &[(String, OptionValue)]) -> Result<Vec<Lint>, LoadError> {
    let rules = source.load(options)?;
    let (texts, layers) = source.layers()?;
    let root = layers.merged();
    // What another value of an option brings is not missing.
    let mechanisms = settings(rules.plan(), options).iter().fold(
        rules.plan().in_play().mechanisms,
        |all, set| match Plan::read(&texts, &root, set) {
            Ok(plan) => all.union(plan.in_play().mechanisms),
            Err(_) => all,
        },
    );
    let mut looking = Looking::new(rules.plan(), &texts, root, mechanisms);
    looking.trace(&layers, options, &|looking| looking.of_plan());
    looking.options(options)?;
    looking.unused(options, &layers);
    looking.idle_columns();
    looking.trace(&layers, options, &|looking| {
        looking.wins();
        looking.invariants();
    });
    looking.examples(source);
    // With other options there may be other lints.
    if options.is_empty() {
        looking.accepted();
    }
    Ok(looking.lints)
}

/// The golden hands of a ruleset file itself: its `[[examples]]`, each a `score` request with `doc` and `expect`. Examples
/// of a file that it extends are left out.
///
/// ```
/// use paishan::lint::examples;
/// use paishan::protocol::Value;
/// use paishan::ruleset::Source;
/// let all = examples(&Source::BuiltIn("hangzhou".into()))?;
/// assert!(all.iter().all(|one| matches!(one.get("expect"), Some(Value::Object(_)))));
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`LoadError`] if the text cannot be parsed.
pub fn examples(source: &Source) -> Result<Vec<Value>, LoadError> {
    let (_, root) = source.parsed()?;
    let Some(Told::List(all)) = root.member("examples").map(|node| node.value.clone()) else {
        return Ok(Vec::new());
    };
    Ok(all.iter().filter(|node| node.is_own()).map(told).collect())
}

/// The golden hands of a ruleset file itself that can be scored under rules, without their options: hands that illustrate
/// its patterns.
///
/// # Errors
/// [`LoadError`] if the text cannot be parsed.
pub fn golden_hands(rules: &dyn Ruleset, source: &Source) -> Result<Vec<Request>, LoadError> {
    let read = |example: &Value| {
        let Value::Object(members) = example else {
            return None;
        };
        let is_of_hand = |name: &str| name != "options" && !NOT_ASKED.contains(&name);
        let members = members.iter().filter(|(name, _)| is_of_hand(name));
        read_score(rules.plan(), &Value::Object(members.cloned().collect())).ok()
    };
    Ok(examples(source)?.iter().filter_map(read).collect())
}

/// A hash of what a plan does, without the options that led to it, and without names.
fn compiled(plan: &Plan) -> u64 {
    struct Hashed(DefaultHasher);

    impl fmt::Write for Hashed {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }

    let mut plan = plan.effective();
    plan.options = Default::default();
    plan.classes = Default::default();
    plan.named = Default::default();
    plan.flags.iter_mut().for_each(|flag| flag.id.clear());
    plan.content_hash = 0;
    let mut hashed = Hashed(DefaultHasher::new());
    // Nothing that is written there fails.
    let _ = write!(hashed, "{plan:?}");
    hashed.0.finish()
}

/// Where a table accepts lints of a kind.
fn accepts(node: &Node, kind: LintKind) -> Option<Place> {
    let reason = node.member(ACCEPT)?.member(kind.word());
    reason.map(|reason| reason.place)
}

/// Settings that change one option at a time.
fn variations(plan: &Plan) -> Vec<(String, OptionValue)> {
    let mut variations = plan.options.variations();
    for (spec, _) in plan.options.iter() {
        variations.extend(spec.between().map(|value| (spec.name.clone(), value)));
    }
    variations
}

/// These options, and each setting that changes one more.
fn settings(plan: &Plan, options: &[(String, OptionValue)]) -> Vec<Vec<(String, OptionValue)>> {
    let mut settings = vec![options.to_vec()];
    for (name, value) in variations(plan) {
        let mut set = options.to_vec();
        set.retain(|(of, _)| *of != name);
        set.push((name, value));
        settings.push(set);
    }
    settings
}

struct Looking<'a> {
    plan: &'a Plan,
    /// Those of all values of options.
    mechanisms: Mechanisms,
    texts: &'a Texts,
    root: Node,
    lints: Vec<Lint>,
    /// Where a lint was accepted.
    accepted: Vec<Place>,
}

impl<'a> Looking<'a> {
    const fn new(plan: &'a Plan, texts: &'a Texts, root: Node, mechanisms: Mechanisms) -> Self {
        Self {
            plan,
            mechanisms,
            texts,
            root,
            lints: Vec::new(),
            accepted: Vec::new(),
        }
    }

    /// Adds what a search finds. What another file says may be wrong because of a key of this one: then the key is told, or
    /// `extends` where several keys cause it together.
    fn trace(
        &mut self,
        layers: &Layers,
        options: &[(String, OptionValue)],
        search: &dyn Fn(&mut Looking<'_>),
    ) {
        let before = std::mem::take(&mut self.lints);
        search(self);
        let found = std::mem::replace(&mut self.lints, before);
        let look = |tree: &Node| {
            let plan = Plan::read(self.texts, tree, options).ok()?;
            let mut looking = Looking::new(&plan, self.texts, tree.clone(), self.mechanisms);
            search(&mut looking);
            Some(looking.lints)
        };
        let mut causes = Causes::new(layers, &look);
        let (own, ..) = self.texts.locate(self.root.place, 0);
        let mut traced = Vec::new();
        for lint in &found {
            let cause = match lint.file == own {
                true => Cause::Unknown,
                false => causes.of(lint, &found),
            };
            let (because, place) = match cause {
                Cause::Key(key, place) => (format!("`{key}`"), place),
                Cause::Keys(place) => ("keys of this file".to_owned(), place),
                Cause::Parent | Cause::Unknown => {
                    traced.push(lint.clone());
                    continue;
                }
            };
            let Lint {
                file,
                line,
                column,
                message,
                ..
            } = lint;
            let message = format!("because of {because}: {file}:{line}:{column}: {message}");
            traced.push(self.lint(lint.kind, place, message));
        }
        self.lints.append(&mut traced);
    }

    /// Finds what is wrong with conditions, flags, patterns, formulas and the wall.
    fn of_plan(&mut self) {
        self.dead();
        self.conditions();
        self.flags();
        self.clashes();
        self.implications();
        self.falls();
        self.wall();
    }

    /// Adds a lint, unless a table on the path to its place accepts the kind.
    fn note(&mut self, kind: LintKind, path: &[&str], message: String) {
        self.note_in(kind, path, self.root.place_of(path), message);
    }

    /// Adds a lint at a place within what a path leads to, unless a table on the path accepts the kind.
    fn note_in(&mut self, kind: LintKind, path: &[&str], place: Place, message: String) {
        let mut node = Some(&self.root);
        for key in path {
            node = node.and_then(|node| node.member(key));
            if let Some(place) = node.and_then(|node| accepts(node, kind)) {
                self.accepted.push(place);
                return;
            }
        }
        self.note_at(kind, place, message);
    }

    /// Finds lints that the file accepts and that there are not.
    fn accepted(&mut self) {
        fn own<'a>(node: &'a Node, found: &mut Vec<(&'a str, &'a Node)>) {
            let entries = match &node.value {
                Told::Table(entries) => entries,
                Told::List(items) => return items.iter().for_each(|item| own(item, found)),
                _ => return,
            };
            for Entry { key, node, .. } in entries {
                match (key.as_str(), &node.value) {
                    (ACCEPT, Told::Table(kinds)) => {
                        found.extend(kinds.iter().map(|kind| (kind.key.as_str(), &kind.node)));
                    }
                    _ => own(node, found),
                }
            }
        }
        let mut all = Vec::new();
        own(&self.root, &mut all);
        all.retain(|(_, node)| node.is_own() && !self.accepted.contains(&node.place));
        let kinds = all.into_iter();
        let kinds: Vec<(Place, String)> = kinds
            .map(|(kind, node)| (node.place, kind.to_owned()))
            .collect();
        for (place, kind) in kinds {
            let mut words = LintKind::ALL.into_iter().map(LintKind::word);
            let message = match nearest(&kind, words.clone()) {
                Some(word) if words.all(|known| known != kind) => {
                    format!("`{kind}` is no kind of finding; did you mean `{word}`?")
                }
                _ => format!("the table has no finding `{kind}` to accept"),
            };
            self.note_at(LintKind::Unused, place, message);
        }
    }

    /// Adds a lint about a pattern, given its index.
    fn note_pattern(&mut self, kind: LintKind, pattern: usize, key: Option<&str>, message: String) {
        let own = self.plan.score.patterns()[pattern].key.clone();
        let path = ["patterns", own.as_str()].into_iter().chain(key);
        self.note(kind, &path.collect::<Vec<_>>(), message);
    }

    fn note_at(&mut self, kind: LintKind, place: Place, message: String) {
        let lint = self.lint(kind, place, message);
        self.lints.push(lint);
    }

    fn lint(&self, kind: LintKind, place: Place, message: String) -> Lint {
        let (file, line, column) = self.texts.locate(place, 0);
        Lint {
            kind,
            file,
            line,
            column,
            message,
        }
    }

    /// The tiles, groups and mechanisms that hands and games can have.
    fn in_play(&self) -> InPlay<'a> {
        let in_play = self.plan.in_play();
        InPlay {
            mechanisms: in_play.mechanisms.union(self.mechanisms),
            ..in_play
        }
    }

    /// Finds conditions and numbers that ask for what there is not.
    fn dead(&mut self) {
        let plan = self.plan;
        let in_play = self.in_play();
        let mut all: Vec<(String, &str, [&str; 3], Dead)> = Vec::new();
        let asked = |when: &Option<Condition>, per: &Option<Count>| {
            let when = when.as_ref().map(|when| ("when", when.dead(in_play)));
            let per = per.as_ref().map(|per| ("per", per.dead(in_play)));
            when.into_iter().chain(per)
        };
        for one in plan.score.patterns() {
            all.extend(asked(&one.when, &one.per).map(|(key, dead)| {
                let label = format!("pattern `{}`", one.id);
                let path = ["patterns", one.key.as_str(), key];
                (label, "can never occur", path, dead)
            }));
        }
        if let ScoreFamily::HanFu(rules) = plan.score.family() {
            for row in &rules.fu {
                all.extend(asked(&row.when, &row.per).map(|(key, dead)| {
                    let label = format!("row `{}` of [fu]", row.id);
                    let path = ["fu", row.id.as_str(), key];
                    (label, "never counts", path, dead)
                }));
            }
        }
        for flag in &plan.flags {
            all.extend(flag.when.iter().map(|when| {
                let path = ["flags", flag.id.as_str(), "when"];
                let dead = when.dead(in_play);
                (format!("flag `{}`", flag.id), "is never set", path, dead)
            }));
        }
        for step in &plan.opening {
            all.extend(step.shows().map(|when| {
                let path = ["opening", step.id.as_str(), "show"];
                let dead = when.dead(in_play);
                (
                    format!("step `{}`", step.id),
                    "never shows a hand",
                    path,
                    dead,
                )
            }));
        }
        for row in plan.payments.rows() {
            all.extend(row.dead(in_play).into_iter().map(|(key, dead)| {
                let path = ["payments", row.id.as_str(), key];
                (format!("payment `{}`", row.id), "is never paid", path, dead)
            }));
        }
        all.extend(plan.conditions_of_claims().map(|(claim, _, when)| {
            let path = ["claims", claim, "when"];
            let what = format!("a claim for a {claim}");
            (what, "is never allowed", path, when.dead(in_play))
        }));
        let what = "what cannot be with these options: tiles, groups or numbers that no hand has, or circumstances \
                    that the game does not have or that exclude each other";
        let mut found = Vec::new();
        for (label, never, path, dead) in all {
            let key = path[2];
            let (kind, message) = match dead {
                Dead::Nothing => continue,
                Dead::Part => (
                    LintKind::DeadBranch,
                    format!("{label}: part of `{key}` asks for {what}"),
                ),
                Dead::Whole => (
                    LintKind::Never,
                    format!("{label} {never}: `{key}` asks for {what}"),
                ),
            };
            found.push((kind, path.map(str::to_owned), message));
        }
        for (kind, path, message) in found {
            self.note(kind, &path.each_ref().map(String::as_str), message);
        }
    }

    fn conditions(&mut self) {
        let mut found = Vec::new();
        let in_play = self.in_play();
        for (place, pattern) in self.plan.score.patterns().iter().enumerate() {
            let has_meld = |liable: &Liable| in_play.has_meld(liable.families, &liable.class);
            if pattern
                .liable
                .as_ref()
                .is_some_and(|liable| !has_meld(liable))
            {
                let message = format!(
                    "pattern `{}`: no seat is liable, because no meld has the families and tiles of `liable`",
                    pattern.id
                );
                found.push((LintKind::Never, place, "liable", message));
            }
        }
        for (place, pattern) in self.plan.score.patterns().iter().enumerate() {
            let id = &pattern.id;
            let kongs = Fact::KongsInRow;
            let when = pattern.when.as_ref();
            let asked = [
                ("when", when.is_some_and(|when| when.asks(kongs))),
                (
                    "per",
                    pattern.per.as_ref().is_some_and(|per| per.asks(kongs)),
                ),
            ];
            if let (None, Some((key, _))) = (
                self.plan.kong_flag,
                asked.into_iter().find(|(_, asks)| *asks),
            ) {
                let message = format!(
                    "pattern `{id}`: `{key}` asks for `kongs-in-row`, which stays 0: no `kongs-in-row` in [win] names the flag beside which kongs are counted"
                );
                found.push((LintKind::DeadBranch, place, key, message));
            }
            let of_open = |when: &Condition| when.is_of_open_hands();
            if let (PatternValue::Han { open: 0, .. }, true) =
                (pattern.value, pattern.when.as_ref().is_some_and(of_open))
            {
                let message = format!(
                    "pattern `{id}` never counts: only open hands have it, and it has no `open` han"
                );
                found.push((LintKind::Never, place, "han", message));
            }
        }
        for (kind, place, key, message) in found {
            self.note_pattern(kind, place, Some(key), message);
        }
        if self.plan.never_wins(self.in_play()) {
            let message = "no hand wins: `when` asks for tiles, groups or numbers that no hand has"
                .to_owned();
            self.note(LintKind::Never, &["win", "when"], message);
        }
    }

    /// Finds flags that only requests can set. A flag that settlement or a procedure names is set by a judge.
    fn flags(&mut self) {
        fn names(node: &Node, id: &str) -> bool {
            match &node.value {
                Told::Text(text) => text == id,
                Told::List(items) => items.iter().any(|item| names(item, id)),
                Told::Table(entries) => entries.iter().any(|entry| names(&entry.node, id)),
                _ => false,
            }
        }
        let sections = ["win", "settlement", "procedures", "penalties"];
        let sections: Vec<&Node> = sections
            .iter()
            .filter_map(|key| self.root.member(key))
            .collect();
        let is_idle = |id: &str| !sections.iter().any(|section| names(section, id));
        let unset = |flag: &&Flag| flag.when.is_none() && is_idle(&flag.id);
        let found = self.plan.flags.iter().filter(unset);
        let found: Vec<String> = found.map(|flag| flag.id.clone()).collect();
        for id in found {
            let message =
                format!("flag `{id}` has no `when`: only requests set it, never the table");
            self.note(LintKind::Flag, &["flags", &id], message);
        }
    }

    /// Finds patterns that supersede themselves or each other.
    fn clashes(&mut self) {
        let patterns = self.plan.score.patterns();
        let mut found = Vec::new();
        for (i, one) in patterns.iter().enumerate() {
            for &j in one.supersedes.iter().filter(|&&j| j >= i) {
                let other = &patterns[j];
                if i == j {
                    found.push((
                        i,
                        format!("pattern `{}` supersedes itself, so it never counts", one.id),
                    ));
                } else if other.supersedes.contains(&i) {
                    let message = format!(
                        "patterns `{}` and `{}` supersede each other: if both occur, the first counts",
                        one.id, other.id
                    );
                    found.push((i, message));
                }
            }
        }
        // A file may name a pattern twice.
        found.dedup();
        for (place, message) in found {
            self.note_pattern(LintKind::Clash, place, Some("supersedes"), message);
        }
    }

    fn implications(&mut self) {
        let in_play = self.in_play();
        let score = &self.plan.score;
        let patterns = score.patterns();
        // Where losers score nothing, only winning hands matter.
        let wins = score.losers.is_none();
        let flags = self.plan.flags.iter().map(|flag| flag.when.as_ref());
        let flags: Vec<Option<&Condition>> = flags.collect();
        // What the patterns require, once with the conditions of their flags.
        let required = |pattern: &Pattern| {
            let when = pattern.when.as_ref()?;
            Some(match pattern.value {
                PatternValue::Han { open: 0, .. } => when.in_closed_hands(),
                _ => when.clone(),
            })
        };
        let thens: Vec<Option<Condition>> = patterns.iter().map(required).collect();
        let flagged = |then: &Option<Condition>| Some(then.as_ref()?.flagged(&flags));
        let whens: Vec<Option<Condition>> = thens.iter().map(flagged).collect();
        let never = |when: &Condition| when.never_holds() || when.dead(in_play) == Dead::Whole;
        let is_dead = |when: &Option<Condition>| when.as_ref().is_some_and(never);
        let dead: Vec<bool> = whens.iter().map(is_dead).collect();
        let mut found = Vec::new();
        for (i, one) in patterns.iter().enumerate() {
            for (j, other) in patterns.iter().enumerate() {
                let (Some(when), Some(then)) = (&whens[i], &thens[j]) else {
                    continue;
                };
                // A limit counts alone, so it may imply other patterns. A pattern of every winner is always
                // implied.
                let is_limit = PatternValue::is_limit;
                let apart = one.supersedes.contains(&j)
                    || other.supersedes.contains(&i)
                    || is_limit(one.value) && !is_limit(other.value)
                    || score.flower_wins().contains(&i)
                    || then.is_of_every_winner();
                // Each meld is combined only once, so one combination excludes another.
                let counts = one.per.is_some() || other.per.is_some() || !other.combines.is_empty();
                if one.id == other.id
                    || apart
                    || counts
                    || one.value.is_off()
                    || other.value.is_off()
                    || dead[i]
                {
                    continue;
                }
                // Of two patterns with the same condition, only one is reported.
                let implies = |one: &Condition, other| one.implies(other, in_play, wins);
                let back = || whens[j].as_ref().zip(thens[i].as_ref());
                let is_same = || back().is_some_and(|(when, then)| implies(when, then));
                if implies(when, then) && !(j < i && is_same()) {
                    found.push((i, one.id.clone(), other.id.clone()));
                }
            }
        }
        for (place, one, other) in found {
            let message = format!(
                "every hand with `{one}` has `{other}`, too: both count, because neither supersedes the other"
            );
            self.note_pattern(LintKind::Implied, place, None, message);
        }
    }

    fn options(&mut self, options: &[(String, OptionValue)]) -> Result<(), LoadError> {
        // An option changes something if the compiled plan differs.
        let now = compiled(self.plan);
        let names: Vec<String> = self
            .plan
            .options
            .iter()
            .map(|(spec, _)| spec.name.clone())
            .collect();
        let variations = variations(self.plan);
        for name in names {
            let mut idle = true;
            for (_, value) in variations.iter().filter(|(of, _)| *of == name) {
                let mut set: Vec<_> = options
                    .iter()
                    .filter(|(of, _)| *of != name)
                    .cloned()
                    .collect();
                set.push((name.clone(), value.clone()));
                let plan = Plan::read(self.texts, &self.root, &set)?;
                idle &= compiled(&plan) == now;
            }
            // A child is not asked to repair its parent.
            let path = ["options", name.as_str()];
            let is_own = self.root.place_of(&path).is_own();
            if idle && is_own && variations.iter().any(|(of, _)| *of == name) {
                self.note(
                    LintKind::Option,
                    &path,
                    format!("option `{name}` changes nothing while the others are set as they are"),
                );
            }
        }
        Ok(())
    }

    fn wall(&mut self) {
        let plan = self.plan;
        let mut messages = Vec::new();
        let (tiles, players, height) = (
            plan.tiles.len(),
            plan.players,
            usize::from(plan.wall.height.max(1)),
        );
        // With an even number of players, two walls may be a stack longer than the two others.
        let is_even = players % 2 == 0 && tiles % (2 * height) == 0;
        if tiles % (players * height) != 0 && !is_even {
            let most = tiles.div_ceil(players * height);
            let message = format!(
                "{players} walls of {most} × {height} hold {} tiles, but the set has {tiles}: the walls are unequal",
                players * height * most
            );
            messages.push(message);
        }
        // Without tiles for replacements no kong is legal, and a tile laid aside ends the deal.
        let (wall, play) = (&plan.wall, &plan.play);
        let has_kongs = plan.decomposer.grammar().has_kong()
            && play.kong_replacement
            && play.most_kongs != Some(0);
        let needing = [
            (
                "flowers",
                !plan.tiles.flowers().is_empty() && !wall.reserve_then_wall,
            ),
            (
                "tiles laid aside",
                !play.aside.kinds().is_empty() && !wall.reserve_then_wall,
            ),
            ("kongs", has_kongs),
        ];
        let needing = needing.into_iter().filter(|(_, needs)| *needs);
        let needing: Vec<&str> = needing.map(|(what, _)| what).collect();
        if !needing.is_empty() && !wall.reserve_moves && wall.reserve == 0 {
            messages.push(format!(
                "{} need replacements, but there are none: `reserve` is 0 and `reserve-moves` is false",
                needing.join(" and ")
            ));
        }
        for message in messages {
            self.note(LintKind::Wall, &["wall"], message);
        }
    }

    fn wins(&mut self) {
        let found = match invariants::winnable(self.plan) {
            Winnable::Any => return,
            Winnable::Limits => "only limit hands were found that are",
            Winnable::Nothing => "no hand was found that is",
        };
        let most = self.plan.matches.max_deals;
        let path = match self
            .root
            .member("win")
            .and_then(|win| win.member("minimum"))
        {
            Some(_) => &["win", "minimum"][..],
            None => &["score"],
        };
        let message = format!(
            "{found} worth enough to win: wins may be very rare, and a match may last {most} deals"
        );
        self.note(LintKind::NoWin, path, message);
    }

    /// Checks that no formula of the score falls while sums rise.
    fn falls(&mut self) {
        let score = &self.plan.score;
        let ScoreFamily::Sums(rules) = score.family() else {
            return;
        };
        let values = score.patterns().iter().map(|pattern| pattern.value);
        if let Some((key, formula)) = rules.falling(values) {
            let message = format!(
                "`{}` is not proved to rise with the sums of patterns: a hand with more may be worth less",
                formula.text()
            );
            self.note(LintKind::Falls, &["score", key], message);
        }
    }

    fn invariants(&mut self) {
        let found: Vec<(String, String)> = self
            .plan
            .invariants
            .iter()
            .filter_map(|invariant| match judge(self.plan, invariant) {
                Judgement::Proved => None,
                Judgement::Refuted { hand, worth } => Some((
                    invariant.id.clone(),
                    format!("invariant `{}` does not hold: {hand} is worth {worth}", invariant.id),
                )),
                Judgement::Open => Some((
                    invariant.id.clone(),
                    format!("invariant `{}` cannot be proved from the values of its patterns, and no hand was found that breaks it", invariant.id),
                )),
            })
            .collect();
        for (id, message) in found {
            self.note(LintKind::Invariant, &["invariants", id.as_str()], message);
        }
    }

    /// Scores the examples, each with its own options and otherwise the default ones.
    fn examples(&mut self, source: &Source) {
        let mut responder = Responder::new();
        let Some(Told::List(examples)) =
            self.root.member("examples").map(|node| node.value.clone())
        else {
            return;
        };
        // A child may change values, so the examples of its parent are not checked.
        for node in examples.into_iter().filter(Node::is_own) {
            let example = told(&node);
            let answer = responder.score_under(source, &request(&example));
            let Err(message) = compare(&example, &answer) else {
                continue;
            };
            match accepts(&node, LintKind::Example) {
                Some(place) => self.accepted.push(place),
                None => self.note_at(LintKind::Example, node.place, message),
            }
        }
    }
}
