//! Groups with variables: `has-groups(chow r a, chow r+1 b, chow r+2 c)`.
//!
//! Letters stand for ranks and suits. When the text is compiled, it is expanded into one alternative for each
//! substitution of ranks and suits that the set and the grammar allow.

use super::expr::{Comparison, ConditionError, Expr, Result};
use crate::decompose::{FormSuit, Grammar, Honours};
use crate::meld::{self, Family};
use crate::score::facts::{Class, ClassPart, Fact, FamilySet};
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use crate::tile_set::TileSet;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The most melds of a combination.
pub(crate) const MOST_COMBINED: usize = 4;

/// Melds that a pattern combines, sorted by their bits.
pub(crate) type Combination = SmallVec<[meld::Group; MOST_COMBINED]>;

/// The most groups of a list: seven pairs are the most that a hand has.
pub(super) const MOST_GROUPS: usize = 7;
/// The most letters for ranks. Three suits allow three letters for suits.
const MOST_RANKS: usize = 2;
/// Ranks are 0, the zero tile used as a number, to 16.
pub(super) const RANKS: i32 = 17;

/// A rank: an optional letter, and a number to add.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankTerm {
    pub(super) letter: Option<char>,
    pub(super) plus: i32,
}

/// A group as it is written.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) families: SmallVec<[Family; 2]>,
    pub(super) ranks: SmallVec<[RankTerm; 3]>,
    pub(super) suit: FormSuit,
    /// The honours of suits. Such a group has no ranks.
    pub(super) honours: Option<Honours>,
    /// Byte offset in the condition.
    pub(super) at: usize,
}

/// Groups of some families that are made of these kinds.
pub(super) type Group = (FamilySet, KindSet);

/// The letters of a list of groups.
pub(super) struct Letters {
    ranks: SmallVec<[char; MOST_RANKS]>,
    suits: SmallVec<[char; 3]>,
}

impl Letters {
    /// Collects the letters. `at` is the byte offset of the list.
    pub(super) fn of(all: &[Wanted], at: usize) -> Result<Self> {
        let (mut ranks, mut suits) = (SmallVec::new(), SmallVec::new());
        for one in all {
            for letter in one.ranks.iter().filter_map(|rank| rank.letter) {
                if !ranks.contains(&letter) {
                    ranks.push(letter);
                }
            }
            if let FormSuit::Letter(letter) = one.suit
                && !suits.contains(&letter)
            {
                suits.push(letter);
            }
        }
        if let Some(letter) = ranks.iter().find(|letter| suits.contains(letter)) {
            return Err(ConditionError::Expected {
                at,
                expected: "different letters for ranks and suits",
                found: format!("`{letter}` for both"),
            });
        }
        if ranks.len() > MOST_RANKS || suits.len() > Suit::ALL.len() {
            return Err(ConditionError::Expected {
                at,
                expected: "at most two letters for ranks and three for suits",
                found: format!("{} and {}", ranks.len(), suits.len()),
            });
        }
        Ok(Self { ranks, suits })
    }

    /// The number of substitutions of ranks and suits.
    pub(super) fn ways(&self) -> usize {
        ways_to_put(&self.suits).len() * (RANKS as usize).pow(self.ranks.len() as u32)
    }
}

