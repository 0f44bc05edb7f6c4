//! Kongs that lie face down and may be challenged: `[procedures.challenge]`.

use crate::decompose::{Decomposer, Holding};
use crate::meld::Family;
use crate::ruleset::read::terms::read_ids;
use crate::ruleset::read::vocabulary::Vocabulary;
use crate::ruleset::source::{RulesetError, RulesetFault, Section, nearest};
use crate::seat::Seat;
use crate::state::DealState;

/// Who may challenge a kong that lies face down. Source: `rulesets/uzje.md` §6.3.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ChallengeRules {
    /// Any player may challenge from this kong of its owner on, counted from 1.
    pub from_kong: usize,
    /// Indices of forms. A player who waits for one of them may challenge any kong.
    pub waiting_on: Vec<usize>,
}

impl ChallengeRules {
    pub(super) fn read(
        section: &Section<'_>,
        names: &Vocabulary<'_>,
    ) -> Result<Self, RulesetError> {
        let from_kong = section.int("from-kong", 1..=4)?;
        let mut waiting_on = Vec::new();
        for (node, id) in read_ids(section, "waiting-on", "forms")? {
            let place = names.forms.iter().position(|form| *form == id);
            waiting_on.push(place.ok_or_else(|| {
                let fault = RulesetFault::UnknownName {
                    what: "form",
                    found: id.to_owned(),
                    suggestion: nearest(id, names.forms.iter().copied()),
                };
                section.texts().error(node.place, 0, fault)
            })?);
        }
        Ok(Self {
            from_kong: section.require("from-kong", from_kong)? as usize,
            waiting_on,
        })
    }

    /// True when `seat` may challenge. The rule: "A player can only challenge another player's quad on the second quad
    /// that the latter forms and onward", or when the player's tiles wait for one of the forms.
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
