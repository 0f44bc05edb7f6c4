//! Declared riichi, passed wins and abortive draws. Source: `rulesets/riichi-mcgill.md` §3, §5, §7.

use crate::seat::{BySeat, Seat};
use crate::set::KindSet;

/// A declared riichi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Riichi {
    /// Double riichi: it came with the first discard, before any claim or kong.
    pub at_once: bool,
    /// No seat won off its discard, and the deposit is paid.
    pub accepted: bool,
    /// The index of its discard among all discards of the deal.
    pub discard: u8,
    /// Ippatsu is still possible: no kong and no claim since, and the seat has not discarded again.
    pub unbroken: bool,
}

/// Whether a seat has passed on a win, and for how long that keeps it from winning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Passed {
    /// The seat has passed on no win.
    #[default]
    Nothing,
    /// It may not win off others until it draws again.
    UntilDraw,
    /// It may not win off others until it discards again.
    UntilDiscard,
    /// It was [`UntilDiscard`](Self::UntilDiscard) and has drawn or claimed a tile since. Until its discard it
    /// may not win off others anyway, so only wins with drawn tiles are still barred.
    InTurn,
    /// It may not win off others for the rest of the deal.
    RestOfDeal,
}

/// The facts that determine furiten.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Furiten {
    /// The ruleset has furiten, and own discards cause it.
    pub(crate) own_discards: bool,
    /// Kinds that each seat has discarded.
    pub(crate) discarded: BySeat<KindSet>,
    pub(crate) passed: BySeat<Passed>,
    /// Kinds with which a seat that has passed on a win may not win.
    pub(crate) missed: BySeat<KindSet>,
}

impl Furiten {
    /// Kinds with which a seat that waits for some may not win off others.
    #[inline]
    pub(crate) fn barred(&self, seat: Seat, waits: KindSet) -> KindSet {
        if self.own_discards && !waits.intersection(self.discarded[seat]).is_empty() {
            return KindSet::ALL;
        }
        match self.passed[seat] {
            Passed::Nothing | Passed::InTurn => KindSet::EMPTY,
            Passed::UntilDraw | Passed::UntilDiscard | Passed::RestOfDeal => self.missed[seat],
        }
    }
}

/// Why a deal is drawn before the tiles run out. Source: `rulesets/riichi-mcgill.md` §7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AbortiveDraw {
    /// A player declared the draw with nine or more different orphans in their first turn.
    NineOrphans,
    /// The first four discards were the same wind.
    FourWinds,
    /// Several players made four kongs, or a player made a fifth kong.
    FourKongs,
    /// Everybody is in riichi.
    FourRiichi,
    /// Three players declared a win off one tile.
    ThreeWins,
}