/// The possible groups, with ranks and suits of the set substituted for the letters.
pub(super) fn expand(
    all: &[Wanted],
    Letters { ranks, suits }: &Letters,
    set: (&TileSet, &Grammar),
) -> Result<Vec<Vec<Group>>> {
    let makers = all
        .iter()
        .map(|wanted| Maker::new(wanted, set))
        .collect::<Result<SmallVec<[Maker<'_>; MOST_GROUPS]>>>()?;
    let mut alternatives: BTreeMap<SmallVec<[(u64, u8); MOST_GROUPS]>, Vec<Group>> =
        BTreeMap::new();
    for suits_in in ways_to_put(suits) {
        for ranks_in in 0..RANKS.pow(ranks.len() as u32) {
            let rank_of = |letter| {
                let place = ranks.iter().position(|known| *known == letter);
                ranks_in / RANKS.pow(place.unwrap_or(0) as u32) % RANKS
            };
            let suit_of = |letter| {
                let place = suits.iter().position(|known| *known == letter);
                suits_in[place.unwrap_or(0)]
            };
            let groups = makers.iter().map(|maker| maker.group(&rank_of, &suit_of));
            let Some(mut groups) = groups.collect::<Option<Vec<Group>>>() else {
                continue;
            };
            // The order in which groups are written does not matter.
            let bits = |(families, kinds): &Group| (kinds.bits(), families.bits());
            groups.sort_unstable_by_key(bits);
            alternatives.insert(groups.iter().map(bits).collect(), groups);
        }
    }
    Ok(alternatives.into_values().collect())
}

/// The condition that a hand has the groups of one alternative.
pub(super) fn any_of(alternatives: &[Vec<Group>]) -> Expr {
    match alternatives {
        // Groups of no kinds: the lint reports that no hand has them.
        [] => at_least(FamilySet::ALL, KindSet::EMPTY, 1),
        all => Expr::Any(all.iter().map(|groups| holds(groups)).collect()),
    }
}

/// The melds that the alternatives stand for, one for each family of each group.
pub(super) fn combinations(
    alternatives: &[Vec<Group>],
    (_, grammar): (&TileSet, &Grammar),
) -> Vec<Combination> {
    let runs = || {
        let shapes = grammar.shapes().map(|(_, shape)| *shape);
        shapes.flat_map(|shape| Suit::ALL.map(|suit| shape.group(suit)))
    };
    let melds_of = |&(families, kinds): &Group| -> Vec<meld::Group> {
        let one = kinds.iter().next().filter(|_| kinds.len() == 1);
        let alike = one.into_iter().flat_map(|kind| {
            let alike = [Family::Pair, Family::Pung, Family::Kong];
            let alike = alike.into_iter().chain(grammar.larger());
            alike.map(move |family| meld::Group::same(family, kind))
        });
        let all = alike.chain(runs().filter(|run| run.kind_set() == kinds));
        all.filter(|group| families.contains(group.family()))
            .collect()
    };
    let mut all: Vec<Combination> = Vec::new();
    for alternative in alternatives {
        let mut ways = vec![Combination::new()];
        for melds in alternative.iter().map(melds_of) {
            let longer = ways.iter().flat_map(|way| {
                melds.iter().map(|&meld| {
                    let mut way: Combination = way.iter().copied().chain([meld]).collect();
                    way.sort_unstable_by_key(|group| group.bits());
                    way
                })
            });
            ways = longer.collect();
        }
        all.extend(ways);
    }
    all.sort_by_key(|way| {
        way.iter()
            .map(|group| group.bits())
            .collect::<SmallVec<[u32; MOST_GROUPS]>>()
    });
    all.dedup();
    all
}

/// Every assignment of suits to letters. Different letters are different suits.
fn ways_to_put(letters: &[char]) -> Vec<SmallVec<[Suit; 3]>> {
    let mut ways = vec![SmallVec::new()];
    for _ in letters {
        let longer = ways.iter().flat_map(|way: &SmallVec<[Suit; 3]>| {
            let others = Suit::ALL.into_iter().filter(|suit| !way.contains(suit));
            others.map(|suit| way.iter().copied().chain([suit]).collect())
        });
        ways = longer.collect();
    }
    ways
}

/// The condition that a hand has these groups, which are sorted.
///
/// For each subset of the wanted groups of the same kinds, the hand must have at least as many groups of their
/// families. Then each wanted group can be matched with a group of its own (Hall's marriage theorem).
fn holds(groups: &[Group]) -> Expr {
    let mut parts = Vec::new();
    for same in groups.chunk_by(|one, other| one.1 == other.1) {
        let wanted: SmallVec<[(FamilySet, usize); 2]> = same
            .chunk_by(|one, other| one.0 == other.0)
            .map(|alike| (alike[0].0, alike.len()))
            .collect();
        for choice in 1..1_usize << wanted.len() {
            let chosen = || {
                (0..wanted.len())
                    .filter(|i| choice >> i & 1 == 1)
                    .map(|i| wanted[i])
            };
            let families = chosen().fold(FamilySet::default(), |all, (one, _)| all.union(one));
            let count: usize = chosen().map(|(_, count)| count).sum();
            parts.push(at_least(families, same[0].1, count));
        }
    }
    Expr::All(parts)
}

/// The condition that a hand has at least `count` groups of these families and kinds.
fn at_least(families: FamilySet, kinds: KindSet, count: usize) -> Expr {
    let part = |kinds| ClassPart {
        kinds,
        ..ClassPart::default()
    };
    let fact = Fact::Melds {
        families,
        class: Class {
            include: part(kinds),
            exclude: ClassPart::default(),
        },
        open: None,
    };
    let count = Expr::Constant(count as i32);
    Expr::compare(Comparison::AtLeast, Expr::Fact(fact), count)
}

/// A group as it is written, with the groups that it may be.
struct Maker<'a> {
    wanted: &'a Wanted,
    families: FamilySet,
    /// The groups that can be made of the tiles in play, by ranks and suit. Of groups that are written with one
    /// rank, the other two are 0. Those of honours have none.
    made: BTreeMap<[u8; 3], [Option<KindSet>; 3]>,
}

