//! How far an unfinished hand is from a complete hand that meets a [`Goal`]: [`Unfinished`] and [`Nearest`].

use super::error::NearestError;
use super::goal::Goal;
use super::parts::{Request, SeatHand};
use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding, Scratch};
use crate::hand::Hand;
use crate::ruleset::{Rules, Ruleset};
use crate::score::ScoreInput;
use crate::set::KindSet;
use crate::state::{OnTable, Way, Win};
use crate::tile::{Kind, Tile, Wind};

/// An unfinished hand, the goal for it, and the circumstances of the win.
///
/// The hand has the tiles of a hand that waits, or one more. The **distance** to a goal is the number of tiles missing
/// from the nearest complete hand that meets the goal, minus 1. The hand declares no further melds. It discards other
/// concealed tiles for the missing ones. One of the missing tiles comes last and is the winning tile, in the way and
/// with the flags that are given here. All missing tiles are among those that are [left](Accepted::left).
///
/// The complete hand wins, whatever the goal is. [`Goal::Complete`] is the exception: tiles of which none is left count as
/// available, and hands may be worth too little to win. This is the distance of the [`Decomposer`], with the number of tiles
/// left. Where `[win]` may refuse complete hands, it is the distance to one that may win, as far as [`Unfinished::within`]:
/// tiles that only complete a refused hand are not accepted. For hands that are farther away it is a lower bound.
///
/// ```
/// use paishan::request::{Distance, Goal, SeatHand, Unfinished};
/// use paishan::{Notation, Rules, Seat};
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let hand = SeatHand::new(Seat::SOUTH, Notation::Ujmj.parse("222444t555s23m77mE")?);
/// let mut unfinished = Unfinished::new(hand, Goal::Pattern("four-concealed-pons".to_owned()));
/// unfinished.seen = Notation::Ujmj.parse("7m3m")?;
/// let nearest = rules.nearest(&unfinished)?;
/// assert_eq!(nearest.distance, Distance::Exactly(1));
/// let best = nearest.discards.iter().max_by_key(|discard| discard.left());
/// let best = best.expect("some discards keep the distance");
/// assert_eq!((best.kind.to_string(), best.left()), ("3m".to_owned(), 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Unfinished {
    /// The hand. It may hold the drawn tile.
    pub hand: SeatHand,
    /// What the complete hand must meet.
    pub goal: Goal,
    /// The prevailing wind.
    pub round: Wind,
    /// Face-up indicators.
    pub indicators: Vec<Tile>,
    /// Counters and deposits.
    pub on_table: OnTable,
    /// The win without its tile: how the winning tile comes, from whom, and the flags. [`Win::tile`] is ignored.
    pub win: Win,
    /// Tiles that are visible elsewhere, such as discards and melds of other players. Indicators are counted already.
    pub seen: Vec<Tile>,
    /// The greatest distance that is searched for, at most [`Unfinished::MOST`]. With [`Goal::Complete`] only where `[win]` may
    /// refuse complete hands.
    pub within: u8,
}

impl Unfinished {
    /// The greatest value of [`Unfinished::within`]. The work grows about thirtyfold with each step.
    pub const MOST: u8 = 3;

    /// A hand in the East round, to be won with a drawn tile without flags. Distances up to 2 are searched for.
    pub fn new(hand: SeatHand, goal: Goal) -> Self {
        Self {
            hand,
            goal,
            round: Wind::East,
            indicators: Vec::new(),
            on_table: OnTable::default(),
            win: Win::drawn(Kind::EAST.into()),
            seen: Vec::new(),
            within: 2,
        }
    }

    fn turned_tile(&self) -> Option<Tile> {
        self.indicators.first().copied()
    }

