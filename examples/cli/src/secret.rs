//! Seeds that cannot be guessed.

use paishan::Seed;

/// 32 bytes of the operating system.
pub fn seed() -> Result<Seed, String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random seed: {error}"))?;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    hex.parse().map_err(|error| format!("{error}"))
}
