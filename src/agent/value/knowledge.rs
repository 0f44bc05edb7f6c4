//! [`Knowledge`]: what hands of a ruleset are worth and how deals go, learnt from the rules alone.

use super::super::greedy::ANY;
use super::bonus::{self, BonusTiles};
use super::course::Course;
use super::gain::{Seen, gain_by};
use super::goal::{Aim, Goal, Pungs, STAGES, Views};
use crate::aside::Aside;
use crate::counts::{CountBits, Counts};
use crate::decompose::{Decomposer, FormItem, Grammar, Holding, Scratch, SpecialForm};
use crate::hand::Hand;
use crate::meld::{Family, Group, Meld};
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::Way;
use crate::tile::{Kind, Suit, Tile, Wind};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

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
/// How many tiles are tried before the accepted ones are computed.
const TRIES: u32 = 12;
/// A discard of another player counts as this part of a draw, because players keep what is useful.
const OF_DISCARDS: f64 = 0.8;
/// The part of others' discards that hands with runs may claim as well as draw. Found by play: greedy players claim more,
/// but an open hand hides less and has fewer ways to go on.
const OF_RUNS: f64 = 0.15;
/// The same for hands of pungs.
const OF_PUNGS: f64 = 0.8;
/// The ways to win that gains are estimated for.
const WAYS: [Way; 2] = [Way::Wall, Way::Discard];
/// How far [`Goal::drawn`] goes from the share of drawn tiles to what hands showed, so that no way is left out.
const OF_LEARNT: f64 = 0.9;
/// The farthest hands that are looked at a step further. Farther ones gain nothing from it.
const FARTHEST: i8 = 4;
/// The same without the classical tables, where a look takes ten times as long. The hands must aim at any win or at a line: other
/// goals gain nothing from it.
const FARTHEST_BEYOND_TABLES: i8 = 2;
/// How many rulesets are remembered.
const REMEMBERED: usize = 12;

/// What was learnt of the rulesets for which agents were made last, by the hash of their rules.
static KNOWN: Mutex<Vec<(u64, Arc<Knowledge>)>> = Mutex::new(Vec::new());

/// One way to make a special form, where special forms alone win: a line of a card.
#[derive(Debug)]
struct Line {
    /// The id of the form, and the number of the line if the form has several.
    id: String,
    /// Knows no other complete hands.
    decomposer: Decomposer,
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

/// True if declared melds may be tiles of a special form, and not only groups of one.
fn forms_take_melds(grammar: &Grammar) -> bool {
    let has_groups =
        |way: &Vec<FormItem>| way.iter().any(|item| matches!(item, FormItem::Groups(_)));
    let mut forms = grammar.forms.iter();
    forms.any(|form| !form.concealed && !form.ways.iter().all(has_groups))
}

/// Everything about a ruleset that tells what hands are worth.
#[derive(Debug)]
pub(super) struct Knowledge {
    pub plan: Arc<Plan>,
    pub course: Course,
    pub views: Views,
    pub goals: Vec<Goal>,
    /// [`Self::difference`].
    pub differs: f64,
    /// The plan whose decomposer answers for the goal of any hand: [`Plan::of_aims`].
    aims: Arc<Plan>,
    /// The bonus tiles that must be laid aside.
    bonus: BonusTiles,
    /// Whether bonus tiles can change if a complete hand wins.
    pub bonus_decides: bool,
    /// The decomposer without special forms, for goals that name kinds or groups.
    groups: Arc<Decomposer>,
    /// The lines of a card, by [`Goal::line`].
    lines: Vec<Line>,
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
fn draw(kinds: KindSet, unseen: &Counts, stream: &mut Stream) -> Option<Kind> {
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
    /// What there is to know of a ruleset, learnt at the first call for its rules.
    pub(super) fn of(plan: &Plan) -> Arc<Self> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, knowledge)) = known.iter().find(|(hash, _)| *hash == plan.content_hash) {
            return knowledge.clone();
        }
        let fresh = Arc::new(Self::learnt(plan));
        if known.len() == REMEMBERED {
            known.remove(0);
        }
        known.push((plan.content_hash, fresh.clone()));
        fresh
    }

    fn learnt(plan: &Plan) -> Self {
        let plan = Arc::new(plan.clone());
        let bonus = bonus::left(&plan, std::iter::empty());
        let course = Course::new(&plan);
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
            views,
            plan,
        };
        this.find();
        this.bonus_decides = this.does_bonus_decide();
        this.differs = this.difference();
        this
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
            views: self.views,
            differs: self.differs,
            goals: self.goals.clone(),
        })
    }

    /// The copies of each kind, without kinds that must be laid aside.
    pub(super) fn copies(&self) -> &Counts {
        self.plan.decomposer.grammar().copies()
    }

    /// Returns random bonus tiles, on average as many as winners have.
    fn random_aside(&self, stream: &mut Stream) -> Aside {
        let chance = self.course.aside / self.bonus.len().max(1) as f64;
        bonus::with_some(Aside::EMPTY, &self.bonus, chance, stream)
    }

    /// True for a hand that has drawn or claimed a tile and must discard.
    pub(super) fn is_on_turn(&self, hand: &Hand) -> bool {
        let grammar = self.plan.decomposer.grammar();
        grammar.size(hand) > grammar.hand_tiles()
    }

    #[inline]
    fn decomposer(&self, goal: &Goal) -> &Decomposer {
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
        WAYS.map(|way| self.gain_by(way, hand, kind, seen))
    }

    /// [`Self::gains`] in half the time. If the hand wins off a discard, a drawn tile brings as much more as it usually does.
    pub(super) fn gains_by_discard(&self, hand: &Hand, kind: Kind, seen: &Seen) -> [f64; 2] {
        let given = self.gain_by(Way::Discard, hand, kind, seen);
        let drawn = match given > 0.0 {
            true => given * self.goals[0].if_drawn[usize::from(!hand.is_closed())],
            false => self.gain_by(Way::Wall, hand, kind, seen),
        };
        [drawn, given]
    }

    /// What the seat gains by a win in one of the [`WAYS`].
    fn gain_by(&self, way: Way, hand: &Hand, kind: Kind, seen: &Seen) -> f64 {
        let open = usize::from(!hand.is_closed());
        gain_by(&self.plan, way, hand, kind, seen) * self.course.beyond[open]
    }

    /// The gains of both ways as one, relative to [`Views::ready`] views a turn.
    pub(super) fn gain(&self, [drawn, given]: [f64; 2]) -> f64 {
        (drawn + given * self.views.others) / self.views.ready
    }

    /// The share of drawn tiles in what a ready hand sees.
    fn usually_drawn(&self) -> f64 {
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
        weight * self.gain_by(way, &done.hand, done.tile, seen)
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
    fn best_spare(
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

    /// Finds the goals that are worth more than any hand.
    fn find(&mut self) {
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
    fn does_bonus_decide(&self) -> bool {
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
