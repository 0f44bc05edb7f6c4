//! Matches of every ruleset, played by `greedy` and by `random`. Legal actions are derived a second time at every decision.
//! Tiles are conserved, payments add up, and unseen tiles change nothing. The log of a match follows from its seed, on any
//! thread, and replays.
//!
//! `cargo test` plays three deals of each. By hand, 300 matches of each, or those of one ruleset. A match is cut after
//! [`MOST_DEALS`] deals, because players at random hardly ever end a match in which the dealer stays after a draw.
//!
//! ```text
//! PAISHAN_GAMES=300 cargo test --release --test legal matches:: -- --nocapture
//! PAISHAN_GAMES=300 PAISHAN_RULESET=woo cargo test --release --test legal matches:: -- --nocapture
//! ```

use super::secrets::{choices, imagine};
use crate::common::legality::Referee;
use crate::common::{agents, all_tiles, all_tiles_at_end};
use paishan::agent::{self, Agent};
use paishan::game::{Match, MatchState, Next, Observer, Outcome};
use paishan::log::{Line, LogOptions, Recorder, replay, replay_to};
use paishan::random::Stream;
use paishan::ruleset::{self, Plan, Ruleset};
use paishan::score::SettlementRules;
use paishan::simulate::play;
use paishan::state::{Action, DealState, Legal};
use paishan::{Notation, Number, Rules, Seat, Seeds, Tile};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// After how many deals a match is cut, if matches are played by hand.
const MOST_DEALS: u32 = 32;

/// One of so many decisions is made again with other unseen tiles.
const IMAGINED: u32 = 16;

/// Ends a match after some deals.
struct Cut(u32);

impl Observer for Cut {
    fn deal_ended(&mut self, _: &MatchState, _: &DealState, _: &Outcome, _: Next) {
        self.0 -= 1;
    }

    fn wants_more(&self) -> bool {
        self.0 > 0
    }
}

/// Checks the table at every decision and after every deal.
struct Watch<'a> {
    rules: &'a dyn Ruleset,
    all: Vec<Tile>,
    /// One is asked in the real world, and one in imagined worlds.
    agents: [Box<dyn Agent>; 2],
    stream: Stream,
    imagined: u64,
    wins: usize,
}

impl Observer for Watch<'_> {
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, _: Action) {
        assert_eq!(all_tiles(state), self.all);
        if self.stream.below(IMAGINED) > 0 {
            return;
        }
        for other in Seat::all(state.players()) {
            let known = (other == seat).then_some(legal);
            let deal = imagine(self.rules, state, other, known, &mut self.stream);
            if other == seat {
                let [real, other] = self.agents.each_mut().map(std::slice::from_mut);
                let chosen = choices(real, &state.view(seat), legal);
                let again = choices(other, &deal.state().view(seat), legal);
                assert_eq!(again, chosen);
            }
        }
        self.imagined += 1;
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        assert_eq!(all_tiles_at_end(state, outcome), self.all);
        self.wins += outcome.wins().len();
    }
}

/// Plays a match and returns its log as text.
fn play_logged<'a>(
    rules: &'a dyn Ruleset,
    agent: &str,
    game: u64,
    most_deals: u32,
    observer: &mut dyn Observer,
) -> (String, Match<&'a dyn Ruleset>) {
    let seeds = Seeds::from(SEED).of_game(game);
    let names = vec![agent.to_owned(); rules.plan().players()];
    let mut options = LogOptions::new(names, Notation::Ujmj);
    options.with_legal = true;
    options.game = game;
    options.agent_seed = Some(seeds.agents);
    let mut text = Vec::new();
    let recorder = Recorder::new(rules.plan(), options, |line| {
        serde_json::to_writer(&mut text, &line).unwrap();
        text.push(b'\n');
    });
    let mut all = ((Cut(most_deals), observer), recorder);
    let series = play(rules, &mut agents(rules, agent), seeds, &mut all).unwrap();
    drop(all);
    (String::from_utf8(text).unwrap(), series)
}

const SEED: u64 = 4871;

fn tenths(numbers: &[Number]) -> Vec<i64> {
    numbers.iter().map(|number| number.tenths()).collect()
}

