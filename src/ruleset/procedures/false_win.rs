//! False wins: a player declares a win with tiles that are not one. `[penalties.false-win]`.

use crate::decompose::Decomposer;
use crate::ruleset::source::{RulesetError, Section};
use crate::score::Settlement;
use crate::seat::Seat;
use crate::state::{Action, Announcement, DealState, Legal, Phase, Window};

/// What a false win costs. Source: `rulesets/traditional.md` §10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FalseWinRules {
    /// A player may declare a false win. Otherwise it is not a legal action.
    pub playable: bool,
    /// Points that the player pays to each of the others.
    pub pays_each: i64,
}

impl FalseWinRules {
    pub(super) fn read(section: &Section<'_>) -> Result<Self, RulesetError> {
        let pays = section.int("pays-each", 0..=1_000_000_000)?;
        let times = section.int("times", 1..=1000)?.unwrap_or(1);
        Ok(Self {
            playable: section.bool("playable")?.unwrap_or(false),
            pays_each: times * section.require("pays-each", pays)?,
        })
    }

    /// Offers the declaration on the seat's turn and on a discard, if the tiles are not a win.
    pub(in crate::ruleset) fn adjust(
        &self,
        decomposer: &Decomposer,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        if !self.playable || legal.contains(Action::Win) || state.hand(seat).dead {
            return;
        }
        let in_time = match state.phase() {
            // A seat that has just announced a standing hand or riichi may only discard. A hand completed by a
            // claim for a meld is neither a win nor a false win.
            Phase::Turn(_) => {
                let stands = state.announced(seat) == Some(Announcement::Standing);
                (!stands || state.has_discarded(seat))
                    && state.riichi(seat).is_none_or(|riichi| riichi.accepted)
                    && !decomposer.completes(state.hand(seat), None)
            }
            Phase::Claims(claims) => matches!(claims.window, Window::Discard),
            Phase::Opening(_) | Phase::EndChoice | Phase::Over => false,
        };
        legal.set(Action::FalseWin, in_time);
    }

    /// Settles a false win of `seat`. No hand is scored, and the seat pays each of the others.
    pub fn settle(&self, seat: Seat, players: usize, units_per_point: i64) -> Settlement {
        Settlement::penalty(seat, self.pays_each, players, units_per_point)
    }
}
