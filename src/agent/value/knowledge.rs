//! [`Knowledge`]: what hands of a ruleset are worth and how deals go, learnt from the rules alone.

use super::bonus::{self, BonusTiles};
use super::course::Course;
use super::gain::{Seen, gain_by};
use super::goal::{Aim, Goal, Pungs, Views};
use super::waits::{Waits, class_of};
use crate::counts::{CountBits, Counts};
use crate::decompose::{Decomposer, Holding, Scratch, SpecialForm};
use crate::hand::Hand;
use crate::meld::Meld;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{View, Way};
use crate::tile::{Kind, Tile};
use std::borrow::Cow;
use std::sync::Arc;

/// How many tiles are tried before the accepted ones are computed.
const TRIES: u32 = 12;
/// A discard of another player counts as this part of a draw, because players keep what is useful.
const OF_DISCARDS: f64 = 0.8;
/// The ways to win that gains are estimated for.
const WAYS: [Way; 2] = [Way::Wall, Way::Discard];
/// The farthest hands that are looked at a step further. Farther ones gain nothing from it.
const FARTHEST: i8 = 4;
/// The same without the classical tables, where a look takes ten times as long. The hands must aim at any win or at a line: other
/// goals gain nothing from it.
const FARTHEST_BEYOND_TABLES: i8 = 2;
/// Hands usually win of which more than this part win with an open meld.
const USUALLY: f64 = 0.5;

/// One way to make a special form, where special forms alone win: a line of a card.
#[derive(Debug)]
pub(super) struct Line {
    /// The id of the form, and the number of the line if the form has several.
    pub id: String,
    /// Knows no other complete hands.
    pub decomposer: Decomposer,
}

/// Returns the lines of a ruleset. Empty if other hands win, or if there is one line.
fn lines(plan: &Plan) -> Vec<Line> {
    let (grammar, kinds) = (plan.decomposer.grammar(), plan.decomposer.natural_kinds());
    let mut lines = Vec::new();
    if grammar.standard {
        return lines;
    }
    for (id, form) in plan.forms.iter().zip(grammar.forms()) {
        for (place, way) in form.ways.iter().enumerate() {
            let alone = SpecialForm {
                ways: vec![way.clone()],
                ..form.clone()
            };
            if alone.needs_only_wild_tiles(kinds) {
                continue;
            }
            let id = match form.ways.len() {
                1 => id.clone(),
                _ => format!("{id}-{}", place + 1),
            };
            let decomposer = plan.decomposer.with_forms(vec![alone]);
            lines.extend(decomposer.map(|decomposer| Line { id, decomposer }));
        }
    }
    lines
}

/// The same decomposer without special forms, if other hands win.
fn without_forms(decomposer: &Arc<Decomposer>) -> Arc<Decomposer> {
    match decomposer.with_forms(Vec::new()) {
        Some(plain) => Arc::new(plain),
        None => Arc::clone(decomposer),
    }
}

/// Everything about a ruleset that tells what hands are worth.
#[derive(Debug)]
pub(super) struct Knowledge {
    pub plan: Arc<Plan>,
    pub course: Course,
    /// What other players wait for.
    pub waits: Waits,
    pub views: Views,
    pub goals: Vec<Goal>,
    /// [`Self::difference`].
    pub differs: f64,
    /// The plan whose decomposer answers for the goal of any hand: [`Plan::of_aims`].
    aims: Arc<Plan>,
    /// The bonus tiles that must be laid aside.
    pub bonus: BonusTiles,
    /// Whether bonus tiles can change if a complete hand wins.
    pub bonus_decides: bool,
    /// The decomposer without special forms, for goals that name kinds or groups.
    groups: Arc<Decomposer>,
    /// The lines of a card, by [`Goal::line`].
    pub lines: Vec<Line>,
}

/// Unseen tiles of some kinds, to draw from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Urn {
    /// The kinds with at least one copy, two, three and four.
    layers: [KindSet; 4],
    tiles: usize,
}

impl Urn {
    pub(super) fn of(kinds: KindSet, unseen: &Counts) -> Self {
        let layers = [1, 2, 3, 4].map(|count| kinds.intersection(unseen.at_least(count)));
        Self {
            layers,
            tiles: layers.iter().map(|layer| layer.len()).sum(),
        }
    }

