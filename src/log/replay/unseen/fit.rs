//! The search for hidden tiles with which all hands meet their demands.

use super::hand::{Held, Seen};
use crate::decompose::Scratch;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::tile::Tile;

/// The most steps of the search for each hand that has demands.
const STEPS: usize = 4000;

/// One step in `WORSE` may increase the misfit by one.
pub(super) const WORSE: u32 = 32;

/// A demand that the search did not meet: the line that makes it, and the player whose hand does not meet it.
#[derive(Clone, Copy)]
pub(in crate::log::replay) struct Unmet {
    pub(in crate::log::replay) line: usize,
    pub(in crate::log::replay) player: usize,
}

/// The place of a tile that the log hides.
#[derive(Clone, Copy)]
enum Place {
    /// Among the tiles that no hand has.
    Left(usize),
    /// In the hand of a player, with one of its arrivals.
    Hand(usize, usize),
}

/// A search for hidden tiles. The hands have a tile for every arrival.
pub(super) struct Fit<'a> {
    pub(super) plan: &'a Plan,
    pub(super) players: &'a mut [Seen],
    /// The tiles that no hand has.
    pub(super) left: &'a mut [Tile],
    pub(super) stream: &'a mut Stream,
    pub(super) scratch: &'a mut Scratch,
}

impl Fit<'_> {
    /// Changes hidden tiles until all hands meet their demands, for at most [`STEPS`] steps a hand with demands. The
    /// hands exchange tiles with each other as well, because after the end of the wall few others are left.
    /// Returns a demand that is not met then.
    pub(super) fn search(&mut self) -> Option<Unmet> {
        let hidden = |player: usize| {
            let places = self.players[player].unknown();
            places.map(move |arrival| Place::Hand(player, arrival))
        };
        let own: Vec<Vec<Place>> = (0..self.players.len())
            .map(|player| hidden(player).collect())
            .collect();
        let left = (0..self.left.len()).map(Place::Left);
        let all: Vec<Place> = left.chain(own.iter().flatten().copied()).collect();
        let mut misfits: Vec<usize> = (0..own.len()).map(|player| self.misfit(player)).collect();
        let demanding = self.players.iter().filter(|seen| !seen.demands.is_empty());
        for _ in 0..STEPS * demanding.count() {
            let unfit = |player: &usize| misfits[*player] > 0 && !own[*player].is_empty();
            let unfit: Vec<usize> = (0..own.len()).filter(unfit).collect();
            let Some(&player) = unfit.get(self.below(unfit.len())) else {
                break;
            };
            let one = own[player][self.below(own[player].len())];
            let other = match self.is_free(one) && self.below(2) == 0 {
                true => self.wanted(player, &all),
                false => own[player][self.below(own[player].len())],
            };
            if !self.may_exchange(one, other) {
                continue;
            }
            self.exchange(one, other);
            let of_other = match other {
                Place::Hand(owner, _) if owner != player => Some(owner),
                _ => None,
            };
            let before = misfits[player] + of_other.map_or(0, |owner| misfits[owner]);
            let now = self.misfit(player);
            let now_of_other = of_other.map_or(0, |owner| self.misfit(owner));
            let sum = now + now_of_other;
            if sum <= before || sum == before + 1 && self.stream.below(WORSE) == 0 {
                misfits[player] = now;
                of_other
                    .iter()
                    .for_each(|&owner| misfits[owner] = now_of_other);
            } else {
                self.exchange(one, other);
            }
        }
        let unmet = |(player, seen): (usize, &Seen)| {
            let line = seen.unmet(self.plan, self.scratch)?;
            Some(Unmet { line, player })
        };
        self.players.iter().enumerate().find_map(unmet)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.stream.below(bound as u32) as usize
    }

    fn misfit(&mut self, player: usize) -> usize {
        self.players[player].misfit(self.plan, self.scratch)
    }

    fn held(&self, place: Place) -> Option<Held> {
        match place {
            Place::Left(at) => Some(Held::free(self.left[at])),
            Place::Hand(player, at) => self.players[player].arrivals[at].held,
        }
    }

    fn is_free(&self, place: Place) -> bool {
        self.held(place).is_some_and(|held| held.free)
    }

    /// A random place with a tile that a random demand of this hand needs, outside the hand. Any other place if there is none.
    fn wanted(&mut self, player: usize, all: &[Place]) -> Place {
        let wanted = self.players[player].wanted(self.plan, self.stream, self.scratch);
        let any = self.below(all.len());
        let is_elsewhere =
            |place: &Place| !matches!(place, Place::Hand(owner, _) if *owner == player);
        let is_wanted = |place: &Place| {
            let held = self.held(*place).filter(|held| held.free);
            let kind = held.and_then(|held| held.tile.kind());
            kind.is_some_and(|kind| wanted.is_none_or(|kinds| kinds.contains(kind)))
        };
        let mut after = all[any..].iter().chain(&all[..any]);
        let found = after.find(|place| is_elsewhere(place) && is_wanted(place));
        found.copied().unwrap_or(all[any])
    }

    /// True if the tiles in two places may change them: what is shown later arrives in time, and tiles that must be laid
    /// aside stay where they are.
    fn may_exchange(&self, one: Place, other: Place) -> bool {
        let (Some(held), Some(of_other)) = (self.held(one), self.held(other)) else {
            return false;
        };
        match (one, other) {
            (Place::Hand(player, a), Place::Hand(owner, b)) if player == owner => {
                held.within > b && of_other.within > a
            }
            _ => {
                let must_lay = |held: Held| self.plan.play.aside.must_lay(held.tile);
                held.free && of_other.free && must_lay(held) == must_lay(of_other)
            }
        }
    }

    fn exchange(&mut self, one: Place, other: Place) {
        let (held, of_other) = (self.held(one), self.held(other));
        for (place, held) in [(one, of_other), (other, held)] {
            match (place, held) {
                (Place::Left(at), Some(held)) => self.left[at] = held.tile,
                (Place::Hand(player, at), held) => self.players[player].arrivals[at].held = held,
                (Place::Left(_), None) => {}
            }
        }
    }
}
