//! [`Answer`]: what the interface answers.

use super::error::ErrorAnswer;
use super::value::Value;
use crate::decimal::Number;
use crate::host::EndedDeal;
use crate::lang::Lang;
use crate::log::Line;
use crate::notation::Notation;
use crate::request::{Accepted, Change, Declared};
use crate::ruleset::{Plan, Ruleset};
use crate::score::{Explanation, Score, ScoreError, ScoreFamily, Tally};
use crate::seat::{Player, Seat};
use crate::state::{ActionSnapshot, Snapshot};
use crate::tile::Tile;
use serde::Serialize;
use std::collections::BTreeMap;

/// An answer to a request, ready to be written as JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// The `id` of the request; `null` if it could not be read.
    pub id: Value,
    /// False for an error.
    pub ok: bool,
    /// The result, or the error.
    #[serde(flatten)]
    pub body: Body,
}

/// The members of an answer beside `id` and `ok`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Body {
    /// The answer to `score`.
    Score(ScoreAnswer),
    /// The answer to `settle`.
    Settle {
        /// The score of each seat; `null` if it has none.
        scores: Vec<Option<ScoreAnswer>>,
        /// What each seat gains.
        deltas: Vec<Number>,
        /// Every payment, in the order of settling.
        payments: Vec<PaymentAnswer>,
    },
    /// The answer to `decompose`.
    Decompose {
        /// Every way to split the hand.
        arrangements: Vec<Vec<String>>,
    },
    /// The answer to `distance` of 3n + 1 tiles.
    Accepts {
        /// Tiles missing from a complete hand, minus one.
        distance: i8,
        /// Tiles that lower the distance.
        accepts: Vec<String>,
        /// How many of them are left. Only if the request has `seen` or a goal.
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        left: Option<LeftAnswer>,
    },
    /// The answer to `distance` if no hand within the bound has the goal, or may win by `[win]`.
    Beyond {
        /// `null`.
        distance: (),
        /// The distance is greater than this, or the hand can never meet the goal.
        beyond: u8,
    },
    /// The answer to `distance` of 3n + 2 tiles.
    Discards {
        /// Tiles missing from a complete hand, minus one.
        distance: i8,
        /// Discards that keep the distance.
        discards: Vec<DiscardAnswer>,
    },
    /// The answer to `parse`.
    Parse {
        /// The tiles in tile order.
        tiles: String,
        /// How many tiles.
        count: usize,
    },
    /// The answer to `new`, `load`, `fork`, `act`, `default` and `undo`.
    Table(TableAnswer),
    /// The answer to `view` and `spectate`.
    View {
        /// The name of the table.
        table: String,
        /// The player; `null` for spectators.
        player: Option<usize>,
        /// What is seen.
        view: Box<Snapshot>,
    },
    /// The answer to `legal`.
    Legal {
        /// The name of the table.
        table: String,
        /// The player.
        player: usize,
        /// The legal actions; none unless the player must decide.
        actions: Vec<ActionSnapshot>,
    },
    /// The answer to `hint`.
    Hint {
        /// The name of the table.
        table: String,
        /// The player.
        player: usize,
        /// The action.
        #[serde(flatten)]
        hint: ActionSnapshot,
        /// What the agent weighed, if the request asks for reasons.
        #[serde(skip_serializing_if = "Option::is_none")]
        weighed: Option<Vec<WeighedAnswer>>,
    },
    /// The answer to `save`.
    Saved {
        /// The name of the table.
        table: String,
        /// What `load` takes back.
        saved: Box<SavedTable>,
    },
    /// The answer to `log`.
    Log {
        /// The name of the table.
        table: String,
        /// How many lines there are: `from` of the next request.
        next: usize,
        /// The lines.
        lines: Vec<Line>,
    },
    /// The answer to `close`.
    Closed {
        /// The name of the table.
        table: String,
    },
    /// The answer to `rules`.
    Registered {
        /// The id by which `ruleset` names the rules from now on.
        ruleset: String,
        /// The name of the ruleset, for people.
        name: String,
    },
    /// An error.
    Error {
        /// What is wrong.
        error: ErrorAnswer,
        /// The score of a hand that is worth too little to win.
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        score: Option<ScoreAnswer>,
    },
}

