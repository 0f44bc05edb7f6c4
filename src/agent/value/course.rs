//! [`Course`]: how deals go under given rules.

use super::super::interface::Agent;
use super::super::simple::unseen;
use super::gain::{Seen, gain_by};
use super::partials::{Partials, SORTS};
use super::signs::Signs;
use crate::counts::Counts;
use crate::game::{Deal, Match, Next};
use crate::random::Stream;
use crate::ruleset::{Plan, Ruleset};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{Action, Ending, View, Way};
use crate::tile::Kind;
use std::sync::Arc;

/// A win spares this many times what another player's win costs on average: also what it would cost to hold out against
/// players who are ahead. Found by play.
pub(super) const SPARED: f64 = 3.0;
/// Bounds of what a win brings as a multiple of what the winner could know.
const LEAST_BEYOND: f64 = 0.7;
const MOST_BEYOND: f64 = 1.6;
/// Most decisions of a deal. Deals are shorter; a faulty ruleset could go on for ever.
const DECISIONS: u32 = 20_000;
/// Own draws that are told apart. More count as this many.
pub(super) const TURNS: usize = 40;
/// Levels of threat by what the other players show: anything, at least two melds, an announced hand or three melds.
pub(super) const THREATS: usize = 3;

/// The rules of a plan, without a type of their own.
#[derive(Debug)]
pub(super) struct Of(pub Arc<Plan>);

impl Ruleset for Of {
    fn plan(&self) -> &Arc<Plan> {
        &self.0
    }
}

/// What deals show. Payments are in the least unit of the ruleset.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// By the number of draws that a seat has left: the chance that the deal ends with the win of another before the
    /// seat's next turn. A row for each level of threat; that of level 0 is for all deals.
    pub hazard: [[f64; TURNS]; THREATS],
    /// What a seat loses on average when another player wins, without having given the tile.
    pub lost: f64,
    /// What a seat loses on average when another player wins, given the tile or not.
    pub spared: f64,
    /// What a win brings the winner on average.
    pub won: f64,
    /// How much more a seat gets with a ready hand than without one if the wall is used up. 0 where nothing is paid then.
    pub held: f64,
    /// What a seat without a ready hand pays then.
    pub unready: f64,
    /// The variance of what a deal adds to the difference of two totals.
    pub swing: f64,
    /// How many deals in a row a dealer has on average.
    pub repeats: f64,
    /// What the giver of the winning tile loses, as a multiple of what the winner could know of its gain.
    pub giver: f64,
    /// How many times as often other players discard an unseen tile of a sort as any unseen tile, late in the deal.
    offered: [f64; SORTS],
    partials: Partials,
    /// What a win brings beside what lay on the table, as a multiple of what the winner could know of it: closed, and with
    /// an open meld or silent where riichi is played.
    pub beyond: [f64; 2],
    /// The mean number of bonus tiles of a winner that had to be laid aside.
    pub aside: f64,
}

/// The kinds that a seat has discarded.
pub(super) fn own_discards(view: &View<'_>, seat: Seat) -> KindSet {
    let own = view.discards().iter().filter(|one| one.seat == seat);
    own.filter_map(|one| one.tile.kind()).collect()
}

/// True for a seat that has not announced its hand where riichi is played.
pub(super) fn is_silent(plan: &Plan, view: &View<'_>, seat: Seat) -> bool {
    plan.procedures.riichi.is_some() && !is_announced(view, seat)
}

/// True for a seat with an announced hand.
pub(super) fn is_announced(view: &View<'_>, seat: Seat) -> bool {
    view.riichi(seat).is_some() || view.announced(seat).is_some()
}

/// How much of a threat the other players are to a seat.
pub(super) fn threat(view: &View<'_>) -> usize {
    let others = Seat::all(view.players()).filter(|seat| *seat != view.seat());
    let of_seat = |seat: Seat| match view.melds(seat).len() {
        _ if is_announced(view, seat) => 2,
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    };
    others.map(of_seat).max().unwrap_or(0)
}

/// How many draws each seat has left, about.
pub(super) fn turns_left(view: &View<'_>) -> usize {
    (view.draws_left() / view.players().max(1)).min(TURNS - 1)
}

/// What a seat that may win knows of its gain, and 1 beside it if its hand is open or silent: the index in
/// [`Course::beyond`].
fn known_gain(plan: &Plan, view: &View<'_>) -> Option<(usize, f64)> {
    let mut hand = *view.hand();
    let (way, tile) = match (view.claimable(), view.drawn()) {
        (Some((tile, _)), _) => (Way::Discard, tile),
        (None, tile) => (Way::Wall, tile?),
    };
    let kind = tile.kind()?;
    if way == Way::Wall {
        hand.take_kind(kind, 1);
    }
    let left = unseen(plan.tiles.copies(), view);
    let seen = Seen::new(view.seat(), view.round(), left, view.turned().collect());
    let silent = is_silent(plan, view, view.seat());
    let plain = usize::from(silent || !hand.is_closed());
    Some((plain, gain_by(plan, way, (&hand, silent), kind, &seen)))
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    pub sum: f64,
    pub count: f64,
}

