//! Every procedure, switched on in every built-in ruleset, with and without wild tiles: either loading refuses the
//! rules and says why, or every decision has an action, and the legal actions are those that are derived a second time.

use crate::common::legality::Referee;
use crate::common::rigged::{act, drawn, held, idle, start, wall};
use paishan::agent::{Agent, Greedy};
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{self, LoadError, Ruleset};
use paishan::state::{Action, Legal, View};
use paishan::{Kind, Player, Rules, Seat, Suit, game_seed};
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Every procedure and penalty, with the parameters that bind players most.
const PROCEDURES: [(&str, &str); 10] = [
    ("challenge", "[procedures.challenge]\nfrom-kong = 1\n"),
    ("fishing", "[procedures.fishing]\nfrozen = false\n"),
    ("frozen", "[procedures.fishing]\nfrozen = true\n"),
    ("riichi", "[procedures.riichi]\nkongs = \"same-waits\"\n"),
    ("furiten", "[procedures.furiten]\npassed = \"any-wait\"\n"),
    (
        "same-tile",
        "[procedures.swap-call]\ndiscards = \"same-tile-forbidden\"\n",
    ),
    (
        "swap-call",
        "[procedures.swap-call]\ndiscards = \"forbidden\"\n",
    ),
    (
        "abortive-draws",
        "[procedures.abortive-draws]\nnine-orphans = true\norphans = \"19t19s19mESWNCFP\"\nfour-winds = true\n\
         four-kongs = true\nfour-riichi = true\n",
    ),
    (
        "false-win",
        "[penalties.false-win]\nplayable = true\npays-each = 1\n",
    ),
    ("dead-hand", "[penalties.dead-hand]\n"),
];

fn switched_on(id: &str, section: &str, wild: Option<Kind>) -> Result<Rules, LoadError> {
    let wild = wild.map(|kind| format!("[wild.more]\ntiles = \"{kind}\"\n"));
    let wild = wild.unwrap_or_default();
    let text = format!("[ruleset]\nid = \"crossed\"\nextends = \"{id}\"\n{wild}{section}");
    Rules::from_toml("crossed.toml", &text)
}

/// Plays towards ready hands, announces and claims at random, and wins only where there is nothing else.
struct Binding {
    greedy: Greedy,
    random: Stream,
}

impl Agent for Binding {
    fn decide(&mut self, view: &View<'_>, legal: &Legal) -> Action {
        let mut others = legal.clone();
        others.retain(|action| action != Action::Win && action != Action::FalseWin);
        if others.is_empty() {
            return Action::Win;
        }
        let may_announce = others.contains(Action::Riichi) || others.contains(Action::Stand);
        if may_announce || self.random.below(8) == 0 {
            let place = self.random.below(others.len() as u32) as usize;
            return others.nth(place).unwrap();
        }
        self.greedy.decide(view, &others)
    }
}

/// Plays some deals. Returns what is wrong with the legal actions of one.
fn fault(rules: &dyn Ruleset, id: &str, deals: u64) -> Option<String> {
    (0..deals).find_map(|deal| {
        let seed = game_seed(43, deal);
        let mut agent = Binding {
            greedy: Greedy::new(rules.plan()),
            random: Stream::new(seed, 60),
        };
        let mut referee = Referee::new(rules, id);
        let mut deal = Match::new(rules, seed).start_deal_observed(&mut referee);
        while let Some(seat) = deal.state().waiting().first() {
            if rules.plan().procedures().dead_hands && agent.random.below(80) == 0 {
                deal.declare_dead_observed(seat, &mut referee).unwrap();
                continue;
            }
            let legal = deal.legal(seat).clone();
            if legal.is_empty() {
                return Some(format!("{seat} has no legal action: {:?}", deal.state()));
            }
            let action = agent.decide(&deal.state().view(seat), &legal);
            deal.act_observed(seat, action, &mut referee).unwrap();
        }
        match deal.outcome() {
            Some(_) => referee.fault(),
            None => Some("no seat decides, and the deal is not over".to_owned()),
        }
    })
}

/// Why loading refuses a procedure in a ruleset, with a wild kind or without, if it must.
fn reason(procedure: &str, id: &str, wild: Option<Kind>) -> Option<&'static str> {
    match (procedure, id) {
        (_, "american" | "filipino" | "fuzhou" | "hangzhou" | "malaysian") if wild.is_some() => {
            Some("2 rows without `as`, a ruleset may have 1")
        }
        (_, "vietnamese") if wild.is_some() => Some("all rows must have the same"),
        ("dead-hand", "american") => Some("`opening.right` conflicts with `penalties.dead-hand`"),
        ("riichi", "sichuan") => Some("`win.then` conflicts with `procedures.riichi`"),
        ("false-win", "sichuan") => Some("`win.then` conflicts with `penalties.false-win`"),
        ("dead-hand", "sichuan") => Some("`opening.exchange` conflicts with `penalties.dead-hand`"),
        _ => None,
    }
}

