//! Plays two rulesets on the same walls with the same agents and says what differs, game by game.

use super::analysis::Z;
use super::job::Identity;
use indicatif::ProgressBar;
use paishan::agent::{self, Agent};
use paishan::game::{MatchState, Observer};
use paishan::ruleset::{Plan, Ruleset};
use paishan::simulate::{Cause, Causes, Summary, play};
use paishan::state::{DealState, Phase};
use paishan::{Action, Lang, Legal, Player, Seat, Seeds};
use rayon::prelude::*;
use std::fmt::Write;

/// What is compared, and its unit. Each measure is one sum over games divided by another. The result of a match has
/// what the ruleset adds at its end.
const MEASURES: [(&str, &str); 10] = [
    ("drawn deals", "%"),
    ("won by self-draw", "%"),
    ("points of a win", "points"),
    ("wins of the dealer", "%"),
    ("deals a game", "deals"),
    ("decisions a deal", "decisions"),
    ("best result", "points"),
    ("worst result", "points"),
    ("first dealer's result", "points"),
    ("gained at the end", "points"),
];

/// For each measure, what one game adds to the dividend and to the divisor.
type Shares = [(f64, f64); MEASURES.len()];

/// One game under both rulesets.
struct Pair {
    values: [Shares; 2],
    /// The first decision that differs: its number, and what was decided.
    parted: Option<(usize, [Option<String>; 2])>,
}

/// What a match adds to the measures.
fn measures(plan: &Plan, series: &MatchState, summary: &Summary, causes: &Causes) -> Shares {
    let deals = summary.deals as f64;
    let wins = summary.wins.iter().sum::<u64>() as f64;
    let in_points = |units: i64| units as f64 / plan.units_per_point() as f64;
    let results = || Player::all(plan.players()).map(|player| causes.of_player(player));
    let best = results().max().unwrap_or_default();
    let worst = results().min().unwrap_or_default();
    let first = causes.of_player(series.progress().first_dealer);
    [
        (100.0 * summary.draws as f64, deals),
        (100.0 * summary.self_draws as f64, wins),
        (summary.winning_points.iter().sum::<i64>() as f64, wins),
        (100.0 * summary.seat_wins[0] as f64, wins),
        (deals, 1.0),
        (summary.decisions as f64, deals),
        (in_points(best), 1.0),
        (in_points(worst), 1.0),
        (in_points(first), 1.0),
        (in_points(causes.get(Cause::MatchEnd).gained), 1.0),
    ]
}

/// The decisions of a match, each with what the deal waited for.
#[derive(Default)]
struct Decisions(Vec<(Seat, Action, Phase)>);

impl Observer for Decisions {
    fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, action: Action) {
        self.0.push((seat, action, *state.phase()));
    }
}

fn one_game(rules: &dyn Ruleset, job: &Identity, game: u64) -> Result<(Shares, Decisions), String> {
    let plan = rules.plan();
    let named = job
        .agents
        .iter()
        .map(|name| agent::by_name(name, plan).expect("an agent of the crate"));
    let mut agents: Vec<Box<dyn Agent>> = named.collect();
    let seeds = Seeds::from(job.seed).of_game(game);
    let mut watching = (
        (Summary::default(), Causes::default()),
        Decisions::default(),
    );
    let series = play(rules, &mut agents, seeds, &mut watching);
    let series = series.map_err(|error| error.to_string())?;
    let ((summary, causes), decisions) = watching;
    let shares = measures(plan, series.state(), &summary, &causes);
    Ok((shares, decisions))
}

fn pair(rules: [&dyn Ruleset; 2], job: &Identity, game: u64) -> Result<Pair, String> {
    let (one, first) = one_game(rules[0], job, game)?;
    let (other, second) = one_game(rules[1], job, game)?;
    let decisions = [first.0, second.0];
    let length = decisions[0].len().max(decisions[1].len());
    let made = |which: usize, at: usize| decisions[which].get(at);
    let decided = |which, at| made(which, at).map(|(seat, action, _)| (seat, action));
    let at = (0..length).find(|&at| decided(0, at) != decided(1, at));
    let said = |which: usize, at: usize| {
        let plan = rules[which].plan();
        made(which, at).map(|(seat, action, phase)| {
            format!("{seat}: {}", plan.describe(*action, phase, Lang::EN))
        })
    };
    Ok(Pair {
        values: [one, other],
        parted: at.map(|at| (at, [said(0, at), said(1, at)])),
    })
}

/// Plays the games under both rulesets and says what differs.
pub fn compare(rules: [&dyn Ruleset; 2], job: &Identity) -> Result<String, String> {
    if rules[0].plan().players() != rules[1].plan().players() {
        return Err("the rulesets are for different numbers of players".to_owned());
    }
    let bar = ProgressBar::new(job.games);
    let games = (0..job.games).into_par_iter().map(|game| {
        let pair = pair(rules, job, game);
        bar.inc(1);
        pair
    });
    let pairs: Vec<Pair> = games.collect::<Result<_, _>>()?;
    bar.finish_and_clear();
    let [a, b] = [0, 1].map(|i| rules[i].plan());
    let mut out = format!(
        "{} against {}: {} games on the same walls, seed {}\n\n{:<22}{:>10}{:>10}   difference, 95 %\n",
        b.name(),
        a.name(),
        job.games,
        job.seed,
        "",
        "before",
        "after",
    );
    let n = pairs.len() as f64;
    for (i, (name, unit)) in MEASURES.iter().enumerate() {
        let sum = |which: usize, of: fn((f64, f64)) -> f64| {
            pairs
                .iter()
                .map(|pair| of(pair.values[which][i]))
                .sum::<f64>()
        };
        // Ratios of sums: a game without wins says nothing about wins.
        let told =
            [0, 1].map(|which| (sum(which, |(part, _)| part), sum(which, |(_, whole)| whole)));
        let [before, after] =
            told.map(|(part, whole)| if whole > 0.0 { part / whole } else { 0.0 });
        let difference = after - before;
        let rest = |pair: &Pair| {
            let one = |which: usize, ratio: f64| {
                let (part, whole) = pair.values[which][i];
                let mean = told[which].1 / n;
                if mean > 0.0 {
                    (part - ratio * whole) / mean
                } else {
                    0.0
                }
            };
            one(1, after) - one(0, before)
        };
        let squares: f64 = pairs.iter().map(|pair| rest(pair).powi(2)).sum();
        let half = Z * (squares / (n - 1.0) / n).sqrt();
        let interval = match pairs.len() {
            0 | 1 => "too few games for an interval".to_owned(),
            _ => format!("{:+.2} to {:+.2}", difference - half, difference + half),
        };
        let _ = writeln!(
            out,
            "{name:<22}{before:>10.2}{after:>10.2}   {difference:+.2} {unit} ({interval})"
        );
    }
    let mut parted: Vec<(usize, usize, &[Option<String>; 2])> = pairs
        .iter()
        .enumerate()
        .filter_map(|(game, pair)| Some((pair.parted.as_ref()?.0, game, &pair.parted.as_ref()?.1)))
        .collect();
    parted.sort_by_key(|&(at, game, _)| (at, game));
    let _ = writeln!(
        out,
        "\n{} of {} games were played otherwise",
        parted.len(),
        pairs.len()
    );
    for (at, game, said) in parted.iter().take(3) {
        let [before, after] = [0, 1].map(|i| said[i].as_deref().unwrap_or("the match is over"));
        let _ = writeln!(
            out,
            "  game {game}, decision {}: {before} → {after}",
            at + 1
        );
    }
    Ok(out)
}
