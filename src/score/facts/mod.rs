//! What conditions ask of a reading: [the facts](FACTS), and how each is read.

mod vocabulary;

pub use vocabulary::{FACTS, FactDoc, Scope};
pub(crate) use vocabulary::{ResultFact, Word, by_name, is_name};

use super::reading::{Reading, WinningPlace};
use crate::meld::{Family, Group};
use crate::seat::Seat;
use crate::set::{FlowerSet, KindSet};
use crate::state::Way;
use crate::tile::{Flower, Kind, Tile, Wind};
use crate::tile_set::TileSet;

/// A set of families, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FamilySet(u8);

impl FamilySet {
    /// Every family.
    pub const ALL: Self = Self(0x3f);

    /// The families of both sets.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The families as bits.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// True when no family is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True when the other set has all of these families.
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Puts a family in.
    pub const fn insert(&mut self, family: Family) {
        self.0 |= 1 << family as u8;
    }

    /// True when the family is in the set.
    #[inline]
    pub const fn contains(self, family: Family) -> bool {
        self.0 >> family as u8 & 1 == 1
    }
}

impl FromIterator<Family> for FamilySet {
    fn from_iter<I: IntoIterator<Item = Family>>(families: I) -> Self {
        let mut set = Self::default();
        families.into_iter().for_each(|family| set.insert(family));
        set
    }
}

/// A class of tiles: certain kinds, and winds that depend on the seat and the round. `exclude` wins over
/// `include`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Class {
    pub(crate) include: ClassPart,
    pub(crate) exclude: ClassPart,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct ClassPart {
    pub(crate) kinds: KindSet,
    pub(crate) seat_wind: bool,
    pub(crate) round_wind: bool,
}

impl ClassPart {
    fn kinds(&self, reading: &Reading<'_>) -> KindSet {
        let mut kinds = self.kinds;
        if self.seat_wind {
            kinds.insert(reading.seat_wind);
        }
        if self.round_wind {
            kinds.insert(reading.round_wind);
        }
        kinds
    }
}

impl Class {
    /// The kinds of the class without seat and prevailing winds.
    pub(crate) fn fixed_kinds(&self) -> KindSet {
        self.include.kinds.difference(self.exclude.kinds)
    }

    /// True when the class depends on the seat or the round.
    pub(super) const fn depends_on_winds(&self) -> bool {
        self.include.seat_wind
            || self.include.round_wind
            || self.exclude.seat_wind
            || self.exclude.round_wind
    }

    /// Every kind that is in the class for some seat and round.
    pub(super) fn widest(&self) -> KindSet {
        let winds = Wind::ALL.into_iter();
        let mut kinds = self.include.kinds;
        if self.include.seat_wind || self.include.round_wind {
            for wind in winds {
                kinds.insert(wind.kind());
                kinds.insert(wind.compressed());
            }
        }
        kinds.difference(self.exclude.kinds)
    }

    /// The kinds of the class for a reading.
    #[inline]
    pub(crate) fn kinds(&self, reading: &Reading<'_>) -> KindSet {
        self.include
            .kinds(reading)
            .difference(self.exclude.kinds(reading))
    }
}

/// A fact with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fact {
    Winner,
    SelfDraw,
    Way(Way),
    Flag(usize),
    Seat(Seat),
    From(Seat),
    Closed,
    DeclaredMelds,
    Melds {
        families: FamilySet,
        class: Class,
        open: Option<bool>,
    },
    Flowers,
    SeatFlowers,
    Seasons,
    FlowersAmong(FlowerSet),
    Suits,
    Count(Class),
    Kinds(Class),
    KindsHeld {
        number: u8,
        class: Class,
    },
    /// Like [`Self::KindsHeld`], of concealed tiles as they are.
    NaturalsHeld {
        number: u8,
        class: Class,
    },
    Wilds,
    Waits,
    WaitsForAll,
    ShapeWaits,
    Has(Class),
    AllTiles(Class),
    WinningGroup(Family),
    WinningPlace(WinningPlace),
    WinningTile(Class),
    Form(u8),
    VisibleCopies,
    DrawsLeft,
    Discards,
    Kongs,
    ReplacedKong,
    KongDiscard,
    ReplacedFlower,
    ReplacedSetAside,
    TilesSetAside,
    RobbedConcealed,
    Stands,
    InRiichi,
    RiichiAtOnce,
    RiichiUnbroken,
    HasDiscarded,
    Claims,
    DealerWins,
    WonOnFlower,
    KongsInRow,
    LaidFlowers,
    SetAside,
    FlowerSets,
    BonusTiles,
    TwinMelds,
    SameStepAriths,
    Dora,
    UraDora,
    RedFives,
    WinningCopies,
    GroupsWith(Class),
    SameRunInSuits,
    SamePungInSuits,
    Result(ResultFact),
}

