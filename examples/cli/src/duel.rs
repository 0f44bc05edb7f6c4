//! Finds out which of two agents plays a ruleset better. This is duplicate play: the same walls from every seat.
//!
//! ```text
//! paishan duel value greedy --ruleset woo --games 40
//! paishan duel value other --ruleset riichi-tenhou --bot 'other=node bot.js'
//! ```
//!
//! Each game is played once for every seat. The first agent sits there, and the second on all other seats. The
//! result is how many more points a deal the first agent wins than the others on average. An interval over games
//! stands beside it.

use crate::bots::{BotArgs, Table, Tables};
use crate::output::Fault;
use crate::progress;
use crate::rules::RulesArgs;
use paishan::ruleset::Plan;
use paishan::simulate::Summary;
use paishan::{Seed, Seeds};
use rayon::prelude::*;

/// Plays two agents against each other on the same walls.
#[derive(clap::Args)]
pub struct Args {
    /// The agent that sits on each seat in turn: random, first, greedy, value, or the name of a bot.
    challenger: String,
    /// The agent on all other seats.
    others: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Games, each of them played once for every seat.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Where all chance comes from.
    #[arg(long, default_value = "1")]
    seed: Seed,
    /// Threads. For 0 it is one where bots play, so that a bot plays all games in order, and otherwise one a core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    bots: BotArgs,
}

/// The result of a game, all seats together: points and wins of the challenger, and the average of the others.
#[derive(Clone, Copy, Default)]
struct Outcome {
    deals: f64,
    points: [f64; 2],
    wins: [f64; 2],
}

/// Plays a game once for every seat. At the table the challenger has the first place, and has it again afterwards.
fn one_game(plan: &Plan, table: &mut Table, args: &Args, game: u64) -> Result<Outcome, Fault> {
    let mut sum = Outcome::default();
    for seat in 0..plan.players() {
        let mut summary = Summary::default();
        let seeds = Seeds::from(args.seed).of_game(game);
        table.swap(0, seat);
        let played = table.play(seeds, game, &mut summary);
        table.swap(0, seat);
        played?;
        sum.deals += summary.deals as f64;
        for i in 0..plan.players() {
            let (which, parts) = match i == seat {
                true => (0, 1.0),
                false => (1, (plan.players() - 1) as f64),
            };
            sum.points[which] += summary.points[i] as f64 / parts;
            sum.wins[which] += summary.wins[i] as f64 / parts;
        }
    }
    Ok(sum)
}

/// Standard deviations on each side of the middle 95 % of a normal distribution.
const Z: f64 = 1.96;

pub fn run(args: &Args) -> Result<String, Fault> {
    let rules = args.rules.load()?;
    let plan = rules.plan();
    let mut names = vec![args.others.clone(); plan.players()];
    names[0].clone_from(&args.challenger);
    let names = args.bots.names(&names.join(","), plan)?;
    let tables = Tables::new(&args.bots, &rules, &names)?;
    let bar = progress::bar(args.games);
    let games = (0..args.games).into_par_iter().map(|game| {
        let played = tables.with(|table| one_game(plan, table, args, game));
        bar.inc(1);
        played
    });
    let pool = tables.pool(args.threads)?;
    let games: Vec<Outcome> = pool.install(|| games.collect::<Result<_, _>>())?;
    bar.finish_and_clear();
    let sum = |of: fn(&Outcome) -> f64| games.iter().map(of).sum::<f64>();
    let deals = sum(|game| game.deals).max(1.0);
    let per_point = rules.plan().settlement().units_per_point() as f64;
    let more = |game: &Outcome| (game.points[0] - game.points[1]) / per_point;
    let mean = games.iter().map(more).sum::<f64>() / deals;
    // A ratio of sums, so a game counts by its number of deals.
    let rests = games
        .iter()
        .map(|game| (more(game) - mean * game.deals).powi(2));
    let n = games.len() as f64;
    let interval = match games.len() {
        0 | 1 => "too few games for an interval".to_owned(),
        _ => {
            let half = Z * (rests.sum::<f64>() * n / (n - 1.0)).sqrt() / deals;
            format!("95 %: {:+.2} to {:+.2}", mean - half, mean + half)
        }
    };
    let wins = [sum(|game| game.wins[0]), sum(|game| game.wins[1])];
    let [own, theirs] = wins.map(|wins| 100.0 * wins / deals);
    Ok(format!(
        "{}: {} against {}, {} games from each of {} seats, {deals} deals, seed {}\n\
         points a deal more   {mean:+.2} ({interval})\n\
         wins a deal          {own:.1} % against {theirs:.1} %\n",
        rules.plan().name(),
        args.challenger,
        args.others,
        args.games,
        rules.plan().players(),
        args.seed,
    ))
}
