//! [`Holding`]: the hand that a question to the decomposer is about.

use crate::counts::{Counts, at};
use crate::hand::Hand;
use crate::meld::{Family, Group, Meld};
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
    /// The declared groups of tiles alike, which forms may have.
    pub alike: AlikeMelds,
}

/// The declared groups of three to six tiles alike of a hand, as the groups that they stand for: a joker counts as the kind
/// that it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AlikeMelds([u8; MOST_ALIKE]);

/// A group as a byte has its kind in the low six bits and its number of tiles less two, modulo four, in the others. No group
/// is of six jokers, so that number stands for no group, and the bytes are stored so that it is zero.
const NO_GROUP: u8 = Kind::JOKER.index() as u8;

/// The number of tiles of a group as a byte.
#[inline]
const fn size_of(one: u8) -> u8 {
    ((one >> 6).wrapping_sub(1) & 3) + 3
}

/// The most declared groups that a hand remembers. A hand of seventeen tiles has no more.
const MOST_ALIKE: usize = 5;

impl AlikeMelds {
    /// Adds a group. Runs, and groups that no hand has room for, are ignored.
    fn add(&mut self, group: Group) {
        let one = Self::one(group);
        if let (true, Some(free)) = (one != 0, self.0.iter_mut().find(|one| **one == 0)) {
            *free = one;
        }
    }

    /// A group as a byte. 0 for runs and pairs.
    #[inline]
    const fn one(group: Group) -> u8 {
        let size = match group.family() {
            Family::Pung => 1,
            Family::Kong => 2,
            Family::Quint => 3,
            Family::Sextet => 0,
            Family::Pair | Family::Arith | Family::Gem | Family::Power => return 0,
        };
        (size << 6 | group.kind().index() as u8) ^ NO_GROUP
    }

    /// Makes a pung of this kind a kong.
    pub(crate) fn add_fourth(&mut self, kind: Kind) {
        let pung = Self::one(Group::pung(kind));
        if let Some(found) = self.0.iter_mut().find(|one| **one == pung) {
            *found += 1 << 6;
        }
    }

    /// The number of tiles beyond three of each group.
    pub(super) fn beyond_three(self) -> usize {
        let groups = self.0.into_iter().filter(|&one| one != 0);
        groups.map(|one| usize::from(size_of(one)) - 3).sum()
    }

    /// The number of these groups, and their tiles. `None` if a kind has two of them.
    pub(super) fn tiles(self) -> Option<(usize, [u64; 4])> {
        let mut lanes = [0; 4];
        let mut number = 0;
        for one in self.0.into_iter().filter(|&one| one != 0) {
            let kind = Kind::from_index(usize::from((one ^ NO_GROUP) & 63))?;
            let lane = &mut lanes[kind.lane()];
            let place = kind.place();
            if *lane & at(place, 15) != 0 {
                return None;
            }
            *lane |= at(place, size_of(one).into());
            number += 1;
        }
        Some((number, lanes))
    }
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
            alike: AlikeMelds::default(),
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
        self.alike.add(meld.group);
    }

    /// Notes what follows from the melds of a hand, which it has.
    fn note_melds(&mut self, hand: &Hand) {
        self.declared = hand.melded();
        self.consecutive = goes_with_forms(hand);
        for (one, meld) in self.alike.0.iter_mut().zip(hand.melds.iter()) {
            *one = AlikeMelds::one(meld.group);
        }
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
            after.alike.add_fourth(kind);
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
    #[inline]
    fn from(hand: &Hand) -> Self {
        let mut holding = Self {
            concealed: *hand.concealed(),
            declared: Counts::EMPTY,
            melds: hand.melds.len(),
            consecutive: true,
            alike: AlikeMelds::default(),
        };
        if holding.melds > 0 {
            holding.note_melds(hand);
        }
        holding
    }
}

/// True if all declared melds are open runs of three ranks in a row, or if there are none.
#[inline]
pub(super) fn goes_with_forms(hand: &Hand) -> bool {
    let mut melds = hand.melds.iter();
    melds.all(|meld| meld.open && meld.group.is_consecutive())
}
