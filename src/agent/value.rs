//! [`Value`]: aims for valuable hands, not only for the nearest one.

use super::greedy::Greedy;
use super::interface::Agent;
use super::recent::Recent;
use super::simple::{discard_of, unseen};
use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding, Scratch};
use crate::hand::Hand;
use crate::meld::Group;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::score::{self, ScoreInput, ScoreRules, SettlementRules};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{Action, FlagSet, Legal, MeldTiles, View, Way, Win};
use crate::tile::{Kind, Tile};
use crate::tile_set::TileSet;
use smallvec::SmallVec;

/// How many ways to complete a hand are sampled. With fewer, luck decides between discards.
const WAYS: u32 = 32;
/// How many discards are compared, those with the least distance first.
const DISCARDS: usize = 6;
/// A claim must be worth this many times as much as passing.
const CLAIM: f64 = 1.2;

/// The chance that the most dangerous discard completes the hand of one opponent who looks ready: a kind in the middle
/// of a suit whose other copies are all unseen.
const DANGER: f64 = 0.12;
/// A player with this many melds on the table looks ready.
const LOOKS_READY: usize = 3;

/// How much time there is to win, and the advantages of a win besides its points.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// After this many turns the chance that no other player has won is 1/e, about a third.
    patience: f64,
    /// What a win saves because no other player wins, as a share of the mean value of a hand.
    spared: f64,
    /// The extra payment of the discarder compared with the other losers, as a share of the mean value of a hand.
    given: f64,
}

impl Pace {
    /// Where all players keep their own points, another player's win costs nothing but the end of the deal.
    fn new(settlement: &SettlementRules) -> Self {
        match settlement {
            SettlementRules::OwnPoints => Self {
                patience: 20.0,
                spared: 0.0,
                given: 0.0,
            },
            SettlementRules::AllPay(_) => Self {
                patience: 8.0,
                spared: 0.5,
                given: 0.0,
            },
            _ => Self {
                patience: 8.0,
                spared: 0.5,
                given: 1.0,
            },
        }
    }

    /// The chance that no other player has won after this many turns.
    fn chance(self, turns: f64) -> f64 {
        (-turns / self.patience).exp()
    }
}

/// Sums over the sampled ways to complete a hand.
#[derive(Clone, Copy, Debug, Default)]
struct Promise {
    /// The sum of the points, each times the chance to win in time.
    worth: f64,
    /// The sum of these chances.
    chance: f64,
    /// The sum of the points.
    points: f64,
    /// How many ways score any points.
    ways: f64,
}

impl Promise {
    /// The value of these ways where a hand is worth `mean` points on average.
    fn value(&self, pace: Pace, mean: f64) -> f64 {
        self.worth + self.chance * mean * pace.spared
    }
}

/// The mean points of all ways that score any.
fn mean<'a>(promises: impl Iterator<Item = &'a Promise>) -> f64 {
    let (mut points, mut ways) = (0.0, 0.0);
    for promise in promises {
        points += promise.points;
        ways += promise.ways;
    }
    if ways > 0.0 { points / ways } else { 0.0 }
}

type Promises = SmallVec<[(Promise, Kind); DISCARDS]>;

/// Samples ways to complete its hand with unseen accepted tiles, and scores the results.
///
/// The agent maximizes the points of a win times the chance to win in time. It adds what a win saves, if another
/// player's win would cost points. Complete hands that are worth too little to win count as 0, as do claims that lead
/// to such hands. If the discarder pays more, the cost of a discard is an estimate of what players who look ready win
/// with it.
///
/// The agent knows only the patterns of a ruleset.
#[derive(Clone, Debug)]
pub struct Value {
    greedy: Greedy,
    decomposer: Decomposer,
    score: ScoreRules,
    tiles: TileSet,
    pace: Pace,
    /// True where own discards cause furiten: a seat may not win off others with a kind that it has discarded.
    knows_furiten: bool,
    /// The riichi flag, where there is one. Every closed hand may declare it.
    riichi_flag: Option<usize>,
    stream: Stream,
    scratch: Scratch,
    /// The distance of hands and the kinds that they accept.
    accepted: Recent<Holding, (i8, KindSet)>,
    /// The discards that keep the distance of hands on turn.
    keeping: Recent<Holding, KindSet>,
    /// The points of ready hands with a kind, drawn and off a discard. Valid for one decision, because the table
    /// changes.
    points: Recent<(Hand, Kind), (f64, f64)>,
}

