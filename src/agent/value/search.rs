//! [`Search`]: plays the best actions of [`Value`] in imagined worlds.

use super::super::greedy::Greedy;
use super::super::interface::Agent;
use super::super::reasons::Decision;
use super::agent::{Choice, Choices, Value};
use super::course::Of;
use super::outlook::Outlook;
use super::worlds::Worlds;
use crate::game::Deal;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::state::{Action, DealState, Legal, View};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// How many actions are compared at most.
const CANDIDATES: usize = 4;
/// Actions that are worth less than the best by more than this part of it are not looked at.
const WORTH_A_TRY: f64 = 0.4;
/// How much the worth of two actions differs in truth from what [`Value`] believes: the standard deviation, as a part of the
/// worth of the best.
const DOUBT: f64 = 0.4;
/// At which turn of the seat an imagined deal ends, and [`Value`] says what it expects of the rest. In thousands of decisions that
/// were played on, longer deals, also those played to their end, said less about the worth of an action with as many worlds.
const HORIZON: u32 = 2;
/// How many worlds are played between two looks at the results.
const BATCH: u32 = 4;
/// An action is given up if it is behind by so many standard deviations.
const GIVEN_UP: f64 = 2.5;
/// Another action than that of [`Value`] is chosen only if it leads by so many standard deviations. The best of several leads
/// that are all chance is positive, too.
const SURE: f64 = 1.5;
/// And only if its lead is this part of the worth of the best, besides. What `Value` says of the rest errs as well, however many
/// worlds there are. Found by playing on from thousands of decisions.
const CLEAR: f64 = 0.05;
/// Random streams of a world: one for its tiles and one for the seat.
const STREAMS: u64 = 2;
/// Most decisions of a deal. Deals are shorter; a faulty ruleset could go on for ever.
const DECISIONS: u32 = 20_000;

/// How long [`Search`] thinks.
enum Budget {
    /// About so many decisions in imagined deals, for each decision.
    Nodes(u64),
    /// While the caller says so: what it returns at the start of a search.
    While(Box<dyn FnMut() -> Box<dyn FnMut() -> bool> + Send>),
}

/// Compares the best actions of [`Value`] by playing them in worlds that the seat may imagine ([`View::imagine`]).
///
/// All actions are tried in the same worlds. Hidden hands are as far along as the number of their discards suggests, and
/// announced hands are ready. The seat plays like `Value`, the others like [`Greedy`]. A try ends with the deal, or at the
/// second turn of the seat. There `Value` estimates the rest. The mean result corrects the gain that `Value` expects of the
/// action, the more the more worlds were played. Another action than that of `Value` is chosen only if it is better by 1.5
/// standard deviations and a twentieth of the worth. What the discard may cost is that of `Value`. The result is the total of
/// the seat, or its expected match points where the end of a match adds something.
///
/// The agent searches discards and claims of which `Value` finds several worth a try. It makes all other decisions like
/// `Value`.
///
/// It plays in the thread that asks it. With [`Search::new`] a decision follows from what the seat has seen and from the stream
/// of [`Agent::begin`] alone. It knows only the plan of a ruleset: no code that wraps it.
pub struct Search {
    value: Value,
    rules: Of,
    /// Plays for the seat in imagined deals.
    own: Value,
    /// Plays for all other seats there.
    others: Greedy,
    worlds: Worlds,
    budget: Budget,
    stream: Stream,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Search");
        match &self.budget {
            Budget::Nodes(nodes) => debug.field("nodes", nodes),
            Budget::While(_) => debug.field("nodes", &"while the caller says so"),
        };
        debug.finish_non_exhaustive()
    }
}

/// A candidate with its results, a world each.
struct Candidate {
    choice: Choice,
    results: Vec<f64>,
}

impl Search {
    /// The nodes of the agent that is named `search`: about 50 ms a decision.
    pub const NODES: u64 = 8_000;

