//! [`Reading`]: one arrangement with the group that the last tile completed, and all that facts
//! are read from.

use crate::counts::Counts;
use crate::hand::Hand;
use crate::meld::Group;
use crate::seat::Seat;
use crate::set::FlowerSet;
use crate::state::Win;
use crate::tile::{Kind, Suit, Tile, Wind};
use crate::tile_set::TileSet;

/// A group of a reading.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
// As wide as a register: lists of them are written and read whole.
#[repr(align(8))]
#[non_exhaustive]
pub struct ReadGroup {
    /// The tiles.
    pub group: Group,
    /// It was declared with a claimed tile.
    pub open: bool,
    /// It lies on the table.
    pub declared: bool,
}

impl ReadGroup {
    /// A group that is open or not, and lies on the table or not.
    #[inline]
    pub fn new(group: Group, open: bool, declared: bool) -> Self {
        Self {
            group,
            open,
            declared,
        }
    }
}

/// What a table knows about a win beside the hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct TableFacts {
    /// Ordinary draws left.
    pub draws_left: usize,
    /// Tiles discarded in the deal.
    pub discards: usize,
    /// Kongs made in the deal.
    pub kongs: usize,
    /// The last tile was drawn for a kong.
    pub replaced_kong: bool,
    /// The last tile was drawn for a flower.
    pub replaced_flower: bool,
    /// The robbed kong is a concealed one.
    pub robbed_concealed: bool,
    /// The seat has announced a standing hand.
    pub stands: bool,
    /// The seat is in riichi.
    pub in_riichi: bool,
    /// It declared riichi with its first discard, nothing having been claimed and no kong made.
    pub riichi_at_once: bool,
    /// Since its riichi no kong was made, nothing claimed, and it has not discarded again.
    pub riichi_unbroken: bool,
    /// The seat has discarded in the deal.
    pub has_discarded: bool,
    /// Discards claimed for melds in the deal.
    pub claims: usize,
    /// Deals that the dealer has won in a row before this one.
    pub dealer_wins: u32,
}

/// A hand read in one way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading<'a> {
    /// The hand without the last tile.
    pub hand: &'a Hand,
    /// The seat.
    pub seat: Seat,
    /// The face of the seat's wind in this tile set.
    pub seat_wind: Kind,
    /// The face of the round's wind in this tile set.
    pub round_wind: Kind,
    /// The win, `None` for another's hand.
    pub win: Option<&'a Win>,
    /// Every group, the declared ones last.
    pub groups: &'a [ReadGroup],
    /// Which group the last tile completed.
    pub winning: Option<usize>,
    /// 0 for the standard form, otherwise 1 + the place in the grammar's forms.
    pub form: u8,
    /// All tiles without flowers, the last one included; a zero used as a number is left out, for
    /// there it is no honour.
    pub tiles: Counts,
    /// Zeros used as numbers.
    pub number_zeros: u8,
    /// Indicators that lie face up.
    pub bonus: &'a [Tile],
    /// Indicators that lie under them and count for some winners.
    pub ura: &'a [Tile],
    /// Counters on the table.
    pub counters: u32,
    /// Players at the table.
    pub players: usize,
    /// Kinds that would complete the hand, where a pattern asks.
    pub waits: u8,
    /// What the table knows, for conditions of flags.
    pub table: TableFacts,
}

/// The face of a wind in a set with full or compressed winds.
pub(crate) fn wind_face(set: &TileSet, wind: Wind) -> Kind {
    if set.copies().get(Kind::HORIZONTAL) > 0 {
        wind.compressed()
    } else {
        wind.kind()
    }
}

impl<'a> Reading<'a> {
    /// Circumstances alone, without groups.
    pub(crate) fn circumstances(
        set: &TileSet,
        hand: &'a Hand,
        seat: Seat,
        round: Wind,
        win: Option<&'a Win>,
    ) -> Self {
        Self {
            hand,
            seat,
            seat_wind: wind_face(set, seat.wind()),
            round_wind: wind_face(set, round),
            win,
            groups: &[],
            winning: None,
            form: 0,
            tiles: Counts::EMPTY,
            number_zeros: 0,
            bonus: &[],
            ura: &[],
            counters: 0,
            players: 4,
            waits: 0,
            table: TableFacts::default(),
        }
    }

    /// Flowers laid down or still held.
    pub fn flowers(&self) -> FlowerSet {
        self.hand.flowers.union(self.hand.held_flowers())
    }

    /// How many tiles of a kind there are, zeros however they are used.
    pub fn held(&self, kind: Kind) -> u8 {
        let zeros = if kind == Kind::ZERO {
            self.number_zeros
        } else {
            0
        };
        self.tiles.get(kind) + zeros
    }

    /// Red fives of the hand, its melds and the last tile.
    pub(crate) fn reds(&self) -> i32 {
        let hand = Suit::ALL.into_iter().map(|suit| self.hand.reds(suit));
        let melds = self.hand.melds.iter().map(|meld| meld.reds);
        let last = self.win.is_some_and(|win| win.tile.is_red());
        hand.chain(melds).map(i32::from).sum::<i32>() + i32::from(last)
    }

    /// The group that the last tile completed.
    pub fn winning_group(&self) -> Option<&ReadGroup> {
        self.groups.get(self.winning?)
    }

    /// The group that a claimed last tile completed.
    pub(crate) fn claimed_group(&self) -> Option<&ReadGroup> {
        let is_claimed = self.win.is_some_and(|win| !win.is_self_draw());
        self.winning_group().filter(|_| is_claimed)
    }

    /// Where the last tile stands in the run that it completed.
    pub(crate) fn winning_place(&self) -> Option<WinningPlace> {
        let group = self.winning_group()?.group;
        if !group.family().is_run() {
            return None;
        }
        let kind = self.win?.tile.kind()?;
        match group.kinds().iter().position(|&k| k == kind)? {
            0 => Some(WinningPlace::Low),
            1 => Some(WinningPlace::Middle),
            _ => Some(WinningPlace::High),
        }
    }
}

/// Where the last tile stands in the group that it completed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum WinningPlace {
    Low,
    Middle,
    High,
}

impl WinningPlace {
    pub(crate) const WORDS: [(&'static str, Self); 3] = [
        ("low", Self::Low),
        ("middle", Self::Middle),
        ("high", Self::High),
    ];
}
