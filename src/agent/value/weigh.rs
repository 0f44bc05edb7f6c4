//! [`Weigher`]: what a hand is worth by what it may become.

use super::super::reasons::Pursued;
use super::super::recent::Recent;
use super::goal::{Chance, Goal, STAGES};
use super::knowledge::Knowledge;
use super::table::{ASIDES, Table, Worths};
use crate::aside::Aside;
use crate::counts::Counts;
use crate::decompose::{Holding, Scratch};
use crate::hand::Hand;
use crate::random::Stream;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::View;
use crate::tile::{Kind, Tile, Wind};
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;
use std::sync::Arc;

/// How many prospects of a hand are examined, those of the greatest value first.
const PROSPECTS: usize = 3;
/// Prospects of less than this part of the best are left out.
const WORTH_A_LOOK: f64 = 0.3;
/// How many hands are completed for the best prospect, and for the next ones. Those of earlier decisions count as well.
const COMPLETIONS: [u32; PROSPECTS] = [4, 2, 1];
/// When discards are compared, the mean of all completed hands counts as so many: this number times the [`spread`] of their
/// gains, divided by [`Knowledge::differs`].
const SHRINK: f64 = 0.5;
/// If so many hands of earlier decisions count, half as many are completed, rounded down.
const ENOUGH: usize = 12;
/// How many completed hands are remembered.
const POOL: usize = 160;
/// How many of them count for a prospect, the latest first.
const FROM_POOL: usize = 24;
/// How many discards are looked at one step further, for the best prospect.
const CANDIDATES: usize = 2;
/// Discards of less than this part of the best are not looked at further.
const NEAR_THE_BEST: f64 = 0.75;

/// A goal, closed or open, for the hand of a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    goal: usize,
    open: bool,
    pub distance: i8,
    value: f64,
}

/// A hand completed in thought: the tiles used, and the gain.
#[derive(Clone, Copy, Debug)]
struct Sample {
    goal: usize,
    open: bool,
    /// The tiles of the declared melds.
    melded: Counts,
    aside: Aside,
    /// The concealed tiles with the winning one.
    used: Counts,
    gain: f64,
    wins: f64,
}

/// How much the gains of completed hands differ: their variance in terms of the squared mean, 0.2 to 8.
fn spread(samples: &[Sample], mean: f64) -> f64 {
    if samples.is_empty() || mean <= 0.0 {
        return 1.0;
    }
    let squares: f64 = samples
        .iter()
        .map(|one| (one.gain - mean) * (one.gain - mean))
        .sum();
    (squares / samples.len() as f64 / (mean * mean)).clamp(0.2, 8.0)
}

/// The mean gain of completed hands, and the share that win.
fn mean(samples: &[Sample]) -> Option<(f64, f64)> {
    let len = samples.len() as f64;
    let gain: f64 = samples.iter().map(|one| one.gain).sum();
    let wins: f64 = samples.iter().map(|one| one.wins).sum();
    (len > 0.0).then(|| (gain / len, wins / len))
}

/// A discard, weighed for one prospect.
#[derive(Clone, Copy, Debug)]
struct Discard {
    kind: Kind,
    worth: f64,
    /// The chance of a win, while the hand does not wait.
    win: f64,
    /// What the hand then accepts, if it is no farther and does not wait.
    accepts: Option<KindSet>,
}

impl Discard {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            worth: 0.0,
            win: 0.0,
            accepts: None,
        }
    }
}

type Discards = SmallVec<[Discard; 16]>;

/// What a hand expects once it has drawn a tile that makes it ready.
#[derive(Clone, Copy, Debug, Default)]
struct OnceReady {
    /// What it wins on average.
    gain: f64,
    /// The chance that it wins.
    win: f64,
}

impl OnceReady {
    /// What a win brings. 0 without wins.
    fn of_win(self) -> f64 {
        match self.win > 0.0 {
            true => self.gain / self.win,
            false => 0.0,
        }
    }

    /// The chances of the hand now. `chance` are those with the chance that ready hands of the goal usually have, `usual`.
    fn now(self, chance: Chance, usual: Chance) -> Chance {
        let pace = match usual.win > 0.0 {
            true => self.win / usual.win,
            false => 1.0,
        };
        Chance {
            win: chance.win * pace,
            ..chance
        }
    }
}

pub(super) type Values = SmallVec<[(Kind, f64); 16]>;

/// What the worth of a win depends on beside the tiles of the hand.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    worths: Arc<Worths>,
    seat: Seat,
    round: Wind,
    bonus: SmallVec<[Tile; 8]>,
    asides: SmallVec<[Aside; ASIDES]>,
}

/// Weighs hands.
#[derive(Clone, Debug)]
pub(super) struct Weigher {
    pub know: Arc<Knowledge>,
    /// What is known of every deal, and the turned tile of the deal that `know` is about.
    every: Arc<Knowledge>,
    turned: Option<Tile>,
    stream: Stream,
    scratch: Scratch,
    /// What wins of ready hands, silent or not, with a kind are worth, drawn and off a discard, at a [`Place`].
    gains: Recent<(Hand, bool, Kind), [f64; 2]>,
    place: Option<Place>,
    /// Hands completed at the latest decisions of the deal.
    pool: VecDeque<Sample>,
}

