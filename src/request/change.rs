//! [`Change`]: one difference between a request and its repair.

use super::parts::{Declared, Request};
use crate::notation::Notation;
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::state::{FlagSet, Way, Win};
use crate::tile::{Tile, Wind};

/// One change of a winner's hand or of its circumstances. Each change costs 1. The order of changes is that of the variants
/// and their fields: tiles first, then melds, then circumstances.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Change {
    /// A concealed tile is another one. A red five and a plain five are different tiles.
    Tile {
        /// The tile of the request.
        from: Tile,
        /// The tile in its place.
        to: Tile,
    },
    /// The winning tile is another one.
    WinningTile {
        /// The winning tile of the request.
        from: Tile,
        /// The tile in its place.
        to: Tile,
    },
    /// Another tile of the hand came last. The hand has the same tiles.
    LastTile {
        /// The winning tile of the request, now in the hand.
        from: Tile,
        /// The winning tile in its place, so far in the hand.
        to: Tile,
    },
    /// A declared meld has other tiles: a pung those of another pung, a kong those of another kong, a run those of another
    /// run, of any family. They are plain tiles. The meld is open, added to, and claimed from the same seat as before.
    Meld {
        /// The index of the meld.
        index: usize,
        /// The meld of the request.
        from: Declared,
        /// The meld in its place.
        to: Declared,
    },
    /// An open meld lies concealed on the table: a kong, or a meld that the ruleset lets players lay down concealed.
    Concealed {
        /// The index of the meld.
        index: usize,
        /// The meld of the request.
        meld: Declared,
    },
    /// A meld of three tiles was not declared. Its tiles are in the hand.
    Undeclared {
        /// The index of the meld.
        index: usize,
        /// The meld of the request.
        meld: Declared,
    },
    /// The winning tile came in another way, or from another seat.
    Way {
        /// The way.
        way: Way,
        /// The seat that gave the tile. `None` for a drawn tile, and in a request of one hand that does not say.
        from: Option<Seat>,
    },
    /// A flag of the win is set or cleared.
    Flag {
        /// The id of the flag.
        id: String,
        /// True if it is set.
        set: bool,
    },
    /// Another number of kongs led to the winning tile.
    KongsInRow {
        /// How many kongs.
        count: u8,
    },
    /// A bonus tile is laid aside, or is not.
    Bonus {
        /// The tile.
        tile: Tile,
        /// True if it is added.
        added: bool,
    },
    /// Another prevailing wind, in rulesets in which it changes.
    Round {
        /// The wind.
        wind: Wind,
    },
    /// The winner has another seat. All other seats of the request turn with it.
    Seat {
        /// The seat of the winner.
        seat: Seat,
    },
}

impl Change {
    /// True for a change of the circumstances of the win, and not of concealed tiles or melds.
    pub const fn is_circumstance(&self) -> bool {
        matches!(
            self,
            Self::Way { .. }
                | Self::Flag { .. }
                | Self::KongsInRow { .. }
                | Self::Bonus { .. }
                | Self::Round { .. }
                | Self::Seat { .. }
        )
    }

    /// How many red fives come into the hand, go, or change their places in it, in halves: one that takes the place of a
    /// plain five, or gives it up to one, counts half.
    pub(super) fn red_fives(&self) -> usize {
        match self {
            Self::Tile { from, to }
            | Self::WinningTile { from, to }
            | Self::LastTile { from, to } => {
                let reds = [from, to].iter().filter(|tile| tile.is_red()).count();
                reds * if from.kind() == to.kind() { 1 } else { 2 }
            }
            _ => 0,
        }
    }

    /// True for two changes of the same circumstance, which exclude each other. Any number of tiles of a kind may be laid aside.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Flag { id, .. }, Self::Flag { id: other, .. }) => id == other,
            (
                Self::Bonus { tile, added },
                Self::Bonus {
                    tile: of,
                    added: is,
                },
            ) => tile == of && (tile.is_flower() || added != is),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// The change in words.
    ///
    /// ```
    /// use paishan::Notation;
    /// use paishan::request::Change;
    /// let change = Change::Tile { from: "9s".parse()?, to: "5s".parse()? };
    /// assert_eq!(change.describe(Notation::Ujmj), "5s instead of 9s");
    /// # Ok::<(), paishan::ParseTilesError>(())
    /// ```
    pub fn describe(&self, notation: Notation) -> String {
        let one = |tile: &Tile| notation.print_one(*tile);
        let all = |meld: &Declared| notation.print(meld.tiles.iter().copied());
        match self {
            Self::Tile { from, to } => format!("{} instead of {}", one(to), one(from)),
            Self::WinningTile { from, to } => {
                format!("the winning tile {} instead of {}", one(to), one(from))
            }
            Self::LastTile { from, to } => {
                format!("{} as the last tile instead of {}", one(to), one(from))
            }
            Self::Meld { from, to, .. } => {
                format!("the meld {} instead of {}", all(to), all(from))
            }
            Self::Concealed { meld, .. } => format!("the meld {} concealed", all(meld)),
            Self::Undeclared { meld, .. } => format!("{} in the hand, not declared", all(meld)),
            Self::Way { way, from } => {
                let came = match way {
                    Way::Wall => "won with a drawn tile",
                    Way::Replacement => "won with a replacement",
                    Way::Discard => "won off a discard",
                    Way::RobbedKong => "won by robbing a kong",
                    Way::Turned => "won on the turned tile",
                };
                let of = from.map(|seat| format!(" of {seat}"));
                format!("{came}{}", of.unwrap_or_default())
            }
            Self::Flag { id, set: true } => format!("with `{id}`"),
            Self::Flag { id, set: false } => format!("without `{id}`"),
            Self::KongsInRow { count } => format!("after {count} kongs in a row"),
            Self::Bonus { tile, added: true } => format!("with the bonus tile {}", one(tile)),
            Self::Bonus { tile, added: false } => format!("without the bonus tile {}", one(tile)),
            Self::Round { wind } => format!("in round {wind}"),
            Self::Seat { seat } => format!("at seat {seat}"),
        }
    }
}

