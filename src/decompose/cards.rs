//! Tests of forms of concrete hands ("cards") against brute force over these hands, with wild tiles and declared melds.

use super::{
    Decomposer, FormError, FormItem, FormRank, FormSuit, FormTiles, Grammar, Holding, Scratch,
};
use super::{SpecialForm, WildCopies};
use crate::counts::Counts;
use crate::meld::{Family, Group, Meld};
use crate::random::Stream;
use crate::ruleset::Rules;
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

/// A concrete hand: sets of tiles alike.
type Card = Vec<(Kind, u8)>;

/// `(size, rank over the letter's, suit)`: items of a line of a card; an honour has its place for a rank and no suit.
type Line = &'static [(u8, u8, Option<usize>)];

/// Lines with one letter for a rank and up to three for suits; rank 0 is the letter's own.
const OPEN: [Line; 5] = [
    &[
        (2, 0, Some(0)),
        (4, 1, Some(0)),
        (4, 2, Some(0)),
        (4, 3, Some(0)),
    ],
    &[
        (3, 0, Some(0)),
        (3, 1, Some(0)),
        (3, 0, Some(1)),
        (3, 1, Some(1)),
        (2, 4, None),
    ],
    &[
        (4, 0, Some(0)),
        (4, 2, Some(1)),
        (4, 4, Some(2)),
        (2, 1, None),
    ],
    &[(3, 1, None), (3, 3, None), (4, 2, None), (4, 4, None)],
    &[
        (2, 9, None),
        (4, 0, Some(0)),
        (4, 0, Some(1)),
        (4, 0, Some(2)),
    ],
];

/// Lines that must be concealed.
const CONCEALED: [Line; 2] = [
    &[
        (2, 1, None),
        (2, 2, None),
        (2, 3, None),
        (2, 4, None),
        (3, 0, Some(0)),
        (3, 0, Some(1)),
    ],
    &[
        (1, 0, Some(0)),
        (1, 1, Some(0)),
        (1, 2, Some(0)),
        (1, 3, Some(0)),
        (4, 1, Some(1)),
        (4, 2, Some(2)),
        (2, 8, None),
    ],
];

/// Lines with groups of more tiles alike than the set has copies.
const LARGER: [Line; 4] = [
    &[(5, 0, Some(0)), (4, 2, Some(1)), (5, 4, Some(2))],
    &[(2, 2, None), (4, 1, None), (3, 0, Some(0)), (5, 0, Some(1))],
    &[(6, 0, Some(0)), (3, 1, Some(0)), (5, 3, None)],
    &[(2, 0, Some(0)), (6, 0, Some(1)), (6, 1, Some(2))],
];

const SUITS: [char; 3] = ['a', 'b', 'c'];

/// The wild tiles of the tests.
const WILDS: u8 = 8;

fn form(line: Line, concealed: bool, natural: &[u8]) -> SpecialForm {
    let item = |&(size, rank, suit): &(u8, u8, Option<usize>)| {
        let tiles = match suit {
            Some(suit) => FormTiles::Ranks {
                ranks: vec![FormRank {
                    letter: Some('r'),
                    plus: rank as i8,
                }],
                suit: FormSuit::Letter(SUITS[suit]),
            },
            None => FormTiles::of_kinds(KindSet::one(Kind::at(3, u32::from(rank)))),
        };
        FormItem::Alike {
            size,
            count: 1,
            kinds: vec![tiles],
            distinct: false,
        }
    };
    let mut form = SpecialForm::new(vec![line.iter().map(item).collect()], concealed);
    form.natural = natural.to_vec();
    form.declared_kongs = true;
    form.beyond = WILDS;
    form
}

