//! Whole games of Riichi under every option: conservation of tiles and points, replay with and without
//! walls, views, determinism.

use crate::common::{RIICHI_PRESETS, agents, all_tiles, game_log, golden, ruleset_with};
use paishan::game::{Deal, Match, MatchState, Moves, Observer, Outcome};
use paishan::log::mjai::Message;
use paishan::log::{
    Line, LogOptions, Recorder, ReplayError, replay, replay_plain, replay_plain_to, replay_to,
};
use paishan::ruleset::{self, OptionType, Ruleset};
use paishan::simulate::{Summary, play};
use paishan::state::{Action, DealState, Phase};
use paishan::{Notation, Player, Rules, Seat, Tile, game_seed};

/// Every option of Riichi at another value than its default, one at a time and many together, and the
/// presets.
fn tables() -> Vec<Rules> {
    let plain = ruleset_with("riichi-mcgill", &["rounds=1"]);
    let mut tables = vec![plain.clone()];
    let mut all = Vec::new();
    for (spec, value) in plain.plan().options().iter() {
        let other = match &spec.kind {
            OptionType::Bool => (value != &true.into()).into(),
            OptionType::Enum { values } => {
                let mut words = values.iter().map(|word| word.as_str().into());
                words.find(|word| word != value).unwrap()
            }
            // More rounds or points would only be more of the same.
            OptionType::Int { .. } if spec.name == "rounds" => continue,
            OptionType::Int { min, max, step } => {
                let wanted = [min + 2 * step, *min];
                let other = wanted
                    .into_iter()
                    .find(|n| n <= max && value != &(*n).into());
                other.unwrap().into()
            }
            OptionType::Words { .. } => ruleset::OptionValue::Words(Vec::new()),
            OptionType::Ints { len, .. } => ruleset::OptionValue::Ints(vec![0; *len]),
            other => panic!("{other:?}"),
        };
        let set = (spec.name.clone(), other);
        let one = [("rounds".to_owned(), 1.into()), set.clone()];
        tables.push(Rules::by_id_with("riichi-mcgill", &one).unwrap());
        all.push(set);
    }
    assert_eq!(tables.len(), 59);
    for id in RIICHI_PRESETS {
        tables.push(ruleset_with(id, &["rounds=1"]));
    }
    all.retain(|(name, _)| name != "start-points");
    all.push(("rounds".to_owned(), 1.into()));
    tables.push(Rules::by_id_with("riichi-mcgill", &all).unwrap());
    tables
}

/// Looks at every deal that ends.
struct Sums<'a> {
    rules: &'a dyn Ruleset,
    deals: usize,
}

impl Observer for Sums<'_> {
    fn deal_ended(
        &mut self,
        series: &MatchState,
        state: &DealState,
        outcome: &Outcome,
        _: paishan::game::Next,
    ) {
        self.deals += 1;
        // What is missing from the totals lies on the table.
        let start = 4 * self.rules.plan().matches().start_points;
        let deposits = i64::from(series.on_table().deposits) * 1000;
        assert_eq!(series.totals().iter().sum::<i64>() + deposits, start);
        let settlement = &outcome.settlement;
        for seat in Seat::all(4) {
            let paid = |from: Seat, to: Seat| -> i64 {
                let between = settlement
                    .payments
                    .iter()
                    .filter(|p| p.from == from && p.to == to);
                between.map(|payment| payment.units).sum()
            };
            let taken = settlement.deposits.filter(|(who, _)| *who == seat);
            let sum: i64 = Seat::all(4)
                .map(|other| paid(other, seat) - paid(seat, other))
                .sum();
            assert_eq!(
                sum + taken.map_or(0, |(_, units)| units),
                settlement.deltas[seat]
            );
            let accepted = state.riichi(seat).is_some_and(|riichi| riichi.accepted);
            let change = outcome.change(series.plan(), state, seat);
            assert_eq!(settlement.deltas[seat] - change, 1000 * i64::from(accepted));
        }
    }
}

