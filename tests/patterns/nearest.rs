//! The distance to a hand that is worth enough or has a pattern, compared with its definition: every choice of tiles
//! that are exchanged, tried.

use crate::common::ruleset_with;
use paishan::decompose::{Holding, Scratch};
use paishan::random::Stream;
use paishan::request::{
    Accepted, Declared, Distance, Goal, NearestError, RequestError, SeatHand, Unfinished,
};
use paishan::ruleset;
use paishan::score::Tally;
use paishan::state::{Way, Win};
use paishan::{
    Counts, Decimal, HandError, Kind, KindSet, Notation, Request, Rules, Score, Seat, Suit, Tile,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn tiles(text: &str) -> Vec<Tile> {
    Notation::Ujmj.parse(text).unwrap()
}

fn meets(rules: &Rules, goal: &Goal, score: &Score) -> bool {
    match goal {
        Goal::Points(points) => score.points >= *points,
        Goal::Worth(worth) => match score.tally {
            Tally::Sums(sum) => sum.limit_hand || sum.columns[0] >= *worth,
            Tally::HanFu(sum) => sum.limits > 0 || 10 * i64::from(sum.han) >= worth.tenths(),
            _ => unreachable!(),
        },
        Goal::Pattern(id) => {
            let ids = score
                .lines
                .iter()
                .map(|line| rules.plan().score().pattern(line).unwrap());
            ids.map(|one| &one.id).any(|one| one == id)
        }
        _ => true,
    }
}

/// Every choice of `count` tiles among `held`, as sorted kinds.
fn choices(held: &Counts, count: usize) -> Vec<Vec<Kind>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|chosen: Vec<Kind>| {
                let may = |kind: &Kind| {
                    let has = chosen.iter().filter(|one| *one == kind).count();
                    chosen.last().is_none_or(|last| last <= kind) && has < held.get(*kind).into()
                };
                let more: Vec<Kind> = held.kinds().iter().filter(may).collect();
                more.into_iter()
                    .map(move |kind| [&chosen[..], &[kind]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// Takes a tile of a kind out of a hand, a plain one first.
fn take(hand: &mut Vec<Tile>, kind: Kind) -> Tile {
    let places = hand
        .iter()
        .enumerate()
        .filter(|(_, tile)| tile.kind() == Some(kind));
    let place = places.min_by_key(|(_, tile)| tile.is_red()).unwrap().0;
    hand.remove(place)
}

/// True if the hand wins with the tile and meets the goal.
fn scores(rules: &Rules, asked: &Unfinished, concealed: Vec<Tile>, tile: Tile) -> bool {
    let mut hand = asked.hand.clone();
    hand.concealed = concealed;
    let request = Request::of_hand(hand, Some(Win { tile, ..asked.win }));
    let score = rules.score(&request);
    score.is_ok_and(|score| meets(rules, &asked.goal, &score))
}

/// What [`Nearest`](paishan::request::Nearest) has: the distance, then for each discard what is accepted.
type Found = Option<(i8, BTreeMap<Option<Kind>, KindSet>)>;

/// The definition: of all complete hands that meet the goal, those with the fewest missing tiles.
fn slowly(rules: &Rules, asked: &Unfinished) -> Found {
    let plan = rules.plan();
    let decomposer = plan.decomposer();
    let full = decomposer.grammar().hand_tiles() + 1;
    let hand = &asked.hand;
    let mut held = Counts::EMPTY;
    for kind in hand.concealed.iter().filter_map(|tile| tile.kind()) {
        assert!(held.try_add(kind));
    }
    let mut left = plan.tiles().copies().saturating_minus(&held);
    let melded = hand.melds.iter().flat_map(|meld| &meld.tiles);
    for kind in melded.chain(&asked.seen).filter_map(|tile| tile.kind()) {
        assert!(left.try_remove(kind));
    }
    let size = hand.concealed.len() + 3 * hand.melds.len();
    for missing in 0..=usize::from(asked.within) + 1 {
        let mut found = BTreeMap::<Option<Kind>, KindSet>::new();
        for removed in choices(&held, size + missing - full.min(size + missing)) {
            if size + missing < full {
                continue;
            }
            let mut others = left;
            for &kind in &removed {
                others.set(kind, 0);
            }
            for added in choices(&others, missing) {
                let mut whole = hand.concealed.clone();
                for &kind in &removed {
                    take(&mut whole, kind);
                }
                whole.extend(added.iter().map(|&kind| Tile::plain(kind)));
                let mut counts = Counts::EMPTY;
                for kind in whole.iter().filter_map(|tile| tile.kind()) {
                    counts.try_add(kind);
                }
                let mut holding = Holding::of_tiles(counts);
                holding.melds = 0;
                for meld in &hand.melds {
                    holding.declare(paishan::Group::pung(meld.tiles[0].kind().unwrap()), true);
                }
                if !decomposer.is_complete(&holding) {
                    continue;
                }
                let last = if missing == 0 {
                    counts.kinds()
                } else {
                    added.iter().copied().collect()
                };
                for last in last.iter() {
                    let mut rest = whole.clone();
                    let tile = take(&mut rest, last);
                    if !scores(rules, asked, rest, tile) {
                        continue;
                    }
                    let mut next: Vec<Kind> = added.clone();
                    if missing > 1 {
                        next.remove(next.iter().position(|&kind| kind == last).unwrap());
                    }
                    let next: KindSet = next.into_iter().collect();
                    let discards: Vec<Option<Kind>> = match size == full {
                        true => removed.iter().copied().map(Some).collect(),
                        false => vec![None],
                    };
                    if missing == 0 {
                        return Some((-1, BTreeMap::new()));
                    }
                    for discard in discards {
                        let kinds = found.entry(discard).or_insert(KindSet::EMPTY);
                        *kinds = kinds.union(next);
                    }
                }
            }
        }
        if !found.is_empty() {
            return Some((missing as i8 - 1, found));
        }
    }
    None
}

fn kinds(accepts: &[Accepted]) -> KindSet {
    accepts.iter().map(|one| one.kind).collect()
}

fn fast(rules: &Rules, asked: &Unfinished) -> Found {
    let nearest = rules.nearest(asked).unwrap();
    let Distance::Exactly(distance) = nearest.distance else {
        assert_eq!(nearest.distance, Distance::Beyond(asked.within));
        return None;
    };
    let mut found = BTreeMap::new();
    if !nearest.must_discard {
        found.insert(None, kinds(&nearest.accepts));
    }
    for discard in &nearest.discards {
        found.insert(Some(discard.kind), kinds(&discard.accepts));
    }
    Some((distance, found))
}

/// A pick of one kind, weighted by the copies.
fn pick(stream: &mut Stream, from: &Counts) -> Kind {
    let all: Vec<Kind> = from.iter().collect();
    all[stream.below(all.len() as u32) as usize]
}

/// A hand at most `distance` from ready, a goal that it can meet in some way, and what others show.
fn example(rules: &Rules, seed: u64, distance: i8, is_drawn: bool) -> Option<Unfinished> {
    let plan = rules.plan();
    let decomposer = plan.decomposer();
    let mut stream = Stream::new(seed, 0);
    let mut scratch = Scratch::new();
    let mut left = *plan.tiles().copies();
    // Drawn fives count as plain ones, and the set has as many plain ones as it has.
    let mut reds = Vec::new();
    for suit in Suit::ALL {
        let red = Tile::red_five(suit);
        for _ in 0..plan.tiles().reds(suit) {
            left.try_remove(red.kind().unwrap());
            reds.push(red);
        }
    }
    // They are in no hand.
    let forced = plan.play().aside.forced();
    forced.iter().for_each(|kind| left.set(kind, 0));
    let all_but_reds = left;
    let mut hand = SeatHand::new(Seat::SOUTH, Vec::new());
    let mut holding = Holding::of_tiles(Counts::EMPTY);
    holding.melds = 0;
    for _ in 0..stream.below(3).saturating_sub(1) + u32::from(seed.is_multiple_of(7)) {
        let kind = pick(&mut stream, &left);
        if left.get(kind) < 3 || kind == Kind::JOKER {
            continue;
        }
        hand.melds.push(Declared::open(vec![Tile::plain(kind); 3]));
        holding.declare(paishan::Group::pung(kind), true);
        left.set(kind, left.get(kind) - 3);
    }
    let size = decomposer.grammar().hand_tiles() - 3 * hand.melds.len();
    while holding.concealed.total() < size {
        let kind = pick(&mut stream, &left);
        left.try_remove(kind);
        holding.concealed.try_add(kind);
    }
    let mut first = None;
    let mut last;
    loop {
        let (now, accepts) = decomposer.accepts(&holding, &mut scratch);
        if first.is_none() && now <= distance {
            first = Some(holding.concealed);
        }
        let mut wanted = Counts::EMPTY;
        accepts
            .iter()
            .for_each(|kind| wanted.set(kind, left.get(kind)));
        if wanted.is_empty() {
            return None;
        }
        last = pick(&mut stream, &wanted);
        if now <= 0 {
            break;
        }
        left.try_remove(last);
        holding.concealed.try_add(last);
        let mut keeps = Vec::new();
        decomposer.discards(&holding, &mut scratch, |kind, _| keeps.push(kind));
        let discard = *keeps.get(stream.below(keeps.len().max(1) as u32) as usize)?;
        holding.concealed.try_remove(discard);
    }
    let all = |counts: &Counts| counts.iter().map(Tile::plain).collect::<Vec<_>>();
    let mut asked = Unfinished::new(hand, Goal::Complete);
    asked.within = distance as u8;
    if seed.is_multiple_of(2) {
        asked.win.way = Way::Discard;
        asked.win.from = Some(Seat::EAST);
    }
    asked.hand.concealed = all(&holding.concealed);
    let request = Request::of_hand(
        asked.hand.clone(),
        Some(Win {
            tile: last.into(),
            ..asked.win
        }),
    );
    // Where a meld or the way of the win is not allowed.
    let table = request.check(rules).ok()?;
    asked.goal = match table.score() {
        Ok(score) => match (stream.below(3), score.lines.len()) {
            (0, 1..) => {
                let line = score.lines[stream.below(score.lines.len() as u32) as usize];
                Goal::Pattern(plan.score().pattern(&line).unwrap().id.clone())
            }
            (1, _) => Goal::Points(score.points),
            _ => Goal::Worth(match score.tally {
                Tally::Sums(sum) => sum.columns[0],
                Tally::HanFu(sum) => Decimal::whole(sum.han.into()),
                _ => unreachable!(),
            }),
        },
        Err(_) => Goal::Worth(Decimal::default()),
    };
    let first = first?;
    asked.hand.concealed = all(&first);
    asked.seen = reds;
    left = all_but_reds
        .saturating_minus(&first)
        .saturating_minus(&holding.declared);
    if is_drawn {
        let drawn = pick(&mut stream, &left);
        asked.hand.concealed.push(drawn.into());
        left.try_remove(drawn);
    }
    for _ in 0..stream.below(20) {
        let seen = pick(&mut stream, &left);
        left.try_remove(seen);
        asked.seen.push(seen.into());
    }
    Some(asked)
}

/// Compares the answer with the definition. True if the goal is within the bound.
fn compare(id: &str, seed: u64, distance: i8, is_drawn: bool) -> Result<bool, TestCaseError> {
    let rules = Rules::by_id(id).unwrap();
    let Some(asked) = example(&rules, seed, distance, is_drawn) else {
        return Ok(false);
    };
    let found = slowly(&rules, &asked);
    prop_assert_eq!(&fast(&rules, &asked), &found, "{}: {:?}", id, asked);
    Ok(found.is_some())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn distance_to_a_goal_is_that_of_the_definition(seed: u64, place in 0usize..100, is_drawn: bool) {
        let ids: Vec<&str> = ruleset::ids().collect();
        let distance = if is_drawn { 0 } else { 1 };
        compare(ids[place % ids.len()], seed, distance, is_drawn)?;
    }
}

#[test]
fn every_ruleset_agrees_with_the_definition() {
    for id in ruleset::ids() {
        let mut compared = 0;
        for seed in 0.. {
            compared += u32::from(
                compare(id, seed, seed as i8 % 2, seed % 3 == 1 && seed % 2 == 0).unwrap(),
            );
            if compared == 6 {
                break;
            }
            assert!(seed < 500, "{id}");
        }
    }
}

/// One suit: farther hands take the definition no longer.
#[test]
fn far_hands_of_one_suit_agree_with_the_definition() {
    let mut compared = 0;
    for seed in 0..12 {
        compared += u32::from(compare("two-player", seed, 2, false).unwrap());
        compared += u32::from(compare("two-player", seed, 1, true).unwrap());
    }
    assert!(compared > 8, "{compared}");
}

/// Four concealed pungs. A wait for the pair is another pattern, so 777m does not lead to this one.
#[test]
fn accepted_tiles_lead_to_the_pattern_and_are_counted() {
    let rules = Rules::by_id("riichi-tenhou").unwrap();
    let pattern = |id: &str| Goal::Pattern(id.to_owned());
    let hand = SeatHand::new(Seat::SOUTH, tiles("222444t555s23m77mE"));
    let mut asked = Unfinished::new(hand, pattern("four-concealed-pons"));
    asked.seen = tiles("7m3m");
    let nearest = rules.nearest(&asked).unwrap();
    assert_eq!(nearest.distance, Distance::Exactly(1));
    let told = |accepts: &[Accepted]| {
        let accepts = accepts.iter();
        let accepts = accepts.map(|one| format!("{}x{}", one.kind, one.left));
        accepts.collect::<Vec<_>>().join(" ")
    };
    let discards = nearest.discards.iter();
    let discards = discards.map(|one| (one.kind.to_string(), told(&one.accepts), one.left()));
    let discards: Vec<_> = discards.collect();
    let want = [
        ("2m", "3mx2 Ex3", 5),
        ("3m", "2mx3 Ex3", 6),
        ("E", "2mx3 3mx2", 5),
    ];
    assert_eq!(
        discards,
        want.map(|(kind, accepts, left)| (kind.to_owned(), accepts.to_owned(), left))
    );
    // Off a discard the last pung is not concealed, so the hand must wait for the pair.
    asked.win.way = Way::Discard;
    asked.hand.concealed = tiles("222444t555s2m77mE");
    assert_eq!(rules.nearest(&asked).unwrap().distance, Distance::Beyond(2));
    asked.goal = pattern("pair-wait-on-four-concealed-pons");
    let nearest = rules.nearest(&asked).unwrap();
    assert_eq!(
        (nearest.distance, told(&nearest.accepts)),
        (Distance::Exactly(1), "7mx1".to_owned())
    );
    // With all 7m seen it needs 222m and a pair of E.
    asked.seen = tiles("7m7m");
    let nearest = rules.nearest(&asked).unwrap();
    assert_eq!(nearest.distance, Distance::Exactly(2));
    asked.within = 1;
    assert_eq!(rules.nearest(&asked).unwrap().distance, Distance::Beyond(1));
}

/// 234t is worth six fan (all chows, a concealed hand with a drawn tile), 345t beside 345s seven.
#[test]
fn tiles_that_are_worth_too_little_are_not_accepted() {
    let rules = Rules::by_id("mcr").unwrap();
    let hand = SeatHand::new(Seat::SOUTH, tiles("123t345s567m22s34t"));
    let mut asked = Unfinished::new(hand, Goal::Complete);
    asked.within = 1;
    let mut waits = |goal| {
        asked.goal = goal;
        let nearest = rules.nearest(&asked).unwrap();
        let is_ready = nearest.distance == Distance::Exactly(0);
        is_ready.then(|| {
            Notation::Ujmj
                .print_kinds(kinds(&nearest.accepts).iter())
                .concat()
        })
    };
    assert_eq!(waits(Goal::Complete).as_deref(), Some("2t5t"));
    assert_eq!(waits(Goal::Worth(Decimal::whole(7))), None);
    let rules = ruleset_with("mcr", &["minimum=0"]);
    let mut waits = |worth| {
        asked.goal = Goal::Worth(Decimal::whole(worth));
        let nearest = rules.nearest(&asked).unwrap();
        let is_ready = nearest.distance == Distance::Exactly(0);
        is_ready.then(|| {
            Notation::Ujmj
                .print_kinds(kinds(&nearest.accepts).iter())
                .concat()
        })
    };
    assert_eq!(waits(6).as_deref(), Some("2t5t"));
    assert_eq!(waits(7).as_deref(), Some("5t"));
    assert_eq!(waits(8), None);
}

#[test]
fn impossible_questions_are_refused() {
    let rules = Rules::by_id("woo").unwrap();
    let hand = SeatHand::new(Seat::SOUTH, tiles("123t456s789mEES"));
    let mut asked = Unfinished::new(hand, Goal::Complete);
    let is_count = |error| matches!(error, HandError::WrongTileCount { have: 12, .. });
    let error = rules.nearest(&asked).unwrap_err();
    assert!(matches!(
        error,
        NearestError::Request(RequestError::Hand { error, .. }) if is_count(error.clone())
    ));
    asked.hand.concealed = tiles("123t456s789mEESS");
    asked.seen = tiles("EEE");
    assert_eq!(rules.nearest(&asked).unwrap_err().code(), "too-many-copies");
    asked.seen = tiles("EE");
    assert_eq!(rules.nearest(&asked).unwrap().left(), 2);
    asked.goal = Goal::Pattern("nothing".to_owned());
    assert_eq!(
        rules.nearest(&asked),
        Err(NearestError::NoPattern {
            id: "nothing".to_owned()
        })
    );
    asked.goal = Goal::Points(1);
    asked.within = 4;
    assert_eq!(
        rules.nearest(&asked),
        Err(NearestError::Within { within: 4 })
    );
    asked.within = 0;
    asked.win.from = Some(Seat::SOUTH);
    assert!(matches!(
        rules.nearest(&asked),
        Err(NearestError::Request(RequestError::Win { .. }))
    ));
}

/// A tile with which `[win]` refuses the hand is not accepted: `changsha` wants a pair of 2, 5 or 8.
#[test]
fn ready_hands_wait_only_for_tiles_that_win() {
    let rules = Rules::by_id("changsha").unwrap();
    let near = |text: &str| {
        let hand = SeatHand::new(Seat::EAST, tiles(text));
        let nearest = rules
            .nearest(&Unfinished::new(hand, Goal::Complete))
            .unwrap();
        let kinds = |accepts: &[Accepted]| {
            let kinds = accepts.iter().map(|one| one.kind.into());
            Notation::Ujmj.print(kinds)
        };
        let discards = nearest.discards.iter();
        let discards: Vec<_> = discards
            .map(|one| (one.kind.to_string(), kinds(&one.accepts)))
            .collect();
        (nearest.distance, kinds(&nearest.accepts), discards)
    };
    let exactly = Distance::Exactly;
    // The pair is 5m with 444m; with 3m or 6m it is 4m.
    assert_eq!(
        near("123t456t789s4445m"),
        (exactly(0), "5m".to_owned(), vec![])
    );
    // With 1m and 4m the pair is 6m: one more tile is needed for a pair that counts.
    let (distance, accepts, _) = near("123t456t789s23m66m");
    assert_eq!((distance, accepts.as_str()), (exactly(1), "26m"));
    // Complete with a pair of 6m, and no single tile makes another pair.
    let (distance, _, discards) = near("123t456t789s234m66m");
    assert_eq!(distance, exactly(1));
    assert!(!discards.is_empty());
    assert_eq!(near("123t456t789s234m55m").0, exactly(-1));
}

/// A hand one tile away is nearer with the tiles after which some discard leaves a hand that waits for a tile that wins.
#[test]
fn hands_one_tile_away_accept_what_leads_to_a_wait_that_wins() {
    for id in ["changsha", "sichuan"] {
        let rules = Rules::by_id(id).unwrap();
        let decomposer = rules.plan().decomposer();
        let copies = rules.plan().tiles().copies();
        let set: Vec<Kind> = copies.kinds().iter().collect();
        let (mut scratch, mut stream) = (Scratch::new(), Stream::new(5, 1));
        let nearest = |hand: &[Tile]| {
            let hand = SeatHand::new(Seat::EAST, hand.to_vec());
            rules
                .nearest(&Unfinished::new(hand, Goal::Complete))
                .unwrap()
        };
        let (mut nearer, mut refused) = (0, 0);
        while nearer + refused < 40 {
            let mut hand: Vec<Tile> = Vec::new();
            let mut held = Counts::EMPTY;
            let few = set.len() / 2 + stream.below(set.len() as u32 / 2) as usize;
            while hand.len() < 13 {
                let kind = set[stream.below(few as u32) as usize];
                if held.get(kind) < copies.get(kind) && held.try_add(kind) {
                    hand.push(kind.into());
                }
            }
            let lacks = |hand: &[Tile], scratch: &mut Scratch| {
                let mut counts = Counts::EMPTY;
                for kind in hand.iter().filter_map(|tile| tile.kind()) {
                    counts.try_add(kind);
                }
                let holding = Holding::of_tiles(counts);
                decomposer.distance(&holding, scratch)
            };
            if lacks(&hand, &mut scratch) != 1 {
                continue;
            }
            let mut accepts = Vec::new();
            for kind in copies
                .kinds()
                .iter()
                .filter(|&kind| held.get(kind) < copies.get(kind))
            {
                let leads = (0..hand.len()).any(|place| {
                    let mut after = hand.clone();
                    after[place] = kind.into();
                    lacks(&after, &mut scratch) == 0
                        && nearest(&after).distance == Distance::Exactly(0)
                });
                accepts.extend(leads.then_some(kind));
            }
            let found = nearest(&hand);
            let kinds: Vec<Kind> = found.accepts.iter().map(|one| one.kind).collect();
            if accepts.is_empty() {
                assert_ne!(found.distance, Distance::Exactly(1), "{id} {hand:?}");
                refused += 1;
            } else {
                assert_eq!(found.distance, Distance::Exactly(1), "{id} {hand:?}");
                assert_eq!(kinds, accepts, "{id} {hand:?}");
                nearer += 1;
            }
        }
        assert!(nearer > 5 && refused > 0, "{id}: {nearer} {refused}");
    }
}
