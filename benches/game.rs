//! Measures whole deals and scores from fixed seeds. Outcomes are asserted.
#![allow(missing_docs, reason = "criterion's macros make items without docs")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{self, Ruleset};
use paishan::score::ScoreInput;
use paishan::simulate::{Summary, play};
use paishan::{Hand, Seat, Tile, game_seed};
use paishan::{Rules, agent};
use std::hint::black_box;

/// Plays deals with uniformly random legal actions and without an observer.
fn random_deals(rules: &dyn Ruleset, deals: u64) -> u64 {
    let mut decisions = 0;
    for game in 0..deals {
        let seed = game_seed(1, game);
        let series = Match::new(rules, seed);
        let mut stream = Stream::new(seed, 17);
        let mut deal = series.start_deal();
        while let Some(seat) = deal.state().waiting().first() {
            let legal = deal.legal(seat);
            let place = stream.below(legal.len() as u32) as usize;
            let action = legal.nth(place).expect("a legal action");
            deal.act(seat, action).expect("a legal action");
            decisions += 1;
        }
    }
    decisions
}

/// A won hand with its seat, the win and the bonus tiles.
type Won = (Hand, Seat, paishan::state::Win, Vec<Tile>);

fn won_hands(rules: &dyn Ruleset) -> Vec<Won> {
    let mut found = Vec::new();
    let mut agents: Vec<_> = (0..4)
        .map(|_| agent::by_name("greedy", rules.plan()).expect("an agent of the crate"))
        .collect();
    for game in 0..60 {
        let series = Match::new(rules, game_seed(3, game));
        let mut deal: Deal<_> = series.start_deal();
        while let Some(seat) = deal.state().waiting().first() {
            let legal = deal.legal(seat);
            let action = agents[seat.index()].decide(&deal.state().view(seat), legal);
            deal.act(seat, action).expect("a legal action");
        }
        for (seat, win) in deal.outcome().into_iter().flat_map(|o| o.wins()) {
            let state = deal.state();
            let bonus = state.wall().turned().collect();
            found.push((state.hand_before(*seat, win), *seat, *win, bonus));
        }
    }
    found
}

fn benches(c: &mut Criterion) {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).expect("a built-in ruleset");
        let rules = &rules;
        const DEALS: u64 = 50;
        let decisions = random_deals(rules, DEALS);
        assert_eq!(decisions, random_deals(rules, DEALS));

        let mut group = c.benchmark_group("deals");
        group.throughput(Throughput::Elements(DEALS));
        group.bench_function(format!("{id}/random"), |b| {
            b.iter(|| assert_eq!(random_deals(rules, DEALS), decisions));
        });
        group.finish();

        let mut agents: Vec<_> = (0..rules.plan().players())
            .map(|_| agent::by_name("greedy", rules.plan()).expect("an agent of the crate"))
            .collect();
        let mut summary = Summary::default();
        play(rules, &mut agents, 5, &mut summary).expect("legal play");
        let mut group = c.benchmark_group("matches");
        group.throughput(Throughput::Elements(summary.deals));
        group.sample_size(20);
        group.bench_function(format!("{id}/greedy"), |b| {
            b.iter(|| {
                let mut again = Summary::default();
                play(rules, &mut agents, 5, &mut again).expect("legal play");
                assert_eq!(again, summary);
            });
        });
        group.finish();

        let hands = won_hands(rules);
        assert!(hands.len() > 30);
        let mut i = 0;
        c.bench_function(&format!("score/{id}"), |b| {
            b.iter(|| {
                i = (i + 1) % hands.len();
                let (hand, seat, win, bonus) = &hands[i];
                let input = ScoreInput {
                    bonus,
                    ..ScoreInput::new(hand, *seat, paishan::Wind::East, Some(win))
                };
                rules.score_hand(black_box(&input)).expect("a won hand")
            });
        });
        c.bench_function(&format!("load/{id}"), |b| {
            b.iter(|| Rules::by_id(black_box(id)).expect("a built-in ruleset"));
        });
    }
}

criterion_group!(group, benches);
criterion_main!(group);
