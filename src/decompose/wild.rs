//! Wild tiles: a tile of a wild kind stands for any kind of the set, or for those of its [scope](super::wild_scopes).
//!
//! The distance with *w* wild tiles that stand for any kind is the distance of the other tiles minus *w*.
//!
//! As everywhere, no complete hand has more copies of a kind than the set. Under [`WildCopies::Any`](super::WildCopies)
//! the set counts as having seven copies of each kind, but drawn tiles are still those of the real set. The tables
//! assume four copies. A fifth matters only where four of a kind are concealed: with fewer, a pair or a group of an
//! unused kind has no more missing tiles than the one with the fifth copy. So hands with four of a kind are searched,
//! and the tables answer for all others, whatever is declared.

use super::costs::FAR;
use super::holding::Holding;
use super::lanes::Lanes;
use super::wild_scopes::OfScopes;
use super::{Arrangement, Decomposer, Scratch, Wild};
use crate::counts::Counts;
use crate::hand::Hand;
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Calls `ask` with the scratch memory of this thread, because a search needs 1.6 MB, too much to allocate for each
/// hand. A nested call allocates its own.
fn with_scratch<T>(ask: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch::new()) };
    }
    SCRATCH.with(|own| match own.try_borrow_mut() {
        Ok(mut scratch) => ask(&mut scratch),
        Err(_) => ask(&mut Scratch::new()),
    })
}

/// What was substituted for wild tiles: the kinds that each could stand for, and the last kind for it.
type Chosen = SmallVec<[(KindSet, Option<Kind>); 8]>;

/// A hand, taken apart.
#[derive(Clone, Copy)]
struct Apart {
    /// The hand without its wild tiles.
    rest: Holding,
    /// Its wild tiles that stand for any kind.
    any: u8,
    /// Its wild tiles of each scope.
    held: OfScopes,
}

impl Apart {
    /// True if some wild tiles stand for some kinds only.
    fn has_scopes(&self) -> bool {
        self.held != OfScopes::default()
    }

    /// The same with one more tile that is not wild, even a fifth copy.
    fn with_beyond(&self, kind: Kind) -> Self {
        Self {
            rest: self.rest.with_beyond(kind),
            ..*self
        }
    }

    /// The same with other wild tiles of the scopes.
    fn holding(&self, held: OfScopes) -> Self {
        Self { held, ..*self }
    }
}

impl Wild {
    /// Takes a hand apart.
    fn split(&self, holding: &Holding) -> Apart {
        let mut rest = *holding;
        let mut any = 0;
        for kind in self.any.iter() {
            any += rest.concealed.get(kind);
            rest.concealed.set(kind, 0);
        }
        let scopes = self.scopes.as_ref();
        let held = scopes.map_or(OfScopes::default(), |scopes| {
            scopes.take(&mut rest.concealed)
        });
        // Copies of jokers do not matter: in a complete hand a joker never stands for itself.
        rest.declared.set(Kind::JOKER, 0);
        Apart { rest, any, held }
    }

    /// The distance of a hand, and of the same without the wild tiles that stand for any kind.
    fn distances(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, i8, Apart) {
        let apart = self.split(holding);
        let natural = self.distance_without_any(&apart, scratch);
        let distance = match natural {
            Decomposer::UNREACHABLE => natural,
            natural => natural - apart.any as i8,
        };
        (distance, natural, apart)
    }

    /// The distance of a hand without the wild tiles that stand for any kind.
    fn distance_without_any(&self, apart: &Apart, scratch: &mut Scratch) -> i8 {
        match self.scopes.as_ref().filter(|_| apart.has_scopes()) {
            Some(scopes) => {
                let rest = &apart.rest;
                let standard = scopes.missing(rest, &apart.held, scratch);
                let forms = &self
                    .beyond
                    .as_ref()
                    .unwrap_or(&self.natural.grammar)
                    .special;
                forms.missing_below(rest, standard.min(FAR)) as i8 - 1
            }
            None => self.natural_distance(&apart.rest, scratch),
        }
    }

