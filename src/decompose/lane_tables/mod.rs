//! Distances of all grammars but the classical one, from tables of limited size.
//!
//! A lane of few tiles has a [number](numbering). For this number, and each number of zeros in hand, the
//! tables have the [class](classes) of the lane: which vector of costs it has.
//!
//! To *fold* two lanes is to look up the class of both together. The bamboos fold with the characters, and the circles
//! with the honours. The two classes that result give the missing tiles of the hand. With two or three zeros in hand
//! there are too many classes to fold, so the vectors are combined instead.
//!
//! An entry is computed when it is first needed, from [shorter lanes](shorter) or by the [search](super::distance), and
//! kept for all threads. So a hand made of known lanes takes a few memory accesses.
//!
//! Some hands are left to the search: hands with all zeros that are left, and hands with lanes of more tiles. Copies
//! used by declared melds are ignored; see [`limits`](super::limits).
//!
//! Memory: at most 16 MB a grammar.

mod classes;
mod discards;
mod hand;
mod many;
mod numbering;
mod rows;
mod shorter;

use super::costs::{Costs, Zeros};
use super::distance::{self, Lane};
use super::grammar::{Grammar, ShapeSet};
use crate::counts::{Counts, ZERO_NIBBLE, lane_covers};
use crate::tile::Kind;
use classes::Classes;
pub(super) use discards::Discards;
pub(super) use hand::LaneHand;
use numbering::Numbering;
use numbering::TILES;
use rows::AcceptRows;
use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// The most lanes with a number, with a class for two or three zeros in hand, and with [rows] for no zero and
/// one. If the circles are joined to the honours, these two need no table of pairs, which leaves room for more
/// rows.
const LANES: usize = 5_062_000;
const LANES_WITH_MANY: usize = 745_000;
const ROWS: usize = 95_500;
const ROWS_OF_JOINED: usize = 101_600;
/// The most tiles of a lane in the tables, by zeros in hand. The more zeros, the more classes.
const TILES_BY_ZEROS: [usize; MOST_ZEROS + 1] = [TILES, TILES, 8, 8];
/// Room for the classes of a lane: where lanes are folded, and where more zeros are in hand.
const CLASSES: usize = 256;
const CLASSES_OF_MANY: usize = 1024;
/// The most zeros in hand. With all four, a target might need a fifth zero, which the tables cannot exclude.
const MOST_ZEROS: usize = 3;
/// Lanes are folded for this many numbers of zeros: none and one.
const FOLDED: usize = 2;
/// The lanes that fold to one class: bamboos and characters, circles and honours.
const PAIRS: [[usize; 2]; 2] = [[1, 2], [0, 3]];
/// Room for the classes of two lanes: `SUITS` for bamboos and characters, by zeros in hand, and `OTHERS` for circles
/// and honours. `JOINED` is for circles and honours that are one lane.
const SUITS: [usize; FOLDED] = [512, 1216];
const OTHERS: usize = 192;
const JOINED: usize = 64;
/// The most tiles of a lane that has a [row](rows), by zeros in hand.
const ROW_TILES: [usize; FOLDED] = [6, 5];

/// The tables for one number of zeros in hand.
struct Folded {
    lanes: [Classes<AtomicU8>; 4],
    /// For each lane, its classes with one tile more.
    rows: [AcceptRows; 4],
    /// The classes of the folded lanes: the *suits* (bamboos and characters) and the *others* (circles and honours).
    pairs: [Classes<AtomicU16>; 2],
    /// By needed groups (1 to 4): one more than the tiles missing from them and a pair, or 0 if not known
    /// yet. See [`Folded::missing_from`] for the index.
    missing: [Box<[AtomicU8]>; 4],
    /// How far apart in `missing` two classes of the others are: the number of classes of the suits, plus
    /// one.
    step: usize,
}

impl Folded {
    /// The missing tiles for `need` groups and a pair. The index is [`Folded::step`] times the class of the
    /// others plus one, plus the class of the suits plus one. Index 0 means no class. `None` for the
    /// pair alone, which is rarely asked for.
    #[inline]
    fn missing_from(&self, need: usize) -> Option<&[AtomicU8]> {
        self.missing.get(need.wrapping_sub(1)).map(|all| &**all)
    }
}

