//! Wild tiles that stand for some kinds only.
//!
//! The kinds that a wild tile stands for are its *scope*. Scopes are whole suits or any honours, and two of them are
//! nested or disjoint. So the set falls into *parts*, and no group crosses a part: a part is a suit, or the honours
//! that the same scopes contain.
//!
//! *w* wild tiles fill up to *w* of the tiles that their scope lacks, whichever these are. So the costs of a part for *m*
//! groups and *p* pairs are those of its natural tiles less the wild tiles of the part, but not below 0. The same holds
//! for the costs of several parts combined, once the wild tiles of the smaller scopes are counted. Special forms take
//! none of these wild tiles.

use super::costs::{Costs, FAR, Zeros, cell};
use super::distance::{Lane, Scratch};
use super::grammar::Grammar;
use super::holding::Holding;
use crate::counts::{Counts, at};
use crate::set::KindSet;
use crate::tile::{Kind, Suit};
use smallvec::SmallVec;

/// The most scopes of a decomposer.
pub(super) const MOST_SCOPES: usize = 8;

/// Kinds whose tiles are wild, and what they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WildScope {
    /// The wild kinds.
    pub kinds: KindSet,
    /// The kinds that one of their tiles stands for. A tile whose own kind is not among them never is itself.
    pub stands_for: KindSet,
}

/// Why wild tiles cannot have these [scopes](WildScope).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WildScopeError {
    /// There are more than eight scopes.
    #[error("{0} sorts of wild tiles that stand for some kinds only, at most 8 are possible")]
    TooMany(usize),
    /// A kind is wild in two scopes, or in one and everywhere.
    #[error("{kind} is wild twice")]
    Twice {
        /// The index of the scope.
        scope: usize,
        /// The kind.
        kind: Kind,
    },
    /// A wild tile stands for some ranks of a suit and not for others.
    #[error("a wild tile stands for whole suits, and here for a part of suit `{suit}`")]
    Ranks {
        /// The index of the scope.
        scope: usize,
        /// The suit.
        suit: Suit,
    },
    /// A wild tile stands for nothing that is in play and is itself.
    #[error("a wild tile stands for kinds in play, and here for none")]
    Nothing {
        /// The index of the scope.
        scope: usize,
    },
    /// Two scopes have kinds in common, and each has others.
    #[error(
        "the kinds that a wild tile stands for must contain those of another, be among them or have none in common with them"
    )]
    Crossing {
        /// The index of the scope.
        scope: usize,
    },
    /// The zero is a number in runs, so that groups cross suits and honours.
    #[error("where the zero is a number in runs, a wild tile stands for all kinds")]
    Zero,
}

impl WildScopeError {
    /// The index of the scope at fault, if it is one.
    pub const fn scope(self) -> Option<usize> {
        match self {
            Self::Twice { scope, .. }
            | Self::Ranks { scope, .. }
            | Self::Nothing { scope }
            | Self::Crossing { scope } => Some(scope),
            Self::TooMany(_) | Self::Zero => None,
        }
    }
}

/// How many wild tiles of each scope a hand has.
pub(super) type OfScopes = [u8; MOST_SCOPES];

/// Kinds that no group crosses.
#[derive(Debug)]
struct Part {
    lane: usize,
    /// Fifteen in the nibble of each kind.
    mask: u64,
    kinds: KindSet,
    /// Groups never run out here, whatever the hand has declared.
    is_wide: bool,
}

/// The scopes of the wild tiles of a decomposer.
#[derive(Debug)]
pub(super) struct Scopes {
    /// A scope follows those that it contains.
    scopes: Vec<WildScope>,
    parts: Vec<Part>,
    /// The grammar of hands without wild tiles.
    grammar: Grammar,
    /// The same, in which groups may run out.
    cramped: Grammar,
}

/// Scopes that were checked.
pub(super) struct Checked {
    /// A scope follows those that it contains. None stands for all kinds.
    pub(super) scopes: Vec<WildScope>,
    /// The wild kinds that stand for any kind.
    pub(super) any: KindSet,
    /// The wild kinds that are never themselves.
    pub(super) never: KindSet,
}

