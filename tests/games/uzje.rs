//! Whole games of Ùzje for every table: conservation of tiles, replay, views, the end of a deal.

use crate::common::{all_tiles, game_log, golden};
use paishan::game::{Deal, Match};
use paishan::log::{Line, replay};
use paishan::random::Stream;
use paishan::ruleset::{self};
use paishan::state::{Action, Phase, Window};
use paishan::{Number, Player, Rules, Seat, Tile, game_seed};

fn uzje(options: &[&str]) -> Rules {
    let options: Vec<_> = options
        .iter()
        .map(|text| ruleset::parse_option(text).unwrap())
        .collect();
    Rules::by_id_with("uzje", &options).unwrap()
}

/// Every table: players, winds, flowers, tongs, quads.
fn tables() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for players in 3..=6 {
        for winds in ["full", "compressed"] {
            for flowers in [true, false] {
                for tongs in ["terminals", "all"] {
                    for quads in ["shown", "hidden"] {
                        all.push(vec![
                            format!("players={players}"),
                            format!("winds={winds}"),
                            format!("flowers={flowers}"),
                            format!("tongs={tongs}"),
                            format!("closed-quads={quads}"),
                            "length=games".to_owned(),
                            "games=2".to_owned(),
                        ]);
                    }
                }
            }
        }
    }
    all
}

#[test]
fn walls_have_the_width_of_the_table() {
    for (options, width) in [
        (["winds=compressed", "flowers=false", "tongs=terminals"], 20),
        (["winds=full", "flowers=false", "tongs=terminals"], 21),
        (["winds=full", "flowers=true", "tongs=terminals"], 22),
        (["winds=full", "flowers=true", "tongs=all"], 29),
        (["winds=compressed", "flowers=true", "tongs=all"], 28),
    ] {
        assert_eq!(uzje(&options).plan().tiles().len(), 2 * 4 * width);
    }
    assert_eq!(uzje(&["players=5"]).plan().tiles().len(), 232);
    assert_eq!(uzje(&["players=3"]).plan().tiles().len(), 176);
}

#[test]
fn logs_of_every_table_replay_whole_and_as_views() {
    for (i, table) in tables().iter().enumerate() {
        let options: Vec<&str> = table.iter().map(String::as_str).collect();
        let rules = uzje(&options);
        let seed = game_seed(11, i as u64);
        let agent = if i % 8 == 0 { "greedy" } else { "random" };
        let lines = game_log(&rules, agent, seed, None, true);
        let done = replay(&lines, Rules::by_id_with).unwrap_or_else(|e| panic!("{table:?}: {e:?}"));
        assert!(done.complete && done.hands == 2);
        let bare: Vec<Line> = lines
            .iter()
            .filter(|line| !matches!(line, Line::Decision { .. }))
            .cloned()
            .collect();
        replay(&bare, Rules::by_id_with).unwrap_or_else(|e| panic!("{table:?}: {e:?}"));
        let viewer = Player::new(i % rules.plan().players());
        let view = game_log(&rules, agent, seed, viewer, true);
        let done = replay(&view, Rules::by_id_with).unwrap_or_else(|e| panic!("{table:?}: {e:?}"));
        assert!(!done.complete);
        for line in &view {
            if let Line::Ankan {
                actor,
                consumed,
                hidden,
            } = line
            {
                let unseen = hidden.is_some() && Some(*actor) != viewer.map(Player::index);
                assert_eq!(consumed.iter().all(|tile| tile == "?"), unseen);
            }
        }
    }
}

