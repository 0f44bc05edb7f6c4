//! Measures hands: distance, accepted tiles, completeness, arrangements, scores.

use crate::{Work, compare};
use paishan::decompose::{Decomposer, Holding, Scratch};
use paishan::hand::Hand;
use paishan::random::Stream;
use paishan::score::ScoreInput;
use paishan::state::{FlagSet, Way, Win};
use paishan::tile::{Kind, Rank, Suit, Wind};
use paishan::{Counts, Rules, Ruleset, Seat, Tile};
use riichi_decomp_table::{CTable, c_entry_iter_alts, make_c_table};
use riichienv_core::agari::{find_divisions, is_agari};
use riichienv_core::shanten::calc_shanten_from_counts;
use riichienv_core::types::Hand as TheirHand;
use std::ops::ControlFlow;
use xiangting::{PlayerCount, calculate_necessary_tiles, calculate_replacement_number};

/// Kinds in the order of the peers: mans, tongs, socks, winds, white, green, red.
pub fn kinds() -> Vec<Kind> {
    let suits = [Suit::Characters, Suit::Circles, Suit::Bamboos];
    let numbers = suits
        .into_iter()
        .flat_map(|suit| (1..=9).map(move |rank| Kind::number(suit, Rank::new(rank).unwrap())));
    let winds = Wind::ALL.map(Wind::kind);
    numbers.chain(winds).chain([Kind::WHITE, Kind::GREEN, Kind::RED]).collect()
}

/// A hand in the form of each program.
#[derive(Clone)]
struct Sample {
    holding: Holding,
    counts: [u8; 34],
    /// A lane as octal digits.
    keys: [u32; 4],
}

impl Sample {
    fn new(order: &[Kind], counts: [u8; 34]) -> Self {
        let mut tiles = Counts::EMPTY;
        let mut keys = [0; 4];
        for (i, &count) in counts.iter().enumerate() {
            for _ in 0..count {
                assert!(tiles.try_add(order[i]));
            }
            keys[i / 9] |= u32::from(count) << (3 * (i % 9));
        }
        Self {
            holding: Holding::of_tiles(tiles),
            counts,
            keys,
        }
    }
}

/// Hands in the form of each program, one after another. So no program loads what only others need.
struct Columns {
    holdings: Vec<Holding>,
    counts: Vec<[u8; 34]>,
    keys: Vec<[u32; 4]>,
}

impl Columns {
    fn of(hands: &[Sample]) -> Self {
        Self {
            holdings: hands.iter().map(|hand| hand.holding).collect(),
            counts: hands.iter().map(|hand| hand.counts).collect(),
            keys: hands.iter().map(|hand| hand.keys).collect(),
        }
    }
}

/// Random hands of `size` tiles from some kinds.
fn deals(order: &[Kind], from: &[usize], size: usize, count: usize, seed: u64) -> Vec<Sample> {
    let mut stream = Stream::new(seed, 1);
    let mut tiles: Vec<usize> = from.iter().flat_map(|&kind| [kind; 4]).collect();
    (0..count)
        .map(|_| {
            stream.shuffle(&mut tiles);
            let mut counts = [0; 34];
            tiles[..size].iter().for_each(|&kind| counts[kind] += 1);
            Sample::new(order, counts)
        })
        .collect()
}

/// Complete hands of groups and a pair.
fn complete(order: &[Kind], count: usize) -> Vec<Sample> {
    let mut stream = Stream::new(77, 1);
    let mut hands = Vec::new();
    while hands.len() < count {
        let mut counts = [0u8; 34];
        let mut below = |n: u32| stream.below(n) as usize;
        counts[below(34)] += 2;
        for _ in 0..4 {
            if below(3) == 0 {
                counts[below(34)] += 3;
            } else {
                let first = 9 * below(3) + below(7);
                (0..3).for_each(|i| counts[first + i] += 1);
            }
        }
        if counts.iter().all(|&count| count <= 4) {
            hands.push(Sample::new(order, counts));
        }
    }
    hands
}

