//! Walls from which each seat draws its own stream.

use crate::common::{agents, all_tiles};
use paishan::game::{Deal, Match, MatchState, Next, Observer, Outcome};
use paishan::ruleset;
use paishan::simulate::{Draws, play_with};
use paishan::state::{Action, DealState, Legal};
use paishan::{Rules, Seat, Tile, Wall, game_seed};

/// Plays each deal of a match again, by the same decisions, on an ordinary wall with the tiles of the finished one.
struct Again<'a> {
    rules: &'a Rules,
    setups: Match<&'a Rules>,
    decisions: Vec<(Seat, Action)>,
    deals: u32,
}

impl Observer for Again<'_> {
    fn deal_started(&mut self, _: &DealState) {
        self.decisions.clear();
    }

    fn decided(&mut self, _: &DealState, seat: Seat, _: &Legal, action: Action) {
        self.decisions.push((seat, action));
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let plan = self.rules.plan();
        let all: Vec<Tile> = plan.tiles().iter().collect();
        assert_eq!(all_tiles(state), all, "{}", plan.id());
        let tiles: Vec<Tile> = state.wall().tiles().collect();
        let dice: Vec<Vec<u8>> = state.wall().dice().map(<[u8]>::to_vec).collect();
        let broken = state.wall().broken;
        let wall = Wall::from_tiles(
            plan.wall(),
            plan.tiles(),
            plan.players(),
            &tiles,
            &dice,
            broken,
        );
        let setup = self
            .setups
            .state()
            .setup_with(wall.expect("the tiles of the set"));
        let mut deal = Deal::start(self.rules, setup);
        for &(seat, action) in &self.decisions {
            deal.act(seat, action).unwrap();
        }
        assert_eq!(deal.outcome(), Some(outcome), "{}", plan.id());
        assert_eq!(deal.state().wall().taken(), state.wall().taken());
        self.setups.finish(&deal).unwrap();
        self.deals += 1;
    }
}

#[test]
fn a_deal_with_streams_is_a_deal_on_another_wall() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let seed = game_seed(6, 1);
        let mut again = Again {
            rules: &rules,
            setups: Match::new(&rules, seed),
            decisions: Vec::new(),
            deals: 0,
        };
        let mut agents = agents(&rules, "random");
        play_with(&rules, &mut agents, seed, Draws::InStreams, &mut again).unwrap();
        assert!(again.deals > 0, "{id}");
    }
}

/// The tiles that each seat draws from the front of the wall in the first deal.
fn draws(rules: &Rules, agent: &str, draws: Draws) -> [Vec<Tile>; 4] {
    struct First([Vec<Tile>; 4], bool);
    impl Observer for First {
        fn event(&mut self, state: &DealState, event: &paishan::state::Event) {
            if let paishan::state::Event::Drew {
                seat,
                from_back: false,
                ..
            } = event
                && !self.1
            {
                let (front, _) = state.wall().taken();
                self.0[seat.index()].extend(state.wall().tiles().nth(front - 1));
            }
        }
        fn deal_ended(&mut self, _: &MatchState, _: &DealState, _: &Outcome, _: Next) {
            self.1 = true;
        }
        fn wants_more(&self) -> bool {
            !self.1
        }
    }
    let mut first = First(Default::default(), false);
    play_with(rules, &mut agents(rules, agent), 3, draws, &mut first).unwrap();
    first.0
}

#[test]
fn claims_do_not_change_what_the_others_draw_from_streams() {
    let rules = Rules::by_id("riichi-tenhou").unwrap();
    let same = |kind: Draws| {
        let [one, other] = ["random", "greedy"].map(|agent| draws(&rules, agent, kind));
        let same = |(one, other): (&Vec<Tile>, &Vec<Tile>)| {
            let both = one.iter().zip(other);
            both.len() > 3 && one.iter().zip(other).take(8).all(|(a, b)| a == b)
        };
        one.iter().zip(&other).all(same)
    };
    assert!(same(Draws::InStreams) && !same(Draws::InTurn));
}
