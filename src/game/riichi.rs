//! What riichi, furiten and abortive draws keep of a deal. Source: `spec/riichi-mcgill.md` §3, §5, §7.

use super::{Deal, Observer};
use crate::hand::Hand;
use crate::ruleset::{Adjusts, Ruleset};
use crate::seat::Seat;
use crate::set::{KindSet, SeatSet};
use crate::state::{AbortiveDraw, Claims, DrawSource, Event, Passed, Phase, Riichi, Turn, Window};
use crate::tile::Tile;

impl<R: Ruleset> Deal<R> {
    /// Finds what all seats wait for, except one that holds a drawn tile.
    pub(super) fn find_all_waits(&mut self) {
        for seat in Seat::all(self.state.players()) {
            if self.state.hands[seat].size() == 13 {
                self.state.waits[seat] = self.waits(seat);
            } else if let Phase::Turn(Turn {
                drawn: Some(tile), ..
            }) = self.state.phase
            {
                // It has waited since before it drew.
                let mut before = self.state.hands[seat];
                if before.holds(tile) {
                    before.take(tile);
                    self.state.waits[seat] = self.waits_of(&before);
                }
            }
        }
    }

    /// Finds what a hand lacks that may wait for something, as far as is known: what is known to lack more does
    /// not.
    #[inline]
    pub(super) fn find_lacks(&mut self, seat: Seat) {
        if self.state.may_wait(seat) {
            let hand = &self.state.hands[seat];
            self.state.lacks[seat] = self.plan.decomposer.lacks_at_least(hand);
        }
    }

    /// What a seat waits for that holds no drawn tile.
    #[inline]
    pub(super) fn waits(&self, seat: Seat) -> KindSet {
        let waits = || self.waits_of(&self.state.hands[seat]);
        if self.state.may_wait(seat) {
            waits()
        } else {
            debug_assert!(waits().is_empty());
            KindSet::EMPTY
        }
    }

    /// What a hand waits for, or may, as [`DealState`] keeps it.
    #[inline]
    fn waits_of(&self, hand: &Hand) -> KindSet {
        if self.state.knows_furiten {
            self.plan.decomposer.waits_of(hand)
        } else {
            self.plan.decomposer.may_complete(hand)
        }
    }

    /// Keeps what follows from a discard for its seat.
    #[inline]
    pub(super) fn note_discard(&mut self, turn: &Turn, tile: Tile) {
        let seat = turn.seat;
        if let Some(kind) = tile.kind() {
            self.state.discarded[seat].insert(kind);
        }
        if self.state.may_wait(seat) {
            self.note_near(turn, tile);
        } else {
            self.state.waits[seat] = KindSet::EMPTY;
        }
        if let Some(riichi) = &mut self.state.riichi[seat] {
            riichi.unbroken &= !riichi.accepted;
        }
    }

    /// Keeps what follows from a discard that leaves a hand which may wait for something.
    // Apart, for few do.
    #[inline(never)]
    fn note_near(&mut self, turn: &Turn, tile: Tile) {
        let seat = turn.seat;
        if !self.knows_waits {
            self.state.waits[seat] = self.waits_of(&self.state.hands[seat]);
            return;
        }
        self.find_lacks(seat);
        let is_unchanged = turn.source == DrawSource::Wall
            && !turn.claimed
            && turn.drawn.and_then(Tile::kind) == tile.kind()
            && self.plan.play.lay_down.is_empty();
        if !self.state.may_wait(seat) || !is_unchanged {
            self.state.waits[seat] = self.waits(seat);
        }
    }

    /// Keeps what follows from a draw for its seat: who draws again may win off others again.
    #[inline]
    pub(super) fn note_draw(&mut self, seat: Seat) {
        if self.state.passed[seat] == Passed::UntilDraw {
            self.state.passed[seat] = Passed::Nothing;
        }
        // Only of hands without melds more is asked on their turn than whether they are complete; what others lack
        // shows with their discard.
        if self.adjusts == Adjusts::ButPlainTurns && self.state.hands[seat].melds.is_empty() {
            self.find_lacks(seat);
        }
    }

