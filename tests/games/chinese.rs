//! Whole games of `traditional` and `celestial` under every option: conservation of tiles, sums,
//! replay, determinism.

use crate::common::{agents, all_tiles, game_log, golden, ruleset_with};
use paishan::game::{Ending, Match, MatchState, Observer, Outcome};
use paishan::log::{Line, replay};
use paishan::random::Stream;
use paishan::simulate::play;
use paishan::state::{DealState, Phase};
use paishan::{Player, Rules, Seat, Tile, game_seed};

/// Each game with each option away from its default, and with all together.
fn tables() -> Vec<Rules> {
    let traditional = [
        "flowers=false",
        "limit=100",
        "round-to=1",
        "start-points=300",
        "kong-box=1",
        "scholars-any-set=false",
        "loose-is-wall=true",
        "standing-frozen=true",
        "penalties=true",
        "bankruptcy=false",
    ];
    let celestial = [
        "flowers=false",
        "pay-higher-score=true",
        "limit=100",
        "cap=false",
        "losers-settle=false",
        "losers-bonus=false",
        "start-points=300",
        "sacred-hill=1",
    ];
    let mut tables = Vec::new();
    for (id, options) in [("traditional", &traditional[..]), ("celestial", &celestial)] {
        tables.push(ruleset_with(id, &["rounds=1"]));
        for option in options {
            tables.push(ruleset_with(id, &["rounds=1", option]));
        }
        let all: Vec<&str> = options.iter().copied().chain(["rounds=1"]).collect();
        tables.push(ruleset_with(id, &all));
    }
    tables
}

#[test]
fn tiles_are_conserved_and_payments_add_up() {
    let mut wins = 0;
    for (i, rules) in tables().iter().enumerate() {
        let all: Vec<Tile> = rules.plan().tiles().iter().collect();
        let mut greedy = agents(rules, "greedy");
        for game in 0..6 {
            let seed = game_seed(50 + i as u64, game);
            let series = Match::new(rules, seed);
            let mut deal = series.start_deal();
            let mut stream = Stream::new(seed, 99);
            while let Some(seat) = deal.state().waiting().first() {
                let state = deal.state();
                assert_eq!(all_tiles(state), all);
                for other in Seat::all(4) {
                    let on_turn = matches!(state.phase(), Phase::Turn(turn) if turn.seat == other);
                    assert_eq!(state.hand(other).size(), 13 + usize::from(on_turn));
                    assert!(state.hand(other).held_flowers().is_empty());
                }
                let legal = deal.legal(seat).clone();
                let action = if game % 2 == 0 {
                    greedy[seat.index()].decide(&state.view(seat), &legal)
                } else {
                    legal
                        .nth(stream.below(legal.len() as u32) as usize)
                        .unwrap()
                };
                deal.act(seat, action).unwrap();
            }
            let outcome = deal.outcome().unwrap();
            wins += outcome.wins().len();
            check_payments(outcome);
        }
    }
    assert!(wins > 30, "{wins} wins");
}

fn check_payments(outcome: &Outcome) {
    let settlement = &outcome.settlement;
    let deltas = |seat| settlement.deltas[seat];
    assert_eq!(Seat::all(4).map(deltas).sum::<i64>(), 0);
    for seat in Seat::all(4) {
        let paid: i64 = settlement
            .payments
            .iter()
            .map(|payment| match seat {
                _ if payment.from == seat => -payment.units,
                _ if payment.to == seat => payment.units,
                _ => 0,
            })
            .sum();
        assert_eq!(paid, deltas(seat));
    }
    let decided = !outcome.wins().is_empty() || matches!(outcome.ending, Ending::FalseWin(_));
    assert_eq!(decided, !settlement.payments.is_empty());
}

/// Stops after some deals.
struct Few(usize);

impl Observer for Few {
    fn deal_ended(
        &mut self,
        _: &MatchState,
        _: &DealState,
        outcome: &Outcome,
        _: paishan::game::Next,
    ) {
        self.0 -= 1;
        check_payments(outcome);
    }

    fn wants_more(&self) -> bool {
        self.0 > 0
    }
}

#[test]
fn logs_of_every_table_replay_whole_and_as_views() {
    for (i, rules) in tables().iter().enumerate() {
        let seed = game_seed(11, i as u64);
        let lines = game_log(rules, "greedy", seed, None, true);
        let done = replay(&lines, Rules::by_id_with);
        assert!(done.unwrap_or_else(|e| panic!("{i}: {e:?}")).complete);
        let bare: Vec<Line> = lines
            .iter()
            .filter(|line| !matches!(line, Line::Decision { .. }))
            .cloned()
            .collect();
        replay(&bare, Rules::by_id_with).unwrap_or_else(|e| panic!("{i}: {e:?}"));
        let view = game_log(rules, "greedy", seed, Player::new(i % 4), true);
        let done = replay(&view, Rules::by_id_with);
        assert!(!done.unwrap_or_else(|e| panic!("{i}: {e:?}")).complete);
        // Random players hardly ever win, so the dealer stays: a few deals will do.
        play(rules, &mut agents(rules, "random"), seed, &mut Few(5)).unwrap();
    }
}

/// What a test of the log of random players would never reach in time: false wins end deals at once.
#[test]
fn false_wins_are_logged_and_replayed() {
    let rules = ruleset_with("traditional", &["rounds=1", "penalties=true"]);
    let lines = game_log(&rules, "random", game_seed(3, 3), None, true);
    let penalties = lines
        .iter()
        .filter(|line| matches!(line, Line::Penalty { .. }))
        .count();
    assert!(penalties > 0);
    assert!(replay(&lines, Rules::by_id_with).unwrap().complete);
    // Somebody falls below 0 before the round is over.
    let Some(Line::EndGame { scores, .. }) = lines.last() else {
        panic!("the game ends");
    };
    assert!(scores.iter().any(|score| score.tenths() < 0));
}

#[test]
fn a_seed_means_the_same_games_for_ever() {
    let found = ["traditional", "celestial"].map(|id| {
        let rules = ruleset_with(id, &["rounds=1"]);
        golden(&rules, "greedy", 3)
    });
    assert_eq!(found, GOLDEN);
}

/// Decisions, draws, winners' points, and the FNV-1a hash of all lines.
const GOLDEN: [(u64, u64, i64, u64); 2] = [
    (721, 0, 750, 13_725_598_399_502_201_422),
    (769, 0, 818, 18_310_220_097_608_501_817),
];

#[test]
fn the_wind_of_the_round_turns_when_the_first_dealer_deals_again() {
    for id in ["traditional", "celestial"] {
        let rules = ruleset_with(id, &["rounds=2"]);
        let lines = game_log(&rules, "greedy", game_seed(8, 8), None, false);
        let mut first = None;
        let mut rounds = Vec::new();
        for line in &lines {
            let Line::StartKyoku(start) = line else {
                continue;
            };
            let first = *first.get_or_insert(start.oya);
            assert_eq!(start.kyoku, (start.oya + 4 - first) % 4 + 1);
            if rounds.last() != Some(&start.bakaze) {
                assert_eq!(start.oya, first);
                rounds.push(start.bakaze);
            }
        }
        assert_eq!(rounds, ['E', 'S'], "{id}");
    }
}
