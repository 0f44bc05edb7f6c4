//! Finds the tiles that a player's view does not show.
//!
//! The engine replays a view like any other log, so it needs a deal in which every tile is known. This module finds
//! one that fits the log. A tile that another player shows must have been drawn in time. Tiles that are never shown are
//! taken from the rest of the set. If announcements or restrictions limit hands further, a search changes these tiles until
//! all hands fit (`fit.rs`).
//!
//! This module checks only that such a deal exists. The engine and the recorder check the log.

mod fit;
mod hand;
mod passed;
mod read;
mod slot;

use super::lay::{Dealt, dealt_to, take};
use super::source::{LogFault, ReplayError, malformed};
use crate::decompose::Scratch;
use crate::log::Line;
use crate::notation::Notation;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::score::PaymentHook;
use crate::score::facts::Fact;
use crate::seat::Player;
use crate::tile::Tile;
use fit::Fit;
pub(super) use fit::Unmet;
use hand::{Arrival, STAYS, Seen};
use read::Reader;

/// The number of attempts for each deal, with different hidden tiles.
const ATTEMPTS: usize = 8;

/// Finds all tiles of the deal that begins at line `at`. `told` is a copy of the lines, into which the hidden tiles of
/// exchanges and kongs are written. Each `attempt` chooses different hidden tiles. `None` if there is no such attempt. A
/// demand that the tiles do not meet is returned beside them.
pub(super) fn deal(
    plan: &Plan,
    notation: Notation,
    told: &mut [Line],
    at: usize,
    attempt: usize,
) -> Result<Option<(Dealt, Option<Unmet>)>, ReplayError> {
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
    reader.trace_passed(&mut Stream::new(attempt as u64, 1));
    let Some(unmet) = reader.fill(at, attempt)? else {
        return Ok(None);
    };
    reader.choose_passed(told);
    reader.lay(at, dealer);
    Ok(Some((reader.dealt, unmet)))
}

impl Reader<'_> {
    /// The tile that lies face up from the first turn on.
    fn turned(&self) -> Option<Tile> {
        self.dealt.turned.first().map(|(_, tile)| *tile)
    }

    /// The tiles of the wall that the log shows.
    fn located(&self) -> impl Iterator<Item = Tile> {
        let indicators = self.dealt.turned.iter().chain(&self.dealt.under);
        let turned = self.turned.iter().flatten().map(|(_, _, tile)| *tile);
        let of = |seen: &Seen| {
            let told = seen.arrivals.iter().filter(|arrival| arrival.from_wall);
            let told = told.filter_map(|arrival| Some(arrival.held?.tile));
            let shown = seen.shown.iter().map(|held| held.tile);
            told.chain(shown).collect::<Vec<Tile>>()
        };
        let indicators = indicators.map(|(_, tile)| *tile);
        indicators
            .chain(turned)
            .chain(self.players.iter().flat_map(of))
    }

    /// Finds a tile for every hidden arrival, and a demand that these tiles do not meet. `None` if there is no such attempt.
    fn fill(&mut self, at: usize, attempt: usize) -> Result<Option<Option<Unmet>>, ReplayError> {
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
            return Ok(None);
        }
        let mut stream = Stream::new(attempt as u64, 0);
        stream.shuffle(&mut left);
        left.retain(|tile| !is_paid(tile));
        // Tiles that must be laid aside are shown at once, so hidden tiles are rarely of them: they are taken last.
        left.sort_by_key(|tile| !plan.play.aside.must_lay(*tile));
        for (seen, &wilds) in self.players.iter_mut().zip(&ways[attempt % ways.len()]) {
            let kept = paid.len().saturating_sub(wilds);
            seen.fill(&mut left, paid.split_off(kept));
        }
        let mut fit = Fit {
            plan,
            players: &mut self.players,
            left: &mut left,
            stream: &mut stream,
            scratch: &mut Scratch::new(),
        };
        Ok(Some(fit.search()))
    }

    /// Puts all tiles into wall order.
    fn lay(&mut self, at: usize, dealer: Player) {
        let tile_of = |arrival: &Arrival| Some((arrival.at, arrival.held?.tile));
        let mut hands: Vec<Vec<Tile>> = vec![Vec::new(); self.players.len()];
        for (slot, dealt) in self.slots.iter().enumerate() {
            hands[dealt.dealt_to()].extend(self.tile_in(slot));
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
