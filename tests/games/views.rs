//! Logs of one player: the engine plays them again, and refuses what cannot have happened.

use crate::common::{game_log, ruleset_with};
use paishan::log::{Line, LogFault, ReplayError, replay};
use paishan::ruleset::{self};
use paishan::{Notation, Player, Rules, Seeds, game_seed};
use std::collections::BTreeMap;

/// A shipped ruleset with matches of a few deals, and with more lines.
fn short(id: &str, more: &str) -> Rules {
    let text = format!(
        "ruleset = {{ id = \"short-{id}\", extends = \"{id}\" }}\nmatch.ends = [{{ deals = 6 }}]\n{more}\n"
    );
    Rules::from_toml("short.toml", &text).unwrap_or_else(|e| panic!("{id}: {e}"))
}

fn short_rulesets() -> impl Iterator<Item = Rules> {
    ruleset::ids().map(|id| short(id, ""))
}

fn check(rules: &Rules, lines: &[Line]) -> Result<u32, ReplayError> {
    let done = replay(lines, |_, _| Ok(rules.clone()))?;
    assert!(!done.complete);
    assert_eq!(done.lines, lines.len());
    Ok(done.hands)
}

fn replay_all(rules: &Rules, seeds: u64) {
    for agent in ["random", "greedy", "first"] {
        for viewer in Player::all(rules.plan().players()) {
            for seed in 0..seeds {
                let with_legal = (viewer.index() as u64 + seed).is_multiple_of(2);
                let seed = game_seed(92, seed);
                let lines = game_log(rules, agent, seed, Some(viewer), with_legal);
                if let Err(error) = check(rules, &lines) {
                    let id = &rules.plan().id();
                    panic!("{id}, {agent}, player {viewer}, seed {seed}: {error:?}");
                }
            }
        }
    }
}

#[test]
fn a_log_of_one_player_replays_under_every_ruleset() {
    short_rulesets().for_each(|rules| replay_all(&rules, 4));
}

#[test]
fn a_log_of_one_player_replays_under_options_that_hide_more() {
    for (id, more) in [
        ("uzje", "options.closed-quads.default = \"hidden\""),
        ("uzje", "options.players.default = 3"),
        ("traditional", "options.penalties.default = true"),
        ("traditional", "options.standing-frozen.default = true"),
        (
            "riichi-mcgill",
            "options.temporary-furiten.default = \"any-wait\"",
        ),
    ] {
        replay_all(&short(id, more), 3);
    }
}

/// All three unseen hands are declared ready, and the wall is used up: the hidden tiles are those of these hands, and no
/// others are left to choose from.
#[test]
fn several_unseen_ready_hands_at_a_used_up_wall_fit() {
    let rules = ruleset_with("korean", &[]);
    for game in [30, 47] {
        let seeds = Seeds::from(77).of_game(game);
        let lines = game_log(&rules, "greedy", seeds, Player::new(1), false);
        let hands = check(&rules, &lines).unwrap_or_else(|e| panic!("game {game}: {e:?}"));
        assert_eq!(hands, 32, "game {game}");
    }
}

/// A player discards a joker taken out of a meld in the same turn, or another joker. A player who puts one of two like tiles
/// into a meld keeps the other. A hand of jokers alone has no tile that was passed to it.
#[test]
fn swapped_jokers_are_followed_in_the_log_of_one_player() {
    let text = "ruleset = { id = \"x\", extends = \"american\" }\n[wild.joker]\nswap-after-claim = false\n";
    let rules = Rules::from_toml("x.toml", text).unwrap();
    for (seed, games) in [(901, [6, 24, 56]), (903, [96, 158, 166])] {
        for game in games {
            let seeds = Seeds::from(seed).of_game(game);
            let lines = game_log(&rules, "random", seeds, Player::new(1), false);
            let hands = check(&rules, &lines).unwrap_or_else(|e| panic!("{seed}, {game}: {e:?}"));
            assert_eq!(hands, 16, "{seed}, {game}");
        }
    }
}

