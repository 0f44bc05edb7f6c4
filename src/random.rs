//! All randomness of the crate: [`Stream`]s of ChaCha8, and how seeds become streams.
//!
//! A seed gives the same match forever, on every machine. So nothing here uses a distribution or a shuffle of
//! another crate: those may change between versions.
//!
//! - A [`Seed`] is a key of 32 bytes. A number becomes its eight little-endian bytes, then twenty-four zero
//!   bytes.
//! - A match has a game seed. Its stream 0 decides who deals first. Deal `h` of the match, counted from 1,
//!   shuffles and throws dice with its stream `16 h`.
//! - Agents have a seed of their own. In deal `h` the agent of player `p` draws from its stream
//!   `16 h + 1 + p`. So the random numbers of an agent reveal nothing about a wall.
//! - Derived seeds are the first 32 bytes of a stream from 2^63 on. Stream 2^63 + `g` gives match `g` of a
//!   run, the last stream gives the agents. The stream before it gives a number that tells matches apart. A
//!   derived seed does not reveal the seed that it comes from.
//! - If a run's seed is a number, [`game_seed`] gives the seed of match `g` instead.
//! - [`Stream::below`] multiplies its bound with 32 random bits and keeps the high half. It draws again if
//!   the low half would make some results likelier than others.

use crate::seat::Player;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
#[cfg(feature = "serde")]
use serde::de::Visitor;
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The source of all randomness of a match: a number, or 32 secret bytes. In text, a number below 2^53 stays
/// a number. Everything else is 64 hexadecimal digits. `Debug` does not show the seed, and so no output of a match
/// does.
///
/// Small numbers are not secret: anyone can try them all against a wall, a hash, or what an agent drew. So a
/// server takes 32 random bytes from its operating system for each match, and others for the agents.
///
/// To prove that it did not choose the walls, a server **commits** to its seed. Before the match it publishes
/// the SHA-256 of the 64 hexadecimal digits ([`Seed::hex`]; `printf %s SEED | sha256sum`). After the match it
/// publishes the seed. `paishan replay --commitments FILE` checks both, and every wall.
///
/// ```
/// use paishan::random::Seed;
/// assert_eq!(Seed::from(7).to_string(), "7");
/// let secret = Seed::from_bytes([0xa5; 32]);
/// assert_eq!(secret.to_string().parse(), Ok(secret));
/// assert_eq!(Seed::from(7).hex().parse(), Ok(Seed::from(7)));
/// // What follows from a seed does not tell it.
/// assert_ne!(secret.of_game(0), secret.of_game(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed([u8; 32]);

/// The text is no seed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("a seed is a number below 2^64 or 64 hexadecimal digits")]
pub struct SeedError;

/// Numbers from here on are written in hexadecimal, because some JSON libraries do not read them exactly.
const LARGE: u64 = 1 << 53;

/// The first of the streams that give the seeds of matches.
const OF_GAMES: u64 = 1 << 63;

/// The stream that gives the seed of the agents.
const OF_AGENTS: u64 = u64::MAX;

/// The stream that gives the number of a match.
const OF_MATCH: u64 = u64::MAX - 1;

impl Seed {
    /// A seed of 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The number that the seed was made from. `None` for a seed of 32 bytes.
    fn number(self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        let is_number = rest.iter().all(|&byte| byte == 0);
        is_number.then(|| u64::from_le_bytes(*number))
    }

    /// The seed as 64 hexadecimal digits. A commitment is the hash of these digits.
    pub fn hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The seed of match `game` of a run with this seed. If the seed is a number, [`game_seed`] gives it.
    #[must_use]
    pub fn of_game(self, game: u64) -> Self {
        match self.number() {
            Some(number) => game_seed(number, game).into(),
            None => self.child(OF_GAMES | game),
        }
    }

    /// The seed of the agents if none is given. It follows from this seed but does not reveal it.
    #[must_use]
    pub fn of_agents(self) -> Self {
        self.child(OF_AGENTS)
    }