    /// The distance to the goal. The answer is exact within the bound.
    ///
    /// # Errors
    /// - [`NearestError::Request`] for a hand or circumstances that the ruleset does not allow, a wrong number of
    ///   tiles, and more tiles than the set has, those seen included.
    /// - [`NearestError::NoPattern`], [`NearestError::Within`].
    pub fn nearest(&self, rules: &dyn Ruleset) -> Result<Nearest, NearestError> {
        let plan = &**rules.plan();
        if self.within > Self::MOST {
            return Err(NearestError::Within {
                within: self.within,
            });
        }
        if let Some(id) = self.goal.unknown_pattern(plan) {
            let id = id.to_owned();
            return Err(NearestError::NoPattern { id });
        }
        let request = Request {
            round: self.round,
            indicators: self.indicators.clone(),
            on_table: self.on_table,
            ..Request::of_hand(self.hand.clone(), None)
        };
        let (hand, win) = request.check_unfinished(rules, self.win, &self.seen)?;
        let holding = Holding::from(&hand);
        let visible = self.seen.iter().chain(&self.indicators);
        let copies = plan.tiles.copies();
        let left = left(copies, &holding, visible.chain(&self.hand.aside));
        let scratch = &mut Scratch::new();
        Ok(match self.goal {
            Goal::Complete => self.complete(rules, hand, &holding, &left, scratch),
            _ => self
                .search(rules, win, &hand, &left, scratch)
                .nearest(hand, &left),
        })
    }

    /// The distance of a checked hand to any complete hand that `[win]` allows. A hand without melds may be shorter: its
    /// missing groups count as declared. The requirements of `[win]` are about whole hands, so they are not asked of it.
    pub(crate) fn complete(
        &self,
        rules: &dyn Ruleset,
        hand: Hand,
        holding: &Holding,
        left: &Counts,
        scratch: &mut Scratch,
    ) -> Nearest {
        let plan = &**rules.plan();
        let nearest = complete(
            plan.decomposer_of(self.turned_tile()),
            holding,
            left,
            scratch,
        );
        let grammar = plan.decomposer.grammar();
        let is_near =
            matches!(nearest.distance, Distance::Exactly(least) if least <= self.within as i8);
        let is_whole = grammar.size(&hand) >= grammar.hand_tiles();
        if !is_near || !is_whole || !plan.may_refuse_waits() {
            return nearest;
        }
        let others = plan.tiles.copies().saturating_minus(&holding.concealed);
        let available = others.saturating_minus(&holding.declared);
        let search = self.search(rules, self.win, &hand, &available, scratch);
        search.nearest(hand, left)
    }

    fn search<'a>(
        &'a self,
        rules: &'a dyn Ruleset,
        win: Win,
        hand: &Hand,
        available: &Counts,
        scratch: &'a mut Scratch,
    ) -> Search<'a> {
        let grammar = rules.plan().decomposer.grammar();
        Search {
            unfinished: self,
            rules,
            win,
            is_drawn: grammar.size(hand) > grammar.hand_tiles(),
            left: left_array(available),
            scratch,
            found: Vec::new(),
        }
    }
}

impl Rules {
    /// The distance from an unfinished hand to a complete one that meets a goal: see [`Unfinished`].
    ///
    /// # Errors
    /// Those of [`Unfinished::nearest`].
    pub fn nearest(&self, unfinished: &Unfinished) -> Result<Nearest, NearestError> {
        unfinished.nearest(self)
    }
}

/// How far a hand is from its goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Distance {
    /// The distance. 0 is a hand that waits, −1 one that is complete.
    Exactly(i8),
    /// The distance is greater than this, or the hand can never meet the goal.
    Beyond(u8),
}

/// A kind that lowers the distance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Accepted {
    /// The kind.
    pub kind: Kind,
    /// How many copies are neither in the hand nor visible elsewhere.
    pub left: u8,
}

/// A discard that keeps the distance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct KeepingDiscard {
    /// The kind that is discarded.
    pub kind: Kind,
    /// The kinds that lower the distance after the discard, in tile order.
    pub accepts: Vec<Accepted>,
}

impl KeepingDiscard {
    /// How many tiles that lower the distance are left.
    pub fn left(&self) -> u32 {
        count(&self.accepts)
    }
}

/// The distance to a goal, and how to come nearer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Nearest {
    /// The distance.
    pub distance: Distance,
    /// The hand holds the drawn tile: it has `discards`, and no `accepts`.
    pub must_discard: bool,
    /// The kinds that lower the distance, in tile order. Empty for a hand that must discard first.
    pub accepts: Vec<Accepted>,
    /// The discards that keep the distance, in tile order. Every other discard raises it by 1. Empty for a hand that
    /// need not discard, and for a complete one.
    pub discards: Vec<KeepingDiscard>,
}

impl Nearest {
    /// How many tiles that lower the distance are left. 0 for a hand that must discard first.
    pub fn left(&self) -> u32 {
        count(&self.accepts)
    }
}

fn count(accepts: &[Accepted]) -> u32 {
    accepts.iter().map(|one| u32::from(one.left)).sum()
}

