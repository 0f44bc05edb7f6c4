//! [`Request`] and its parts.

use crate::game::Outcome;
use crate::hand::Hand;
use crate::meld::{Family, Meld};
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::{DealState, FlagSet, OnTable, TurnedTile, Way, Win};
use crate::tile::{Tile, Wind};
use crate::wall::IndicatorOrder;

/// A declared meld, not checked yet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Declared {
    /// Three tiles or more in any order. A joker is at the place of the tile that it replaces.
    pub tiles: Vec<Tile>,
    /// False for a concealed kong, and for a meld that was laid down concealed.
    pub open: bool,
    /// True for a kong that was made from a pung on the table.
    pub added: bool,
    /// The seat that discarded the claimed tile, if known.
    pub from: Option<Seat>,
}

impl Declared {
    /// An open meld.
    pub fn open(tiles: impl Into<Vec<Tile>>) -> Self {
        Self {
            open: true,
            ..Self::concealed(tiles)
        }
    }

    /// A concealed meld.
    pub fn concealed(tiles: impl Into<Vec<Tile>>) -> Self {
        Self {
            tiles: tiles.into(),
            ..Self::default()
        }
    }
}

impl From<&Meld> for Declared {
    fn from(meld: &Meld) -> Self {
        Self {
            tiles: meld.tiles().collect(),
            open: meld.open,
            added: meld.added && meld.group.family() == Family::Kong,
            from: meld.from.filter(|_| meld.open),
        }
    }
}

/// The hand of one seat, not checked yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SeatHand {
    /// The seat.
    pub seat: Seat,
    /// Concealed tiles in no declared meld, without the winning tile.
    pub concealed: Vec<Tile>,
    /// Melds in the order in which they were declared.
    pub melds: Vec<Declared>,
    /// Bonus tiles laid aside.
    pub aside: Vec<Tile>,
    /// A dead hand. It may have any number of tiles.
    pub dead: bool,
    /// The seat has won before and is out of play. It neither pays nor is paid.
    pub out: bool,
}

impl SeatHand {
    /// A hand of concealed tiles.
    pub fn new(seat: Seat, concealed: impl Into<Vec<Tile>>) -> Self {
        Self {
            seat,
            concealed: concealed.into(),
            melds: Vec::new(),
            aside: Vec::new(),
            dead: false,
            out: false,
        }
    }

    /// A hand at a table.
    pub fn of(seat: Seat, hand: &Hand) -> Self {
        Self {
            melds: hand.melds.iter().map(Declared::from).collect(),
            aside: hand.aside.tiles().collect(),
            dead: hand.dead,
            ..Self::new(seat, hand.tiles().collect::<Vec<_>>())
        }
    }
}

/// How a deal without a win ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoWin {
    /// The wall was exhausted. These seats discarded nothing but kinds for which they are paid.
    Exhausted {
        /// The seats.
        nagashi: SeatSet,
    },
    /// An abortive draw, without payments.
    Aborted,
    /// A seat declared a false win.
    FalseWin(Seat),
}

/// A hand to be scored, or a table to be settled, not checked yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The prevailing wind.
    pub round: Wind,
    /// One hand, or every hand of the table in seat order.
    pub hands: Vec<SeatHand>,
    /// The winners and their wins. The giver of the tile may be unknown if there is one hand.
    pub wins: Vec<(Seat, Win)>,
    /// Face-up indicators.
    pub indicators: Vec<Tile>,
    /// Indicators under the face-up ones.
    pub under_indicators: Vec<Tile>,
    /// Tiles that were turned face up for rows of `[turned]`.
    pub turned: Vec<TurnedTile>,
    /// Counters and deposits.
    pub on_table: OnTable,
    /// How a deal without a win ended. `None` means an exhausted wall.
    pub no_win: Option<NoWin>,
}

