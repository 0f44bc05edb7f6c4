//! [`Holding`]: the tiles that a question is about.

use crate::counts::Counts;
use crate::hand::Hand;
use crate::meld::Group;
use crate::tile::Kind;

/// Tiles of a whole hand, a group counting three.
pub(super) const HAND: usize = 14;

/// The tiles that a question of the decomposer is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Holding {
    /// Concealed tiles.
    pub concealed: Counts,
    /// Tiles of the declared melds: they count against the copies of each kind.
    pub declared: Counts,
    /// How many groups are declared, or count as declared.
    pub melds: usize,
    /// Every declared group is an open run of three ranks in a row; true where nothing is declared.
    /// A straight allows no others.
    pub consecutive: bool,
}

impl Holding {
    /// Concealed tiles alone; with fewer than thirteen the missing groups count as declared.
    pub fn of_tiles(concealed: Counts) -> Self {
        let melds = 14usize.saturating_sub(concealed.total()) / 3;
        Self {
            concealed,
            declared: Counts::EMPTY,
            melds,
            consecutive: melds == 0,
        }
    }

    /// The same with a group declared that was not: its tiles must have been taken from the
    /// concealed ones by the caller.
    pub fn declare(&mut self, group: Group, open: bool) {
        for kind in group.tiles() {
            self.declared.try_add(kind);
        }
        self.melds = self.melds.saturating_add(1);
        self.consecutive &= open && group.is_consecutive();
    }

    /// The same with one more concealed tile; `None` where four are concealed.
    pub fn with(&self, kind: Kind) -> Option<Self> {
        Some(Self {
            concealed: self.concealed.with(kind)?,
            ..*self
        })
    }

    /// The same after four of its tiles were declared as a concealed kong, or, `added`, one was added
    /// to a declared pung.
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

    /// Tiles of a kind, concealed and declared.
    pub(crate) fn held(&self, kind: Kind) -> u8 {
        self.concealed.get(kind) + self.declared.get(kind)
    }

    /// Tiles that are held or declared in four copies, or more than a set has.
    pub(super) fn is_exhausted(&self, kind: Kind, copies: &Counts) -> bool {
        self.held(kind) >= copies.get(kind)
    }
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

/// True where nothing is declared but open runs of three ranks in a row.
#[inline]
pub(super) fn goes_with_forms(hand: &Hand) -> bool {
    let mut melds = hand.melds.iter();
    melds.all(|meld| meld.open && meld.group.is_consecutive())
}
