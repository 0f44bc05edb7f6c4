//! What a server commits itself to before a game: the SHA-256 of the 64 hexadecimal digits of its seed. The
//! command `printf %s SEED | sha256sum` gives the same.

use crate::input;
use crate::output::Fault;
use paishan::Seed;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

/// Commitments by the number of the game.
pub type Commitments = HashMap<u64, String>;

/// The size limit of a file of commitments, in bytes.
const LONGEST: u64 = 256 << 20;

/// The commitment to a seed, in hexadecimal digits.
pub fn of(seed: Seed) -> String {
    let hash = Sha256::digest(seed.hex());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line of a file of commitments.
pub fn line(game: u64, seed: Seed) -> String {
    format!("{game} {}\n", of(seed))
}

/// Reads a file of commitments.
pub fn read(path: &Path) -> Result<Commitments, Fault> {
    let name = path.display();
    let text = input::read_text(path, LONGEST);
    let text = text.map_err(|error| format!("{name}: {error}"))?;
    let mut read = Commitments::new();
    for (line, number) in text.lines().zip(1..) {
        let parts = line.split_once(' ');
        let game = parts.and_then(|(game, hash)| Some((game.parse().ok()?, hash.trim())));
        let is_hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        let Some((game, hash)) = game.filter(|(_, hash)| is_hash(hash)) else {
            let what = "a line is the number of a game and 64 hexadecimal digits";
            return Err(format!("{name}:{number}: {what}").into());
        };
        if read.insert(game, hash.to_ascii_lowercase()).is_some() {
            return Err(format!("{name}:{number}: a second commitment to game {game}").into());
        }
    }
    Ok(read)
}
