//! What can be proved of conditions without a hand: which never hold, and which follow from others.

use super::expr::{Comparison, Expr};
use super::{Amount, Condition, Count};
use crate::decompose::Grammar;
use crate::meld::Family;
use crate::score::Pattern;
use crate::score::facts::{BonusClass, Class, EventFact, Fact, FamilySet};
use crate::set::{FlowerSet, KindSet};
use crate::state::{DrawSource, KongWay, Way};
use crate::tile::{Suit, Wind};

/// What hands can have: the kinds and flowers in play, and the groups of the grammar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InPlay<'a> {
    pub(crate) kinds: KindSet,
    pub(crate) flowers: FlowerSet,
    pub(crate) grammar: &'a Grammar,
    /// The kinds that may be laid aside.
    pub(crate) aside: KindSet,
    /// How hands are won.
    pub(crate) ways: &'a [Way],
    pub(crate) mechanisms: Mechanisms,
}

/// Which mechanisms a game has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Mechanisms {
    /// Tiles stand for others.
    pub(crate) wild: bool,
    pub(crate) red_fives: bool,
    /// Indicators lie face up.
    pub(crate) indicators: bool,
    /// Indicators lie under these.
    pub(crate) ura: bool,
    /// Seats bar a suit.
    pub(crate) barred: bool,
    /// Hands stand.
    pub(crate) stands: bool,
    pub(crate) riichi: bool,
    /// The round changes.
    pub(crate) rounds: bool,
    /// Kongs are robbed.
    pub(crate) robs: bool,
}

impl Mechanisms {
    /// The mechanisms of both.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self {
            wild: self.wild || other.wild,
            red_fives: self.red_fives || other.red_fives,
            indicators: self.indicators || other.indicators,
            ura: self.ura || other.ura,
            barred: self.barred || other.barred,
            stands: self.stands || other.stands,
            riichi: self.riichi || other.riichi,
            rounds: self.rounds || other.rounds,
            robs: self.robs || other.robs,
        }
    }
}

/// What a win or a payment is for, as far as parts of conditions exclude each other by it.
#[derive(Clone, Copy)]
enum Case {
    /// Neither a win nor a kong.
    Other,
    Win(Way),
    Kong(KongWay),
}

impl Case {
    /// The value that a fact has in this case whatever the hand is.
    fn value(self, expr: &Expr) -> Option<i64> {
        let Expr::Fact(fact) = expr else {
            return None;
        };
        let (way, made) = match self {
            Self::Other => (None, None),
            Self::Win(way) => (Some(way), None),
            Self::Kong(made) => (None, Some(made)),
        };
        let is_drawn = way.is_some_and(Way::is_self_draw);
        let is_concealed = made == Some(KongWay::Concealed);
        let value = match fact {
            Fact::Winner => way.is_some(),
            Fact::SelfDraw => is_drawn,
            Fact::Way { way: other } => way == Some(*other),
            Fact::Event(EventFact::Made { made: other }) => made == Some(*other),
            Fact::Event(EventFact::AddedDrawn) if made != Some(KongWay::Added) => false,
            Fact::Event(EventFact::Gave) | Fact::From { .. } if is_drawn || is_concealed => false,
            _ => return None,
        };
        Some(value.into())
    }
}