/// The concrete hands of a line.
fn cards(line: Line, copies: &Counts, natural: &[u8]) -> BTreeSet<Card> {
    let mut all = BTreeSet::new();
    for rank in 1..=9 {
        for order in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let set = |&(size, plus, suit): &(u8, u8, Option<usize>)| match suit {
                None => Some((Kind::at(3, u32::from(plus)), size)),
                Some(suit) => {
                    let rank = Rank::new(rank + plus).filter(|rank| rank.get() <= 9)?;
                    Some((Kind::number(Suit::ALL[order[suit]], rank), size))
                }
            };
            let card: Option<Card> = line.iter().map(set).collect();
            let fits = |card: &Card| {
                let mut sets = card.iter();
                sets.all(|(kind, size)| match natural.contains(size) {
                    true => copies.get(*kind) >= *size,
                    false => copies.get(*kind) >= (*size).min(4),
                })
            };
            all.extend(card.filter(fits));
        }
    }
    all
}

/// The missing tiles of the nearest concrete hand that the melds are part of, each missing tile put in by hand.
fn brute(cards: &[(Card, bool)], hand: &Counts, melds: &[Group], wilds: u8, natural: &[u8]) -> u8 {
    let mut least = 60;
    'cards: for (card, concealed) in cards {
        if *concealed && !melds.is_empty() {
            continue;
        }
        let mut left = card.clone();
        for meld in melds {
            let set = (meld.kind(), meld.len() as u8);
            match left.iter().position(|one| *one == set) {
                Some(place) => left.remove(place),
                None => continue 'cards,
            };
        }
        // Natural tiles go first to the sets in which no wild tile may stand.
        left.sort_by_key(|(_, size)| !natural.contains(size));
        let (mut hand, mut wilds, mut lacks) = (*hand, wilds, 0);
        for (kind, size) in left {
            for _ in 0..size {
                if hand.try_remove(kind) {
                } else if !natural.contains(&size) && wilds > 0 {
                    wilds -= 1;
                } else {
                    lacks += 1;
                }
            }
        }
        least = least.min(lacks);
    }
    least
}

/// The grammar of these lines over the classical set with jokers and a second wild kind, whose tiles are not on cards.
/// With `larger` groups these lines alone win.
fn grammar(natural: &[u8], larger: bool) -> (Grammar, Vec<(Card, bool)>) {
    let rules = Rules::by_id("mcr").unwrap();
    let mut copies = *rules.plan().tiles().copies();
    copies.set(Kind::JOKER, 4);
    copies.set(Kind::HORIZONTAL, 4);
    let lines = OPEN.iter().map(|line| (*line, false));
    let lines = lines.chain(CONCEALED.map(|line| (line, true)));
    let more = LARGER.into_iter().filter(|_| larger);
    let lines: Vec<(Line, bool)> = lines.chain(more.map(|line| (line, false))).collect();
    let forms = lines
        .iter()
        .map(|(line, concealed)| form(line, *concealed, natural));
    // No pung and no run: only cards are complete.
    let grammar = Grammar::new(copies, 4, &[], false, true, forms.collect()).unwrap();
    let grammar = match larger {
        true => grammar.only_forms(),
        false => grammar,
    };
    let all = lines.iter().flat_map(|(line, concealed)| {
        let cards = cards(line, &copies, natural);
        cards.into_iter().map(|card| (card, *concealed))
    });
    (grammar, all.collect())
}

