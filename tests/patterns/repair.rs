//! Repairs: the fewest changes after which a hand wins or has a pattern, compared with every change that the
//! documentation of `Change` allows.

use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::random::Stream;
use paishan::request::{Declared, Goal, MOST_CHANGES, Repair, RepairError, Request, SeatHand};
use paishan::ruleset::{self, Plan};
use paishan::score::ScoreError;
use paishan::state::{DealState, FlagSet, Way, Win};
use paishan::{Family, Group, Kind, Notation, Rules, Seat, Suit, Tile, Wind, agent, simulate};
use proptest::prelude::*;
use std::time::Instant;

/// True if the hand of a request, which is the only one, reaches a goal.
fn reaches(rules: &Rules, request: &Request, goal: &Goal) -> bool {
    let Ok(table) = request.check(rules) else {
        return false;
    };
    let (wins, score) = match table.score() {
        Ok(score) => (true, score),
        Err(ScoreError::BelowMinimum(score)) => (false, *score),
        Err(_) => return false,
    };
    let scored = rules.plan().score();
    match goal {
        Goal::Win => wins,
        Goal::Pattern(id) => {
            let mut counted = score.lines.iter().filter_map(|line| scored.pattern(line));
            counted.any(|pattern| pattern.id == *id)
        }
        other => panic!("{other:?}"),
    }
}

/// Every tile of the set but flowers.
fn plain_tiles(rules: &Rules) -> Vec<Tile> {
    let set = rules.plan().tiles();
    let reds = Suit::ALL.map(Tile::red_five);
    let all = set.kinds().iter().map(Tile::plain).chain(reds);
    all.filter(|tile| set.contains(*tile)).collect()
}

/// Other melds of the same sort as a group.
fn like(rules: &Rules, group: Group) -> Vec<Vec<Tile>> {
    let kinds = || {
        let kinds = rules.plan().tiles().kinds().iter();
        kinds.filter(|kind| *kind != Kind::JOKER)
    };
    let of = |number| {
        kinds()
            .map(|kind| vec![Tile::plain(kind); number])
            .collect()
    };
    match group.family() {
        Family::Pung => of(3),
        Family::Kong => of(4),
        _ => {
            let shapes = rules.plan().decomposer().grammar().shapes();
            let groups = shapes.flat_map(|(_, shape)| Suit::ALL.map(|suit| shape.group(suit)));
            groups
                .map(|group| group.tiles().map(Tile::plain).collect())
                .collect()
        }
    }
}

/// The meld that a change is about.
#[derive(Clone, Copy, Debug)]
struct Touched {
    index: usize,
    removed: bool,
}

