//! Slow, obvious definitions with which the tests compare the fast code.

use super::{
    AlikeMelds, Decomposer, FormItem, FormRank, FormSuit, FormTiles, Grammar, Holding, Scratch,
    SpecialForm, WildCopies,
};
use crate::counts::Counts;
use crate::meld::{Family, Group};
use crate::ruleset::Rules;
use crate::set::KindSet;
use crate::tile::{Kind, Suit};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Every group of the grammar, in all suits.
fn all_groups(grammar: &Grammar) -> Vec<Group> {
    let mut groups = Vec::new();
    if grammar.has_pung() {
        groups.extend(Kind::all().map(Group::pung));
    }
    for suit in Suit::ALL {
        groups.extend(grammar.shapes().map(|(_, shape)| shape.group(suit)));
    }
    groups
}

fn minus(counts: &Counts, group: Group) -> Option<Counts> {
    let mut rest = *counts;
    group
        .tiles()
        .all(|kind| rest.try_remove(kind))
        .then_some(rest)
}

/// A group by its family and its tiles.
fn name(group: &Group) -> String {
    format!("{} {group}", group.family().word())
}

/// All arrangements: takes any pair, then any groups, and keeps each multiset once.
fn arrangements(grammar: &Grammar, hand: &Counts, melds: usize) -> BTreeSet<Vec<String>> {
    fn go(
        groups: &[Group],
        left: usize,
        rest: &Counts,
        found: &mut Vec<Group>,
        out: &mut BTreeSet<Vec<String>>,
    ) {
        if left == 0 {
            if rest.is_empty() {
                let mut names: Vec<String> = found.iter().map(name).collect();
                names.sort();
                out.insert(names);
            }
            return;
        }
        for (i, &group) in groups.iter().enumerate() {
            if let Some(rest) = minus(rest, group) {
                found.push(group);
                go(&groups[i..], left - 1, &rest, found, out);
                found.pop();
            }
        }
    }
    let mut out = BTreeSet::new();
    let groups = all_groups(grammar);
    if hand.total() == 3 * (grammar.groups() - melds) + 2 {
        for kind in hand.at_least(2).iter() {
            if let Some(rest) = minus(hand, Group::pair(kind)) {
                go(
                    &groups,
                    grammar.groups() - melds,
                    &rest,
                    &mut vec![Group::pair(kind)],
                    &mut out,
                );
            }
        }
    }
    out
}

/// The tiles missing from the nearest target. Tries every target of groups and a pair, and the forms.
fn missing(grammar: &Grammar, holding: &Holding) -> u8 {
    missing_with(grammar, holding, 0)
}

/// [`missing`] if a target may use `extra` copies more than the set has, of any kinds.
fn missing_with(grammar: &Grammar, holding: &Holding, extra: u8) -> u8 {
    fn go(
        groups: &[Group],
        left: usize,
        target: &Counts,
        holding: &Holding,
        (copies, extra): (&Counts, u8),
        least: &mut u8,
    ) {
        let fits = |target: &Counts| {
            target
                .try_plus_beyond(&holding.declared)
                .is_some_and(|all| {
                    let over = |kind: Kind| match copies.get(kind) {
                        0 => extra + 1,
                        copies => all.get(kind).saturating_sub(copies),
                    };
                    all.kinds().iter().map(over).sum::<u8>() <= extra
                })
        };
        let lack = |target: &Counts| target.saturating_minus(&holding.concealed).total() as u8;
        if lack(target) >= *least {
            return;
        }
        if left == 0 {
            for kind in copies.kinds().iter() {
                if let Some(whole) = target.try_plus_beyond(&Group::pair(kind).counts())
                    && fits(&whole)
                {
                    *least = (*least).min(lack(&whole));
                }
            }
            return;
        }
        for (i, group) in groups.iter().enumerate() {
            if let Some(more) = target.try_plus_beyond(&group.counts())
                && fits(&more)
            {
                go(
                    &groups[i..],
                    left - 1,
                    &more,
                    holding,
                    (copies, extra),
                    least,
                );
            }
        }
    }
    let mut least = 3 * grammar.groups() as u8 + 3;
    let need = grammar.groups() - holding.melds;
    go(
        &all_groups(grammar),
        need,
        &Counts::EMPTY,
        holding,
        (grammar.copies(), extra),
        &mut least,
    );
    for form in grammar.forms() {
        least = least.min(special(grammar, form, holding, extra));
    }
    least
}

/// [`missing`] of groups and a pair, for grammars with too many groups to try every target. It tries the
/// groups in the order of their own missing tiles. It abandons a target that cannot beat the best: each
/// further group has at least as many missing tiles as the last one.
fn missing_bounded(grammar: &Grammar, holding: &Holding) -> u8 {
    struct Search<'a> {
        groups: &'a [(u8, Counts)],
        kinds: Vec<Kind>,
        holding: &'a Holding,
        limits: Counts,
        least: u8,
    }
    impl Search<'_> {
        fn lacks(&self, target: &Counts) -> u8 {
            target.saturating_minus(&self.holding.concealed).total() as u8
        }
        fn fits(&self, target: &Counts) -> bool {
            target
                .kinds()
                .iter()
                .all(|kind| target.get(kind) <= self.limits.get(kind))
        }
        fn go(&mut self, from: usize, left: usize, target: &Counts) {
            if self.lacks(target) >= self.least {
                return;
            }
            if left == 0 {
                for &kind in &self.kinds {
                    let whole = target.try_plus(&Group::pair(kind).counts());
                    if let Some(whole) = whole.filter(|whole| self.fits(whole)) {
                        self.least = self.least.min(self.lacks(&whole));
                    }
                }
                return;
            }
            for i in from..self.groups.len() {
                let (lacks, group) = self.groups[i];
                if self.lacks(target) + lacks * left as u8 >= self.least {
                    return;
                }
                let more = target.try_plus(&group);
                if let Some(more) = more.filter(|more| self.fits(more)) {
                    self.go(i, left - 1, &more);
                }
            }
        }
    }
    let limits = grammar.copies().saturating_minus(&holding.declared);
    let lacks = |counts: &Counts| counts.saturating_minus(&holding.concealed).total() as u8;
    let mut groups: Vec<(u8, Counts)> = all_groups(grammar)
        .into_iter()
        .map(|group| (lacks(&group.counts()), group.counts()))
        .collect();
    groups.sort_by_key(|(lacks, _)| *lacks);
    let mut search = Search {
        groups: &groups,
        kinds: limits.at_least(2).iter().collect(),
        holding,
        limits,
        least: 3 * grammar.groups() as u8 + 3,
    };
    search.go(0, grammar.groups() - holding.melds, &Counts::EMPTY);
    search.least
}

