//! A perfect hash: maps each number of a given list to its own place.
//!
//! A number is hashed to a bucket and a place. Each bucket is then moved by some steps, such that no two
//! numbers share a place.

use std::cmp::Reverse;

/// The number of places.
pub(super) const PLACES: usize = 1 << 15;
const BUCKETS: usize = 1 << 13;
/// How many places a bucket moves in one step.
const STEP: usize = 0x2b5;

/// Maps each number of a list to its own place. Other numbers map to arbitrary places.
pub(super) struct Places {
    /// By bucket: the steps by which it is moved.
    moves: Box<[u8]>,
    /// The factor of the hash, chosen so that every bucket finds room.
    factor: u32,
}

/// The bucket of a number, and its place before the bucket is moved.
#[inline]
const fn hash(number: u32, factor: u32) -> (usize, usize) {
    let hash = number.wrapping_mul(factor);
    ((hash >> 19) as usize, (hash >> 4) as usize)
}

/// The place after some steps.
#[inline]
const fn moved(unmoved: usize, moves: u8) -> usize {
    (unmoved + moves as usize * STEP) % PLACES
}

impl Places {
    /// Finds places for numbers that are all different. They may fill two thirds of the places at most. With
    /// more, the search might never end.
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

/// The steps of each bucket such that no two numbers share a place. `None` if some bucket finds no room.
fn moves(numbers: &[u32], factor: u32) -> Option<Box<[u8]>> {
    let mut buckets = vec![Vec::new(); BUCKETS];
    for &number in numbers {
        let (bucket, unmoved) = hash(number, factor);
        buckets[bucket].push(unmoved);
    }
    // The fullest buckets first, while there is most room.
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

    /// As many numbers as allowed, both close together and far apart.
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