/// A joker that an unseen player takes after a claim was not drawn.
#[test]
fn jokers_swapped_after_a_claim_are_followed_in_the_log_of_one_player() {
    let rules = ruleset_with("american", &[]);
    let mut swaps = 0;
    for game in 0..4 {
        let seeds = Seeds::from(904).of_game(game);
        let lines = game_log(&rules, "random", seeds, Player::new(1), false);
        swaps += lines
            .windows(2)
            .filter(|pair| {
                let (Line::Pon { actor, .. } | Line::Daiminkan { actor, .. }) = &pair[0] else {
                    return false;
                };
                *actor != 1 && matches!(&pair[1], Line::Swap { actor: who, .. } if who == actor)
            })
            .count();
        let hands = check(&rules, &lines).unwrap_or_else(|e| panic!("{game}: {e:?}"));
        assert_eq!(hands, 16, "{game}");
    }
    assert!(swaps > 3, "{swaps}");
}

#[test]
fn a_ready_hand_for_which_no_tiles_are_found_is_named() {
    let rules = ruleset_with("korean", &[]);
    let lines = game_log(&rules, "greedy", Seeds::from(77), Player::new(1), false);
    let (mut named, mut others) = (0, 0);
    for (at, line) in lines.iter().enumerate().take(150) {
        let Line::Dahai { actor, .. } = *line else {
            continue;
        };
        let mut altered = lines.clone();
        altered.insert(at, Line::Reach { actor });
        let fault = LogFault::Unfitted { player: actor };
        let line = at + 1;
        match check(&rules, &altered).unwrap_err() {
            error if error == (ReplayError::Malformed { line, fault }) => named += 1,
            _ => others += 1,
        }
    }
    assert!(named > 5 && others > 5, "{named} named, {others} others");
}

/// A log of everything without its walls.
#[test]
fn a_log_without_walls_replays_with_walls_that_fit() {
    for rules in short_rulesets() {
        for agent in ["random", "greedy"] {
            let mut lines = game_log(&rules, agent, game_seed(92, 9), None, true);
            for line in &mut lines {
                match line {
                    Line::StartGame(start) => start.game_seed = None,
                    Line::StartKyoku(start) => start.wall = None,
                    _ => {}
                }
            }
            let hands = check(&rules, &lines).unwrap_or_else(|e| panic!("{agent}: {e:?}"));
            assert_eq!(hands, 6, "{}", rules.plan().id());
        }
    }
}

/// An alteration of a log at one of its lines, if it can be made there.
type Alter = fn(&mut Vec<Line>, usize) -> bool;

/// Alterations that no player's view can hide.
const ALTERATIONS: [(&str, Alter); 11] = [
    ("discard left out", |lines, at| {
        matches!(lines.remove(at), Line::Dahai { .. })
    }),
    ("draw left out", |lines, at| {
        matches!(lines.remove(at), Line::Tsumo { .. })
    }),
    ("missing suit left out", |lines, at| {
        matches!(lines.remove(at), Line::Missing { .. })
    }),
    ("draw before the discard", |lines, at| {
        let is_pair = matches!(lines[at..], [Line::Dahai { .. }, Line::Tsumo { .. }, ..]);
        if is_pair {
            lines.swap(at, at + 1);
        }
        is_pair
    }),
    ("tile beside a claimed pung", |lines, at| {
        match &mut lines[at] {
            Line::Pon { consumed, .. } => change(&mut consumed[1]),
            _ => false,
        }
    }),
    ("tile beside a claimed run", |lines, at| {
        match &mut lines[at] {
            Line::Chi { consumed, .. } => change(&mut consumed[1]),
            _ => false,
        }
    }),
    ("claimed tile", |lines, at| match &mut lines[at] {
        Line::Pon { pai, .. } | Line::Chi { pai, .. } => change(pai),
        _ => false,
    }),
    ("worth of a win", |lines, at| match &mut lines[at] {
        Line::Hora(hora) => {
            let is_17 = hora.hora_points == Some(17.into());
            hora.hora_points = Some(if is_17 { 18.into() } else { 17.into() });
            true
        }
        _ => false,
    }),
    ("reading of a win", |lines, at| match &mut lines[at] {
        Line::Hora(hora) => hora
            .yakus
            .as_mut()
            .is_some_and(|yakus| yakus.pop().is_some()),
        _ => false,
    }),
    ("ranks", |lines, at| match &mut lines[at] {
        Line::EndGame { ranks, .. } => {
            ranks[0] += 1;
            true
        }
        _ => false,
    }),
    ("line after the end", |lines, at| {
        let line = lines[at].clone();
        lines.push(line);
        true
    }),
];

