//! [`PlayRules`]: what players may do on their turns and with discards.

use crate::aside::AsideId;
use crate::decompose::WildCopies;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::score::{ChowFrom, FamilySet};
use crate::set::{FlowerSet, KindSet};
use crate::state::Action;
use crate::tile::{Face, Kind, Tile};
use crate::tile_set::TileSet;

/// When dealt bonus tiles are laid aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DealtAside {
    /// By each player at the start of his first turn, before he draws.
    OwnTurn,
    /// By each player in his first turn, after he has drawn or claimed. He lays down all that he holds in
    /// tile order, then those that he draws instead.
    AfterDraw,
    /// By all, the dealer first, before the first draw.
    BeforePlay,
}

/// The most rows of `[aside]`.
pub(crate) const MAX_ASIDE: usize = 8;

/// Tiles that are laid beside the hand, each for a replacement: `[aside.ID]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct AsideRow {
    /// The flowers.
    pub flowers: FlowerSet,
    /// The kinds.
    pub kinds: KindSet,
    /// A player chooses on the turn whether to lay a tile aside. Otherwise it is laid at once.
    pub by_choice: bool,
    /// Other players may win on a tile that is laid aside as on a discard.
    pub rob: bool,
}

/// All tiles that are laid beside the hand: `[aside]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct AsideRules {
    rows: List<AsideRow, MAX_ASIDE>,
    /// When dealt tiles that must be laid aside are.
    pub dealt: DealtAside,
    by_choice: KindSet,
    forced: KindSet,
}

impl AsideRules {
    /// Rules of these rows, at most [`MAX_ASIDE`].
    pub(crate) fn new(rows: &[AsideRow], dealt: DealtAside) -> Self {
        let kinds = |by_choice: bool| {
            let rows = rows.iter().filter(|row| row.by_choice == by_choice);
            rows.fold(KindSet::EMPTY, |all, row| all.union(row.kinds))
        };
        Self {
            rows: List::first_of(rows.iter().copied()),
            dealt,
            by_choice: kinds(true),
            forced: kinds(false),
        }
    }

    /// The rows, in the order of the file. An [`AsideId`] is an index of them.
    pub fn rows(&self) -> &[AsideRow] {
        &self.rows
    }

    /// All flowers.
    pub fn flowers(&self) -> FlowerSet {
        let flowers = self.rows.iter().map(|row| row.flowers);
        flowers.fold(FlowerSet::EMPTY, FlowerSet::union)
    }

    /// The kinds that a player may lay aside on the turn.
    #[inline]
    pub const fn by_choice(&self) -> KindSet {
        self.by_choice
    }

    /// The kinds that must be laid aside. They are in no hand that decides.
    #[inline]
    pub const fn forced(&self) -> KindSet {
        self.forced
    }

    /// True for a tile that must be laid aside.
    pub fn must_lay(&self, tile: Tile) -> bool {
        tile.kind().is_none_or(|kind| self.forced.contains(kind))
    }

    /// The kinds that are laid aside, by choice or not.
    pub fn kinds(&self) -> KindSet {
        self.by_choice.union(self.forced)
    }

    /// The row that a tile belongs to.
    pub fn row_of(&self, tile: Tile) -> Option<(AsideId, &AsideRow)> {
        let has = |row: &AsideRow| match tile.face() {
            Face::Flower(flower) => row.flowers.contains(flower),
            Face::Plain(kind) => row.kinds.contains(kind),
            Face::RedFive(_) => false,
        };
        let place = self.rows.iter().position(has)?;
        Some((AsideId::at(place), &self.rows[place]))
    }
}

/// Who wins if several seats could win on a discard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Winners {
    /// The first in turn order after the discarder, alone.
    Nearest,
    /// All of these seats.
    All,
    /// No seat: the deal is drawn.
    Nobody,
}

/// When the indicator of a kong is turned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IndicatorTurn {
    /// Not at all.
    Never,
    /// Before its replacement is drawn.
    AtOnce,
    /// After its replacement was drawn.
    AfterReplacement,
    /// With the next discard. A win with the replacement, or another kong, turns it earlier.
    AfterDiscard,
}

/// The pungs on the table that become a kong with a tile of the player's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AddedTo {
    /// None.
    None,
    /// A pung laid down concealed.
    Laid,
    /// A pung made with a claimed tile.
    Claimed,
}

/// Whether kongs may be declared in a turn that began with a claimed pung or run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KongAfterClaim {
    /// Not at all.
    Never,
    /// Once a tile was drawn to replace a bonus tile.
    AfterReplacement,
    /// At once.
    Always,
}

