//! The facts of conditions, each with its type, its scope and a line of doc.

/// Where a condition is evaluated. This decides which facts it may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Scope {
    /// Before play: options alone.
    Options,
    /// A win without its tiles: who won, how, and the flags.
    Circumstances,
    /// Circumstances, and the declared melds.
    Melds,
    /// A win at the table: circumstances, declared melds, and what happened in the deal.
    Table,
    /// A hand to be scored: circumstances, melds and tiles.
    Hand,
    /// What a scored hand came to. Only invariants use it.
    Result,
}

impl Scope {
    /// What facts of this scope are about.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Options => "the options",
            Self::Circumstances => "a win, whatever its tiles are",
            Self::Melds => "declared melds",
            Self::Table => "the deal at the table, where flags are set",
            Self::Hand => "a hand with its tiles, where patterns are",
            Self::Result => "what a hand came to, where invariants end",
        }
    }

    /// True when a condition of this scope may use a fact of scope `fact`.
    pub(crate) fn knows(self, fact: Self) -> bool {
        match self {
            Self::Options => false,
            Self::Result => fact == Self::Result,
            Self::Circumstances => fact == Self::Circumstances,
            Self::Melds => matches!(fact, Self::Circumstances | Self::Melds),
            Self::Table | Self::Hand => {
                fact == self || matches!(fact, Self::Circumstances | Self::Melds)
            }
        }
    }
}

/// The fact that a name in a condition stands for, before its arguments are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Word {
    Winner,
    SelfDraw,
    Way,
    Dealer,
    Seat,
    From,
    Closed,
    DeclaredMelds,
    Melds,
    Pairs,
    Flowers,
    SeatFlowers,
    Seasons,
    FlowersAmong,
    Suits,
    Has,
    AllTiles,
    Count,
    Kinds,
    KindsHeld,
    NaturalsHeld,
    Wilds,
    Waits,
    WaitsForAll,
    ShapeWaits,
    WinningGroup,
    WinningPlace,
    WinningTile,
    Form,
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
    GroupsWith,
    HasGroups,
    SameRunInSuits,
    SamePungInSuits,
    Result(ResultFact),
}

/// What a hand came to, and the minimum that it had to reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ResultFact {
    Wins,
    Minimum,
    Points,
    Fan,
    Doubles,
    Base,
    Han,
    Fu,
}

/// A fact as conditions and docs show it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FactDoc {
    /// How it is written.
    pub usage: &'static str,
    /// Its type: `bool`, `int`, `decimal`, or what `is` or `in` compares it with.
    pub kind: &'static str,
    /// The narrowest scope that knows it.
    pub scope: Scope,
    /// What it says.
    pub doc: &'static str,
    pub(crate) word: Word,
}

const fn fact(
    usage: &'static str,
    kind: &'static str,
    scope: Scope,
    word: Word,
    doc: &'static str,
) -> FactDoc {
    FactDoc {
        usage,
        kind,
        scope,
        doc,
        word,
    }
}