/// How many arrangements a peer's table gives for the tiles.
fn table_ways(table: &CTable, keys: &[u32; 4]) -> usize {
    let mut ways = 1;
    for (i, key) in keys.iter().enumerate() {
        let Some(&alts) = table.get(key) else {
            return 0;
        };
        ways *= c_entry_iter_alts(*key, alts)
            .filter(|way| i < 3 || !way.has_shuntsu())
            .count();
    }
    ways
}

/// Whether all lanes are complete, one of them with a pair.
fn table_complete(table: &CTable, keys: &[u32; 4]) -> bool {
    keys[..3].iter().all(|key| table.contains_key(key)) && {
        let honours = keys[3];
        (0..7).all(|i| matches!(honours >> (3 * i) & 7, 0 | 2 | 3))
    }
}

fn ways(decomposer: &Decomposer, holding: &Holding) -> usize {
    let mut ways = 0;
    let _ = decomposer.arrangements(holding, |found| {
        ways += usize::from(found.form == 0);
        ControlFlow::Continue(())
    });
    ways
}

pub fn all() {
    const COUNT: usize = 20_000;
    let order = kinds();
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let decomposer = rules.plan().decomposer();
    let every: Vec<usize> = (0..34).collect();
    let suit: Vec<usize> = (9..18).collect();
    let heavy: Vec<usize> = (9..18).chain(27..34).collect();
    let uniform = deals(&order, &every, 14, COUNT, 1);
    let one_suit: Vec<Sample> = [
        deals(&order, &suit, 14, COUNT / 2, 2),
        deals(&order, &heavy, 14, COUNT / 2, 3),
    ]
    .concat();
    let mut scratch = Scratch::new();

    for (what, hands) in [("distance, uniform", &uniform), ("distance, one suit heavy", &one_suit)] {
        for hand in hands {
            let ours = decomposer.distance(&hand.holding, &mut scratch);
            assert_eq!(ours, calc_shanten_from_counts(&hand.counts, 4), "{:?}", hand.counts);
            let theirs = calculate_replacement_number(&hand.counts, PlayerCount::Four).unwrap();
            assert_eq!(ours + 1, theirs as i8);
        }
        let Columns { holdings, counts, .. } = Columns::of(hands);
        compare(what, COUNT, vec![
            Work::new("paishan", || holdings.iter().map(|hand| decomposer.distance(hand, &mut scratch) as u64).sum()),
            Work::new("riichienv-core", || counts.iter().map(|hand| calc_shanten_from_counts(hand, 4) as u64).sum()),
            Work::new("xiangting", || counts.iter().map(|hand| u64::from(calculate_replacement_number(hand, PlayerCount::Four).unwrap())).sum()),
        ]);
    }

    let thirteen = deals(&order, &every, 13, COUNT, 4);
    for hand in &thirteen {
        let (distance, accepts) = decomposer.accepts(&hand.holding, &mut scratch);
        let (theirs, tiles) = calculate_necessary_tiles(&hand.counts, PlayerCount::Four).unwrap();
        assert_eq!(distance + 1, theirs as i8);
        // The peer also accepts kinds of which the hand holds all four.
        for (i, kind) in order.iter().enumerate().filter(|(i, _)| hand.counts[*i] < 4) {
            assert_eq!(accepts.contains(*kind), tiles >> i & 1 == 1, "{:?} {kind}", hand.counts);
        }
    }
    let Columns { holdings, counts, .. } = Columns::of(&thirteen);
    compare("accepted tiles of 13, uniform", COUNT, vec![
        Work::new("paishan", || holdings.iter().map(|hand| decomposer.accepts(hand, &mut scratch).1.len() as u64).sum()),
        Work::new("xiangting", || counts.iter().map(|hand| calculate_necessary_tiles(hand, PlayerCount::Four).unwrap().1.count_ones() as u64).sum()),
    ]);

    let table = make_c_table();
    let complete = complete(&order, COUNT);
    for (name, hands) in [("random", &uniform), ("complete", &complete)] {
        let counts = hands.iter().map(|hand| hand.counts);
        let mut their_hands: Vec<TheirHand> = counts.map(|counts| TheirHand { counts }).collect();
        let mut twice = 0;
        for (hand, their_hand) in hands.iter().zip(&mut their_hands) {
            let ours = ways(decomposer, &hand.holding);
            assert_eq!(ours, table_ways(&table, &hand.keys), "{:?}", hand.counts);
            assert_eq!(ours > 0, table_complete(&table, &hand.keys), "{:?}", hand.counts);
            // The peer finds a pung and a run of the same lowest kind in either order.
            let theirs = find_divisions(their_hand).len();
            let has_four = hand.counts.contains(&4);
            assert!(ours == theirs || has_four && 0 < ours && ours < theirs, "{:?}", hand.counts);
            twice += usize::from(ours < theirs);
            let any = decomposer.is_complete(&hand.holding);
            assert_eq!(any, is_agari(their_hand), "{:?}", hand.counts);
            assert_eq!(any, matches!(calculate_replacement_number(&hand.counts, PlayerCount::Four), Ok(0)));
        }
        println!("| {name} hands of which riichienv-core lists an arrangement twice | {twice} of {COUNT} | |");
        let Columns { holdings, counts, keys } = Columns::of(hands);
        compare(&format!("complete? {name} hands"), COUNT, vec![
            Work::new("paishan", || holdings.iter().map(|hand| u64::from(decomposer.is_complete(hand))).sum()),
            Work::new("riichi-decomp-table", || keys.iter().map(|keys| u64::from(table_complete(&table, keys))).sum()),
            Work::new("xiangting", || counts.iter().map(|hand| u64::from(matches!(calculate_replacement_number(hand, PlayerCount::Four), Ok(0)))).sum()),
            Work::new("riichienv-core", || their_hands.iter_mut().map(|hand| u64::from(is_agari(hand))).sum()),
        ]);
        compare(&format!("all arrangements, {name} hands"), COUNT, vec![
            Work::new("paishan", || holdings.iter().map(|hand| ways(decomposer, hand) as u64).sum()),
            Work::new("riichi-decomp-table", || keys.iter().map(|keys| table_ways(&table, keys) as u64).sum()),
            Work::new("riichienv-core", || their_hands.iter().map(|hand| find_divisions(hand).len() as u64).sum()),
        ]);
    }
    scores(&order, &rules, &complete);
    wide(&uniform, &complete, &table);
}

