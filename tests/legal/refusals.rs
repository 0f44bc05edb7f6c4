//! What the library is given and should not take: hands, wins and seats that cannot be, deals of other
//! rules, numbers out of all bounds. It says what is wrong, and panics nowhere.

use paishan::agent::{self, Agent};
use paishan::decompose::{Holding, Scratch};
use paishan::game::{
    Deal, DealSetup, Match, MatchState, Next, Observer, Outcome, RecordError, ResumeError,
};
use paishan::hand::HandError;
use paishan::meld::{Group, Meld, MeldError};
use paishan::random::Stream;
use paishan::ruleset::{Plan, Ruleset};
use paishan::score::{Score, ScoreError, ScoreInput};
use paishan::simulate::{PlayError, Summary, play};
use paishan::state::{DealState, FlagSet, OnTable, Way, Win};
use paishan::wall::Wall;
use paishan::{Counts, Hand, Kind, Notation, Player, Rules, Seat, Tile, Wind};
use std::sync::Arc;

fn by_id(id: &str) -> Rules {
    Rules::by_id(id).unwrap()
}

fn seat(letter: char) -> Seat {
    Seat::from_letter(letter).unwrap()
}

fn tiles(text: &str) -> Vec<Tile> {
    Notation::Ujmj.parse(text).unwrap()
}

fn won(tile: &str, way: Way, from: Option<char>) -> Win {
    Win {
        tile: Notation::Ujmj.parse_one(tile).unwrap(),
        way,
        from: from.map(seat),
        flags: FlagSet::EMPTY,
        kongs_in_row: 0,
    }
}

#[test]
fn scoring_refuses_what_cannot_be_at_a_table() {
    for id in ["woo", "riichi-mcgill", "celestial", "uzje"] {
        let rules = by_id(id);
        let set = &rules.plan().tiles();
        let hand = |text: &str| Hand::try_new(set, &tiles(text), &[], &[]).unwrap();
        let whole = match id {
            "uzje" => hand("123s456s789sEEEC"),
            _ => hand("123t456t789tEEEC"),
        };
        let scored = |hand: &Hand, at: char, win: Win| {
            let input = ScoreInput::new(hand, seat(at), Wind::East, Some(&win));
            rules.score_hand(&input)
        };
        let off = |from| won("C", Way::Discard, Some(from));
        assert!(!matches!(
            scored(&whole, 'S', off('E')),
            Err(ScoreError::Hand(_) | ScoreError::NoSuchSeat { .. })
        ));
        assert_eq!(
            scored(&whole, 'S', off('S')),
            Err(ScoreError::FromOneself { seat: seat('S') })
        );
        let nobody = ScoreError::NoSuchSeat { seat: seat('6') };
        assert_eq!(scored(&whole, '6', off('E')), Err(nobody.clone()));
        assert_eq!(scored(&whole, 'S', off('6')), Err(nobody));
        let count = |result: Result<Score, ScoreError>| {
            matches!(
                result,
                Err(ScoreError::Hand(HandError::WrongTileCount { .. }))
            )
        };
        assert!(count(scored(&hand("123s456s789sEEE"), 'S', off('E'))));
        assert!(
            count(scored(&hand("123s456s789sEEECC"), 'S', off('E'))),
            "{id}"
        );
        let fifth = hand("123s456s789sCCCC");
        assert!(matches!(
            scored(&fifth, 'S', off('E')),
            Err(ScoreError::Hand(HandError::TooManyCopies { have: 5, .. }))
        ));
        if id != "uzje" {
            // The set has nine ranks.
            let outside = won("xs", Way::Wall, None);
            assert!(matches!(
                scored(&whole, 'S', outside),
                Err(ScoreError::Hand(HandError::NotInSet { .. }))
            ));
        }
        // Who pays must be known, and everybody must be there.
        let four: Vec<Hand> = vec![whole; 4];
        let win = won("C", Way::Discard, None);
        let mut inputs: Vec<_> = Seat::all(4)
            .zip(&four)
            .map(|(at, hand)| {
                let win = (at == seat('S')).then_some(&win);
                ScoreInput::new(hand, at, Wind::East, win)
            })
            .collect();
        assert_eq!(
            rules.settle_hands(&inputs, OnTable::default()),
            Err(ScoreError::NoGiver { seat: seat('S') })
        );
        inputs.swap(0, 1);
        let unordered = rules.settle_hands(&inputs, OnTable::default());
        assert_eq!(unordered, Err(ScoreError::NotTheTable { have: 4, want: 4 }));
        let few = rules.settle_hands(&inputs[..2], OnTable::default());
        assert_eq!(few, Err(ScoreError::NotTheTable { have: 2, want: 4 }));
    }
    // More red fives than the set has.
    let rules = by_id("riichi-mcgill");
    let hand = Hand::try_new(rules.plan().tiles(), &tiles("R4678s123t456tEE"), &[], &[]).unwrap();
    let red = won("Rs", Way::Wall, None);
    let input = ScoreInput::new(&hand, seat('S'), Wind::East, Some(&red));
    assert!(matches!(
        rules.score_hand(&input),
        Err(ScoreError::Hand(HandError::TooManyCopies {
            have: 2,
            max: 1,
            ..
        }))
    ));
}

