//! Procedures: what happens at a table beyond the common course, each a Rust file with its
//! parameters in `[procedures.<id>]` or `[penalties.<id>]` of a ruleset.

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

/// The procedures of a ruleset; `None` for what it does not have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Procedures {
    /// Who may challenge a kong that lies face down.
    pub challenge: Option<ChallengeRules>,
    /// Calling and standing hands.
    pub fishing: Option<FishingRules>,
    /// What a false win costs.
    pub false_win: Option<FalseWinRules>,
    /// A hand may be dead: it claims nothing, cannot win and scores nothing.
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