impl Weigher {
    pub(super) fn with(know: Arc<Knowledge>) -> Self {
        Self {
            every: know.clone(),
            turned: None,
            know,
            stream: Stream::new(0, 0),
            scratch: Scratch::new(),
            gains: Recent::new(),
            place: None,
            pool: VecDeque::new(),
        }
    }

    /// A deal begins.
    pub(super) fn begin(&mut self, stream: Stream) {
        self.stream = stream;
        self.pool.clear();
    }

    /// An imagined deal goes on from a decision of another weigher.
    pub(super) fn go_on_from(&mut self, other: &Self, stream: Stream) {
        self.stream = stream;
        self.pool.clone_from(&other.pool);
    }

    /// Looks at the tile that says which kind is wild.
    pub(super) fn note_turned(&mut self, view: &View<'_>) {
        let turned = view.turned().next();
        if turned != self.turned && self.every.plan.changes_wild() {
            let of_deal = self.every.of_deal(turned).map(Arc::new);
            self.know = of_deal.unwrap_or_else(|| self.every.clone());
            self.place = None;
            self.turned = turned;
        }
    }

    /// What the seat of a view knows. Forgets the gains of hands at another place.
    pub(super) fn table(&mut self, view: &View<'_>) -> Table {
        let latest = self.place.as_ref().map(|place| &place.worths);
        let table = Table::new(&self.know, view, &self.stream, latest);
        let place = Some(Place {
            worths: table.worths.clone(),
            seat: table.seen.seat,
            round: table.seen.round,
            bonus: table.seen.bonus.clone(),
            asides: table.asides.clone(),
        });
        if self.place != place {
            self.gains.clear();
            self.place = place;
        }
        table
    }

    /// The best prospects of a hand, of 13 tiles or on turn.
    pub(super) fn look(&mut self, hand: &Hand, table: &Table) -> SmallVec<[Prospect; PROSPECTS]> {
        let know = &*self.know;
        let holding = Holding::from(hand);
        let is_closed = hand.is_closed();
        let mut best: SmallVec<[Prospect; PROSPECTS]> = SmallVec::new();
        for (number, goal) in know.goals.iter().enumerate() {
            let Some(aim) = goal.aim(&holding, &hand.melds) else {
                continue;
            };
            let parts = (&know.course, &know.views);
            let gains = table.worths.goals[number];
            let valued = |open: bool, distance: i8| {
                let chance = goal.chance(open, distance, None, table.when(), parts);
                let at = usize::from(open);
                table.worth(chance, gains[at], goal.wins[at])
            };
            let least = best.first().map_or(0.0, |one| one.value * WORTH_A_LOOK);
            let bound = Goal::least(&aim);
            if bound > 0 && valued(true, bound) < least && valued(false, bound) < least {
                continue;
            }
            let distance = know.distance(goal, &aim, &mut self.scratch);
            if distance as usize >= STAGES && distance >= 0 {
                continue;
            }
            let mut prospect: Option<Prospect> = None;
            for open in [false, true] {
                if !open && !is_closed {
                    continue;
                }
                let value = valued(open, distance);
                if prospect.is_none_or(|one| one.value < value) {
                    prospect = Some(Prospect {
                        goal: number,
                        open,
                        distance,
                        value,
                    });
                }
            }
            let Some(prospect) = prospect else { continue };
            let place = best.iter().position(|one| one.value < prospect.value);
            let place = place.unwrap_or(best.len());
            if place < PROSPECTS {
                best.truncate(PROSPECTS - 1);
                best.insert(place.min(best.len()), prospect);
            }
        }
        let most = best.first().map_or(0.0, |one| one.value);
        best.retain(|one| one.value >= most * WORTH_A_LOOK);
        best
    }

    fn gains(&mut self, (hand, silent): (&Hand, bool), kind: Kind, table: &Table) -> [f64; 2] {
        let Self { know, gains, .. } = self;
        gains.answer(hand.concealed(), (*hand, silent, kind), || {
            let mut sum = [0.0; 2];
            for &aside in &table.asides {
                let mut hand = *hand;
                hand.aside = aside;
                let gains = know.gains_by_discard((&hand, silent), kind, &table.seen);
                sum = [sum[0] + gains[0], sum[1] + gains[1]];
            }
            sum.map(|gain| {
                let wins = f64::from(u8::from(gain > 0.0));
                table.gain(gain / table.asides.len() as f64, wins)
            })
        })
    }

