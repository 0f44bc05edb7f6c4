//! [`Waits`]: which tiles other players wait for, by what all players can see.

use super::super::simple::unseen;
use super::course::{Mean, Of, TURNS, is_announced, is_silent, turns_left};
use super::gain::{Seen, gain_by};
use super::partials::{Partials, SORTS};
use super::signs::{Marks, Signs};
use crate::counts::Counts;
use crate::game::Deal;
use crate::hand::Hand;
use crate::meld::Meld;
use crate::ruleset::Plan;
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{View, Way};
use crate::tile::Kind;
use smallvec::SmallVec;
use std::sync::Arc;

/// Classes of hands by what all players can see: no melds, one to four melds with which hands usually win or not, and an announced
/// hand.
const CLASSES: usize = 2 + 2 * MOST_OF_CLASS;
/// Most melds that classes tell apart.
const MOST_OF_CLASS: usize = 4;
/// How often the weights of marks are adjusted to what was seen.
const ROUNDS: u32 = 8;
/// The weight of a mark counts so many times as 1 beside what was seen.
const PRIOR: f64 = 3.0;
/// The same for a weight that was known before.
const KNOWN: f64 = 30.0;
/// So many kinds with which hands of a class win count as expected beside those that were seen.
const SOME: f64 = 5.0;
/// What was expected of a number of turns counts as so many views of a hand.
const TURNS_KNOWN: f64 = 60.0;
/// What was known of a gain counts as so many views of a ready hand.
const GAINS_KNOWN: f64 = 20.0;
/// The most that the chance of a tile can be.
const MOST: f64 = 0.5;

/// How many times as likely as others a kind with a mark is one of those that a hand waits for.
type Weights = [[f64; SORTS]; 3];

const EQUAL: Weights = [[1.0; SORTS]; 3];

/// The weight of a kind.
fn weight(marks: Marks, weights: &Weights) -> f64 {
    let each = marks.iter().zip(weights);
    each.map(|(&mark, weights)| weights[usize::from(mark)])
        .product()
}

/// With which tiles the hands of other players win.
#[derive(Clone, Debug)]
pub(super) struct Waits {
    partials: Partials,
    /// The kinds of the tiles that are played with.
    kinds: KindSet,
    /// With how many kinds a hand wins off a discard on average, by its class and by the number of draws left.
    many: [[f64; TURNS]; CLASSES],
    /// What a ready hand could know of its gain off a discard on average, by its class: others, and the dealer.
    gains: [[f64; CLASSES]; 2],
    weights: Weights,
}

/// The chances that tiles give a player the win.
#[derive(Clone, Debug)]
pub(super) struct Chances {
    of_kind: [f64; Kind::COUNT],
    /// The chance of a random unseen tile.
    pub mean: f64,
}

impl Chances {
    pub(super) fn of(&self, kind: Kind) -> f64 {
        self.of_kind[kind.index()]
    }
}

/// The class of a seat's hand. `usually_wins` says whether hands with some melds usually win.
pub(super) fn class_of(
    view: &View<'_>,
    seat: Seat,
    usually_wins: impl Fn(&[&Meld]) -> bool,
) -> usize {
    let melds = view.melds(seat).len().min(MOST_OF_CLASS);
    match melds {
        _ if is_announced(view, seat) => CLASSES - 1,
        0 => 0,
        _ => {
            let shown: SmallVec<[&Meld; 6]> = view.melds(seat).flatten().collect();
            2 * melds - usize::from(!usually_wins(&shown))
        }
    }
}