/// What may be done in a turn and with a discard: `[turn]`, `[claims]`, `[kongs]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PlayRules {
    /// Families of concealed melds that a player may lay down on his turn.
    pub lay_down: FamilySet,
    /// Each claim with its rank. The highest rank goes first; a claim of rank 0 is not named.
    pub precedence: [ClaimRank; ClaimKind::WORDS.len()],
    /// Who wins if several seats could win on a discard.
    pub winners: Winners,
    /// Who wins if exactly two seats could, and if three or more could.
    pub several_winners: [Winners; 2],
    /// Whose discard may be claimed for a chow.
    pub chow_from: ChowFrom,
    /// A player who laid down a concealed pung may claim the fourth tile for a kong.
    pub claimed_kong_on_laid: bool,
    /// The pungs that may take a fourth tile of the player's own.
    pub added_to: AddedTo,
    /// A kong draws a replacement. Otherwise it takes four tiles of the hand and is only claimed, and so are larger groups.
    pub kong_replacement: bool,
    /// Concealed kongs lie face down.
    pub hidden_kongs: bool,
    /// Players may win on a tile added to a pung.
    pub rob_added: bool,
    /// Players may win on a tile of a concealed kong, if the flags of the win allow it.
    pub rob_concealed: bool,
    /// The index of the only form that may rob a concealed kong. `None` means any form.
    pub rob_concealed_form: Option<usize>,
    /// When the indicators of concealed, claimed and added kongs are turned.
    pub indicator_turns: [IndicatorTurn; 3],
    /// A win with a replacement first turns the indicators that the discard would turn.
    pub replacement_win_turns: bool,
    /// Indicators under the face-up ones (ura) count for some winners.
    pub ura: bool,
    /// Ura indicators of kongs count, too.
    pub kong_ura: bool,
    /// Whether kongs may be declared in a turn that began with a claimed pung or run.
    pub kong_after_claim: KongAfterClaim,
    /// The most kongs of a deal. `None` if only replacements limit them.
    pub most_kongs: Option<u8>,
    /// A kong takes only a tile that was just drawn as its fourth.
    pub added_when_drawn: bool,
    /// The tiles that stand for others.
    pub wild: WildRules,
    /// The tiles that are laid beside the hand, each for a replacement.
    pub aside: AsideRules,
    /// The replacement of a bonus tile that was drawn for a kong also counts as drawn for the kong.
    pub kong_through_aside: bool,
    /// A discard after which no player can draw may only be claimed for a win.
    pub last_discard_wins_only: bool,
    /// Play goes on after a win, until one player is left or the wall is used up.
    pub plays_on: bool,
    pub(crate) turned: List<TurnedRow, MAX_TURNED_ROWS>,
}

/// Tiles that stand for others: `[wild.ID]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct WildRules {
    /// The wild kinds of every deal.
    pub kinds: KindSet,
    /// The kind that a turned tile points to is wild, too.
    pub turned: Option<WildStep>,
    /// How many copies of a kind a complete hand may have.
    pub copies: WildCopies,
    /// How many tiles of a claimed meld may be wild.
    pub claimed: WildClaims,
    /// On the turn a player may put a tile in the place of a wild tile of a claimed meld, which goes to the hand.
    pub swap: WildSwap,
    /// A player may also do so in a turn that began with a claim.
    pub swap_after_claim: bool,
    /// A player may discard wild tiles. Otherwise only one who holds nothing else does.
    pub discard: bool,
}

/// The claimed melds out of which a player may take wild tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum WildSwap {
    /// None.
    #[default]
    Never,
    /// The player's own.
    Own,
    /// Those of every player who is in play.
    Any,
}

impl WildSwap {
    /// The melds of how many players, from the player on turn onwards, at a table of `players`.
    pub(crate) const fn owners(self, players: usize) -> usize {
        match self {
            Self::Never => 0,
            Self::Own => 1,
            Self::Any => players,
        }
    }
}

/// The wild kind of a deal in which a tile is turned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum WildStep {
    /// The kind of the turned tile.
    Itself,
    /// The [next kind](TileSet::indicated).
    Next,
}

impl WildRules {
    /// The wild kinds of a deal in which a tile of this kind is turned.
    pub fn kinds_with(&self, turned: Kind, tiles: &TileSet) -> KindSet {
        let mut kinds = self.kinds;
        match self.turned {
            None => {}
            Some(WildStep::Itself) => kinds.insert(turned),
            Some(WildStep::Next) => kinds.insert(tiles.indicated(turned)),
        }
        kinds
    }

