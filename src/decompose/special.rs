//! The concrete hands of the special forms: whether a hand is one, and its missing and accepted tiles.
//!
//! A concrete hand consists of *tiles* that it needs, an *item* that leaves a choice, and groups of the grammar. An item is a
//! number of sets of tiles alike, such as seven pairs of any kinds. A hand has one item and two groups at most. The missing
//! tiles are those of the tiles, plus those of
//! the rest of the hand for the groups and the item: a tile beyond those needed is free for the others.
//!
//! An item of n times s tiles alike takes the sets for which the hand holds most. Let A(i) be the number of sets of which
//! the hand holds at least i tiles. Then it lacks the sum of n − min(n, A(i)) over i from 1 to s, and a tile helps if it
//! raises an A(i) that is below n.

use super::arrangement::Arrangement;
use super::costs::FAR;
use super::holding::{Holding, goes_with_forms};
use super::kinds::{Kinds, one_more};
use crate::counts::{
    Counts, MOST_HELD, ONES, at, by_lane, gather, lane_covers, lane_minus, lane_sum, nibble,
};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::Group;
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Kinds with at least `count` tiles, 1 to 7, as ones in the nibbles of a lane.
#[inline(always)]
const fn at_least(lane: u64, count: u8) -> u64 {
    (lane + (8 - count as u64) * ONES) >> 3 & ONES
}

/// [`at_least`] for all lanes.
#[inline(always)]
pub(super) fn at_least_of(counts: &Counts, count: u8) -> [u64; 4] {
    by_lane(|lane| at_least(counts.lane(lane), count))
}

/// The sum of all nibbles of four lanes of ones.
#[inline]
fn count(lanes: [u64; 4]) -> u8 {
    lane_sum(lanes.iter().sum()) as u8
}

/// Lanes of ones as a set of kinds.
fn kinds_of(lanes: [u64; 4]) -> KindSet {
    let [a, b, c, d] = lanes.map(gather);
    KindSet::from_bits(a | b << 16 | c << 32 | d << 48)
}

/// A concrete hand of a form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Way {
    /// The number of the form, as in [`Arrangement::form`].
    pub(super) form: u8,
    /// The tiles that the hand needs.
    pub(super) tiles: Counts,
    /// The groups of the grammar.
    pub(super) groups: u8,
    pub(super) item: Option<Box<Item>>,
    pub(super) melds: Melds,
    /// Those of the tiles that no wild tile may stand for.
    pub(super) natural: Counts,
    /// How many wild tiles the hand needs that stand for themselves.
    pub(super) wilds: u8,
}

/// Which declared melds may be part of a concrete hand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Melds {
    None,
    /// Each is one of its groups.
    Groups,
    /// All are of the kinds of the item.
    Among,
    /// Each is a group of the tiles: of the number of tiles alike in `alike`, or a run of three ranks in a row of kinds
    /// in `runs`.
    Parts {
        alike: [u64; 4],
        runs: [u64; 4],
        /// A declared kong takes four tiles of the hand.
        kongs: bool,
    },
}

/// Sets of tiles alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    /// The tiles of a set.
    size: u8,
    /// The number of sets.
    count: u8,
    /// All sets are of different kinds.
    distinct: bool,
    /// No wild tile may be in a set.
    natural: bool,
    /// The kinds, as ones in the nibbles.
    kinds: [u64; 4],
    /// The kinds of which a hand may have a first set, a second, and so on.
    levels: Levels,
}

/// As many as a kind has copies at most, so that none is allocated.
type Levels = SmallVec<[[u64; 4]; MOST_HELD as usize]>;

impl Item {
    /// An item of sets of some kinds, of which `room` are left. `None` if these are too few.
    pub(super) fn new(
        (size, count, distinct): (u8, u8, bool),
        natural: bool,
        kinds: KindSet,
        room: &Counts,
    ) -> Option<Self> {
        let mut lanes = [0; 4];
        for kind in kinds.iter() {
            lanes[kind.lane()] |= at(kind.place(), 1);
        }
        let mut item = Self {
            size,
            count,
            distinct,
            natural,
            kinds: lanes,
            levels: Levels::new(),
        };
        item.levels = item.levels(room);
        (offers(&item.levels) >= count).then_some(item)
    }

    /// The kinds of which these tiles have room for a first set, a second, and so on.
    fn levels(&self, room: &Counts) -> Levels {
        let sets = 1..=MOST_HELD / self.size;
        let level = |set: u8| {
            let may = at_least_of(room, set * self.size);
            by_lane(|lane| may[lane] & self.kinds[lane])
        };
        let sets = sets.take(if self.distinct { 1 } else { usize::MAX });
        sets.map(level)
            .take_while(|level| *level != [0; 4])
            .collect()
    }

    /// How many sets have at least `held` of their tiles among these.
    #[inline]
    fn begun(&self, levels: &[[u64; 4]], tiles: &Counts, held: u8) -> u8 {
        let mut all = 0;
        for (set, level) in levels.iter().enumerate() {
            let have = at_least_of(tiles, set as u8 * self.size + held);
            all += count(by_lane(|lane| level[lane] & have[lane]));
        }
        all
    }

    /// How many tiles are missing from `count` sets.
    #[inline]
    fn missing(&self, levels: &[[u64; 4]], count: u8, tiles: &Counts) -> u8 {
        let lacks = |held| count - count.min(self.begun(levels, tiles, held));
        (1..=self.size).map(lacks).sum()
    }

    /// The kinds that lower the missing tiles of `count` sets.
    fn accepts(&self, levels: &[[u64; 4]], count: u8, tiles: &Counts) -> KindSet {
        let mut accepts = [0; 4];
        let helps = |held: &u8| self.begun(levels, tiles, *held) < count;
        for held in (1..=self.size).filter(helps) {
            for (set, level) in levels.iter().enumerate() {
                let more = set as u8 * self.size + held;
                for (lane, accepts) in accepts.iter_mut().enumerate() {
                    let tiles = tiles.lane(lane);
                    let less = match more {
                        1 => ONES,
                        more => at_least(tiles, more - 1),
                    };
                    *accepts |= level[lane] & less & !at_least(tiles, more);
                }
            }
        }
        kinds_of(accepts)
    }
}

