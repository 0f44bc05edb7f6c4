//! Finds a hand for each pattern of a ruleset, and one that narrowly misses it.
//!
//! ```
//! use paishan::{Rules, illustrate};
//! let rules = Rules::by_id("zung-jung")?;
//! let found = illustrate::pattern(&rules, "mixed-one-suit", &[]).expect("such hands are common");
//! assert!(rules.score(&found.request).is_ok());
//! let near_miss = found.near_miss.expect("a tile of another suit");
//! assert!(!near_miss.why_not.is_empty());
//! # Ok::<(), paishan::ruleset::LoadError>(())
//! ```

mod hands;
mod neighbours;

pub(crate) use hands::Hands;

use crate::hand::Hand;
use crate::meld::Family;
use crate::random::Stream;
use crate::request::{Request, SeatHand, Table};
use crate::ruleset::{OptionValue, Plan, Rules, Ruleset};
use crate::score::{Condition, Dead, Pattern, Score, ScoreError};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Way, Win};
use crate::tile::{Kind, Suit};
use neighbours::neighbours;

/// A hand in which a pattern counts, and one that narrowly misses it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Illustration {
    /// A winning hand in which the pattern counts.
    pub request: Request,
    /// A hand without the pattern. `None` if no hand beside this one lacks it.
    pub near_miss: Option<NearMiss>,
}

/// A complete hand that differs in one group, tile, meld or circumstance from one with a pattern, and does not have it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NearMiss {
    /// The hand. It may be worth too little to win.
    pub request: Request,
    /// The parts of the pattern's condition that fail, as [`Plan::why_not`] gives them.
    pub why_not: Vec<String>,
}

/// A pattern of a ruleset, and the options with which it can count.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Switched {
    /// The id of the pattern.
    pub id: String,
    /// One option and its value. `None` if the pattern can count as the rules are.
    pub option: Option<(String, OptionValue)>,
}

/// False for a pattern that is switched off, or that no hand can have.
pub(crate) fn can_count(plan: &Plan, pattern: &Pattern) -> bool {
    let never = |when: &Condition| when.never_holds() || when.dead(plan.in_play()) == Dead::Whole;
    !pattern.value.is_off() && !pattern.when.as_ref().is_some_and(never)
}

/// Every pattern of a ruleset: those that its options have on, and those that are on after a change of one option.
pub fn patterns(rules: &Rules) -> Vec<Switched> {
    let mut all: Vec<Switched> = Vec::new();
    let mut add = |plan: &Plan, option: Option<&(String, OptionValue)>| {
        for pattern in plan.score.patterns() {
            if can_count(plan, pattern) && all.iter().all(|one| one.id != pattern.id) {
                all.push(Switched {
                    id: pattern.id.clone(),
                    option: option.cloned(),
                });
            }
        }
    };
    add(rules.plan(), None);
    #[cfg(feature = "toml")]
    for option in rules.plan().options.variations() {
        if let Ok(other) = rules.clone().with(&option.0, option.1.clone()) {
            add(other.plan(), Some(&option));
        }
    }
    all
}

/// A hand for a pattern, as plain as the search finds, and a near miss. The same arguments give the same answer.
///
/// `known` hands are tried first, and the plainest of them with the pattern is taken as it is. Without one, random hands
/// are changed step by step towards the condition of the pattern. `None` if none is found, and for an unknown id.
pub fn pattern(rules: &dyn Ruleset, id: &str, known: &[Request]) -> Option<Illustration> {
    let search = Search {
        rules,
        plan: rules.plan(),
        id,
    };
    let patterns = search.plan.score.patterns();
    patterns.iter().find(|pattern| pattern.id == id)?;
    let has_it = known.iter().filter(|request| search.has(request));
    let request = match has_it.min_by_key(|request| search.frills(request)) {
        Some(known) => known.clone(),
        None => search.plainer(search.find()?),
    };
    let near_miss = search.near_miss(&request);
    Some(Illustration { request, near_miss })
}

/// The cost of a part of a pattern's condition that fails. All other costs together are less.
const PART: u32 = 8;

/// How many random hands begin a search, how many of them are changed, and in how many steps.
const STARTS: usize = 600;
const CLIMBS: usize = 24;
const STEPS: usize = 12;

