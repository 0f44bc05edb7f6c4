//! What facts about a payment are read from.

use super::class::BonusClass;
use crate::aside::Aside;
use crate::seat::{BySeat, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::state::KongWay;
use crate::tile::Tile;

/// What happened that is paid for. Facts that do not belong to it have their default.
pub(crate) struct Happening<'a> {
    /// How a kong was made.
    pub(crate) made: Option<KongWay>,
    /// The tile that was added to a pung was just drawn.
    pub(crate) added_drawn: bool,
    /// The tile that was just laid aside, and all that its owner has laid aside.
    pub(crate) laid: Option<(Tile, Aside)>,
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
    /// True if the tile just laid aside is the last of a class of which every flower and every kind lies aside.
    pub(super) fn completes(&self, class: BonusClass) -> bool {
        let Some((last, laid)) = self.happening.laid else {
            return false;
        };
        let (flowers, kinds) = (class.flowers(FlowerSet::EMPTY), class.kinds());
        let is_last = match (last.as_flower(), last.kind()) {
            (Some(flower), _) => flowers.contains(flower),
            (_, Some(kind)) => kinds.contains(kind) && laid.count(kind) == 1,
            _ => false,
        };
        is_last
            && flowers.difference(laid.flowers()).is_empty()
            && kinds.iter().all(|kind| laid.count(kind) > 0)
    }

    pub(super) fn best_win(&self) -> i64 {
        (self.happening.best_win)(self.actor, self.other)
    }
}