/// How many sets there may be.
fn offers(levels: &[[u64; 4]]) -> u8 {
    levels
        .iter()
        .map(|level| count(*level))
        .fold(0, u8::saturating_add)
}

impl Way {
    /// For seven pairs of any kinds of a set: whether all of them differ.
    pub(super) fn is_pairs(&self, copies: &Counts) -> Option<bool> {
        let item = self
            .item
            .as_ref()
            .filter(|_| self.tiles.is_empty() && self.groups == 0)?;
        let is_any = at_least_of(copies, 1) == item.kinds;
        ((item.size, item.count) == (2, 7) && is_any).then_some(item.distinct)
    }

    /// True if the hand has its tiles and one more of their kinds.
    pub(super) fn is_once_and_one_twice(&self) -> bool {
        let item = self.item.as_ref().filter(|_| self.groups == 0);
        item.is_some_and(|item| {
            (item.size, item.count) == (1, 1) && item.kinds == at_least_of(&self.tiles, 1)
        })
    }

    /// The tiles of the hand without those of which the set has no copy.
    fn within(&self, copies: &Counts) -> Counts {
        let beyond = self.tiles.saturating_minus(copies);
        self.tiles.saturating_minus(&beyond)
    }

    /// The tiles of the hand and some that its item takes. `None` for a hand with groups of the grammar or with wild tiles.
    pub(super) fn example(&self) -> Option<Counts> {
        let mut whole = self.tiles;
        if self.wilds > 0 {
            return None;
        }
        let Some(item) = &self.item else {
            return (self.groups == 0).then_some(whole);
        };
        let mut left = item.count;
        let sets = item.levels.iter().flat_map(|level| kinds_of(*level).iter());
        for kind in sets {
            if left > 0 {
                (0..item.size).for_each(|_| {
                    whole.try_add_beyond(kind);
                });
                left -= 1;
            }
        }
        (self.groups == 0 && left == 0).then_some(whole)
    }

    /// The tiles that count for the hand if some are declared. `None` if the melds cannot be part of it.
    fn held(&self, holding: &Holding) -> Option<Counts> {
        let Holding {
            concealed,
            declared,
            melds,
            consecutive,
            ..
        } = holding;
        if *melds == 0 {
            return Some(*concealed);
        }
        match &self.melds {
            Melds::None => None,
            Melds::Groups => (*melds <= usize::from(self.groups)).then_some(*concealed),
            Melds::Among => {
                let item = self.item.as_ref()?;
                let fits = (0..4).all(|lane| declared.lane(lane) & !(7 * item.kinds[lane]) == 0);
                let is_known = declared.total() >= melds.saturating_mul(3);
                let fits = fits && is_known && melds.saturating_mul(3) <= usize::from(item.count);
                fits.then_some(*concealed)
            }
            Melds::Parts { runs, .. } if *consecutive => {
                let fits = |lane: usize| declared.lane(lane) & !runs[lane] == 0;
                let fits = declared.total() >= melds.saturating_mul(3) && (0..4).all(fits);
                concealed.try_plus_beyond(declared).filter(|_| fits)
            }
            Melds::Parts { alike, .. } => {
                let (number, lanes) = holding.alike.tiles()?;
                let fits = |lane: usize| {
                    let held = lanes[lane];
                    (held ^ alike[lane]) & (15 * at_least(held, 1)) == 0
                };
                let fits = number == *melds && (0..4).all(fits);
                fits.then(|| concealed.plus_lanes(&lanes)).flatten()
            }
        }
    }

    /// The groups of the grammar and the sets of the item that are not declared.
    fn left(&self, holding: &Holding) -> (u8, u8) {
        let melds = holding.melds.min(usize::from(u8::MAX / 3)) as u8;
        let sets = self.item.as_ref().map_or(0, |item| item.count);
        match self.melds {
            Melds::Groups => (self.groups.saturating_sub(melds), sets),
            Melds::Among => (self.groups, sets.saturating_sub(melds.saturating_mul(3))),
            Melds::None | Melds::Parts { .. } => (self.groups, sets),
        }
    }
}

/// With more different needs in a [`Floor`], what may complete a hand is found from its missing tiles.
const MOST_NEEDS: usize = 12;

/// A lower bound on the missing tiles of some concrete hands. It saves time because nearly always fewer tiles are missing
/// from groups and a pair.
#[derive(Clone, Debug)]
struct Floor {
    /// Every kind that some of the hands need, as ones in the nibbles.
    wanted: [u64; 4],
    /// How many kinds the hand needs that needs the fewest.
    fewest: u8,
    /// The kinds that all of the hands need.
    common: KindSet,
    /// The kinds that each of the hands needs.
    needs: SmallVec<[KindSet; 2]>,
    /// How many different tiles a hand takes of the wanted kinds, where it takes any of them.
    any: bool,
}

/// Which declared melds a grammar's special forms allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Open {
    #[default]
    No,
    /// Runs of three ranks in a row.
    Runs,
    Any,
}

/// The concrete hands of special forms.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    /// By form, then by tiles.
    ways: Vec<Way>,
    /// The tiles of a complete hand.
    whole: usize,
    /// The set.
    copies: Counts,
    /// A declared kong takes four tiles of the hand.
    counts_kongs: bool,
    open: Open,
    floors: Vec<Floor>,
    /// The least number of pairs of a form of pairs alone.
    pairs: Option<u8>,
    /// Some hand is in no floor, or in one of too many needs.
    is_bare: bool,
    honours: Honours,
    /// Every pung and run, for the groups of a form. Empty without such a form.
    groups: Vec<(Group, Counts)>,
    /// The numbers of the runs among them, as ones in the nibbles of a lane.
    runs: Vec<u64>,
    /// Some run takes a zero.
    takes_zero: bool,
}

