//! Furiten, which keeps a seat from winning off others: `[procedures.furiten]`.
//!
//! A seat is furiten if it has discarded a kind that it waits for, or has passed on a win. It then wins only
//! with tiles that it draws. The section says which of the two counts, for how long, and for which kinds. The
//! table stores what each seat waits for, what it has discarded and whether it has passed
//! ([`DealState::is_furiten`](crate::state::DealState::is_furiten)).
//! Source: `rulesets/riichi-mcgill.md` §5.

use crate::ruleset::source::{RulesetError, Section};
use crate::seat::Seat;
use crate::set::{KindSet, SeatSet};
use crate::state::{Claims, DealState, Passed, Turn, Window};
use crate::tile::Tile;

/// What counts as passing on a win, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FuritenRules {
    /// Passing on any tile that completes the form counts. Otherwise the tile must also have been a legal
    /// win.
    pub any_wait: bool,
    /// A seat that passes in riichi, even on a drawn tile, may not win off others for the rest of the deal.
    pub riichi_for_good: bool,
    /// A seat that waits for a kind that it has discarded may not win off others. Otherwise only passing counts.
    pub own_discards: bool,
    /// Passing bars only wins with the passed kind. Otherwise it bars wins with every kind.
    pub passed_kind_only: bool,
    /// Passing counts until the seat's next discard. Otherwise until its next draw, so that claiming a tile does
    /// not end it.
    pub until_discard: bool,
    /// Passing also bars a win with a tile that is drawn before the next discard.
    pub bars_drawn: bool,
}

impl FuritenRules {
    pub(super) fn read(section: &Section<'_>) -> Result<Self, RulesetError> {
        let passed = [("legal-win", false), ("any-wait", true)];
        let in_riichi = [("until-draw", false), ("rest-of-deal", true)];
        let kinds = [("all", false), ("passed", true)];
        let until = [("draw", false), ("discard", true)];
        let rules = Self {
            any_wait: section.word("passed", &passed)?.unwrap_or(false),
            riichi_for_good: section.word("in-riichi", &in_riichi)?.unwrap_or(true),
            own_discards: section.bool("own-discards")?.unwrap_or(true),
            passed_kind_only: section.word("kinds", &kinds)?.unwrap_or(false),
            until_discard: section.word("until", &until)?.unwrap_or(false),
            bars_drawn: section.bool("drawn-tiles")?.unwrap_or(false),
        };
        if rules.bars_drawn && !rules.until_discard {
            return Err(section.needs("drawn-tiles", "`until = \"discard\"`"));
        }
        Ok(rules)
    }

    /// Notes that a seat did not win with the tile that it drew.
    #[inline(never)]
    pub(super) fn passed_drawn(
        &self,
        state: &mut DealState,
        seat: Seat,
        drawn: Option<Tile>,
        could_win: bool,
    ) {
        if !self.riichi_for_good || state.riichi[seat].is_none_or(|riichi| !riichi.accepted) {
            return;
        }
        let drawn = drawn.and_then(Tile::kind);
        let waited = drawn.is_some_and(|kind| state.cache.waits[seat].contains(kind));
        if could_win || self.any_wait && waited {
            state.furiten.passed[seat] = Passed::RestOfDeal;
            state.furiten.missed[seat] = KindSet::ALL;
        }
    }

    /// Notes that seats have not won off a tile.
    #[inline(never)]
    pub(super) fn passed(&self, state: &mut DealState, seats: SeatSet, tile: Tile) {
        for seat in seats.iter() {
            let furiten = &mut state.furiten;
            let kinds = match tile.kind() {
                Some(kind) if self.passed_kind_only => KindSet::one(kind),
                _ => KindSet::ALL,
            };
            // Kinds that were missed before still count only if that pass still counts.
            furiten.missed[seat] = match furiten.passed[seat] {
                Passed::Nothing | Passed::InTurn => kinds,
                _ => furiten.missed[seat].union(kinds),
            };
            furiten.passed[seat] = if self.riichi_for_good && state.riichi[seat].is_some() {
                Passed::RestOfDeal
            } else if self.until_discard {
                Passed::UntilDiscard
            } else {
                Passed::UntilDraw
            };
        }
    }

    /// True when passing on the tile of a window makes a seat furiten even if it could not have won, because
    /// every tile that completes the form counts.
    #[inline]
    pub(super) fn counts_as_pass(&self, state: &DealState, seat: Seat, claims: &Claims) -> bool {
        let waited = |kind| state.cache.waits[seat].contains(kind);
        self.any_wait
            && matches!(
                claims.window,
                Window::Discard | Window::AddedKong(_) | Window::Aside(_)
            )
            && claims.tile.kind().is_some_and(waited)
    }

    /// Updates whether a pass still counts when a seat draws or claims a tile. `draws_first` says whether the drawn
    /// tile is the first of a turn; it is `None` for a claim.
    #[inline]
    pub(super) fn end_pass(&self, state: &mut DealState, seat: Seat, draws_first: Option<bool>) {
        if state.furiten.passed[seat] != Passed::Nothing {
            Self::end(state, seat, draws_first);
        }
    }

    #[cold]
    fn end(state: &mut DealState, seat: Seat, draws_first: Option<bool>) {
        let passed = &mut state.furiten.passed[seat];
        *passed = match *passed {
            Passed::UntilDraw if draws_first.is_some() => Passed::Nothing,
            Passed::UntilDiscard => Passed::InTurn,
            // A new turn has begun, so the seat has discarded since the pass.
            Passed::InTurn if draws_first != Some(false) => Passed::Nothing,
            other => other,
        };
    }

    /// True when the seat on turn passed on a win and so may not win with the tile that it drew.
    #[inline]
    pub(super) fn bars_drawn(&self, state: &DealState, turn: &Turn) -> bool {
        let furiten = &state.furiten;
        let is_missed = |kind| furiten.missed[turn.seat].contains(kind);
        self.bars_drawn
            && furiten.passed[turn.seat] == Passed::InTurn
            && turn.drawn.and_then(Tile::kind).is_some_and(is_missed)
    }
}