/// The grammar of `rulesets/uzje.toml`: 42 kinds with every meld and form.
fn uzje() -> Grammar {
    let rules = Rules::by_id("uzje").unwrap();
    crate::Ruleset::plan(&rules).decomposer.grammar().clone()
}

/// A hand of Ùzje tiles. By mode: any tiles, few kinds, one suit, three or four zeros, orphans, a long
/// straight.
fn uzje_hand(
    grammar: &Grammar,
    mode: u8,
    len: usize,
    stream: &mut crate::random::Stream,
) -> Counts {
    let mut pool: Vec<Kind> = grammar.copies().iter().collect();
    stream.shuffle(&mut pool);
    let (a, b) = (pool[0], pool[1]);
    let is_orphan =
        |kind: &Kind| kind.is_honour() || kind.rank().is_some_and(|r| r.get() % 15 == 1);
    let one_suit = |kind: &Kind| kind.suit() == Some(Suit::Characters);
    let few = |kind: &Kind| {
        kind.lane() == a.lane() || kind.lane() == b.lane() && kind.place() % 3 == a.place() % 3
    };
    let zeros = if mode == 3 {
        3 + stream.below(2) as usize
    } else {
        0
    };
    pool.sort_by_key(|kind| match mode {
        1 => !few(kind),
        2 => !one_suit(kind),
        4 => !is_orphan(kind),
        _ => false,
    });
    if mode == 5 {
        // One of each rank first.
        let mut seen = KindSet::EMPTY;
        pool.sort_by_key(|kind| {
            let again = seen.contains(*kind);
            seen.insert(*kind);
            (!one_suit(kind), again)
        });
    }
    let mut hand = Counts::EMPTY;
    hand.set(Kind::ZERO, zeros as u8);
    for kind in pool
        .into_iter()
        .filter(|&kind| zeros == 0 || kind != Kind::ZERO)
    {
        if hand.total() < len {
            hand.try_add(kind);
        }
    }
    hand
}

/// Declares some groups, mostly ranks in a row, and removes as many concealed tiles.
fn declare_some(grammar: &Grammar, holding: &mut Holding, stream: &mut crate::random::Stream) {
    let all = all_groups(grammar);
    let rows: Vec<Group> = all
        .iter()
        .copied()
        .filter(|group| group.is_consecutive())
        .collect();
    for _ in 0..=stream.below(3) {
        let from = if stream.below(4) == 0 { &all } else { &rows };
        let group = from[stream.below(from.len() as u32) as usize];
        let mut after = *holding;
        after.declare(group, stream.below(5) > 0);
        let mut gone = 0;
        // Removes the kinds of the group first, because no kind may occur more than four times.
        let held: Vec<Kind> = group.tiles().chain(holding.concealed.iter()).collect();
        for kind in held {
            if gone < 3 && after.concealed.try_remove(kind) {
                gone += 1;
            }
        }
        let fits = after
            .declared
            .try_plus(&after.concealed)
            .is_some_and(|sum| {
                let mut kinds = sum.kinds().iter();
                kinds.all(|kind| sum.get(kind) <= grammar.copies().get(kind))
            });
        if fits && gone == 3 && group.tiles().all(|kind| grammar.copies().get(kind) > 0) {
            *holding = after;
        }
    }
}

fn check_uzje(hands: u64, seed: u64) {
    let grammar = uzje();
    let decomposer = Decomposer::new(grammar.clone());
    let mut scratch = Scratch::new();
    let mut stream = crate::random::Stream::new(seed, 3);
    for i in 0..hands {
        // Four hands in ten are of arbitrary tiles. The slow definition takes longest for those.
        let mode = [0, 0, 0, 1, 2, 3, 3, 4, 5, 0][i as usize % 10];
        let len = 13 + stream.below(2) as usize;
        let mut holding = Holding::of_tiles(uzje_hand(&grammar, mode, len, &mut stream));
        if i % 4 == 3 {
            declare_some(&grammar, &mut holding, &mut stream);
        }
        let mut want = missing_bounded(&grammar, &holding);
        for form in grammar.forms() {
            want = want.min(special(&grammar, form, &holding, 0));
        }
        let distance = decomposer.distance(&holding, &mut scratch);
        assert_eq!(distance, want as i8 - 1, "{holding:?}");
    }
}

#[test]
fn distance_of_uzje_hands() {
    check_uzje(if cfg!(debug_assertions) { 60 } else { 600 }, 1);
}

/// Run once for a release: `cargo test --release --lib -- --ignored hundred_thousand`.
#[test]
#[ignore = "takes long: cargo test --release --lib -- --ignored hundred_thousand"]
fn distance_of_a_hundred_thousand_uzje_hands() {
    std::thread::scope(|threads| {
        for half in 0..2 {
            threads.spawn(move || check_uzje(50_000, 100 + half));
        }
    });
}

/// What letters of a form stand for: ranks from 1 to 16, and lanes.
type Letters = Vec<(char, u8)>;

/// Every way to put ranks and suits in for the letters of some items. Different letters of suits are different suits.
fn all_letters(items: &[FormItem]) -> Vec<Letters> {
    let mut all: Vec<Letters> = vec![Vec::new()];
    let mut add = |letter: char, values: std::ops::Range<u8>, differ: bool, suits: &[char]| {
        if all[0].iter().any(|(known, _)| *known == letter) {
            return;
        }
        let longer = all.iter().flat_map(|letters| {
            let is_free = |value: &u8| {
                let mut others = letters.iter().filter(|(other, _)| suits.contains(other));
                !differ || others.all(|(_, taken)| taken != value)
            };
            let with = |value| letters.iter().copied().chain([(letter, value)]).collect();
            values.clone().filter(is_free).map(with).collect::<Vec<_>>()
        });
        all = longer.collect();
    };
    let mut suits = Vec::new();
    for tiles in items.iter().flat_map(tiles_of) {
        let (ranks, suit) = match tiles {
            FormTiles::Ranks { ranks, suit } => (&ranks[..], suit),
            FormTiles::Honour { suit, .. } => (&[][..], suit),
            FormTiles::Listed(_) => continue,
        };
        for letter in ranks.iter().filter_map(|rank| rank.letter) {
            add(letter, 1..17, false, &[]);
        }
        if let FormSuit::Letter(letter) = suit {
            add(*letter, 0..3, true, &suits);
            suits.push(*letter);
        }
    }
    all
}