#[test]
fn tiles_are_conserved_and_the_last_discard_is_only_won() {
    let mut last_discards = 0;
    for (i, table) in tables().iter().enumerate().step_by(3) {
        let options: Vec<&str> = table.iter().map(String::as_str).collect();
        let rules = uzje(&options);
        let all: Vec<Tile> = rules.plan().tiles().iter().collect();
        let players = rules.plan().players();
        let series = Match::new(&rules, game_seed(12, i as u64));
        let mut deal = Deal::start(&rules, series.state().setup());
        let mut stream = Stream::new(i as u64, 9);
        while let Some(seat) = deal.state().deciding().next() {
            let state = deal.state();
            assert_eq!(all_tiles(state), all);
            let turned = state.wall().turned().len();
            let kong_waits = matches!(state.phase(), Phase::Claims(claims) if !matches!(claims.window, Window::Discard | Window::Aside(_)));
            assert_eq!(
                turned,
                (1 + state.kongs() - usize::from(kong_waits)).min(16)
            );
            for other in Seat::all(players) {
                let on_turn = matches!(state.phase(), Phase::Turn(turn) if turn.seat == other);
                assert_eq!(state.hand(other).size(), 13 + usize::from(on_turn));
                assert!(!on_turn || state.hand(other).held_flowers().is_empty());
            }
            let legal = deal.legal(seat).clone();
            if state.wall().draws_left() == 0 {
                let allowed =
                    |action| matches!(action, Action::Pass | Action::Win | Action::Discard { .. });
                assert!(legal.iter().all(allowed));
                last_discards += 1;
            }
            let kong = legal
                .iter()
                .find(|action| matches!(action, Action::ConcealedKong(_) | Action::AddedKong(_)));
            let any = legal.nth(stream.below(legal.len() as u32) as usize);
            deal.act(seat, kong.or(any).unwrap()).unwrap();
        }
    }
    assert!(last_discards > 10);
}

/// A full match ends with its fourth set, a half match with its second; the deal comes back to the
/// first dealer each time, and stays with a dealer who wins and after a draw.
#[test]
fn matches_end_with_their_sets() {
    for (length, sets) in [("length=match", 4), ("length=half-match", 2)] {
        let rules = uzje(&[length, "players=3", "threshold=0.5"]);
        let lines = game_log(&rules, "greedy", game_seed(5, 1), None, false);
        let mut starts = Vec::new();
        for line in &lines {
            if let Line::StartKyoku(start) = line {
                starts.push((start.bakaze, start.kyoku, start.oya));
            }
        }
        let mut expected = Vec::new();
        let first = starts[0].2;
        for wind in "ESWN".chars().take(sets) {
            for kyoku in 1..=3 {
                expected.push((wind, kyoku, (first + kyoku - 1) % 3));
            }
        }
        starts.dedup();
        assert_eq!(starts, expected);
    }
}

/// A golden run: rules, values, seeds and agents together.
#[test]
fn a_seed_means_the_same_games_for_ever() {
    let rules = uzje(&["length=games", "games=4"]);
    let found = ["random", "greedy"].map(|name| golden(&rules, name, 3));
    assert_eq!(found, GOLDEN);
}

/// Decisions, draws, winners' points, and the FNV-1a hash of all lines.
const GOLDEN: [(u64, u64, i64, u64); 2] = [
    (1554, 10, 12, 7_375_874_261_414_915_227),
    (478, 0, 160, 10_678_702_070_063_042_505),
];

#[test]
fn half_points_are_booked_exactly() {
    let rules = uzje(&["length=games", "games=30"]);
    let lines = game_log(&rules, "greedy", game_seed(2, 2), None, false);
    let mut halves = 0;
    let mut totals = [0i64; 4];
    for line in &lines {
        if let Line::Hora(hora) = line {
            let (deltas, scores) = (hora.deltas.as_ref().unwrap(), hora.scores.as_ref().unwrap());
            assert_eq!(deltas.iter().map(|delta| delta.tenths()).sum::<i64>(), 0);
            for (total, delta) in totals.iter_mut().zip(deltas) {
                *total += delta.tenths();
                halves += usize::from(matches!(delta, Number::Decimal(_)));
            }
            assert_eq!(
                scores
                    .iter()
                    .map(|score| score.tenths())
                    .collect::<Vec<_>>(),
                totals
            );
        }
    }
    assert!(halves > 0);
}