/// The tables of one grammar.
pub(super) struct Tables {
    uses_zero: bool,
    /// Copies of each kind by lane, zeros left out.
    limits: [u64; 4],
    /// The runs that a lane can make, by lane. Those with a zero count.
    runs: [ShapeSet; 4],
    /// The circles make no runs. Then they are put into the lane of honours, and lane 0 is not used.
    joined: bool,
    /// For each lane, the first one with the same kinds. Both use the tables of that one.
    alike: [usize; 4],
    /// Numbers of lanes, by `alike`. Lanes that use another's have an empty one.
    numberings: [Numbering; 4],
    folded: [Folded; FOLDED],
    /// The costs of lanes with [`MOST_ZEROS`] zeros in hand. They are also used for fewer zeros.
    many: [Classes<AtomicU16>; 4],
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl Tables {
    /// Empty tables for a grammar. `None` if the grammar must be searched: it is not roomy, it has zeros but not
    /// four of them, or it has more than four groups.
    pub(super) fn new(grammar: &Grammar) -> Option<Self> {
        let odd_zeros = grammar.uses_zero && grammar.copies.get(Kind::ZERO) != 4;
        if !grammar.standard || !grammar.roomy || odd_zeros || grammar.groups > 4 {
            return None;
        }
        let uses_zero = grammar.uses_zero;
        let limits = lanes(&grammar.copies, uses_zero);
        let has_runs = grammar
            .shapes
            .iter()
            .any(|shape| lane_covers(limits[0], shape.mask));
        let joined = !has_runs && limits[0] & limits[3] == 0;
        // The honours make no runs, so they are like no suit.
        let alike: [usize; 4] = std::array::from_fn(|lane| match lane {
            3 => 3,
            _ => limits
                .iter()
                .position(|&limit| limit == limits[lane])
                .unwrap_or(lane),
        });
        let mut left = LANES;
        let mut left_with_many = LANES_WITH_MANY;
        let mut left_rows = if joined { ROWS_OF_JOINED } else { ROWS };
        let mut numbering = |lane: usize| {
            let numbering = match lane {
                0 if joined => Numbering::new(limits[0], 1),
                3 if joined => Numbering::new(limits[0] | limits[3], left),
                _ if alike[lane] == lane => Numbering::new(limits[lane], left),
                _ => Numbering::new(limits[lane], 1),
            };
            left -= numbering.size().min(left);
            numbering
        };
        // Honours and circles first: the other suits share the room that is left.
        let honours = numbering(3);
        let numberings = [numbering(0), numbering(1), numbering(2), honours];
        let others = if joined { JOINED } else { OTHERS };
        let mut rows = |numbering: &Numbering, zeros: usize| {
            let lanes = match numbering.size() {
                1 => 0,
                _ => numbering.size_of(ROW_TILES[zeros]).min(left_rows),
            };
            left_rows -= lanes;
            AcceptRows::new(lanes)
        };
        let mut folded = |zeros: usize| {
            // Honours first: they have few rows, and every hand needs one.
            let [honours, circles, bamboos, characters] =
                [3, 0, 1, 2].map(|lane| rows(&numberings[lane], zeros));
            let pairs = if joined { 0 } else { CLASSES * CLASSES };
            Folded {
                lanes: std::array::from_fn(|lane| {
                    let most = if lane == 3 { others } else { CLASSES };
                    Classes::new(numberings[lane].size_of(TILES_BY_ZEROS[zeros]), most)
                }),
                rows: [circles, bamboos, characters, honours],
                pairs: [
                    Classes::new(CLASSES * CLASSES, SUITS[zeros]),
                    Classes::new(pairs, others),
                ],
                missing: std::array::from_fn(|_| {
                    let unknown = (0..(SUITS[zeros] + 1) * (others + 1)).map(|_| AtomicU8::new(0));
                    unknown.collect()
                }),
                step: SUITS[zeros] + 1,
            }
        };
        // The rows with a zero in hand get their room first, because they are of shorter lanes.
        let with_zero = folded(1);
        let folded = [folded(0), with_zero];
        Some(Self {
            uses_zero,
            limits,
            runs: std::array::from_fn(|lane| match lane {
                3 => ShapeSet::EMPTY,
                _ => grammar.runs_of(limits[lane]),
            }),
            joined,
            alike,
            folded,
            many: std::array::from_fn(|lane| {
                let size = match uses_zero {
                    true => numberings[lane].size_of(TILES_BY_ZEROS[FOLDED]),
                    false => 0,
                };
                // The lanes with the fewest tiles have the lowest numbers, so these are kept.
                let size = size.min(left_with_many);
                left_with_many -= size;
                Classes::new(size, CLASSES_OF_MANY)
            }),
            numberings,
        })
    }

    #[inline]
    fn numbering(&self, lane: usize) -> &Numbering {
        &self.numberings[self.alike[lane]]
    }

    /// True if the class of this suit may be the second index when the suits fold. If both suits have the
    /// same kinds, either may.
    #[inline]
    fn stands_second(&self, suit: usize) -> bool {
        suit == 2 || self.alike[1] == self.alike[2]
    }

    fn zeros(&self, held: usize) -> Zeros {
        if self.uses_zero {
            Zeros::Shared(held)
        } else {
            Zeros::None
        }
    }

    /// Copies of each kind in a lane. If lanes are joined, the circles are in the lane of honours.
    fn limit(&self, index: usize) -> u64 {
        match index {
            3 if self.joined => self.limits[0] | self.limits[3],
            _ => self.limits[index],
        }
    }

    /// Finds the costs of a lane that are not known yet.
    fn find_costs(&self, grammar: &Grammar, index: usize, counts: u64, held: usize) -> Costs {
        self.costs_from_shorter(grammar, index, counts, held)
            .unwrap_or_else(|| self.search(grammar, index, counts, held))
    }

    /// Searches the costs of a lane.
    fn search(&self, grammar: &Grammar, index: usize, counts: u64, held: usize) -> Costs {
        distance::lane_costs(
            grammar,
            &Lane {
                index,
                counts,
                limit: self.limit(index),
                zeros: self.zeros(held),
            },
        )
    }

    /// The costs of a lane from the tables. `None` if the tables lack it, or if declared melds use copies of
    /// it.
    pub(super) fn costs(&self, grammar: &Grammar, lane: &Lane) -> Option<&Costs> {
        let Lane { index, counts, .. } = *lane;
        let held = lane.zeros.shared()?;
        let numbering = self.numbering(index);
        if lane.limit != self.limits[index] || !numbering.has(counts, 0) {
            return None;
        }
        let (number, alike) = (numbering.number(counts), self.alike[index]);
        if held > MOST_ZEROS {
            return None;
        }
        match self.folded.get(held) {
            Some(folded) => {
                let search = || self.find_costs(grammar, index, counts, held);
                folded.lanes[alike].costs_of(number, search)
            }
            None => {
                let search = || self.find_costs(grammar, index, counts, MOST_ZEROS);
                self.many[alike].costs_of(number, search)
            }
        }
    }

    /// The most tiles of a lane like this one in the tables. `None` if declared melds use copies of it, or if
    /// the tables do not cover its zeros.
    pub(super) fn tiles(&self, lane: &Lane) -> Option<usize> {
        let most = tiles(lane.zeros)?;
        (lane.limit == self.limits[lane.index]).then_some(most)
    }

    /// The class of a lane, given its number and its counts.
    #[inline]
    fn class(
        &self,
        grammar: &Grammar,
        lane: usize,
        (number, counts): (usize, u64),
        zeros: usize,
    ) -> Option<usize> {
        self.folded[zeros].lanes[self.alike[lane]]
            .class(number, || self.find_costs(grammar, lane, counts, zeros))
    }

    /// The class of a pair of lanes, given theirs.
    #[inline]
    fn fold(&self, pair: usize, classes: [usize; 2], zeros: usize) -> Option<usize> {
        let folded = &self.folded[zeros];
        folded.pairs[pair].class(cell_of_pair(classes[0], classes[1] + 1), || {
            let [a, b] = [0, 1].map(|i| {
                let lane = self.alike[PAIRS[pair][i]];
                folded.lanes[lane].costs(classes[i])
            });
            a.plus(b, zeros + 1)
        })
    }

    /// The missing tiles, given the classes of the suits and of the others.
    #[inline]
    fn of_pairs(&self, [suits, others]: [usize; 2], zeros: usize, need: usize) -> u8 {
        let folded = &self.folded[zeros];
        let find = || {
            let others = match self.joined {
                true => folded.lanes[3].costs(others),
                false => folded.pairs[1].costs(others),
            };
            let suits = folded.pairs[0].costs(suits);
            suits.least(others, need, zeros + 1, (zeros, zeros))
        };
        let Some(entry) = folded
            .missing_from(need)
            .map(|all| &all[folded.step * (others + 1) + suits + 1])
        else {
            return find();
        };
        match entry.load(Ordering::Relaxed) {
            0 => {
                let missing = find();
                entry.store(missing + 1, Ordering::Relaxed);
                missing
            }
            known => known - 1,
        }
    }

    /// Folds the classes of four lanes to those of the suits and the others.
    #[inline]
    fn pairs(&self, classes: &[usize; 4], zeros: usize) -> Option<[usize; 2]> {
        let pair = |pair: usize| {
            let classes = PAIRS[pair].map(|lane| classes[lane]);
            match pair {
                1 if self.joined => Some(classes[1]),
                _ => self.fold(pair, classes, zeros),
            }
        };
        Some([pair(0)?, pair(1)?])
    }
}

/// The index of two lanes in the table of their pair: by the class of the first, and the class of the second
/// plus one.
#[inline]
const fn cell_of_pair(first: usize, second: usize) -> usize {
    CLASSES * first + second
}

/// The most tiles of a lane in the tables. `None` if zeros are counted or too many are in hand.
pub(super) fn tiles(zeros: Zeros) -> Option<usize> {
    TILES_BY_ZEROS.get(zeros.shared()?).copied()
}

/// The lanes of a hand. Zeros are left out if the grammar uses them, because then they belong to all lanes.
#[inline]
fn lanes(counts: &Counts, uses_zero: bool) -> [u64; 4] {
    let zeros = if uses_zero { ZERO_NIBBLE } else { 0 };
    let honours = counts.lane(3) & !zeros;
    [counts.lane(0), counts.lane(1), counts.lane(2), honours]
}

#[cfg(test)]
impl Tables {
    /// The memory of the tables. The hash maps of classes, a few kilobytes, are left out.
    fn bytes(&self) -> usize {
        let numberings: usize = self.numberings.iter().map(Numbering::bytes).sum();
        let folded = self.folded.iter().map(|folded| {
            let lanes: usize = folded.lanes.iter().map(Classes::bytes).sum();
            let pairs: usize = folded.pairs.iter().map(Classes::bytes).sum();
            let rows: usize = folded.rows.iter().map(AcceptRows::bytes).sum();
            let missing: usize = folded.missing.iter().map(|missing| missing.len()).sum();
            lanes + rows + pairs + missing
        });
        let many: usize = self.many.iter().map(Classes::bytes).sum();
        numberings + folded.sum::<usize>() + many
    }
}

#[cfg(test)]
mod tests {
    use crate::counts::Counts;
    use crate::decompose::lanes::Lanes;
    use crate::decompose::{Decomposer, Grammar, Holding, Scratch};
    use crate::meld::Group;
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::tile::Kind;

