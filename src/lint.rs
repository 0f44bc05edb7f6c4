//! What loads but looks wrong: conditions that never hold, options that change nothing, patterns that follow
//! from others, walls that do not come out even, invariants that values break, examples that fail.

use crate::hand::Hand;
use crate::meld::Group;
use crate::protocol::{Answer, Body, Responder, TallyAnswer, Value};
use crate::random::Stream;
use crate::ruleset::source::{Node, Place, Texts, Value as Told};
use crate::ruleset::{Invariant, LoadError, OptionValue, Plan, Ruleset, Source};
use crate::score::{Pattern, PatternValue, ScoreError, ScoreFamily, ScoreInput};
use crate::seat::Seat;
use crate::state::{FlagSet, Way, Win};
use crate::tile::{Kind, Suit, Tile, Wind};
use std::fmt;

/// What a lint is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LintKind {
    /// Part of a condition asks for tiles that are never in play.
    DeadBranch,
    /// A pattern that no hand can have.
    Never,
    /// Every hand with one pattern has another, and neither supersedes the other.
    Implied,
    /// An option that changes nothing.
    Option,
    /// Walls that are not of one length.
    Wall,
    /// Values break what their designer wants to keep.
    Invariant,
    /// A golden hand that is scored otherwise.
    Example,
}

impl LintKind {
    /// The word in brackets behind a lint.
    pub const fn word(self) -> &'static str {
        match self {
            Self::DeadBranch => "dead-branch",
            Self::Never => "never",
            Self::Implied => "implied",
            Self::Option => "option",
            Self::Wall => "wall",
            Self::Invariant => "invariant",
            Self::Example => "example",
        }
    }
}

/// Something that loads and looks wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lint {
    /// What it is about.
    pub kind: LintKind,
    /// The text in which it stands.
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

/// Looks through a ruleset with some options set. Lints stand in the order of their kinds, those of a kind
/// in the order of the file.
///
/// ```
/// use paishan::lint::{LintKind, lint};
/// use paishan::ruleset::Source;
/// let text = "ruleset = { id = \"my\", extends = \"uzje\" }\n\
///             patterns.odd = { value = 1.0, when = \"winning-tile is 5t\" }\n";
/// let source = Source::Text { file: "my.toml".into(), text: text.into() };
/// let lints = lint(&source, &[])?;
/// let odd = lints.iter().find(|lint| lint.kind == LintKind::Never && lint.line == 2).expect("5t is not in play");
/// assert_eq!((odd.line, odd.column), (2, 31));
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`LoadError`] where the ruleset does not load.
pub fn lint(source: &Source, options: &[(String, OptionValue)]) -> Result<Vec<Lint>, LoadError> {
    let rules = source.load(options)?;
    let default_rules = source.load(&[])?;
    let (texts, root) = source.parsed()?;
    let mut looking = Looking {
        rules: &*rules,
        texts,
        root,
        lints: Vec::new(),
    };
    looking.conditions();
    looking.implications();
    looking.options(options)?;
    looking.wall();
    looking.invariants();
    // Golden hands are scored as the file sets its options.
    looking.rules = &*default_rules;
    looking.examples();
    Ok(looking.lints)
}

struct Looking<'a> {
    rules: &'a dyn Ruleset,
    texts: Texts,
    root: Node,
    lints: Vec<Lint>,
}

/// A value of a ruleset file as a member of a request.
fn told(node: &Node) -> Value {
    match &node.value {
        Told::Text(text) => Value::Text(text.clone()),
        Told::Int(value) => Value::Int(*value),
        Told::Bool(value) => Value::Bool(*value),
        Told::Decimal(value) => Value::Float(value.tenths() as f64 / 10.0),
        Told::Other => Value::Null,
        Told::List(items) => Value::List(items.iter().map(told).collect()),
        Told::Table(entries) => {
            let members = entries
                .iter()
                .map(|entry| (entry.key.clone(), told(&entry.node)));
            Value::Object(members.collect())
        }
    }
}

