//! [`Goal`]: what a hand may aim for, how far it is and how likely it gets there.

use super::course::{Course, THREATS, TURNS};
use crate::counts::{Counts, KindMask};
use crate::decompose::Holding;
use crate::meld::{Group, Meld};
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;

/// Distances that are told apart. Hands that lack more are not worth a thought.
pub(super) const STAGES: usize = 9;

/// How a deal may end for a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Chance {
    pub win: f64,
    /// Another player wins before.
    pub lose: f64,
    /// Nobody wins, and the hand is ready.
    pub held: f64,
}

/// By distance and turns left.
pub(super) type Chances = [[Chance; TURNS]; STAGES];

/// A kind of hand to aim for.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// For people: [`Pursued::goal`](crate::agent::Pursued::goal).
    pub id: String,
    /// The kinds that such a hand may have.
    pub kinds: KindSet,
    mask: KindMask,
    /// Groups that it must have.
    pub groups: SmallVec<[Group; 3]>,
    tiles: Counts,
    /// Without runs.
    pub pungs: bool,
    /// The line of a card, by its number: such a hand is made in this way of a special form.
    pub line: Option<usize>,
    /// Any complete hand, special forms included but those that need only wild tiles.
    pub is_any: bool,
    /// What melds are declared matters, beyond their number.
    pub knows_declared: bool,
    /// The mean gain of a win: closed, and with an open meld.
    pub gain: [f64; 2],
    /// The share of complete hands that win.
    pub wins: [f64; 2],
    /// The part of the mean gain that wins with drawn tiles bring: closed, and with an open meld.
    pub drawn: [f64; 2],
    /// How many times as much as off a discard a win with a drawn tile brings, for hands that win both ways: closed, and with an
    /// open meld.
    pub if_drawn: [f64; 2],
    /// The share of unseen tiles that such hands accept, by distance.
    pub share: [f64; STAGES],
    /// How many tiles it sees a turn that it may take, before it is ready: closed, and open.
    pub views: [f64; 2],
    pub chances: [[Box<Chances>; THREATS]; 2],
}

/// What a hand has of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Aim {
    /// Tiles of the goal's groups that are missing.
    pub lacking: Counts,
    /// The other tiles of the goal's kinds. The goal's groups count as declared.
    pub rest: Holding,
}

/// How many tiles a turn a ready hand sees with which it may win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Views {
    /// Draws and discards of other players.
    pub ready: f64,
    /// The discards.
    pub others: f64,
}

impl Goal {
    pub(super) fn new(kinds: KindSet, groups: &[Group], pungs: bool) -> Self {
        let mut tiles = Counts::EMPTY;
        for kind in groups.iter().flat_map(|group| group.tiles()) {
            tiles.try_add(kind);
        }
        Self {
            id: groups.iter().map(Group::to_string).collect(),
            kinds,
            mask: KindMask::from(kinds),
            groups: groups.into(),
            tiles,
            pungs,
            line: None,
            is_any: false,
            knows_declared: false,
            gain: [0.0; 2],
            wins: [0.0; 2],
            drawn: [0.0; 2],
            if_drawn: [1.0; 2],
            share: [0.0; STAGES],
            views: [1.0; 2],
            chances: std::array::from_fn(|_| {
                std::array::from_fn(|_| Box::new([[Chance::default(); TURNS]; STAGES]))
            }),
        }
    }

    /// What a hand has towards the goal. `None` if its melds do not fit.
    #[inline(always)]
    pub(super) fn aim(&self, holding: &Holding, melds: &[Meld]) -> Option<Aim> {
        let mut wanted = self.tiles;
        let mut virtual_melds = self.groups.len();
        if !melds.is_empty() {
            if !melds.iter().all(|meld| self.fits(meld)) {
                return None;
            }
            for group in &self.groups {
                let has = melds.iter().any(|meld| same(meld.group, *group));
                if has {
                    wanted = wanted.saturating_minus(&group.counts());
                    virtual_melds -= 1;
                }
            }
        }
        let mut rest = *holding;
        // Kinds of which no copy is left are not drawn anyway, so what melds use up needs no second look.
        if !self.knows_declared {
            rest.declared = Counts::EMPTY;
        }
        rest.concealed = rest.concealed.masked(&self.mask);
        let mut lacking = Counts::EMPTY;
        if virtual_melds > 0 {
            lacking = wanted.saturating_minus(&rest.concealed);
            let used = wanted.saturating_minus(&lacking);
            rest.concealed = rest.concealed.saturating_minus(&used);
            rest.melds += virtual_melds;
            rest.consecutive = false;
        }
        Some(Aim { lacking, rest })
    }