    /// Keeps that a seat did not win with the tile that it drew.
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
        let waited = drawn.is_some_and(|kind| self.state.waits[seat].contains(kind));
        if could_win || rules.any_wait && waited {
            self.state.passed[seat] = Passed::RestOfDeal;
        }
    }

    /// Keeps that seats have not won off a tile.
    #[inline]
    pub(super) fn pass_on(&mut self, seats: SeatSet) {
        let Some(rules) = self.plan.procedures.furiten else {
            return;
        };
        for seat in seats.iter() {
            let for_good = rules.riichi_for_good && self.state.riichi[seat].is_some();
            self.state.passed[seat] = if for_good {
                Passed::RestOfDeal
            } else {
                Passed::UntilDraw
            };
        }
    }

    /// True when a seat that does not win off the tile of a window has passed on it, though it could
    /// not have won: where every tile that completes the form counts.
    #[inline]
    pub(super) fn passes_anyway(&self, seat: Seat, claims: &Claims) -> bool {
        let rules = self.plan.procedures.furiten;
        let waited = |kind| self.state.waits[seat].contains(kind);
        rules.is_some_and(|rules| rules.any_wait)
            && matches!(claims.window, Window::Discard | Window::AddedKong(_))
            && claims.tile.kind().is_some_and(waited)
    }

    pub(super) fn declare_riichi(&mut self, turn: Turn, observer: &mut impl Observer) {
        let seat = turn.seat;
        self.state.riichi[seat] = Some(Riichi {
            at_once: !self.state.has_discarded(seat) && self.state.is_untouched(),
            accepted: false,
            unbroken: true,
        });
        observer.event(&self.state, &Event::RiichiDeclared { seat });
        self.go_on(turn);
    }

    /// The discard of a riichi was not won off: the deposit is paid.
    #[inline]
    pub(super) fn accept_riichi(&mut self, seat: Seat, observer: &mut impl Observer) {
        match &mut self.state.riichi[seat] {
            Some(riichi) if !riichi.accepted => riichi.accepted = true,
            _ => return,
        }
        self.state.points[seat] -= self.plan.settlement.deposit();
        self.state.on_table.deposits += 1;
        observer.event(&self.state, &Event::RiichiAccepted { seat });
    }

    /// A kong or a claim ends what began with a riichi.
    #[inline]
    pub(super) fn break_riichi(&mut self) {
        for seat in Seat::all(self.state.players()) {
            if let Some(riichi) = &mut self.state.riichi[seat] {
                riichi.unbroken = false;
            }
        }
    }

    /// The draw that follows when the last discard is not won off.
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

    /// True when a seat may make a kong: a replacement is left, or it ends the deal.
    #[inline]
    pub(super) fn may_make_kong(&self, seat: Seat) -> bool {
        self.state.wall.has_replacement()
            || self.state.wall.draws_left() > 0 && self.ends_with_kong(seat)
    }
}

#[cfg(test)]
mod tests {
    use crate::decompose::Holding;
    use crate::game::{Deal, Match};
    use crate::random::Stream;
    use crate::ruleset::{Ruleset, by_id, from_toml};
    use crate::seat::Seat;

