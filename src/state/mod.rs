//! [`DealState`]: everything that a deal is at one moment. Data without rules; the engine that
//! moves it is in [`game`](crate::game).

mod action;
mod event;
mod imagine;
mod legal;
mod riichi;
mod view;
mod win;
#[cfg(feature = "serde")]
mod wire;

pub use action::Action;
pub use event::Event;
pub use legal::Legal;
pub(crate) use legal::Word;
pub use riichi::{AbortiveDraw, Passed, Riichi};
pub use view::{ActionSnapshot, DiscardSnapshot, MeldSnapshot, PileStack, Snapshot, View};
pub use win::{FlagSet, Way, Win};

use crate::hand::Hand;
use crate::list::List;
use crate::seat::{BySeat, Player, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::tile::{Tile, Wind};
use crate::wall::{MAX_WALL, Wall};

/// A tile that was discarded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Discard {
    /// Who discarded it.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
    /// It was the tile just drawn.
    pub drawn: bool,
    /// Somebody claimed it for a meld.
    pub claimed: bool,
}

impl Default for Discard {
    fn default() -> Self {
        Self {
            seat: Seat::EAST,
            tile: Tile::plain(crate::tile::Kind::EAST),
            drawn: false,
            claimed: false,
        }
    }
}

/// Where the last drawn tile came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum DrawSource {
    /// The front of the live wall.
    Wall,
    /// A replacement for a kong, or for a flower that was itself drawn for a kong.
    Kong,
    /// A replacement for a flower.
    Flower,
}

/// The turn of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Turn {
    /// Whose turn it is.
    pub seat: Seat,
    /// The tile drawn last; `None` after a claim.
    pub drawn: Option<Tile>,
    /// Where it came from.
    pub source: DrawSource,
    /// Kongs made one after another, each with the replacement of the one before, up to the drawn
    /// tile; 0 when that was not drawn for a kong.
    pub kongs_in_row: u8,
    /// The turn began with a claimed pung or run, not with a draw.
    pub claimed: bool,
    /// Who fed the claimed kong for which the tile was drawn, where he answers for a win with it.
    pub fed_by: Option<Seat>,
    /// Held flowers that go before those that replace them, where a ruleset says so.
    pub(crate) flowers: FlowerSet,
    /// Flowers of the turn that were drawn for a flower.
    pub(crate) drawn_for_flower: FlowerSet,
    /// Flowers of the turn that were drawn for a kong.
    pub(crate) drawn_for_kong: FlowerSet,
}

/// What a player has announced of his hand. Source: `rulesets/traditional.md` §4.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Announcement {
    /// The hand is one tile short.
    Calling,
    /// The hand is one tile short since its first discard and stays so.
    Standing,
}

/// On what others are waited for, and the turn that goes on when nobody takes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Window {
    /// A discard may be claimed.
    Discard,
    /// A flower that was laid down may be won on.
    Flower(Turn),
    /// The tile that was added to a pung may be won on.
    AddedKong(Turn),
    /// A tile of a concealed kong may be won on.
    ConcealedKong(Turn),
    /// A concealed kong that lies face down may be challenged.
    Challenge(Turn),
}

/// A tile that others may claim, win on or challenge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Claims {
    /// What kind of tile it is.
    pub window: Window,
    /// The tile. While a kong may be challenged, only its owner knows it.
    pub tile: Tile,
    /// Who discarded it, or whose it is.
    pub from: Seat,
    /// Who still has to answer.
    pub waiting: SeatSet,
    /// Who could win, or waits for the tile where a ruleset asks for no more.
    pub(crate) could_win: SeatSet,
    /// What the others answered, hidden until all have.
    pub(crate) replies: BySeat<Option<Action>>,
}

/// What lies on the table beside the tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OnTable {
    /// Counters.
    pub counters: u32,
    /// Deposits.
    pub deposits: u32,
}

/// In which way a deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Ending {
    /// Somebody won.
    Won,
    /// No tile was left to draw.
    #[default]
    Exhausted,
    /// Somebody declared a win that is none.
    FalseWin(Seat),
    /// It was drawn before, and who declared that, if anybody had to.
    Aborted(AbortiveDraw, Option<Seat>),
}

/// What a state keeps of how its deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ended {
    pub(crate) winners: SeatSet,
    pub(crate) ending: Ending,
    pub(crate) ready: SeatSet,
    pub(crate) dealer_ends: bool,
}

