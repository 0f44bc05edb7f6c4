//! Scores finished deals again under edited values, without playing. It shows which hands change and which ranks
//! flip.
//!
//! ```text
//! paishan simulate --ruleset uzje --games 200 --finished deals.jsonl
//! paishan rescore deals.jsonl --rules my.toml
//! paishan rescore deals.jsonl --option threshold=3.5
//! ```
//!
//! The deals stay as they were played. Under other values players would have played otherwise, and other hands
//! would have won. `playtest --against` shows that.

use crate::input;
use crate::rules::RulesArgs;
use paishan::log::OptionMap;
use paishan::protocol::{Value, read_settle};
use paishan::request::{Request, Resettled};
use paishan::ruleset::{self, Ruleset};
use paishan::seat::{MAX_PLAYERS, Seat};
use paishan::{Notation, Tile};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Scores finished deals again under edited values.
#[derive(clap::Args)]
pub struct Args {
    /// What `simulate --finished` wrote. Its ruleset and options are the default.
    deals: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
    /// Changed hands that are shown, the most changed first.
    #[arg(long, default_value_t = 5)]
    show: usize,
}

/// The first line of the file.
#[derive(Deserialize)]
struct Head {
    finished: u32,
    ruleset: String,
    ruleset_hash: String,
    options: OptionMap,
    players: usize,
}

#[derive(Deserialize)]
struct Scored {
    seat: char,
    points: i64,
    patterns: Vec<String>,
}

/// A deal of the file.
#[derive(Deserialize)]
struct Deal {
    game: u64,
    hand: u32,
    dealer: usize,
    deltas: Vec<i64>,
    /// Empty if nothing was paid before the end.
    #[serde(default)]
    paid: Vec<i64>,
    scored: Vec<Scored>,
    #[serde(flatten)]
    request: Value,
}

/// A hand whose value has changed.
struct Changed {
    game: u64,
    hand: u32,
    seat: char,
    tiles: String,
    points: [i64; 2],
    /// Worth too little to win.
    refused: bool,
}

/// A deal, scored again.
struct Again {
    game: u64,
    /// Changes of the totals by player, before and now.
    changes: [[i64; MAX_PLAYERS]; 2],
    wins: u64,
    points: [i64; 2],
    changed: Vec<Changed>,
    /// Patterns that counted, before and now.
    patterns: [Vec<String>; 2],
}

/// Sums over deals.
#[derive(Default)]
struct Report {
    deals: u64,
    wins: [u64; 2],
    points: [i64; 2],
    changed: Vec<Changed>,
    patterns: BTreeMap<String, [u64; 2]>,
    totals: BTreeMap<u64, [[i64; MAX_PLAYERS]; 2]>,
}

/// The concealed tiles, melds and last tile of a winner.
fn tiles(request: &Request, seat: Seat) -> Option<String> {
    let print = |tiles: &[Tile]| Notation::Ujmj.print(tiles.iter().copied());
    let hand = request.hands.iter().find(|hand| hand.seat == seat)?;
    let (_, win) = request.wins.iter().find(|(winner, _)| *winner == seat)?;
    let mut text = print(&hand.concealed);
    for meld in &hand.melds {
        let _ = write!(text, " [{}]", print(&meld.tiles));
    }
    let _ = write!(text, " with {}", win.tile);
    Some(text)
}

/// What a deal brings under these rules, and the deal itself.
fn settled(rules: &dyn Ruleset, deal: &Deal) -> Result<(Request, Resettled), String> {
    let request = read_settle(rules.plan(), &deal.request).map_err(|error| error.message)?;
    let table = request.check(rules).map_err(|error| error.to_string())?;
    let again = table.settle_again().map_err(|error| error.to_string())?;
    Ok((request, again))
}

