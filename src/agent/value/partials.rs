//! [`Partials`]: how likely a ready hand waits for a tile, by what all players can see.

use super::signs::Signs;
use crate::counts::Counts;
use crate::decompose::Grammar;
use crate::set::KindSet;
use crate::tile::Kind;

/// Sorts of tiles by how likely a ready hand waits for them: 6 by [`Partials::level`], times 4 by unseen copies, and one for
/// kinds that the player has discarded.
pub(super) const SORTS: usize = 25;

/// Two tiles of a run that wait for the third.
#[derive(Clone, Debug)]
struct Partial {
    /// Their places.
    tiles: u16,
    /// The places of all numbers that complete them.
    waits: u16,
}

/// The partial runs that wait for a number, by its place.
#[derive(Clone, Debug)]
pub(super) struct Partials {
    of: [Vec<Partial>; 16],
    /// The most that [`Self::weight`] can be.
    most: u32,
}

impl Partials {
    pub(super) fn of(grammar: &Grammar) -> Self {
        let places = |mask: u64| (0..16).filter(move |place| mask >> (4 * place) & 15 != 0);
        let runs: Vec<u16> = grammar
            .shapes
            .iter()
            .filter(|shape| !shape.takes_zero())
            .map(|shape| places(shape.mask).fold(0, |set, place| set | 1 << place))
            .collect();
        let partials = |place: usize| {
            let with = runs.iter().filter(|run| *run >> place & 1 == 1);
            let partial = with.map(|run| {
                let tiles = run & !(1 << place);
                let all = runs.iter().filter(|run| *run & tiles == tiles);
                Partial {
                    tiles,
                    waits: all.fold(0, |waits, run| waits | run & !tiles),
                }
            });
            partial.collect()
        };
        let mut this = Self {
            of: std::array::from_fn(partials),
            most: 1,
        };
        let most = (0..16).map(|place| this.weight(place, u16::MAX, 0)).max();
        this.most = most.unwrap_or(0).max(1);
        this
    }

    /// How many numbers the partial runs wait for that another player may still have: of unseen tiles, and waiting for
    /// no number that is safe.
    fn weight(&self, place: usize, unseen: u16, safe: u16) -> u32 {
        let is_live = |one: &&Partial| one.tiles & !unseen == 0 && one.waits & safe == 0;
        let live = self.of[place].iter().filter(is_live);
        live.map(|one| one.waits.count_ones()).sum()
    }

    /// How likely runs wait for a kind, from 0 to 5.
    fn level(&self, kind: Kind, unseen: KindSet, safe: KindSet) -> usize {
        if kind.suit().is_none() {
            return 0;
        }
        let in_lane = |kinds: KindSet| (kinds.bits() >> (16 * kind.lane())) as u16;
        let weight = self.weight(kind.place() as usize, in_lane(unseen), in_lane(safe));
        (5 * weight).div_ceil(self.most) as usize
    }

    /// The sort of a kind as a discard. `unseen` are the tiles that the discarder has not seen, and `kinds` their kinds. A tile
    /// that the other player discarded before its hand changed last is hardly one that it has kept another of.
    pub(super) fn sort(&self, kind: Kind, unseen: &Counts, kinds: KindSet, signs: &Signs) -> usize {
        if signs.discarded.contains(kind) {
            return SORTS - 1;
        }
        let level = self.level(kind, kinds.difference(signs.before), signs.safe);
        4 * level + usize::from(unseen.get(kind).min(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;
    use crate::tile::{Rank, Suit};

    #[test]
    fn discards_and_seen_tiles_make_runs_unlikely() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let partials = Partials::of(rules.plan().decomposer.grammar());
        let kinds = rules.plan().tiles.kinds();
        let number = |rank| Kind::number(Suit::Bamboos, Rank::new(rank).unwrap());
        let level = |rank, unseen, safe: &[u8]| {
            let safe = safe.iter().map(|&rank| number(rank)).collect();
            partials.level(number(rank), unseen, safe)
        };
        // 34, 46 and 67, of which two wait for two numbers each.
        assert_eq!(level(5, kinds, &[]), 5);
        assert_eq!(level(5, kinds, &[2]), 3);
        assert_eq!(level(5, kinds, &[2, 8]), 1);
        assert_eq!(level(1, kinds, &[]), 2);
        assert_eq!(level(1, kinds, &[4]), 0);
        let without = kinds.difference([number(4)].into_iter().collect());
        assert_eq!(level(5, without, &[]), 2);
        assert_eq!(partials.level(Kind::EAST, kinds, KindSet::EMPTY), 0);
    }
}