/// Visits every request that is one change away, refused ones among them. The request has one hand and a win.
fn each_change(rules: &Rules, request: &Request, visit: &mut dyn FnMut(Option<Touched>, Request)) {
    let plan = rules.plan();
    let set = plan.tiles();
    let (hand, win) = (&request.hands[0], request.wins[0].1);
    let mut touching = |touched: Option<Touched>, change: &dyn Fn(&mut Request)| {
        let mut changed = request.clone();
        change(&mut changed);
        visit(touched, changed);
    };
    for (index, meld) in hand.melds.iter().enumerate() {
        let kept = Some(Touched {
            index,
            removed: false,
        });
        let natural = || meld.tiles.iter().map(|tile| tile.kind());
        let kinds: Option<Vec<Kind>> = natural().filter(|one| *one != Some(Kind::JOKER)).collect();
        let group = match kinds.as_deref() {
            // A pung with jokers.
            Some([kind, others @ ..]) if others.iter().all(|other| other == kind) => {
                match meld.tiles.len() {
                    3 => Group::pung(*kind),
                    _ => Group::kong(*kind),
                }
            }
            Some(kinds @ [_, _, _]) => Group::of(kinds).unwrap(),
            // A run with a joker: any run will do.
            _ => run(),
        };
        for tiles in like(rules, group) {
            touching(kept, &|request| {
                request.hands[0].melds[index].tiles.clone_from(&tiles)
            });
        }
        if meld.open {
            let concealed = Declared::concealed(meld.tiles.clone());
            touching(kept, &|request| {
                request.hands[0].melds[index] = concealed.clone()
            });
        }
        if meld.tiles.len() == 3 {
            let removed = Some(Touched {
                index,
                removed: true,
            });
            touching(removed, &|request| {
                request.hands[0].melds.remove(index);
                request.hands[0].concealed.extend(&meld.tiles);
            });
        }
    }
    let mut with = |change: &dyn Fn(&mut Request)| touching(None, change);
    let set_winning = |request: &mut Request, tile| request.wins[0].1.tile = tile;
    let all = plain_tiles(rules);
    let is_first = |place: &usize| !hand.concealed[..*place].contains(&hand.concealed[*place]);
    for place in (0..hand.concealed.len()).filter(is_first) {
        for &tile in &all {
            with(&|request| request.hands[0].concealed[place] = tile);
        }
        with(&|request| {
            set_winning(request, hand.concealed[place]);
            request.hands[0].concealed[place] = win.tile;
        });
    }
    for &tile in &all {
        with(&|request| set_winning(request, tile));
    }
    for flower in set.flowers().iter() {
        let tile = Tile::flower(flower);
        with(&|request| set_winning(request, tile));
        with(&|request| {
            let flowers = &mut request.hands[0].aside;
            match flowers.iter().position(|one| *one == tile) {
                Some(place) => drop(flowers.remove(place)),
                None => flowers.push(tile),
            }
        });
    }
    for &way in plan.ways() {
        let givers = match way.is_self_draw() {
            true => vec![None, win.from.filter(|_| way == Way::Replacement)],
            false => Seat::all(plan.players()).map(Some).chain([None]).collect(),
        };
        for from in givers {
            with(&|request| (request.wins[0].1.way, request.wins[0].1.from) = (way, from));
        }
    }
    for flag in 0..plan.flags().len() {
        with(&|request| {
            let win = &mut request.wins[0].1;
            let others = win.flags.iter().filter(|other| *other != flag);
            let others: Vec<usize> = others.collect();
            if win.flags.contains(flag) {
                win.flags = FlagSet::EMPTY;
                others.into_iter().for_each(|other| win.flags.insert(other));
            } else {
                win.flags.insert(flag);
            }
            if plan.kong_flag() == Some(flag) {
                win.kongs_in_row = u8::from(win.flags.contains(flag));
            }
        });
    }
    for count in 1..=4 {
        with(&|request| request.wins[0].1.kongs_in_row = count);
    }
    for kind in plan.play().aside.by_choice().iter() {
        with(&|request| request.hands[0].aside.push(kind.into()));
        with(&|request| {
            request.hands[0].aside.pop();
        });
    }
    if plan.matches().round_winds {
        for wind in Wind::ALL {
            with(&|request| request.round = wind);
        }
    }
    for steps in 1..plan.players() {
        let turn = |seat: &mut Seat| *seat = seat.after(steps, plan.players());
        with(&|request| {
            let hand = &mut request.hands[0];
            turn(&mut hand.seat);
            let melds = hand.melds.iter_mut();
            melds.filter_map(|meld| meld.from.as_mut()).for_each(turn);
            turn(&mut request.wins[0].0);
            request.wins[0].1.from.as_mut().into_iter().for_each(turn);
        });
    }
}

/// Visits every request that is another change away from a changed one. A meld changes once.
fn each_second(
    rules: &Rules,
    (first, request): &(Option<Touched>, Request),
    visit: &mut dyn FnMut(Request),
) {
    let kept = first.filter(|first| !first.removed);
    each_change(rules, request, &mut |second, changed| {
        let is_again = kept
            .zip(second)
            .is_some_and(|(first, second)| first.index == second.index);
        if !is_again {
            visit(changed);
        }
    });
}

fn run() -> Group {
    let kinds = [1, 2, 3].map(|rank| {
        let rank = paishan::Rank::new(rank).unwrap();
        Kind::number(Suit::Circles, rank)
    });
    Group::of(&kinds).unwrap()
}

/// A request with its tiles in order.
fn sorted(mut request: Request) -> Request {
    let hand = &mut request.hands[0];
    hand.concealed.sort();
    hand.aside.sort();
    let win = &mut request.wins[0].1;
    win.kongs_in_row = win.kongs_in_row.max(1);
    request
}

/// How the repairs of some hands came out: the number with 0, 1, 2 changes, and those without a repair.
#[derive(Debug, Default)]
struct Found {
    with: [u32; MOST_CHANGES + 1],
    none: u32,
    /// Pairs of changes that were tried where there is no repair, and hands of which all pairs were.
    tried: u64,
    whole: u32,
}

