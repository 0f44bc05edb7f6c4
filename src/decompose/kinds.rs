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

/// The possible kinds of the last missing tile if every kind in `lacking` still needs a tile: any of
/// `else_these` if `lacking` is empty, and none if it has two kinds or more.
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