/// Random hands of `size` tiles of Ùzje's set, of the kinds that are wanted.
fn wide_deals(copies: &Counts, size: usize, count: usize, seed: u64, wanted: impl Fn(Kind) -> bool) -> Vec<Holding> {
    let mut stream = Stream::new(seed, 1);
    let mut tiles: Vec<Kind> = copies.iter().filter(|&kind| wanted(kind)).collect();
    (0..count)
        .map(|_| {
            stream.shuffle(&mut tiles);
            let mut hand = Counts::EMPTY;
            tiles[..size].iter().for_each(|&kind| assert!(hand.try_add(kind)));
            Holding::of_tiles(hand)
        })
        .collect()
}

/// Complete hands of Ùzje: groups of every family and a pair.
fn wide_complete(decomposer: &Decomposer, count: usize) -> Vec<Holding> {
    let grammar = decomposer.grammar();
    let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
    let shapes: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
    let mut stream = Stream::new(78, 1);
    let mut hands = Vec::new();
    while hands.len() < count {
        let mut below = |n: usize| stream.below(n as u32) as usize;
        let pair = kinds[below(kinds.len())];
        let mut tiles = vec![pair; 2];
        for _ in 0..4 {
            if below(3) == 0 {
                tiles.extend([kinds[below(kinds.len())]; 3]);
            } else {
                let suit = Suit::ALL[below(3)];
                tiles.extend(shapes[below(shapes.len())].group(suit).tiles());
            }
        }
        let mut hand = Counts::EMPTY;
        if tiles.iter().all(|kind| kinds.contains(kind) && hand.try_add(*kind)) {
            hands.push(Holding::of_tiles(hand));
        }
    }
    hands
}

