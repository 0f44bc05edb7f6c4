//! [`OpeningStep`]: what all seats choose before the first turn.

use crate::lang::{Lang, Names};
use crate::list::List;
use crate::score::Condition;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::OpeningChoice;

/// The most steps before the first turn.
pub(crate) const MAX_STEPS: usize = 8;

/// A step before the first turn, in which all seats choose something at the same time: `[opening.ID]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OpeningStep {
    /// The id.
    pub id: String,
    pub(crate) names: Names,
    /// What it is, in words. May be empty.
    pub doc: String,
    /// What is chosen.
    pub(crate) does: OpeningRule,
}

/// What is chosen in an [`OpeningStep`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum OpeningRule {
    /// Each seat passes tiles to another.
    Pass(PassRules),
    /// Each seat chooses a suit, which is barred from then on.
    Choose,
    /// A seat whose tiles meet the condition may show its hand.
    Show {
        when: Condition,
        /// The condition as it is written.
        text: String,
    },
}

/// Tiles that all seats pass on at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PassRules {
    /// How many tiles each seat passes. A seat that holds fewer of these kinds passes all of them.
    pub tiles: u8,
    /// The kinds that may be passed.
    pub of: KindSet,
    /// All of these tiles are of one suit, if the hand has that many of any suit.
    pub same_suit: bool,
    pub(crate) to: List<PassTo, 6>,
}

/// The receiver of the tiles of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PassTo {
    /// The next player in turn order.
    Next,
    /// The player opposite, at a table with an even number of players.
    Across,
    /// The player before.
    Previous,
}

impl PassTo {
    /// Every direction, with its word in ruleset files.
    pub(super) const WORDS: [(&'static str, Self); 3] = [
        ("next", Self::Next),
        ("across", Self::Across),
        ("previous", Self::Previous),
    ];
}

impl OpeningStep {
    /// The name in a language.
    pub fn name_in(&self, lang: Lang) -> &str {
        self.names.get(lang)
    }

    /// What is chosen.
    pub const fn choice(&self) -> OpeningChoice {
        match self.does {
            OpeningRule::Pass(_) => OpeningChoice::Exchange,
            OpeningRule::Choose => OpeningChoice::MissingSuit,
            OpeningRule::Show { .. } => OpeningChoice::Show,
        }
    }

    /// The tiles that each seat passes, in a step of this sort.
    pub const fn passes(&self) -> Option<&PassRules> {
        match &self.does {
            OpeningRule::Pass(rules) => Some(rules),
            _ => None,
        }
    }

    /// The condition that the tiles of a hand must meet to be shown, in a step of this sort.
    pub const fn shows(&self) -> Option<&Condition> {
        match &self.does {
            OpeningRule::Show { when, .. } => Some(when),
            _ => None,
        }
    }

    /// The condition of [`Self::shows`] as it is written.
    pub fn shows_text(&self) -> Option<&str> {
        match &self.does {
            OpeningRule::Show { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl PassRules {
    /// Who receives them. The sum of the dice of the wall is counted along this list, which begins again after its end.
    pub fn to(&self) -> &[PassTo] {
        &self.to
    }

    /// Who receives the tiles of a seat after these dice.
    pub(crate) fn receiver<D: AsRef<[u8]>>(&self, seat: Seat, dice: &[D], players: usize) -> Seat {
        let sum: usize = dice
            .iter()
            .flat_map(|roll| roll.as_ref())
            .map(|&die| usize::from(die))
            .sum();
        let place = (sum + self.to.len() - 1) % self.to.len().max(1);
        let steps = match self.to.get(place) {
            None | Some(PassTo::Next) => 1,
            Some(PassTo::Across) => players / 2,
            Some(PassTo::Previous) => players - 1,
        };
        seat.after(steps, players)
    }
}