    /// An agent that makes about `nodes` decisions in imagined deals for each decision that it searches.
    ///
    /// ```
    /// use paishan::agent::{self, Agent, Search};
    /// use paishan::{Rules, simulate};
    /// let rules = Rules::by_id("two-player")?;
    /// let mut agents = agent::for_all("greedy", rules.plan())?;
    /// agents[0] = Box::new(Search::new(rules.plan(), 300));
    /// simulate::play(&rules, &mut agents, 7, &mut ())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(plan: &Plan, nodes: u64) -> Self {
        Self::with(plan, Budget::Nodes(nodes))
    }

    /// An agent that searches a decision as long as a function returns true, which is asked after every few imagined deals.
    /// `begin` makes it at the start of each search. So a program with a clock can set a time; its decisions then depend on the
    /// speed of the machine.
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::agent::Search;
    /// use std::time::{Duration, Instant};
    /// let rules = Rules::by_id("woo")?;
    /// let agent = Search::while_true(rules.plan(), || {
    ///     let end = Instant::now() + Duration::from_millis(50);
    ///     move || Instant::now() < end
    /// });
    /// # drop(agent);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn while_true<F: FnMut() -> bool + 'static>(
        plan: &Plan,
        mut begin: impl FnMut() -> F + Send + 'static,
    ) -> Self {
        Self::with(plan, Budget::While(Box::new(move || Box::new(begin()))))
    }

    fn with(plan: &Plan, budget: Budget) -> Self {
        let value = Value::new(plan);
        Self {
            own: value.clone(),
            others: Greedy::new(plan),
            worlds: Worlds::new(&value),
            value,
            rules: Of(Arc::new(plan.clone())),
            budget,
            stream: Stream::new(0, 0),
        }
    }

    /// The result of an action for a seat in a world, and the number of decisions. `None` if the world cannot be played.
    fn play_out(
        &mut self,
        world: &DealState,
        (seat, action): (Seat, Action),
        (seed, stream): (u64, u64),
        outlook: Option<&Outlook>,
    ) -> Option<(f64, u64)> {
        self.own
            .go_on_from(&self.value, Stream::new(seed, stream + 1));
        let mut deal = Deal::resume(&self.rules, world.clone()).ok()?;
        deal.act(seat, action).ok()?;
        let (mut nodes, mut turns) = (1, 0);
        let mut rest = 0.0;
        while let Some(other) = deal.state().deciding().next() {
            nodes += 1;
            if nodes > DECISIONS {
                return None;
            }
            let (view, legal) = (deal.state().view(other), deal.legal(other));
            if other == seat && view.turn() == Some(seat) {
                turns += 1;
                if turns >= HORIZON
                    && let Some(worth) = self.own.rest_of_deal(&view, legal)
                {
                    rest = worth;
                    break;
                }
            }
            let action = match other == seat {
                true => self.own.decide(&view, legal),
                false => self.others.decide(&view, legal),
            };
            deal.act(other, action).ok()?;
        }
        // What a discard may cost is rare and great: few worlds say less about it than [`Value`] knows.
        let deals_in = deal.outcome().is_some_and(|outcome| {
            let mut wins = outcome.wins().iter();
            wins.any(|(_, win)| win.from == Some(seat))
        });
        let state = if deals_in { world } else { deal.state() };
        let result = match outlook {
            Some(outlook) => outlook.result_of(|seat| state.points(seat)),
            None => state.points(seat) as f64,
        } + rest;
        Some((result, nodes.into()))
    }

    /// Plays the candidates. The first is the choice of [`Value`]; those given up are removed.
    fn search(&mut self, view: &View<'_>, candidates: &mut Vec<Candidate>) {
        let seat = view.seat();
        let outlook = self.value.outlook(view);
        let (mut nodes, mut stream) = (0, 0);
        let seed = u64::from(self.stream.below(u32::MAX));
        let mut goes_on: Box<dyn FnMut(u64) -> bool> = match &mut self.budget {
            &mut Budget::Nodes(most) => Box::new(move |nodes| nodes < most),
            Budget::While(begin) => {
                let mut goes_on = begin();
                Box::new(move |_| goes_on())
            }
        };
        while candidates.len() > 1 && goes_on(nodes) {
            for _ in 0..BATCH {
                let world = self.worlds.imagine(view, &mut Stream::new(seed, stream));
                let mut results: SmallVec<[f64; CANDIDATES]> = SmallVec::new();
                for candidate in candidates.iter() {
                    let action = (seat, candidate.choice.action);
                    let Some((result, count)) =
                        self.play_out(&world, action, (seed, stream), outlook.as_ref())
                    else {
                        break;
                    };
                    nodes += count;
                    results.push(result);
                }
                // A world that cannot be played tells nothing.
                nodes += 1;
                stream += STREAMS;
                if results.len() == candidates.len() {
                    for (candidate, result) in candidates.iter_mut().zip(results) {
                        candidate.results.push(result);
                    }
                }
            }
            give_up(candidates);
        }
    }

    /// The candidates for a search, the best first.
    fn candidates(choices: &[Choice]) -> Vec<Candidate> {
        let mut best: SmallVec<[Choice; 16]> = choices.iter().copied().collect();
        best.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
        let Some(first) = best.first().copied() else {
            return Vec::new();
        };
        let least = first.worth() - WORTH_A_TRY * scale(&first);
        best.retain(|choice| choice.worth() >= least);
        best.truncate(CANDIDATES);
        let candidate = |choice| Candidate {
            choice,
            results: Vec::new(),
        };
        best.into_iter().map(candidate).collect()
    }

    /// The best of the choices, and what was found of those that were searched.
    fn best(
        &mut self,
        view: &View<'_>,
        legal: &Legal,
        choices: &Choices,
    ) -> (Action, Vec<Candidate>) {
        let mut candidates = Self::candidates(choices);
        if candidates.len() < 2 {
            return (self.value.best(view, legal, choices), candidates);
        }
        self.search(view, &mut candidates);
        (candidates[leader(&candidates)].choice.action, candidates)
    }
}

