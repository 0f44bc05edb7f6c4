//! Measures the decomposer over hands as they are played: those of greedy games, and of a few games of the agent
//! `value`, at fixed seeds. Rounds of greedy players are measured beside rounds of random ones.
#![allow(missing_docs, reason = "criterion's macros make items without docs")]

#[path = "common/play.rs"]
mod play;

use criterion::{Criterion, criterion_group, criterion_main};
use paishan::decompose::{Decomposer, Holding, Scratch};
use paishan::{Rules, Ruleset, agent, game_seed, simulate};
use play::{Hands, Wins, has_kong};
use std::hint::black_box;
use std::time::{Duration, Instant};

const IDS: [&str; 5] = ["riichi-mcgill", "woo", "traditional", "celestial", "uzje"];

/// What is asked of a hand.
type Ask = fn(&Decomposer, &Holding, &mut Scratch) -> u64;

/// The questions: name, whether it is about hands on turn, and what to ask.
const QUESTIONS: [(&str, bool, Ask); 4] = [
    ("distance", true, |decomposer, hand, scratch| {
        decomposer.distance(hand, scratch) as u64
    }),
    ("accepts", false, |decomposer, hand, scratch| {
        decomposer.accepts(hand, scratch).1.len() as u64
    }),
    ("discards", true, |decomposer, hand, scratch| {
        let mut accepted = 0;
        decomposer.discards(hand, scratch, |_, accepts| accepted += accepts.len() as u64);
        accepted
    }),
    ("complete", true, |decomposer, hand, _| {
        u64::from(decomposer.is_complete(hand))
    }),
];

/// The hand that takes longest, by the least of some tries each.
fn slowest(hands: &[Holding], mut ask: impl FnMut(&Holding) -> u64) -> Option<&Holding> {
    let mut time = |hand: &Holding| -> Duration {
        let tries = (0..8).map(|_| {
            let start = Instant::now();
            black_box(ask(hand));
            start.elapsed()
        });
        tries.min().unwrap_or_default()
    };
    hands.iter().max_by_key(|hand| time(hand))
}

fn bench_hands(c: &mut Criterion) {
    for id in IDS {
        let rules = Rules::by_id(id).expect("built in");
        let decomposer = &rules.plan().decomposer();
        let greedy = Hands::of(&rules, "greedy", 20_000);
        let value = Hands::of(&rules, "value", 2_000);
        let mut scratch = Scratch::new();
        for (kind, hands) in [
            ("closed", greedy.filtered(|hand| hand.melds == 0)),
            ("melds", greedy.filtered(|hand| hand.melds > 0)),
            ("kongs", greedy.filtered(has_kong)),
            ("value", value),
        ] {
            for (question, on_turn, ask) in QUESTIONS {
                let hands = if on_turn {
                    &hands.on_turn
                } else {
                    &hands.waiting
                };
                if hands.is_empty() {
                    continue;
                }
                let mut i = 0;
                c.bench_function(&format!("play/{id}/{kind}/{question}"), |b| {
                    b.iter(|| {
                        i = (i + 1) % hands.len();
                        ask(decomposer, black_box(&hands[i]), &mut scratch)
                    });
                });
                let worst = slowest(hands, |hand| ask(decomposer, hand, &mut scratch));
                if let Some(worst) = worst {
                    c.bench_function(&format!("play/{id}/{kind}/{question}-worst"), |b| {
                        b.iter(|| ask(decomposer, black_box(worst), &mut scratch));
                    });
                }
            }
        }
    }
}

fn bench_games(c: &mut Criterion) {
    for id in IDS {
        let rules = Rules::by_id(id).expect("built in");
        for player in ["random", "greedy"] {
            let agent = || agent::by_name(player, rules.plan()).expect("an agent of the crate");
            let mut agents: Vec<_> = (0..rules.plan().players()).map(|_| agent()).collect();
            let mut game = 0;
            c.bench_function(&format!("game/{id}/{player}"), |b| {
                b.iter(|| {
                    game = (game + 1) % 100;
                    simulate::play(&rules, &mut agents, game_seed(3, game), &mut ())
                        .expect("agents play what is legal")
                });
            });
        }
    }
}

fn bench_scores(c: &mut Criterion) {
    for id in IDS {
        let rules = Rules::by_id(id).expect("built in");
        let won = Wins::of(&rules, "greedy", 1_000);
        let mut i = 0;
        c.bench_function(&format!("play/{id}/score"), |b| {
            b.iter(|| {
                i = (i + 1) % won.len();
                rules.score_hand(black_box(&won[i].input()))
            });
        });
    }
}

criterion_group!(benches, bench_hands, bench_scores, bench_games);
criterion_main!(benches);
