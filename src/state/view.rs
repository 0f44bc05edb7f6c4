//! [`View`] and [`Snapshot`]: all that one seat may know.

use super::{Action, Announcement, Claims, DealState, Discard, OnTable, Phase, Riichi, Window};
use crate::counts::Counts;
use crate::decompose::Grammar;
use crate::hand::Hand;
use crate::meld::Meld;
use crate::notation::Notation;
use crate::random::Stream;
use crate::seat::{Player, Seat};
use crate::set::FlowerSet;
use crate::tile::{Tile, Wind};
use std::fmt;

/// What one seat may know of a deal, borrowed. There is no way from here to the order of the wall,
/// to other hands or to answers that are not yet resolved.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a DealState,
    seat: Seat,
}

impl<'a> View<'a> {
    pub(super) fn new(state: &'a DealState, seat: Seat) -> Self {
        Self { state, seat }
    }

    /// Whose view it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// How many players sit at the table.
    pub fn players(&self) -> usize {
        self.state.players()
    }

    /// What the rules come to under which the deal is played: [`DealState::rules_hash`].
    #[inline]
    pub fn rules_hash(&self) -> u64 {
        self.state.rules_hash
    }

    /// The wind of the round.
    pub fn round(&self) -> Wind {
        self.state.round
    }

    /// Who deals.
    pub fn dealer(&self) -> Player {
        self.state.dealer
    }

    /// Counters and deposits.
    pub fn on_table(&self) -> OnTable {
        self.state.on_table
    }

    /// The total of a seat when the deal began, less what it has deposited since, and once play is over
    /// with what the deal brought.
    pub fn points(&self, seat: Seat) -> i64 {
        self.state.points[seat]
    }

    /// The riichi that a seat has declared.
    pub fn riichi(&self, seat: Seat) -> Option<Riichi> {
        self.state.riichi[seat]
    }

    /// True when the seat itself may not win off what others give.
    pub fn is_furiten(&self) -> bool {
        self.state.is_furiten(self.seat)
    }