/// The kinds with the copies that are left of each.
pub(crate) fn accepted(kinds: KindSet, left: &Counts) -> Vec<Accepted> {
    let one = |kind| Accepted {
        kind,
        left: left.get(kind),
    };
    kinds.iter().map(one).collect()
}

/// The copies that are neither in the hand nor visible elsewhere.
pub(crate) fn left<'a>(
    copies: &Counts,
    holding: &Holding,
    visible: impl Iterator<Item = &'a Tile>,
) -> Counts {
    let own = copies.saturating_minus(&holding.concealed);
    let mut left = own.saturating_minus(&holding.declared);
    for kind in visible.filter_map(|tile| tile.kind()) {
        left.try_remove(kind);
    }
    left
}

/// The distance to any complete hand.
fn complete(
    decomposer: &Decomposer,
    holding: &Holding,
    left: &Counts,
    scratch: &mut Scratch,
) -> Nearest {
    let mut nearest = Nearest {
        distance: Distance::Beyond(0),
        must_discard: holding.concealed.total() % 3 != 1,
        accepts: Vec::new(),
        discards: Vec::new(),
    };
    let distance = match nearest.must_discard {
        false => {
            let (distance, accepts) = decomposer.accepts(holding, scratch);
            nearest.accepts = accepted(accepts, left);
            distance
        }
        true => decomposer.discards(holding, scratch, |kind, accepts| {
            nearest.discards.push(KeepingDiscard {
                kind,
                accepts: accepted(accepts, left),
            });
        }),
    };
    nearest.distance = Distance::Exactly(distance);
    nearest
}

fn left_array(left: &Counts) -> [u8; Kind::COUNT] {
    let mut array = [0; Kind::COUNT];
    for kind in left.kinds().iter() {
        array[kind.index()] = left.get(kind);
    }
    array
}

/// A search among complete hands.
///
/// A complete hand consists of kept tiles and missing ones. Each choice of the kept tiles is tried. The kept tiles
/// belong to a complete hand with that many missing tiles exactly if their own distance says so. The missing tiles are
/// then added in tile order, each of which must lower the distance of the tiles so far.
struct Search<'a> {
    unfinished: &'a Unfinished,
    rules: &'a dyn Ruleset,
    win: Win,
    /// The hand holds the drawn tile.
    is_drawn: bool,
    /// How many tiles of each kind can still be drawn.
    left: [u8; Kind::COUNT],
    scratch: &'a mut Scratch,
    /// For each kind that a complete hand does without, the kinds that come next. If the hand need not discard, one
    /// entry without a kind.
    found: Vec<(Option<Kind>, KindSet)>,
}

