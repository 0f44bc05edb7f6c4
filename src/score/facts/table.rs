//! The facts. Each is declared in one row: its documentation, its name with its arguments, its type, the narrowest scope
//! that knows it, and how it is read. The parser, [`FACTS`] and the reference come from these rows.

use super::class::{BonusClass, Class, CountedFrom, FamilySet, Shape, Step};
use super::paying::Paying;
use super::read;
use super::result::{SumFact, Tallied};
use super::scope::{Argument, FactType, Form, Scope};
use super::written::{RuleNames, Written};
use crate::meld::Family;
use crate::score::reading::{Reading, WinningPlace, wind_face};
use crate::seat::Seat;
use crate::state::{DrawSource, KongWay, TurnedId, Way};
use crate::tile::Wind;
use std::fmt;

// The types of arguments whose types have other names.
type Families = FamilySet;
type Side = Option<bool>;
type Copies = u8;
type Bonus = BonusClass;
type Laid = bool;
type Replaced = DrawSource;
type Place = WinningPlace;
type Kong = KongWay;
type Turned = TurnedId;
type Counted = CountedFrom;

/// The parsed arguments of a fact. Those that the fact does not have are ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) class: Class,
    pub(crate) families: Families,
    pub(crate) open: Side,
    pub(crate) copies: Copies,
    pub(crate) bonus: Bonus,
    pub(crate) laid: Laid,
    pub(crate) replaced: Replaced,
    pub(crate) way: Way,
    pub(crate) seat: Seat,
    pub(crate) wind: Wind,
    pub(crate) family: Family,
    pub(crate) place: Place,
    pub(crate) shape: Shape,
    pub(crate) made: Kong,
    pub(crate) turned: Turned,
    pub(crate) counted: Counted,
    pub(crate) step: Step,
}

impl Given {
    /// Before any argument is read.
    pub(crate) const NOTHING: Self = Self {
        class: Class::NOTHING,
        families: Families::NOTHING,
        open: None,
        copies: 0,
        bonus: Bonus::NOTHING,
        laid: false,
        replaced: DrawSource::Kong,
        way: Way::Wall,
        seat: Seat::EAST,
        wind: Wind::East,
        family: Family::Pair,
        place: Place::Low,
        shape: Shape(0),
        made: Kong::Concealed,
        turned: Turned::at(0),
        counted: Counted::Winner,
        step: Step(0),
    };
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Means {
    /// A fact with these arguments.
    Fact(fn(&Given) -> Fact),
    /// The condition that a list of groups is expanded into.
    Groups,
    /// The number of players, which is known when a file is loaded.
    Players,
}

/// A fact as conditions and docs show it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FactDoc {
    /// Its name.
    pub name: &'static str,
    /// How it is written with its arguments.
    pub form: Form,
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// Its type.
    pub value: FactType,
    /// The narrowest scope that knows it.
    pub scope: Scope,
    /// What it means.
    pub doc: &'static str,
    pub(crate) means: Means,
}

impl FactDoc {
    /// How it is written, such as `kinds-held(NUMBER, CLASS)`.
    pub fn usage(&self) -> String {
        let arguments: Vec<&str> = self.arguments.iter().map(|one| one.placeholder()).collect();
        let (name, arguments) = (self.name, arguments.join(", "));
        match self.form {
            Form::Alone => name.to_owned(),
            Form::Of => format!("{name}({arguments})"),
            Form::Is => format!("{name} is {arguments}"),
            Form::In => format!("{name} in {arguments}"),
        }
    }
}

/// The fact on one line.
impl fmt::Display for FactDoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (usage, value, doc) = (self.usage(), self.value.word(), self.doc);
        write!(f, "{usage}: {value}. {doc}")
    }
}

