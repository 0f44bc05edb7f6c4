//! What is known of the rulesets for which agents were made last.

use super::super::greedy::Greedy;
use super::agent::Value;
use super::knowledge::Knowledge;
use super::waits::Waits;
use crate::ruleset::Plan;
use crate::state::View;
use std::sync::{Arc, Mutex, PoisonError};

/// How many deals greedy players play for [`Waits`]. Others play half as many.
const DEALS: u32 = 300;
/// The same where forms alone win.
const DEALS_OF_FORMS: u32 = 20;
/// How many rulesets are remembered.
const REMEMBERED: usize = 12;

/// What was learnt of the rulesets for which agents were made last, by the hash of their rules.
static KNOWN: Mutex<Vec<(u64, Arc<Knowledge>)>> = Mutex::new(Vec::new());

impl Knowledge {
    /// What there is to know of a ruleset, learnt at the first call for its rules.
    pub(super) fn of(plan: &Plan) -> Arc<Self> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, knowledge)) = known.iter().find(|(hash, _)| *hash == plan.content_hash) {
            return knowledge.clone();
        }
        let fresh = Self::with_waits(Self::learnt(plan));
        if known.len() == REMEMBERED {
            known.remove(0);
        }
        known.push((plan.content_hash, fresh.clone()));
        fresh
    }

    /// Learns what other players wait for: greedy ones, and those who know this much.
    fn with_waits(mut self) -> Arc<Self> {
        let players = 0..self.plan.players;
        let deals = match self.plan.decomposer.grammar().standard {
            true => DEALS,
            false => DEALS_OF_FORMS,
        };
        let greedy = players.clone().map(|_| Greedy::new(&self.plan)).collect();
        let of_class = |view: &View<'_>, seat| self.class_of(view, seat);
        let of_greedy = Waits::learn(&self.plan, of_class, deals, greedy, None);
        self.waits = of_greedy.clone();
        let mut this = Arc::new(self);
        let agents = players
            .map(|_| Value::with(&this.plan, this.clone()))
            .collect();
        let of_class = |view: &View<'_>, seat| this.class_of(view, seat);
        let before = Some(&of_greedy);
        let waits = Waits::learn(&this.plan, of_class, deals / 2, agents, before);
        let waits = waits.with(&of_greedy);
        if let Some(this) = Arc::get_mut(&mut this) {
            this.waits = waits;
        }
        this
    }
}
