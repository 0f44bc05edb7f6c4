//! Keys of `[procedures]` that change which actions are legal.

use paishan::game::Observer;
use paishan::state::{DealState, Event};
use paishan::{Rules, Seat, agent, game_seed, simulate};

/// Riichi that were declared in a match: the deal, the seat, and how many draws were left.
#[derive(Default)]
struct Declared {
    deal: usize,
    all: Vec<(usize, Seat, usize)>,
    /// Those that the condition refuses.
    untimely: Vec<(usize, Seat, usize)>,
}

impl Observer for Declared {
    fn deal_started(&mut self, _: &DealState) {
        self.deal += 1;
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        if let Event::RiichiDeclared { seat } = *event {
            let declared = (self.deal, seat, state.wall().draws_left());
            self.all.push(declared);
            if state.has_discarded(seat) && state.wall().draws_left() < 30 || state.claims() > 4 {
                self.untimely.push(declared);
            }
        }
    }
}

/// A seat declares riichi only where the condition of the file holds, and everywhere where it does.
#[test]
fn riichi_may_have_a_condition() {
    let rules = |line: &str| {
        let text = format!(
            "ruleset = {{ id = \"early\", extends = \"riichi-tenhou\" }}\nmatch.ends = [{{ deals = 1 }}]\n{line}"
        );
        Rules::from_toml("early.toml", &text)
    };
    let when =
        "procedures.riichi.when = \"(draws-left >= 30 or not has-discarded) and claims <= 4\"";
    let (any, early) = (rules("").unwrap(), rules(when).unwrap());
    let declared = |rules: &Rules, game: u64| {
        let mut declared = Declared::default();
        let mut agents = agent::for_all("greedy", rules.plan()).unwrap();
        simulate::play(rules, &mut agents, game_seed(3, game), &mut declared).unwrap();
        declared
    };
    let (mut same, mut refused) = (0, 0);
    for game in 0..120 {
        let (all, limited) = (declared(&any, game), declared(&early, game));
        assert_eq!(limited.untimely, []);
        // Up to the first one that is refused, both are the same.
        let first = all.untimely.first();
        let before = all.all.iter().take_while(|one| Some(*one) != first);
        let before: Vec<_> = before.copied().collect();
        assert_eq!(before, limited.all[..before.len()]);
        same += before.len();
        refused += usize::from(first.is_some());
    }
    assert!(same > 20 && refused > 10, "{same} {refused}");
    for (when, fault) in [
        (
            "way is wall",
            "asks for `way`, which is known of wins alone",
        ),
        (
            "visible-copies > 1",
            "asks for `visible-copies`, which is known of wins alone",
        ),
        (
            "riichi",
            "`riichi` is not known here; it is a fact about a win",
        ),
        (
            "has(any)",
            "`has` is not known here; it is a fact about the tiles of a hand",
        ),
    ] {
        let line = format!("procedures.riichi.when = \"{when}\"");
        let error = rules(&line).unwrap_err().to_string();
        assert!(error.contains(fault), "{error}");
    }
}
