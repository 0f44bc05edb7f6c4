//! [`Reading`]: one arrangement of a hand, with the group that the winning tile completed. Facts are read from
//! it.

use crate::counts::Counts;
use crate::hand::{Hand, MAX_MELDS};
use crate::meld::{Group, Meld};
use crate::seat::Seat;
use crate::set::{FlowerSet, KindSet};
use crate::state::{Announcement, DealState, DrawSource, Win};
use crate::tile::{Kind, Suit, Tile, Wind};
use crate::tile_set::TileSet;
use smallvec::SmallVec;

/// A group of a reading.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
// As wide as a register, because lists of groups are copied whole.
#[repr(align(8))]
#[non_exhaustive]
pub struct ReadGroup {
    /// The tiles.
    pub group: Group,
    /// It was declared with a claimed tile.
    pub open: bool,
    /// It is a declared meld.
    pub declared: bool,
}

impl ReadGroup {
    /// A group, open or not, declared or not.
    #[inline]
    pub fn new(group: Group, open: bool, declared: bool) -> Self {
        Self {
            group,
            open,
            declared,
        }
    }
}

/// What the table knows about a win, beyond the hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct TableFacts {
    /// Other copies of the winning tile that all players see. 0 if no condition uses the number.
    pub visible_copies: usize,
    /// Ordinary draws left in the wall.
    pub draws_left: usize,
    /// Tiles discarded in the deal, claimed ones included.
    pub discards: usize,
    /// Kongs made in the deal.
    pub kongs: usize,
    /// The origin of a winning tile that the winner drew.
    pub source: Option<DrawSource>,
    /// The winning tile was discarded by a player who had just drawn the replacement for a kong.
    pub kong_discard: bool,
    /// Tiles that all players have laid aside in the deal.
    pub asides: usize,
    /// The robbed kong is concealed.
    pub robbed_concealed: bool,
    /// The seat has announced a standing hand.
    pub stands: bool,
    /// The seat is in riichi.
    pub in_riichi: bool,
    /// The seat declared riichi with its first discard, before any claim and any kong.
    pub riichi_at_once: bool,
    /// Since the seat's riichi there was no kong and no claim, and the seat has not discarded again.
    pub riichi_unbroken: bool,
    /// The seat has discarded in the deal.
    pub has_discarded: bool,
    /// Discards claimed for melds in the deal.
    pub claims: usize,
    /// Deals that the dealer has won in a row before this one.
    pub dealer_wins: u32,
    /// Hands of special forms that the melds may be part of after a claim. 0 if no condition uses the number.
    pub forms_left: usize,
}

impl TableFacts {
    /// What the table knows about a seat, without what is known of a winning tile.
    pub(crate) fn at(state: &DealState, seat: Seat) -> Self {
        let riichi = state.riichi(seat).filter(|riichi| riichi.accepted);
        Self {
            in_riichi: riichi.is_some(),
            riichi_at_once: riichi.is_some_and(|riichi| riichi.at_once),
            riichi_unbroken: riichi.is_some_and(|riichi| riichi.unbroken),
            has_discarded: state.has_discarded(seat),
            claims: state.claims(),
            dealer_wins: state.dealer_wins,
            draws_left: state.wall().draws_left(),
            discards: state.discards().len(),
            kongs: state.kongs(),
            asides: state.asides(),
            stands: state.announced(seat) == Some(Announcement::Standing),
            ..Self::default()
        }
    }
}

/// How many kinds complete a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct WaitCounts {
    /// Kinds that complete the hand and of which hand and melds do not hold every copy.
    pub left: u8,
    /// All kinds of the set of which hand and melds do not hold every copy, whether they complete the hand or not.
    pub open: u8,
    /// All kinds that complete the hand.
    pub all: u8,
    /// Those of them that are not wild.
    pub natural: u8,
}

/// A hand read in one way: an arrangement, and the group that the winning tile completed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading<'a> {
    /// The tiles in play.
    pub set: &'a TileSet,
    /// The hand without the winning tile.
    pub hand: &'a Hand,
    /// The seat.
    pub seat: Seat,
    /// The face of the seat wind in this tile set.
    pub seat_wind: Kind,
    /// The face of the prevailing wind in this tile set.
    pub round_wind: Kind,
    /// The win. `None` for a hand that did not win.
    pub win: Option<&'a Win>,
    /// Every group, declared ones last.
    pub groups: &'a [ReadGroup],
    /// The index of the group that the winning tile completed.
    pub winning: Option<usize>,
    /// 0 for the standard form. Otherwise 1 plus the index among the grammar's forms.
    pub form: u8,
    /// All tiles but flowers, the winning tile included. Zeros used as numbers are left out, because they are
    /// no honours there.
    pub tiles: Counts,
    /// Zeros used as numbers.
    pub number_zeros: u8,
    /// Face-up indicators.
    pub bonus: &'a [Tile],
    /// Indicators under them, which count for some winners.
    pub ura: &'a [Tile],
    /// Counters on the table.
    pub counters: u32,
    /// Players at the table.
    pub players: usize,
    /// The wild kinds. `groups` and `tiles` have the kinds that wild tiles stand for.
    pub wild: KindSet,
    /// How many kinds complete the hand. Known only if a pattern uses it, otherwise 0.
    pub waits: WaitCounts,
    /// Facts about the deal. Only conditions of flags use them.
    pub table: TableFacts,
}