/// Checks scopes for the set of a grammar. `any` are kinds that are wild and stand for any kind.
pub(super) fn check(
    scopes: &[WildScope],
    any: KindSet,
    grammar: &Grammar,
) -> Result<Checked, WildScopeError> {
    let copies = grammar.copies().kinds();
    let mut checked = Checked {
        scopes: Vec::new(),
        any: any.intersection(copies),
        never: any
            .intersection(copies)
            .intersection(KindSet::one(Kind::JOKER)),
    };
    let mut wild = checked.any;
    for (scope, one) in scopes.iter().enumerate() {
        if let Some(kind) = wild.intersection(one.kinds).first() {
            return Err(WildScopeError::Twice { scope, kind });
        }
        wild = wild.union(one.kinds);
        let never = one.kinds.difference(one.stands_for).intersection(copies);
        checked.never = checked.never.union(never);
    }
    let natural = copies.difference(checked.never);
    let mut found = Vec::new();
    for (scope, one) in scopes.iter().enumerate() {
        let kinds = one.kinds.intersection(copies);
        let stands_for = one.stands_for.intersection(natural);
        let is_cut = |suit: &Suit| {
            let suit = KindSet::of_lane(suit.lane()).intersection(natural);
            let some = stands_for.intersection(suit);
            !some.is_empty() && some != suit
        };
        if stands_for.is_empty() {
            return Err(WildScopeError::Nothing { scope });
        } else if let Some(suit) = Suit::ALL.into_iter().find(is_cut) {
            return Err(WildScopeError::Ranks { scope, suit });
        } else if stands_for == natural {
            checked.any = checked.any.union(kinds);
        } else if !kinds.is_empty() {
            found.push((scope, WildScope { kinds, stands_for }));
        }
    }
    if found.len() > MOST_SCOPES {
        return Err(WildScopeError::TooMany(found.len()));
    }
    if grammar.uses_zero && !found.is_empty() {
        return Err(WildScopeError::Zero);
    }
    found.sort_by_key(|(_, one)| one.stands_for.len());
    for (index, &(scope, large)) in found.iter().enumerate() {
        let crosses = |(_, small): &(usize, WildScope)| {
            let common = small.stands_for.intersection(large.stands_for);
            !common.is_empty() && common != small.stands_for
        };
        if found[..index].iter().any(crosses) {
            return Err(WildScopeError::Crossing { scope });
        }
    }
    checked.scopes = found.into_iter().map(|(_, one)| one).collect();
    Ok(checked)
}

impl Scopes {
    /// Checked scopes. `grammar` is that of hands without wild tiles.
    pub(super) fn new(scopes: Vec<WildScope>, grammar: &Grammar) -> Self {
        let mut parts: Vec<KindSet> = (0..3).map(KindSet::of_lane).collect();
        let mut honours = KindSet::of_lane(3);
        for scope in &scopes {
            let own = scope.stands_for.intersection(honours);
            parts.push(own);
            honours = honours.difference(own);
        }
        parts.push(honours);
        let limits = grammar.copies();
        let parts = parts
            .into_iter()
            .map(|kinds| kinds.intersection(limits.kinds()));
        let parts = parts.filter(|kinds| !kinds.is_empty()).map(|kinds| {
            let lane = kinds.first().map_or(0, Kind::lane);
            let full = limits.at_least(4).intersection(kinds).len();
            Part {
                lane,
                mask: kinds
                    .iter()
                    .fold(0, |mask, kind| mask | at(kind.place(), 15)),
                kinds,
                // The tiles of a hand leave fewer than three of at most half as many kinds, if there are four of each.
                is_wide: full > (3 * grammar.groups() + 2) / 2,
            }
        });
        Self {
            scopes,
            parts: parts.collect(),
            cramped: grammar.cramped(),
            grammar: grammar.clone(),
        }
    }

    pub(super) fn scopes(&self) -> &[WildScope] {
        &self.scopes
    }

    /// The number of the scope in which a kind is wild.
    pub(super) fn of(&self, kind: Kind) -> Option<usize> {
        let mut scopes = self.scopes.iter();
        scopes.position(|scope| scope.kinds.contains(kind))
    }

    /// Takes the wild tiles out of a hand and counts them.
    pub(super) fn take(&self, concealed: &mut Counts) -> OfScopes {
        let mut held = OfScopes::default();
        for (held, scope) in held.iter_mut().zip(&self.scopes) {
            for kind in scope.kinds.iter() {
                *held += concealed.get(kind);
                concealed.set(kind, 0);
            }
        }
        held
    }

