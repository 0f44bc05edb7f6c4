//! [`Decision`]: an action, and what the agent weighed.

use crate::counts::Counts;
use crate::request::{Accepted, accepted};
use crate::set::KindSet;
use crate::state::Action;

/// What an agent chose, and the actions that it weighed: the result of [`Agent::explain`](super::Agent::explain).
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// The chosen action.
    pub action: Action,
    /// The actions that the agent weighed. Empty if it had nothing to weigh, because it always takes such an action. Claims
    /// that bring no goal nearer need not be among them.
    pub weighed: Vec<Weighed>,
}

/// An action that an agent weighed.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Weighed {
    /// The action.
    pub action: Action,
    /// What the agent expects of it. `None` if the agent compares only distances and accepted tiles.
    pub estimate: Option<Estimate>,
    /// What the hand may become after the action, the best first.
    pub goals: Vec<Pursued>,
}

/// What an agent expects of an action, in the least unit of the ruleset.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Estimate {
    /// What the agent compares actions by. The chosen action has the greatest worth.
    pub worth: f64,
    /// The gain that the agent expects of the hand if it goes on with it, beyond that of never winning.
    pub gain: f64,
    /// The chance that the discard gives another player the win, 0 to 1.
    pub risk: f64,
    /// What the discard costs on average: the risk times what the win of the other player costs.
    pub cost: f64,
}

/// A goal that a hand may reach.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Pursued {
    /// The id of the goal:
    ///
    /// - `any`: any complete hand, but no special form that needs only wild tiles;
    /// - `pungs`;
    /// - the letter of a suit (`t`), or a suit and honours (`t-honours`);
    /// - the id of a class, or `no-` and such an id;
    /// - the groups that the hand must have (`EEE`, `123t456s789m`).
    pub goal: String,
    /// The distance of the hand to the goal after the action.
    pub distance: i8,
    /// The tiles that the hand accepts, those that the seat has not seen. Empty while the seat must discard.
    pub accepts: Vec<Accepted>,
}

impl Pursued {
    pub(super) fn new(goal: &str, distance: i8, accepts: KindSet, unseen: &Counts) -> Self {
        Self {
            goal: goal.to_owned(),
            distance,
            accepts: accepted(accepts.intersection(unseen.kinds()), unseen),
        }
    }
}