/// Compares a repair with every single change, and with some pairs of changes, or with all of them.
fn compare(
    rules: &Rules,
    request: &Request,
    goal: &Goal,
    samples: usize,
    random: &mut Stream,
    found: &mut Found,
) {
    let about = || format!("{} {goal:?} {request:?}", rules.plan().id());
    let repair = rules.repair(request, goal).unwrap();
    let is = reaches(rules, request, goal);
    if let Some(Repair {
        changes, request, ..
    }) = &repair
    {
        assert!(reaches(rules, request, goal), "{changes:?}: {}", about());
        assert!(changes.is_sorted() && changes.len() <= MOST_CHANGES);
        found.with[changes.len()] += 1;
    }
    let number = repair.as_ref().map(|repair| repair.changes.len());
    assert_eq!(number == Some(0), is, "{}", about());
    if is {
        assert_eq!(repair.unwrap().request, *request);
        return;
    }
    let mut singles = Vec::new();
    each_change(rules, request, &mut |touched, changed| {
        singles.push((touched, changed))
    });
    let reached: Vec<&Request> = singles
        .iter()
        .map(|(_, changed)| changed)
        .filter(|changed| reaches(rules, changed, goal))
        .collect();
    assert_eq!(
        number == Some(1),
        !reached.is_empty(),
        "{}: {repair:?} {reached:?}",
        about()
    );
    match &repair {
        Some(repair) if number == Some(1) => {
            let own = sorted(repair.request.clone());
            let mut reached = reached.into_iter().cloned().map(sorted);
            assert!(reached.any(|other| other == own), "{repair:?}: {}", about());
        }
        Some(repair) => {
            // Some single change leads to a request that is a single change away from the repair.
            let own = sorted(repair.request.clone());
            let mut is_near = false;
            if samples == 0 || found.with[2] % 64 == 1 {
                for single in &singles {
                    each_second(rules, single, &mut |changed| {
                        is_near |= sorted(changed) == own
                    });
                }
                assert!(is_near, "{repair:?}: {}", about());
            }
        }
        None => {
            found.none += 1;
            found.whole += u32::from(samples == 0);
            let mut wrong = None;
            let mut try_all = |single: &(Option<Touched>, Request), part: Option<usize>| {
                let mut pairs = Vec::new();
                each_second(rules, single, &mut |changed| pairs.push(changed));
                let chosen = part.map(|part| part % pairs.len());
                for (i, pair) in pairs.iter().enumerate() {
                    if chosen.is_none_or(|chosen| chosen == i) {
                        found.tried += 1;
                        if reaches(rules, pair, goal) {
                            wrong = Some(pair.clone());
                        }
                    }
                }
            };
            if samples == 0 {
                singles.iter().for_each(|single| try_all(single, None));
            }
            for _ in 0..samples {
                let single = &singles[random.below(singles.len() as u32) as usize];
                try_all(single, Some(random.below(1 << 20) as usize));
            }
            assert_eq!(wrong, None, "{}", about());
        }
    }
}

/// Collects the wins of matches, each as a request of one hand.
struct Wins<'a> {
    plan: &'a Plan,
    wins: Vec<Request>,
    most: usize,
}

impl Observer for Wins<'_> {
    fn wants_more(&self) -> bool {
        self.wins.len() < self.most
    }

    fn paid(&mut self, state: &DealState, outcome: &Outcome) {
        self.take(state, outcome);
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        if !self.plan.pays_within_deals() {
            self.take(state, outcome);
        }
    }
}

impl Wins<'_> {
    fn take(&mut self, state: &DealState, outcome: &Outcome) {
        let request = Request::of_deal(self.plan, state, outcome);
        let Some(&(seat, win)) = request.wins.first() else {
            return;
        };
        let hand = request.hands.iter().find(|hand| hand.seat == seat);
        let alone = Request::of_hand(hand.unwrap().clone(), Some(win));
        let mut own = request.clone();
        (own.hands, own.wins) = (alone.hands, alone.wins);
        self.wins.push(own);
    }
}

