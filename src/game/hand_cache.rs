//! Refreshes two cached facts about each hand, which save a search for most hands: the kinds that may complete the hand
//! (`HandCache::waits`) and a lower bound on its missing tiles (`HandCache::missing_floor`).

use super::deal::Deal;
use crate::hand::Hand;
use crate::ruleset::Ruleset;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Phase, Turn};
use crate::tile::Tile;

impl<R: Ruleset> Deal<R> {
    /// Refreshes the possible waits of all seats.
    pub(super) fn find_all_waits(&mut self) {
        for seat in Seat::all(self.state.players()) {
            if !self.state.out.contains(seat) {
                self.find_waits(seat);
            }
        }
    }

    /// Refreshes the possible waits of a seat, with the drawn tile left out. If the drawn tile has gone into a meld,
    /// the waits do not change.
    pub(super) fn find_waits(&mut self, seat: Seat) {
        if self.decomposer.grammar().size(&self.state.hands[seat]) == self.hand_tiles() {
            self.state.cache.waits[seat] = self.waits(seat);
        } else if let Phase::Turn(Turn {
            drawn: Some(tile), ..
        }) = self.state.phase
        {
            let mut before = self.state.hands[seat];
            if before.holds(tile) {
                before.take(tile);
                self.state.cache.waits[seat] = self.waits_of(seat, &before);
            }
        }
    }

    /// The possible waits of a seat that holds no drawn tile.
    #[inline]
    fn waits(&self, seat: Seat) -> KindSet {
        let hand = &self.state.hands[seat];
        if self.state.may_wait(seat) {
            self.waits_of(seat, hand)
        } else {
            debug_assert!(self.decomposer.waits_of(hand).is_empty());
            KindSet::EMPTY
        }
    }

    /// The exact waits of a seat's hand, or a superset where exact waits cost too much. A hand has no waits while it
    /// holds tiles of its missing suit.
    #[inline]
    fn waits_of(&self, seat: Seat, hand: &Hand) -> KindSet {
        let barred = if self.bars_kinds {
            self.state.barred_kinds(seat)
        } else {
            KindSet::EMPTY
        };
        if !hand.kinds().intersection(barred).is_empty() {
            return KindSet::EMPTY;
        }
        let waits = if self.knows_waits {
            self.decomposer.waits_of(hand)
        } else {
            self.decomposer.may_complete(hand)
        };
        waits.difference(barred)
    }

    /// Refreshes the lower bound on missing tiles if the hand might be ready.
    #[inline]
    pub(super) fn refresh_missing_floor(&mut self, seat: Seat) {
        if self.state.may_wait(seat) {
            let hand = &self.state.hands[seat];
            self.state.cache.missing_floor[seat] = self.decomposer.missing_lower_bound(hand);
        }
    }

    /// Updates furiten and the lower bound of a seat after its draw. `first` is true for the tile that a turn begins
    /// with.
    #[inline]
    pub(super) fn note_draw(&mut self, seat: Seat, first: bool) {
        self.plan.procedures.drew(&mut self.state, seat, first);
        if self.bounds_on_draw && self.state.hands[seat].melds.is_empty() {
            self.refresh_missing_floor(seat);
        }
    }

    /// Updates furiten, riichi and the cached facts of a seat after its discard.
    #[inline]
    pub(super) fn note_discard(&mut self, seat: Seat, drawn: Option<Tile>, tile: Tile) {
        if let Some(kind) = tile.kind() {
            self.state.furiten.discarded[seat].insert(kind);
        }
        if self.state.may_wait(seat) {
            self.note_near(seat, drawn, tile);
        } else {
            self.state.cache.waits[seat] = KindSet::EMPTY;
        }
        self.plan.procedures.discarded(&mut self.state, seat);
    }