    /// Removes a tile.
    fn remove(&mut self, kind: Kind) {
        let mut layers = self.layers.iter_mut().rev();
        if let Some(layer) = layers.find(|layer| layer.contains(kind)) {
            layer.remove(kind);
            self.tiles -= 1;
        }
    }

    /// A tile, each with the same chance. `None` if there is none.
    pub(super) fn draw(&self, stream: &mut Stream) -> Option<Kind> {
        let mut place = stream.below(self.tiles.max(1) as u32) as usize;
        for layer in self.layers {
            if place < layer.len() {
                return layer.nth(place);
            }
            place -= layer.len();
        }
        None
    }
}

/// One of the unseen tiles of some kinds, each with the same chance. `None` if there is none. Faster than an [`Urn`] for one draw.
pub(super) fn draw(kinds: KindSet, unseen: &Counts, stream: &mut Stream) -> Option<Kind> {
    let count = |kind| u32::from(unseen.get(kind));
    let tiles: u32 = kinds.iter().map(count).sum();
    let mut place = stream.below(tiles.max(1));
    kinds
        .iter()
        .find(|kind| match place.checked_sub(count(*kind)) {
            Some(rest) => {
                place = rest;
                false
            }
            None => true,
        })
}

/// A hand completed for a goal.
#[derive(Clone, Debug)]
pub(super) struct Completed {
    /// Without the winning tile.
    pub hand: Hand,
    pub tile: Kind,
}

impl Knowledge {
    /// What hands are worth if deals go like this. What other players wait for is not known yet.
    pub(super) fn learnt(plan: Arc<Plan>, course: Course) -> Self {
        let bonus = bonus::left(&plan, std::iter::empty());
        let if_wins = |way, views| {
            if plan.ways().contains(&way) {
                views
            } else {
                0.0
            }
        };
        let others = if_wins(Way::Discard, (plan.players - 1) as f64 * OF_DISCARDS);
        // Wins with replacements alone are as rare as no wins.
        let ready = Some(if_wins(Way::Wall, 1.0) + others).filter(|views| *views > 0.0);
        let views = Views {
            ready: ready.unwrap_or(1.0),
            others,
        };
        let aims = match plan.of_aims() {
            Cow::Borrowed(_) => Arc::clone(&plan),
            Cow::Owned(aims) => Arc::new(aims),
        };
        let mut this = Self {
            goals: Vec::new(),
            differs: 0.0,
            groups: without_forms(&aims.decomposer),
            lines: lines(&plan),
            aims,
            bonus,
            bonus_decides: false,
            course,
            waits: Waits::new(&plan),
            views,
            plan,
        };
        this.find();
        this.bonus_decides = this.does_bonus_decide();
        this.differs = this.difference();
        this
    }

    /// Lets deals go like those of this course.
    pub(super) fn go_like(&mut self, course: Course) {
        let course = self.course.clone().like(course);
        for goal in &mut self.goals {
            let beyond = course.beyond.iter().zip(self.course.beyond);
            for (gain, (beyond, before)) in goal.gain.iter_mut().zip(beyond) {
                *gain *= beyond / before;
            }
            goal.tabulate(&course, &self.views);
        }
        self.course = course;
    }

    /// The class of a seat's hand for [`Waits`].
    pub(super) fn class_of(&self, view: &View<'_>, seat: Seat) -> usize {
        class_of(view, seat, |melds| self.usually_wins(melds))
    }

    /// True if hands with these melds usually win: of some goal that they fit.
    fn usually_wins(&self, melds: &[&Meld]) -> bool {
        let mut goals = self.goals.iter().filter(|goal| goal.wins[1] > USUALLY);
        goals.any(|goal| goal.has_in(melds))
    }