#[test]
fn logs_of_every_table_replay() {
    let mut deals = 0;
    for (i, rules) in tables().iter().enumerate() {
        let seed = game_seed(13, i as u64);
        for agent in ["greedy", "random"] {
            let lines = game_log(rules, agent, seed, None, true);
            let done = replay(&lines, Rules::by_id_with);
            assert!(done.unwrap_or_else(|e| panic!("{i}: {e:?}")).complete);
            let bare: Vec<Line> = lines
                .iter()
                .filter(|line| !matches!(line, Line::Decision { .. }))
                .cloned()
                .collect();
            replay(&bare, Rules::by_id_with).unwrap_or_else(|e| panic!("{i}: {e:?}"));
            let view = game_log(rules, agent, seed, Player::new(i % 4), true);
            let done = replay(&view, Rules::by_id_with);
            assert!(!done.unwrap_or_else(|e| panic!("{i}: {e:?}")).complete);
            let plain = plain_log(rules, agent, seed);
            replay_plain(rules, &plain).unwrap_or_else(|e| panic!("{i}: {e:?}"));
            let mut sums = Sums { rules, deals: 0 };
            play(rules, &mut agents(rules, agent), seed, &mut sums).unwrap();
            deals += sums.deals;
        }
    }
    assert!(deals > 400, "{deals}");
}

/// True when the replayed decisions are the first of all that were made. A log without decisions does not tell a claim
/// that another one beat. It is replayed as a pass.
fn tells(replayed: &[(Seat, Action)], made: &[(Seat, Action)]) -> bool {
    replayed.len() <= made.len()
        && replayed
            .iter()
            .zip(made)
            .all(|(replayed, made)| replayed == made || *replayed == (made.0, Action::Pass))
}

/// Any message of a record of others gives the table as it was, observers hear of it, and a record that breaks off is
/// read up to there.
#[test]
fn plain_records_are_stepped() {
    let (mut stepped, mut ended) = (0, 0);
    for (i, rules) in tables().iter().enumerate() {
        let seed = game_seed(17, i as u64);
        let plain = plain_log(rules, "greedy", seed);
        let mut all = Moves::new(seed);
        play(rules, &mut agents(rules, "greedy"), seed, &mut all).unwrap();
        for at in (0..=plain.len()).filter(|at| at % 23 == 0 || *at == plain.len()) {
            let mut seen = (Moves::new(0), Summary::default());
            let (series, deal) = replay_plain_to(rules, &plain, at, &mut seen)
                .unwrap_or_else(|e| panic!("{i} at {at}: {e:?}"));
            let (moves, summary) = seen;
            let made = moves.decisions().len();
            assert!(tells(moves.decisions(), all.decisions()), "{i} at {at}");
            assert_eq!(summary.decisions, made as u64);
            assert_eq!(summary.matches, u64::from(series.is_over()));
            // The same table on its own walls.
            let mut own = all.clone();
            own.truncate(made);
            let (own, own_deal) = own.resume(Match::new(rules, seed)).unwrap();
            assert_eq!(series.totals(), own.totals());
            assert_eq!(series.is_over(), own.is_over());
            if !own.is_over() {
                let own_deal = own_deal.unwrap_or_else(|| own.start_deal());
                let (found, expected) = (deal.unwrap(), own_deal);
                for seat in Seat::all(rules.plan().players()) {
                    let hand = |deal: &Deal<_>| *deal.state().hand(seat);
                    assert_eq!(hand(&found), hand(&expected), "{i} at {at}");
                    assert_eq!(found.legal(seat), expected.legal(seat), "{i} at {at}");
                    assert_eq!(found.state().points(seat), expected.state().points(seat));
                }
                assert_eq!(found.state().discards(), expected.state().discards());
                stepped += 1;
            }
            // The record breaks off there.
            if plain[..at]
                .iter()
                .any(|message| matches!(message, Message::StartKyoku { .. }))
            {
                let mut broken = Moves::new(0);
                let (series, deal) = replay_plain_to(rules, &plain[..at], usize::MAX, &mut broken)
                    .unwrap_or_else(|e| panic!("{i} up to {at}: {e:?}"));
                assert_eq!(broken.decisions(), moves.decisions(), "{i} up to {at}");
                assert_eq!(series.totals(), own.totals());
                ended += usize::from(deal.is_none());
            }
        }
        // What follows no rule is still an error, and the whole record may not break off.
        let mut wrong = plain[..plain.len() / 2].to_vec();
        let last = wrong
            .iter()
            .rposition(|message| matches!(message, Message::Dahai { .. }));
        wrong[last.unwrap()] = Message::Dahai {
            actor: 0,
            pai: "?".to_owned(),
            tsumogiri: Some(true),
        };
        assert!(replay_plain_to(rules, &wrong, usize::MAX, &mut ()).is_err());
        assert!(replay_plain(rules, &plain[..plain.len() / 2]).is_err());
    }
    assert!(stepped > 100 && ended > 0, "{stepped} {ended}");
}