/// The changes and the totals of a line that has them.
fn payment(line: &Line) -> Option<(Vec<i64>, Vec<i64>)> {
    let (deltas, scores) = match line {
        Line::Paid { deltas, scores, .. } | Line::ReachAccepted { deltas, scores, .. } => {
            (Some(deltas), Some(scores))
        }
        Line::Penalty { deltas, scores, .. } | Line::Ryukyoku { deltas, scores, .. } => {
            (deltas.as_ref(), scores.as_ref())
        }
        Line::Hora(hora) => (hora.deltas.as_ref(), hora.scores.as_ref()),
        _ => return None,
    };
    Some((tenths(deltas.unwrap()), tenths(scores.unwrap())))
}

/// Checks that the changes of a log add up to its totals, and that points come from nowhere.
fn check_sums(lines: &[Line], plan: &Plan, totals: &[i64]) {
    let of_units = |units: i64| Number::of_units(units, plan.units_per_point()).tenths();
    let deposit = of_units(plan.settlement().deposit());
    let is_zero_sum = *plan.settlement() != SettlementRules::OwnPoints;
    let mut known: Option<Vec<i64>> = None;
    // The sum of all points, and of those that lie on the table.
    let (mut start, mut on_table) = (0, 0);
    for line in lines {
        match line {
            Line::StartKyoku(deal) => {
                let scores = tenths(&deal.scores);
                let deposits = i64::from(deal.kyotaku) * deposit;
                match &known {
                    None => (start, on_table) = (scores.iter().sum(), deposits),
                    Some(known) => assert_eq!(*known, scores, "{line:?}"),
                }
                assert_eq!(deposits, on_table, "{line:?}");
                known = Some(scores);
            }
            Line::EndGame { scores, bonus, .. } => {
                let known = known.as_ref().unwrap();
                assert_eq!(
                    *known,
                    totals
                        .iter()
                        .map(|units| of_units(*units))
                        .collect::<Vec<_>>()
                );
                let bonus = bonus
                    .as_ref()
                    .map_or(vec![0; known.len()], |bonus| tenths(bonus));
                let sums: Vec<i64> = known
                    .iter()
                    .zip(bonus)
                    .map(|(total, more)| total + more)
                    .collect();
                assert_eq!(tenths(scores), sums, "{line:?}");
            }
            _ => {}
        }
        let Some((deltas, scores)) = payment(line) else {
            continue;
        };
        let known = known.as_mut().unwrap();
        known
            .iter_mut()
            .zip(&deltas)
            .for_each(|(total, delta)| *total += delta);
        assert_eq!(*known, scores, "{line:?}");
        let sum: i64 = deltas.iter().sum();
        match line {
            Line::ReachAccepted { .. } => assert_eq!(sum, -deposit, "{line:?}"),
            // Deposits may be taken.
            Line::Hora(_) | Line::Ryukyoku { .. } if deposit > 0 => assert!(sum >= 0, "{line:?}"),
            Line::Hora(_) if !is_zero_sum => continue,
            _ => assert_eq!(sum, 0, "{line:?}"),
        }
        on_table -= sum;
        assert!(on_table >= 0 && deltas.len() == plan.players(), "{line:?}");
        if is_zero_sum {
            assert_eq!(known.iter().sum::<i64>() + on_table, start, "{line:?}");
        }
    }
}

/// Checks that a log replays, and that it has the seeds from which it follows.
fn check_log(text: &str, rules: &Rules, game: u64, series: &Match<&dyn Ruleset>) {
    let lines: Vec<Line> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let Line::StartGame(start) = &lines[0] else {
        panic!("{:?}", lines[0]);
    };
    let seeds = Seeds::from(SEED).of_game(game);
    assert_eq!(
        (start.game_seed, start.agent_seed),
        (Some(seeds.game), Some(seeds.agents))
    );
    check_sums(&lines, rules.plan(), series.totals());
    let load = |_: &str, _: &[_]| Ok(rules);
    if series.is_over() {
        let done = replay(&lines, load).unwrap();
        assert!(done.complete && done.lines == lines.len());
        return;
    }
    // The end of a match that was cut does not follow from the rules.
    let (again, deal) = replay_to(&lines[..lines.len() - 1], usize::MAX, load, &mut ()).unwrap();
    assert!(deal.is_none());
    assert_eq!(again.save(), series.save());
}

