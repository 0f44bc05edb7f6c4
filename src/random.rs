//! Every random number of the crate: [`Stream`]s of ChaCha8 and how seeds become streams.
//!
//! A seed means the same game for ever, on every machine. Nothing here uses a distribution or a
//! shuffle of another crate, since those may change between versions.
//!
//! - The key is the game's seed as eight little-endian bytes, then twenty-four zero bytes.
//! - Stream 0 belongs to the match (who deals first). Hand `h` of a match, counted from 1, shuffles
//!   and dices with stream `16 h`; the agent of player `p` draws from stream `16 h + 1 + p`, so no
//!   agent can move a tile.
//! - [`Stream::below`] takes 32 bits, multiplies and keeps the high half, and draws again where the
//!   low half would make some results likelier than others.

use crate::seat::Player;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers that is the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// A stream of a game, numbered as the module's documentation says.
    pub fn new(game_seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&game_seed.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(stream);
        Self(rng)
    }

    /// The stream of a match.
    pub fn of_match(game_seed: u64) -> Self {
        Self::new(game_seed, 0)
    }

    /// The stream of the wall and dice of a hand, counted from 1.
    pub fn of_wall(game_seed: u64, hand: u32) -> Self {
        Self::new(game_seed, 16 * u64::from(hand))
    }

    /// The stream of a player's agent in a hand.
    pub fn of_agent(game_seed: u64, hand: u32, player: Player) -> Self {
        Self::new(game_seed, 16 * u64::from(hand) + 1 + player.index() as u64)
    }

    /// A number from 0 to `bound − 1`, each equally likely; 0 for a bound of 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.0.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound.max(1);
            while (product as u32) < threshold {
                product = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Fisher–Yates from the last place down: each place i swaps with one of 0 to i.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }
}

/// The seed of game `game` of a run: an integer below 2^53, a function of both numbers alone
/// (two rounds of the SplitMix64 finaliser, the top 53 bits).
///
/// ```
/// assert_eq!(paishan::game_seed(7, 0), paishan::game_seed(7, 0));
/// assert_ne!(paishan::game_seed(7, 0), paishan::game_seed(7, 1));
/// ```
pub const fn game_seed(seed: u64, game: u64) -> u64 {
    mix(mix(seed) ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 11
}

const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut stream = Stream::new(1, 2);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[stream.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }

    #[test]
    fn seeds_and_streams_are_golden() {
        // Changing any of these changes every game ever recorded by its seed.
        assert_eq!(game_seed(0, 0), 5_876_733_520_225_071);
        assert_eq!(game_seed(7, 3), 8_139_477_857_185_448);
        let mut stream = Stream::of_wall(game_seed(7, 0), 1);
        let numbers: Vec<u32> = (0..8).map(|_| stream.below(1000)).collect();
        assert_eq!(numbers, [961, 652, 104, 897, 389, 268, 68, 631]);
    }
}
