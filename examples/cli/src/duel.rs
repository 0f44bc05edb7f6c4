//! Finds out which of two agents plays a ruleset better. This is duplicate play: the same walls from every seat.
//!
//! ```text
//! paishan duel value greedy --ruleset woo --games 40
//! paishan duel value greedy --ruleset woo --games 40 --streams
//! paishan duel value other --ruleset riichi-tenhou --bot 'other=node bot.js'
//! ```
//!
//! Each game is played once for every seat. The first agent sits there, and the second on all other seats. The
//! result is how many more points a deal the first agent wins than the others on average. An interval over games
//! stands beside it. Below are the mean rank, the match points where the end of a match adds something (totals with it),
//! and what both did in the deals.

use crate::bots::{BotArgs, Table, Tables};
use crate::duplicate::{DrawArgs, Estimate, Tally};
use crate::output::Fault;
use crate::progress;
use crate::rules::RulesArgs;
use paishan::game::{MatchState, Observer};
use paishan::ruleset::Plan;
use paishan::simulate::Summary;
use paishan::{Player, Seed, Seeds};
use rayon::prelude::*;

/// Plays two agents against each other on the same walls.
#[derive(clap::Args)]
pub struct Args {
    /// The agent that sits on each seat in turn: random, first, greedy, value, search, or the name of a bot; `value-20` slips in 20
    /// of 100 decisions, and `search-500` has a budget of 500 nodes, `search-50ms` one of 50 milliseconds for each decision.
    challenger: String,
    /// The agent on all other seats.
    others: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Games, each of them played once for every seat.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// The seed: a number, or 64 hexadecimal digits.
    #[arg(long, default_value = "1")]
    seed: Seed,
    #[command(flatten)]
    draws: DrawArgs,
    /// Threads. For 0 it is one where bots play, so that a bot plays all games in order, and otherwise one a core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    bots: BotArgs,
}

/// The final results of a match, in the least unit of the ruleset.
#[derive(Default)]
struct Ended {
    results: Vec<i64>,
}

impl Observer for Ended {
    fn match_ended(&mut self, series: &MatchState) {
        self.results = series.results();
    }
}

/// What the challenger and the others did in a game, all seats together.
type Sides = [Tally; 2];

/// Plays a game once for every seat. At the table the challenger has the first place, and has it again afterwards.
fn one_game(players: usize, table: &mut Table, args: &Args, game: u64) -> Result<Sides, Fault> {
    let mut sides: [Vec<Tally>; 2] = Default::default();
    for challenger in Player::all(players) {
        let mut summary = Summary::default();
        let seeds = Seeds::from(args.seed).of_game(game);
        table.swap(0, challenger.index());
        let mut ended = Ended::default();
        let mut observer = (&mut summary, &mut ended);
        let played = table.play(seeds, game, args.draws.draws(), &mut observer);
        table.swap(0, challenger.index());
        played?;
        for player in Player::all(players) {
            let result = ended.results.get(player.index());
            sides[usize::from(player != challenger)].push(Tally {
                results: result.copied().unwrap_or_default(),
                ..Tally::of(&summary, player)
            });
        }
    }
    Ok(sides.map(|tallies| tallies.into_iter().sum()))
}

/// What both sides did, a line each.
fn rows(plan: &Plan, args: &Args, games: &[Sides]) -> String {
    let sides = [0, 1].map(|side| games.iter().map(|game| game[side]).sum::<Tally>());
    let per_point = plan.units_per_point() as f64;
    let ratio = |part: f64, whole: u64| part / whole.max(1) as f64;
    let share = |part: u64, whole: u64| format!("{:.1} %", 100.0 * ratio(part as f64, whole));
    let mut text = String::new();
    let mut row = |name: &str, values: [String; 2]| {
        let [own, theirs] = values;
        text.push_str(&format!("{name:<21}{own:<19}{theirs}\n"));
    };
    row("", [&args.challenger, &args.others].map(String::clone));
    row(
        "points a deal",
        sides.map(|side| format!("{:+.2}", ratio(side.points as f64, side.deals) / per_point)),
    );
    let a_match = |side: usize, value: &dyn Fn(&Tally) -> f64| {
        let values = |game: &Sides| (value(&game[side]), game[side].matches as f64);
        let Estimate { mean, half } = Estimate::ratio(games.iter().map(values));
        half.map_or(format!("{mean:.2}"), |half| {
            format!("{mean:.2} ± {half:.2}")
        })
    };
    row(
        "mean rank",
        [0, 1].map(|side| a_match(side, &|game| game.ranks as f64)),
    );
    if plan.matches().result.is_some() {
        let result = |game: &Tally| game.results as f64 / per_point;
        row("match points", [0, 1].map(|side| a_match(side, &result)));
    }
    row(
        "wins a deal",
        sides.map(|side| share(side.wins, side.deals)),
    );
    row(
        "points a win",
        sides.map(|side| format!("{:.1}", ratio(side.winning_points as f64, side.wins))),
    );
    row(
        "deal-ins",
        sides.map(|side| share(side.deal_ins, side.deals)),
    );
    row(
        "claims a deal",
        sides.map(|side| format!("{:.2}", ratio(side.claims as f64, side.deals))),
    );
    row(
        "deals with a claim",
        sides.map(|side| share(side.claimed_deals, side.deals)),
    );
    let procedures = plan.procedures();
    if procedures.riichi.is_some() || procedures.fishing.is_some() {
        row(
            "announced hands",
            sides.map(|side| share(side.announced, side.deals)),
        );
    }
    text
}

pub fn run(args: &Args) -> Result<String, Fault> {
    let rules = args.rules.load()?;
    let plan = rules.plan();
    let mut names = vec![args.others.clone(); plan.players()];
    names[0].clone_from(&args.challenger);
    let names = args.bots.names(&names.join(","), plan)?;
    let tables = Tables::new(&args.bots, &rules, &names)?;
    let bar = progress::bar(args.games);
    let games = (0..args.games).into_par_iter().map(|game| {
        let played = tables.with(|table| one_game(plan.players(), table, args, game));
        bar.inc(1);
        played
    });
    let pool = tables.pool(args.threads)?;
    let games: Vec<Sides> = pool.install(|| games.collect::<Result<_, _>>())?;
    bar.finish_and_clear();
    let per_point = plan.units_per_point() as f64;
    let others = (plan.players() - 1) as f64;
    let more = games.iter().map(|[own, theirs]| {
        let more = own.points as f64 - theirs.points as f64 / others;
        (more / per_point, own.deals as f64)
    });
    let Estimate { mean, half } = Estimate::ratio(more);
    let interval = match half {
        None => "too few games for an interval".to_owned(),
        Some(half) => format!("95 %: {:+.2} to {:+.2}", mean - half, mean + half),
    };
    Ok(format!(
        "{}: {} against {}, {} games from each of {} seats, {} deals, seed {}\n\
         points a deal more   {mean:+.2} ({interval})\n\n{}",
        plan.name(),
        args.challenger,
        args.others,
        args.games,
        plan.players(),
        games.iter().map(|[own, _]| own.deals).sum::<u64>(),
        args.seed,
        rows(plan, args, &games),
    ))
}
