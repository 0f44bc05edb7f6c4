//! What can be wrong with a text of tiles.

/// The text is no tile or list of tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTilesError {
    /// The notation does not have a character.
    #[error("unknown character `{found}` at byte {at}")]
    UnknownCharacter {
        /// Byte offset in the text.
        at: usize,
        /// The character.
        found: char,
    },
    /// No suit letter follows some ranks.
    #[error("the rank at byte {at} has no suit letter after it")]
    MissingSuit {
        /// Byte offset of the first of these ranks.
        at: usize,
    },
    /// A rank and a suit make no tile.
    #[error("`{found}` at byte {at} is no tile")]
    NoSuchTile {
        /// Byte offset of the rank.
        at: usize,
        /// Rank and suit as written.
        found: String,
    },
    /// One tile was expected.
    #[error("expected one tile, found {found}")]
    NotOne {
        /// How many tiles were found.
        found: usize,
    },
}

impl ParseTilesError {
    /// The error code in the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        "bad-tile"
    }
}
