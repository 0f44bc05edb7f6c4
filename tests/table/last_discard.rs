//! What the discard after the last tile of the wall may be claimed for: `last-discard` in `[claims]`.

use paishan::game::Observer;
use paishan::ruleset::OptionValue;
use paishan::state::{Action, DealState, Legal, Phase, Window};
use paishan::{Rules, Seat, agent, game_seed, simulate};

/// Counts what is offered on last discards.
#[derive(Default)]
struct Offers {
    wins: u32,
    melds: u32,
}

impl Observer for Offers {
    fn decided(&mut self, state: &DealState, _: Seat, legal: &Legal, _: Action) {
        let on_discard =
            matches!(state.phase(), Phase::Claims(claims) if claims.window == Window::Discard);
        if !on_discard || state.wall().draws_left() > 0 {
            return;
        }
        for action in legal.iter() {
            match action {
                Action::Win => self.wins += 1,
                Action::Pass => {}
                _ => self.melds += 1,
            }
        }
    }
}

fn offers(id: &str, options: &[(String, OptionValue)], games: u64) -> Offers {
    let rules = Rules::by_id_with(id, options).unwrap();
    let mut agents = agent::for_all("random", rules.plan()).unwrap();
    let mut offers = Offers::default();
    for game in 0..games {
        simulate::play(&rules, &mut agents, game_seed(43, game), &mut offers).unwrap();
    }
    offers
}

#[test]
fn the_last_discard_is_for_wins_only_where_the_rules_say_so() {
    for id in ["mcr", "hangzhou"] {
        assert_eq!(offers(id, &[], 4).melds, 0, "{id}");
    }
    let wins_only = [("last-discard".to_owned(), "win-only".into())];
    for id in ["taiwanese", "zung-jung", "hong-kong-old-style"] {
        assert!(offers(id, &[], 2).melds > 0, "{id}");
        assert_eq!(offers(id, &wins_only, 2).melds, 0, "{id}");
    }
    // Wins on it are still offered.
    assert!(offers("taiwanese", &wins_only, 10).wins > 0);
}
