//! Rates agents by matches against each other, and measures how much a ruleset depends on skill.
//!
//! ```text
//! paishan ladder --ruleset woo --games 200
//! paishan ladder greedy value value-20 random --ruleset mcr
//! ```
//!
//! Each game has a table of different agents, drawn by lot. It is duplicate play: the game is played once for every
//! rotation of the seats, on the same walls. The same command prints the same with any number of threads.

mod ratings;

use crate::duplicate::{DrawArgs, Estimate, Tally};
use crate::progress;
use crate::rules::RulesArgs;
use paishan::agent;
use paishan::random::Stream;
use paishan::ruleset::Ruleset;
use paishan::simulate::{Summary, play_with};
use paishan::{Player, Seed, Seeds};
use ratings::Matches;
use rayon::prelude::*;

/// Rates agents by matches against each other.
#[derive(clap::Args)]
pub struct Args {
    /// The agents: random, first, greedy, value, each also with slips: `value-20` slips in 20 of 100 decisions. All of them
    /// and value with several shares of slips, for none.
    agents: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Games, each of them played once for every seat.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// The seed: a number, or 64 hexadecimal digits.
    #[arg(long, default_value = "1")]
    seed: Seed,
    #[command(flatten)]
    draws: DrawArgs,
}

/// The agent whose rating is fixed, where it plays. Otherwise it is the first one.
const ANCHOR: &str = "greedy";

/// The agents to rate.
fn rated(args: &Args) -> Result<Vec<&str>, String> {
    let mut names: Vec<&str> = args.agents.iter().map(String::as_str).collect();
    if names.is_empty() {
        // A search takes a thousand times as long as the others.
        let quick = agent::NAMES.into_iter().filter(|name| *name != "search");
        names.extend(quick.chain(agent::LEVELS));
        names.sort_unstable();
        names.dedup();
        return Ok(names);
    }
    let twice = (1..names.len()).find(|&i| names[..i].contains(&names[i]));
    match twice {
        Some(i) => Err(format!("`{}` is named twice", names[i])),
        None if names.len() < 2 => Err("a ladder needs at least two agents".to_owned()),
        None => Ok(names),
    }
}

/// The agents of a game in seat order, by their index: different ones as far as there are enough.
fn lineup(agents: usize, players: usize, seeds: Seeds) -> Vec<usize> {
    let copies = players.div_ceil(agents);
    let mut all: Vec<usize> = (0..copies).flat_map(|_| 0..agents).collect();
    // The agents' stream 0 is used for nothing else.
    Stream::new(seeds.agents, 0).shuffle(&mut all);
    all.truncate(players);
    all
}

/// What a game gave, all rotations together.
struct Game {
    /// What each agent did.
    tallies: Vec<Tally>,
    matches: Matches,
}

fn one_game(rules: &dyn Ruleset, args: &Args, names: &[&str], game: u64) -> Result<Game, String> {
    let plan = rules.plan();
    let seeds = Seeds::from(args.seed).of_game(game);
    let mut table = lineup(names.len(), plan.players(), seeds);
    let sit = |&i: &usize| agent::by_name(names[i], plan).map_err(|error| error.to_string());
    let mut agents = table.iter().map(sit).collect::<Result<Vec<_>, _>>()?;
    let mut tallies = vec![Tally::default(); names.len()];
    let mut matches = Matches::new(names.len());
    for _ in 0..plan.players() {
        let mut summary = Summary::default();
        let played = play_with(rules, &mut agents, seeds, args.draws.draws(), &mut summary);
        let series = played.map_err(|error| error.to_string())?;
        for (player, &i) in Player::all(plan.players()).zip(&table) {
            let tally = Tally::of(&summary, player);
            tallies[i] = [tallies[i], tally].into_iter().sum();
        }
        matches.add_match(&table, &series.state().results());
        table.rotate_left(1);
        agents.rotate_left(1);
    }
    Ok(Game { tallies, matches })
}

pub fn run(args: &Args) -> Result<String, String> {
    let rules = args.rules.load()?;
    let plan = rules.plan();
    let names = rated(args)?;
    for name in &names {
        agent::by_name(name, plan).map_err(|error| error.to_string())?;
    }
    let bar = progress::bar(args.games);
    let games = (0..args.games).into_par_iter().map(|game| {
        let played = one_game(&rules, args, &names, game);
        bar.inc(1);
        played
    });
    let games: Vec<Game> = games.collect::<Result<_, _>>()?;
    bar.finish_and_clear();
    let anchor = names.iter().position(|name| *name == ANCHOR).unwrap_or(0);
    let matches: Vec<&Matches> = games.iter().map(|game| &game.matches).collect();
    let rated = ratings::rate(&matches, anchor, args.seed);
    let per_point = plan.units_per_point() as f64;
    let tallies = (0..names.len()).map(|i| games.iter().map(|game| game.tallies[i]).sum());
    let tallies: Vec<Tally> = tallies.collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| rated.elo[b].mean.total_cmp(&rated.elo[a].mean));
    let deals: u64 = tallies.iter().map(|tally| tally.deals).sum();
    let mut text = format!(
        "{}: {} agents, {} games from each of {} seats, {} deals, seed {}\n\n\
         agent        rating         mean rank   points a deal   wins a deal   deal-ins\n",
        plan.name(),
        names.len(),
        args.games,
        plan.players(),
        deals / plan.players() as u64,
        args.seed,
    );
    for i in order {
        let tally = &tallies[i];
        let ratio = |part: f64, whole: u64| part / whole.max(1) as f64;
        let share = |part: u64| format!("{:.1} %", 100.0 * ratio(part as f64, tally.deals));
        let Estimate { mean, half } = rated.elo[i];
        let half = half.filter(|_| i != anchor);
        let half = half.map_or(String::new(), |half| format!(" ± {half:.0}"));
        let rating = format!("{mean:.0}{half}");
        text.push_str(&format!(
            "{:<13}{rating:<15}{:<12.2}{:<16}{:<14}{}\n",
            names[i],
            ratio(tally.ranks as f64, tally.matches),
            format!(
                "{:+.2}",
                ratio(tally.points as f64, tally.deals) / per_point
            ),
            share(tally.wins),
            share(tally.deal_ins),
        ));
    }
    let Estimate { mean, half } = rated.skill;
    let half = half.map_or(String::new(), |half| format!(" ± {:.1}", 100.0 * half));
    text.push_str(&format!("\nskill index  {:.1}{half} %\n", 100.0 * mean));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_different_agents_as_far_as_there_are_enough() {
        let mut sat = [0; 7];
        for game in 0..700 {
            let table = lineup(7, 4, Seeds::from(3).of_game(game));
            table.iter().for_each(|&i| sat[i] += 1);
            let mut sorted = table;
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), 4);
            let few = lineup(2, 3, Seeds::from(3).of_game(game));
            assert!(few.contains(&0) && few.contains(&1));
        }
        assert!(sat.iter().all(|n| (340..460).contains(n)), "{sat:?}");
    }
}
