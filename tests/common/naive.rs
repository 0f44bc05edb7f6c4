//! Runs of nine ranks and splits of hands, found by the obvious slow way.

use paishan::{Kind, Rank, Suit};

/// The three kinds of a run from a rank.
fn run(suit: Suit, rank: u8) -> Option<[Kind; 3]> {
    let kind = |r| {
        Rank::new(r)
            .filter(|r| r.get() <= 9)
            .map(|r| Kind::number(suit, r))
    };
    Some([kind(rank)?, kind(rank + 1)?, kind(rank + 2)?])
}

pub fn runs() -> impl Iterator<Item = (Suit, u8, [Kind; 3])> {
    Suit::ALL
        .into_iter()
        .flat_map(|suit| (1..=7).filter_map(move |rank| Some((suit, rank, run(suit, rank)?))))
}

pub fn without(tiles: &[Kind], taken: &[Kind]) -> Option<Vec<Kind>> {
    let mut rest = tiles.to_vec();
    for kind in taken {
        rest.remove(rest.iter().position(|k| k == kind)?);
    }
    Some(rest)
}

/// Every group that the tiles can be split into, together with a pair.
pub fn splits(tiles: &[Kind], groups: usize, pair: bool) -> Vec<Vec<Vec<Kind>>> {
    let Some(&first) = tiles.iter().min() else {
        return if groups == 0 && !pair {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    let mut choices: Vec<(Vec<Kind>, usize, bool)> = Vec::new();
    if pair {
        choices.push((vec![first; 2], groups, false));
    }
    if groups > 0 {
        choices.push((vec![first; 3], groups - 1, pair));
        for (_, _, kinds) in runs().filter(|(.., kinds)| kinds[0] == first) {
            choices.push((kinds.to_vec(), groups - 1, pair));
        }
    }
    let mut found = Vec::new();
    for (group, groups, pair) in choices {
        if let Some(rest) = without(tiles, &group) {
            for mut split in splits(&rest, groups, pair) {
                split.push(group.clone());
                found.push(split);
            }
        }
    }
    found
}

/// A run in notation.
pub fn run_name(suit: Suit, rank: u8) -> String {
    format!("{}{}{}{}", rank, rank + 1, rank + 2, suit.letter())
}