/// Every fact, in the order of the docs. Conditions may also use the names of `[flags]` and of options.
pub const FACTS: &[FactDoc] = &[
    fact(
        "winner",
        "bool",
        Scope::Circumstances,
        Word::Winner,
        "the hand is a winner's",
    ),
    fact(
        "complete",
        "bool",
        Scope::Hand,
        Word::Winner,
        "the tiles are a complete hand, as every winner's are: a word for invariants",
    ),
    fact(
        "self-draw",
        "bool",
        Scope::Circumstances,
        Word::SelfDraw,
        "won with a tile drawn from the wall, a replacement included",
    ),
    fact(
        "way is WAY",
        "way",
        Scope::Circumstances,
        Word::Way,
        "how the last tile came: `wall`, `replacement`, `discard`, `robbed-kong`",
    ),
    fact(
        "dealer",
        "bool",
        Scope::Circumstances,
        Word::Dealer,
        "the hand is the dealer's",
    ),
    fact(
        "seat is SEAT",
        "seat",
        Scope::Circumstances,
        Word::Seat,
        "the seat: `E S W N 5 6`",
    ),
    fact(
        "from is SEAT",
        "seat",
        Scope::Circumstances,
        Word::From,
        "whose discard or robbed tile was the last",
    ),
    fact(
        "closed",
        "bool",
        Scope::Melds,
        Word::Closed,
        "no declared meld is open",
    ),
    fact(
        "declared-melds",
        "int",
        Scope::Melds,
        Word::DeclaredMelds,
        "melds declared, concealed kongs included",
    ),
    fact(
        "melds(FAMILIES, CLASS, open|concealed)",
        "int",
        Scope::Hand,
        Word::Melds,
        "groups of some families whose tiles are all of a class; the third argument may be left out",
    ),
    fact(
        "pairs(CLASS)",
        "int",
        Scope::Hand,
        Word::Pairs,
        "pairs of a class",
    ),
    fact(
        "flowers",
        "int",
        Scope::Hand,
        Word::Flowers,
        "flowers laid down or still held",
    ),
    fact(
        "seat-flowers",
        "int",
        Scope::Hand,
        Word::SeatFlowers,
        "seasons and plants among them that have the seat's number",
    ),
    fact(
        "seasons",
        "int",
        Scope::Hand,
        Word::Seasons,
        "those of them that are seasons, `h` to `k`",
    ),
    fact(
        "flowers-among(FLOWERS)",
        "int",
        Scope::Hand,
        Word::FlowersAmong,
        "those of them that are among these, written as letters: `flowers-among(glnu)` counts animals",
    ),
    fact(
        "suits",
        "int",
        Scope::Hand,
        Word::Suits,
        "how many suits the hand has tiles of",
    ),
    fact(
        "has(CLASS)",
        "bool",
        Scope::Hand,
        Word::Has,
        "some tile is of a class",
    ),
    fact(
        "all-tiles(CLASS)",
        "bool",
        Scope::Hand,
        Word::AllTiles,
        "every tile but flowers is of a class",
    ),
    fact(
        "count(CLASS)",
        "int",
        Scope::Hand,
        Word::Count,
        "tiles of a class",
    ),
    fact(
        "kinds(CLASS)",
        "int",
        Scope::Hand,
        Word::Kinds,
        "different kinds of a class that the hand has tiles of",
    ),
    fact(
        "kinds-held(NUMBER, CLASS)",
        "int",
        Scope::Hand,
        Word::KindsHeld,
        "different kinds of a class of which the hand has just so many tiles, those of kongs left out",
    ),
    fact(
        "naturals-held(NUMBER, CLASS)",
        "int",
        Scope::Hand,
        Word::NaturalsHeld,
        "different kinds of a class of which the hand has just so many concealed tiles, whatever its wild tiles stand for",
    ),
    fact(
        "wilds",
        "int",
        Scope::Hand,
        Word::Wilds,
        "wild tiles of the hand and its melds",
    ),
    fact(
        "waits-for-all",
        "bool",
        Scope::Hand,
        Word::WaitsForAll,
        "every kind of which the hand does not hold all copies completes it",
    ),
    fact(
        "waits",
        "int",
        Scope::Hand,
        Word::Waits,
        "kinds that would complete the winner's other tiles, those left out of which hand and melds hold every copy",
    ),
    fact(
        "shape-waits",
        "int",
        Scope::Hand,
        Word::ShapeWaits,
        "kinds that would complete the winner's other tiles, even those of which hand and melds hold every copy",
    ),
    fact(
        "winning-group is FAMILY",
        "family",
        Scope::Hand,
        Word::WinningGroup,
        "the family of the group that the last tile completed",
    ),
    fact(
        "winning-place is PLACE",
        "place",
        Scope::Hand,
        Word::WinningPlace,
        "where the last tile stands in a run: `low`, `middle`, `high`",
    ),
    fact(
        "winning-tile in CLASS",
        "tile",
        Scope::Hand,
        Word::WinningTile,
        "the last tile is of a class, or one tile",
    ),
    fact(
        "form is FORM",
        "form",
        Scope::Hand,
        Word::Form,
        "the form of the arrangement: `standard` or one of `[forms]`",
    ),
    fact(
        "visible-copies",
        "int",
        Scope::Table,
        Word::VisibleCopies,
        "other copies of the winning tile that everybody sees: discards, open melds, indicators",
    ),
    fact(
        "draws-left",
        "int",
        Scope::Table,
        Word::DrawsLeft,
        "ordinary draws left in the wall",
    ),
    fact(
        "discards",
        "int",
        Scope::Table,
        Word::Discards,
        "tiles discarded in the deal, claimed ones included",
    ),
    fact(
        "kongs",
        "int",
        Scope::Table,
        Word::Kongs,
        "kongs made in the deal",
    ),
    fact(
        "replaced-kong",
        "bool",
        Scope::Table,
        Word::ReplacedKong,
        "the last tile was drawn for a kong",
    ),
    fact(
        "kong-discard",
        "bool",
        Scope::Table,
        Word::KongDiscard,
        "the tile was discarded by a player who had just drawn for a kong",
    ),
    fact(
        "replaced-flower",
        "bool",
        Scope::Table,
        Word::ReplacedFlower,
        "the last tile was drawn for a flower",
    ),
    fact(
        "replaced-set-aside",
        "bool",
        Scope::Table,
        Word::ReplacedSetAside,
        "the winning tile was drawn for a tile that was set aside",
    ),
    fact(
        "tiles-set-aside",
        "int",
        Scope::Table,
        Word::TilesSetAside,
        "how many tiles all players have set aside in the deal",
    ),
    fact(
        "robbed-concealed",
        "bool",
        Scope::Table,
        Word::RobbedConcealed,
        "the robbed kong is a concealed one",
    ),
    fact(
        "stands",
        "bool",
        Scope::Table,
        Word::Stands,
        "the winner has announced a standing hand",
    ),
    fact(
        "in-riichi",
        "bool",
        Scope::Table,
        Word::InRiichi,
        "the winner is in riichi",
    ),
    fact(
        "riichi-at-once",
        "bool",
        Scope::Table,
        Word::RiichiAtOnce,
        "his riichi came with his first discard, nothing having been claimed and no kong made",
    ),
    fact(
        "riichi-unbroken",
        "bool",
        Scope::Table,
        Word::RiichiUnbroken,
        "since his riichi no kong was made, nothing claimed, and he has not discarded again",
    ),
    fact(
        "has-discarded",
        "bool",
        Scope::Table,
        Word::HasDiscarded,
        "the winner has discarded in the deal",
    ),
    fact(
        "claims",
        "int",
        Scope::Table,
        Word::Claims,
        "discards claimed for melds in the deal",
    ),
    fact(
        "dealer-wins",
        "int",
        Scope::Table,
        Word::DealerWins,
        "deals that the dealer has won in a row before this one",
    ),
    fact(
        "won-on-flower",
        "bool",
        Scope::Circumstances,
        Word::WonOnFlower,
        "the last tile is a flower that was laid down",
    ),
    fact(
        "kongs-in-row",
        "int",
        Scope::Circumstances,
        Word::KongsInRow,
        "kongs made one after another in the turn, each with the replacement of the one before, up to a last tile drawn for the last of them; else 0",
    ),
    fact(
        "set-aside",
        "int",
        Scope::Melds,
        Word::SetAside,
        "tiles that the player has set aside",
    ),
    fact(
        "laid-flowers",
        "int",
        Scope::Hand,
        Word::LaidFlowers,
        "flowers laid down, without one that is won on",
    ),
    fact(
        "flower-sets",
        "int",
        Scope::Hand,
        Word::FlowerSets,
        "complete sets of four: seasons, plants, animals, faces",
    ),
    fact(
        "bonus-tiles",
        "int",
        Scope::Hand,
        Word::BonusTiles,
        "for each indicator that lies face up, the tiles in hand and melds like it",
    ),
    fact(
        "twin-melds",
        "int",
        Scope::Hand,
        Word::TwinMelds,
        "twos of identical groups, pairs left out; four alike are two twos",
    ),
    fact(
        "same-step-ariths",
        "int",
        Scope::Hand,
        Word::SameStepAriths,
        "the most ariths that share one difference",
    ),
    fact(
        "dora",
        "int",
        Scope::Hand,
        Word::Dora,
        "for each indicator that lies face up, the tiles in hand and melds of the kind after it",
    ),
    fact(
        "ura-dora",
        "int",
        Scope::Hand,
        Word::UraDora,
        "the same for each indicator under those",
    ),
    fact(
        "red-fives",
        "int",
        Scope::Hand,
        Word::RedFives,
        "red fives in hand and melds, the last tile included",
    ),
    fact(
        "winning-copies",
        "int",
        Scope::Hand,
        Word::WinningCopies,
        "tiles like the last one, it included",
    ),
    fact(
        "groups-with(CLASS)",
        "int",
        Scope::Hand,
        Word::GroupsWith,
        "groups that have a tile of a class, the pair included",
    ),
    fact(
        "has-groups(GROUPS)",
        "bool",
        Scope::Hand,
        Word::HasGroups,
        "the hand has these groups: families, one rank or three, and a suit each, as in `chow r a, chow r+1 b`; \
         a letter is any rank or suit, and different letters are different suits",
    ),
    fact(
        "same-run-in-suits",
        "int",
        Scope::Hand,
        Word::SameRunInSuits,
        "the most suits that have the same run",
    ),
    fact(
        "same-pung-in-suits",
        "int",
        Scope::Hand,
        Word::SamePungInSuits,
        "the most suits that have a pung or kong of the same rank",
    ),
    fact(
        "wins",
        "bool",
        Scope::Result,
        Word::Result(ResultFact::Wins),
        "the hand is worth enough to win",
    ),
    fact(
        "minimum",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Minimum),
        "what the ruleset asks of a hand: fan to exceed, doubles or han to reach",
    ),
    fact(
        "points",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Points),
        "points before settlement; none for a hand that is not worth enough",
    ),
    fact(
        "fan",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Fan),
        "fan; more than any number for a hand that counts in limits",
    ),
    fact(
        "doubles",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Doubles),
        "doubles; more than any number for a limit hand",
    ),
    fact(
        "base",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Base),
        "points before they are doubled",
    ),
    fact(
        "han",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Han),
        "han; more than any number for a limit hand",
    ),
    fact(
        "fu",
        "decimal",
        Scope::Result,
        Word::Result(ResultFact::Fu),
        "fu",
    ),
];

impl FactDoc {
    /// The name of the fact.
    pub fn name(&self) -> &'static str {
        self.usage.split(['(', ' ']).next().unwrap_or(self.usage)
    }
}

pub(crate) fn by_name(name: &str) -> Option<&'static FactDoc> {
    FACTS.iter().find(|fact| fact.name() == name)
}

/// True when there is a fact of this name.
pub(crate) fn is_name(name: &str) -> bool {
    by_name(name).is_some()
}