impl Mean {
    /// The mean of all values of some means.
    pub(super) fn all(rows: &[Self]) -> Self {
        rows.iter().fold(Self::default(), |all, one| Self {
            sum: all.sum + one.sum,
            count: all.count + one.count,
        })
    }

    pub(super) fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    /// The mean, as if `weight` more values had been `prior`.
    pub(super) fn with(self, prior: f64, weight: f64) -> f64 {
        let count = self.count + weight;
        if count > 0.0 {
            (self.sum + prior * weight) / count
        } else {
            prior
        }
    }
}

struct Tally {
    ends: [[Mean; TURNS]; THREATS],
    lost: Mean,
    spared: Mean,
    won: Mean,
    /// What deals brought in which the wall was used up: without a ready hand, and with one.
    exhausted: [Mean; 2],
    swing: Mean,
    /// Deals after which the dealer deals again.
    stays: Mean,
    /// What givers of winning tiles lost, and what the winners could know of their gains.
    giver: [f64; 2],
    /// Discards of others in a turn for each unseen tile, late in deals.
    offered: [Mean; SORTS],
    /// What wins brought beside what lay on the table before the deal, and what the winners could know of it, as in
    /// [`Course::beyond`].
    brought: [[f64; 2]; 2],
    /// Bonus tiles of winners that had to be laid aside.
    aside: Mean,
    partials: Partials,
}

impl Course {
    /// What deals between these agents show. Others win `faster` times as fast. Calls `each` before each action.
    pub(super) fn learn<A: Agent>(
        plan: &Arc<Plan>,
        deals: u32,
        mut agents: Vec<A>,
        faster: f64,
        mut each: impl FnMut(&Deal<&Of>, Seat),
    ) -> Self {
        let mut tally = Tally {
            ends: [[Mean::default(); TURNS]; THREATS],
            lost: Mean::default(),
            spared: Mean::default(),
            won: Mean::default(),
            exhausted: [Mean::default(); 2],
            swing: Mean::default(),
            stays: Mean::default(),
            giver: [0.0; 2],
            offered: [Mean::default(); SORTS],
            brought: [[0.0; 2]; 2],
            aside: Mean::default(),
            partials: Partials::of(plan.decomposer.grammar()),
        };
        tally.stays = play_deals(plan, deals, &mut agents, |deal, agents| {
            tally.deal(deal, agents, &mut each);
        });
        tally.course(faster)
    }

    /// The course of deals that go like those of another one. What wins cost others and what players discard stays. Found by
    /// play: where other players win much, what a win spares makes the agent too hasty.
    pub(super) fn like(self, other: Self) -> Self {
        Self {
            lost: self.lost,
            spared: self.spared,
            won: self.won,
            giver: self.giver,
            offered: self.offered,
            ..other
        }
    }

    /// How many times as often as any unseen tile other players discard a tile of this kind. `unseen` are the tiles that the
    /// seat has not seen, `kinds` their kinds.
    pub(super) fn offered(&self, kind: Kind, unseen: &Counts, kinds: KindSet) -> f64 {
        self.offered[self.partials.sort(kind, unseen, kinds, &Signs::default())]
    }
}

/// Plays deals of matches. Returns how often the dealer dealt again.
pub(super) fn play_deals<A: Agent>(
    plan: &Arc<Plan>,
    deals: u32,
    agents: &mut [A],
    mut play: impl FnMut(&mut Deal<&Of>, &mut [A]),
) -> Mean {
    let rules = Of(plan.clone());
    let (mut stays, mut played) = (Mean::default(), 0);
    for seed in 0..u64::from(deals) {
        let mut series = Match::new(&rules, seed);
        while !series.is_over() {
            if played == deals {
                return stays;
            }
            let mut deal = series.start_deal();
            for (seat, agent) in agents.iter_mut().enumerate() {
                agent.begin(Stream::new(u64::from(played), seat as u64));
            }
            play(&mut deal, agents);
            played += 1;
            match series.finish(&deal) {
                Ok(next) => stays.add(f64::from(u8::from(next == Next::Stay))),
                Err(_) => return stays,
            }
        }
    }
    stays
}