impl Fact {
    /// True for a fact that only all tiles of a hand tell, and not its declared melds and flowers.
    pub(crate) fn asks_concealed(&self) -> bool {
        match self {
            Self::Melds { families, .. } => {
                families.contains(Family::Pair) && *families != FamilySet::ALL
            }
            Self::Suits
            | Self::Count(_)
            | Self::Kinds(_)
            | Self::KindsHeld { .. }
            | Self::NaturalsHeld { .. }
            | Self::Wilds
            | Self::Waits
            | Self::WaitsForAll
            | Self::ShapeWaits
            | Self::Has(_)
            | Self::AllTiles(_)
            | Self::WinningGroup(_)
            | Self::WinningPlace(_)
            | Self::Form(_)
            | Self::BonusTiles
            | Self::TwinMelds
            | Self::SameStepAriths
            | Self::Dora
            | Self::UraDora
            | Self::RedFives
            | Self::WinningCopies
            | Self::GroupsWith(_)
            | Self::SameRunInSuits
            | Self::SamePungInSuits => true,
            _ => false,
        }
    }
}

/// The kind that an indicator points to: the next rank in play, wind or dragon. The last one points to the first.
/// Source: `rulesets/riichi-mcgill.md` §9.2.
fn indicated(indicator: Kind, set: &TileSet) -> Kind {
    if indicator.suit().is_some() {
        let ranks = (1..=9).map(|step| Kind::at(indicator.lane(), (indicator.place() + step) % 9));
        let mut in_play = ranks.filter(|&kind| set.copies().get(kind) > 0);
        return in_play.next().unwrap_or(indicator);
    }
    match indicator {
        Kind::EAST => Kind::SOUTH,
        Kind::SOUTH => Kind::WEST,
        Kind::WEST => Kind::NORTH,
        Kind::NORTH => Kind::EAST,
        Kind::WHITE => Kind::GREEN,
        Kind::GREEN => Kind::RED,
        Kind::RED => Kind::WHITE,
        kind => kind,
    }
}

/// Adds up, for each indicator, the tiles of the kind that it points to, those set aside included.
fn dora(indicators: &[Tile], reading: &Reading<'_>) -> i32 {
    let kinds = indicators.iter().filter_map(|tile| tile.kind());
    let of_kind =
        |kind: Kind| i32::from(reading.held(kind)) + reading.hand.set_aside.of(kind) as i32;
    kinds
        .map(|kind| of_kind(indicated(kind, reading.set)))
        .sum()
}

/// The most suits that have a group at the same lowest rank. `fits` chooses the families.
fn same_in_suits(reading: &Reading<'_>, fits: impl Fn(Family) -> bool) -> i32 {
    let mut at = [0u16; 4];
    for group in reading.groups {
        let lowest = group.group.kind();
        if fits(group.group.family()) {
            at[lowest.lane()] |= 1 << lowest.place();
        }
    }
    let [t, s, m, _] = at;
    match () {
        () if t & s & m != 0 => 3,
        () if t & s | t & m | s & m != 0 => 2,
        () => i32::from(t | s | m != 0),
    }
}