/// Turns a tile into a wind that makes a meld with no other tile.
fn change(tile: &mut String) -> bool {
    let other = if tile == "E" { "S" } else { "E" };
    *tile = other.to_owned();
    true
}

#[test]
fn an_altered_log_of_one_player_is_refused() {
    let mut made: BTreeMap<&str, usize> = BTreeMap::new();
    for rules in short_rulesets() {
        let id = &rules.plan().id();
        for (agent, viewer, with_legal) in [("greedy", 0, false), ("random", 1, true)] {
            let lines = game_log(
                &rules,
                agent,
                game_seed(93, 1),
                Player::new(viewer),
                with_legal,
            );
            // The first lines of a log have the rarest events before the first turn.
            let places = (1..60)
                .chain((60..lines.len()).step_by(23))
                .chain([lines.len() - 1]);
            for at in places.filter(|&at| at < lines.len()) {
                for (name, alter) in ALTERATIONS {
                    let mut altered = lines.clone();
                    if !alter(&mut altered, at) || name == "line after the end" && at % 20 != 1 {
                        continue;
                    }
                    *made.entry(name).or_default() += 1;
                    let before = lines.get(at);
                    assert!(
                        check(&rules, &altered).is_err(),
                        "{id}, {agent}: {name} at line {at}, {before:?}"
                    );
                }
            }
        }
    }
    for (name, _) in ALTERATIONS {
        assert!(
            made.get(name).is_some_and(|&made| made >= 3),
            "{name}: {made:?}"
        );
    }
}

/// A hand in riichi is never shown when somebody else wins.
#[test]
fn unseen_hands_may_declare_riichi() {
    let rules = ruleset_with("riichi-tenhou", &[]);
    let mut unseen = 0;
    for seed in 0..3 {
        let lines = game_log(&rules, "greedy", game_seed(94, seed), Player::new(2), false);
        let deals = lines.split(|line| matches!(line, Line::StartKyoku { .. }));
        for deal in deals {
            let shown = |player: usize| {
                deal.iter().any(|line| match line {
                    Line::Hora(hora) => hora.actor == player,
                    Line::Ryukyoku {
                        tehais: Some(tehais),
                        ..
                    } => tehais[player].iter().all(|tile| tile != "?"),
                    _ => false,
                })
            };
            let is_hidden = |line: &&Line| matches!(line, Line::Reach { actor } if *actor != 2 && !shown(*actor));
            unseen += deal.iter().filter(is_hidden).count();
        }
        replay(&lines, Rules::by_id_with).unwrap();
    }
    assert!(unseen > 3, "{unseen}");
}

/// A tile that only one player could have seen is in the notation of the log.
#[test]
fn a_log_of_one_player_replays_in_every_notation() {
    let rules = ruleset_with("riichi-tenhou", &[]);
    for notation in [Notation::Ujmj, Notation::Mpsz, Notation::Mjai] {
        let mut options = paishan::log::LogOptions::new(vec!["greedy".to_owned(); 4], notation);
        options.viewer = Player::new(3);
        let mut lines = Vec::new();
        let mut agents = paishan::agent::for_all("greedy", rules.plan()).unwrap();
        let mut recorder =
            paishan::log::Recorder::new(rules.plan(), options, |line| lines.push(line));
        paishan::simulate::play(&rules, &mut agents, 5, &mut recorder).unwrap();
        drop(recorder);
        assert!(!replay(&lines, Rules::by_id_with).unwrap().complete);
    }
}
