//! [`Observer`]: observes a table.

use super::match_state::{MatchState, Next};
use super::outcome::Outcome;
use crate::seat::Seat;
use crate::state::{Action, DealState, Event, Legal};

/// Observes a table, for logs, statistics and machine learning. Every method does nothing by default, and `()` ignores
/// everything. A deal reports only its own events. Code that plays a match, such as
/// [`simulate::play`](crate::simulate::play), reports the match as well.
///
/// An observer sees everything at once. It should forward events to a player only when that player is asked, or when
/// the deal is over. Otherwise the time of a message would reveal whether others may claim a discard.
///
/// The trait is dyn-compatible, and several observers may watch one table:
///
/// ```
/// use paishan::Rules;
/// use paishan::game::{Match, Moves, Observer};
/// use paishan::simulate::Summary;
/// let series = Match::new(Rules::by_id("woo")?, 7);
/// let (mut summary, mut moves) = (Summary::default(), Moves::new(7));
/// let mut all: Vec<&mut dyn Observer> = vec![&mut summary, &mut moves];
/// let mut deal = series.start_deal_observed(&mut all);
/// let dealer = deal.state().waiting().first().expect("the dealer discards");
/// let discard = deal.legal(dealer).iter().last().expect("a discard");
/// deal.act_observed(dealer, discard, &mut all)?;
/// assert_eq!(moves.decisions(), [(dealer, discard)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// A match begins.
    fn match_started(&mut self, _series: &MatchState) {}
    /// The tiles are dealt, and nothing is drawn yet.
    fn deal_started(&mut self, _state: &DealState) {}
    /// A seat has chosen one of its legal actions. Called before the action is carried out.
    fn decided(&mut self, _state: &DealState, _seat: Seat, _legal: &Legal, _action: Action) {}
    /// An event happened. The state is the one after the event.
    fn event(&mut self, _state: &DealState, _event: &Event) {}
    /// A part of a deal was settled and paid: a win after which play goes on, a kong that is paid at once, the end of play.
    /// The outcome is only that part of the deal. The state is the one after the payment.
    fn paid(&mut self, _state: &DealState, _part: &Outcome) {}
    /// A deal is over, and its match has recorded it.
    fn deal_ended(
        &mut self,
        _series: &MatchState,
        _state: &DealState,
        _outcome: &Outcome,
        _next: Next,
    ) {
    }
    /// A match is over.
    fn match_ended(&mut self, _series: &MatchState) {}
    /// Returns false to stop the match before the next deal.
    fn wants_more(&self) -> bool {
        true
    }
}

impl Observer for () {}

/// Implements [`Observer`] for a type that forwards every call. The last argument says when it wants more.
macro_rules! passes_on {
    ($(#[$doc:meta])* [$($param:tt)*] $type:ty, |$self:ident| $tell:ident, $all:expr) => {
        $(#[$doc])*
        impl<$($param)*> Observer for $type {
            #[inline]
            fn match_started(&mut $self, series: &MatchState) {
                $tell!($self, match_started(series));
            }
            #[inline]
            fn deal_started(&mut $self, state: &DealState) {
                $tell!($self, deal_started(state));
            }
            #[inline]
            fn decided(&mut $self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
                $tell!($self, decided(state, seat, legal, action));
            }
            #[inline]
            fn event(&mut $self, state: &DealState, event: &Event) {
                $tell!($self, event(state, event));
            }
            #[inline]
            fn paid(&mut $self, state: &DealState, part: &Outcome) {
                $tell!($self, paid(state, part));
            }
            #[inline]
            fn deal_ended(
                &mut $self,
                series: &MatchState,
                state: &DealState,
                outcome: &Outcome,
                next: Next,
            ) {
                $tell!($self, deal_ended(series, state, outcome, next));
            }
            #[inline]
            fn match_ended(&mut $self, series: &MatchState) {
                $tell!($self, match_ended(series));
            }
            #[inline]
            fn wants_more(&$self) -> bool {
                $all
            }
        }
    };
}

macro_rules! tell_one {
    ($self:ident, $($call:tt)*) => { (**$self).$($call)* };
}

macro_rules! tell_both {
    ($self:ident, $($call:tt)*) => {{
        $self.0.$($call)*;
        $self.1.$($call)*;
    }};
}

macro_rules! tell_each {
    ($self:ident, $($call:tt)*) => {
        for each in $self.iter_mut() {
            each.$($call)*;
        }
    };
}

passes_on!([T: Observer + ?Sized] &mut T, |self| tell_one, (**self).wants_more());
passes_on!([T: Observer + ?Sized] Box<T>, |self| tell_one, (**self).wants_more());
passes_on!(
    /// Two observers of one table, of any types.
    [A: Observer, B: Observer] (A, B), |self| tell_both, self.0.wants_more() && self.1.wants_more()
);
passes_on!(
    /// Any number of observers of one table.
    [T: Observer] Vec<T>, |self| tell_each, self.iter().all(T::wants_more)
);
passes_on!(
    /// An optional observer.
    [T: Observer] Option<T>, |self| tell_each, self.iter().all(T::wants_more)
);

const _: Option<&dyn Observer> = None;