fn tiles_of(item: &FormItem) -> Vec<&FormTiles> {
    match item {
        FormItem::Each(tiles) => vec![tiles],
        FormItem::Alike { kinds, .. } => kinds.iter().collect(),
        FormItem::Groups(_) | FormItem::Wild(_) => Vec::new(),
    }
}

/// The tiles of an item with its letters put in; `None` if it has a rank that does not exist.
fn put_in(tiles: &FormTiles, letters: &Letters) -> Option<Counts> {
    let of = |letter| {
        letters
            .iter()
            .find(|(known, _)| *known == letter)
            .unwrap()
            .1
    };
    let lane = |suit: &FormSuit| match suit {
        FormSuit::Fixed(suit) => suit.lane(),
        FormSuit::Letter(letter) => usize::from(of(*letter)),
    };
    let (ranks, suit) = match tiles {
        FormTiles::Listed(tiles) => return Some(*tiles),
        FormTiles::Ranks { ranks, suit } => (ranks, suit),
        FormTiles::Honour { honours, suit } => {
            let mut tiles = Counts::EMPTY;
            tiles.set(honours[lane(suit)]?, 1);
            return Some(tiles);
        }
    };
    let lane = lane(suit);
    let mut tiles = Counts::EMPTY;
    for rank in ranks {
        let rank = rank.letter.map_or(0, of) as i8 + rank.plus;
        let rank = crate::tile::Rank::new(u8::try_from(rank).ok()?)?;
        tiles.try_add(Kind::number(Suit::ALL[lane], rank));
    }
    Some(tiles)
}

/// The tiles missing from a special form, if a target may use `extra` copies more than the set has. Tries every target.
fn special(grammar: &Grammar, form: &SpecialForm, holding: &Holding, extra: u8) -> u8 {
    struct Search<'a> {
        grammar: &'a Grammar,
        holding: &'a Holding,
        groups: Vec<Group>,
        extra: u8,
        letters: Letters,
        least: u8,
        /// The form has one item, and all kinds have the same number of copies.
        is_alone: bool,
    }
    impl Search<'_> {
        fn lacks(&self, target: &Counts) -> u8 {
            target.saturating_minus(&self.holding.concealed).total() as u8
        }

        /// Adds what the first of these items has, from the kind or group with number `from` on, `left` times.
        fn go(&mut self, items: &[FormItem], from: usize, left: Option<u8>, target: &Counts) {
            let all = target.try_plus_beyond(&self.holding.declared);
            let over = |all: &Counts| -> u8 {
                let copies = self.grammar.copies();
                let over = |kind: Kind| match copies.get(kind) {
                    0 => self.extra + 1,
                    copies => all.get(kind).saturating_sub(copies),
                };
                all.kinds().iter().map(over).sum()
            };
            if self.lacks(target) >= self.least || all.is_none_or(|all| over(&all) > self.extra) {
                return;
            }
            let Some((first, others)) = items.split_first() else {
                self.least = self.lacks(target);
                return;
            };
            let add = |more: Counts| target.try_plus_beyond(&more);
            match first {
                FormItem::Each(tiles) => {
                    let more = put_in(tiles, &self.letters).and_then(add);
                    if let Some(more) = more {
                        self.go(others, 0, None, &more);
                    }
                }
                // Nothing is wild here.
                FormItem::Wild(_) => {}
                FormItem::Groups(count) => match left.unwrap_or(*count) {
                    0 => self.go(others, 0, None, target),
                    left => {
                        for i in from..self.groups.len() {
                            if let Some(more) = add(self.groups[i].counts()) {
                                self.go(items, i, Some(left - 1), &more);
                            }
                        }
                    }
                },
                FormItem::Alike {
                    size,
                    count,
                    kinds,
                    distinct,
                } => match left.unwrap_or(*count) {
                    0 => self.go(others, 0, None, target),
                    left => {
                        let kinds = kinds
                            .iter()
                            .filter_map(|tiles| put_in(tiles, &self.letters));
                        let kinds = kinds.fold(KindSet::EMPTY, |all, one| all.union(one.kinds()));
                        let copies = self.grammar.copies();
                        let has = |kind: &Kind| self.extra > 0 || copies.get(*kind) >= *size;
                        let kinds: Vec<Kind> = kinds
                            .intersection(copies.kinds())
                            .iter()
                            .filter(has)
                            .collect();
                        // Held kinds come first, so that the bound cuts early.
                        let held = |kind: &Kind| self.holding.concealed.get(*kind) > 0;
                        let (mut first, mut rest): (Vec<Kind>, Vec<Kind>) =
                            kinds.into_iter().partition(held);
                        first.sort_by_key(|&kind| {
                            std::cmp::Reverse(self.holding.concealed.get(kind))
                        });
                        if self.is_alone {
                            // Kinds that are not held are all alike.
                            rest.truncate(usize::from(*count));
                        }
                        first.extend(rest);
                        for (i, &kind) in first.iter().enumerate().skip(from) {
                            let mut more = Counts::EMPTY;
                            (0..*size).for_each(|_| {
                                more.try_add_beyond(kind);
                            });
                            if let Some(more) = add(more) {
                                let from = i + usize::from(*distinct);
                                self.go(items, from, Some(left - 1), &more);
                            }
                        }
                    }
                },
            }
        }
    }
    let mut least = 15;
    for items in &form.ways {
        for letters in all_letters(items) {
            let (mut items, mut of) = (items.clone(), *holding);
            if holding.melds > 0 {
                let Some((left, rest)) = without_melds(form, &items, &letters, holding) else {
                    continue;
                };
                (items, of) = (left, rest);
            }
            let mut search = Search {
                grammar,
                holding: &of,
                groups: all_groups(grammar),
                extra,
                letters,
                least,
                is_alone: items.len() == 1 && grammar.has_four_of_each,
            };
            search.go(&items, 0, None, &Counts::EMPTY);
            least = search.least;
        }
    }
    least
}