impl<'a> Maker<'a> {
    fn new(wanted: &'a Wanted, (tiles, grammar): (&TileSet, &Grammar)) -> Result<Self> {
        let in_play = |kinds: KindSet| kinds.is_subset(tiles.copies().kinds()).then_some(kinds);
        let expected = |expected, found: &str| ConditionError::Expected {
            at: wanted.at,
            expected,
            found: found.to_owned(),
        };
        let is_one = wanted.ranks.len() == 1;
        let mut made = BTreeMap::new();
        let runs = wanted
            .families
            .iter()
            .copied()
            .find(|family| family.is_run());
        match (runs, wanted.honours) {
            (Some(_), Some(_)) => {
                return Err(expected("a pair, pung or kong of an honour", "a run"));
            }
            (None, Some(honours)) => {
                let kinds = honours.map(|honour| in_play(KindSet::one(honour?)));
                made.insert([0; 3], kinds);
            }
            (None, None) if !is_one => return Err(expected("one rank", "three")),
            (None, None) => {
                for rank in (1..RANKS as u8).filter_map(Rank::new) {
                    let kinds =
                        Suit::ALL.map(|suit| in_play(KindSet::one(Kind::number(suit, rank))));
                    made.insert([rank.get(), 0, 0], kinds);
                }
            }
            (Some(family), None) => {
                for (_, shape) in grammar
                    .shapes()
                    .filter(|(_, shape)| shape.family() == family)
                {
                    let kinds = Suit::ALL.map(|suit| in_play(shape.group(suit).tiles().collect()));
                    let [lowest, ..] = shape.ranks();
                    let ranks = if is_one {
                        [lowest, 0, 0]
                    } else {
                        shape.ranks()
                    };
                    if made.insert(ranks, kinds).is_some() {
                        let all = "the three ranks of the run, for several begin with the same one";
                        return Err(expected(all, "one"));
                    }
                }
            }
        }
        Ok(Self {
            wanted,
            families: wanted.families.iter().copied().collect(),
            made,
        })
    }

    /// The group with ranks and suits substituted. `None` if it cannot be made of the tiles in play.
    fn group(
        &self,
        rank_of: &impl Fn(char) -> i32,
        suit_of: &impl Fn(char) -> Suit,
    ) -> Option<Group> {
        let mut ranks = [0; 3];
        for (rank, term) in ranks.iter_mut().zip(&self.wanted.ranks) {
            let found = term.letter.map_or(0, rank_of).saturating_add(term.plus);
            *rank = u8::try_from(found).ok()?;
        }
        if self.wanted.ranks.len() == ranks.len() {
            ranks.sort_unstable();
        }
        let suit = match self.wanted.suit {
            FormSuit::Fixed(suit) => suit,
            FormSuit::Letter(letter) => suit_of(letter),
        };
        let kinds = self.made.get(&ranks)?[suit.lane()]?;
        Some((self.families, kinds))
    }
}
