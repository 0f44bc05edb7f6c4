//! Procedures: rules that need code. Each is a Rust file, with its parameters in `[procedures.<id>]` or
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
pub use furiten::FuritenRules;
pub use riichi::{KongInRiichi, RiichiDeclarationRules};
pub use swap_call::SwapCallRules;

/// When [`Ruleset::adjust`](crate::Ruleset::adjust) may change what a seat may do. At other times it is not
/// called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Adjusts {
    /// Never.
    Never,
    /// On the few turns that are not [plain](crate::state::DealState::is_plain_turn), on discards that a
    /// seat's tiles have to do with, and in all other windows.
    ButPlainTurns,
    /// On every turn and in every window, even on discards that a seat's tiles have nothing to do with.
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
    /// What keeps a seat from winning off others.
    pub furiten: Option<FuritenRules>,
    /// What may not be discarded after a claim.
    pub swap_call: Option<SwapCallRules>,
    /// Draws before the tiles run out.
    pub abortive_draws: Option<AbortiveDrawRules>,
}

impl Procedures {
    /// When these procedures may change what a seat may do.
    pub(crate) fn adjusts(&self) -> Adjusts {
        let any = self.fishing.is_some()
            || self.false_win.is_some()
            || self.swap_call.is_some()
            || self.riichi.is_some()
            || self.abortive_draws.is_some();
        // Only a false win can be declared on plain turns, and on discards that a seat's tiles have nothing
        // to do with.
        match &self.false_win {
            Some(rules) if rules.playable => Adjusts::Always,
            _ if any => Adjusts::ButPlainTurns,
            _ => Adjusts::Never,
        }
    }
}
