//! Answers that arrive in any order, as over a network: the log is the same, and it replays.

use paishan::game::{Match, Observer};
use paishan::log::{Line, LogOptions, Recorder, replay};
use paishan::random::Stream;
use paishan::ruleset::{self};
use paishan::state::{Action, DealState, Legal};
use paishan::{Notation, Player, Rules, Seat, game_seed};

/// A ruleset of which a match has a few deals.
fn short(id: &str, more: &str) -> Rules {
    let text = format!(
        "ruleset = {{ id = \"short\", extends = \"{id}\" }}\nmatch = {{ ends = [{{ deals = 3 }}] }}\n{more}"
    );
    Rules::from_toml("short.toml", &text).unwrap()
}

/// Who answers first of those who are asked.
type Order<'a> = &'a mut dyn FnMut(&DealState) -> Seat;

/// Chooses for a seat. Its choice depends on the seat and on how often it has chosen, and on no order.
fn choice(seed: u64, seat: Seat, times: u64, legal: &Legal) -> Action {
    if legal.contains(Action::Win) {
        return Action::Win;
    }
    let mut stream = Stream::new(seed, 100 + 8 * times + seat.index() as u64);
    let place = stream.below(legal.len() as u32) as usize;
    legal.nth(place).unwrap()
}

/// Plays a match. `dies` says before each decision whether a judge declares a hand dead.
fn play(
    rules: &Rules,
    seed: u64,
    options: &LogOptions,
    order: Order<'_>,
    dies: &mut dyn FnMut() -> Option<Seat>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut recorder = Recorder::new(rules.plan(), options.clone(), |line| lines.push(line));
    let mut series = Match::new(rules, seed);
    recorder.match_started(series.state());
    let mut times = [0; 6];
    while !series.is_over() {
        let mut deal = series.start_deal_observed(&mut recorder);
        while !deal.state().waiting().is_empty() {
            if let Some(seat) = dies() {
                // Refused once the dealer chooses whether the match ends.
                let _ = deal.declare_dead_observed(seat, &mut recorder);
            }
            if deal.state().waiting().is_empty() {
                break;
            }
            let seat = order(deal.state());
            let times = &mut times[seat.index()];
            *times += 1;
            let action = choice(seed, seat, *times, deal.legal(seat));
            deal.act_observed(seat, action, &mut recorder).unwrap();
        }
        let outcome = deal.outcome().unwrap().clone();
        let next = series.finish(&deal).unwrap();
        recorder.deal_ended(series.state(), deal.state(), &outcome, next);
    }
    recorder.match_ended(series.state());
    drop(recorder);
    lines
}

fn options(rules: &Rules, with_legal: bool, viewer: Option<Player>) -> LogOptions {
    let names = vec!["anybody".to_owned(); rules.plan().players()];
    let mut options = LogOptions::new(names, Notation::Ujmj);
    options.with_legal = with_legal;
    options.viewer = viewer;
    options
}

fn replays(rules: &Rules, lines: &[Line]) {
    match replay(lines, |_, _| Ok(rules)) {
        // The log of one player is complete only as far as its tiles are shown.
        Ok(done) => {
            assert!(
                done.complete || matches!(&lines[0], Line::StartGame(start) if start.id.is_some())
            )
        }
        Err(error) => {
            let at = error.line();
            let around: Vec<String> = lines[at.saturating_sub(6)..(at + 4).min(lines.len())]
                .iter()
                .map(|line| serde_json::to_string(line).unwrap())
                .collect();
            panic!("{}: {error}\n{}", rules.plan().id(), around.join("\n"));
        }
    }
}

/// One of those who are asked, at random. In the exchange of tiles one seat may be far ahead of others.
fn anyone(stream: &mut Stream) -> impl FnMut(&DealState) -> Seat {
    |state| {
        let asked: Vec<Seat> = state.waiting().iter().collect();
        asked[stream.below(asked.len() as u32) as usize]
    }
}

#[test]
fn logs_do_not_depend_on_the_order_of_answers() {
    for id in ruleset::ids() {
        let rules = short(id, "");
        for game in 0..3 {
            let seed = game_seed(71, game);
            for with_legal in [true, false] {
                let options = options(&rules, with_legal, None);
                let never = &mut || None;
                let mut in_turn = |state: &DealState| state.deciding().next().unwrap();
                let expected = play(&rules, seed, &options, &mut in_turn, never);
                replays(&rules, &expected);
                // As in the README: the first seat answers as long as it is asked.
                let mut first = |state: &DealState| state.waiting().first().unwrap();
                let lines = play(&rules, seed, &options, &mut first, never);
                assert!(lines == expected, "{id}, seed {seed}: the first seat first");
                let mut stream = Stream::new(seed, 5);
                let lines = play(&rules, seed, &options, &mut anyone(&mut stream), never);
                assert!(lines == expected, "{id}, seed {seed}: at random");
            }
        }
    }
}

#[test]
fn logs_in_which_hands_die_at_any_time_replay() {
    let rules = [
        short(
            "traditional",
            "options = { penalties = { default = true } }\n",
        ),
        short("riichi-mcgill", "penalties = { dead-hand = {} }\n"),
        short("hong-kong-old-style", "penalties = { dead-hand = {} }\n"),
    ];
    let mut in_windows = 0;
    for rules in rules {
        for game in 0..12 {
            let seed = game_seed(72, game);
            for (with_legal, viewer) in [(true, None), (false, None), (true, Player::new(1))] {
                let options = options(&rules, with_legal, viewer);
                let mut stream = Stream::new(seed, 6);
                let mut judge = Stream::new(seed, 7);
                let mut dies = || {
                    let seat = Seat::EAST.after(judge.below(4) as usize, 4);
                    (judge.below(20) == 0).then_some(seat)
                };
                let lines = play(&rules, seed, &options, &mut anyone(&mut stream), &mut dies);
                let dead = |line: &Line| matches!(line, Line::Penalty { dead: true, .. });
                let decided = |line: &Line| matches!(line, Line::Decision { .. });
                in_windows += lines
                    .windows(2)
                    .filter(|pair| decided(&pair[0]) && dead(&pair[1]))
                    .count();
                replays(&rules, &lines);
            }
        }
    }
    assert!(in_windows > 0);
}
