//! Which kinds a hand holds, and which kind its next tile must be.

use crate::counts::Counts;
use crate::set::KindSet;

/// The kinds of a hand.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    /// Kinds held at least once.
    pub(super) held: KindSet,
    /// Kinds held at least twice.
    pub(super) pairs: KindSet,
}

impl Kinds {
    pub(super) fn of(concealed: &Counts) -> Self {
        let [held, pairs] = [1, 2].map(|count| concealed.at_least(count));
        Self { held, pairs }
    }

    /// Kinds held exactly once.
    #[inline]
    pub(super) const fn single(self) -> KindSet {
        self.held.difference(self.pairs)
    }
}

/// The kinds that the last missing tile may have, if every kind in `lacking` still needs a tile. If nothing
/// is lacking, that is any of `else_these`. If two or more are lacking, there is no such kind.
#[inline]
pub(super) const fn one_more(lacking: KindSet, else_these: KindSet) -> KindSet {
    let or_else = if lacking.is_empty() {
        else_these
    } else {
        lacking
    };
    match lacking.are_many() {
        true => KindSet::EMPTY,
        false => or_else,
    }
}
