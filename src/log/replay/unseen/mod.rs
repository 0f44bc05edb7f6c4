//! Finds the tiles that a player's view does not show.
//!
//! The engine replays a view like any other log, so it needs a deal in which every tile is known. This module finds
//! one that fits the log. A tile that another player shows must have been drawn in time. Tiles that are never shown are
//! taken from the rest of the set. If an announcement or a restriction limits a hand further, a search changes these
//! tiles until the hand fits.
//!
//! This module checks only that such a deal exists. The engine and the recorder check the log.

mod hand;
mod read;

use super::lay::{Dealt, dealt_to, take};
use super::source::{LogFault, ReplayError, malformed};
use crate::decompose::Scratch;
use crate::log::Line;
use crate::notation::Notation;
use crate::random::Stream;
use crate::ruleset::{PassRules, Plan};
use crate::score::PaymentHook;
use crate::score::facts::Fact;
use crate::seat::Player;
use crate::tile::{Kind, Suit, Tile};
use hand::{Arrival, STAYS, Seen};
use read::{Passed, Reader};
use std::cmp::Reverse;

/// The number of attempts for each deal, with different hidden tiles.
const ATTEMPTS: usize = 8;

/// Finds all tiles of the deal that begins at line `at`. `told` is a copy of the lines, into which the hidden tiles of
/// exchanges and kongs are written. Each `attempt` chooses different hidden tiles. `None` if there is no such attempt.
pub(super) fn deal(
    plan: &Plan,
    notation: Notation,
    told: &mut [Line],
    at: usize,
    attempt: usize,
) -> Result<Option<Dealt>, ReplayError> {
    let mut reader = Reader {
        plan,
        notation,
        players: (0..plan.players).map(|_| Seen::default()).collect(),
        drawn: [Vec::new(), Vec::new()],
        turned: [Vec::new(), Vec::new()],
        dealt: Dealt::default(),
        slots: Vec::new(),
        passed: Vec::new(),
    };
    reader.turn_kongs_up(told, at)?;
    let dealer = reader.read(told, at)?;
    if !reader.fill(at, attempt)? {
        return Ok(None);
    }
    reader.choose_passed(told);
    reader.lay(at, dealer);
    Ok(Some(reader.dealt))
}

