//! [`Agent`]: who decides for a seat.

use crate::random::Stream;
use crate::state::{Action, Event, Legal, View};

/// Decides for a seat. The agents of the crate end the match whenever they may, because only a leading dealer
/// may.
pub trait Agent: Send {
    /// A deal begins. The stream is the agent's own source of random numbers for the deal.
    fn begin(&mut self, _stream: Stream) {}

    /// Chooses one of the legal actions. There is at least one.
    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action;

    /// Something happened, as the agent's seat sees it.
    ///
    /// An agent hears of events just before it decides, and of the rest when the deal is over. So the time of
    /// a call tells it nothing. A server for people must hide the time as well: a pause after a discard would
    /// tell that somebody may claim it. Such a server waits just as long when nobody may.
    fn notice(&mut self, _event: &Event) {}

    /// False for an agent that ignores events. It is then told of none.
    fn listens(&self) -> bool {
        true
    }
}
