//! What facts about a payment are read from.

use crate::seat::{BySeat, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::state::KongWay;
use crate::tile::Flower;

/// What happened that is paid for. Facts that do not belong to it have their default.
pub(crate) struct Happening<'a> {
    /// How a kong was made.
    pub(crate) made: Option<KongWay>,
    /// The tile that was added to a pung was just drawn.
    pub(crate) added_drawn: bool,
    /// The flower that was just laid down, and all that its owner has.
    pub(crate) laid: Option<(Flower, FlowerSet)>,
    /// Who gave the tile.
    pub(crate) giver: Option<Seat>,
    /// The ready hands.
    pub(crate) ready: SeatSet,
    /// Tiles of its missing suit that each seat holds.
    pub(crate) barred: BySeat<u8>,
    /// Counters on the table.
    pub(crate) counters: u32,
    /// Whether a seat has discarded only these kinds, and none of it was claimed.
    pub(crate) only_discarded: &'a dyn Fn(Seat, KindSet) -> bool,
    /// The most points that the ready hand of one seat could win off a discard of another.
    pub(crate) best_win: &'a dyn Fn(Seat, Seat) -> i64,
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
            counters: 0,
            only_discarded: &|_, _| false,
            best_win: &|_, _| 0,
        }
    }
}

/// A payment that is considered.
pub(crate) struct Paying<'a> {
    pub(crate) happening: &'a Happening<'a>,
    /// Who is paid.
    pub(crate) actor: Seat,
    /// Who pays.
    pub(crate) other: Seat,
    /// Whose hand is asked about: one of the two, or a seat that is counted.
    pub(crate) subject: Seat,
}

impl Paying<'_> {
    pub(super) fn completes(&self, series: FlowerSet) -> bool {
        self.happening
            .laid
            .is_some_and(|(last, laid)| series.contains(last) && series.difference(laid).is_empty())
    }

    pub(super) fn best_win(&self) -> i64 {
        (self.happening.best_win)(self.actor, self.other)
    }
}