    /// A random hand of any size, some with declared melds. It is one of these: arbitrary tiles, one suit and
    /// zeros, two suits, few kinds with many alike, zeros and honours.
    fn hand(decomposer: &Decomposer, stream: &mut Stream) -> Holding {
        let grammar = decomposer.grammar();
        let mut pick = |n: usize| stream.below(n as u32) as usize;
        let all: Vec<Kind> = grammar.copies().kinds().iter().collect();
        let (way, suit, other) = (pick(6), pick(3), pick(3));
        let few: Vec<Kind> = (0..6).map(|_| all[pick(all.len())]).collect();
        let of_suit: Vec<Kind> = all
            .iter()
            .copied()
            .filter(|kind| kind.lane() == 1 + suit % 2)
            .collect();
        let of_few: Vec<Kind> = (0..6).map(|_| of_suit[pick(of_suit.len())]).collect();
        let zeros = pick(4);
        let from = all.into_iter().filter(|kind| match way {
            0 => true,
            1 => of_suit.contains(kind),
            2 => kind.lane() == suit || kind.lane() == other,
            3 => few.contains(kind),
            4 => kind.lane() == 3 || kind.lane() == suit,
            _ => of_few.contains(kind) || kind.lane() == 0,
        });
        let from: Vec<Kind> = from.collect();
        let size = [14, 13, 11, 10, 8, 7][pick(6)];
        let mut tiles = Counts::EMPTY;
        for _ in 0..zeros * usize::from(way != 0) {
            tiles.try_add(Kind::ZERO);
        }
        for _ in 0..1000 {
            let kind = from[pick(from.len())];
            if tiles.total() < size && tiles.get(kind) < grammar.copies().get(kind) {
                tiles.try_add(kind);
            }
        }
        while tiles.total() < size {
            tiles.try_add(Kind::at(3, 1 + pick(4) as u32));
        }
        let mut holding = Holding::of_tiles(tiles);
        if size < 12 && pick(2) == 0 {
            // Declares one of the missing melds.
            let group = match pick(2) {
                0 => Group::pung(from[pick(from.len())]),
                _ => {
                    let shapes: Vec<_> = grammar.shapes().collect();
                    let suits = crate::tile::Suit::ALL;
                    shapes[pick(shapes.len())].1.group(suits[1 + pick(2)])
                }
            };
            let mut whole = tiles;
            if group.tiles().all(|kind| whole.try_add(kind)) {
                holding.declare(group, true);
                holding.melds -= 1;
            }
        }
        holding
    }