/// A log of our own that breaks off is read up to there, too.
#[test]
fn own_logs_that_break_off_are_read() {
    for id in ["riichi-mcgill", "sichuan", "traditional"] {
        let rules = Rules::by_id(id).unwrap();
        let mut all = Moves::new(4);
        play(&rules, &mut agents(&rules, "greedy"), 4, &mut all).unwrap();
        for with_legal in [true, false] {
            let lines = game_log(&rules, "greedy", 4, None, with_legal);
            for at in (2..lines.len()).step_by(29) {
                let mut moves = Moves::new(4);
                let read = replay_to(&lines[..at], usize::MAX, Rules::by_id_with, &mut moves);
                let (series, deal) = read.unwrap_or_else(|e| panic!("{id} up to {at}: {e:?}"));
                let made = moves.decisions().len();
                assert!(tells(moves.decisions(), all.decisions()), "{id} up to {at}");
                moves.truncate(made);
                let (own, own_deal) = moves.resume(Match::new(&rules, 4)).unwrap();
                assert_eq!(series.save(), own.save());
                if let (Some(deal), Some(own)) = (deal, own_deal) {
                    assert_eq!(deal.state(), own.state(), "{id} up to {at}");
                }
            }
            assert!(replay(&lines[..lines.len() / 2], Rules::by_id_with).is_err());
        }
    }
}

/// A game as plain mjai.
fn plain_log(rules: &dyn Ruleset, agent: &str, seed: u64) -> Vec<Message> {
    let options = LogOptions::new(vec![agent.to_owned(); 4], Notation::Mjai);
    let mut messages = Vec::new();
    let mut recorder = Recorder::new(rules.plan(), options, |line| {
        messages.extend(Message::plain(rules.plan(), &line));
    });
    play(rules, &mut agents(rules, agent), seed, &mut recorder).unwrap();
    drop(recorder);
    // As text and back: nothing is lost.
    let text: Vec<String> = messages
        .iter()
        .map(|message| serde_json::to_string(message).unwrap())
        .collect();
    let read: Vec<Message> = text
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    assert_eq!(read, messages);
    messages
}

/// A bot can read the rules from the first message, and from the last what the end of the match added.
#[test]
fn a_plain_log_names_the_rules_and_the_final_adjustment() {
    let rules = ruleset_with("riichi-tenhou", &["rounds=1", "red-fives=[0,2,0]"]);
    let mut messages = plain_log(&rules, "greedy", 3);
    assert_eq!(
        serde_json::to_string(&messages[0]).unwrap(),
        r#"{"type":"start_game","names":["greedy","greedy","greedy","greedy"],"ruleset":"riichi-tenhou","options":{"red-fives":[0,2,0],"rounds":1},"red_fives":["5sr","5sr"]}"#
    );
    let totals = messages.iter().rev().find_map(|message| match message {
        Message::Hora { scores, .. } | Message::Ryukyoku { scores, .. } => scores.clone(),
        _ => None,
    });
    let Some(Message::EndGame {
        scores: Some(scores),
        bonus: Some(bonus),
        ..
    }) = messages.last_mut()
    else {
        panic!("the match is over");
    };
    let sums = totals.iter().flatten().zip(&*bonus).map(|(a, b)| a + b);
    assert_eq!(sums.collect::<Vec<_>>(), *scores);
    assert_eq!(bonus.len(), 4);
    bonus[0] += 1000;
    assert!(replay_plain(&rules, &messages).is_err());
    let Some(Message::EndGame { bonus, .. }) = messages.last_mut() else {
        unreachable!();
    };
    *bonus = None;
    replay_plain(&rules, &messages).unwrap();
}

