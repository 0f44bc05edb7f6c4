//! [`View`] and [`Snapshot`]: everything that one seat may know.

use super::{
    Action, Announcement, Claims, DealState, Discard, DrawSource, MeldTiles, OnTable,
    OpeningChoice, Phase, Progress, Riichi, TurnedTile, Window,
};
use crate::aside::Aside;
use crate::counts::Counts;
use crate::hand::Hand;
use crate::meld::Meld;
use crate::notation::Notation;
use crate::random::Stream;
use crate::seat::{BySeat, Player, Seat};
use crate::set::KindSet;
use crate::tile::{Kind, Suit, Tile, Wind};
use std::fmt;

/// What one seat may know of a deal, borrowed. It gives no access to the order of the wall, to other hands or
/// to answers that are still hidden.
#[derive(Clone, Copy)]
pub struct View<'a> {
    state: &'a DealState,
    seat: Seat,
}

/// The kind of a decision outside a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AskedFor {
    Discard,
    Kong,
    Challenge,
    BonusTile,
    Exchange,
    MissingSuit,
    Show,
    Turned,
    End,
}

impl DealState {
    /// The view of a seat.
    ///
    /// ```
    /// use paishan::{Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let series = Match::new(&woo, 7);
    /// let deal = series.start_deal();
    /// let dealer = deal.state().waiting().first().expect("the dealer discards");
    /// let view = deal.state().view(dealer);
    /// assert_eq!(view.hand().size(), 14);
    /// assert_eq!(view.concealed_len(dealer.next(view.players())), 13);
    /// assert!(view.discards().is_empty() && view.turn() == Some(dealer));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, seat: Seat) -> View<'_> {
        View::new(self, seat)
    }

    /// The information that all seats have, for spectators.
    ///
    /// It shows the table after the last action: a tile that has just been drawn still counts as part of the wall, and no
    /// seat is on turn. So an ordinary draw does not tell whether a seat was asked about the discard before it. Whatever
    /// else follows at once where no seat is asked does tell: the deposit of a riichi, a drawn flower, the replacement of a
    /// kong or of a tile set aside, an abortive draw, the end of the wall. There a server must wait equally long.
    pub fn public_snapshot(&self) -> Snapshot {
        let east = self.view(Seat::EAST).snapshot();
        let mut shown = Snapshot {
            seat: None,
            hand: String::new(),
            drawn: None,
            turn: None,
            claimable: None,
            challengeable: None,
            furiten: false,
            exchanged: String::new(),
            ..east
        };
        // The owner sees the tiles of kongs that lie face down.
        let by_others = self.view(Seat::SOUTH).snapshot().melds;
        for (own, shown) in by_others.into_iter().zip(&mut shown.melds).take(1) {
            *shown = own;
        }
        if let Phase::Turn(turn) = &self.phase
            && turn.drawn.is_some()
            && turn.source == DrawSource::Wall
        {
            shown.draws_left += 1;
            if let Some(concealed) = shown.concealed.get_mut(turn.seat.index()) {
                *concealed -= 1;
            }
        }
        shown
    }
}

impl<'a> View<'a> {
    pub(super) fn new(state: &'a DealState, seat: Seat) -> Self {
        Self { state, seat }
    }

