//! [The facts](FACTS) about a hand, a win and a result that conditions can use.
#![doc = include_str!("reference.md")]

mod class;
mod paying;
mod read;
mod result;
mod scope;
mod table;
mod written;

pub use class::FamilySet;
pub(crate) use class::{BonusClass, BonusPart, Class, ClassPart, CountedFrom, Shape, Step};
pub(crate) use paying::{Happening, Liable, Paying};
pub(crate) use result::{SumFact, Tallied};
pub use scope::{Argument, FactType, Form, Scope};
pub(crate) use table::{EventFact, Fact, Given, Means, ResultFact};
pub use table::{FACTS, FactDoc};
pub(crate) use written::RuleNames;

use crate::meld::Family;

impl Fact {
    /// True for a fact that all players know while a deal goes on.
    pub(crate) fn is_public(&self) -> bool {
        match self {
            Self::Aside { laid, .. } => *laid,
            Self::Event(fact) => !matches!(
                fact,
                EventFact::Ready | EventFact::Barred | EventFact::BestWin
            ),
            fact => !matches!(fact.scope(), Scope::Held | Scope::Hand),
        }
    }

    /// True for a fact that depends on whose flower a flower is.
    pub(crate) fn asks_own_flowers(&self) -> bool {
        match self {
            Self::Aside { bonus, .. } | Self::Event(EventFact::Completes { bonus }) => {
                bonus.include.of_seat || bonus.exclude.of_seat
            }
            _ => false,
        }
    }

    /// True for a circumstance of a win. Before a win only the seat and the round are known.
    pub(crate) fn is_of_win(&self) -> bool {
        self.scope() == Scope::Circumstances
            && !matches!(self, Self::Seat { .. } | Self::Round { .. })
    }

    /// True for a fact about the deal that is known of a winning tile alone.
    pub(crate) fn is_of_winning_tile(&self) -> bool {
        matches!(
            self,
            Self::VisibleCopies | Self::Replaced { .. } | Self::KongDiscard | Self::RobbedConcealed
        )
    }

    /// True for a fact that needs the concealed tiles of a hand, and not only its declared melds and bonus tiles.
    pub(crate) fn asks_concealed(&self) -> bool {
        match self {
            Self::Melds { families, .. } => {
                families.contains(Family::Pair) && *families != FamilySet::ALL
            }
            Self::Aside { .. } => false,
            _ => matches!(self.scope(), Scope::Held | Scope::Hand),
        }
    }
}

/// The facts as text, one a line, under the scopes that know them, and what their arguments may be.
///
/// ```
/// let text = paishan::score::facts::text();
/// assert!(text.contains("\n  self-draw: true or false. "));
/// ```
pub fn text() -> String {
    let mut text = String::new();
    for scope in Scope::ALL {
        let facts = FACTS.iter().filter(|fact| fact.scope == scope);
        let lines: Vec<String> = facts.map(|fact| format!("  {fact}\n")).collect();
        if !lines.is_empty() {
            text += &format!("Facts about {}:\n{}", scope.about(), lines.concat());
        }
    }
    let arguments = Argument::ALL.map(|one| format!("  {}: {}\n", one.placeholder(), one.doc()));
    text += &format!("Arguments:\n{}", arguments.concat());
    text
}

/// The fact of this name.
pub(crate) fn by_name(name: &str) -> Option<&'static FactDoc> {
    FACTS.iter().find(|fact| fact.name == name)
}

/// True when there is a fact of this name.
pub(crate) fn is_name(name: &str) -> bool {
    by_name(name).is_some()
}
