//! [`Slips`]: plays like another agent, with mistakes.

use super::interface::Agent;
use super::reasons::Decision;
use super::simple::{Random, at_once};
use crate::random::Stream;
use crate::state::{Action, Event, Legal, View};

/// Plays like another agent, but slips in a share of its decisions. Instead of asking the agent it then chooses like
/// [`Random`]. So agents of any strength between random play and the agent can be made.
///
/// It does not slip where all agents of the crate do the same: it takes every win, announces whenever it can, and ends
/// the match when it may. Its slips follow from the stream of [`Agent::begin`].
pub struct Slips {
    agent: Box<dyn Agent>,
    percent: u8,
    /// Decides when to slip.
    stream: Stream,
    random: Random,
}

impl Slips {
    /// An agent that plays like `agent` but slips in `percent` of 100 decisions.
    ///
    /// ```
    /// use paishan::agent::{self, Greedy, Slips};
    /// use paishan::{Rules, simulate};
    /// let woo = Rules::by_id("woo")?;
    /// let mut agents = agent::for_all("greedy", woo.plan())?;
    /// agents[0] = Box::new(Slips::new(Box::new(Greedy::new(woo.plan())), 30));
    /// simulate::play(&woo, &mut agents, 7, &mut ())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(agent: Box<dyn Agent>, percent: u8) -> Self {
        Self {
            agent,
            percent,
            stream: Stream::new(0, 0),
            random: Random::new(),
        }
    }
}

impl Slips {
    fn slips(&mut self, legal: &Legal) -> bool {
        let is_choice = legal.len() > 1 && at_once(legal).is_none();
        is_choice && self.stream.below(100) < u32::from(self.percent)
    }
}

impl Agent for Slips {
    fn begin(&mut self, stream: Stream) {
        self.stream = stream.split();
        self.random.begin(self.stream.split());
        self.agent.begin(stream);
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        match self.slips(legal) {
            true => self.random.decide(view, legal),
            false => self.agent.decide(view, legal),
        }
    }

    fn explain(&mut self, view: &View<'_>, legal: &Legal) -> Decision {
        match self.slips(legal) {
            true => self.random.explain(view, legal),
            false => self.agent.explain(view, legal),
        }
    }

    fn notice(&mut self, event: &Event) {
        self.agent.notice(event);
    }

    fn listens(&self) -> bool {
        self.agent.listens()
    }
}
