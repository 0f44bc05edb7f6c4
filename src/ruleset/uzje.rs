//! Ùzje mahjong: the procedures that `rulesets/uzje.toml` cannot say.
//!
//! What the file says by itself: wins on flowers (`[win] on-flower`), which forms rob a closed quad
//! (`[flags.closed-kong]`), in which order bonus tiles are turned (`[wall] indicators`). What is left
//! is who may challenge a quad that lies face down.

use super::{DataRuleset, Plan, Ruleset};
use crate::decompose::Holding;
use crate::meld::Family;
use crate::seat::Seat;
use crate::state::DealState;

/// Ùzje mahjong, or a ruleset that extends it.
#[derive(Clone, Debug)]
pub(super) struct Uzje {
    data: DataRuleset,
    /// Places of the forms that may win on any quad.
    orphans: Vec<usize>,
}

/// The forms that "may challenge any totally concealed quad".
const ORPHANS: [&str; 2] = ["thirteen-orphans", "fourteen-orphans"];

impl Uzje {
    pub(super) fn new(data: DataRuleset) -> Self {
        let places = data.plan.forms.iter().enumerate();
        let orphans = places
            .filter(|(_, form)| ORPHANS.contains(&form.as_str()))
            .map(|(place, _)| place)
            .collect();
        Self { data, orphans }
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
        if quads.count() >= 2 {
            return true;
        }
        let holding = Holding::from(state.hand(seat));
        let decomposer = &self.plan().decomposer;
        self.orphans
            .iter()
            .any(|&form| decomposer.missing_from_form(form, &holding) == Some(1))
    }
}
