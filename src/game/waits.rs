//! What is kept of each hand, so that few are asked anything: what it may wait for, and what it lacks at least.
//! [`DealState`](crate::state::DealState) has it, as `waits` and `lacks`.

use super::Deal;
use crate::hand::Hand;
use crate::ruleset::{Adjusts, Ruleset};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Passed, Phase, Turn};
use crate::tile::Tile;

/// Tiles of a hand that has not drawn, a meld counting three.
const NOT_DRAWN: usize = 13;

impl<R: Ruleset> Deal<R> {
    /// Finds what all seats may wait for.
    pub(super) fn find_all_waits(&mut self) {
        for seat in Seat::all(self.state.players()) {
            self.find_waits(seat);
        }
    }

    /// Finds what a seat may wait for with its tiles, the drawn one left aside; nothing new where that has gone
    /// into a meld.
    pub(super) fn find_waits(&mut self, seat: Seat) {
        if self.state.hands[seat].size() == NOT_DRAWN {
            self.state.waits[seat] = self.waits(seat);
        } else if let Phase::Turn(Turn {
            drawn: Some(tile), ..
        }) = self.state.phase
        {
            let mut before = self.state.hands[seat];
            if before.holds(tile) {
                before.take(tile);
                self.state.waits[seat] = self.waits_of(&before);
            }
        }
    }

    /// What a seat may wait for that holds no drawn tile.
    #[inline]
    fn waits(&self, seat: Seat) -> KindSet {
        let waits = || self.waits_of(&self.state.hands[seat]);
        if self.state.may_wait(seat) {
            waits()
        } else {
            debug_assert!(waits().is_empty());
            KindSet::EMPTY
        }
    }

    /// What a hand waits for, or may where nothing tells that cheaply.
    #[inline]
    fn waits_of(&self, hand: &Hand) -> KindSet {
        if self.knows_waits {
            self.plan.decomposer.waits_of(hand)
        } else {
            self.plan.decomposer.may_complete(hand)
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

    /// Keeps what follows from a draw for its seat: who draws again may win off others again.
    #[inline]
    pub(super) fn note_draw(&mut self, seat: Seat) {
        if self.state.passed[seat] == Passed::UntilDraw {
            self.state.passed[seat] = Passed::Nothing;
        }
        // Procedures ask what a closed hand lacks on its turn; of others it shows with their discard.
        if self.plan.procedures.adjusts() == Adjusts::ButPlainTurns
            && self.state.hands[seat].melds.is_empty()
        {
            self.find_lacks(seat);
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

    /// Keeps what follows from a discard that leaves a hand of which too little is known to say that it waits for
    /// nothing.
    // Apart, for of the classical grammar few are left.
    #[inline(never)]
    fn note_near(&mut self, turn: &Turn, tile: Tile) {
        let seat = turn.seat;
        self.find_lacks(seat);
        // What was drawn may have gone into a meld, and one like it be discarded.
        let is_unchanged =
            turn.drawn.and_then(Tile::kind) == tile.kind() && self.plan.play.lay_down.is_empty();
        if !is_unchanged || !self.state.may_wait(seat) {
            self.state.waits[seat] = self.waits(seat);
        }
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
    fn what_is_kept_of_hands_is_true() {
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
                        Deal::resume(&*rules, state).expect("the same rules")
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
