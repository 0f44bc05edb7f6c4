//! How [`Knowledge`] is learnt: goals, and what random hands say of their worth and speed.

use super::super::greedy::ANY;
use super::bonus;
use super::gain::Seen;
use super::goal::{Aim, Goal, STAGES};
use super::knowledge::{Completed, Knowledge, draw};
use crate::aside::Aside;
use crate::counts::{CountBits, Counts};
use crate::decompose::{Decomposer, FormItem, Grammar, Holding, Scratch};
use crate::hand::Hand;
use crate::meld::{Family, Group, Meld};
use crate::random::Stream;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::tile::{Kind, Suit, Wind};
use smallvec::SmallVec;

/// How many complete hands tell what a goal is worth.
const SAMPLES: usize = 256;
/// The number of complete hands that a line is priced with. Hands of one line are worth about the same.
const SAMPLES_OF_LINES: usize = 16;
/// Bonus tiles matter for winning if they change whether a hand wins in more than one of this many hands.
const FEW: usize = 32;
/// A goal is worth this many times as much as any hand. What is worth little more happens by itself.
const WORTH_AIMING: f64 = 2.0;
/// Goals of fewer kinds are a matter of luck.
const FEWEST_KINDS: usize = 5;
/// Most runs of a grammar whose combinations are tried.
const MOST_RUNS: usize = 32;
/// How many hands tell what three runs are worth together.
const COMBINED: u32 = 4;
/// Most combinations that are goals.
const MOST_COMBINED: usize = 96;
/// The part of others' discards that hands with runs may claim as well as draw. Found by play: greedy players claim more,
/// but an open hand hides less and has fewer ways to go on.
const OF_RUNS: f64 = 0.15;
/// The same for hands of pungs.
const OF_PUNGS: f64 = 0.8;
/// How far [`Goal::drawn`] goes from the share of drawn tiles to what hands showed, so that no way is left out.
const OF_LEARNT: f64 = 0.9;

/// True if declared melds may be tiles of a special form, and not only groups of one.
fn forms_take_melds(grammar: &Grammar) -> bool {
    let has_groups =
        |way: &Vec<FormItem>| way.iter().any(|item| matches!(item, FormItem::Groups(_)));
    let mut forms = grammar.forms.iter();
    forms.any(|form| !form.concealed && !form.ways.iter().all(has_groups))
}

impl Knowledge {
    /// Finds the goals that are worth more than any hand.
    pub(super) fn find(&mut self) {
        let plan = self.plan.clone();
        let kinds = self.copies().kinds();
        let has_runs = !plan.decomposer.grammar().shapes.is_empty();
        let mut any = Goal::new(kinds, &[], false);
        any.is_any = true;
        any.id = ANY.to_owned();
        any.knows_declared = forms_take_melds(plan.decomposer.grammar());
        let mut stream = Stream::new(0x5eed, 1);
        let mut scratch = Scratch::new();
        self.learn(&mut any, SAMPLES * 2, &mut stream, &mut scratch);
        self.goals.push(any);
        if !plan.decomposer.grammar().standard {
            // Some of the groups or kinds of a form are no goal.
            for (number, line) in self.lines.iter().enumerate() {
                let mut goal = Goal::new(kinds, &[], false);
                goal.line = Some(number);
                goal.id.clone_from(&line.id);
                goal.knows_declared = forms_take_melds(line.decomposer.grammar());
                self.learn(&mut goal, SAMPLES_OF_LINES, &mut stream, &mut scratch);
                self.goals.push(goal);
            }
            return;
        }
        let mut sets: Vec<(String, KindSet)> = Vec::new();
        let honours = kinds.intersection(KindSet::of_lane(3));
        for suit in Suit::ALL {
            let of_suit = kinds.intersection(KindSet::of_lane(suit.lane()));
            sets.push((suit.to_string(), of_suit));
            sets.push((format!("{suit}-honours"), of_suit.union(honours)));
        }
        for (id, class) in &plan.classes {
            sets.push((id.clone(), class.intersection(kinds)));
            sets.push((format!("no-{id}"), kinds.difference(*class)));
        }
        let mut candidates: Vec<Goal> = Vec::new();
        for (id, set) in sets {
            // Wild tiles go with every tile.
            let set = set.union(plan.decomposer.wild());
            let is_new = !candidates.iter().any(|goal| goal.kinds == set) && set != kinds;
            if is_new && set.len() >= FEWEST_KINDS {
                let mut goal = Goal::new(set, &[], false);
                goal.id = id;
                candidates.push(goal);
            }
        }
        let has_pungs = plan.decomposer.grammar().has_pung && plan.decomposer.wild().is_empty();
        if has_runs && has_pungs {
            let mut goal = Goal::new(kinds, &[], true);
            "pungs".clone_into(&mut goal.id);
            candidates.push(goal);
        }
        for mut goal in candidates {
            self.learn(&mut goal, SAMPLES, &mut stream, &mut scratch);
            if self.is_worth_aiming(&goal) {
                self.goals.push(goal);
            }
        }
        if plan.decomposer.grammar().has_pung {
            let threes = honours.intersection(self.copies().at_least(3)).iter();
            let pungs = threes.map(|kind| Goal::new(kinds, &[Group::pung(kind)], false));
            self.add_alike(pungs.collect(), SAMPLES, &mut stream, &mut scratch);
        }
        self.combine(&mut stream, &mut scratch);
    }

