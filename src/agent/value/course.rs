//! [`Course`]: how deals between greedy players go under given rules.

use super::super::greedy::Greedy;
use super::super::interface::Agent;
use super::super::simple::unseen;
use super::gain::{Seen, gain_by};
use super::partials::{Partials, SORTS};
use crate::counts::Counts;
use crate::game::{Deal, Match, Next};
use crate::ruleset::{Plan, Ruleset};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{Action, Discard, Ending, View, Way};
use crate::tile::Kind;
use smallvec::SmallVec;
use std::sync::Arc;

/// How many deals are played.
const DEALS: u32 = 600;
/// The same where forms alone win, because decisions take ten times as long there.
const DEALS_OF_FORMS: u32 = 60;
/// Other players are this much faster than greedy ones.
const RIVALS: f64 = 1.5;
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
/// Classes of hands by what all players can see: 0 to 4 melds, and an announced hand.
pub(super) const CLASSES: usize = 6;
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

/// What deals between greedy players show. Payments are in the least unit of the ruleset.
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
    /// What the giver of the winning tile loses on average, by the class of the winner: to others, and to the dealer.
    given: [[f64; CLASSES]; 2],
    /// The chance that a discard gives a seat the win, by the class of the seat's hand and by the number of draws left.
    danger: [[f64; TURNS]; CLASSES],
    /// How many times as dangerous a sort of tile is.
    of_sort: [f64; SORTS],
    /// How many times as often other players discard an unseen tile of a sort as any unseen tile, late in the deal.
    offered: [f64; SORTS],
    partials: Partials,
    /// What a win brings beside what lay on the table, as a multiple of what the winner could know of it: closed, and with
    /// an open meld.
    pub beyond: [f64; 2],
    /// The mean number of bonus tiles of a winner that had to be laid aside.
    pub aside: f64,
}

/// The kinds that a seat has discarded.
pub(super) fn own_discards(view: &View<'_>, seat: Seat) -> KindSet {
    let own = view.discards().iter().filter(|one| one.seat == seat);
    own.filter_map(|one| one.tile.kind()).collect()
}

/// The kinds with which a seat does not win off a discard, as everybody may conclude: those that it discarded, where that
/// bars it, and those that others discarded since its hand changed last, because nobody lets a win pass.
pub(super) fn safe_kinds(plan: &Plan, view: &View<'_>, seat: Seat) -> KindSet {
    let furiten = plan.procedures.furiten;
    let mut safe = match furiten.is_some_and(|rules| rules.own_discards) {
        true => own_discards(view, seat),
        false => KindSet::EMPTY,
    };
    // A claim changes a hand as well. A discard from the hand follows it.
    let is_unchanged = |one: &&Discard| one.seat != seat || one.drawn;
    let since = view.discards().iter().rev().take_while(is_unchanged);
    since
        .filter(|one| one.seat != seat)
        .filter_map(|one| one.tile.kind())
        .for_each(|kind| safe.insert(kind));
    safe
}

/// The class of a seat's hand.
pub(super) fn class_of(view: &View<'_>, seat: Seat) -> usize {
    let is_announced = view.riichi(seat).is_some() || view.announced(seat).is_some();
    match is_announced {
        true => CLASSES - 1,
        false => view.melds(seat).len().min(CLASSES - 2),
    }
}

/// How much of a threat the other players are to a seat.
pub(super) fn threat(view: &View<'_>) -> usize {
    let others = Seat::all(view.players()).filter(|seat| *seat != view.seat());
    match others.map(|seat| class_of(view, seat)).max() {
        None | Some(0 | 1) => 0,
        Some(2) => 1,
        Some(_) => 2,
    }
}

/// How many draws each seat has left, about.
pub(super) fn turns_left(view: &View<'_>) -> usize {
    (view.draws_left() / view.players().max(1)).min(TURNS - 1)
}

/// What a seat that may win knows of its gain, and 1 beside it if its hand is open.
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
    let open = usize::from(!hand.is_closed());
    Some((open, gain_by(plan, way, &hand, kind, &seen)))
}

