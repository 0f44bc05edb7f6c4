//! What keeps a seat from winning off others: `[procedures.furiten]`.
//!
//! A seat that has discarded a kind for which it waits, or has passed on a win, wins with tiles that
//! it draws alone. The table keeps what each seat waits for, what it has discarded and whether it has
//! passed ([`DealState::is_furiten`](crate::state::DealState::is_furiten)).
//! Source: `rulesets/riichi-mcgill.md` §5.

/// What counts as passing on a win, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FuritenRules {
    /// Every tile that completes the form counts as passed; else only one that could have been won.
    pub any_wait: bool,
    /// Whoever passes in riichi, on a drawn tile too, wins off nobody for the rest of the deal.
    pub riichi_for_good: bool,
}
