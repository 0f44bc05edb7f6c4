//! Numbers for the lanes of a set, without gaps.
//!
//! Lanes are ordered by their tile totals, then by their counts. Most hands have lanes of few tiles, so the
//! numbers that matter are close together.
//!
//! A lane has four *quarters* of four places. Its number is a sum over the quarters: how many lanes come
//! before the counts of this quarter. That depends on these counts and on the tiles from this quarter on. So
//! a number takes four lookups in a small table. The numbers of all lanes with one tile more take one lookup
//! each.

use crate::counts::{GUARD, ONES, lane_covers, lane_sum};

/// The counts that a quarter can have: a number of four digits in base five.
const STATES: usize = 625;
const QUARTERS: usize = 4;
/// The most tiles of a lane with a number.
pub(in crate::decompose) const TILES: usize = 10;
/// What one more tile at each place of a quarter adds to its counts in base five.
const FIVES: [usize; 4] = [1, 5, 25, 125];

/// Numbers the lanes with at most `tiles` tiles and no kind above its copies.
pub(super) struct Numbering {
    copies: u64,
    tiles: u32,
    /// How many lanes come before: by quarter, by the tiles from it on, and by its counts.
    before: Box<[[[u32; STATES]; TILES + 1]; QUARTERS]>,
    /// By number of tiles: how many lanes have no more than these.
    sizes: [usize; TILES + 1],
}

