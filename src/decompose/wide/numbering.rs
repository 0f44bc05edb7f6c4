//! Numbers for the lanes of a set, without gaps.
//!
//! Lanes of few tiles are counted off in the order of their counts. A lane is read as four quarters of
//! four places; its number is the sum of how many lanes come before each quarter's counts, which depends
//! on these counts and on how many tiles stand in the quarters before. So a number is four looks at a small
//! table, and the numbers of all lanes with one tile more cost one look each.

use crate::counts::{ONES, lane_covers, lane_sum};

/// Counts that four places can have, as a number of base five.
const STATES: usize = 625;
const QUARTERS: usize = 4;
/// The most tiles of a lane that has a number.
pub(super) const TILES: usize = 9;
/// What one more tile at each place of a quarter adds to its number of base five.
const FIVES: [usize; 4] = [1, 5, 25, 125];

/// Numbers lanes that hold at most some tiles, no kind above its copies.
pub(super) struct Numbering {
    copies: u64,
    tiles: u32,
    /// Lanes before a quarter's counts, by quarter, tiles before it, and counts.
    before: Box<[[[u32; STATES]; TILES + 1]; QUARTERS]>,
    size: usize,
}

/// The quarters of a lane as numbers of base five.
#[inline]
fn quarters(lane: u64) -> [usize; QUARTERS] {
    let twos = (lane & 0x0f0f_0f0f_0f0f_0f0f) + 5 * (lane >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    let fours = (twos & 0x00ff_00ff_00ff_00ff) + 25 * (twos >> 8 & 0x00ff_00ff_00ff_00ff);
    std::array::from_fn(|quarter| (fours >> (16 * quarter) & 0xffff) as usize)
}

/// Tiles before each quarter of a lane of at most fifteen.
#[inline]
fn tiles_before(lane: u64) -> [usize; QUARTERS] {
    let sums = lane.wrapping_mul(ONES);
    [0, 12, 28, 44].map(|shift| {
        if shift == 0 {
            0
        } else {
            (sums >> shift & 15) as usize
        }
    })
}

impl Numbering {
    /// Numbers for the lanes of a set with these copies and at most as many tiles as leave no more than
    /// `most` lanes; never more than [`TILES`].
    pub(super) fn new(copies: u64, most: usize) -> Self {
        (1..=TILES)
            .rev()
            .map(|tiles| Self::of_tiles(copies, tiles))
            .find(|numbering| numbering.size <= most)
            .unwrap_or_else(|| Self::of_tiles(copies, 0))
    }

    fn of_tiles(copies: u64, tiles: usize) -> Self {
        let sums = tiles + 1;
        let mut before = Box::new([[[0; STATES]; TILES + 1]; QUARTERS]);
        // Ways to go on after a quarter, by the tiles up to there.
        let mut ways = vec![1u32; sums];
        for quarter in (0..QUARTERS).rev() {
            let mut more = vec![0u32; sums];
            for (held, more) in more.iter_mut().enumerate() {
                for state in 0..STATES {
                    let counts = FIVES.map(|five| state / five % 5);
                    let after = held + counts.iter().sum::<usize>();
                    let is_held = |(place, &count): (usize, &usize)| {
                        count as u64 <= copies >> (16 * quarter + 4 * place) & 15
                    };
                    before[quarter][held][state] = *more;
                    if after < sums && counts.iter().enumerate().all(is_held) {
                        *more += ways[after];
                    }
                }
            }
            ways = more;
        }
        Self {
            copies,
            tiles: tiles as u32,
            before,
            size: ways[0] as usize,
        }
    }

    /// How many lanes have a number.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// True when the lane, and as many tiles more, has a number.
    #[inline]
    pub(super) fn has(&self, lane: u64, more: u32) -> bool {
        lane_covers(self.copies, lane) && lane_sum(lane) + more <= self.tiles
    }

    #[inline]
    fn before(&self, quarter: usize, held: usize, state: usize) -> usize {
        self.before[quarter][held][state] as usize
    }

    /// The number of a lane that is there, as [`Numbering::has`] tells.
    #[inline]
    pub(super) fn number(&self, lane: u64) -> usize {
        let (states, held) = (quarters(lane), tiles_before(lane));
        (0..QUARTERS)
            .map(|quarter| self.before(quarter, held[quarter], states[quarter]))
            .sum()
    }

    /// The numbers of all lanes with one tile more than a lane that has a number with one more, by the place
    /// of that tile; only where `wanted` has a bit.
    #[inline]
    pub(super) fn numbers_with_one_more(
        &self,
        lane: u64,
        wanted: u16,
        mut visit: impl FnMut(usize, usize),
    ) {
        let (states, held) = (quarters(lane), tiles_before(lane));
        // Quarters after the one that takes the tile have one more before them.
        let mut after = [0; QUARTERS + 1];
        for quarter in (0..QUARTERS).rev() {
            after[quarter] =
                after[quarter + 1] + self.before(quarter, held[quarter] + 1, states[quarter]);
        }
        let mut before = 0;
        for quarter in 0..QUARTERS {
            for (i, five) in FIVES.iter().enumerate() {
                let place = 4 * quarter + i;
                if wanted >> place & 1 == 1 {
                    let with = self.before(quarter, held[quarter], states[quarter] + five);
                    visit(place, before + with + after[quarter + 1]);
                }
            }
            before += self.before(quarter, held[quarter], states[quarter]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(copies: u64, tiles: u64, see: &mut impl FnMut(u64)) {
        fn go(copies: u64, place: u32, left: u64, lane: u64, see: &mut impl FnMut(u64)) {
            if place == 16 {
                return see(lane);
            }
            for count in 0..=left.min(copies >> (4 * place) & 15) {
                go(
                    copies,
                    place + 1,
                    left - count,
                    lane | count << (4 * place),
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
            assert!(numbering.size() <= most);
            lanes(copies, u64::from(numbering.tiles), &mut |lane| {
                assert!(numbering.has(lane, 0));
                let number = numbering.number(lane);
                assert!(!std::mem::replace(&mut seen[number], true), "{lane:x}");
                if numbering.has(lane, 1) {
                    let room = (0..16)
                        .filter(|place| lane >> (4 * place) & 15 < copies >> (4 * place) & 15);
                    let wanted = room.fold(0, |bits, place| bits | 1 << place);
                    numbering.numbers_with_one_more(lane, wanted, |place, with| {
                        assert_eq!(with, numbering.number(lane + (1 << (4 * place))));
                    });
                }
            });
            assert!(seen.into_iter().all(|seen| seen));
            assert!(!numbering.has(5, 0));
        }
    }
}
