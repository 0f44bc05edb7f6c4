//! [`Value`]: weighs what a hand may become by its chances.

use super::super::greedy::Greedy;
use super::super::interface::Agent;
use super::super::reasons::{Decision, Estimate, Weighed};
use super::super::simple::discard_of;
use super::knowledge::Knowledge;
use super::outlook::Outlook;
use super::table::Table;
use super::waits::Chances;
use super::weigh::{Prospect, Weigher};
use crate::hand::Hand;
use crate::meld::Group;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::score::PaymentHook;
use crate::seat::{MAX_PLAYERS, Seat};
use crate::state::{Action, Legal, MeldTiles, View};
use crate::tile::{Kind, Tile};
use smallvec::SmallVec;
use std::sync::Arc;

/// A claim must be worth this many times as much as passing.
const CLAIM: f64 = 1.2;
/// The same for a claim after which the hand can no longer be announced. Found by play: such a hand also hides less and
/// can no longer be given up so well.
const OPENING: f64 = 1.6;
/// What a discard may cost counts so many times. Found by play: fewer discards give a win. No points are lost against players
/// who aim, and some against greedy ones.
const CAUTION: f64 = 2.0;
/// How many turns the danger of going on counts with a ready hand, and again so many for each tile that it lacks.
const TURNS_AHEAD: f64 = 1.5;
/// The same as a part of the turns left, at most.
const OF_TURNS: f64 = 0.3;
/// The danger of those turns for a player who gives the hand up, as a part of that for one who goes on.
const WHEN_FOLDING: f64 = 0.3;
/// A declared riichi goes on for this part of the turns until another player wins, because it may win first. Found by play: more
/// loses points against greedy players.
const UNTIL_WIN: f64 = 0.4;
/// A hand that is given up is worth this part.
const AFTER_FOLDING: f64 = 0.01;

/// Aims for what the hand may become, weighted by what it brings and by its chances, and avoids dangerous discards.
///
/// For the rules that it is made for, the agent learns
///
/// - what hands are worth. It completes and scores random hands with bonus tiles beside them: any hands, those of a suit, of
///   a suit and honours, of a class of the ruleset, of pungs, with a pung of an honour, with three given runs. The sorts that
///   are worth much more than any hand are its goals. Where special forms alone win, each way to make one is a goal, too;
/// - how deals go. It plays deals between greedy players and sees what their wins cost and which tiles they discard. Then it
///   plays deals between players who know that much. These show how soon other players win, and how much more a win brings
///   than the winner could know. They also show what ready hands are paid when the wall is used up;
/// - what other players wait for. In deals of both kinds of players it looks at the ready hands: how often hands are ready by
///   what their melds show, what they win, and which tiles they wait for by what the players discarded and claimed before.
///
/// At a decision the agent examines the most valuable goals. The chance to reach one in time follows from the unseen
/// tiles and the turns that are left. The gain is the mean of some hands that the agent completes and scores. A hand that is
/// one tile from ready looks at all ready hands that it may become instead, in rulesets with classical tiles and groups. A
/// kong of its own tiles is weighed like a discard, unless it is paid at once: then the agent makes it. Riichi is weighed against
/// silence: it makes a win worth more, but the deposit is lost without a win, and the hand can no longer be given up. A discard
/// costs the chance to give another player the win. If every discard costs more than the hand is worth, the agent discards what
/// is safest.
///
/// It knows only the plan of a ruleset: no code that wraps it.
#[derive(Clone, Debug)]
pub struct Value {
    greedy: Greedy,
    weigher: Weigher,
}

/// An opponent who may win off a discard.
struct Danger {
    /// What the giver loses.
    cost: f64,
    chances: Chances,
}

/// An action with what it brings and costs.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub action: Action,
    /// What is discarded with it.
    kind: Option<Kind>,
    /// What the hand is worth.
    pub gain: f64,
    /// The chance that the discard gives another player the win, for people.
    risk: f64,
    /// What that costs.
    cost: f64,
    /// What it will cost to go on with the hand.
    future: f64,
    /// The gain counts so many times.
    margin: f64,
    /// The hand can no longer be given up.
    is_bound: bool,
}

