//! What facts about a payment are read from.

use super::class::{BonusClass, CountedFrom};
use crate::aside::Aside;
use crate::seat::{BySeat, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::state::{KongWay, TurnedId, TurnedTile};
use crate::tile::Tile;

/// The seats that are liable for a win.
#[derive(Clone, Copy, Default)]
pub(crate) struct Liable {
    pub(crate) seats: SeatSet,
    /// The one that is liable for the first of the patterns.
    pub(crate) first: Option<Seat>,
}

/// What happened that is paid for. Facts that do not belong to it have their default.
pub(crate) struct Happening<'a> {
    /// How a kong was made.
    pub(crate) made: Option<KongWay>,
    /// The tile that was added to a pung was just drawn.
    pub(crate) added_drawn: bool,
    /// The tile that was just laid aside, all that its owner has laid aside, and the owner's flowers.
    pub(crate) laid: Option<(Tile, Aside, FlowerSet)>,
    /// Who gave the tile.
    pub(crate) giver: Option<Seat>,
    /// The ready hands.
    pub(crate) ready: SeatSet,
    /// Barred tiles that each seat holds.
    pub(crate) barred: BySeat<u8>,
    /// The number of seats that win at the same time.
    pub(crate) winners: u8,
    /// Tiles that were turned face up from the wall.
    pub(crate) turned: &'a [TurnedTile],
    /// The step in which a hand was shown.
    pub(crate) shown: Option<u8>,
    /// Counters on the table.
    pub(crate) counters: u32,
    /// Whether a seat has discarded only these kinds, and none of it was claimed.
    pub(crate) only_discarded: &'a dyn Fn(Seat, KindSet) -> bool,
    /// The most points that the ready hand of one seat could win off a discard of another.
    pub(crate) best_win: &'a dyn Fn(Seat, Seat) -> i64,
    /// The seats that are liable for the win of a seat.
    pub(crate) liable: &'a dyn Fn(Seat) -> Liable,
}

impl Default for Happening<'_> {
    fn default() -> Self {
        Self {
            made: None,
            added_drawn: false,
            laid: None,
            giver: None,
            ready: SeatSet::EMPTY,
            barred: BySeat::default(),
            winners: 0,
            turned: &[],
            shown: None,
            counters: 0,
            only_discarded: &|_, _| false,
            best_win: &|_, _| 0,
            liable: &|_| Liable::default(),
        }
    }
}

/// A payment that is considered.
pub(crate) struct Paying<'a> {
    pub(crate) happening: &'a Happening<'a>,
    /// Players at the table.
    pub(crate) players: usize,
    /// Who is paid.
    pub(crate) actor: Seat,
    /// Who pays.
    pub(crate) other: Seat,
    /// Whose hand is asked about: one of the two, or a seat that is counted.
    pub(crate) subject: Seat,
}

impl Paying<'_> {
    /// True if the tile just laid aside is the last of a class of which every flower and every kind lies aside.
    pub(super) fn completes(&self, class: BonusClass) -> bool {
        let Some((last, laid, own)) = self.happening.laid else {
            return false;
        };
        let (flowers, kinds) = (class.flowers(own), class.kinds());
        let is_last = match (last.as_flower(), last.kind()) {
            (Some(flower), _) => flowers.contains(flower),
            (_, Some(kind)) => kinds.contains(kind) && laid.count(kind) == 1,
            _ => false,
        };
        is_last
            && flowers.difference(laid.flowers()).is_empty()
            && kinds.iter().all(|kind| laid.count(kind) > 0)
    }

    /// Turned tiles of these kinds.
    pub(super) fn turned(&self, kinds: KindSet) -> i64 {
        let turned = self.happening.turned.iter();
        let is_of =
            |turned: &&TurnedTile| turned.tile.kind().is_some_and(|kind| kinds.contains(kind));
        turned.filter(is_of).count() as i64
    }

    /// Tiles of a row that name the actor or the payer.
    pub(super) fn turned_to(&self, row: TurnedId, counted: CountedFrom) -> i64 {
        let first = match counted {
            CountedFrom::Winner => self.actor,
            CountedFrom::Dealer => Seat::EAST,
            CountedFrom::Giver => self.happening.giver.unwrap_or(self.actor),
        };
        let names = |turned: &&TurnedTile| {
            let steps = turned.steps(self.players).filter(|_| turned.row == row);
            let named = steps.map(|steps| first.after(steps, self.players));
            named.is_some_and(|seat| seat == self.actor || seat == self.other)
        };
        self.happening.turned.iter().filter(names).count() as i64
    }

    /// True if the payer is liable for the win.
    pub(super) fn liable(&self) -> bool {
        (self.happening.liable)(self.actor)
            .seats
            .contains(self.other)
    }

    pub(super) fn best_win(&self) -> i64 {
        (self.happening.best_win)(self.actor, self.other)
    }
}
