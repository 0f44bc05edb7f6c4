//! Hosted matches: people and bots at one table, undo, hints, save and resume.

use crate::common::agents;
use paishan::game::{MatchState, Moves, Next, Observer, Outcome};
use paishan::host::{HostError, HostedMatch, SavedHost, Sitter};
use paishan::log::{Line, replay};
use paishan::ruleset::{self, Standing};
use paishan::score::{Explanation, ScoreError, ScoreInput, Settlement};
use paishan::simulate;
use paishan::state::{DealState, OnTable};
use paishan::{
    Action, Match, Notation, Plan, Player, Request, Rules, Ruleset, Seat, Win, game_seed,
};
use std::sync::Arc;

fn bots(rules: &Rules, name: &str) -> Vec<Sitter> {
    vec![Sitter::of_name(name); rules.plan().players()]
}

/// One person among greedy bots.
fn table(id: &str, seed: u64) -> (HostedMatch, Player) {
    let rules = Rules::by_id(id).unwrap();
    let mut sitters = bots(&rules, "greedy");
    sitters[1] = Sitter::Human;
    let table = HostedMatch::start(rules, sitters, seed).unwrap();
    (table, Player::new(1).unwrap())
}

#[test]
fn bots_alone_play_the_match_that_is_simulated() {
    for (id, name) in [
        ("woo", "greedy"),
        ("riichi-sanma", "value"),
        ("sichuan", "random"),
    ] {
        let rules = Rules::by_id(id).unwrap();
        let hosted = HostedMatch::start(rules.clone(), bots(&rules, name), 11).unwrap();
        let series = simulate::play(&rules, &mut agents(&rules, name), 11, &mut ()).unwrap();
        assert!(hosted.is_over() && hosted.waiting().next().is_none());
        assert_eq!(
            hosted.series().state().save(),
            series.state().save(),
            "{id}"
        );
    }
}

/// In every ruleset a person plays some deals, takes decisions back and decides again, and the table is saved and
/// resumed. The log replays, and a player who follows the hints of a bot plays the bot's match.
#[test]
fn people_play_every_ruleset() {
    for (number, id) in (0..).zip(ruleset::ids()) {
        let (mut table, me) = table(id, game_seed(21, number));
        let first = table.log(Some(me), Notation::Ujmj).unwrap();
        assert!(matches!(first[1], Line::StartKyoku(_)), "{id}");
        let follow = |table: &mut HostedMatch| {
            let hint = table.hint(me, "greedy").unwrap();
            assert!(table.legal(me).unwrap().contains(hint));
            table.act(me, hint).unwrap();
        };
        for step in 0..90 {
            if table.is_over() {
                break;
            }
            assert_eq!(table.waiting().collect::<Vec<_>>(), [me]);
            let before = table.snapshot(me).unwrap();
            let moves = table.moves().clone();
            follow(&mut table);
            if step % 8 == 3 && !table.is_over() {
                let (after, made) = (table.snapshot(me).unwrap(), table.moves().clone());
                let fork = table.fork().unwrap();
                table.undo().unwrap();
                assert_eq!(table.snapshot(me).unwrap(), before, "{id}");
                assert_eq!(table.moves(), &moves);
                // The same decision leads to the same table, and the fork did not move.
                follow(&mut table);
                assert_eq!(table.moves(), &made, "{id}");
                assert_eq!(fork.snapshot(me).unwrap(), after);
                let numbers = |table: &HostedMatch| -> Vec<u32> {
                    table.ended().iter().map(|deal| deal.number).collect()
                };
                assert_eq!(numbers(&fork), numbers(&table), "{id}");
            }
            if step % 30 == 29 {
                let again = HostedMatch::resume(table.rules().clone(), &table.save()).unwrap();
                assert_eq!(
                    again.snapshot(me).unwrap(),
                    table.snapshot(me).unwrap(),
                    "{id}"
                );
                table = again;
            }
        }
        // Nothing hidden is in the person's log.
        let own = table.log(Some(me), Notation::Ujmj).unwrap();
        let whole = table.log(None, Notation::Ujmj).unwrap();
        assert_eq!(own.len(), whole.len(), "{id}");
        assert!(own != whole);
    }
}

