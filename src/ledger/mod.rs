//! The ledger of an evening: a text with a line a deal, from which follow payments, dealers, totals and ranks: [`Ledger`].
//!
//! ```text
//! # Friday club
//! ruleset uzje
//! players Anna, Bo, Chen, Dee
//!
//! 3 won off 2, 50 points
//! Anna won, 5.6 fan
//! 1 won off 4, hand 123456s789mEEE5m + 5m
//! draw
//! 2 pays 1 10 points: a broken tile
//! ```
//!
//! A line is empty, a comment after `#`, or one of these. A player is a number in the order of `players`, or a name.
//!
//! | line | meaning |
//! | --- | --- |
//! | `ruleset ID` | the ruleset, before the first deal |
//! | `option NAME=VALUE` | an option of the ruleset |
//! | `players A, B, C, D` | the players of a table in the order of their first seats; the first one deals first |
//! | `table NAME: A, B, C, D` | the same for one of several tables; the deals that follow are played there |
//! | `P won[ off P], …` | a deal that is won, self-drawn or with a discard |
//! | `and P won, …` | another winner with the same tile |
//! | `then P won[ off P], …` | the next win of the same deal, where play goes on after a win |
//! | `draw[, …]` | a deal that nobody wins because the wall is used up |
//! | `aborted[, …]` | a deal that is drawn before |
//! | `false win P[, …]` | a deal that ends with a false win |
//! | `P pays P N points[: why]` | a payment beside the deals, such as one for a kong |
//! | `penalty P N points[: why]` | a subtraction that nobody gets |
//! | `correction P +N[, P -N …][: why]` | a change of totals |
//! | `over` | the match ends here |
//! | `seating N: A, B, C, …` | seats at several tables for N rounds |
//!
//! After a win, parts with commas between them say what the hand is worth, and more:
//!
//! | part | meaning |
//! | --- | --- |
//! | `40 points`, `5.6 fan`, `3 han 40 fu`, `mangan` | the worth of the winning hand |
//! | `hand TILES + TILE [MELD off P] [MELD closed] / FLOWERS` | its tiles in `ujmj` notation instead, which the engine scores; `off P` only matters where that player is liable |
//! | `P has N points`, `P has hand TILES …` | a losing hand, where the ruleset settles them |
//! | `flags A B` | circumstances of the win, such as `riichi` |
//! | `replacement`, `robbed` | a win on a replacement tile, or by robbing |
//! | `indicators TILES`, `under TILES` | indicators that lie face up, and those under them |
//! | `riichi P P` | who has paid a deposit in the deal; also after `draw` and `aborted` |
//! | `ready P P`, `paid P` | after `draw`: whose hands are ready, and who is paid for discards |
//!
//! Settlement, dealers and the end of the match are those of the engine.

mod entry;
mod error;
mod read;
mod seating;
mod show;

pub use error::{LedgerError, LedgerFault, LineFault};
pub use seating::{SeatingRound, seating};

use crate::game::Match;
use crate::ruleset::Rules;
use crate::seat::Player;
use crate::tile::Wind;

/// A line of a ledger that changes totals.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The line of the text, from 1.
    pub line: usize,
    /// What was written, without continuations.
    pub text: String,
    /// The number of the deal. `None` for payments, penalties and corrections.
    pub deal: Option<u32>,
    /// The wind of the round before the line.
    pub round: Wind,
    /// The dealer before the line.
    pub dealer: Player,
    /// The changes of totals by player, in the least unit of the ruleset.
    pub changes: Vec<i64>,
    /// The totals after the line.
    pub totals: Vec<i64>,
    /// What the engine says: scores and payments.
    pub notes: Vec<String>,
}

/// A table with its match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LedgerTable {
    /// The name. Empty if there is one table.
    pub name: String,
    /// The players in player order.
    pub players: Vec<String>,
    /// The lines.
    pub entries: Vec<Entry>,
    /// The match after the last line.
    pub series: Match<Rules>,
}

/// A ledger that has been read.
///
/// ```
/// use paishan::Ledger;
/// let text = "ruleset zung-jung\nplayers Anna, Bo, Chen, Dee\n\n3 won off 2, 40 points\n";
/// let ledger = Ledger::read(text, None)?;
/// let table = &ledger.tables[0];
/// assert_eq!(table.entries[0].changes, [-25, -70, 120, -25]);
/// assert_eq!(table.series.state().dealer().index(), 1);
/// let error = Ledger::read("ruleset woo\nplayers A, B, C, D\n7 won, 2 points\n", None).unwrap_err();
/// assert_eq!(error.faults()[0].to_string(), "line 3: there is no player `7`");
/// # Ok::<(), paishan::ledger::LedgerError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ledger {
    /// The rules.
    pub rules: Rules,
    /// The comment at the top, as a title. Empty without one.
    pub title: String,
    /// The tables in the order of the text.
    pub tables: Vec<LedgerTable>,
    /// The seats at several tables: the names, and the rounds.
    pub seating: Option<(Vec<String>, Vec<SeatingRound>)>,
}
