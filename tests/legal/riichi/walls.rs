//! Walls stacked so that what hardly ever happens happens.

use super::forms::*;
use crate::common::naive::runs;
use crate::common::rigged;
use paishan::random::Stream;
use paishan::ruleset::Ruleset;
use paishan::{Kind, Notation, Suit, Tile, Wall};

/// What a wall is stacked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As it comes.
    Natural,
    /// Everybody is dealt groups.
    Near,
    /// Everybody is dealt triplets, their fourth tiles come soon.
    Triplets,
    /// East is dealt four triplets and draws their fourth tiles, the others one triplet each.
    OneOwner,
    /// Everybody is dealt orphans.
    Orphans,
    /// South lacks an orphan of which East holds three and draws the fourth.
    Kokushi,
    /// East may make a pon of what South waits for, and draws the fourth.
    Robbed,
    /// Everybody holds the same wind.
    Winds,
    /// Everybody is dealt a ready hand, often with triplets whose fourth tiles come soon.
    Ready,
    /// South, West and North wait for one kind, of which East draws a tile first.
    Shared,
    /// South may make three pons and then a chii that leaves nothing to discard.
    Swap,
}

pub const STYLES: [Style; 11] = [
    Style::Natural,
    Style::Near,
    Style::Triplets,
    Style::OneOwner,
    Style::Orphans,
    Style::Kokushi,
    Style::Robbed,
    Style::Winds,
    Style::Ready,
    Style::Shared,
    Style::Swap,
];

pub fn pick<T: Copy>(stream: &mut Stream, all: &[T]) -> T {
    all[stream.below(all.len() as u32) as usize]
}

pub fn chance(stream: &mut Stream, percent: u32) -> bool {
    stream.below(100) < percent
}

/// Tiles from which hands and draws are laid; a kind of which none is left is left out.
pub struct Pool {
    pub left: Vec<Tile>,
    pub hands: [Vec<Tile>; 4],
    pub front: Vec<Tile>,
    pub back: Vec<Tile>,
}

impl Pool {
    pub fn new(rules: &dyn Ruleset, stream: &mut Stream) -> Self {
        let mut left: Vec<Tile> = rules.plan().tiles().iter().collect();
        stream.shuffle(&mut left);
        Self {
            left,
            hands: Default::default(),
            front: Vec::new(),
            back: Vec::new(),
        }
    }

    pub fn take(&mut self, kind: Kind) -> Option<Tile> {
        let place = self.left.iter().position(|tile| kind_of(*tile) == kind)?;
        Some(self.left.swap_remove(place))
    }

    pub fn deal(&mut self, seat: usize, kinds: impl IntoIterator<Item = Kind>) {
        for kind in kinds {
            if self.hands[seat].len() < 13 {
                let tile = self.take(kind);
                self.hands[seat].extend(tile);
            }
        }
    }

    pub fn front(&mut self, kind: Kind) {
        let tile = self.take(kind);
        self.front.extend(tile);
    }

    pub fn front_any(&mut self) {
        self.front.extend(self.left.pop());
    }

    pub fn back(&mut self, kind: Kind) {
        let tile = self.take(kind);
        self.back.extend(tile);
    }

    pub fn wall(mut self, rules: &dyn Ruleset) -> Wall {
        for hand in &mut self.hands {
            let missing = 13 - hand.len();
            hand.extend(self.left.drain(..missing));
        }
        let missing = 4 - self.back.len();
        self.back.extend(self.left.drain(..missing));
        let missing = 70 - self.front.len();
        self.front.extend(self.left.drain(..missing));
        let text = |tiles: &[Tile]| Notation::Ujmj.print(tiles.iter().copied());
        let hands = self.hands.each_ref().map(|hand| text(hand));
        rigged::wall(
            rules,
            hands.each_ref().map(String::as_str),
            &text(&self.front),
            &text(&self.back),
            &text(&self.left),
        )
    }
}