/// Bots that decide by steps play what they play at once, also when the match was saved and resumed, and an observer is
/// notified of all of it.
#[test]
fn bots_that_decide_by_steps_play_the_same_match() {
    for (id, name) in [
        ("woo", "greedy"),
        ("sichuan", "greedy"),
        ("two-player", "value"),
    ] {
        let rules = Rules::by_id(id).unwrap();
        let mut sitters = bots(&rules, name);
        sitters[1] = Sitter::Human;
        let me = Player::new(1).unwrap();
        let mut at_once = HostedMatch::start(rules.clone(), sitters.clone(), 9).unwrap();
        let mut seen = Moves::new(9);
        let mut table = HostedMatch::start_by_steps(rules.clone(), sitters, 9, &mut seen).unwrap();
        let (mut steps, mut ended) = (0, 0);
        for _ in 0..120 {
            if at_once.is_over() {
                break;
            }
            let action = at_once.legal(me).unwrap().default_action().unwrap();
            at_once.act(me, action).unwrap();
            loop {
                let made = table.moves().decisions().len();
                if !table.step(&mut seen).unwrap() {
                    break;
                }
                assert!(table.moves().decisions().len() <= made + 1);
                ended += table.ended().len();
                steps += 1;
            }
            if steps % 20 == 7 {
                let mut again = Moves::new(9);
                let saved = table.save();
                table = HostedMatch::resume_by_steps(rules.clone(), &saved, &mut again).unwrap();
                assert_eq!(again, seen);
            }
            table.act_observed(me, action, &mut seen).unwrap();
        }
        while table.step(&mut seen).unwrap() {
            ended += table.ended().len();
        }
        assert_eq!(table.moves(), at_once.moves(), "{id}");
        assert_eq!(table.moves(), &seen);
        assert_eq!(table.snapshot(me).unwrap(), at_once.snapshot(me).unwrap());
        let begun = u32::from(!table.is_over());
        assert_eq!(ended as u32 + begun, table.series().deal_number());
    }
}

/// Who follows the hints of a bot plays the match that the bot plays.
#[test]
fn hints_are_what_the_bot_would_do() {
    for (id, name) in [("woo", "greedy"), ("two-player", "greedy")] {
        let rules = Rules::by_id(id).unwrap().with("rounds", 1);
        let rules = rules.unwrap_or_else(|_| Rules::by_id(id).unwrap());
        let mut sitters = bots(&rules, name);
        sitters[0] = Sitter::Human;
        let mut table = HostedMatch::start(rules.clone(), sitters, 5).unwrap();
        while !table.is_over() {
            let hint = table.hint(Player::FIRST, name).unwrap();
            table.act(Player::FIRST, hint).unwrap();
        }
        let series = simulate::play(&rules, &mut agents(&rules, name), 5, &mut ()).unwrap();
        assert_eq!(table.series().totals(), series.totals(), "{id}");
        let log = table.log(None, Notation::Ujmj).unwrap();
        assert!(replay(&log, Rules::by_id_with).unwrap().complete);
    }
}

#[test]
fn what_is_refused_leaves_the_table_as_it_was() {
    let (mut table, me) = table("riichi-tenhou", 3);
    let (before, moves) = (table.snapshot(me).unwrap(), table.moves().clone());
    let east = Player::FIRST;
    let refused = [
        table.act(me, Action::EndMatch),
        table.act(east, Action::Pass),
        table.act(Player::new(5).unwrap(), Action::Pass),
        table.undo().map(|()| unreachable!("nothing was decided")),
        table.hint(me, "nobody").map(|_| ()),
        table.hint(east, "greedy").map(|_| ()),
    ];
    assert!(matches!(refused[0], Err(HostError::Action(_))));
    assert!(matches!(refused[1], Err(HostError::NotAsked { player: 0 })));
    assert!(matches!(
        refused[2],
        Err(HostError::NoSuchPlayer { player: 5 })
    ));
    assert_eq!(refused[3], Err(HostError::NothingToUndo));
    assert!(matches!(refused[4], Err(HostError::Agent(_))));
    assert!(matches!(refused[5], Err(HostError::NotAsked { player: 0 })));
    assert_eq!(
        (table.snapshot(me).unwrap(), table.moves()),
        (before, &moves)
    );
    let rules = Rules::by_id("woo").unwrap();
    let seats = HostedMatch::start(rules, vec![Sitter::Human; 3], 1).map(|_| ());
    assert!(matches!(seats, Err(HostError::Seats { have: 3, want: 4 })));
    // Moves of other rules, other seats.
    let rules = Rules::by_id("riichi-wrc").unwrap();
    assert!(HostedMatch::resume(rules, &table.save()).is_err());
    let rules = Rules::by_id("riichi-tenhou").unwrap();
    let mut saved = table.save();
    saved.seats.pop();
    assert!(HostedMatch::resume(rules, &saved).is_err());
}