impl Choice {
    /// A choice that costs nothing.
    fn of(action: Action, gain: f64) -> Self {
        Self {
            action,
            kind: None,
            gain,
            risk: 0.0,
            cost: 0.0,
            future: 0.0,
            margin: 1.0,
            is_bound: false,
        }
    }

    /// What choices are compared by.
    pub(super) fn worth(&self) -> f64 {
        self.worth_with(self.gain * self.margin)
    }

    /// The worth with another gain. The risk takes nothing from it: the gain already counts how often other players win before
    /// the seat, also off its discards.
    pub(super) fn worth_with(&self, gain: f64) -> f64 {
        let push = gain - CAUTION * (self.cost + self.future);
        if self.is_bound {
            return push;
        }
        let fold = AFTER_FOLDING * gain - CAUTION * (self.cost + WHEN_FOLDING * self.future);
        push.max(fold)
    }
}

pub(super) type Choices = SmallVec<[Choice; 16]>;

type Dangers = SmallVec<[Danger; MAX_PLAYERS]>;

/// What discards may cost at a decision.
struct Costs<'a> {
    dangers: Dangers,
    /// What a tile costs that is discarded as it comes.
    of_turn: f64,
    /// What it will cost to go on: that of some turns.
    future: f64,
    /// The hand can no longer be given up.
    is_bound: bool,
    table: &'a Table,
}

impl<'a> Costs<'a> {
    fn at(know: &'a Knowledge, view: &View<'_>, prospects: &[Prospect], table: &'a Table) -> Self {
        let dangers = dangers(know, view, table);
        let of_turn = |one: &Danger| one.chances.mean * (one.cost - table.worths.lost).max(0.0);
        let of_turn: f64 = dangers.iter().map(of_turn).sum();
        let lacking = prospects.first().map_or(0, |one| one.distance.max(0));
        let ahead = TURNS_AHEAD.min(OF_TURNS * table.turns as f64) * f64::from(1 + lacking);
        Self {
            of_turn,
            future: of_turn * ahead,
            is_bound: false,
            dangers,
            table,
        }
    }

    /// The same for a declared riichi: all tiles that come will be discarded.
    fn of_bound(self) -> Self {
        Self {
            future: self.of_turn * UNTIL_WIN * self.table.turns_to_come,
            is_bound: true,
            ..self
        }
    }

    /// An action that discards this kind and leaves a hand that is worth so much.
    fn of(&self, action: Action, kind: Kind, gain: f64) -> Choice {
        let (mut risk, mut cost) = (0.0, 0.0);
        let table = self.table;
        for one in &self.dangers {
            let chance = one.chances.of(kind);
            risk += chance;
            // Another player's win would cost something anyway.
            cost += chance * (one.cost - table.idle * table.worths.lost).max(0.0);
        }
        Choice {
            kind: Some(kind),
            risk,
            cost,
            future: self.future,
            is_bound: self.is_bound,
            ..Choice::of(action, gain)
        }
    }
}

impl Value {
    /// An agent for a ruleset. The first one for some rules learns for up to three seconds, or for some more where special forms
    /// alone win. Later ones share what it has learnt.
    pub fn new(plan: &Plan) -> Self {
        Self::with(plan, Knowledge::of(plan))
    }

    /// An agent that knows this much.
    pub(super) fn with(plan: &Plan, know: Arc<Knowledge>) -> Self {
        Self {
            greedy: Greedy::new(plan),
            weigher: Weigher::with(know),
        }
    }

    /// An imagined deal goes on from a decision of another agent.
    pub(super) fn go_on_from(&mut self, other: &Self, stream: Stream) {
        self.weigher.go_on_from(&other.weigher, stream);
    }

    pub(super) fn knowledge(&self) -> Arc<Knowledge> {
        self.weigher.know.clone()
    }

    /// Looks at the tile that says which kind is wild.
    fn note_turned(&mut self, view: &View<'_>) {
        self.greedy.note_turned(view);
        self.weigher.note_turned(view);
    }