/// How far a match is when a deal begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Progress {
    /// The number of the deal in the match, from 1.
    pub deal: u32,
    /// Rounds played to their end: the deal has come back to the first dealer so often.
    pub rounds: u32,
    /// Deals before this one that somebody won.
    pub won: u32,
    /// Who dealt first in the match.
    pub first_dealer: Player,
    /// Tells the deals of one match from those of others; imagined deals are of none, and have 0.
    pub match_id: u64,
}

/// What a deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// A seat is on turn.
    Turn(Turn),
    /// Some seats may claim a tile.
    Claims(Claims),
    /// Play is over, and the dealer may end the match or play on.
    EndChoice,
    /// The deal is over.
    Over,
}

/// Everything of a deal at one moment: a plain value without pointers, so that a clone is a
/// snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DealState {
    pub(crate) players: u8,
    /// What the rules come to that it is played under.
    pub(crate) rules_hash: u64,
    pub(crate) dealer: Player,
    pub(crate) round: Wind,
    pub(crate) wall: Wall,
    pub(crate) hands: BySeat<Hand>,
    pub(crate) discards: List<Discard, MAX_WALL>,
    pub(crate) phase: Phase,
    pub(crate) kongs: u8,
    pub(crate) announced: BySeat<Option<Announcement>>,
    /// Dealt flowers are kept until their owner's first turn.
    pub(crate) late_flowers: bool,
    /// How far the match was.
    pub(crate) progress: Progress,
    /// Totals when the deal began, less what was deposited since; once play is over with what it brought.
    pub(crate) points: BySeat<i64>,
    pub(crate) on_table: OnTable,
    /// Deals that the dealer has won in a row before this one.
    pub(crate) dealer_wins: u32,
    pub(crate) riichi: BySeat<Option<Riichi>>,
    /// Of each hand a number that is at most what it lacks of the nearest complete hand, copies left aside:
    /// who lacks much is asked nothing that only ready hands can do. 0 where nothing is known.
    pub(crate) lacks: BySeat<u8>,
    /// Kinds of each seat's open pungs.
    pub(crate) open_pungs: BySeat<KindSet>,
    /// Kinds of the pungs that each seat has laid down concealed.
    pub(crate) laid_pungs: BySeat<KindSet>,
    /// Kinds of which one more may complete each seat's tiles, the drawn one left aside; no other does. Exactly what
    /// they wait for where tables tell or the ruleset knows furiten.
    pub(crate) waits: BySeat<KindSet>,
    /// The ruleset knows furiten.
    pub(crate) knows_furiten: bool,
    /// Kinds that each seat has discarded.
    pub(crate) discarded: BySeat<KindSet>,
    pub(crate) passed: BySeat<Passed>,
    /// Indicators of kongs that are turned with the next discard.
    pub(crate) indicators_due: u8,
    /// How the deal ended, once play is over.
    pub(crate) ended: Option<Ended>,
}

const _: () = assert!(size_of::<DealState>() <= 2560);

impl DealState {
    /// How many players sit at the table.
    #[inline]
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// What the rules come to under which the deal is played, options included:
    /// [`Plan::content_hash`](crate::ruleset::Plan::content_hash).
    pub fn rules_hash(&self) -> u64 {
        self.rules_hash
    }

    /// Who deals, and so sits East.
    pub fn dealer(&self) -> Player {
        self.dealer
    }

    /// The wind of the round.
    pub fn round(&self) -> Wind {
        self.round
    }

    /// The wall.
    pub fn wall(&self) -> &Wall {
        &self.wall
    }

    /// True when a seat's hand, or what a discard leaves of it, may wait for something, be it a fifth copy:
    /// that is one tile, or two where all copies of some kind are concealed.
    #[inline]
    pub(crate) fn may_wait(&self, seat: Seat) -> bool {
        // Added up: which of the two it is would be a guess.
        self.lacks[seat] <= 1 + u8::from(!self.hands[seat].fours().is_empty())
    }

    /// True when a seat's hand may lack no more than so many tiles of a complete hand.
    #[inline]
    pub(crate) fn may_lack_only(&self, seat: Seat, tiles: u8) -> bool {
        self.lacks[seat] <= tiles
    }

    /// Puts a tile among the concealed ones of a seat.
    #[inline(always)]
    pub(crate) fn gain(&mut self, seat: Seat, tile: Tile) {
        self.hands[seat].add(tile);
        self.lack_one_less(seat);
    }