impl Search<'_> {
    fn nearest(mut self, mut hand: Hand, left: &Counts) -> Nearest {
        let plan = self.rules.plan().clone();
        let least = plan
            .decomposer_of(self.unfinished.turned_tile())
            .distance(&Holding::from(&hand), self.scratch);
        let must_discard = self.is_drawn;
        let nothing = |distance| Nearest {
            distance,
            must_discard,
            accepts: Vec::new(),
            discards: Vec::new(),
        };
        let within = self.unfinished.within;
        if least < 0 && self.is_met_by_any_tile(&hand) {
            return nothing(Distance::Exactly(least));
        }
        for distance in least.max(0) as u8..=within {
            let removed = usize::from(distance) + usize::from(self.is_drawn);
            self.keep(&mut hand, None, removed, &mut Vec::new(), distance + 1);
            if self.found.is_empty() {
                continue;
            }
            let mut nearest = nothing(Distance::Exactly(distance as i8));
            self.found.sort_unstable_by_key(|(kind, _)| *kind);
            for (discard, kinds) in self.found {
                let accepts = accepted(kinds, left);
                match discard {
                    None => nearest.accepts = accepts,
                    Some(kind) => nearest.discards.push(KeepingDiscard { kind, accepts }),
                }
            }
            return nearest;
        }
        nothing(Distance::Beyond(within))
    }

    /// True if a complete hand meets the goal with one of its tiles as the last.
    fn is_met_by_any_tile(&self, hand: &Hand) -> bool {
        hand.kinds().iter().any(|kind| {
            let mut rest = *hand;
            let is_red = rest.take_kind(kind, 1) > 0;
            let red = kind.suit().filter(|_| is_red).map(Tile::red_five);
            self.is_met(&rest, red.unwrap_or(kind.into()))
        })
    }

    /// True if the hand meets the goal when it wins with this tile. A hand that need only be complete may be drawn or claimed.
    fn is_met(&self, hand: &Hand, tile: Tile) -> bool {
        let Unfinished {
            hand: SeatHand { seat, .. },
            ref indicators,
            round,
            on_table,
            ..
        } = *self.unfinished;
        if self.unfinished.goal == Goal::Complete {
            let turned = self.unfinished.turned_tile();
            let kinds = tile.kind().into_iter().collect();
            let plan = self.rules.plan();
            return !plan.winning(kinds, hand, seat, round, turned).is_empty();
        }
        let win = Win { tile, ..self.win };
        let input = ScoreInput {
            bonus: indicators,
            counters: on_table.counters,
            ..ScoreInput::new(hand, seat, round, Some(&win))
        };
        let scored = self.rules.score_hand(&input);
        scored.is_ok() && self.unfinished.goal.is_met(self.rules.plan(), &scored)
    }

    /// Removes `count` more tiles from the hand in every way, none before `from`, and searches among the complete hands
    /// that have all others and `missing` further tiles.
    fn keep(
        &mut self,
        hand: &mut Hand,
        from: Option<Kind>,
        count: usize,
        removed: &mut Vec<Kind>,
        missing: u8,
    ) {
        if count == 0 {
            return self.add(hand, None, removed, &mut Vec::new(), missing);
        }
        for kind in hand.kinds().iter() {
            if from.is_some_and(|from| kind < from) {
                continue;
            }
            let mut rest = *hand;
            rest.take_kind(kind, 1);
            removed.push(kind);
            self.keep(&mut rest, Some(kind), count - 1, removed, missing);
            removed.pop();
        }
    }

    /// Adds `missing` tiles to the hand in every way that completes it, none before `from`.
    fn add(
        &mut self,
        hand: &Hand,
        from: Option<Kind>,
        removed: &[Kind],
        added: &mut Vec<Kind>,
        missing: u8,
    ) {
        if missing == 0 {
            return self.consider(hand, removed, added);
        }
        let rules = self.rules;
        let decomposer = rules.plan().decomposer_of(self.unfinished.turned_tile());
        let (distance, accepts) = decomposer.accepts(&Holding::from(hand), self.scratch);
        if distance + 1 != missing as i8 {
            return;
        }
        for kind in accepts.iter() {
            // A tile that was removed and comes again was kept in another choice.
            let is_before = from.is_some_and(|from| kind < from);
            if is_before || removed.contains(&kind) || self.left[kind.index()] == 0 {
                continue;
            }
            let mut more = *hand;
            more.add(kind.into());
            self.left[kind.index()] -= 1;
            added.push(kind);
            self.add(&more, Some(kind), removed, added, missing - 1);
            added.pop();
            self.left[kind.index()] += 1;
        }
    }

    /// Notes what comes next if a complete hand meets the goal.
    fn consider(&mut self, whole: &Hand, removed: &[Kind], added: &[Kind]) {
        let mut next = KindSet::EMPTY;
        let copies = *self.rules.plan().tiles.copies();
        for (place, &last) in added.iter().enumerate() {
            if place > 0 && added[place - 1] == last {
                continue;
            }
            // The other copies of the tile of a robbed kong are in that kong.
            let others = whole.concealed().get(last) - 1;
            if self.win.way == Way::RobbedKong
                && (others > 0 || self.left[last.index()] + 1 < copies.get(last))
            {
                continue;
            }
            let mut rest = *whole;
            rest.take_kind(last, 1);
            if !self.is_met(&rest, last.into()) {
                continue;
            }
            let mut others = added.to_vec();
            others.remove(place);
            let comes_next = if others.is_empty() {
                vec![last]
            } else {
                others
            };
            next = next.union(comes_next.into_iter().collect());
        }
        if next.is_empty() {
            return;
        }
        let discards: KindSet = removed.iter().copied().collect();
        let discards = discards.iter().map(Some);
        let discards: Vec<_> = match self.is_drawn {
            true => discards.collect(),
            false => vec![None],
        };
        for discard in discards {
            match self.found.iter_mut().find(|(kind, _)| *kind == discard) {
                Some((_, kinds)) => *kinds = kinds.union(next),
                None => self.found.push((discard, next)),
            }
        }
    }
}
