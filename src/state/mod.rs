//! [`DealState`]: everything about a deal at one moment. It is data without rules. The engine that plays it
//! is in [`game`](crate::game).

mod action;
mod event;
mod imagine;
mod legal;
mod names;
mod opening;
mod payment;
mod riichi;
mod turned;
mod view;
mod win;

pub(crate) use action::WORDS;
pub use action::{Action, MeldTiles};
pub use event::Event;
pub use legal::{Actions, Legal};
pub use names::ActionNames;
pub use opening::{MAX_EXCHANGED, Opening, OpeningChoice};
pub(crate) use payment::Accounts;
pub use payment::KongWay;
pub(crate) use riichi::Furiten;
pub use riichi::{AbortiveDraw, Passed, Riichi};
pub use turned::{MAX_TURNED, TurnedId, TurnedTile};
pub(crate) use view::AskedFor;
pub use view::{ActionSnapshot, DiscardSnapshot, MeldSnapshot, PileStack, Snapshot, View};
pub use win::{FlagSet, Way, Win};

use crate::aside::{AsideId, AsideKinds};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Group, Meld};
use crate::seat::{BySeat, MAX_PLAYERS, Player, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::tile::{Kind, Suit, Tile, Wind};
use crate::wall::{MAX_WALL, Wall};

/// A discard.
#[derive(Clone, Copy, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Discard {
    /// The seat that discarded the tile.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
    /// True when the tile had just been drawn.
    pub drawn: bool,
    /// True when the tile was claimed for a meld.
    pub claimed: bool,
}

impl Discard {
    /// The discard as one number.
    #[inline]
    pub(crate) const fn bits(&self) -> u32 {
        let (seat, tile) = (self.seat.index() as u8, self.tile.code());
        u32::from_le_bytes([seat, tile, self.drawn as u8, self.claimed as u8])
    }
}

// Lists of discards are compared, so compare each as one number.
impl PartialEq for Discard {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl std::hash::Hash for Discard {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
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

/// The origin of the last drawn tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum DrawSource {
    /// The front of the live wall.
    Wall,
    /// A replacement for a kong, or for a bonus tile that was itself drawn for a kong.
    Kong,
    /// A replacement for a bonus tile of this row.
    Aside(AsideId),
}

/// The turn of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Turn {
    /// The seat on turn.
    pub seat: Seat,
    /// The tile drawn last. `None` after a claim.
    pub drawn: Option<Tile>,
    /// The origin of the drawn tile.
    pub source: DrawSource,
    /// How many kongs in a row led to the drawn tile, each made with the replacement of the one before. 0
    /// when the tile was not drawn for a kong.
    pub kongs_in_row: u8,
    /// True when the turn began with a claimed pung or run, not with a draw.
    pub claimed: bool,
    /// When the drawn tile is the replacement of a claimed kong: the seat that discarded the tile of that kong. Set
    /// only if that player pays for a win with the drawn tile.
    pub fed_by: Option<Seat>,
    /// Held flowers still to be laid down before any replacement, if the ruleset has this order.
    pub(crate) flowers: FlowerSet,
    /// Flowers of this turn that were drawn as the replacement of a flower.
    pub(crate) drawn_for_flower: FlowerSet,
    /// Flowers of this turn that were drawn as the replacement of a kong.
    pub(crate) drawn_for_kong: FlowerSet,
}

/// What a player has announced about their hand. Source: `rulesets/traditional.md` §4.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Announcement {
    /// The hand is ready: one tile short of complete.
    Calling,
    /// The hand has been ready since its first discard, and stays ready.
    Standing,
}

/// Why the table waits for other seats, with the turn that continues if none of them acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Window {
    /// A discard may be claimed.
    Discard,
    /// A bonus tile was laid aside. Others may win on it, and its owner, too, if it is a flower.
    Aside(Turn),
    /// A tile was added to a pung, and others may win on it.
    AddedKong(Turn),
    /// A concealed kong was declared, and others may win on a tile of it.
    ConcealedKong(Turn),
    /// A concealed kong lies face down, and others may challenge it.
    Challenge(Turn),
    /// A tile was turned face up when the tiles were dealt, and every seat may win on it before the first turn.
    Turned,
}

/// A tile that others may claim, win on or challenge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Claims {
    /// The reason for which others may act.
    pub window: Window,
    /// The tile. While a kong may be challenged, only its owner knows this tile.
    pub tile: Tile,
    /// The seat that discarded or owns the tile. The dealer for a tile that was turned.
    pub from: Seat,
    /// The seats that have not answered.
    pub waiting: SeatSet,
    /// The seats that could win. Where furiten counts every tile that completes a form, also the seats that wait for
    /// the tile.
    pub(crate) could_win: SeatSet,
    /// The answers so far, hidden until all seats have answered.
    pub(crate) replies: BySeat<Option<Action>>,
}