impl InPlay<'_> {
    /// True when the expression is false, or 0, in every hand: it asks for tiles or groups that no hand has, or
    /// compares a number with one that it never reaches.
    fn is_in_vain(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Fact(fact) => {
                let kinds = asked(fact).map(|class| class.widest().intersection(self.kinds));
                match (fact, kinds) {
                    (Fact::Melds { families, .. }, Some(kinds)) => {
                        !self.has_group(*families, kinds)
                    }
                    (Fact::Declared { families, .. }, Some(kinds)) => {
                        !self.has_group(families.without(Family::Pair), kinds)
                    }
                    (
                        Fact::Aside { bonus, .. } | Fact::Event(EventFact::Completes { bonus }),
                        _,
                    ) => !self.is_aside(bonus),
                    (_, Some(kinds)) => kinds.is_empty(),
                    (_, None) => self.has_no(fact),
                }
            }
            Expr::Compare(..) => bounds(expr).is_some_and(|(fact, least, most)| {
                most < 0 || self.most(fact).is_some_and(|number| least > number)
            }),
            _ => false,
        }
    }

    /// True when some group of these families can be made of tiles of a class.
    pub(crate) fn has_meld(&self, families: FamilySet, class: &Class) -> bool {
        self.has_group(families, class.widest().intersection(self.kinds))
    }

    /// True when a bonus tile of the class is in play.
    fn is_aside(&self, bonus: &BonusClass) -> bool {
        let flowers = bonus.widest_flowers().intersection(self.flowers);
        !(bonus.kinds().intersection(self.aside).is_empty() && flowers.is_empty())
    }

    /// True when the game has nothing that the fact is about.
    fn has_no(&self, fact: &Fact) -> bool {
        let has = &self.mechanisms;
        match fact {
            Fact::Wilds | Fact::WildGroups { .. } => !has.wild,
            Fact::RedFives => !has.red_fives,
            Fact::Dora | Fact::BonusTiles => !has.indicators,
            Fact::UraDora => !has.ura,
            Fact::Stands => !has.stands,
            Fact::Round { wind } => *wind != Wind::East && !has.rounds,
            Fact::FormsLeft => self.grammar.forms().is_empty(),
            Fact::InRiichi | Fact::RiichiAtOnce | Fact::RiichiUnbroken => !has.riichi,
            Fact::Replaced {
                replaced: DrawSource::Kong,
            }
            | Fact::KongDiscard
            | Fact::Kongs
            | Fact::KongsInRow
            | Fact::RobbedConcealed => !self.grammar.has_kong,
            Fact::Way { way } => !self.ways().any(|other| other == *way),
            Fact::SelfDraw => !self.ways().any(Way::is_self_draw),
            Fact::Event(EventFact::Barred) => !has.barred,
            Fact::Event(EventFact::Turned { class } | EventFact::DiscardedOnly { class }) => {
                let kinds = self.kinds.union(self.aside);
                class.widest().intersection(kinds).is_empty()
            }
            _ => false,
        }
    }

    /// How hands can be won.
    fn ways(&self) -> impl Iterator<Item = Way> {
        let robs = self.mechanisms.robs;
        let ways = self.ways.iter().copied();
        ways.filter(move |way| robs || *way != Way::RobbedKong)
    }

    /// Everything that a condition may be asked about.
    fn cases(&self) -> impl Iterator<Item = Case> {
        let kongs = KongWay::WORDS.map(|(_, made)| Case::Kong(made));
        self.ways().map(Case::Win).chain(kongs).chain([Case::Other])
    }

    /// True when some group of these families can be made of these kinds.
    fn has_group(&self, families: FamilySet, kinds: KindSet) -> bool {
        let has = |family| family == Family::Pair || self.grammar.has(family);
        let mut alike = Family::ALIKE.into_iter();
        let alike = alike.any(|family| families.contains(family) && has(family));
        alike && !kinds.is_empty()
            || self.grammar.shapes().any(|(_, shape)| {
                let fits = |suit| shape.group(suit).tiles().all(|kind| kinds.contains(kind));
                families.contains(shape.family()) && Suit::ALL.into_iter().any(fits)
            })
    }

    /// The greatest value that a number has in any hand, where that is known.
    fn most(&self, fact: &Fact) -> Option<i32> {
        let groups = self.grammar.groups as i32;
        match fact {
            Fact::Suits | Fact::SameRunInSuits | Fact::SamePungInSuits => Some(3),
            Fact::DeclaredMelds | Fact::Declared { .. } => Some(groups),
            Fact::Aside { bonus, .. } if bonus.kinds().intersection(self.aside).is_empty() => {
                let flowers = bonus.widest_flowers().intersection(self.flowers);
                Some(flowers.len() as i32)
            }
            Fact::Melds { families, .. } if !families.contains(Family::Pair) => Some(groups),
            fact if self.has_no(fact) => Some(0),
            _ => None,
        }
    }
}

