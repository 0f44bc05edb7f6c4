//! The hands that differ from one in a single group, tile, meld or circumstance.

use crate::decompose::Holding;
use crate::meld::Group;
use crate::request::{Declared, Request, SeatHand};
use crate::ruleset::{Plan, Ruleset};
use crate::seat::Seat;
use crate::state::{FlagSet, Way, Win};
use crate::tile::{Kind, Rank, Suit, Tile, Wind};
use std::ops::ControlFlow;

/// Requests that differ from a request of one won hand in a single group, tile, meld or circumstance: groups first, then
/// tiles, melds and circumstances. The hand of a player who did not win differs in a tile. Some are impossible.
pub(super) fn neighbours(rules: &dyn Ruleset, request: &Request) -> Vec<Request> {
    if let ([hand], []) = (&request.hands[..], &request.wins[..]) {
        return other_tiles(rules.plan(), request, hand);
    }
    let ([hand], [(_, win)]) = (&request.hands[..], &request.wins[..]) else {
        return Vec::new();
    };
    let mut around = Around {
        plan: rules.plan(),
        request,
        hand,
        win: *win,
        found: Vec::new(),
    };
    around.groups();
    around.tiles();
    around.melds();
    around.circumstances();
    around.found
}

/// The hand of a player who did not win, with one other tile.
fn other_tiles(plan: &Plan, request: &Request, hand: &SeatHand) -> Vec<Request> {
    let kinds = plan.tiles.kinds();
    let with = |place: usize, kind: Kind| {
        let mut other = request.clone();
        other.hands = vec![hand.clone()];
        other.hands[0].concealed[place] = kind.into();
        other
    };
    let places = 0..hand.concealed.len();
    let all = places.flat_map(|place| kinds.iter().map(move |kind| (place, kind)));
    all.map(|(place, kind)| with(place, kind)).collect()
}

struct Around<'a> {
    plan: &'a Plan,
    request: &'a Request,
    hand: &'a SeatHand,
    win: Win,
    found: Vec<Request>,
}