/// Ùzje's forty-two kinds beside the peers' thirty-four. The peers do not play Ùzje. So the ratios only say how
/// close it comes to an easier game.
fn wide(uniform: &[Sample], complete: &[Sample], table: &CTable) {
    const COUNT: usize = 20_000;
    let rules = Rules::by_id("uzje").unwrap();
    let decomposer = rules.plan().decomposer();
    let copies = *decomposer.grammar().copies();
    let mut scratch = Scratch::new();
    let one_suit = |kind: Kind| kind.suit() == Some(Suit::Bamboos) || kind == Kind::ZERO;
    let uniform = Columns::of(uniform);
    let complete = Columns::of(complete);
    let theirs = || uniform.counts.iter().map(|hand| calc_shanten_from_counts(hand, 4) as u64).sum();
    for (what, hands) in [
        ("Ùzje distance, uniform", wide_deals(&copies, 14, COUNT, 11, |_| true)),
        ("Ùzje distance, one suit and zero", wide_deals(&copies, 14, COUNT, 12, one_suit)),
    ] {
        compare(what, COUNT, vec![
            Work::new("paishan", || hands.iter().map(|hand| decomposer.distance(hand, &mut scratch) as u64).sum()),
            Work::new("riichienv-core, 34 kinds", theirs),
        ]);
    }
    let thirteen = wide_deals(&copies, 13, COUNT, 13, |_| true);
    compare("Ùzje accepted tiles of 13", COUNT, vec![
        Work::new("paishan", || thirteen.iter().map(|hand| decomposer.accepts(hand, &mut scratch).1.len() as u64).sum()),
        Work::new("riichienv-core, distance of 34 kinds", theirs),
    ]);
    for (name, hands, peers) in [
        ("complete", wide_complete(decomposer, COUNT), &complete),
        ("random", wide_deals(&copies, 14, COUNT, 14, |_| true), &uniform),
    ] {
        compare(&format!("Ùzje all arrangements, {name} hands"), COUNT, vec![
            Work::new("paishan", || hands.iter().map(|hand| ways(decomposer, hand) as u64).sum()),
            Work::new("riichi-decomp-table, 34 kinds", || peers.keys.iter().map(|keys| table_ways(table, keys) as u64).sum()),
        ]);
    }
}

