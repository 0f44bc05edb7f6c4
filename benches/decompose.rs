//! Measures the decomposer over hands from fixed seeds. Answers are asserted, so that a routine that is fast but
//! wrong does not pass.
#![allow(missing_docs, reason = "criterion's macros make items without docs")]

mod common;

use common::{complete, hands};
use criterion::{Criterion, criterion_group, criterion_main};
use paishan::decompose::{Decomposer, Holding, Scratch};
use paishan::{Counts, Kind, Rules, Suit};
use std::hint::black_box;
use std::ops::ControlFlow;

fn bench_hands(c: &mut Criterion, name: &str, decomposer: &Decomposer, hands: &[Counts], sum: i64) {
    let mut scratch = Scratch::new();
    let total: i64 = hands
        .iter()
        .map(|&hand| i64::from(decomposer.distance(&Holding::of_tiles(hand), &mut scratch)))
        .sum();
    assert_eq!(total, sum, "distances of {name}");
    let mut i = 0;
    c.bench_function(&format!("distance/{name}"), |b| {
        b.iter(|| {
            i = (i + 1) % hands.len();
            decomposer.distance(black_box(&Holding::of_tiles(hands[i])), &mut scratch)
        });
    });
    // The worst case: every lane is new.
    c.bench_function(&format!("distance-cold/{name}"), |b| {
        b.iter_batched_ref(
            Scratch::new,
            |scratch| {
                i = (i + 1) % hands.len();
                decomposer.distance(black_box(&Holding::of_tiles(hands[i])), scratch)
            },
            criterion::BatchSize::LargeInput,
        );
    });
    c.bench_function(&format!("complete/{name}"), |b| {
        b.iter(|| {
            i = (i + 1) % hands.len();
            decomposer.is_complete(&Holding::of_tiles(*black_box(&hands[i])))
        });
    });
}

/// New hands with a `Scratch` that is kept. A simulation sees this.
fn bench_fresh(
    c: &mut Criterion,
    name: &str,
    decomposer: &Decomposer,
    copies: &Counts,
    wanted: impl Fn(Kind) -> bool,
) {
    let many: Vec<Counts> = (20..60)
        .flat_map(|seed| hands(copies, 14, seed, &wanted))
        .collect();
    let mut scratch = Scratch::new();
    let mut i = 0;
    c.bench_function(&format!("distance-fresh/{name}"), |b| {
        b.iter(|| {
            i = (i + 1) % many.len();
            decomposer.distance(black_box(&Holding::of_tiles(many[i])), &mut scratch)
        });
    });
}

fn bench_accepts(c: &mut Criterion, name: &str, decomposer: &Decomposer, hands: &[Counts]) {
    let mut scratch = Scratch::new();
    let mut i = 0;
    c.bench_function(&format!("accepts/{name}"), |b| {
        b.iter(|| {
            i = (i + 1) % hands.len();
            decomposer.accepts(black_box(&Holding::of_tiles(hands[i])), &mut scratch)
        });
    });
}

fn bench_arrangements(c: &mut Criterion, name: &str, decomposer: &Decomposer, hands: &[Counts]) {
    let count = |hand: &Counts| {
        let mut ways = 0u32;
        let _ = decomposer.arrangements(&Holding::of_tiles(*hand), |_| {
            ways += 1;
            ControlFlow::Continue(())
        });
        ways
    };
    assert!(
        hands.iter().all(|hand| count(hand) > 0),
        "{name} are complete"
    );
    let mut i = 0;
    c.bench_function(&format!("arrangements/{name}"), |b| {
        b.iter(|| {
            i = (i + 1) % hands.len();
            count(black_box(&hands[i]))
        });
    });
}

fn benches(c: &mut Criterion) {
    let woo = Rules::by_id("woo").expect("a built-in ruleset");
    let nine = &woo.plan().decomposer();
    let copies = *nine.grammar().copies();
    let flush = |kind: Kind| kind.suit() == Some(Suit::Bamboos);
    let half = |kind: Kind| kind.suit() == Some(Suit::Bamboos) || kind.is_honour();
    bench_hands(c, "34-random", nine, &hands(&copies, 14, 1, |_| true), 3333);
    bench_hands(c, "34-half-flush", nine, &hands(&copies, 14, 2, half), 2291);
    bench_hands(c, "34-flush", nine, &hands(&copies, 14, 3, flush), -36);
    bench_accepts(c, "34-random", nine, &hands(&copies, 13, 4, |_| true));
    bench_accepts(c, "34-flush", nine, &hands(&copies, 13, 5, flush));
    bench_arrangements(c, "34-complete", nine, &complete(nine.grammar(), 6));

    let uzje = Rules::by_id("uzje").expect("a built-in ruleset");
    let wide = &uzje.plan().decomposer();
    let copies = *wide.grammar().copies();
    let any = |_| true;
    bench_hands(c, "42-random", wide, &hands(&copies, 14, 7, any), 2053);
    bench_hands(c, "42-flush", wide, &hands(&copies, 14, 8, flush), -439);
    bench_fresh(c, "42-random", wide, &copies, any);
    bench_fresh(c, "42-flush", wide, &copies, flush);
    bench_accepts(c, "42-random", wide, &hands(&copies, 13, 9, any));
    bench_arrangements(c, "42-complete", wide, &complete(wide.grammar(), 10));
}

criterion_group!(group, benches);
criterion_main!(group);
