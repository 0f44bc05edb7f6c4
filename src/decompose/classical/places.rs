//! Perfect hashing: places for numbers, so that no two of them lie at one.

use std::cmp::Reverse;

/// How many places there are.
pub(super) const PLACES: usize = 1 << 15;
const BUCKETS: usize = 1 << 13;
/// How far a place is from the one that a bucket is moved to next.
const STEP: usize = 0x2b5;

/// A place of its own for each of some numbers, and any for others.
pub(super) struct Places {
    /// How far the numbers of a bucket are moved.
    moves: Box<[u8]>,
    factor: u32,
}

/// The bucket of a number, and where it would lie unmoved.
#[inline]
const fn hash(number: u32, factor: u32) -> (usize, usize) {
    let hash = number.wrapping_mul(factor);
    ((hash >> 19) as usize, (hash >> 4) as usize)
}

/// Where a number lies that is moved so far.
#[inline]
const fn moved(unmoved: usize, moves: u8) -> usize {
    (unmoved + moves as usize * STEP) % PLACES
}

impl Places {
    /// Places for different numbers that fill two thirds of them at most: more might find none.
    pub(super) fn of(numbers: &[u32]) -> Self {
        debug_assert!(3 * numbers.len() <= 2 * PLACES);
        let mut factor = 0x9e37_79b1_u32;
        loop {
            if let Some(moves) = moves(numbers, factor) {
                return Self { moves, factor };
            }
            factor = factor.wrapping_add(2);
        }
    }

    /// The place of a number.
    #[inline]
    pub(super) fn place(&self, number: u32) -> usize {
        let (bucket, unmoved) = hash(number, self.factor);
        moved(unmoved, self.moves[bucket])
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.moves.len()
    }
}

/// How far each bucket is moved so that no two numbers lie at one place; `None` where some bucket finds no room.
fn moves(numbers: &[u32], factor: u32) -> Option<Box<[u8]>> {
    let mut buckets = vec![Vec::new(); BUCKETS];
    for &number in numbers {
        let (bucket, unmoved) = hash(number, factor);
        buckets[bucket].push(unmoved);
    }
    // The fullest first, while there is room.
    let mut order: Vec<usize> = (0..BUCKETS).collect();
    order.sort_by_key(|&bucket| Reverse(buckets[bucket].len()));
    let mut is_taken = vec![false; PLACES];
    let mut moves = vec![0; BUCKETS];
    let mut places = Vec::new();
    for bucket in order {
        moves[bucket] = (0..=u8::MAX).find(|&moves| {
            places.clear();
            places.extend(buckets[bucket].iter().map(|&unmoved| moved(unmoved, moves)));
            places.sort_unstable();
            let are_apart = places.windows(2).all(|two| two[0] != two[1]);
            are_apart && places.iter().all(|&place| !is_taken[place])
        })?;
        places.iter().for_each(|&place| is_taken[place] = true);
    }
    Some(moves.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// As many numbers as may be, near to each other and far apart.
    #[test]
    fn no_two_numbers_lie_at_one_place() {
        let mut stream = Stream::new(15, 15);
        for bound in [22_000, 2_000_000] {
            let mut numbers: Vec<u32> = (0..21_800).map(|_| stream.below(bound)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let places = Places::of(&numbers);
            let mut taken: Vec<usize> = numbers.iter().map(|&n| places.place(n)).collect();
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), numbers.len());
            assert!(taken.iter().all(|&place| place < PLACES));
        }
    }
}
