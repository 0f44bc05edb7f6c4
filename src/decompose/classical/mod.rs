//! Tables for the lanes of the classical grammar: is a lane complete, and which tiles complete it?
//!
//! The classical grammar has suits of nine ranks, seven honours, four copies of each kind, pungs and runs of
//! three ranks in a row. A lane of it has a [number](digits), with a digit for each kind. For each number the
//! tables have one entry. It says whether the lane is complete and which tiles complete it.
//!
//! A lane is *complete* if it is groups alone, or groups and a pair. Groups have three tiles, so the tile
//! total says which of the two is meant.
//!
//! The tables are built at first use and shared. Equal [rows](rows) of them are stored once, so that they
//! stay in the processor's cache.

mod classes;
mod digits;
mod form_waits;
mod forms;
mod places;
mod readings;
mod rows;
mod set;

pub(super) use forms::TableForms;

use super::arrangement::Arrangement;
use super::holding::HAND;
use crate::counts::{Counts, lone};
use crate::set::KindSet;
use crate::tile::Kind;
use classes::{Discards, Distances};
use digits::{Digits, HONOUR_STEPS, NUMBERS, SUIT_STEPS, number};
use forms::may_want_orphan;
use rows::{RowsBuilder, SharedRows};
use set::{GROUPS, HONOUR_ONES, RANKS, rest, without_one};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// The lane is complete: groups alone, or groups and a pair, as its tile total says.
const COMPLETE: u16 = 1 << 15;

/// An entry for every lane. Bits 0 to 8 are the tiles that complete it, and [`COMPLETE`] says that it is
/// complete. If the tile total is two more than a multiple of three, the bits are the tiles that make groups
/// alone. Such a lane may at the same time be groups and a pair.
struct Tables {
    suits: SharedRows<u16>,
    honours: SharedRows<u16>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables {
        suits: Lanes::rows(&SUIT_STEPS, true),
        honours: Lanes::rows(&HONOUR_STEPS, false),
    })
}

/// Builds all tables now.
pub(super) fn prepare() {
    tables();
    classes::distances();
    readings::readings();
}

/// The entries of all lanes while they are built.
struct Lanes {
    /// What one tile of each kind adds to the number of a lane.
    steps: &'static [usize],
    entries: Vec<u16>,
}

impl Lanes {
    /// Finds every complete lane, and notes it and all lanes that are one tile short of it.
    fn rows(steps: &'static [usize], has_runs: bool) -> SharedRows<u16> {
        let kinds = steps.len();
        let mut groups: Vec<Vec<usize>> = (0..kinds).map(|kind| vec![kind; 3]).collect();
        if has_runs {
            groups.extend((0..kinds - 2).map(|kind| vec![kind, kind + 1, kind + 2]));
        }
        let mut lanes = Self {
            steps,
            entries: vec![0; NUMBERS],
        };
        lanes.add_groups(&groups, &mut [0; RANKS], kinds, GROUPS);
        RowsBuilder::of(&lanes.entries).done()
    }

    fn add_groups(
        &mut self,
        groups: &[Vec<usize>],
        tiles: &mut [u8; RANKS],
        kinds: usize,
        left: usize,
    ) {
        self.note(tiles);
        for pair in 0..kinds {
            tiles[pair] += 2;
            self.note(tiles);
            tiles[pair] -= 2;
        }
        if left == 0 {
            return;
        }
        // Never goes back to an earlier group, so each choice of groups is found once.
        for (i, group) in groups.iter().enumerate() {
            group.iter().for_each(|&kind| tiles[kind] += 1);
            self.add_groups(&groups[i..], tiles, kinds, left - 1);
            group.iter().for_each(|&kind| tiles[kind] -= 1);
        }
    }

    /// Notes a complete lane. One kind may occur five times: the lane without its fifth copy waits for that
    /// copy.
    fn note(&mut self, tiles: &[u8; RANKS]) {
        let over = tiles.iter().filter(|&&count| count > 4).count();
        let most = tiles.iter().copied().max().unwrap_or(0);
        if over > 1 || most > 5 {
            return;
        }
        let counts = tiles.iter().zip(self.steps);
        let number: usize = counts.map(|(&count, step)| usize::from(count) * step).sum();
        if over == 0 {
            self.entries[number] |= COMPLETE;
        }
        for (kind, (&count, step)) in tiles.iter().zip(self.steps).enumerate() {
            // Waits never mix in one entry. A lane one short of groups alone has two tiles over a multiple of
            // three; a lane one short of groups and a pair has one over.
            if count > 0 && (over == 0 || count == 5) {
                self.entries[number - step] |= 1 << kind;
            }
        }
    }
}