/// The honours of the concrete hands that may have other honours than groups and a pair have.
#[derive(Clone, Debug, Default)]
struct Honours {
    /// The most of each, as a lane.
    most: u64,
    /// Those that all such hands have, as ones in the nibbles.
    common: u64,
    /// The fewest in all. Without such hands it is more than a hand can hold.
    fewest: u32,
}

/// What the concrete hands depend on beside their own tiles.
pub(super) struct Beside<'a> {
    pub(super) copies: &'a Counts,
    pub(super) whole: usize,
    pub(super) has_pung: bool,
    /// The runs of the grammar in all suits.
    pub(super) runs: &'a [Group],
    /// The tables of the classical grammar answer for the honours of groups and a pair.
    pub(super) has_tables: bool,
}

impl Forms {
    pub(super) fn new(mut ways: Vec<Way>, beside: &Beside<'_>) -> Self {
        ways.sort_unstable();
        let mut all = Self {
            whole: beside.whole,
            copies: *beside.copies,
            ..Self::default()
        };
        if ways.iter().any(|way| way.groups > 0) {
            let pungs = beside.copies.at_least(3);
            let pungs = pungs.iter().filter(|_| beside.has_pung).map(Group::pung);
            let is_in_play = |run: &&Group| run.kind_set().is_subset(beside.copies.kinds());
            let runs: Vec<Group> = beside.runs.iter().filter(is_in_play).copied().collect();
            let groups = pungs.chain(runs.iter().copied());
            all.groups = groups.map(|group| (group, group.counts())).collect();
            let of_run = |run: &Group| {
                let lane = run.kinds()[2].lane();
                run.counts().lane(lane)
            };
            all.runs = runs.iter().map(of_run).collect();
            all.runs.sort_unstable();
            all.runs.dedup();
            all.takes_zero = runs.iter().any(|run| run.contains(Kind::ZERO));
        }
        all.honours.fewest = u32::MAX;
        all.honours.common = ONES;
        for way in &ways {
            all.note(way, beside.has_tables);
        }
        all.ways = ways;
        all
    }

    /// Adds a concrete hand to the bounds.
    fn note(&mut self, way: &Way, has_tables: bool) {
        self.open = match (&way.melds, self.open) {
            (Melds::None, open) => open,
            (Melds::Parts { alike, .. }, Open::No | Open::Runs) if *alike == [0; 4] => Open::Runs,
            _ => Open::Any,
        };
        self.counts_kongs |= matches!(way.melds, Melds::Parts { kongs: true, .. });
        self.note_honours(way, has_tables);
        let needed = at_least_of(&way.tiles, 1);
        let (wanted, fewest, any) = match &way.item {
            _ if !way.tiles.is_empty() => (needed, count(needed), false),
            Some(item) if way.groups == 0 && item.size == 2 => {
                self.pairs = Some(self.pairs.map_or(item.count, |pairs| pairs.min(item.count)));
                return;
            }
            Some(item) if way.groups == 0 && item.distinct => (item.kinds, item.count, true),
            _ => {
                self.is_bare = true;
                return;
            }
        };
        let need = kinds_of(wanted);
        let lanes = |wanted: &[u64; 4]| wanted.map(|lane| lane != 0);
        let is_alike =
            |floor: &&mut Floor| floor.any == any && lanes(&floor.wanted) == lanes(&wanted);
        match self.floors.iter_mut().find(is_alike) {
            Some(floor) => {
                floor.wanted = by_lane(|lane| floor.wanted[lane] | wanted[lane]);
                floor.fewest = floor.fewest.min(fewest);
                floor.common = floor.common.intersection(need);
                if !floor.needs.contains(&need) {
                    floor.needs.push(need);
                    self.is_bare |= floor.needs.len() > MOST_NEEDS;
                    floor.needs.truncate(MOST_NEEDS);
                }
            }
            None => self.floors.push(Floor {
                wanted,
                fewest,
                common: need,
                needs: SmallVec::from_slice(&[need]),
                any,
            }),
        }
    }

    fn note_honours(&mut self, way: &Way, has_tables: bool) {
        let own = way.tiles.lane(3);
        let item = way.item.as_deref();
        let of_item = item.map_or(0, |item| item.kinds[3]);
        let is_usual = match (has_tables, item) {
            _ if own == 0 && of_item == 0 => true,
            // Groups and one pair may have honours.
            (true, Some(item)) => own == 0 && item.size == 2 && item.count == 1,
            (true, None) => false,
            // The honours that are in no run are not single.
            (false, item) => {
                let single = at_least(own, 1) & !at_least(own, 2);
                single == 0 && item.is_none_or(|item| of_item == 0 || item.size > 1)
            }
        };
        if is_usual {
            return;
        }
        let (sure, in_item) = match (&way.melds, item) {
            (Melds::Parts { alike, runs, .. }, _) => {
                (own & !(15 * (at_least(alike[3], 1) | runs[3])), 0)
            }
            (Melds::Among, _) | (_, None) => (own, 0),
            (_, Some(item)) => {
                let numbers = |level: &[u64; 4]| count([level[0], level[1], level[2], 0]);
                let numbers: u8 = item.levels.iter().map(numbers).fold(0, u8::saturating_add);
                (own, item.size * item.count.saturating_sub(numbers))
            }
        };
        let honours = &mut self.honours;
        honours.common &= at_least(sure, 1);
        honours.fewest = honours.fewest.min(lane_sum(sure) + u32::from(in_item));
        let most_of_item = item.map_or(0, |item| match item.distinct {
            true => u64::from(item.size),
            false => u64::from(MOST_HELD),
        });
        for place in 0..16 {
            let of_item = nibble(of_item, place) * most_of_item;
            let of_groups = u64::from(way.groups) * u64::from(MOST_HELD);
            let most = nibble(own, place) + of_item + of_groups;
            let most = most
                .max(nibble(honours.most, place))
                .min(u64::from(MOST_HELD));
            honours.most = honours.most & !at(place, 15) | at(place, most);
        }
    }

