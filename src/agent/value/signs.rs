//! [`Signs`]: what all players can see of the tiles that a player waits for.

use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Discard, View};
use crate::tile::Kind;

/// Suits, and the honours.
pub(super) const LANES: usize = 4;
/// Discards of a suit that are told apart. More count as this many.
const MOST_DISCARDS: u8 = 5;
/// Most melds of a suit that are told apart.
const MOST_MELDS: usize = 3;

/// What all players can see of the tiles that a player waits for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs {
    /// The kinds with which the player does not win off a discard. These are its own discards, where furiten bars it. They are
    /// also the discards of others since its hand changed last, because nobody lets a win pass. And they are the kinds of its
    /// missing suit.
    pub safe: KindSet,
    /// The kinds that the player has discarded.
    pub discarded: KindSet,
    /// The kinds that it discarded before its hand changed last.
    pub before: KindSet,
    /// How many tiles of each suit it has discarded, up to [`MOST_DISCARDS`].
    pub discards: [u8; LANES],
    /// What its melds say of each suit: [`of_melds`].
    pub melds: [u8; LANES],
}

/// What melds say of a suit, from 0 to 9, by the number of melds of each suit: whether a player collects it.
pub(super) fn of_melds(lane: usize, melds: &[usize; LANES]) -> u8 {
    let suits = &melds[..LANES - 1];
    let all: usize = suits.iter().sum();
    let of_honours = || 7 + suits.iter().filter(|melds| **melds > 0).count().min(2);
    let mark = match suits.get(lane) {
        None => of_honours(),
        Some(0) if all == 0 => 0,
        Some(&own) if own == all => own.min(MOST_MELDS),
        Some(0) => MOST_MELDS + all.min(2),
        Some(_) => MOST_MELDS + 3,
    };
    mark as u8
}

/// What marks a kind as a tile that a player may wait for: its sort, the discards of its suit, and what melds say of it.
pub(super) type Marks = [u8; 3];

impl Signs {
    pub(super) fn of(plan: &Plan, view: &View<'_>, seat: Seat) -> Self {
        let mut signs = Self::default();
        let mut has_changed = false;
        for &Discard {
            seat: by,
            tile,
            drawn,
            ..
        } in view.discards().iter().rev()
        {
            if let Some(kind) = tile.kind() {
                match (by == seat, has_changed) {
                    (true, true) => signs.before.insert(kind),
                    (true, false) => signs.discarded.insert(kind),
                    (false, true) => {}
                    (false, false) => signs.safe.insert(kind),
                }
                if by == seat {
                    let discards = &mut signs.discards[kind.lane()];
                    *discards = MOST_DISCARDS.min(*discards + 1);
                }
            }
            // A claim changes a hand as well. A discard from the hand follows it.
            has_changed |= by == seat && !drawn;
        }
        signs.discarded = signs.discarded.union(signs.before);
        let furiten = plan.procedures.furiten;
        if furiten.is_some_and(|rules| rules.own_discards) {
            signs.safe = signs.safe.union(signs.discarded);
        }
        if let Some(suit) = view.missing_suit(seat) {
            signs.safe = signs.safe.union(KindSet::of_lane(suit.lane()));
        }
        let mut melds = [0; LANES];
        for meld in view.melds(seat).flatten() {
            if let Some(kind) = meld.group.tiles().next() {
                melds[kind.lane()] += 1;
            }
        }
        signs.melds = std::array::from_fn(|lane| of_melds(lane, &melds));
        signs
    }

    /// What marks a kind. `sort` is its sort.
    pub(super) fn marks(&self, sort: usize, kind: Kind) -> Marks {
        let lane = kind.lane();
        [sort as u8, self.discards[lane], self.melds[lane]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::agent::simple::Random;
    use crate::random::Stream;
    use crate::ruleset::Rules;

    #[test]
    fn melds_say_which_suit_is_collected() {
        let marks = |melds| [0, 1, 3].map(|lane| of_melds(lane, &melds));
        assert_eq!(marks([0, 0, 0, 1]), [0, 0, 7]);
        assert_eq!(marks([1, 0, 0, 0]), [1, 4, 8]);
        assert_eq!(marks([4, 0, 0, 0]), [3, 5, 8]);
        assert_eq!(marks([2, 1, 0, 0]), [6, 6, 9]);
        assert_eq!(marks([0, 1, 1, 0]), [5, 6, 9]);
    }

    /// Against the discards from the first to the last, in games of random players.
    #[test]
    fn signs_follow_from_the_discards() {
        let (mut changed, mut passed) = (0, 0);
        for (id, own_are_safe) in [("riichi-tenhou", true), ("sichuan", false)] {
            let rules = Rules::by_id(id).unwrap();
            let mut deal = crate::game::Match::new(&rules, 2).start_deal();
            let mut agent = Random::new();
            agent.begin(Stream::new(1, 1));
            while let Some(seat) = deal.state().deciding().next() {
                let view = deal.state().view(seat);
                for other in Seat::all(4) {
                    let signs = Signs::of(rules.plan(), &view, other);
                    let mut expected = Signs::default();
                    for discard in view.discards() {
                        let kind = discard.tile.kind().unwrap();
                        if discard.seat != other {
                            expected.safe.insert(kind);
                        } else {
                            if !discard.drawn {
                                expected.before = expected.discarded;
                                expected.safe = KindSet::EMPTY;
                            }
                            expected.discarded.insert(kind);
                        }
                    }
                    changed += usize::from(!expected.before.is_empty());
                    passed += usize::from(!expected.safe.is_empty());
                    if own_are_safe {
                        expected.safe = expected.safe.union(expected.discarded);
                    }
                    if let Some(suit) = view.missing_suit(other) {
                        expected.safe = expected.safe.union(KindSet::of_lane(suit.lane()));
                    }
                    assert_eq!(signs.safe, expected.safe, "{id}");
                    assert_eq!(signs.discarded, expected.discarded, "{id}");
                    assert_eq!(signs.before, expected.before, "{id}");
                }
                let action = agent.decide(&view, deal.legal(seat));
                deal.act(seat, action).unwrap();
            }
        }
        assert!(changed > 50 && passed > 50, "{changed} {passed}");
    }
}
