//! A server that saves after every decision: what it goes on from is what it had.

use crate::common::{agents, game_log};
use paishan::encode::{Checkpoint, ResumeCheckpointError};
use paishan::game::{
    Deal, Match, Moves, MovesError, Observer, RecordError, RestoreError, SavedMatch,
};
use paishan::log::{Line, LogOptions, Recorder, ReplayError, replay, replay_to};
use paishan::random::{Seed, Stream};
use paishan::ruleset::{self, Plan, Ruleset};
use paishan::simulate::Summary;
use paishan::state::{Action, DealState, Legal, Phase};
use paishan::{Notation, Player, Rules, Seat};
use std::collections::HashSet;
use std::sync::Arc;

fn load(id: &str) -> Rules {
    Rules::by_id(id).unwrap()
}

/// What somebody may do, or the end.
fn choose(deal: &Deal<Rules>, stream: &mut Stream) -> Option<(Seat, Action)> {
    let seat = deal.state().deciding().next()?;
    let legal = deal.legal(seat);
    let place = |len| stream.below(len as u32) as usize;
    Some((seat, legal.pick(place).unwrap()))
}

fn recorder(rules: &Rules, write: impl FnMut(Line)) -> impl Observer {
    let names = vec!["somebody".to_owned(); rules.plan().players()];
    let mut options = LogOptions::new(names, Notation::Ujmj);
    options.with_legal = true;
    Recorder::new(rules.plan(), options, write)
}

/// A match, and a server that is killed after every decision and goes on from what it has saved. It saves the match
/// between deals and the moves of the current deal.
#[test]
fn a_server_goes_on_from_every_decision() {
    for id in ["riichi-mcgill", "uzje", "traditional", "woo"] {
        let rules = load(id);
        let mut stream = Stream::new(5, 5);
        let mut series = Match::new(rules.clone(), 9);
        for _ in 0..3 {
            let saved = series.save();
            assert_eq!(Match::restore(rules.clone(), &saved).unwrap().save(), saved);
            let mut moves = Moves::new(9);
            let mut deal = series.start_deal_observed(&mut moves);
            while let Some((seat, action)) = choose(&deal, &mut stream) {
                deal.act_observed(seat, action, &mut moves).unwrap();
                let fresh = Match::restore(rules.clone(), &saved).unwrap();
                let (again, resumed) = moves.resume(fresh).unwrap();
                match resumed {
                    Some(mut resumed) => {
                        assert_eq!(again.save(), saved);
                        assert_eq!(resumed.state(), deal.state(), "{id}");
                        for seat in Seat::all(rules.plan().players()) {
                            assert_eq!(resumed.legal(seat), deal.legal(seat), "{id}");
                        }
                        std::mem::swap(&mut deal, &mut resumed);
                    }
                    None => assert_eq!(deal.state().phase(), &Phase::Over),
                }
            }
            let fresh = Match::restore(rules.clone(), &saved).unwrap();
            let (again, none) = moves.resume(fresh).unwrap();
            assert!(none.is_none());
            series.finish(&deal).unwrap();
            assert_eq!(again.save(), series.save());
            if series.is_over() {
                break;
            }
        }
    }
}