/// Distance, accepted tiles, completeness, waits and substitutions agree with brute force over the concrete hands, with up to
/// eight wild tiles and four melds, some of these with a joker.
#[test]
fn cards_are_what_brute_force_tells() {
    let hands = if cfg!(debug_assertions) {
        2_500
    } else {
        10_000
    };
    let wild_kinds: KindSet = [Kind::JOKER, Kind::HORIZONTAL].into_iter().collect();
    let mut seen = [0; 8];
    for (natural, larger) in [
        (&[][..], false),
        (&[1, 2][..], false),
        (&[][..], true),
        (&[1, 2][..], true),
        (&[1, 2, 3, 6][..], true),
    ] {
        let (grammar, all) = grammar(natural, larger);
        let copies = *grammar.copies();
        let decomposer = Decomposer::new(grammar).with_wild(wild_kinds, WildCopies::Set);
        let kinds: Vec<Kind> = copies.kinds().difference(wild_kinds).iter().collect();
        let mut stream = Stream::new(48, natural.len() as u64 + 10 * u64::from(larger));
        let mut scratch = Scratch::new();
        for round in 0..hands {
            let (card, concealed) = &all[stream.below(all.len() as u32) as usize];
            let mut left = card.clone();
            let mut holding = Holding::of_tiles(Counts::EMPTY);
            (holding.melds, holding.consecutive) = (0, true);
            let mut melds = Vec::new();
            let most = if *concealed { 0 } else { stream.below(5) };
            for _ in 0..most {
                let open: Vec<usize> = (0..left.len()).filter(|&at| left[at].1 > 2).collect();
                let Some(&at) = open.get(stream.below(open.len().max(1) as u32) as usize) else {
                    break;
                };
                let (kind, size) = left.swap_remove(at);
                // Some melds are of another number of tiles than the hand has.
                let size = if stream.below(12) == 0 {
                    3 + stream.below(if larger { 4 } else { 2 }) as u8
                } else {
                    size
                };
                let jokers = size.saturating_sub(4).max(u8::from(stream.below(3) == 0));
                let (size, jokers) = match holding.declared.get(Kind::JOKER) + jokers {
                    0..=3 => (size, jokers),
                    _ => (size.min(4), 0),
                };
                let group = Group::same(Family::ALIKE[usize::from(size) - 2], kind);
                let meld = Meld {
                    open: true,
                    wild: (1 << jokers) - 1,
                    ..Meld::of_own(group)
                };
                seen[6] += usize::from(size > 4);
                holding.declare_meld(&meld);
                melds.push(group);
            }
            let declared: usize = melds.iter().map(|meld: &Group| meld.len()).sum();
            let on_turn = stream.below(2) == 1;
            // Four kongs leave no room for a hand.
            let Some(size) = 13_usize.checked_sub(declared) else {
                continue;
            };
            let size = size + usize::from(on_turn);
            let wilds = stream.below(9) as u8;
            for wild in wild_kinds.iter() {
                for _ in 0..wilds.div_ceil(2) {
                    let jokers = holding.held(wild) < 4;
                    if jokers && holding.concealed.total() < size {
                        holding.concealed.try_add(wild);
                    }
                }
            }
            let wilds = holding.concealed.total() as u8;
            let mut tiles: Vec<Kind> = left
                .iter()
                .flat_map(|(kind, size)| std::iter::repeat_n(*kind, usize::from(*size)))
                .collect();
            stream.shuffle(&mut tiles);
            for _ in 0..stream.below(4) {
                tiles.pop();
            }
            for _ in 0..1000 {
                if holding.concealed.total() == size {
                    break;
                }
                let any = kinds[stream.below(kinds.len() as u32) as usize];
                let kind = tiles.pop().unwrap_or(any);
                if holding.held(kind) < copies.get(kind) {
                    holding.concealed.try_add(kind);
                }
            }
            let mut natural_tiles = holding.concealed;
            wild_kinds
                .iter()
                .for_each(|kind| natural_tiles.set(kind, 0));
            let lacks = |hand: &Counts, wilds| brute(&all, hand, &melds, wilds, natural);
            let least = lacks(&natural_tiles, wilds);
            let text = format!("{natural:?} {holding:?}");
            if melds.len() == 4 && !larger {
                // Four melds and any pair are complete without a card, so only the forms are compared.
                let forms = 0..decomposer.grammar().forms().len();
                let told = forms.filter_map(|form| decomposer.missing_from_form(form, &holding));
                assert_eq!(told.min().unwrap_or(60), least, "{text}");
                seen[1] += 4;
                continue;
            }
            let (distance, accepts) = decomposer.accepts(&holding, &mut scratch);
            if least == 60 {
                assert_eq!(distance, Decomposer::UNREACHABLE, "{text}");
                continue;
            }
            assert_eq!(distance, least as i8 - 1, "{text}");
            assert_eq!(
                decomposer.distance(&holding, &mut scratch),
                distance,
                "{text}"
            );
            let lowers = |kind: &Kind| match wild_kinds.contains(*kind) {
                true => lacks(&natural_tiles, wilds + 1) < least,
                false => lacks(&natural_tiles.with_beyond(*kind), wilds) < least,
            };
            let left = |kind: &Kind| holding.held(*kind) < copies.get(*kind);
            let in_play = copies.kinds().iter().filter(left);
            let slow: KindSet = in_play.filter(|kind| least > 0 && lowers(kind)).collect();
            assert_eq!(accepts, slow, "{text}");
            seen[0] += accepts.len();
            seen[1] += melds.len();
            seen[2] = seen[2].max(usize::from(wilds));
            if size + declared == 14 {
                assert_eq!(decomposer.is_complete(&holding), least == 0, "{text}");
                seen[7] += usize::from(least == 0 && card.iter().any(|(_, size)| *size > 4));
                let mut found = BTreeSet::new();
                let mut forms = 0;
                let _ = decomposer.substitutions(&holding, |whole| {
                    assert!(found.insert(whole.concealed), "{text}");
                    assert_eq!(lacks(&whole.concealed, 0), 0, "{text}");
                    let _ = decomposer.arrangements_as(&holding, whole, |arrangement| {
                        forms += usize::from(arrangement.form > 0);
                        ControlFlow::Continue(())
                    });
                    ControlFlow::Continue(())
                });
                assert_eq!(found.is_empty(), least > 0, "{text}");
                assert!(forms >= found.len(), "{text}");
                seen[3] += found.len();
            } else {
                let waits = if least == 1 { slow } else { KindSet::EMPTY };
                assert_eq!(decomposer.waits(&holding), waits, "{text}");
                assert_eq!(decomposer.is_ready(&holding), !waits.is_empty(), "{text}");
                seen[4] += usize::from(!waits.is_empty());
            }
            if round % 10 == 0 {
                let mut kept = Vec::new();
                let before = decomposer.discards(&holding, &mut scratch, |kind, accepts| {
                    kept.push((kind, accepts));
                });
                assert_eq!(before, distance);
                for kind in holding.concealed.kinds().iter().filter(|_| before >= 0) {
                    let mut after = holding;
                    after.concealed.try_remove(kind);
                    let found = decomposer.accepts(&after, &mut scratch);
                    let is_kept = kept.contains(&(kind, found.1));
                    assert_eq!(is_kept, found.0 == before, "{text} {kind}");
                }
                seen[5] += kept.len();
            }
        }
    }
    assert!(
        seen[2] == 8 && seen.iter().all(|&count| count > 7),
        "{seen:?}"
    );
}