/// How much of a condition requires what no hand can have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Dead {
    /// None of it.
    Nothing,
    /// Some of it, but the condition may still hold.
    Part,
    /// So much that the condition never holds.
    Whole,
}

impl Condition {
    /// How much of the condition requires what no hand can have.
    pub(crate) fn dead(&self, in_play: InPlay<'_>) -> Dead {
        dead(&self.expr, in_play)
    }

    /// True when the condition holds in open hands only.
    pub(crate) fn is_of_open_hands(&self) -> bool {
        implies(&self.expr, &Expr::Not(Box::new(Expr::Fact(Fact::Closed))))
    }

    /// True when the condition holds in closed hands only.
    pub(crate) fn is_of_closed_hands(&self) -> bool {
        implies(&self.expr, &Expr::Fact(Fact::Closed))
    }

    /// True when the condition certainly holds for every win of this way without flags.
    pub(crate) fn holds_for_all(&self, way: Way) -> bool {
        let value = |part: &Expr| match part {
            Expr::Fact(Fact::Winner) => Some(1),
            Expr::Fact(Fact::SelfDraw) => Some(i64::from(way.is_self_draw())),
            Expr::Fact(Fact::Way { way: other }) => Some(i64::from(*other == way)),
            Expr::Fact(Fact::Flag(_)) => Some(0),
            _ => None,
        };
        self.expr.value(&value).is_some_and(|value| value != 0)
    }

    /// True when the condition is false whatever the hand is, as where an option has another value.
    pub(crate) fn never_holds(&self) -> bool {
        self.expr.value(&|_| None) == Some(0)
    }

    /// True when the condition holds whatever the hand is.
    pub(crate) fn always_holds(&self) -> bool {
        self.expr.value(&|_| None).is_some_and(|value| value != 0)
    }

    /// True when the condition is only that the hand won.
    pub(crate) fn is_of_every_winner(&self) -> bool {
        self.expr == Expr::Fact(Fact::Winner)
    }

    /// True when the other condition certainly holds in every hand in which this one does; if `wins`, in every such hand that
    /// wins.
    pub(crate) fn implies(&self, other: &Self, in_play: InPlay<'_>, wins: bool) -> bool {
        let known = |case| Known {
            in_play: Some(in_play),
            case: Some(case),
        };
        let mut cases = in_play
            .cases()
            .filter(|case| !wins || matches!(case, Case::Win(_)));
        cases.all(|case| implies_within(&self.expr, &other.expr, known(case)))
    }

    /// The same condition, of closed hands alone.
    pub(crate) fn in_closed_hands(&self) -> Self {
        let parts = vec![Expr::Fact(Fact::Closed), self.expr.clone()];
        Self::of(Expr::All(parts))
    }

    /// The same condition, where each flag also requires its own condition.
    pub(crate) fn flagged(&self, flags: &[Option<&Self>]) -> Self {
        Self::of(flagged(&self.expr, flags))
    }

    /// True when the pattern certainly counts in every winning hand for which this condition holds.
    pub(crate) fn implies_pattern(&self, pattern: &Pattern) -> bool {
        let of_winners = Expr::All(vec![Expr::Fact(Fact::Winner), self.expr.clone()]);
        let when = pattern.when.as_ref().map(|when| &when.expr);
        let per = pattern.per.as_ref().map(|per| &per.expr);
        let mut parts = when.into_iter().chain(per);
        parts.all(|part| implies(&of_winners, part))
    }
}

impl Count {
    /// How much of the count requires what no hand can have.
    pub(crate) fn dead(&self, in_play: InPlay<'_>) -> Dead {
        dead(&self.expr, in_play)
    }
}

impl Amount {
    /// How much of the amount requires what no hand can have.
    pub(crate) fn dead(&self, in_play: InPlay<'_>) -> Dead {
        dead(&self.expr, in_play)
    }
}