impl Waits {
    /// Nothing is known yet.
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            partials: Partials::of(plan.decomposer.grammar()),
            kinds: plan.tiles.kinds(),
            many: [[0.0; TURNS]; CLASSES],
            gains: [[0.0; CLASSES]; 2],
            weights: EQUAL,
        }
    }

    /// What is known of a table where both kinds of players are as likely.
    pub(super) fn with(mut self, other: &Self) -> Self {
        for class in 0..CLASSES {
            let [own, others] =
                [&self.many, &other.many].map(|many| many[class].iter().sum::<f64>());
            let part = own / (own + others).max(f64::MIN_POSITIVE);
            for dealer in 0..2 {
                let gain = &mut self.gains[dealer][class];
                *gain = part * *gain + (1.0 - part) * other.gains[dealer][class];
            }
            for (own, others) in self.many[class].iter_mut().zip(other.many[class]) {
                *own = (*own + others) / 2.0;
            }
        }
        self
    }

    /// The chances that tiles give a seat the win whose hand is of a class, and what it could then know of its gain. `unseen` are
    /// the tiles that the discarder has not seen.
    pub(super) fn of_seat(
        &self,
        plan: &Plan,
        view: &View<'_>,
        (seat, class): (Seat, usize),
        unseen: &Counts,
    ) -> (Chances, f64) {
        let signs = Signs::of(plan, view, seat);
        let chances = self.chances(self.many[class][turns_left(view)], &signs, unseen);
        (chances, self.gains[usize::from(seat == Seat::EAST)][class])
    }

    /// The chances if the player wins with so many kinds.
    fn chances(&self, many: f64, signs: &Signs, unseen: &Counts) -> Chances {
        let kinds = unseen.kinds();
        let mut of_kind = [0.0; Kind::COUNT];
        let (mut weights, mut drawn) = (0.0, 0.0);
        let possible = self.kinds.difference(signs.safe);
        for kind in possible {
            let sort = self.partials.sort(kind, unseen, kinds, signs);
            let weight = weight(signs.marks(sort, kind), &self.weights);
            of_kind[kind.index()] = weight;
            weights += weight;
            drawn += weight * f64::from(unseen.get(kind));
        }
        let scale = match weights > 0.0 {
            true => many / weights,
            false => 0.0,
        };
        for kind in possible {
            let chance = &mut of_kind[kind.index()];
            *chance = (*chance * scale).min(MOST);
        }
        Chances {
            of_kind,
            mean: drawn * scale / (unseen.total() as f64).max(1.0),
        }
    }
}

/// A hand that may win off a discard, as a discarder sees it: the marks of all kinds that are possible, those first with which it
/// wins.
struct Ready {
    possible: Vec<Marks>,
    wins: usize,
}

/// The kinds with which a hand wins off a discard if it is not furiten, and what the seat may know of its gain on average.
#[derive(Clone, Copy, Default)]
struct Wins {
    kinds: KindSet,
    gain: f64,
}

impl Wins {
    fn of(plan: &Plan, view: &View<'_>) -> Self {
        let waits = view.cached_waits();
        let mut this = Self::default();
        if waits.is_empty() {
            return this;
        }
        let left = unseen(plan.tiles.copies(), view);
        let seen = Seen::new(view.seat(), view.round(), left, view.turned().collect());
        let hand = (view.hand(), is_silent(plan, view, view.seat()));
        for kind in waits {
            let gain = gain_by(plan, Way::Discard, hand, kind, &seen);
            if gain > 0.0 {
                this.kinds.insert(kind);
                this.gain += gain;
            }
        }
        this.gain /= this.kinds.len().max(1) as f64;
        this
    }
}

/// Counts with which tiles hands win.
pub(super) struct Tally {
    plan: Arc<Plan>,
    of: Waits,
    /// The latest hand of each seat, and with what it wins.
    latest: [(Hand, Wins); MAX_PLAYERS],
    many: [[Mean; TURNS]; CLASSES],
    gains: [[Mean; CLASSES]; 2],
    ready: Vec<Ready>,
}

impl Tally {
    pub(super) fn new(plan: &Arc<Plan>) -> Self {
        Self {
            plan: Arc::clone(plan),
            of: Waits::new(plan),
            latest: Default::default(),
            many: [[Mean::default(); TURNS]; CLASSES],
            gains: [[Mean::default(); CLASSES]; 2],
            ready: Vec::new(),
        }
    }

