//! The agents that come with the crate: they play every ruleset, and `value` plays better than `greedy`.

use crate::common::{agents, game_log};
use paishan::agent::{self, Agent, Greedy, Slips};
use paishan::decompose::{Holding, Scratch};
use paishan::game::{Match, MatchState, Next, Observer, Outcome};
use paishan::ruleset::{self, Ruleset};
use paishan::simulate::{Summary, play};
use paishan::state::{Action, DealState};
use paishan::{Kind, Rules, Seat, game_seed};

/// Stops a match after its first deal.
#[derive(Default)]
struct OneDeal {
    is_over: bool,
}

impl Observer for OneDeal {
    fn deal_ended(&mut self, _: &MatchState, _: &DealState, _: &Outcome, _: Next) {
        self.is_over = true;
    }

    fn wants_more(&self) -> bool {
        !self.is_over
    }
}

/// A match of every ruleset, and one deal of `search` with a budget of a few imagined turns.
#[test]
fn every_agent_plays_every_ruleset() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let rounds = rules
            .plan()
            .options()
            .get("rounds")
            .map(|_| ("rounds".to_owned(), 1.into()));
        let short: Vec<_> = rounds.into_iter().collect();
        // A match of `uzje` is short enough only as one game.
        let short = match id {
            "uzje" => vec![
                ("length".to_owned(), "games".into()),
                ("games".to_owned(), 1.into()),
            ],
            _ => short,
        };
        let rules = Rules::by_id_with(id, &short).unwrap();
        for name in agent::NAMES.into_iter().filter(|name| *name != "search") {
            let mut summary = Summary::default();
            play(&rules, &mut agents(&rules, name), 5, &mut summary).unwrap();
            assert!(summary.deals > 0, "{id} {name}");
        }
        let mut players = agents(&rules, "value");
        players[1] = agent::by_name("search-40", rules.plan()).unwrap();
        let mut seen = (Summary::default(), OneDeal::default());
        play(&rules, &mut players, 6, &mut seen).unwrap();
        assert_eq!(seen.0.deals, 1, "{id}");
    }
}

#[test]
fn what_is_imagined_follows_from_the_seed() {
    let rules = Rules::by_id_with("woo", &[("rounds".to_owned(), 1.into())]).unwrap();
    let log = || game_log(&rules, "value", 3, None, false);
    assert_eq!(log(), log());
}

/// Fewer slips win more: each level against three of the level before, from every seat.
#[test]
fn agents_with_fewer_slips_are_stronger() {
    let rules =
        Rules::by_id_with("hong-kong-old-style", &[("rounds".to_owned(), 1.into())]).unwrap();
    for (weaker, stronger) in [("greedy-70", "greedy-35"), ("greedy-35", "greedy")] {
        let mut points = 0;
        for game in 0..3 {
            for seat in 0..4 {
                let mut players = agents(&rules, weaker);
                players[seat] = agent::by_name(stronger, rules.plan()).unwrap();
                let mut summary = Summary::default();
                play(&rules, &mut players, game_seed(8, game), &mut summary).unwrap();
                points += summary.points[seat];
            }
        }
        assert!(points > 0, "{stronger} against {weaker}: {points}");
    }
}

#[test]
fn slips_follow_from_the_seed_and_none_is_the_agent_itself() {
    let rules = Rules::by_id_with("woo", &[("rounds".to_owned(), 1.into())]).unwrap();
    let log = |agents: &mut [Box<dyn Agent>]| {
        let mut moves = paishan::game::Moves::new(3);
        play(&rules, agents, 3, &mut moves).unwrap();
        moves.decisions().to_vec()
    };
    let slipping = log(&mut agents(&rules, "random-40"));
    assert_eq!(log(&mut agents(&rules, "random-40")), slipping);
    let plain = log(&mut agents(&rules, "random"));
    assert_ne!(plain, slipping);
    let never = |agent| Box::new(Slips::new(agent, 0)) as Box<dyn Agent>;
    let mut never: Vec<_> = agents(&rules, "random").into_iter().map(never).collect();
    assert_eq!(log(&mut never), plain);
}

#[test]
fn the_name_of_an_agent_says_how_often_it_slips() {
    let rules = Rules::by_id("woo").unwrap();
    let is_known = |name: &&str| agent::by_name(name, rules.plan()).is_ok();
    assert!(agent::LEVELS.iter().all(is_known));
    assert!(["first-1", "random-100"].iter().all(is_known));
    let wrong = [
        "value-0",
        "value-101",
        "value-05",
        "value-+5",
        "value-",
        "-5",
        "value-5-5",
        "timid-5",
    ];
    assert!(!wrong.iter().any(is_known));
}