    /// The same knowledge for a deal with this turned tile, which says which kind is wild. `None` if that is no news.
    pub(super) fn of_deal(&self, turned: Option<Tile>) -> Option<Self> {
        let plan = self
            .plan
            .changes_wild()
            .then(|| self.plan.of_deal(turned))?;
        let aims = self.aims.of_deal(turned);
        Some(Self {
            groups: without_forms(&aims.decomposer),
            lines: lines(&plan),
            aims: Arc::new(aims),
            bonus: self.bonus.clone(),
            bonus_decides: self.bonus_decides,
            plan: Arc::new(plan),
            course: self.course.clone(),
            waits: self.waits.clone(),
            views: self.views,
            differs: self.differs,
            goals: self.goals.clone(),
        })
    }

    /// The copies of each kind, without kinds that must be laid aside.
    pub(super) fn copies(&self) -> &Counts {
        self.plan.decomposer.grammar().copies()
    }

    /// True for a hand that has drawn or claimed a tile and must discard.
    pub(super) fn is_on_turn(&self, hand: &Hand) -> bool {
        let grammar = self.plan.decomposer.grammar();
        grammar.size(hand) > grammar.hand_tiles()
    }

    #[inline]
    pub(super) fn decomposer(&self, goal: &Goal) -> &Decomposer {
        match goal.line.and_then(|line| self.lines.get(line)) {
            Some(line) => &line.decomposer,
            None if goal.is_any => &self.aims.decomposer,
            None => &self.groups,
        }
    }

    #[inline(always)]
    pub(super) fn distance(&self, goal: &Goal, aim: &Aim, scratch: &mut Scratch) -> i8 {
        let decomposer = self.decomposer(goal);
        let distance = match goal.pungs {
            true => Pungs::of(&aim.rest, decomposer.grammar().groups).distance(),
            false => decomposer.distance(&aim.rest, scratch),
        };
        distance.saturating_add(aim.lacking.total() as i8)
    }

    pub(super) fn accepts(&self, goal: &Goal, aim: &Aim, scratch: &mut Scratch) -> (i8, KindSet) {
        let decomposer = self.decomposer(goal);
        let (distance, accepts) = match goal.pungs {
            true => {
                let pungs = Pungs::of(&aim.rest, decomposer.grammar().groups);
                (pungs.distance(), pungs.accepts())
            }
            false => decomposer.accepts(&aim.rest, scratch),
        };
        let accepts = accepts.intersection(goal.kinds).union(aim.lacking.kinds());
        (distance.saturating_add(aim.lacking.total() as i8), accepts)
    }

    /// What the seat gains by a win with a ready hand: drawn, and off a discard. 0 where it does not win.
    pub(super) fn gains(&self, hand: &Hand, kind: Kind, seen: &Seen) -> [f64; 2] {
        WAYS.map(|way| self.gain_by(way, (hand, false), kind, seen))
    }

    /// [`Self::gains`] in half the time, of a hand that may be silent. If the hand wins off a discard, a drawn tile brings as
    /// much more as it usually does.
    pub(super) fn gains_by_discard(
        &self,
        (hand, silent): (&Hand, bool),
        kind: Kind,
        seen: &Seen,
    ) -> [f64; 2] {
        let given = self.gain_by(Way::Discard, (hand, silent), kind, seen);
        let drawn = match given > 0.0 {
            true => given * self.goals[0].if_drawn[usize::from(!hand.is_closed())],
            false => self.gain_by(Way::Wall, (hand, silent), kind, seen),
        };
        [drawn, given]
    }

    /// What the seat gains by a win in one of the [`WAYS`].
    fn gain_by(&self, way: Way, (hand, silent): (&Hand, bool), kind: Kind, seen: &Seen) -> f64 {
        let plain = usize::from(silent || !hand.is_closed());
        gain_by(&self.plan, way, (hand, silent), kind, seen) * self.course.beyond[plain]
    }

    /// The gains of both ways as one, relative to [`Views::ready`] views a turn.
    pub(super) fn gain(&self, [drawn, given]: [f64; 2]) -> f64 {
        (drawn + given * self.views.others) / self.views.ready
    }

    /// The share of drawn tiles in what a ready hand sees.
    pub(super) fn usually_drawn(&self) -> f64 {
        (self.views.ready - self.views.others) / self.views.ready
    }