    /// True if melds fit the goal and are all groups that it must have.
    pub(super) fn has_in(&self, melds: &[&Meld]) -> bool {
        let has = |group: &Group| melds.iter().any(|meld| same(meld.group, *group));
        self.groups.iter().all(has) && melds.iter().all(|meld| self.fits(meld))
    }

    fn fits(&self, meld: &Meld) -> bool {
        meld.group.kind_set().difference(self.kinds).is_empty()
            && !(self.pungs && is_run(meld.group))
    }

    /// [`Self::aim`] of a hand with one tile more.
    #[inline(always)]
    pub(super) fn with(&self, aim: &Aim, kind: Kind) -> Aim {
        let mut aim = *aim;
        if !aim.lacking.try_remove(kind) && self.kinds.contains(kind) {
            aim.rest.concealed.try_add(kind);
        }
        aim
    }

    /// [`Self::aim`] of a hand without one of its tiles.
    #[inline(always)]
    pub(super) fn without(&self, aim: &Aim, kind: Kind) -> Aim {
        let mut aim = *aim;
        if self.kinds.contains(kind) && !aim.rest.concealed.try_remove(kind) {
            // The goal's groups need it.
            aim.lacking.try_add(kind);
        }
        aim
    }

    /// The least distance of a hand with this aim.
    #[inline]
    pub(super) fn least(aim: &Aim) -> i8 {
        aim.lacking.total() as i8 - 1
    }

    /// The chances of a hand at a distance with this many turns left. `share` is the share of the unseen tiles that it
    /// accepts now; the usual one of the goal if unknown. At later stages it accepts as many as is usual.
    pub(super) fn chance(
        &self,
        open: bool,
        distance: i8,
        share: Option<f64>,
        (turns, threat): (usize, usize),
        know: (&Course, &Views),
    ) -> Chance {
        let stage = distance.max(0) as usize;
        let table = &self.chances[usize::from(open)][threat];
        if stage >= STAGES {
            return table[STAGES - 1][turns];
        }
        let Some(share) = share else {
            return table[stage][turns];
        };
        let views = if stage == 0 {
            know.1.ready
        } else {
            self.views[usize::from(open)]
        };
        let nearer = stage.checked_sub(1).map(|stage| &table[stage]);
        let mut by_turns = by_turns(rate(share, views), nearer, &know.0.hazard[threat]);
        by_turns.nth(turns).unwrap_or_default()
    }

    /// Computes the chances with the usual shares.
    pub(super) fn tabulate(&mut self, course: &Course, views: &Views) {
        for (tables, of_views) in self.chances.iter_mut().zip(self.views) {
            for (table, hazard) in tables.iter_mut().zip(&course.hazard) {
                for stage in 0..STAGES {
                    let of_views = if stage == 0 { views.ready } else { of_views };
                    let rate = rate(self.share[stage], of_views);
                    let (nearer, rest) = table.split_at_mut(stage);
                    for (chance, of_turns) in
                        rest[0]
                            .iter_mut()
                            .zip(by_turns(rate, nearer.last(), hazard))
                    {
                        *chance = of_turns;
                    }
                }
            }
        }
    }
}

