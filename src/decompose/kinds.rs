//! Which kinds are held, and which one more tile may be.

use crate::counts::Counts;
use crate::set::KindSet;

/// The kinds of some tiles.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    pub(super) held: KindSet,
    /// Those of two tiles or more.
    pub(super) pairs: KindSet,
}

impl Kinds {
    pub(super) fn of(concealed: &Counts) -> Self {
        let [held, pairs] = [1, 2].map(|count| concealed.at_least(count));
        Self { held, pairs }
    }

    /// Kinds of which one tile is held.
    #[inline]
    pub(super) const fn single(self) -> KindSet {
        self.held.difference(self.pairs)
    }
}

/// What one more tile may be where all that is `lacking` must have one: that, or anything of `else_these` where nothing
/// is lacking.
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
