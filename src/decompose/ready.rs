//! Where a tile could lie that completes a hand: a quick way to tell that there is none.

use super::grammar::Grammar;
use crate::counts::{Counts, lane_sum};
use crate::set::KindSet;

/// Kinds that may complete groups and a pair, found by counting: every lane of a complete hand holds a
/// multiple of three tiles, the lane of the pair two more. Most hands lack more than one tile, and
/// most of those show it so.
pub(super) fn wanted_lanes(grammar: &Grammar, concealed: &Counts) -> KindSet {
    let copies = grammar.copies.kinds();
    if grammar.uses_zero {
        // A zero belongs to any suit: lanes cannot be counted by themselves.
        return copies;
    }
    let rest: [u32; 4] = std::array::from_fn(|lane| lane_sum(concealed.lane(lane)) % 3);
    // One lane that has one tile over wants its own pair; two that have two over each want, one its
    // pair and the other a group.
    let ones = (0..4).filter(|&lane| rest[lane] == 1).count();
    let twos = (0..4).filter(|&lane| rest[lane] == 2).count();
    let wanted = match (ones, twos) {
        (1, 0) => 1,
        (0, 2) => 2,
        _ => return KindSet::EMPTY,
    };
    let mut lanes = 0u64;
    for (lane, &rest) in rest.iter().enumerate() {
        if rest == wanted {
            lanes |= 0xffff << (16 * lane);
        }
    }
    let suits = copies.intersection(KindSet::from_bits(lanes & 0xffff_ffff_ffff));
    // An honour stands beside its like alone: one left over by itself is what must be completed.
    let honours = KindSet::from_bits(0xffff << 48).intersection(copies);
    let [one, two, four] = [1, 2, 4].map(|count| concealed.at_least(count).intersection(honours));
    let three = concealed.at_least(3).intersection(honours);
    let single = one.difference(two).union(four);
    let held = two.difference(three);
    let in_honours = lanes >> 48 != 0;
    match single.len() {
        // A pair that stands in the honours may become a pung, three that are one the pair's.
        0 if in_honours => suits.union(held.union(three)),
        0 => suits,
        1 if in_honours => single,
        _ => KindSet::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use crate::counts::Counts;
    use crate::decompose::{Arrangement, Holding, Scratch};
    use crate::notation::Notation;
    use crate::random::Stream;
    use crate::ruleset::{Ruleset, by_id};
    use crate::tile::Kind;
    use std::ops::ControlFlow;

    /// Hands near completion: what they wait for is what completes them, and ready is what lacks one.
    #[test]
    fn waits_are_the_kinds_that_complete() {
        for id in ["riichi-mcgill", "celestial", "traditional", "woo", "uzje"] {
            let rules = by_id(id, &[]).unwrap();
            let decomposer = &rules.plan().decomposer;
            let kinds: Vec<Kind> = rules.plan().tiles.copies().kinds().iter().collect();
            let shapes: Vec<_> = decomposer
                .grammar()
                .shapes()
                .map(|(_, shape)| *shape)
                .collect();
            let mut stream = Stream::new(8, 8);
            let mut scratch = Scratch::new();
            let mut ready = 0;
            for _ in 0..if id == "uzje" { 1500 } else { 6000 } {
                let mut pick = |n: usize| stream.below(n as u32) as usize;
                let mut tiles = Counts::EMPTY;
                while tiles.total() < 12 {
                    let before = tiles;
                    let kind = kinds[pick(kinds.len())];
                    let group = match pick(4) {
                        0 => vec![kind; 3],
                        1 => vec![kind; 2],
                        _ => {
                            let shape = shapes[pick(shapes.len())];
                            shape
                                .group(crate::tile::Suit::ALL[pick(3)])
                                .tiles()
                                .collect()
                        }
                    };
                    let fits = |kind: &Kind| kinds.contains(kind) && tiles.try_add(*kind);
                    if !group.iter().all(fits) || tiles.total() > 13 {
                        tiles = before;
                    }
                }
                while tiles.total() < 13 {
                    tiles.try_add(kinds[pick(kinds.len())]);
                }
                let holding = Holding::of_tiles(tiles);
                let completes = |kind: &Kind| {
                    let whole = Holding {
                        concealed: tiles.with_beyond(*kind),
                        ..holding
                    };
                    let mut stop = |_: &Arrangement| ControlFlow::Break(());
                    let complete = decomposer.arrangements(&whole, &mut stop).is_break();
                    // A fifth copy is no hand.
                    if tiles.get(*kind) < 4 {
                        assert_eq!(decomposer.is_complete(&whole), complete, "{tiles:?} {kind}");
                    }
                    complete
                };
                let waits = decomposer.waits(&holding);
                assert_eq!(
                    waits,
                    kinds.iter().copied().filter(completes).collect(),
                    "{tiles:?}"
                );
                let distance = decomposer.distance(&holding, &mut scratch);
                assert_eq!(decomposer.is_ready(&holding), distance == 0, "{tiles:?}");
                ready += usize::from(!waits.is_empty());
            }
            assert!(ready > 200, "{id}: {ready}");
        }
    }

    #[test]
    fn a_hand_may_wait_for_tiles_that_it_holds_itself() {
        let rules = by_id("riichi-mcgill", &[]).unwrap();
        let decomposer = &rules.plan().decomposer;
        let ask = |text: &str| {
            let mut tiles = Counts::EMPTY;
            for tile in Notation::Ujmj.parse(text).unwrap() {
                assert!(tiles.try_add(tile.kind().unwrap()));
            }
            let holding = Holding::of_tiles(tiles);
            let waits: Vec<String> = decomposer
                .waits(&holding)
                .iter()
                .map(|kind| kind.to_string())
                .collect();
            (waits.join(" "), decomposer.is_ready(&holding))
        };
        assert_eq!(ask("1111m456s789t333s"), ("1m".to_owned(), false));
        assert_eq!(ask("123t456s678m99s34t"), ("2t 5t".to_owned(), true));
        assert_eq!(ask("123t456s678m99s3t8t"), (String::new(), false));
        assert_eq!(ask("19t199s19mESWNCF"), ("P".to_owned(), true));
    }
}