/// The chances with 0 turns left, with one, and so on. `rate` is the chance to come nearer in a turn, and `nearer` are
/// the chances then; `None` for a ready hand.
fn by_turns<'a>(
    rate: f64,
    nearer: Option<&'a [Chance; TURNS]>,
    hazard: &'a [f64; TURNS],
) -> impl Iterator<Item = Chance> + 'a {
    let mut chance = Chance::default();
    (0..TURNS).map(move |left| {
        let stays = 1.0 - hazard[left];
        chance = match (nearer, left) {
            // The last discards of others.
            (None, 0) => Chance {
                win: rate * 0.5,
                lose: 0.0,
                held: 1.0 - rate * 0.5,
            },
            (None, _) => Chance {
                win: rate + (1.0 - rate) * stays * chance.win,
                lose: (1.0 - rate) * (hazard[left] + stays * chance.lose),
                held: (1.0 - rate) * stays * chance.held,
            },
            (Some(_), 0) => Chance::default(),
            (Some(nearer), _) => {
                let next = nearer[left - 1];
                Chance {
                    win: stays * (rate * next.win + (1.0 - rate) * chance.win),
                    lose: hazard[left] + stays * (rate * next.lose + (1.0 - rate) * chance.lose),
                    held: stays * (rate * next.held + (1.0 - rate) * chance.held),
                }
            }
        };
        chance
    })
}

/// The chance of at least one accepted tile among so many tiles, without functions that differ between machines.
fn rate(share: f64, views: f64) -> f64 {
    share * views / (1.0 + share * (views - 1.0).max(0.0))
}

fn is_run(group: Group) -> bool {
    group.kind_set().len() > 1
}

/// The kinds of a hand by copies, for a hand of pungs and a pair.
#[derive(Clone, Copy)]
pub(super) struct Pungs {
    /// Groups that are not complete yet.
    groups: usize,
    /// Kinds of complete groups.
    complete: KindSet,
    /// Kinds that may become a pung or the pair, with two copies or more.
    pairs: KindSet,
    /// Kinds with two copies.
    twos: KindSet,
    singles: KindSet,
}

impl Pungs {
    #[inline]
    pub(super) fn of(holding: &Holding, groups: usize) -> Self {
        let counts = &holding.concealed;
        let (ones, twos, threes) = (counts.kinds(), counts.at_least(2), counts.at_least(3));
        let groups = groups.saturating_sub(holding.melds);
        let number = threes.len().min(groups);
        // Pungs beyond those that are needed can be the pair.
        let spare: KindSet = match threes.len() > number {
            true => threes.iter().skip(number).collect(),
            false => KindSet::EMPTY,
        };
        Self {
            groups: groups - number,
            complete: threes.difference(spare),
            pairs: twos.difference(threes).union(spare),
            twos: twos.difference(threes),
            singles: ones.difference(twos),
        }
    }

    /// After a discard of a kind with one or two copies.
    #[inline]
    pub(super) fn without(mut self, kind: Kind) -> Self {
        if self.twos.contains(kind) {
            self.twos.remove(kind);
            self.pairs.remove(kind);
            self.singles.insert(kind);
        } else {
            self.singles.remove(kind);
        }
        self
    }

    /// True for a kind with one or two copies.
    #[inline]
    pub(super) fn is_few(&self, kind: Kind) -> bool {
        self.singles.contains(kind) || self.twos.contains(kind)
    }

    /// How many pairs and single tiles become groups or the pair.
    #[inline]
    fn used(&self) -> (usize, usize) {
        let pairs = self.pairs.len().min(self.groups + 1);
        (pairs, self.singles.len().min(self.groups + 1 - pairs))
    }

    #[inline]
    pub(super) fn distance(&self) -> i8 {
        let (pairs, singles) = self.used();
        (3 * self.groups + 1) as i8 - (2 * pairs + singles) as i8
    }

    pub(super) fn accepts(&self) -> KindSet {
        let (pairs, singles) = self.used();
        let needed = self.groups + 1;
        let mut accepts = match self.groups {
            0 => KindSet::EMPTY,
            _ => self.twos,
        };
        if pairs < needed {
            accepts = accepts.union(self.singles);
        }
        if pairs + singles < needed {
            accepts = accepts.union(KindSet::ALL.difference(self.pairs.union(self.complete)));
        }
        accepts
    }
}

/// The same group, a kong for a pung.
fn same(meld: Group, group: Group) -> bool {
    meld == group || (!is_run(meld) && !is_run(group) && meld.kind_set() == group.kind_set())
}

