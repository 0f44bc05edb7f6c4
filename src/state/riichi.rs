//! What a declared riichi is, and what keeps a seat from winning. Source: `rulesets/riichi-mcgill.md`
//! §3, §5, §7.

/// A riichi that was declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Riichi {
    /// It came with the first discard, nothing having been claimed and no kong made: double riichi.
    pub at_once: bool,
    /// Its discard was not won off, and the deposit is paid.
    pub accepted: bool,
    /// The place of its discard among all discards of the deal.
    pub discard: u8,
    /// Since then no kong was made, nothing claimed, and the seat has not discarded again: ippatsu.
    pub unbroken: bool,
}

/// A win that a seat has passed on, and how long that keeps it from winning off others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Passed {
    /// None.
    #[default]
    Nothing,
    /// Until it draws again.
    UntilDraw,
    /// For the rest of the deal.
    RestOfDeal,
}

/// Why a deal ends before the tiles run out and without a winner. Source: `rulesets/riichi-mcgill.md` §7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AbortiveDraw {
    /// A player had nine or more different orphans in his first turn and declared the draw.
    NineOrphans,
    /// The first four discards were the same wind.
    FourWinds,
    /// Four kongs by several players, or a fifth.
    FourKongs,
    /// Everybody is in riichi.
    FourRiichi,
    /// Three players declared a win off one tile.
    ThreeWins,
}