struct Search<'a> {
    rules: &'a dyn Ruleset,
    plan: &'a Plan,
    id: &'a str,
}

/// The request for one hand.
fn request((hand, seat, win): (Hand, Seat, Win)) -> Request {
    Request::of_hand(SeatHand::of(seat, &hand), Some(win))
}

impl Search<'_> {
    /// True if the hand wins and the pattern counts in it.
    fn has(&self, request: &Request) -> bool {
        let table = request.check(self.rules);
        let score = table.ok().and_then(|table| table.score().ok());
        score.is_some_and(|score| self.counts(&score))
    }

    /// How far a hand is from a win in which the pattern counts: 0 if it is one. `None` if it is no complete hand.
    fn cost(&self, request: &Request) -> Option<u32> {
        let table = request.check(self.rules).ok()?;
        self.cost_of(&table)
    }

    fn cost_of(&self, table: &Table<'_>) -> Option<u32> {
        let input = table.scored().ok()?;
        let Plan { score, tiles, .. } = self.plan;
        let decomposer = self.plan.decomposer_of(input.turned_tile());
        let lacks = score.lacks(self.id, decomposer, tiles, &input)?;
        let (won, is_enough) = match table.score() {
            Ok(score) => (score, true),
            Err(ScoreError::BelowMinimum(score)) => (*score, false),
            Err(_) => return Some(PART * lacks + 2),
        };
        // Where others count in its place, the fewer the nearer.
        let others = match self.counts(&won) {
            true => 0,
            false => 1 + score.counted(&won.lines).count().min(4) as u32,
        };
        let odd = u32::from(!self.is_plausible(input.hand, input.win));
        Some(PART * lacks + others + u32::from(!is_enough) + odd)
    }

    /// False for a win with a replacement where nothing was replaced. Requests do not say for what it was: a hand with a
    /// kong and, where there are flowers, a flower fits every flag.
    fn is_plausible(&self, hand: &Hand, win: Option<&Win>) -> bool {
        let replaced = win.is_none_or(|win| win.way != Way::Replacement);
        let has_flowers = !self.plan.tiles.flowers().is_empty();
        let mut melds = hand.melds().iter();
        replaced
            || melds.any(|meld| meld.group.family() == Family::Kong)
                && (!has_flowers || !hand.aside().flowers().is_empty())
    }

    /// True if the pattern counts in the score.
    fn counts(&self, score: &Score) -> bool {
        self.plan.score.has_counted(score, self.id)
    }

    /// What a hand has that the pattern may not need: other patterns, flags, melds, flowers and indicators.
    fn frills(&self, request: &Request) -> usize {
        let score = request.check(self.rules).ok().and_then(|table| {
            let score = table.score().ok()?;
            Some(self.plan.score.counted(&score.lines).count())
        });
        let of_hand = |hand: &SeatHand| {
            let open = hand.melds.iter().filter(|meld| meld.open).count();
            4 * hand.melds.len() + open + hand.aside.len()
        };
        let flags = request.wins.iter().map(|(_, win)| win.flags.iter().count());
        let indicators = request.indicators.len() + request.under_indicators.len();
        2 * score.unwrap_or(0)
            + request.hands.iter().map(of_hand).sum::<usize>()
            + 20 * flags.sum::<usize>()
            + indicators
    }

    /// Sources of random hands: of all kinds, of one suit, of one class, and so on.
    fn sources(&self) -> Vec<Hands<'_>> {
        let all = self.plan.tiles.kinds();
        let suit = |suit: Suit| all.iter().filter(move |kind| kind.suit() == Some(suit));
        let honours: KindSet = all.iter().filter(|kind| kind.suit().is_none()).collect();
        let mut among = vec![all, honours];
        for one in Suit::ALL {
            let one: KindSet = suit(one).collect();
            among.extend([one, one.union(honours)]);
        }
        let simple = |kind: &Kind| kind.rank().is_some_and(|rank| (2..9).contains(&rank.get()));
        among.push(all.iter().filter(simple).collect());
        among.extend(self.plan.classes().iter().map(|(_, kinds)| *kinds));
        among.sort_unstable_by_key(|kinds| kinds.bits());
        among.dedup();
        let hands = |kinds: KindSet| Hands::new(self.plan).among(kinds);
        among.into_iter().map(hands).collect()
    }

    /// Random hands, and hands of special forms.
    fn starts(&self) -> Vec<Request> {
        let mut starts = Vec::new();
        let mut sources = self.sources();
        for place in 0..STARTS {
            let source = place % sources.len().max(1);
            let Some(hands) = sources.get_mut(source) else {
                break;
            };
            starts.extend(hands.next());
        }
        starts.extend(sources.iter_mut().filter_map(Hands::pairs));
        starts.extend(Hands::new(self.plan).of_forms());
        starts.into_iter().map(request).collect()
    }

    /// Hands with kongs.
    fn starts_with_kongs(&self) -> Vec<Request> {
        let most = self.plan.decomposer.grammar().groups();
        let mut sources = self.sources();
        let all = (1..=most).flat_map(|kongs| {
            let hands = sources.iter_mut();
            hands
                .filter_map(|hands| hands.with_kongs(kongs))
                .collect::<Vec<_>>()
        });
        all.map(request).collect()
    }

    /// A hand in which the pattern counts, found from random ones.
    fn find(&self) -> Option<Request> {
        let starts = self.starts();
        // Melds contradict flags of first turns, and a climb drops few of them.
        let is_closed = |start: &&Request| start.hands.iter().all(|hand| hand.melds.is_empty());
        let closed = starts.iter().filter(is_closed).cloned().collect();
        self.find_from(starts)
            .or_else(|| self.find_from(self.starts_with_kongs()))
            .or_else(|| self.find_from(closed))
    }

    fn find_from(&self, starts: Vec<Request>) -> Option<Request> {
        let mut ranked: Vec<(u32, Request)> = Vec::new();
        for request in starts {
            match self.cost(&request) {
                Some(0) => return Some(request),
                Some(cost) => ranked.push((cost, request)),
                None => {}
            }
        }
        ranked.sort_by_key(|(cost, _)| *cost);
        let mut stream = Stream::new(2, 1);
        for (cost, request) in ranked.into_iter().take(CLIMBS) {
            if let Some(found) = self.climb(cost, request, &mut stream) {
                return Some(found);
            }
        }
        None
    }

    /// Changes a hand step by step. A step that leaves the cost as it is may be taken, too.
    fn climb(&self, mut cost: u32, mut request: Request, stream: &mut Stream) -> Option<Request> {
        for _ in 0..STEPS {
            let mut next: Option<(u32, Request)> = None;
            let mut all = neighbours(self.rules, &request);
            stream.shuffle(&mut all);
            for other in all {
                let Some(of_other) = self.cost(&other) else {
                    continue;
                };
                if of_other == 0 {
                    return Some(other);
                }
                if next.as_ref().is_none_or(|(least, _)| of_other < *least) {
                    next = Some((of_other, other));
                }
            }
            let (least, other) = next?;
            if least > cost {
                return None;
            }
            (cost, request) = (least, other);
        }
        None
    }

    /// The hand without what the pattern does not need.
    fn plainer(&self, mut request: Request) -> Request {
        let mut frills = self.frills(&request);
        for _ in 0..STEPS {
            let better = neighbours(self.rules, &request)
                .into_iter()
                .find(|other| self.frills(other) < frills && self.cost(other) == Some(0));
            let Some(other) = better else {
                break;
            };
            (frills, request) = (self.frills(&other), other);
        }
        request
    }

    /// The neighbour that lacks least.
    fn near_miss(&self, request: &Request) -> Option<NearMiss> {
        let mut best: Option<(u32, Request)> = None;
        for other in neighbours(self.rules, request) {
            let Ok(table) = other.check(self.rules) else {
                continue;
            };
            let is_scored = matches!(table.score(), Ok(_) | Err(ScoreError::BelowMinimum(_)));
            let Some(lacks) = self.cost_of(&table).filter(|_| is_scored) else {
                continue;
            };
            // A hand that has the pattern in some reading, or in which another one counts instead, is no near miss.
            let parts = lacks / PART;
            if parts == 0 || best.as_ref().is_some_and(|(least, _)| parts >= *least) {
                continue;
            }
            let is_first = parts == 1;
            best = Some((parts, other));
            if is_first {
                break;
            }
        }
        let (_, request) = best?;
        let why_not = request.check(self.rules).ok()?.why_not(self.id).ok()??;
        Some(NearMiss { request, why_not })
    }
}