/// Turns bits into kinds of a lane: nine bits for a suit, seven for the honours.
#[inline]
fn kinds(lane: usize, bits: u16) -> KindSet {
    let bits = u64::from(bits & 0x1ff);
    let placed = match lane {
        3 => (bits & 0xf) << 1 | (bits & 0x70) << 3,
        _ => bits,
    };
    KindSet::from_bits(placed << (16 * lane))
}

/// The entries of the four lanes of a hand.
#[inline]
fn entries(concealed: &Counts) -> [u16; 4] {
    let tables = tables();
    let suit = |lane| tables.suits.get(number(concealed, lane));
    let honours = tables.honours.get(number(concealed, 3));
    [suit(0), suit(1), suit(2), honours]
}

/// The honours held once. Of complete hands only thirteen orphans have any.
#[inline]
fn lone_honours(honours: u64) -> u64 {
    lone(honours, HONOUR_ONES)
}

/// False for most hands that are not complete: the honours alone rule them out.
#[inline]
pub(super) fn may_be_complete(honours: u64, forms: TableForms) -> bool {
    let has_all_honours = (honours | honours >> 1) & HONOUR_ONES == HONOUR_ONES;
    lone_honours(honours) == 0 || forms.orphans && has_all_honours
}

/// False for most hands that wait for nothing: the honours alone rule them out.
#[inline]
pub(super) fn may_wait(honours: u64, forms: TableForms) -> bool {
    without_one(lone_honours(honours)) == 0 || may_want_orphan(honours, forms)
}

/// False for most hands in which no tile makes groups and a pair. The honours and the tile totals of the
/// lanes rule them out, without a branch that the processor could mispredict.
#[inline]
pub(super) fn may_wait_for_groups(concealed: &Counts) -> bool {
    let lone = without_one(lone_honours(concealed.lane(3)));
    (lone == 0) & (wanting(rest(concealed)) != 0)
}

/// True if the tiles are groups and a pair. The caller checks how many tiles there are.
#[inline]
pub(super) fn is_complete(concealed: &Counts) -> bool {
    let rest = rest(concealed);
    // The lane of the pair has two tiles over a multiple of three, the others none.
    let [a, b, c, d] = rest;
    if a | b | c | d != 2 || a + b + c + d != 2 {
        return false;
    }
    entries(concealed).iter().all(|entry| entry & COMPLETE != 0)
}

/// Visits every arrangement as groups and a pair. The caller checks how many tiles there are.
#[inline]
pub(super) fn arrangements<V: FnMut(&Arrangement) -> ControlFlow<()>>(
    concealed: &Counts,
    visit: &mut V,
) -> ControlFlow<()> {
    readings::readings().arrangements(concealed, visit)
}

/// The remainder of the lanes that may take the missing tile, if one tile makes groups and a pair. A remainder
/// is a lane's number of tiles over a multiple of three. The arguments are the remainders of all lanes.
///
/// - 1: one lane alone has a tile over. It takes the tile, and it has the pair.
/// - 2: two lanes have two over. One of them has the pair, and the other takes the tile.
/// - 0: the remainders rule out every tile.
#[inline]
fn wanting([a, b, c, d]: [u64; 4]) -> u64 {
    let (any, sum) = (a | b | c | d, a + b + c + d);
    u64::from((any == 1) & (sum == 1)) + 2 * u64::from((any == 2) & (sum == 4))
}

/// The tiles that make groups and a pair, even as a fifth copy of a kind.
#[inline]
pub(super) fn waits(concealed: &Counts) -> KindSet {
    let rest = rest(concealed);
    let wanting = wanting(rest);
    if wanting == 0 {
        return KindSet::EMPTY;
    }
    let entries = entries(concealed);
    let is_complete = |lane: usize| entries[lane] & COMPLETE != 0;
    let mut waits = KindSet::EMPTY;
    for lane in (0..4).filter(|&lane| rest[lane] == wanting) {
        let others_are_complete = (0..4).all(|other| other == lane || is_complete(other));
        if others_are_complete {
            waits = waits.union(kinds(lane, entries[lane]));
        }
    }
    waits
}

/// True if all tiles are in the classical set.
#[inline]
pub(super) fn has_all(concealed: &Counts) -> bool {
    beyond(concealed) == 0
}

/// Not 0 if some tile is not in the classical set.
#[inline]
pub(super) fn beyond(concealed: &Counts) -> u64 {
    // Nine nibbles of a suit; four winds and three dragons.
    const NUMBERS: u64 = (1 << 36) - 1;
    const HONOURS: u64 = 15 * HONOUR_ONES;
    let suits = concealed.lane(0) | concealed.lane(1) | concealed.lane(2);
    suits & !NUMBERS | concealed.lane(3) & !HONOURS
}

