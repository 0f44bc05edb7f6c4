//! Tiles and winning forms, counted out.

use paishan::{Kind, Rank, Suit, Tile};

pub const HONOURS: [Kind; 7] = [
    Kind::EAST,
    Kind::SOUTH,
    Kind::WEST,
    Kind::NORTH,
    Kind::RED,
    Kind::GREEN,
    Kind::WHITE,
];

/// How many of each of the 34 kinds.
pub type Counted = [u8; 34];

/// The 34 kinds in the order of their places.
pub fn all_kinds() -> impl Iterator<Item = Kind> {
    let numbers = Suit::ALL.into_iter().flat_map(|suit| {
        let ranks = (1..=9).filter_map(Rank::new);
        ranks.map(move |rank| Kind::number(suit, rank))
    });
    numbers.chain(HONOURS)
}

pub fn place(kind: Kind) -> usize {
    let honour = || HONOURS.iter().position(|honour| *honour == kind);
    match (kind.suit(), kind.rank()) {
        (Some(suit), Some(rank)) => 9 * suit.lane() + usize::from(rank.get()) - 1,
        _ => 27 + honour().expect("a kind of the game"),
    }
}

pub fn is_orphan(kind: Kind) -> bool {
    kind.rank().is_none_or(|rank| matches!(rank.get(), 1 | 9))
}

pub fn kind_of(tile: Tile) -> Kind {
    tile.kind().expect("there are no flowers")
}

pub fn kinds_of(tiles: &[Tile]) -> Vec<Kind> {
    tiles.iter().map(|tile| kind_of(*tile)).collect()
}

pub fn held(tiles: &[Tile], kind: Kind) -> usize {
    tiles.iter().filter(|tile| kind_of(**tile) == kind).count()
}

pub fn counted(tiles: &[Tile]) -> Counted {
    let mut counts = [0; 34];
    for tile in tiles {
        counts[place(kind_of(*tile))] += 1;
    }
    counts
}

/// The tiles without one of them.
pub fn less(tiles: &[Tile], tile: Tile) -> Vec<Tile> {
    let mut rest = tiles.to_vec();
    rest.remove(rest.iter().position(|t| *t == tile).expect("it is held"));
    rest
}

pub fn are_melds(counts: &mut Counted, melds: usize) -> bool {
    let Some(first) = counts.iter().position(|n| *n > 0) else {
        return melds == 0;
    };
    if melds == 0 {
        return false;
    }
    let mut fits = false;
    if counts[first] >= 3 {
        counts[first] -= 3;
        fits = are_melds(counts, melds - 1);
        counts[first] += 3;
    }
    let starts_run = first < 27 && first % 9 < 7;
    if !fits && starts_run && counts[first + 1] > 0 && counts[first + 2] > 0 {
        (first..first + 3).for_each(|i| counts[i] -= 1);
        fits = are_melds(counts, melds - 1);
        (first..first + 3).for_each(|i| counts[i] += 1);
    }
    fits
}

pub fn are_orphans(counts: &Counted) -> bool {
    let orphans = all_kinds().filter(|kind| is_orphan(*kind));
    let each = orphans.map(|kind| counts[place(kind)]).collect::<Vec<_>>();
    each.iter().all(|n| *n > 0) && each.iter().sum::<u8>() == 14
}

/// A winning form of §8, beside so many declared melds.
pub fn is_complete(counts: &Counted, melds: usize) -> bool {
    let mut counts = *counts;
    let pairs = counts.iter().filter(|n| **n == 2).count();
    if melds == 0 && (pairs == 7 || are_orphans(&counts)) {
        return true;
    }
    (0..34).any(|pair| {
        if counts[pair] < 2 {
            return false;
        }
        counts[pair] -= 2;
        let fits = are_melds(&mut counts, 4 - melds);
        counts[pair] += 2;
        fits
    })
}