    /// Refreshes bound and waits after a discard, for a hand that might be ready.
    #[inline(never)]
    fn note_near(&mut self, seat: Seat, drawn: Option<Tile>, tile: Tile) {
        self.refresh_missing_floor(seat);
        // The drawn tile may have gone into a meld, and a like tile been discarded.
        let is_unchanged =
            drawn.and_then(Tile::kind) == tile.kind() && self.plan.play.lay_down.is_empty();
        if !is_unchanged || !self.state.may_wait(seat) {
            self.state.cache.waits[seat] = self.waits(seat);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::decompose::Holding;
    use crate::game::{Deal, Match};
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::seat::Seat;

    /// The bound never exceeds the missing tiles of a hand, no waiting hand is ruled out, and cached waits are correct.
    /// Checked in deals of random actions, and in deals that seats imagine.
    #[test]
    fn what_is_kept_of_hands_is_true() {
        let ids = [
            "riichi-mcgill",
            "riichi-sanma",
            "woo",
            "traditional",
            "celestial",
            "uzje",
        ];
        for id in ids {
            let rules = Rules::by_id(id).unwrap();
            let decomposer = &rules.plan().decomposer;
            let check = |deal: &Deal<_>| {
                let state = deal.state();
                let (mut known, mut asked, mut ruled_out) = (0, 0, 0);
                for seat in Seat::all(state.players()) {
                    let hand = state.hand(seat);
                    let lacks = decomposer.missing_lower_bound(hand);
                    assert!(
                        state.cache.missing_floor[seat] <= lacks,
                        "{id} {seat}: {hand:?}"
                    );
                    let waits = decomposer.waits(&Holding::from(hand));
                    assert!(waits.is_empty() || state.may_wait(seat), "{hand:?}");
                    known += u32::from(state.cache.missing_floor[seat]);
                    // A seat on turn, or one that has won, holds one tile more.
                    if hand.size() != 13 || !hand.held_flowers().is_empty() {
                        continue;
                    }
                    let kept = state.cache.waits[seat];
                    assert!(waits.is_subset(kept), "{id} {seat}: {hand:?}");
                    // Beyond the classical grammar the kept set is a superset, but seldom a much larger one.
                    assert!(kept == waits || id == "uzje", "{id} {seat}: {hand:?}");
                    asked += 1;
                    ruled_out += u32::from(kept.is_empty());
                }
                [known, asked, ruled_out]
            };
            let mut stream = Stream::new(6, 6);
            let mut counts = [0; 3];
            for game in 0..if id == "uzje" { 3 } else { 25 } {
                let series = Match::new(&rules, game);
                let mut deal = Deal::start(&rules, series.state().setup());
                while let Some(seat) = deal.state().waiting().first() {
                    let imagined = (stream.below(40) == 0).then(|| {
                        let state = deal.state().imagined_by(seat, &mut stream);
                        Deal::resume(&rules, state).expect("the same rules")
                    });
                    deal = imagined.unwrap_or(deal);
                    let seat = deal.state().waiting().first().unwrap_or(seat);
                    let pick = |len: usize| stream.below(len as u32) as usize;
                    let action = deal.legal(seat).pick(pick).unwrap();
                    deal.act(seat, action).unwrap();
                    for (count, more) in counts.iter_mut().zip(check(&deal)) {
                        *count += more;
                    }
                }
            }
            let [known, asked, ruled_out] = counts;
            // For at least half of all hands the quick look at honours and numbers already rules out any
            // wait.
            assert!(2 * ruled_out > asked, "{id}: {ruled_out} of {asked}");
            // Beyond the classical grammar the bound is always 0.
            assert_eq!(known > 0, id != "uzje", "{id}");
        }
    }

    /// In this deal South is ready once the flowers are replaced.
    #[test]
    fn waits_are_found_after_flowers_are_replaced() {
        let text = "[ruleset]\nid='x'\nname='x'\nextends='traditional'\n[procedures.furiten]\n";
        let rules = Rules::from_toml("x.toml", text).unwrap();
        let deal = Deal::start(&rules, Match::new(&rules, 2236).state().setup());
        let south = Seat::EAST.after(1, 4);
        for seat in Seat::all(4).skip(1) {
            let hand = deal.state().hand(seat);
            let waits = rules.plan().decomposer.waits(&Holding::from(hand));
            assert_eq!(deal.state().cache.waits[seat], waits, "{seat:?}");
            assert_eq!(waits.is_empty(), seat != south);
        }
    }
}