/// The items that a hand with declared melds must still have, and the hand to compare them with. `None` if the melds
/// cannot be part of the form.
fn without_melds(
    form: &SpecialForm,
    items: &[FormItem],
    letters: &Letters,
    holding: &Holding,
) -> Option<(Vec<FormItem>, Holding)> {
    if form.concealed {
        return None;
    }
    let mut left = items.to_vec();
    let groups = left.iter_mut().find_map(|item| match item {
        FormItem::Groups(count) => Some(count),
        _ => None,
    });
    if let Some(groups) = groups {
        *groups = groups.checked_sub(u8::try_from(holding.melds).ok()?)?;
        return Some((left, *holding));
    }
    if holding.declared.total() < 3 * holding.melds {
        return None;
    }
    if let [FormItem::Alike { count, kinds, .. }] = &mut left[..] {
        let named = kinds.iter().filter_map(|tiles| put_in(tiles, letters));
        let named = named.fold(KindSet::EMPTY, |all, one| all.union(one.kinds()));
        let fits = holding.declared.kinds().is_subset(named);
        *count = count
            .checked_sub(3 * u8::try_from(holding.melds).ok()?)
            .filter(|_| fits)?;
        return Some((left, *holding));
    }
    // The hand is compared with all tiles of the form, declared ones among them.
    let whole = Holding {
        concealed: holding.concealed.try_plus_beyond(&holding.declared)?,
        declared: Counts::EMPTY,
        ..*holding
    };
    let is_named = |kind: Kind| {
        let each = items.iter().any(|item| match item {
            FormItem::Each(tiles) => {
                put_in(tiles, letters).is_some_and(|tiles| tiles.get(kind) == 1)
            }
            _ => false,
        });
        match holding.consecutive {
            true => each && holding.declared.get(kind) == 1,
            false => items.iter().any(|item| match item {
                FormItem::Alike { size, kinds, .. } => {
                    let is_kind = |tiles: &FormTiles| {
                        put_in(tiles, letters).is_some_and(|tiles| tiles.get(kind) > 0)
                    };
                    *size == holding.declared.get(kind) && kinds.iter().any(is_kind)
                }
                _ => false,
            }),
        }
    };
    holding
        .declared
        .kinds()
        .iter()
        .all(is_named)
        .then_some((left, whole))
}

fn chow_runs() -> Vec<(Family, [u8; 3])> {
    (1..=7)
        .map(|r| (Family::Arith, [r, r + 1, r + 2]))
        .collect()
}

/// True for numbers up to 9, winds and dragons.
fn is_classical(kind: Kind) -> bool {
    match kind.rank() {
        Some(rank) => rank.get() <= 9,
        None => "ESWNCFP".contains(&kind.to_string()),
    }
}

/// A classical grammar: 34 kinds, chows and pungs.
fn classical(forms: Vec<SpecialForm>) -> Grammar {
    let mut copies = Counts::EMPTY;
    for kind in Kind::all().filter(|&kind| is_classical(kind)) {
        copies.set(kind, 4);
    }
    Grammar::new(copies, 4, &chow_runs(), true, true, forms).unwrap()
}

fn orphans() -> SpecialForm {
    let mut tiles = Counts::EMPTY;
    for tile in crate::Notation::Ujmj.parse("19t19s19mESWNCFP").unwrap() {
        tiles.try_add(tile.kind().unwrap());
    }
    let twice = FormItem::Alike {
        size: 1,
        count: 1,
        kinds: vec![FormTiles::Listed(tiles)],
        distinct: false,
    };
    SpecialForm::new(vec![vec![FormItem::each(tiles), twice]], true)
}

/// Seven pairs.
fn pairs(distinct: bool) -> SpecialForm {
    SpecialForm::new(vec![vec![FormItem::pairs(7, KindSet::ALL, distinct)]], true)
}

/// Ranks of the suit that a letter stands for.
fn ranks(ranks: &[i8], suit: char) -> FormTiles {
    let rank = |&plus: &i8| FormRank { letter: None, plus };
    FormTiles::Ranks {
        ranks: ranks.iter().map(rank).collect(),
        suit: FormSuit::Letter(suit),
    }
}

/// A classical grammar with the forms of knitted tiles: 147, 258 and 369 in three suits.
fn knitted() -> Grammar {
    let knitted = [("a", [1, 4, 7]), ("b", [2, 5, 8]), ("c", [3, 6, 9])];
    let knitted = knitted.map(|(suit, of)| ranks(&of, suit.chars().next().unwrap()));
    let one_of = |size, count, kinds, distinct| FormItem::Alike {
        size,
        count,
        kinds,
        distinct,
    };
    let honours = FormTiles::of_kinds(orphans_of(3));
    let any = FormTiles::of_kinds(KindSet::ALL);
    let mut beside: Vec<FormItem> = knitted.iter().cloned().map(FormItem::Each).collect();
    beside.extend([FormItem::Groups(1), one_of(2, 1, vec![any], false)]);
    let different = knitted.into_iter().chain([honours]).collect();
    classical(vec![
        pairs(false),
        SpecialForm::new(vec![beside], false),
        orphans(),
        SpecialForm::new(vec![vec![one_of(1, 14, different, true)]], true),
    ])
}

/// The orphans of a lane.
fn orphans_of(lane: usize) -> KindSet {
    let FormItem::Each(FormTiles::Listed(tiles)) = &orphans().ways[0][0] else {
        unreachable!("orphans are listed");
    };
    tiles.kinds().intersection(KindSet::of_lane(lane))
}