    /// The kinds that lower the distance of a hand without the wild tiles that stand for any kind, wild kinds of scopes
    /// among them.
    fn accepts_without_any(&self, apart: &Apart, distance: i8, scratch: &mut Scratch) -> KindSet {
        let Some(scopes) = &self.scopes else {
            return self.natural_accepts(&apart.rest, scratch);
        };
        let mut lowers = |more: &Apart| self.distance_without_any(more, scratch) < distance;
        let mut accepts = KindSet::EMPTY;
        for (index, scope) in scopes.scopes().iter().enumerate() {
            let mut held = apart.held;
            held[index] += 1;
            if lowers(&apart.holding(held)) {
                accepts = accepts.union(scope.kinds);
            }
        }
        let natural = match apart.has_scopes() {
            true => {
                let copies = self
                    .beyond
                    .as_ref()
                    .unwrap_or(&self.natural.grammar)
                    .copies();
                let kinds = copies.kinds().difference(apart.rest.exhausted(copies));
                let lowering = kinds
                    .iter()
                    .filter(|&kind| lowers(&apart.with_beyond(kind)));
                lowering.collect()
            }
            false => self.natural_accepts(&apart.rest, scratch),
        };
        natural.union(accepts)
    }

    /// A hand without wild tiles as the tables can answer for it under [`WildCopies::Any`](super::WildCopies): without
    /// its declared tiles. `None` if a fifth copy may matter.
    fn within_set(&self, rest: &Holding) -> Option<Holding> {
        let grammar = &self.natural.grammar;
        let is_plain = grammar.has_four_of_each
            && grammar.roomy
            && !grammar.uses_zero
            && grammar.special.ignore_copies();
        let is_within = is_plain && rest.concealed.at_least(4).is_empty();
        is_within.then_some(Holding {
            declared: Counts::EMPTY,
            ..*rest
        })
    }

    /// The distance of a hand without wild tiles.
    fn natural_distance(&self, rest: &Holding, scratch: &mut Scratch) -> i8 {
        let Some(beyond) = &self.beyond else {
            return self.natural.distance(rest, scratch);
        };
        match self.within_set(rest) {
            Some(within) => self.natural.distance(&within, scratch),
            None => Lanes::new(beyond, None, rest, scratch).distance(),
        }
    }

    /// The kinds that lower the distance of a hand without wild tiles. Under [`WildCopies::Any`](super::WildCopies) no
    /// copy need be left.
    fn natural_accepts(&self, rest: &Holding, scratch: &mut Scratch) -> KindSet {
        let Some(beyond) = &self.beyond else {
            return self.natural.accepts(rest, scratch).1;
        };
        let Some(within) = self.within_set(rest) else {
            let lanes = Lanes::new(beyond, None, rest, scratch);
            return lanes.accepts(lanes.distance(), scratch);
        };
        let (distance, mut accepts) = self.natural.accepts(&within, scratch);
        // The fourth copy may lower the distance to a hand with a fifth.
        for kind in rest.concealed.at_least(3).difference(accepts).iter() {
            let more = rest.with_beyond(kind);
            if self.natural_distance(&more, scratch) < distance {
                accepts.insert(kind);
            }
        }
        accepts
    }

    pub(super) fn distance(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
        let (distance, _, apart) = self.distances(holding, scratch);
        distance.min(self.limited_distance(&apart))
    }

    /// The distance to the concrete hands that limit wild tiles.
    fn limited_distance(&self, apart: &Apart) -> i8 {
        match &self.limited {
            Some(limited) => limited.missing_with(None, &apart.rest, apart.any) as i8 - 1,
            None => Decomposer::UNREACHABLE,
        }
    }

    /// True if the hand has `less` tiles fewer than a complete one.
    fn has_size(&self, holding: &Holding, less: usize) -> bool {
        let whole = self.natural.grammar.hand_tiles() + 1;
        let forms = self
            .limited
            .as_ref()
            .unwrap_or(&self.natural.grammar.special);
        forms.size(holding) + less == whole
    }

    pub(super) fn is_complete(&self, holding: &Holding) -> bool {
        self.has_size(holding, 0) && with_scratch(|scratch| self.distance(holding, scratch)) < 0
    }

    pub(super) fn completes(&self, hand: &Hand, more: Option<Kind>) -> bool {
        let holding = Holding::from(hand);
        match more {
            None => self.is_complete(&holding),
            Some(kind) => {
                let whole = holding.with(kind);
                whole.is_some_and(|whole| self.is_complete(&whole))
            }
        }
    }

