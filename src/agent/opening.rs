//! [`Passing`]: which tiles a seat may pass on before the first turn.

use crate::hand::Hand;
use crate::ruleset::PassRules;
use crate::set::KindSet;
use crate::state::View;
use crate::tile::Suit;
use smallvec::SmallVec;

/// The tiles that a seat still has to choose. They are chosen in tile order, so an agent plans all of them and chooses the
/// first.
pub(super) struct Passing {
    /// The hand without the tiles that are chosen already.
    pub hand: Hand,
    /// How many tiles are left to choose.
    pub number: usize,
    /// The kinds that may go together: those of a suit, where all tiles are of one.
    pub sets: SmallVec<[KindSet; 3]>,
}

impl Passing {
    pub(super) fn of(view: &View<'_>, rules: &PassRules) -> Self {
        let mut hand = *view.hand();
        let tiles = u32::from(rules.tiles).min(hand.concealed().count_in(rules.of));
        let chosen = view.chosen_for_exchange();
        let of_suit = |suit: Suit| rules.of.intersection(KindSet::of_lane(suit.lane()));
        let mut sets: SmallVec<[KindSet; 3]> = SmallVec::new();
        if rules.same_suit {
            let may = |of_suit: &KindSet| hand.concealed().count_in(*of_suit) >= tiles;
            sets = Suit::ALL.into_iter().map(of_suit).filter(may).collect();
        }
        if sets.is_empty() {
            sets.push(rules.of);
        }
        if let Some(&last) = chosen.last() {
            sets.retain(|set| set.contains(last));
            for set in &mut sets {
                *set = set.iter().filter(|kind| *kind >= last).collect();
            }
        }
        for &kind in chosen {
            hand.take_kind(kind, 1);
        }
        Self {
            hand,
            number: (tiles as usize).saturating_sub(chosen.len()),
            sets,
        }
    }
}