/// Hands near such forms: tiles of a list, a group, others. Some have a declared group.
#[test]
fn distance_of_knitted_hands() {
    let grammar = knitted();
    let decomposer = Decomposer::new(grammar.clone());
    let mut groups = all_groups(&grammar);
    groups.retain(|group| group.kind_set().is_subset(grammar.copies().kinds()));
    let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
    let mut stream = crate::random::Stream::new(4, 11);
    let (mut ready, mut complete) = ([0; 2], [0; 2]);
    for round in 0..if cfg!(debug_assertions) { 4 } else { 40 } {
        let mut pick = |most: usize| stream.below(most as u32) as usize;
        let forms = grammar.forms();
        let with_groups = round % 2 == 0;
        let items = &forms[if with_groups { 1 } else { 3 }].ways[0];
        let letters = &all_letters(items)[pick(6)];
        let named = items.iter().take(3).flat_map(tiles_of);
        let named = named.filter_map(|tiles| put_in(tiles, letters));
        let mut tiles: Vec<Kind> = named
            .flat_map(|tiles| tiles.iter().collect::<Vec<_>>())
            .collect();
        let mut declared = Counts::EMPTY;
        if with_groups {
            let group = groups[pick(groups.len())];
            match pick(3) {
                0 => declared = group.counts(),
                _ => tiles.extend(group.tiles()),
            }
            tiles.extend([kinds[pick(kinds.len())]; 2]);
        }
        let melds = usize::from(!declared.is_empty());
        let size = 13 - 3 * melds + pick(2);
        for _ in 0..pick(4) {
            tiles.swap_remove(pick(tiles.len()));
        }
        let mut concealed = Counts::EMPTY;
        let fits = |concealed: &Counts, kind: Kind| {
            let copies = grammar.copies().get(kind);
            concealed.total() < size && concealed.get(kind) + declared.get(kind) < copies
        };
        while concealed.total() < size {
            let kind = match tiles.is_empty() {
                true => kinds[pick(kinds.len())],
                false => tiles.swap_remove(pick(tiles.len())),
            };
            if fits(&concealed, kind) {
                concealed.try_add(kind);
            }
        }
        let holding = Holding {
            concealed,
            declared,
            melds,
            consecutive: melds == 0,
            alike: AlikeMelds::default(),
        };
        check_distance(&grammar, &holding);
        let is_complete = missing(&grammar, &holding) == 0;
        assert_eq!(decomposer.is_complete(&holding), is_complete, "{holding:?}");
        complete[round % 2] += usize::from(is_complete);
        if size + 3 * melds == 13 {
            let waits: KindSet = kinds
                .iter()
                .copied()
                .filter(|&kind| {
                    let more = holding
                        .with(kind)
                        .filter(|_| !holding.is_exhausted(kind, grammar.copies()));
                    more.is_some_and(|more| missing(&grammar, &more) == 0)
                })
                .collect();
            let left = grammar
                .copies()
                .kinds()
                .difference(holding.exhausted(grammar.copies()));
            assert_eq!(
                decomposer.waits(&holding).intersection(left),
                waits,
                "{holding:?}"
            );
            assert_eq!(
                decomposer.is_ready(&holding),
                !waits.is_empty(),
                "{holding:?}"
            );
            ready[round % 2] += usize::from(!waits.is_empty());
        }
        let mut scratch = Scratch::new();
        assert_eq!(
            decomposer.all_discards(&holding, &mut scratch),
            decomposer.all_discards_slowly(&holding, &mut scratch),
            "{holding:?}"
        );
    }
    let counts = [ready, complete].concat();
    let found = cfg!(debug_assertions) || counts.iter().all(|&count| count > 0);
    assert!(found, "{counts:?}");
}

/// Each way to read a hand of such a form is visited once.
#[test]
fn arrangements_of_knitted_hands() {
    let grammar = knitted();
    let decomposer = Decomposer::new(grammar);
    for (text, melds, want) in [
        ("147t258s369mEEE22t", 0, vec!["2: EEE 22t"]),
        ("147t258s369m11t", 1, vec!["2: 11t"]),
        ("11112347t258s369m", 0, vec!["2: 123t 11t"]),
        ("147t258s369mESWNC", 0, vec!["4:"]),
        ("124t28s36mESWNCFP", 0, vec![]),
        ("14t258s36mESWNCFP", 0, vec!["4:"]),
        ("147t258s369mESWNN", 0, vec![]),
    ] {
        let mut tiles = Counts::EMPTY;
        for tile in crate::Notation::Ujmj.parse(text).unwrap() {
            tiles.try_add(tile.kind().unwrap());
        }
        let holding = Holding {
            melds,
            consecutive: melds == 0,
            alike: AlikeMelds::default(),
            ..Holding::of_tiles(tiles)
        };
        let mut found = Vec::new();
        let _ = decomposer.arrangements(&holding, |arrangement| {
            let groups: Vec<String> = arrangement
                .groups
                .iter()
                .map(|&group| crate::Notation::Ujmj.print_group(group))
                .collect();
            found.push(
                format!("{}: {}", arrangement.form, groups.join(" "))
                    .trim_end()
                    .to_owned(),
            );
            ControlFlow::Continue(())
        });
        assert_eq!(found, want, "{text}");
    }
}

/// A cut-down Ùzje grammar, small enough for the slow definition. It has two suits with ranks up to `top`,
/// ariths of every step, gems, powers, and a zero. Some ranks are a run of two families.
fn wide(top: u8) -> Grammar {
    let mut copies = Counts::EMPTY;
    for kind in Kind::all() {
        let in_play = match (kind.suit(), kind.rank()) {
            (Some(Suit::Characters), _) => false,
            (Some(_), Some(rank)) => rank.get() <= top,
            _ => [Kind::ZERO, Kind::EAST, Kind::RED].contains(&kind),
        };
        copies.set(kind, if in_play { 4 } else { 0 });
    }
    let mut runs = Vec::new();
    for a in 0..=16u8 {
        for d in 1..=8 {
            if a + 2 * d <= top {
                runs.push((Family::Arith, [a, a + d, a + 2 * d]));
            }
        }
    }
    for ranks in [[1, 2, 3], [1, 2, 4], [2, 4, 8], [4, 8, 16], [1, 3, 9]] {
        runs.push((Family::Gem, ranks));
    }
    for ranks in [[0, 1, 2], [0, 1, 4], [1, 4, 9], [4, 9, 16], [0, 1, 8]] {
        runs.push((Family::Power, ranks));
    }
    Grammar::new(copies, 4, &runs, true, true, Vec::new()).unwrap()
}