    /// A hand has got a tile, so that it may lack one less.
    #[inline]
    pub(crate) fn lack_one_less(&mut self, seat: Seat) {
        self.lacks[seat] = self.lacks[seat].saturating_sub(1);
    }

    /// The hand of a seat.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat]
    }

    /// All discards in the order of play, claimed ones included.
    pub fn discards(&self) -> &[Discard] {
        &self.discards
    }

    /// What the deal waits for.
    #[inline]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Kongs made in the deal.
    pub fn kongs(&self) -> usize {
        usize::from(self.kongs)
    }

    /// What a seat has announced of its hand with its last discard.
    #[inline]
    pub fn announced(&self, seat: Seat) -> Option<Announcement> {
        self.announced[seat]
    }

    /// True when a seat has discarded in this deal.
    #[inline]
    pub fn has_discarded(&self, seat: Seat) -> bool {
        !self.discarded[seat].is_empty()
    }

    /// Counters and deposits.
    pub fn on_table(&self) -> OnTable {
        self.on_table
    }

    /// How far the match was when the deal began.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The total of a seat when the deal began, less what it has deposited since, and once play is over
    /// with what the deal brought, deposits included that somebody took; in the least unit of the ruleset.
    pub fn points(&self, seat: Seat) -> i64 {
        self.points[seat]
    }

    /// The riichi that a seat has declared.
    #[inline]
    pub fn riichi(&self, seat: Seat) -> Option<Riichi> {
        self.riichi[seat]
    }

    /// True on most turns: the seat has discarded before and does so now after a draw, it has announced nothing, and its
    /// hand is open or known to lack more than one tile.
    #[inline]
    pub fn is_plain_turn(&self, seat: Seat) -> bool {
        matches!(&self.phase, Phase::Turn(turn) if turn.seat == seat && !turn.claimed)
            && self.has_discarded(seat)
            && self.announced[seat].is_none()
            && self.riichi[seat].is_none()
            && (!self.may_wait(seat) || !self.hands[seat].is_closed())
    }

    /// True when a seat may not win off what others give: it has discarded what it waits for, or has
    /// passed on a win. Always false where a ruleset does not know this.
    /// Source: `rulesets/riichi-mcgill.md` §5.
    #[inline]
    pub fn is_furiten(&self, seat: Seat) -> bool {
        let own = self.waits[seat].intersection(self.discarded[seat]);
        self.knows_furiten && (self.passed[seat] != Passed::Nothing || !own.is_empty())
    }

    /// True while nobody has claimed a discard or made a kong.
    pub fn is_untouched(&self) -> bool {
        self.kongs == 0 && self.claims() == 0
    }

    /// Discards that were claimed for melds.
    pub fn claims(&self) -> usize {
        let claimed = self.discards.iter().filter(|discard| discard.claimed);
        claimed.count()
    }

    /// The seats that must decide now.
    #[inline]
    pub fn waiting(&self) -> SeatSet {
        match &self.phase {
            Phase::Turn(turn) => SeatSet::one(turn.seat),
            Phase::Claims(claims) => claims.waiting,
            Phase::EndChoice => SeatSet::one(Seat::EAST),
            Phase::Over => SeatSet::EMPTY,
        }
    }

    /// The seats that must decide now, in turn order from whoever gave the tile: the order in which
    /// decisions stand in a log.
    pub fn deciding(&self) -> impl Iterator<Item = Seat> + use<> {
        let mut left = self.waiting();
        let mut from = match &self.phase {
            Phase::Turn(turn) => turn.seat,
            Phase::Claims(claims) => claims.from,
            Phase::EndChoice | Phase::Over => Seat::EAST,
        };
        std::iter::from_fn(move || {
            let next = left.next_after(from)?;
            left.remove(next);
            from = next;
            Some(next)
        })
    }

    /// The hand of a winner without the winning tile.
    pub fn hand_before(&self, seat: Seat, win: &Win) -> Hand {
        let mut hand = self.hands[seat];
        if let Some(flower) = win.tile.as_flower() {
            // It was laid down before it was won on.
            hand.flowers.remove(flower);
            return hand;
        }
        if win.way.is_self_draw() && hand.holds(win.tile) {
            hand.take(win.tile);
        }
        hand
    }

    /// What a seat may know.
    pub fn view(&self, seat: Seat) -> View<'_> {
        View::new(self, seat)
    }
}