    /// True for a goal that is worth much more than any hand, the first goal.
    fn is_worth_aiming(&self, goal: &Goal) -> bool {
        let gains = self.goals.first().map_or([0.0; 2], |any| any.gain);
        let mut gains = goal.gain.iter().zip(gains);
        gains.any(|(gain, any)| *gain > any * WORTH_AIMING)
    }

    /// Finds runs that are worth more together, by scoring hands that have them.
    fn combine(&mut self, stream: &mut Stream, scratch: &mut Scratch) {
        let plan = self.plan.clone();
        let grammar = plan.decomposer.grammar();
        let kinds = self.copies().kinds();
        let runs: Vec<Group> = Suit::ALL
            .iter()
            .flat_map(|&suit| grammar.shapes.iter().map(move |shape| shape.group(suit)))
            .filter(|group| group.kind_set().difference(kinds).is_empty())
            .collect();
        if runs.len() > MOST_RUNS || grammar.groups < 4 {
            return;
        }
        let pungs: Vec<Group> = kinds.iter().map(Group::pung).collect();
        let mut found: Vec<(f64, [Group; 3])> = Vec::new();
        let (mut all, mut count) = (0.0, 0.0);
        for (a, &first) in runs.iter().enumerate() {
            for (b, &second) in runs.iter().enumerate().skip(a + 1) {
                for &third in &runs[b + 1..] {
                    let groups = [first, second, third];
                    let (mut sum, mut tried) = (0.0, 0.0);
                    for _ in 0..COMBINED {
                        if let Some(gain) = self.filled(&groups, &runs, &pungs, stream) {
                            sum += gain;
                            tried += 1.0;
                        }
                    }
                    if tried > 0.0 {
                        all += sum;
                        count += tried;
                        found.push((sum / tried, groups));
                    }
                }
            }
        }
        let usual = if count > 0.0 { all / count } else { 0.0 };
        found.retain(|(gain, _)| *gain > usual * WORTH_AIMING);
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        // What luck brought to the top once does not come twice.
        for (gain, groups) in &mut found {
            let mut again = 0.0;
            for _ in 0..2 * COMBINED {
                again += self.filled(groups, &runs, &pungs, stream).unwrap_or(0.0);
            }
            *gain = again / f64::from(2 * COMBINED);
        }
        found.retain(|(gain, _)| *gain > usual * WORTH_AIMING);
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(MOST_COMBINED);
        let goal = |(_, groups): &(f64, [Group; 3])| Goal::new(kinds, groups, false);
        self.add_alike(
            found.iter().map(goal).collect(),
            SAMPLES / 4,
            stream,
            scratch,
        );
    }