impl Request {
    /// A request for the score of a hand that the dealer wins with a drawn tile, in the East round. Change this with
    /// [`Request::seat`], [`Request::off`] and the fields.
    ///
    /// ```
    /// use paishan::{Request, Rules, Seat};
    /// let rules = Rules::by_id("woo")?;
    /// let request = Request::won(&"111234567s55s67s".parse()?, "8s".parse()?);
    /// let request = request.seat(Seat::NORTH).off(Seat::WEST);
    /// assert_eq!(rules.score(&request)?.points, 144);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn won(hand: &Hand, tile: Tile) -> Self {
        Self::of_hand(SeatHand::of(Seat::EAST, hand), Some(Win::drawn(tile)))
    }

    /// The same request, of one hand, with the hand and its win at another seat.
    #[must_use]
    pub fn seat(mut self, seat: Seat) -> Self {
        if let Some(hand) = self.hands.first_mut() {
            let wins = self.wins.iter_mut();
            for win in wins.filter(|(winner, _)| *winner == hand.seat) {
                win.0 = seat;
            }
            hand.seat = seat;
        }
        self
    }

    /// The same request with wins off a discard of this seat.
    #[must_use]
    pub fn off(mut self, from: Seat) -> Self {
        for (_, win) in &mut self.wins {
            (win.way, win.from) = (Way::Discard, Some(from));
        }
        self
    }

    /// The same request with these circumstances of the wins in place of others, such as riichi: see
    /// [`Plan::flag_set`](crate::ruleset::Plan::flag_set).
    #[must_use]
    pub fn flags(mut self, flags: FlagSet) -> Self {
        for (_, win) in &mut self.wins {
            win.flags = flags;
        }
        self
    }

    /// A request for the score of one hand, in the East round. Without a win the hand is that of a loser.
    pub fn of_hand(hand: SeatHand, win: Option<Win>) -> Self {
        let wins = win.map(|win| (hand.seat, win));
        Self::of_table(vec![hand], wins.into_iter().collect())
    }

    /// A request for the payments between the seats of a table, in the East round.
    pub fn of_table(hands: Vec<SeatHand>, wins: Vec<(Seat, Win)>) -> Self {
        Self {
            round: Wind::East,
            hands,
            wins,
            indicators: Vec::new(),
            under_indicators: Vec::new(),
            turned: Vec::new(),
            on_table: OnTable::default(),
            no_win: None,
        }
    }

    /// The request for a deal with a winner, or for a part of a deal as reported by
    /// [`Observer::paid`](crate::game::Observer::paid). Together with the ruleset it determines the settlement.
    ///
    /// Where play goes on after a win, a request for the whole deal cannot be settled. Payments for kongs are not part
    /// of a request.
    ///
    /// ```
    /// use paishan::game::{Observer, Outcome};
    /// use paishan::request::Request;
    /// use paishan::ruleset::Ruleset;
    /// use paishan::state::DealState;
    /// use paishan::{Rules, agent, simulate};
    ///
    /// struct Check<'a>(&'a dyn Ruleset, u32);
    /// impl Observer for Check<'_> {
    ///     fn paid(&mut self, state: &DealState, part: &Outcome) {
    ///         if !part.wins().is_empty() {
    ///             let request = Request::of_deal(self.0.plan(), state, part);
    ///             let table = request.check(self.0).expect("it was played by these rules");
    ///             assert_eq!(table.settle().as_ref(), Ok(&part.settlement));
    ///             self.1 += 1;
    ///         }
    ///     }
    /// }
    /// let woo = Rules::by_id("woo")?;
    /// let mut agents = agent::for_all("greedy", woo.plan())?;
    /// let mut check = Check(&woo, 0);
    /// simulate::play(&woo, &mut agents, 7, &mut check)?;
    /// assert!(check.1 > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_deal(plan: &Plan, state: &DealState, outcome: &Outcome) -> Self {
        let hand = |seat: Seat| {
            let own = outcome.wins.iter().find(|(winner, _)| *winner == seat);
            let (now, before) = (own.map(|(_, win)| win), state.win_of(seat));
            let Some(win) = now.or(before) else {
                return SeatHand::of(seat, state.hand(seat));
            };
            SeatHand {
                out: now.is_none(),
                ..SeatHand::of(seat, &state.hand_before(seat, win))
            }
        };
        let is_under = plan.wall.indicators == Some(IndicatorOrder::TopsBeyondReplacements);
        let mut request = Self {
            round: state.round(),
            turned: state.turned().to_vec(),
            on_table: state.on_table(),
            ..Self::of_table(
                Seat::all(state.players()).map(hand).collect(),
                outcome.wins.to_vec(),
            )
        };
        if plan.wall.indicators.is_some() {
            request.indicators = state.wall().turned().collect();
        }
        if is_under {
            request.under_indicators = plan.ura(state).collect();
        }
        request
    }
}
