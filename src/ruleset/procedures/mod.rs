//! Procedures: rules that need code. Each is a Rust file, which also reads its parameters from `[procedures.<id>]` or
//! `[penalties.<id>]` of a ruleset.

mod abortive_draws;
mod challenge;
mod false_win;
mod fishing;
mod furiten;
mod riichi;
mod swap_call;

pub use abortive_draws::AbortiveDrawRules;
pub use challenge::ChallengeRules;
pub use false_win::FalseWinRules;
pub use fishing::FishingRules;
pub(super) use fishing::is_ready_without;
pub use furiten::FuritenRules;
pub(super) use riichi::RiichiCondition;
pub use riichi::{KongInRiichi, RiichiDeclarationRules};
pub use swap_call::SwapCallRules;

use super::play::PlayRules;
use super::read::vocabulary::Vocabulary;
use super::source::{RulesetError, Section};
use crate::decompose::Decomposer;
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::{AbortiveDraw, Claims, DealState, Event, Legal, Turn};
use crate::tile::Tile;
use riichi::CountsAsReady;

/// When [`Ruleset::adjust`](crate::Ruleset::adjust) may change the legal actions of a seat. At other times it is
/// not called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Adjusts {
    /// Never.
    Never,
    /// On the few turns that are not [plain](crate::state::DealState::is_plain_turn), on discards that concern
    /// a seat's tiles, and in all other windows.
    ButPlainTurns,
    /// On every turn and in every window, even on discards that do not concern a seat's tiles.
    Always,
}

/// The procedures of a ruleset. `None` for those that it does not have.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Procedures {
    /// Who may challenge a kong that lies face down.
    pub challenge: Option<ChallengeRules>,
    /// Calling and standing hands.
    pub fishing: Option<FishingRules>,
    /// What a false win costs.
    pub false_win: Option<FalseWinRules>,
    /// Hands can be dead. A dead hand claims nothing, cannot win and scores nothing.
    pub dead_hands: bool,
    /// Riichi.
    pub riichi: Option<RiichiDeclarationRules>,
    /// What a seat must meet to declare riichi.
    pub(super) riichi_when: Option<RiichiCondition>,
    /// What keeps a seat from winning off others.
    pub furiten: Option<FuritenRules>,
    /// What may not be discarded after a claim.
    pub swap_call: Option<SwapCallRules>,
    /// Draws before the tiles run out.
    pub abortive_draws: Option<AbortiveDrawRules>,
}