    /// Takes away a wild tile of the smallest scope that has one, and returns the scope.
    pub(super) fn spend(&self, held: &mut OfScopes) -> Option<&WildScope> {
        let index = held.iter().position(|&held| held > 0)?;
        held[index] -= 1;
        self.scopes.get(index)
    }

    /// The tiles missing from groups and a pair. `rest` has no wild tiles, `held` are those of the scopes.
    pub(super) fn missing(&self, rest: &Holding, held: &OfScopes, scratch: &mut Scratch) -> u8 {
        let limits = self.grammar.copies().saturating_minus(&rest.declared);
        let mut costs: SmallVec<[(KindSet, Costs); 12]> = self
            .parts
            .iter()
            .map(|part| {
                let grammar = match part.is_wide {
                    true => &self.grammar,
                    false => &self.cramped,
                };
                let lane = Lane {
                    index: part.lane,
                    counts: rest.concealed.lane(part.lane) & part.mask,
                    limit: limits.lane(part.lane) & part.mask,
                    zeros: Zeros::None,
                };
                (part.kinds, scratch.costs(grammar, &lane))
            })
            .collect();
        for (scope, &wilds) in self.scopes.iter().zip(held) {
            if wilds > 0 {
                combine(&mut costs, scope.stands_for, wilds);
            }
        }
        combine(&mut costs, KindSet::ALL, 0);
        let need = self.grammar.groups().saturating_sub(rest.melds);
        costs
            .first()
            .map_or(FAR, |(_, all)| all.0[0][cell(need, 1)])
    }

    /// True if wild tiles of the scopes and `any` others can stand for these tiles, one for each.
    pub(super) fn can_be(&self, held: &OfScopes, any: u8, tiles: &Counts) -> bool {
        let all = held.iter().sum::<u8>() + any;
        let has_room = |large: &WildScope| {
            let within = self.scopes.iter().zip(held);
            let within = within.filter(|(scope, _)| scope.stands_for.is_subset(large.stands_for));
            let wilds: u8 = within.map(|(_, held)| held).sum();
            tiles.count_in(large.stands_for) >= u32::from(wilds)
        };
        tiles.total() == usize::from(all) && self.scopes.iter().all(has_room)
    }
}

