//! [`Course`]: how deals between greedy players go under given rules.

use super::super::greedy::Greedy;
use super::super::interface::Agent;
use super::super::simple::unseen;
use crate::decompose::Grammar;
use crate::game::{Deal, Match};
use crate::ruleset::{Plan, Ruleset};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{Action, View, Way};
use crate::tile::Kind;
use smallvec::SmallVec;
use std::sync::Arc;

/// How many deals are played.
const DEALS: u32 = 600;
/// Other players are this much faster than greedy ones.
const RIVALS: f64 = 1.5;
/// A win spares this many times what another player's win costs on average: also what it would cost to hold out against
/// players who are ahead. Found by play.
const SPARED: f64 = 3.0;
/// Most decisions of a deal. Deals are shorter; a faulty ruleset could go on for ever.
const DECISIONS: u32 = 20_000;
/// Own draws that are told apart. More count as this many.
pub(super) const TURNS: usize = 40;
/// Classes of hands by what all players can see: 0 to 4 melds, and an announced hand.
pub(super) const CLASSES: usize = 6;
/// Sorts of tiles by how likely a ready hand waits for them: 4 by the runs through the kind, times 4 by unseen copies.
const SORTS: usize = 16;

/// The rules of a plan, without a type of their own.
#[derive(Debug)]
struct Of(Arc<Plan>);

impl Ruleset for Of {
    fn plan(&self) -> &Arc<Plan> {
        &self.0
    }
}

/// What deals between greedy players show. Payments are in the least unit of the ruleset.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// By the number of draws that a seat has left: the chance that the deal ends with the win of another before the
    /// seat's next turn.
    pub hazard: [f64; TURNS],
    /// What a seat loses on average when another player wins, without having given the tile.
    pub lost: f64,
    /// What a seat loses on average when another player wins, given the tile or not.
    pub spared: f64,
    /// What the giver of the winning tile loses on average, by the class of the winner.
    given: [f64; CLASSES],
    /// The chance that a discard gives a seat the win, by the class of the seat's hand and by the number of draws left.
    danger: [[f64; TURNS]; CLASSES],
    /// How many times as dangerous a sort of tile is.
    of_sort: [f64; SORTS],
}

/// The sort of a kind. `unseen` are its copies that the discarder has not seen.
pub(super) fn sort_of(grammar: &Grammar, kind: Kind, unseen: u8) -> usize {
    let runs = |place: usize| grammar.shapes_with[place].len();
    let most = (0..16).map(runs).max().unwrap_or(0).max(1);
    let through = match kind.suit() {
        Some(_) => (3 * runs(kind.place() as usize)).div_ceil(most),
        None => 0,
    };
    4 * through.min(3) + usize::from(unseen.min(3))
}

/// The kinds that a seat has discarded.
pub(super) fn own_discards(view: &View<'_>, seat: Seat) -> KindSet {
    let own = view.discards().iter().filter(|one| one.seat == seat);
    own.filter_map(|one| one.tile.kind()).collect()
}

