//! Agents that use only the legal actions, and choices that all agents share.

use super::interface::Agent;
use crate::counts::Counts;
use crate::random::Stream;
use crate::state::{Action, Legal, View};
use crate::tile::Kind;

/// When a random agent picks a false win, it declares it only once in this many times. Otherwise most deals
/// would end with a false win.
const FALSE_WIN_ONE_IN: u32 = 500;

/// Chooses any legal action, all equally likely, except that false wins are very rare.
#[derive(Clone, Debug)]
pub struct Random {
    stream: Stream,
}

impl Random {
    /// A random agent. [`Agent::begin`] gives it a stream for each deal.
    pub fn new() -> Self {
        Self {
            stream: Stream::new(0, 0),
        }
    }

    /// Chooses an action when the match may end or a false win may be declared.
    #[inline(never)]
    fn decide_rarely(&mut self, legal: &Legal) -> Action {
        if legal.contains(Action::EndMatch) {
            return Action::EndMatch;
        }
        let stream = &mut self.stream;
        let action = legal.pick(|len| {
            let place = stream.below(len as u32) as usize;
            // The false win is the last action.
            if place == len - 1 && len > 1 && stream.below(FALSE_WIN_ONE_IN) != 0 {
                return stream.below(len as u32 - 1) as usize;
            }
            place
        });
        action.unwrap_or(Action::Pass)
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent for Random {
    fn listens(&self) -> bool {
        false
    }

    fn begin(&mut self, stream: Stream) {
        self.stream = stream;
    }

    #[inline]
    fn decide(&mut self, _view: &View<'_>, legal: &Legal) -> Action {
        if legal.contains(Action::EndMatch) || legal.contains(Action::FalseWin) {
            return self.decide_rarely(legal);
        }
        let action = legal.pick(|len| self.stream.below(len as u32) as usize);
        action.unwrap_or(Action::Pass)
    }
}

/// Chooses the first legal action, but ends the match when it may. The agent passes on every discard and wins only with
/// tiles that it draws. Otherwise it announces, makes kongs, lays down, or discards from the front of its hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Agent for First {
    fn listens(&self) -> bool {
        false
    }

    fn decide(&mut self, _view: &View<'_>, legal: &Legal) -> Action {
        let ends = legal.contains(Action::EndMatch).then_some(Action::EndMatch);
        ends.or(legal.nth(0)).unwrap_or(Action::Pass)
    }
}

/// Actions that agents always take: a win, an announcement, a draw, or the end of the match.
pub(super) fn at_once(legal: &Legal) -> Option<Action> {
    [
        (legal.contains(Action::Win), Action::Win),
        (legal.contains(Action::Stand), Action::Stand),
        (legal.contains(Action::Riichi), Action::Riichi),
        (legal.contains(Action::NineOrphans), Action::NineOrphans),
        (legal.contains(Action::EndMatch), Action::EndMatch),
    ]
    .into_iter()
    .find_map(|(can, action)| can.then_some(action))
}

/// The copies of each kind that the seat has not seen, without barred kinds.
pub(super) fn unseen(copies: &Counts, view: &View<'_>) -> Counts {
    let unseen = copies.saturating_minus(&view.seen());
    unseen.without_kinds(view.barred_kinds())
}

/// The discard of a kind. A red five stays if there is a plain five. A tile held before goes before the drawn
/// one.
pub(super) fn discard_of(legal: &Legal, kind: Kind) -> Action {
    let discard = legal.discard_of(kind);
    discard
        .or_else(|| legal.iter().last())
        .unwrap_or(Action::Pass)
}