    /// The number of concrete hands.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// Tells the hands that limit wild tiles from the others, which come first.
    pub(super) fn by_limits(&self) -> (Vec<Way>, Vec<Way>) {
        let is_free = |way: &Way| {
            way.natural.is_empty() && way.item.as_ref().is_none_or(|item| !item.natural)
        };
        self.ways.iter().cloned().partition(is_free)
    }

    /// True if more copies of a kind than the set has make no form nearer to a hand that holds no kind four times,
    /// whatever is declared.
    pub(super) fn ignore_copies(&self) -> bool {
        let is_plain = |way: &Way| {
            let item = way.item.as_ref();
            let has_enough = item.is_none_or(|item| {
                item.levels
                    .first()
                    .is_some_and(|level| count(*level) >= item.count)
            });
            way.groups == 0 && has_enough
        };
        self.open == Open::No && self.ways.iter().all(is_plain)
    }

    /// The number of concrete hands that declared melds may be part of, whatever the concealed tiles are.
    pub(super) fn left(&self, melds: &Holding) -> usize {
        let ways = self.ways.iter();
        ways.filter(|way| way.held(melds).is_some()).count()
    }

    /// How many tiles a hand has, a declared group counted as three, or as all of its tiles where kongs take four.
    pub(super) fn size(&self, holding: &Holding) -> usize {
        match self.counts_kongs {
            true => holding.size() + holding.alike.beyond_three(),
            false => holding.size(),
        }
    }

    /// True if the declared melds may be part of some form.
    #[inline]
    fn takes(&self, melds: usize, consecutive: bool) -> bool {
        match melds {
            0 => consecutive,
            _ => self.open == Open::Any || self.open == Open::Runs && consecutive,
        }
    }

    /// False for most hands that are no form: these honours and `more` other tiles rule it out. Forms whose honours are
    /// those of groups and a pair are left out, because the caller tests for these.
    #[inline]
    pub(super) fn may_have(&self, honours: u64, more: u32) -> bool {
        let Honours {
            most,
            common,
            fewest,
        } = self.honours;
        let covers = lane_covers(most, honours) & (more > 0 || lane_covers(honours, common));
        covers && lane_sum(honours) + more >= fewest
    }

    /// False if every form certainly lacks `bound` tiles or more.
    #[inline]
    fn reaches(&self, concealed: &Counts, bound: u8) -> bool {
        let ones = at_least_of(concealed, 1);
        if let Some(pairs) = self.pairs {
            // A hand has no more pairs than tiles that repeat a kind.
            let tiles = concealed.total() as u8;
            if pairs.saturating_add(count(ones)) < bound.saturating_add(tiles) {
                return true;
            }
        }
        let is_near = |floor: &Floor| {
            let held = count(by_lane(|lane| ones[lane] & floor.wanted[lane]));
            floor.fewest < bound.saturating_add(held)
        };
        self.is_bare || self.floors.iter().any(is_near)
    }

    /// The kinds that may complete a form. No other kind can. Nearly always the set is empty.
    #[inline]
    fn wanted(&self, kinds: Kinds) -> KindSet {
        if self.is_bare {
            return KindSet::ALL;
        }
        let mut wanted = KindSet::EMPTY;
        if self.pairs.is_some() {
            wanted = one_more(kinds.single(), KindSet::ALL);
        }
        for floor in &self.floors {
            if floor.any {
                let of_these = kinds_of(floor.wanted);
                if kinds.held.intersection(of_these).len() + 1 >= usize::from(floor.fewest) {
                    wanted = wanted.union(of_these);
                }
            } else if !floor.common.difference(kinds.held).are_many() {
                for need in &floor.needs {
                    wanted = wanted.union(one_more(need.difference(kinds.held), KindSet::ALL));
                }
            }
        }
        wanted
    }

    /// The kinds that may complete the hand as a form. No other kind can.
    #[inline]
    pub(super) fn may_complete(&self, hand: &Hand, kinds: Kinds) -> KindSet {
        if self.is_bare {
            return self.may_complete_bare(hand);
        }
        match (hand.melds.is_empty(), self.open) {
            (true, _) => self.wanted(kinds),
            (false, Open::No) => KindSet::EMPTY,
            (false, _) => self.may_complete_beside(hand, kinds),
        }
    }

    /// [`Self::may_complete`] where the kinds held are not enough to tell.
    #[inline(never)]
    fn may_complete_bare(&self, hand: &Hand) -> KindSet {
        let may = self.takes(hand.melds.len(), goes_with_forms(hand))
            && self.missing_below(&Holding::from(hand), 2) <= 1;
        if may { KindSet::ALL } else { KindSet::EMPTY }
    }

    /// [`Self::may_complete`] of a hand with declared melds.
    #[inline]
    fn may_complete_beside(&self, hand: &Hand, kinds: Kinds) -> KindSet {
        if self.open == Open::Runs && !goes_with_forms(hand) {
            return KindSet::EMPTY;
        }
        let melds = hand.melds.iter().map(|meld| meld.group.kind_set());
        let held = melds.fold(kinds.held, KindSet::union);
        self.wanted(Kinds { held, ..kinds })
    }

    /// Visits each concrete hand that lacks fewer than `bound` of its tiles, with the tiles that count for it, how many it
    /// lacks, and the bound. The visitor returns a lower bound or the same. Returns the last bound.
    fn scan(
        &self,
        holding: &Holding,
        mut bound: u8,
        mut visit: impl FnMut(&Way, &Counts, u8, u8) -> u8,
    ) -> u8 {
        for way in &self.ways {
            let Some(held) = way.held(holding) else {
                continue;
            };
            let mut lacks = 0;
            for lane in 0..4 {
                lacks += lane_sum(lane_minus(way.tiles.lane(lane), held.lane(lane))) as u8;
                if lacks >= bound {
                    break;
                }
            }
            if lacks < bound {
                bound = visit(way, &held, lacks, bound);
            }
        }
        bound
    }

