//! Furiten, which keeps a seat from winning off others: `[procedures.furiten]`.
//!
//! A seat is furiten if it has discarded a kind that it waits for, or has passed on a win. It then wins only
//! with tiles that it draws. The section says which of the two count, for how long, and for which kinds. The
//! table keeps what each seat waits for, what it has discarded and whether it has passed ([`DealState::is_furiten`](crate::state::DealState::is_furiten)).
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
    /// Whoever waits for a kind that it has discarded wins off nobody. Otherwise only passing counts.
    pub own_discards: bool,
    /// Passing bars only wins with the passed kind. Otherwise it bars wins with every kind.
    pub passed_kind_only: bool,
    /// Passing counts until the seat's next discard. Otherwise until its next draw, so that claiming a tile does
    /// not end it.
    pub until_discard: bool,
    /// Passing also bars a win with a tile that is drawn before the next discard.
    pub bars_drawn: bool,
}