/// The knowledge of the seat when it decides.
struct Table {
    seat: Seat,
    round: crate::tile::Wind,
    players: usize,
    /// The number of unseen copies of each kind.
    unseen: Counts,
    left: f64,
    bonus: SmallVec<[Tile; 8]>,
}

impl Value {
    /// An agent for a ruleset.
    pub fn new(plan: &Plan) -> Self {
        Self {
            greedy: Greedy::new(plan),
            decomposer: plan.decomposer.clone(),
            score: plan.score.clone(),
            tiles: plan.tiles,
            pace: Pace::new(&plan.settlement),
            knows_furiten: plan
                .procedures
                .furiten
                .is_some_and(|rules| rules.own_discards),
            riichi_flag: plan.procedures.riichi.and_then(|rules| rules.flag),
            stream: Stream::new(0, 0),
            scratch: Scratch::new(),
            accepted: Recent::new(),
            keeping: Recent::new(),
            points: Recent::new(),
        }
    }

    /// The knowledge of the seat. Clears the values of hands at another table.
    fn table(&mut self, view: &View<'_>) -> Table {
        self.points.clear();
        let unseen = unseen(self.tiles.copies(), view);
        Table {
            seat: view.seat(),
            round: view.round(),
            players: view.players(),
            left: unseen.total() as f64,
            unseen,
            bonus: view.turned().collect(),
        }
    }

    /// Draws one of these kinds, weighted by unseen copies. Also returns how many unseen copies there are of
    /// all these kinds. `None` if there are none.
    fn draw(&mut self, kinds: KindSet, unseen: &Counts) -> Option<(Kind, u32)> {
        let all: u32 = kinds.iter().map(|kind| u32::from(unseen.get(kind))).sum();
        let mut place = self.stream.below(all.max(1));
        for kind in kinds.iter() {
            let count = u32::from(unseen.get(kind));
            if place < count {
                return Some((kind, all));
            }
            place -= count;
        }
        None
    }

    /// The distance and the accepted tiles of a hand.
    fn accepts(&mut self, holding: &Holding) -> (i8, KindSet) {
        let Self {
            decomposer,
            scratch,
            accepted,
            ..
        } = self;
        accepted.answer(&holding.concealed, *holding, || {
            decomposer.accepts(holding, scratch)
        })
    }

    /// The discards that leave a hand at its distance.
    fn keeping(&mut self, holding: &Holding, distance: i8) -> KindSet {
        let Self {
            decomposer,
            scratch,
            keeping,
            ..
        } = self;
        keeping.answer(&holding.concealed, *holding, || {
            let keeps = |kind: &Kind| {
                let mut rest = *holding;
                rest.concealed.try_remove(*kind);
                decomposer.distance(&rest, scratch) == distance
            };
            holding.concealed.kinds().iter().filter(keeps).collect()
        })
    }

    /// Samples ways to complete a hand that is not on turn.
    fn promise(&mut self, hand: &Hand, table: &Table) -> Promise {
        let mut promise = Promise::default();
        for _ in 0..WAYS {
            let (points, turns) = self.one_way(hand, table);
            if points > 0.0 {
                let chance = self.pace.chance(turns);
                promise.worth += points * chance;
                promise.chance += chance;
                promise.points += points;
                promise.ways += 1.0;
            }
        }
        promise
    }