    /// Ùzje for some number of players. With five, the circles have all ranks.
    fn uzje(players: i64) -> Decomposer {
        let rules = Rules::by_id("uzje").unwrap();
        let rules = rules.with("players", players).unwrap();
        rules.plan().decomposer().clone()
    }

    /// Ùzje with suits of `ranks` ranks, where `fewest` has the copies of the lowest ranks of each suit.
    fn unlike(fewest: [&[u8]; 3], ranks: u32) -> Grammar {
        let all = uzje(4).grammar().clone();
        let runs: Vec<_> = all
            .shapes()
            .map(|(_, shape)| (shape.family(), shape.ranks()))
            .collect();
        let mut copies = *all.copies();
        for (lane, fewest) in fewest.into_iter().enumerate() {
            for place in 0..16 {
                let few = fewest.get(place as usize).copied().unwrap_or(4);
                copies.set(Kind::at(lane, place), if place < ranks { few } else { 0 });
            }
        }
        Grammar::new(copies, 4, &runs, true, true, Vec::new()).unwrap()
    }

    /// The tables and the split of long lanes agree with the plain search of each lane.
    fn check(decomposer: &Decomposer, hands: usize, seed: u64) {
        let mut stream = Stream::new(seed, 3);
        let (mut scratch, mut slow) = (Scratch::new(), Scratch::new());
        for _ in 0..hands {
            let holding = hand(decomposer, &mut stream);
            let lanes = Lanes::new(decomposer.grammar(), None, &holding, &mut slow);
            let distance = lanes.distance();
            assert_eq!(
                decomposer.distance(&holding, &mut scratch),
                distance,
                "{holding:?}"
            );
            let accepts = lanes.accepts(distance, &mut slow);
            let found = decomposer.accepts(&holding, &mut scratch);
            assert_eq!(found, (distance, accepts), "{holding:?}");
            if holding.concealed.total() % 3 == 2 {
                let found = decomposer.all_discards_slowly(&holding, &mut slow);
                let told = decomposer.all_discards(&holding, &mut scratch);
                assert_eq!(told, found, "{holding:?}");
            }
        }
    }

