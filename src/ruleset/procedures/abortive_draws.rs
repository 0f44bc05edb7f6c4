//! Abortive draws, before the tiles run out: `[procedures.abortive-draws]`. Three wins off one tile belong to
//! `[claims]`. Source: `rulesets/riichi-mcgill.md` §7.

use crate::meld::Family;
use crate::ruleset::read::terms::read_kinds;
use crate::ruleset::read::vocabulary::Vocabulary;
use crate::ruleset::source::{RulesetError, Section};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{AbortiveDraw, Action, DealState, Discard, DrawSource, Legal, Phase};
use crate::tile::Wind;

/// Different orphans that allow a draw.
const ORPHANS: usize = 9;

/// Kongs that cause a draw.
const KONGS: usize = 4;

/// The abortive draws of a ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct AbortiveDrawRules {
    /// Nine different kinds of these in a player's first turn allow a draw. `None` means that there is no
    /// such draw.
    pub nine_orphans: Option<KindSet>,
    /// Four discards of the same wind, the first four of the deal.
    pub four_winds: bool,
    /// Four kongs by several players, or a fifth kong.
    pub four_kongs: bool,
    /// All players are in riichi.
    pub four_riichi: bool,
}

impl AbortiveDrawRules {
    pub(super) fn read(
        section: &Section<'_>,
        names: &Vocabulary<'_>,
    ) -> Result<Self, RulesetError> {
        let orphans = read_kinds(section, "orphans", names)?;
        let is = |key| -> Result<bool, RulesetError> { Ok(section.bool(key)?.unwrap_or(false)) };
        let nine_orphans = is("nine-orphans")?;
        Ok(Self {
            nine_orphans: orphans.filter(|_| nine_orphans),
            four_winds: is("four-winds")?,
            four_kongs: is("four-kongs")?,
            four_riichi: is("four-riichi")?,
        })
    }

    /// Offers the draw with nine orphans.
    #[inline]
    pub(in crate::ruleset) fn adjust(&self, state: &DealState, seat: Seat, legal: &mut Legal) {
        let (Some(orphans), Phase::Turn(turn)) = (self.nine_orphans, state.phase()) else {
            return;
        };
        if state.has_discarded(seat) {
            return;
        }
        let may = turn.drawn.is_some()
            && turn.source == DrawSource::Wall
            && !state.hand(seat).dead
            && state.riichi(seat).is_none()
            && state.hand(seat).kinds().intersection(orphans).len() >= ORPHANS
            && state.is_untouched();
        legal.set(Action::NineOrphans, may);
    }

    /// False if the last discard cannot cause a draw.
    #[inline]
    pub(super) fn may_follow(state: &DealState) -> bool {
        state.discards().len() == 4 || state.kongs() >= KONGS || state.riichi(Seat::EAST).is_some()
    }

    /// The draw that follows if the last discard is not won on.
    pub(super) fn after_discard(&self, state: &DealState) -> Option<AbortiveDraw> {
        let players = state.players();
        if self.four_riichi && Seat::all(players).all(|seat| state.riichi(seat).is_some()) {
            return Some(AbortiveDraw::FourRiichi);
        }
        if self.four_kongs && state.kongs() >= KONGS && sole_owner_of_kongs(state).is_none() {
            return Some(AbortiveDraw::FourKongs);
        }
        let &[first, ..] = state.discards() else {
            return None;
        };
        let is_wind = |kind| Wind::ALL.into_iter().any(|wind| wind.kind() == kind);
        let alike = |discard: &Discard| discard.tile == first.tile;
        let four_winds = self.four_winds
            && state.discards().len() == 4
            && first.tile.kind().is_some_and(is_wind)
            && state.discards().iter().all(alike)
            && state.kongs() == 0;
        four_winds.then_some(AbortiveDraw::FourWinds)
    }

    /// True when one more kong by this seat ends the deal at once.
    pub(super) fn ends_with_kong(&self, state: &DealState, seat: Seat) -> bool {
        let owner = || sole_owner_of_kongs(state);
        self.four_kongs && state.kongs() == KONGS && owner().is_some_and(|owner| owner != seat)
    }
}

/// The seat that has made all four kongs.
fn sole_owner_of_kongs(state: &DealState) -> Option<Seat> {
    let is_kong = |meld: &&crate::meld::Meld| meld.group.family() == Family::Kong;
    let kongs = |seat: Seat| state.hand(seat).melds.iter().filter(is_kong).count();
    Seat::all(state.players()).find(|&seat| kongs(seat) == KONGS)
}