    /// What a ready hand of 13 tiles is worth.
    fn ready_worth(&mut self, of: Prospect, hand: &Hand, waits: KindSet, table: &Table) -> f64 {
        let (chance, gain) = self.ready(of, (hand, table.silent), waits, table);
        let wins = f64::from(u8::from(chance.win > 0.0));
        let deposit = match table.silent || !hand.is_closed() {
            true => 0.0,
            false => (1.0 - chance.win) * table.worths.deposit,
        };
        (table.worth(chance, gain, wins) - deposit).max(0.0)
    }

    /// The chances of a ready hand of 13 tiles, silent or not, and what a win is worth. 0 if it cannot win.
    fn ready(
        &mut self,
        of: Prospect,
        (hand, silent): (&Hand, bool),
        waits: KindSet,
        table: &Table,
    ) -> (Chance, f64) {
        let (mut sum, mut weight) = (0.0, 0.0);
        let views = self.know.views;
        let others = match waits.intersection(table.discarded).is_empty() {
            true => views.others,
            false => 0.0,
        };
        for kind in waits.iter() {
            let copies = f64::from(table.seen.unseen.get(kind));
            if copies == 0.0 {
                continue;
            }
            let others = others * table.offered[kind.index()];
            let [drawn, given] = self.gains((hand, silent), kind, table);
            let drawn_weight = if drawn > 0.0 {
                (views.ready - views.others) * copies
            } else {
                0.0
            };
            let given_weight = if given > 0.0 { others * copies } else { 0.0 };
            sum += drawn * drawn_weight + given * given_weight;
            weight += drawn_weight + given_weight;
        }
        if weight == 0.0 && table.worths.held == 0.0 {
            return (Chance::default(), 0.0);
        }
        let share = weight / views.ready.max(1.0) / table.seen.left;
        let parts = (&self.know.course, &self.know.views);
        let goal = &self.know.goals[of.goal];
        let chance = goal.chance(of.open, 0, Some(share), table.when(), parts);
        (chance, if weight > 0.0 { sum / weight } else { 0.0 })
    }

    /// Looks at all ready hands that a hand can become after each of these discards, or as it is, with one more tile. With each
    /// discard come the tiles that the hand then accepts. After each tile it takes the best ready hand.
    fn once_ready(
        &mut self,
        prospect: Prospect,
        hand: &Hand,
        discards: &[(Option<Kind>, KindSet)],
        table: &Table,
    ) -> SmallVec<[OnceReady; 16]> {
        let know = self.know.clone();
        let goal = &know.goals[prospect.goal];
        let all = discards.iter().map(|&(_, accepts)| accepts);
        let all = all.fold(KindSet::EMPTY, KindSet::union);
        let none = (OnceReady::default(), 0.0);
        let mut sums: SmallVec<[(OnceReady, f64); 16]> = smallvec![none; discards.len()];
        for kind in all {
            let copies = f64::from(table.seen.unseen.get(kind));
            if copies == 0.0 {
                continue;
            }
            // Two discards leave the same hand in either order.
            let mut known: SmallVec<[(Option<Kind>, Kind, OnceReady); 16]> = SmallVec::new();
            for (&(discard, accepts), (sum, count)) in discards.iter().zip(&mut sums) {
                if !accepts.contains(kind) {
                    continue;
                }
                let mut more = *hand;
                if let Some(discard) = discard {
                    more.take_kind(discard, 1);
                }
                more.add(kind.into());
                let mut ready: SmallVec<[(Kind, KindSet); 16]> = SmallVec::new();
                let keep = |second, waits| ready.push((second, waits));
                let holding = Holding::from(&more);
                know.discards(goal, &holding, &more.melds, 0, &mut self.scratch, keep);
                let mut best = OnceReady::default();
                for (second, waits) in ready {
                    let is_known = |one: &&(Option<Kind>, Kind, OnceReady)| {
                        (one.0, Some(one.1)) == (Some(second), discard)
                    };
                    let one = known.iter().find(is_known).map(|one| one.2);
                    let one = one.unwrap_or_else(|| {
                        let mut after = more;
                        after.take_kind(second, 1);
                        let (chance, gain) = self.ready(prospect, (&after, false), waits, table);
                        let one = OnceReady {
                            gain: chance.win * gain,
                            win: chance.win,
                        };
                        known.push((discard, second, one));
                        one
                    });
                    if one.gain > best.gain {
                        best = one;
                    }
                }
                sum.gain += copies * best.gain;
                sum.win += copies * best.win;
                *count += copies;
            }
        }
        let mean = |(sum, count): (OnceReady, f64)| OnceReady {
            gain: sum.gain / f64::max(count, 1.0),
            win: sum.win / f64::max(count, 1.0),
        };
        sums.into_iter().map(mean).collect()
    }