    #[test]
    fn tables_tell_what_the_search_finds() {
        for players in [4, 5] {
            check(&uzje(players), 2500, 1);
        }
    }

    #[test]
    #[ignore = "takes long: cargo test --release --lib -- --ignored many_hands"]
    fn tables_tell_what_the_search_finds_in_many_hands() {
        for players in [4, 5] {
            check(&uzje(players), 20_000, 2);
        }
    }

    /// The same where the set has few copies of some kinds.
    #[test]
    fn tables_know_of_few_copies() {
        let few: [&[u8]; 3] = [&[1; 16], &[3, 2, 1, 3, 2, 1, 3], &[2; 16]];
        check(&Decomposer::new(unlike(few, 16)), 1000, 4);
    }

    /// Threads that fill the same tables at once all get the same answers.
    #[test]
    fn threads_share_tables() {
        let rules = Rules::by_id("uzje").unwrap();
        let decomposer = rules.plan().decomposer().clone();
        let distances = |decomposer: &Decomposer| -> Vec<i8> {
            let mut stream = Stream::new(9, 9);
            let mut scratch = Scratch::new();
            let hands = (0..400).map(|_| hand(decomposer, &mut stream));
            hands
                .map(|holding| decomposer.distance(&holding, &mut scratch))
                .collect()
        };
        let found: Vec<Vec<i8>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| distances(&decomposer)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        let alone = distances(&Decomposer::new(decomposer.grammar().clone()));
        assert!(found.iter().all(|distances| *distances == alone));
    }