    /// What points are worth at the end of the match, where that adds something.
    pub(super) fn outlook(&self, view: &View<'_>) -> Option<Outlook> {
        let know = &self.weigher.know;
        Outlook::of(&know.plan, &know.course, view)
    }

    /// What the seat expects of the rest of the deal when it must discard. `None` if it need not discard.
    pub(super) fn rest_of_deal(&mut self, view: &View<'_>, legal: &Legal) -> Option<f64> {
        self.note_turned(view);
        if legal.discard_kinds().is_empty() || legal.contains(Action::Win) {
            return None;
        }
        let table = self.weigher.table(view);
        let prospects = self.weigher.look(view.hand(), &table);
        let choices = self.discards(view, legal, &prospects, &table);
        let best = best_of(&choices).filter(|_| may_win(&choices));
        Some(best.map_or(0.0, Choice::worth) - table.loss())
    }

    /// What each discard brings and costs.
    fn discards(
        &mut self,
        view: &View<'_>,
        legal: &Legal,
        prospects: &[Prospect],
        table: &Table,
    ) -> Choices {
        let kinds = legal.discard_kinds();
        let values = self.weigher.values(view.hand(), prospects, kinds, table);
        let mut costs = Costs::at(&self.weigher.know, view, prospects, table);
        if view.riichi(view.seat()).is_some() {
            costs = costs.of_bound();
        }
        let choice = |&(kind, gain): &(Kind, f64)| costs.of(discard_of(legal, kind), kind, gain);
        values.iter().map(choice).collect()
    }

    /// Riichi with the best of these discards.
    fn riichi(&mut self, view: &View<'_>, discards: &[Choice], table: &Table) -> Option<Choice> {
        let ready = self.weigher.kinds_to_ready(view.hand());
        let costs = Costs::at(&self.weigher.know, view, &[], table).of_bound();
        let with = |discard: &Choice| {
            let kind = discard.kind.filter(|kind| ready.contains(*kind))?;
            Some(costs.of(Action::Riichi, kind, discard.gain))
        };
        let riichi: Choices = discards.iter().filter_map(with).collect();
        best_of(&riichi).copied()
    }

