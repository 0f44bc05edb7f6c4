//! The parts of the documentation of a fact: scope, type, arguments.

/// Where a condition is evaluated. This decides which facts it may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Scope {
    /// Before play: the options and the number of players.
    Options,
    /// A win without its tiles: who won, how, and the flags.
    Circumstances,
    /// Circumstances, and the declared melds.
    Melds,
    /// A win at the table: circumstances, declared melds, and what happened in the deal.
    Table,
    /// A claim of a discard for a meld: circumstances, and the declared melds.
    Claim,
    /// The tiles of a hand, however they are read.
    Held,
    /// A hand to be scored: circumstances, melds and tiles in one reading.
    Hand,
    /// The sums of the patterns that count, and the circumstances of the win. The formulas of `[score]` and the minimum
    /// of `[win]` use them.
    Sums,
    /// The result of a scored hand. Invariants and payments use it.
    Result,
    /// A payment, who is paid, and who pays. Of a win it knows the winner's hand in the reading that counts, of all other
    /// hands what needs no reading.
    Payment,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 10] = [
        Self::Options,
        Self::Circumstances,
        Self::Melds,
        Self::Table,
        Self::Claim,
        Self::Held,
        Self::Hand,
        Self::Sums,
        Self::Result,
        Self::Payment,
    ];

    /// What facts of this scope are about.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Options => "the game before play",
            Self::Circumstances => "a win, whatever its tiles are",
            Self::Melds => "declared melds",
            Self::Table => "the deal at the table, where flags are set",
            Self::Claim => "a claim of a discard for a meld",
            Self::Held => "the tiles of a hand",
            Self::Hand => "a hand with its tiles, where patterns are evaluated",
            Self::Sums => "the sums of patterns, where they become points",
            Self::Result => "the result of a hand, where invariants are checked",
            Self::Payment => "a payment, who is paid, and who pays",
        }
    }

    /// True when a condition of this scope may use a fact of scope `fact`.
    pub const fn knows(self, fact: Self) -> bool {
        match fact {
            Self::Options => true,
            Self::Circumstances => !matches!(self, Self::Options | Self::Result),
            Self::Melds => !matches!(
                self,
                Self::Options | Self::Sums | Self::Result | Self::Circumstances
            ),
            Self::Table => matches!(self, Self::Table | Self::Payment),
            Self::Claim => matches!(self, Self::Claim),
            Self::Held => matches!(self, Self::Claim | Self::Held | Self::Hand | Self::Payment),
            Self::Hand => matches!(self, Self::Claim | Self::Hand | Self::Payment),
            Self::Sums => matches!(self, Self::Sums),
            Self::Result => matches!(self, Self::Result | Self::Payment),
            Self::Payment => matches!(self, Self::Payment),
        }
    }
}

/// The type of a fact or of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FactType {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A number with one decimal place.
    Decimal,
}

impl FactType {
    /// The type in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bool => "true or false",
            Self::Int => "a number",
            Self::Decimal => "a number with one decimal place",
        }
    }
}

/// How a fact is written with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Form {
    /// `NAME`, without arguments.
    Alone,
    /// `NAME(ARGUMENT, …)`.
    Of,
    /// `NAME is ARGUMENT` or `NAME is not ARGUMENT`.
    Is,
    /// `NAME in ARGUMENT`.
    In,
}

/// What an argument of a fact may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Argument {
    /// A class of tiles.
    Class,
    /// Families of groups.
    Families,
    /// Whether groups are open. Optional.
    Side,
    /// A number of tiles.
    Copies,
    /// A class of bonus tiles.
    Bonus,
    /// Whether only tiles laid aside count. Optional.
    Laid,
    /// What a drawn tile replaces.
    Replaced,
    /// A list of groups.
    Groups,
    /// The way to win.
    Way,
    /// A seat.
    Seat,
    /// A wind.
    Wind,
    /// A family of groups.
    Family,
    /// A place in a run.
    Place,
    /// A form of complete hands.
    Shape,
    /// The way in which a kong was made.
    Kong,
    /// Tiles turned face up from the wall.
    Turned,
    /// From whom ranks are counted. Optional.
    Counted,
    /// A step before the first turn.
    Step,
}

impl Argument {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Class,
        Self::Families,
        Self::Side,
        Self::Copies,
        Self::Bonus,
        Self::Laid,
        Self::Replaced,
        Self::Groups,
        Self::Way,
        Self::Seat,
        Self::Wind,
        Self::Family,
        Self::Place,
        Self::Shape,
        Self::Kong,
        Self::Turned,
        Self::Counted,
        Self::Step,
    ];

    /// The placeholder in the usage of a fact, and what may be written there.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Class => (
                "CLASS",
                "classes of `[tiles.classes]` and tiles joined by `|`, such as `dragon|19t`, and after `except` those to leave out; `any` is every tile, `seat-wind` and `round-wind` are the winds of the seat and the round",
            ),
            Self::Families => (
                "FAMILIES",
                "`pair`, `pung`, `kong`, `arith`, `gem`, `power`, `quint`, `sextet`, joined by `|`, or `any`; also the name of a meld such as `chow`, if no other meld has its family",
            ),
            Self::Side => ("SIDE", "`open` or `concealed`; optional"),
            Self::Copies => ("NUMBER", "a number of tiles from 1 to 8"),
            Self::Bonus => (
                "BONUS",
                "classes of `[tiles.classes]` and tiles joined by `|`, and after `except` those to leave out; `any` is every tile, `flower` every flower, `own-flower` those that `[aside]` gives to the seat",
            ),
            Self::Laid => (
                "LAID",
                "`laid`: only tiles laid aside, none that are still held; optional",
            ),
            Self::Replaced => ("REPLACED", "`kong`, or a row of `[aside]`"),
            Self::Groups => (
                "GROUPS",
                "groups, each with its families, one rank or three with spaces between them, and a suit, as in `chow r a, chow r+1 b` or `chow 1 2 3 a`. A letter matches any rank or suit, and different letters for suits are different suits",
            ),
            Self::Way => (
                "WAY",
                "`wall`, `replacement`, `discard`, `robbed-kong` or `turned`",
            ),
            Self::Seat => ("SEAT", "`E`, `S`, `W`, `N`, `5` or `6`"),
            Self::Wind => ("WIND", "`E`, `S`, `W` or `N`"),
            Self::Family => ("FAMILY", "one of FAMILIES"),
            Self::Place => ("PLACE", "`low`, `middle` or `high`"),
            Self::Shape => ("FORM", "`standard` or one of `[forms]`"),
            Self::Kong => ("KONG", "`concealed`, `claimed` or `added`"),
            Self::Turned => ("TURNED", "a row of `[turned]`"),
            Self::Counted => (
                "FROM",
                "`dealer`, or `giver`, the seat that gave the tile; without it the winner; optional",
            ),
            Self::Step => ("STEP", "a step of `[opening]`"),
        }
    }

    /// The placeholder in [the usage of a fact](super::FactDoc::usage).
    pub const fn placeholder(self) -> &'static str {
        self.words().0
    }

    /// What may be written in its place.
    pub const fn doc(self) -> &'static str {
        self.words().1
    }
}