/// A hand looked up in the distance tables.
pub(super) struct Lookup {
    tables: &'static Distances,
    digits: Digits,
    hand: classes::HandClasses,
    groups: usize,
    forms: TableForms,
}

impl Lookup {
    /// Looks up a hand that needs `groups` groups and a pair, or may be one of `forms`. `None` if it has more
    /// tiles than a hand on turn.
    #[inline(always)]
    pub(super) fn of(concealed: &Counts, groups: usize, forms: TableForms) -> Option<Self> {
        let digits = Digits::of(concealed);
        if digits.tiles() > HAND {
            return None;
        }
        let tables = classes::distances();
        Some(Self {
            tables,
            hand: tables.hand(digits.numbers),
            digits,
            groups,
            forms,
        })
    }

    #[inline]
    fn of_forms(&self) -> u8 {
        let pairs = self.digits.missing_pairs(self.forms);
        pairs.min(self.digits.missing_orphans(self.forms))
    }

    /// The missing tiles.
    #[inline]
    pub(super) fn missing(&self) -> u8 {
        let standard = self.tables.missing(&self.hand, self.groups);
        standard.min(self.of_forms())
    }

    /// The number of missing tiles of a hand on turn. For each discard that keeps it, visits the kind and the kinds
    /// that lower it afterwards. Kinds held four times are not listed. A complete hand has no such discards.
    pub(super) fn discards(&self, concealed: &Counts, mut visit: impl FnMut(Kind, KindSet)) -> u8 {
        let standard = self.tables.missing(&self.hand, self.groups);
        let of_forms = self.of_forms();
        let missing = standard.min(of_forms);
        if missing == 0 {
            return missing;
        }
        let mut of_groups = (standard == missing)
            .then(|| Discards::new(self.tables, &self.hand, self.groups, missing));
        let held_four = concealed.at_least(4);
        for kind in concealed.kinds().iter() {
            let (lane, place) = (kind.lane(), kind.place() as usize);
            let place = match (lane, place) {
                (3, ..=4) => place - 1,
                (3, _) => place - 3,
                _ => place,
            };
            let lowering = of_groups
                .as_mut()
                .and_then(|groups| groups.after(lane, place));
            let mut accepts = KindSet::EMPTY;
            for (lane, bits) in lowering.iter().flatten().enumerate() {
                accepts = accepts.union(kinds(lane, *bits));
            }
            accepts = accepts.difference(held_four);
            let mut keeps = lowering.is_some();
            if of_forms == missing
                && let Some(of_forms) = self.after_discard_by_forms(concealed, kind, missing)
            {
                keeps = true;
                accepts = accepts.union(of_forms);
            }
            if keeps {
                visit(kind, accepts);
            }
        }
        missing
    }

    /// The accepted tiles of the forms after a discard. `None` if every form then lacks more than `missing` tiles.
    #[inline(never)]
    fn after_discard_by_forms(
        &self,
        concealed: &Counts,
        kind: Kind,
        missing: u8,
    ) -> Option<KindSet> {
        let mut rest = *concealed;
        rest.sub(kind, 1);
        let after = Self {
            digits: Digits::of(&rest),
            ..*self
        };
        let is_kept = after.of_forms() == missing;
        is_kept.then(|| self.forms.accepts(&rest, &after.digits, missing))
    }

    /// The number of missing tiles, and the kinds that lower it. Kinds held four times are not listed.
    pub(super) fn accepts(&self, concealed: &Counts) -> (u8, KindSet) {
        let standard = self.tables.missing(&self.hand, self.groups);
        let of_forms = self.of_forms();
        let missing = standard.min(of_forms);
        let mut accepts = KindSet::EMPTY;
        if missing == 0 {
            return (missing, accepts);
        }
        if standard == missing {
            let lowering = self.tables.lowering(&self.hand, self.groups, missing);
            for (lane, bits) in lowering.into_iter().enumerate() {
                accepts = accepts.union(kinds(lane, bits));
            }
            accepts = accepts.difference(concealed.at_least(4));
        }
        if of_forms == missing {
            accepts = accepts.union(self.forms.accepts(concealed, &self.digits, missing));
        }
        (missing, accepts)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lookup, TableForms};
    use crate::counts::Counts;
    use crate::decompose::lanes::Lanes;
    use crate::decompose::{Holding, Scratch};
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::tile::{Kind, Rank, Suit};