/// Plays a deal. Calls `each` before each action.
pub(super) fn play_deal<A: Agent>(
    deal: &mut Deal<&Of>,
    agents: &mut [A],
    mut each: impl FnMut(&Deal<&Of>, Seat, Action),
) {
    for _ in 0..DECISIONS {
        let Some(seat) = deal.state().deciding().next() else {
            break;
        };
        let view = deal.state().view(seat);
        let action = agents[seat.index()].decide(&view, deal.legal(seat));
        each(deal, seat, action);
        if deal.act(seat, action).is_err() {
            break;
        }
    }
}

impl Tally {
    /// Notes whether a deal ended before a seat's next turn.
    fn ends(&mut self, threat: usize, turns: usize, ended: f64) {
        self.ends[0][turns].add(ended);
        if threat > 0 {
            self.ends[threat][turns].add(ended);
        }
    }

    fn deal<A: Agent>(
        &mut self,
        deal: &mut Deal<&Of>,
        agents: &mut [A],
        mut each: impl FnMut(&Deal<&Of>, Seat),
    ) {
        let plan = deal.rules().plan().clone();
        let players = plan.players;
        let on_table = plan.settlement.on_table_gain(deal.state().on_table());
        let mut last = [None; MAX_PLAYERS];
        let mut known = [None; MAX_PLAYERS];
        // The sorts of kinds as each seat saw them last, late in the deal.
        let mut sorts: [Vec<(Kind, usize)>; MAX_PLAYERS] = Default::default();
        let most = turns_left(&deal.state().view(Seat::EAST));
        play_deal(deal, agents, |deal, seat, action| {
            each(deal, seat);
            let view = deal.state().view(seat);
            if action == Action::Win {
                known[seat.index()] = known_gain(&plan, &view);
            }
            if !deal.legal(seat).discard_kinds().is_empty() {
                let turns = turns_left(&view);
                if let Some((threat, before)) = last[seat.index()] {
                    self.ends(threat, before, 0.0);
                }
                sorts[seat.index()].clear();
                last[seat.index()] = Some((threat(&view), turns));
                let discarded = match action {
                    Action::Discard { tile, .. } => tile.kind(),
                    _ => None,
                };
                let left = unseen(plan.tiles.copies(), &view);
                let kinds = left.kinds();
                for (other, sorts) in sorts.iter().enumerate() {
                    let sort = sorts.iter().find(|(kind, _)| discarded == Some(*kind));
                    if let Some(&(_, sort)) = sort.filter(|_| other != seat.index()) {
                        self.offered[sort].sum += 1.0;
                    }
                }
                if 3 * turns < 2 * most {
                    for kind in kinds {
                        let sort = self.partials.sort(kind, &left, kinds, &Signs::default());
                        self.offered[sort].count += f64::from(left.get(kind));
                        sorts[seat.index()].push((kind, sort));
                    }
                }
            }
        });
        let Some(outcome) = deal.outcome() else {
            return;
        };
        let winners: Vec<Seat> = outcome.wins().iter().map(|(seat, _)| *seat).collect();
        for seat in Seat::all(players) {
            let by_other = winners.iter().any(|winner| *winner != seat);
            if let Some((threat, turns)) = last[seat.index()] {
                let ended = by_other && !winners.contains(&seat);
                self.ends(threat, turns, f64::from(u8::from(ended)));
            }
        }
        for (winner, _) in outcome.wins() {
            let laid = deal.state().hand(*winner).aside().tiles();
            let laid = laid.filter(|tile| plan.play.aside.must_lay(*tile)).count();
            self.aside.add(laid as f64);
        }
        let change = |seat| outcome.change(&plan, deal.state(), seat) as f64;
        for (seat, other) in Seat::all(players).zip(Seat::all(players).skip(1)) {
            let difference = change(seat) - change(other);
            self.swing.add(difference * difference);
        }
        if outcome.ending == Ending::Exhausted && plan.pays_at_exhausted_wall() {
            let out = deal.state().out();
            for seat in Seat::all(players).filter(|seat| !out.contains(*seat)) {
                let is_ready = usize::from(outcome.ready.contains(seat));
                self.exhausted[is_ready].add(outcome.settlement.deltas[seat] as f64);
            }
        }
        if let [(winner, win)] = outcome.wins() {
            self.won.add(change(*winner));
            if let Some((plain, known)) = known[winner.index()].filter(|(_, known)| *known > 0.0) {
                self.brought[plain][0] += change(*winner) - on_table as f64;
                self.brought[plain][1] += known;
            }
            let of_winner = known[winner.index()].map_or(0.0, |(_, known)| known);
            for seat in Seat::all(players).filter(|seat| seat != winner) {
                self.spared.add(-change(seat));
                if win.from == Some(seat) && !win.is_self_draw() {
                    self.giver[0] -= change(seat);
                    self.giver[1] += of_winner;
                } else {
                    self.lost.add(-change(seat));
                }
            }
        }
    }

