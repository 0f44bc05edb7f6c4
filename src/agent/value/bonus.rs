//! Bonus tiles of imagined hands.

use crate::aside::Aside;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::tile::Tile;
use smallvec::SmallVec;

/// A list of bonus tiles that must be laid aside, with every copy.
pub(super) type BonusTiles = SmallVec<[Tile; 24]>;

/// Returns the bonus tiles of a ruleset that must be laid aside and are not among those laid.
pub(super) fn left(plan: &Plan, laid: impl Iterator<Item = Aside>) -> BonusTiles {
    let aside = &plan.play.aside;
    let all = plan.tiles.all().iter().copied();
    let mut left: BonusTiles = all.filter(|tile| aside.must_lay(*tile)).collect();
    for tile in laid.flat_map(|aside| aside.tiles()) {
        if let Some(place) = left.iter().position(|one| *one == tile) {
            left.remove(place);
        }
    }
    left
}

/// Returns `aside` with each tile of `left` added with probability `chance`.
pub(super) fn with_some(
    mut aside: Aside,
    left: &[Tile],
    chance: f64,
    stream: &mut Stream,
) -> Aside {
    for &tile in left {
        if stream.below(1 << 16) < (chance * 65536.0) as u32 {
            aside.add(tile);
        }
    }
    aside
}