/// The lines of a match are the same whether it is played in one go or is saved, dropped and taken up in between.
#[test]
fn the_log_of_a_resumed_match_is_the_same() {
    for id in ["riichi-tenhou", "celestial"] {
        let rules = load(id);
        let mut whole = Vec::new();
        let mut moves = Moves::new(4);
        let mut series = Match::new(rules.clone(), 4);
        {
            let mut all: Vec<Box<dyn Observer + '_>> = vec![
                Box::new(recorder(&rules, |line| whole.push(line))),
                Box::new(&mut moves),
            ];
            all.match_started(series.state());
            let mut players = agents(&rules, "random");
            while !series.is_over() {
                let mut deal = series.start_deal_observed(&mut all);
                while let Some(seat) = deal.state().deciding().next() {
                    let view = deal.state().view(seat);
                    let action = players[seat.index()].decide(&view, deal.legal(seat));
                    deal.act_observed(seat, action, &mut all).unwrap();
                }
                let next = series.finish(&deal).unwrap();
                all.deal_ended(series.state(), deal.state(), deal.outcome().unwrap(), next);
            }
            all.match_ended(series.state());
        }
        let all = moves.decisions().len();
        for kept in [0, 1, all / 3, all / 2, all - 1, all] {
            let mut half = moves.clone();
            half.truncate(kept);
            let mut lines = Vec::new();
            let mut watching = (recorder(&rules, |line| lines.push(line)), half.clone());
            watching.1.truncate(0);
            let (mut series, mut deal) = half
                .resume_observed(Match::new(rules.clone(), 4), &mut watching)
                .unwrap();
            assert_eq!(watching.1, half);
            let mut left = moves.decisions()[kept..].iter();
            while !series.is_over() {
                let mut playing = match deal.take() {
                    Some(deal) => deal,
                    None => series.start_deal_observed(&mut watching),
                };
                while !playing.state().waiting().is_empty() {
                    let &(seat, action) = left.next().unwrap();
                    playing.act_observed(seat, action, &mut watching).unwrap();
                }
                let next = series.finish(&playing).unwrap();
                let outcome = playing.outcome().unwrap();
                watching.deal_ended(series.state(), playing.state(), outcome, next);
            }
            watching.match_ended(series.state());
            drop(watching);
            assert_eq!(lines, whole, "{id} after {kept} of {all} decisions");
        }
        // Any line of the log gives the table as it was then.
        for line in (0..whole.len()).step_by(whole.len() / 40) {
            let (_, deal) = replay_to(&whole, line, Rules::by_id_with, &mut ()).unwrap();
            let Some(deal) = deal else { continue };
            let behind = &whole[line..];
            let decision = behind.iter().find_map(|line| match line {
                Line::Decision { actor, legal, .. } => Some((*actor, legal.len())),
                _ => None,
            });
            let state = deal.state();
            let seat = state.deciding().next().unwrap();
            let player = seat.player(state.dealer(), state.players());
            let found = (player.index(), deal.legal(seat).len());
            assert_eq!(Some(found), decision, "{id} at line {line}");
        }
    }
}

#[test]
fn a_judge_is_part_of_the_moves() {
    let rules = load("traditional");
    let mut moves = Moves::new(3);
    let series = Match::new(rules.clone(), 3);
    let mut deal = series.start_deal_observed(&mut moves);
    let mut stream = Stream::new(1, 1);
    for step in 0..12 {
        if step == 6 {
            deal.declare_dead_observed(Seat::EAST.after(2, 4), &mut moves)
                .unwrap();
        }
        let (seat, action) = choose(&deal, &mut stream).unwrap();
        deal.act_observed(seat, action, &mut moves).unwrap();
    }
    let other = moves.resume(Match::new(rules.clone(), 4)).map(|_| ());
    let (found, expected) = (3.into(), 4.into());
    assert_eq!(other, Err(MovesError::OtherSeed { found, expected }));
    let mut all = moves.clone();
    all.truncate(moves.decisions().len());
    assert_eq!(all, moves);
    let (_, again) = moves.resume(Match::new(rules, 3)).unwrap();
    let again = again.unwrap();
    assert!(again.state().hand(Seat::EAST.after(2, 4)).is_dead());
    assert_eq!(again.state(), deal.state());
}

