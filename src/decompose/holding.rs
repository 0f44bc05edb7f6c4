//! [`Holding`]: the hand that a question to the decomposer is about.

use crate::counts::Counts;
use crate::hand::Hand;
use crate::meld::{Group, Meld};
use crate::set::KindSet;
use crate::tile::Kind;

/// Tiles of a complete hand. A declared group counts three, a kong too.
pub(super) const HAND: usize = 14;

/// The hand that a question to the decomposer is about. If it has more copies of a kind than the set, the declared ones
/// included, the answers are meaningless.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Holding {
    /// Concealed tiles.
    pub concealed: Counts,
    /// Tiles of the declared melds. They use up copies of their kinds.
    pub declared: Counts,
    /// How many groups are declared or count as declared.
    pub melds: usize,
    /// True if every declared group is an open run of three ranks in a row, or if nothing is declared. A
    /// straight allows no other groups.
    pub consecutive: bool,
}

impl Holding {
    /// Concealed tiles only. Every three tiles that are missing from fourteen count as a declared group of
    /// unknown tiles.
    pub fn of_tiles(concealed: Counts) -> Self {
        Self::of_tiles_for(concealed, 4)
    }

    /// The same for a hand of `groups` groups and a pair.
    pub fn of_tiles_for(concealed: Counts, groups: usize) -> Self {
        let melds = (3 * groups + 2).saturating_sub(concealed.total()) / 3;
        Self {
            concealed,
            declared: Counts::EMPTY,
            melds,
            consecutive: melds == 0,
        }
    }

    /// Adds a declared group. The caller must have taken its tiles from the concealed ones.
    pub fn declare(&mut self, group: Group, open: bool) {
        self.declare_meld(&Meld {
            open,
            ..Meld::of_own(group)
        });
    }

    /// Adds a declared meld, with its jokers. The caller must have taken its tiles from the concealed ones.
    pub(crate) fn declare_meld(&mut self, meld: &Meld) {
        for kind in meld.kinds() {
            self.declared.try_add(kind);
        }
        self.melds = self.melds.saturating_add(1);
        self.consecutive &= meld.open && meld.group.is_consecutive();
    }

    /// The same with one more concealed tile. `None` if four of the kind are concealed already.
    pub fn with(&self, kind: Kind) -> Option<Self> {
        Some(Self {
            concealed: self.concealed.with(kind)?,
            ..*self
        })
    }

    /// The same with one more concealed tile, even a fifth copy.
    pub(super) fn with_beyond(&self, kind: Kind) -> Self {
        Self {
            concealed: self.concealed.with_beyond(kind),
            ..*self
        }
    }

    /// The same after a kong. If `added`, one concealed tile is added to a declared pung. Otherwise four
    /// concealed tiles are declared as a concealed kong.
    pub fn after_kong(&self, kind: Kind, added: bool) -> Self {
        let mut after = *self;
        if added {
            after.concealed.try_remove(kind);
            after.declared.try_add(kind);
            after.consecutive = false;
        } else {
            for _ in 0..4 {
                after.concealed.try_remove(kind);
            }
            after.declare(Group::kong(kind), false);
        }
        after
    }

    /// How many tiles the hand has, a declared group counted as three.
    #[inline]
    pub(super) fn size(&self) -> usize {
        size(&self.concealed, self.melds)
    }

    /// How many tiles of a kind are concealed or declared.
    pub(crate) fn held(&self, kind: Kind) -> u8 {
        self.concealed.get(kind) + self.declared.get(kind)
    }

    /// The kinds of which the hand holds or has declared every copy that the set has.
    pub(super) fn exhausted(&self, copies: &Counts) -> KindSet {
        let left = copies.saturating_minus(&self.declared);
        let left = left.saturating_minus(&self.concealed);
        copies.kinds().difference(left.kinds())
    }

    /// True if the hand holds or has declared every copy of the kind that the set has.
    pub(super) fn is_exhausted(&self, kind: Kind, copies: &Counts) -> bool {
        self.held(kind) >= copies.get(kind)
    }
}

/// How many tiles a hand has, a declared group counted as three. No hand has more than 99 groups, and the sum for more
/// would overflow.
#[inline]
pub(super) fn size(concealed: &Counts, melds: usize) -> usize {
    concealed.total() + 3 * melds.min(99)
}

impl From<&Hand> for Holding {
    fn from(hand: &Hand) -> Self {
        Self {
            concealed: *hand.concealed(),
            declared: hand.melded(),
            melds: hand.melds.len(),
            consecutive: goes_with_forms(hand),
        }
    }
}

/// True if all declared melds are open runs of three ranks in a row, or if there are none.
#[inline]
pub(super) fn goes_with_forms(hand: &Hand) -> bool {
    let mut melds = hand.melds.iter();
    melds.all(|meld| meld.open && meld.group.is_consecutive())
}