impl Reader<'_> {
    /// The tile that lies face up from the first turn on.
    fn turned(&self) -> Option<Tile> {
        self.dealt.turned.first().map(|(_, tile)| *tile)
    }

    /// Finds a tile for every hidden arrival. False if there is no such attempt.
    fn fill(&mut self, at: usize, attempt: usize) -> Result<bool, ReplayError> {
        let of_deal;
        let plan = match self.plan.changes_wild() {
            false => self.plan,
            true => {
                of_deal = self.plan.of_deal(self.turned());
                &of_deal
            }
        };
        let mut left: Vec<Tile> = plan.tiles.iter().collect();
        for &(at, tile) in self.dealt.turned.iter().chain(&self.dealt.under) {
            take(&mut left, at, tile)?;
        }
        for &(_, at, tile) in self.turned.iter().flatten() {
            take(&mut left, at, tile)?;
        }
        for seen in &self.players {
            for arrival in seen.arrivals.iter().filter(|arrival| arrival.from_wall) {
                if let Some(held) = arrival.held {
                    take(&mut left, arrival.at, held.tile)?;
                }
            }
            for held in &seen.shown {
                let line = if held.gone == STAYS { at } else { held.gone };
                take(&mut left, line, held.tile)?;
            }
        }
        let mut free = Vec::new();
        for (player, seen) in self.players.iter().enumerate() {
            let unknown = seen.unknown().count();
            match unknown.checked_sub(seen.shown.len()) {
                Some(more) => free.push(more),
                None => {
                    let first = seen.shown.iter().map(|held| held.gone).min();
                    let line = first.filter(|line| *line != STAYS).unwrap_or(at);
                    return malformed(line, LogFault::NeverDrawn { player });
                }
            }
        }
        // If wild tiles are paid, the payments show how many each hand has, so each attempt tries another distribution.
        let pays_wilds = plan
            .payments
            .asks(PaymentHook::DealEnd, |fact| *fact == Fact::Wilds);
        let wild = plan.decomposer.wild();
        let is_wild = |tile: &Tile| tile.kind().is_some_and(|kind| wild.contains(kind));
        let is_paid = |tile: &Tile| pays_wilds && is_wild(tile);
        let mut paid: Vec<Tile> = left.iter().copied().filter(is_paid).collect();
        let ways = ways_to_hold(paid.len(), &free);
        let attempts = match free.iter().sum() {
            0 => 1,
            _ => ATTEMPTS.max(ways.len()),
        };
        if attempt >= attempts {
            return Ok(false);
        }
        let mut stream = Stream::new(attempt as u64, 0);
        stream.shuffle(&mut left);
        left.retain(|tile| !is_paid(tile));
        // Tiles that must be laid aside are shown at once, so hidden tiles are rarely of them: they are taken last.
        left.sort_by_key(|tile| !plan.play.aside.must_lay(*tile));
        let mut scratch = Scratch::new();
        // Hands with more demands choose their tiles first.
        let mut hands: Vec<_> = self
            .players
            .iter_mut()
            .zip(&ways[attempt % ways.len()])
            .collect();
        hands.sort_by_key(|(seen, _)| Reverse(seen.demands.len()));
        for (seen, &wilds) in hands {
            let kept = paid.len().saturating_sub(wilds);
            seen.fill(&mut left, paid.split_off(kept));
            seen.fit(plan, &mut left, &mut stream, &mut scratch);
        }
        Ok(true)
    }

    /// The tile in a slot, once all tiles are found.
    fn tile_in(&self, slot: usize) -> Option<Tile> {
        let (player, place) = self.slots[slot].last;
        Some(self.players[player].arrivals.get(place)?.held?.tile)
    }

    /// Chooses the hidden tiles that were passed: any that may be passed and that those who have them in the end hold.
    fn choose_passed(&mut self, told: &mut [Line]) {
        let steps: Vec<PassRules> = self
            .plan
            .opening
            .iter()
            .filter_map(|step| step.passes().copied())
            .collect();
        let is_passed = |slot: usize| self.passed.iter().any(|passed| passed.slot == slot);
        // Slots that may change places with passed ones of the same hand.
        let mut free: Vec<usize> = (0..self.slots.len())
            .filter(|slot| self.slots[*slot].is_hidden() && !is_passed(*slot))
            .collect();
        let mut from = 0;
        while let Some(first) = self.passed.get(from) {
            let (giver, step) = (first.giver, first.step);
            let is_like = |passed: &&Passed| passed.giver == giver && passed.step == step;
            let many = self.passed[from..].iter().take_while(is_like).count();
            let hidden: Vec<(usize, usize)> = self.passed[from..from + many]
                .iter()
                .filter(
                    |passed| matches!(&told[passed.line], Line::Exchange { pai, .. } if pai == "?"),
                )
                .map(|passed| (passed.line, passed.slot))
                .collect();
            from += many;
            let Some(rules) = steps.get(step).or(steps.last()) else {
                return;
            };
            let slots: Vec<usize> = hidden.iter().map(|(_, slot)| *slot).collect();
            self.let_pass(&slots, &mut free, rules);
            let mut tiles: Vec<Tile> = slots
                .iter()
                .filter_map(|&slot| self.tile_in(slot))
                .collect();
            tiles.sort_unstable();
            for ((line, _), tile) in hidden.into_iter().zip(tiles) {
                if let Line::Exchange { pai, .. } = &mut told[line] {
                    *pai = self.notation.print_one(tile);
                }
            }
        }
    }

    /// Puts tiles that may be passed into these slots, from free slots of the same hands where there are any.
    fn let_pass(&mut self, slots: &[usize], free: &mut [usize], rules: &PassRules) {
        let kind_in = |of: &Self, slot: usize| of.tile_in(slot).and_then(Tile::kind);
        let may = |kind: Option<Kind>, suit: Option<Suit>| {
            let kind = kind.filter(|kind| rules.of.contains(*kind));
            kind.is_some_and(|kind| suit.is_none() || kind.suit() == suit)
        };
        // The suit of which the hand has enough, if all must be of one suit.
        let enough = |suit: &Suit| {
            let hand = slots.first().map(|slot| self.slots[*slot].last.0);
            let all = slots.iter().chain(free.iter());
            let own = all.filter(|slot| Some(self.slots[**slot].last.0) == hand);
            let of_suit = own.filter(|slot| may(kind_in(self, **slot), Some(*suit)));
            of_suit.count() >= slots.len()
        };
        let suit = Suit::ALL
            .into_iter()
            .find(enough)
            .filter(|_| rules.same_suit);
        for &slot in slots {
            if may(kind_in(self, slot), suit) {
                continue;
            }
            let is_fit = |other: &&usize| {
                let same = self.slots[**other].last.0 == self.slots[slot].last.0;
                same && may(kind_in(self, **other), suit)
            };
            if let Some(&other) = free.iter().find(is_fit) {
                let last = self.slots[slot].last;
                self.slots[slot].last = std::mem::replace(&mut self.slots[other].last, last);
            }
        }
    }

    /// Puts all tiles into wall order.
    fn lay(&mut self, at: usize, dealer: Player) {
        let tile_of = |arrival: &Arrival| Some((arrival.at, arrival.held?.tile));
        let mut hands: Vec<Vec<Tile>> = vec![Vec::new(); self.players.len()];
        for (slot, dealt) in self.slots.iter().enumerate() {
            hands[dealt.dealt_to].extend(self.tile_in(slot));
        }
        let order = dealt_to(self.plan, dealer);
        let tiles = order.filter_map(|player| Some((at, hands.get_mut(player)?.pop()?)));
        self.dealt.front = tiles.collect();
        let players = &self.players;
        let drawn = |&(player, place): &(usize, usize)| {
            players
                .get(player)
                .and_then(|seen| tile_of(seen.arrivals.get(place)?))
        };
        let taken = |end: usize| {
            let mut taken: Vec<(usize, Tile)> = self.drawn[end].iter().filter_map(drawn).collect();
            for &(before, at, tile) in self.turned[end].iter().rev() {
                taken.insert(before.min(taken.len()), (at, tile));
            }
            taken
        };
        let (front, back) = (taken(0), taken(1));
        self.dealt.front.extend(front);
        self.dealt.back.extend(back);
    }
}

/// All distributions of at most `tiles` equal tiles to hands with `free` unknown tiles each, the fewest tiles first.
fn ways_to_hold(tiles: usize, free: &[usize]) -> Vec<Vec<usize>> {
    let mut ways = vec![Vec::new()];
    for &room in free {
        let longer = |way: Vec<usize>| {
            let held: usize = way.iter().sum();
            (0..=room.min(tiles - held)).map(move |more| [&way[..], &[more]].concat())
        };
        ways = ways.into_iter().flat_map(longer).collect();
    }
    ways.sort_by_key(|way| way.iter().sum::<usize>());
    ways
}