    /// Every kind that completes the hand with one more tile, of which a copy is left.
    pub(super) fn waits(&self, holding: &Holding) -> KindSet {
        if !self.has_size(holding, 1) {
            return KindSet::EMPTY;
        }
        with_scratch(|scratch| {
            let found = self.distances(holding, scratch);
            let of_limited = self.limited_distance(&found.2);
            match found.0.min(of_limited) {
                0 => self.accepts_at(0, holding, (&found, of_limited), scratch),
                _ => KindSet::EMPTY,
            }
        })
    }

    pub(super) fn accepts(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        let found = self.distances(holding, scratch);
        let of_limited = self.limited_distance(&found.2);
        let least = found.0.min(of_limited);
        if least < 0 || least == Decomposer::UNREACHABLE {
            return (least, KindSet::EMPTY);
        }
        (
            least,
            self.accepts_at(least, holding, (&found, of_limited), scratch),
        )
    }

    /// The kinds that lower the distance of a hand, which is `least`. `found` is what [`Self::distances`] returned for
    /// it, `of_limited` the distance to the concrete hands that limit wild tiles.
    fn accepts_at(
        &self,
        least: i8,
        holding: &Holding,
        (found, of_limited): (&(i8, i8, Apart), i8),
        scratch: &mut Scratch,
    ) -> KindSet {
        let (distance, without_any, apart) = found;
        let mut accepts = KindSet::EMPTY;
        if *distance == least {
            accepts = self.accepts_without_any(apart, *without_any, scratch);
            accepts = accepts.union(self.any);
        }
        if let Some(limited) = self.limited.as_ref().filter(|_| of_limited == least) {
            let missing = (least + 1) as u8;
            let (kinds, wild) = limited.accepts_with(&apart.rest, apart.any, missing);
            let wild = if wild { self.any } else { KindSet::EMPTY };
            accepts = accepts.union(kinds).union(wild);
        }
        accepts.difference(holding.exhausted(&self.copies))
    }

    pub(super) fn discards(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(Kind, KindSet),
    ) -> i8 {
        let (distance, natural, apart) = self.distances(holding, scratch);
        // A discard brings no hand nearer, so concrete hands that are further off do not matter.
        if self.limited_distance(&apart) <= distance || apart.has_scopes() {
            return self.discards_one_by_one(holding, scratch, visit);
        }
        if distance < 0 {
            return distance;
        }
        // Discarding a wild tile raises the distance, so no wild tile is among these discards.
        for kind in apart.rest.concealed.kinds().iter() {
            let mut after = apart.rest;
            after.concealed.try_remove(kind);
            if self.natural_distance(&after, scratch) != natural {
                continue;
            }
            let mut left = *holding;
            left.concealed.try_remove(kind);
            visit(kind, self.accepts(&left, scratch).1);
        }
        distance
    }

    fn discards_one_by_one(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(Kind, KindSet),
    ) -> i8 {
        let distance = self.distance(holding, scratch);
        for kind in holding.concealed.kinds().iter().filter(|_| distance >= 0) {
            let mut left = *holding;
            left.concealed.try_remove(kind);
            let (after, accepts) = self.accepts(&left, scratch);
            if after == distance {
                visit(kind, accepts);
            }
        }
        distance
    }

    pub(super) fn missing_from_form(&self, form: usize, holding: &Holding) -> Option<u8> {
        let Apart { rest, any, .. } = self.split(holding);
        let grammar = self.beyond.as_ref().unwrap_or(&self.natural.grammar);
        let form = u8::try_from(form + 1).ok()?;
        let limited = self
            .limited
            .as_ref()
            .map_or(FAR, |limited| limited.missing_with(Some(form), &rest, any));
        let missing = grammar.special.missing(form, &rest);
        let missing = match missing < FAR {
            true => missing.saturating_sub(any).min(limited),
            false => limited,
        };
        (missing < FAR).then_some(missing)
    }

