//! Declared melds use copies of their kinds. This file finds out whether that changes the distance.
//!
//! The tables assume that every copy that is not concealed can still be drawn. With declared tiles their answer
//! is a lower bound. It is exact unless every nearest target needs a copy that is gone, which is rare.
//!
//! A kind with declared tiles has a *limit*: its copies in the set minus the declared ones. A target that exceeds
//! a limit can nearly always be changed to one that does not and has no more missing tiles. A pair with two missing
//! tiles may be a pair of any kind, and a group with three may be any group. A roomy set always has one. A group
//! that holds one tile of another kind may be a pung of that kind, unless that kind is *stuck*: the hand holds all
//! four of it, or holds two and has declared one, so the target may use it elsewhere. So a limit can matter only in
//! these cases:
//!
//! - One copy is gone, two or more are concealed, and some run through the kind holds its two other tiles or one
//!   that is stuck.
//! - Two copies or more are gone, and one is concealed.
//! - Two copies or more are gone, and two runs through the kind hold their four other tiles, or one holds a tile
//!   that is stuck. If all copies are gone, one run that holds two tiles is enough.
//!
//! A limit that matters for some tiles also matters for more tiles. All this holds where the set has four copies of
//! each of its kinds. In other sets any limit may matter.

use super::distance::matched;
use super::grammar::{Grammar, ShapeId};
use super::holding::{AlikeMelds, Holding};
use super::zeros::zeros_of;
use crate::counts::{Counts, ONES, ZERO_NIBBLE, at, lane_covers, lane_sum, lowest_place, nibble};
use crate::set::KindSet;
use crate::tile::Kind;

/// Places at which a nibble is 1 or more, as ones.
#[inline(always)]
const fn some(lane: u64) -> u64 {
    (lane | lane >> 1 | lane >> 2) & ONES
}

/// Places at which a nibble is 2 or more, as ones.
#[inline(always)]
const fn several(lane: u64) -> u64 {
    (lane >> 1 | lane >> 2) & ONES
}

/// The places of kinds that are stuck, as ones.
#[inline(always)]
const fn stuck(concealed: u64, declared: u64) -> u64 {
    (concealed >> 2 | several(concealed) & some(declared)) & ONES
}

/// For each place of a classical suit, what is two below, one below, one above and two above.
#[inline(always)]
const fn neighbours(lane: u64) -> [u64; 4] {
    [lane << 8, lane << 4, lane >> 4, lane >> 8]
}

/// The places of a classical suit whose limit may matter, as ones. It may return places whose limit does not
/// matter, because it does not count the tiles of two runs.
#[inline(always)]
fn suspects(concealed: u64, declared: u64) -> u64 {
    let (held, twice) = (some(concealed), several(concealed));
    let gone = several(declared);
    let one_gone = declared & ONES & !gone;
    let [a, b, d, e] = neighbours(held);
    let stuck = neighbours(stuck(concealed, declared));
    let in_run = b & (a | d) | d & e | stuck[0] | stuck[1] | stuck[2] | stuck[3];
    one_gone & twice & in_run | gone & (held | in_run)
}

/// False if the limits of a classical hand certainly do not matter. It is quick, and true for some hands whose limits
/// do not matter.
#[inline(always)]
pub(super) fn may_matter(holding: &Holding) -> bool {
    let Holding {
        concealed,
        declared,
        ..
    } = holding;
    let suits = (0..3).fold(0, |all, lane| {
        all | suspects(concealed.lane(lane), declared.lane(lane))
    });
    // Honours make no runs.
    suits | several(declared.lane(3)) & some(concealed.lane(3)) != 0
}

/// The places of a classical suit whose limit matters, as ones. More precise than [`suspects`], and slower.
fn culprits(concealed: u64, declared: u64) -> u64 {
    let (held, twice) = (some(concealed), several(concealed));
    let gone = several(declared);
    let all_gone = declared >> 2 & ONES;
    let one_gone = declared & ONES & !gone;
    let [a, b, d, e] = neighbours(held);
    let [aa, bb, dd, ee] = neighbours(twice);
    let in_run = b & (a | d) | d & e;
    let in_two = aa & bb | a & bb & d | a & b & d & e | bb & dd | b & dd & e | dd & ee;
    let [w, x, y, z] = neighbours(stuck(concealed, declared));
    let by_stuck = w | x | y | z;
    one_gone & twice & (in_run | by_stuck) | gone & (held | in_two | by_stuck) | all_gone & in_run
}