/// Repairs of `number` random pairs of a won hand and a pattern, or the win of a hand with a changed tile.
fn compare_many(id: &str, number: usize, whole: usize) -> Found {
    let rules = Rules::by_id(id).unwrap();
    let mut random = Stream::new(7, 0);
    let mut wins = Wins {
        plan: rules.plan(),
        wins: Vec::new(),
        most: number.div_ceil(4),
    };
    for seed in 0.. {
        if !wins.wants_more() {
            break;
        }
        let name = ["greedy", "value"][seed as usize % 2];
        let mut agents = agent::for_all(name, rules.plan()).unwrap();
        simulate::play(&rules, &mut agents, seed, &mut wins).unwrap();
    }
    let all = plain_tiles(&rules);
    let mut found = Found::default();
    for i in 0..number {
        let mut request = wins.wins[i % wins.wins.len()].clone();
        let patterns = rules.plan().score().patterns();
        let pattern = &patterns[random.below(patterns.len() as u32) as usize];
        let goal = match i % 8 {
            // One or two tiles of the hand are others.
            0 => {
                for _ in 0..=random.below(2) {
                    let concealed = &mut request.hands[0].concealed;
                    let place = random.below(concealed.len() as u32) as usize;
                    concealed[place] = all[random.below(all.len() as u32) as usize];
                }
                Goal::Win
            }
            _ => Goal::Pattern(pattern.id.clone()),
        };
        if request.check(&rules).is_err() {
            continue;
        }
        let samples = match i % number.div_ceil(whole.max(1)) {
            0 if whole > 0 => 0,
            _ => 200,
        };
        compare(&rules, &request, &goal, samples, &mut random, &mut found);
    }
    found
}

#[test]
fn no_smaller_change_repairs() {
    for id in ruleset::ids() {
        let found = compare_many(id, 6, 0);
        assert!(
            found.with.iter().sum::<u32>() + found.none > 3,
            "{id} {found:?}"
        );
    }
}

/// `PAISHAN_RULESET` names one ruleset.
#[test]
#[ignore = "takes long: cargo test --release --test patterns no_smaller_change_repairs_many -- --ignored --nocapture"]
#[allow(clippy::print_stdout, reason = "says what was compared")]
fn no_smaller_change_repairs_many() {
    let only = std::env::var("PAISHAN_RULESET").ok();
    for id in ruleset::ids().filter(|id| only.as_deref().is_none_or(|only| only == *id)) {
        let start = Instant::now();
        let found = compare_many(id, 2_000, 8);
        println!("{id}: {found:?} {:?}", start.elapsed());
        assert!(
            found.none > 0 && found.with.iter().all(|&number| number > 0),
            "{id} {found:?}"
        );
    }
}