    /// What is known of a hand is never more than it lacks, who waits for something may be known to, and what a hand
    /// waits for is kept: in deals of random actions, and in what seats imagine of them.
    #[test]
    fn hands_lack_no_less_than_is_known() {
        for id in ["riichi-mcgill", "woo", "traditional", "celestial", "uzje"] {
            let rules = by_id(id, &[]).unwrap();
            let decomposer = &rules.plan().decomposer;
            let check = |deal: &Deal<_>| {
                let state = deal.state();
                let (mut known, mut asked, mut ruled_out) = (0, 0, 0);
                for seat in Seat::all(state.players()) {
                    let hand = state.hand(seat);
                    let lacks = decomposer.lacks_at_least(hand);
                    assert!(state.lacks[seat] <= lacks, "{id} {seat}: {hand:?}");
                    let waits = decomposer.waits(&Holding::from(hand));
                    assert!(waits.is_empty() || state.may_wait(seat), "{hand:?}");
                    known += u32::from(state.lacks[seat]);
                    // Whoever is on turn, or has won, holds one more.
                    if hand.size() != 13 || !hand.held_flowers().is_empty() {
                        continue;
                    }
                    let kept = state.waits[seat];
                    assert!(waits.is_subset(kept), "{id} {seat}: {hand:?}");
                    // Beyond the classical grammar more is kept than hands wait for, but seldom much.
                    assert!(kept == waits || id == "uzje", "{id} {seat}: {hand:?}");
                    asked += 1;
                    ruled_out += u32::from(kept.is_empty());
                }
                [known, asked, ruled_out]
            };
            let mut stream = Stream::new(6, 6);
            let mut counts = [0; 3];
            for game in 0..if id == "uzje" { 3 } else { 25 } {
                let series = Match::new(&*rules, game);
                let mut deal = Deal::start(&*rules, series.setup(), &mut ());
                while let Some(seat) = deal.state().waiting().first() {
                    let imagined = (stream.below(40) == 0).then(|| {
                        let state = deal.state().imagined_by(seat, &mut stream);
                        Deal::resume(&*rules, state)
                    });
                    deal = imagined.unwrap_or(deal);
                    let seat = deal.state().waiting().first().unwrap_or(seat);
                    let pick = |len: usize| stream.below(len as u32) as usize;
                    let action = deal.legal(seat).pick(pick).unwrap();
                    deal.act(seat, action, &mut ()).unwrap();
                    for (count, more) in counts.iter_mut().zip(check(&deal)) {
                        *count += more;
                    }
                }
            }
            let [known, asked, ruled_out] = counts;
            // Half of all hands at least wait for nothing that their honours and the numbers of their tiles allow.
            assert!(2 * ruled_out > asked, "{id}: {ruled_out} of {asked}");
            // Beyond the classical grammar nothing is known.
            assert_eq!(known > 0, id != "uzje", "{id}");
        }
    }

    /// A state may go on under other rules, with forms that are nearer.
    #[test]
    fn what_is_known_holds_under_the_rules_that_go_on() {
        let fewer = by_id("hong-kong-old-style", &[]).unwrap();
        let more = "[ruleset]\nid='x'\nname='x'\nextends='hong-kong-old-style'\n\
                    [forms.pairs]\nshape='pairs'\ndistinct=true\ndoc='x'\nsrc='x'\n";
        let rules = from_toml("x.toml", more, &[]).unwrap();
        let decomposer = &rules.plan().decomposer;
        let mut corrected = 0;
        for game in 0..60 {
            let mut deal = Deal::start(&*fewer, Match::new(&*fewer, game).setup(), &mut ());
            for _ in 0..20 {
                if let Some(seat) = deal.state().waiting().first() {
                    let action = deal.legal(seat).nth(0).unwrap();
                    deal.act(seat, action, &mut ()).unwrap();
                }
            }
            let before = deal.state().clone();
            let resumed = Deal::resume(&*rules, before.clone());
            for seat in Seat::all(4) {
                let lacks = decomposer.lacks_at_least(before.hand(seat));
                assert!(resumed.state().lacks[seat] <= lacks);
                corrected += u32::from(resumed.state().lacks[seat] < before.lacks[seat]);
            }
        }
        assert!(corrected > 0);
    }

    /// In this deal South is ready once his flowers are replaced.
    #[test]
    fn waits_are_found_after_flowers_are_replaced() {
        let text = "[ruleset]\nid='x'\nname='x'\nextends='traditional'\n[procedures.furiten]\n";
        let rules = from_toml("x.toml", text, &[]).unwrap();
        let deal = Deal::start(&*rules, Match::new(&*rules, 2236).setup(), &mut ());
        let south = Seat::EAST.after(1, 4);
        for seat in Seat::all(4).skip(1) {
            let hand = deal.state().hand(seat);
            let waits = rules.plan().decomposer.waits(&Holding::from(hand));
            assert_eq!(deal.state().waits[seat], waits, "{seat:?}");
            assert_eq!(waits.is_empty(), seat != south);
        }
    }
}