    /// The whole state, for pictures that show no more than the view.
    pub(crate) fn state(&self) -> &'a DealState {
        self.state
    }

    /// The seat whose view this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// How many players sit at the table.
    pub fn players(&self) -> usize {
        self.state.players()
    }

    /// The hash of the rules that the deal is played under: [`DealState::rules_hash`].
    #[inline]
    pub fn rules_hash(&self) -> u64 {
        self.state.rules_hash
    }

    /// The wind of the round.
    pub fn round(&self) -> Wind {
        self.state.round
    }

    /// The dealer.
    pub fn dealer(&self) -> Player {
        self.state.dealer
    }

    /// The progress of the match. Its [`match_id`](Progress::match_id) is 0, because a seed can be found from it.
    pub fn progress(&self) -> Progress {
        Progress {
            match_id: 0,
            ..self.state.progress
        }
    }

    /// Counters and deposits.
    pub fn on_table(&self) -> OnTable {
        self.state.on_table
    }

    /// The total of a seat in the least unit of the ruleset, with what was paid since the deal began. Once play is
    /// over, the deal's result is included.
    pub fn points(&self, seat: Seat) -> i64 {
        self.state.points[seat]
    }

    /// [`View::points`] of all seats.
    #[inline]
    pub(crate) fn all_points(&self) -> &'a BySeat<i64> {
        &self.state.points
    }

    /// The riichi that a seat has declared.
    pub fn riichi(&self, seat: Seat) -> Option<Riichi> {
        self.state.riichi[seat]
    }

    /// True when the seat itself is furiten: it may not win off other players' tiles.
    pub fn is_furiten(&self) -> bool {
        self.state.is_furiten(self.seat)
    }

    /// The seat's own hand.
    #[inline]
    pub fn hand(&self) -> &'a Hand {
        &self.state.hands[self.seat]
    }

    /// The open hand of a seat that has won and is out of play. `None` for a seat that is in play.
    pub fn shown_hand(&self, seat: Seat) -> Option<&'a Hand> {
        let is_out = self.state.out.contains(seat);
        is_out.then_some(&self.state.hands[seat])
    }

    /// The suit that a seat has chosen to do without. `None` if the ruleset has no such step, and until all seats have
    /// chosen theirs.
    pub fn missing_suit(&self, seat: Seat) -> Option<Suit> {
        self.state.missing_suit(seat)
    }

    /// True while the seat holds barred tiles.
    pub fn holds_barred(&self) -> bool {
        self.state.holds_barred(self.seat)
    }

    /// The tiles that the seat has chosen to pass so far. The seat still holds them.
    pub fn chosen_for_exchange(&self) -> &'a [Kind] {
        match &self.state.phase {
            Phase::Opening(opening) => &opening.chosen[self.seat].tiles,
            _ => &[],
        }
    }

    /// The place of the step before the first turn that is in play, among those of the ruleset.
    pub(crate) fn opening_step(&self) -> Option<usize> {
        match &self.state.phase {
            Phase::Opening(opening) => Some(usize::from(opening.step)),
            _ => None,
        }
    }

    /// The melds of a seat. `None` is another seat's kong that lies face down.
    pub fn melds(&self, seat: Seat) -> impl ExactSizeIterator<Item = Option<&'a Meld>> + use<'a> {
        let own = seat == self.seat;
        let melds = self.state.hands[seat].melds.iter();
        melds.map(move |meld| (own || !meld.hidden).then_some(meld))
    }

    /// The seat out of whose meld of these tiles [`Action::Swap`] takes a wild tile: of equal melds that of the nearest in turn
    /// order, the viewing seat first. `None` if nobody in play has such a meld.
    pub fn swap_owner(&self, tiles: MeldTiles) -> Option<Seat> {
        self.state.swap_owner(self.seat, tiles)
    }

    /// The bonus tiles that lie beside the hand of a seat.
    pub fn aside(&self, seat: Seat) -> Aside {
        self.state.hands[seat].aside
    }

    /// The indicators that lie face up, in the order in which they were turned.
    pub fn turned(&self) -> impl ExactSizeIterator<Item = Tile> + 'a {
        self.state.wall.turned()
    }

    /// The tiles that were turned face up from the wall for rows of `[turned]`, in the order in which they were turned.
    pub fn turned_tiles(&self) -> &'a [TurnedTile] {
        self.state.turned()
    }

    /// All unclaimed discards as one pile, sorted in tile order and stacked two high.
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

    /// A possible state of the deal, with everything that the seat cannot see shuffled ([`DealState::imagined_by`]).
    ///
    /// ```
    /// use paishan::{Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let series = Match::new(&woo, 7);
    /// let deal = series.start_deal();
    /// let dealer = deal.state().waiting().first().expect("the dealer discards");
    /// use paishan::game::Deal;
    /// use paishan::random::Stream;
    /// // The other hands are shuffled, the own hand stays. The imagined deal can be played on.
    /// let imagined = deal.state().view(dealer).imagine(&mut Stream::new(1, 0));
    /// assert_eq!(imagined.hand(dealer), deal.state().hand(dealer));
    /// let world = Deal::resume(&woo, imagined)?;
    /// assert_eq!(world.legal(dealer), deal.legal(dealer));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn imagine(&self, stream: &mut Stream) -> DealState {
        self.state.imagined_by(self.seat, stream)
    }

    /// What a seat has announced about its hand.
    pub fn announced(&self, seat: Seat) -> Option<Announcement> {
        self.state.announced(seat)
    }

    /// True when a judge has declared the hand of a seat dead.
    pub fn is_dead(&self, seat: Seat) -> bool {
        self.state.hands[seat].dead
    }

    /// How many concealed tiles a seat holds.
    pub fn concealed_len(&self, seat: Seat) -> usize {
        self.state.hands[seat].concealed_len()
    }

    /// All discards in the order of play.
    pub fn discards(&self) -> &'a [Discard] {
        &self.state.discards
    }

    /// How many ordinary draws are left in the live wall.
    pub fn draws_left(&self) -> usize {
        self.state.wall.draws_left()
    }

    /// The seat on turn. `None` while a tile may be claimed and when play is over.
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

    /// The open window, if this seat is asked. The seat must not learn whether others are asked.
    fn asked(&self) -> Option<&'a Claims> {
        match &self.state.phase {
            Phase::Claims(claims) if claims.waiting.contains(self.seat) => Some(claims),
            _ => None,
        }
    }

    /// The tile that the seat may claim or win on now, and the seat that discarded or owns the tile: the dealer, if it was
    /// turned face up when the tiles were dealt.
    pub fn claimable(&self) -> Option<(Tile, Seat)> {
        let claims = self.asked()?;
        let is_shown = !matches!(claims.window, Window::Challenge(_));
        is_shown.then_some((claims.tile, claims.from))
    }

    /// The kind of decision that the seat must make besides its turn. `None` if it is not asked.
    pub(crate) fn asked_for(&self) -> Option<AskedFor> {
        match &self.state.phase {
            Phase::Opening(opening) if opening.waiting.contains(self.seat) => {
                Some(match opening.choice {
                    OpeningChoice::Exchange => AskedFor::Exchange,
                    OpeningChoice::MissingSuit => AskedFor::MissingSuit,
                    OpeningChoice::Show => AskedFor::Show,
                })
            }
            Phase::EndChoice => (self.seat == Seat::EAST).then_some(AskedFor::End),
            _ => self.asked().map(|claims| match claims.window {
                Window::Discard => AskedFor::Discard,
                Window::AddedKong(_) | Window::ConcealedKong(_) => AskedFor::Kong,
                Window::Challenge(_) => AskedFor::Challenge,
                Window::Aside(_) => AskedFor::BonusTile,
                Window::Turned => AskedFor::Turned,
            }),
        }
    }

    /// True in a turn of the seat that began with a replacement.
    pub(crate) fn drew_replacement(&self) -> bool {
        match &self.state.phase {
            Phase::Turn(turn) if turn.seat == self.seat => {
                turn.drawn.is_some() && turn.source != DrawSource::Wall
            }
            _ => false,
        }
    }

    /// True for a seat that has won and is out of play.
    pub(crate) fn has_won(&self, seat: Seat) -> bool {
        self.state.out.contains(seat)
    }

    /// The kinds that the seat may not keep or win with.
    pub(crate) fn barred_kinds(&self) -> KindSet {
        self.state.barred_kinds(self.seat)
    }

    /// A superset of the kinds that complete the seat's hand, the drawn tile left out.
    pub(crate) fn cached_waits(&self) -> KindSet {
        self.state.cache.waits[self.seat]
    }

    /// The owner of a face-down kong that the seat may challenge now.
    pub fn challengeable(&self) -> Option<Seat> {
        let claims = self.asked()?;
        matches!(claims.window, Window::Challenge(_)).then_some(claims.from)
    }

    /// The seat that may end the match now. This is the dealer's seat, once play is over and the ruleset
    /// allows it.
    pub fn may_end_match(&self) -> Option<Seat> {
        matches!(self.state.phase, Phase::EndChoice).then_some(Seat::EAST)
    }

    /// All tiles that the seat sees: its own, those of winners, shown melds, tiles set aside, unclaimed discards, and
    /// indicators and other tiles of the wall that lie face up.
    pub fn seen(&self) -> Counts {
        let mut seen = *self.hand().concealed();
        for winner in self.state.out.iter().filter(|&seat| seat != self.seat) {
            for kind in self.state.hands[winner].tiles().filter_map(Tile::kind) {
                seen.try_add(kind);
            }
        }
        for seat in Seat::all(self.players()) {
            for meld in self.melds(seat).flatten() {
                meld.add_to(&mut seen);
            }
            let aside = self.aside(seat);
            if !aside.is_empty() {
                for kind in aside.kinds() {
                    seen.try_add(kind);
                }
            }
        }
        for kind in self.state.robbed.iter().filter_map(|tile| tile.kind()) {
            seen.try_add(kind);
        }
        for discard in self.discards() {
            if let Some(kind) = discard.tile.kind() {
                // Adds 0 instead of branching, because the processor would mispredict the branch. A set has at most
                // four copies of a kind, and each lies in one place.
                seen.add(kind, u8::from(!discard.claimed));
            }
        }
        for kind in self.turned().filter_map(Tile::kind) {
            seen.try_add(kind);
        }
        for kind in self.turned_tiles().iter().filter_map(|one| one.tile.kind()) {
            seen.try_add(kind);
        }
        seen
    }

    /// The view as an owned value without legal actions. [`Deal::snapshot`](crate::game::Deal::snapshot) has
    /// them.
    pub fn snapshot(&self) -> Snapshot {
        let print = |tiles: &mut dyn Iterator<Item = Tile>| Notation::Ujmj.print(tiles);
        let is_riichi = |place: usize, discard: &Discard| {
            let riichi = self.riichi(discard.seat);
            riichi.is_some_and(|riichi| usize::from(riichi.discard) == place)
        };
        Snapshot {
            seat: Some(self.seat.letter()),
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
            turned_tiles: print(&mut self.turned_tiles().iter().map(|turned| turned.tile)),
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
                            Some(meld) if meld.reds | meld.wild != 0 => {
                                Notation::Ujmj.print(meld.tiles())
                            }
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
                .map(|seat| print(&mut self.aside(seat).flowers().iter().map(Tile::flower)))
                .collect(),
            shown: Seat::all(self.players())
                .map(|seat| self.shown_hand(seat).map(|hand| print(&mut hand.tiles())))
                .collect(),
            missing_suits: Seat::all(self.players())
                .map(|seat| self.missing_suit(seat).map(Suit::letter))
                .collect(),
            exchanged: print(&mut self.chosen_for_exchange().iter().copied().map(Tile::from)),
            set_aside: Seat::all(self.players())
                .map(|seat| print(&mut self.aside(seat).kinds().map(Tile::from)))
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

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.snapshot(), f)
    }
}

