//! The missing and accepted tiles of a hand, from the tables.

use super::classes::{Cell, Classes};
use super::rows::{NONE, Row, halves};
use super::{CLASSES, FOLDED, Tables, cell_of_pair, lanes};
use crate::counts::{at, lane_covers};
use crate::decompose::grammar::Grammar;
use crate::decompose::holding::Holding;
use crate::decompose::zeros::zeros_of;
use crate::set::KindSet;
use crate::tile::Kind;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// A hand that the tables cover: all lanes have numbers.
#[derive(Clone, Copy)]
pub(in crate::decompose) struct LaneHand<'a> {
    pub(super) tables: &'a Tables,
    pub(super) grammar: &'a Grammar,
    /// Its lanes without zeros. If lanes are joined, the circles are in the lane of honours.
    pub(super) lanes: [u64; 4],
    pub(super) numbers: [usize; 4],
    pub(super) zeros: usize,
    /// The groups that it still needs.
    pub(super) need: usize,
}

/// The classes of a hand's lanes with some zeros in hand, and of its suits and others.
#[derive(Clone, Copy)]
pub(super) struct Folds {
    pub(super) classes: [usize; 4],
    pairs: [usize; 2],
    pub(super) zeros: usize,
}

impl<'a> LaneHand<'a> {
    /// The hand; `None` if a lane has no number, or if a target could use more zeros than are left. Declared copies
    /// of other kinds are ignored.
    #[inline(always)]
    pub(in crate::decompose) fn of(
        tables: &'a Tables,
        grammar: &'a Grammar,
        holding: &Holding,
    ) -> Option<Self> {
        let zeros = zeros_of(grammar, holding);
        zeros.shared()?;
        let mut lanes = lanes(&holding.concealed, tables.uses_zero);
        if tables.joined {
            // A tile that is not in the set could be taken for one of the other lane.
            let is_in_set = |lane: usize| lane_covers(tables.limits[lane], lanes[lane]);
            if !(is_in_set(0) && is_in_set(3)) {
                return None;
            }
            lanes[3] |= std::mem::take(&mut lanes[0]);
        }
        let mut numbers = [0; 4];
        for lane in usize::from(tables.joined)..4 {
            let numbering = tables.numbering(lane);
            if !numbering.has(lanes[lane], 0) {
                return None;
            }
            numbers[lane] = numbering.number(lanes[lane]);
        }
        Some(Self {
            tables,
            grammar,
            lanes,
            numbers,
            zeros: match tables.uses_zero {
                true => usize::from(holding.concealed.get(Kind::ZERO)),
                false => 0,
            },
            need: grammar.groups.saturating_sub(holding.melds),
        })
    }

    /// The class of one lane. `None` if the tables lack it.
    #[inline(always)]
    pub(super) fn class(&self, lane: usize, zeros: usize) -> Option<usize> {
        let lane_of = (self.numbers[lane], self.lanes[lane]);
        self.tables.class(self.grammar, lane, lane_of, zeros)
    }

    /// The classes with this many zeros in hand, none or one. `None` if the tables lack a lane.
    #[inline(always)]
    pub(super) fn folds(&self, zeros: usize) -> Option<Folds> {
        let mut classes = [0; 4];
        let used = usize::from(self.tables.joined);
        for (lane, class) in classes.iter_mut().enumerate().skip(used) {
            *class = self.class(lane, zeros)?;
        }
        Some(Folds {
            classes,
            pairs: self.tables.pairs(&classes, zeros)?,
            zeros,
        })
    }

    /// The tiles missing from groups and a pair.
    #[inline(always)]
    pub(super) fn missing_of(&self, folds: &Folds) -> u8 {
        self.tables.of_pairs(folds.pairs, folds.zeros, self.need)
    }

    /// The tiles missing from groups and a pair, with `more` further zeros in hand. `None` if these are too
    /// many zeros or the tables lack a lane.
    #[inline(always)]
    pub(in crate::decompose) fn missing(&self, more: usize) -> Option<u8> {
        match self.zeros + more {
            zeros if zeros < FOLDED => Some(self.missing_of(&self.folds(zeros)?)),
            zeros => self.missing_with_many(zeros),
        }
    }

