//! Wild tiles: a tile of a wild kind stands for any kind of the set.
//!
//! All of it follows from the hand without its wild tiles. Such a hand lacks so many tiles of a complete one, and each
//! wild tile is one of them. As everywhere, no complete hand has more copies of a kind than the set: a wild tile never
//! stands for a fifth copy.

use super::holding::Holding;
use super::{Arrangement, Decomposer, Scratch, Wild};
use crate::hand::Hand;
use crate::set::KindSet;
use crate::tile::Kind;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Asks with the scratch memory of this thread. A search takes 1.6 MB, too much to be taken for each hand. A question within
/// another one takes memory of its own.
fn with_scratch<T>(ask: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch::new()) };
    }
    SCRATCH.with(|own| match own.try_borrow_mut() {
        Ok(mut scratch) => ask(&mut scratch),
        Err(_) => ask(&mut Scratch::new()),
    })
}

impl Wild {
    /// A hand without its wild tiles, and how many of these it holds.
    fn split(&self, holding: &Holding) -> (Holding, u8) {
        let mut rest = *holding;
        let mut wilds = 0;
        for kind in self.kinds.iter() {
            wilds += rest.concealed.get(kind);
            rest.concealed.set(kind, 0);
        }
        // Copies of a joker are nobody's concern: no complete hand has one as itself.
        rest.declared.set(Kind::JOKER, 0);
        (rest, wilds)
    }

    /// The distance of a hand, and of the same without its wild tiles.
    fn distances(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, i8, Holding) {
        let (rest, wilds) = self.split(holding);
        let natural = self.natural.distance(&rest, scratch);
        let distance = match natural {
            Decomposer::UNREACHABLE => natural,
            natural => natural - wilds as i8,
        };
        (distance, natural, rest)
    }

    pub(super) fn distance(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
        self.distances(holding, scratch).0
    }

    /// True if the hand has all tiles of a complete one, or so many less.
    fn has_size(&self, holding: &Holding, less: usize) -> bool {
        let whole = self.natural.grammar.hand_tiles() + 1;
        holding.size() + less == whole
    }

    pub(super) fn is_complete(&self, holding: &Holding) -> bool {
        self.has_size(holding, 0) && with_scratch(|scratch| self.distance(holding, scratch)) < 0
    }

    pub(super) fn completes(&self, hand: &Hand, more: Option<Kind>) -> bool {
        let holding = Holding::from(hand);
        match more {
            None => self.is_complete(&holding),
            Some(kind) => {
                let whole = holding.with(kind);
                whole.is_some_and(|whole| self.is_complete(&whole))
            }
        }
    }

    /// Every kind that completes the hand with one more tile, of which a copy is left.
    pub(super) fn waits(&self, holding: &Holding) -> KindSet {
        if !self.has_size(holding, 1) {
            return KindSet::EMPTY;
        }
        match with_scratch(|scratch| self.accepts(holding, scratch)) {
            (0, waits) => waits,
            _ => KindSet::EMPTY,
        }
    }

    pub(super) fn accepts(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        let (distance, _, rest) = self.distances(holding, scratch);
        if distance < 0 || distance == Decomposer::UNREACHABLE {
            return (distance, KindSet::EMPTY);
        }
        let natural = self.natural.accepts(&rest, scratch).1;
        let exhausted = holding.exhausted(&self.copies);
        let all = natural.union(self.kinds).difference(exhausted);
        (distance, all)
    }

    pub(super) fn discards(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(Kind, KindSet),
    ) -> i8 {
        let (distance, natural, rest) = self.distances(holding, scratch);
        if distance < 0 {
            return distance;
        }
        // Without a wild tile a hand is farther from complete, so none is among these discards.
        for kind in rest.concealed.kinds().iter() {
            let mut after = rest;
            after.concealed.try_remove(kind);
            if self.natural.distance(&after, scratch) != natural {
                continue;
            }
            let mut left = *holding;
            left.concealed.try_remove(kind);
            visit(kind, self.accepts(&left, scratch).1);
        }
        distance
    }

