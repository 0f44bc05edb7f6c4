//! [`Value`]: weighs what a hand may become by its chances.

use super::super::greedy::Greedy;
use super::super::interface::Agent;
use super::super::simple::discard_of;
use super::course::{class_of, safe_kinds};
use super::weigh::Weigher;
use crate::meld::Group;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{Action, Legal, MeldTiles, View};
use crate::tile::Kind;
use smallvec::SmallVec;

/// A claim must be worth this many times as much as passing.
const CLAIM: f64 = 1.2;
/// How many turns the danger of going on counts.
const TURNS_AHEAD: f64 = 1.5;
/// The danger of those turns for a player who gives the hand up, as a part of that for one who goes on.
const WHEN_FOLDING: f64 = 0.3;
/// A hand that is given up is worth this part.
const AFTER_FOLDING: f64 = 0.01;

/// Aims for what the hand may become, weighted by what it brings and by its chances, and avoids dangerous discards.
///
/// For the rules that it is made for, the agent learns
///
/// - what hands are worth. It completes and scores random hands: any hands, those of a suit, of a suit and honours, of
///   a class of the ruleset, of pungs, with a pung of an honour, with three given runs. The sorts that are worth much
///   more than any hand are its goals;
/// - how deals go: how soon other players win, what that costs, which discards gave them the win, and how much more a win
///   brings than the winner could know. It plays deals between greedy players.
///
/// At a decision the agent examines the most valuable goals. The chance to reach one in time follows from the unseen
/// tiles and the turns that are left. The gain is the mean of some hands that the agent completes and scores. A discard
/// costs the chance to give another player the win. If every discard costs more than the hand is worth, the agent
/// discards what is safest.
///
/// It knows only the plan of a ruleset: no code that wraps it.
#[derive(Clone, Debug)]
pub struct Value {
    greedy: Greedy,
    weigher: Weigher,
}

/// An opponent who may win off a discard.
struct Danger {
    class: usize,
    /// What the giver loses.
    cost: f64,
    /// The kinds with which it may not win.
    safe: KindSet,
}

type Dangers = SmallVec<[Danger; MAX_PLAYERS]>;

impl Value {
    /// An agent for a ruleset. The first one for some rules takes up to half a second, because it learns. Later ones
    /// share what it has learnt.
    pub fn new(plan: &Plan) -> Self {
        Self {
            greedy: Greedy::new(plan),
            weigher: Weigher::new(plan),
        }
    }

    /// What the opponents may win off a discard.
    fn dangers(&self, view: &View<'_>) -> Dangers {
        let know = &*self.weigher.know;
        if know.views.others == 0.0 {
            return Dangers::new();
        }
        let is_rival = |seat: &Seat| {
            *seat != view.seat() && view.shown_hand(*seat).is_none() && !view.is_dead(*seat)
        };
        let danger = |seat: Seat| {
            let class = class_of(view, seat);
            Danger {
                class,
                cost: know.course.given(class),
                safe: safe_kinds(&know.plan, view, seat),
            }
        };
        Seat::all(view.players())
            .filter(is_rival)
            .map(danger)
            .collect()
    }