pub fn stacked(rules: &dyn Ruleset, style: Style, stream: &mut Stream) -> Wall {
    let mut pool = Pool::new(rules, stream);
    let kinds: Vec<Kind> = all_kinds().collect();
    let mut mixed = kinds.clone();
    stream.shuffle(&mut mixed);
    let chiis: Vec<[Kind; 3]> = runs().map(|(_, _, kinds)| kinds).collect();
    let mut orphans: Vec<Kind> = kinds.iter().copied().filter(|k| is_orphan(*k)).collect();
    stream.shuffle(&mut orphans);
    match style {
        Style::Natural => {}
        Style::Near => {
            let triplets = pick(stream, &[10, 30, 60]);
            let mut fourth = Vec::new();
            for seat in 0..4 {
                for _ in 0..3 {
                    if chance(stream, triplets) {
                        let kind = pick(stream, &kinds);
                        pool.deal(seat, [kind; 3]);
                        fourth.push(kind);
                    } else {
                        pool.deal(seat, pick(stream, &chiis));
                    }
                }
                if chance(stream, 60) {
                    pool.deal(seat, [pick(stream, &kinds); 2]);
                }
            }
            for _ in 0..8 {
                pool.front_any();
            }
            fourth.into_iter().for_each(|kind| pool.front(kind));
            for _ in 0..12 {
                pool.front_any();
            }
            stream.shuffle(&mut pool.front);
        }
        Style::Triplets => {
            for (i, kind) in mixed[..12].iter().enumerate() {
                pool.deal(i % 4, [*kind; 3]);
            }
            mixed[..3].iter().for_each(|kind| pool.back(*kind));
            mixed[3..12].iter().for_each(|kind| pool.front(*kind));
            for _ in 0..10 {
                pool.front_any();
            }
            stream.shuffle(&mut pool.front);
        }
        Style::OneOwner => {
            mixed[..4].iter().for_each(|kind| pool.deal(0, [*kind; 3]));
            for seat in 1..4 {
                pool.deal(seat, [mixed[3 + seat]; 3]);
                pool.deal(seat, [mixed[6 + seat]; 2]);
            }
            pool.front(mixed[0]);
            for kind in &mixed[1..4] {
                pool.back(*kind);
            }
            // East discards what another holds three of, or South draws its own fourth.
            if chance(stream, 50) {
                let fed = mixed[3 + pick(stream, &[1, 2, 3])];
                pool.deal(0, [fed]);
            } else {
                pool.front(mixed[4]);
                pool.front(mixed[8]);
            }
        }
        Style::Orphans => {
            for seat in 0..4 {
                stream.shuffle(&mut orphans);
                let many = 7 + stream.below(5) as usize;
                pool.deal(seat, orphans[..many].iter().copied());
            }
        }
        Style::Kokushi => {
            let missing = orphans[12];
            pool.deal(1, orphans[..12].iter().copied());
            pool.deal(1, [orphans[0]]);
            pool.deal(0, [missing; 3]);
            for _ in 0..2 {
                let chii = pick(stream, &chiis);
                pool.deal(0, chii);
            }
            if chance(stream, 50) {
                (0..4).for_each(|_| pool.front_any());
            }
            pool.front(missing);
        }
        Style::Robbed => {
            let [low, middle, high] = pick(stream, &chiis);
            let (wait, rest) = pick(stream, &[(low, [middle, high]), (high, [low, middle])]);
            pool.deal(0, [wait; 2]);
            pool.deal(1, rest);
            for seat in [1, 1, 1, 0, 0] {
                let chii = pick(stream, &chiis);
                if !chii.contains(&wait) {
                    pool.deal(seat, chii);
                }
            }
            pool.deal(1, [pick(stream, &orphans); 2]);
            // North draws it, and East after the pon and a round.
            (0..3).for_each(|_| pool.front_any());
            pool.front(wait);
            (0..3).for_each(|_| pool.front_any());
            pool.front(wait);
        }
        Style::Winds => {
            let wind = pick(stream, &HONOURS[..4]);
            (0..4).for_each(|seat| pool.deal(seat, [wind]));
            pool.deal(2, [mixed[0]; 3]);
            if chance(stream, 30) {
                (0..2).for_each(|_| pool.front_any());
                pool.front(mixed[0]);
            }
        }
        Style::Ready => {
            let mut fourth = Vec::new();
            for (seat, own) in mixed[..4].iter().copied().enumerate() {
                let groups = pick(stream, &chiis);
                match stream.below(3) {
                    // Three triplets in a row are three chiis as well.
                    0 => {
                        groups.iter().for_each(|kind| pool.deal(seat, [*kind; 3]));
                        fourth.extend(groups);
                    }
                    // The triplet may touch what the hand waits with.
                    1 => {
                        pool.deal(seat, [groups[1]; 3]);
                        pool.deal(seat, [own; 3]);
                        fourth.extend([groups[1], own]);
                        pool.deal(seat, pick(stream, &chiis));
                    }
                    _ => (0..3).for_each(|_| pool.deal(seat, pick(stream, &chiis))),
                }
                let pair = pick(stream, &kinds);
                let other = pick(stream, &chiis);
                let [low, middle, high] = pick(stream, &[groups, other]);
                let (part, wait) = match stream.below(3) {
                    0 => ([low, middle], high),
                    1 => ([middle, high], low),
                    _ => ([low, high], middle),
                };
                pool.deal(seat, [pair; 2]);
                pool.deal(seat, part);
                pool.back(wait);
            }
            for _ in 0..10 {
                pool.front_any();
            }
            fourth.into_iter().for_each(|kind| pool.front(kind));
            stream.shuffle(&mut pool.front);
        }
        Style::Shared => {
            let (i, wait) = (stream.below(5) as usize, pick(stream, &Suit::ALL));
            let near = |place: usize| kinds[9 * wait.lane() + i + place];
            let wait = near(2);
            let mut parts = [[0, 1], [3, 4], [1, 3]];
            stream.shuffle(&mut parts);
            for (seat, [a, b]) in (1..4).zip(parts) {
                pool.deal(seat, [near(a), near(b)]);
            }
            for seat in 1..4 {
                pool.deal(seat, [pick(stream, &orphans); 2]);
                for _ in 0..5 {
                    let chii = pick(stream, &chiis);
                    if !chii.contains(&wait) {
                        pool.deal(seat, chii);
                    }
                }
            }
            pool.front(wait);
            (0..stream.below(6)).for_each(|_| pool.front_any());
            pool.front(wait);
            pool.front(wait);
        }
        Style::Swap => {
            let [low, middle, high] = pick(stream, &chiis);
            let (claimed, pair) = pick(stream, &[(low, [middle, high]), (high, [low, middle])]);
            let pons: Vec<Kind> = mixed
                .iter()
                .copied()
                .filter(|kind| ![low, middle, high].contains(kind))
                .take(3)
                .collect();
            pool.deal(1, pair);
            pool.deal(1, [claimed; 2]);
            pons.iter().for_each(|kind| pool.deal(1, [*kind; 2]));
            // East, then West twice; East again after West and North.
            pons.iter().for_each(|kind| pool.front(*kind));
            (0..2).for_each(|_| pool.front_any());
            pool.front(claimed);
        }
    }
    pool.wall(rules)
}