    /// Adds those of some goals that are worth much more than any hand. A hand that is near one of them is often as near to others,
    /// so they share how fast hands come nearer.
    fn add_alike(
        &mut self,
        mut goals: Vec<Goal>,
        samples: usize,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) {
        for goal in &mut goals {
            self.price(goal, samples, stream, scratch);
        }
        goals.retain(|goal| self.is_worth_aiming(goal));
        let shares = self.shares_together(&goals, stream, scratch);
        for goal in &mut goals {
            self.tabulate(goal, shares);
        }
        self.goals.extend(goals);
    }

    /// The shares of unseen tiles that bring random hands nearer to any of these goals, as [`Self::price`] returns them.
    fn shares_together(
        &self,
        goals: &[Goal],
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> [(f64, f64); STAGES] {
        let mut shares = [(0.0, 0.0); STAGES];
        for _ in 0..SAMPLES {
            let (mut hand, mut unseen) = self.random_hand(stream);
            loop {
                let near = self.nearest(goals, &hand, scratch);
                let Some(distance) = near.first().map(|(_, distance, _)| *distance) else {
                    break;
                };
                let union =
                    |all: KindSet, (_, _, accepts): &(&Goal, i8, KindSet)| all.union(*accepts);
                let accepted = near.iter().fold(KindSet::EMPTY, union);
                if let Some((sum, count)) = shares.get_mut(distance.max(0) as usize) {
                    let share = CountBits::of(&unseen).count_in(accepted);
                    *sum += f64::from(share) / (unseen.total() as f64).max(1.0);
                    *count += 1.0;
                }
                if distance <= 0 {
                    break;
                }
                let Some(kind) = draw(accepted, &unseen, stream) else {
                    break;
                };
                let Some((goal, ..)) = near.iter().find(|(.., accepts)| accepts.contains(kind))
                else {
                    break;
                };
                unseen.try_remove(kind);
                hand.add(kind.into());
                let spare = self.best_spare(goal, &hand, distance - 1, &unseen, scratch);
                let Some(spare) = spare else { break };
                hand.take_kind(spare, 1);
            }
        }
        shares
    }

    /// The goals that a hand of 13 is nearest to, with the distance, and what the hand accepts for each.
    fn nearest<'a>(
        &self,
        goals: &'a [Goal],
        hand: &Hand,
        scratch: &mut Scratch,
    ) -> Vec<(&'a Goal, i8, KindSet)> {
        let holding = Holding::from(hand);
        let mut least = Decomposer::UNREACHABLE;
        let mut near = Vec::new();
        for goal in goals {
            let Some(aim) = goal.aim(&holding, &hand.melds) else {
                continue;
            };
            if Goal::least(&aim) > least {
                continue;
            }
            let distance = self.distance(goal, &aim, scratch);
            if distance < least {
                least = distance;
                near.clear();
            }
            if distance == least {
                near.push((goal, aim));
            }
        }
        let accepts = |(goal, aim): (&'a Goal, Aim)| {
            let (distance, accepts) = self.accepts(goal, &aim, scratch);
            (goal, distance, accepts)
        };
        near.into_iter().map(accepts).collect()
    }