/// The counts of each quarter as a number in base five.
#[inline]
fn quarters(lane: u64) -> [usize; QUARTERS] {
    let twos = (lane & 0x0f0f_0f0f_0f0f_0f0f) + 5 * (lane >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    let fours = (twos & 0x00ff_00ff_00ff_00ff) + 25 * (twos >> 8 & 0x00ff_00ff_00ff_00ff);
    std::array::from_fn(|quarter| (fours >> (16 * quarter) & 0xffff) as usize)
}

/// The tiles from each quarter on, for a lane of at most fifteen tiles.
#[inline]
fn tiles_from(lane: u64) -> [usize; QUARTERS] {
    // Each nibble of the product is the sum of the nibbles up to it.
    let sums = lane.wrapping_mul(ONES);
    let all = (sums >> 60) as usize;
    [0, 12, 28, 44].map(|shift| match shift {
        0 => all,
        _ => all - (sums >> shift & 15) as usize,
    })
}

impl Numbering {
    /// Numbers for the lanes of a set with these `copies`. The most tiles of a lane are chosen so that there are at
    /// most `most` lanes, and never exceed [`TILES`].
    pub(super) fn new(copies: u64, most: usize) -> Self {
        let mut before = Box::new([[[0u32; STATES]; TILES + 1]; QUARTERS]);
        // By number of tiles, the ways to fill the quarters after this one.
        let mut ways = [0u32; TILES + 1];
        ways[0] = 1;
        for quarter in (0..QUARTERS).rev() {
            let mut more = [0u32; TILES + 1];
            for state in 0..STATES {
                let counts = FIVES.map(|five| state / five % 5);
                let is_held = counts.iter().enumerate().all(|(place, &count)| {
                    count as u64 <= copies >> (16 * quarter + 4 * place) & 15
                });
                let tiles = if is_held {
                    counts.iter().sum()
                } else {
                    TILES + 1
                };
                for (left, more) in more.iter_mut().enumerate() {
                    before[quarter][left][state] = *more;
                    *more += left.checked_sub(tiles).map_or(0, |after| ways[after]);
                }
            }
            ways = more;
        }
        let mut sizes = [0; TILES + 1];
        let mut size = 0;
        for (tiles, first) in before[0].iter_mut().enumerate() {
            first.iter_mut().for_each(|before| *before += size);
            size += ways[tiles];
            sizes[tiles] = size as usize;
        }
        let fits = sizes.iter().take_while(|&&size| size <= most.max(1));
        Self {
            copies,
            tiles: fits.count() as u32 - 1,
            before,
            sizes,
        }
    }

    /// How many lanes have a number.
    pub(super) fn size(&self) -> usize {
        self.size_of(self.tiles as usize)
    }

    /// How many lanes with at most `tiles` tiles have a number. They have the lowest numbers.
    pub(super) fn size_of(&self, tiles: usize) -> usize {
        self.sizes[tiles.min(self.tiles as usize)]
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.before)
    }

    /// True if the lane has a number, and also with `more` tiles.
    #[inline]
    pub(super) fn has(&self, lane: u64, more: u32) -> bool {
        lane_covers(self.copies, lane) && lane_sum(lane) + more <= self.tiles
    }

    #[inline]
    fn before(&self, quarter: usize, left: usize, state: usize) -> usize {
        self.before[quarter][left][state] as usize
    }

    /// The number of a lane for which [`Numbering::has`] is true.
    #[inline(always)]
    pub(super) fn number(&self, lane: u64) -> usize {
        let (states, left) = (quarters(lane), tiles_from(lane));
        (0..QUARTERS)
            .map(|quarter| self.before(quarter, left[quarter], states[quarter]))
            .sum()
    }

    /// Visits all lanes with one tile more, as the place of that tile and their number. Kinds without a copy
    /// left are skipped. [`Numbering::has`] must be true with one more tile.
    #[inline]
    pub(super) fn numbers_with_one_more(&self, lane: u64, mut visit: impl FnMut(usize, usize)) {
        // A guard bit stays set if its nibble did not borrow. Then a copy of that kind is left.
        let room = ((self.copies | GUARD) - lane - ONES) & GUARD;
        let (states, left) = (quarters(lane), tiles_from(lane));
        // The quarters after the one that takes the tile have the same tiles from them on. That one, and
        // those before it, have one more.
        let mut after = [0; QUARTERS + 1];
        for quarter in (1..QUARTERS).rev() {
            after[quarter] =
                after[quarter + 1] + self.before(quarter, left[quarter], states[quarter]);
        }
        let mut before = 0;
        for quarter in 0..QUARTERS {
            for (i, five) in FIVES.iter().enumerate() {
                let place = 4 * quarter + i;
                if room >> (4 * place) & 8 != 0 {
                    let with = self.before(quarter, left[quarter] + 1, states[quarter] + five);
                    visit(place, before + with + after[quarter + 1]);
                }
            }
            before += self.before(quarter, left[quarter] + 1, states[quarter]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{at, nibble};

    fn lanes(copies: u64, tiles: u64, see: &mut impl FnMut(u64)) {
        fn go(copies: u64, place: u32, left: u64, lane: u64, see: &mut impl FnMut(u64)) {
            if place == 16 {
                return see(lane);
            }
            for count in 0..=left.min(nibble(copies, place)) {
                go(
                    copies,
                    place + 1,
                    left - count,
                    lane | at(place, count),
                    see,
                );
            }
        }
        go(copies, 0, tiles, 0, see);
    }

    #[test]
    fn every_lane_has_its_own_number() {
        for (copies, most) in [
            (0x4444_4444_4444_4444, 100_000),
            (0x4000_0000_0000_0004, usize::MAX),
            (0x0123_4012_3401_2340, 50_000),
        ] {
            let numbering = Numbering::new(copies, most);
            let mut seen = vec![false; numbering.size()];
            assert!(numbering.size() <= most && numbering.tiles > 2);
            lanes(copies, u64::from(numbering.tiles), &mut |lane| {
                assert!(numbering.has(lane, 0));
                let number = numbering.number(lane);
                assert!(number < numbering.size_of(lane_sum(lane) as usize));
                assert!(!std::mem::replace(&mut seen[number], true), "{lane:x}");
                if numbering.has(lane, 1) {
                    let room = (0..16).filter(|place| {
                        nibble(lane, *place as u32) < nibble(copies, *place as u32)
                    });
                    let mut listed = Vec::new();
                    numbering.numbers_with_one_more(lane, |place, with| {
                        assert_eq!(with, numbering.number(lane + at(place as u32, 1)));
                        listed.push(place);
                    });
                    assert_eq!(listed, room.collect::<Vec<_>>());
                }
            });
            assert!(seen.into_iter().all(|seen| seen));
            assert!(!numbering.has(5, 0));
        }
    }
}
