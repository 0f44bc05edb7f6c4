//! What a replay reads, and what comes of it.

pub(super) use super::fault::LogFault;
use crate::game::{ActionError, MatchState};
use crate::log::Line;
use crate::log::mjai::Message;
use crate::ruleset::LoadError;
use crate::seat::Seat;
use crate::state::{Action, DealState, Legal};
use crate::wall::Wall;

/// A match that was replayed without a difference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// Number of the match in its log.
    pub game: u64,
    /// How many deals were played.
    pub hands: u32,
    /// How many lines were compared, header and decisions included.
    pub lines: usize,
    /// True if the log tells every tile. Otherwise the match was played with other tiles in the places that the log does
    /// not tell.
    pub complete: bool,
}

/// Where a replay first differs from its log. Lines are counted from 0 in the match.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The engine produces another line.
    #[error("another line was expected")]
    Differs {
        /// Index of the line.
        line: usize,
        /// What the engine produces.
        expected: Box<Line>,
        /// What the log has.
        found: Box<Line>,
    },
    /// The engine disagrees with a message of plain mjai.
    #[error("another message was expected")]
    Disagrees {
        /// Index of the message.
        line: usize,
        /// What the engine produces.
        expected: Box<Message>,
        /// What the log has.
        found: Box<Message>,
    },
    /// No match can have written such a log.
    #[error("{fault}")]
    Malformed {
        /// Index of the line.
        line: usize,
        /// What is wrong.
        fault: LogFault,
    },
    /// The event is not a legal action.
    #[error("{error}")]
    NotLegal {
        /// Index of the line.
        line: usize,
        /// What is wrong.
        error: ActionError,
    },
    /// The log belongs to other rules, to other options or to a house rule.
    #[error("the log is of other rules (hash {found}, not {expected})")]
    OtherRules {
        /// Index of the line.
        line: usize,
        /// The hash in the log.
        found: String,
        /// The hash of the rules given.
        expected: String,
    },
    /// The ruleset or an option is unknown.
    #[error("{error}")]
    Ruleset {
        /// Index of the line.
        line: usize,
        /// What is wrong.
        error: Box<LoadError>,
    },
}

impl ReplayError {
    /// Index of the line, from 0 in the match.
    pub fn line(&self) -> usize {
        match self {
            Self::Differs { line, .. }
            | Self::Disagrees { line, .. }
            | Self::Malformed { line, .. }
            | Self::NotLegal { line, .. }
            | Self::OtherRules { line, .. }
            | Self::Ruleset { line, .. } => *line,
        }
    }
}

pub(super) fn malformed<T>(line: usize, fault: LogFault) -> Result<T, ReplayError> {
    Err(ReplayError::Malformed { line, fault })
}

/// What the log says comes next.
pub(super) enum Told {
    /// Decisions in the order in which they are made, each with the index of the line that tells it.
    Decisions(Vec<(usize, Seat, Action)>),
    /// A judge declares a hand dead.
    Dead(Seat),
}

/// A log that the driver can read.
pub(super) trait Source {
    /// The index of the next line. All lines before it agree.
    fn at(&self) -> usize;

    /// True when a log that may break off has no more lines.
    fn has_broken_off(&mut self) -> bool;

    /// Compares the lines that the engine made with the next lines of the log. What comes after the last line of a log
    /// that may break off is not compared.
    fn compare(&mut self, made: Vec<Line>) -> Result<(), ReplayError>;

    /// The wall of the deal that begins at the next line. `None` after [`Self::back_up`] if there is no other wall.
    fn wall(&mut self, series: &MatchState) -> Result<Option<Wall>, ReplayError>;

    /// Goes back to the beginning of the deal, for which there may be another wall. False if there can be none.
    fn back_up(&mut self) -> bool {
        false
    }

    /// What the deciding seats do. At least one seat must decide.
    fn told(
        &mut self,
        state: &DealState,
        legal: &dyn Fn(Seat) -> Legal,
    ) -> Result<Told, ReplayError>;

    /// Compares the end of the match. `made` is what the engine wrote for it.
    fn end(&mut self, series: &MatchState, made: Vec<Line>) -> Result<(), ReplayError>;
}