/// A payment from one seat to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct PaymentAnswer {
    /// The seat that pays.
    pub from: char,
    /// The seat that is paid.
    pub to: char,
    /// The amount.
    pub points: Number,
    /// A description of the payment.
    pub why: String,
}

/// An action that an agent weighed: [`Weighed`](crate::agent::Weighed).
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct WeighedAnswer {
    /// The action.
    #[serde(flatten)]
    pub action: ActionSnapshot,
    /// What the agent expects of it. Absent if the agent compares only distances and accepted tiles.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateAnswer>,
    /// What the hand may become after the action, the best first.
    pub goals: Vec<GoalAnswer>,
}

/// What an agent expects of an action, in points: [`Estimate`](crate::agent::Estimate).
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct EstimateAnswer {
    /// What the agent compares actions by.
    pub worth: f64,
    /// The gain of going on with the hand.
    pub gain: f64,
    /// The chance that the discard gives another player the win, 0 to 1.
    pub risk: f64,
    /// What that costs on average.
    pub cost: f64,
}

/// A goal that a hand may reach: [`Pursued`](crate::agent::Pursued).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct GoalAnswer {
    /// The id of the goal.
    pub goal: String,
    /// The distance of the hand.
    pub distance: i8,
    /// Tiles that lower the distance.
    pub accepts: Vec<String>,
    /// How many of them are left.
    #[serde(flatten)]
    pub left: LeftAnswer,
}

/// A discard that keeps the distance.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct DiscardAnswer {
    /// The tile.
    pub tile: String,
    /// Tiles that lower the distance after this discard.
    pub accepts: Vec<String>,
    /// How many of them are left. Only if the request has `seen` or a goal.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftAnswer>,
}

/// How many of the tiles that lower the distance are neither in the hand nor visible elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct LeftAnswer {
    /// The copies of each kind, in the order of `accepts`.
    pub left: Vec<u8>,
    /// Their sum.
    pub total: u32,
}

impl From<&[Accepted]> for LeftAnswer {
    fn from(accepts: &[Accepted]) -> Self {
        let left: Vec<u8> = accepts.iter().map(|one| one.left).collect();
        Self {
            total: left.iter().copied().map(u32::from).sum(),
            left,
        }
    }
}

/// A pattern that counted, once with the product or each time that it counts, as the ruleset says.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct PatternAnswer {
    /// The id of the pattern.
    pub id: String,
    /// The name of the pattern, if the request has `lang`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its value: what it adds to the first column to which it adds something; limits; or the value of one limit.
    pub value: Number,
}

/// How the points of a hand add up.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum TallyAnswer {
    /// By column.
    Sums {
        /// The sum of each column, by name.
        #[serde(flatten)]
        columns: BTreeMap<String, Number>,
        /// The number of limits.
        limits: u32,
        /// True for a limit hand, and if the points are just a limit.
        limit: bool,
        /// What the columns are worth, before limits and rounding.
        worth: Number,
    },
    /// In han and fu.
    HanFu {
        /// Han; 0 for a limit hand.
        han: u32,
        /// Fu; 0 for a limit hand.
        fu: u32,
        /// The number of limits of a limit hand.
        limits: u32,
        /// The name of the limit, if the hand reaches one.
        name: Option<String>,
    },
}

impl TallyAnswer {
    fn new(family: &ScoreFamily, score: &Score) -> Self {
        match &score.tally {
            Tally::HanFu(sum) => Self::HanFu {
                han: sum.han,
                fu: sum.fu,
                limits: sum.limits,
                name: match family {
                    ScoreFamily::HanFu(rules) => rules.name(sum).map(str::to_owned),
                    _ => None,
                },
            },
            Tally::Sums(sum) => {
                let rules = match family {
                    ScoreFamily::Sums(rules) => Some(rules),
                    ScoreFamily::HanFu(_) => None,
                };
                let columns = rules.map(|rules| {
                    let numbers = sum.columns.map(|amount| rules.number(amount));
                    rules.names.iter().cloned().zip(numbers).collect()
                });
                Self::Sums {
                    columns: columns.unwrap_or_default(),
                    limits: sum.limits,
                    limit: rules.is_some_and(|rules| rules.is_limit(sum, score.points)),
                    worth: rules.map_or(sum.worth.into(), |rules| rules.number(sum.worth)),
                }
            }
        }
    }
}