#[cfg(test)]
mod tests {
    use super::super::knowledge::Knowledge;
    use super::*;
    use crate::decompose::{Decomposer, Grammar, Scratch};
    use crate::hand::Hand;
    use crate::random::Stream;
    use crate::ruleset::Rules;

    /// Random hands of few kinds, with up to three melds, against a decomposer that knows no runs.
    #[test]
    fn pungs_are_counted_as_a_grammar_without_runs_counts_them() {
        let woo = Rules::by_id("woo").unwrap();
        let copies = *woo.plan().tiles.copies();
        let grammar = Grammar::new(copies, 4, &[], true, true, Vec::new()).unwrap();
        let (decomposer, mut scratch) = (Decomposer::new(grammar), Scratch::new());
        let mut stream = Stream::new(3, 1);
        let kinds: Vec<Kind> = copies.kinds().iter().collect();
        for _ in 0..20_000 {
            let melds = stream.below(4) as usize;
            let few = 4 + stream.below(30);
            let mut tiles = Counts::EMPTY;
            while tiles.total() < 13 - 3 * melds {
                tiles.try_add(kinds[stream.below(few) as usize]);
            }
            let holding = Holding {
                melds,
                ..Holding::of_tiles(tiles)
            };
            let pungs = Pungs::of(&holding, 4);
            let (distance, accepts) = decomposer.accepts(&holding, &mut scratch);
            assert_eq!(pungs.distance(), distance, "{holding:?}");
            let accepted = pungs.accepts().intersection(copies.kinds());
            assert_eq!(accepted, accepts, "{holding:?}");
        }
    }

    #[test]
    fn tiles_of_a_goals_groups_and_kinds_count_towards_it() {
        let mcr = Rules::by_id("mcr").unwrap();
        let know = Knowledge::of(mcr.plan());
        let run = |text: &str| {
            let hand: Hand = text.parse().unwrap();
            let kinds: Vec<Kind> = hand.concealed().iter().collect();
            Group::of(&kinds).unwrap()
        };
        let groups = [run("123t"), run("456s"), run("789m")];
        let goal = Goal::new(know.plan.tiles.kinds(), &groups, false);
        let mut scratch = Scratch::new();
        let mut distance = |goal: &Goal, text: &str| {
            let hand: Hand = text.parse().unwrap();
            let aim = goal.aim(&Holding::from(&hand), hand.melds())?;
            Some(know.distance(goal, &aim, &mut scratch))
        };
        assert_eq!(distance(&goal, "123t456s789m11s23m"), Some(0));
        assert_eq!(distance(&goal, "12t45s78m11s2345m"), Some(2));
        assert_eq!(distance(&goal, "12t45s11s23m+789m"), Some(2));
        let bamboos = Goal::new(KindSet::of_lane(1), &[], false);
        assert_eq!(distance(&bamboos, "1112345678999s"), Some(0));
        assert_eq!(distance(&bamboos, "11123456789sEEE"), Some(2));
        assert_eq!(distance(&bamboos, "1112345678s+EEE"), None);
    }

    #[test]
    fn chances_fall_with_the_distance_and_grow_with_the_tiles_that_help() {
        let woo = Rules::by_id("woo").unwrap();
        let know = Knowledge::of(woo.plan());
        assert!(know.goals.len() > 1, "woo pays for flushes");
        for goal in &know.goals {
            let with = |share| {
                let parts = (&know.course, &know.views);
                goal.chance(false, 1, Some(share), (10, 0), parts).win
            };
            assert!(with(0.2) > with(0.1));
            for table in goal.chances.as_flattened() {
                for (stage, row) in table.iter().enumerate() {
                    for (turns, chance) in row.iter().enumerate() {
                        assert!(chance.win >= 0.0 && chance.lose >= 0.0 && chance.held >= 0.0);
                        assert!(chance.win + chance.lose + chance.held <= 1.0 + 1e-9);
                        assert!(stage == 0 || chance.win <= table[stage - 1][turns].win);
                    }
                }
            }
        }
    }
}