    /// Completes the hand in thought.
    fn samples(
        &mut self,
        prospect: Prospect,
        hand: &Hand,
        number: u32,
        table: &Table,
    ) -> SmallVec<[Sample; 36]> {
        let know = self.know.clone();
        let goal = &know.goals[prospect.goal];
        let melded = hand.melded();
        // Those of earlier decisions that the hand may still become on a shortest way.
        let is_fit = |one: &&Sample| {
            let is_alike = one.goal == prospect.goal && one.open == prospect.open;
            if !is_alike || one.melded != melded || one.aside != hand.aside {
                return false;
            }
            let missing = one.used.saturating_minus(hand.concealed());
            missing.total() as i8 == prospect.distance + 1
                && missing.saturating_minus(&table.seen.unseen).is_empty()
        };
        let mut samples: SmallVec<[Sample; 36]> = self
            .pool
            .iter()
            .rev()
            .filter(is_fit)
            .take(FROM_POOL)
            .copied()
            .collect();
        let number = match samples.len() >= ENOUGH {
            true => number / 2,
            false => number,
        };
        let is_on_turn = know.is_on_turn(hand);
        let Some(aim) = goal.aim(&Holding::from(hand), &hand.melds) else {
            return samples;
        };
        let whole = *hand;
        for _ in 0..number {
            let mut hand = whole;
            if is_on_turn {
                let spare = know.spare(
                    goal,
                    (&hand, &aim),
                    prospect.distance,
                    &mut self.stream,
                    &mut self.scratch,
                );
                let Some(spare) = spare else { continue };
                hand.take_kind(spare, 1);
            }
            let unseen = table.seen.unseen;
            let done = know.complete(
                goal,
                (&hand, Some(prospect.distance)),
                unseen,
                &mut self.stream,
                &mut self.scratch,
                None,
            );
            let Some(mut done) = done else { continue };
            done.hand.aside = match table.asides.as_slice() {
                [aside] => *aside,
                asides => asides[self.stream.below(asides.len() as u32) as usize],
            };
            let drawn = goal.drawn[usize::from(!done.hand.is_closed())];
            let mut gain = know.one_gain(&done, drawn, &table.seen, &mut self.stream);
            let mut wins = f64::from(u8::from(gain > 0.0));
            if prospect.open && hand.is_closed() {
                // The hand is closed yet.
                let [closed, open] = goal.gain;
                gain = if closed > 0.0 {
                    gain * open / closed
                } else {
                    open
                };
                let [closed, open] = goal.wins;
                wins = if closed > 0.0 {
                    wins * open / closed
                } else {
                    open
                };
            }
            gain = table.gain(gain, wins);
            let mut used = *done.hand.concealed();
            used.try_add(done.tile);
            let sample = Sample {
                goal: prospect.goal,
                open: prospect.open,
                melded,
                aside: whole.aside,
                used,
                gain,
                wins,
            };
            samples.push(sample);
            if self.pool.len() == POOL {
                self.pool.pop_front();
            }
            self.pool.push_back(sample);
        }
        samples
    }

    /// What each of these discards is worth, by the best prospects of the hand.
    pub(super) fn values(
        &mut self,
        hand: &Hand,
        prospects: &[Prospect],
        kinds: KindSet,
        table: &Table,
    ) -> Values {
        let mut values: Values = kinds.iter().map(|kind| (kind, 0.0)).collect();
        for (rank, &prospect) in prospects.iter().enumerate() {
            let prospect = self.after_one_of(kinds, hand, prospect);
            let mut discards = self.discards(hand, kinds, prospect, COMPLETIONS[rank], table);
            if prospect.distance > 0 {
                self.hold_back(prospect, &mut discards, table);
                if rank == 0 && !self.is_exact(prospect.distance) {
                    self.pace(hand, prospect, &mut discards, table);
                }
            }
            for ((_, value), one) in values.iter_mut().zip(discards) {
                // A smooth maximum: what serves several prospects is worth more.
                *value += one.worth * one.worth * one.worth;
            }
        }
        for (_, value) in &mut values {
            *value = cube_root(*value);
        }
        values
    }

    /// Returns the prospect with the distance after the best of these discards. It is greater than the distance of the hand if
    /// the hand may not discard its useless tiles, such as wild ones.
    fn after_one_of(&mut self, kinds: KindSet, hand: &Hand, prospect: Prospect) -> Prospect {
        if hand.concealed().kinds().difference(kinds).is_empty() {
            return prospect;
        }
        let goal = &self.know.goals[prospect.goal];
        let Some(aim) = goal.aim(&Holding::from(hand), &hand.melds) else {
            return prospect;
        };
        let after = |kind| {
            let after = goal.without(&aim, kind);
            self.know.distance(goal, &after, &mut self.scratch)
        };
        let least = kinds.iter().map(after).min();
        let distance = prospect.distance.max(least.unwrap_or(prospect.distance));
        Prospect {
            distance,
            ..prospect
        }
    }

    /// True for hands of which all ready hands are looked at, instead of some completed in thought. Without the classical tables
    /// that takes twice as long and gains nothing.
    fn is_exact(&self, distance: i8) -> bool {
        distance == 1 && self.know.plan.decomposer.grammar().is_classical()
    }