    /// The points of one sampled way to complete a hand, and the turns that it takes.
    fn one_way(&mut self, hand: &Hand, table: &Table) -> (f64, f64) {
        let mut hand = *hand;
        let mut unseen = table.unseen;
        let mut turns = 0.0;
        loop {
            let holding = Holding::from(&hand);
            let (distance, accepts) = self.accepts(&holding);
            let Some((kind, count)) = self.draw(accepts, &unseen) else {
                return (0.0, 0.0);
            };
            let wait = table.left / f64::from(count);
            if distance <= 0 {
                return self.worth(&hand, kind, table, turns, wait);
            }
            turns += wait;
            unseen.try_remove(kind);
            hand.add(kind.into());
            // Any discard that keeps the new, lower distance.
            let kept = self.keeping(&Holding::from(&hand), distance - 1);
            let place = self.stream.below(kept.len().max(1) as u32);
            let Some(discard) = kept.nth(place as usize) else {
                return (0.0, 0.0);
            };
            hand.take_kind(discard, 1);
        }
    }

    /// The points of a ready hand with its winning tile, off a discard or from the wall, and the turns until the win.
    fn worth(
        &mut self,
        hand: &Hand,
        kind: Kind,
        table: &Table,
        turns: f64,
        wait: f64,
    ) -> (f64, f64) {
        let (drawn, given) = self.points(hand, kind, table);
        let others = (table.players - 1) as f64;
        if given > 0.0 {
            let mean = (others * given + drawn) / (others + 1.0);
            (mean, turns + wait / (others + 1.0))
        } else {
            (drawn, turns + wait)
        }
    }

    /// The points of a ready hand with its winning tile: drawn, and off a discard.
    fn points(&mut self, hand: &Hand, kind: Kind, table: &Table) -> (f64, f64) {
        let Self {
            decomposer,
            score,
            tiles,
            points,
            ..
        } = self;
        let mut flags = FlagSet::EMPTY;
        if let Some(flag) = self.riichi_flag.filter(|_| hand.is_closed()) {
            flags.insert(flag);
        }
        let with = |way: Way, from: Option<Seat>| {
            let win = Win {
                tile: kind.into(),
                way,
                from,
                flags,
                kongs_in_row: 0,
            };
            let input = ScoreInput {
                bonus: &table.bonus,
                ..ScoreInput::new(hand, table.seat, table.round, Some(&win))
            };
            let scored = score::best(score, decomposer, tiles, &input);
            scored.map_or(0.0, |score| score.points as f64)
        };
        points.answer(hand.concealed(), (*hand, kind), || {
            let from = table.seat.next(table.players);
            (with(Way::Wall, None), with(Way::Discard, Some(from)))
        })
    }

    /// Samples ways after each of the discards that leave the hand nearest. More distant ones are tried only
    /// while nothing scores.
    fn promises(&mut self, hand: &Hand, kinds: KindSet, table: &Table) -> Promises {
        let whole = Holding::from(hand);
        let mut near: SmallVec<[(i8, u32, Kind); 14]> = SmallVec::new();
        for kind in kinds.iter() {
            let mut rest = whole;
            if !rest.concealed.try_remove(kind) {
                continue;
            }
            let (distance, accepts) = self.accepts(&rest);
            let count: u32 = accepts
                .iter()
                .map(|kind| u32::from(table.unseen.get(kind)))
                .sum();
            near.push((distance, u32::MAX - count, kind));
        }
        near.sort_unstable();
        let mut promises = Promises::new();
        let least = near.first().map_or(0, |(distance, ..)| *distance);
        for &(distance, _, kind) in near.iter().take(DISCARDS) {
            if distance > least && promises.iter().any(|(promise, _)| promise.ways > 0.0) {
                break;
            }
            let mut rest = *hand;
            rest.take_kind(kind, 1);
            promises.push((self.promise(&rest, table), kind));
        }
        promises
    }

    /// The kinds that each opponent who looks ready has discarded.
    fn threats(&self, view: &View<'_>) -> SmallVec<[KindSet; MAX_PLAYERS]> {
        let looks_ready = |seat: &Seat| {
            *seat != view.seat()
                && view.shown_hand(*seat).is_none()
                && (view.riichi(*seat).is_some()
                    || view.announced(*seat).is_some()
                    || view.melds(*seat).len() >= LOOKS_READY)
        };
        let discarded = |seat: Seat| {
            let own = view.discards().iter().filter(move |one| one.seat == seat);
            own.filter_map(|one| one.tile.kind()).collect()
        };
        let seats = Seat::all(view.players()).filter(looks_ready);
        seats.map(discarded).collect()
    }