/// Declares facts about readings, facts about results, and names for facts with certain arguments.
macro_rules! facts {
    (
        |$reading:ident| {$(
            $(#[doc = $doc:literal])+
            $fact:ident = $name:literal $($form:ident($($field:ident: $argument:ident),+))?,
            $is:ident, $scope:ident, $read:expr;
        )+}
        |$event:ident| {$(
            $(#[doc = $of_event:literal])+
            $event_fact:ident = $event_name:literal $($event_form:ident($($event_field:ident: $event_argument:ident),+))?,
            $event_is:ident, $event_read:expr;
        )+}
        |$result:ident| {$(
            $(#[doc = $of_result:literal])+
            $result_fact:ident = $result_name:literal, $result_is:ident, $result_read:expr;
        )+}
        {$(
            $(#[doc = $of_word:literal])+
            $word:literal $($word_form:ident($($word_argument:ident),+))?,
            $word_is:ident, $word_scope:ident, $means:expr;
        )+}
    ) => {
        /// A fact with its arguments.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Fact {
            $($(#[doc = $doc])+ $fact $({ $($field: $argument),+ })?,)+
            /// A flag of the ruleset.
            Flag(usize),
            /// A fact about the result of a scored hand.
            Result(ResultFact),
            /// A sum of the patterns of a hand.
            Sum(SumFact),
            /// A fact about a payment.
            Event(EventFact),
        }

        /// A fact about a payment, with its arguments.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum EventFact {
            $($(#[doc = $of_event])+ $event_fact $({ $($event_field: $event_argument),+ })?,)+
        }

        /// A fact about the result of a scored hand.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum ResultFact {
            $($(#[doc = $of_result])+ $result_fact,)+
        }

        impl Fact {
            /// Reads the fact: a number, or 1 for true and 0 for false.
            pub(crate) fn read(&self, $reading: &Reading<'_>) -> i32 {
                match *self {
                    $(Self::$fact $({ $($field),+ })? => i32::from($read),)+
                    Self::Flag(flag) => {
                        i32::from($reading.win.is_some_and(|win| win.flags.contains(flag)))
                    }
                    // Results and payments come after the readings, so no condition over readings uses them.
                    Self::Result(_) | Self::Sum(_) | Self::Event(_) => 0,
                }
            }

            /// The fact as conditions write it.
            pub(in crate::score) fn written(&self, names: &RuleNames<'_>) -> String {
                match *self {
                    $(Self::$fact $({ $($field),+ })? => {
                        let arguments: &[String] = &[$($($field.written(names)),+)?];
                        (facts!(@form $($form)?)).written($name, arguments)
                    })+
                    Self::Flag(number) => {
                        names.flags.get(number).copied().unwrap_or_default().to_owned()
                    }
                    Self::Result(_) | Self::Sum(_) => "result".to_owned(),
                    Self::Event(_) => "event".to_owned(),
                }
            }

            /// The name of the fact. A flag has none.
            pub(crate) const fn name(&self) -> Option<&'static str> {
                match self {
                    $(Self::$fact { .. } => Some($name),)+
                    Self::Flag(_) | Self::Sum(_) => None,
                    Self::Result(fact) => Some(match fact {
                        $(ResultFact::$result_fact => $result_name,)+
                    }),
                    Self::Event(fact) => Some(match fact {
                        $(EventFact::$event_fact { .. } => $event_name,)+
                    }),
                }
            }

            /// The least and the greatest value that is possible.
            pub(crate) const fn range(&self) -> (i64, i64) {
                let is = match self {
                    $(Self::$fact { .. } => FactType::$is,)+
                    Self::Flag(_) => FactType::Bool,
                    // A pattern may take something away.
                    Self::Sum(SumFact::Limits) => FactType::Int,
                    Self::Sum(_) => return (i64::MIN, i64::MAX),
                    Self::Result(fact) => match fact {
                        $(ResultFact::$result_fact => FactType::$result_is,)+
                    },
                    Self::Event(fact) => match fact {
                        $(EventFact::$event_fact { .. } => FactType::$event_is,)+
                    },
                };
                match is {
                    FactType::Bool => (0, 1),
                    FactType::Int | FactType::Decimal => (0, i64::MAX),
                }
            }

            /// The narrowest scope that knows the fact.
            pub(crate) const fn scope(&self) -> Scope {
                match self {
                    $(Self::$fact { .. } => Scope::$scope,)+
                    Self::Flag(_) => Scope::Circumstances,
                    Self::Result(_) => Scope::Result,
                    Self::Sum(_) => Scope::Sums,
                    Self::Event(_) => Scope::Payment,
                }
            }
        }

        impl EventFact {
            /// Reads the fact: a number, or 1 for true and 0 for false.
            pub(crate) fn read(&self, $event: &Paying<'_>) -> i64 {
                match *self {
                    $(Self::$event_fact $({ $($event_field),+ })? => i64::from($event_read),)+
                }
            }
        }

        impl ResultFact {
            /// Reads the fact, in tenths.
            pub(crate) fn read(self, $result: &Tallied) -> i64 {
                match self {
                    $(Self::$result_fact => i64::from($result_read),)+
                }
            }
        }

        /// Every fact, in the order of the docs. Conditions may also use the names of `[flags]` and of options.
        pub const FACTS: &[FactDoc] = &[
            $(FactDoc {
                name: $name,
                form: facts!(@form $($form)?),
                arguments: &[$($(Argument::$argument),+)?],
                value: FactType::$is,
                scope: Scope::$scope,
                doc: concat!($($doc),+).trim_ascii(),
                means: Means::Fact(|_given| Fact::$fact $({ $($field: _given.$field),+ })?),
            },)+
            $(FactDoc {
                name: $word,
                form: facts!(@form $($word_form)?),
                arguments: &[$($(Argument::$word_argument),+)?],
                value: FactType::$word_is,
                scope: Scope::$word_scope,
                doc: concat!($($of_word),+).trim_ascii(),
                means: $means,
            },)+
            $(FactDoc {
                name: $result_name,
                form: Form::Alone,
                arguments: &[],
                value: FactType::$result_is,
                scope: Scope::Result,
                doc: concat!($($of_result),+).trim_ascii(),
                means: Means::Fact(|_| Fact::Result(ResultFact::$result_fact)),
            },)+
            $(FactDoc {
                name: $event_name,
                form: facts!(@form $($event_form)?),
                arguments: &[$($(Argument::$event_argument),+)?],
                value: FactType::$event_is,
                scope: Scope::Payment,
                doc: concat!($($of_event),+).trim_ascii(),
                means: Means::Fact(|_given| Fact::Event(EventFact::$event_fact $({ $($event_field: _given.$event_field),+ })?)),
            },)+
        ];
    };
    (@form) => { Form::Alone };
    (@form $form:ident) => { Form::$form };
}

facts! {
    |reading| {
        /// The hand is a winner's.
        Winner = "winner", Bool, Circumstances, reading.win.is_some();
        /// Won with a tile drawn from the wall, a replacement included.
        SelfDraw = "self-draw", Bool, Circumstances, reading.win.is_some_and(|win| win.is_self_draw());
        /// How the winner got the winning tile.
        Way = "way" Is(way: Way), Bool, Circumstances, reading.win.is_some_and(|win| win.way == way);
        /// The seat of the hand.
        Seat = "seat" Is(seat: Seat), Bool, Circumstances, reading.seat == seat;
        /// The seat whose discard or robbed tile is the winning tile.
        From = "from" Is(seat: Seat), Bool, Circumstances,
            reading.win.is_some_and(|win| win.from == Some(seat));
        /// The round of the deal. It stays `E` without `round-winds` of `[match]`.
        Round = "round" Is(wind: Wind), Bool, Circumstances, reading.round_wind == wind_face(reading.set, wind);
        /// No declared meld is open.
        Closed = "closed", Bool, Melds, reading.hand.is_closed();
        /// Declared melds, concealed kongs included.
        DeclaredMelds = "declared-melds", Int, Melds, reading.hand.melds.len() as i32;
        /// Declared melds of some families whose tiles are all of a class. All players see them, so `who` and `seats(…)` may ask
        /// for those of each seat. Concealed kongs are included, a group that a claimed tile completes for a win is not.
        Declared = "declared" Of(families: Families, class: Class, open: Side), Int, Melds,
            read::declared(reading, families, class, open);
        /// Groups of some families whose tiles are all of a class.
        Melds = "melds" Of(families: Families, class: Class, open: Side), Int, Hand,
            read::melds(reading, families, class, open);
        /// Bonus tiles of a class that lie aside, and flowers of the class that the hand still holds. A flower that is the
        /// winning tile does not count: `aside(glnu)` counts animals.
        Aside = "aside" Of(bonus: Bonus, laid: Laid), Int, Held, read::aside(reading, bonus, laid);
        /// Suits that the hand has tiles of.
        Suits = "suits", Int, Held,
            (0..3).filter(|&lane| reading.tiles.lane(lane) != 0).count() as i32;
        /// The hand has a tile of a class.
        Has = "has" Of(class: Class), Bool, Held,
            !reading.tiles.kinds().intersection(class.kinds(reading)).is_empty();
        /// Every tile but bonus tiles is of a class.
        AllTiles = "all-tiles" Of(class: Class), Bool, Held,
            reading.tiles.kinds().is_subset(class.kinds(reading));
        /// Tiles of a class.
        Count = "count" Of(class: Class), Int, Held,
            reading.tiles.count_in(class.kinds(reading)) as i32;
        /// Different kinds of a class that the hand has tiles of.
        Kinds = "kinds" Of(class: Class), Int, Held,
            reading.tiles.kinds().intersection(class.kinds(reading)).len() as i32;
        /// Different kinds of a class of which the hand has exactly this number of tiles. Kinds of kongs are left out.
        KindsHeld = "kinds-held" Of(copies: Copies, class: Class), Int, Held,
            read::kinds_held(reading, copies, class);
        /// Different kinds of a class of which the hand has exactly this number of concealed tiles, before wild tiles are
        /// replaced by what they stand for.
        NaturalsHeld = "naturals-held" Of(copies: Copies, class: Class), Int, Held,
            read::naturals_held(reading, copies, class);
        /// Wild tiles of the hand and its melds.
        Wilds = "wilds", Int, Held, read::wilds(reading);
        /// Concealed groups of some families that may be made of wild tiles alone, each taken by itself.
        WildGroups = "wild-groups" Of(families: Families), Int, Hand, read::wild_groups(reading, families);
        /// Every kind of which the hand does not hold all copies completes it, as one does whose only single tile is wild. For
        /// nine gates ask `waits == 9`.
        WaitsForAll = "waits-for-all", Bool, Hand, reading.waits.left == reading.waits.open;
        /// Kinds that would complete the winner's other tiles. Kinds of which hand and melds hold every copy are left
        /// out. Kinds of wild tiles are counted, too, so with a wild kind in the set hardly any hand waits for one.
        Waits = "waits", Int, Hand, reading.waits.left;
        /// Kinds that would complete the winner's other tiles, including those of which hand and melds hold every
        /// copy.
        ShapeWaits = "shape-waits", Int, Hand, reading.waits.all;
        /// The same without the kinds of wild tiles.
        NaturalWaits = "natural-waits", Int, Hand, reading.waits.natural;
        /// The family of the group that the winning tile completed.
        WinningGroup = "winning-group" Is(family: Family), Bool, Hand,
            reading.winning_group().is_some_and(|group| group.group.family() == family);
        /// The place of the winning tile in the run that it completed.
        WinningPlace = "winning-place" Is(place: Place), Bool, Hand, reading.winning_place() == Some(place);
        /// The winning tile is of a class.
        WinningTile = "winning-tile" In(class: Class), Bool, Hand,
            reading.last().is_some_and(|kind| class.kinds(reading).contains(kind));
        /// The form of the arrangement.
        Form = "form" Is(shape: Shape), Bool, Hand, reading.form == shape.0;
        /// Other copies of the winning tile that all players see: discards, open melds, indicators.
        VisibleCopies = "visible-copies", Int, Table, reading.table.visible_copies as i32;
        /// Ordinary draws left in the wall.
        DrawsLeft = "draws-left", Int, Table, reading.table.draws_left as i32;
        /// Tiles discarded in the deal, claimed ones included.
        Discards = "discards", Int, Table, reading.table.discards as i32;
        /// Kongs made in the deal.
        Kongs = "kongs", Int, Table, reading.table.kongs as i32;
        /// The winning tile was drawn as the replacement for a kong, or for a tile of a row of `[aside]`.
        Replaced = "replaced" Of(replaced: Replaced), Bool, Table, reading.table.source == Some(replaced);
        /// The winning tile was discarded by a player who had just drawn the replacement for a kong.
        KongDiscard = "kong-discard", Bool, Table, reading.table.kong_discard;
        /// Tiles that all players have laid aside in the deal.
        Asides = "asides", Int, Table, reading.table.asides as i32;
        /// The robbed kong is concealed.
        RobbedConcealed = "robbed-concealed", Bool, Table, reading.table.robbed_concealed;
        /// The winner has announced a standing hand.
        Stands = "stands", Bool, Table, reading.table.stands;
        /// The winner is in riichi.
        InRiichi = "in-riichi", Bool, Table, reading.table.in_riichi;
        /// The winner declared riichi with the first discard, before any claim and any kong.
        RiichiAtOnce = "riichi-at-once", Bool, Table, reading.table.riichi_at_once;
        /// Since the winner's riichi there was no kong and no claim, and the winner has not discarded again.
        RiichiUnbroken = "riichi-unbroken", Bool, Table, reading.table.riichi_unbroken;
        /// The winner has discarded in the deal.
        HasDiscarded = "has-discarded", Bool, Table, reading.table.has_discarded;
        /// Discards claimed for melds in the deal.
        Claims = "claims", Int, Table, reading.table.claims as i32;
        /// Deals that the dealer has won in a row before this one.
        DealerWins = "dealer-wins", Int, Table, reading.table.dealer_wins as i32;
        /// Hands of `[forms]` that the melds of the seat may be part of, the claimed one among them. Each way to put in letters
        /// and classes counts.
        FormsLeft = "forms-left", Int, Claim, reading.table.forms_left as i32;
        /// The winning tile is a flower that was laid aside.
        WonOnFlower = "won-on-flower", Bool, Circumstances,
            reading.win.is_some_and(|win| win.tile.is_flower());
        /// Kongs made in sequence in one turn, each with the replacement of the one before, if the winning tile is the
        /// replacement of the last of them; otherwise 0.
        KongsInRow = "kongs-in-row", Int, Circumstances, reading.win.map_or(0, |win| win.kongs_in_row);
        /// Tiles in hand and melds of the kind of a face-up indicator, added up over the indicators.
        BonusTiles = "bonus-tiles", Int, Hand, read::bonus_tiles(reading);
        /// How often two groups are identical, pairs left out. Four identical groups count as 2.
        TwinMelds = "twin-melds", Int, Hand, read::twin_melds(reading) as i32;
        /// The most ariths (runs with equal steps) that have the same step.
        SameStepAriths = "same-step-ariths", Int, Hand, read::same_step_ariths(reading) as i32;
        /// Tiles in hand and melds of the kind that a face-up indicator points to, added up over the indicators.
        Dora = "dora", Int, Hand, read::dora(reading.bonus, reading);
        /// The same as `dora` for the indicators under the face-up ones.
        UraDora = "ura-dora", Int, Hand, read::dora(reading.ura, reading);
        /// Red fives in hand and melds, the winning tile included.
        RedFives = "red-fives", Int, Held, reading.reds();
        /// Tiles of the same kind as the winning tile, the winning tile included.
        WinningCopies = "winning-copies", Int, Hand, reading.last().map_or(0, |kind| reading.held(kind));
        /// Groups that have a tile of a class, the pair included.
        GroupsWith = "groups-with" Of(class: Class), Int, Hand, read::groups_with(reading, class);
        /// The most suits that have the same run.
        SameRunInSuits = "same-run-in-suits", Int, Hand, read::same_in_suits(reading, Family::is_run);
        /// The most suits that have a pung or kong of the same rank.
        SamePungInSuits = "same-pung-in-suits", Int, Hand,
            read::same_in_suits(reading, |family| matches!(family, Family::Pung | Family::Kong));
    }
    |event| {
        /// `on = "kong"`: how the kong was made.
        Made = "made" Is(made: Kong), Bool, event.happening.made == Some(made);
        /// `on = "kong"`: the tile that was added to a pung was just drawn.
        AddedDrawn = "added-drawn", Bool, event.happening.added_drawn;
        /// `on = "aside"`: with the tile that was just laid aside, every flower and every kind of a class lies aside.
        Completes = "completes" Of(bonus: Bonus), Bool, event.completes(bonus);
        /// The payer gave the tile: discarded it, or had it robbed.
        Gave = "gave", Bool, event.happening.giver == Some(event.other);
        /// `on = "win"`: the payer is liable for the win, see `liable` of a pattern. `seats(liable)` counts such seats.
        Liable = "liable", Bool, event.liable();
        /// The payer or the seat that is paid is the dealer.
        WithDealer = "with-dealer", Bool, event.actor == Seat::EAST || event.other == Seat::EAST;
        /// The seat's hand is ready.
        Ready = "ready", Bool, event.happening.ready.contains(event.subject);
        /// Barred tiles that the seat still holds.
        Barred = "barred", Int, event.happening.barred[event.subject];
        /// The most points that the ready hand could win off a discard of the payer.
        BestWin = "best-win", Int, event.best_win();
        /// Every discard of the seat is of a class, and none was claimed.
        DiscardedOnly = "discarded-only" Of(class: Class), Bool,
            (event.happening.only_discarded)(event.subject, class.fixed_kinds());
        /// `on = "win"`: tiles of a class that were turned for rows of `[turned]`.
        Turned = "turned" Of(class: Class), Int, event.turned(class.fixed_kinds());
        /// `on = "win"`: tiles of a row of `[turned]` that name the seat that is paid or the payer. Ranks and winds are
        /// counted in turn order: with four players 1, 5 and 9 name the winner, 2 and 6 the next player.
        TurnedTo = "turned-to" Of(turned: Turned, counted: Counted), Int, event.turned_to(turned, counted);
        /// `on = "win"`: seats that win off the same tile.
        Winners = "winners", Int, event.happening.winners;
        /// `on = "shown"`: the step in which the hand was shown.
        Shown = "shown" Is(step: Step), Bool, event.happening.shown == Some(step.0);
        /// Counters: deals in a row that the dealer has kept before this one.
        Counters = "counters", Int, event.happening.counters;
    }
    |result| {
        /// The hand is worth enough to win.
        Wins = "wins", Bool, result.wins;
        /// Points before settlement; 0 for a hand that is not worth enough.
        Points = "points", Decimal, result.points;
    }
    {
        /// Players at the table: `players` of `[ruleset]`.
        "players", Int, Options, Means::Players;
        /// The hand is the dealer's.
        "dealer", Bool, Circumstances, Means::Fact(|_| Fact::Seat { seat: Seat::EAST });
        /// The tiles are a complete hand. The same as `winner`, as a word for invariants.
        "complete", Bool, Hand, Means::Fact(|_| Fact::Winner);
        /// Pairs of a class.
        "pairs" Of(Class), Int, Hand, Means::Fact(|given| Fact::Melds {
            families: FamilySet::one(Family::Pair),
            class: given.class,
            open: None,
        });
        /// Limits of the patterns that count.
        "limits", Int, Sums, Means::Fact(|_| Fact::Sum(SumFact::Limits));
        /// What one limit is worth: `limit` of `[score]`.
        "limit", Int, Sums, Means::Fact(|_| Fact::Sum(SumFact::Limits));
        /// What the sums are worth: `worth` of `[score]`. Only `points` knows it.
        "worth", Int, Sums, Means::Fact(|_| Fact::Sum(SumFact::Worth));
        /// The hand has these groups. `honour a` in place of a rank and a suit is the honour that belongs to the suit.
        "has-groups" Of(Groups), Bool, Hand, Means::Groups;
    }
}
