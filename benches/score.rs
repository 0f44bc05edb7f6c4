//! Measures scoring of won hands of every ruleset, from fixed seeds. How many win and their worth together are
//! asserted, so that a routine that is fast but wrong does not pass.
#![allow(missing_docs, reason = "criterion's macros make items without docs")]

mod common;

use common::complete;
use criterion::{Criterion, criterion_group, criterion_main};
use paishan::random::Stream;
use paishan::score::{Score, ScoreError, ScoreInput};
use paishan::state::{FlagSet, Way, Win};
use paishan::tile::Wind;
use paishan::{Hand, Kind, Rules, Ruleset, Seat, Tile};
use std::hint::black_box;

/// Closed hands of South, won off a discard of East, and the last tile.
fn wins(rules: &dyn Ruleset) -> Vec<(Hand, Win)> {
    let plan = rules.plan();
    let mut stream = Stream::new(5, 5);
    let hands = complete(plan.decomposer().grammar(), 4);
    let won = hands.into_iter().map(|whole| {
        let mut tiles: Vec<Kind> = whole.iter().collect();
        let last = tiles.swap_remove(stream.below(tiles.len() as u32) as usize);
        let tiles: Vec<Tile> = tiles.into_iter().map(Tile::plain).collect();
        let hand = Hand::try_new(plan.tiles(), &tiles, &[], &[]).unwrap();
        let win = Win {
            tile: Tile::plain(last),
            way: Way::Discard,
            from: Some(Seat::EAST),
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        (hand, win)
    });
    won.collect()
}

fn score(rules: &dyn Ruleset, (hand, win): &(Hand, Win)) -> Result<Score, ScoreError> {
    let seat = Seat::EAST.after(1, rules.plan().players());
    rules.score_hand(&ScoreInput::new(hand, seat, Wind::East, Some(win)))
}

fn scores(c: &mut Criterion) {
    for (id, count, worth) in [
        ("uzje", 1000, 7189),
        ("traditional", 1000, 55890),
        ("celestial", 1000, 57550),
        ("woo", 868, 27974),
        ("riichi-mcgill", 596, 3480800),
        ("mcr", 525, 10212),
    ] {
        let rules = Rules::by_id(id).unwrap();
        let wins = wins(&rules);
        let scores = wins.iter().filter_map(|win| score(&rules, win).ok());
        let points: Vec<i64> = scores.map(|score| score.points).collect();
        assert_eq!((points.len(), points.iter().sum()), (count, worth), "{id}");
        let mut i = 0;
        c.bench_function(&format!("score/{id}"), |b| {
            b.iter(|| {
                i = (i + 1) % wins.len();
                score(&rules, black_box(&wins[i]))
            });
        });
    }
}

criterion_group!(benches, scores);
criterion_main!(benches);