impl Looking<'_> {
    fn note(&mut self, kind: LintKind, path: &[&str], message: String) {
        self.note_at(kind, self.root.place_of(path), message);
    }

    fn note_at(&mut self, kind: LintKind, place: Place, message: String) {
        let (file, line, column) = self.texts.locate(place);
        self.lints.push(Lint {
            kind,
            file,
            line,
            column,
            message,
        });
    }

    fn plan(&self) -> &Plan {
        self.rules.plan()
    }

    fn conditions(&mut self) {
        use crate::score::Dead;
        let in_play = self.plan().tiles.copies().kinds();
        let found: Vec<(String, Dead)> = self
            .plan()
            .score
            .patterns
            .iter()
            .filter_map(|pattern| Some((pattern.id.clone(), pattern.when.as_ref()?.dead(in_play))))
            .collect();
        for (id, dead) in found {
            let path = ["patterns", id.as_str(), "when"];
            match dead {
                Dead::Nothing => {}
                Dead::Part => self.note(
                    LintKind::DeadBranch,
                    &path,
                    format!("pattern `{id}`: part of the condition asks for tiles that are never in play with these options"),
                ),
                Dead::Whole => self.note(
                    LintKind::Never,
                    &path,
                    format!("pattern `{id}` can never occur: its tiles are not in play with these options"),
                ),
            }
        }
    }

    fn implications(&mut self) {
        let score = &self.rules.plan().score;
        let patterns = &score.patterns;
        let is_off = |value: PatternValue| match value {
            PatternValue::Fan(fan) => fan.tenths() == 0,
            PatternValue::Limits(limits) => limits == 0,
            _ => false,
        };
        let mut found = Vec::new();
        for (i, one) in patterns.iter().enumerate() {
            for (j, other) in patterns.iter().enumerate() {
                let (Some(when), Some(then)) = (&one.when, &other.when) else {
                    continue;
                };
                // A limit counts alone, and what every winner has is no news.
                let is_limit =
                    |value| matches!(value, PatternValue::Limit | PatternValue::Limits(_));
                let apart = one.supersedes.contains(&j)
                    || other.supersedes.contains(&i)
                    || is_limit(one.value) && !is_limit(other.value)
                    || score.flower_wins.contains(&i)
                    || then.is_of_every_winner();
                let counts = one.per.is_some() || other.per.is_some();
                if one.id == other.id || apart || counts || is_off(one.value) || is_off(other.value)
                {
                    continue;
                }
                // Of two that are the same one is told.
                if when.implies(then) && !(then.implies(when) && j < i) {
                    found.push((one.id.clone(), other.id.clone()));
                }
            }
        }
        for (one, other) in found {
            self.note(
                LintKind::Implied,
                &["patterns", one.as_str()],
                format!("every hand with `{one}` has `{other}`, too: both count, for neither supersedes the other"),
            );
        }
    }

    fn options(&mut self, options: &[(String, OptionValue)]) -> Result<(), LoadError> {
        // What was compiled tells whether an option changes it.
        let compiled = |plan: &Plan| {
            let mut plan = plan.clone();
            plan.options = Default::default();
            plan.content_hash = 0;
            format!("{plan:?}")
        };
        let now = compiled(self.plan());
        let names: Vec<String> = self
            .plan()
            .options
            .iter()
            .map(|(spec, _)| spec.name.clone())
            .collect();
        let mut variations = self.plan().options.variations();
        for (spec, _) in self.plan().options.iter() {
            variations.extend(spec.between().map(|value| (spec.name.clone(), value)));
        }
        for name in names {
            let mut idle = true;
            for (_, value) in variations.iter().filter(|(of, _)| *of == name) {
                let mut set: Vec<_> = options
                    .iter()
                    .filter(|(of, _)| *of != name)
                    .cloned()
                    .collect();
                set.push((name.clone(), value.clone()));
                let plan = Plan::read(&self.texts, &self.root, &set)?;
                idle &= compiled(&plan) == now;
            }
            if idle && variations.iter().any(|(of, _)| *of == name) {
                self.note(
                    LintKind::Option,
                    &["options", name.as_str()],
                    format!("option `{name}` changes nothing while the others are set as they are"),
                );
            }
        }
        Ok(())
    }

    fn wall(&mut self) {
        let plan = self.plan();
        let (tiles, players, height) = (
            plan.tiles.len(),
            plan.players,
            usize::from(plan.wall.height.max(1)),
        );
        if tiles % (players * height) != 0 {
            let most = tiles.div_ceil(players * height);
            let message = format!(
                "{players} walls of {most} × {height} hold {} tiles, the set has {tiles}: they do not come out even",
                players * height * most
            );
            self.note(LintKind::Wall, &["wall"], message);
        }
    }

    fn invariants(&mut self) {
        let found: Vec<(String, String)> = self
            .plan()
            .invariants
            .iter()
            .filter_map(|invariant| match judge(self.rules, invariant) {
                Judgement::Proved => None,
                Judgement::Refuted { hand, fan } => Some((
                    invariant.id.clone(),
                    format!("invariant `{}` does not hold: {hand} comes to {fan} fan, too little to win", invariant.id),
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

    fn examples(&mut self) {
        let mut responder = Responder::new();
        let Some(Told::List(examples)) =
            self.root.member("examples").map(|node| node.value.clone())
        else {
            return;
        };
        for node in examples {
            let example = told(&node);
            let answer = responder.score_under(self.rules, &example);
            if let Err(message) = compare(&example, &answer) {
                self.note_at(LintKind::Example, node.place, message);
            }
        }
    }
}

/// Numbers that an example may expect.
const NUMBERS: [&str; 5] = ["points", "doubles", "fan", "han", "fu"];

/// Compares what an example expects with its answer.
fn compare(example: &Value, answer: &Answer) -> Result<(), String> {
    let Some(expected @ Value::Object(members)) = example.get("expect") else {
        return Err("an example needs a table `expect`".to_owned());
    };
    for (name, _) in members {
        if !NUMBERS.contains(&name.as_str()) && name != "patterns" && name != "error" {
            return Err(format!(
                "unknown key `{name}` in `expect`; there are {}, patterns and error",
                NUMBERS.join(", ")
            ));
        }
    }
    if members.is_empty() {
        return Err("`expect` expects nothing".to_owned());
    }
    let score = match &answer.body {
        Body::Score(score) => score,
        Body::Error { error, .. } => {
            return match expected.get("error").and_then(Value::as_str) {
                Some(code) if code == error.code => Ok(()),
                _ => Err(format!(
                    "the example is no score: {} ({})",
                    error.message, error.code
                )),
            };
        }
        _ => return Err("an example asks for a score".to_owned()),
    };
    if let Some(code) = expected.get("error").and_then(Value::as_str) {
        return Err(format!(
            "expected the error {code}, found {} points",
            score.points
        ));
    }
    let number = |name: &str| match expected.get(name) {
        None => Ok(None),
        Some(Value::Int(value)) => Ok(Some(*value as f64)),
        Some(Value::Float(value)) => Ok(Some(*value)),
        Some(_) => Err(format!("`{name}` in `expect` must be a number")),
    };
    let tallied: Vec<(&str, f64)> = match &score.tally {
        TallyAnswer::Fan { fan, .. } => vec![("fan", fan.tenths() as f64 / 10.0)],
        TallyAnswer::HanFu { han, fu, .. } => {
            vec![("han", f64::from(*han)), ("fu", f64::from(*fu))]
        }
        TallyAnswer::Doubles { doubles, .. } => vec![("doubles", f64::from(*doubles))],
    };
    let found: Vec<(&str, f64)> = std::iter::once(("points", score.points as f64))
        .chain(tallied)
        .collect();
    for name in NUMBERS {
        let Some(wanted) = number(name)? else {
            continue;
        };
        match found.iter().find(|(known, _)| *known == name) {
            Some((_, found)) if (wanted - found).abs() < 1e-9 => {}
            Some((_, found)) => return Err(format!("expected {wanted} {name}, found {found}")),
            None => return Err(format!("this ruleset counts no {name}")),
        }
    }
    if let Some(wanted) = expected.get("patterns") {
        let Value::List(wanted) = wanted else {
            return Err("`patterns` in `expect` must be a list of patterns".to_owned());
        };
        let mut wanted: Vec<&str> = wanted.iter().filter_map(Value::as_str).collect();
        let mut found: Vec<&str> = score.patterns.iter().map(|one| one.id.as_str()).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        if wanted != found {
            return Err(format!(
                "expected the patterns {}, found {}",
                wanted.join(", "),
                found.join(", ")
            ));
        }
    }
    Ok(())
}

/// Whether an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Its patterns are worth enough by themselves, and nothing takes them away.
    Proved,
    /// A hand that breaks it: the cheapest that was found.
    Refuted {
        /// The hand and its last tile.
        hand: String,
        /// What it is worth.
        fan: crate::decimal::Decimal,
    },
    /// Neither a proof nor a hand was found.
    Open,
}

/// Hands that are tried for one that breaks an invariant.
const TRIES: usize = 20_000;

/// Proves an invariant from the values of patterns, or looks for the cheapest hand that breaks it.
pub fn judge(rules: &dyn Ruleset, invariant: &Invariant) -> Judgement {
    let plan = rules.plan();
    let patterns = &plan.score.patterns;
    let value = |place: &usize| worth(plan, patterns[*place].value);
    // A pattern that takes others away must be worth as much as they together.
    let takes_away = |other: &Pattern| {
        let lost = invariant
            .patterns
            .iter()
            .filter(|place| other.supersedes.contains(place));
        let lost: i64 = lost.map(value).sum();
        lost > worth(plan, other.value)
    };
    let sum: i64 = invariant.patterns.iter().map(value).sum();
    let lacks = invariant.lacks_at_most.tenths();
    let is_enough = match &plan.score.family {
        ScoreFamily::Fan(rules) => sum + lacks > rules.minimum.tenths(),
        ScoreFamily::Doubles(rules) => sum + lacks >= 10 * i64::from(rules.minimum),
        // Counters raise the minimum, limit hands need none: this is not told by values alone.
        ScoreFamily::HanFu(_) => false,
    };
    if is_enough && !patterns.iter().any(takes_away) {
        return Judgement::Proved;
    }
    let found = cheapest(rules, invariant);
    found.map_or(Judgement::Open, |(fan, hand)| Judgement::Refuted {
        hand,
        fan,
    })
}

/// What a pattern adds towards the minimum, in tenths.
fn worth(plan: &Plan, value: PatternValue) -> i64 {
    match &plan.score.family {
        ScoreFamily::Fan(rules) => rules.value(value).tenths(),
        ScoreFamily::Doubles(_) => match value {
            PatternValue::Doubles(doubles) => 10 * i64::from(doubles),
            _ => 0,
        },
        ScoreFamily::HanFu(_) => 0,
    }
}

/// The cheapest complete hand with the patterns of an invariant that lacks more than it says.
fn cheapest(
    rules: &dyn Ruleset,
    invariant: &Invariant,
) -> Option<(crate::decimal::Decimal, String)> {
    let plan = rules.plan();
    let ScoreFamily::Fan(fan_rules) = &plan.score.family else {
        return None;
    };
    let grammar = plan.decomposer.grammar();
    let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
    let shapes: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
    let mut stream = Stream::new(1, 1);
    let mut best: Option<(crate::decimal::Decimal, String)> = None;
    for _ in 0..TRIES {
        let mut pick = |n: usize| stream.below(n.max(1) as u32) as usize;
        let mut tiles: Vec<Kind> = vec![kinds[pick(kinds.len())]; 2];
        for _ in 0..grammar.groups() {
            let group = match shapes.get(pick(shapes.len() + shapes.len() / 2)) {
                Some(shape) => shape.group(Suit::ALL[pick(3)]),
                None => Group::pung(kinds[pick(kinds.len())]),
            };
            tiles.extend(group.tiles());
        }
        let last = tiles.swap_remove(pick(tiles.len()));
        tiles.sort_unstable();
        let held: Vec<Tile> = tiles.iter().map(|&kind| Tile::plain(kind)).collect();
        let Ok(hand) = Hand::try_new(&plan.tiles, &held, &[], &[]) else {
            continue;
        };
        if hand.concealed().get(last) >= grammar.copies().get(last) {
            continue;
        }
        let (way, from, said) = match pick(2) {
            0 => (Way::Wall, None, "from the wall"),
            _ => (Way::Discard, Some(Seat::EAST), "off a discard"),
        };
        let win = Win {
            tile: Tile::plain(last),
            way,
            from,
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        let input = ScoreInput::new(
            &hand,
            Seat::EAST.after(1, plan.players),
            Wind::East,
            Some(&win),
        );
        let Err(ScoreError::BelowMinimum(score)) = rules.score(&input) else {
            continue;
        };
        let crate::score::Tally::Fan(sum) = score.tally else {
            continue;
        };
        // A pattern that was taken away is there, too.
        let has = |place: &usize| {
            score
                .lines
                .iter()
                .map(|line| usize::from(line.pattern))
                .any(|counted| {
                    counted == *place || plan.score.patterns[counted].supersedes.contains(place)
                })
        };
        let lacks_more =
            sum.fan.tenths() + invariant.lacks_at_most.tenths() <= fan_rules.minimum.tenths();
        if invariant.patterns.iter().all(has) && lacks_more {
            let name = crate::notation::Notation::Ujmj;
            let text = format!(
                "{} with {} {said}",
                name.print(held.iter().copied()),
                name.print_one(Tile::plain(last))
            );
            if best
                .as_ref()
                .is_none_or(|(fan, hand)| (sum.fan.tenths(), &text) < (fan.tenths(), hand))
            {
                best = Some((sum.fan, text));
            }
        }
    }
    best
}