/// What differences of worth are measured by.
fn scale(first: &Choice) -> f64 {
    first.worth().abs().max(first.gain)
}

/// By how much each candidate is expected to be better than the first, and the variance of that.
fn leads(candidates: &[Candidate]) -> SmallVec<[(f64, f64); CANDIDATES]> {
    let Some(first) = candidates.first() else {
        return SmallVec::new();
    };
    let doubt = DOUBT * scale(&first.choice);
    let lead = |candidate: &Candidate| {
        let believed = candidate.choice.worth() - first.choice.worth();
        let count = first.results.len() as f64;
        if count < 2.0 {
            return (believed, doubt * doubt);
        }
        let pairs = || candidate.results.iter().zip(&first.results);
        let mean = pairs().map(|(own, first)| own - first).sum::<f64>() / count;
        let gain = first.choice.gain;
        let found = candidate.choice.worth_with(gain + mean) - first.choice.worth_with(gain);
        let squares = pairs().map(|(own, first)| own - first - mean);
        let squares = squares.map(|rest| rest * rest).sum::<f64>();
        let variance = squares / (count - 1.0) / count;
        if variance + doubt * doubt == 0.0 {
            return (believed, 0.0);
        }
        let weight = doubt * doubt / (doubt * doubt + variance);
        (believed + weight * (found - believed), weight * variance)
    };
    candidates.iter().map(lead).collect()
}

/// The leads, those that may be chance or errors as no leads.
fn sure_leads(candidates: &[Candidate]) -> SmallVec<[f64; CANDIDATES]> {
    let clear = candidates
        .first()
        .map_or(0.0, |first| CLEAR * scale(&first.choice));
    let sure = |(lead, variance): (f64, f64)| match lead > SURE * variance.sqrt() + clear {
        true => lead,
        false => lead.min(0.0),
    };
    leads(candidates).into_iter().map(sure).collect()
}

/// The candidate that is expected to be best.
fn leader(candidates: &[Candidate]) -> usize {
    let mut best = (0, 0.0);
    for (i, lead) in sure_leads(candidates).into_iter().enumerate().skip(1) {
        if lead > best.1 {
            best = (i, lead);
        }
    }
    best.0
}

/// Removes candidates that will hardly become the best. The first stays while others do, because they are compared with it.
fn give_up(candidates: &mut Vec<Candidate>) {
    let leads = leads(candidates);
    let most = leads
        .iter()
        .skip(1)
        .map(|(lead, _)| *lead)
        .fold(0.0, f64::max);
    let mut place = 0;
    candidates.retain(|_| {
        let (lead, variance) = leads[place];
        place += 1;
        place == 1 || lead + GIVEN_UP * variance.sqrt() > most
    });
}

impl Agent for Search {
    fn listens(&self) -> bool {
        false
    }

