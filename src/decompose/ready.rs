//! Where a tile could lie that completes a hand: a quick way to tell that there is none.

use super::grammar::Grammar;
use crate::counts::{Counts, lane_sum};
use crate::set::KindSet;
use crate::tile::Kind;

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
    let all_but = |lanes: &[usize]| (0..4).all(|lane| lanes.contains(&lane) || rest[lane] == 0);
    let mut lanes = [false; 4];
    for lane in 0..4 {
        // The pair lies in this lane, too, or in another.
        let pair_here = rest[lane] == 1 && all_but(&[lane]);
        let pair_there = rest[lane] == 2
            && (0..4).any(|pair| pair != lane && rest[pair] == 2 && all_but(&[lane, pair]));
        lanes[lane] = pair_here || pair_there;
    }
    // An honour stands beside its like alone: one left over by itself is what must be completed.
    let is_honour = |kind: &Kind| kind.lane() == 3;
    let left_over = |kind: &Kind| concealed.get(*kind) % 3 == 1;
    let honours = || copies.iter().filter(is_honour);
    let mut single = honours().filter(left_over);
    match (single.next(), single.next()) {
        (None, _) => {
            let held = |kind: &Kind| !is_honour(kind) || concealed.get(*kind) > 0;
            let wanted = |kind: &Kind| lanes[kind.lane()] && held(kind);
            copies.iter().filter(wanted).collect()
        }
        (Some(kind), None) if lanes[3] => KindSet::one(kind),
        _ => KindSet::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use crate::counts::Counts;
    use crate::decompose::Holding;
    use crate::notation::Notation;
    use crate::ruleset::{Ruleset, by_id};

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