/// Full scores of closed hands with riichi declared, won off a discard.
fn scores(order: &[Kind], rules: &dyn Ruleset, complete: &[Sample]) {
    use riichienv_core::hand_evaluator::HandEvaluator;
    use riichienv_core::types::{Conditions, Wind as TheirWind};
    let plan = rules.plan();
    let mut stream = Stream::new(5, 5);
    let riichi = plan.flag("riichi").unwrap();
    let mut flags = FlagSet::EMPTY;
    flags.insert(riichi);
    let dora = [Tile::plain(Kind::EAST)];
    // The forms of each program, one after another.
    let (mut wins, mut their_wins, mut named_wins) = (Vec::new(), Vec::new(), Vec::new());
    for sample in complete {
        let held: Vec<usize> = (0..34).filter(|&i| sample.counts[i] > 0).collect();
        let last = held[stream.below(held.len() as u32) as usize];
        let mut rest = sample.counts;
        rest[last] -= 1;
        let tiles: Vec<Tile> = (0..34)
            .flat_map(|i| std::iter::repeat_n(Tile::plain(order[i]), usize::from(rest[i])))
            .collect();
        // No five is red. The peers' red five is the first copy, so it is left out.
        let ids: Vec<u8> = (0..34u8)
            .flat_map(|i| {
                let first = u8::from(matches!(i, 4 | 13 | 22) && rest[usize::from(i)] < 4);
                (0..rest[usize::from(i)]).map(move |copy| 4 * i + (first + copy).min(3))
            })
            .collect();
        if [4, 13, 22].iter().any(|&five| sample.counts[five] == 4) {
            continue;
        }
        let Ok(hand) = Hand::try_new(&plan.tiles(), &tiles, &[], &[]) else {
            continue;
        };
        let win = Win {
            tile: Tile::plain(order[last]),
            way: Way::Discard,
            from: Some(Seat::EAST),
            flags,
            kongs_in_row: 0,
        };
        wins.push((hand, win));
        their_wins.push((ids, 4 * last as u8 + 3));
        named_wins.push(named(&sample.counts, last));
    }
    let seat = Seat::EAST.after(1, 4);
    let input = |hand: &'_ Hand, win: &'_ Win| -> i64 {
        let input = ScoreInput {
            bonus: &dora,
            ..ScoreInput::new(hand, seat, Wind::East, Some(win))
        };
        rules.score_hand(&input).unwrap().points
    };
    let theirs = |ids: &Vec<u8>, last: u8| {
        let conditions = Conditions {
            riichi: true,
            player_wind: TheirWind::South,
            round_wind: TheirWind::East,
            ..Conditions::default()
        };
        let evaluator = HandEvaluator::new(ids.clone(), Vec::new());
        // The indicator is East, so South is the bonus.
        evaluator.calc(last, vec![108], Vec::new(), Some(conditions)).ron_agari
    };
    let ours: Vec<i64> = wins.iter().map(|(hand, win)| input(hand, win)).collect();
    for (name, differ) in [
        ("riichienv-core", ours.iter().zip(&their_wins).filter(|(ours, (ids, last))| **ours != i64::from(theirs(ids, *last))).count()),
        ("agari", ours.iter().zip(&named_wins).filter(|(ours, named)| **ours != i64::from(theirs_by_name(named))).count()),
    ] {
        println!("| scores of {name} that differ (rounded-up mangan, double limits) | {differ} of {} | |", wins.len());
    }
    compare("full score of a won hand", wins.len(), vec![
        Work::new("paishan", || wins.iter().map(|(hand, win)| input(hand, win) as u64).sum()),
        Work::new("riichienv-core", || their_wins.iter().map(|(ids, last)| u64::from(theirs(ids, *last))).sum()),
        Work::new("agari", || named_wins.iter().map(|named| u64::from(theirs_by_name(named))).sum()),
    ]);
}

/// A won hand in the form of `agari`: tiles by name, and the circumstances of the win.
type Named = (agari::parse::TileCounts, agari::context::GameContext);

fn named(counts: &[u8; 34], last: usize) -> Named {
    use agari::context::{GameContext, WinType};
    use agari::tile::{Honor, Suit, Tile};
    let honours = [Honor::East, Honor::South, Honor::West, Honor::North, Honor::White, Honor::Green, Honor::Red];
    let tile = |kind: usize| match kind / 9 {
        lane @ 0..3 => Tile::suited([Suit::Man, Suit::Pin, Suit::Sou][lane], kind as u8 % 9 + 1),
        _ => Tile::honor(honours[kind - 27]),
    };
    let held = (0..34).filter(|&kind| counts[kind] > 0);
    let context = GameContext::new(WinType::Ron, Honor::East, Honor::South)
        .riichi()
        .with_winning_tile(tile(last))
        .with_dora(vec![tile(27)]);
    (held.map(|kind| (tile(kind), counts[kind])).collect(), context)
}

/// The highest score that `agari` finds for a hand.
fn theirs_by_name((counts, context): &Named) -> u32 {
    agari::hand::decompose_hand(counts)
        .iter()
        .map(|structure| {
            let yaku = agari::yaku::detect_yaku_with_context(structure, counts, context);
            agari::scoring::calculate_score(structure, &yaku, context).payment.total
        })
        .max()
        .unwrap_or(0)
}