    fn begin(&mut self, stream: Stream) {
        self.stream = stream.split();
        self.value.begin(stream);
    }

    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        match self.value.at_once(view, legal) {
            Some(action) => action,
            None => {
                let choices = self.value.choices(view, legal);
                self.best(view, legal, &choices).0
            }
        }
    }

    fn explain(&mut self, view: &View<'_>, legal: &Legal) -> Decision {
        if let Some(action) = self.value.at_once(view, legal) {
            let weighed = Vec::new();
            return Decision { action, weighed };
        }
        let choices = self.value.choices(view, legal);
        let (action, candidates) = self.best(view, legal, &choices);
        let mut weighed = self.value.reasons(view, legal, &choices);
        let first = candidates.first().map_or(0.0, |one| one.choice.worth());
        // What was searched is worth what the search found.
        for (candidate, lead) in candidates.iter().zip(sure_leads(&candidates)) {
            let mut same = weighed
                .iter_mut()
                .filter(|one| one.action == candidate.choice.action);
            if let Some(estimate) = same.next().and_then(|one| one.estimate.as_mut()) {
                estimate.worth = first + lead;
            }
        }
        Decision { action, weighed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Match;
    use crate::ruleset::Rules;
    use std::thread;

    /// Calls `each` with every view of a deal that is played by [`Value`], and what it chooses.
    fn views(id: &str, mut each: impl FnMut(&Rules, &View<'_>, &Legal, Action)) {
        let rules = Rules::by_id(id).unwrap();
        let mut deal = Match::new(&rules, 5).start_deal();
        let mut value = Value::new(rules.plan());
        value.begin(Stream::new(1, 1));
        while let Some(seat) = deal.state().deciding().next() {
            let (view, legal) = (deal.state().view(seat), deal.legal(seat));
            let action = value.decide(&view, legal);
            each(&rules, &view, legal, action);
            deal.act(seat, action).unwrap();
        }
    }

    #[test]
    fn a_decision_follows_from_the_view_in_every_thread() {
        let mut swapped = 0;
        for id in ["riichi-mcgill", "woo", "sichuan", "uzje"] {
            let mut stream = Stream::new(2, 2);
            let mut searched = 0;
            views(id, |rules, view, legal, of_value| {
                let choose = |view: &View<'_>| {
                    let mut agent = Search::new(rules.plan(), 60);
                    agent.begin(Stream::new(3, 3));
                    let action = agent.decide(view, legal);
                    // A search has taken a number from the stream.
                    (action, agent.stream.below(1000))
                };
                let elsewhere = view.imagine(&mut stream);
                let here = choose(view);
                let there = thread::scope(|scope| {
                    let thread = scope.spawn(|| choose(&elsewhere.view(view.seat())));
                    thread.join().unwrap()
                });
                assert_eq!(here, there, "{id}");
                assert!(legal.contains(here.0), "{id}");
                searched += usize::from(here.1 != Stream::new(3, 3).split().below(1000));
                swapped += usize::from(here.0 != of_value);
            });
            assert!(searched > 10, "{id}: {searched}");
        }
        assert!(swapped > 0);
    }

    #[test]
    fn without_a_budget_it_is_value_and_reasons_agree_with_it() {
        for id in ["woo", "mcr"] {
            let rules = Rules::by_id(id).unwrap();
            let mut agent = Search::while_true(rules.plan(), || || false);
            agent.begin(Stream::new(1, 1));
            views(id, |_, view, legal, action| {
                assert_eq!(agent.decide(view, legal), action, "{id}");
            });
            let mut searching = Search::new(rules.plan(), 60);
            let mut telling = Search::new(rules.plan(), 60);
            for agent in [&mut searching, &mut telling] {
                agent.begin(Stream::new(1, 1));
            }
            views(id, |_, view, legal, _| {
                let Decision { action, weighed } = telling.explain(view, legal);
                assert_eq!(searching.decide(view, legal), action, "{id}");
                let worth = |action| {
                    let found = weighed.iter().find(|one| one.action == action);
                    found.and_then(|one| one.estimate).map(|one| one.worth)
                };
                let most = worth(action);
                assert!(
                    most.is_none() || weighed.iter().all(|one| worth(one.action) <= most),
                    "{id}: {weighed:?}"
                );
            });
        }
    }

    /// A search may also end before the caller ends it, because one action is left.
    #[test]
    fn the_caller_ends_each_search() {
        const MOST: i32 = 12;
        let rules = Rules::by_id("woo").unwrap();
        let (asked, answers) = std::sync::mpsc::channel();
        let mut agent = Search::while_true(rules.plan(), move || {
            let (asked, mut left) = (asked.clone(), MOST);
            move || {
                left -= 1;
                asked.send(left).unwrap();
                left > 0
            }
        });
        agent.begin(Stream::new(1, 1));
        let (mut ended, mut early) = (0, 0);
        views("woo", |_, view, legal, _| {
            agent.decide(view, legal);
            let left: Vec<i32> = answers.try_iter().collect();
            let expected: Vec<i32> = (0..MOST).rev().take(left.len()).collect();
            assert_eq!(left, expected);
            ended += usize::from(left.last() == Some(&0));
            early += usize::from(left.last().is_some_and(|left| *left > 0));
        });
        assert!(ended > 5 && early > 0, "{ended} {early}");
    }
}
