//! [`Agent`]: decides for a seat.

use super::reasons::Decision;
use crate::random::Stream;
use crate::seat::Seat;
use crate::state::{Action, Event, Legal, View};

/// Decides for a seat. The agents of the crate end the match whenever they may, because only a leading dealer has this
/// choice.
pub trait Agent: Send {
    /// A deal begins. The stream is the agent's own source of random numbers for the deal.
    fn begin(&mut self, _stream: Stream) {}

    /// Chooses one of the legal actions. There is at least one.
    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action;

    /// Decides like [`Agent::decide`], and says why. The action is the same, and so are all later decisions. Without an
    /// implementation of its own an agent has weighed nothing that it could tell.
    ///
    /// ```
    /// use paishan::agent::{Agent, Value};
    /// use paishan::{Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let deal = Match::new(&woo, 7).start_deal();
    /// let seat = deal.state().waiting().first().expect("the dealer discards");
    /// let (view, legal) = (deal.state().view(seat), deal.legal(seat));
    /// let decision = Value::new(woo.plan()).explain(&view, legal);
    /// assert_eq!(decision.action, Value::new(woo.plan()).decide(&view, legal));
    /// let best = decision.weighed.iter().find(|one| one.action == decision.action);
    /// let goal = &best.expect("the discard was weighed").goals[0];
    /// assert!(goal.distance > 0 && !goal.accepts.is_empty());
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    fn explain(&mut self, view: &View<'_>, legal: &Legal) -> Decision {
        Decision {
            action: self.decide(view, legal),
            weighed: Vec::new(),
        }
    }

    /// An event happened, as the agent's seat sees it.
    ///
    /// An agent is notified of events just before it decides, and of the rest when the deal is over, so the time of a
    /// call reveals nothing. A server for human players must hide the time as well: a pause after a discard would
    /// reveal that a seat may claim it. Such a server waits just as long when no seat may.
    fn notice(&mut self, _event: &Event) {}

    /// Returns false if the agent ignores events. It is then not notified.
    fn listens(&self) -> bool {
        true
    }
}

/// Notifies an agent of events, if it listens.
pub(crate) fn notify(agent: &mut dyn Agent, seat: Seat, events: &[Event]) {
    if agent.listens() {
        for event in events {
            agent.notice(&event.seen_by(seat));
        }
    }
}