    /// Looks at the hands of the others before a discard of a seat. `class_of` is the class of a seat's hand.
    pub(super) fn see(
        &mut self,
        deal: &Deal<&Of>,
        seat: Seat,
        class_of: impl Fn(&View<'_>, Seat) -> usize,
    ) {
        if deal.legal(seat).discard_kinds().is_empty() {
            return;
        }
        let (plan, view) = (Arc::clone(&self.plan), deal.state().view(seat));
        let left = unseen(plan.tiles.copies(), &view);
        for other in Seat::all(view.players()).filter(|other| *other != seat) {
            let of_other = deal.state().view(other);
            let (hand, wins) = &mut self.latest[other.index()];
            if *hand != *of_other.hand() {
                (*hand, *wins) = (*of_other.hand(), Wins::of(&plan, &of_other));
            }
            let wins = match of_other.is_furiten() || of_other.has_won(other) {
                true => Wins::default(),
                false => *wins,
            };
            let class = class_of(&view, other);
            if !wins.kinds.is_empty() {
                self.gains[usize::from(other == Seat::EAST)][class].add(wins.gain);
            }
            let signs = Signs::of(&plan, &view, other);
            self.add((class, turns_left(&view)), &signs, &left, wins.kinds);
        }
    }

    /// Notes with which kinds a hand wins, as a discarder sees it.
    fn add(
        &mut self,
        (class, turns): (usize, usize),
        signs: &Signs,
        unseen: &Counts,
        wins: KindSet,
    ) {
        let wins = wins.difference(signs.safe);
        self.many[class][turns].add(wins.len() as f64);
        if wins.is_empty() {
            return;
        }
        let kinds = unseen.kinds();
        let rest = self.of.kinds.difference(signs.safe).difference(wins);
        let partials = &self.of.partials;
        let marks = |kind: Kind| signs.marks(partials.sort(kind, unseen, kinds, signs), kind);
        self.ready.push(Ready {
            possible: wins.iter().chain(rest.iter()).map(marks).collect(),
            wins: wins.len(),
        });
    }

    /// What was counted says. `before` is what was known before.
    pub(super) fn waits(self, before: Option<&Waits>) -> Waits {
        let weights = self.weights(before);
        let everywhere = Mean::all(self.many.as_flattened()).with(0.0, 1.0);
        let many = std::array::from_fn(|class| {
            let turns = &self.many[class];
            let prior = |at: usize| before.map_or(everywhere, |before| before.many[class][at]);
            let (mut seen, mut expected) = (SOME, SOME);
            for (at, of_turn) in turns.iter().enumerate() {
                seen += of_turn.sum;
                expected += of_turn.count * prior(at);
            }
            std::array::from_fn(|at: usize| {
                // Neighbouring numbers of turns share what they show.
                let near = &turns[at.saturating_sub(2)..(at + 3).min(TURNS)];
                Mean::all(near).with(prior(at) * seen / expected, TURNS_KNOWN)
            })
        });
        let gains = std::array::from_fn(|dealer| {
            let of_all = Mean::all(&self.gains[dealer]).with(0.0, 0.0);
            std::array::from_fn(|class| {
                let prior = before.map_or(of_all, |before| before.gains[dealer][class]);
                self.gains[dealer][class].with(prior, GAINS_KNOWN)
            })
        });
        Waits {
            many,
            gains,
            weights,
            ..self.of
        }
    }

    /// The weights with which the kinds that win are most likely, if each is one of those that are possible. Each round takes a
    /// step of a method that converges for such choices (Hunter, MM algorithms for generalized Bradley-Terry models, 2004).
    fn weights(&self, before: Option<&Waits>) -> Weights {
        let (prior, count) = match before {
            Some(before) => (before.weights, KNOWN),
            None => (EQUAL, PRIOR),
        };
        let mut weights = prior;
        let mut seen = [[0.0; SORTS]; 3];
        for marks in self
            .ready
            .iter()
            .flat_map(|ready| &ready.possible[..ready.wins])
        {
            for (seen, &mark) in seen.iter_mut().zip(marks) {
                seen[usize::from(mark)] += 1.0;
            }
        }
        for round in 0..3 * ROUNDS as usize {
            let about = round % 3;
            let mut expected = [0.0; SORTS];
            for ready in &self.ready {
                let of_kinds = ready.possible.iter().map(|marks| weight(*marks, &weights));
                let of_kinds: SmallVec<[f64; 64]> = of_kinds.collect();
                let scale = ready.wins as f64 / of_kinds.iter().sum::<f64>();
                for (marks, of_kind) in ready.possible.iter().zip(of_kinds) {
                    expected[usize::from(marks[about])] += of_kind * scale;
                }
            }
            for (mark, weight) in weights[about].iter_mut().enumerate() {
                // The weight that the prior and what was seen agree on.
                *weight *= (seen[about][mark] + count)
                    / (expected[mark] + count * *weight / prior[about][mark]);
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::super::knowledge::Knowledge;
    use super::super::signs::of_melds;
    use super::*;
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::tile::{Rank, Suit};

    fn number(suit: Suit, rank: u8) -> Kind {
        Kind::number(suit, Rank::new(rank).unwrap())
    }

    #[test]
    fn the_fewer_tiles_may_give_the_win_the_more_dangerous_is_each() {
        let know = Knowledge::of(Rules::by_id("riichi-mcgill").unwrap().plan());
        let waits = &know.waits;
        let [closed, riichi] = [0, CLASSES - 1].map(|class| waits.many[class][8]);
        // A ready hand waits for one to three kinds, and most closed hands are not ready.
        assert!((1.2..2.0).contains(&riichi) && closed < 0.1 * riichi);
        let unseen = *know.plan.tiles.copies();
        let chances = |signs: &Signs| waits.chances(riichi, signs, &unseen);
        let five = number(Suit::Bamboos, 5);
        let after_riichi = chances(&Signs::default());
        let [middle, terminal, honour] =
            [five, number(Suit::Bamboos, 1), Kind::EAST].map(|kind| after_riichi.of(kind));
        assert!(
            middle > terminal && terminal > honour,
            "{middle} {terminal} {honour}"
        );
        let all: f64 = know
            .plan
            .tiles
            .kinds()
            .iter()
            .map(|kind| after_riichi.of(kind))
            .sum();
        assert!((all - riichi).abs() < 1e-9);
        let fewer = chances(&Signs {
            safe: KindSet::of_lane(0).union(KindSet::of_lane(2)),
            ..Signs::default()
        });
        assert!(fewer.of(five) > 2.0 * middle);
        assert_eq!(fewer.of(number(Suit::Circles, 5)), 0.0);
        // Who discarded a four early hardly waits with another.
        let four = [number(Suit::Bamboos, 4)].into_iter().collect();
        let beside = chances(&Signs {
            safe: four,
            discarded: four,
            before: four,
            ..Signs::default()
        });
        let six = number(Suit::Bamboos, 6);
        assert!(beside.of(six) < 0.8 * after_riichi.of(six));
    }

    #[test]
    fn players_wait_for_tiles_of_the_suit_of_their_melds() {
        let know = Knowledge::of(Rules::by_id("hong-kong-old-style").unwrap().plan());
        let melds = [2, 0, 0, 0];
        let signs = Signs {
            melds: std::array::from_fn(|lane| of_melds(lane, &melds)),
            ..Signs::default()
        };
        let chances = know.waits.chances(1.0, &signs, know.plan.tiles.copies());
        let [own, other] = [Suit::Circles, Suit::Bamboos].map(|suit| chances.of(number(suit, 5)));
        assert!(own > 5.0 * other, "{own} {other}");
    }

    /// Hands that wait for kinds drawn with given weights.
    #[test]
    fn weights_are_found_again() {
        let know = Knowledge::of(Rules::by_id("woo").unwrap().plan());
        let mut tally = Tally::new(&know.plan);
        let (of_sort, of_suit) = ([1, 4, 2], [3, 1]);
        let mut stream = Stream::new(6, 6);
        for _ in 0..20_000 {
            let mut possible: Vec<Marks> = (0..12)
                .map(|_| [stream.below(3) as u8, stream.below(2) as u8, 0])
                .collect();
            let weight =
                |marks: &Marks| of_sort[usize::from(marks[0])] * of_suit[usize::from(marks[1])];
            let sum: u32 = possible.iter().map(weight).sum();
            let mut place = stream.below(sum);
            let wins = possible.iter().position(|marks| {
                let is_here = place < weight(marks);
                place = place.saturating_sub(weight(marks));
                is_here
            });
            possible.swap(0, wins.unwrap());
            tally.ready.push(Ready { possible, wins: 1 });
        }
        let found = tally.weights(None);
        let ratio = |a: f64, b: f64, expected: f64| {
            assert!((a / b / expected - 1.0).abs() < 0.1, "{} {expected}", a / b);
        };
        ratio(found[0][1], found[0][0], 4.0);
        ratio(found[0][2], found[0][0], 2.0);
        ratio(found[1][0], found[1][1], 3.0);
    }
}
