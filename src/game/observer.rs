//! [`Observer`]: who watches a table.

use super::{Match, Next, Outcome};
use crate::ruleset::Ruleset;
use crate::seat::Seat;
use crate::state::{Action, DealState, Event, Legal};

/// Watches a table: for logs, statistics and learners. Every method has an empty default, and `()`
/// watches nothing. A deal played alone tells of the deal only; whoever plays a match, such as
/// [`simulate::play`](crate::simulate::play), tells of the match as well.
///
/// An observer sees everything at once. What it passes on to a player it passes on when he is asked, or the deal is over:
/// when he hears of a discard would tell whether others may claim it.
pub trait Observer {
    /// A match begins.
    fn match_started(&mut self, _series: &Match<&dyn Ruleset>) {}
    /// Tiles are dealt, nothing is drawn yet.
    fn deal_started(&mut self, _state: &DealState) {}
    /// A seat chooses one of several actions; called before anything follows from it.
    fn decided(&mut self, _state: &DealState, _seat: Seat, _legal: &Legal, _action: Action) {}
    /// Something happened; the state is the one after it.
    fn event(&mut self, _state: &DealState, _event: &Event) {}
    /// A deal is over and booked in its match.
    fn deal_ended(
        &mut self,
        _series: &Match<&dyn Ruleset>,
        _state: &DealState,
        _outcome: &Outcome,
        _next: Next,
    ) {
    }
    /// A match is over.
    fn match_ended(&mut self, _series: &Match<&dyn Ruleset>) {}
    /// False for an observer that has seen enough: whoever plays the match stops before the next
    /// deal.
    fn wants_more(&self) -> bool {
        true
    }
}

impl Observer for () {}

impl<T: Observer> Observer for &mut T {
    fn match_started(&mut self, series: &Match<&dyn Ruleset>) {
        (**self).match_started(series);
    }
    fn deal_started(&mut self, state: &DealState) {
        (**self).deal_started(state);
    }
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        (**self).decided(state, seat, legal, action);
    }
    fn event(&mut self, state: &DealState, event: &Event) {
        (**self).event(state, event);
    }
    fn deal_ended(
        &mut self,
        series: &Match<&dyn Ruleset>,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        (**self).deal_ended(series, state, outcome, next);
    }
    fn match_ended(&mut self, series: &Match<&dyn Ruleset>) {
        (**self).match_ended(series);
    }
    fn wants_more(&self) -> bool {
        (**self).wants_more()
    }
}

/// Two observers of one table.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn match_started(&mut self, series: &Match<&dyn Ruleset>) {
        self.0.match_started(series);
        self.1.match_started(series);
    }
    fn deal_started(&mut self, state: &DealState) {
        self.0.deal_started(state);
        self.1.deal_started(state);
    }
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        self.0.decided(state, seat, legal, action);
        self.1.decided(state, seat, legal, action);
    }
    fn event(&mut self, state: &DealState, event: &Event) {
        self.0.event(state, event);
        self.1.event(state, event);
    }
    fn deal_ended(
        &mut self,
        series: &Match<&dyn Ruleset>,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        self.0.deal_ended(series, state, outcome, next);
        self.1.deal_ended(series, state, outcome, next);
    }
    fn match_ended(&mut self, series: &Match<&dyn Ruleset>) {
        self.0.match_ended(series);
        self.1.match_ended(series);
    }
    fn wants_more(&self) -> bool {
        self.0.wants_more() && self.1.wants_more()
    }
}