    /// The classes if one lane had another `class`. `folds` are those of the hand.
    #[inline]
    pub(super) fn with_class(&self, lane: usize, class: usize, folds: &Folds) -> Option<Folds> {
        let (tables, zeros) = (self.tables, folds.zeros);
        let mut after = *folds;
        after.classes[lane] = class;
        let [suits, others] = &mut after.pairs;
        match lane {
            1 | 2 => {
                let beside = folds.classes[3 - lane];
                let pair = match tables.stands_second(lane) {
                    true => [beside, class],
                    false => [class, beside],
                };
                *suits = tables.fold(0, pair, zeros)?;
            }
            3 if tables.joined => *others = class,
            3 => *others = tables.fold(1, [folds.classes[0], class], zeros)?,
            _ => *others = tables.fold(1, [class, folds.classes[3]], zeros)?,
        }
        Some(after)
    }

    /// The row of a lane: its classes with one tile more. `None` if the lane has no number with one more.
    #[inline]
    pub(super) fn row(&self, lane: usize) -> Option<Row> {
        let (tables, zeros) = (self.tables, self.zeros);
        let (numbering, counts) = (tables.numbering(lane), self.lanes[lane]);
        if !numbering.has(counts, 1) {
            return None;
        }
        let (folded, alike) = (&tables.folded[zeros], tables.alike[lane]);
        let make = || {
            let (mut row, mut some) = ([0; 16], NONE);
            numbering.numbers_with_one_more(counts, |place, number| {
                let with = counts + at(place as u32, 1);
                let search = || tables.find_costs(self.grammar, lane, with, zeros);
                // There are fewer than 256 classes, so one fits a byte.
                let class = folded.lanes[alike].class(number, search);
                some = class.map_or(NONE, |class| class as u8 + 1);
                row[place] = some;
            });
            row.map(|class| if class == 0 { some } else { class })
        };
        Some(folded.rows[alike].row(self.numbers[lane], make))
    }

    /// The rows of all lanes, where they have any.
    ///
    /// Rows are far apart in memory. If they are read early, the caller can compute other things while they load.
    #[inline(always)]
    pub(in crate::decompose) fn rows(&self) -> [Option<Row>; 4] {
        let mut rows = [None; 4];
        if self.zeros < FOLDED {
            let used = usize::from(self.tables.joined);
            for (lane, row) in rows.iter_mut().enumerate().skip(used) {
                *row = self.row(lane);
            }
        }
        rows
    }