/// Crosses a ruleset with every procedure. Returns what is wrong.
fn crossed(id: &str, deals: u64) -> Vec<String> {
    let plain = Rules::by_id(id).unwrap();
    let nine: Kind = "9m".parse().unwrap();
    let kinds = plain.plan().tiles().kinds();
    let wild = if kinds.contains(nine) {
        nine
    } else {
        Kind::EAST
    };
    let mut faults = Vec::new();
    for (procedure, section) in PROCEDURES {
        for wild in [None, Some(wild)] {
            let fault = match (switched_on(id, section, wild), reason(procedure, id, wild)) {
                (Ok(_), Some(reason)) => Some(format!("loads, expected: {reason}")),
                (Ok(rules), None) => fault(&rules, id, deals),
                (Err(error), expected) => {
                    let error = error.to_string();
                    (!expected.is_some_and(|reason| error.contains(reason))).then_some(error)
                }
            };
            faults.extend(fault.map(|fault| format!("{procedure} in {id}, {wild:?}: {fault}")));
        }
    }
    faults
}

fn cross(deals: u64) {
    let (ids, faults) = (Mutex::new(ruleset::ids()), Mutex::new(Vec::new()));
    thread::scope(|threads| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            threads.spawn(|| {
                let next = || ids.lock().unwrap().next();
                while let Some(id) = next() {
                    let found = crossed(id, deals);
                    faults.lock().unwrap().extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_procedure_in_every_ruleset_is_refused_or_played() {
    cross(2);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test rules many_deals -- --ignored"]
fn many_deals_with_every_procedure_in_every_ruleset() {
    cross(200);
}

/// South claims with a joker and draws the tile that the joker stands for.
#[test]
fn a_standing_hand_takes_no_joker() {
    let text = "ruleset = { id = \"x\", extends = \"malaysian\" }\nprocedures = { fishing = {} }\n";
    let rules = Rules::from_toml("x.toml", text)
        .unwrap()
        .with("minimum", 0)
        .unwrap();
    let hands = ["52468tEEWWCPPF", "5tJ123123789tNC", "44tNNSSSFFEEWW"];
    for stands in [false, true] {
        let wall = wall(&rules, hands, "9t6t8t5t", "", "");
        let mut deal = start(&rules, wall, &mut ());
        let south = Seat::EAST.next(3);
        deal.act(Seat::EAST, held("5t")).unwrap();
        let claim = act("pon J55t");
        deal.act(south, claim).unwrap();
        if stands {
            deal.act(south, Action::Stand).unwrap();
        }
        deal.act(south, held("C")).unwrap();
        while deal.state().view(south).drawn().is_none() {
            let seat = deal.state().waiting().first().unwrap();
            deal.act(seat, idle(&deal, seat)).unwrap();
        }
        assert!(deal.legal(south).contains(drawn("5t")));
        let takes = deal.legal(south).contains(act("swap J55t"));
        assert_eq!(takes, !stands);
    }
}

/// A ruleset with one more section, and a deal from these hands. Who is dealt a hand draws the tiles in turn.
fn deal_with(id: &str, section: &str, hands: [&str; 4], draws: &str) -> Deal<Rules> {
    deal_with_replacements(id, section, hands, draws, "")
}

fn deal_with_replacements(
    id: &str,
    section: &str,
    hands: [&str; 4],
    draws: &str,
    replacements: &str,
) -> Deal<Rules> {
    let rules = switched_on(id, section, None).unwrap();
    let wall = wall(&rules, hands, draws, replacements, "");
    let setup = Match::with_dealer(&rules, 1, Player::FIRST)
        .state()
        .setup_with(wall);
    Deal::start(rules, setup)
}

const NEAR: [&str; 4] = [
    "123456789t11s55m",
    "147t258s369mESWN",
    "147t258s369mESWN",
    "147t258s369mESWN",
];

fn is_discard(action: Action) -> bool {
    matches!(action, Action::Discard { .. })
}

#[test]
fn riichi_is_followed_by_its_discard() {
    let section = "[penalties.false-win]\nplayable = true\npays-each = 1\n";
    let mut deal = deal_with("riichi-mcgill", section, NEAR, "C");
    assert!(deal.legal(Seat::EAST).contains(Action::FalseWin));
    deal.act(Seat::EAST, Action::Riichi).unwrap();
    assert!(deal.legal(Seat::EAST).iter().all(is_discard));
}

#[test]
fn a_dead_hand_only_discards() {
    let orphans = ["19t19s19mESWNCFP", NEAR[1], NEAR[2], NEAR[3]];
    for (hands, word) in [(NEAR, Action::Riichi), (orphans, Action::NineOrphans)] {
        let mut deal = deal_with("riichi-mcgill", "[penalties.dead-hand]\n", hands, "C");
        assert!(deal.legal(Seat::EAST).contains(word));
        deal.declare_dead(Seat::EAST).unwrap();
        assert!(deal.legal(Seat::EAST).iter().all(is_discard));
    }
}

#[test]
fn a_hand_with_its_missing_suit_does_not_stand() {
    let section = "[opening.exchange]\nenabled = false\n[procedures.fishing]\n";
    let others = ["2233t", "5566t", "8899t"].map(|more| format!("147t258s369m{more}"));
    let [south, west, north] = others.each_ref().map(String::as_str);
    for (hand, suit, may_stand) in [
        (NEAR[0], Suit::Characters, false),
        (NEAR[0], Suit::Bamboos, false),
        ("123456789t11m55m", Suit::Bamboos, true),
    ] {
        let mut deal = deal_with("sichuan", section, [hand, south, west, north], "5m");
        for seat in Seat::all(4) {
            deal.act(seat, Action::Missing(suit)).unwrap();
        }
        assert_eq!(deal.legal(Seat::EAST).contains(Action::Stand), may_stand);
    }
}

/// The only discard that leaves the hand ready is the tile that swap-calling forbids.
#[test]
fn a_hand_stands_only_with_a_discard_that_swap_calling_allows() {
    let section = "[procedures.swap-call]\ndiscards = \"same-tile-forbidden\"\n";
    let south = Seat::EAST.next(4);
    let hands = [NEAR[1], "CCC123456789t9s", NEAR[2], NEAR[3]];
    let mut deal = deal_with("traditional", section, hands, "C");
    deal.act(Seat::EAST, drawn("C")).unwrap();
    deal.act(south, act("pon CCC")).unwrap();
    assert!(!deal.legal(south).contains(held("C")));
    assert!(!deal.legal(south).contains(Action::Stand));
}

/// South replaces a flower after its claim, and then lays a run down.
#[test]
fn swap_calling_binds_until_the_discard() {
    let section = "[procedures.swap-call]\ndiscards = \"same-tile-forbidden\"\n";
    let south = Seat::EAST.next(4);
    // The first hand is dealt to South.
    let hands = ["hCCC123s258t369m", NEAR[1], NEAR[2], NEAR[3]];
    let mut deal = deal_with("woo", section, hands, "C");
    deal.act(Seat::EAST, drawn("C")).unwrap();
    deal.act(south, act("pon CCC")).unwrap();
    assert!(!deal.legal(south).contains(held("C")));
    deal.act(south, act("lay 123s")).unwrap();
    assert!(!deal.legal(south).contains(held("C")));
}

/// South chows, draws a forbidden tile for its flower and holds another one. It keeps a tile that it may discard.
#[test]
fn laying_down_leaves_a_discard_that_swap_calling_allows() {
    let section = "[procedures.swap-call]\ndiscards = \"forbidden\"\n";
    let south = Seat::EAST.next(4);
    let other = "258t369s147mESWN";
    let hands = ["h567t123s123m789s", other, other, other];
    let mut deal = deal_with_replacements("woo", section, hands, "4t", "4t");
    deal.act(Seat::EAST, drawn("4t")).unwrap();
    deal.act(south, act("chi 456t")).unwrap();
    for run in ["lay 123s", "lay 123m"] {
        deal.act(south, act(run)).unwrap();
    }
    assert!(!deal.legal(south).contains(act("lay 789s")));
    assert!(deal.legal(south).contains(held("9s")));
    assert!(!deal.legal(south).contains(held("7t")));
}

/// Each seat chooses a suit to do without.
const SUIT: &str = "[opening.suit]\nchoose = \"suit\"\nbars = \"chosen\"\n";

#[test]
fn riichi_and_a_missing_suit_do_not_go_together() {
    let riichi = PROCEDURES
        .iter()
        .find(|(name, _)| *name == "riichi")
        .unwrap()
        .1;
    let error = switched_on("woo", &format!("{riichi}{SUIT}"), None).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`opening.suit` conflicts with `procedures.riichi`"),
        "{error}"
    );
    assert!(switched_on("woo", SUIT, None).is_ok());
}