/// The precise version of [`may_matter`].
pub(super) fn matter_indeed(holding: &Holding) -> bool {
    let Holding {
        concealed,
        declared,
        ..
    } = holding;
    let suits = (0..3).fold(0, |all, lane| {
        all | culprits(concealed.lane(lane), declared.lane(lane))
    });
    suits | several(declared.lane(3)) & some(concealed.lane(3)) != 0
}

/// The limits of a hand: the copies of each kind that a target may use.
pub(super) struct Limits<'a> {
    grammar: &'a Grammar,
    declared: Counts,
    melds: usize,
    /// The copies that a target may use.
    left: Counts,
}

impl<'a> Limits<'a> {
    #[inline]
    pub(super) fn of(grammar: &'a Grammar, holding: &Holding) -> Self {
        Self {
            grammar,
            declared: holding.declared,
            melds: holding.melds,
            left: grammar.copies.saturating_minus(&holding.declared),
        }
    }

    /// True if the tables count zeros as the limits do.
    fn shares_zeros(&self, concealed: &Counts) -> bool {
        let holding = Holding {
            concealed: *concealed,
            declared: self.declared,
            melds: self.melds,
            consecutive: false,
            alike: AlikeMelds::default(),
        };
        zeros_of(self.grammar, &holding).shared().is_some()
    }

    /// True if some limit may matter for these concealed tiles.
    pub(super) fn matter(&self, concealed: &Counts) -> bool {
        // With fewer copies of a kind there may be no other group to use instead.
        !self.grammar.has_four_of_each
            || (0..4)
                .any(|lane| self.matter_in(lane, concealed.lane(lane), concealed.get(Kind::ZERO)))
    }

    /// True if the limit of some kind of a lane may matter. Zeros are ignored.
    #[inline]
    fn matter_in(&self, index: usize, lane: u64, zeros: u8) -> bool {
        self.suspects_of(index, lane, zeros)
            .any(|place| self.matters(index, lane, place, zeros))
    }

    /// The places of a lane with declared tiles, except those that the concealed tiles of the kind alone rule out.
    #[inline]
    fn suspects_of(&self, index: usize, lane: u64, zeros: u8) -> impl Iterator<Item = u32> + use<> {
        let zero = if index == 3 && self.grammar.uses_zero {
            ZERO_NIBBLE
        } else {
            0
        };
        let declared = some(self.declared.lane(index) & !zero);
        let limit = self.left.lane(index);
        // Three copies are left, or fewer.
        let three = limit & limit >> 1 & !(limit >> 2);
        let fewer = !(limit >> 2) & !(limit & limit >> 1);
        let others = if index == 3 || lane_sum(lane) + u32::from(zeros) < 2 {
            0
        } else {
            ONES
        };
        let mut places = declared & (three & several(lane) | fewer & (some(lane) | others));
        std::iter::from_fn(move || {
            let place = lowest_place(places);
            places &= places.wrapping_sub(1);
            (place < 16).then_some(place)
        })
    }

    /// True if the limit at this place, one of the suspects, may matter.
    fn matters(&self, index: usize, lane: u64, place: u32, zeros: u8) -> bool {
        let (held, limit) = (nibble(lane, place), nibble(self.left.lane(index), place));
        if limit < 3 && held > 0 {
            return true;
        }
        if index == 3 || limit == 3 && held < 2 {
            return false;
        }
        let times = if matches!(limit, 1 | 2) { 2 } else { 1 };
        let others = lane & !at(place, 15);
        let stuck = stuck(others, self.declared.lane(index));
        self.grammar.runs_meet(place, stuck)
            || self.grammar.has_runs_but_one(place, others, zeros, times)
    }

