//! One player of a deal: the tiles of the hand that the log shows, and a search for those that it hides.

use super::super::lay::take;
use crate::counts::Counts;
use crate::decompose::{AlikeMelds, Holding, Scratch};
use crate::meld::Group;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::set::KindSet;
use crate::tile::{Kind, Suit, Tile};
use std::ops::Range;

/// The value of [`Held::gone`] for a tile that stays in the hand.
pub(super) const STAYS: usize = usize::MAX;

/// A tile in a concealed hand.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub(super) tile: Tile,
    /// The index of the line at which the tile leaves the hand.
    pub(super) gone: usize,
    /// The tile came with one of the first `within` arrivals.
    pub(super) within: usize,
    /// The tile is never shown, so the search may replace it.
    pub(super) free: bool,
}

impl Held {
    /// A tile that is not shown later.
    pub(super) const fn loose(tile: Tile) -> Self {
        Self {
            tile,
            gone: STAYS,
            within: 0,
            free: false,
        }
    }

    /// A tile that is never shown.
    pub(super) const fn free(tile: Tile) -> Self {
        Self {
            tile,
            gone: STAYS,
            within: usize::MAX,
            free: true,
        }
    }
}

/// A tile that comes into a concealed hand.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) at: usize,
    pub(super) held: Option<Held>,
    /// The log shows the tile.
    pub(super) told: bool,
    /// The tile comes from the wall, not from a meld.
    pub(super) from_wall: bool,
    /// The tile that this turn discards, if it was held before.
    pub(super) discard: Option<Tile>,
}

/// What the log implies about a hand beside its tiles.
#[derive(Clone)]
pub(super) enum Demand {
    Ready,
    /// The hand has only tiles of these kinds.
    Within(KindSet),
    /// The hand is one tile short of one of the forms that may challenge a kong.
    Challenges,
}

/// A change of the melds of a hand.
#[derive(Clone)]
pub(super) enum Melded {
    Meld(Vec<Kind>, bool),
    Added(Kind),
}

/// What a log shows of one player's hand.
#[derive(Clone, Default)]
pub(super) struct Seen {
    pub(super) arrivals: Vec<Arrival>,
    /// Tiles that are shown and not yet assigned to an arrival.
    pub(super) shown: Vec<Held>,
    pub(super) melds: Vec<(usize, Melded)>,
    /// The tiles of the last meld, if it was a concealed one.
    pub(super) kong: Vec<Tile>,
    pub(super) demands: Vec<(usize, Demand)>,
    /// The index in `arrivals` of the tile just drawn.
    pub(super) drawn: Option<usize>,
    pub(super) missing: Option<Suit>,
    pub(super) riichi: bool,
    pub(super) stands: bool,
    /// The next discard leaves the hand ready.
    pub(super) readies: bool,
    /// The whole hand is shown.
    pub(super) is_shown: bool,
}

impl Seen {
    pub(super) fn arrive(&mut self, at: usize, tile: Option<Tile>, from_wall: bool) {
        let held = tile.map(Held::loose);
        let told = tile.is_some();
        self.arrivals.push(Arrival {
            at,
            held,
            told,
            from_wall,
            discard: None,
        });
    }

    /// Takes a tile that line `gone` shows. It came with one of the first `within` arrivals.
    pub(super) fn show(&mut self, tile: Tile, within: usize, gone: usize) {
        let within = within.min(self.arrivals.len());
        self.show_one(tile, self.told(tile, 0..within), within, gone);
    }

    /// Takes a tile that line `gone` shows. It is not the tile just drawn, which came with arrival `drawn`.
    pub(super) fn show_other(&mut self, tile: Tile, drawn: usize, gone: usize) {
        // What came out of a meld since then is told.
        let since = drawn + 1..self.arrivals.len();
        let told = self.told(tile, 0..drawn).or_else(|| self.told(tile, since));
        self.show_one(tile, told, drawn, gone);
    }

    /// The first of some arrivals whose tile is told, is this one and is not shown yet.
    fn told(&self, tile: Tile, mut among: Range<usize>) -> Option<usize> {
        let is_it = |held: Held| held.tile == tile && held.within == 0;
        among.find(|&place| {
            let arrival = &self.arrivals[place];
            arrival.told && arrival.held.is_some_and(is_it)
        })
    }

    fn show_one(&mut self, tile: Tile, told: Option<usize>, within: usize, gone: usize) {
        let within = told.map_or(within, |place| within.max(place + 1));
        let held = Held {
            tile,
            gone,
            within,
            free: false,
        };
        match told {
            Some(place) => self.arrivals[place].held = Some(held),
            None => self.shown.push(held),
        }
    }