impl Claims {
    /// A window without answers.
    #[inline(always)]
    pub(crate) fn opened(window: Window, tile: Tile, from: Seat) -> Self {
        Self {
            window,
            tile,
            from,
            waiting: SeatSet::EMPTY,
            could_win: SeatSet::EMPTY,
            replies: BySeat::default(),
        }
    }
}

/// Counters and deposits on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OnTable {
    /// Counters.
    pub counters: u32,
    /// Deposits.
    pub deposits: u32,
}

/// How a deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Ending {
    /// One or more seats won.
    Won,
    /// No tile was left to draw.
    #[default]
    Exhausted,
    /// A seat declared a false win.
    FalseWin(Seat),
    /// The deal was drawn while tiles were left. Has the reason, and the seat that declared the draw if a declaration
    /// is needed.
    Aborted(AbortiveDraw, Option<Seat>),
}

/// The progress of the match when a deal begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Progress {
    /// The number of the deal in the match, from 1.
    pub deal: u32,
    /// Complete rounds: how often the deal has come back to the first dealer.
    pub rounds: u32,
    /// The number of earlier deals with a winner.
    pub won: u32,
    /// The first dealer of the match.
    pub first_dealer: Player,
    /// Identifies the match of the deal. Imagined deals belong to no match and have 0.
    pub match_id: u64,
}

/// What a deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// All seats make a choice at the same time, before the first turn.
    Opening(Opening),
    /// A seat is on turn.
    Turn(Turn),
    /// Some seats may claim a tile.
    Claims(Claims),
    /// Play is over, and the dealer chooses to end the match or to play on.
    EndChoice,
    /// The deal is over.
    Over,
}

/// Cached facts derived from the hands.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct HandCache {
    /// A lower bound on the missing tiles of each seat's hand. Checks that concern only nearly ready hands are skipped
    /// for all others. The bound ignores copies in melds. 0 means unknown.
    pub(crate) missing_floor: BySeat<u8>,
    /// Kinds of each seat's open pungs.
    pub(crate) open_pungs: BySeat<KindSet>,
    /// Kinds of the pungs that each seat has laid down concealed.
    pub(crate) laid_pungs: BySeat<KindSet>,
    /// A superset of the kinds that complete each seat's hand, the drawn tile left out. The set is exact if the
    /// decomposer has tables or the ruleset has furiten.
    pub(crate) waits: BySeat<KindSet>,
}

/// Everything about a deal at one moment. It is a plain value without pointers, so a clone is a snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DealState {
    pub(crate) players: u8,
    /// The hash of the rules that the deal is played under.
    pub(crate) rules_hash: u64,
    pub(crate) dealer: Player,
    pub(crate) round: Wind,
    pub(crate) wall: Wall,
    pub(crate) hands: BySeat<Hand>,
    pub(crate) discards: List<Discard, MAX_WALL>,
    pub(crate) phase: Phase,
    pub(crate) kongs: u8,
    pub(crate) announced: BySeat<Option<Announcement>>,
    /// Dealt flowers stay in the hand until their owner's first turn.
    pub(crate) late_flowers: bool,
    /// The kinds that must be laid aside.
    pub(crate) forced: AsideKinds,
    /// How far the match was when the deal began.
    pub(crate) progress: Progress,
    /// The suit whose kinds each seat may not keep or win with, once a step of `[opening]` has barred one.
    pub(crate) barred: BySeat<Option<Suit>>,
    /// Tiles that were turned for rows of `[turned]`.
    pub(crate) turned: List<TurnedTile, MAX_TURNED>,
    /// The wins so far, where play goes on after a win.
    pub(crate) wins: List<(Seat, Win), MAX_PLAYERS>,
    /// The winners so far. They are out of play.
    pub(crate) out: SeatSet,
    /// The change of each total since the deal began, by wins and kongs that were paid at once.
    pub(crate) paid: BySeat<i64>,
    /// Payments that may be returned.
    pub(crate) accounts: Accounts,
    /// Tiles on which a seat has won and that are in no hand.
    pub(crate) robbed: List<Tile, MAX_PLAYERS>,
    /// The last discard was made by a player who had just drawn for a kong.
    pub(crate) after_kong: bool,
    /// Totals when the deal began, plus payments since. Once play is over, the deal's result is included.
    pub(crate) points: BySeat<i64>,
    pub(crate) on_table: OnTable,
    /// How many deals in a row the dealer won before this one.
    pub(crate) dealer_wins: u32,
    pub(crate) riichi: BySeat<Option<Riichi>>,
    pub(crate) furiten: Furiten,
    /// Cached facts derived from the hands.
    pub(crate) cache: HandCache,
    /// How many kong indicators must be turned with the next discard.
    pub(crate) indicators_due: u8,
}