/// A request with the hand and the win that are changed.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) request: Request,
    /// The index of the hand.
    pub(super) place: usize,
    /// The index of the win.
    won: usize,
}

impl Draft {
    /// `None` if the seat did not win.
    pub(super) fn new(request: &Request, seat: Seat) -> Option<Self> {
        Some(Self {
            request: request.clone(),
            place: request.hands.iter().position(|hand| hand.seat == seat)?,
            won: request.wins.iter().position(|(won, _)| *won == seat)?,
        })
    }

    pub(super) fn seat(&self) -> Seat {
        self.request.hands[self.place].seat
    }

    pub(super) fn win(&self) -> &Win {
        &self.request.wins[self.won].1
    }

    /// The request after changes, which may be in any order.
    pub(super) fn with(&self, changes: &[Change], plan: &Plan) -> Self {
        let mut draft = self.clone();
        draft.change_circumstances(changes, plan);
        let hand = &mut draft.request.hands[draft.place];
        let mut melds: Vec<Option<Declared>> = hand.melds.drain(..).map(Some).collect();
        for change in changes {
            match change {
                Change::Meld { index, to, .. } => melds[*index] = Some(to.clone()),
                Change::Concealed { index, meld } => {
                    melds[*index] = Some(Declared::concealed(meld.tiles.clone()));
                }
                Change::Undeclared { index, meld } => {
                    melds[*index] = None;
                    hand.concealed.extend(&meld.tiles);
                }
                _ => {}
            }
        }
        hand.melds = melds.into_iter().flatten().collect();
        let replace = |concealed: &mut Vec<Tile>, from: &Tile, to: &Tile| {
            if let Some(tile) = concealed.iter_mut().find(|tile| **tile == *from) {
                *tile = *to;
            }
        };
        let mut winning = draft.request.wins[draft.won].1.tile;
        let hand = &mut draft.request.hands[draft.place];
        for change in changes {
            if let Change::Tile { from, to } = change {
                replace(&mut hand.concealed, from, to);
            }
        }
        for change in changes {
            match change {
                Change::WinningTile { to, .. } => winning = *to,
                Change::LastTile { to, .. } => {
                    replace(&mut hand.concealed, to, &winning);
                    winning = *to;
                }
                _ => {}
            }
        }
        draft.request.wins[draft.won].1.tile = winning;
        draft
    }

    /// Makes the changes of circumstances.
    pub(super) fn change_circumstances(&mut self, changes: &[Change], plan: &Plan) {
        // Seats turn before a seat gives the tile.
        for change in changes {
            if let Change::Seat { seat } = change {
                self.turn_to(*seat, plan.players);
            }
        }
        let request = &mut self.request;
        let (hand, win) = (
            &mut request.hands[self.place],
            &mut request.wins[self.won].1,
        );
        for change in changes {
            match change {
                Change::Way { way, from } => (win.way, win.from) = (*way, *from),
                Change::Flag { id, set } => {
                    let of_kongs = plan.kong_flag.is_some() && plan.kong_flag == plan.flag(id);
                    if let Some(flag) = plan.flag(id).filter(|_| *set) {
                        win.flags.insert(flag);
                    } else {
                        let others = win.flags.iter().filter(|&flag| Some(flag) != plan.flag(id));
                        let others: Vec<usize> = others.collect();
                        win.flags = FlagSet::EMPTY;
                        others.into_iter().for_each(|flag| win.flags.insert(flag));
                    }
                    if of_kongs {
                        win.kongs_in_row =
                            win.kongs_in_row.clamp(u8::from(*set), 4 * u8::from(*set));
                    }
                }
                Change::KongsInRow { count } => win.kongs_in_row = *count,
                Change::Bonus { tile, added } => {
                    let tiles = &mut hand.aside;
                    let place = tiles.iter().position(|one| one == tile);
                    match (added, place) {
                        (true, _) => tiles.push(*tile),
                        (false, Some(place)) => {
                            tiles.remove(place);
                        }
                        (false, None) => {}
                    }
                }
                Change::Round { wind } => request.round = *wind,
                _ => {}
            }
        }
    }

    /// Turns all seats so that the winner has this one.
    fn turn_to(&mut self, seat: Seat, players: usize) {
        let steps = seat.steps_from(self.seat(), players);
        let turn = |seat: &mut Seat| *seat = seat.after(steps, players);
        for hand in &mut self.request.hands {
            turn(&mut hand.seat);
            let melds = hand.melds.iter_mut();
            melds.filter_map(|meld| meld.from.as_mut()).for_each(turn);
        }
        for (winner, win) in &mut self.request.wins {
            turn(winner);
            win.from.as_mut().map(turn);
        }
        let hands = &mut self.request.hands;
        hands.sort_by_key(|hand| hand.seat);
        let place = hands.iter().position(|hand| hand.seat == seat);
        self.place = place.unwrap_or(self.place);
    }
}