/// Every state between deals, also the last, in every ruleset.
#[test]
fn every_state_of_a_match_is_restored() {
    for id in ruleset::ids() {
        for agent in ["greedy", "random"] {
            let rules = load(id);
            let mut series = Match::new(rules.clone(), 12);
            let mut players = agents(&rules, agent);
            while !series.is_over() {
                let mut deal = series.start_deal();
                while let Some(seat) = deal.state().deciding().next() {
                    let view = deal.state().view(seat);
                    let action = players[seat.index()].decide(&view, deal.legal(seat));
                    deal.act(seat, action).unwrap();
                }
                series.finish(&deal).unwrap();
                let saved = series.save();
                let text = serde_json::to_string(&saved).unwrap();
                assert_eq!(serde_json::from_str::<SavedMatch>(&text).unwrap(), saved);
                let restored = match Match::restore(rules.clone(), &saved) {
                    Ok(restored) => restored,
                    Err(error) => panic!("{id}, {agent}, {saved:?}: {error}"),
                };
                assert_eq!(restored.save(), saved);
                assert_eq!(restored.state().ranks(), series.state().ranks());
                assert_eq!(restored.is_over(), series.is_over());
                if series.is_over() {
                    let mut restored = restored.clone();
                    assert_eq!(restored.finish(&deal), Err(RecordError::Over));
                }
                series = restored;
            }
        }
    }
}

/// Where every deal is won, the last one counts too. In a match that goes on, it does not.
#[test]
fn a_finished_match_counts_its_last_deal() {
    let rules = load("two-player");
    let mut saved = Match::new(&rules, 1).save();
    (saved.deal, saved.won, saved.is_over) = (8, 8, true);
    assert!(Match::restore(&rules, &saved).is_ok());
    saved.is_over = false;
    let what = "won";
    let error = Match::restore(&rules, &saved).map(|_| ()).unwrap_err();
    assert_eq!(error, RestoreError::OutOfRange { what });
}

/// Some decisions under a ruleset, and the moves.
fn some_moves<R: Ruleset + Clone>(rules: R, seed: u64) -> Moves {
    let mut moves = Moves::new(seed);
    let mut stream = Stream::new(seed, 1);
    let mut deal = Match::new(rules, seed).start_deal_observed(&mut moves);
    for _ in 0..20 {
        let Some(seat) = deal.state().deciding().next() else {
            break;
        };
        let place = |len| stream.below(len as u32) as usize;
        let action = deal.legal(seat).pick(place).unwrap();
        deal.act_observed(seat, action, &mut moves).unwrap();
    }
    moves
}