const _: () = assert!(size_of::<DealState>() <= 2752);

impl DealState {
    /// The number of other copies of a winning tile that all players see: unclaimed discards, open melds, turned
    /// indicators.
    pub(crate) fn visible_copies(&self, win: &Win) -> usize {
        let Some(kind) = win.tile.kind() else {
            return 0;
        };
        let unclaimed = self.discards.iter().filter(|discard| !discard.claimed);
        let in_discards = unclaimed.filter(|discard| discard.tile.kind() == Some(kind));
        let melds = Seat::all(self.players()).flat_map(|seat| self.hands[seat].melds.iter());
        let in_melds = melds
            .filter(|meld| meld.open)
            .flat_map(|meld| meld.kinds())
            .filter(|&tile| tile == kind);
        let indicators = self.wall.turned().filter(|tile| tile.kind() == Some(kind));
        let seats = Seat::all(self.players());
        let aside: usize = seats.map(|seat| self.hands[seat].aside.count(kind)).sum();
        let winners = self.out.iter();
        let shown: usize = winners
            .map(|seat| usize::from(self.hands[seat].concealed().get(kind)))
            .sum();
        let robbed = self
            .robbed
            .iter()
            .filter(|tile| tile.kind() == Some(kind))
            .count();
        let all =
            in_discards.count() + in_melds.count() + indicators.count() + aside + shown + robbed;
        // The tile itself is among the discards or the indicators, or in the robbed kong.
        let is_among = match win.way {
            Way::Discard | Way::Turned => true,
            Way::RobbedKong => {
                let kong = Group::kong(kind);
                let seats = Seat::all(self.players());
                let mut melds = seats.flat_map(|seat| self.hands[seat].melds.iter());
                melds.any(|meld| meld.open && meld.group == kong)
            }
            Way::Wall | Way::Replacement => false,
        };
        all - usize::from(is_among && all > 0)
    }

    /// How many players sit at the table.
    #[inline]
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// The hash of the rules that the deal is played under, options included:
    /// [`Plan::content_hash`](crate::ruleset::Plan::content_hash).
    pub fn rules_hash(&self) -> u64 {
        self.rules_hash
    }

    /// The dealer, who sits East.
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

    /// True when a seat's hand might be ready now or after a discard. A wait for a fifth copy counts. Such a hand has
    /// one missing tile, or two if it holds all copies of a kind concealed.
    #[inline]
    pub(crate) fn may_wait(&self, seat: Seat) -> bool {
        // The addition avoids a branch that the processor mispredicts.
        self.cache.missing_floor[seat] <= 1 + u8::from(!self.hands[seat].fours().is_empty())
    }

    /// True when a seat's hand might have at most `tiles` missing tiles.
    #[inline]
    pub(crate) fn may_lack_only(&self, seat: Seat, tiles: u8) -> bool {
        self.cache.missing_floor[seat] <= tiles
    }

    /// Adds a concealed tile to a seat's hand.
    #[inline(always)]
    pub(crate) fn gain(&mut self, seat: Seat, tile: Tile) {
        self.hands[seat].add(tile);
        self.lower_missing_floor(seat);
    }

    /// Lowers the bound on missing tiles after the hand gained a tile.
    #[inline]
    pub(crate) fn lower_missing_floor(&mut self, seat: Seat) {
        self.cache.missing_floor[seat] = self.cache.missing_floor[seat].saturating_sub(1);
    }

