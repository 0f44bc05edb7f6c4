//! A cache of answers that an agent found recently.

use crate::counts::Counts;
use std::fmt::Debug;

/// How many answers are kept, as a power of two.
const BITS: u32 = 9;

/// The latest answers to one sort of question. A new answer replaces an old one in the same entry, so memory is
/// constant. Debug builds check that a cached answer equals a new one.
#[derive(Clone, Debug)]
pub(super) struct Recent<Q, A> {
    /// Allocated at first use.
    entries: Vec<Option<(Q, A)>>,
    is_empty: bool,
}

impl<Q: Copy + Eq, A: Copy + PartialEq + Debug> Recent<Q, A> {
    pub(super) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            is_empty: true,
        }
    }

    /// Clears the cache.
    pub(super) fn clear(&mut self) {
        if !self.is_empty {
            self.entries.fill(None);
            self.is_empty = true;
        }
    }

    /// The answer to a question about these tiles: the cached one, or the result of `find`.
    #[inline]
    pub(super) fn answer(&mut self, tiles: &Counts, asked: Q, find: impl FnOnce() -> A) -> A {
        if self.entries.is_empty() {
            self.entries.resize(1 << BITS, None);
        }
        let mixed = (0..4).fold(0, |mixed: u64, lane| {
            (mixed.rotate_left(23) ^ tiles.lane(lane)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let entry = &mut self.entries[(mixed >> (64 - BITS)) as usize];
        if let Some((known, answer)) = entry
            && *known == asked
        {
            debug_assert_eq!(*answer, find(), "a kept answer differs from a fresh one");
            return *answer;
        }
        let answer = find();
        *entry = Some((asked, answer));
        self.is_empty = false;
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::{Holding, Scratch};
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::tile::Kind;

    /// Hands that recur, more than the cache has room for.
    #[test]
    fn a_kept_answer_is_the_fresh_one() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let decomposer = &rules.plan().decomposer;
        let mut tiles: Vec<Kind> = decomposer.grammar().copies().iter().collect();
        let mut stream = Stream::new(7, 7);
        let mut hands = Vec::new();
        for _ in 0..2 << BITS {
            stream.shuffle(&mut tiles);
            let mut hand = Counts::EMPTY;
            tiles[..13].iter().for_each(|&kind| hand.add(kind, 1));
            hands.push(Holding::of_tiles(hand));
        }
        let (mut recent, mut scratch) = (Recent::new(), Scratch::new());
        let mut found = 0;
        for _ in 0..10_000 {
            // The first hands are queried most.
            let most = 1 + stream.below(hands.len() as u32);
            let hand = &hands[stream.below(most) as usize];
            let fresh = decomposer.accepts(hand, &mut Scratch::new());
            let kept = recent.answer(&hand.concealed, *hand, || {
                found += 1;
                decomposer.accepts(hand, &mut scratch)
            });
            assert_eq!(kept, fresh);
        }
        assert!(found > 2 << BITS, "nothing was replaced");
        // Debug builds ask again for each kept answer, to compare.
        if !cfg!(debug_assertions) {
            assert!(found < 9_000, "{found}: nothing was kept");
        }
        recent.clear();
        assert!(recent.entries.iter().all(Option::is_none));
    }
}
