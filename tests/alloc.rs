//! The step loop allocates nothing: counted by an allocator of this test alone.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

mod common;

use common::ruleset_with;
use paishan::Ruleset;
use paishan::encode::{ActionSpace, Encoder, Observation};
use paishan::game::Match;
use paishan::random::Stream;
use paishan::ruleset;
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

/// Hands with wild tiles fill tables when they are first asked about. After that they allocate nothing, either.
#[test]
fn a_deal_is_played_without_allocating() {
    for id in ruleset::ids() {
        let rules = ruleset_with(id, &[]);
        let plan = rules.plan();
        plan.decomposer().prepare();
        let wild = &plan.play().wild;
        if !wild.kinds.is_empty() || wild.turned.is_some() {
            play(&rules, &mut |_, _| ());
        }
        play(&rules, &mut |game, allocations| {
            assert_eq!(allocations, 0, "{id}, game {game}")
        });
    }
}

/// Masks, lists of legal actions and observations are written into arrays of the caller.
#[test]
fn decisions_are_encoded_without_allocating() {
    let rules = ruleset_with("riichi-mcgill", &[]);
    let plan = rules.plan();
    let (space, encoding) = (ActionSpace::of(plan), Observation::v1(plan));
    let (mut mask, mut list) = (vec![0; space.len()], vec![0; space.most_legal()]);
    let mut planes = vec![0_u8; encoding.planes().len() * encoding.kinds().len()];
    let mut scalars = vec![0.0; encoding.scalars().len()];
    let mut encoder = Encoder::new(&encoding);
    for game in 0..50 {
        let mut stream = Stream::new(game, 3);
        let mut deal = Match::new(&rules, game_seed(2, game)).start_deal();
        let before = ALLOCATIONS.get();
        while let Some(seat) = deal.state().waiting().first() {
            let legal = deal.legal(seat);
            space.write_mask(legal, &mut mask).unwrap();
            let len = space.write_numbers(legal, &mut list).unwrap();
            let view = deal.state().view(seat);
            encoder.update(&view, &mut planes, &mut scalars).unwrap();
            let number = list[stream.below(len as u32) as usize];
            deal.act(seat, space.action(number.into()).unwrap())
                .unwrap();
        }
        assert_eq!(ALLOCATIONS.get() - before, 0, "game {game}");
    }
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