/// A hand may have more copies of a kind than the set as far as wild tiles may stand for them.
#[test]
fn wild_tiles_stand_for_copies_that_the_set_does_not_have() {
    let rules = Rules::by_id("mcr").unwrap();
    let copies = *rules.plan().tiles().copies();
    let is_made = |line: Line, natural: &[u8], beyond: u8| {
        let mut form = form(line, false, natural);
        form.beyond = beyond;
        form.check(&copies, 14) != Err(FormError::NoHand)
    };
    let quints: Line = &[(5, 0, Some(0)), (4, 2, Some(1)), (5, 4, Some(2))];
    assert!(is_made(quints, &[1, 2], 2) && !is_made(quints, &[1, 2], 1));
    assert!(!is_made(quints, &[1, 5], 8));
    let twice: Line = &[(5, 1, None), (2, 1, None), (4, 2, None), (3, 3, None)];
    assert!(is_made(twice, &[1, 2], 3) && !is_made(twice, &[1, 2], 2));
}

/// A card of nearly as many concrete hands as a grammar may have is expanded within 100 ms, and a distance takes less than
/// 2 ms, accepted tiles included. More hands are an error.
#[test]
fn large_cards_are_quick() {
    let (letters, suits) = ([Some('p'), Some('q'), Some('r')], ['a', 'a', 'b']);
    let set = |size, letter: Option<char>, suit| FormItem::Alike {
        size,
        count: 1,
        kinds: vec![FormTiles::Ranks {
            ranks: vec![FormRank { letter, plus: 0 }],
            suit: FormSuit::Letter(suit),
        }],
        distinct: false,
    };
    let rules = Rules::by_id("mcr").unwrap();
    let mut copies = *rules.plan().tiles().copies();
    copies.set(Kind::JOKER, 4);
    let line = |honours: KindSet| {
        let mut items: Vec<FormItem> = (0..3).map(|at| set(3, letters[at], suits[at])).collect();
        items.push(FormItem::Alike {
            size: 3,
            count: 1,
            kinds: vec![FormTiles::of_kinds(honours)],
            distinct: false,
        });
        items.push(set(2, Some('p'), 'b'));
        SpecialForm::new(vec![items], false)
    };
    let honours = KindSet::of_lane(3);
    let some: KindSet = honours
        .intersection(copies.kinds())
        .iter()
        .take(5)
        .collect();
    let begun = Instant::now();
    let mut form = line(some);
    form.natural = vec![1, 2];
    let grammar = Grammar::new(copies, 4, &[], true, true, vec![form]).unwrap();
    let hands = grammar.special.len();
    let decomposer = Decomposer::new(grammar).with_wild(KindSet::EMPTY, WildCopies::Set);
    let load = begun.elapsed().as_millis();
    let kinds: Vec<Kind> = copies.kinds().iter().collect();
    let mut stream = Stream::new(1, 48);
    let (mut scratch, mut all) = (Scratch::new(), 0);
    let begun = Instant::now();
    for _ in 0..100 {
        let mut hand = Counts::EMPTY;
        while hand.total() < 14 {
            hand.try_add(kinds[stream.below(kinds.len() as u32) as usize]);
        }
        all += i32::from(decomposer.distance(&Holding::of_tiles(hand), &mut scratch));
    }
    let each = begun.elapsed().as_micros() / 100;
    assert!(
        (10_000..20_000).contains(&hands) && all > 0,
        "{hands} {all}"
    );
    if !cfg!(debug_assertions) {
        assert!(load <= 100 && each <= 2_000, "{load} ms, {each} us");
    }
    let most = line(KindSet::ALL).check(&copies, 14);
    assert_eq!(most, Err(FormError::TooMany));
}

