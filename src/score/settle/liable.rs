//! Who is liable for a pattern: the player who fed a declared meld.

use crate::hand::MAX_MELDS;
use crate::meld::Meld;
use crate::score::facts::Liable as LiableSeats;
use crate::score::pattern::Liable;
use crate::score::reading::Reading;
use crate::score::{Score, ScoreInput, ScoreRules};
use crate::seat::Seat;
use crate::tile_set::TileSet;
use smallvec::SmallVec;

/// The players who are liable for patterns of a score.
pub(super) fn liable_for(rules: &ScoreRules, hand: &ScoreInput<'_>, score: &Score) -> LiableSeats {
    let liable = |line| feeder(rules.pattern(line)?.liable.as_ref()?, hand);
    let mut seats = score.lines.iter().filter_map(liable);
    let first = seats.next();
    LiableSeats {
        seats: first.into_iter().chain(seats).collect(),
        first,
    }
}

/// The player who fed the deciding meld.
pub(super) fn feeder(liable: &Liable, hand: &ScoreInput<'_>) -> Option<Seat> {
    let set = TileSet::default();
    let reading = Reading::circumstances(&set, hand.hand, hand.seat, hand.round, hand.win);
    let kinds = liable.class.kinds(&reading);
    let counts = |meld: &Meld| {
        liable.families.contains(meld.group.family()) && meld.group.kind_set().is_subset(kinds)
    };
    // Melds count in the order in which they were made. If no player is liable for added kongs, an added
    // kong counts from when it became one: after the first `added_after` melds. 0 means that this is unknown,
    // so the kong keeps its place.
    let place = |(place, meld): &(usize, &Meld)| match meld.added_after {
        after @ 1.. if liable.not_added => 2 * usize::from(after) - 1,
        _ => 2 * place,
    };
    let melds = hand.hand.melds.iter().enumerate();
    let mut melds: SmallVec<[(usize, &Meld); MAX_MELDS]> =
        melds.filter(|(_, meld)| counts(meld)).collect();
    melds.sort_by_key(place);
    let deciding = match liable.nth {
        Some(nth) => melds.get(nth - 1),
        None => melds.last(),
    };
    let (_, meld) = deciding?;
    let fed = meld.open && !(liable.not_added && meld.added);
    meld.from.filter(|_| fed)
}