/// Duplicate play: on the same walls `value` sits on each seat in turn among three `greedy`.
#[test]
fn value_wins_where_greedy_hands_are_worth_too_little() {
    let rules =
        Rules::by_id_with("hong-kong-old-style", &[("rounds".to_owned(), 1.into())]).unwrap();
    let rules: &dyn Ruleset = &rules;
    let (mut points, mut wins) = ([0; 2], [0; 2]);
    for seat in 0..4 {
        let name = |i: usize| if i == seat { "value" } else { "greedy" };
        let mut players: Vec<Box<dyn Agent>> = (0..4)
            .map(|i| agent::by_name(name(i), rules.plan()).expect("an agent of the crate"))
            .collect();
        let mut summary = Summary::default();
        play(rules, &mut players, game_seed(21, 1), &mut summary).unwrap();
        for i in 0..4 {
            let which = usize::from(i == seat);
            points[which] += summary.points[i];
            wins[which] += summary.wins[i];
        }
    }
    // Three players against one, so a third of their wins is its share.
    assert!(
        2 * wins[1] > wins[0] && points[1] > 0,
        "{points:?} {wins:?}"
    );
}

/// Tiles are chosen in tile order. No tile that the hand needs goes because the first choice was a late one.
#[test]
fn greedy_passes_the_tiles_that_it_needs_least() {
    let rules = Rules::by_id("american").unwrap();
    let plan = rules.plan();
    let mut scratch = Scratch::new();
    let mut distance = |holding: &Holding| plan.decomposer().distance(holding, &mut scratch);
    for seed in 0..6 {
        let mut deal = Match::new(&rules, seed).start_deal();
        let seat = Seat::SOUTH;
        let hand = Holding::from(deal.state().view(seat).hand());
        let kinds: Vec<Kind> = hand
            .concealed
            .kinds()
            .iter()
            .filter(|kind| *kind != Kind::JOKER)
            .collect();
        let mut least = i8::MAX;
        for (a, &first) in kinds.iter().enumerate() {
            for (b, &second) in kinds.iter().enumerate().skip(a) {
                for &third in &kinds[b..] {
                    let mut rest = hand;
                    if [first, second, third]
                        .iter()
                        .all(|kind| rest.concealed.try_remove(*kind))
                    {
                        least = least.min(distance(&rest));
                    }
                }
            }
        }
        let mut greedy = Greedy::new(plan);
        let mut rest = hand;
        while deal.state().deciding().any(|asked| asked == seat) && deal.legal(seat).is_opening() {
            let action = greedy.decide(&deal.state().view(seat), deal.legal(seat));
            let Action::Exchange(kind) = action else {
                panic!("{action}")
            };
            assert!(rest.concealed.try_remove(kind));
            deal.act(seat, action).unwrap();
        }
        assert_eq!(hand.concealed.total() - rest.concealed.total(), 3);
        assert_eq!(distance(&rest), least, "{seed}");
    }
}

/// The forms of a card may be made of claimed pungs and kongs.
#[test]
fn value_claims_pungs_and_kongs_of_a_card() {
    let rules = Rules::by_id("american").unwrap();
    let mut value = agents(&rules, "value");
    let (mut pungs, mut kongs) = (0, 0);
    for seed in 0..8 {
        let mut deal = Match::new(&rules, seed).start_deal();
        while let Some(seat) = deal.state().deciding().next() {
            let (view, legal) = (deal.state().view(seat), deal.legal(seat));
            let action = value[seat.index()].decide(&view, legal);
            if let Action::Claim(tiles) = action {
                match tiles.group().len() {
                    4 => kongs += 1,
                    _ => pungs += 1,
                }
            }
            deal.act(seat, action).unwrap();
        }
    }
    assert!(pungs > 0 && kongs > 0, "{pungs} {kongs}");
}

/// What agents are called for, in order: a number of events, or a decision.
type Calls = std::sync::Arc<std::sync::Mutex<Vec<(usize, bool)>>>;

/// Listens, and notes when it is called.
struct Listener {
    player: usize,
    calls: Calls,
}

impl paishan::agent::Agent for Listener {
    fn begin(&mut self, _: paishan::random::Stream) {
        // What is told when a deal is over is told to all.
        self.calls.lock().unwrap().clear();
    }

    fn notice(&mut self, _: &paishan::state::Event) {
        self.calls.lock().unwrap().push((self.player, false));
    }

    fn decide(
        &mut self,
        _: &paishan::state::View<'_>,
        legal: &paishan::state::Legal,
    ) -> paishan::state::Action {
        let mut calls = self.calls.lock().unwrap();
        // Whoever was told of anything since the last decision is the one who decides now.
        let told = calls.iter().rev().take_while(|(_, decides)| !decides);
        for (player, _) in told {
            assert_eq!(*player, self.player, "told while another was asked");
        }
        calls.push((self.player, true));
        legal.nth(legal.len() - 1).unwrap()
    }
}

/// When an agent is told of events says nothing of who else is asked.
#[test]
fn agents_are_told_when_they_are_asked() {
    for id in ["woo", "riichi-mcgill", "traditional"] {
        let rules = Rules::by_id(id).unwrap();
        let calls = Calls::default();
        let mut agents: Vec<Box<dyn paishan::agent::Agent>> = (0..4)
            .map(|player| {
                let calls = calls.clone();
                Box::new(Listener { player, calls }) as _
            })
            .collect();
        paishan::simulate::play(&rules, &mut agents, 3, &mut ()).unwrap();
        let calls = calls.lock().unwrap();
        assert!(calls.iter().any(|(_, decides)| *decides));
        assert!(calls.iter().any(|(_, decides)| !decides));
    }
}