/// The score of one hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct ScoreAnswer {
    /// Points before settlement.
    pub points: i64,
    /// How the points add up.
    #[serde(flatten)]
    pub tally: TallyAnswer,
    /// The patterns that counted.
    pub patterns: Vec<PatternAnswer>,
    /// The reading that counted.
    pub arrangement: Vec<String>,
    /// Why, if the request has `"explain": true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<Explanation>>,
    /// Why each pattern of the request's `why_not` does not count: nothing if it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<BTreeMap<String, Vec<String>>>,
    /// The fewest changes that reach each goal of the request's `repair`, in its order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<Vec<RepairAnswer>>,
}

/// The fewest changes that reach a goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct RepairAnswer {
    /// The pattern that must count. `None` if the hand must win.
    pub pattern: Option<String>,
    /// The changes. Empty if the hand reaches the goal as it is; `None` if no
    /// [`MOST_CHANGES`](crate::request::MOST_CHANGES) changes reach it.
    pub changes: Option<Vec<ChangeAnswer>>,
}

/// One change of a repair.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct ChangeAnswer {
    /// What changes.
    pub change: &'static str,
    /// What goes away, if anything.
    pub from: Option<String>,
    /// What comes instead, if anything.
    pub to: Option<String>,
    /// The index of the meld, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meld: Option<usize>,
    /// The seat that gives the winning tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub giver: Option<char>,
    /// The change in words.
    pub words: String,
}

impl ChangeAnswer {
    /// Converts a change to an answer.
    pub fn new(change: &Change, notation: Notation) -> Self {
        let one = |tile: &Tile| Some(notation.print_one(*tile));
        let all = |meld: &Declared| Some(notation.print(meld.tiles.iter().copied()));
        let added = |value: Option<String>, added: bool| match added {
            true => (None, value),
            false => (value, None),
        };
        let (name, (from, to)) = match change {
            Change::Tile { from, to } => ("tile", (one(from), one(to))),
            Change::WinningTile { from, to } => ("winning-tile", (one(from), one(to))),
            Change::LastTile { from, to } => ("last-tile", (one(from), one(to))),
            Change::Meld { from, to, .. } => ("meld", (all(from), all(to))),
            Change::Concealed { meld, .. } => ("concealed", (all(meld), all(meld))),
            Change::Undeclared { meld, .. } => ("undeclared", (all(meld), None)),
            Change::Way { way, .. } => ("way", (None, Some(way.word().to_owned()))),
            Change::Flag { id, set } => ("flag", added(Some(id.clone()), *set)),
            Change::KongsInRow { count } => ("quads", (None, Some(count.to_string()))),
            Change::Bonus { tile, added: is } => ("bonus-tile", added(one(tile), *is)),
            Change::Round { wind } => ("round", (None, Some(wind.to_string()))),
            Change::Seat { seat } => ("seat", (None, Some(seat.to_string()))),
        };
        let meld = match change {
            Change::Meld { index, .. }
            | Change::Concealed { index, .. }
            | Change::Undeclared { index, .. } => Some(*index),
            _ => None,
        };
        let giver = match change {
            Change::Way { from, .. } => from.map(Seat::letter),
            _ => None,
        };
        Self {
            change: name,
            from,
            to,
            meld,
            giver,
            words: change.describe(notation),
        }
    }
}

impl ScoreAnswer {
    /// Converts a score to an answer.
    ///
    /// # Errors
    /// [`ScoreError::UnknownPattern`] for a score under other rules.
    pub fn new(plan: &Plan, notation: Notation, score: &Score) -> Result<Self, ScoreError> {
        plan.score.check(score)?;
        Ok(Self {
            points: score.points,
            tally: TallyAnswer::new(plan.score.family(), score),
            patterns: plan
                .score
                .listed(score)
                .into_iter()
                .map(|(id, value)| PatternAnswer {
                    id,
                    name: None,
                    value,
                })
                .collect(),
            arrangement: score.print_groups(notation),
            explanation: None,
            why_not: None,
            repair: None,
        })
    }