#[test]
fn numbers_out_of_bounds_panic_nowhere() {
    let mut flags = FlagSet::EMPTY;
    flags.insert(32);
    flags.insert(usize::MAX);
    assert_eq!(flags, FlagSet::EMPTY);

    for id in ["woo", "riichi-mcgill", "uzje"] {
        let rules = by_id(id);
        let plan = rules.plan();
        let (wall, tiles, decomposer) = (plan.wall(), plan.tiles(), plan.decomposer());
        for players in [0, 1, 7, usize::MAX] {
            let built = Wall::build(wall, tiles, players, Player::FIRST, &mut Stream::new(1, 1));
            assert_eq!(built.tiles().count(), tiles.len());
        }
        // More groups are declared than a hand has.
        let mut counts = Counts::EMPTY;
        counts.set(Kind::RED, 2);
        let mut holding = Holding::of_tiles(counts);
        let mut scratch = Scratch::new();
        for _ in 0..300 {
            holding.declare(Group::pung(Kind::EAST), true);
            decomposer.distance(&holding, &mut scratch);
            decomposer.accepts(&holding, &mut scratch);
            decomposer.waits(&holding);
            let _ = decomposer.arrangements(&holding, |_| std::ops::ControlFlow::Continue(()));
            decomposer.is_complete(&holding);
        }
    }
}

/// A summary that watches from the middle of a match.
#[test]
fn a_summary_may_come_late() {
    struct Late(Summary);
    impl Observer for Late {
        fn deal_ended(
            &mut self,
            series: &MatchState,
            state: &DealState,
            outcome: &Outcome,
            next: Next,
        ) {
            self.0.deal_ended(series, state, outcome, next);
        }
    }
    let rules = by_id("woo");
    let mut late = Late(Summary::default());
    play(&rules, &mut agents("greedy", &rules), 3, &mut late).unwrap();
    assert!(late.0.won() > 0);
    assert!(late.0.patterns.iter().sum::<u64>() > 0);
}

fn agents(name: &str, rules: &dyn Ruleset) -> Vec<Box<dyn Agent>> {
    let plan = rules.plan();
    (0..plan.players())
        .map(|_| agent::by_name(name, plan).expect("an agent of the crate"))
        .collect()
}

fn setup(rules: &dyn Ruleset) -> DealSetup {
    Match::new(rules, 7).state().setup()
}

/// States and views of another ruleset are no reason to panic.
#[test]
fn deals_of_other_rules_are_refused() {
    let ids = ["woo", "riichi-mcgill", "uzje", "traditional"];
    for (id, other) in ids.iter().flat_map(|a| ids.iter().map(move |b| (*a, *b))) {
        let (rules, others) = (by_id(id), by_id(other));
        let mut deal = Deal::start(&rules, setup(&rules));
        let resumed = Deal::resume(&others, deal.state().clone());
        if id == other {
            assert!(resumed.is_ok());
            continue;
        }
        assert!(matches!(resumed, Err(ResumeError::OtherRules { .. })));
        let mut series = Match::new(&others, 7);
        let booked = series.finish(&deal);
        assert_eq!(booked, Err(RecordError::OtherRules));
        for name in agent::NAMES {
            let mut stranger = agent::by_name(name, others.plan()).unwrap();
            stranger.begin(Stream::new(1, 1));
            for _ in 0..20 {
                let Some(seat) = deal.state().deciding().next() else {
                    break;
                };
                let legal = deal.legal(seat).clone();
                let action = stranger.decide(&deal.state().view(seat), &legal);
                assert!(legal.contains(action), "{name} of {other} in {id}");
                deal.act(seat, action).unwrap();
            }
        }
    }
}

/// A match takes its own deals.
#[test]
fn deals_of_other_matches_are_refused() {
    fn finished<'a>(series: &Match<&'a dyn Ruleset>) -> Deal<&'a dyn Ruleset> {
        let mut deal = series.start_deal();
        let mut players = agents("greedy", *series.rules());
        while let Some(seat) = deal.state().deciding().next() {
            let action = players[seat.index()].decide(&deal.state().view(seat), deal.legal(seat));
            deal.act(seat, action).unwrap();
        }
        deal
    }
    let rules = by_id("woo");
    let one = |seed: u64| Match::with_dealer(&rules as &dyn Ruleset, seed, Player::FIRST);
    let (mut mine, other) = (one(1), one(2));
    assert_eq!(mine.finish(&finished(&other)), Err(RecordError::OtherMatch));
    let deal = finished(&mine);
    assert!(!deal.outcome().unwrap().wins().is_empty());
    // What a seat imagines is of no match.
    let imagined = deal.state().imagined_by(seat('S'), &mut Stream::new(1, 1));
    assert_eq!(imagined.progress().match_id, 0);
    mine.finish(&deal).unwrap();
}

