//! Tiles that are passed before the first turn: where each dealt tile goes, and which of those that the log hides are passed.

use super::fit::WORSE;
use super::hand::{Held, STAYS, Seen};
use super::read::Reader;
use super::slot::{Gift, Passed};
use crate::log::Line;
use crate::log::replay::source::{LogFault, ReplayError, malformed};
use crate::random::Stream;
use crate::ruleset::{OpeningStep, PassRules};
use crate::tile::{Kind, Suit, Tile};

/// The most steps of the search for the ways of passed tiles.
const STEPS: usize = 4000;

/// After so many steps the search begins again.
const AGAIN: usize = 1000;

/// Where a tile that was passed should be when the turns begin.
#[derive(Clone, Copy)]
enum Goal {
    /// In the hand of this player.
    Player(usize),
    /// In the place of this slot, which has the same tile.
    Slot(usize),
}

impl Reader<'_> {
    /// Passes the tiles of a step on: all players give theirs away before any player receives one.
    pub(super) fn pass(
        &mut self,
        gifts: &mut Vec<Gift>,
        hands: &mut [Vec<usize>],
    ) -> Result<(), ReplayError> {
        if gifts.is_empty() {
            return Ok(());
        }
        let step = self.passed.last().map_or(0, |last| last.step + 1);
        let mut received = Vec::new();
        for gift in gifts.drain(..) {
            let hand = &mut hands[gift.giver];
            let of = |tile: Option<Tile>| {
                let mut slots = hand.iter();
                slots.position(|slot| self.slots[*slot].tile == tile)
            };
            let Some(place) = of(gift.tile).or_else(|| of(None)) else {
                return malformed(gift.line, LogFault::NotInHand);
            };
            let slot = hand.swap_remove(place);
            received.push((gift.receiver, slot, gift.tile));
            self.passed.push(Passed {
                line: gift.line,
                giver: gift.giver,
                slot,
                step,
            });
        }
        let mut told = Vec::new();
        for (player, slot, tile) in received {
            hands[player].push(slot);
            told.extend(tile.map(|tile| (slot, tile)));
        }
        for (player, hand) in hands.iter().enumerate() {
            hand.iter()
                .for_each(|slot| self.slots[*slot].at.push(player));
        }
        for (slot, tile) in told {
            self.slots[slot].tell(tile);
        }
        Ok(())
    }

    /// The steps in which tiles are passed.
    fn pass_steps(&self) -> impl Iterator<Item = &PassRules> {
        self.plan.opening.iter().filter_map(OpeningStep::passes)
    }

    /// Finds out where tiles went that players may have passed on: a search moves them until the hands fit what the log
    /// shows later, for at most [`STEPS`] steps.
    pub(super) fn trace_passed(&mut self, stream: &mut Stream) {
        // With one step nobody passes on what was passed. No game has more steps than the rules have.
        let steps = self.slots.first().map_or(0, |slot| slot.at.len() - 1);
        if steps < 2 || steps > self.pass_steps().count() {
            return;
        }
        let state = |of: &Self| (of.slots.clone(), of.passed.clone(), of.players.clone());
        let (first, first_misfit) = (state(self), self.misfit());
        let mut misfit = first_misfit;
        for step in 0..STEPS {
            if misfit == 0 {
                return;
            }
            if step % AGAIN == 0 {
                (self.slots, self.passed, self.players) = first.clone();
                misfit = first_misfit;
            }
            let before = state(self);
            let changed = match stream.below(4) {
                0 => self.replace(stream),
                _ => self.relocate(stream),
            };
            let now = if changed { self.misfit() } else { usize::MAX };
            if now <= misfit || now == misfit + 1 && stream.below(WORSE) == 0 {
                misfit = now;
            } else {
                (self.slots, self.passed, self.players) = before;
            }
        }
    }

    /// How many tiles are more than the set has, how many shown tiles come too early, and how many told ones are in a hand
    /// that may have only others.
    fn misfit(&self) -> usize {
        let mut left: Vec<Tile> = self.plan.tiles.iter().collect();
        let mut missing = 0;
        for tile in self.located() {
            match left.iter().position(|other| *other == tile) {
                Some(place) => _ = left.swap_remove(place),
                None => missing += 1,
            }
        }
        let of = |seen: &Seen| (-seen.room()).max(0) as usize + seen.strays();
        missing + self.players.iter().map(of).sum::<usize>()
    }

    /// Lets another player have a tile that was passed before, or lets it be the one that comes back, as the log tells. False
    /// if it cannot.
    fn relocate(&mut self, stream: &mut Stream) -> bool {
        let movable: Vec<usize> = (0..self.slots.len())
            .filter(|slot| self.may_move(*slot))
            .collect();
        let mut any = |number: usize| stream.below(number.max(1) as u32) as usize;
        let Some(&slot) = movable.get(any(movable.len())) else {
            return false;
        };
        let one = &self.slots[slot];
        let same = |other: &usize| {
            let later = &self.slots[*other];
            later.tile == one.tile && one.since() < later.since()
        };
        let elsewhere = (0..self.players.len()).filter(|player| *player != one.last.0);
        let mut goals: Vec<Goal> = elsewhere.map(Goal::Player).collect();
        goals.extend((0..self.slots.len()).filter(same).map(Goal::Slot));
        let (goal, from, first) = (goals[any(goals.len())], one.since(), any(self.slots.len()));
        self.send(slot, goal, from, first) && self.match_shown()
    }

    /// Finds which shown tiles are tiles that were told. False if the rules do not let all tiles go their ways.
    fn match_shown(&mut self) -> bool {
        for slot in &self.slots {
            let (player, place) = slot.last;
            let seen = &mut self.players[player];
            let arrival = &mut seen.arrivals[place];
            let Some(held) = arrival.held.as_mut().filter(|held| held.within == 0) else {
                continue;
            };
            if let Some(found) = seen.shown.iter().position(|shown| shown.tile == held.tile) {
                *held = seen.shown.swap_remove(found);
            }
        }
        (0..self.slots.len()).all(|slot| self.may_be_passed(slot))
    }

    /// Lets a hidden tile be the one that comes back, as the log tells, in the place of a tile that was passed before. False
    /// if it cannot.
    fn replace(&mut self, stream: &mut Stream) -> bool {
        let mut any = |number: usize| stream.below(number.max(1) as u32) as usize;
        let twice = |slot: &usize| self.slots[*slot].told.len() > 1;
        let all: Vec<usize> = (0..self.slots.len()).filter(twice).collect();
        let Some(&slot) = all.get(any(all.len())) else {
            return false;
        };
        let told = &self.slots[slot].told;
        let place = any(told.len() - 1);
        let (from, to) = (told[place], told[place + 1]);
        let time = from + any(to - from);
        let is_there = |other: &usize| {
            let other = &self.slots[*other];
            other.is_hidden() && other.at[time] == self.slots[slot].at[time]
        };
        let hidden: Vec<usize> = (0..self.slots.len()).filter(is_there).collect();
        let Some(&other) = hidden.get(any(hidden.len())) else {
            return false;
        };
        self.swap_ways(slot, other, time);
        let tile = self.slots[slot].tile;
        self.slots[other].tile = tile;
        self.swap_told(other, slot, time);
        let (player, place) = self.slots[other].last;
        let arrival = &mut self.players[player].arrivals[place];
        arrival.told = true;
        arrival.held = tile.map(Held::loose);
        self.match_shown()
    }

    /// True for a tile that other players may have passed on after the log tells last where it is.
    fn may_move(&self, slot: usize) -> bool {
        let one = &self.slots[slot];
        !one.is_hidden() && one.since() + 1 < one.at.len()
    }

    /// Searches for a way of a slot's tile to a goal, in which other players pass it on in the place of another tile, from
    /// this number of steps on. Slots from `first` on are tried first. False if there is none.
    fn send(&mut self, slot: usize, goal: Goal, from: usize, first: usize) -> bool {
        let end = self.slots[slot].at.len() - 1;
        if let Goal::Player(player) = goal
            && self.slots[slot].at[end] == player
        {
            return true;
        }
        for time in from..end {
            let mut tried: Vec<Vec<usize>> = Vec::new();
            let all = self.slots.len();
            for other in (first..all).chain(0..first) {
                let (one, of_other) = (&self.slots[slot], &self.slots[other]);
                let meet = one.at[time] == of_other.at[time];
                if let (Goal::Slot(wanted), true) = (goal, meet && other != slot)
                    && other == wanted
                    && time < of_other.since()
                {
                    self.swap_ways(slot, other, time);
                    self.swap_told(slot, other, time);
                    return true;
                }
                let way = &of_other.at[time + 1..];
                let differs = one.at[time + 1] != way[0];
                let is_free = of_other.is_hidden() || of_other.since() <= time;
                if !(is_free && meet && differs && other != slot)
                    || tried.iter().any(|own| own == way)
                {
                    continue;
                }
                tried.push(way.to_vec());
                self.swap_ways(slot, other, time);
                if self.send(slot, goal, time + 1, first) {
                    return true;
                }
                self.swap_ways(slot, other, time);
            }
        }
        false
    }

    /// Lets what the log tells of a tile after this number of steps be of another such tile, which has its place then.
    fn swap_told(&mut self, one: usize, other: usize, time: usize) {
        let mut told = std::mem::take(&mut self.slots[other].told);
        let later = told.split_off(told.partition_point(|own| *own <= time));
        self.slots[one].told.extend(later);
        if told.is_empty() {
            self.slots[other].tile = None;
            let (player, place) = self.slots[other].last;
            let arrival = &mut self.players[player].arrivals[place];
            (arrival.told, arrival.held) = (false, None);
        }
        self.slots[other].told = told;
    }

    /// True if the rules let the tile of a slot go its way, as far as the log tells it.
    fn may_be_passed(&self, slot: usize) -> bool {
        let one = &self.slots[slot];
        let mut moves = self.pass_steps().zip(one.at.windows(2));
        let kind = one.tile.and_then(Tile::kind);
        moves.all(|(rules, at)| at[0] == at[1] || kind.is_none_or(|kind| rules.of.contains(kind)))
    }

    /// Exchanges what becomes of two tiles that are in one hand after this number of steps.
    fn swap_ways(&mut self, one: usize, other: usize, time: usize) {
        for later in time + 1..self.slots[one].at.len() {
            let player = self.slots[one].at[later];
            self.slots[one].at[later] = std::mem::replace(&mut self.slots[other].at[later], player);
        }
        let mut tell = |slot: usize| {
            let (player, place) = self.slots[slot].last;
            let seen = &mut self.players[player];
            let arrival = &mut seen.arrivals[place];
            // What showed this tile may be another one then.
            let shown = arrival.held.filter(|held| held.within > 0);
            seen.shown.extend(shown);
            let loose = |held: &mut Held| (held.gone, held.within) = (STAYS, 0);
            arrival.held.iter_mut().for_each(loose);
            (arrival.told, arrival.held)
        };
        let (of_one, of_other) = (tell(one), tell(other));
        let last = self.slots[one].last;
        self.slots[one].last = std::mem::replace(&mut self.slots[other].last, last);
        for (slot, (told, held)) in [(one, of_one), (other, of_other)] {
            let (player, place) = self.slots[slot].last;
            let arrival = &mut self.players[player].arrivals[place];
            (arrival.told, arrival.held) = (told, held);
        }
        for passed in self.passed.iter_mut().filter(|passed| passed.step >= time) {
            if passed.slot == one {
                passed.slot = other;
            } else if passed.slot == other {
                passed.slot = one;
            }
        }
    }

    /// The tile in a slot, once all tiles are found.
    pub(super) fn tile_in(&self, slot: usize) -> Option<Tile> {
        let (player, place) = self.slots[slot].last;
        Some(self.players[player].arrivals.get(place)?.held?.tile)
    }

    /// Chooses the hidden tiles that were passed: any that may be passed and that those who have them in the end hold.
    pub(super) fn choose_passed(&mut self, told: &mut [Line]) {
        let steps: Vec<PassRules> = self.pass_steps().copied().collect();
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
}
