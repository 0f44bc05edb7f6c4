//! Scoring. A *reading* is one arrangement of a hand, with the group that the winning tile completed. Every
//! reading of a hand is tried against the patterns, and the best one counts.

mod amounts;
mod best;
mod combine;
mod compiled;
pub(crate) mod condition;
mod explain;
pub mod facts;
mod family;
mod han_fu;
mod input;
mod lacks;
mod pattern;
mod reading;
mod readings;
mod rules;
mod settle;
mod sums;
mod told;

pub use amounts::{Amounts, MOST_SUMS};
pub use best::best;
pub(crate) use best::{has_reading, wins};
pub use condition::{Condition, ConditionError, Count};
pub(crate) use condition::{Dead, InPlay, Mechanisms};
pub(crate) use explain::times;
pub use explain::{
    ExplainedFu, ExplainedGroup, ExplainedPattern, Explanation, LeftOut, Operation, Quantity,
    RunnerUp, Step,
};
pub use facts::FamilySet;
pub(crate) use facts::{Happening, RuleNames, Tallied};
pub use family::{ScoreFamily, Tally};
pub use han_fu::{FuRow, HanFu, HanFuRules, LimitRow};
pub use input::{Score, ScoreError, ScoreInput};
pub(crate) use pattern::{Liable, MAX_PATTERNS};
pub use pattern::{Line, Lines, Pattern, PatternStatus, PatternValue};
pub(crate) use reading::declared;
pub use reading::{ReadGroup, Reading, TableFacts, WaitCounts};
pub use rules::{ChowFrom, LoserRules, ScoreRules, Tie, WinRules};
pub use settle::{
    AllPayRules, Payment, PaymentFormulas, PaymentHook, PaymentReason, PaymentRow, PaymentRules,
    Payments, RiichiRules, Settlement, SettlementRules,
};
pub(crate) use settle::{PaymentEvent, Pays, all_declared, read_seats};
pub(crate) use sums::Minimum;
pub use sums::{Sums, SumsRules};
pub use told::Counted;
