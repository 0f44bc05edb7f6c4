//! Random numbers, hashes, and the commitment of a table to its walls.

use paishan::Seed;
use sha2::{Digest, Sha256};

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Secret random bytes of the operating system.
///
/// # Errors
/// Where the system has none.
pub fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// The commitment to a seed: the SHA-256 of its 64 hexadecimal digits, as `paishan replay --commitments` checks it.
pub fn of(seed: Seed) -> String {
    hex(&Sha256::digest(seed.hex()))
}

/// What is stored of a token.
pub fn of_token(token: &str) -> String {
    hex(&Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf %s 00…00aa | sha256sum`
    #[test]
    fn a_commitment_is_the_hash_of_the_digits() {
        let seed: Seed = "00000000000000000000000000000000000000000000000000000000000000aa"
            .parse()
            .unwrap();
        assert_eq!(of(seed), COMMITMENT);
        assert_ne!(random::<16>().unwrap(), random::<16>().unwrap());
    }

    const COMMITMENT: &str = "9ab8830ee8c51392c8aa50af7e0db22d79965b6b79b33bb4949281c9e84dd576";
}