    /// The gain of a hand with three given groups, filled up at random. `None` if there are too few copies.
    fn filled(
        &self,
        groups: &[Group; 3],
        runs: &[Group],
        pungs: &[Group],
        stream: &mut Stream,
    ) -> Option<f64> {
        let plan = &self.plan;
        let mut tiles = Counts::EMPTY;
        let pick =
            |stream: &mut Stream, among: &[Group]| among[stream.below(among.len() as u32) as usize];
        let fourth = match stream.below(4) {
            0 => pick(stream, pungs),
            _ => pick(stream, runs),
        };
        let pair = pick(stream, pungs).tiles().next()?;
        for kind in groups
            .iter()
            .chain([&fourth])
            .flat_map(|group| group.tiles())
            .chain([pair, pair])
        {
            if !tiles.try_add(kind) {
                return None;
            }
        }
        let left = self.copies().saturating_minus(&tiles);
        if left.total() + tiles.total() != self.copies().total() {
            return None;
        }
        let winning = tiles
            .iter()
            .nth(stream.below(tiles.total() as u32) as usize)?;
        let mut hand = Hand::new();
        tiles.iter().for_each(|kind| hand.add(kind.into()));
        hand.take_kind(winning, 1);
        hand.aside = self.random_aside(stream);
        let seat = Seat::all(plan.players).nth(stream.below(plan.players as u32) as usize)?;
        let seen = Seen::new(seat, Wind::East, left, SmallVec::new());
        let done = Completed {
            hand,
            tile: winning,
        };
        Some(self.one_gain(&done, self.usually_drawn(), &seen, stream))
    }

    /// Returns random bonus tiles, on average as many as winners have.
    fn random_aside(&self, stream: &mut Stream) -> Aside {
        let chance = self.course.aside / self.bonus.len().max(1) as f64;
        bonus::with_some(Aside::EMPTY, &self.bonus, chance, stream)
    }

    /// A hand of 13 random tiles, bonus tiles beside them, and the unseen tiles.
    pub(super) fn random_hand(&self, stream: &mut Stream) -> (Hand, Counts) {
        let copies = self.copies();
        let mut tiles: SmallVec<[Kind; 256]> = copies.iter().collect();
        stream.shuffle(&mut tiles);
        tiles.truncate(self.plan.decomposer.grammar().hand_tiles());
        let mut hand = Hand::new();
        let mut unseen = *copies;
        for &kind in &tiles {
            hand.add(kind.into());
            unseen.try_remove(kind);
        }
        hand.aside = self.random_aside(stream);
        (hand, unseen)
    }

    /// Computes [`Self::bonus_decides`] by scoring random hands with two random sets of bonus tiles.
    pub(super) fn does_bonus_decide(&self) -> bool {
        let Some(goal) = self.goals.first() else {
            return false;
        };
        if self.bonus.is_empty() || !self.plan.may_refuse_complete() {
            return false;
        }
        let (mut stream, mut scratch) = (Stream::new(3, 0), Scratch::new());
        let mut decided = 0;
        for _ in 0..SAMPLES {
            let (hand, unseen) = self.random_hand(&mut stream);
            let seen = Seen::new(Seat::EAST, Wind::East, unseen, SmallVec::new());
            let start = (&hand, None);
            let done = self.complete(goal, start, unseen, &mut stream, &mut scratch, None);
            let Some(Completed { hand, tile }) = done else {
                continue;
            };
            let wins = |aside: Aside| {
                let mut hand = hand;
                hand.aside = aside;
                self.gains(&hand, tile, &seen).map(|gain| gain > 0.0)
            };
            decided += usize::from(wins(hand.aside) != wins(self.random_aside(&mut stream)));
        }
        decided * FEW > SAMPLES
    }