    /// Those of some kinds that may bring a hand near its limits, given that it is not near them already.
    pub(super) fn doubtful(&self, concealed: &Counts, kinds: KindSet) -> KindSet {
        let zeros = concealed.get(Kind::ZERO);
        let is_doubtful = |kind: &Kind| {
            let index = kind.lane();
            if self.grammar.uses_zero && *kind == Kind::ZERO {
                let more = concealed.with(Kind::ZERO);
                return more.is_none_or(|more| !self.shares_zeros(&more) || self.matter(&more));
            }
            if self.declared.lane(index) == 0 {
                return false;
            }
            let lane = concealed.lane(index) + at(kind.place(), 1);
            self.matter_in(index, lane, zeros)
        };
        kinds.iter().filter(is_doubtful).collect()
    }

    /// Tries hands with fewer concealed tiles whose limits do not matter. In some of them a run is fixed, which
    /// counts as a group. True as soon as `lacks_no_more` holds for such a hand and the missing tiles of its run, if
    /// it has one.
    pub(super) fn any_within(
        &self,
        concealed: &Counts,
        lacks_no_more: impl Fn(&Counts, Option<u8>) -> bool,
    ) -> bool {
        if self.fits(concealed, |tiles| lacks_no_more(tiles, None)) {
            return true;
        }
        let zeros = concealed.get(Kind::ZERO);
        for index in 0..3 {
            let lane = concealed.lane(index);
            for place in self.suspects_of(index, lane, zeros) {
                if !self.matters(index, lane, place, zeros) {
                    continue;
                }
                if nibble(lane, place) > 0 {
                    let mut runs = self.grammar.shapes_with[place as usize].iter();
                    let is_within = |shape: ShapeId| {
                        let run = self.grammar.own_shape(shape).mask;
                        let (held, tiles) = matched(lane, run);
                        let fits = lane_sum(run) == 3 && lane_covers(self.left.lane(index), run);
                        fits && tiles >= 2 && {
                            let rest = concealed.without_one_each(index, held);
                            let limits = self.after_run(index, run);
                            limits.fits(&rest, |rest| lacks_no_more(rest, Some(3 - tiles as u8)))
                        }
                    };
                    if runs.any(is_within) {
                        return true;
                    }
                } else {
                    let mut fewer = self.without_neighbours(index, concealed, place);
                    if fewer.any(|tiles| self.fits(&tiles, |tiles| lacks_no_more(tiles, None))) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The limits after a run is fixed. `run` has a 1 in the nibble of each of its tiles.
    fn after_run(&self, index: usize, run: u64) -> Self {
        Self {
            declared: self.declared.with_one_each(index, run),
            left: self.left.without_one_each(index, run),
            melds: self.melds.saturating_add(1),
            ..*self
        }
    }

    /// True if `lacks_no_more` holds for the tiles without those that bring them near their limits.
    fn fits(&self, tiles: &Counts, lacks_no_more: impl Fn(&Counts) -> bool) -> bool {
        let tiles = self.reduced(tiles);
        !self.matter(&tiles) && lacks_no_more(&tiles)
    }

    /// The tiles without those of limited kinds that bring them near their limits.
    fn reduced(&self, tiles: &Counts) -> Counts {
        let zeros = tiles.get(Kind::ZERO);
        let mut fewer = *tiles;
        for index in 0..4 {
            for place in self.suspects_of(index, tiles.lane(index), zeros) {
                if self.matters(index, tiles.lane(index), place, zeros) {
                    let kind = Kind::at(index, place);
                    let most = u8::from(nibble(self.left.lane(index), place) == 3);
                    fewer.set(kind, fewer.get(kind).min(most));
                }
            }
        }
        fewer
    }

    /// The tiles without those of one kind, for each kind that is in a run with this place.
    fn without_neighbours(
        &self,
        index: usize,
        tiles: &Counts,
        place: u32,
    ) -> impl Iterator<Item = Counts> {
        let shapes_with = &self.grammar.shapes_with;
        let through = shapes_with[place as usize];
        let places = (0..16).filter(move |&other| {
            let shapes = shapes_with[other as usize];
            nibble(tiles.lane(index), other) > 0 && !through.intersection(shapes).is_empty()
        });
        places.map(move |other| {
            let mut fewer = *tiles;
            fewer.set(Kind::at(index, other), 0);
            fewer
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::{Decomposer, Scratch};
    use crate::game::Observer;
    use crate::meld::{Family, Group};
    use crate::random::{Stream, game_seed};
    use crate::ruleset::Rules;
    use crate::seat::Seat;
    use crate::simulate::play;
    use crate::state::{Action, DealState, Legal};
    use crate::tile::Suit;

    /// A hand with one to four declared groups, whose concealed tiles are mostly near them.
    fn hand(decomposer: &Decomposer, stream: &mut Stream) -> Holding {
        let grammar = decomposer.grammar();
        let mut pick = |n: usize| stream.below(n as u32) as usize;
        let copies = *grammar.copies();
        let all: Vec<Kind> = copies.kinds().iter().collect();
        let shapes: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
        let suit = pick(3);
        let kind_near = |n: usize| {
            let of_suit: Vec<Kind> = all.iter().copied().filter(|k| k.lane() == suit).collect();
            of_suit[n % of_suit.len()]
        };
        let near = pick(16);
        let mut holding = Holding::of_tiles(Counts::EMPTY);
        holding.melds = 0;
        holding.consecutive = true;
        let melds = 1 + pick(4);
        for _ in 0..1000 {
            if holding.melds == melds {
                break;
            }
            let suit = if pick(3) == 0 { pick(3) } else { suit };
            let shape = shapes[pick(shapes.len())];
            let group = match pick(5) {
                0 => Group::kong(if pick(2) == 0 {
                    all[pick(all.len())]
                } else {
                    kind_near(near + pick(4))
                }),
                1 | 2 => Group::pung(if pick(3) == 0 {
                    all[pick(all.len())]
                } else {
                    kind_near(near + pick(4))
                }),
                _ => shape.group(Suit::ALL[suit]),
            };
            let whole = holding.declared.try_plus(&group.counts());
            if whole.is_some_and(|whole| whole.is_within(&copies)) {
                holding.declare(group, pick(4) > 0);
            }
        }
        let size = 14 - 3 * holding.melds - pick(2);
        let around: Vec<Kind> = match pick(3) {
            0 => all.clone(),
            1 => all
                .iter()
                .copied()
                .filter(|k| k.lane() == suit || k.lane() == 3)
                .collect(),
            _ => (0..5)
                .map(|n| kind_near(near + n))
                .chain([Kind::ZERO, all[pick(all.len())]])
                .collect(),
        };
        for _ in 0..1000 {
            if holding.concealed.total() == size {
                break;
            }
            let kind = around[pick(around.len())];
            if holding.held(kind) < copies.get(kind) {
                holding.concealed.try_add(kind);
            }
        }
        holding
    }

    /// The hands that greedy players hold on their turns.
    #[derive(Default)]
    struct HandsOfPlay(Vec<Holding>);

    impl Observer for HandsOfPlay {
        fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, action: Action) {
            if matches!(action, Action::Discard { .. }) {
                self.0.push(Holding::from(state.hand(seat)));
            }
        }
    }

    /// The answers for hands from greedy games agree with the search.
    #[test]
    fn hands_of_play_get_exact_answers() {
        let most = std::env::var("PAISHAN_HANDS").map_or(400, |n| n.parse().unwrap());
        let mut scratch = Scratch::new();
        for id in crate::ruleset::ids() {
            let rules = Rules::by_id(id).unwrap();
            // Wild tiles are tested in `wild.rs`.
            let decomposer = rules.plan().decomposer.natural();
            let mut hands = HandsOfPlay::default();
            for game in 0.. {
                let mut agents: Vec<_> = (0..rules.plan().players)
                    .map(|_| crate::agent::by_name("greedy", rules.plan()).unwrap())
                    .collect();
                play(&rules, &mut agents, game_seed(24, game), &mut hands).unwrap();
                if hands.0.len() >= most {
                    break;
                }
            }
            let mut with_melds = 0;
            for holding in &hands.0[..most] {
                with_melds += usize::from(holding.melds > 0);
                let found = decomposer.accepts_slowly(holding, &mut scratch);
                let distance = decomposer.distance(holding, &mut scratch);
                assert_eq!(distance, found.0, "{id} {holding:?}");
                let told = decomposer.accepts(holding, &mut scratch);
                assert_eq!(told, found, "{id} {holding:?}");
                let found = decomposer.all_discards_slowly(holding, &mut scratch);
                let told = decomposer.all_discards(holding, &mut scratch);
                assert_eq!(told, found, "{id} {holding:?}");
            }
            assert!(with_melds > most / 20, "{id} {with_melds}");
        }
    }

    /// With two copies of a kind no pung can replace a run that is gone: two pairs have three missing tiles.
    #[test]
    fn kinds_with_few_copies_are_exact() {
        let classical = Rules::by_id("woo").unwrap();
        let mut copies = *classical.plan().decomposer.grammar().copies();
        let tong = |rank: u32| Kind::at(0, rank - 1);
        for rank in [1, 9] {
            copies.set(tong(rank), 2);
        }
        let runs: Vec<_> = (1..=7)
            .map(|n| (Family::Arith, [n, n + 1, n + 2]))
            .collect();
        let grammar = Grammar::new(copies, 4, &runs, true, true, Vec::new()).unwrap();
        let decomposer = Decomposer::new(grammar);
        let mut holding = Holding::of_tiles(Counts::EMPTY);
        holding.melds = 0;
        for rank in [1, 9] {
            holding.concealed.set(tong(rank), 2);
        }
        holding.declare(Group::kong(tong(3)), true);
        holding.declare(Group::kong(tong(7)), true);
        holding.declare(Group::pung(Kind::EAST), true);
        let mut scratch = Scratch::new();
        assert_eq!(decomposer.distance(&holding, &mut scratch), 2);
        let found = decomposer.accepts_slowly(&holding, &mut scratch);
        assert_eq!(decomposer.accepts(&holding, &mut scratch), found);
    }

    /// With declared tiles, the answers of the tables and the limits agree with the search.
    #[test]
    fn limits_matter_only_where_they_are_said_to() {
        let rounds = std::env::var("PAISHAN_LIMITS").map_or(3000, |n| n.parse().unwrap());
        let mut stream = Stream::new(31, 31);
        let mut scratch = Scratch::new();
        for id in ["riichi-mcgill", "woo", "traditional", "uzje"] {
            let rules = Rules::by_id(id).unwrap();
            let decomposer = &rules.plan().decomposer;
            let (mut near, mut far, mut searched) = (0, 0, 0);
            for _ in 0..rounds {
                let holding = hand(decomposer, &mut stream);
                let distance = decomposer.distance(&holding, &mut scratch);
                let free = Holding {
                    declared: Counts::EMPTY,
                    ..holding
                };
                let plain = decomposer.distance(&free, &mut scratch);
                let matter = decomposer.limits_matter(&holding);
                if decomposer.has_tables() {
                    let told = may_matter(&holding) && matter_indeed(&holding);
                    assert_eq!(told, matter, "{id} {holding:?}");
                }
                let found = decomposer.accepts_slowly(&holding, &mut scratch);
                assert_eq!(distance, found.0, "{id} {holding:?} {matter}");
                assert_eq!(
                    decomposer.accepts(&holding, &mut scratch),
                    found,
                    "{id} {holding:?}"
                );
                if holding.concealed.total() % 3 == 2 {
                    let found = decomposer.all_discards_slowly(&holding, &mut scratch);
                    let told = decomposer.all_discards(&holding, &mut scratch);
                    assert_eq!(told, found, "{id} {holding:?}");
                }
                near += u32::from(matter);
                far += u32::from(distance > plain);
                let limits = Limits::of(decomposer.grammar(), &holding);
                let tries = |_: &Counts, _| true;
                searched += u32::from(matter && !limits.any_within(&holding.concealed, tries));
            }
            let seen = (near > rounds / 20, far > rounds / 200, searched > 0);
            assert_eq!(seen, (true, true, true), "{id} {near} {far} {searched}");
        }
    }
}
