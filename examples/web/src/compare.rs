//! The request `compare`: two rulesets play the same walls.

use crate::{Answered, Choice, Fault, Request, told};
use paishan::agent::{self, Agent};
use paishan::game::{MatchState, Observer};
use paishan::ruleset::Plan;
use paishan::simulate::{Cause, Causes, Summary, play};
use paishan::state::{DealState, Phase};
use paishan::{Action, Lang, Legal, Player, Rules, Seat, Seeds};
use serde::Serialize;
use std::ops::Range;

/// What one match adds to the measures. Points are in points, not in the least unit.
#[derive(Serialize)]
struct Measures {
    deals: u64,
    draws: u64,
    decisions: u64,
    wins: u64,
    self_draws: u64,
    win_points: i64,
    dealer_wins: u64,
    /// The best and the worst result of a player, and that of the first dealer, with what is added at the end of the match.
    best: f64,
    worst: f64,
    first_dealer: f64,
    /// Points that all players together gain at the end of the match.
    gained: f64,
}

impl Measures {
    fn new(plan: &Plan, series: &MatchState, (summary, causes): &(Summary, Causes)) -> Self {
        let points = |units: i64| units as f64 / plan.units_per_point() as f64;
        let results = || Player::all(plan.players()).map(|player| causes.of_player(player));
        let first_dealer = series.progress().first_dealer;
        Self {
            deals: summary.deals,
            draws: summary.draws,
            decisions: summary.decisions,
            wins: summary.wins.iter().sum(),
            self_draws: summary.self_draws,
            win_points: summary.winning_points.iter().sum(),
            dealer_wins: summary.seat_wins[0],
            best: points(results().max().unwrap_or_default()),
            worst: points(results().min().unwrap_or_default()),
            first_dealer: points(causes.of_player(first_dealer)),
            gained: points(causes.get(Cause::MatchEnd).gained),
        }
    }
}

/// The first decision of a match that differs, from 1, and what was decided; nothing if the match was over.
#[derive(Serialize)]
struct Parted {
    decision: usize,
    said: [Option<String>; 2],
}

#[derive(Serialize)]
struct Pair {
    game: u64,
    measures: [Measures; 2],
    parted: Option<Parted>,
}

#[derive(Serialize)]
struct CompareAnswer {
    pairs: Vec<Pair>,
}

/// The decisions of a match, each with what the deal waited for.
#[derive(Default)]
struct Decisions(Vec<(Seat, Action, Phase)>);

impl Decisions {
    fn at(&self, place: usize) -> Option<(Seat, Action)> {
        self.0.get(place).map(|(seat, action, _)| (*seat, *action))
    }

    fn said(&self, place: usize, plan: &Plan) -> Option<String> {
        let (seat, action, phase) = self.0.get(place)?;
        Some(format!(
            "{seat}: {}",
            plan.describe(*action, phase, Lang::EN)
        ))
    }
}

impl Observer for Decisions {
    fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, action: Action) {
        self.0.push((seat, action, *state.phase()));
    }
}

impl Request {
    fn agents(&self, plan: &Plan) -> Result<Vec<Box<dyn Agent>>, Fault> {
        agent::for_all(&self.agent, plan).map_err(Fault::request)
    }

    fn games(&self) -> Range<u64> {
        self.from..self.to
    }

    fn play(&self, rules: &Rules, game: u64) -> Result<(Measures, Decisions), Fault> {
        let plan = rules.plan();
        let mut watching = (<(Summary, Causes)>::default(), Decisions::default());
        let seeds = Seeds::from(self.seed).of_game(game);
        let series = play(rules, &mut self.agents(plan)?, seeds, &mut watching);
        let series = series.map_err(Fault::request)?;
        let (counts, decisions) = watching;
        Ok((Measures::new(plan, series.state(), &counts), decisions))
    }
}

/// Plays the matches under both rulesets. Parts of a comparison are put together by the page.
pub fn compare(request: &Request) -> Answered {
    let load =
        |choice: &Choice| -> Result<Rules, Fault> { Ok(choice.source()?.load(&choice.options.0)?) };
    let (before, after) = (load(&request.before)?, load(&request.after)?);
    if before.plan().players() != after.plan().players() {
        let message = "the rulesets are for different numbers of players";
        return Err(Fault::request(message));
    }
    let pair = |game| {
        let (one, first) = request.play(&before, game)?;
        let (other, second) = request.play(&after, game)?;
        let length = first.0.len().max(second.0.len());
        let place = (0..length).find(|&place| first.at(place) != second.at(place));
        Ok(Pair {
            game,
            measures: [one, other],
            parted: place.map(|place| Parted {
                decision: place + 1,
                said: [
                    first.said(place, before.plan()),
                    second.said(place, after.plan()),
                ],
            }),
        })
    };
    let pairs = request.games().map(pair).collect::<Result<_, Fault>>()?;
    told(CompareAnswer { pairs })
}