/// In what one player sees, too, only the dealer ends the game, only with a result, and then it is over.
#[test]
fn the_end_of_a_game_stands_where_it_may() {
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let mut seen = 0;
    for seed in 0..40 {
        let view = game_log(&rules, "greedy", seed, Player::new(1), false);
        let Some(at) = view
            .iter()
            .position(|line| matches!(line, Line::End { .. }))
        else {
            continue;
        };
        seen += 1;
        replay(&view, Rules::by_id_with).unwrap();
        let Line::End { actor } = view[at] else {
            panic!("it is the end");
        };
        let mut refused = Vec::new();
        refused.extend(
            (1..view.len())
                .step_by(7)
                .filter(|other| *other != at)
                .map(|other| {
                    let mut log = view.clone();
                    log.insert(other, Line::End { actor });
                    log
                }),
        );
        let mut other = view.clone();
        other[at] = Line::End {
            actor: (actor + 1) % 4,
        };
        refused.push(other);
        let mut goes_on = view.clone();
        if let Line::EndKyoku { next, .. } = &mut goes_on[at + 1] {
            *next = paishan::log::NextDeal::Pass;
        }
        refused.push(goes_on);
        for log in refused {
            replay(&log, Rules::by_id_with).unwrap_err();
        }
        if seen == 3 {
            return;
        }
    }
    panic!("too few games were ended by their dealers: {seen}");
}

/// The place of an indicator is free, the line is not: whatever else is known of a game, each that is due
/// must be told, and no other may be.
#[test]
fn indicators_are_told_where_they_are_due() {
    let rules = ruleset_with("riichi-mcgill", &["rounds=1"]);
    let (mut left_out, mut added) = (0, 0);
    for seed in 0..12 {
        let view = game_log(&rules, "random", seed, Player::new(1), false);
        let plain = plain_log(&rules, "random", seed);
        let is_dora = |line: &Line| matches!(line, Line::Dora { .. });
        for at in (0..view.len()).filter(|&at| is_dora(&view[at])) {
            let mut short = view.clone();
            short.remove(at);
            replay(&short, Rules::by_id_with).unwrap_err();
            left_out += 1;
        }
        for at in (0..plain.len()).filter(|&at| matches!(plain[at], Message::Dora { .. })) {
            let mut short = plain.clone();
            short.remove(at);
            replay_plain(&rules, &short).unwrap_err();
        }
        // One more, right after a kong or a discard.
        let may_come = |line: &Line| {
            matches!(
                line,
                Line::Kakan { .. } | Line::Ankan { .. } | Line::Daiminkan { .. }
            )
        };
        for at in (0..view.len()).filter(|&at| may_come(&view[at])) {
            let mut long = view.clone();
            let dora_marker = "1t".to_owned();
            long.insert(at + 1, Line::Dora { dora_marker });
            replay(&long, Rules::by_id_with).unwrap_err();
            added += 1;
        }
    }
    assert!(left_out > 10 && added > 10, "{left_out} {added}");
}