    /// What each of these discards is worth for one prospect.
    fn discards(
        &mut self,
        hand: &Hand,
        kinds: KindSet,
        prospect: Prospect,
        completions: u32,
        table: &Table,
    ) -> Discards {
        let know = self.know.clone();
        let goal = &know.goals[prospect.goal];
        let holding = Holding::from(hand);
        let nearest = prospect.distance.max(0);
        let mut keeping: SmallVec<[(Kind, KindSet); 16]> = SmallVec::new();
        let keep = |kind, accepts| keeping.push((kind, accepts));
        let scratch = &mut self.scratch;
        know.discards(goal, &holding, &hand.melds, nearest, scratch, keep);
        let is_exact = self.is_exact(nearest);
        let mut once: SmallVec<[OnceReady; 16]> = SmallVec::new();
        if is_exact {
            let discards = keeping.iter().map(|&(kind, accepts)| (Some(kind), accepts));
            let discards: SmallVec<[_; 16]> = discards.collect();
            once = self.once_ready(prospect, hand, &discards, table);
        }
        let samples = match nearest == 0 || is_exact {
            true => SmallVec::new(),
            false => self.samples(prospect, hand, completions, table),
        };
        let open = usize::from(prospect.open);
        let all = OnceReady {
            gain: once.iter().map(|one| one.gain).sum(),
            win: once.iter().map(|one| one.win).sum(),
        };
        let usual = || match all.win > 0.0 {
            true => (all.of_win(), 1.0),
            false => (table.worths.goals[prospect.goal][open], goal.wins[open]),
        };
        let prior = mean(&samples).unwrap_or_else(usual);
        let shrink = SHRINK / know.differs * spread(&samples, prior.0);
        let parts = (&know.course, &know.views);
        let ready = goal.chance(prospect.open, 0, None, table.when(), parts);
        let mut discards = Discards::new();
        for kind in kinds {
            let mut one = Discard::new(kind);
            let index = keeping.iter().position(|(keeping, _)| *keeping == kind);
            let accepts = index.map(|index| keeping[index].1);
            let distance = nearest + i8::from(accepts.is_none());
            if let Some(waits) = accepts.filter(|_| distance <= 0) {
                let mut after = *hand;
                after.take_kind(kind, 1);
                one.worth = self.ready_worth(prospect, &after, waits, table);
            } else {
                let share = accepts.map(|accepts| table.seen.share(accepts));
                let mut chance = goal.chance(prospect.open, distance, share, table.when(), parts);
                one.win = chance.win;
                one.accepts = accepts;
                let held = hand.concealed().get(kind);
                let mut count = shrink;
                let (mut sum, mut wins) = (prior.0 * count, prior.1 * count);
                for sample in samples.iter().filter(|one| one.used.get(kind) < held) {
                    sum += sample.gain;
                    wins += sample.wins;
                    count += 1.0;
                }
                let (mut gain, mut wins) = (sum / count, wins / count);
                if let Some(once) = index.and_then(|index| once.get(index)) {
                    (gain, wins) = (once.of_win(), 1.0);
                    chance = once.now(chance, ready);
                }
                one.worth = table.worth(chance, gain, wins);
            }
            discards.push(one);
        }
        discards
    }

    /// Scales down the discards that raise the distance. Their usual chance ignores that the hand must reach the present distance
    /// again, which it does slowly if it accepts fewer tiles than usual. A hand that accepts no tile that is left starts anew.
    fn hold_back(&self, prospect: Prospect, discards: &mut Discards, table: &Table) {
        let keeping = discards.iter().filter(|one| one.accepts.is_some());
        let most = keeping.map(|one| one.win).fold(0.0, f64::max);
        if most <= 0.0 {
            return;
        }
        let parts = (&self.know.course, &self.know.views);
        let goal = &self.know.goals[prospect.goal];
        let usual = goal.chance(prospect.open, prospect.distance, None, table.when(), parts);
        if most < usual.win {
            for one in discards.iter_mut().filter(|one| one.accepts.is_none()) {
                one.worth *= most / usual.win;
            }
        }
    }

    /// Looks a step further after the best discards.
    fn pace(&mut self, hand: &Hand, prospect: Prospect, discards: &mut Discards, table: &Table) {
        let know = self.know.clone();
        let goal = &know.goals[prospect.goal];
        let mut order: SmallVec<[(&mut Discard, KindSet); 16]> = discards
            .iter_mut()
            .filter_map(|one| one.accepts.map(|accepts| (one, accepts)))
            .collect();
        order.sort_by(|(a, _), (b, _)| b.worth.total_cmp(&a.worth));
        let most = order.first().map_or(0.0, |(first, _)| first.worth);
        let mut least = f64::MAX;
        for (place, (one, accepts)) in order.into_iter().enumerate() {
            if place < CANDIDATES && one.worth > most * NEAR_THE_BEST {
                let mut after = *hand;
                after.take_kind(one.kind, 1);
                let pace = know.pace(
                    goal,
                    prospect.open,
                    &after,
                    (prospect.distance, accepts),
                    (&table.seen, table.turns, table.threat),
                    &mut self.scratch,
                );
                least = least.min(pace);
                one.worth *= pace;
            } else {
                one.worth *= least;
            }
        }
    }