#[derive(Default)]
struct Counts {
    games: u64,
    ended: u64,
    deals: u64,
    wins: usize,
    decisions: usize,
    imagined: u64,
    bytes: usize,
}

/// Plays one match twice at the same time, and checks the first. Returns what is wrong with its legal actions.
fn check_match(
    rules: &Rules,
    agent: &str,
    game: u64,
    most_deals: u32,
    counts: &mut Counts,
) -> Option<String> {
    let mut referee = Referee::new(rules, rules.plan().id());
    let mut watch = Watch {
        rules,
        all: rules.plan().tiles().iter().collect(),
        agents: [(); 2].map(|()| agent::by_name(agent, rules.plan()).unwrap()),
        stream: Stream::new(game, 33),
        imagined: 0,
        wins: 0,
    };
    let (text, series) = std::thread::scope(|scope| {
        let again = scope.spawn(|| play_logged(rules, agent, game, most_deals, &mut ()).0);
        let (text, series) = play_logged(
            rules,
            agent,
            game,
            most_deals,
            &mut (&mut referee, &mut watch),
        );
        assert!(
            again.join().unwrap() == text,
            "another thread writes another log"
        );
        (text, series)
    });
    check_log(&text, rules, game, &series);
    counts.games += 1;
    counts.ended += u64::from(series.is_over());
    counts.deals += text.matches("\"end_kyoku\"").count() as u64;
    counts.wins += watch.wins;
    counts.decisions += referee.decisions;
    counts.imagined += watch.imagined;
    counts.bytes += text.len();
    referee.fault()
}

/// Plays matches of a ruleset. Returns what is wrong.
#[allow(clippy::print_stdout, reason = "says what was checked")]
fn faults(id: &str, agent: &str, games: u64, most_deals: u32) -> Vec<String> {
    let rules = Rules::by_id(id).unwrap();
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    let begin = Instant::now();
    for game in 0..games {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            check_match(&rules, agent, game, most_deals, &mut counts)
        }));
        let fault = checked.unwrap_or_else(|panic| {
            let text = panic.downcast::<String>();
            Some(text.map_or("a panic".to_owned(), |text| *text))
        });
        faults.extend(fault.map(|fault| format!("{id}, {agent}, game {game}: {fault}")));
    }
    let Counts {
        games,
        ended,
        deals,
        wins,
        decisions,
        imagined,
        bytes,
    } = counts;
    let seconds = begin.elapsed().as_secs();
    println!(
        "{id} {agent}: {games} games ({ended} to their end), {deals} deals, {wins} wins, {decisions} decisions, {imagined} of \
         them imagined, {} kB of logs, {} faults, {seconds} s",
        bytes / 1000,
        faults.len(),
    );
    let is_checked = decisions > 0 && (games < 10 || imagined > 0);
    assert!(is_checked || !faults.is_empty(), "{id} {agent}");
    faults
}

/// Plays matches of all rulesets, or of the one that `PAISHAN_RULESET` names.
fn check_all(agent: &str) {
    let games = std::env::var("PAISHAN_GAMES").ok();
    let only = std::env::var("PAISHAN_RULESET").ok();
    let (games, most_deals) = games.map_or((1, 3), |games| (games.parse().unwrap(), MOST_DEALS));
    let ids = ruleset::ids().filter(|id| only.as_deref().is_none_or(|only| only == *id));
    let ids: Vec<&str> = ids.collect();
    assert!(!ids.is_empty(), "no ruleset {only:?}");
    let all: Vec<String> = ids
        .into_iter()
        .flat_map(|id| faults(id, agent, games, most_deals))
        .collect();
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[test]
fn matches_of_greedy_keep_what_always_holds() {
    check_all("greedy");
}

#[test]
fn matches_at_random_keep_what_always_holds() {
    check_all("random");
}
