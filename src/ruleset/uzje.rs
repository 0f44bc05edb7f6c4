//! Ùzje mahjong: the procedures that `rulesets/uzje.toml` cannot say.
//!
//! What the file says by itself: wins on flowers (`[win] on-flower`), which forms rob a closed quad
//! (`[flags.closed-kong]`), in which order bonus tiles are turned (`[wall] indicators`). What is left
//! is who may challenge a quad that lies face down: `[procedures.challenge]` has the numbers.

use super::{ChallengeRules, DataRuleset, Plan, Ruleset};
use crate::decompose::Holding;
use crate::meld::Family;
use crate::seat::Seat;
use crate::state::DealState;

/// Ùzje mahjong, or another ruleset in which kongs are challenged.
#[derive(Clone, Debug)]
pub(super) struct Uzje {
    data: DataRuleset,
    challenge: ChallengeRules,
}

impl Uzje {
    pub(super) fn new(data: DataRuleset, challenge: ChallengeRules) -> Self {
        Self { data, challenge }
    }
}

impl Ruleset for Uzje {
    #[inline]
    fn plan(&self) -> &Plan {
        self.data.plan()
    }

    /// "A player can only challenge another player's quad on the second quad that the latter forms
    /// and onward", or when his own tiles wait on the orphans. Source: `spec/uzje.md` §6.3.
    fn may_challenge(&self, state: &DealState, seat: Seat, owner: Seat) -> bool {
        let melds = state.hand(owner).melds.iter();
        let quads = melds.filter(|meld| meld.group.family() == Family::Kong);
        if quads.count() >= self.challenge.from_kong {
            return true;
        }
        let holding = Holding::from(state.hand(seat));
        let decomposer = &self.plan().decomposer;
        self.challenge
            .waiting_on
            .iter()
            .any(|&form| decomposer.missing_from_form(form, &holding) == Some(1))
    }
}