fn again(rules: &dyn Ruleset, deal: &Deal) -> Result<Again, String> {
    let plan = rules.plan();
    let players = plan.players();
    let fits = |list: &[i64]| list.len() == players;
    if !fits(&deal.deltas) || !(deal.paid.is_empty() || fits(&deal.paid)) || deal.dealer >= players
    {
        return Err(format!("no deal of {players} players"));
    }
    let mut told = Again {
        game: deal.game,
        changes: [[0; MAX_PLAYERS]; 2],
        wins: deal.scored.len() as u64,
        points: [0; 2],
        changed: Vec::new(),
        patterns: [Vec::new(), Vec::new()],
    };
    let settled = match deal.scored.is_empty() {
        true => None,
        false => Some(settled(rules, deal)?),
    };
    for seat in Seat::all(players) {
        let place = seat.index();
        let player = (deal.dealer + place) % players;
        let now = match &settled {
            Some((_, again)) => again.settlement.deltas[seat],
            None => deal.deltas[place],
        };
        for (changes, delta) in told.changes.iter_mut().zip([deal.deltas[place], now]) {
            let paid = deal.paid.get(place).copied().unwrap_or(0);
            changes[player] = delta.saturating_sub(paid);
        }
    }
    for before in &deal.scored {
        let seat = Seat::from_letter(before.seat).ok_or("an unknown seat has won")?;
        let now = settled
            .as_ref()
            .and_then(|(_, again)| again.settlement.scores[seat].as_ref());
        let points = [before.points, now.map_or(0, |score| score.points)];
        told.points[0] += points[0];
        told.points[1] += points[1];
        told.patterns[0].extend(before.patterns.iter().cloned());
        for line in now.iter().flat_map(|score| &score.lines) {
            let pattern = &plan.score().patterns()[usize::from(line.pattern)];
            told.patterns[1].push(pattern.id.clone());
        }
        if points[0] != points[1] || now.is_none() {
            told.changed.push(Changed {
                game: deal.game,
                hand: deal.hand,
                seat: before.seat,
                tiles: settled
                    .as_ref()
                    .and_then(|(request, _)| tiles(request, seat))
                    .unwrap_or_default(),
                points,
                refused: now.is_none(),
            });
        }
    }
    Ok(told)
}

impl Report {
    fn add(&mut self, deal: Again) {
        self.deals += 1;
        self.wins[0] += deal.wins;
        let refused = deal.changed.iter().filter(|changed| changed.refused);
        self.wins[1] += deal.wins - refused.count() as u64;
        for which in 0..2 {
            self.points[which] = self.points[which].saturating_add(deal.points[which]);
            for id in &deal.patterns[which] {
                self.patterns.entry(id.clone()).or_default()[which] += 1;
            }
            let totals = &mut self.totals.entry(deal.game).or_default()[which];
            for (total, change) in totals.iter_mut().zip(&deal.changes[which]) {
                *total = total.saturating_add(*change);
            }
        }
        self.changed.extend(deal.changed);
    }