/// Declared melds as groups of a reading.
pub(crate) fn declared(melds: &[Meld]) -> SmallVec<[ReadGroup; MAX_MELDS]> {
    let read = |meld: &Meld| ReadGroup::new(meld.group, meld.open, true);
    melds.iter().map(read).collect()
}

/// Removes the zeros that are numbers in some group, because they do not count as honours. Returns how many.
#[inline]
pub(super) fn leave_out_zeros(tiles: &mut Counts, groups: &[ReadGroup]) -> u8 {
    let groups = groups.iter().map(|group| group.group);
    let zeros = groups.filter(|group| group.kind() == Kind::ZERO && group.family().is_run());
    let zeros = tiles.get(Kind::ZERO).min(zeros.count() as u8);
    tiles.sub(Kind::ZERO, zeros);
    zeros
}

/// The face of a wind in a tile set with full or with compressed winds. Beside full winds, compressed ones are honours like
/// any other.
pub(crate) fn wind_face(set: &TileSet, wind: Wind) -> Kind {
    let is_in_play = |kind| set.copies().get(kind) > 0;
    match is_in_play(wind.compressed()) && !is_in_play(wind.kind()) {
        true => wind.compressed(),
        false => wind.kind(),
    }
}

impl<'a> Reading<'a> {
    /// A reading of the circumstances alone, without groups and tiles.
    pub(crate) fn circumstances(
        set: &'a TileSet,
        hand: &'a Hand,
        seat: Seat,
        round: Wind,
        win: Option<&'a Win>,
    ) -> Self {
        Self {
            set,
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
            wild: KindSet::EMPTY,
            waits: WaitCounts::default(),
            table: TableFacts::default(),
        }
    }

    /// The same with declared melds, and with their tiles alone.
    pub(crate) fn with_melds(self, groups: &'a [ReadGroup]) -> Self {
        let mut tiles = Counts::EMPTY;
        for kind in groups.iter().flat_map(|group| group.group.tiles()) {
            tiles.try_add_beyond(kind);
        }
        let number_zeros = leave_out_zeros(&mut tiles, groups);
        Self {
            groups,
            tiles,
            number_zeros,
            ..self
        }
    }

    /// Flowers laid aside or still held.
    pub fn flowers(&self) -> FlowerSet {
        self.hand.aside.flowers().union(self.hand.held_flowers())
    }

    /// The kind of the winning tile.
    #[inline]
    pub(crate) fn last(&self) -> Option<Kind> {
        self.win?.tile.kind()
    }

    /// The number of concealed tiles of a kind before wild tiles are replaced by what they stand for, the winning tile
    /// included.
    pub(crate) fn natural(&self, kind: Kind) -> u8 {
        let wins = self.last() == Some(kind);
        self.hand.concealed().get(kind) + u8::from(wins)
    }

    /// The number of tiles of a kind. Zeros count, however they are used.
    pub fn held(&self, kind: Kind) -> u8 {
        let zeros = if kind == Kind::ZERO {
            self.number_zeros
        } else {
            0
        };
        self.tiles.get(kind) + zeros
    }

    /// Red fives in the hand, its melds and the winning tile.
    pub(crate) fn reds(&self) -> i32 {
        let hand = Suit::ALL.into_iter().map(|suit| self.hand.reds(suit));
        let melds = self.hand.melds.iter().map(|meld| meld.reds);
        let last = self.win.is_some_and(|win| win.tile.is_red());
        hand.chain(melds).map(i32::from).sum::<i32>() + i32::from(last)
    }

    /// The group that the winning tile completed.
    pub fn winning_group(&self) -> Option<&ReadGroup> {
        self.groups.get(self.winning?)
    }

    /// The group that the winning tile completed, if that tile was claimed.
    pub(crate) fn claimed_group(&self) -> Option<&ReadGroup> {
        let is_claimed = self.win.is_some_and(|win| !win.is_self_draw());
        self.winning_group().filter(|_| is_claimed)
    }

    /// The place of the winning tile in the run that it completed.
    pub(crate) fn winning_place(&self) -> Option<WinningPlace> {
        let group = self.winning_group()?.group;
        if !group.family().is_run() {
            return None;
        }
        let kind = self.last()?;
        match group.kinds().iter().position(|&k| k == kind)? {
            0 => Some(WinningPlace::Low),
            1 => Some(WinningPlace::Middle),
            _ => Some(WinningPlace::High),
        }
    }
}

/// The place of the winning tile in a run.
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
