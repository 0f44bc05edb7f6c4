//! Values that no game makes: every call answers or refuses, and none panics.

use paishan::counts::Counts;
use paishan::decompose::{Holding, Scratch};
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{self};
use paishan::score::ScoreError;
use paishan::{Kind, Rules};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::OnceLock;

fn all_rules() -> &'static [Rules] {
    static RULES: OnceLock<Vec<Rules>> = OnceLock::new();
    RULES.get_or_init(|| {
        let by_id = |id| Rules::by_id(id).unwrap();
        ruleset::ids().map(by_id).collect()
    })
}

/// Up to 20 tiles of any kinds.
fn counts() -> impl Strategy<Value = Counts> {
    prop::collection::vec((0..Kind::COUNT, 1..=4_u8), 0..9).prop_map(|tiles| {
        let mut counts = Counts::EMPTY;
        for (index, count) in tiles {
            if let Some(kind) = Kind::from_index(index) {
                counts.set(kind, count);
            }
        }
        counts
    })
}

fn melds() -> impl Strategy<Value = usize> {
    prop_oneof![
        0..=7_usize,
        Just(usize::MAX),
        Just(usize::MAX - 1),
        any::<usize>()
    ]
}

fn holding() -> impl Strategy<Value = Holding> {
    (counts(), counts(), melds(), any::<bool>()).prop_map(|(concealed, declared, melds, runs)| {
        let mut holding = Holding::of_tiles(concealed);
        holding.declared = declared;
        holding.melds = melds;
        holding.consecutive = runs;
        holding
    })
}

proptest! {
    #[test]
    fn any_holding_is_answered(holding in holding(), place in 0..1000_usize) {
        let rules = all_rules();
        let decomposer = &rules[place % rules.len()].plan().decomposer();
        let mut scratch = Scratch::new();
        decomposer.distance(&holding, &mut scratch);
        decomposer.accepts(&holding, &mut scratch);
        decomposer.waits(&holding);
        decomposer.is_ready(&holding);
        decomposer.is_complete(&holding);
        let _ = decomposer.arrangements(&holding, |_| ControlFlow::Continue(()));
        for form in 0..4 {
            decomposer.missing_from_form(form, &holding);
        }
        for kind in [Kind::EAST, Kind::ZERO, Kind::JOKER] {
            holding.after_kong(kind, true);
            holding.after_kong(kind, false);
            holding.with(kind);
        }
    }
}

/// Plays deals on the walls of other rules. A deal with other tiles is over at once.
#[test]
fn a_wall_of_other_rules_is_refused_or_played() {
    let mut refused = 0;
    for rules in all_rules() {
        for other in all_rules() {
            for seed in 0..3 {
                let mut series = Match::new(rules, seed);
                let setup = series
                    .state()
                    .setup_with(Match::new(other, seed).state().setup().wall);
                let mut deal = Deal::start(rules, setup);
                let has_other_tiles = !rules.plan().tiles().iter().eq(other.plan().tiles().iter());
                let fault = deal.outcome().and_then(|outcome| outcome.fault.clone());
                assert_eq!(fault, has_other_tiles.then_some(ScoreError::OtherWall));
                if has_other_tiles {
                    assert_eq!(series.finish(&deal), Err(ScoreError::OtherWall.into()));
                    refused += 1;
                }
                let mut stream = Stream::new(seed, 9);
                while let Some(seat) = deal.state().waiting().first() {
                    let legal = deal.legal(seat).clone();
                    let place = stream.below(legal.len() as u32) as usize;
                    let action = legal.nth(place).expect("somebody decides");
                    deal.act(seat, action).unwrap();
                }
            }
        }
    }
    assert!(refused > 0);
}
