//! Whole games of sixteen tiles: sizes of hands, and what the dealer's streak costs.

use paishan::decompose::Holding;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::state::{DealState, Ending, OnTable};
use paishan::{Family, Hand, Rules, Seat, game_seed, simulate};
use std::ops::ControlFlow;

#[derive(Default)]
struct Watch {
    /// The counters that the next deal must begin with.
    counters: Option<u32>,
    wins: u32,
    /// Wins by the dealer or off him, with counters on the table.
    streaks: u32,
}

impl Observer for Watch {
    fn match_started(&mut self, _: &MatchState) {
        self.counters = Some(0);
    }

    fn deal_started(&mut self, state: &DealState) {
        assert_eq!(Some(state.on_table().counters), self.counters);
        assert!(Seat::all(4).all(|seat| state.hand(seat).size() == 16));
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, next: Next) {
        let OnTable { counters, .. } = state.on_table();
        let keeps =
            outcome.wins().iter().any(|(seat, _)| *seat == Seat::EAST) || outcome.wins().is_empty();
        assert!(next == Next::End || keeps == (next == Next::Stay));
        self.counters = Some(if keeps { counters + 1 } else { 0 });
        let deltas = &outcome.settlement.deltas;
        assert_eq!(Seat::all(4).map(|seat| deltas[seat]).sum::<i64>(), 0);
        if outcome.wins().is_empty() {
            assert_eq!(outcome.ending, Ending::Exhausted);
            return;
        }
        let [(winner, win)] = outcome.wins()[..] else {
            panic!("one winner");
        };
        self.wins += 1;
        let hand = state.hand_before(winner, &win);
        assert_eq!(hand.size(), 16);
        let tai = outcome.settlement.scores[winner]
            .as_ref()
            .expect("a score")
            .points;
        for seat in Seat::all(4).filter(|&seat| seat != winner) {
            let pays = win.is_self_draw() || win.from == Some(seat);
            let is_dealers = seat == Seat::EAST || winner == Seat::EAST;
            let extra = if is_dealers {
                1 + 2 * i64::from(counters)
            } else {
                0
            };
            assert_eq!(deltas[seat], if pays { -(3 + tai + extra) } else { 0 });
            self.streaks += u32::from(pays && is_dealers && counters > 0);
        }
    }
}

#[test]
fn a_streak_of_the_dealer_is_paid_for() {
    let rules = Rules::by_id("taiwanese").unwrap();
    let mut agents = paishan::agent::for_all("greedy", rules.plan()).unwrap();
    let mut watch = Watch::default();
    for game in 0..20 {
        simulate::play(&rules, &mut agents, game_seed(16, game), &mut watch).unwrap();
    }
    assert!(
        watch.wins > 100 && watch.streaks > 30,
        "{} {}",
        watch.wins,
        watch.streaks
    );
}

/// Packets of other sums are refused; so are forms of fourteen tiles beside sixteen.
#[test]
fn other_sizes_are_refused() {
    let fault = |lines: &str| {
        let text =
            format!("ruleset = {{ id = \"my\", extends = \"hong-kong-old-style\" }}\n{lines}");
        Rules::from_toml("my.toml", &text).unwrap_err().to_string()
    };
    let said = fault("deal.packets = [4, 4, 4]\n");
    assert!(
        said.contains("`deal.packets` must be 10, 13 or 16 tiles a player in all, not 12"),
        "{said}"
    );
    let said = fault("deal.packets = [4, 4, 4, 4]\n");
    assert!(
        said.contains("the items have 14 tiles, a complete hand has 17"),
        "{said}"
    );
}

/// Forms of seventeen tiles: eight pairs and a tile, seven pairs and a group.
#[test]
fn forms_of_seventeen_tiles_win() {
    let text = r#"
ruleset = { id = "my", extends = "taiwanese" }
[forms.eight-pairs]
groups = "pairs(8), single any"
doc = "Eight pairs and a tile"
[forms.pairs-and-group]
groups = "pairs(7), group"
doc = "Seven pairs and a group"
"#;
    let rules = Rules::from_toml("my.toml", text).unwrap();
    let decomposer = rules.plan().decomposer();
    let held = |tiles: &str| Holding::from(&tiles.parse::<Hand>().unwrap());
    for (tiles, pairs) in [
        ("1133557799t1133557m", 8),
        ("1133557799t1133m555s", 8),
        ("1133557799t1133m456s", 7),
    ] {
        let holding = held(tiles);
        assert!(decomposer.is_complete(&holding), "{tiles}");
        let mut most = 0;
        let _ = decomposer.arrangements(&holding, |found| {
            let of_pairs = found
                .groups()
                .iter()
                .filter(|group| group.family() == Family::Pair);
            most = most.max(of_pairs.count());
            ControlFlow::Continue(())
        });
        assert_eq!(most, pairs, "{tiles}");
    }
    assert!(!decomposer.is_complete(&held("1133557799t1133m129s")));
}