    /// The kong of the seat's own tiles that [`Greedy`] makes. After it the seat draws once more. Then it discards, which is taken
    /// to cost as much as the best of these discards. `None` without discards.
    fn kong(
        &mut self,
        (view, legal): (&View<'_>, &Legal),
        discards: &[Choice],
        prospects: &[Prospect],
        table: &mut Table,
    ) -> Option<Choice> {
        let best = *best_of(discards)?;
        let action = self.greedy.kong(view, legal)?;
        let hand = self.after_kong(view, action)?;
        table.add_turn();
        let gain = self.weigher.waiting(&hand, prospects, table);
        Some(Choice {
            action,
            kind: None,
            gain,
            ..best
        })
    }

    /// What the actions of a turn bring and cost: discards, riichi, and a kong of the seat's own tiles. Empty if no discard leaves
    /// a hand that may win.
    fn turn(&mut self, view: &View<'_>, legal: &Legal) -> Choices {
        let mut table = self.weigher.table(view);
        let prospects = self.weigher.look(view.hand(), &table);
        let mut choices = self.discards(view, legal, &prospects, &table);
        if !may_win(&choices) {
            return Choices::new();
        }
        let mut others = Choices::new();
        if legal.contains(Action::Riichi)
            && let Some(riichi) = self.riichi(view, &choices, &table)
        {
            others.push(riichi);
            table.silent = true;
            choices = self.discards(view, legal, &prospects, &table);
            table.silent = false;
        }
        others.extend(self.kong((view, legal), &choices, &prospects, &mut table));
        choices.extend(others);
        choices
    }

    /// The hand after a kong of the seat's own tiles. `None` for other actions.
    fn after_kong(&self, view: &View<'_>, action: Action) -> Option<Hand> {
        let mut hand = *view.hand();
        match action {
            Action::ConcealedKong(kind) => {
                hand.lay_kong(kind, self.weigher.know.plan.play.hidden_kongs);
            }
            Action::AddedKong(kind) => {
                hand.add_to_pung(kind);
            }
            _ => return None,
        }
        Some(hand)
    }

    /// What passing and each claim bring. Empty if no claim brings the hand nearer to a goal.
    fn claims(&mut self, view: &View<'_>, legal: &Legal) -> Choices {
        let mut choices = Choices::new();
        let Some((tile, from)) = view.claimable() else {
            return choices;
        };
        let table = self.weigher.table(view);
        let prospects = self.weigher.look(view.hand(), &table);
        let know = self.weigher.know.clone();
        let mut costs = None;
        for tiles in legal.claims() {
            let Some(hand) = self.claimed(view, tiles, (tile, from)) else {
                continue;
            };
            if !self.weigher.brings_nearer(&hand, &prospects) {
                continue;
            }
            let costs = costs.get_or_insert_with(|| Costs::at(&know, view, &prospects, &table));
            if choices.is_empty() {
                let gain = self.weigher.waiting(view.hand(), &prospects, &table);
                let may_announce = know.plan.procedures.riichi.is_some();
                choices.push(Choice {
                    future: costs.future,
                    margin: match may_announce && view.hand().is_closed() {
                        true => OPENING,
                        false => CLAIM,
                    },
                    ..Choice::of(Action::Pass, gain)
                });
            }
            let wild = know.plan.decomposer.wild();
            let kinds = know.plan.play.wild.discardable(hand.kinds(), wild);
            let after = self.weigher.look(&hand, &table);
            let values = self.weigher.values(&hand, &after, kinds, &table);
            let claim = |&(kind, gain): &(Kind, f64)| costs.of(Action::Claim(tiles), kind, gain);
            let claims: Choices = values.iter().map(claim).collect();
            choices.extend(best_of(&claims).copied());
        }
        choices
    }

    /// The hand after a claim, on turn. `None` for a kong that draws a replacement.
    fn claimed(&self, view: &View<'_>, tiles: MeldTiles, claim: (Tile, Seat)) -> Option<Hand> {
        let kind = claim.0.kind()?;
        let is_kong = tiles.group() == Group::kong(kind);
        let draws = is_kong && self.weigher.know.plan.play.kong_replacement;
        if draws {
            return None;
        }
        claimed(view, tiles, claim)
    }

    /// Actions that need no weighing.
    pub(super) fn at_once(&mut self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        self.note_turned(view);
        let is_home = self.greedy.fallback(view, legal).is_none();
        let before = match legal.is_opening() && is_home {
            true => self.greedy.opening(view, legal),
            false => None,
        };
        let at_once = before.or_else(|| self.greedy.at_once(view, legal));
        if let Some(action) = at_once.or_else(|| self.greedy.fallback(view, legal)) {
            return Some(action).filter(|action| *action != Action::Riichi);
        }
        if view.claimable().is_some() {
            return None;
        }
        let kinds = legal.discard_kinds();
        let only = kinds.nth(0).filter(|_| kinds.len() == 1);
        match self.greedy.kong(view, legal) {
            // Where kongs are paid at once, the agent takes the points.
            Some(kong) => {
                let payments = &self.weigher.know.plan.payments;
                payments.pays(PaymentHook::Kong).then_some(kong)
            }
            None => only.map(|kind| discard_of(legal, kind)),
        }
    }

    /// The actions that the agent compares. Empty if it leaves the decision to [`Greedy`].
    pub(super) fn choices(&mut self, view: &View<'_>, legal: &Legal) -> Choices {
        match (view.holds_barred(), view.claimable()) {
            // Tiles of the missing suit are useless.
            (true, _) => Choices::new(),
            (false, Some(_)) => self.claims(view, legal),
            (false, None) => self.turn(view, legal),
        }
    }

    /// The best of the choices.
    pub(super) fn best(&mut self, view: &View<'_>, legal: &Legal, choices: &Choices) -> Action {
        match (best_of(choices), view.claimable()) {
            (Some(choice), _) => choice.action,
            (None, Some(_)) if view.holds_barred() => self.greedy.claim(view, legal),
            (None, Some(_)) => Action::Pass,
            (None, None) => self.greedy.decide(view, legal),
        }
    }

    /// The choices with what the hand may become.
    pub(super) fn reasons(
        &mut self,
        view: &View<'_>,
        legal: &Legal,
        choices: &Choices,
    ) -> Vec<Weighed> {
        if choices.is_empty() {
            return self.greedy.explain(view, legal).weighed;
        }
        let table = self.weigher.table(view);
        let prospects = self.weigher.look(view.hand(), &table);
        let reason = |choice: &Choice| {
            let mut hand = *view.hand();
            match (choice.action, view.claimable()) {
                (Action::Discard { .. } | Action::Riichi, _) => {
                    choice.kind.map(|kind| hand.take_kind(kind, 1));
                }
                (Action::Claim(tiles), Some((tile, from))) => {
                    hand = self.claimed(view, tiles, (tile, from)).unwrap_or(hand);
                }
                (kong, _) => hand = self.after_kong(view, kong).unwrap_or(hand),
            }
            Weighed {
                action: choice.action,
                estimate: Some(Estimate {
                    worth: choice.worth(),
                    gain: choice.gain,
                    risk: choice.risk,
                    cost: choice.cost,
                }),
                goals: self.weigher.pursued(&hand, &prospects, &table),
            }
        };
        choices.iter().map(reason).collect()
    }
}

/// The best choice, of equal ones the first.
fn best_of(choices: &[Choice]) -> Option<&Choice> {
    choices
        .iter()
        .reduce(|best, choice| match choice.worth() > best.worth() {
            true => choice,
            false => best,
        })
}

/// True if some choice leaves a hand that may win.
fn may_win(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| choice.gain > 0.0)
}