    /// Learns what a goal is worth from random hands. Returns the sum of the shares of the unseen tiles that they accepted
    /// and the number of hands, by distance.
    fn price(
        &self,
        goal: &mut Goal,
        samples: usize,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> [(f64, f64); STAGES] {
        let plan = &self.plan;
        let usual = self.usually_drawn();
        let (mut gains, mut drawn) = ([0.0; 2], [0.0; 2]);
        let (mut counts, mut won) = ([0.0; 2], [0.0; 2]);
        let mut both = [[0.0; 2]; 2];
        let mut shares = [(0.0, 0.0); STAGES];
        for _ in 0..samples {
            let (hand, unseen) = self.random_hand(stream);
            let seat = Seat::all(plan.players).nth(stream.below(plan.players as u32) as usize);
            let seen = Seen::new(
                seat.unwrap_or(Seat::EAST),
                Wind::East,
                unseen,
                SmallVec::new(),
            );
            let mut each = |distance: i8, accepts: KindSet| {
                if let Some((sum, count)) = shares.get_mut(distance.max(0) as usize) {
                    *sum += seen.share(accepts);
                    *count += 1.0;
                }
            };
            let Some(done) = self.complete(
                goal,
                (&hand, None),
                unseen,
                stream,
                scratch,
                Some(&mut each),
            ) else {
                continue;
            };
            let mut add = |open: usize, hand: &Hand| {
                let by_way = self.gains(hand, done.tile, &seen);
                let gain = self.gain(by_way);
                gains[open] += gain;
                drawn[open] += usual * by_way[0];
                if by_way[1] > 0.0 {
                    both[open] = [both[open][0] + by_way[0], both[open][1] + by_way[1]];
                }
                counts[open] += 1.0;
                won[open] += f64::from(u8::from(gain > 0.0));
            };
            add(0, &done.hand);
            if let Some(hand) = self.opened(&done, stream) {
                add(1, &hand);
            }
        }
        for open in 0..2 {
            let mean = |sum: f64| {
                if counts[open] > 0.0 {
                    sum / counts[open]
                } else {
                    0.0
                }
            };
            goal.gain[open] = mean(gains[open]);
            goal.wins[open] = mean(won[open]);
            goal.drawn[open] = match gains[open] > 0.0 {
                true => {
                    let learnt = (drawn[open] / gains[open]).clamp(0.0, 1.0);
                    usual + OF_LEARNT * (learnt - usual)
                }
                false => usual,
            };
            if let [of_drawn, of_given] = both[open]
                && of_given > 0.0
            {
                goal.if_drawn[open] = of_drawn / of_given;
            }
        }
        shares
    }

    /// Learns what a goal is worth and how fast it is reached.
    fn learn(&self, goal: &mut Goal, samples: usize, stream: &mut Stream, scratch: &mut Scratch) {
        let shares = self.price(goal, samples, stream, scratch);
        self.tabulate(goal, shares);
    }

    /// Computes the chances of a goal from sums of shares, as [`Self::price`] returns them.
    fn tabulate(&self, goal: &mut Goal, shares: [(f64, f64); STAGES]) {
        let mut before = 0.03;
        for (stage, (sum, count)) in shares.into_iter().enumerate() {
            // Later stages accept more; few samples reach the far ones.
            goal.share[stage] = (sum + 2.0 * before) / (count + 2.0);
            before = goal.share[stage];
        }
        let plan = &self.plan;
        let has_runs = !goal.pungs && !plan.decomposer.grammar().shapes.is_empty();
        let others = (plan.players - 1) as f64;
        goal.views = [
            1.0,
            1.0 + others * if has_runs { OF_RUNS } else { OF_PUNGS },
        ];
        goal.tabulate(&self.course, &self.views);
    }

    /// The hand with one of its groups claimed. In a form a group is any tiles alike that the form has and that may be
    /// claimed.
    fn opened(&self, done: &Completed, stream: &mut Stream) -> Option<Hand> {
        let mut whole = Holding::from(&done.hand);
        whole.concealed.try_add(done.tile);
        let mut groups: SmallVec<[Group; 8]> = SmallVec::new();
        let _ = self.plan.decomposer.arrangements(&whole, |found| {
            groups = found
                .groups()
                .iter()
                .copied()
                .filter(|group| group.tiles().count() == 3)
                .collect();
            std::ops::ControlFlow::Break(())
        });
        let first = stream.below(groups.len().max(1) as u32) as usize;
        for i in 0..groups.len() {
            let group = groups[(first + i) % groups.len()];
            let counts = group.counts();
            if counts.saturating_minus(done.hand.concealed()).is_empty() {
                let mut hand = done.hand;
                for kind in group.tiles() {
                    hand.take_kind(kind, 1);
                }
                let claimed = group.tiles().next()?;
                hand.melds
                    .push(Meld::of_claimed(group, claimed.into(), Seat::EAST));
                return Some(hand);
            }
        }
        match groups.is_empty() {
            true => self.opened_form(done, stream),
            false => None,
        }
    }

    /// The hand of a form with some of its tiles alike claimed.
    fn opened_form(&self, done: &Completed, stream: &mut Stream) -> Option<Hand> {
        let plan = &self.plan;
        if !forms_take_melds(plan.decomposer.grammar()) {
            return None;
        }
        let natural = done.hand.concealed().kinds();
        let natural = natural.difference(plan.decomposer.wild());
        let jokers = match plan.decomposer.wild().contains(Kind::JOKER) {
            true => done.hand.concealed().get(Kind::JOKER),
            false => 0,
        };
        let first = stream.below(natural.len().max(1) as u32) as usize;
        let kinds = (0..natural.len()).map(|i| (first + i) % natural.len());
        // Without a replacement a kong takes as many tiles as the form.
        let kong = Some(Family::Kong).filter(|_| !plan.play.kong_replacement);
        let families: SmallVec<[Family; 4]> = (plan.decomposer.grammar().larger())
            .chain(kong)
            .chain([Family::Pung])
            .collect();
        kinds
            .filter_map(|place| natural.nth(place))
            .find_map(|kind| {
                families.iter().find_map(|&family| {
                    let group = Group::same(family, kind);
                    let own = done.hand.concealed().get(kind).min(group.len() as u8);
                    let wild = group.len() as u8 - own;
                    if wild > jokers {
                        return None;
                    }
                    let mut hand = done.hand;
                    hand.take_kind(kind, own);
                    hand.take_kind(Kind::JOKER, wild);
                    hand.melds.push(Meld {
                        wild: (1 << wild) - 1,
                        ..Meld::of_claimed(group, kind.into(), Seat::EAST)
                    });
                    let completes = plan.decomposer.completes(&hand, Some(done.tile));
                    completes.then_some(hand)
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;

    #[test]
    fn bonus_tiles_decide_wins_where_they_count_for_the_minimum() {
        let decide = |id| Knowledge::of(Rules::by_id(id).unwrap().plan()).bonus_decides;
        assert!(decide("malaysian") && decide("singaporean"));
        // Flowers count, but not for the eight points that a win needs. Woo has no minimum.
        assert!(!decide("mcr") && !decide("woo"));
    }

    #[test]
    fn hands_of_which_worth_is_learnt_have_bonus_tiles_beside_them() {
        let know = Knowledge::of(Rules::by_id("malaysian").unwrap().plan());
        // Hands without any are limit hands, the only ones that always win.
        assert!(know.goals[0].wins[1] < 0.9, "{:?}", know.goals[0].wins);
        let mut stream = Stream::new(1, 1);
        let laid: usize = (0..200)
            .map(|_| know.random_hand(&mut stream).0.aside.len())
            .sum();
        let mean = laid as f64 / 200.0;
        assert!((mean - know.course.aside).abs() < 0.5, "{mean}");
    }

    #[test]
    fn each_line_of_a_card_is_a_goal_that_can_be_reached() {
        let rules = Rules::by_id("american").unwrap();
        let know = Knowledge::of(rules.plan());
        let lines: Vec<&Goal> = know
            .goals
            .iter()
            .filter(|goal| goal.line.is_some())
            .collect();
        let forms = rules.plan().decomposer.grammar().forms();
        assert_eq!(
            lines.len(),
            forms.iter().map(|form| form.ways.len()).sum::<usize>()
        );
        for line in lines {
            assert!(line.gain[0] > 0.0, "{}", line.id);
        }
        let hand: Hand = "BBB1111t9999sEE".parse().unwrap();
        let mut scratch = Scratch::new();
        let mut distance = |id: &str| {
            let goal = know.goals.iter().find(|goal| goal.id == id).unwrap();
            let aim = goal.aim(&Holding::from(&hand), &[]).unwrap();
            know.distance(goal, &aim, &mut scratch)
        };
        assert_eq!([distance("garden-3"), distance("garden-4")], [0, 10]);
    }
}