    /// What a hand of 13 tiles is worth.
    pub(super) fn waiting(&mut self, hand: &Hand, prospects: &[Prospect], table: &Table) -> f64 {
        let know = self.know.clone();
        let holding = Holding::from(hand);
        let mut value = 0.0;
        for (rank, &prospect) in prospects.iter().enumerate() {
            let goal = &know.goals[prospect.goal];
            let Some(aim) = goal.aim(&holding, &hand.melds) else {
                continue;
            };
            let (distance, accepts) = know.accepts(goal, &aim, &mut self.scratch);
            let of_goal = if distance <= 0 {
                self.ready_worth(prospect, hand, accepts, table)
            } else {
                let share = table.seen.share(accepts);
                let parts = (&know.course, &know.views);
                let chance = goal.chance(prospect.open, distance, Some(share), table.when(), parts);
                if self.is_exact(distance) {
                    let ready = goal.chance(prospect.open, 0, None, table.when(), parts);
                    let once = self.once_ready(prospect, hand, &[(None, accepts)], table)[0];
                    table.worth(once.now(chance, ready), once.of_win(), 1.0)
                } else {
                    let samples = self.samples(prospect, hand, COMPLETIONS[rank], table);
                    let open = usize::from(prospect.open);
                    let usual = || (table.worths.goals[prospect.goal][open], goal.wins[open]);
                    let (gain, wins) = mean(&samples).unwrap_or_else(usual);
                    let pace = match rank == 0 {
                        true => know.pace(
                            goal,
                            prospect.open,
                            hand,
                            (distance, accepts),
                            (&table.seen, table.turns, table.threat),
                            &mut self.scratch,
                        ),
                        false => 1.0,
                    };
                    pace * table.worth(chance, gain, wins)
                }
            };
            value += of_goal * of_goal * of_goal;
        }
        cube_root(value)
    }

    /// The kinds that a hand on turn may discard so that it is ready.
    pub(super) fn kinds_to_ready(&mut self, hand: &Hand) -> KindSet {
        let mut kinds = KindSet::EMPTY;
        let keep = |kind, _| kinds.insert(kind);
        let (know, holding) = (&self.know, Holding::from(hand));
        know.discards(
            &know.goals[0],
            &holding,
            &hand.melds,
            0,
            &mut self.scratch,
            keep,
        );
        kinds
    }

    /// The prospects that a hand still has after an action, as reasons: those that are no farther, and the best in any case.
    pub(super) fn pursued(
        &mut self,
        hand: &Hand,
        prospects: &[Prospect],
        table: &Table,
    ) -> Vec<Pursued> {
        let holding = Holding::from(hand);
        let unseen = &table.seen.unseen;
        let mut pursued = Vec::new();
        for (rank, prospect) in prospects.iter().enumerate() {
            let goal = &self.know.goals[prospect.goal];
            let Some(aim) = goal.aim(&holding, &hand.melds) else {
                continue;
            };
            let (distance, accepts) = match self.know.is_on_turn(hand) {
                true => (
                    self.know.distance(goal, &aim, &mut self.scratch),
                    KindSet::EMPTY,
                ),
                false => self.know.accepts(goal, &aim, &mut self.scratch),
            };
            if rank == 0 || distance <= prospect.distance.max(0) {
                pursued.push(Pursued::new(&goal.id, distance, accepts, unseen));
            }
        }
        pursued
    }

    /// True if a hand after a claim is nearer to one of the prospects.
    pub(super) fn brings_nearer(&mut self, hand: &Hand, prospects: &[Prospect]) -> bool {
        let holding = Holding::from(hand);
        prospects.iter().any(|prospect| {
            let goal = &self.know.goals[prospect.goal];
            let aim = goal.aim(&holding, &hand.melds);
            aim.is_some_and(|aim| {
                self.know.distance(goal, &aim, &mut self.scratch) < prospect.distance
            })
        })
    }
}

