//! The log that a replay reads, and its result.

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
    /// True if the log shows every tile. Otherwise the hidden tiles of the replay may differ from those of the original
    /// match.
    pub complete: bool,
}

/// Where a replay first differs from its log. Lines are counted from 0 in the match.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The engine produces another line.
    #[error("unexpected line")]
    Differs {
        /// Index of the line.
        line: usize,
        /// What the engine produces.
        expected: Box<Line>,
        /// What the log has.
        found: Box<Line>,
    },
    /// The engine disagrees with a message of plain mjai.
    #[error("unexpected message")]
    Disagrees {
        /// Index of the message.
        line: usize,
        /// What the engine produces.
        expected: Box<Message>,
        /// What the log has.
        found: Box<Message>,
    },
    /// The log cannot be a record of a match.
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
    /// The log was written under other rules, other options or a house rule.
    #[error("the log was written under other rules (hash {found}, not {expected})")]
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

/// The next step of a match, as read from a log.
pub(super) enum Told {
    /// Decisions in the order in which they are made, each with the index of the line that shows it.
    Decisions(Vec<(usize, Seat, Action)>),
    /// A judge declares a hand dead.
    Dead(Seat),
}

/// A log that the driver can read.
pub(super) trait Source {
    /// The index of the next line. All lines before it agree.
    fn at(&self) -> usize;

    /// True if a log that may break off has no more lines.
    fn has_broken_off(&mut self) -> bool;

    /// Compares lines of the engine with the next lines of the log. If the log may break off, lines after its end are
    /// not compared.
    fn compare(&mut self, made: Vec<Line>) -> Result<(), ReplayError>;

    /// The wall of the deal that begins at the next line. `None` after [`Self::back_up`] if there is no other wall.
    fn wall(&mut self, series: &MatchState) -> Result<Option<Wall>, ReplayError>;

    /// Goes back to the beginning of the deal, to try another wall. False if there cannot be another one.
    fn back_up(&mut self) -> bool {
        false
    }

    /// Reads the actions of the deciding seats. At least one seat must decide.
    fn told(
        &mut self,
        state: &DealState,
        legal: &dyn Fn(Seat) -> Legal,
    ) -> Result<Told, ReplayError>;

    /// Compares the end of the match with `made`, the lines that the engine wrote for it.
    fn end(&mut self, series: &MatchState, made: Vec<Line>) -> Result<(), ReplayError>;
}