#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    /// The mean, as if `weight` more values had been `prior`.
    fn with(self, prior: f64, weight: f64) -> f64 {
        let count = self.count + weight;
        if count > 0.0 {
            (self.sum + prior * weight) / count
        } else {
            prior
        }
    }
}

/// What a discard may give to each of the others.
type Offer = SmallVec<[(Seat, usize, usize, usize); MAX_PLAYERS]>;

#[derive(Clone)]
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
    given: [[Mean; CLASSES]; 2],
    dealt: Box<[[[Mean; SORTS]; TURNS]; CLASSES]>,
    /// Discards of others in a turn for each unseen tile, late in deals.
    offered: [Mean; SORTS],
    /// What wins brought beside what lay on the table before the deal, and what the winners could know of it: closed, and
    /// with an open meld.
    brought: [[f64; 2]; 2],
    /// Bonus tiles of winners that had to be laid aside.
    aside: Mean,
    partials: Partials,
}

impl Course {
    pub(super) fn new(plan: &Arc<Plan>) -> Self {
        let rules = Of(plan.clone());
        let mut tally = Tally {
            ends: [[Mean::default(); TURNS]; THREATS],
            lost: Mean::default(),
            spared: Mean::default(),
            won: Mean::default(),
            exhausted: [Mean::default(); 2],
            swing: Mean::default(),
            stays: Mean::default(),
            given: [[Mean::default(); CLASSES]; 2],
            dealt: Box::new([[[Mean::default(); SORTS]; TURNS]; CLASSES]),
            offered: [Mean::default(); SORTS],
            brought: [[0.0; 2]; 2],
            aside: Mean::default(),
            partials: Partials::of(plan.decomposer.grammar()),
        };
        let mut agents: Vec<Greedy> = (0..plan.players).map(|_| Greedy::new(plan)).collect();
        let mut played = 0;
        let deals = match plan.decomposer.grammar().standard {
            true => DEALS,
            false => DEALS_OF_FORMS,
        };
        for seed in 0..u64::from(deals) {
            let mut series = Match::new(&rules, seed);
            while !series.is_over() && played < deals {
                let mut deal = series.start_deal();
                tally.deal(&mut deal, &mut agents);
                played += 1;
                match series.finish(&deal) {
                    Ok(next) => tally.stays.add(f64::from(u8::from(next == Next::Stay))),
                    Err(_) => return tally.course(),
                }
            }
            if played >= deals {
                break;
            }
        }
        tally.course()
    }

    /// The sort of a kind as a discard. `unseen` are the tiles that the discarder has not seen, `kinds` their kinds, and
    /// `safe` the kinds with which the other player may not win.
    pub(super) fn sort(&self, kind: Kind, unseen: &Counts, kinds: KindSet, safe: KindSet) -> usize {
        self.partials.sort(kind, unseen, kinds, safe)
    }

    /// The chance that a discard gives a seat the win that is not known to be safe.
    pub(super) fn danger(&self, class: usize, turns: usize, sort: usize) -> f64 {
        (self.danger[class][turns] * self.of_sort[sort]).min(0.5)
    }

    /// How many times as often as any unseen tile other players discard a tile of this kind. `unseen` are the tiles that the
    /// seat has not seen, `kinds` their kinds.
    pub(super) fn offered(&self, kind: Kind, unseen: &Counts, kinds: KindSet) -> f64 {
        self.offered[self.sort(kind, unseen, kinds, KindSet::EMPTY)]
    }

    /// The same for any tile.
    pub(super) fn mean_danger(&self, class: usize, turns: usize) -> f64 {
        self.danger[class][turns]
    }