    fn tiles(text: &str) -> Counts {
        let mut tiles = Counts::EMPTY;
        for tile in crate::notation::Notation::Ujmj.parse(text).unwrap() {
            assert!(tiles.try_add(tile.kind().unwrap()));
        }
        tiles
    }

    /// Tiles that are not in the set are held but never count. They are never taken for other tiles, and nothing
    /// panics.
    #[test]
    fn tiles_of_no_set_are_of_no_use() {
        let mut scratch = Scratch::new();
        for (id, text, without) in [
            ("uzje", "1111xtfffft", "1111tfffft"),
            ("traditional", "x123t456s789m11s55m", "123t456s789m11s55m"),
        ] {
            let rules = Rules::by_id(id).unwrap();
            let decomposer = &rules.plan().decomposer;
            let holding = Holding::of_tiles(tiles(text));
            let melds = holding.melds;
            let rest = Holding {
                melds,
                ..Holding::of_tiles(tiles(without))
            };
            let distance = decomposer.distance(&holding, &mut scratch);
            assert_eq!(distance, decomposer.distance(&rest, &mut scratch), "{id}");
            let (_, accepts) = decomposer.accepts(&holding, &mut scratch);
            assert!(accepts.is_subset(decomposer.grammar().copies().kinds()));
            decomposer.waits(&holding);
            assert!(!decomposer.is_complete(&holding));
            decomposer.is_ready(&holding);
        }
    }

    /// The same if one more tile makes a lane with such a tile long.
    #[test]
    fn tiles_of_no_set_rule_nothing_out() {
        let mut slow = Scratch::new();
        let rules = Rules::by_id("traditional").unwrap();
        let decomposer = &rules.plan().decomposer;
        for text in ["123456778xsEEE", "1123445677xsEW"] {
            let holding = Holding::of_tiles(tiles(text));
            let lanes = Lanes::new(decomposer.grammar(), None, &holding, &mut slow);
            let distance = lanes.distance();
            let accepts = lanes.accepts(distance, &mut slow);
            assert!(accepts.iter().any(|kind| kind.lane() == 1), "{text}");
            let found = decomposer.accepts(&holding, &mut Scratch::new());
            assert_eq!(found, (distance, accepts), "{text}");
        }
    }

    /// One scratch can be used for grammars that have the same tiles and different groups.
    #[test]
    fn memory_is_shared_between_grammars() {
        let fewer = "ruleset = { id = \"fewer\", extends = \"uzje\" }\n\
                     [melds.arith]\nsteps = [1]\nzero = false\n";
        let all = Rules::by_id("uzje").unwrap();
        let fewer = Rules::from_toml("fewer.toml", fewer).unwrap();
        let mut holding = Holding::of_tiles(tiles("1258xs147am9m"));
        holding.melds = 0;
        holding.declare(Group::pung(tiles("3s").iter().next().unwrap()), true);
        let [all, fewer] = [&all, &fewer].map(|rules| &rules.plan().decomposer);
        let mut shared = Scratch::new();
        all.distance(&holding, &mut shared);
        let after = fewer.distance(&holding, &mut shared);
        assert_eq!(after, fewer.distance(&holding, &mut Scratch::new()));
        assert_ne!(after, all.distance(&holding, &mut shared));
    }

    /// The tables stay within the memory that their docs promise, even if no two suits are alike.
    #[test]
    fn tables_keep_within_their_bound() {
        let mut all = [4, 5]
            .map(|players| uzje(players).grammar().clone())
            .to_vec();
        all.extend([
            unlike([&[4], &[3], &[2]], 16),
            unlike([&[3], &[4], &[1]], 12),
        ]);
        for grammar in &all {
            let bytes = super::Tables::new(grammar).unwrap().bytes();
            assert!((5_000_000..=16_000_000).contains(&bytes), "{bytes}");
        }
    }
}
