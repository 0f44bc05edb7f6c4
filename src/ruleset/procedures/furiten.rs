//! Furiten, which keeps a seat from winning off others: `[procedures.furiten]`.
//!
//! A seat is furiten if it has discarded a kind that it waits for, or has passed on a win. It then wins only
//! with tiles that it draws. The table keeps what each seat waits for, what it has discarded and whether it
//! has passed ([`DealState::is_furiten`](crate::state::DealState::is_furiten)).
//! Source: `rulesets/riichi-mcgill.md` §5.

/// What counts as passing on a win, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FuritenRules {
    /// Passing on any tile that completes the form counts. Otherwise the tile must also have been a legal
    /// win.
    pub any_wait: bool,
    /// Whoever passes in riichi, even on a drawn tile, wins off nobody for the rest of the deal.
    pub riichi_for_good: bool,
}