/// What the opponents may win off a discard.
fn dangers(know: &Knowledge, view: &View<'_>, table: &Table) -> Dangers {
    if know.views.others == 0.0 {
        return Dangers::new();
    }
    let is_rival = |seat: &Seat| {
        *seat != view.seat() && view.shown_hand(*seat).is_none() && !view.is_dead(*seat)
    };
    let danger = |seat: Seat| {
        let of = (seat, know.class_of(view, seat));
        let waits = &know.waits;
        let (chances, gain) = waits.of_seat(&know.plan, view, of, &table.seen.unseen);
        let given = (know.course.giver * gain).max(know.course.lost);
        Danger {
            cost: match &table.worths.outlook {
                Some(outlook) => outlook.given(seat, given),
                None => given,
            },
            chances,
        }
    };
    Seat::all(view.players())
        .filter(is_rival)
        .map(danger)
        .collect()
}

/// The hand after a claim, on turn.
fn claimed(view: &View<'_>, tiles: MeldTiles, (tile, from): (Tile, Seat)) -> Option<Hand> {
    let kind = tile.kind()?;
    let mut hand = *view.hand();
    tiles.beside(kind).for_each(|own| hand.take(own));
    hand.melds.push(tiles.claimed(tile, from));
    Some(hand)
}

impl Agent for Value {
    fn listens(&self) -> bool {
        false
    }

    fn begin(&mut self, stream: Stream) {
        self.weigher.begin(stream);
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        match self.at_once(view, legal) {
            Some(action) => action,
            None => {
                let choices = self.choices(view, legal);
                self.best(view, legal, &choices)
            }
        }
    }

