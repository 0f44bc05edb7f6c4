//! The costs of a lane from those of shorter lanes.
//!
//! Some nearest target leaves the lowest tile out, has it in the pair, or has it in a group. Without that tile and the
//! other tiles of its pair or group a shorter lane remains. So a lane takes some ten lookups instead of a search, and
//! the shorter lanes are then known for other lanes.
//!
//! A shorter lane does not record which copies were used. That does not matter where the set has four copies of each
//! kind of the lane, and the lane holds at most three of each. Suppose that a target uses a kind too often. Let the
//! held tiles of that kind serve its runs first. If none is left, the pair or the pung of that kind has no held tile,
//! and any other pair or group costs the same. If one is left, it can begin one more run instead of the pung.

use super::{FOLDED, MOST_ZEROS, Tables};
use crate::counts::{ONES, at, lowest_place, nibble};
use crate::decompose::costs::{Costs, FAR};
use crate::decompose::grammar::Grammar;

/// How a target uses a tile. The numbers are the missing tiles that this adds to the costs of the shorter lane.
#[derive(Clone, Copy)]
enum Stands {
    /// It is left over.
    Nowhere,
    /// It is in the pair.
    InPair(u8),
    /// It is in a group.
    InGroup(u8),
    /// It is in a group with a zero in hand.
    WithZero(u8),
}

/// Lowers the costs of a lane by one way to use its lowest tile. `rest` are the costs of what remains.
#[inline]
fn lower(costs: &mut Costs, rest: &Costs, planes: usize, stands: Stands) {
    let (zeros, lacks) = match stands {
        Stands::Nowhere => (0, 0),
        Stands::InPair(lacks) | Stands::InGroup(lacks) => (0, lacks),
        Stands::WithZero(lacks) => (1, lacks),
    };
    for (to, from) in costs.0[zeros..planes].iter_mut().zip(&rest.0) {
        let mut lower = |i: usize, cell: u8| to[i] = to[i].min(cell + lacks);
        // A group moves a cell by two places, and a pair by one. A target has one pair at most.
        match stands {
            Stands::Nowhere => (0..from.len()).for_each(|i| lower(i, from[i])),
            Stands::InPair(_) => {
                (1..from.len())
                    .step_by(2)
                    .for_each(|i| lower(i, from[i - 1]));
            }
            Stands::InGroup(_) | Stands::WithZero(_) => {
                (2..from.len()).for_each(|i| lower(i, from[i - 2]));
            }
        }
    }
}

impl Tables {
    /// The costs of a lane from those of shorter lanes. `None` if the search is needed.
    pub(super) fn costs_from_shorter(
        &self,
        grammar: &Grammar,
        index: usize,
        counts: u64,
        held: usize,
    ) -> Option<Costs> {
        let is_plain = self.limit(index) & !(4 * ONES) == 0 && counts >> 2 & ONES == 0;
        if !is_plain || counts == 0 || grammar.groups != 4 {
            return None;
        }
        let planes = self.zeros(held).planes();
        let place = lowest_place(counts);
        let count = nibble(counts, place);
        let mut costs = Costs::FAR;
        let mut try_with = |rest: u64, ways: &[Stands]| {
            let rest = self.shorter(grammar, index, rest, held)?;
            ways.iter()
                .for_each(|&stands| lower(&mut costs, rest, planes, stands));
            Some(())
        };
        let one = at(place, 1);
        let alone = [Stands::Nowhere, Stands::InPair(1), Stands::InGroup(2)];
        try_with(counts - one, &alone)?;
        if count >= 2 {
            try_with(counts - 2 * one, &[Stands::InPair(0), Stands::InGroup(1)])?;
        }
        if count >= 3 {
            try_with(counts - 3 * one, &[Stands::InGroup(0)])?;
        }
        if index < 3 {
            let through = grammar.shapes_with[place as usize].intersection(self.runs[index]);
            let with_zero = through.intersection(grammar.zero_shapes);
            if !with_zero.is_empty() {
                try_with(counts - one, &[Stands::WithZero(1)])?;
            }
            // The other tiles of its runs. A run that leaves out a held tile is no better than one that uses it.
            let mut others = (counts | counts >> 1 | counts >> 2) & ONES & !one;
            while others != 0 {
                let other = lowest_place(others);
                others &= others - 1;
                let runs = through.intersection(grammar.shapes_with[other as usize]);
                if runs.is_empty() {
                    continue;
                }
                let two = one | at(other, 1);
                let ways = [Stands::InGroup(1), Stands::WithZero(0)];
                let has_zero = !runs.intersection(with_zero).is_empty();
                try_with(counts - two, &ways[..1 + usize::from(has_zero)])?;
                let mut thirds = others;
                while thirds != 0 {
                    let third = lowest_place(thirds);
                    thirds &= thirds - 1;
                    if !runs
                        .intersection(grammar.shapes_with[third as usize])
                        .is_empty()
                    {
                        try_with(counts - two - at(third, 1), &[Stands::InGroup(0)])?;
                    }
                }
            }
        }
        // The places after the last cell are unused.
        for plane in &mut costs.0[..planes] {
            plane[10..].fill(FAR);
        }
        Some(costs)
    }