    /// The missing tiles of a concrete hand that lacks `lacks` of its tiles, if fewer than `bound`; otherwise a number not
    /// less than `bound`.
    #[inline]
    fn missing_of(&self, way: &Way, holding: &Holding, held: &Counts, lacks: u8, bound: u8) -> u8 {
        if way.item.is_none() && way.groups == 0 {
            return lacks;
        }
        let rest = held.saturating_minus(&way.tiles);
        match &way.item {
            Some(item) if way.groups == 0 && holding.declared.is_empty() => {
                lacks + item.missing(&item.levels, item.count, &rest)
            }
            _ => self.missing_beside(way, holding, &rest, lacks, bound),
        }
    }

    /// [`Self::missing_of`] where groups of the grammar, or declared melds, are part of the hand. `rest` are the tiles beside
    /// those of the hand.
    #[inline(never)]
    fn missing_beside(
        &self,
        way: &Way,
        holding: &Holding,
        rest: &Counts,
        lacks: u8,
        bound: u8,
    ) -> u8 {
        let room = self.copies.saturating_minus(&holding.declared);
        let Some(room) = room.try_minus(&way.within(&self.copies)) else {
            return FAR;
        };
        let (groups, sets) = way.left(holding);
        let of_item = |rest: &Counts, room: &Counts| {
            let item = way.item.as_deref()?;
            let levels = item.levels(room);
            let missing = match offers(&levels) >= sets {
                true => item.missing(&levels, sets, rest),
                false => FAR,
            };
            Some(missing)
        };
        if groups == 0 {
            return lacks.saturating_add(of_item(rest, &room).unwrap_or(0));
        }
        // Taken groups leave fewer tiles for the item.
        let least = of_item(rest, &room).unwrap_or(0);
        if lacks
            .saturating_add(least)
            .saturating_add(self.least_group(rest))
            >= bound
        {
            return bound;
        }
        self.with_groups(
            (groups, &self.groups),
            (rest, &room),
            lacks,
            bound,
            &of_item,
        )
    }

    /// The least missing tiles of a number of these groups and the item, on top of `lacks`, if fewer than `bound`.
    fn with_groups(
        &self,
        (left, groups): (u8, &[(Group, Counts)]),
        (rest, room): (&Counts, &Counts),
        lacks: u8,
        mut bound: u8,
        of_item: &dyn Fn(&Counts, &Counts) -> Option<u8>,
    ) -> u8 {
        let Some(less) = left.checked_sub(1) else {
            return bound.min(lacks.saturating_add(of_item(rest, room).unwrap_or(0)));
        };
        for (place, (_, tiles)) in groups.iter().enumerate() {
            let lacks = lacks + tiles.saturating_minus(rest).total() as u8;
            if lacks < bound
                && let Some(room) = room.try_minus(tiles)
            {
                let rest = rest.saturating_minus(tiles);
                let groups = (less, &groups[place..]);
                bound = self.with_groups(groups, (&rest, &room), lacks, bound, of_item);
            }
        }
        bound
    }

    /// A lower bound on the missing tiles of a group.
    fn least_group(&self, rest: &Counts) -> u8 {
        let alike = (1..=3).filter(|&count| at_least_of(rest, count) != [0; 4]);
        let ones = at_least_of(rest, 1);
        let of_runs = self.runs.iter().flat_map(|run| {
            let in_suits = ones[..3].iter();
            in_suits.map(move |ones| (ones & run).count_ones())
        });
        // A run may take a zero beside its numbers.
        let of_runs = of_runs.max().unwrap_or(0) as u8 + u8::from(self.takes_zero);
        3 - of_runs.max(alike.count() as u8).min(3)
    }

    /// The missing tiles of the nearest form if fewer than `bound`, otherwise `bound`.
    #[inline]
    pub(super) fn missing_below(&self, holding: &Holding, bound: u8) -> u8 {
        if self.is_empty() || !self.takes(holding.melds, holding.consecutive) {
            return bound;
        }
        let is_whole = holding.concealed.total() > self.whole;
        if holding.melds == 0 && !is_whole && !self.reaches(&holding.concealed, bound) {
            return bound;
        }
        self.nearest(holding, bound)
    }

    /// [`Self::missing_below`] for a hand where some form may lack fewer tiles than `bound`.
    #[inline(never)]
    fn nearest(&self, holding: &Holding, bound: u8) -> u8 {
        self.scan(holding, bound, |way, held, lacks, bound| {
            bound.min(self.missing_of(way, holding, held, lacks, bound))
        })
    }

    /// The missing tiles of the form with this number, counted from 1. [`FAR`] if the declared groups rule it out or the
    /// set lacks its tiles.
    pub(super) fn missing(&self, form: u8, holding: &Holding) -> u8 {
        if !self.takes(holding.melds, holding.consecutive) {
            return FAR;
        }
        self.scan(holding, FAR, |way, held, lacks, bound| {
            match way.form == form {
                true => bound.min(self.missing_of(way, holding, held, lacks, bound)),
                false => bound,
            }
        })
    }

    /// The accepted tiles of the nearest form, which has `missing` missing tiles. Kinds without a copy left are not
    /// listed.
    #[inline(never)]
    pub(super) fn accepts(&self, holding: &Holding, missing: u8) -> KindSet {
        let mut accepts = KindSet::EMPTY;
        if missing >= FAR || !self.takes(holding.melds, holding.consecutive) {
            // No form can ever be complete, so no tile helps.
            return accepts;
        }
        let exhausted = holding.exhausted(&self.copies);
        self.scan(holding, missing + 1, |way, held, lacks, bound| {
            // One tile lowers the number of missing tiles by at most one. So only hands with exactly `missing` missing
            // tiles count.
            if self.missing_of(way, holding, held, lacks, bound) == missing {
                accepts = accepts.union(self.accepted(way, holding, held, missing));
            }
            bound
        });
        accepts.difference(exhausted)
    }