/// How many twos of identical groups there are, without pairs. Four identical groups are two twos.
fn twin_melds(reading: &Reading<'_>) -> usize {
    // Numbers that differ, so that pairs and empty places equal nothing.
    let mut groups: [u32; 8] = std::array::from_fn(|i| u32::MAX - i as u32);
    for (bits, group) in groups.iter_mut().zip(reading.groups) {
        if group.group.family() != Family::Pair {
            *bits = group.group.bits();
        }
    }
    let mut twos = 0;
    for i in 1..groups.len() {
        // The second and the fourth of identical groups complete a two.
        let before = groups[..i].iter();
        twos += before.fold(0, |odd, &other| odd ^ usize::from(other == groups[i]));
    }
    twos
}

fn same_step_ariths(reading: &Reading<'_>) -> usize {
    let mut by_step = [0; 16];
    for step in reading.groups.iter().filter_map(|group| group.group.step()) {
        by_step[usize::from(step) % 16] += 1;
    }
    by_step.into_iter().max().unwrap_or_default()
}

impl Fact {
    /// Reads the fact: a number, or 1 for true and 0 for false.
    pub(crate) fn read(&self, reading: &Reading<'_>) -> i32 {
        match *self {
            Self::Winner => i32::from(reading.win.is_some()),
            Self::SelfDraw => i32::from(reading.win.is_some_and(|win| win.is_self_draw())),
            Self::Way(way) => i32::from(reading.win.is_some_and(|win| win.way == way)),
            Self::Flag(flag) => i32::from(reading.win.is_some_and(|win| win.flags.contains(flag))),
            Self::Seat(seat) => i32::from(reading.seat == seat),
            Self::From(seat) => i32::from(reading.win.is_some_and(|win| win.from == Some(seat))),
            Self::Closed => i32::from(reading.hand.is_closed()),
            Self::DeclaredMelds => reading.hand.melds.len() as i32,
            Self::Melds {
                families,
                class,
                open,
            } => {
                let kinds = class.kinds(reading);
                let claimed = reading.claimed_group();
                let is_open = |group: &super::ReadGroup| {
                    group.open || claimed.is_some_and(|claimed| std::ptr::eq(claimed, group))
                };
                let fits = |group: &&super::ReadGroup| {
                    families.contains(group.group.family())
                        && open.is_none_or(|open| open == is_open(group))
                        && group.group.kind_set().is_subset(kinds)
                };
                reading.groups.iter().filter(fits).count() as i32
            }
            Self::Flowers => reading.flowers().len() as i32,
            Self::SeatFlowers => {
                let own = |flower: &Flower| {
                    flower.index() < Flower::OF_SEATS && flower.number() == reading.seat.index() % 4
                };
                reading.flowers().iter().filter(own).count() as i32
            }
            Self::Seasons => {
                let seasons = Flower::all().take(4);
                seasons
                    .filter(|flower| reading.flowers().contains(*flower))
                    .count() as i32
            }
            Self::FlowersAmong(flowers) => reading.flowers().intersection(flowers).len() as i32,
            Self::Suits => (0..3).filter(|&lane| reading.tiles.lane(lane) != 0).count() as i32,
            Self::Count(class) => reading.tiles.count_in(class.kinds(reading)) as i32,
            Self::Kinds(class) => {
                let kinds = reading.tiles.kinds().intersection(class.kinds(reading));
                kinds.len() as i32
            }
            Self::KindsHeld { number, class } => {
                let is_kong = |kind: Kind| {
                    let kong = Group::kong(kind);
                    reading.groups.iter().any(|group| group.group == kong)
                };
                let kinds = reading.tiles.kinds().intersection(class.kinds(reading));
                let held = |kind: &Kind| reading.held(*kind) == number && !is_kong(*kind);
                kinds.iter().filter(held).count() as i32
            }
            Self::NaturalsHeld { number, class } => {
                let held = |kind: &Kind| reading.natural(*kind) == number;
                class.kinds(reading).iter().filter(held).count() as i32
            }
            Self::Wilds => {
                let wilds = reading
                    .wild
                    .iter()
                    .map(|kind| i32::from(reading.natural(kind)));
                let melds = reading.hand.melds.iter();
                wilds.sum::<i32>() + melds.map(|meld| meld.jokers() as i32).sum::<i32>()
            }
            Self::Waits => i32::from(reading.waits.left),
            Self::WaitsForAll => i32::from(reading.waits.left == reading.waits.open),
            Self::ShapeWaits => i32::from(reading.waits.all),
            Self::Has(class) => {
                let kinds = reading.tiles.kinds().intersection(class.kinds(reading));
                i32::from(!kinds.is_empty())
            }
            Self::AllTiles(class) => {
                i32::from(reading.tiles.kinds().is_subset(class.kinds(reading)))
            }
            Self::WinningGroup(family) => {
                let group = reading.winning_group();
                i32::from(group.is_some_and(|group| group.group.family() == family))
            }
            Self::WinningPlace(place) => i32::from(reading.winning_place() == Some(place)),
            Self::WinningTile(class) => {
                let kind = reading.win.and_then(|win| win.tile.kind());
                i32::from(kind.is_some_and(|kind| class.kinds(reading).contains(kind)))
            }
            Self::Form(form) => i32::from(reading.form == form),
            Self::VisibleCopies => reading.table.visible_copies as i32,
            Self::DrawsLeft => reading.table.draws_left as i32,
            Self::Discards => reading.table.discards as i32,
            Self::Kongs => reading.table.kongs as i32,
            Self::ReplacedKong => i32::from(reading.table.replaced_kong),
            Self::KongDiscard => i32::from(reading.table.kong_discard),
            Self::ReplacedFlower => i32::from(reading.table.replaced_flower),
            Self::ReplacedSetAside => i32::from(reading.table.replaced_set_aside),
            Self::TilesSetAside => reading.table.tiles_set_aside as i32,
            Self::RobbedConcealed => i32::from(reading.table.robbed_concealed),
            Self::Stands => i32::from(reading.table.stands),
            Self::InRiichi => i32::from(reading.table.in_riichi),
            Self::RiichiAtOnce => i32::from(reading.table.riichi_at_once),
            Self::RiichiUnbroken => i32::from(reading.table.riichi_unbroken),
            Self::HasDiscarded => i32::from(reading.table.has_discarded),
            Self::Claims => reading.table.claims as i32,
            Self::DealerWins => reading.table.dealer_wins as i32,
            Self::WonOnFlower => i32::from(reading.win.is_some_and(|win| win.tile.is_flower())),
            Self::KongsInRow => reading.win.map_or(0, |win| i32::from(win.kongs_in_row)),
            Self::LaidFlowers => reading.hand.flowers.len() as i32,
            Self::SetAside => reading.hand.set_aside.len() as i32,
            Self::FlowerSets => {
                let of_set = |set: usize| {
                    let flowers = reading.flowers();
                    let members = Flower::all().skip(4 * set).take(4);
                    members.filter(|flower| flowers.contains(*flower)).count() == 4
                };
                (0..Flower::COUNT / 4).filter(|&set| of_set(set)).count() as i32
            }
            Self::BonusTiles => {
                let kinds = reading.bonus.iter().filter_map(|tile| tile.kind());
                kinds.map(|kind| i32::from(reading.held(kind))).sum()
            }
            Self::Dora => dora(reading.bonus, reading),
            Self::UraDora => dora(reading.ura, reading),
            Self::RedFives => reading.reds(),
            Self::WinningCopies => {
                let kind = reading.win.and_then(|win| win.tile.kind());
                kind.map_or(0, |kind| i32::from(reading.held(kind)))
            }
            Self::GroupsWith(class) => {
                let kinds = class.kinds(reading);
                let has = |group: &&super::ReadGroup| {
                    !group.group.kind_set().intersection(kinds).is_empty()
                };
                reading.groups.iter().filter(has).count() as i32
            }
            Self::SameRunInSuits => same_in_suits(reading, Family::is_run),
            Self::SamePungInSuits => same_in_suits(reading, |family| {
                matches!(family, Family::Pung | Family::Kong)
            }),
            Self::TwinMelds => twin_melds(reading) as i32,
            Self::SameStepAriths => same_step_ariths(reading) as i32,
            // A result comes after the readings, so no condition over readings uses it.
            Self::Result(_) => 0,
        }
    }
}