/// Bots whose match does not end are stopped.
#[test]
fn bots_do_not_play_for_ever() {
    #[derive(Clone, Debug)]
    struct Endless(Rules);
    impl Ruleset for Endless {
        fn plan(&self) -> &Arc<Plan> {
            self.0.plan()
        }
        fn is_over(&self, _: &Standing<'_>) -> bool {
            false
        }
        fn dealer_may_end(&self, _: &Standing<'_>) -> bool {
            false
        }
    }
    let rules = Rules::by_id("two-player").unwrap();
    let started = HostedMatch::start(Endless(rules.clone()), bots(&rules, "first"), 3);
    assert_eq!(started.map(|_| ()), Err(HostError::Endless));
}

/// A ruleset in Rust can be hosted.
#[test]
fn a_house_rule_is_hosted() {
    #[derive(Clone, Debug)]
    struct House(Rules);
    impl Ruleset for House {
        fn plan(&self) -> &Arc<Plan> {
            self.0.plan()
        }
        fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
            win.way.is_self_draw() && self.0.may_win(state, seat, win)
        }
    }
    let house = House(
        Rules::by_id("woo")
            .unwrap()
            .with_house_rule("self-draw-only"),
    );
    let mut sitters = vec![Sitter::of_name("greedy"); 4];
    sitters[2] = Sitter::Human;
    let mut table = HostedMatch::start(house.clone(), sitters, 4).unwrap();
    let (mut deals, me) = (0, Player::new(2).unwrap());
    while !table.is_over() {
        table.act_by_default(me).unwrap();
        for deal in table.ended() {
            deals += 1;
            assert!(
                deal.outcome
                    .wins()
                    .iter()
                    .all(|(_, win)| win.way.is_self_draw())
            );
        }
    }
    assert!(deals > 3);
    let plain = HostedMatch::resume(Rules::by_id("woo").unwrap(), &table.save());
    assert!(matches!(plain, Err(HostError::Moves(_))));
}

/// Four people answer in any order. A person who does not answer in time does no harm.
#[test]
fn four_people_share_a_table() {
    let rules = Rules::by_id("woo").unwrap();
    let people = vec![Sitter::Human; 4];
    let mut table = HostedMatch::start(rules, people, 9).unwrap();
    let mut several = 0;
    for step in 0..600 {
        let waiting: Vec<Player> = table.waiting().collect();
        if waiting.is_empty() {
            break;
        }
        several += usize::from(waiting.len() > 1);
        let last = waiting[waiting.len() - 1 - step % waiting.len().min(2)];
        if step % 3 == 0 {
            table.act_by_default(last).unwrap();
        } else {
            let hint = table.hint(last, "greedy").unwrap();
            table.act(last, hint).unwrap();
        }
    }
    assert!(!format!("{table:?}").contains("seed"));
    assert!(several > 3 && table.series().deal_number() > 2);
}

/// The explanation of each win at the moment when it is paid.
struct Wins<'a> {
    rules: &'a Rules,
    of_deal: Vec<(Seat, Explanation)>,
    ended: Vec<Vec<(Seat, Explanation)>>,
}

impl Observer for Wins<'_> {
    fn deal_ended(&mut self, _: &MatchState, _: &DealState, _: &Outcome, _: Next) {
        self.ended.push(std::mem::take(&mut self.of_deal));
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        if part.wins().is_empty() {
            return;
        }
        let request = Request::of_deal(self.rules.plan(), state, part);
        let table = request.check(self.rules).unwrap();
        for input in table.inputs().filter(|input| input.win.is_some()) {
            let score = part.settlement.scores[input.seat].as_ref().unwrap();
            let told = self.rules.plan().explain(&input, score, Notation::Ujmj);
            self.of_deal.push((input.seat, told));
        }
    }
}