    /// An estimate of the gain of a hand completed in thought. It looks at one of both ways to win, at the drawn tile with the
    /// chance `drawn`, and has the right mean whatever that chance is. It varies least if the chance is that of
    /// [`Goal::drawn`].
    pub(super) fn one_gain(
        &self,
        done: &Completed,
        drawn: f64,
        seen: &Seen,
        stream: &mut Stream,
    ) -> f64 {
        let usual = self.usually_drawn();
        let is_drawn = stream.below(1 << 16) < (drawn * 65536.0) as u32;
        let (way, weight) = match is_drawn {
            true => (Way::Wall, usual / drawn),
            false => (Way::Discard, (1.0 - usual) / (1.0 - drawn)),
        };
        weight * self.gain_by(way, (&done.hand, false), done.tile, seen)
    }

    /// Completes a hand of 13 for a goal: draws accepted tiles, and discards tiles that it does not need.
    pub(super) fn complete(
        &self,
        goal: &Goal,
        (hand, distance): (&Hand, Option<i8>),
        mut unseen: Counts,
        stream: &mut Stream,
        scratch: &mut Scratch,
        mut each: Option<&mut dyn FnMut(i8, KindSet)>,
    ) -> Option<Completed> {
        let mut hand = *hand;
        let mut aim = goal.aim(&Holding::from(&hand), &hand.melds)?;
        let mut last = distance;
        let mut urn = Urn::of(goal.kinds, &unseen);
        loop {
            let (distance, kind) = match last {
                // Far hands accept so many kinds that it is faster to try.
                Some(distance) if distance > self.tried_beyond() && each.is_none() => {
                    let tiles = (&urn, &unseen);
                    let kind = self.nearer(goal, &aim, distance, tiles, stream, scratch)?;
                    (distance, kind)
                }
                _ => {
                    let (distance, accepts) = self.accepts(goal, &aim, scratch);
                    if distance >= Decomposer::UNREACHABLE {
                        return None;
                    }
                    if let Some(each) = &mut each {
                        each(distance, accepts);
                    }
                    (distance, draw(accepts, &unseen, stream)?)
                }
            };
            last = Some(distance - 1);
            if distance <= 0 {
                return Some(Completed { hand, tile: kind });
            }
            unseen.try_remove(kind);
            urn.remove(kind);
            hand.add(kind.into());
            aim = goal.with(&aim, kind);
            let spare = match each {
                Some(_) => self.best_spare(goal, &hand, distance - 1, &unseen, scratch)?,
                None => self.spare(goal, (&hand, &aim), distance - 1, stream, scratch)?,
            };
            hand.take_kind(spare, 1);
            aim = goal.without(&aim, spare);
        }
    }

    /// The distance beyond which it is faster to try tiles than to compute all that are accepted.
    fn tried_beyond(&self) -> i8 {
        i8::from(self.plan.decomposer.grammar().is_classical())
    }

