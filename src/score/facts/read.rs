//! Functions that read facts from a reading, for facts that take more than an expression.

use super::class::{BonusClass, Class, FamilySet};
use crate::meld::{Family, Group, Meld};
use crate::score::reading::{ReadGroup, Reading};
use crate::set::KindSet;
use crate::tile::{Kind, Tile};

pub(super) fn melds(
    reading: &Reading<'_>,
    families: FamilySet,
    class: Class,
    open: Option<bool>,
) -> i32 {
    let kinds = class.kinds(reading);
    let claimed = reading.claimed_group();
    let is_open = |group: &ReadGroup| {
        group.open || claimed.is_some_and(|claimed| std::ptr::eq(claimed, group))
    };
    let fits = |group: &&ReadGroup| {
        is_of(group.group, families, kinds) && open.is_none_or(|open| open == is_open(group))
    };
    reading.groups.iter().filter(fits).count() as i32
}

/// True for a group of these families whose tiles are all of these kinds.
#[inline]
fn is_of(group: Group, families: FamilySet, kinds: KindSet) -> bool {
    families.contains(group.family()) && group.kind_set().is_subset(kinds)
}

pub(super) fn declared(
    reading: &Reading<'_>,
    families: FamilySet,
    class: Class,
    open: Option<bool>,
) -> i32 {
    let kinds = class.kinds(reading);
    let fits = |meld: &&Meld| {
        is_of(meld.group, families, kinds) && open.is_none_or(|open| open == meld.open)
    };
    reading.hand.melds.iter().filter(fits).count() as i32
}

pub(super) fn groups_with(reading: &Reading<'_>, class: Class) -> i32 {
    let kinds = class.kinds(reading);
    let has = |group: &&ReadGroup| !group.group.kind_set().intersection(kinds).is_empty();
    reading.groups.iter().filter(has).count() as i32
}

/// Bonus tiles of a class: those laid aside, and flowers that are still held unless only tiles laid aside count.
pub(super) fn aside(reading: &Reading<'_>, class: BonusClass, laid: bool) -> i32 {
    let aside = reading.hand.aside;
    let flowers = match laid {
        true => aside.flowers(),
        false => reading.flowers(),
    };
    let own = reading.set.flowers_of(reading.seat);
    let flowers = flowers.intersection(class.flowers(own)).len();
    let kinds = class.kinds();
    let kinds = aside.kinds().filter(|kind| kinds.contains(*kind)).count();
    (flowers + kinds) as i32
}

pub(super) fn kinds_held(reading: &Reading<'_>, copies: u8, class: Class) -> i32 {
    let is_kong = |kind: Kind| {
        let kong = Group::kong(kind);
        reading.groups.iter().any(|group| group.group == kong)
    };
    let kinds = reading.tiles.kinds().intersection(class.kinds(reading));
    let held = |kind: &Kind| reading.held(*kind) == copies && !is_kong(*kind);
    kinds.iter().filter(held).count() as i32
}

pub(super) fn naturals_held(reading: &Reading<'_>, copies: u8, class: Class) -> i32 {
    let held = |kind: &Kind| reading.natural(*kind) == copies;
    class.kinds(reading).iter().filter(held).count() as i32
}

pub(super) fn wilds(reading: &Reading<'_>) -> i32 {
    let concealed = reading
        .wild
        .iter()
        .map(|kind| i32::from(reading.natural(kind)));
    let melds = reading.hand.melds.iter().map(|meld| meld.jokers() as i32);
    concealed.chain(melds).sum()
}

/// Concealed groups that may be made of wild tiles alone: the rest of the concealed hand has a place for each other tile.
pub(super) fn wild_groups(reading: &Reading<'_>, families: FamilySet) -> i32 {
    let held = reading.wild.iter().any(|kind| reading.natural(kind) > 0);
    if !held {
        return 0;
    }
    let declared = reading.groups.iter().filter(|group| group.declared);
    let melded = declared.flat_map(|group| group.group.tiles());
    let mut concealed = reading.tiles;
    for kind in melded {
        concealed.try_remove(kind);
    }
    let fits = |group: &&ReadGroup| {
        let mut rest = concealed;
        for kind in group.group.tiles() {
            rest.try_remove(kind);
        }
        let naturals = reading.set.copies().kinds().difference(reading.wild);
        let has_place = |kind: Kind| reading.natural(kind) <= rest.get(kind);
        !group.declared && families.contains(group.group.family()) && naturals.iter().all(has_place)
    };
    reading.groups.iter().filter(fits).count() as i32
}

pub(super) fn bonus_tiles(reading: &Reading<'_>) -> i32 {
    let kinds = reading.bonus.iter().filter_map(|tile| tile.kind());
    kinds.map(|kind| i32::from(reading.held(kind))).sum()
}

/// Adds up, for each indicator, the tiles of the kind that it points to, those set aside included.
pub(super) fn dora(indicators: &[Tile], reading: &Reading<'_>) -> i32 {
    let kinds = indicators.iter().filter_map(|tile| tile.kind());
    let of_kind =
        |kind: Kind| i32::from(reading.held(kind)) + reading.hand.aside.count(kind) as i32;
    kinds.map(|kind| of_kind(reading.set.indicated(kind))).sum()
}

/// The most suits that have a group at the same lowest rank. `fits` chooses the families.
pub(super) fn same_in_suits(reading: &Reading<'_>, fits: impl Fn(Family) -> bool) -> i32 {
    let mut at = [0u16; 4];
    for group in reading.groups {
        let lowest = group.group.kind();
        if fits(group.group.family()) {
            at[lowest.lane()] |= 1 << lowest.place();
        }
    }
    let [t, s, m, _] = at;
    match () {
        () if t & s & m != 0 => 3,
        () if t & s | t & m | s & m != 0 => 2,
        () => i32::from(t | s | m != 0),
    }
}

/// How often two groups are identical, pairs left out. Four identical groups count as 2.
pub(super) fn twin_melds(reading: &Reading<'_>) -> usize {
    // Different numbers, so that pairs and empty places equal no group.
    let mut groups: [u32; 8] = std::array::from_fn(|i| u32::MAX - i as u32);
    for (bits, group) in groups.iter_mut().zip(reading.groups) {
        if group.group.family() != Family::Pair {
            *bits = group.group.bits();
        }
    }
    let mut twos = 0;
    for i in 1..groups.len() {
        // The second and the fourth of identical groups are counted.
        let before = groups[..i].iter();
        twos += before.fold(0, |odd, &other| odd ^ usize::from(other == groups[i]));
    }
    twos
}

pub(super) fn same_step_ariths(reading: &Reading<'_>) -> usize {
    let mut by_step = [0; 16];
    for step in reading.groups.iter().filter_map(|group| group.group.step()) {
        by_step[usize::from(step) % 16] += 1;
    }
    by_step.into_iter().max().unwrap_or_default()
}
