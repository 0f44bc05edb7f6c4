//! What is known of the rulesets for which agents were made last.

use super::super::greedy::Greedy;
use super::agent::Value;
use super::course::{Course, play_deal, play_deals};
use super::knowledge::Knowledge;
use super::waits::Tally;
use crate::ruleset::Plan;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many deals greedy players play for [`Course`].
const DEALS: u32 = 600;
/// The same where forms alone win, because decisions take ten times as long there.
const DEALS_OF_FORMS: u32 = 60;
/// How many times as fast as greedy players others win, until deals between others say so.
const RIVALS: f64 = 1.5;
/// How many rulesets are remembered.
const REMEMBERED: usize = 12;

/// What is learnt of a ruleset, once.
type Learnt = Arc<OnceLock<Arc<Knowledge>>>;

/// What was learnt of the rulesets for which agents were made last, by the hash of their rules.
static KNOWN: Mutex<Vec<(u64, Learnt)>> = Mutex::new(Vec::new());

/// The entry of a ruleset in [`KNOWN`].
fn entry(hash: u64) -> Learnt {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, learnt)) = known.iter().find(|one| one.0 == hash) {
        return learnt.clone();
    }
    if known.len() == REMEMBERED {
        known.remove(0);
    }
    let fresh = Learnt::default();
    known.push((hash, fresh.clone()));
    fresh
}

impl Knowledge {
    /// What there is to know of a ruleset, learnt at the first call for its rules. Other rulesets can be learnt meanwhile.
    pub(super) fn of(plan: &Plan) -> Arc<Self> {
        let learn = || Self::learn_from_play(&Arc::new(plan.clone()));
        entry(plan.content_hash).get_or_init(learn).clone()
    }

    /// Learns how deals go and what other players wait for: between greedy players, and then between players who know that much.
    /// Greedy ones still count for half of what others wait for.
    fn learn_from_play(plan: &Arc<Plan>) -> Arc<Self> {
        let players = 0..plan.players;
        let deals = match plan.decomposer.grammar().standard {
            true => DEALS,
            false => DEALS_OF_FORMS,
        };
        let mut greedy: Vec<Greedy> = players.clone().map(|_| Greedy::new(plan)).collect();
        let course = Course::learn(plan, deals, greedy.clone(), RIVALS, |_, _| {});
        let mut this = Self::learnt(plan.clone(), course);
        let mut tally = Tally::new(plan);
        play_deals(plan, deals / 2, &mut greedy, |deal, agents| {
            play_deal(deal, agents, |deal, seat, _| {
                tally.see(deal, seat, |view, seat| this.class_of(view, seat));
            });
        });
        let of_greedy = tally.waits(None);
        this.waits = of_greedy.clone();
        let mut this = Arc::new(this);
        let agents: Vec<Value> = players.map(|_| Value::with(plan, this.clone())).collect();
        let mut tally = Tally::new(plan);
        let course = Course::learn(plan, deals / 3, agents, 1.0, |deal, seat| {
            tally.see(deal, seat, |view, seat| this.class_of(view, seat));
        });
        let waits = tally.waits(Some(&of_greedy));
        if let Some(this) = Arc::get_mut(&mut this) {
            this.waits = waits.with(&of_greedy);
            this.go_like(course);
        }
        this
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;

    #[test]
    fn players_who_aim_win_later_than_greedy_ones_who_are_faster() {
        let rules = Rules::by_id("riichi-tenhou").unwrap();
        let plan = rules.plan();
        let of_greedy = Course::learn(plan, DEALS, vec![Greedy::new(plan); 4], RIVALS, |_, _| {});
        let learnt = &Knowledge::of(plan).course;
        // Eleven draws before the end of the wall.
        assert!(1.3 * learnt.hazard[0][11] < of_greedy.hazard[0][11]);
        assert_eq!(learnt.spared, of_greedy.spared);
        assert!(learnt.swing > 1.2 * of_greedy.swing);
    }
}