    /// The hand of a seat.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat]
    }

    /// All discards in the order of play, claimed ones included. The last one may still be open to claims.
    pub fn discards(&self) -> &[Discard] {
        &self.discards
    }

    /// What the deal waits for.
    #[inline]
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// How many kongs were made in the deal.
    pub fn kongs(&self) -> usize {
        usize::from(self.kongs)
    }

    /// What a seat has announced about its hand with its last discard.
    #[inline]
    pub fn announced(&self, seat: Seat) -> Option<Announcement> {
        self.announced[seat]
    }

    /// True for a tile that must be laid aside.
    pub(crate) fn must_lay(&self, tile: Tile) -> bool {
        tile.kind().is_none_or(|kind| self.forced.contains(kind))
    }

    /// The tile that lies face up from the first turn on: an indicator, or the tile that says which kind is wild. `None`
    /// if the ruleset turns none.
    pub fn turned_tile(&self) -> Option<Tile> {
        self.wall.turned().next()
    }

    /// True when a seat has discarded in this deal.
    #[inline]
    pub fn has_discarded(&self, seat: Seat) -> bool {
        !self.furiten.discarded[seat].is_empty()
    }

    /// Counters and deposits.
    pub fn on_table(&self) -> OnTable {
        self.on_table
    }

    /// How far the match was when the deal began.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The total of a seat in the least unit of the ruleset: the total when the deal began, plus payments since
    /// (deposits, and wins and kongs that are paid at once). Once play is over, the deal's result is included, with the
    /// deposits that the seat took.
    pub fn points(&self, seat: Seat) -> i64 {
        self.points[seat]
    }

    /// The riichi that a seat has declared.
    #[inline]
    pub fn riichi(&self, seat: Seat) -> Option<Riichi> {
        self.riichi[seat]
    }

    /// True on most turns. The seat has discarded before, has drawn and not claimed, and has announced
    /// nothing. Its hand is open, or no discard can leave it ready.
    #[inline]
    pub fn is_plain_turn(&self, seat: Seat) -> bool {
        matches!(&self.phase, Phase::Turn(turn) if turn.seat == seat && self.is_plain(turn))
    }

    /// [`Self::is_plain_turn`] for the turn of the phase.
    #[inline]
    pub(crate) fn is_plain(&self, turn: &Turn) -> bool {
        let seat = turn.seat;
        !turn.claimed
            && self.has_discarded(seat)
            && self.announced[seat].is_none()
            && self.riichi[seat].is_none()
            && (!self.may_wait(seat) || !self.hands[seat].is_closed())
    }

    /// True when a seat may not win off other players' tiles: it has discarded a kind that it waits for, or
    /// has passed on a win. If only the passed kinds are barred, the seat must wait for one of them. Always false if
    /// the ruleset has no furiten. Source: `rulesets/riichi-mcgill.md` §5.
    #[inline]
    pub fn is_furiten(&self, seat: Seat) -> bool {
        let waits = self.cache.waits[seat];
        let barred = self.furiten.barred(seat, waits);
        barred == KindSet::ALL || !barred.intersection(waits).is_empty()
    }

    /// True when furiten bars a seat from winning off another player with a kind.
    #[inline]
    pub(crate) fn bars_win_off_others(&self, seat: Seat, kind: Kind) -> bool {
        let waits = self.cache.waits[seat];
        self.furiten.barred(seat, waits).contains(kind)
    }

    /// True until a seat claims a discard, makes a kong or chooses to lay a tile aside.
    pub fn is_untouched(&self) -> bool {
        let chosen = |seat| {
            let aside = self.hands[seat].aside;
            !aside.is_empty() && aside.kinds().any(|kind| !self.forced.contains(kind))
        };
        self.kongs == 0
            && !self.discards.iter().any(|discard| discard.claimed)
            && !Seat::all(self.players()).any(chosen)
    }

    /// How many tiles all players have laid aside.
    pub fn asides(&self) -> usize {
        let hands = Seat::all(self.players()).map(|seat| &self.hands[seat]);
        hands.map(|hand| hand.aside.len()).sum()
    }

    /// How many discards were claimed for melds.
    pub fn claims(&self) -> usize {
        let claimed = self.discards.iter().filter(|discard| discard.claimed);
        claimed.count()
    }

    /// The seats that must decide now.
    #[inline]
    pub fn waiting(&self) -> SeatSet {
        self.asked().0
    }

    /// The seats that must decide now, and the seat that is the last of all in the order of [`DealState::deciding`].
    #[inline]
    fn asked(&self) -> (SeatSet, Seat) {
        match &self.phase {
            Phase::Turn(turn) => (SeatSet::one(turn.seat), turn.seat),
            _ => self.asked_off_turn(),
        }
    }

    /// [`Self::asked`] when no seat is on turn.
    // Not inlined: most decisions are turns, and a jump table takes more instructions than one comparison.
    #[inline(never)]
    fn asked_off_turn(&self) -> (SeatSet, Seat) {
        match &self.phase {
            Phase::Claims(claims) => (claims.waiting, claims.from),
            Phase::Opening(opening) => {
                let last = Seat::EAST.after(self.players() - 1, self.players());
                (opening.waiting, last)
            }
            Phase::EndChoice => (SeatSet::one(Seat::EAST), Seat::EAST),
            Phase::Turn(_) | Phase::Over => (SeatSet::EMPTY, Seat::EAST),
        }
    }

    /// The seats that must decide now, in turn order from the giver of the tile. A log lists decisions in this order.
    pub fn deciding(&self) -> impl Iterator<Item = Seat> + use<> {
        let (mut left, mut from) = self.asked();
        std::iter::from_fn(move || {
            let next = left.next_after(from)?;
            left.remove(next);
            from = next;
            Some(next)
        })
    }

    /// The place of a seat in the order of [`DealState::deciding`] if all seats are asked.
    pub(crate) fn place_asked(&self, seat: Seat) -> usize {
        let players = self.players();
        let (_, last) = self.asked();
        (seat.index() + players - last.index() - 1) % players
    }

    /// The suit that a seat has chosen to be barred. `None` if the ruleset has no such step, and until all seats have
    /// chosen theirs.
    #[inline]
    pub fn missing_suit(&self, seat: Seat) -> Option<Suit> {
        self.barred[seat]
    }

    /// The tiles that were turned face up from the wall for rows of `[turned]`, in the order in which they were turned.
    pub fn turned(&self) -> &[TurnedTile] {
        &self.turned
    }

    /// The wins so far, where play goes on after a win. Once play is over, [`Outcome`](crate::game::Outcome) has all.
    pub fn wins(&self) -> &[(Seat, Win)] {
        &self.wins
    }

    /// The seats that have won and are out of play, where play goes on after a win. Their hands are open.
    #[inline]
    pub fn out(&self) -> SeatSet {
        self.out
    }

    /// The tiles of kongs, and those set aside, on which a seat has won, where play goes on after a win. These tiles
    /// lie before the winners and are in no hand.
    pub fn robbed(&self) -> &[Tile] {
        &self.robbed
    }

    /// The seat in play out of whose meld of these tiles `seat` takes a wild tile: of equal melds that of the nearest, `seat`
    /// itself first.
    pub(crate) fn swap_owner(&self, seat: Seat, tiles: MeldTiles) -> Option<Seat> {
        let players = self.players();
        let mut owners = (0..players).map(|steps| seat.after(steps, players));
        let is_it = |meld: &Meld| MeldTiles::from(meld) == tiles;
        owners.find(|&owner| !self.out.contains(owner) && self.hands[owner].melds.iter().any(is_it))
    }

    /// The next seat in turn order that is still in play.
    #[inline(always)]
    pub(crate) fn next_in_play(&self, seat: Seat) -> Seat {
        let next = seat.next(self.players());
        if self.out.contains(next) {
            return self.next_beyond_winners(seat);
        }
        next
    }

    /// [`Self::next_in_play`] of a seat before one that is out of play.
    #[inline(never)]
    fn next_beyond_winners(&self, seat: Seat) -> Seat {
        let players = self.players();
        let mut next = seat.next(players);
        while self.out.contains(next) && next != seat {
            next = next.next(players);
        }
        next
    }

    /// The seats that are still in play.
    #[inline]
    pub(crate) fn in_play(&self) -> SeatSet {
        SeatSet::of_table(self.players()).difference(self.out)
    }

    /// The win of a seat that has won, where play goes on after a win.
    pub(crate) fn win_of(&self, seat: Seat) -> Option<&Win> {
        let own = self.wins.iter().find(|(winner, _)| *winner == seat);
        own.map(|(_, win)| win)
    }

    /// The kinds that a seat may not keep or win with.
    #[inline]
    pub(crate) fn barred_kinds(&self, seat: Seat) -> KindSet {
        match self.barred[seat] {
            None => KindSet::EMPTY,
            Some(suit) => KindSet::of_lane(suit.lane()),
        }
    }

    /// True while a seat holds barred tiles.
    #[inline]
    pub(crate) fn holds_barred(&self, seat: Seat) -> bool {
        !self.hands[seat]
            .kinds()
            .intersection(self.barred_kinds(seat))
            .is_empty()
    }

    /// The hand of a winner without the winning tile.
    pub fn hand_before(&self, seat: Seat, win: &Win) -> Hand {
        let mut hand = self.hands[seat];
        if win.tile.is_flower() {
            // The flower was laid down before a seat won on it.
            hand.aside.remove(win.tile);
            return hand;
        }
        // A turned tile stays where it lies.
        if win.way.is_self_draw() && win.way != Way::Turned && hand.holds(win.tile) {
            hand.take(win.tile);
        }
        hand
    }
}