    /// Adds the names of the patterns in a language.
    pub(super) fn add_names(&mut self, plan: &Plan, lang: Lang) {
        for answer in &mut self.patterns {
            let mut patterns = plan.score.patterns().iter();
            let pattern = patterns.find(|pattern| pattern.id == answer.id);
            answer.name = pattern.map(|pattern| pattern.names.get(lang).to_owned());
        }
    }
}

/// The answer to a line that is not JSON.
pub fn bad_json(message: &str) -> Answer {
    error(Value::Null, ErrorAnswer::new("bad-json", message))
}

pub(super) fn error(id: Value, error: ErrorAnswer) -> Answer {
    let body = Body::Error { error, score: None };
    Answer {
        id,
        ok: false,
        body,
    }
}

/// A player who must decide.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Waiting {
    /// The player's number.
    pub player: usize,
    /// The player's seat in this deal.
    pub seat: char,
}

/// How a table stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct TableAnswer {
    /// The name of the table.
    pub table: String,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// The wind of the round.
    pub round: char,
    /// The player who deals.
    pub dealer: usize,
    /// The totals, in player order.
    pub totals: Vec<Number>,
    /// The players who must decide. It is for the host alone: it tells who may claim a discard.
    pub waiting: Vec<Waiting>,
    /// True when the match is over.
    pub over: bool,
    /// The results with what is added at the end of a match, in player order. Only when it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<Number>>,
    /// The deals that ended with the decision.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EndedAnswer>,
    /// The action that was made, for `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
}

/// A table as a request saves it. `load` takes it back.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct SavedTable {
    /// The id of a built-in ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// The text of any other ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Options that differ from their defaults.
    pub options: Value,
    /// The hash of the rules.
    pub ruleset_hash: String,
    /// Who plays, in player order.
    pub seats: Vec<String>,
    /// The seed of walls and dice. It is secret while the match goes on.
    pub seed: String,
    /// The seed of the agents.
    pub agent_seed: String,
    /// All decisions: the letter of the seat, then the action.
    pub decisions: Vec<String>,
}

/// A deal that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct EndedAnswer {
    /// The number of the deal, from 1.
    pub deal: u32,
    /// The player who dealt.
    pub dealer: usize,
    /// Every win, explained.
    pub wins: Vec<WinAnswer>,
    /// The payments in order, in words.
    pub payments: Vec<String>,
    /// What each player gains or loses, in player order.
    pub deltas: Vec<Number>,
}

impl EndedAnswer {
    /// A deal that is over, with the words of wins in a language.
    pub fn new(rules: &dyn Ruleset, deal: &EndedDeal, lang: Lang) -> Self {
        let per_point = rules.plan().units_per_point();
        let (state, outcome) = (&deal.state, &deal.outcome);
        let player = |seat: Seat| seat.player(state.dealer(), state.players()).index();
        let wins = outcome.wins().iter().map(|(seat, win)| WinAnswer {
            player: player(*seat),
            from: win.from.map(player),
            tile: Notation::Ujmj.print_one(win.tile),
            explanation: deal.explain(rules, *seat, Notation::Ujmj.in_lang(lang)),
        });
        let players = Player::all(state.players());
        let seats = players.map(|player| player.seat(state.dealer(), state.players()));
        let payments = outcome.settlement.payments.iter();
        Self {
            deal: deal.number,
            dealer: state.dealer().index(),
            wins: wins.collect(),
            payments: payments
                .map(|payment| payment.describe(rules.plan().payments()))
                .collect(),
            deltas: seats
                .map(|seat| Number::of_units(outcome.settlement.deltas[seat], per_point))
                .collect(),
        }
    }
}

/// A win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct WinAnswer {
    /// The player who wins.
    pub player: usize,
    /// The player whose tile it was; `null` for a drawn tile.
    pub from: Option<usize>,
    /// The winning tile.
    pub tile: String,
    /// Why the hand is worth what it is worth; `null` in rulesets in which play goes on after a win.
    pub explanation: Option<Explanation>,
}
