//! Calling and standing hands: `[procedures.fishing]`.
//!
//! A player whose discard leaves a ready hand is calling, which the table announces. With the first discard the
//! player may announce a standing hand instead, which limits later actions and may score.
//! Source: `rulesets/traditional.md` §4.1.

use crate::decompose::{Decomposer, Holding};
use crate::ruleset::source::{RulesetError, Section};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, Announcement, DealState, Legal, Phase};
use crate::tile::Kind;

/// Calling and standing hands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FishingRules {
    /// A standing player discards every drawn tile and declares no kong.
    pub frozen: bool,
}

impl FishingRules {
    pub(super) fn read(section: &Section<'_>) -> Result<Self, RulesetError> {
        let frozen = section.bool("frozen")?.unwrap_or(false);
        Ok(Self { frozen })
    }

    /// Offers the announcement with the first discard, and limits the actions of a seat that has made it.
    pub(in crate::ruleset) fn adjust(
        &self,
        decomposer: &Decomposer,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        if state.hand(seat).dead {
            return;
        }
        let stands = state.announced(seat) == Some(Announcement::Standing);
        let Phase::Turn(turn) = state.phase() else {
            if stands {
                legal.retain_others(|_| false);
            }
            return;
        };
        let discarded = state.has_discarded(seat);
        if !stands {
            let may = !discarded && !ready_discards(decomposer, state, seat, legal).is_empty();
            legal.set(Action::Stand, may);
            return;
        }
        // No tiles are laid down. Only drawn tiles change the hand.
        let kongs = discarded && !self.frozen;
        let holding = Holding::from(state.hand(seat));
        let keeps = |kind: Kind, added| {
            kongs && is_ready(decomposer, state, seat, &holding.after_kong(kind, added))
        };
        legal.retain_others(|action| match action {
            Action::ConcealedKong(kind) => keeps(kind, false),
            Action::AddedKong(kind) => keeps(kind, true),
            _ => false,
        });
        if !discarded {
            // The announcement comes with a discard, so the seat cannot win before it.
            legal.set(Action::Win, false);
        }
        if discarded && self.frozen {
            legal.keep_drawn(turn.drawn);
            return;
        }
        let ready = ready_discards(decomposer, state, seat, legal);
        // In an imagined deal a standing hand need not be ready. Then no discard keeps it ready, and all are
        // legal.
        if !ready.is_empty() {
            legal.keep_discards(ready);
        }
    }
}

/// Kinds whose discard leaves the hand ready.
fn ready_discards(
    decomposer: &Decomposer,
    state: &DealState,
    seat: Seat,
    legal: &Legal,
) -> KindSet {
    let kinds = legal.discard_kinds();
    kinds
        .iter()
        .filter(|&kind| is_ready_without(decomposer, state, seat, kind))
        .collect()
}

/// True if the hand of a seat without one tile of this kind is ready. A hand that holds barred tiles is not ready.
pub(in crate::ruleset) fn is_ready_without(
    decomposer: &Decomposer,
    state: &DealState,
    seat: Seat,
    kind: Kind,
) -> bool {
    let hand = state.hand(seat);
    if state.barred_kinds(seat).is_empty() {
        return decomposer.is_ready_without(hand, kind);
    }
    let mut rest = Holding::from(hand);
    rest.concealed.try_remove(kind) && is_ready(decomposer, state, seat, &rest)
}

/// True if these tiles of a seat are ready.
fn is_ready(decomposer: &Decomposer, state: &DealState, seat: Seat, holding: &Holding) -> bool {
    let barred = state.barred_kinds(seat);
    if barred.is_empty() {
        return decomposer.is_ready(holding);
    }
    let copies = decomposer.grammar().copies();
    let waits = decomposer.waits(holding).difference(barred);
    holding.concealed.count_in(barred) == 0
        && waits
            .iter()
            .any(|kind| holding.held(kind) < copies.get(kind))
}