    /// Takes a tile from anywhere in the hand.
    pub(super) fn take(&mut self, tile: Tile, gone: usize) {
        self.show(tile, self.arrivals.len(), gone);
    }

    /// Takes the tile just drawn, which is this one.
    pub(super) fn take_drawn(&mut self, tile: Tile, gone: usize) {
        let is_it =
            |held: Option<Held>| held.is_none_or(|held| held.tile == tile && held.within == 0);
        match self
            .drawn
            .take()
            .filter(|&drawn| is_it(self.arrivals[drawn].held))
        {
            Some(drawn) => {
                let arrival = &mut self.arrivals[drawn];
                arrival.told = true;
                arrival.held = Some(Held {
                    tile,
                    gone,
                    within: drawn + 1,
                    free: false,
                });
            }
            None => self.take(tile, gone),
        }
    }

    pub(super) fn meld(&mut self, at: usize, tiles: impl IntoIterator<Item = Tile>, open: bool) {
        let kinds = tiles.into_iter().filter_map(Tile::kind).collect();
        self.melds.push((at, Melded::Meld(kinds, open)));
    }

    /// Adds a fourth tile to a pung on the table.
    pub(super) fn add(&mut self, at: usize, tile: Tile) {
        let kind = tile.kind();
        self.melds
            .extend(kind.map(|kind| (at, Melded::Added(kind))));
    }

    pub(super) fn kongs(&self) -> usize {
        let is_kong = |(_, meld): &&(usize, Melded)| match meld {
            Melded::Meld(kinds, _) => kinds.len() == 4,
            Melded::Added(_) => true,
        };
        self.melds.iter().filter(is_kong).count()
    }

    /// Returns the other three tiles of a robbed concealed kong to the hand.
    pub(super) fn give_back(&mut self, at: usize, robbed: Tile) {
        let mut kong = std::mem::take(&mut self.kong);
        if take(&mut kong, at, robbed).is_ok() {
            kong.into_iter()
                .for_each(|tile| self.arrive(at, Some(tile), false));
        }
    }

    /// Adds the demands that a discard implies.
    pub(super) fn note_discard(
        &mut self,
        plan: &Plan,
        turned: Option<Tile>,
        tile: Tile,
        at: usize,
    ) {
        // A standing hand that is not frozen stays ready with every discard.
        let is_frozen = plan.procedures.fishing.is_none_or(|rules| rules.frozen);
        let is_ready = self.readies || self.stands && !is_frozen;
        let ready = is_ready.then_some(Demand::Ready);
        let kind = tile.kind();
        let of_missing = |suit: Suit| KindSet::of_lane(suit.lane());
        let of_others = |suit: &Suit| kind.is_some_and(|kind| !of_missing(*suit).contains(kind));
        let missing = self.missing.filter(of_others);
        let without = missing.map(|suit| Demand::Within(KindSet::ALL.difference(of_missing(suit))));
        let wild = match plan.play.wild.discard {
            true => KindSet::EMPTY,
            false => plan.decomposer_of(turned).wild(),
        };
        let is_wild = kind.is_some_and(|kind| wild.contains(kind));
        let wild = is_wild.then_some(Demand::Within(wild));
        let all = [ready, without, wild].into_iter().flatten();
        self.demands.extend(all.map(|demand| (at, demand)));
        self.readies = false;
    }

    /// The indices of hidden arrivals.
    pub(super) fn unknown(&self) -> impl DoubleEndedIterator<Item = usize> {
        let unknown = |(i, arrival): (usize, &Arrival)| (!arrival.told).then_some(i);
        self.arrivals.iter().enumerate().filter_map(unknown)
    }

    /// How many more of the dealt tiles the log could tell, so that the shown tiles have still come in time. Below zero if
    /// they have not.
    pub(super) fn room(&self) -> isize {
        let shown = self.shown.iter().map(|held| held.within);
        let by = |within: usize| {
            let hidden = self.unknown().filter(|place| *place < within).count();
            let needed = shown.clone().filter(|other| *other <= within).count();
            hidden as isize - needed as isize
        };
        let all = self.arrivals.len();
        shown.clone().chain([all]).map(by).min().unwrap_or(0)
    }