    fn text(mut self, rules: &dyn Ruleset, head: &Head, show: usize) -> String {
        let plan = rules.plan();
        let games = self.totals.len();
        let mut out = format!(
            "{}: {} finished deals of {games} games, played by `{}` ({}), scored by {:016x}\n\n",
            plan.name(),
            self.deals,
            head.ruleset,
            head.ruleset_hash,
            plan.content_hash()
        );
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let [before, now] = [0, 1].map(|i| self.points[i] as f64 / self.wins[i].max(1) as f64);
        let [wins, still] = self.wins;
        let changed = self.changed.len();
        let _ = writeln!(out, "wins                   {wins}");
        let _ = writeln!(
            out,
            "worth something else   {changed} ({:.1} %)",
            share(changed, wins as usize)
        );
        let _ = writeln!(out, "too little to win now  {}", wins - still);
        let _ = writeln!(
            out,
            "points of a win        {before:.1} → {now:.1} ({:+.1})",
            now - before
        );
        let order = |totals: &[i64; MAX_PLAYERS]| -> Vec<usize> {
            let totals = &totals[..plan.players()];
            let rank = |mine: &i64| totals.iter().filter(|other| *other > mine).count();
            totals.iter().map(rank).collect()
        };
        let (mut flipped, mut firsts) = (0, 0);
        for [before, now] in self.totals.values() {
            let (before, now) = (order(before), order(now));
            let first = |ranks: &[usize]| ranks.iter().position(|&rank| rank == 0);
            flipped += usize::from(before != now);
            firsts += usize::from(first(&before) != first(&now));
        }
        let _ = writeln!(
            out,
            "games of other ranks   {flipped} ({:.1} %), {firsts} with another first place",
            share(flipped, games)
        );
        let mut patterns: Vec<_> = self.patterns.into_iter().collect();
        patterns.retain(|(_, [before, now])| before != now);
        patterns.sort_by_key(|(_, [before, now])| std::cmp::Reverse(before.abs_diff(*now)));
        if !patterns.is_empty() {
            out.push_str("\npatterns that count in other hands\n");
        }
        for (id, [before, now]) in patterns {
            let _ = writeln!(out, "  {id:<24}{before:>8} → {now}");
        }
        self.changed
            .sort_by_key(|one| std::cmp::Reverse(one.points[0].abs_diff(one.points[1])));
        if changed > 0 && show > 0 {
            out.push_str("\nmost changed hands\n");
        }
        for one in self.changed.iter().take(show) {
            let [before, now] = one.points;
            let now = match one.refused {
                true => "no win".to_owned(),
                false => now.to_string(),
            };
            let (game, hand, seat) = (one.game, one.hand, one.seat);
            let _ = writeln!(
                out,
                "  game {game}, hand {hand}, {seat}: {before} → {now}   {}",
                one.tiles
            );
        }
        out
    }
}

/// How many lines are scored at once.
const GO: usize = 8192;

pub fn run(args: &Args) -> Result<String, String> {
    let name = args.deals.display();
    let file = File::open(&args.deals).map_err(|error| format!("{name}: {error}"))?;
    let mut lines = input::lines(BufReader::new(file));
    let fault = |at: usize, error: &dyn std::fmt::Display| format!("{name}:{at}: {error}");
    let (_, first) = lines.next().ok_or_else(|| format!("{name} is empty"))?;
    let first = first.map_err(|error| fault(1, &error))?;
    let head: Head = serde_json::from_str(&first).map_err(|error| fault(1, &error))?;
    if head.finished != 1 {
        return Err(fault(1, &format!("unknown format {}", head.finished)));
    }
    let mut given = args.rules.clone();
    if given.given()?.is_none() {
        if !ruleset::ids().any(|id| id == head.ruleset) {
            let id = &head.ruleset;
            return Err(format!(
                "`{id}` is not built in: give its file with --rules"
            ));
        }
        given = RulesArgs::built_in(&head.ruleset);
        given.options = args.rules.options.clone();
    }
    // Another ruleset has its own options. An edited file may lack some options of the original.
    if given.is_text() || given.id() == Some(head.ruleset.as_str()) {
        let known = given.load()?;
        for (name, value) in &head.options.0 {
            let is_given = args.rules.options.iter().any(|(given, _)| given == name);
            if !is_given && known.plan().options().get(name).is_some() {
                given.options.push((name.clone(), value.clone()));
            }
        }
    }
    let rules = given.load()?;
    let players = rules.plan().players();
    if players != head.players {
        return Err(format!(
            "the deals are of {} players, the rules for {players}",
            head.players
        ));
    }
    let mut report = Report::default();
    loop {
        let some: Vec<_> = lines.by_ref().take(GO).collect();
        if some.is_empty() {
            break;
        }
        let settled: Vec<Again> = some
            .into_par_iter()
            .map(|(at, line)| {
                let line = line.map_err(|error| fault(at, &error))?;
                let deal: Deal = serde_json::from_str(&line).map_err(|error| fault(at, &error))?;
                again(&rules, &deal).map_err(|error| fault(at, &error))
            })
            .collect::<Result<_, _>>()?;
        settled.into_iter().for_each(|deal| report.add(deal));
    }
    Ok(report.text(&rules, &head, args.show))
}
