//! [`Action`]: what a player does.

use crate::meld::{Group, Meld};
use crate::notation::Notation;
use crate::seat::Seat;
use crate::text::ParseError;
use crate::tile::{Kind, Rank, Suit, Tile};
use std::fmt;
use std::str::FromStr;

/// What a player does when it decides.
///
/// [`Display`](fmt::Display) writes an action in the words of the log, with tiles in `ujmj` notation, and [`FromStr`]
/// reads it again. [`Plan::describe`](crate::Plan::describe) puts it in words for people.
///
/// ```
/// use paishan::state::Action;
/// let chow: Action = "chi 4tR6t".parse()?;
/// assert_eq!(chow.to_string(), "chi 4R6t");
/// # Ok::<(), paishan::ParseError>(())
/// ```
///
/// | words | action |
/// | --- | --- |
/// | `none` | [`Pass`](Self::Pass) |
/// | `hora` | [`Win`](Self::Win) |
/// | `declare` | [`Stand`](Self::Stand) |
/// | `reach` | [`Riichi`](Self::Riichi) |
/// | `ryukyoku` | [`NineOrphans`](Self::NineOrphans) |
/// | `end` | [`EndMatch`](Self::EndMatch) |
/// | `penalty` | [`FalseWin`](Self::FalseWin) |
/// | `challenge` | [`Challenge`](Self::Challenge) |
/// | `nukidora N` | [`Aside`](Self::Aside) |
/// | `chi 456t`, `pon 555t`, `daiminkan 5555t`, `daiminkan J5555t` | [`Claim`](Self::Claim) |
/// | `ankan 5t` | [`ConcealedKong`](Self::ConcealedKong) |
/// | `kakan 5t` | [`AddedKong`](Self::AddedKong) |
/// | `swap 4J6t` | [`Swap`](Self::Swap) |
/// | `lay 456t` | [`Lay`](Self::Lay) |
/// | `exchange 5t` | [`Exchange`](Self::Exchange) |
/// | `missing t` | [`Missing`](Self::Missing) |
/// | `show` | [`Show`](Self::Show) |
/// | `dahai 5t`, `dahai 5t tsumogiri` | [`Discard`](Self::Discard) |
// Aligned, so that it is copied as one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(4))]
#[non_exhaustive]
pub enum Action {
    /// Claim nothing.
    Pass,
    /// Win with a tile that was drawn, discarded, robbed or laid down as a flower.
    Win,
    /// Announce a standing hand. The first discard comes with it.
    Stand,
    /// Declare riichi. The next discard comes with it.
    Riichi,
    /// Declare a draw because of nine different orphans in the first turn.
    NineOrphans,
    /// End the match after the last deal, as a leading dealer may. To pass is to play on.
    EndMatch,
    /// Declare a win without a winning hand. It costs a penalty.
    FalseWin,
    /// Demand to see a kong that lies face down.
    Challenge,
    /// Lay a bonus tile beside the hand, for a replacement.
    Aside(Kind),
    /// Claim a discard for a run, a pung, a kong or a larger group. The discard is a plain tile of the group. The red fives
    /// are those beside it.
    Claim(MeldTiles),
    /// Declare a concealed kong of four concealed tiles.
    ConcealedKong(Kind),
    /// Add a fourth tile to a pung on the table.
    AddedKong(Kind),
    /// Put a concealed tile in the place of the first wild tile in a meld of these tiles, and take the wild tile. Of several like
    /// melds it is the first of the [nearest seat](crate::state::View::swap_owner), the seat itself first.
    Swap(MeldTiles),
    /// Lay three concealed tiles down as a concealed run or pung.
    Lay(Group),
    /// Choose a tile to pass on before the first turn. A seat chooses its tiles one after another, in tile order.
    Exchange(Kind),
    /// Choose the suit that the hand will do without.
    Missing(Suit),
    /// Show the hand before the first turn.
    Show,
    /// Discard a tile.
    Discard {
        /// The tile.
        tile: Tile,
        /// True for the tile just drawn, false for a like tile that was held before.
        drawn: bool,
    },
}

const _: () = assert!(size_of::<Option<Action>>() <= 8);

/// The tiles of a meld: its group, and which of them are red fives or jokers.
///
/// ```
/// use paishan::state::MeldTiles;
/// let run: MeldTiles = "4tJ6t".parse()?;
/// assert_eq!(run.group().to_string(), "456t");
/// assert_eq!(run.jokers(), 1);
/// # Ok::<(), paishan::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MeldTiles {
    group: Group,
    reds: u8,
    /// The places of jokers, as [`Meld`] has them.
    wild: u8,
}

impl From<Group> for MeldTiles {
    /// Plain tiles.
    fn from(group: Group) -> Self {
        let (reds, wild) = (0, 0);
        Self { group, reds, wild }
    }
}

impl From<&Meld> for MeldTiles {
    fn from(meld: &Meld) -> Self {
        let Meld {
            group, reds, wild, ..
        } = *meld;
        Self { group, reds, wild }
    }
}