    /// How many tiles that the log tells are in the hand when it may have only others.
    pub(super) fn strays(&self) -> usize {
        let of = |(at, demand): &(usize, Demand)| {
            let Demand::Within(kinds) = demand else {
                return 0;
            };
            let arrived = self.arrivals.iter().take_while(|arrival| arrival.at <= *at);
            let held = arrived
                .filter(|arrival| arrival.told)
                .filter_map(|arrival| arrival.held);
            let held = held.filter(|held| held.gone > *at);
            let kinds_held = held.filter_map(|held| held.tile.kind());
            kinds_held.filter(|kind| !kinds.contains(*kind)).count()
        };
        self.demands.iter().map(of).sum()
    }

    /// Assigns a tile to every hidden arrival. Tiles that are shown arrive as late as possible, tiles that are never
    /// shown as early as possible. The hand has these wild tiles beside those that are shown.
    pub(super) fn fill(&mut self, left: &mut Vec<Tile>, mut wilds: Vec<Tile>) {
        let unknown: Vec<usize> = self.unknown().collect();
        for place in unknown.into_iter().rev() {
            let Arrival { discard, .. } = self.arrivals[place];
            let shown = self.shown.iter().enumerate();
            let latest = shown
                .filter(|(_, held)| held.within > place)
                .min_by_key(|(_, held)| {
                    (discard == Some(held.tile), held.gone == STAYS, held.within)
                });
            let held = match latest.map(|(i, _)| i) {
                Some(i) => Some(self.shown.swap_remove(i)),
                None => {
                    let wild = wilds.pop().map(|tile| Held {
                        free: false,
                        ..Held::free(tile)
                    });
                    wild.or_else(|| left.pop().map(Held::free))
                }
            };
            self.arrivals[place].held = held;
        }
    }

    /// The kinds that a random demand needs. `None` if it needs no certain kinds.
    pub(super) fn wanted(
        &self,
        plan: &Plan,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> Option<KindSet> {
        let (at, demand) = &self.demands[stream.below(self.demands.len() as u32) as usize];
        match demand {
            Demand::Ready => Some(plan.decomposer.accepts(&self.holding(*at), scratch).1),
            Demand::Within(kinds) => Some(*kinds),
            Demand::Challenges => None,
        }
    }

    /// The hand after line `at`.
    fn holding(&self, at: usize) -> Holding {
        let mut holding = Holding {
            concealed: Counts::EMPTY,
            declared: Counts::EMPTY,
            melds: 0,
            consecutive: true,
            alike: AlikeMelds::default(),
        };
        let arrived = self.arrivals.iter().take_while(|arrival| arrival.at <= at);
        for held in arrived.filter_map(|arrival| arrival.held) {
            if let Some(kind) = held.tile.kind().filter(|_| held.gone > at) {
                holding.concealed.try_add(kind);
            }
        }
        for (_, meld) in self.melds.iter().take_while(|(made, _)| *made <= at) {
            match meld {
                Melded::Added(kind) => {
                    holding.declared.try_add(*kind);
                    holding.consecutive = false;
                    holding.alike.add_fourth(*kind);
                }
                Melded::Meld(kinds, open) => match Group::of(kinds) {
                    Some(group) => holding.declare(group, *open),
                    None => holding.melds += 1,
                },
            }
        }
        holding
    }

    /// How far the hand is from meeting a demand of line `at`. 0 if it meets it.
    fn misfit_of(
        &self,
        (at, demand): &(usize, Demand),
        plan: &Plan,
        scratch: &mut Scratch,
    ) -> usize {
        let decomposer = &plan.decomposer;
        let holding = self.holding(*at);
        match demand {
            Demand::Ready => decomposer.distance(&holding, scratch).unsigned_abs().into(),
            Demand::Within(kinds) => {
                holding.concealed.total() - holding.concealed.count_in(*kinds) as usize
            }
            Demand::Challenges => {
                let forms = plan
                    .procedures
                    .challenge
                    .iter()
                    .flat_map(|rules| &rules.waiting_on);
                let missing =
                    forms.filter_map(|&form| decomposer.missing_from_form(form, &holding));
                missing
                    .min()
                    .map_or(0, |missing| missing.abs_diff(1).into())
            }
        }
    }

    /// How far the hand is from meeting all demands. 0 if it meets them.
    pub(super) fn misfit(&self, plan: &Plan, scratch: &mut Scratch) -> usize {
        let of = |demand| self.misfit_of(demand, plan, scratch);
        self.demands.iter().map(of).sum()
    }

    /// The line of the first demand that the hand does not meet.
    pub(super) fn unmet(&self, plan: &Plan, scratch: &mut Scratch) -> Option<usize> {
        let is_unmet = |demand: &&(usize, Demand)| self.misfit_of(demand, plan, scratch) > 0;
        self.demands.iter().find(is_unmet).map(|(at, _)| *at)
    }
}