    /// Returns the kinds among `held`, the kinds of a hand, that a player may discard. `wild` are the wild kinds of the deal.
    pub(crate) fn discardable(&self, held: KindSet, wild: KindSet) -> KindSet {
        let natural = held.difference(wild);
        match self.discard || natural.is_empty() {
            true => held,
            false => natural,
        }
    }
}

/// The most wild tiles beside a claimed tile, by what it is claimed for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct WildClaims {
    /// In a pung: 0 to 2.
    pub pung: u8,
    /// In a kong: 0 to 3.
    pub kong: u8,
    /// In a quint: 0 to 4.
    pub quint: u8,
    /// In a sextet: 0 to 5.
    pub sextet: u8,
    /// In a chow of three ranks in a row: 0 or 1.
    pub chow: u8,
}

impl WildClaims {
    /// True if a claimed meld may have wild tiles.
    #[inline]
    pub(crate) const fn any(self) -> bool {
        self.pung | self.kong | self.quint | self.sextet | self.chow != 0
    }

    /// The most wild tiles in a claimed group.
    pub(crate) fn most_in(self, group: Group) -> u8 {
        match group.family() {
            Family::Pung => self.pung,
            Family::Kong => self.kong,
            Family::Quint => self.quint,
            Family::Sextet => self.sextet,
            Family::Arith if group.is_consecutive() => self.chow,
            _ => 0,
        }
    }
}

/// The most rows of `[turned]`.
pub(crate) const MAX_TURNED_ROWS: usize = 4;

/// When tiles are turned face up from the wall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TurnedOn {
    /// When a deal ends with a win, before the win is paid.
    #[default]
    Win,
    /// Once the tiles are dealt. The tile stays on the wall, and nobody draws it.
    Dealt,
}

impl TurnedOn {
    /// Every moment, with its word in ruleset files.
    pub(super) const WORDS: [(&'static str, Self); 2] =
        [("win", Self::Win), ("dealt", Self::Dealt)];
}

/// Tiles that are turned face up from the wall: `[turned.ID]`. The indicators of `[wall]` are no such tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct TurnedRow {
    /// When they are turned.
    pub on: TurnedOn,
    /// How many, if the wall has that many.
    pub count: u8,
    /// They come from where replacements are drawn, and not from where the next tile would be drawn.
    pub at_end: bool,
}

/// A claim with its rank. Higher ranks go first, equal ranks in turn order.
pub type ClaimRank = (ClaimKind, u8);

/// What a discard is claimed for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ClaimKind {
    /// A win.
    Win,
    /// A kong.
    Kong,
    /// A pung.
    Pung,
    /// A run.
    Chow,
    /// A quint.
    Quint,
    /// A sextet.
    Sextet,
}

impl ClaimKind {
    /// Every claim in the order of the type, with its word in ruleset files. The first is a win, the others are melds.
    pub(crate) const WORDS: [(&'static str, Self); 6] = [
        ("win", Self::Win),
        ("kong", Self::Kong),
        ("pung", Self::Pung),
        ("chow", Self::Chow),
        ("quint", Self::Quint),
        ("sextet", Self::Sextet),
    ];

    /// The meld for which an action claims a discard, if any.
    pub(crate) const fn of_meld(action: Action) -> Option<Self> {
        match action {
            Action::Claim(tiles) => Some(match tiles.group().family() {
                Family::Kong => Self::Kong,
                Family::Quint => Self::Quint,
                Family::Sextet => Self::Sextet,
                Family::Pair | Family::Pung => Self::Pung,
                Family::Arith | Family::Gem | Family::Power => Self::Chow,
            }),
            _ => None,
        }
    }
}

impl PlayRules {
    /// The tiles that are turned face up from the wall, in the order of the file. A
    /// [`TurnedId`](crate::state::TurnedId) is an index of them.
    pub fn turned(&self) -> &[TurnedRow] {
        &self.turned
    }

    /// Who wins if `count` seats could.
    pub(crate) fn winners_of(&self, count: usize) -> Winners {
        match count {
            0 | 1 => self.winners,
            2 => self.several_winners[0],
            _ => self.several_winners[1],
        }
    }

    /// The rank of a claim. Of several claims the highest rank counts.
    #[inline]
    pub fn rank(&self, kind: ClaimKind) -> u8 {
        self.precedence
            .iter()
            .find(|(k, _)| *k == kind)
            .map_or(0, |(_, rank)| *rank)
    }
}