    fn explain(&mut self, view: &View<'_>, legal: &Legal) -> Decision {
        let mut weighed = Vec::new();
        let action = self.at_once(view, legal).unwrap_or_else(|| {
            let choices = self.choices(view, legal);
            weighed = self.reasons(view, legal, &choices);
            self.best(view, legal, &choices)
        });
        Decision { action, weighed }
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::Mean;
    use super::*;
    use crate::Family;
    use crate::agent::simple::unseen;
    use crate::game::Match;
    use crate::ruleset::Rules;

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

    /// A kong that may be made without raising the distance is not always worth it.
    #[test]
    fn kongs_are_weighed_where_they_are_not_paid_at_once() {
        // Two players have more draws left than are told apart.
        let for_two = "ruleset = { id = \"my\", extends = \"hong-kong-old-style\", players = 2 }\n\
                       options.rounds.default = 2\n";
        let for_two = Rules::from_toml("my.toml", for_two).unwrap();
        let games = [
            (Rules::by_id("hong-kong-old-style").unwrap(), false),
            (for_two, false),
            (Rules::by_id("sichuan").unwrap(), true),
        ];
        for (rules, pays) in games {
            let id = &rules.plan().id;
            let mut agent = Value::new(rules.plan());
            let (mut made, mut refused) = (0, 0);
            for seed in 0..100 {
                let mut deal = Match::new(&rules, seed).start_deal();
                agent.begin(Stream::new(4, seed));
                while let Some(seat) = deal.state().deciding().next() {
                    let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                    let wins = legal.contains(Action::Win);
                    let kong = agent.greedy.kong(&view, legal).filter(|_| !wins);
                    let Decision { action, weighed } = agent.explain(&view, legal);
                    if let Some(kong) = kong {
                        let is_weighed = weighed.iter().any(|one| one.action == kong);
                        assert_eq!(is_weighed, !weighed.is_empty(), "{id}");
                        assert!(!(is_weighed && pays), "{id}");
                        made += usize::from(action == kong);
                        refused += usize::from(action != kong);
                    }
                    deal.act(seat, action).unwrap();
                }
            }
            assert!(made > 5, "{id}: {made}");
            assert_eq!(refused > 0, !pays, "{id}: {refused} of {made}");
        }
    }

    /// Riichi is a choice beside the discards of a silent hand. After it the hand can no longer be given up.
    #[test]
    fn riichi_is_weighed_against_silence() {
        let rules = Rules::by_id("riichi-tenhou").unwrap();
        let mut agent = Value::new(rules.plan());
        let (mut made, mut refused) = (0, 0);
        let (mut kept, mut ready) = (Mean::default(), Mean::default());
        for seed in 0..150 {
            let mut deal = Match::new(&rules, seed).start_deal();
            agent.begin(Stream::new(5, seed));
            let mut planned = None;
            while let Some(seat) = deal.state().deciding().next() {
                let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                let Decision { action, weighed } = agent.explain(&view, legal);
                if let Some(kind) = planned.take() {
                    let choices = agent.choices(&view, legal);
                    assert!(choices.iter().all(|choice| choice.is_bound));
                    kept.add(f64::from(u8::from(discard_of(legal, kind) == action)));
                }
                if legal.contains(Action::Riichi) && !legal.contains(Action::Win) {
                    let riichi = weighed.iter().find(|one| one.action == Action::Riichi);
                    let riichi = riichi.expect("riichi is weighed");
                    // The goals are those of the hand after the discard.
                    let is_ready = riichi.goals.iter().any(|goal| goal.distance == 0);
                    ready.add(f64::from(u8::from(is_ready)));
                    let choices = agent.choices(&view, legal);
                    let is_riichi = |choice: &Choice| choice.action == Action::Riichi;
                    assert!(choices.iter().all(|one| one.is_bound == is_riichi(one)));
                    let of_riichi = choices.iter().find(|one| is_riichi(one));
                    match action == Action::Riichi {
                        true => {
                            made += 1;
                            planned = of_riichi.and_then(|riichi| riichi.kind);
                        }
                        false => refused += 1,
                    }
                }
                deal.act(seat, action).unwrap();
            }
        }
        assert!(made > 50 && refused > 5, "{made} {refused}");
        assert!(
            kept.count == f64::from(made) && kept.with(0.0, 0.0) > 0.9,
            "{kept:?}"
        );
        assert!(ready.with(0.0, 0.0) > 0.9, "{ready:?}");
    }

    /// Deals played by agents that say why go as without reasons, and what they choose is the best of what they say.
    #[test]
    fn reasons_agree_with_the_decision_and_change_nothing() {
        for id in ["riichi-tenhou", "woo", "mcr", "sichuan", "malaysian"] {
            let rules = Rules::by_id(id).unwrap();
            let agent = |seat: Seat| {
                let mut agent = Value::new(rules.plan());
                agent.begin(Stream::new(3, seat.index() as u64));
                agent
            };
            let seats = || Seat::all(rules.plan().players);
            let mut plain: Vec<Value> = seats().map(agent).collect();
            let mut telling = plain.clone();
            let (mut discards, mut claims, mut risky) = (0, 0, 0);
            for seed in 6..10 {
                let mut deal = Match::new(&rules, seed).start_deal();
                while let Some(seat) = deal.state().deciding().next() {
                    let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                    let action = plain[seat.index()].decide(&view, legal);
                    let Decision {
                        action: told,
                        weighed,
                    } = telling[seat.index()].explain(&view, legal);
                    assert_eq!(told, action, "{id}");
                    let worth = |one: &Weighed| one.estimate.map(|estimate| estimate.worth);
                    let chosen = weighed.iter().find(|one| one.action == action);
                    if let Some(worth_of_chosen) = chosen.and_then(worth) {
                        assert!(
                            weighed
                                .iter()
                                .all(|one| worth(one) <= Some(worth_of_chosen))
                        );
                        let is_claim = view.claimable().is_some();
                        claims += usize::from(is_claim);
                        discards += usize::from(!is_claim);
                        if !is_claim {
                            let is_discard =
                                |one: &&Weighed| matches!(one.action, Action::Discard { .. });
                            let weighed = weighed.iter().filter(is_discard);
                            assert_eq!(weighed.count(), legal.discard_kinds().len(), "{id}");
                        }
                        let unseen = unseen(rules.plan().tiles.copies(), &view);
                        for accepted in weighed
                            .iter()
                            .flat_map(|one| &one.goals)
                            .flat_map(|goal| &goal.accepts)
                        {
                            assert_eq!(accepted.left, unseen.get(accepted.kind), "{id}");
                        }
                        assert!(weighed.iter().all(|one| !one.goals.is_empty()), "{id}");
                        // Claims also cost what the discard after them may cost.
                        risky += usize::from(weighed.iter().any(|one| {
                            let costs = one.estimate.is_some_and(|estimate| estimate.cost > 0.0);
                            matches!(one.action, Action::Claim(_)) && costs
                        }));
                    }
                    deal.act(seat, action).unwrap();
                }
            }
            assert!(discards > 5 && claims > 0, "{id}: {discards} {claims}");
            // In woo all pay the same, whoever gave the tile.
            assert_eq!(risky > 0, id != "woo", "{id}");
        }
    }

    #[test]
    fn claims_in_thought_leave_the_same_hand_as_at_the_table() {
        let rules = Rules::by_id("riichi-tenhou").unwrap();
        let (mut plain, mut red) = (0, 0);
        for seed in 0..30 {
            let mut deal = Match::new(&rules, seed).start_deal();
            let mut greedy = Greedy::new(rules.plan());
            while let Some(seat) = deal.state().deciding().next() {
                let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                let draws = |tiles: &MeldTiles| tiles.group().family() == Family::Kong;
                for tiles in legal.claims().filter(|tiles| !draws(tiles)) {
                    let hand = claimed(&view, tiles, view.claimable().unwrap());
                    let mut claim = deal.clone();
                    claim.act(seat, Action::Claim(tiles)).unwrap();
                    let after = claim.state().hand(seat);
                    // Another seat may still claim the tile.
                    if after.melds().len() > view.hand().melds().len() {
                        assert_eq!(hand.as_ref(), Some(after), "{tiles}");
                        plain += u32::from(tiles.reds() == 0);
                        red += u32::from(tiles.reds() > 0);
                    }
                }
                let action = greedy.decide(&view, legal);
                deal.act(seat, action).unwrap();
            }
        }
        assert!(plain > 20 && red > 0, "{plain} {red}");
    }

    #[test]
    fn agents_for_the_same_rules_share_what_was_learnt() {
        let rules = Rules::by_id("woo").unwrap();
        let [one, other] = [(); 2].map(|()| Value::new(rules.plan()));
        assert!(Arc::ptr_eq(&one.weigher.know, &other.weigher.know));
    }
}