/// What one seat may know, owned, for logs and for programs in other languages. Tiles are in `ujmj` notation. Lists by
/// seat begin with the dealer.
///
/// Send a snapshot to a seat only when the seat is asked. Between a discard and the next draw no seat is on turn, so a
/// snapshot taken then would reveal to a seat that another one is asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Snapshot {
    /// The seat whose view this is. `None` in [`DealState::public_snapshot`].
    pub seat: Option<char>,
    /// How many players sit at the table.
    pub players: usize,
    /// The number of the player who deals, from 0. The dealer sits East.
    pub dealer: usize,
    /// The wind of the round.
    pub round: char,
    /// The seat's own concealed tiles.
    pub hand: String,
    /// The tile just drawn.
    pub drawn: Option<String>,
    /// The seat on turn.
    pub turn: Option<char>,
    /// The tile that the seat may claim, and the seat that discarded or owns the tile. Possible claims of others are
    /// hidden.
    pub claimable: Option<(String, char)>,
    /// The owner of a face-down kong that the seat may challenge.
    pub challengeable: Option<char>,
    /// The seat that may end the match now.
    pub may_end_match: Option<char>,
    /// What each seat has announced about its hand.
    pub announced: Vec<Option<Announcement>>,
    /// Which seats have a dead hand.
    pub dead: Vec<bool>,
    /// Which seats have declared riichi.
    pub riichi: Vec<bool>,
    /// True when the seat itself may not win off other players' tiles.
    pub furiten: bool,
    /// The total of each seat, from the dealer on, in the least unit of the ruleset: points, or half points if it has
    /// them. Payments since the deal began are included (deposits, wins and kongs that are paid at once), and once play
    /// is over the deal's result.
    pub points: Vec<i64>,
    /// Counters on the table.
    pub counters: u32,
    /// Deposits on the table.
    pub deposits: u32,
    /// How many ordinary draws are left in the live wall.
    pub draws_left: usize,
    /// Indicators that lie face up.
    pub turned: String,
    /// Other tiles that were turned face up from the wall.
    #[cfg_attr(feature = "serde", serde(default))]
    pub turned_tiles: String,
    /// The pile of unclaimed discards in tile order, with one or two tiles per stack.
    pub pile: Vec<String>,
    /// How many concealed tiles each seat holds.
    pub concealed: Vec<usize>,
    /// Melds of each seat.
    pub melds: Vec<Vec<MeldSnapshot>>,
    /// Flowers laid down by each seat.
    pub flowers: Vec<String>,
    /// The hands of seats that have won and are out of play.
    #[cfg_attr(feature = "serde", serde(default))]
    pub shown: Vec<Option<String>>,
    /// The letter of the suit that each seat does without.
    #[cfg_attr(feature = "serde", serde(default))]
    pub missing_suits: Vec<Option<char>>,
    /// The tiles that the seat has chosen to pass so far, still in its hand.
    #[cfg_attr(feature = "serde", serde(default))]
    pub exchanged: String,
    /// Tiles that each seat has set aside.
    #[cfg_attr(feature = "serde", serde(default))]
    pub set_aside: Vec<String>,
    /// All discards in the order of play.
    pub discards: Vec<DiscardSnapshot>,
    /// The seat's legal actions, in the order of [`Legal::iter`](super::Legal::iter).
    pub legal: Vec<ActionSnapshot>,
}

/// A legal action in a [`Snapshot`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ActionSnapshot {
    /// The action, to be sent back when the seat chooses it.
    pub action: Action,
    /// The action in words, with its tiles.
    pub words: String,
}

/// A stack of a sorted pile of discards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PileStack {
    /// The tile.
    pub tile: Tile,
    /// The number of tiles in the stack: one or two.
    pub height: u8,
}

/// A meld in a [`Snapshot`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeldSnapshot {
    /// The tiles. `????` is a kong that lies face down.
    pub tiles: String,
    /// True for a meld with a claimed tile.
    pub open: bool,
    /// True for a kong that was a pung on the table before.
    pub added: bool,
    /// The claimed tile.
    pub claimed: Option<String>,
    /// The seat that discarded the claimed tile.
    pub from: Option<char>,
}

/// A discard in a [`Snapshot`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DiscardSnapshot {
    /// The seat that discarded the tile.
    pub seat: char,
    /// The tile.
    pub tile: String,
    /// True when the tile had just been drawn.
    pub drawn: bool,
    /// True when the tile was claimed.
    pub claimed: bool,
    /// True when riichi was declared with this discard.
    pub riichi: bool,
}
