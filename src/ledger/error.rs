//! Errors of ledgers.

use crate::game::RecordError;
use crate::notation::ParseTilesError;
use crate::request::{RequestError, WorthError};
use crate::ruleset::{FlagError, LoadError, OptionError};
use crate::text::ParseError;
use std::fmt;

/// What is wrong with a line of a ledger.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerFault {
    /// The line is none of a ledger.
    #[error("`{text}` is no line of a ledger")]
    Line {
        /// The line.
        text: String,
    },
    /// The part of a line is none of a deal.
    #[error("`{text}` says nothing of a deal")]
    Part {
        /// The part.
        text: String,
    },
    /// Something is not at the table.
    #[error("there is no player `{name}`")]
    Player {
        /// What was written.
        name: String,
    },
    /// A number of points that is none, or that the ruleset does not have.
    #[error("`{text}` is no number of points")]
    Points {
        /// What was written.
        text: String,
    },
    /// The number of names is not the number of players.
    #[error("{have} names for {want} players, all of them different")]
    Names {
        /// How many names were given.
        have: usize,
        /// How many players sit at a table.
        want: usize,
    },
    /// A deal before `players` or `table`.
    #[error("`players` comes before the first deal")]
    NoTable,
    /// A header after the first table.
    #[error("`{word}` comes before `players` and `table`")]
    TooLate {
        /// The word.
        word: &'static str,
    },
    /// `and` or `then` without a win before it, or `then` where a win ends the deal.
    #[error("`{word}` continues no deal here")]
    Continues {
        /// The word.
        word: &'static str,
    },
    /// A win without its worth.
    #[error("what the hand of the winner is worth is missing")]
    NoWorth,
    /// A player wins off themselves, wins twice, or has already won.
    #[error("`{name}` cannot win here")]
    Winner {
        /// The name.
        name: String,
    },
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// No ruleset is named.
    #[error("no ruleset is named: a ledger begins with `ruleset ID`")]
    NoRules,
    /// The ruleset does not load.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// No option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Tiles that cannot be read.
    #[error(transparent)]
    Tiles(#[from] ParseTilesError),
    /// A tile that cannot be read.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// A flag that the ruleset does not have.
    #[error(transparent)]
    Flag(#[from] FlagError),
    /// A hand that the ruleset does not allow.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A worth that no hand has.
    #[error(transparent)]
    Worth(#[from] WorthError),
    /// The ruleset has no false wins.
    #[error("this ruleset has no false wins")]
    FalseWin,
    /// The match does not record the deal.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Totals leave the range that a match can have.
    #[error("totals leave their range")]
    Totals,
    /// A seating that is not possible.
    #[error("seats for {names} players at tables of {size}: there are too few, or too many rounds")]
    Seating {
        /// How many names there are.
        names: usize,
        /// How many players sit at a table.
        size: usize,
    },
}

/// The error for a ledger with wrong lines. It has every fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct LedgerError {
    pub(super) faults: Vec<LineFault>,
}

/// A fault and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LineFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: LedgerFault,
}

impl LedgerError {
    /// The faults in the order of their lines. There is at least one.
    pub fn faults(&self) -> &[LineFault] {
        &self.faults
    }
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.faults.iter().enumerate() {
            let line = if place > 0 { "\n" } else { "" };
            write!(f, "{line}{fault}")?;
        }
        Ok(())
    }
}