fn dead(expr: &Expr, in_play: InPlay<'_>) -> Dead {
    let is_dead = |part: &Expr| in_play.is_in_vain(part);
    let is_false = |case: Case| {
        let value = |part: &Expr| match is_dead(part) {
            true => Some(0),
            false => case.value(part),
        };
        expr.value(&value) == Some(0)
    };
    if expr.value(&|_| None) == Some(0) {
        // Options or the designer say so.
        Dead::Nothing
    } else if in_play.cases().all(is_false) {
        Dead::Whole
    } else if expr.any_part(&is_dead) {
        Dead::Part
    } else {
        Dead::Nothing
    }
}

/// The same expression, where a flag also requires its condition.
fn flagged(expr: &Expr, flags: &[Option<&Condition>]) -> Expr {
    let all = |parts: &[Expr]| parts.iter().map(|part| flagged(part, flags)).collect();
    match expr {
        Expr::Fact(Fact::Flag(flag)) => match flags.get(*flag) {
            Some(Some(when)) => Expr::All(vec![expr.clone(), when.expr.clone()]),
            _ => expr.clone(),
        },
        Expr::All(parts) => Expr::All(all(parts)),
        Expr::Any(parts) => Expr::Any(all(parts)),
        expr => expr.clone(),
    }
}

/// The class of tiles that a fact requires. The fact is 0 if the hand has none of them.
fn asked(fact: &Fact) -> Option<&Class> {
    match fact {
        Fact::Melds { class, .. }
        | Fact::Declared { class, .. }
        | Fact::Count { class }
        | Fact::Kinds { class }
        | Fact::KindsHeld { class, .. }
        | Fact::Has { class }
        | Fact::AllTiles { class }
        | Fact::WinningTile { class }
        | Fact::GroupsWith { class } => Some(class),
        _ => None,
    }
}

