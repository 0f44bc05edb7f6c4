//! [`Greedy`]: aims for the nearest complete hand.

use super::interface::Agent;
use super::opening::Passing;
use super::reasons::{Decision, Pursued, Weighed};
use super::simple::{at_once, discard_of, unseen};
use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding, Scratch};
use crate::hand::MAX_MELDS;
use crate::meld::{Group, Meld};
use crate::ruleset::{PassRules, Plan};
use crate::set::KindSet;
use crate::state::{Action, Legal, View};
use crate::tile::{Kind, Suit};
use smallvec::SmallVec;
use std::sync::Arc;

/// The id of the goal that is any complete hand.
pub(super) const ANY: &str = "any";

/// Aims for the nearest complete hand: the least distance, then the most accepted tiles that the seat has not seen. The
/// agent wins and announces whenever it can. It claims a tile if that lowers the distance, and makes kongs and sets
/// tiles aside if that does not raise the distance. It never lays concealed melds down. It wins with special forms that need only
/// wild tiles, but does not aim for them.
///
/// Of `[win] when` it knows which waits win and which melds rule out a win. So it makes no meld that an allowed win cannot have, but
/// unlike [`Value`](super::Value) it does not collect what a win must have.
#[derive(Clone, Debug)]
pub struct Greedy {
    /// The hash of the rules that the agent was made for.
    rules_hash: u64,
    decomposer: Arc<Decomposer>,
    /// The rules, if each deal has its own wild kinds.
    changing: Option<Box<Plan>>,
    /// The rules, if `[win] when` refuses some complete hands.
    choosy: Option<Box<Plan>>,
    /// What is passed in each step before the first turn.
    passes: Vec<Option<PassRules>>,
    scratch: Scratch,
}

impl Greedy {
    /// The first legal action under other rules than the agent's. `None` under its own rules.
    pub(super) fn fallback(&self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        let is_home = view.rules_hash() == self.rules_hash;
        if is_home { None } else { legal.nth(0) }
    }

    /// A greedy agent for a ruleset. Under other rules it chooses the first legal action.
    pub fn new(plan: &Plan) -> Self {
        let aims = plan.of_aims();
        Self {
            rules_hash: plan.content_hash,
            decomposer: aims.decomposer.clone(),
            changing: plan.changes_wild().then(|| Box::new(aims.into_owned())),
            choosy: Some(plan)
                .filter(|plan| plan.may_refuse_some())
                .map(|plan| Box::new(plan.clone())),
            passes: plan
                .opening()
                .iter()
                .map(|step| step.passes().copied())
                .collect(),
            scratch: Scratch::new(),
        }
    }

    /// Looks at the tile that says which kind is wild.
    pub(super) fn note_turned(&mut self, view: &View<'_>) {
        if let Some(plan) = &self.changing {
            self.decomposer = Arc::clone(plan.arc_of_turned(view.turned().next()));
        }
    }

    /// The tiles of a hand that it may win with, without barred ones.
    fn useful(view: &View<'_>) -> Holding {
        let mut holding = Holding::from(view.hand());
        holding.concealed = holding.concealed.without_kinds(view.barred_kinds());
        holding
    }

    /// The choice before the first turn: a hand that may be shown is shown; the tiles that the hand needs least are
    /// passed, of the suit of which it has fewest where all are of one; that suit is the missing one. `None` once play has
    /// begun.
    pub(super) fn opening(&mut self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        if legal.contains(Action::Show) {
            return Some(Action::Show);
        }
        let held = view.hand().concealed();
        let of_suit = |suit: Suit| held.count_in(KindSet::of_lane(suit.lane()));
        if let Some(suit) = legal.missing_suits().min_by_key(|&suit| of_suit(suit)) {
            return Some(Action::Missing(suit));
        }
        let rules = *self.passes.get(view.opening_step()?)?.as_ref()?;
        let Passing { hand, number, sets } = Passing::of(view, &rules);
        let among = sets
            .into_iter()
            .min_by_key(|set| hand.concealed().count_in(*set))?;
        let unseen = unseen(self.decomposer.grammar().copies(), view);
        let mut left = Holding::from(&hand);
        let mut passed = KindSet::EMPTY;
        for _ in 0..number {
            let may_go = left.concealed.kinds().intersection(among);
            let kind = self.farther(&left, may_go, &unseen, None)?;
            left.concealed.try_remove(kind);
            passed.insert(kind);
        }
        passed.nth(0).map(Action::Exchange)
    }