/// A set so small that groups run out: one suit of nine ranks, some with two copies.
fn cramped() -> Grammar {
    let mut copies = Counts::EMPTY;
    for kind in Kind::all() {
        match (kind.suit(), kind.rank()) {
            (Some(Suit::Circles), Some(rank)) if rank.get() <= 9 => {
                copies.set(kind, if rank.get() % 3 == 0 { 2 } else { 4 });
            }
            _ => {}
        }
    }
    Grammar::new(copies, 4, &chow_runs(), true, true, Vec::new()).unwrap()
}

/// Draws `len` tiles of a set, by the numbers in `picks`. It takes kinds that are `wanted` as long as there
/// are any.
fn draw(copies: &Counts, len: usize, picks: &[u32], wanted: impl Fn(Kind) -> bool) -> Counts {
    let mut pool: Vec<Kind> = copies.iter().collect();
    pool.sort_by_key(|&kind| !wanted(kind));
    let mut first = pool.iter().filter(|&&kind| wanted(kind)).count();
    let mut hand = Counts::EMPTY;
    for &pick in picks.iter().take(len) {
        let bound = if first > 0 { first } else { pool.len() };
        let kind = pool.remove(pick as usize % bound);
        first = first.saturating_sub(1);
        hand.try_add(kind);
    }
    hand
}

fn check_distance(grammar: &Grammar, holding: &Holding) {
    let decomposer = Decomposer::new(grammar.clone());
    let mut scratch = Scratch::new();
    let slow = missing(grammar, holding) as i8 - 1;
    let (distance, accepts) = decomposer.accepts(holding, &mut scratch);
    if slow == 14 {
        assert_eq!(distance, Decomposer::UNREACHABLE, "{holding:?}");
        return;
    }
    assert_eq!(distance, slow, "{holding:?}");
    if distance >= 0 {
        let mut want = KindSet::EMPTY;
        for kind in grammar.copies().kinds().iter() {
            if holding.is_exhausted(kind, grammar.copies()) {
                continue;
            }
            let concealed = holding.concealed.with(kind).unwrap();
            let more = Holding {
                concealed,
                ..*holding
            };
            if (missing(grammar, &more) as i8 - 1) < distance {
                want.insert(kind);
            }
        }
        assert_eq!(accepts, want, "{holding:?}");
    }
}

fn check_arrangements(grammar: &Grammar, hand: &Counts, melds: usize) {
    let decomposer = Decomposer::new(grammar.clone());
    let mut seen = Vec::new();
    let holding = Holding {
        concealed: *hand,
        declared: Counts::EMPTY,
        melds,
        consecutive: melds == 0,
        alike: AlikeMelds::default(),
    };
    let _ = decomposer.arrangements(&holding, |arrangement| {
        if arrangement.form == 0 {
            let mut names: Vec<String> = arrangement.groups.iter().map(name).collect();
            names.sort();
            seen.push(names);
        }
        ControlFlow::Continue(())
    });
    let count = seen.len();
    let seen: BTreeSet<_> = seen.into_iter().collect();
    assert_eq!(seen.len(), count, "an arrangement came twice: {hand:?}");
    assert_eq!(seen, arrangements(grammar, hand, melds), "{hand:?}");
}

/// A complete hand: groups and a pair by the numbers in `picks`. `None` if the set lacks the copies.
fn complete_hand(grammar: &Grammar, groups: usize, picks: &[u32]) -> Option<Counts> {
    let all = all_groups(grammar);
    let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
    let mut hand = Group::pair(kinds[picks[0] as usize % kinds.len()]).counts();
    for &pick in &picks[1..=groups] {
        hand = hand.try_plus_beyond(&all[pick as usize % all.len()].counts())?;
    }
    hand.kinds()
        .iter()
        .all(|kind| hand.get(kind) <= grammar.copies().get(kind))
        .then_some(hand)
}

fn picks() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(0u32..10_000, 20)
}