/// In every ruleset each win of a deal that is over is explained as at the moment of the win, those after which play went
/// on, too.
#[test]
fn every_win_of_an_ended_deal_is_explained() {
    for id in ruleset::ids() {
        let (mut table, me) = table(id, 8);
        let mut ended = Vec::new();
        for _ in 0..600 {
            if table.is_over() || ended.len() > 5 {
                break;
            }
            let hint = table.hint(me, "greedy").unwrap();
            table.act(me, hint).unwrap();
            ended.extend(table.ended().to_vec());
        }
        let rules = table.rules();
        let mut wins = Wins {
            rules,
            of_deal: Vec::new(),
            ended: Vec::new(),
        };
        let series = Match::new(rules, table.seeds().game);
        let moves = table.moves();
        moves.resume_observed(series, &mut wins).unwrap();
        let mut won = 0;
        for deal in &ended {
            let told = &wins.ended[deal.number as usize - 1];
            assert_eq!(told.len(), deal.outcome.wins().len(), "{id}");
            for seat in Seat::all(rules.plan().players()) {
                let told = told.iter().find(|(winner, _)| *winner == seat);
                let told = told.map(|(_, told)| told.clone());
                won += usize::from(told.is_some());
                assert_eq!(deal.explain(rules, seat, Notation::Ujmj), told, "{id}");
            }
        }
        assert!(won >= 2, "{id}");
        let several = ended.iter().any(|deal| deal.outcome.wins().len() > 1);
        assert!(several || id != "sichuan");
    }
}

/// What stops the bots after a decision of a person leaves the table as it was before the decision.
#[test]
fn a_failure_after_a_decision_takes_it_back() {
    #[derive(Clone, Debug)]
    struct Unsettled(Rules);
    impl Ruleset for Unsettled {
        fn plan(&self) -> &Arc<Plan> {
            self.0.plan()
        }
        fn settle_hands(
            &self,
            hands: &[ScoreInput<'_>],
            table: OnTable,
        ) -> Result<Settlement, ScoreError> {
            match hands.iter().any(|hand| hand.win.is_some()) {
                true => Err(ScoreError::NotScored),
                false => self.0.settle_hands(hands, table),
            }
        }
    }
    let rules = Unsettled(Rules::by_id("woo").unwrap());
    let mut sitters = vec![Sitter::of_name("greedy"); 4];
    sitters[1] = Sitter::Human;
    let mut table = HostedMatch::start(rules, sitters, 12).unwrap();
    let me = Player::new(1).unwrap();
    let mut decided = 0;
    let error = loop {
        let (before, moves) = (table.snapshot(me).unwrap(), table.moves().clone());
        let action = table.hint(me, "greedy").unwrap();
        if let Err(error) = table.act(me, action) {
            assert_eq!(table.snapshot(me).unwrap(), before);
            assert_eq!(table.moves(), &moves);
            assert_eq!(table.waiting().collect::<Vec<_>>(), [me]);
            // The same decision fails again, and the one before can be taken back.
            assert_eq!(table.act(me, action), Err(error.clone()));
            table.undo().unwrap();
            assert!(table.moves().decisions().len() < moves.decisions().len());
            break error;
        }
        decided += 1;
    };
    assert!(matches!(error, HostError::Record(_)) && decided > 3);
}

/// Hands that a judge declared dead are dead again when the match is resumed.
#[test]
fn dead_hands_are_dead_when_resumed() {
    let rules = Rules::by_id("traditional").unwrap();
    let rules = rules.with("penalties", true).unwrap();
    let series = Match::new(&rules, 3);
    let mut moves = Moves::new(3);
    let mut deal = series.start_deal_observed(&mut moves);
    for step in 0..12 {
        if step == 6 {
            deal.declare_dead_observed(Seat::SOUTH, &mut moves).unwrap();
        }
        let seat = deal.state().waiting().first().unwrap();
        let action = deal.legal(seat).default_action().unwrap();
        deal.act_observed(seat, action, &mut moves).unwrap();
    }
    let saved = SavedHost {
        seats: vec!["human".to_owned(); 4],
        agent_seed: 3.into(),
        moves,
    };
    let mut table = HostedMatch::resume(rules.clone(), &saved).unwrap();
    assert_eq!(table.deal().state(), deal.state());
    assert_eq!(table.save(), saved);
    assert!(table.public_snapshot().dead[1]);
    table.undo().unwrap();
    assert!(table.public_snapshot().dead[1]);
    assert_eq!(table.save().moves.decisions().len(), 11);
}