    fn course(self, faster: f64) -> Course {
        // Neighbouring numbers of turns share what they show.
        let near = |rows: &[Mean; TURNS], turns: usize, prior: f64| {
            let rows = &rows[turns.saturating_sub(1)..(turns + 2).min(TURNS)];
            Mean::all(rows).with(prior, 6.0)
        };
        let hazard = Mean::all(&self.ends[0]).with(0.05, 1.0);
        let overall: [f64; TURNS] = std::array::from_fn(|turns| near(&self.ends[0], turns, hazard));
        let lost = self.lost.with(0.0, 1.0).max(0.0);
        let [unready, ready] = self.exhausted.map(|mean| mean.with(0.0, 4.0));
        let offered = Mean::all(&self.offered).with(0.0, 1.0);
        let offered = self.offered.map(|of_sort| match offered > 0.0 {
            true => of_sort.with(offered, 200.0) / offered,
            false => 1.0,
        });
        Course {
            hazard: std::array::from_fn(|threat| {
                std::array::from_fn(|turns| {
                    let hazard = match threat {
                        0 => overall[turns],
                        _ => near(&self.ends[threat], turns, overall[turns]),
                    };
                    hazard * faster / (1.0 + hazard * (faster - 1.0))
                })
            }),
            lost,
            spared: self.spared.with(0.0, 1.0).max(0.0),
            won: self.won.with(0.0, 1.0).max(0.0),
            held: (ready - unready).max(0.0),
            unready: -unready,
            swing: self.swing.with(0.0, 1.0),
            repeats: 1.0 / (1.0 - self.stays.with(0.0, 1.0)).max(0.1),
            giver: match self.giver[1] > 0.0 {
                true => self.giver[0] / self.giver[1],
                false => 1.0,
            },
            offered,
            partials: self.partials,
            aside: self.aside.with(0.0, 1.0),
            beyond: self.brought.map(|[brought, known]| {
                // As if a tenth of the wins had brought what was known.
                let some = 0.1 * (self.brought[0][1] + self.brought[1][1]) + 1.0;
                ((brought + some) / (known + some)).clamp(LEAST_BEYOND, MOST_BEYOND)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Greedy;
    use crate::ruleset::Rules;
    use crate::tile::{Rank, Suit};

    /// What 600 deals between greedy players show.
    fn of_greedy(id: &str) -> Course {
        let rules = Rules::by_id(id).unwrap();
        let agents = vec![Greedy::new(rules.plan()); rules.plan().players];
        Course::learn(rules.plan(), 600, agents, 1.0, |_, _| {})
    }

    #[test]
    fn deals_end_late_and_honours_are_discarded() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let plan = rules.plan();
        let course = of_greedy("riichi-mcgill");
        let unseen = *plan.tiles.copies();
        let number = |rank| Kind::number(Suit::Bamboos, Rank::new(rank).unwrap());
        assert!(course.hazard[0][4] > course.hazard[0][16], "deals end late");
        let offered = |kind| course.offered(kind, &unseen, unseen.kinds());
        assert!(offered(Kind::EAST) > 1.3 * offered(number(5)));
        // The same deals are played again.
        assert_eq!(course.hazard, of_greedy("riichi-mcgill").hazard);
    }

    #[test]
    fn riichi_brings_more_than_a_hand_shows() {
        let beyond = |id| of_greedy(id).beyond;
        // Hidden indicators and one-shot wins.
        let [closed, open] = beyond("riichi-tenhou");
        assert!(closed > 1.15 && closed > open, "{closed} {open}");
        assert!(
            beyond("woo")
                .iter()
                .all(|beyond| (beyond - 1.0).abs() < 0.02)
        );
    }

    #[test]
    fn hands_that_are_not_ready_pay_where_the_rules_say_so() {
        let held = |id| {
            let course = of_greedy(id);
            (course.held, course.unready)
        };
        // One of four with a ready hand gets 3,000 from the three others.
        let (held_of_riichi, unready) = held("riichi-tenhou");
        assert!(
            (2_500.0..=4_000.0).contains(&held_of_riichi),
            "{held_of_riichi}"
        );
        assert!((500.0..=3_000.0).contains(&unready), "{unready}");
        assert!(held("sichuan").0 > 0.0);
        assert_eq!(held("hong-kong-old-style"), (0.0, 0.0));
    }

    #[test]
    fn nobody_pays_where_all_keep_their_own_points() {
        let course = of_greedy("woo");
        assert_eq!(course.lost, 0.0);
        assert_eq!(course.spared, 0.0);
        // Others than the winner score their hands as well.
        assert!(course.giver <= 0.0, "{}", course.giver);
    }
}