    fn discard(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let table = self.weigher.table(view);
        let kinds = legal.discard_kinds();
        if kinds.len() == 1 {
            return discard_of(legal, kinds.nth(0).unwrap_or(Kind::EAST));
        }
        let values = self.weigher.values(view.hand(), kinds, &table);
        let dangers = self.dangers(view);
        let course = &self.weigher.know.course;
        let unseen = table.seen.unseen.kinds();
        let mut best: Option<(f64, Kind)> = None;
        // What it will cost to go on: the danger of a tile as it comes, for some turns.
        let future: f64 = dangers
            .iter()
            .map(|one| {
                course.mean_danger(one.class, table.turns) * (one.cost - course.lost).max(0.0)
            })
            .sum();
        let future = future * TURNS_AHEAD.min(0.3 * table.turns as f64);
        for &(kind, value) in &values {
            let (mut risk, mut cost) = (0.0, 0.0);
            for one in dangers.iter().filter(|one| !one.safe.contains(kind)) {
                let sort = course.sort(kind, &table.seen.unseen, unseen, one.safe);
                let chance = course.danger(one.class, table.turns, sort);
                risk += chance;
                // Another player's win would cost something anyway.
                cost += chance * (one.cost - table.idle * course.lost).max(0.0);
            }
            let push = (1.0 - risk) * value - cost - future;
            let fold = AFTER_FOLDING * value - cost - WHEN_FOLDING * future;
            let worth = push.max(fold);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, kind));
            }
        }
        match best {
            Some((_, kind)) if values.iter().any(|(_, value)| *value > 0.0) => {
                discard_of(legal, kind)
            }
            _ => self.greedy.discard(view, legal),
        }
    }

    fn claim(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let Some((tile, from)) = view.claimable() else {
            return Action::Pass;
        };
        let Some(kind) = tile.kind() else {
            return Action::Pass;
        };
        let table = self.weigher.table(view);
        let prospects = self.weigher.look(view.hand(), &table);
        let mut pass = None;
        let mut best = (0.0, Action::Pass);
        for tiles in legal.claims() {
            if tiles.group() == Group::kong(kind) {
                continue;
            }
            // Red fives in the hand do not count, so claims with and without them are worth the same.
            let meld = MeldTiles::from(tiles.group()).with_wild(tiles.wild());
            let (action, meld) = (Action::Claim(tiles), meld.claimed(tile, from));
            let mut hand = *view.hand();
            for own in meld.beside(Some(kind)) {
                hand.take_kind(own, 1);
            }
            hand.melds.push(meld);
            if !self.weigher.brings_nearer(&hand, &prospects) {
                continue;
            }
            if pass.is_none() {
                let worth = self.weigher.waiting(view.hand(), &prospects, &table) * CLAIM;
                pass = Some(worth);
                best.0 = worth;
            }
            let values = self.weigher.values(&hand, hand.kinds(), &table);
            let value = values.iter().map(|(_, value)| *value).fold(0.0, f64::max);
            if value > best.0 {
                best = (value, action);
            }
        }
        best.1
    }
}

impl Agent for Value {
    fn listens(&self) -> bool {
        false
    }

    fn begin(&mut self, stream: Stream) {
        self.weigher.begin(stream);
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let before = match legal.is_opening() {
            true => self.greedy.opening(view, legal),
            false => None,
        };
        let at_once = before.or_else(|| self.greedy.at_once(view, legal));
        if let Some(action) = at_once.or_else(|| self.greedy.fallback(view, legal)) {
            return action;
        }
        if view.claimable().is_some() {
            return match view.holds_barred() {
                true => self.greedy.claim(view, legal),
                false => self.claim(view, legal),
            };
        }
        match self.greedy.kong(view, legal) {
            Some(kong) => kong,
            // Tiles of the missing suit are useless.
            None if view.holds_barred() => self.greedy.discard(view, legal),
            None => self.discard(view, legal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Match;
    use crate::ruleset::Rules;
    use std::sync::Arc;

    /// The decisions of one deal, each made twice: at the table, and at one where the tiles that the seat cannot see lie
    /// elsewhere.
    #[test]
    fn tiles_that_a_seat_cannot_see_change_no_decision() {
        for id in ["riichi-mcgill", "woo", "mcr", "sichuan"] {
            let rules = Rules::by_id(id).unwrap();
            let series = Match::new(&rules, 5);
            let mut deal = series.start_deal();
            let mut agent = Value::new(rules.plan());
            agent.begin(Stream::new(1, 1));
            let mut stream = Stream::new(2, 2);
            let mut decisions = 0;
            while let Some(seat) = deal.state().deciding().next() {
                let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                let elsewhere = view.imagine(&mut stream);
                let mut other = agent.clone();
                let action = agent.decide(&view, legal);
                assert_eq!(other.decide(&elsewhere.view(seat), legal), action, "{id}");
                assert!(legal.contains(action), "{id}: {action}");
                deal.act(seat, action).unwrap();
                decisions += 1;
            }
            assert!(decisions > 20, "{id}: {decisions}");
        }
    }

    #[test]
    fn agents_for_the_same_rules_share_what_was_learnt() {
        let rules = Rules::by_id("woo").unwrap();
        let [one, other] = [(); 2].map(|()| Value::new(rules.plan()));
        assert!(Arc::ptr_eq(&one.weigher.know, &other.weigher.know));
    }
}
