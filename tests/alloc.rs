//! The step loop allocates nothing: counted by an allocator of this test alone.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

mod common;

use common::{ruleset_with, woo};
use paishan::Ruleset;
use paishan::game::Match;
use paishan::random::Stream;
use paishan::{game_seed, state::Action};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_deal_is_played_without_allocating() {
    for rules in [
        woo(),
        ruleset_with("traditional", &[]),
        ruleset_with("celestial", &[]),
        ruleset_with("riichi-mcgill", &[]),
        ruleset_with("riichi-sanma", &[]),
        ruleset_with("taiwanese", &[]),
        ruleset_with("sichuan", &[]),
        ruleset_with("uzje", &[]),
    ] {
        rules.plan().decomposer().prepare();
        play_without_allocating(&rules);
    }
}

/// Hands with wild tiles fill tables when they are first asked about. After that they allocate nothing, either.
#[test]
fn a_deal_with_wild_tiles_is_played_again_without_allocating() {
    for id in ["malaysian", "hangzhou"] {
        let rules = ruleset_with(id, &[]);
        play(&rules, &mut |_, _| ());
        play_without_allocating(&rules);
    }
}

fn play_without_allocating(rules: &dyn Ruleset) {
    play(rules, &mut |game, allocations| {
        assert_eq!(allocations, 0, "game {game}")
    });
}

/// Plays deals at random and tells how often each allocated.
fn play(rules: &dyn Ruleset, tell: &mut dyn FnMut(u64, usize)) {
    let mut steps = 0;
    let mut wins = 0;
    for game in 0..300 {
        let series = Match::new(rules, game_seed(2, game));
        let setup = series.state().setup();
        let mut stream = Stream::new(game, 3);
        let before = ALLOCATIONS.get();
        let mut deal = paishan::game::Deal::start(rules, setup);
        while let Some(seat) = deal.state().waiting().first() {
            let legal = deal.legal(seat).clone();
            let action = if legal.contains(Action::Win) {
                Action::Win
            } else {
                legal
                    .nth(stream.below(legal.len() as u32) as usize)
                    .unwrap()
            };
            deal.act(seat, action).unwrap();
            steps += 1;
        }
        wins += usize::from(
            deal.outcome()
                .is_some_and(|outcome| !outcome.wins().is_empty()),
        );
        tell(game, ALLOCATIONS.get() - before);
    }
    assert!(steps > 10_000 && wins > 0, "{steps} steps, {wins} wins");
}
