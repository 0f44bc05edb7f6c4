//! Makes hands from fixed seeds.
#![allow(dead_code, reason = "not every bench uses all")]

use paishan::decompose::Grammar;
use paishan::random::Stream;
use paishan::{Counts, Kind, Suit};

pub const HANDS: usize = 1000;

/// Hands of `len` tiles, of the kinds that `wanted` lets through.
pub fn hands(copies: &Counts, len: usize, seed: u64, wanted: impl Fn(Kind) -> bool) -> Vec<Counts> {
    let mut stream = Stream::new(seed, 1);
    let mut pool: Vec<Kind> = copies.iter().filter(|&kind| wanted(kind)).collect();
    (0..HANDS)
        .map(|_| {
            stream.shuffle(&mut pool);
            let mut hand = Counts::EMPTY;
            for &kind in &pool[..len] {
                hand.try_add(kind);
            }
            hand
        })
        .collect()
}

/// Complete hands: groups and a pair, picked from the seed.
pub fn complete(grammar: &Grammar, seed: u64) -> Vec<Counts> {
    let mut stream = Stream::new(seed, 2);
    let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
    let mut groups: Vec<Counts> = Suit::ALL
        .iter()
        .flat_map(|&suit| {
            grammar
                .shapes()
                .map(move |(_, shape)| shape.group(suit).counts())
        })
        .collect();
    groups.extend(kinds.iter().map(|&kind| {
        let mut pung = Counts::EMPTY;
        pung.set(kind, 3);
        pung
    }));
    let mut found = Vec::new();
    while found.len() < HANDS {
        let mut hand = Counts::EMPTY;
        hand.set(kinds[stream.below(kinds.len() as u32) as usize], 2);
        let sum = (0..4).try_fold(hand, |hand, _| {
            hand.try_plus(&groups[stream.below(groups.len() as u32) as usize])
        });
        found.extend(sum.filter(|hand| {
            hand.kinds()
                .iter()
                .all(|kind| hand.get(kind) <= grammar.copies().get(kind))
        }));
    }
    found
}
