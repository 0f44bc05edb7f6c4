//! Measures hands as they are played, and rounds of greedy players.

#[path = "../../common/play.rs"]
mod hands;

use crate::games::{ROUNDS, with_agents};
use crate::{Work, compare};
use hands::{Hands, has_kong};
pub use hands::Wins;
use paishan::{Rules, agent};
use paishan::decompose::{Decomposer, Holding, Scratch};
use paishan::{Ruleset};
use riichienv_core::shanten::calc_shanten_from_counts;
use xiangting::{PlayerCount, calculate_necessary_tiles, calculate_replacement_number};

const COUNT: usize = 20_000;

fn distances(decomposer: &Decomposer, hands: &[Holding], scratch: &mut Scratch) -> u64 {
    hands.iter().map(|hand| decomposer.distance(hand, scratch) as u64).fold(0, u64::wrapping_add)
}

fn accepts(decomposer: &Decomposer, hands: &[Holding], scratch: &mut Scratch) -> u64 {
    hands.iter().map(|hand| decomposer.accepts(hand, scratch).1.len() as u64).sum()
}

fn discards(decomposer: &Decomposer, hands: &[Holding], scratch: &mut Scratch) -> u64 {
    let mut accepted = 0;
    for hand in hands {
        decomposer.discards(hand, scratch, |_, accepts| accepted += accepts.len() as u64);
    }
    accepted
}

/// The concealed tiles in the order of the peers.
fn counts(hands: &[Holding]) -> Vec<[u8; 34]> {
    let order = crate::hands::kinds();
    let of = |hand: &Holding| std::array::from_fn(|i| hand.concealed.get(order[i]));
    hands.iter().map(of).collect()
}

/// Hands of 34 kinds beside the peers. These do not know which copies lie in melds, so some of their answers differ.
fn beside_peers(decomposer: &Decomposer, name: &str, hands: &Hands) {
    let mut scratch = Scratch::new();
    let (on_turn, waiting) = (&hands.on_turn, &hands.waiting);
    let (turn_counts, wait_counts) = (counts(on_turn), counts(waiting));
    let groups = |hand: &Holding| (4 - hand.melds) as u8;
    let differ = on_turn.iter().zip(&turn_counts).filter(|(hand, counts)| {
        calc_shanten_from_counts(*counts, groups(hand)) != decomposer.distance(hand, &mut scratch)
    });
    println!("| {name}: distances of riichienv-core that differ | {} of {} | |", differ.count(), on_turn.len());
    compare(&format!("distance, {name}"), on_turn.len(), vec![
        Work::new("paishan", || distances(decomposer, on_turn, &mut scratch)),
        Work::new("riichienv-core", || on_turn.iter().zip(&turn_counts).map(|(hand, counts)| calc_shanten_from_counts(counts, groups(hand)) as u64).fold(0, u64::wrapping_add)),
        Work::new("xiangting", || turn_counts.iter().map(|counts| u64::from(calculate_replacement_number(counts, PlayerCount::Four).unwrap())).sum()),
    ]);
    compare(&format!("accepted tiles, {name}"), waiting.len(), vec![
        Work::new("paishan", || accepts(decomposer, waiting, &mut scratch)),
        Work::new("xiangting", || wait_counts.iter().map(|counts| u64::from(calculate_necessary_tiles(counts, PlayerCount::Four).unwrap().1.count_ones())).sum()),
    ]);
}

/// What each question takes: with melds and kongs beside none, all discards beside one question for accepted tiles.
fn beside_each_other(id: &str, decomposer: &Decomposer, closed: &Hands, melds: &Hands, kongs: &Hands) {
    let [mut a, mut b, mut c] = [Scratch::new(), Scratch::new(), Scratch::new()];
    // Lists of the same length, for the time of each is divided by that number.
    let cut = |hands: &[Holding]| -> Vec<Holding> { hands.iter().cycle().take(COUNT / 2).copied().collect() };
    for (what, run) in [("distance", distances as fn(&Decomposer, &[Holding], &mut Scratch) -> u64), ("discards", discards)] {
        let [closed, melds, kongs] = [closed, melds, kongs].map(|hands| cut(&hands.on_turn));
        compare(&format!("{id} {what}, hands of play"), COUNT / 2, vec![
            Work::new("without melds", || run(decomposer, &closed, &mut a)),
            Work::new("with melds", || run(decomposer, &melds, &mut b)),
            Work::new("with kongs", || run(decomposer, &kongs, &mut c)),
        ]);
    }
    for (what, hands) in [("without melds", closed), ("with melds", melds)] {
        let (on_turn, waiting) = (cut(&hands.on_turn), cut(&hands.waiting));
        compare(&format!("{id} all discards {what}"), COUNT / 2, vec![
            Work::new("accepted tiles of one hand", || accepts(decomposer, &waiting, &mut a)),
            Work::new("all discards", || discards(decomposer, &on_turn, &mut b)),
        ]);
    }
}

/// What it takes to score hands that greedy players won with.
fn scores() {
    const COUNT: usize = 2_000;
    let all = ["riichi-mcgill", "woo", "traditional", "celestial", "uzje"].map(|id| {
        let rules = Rules::by_id(id).unwrap();
        let won = Wins::of(&rules, "greedy", COUNT);
        (id, rules, won)
    });
    let work = all.iter().map(|(id, rules, won)| {
        let score = || won[..COUNT].iter().map(|won| rules.score_hand(&won.input()).unwrap().points as u64).fold(0, u64::wrapping_add);
        Work::new(id, score)
    });
    compare("score of a won hand, hands of play", COUNT, work.collect());
}

pub fn all() {
    for id in ["riichi-mcgill", "woo", "uzje"] {
        let rules = Rules::by_id(id).unwrap();
        let decomposer = rules.plan().decomposer();
        let hands = Hands::of(&rules, "greedy", 2 * COUNT);
        let closed = hands.filtered(|hand| hand.melds == 0);
        let melds = hands.filtered(|hand| hand.melds > 0);
        let kongs = hands.filtered(has_kong);
        if id == "riichi-mcgill" {
            beside_peers(decomposer, "hands of play without melds", &closed);
            beside_peers(decomposer, "hands of play with melds", &melds);
        }
        beside_each_other(id, decomposer, &closed, &melds, &kongs);
    }
    scores();
    for id in ["riichi-mcgill", "woo", "traditional", "celestial", "uzje"] {
        let rules = Rules::by_id(id).unwrap();
        let agents = |name: &str| -> Vec<_> { (0..rules.plan().players()).map(|_| agent::by_name(name, rules.plan()).unwrap()).collect() };
        let (mut greedy, mut random) = (agents("greedy"), agents("random"));
        compare(&format!("a round of {id}"), ROUNDS as usize, vec![
            Work::new("random players", || with_agents(&rules, &mut random)),
            Work::new("greedy players", || with_agents(&rules, &mut greedy)),
        ]);
    }
}