    /// A rough chance that a discard completes the hand of an opponent who looks ready. It grows with the
    /// runs through the kind and with the unseen copies.
    fn danger(&self, kind: Kind, threats: &[KindSet], table: &Table) -> f64 {
        let grammar = self.decomposer.grammar();
        let runs = |place: usize| grammar.shapes_with[place].len();
        let most = (0..16).map(runs).max().unwrap_or(0);
        let through = match kind.suit() {
            Some(_) => runs(kind.place() as usize),
            None => 0,
        };
        let of_kind = (1 + through) as f64 / (1 + most) as f64;
        let out = f64::from(1 + table.unseen.get(kind).min(3)) / 4.0;
        let asks = |discarded: &&KindSet| !(self.knows_furiten && discarded.contains(kind));
        threats.iter().filter(asks).count() as f64 * DANGER * of_kind * out
    }

    fn discard(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let table = self.table(view);
        let promises = self.promises(view.hand(), legal.discard_kinds(), &table);
        let mean = mean(promises.iter().map(|(promise, _)| promise));
        let threats = match self.pace.given > 0.0 {
            true => self.threats(view),
            false => SmallVec::new(),
        };
        let mut best: Option<(f64, Kind)> = None;
        for (promise, kind) in promises {
            let value = promise.value(self.pace, mean);
            if value <= 0.0 {
                continue;
            }
            let lost = self.danger(kind, &threats, &table) * mean * self.pace.given;
            let value = value - lost * f64::from(WAYS);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, kind));
            }
        }
        match best {
            Some((_, kind)) => discard_of(legal, kind),
            None => self.greedy.discard(view, legal),
        }
    }

    fn claim(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let Some((tile, from)) = view.claimable() else {
            return Action::Pass;
        };
        let Some(kind) = tile.kind() else {
            return Action::Pass;
        };
        let table = self.table(view);
        let pass = self.promise(view.hand(), &table);
        let mut claims: SmallVec<[(Promise, Action); 16]> = SmallVec::new();
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
            let kinds = hand.kinds();
            let promises = self.promises(&hand, kinds, &table);
            claims.extend(promises.iter().map(|(promise, _)| (*promise, action)));
        }
        let all = claims.iter().map(|(promise, _)| promise);
        let mean = mean(all.chain([&pass]));
        let mut best = (pass.value(self.pace, mean) * CLAIM, Action::Pass);
        for (promise, action) in claims {
            let value = promise.value(self.pace, mean);
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
        self.stream = stream;
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
    use crate::ruleset::Rules;
    use crate::tile::{Rank, Suit, Wind};

    #[test]
    fn the_middle_of_a_suit_is_dangerous_and_what_was_discarded_is_not() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let value = Value::new(rules.plan());
        let table = Table {
            seat: Seat::EAST,
            round: Wind::East,
            players: 4,
            unseen: *rules.plan().tiles.copies(),
            left: 100.0,
            bonus: SmallVec::new(),
        };
        let five = Kind::number(Suit::Bamboos, Rank::FIVE);
        let danger = |kind, threats: &[KindSet]| value.danger(kind, threats, &table);
        let nothing = [KindSet::EMPTY];
        let terminal = Kind::number(Suit::Bamboos, Rank::new(1).unwrap());
        assert_eq!(danger(five, &nothing), DANGER);
        assert!(danger(five, &nothing) > danger(terminal, &nothing));
        assert!(danger(terminal, &nothing) > danger(Kind::EAST, &nothing));
        assert_eq!(danger(five, &[KindSet::one(five)]), 0.0);
        assert_eq!(danger(five, &[KindSet::one(five), KindSet::EMPTY]), DANGER);
        assert_eq!(danger(five, &[]), 0.0);
        // Without furiten a discarded kind is no safer.
        let uzje = Rules::by_id("uzje").unwrap();
        let value = Value::new(uzje.plan());
        assert!(value.danger(five, &[KindSet::one(five)], &table) > 0.0);
    }
}