/// Reads an expression as a fact with its least and its greatest value.
fn bounds(expr: &Expr) -> Option<(&Fact, i32, i32)> {
    match expr {
        Expr::Fact(fact) => Some((fact, 1, i32::MAX)),
        Expr::Not(inner) => match bounds(inner)? {
            (fact, least, i32::MAX) => Some((fact, i32::MIN, least.saturating_sub(1))),
            (fact, i32::MIN, most) => Some((fact, most.saturating_add(1), i32::MAX)),
            _ => None,
        },
        Expr::Compare(comparison, sides) => match &**sides {
            [Expr::Fact(fact), Expr::Constant(n)] => match *comparison {
                Comparison::Equal => Some((fact, *n, *n)),
                Comparison::AtLeast => Some((fact, *n, i32::MAX)),
                Comparison::More => Some((fact, n.saturating_add(1), i32::MAX)),
                Comparison::AtMost => Some((fact, i32::MIN, *n)),
                Comparison::Less => Some((fact, i32::MIN, n.saturating_sub(1))),
                Comparison::Unequal => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// True when a class has no kinds but those of another, among the kinds in play.
fn within(a: &Class, b: &Class, kinds: KindSet) -> bool {
    // Seat and prevailing winds differ between readings, so a class with them has only what it is written with.
    let widest = || a.widest().intersection(kinds);
    a == b || !b.depends_on_winds() && widest().is_subset(b.widest())
}

/// True when the second fact is at least as great as the first in every hand.
fn at_least(one: &Fact, other: &Fact, kinds: KindSet) -> bool {
    let within = |a: &Class, b: &Class| within(a, b, kinds);
    match (one, other) {
        (
            Fact::Melds {
                families,
                class,
                open,
            }
            | Fact::Declared {
                families,
                class,
                open,
            },
            Fact::Melds {
                families: wider,
                class: all,
                open: any,
            },
        )
        | (
            Fact::Declared {
                families,
                class,
                open,
            },
            Fact::Declared {
                families: wider,
                class: all,
                open: any,
            },
        ) => families.is_subset(*wider) && within(class, all) && (any.is_none() || any == open),
        (
            Fact::KindsHeld { copies, class },
            Fact::KindsHeld {
                copies: same,
                class: wider,
            },
        ) => copies == same && within(class, wider),
        (Fact::Count { class: a }, Fact::Count { class: b })
        | (Fact::Kinds { class: a }, Fact::Kinds { class: b })
        | (Fact::Has { class: a }, Fact::Has { class: b })
        | (Fact::AllTiles { class: a }, Fact::AllTiles { class: b })
        | (Fact::WinningTile { class: a }, Fact::WinningTile { class: b })
        | (Fact::GroupsWith { class: a }, Fact::GroupsWith { class: b }) => within(a, b),
        (Fact::Declared { .. }, Fact::DeclaredMelds) => true,
        _ => one == other,
    }
}

/// What is known where one condition is to follow from another.
#[derive(Clone, Copy)]
struct Known<'a> {
    in_play: Option<InPlay<'a>>,
    case: Option<Case>,
}

impl Known<'_> {
    const NOTHING: Self = Self {
        in_play: None,
        case: None,
    };

    /// The value that an expression has whatever the hand is.
    fn value(&self, expr: &Expr) -> Option<i64> {
        let case = self.case?;
        expr.value(&|part| case.value(part))
    }

    /// The least and the greatest value that a number has where a fact has at least and at most some values.
    fn range(&self, (fact, low, high): (&Fact, i32, i32), of: &Fact) -> (i32, i32) {
        let game = self.in_play.as_ref();
        let kinds = game.map_or(KindSet::ALL, |game| game.kinds);
        let (never_less, never_more) = of.range();
        let mut least = never_less.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        if at_least(fact, of, kinds) {
            least = least.max(low);
        }
        least = least.max(least_beside((fact, low, high), of, kinds));
        let most = game.and_then(|game| game.most(of));
        let mut most = most.unwrap_or(never_more.clamp(0, i32::MAX.into()) as i32);
        if at_least(of, fact, kinds) {
            most = most.min(high);
        }
        if high <= 0
            && let Fact::Has { class } | Fact::Count { class } | Fact::Kinds { class } = fact
            && let Fact::Has { class: part }
            | Fact::Count { class: part }
            | Fact::Kinds { class: part }
            | Fact::KindsHeld { class: part, .. } = of
            && within(part, class, kinds)
        {
            most = most.min(0);
        }
        if let Some(game) = game {
            if game.is_closed_by(fact, low) && *of == Fact::Closed
                || game.has_only_of(fact, high, of)
            {
                least = least.max(1);
            }
            most = most.min(game.most_beside(fact, low, of));
        }
        (least, most)
    }
}

/// The least value that a number has where another one has at least and at most some values.
fn least_beside((fact, low, high): (&Fact, i32, i32), of: &Fact, kinds: KindSet) -> i32 {
    let within = |a: &Class, b: &Class| within(a, b, kinds);
    let of_class = |class: &Class, number: i32| match of {
        Fact::Has { class: all } | Fact::Kinds { class: all } if within(class, all) => 1,
        Fact::Count { class: all } if within(class, all) => number.max(1),
        _ => i32::MIN,
    };
    match fact {
        _ if low < 1 => match (fact, of) {
            (Fact::DeclaredMelds, Fact::Closed) if high <= 0 => 1,
            _ => i32::MIN,
        },
        Fact::Has { class } | Fact::Count { class } | Fact::AllTiles { class } => {
            of_class(class, low)
        }
        Fact::WinningTile { class } => of_class(class, 1),
        Fact::Kinds { class } | Fact::KindsHeld { class, copies: 1.. } => match of {
            Fact::Kinds { class: all } if within(class, all) => low,
            _ => of_class(class, low),
        },
        Fact::Melds {
            families, class, ..
        }
        | Fact::Declared {
            families, class, ..
        } => {
            let is_threes = !families.contains(Family::Pair)
                && [Family::Arith, Family::Gem, Family::Power]
                    .into_iter()
                    .all(|run| !families.contains(run));
            // A zero in a run is no tile of its own.
            let tiles = if is_threes { 3 } else { 2 };
            match of {
                Fact::GroupsWith { class: all } if within(class, all) => low,
                _ => of_class(class, low.saturating_mul(tiles)),
            }
        }
        Fact::SameRunInSuits | Fact::SamePungInSuits if *of == Fact::Suits => low,
        Fact::RiichiAtOnce | Fact::RiichiUnbroken if *of == Fact::InRiichi => 1,
        Fact::InRiichi | Fact::RiichiAtOnce | Fact::RiichiUnbroken if *of == Fact::Closed => 1,
        _ => i32::MIN,
    }
}

impl InPlay<'_> {
    /// True when a fact with at least this value makes a hand closed.
    fn is_closed_by(&self, fact: &Fact, low: i32) -> bool {
        match fact {
            Fact::Form { shape } if low >= 1 => {
                let place = usize::from(shape.0).checked_sub(1);
                let form = place.and_then(|place| self.grammar.forms().get(place));
                form.is_some_and(|form| form.concealed)
            }
            Fact::Melds {
                families,
                open: Some(false),
                ..
            } => !families.contains(Family::Pair) && low >= self.grammar.groups as i32,
            _ => false,
        }
    }

    /// True when a fact with at most this value leaves a hand only tiles of the class that another asks for.
    fn has_only_of(&self, fact: &Fact, high: i32, of: &Fact) -> bool {
        match (fact, of) {
            (Fact::Suits, Fact::AllTiles { class }) if high <= 0 => {
                let honours = self.kinds.iter().filter(|kind| kind.suit().is_none());
                honours.collect::<KindSet>().is_subset(class.fixed_kinds())
            }
            _ => false,
        }
    }

    /// The greatest value that a number has where another one has at least some value.
    fn most_beside(&self, fact: &Fact, low: i32, of: &Fact) -> i32 {
        match (fact, of) {
            (
                Fact::Melds { families, .. },
                Fact::Melds {
                    families: others, ..
                },
            ) if !families.contains(Family::Pair)
                && !others.contains(Family::Pair)
                && !families.meets(*others) =>
            {
                (self.grammar.groups as i32).saturating_sub(low).max(0)
            }
            (Fact::AllTiles { class }, of) if low >= 1 => {
                let kinds = class.widest().intersection(self.kinds);
                if *of == Fact::Suits {
                    let suits = Suit::ALL
                        .into_iter()
                        .filter(|suit| kinds.iter().any(|kind| kind.suit() == Some(*suit)));
                    return suits.count() as i32;
                }
                let left = |class: &Class| class.widest().intersection(kinds);
                let is_there = match (of, asked(of)) {
                    (Fact::AllTiles { .. }, _) | (_, None) => true,
                    (Fact::Melds { families, .. }, Some(class)) => {
                        self.has_group(*families, left(class))
                    }
                    (_, Some(class)) => !left(class).is_empty(),
                };
                if is_there { i32::MAX } else { 0 }
            }
            _ => i32::MAX,
        }
    }
}

fn implies(one: &Expr, other: &Expr) -> bool {
    implies_within(one, other, Known::NOTHING)
}

fn implies_within(one: &Expr, other: &Expr, known: Known<'_>) -> bool {
    if one == other
        || known.value(one) == Some(0)
        || known.value(other).is_some_and(|value| value != 0)
    {
        return true;
    }
    let implies = |one: &Expr, other: &Expr| implies_within(one, other, known);
    match (one, other) {
        (_, Expr::All(parts)) => parts.iter().all(|part| implies(one, part)),
        (Expr::Any(parts), _) => parts.iter().all(|part| implies(part, other)),
        (Expr::All(parts), _) if parts.iter().any(|part| implies(part, other)) => true,
        (_, Expr::Any(parts)) => parts.iter().any(|part| implies(one, part)),
        _ => match (bounds(one), bounds(other)) {
            (Some(one), Some((of, least, greatest))) => {
                let (low, high) = known.range(one, of);
                least <= low && high <= greatest
            }
            _ => false,
        },
    }
}