    /// The seat's own hand.
    #[inline]
    pub fn hand(&self) -> &'a Hand {
        &self.state.hands[self.seat]
    }

    /// The melds of a seat; `None` for a kong of another that lies face down.
    pub fn melds(&self, seat: Seat) -> impl ExactSizeIterator<Item = Option<&'a Meld>> + use<'a> {
        let own = seat == self.seat;
        let melds = self.state.hands[seat].melds.iter();
        melds.map(move |meld| (own || !meld.hidden).then_some(meld))
    }

    /// The indicators (bonus tiles) that lie face up, in the order in which they were turned.
    pub fn turned(&self) -> impl ExactSizeIterator<Item = Tile> + 'a {
        self.state.wall.turned()
    }

    /// The discards that nobody claimed as one pile, sorted in tile order and stacked two high.
    /// Source: `rulesets/uzje.md` §7.
    pub fn pile(&self) -> Vec<PileStack> {
        let mut tiles: Vec<Tile> = self
            .discards()
            .iter()
            .filter(|discard| !discard.claimed)
            .map(|discard| discard.tile)
            .collect();
        tiles.sort_unstable();
        let mut pile: Vec<PileStack> = Vec::new();
        for tile in tiles {
            match pile.last_mut() {
                Some(stack) if stack.tile == tile && stack.height == 1 => stack.height = 2,
                _ => pile.push(PileStack { tile, height: 1 }),
            }
        }
        pile
    }

    /// A world that the seat may be in: what it cannot see is shuffled
    /// ([`DealState::imagined_by`]).
    pub fn imagine(&self, stream: &mut Stream) -> DealState {
        self.state.imagined_by(self.seat, stream)
    }

    /// What a seat has announced of its hand.
    pub fn announced(&self, seat: Seat) -> Option<Announcement> {
        self.state.announced(seat)
    }

    /// True when a judge has declared the hand of a seat dead.
    pub fn is_dead(&self, seat: Seat) -> bool {
        self.state.hands[seat].dead
    }

    /// The flowers that a seat has laid down.
    pub fn flowers(&self, seat: Seat) -> FlowerSet {
        self.state.hands[seat].flowers
    }

    /// How many concealed tiles a seat holds.
    pub fn concealed_len(&self, seat: Seat) -> usize {
        self.state.hands[seat].concealed_len()
    }

    /// All discards in the order of play.
    pub fn discards(&self) -> &'a [Discard] {
        &self.state.discards
    }

    /// Ordinary draws left.
    pub fn draws_left(&self) -> usize {
        self.state.wall.draws_left()
    }

    /// Whose turn it is; `None` while a discard may be claimed and when the deal is over.
    pub fn turn(&self) -> Option<Seat> {
        match &self.state.phase {
            Phase::Turn(turn) => Some(turn.seat),
            _ => None,
        }
    }

    /// The tile that the seat has just drawn.
    pub fn drawn(&self) -> Option<Tile> {
        match &self.state.phase {
            Phase::Turn(turn) if turn.seat == self.seat => turn.drawn,
            _ => None,
        }
    }

    /// The window in which the seat itself is asked: that others are asked it must not know.
    fn asked(&self) -> Option<&'a Claims> {
        match &self.state.phase {
            Phase::Claims(claims) if claims.waiting.contains(self.seat) => Some(claims),
            _ => None,
        }
    }

    /// The tile that the seat may claim or win on now, and who discarded it or whose it is.
    pub fn claimable(&self) -> Option<(Tile, Seat)> {
        let claims = self.asked()?;
        let is_shown = !matches!(claims.window, Window::Challenge(_));
        is_shown.then_some((claims.tile, claims.from))
    }

    /// The seat whose kong, laid face down, the seat may challenge now.
    pub fn challengeable(&self) -> Option<Seat> {
        let claims = self.asked()?;
        matches!(claims.window, Window::Challenge(_)).then_some(claims.from)
    }

    /// The seat that may end the match now: the dealer's, when play is over and a ruleset lets him.
    pub fn may_end_match(&self) -> Option<Seat> {
        matches!(self.state.phase, Phase::EndChoice).then_some(Seat::EAST)
    }

    /// The tiles that the seat sees: its own, all melds, all discards that were not claimed, and
    /// indicators that lie face up.
    pub fn seen(&self) -> Counts {
        let mut seen = *self.hand().concealed();
        for seat in Seat::all(self.players()) {
            for meld in self.melds(seat).flatten() {
                for kind in meld.group.tiles() {
                    seen.try_add(kind);
                }
            }
        }
        for discard in self.discards().iter().filter(|discard| !discard.claimed) {
            if let Some(kind) = discard.tile.kind() {
                seen.try_add(kind);
            }
        }
        for kind in self.turned().filter_map(Tile::kind) {
            seen.try_add(kind);
        }
        seen
    }

    /// The view as an owned value, without legal actions: [`Deal::snapshot`](crate::game::Deal::snapshot) has them.
    pub fn snapshot(&self) -> Snapshot {
        let print = |tiles: &mut dyn Iterator<Item = Tile>| Notation::Ujmj.print(tiles);
        let is_riichi = |place: usize, discard: &Discard| {
            let riichi = self.riichi(discard.seat);
            riichi.is_some_and(|riichi| usize::from(riichi.discard) == place)
        };
        Snapshot {
            seat: self.seat.letter(),
            players: self.players(),
            dealer: self.state.dealer().index(),
            round: self.round().letter(),
            hand: print(&mut self.hand().tiles()),
            drawn: self.drawn().map(|tile| Notation::Ujmj.print_one(tile)),
            turn: self.turn().map(Seat::letter),
            claimable: self
                .claimable()
                .map(|(tile, from)| (Notation::Ujmj.print_one(tile), from.letter())),
            challengeable: self.challengeable().map(Seat::letter),
            may_end_match: self.may_end_match().map(Seat::letter),
            announced: Seat::all(self.players())
                .map(|seat| self.announced(seat))
                .collect(),
            dead: Seat::all(self.players())
                .map(|seat| self.is_dead(seat))
                .collect(),
            riichi: Seat::all(self.players())
                .map(|seat| self.riichi(seat).is_some())
                .collect(),
            furiten: self.is_furiten(),
            points: Seat::all(self.players())
                .map(|seat| self.points(seat))
                .collect(),
            counters: self.on_table().counters,
            deposits: self.on_table().deposits,
            draws_left: self.draws_left(),
            turned: print(&mut self.turned()),
            pile: self
                .pile()
                .iter()
                .map(|stack| {
                    print(&mut std::iter::repeat_n(
                        stack.tile,
                        usize::from(stack.height),
                    ))
                })
                .collect(),
            concealed: Seat::all(self.players())
                .map(|seat| self.concealed_len(seat))
                .collect(),
            melds: Seat::all(self.players())
                .map(|seat| {
                    let show = |meld: Option<&Meld>| MeldSnapshot {
                        tiles: match meld {
                            None => "????".to_owned(),
                            Some(meld) if meld.reds > 0 => Notation::Ujmj.print(meld.tiles()),
                            Some(meld) => meld.group.to_string(),
                        },
                        open: meld.is_some_and(|meld| meld.open),
                        added: meld.is_some_and(|meld| meld.added),
                        claimed: meld
                            .and_then(|meld| meld.claimed)
                            .map(|tile| Notation::Ujmj.print_one(tile)),
                        from: meld.and_then(|meld| meld.from).map(Seat::letter),
                    };
                    self.melds(seat).map(show).collect()
                })
                .collect(),
            flowers: Seat::all(self.players())
                .map(|seat| print(&mut self.flowers(seat).iter().map(Tile::flower)))
                .collect(),
            discards: self
                .discards()
                .iter()
                .enumerate()
                .map(|(place, discard)| DiscardSnapshot {
                    seat: discard.seat.letter(),
                    tile: Notation::Ujmj.print_one(discard.tile),
                    drawn: discard.drawn,
                    claimed: discard.claimed,
                    riichi: is_riichi(place, discard),
                })
                .collect(),
            legal: Vec::new(),
        }
    }
}