/// Combines the parts within `kinds` into one, in which so many tiles fewer are missing.
fn combine(costs: &mut SmallVec<[(KindSet, Costs); 12]>, kinds: KindSet, wilds: u8) {
    let mut sum: Option<(KindSet, Costs)> = None;
    costs.retain(|(part, costs)| {
        let is_within = part.is_subset(kinds);
        if is_within {
            sum = Some(match sum {
                Some((parts, sum)) => (parts.union(*part), sum.plus(costs, 1)),
                None => (*part, *costs),
            });
        }
        !is_within
    });
    if let Some((parts, mut sum)) = sum {
        for cost in sum.0[0].iter_mut().filter(|cost| **cost < FAR) {
            *cost = cost.saturating_sub(wilds);
        }
        costs.push((parts, sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::lanes::Lanes;
    use crate::decompose::{Arrangement, Decomposer, WildCopies};
    use crate::meld::Group;
    use crate::notation::Notation;
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    fn kinds(text: &str) -> KindSet {
        let tiles = Notation::Ujmj.parse(text).unwrap();
        tiles.iter().filter_map(|tile| tile.kind()).collect()
    }

    /// The set of a ruleset with two tiles of each of these kinds that it lacks, which are in no run.
    fn grammar_with(id: &str, more: KindSet) -> Grammar {
        let rules = Rules::by_id(id).unwrap();
        let plain = rules.plan().decomposer().natural().grammar();
        let mut copies = *plain.copies();
        for kind in more.difference(copies.kinds()).iter() {
            copies.set(kind, 2);
        }
        let shapes = plain.shapes();
        let runs: Vec<_> = shapes
            .map(|(_, shape)| (shape.family(), shape.ranks()))
            .collect();
        let (groups, forms) = (plain.groups(), plain.forms().to_vec());
        Grammar::new(copies, groups, &runs, plain.has_pung, plain.has_kong, forms).unwrap()
    }

    /// A decomposer, its scopes, and one for groups and a pair alone and one for forms, without wild tiles.
    struct Case {
        wild: Decomposer,
        scopes: Vec<WildScope>,
        any: KindSet,
        standard: Decomposer,
        natural: Decomposer,
        most: Counts,
    }

    impl Case {
        fn new(id: &str, any: &str, scopes: &[(&str, &str)], most: WildCopies) -> Self {
            let scopes: Vec<WildScope> = scopes
                .iter()
                .map(|&(own, stands_for)| WildScope {
                    kinds: kinds(own),
                    stands_for: kinds(stands_for),
                })
                .collect();
            let any = kinds(any);
            let own = scopes.iter().fold(any, |all, scope| all.union(scope.kinds));
            let grammar = grammar_with(id, own);
            let wild = Decomposer::new(grammar.clone());
            let wild = wild.with_wild_scopes(any, &scopes, most).unwrap();
            let never = scopes
                .iter()
                .fold(KindSet::one(Kind::JOKER), |never, scope| {
                    never.union(scope.kinds.difference(scope.stands_for))
                });
            let natural = grammar.without(never).unwrap();
            let most = match most {
                WildCopies::Set => *natural.copies(),
                WildCopies::Any => natural.copies().filled(),
            };
            let runs: Vec<_> = natural
                .shapes()
                .map(|(_, one)| (one.family(), one.ranks()))
                .collect();
            let (pung, kong) = (natural.has_pung, natural.has_kong);
            let standard = Grammar::new(most, natural.groups(), &runs, pung, kong, Vec::new());
            Self {
                wild,
                scopes,
                any,
                standard: Decomposer::new(standard.unwrap()),
                natural: Decomposer::new(natural),
                most,
            }
        }

        /// The kinds that the wild tiles of a hand stand for, one set for each tile, and the hand without them.
        fn apart(&self, holding: &Holding) -> (Holding, u8, Vec<KindSet>) {
            let mut rest = *holding;
            let mut take = |kinds: KindSet| {
                let mut taken = 0;
                for kind in kinds.iter() {
                    taken += rest.concealed.get(kind);
                    rest.concealed.set(kind, 0);
                }
                taken
            };
            let any = take(self.any);
            let mut each = Vec::new();
            for scope in &self.scopes {
                let own = take(scope.kinds);
                each.extend((0..own).map(|_| scope.stands_for.intersection(self.most.kinds())));
            }
            (rest, any, each)
        }

        /// The least distance over all kinds for all wild tiles but those that stand for any kind.
        fn least(&self, rest: &Holding, each: &[KindSet], scratch: &mut Scratch) -> i8 {
            let Some((kinds, others)) = each.split_first() else {
                // Tables do not know more copies than the set has.
                return Lanes::new(self.standard.grammar(), None, rest, scratch).distance();
            };
            let room = |kind: &Kind| rest.held(*kind) < self.most.get(*kind);
            let best = kinds.iter().filter(room).map(|kind| {
                let more = rest.with_beyond(kind);
                self.least(&more, others, scratch)
            });
            let best = best.min();
            best.unwrap_or(i8::MAX)
                .min(self.least(rest, others, scratch))
        }

        fn slow_distance(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
            let (rest, any, each) = self.apart(holding);
            let mut least = self.least(&rest, &each, scratch);
            for form in 0..self.natural.grammar().forms().len() {
                let missing = self.natural.missing_from_form(form, &rest);
                least = least.min(missing.map_or(i8::MAX, |missing| missing as i8 - 1));
            }
            least - any as i8
        }

        /// Every complete hand of groups and a pair that results from kinds for all wild tiles.
        fn slow_hands(&self, holding: &Holding) -> BTreeSet<Vec<Kind>> {
            let (rest, any, mut each) = self.apart(holding);
            each.extend((0..any).map(|_| self.most.kinds()));
            let mut all = BTreeSet::from([rest.concealed.iter().collect::<Vec<Kind>>()]);
            for kinds in each {
                let mut more = BTreeSet::new();
                for tiles in &all {
                    for kind in kinds.iter() {
                        let mut tiles = tiles.clone();
                        tiles.push(kind);
                        tiles.sort();
                        let count = tiles.iter().filter(|own| **own == kind).count() as u8;
                        if count + rest.declared.get(kind) <= self.most.get(kind) {
                            more.insert(tiles);
                        }
                    }
                }
                all = more;
            }
            all.retain(|tiles| {
                let mut concealed = Counts::EMPTY;
                for &kind in tiles {
                    concealed.try_add_beyond(kind);
                }
                self.standard.is_complete(&Holding { concealed, ..rest })
            });
            all
        }

        /// A hand that is nearly complete, with up to `most` wild tiles.
        fn hand(&self, stream: &mut Stream, most: u32, less: usize) -> Holding {
            let natural = self.natural.grammar();
            let copies = *natural.copies();
            let mut numbers: Vec<Kind> = copies.kinds().iter().collect();
            stream.shuffle(&mut numbers);
            if stream.below(3) > 0 {
                // Few kinds: groups run out.
                let near = numbers[0];
                numbers.sort_by_key(|kind| {
                    (
                        kind.lane() != near.lane(),
                        kind.place().abs_diff(near.place()),
                    )
                });
                numbers.truncate(5 + stream.below(6) as usize);
            }
            let pick = |stream: &mut Stream| numbers[stream.below(numbers.len() as u32) as usize];
            let mut holding = Holding::of_tiles(Counts::EMPTY);
            holding.melds = 0;
            for _ in 0..stream.below(4) {
                let kind = pick(stream);
                if holding.declared.get(kind) == 0 && copies.get(kind) > 2 {
                    let group = match copies.get(kind) > 3 && stream.below(2) == 0 {
                        true => Group::kong(kind),
                        false => Group::pung(kind),
                    };
                    holding.declare(group, true);
                }
            }
            let size = natural.hand_tiles() + 1 - 3 * holding.melds - less;
            let wild: Vec<Kind> = self.wild.wild().iter().collect();
            for _ in 0..stream.below(most + 1) {
                let kind = wild[stream.below(wild.len() as u32) as usize];
                let full = self.wild.grammar().copies().get(kind);
                if holding.concealed.get(kind) < full && holding.concealed.total() < size {
                    holding.concealed.try_add(kind);
                }
            }
            let room = |holding: &Holding, kind: Kind| {
                holding.held(kind) < copies.get(kind) && !self.wild.wild().contains(kind)
            };
            let shapes: Vec<_> = natural.shapes().map(|(_, shape)| *shape).collect();
            for round in 0.. {
                if holding.concealed.total() == size {
                    break;
                }
                let kind = pick(stream);
                let group: Vec<Kind> = match (stream.below(3), kind.suit()) {
                    (1.., Some(suit)) if !shapes.is_empty() && round < 60 => {
                        let shape = &shapes[stream.below(shapes.len() as u32) as usize];
                        shape.group(suit).tiles().collect()
                    }
                    _ if round < 90 => vec![kind; 2 + stream.below(2) as usize],
                    _ => copies
                        .kinds()
                        .iter()
                        .filter(|&kind| room(&holding, kind))
                        .collect(),
                };
                for kind in group {
                    if room(&holding, kind) && holding.concealed.total() < size {
                        holding.concealed.try_add(kind);
                    }
                }
            }
            holding
        }
    }

    const ALL: &str = "123456789t123456789s123456789mESWNCFP";
    const SUITS: [(&str, &str); 3] = [
        ("xt", "123456789t"),
        ("xs", "123456789s"),
        ("xm", "123456789m"),
    ];

    fn cases() -> Vec<Case> {
        let suited = ("at", "123456789t123456789s123456789m");
        let all: Vec<_> = SUITS
            .into_iter()
            .chain([("H", "ESWN"), ("V", "CFP"), suited])
            .collect();
        let honours = [
            ("xt", "123456789t"),
            ("H", "ESWN"),
            ("V", "ESWNCFP"),
            ("as", "CF"),
        ];
        // Wild dragons stand for winds or for themselves; one suit and one wind.
        let itself = [("P", "ESWNP"), ("5s", "123456789s"), ("xm", "123456789mC")];
        let general = [
            ("B", ALL),
            ("xt", "123456789t"),
            ("at", "123456789t"),
            ("V", "CFP"),
        ];
        let few = [("xt", "123456789t"), ("V", "ESWNFP")];
        let (set, any) = (WildCopies::Set, WildCopies::Any);
        vec![
            Case::new("woo", "J", &all, set),
            Case::new("hong-kong-old-style", "", &honours, set),
            Case::new("woo", "F", &itself, set),
            Case::new("mcr", "", &general, set),
            Case::new("taiwanese", "J", &all, set),
            Case::new("filipino", "J", &SUITS, set),
            Case::new("riichi-sanma", "", &few, set),
            Case::new("mcr", "J", &all, any),
        ]
    }

    #[test]
    fn a_decomposer_without_forms_has_the_same_wild_kinds() {
        let mut plain = 0;
        for case in cases() {
            let Some(without) = case.wild.with_forms(Vec::new()) else {
                continue;
            };
            plain += 1;
            assert!(without.grammar().forms.is_empty());
            assert_eq!(without.wild(), case.wild.wild());
            assert_eq!(without.wild_scopes(), case.wild.wild_scopes());
            assert_eq!(without.natural_kinds(), case.wild.natural_kinds());
        }
        assert!(plain > 2, "{plain}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Distance, accepted tiles, waits and discards agree with trying all kinds for all wild tiles.
        #[test]
        fn limited_wild_tiles_are_as_near_as_trying_all_kinds_tells(seed: u64) {
            let mut scratch = Scratch::new();
            for (number, case) in cases().iter().enumerate() {
                let mut stream = Stream::new(seed, number as u64);
                for less in [0, 1] {
                    let hand = case.hand(&mut stream, 3, less);
                    let distance = case.slow_distance(&hand, &mut scratch);
                    prop_assert_eq!(case.wild.distance(&hand, &mut scratch), distance, "{} {:?}", number, hand);
                    prop_assert_eq!(case.wild.is_complete(&hand), less == 0 && distance < 0);
                    let copies = *case.wild.grammar().copies();
                    let lowers = |kind: &Kind| {
                        case.slow_distance(&hand.with(*kind).unwrap(), &mut Scratch::new()) < distance
                    };
                    let drawn = copies.kinds().difference(hand.exhausted(&copies));
                    let drawn = drawn.intersection(case.wild.wild().union(case.most.kinds()));
                    let expected: KindSet = drawn.iter().filter(|_| distance >= 0).filter(lowers).collect();
                    let (found, accepts) = case.wild.accepts(&hand, &mut scratch);
                    prop_assert_eq!((found, accepts), (distance, expected), "{} {:?}", number, hand);
                    if less == 1 {
                        let waits = if distance == 0 { expected } else { KindSet::EMPTY };
                        prop_assert_eq!(case.wild.waits(&hand), waits);
                        continue;
                    }
                    let mut kept = Vec::new();
                    case.wild.discards(&hand, &mut scratch, |kind, accepts| kept.push((kind, accepts)));
                    let mut expected = Vec::new();
                    for kind in hand.concealed.kinds().iter().filter(|_| distance >= 0) {
                        let mut left = hand;
                        left.concealed.try_remove(kind);
                        if case.slow_distance(&left, &mut scratch) == distance {
                            expected.push((kind, case.wild.accepts(&left, &mut scratch).1));
                        }
                    }
                    prop_assert_eq!(kept, expected);
                }
            }
        }

        /// Each complete hand is visited once, and a wild tile stands for what leaves kinds for the others.
        #[test]
        fn limited_wild_tiles_become_what_trying_all_kinds_tells(seed: u64) {
            for (number, case) in cases().iter().enumerate() {
                let mut stream = Stream::new(seed, number as u64);
                let hand = case.hand(&mut stream, 3, 0);
                let (_, any, each) = case.apart(&hand);
                let mut found = BTreeSet::new();
                let mut twice = None;
                let _ = case.wild.substitutions(&hand, |whole| {
                    // Hands without wild tiles of a scope may be special forms.
                    let mut stop = |_: &Arrangement| ControlFlow::Break(());
                    let is_standard = case.standard.arrangements(whole, &mut stop).is_break();
                    let new = found.insert(whole.concealed.iter().collect::<Vec<_>>());
                    twice = twice.or((!new || !each.is_empty() && !is_standard).then_some(*whole));
                    if !is_standard {
                        found.remove(&whole.concealed.iter().collect::<Vec<_>>());
                    }
                    ControlFlow::Continue(())
                });
                prop_assert_eq!(twice, None);
                prop_assert_eq!(&found, &case.slow_hands(&hand), "{} {:?}", number, hand);
                let Some(winning) = hand.concealed.kinds().intersection(case.wild.wild()).first() else {
                    continue;
                };
                let mut rest = hand;
                rest.concealed.try_remove(winning);
                let (natural, _, others) = case.apart(&rest);
                let any = any - u8::from(case.any.contains(winning));
                let scope = case.scopes.iter().find(|scope| scope.kinds.contains(winning));
                for tiles in found.iter().take(20) {
                    let mut put_in = tiles.clone();
                    for kind in natural.concealed.iter() {
                        put_in.swap_remove(put_in.iter().position(|one| *one == kind).unwrap());
                    }
                    let may_be = |kind: &Kind| {
                        let mut left = put_in.clone();
                        left.swap_remove(left.iter().position(|one| one == kind).unwrap());
                        scope.is_none_or(|scope| scope.stands_for.contains(*kind))
                            && can_be_slowly(&left, &others, any)
                    };
                    let expected: KindSet = put_in.iter().copied().filter(|kind| may_be(kind)).collect();
                    let mut concealed = Counts::EMPTY;
                    tiles.iter().for_each(|&kind| { concealed.try_add_beyond(kind); });
                    let wild = case.wild.wild.as_ref().unwrap();
                    let stands = wild.stands_for(&rest.concealed, winning, &concealed);
                    prop_assert_eq!(stands, expected, "{} {:?} {:?}", number, hand, winning);
                }
            }
        }
    }

    /// Whether wild tiles with these scopes, and `any` others, can have these kinds.
    fn can_be_slowly(tiles: &[Kind], each: &[KindSet], any: u8) -> bool {
        let Some((scope, others)) = each.split_first() else {
            return tiles.len() == usize::from(any);
        };
        let fits = |place: &usize| scope.contains(tiles[*place]);
        (0..tiles.len()).filter(fits).any(|place| {
            let mut left = tiles.to_vec();
            left.remove(place);
            can_be_slowly(&left, others, any)
        })
    }

    #[test]
    fn scopes_are_nested_or_disjoint_and_keep_suits_whole() {
        let grammar = grammar_with("woo", kinds("xatxasxamHVJB"));
        let fault = |scopes: &[(&str, &str)]| {
            let scope = |&(own, stands_for): &(&str, &str)| WildScope {
                kinds: kinds(own),
                stands_for: kinds(stands_for),
            };
            let scopes: Vec<_> = scopes.iter().map(scope).collect();
            check(&scopes, KindSet::one(Kind::JOKER), &grammar).err()
        };
        // Every kind that no scope names is natural here, jokers of a rank among them.
        let never =
            [("xa", "t"), ("xa", "s"), ("xa", "m")].map(|(ranks, suit)| format!("{ranks}{suit}"));
        let never: Vec<(&str, &str)> = never.iter().map(|own| (own.as_str(), "ESWN")).collect();
        let with = |more: &[(&'static str, &'static str)]| {
            let mut all = never.clone();
            all.extend_from_slice(more);
            fault(&all)
        };
        assert_eq!(with(&[]), None);
        assert_eq!(
            with(&[("H", "123456789tES")]),
            Some(WildScopeError::Crossing { scope: 3 })
        );
        assert_eq!(with(&[("H", "123456789tESWN")]), None);
        assert_eq!(
            with(&[("H", "12345678t")]),
            Some(WildScopeError::Ranks {
                scope: 3,
                suit: Suit::Circles
            })
        );
        assert_eq!(
            with(&[("J", "ES")]),
            Some(WildScopeError::Twice {
                scope: 3,
                kind: Kind::JOKER
            })
        );
        assert_eq!(
            with(&[("H", "xt")]),
            Some(WildScopeError::Nothing { scope: 3 })
        );
        assert_eq!(
            fault(&[("xt", "123456789t")]),
            Some(WildScopeError::Ranks {
                scope: 0,
                suit: Suit::Circles
            })
        );
        let uzje = grammar_with("uzje", KindSet::EMPTY);
        let scope = WildScope {
            kinds: KindSet::one(Kind::WHITE),
            stands_for: KindSet::one(Kind::EAST),
        };
        let found = check(&[scope], KindSet::EMPTY, &uzje).err();
        assert_eq!(found, Some(WildScopeError::Zero));
    }
}