    /// The places where one more tile in a lane leaves fewer than `missing` tiles missing. `None` if the
    /// tables do not know that for some place yet.
    // Looks at all places, wanted or not: a test at each place is a branch that the processor mispredicts.
    #[inline]
    fn lowers(&self, lane: usize, row: &Row, folds: &Folds, missing: u8) -> Option<u16> {
        let Folds {
            classes,
            pairs: [suits, others],
            ..
        } = folds;
        let (tables, folded) = (self.tables, &self.tables.folded[self.zeros]);
        let [of_suits, of_others] = &folded.pairs;
        let [suits, others] = [suits + 1, others + 1];
        let missing_from = folded.missing_from(self.need)?;
        let with_others = |others: usize| folded.step * others + suits;
        let scan = Scan { row, missing };
        // For one class of the first lane, the entries for all classes of the second are adjacent.
        let in_row = |pairs: &'a Classes<AtomicU16>, beside: usize| {
            let cells: &[_; CLASSES] = pairs.cells(cell_of_pair(beside, 0))?;
            Some(|class: u8| usize::from(cells[usize::from(class)].get()))
        };
        let apart = |pairs: &'a Classes<AtomicU16>, beside: usize| {
            move |class: u8| pairs.cell(cell_of_pair(usize::from(class) - 1, beside + 1))
        };
        if let 1 | 2 = lane {
            let beside_others = folded.step * others..folded.step * (others + 1);
            let missing_from = missing_from.get(beside_others)?;
            let beside = classes[3 - lane];
            return match tables.stands_second(lane) {
                true => {
                    let cell = in_row(of_suits, beside)?;
                    scan.go(missing_from, cell)
                }
                false => scan.go(missing_from, apart(of_suits, beside)),
            };
        }
        match lane {
            // The others are one lane, so its class needs no folding.
            3 if tables.joined => scan.go(missing_from, |class| with_others(class.into())),
            3 => {
                let cell = in_row(of_others, classes[0])?;
                scan.go(missing_from, |class| with_others(cell(class)))
            }
            _ => {
                let cell = apart(of_others, classes[3]);
                scan.go(missing_from, |class| with_others(cell(class)))
            }
        }
    }

    /// The places of `wanted` in a lane that leave fewer than `missing` tiles missing when drawn. `None` if the
    /// tables lack a lane with one tile more.
    #[inline]
    pub(super) fn accepts_in(
        &self,
        lane: usize,
        folds: &Folds,
        (missing, wanted): (u8, u16),
        row: Option<&Row>,
    ) -> Option<u16> {
        if wanted == 0 {
            return Some(0);
        }
        let row = row?;
        if let Some(lowers) = self.lowers(lane, row, folds, missing) {
            return Some(lowers & wanted);
        }
        let (mut accepts, mut left) = (0, wanted);
        while left != 0 {
            let place = left.trailing_zeros() as usize % 16;
            left &= left - 1;
            let class = Some(row[place]).filter(|&class| class != NONE)?;
            let after = self.with_class(lane, usize::from(class) - 1, folds)?;
            accepts |= u16::from(self.missing_of(&after) < missing) << place;
        }
        Some(accepts)
    }

    /// The kinds of `wanted`, by lane, that leave fewer than `missing` tiles missing when drawn. `None` if
    /// the tables lack a lane with one tile more.
    #[inline]
    fn accepts_folded(
        &self,
        missing: u8,
        wanted: &[u16; 4],
        rows: &[Option<Row>; 4],
    ) -> Option<[u16; 4]> {
        let folds = self.folds(self.zeros)?;
        let mut accepts = [0; 4];
        for (lane, accepts) in accepts.iter_mut().enumerate() {
            let asked = (missing, wanted[lane]);
            *accepts = self.accepts_in(lane, &folds, asked, rows[lane].as_ref())?;
        }
        Some(accepts)
    }

    /// The kinds of `wanted`, zeros left out, that leave fewer than `missing` tiles missing from groups and a
    /// pair. `rows` are the hand's [rows](Self::rows). `None` if the tables lack a lane with one tile more.
    pub(in crate::decompose) fn accepts(
        &self,
        missing: u8,
        wanted: KindSet,
        rows: &[Option<Row>; 4],
    ) -> Option<KindSet> {
        let asked = self.by_lane(wanted);
        let accepts = match self.zeros {
            0..FOLDED => self.accepts_folded(missing, &asked, rows)?,
            _ => self.accepts_with_many(missing, &asked)?,
        };
        Some(self.kinds_of(accepts, wanted))
    }

    /// A set of kinds by lane. If lanes are joined, the circles are in the lane of honours.
    #[inline]
    pub(super) fn by_lane(&self, kinds: KindSet) -> [u16; 4] {
        let mut lanes: [u16; 4] = std::array::from_fn(|lane| (kinds.bits() >> (16 * lane)) as u16);
        if self.tables.joined {
            lanes[3] |= std::mem::take(&mut lanes[0]);
        }
        lanes
    }

    /// The kinds of `wanted` in a set by lane. The inverse of [`Self::by_lane`].
    #[inline]
    pub(super) fn kinds_of(&self, mut lanes: [u16; 4], wanted: KindSet) -> KindSet {
        if self.tables.joined {
            let circles = wanted.bits() as u16;
            lanes[0] = lanes[3] & circles;
            lanes[3] &= !circles;
        }
        let bits = (0..4).map(|lane| u64::from(lanes[lane]) << (16 * lane));
        KindSet::from_bits(bits.sum())
    }
}

/// Looks up the missing tiles for each class of a row.
struct Scan<'a> {
    row: &'a Row,
    missing: u8,
}

impl Scan<'_> {
    /// The places whose class leaves fewer than `missing` tiles missing. `place_of` takes a class plus one
    /// and gives its index in `missing_from`. `None` if an entry is not known yet.
    #[inline(always)]
    fn go(&self, missing_from: &[AtomicU8], place_of: impl Fn(u8) -> usize) -> Option<u16> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = 0x80 * ONES;
        let found = self.row.map(|class| {
            let found = missing_from.get(place_of(class));
            found.map_or(0, |found| found.load(Ordering::Relaxed))
        });
        // Compares eight bytes at once by their top bits. The numbers are small, so no byte carries into the
        // next.
        let tops = |found: u64| {
            let known = found + (TOPS - ONES);
            let lowers = (TOPS | (u64::from(self.missing) * ONES)) - found;
            (known & TOPS == TOPS).then_some((lowers & TOPS) >> 7)
        };
        let [low, high] = halves(found).map(tops);
        let bits = |ones: u64| (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16;
        Some(bits(low?) | bits(high?) << 8)
    }
}