    /// The tiles that bring a concrete hand nearer.
    fn accepted(&self, way: &Way, holding: &Holding, held: &Counts, missing: u8) -> KindSet {
        let (groups, sets) = way.left(holding);
        if groups > 0 {
            let lowers = |kind: &Kind| {
                let more = holding.with_beyond(*kind);
                let held = held.with_beyond(*kind);
                let lacks = way.tiles.saturating_minus(&held).total() as u8;
                self.missing_of(way, &more, &held, lacks, missing) < missing
            };
            let left = self.copies.saturating_minus(held);
            return left.kinds().iter().filter(lowers).collect();
        }
        let lacking = way.tiles.saturating_minus(held).kinds();
        let Some(item) = &way.item else {
            return lacking;
        };
        let rest = held.saturating_minus(&way.tiles);
        let of_item = match holding.declared.is_empty() {
            true => item.accepts(&item.levels, sets, &rest),
            false => {
                let room = self.copies.saturating_minus(&holding.declared);
                let levels = item.levels(&room.saturating_minus(&way.tiles));
                item.accepts(&levels, sets, &rest)
            }
        };
        lacking.union(of_item)
    }

    /// The kinds that complete a hand as one of the forms, even those of which no copy is left.
    pub(super) fn waits(&self, holding: &Holding) -> KindSet {
        if self.size(holding) + 1 != self.whole || !self.takes(holding.melds, holding.consecutive) {
            return KindSet::EMPTY;
        }
        if self.is_bare && self.missing_below(holding, 2) > 1 {
            return KindSet::EMPTY;
        }
        let mut kinds = Kinds::of(&holding.concealed);
        kinds.held = kinds.held.union(holding.declared.kinds());
        let wanted = self.wanted(kinds).intersection(self.copies.kinds());
        let completes = |kind: &Kind| {
            let whole = holding.with_beyond(*kind);
            self.complete(&whole, &mut |_| ControlFlow::Break(()))
                .is_break()
        };
        wanted.iter().filter(completes).collect()
    }

    /// True if the hand with these concealed tiles may be a form.
    #[inline]
    pub(super) fn may_be(&self, hand: &Hand, concealed: &Counts) -> bool {
        match hand.melds.is_empty() {
            true => self.reaches(concealed, 1),
            false => self.takes(hand.melds.len(), goes_with_forms(hand)),
        }
    }

    /// Visits each form that the hand is.
    #[inline]
    pub(super) fn complete(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let may_be = !self.is_empty()
            && self.size(holding) == self.whole
            && self.takes(holding.melds, holding.consecutive)
            && (holding.melds > 0 || self.reaches(&holding.concealed, 1));
        match may_be {
            true => self.complete_indeed(holding, visit),
            false => ControlFlow::Continue(()),
        }
    }