    /// The costs of a lane that is part of another lane in the tables.
    #[inline]
    fn shorter(&self, grammar: &Grammar, index: usize, counts: u64, held: usize) -> Option<&Costs> {
        let number = self.numbering(index).number(counts);
        let alike = self.alike[index];
        let find = || self.find_costs(grammar, index, counts, held);
        match self.folded.get(held) {
            Some(folded) => folded.lanes[alike].costs_of(number, find),
            None if held == MOST_ZEROS => self.many[alike].costs_of(number, find),
            None => None,
        }
    }
}

const _: () = assert!(FOLDED <= MOST_ZEROS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::lane_sum;
    use crate::meld::Family;
    use crate::random::Stream;

    use crate::ruleset::{OptionValue, Rules};
    use crate::tile::Kind;

    /// Lanes of arbitrary tiles, and of tiles close together.
    #[test]
    fn shorter_lanes_tell_what_the_search_finds() {
        let rounds = std::env::var("PAISHAN_LANES").map_or(2000, |n| n.parse().unwrap());
        let mut stream = Stream::new(41, 41);
        let uzje = |players| {
            let options = [("players".to_owned(), OptionValue::Int(players))];
            let rules = Rules::by_id_with("uzje", &options).unwrap();
            rules.plan().decomposer.grammar().clone()
        };
        // The characters have odd ranks only, so runs of three ranks in a row are impossible there.
        let mut copies = *uzje(5).copies();
        for place in [1, 3, 5, 7] {
            copies.set(Kind::at(2, place), 0);
        }
        let runs: Vec<_> = (1..=14)
            .map(|rank| (Family::Arith, [rank, rank + 1, rank + 2]))
            .chain([(Family::Arith, [0, 2, 4])])
            .collect();
        let uneven = Grammar::new(copies, 4, &runs, true, true, Vec::new()).unwrap();
        for grammar in &[uzje(4), uzje(5), uneven] {
            let tables = Tables::new(grammar).unwrap();
            let (mut told, mut most) = (0, 0);
            for _ in 0..rounds {
                let mut pick = |n: u32| stream.below(n);
                let index = pick(4) as usize;
                let held = [0, 1, MOST_ZEROS][pick(3) as usize];
                let tiles = 1 + pick(10);
                let (from, width) = [(0, 16), (pick(12), 5)][pick(2) as usize];
                let mut counts = 0;
                for _ in 0..100 {
                    let place = from + pick(width);
                    let room = nibble(tables.limit(index), place) > nibble(counts, place);
                    if room && lane_sum(counts) < tiles && place < 16 {
                        counts += at(place, 1);
                    }
                }
                if !tables.numbering(index).has(counts, 0) {
                    continue;
                }
                if let Some(costs) = tables.costs_from_shorter(grammar, index, counts, held) {
                    let searched = tables.search(grammar, index, counts, held);
                    assert_eq!(costs, searched, "{index} {counts:x} {held}");
                    told += 1;
                    most = most.max(lane_sum(counts));
                }
            }
            assert!(told > rounds / 3 && most >= 8, "{told} {most}");
        }
    }
}