impl Around<'_> {
    fn with(&mut self, hand: SeatHand, win: Win) {
        let seat = hand.seat;
        self.found.push(Request {
            hands: vec![hand],
            wins: vec![(seat, win)],
            ..self.request.clone()
        });
    }

    /// The hand with these concealed tiles, the winning one among them. It stays the same if it can.
    fn with_tiles(&mut self, mut tiles: Vec<Tile>, hand: SeatHand) {
        tiles.sort_unstable();
        let last = tiles.iter().position(|tile| *tile == self.win.tile);
        let tile = tiles.remove(last.unwrap_or(0));
        let win = Win { tile, ..self.win };
        let hand = SeatHand {
            concealed: tiles,
            ..hand
        };
        self.with(hand, win);
    }

    /// The concealed tiles and the winning one.
    fn whole(&self) -> Vec<Tile> {
        let mut tiles = self.hand.concealed.clone();
        tiles.extend(Some(self.win.tile).filter(|tile| !tile.is_flower()));
        tiles
    }

    /// The concealed groups of the first arrangement.
    fn arrangement(&self) -> Vec<Group> {
        let mut tiles = crate::counts::Counts::EMPTY;
        for kind in self.whole().iter().filter_map(|tile| tile.kind()) {
            tiles.try_add(kind);
        }
        let mut holding = Holding::of_tiles_for(tiles, self.plan.decomposer.grammar().groups());
        holding.melds = self.hand.melds.len();
        let mut groups = Vec::new();
        let _ = self
            .plan
            .decomposer
            .natural()
            .arrangements(&holding, |one| {
                groups.extend(one.groups.iter().copied());
                ControlFlow::Break(())
            });
        groups
    }

    /// Every group that a hand can have beside its pair.
    fn pool(&self) -> Vec<Group> {
        let grammar = self.plan.decomposer.grammar();
        let kinds = self.plan.tiles.kinds();
        let runs = grammar
            .shapes()
            .flat_map(|(_, shape)| Suit::ALL.map(|suit| shape.group(suit)));
        let runs = runs.filter(|run| run.tiles().all(|kind| kinds.contains(kind)));
        let kinds = kinds
            .intersection(self.plan.decomposer.natural_kinds())
            .iter();
        kinds.map(Group::pung).chain(runs).collect()
    }

    fn without(tiles: &[Tile], group: impl Iterator<Item = Kind>) -> Option<Vec<Tile>> {
        let mut rest = tiles.to_vec();
        for kind in group {
            let place = rest.iter().position(|tile| tile.kind() == Some(kind))?;
            rest.remove(place);
        }
        Some(rest)
    }

    fn groups(&mut self) {
        let whole = self.whole();
        let pool = self.pool();
        for group in self.arrangement() {
            let Some(rest) = Self::without(&whole, group.tiles()) else {
                continue;
            };
            let count = group.tiles().count();
            if count == 2 {
                for kind in self.plan.tiles.kinds().iter() {
                    let pair = [Tile::plain(kind); 2];
                    self.with_tiles([&rest[..], &pair].concat(), self.hand.clone());
                }
            } else if count == 3 {
                for other in &pool {
                    let tiles: Vec<Tile> = other.tiles().map(Tile::plain).collect();
                    self.with_tiles([&rest[..], &tiles].concat(), self.hand.clone());
                }
            }
        }
        for place in 0..self.hand.melds.len() {
            for other in &pool {
                let mut hand = self.hand.clone();
                hand.melds[place] = Declared {
                    tiles: other.tiles().map(Tile::plain).collect(),
                    open: hand.melds[place].open,
                    ..Declared::default()
                };
                self.with(hand, self.win);
            }
        }
    }

    fn tiles(&mut self) {
        let whole = self.whole();
        let reds = |kind: Kind| {
            let suit = kind.suit().filter(|_| kind.rank() == Some(Rank::FIVE));
            suit.map(Tile::red_five)
        };
        let kinds = self.plan.tiles.kinds();
        let all = kinds
            .iter()
            .flat_map(|kind| [Some(Tile::plain(kind)), reds(kind)]);
        let all: Vec<Tile> = all.flatten().collect();
        for (place, tile) in whole.iter().enumerate() {
            for other in all.iter().filter(|other| *other != tile) {
                let mut tiles = whole.clone();
                tiles[place] = *other;
                self.with_tiles(tiles, self.hand.clone());
            }
        }
        for place in 0..self.hand.concealed.len() {
            let mut hand = self.hand.clone();
            let tile = std::mem::replace(&mut hand.concealed[place], self.win.tile);
            self.with(hand, Win { tile, ..self.win });
        }
    }

    fn melds(&mut self) {
        let whole = self.whole();
        for group in self.arrangement() {
            let Some(rest) = Self::without(&whole, group.tiles()).filter(|rest| rest.len() > 1)
            else {
                continue;
            };
            let tiles: Vec<Tile> = group.tiles().map(Tile::plain).collect();
            let Some(&first) = tiles.first().filter(|_| tiles.len() == 3) else {
                continue;
            };
            let mut declared = vec![
                Declared::open(tiles.clone()),
                Declared::concealed(tiles.clone()),
            ];
            if tiles.iter().all(|tile| *tile == first) {
                let kong = vec![first; 4];
                declared.extend([Declared::open(kong.clone()), Declared::concealed(kong)]);
            }
            for meld in declared {
                let mut hand = self.hand.clone();
                hand.melds.push(meld);
                self.with_tiles(rest.clone(), hand);
            }
        }
        for (place, meld) in self.hand.melds.iter().enumerate() {
            let change = |change: &dyn Fn(&mut Declared)| {
                let mut hand = self.hand.clone();
                change(&mut hand.melds[place]);
                hand
            };
            let first = meld.tiles.first().copied();
            let changed = [
                change(&|meld| meld.open = !meld.open),
                change(&|meld| meld.added = !meld.added),
                change(&|meld| meld.from = None),
                change(&|meld| {
                    if meld.tiles.len() > 3 {
                        meld.tiles.truncate(3);
                        meld.added = false;
                    } else {
                        meld.tiles.extend(first);
                    }
                }),
            ];
            let mut rest = self.hand.clone();
            rest.melds.remove(place);
            let mut tiles = whole.clone();
            tiles.extend(meld.tiles.iter().take(3));
            for hand in changed {
                self.with(hand, self.win);
            }
            self.with_tiles(tiles, rest);
        }
    }

    fn circumstances(&mut self) {
        let Self {
            hand, win, plan, ..
        } = *self;
        let before = hand.seat.after(plan.players - 1, plan.players);
        let flags = 0..plan.flags.len();
        let mut changed: Vec<Win> = Vec::new();
        for &way in plan.ways() {
            let from = Some(before).filter(|_| matches!(way, Way::Discard | Way::RobbedKong));
            let plain = Win {
                way,
                from,
                ..Win::drawn(win.tile)
            };
            changed.push(plain);
            changed.push(Win {
                flags: win.flags,
                ..plain
            });
            for flag in flags.clone() {
                let mut one = plain;
                one.flags.insert(flag);
                one.kongs_in_row = u8::from(plan.kong_flag == Some(flag));
                changed.push(one);
                if way == win.way {
                    let mut both = win;
                    match both.flags.contains(flag) {
                        true => {
                            both.flags = win.flags.iter().filter(|one| *one != flag).fold(
                                FlagSet::EMPTY,
                                |mut all, one| {
                                    all.insert(one);
                                    all
                                },
                            )
                        }
                        false => both.flags.insert(flag),
                    }
                    changed.push(both);
                }
            }
        }
        if win.kongs_in_row > 0 {
            changed.extend((1..=4).map(|kongs_in_row| Win {
                kongs_in_row,
                ..win
            }));
        }
        for win in changed {
            self.with(hand.clone(), win);
        }
        let flowers: Vec<Tile> = plan.tiles.flowers().iter().map(Tile::flower).collect();
        for &flower in &flowers {
            let mut other = hand.clone();
            match other.aside.iter().position(|one| *one == flower) {
                Some(place) => drop(other.aside.remove(place)),
                None => other.aside.push(flower),
            }
            self.with(other, win);
        }
        let first = (1..=flowers.len()).map(|count| &flowers[..count]);
        for series in flowers.chunks(4).chain(first) {
            let mut other = hand.clone();
            other.aside = series.to_vec();
            self.with(other.clone(), win);
            if let Some(tile) = other.aside.pop() {
                self.with(other, Win { tile, ..win });
            }
        }
        for seat in Seat::all(plan.players) {
            let mut other = hand.clone();
            other.seat = seat;
            let from = win.from.map(|_| seat.after(plan.players - 1, plan.players));
            self.with(other, Win { from, ..win });
        }
        for seat in Seat::all(plan.players).filter(|seat| *seat != hand.seat) {
            let from = win.from.map(|_| seat);
            self.with(hand.clone(), Win { from, ..win });
        }
        for round in Wind::ALL {
            self.found.push(Request {
                round,
                ..self.request.clone()
            });
        }
        for kind in plan.play.aside.kinds().iter() {
            for count in 0..4 {
                let mut other = hand.clone();
                other.aside.retain(|tile| tile.is_flower());
                other.aside.extend(vec![Tile::from(kind); count]);
                self.with(other, win);
            }
        }
        if plan.wall.indicators.is_some() {
            for kind in plan.tiles.kinds().iter() {
                let tile = vec![kind.into()];
                self.found.push(Request {
                    indicators: tile.clone(),
                    ..self.request.clone()
                });
                self.found.push(Request {
                    under_indicators: tile,
                    ..self.request.clone()
                });
            }
        }
    }
}