    /// What the giver of the winning tile loses to a seat whose hand is of a class.
    pub(super) fn given(&self, seat: Seat, class: usize) -> f64 {
        self.given[usize::from(seat == Seat::EAST)][class]
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

    fn deal(&mut self, deal: &mut Deal<&Of>, agents: &mut [Greedy]) {
        let plan = deal.rules().plan().clone();
        let players = plan.players;
        let on_table = plan.settlement.on_table_gain(deal.state().on_table());
        let mut last = [None; MAX_PLAYERS];
        let mut classes = [0; MAX_PLAYERS];
        let mut offer = Offer::new();
        let mut known = [None; MAX_PLAYERS];
        // The sorts of kinds as each seat saw them last, late in the deal.
        let mut sorts: [Vec<(Kind, usize)>; MAX_PLAYERS] = Default::default();
        let most = turns_left(&deal.state().view(Seat::EAST));
        for _ in 0..DECISIONS {
            let Some(seat) = deal.state().deciding().next() else {
                break;
            };
            let view = deal.state().view(seat);
            let legal = deal.legal(seat);
            let action = agents[seat.index()].decide(&view, legal);
            if action == Action::Win {
                known[seat.index()] = known_gain(&plan, &view);
            }
            if !legal.discard_kinds().is_empty() {
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
                offer.clear();
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
                        let sort = self.partials.sort(kind, &left, kinds, KindSet::EMPTY);
                        self.offered[sort].count += f64::from(left.get(kind));
                        sorts[seat.index()].push((kind, sort));
                    }
                }
                for other in Seat::all(players).filter(|other| *other != seat) {
                    let class = class_of(&view, other);
                    classes[other.index()] = class;
                    let safe = safe_kinds(&plan, &view, other);
                    if let Some(kind) = discarded.filter(|kind| !safe.contains(*kind)) {
                        let sort = self.partials.sort(kind, &left, kinds, safe);
                        self.dealt[class][turns][sort].add(0.0);
                        offer.push((other, class, turns, sort));
                    }
                }
            }
            if deal.act(seat, action).is_err() {
                break;
            }
        }
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
        for (winner, win) in outcome.wins() {
            let laid = deal.state().hand(*winner).aside().tiles();
            let laid = laid.filter(|tile| plan.play.aside.must_lay(*tile)).count();
            self.aside.add(laid as f64);
            let given = offer.iter().find(|(seat, ..)| seat == winner);
            if let (Some(&(_, class, turns, sort)), Way::Discard) = (given, win.way) {
                self.dealt[class][turns][sort].sum += 1.0;
            }
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
            if let Some((open, known)) = known[winner.index()].filter(|(_, known)| *known > 0.0) {
                self.brought[open][0] += change(*winner) - on_table as f64;
                self.brought[open][1] += known;
            }
            for seat in Seat::all(players).filter(|seat| seat != winner) {
                self.spared.add(-change(seat));
                if win.from == Some(seat) && !win.is_self_draw() {
                    let to_dealer = usize::from(*winner == Seat::EAST);
                    self.given[to_dealer][classes[winner.index()]].add(-change(seat));
                } else {
                    self.lost.add(-change(seat));
                }
            }
        }
    }

    fn course(self) -> Course {
        let all = |rows: &[Mean]| {
            rows.iter().fold(Mean::default(), |all, one| Mean {
                sum: all.sum + one.sum,
                count: all.count + one.count,
            })
        };
        // Neighbouring numbers of turns share what they show.
        let near = |rows: &[Mean; TURNS], turns: usize, prior: f64| {
            let rows = &rows[turns.saturating_sub(1)..(turns + 2).min(TURNS)];
            all(rows).with(prior, 6.0)
        };
        let hazard = all(&self.ends[0]).with(0.05, 1.0);
        let overall: [f64; TURNS] = std::array::from_fn(|turns| near(&self.ends[0], turns, hazard));
        let lost = self.lost.with(0.0, 1.0).max(0.0);
        let given = self.given.map(|given| {
            let mean = all(&given).with(lost, 1.0).max(lost);
            given.map(|of_class| of_class.with(mean, 8.0).max(lost))
        });
        let [unready, ready] = self.exhausted.map(|mean| mean.with(0.0, 4.0));
        let everywhere = all(self.dealt.as_flattened().as_flattened()).with(0.0, 1.0);
        let danger = std::array::from_fn(|class| {
            let turns: [Mean; TURNS] = std::array::from_fn(|turns| all(&self.dealt[class][turns]));
            let of_class = all(&turns).with(everywhere, 200.0);
            std::array::from_fn(|at| {
                let rows = &turns[at.saturating_sub(2)..(at + 3).min(TURNS)];
                all(rows).with(of_class, 60.0)
            })
        });
        let offered = all(&self.offered).with(0.0, 1.0);
        let offered = self.offered.map(|of_sort| match offered > 0.0 {
            true => of_sort.with(offered, 200.0) / offered,
            false => 1.0,
        });
        let mut of_sort = [1.0; SORTS];
        for (sort, of_sort) in of_sort.iter_mut().enumerate() {
            let (mut events, mut expected) = (3.0, 3.0);
            for class in 0..CLASSES {
                for turns in 0..TURNS {
                    let one = self.dealt[class][turns][sort];
                    let danger: &[[f64; TURNS]; CLASSES] = &danger;
                    events += one.sum;
                    expected += one.count * danger[class][turns];
                }
            }
            *of_sort = events / expected;
        }
        Course {
            hazard: std::array::from_fn(|threat| {
                std::array::from_fn(|turns| {
                    let hazard = match threat {
                        0 => overall[turns],
                        _ => near(&self.ends[threat], turns, overall[turns]),
                    };
                    hazard * RIVALS / (1.0 + hazard * (RIVALS - 1.0))
                })
            }),
            lost,
            spared: self.spared.with(0.0, 1.0).max(0.0),
            won: self.won.with(0.0, 1.0).max(0.0),
            held: (ready - unready).max(0.0),
            unready: -unready,
            swing: self.swing.with(0.0, 1.0),
            repeats: 1.0 / (1.0 - self.stays.with(0.0, 1.0)).max(0.1),
            given,
            danger,
            of_sort,
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
    use crate::ruleset::Rules;
    use crate::tile::{Rank, Suit};

    #[test]
    fn the_middle_of_a_suit_is_more_dangerous_after_riichi() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let plan = rules.plan();
        let course = Course::new(plan);
        let unseen = *plan.tiles.copies();
        let sort = |kind| course.sort(kind, &unseen, unseen.kinds(), KindSet::EMPTY);
        let number = |rank| Kind::number(Suit::Bamboos, Rank::new(rank).unwrap());
        let (five, terminal, honour) = (sort(number(5)), sort(number(1)), sort(Kind::EAST));
        let (closed, riichi) = (0, CLASSES - 1);
        assert!(course.danger(riichi, 8, five) > course.danger(riichi, 8, terminal));
        assert!(course.danger(riichi, 8, terminal) > course.danger(riichi, 8, honour));
        assert!(course.danger(riichi, 8, five) > 10.0 * course.danger(closed, 8, five));
        let [dealer, other] = [Seat::EAST, Seat::SOUTH].map(|seat| course.given(seat, riichi));
        assert!(
            dealer > other && other > course.lost,
            "{dealer} {other} {}",
            course.lost
        );
        assert!(course.hazard[0][4] > course.hazard[0][16], "deals end late");
        let offered = |kind| course.offered(kind, &unseen, unseen.kinds());
        assert!(offered(Kind::EAST) > 1.3 * offered(number(5)));
        // The same deals are played again.
        assert_eq!(course.hazard, Course::new(plan).hazard);
    }

    #[test]
    fn riichi_brings_more_than_a_hand_shows() {
        let beyond = |id| Course::new(Rules::by_id(id).unwrap().plan()).beyond;
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
            let course = Course::new(Rules::by_id(id).unwrap().plan());
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
        let rules = Rules::by_id("woo").unwrap();
        let course = Course::new(rules.plan());
        assert_eq!(course.lost, 0.0);
        assert_eq!(course.spared, 0.0);
        assert_eq!(course.given(Seat::EAST, 0), 0.0);
    }
}