/// Which tiles a random hand prefers, by mode.
fn wanted(mode: u8) -> impl Fn(Kind) -> bool {
    move |kind| match mode {
        0 => true,
        1 => kind.suit() == Some(Suit::Circles),
        2 => kind.suit() == Some(Suit::Bamboos) || kind.is_honour(),
        3 => kind.is_honour() || kind.place() < 3,
        _ => kind == Kind::ZERO || kind.suit() == Some(Suit::Bamboos),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn distance_of_classical_hands(picks in picks(), mode in 0..4u8, len in prop_oneof![Just(13usize), Just(14), Just(7), Just(8), Just(4), Just(2)]) {
        let grammar = classical(Vec::new());
        let hand = draw(grammar.copies(), len, &picks, wanted(mode));
        check_distance(&grammar, &Holding::of_tiles(hand));
    }

    #[test]
    fn distance_with_special_forms(picks in picks(), mode in 0..4u8, distinct: bool) {
        let grammar = classical(vec![pairs(distinct), orphans()]);
        let mode = if mode == 3 { 9 } else { mode };
        let hand = draw(grammar.copies(), 13, &picks, |kind| match mode {
            9 => kind.rank().is_none_or(|r| r.get() == 1 || r.get() == 9),
            mode => wanted(mode)(kind),
        });
        check_distance(&grammar, &Holding::of_tiles(hand));
    }

    #[test]
    fn distance_with_declared_melds(picks in picks(), mode in 0..4u8, melds in 1..4usize, on_turn: bool) {
        let grammar = classical(Vec::new());
        let kongs: Vec<Group> = Kind::all()
            .filter(|&k| grammar.copies().get(k) == 4 && wanted(mode)(k))
            .map(Group::kong)
            .collect();
        let mut declared = Counts::EMPTY;
        let mut have = 0;
        for pick in &picks[15..15 + melds] {
            let sum = declared.try_plus(&kongs[*pick as usize % kongs.len()].counts());
            if let Some(sum) = sum.filter(|sum| sum.is_within(grammar.copies())) {
                declared = sum;
                have += 1;
            }
        }
        let left = grammar.copies().saturating_minus(&declared);
        let concealed = draw(&left, 13 - 3 * have + usize::from(on_turn), &picks, wanted(mode));
        check_distance(&grammar, &Holding { concealed, declared, melds: have, consecutive: have == 0, alike: AlikeMelds::default() });
    }

    #[test]
    fn distance_where_tiles_run_out(picks in picks(), len in prop_oneof![Just(13usize), Just(14), Just(10)]) {
        let grammar = cramped();
        let hand = draw(grammar.copies(), len, &picks, wanted(0));
        check_distance(&grammar, &Holding::of_tiles(hand));
    }

    #[test]
    fn arrangements_of_complete_hands(picks in picks(), groups in 1..=4usize) {
        let grammar = classical(Vec::new());
        if let Some(hand) = complete_hand(&grammar, groups, &picks) {
            check_arrangements(&grammar, &hand, 4 - groups);
        }
        let hand = draw(grammar.copies(), 3 * groups + 2, &picks, |kind| kind.lane() == 0);
        check_arrangements(&grammar, &hand, 4 - groups);
    }

    /// With copies that the set does not have. Few kinds, so most hands have them.
    #[test]
    fn arrangements_with_copies_beyond_the_set(picks in picks(), groups in 1..=4usize, first in 0..200u32) {
        for grammar in [classical(Vec::new()), wide(16)] {
            let beyond = grammar.beyond_copies().unwrap();
            let picks: Vec<u32> = picks.iter().map(|pick| first + pick % 4).collect();
            if let Some(hand) = complete_hand(&beyond, groups, &picks) {
                check_arrangements(&grammar, &hand, 4 - groups);
            }
        }
    }

    #[test]
    fn arrangements_with_zeros(picks in picks(), groups in 1..=4usize) {
        let grammar = wide(16);
        if let Some(hand) = complete_hand(&grammar, groups, &picks) {
            check_arrangements(&grammar, &hand, 4 - groups);
        }
        let hand = draw(grammar.copies(), 3 * groups + 2, &picks, wanted(4));
        check_arrangements(&grammar, &hand, 4 - groups);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn distance_with_zeros(picks in picks(), mode in 0..5u8, len in prop_oneof![Just(13usize), Just(14), Just(8)]) {
        let grammar = wide(9);
        let hand = draw(grammar.copies(), len, &picks, wanted(mode));
        check_distance(&grammar, &Holding::of_tiles(hand));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn distance_with_zeros_and_declared_melds(picks in picks(), mode in 0..5u8, melds in 1..4usize, on_turn: bool) {
        let grammar = wide(9);
        let groups = all_groups(&grammar);
        let zero_groups: Vec<Group> =
            groups.iter().copied().filter(|group| group.contains(Kind::ZERO)).collect();
        let mut declared = Counts::EMPTY;
        let mut have = 0;
        for (i, pick) in picks[15..15 + melds].iter().enumerate() {
            let from = if (i + usize::from(mode)) % 2 == 0 { &zero_groups } else { &groups };
            let sum = declared.try_plus(&from[*pick as usize % from.len()].counts());
            let in_set = |sum: &Counts| {
                sum.kinds().iter().all(|kind| sum.get(kind) <= grammar.copies().get(kind))
            };
            if let Some(sum) = sum.filter(in_set) {
                declared = sum;
                have += 1;
            }
        }
        let left = grammar.copies().saturating_minus(&declared);
        let concealed = draw(&left, 13 - 3 * have + usize::from(on_turn), &picks, wanted(mode));
        check_distance(&grammar, &Holding { concealed, declared, melds: have, consecutive: have == 0, alike: AlikeMelds::default() });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Four white dragons are wild and may stand for fifth copies. A tile that is drawn is one of the real set.
    #[test]
    fn distance_with_copies_beyond_the_set(picks in picks(), mode in 0..4u8, melds in 0..4usize, wilds in 0..=4u8, on_turn: bool) {
        let grammar = classical(Vec::new());
        let wild = KindSet::one(Kind::WHITE);
        let decomposer = Decomposer::new(grammar.clone()).with_wild(wild, WildCopies::Any);
        let mut copies = *grammar.copies();
        copies.set(Kind::WHITE, 0);
        let wanted = |kind: Kind| match mode {
            0 => true,
            1 => kind.suit() == Some(Suit::Circles),
            2 => kind.suit() == Some(Suit::Bamboos) && kind.place() < 5 || kind == Kind::EAST,
            _ => kind.is_honour() || kind.suit() == Some(Suit::Characters) && kind.place() < 2,
        };
        let groups: Vec<Group> = all_groups(&grammar)
            .into_iter()
            .chain(copies.kinds().iter().map(Group::kong))
            .filter(|group| group.tiles().all(|kind| wanted(kind) && copies.get(kind) > 0))
            .collect();
        let mut holding = Holding::of_tiles(Counts::EMPTY);
        holding.melds = 0;
        for pick in &picks[15..15 + melds] {
            let mut after = holding;
            after.declare(groups[*pick as usize % groups.len()], true);
            let sum = holding.declared.total() + groups[*pick as usize % groups.len()].tiles().count();
            if after.declared.total() == sum {
                holding = after;
            }
        }
        let left = copies.saturating_minus(&holding.declared);
        let len = 13 - 3 * holding.melds + usize::from(on_turn);
        let wilds = wilds.min(len as u8);
        let rest = Holding {
            concealed: draw(&left, len - usize::from(wilds), &picks, wanted),
            ..holding
        };
        let mut whole = rest;
        whole.concealed.set(Kind::WHITE, wilds);
        let lacks = missing_with(&grammar, &rest, 4);
        let (distance, accepts) = decomposer.accepts(&whole, &mut Scratch::new());
        prop_assert_eq!(distance, lacks as i8 - 1 - wilds as i8, "{:?}", whole);
        prop_assert_eq!(decomposer.distance(&whole, &mut Scratch::new()), distance);
        if distance >= 0 {
            let lowers = |kind: &Kind| match *kind {
                Kind::WHITE => wilds < 4,
                kind => {
                    rest.held(kind) < 4 && missing_with(&grammar, &rest.with(kind).unwrap(), 4) < lacks
                }
            };
            let want: KindSet = grammar.copies().kinds().iter().filter(lowers).collect();
            prop_assert_eq!(accepts, want, "{:?}", whole);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A set with seven copies of each kind but the zero.
    #[test]
    fn distance_with_zeros_and_copies_beyond_the_set(picks in picks(), mode in 0..5u8, len in prop_oneof![Just(13usize), Just(14), Just(8)]) {
        let grammar = wide(9);
        let beyond = grammar.beyond_copies().unwrap();
        let hand = draw(grammar.copies(), len, &picks, |kind| wanted(mode)(kind) && kind.place() < 6);
        let holding = Holding::of_tiles(hand);
        let lanes = super::lanes::Lanes::new(&beyond, None, &holding, &mut Scratch::new());
        prop_assert_eq!(lanes.distance(), missing(&beyond, &holding) as i8 - 1, "{:?}", holding);
    }
}

/// These hands have two to four zeros, for suits and honours to share.
#[test]
fn zeros_serve_suits_and_honours() {
    let grammar = wide(9);
    for text in [
        "ZZ14t14s258s69tEER",
        "ZZZ14s14s258s69tE",
        "ZZZZ1s4s8s1t4t8t9sEE",
        "ZZ369s147t8tCCEE5s",
    ] {
        let text = text.replace('R', "C");
        let mut hand = Counts::EMPTY;
        for tile in crate::Notation::Ujmj.parse(&text).unwrap() {
            hand.try_add(tile.kind().unwrap());
        }
        let mut holding = Holding::of_tiles(hand);
        while holding.concealed.total().is_multiple_of(3) {
            holding.concealed.try_remove(Kind::EAST);
        }
        check_distance(&grammar, &holding);
    }
}

/// The accepted tiles of an Ùzje hand are exactly those that lower its distance.
#[test]
fn accepts_of_uzje_hands() {
    let grammar = uzje();
    let decomposer = Decomposer::new(grammar.clone());
    let mut scratch = Scratch::new();
    let mut stream = crate::random::Stream::new(8, 3);
    let hands = if cfg!(debug_assertions) { 30 } else { 600 };
    for i in 0..hands {
        let mode = (i % 6) as u8;
        let mut holding = Holding::of_tiles(uzje_hand(&grammar, mode, 13, &mut stream));
        if i % 4 == 3 {
            declare_some(&grammar, &mut holding, &mut stream);
        }
        let (distance, accepts) = decomposer.accepts(&holding, &mut scratch);
        let mut want = KindSet::EMPTY;
        for kind in grammar.copies().kinds().iter() {
            let more = holding.with(kind);
            let more = more.filter(|_| !holding.is_exhausted(kind, grammar.copies()));
            // Distances themselves are compared with the definition above.
            if more.is_some_and(|more| decomposer.distance(&more, &mut Scratch::new()) < distance) {
                want.insert(kind);
            }
        }
        assert_eq!(accepts, want, "{holding:?}");
    }
}

/// Hands of three groups and of five: distance, accepted tiles, waits and arrangements are those of the definition.
#[test]
fn hands_of_other_sizes_are_exact() {
    let runs: Vec<_> = chow_runs();
    let copies = |of: &dyn Fn(Kind) -> u8| {
        let mut copies = Counts::EMPTY;
        for kind in Kind::all().filter(|&kind| is_classical(kind)) {
            copies.set(kind, of(kind));
        }
        copies
    };
    let all = copies(&|_| 4);
    let few = copies(&|kind| 1 + kind.index() as u8 % 4);
    let mut stream = crate::random::Stream::new(26, 5);
    let (mut ready, mut complete) = (0, 0);
    for groups in [3, 5] {
        for copies in [all, few] {
            let grammar = Grammar::new(copies, groups, &runs, true, true, Vec::new()).unwrap();
            let decomposer = Decomposer::new(grammar.clone());
            let mut scratch = Scratch::new();
            for round in 0..150 {
                let (one, other) = (stream.below(4) as usize, stream.below(4) as usize);
                let mut pool: Vec<Kind> = copies.iter().collect();
                stream.shuffle(&mut pool);
                pool.sort_by_key(|kind| match round % 3 {
                    0 => false,
                    1 => kind.lane() != one,
                    _ => kind.lane() != one && kind.lane() != other,
                });
                let mut concealed = Counts::EMPTY;
                for kind in pool.into_iter().take(grammar.hand_tiles()) {
                    concealed.try_add(kind);
                }
                let mut holding = Holding::of_tiles_for(concealed, groups);
                if round % 2 == 1 {
                    declare_some(&grammar, &mut holding, &mut stream);
                }
                if holding.melds > groups {
                    continue;
                }
                let lacks = missing_bounded(&grammar, &holding);
                let is_reachable = lacks <= 3 * groups as u8 + 2;
                let (distance, accepts) = decomposer.accepts(&holding, &mut scratch);
                if !is_reachable {
                    assert_eq!(distance, Decomposer::UNREACHABLE);
                    continue;
                }
                assert_eq!(distance, lacks as i8 - 1, "{groups}: {holding:?}");
                let waits = decomposer.waits(&holding);
                for kind in copies.kinds().iter() {
                    let Some(more) = holding.with(kind) else {
                        continue;
                    };
                    if more.held(kind) > copies.get(kind) {
                        assert!(!accepts.contains(kind));
                        continue;
                    }
                    let lowers = missing_bounded(&grammar, &more) < lacks;
                    assert_eq!(
                        accepts.contains(kind),
                        lowers,
                        "{groups}: {kind} {holding:?}"
                    );
                    let slowly = arrangements(&grammar, &more.concealed, more.melds);
                    assert_eq!(
                        waits.contains(kind),
                        !slowly.is_empty(),
                        "{kind} {holding:?}"
                    );
                    let mut found = BTreeSet::new();
                    let _ = decomposer.arrangements(&more, |one| {
                        let mut names: Vec<String> = one.groups.iter().map(name).collect();
                        names.sort();
                        assert!(found.insert(names), "an arrangement comes twice");
                        ControlFlow::Continue(())
                    });
                    assert_eq!(found, slowly);
                    assert_eq!(decomposer.is_complete(&more), !slowly.is_empty());
                    complete += usize::from(!slowly.is_empty());
                }
                ready += usize::from(distance == 0);
            }
        }
    }
    assert!(ready > 20 && complete > 20, "{ready} {complete}");
}