/// By Newton's method, with the same result on every machine.
fn cube_root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    // Halve the exponent roughly, then refine.
    let mut root = f64::from_bits(x.to_bits() / 3 + 0x2a9f_7893_0000_0000);
    for _ in 0..4 {
        root = (2.0 * root + x / (root * root)) / 3.0;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::super::gain::Seen;
    use super::*;
    use crate::game::Match;
    use crate::ruleset::Rules;

    /// The goal of any hand.
    fn of_any(open: bool, distance: i8) -> Prospect {
        Prospect {
            goal: 0,
            open,
            distance,
            value: 0.0,
        }
    }

    /// At the start of a deal, as East sees it.
    fn at_start(id: &str) -> (Weigher, Table) {
        let rules = Rules::by_id(id).unwrap();
        let deal = Match::new(&rules, 1).start_deal();
        let mut weigher = Weigher::with(Knowledge::of(rules.plan()));
        let table = weigher.table(&deal.state().view(Seat::EAST));
        (weigher, table)
    }

    #[test]
    fn a_hand_that_accepts_little_takes_no_step_back() {
        let rules = Rules::by_id("traditional").unwrap();
        let hand: Hand = "6779t12469s338mSC".parse().unwrap();
        let deal = Match::new(&rules, 1).start_deal();
        let view = deal.state().view(Seat::EAST);
        let mut weigher = Weigher::with(Knowledge::of(rules.plan()));
        let mut table = weigher.table(&view);
        let mut unseen = *rules.plan().tiles.copies();
        for kind in hand.concealed().iter() {
            unseen.try_remove(kind);
        }
        table.seen = Seen::new(view.seat(), view.round(), unseen, SmallVec::new());
        let kinds = hand.concealed().iter().collect();
        let prospects = weigher.look(&hand, &table);
        let values = weigher.values(&hand, &prospects, kinds, &table);
        let best = values.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
        let mut scratch = Scratch::default();
        let mut distance = |hand: &Hand| {
            let holding = Holding::from(hand);
            rules.plan().decomposer.distance(&holding, &mut scratch)
        };
        let mut after = hand;
        after.take_kind(best, 1);
        assert_eq!(distance(&after), distance(&hand), "{best}");
    }

    /// Malaysian hands need five fan. Another bonus tile may add the fifth.
    #[test]
    fn bonus_tiles_to_come_may_let_a_hand_win() {
        let rules = Rules::by_id("malaysian").unwrap();
        let deal = Match::new(&rules, 1).start_deal();
        let view = deal.state().view(Seat::EAST);
        let mut hand: Hand = "1222456779tNNNJ".parse().unwrap();
        hand.aside = view.aside(Seat::EAST);
        let mut weigher = Weigher::with(Knowledge::of(rules.plan()));
        let table = weigher.table(&view);
        let one: Kind = "1t".parse::<Tile>().unwrap().kind().unwrap();
        let mut ready = hand;
        ready.take_kind(one, 1);
        let waits = {
            let holding = Holding::from(&ready);
            let mut scratch = Scratch::new();
            rules.plan().decomposer.accepts(&holding, &mut scratch).1
        };
        assert!(!waits.is_empty());
        for kind in waits {
            assert_eq!(weigher.know.gains(&ready, kind, &table.seen), [0.0; 2]);
        }
        let kinds = [one].into_iter().collect();
        let prospects = weigher.look(&hand, &table);
        let values = weigher.values(&hand, &prospects, kinds, &table);
        assert!(values[0].1 > 0.0);
    }

    /// One joker of a hand without pairs is of no use, but it may not be discarded.
    #[test]
    fn a_hand_that_must_keep_its_useless_tile_counts_what_it_accepts() {
        let rules = Rules::by_id("american").unwrap();
        let hand: Hand = "1357s246mEWNCFPJ".parse().unwrap();
        let deal = Match::new(&rules, 1).start_deal();
        let mut weigher = Weigher::with(Knowledge::of(rules.plan()));
        let table = weigher.table(&deal.state().view(Seat::EAST));
        let natural = hand.kinds().difference(rules.plan().decomposer.wild());
        let prospect = weigher.look(&hand, &table)[0];
        let after = weigher.after_one_of(natural, &hand, prospect);
        assert_eq!((prospect.distance, after.distance), (0, 1));
        let discards = weigher.discards(&hand, natural, after, 1, &table);
        let accepted = discards.iter().map(|one| one.accepts.map(KindSet::len));
        let accepted: Vec<_> = accepted.collect();
        assert!(accepted.contains(&Some(2)), "{accepted:?}");
    }

    /// Against all kinds and all discards, one by one: a closed hand, and an open one that has no yaku.
    #[test]
    fn a_hand_one_tile_from_ready_looks_at_all_ready_hands() {
        let rules = Rules::by_id("riichi-tenhou").unwrap();
        let deal = Match::new(&rules, 1).start_deal();
        let mut weigher = Weigher::with(Knowledge::of(rules.plan()));
        let mut table = weigher.table(&deal.state().view(Seat::EAST));
        for (hand, wins) in [("234t45s678m55t77mE", true), ("45s678m55t77mN+123t", false)] {
            let hand: Hand = hand.parse().unwrap();
            let unseen = rules
                .plan()
                .tiles
                .copies()
                .saturating_minus(hand.concealed());
            table.seen = Seen::new(Seat::EAST, Wind::East, unseen, SmallVec::new());
            let prospect = of_any(!hand.is_closed(), 1);
            let (decomposer, mut scratch) = (&rules.plan().decomposer, Scratch::new());
            let mut accepts = |hand: &Hand| decomposer.accepts(&Holding::from(hand), &mut scratch);
            let (distance, accepted) = accepts(&hand);
            assert_eq!(distance, 1);
            let (mut gain, mut win, mut tiles) = (0.0, 0.0, 0.0);
            for kind in unseen.kinds() {
                let mut more = hand;
                more.add(kind.into());
                let mut best = (0.0, 0.0);
                let mut is_ready = false;
                for discard in more.concealed().kinds() {
                    let mut after = more;
                    after.take_kind(discard, 1);
                    let (distance, waits) = accepts(&after);
                    is_ready |= distance == 0;
                    if let Some((chance, gain)) = (distance == 0)
                        .then(|| weigher.ready(prospect, (&after, false), waits, &table))
                        && chance.win * gain > best.0
                    {
                        best = (chance.win * gain, chance.win);
                    }
                }
                assert_eq!(is_ready, accepted.contains(kind), "{kind}");
                if is_ready {
                    let copies = f64::from(unseen.get(kind));
                    gain += copies * best.0;
                    win += copies * best.1;
                    tiles += copies;
                }
            }
            let once = weigher.once_ready(prospect, &hand, &[(None, accepted)], &table)[0];
            assert!((once.gain - gain / tiles).abs() < 1e-6, "{hand}");
            assert!((once.win - win / tiles).abs() < 1e-9, "{hand}");
            assert_eq!(once.win > 0.0, wins, "{hand}");

            // All discards of a hand on turn at once.
            let mut on_turn = hand;
            on_turn.add("4s".parse().unwrap());
            let mut discards = Vec::new();
            let keep = |kind, accepts| discards.push((Some(kind), accepts));
            let know = weigher.know.clone();
            let holding = Holding::from(&on_turn);
            let (goal, melds) = (&know.goals[0], on_turn.melds());
            know.discards(goal, &holding, melds, 1, &mut scratch, keep);
            assert!(discards.len() > 2, "{discards:?}");
            let all = weigher.once_ready(prospect, &on_turn, &discards, &table);
            for (&(discard, accepts), of_all) in discards.iter().zip(all) {
                let mut after = on_turn;
                discard.map(|kind| after.take_kind(kind, 1));
                let one = weigher.once_ready(prospect, &after, &[(None, accepts)], &table)[0];
                assert_eq!(
                    (of_all.gain, of_all.win),
                    (one.gain, one.win),
                    "{discard:?}"
                );
            }
        }
    }

    /// A silent hand without yaku wins with drawn tiles alone, and for less. It pays no deposit.
    #[test]
    fn a_silent_hand_is_worth_less_than_an_announced_one() {
        let (mut weigher, mut table) = at_start("riichi-tenhou");
        let hand: Hand = "45s678m55t999s123t".parse().unwrap();
        let kinds = ["3s", "6s"].map(|text| text.parse::<Tile>().unwrap().kind().unwrap());
        let mut gains = |silent| weigher.gains((&hand, silent), kinds[0], &table);
        let ([drawn, given], [silently_drawn, silently_given]) = (gains(false), gains(true));
        assert!(given > 0.0 && silently_given == 0.0);
        assert!(silently_drawn > 0.0 && silently_drawn < 0.8 * drawn);
        let (waits, prospect) = (kinds.into_iter().collect(), of_any(false, 0));
        let announced = weigher.ready_worth(prospect, &hand, waits, &table);
        table.silent = true;
        let silent = weigher.ready_worth(prospect, &hand, waits, &table);
        assert!(silent > 0.0 && silent < announced, "{silent} {announced}");
        // With no draw left hardly a win comes, and the deposit is lost.
        table.turns = 0;
        let silent = weigher.ready_worth(prospect, &hand, waits, &table);
        table.silent = false;
        let announced = weigher.ready_worth(prospect, &hand, waits, &table);
        assert!(silent > announced + 500.0, "{silent} {announced}");
    }

    /// An open hand without yaku cannot win, but a ready one is paid for when the wall is used up.
    #[test]
    fn a_ready_hand_without_yaku_is_worth_what_it_is_paid_for() {
        let (mut weigher, mut table) = at_start("riichi-tenhou");
        let hand: Hand = "45s678m55t999s+123t".parse().unwrap();
        let waits = ["3s", "6s"].map(|text| text.parse::<Tile>().unwrap().kind().unwrap());
        let waits = waits.into_iter().collect();
        let prospect = of_any(true, 0);
        table.turns = 0;
        let last = weigher.ready_worth(prospect, &hand, waits, &table);
        assert!(
            (last - table.worths.held).abs() < 1e-9 * table.worths.held,
            "{last}"
        );
        table.turns = 8;
        let early = weigher.ready_worth(prospect, &hand, waits, &table);
        assert!(early > 0.0 && early < 0.7 * last, "{early}");
    }

    #[test]
    fn the_cube_root_is_exact_enough() {
        for x in [1e-12, 0.3, 1.0, 8.0, 1e6, 1e18, 1e30] {
            let root = cube_root(x);
            assert!((root * root * root / x - 1.0).abs() < 1e-9, "{x}");
        }
        assert_eq!(cube_root(0.0), 0.0);
        assert_eq!(cube_root(-1.0), 0.0);
    }
}