    /// A random unseen tile that brings a hand nearer. The urn holds those of the goal's kinds.
    fn nearer(
        &self,
        goal: &Goal,
        aim: &Aim,
        distance: i8,
        (urn, unseen): (&Urn, &Counts),
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> Option<Kind> {
        for _ in 0..TRIES {
            let kind = urn.draw(stream)?;
            if self.distance(goal, &goal.with(aim, kind), scratch) < distance {
                return Some(kind);
            }
        }
        draw(self.accepts(goal, aim, scratch).1, unseen, stream)
    }

    /// A tile without which a hand keeps its distance, found from a random place on.
    pub(super) fn spare(
        &self,
        goal: &Goal,
        (hand, aim): (&Hand, &Aim),
        distance: i8,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> Option<Kind> {
        let kinds = hand.concealed().kinds();
        let useless = kinds.difference(goal.kinds);
        if !useless.is_empty() {
            return useless.nth(stream.below(useless.len() as u32) as usize);
        }
        let len = kinds.len();
        let first = stream.below(len.max(1) as u32) as usize;
        (0..len).map(|i| (first + i) % len).find_map(|place| {
            let kind = kinds.nth(place)?;
            let after = goal.without(aim, kind);
            (self.distance(goal, &after, scratch) <= distance).then_some(kind)
        })
    }

    /// How fast a hand of 13 goes on once it has drawn a tile that it accepts, as a multiple of what is usual for
    /// the goal. 1 for hands that are not looked at further.
    pub(super) fn pace(
        &self,
        goal: &Goal,
        open: bool,
        hand: &Hand,
        (distance, accepts): (i8, KindSet),
        (seen, turns, threat): (&Seen, usize, usize),
        scratch: &mut Scratch,
    ) -> f64 {
        let farthest = match self.plan.decomposer.grammar().is_classical() {
            true => FARTHEST,
            false if goal.is_any || goal.line.is_some() => FARTHEST_BEYOND_TABLES,
            false => 0,
        };
        if turns == 0 || !(1..=farthest).contains(&distance) {
            return 1.0;
        }
        let know = (&self.course, &self.views);
        let usual = goal
            .chance(open, distance - 1, None, (turns - 1, threat), know)
            .win;
        let (mut sum, mut count) = (0.0, 0.0);
        for kind in accepts.iter() {
            let copies = f64::from(seen.unseen.get(kind));
            if copies == 0.0 {
                continue;
            }
            let mut more = Holding::from(hand);
            more.concealed.try_add(kind);
            let share = self.best_share(goal, &more, &hand.melds, distance - 1, seen, scratch);
            let chance = goal.chance(open, distance - 1, Some(share), (turns - 1, threat), know);
            sum += copies * chance.win;
            count += copies;
        }
        match count > 0.0 && usual > 0.0 {
            true => sum / count / usual,
            false => 1.0,
        }
    }

    /// The greatest share of unseen tiles that a hand on turn accepts after a discard.
    fn best_share(
        &self,
        goal: &Goal,
        holding: &Holding,
        melds: &[Meld],
        distance: i8,
        seen: &Seen,
        scratch: &mut Scratch,
    ) -> f64 {
        let Some(aim) = goal.aim(holding, melds) else {
            return 0.0;
        };
        if !holding.concealed.kinds().difference(goal.kinds).is_empty() {
            return seen.share(self.accepts(goal, &aim, scratch).1);
        }
        let best = self.best_discard(goal, holding, melds, distance, &seen.bits, scratch);
        best.map_or(0.0, |(count, _)| f64::from(count) / seen.left)
    }

    /// The discard after which a hand keeps its distance and accepts most tiles, and how many.
    fn best_discard(
        &self,
        goal: &Goal,
        holding: &Holding,
        melds: &[Meld],
        distance: i8,
        unseen: &CountBits,
        scratch: &mut Scratch,
    ) -> Option<(u32, Kind)> {
        let mut best: Option<(u32, Kind)> = None;
        self.discards(goal, holding, melds, distance, scratch, |kind, accepts| {
            let count = unseen.count_in(accepts);
            if best.is_none_or(|(most, _)| count > most) {
                best = Some((count, kind));
            }
        });
        best
    }

    /// For each discard after which a hand is no farther than `distance`, visits the kind and what the hand accepts then.
    pub(super) fn discards(
        &self,
        goal: &Goal,
        holding: &Holding,
        melds: &[Meld],
        distance: i8,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Kind, KindSet),
    ) {
        let Some(aim) = goal.aim(holding, melds) else {
            return;
        };
        let decomposer = self.decomposer(goal);
        if goal.pungs {
            let groups = decomposer.grammar().groups;
            let pungs = Pungs::of(&aim.rest, groups);
            for kind in aim.rest.concealed.kinds() {
                let after = match pungs.is_few(kind) {
                    true => pungs.without(kind),
                    false => {
                        let mut rest = aim.rest;
                        rest.concealed.try_remove(kind);
                        Pungs::of(&rest, groups)
                    }
                };
                if after.distance() <= distance {
                    visit(kind, after.accepts().intersection(goal.kinds));
                }
            }
            return;
        }
        let of_rest = decomposer.distance(&aim.rest, scratch);
        let keeps = of_rest + aim.lacking.total() as i8 == distance;
        // The tables do not tell discards of a complete rest, nor those that bring the hand a step back.
        if of_rest < 0 || !keeps {
            for kind in holding.concealed.kinds() {
                let after = goal.without(&aim, kind);
                if self.distance(goal, &after, scratch) <= distance {
                    visit(kind, self.accepts(goal, &after, scratch).1);
                }
            }
            return;
        }
        let useless = holding.concealed.kinds().difference(goal.kinds);
        if !useless.is_empty() {
            let accepts = self.accepts(goal, &aim, scratch).1;
            useless.iter().for_each(|kind| visit(kind, accepts));
        }
        let lacking = aim.lacking.kinds();
        // A tile of the goal's groups that the hand has no more of than it needs is never such a discard.
        decomposer.discards(&aim.rest, scratch, |kind, accepts| {
            visit(kind, accepts.intersection(goal.kinds).union(lacking));
        });
    }

    /// A tile without which a hand keeps its distance: one that is not of the goal, or the best discard.
    pub(super) fn best_spare(
        &self,
        goal: &Goal,
        hand: &Hand,
        distance: i8,
        unseen: &Counts,
        scratch: &mut Scratch,
    ) -> Option<Kind> {
        if let Some(useless) = hand.kinds().difference(goal.kinds).nth(0) {
            return Some(useless);
        }
        let (holding, unseen) = (Holding::from(hand), CountBits::of(unseen));
        let best = self.best_discard(goal, &holding, &hand.melds, distance, &unseen, scratch);
        best.map(|(_, kind)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;
    use crate::tile::Wind;
    use smallvec::SmallVec;

    /// Random hands of 14 for every goal, with two distances: that of the hand, and one more.
    #[test]
    fn discards_are_those_found_one_by_one() {
        for id in ["mcr", "riichi-tenhou", "malaysian", "uzje"] {
            let know = Knowledge::of(Rules::by_id(id).unwrap().plan());
            let (mut stream, mut scratch) = (Stream::new(5, 5), Scratch::new());
            let mut visited = 0;
            for goal in &know.goals {
                let (mut hand, mut unseen) = know.random_hand(&mut stream);
                for _ in 0..stream.below(6) {
                    let aim = goal.aim(&Holding::from(&hand), &[]).unwrap();
                    let (distance, accepts) = know.accepts(goal, &aim, &mut scratch);
                    let Some(kind) = draw(accepts, &unseen, &mut stream).filter(|_| distance > 0)
                    else {
                        break;
                    };
                    unseen.try_remove(kind);
                    hand.add(kind.into());
                    let aim = goal.with(&aim, kind);
                    let on_turn = (&hand, &aim);
                    let spare = know.spare(goal, on_turn, distance - 1, &mut stream, &mut scratch);
                    hand.take_kind(spare.unwrap(), 1);
                }
                hand.add(draw(KindSet::ALL, &unseen, &mut stream).unwrap().into());
                let holding = Holding::from(&hand);
                let aim = goal.aim(&holding, &[]).unwrap();
                let nearest = know.distance(goal, &aim, &mut scratch).max(0);
                for distance in [nearest, nearest + 1] {
                    let mut expected = Vec::new();
                    for kind in hand.concealed().kinds() {
                        let mut rest = holding;
                        rest.concealed.try_remove(kind);
                        let of_rest = goal.aim(&rest, &[]).unwrap();
                        assert_eq!(goal.without(&aim, kind), of_rest);
                        assert_eq!(goal.with(&of_rest, kind), aim);
                        let (after, accepts) = know.accepts(goal, &of_rest, &mut scratch);
                        if after <= distance {
                            expected.push((kind, accepts));
                        }
                    }
                    let mut found = Vec::new();
                    let visit = |kind, accepts| found.push((kind, accepts));
                    know.discards(goal, &holding, &[], distance, &mut scratch, visit);
                    found.sort_by_key(|(kind, _)| kind.index());
                    visited += found.len();
                    assert_eq!(
                        found,
                        expected,
                        "{id} {} {distance} {:?}",
                        goal.id,
                        hand.concealed()
                    );
                }
            }
            assert!(visited > 20, "{id}: {visited}");
        }
    }

    #[test]
    fn each_unseen_tile_is_drawn_as_often_as_any_other() {
        let hand: Hand = "1112s34t".parse().unwrap();
        let unseen = *hand.concealed();
        let mut kinds = unseen.kinds();
        kinds.remove("4t".parse().unwrap());
        let mut stream = Stream::new(9, 9);
        let mut drawn = [0; 3];
        for _ in 0..5_000 {
            let kind = draw(kinds, &unseen, &mut stream).unwrap();
            drawn[kinds.iter().position(|one| one == kind).unwrap()] += 1;
        }
        drawn.sort_unstable();
        assert!(
            drawn[0] > 850 && drawn[1] < 1150 && drawn[2] > 2850,
            "{drawn:?}"
        );
        assert_eq!(draw(KindSet::EMPTY, &unseen, &mut stream), None);
        assert_eq!(draw(kinds, &Counts::EMPTY, &mut stream), None);
    }

    #[test]
    fn looking_at_one_way_to_win_has_the_mean_of_both_and_varies_little() {
        let rules = Rules::by_id("taiwanese").unwrap();
        let know = Knowledge::of(rules.plan());
        let (usual, learnt) = (know.usually_drawn(), know.goals[0].drawn[0]);
        assert!(learnt > 1.3 * usual, "three players pay for a drawn tile");
        let done = Completed {
            hand: "123456789t123s55m78m".parse().unwrap(),
            tile: "9m".parse().unwrap(),
        };
        let unseen = know.plan.tiles.copies();
        let unseen = unseen.saturating_minus(done.hand.concealed());
        let seen = Seen::new(Seat::EAST, Wind::East, unseen, SmallVec::new());
        let exact = know.gain(know.gains(&done.hand, done.tile, &seen));
        let mut stream = Stream::new(7, 1);
        let mut variance = |drawn: f64| {
            let gains: Vec<f64> = (0..4000)
                .map(|_| know.one_gain(&done, drawn, &seen, &mut stream) / exact)
                .collect();
            let mean = gains.iter().sum::<f64>() / gains.len() as f64;
            assert!((mean - 1.0).abs() < 0.05, "{mean} with {drawn}");
            let squares = gains.iter().map(|gain| (gain - 1.0) * (gain - 1.0));
            squares.sum::<f64>() / gains.len() as f64
        };
        let (usual, learnt) = (variance(usual), variance(learnt));
        assert!(learnt < 0.3 * usual, "{learnt} {usual}");
    }

    #[test]
    fn drawn_wins_follow_from_discards_on_average() {
        for id in ["riichi-tenhou", "woo", "mcr", "uzje"] {
            let know = Knowledge::of(Rules::by_id(id).unwrap().plan());
            let (mut stream, mut scratch) = (Stream::new(8, 8), Scratch::new());
            let (mut exact, mut estimated) = (0.0, 0.0);
            for _ in 0..400 {
                let (hand, unseen) = know.random_hand(&mut stream);
                let (goal, start) = (&know.goals[0], (&hand, None));
                let done = know.complete(goal, start, unseen, &mut stream, &mut scratch, None);
                let Some(Completed { hand, tile }) = done else {
                    continue;
                };
                let seen = Seen::new(Seat::EAST, Wind::East, unseen, SmallVec::new());
                let [drawn, given] = know.gains(&hand, tile, &seen);
                let estimate = know.gains_by_discard((&hand, false), tile, &seen);
                assert_eq!(estimate[1], given, "{id}");
                if given > 0.0 {
                    exact += drawn;
                    estimated += estimate[0];
                } else {
                    assert_eq!(estimate[0], drawn, "{id}");
                }
            }
            let ratio = estimated / exact;
            assert!((ratio - 1.0).abs() < 0.15, "{id}: {ratio}");
        }
    }

    #[test]
    fn nobody_aims_for_a_hand_of_wild_tiles_and_any_others() {
        let rules = Rules::by_id("fuzhou").unwrap();
        let turned = "8s".parse().unwrap();
        let know = Knowledge::of(rules.plan()).of_deal(Some(turned)).unwrap();
        let hand: Hand = "3577t114455689s367m".parse().unwrap();
        let mut scratch = Scratch::new();
        let mut distance =
            |decomposer: &Decomposer| decomposer.distance(&Holding::from(&hand), &mut scratch);
        assert_eq!(distance(&know.plan.decomposer), 1);
        assert_eq!(distance(&know.aims.decomposer), 2);
        assert_eq!(distance(&know.groups), 2);
    }
}
