//! Whole games of `mcr`: the minimum, flowers, payments, flags of the table, replay.

use crate::common::{agents, game_log, ruleset_with};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::log::replay;
use paishan::simulate::play;
use paishan::state::{DealState, Way};
use paishan::{Rules, Seat, game_seed};

/// What the wins of some games were like.
#[derive(Default)]
struct Wins {
    wins: usize,
    last_copies: usize,
    on_lists: usize,
    combined: usize,
}

/// How many tiles like the winning one lie in sight beside it.
fn in_sight(state: &DealState, seat: Seat, outcome: &Outcome) -> usize {
    let (_, win) = outcome
        .wins()
        .iter()
        .find(|(winner, _)| *winner == seat)
        .unwrap();
    let kind = win.tile.kind();
    let discards = state.discards().iter().filter(|discard| !discard.claimed);
    let discards = discards
        .filter(|discard| discard.tile.kind() == kind)
        .count();
    let melds = Seat::all(4).flat_map(|seat| {
        state
            .hand(seat)
            .melds()
            .iter()
            .filter(|meld| meld.is_open())
    });
    let melded = melds
        .flat_map(|meld| meld.group().tiles())
        .filter(|&tile| Some(tile) == kind);
    discards + melded.count() - usize::from(win.way == Way::Discard)
}

impl Observer for Wins {
    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let plan = series.plan();
        let patterns = plan.score().patterns();
        assert!(outcome.wins().len() < 2, "one winner at most");
        assert_eq!(outcome.fault, None);
        for (seat, win) in outcome.wins() {
            let score = outcome.settlement.scores[*seat].as_ref().unwrap();
            let ids: Vec<(&str, u16)> = score
                .lines
                .iter()
                .map(|line| (patterns[usize::from(line.pattern)].id.as_str(), line.times))
                .collect();
            let times = |id: &str| {
                ids.iter()
                    .filter(|(known, _)| *known == id)
                    .map(|(_, times)| i64::from(*times))
                    .sum::<i64>()
            };
            assert!(score.points - times("flower-tiles") >= 8, "{ids:?}");
            let giver = win.from.filter(|_| !win.is_self_draw());
            for other in Seat::all(4).filter(|other| other != seat) {
                let pays_all = giver.is_none_or(|giver| giver == other);
                let pays = 8 + if pays_all { score.points } else { 0 };
                assert_eq!(outcome.settlement.deltas[other], -pays);
            }
            if win.way != Way::RobbedKong {
                let is_last = in_sight(state, *seat, outcome) == 3;
                assert_eq!(times("last-tile-of-its-kind") == 1, is_last, "{ids:?}");
                self.last_copies += usize::from(is_last);
            }
            self.wins += 1;
            self.on_lists += usize::from(score.singles.is_some());
            self.combined += usize::from(times("mixed-double-chow") + times("short-straight") > 1);
        }
    }
}

#[test]
fn wins_are_worth_the_minimum_and_paid_by_all() {
    let rules = ruleset_with("mcr", &["rounds=1"]);
    let mut wins = Wins::default();
    for game in 0..if cfg!(debug_assertions) { 60 } else { 400 } {
        play(
            &rules,
            &mut agents(&rules, "greedy"),
            game_seed(8, game),
            &mut wins,
        )
        .unwrap();
    }
    assert!(wins.wins > 100 && wins.last_copies > 5 && wins.combined > 5);
    // Some hands are won with knitted tiles or as orphans.
    assert!(wins.on_lists > 0);
}

#[test]
fn games_are_replayed_to_the_same_bytes() {
    for options in [
        &["rounds=1"][..],
        &["rounds=1", "flowers=false", "minimum=0"],
    ] {
        let rules = ruleset_with("mcr", options);
        let lines = game_log(&rules, "greedy", game_seed(9, 1), None, false);
        assert!(replay(&lines, Rules::by_id_with).unwrap().complete);
        assert_eq!(
            rules.plan().tiles().len(),
            if options.len() > 1 { 136 } else { 144 }
        );
    }
}