impl MeldTiles {
    /// Returns the same tiles with `reds` red fives among them. `None` if the group has fewer fives.
    pub fn with_reds(self, reds: u8) -> Option<Self> {
        let tiles = Self { reds, ..self };
        (reds == 0 || tiles.concealed().check().is_ok()).then_some(tiles)
    }

    /// The same tiles with jokers in these places, one bit each.
    pub(crate) const fn with_wild(self, wild: u8) -> Self {
        Self { wild, ..self }
    }

    /// The places of jokers, one bit each.
    pub(crate) const fn wild(self) -> u8 {
        self.wild
    }

    /// The group. A joker counts as the kind that it replaces.
    #[inline]
    pub const fn group(self) -> Group {
        self.group
    }

    /// How many of the tiles are red fives. In a claim the discard does not count.
    #[inline]
    pub const fn reds(self) -> u8 {
        self.reds
    }

    /// How many of the tiles are jokers.
    #[inline]
    pub const fn jokers(self) -> u8 {
        self.wild.count_ones() as u8
    }

    /// The kind that the first joker replaces. `None` without jokers.
    pub fn joker_stands_for(self) -> Option<Kind> {
        self.concealed().joker_stands_for()
    }

    #[inline]
    const fn concealed(self) -> Meld {
        Meld {
            reds: self.reds,
            wild: self.wild,
            ..Meld::of_own(self.group)
        }
    }

    /// The meld that a claim makes with a discard.
    #[inline]
    pub(crate) fn claimed(self, discard: Tile, from: Seat) -> Meld {
        let plain = Meld::of_claimed(self.group, discard, from);
        Meld {
            reds: plain.reds + self.reds,
            wild: self.wild,
            ..plain
        }
    }

    /// The tiles, red fives before plain ones, each joker in the place of the kind that it replaces.
    pub(crate) fn tiles(self) -> impl Iterator<Item = Tile> {
        self.concealed().tiles()
    }

    /// The tiles that go beside a claimed one, red fives first.
    pub(crate) fn beside(self, claimed: Kind) -> impl Iterator<Item = Tile> {
        let mut reds = self.reds;
        let own = self.concealed().beside(Some(claimed));
        own.map(move |kind| match (kind.suit(), kind.rank()) {
            (Some(suit), Some(Rank::FIVE)) if reds > 0 => {
                reds -= 1;
                Tile::red_five(suit)
            }
            _ => kind.into(),
        })
    }
}

impl fmt::Display for MeldTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.reds, self.wild) {
            (0, 0) => self.group.fmt(f),
            _ => f.write_str(&Notation::Ujmj.print(self.tiles())),
        }
    }
}

impl FromStr for MeldTiles {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let group = text.parse::<Group>().map(Self::from).ok();
            let Ok(tiles) = Notation::Ujmj.parse(text) else {
                return group;
            };
            let reds = tiles.iter().filter(|tile| tile.is_red()).count() as u8;
            match group {
                Some(group) => Some(Self { reds, ..group }),
                None => {
                    let (group, wild) = Meld::with_jokers(&tiles)?;
                    Some(Self { group, reds, wild })
                }
            }
        };
        let is_meld = |tiles: &Self| tiles.group.len() > 2;
        let tiles = read().filter(is_meld);
        tiles.ok_or_else(|| ParseError::new("meld", text))
    }
}

/// The actions that are a word alone.
pub(crate) const WORDS: [(Action, &str); 8] = [
    (Action::Pass, "none"),
    (Action::Win, "hora"),
    (Action::Stand, "declare"),
    (Action::Riichi, "reach"),
    (Action::NineOrphans, "ryukyoku"),
    (Action::Challenge, "challenge"),
    (Action::EndMatch, "end"),
    (Action::FalseWin, "penalty"),
];

/// The word of [`Action::Show`]. It is not among [`WORDS`], which every ruleset numbers.
const SHOW: &str = "show";

impl Action {
    /// A claim with plain tiles beside the discard.
    ///
    /// ```
    /// use paishan::state::Action;
    /// use paishan::{Group, Kind};
    /// assert_eq!(Action::claim(Group::pung(Kind::EAST)).to_string(), "pon EEE");
    /// ```
    pub fn claim(group: Group) -> Self {
        Self::Claim(group.into())
    }
}

