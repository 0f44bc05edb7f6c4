//! Agents decide for a seat. An [`Agent`] sees the view of its seat and nothing else.

mod value;

pub use value::Value;

use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding, Scratch};
use crate::meld::Group;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::set::KindSet;
use crate::state::{Action, Event, Legal, View};
use crate::tile::Kind;

/// Decides for a seat. The agents of the crate end the match whenever they may, because only a leading dealer
/// may.
pub trait Agent: Send {
    /// A deal begins. The stream is the agent's own source of random numbers for the deal.
    fn begin(&mut self, _stream: Stream) {}

    /// Chooses one of the legal actions. There is at least one.
    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action;

    /// Something happened, as the agent's seat sees it.
    ///
    /// An agent hears of events just before it decides, and of the rest when the deal is over. So the time of
    /// a call tells it nothing. A server for people must hide the time as well: a pause after a discard would
    /// tell that somebody may claim it. Such a server waits just as long when nobody may.
    fn notice(&mut self, _event: &Event) {}

    /// False for an agent that ignores events. It is then told of none.
    fn listens(&self) -> bool {
        true
    }
}

const _: Option<&dyn Agent> = None;

/// The names of the agents that come with the crate.
pub const NAMES: [&str; 4] = ["random", "first", "greedy", "value"];

/// Makes the agent with one of the [`NAMES`] for a ruleset. `None` for any other name.
pub fn by_name(name: &str, plan: &Plan) -> Option<Box<dyn Agent>> {
    match name {
        "random" => Some(Box::new(Random::new())),
        "first" => Some(Box::new(First)),
        "greedy" => Some(Box::new(Greedy::new(plan))),
        "value" => Some(Box::new(Value::new(plan))),
        _ => None,
    }
}

/// Makes one agent with one of the [`NAMES`] for every player of a table. `None` for any other name.
///
/// ```
/// use paishan::{Ruleset, agent, ruleset, simulate};
/// let woo = ruleset::by_id("woo", &[])?;
/// let mut agents = agent::for_all("greedy", woo.plan()).expect("an agent of the crate");
/// simulate::play(&woo, &mut agents, 7, &mut ())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn for_all(name: &str, plan: &Plan) -> Option<Vec<Box<dyn Agent>>> {
    (0..plan.players).map(|_| by_name(name, plan)).collect()
}

/// When a random agent picks a false win, it declares it only once in this many times. Otherwise most deals
/// would end with a false win.
const FALSE_WIN_ONE_IN: u32 = 500;

/// Chooses any legal action, all equally likely, but declares a false win hardly ever.
#[derive(Clone, Debug)]
pub struct Random {
    stream: Stream,
}

impl Random {
    /// A random agent. [`Agent::begin`] gives it a stream for each deal.
    pub fn new() -> Self {
        Self {
            stream: Stream::new(0, 0),
        }
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent for Random {
    fn listens(&self) -> bool {
        false
    }

    fn begin(&mut self, stream: Stream) {
        self.stream = stream;
    }

    #[inline]
    fn decide(&mut self, _view: &View<'_>, legal: &Legal) -> Action {
        if legal.can_end_match() {
            return Action::EndMatch;
        }
        let stream = &mut self.stream;
        let action = legal.pick(|len| {
            let place = stream.below(len as u32) as usize;
            // The false win is the last action.
            if legal.can_declare_falsely() && place == len - 1 {
                let again = len > 1 && stream.below(FALSE_WIN_ONE_IN) != 0;
                return if again {
                    stream.below(len as u32 - 1) as usize
                } else {
                    place
                };
            }
            place
        });
        action.unwrap_or(Action::Pass)
    }
}

/// Chooses the first legal action, but ends the match when it may. It passes on every discard and wins only
/// with tiles that it draws. Otherwise it announces, makes kongs, lays down, or discards from the front of
/// its hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Agent for First {
    fn listens(&self) -> bool {
        false
    }

    fn decide(&mut self, _view: &View<'_>, legal: &Legal) -> Action {
        let ends = legal.can_end_match().then_some(Action::EndMatch);
        ends.or(legal.nth(0)).unwrap_or(Action::Pass)
    }
}

/// What an agent does without thinking: a win, an announcement, a draw, or the end of the match.
fn at_once(legal: &Legal) -> Option<Action> {
    [
        (legal.can_win(), Action::Win),
        (legal.can_stand(), Action::Stand),
        (legal.can_declare_riichi(), Action::Riichi),
        (legal.can_declare_draw(), Action::NineOrphans),
        (legal.can_end_match(), Action::EndMatch),
    ]
    .into_iter()
    .find_map(|(can, action)| can.then_some(action))
}

/// The discard of a kind. A red five stays if there is a plain five. A tile held before goes before the drawn
/// one.
fn discard_of(legal: &Legal, kind: Kind) -> Action {
    let of_kind = |action: &Action| match action {
        Action::Discard { tile, .. } => tile.kind() == Some(kind),
        _ => false,
    };
    let is_red = |action: &Action| matches!(action, Action::Discard { tile, .. } if tile.is_red());
    legal
        .iter()
        .filter(of_kind)
        .min_by_key(is_red)
        .or_else(|| legal.iter().last())
        .unwrap_or(Action::Pass)
}

/// Plays for the nearest complete hand: the least distance, then the most accepted tiles that it has not
/// seen. It wins when it can and announces what it can. It claims what brings it nearer and makes kongs that
/// do not set it back. It never lays concealed melds down.
#[derive(Clone, Debug)]
pub struct Greedy {
    /// The hash of the rules that the agent was made for.
    rules_hash: u64,
    decomposer: Decomposer,
    scratch: Scratch,
}

impl Greedy {
    /// The first legal action, under rules that the agent was not made for. `None` under its own rules.
    fn lost(&self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        let is_home = view.rules_hash() == self.rules_hash;
        if is_home { None } else { legal.nth(0) }
    }