/// A ruleset that pays what it tells, or cannot.
#[derive(Debug)]
struct Own {
    rules: Rules,
    points: Option<i64>,
}

impl Ruleset for Own {
    fn plan(&self) -> &Arc<Plan> {
        self.rules.plan()
    }

    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        self.rules.may_win(state, seat, win)
    }

    fn score_hand(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
        let mut score = self.rules.score_hand(input)?;
        score.points = self.points.ok_or(ScoreError::NotAWin)?;
        Ok(score)
    }
}

/// Plays until somebody wins.
struct Wins(Vec<(i64, i64)>);

impl Observer for Wins {
    fn deal_ended(&mut self, series: &MatchState, _: &DealState, outcome: &Outcome, _: Next) {
        let per_point = series.plan().units_per_point();
        for (seat, win) in outcome.wins() {
            let told = outcome.settlement.scores[*seat].as_ref().unwrap().points;
            let paid: i64 = outcome
                .settlement
                .payments
                .iter()
                .filter(|payment| {
                    payment.to == *seat && payment.reason != paishan::score::PaymentReason::Counters
                })
                .map(|payment| payment.units)
                .sum();
            // Three pay half each where the fan family says so.
            let times = match (per_point, win.is_self_draw()) {
                (2, true) => 3,
                (2, false) => 2,
                _ => 1,
            };
            self.0.push((told * times, paid));
        }
    }
}

#[test]
fn what_a_score_tells_is_what_is_paid() {
    for id in ["riichi-mcgill", "riichi-tenhou", "uzje"] {
        for points in [100, 12_345, 112_000] {
            let own = Own {
                rules: by_id(id),
                points: Some(points),
            };
            let mut wins = Wins(Vec::new());
            for seed in 0..3 {
                play(&own, &mut agents("greedy", &own), seed, &mut wins).unwrap();
            }
            assert!(!wins.0.is_empty(), "{id}");
            for (told, paid) in wins.0 {
                assert_eq!(told, paid, "{id} {points}");
            }
        }
    }
}

#[test]
fn what_cannot_be_settled_is_told() {
    for id in ["riichi-mcgill", "woo", "traditional"] {
        let own = Own {
            rules: by_id(id),
            points: None,
        };
        let played = play(&own, &mut agents("greedy", &own), 1, &mut ());
        let fault = PlayError::Record(RecordError::Settlement(ScoreError::NotAWin));
        assert_eq!(played.map(|_| ()), Err(fault), "{id}");
    }
}

/// What is said of a meld must fit together, in code and in text.
#[test]
fn melds_that_contradict_themselves_are_refused() {
    let tile = |text: &str| tiles(text)[0];
    let pung = Group::pung(tile("5t").kind().unwrap());
    let kong = Group::kong(tile("5t").kind().unwrap());
    let claimed = |group, of: &str| Meld::claimed(group, tile(of), seat('S'));
    let refused = |meld: Result<Meld, MeldError>| meld.unwrap_err();
    assert_eq!(claimed(kong, "5t").map(|kong| kong.is_open()), Ok(true));
    let own = Meld::concealed(kong).unwrap();
    assert!(own.face_down().unwrap().is_face_down());
    assert_eq!(own.added(2).map(|kong| kong.added_after()), Ok(2));
    let pair = Group::pair(tile("5t").kind().unwrap());
    assert_eq!(refused(Meld::concealed(pair)), MeldError::Pair);
    assert_eq!(refused(claimed(pung, "6t")), MeldError::ClaimedTile);
    let claimed_pung = claimed(pung, "5t").unwrap();
    assert_eq!(refused(claimed_pung.added(0)), MeldError::Added);
    assert_eq!(refused(claimed_pung.with_reds(4)), MeldError::Reds);
    assert_eq!(refused(claimed_pung.face_down()), MeldError::FaceDown);
    let open_kong = claimed(kong, "5t").unwrap();
    assert_eq!(refused(open_kong.face_down()), MeldError::FaceDown);
    assert_eq!(refused(Meld::of_tiles(&tiles("JJJ"))), MeldError::NoGroup);
    for (text, error) in [
        (r#"{"group":"55t","open":false}"#, MeldError::Pair),
        (
            r#"{"group":"555t","open":false,"from":"S"}"#,
            MeldError::ConcealedClaim,
        ),
        (
            r#"{"group":"555t","open":true,"claimed":"6t"}"#,
            MeldError::ClaimedTile,
        ),
        (
            r#"{"group":"555t","open":true,"added":true}"#,
            MeldError::Added,
        ),
        (
            r#"{"group":"555t","open":false,"hidden":true}"#,
            MeldError::FaceDown,
        ),
        (
            r#"{"group":"555t","open":true,"wild":7}"#,
            MeldError::Jokers,
        ),
        (r#"{"group":"123t","open":true,"reds":1}"#, MeldError::Reds),
    ] {
        let found = serde_json::from_str::<Meld>(text).unwrap_err();
        assert!(found.to_string().starts_with(&error.to_string()), "{found}");
    }
}
