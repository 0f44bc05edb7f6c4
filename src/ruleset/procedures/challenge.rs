//! Kongs that lie face down and may be challenged: `[procedures.challenge]`.

use crate::decompose::{Decomposer, Holding};
use crate::meld::Family;
use crate::seat::Seat;
use crate::state::DealState;

/// Who may challenge a kong that lies face down. Source: `rulesets/uzje.md` §6.3.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ChallengeRules {
    /// From which of its owner's kongs on anybody may.
    pub from_kong: usize,
    /// Places of forms: whoever waits on one of them may challenge any.
    pub waiting_on: Vec<usize>,
}

impl ChallengeRules {
    /// "A player can only challenge another player's quad on the second quad that the latter forms
    /// and onward", or when his own tiles wait on the orphans.
    pub(in crate::ruleset) fn allow(
        &self,
        decomposer: &Decomposer,
        state: &DealState,
        seat: Seat,
        owner: Seat,
    ) -> bool {
        let melds = state.hand(owner).melds.iter();
        let kongs = melds.filter(|meld| meld.group.family() == Family::Kong);
        if kongs.count() >= self.from_kong {
            return true;
        }
        let holding = Holding::from(state.hand(seat));
        self.waiting_on
            .iter()
            .any(|&form| decomposer.missing_from_form(form, &holding) == Some(1))
    }
}