#[test]
fn moves_are_refused_under_other_options() {
    let rules = load("woo");
    let moves = some_moves(rules.clone(), 7);
    let capped = Rules::by_id("woo").unwrap().with("cap", 100).unwrap();
    let (found, expected) = (rules.plan().content_hash(), capped.plan().content_hash());
    assert_eq!(moves.rules_hash(), Some(found));
    let refused = MovesError::OtherRules { found, expected };
    let resume = |moves: &Moves, rules: &Rules| {
        let series = Match::new(rules.clone(), 7);
        moves.resume(series).map(|_| ())
    };
    assert_eq!(resume(&moves, &rules), Ok(()));
    assert_eq!(resume(&moves, &capped), Err(refused.clone()));
    assert_eq!(moves.play(&capped, &mut ()).err(), Some(refused.clone()));
    let text = serde_json::to_string(&moves).unwrap();
    assert!(
        text.contains(&format!(r#""rules_hash":"{found:016x}""#)),
        "{text}"
    );
    let read: Moves = serde_json::from_str(&text).unwrap();
    assert_eq!(read, moves);
    assert_eq!(resume(&read, &capped), Err(refused.clone()));

    // Moves of earlier versions have no hash. They learn it with the next decision.
    let old = text.replace(&format!(r#""rules_hash":"{found:016x}","#), "");
    let mut old: Moves = serde_json::from_str(&old).unwrap();
    assert_eq!(old.rules_hash(), None);
    assert_eq!(old.decisions(), moves.decisions());
    let series = Match::new(rules.clone(), 7);
    let (_, deal) = old.resume(series).unwrap();
    let mut deal = deal.unwrap();
    let (seat, action) = choose(&deal, &mut Stream::new(1, 1)).unwrap();
    deal.act_observed(seat, action, &mut old).unwrap();
    assert_eq!(resume(&old, &capped), Err(refused));
}

/// Nobody claims a discard.
#[derive(Clone, Debug)]
struct Quiet(Rules);

impl Quiet {
    fn new(id: &str) -> Self {
        let rules = Rules::by_id(id).unwrap();
        Self(rules.with_house_rule("quiet"))
    }
}

impl Ruleset for Quiet {
    fn plan(&self) -> &Arc<Plan> {
        self.0.plan()
    }

    fn adjust(&self, state: &DealState, _: Seat, legal: &mut Legal) {
        if matches!(state.phase(), Phase::Claims(_)) {
            *legal = Legal::default();
        }
    }
}

/// Records of a house rule are refused under the plain rules, those of the plain rules under the house rule, and behind
/// a pointer the house rule is the same.
#[test]
fn a_house_rule_has_records_of_its_own() {
    let (plain, house) = (load("riichi-mcgill"), Quiet::new("riichi-mcgill"));
    let plain: Arc<dyn Ruleset> = Arc::new(plain);
    let boxed: Arc<dyn Ruleset> = Arc::new(Box::new(house.clone()));
    assert_ne!(plain.plan().content_hash(), house.plan().content_hash());
    for seed in 0..20 {
        for (moves, own, other) in [
            (some_moves(&house, seed), &boxed, &plain),
            (some_moves(&plain, seed), &plain, &boxed),
        ] {
            let resume = |rules: &Arc<dyn Ruleset>| {
                let series = Match::new(rules.clone(), seed);
                moves.resume(series).map(|_| ())
            };
            assert_eq!(resume(own), Ok(()));
            let (found, expected) = (own.plan().content_hash(), other.plan().content_hash());
            assert_eq!(
                resume(other),
                Err(MovesError::OtherRules { found, expected })
            );
            let saved = Match::new(own, seed).save();
            assert!(Match::restore(own, &saved).is_ok());
            let error = Match::restore(other, &saved).map(|_| ()).unwrap_err();
            assert_eq!(error, RestoreError::OtherRules { found, expected });
            let (_, deal) = moves.resume(Match::new(own, seed)).unwrap();
            let state = deal.unwrap().state().clone();
            assert!(Deal::resume(own, state.clone()).is_ok());
            assert!(Deal::resume(other, state).is_err());
        }
    }
    // A log has the hash in its first line.
    for viewer in [None, Some(Player::FIRST)] {
        let lines = game_log(&house, "random", 3, viewer, true);
        let load_house = |_: &str, _: &[_]| Ok(house.clone());
        assert!(replay(&lines, load_house).is_ok());
        let refused = replay(&lines, Rules::by_id_with);
        assert!(matches!(
            refused,
            Err(ReplayError::OtherRules { line: 0, .. })
        ));
    }
    // Names are kept apart and in order.
    let hash = |names: &[&str]| {
        let plan = Plan::clone(plain.plan());
        let add = |plan: Plan, name: &&str| plan.with_house_rule(name);
        names.iter().fold(plan, add).content_hash()
    };
    let all = [
        hash(&["a", "b"]),
        hash(&["b", "a"]),
        hash(&["ab"]),
        hash(&["a"]),
    ];
    let different: HashSet<u64> = all.into_iter().collect();
    assert_eq!(different.len(), all.len());
}

/// Whoever reads the debug output of a table in a server's log must not learn its seed.
#[test]
fn debug_output_hides_the_seed_of_a_match() {
    let rules = load("woo");
    let seed = Seed::from_bytes([0xc7; 32]);
    let series = Match::new(&rules, seed);
    let deal = series.start_deal();
    let moves = Moves::new(seed);
    let other = moves.resume(Match::new(&rules, 1)).map(|_| ()).unwrap_err();
    let texts = [
        format!("{series:?}"),
        format!("{:?}", series),
        format!("{:?}", series.save()),
        format!("{deal:?}"),
        format!("{moves:?}"),
        format!("{other:?} {other}"),
    ];
    for text in texts {
        // In hexadecimal, and as bytes.
        assert!(
            !text.contains("c7c7") && !text.contains("199, 199"),
            "{text}"
        );
    }
}

type Change = fn(&mut SavedMatch);

#[test]
fn what_no_match_has_is_not_restored() {
    let rules = load("riichi-tenhou");
    let saved = Match::new(&rules, 1).save();
    let refused = |change: Change| {
        let mut changed = saved.clone();
        change(&mut changed);
        Match::restore(&rules, &changed).map(|_| ()).unwrap_err()
    };
    let (have, want) = (3, 4);
    assert_eq!(
        refused(|saved| saved.totals.truncate(3)),
        RestoreError::Totals { have, want }
    );
    assert_eq!(refused(|saved| saved.deal = 0), RestoreError::DealZero);
    let player = Player::new(5).unwrap();
    assert_eq!(
        refused(|saved| saved.dealer = Player::new(5).unwrap()),
        RestoreError::NoSuchPlayer { player }
    );
    let changes: [(&str, Change); 6] = [
        ("rounds", |saved| saved.rounds = 1),
        ("won", |saved| saved.won = u32::MAX),
        ("dealer_wins", |saved| saved.dealer_wins = 1),
        ("counters", |saved| saved.on_table.counters = u32::MAX),
        ("deposits", |saved| saved.on_table.deposits = u32::MAX),
        ("totals", |saved| saved.totals[2] = i64::MIN),
    ];
    for (what, change) in changes {
        assert_eq!(refused(change), RestoreError::OutOfRange { what });
    }
    let other = Match::restore(&load("woo"), &saved).map(|_| ());
    assert!(matches!(other, Err(RestoreError::OtherRules { .. })));
}

/// An observer in a box, and one that may be left out.
type Two<'a> = (Box<dyn Observer + 'a>, Option<&'a mut dyn Observer>);

/// Observers of many types watch one table.
#[test]
fn observers_are_boxed_borrowed_and_left_out() {
    let rules = load("woo");
    let series = Match::new(rules, 1);
    let (mut summary, mut moves) = (Summary::default(), Moves::new(1));
    let mut all: Vec<Two<'_>> = vec![
        (Box::new(&mut summary), Some(&mut moves)),
        (Box::new(()), None),
    ];
    let watching: &mut dyn Observer = &mut all;
    let mut deal = series.start_deal_observed(watching);
    let dealer = Seat::EAST;
    let action = deal.legal(dealer).iter().last().unwrap();
    deal.act_observed(dealer, action, watching).unwrap();
    drop(all);
    assert_eq!(summary.decisions, 1);
    assert_eq!(moves.decisions(), [(dealer, action)]);
}

/// A match of every ruleset goes on from the bytes of a checkpoint, whenever it is written.
#[test]
fn checkpoints_are_bytes() {
    for id in ruleset::ids() {
        let rules = load(id);
        let mut series = Match::new(rules.clone(), 11);
        let mut stream = Stream::new(4, 4);
        for _ in 0..3 {
            if series.is_over() {
                break;
            }
            let saved = series.save();
            assert_eq!(SavedMatch::from_bytes(&saved.to_bytes()), Ok(saved.clone()));
            let mut moves = Moves::new(11);
            let mut deal = series.start_deal_observed(&mut moves);
            while let Some((seat, action)) = choose(&deal, &mut stream) {
                for legal in deal.legal(seat) {
                    assert_eq!(Action::from_bytes(legal.to_bytes()), Ok(legal), "{id}");
                }
                if !moves.decisions().is_empty() && stream.below(20) == 0 {
                    let (saved, moves) = (saved.clone(), moves.clone());
                    let bytes = Checkpoint { saved, moves }.to_bytes();
                    let checkpoint = Checkpoint::from_bytes(&bytes).unwrap();
                    let (_, resumed) = checkpoint.resume(rules.clone()).unwrap();
                    assert_eq!(resumed.unwrap().state(), deal.state(), "{id}");
                }
                deal.act_observed(seat, action, &mut moves).unwrap();
            }
            series.finish(&deal).unwrap();
        }
    }
    let woo = Checkpoint {
        saved: Match::new(load("woo"), 7).save(),
        moves: Moves::new(7),
    };
    assert!(matches!(
        woo.resume(load("traditional")),
        Err(ResumeCheckpointError::Restore(
            RestoreError::OtherRules { .. }
        ))
    ));
}