    /// Visits the hand with kinds substituted for its wild tiles, in every way that makes it complete, each once.
    pub(super) fn substitutions(
        &self,
        holding: &Holding,
        visit: &mut dyn FnMut(&Holding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.has_size(holding, 0) {
            return ControlFlow::Continue(());
        }
        with_scratch(|scratch| {
            let (distance, _, apart) = self.distances(holding, scratch);
            if distance < 0 {
                self.substitute(&apart, &mut Chosen::new(), scratch, visit)?;
            }
            let Some(limited) = self.limited.as_ref().filter(|_| !apart.has_scopes()) else {
                return ControlFlow::Continue(());
            };
            let rest = apart.rest;
            let wild = holding.concealed.saturating_minus(&rest.concealed);
            limited.substitutions(&rest, &wild, &mut |concealed| {
                let whole = Holding {
                    concealed: *concealed,
                    ..rest
                };
                match self.natural_distance(&whole, scratch) < 0 {
                    // It was visited above.
                    true => ControlFlow::Continue(()),
                    false => visit(&whole),
                }
            })
        })
    }

    /// Substitutes a kind for each wild tile of a hand that they complete: first for the tiles of smaller scopes, and
    /// lower kinds first. Where tiles of two scopes could be exchanged, that of the smaller scope stands for the lower
    /// kind, so that no hand is visited twice.
    fn substitute(
        &self,
        apart: &Apart,
        chosen: &mut Chosen,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(&Holding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut less = *apart;
        let mut kinds = KindSet::ALL;
        let scope = match self.scopes.as_ref().filter(|_| apart.has_scopes()) {
            Some(scopes) => scopes.spend(&mut less.held),
            None => None,
        };
        if let Some(scope) = scope {
            let copies = self
                .beyond
                .as_ref()
                .unwrap_or(&self.natural.grammar)
                .copies();
            kinds = scope.stands_for;
            chosen.push((kinds, None));
            kinds = kinds.difference(apart.rest.exhausted(copies));
        } else if let Some(any) = apart.any.checked_sub(1) {
            less.any = any;
            chosen.push((kinds, None));
            // Each substituted kind lowers the distance, in any order.
            kinds = self.natural_accepts(&apart.rest, scratch);
        } else {
            return visit(&apart.rest);
        }
        let own = chosen.len() - 1;
        for kind in kinds.iter() {
            let before = chosen[..own]
                .iter()
                .filter(|(scope, _)| scope.contains(kind));
            if before.filter_map(|(_, last)| *last).any(|last| last > kind) {
                continue;
            }
            let more = less.with_beyond(kind);
            // Without this test most kinds of a scope would complete no hand.
            if scope.is_some() && self.distance_without_any(&more, scratch) >= more.any as i8 {
                continue;
            }
            chosen[own].1 = Some(kind);
            self.substitute(&more, chosen, scratch, visit)?;
        }
        chosen.truncate(own);
        ControlFlow::Continue(())
    }

    /// The kinds that a wild tile beside these concealed tiles may stand for, if all of them have the kinds of `whole`.
    pub(super) fn stands_for(&self, concealed: &Counts, wild: Kind, whole: &Counts) -> KindSet {
        let (mut natural, mut any) = (*concealed, 0);
        for kind in self.any.iter() {
            any += natural.get(kind);
            natural.set(kind, 0);
        }
        let Some(scopes) = &self.scopes else {
            return whole.saturating_minus(&natural).kinds();
        };
        let held = scopes.take(&mut natural);
        let put_in = whole.saturating_minus(&natural);
        let scope = scopes.of(wild).and_then(|index| scopes.scopes().get(index));
        let stands_for = scope.map_or(KindSet::ALL, |scope| scope.stands_for);
        let is_possible = |kind: &Kind| {
            let mut others = put_in;
            others.try_remove(*kind) && scopes.can_be(&held, any, &others)
        };
        let kinds = put_in.kinds().intersection(stands_for);
        kinds.iter().filter(is_possible).collect()
    }

    pub(super) fn arrangements(
        &self,
        holding: &Holding,
        visit: &mut dyn FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.substitutions(holding, &mut |whole| {
            self.arrangements_as(holding, whole, &mut *visit)
        })
    }

    /// Visits each way to read a hand with kinds substituted for the wild tiles of another.
    pub(super) fn arrangements_as(
        &self,
        holding: &Holding,
        substituted: &Holding,
        mut visit: &mut dyn FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let in_groups = self.scopes.is_some() && self.split(holding).has_scopes();
        self.natural.arrangements(substituted, |arrangement| {
            match in_groups && arrangement.form > 0 {
                true => ControlFlow::Continue(()),
                false => visit(arrangement),
            }
        })?;
        match self.limited.as_ref().filter(|_| !in_groups) {
            Some(limited) => {
                let rest = self.split(holding).rest;
                limited.complete_with((&rest, substituted), self.any, &mut visit)
            }
            None => ControlFlow::Continue(()),
        }
    }

    pub(super) fn prepare(&self) {
        self.natural.prepare();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::MOST_HELD;
    use crate::decompose::costs::Zeros;
    use crate::decompose::distance::{Lane, lane_costs};
    use crate::decompose::{Grammar, WildCopies};
    use crate::meld::{Family, Group};
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use std::collections::BTreeSet;

    /// A lane without four alike has as many missing tiles with seven copies of each kind as with four. Tests all lanes
    /// of a classical suit and all honours.
    #[test]
    fn a_fifth_copy_matters_only_beside_four_alike() {
        let rules = Rules::by_id("hangzhou").unwrap();
        let four = rules.plan().decomposer.grammar();
        let seven = four.beyond_copies().unwrap();
        let mut lanes = 0;
        for index in [2, 3] {
            let kinds: Vec<Kind> = four
                .copies()
                .kinds()
                .iter()
                .filter(|kind| kind.lane() == index)
                .collect();
            for number in 0..4_u32.pow(kinds.len() as u32) {
                let mut tiles = Counts::EMPTY;
                for (place, &kind) in kinds.iter().enumerate() {
                    tiles.set(kind, (number >> (2 * place) & 3) as u8);
                }
                if tiles.total() > 14 {
                    continue;
                }
                let costs = |grammar: &Grammar| {
                    lane_costs(
                        grammar,
                        &Lane {
                            index,
                            counts: tiles.lane(index),
                            limit: grammar.copies().lane(index),
                            zeros: Zeros::None,
                        },
                    )
                };
                assert_eq!(costs(four), costs(&seven), "{tiles:?}");
                lanes += 1;
            }
        }
        assert!(lanes > 100_000, "{lanes}");
    }

    /// Whatever is declared, the tables agree with a search over a set with seven copies of each kind.
    #[test]
    fn tables_know_the_distance_where_no_kind_is_held_four_times() {
        let mut stream = Stream::new(43, 3);
        let mut scratch = Scratch::new();
        let (mut near, mut melds) = (0, 0);
        for id in ["hangzhou", "malaysian", "sichuan"] {
            let rules = Rules::by_id(id).unwrap();
            let natural = rules.plan().decomposer.natural();
            let beyond = natural.grammar.beyond_copies().unwrap();
            let kinds: Vec<Kind> = natural.grammar.copies().kinds().iter().collect();
            for round in 0..3000 {
                let first = kinds[stream.below(kinds.len() as u32) as usize];
                let width = 3 + round % 6;
                let mut from = kinds.clone();
                from.sort_by_key(|kind| {
                    let is_other = kind.lane() != first.lane();
                    (is_other, kind.place().abs_diff(first.place()))
                });
                let mut pick = |most: usize| from[stream.below(most as u32) as usize];
                let mut rest = Holding::of_tiles(Counts::EMPTY);
                rest.melds = 0;
                while rest.melds < round % 4 {
                    let kind = pick(width);
                    let group = match round % 5 {
                        0 | 1 if rest.declared.get(kind) == 0 => Group::kong(kind),
                        2 | 3 if rest.declared.get(kind) < 2 => Group::pung(kind),
                        _ if kind.lane() < 3 && kind.place() < 7 => {
                            let run =
                                [0, 1, 2].map(|step| Kind::at(kind.lane(), kind.place() + step));
                            if run.iter().any(|&kind| rest.declared.get(kind) > 3) {
                                break;
                            }
                            Group::run(Family::Arith, run)
                        }
                        _ => break,
                    };
                    rest.declare(group, true);
                }
                let tiles = 14 - 3 * rest.melds - stream.below(5) as usize;
                for _ in 0..200 {
                    let kind = from[stream.below(width as u32 + 3) as usize % from.len()];
                    if rest.concealed.total() < tiles
                        && rest.concealed.get(kind) < 3
                        && rest.held(kind) < 4
                    {
                        rest.concealed.try_add(kind);
                    }
                }
                let within = Holding {
                    declared: Counts::EMPTY,
                    ..rest
                };
                let told = natural.distance(&within, &mut scratch);
                let found = Lanes::new(&beyond, None, &rest, &mut scratch).distance();
                assert_eq!(told, found, "{id} {rest:?}");
                near += usize::from(told < natural.distance(&rest, &mut scratch));
                melds += rest.melds;
            }
        }
        assert!(near > 100 && melds > 3000, "{near} {melds}");
    }

    /// Every complete hand that results from substituting kinds for wild tiles, found by trying all.
    fn slowly(
        natural: &Decomposer,
        (wild, most): (KindSet, WildCopies),
        holding: &Holding,
    ) -> BTreeSet<Vec<Kind>> {
        let copies = match most {
            WildCopies::Set => *natural.grammar().copies(),
            WildCopies::Any => natural.grammar().copies().filled(),
        };
        let mut plain = holding.concealed;
        let mut wilds = 0;
        for kind in wild.iter() {
            wilds += plain.get(kind);
            plain.set(kind, 0);
        }
        let mut all = vec![plain];
        for _ in 0..wilds {
            let more = all.iter().flat_map(|counts| {
                let kinds = copies.kinds().iter();
                let kinds = kinds.filter(|kind| counts.get(*kind) < MOST_HELD);
                kinds.map(|kind| counts.with_beyond(kind))
            });
            let unique: BTreeSet<Vec<Kind>> = more.map(|counts| counts.iter().collect()).collect();
            let counted = unique.into_iter().map(|kinds| {
                let mut counts = Counts::EMPTY;
                kinds.into_iter().for_each(|kind| {
                    counts.try_add_beyond(kind);
                });
                counts
            });
            all = counted.collect();
        }
        let whole = |concealed: &Counts| Holding {
            concealed: *concealed,
            ..*holding
        };
        let fits = |counts: &&Counts| {
            let used = |kind: Kind| counts.get(kind) + holding.declared.get(kind);
            copies
                .kinds()
                .iter()
                .all(|kind| used(kind) <= copies.get(kind))
        };
        let complete = all.iter().filter(fits);
        let mut stop = |_: &Arrangement| ControlFlow::Break(());
        let complete = complete.filter(|counts| {
            let is_any = natural.arrangements(&whole(counts), &mut stop);
            is_any.is_break()
        });
        complete.map(|counts| counts.iter().collect()).collect()
    }

    /// Hands of fourteen tiles that are nearly complete, with up to three wild tiles. Some have few kinds and up to two
    /// declared groups.
    fn hand(stream: &mut Stream, copies: &Counts, wild: Kind, few: bool) -> Holding {
        let mut numbers: Vec<Kind> = copies.kinds().iter().collect();
        let mut holding = Holding::of_tiles(Counts::EMPTY);
        holding.melds = 0;
        if few {
            stream.shuffle(&mut numbers);
            let one = numbers[0];
            numbers.retain(|kind| kind.lane() == one.lane());
            numbers.sort_by_key(|kind| kind.place().abs_diff(one.place()));
            numbers.truncate(7);
            let alike: Vec<Kind> = numbers
                .iter()
                .copied()
                .filter(|&kind| kind != wild)
                .collect();
            for &kind in alike.iter().take(stream.below(3) as usize) {
                let group = match stream.below(2) {
                    0 => Group::pung(kind),
                    _ => Group::kong(kind),
                };
                holding.declare(group, true);
            }
        }
        let copies = copies.saturating_minus(&holding.declared);
        let tiles = 14 - 3 * holding.melds;
        let hand = &mut holding.concealed;
        let wilds = stream.below(4) as usize;
        for _ in 0..wilds {
            hand.try_add(wild);
        }
        while hand.total() < tiles {
            let first = numbers[stream.below(numbers.len() as u32) as usize];
            let group = match (stream.below(3), first.suit()) {
                (0, _) | (_, None) if few => [first; 4],
                (0, _) | (_, None) => [first, first, first, wild],
                (_, Some(_)) => {
                    let place = first.place().min(6);
                    let run = [0, 1, 2].map(|step| Kind::at(first.lane(), place + step));
                    [run[0], run[1], run[2], wild]
                }
            };
            for kind in group {
                if hand.total() < tiles && kind != wild && hand.get(kind) < copies.get(kind) {
                    hand.try_add(kind);
                }
            }
        }
        holding
    }

    /// Substitutions, completeness, waits, distance, accepted tiles and discards agree with trying all kinds.
    #[test]
    fn wild_tiles_are_what_trying_all_kinds_tells() {
        let mut seen = [0; 5];
        for (id, wild, most) in [
            ("hong-kong-old-style", Kind::WHITE, WildCopies::Set),
            ("riichi-mcgill", Kind::EAST, WildCopies::Set),
            ("mcr", Kind::at(1, 4), WildCopies::Set),
            ("malaysian", Kind::JOKER, WildCopies::Set),
            ("hangzhou", Kind::WHITE, WildCopies::Any),
            ("riichi-mcgill", Kind::EAST, WildCopies::Any),
            ("mcr", Kind::at(1, 4), WildCopies::Any),
            ("malaysian", Kind::JOKER, WildCopies::Any),
        ] {
            let rules = Rules::by_id(id).unwrap();
            let (kinds, id) = (KindSet::one(wild), format!("{id} {most:?}"));
            let decomposer = rules.plan().decomposer().clone().with_wild(kinds, most);
            let kinds = (kinds, most);
            let natural = decomposer.natural();
            let copies = *decomposer.grammar().copies();
            let mut stream = Stream::new(26, wild.index() as u64);
            let mut scratch = Scratch::new();
            for round in 0..25 {
                let whole = hand(&mut stream, &copies, wild, round % 2 == 1);
                let mut found = BTreeSet::new();
                let _ = decomposer.substitutions(&whole, |one| {
                    let kinds: Vec<Kind> = one.concealed.iter().collect();
                    seen[4] += usize::from(one.concealed.goes_beyond());
                    assert!(found.insert(kinds), "a substitution comes twice");
                    ControlFlow::Continue(())
                });
                assert_eq!(found, slowly(natural, kinds, &whole), "{id} {whole:?}");
                assert_eq!(decomposer.is_complete(&whole), !found.is_empty());
                seen[0] += found.len();
                // One tile less: the waits.
                let held: Vec<Kind> = whole.concealed.kinds().iter().collect();
                let lost = held[stream.below(4) as usize % held.len()];
                let mut rest = whole;
                rest.concealed.try_remove(lost);
                let left = |kind: &Kind| rest.held(*kind) < copies.get(*kind);
                let completes = |kind: &Kind| {
                    let more = rest.with(*kind).unwrap();
                    !slowly(natural, kinds, &more).is_empty()
                };
                let waits: KindSet = copies
                    .kinds()
                    .iter()
                    .filter(left)
                    .filter(completes)
                    .collect();
                assert_eq!(decomposer.waits(&rest), waits, "{id} {rest:?}");
                assert_eq!(decomposer.is_ready(&rest), !waits.is_empty());
                let (distance, accepts) = decomposer.accepts(&rest, &mut scratch);
                assert_eq!(distance == 0, !waits.is_empty());
                assert_eq!(decomposer.distance(&rest, &mut scratch), distance);
                seen[1] += waits.len();
                // Accepted tiles are those that lower the distance.
                let lowers = |kind: &Kind| {
                    let more = rest.with(*kind).unwrap();
                    decomposer.distance(&more, &mut Scratch::new()) < distance
                };
                let lower: KindSet = copies.kinds().iter().filter(left).filter(lowers).collect();
                assert_eq!(accepts, lower, "{id} {rest:?}");
                seen[2] += accepts.len();
                let mut kept = Vec::new();
                let before = decomposer.discards(&whole, &mut scratch, |kind, accepts| {
                    kept.push((kind, accepts));
                });
                assert_eq!(before, decomposer.distance(&whole, &mut scratch));
                let mut expected = Vec::new();
                for kind in whole.concealed.kinds().iter().filter(|_| before >= 0) {
                    let mut after = whole;
                    after.concealed.try_remove(kind);
                    let (distance, accepts) = decomposer.accepts(&after, &mut scratch);
                    if distance == before {
                        expected.push((kind, accepts));
                    }
                }
                assert_eq!(kept, expected);
                seen[3] += kept.len();
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