#[test]
fn a_changed_plain_log_does_not_replay() {
    let rules = ruleset_with("riichi-mcgill", &["rounds=1"]);
    let log = plain_log(&rules, "greedy", game_seed(5, 5));
    let fault = |log: &[Message]| replay_plain(&rules, log).unwrap_err();
    let place = |wanted: fn(&Message) -> bool| log.iter().position(wanted).unwrap();
    let changed = |at: usize, change: &dyn Fn(&mut Message)| {
        let mut log = log.clone();
        change(&mut log[at]);
        fault(&log)
    };

    let win = place(|message| matches!(message, Message::Hora { .. }));
    for change in [
        (|message| {
            if let Message::Hora { fu, .. } = message {
                *fu = Some(90)
            }
        }) as fn(&mut Message),
        |message| {
            if let Message::Hora { fan, .. } = message {
                *fan = Some(12)
            }
        },
        |message| {
            if let Message::Hora {
                deltas: Some(deltas),
                ..
            } = message
            {
                deltas[0] += 100
            }
        },
        |message| {
            if let Message::Hora {
                scores: Some(scores),
                ..
            } = message
            {
                scores[1] += 100
            }
        },
        |message| {
            if let Message::Hora {
                yakus: Some(yakus), ..
            } = message
            {
                yakus.clear()
            }
        },
    ] {
        let error = changed(win, &change);
        assert!(
            matches!(error, ReplayError::Disagrees { line, .. } if line == win),
            "{error:?}"
        );
    }
    // What the log does not tell is not compared; names of others are not, either.
    let mut short = log.clone();
    if let Message::Hora {
        fu, deltas, yakus, ..
    } = &mut short[win]
    {
        (*fu, *deltas) = (None, None);
        *yakus = Some(vec![("reach".to_owned(), 1)]);
    }
    replay_plain(&rules, &short).unwrap();

    // The second hand: who deals, counters, totals.
    let second = log
        .iter()
        .enumerate()
        .filter(|(_, message)| matches!(message, Message::StartKyoku { .. }));
    let (second, _) = second.into_iter().nth(1).unwrap();
    let error = changed(second, &|message| {
        if let Message::StartKyoku { honba, .. } = message {
            *honba += 1
        }
    });
    assert_eq!(error.line(), second);
    let error = changed(second, &|message| {
        if let Message::StartKyoku { oya, .. } = message {
            *oya = (*oya + 1) % 4
        }
    });
    assert_eq!(error.line(), second);
    // A fifth tile of a kind, a tile that is none, a hidden one.
    let draw = place(|message| matches!(message, Message::Tsumo { .. }));
    for pai in ["x", "?", "5m6m"] {
        let error = changed(draw, &|message| {
            if let Message::Tsumo { pai: tile, .. } = message {
                pai.clone_into(tile)
            }
        });
        assert_eq!(error.line(), draw, "{pai}");
    }
    let mut many = log.clone();
    let draws = many[..win]
        .iter_mut()
        .filter(|message| matches!(message, Message::Tsumo { .. }));
    for message in draws.take(5) {
        if let Message::Tsumo { pai, .. } = message {
            "E".clone_into(pai);
        }
    }
    assert!(matches!(fault(&many), ReplayError::Malformed { .. }));
    // It breaks off, and goes on too long.
    let end = log.len();
    assert_eq!(fault(&log[..end - 4]).line(), end - 4);
    let mut long = log.clone();
    long.push(Message::EndKyoku);
    assert_eq!(fault(&long).line(), end);
    // Another ruleset has no such game.
    let woo = ruleset_with("woo", &[]);
    assert!(replay_plain(&woo, &log).is_err());
    assert!(replay_plain(&rules, &[]).is_err());
}

#[test]
fn tiles_are_conserved_and_a_seed_means_the_same_games() {
    let rules = ruleset_with("riichi-mcgill", &[]);
    let all: Vec<Tile> = rules.plan().tiles().iter().collect();
    let mut greedy = agents(&rules, "greedy");
    for game in 0..30 {
        let series = Match::new(&rules, game_seed(60, game));
        let mut deal = series.start_deal();
        while let Some(seat) = deal.state().waiting().first() {
            let state = deal.state();
            assert_eq!(all_tiles(state), all);
            for other in Seat::all(4) {
                let on_turn = matches!(state.phase(), Phase::Turn(turn) if turn.seat == other);
                assert_eq!(state.hand(other).size(), 13 + usize::from(on_turn));
            }
            let action = greedy[seat.index()].decide(&state.view(seat), deal.legal(seat));
            deal.act(seat, action).unwrap();
        }
    }
    let found = ["random", "greedy"].map(|name| golden(&rules, name, 3));
    assert_eq!(found, GOLDEN);
}

/// Decisions, draws, winners' points, and the FNV-1a hash of all lines.
const GOLDEN: [(u64, u64, i64, u64); 2] = [
    (2239, 25, 0, 5_645_721_924_807_686_683),
    (2165, 6, 125_400, 16_067_424_355_079_529_859),
];