/// Reads the section of a procedure, if there is one.
fn read<T>(
    parent: &Section<'_>,
    id: &'static str,
    parameters: impl FnOnce(&Section<'_>) -> Result<T, RulesetError>,
) -> Result<Option<T>, RulesetError> {
    let Some(section) = parent.section(id)? else {
        return Ok(None);
    };
    let rules = parameters(&section)?;
    section.text("src")?;
    section.finish()?;
    Ok(Some(rules))
}

impl Procedures {
    /// Reads `[procedures]` and `[penalties]` of a ruleset.
    pub(super) fn read(root: &Section<'_>, names: &Vocabulary<'_>) -> Result<Self, RulesetError> {
        let mut rules = Self::default();
        if let Some(section) = root.section("procedures")? {
            rules.challenge = read(&section, "challenge", |one| {
                ChallengeRules::read(one, names)
            })?;
            rules.fishing = read(&section, "fishing", FishingRules::read)?;
            rules.riichi = read(&section, "riichi", |one| {
                rules.riichi_when = RiichiCondition::read(one, names)?;
                RiichiDeclarationRules::read(one, names)
            })?;
            rules.furiten = read(&section, "furiten", FuritenRules::read)?;
            rules.swap_call = read(&section, "swap-call", SwapCallRules::read)?.flatten();
            rules.abortive_draws = read(&section, "abortive-draws", |one| {
                AbortiveDrawRules::read(one, names)
            })?;
            section.finish()?;
        }
        if let Some(section) = root.section("penalties")? {
            rules.false_win = read(&section, "false-win", FalseWinRules::read)?;
            rules.dead_hands = read(&section, "dead-hand", |_| Ok(()))?.is_some();
            section.finish()?;
        }
        Ok(rules)
    }

    /// What a seat must meet to declare riichi, as the file has it, with the values of options.
    pub(crate) fn riichi_when(&self) -> Option<&str> {
        let when = self.riichi_when.as_ref()?;
        Some(&when.text)
            .filter(|text| *text != "true")
            .map(String::as_str)
    }

    /// When these procedures may change the legal actions of a seat.
    pub(crate) fn adjusts(&self) -> Adjusts {
        let any = self.fishing.is_some()
            || self.false_win.is_some()
            || self.swap_call.is_some()
            || self.riichi.is_some()
            || self.abortive_draws.is_some();
        // Only a false win can be declared on plain turns, and on discards that do not concern a seat's
        // tiles.
        match &self.false_win {
            Some(rules) if rules.playable => Adjusts::Always,
            _ if any => Adjusts::ButPlainTurns,
            _ => Adjusts::Never,
        }
    }

    /// Lets the procedures forbid and add actions. `counts` says whether a hand counts as ready.
    pub(super) fn adjust(
        &self,
        (decomposer, play): (&Decomposer, &PlayRules),
        counts: CountsAsReady<'_>,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        let Self {
            fishing,
            false_win,
            swap_call,
            riichi,
            abortive_draws,
            ..
        } = self;
        // Announcements look at the discards that are left.
        if let Some(rules) = swap_call {
            rules.adjust((decomposer, play), state, seat, legal);
        }
        if let Some(rules) = fishing {
            rules.adjust(decomposer, state, seat, legal);
        }
        if let Some(rules) = false_win {
            rules.adjust(decomposer, state, seat, legal);
        }
        if let Some(rules) = riichi {
            rules.adjust(decomposer, counts, state, seat, legal);
        }
        if let Some(rules) = abortive_draws {
            rules.adjust(state, seat, legal);
        }
    }

    /// Notes a draw, the first of a turn or not. A seat that draws may win off others again.
    #[inline]
    pub(crate) fn drew(&self, state: &mut DealState, seat: Seat, first: bool) {
        if let Some(rules) = &self.furiten {
            rules.end_pass(state, seat, Some(first));
        }
    }

    /// Notes a discard.
    #[inline]
    pub(crate) fn discarded(&self, state: &mut DealState, seat: Seat) {
        if state.riichi(seat).is_some()
            && let Some(rules) = &self.riichi
        {
            rules.discarded(state, seat);
        }
    }

    /// Notes that a seat has claimed a discard for a meld.
    #[inline]
    pub(crate) fn claimed(&self, state: &mut DealState, seat: Seat) {
        if let Some(rules) = &self.furiten {
            rules.end_pass(state, seat, None);
        }
    }

    /// Notes a claim, a kong or a tile set aside, which end states that last only until play is interrupted.
    #[inline]
    pub(crate) fn interrupted(&self, state: &mut DealState) {
        if let Some(rules) = &self.riichi {
            rules.interrupted(state);
        }
    }

    /// Notes that a seat did not win with the tile that it drew.
    #[inline(always)]
    pub(crate) fn passed_drawn(&self, state: &mut DealState, turn: &Turn, could_win: bool) {
        if state.riichi(turn.seat).is_some()
            && let Some(rules) = &self.furiten
        {
            rules.passed_drawn(state, turn.seat, turn.drawn, could_win);
        }
    }

    /// Notes that seats have not won off a tile.
    #[inline(always)]
    pub(crate) fn passed(&self, state: &mut DealState, seats: SeatSet, tile: Tile) {
        if !seats.is_empty()
            && let Some(rules) = &self.furiten
        {
            rules.passed(state, seats, tile);
        }
    }

    /// True when not winning off the tile of a window counts as a pass, even if the seat had no legal win.
    #[inline]
    pub(crate) fn counts_as_pass(&self, state: &DealState, seat: Seat, claims: &Claims) -> bool {
        let rules = self.furiten.as_ref();
        rules.is_some_and(|rules| rules.counts_as_pass(state, seat, claims))
    }

    /// True when the seat on turn may not win with the tile that it drew.
    #[inline]
    pub(crate) fn bars_drawn(&self, state: &DealState, turn: &Turn) -> bool {
        let rules = self.furiten.as_ref();
        rules.is_some_and(|rules| rules.bars_drawn(state, turn))
    }

    /// Declares riichi for a seat. Returns the event, or `None` where there is no riichi.
    pub(crate) fn declared(&self, state: &mut DealState, seat: Seat) -> Option<Event> {
        Some(self.riichi.as_ref()?.declared(state, seat))
    }

    /// False if the last discard, by `seat`, brings neither a deposit nor an abortive draw. Most discards do not.
    #[inline(always)]
    pub(crate) fn may_follow_discard(&self, state: &DealState, seat: Seat) -> bool {
        state.riichi(seat).is_some()
            || self.abortive_draws.is_some() && AbortiveDrawRules::may_follow(state)
    }

    /// Notes that no seat won off the discard of `seat`. Returns the event of the deposit, if there is one.
    #[inline]
    pub(crate) fn not_won_off(
        &self,
        state: &mut DealState,
        seat: Seat,
        deposit: i64,
    ) -> Option<Event> {
        self.riichi.as_ref()?.accepted(state, seat, deposit)
    }

    /// The abortive draw that ends the deal if no seat wins off the last discard.
    pub(crate) fn after_discard(&self, state: &DealState) -> Option<AbortiveDraw> {
        self.abortive_draws.as_ref()?.after_discard(state)
    }

    /// True when one more kong of a seat ends the deal.
    pub(crate) fn ends_with_kong(&self, state: &DealState, seat: Seat) -> bool {
        let rules = self.abortive_draws.as_ref();
        rules.is_some_and(|rules| rules.ends_with_kong(state, seat))
    }
}