    /// A number that tells apart the matches of different seeds but does not reveal the seed.
    pub(crate) fn match_id(self) -> u64 {
        let Self([a, b, c, d, e, f, g, h, ..]) = self.child(OF_MATCH);
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    fn child(self, stream: u64) -> Self {
        let mut bytes = [0; 32];
        Stream::new(self, stream).0.fill_bytes(&mut bytes);
        Self(bytes)
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Self(key)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number().filter(|&number| number < LARGE) {
            Some(number) => write!(f, "{number}"),
            None => f.write_str(&self.hex()),
        }
    }
}

/// Hides the seed: debug output ends in logs, and whoever knows the seed of a match knows its walls.
impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(..)")
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return text.parse::<u64>().map(Self::from).map_err(|_| SeedError);
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let value = |digit: u8| (digit as char).to_digit(16).unwrap_or_default() as u8;
            *byte = value(digits[0]) << 4 | value(digits[1]);
        }
        Ok(Self(bytes))
    }
}

#[cfg(feature = "serde")]
impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number().filter(|&number| number < LARGE) {
            Some(number) if serializer.is_human_readable() => serializer.serialize_u64(number),
            _ => serializer.serialize_str(&self.hex()),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SeedVisitor;
        impl Visitor<'_> for SeedVisitor {
            type Value = Seed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or 64 hexadecimal digits")
            }
            fn visit_u64<E>(self, number: u64) -> Result<Seed, E> {
                Ok(number.into())
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Seed, E> {
                let fault = || E::invalid_value(serde::de::Unexpected::Signed(number), &self);
                u64::try_from(number).map(Seed::from).map_err(|_| fault())
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Seed, E> {
                let fault = |_| E::invalid_value(serde::de::Unexpected::Str(text), &self);
                // In JSON a string is always hexadecimal.
                match text.len() {
                    64 => text.parse().map_err(fault),
                    _ => Err(fault(SeedError)),
                }
            }
        }
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(SeedVisitor),
            false => deserializer.deserialize_str(SeedVisitor),
        }
    }
}

/// The seeds of a match: one for its walls and dice, one for its agents. A single seed gives both, because
/// the agents' seed follows from it ([`Seed::of_agents`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seeds {
    /// The seed of walls, dice and the first dealer.
    pub game: Seed,
    /// The seed of the agents.
    pub agents: Seed,
}

impl Seeds {
    /// The seeds of match `game` of a run with these seeds.
    #[must_use]
    pub fn of_game(self, game: u64) -> Self {
        Self {
            game: self.game.of_game(game),
            agents: self.agents.of_game(game),
        }
    }
}

impl<S: Into<Seed>> From<S> for Seeds {
    fn from(seed: S) -> Self {
        let game = seed.into();
        Self {
            game,
            agents: game.of_agents(),
        }
    }
}

