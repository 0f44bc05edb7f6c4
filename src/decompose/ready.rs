//! A quick filter for the kinds that may complete a hand. For most hands there is none.

use super::arrange::Remainders;
use super::grammar::Grammar;
use super::kinds::{Kinds, one_more};
use crate::counts::Counts;
use crate::set::KindSet;
use crate::tile::Kind;

/// The kinds that may complete groups and a pair. No other kind can. For most hands the set is empty.
#[inline]
pub(super) fn wanted(grammar: &Grammar, concealed: &Counts, kinds: Kinds) -> KindSet {
    if !grammar.standard {
        return KindSet::EMPTY;
    }
    // A kind that is in no run needs a second tile of its kind. Most hands have too many such kinds alone.
    let [alone, alone_without_zero] = grammar.alone_kinds;
    let single = kinds.single();
    let lone = single.intersection(alone);
    if lone.are_many() {
        return KindSet::EMPTY;
    }
    let Remainders {
        zeros,
        lacks,
        missing,
    } = Remainders::of(grammar, concealed);
    // In a lane that lacks one or two tiles, one more tile lowers that number by one. In a lane that lacks
    // none, it raises the number by two. One more zero serves any suit.
    let with_zero = missing <= zeros + 2;
    let honours_alone = lacks[3] < 2;
    let lane = |lane: usize, may: bool| match may {
        true => KindSet::of_lane(lane),
        false => KindSet::EMPTY,
    };
    let mut lanes = lane(3, with_zero & (lacks[3] > 0));
    for (i, &of_suit) in lacks[..3].iter().enumerate() {
        let may = match of_suit {
            0 => missing < zeros,
            _ => with_zero,
        };
        lanes = lanes.union(lane(i, may & honours_alone));
    }
    let now = if zeros == 0 {
        alone_without_zero
    } else {
        alone
    };
    let others = KindSet::ALL.difference(now);
    let beside = one_more(single.intersection(now), kinds.held.union(others));
    let mut wanted = lanes.intersection(beside);
    if grammar.uses_zero {
        wanted.remove(Kind::ZERO);
        let may_zero = with_zero & honours_alone & lone.is_empty();
        wanted = wanted.union(KindSet::from_bits(
            u64::from(may_zero) << Kind::ZERO.index(),
        ));
    }
    wanted
}

#[cfg(test)]
mod tests {
    use crate::counts::Counts;
    use crate::decompose::{Arrangement, Holding, Scratch};
    use crate::hand::Hand;
    use crate::meld::Meld;
    use crate::notation::Notation;
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::tile::{Kind, Suit, Tile};
    use std::ops::ControlFlow;

    /// For hands close to complete: the waits are the kinds that complete, and a hand is ready at distance 0.
    #[test]
    fn waits_are_the_kinds_that_complete() {
        for id in [
            "riichi-mcgill",
            "mcr",
            "celestial",
            "traditional",
            "woo",
            "uzje",
        ] {
            let rules = Rules::by_id(id).unwrap();
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
                    // `is_complete` does not take hands with a fifth copy.
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

    /// For hands that lack one tile of groups and a pair or of a form, some with declared melds. No kind that
    /// completes is ruled out. For random hands, most kinds are ruled out.
    #[test]
    fn what_completes_a_hand_is_not_ruled_out() {
        let mut stream = Stream::new(12, 12);
        for id in ["uzje", "riichi-mcgill", "celestial", "zung-jung", "woo"] {
            let rules = Rules::by_id(id).unwrap();
            let plan = rules.plan();
            let (decomposer, set) = (&plan.decomposer, &plan.tiles);
            let grammar = decomposer.grammar();
            let kinds: Vec<Kind> = set.copies().kinds().iter().collect();
            let shapes: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
            let (mut found, mut random, mut told) = ([0; 5], 0, 0);
            for round in 0..8000 {
                let mut pick = |n: usize| stream.below(n as u32) as usize;
                let any = |pick: &mut dyn FnMut(usize) -> usize| kinds[pick(kinds.len())];
                let (mut groups, mut tiles): (Vec<Vec<Kind>>, Vec<Kind>) = (Vec::new(), Vec::new());
                let way = round % 5;
                match way {
                    0 => tiles.extend((0..14).map(|_| any(&mut pick))),
                    1 => {
                        groups.extend((0..4).map(|_| match pick(3) {
                            0 => vec![any(&mut pick); 3],
                            _ => {
                                let shape = shapes[pick(shapes.len())];
                                shape.group(Suit::ALL[pick(3)]).tiles().collect()
                            }
                        }));
                        tiles.extend([any(&mut pick); 2]);
                    }
                    2 => (0..7).for_each(|_| tiles.extend([any(&mut pick); 2])),
                    3 => {
                        let one_each = grammar.forms().iter().filter(|form| !form.is_pairs());
                        let one_each = one_each.filter(|form| form.concealed);
                        let hand = one_each
                            .filter_map(|form| form.example(set.copies(), 14))
                            .next();
                        let Some(hand) = hand else {
                            continue;
                        };
                        tiles.extend(hand.kinds().iter());
                        let again = tiles[pick(tiles.len())];
                        tiles.resize(14, again);
                    }
                    _ => {
                        if grammar.forms().iter().all(|form| form.concealed) {
                            continue;
                        }
                        let (lane, start) = (pick(3), pick(3) as u32);
                        let ranks: Vec<Kind> =
                            (start..start + 14).map(|i| Kind::at(lane, i)).collect();
                        groups.extend(ranks[..12].chunks(3).map(<[Kind]>::to_vec));
                        tiles.extend(&ranks[12..]);
                    }
                }
                let declared = pick(groups.len() + 1);
                let melds: Vec<Meld> = groups
                    .drain(..declared)
                    .filter_map(|kinds| grammar.meld_of(&kinds))
                    .map(|group| Meld {
                        open: true,
                        ..Meld::of_own(group)
                    })
                    .collect();
                tiles.extend(groups.into_iter().flatten());
                tiles.swap_remove(pick(tiles.len()));
                let tiles: Vec<Tile> = tiles.into_iter().map(Tile::plain).collect();
                let Ok(hand) = Hand::try_new(set, &tiles, &melds, &[]) else {
                    continue;
                };
                let may = decomposer.may_complete(&hand);
                for &kind in &kinds {
                    let completes = decomposer.completes(&hand, Some(kind));
                    assert!(!completes || may.contains(kind), "{id} {hand:?} {kind}");
                    found[way] += u32::from(completes);
                }
                if way == 0 {
                    random += kinds.len();
                    told += may.intersection(set.copies().kinds()).len();
                }
            }
            assert!(
                found[1] > 500 && 3 * told < random,
                "{id}: {found:?} {told} {random}"
            );
            let forms = grammar.forms().len();
            assert!(
                forms == 0 || found[2..].iter().any(|&n| n > 300),
                "{id}: {found:?}"
            );
            assert!(
                id != "uzje" || found[2..].iter().all(|&n| n > 300),
                "{found:?}"
            );
        }
    }

    #[test]
    fn a_hand_may_wait_for_tiles_that_it_holds_itself() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
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