/// Hands of ten tiles, one suit of six ranks, and two honours: few enough to try every pair of changes.
fn small() -> Rules {
    let text = r#"
[ruleset]
id = "small"
extends = "two-player"

[tiles]
copies = [
    { tiles = "123456m", count = 4 },
    { tiles = "EC", count = 4 },
]

[tiles.classes]
simple = "2345m"
terminal = "1m"
wind = "E"
dragon = "C"
honour = "EC"

[deal]
packets = [4, 4, 2]

[forms.seven-pairs]
enabled = false

[forms.thirteen-orphans]
enabled = false

[patterns.seven-pairs]
enabled = false

[patterns.thirteen-orphans]
enabled = false
"#;
    match Rules::from_toml("small.toml", text) {
        Ok(rules) => rules,
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    /// Complete hands with up to two other tiles, with and without a declared meld.
    #[test]
    fn repairs_of_small_hands(
        groups in proptest::collection::vec(0..12_usize, 3),
        pair in 0..8_usize,
        declared: bool,
        drawn: bool,
        others in proptest::collection::vec((0..10_usize, 0..8_usize), 0..3),
        goal in any::<proptest::sample::Index>(),
    ) {
        let rules = small();
        let all = plain_tiles(&rules);
        let group = |group: usize| match group {
            0..4 => all[group..group + 3].to_vec(),
            pung => vec![all[pung - 4]; 3],
        };
        let mut tiles: Vec<Tile> = groups.iter().skip(usize::from(declared)).flat_map(|&one| group(one)).collect();
        tiles.extend([all[pair]; 2]);
        let concealed = tiles.len() - 1;
        for (place, kind) in others {
            tiles[place % concealed] = all[kind];
        }
        let tile = tiles.pop().unwrap();
        let mut hand = SeatHand::new(Seat::EAST, tiles);
        if declared {
            let mut meld = Declared::open(group(groups[0]));
            meld.from = Some(Seat::SOUTH);
            hand.melds.push(meld);
        }
        let win = match drawn {
            true => Win::drawn(tile),
            false => Win::off(tile, Seat::SOUTH),
        };
        let request = Request::of_hand(hand, Some(win));
        prop_assume!(request.check(&rules).is_ok());
        let patterns = rules.plan().score().patterns();
        let goal = match goal.index(patterns.len() + 4).checked_sub(4) {
            None => Goal::Win,
            Some(pattern) => Goal::Pattern(patterns[pattern].id.clone()),
        };
        let mut random = Stream::new(7, 0);
        compare(&rules, &request, &goal, 0, &mut random, &mut Found::default());
    }
}

fn words(rules: &Rules, request: &Request, goal: &Goal) -> Option<Vec<String>> {
    let repair = rules.repair(request, goal).unwrap()?;
    let words = repair
        .changes
        .iter()
        .map(|one| one.describe(Notation::Ujmj));
    Some(words.collect())
}

#[test]
fn repairs_in_words() {
    let off = |hand: &str, tile: &str| {
        let request = Request::won(&hand.parse().unwrap(), tile.parse().unwrap());
        request.seat(Seat::SOUTH).off(Seat::EAST)
    };
    for (id, request, goal, wanted) in [
        (
            "riichi-tenhou",
            off("234t456s34m678m99s", "5m"),
            Goal::Pattern("riichi".to_owned()),
            Some(vec!["with `riichi`"]),
        ),
        (
            "riichi-tenhou",
            off("234t456s34m678m99s", "5m"),
            Goal::Pattern("pinfu".to_owned()),
            Some(vec![]),
        ),
        (
            "riichi-tenhou",
            off("234t456s46m678m99s", "5m"),
            Goal::Pattern("pinfu".to_owned()),
            Some(vec!["7m instead of 4m"]),
        ),
        (
            "riichi-tenhou",
            off("234t456s345m678m9s", "9s"),
            Goal::Pattern("pinfu".to_owned()),
            Some(vec!["2t as the last tile instead of 9s"]),
        ),
        (
            "riichi-tenhou",
            off("456s678m99s34t+234m", "5t"),
            Goal::Win,
            Some(vec!["234m in the hand, not declared"]),
        ),
        (
            "hong-kong-old-style",
            off("123t456s789mWWW5m", "5m"),
            Goal::Pattern("seat-wind-pung".to_owned()),
            Some(vec!["at seat W"]),
        ),
        // A plain five comes for another tile, and goes for one, before a red one does.
        (
            "riichi-tenhou",
            off("469t456s23678m88s", "4m"),
            Goal::Pattern("all-simples".to_owned()),
            Some(vec!["5t instead of 9t"]),
        ),
        (
            "riichi-tenhou",
            off("R45t456s23678m88s", "4m"),
            Goal::Pattern("pinfu".to_owned()),
            Some(vec!["3t instead of 5t"]),
        ),
        (
            "riichi-tenhou",
            off("234t456s34m678m99s", "5m"),
            Goal::Pattern("red-five".to_owned()),
            Some(vec!["Rs instead of 5s"]),
        ),
        (
            "riichi-tenhou",
            Request::won(&"234t456s34678m99s".parse().unwrap(), "5m".parse().unwrap()),
            Goal::Points(2101),
            Some(vec!["Rs instead of 5s"]),
        ),
        (
            "riichi-tenhou",
            off("234t456s34m678m99s", "5m"),
            Goal::Pattern("big-four-winds".to_owned()),
            None,
        ),
    ] {
        let rules = Rules::by_id(id).unwrap();
        let words = words(&rules, &request, &goal);
        let wanted = wanted.map(|all: Vec<&str>| all.into_iter().map(str::to_owned).collect());
        assert_eq!(words, wanted, "{goal:?}");
    }
}

#[test]
fn what_cannot_be_repaired() {
    let rules = Rules::by_id("traditional").unwrap();
    let won = Request::won(
        &"123t456t789s23m55m".parse().unwrap(),
        "1m".parse().unwrap(),
    );
    let unknown = rules.repair(&won, &Goal::Pattern("nothing".to_owned()));
    assert!(matches!(unknown, Err(RepairError::NoSuchPattern { id }) if id == "nothing"));
    let mut lost = won.clone();
    lost.wins.clear();
    assert!(matches!(
        rules.repair(&lost, &Goal::Win),
        Err(RepairError::NoWin)
    ));
    let mut wrong = won.clone();
    wrong.hands[0].concealed.pop();
    assert!(matches!(
        rules.repair(&wrong, &Goal::Win),
        Err(RepairError::Request(_))
    ));
    // A hand that is not complete wins with another tile.
    let mut incomplete = won.clone();
    incomplete.wins[0].1.tile = "9m".parse().unwrap();
    let words = words(&rules, &incomplete, &Goal::Win);
    assert_eq!(
        words,
        Some(vec!["the winning tile 1m instead of 9m".to_owned()])
    );
}