impl ActionSnapshot {
    /// An action with its tiles, which a grammar is needed for.
    pub(crate) fn new(action: Action, grammar: &Grammar) -> Self {
        let words = action.describe(grammar);
        Self { action, words }
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.snapshot(), f)
    }
}

/// What one seat may know, owned: for logs and for programs in other languages. Tiles are in
/// `ujmj` notation, lists go by seat from the dealer on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Snapshot {
    /// Whose view it is.
    pub seat: char,
    /// How many players.
    pub players: usize,
    /// The player who deals, from 0; his seat is East.
    pub dealer: usize,
    /// The wind of the round.
    pub round: char,
    /// The seat's own concealed tiles.
    pub hand: String,
    /// The tile just drawn.
    pub drawn: Option<String>,
    /// Whose turn it is.
    pub turn: Option<char>,
    /// The discard that the seat may claim, and who discarded it. That others may claim one is not told.
    pub claimable: Option<(String, char)>,
    /// Whose kong, laid face down, the seat may challenge.
    pub challengeable: Option<char>,
    /// The seat that may end the match now.
    pub may_end_match: Option<char>,
    /// What each seat has announced of its hand.
    pub announced: Vec<Option<Announcement>>,
    /// Whose hands are dead.
    pub dead: Vec<bool>,
    /// Who has declared riichi.
    pub riichi: Vec<bool>,
    /// The seat itself may not win off what others give.
    pub furiten: bool,
    /// Totals when the deal began, less what was deposited since, and once play is over with what the deal brought.
    pub points: Vec<i64>,
    /// Counters on the table.
    pub counters: u32,
    /// Deposits on the table.
    pub deposits: u32,
    /// Ordinary draws left.
    pub draws_left: usize,
    /// Indicators that lie face up.
    pub turned: String,
    /// The pile of discards in tile order, one or two tiles a stack.
    pub pile: Vec<String>,
    /// Concealed tiles of each seat.
    pub concealed: Vec<usize>,
    /// Melds of each seat.
    pub melds: Vec<Vec<MeldSnapshot>>,
    /// Flowers laid down by each seat.
    pub flowers: Vec<String>,
    /// All discards in the order of play.
    pub discards: Vec<DiscardSnapshot>,
    /// What the seat may do now, in the order of [`Legal::iter`](super::Legal::iter).
    pub legal: Vec<ActionSnapshot>,
}

/// A legal action in a [`Snapshot`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ActionSnapshot {
    /// The action, to be given back.
    pub action: Action,
    /// What it is, with its tiles.
    pub words: String,
}

/// A stack of a sorted pile of discards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PileStack {
    /// The tile.
    pub tile: Tile,
    /// One or two of them.
    pub height: u8,
}

/// A meld in a [`Snapshot`]; `????` for a kong that lies face down.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeldSnapshot {
    /// The tiles.
    pub tiles: String,
    /// Shown with a claimed tile.
    pub open: bool,
    /// A kong that was a pung on the table before.
    pub added: bool,
    /// The claimed tile.
    pub claimed: Option<String>,
    /// Whose tile it was.
    pub from: Option<char>,
}

/// A discard in a [`Snapshot`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DiscardSnapshot {
    /// Who discarded.
    pub seat: char,
    /// The tile.
    pub tile: String,
    /// It was the tile just drawn.
    pub drawn: bool,
    /// Somebody claimed it.
    pub claimed: bool,
    /// Riichi was declared with it.
    pub riichi: bool,
}