    #[inline(never)]
    fn complete_indeed(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut last = 0;
        for way in &self.ways {
            let Some(held) = way.held(holding) else {
                continue;
            };
            let Some(rest) = held.try_minus(&way.tiles) else {
                continue;
            };
            if way.groups > 0 {
                let (left, sets) = way.left(holding);
                self.complete_groups((way, sets), (left, 0), &rest, List::default(), visit)?;
            } else if last != way.form
                && let Some(groups) = way.read_item(&rest, way.left(holding).1, List::default())
            {
                last = way.form;
                visit(&Arrangement {
                    form: way.form,
                    groups,
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits each way to read tiles as a number of groups and the item.
    fn complete_groups(
        &self,
        (way, sets): (&Way, u8),
        (left, from): (u8, usize),
        rest: &Counts,
        groups: Groups,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(less) = left.checked_sub(1) else {
            return match way.read_item(rest, sets, groups) {
                Some(groups) => visit(&Arrangement {
                    form: way.form,
                    groups,
                }),
                None => ControlFlow::Continue(()),
            };
        };
        for (place, (group, tiles)) in self.groups.iter().enumerate().skip(from) {
            if let Some(rest) = rest.try_minus(tiles) {
                let mut groups = groups;
                groups.push(*group);
                self.complete_groups((way, sets), (less, place), &rest, groups, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

type Groups = List<Group, { super::arrangement::MOST }>;

impl Way {
    /// Adds the pairs of the item to some groups, if these tiles are its sets.
    fn read_item(&self, tiles: &Counts, sets: u8, mut groups: Groups) -> Option<Groups> {
        let Some(item) = &self.item else {
            return tiles.is_empty().then_some(groups);
        };
        // A complete hand may have more copies of a kind than the set.
        let filled = tiles.filled();
        let levels = item.levels(&filled);
        if tiles.total() != usize::from(item.size * sets) || item.missing(&levels, sets, tiles) > 0
        {
            return None;
        }
        if item.size == 2 {
            for kind in tiles.kinds().iter() {
                (0..tiles.get(kind) / 2).for_each(|_| groups.push(Group::pair(kind)));
            }
        }
        Some(groups)
    }
}

/// Hands in which kinds were put in for wild tiles. Few hands can be completed in many ways; where any tiles will do, one wild
/// tile stands for each kind.
type Found = SmallVec<[Counts; 64]>;

/// What a hand without its wild tiles lacks of a concrete hand.
struct Lacks {
    /// The missing tiles, without wild tiles that stand for themselves.
    missing: u8,
    /// How many of the missing tiles wild tiles may stand for.
    open: u8,
    /// How many wild tiles must stand for themselves.
    own: u8,
}

impl Lacks {
    /// The missing tiles of the hand with so many wild tiles.
    fn with(&self, wilds: u8) -> u8 {
        let own = self.own.saturating_sub(wilds);
        self.missing - self.spare(wilds).min(self.open) + own
    }

    /// How many of so many wild tiles may stand for missing tiles.
    fn spare(&self, wilds: u8) -> u8 {
        wilds.saturating_sub(self.own)
    }
}

/// Hands with wild tiles, where the concrete hands limit these. `holding` is a hand without its wild tiles.
impl Forms {
    fn lacks(&self, way: &Way, holding: &Holding, held: &Counts, of_tiles: u8) -> Lacks {
        let missing = self.missing_of(way, holding, held, of_tiles, FAR);
        let lacking = way.tiles.saturating_minus(held);
        let free = way.tiles.saturating_minus(&way.natural);
        let natural = lacking.saturating_minus(&free).total() as u8;
        let is_open = way.item.as_ref().is_some_and(|item| !item.natural);
        let of_item = if is_open { missing - of_tiles } else { 0 };
        Lacks {
            missing,
            open: of_tiles - natural + of_item,
            own: way.wilds,
        }
    }

    /// The missing tiles of the nearest form, or of that with this number, with so many wild tiles. [`FAR`] or more if none
    /// can be made.
    pub(super) fn missing_with(&self, form: Option<u8>, holding: &Holding, wilds: u8) -> u8 {
        let mut least = FAR;
        if !self.takes(holding.melds, holding.consecutive) {
            return least;
        }
        self.scan(holding, FAR, |way, held, of_tiles, bound| {
            if form.is_some_and(|form| way.form != form) {
                return bound;
            }
            let lacks = self.lacks(way, holding, held, of_tiles);
            if lacks.missing < FAR {
                least = least.min(lacks.with(wilds));
            }
            bound.min(least.saturating_add(wilds))
        });
        least
    }

    /// The kinds that lower the missing tiles of a hand with so many wild tiles, which is `missing`, and whether one more
    /// wild tile does.
    pub(super) fn accepts_with(
        &self,
        holding: &Holding,
        wilds: u8,
        missing: u8,
    ) -> (KindSet, bool) {
        let (mut accepts, mut wild) = (KindSet::EMPTY, false);
        if missing == 0 || missing >= FAR || !self.takes(holding.melds, holding.consecutive) {
            return (accepts, wild);
        }
        self.scan(
            holding,
            missing + wilds + 1,
            |way, held, of_tiles, bound| {
                let lacks = self.lacks(way, holding, held, of_tiles);
                if lacks.missing < FAR && lacks.with(wilds) == missing {
                    // With wild tiles to spare, they stand for any missing tile but those that must be natural.
                    let is_short = lacks.open > lacks.spare(wilds);
                    wild |= is_short || lacks.own > wilds;
                    let lacking = way.tiles.saturating_minus(held);
                    let free = way.tiles.saturating_minus(&way.natural);
                    let must = lacking.saturating_minus(&free);
                    let helping = if is_short { lacking } else { must };
                    accepts = accepts.union(helping.kinds());
                    if let Some(item) = way.item.as_ref().filter(|item| is_short || item.natural) {
                        let (rest, levels, sets) = self.of_item(way, item, holding, held);
                        accepts = accepts.union(item.accepts(&levels, sets, &rest));
                    }
                }
                bound
            },
        );
        (accepts, wild)
    }

    /// What the item of a concrete hand has to do with: the tiles beside those of the hand, the kinds of its sets, and how
    /// many sets are left to make.
    fn of_item(
        &self,
        way: &Way,
        item: &Item,
        holding: &Holding,
        held: &Counts,
    ) -> (Counts, Levels, u8) {
        let room = self.copies.saturating_minus(&holding.declared);
        let levels = match holding.declared.is_empty() {
            true => item.levels.clone(),
            false => item.levels(&room.saturating_minus(&way.tiles)),
        };
        (
            held.saturating_minus(&way.tiles),
            levels,
            way.left(holding).1,
        )
    }

    /// Visits the concealed tiles of each form that the hand is with these wild tiles, with kinds put in for those that do not
    /// stand for themselves. The same tiles are visited once.
    pub(super) fn substitutions(
        &self,
        holding: &Holding,
        wild: &Counts,
        visit: &mut dyn FnMut(&Counts) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut found = Found::new();
        let wilds = wild.total() as u8;
        if self.size(holding) + usize::from(wilds) != self.whole
            || !self.takes(holding.melds, holding.consecutive)
        {
            return ControlFlow::Continue(());
        }
        self.scan(holding, wilds + 1, |way, held, of_tiles, bound| {
            let lacks = self.lacks(way, holding, held, of_tiles);
            if lacks.missing < FAR && lacks.with(wilds) == 0 {
                let lacking = way.tiles.saturating_minus(held);
                // The lowest kinds stand for themselves.
                let others = without_wilds(wild, wild.kinds(), way.wilds).unwrap_or(*wild);
                let own = wild.saturating_minus(&others);
                let tiles = holding.concealed.try_plus_beyond(&lacking);
                let tiles = tiles.and_then(|tiles| tiles.try_plus_beyond(&own));
                match (&way.item, tiles) {
                    (_, None) => {}
                    (None, Some(tiles)) => found.push(tiles),
                    (Some(item), Some(tiles)) => {
                        let (rest, levels, sets) = self.of_item(way, item, holding, held);
                        let left = lacks.spare(wilds) - of_tiles;
                        let of_item = (&**item, &levels[..], sets);
                        complete_item(of_item, (&rest, &tiles), left, 0, &mut found);
                    }
                }
            }
            bound
        });
        found.sort_unstable();
        found.dedup();
        found.iter().try_for_each(visit)
    }

    /// Visits each form that the hand with substituted tiles is. `natural` is the hand without its wild tiles. Tiles of the
    /// kinds `wild` may stand for themselves.
    pub(super) fn complete_with(
        &self,
        (natural, whole): (&Holding, &Holding),
        wild: KindSet,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if natural.concealed == whole.concealed {
            return self.complete(whole, visit);
        }
        let mut last = 0;
        for way in self.ways.iter() {
            let (Some(held), Some(all)) = (way.held(natural), way.held(whole)) else {
                continue;
            };
            let of_tiles = way.tiles.saturating_minus(&held).total() as u8;
            let wilds = (all.total() - held.total()) as u8;
            if last == way.form || self.lacks(way, natural, &held, of_tiles).with(wilds) > 0 {
                continue;
            }
            let rest = without_wilds(&all, wild, way.wilds);
            let rest = rest.and_then(|rest| rest.try_minus(&way.tiles));
            let groups =
                rest.and_then(|rest| way.read_item(&rest, way.left(whole).1, List::default()));
            if let Some(groups) = groups.filter(|_| self.size(whole) == self.whole) {
                last = way.form;
                visit(&Arrangement {
                    form: way.form,
                    groups,
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The tiles without so many of these kinds, the lowest first. `None` if there are too few.
pub(super) fn without_wilds(tiles: &Counts, wild: KindSet, wilds: u8) -> Option<Counts> {
    let (mut rest, mut left) = (*tiles, wilds);
    for kind in wild.iter().filter(|_| wilds > 0) {
        let taken = rest.get(kind).min(left);
        rest.set(kind, rest.get(kind) - taken);
        left -= taken;
    }
    (left == 0).then_some(rest)
}

/// Puts kinds in for `left` wild tiles that complete the sets of an item. `rest` are the tiles of the item, `tiles` those of
/// the hand. No kind before `from` is put in.
fn complete_item(
    (item, levels, sets): (&Item, &[[u64; 4]], u8),
    (rest, tiles): (&Counts, &Counts),
    left: u8,
    from: usize,
    found: &mut Found,
) {
    let Some(left) = left.checked_sub(1) else {
        found.push(*tiles);
        return;
    };
    let accepts = item.accepts(levels, sets, rest);
    for kind in accepts.iter().filter(|kind| kind.index() >= from) {
        let (rest, tiles) = (rest.with_beyond(kind), tiles.with_beyond(kind));
        complete_item(
            (item, levels, sets),
            (&rest, &tiles),
            left,
            kind.index(),
            found,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::{Decomposer, FormItem, FormTiles, Grammar, Scratch, SpecialForm};
    use crate::random::Stream;
    use crate::ruleset::Rules;

    /// The accepted tiles agree with trying each kind, on hands of few kinds and of many.
    #[test]
    fn what_brings_forms_nearer_is_what_lowers_what_they_lack() {
        let mut stream = Stream::new(4, 3);
        let (mut nearer, mut straights) = (0, 0);
        for id in [
            "uzje",
            "riichi-mcgill",
            "celestial",
            "zung-jung",
            "traditional",
            "mcr",
        ] {
            let rules = Rules::by_id(id).unwrap();
            let grammar = rules.plan().decomposer.grammar();
            let forms = &grammar.special;
            let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
            let orphan = |kind: &Kind| kind.is_honour() || [0, 8, 15].contains(&kind.place());
            let orphans: Vec<Kind> = kinds.iter().copied().filter(orphan).collect();
            let of_suit: Vec<Kind> = kinds
                .iter()
                .copied()
                .filter(|kind| kind.lane() == 1)
                .collect();
            for round in 0..1600 {
                let (from, size) = match round % 4 {
                    0 => (&orphans, orphans.len()),
                    1 => (&of_suit, of_suit.len()),
                    _ => (&kinds, 4 + round % kinds.len()),
                };
                let mut hand = Counts::EMPTY;
                while hand.total() < 13 {
                    let place = stream.below(size.min(from.len()) as u32) as usize;
                    let kind = from[(place * 7 + round) % from.len()];
                    if hand.get(kind) < grammar.copies().get(kind) {
                        hand.try_add(kind);
                    } else if stream.below(8) == 0 {
                        hand.try_add(kinds[stream.below(kinds.len() as u32) as usize]);
                    }
                }
                let holding = Holding::of_tiles(hand);
                let lacks = |holding: &Holding| {
                    let numbers = 1..=grammar.forms().len() as u8;
                    let lacks = numbers.map(|form| forms.missing(form, holding));
                    lacks.min().unwrap_or(FAR)
                };
                let least = lacks(&holding);
                for bound in 1..=14 {
                    let below = forms.missing_below(&holding, bound);
                    assert_eq!(below, least.min(bound), "{id} {hand:?}");
                }
                let lowers = |kind: &Kind| {
                    !holding.is_exhausted(*kind, grammar.copies())
                        && holding.with(*kind).is_some_and(|more| lacks(&more) < least)
                };
                let slow: KindSet = kinds.iter().copied().filter(lowers).collect();
                assert_eq!(
                    forms.accepts(&holding, least),
                    slow,
                    "{id} {hand:?} {least}"
                );
                nearer += slow.len();
                let numbers = (1..).zip(grammar.forms());
                let mut open = numbers.filter(|(_, form)| !form.concealed);
                straights +=
                    usize::from(open.any(|(form, _)| forms.missing(form, &holding) == least));
            }
        }
        assert!(nearer > 20_000 && straights > 50, "{nearer} {straights}");
    }

    /// No tile helps a form that can never be complete.
    #[test]
    fn nothing_brings_a_form_nearer_that_is_out_of_reach() {
        let kinds: Vec<Kind> = (0..9)
            .map(|place| Kind::at(1, place))
            .chain((1..5).map(|place| Kind::at(3, place)))
            .collect();
        let mut all = Counts::EMPTY;
        kinds.iter().for_each(|&kind| all.set(kind, 1));
        let twice = FormItem::Alike {
            size: 1,
            count: 1,
            kinds: vec![FormTiles::Listed(all)],
            distinct: false,
        };
        let form = SpecialForm::new(vec![vec![FormItem::each(all), twice]], true);
        assert_eq!(
            form.check(&all, 14),
            Err(crate::decompose::FormError::NoHand)
        );
        let grammar = Grammar::new(all, 4, &[], false, false, vec![form]).unwrap();
        let mut hand = all;
        hand.try_remove(kinds[0]);
        let holding = Holding::of_tiles(hand);
        let decomposer = Decomposer::new(grammar);
        let found = decomposer.accepts(&holding, &mut Scratch::new());
        assert_eq!(found.1, KindSet::EMPTY, "{found:?}");
    }
}