/// A stream of random numbers that is the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// Stream number `stream` of a seed. The module's docs list the numbers.
    pub fn new(seed: impl Into<Seed>, stream: u64) -> Self {
        let Seed(key) = seed.into();
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(stream);
        Self(rng)
    }

    /// A stream whose seed comes from another generator. So any generator of the crate `rand` can shuffle
    /// walls ([`Wall::build`](crate::Wall::build)) and feed agents
    /// ([`Agent::begin`](crate::agent::Agent::begin)).
    ///
    /// ```
    /// use paishan::random::Stream;
    /// use paishan::{Player, Rules, Wall};
    /// use rand::SeedableRng;
    /// let woo = Rules::by_id("woo")?;
    /// let plan = woo.plan();
    /// let mut stream = Stream::from_rng(&mut rand::rngs::StdRng::seed_from_u64(3));
    /// let wall = Wall::build(&plan.wall(), &plan.tiles(), plan.players(), Player::FIRST, &mut stream);
    /// assert_eq!(wall.remaining(), plan.tiles().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_rng(rng: &mut (impl Rng + ?Sized)) -> Self {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        Self::new(Seed::from_bytes(bytes), 0)
    }

    /// The stream of a match.
    pub fn of_match(game_seed: impl Into<Seed>) -> Self {
        Self::new(game_seed, 0)
    }

    /// The stream for the wall and dice of deal `hand`, counted from 1.
    pub fn of_wall(game_seed: impl Into<Seed>, hand: u32) -> Self {
        Self::new(game_seed, 16 * u64::from(hand))
    }

    /// The stream of a player's agent in deal `hand`, counted from 1. It needs the seed of the agents.
    pub fn of_agent(agent_seed: impl Into<Seed>, hand: u32, player: Player) -> Self {
        Self::new(agent_seed, 16 * u64::from(hand) + 1 + player.index() as u64)
    }

    /// Another stream, whose seed is the next 32 bytes of this one. This stream stays as it is.
    pub(crate) fn split(&self) -> Self {
        Self::from_rng(&mut self.0.clone())
    }

    /// A number from 0 to `bound − 1`, each equally likely. 0 if `bound` is 0.
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

    /// Fisher–Yates from the last place down: swaps each place i with a random place from 0 to i.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }
}

/// The seed of match `game` of a run: an integer below 2^53 that depends on both numbers only. It takes two
/// rounds of the SplitMix64 finaliser and keeps the top 53 bits.
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
    fn seeds_are_read_as_they_are_written() {
        for seed in [Seed::from(0), Seed::from(7), Seed::from(LARGE - 1)] {
            assert!(seed.to_string().len() < 20);
            assert_eq!(serde_json::to_string(&seed).unwrap(), seed.to_string());
        }
        for seed in [Seed::from(LARGE), Seed::from(u64::MAX), Seed([9; 32])] {
            assert_eq!(seed.to_string().len(), 64);
        }
        for seed in [Seed::from(3), Seed::from(u64::MAX), Seed([0xfe; 32])] {
            assert_eq!(seed.to_string().parse(), Ok(seed));
            let json = serde_json::to_string(&seed).unwrap();
            assert_eq!(serde_json::from_str::<Seed>(&json).unwrap(), seed);
        }
        for text in ["", "x", "-1", "1.5", &"g".repeat(64), &"f".repeat(63)] {
            assert_eq!(text.parse::<Seed>(), Err(SeedError), "{text}");
        }
        for json in ["-1", "1.5", "\"7\"", "null"] {
            assert!(serde_json::from_str::<Seed>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn debug_output_hides_seeds() {
        let seed = Seed([0xa5; 32]);
        for text in [
            format!("{seed:?}"),
            format!("{:?}", Seeds::from(seed)),
            format!("{:?}", Stream::new(seed, 0)),
        ] {
            assert!(!text.contains("a5") && !text.contains("165"), "{text}");
        }
        assert_eq!(format!("{:?}", Seed::from(7)), "Seed(..)");
    }

    #[test]
    fn seeds_and_streams_are_golden() {
        // If any of these changes, every match recorded by its seed changes.
        assert_eq!(game_seed(0, 0), 5_876_733_520_225_071);
        assert_eq!(game_seed(7, 3), 8_139_477_857_185_448);
        let mut stream = Stream::of_wall(game_seed(7, 0), 1);
        let numbers: Vec<u32> = (0..8).map(|_| stream.below(1000)).collect();
        assert_eq!(numbers, [961, 652, 104, 897, 389, 268, 68, 631]);
        let secret = Seed([0x5a; 32]);
        assert_eq!(&secret.of_game(1).hex()[..16], "05e17e375837937d");
        assert_eq!(&secret.of_agents().hex()[..16], "8438623265195d9b");
        assert_eq!(&Seed::from(7).of_agents().hex()[..16], "2ea462a257fb7ef6");
    }
}