    pub(super) fn missing_from_form(&self, form: usize, holding: &Holding) -> Option<u8> {
        let (rest, wilds) = self.split(holding);
        let missing = self.natural.missing_from_form(form, &rest)?;
        Some(missing.saturating_sub(wilds))
    }

    /// Visits the hand with kinds in the place of its wild tiles, in every way that makes it complete, each once.
    pub(super) fn substitutions(
        &self,
        holding: &Holding,
        visit: &mut dyn FnMut(&Holding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (rest, wilds) = self.split(holding);
        if !self.is_complete(holding) {
            return ControlFlow::Continue(());
        }
        with_scratch(|scratch| self.substitute(&rest, wilds, None, scratch, visit))
    }

    /// Puts a kind in the place of each wild tile that is left, none before `from`.
    fn substitute(
        &self,
        rest: &Holding,
        wilds: u8,
        from: Option<Kind>,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(&Holding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(left) = wilds.checked_sub(1) else {
            return visit(rest);
        };
        // Each of the kinds brings the hand nearer, in any order.
        let (_, accepts) = self.natural.accepts(rest, scratch);
        for kind in accepts
            .iter()
            .filter(|&kind| from.is_none_or(|from| kind >= from))
        {
            if let Some(more) = rest.with(kind) {
                self.substitute(&more, left, Some(kind), scratch, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn arrangements(
        &self,
        holding: &Holding,
        visit: &mut dyn FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let natural = &self.natural;
        self.substitutions(holding, &mut |whole| {
            natural.arrangements(whole, &mut *visit)
        })
    }

    pub(super) fn prepare(&self) {
        self.natural.prepare();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;
    use crate::random::Stream;
    use crate::ruleset::{Ruleset, by_id};
    use std::collections::BTreeSet;

    /// Every complete hand that the tiles of a hand become with kinds in the place of wild tiles, by trying all.
    fn slowly(natural: &Decomposer, wild: KindSet, holding: &Holding) -> BTreeSet<Vec<Kind>> {
        let copies = *natural.grammar().copies();
        let mut plain = holding.concealed;
        let mut wilds = 0;
        for kind in wild.iter() {
            wilds += plain.get(kind);
            plain.set(kind, 0);
        }
        let mut all = vec![plain];
        for _ in 0..wilds {
            let more = all.iter().flat_map(|counts| {
                let kinds = copies.kinds().iter();
                kinds.filter_map(|kind| counts.with(kind))
            });
            let unique: BTreeSet<Vec<Kind>> = more.map(|counts| counts.iter().collect()).collect();
            let counted = unique.into_iter().map(|kinds| {
                let mut counts = Counts::EMPTY;
                kinds.into_iter().for_each(|kind| {
                    counts.try_add(kind);
                });
                counts
            });
            all = counted.collect();
        }
        let whole = |concealed: &Counts| Holding {
            concealed: *concealed,
            ..*holding
        };
        let fits = |counts: &&Counts| {
            let used = |kind: Kind| counts.get(kind) + holding.declared.get(kind);
            copies
                .kinds()
                .iter()
                .all(|kind| used(kind) <= copies.get(kind))
        };
        let complete = all.iter().filter(fits);
        let complete = complete.filter(|counts| natural.is_complete(&whole(counts)));
        complete.map(|counts| counts.iter().collect()).collect()
    }

    /// Hands that are near to complete, with up to three wild tiles.
    fn hand(stream: &mut Stream, copies: &Counts, wild: Kind, tiles: usize) -> Counts {
        let mut hand = Counts::EMPTY;
        let numbers: Vec<Kind> = copies.kinds().iter().collect();
        let wilds = stream.below(4) as usize;
        for _ in 0..wilds {
            hand.try_add(wild);
        }
        while hand.total() < tiles {
            let first = numbers[stream.below(numbers.len() as u32) as usize];
            let group = match (stream.below(3), first.suit()) {
                (0, _) | (_, None) => [first; 3],
                (_, Some(_)) => {
                    let place = first.place().min(6);
                    [0, 1, 2].map(|step| Kind::at(first.lane(), place + step))
                }
            };
            for kind in group {
                if hand.total() < tiles && kind != wild && hand.get(kind) < copies.get(kind) {
                    hand.try_add(kind);
                }
            }
        }
        hand
    }

    /// Substitutions, completeness, waits, distance, accepted tiles and discards are what trying all kinds tells.
    #[test]
    fn wild_tiles_are_what_trying_all_kinds_tells() {
        let mut seen = [0; 4];
        for (id, wild) in [
            ("hong-kong-old-style", Kind::WHITE),
            ("riichi-mcgill", Kind::EAST),
            ("mcr", Kind::at(1, 4)),
            ("malaysian", Kind::JOKER),
        ] {
            let rules = by_id(id, &[]).unwrap();
            let kinds = KindSet::one(wild);
            let decomposer = rules.plan().decomposer.clone().with_wild(kinds);
            let natural = decomposer.natural();
            let copies = *decomposer.grammar().copies();
            let mut stream = Stream::new(26, wild.index() as u64);
            let mut scratch = Scratch::new();
            for _ in 0..25 {
                let whole = Holding::of_tiles(hand(&mut stream, &copies, wild, 14));
                let mut found = BTreeSet::new();
                let _ = decomposer.substitutions(&whole, |one| {
                    let kinds: Vec<Kind> = one.concealed.iter().collect();
                    assert!(found.insert(kinds), "a substitution comes twice");
                    ControlFlow::Continue(())
                });
                assert_eq!(found, slowly(natural, kinds, &whole));
                assert_eq!(decomposer.is_complete(&whole), !found.is_empty());
                seen[0] += found.len();
                // One tile less: what it waits for.
                let lost = whole
                    .concealed
                    .kinds()
                    .iter()
                    .nth(stream.below(4) as usize)
                    .unwrap();
                let mut rest = whole;
                rest.concealed.try_remove(lost);
                let left = |kind: &Kind| rest.concealed.get(*kind) < copies.get(*kind);
                let completes = |kind: &Kind| {
                    let more = rest.with(*kind).unwrap();
                    !slowly(natural, kinds, &more).is_empty()
                };
                let waits: KindSet = copies
                    .kinds()
                    .iter()
                    .filter(left)
                    .filter(completes)
                    .collect();
                assert_eq!(decomposer.waits(&rest), waits);
                assert_eq!(decomposer.is_ready(&rest), !waits.is_empty());
                let (distance, accepts) = decomposer.accepts(&rest, &mut scratch);
                assert_eq!(distance == 0, !waits.is_empty());
                assert_eq!(decomposer.distance(&rest, &mut scratch), distance);
                seen[1] += waits.len();
                // Accepted tiles are those that lower the distance.
                let lowers = |kind: &Kind| {
                    let more = rest.with(*kind).unwrap();
                    decomposer.distance(&more, &mut Scratch::new()) < distance
                };
                let lower: KindSet = copies.kinds().iter().filter(left).filter(lowers).collect();
                assert_eq!(accepts, lower);
                seen[2] += accepts.len();
                let mut kept = Vec::new();
                let before = decomposer.discards(&whole, &mut scratch, |kind, accepts| {
                    kept.push((kind, accepts));
                });
                assert_eq!(before, decomposer.distance(&whole, &mut scratch));
                let mut expected = Vec::new();
                for kind in whole.concealed.kinds().iter().filter(|_| before >= 0) {
                    let mut after = whole;
                    after.concealed.try_remove(kind);
                    let (distance, accepts) = decomposer.accepts(&after, &mut scratch);
                    if distance == before {
                        expected.push((kind, accepts));
                    }
                }
                assert_eq!(kept, expected);
                seen[3] += kept.len();
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