    /// A hand that waits for a fifth copy is at most two tiles away from a complete hand without one. Tries every
    /// such lane of one suit, with the other groups and the pair in honours.
    #[test]
    fn who_waits_for_a_fifth_copy_is_near() {
        fn all(
            groups: &[[usize; 3]],
            lane: &mut [u8; 9],
            left: usize,
            see: &mut impl FnMut(&[u8; 9], usize),
        ) {
            see(lane, left);
            for (i, group) in groups.iter().enumerate().filter(|_| left > 0) {
                group.iter().for_each(|&rank| lane[rank] += 1);
                all(&groups[i..], lane, left - 1, see);
                group.iter().for_each(|&rank| lane[rank] -= 1);
            }
        }
        let groups: Vec<[usize; 3]> = (0..9)
            .map(|rank| [rank; 3])
            .chain((0..7).map(|rank| [rank, rank + 1, rank + 2]))
            .collect();
        let kind = |rank| Kind::number(Suit::Bamboos, Rank::new(rank as u8 + 1).unwrap());
        let mut fifths = 0;
        all(&groups, &mut [0; 9], 4, &mut |lane, left| {
            for pair in 0..10 {
                let mut lane = *lane;
                if pair < 9 {
                    lane[pair] += 2;
                }
                let most: Vec<usize> = (0..9).filter(|&rank| lane[rank] > 4).collect();
                if most.len() != 1 || lane[most[0]] != 5 {
                    continue;
                }
                let mut tiles = Counts::EMPTY;
                lane[most[0]] = 4;
                for (rank, &count) in lane.iter().enumerate() {
                    (0..count).for_each(|_| assert!(tiles.try_add(kind(rank))));
                }
                let honours = [Kind::RED, Kind::GREEN, Kind::WHITE, Kind::NORTH];
                for &honour in &honours[..left] {
                    (0..3).for_each(|_| assert!(tiles.try_add(honour)));
                }
                if pair == 9 {
                    (0..2).for_each(|_| assert!(tiles.try_add(Kind::EAST)));
                }
                assert_eq!(tiles.total(), 13);
                let sight = Lookup::of(&tiles, 4, TableForms::default());
                assert!(sight.unwrap().missing() <= 2, "{tiles:?}");
                fifths += 1;
            }
        });
        assert!(fifths > 500, "{fifths}");
    }

    /// The tables agree with the search: on arbitrary hands, hands of one suit, of few kinds, of orphans, and with
    /// fewer groups needed.
    #[test]
    fn tables_tell_what_the_search_finds() {
        let mut stream = Stream::new(21, 21);
        let mut scratch = Scratch::new();
        for id in ["riichi-mcgill", "woo", "traditional", "celestial"] {
            let rules = Rules::by_id(id).unwrap();
            let decomposer = &rules.plan().decomposer;
            let grammar = decomposer.grammar();
            let all: Vec<Kind> = grammar.copies().kinds().iter().collect();
            let classes = &rules.plan().classes;
            let honours = classes.iter().find(|(name, _)| name == "honour").unwrap().1;
            let mut seen = [0; 16];
            for round in 0..4000 {
                let mut pick = |n: usize| stream.below(n as u32) as usize;
                let from: Vec<Kind> = match round % 5 {
                    0 => all.clone(),
                    1 => all
                        .iter()
                        .copied()
                        .filter(|kind| kind.lane() == 1)
                        .collect(),
                    2 => (0..8).map(|_| all[pick(all.len())]).collect(),
                    3 => {
                        let is_orphan = |kind: &Kind| {
                            honours.contains(*kind)
                                || kind.rank().is_some_and(|rank| matches!(rank.get(), 1 | 9))
                        };
                        all.iter().copied().filter(is_orphan).collect()
                    }
                    _ => all
                        .iter()
                        .copied()
                        .filter(|kind| kind.lane() >= 2)
                        .collect(),
                };
                let size = match pick(4) {
                    0 => 13 - 3 * pick(4),
                    1 => 14 - 3 * pick(4),
                    n => 11 + n,
                };
                let mut tiles = Counts::EMPTY;
                while tiles.total() < size.min(4 * from.len()) {
                    tiles.try_add(from[pick(from.len())]);
                }
                let holding = Holding::of_tiles(tiles);
                assert!(decomposer.looked_up(&holding).is_some(), "{id} {tiles:?}");
                let lanes = Lanes::new(grammar, None, &holding, &mut scratch);
                let distance = lanes.distance();
                let accepts = lanes.accepts(distance, &mut scratch);
                let found = decomposer.accepts(&holding, &mut scratch);
                assert_eq!(found, (distance, accepts), "{id} {tiles:?}");
                assert_eq!(decomposer.distance(&holding, &mut scratch), distance);
                if tiles.total() % 3 == 2 {
                    let found = decomposer.all_discards_slowly(&holding, &mut scratch);
                    let told = decomposer.all_discards(&holding, &mut scratch);
                    assert_eq!(told, found, "{id} {tiles:?}");
                }
                seen[(distance + 1) as usize] += 1;
            }
            assert!(
                seen[0] > 0 && seen[1..5].iter().all(|&n| n > 50),
                "{seen:?}"
            );
        }
    }
}