/// The kinds with which a seat may not win off a discard, as everybody knows.
pub(super) fn safe_kinds(plan: &Plan, view: &View<'_>, seat: Seat) -> KindSet {
    let mut safe = KindSet::EMPTY;
    if plan
        .procedures
        .furiten
        .is_some_and(|rules| rules.own_discards)
    {
        safe = own_discards(view, seat);
        if let Some(riichi) = view.riichi(seat) {
            // Nor may it win with what it let pass since.
            let since = view.discards().iter().skip(riichi.discard.into());
            since
                .filter_map(|one| one.tile.kind())
                .for_each(|kind| safe.insert(kind));
        }
    }
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

/// How many draws each seat has left, about.
pub(super) fn turns_left(view: &View<'_>) -> usize {
    (view.draws_left() / view.players().max(1)).min(TURNS - 1)
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
    ends: [Mean; TURNS],
    lost: Mean,
    spared: Mean,
    given: [Mean; CLASSES],
    dealt: Box<[[[Mean; SORTS]; TURNS]; CLASSES]>,
}

impl Course {
    pub(super) fn new(plan: &Arc<Plan>) -> Self {
        let rules = Of(plan.clone());
        let mut tally = Tally {
            ends: [Mean::default(); TURNS],
            lost: Mean::default(),
            spared: Mean::default(),
            given: [Mean::default(); CLASSES],
            dealt: Box::new([[[Mean::default(); SORTS]; TURNS]; CLASSES]),
        };
        let mut agents: Vec<Greedy> = (0..plan.players).map(|_| Greedy::new(plan)).collect();
        let mut played = 0;
        for seed in 0..u64::from(DEALS) {
            let mut series = Match::new(&rules, seed);
            while !series.is_over() && played < DEALS {
                let mut deal = series.start_deal();
                tally.deal(&mut deal, &mut agents);
                played += 1;
                if series.finish(&deal).is_err() {
                    return tally.course();
                }
            }
            if played >= DEALS {
                break;
            }
        }
        tally.course()
    }

    /// The chance that a discard gives a seat the win that is not known to be safe.
    pub(super) fn danger(&self, class: usize, turns: usize, sort: usize) -> f64 {
        (self.danger[class][turns] * self.of_sort[sort]).min(0.5)
    }

    /// The same for any tile.
    pub(super) fn mean_danger(&self, class: usize, turns: usize) -> f64 {
        self.danger[class][turns]
    }

    /// What the giver of the winning tile loses to a hand of a class.
    pub(super) fn given(&self, class: usize) -> f64 {
        self.given[class]
    }
}

impl Tally {
    fn deal(&mut self, deal: &mut Deal<&Of>, agents: &mut [Greedy]) {
        let plan = deal.rules().plan().clone();
        let grammar = plan.decomposer.grammar();
        let players = plan.players;
        let mut last = [None; MAX_PLAYERS];
        let mut classes = [0; MAX_PLAYERS];
        let mut offer = Offer::new();
        for _ in 0..DECISIONS {
            let Some(seat) = deal.state().deciding().next() else {
                break;
            };
            let view = deal.state().view(seat);
            let legal = deal.legal(seat);
            let action = agents[seat.index()].decide(&view, legal);
            if !legal.discard_kinds().is_empty() {
                let turns = turns_left(&view);
                if let Some(before) = last[seat.index()] {
                    let before: usize = before;
                    self.ends[before].add(0.0);
                }
                last[seat.index()] = Some(turns);
                let discarded = match action {
                    Action::Discard { tile, .. } => tile.kind(),
                    _ => None,
                };
                offer.clear();
                for other in Seat::all(players).filter(|other| *other != seat) {
                    let class = class_of(&view, other);
                    classes[other.index()] = class;
                    if let Some(kind) =
                        discarded.filter(|kind| !safe_kinds(&plan, &view, other).contains(*kind))
                    {
                        let left = unseen(plan.tiles.copies(), &view).get(kind);
                        let sort = sort_of(grammar, kind, left);
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
            if let Some(turns) = last[seat.index()] {
                self.ends[turns].add(f64::from(u8::from(by_other && !winners.contains(&seat))));
            }
        }
        for (winner, win) in outcome.wins() {
            let given = offer.iter().find(|(seat, ..)| seat == winner);
            if let (Some(&(_, class, turns, sort)), Way::Discard) = (given, win.way) {
                self.dealt[class][turns][sort].sum += 1.0;
            }
        }
        if let [(winner, win)] = outcome.wins() {
            let change = |seat| outcome.change(&plan, deal.state(), seat) as f64;
            for seat in Seat::all(players).filter(|seat| seat != winner) {
                self.spared.add(-change(seat));
                if win.from == Some(seat) && !win.is_self_draw() {
                    self.given[classes[winner.index()]].add(-change(seat));
                } else {
                    self.lost.add(-change(seat));
                }
            }
        }
    }

    fn course(&self) -> Course {
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
        let hazard = all(&self.ends).with(0.05, 1.0);
        let lost = self.lost.with(0.0, 1.0).max(0.0);
        let given = all(&self.given).with(lost, 1.0).max(lost);
        let everywhere = all(self.dealt.as_flattened().as_flattened()).with(0.0, 1.0);
        let danger = std::array::from_fn(|class| {
            let turns: [Mean; TURNS] = std::array::from_fn(|turns| all(&self.dealt[class][turns]));
            let of_class = all(&turns).with(everywhere, 200.0);
            std::array::from_fn(|at| {
                let rows = &turns[at.saturating_sub(2)..(at + 3).min(TURNS)];
                all(rows).with(of_class, 60.0)
            })
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
            hazard: std::array::from_fn(|turns| {
                let hazard = near(&self.ends, turns, hazard) * RIVALS;
                hazard / (1.0 + hazard - hazard / RIVALS)
            }),
            lost,
            spared: self.spared.with(0.0, 1.0).max(0.0) * SPARED,
            given: self.given.map(|mean| mean.with(given, 8.0).max(lost)),
            danger,
            of_sort,
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
        let grammar = plan.decomposer.grammar();
        let five = sort_of(grammar, Kind::number(Suit::Bamboos, Rank::FIVE), 3);
        let terminal = sort_of(
            grammar,
            Kind::number(Suit::Bamboos, Rank::new(1).unwrap()),
            3,
        );
        let honour = sort_of(grammar, Kind::EAST, 1);
        let (closed, riichi) = (0, CLASSES - 1);
        assert!(course.danger(riichi, 8, five) > course.danger(riichi, 8, terminal));
        assert!(course.danger(riichi, 8, terminal) > course.danger(riichi, 8, honour));
        assert!(course.danger(riichi, 8, five) > 10.0 * course.danger(closed, 8, five));
        assert!(course.given(riichi) > course.lost);
        assert!(course.hazard[4] > course.hazard[16], "deals end late");
        // The same deals are played again.
        assert_eq!(course.hazard, Course::new(plan).hazard);
    }

    #[test]
    fn nobody_pays_where_all_keep_their_own_points() {
        let rules = Rules::by_id("woo").unwrap();
        let course = Course::new(rules.plan());
        assert_eq!(course.lost, 0.0);
        assert_eq!(course.spared, 0.0);
        assert_eq!(course.given(0), 0.0);
    }
}
