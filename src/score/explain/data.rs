//! [`Explanation`] and its parts.

use crate::decimal::Number;

/// How the points of a hand are made up, and what did not count. [`Display`](std::fmt::Display) gives lines of text,
/// [`Explanation::to_html`] a fragment of a page. Names of patterns are in the language of the
/// [`Wording`](crate::Wording) that the explanation was made with, sentences in English.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The result in one line, such as `11700 points: 4 han 40 fu`, or why the hand does not win.
    pub headline: String,
    /// Points before settlement.
    pub points: i64,
    /// The hand is worth enough to win.
    pub wins: bool,
    /// How the points are split between the payers, such as `2,000 / 4,000`. `None` if the ruleset pays in another way.
    pub split: Option<String>,
    /// The groups of the reading that counts: the concealed ones, then the declared ones.
    pub groups: Vec<ExplainedGroup>,
    /// The patterns that counted, in the ruleset's order.
    pub patterns: Vec<ExplainedPattern>,
    /// The rows of fu that counted, in the ruleset's order. Empty unless the ruleset has fu.
    pub fu: Vec<ExplainedFu>,
    /// The steps from the patterns to the points.
    pub steps: Vec<Step>,
    /// Patterns that the hand has and that did not count.
    pub left_out: Vec<LeftOut>,
    /// The best reading with other groups, or with another group that the winning tile completed.
    pub runner_up: Option<RunnerUp>,
}

/// A group of the reading that counts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedGroup {
    /// The tiles. In a special form all tiles that are in no group are one entry.
    pub tiles: String,
    /// The family, such as `pung`. `None` for tiles in no group.
    pub family: Option<String>,
    /// The group is a declared meld.
    pub declared: bool,
    /// The group has a claimed tile. One that a claimed winning tile completed counts as open.
    pub open: bool,
    /// The winning tile completed the group.
    pub winning: bool,
}

/// A pattern that counted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedPattern {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// How often it counted.
    pub times: u32,
    /// What it is worth each time, such as `1 double`.
    pub value: String,
    /// The groups or tiles that make it. Empty if it is about the circumstances or the whole hand.
    pub made_of: Vec<String>,
    /// What it is.
    pub doc: String,
    /// Where the rule comes from.
    pub src: String,
}

/// A row of fu that counted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedFu {
    /// The id.
    pub id: String,
    /// How often it counted.
    pub times: u32,
    /// Fu each time.
    pub fu: i64,
    /// The groups or tiles that make it.
    pub made_of: Vec<String>,
    /// What it is.
    pub doc: String,
    /// Where the rule comes from.
    pub src: String,
}

/// A pattern that the hand has and that did not count.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LeftOut {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// What it would be worth.
    pub value: String,
    /// Why it did not count.
    pub reason: String,
    /// The patterns that count in its place. Empty for other reasons.
    pub by: Vec<String>,
}

/// The best of the other readings.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RunnerUp {
    /// Its groups, as in [`Explanation::groups`].
    pub groups: Vec<ExplainedGroup>,
    /// Its patterns, by id.
    pub patterns: Vec<String>,
    /// The names of its patterns.
    pub names: Vec<String>,
    /// Its points.
    pub points: i64,
    /// What its patterns add up to.
    pub sum: String,
    /// Why it does not count.
    pub reason: String,
}

/// What a step changes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quantity {
    /// A column of the ruleset's `sums`.
    Column(String),
    /// Limits.
    Limits,
    /// What the columns are worth.
    Worth,
    /// Fu.
    Fu,
    /// Han.
    Han,
    /// The amount that payments are multiples of, in han and fu.
    Payment,
    /// Points. The last step leaves the points of the hand.
    Points,
}

impl Quantity {
    /// The word for it.
    pub fn word(&self) -> &str {
        match self {
            Self::Column(name) => name,
            Self::Limits => "limits",
            Self::Worth => "worth",
            Self::Fu => "fu",
            Self::Han => "han",
            Self::Payment => "payment",
            Self::Points => "points",
        }
    }
}

/// As its word.
#[cfg(feature = "serde")]
impl serde::Serialize for Quantity {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// What a step does with its amount.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Operation {
    /// Adds the amount.
    Add,
    /// Rounds up to a multiple of the amount.
    RoundUp,
    /// Raises the value to the amount, if it is less.
    AtLeast,
    /// Replaces the value by the amount, which comes from a table or a formula.
    Becomes,
}

/// A step from patterns to points. Every quantity begins at 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Step {
    /// What it changes.
    pub of: Quantity,
    /// How.
    pub operation: Operation,
    /// By how much.
    pub amount: Number,
    /// The quantity after the step.
    pub value: Number,
    /// Why: a pattern, a row of fu, or a rule.
    pub reason: String,
}