/// The word of an action that is a word alone.
fn word(action: Action) -> &'static str {
    let row = WORDS.into_iter().find(|(word, _)| *word == action);
    row.unwrap_or(WORDS[0]).1
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::meld::Family::{Kong, Pung, Quint, Sextet};
        match *self {
            Self::Claim(tiles) => match tiles.group().family() {
                Kong | Quint | Sextet => write!(f, "daiminkan {tiles}"),
                Pung => write!(f, "pon {tiles}"),
                _ => write!(f, "chi {tiles}"),
            },
            Self::Aside(kind) => write!(f, "nukidora {kind}"),
            Self::ConcealedKong(kind) => write!(f, "ankan {kind}"),
            Self::AddedKong(kind) => write!(f, "kakan {kind}"),
            Self::Swap(tiles) => write!(f, "swap {tiles}"),
            Self::Lay(group) => write!(f, "lay {group}"),
            Self::Exchange(kind) => write!(f, "exchange {kind}"),
            Self::Missing(suit) => write!(f, "missing {suit}"),
            Self::Show => f.write_str(SHOW),
            Self::Discard { tile, drawn: false } => write!(f, "dahai {tile}"),
            Self::Discard { tile, drawn: true } => write!(f, "dahai {tile} tsumogiri"),
            word => f.write_str(self::word(word)),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut words = text.split(' ');
        let read = || -> Option<Self> {
            let word = words.next()?;
            let Some(what) = words.next() else {
                let mut all = WORDS.into_iter().chain([(Action::Show, SHOW)]);
                return all.find(|(_, own)| *own == word).map(|(action, _)| action);
            };
            let drawn = match (word, words.next()) {
                (_, None) => false,
                ("dahai", Some("tsumogiri")) => true,
                _ => return None,
            };
            let group = || what.parse::<Group>().ok();
            let kind = || what.parse::<Kind>().ok();
            let action = match word {
                "daiminkan" | "pon" | "chi" => Self::Claim(what.parse().ok()?),
                "nukidora" => Self::Aside(kind()?),
                "ankan" => Self::ConcealedKong(kind()?),
                "kakan" => Self::AddedKong(kind()?),
                "swap" => Self::Swap(what.parse().ok()?),
                "lay" => Self::Lay(group()?),
                "exchange" => Self::Exchange(kind()?),
                "missing" => Self::Missing(what.parse().ok()?),
                "dahai" => Self::Discard {
                    tile: what.parse().ok()?,
                    drawn,
                },
                _ => return None,
            };
            // A word beside another group, and a pair, are no action.
            let is_word = action.to_string().split(' ').next() == Some(word);
            let is_meld = |group: Group| group.len() > 2;
            let is_possible = match action {
                Self::Claim(tiles) => is_meld(tiles.group()),
                Self::Swap(tiles) => is_meld(tiles.group()) && tiles.jokers() > 0,
                Self::Lay(group) => group.len() == 3,
                _ => true,
            };
            (is_word && is_possible && words.next().is_none()).then_some(action)
        };
        let mut read = read;
        read().ok_or_else(|| ParseError::new("action", text))
    }
}

#[cfg(feature = "serde")]
use crate::text::as_text;

#[cfg(feature = "serde")]
as_text! {
    Action: "an action in the words of the log",
    MeldTiles: "three to six tiles of one group in ujmj notation",
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind of action is written and read again.
    #[test]
    fn actions_are_parsed_as_they_are_printed() {
        let texts = [
            "none",
            "hora",
            "declare",
            "reach",
            "ryukyoku",
            "challenge",
            "nukidora N",
            "nukidora J",
            "end",
            "penalty",
            "chi 456t",
            "chi 014s",
            "chi 4R6t",
            "chi 4tJ6t",
            "chi J56t",
            "chi 9xas",
            "pon CCC",
            "pon R55m",
            "pon J55m",
            "pon JJE",
            "daiminkan 5555m",
            "daiminkan R555m",
            "daiminkan J5555m",
            "daiminkan JJJEEE",
            "ankan 5m",
            "kakan E",
            "swap 4tJ6t",
            "swap JEE",
            "swap JJEEE",
            "lay 456t",
            "lay 555t",
            "exchange 1t",
            "missing m",
            "show",
            "dahai E",
            "dahai Rt tsumogiri",
        ];
        for text in texts {
            let action: Action = text.parse().unwrap_or_else(|error| panic!("{error}"));
            let again: Action = action.to_string().parse().unwrap();
            assert_eq!(action, again, "{text} is written {action}");
        }
        for text in [
            "",
            "pass",
            "chi",
            "chi 555t",
            "pon 456t",
            "chi 45t",
            "ankan 55t",
            "dahai",
            "dahai 5t drawn",
            "dahai 5t tsumogiri tsumogiri",
            "hora 5t",
            "nukidora",
            "missing E",
            "lay 5555t",
            "pon 55555t",
            "daiminkan 5555555t",
            "swap 456t",
            "none ",
        ] {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_claim_takes_its_tiles_from_the_hand() {
        let beside = |tiles: &str, claimed: Kind| {
            let tiles: MeldTiles = tiles.parse().unwrap();
            Notation::Ujmj.print(tiles.beside(claimed))
        };
        assert_eq!(beside("4R6t", Kind::at(0, 3)), "R6t");
        assert_eq!(beside("R55t", Kind::at(0, 4)), "R5t");
        assert_eq!(beside("4tJ6t", Kind::at(0, 3)), "J6t");
        let kong: MeldTiles = "R555t".parse().unwrap();
        assert_eq!(kong.claimed(Kind::at(0, 4).into(), Seat::EAST).reds, 1);
        assert_eq!(kong.with_reds(2).map(MeldTiles::reds), Some(2));
        assert_eq!(kong.with_reds(5), None);
        assert_eq!(MeldTiles::from(Group::pung(Kind::EAST)).with_reds(1), None);
    }
}