    /// The discard that leaves the least distance, then the most accepted tiles.
    fn discard(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let kinds = legal.discard_kinds();
        let copies = self.decomposer.grammar().copies();
        let unseen = unseen(copies, view);
        let holding = Holding::from(view.hand());
        if let Some(plan) = self.choosy.take_if(|plan| plan.may_refuse_waits()) {
            let kind = self.farther(&holding, kinds, &unseen, Some((&plan, view)));
            self.choosy = Some(plan);
            return discard_of(legal, kind.unwrap_or(Kind::EAST));
        }
        let mut best: Option<(u32, Kind)> = None;
        let keeps = |kind, _, count| {
            if kinds.contains(kind) && best.is_none_or(|(most, _)| count > most) {
                best = Some((count, kind));
            }
        };
        self.decomposer
            .discards_counted(&holding, &unseen, &mut self.scratch, keeps);
        let kind = best.map(|(_, kind)| kind);
        let kind = kind.or_else(|| self.farther(&holding, kinds, &unseen, None));
        discard_of(legal, kind.unwrap_or(Kind::EAST))
    }

    /// The best of these discards, each evaluated alone: if none of them keeps the distance, because the hand is
    /// complete or may not discard the others, and if waits count only if they win by the rules.
    fn farther(
        &mut self,
        holding: &Holding,
        kinds: KindSet,
        unseen: &Counts,
        choosy: Option<(&Plan, &View<'_>)>,
    ) -> Option<Kind> {
        let mut best: Option<(i8, u32, Kind)> = None;
        for kind in kinds.iter() {
            let mut rest = *holding;
            rest.concealed.try_remove(kind);
            let mut distance = self.decomposer.distance(&rest, &mut self.scratch);
            if best.is_some_and(|(least, ..)| distance > least) {
                continue;
            }
            let accepts;
            (distance, accepts) = self.after(&rest, kind, choosy);
            let count = unseen.count_in(accepts);
            let better = best.is_none_or(|(least, most, _)| {
                distance < least || distance == least && count > most
            });
            if better {
                best = Some((distance, count, kind));
            }
        }
        best.map(|(.., kind)| kind)
    }

    /// The distance of a hand after a discard, and the tiles that it accepts. Waits count only if they win by the rules.
    fn after(
        &mut self,
        rest: &Holding,
        discarded: Kind,
        choosy: Option<(&Plan, &View<'_>)>,
    ) -> (i8, KindSet) {
        match (self.decomposer.accepts(rest, &mut self.scratch), choosy) {
            ((0, accepts), Some((plan, view))) => {
                let mut hand = *view.hand();
                hand.take_kind(discarded, 1);
                let accepts = plan.winning(
                    accepts,
                    &hand,
                    view.seat(),
                    view.round(),
                    view.turned().next(),
                );
                // A hand without a winning wait is no nearer than others.
                (i8::from(accepts.is_empty()), accepts)
            }
            (found, _) => found,
        }
    }

    /// What the agent compares when it discards or may claim a tile: distances and accepted tiles.
    fn weighed(&mut self, view: &View<'_>, legal: &Legal) -> Vec<Weighed> {
        let unseen = unseen(self.decomposer.grammar().copies(), view);
        let weighed = |action, distance, accepts| Weighed {
            action,
            estimate: None,
            goals: vec![Pursued::new(ANY, distance, accepts, &unseen)],
        };
        if let Some((tile, from)) = view.claimable() {
            let holding = Self::useful(view);
            let claims: Vec<Weighed> = legal
                .claims()
                .filter_map(|tiles| {
                    let meld = tiles.claimed(tile, from);
                    if self.rules_out(view, &meld) {
                        return None;
                    }
                    let distance = self.distance_after(&holding, &meld, tile.kind()?);
                    Some(weighed(Action::Claim(tiles), distance, KindSet::EMPTY))
                })
                .collect();
            let (distance, accepts) = self.decomposer.accepts(&holding, &mut self.scratch);
            let pass = weighed(Action::Pass, distance, accepts);
            return claims.into_iter().chain([pass]).collect();
        }
        let holding = Holding::from(view.hand());
        let choosy = self.choosy.take();
        let kinds = legal.discard_kinds().iter();
        let discards = kinds.map(|kind| {
            let mut rest = holding;
            rest.concealed.try_remove(kind);
            let rules = choosy.as_deref().map(|plan| (plan, view));
            let (distance, accepts) = self.after(&rest, kind, rules);
            weighed(discard_of(legal, kind), distance, accepts)
        });
        let discards = discards.collect();
        self.choosy = choosy;
        discards
    }

    /// True when `[win] when` refuses every win after the seat has this meld, new or in place of a pung of the same kind.
    fn rules_out(&self, view: &View<'_>, meld: &Meld) -> bool {
        let Some(plan) = &self.choosy else {
            return false;
        };
        let mut melds: SmallVec<[Meld; MAX_MELDS]> =
            view.melds(view.seat()).flatten().copied().collect();
        let pung = Group::pung(meld.group().kind());
        let is_kong = meld.group() == Group::kong(pung.kind());
        match melds.iter().position(|one| is_kong && one.group() == pung) {
            Some(place) => melds[place].group = meld.group(),
            None => melds.push(*meld),
        }
        !plan.may_win_with(&melds, view.seat(), view.round())
    }

    /// The distance after a claimed tile made a group.
    fn distance_after(&mut self, holding: &Holding, meld: &Meld, claimed: Kind) -> i8 {
        let mut after = *holding;
        for kind in meld.beside(Some(claimed)) {
            after.concealed.try_remove(kind);
        }
        after.declare_meld(meld);
        self.decomposer.distance(&after, &mut self.scratch)
    }

    pub(super) fn claim(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let holding = Self::useful(view);
        let mut best = (
            self.decomposer.distance(&holding, &mut self.scratch),
            Action::Pass,
        );
        let Some((tile, from)) = view.claimable() else {
            return Action::Pass;
        };
        let Some(kind) = tile.kind() else {
            return Action::Pass;
        };
        for tiles in legal.claims() {
            if tiles.group() == Group::kong(kind) && holding.concealed.get(kind) < 3 {
                continue;
            }
            let meld = tiles.claimed(tile, from);
            let distance = self.distance_after(&holding, &meld, kind);
            if distance < best.0 && !self.rules_out(view, &meld) {
                best = (distance, Action::Claim(tiles));
            }
        }
        best.1
    }

    /// Simple decisions: setting aside a tile that the hand does not need, and actions that are always taken.
    pub(super) fn at_once(&mut self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        let is_aside = |action: &&Action| matches!(action, Action::Aside(_));
        for &action in legal.others().iter().filter(is_aside) {
            let (Action::Aside(kind), false) = (action, legal.contains(Action::Win)) else {
                break;
            };
            let holding = Holding::from(view.hand());
            let mut rest = holding;
            let is_held = rest.concealed.try_remove(kind);
            let mut distance = |holding| self.decomposer.distance(holding, &mut self.scratch);
            if is_held && distance(&rest) <= distance(&holding) {
                return Some(action);
            }
        }
        at_once(legal).or_else(|| self.swap(view, legal))
    }

    /// A wild tile that the seat may take for one of its own. It is worth more, unless the hand needs the tile where a wild one
    /// may not stand.
    fn swap(&mut self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        for &action in legal.others() {
            let Action::Swap(tiles) = action else {
                continue;
            };
            let Some(kind) = tiles.joker_stands_for() else {
                continue;
            };
            let holding = Holding::from(view.hand());
            let mut after = holding;
            if !after.concealed.try_remove(kind) || !after.concealed.try_add(Kind::JOKER) {
                continue;
            }
            let mut distance = |holding| self.decomposer.distance(holding, &mut self.scratch);
            if distance(&after) <= distance(&holding) {
                return Some(action);
            }
        }
        None
    }

    /// A kong of the seat's own tiles that does not raise the distance.
    pub(super) fn kong(&mut self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        if legal.others().is_empty() {
            return None;
        }
        let holding = Self::useful(view);
        let mut now = None;
        for &kong in legal.others() {
            let (kind, is_added) = match kong {
                Action::ConcealedKong(kind) => (kind, false),
                Action::AddedKong(kind) => (kind, true),
                _ => continue,
            };
            let after = holding.after_kong(kind, is_added);
            let after = self.decomposer.distance(&after, &mut self.scratch);
            let now =
                *now.get_or_insert_with(|| self.decomposer.distance(&holding, &mut self.scratch));
            let meld = Meld::of_own(Group::kong(kind));
            if after <= now && !self.rules_out(view, &meld) {
                return Some(kong);
            }
        }
        None
    }
}

impl Agent for Greedy {
    fn listens(&self) -> bool {
        false
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        self.note_turned(view);
        let fallback = |agent: &Self| agent.fallback(view, legal);
        if let (true, Some(action)) = (legal.is_opening(), self.opening(view, legal)) {
            return fallback(self).unwrap_or(action);
        }
        if let Some(action) = self.at_once(view, legal).or_else(|| fallback(self)) {
            return action;
        }
        if view.claimable().is_some() {
            return self.claim(view, legal);
        }
        match self.kong(view, legal) {
            Some(kong) => kong,
            None => self.discard(view, legal),
        }
    }

    fn explain(&mut self, view: &View<'_>, legal: &Legal) -> Decision {
        let action = self.decide(view, legal);
        let is_weighed = matches!(
            action,
            Action::Discard { .. } | Action::Claim(_) | Action::Pass
        );
        let weighed = match is_weighed && self.fallback(view, legal).is_none() {
            true => self.weighed(view, legal),
            false => Vec::new(),
        };
        Decision { action, weighed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Match;
    use crate::ruleset::Rules;

    #[test]
    fn the_chosen_discard_has_the_least_distance_and_most_accepted_tiles() {
        for id in ["woo", "mcr", "riichi-sanma"] {
            let rules = Rules::by_id(id).unwrap();
            let mut deal = Match::new(&rules, 9).start_deal();
            let mut agent = Greedy::new(rules.plan());
            let mut discards = 0;
            while let Some(seat) = deal.state().deciding().next() {
                let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                let Decision { action, weighed } = agent.explain(&view, legal);
                assert_eq!(action, agent.decide(&view, legal), "{id}");
                let order = |one: &Weighed| {
                    let goal = &one.goals[0];
                    let count: u32 = goal.accepts.iter().map(|one| u32::from(one.left)).sum();
                    (goal.distance, std::cmp::Reverse(count))
                };
                if let Action::Discard { .. } = action {
                    let chosen = weighed.iter().find(|one| one.action == action).unwrap();
                    assert_eq!(weighed.iter().map(order).min(), Some(order(chosen)), "{id}");
                    discards += 1;
                }
                deal.act(seat, action).unwrap();
            }
            assert!(discards > 10, "{id}");
        }
    }

    /// Where `[win] when` bars melds, none is made that it bars.
    #[test]
    fn no_meld_rules_out_a_win() {
        type Allows = fn(&[Meld]) -> bool;
        let games: [(&str, Allows); 3] = [
            ("declared-melds == 0", |melds| melds.is_empty()),
            ("melds(chow, any) == 0", |melds| {
                melds.iter().all(|meld| !meld.group().family().is_run())
            }),
            ("suits <= 1", |melds| {
                let suits = melds.iter().filter_map(|meld| meld.group().kind().suit());
                let mut suits: Vec<Suit> = suits.collect();
                suits.dedup();
                suits.len() <= 1
            }),
        ];
        for (when, is_allowed) in games {
            let text = format!(
                "ruleset = {{ id = \"my\", extends = \"woo\" }}\n[win]\nwhen = \"{when}\"\n"
            );
            let rules = Rules::from_toml("my.toml", &text).unwrap();
            let (mut wins, mut melds) = (0, 0);
            for seed in 0..20 {
                let mut deal = Match::new(&rules, seed).start_deal();
                let mut agent = Greedy::new(rules.plan());
                while let Some(seat) = deal.state().deciding().next() {
                    let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                    let Decision { action, weighed } = agent.explain(&view, legal);
                    let is_weighed = weighed.iter().any(|one| one.action == action);
                    assert!(weighed.is_empty() || is_weighed, "{when}: {action}");
                    deal.act(seat, action).unwrap();
                    let hand = deal.state().hand(seat);
                    assert!(is_allowed(hand.melds()), "{when}: {action}, {hand:?}");
                    melds += hand.melds().len();
                }
                wins += deal.outcome().map_or(0, |outcome| outcome.wins().len());
            }
            assert_eq!(melds > 0, when != "declared-melds == 0", "{when}");
            assert!(wins > 0, "{when}");
        }
    }
}
