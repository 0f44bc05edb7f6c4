//! What a deal tracks for riichi, furiten and abortive draws. Source: `rulesets/riichi-mcgill.md` §3, §5, §7.

use super::deal::Deal;
use super::observer::Observer;
use crate::ruleset::Ruleset;
use crate::seat::Seat;
use crate::set::{KindSet, SeatSet};
use crate::state::{AbortiveDraw, Claims, Event, Passed, Riichi, Turn, Window};
use crate::tile::Tile;

impl<R: Ruleset> Deal<R> {
    /// Notes that a seat did not win with the tile that it drew.
    #[inline]
    pub(super) fn pass_on_drawn(&mut self, turn: &Turn, could_win: bool) {
        let Some(rules) = self.plan.procedures.furiten else {
            return;
        };
        let seat = turn.seat;
        if !rules.riichi_for_good || self.state.riichi[seat].is_none_or(|riichi| !riichi.accepted) {
            return;
        }
        let drawn = turn.drawn.and_then(Tile::kind);
        let waited = drawn.is_some_and(|kind| self.state.cache.waits[seat].contains(kind));
        if could_win || rules.any_wait && waited {
            self.state.furiten.passed[seat] = Passed::RestOfDeal;
            self.state.furiten.missed[seat] = KindSet::ALL;
        }
    }

    /// Notes that seats have not won off a tile.
    #[inline]
    pub(super) fn pass_on(&mut self, seats: SeatSet, tile: Tile) {
        let Some(rules) = self.plan.procedures.furiten else {
            return;
        };
        for seat in seats.iter() {
            let furiten = &mut self.state.furiten;
            let kinds = match tile.kind() {
                Some(kind) if rules.passed_kind_only => KindSet::one(kind),
                _ => KindSet::ALL,
            };
            // What was missed before counts on only while the pass does.
            furiten.missed[seat] = match furiten.passed[seat] {
                Passed::Nothing | Passed::InTurn => kinds,
                _ => furiten.missed[seat].union(kinds),
            };
            let for_good = rules.riichi_for_good && self.state.riichi[seat].is_some();
            furiten.passed[seat] = if for_good {
                Passed::RestOfDeal
            } else if rules.until_discard {
                Passed::UntilDiscard
            } else {
                Passed::UntilDraw
            };
        }
    }

    /// True when passing on the tile of a window makes a seat furiten even if it could not have won. That is
    /// where every tile that completes a form counts.
    #[inline]
    pub(super) fn passes_anyway(&self, seat: Seat, claims: &Claims) -> bool {
        let rules = self.plan.procedures.furiten;
        let waited = |kind| self.state.cache.waits[seat].contains(kind);
        rules.is_some_and(|rules| rules.any_wait)
            && matches!(
                claims.window,
                Window::Discard | Window::AddedKong(_) | Window::SetAside(_)
            )
            && claims.tile.kind().is_some_and(waited)
    }

    pub(super) fn declare_riichi(&mut self, turn: Turn, observer: &mut (impl Observer + ?Sized)) {
        let seat = turn.seat;
        self.state.riichi[seat] = Some(Riichi {
            at_once: !self.state.has_discarded(seat) && self.state.is_untouched(),
            accepted: false,
            discard: self.state.discards.len() as u8,
            unbroken: true,
        });
        observer.event(&self.state, &Event::RiichiDeclared { seat });
        self.go_on(turn);
    }

    /// Pays the riichi deposit of a seat after nobody won off its riichi discard.
    #[inline]
    pub(super) fn accept_riichi(&mut self, seat: Seat, observer: &mut (impl Observer + ?Sized)) {
        match &mut self.state.riichi[seat] {
            Some(riichi) if !riichi.accepted => riichi.accepted = true,
            _ => return,
        }
        let (points, deposits) = (
            &mut self.state.points[seat],
            &mut self.state.on_table.deposits,
        );
        *points = points.saturating_sub(self.plan.settlement.deposit());
        *deposits = deposits.saturating_add(1);
        observer.event(&self.state, &Event::RiichiAccepted { seat });
    }

    /// Ends ippatsu for all seats, after a claim or a kong.
    #[inline]
    pub(super) fn break_riichi(&mut self) {
        for seat in Seat::all(self.state.players()) {
            if let Some(riichi) = &mut self.state.riichi[seat] {
                riichi.unbroken = false;
            }
        }
    }

    /// The abortive draw that ends the deal if nobody wins off the last discard.
    #[inline]
    pub(super) fn draw_after_discard(&self) -> Option<AbortiveDraw> {
        let rules = self.plan.procedures.abortive_draws.as_ref()?;
        rules.after_discard(&self.state)
    }

    /// True when one more kong of a seat ends the deal.
    pub(super) fn ends_with_kong(&self, seat: Seat) -> bool {
        let rules = self.plan.procedures.abortive_draws;
        rules.is_some_and(|rules| rules.ends_with_kong(&self.state, seat))
    }

    /// True when a seat may make a kong: a replacement is left, or the kong ends the deal.
    #[inline]
    pub(super) fn may_make_kong(&self, seat: Seat) -> bool {
        let has_replacement = self.state.wall.has_replacement()
            && self
                .plan
                .play
                .most_kongs
                .is_none_or(|most| self.state.kongs < most);
        has_replacement || self.state.wall.draws_left() > 0 && self.ends_with_kong(seat)
    }
}