/// Distance, accepted tiles, completeness, waits, readings and discards of a form with wild tiles that stand for themselves,
/// beside groups and a pair, agree with counting.
#[test]
fn wild_tiles_of_a_form_stand_for_themselves() {
    let rules = Rules::by_id("mcr").unwrap();
    let copies = *rules.plan().tiles().copies();
    let wild = Kind::at(2, 4);
    let any = FormItem::Alike {
        size: 1,
        count: 11,
        kinds: vec![FormTiles::of_kinds(KindSet::ALL)],
        distinct: false,
    };
    let form = SpecialForm::new(vec![vec![FormItem::Wild(3), any]], false);
    let runs: Vec<_> = (1..=7)
        .map(|rank| (crate::meld::Family::Arith, [rank, rank + 1, rank + 2]))
        .collect();
    let of = |forms: Vec<SpecialForm>| {
        let grammar = Grammar::new(copies, 4, &runs, true, true, forms).unwrap();
        Decomposer::new(grammar).with_wild(KindSet::one(wild), WildCopies::Set)
    };
    let (plain, decomposer) = (of(Vec::new()), of(vec![form]));
    let kinds: Vec<Kind> = copies.kinds().iter().collect();
    let (mut stream, mut scratch) = (Stream::new(3, 48), Scratch::new());
    let mut seen = [0; 5];
    for round in 0..1500 {
        let mut holding = Holding::of_tiles(Counts::EMPTY);
        (holding.melds, holding.consecutive) = (0, true);
        for _ in 0..stream.below(4) {
            let kind = kinds[stream.below(kinds.len() as u32) as usize];
            if kind != wild && holding.declared.get(kind) == 0 {
                holding.declare(Group::pung(kind), true);
            }
        }
        let missing = stream.below(3) as usize;
        let size = 14 - 3 * holding.melds - missing;
        for _ in 0..stream.below(5) {
            if holding.concealed.total() < size {
                holding.concealed.try_add(wild);
            }
        }
        while holding.concealed.total() < size {
            let width = if round % 2 == 0 {
                9
            } else {
                kinds.len() as u32
            };
            let kind = kinds[stream.below(width) as usize];
            if kind != wild && holding.held(kind) < copies.get(kind) {
                holding.concealed.try_add(kind);
            }
        }
        let lacks = |holding: &Holding| {
            let wilds = holding.concealed.get(wild);
            let others = holding.concealed.total() as u8 - wilds + 3 * holding.melds as u8;
            let lacking = 11_u8.saturating_sub(others);
            3_u8.saturating_sub(wilds) + lacking.saturating_sub(wilds.saturating_sub(3))
        };
        let slow = |holding: &Holding, scratch: &mut Scratch| {
            plain
                .distance(holding, scratch)
                .min(lacks(holding) as i8 - 1)
        };
        let least = slow(&holding, &mut scratch);
        let (distance, accepts) = decomposer.accepts(&holding, &mut scratch);
        assert_eq!(distance, least, "{holding:?}");
        assert_eq!(decomposer.distance(&holding, &mut scratch), least);
        assert_eq!(
            decomposer.missing_from_form(0, &holding),
            Some(lacks(&holding))
        );
        let left = |kind: &Kind| holding.held(*kind) < copies.get(*kind);
        let in_play: Vec<Kind> = kinds.iter().copied().filter(left).collect();
        let lowering: KindSet = in_play
            .iter()
            .copied()
            .filter(|kind| least >= 0 && slow(&holding.with_beyond(*kind), &mut scratch) < least)
            .collect();
        assert_eq!(accepts, lowering, "{holding:?}");
        seen[0] += accepts.len();
        match missing {
            0 => {
                assert_eq!(decomposer.is_complete(&holding), least < 0);
                let (mut found, mut forms) = (BTreeSet::new(), 0);
                let _ = decomposer.substitutions(&holding, |whole| {
                    assert!(found.insert(whole.concealed), "{holding:?}");
                    assert_eq!(whole.concealed.total(), holding.concealed.total());
                    let mut is_any = false;
                    let _ = decomposer.arrangements_as(&holding, whole, |arrangement| {
                        is_any = true;
                        forms += usize::from(arrangement.form == 1);
                        ControlFlow::Continue(())
                    });
                    assert!(is_any, "{holding:?} {whole:?}");
                    ControlFlow::Continue(())
                });
                assert_eq!(found.is_empty(), least >= 0, "{holding:?}");
                assert_eq!(forms > 0, lacks(&holding) == 0, "{holding:?}");
                seen[1] += forms;
                let mut kept = Vec::new();
                let before = decomposer.discards(&holding, &mut scratch, |kind, accepts| {
                    kept.push((kind, accepts));
                });
                assert_eq!(before, least);
                for kind in holding.concealed.kinds().iter().filter(|_| before >= 0) {
                    let mut after = holding;
                    after.concealed.try_remove(kind);
                    let found = decomposer.accepts(&after, &mut scratch);
                    assert_eq!(
                        kept.contains(&(kind, found.1)),
                        found.0 == before,
                        "{holding:?} {kind}"
                    );
                }
                seen[2] += kept.len();
            }
            1 => {
                let waits = if least == 0 { lowering } else { KindSet::EMPTY };
                assert_eq!(decomposer.waits(&holding), waits, "{holding:?}");
                seen[3] += waits.len();
            }
            _ => seen[4] += 1,
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
