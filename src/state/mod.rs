//! [`DealState`]: everything that a deal is at one moment. Data without rules; the engine that
//! moves it is in [`game`](crate::game).

mod action;
mod event;
mod view;
mod win;

pub use action::{Action, Legal};
pub use event::Event;
pub use view::{Snapshot, View};
pub use win::{FlagSet, Way, Win};

use crate::hand::Hand;
use crate::list::List;
use crate::random::Stream;
use crate::seat::{BySeat, Player, Seat};
use crate::set::SeatSet;
use crate::tile::{Tile, Wind};
use crate::wall::{MAX_WALL, Wall};

/// A tile that was discarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Discard {
    /// Who discarded it.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
    /// It was the tile just drawn.
    pub drawn: bool,
    /// Somebody claimed it for a meld.
    pub claimed: bool,
}

impl Default for Discard {
    fn default() -> Self {
        Self {
            seat: Seat::EAST,
            tile: Tile::plain(crate::tile::Kind::EAST),
            drawn: false,
            claimed: false,
        }
    }
}

/// Where the last drawn tile came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawSource {
    /// The front of the live wall.
    Wall,
    /// A replacement for a kong, or for a flower that was itself drawn for a kong.
    Kong,
    /// A replacement for a flower.
    Flower,
}

/// The turn of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whose turn it is.
    pub seat: Seat,
    /// The tile drawn last; `None` after a claim.
    pub drawn: Option<Tile>,
    /// Where it came from.
    pub source: DrawSource,
}

/// A discard that others may claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claims {
    /// The tile.
    pub tile: Tile,
    /// Who discarded it.
    pub from: Seat,
    /// Who still has to answer.
    pub waiting: SeatSet,
    /// What the others answered, hidden until all have.
    pub(crate) replies: BySeat<Option<Action>>,
}

/// What a deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A seat is on turn.
    Turn(Turn),
    /// Some seats may claim a discard.
    Claims(Claims),
    /// The deal is over.
    Over,
}

/// Everything of a deal at one moment: a plain value without pointers, so that a clone is a
/// snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealState {
    pub(crate) players: u8,
    pub(crate) dealer: Player,
    pub(crate) round: Wind,
    pub(crate) wall: Wall,
    pub(crate) hands: BySeat<Hand>,
    pub(crate) discards: List<Discard, MAX_WALL>,
    pub(crate) phase: Phase,
    pub(crate) kongs: u8,
}

const _: () = assert!(size_of::<DealState>() <= 2560);

impl DealState {
    /// How many players sit at the table.
    #[inline]
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// Who deals, and so sits East.
    pub fn dealer(&self) -> Player {
        self.dealer
    }

    /// The wind of the round.
    pub fn round(&self) -> Wind {
        self.round
    }

    /// The wall.
    pub fn wall(&self) -> &Wall {
        &self.wall
    }

    /// The hand of a seat.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat]
    }

    /// All discards in the order of play, claimed ones included.
    pub fn discards(&self) -> &[Discard] {
        &self.discards
    }

    /// What the deal waits for.
    #[inline]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Kongs made in the deal.
    pub fn kongs(&self) -> usize {
        usize::from(self.kongs)
    }

    /// The seats that must decide now.
    #[inline]
    pub fn waiting(&self) -> SeatSet {
        match &self.phase {
            Phase::Turn(turn) => SeatSet::one(turn.seat),
            Phase::Claims(claims) => claims.waiting,
            Phase::Over => SeatSet::EMPTY,
        }
    }

    /// The hand of a winner without the winning tile.
    pub fn hand_before(&self, seat: Seat, win: &Win) -> Hand {
        let mut hand = self.hands[seat];
        if win.way.is_self_draw() && hand.holds(win.tile) {
            hand.take(win.tile);
        }
        hand
    }

    /// What a seat may know.
    pub fn view(&self, seat: Seat) -> View<'_> {
        View::new(self, seat)
    }

    /// The same deal as `seat` may imagine it: all tiles that the seat cannot see – the undrawn
    /// wall, the other hands – are shuffled among themselves. What the others answered to an open
    /// claim is forgotten; they are asked again.
    ///
    /// Searching agents sample the possible worlds of a seat so; the crate's own tests use it to
    /// show that nothing hidden leaks into a view.
    pub fn imagined_by(&self, seat: Seat, stream: &mut Stream) -> Self {
        let mut state = self.clone();
        let others = || Seat::all(self.players()).filter(move |&other| other != seat);
        let places: Vec<usize> = self.wall.undrawn().collect();
        let mut unseen: Vec<Tile> = places
            .iter()
            .filter_map(|&place| self.wall.tile_at(place))
            .collect();
        let sizes: Vec<(Seat, usize)> = others()
            .map(|other| (other, self.hands[other].concealed_len()))
            .collect();
        for (other, _) in &sizes {
            let tiles: Vec<Tile> = self.hands[*other].tiles().collect();
            for &tile in &tiles {
                state.hands[*other].take(tile);
            }
            unseen.extend(tiles);
        }
        stream.shuffle(&mut unseen);
        let mut unseen = unseen.into_iter();
        for place in places {
            if let Some(tile) = unseen.next() {
                state.wall.put(place, tile);
            }
        }
        for (other, size) in sizes {
            for tile in unseen.by_ref().take(size) {
                state.hands[other].add(tile);
            }
        }
        if let Phase::Turn(turn) = &mut state.phase {
            if turn.seat != seat && turn.drawn.is_some() {
                // Some tile of the imagined hand stands for the one drawn.
                turn.drawn = state.hands[turn.seat].tiles().next();
            }
        }
        if let Phase::Claims(claims) = &mut state.phase {
            for other in others() {
                claims.replies[other] = None;
            }
        }
        state
    }
}