    /// A greedy agent for a ruleset. Under other rules it chooses the first legal action.
    pub fn new(plan: &Plan) -> Self {
        Self {
            rules_hash: plan.content_hash,
            decomposer: plan.decomposer.clone(),
            scratch: Scratch::new(),
        }
    }

    /// How many tiles of these kinds are unseen.
    fn unseen(&self, kinds: KindSet, seen: &Counts) -> u32 {
        let copies = self.decomposer.grammar().copies();
        kinds
            .iter()
            .map(|kind| u32::from(copies.get(kind).saturating_sub(seen.get(kind))))
            .sum()
    }

    /// The discard that leaves the least distance, then the most accepted tiles.
    fn discard(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let kinds = legal.discard_kinds();
        let seen = view.seen();
        let holding = Holding::from(view.hand());
        let mut best: Option<(i8, u32, Kind)> = None;
        for kind in kinds.iter() {
            let mut rest = holding;
            rest.concealed.try_remove(kind);
            let distance = self.decomposer.distance(&rest, &mut self.scratch);
            if best.is_some_and(|(least, ..)| distance > least) {
                continue;
            }
            let (_, accepts) = self.decomposer.accepts(&rest, &mut self.scratch);
            let unseen = self.unseen(accepts, &seen);
            let better = best.is_none_or(|(least, most, _)| {
                distance < least || distance == least && unseen > most
            });
            if better {
                best = Some((distance, unseen, kind));
            }
        }
        discard_of(legal, best.map_or(Kind::EAST, |(.., kind)| kind))
    }

    /// The distance after a claimed tile made a group.
    fn distance_after(&mut self, holding: &Holding, group: Group, claimed: Kind) -> i8 {
        let mut after = *holding;
        let mut claimed = Some(claimed);
        for kind in group.tiles() {
            if claimed == Some(kind) {
                claimed = None;
            } else {
                after.concealed.try_remove(kind);
            }
        }
        after.declare(group, true);
        self.decomposer.distance(&after, &mut self.scratch)
    }

    fn claim(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let holding = Holding::from(view.hand());
        let mut best = (
            self.decomposer.distance(&holding, &mut self.scratch),
            Action::Pass,
        );
        let Some(kind) = view.claimable().and_then(|(tile, _)| tile.kind()) else {
            return Action::Pass;
        };
        for action in legal.iter() {
            let group = match action {
                Action::Pung { .. } => Group::pung(kind),
                // Three concealed tiles become a kong, and the seat gains a replacement.
                Action::ClaimKong if holding.concealed.get(kind) == 3 => Group::kong(kind),
                Action::Chow { suit, shape, .. } => {
                    self.decomposer.grammar().shape(shape).group(suit)
                }
                _ => continue,
            };
            let distance = self.distance_after(&holding, group, kind);
            if distance < best.0 {
                best = (distance, action);
            }
        }
        best.1
    }

    /// A kong of the seat's own tiles that does not set the hand back.
    fn kong(&mut self, view: &View<'_>, legal: &Legal) -> Option<Action> {
        let holding = Holding::from(view.hand());
        let mut now = None;
        for action in legal.iter() {
            let after = match action {
                Action::ConcealedKong(kind) => holding.after_kong(kind, false),
                Action::AddedKong(kind) => holding.after_kong(kind, true),
                _ => continue,
            };
            let after = self.decomposer.distance(&after, &mut self.scratch);
            let now =
                *now.get_or_insert_with(|| self.decomposer.distance(&holding, &mut self.scratch));
            if after <= now {
                return Some(action);
            }
        }
        None
    }
}

impl Agent for Greedy {
    fn listens(&self) -> bool {
        false
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        if let Some(action) = at_once(legal).or_else(|| self.lost(view, legal)) {
            return action;
        }
        if view.claimable().is_some() {
            return self.claim(view, legal);
        }
        match self.kong(view, legal) {
            Some(kong) => kong,
            None => self.discard(view, legal),
        }
    }
}
