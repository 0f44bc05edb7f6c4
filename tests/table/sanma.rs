//! Riichi for three on walls laid by hand: norths that are set aside. Source: `rulesets/riichi-sanma.toml`.

use crate::common::rigged::{act, drawn, held, idle, one_deal, play, start, tile, wall};
use paishan::log::Line;
use paishan::state::{Action, Way};
use paishan::{Kind, Rules, Seat};

fn sanma() -> Rules {
    one_deal("riichi-sanma", &[])
}

/// The third, the second and the first indicator, each with the tile under it.
const INDICATORS: &str = "SSSS7sF";

#[test]
fn a_north_is_replaced_and_counts() {
    let rules = sanma();
    let hands = ["123t456t789tNPP1m", "2468s2468t1mCCFW", "13579s357tCFWWE"];
    let wall = wall(&rules, hands, "2s9m9m1m", "P", INDICATORS);
    let plan = [
        ('E', Action::Aside(Kind::NORTH)),
        ('E', held("2s")),
        ('E', Action::Win),
    ];
    let played = play(rules, wall, &plan);
    for pattern in ["north-set-aside", "white-dragon", "full-straight"] {
        assert!(
            played.patterns.iter().any(|id| id == pattern),
            "{:?}",
            played.patterns
        );
    }
    assert_eq!(played.ways, [Way::Wall]);
    let after = |line: &Line| matches!(line, Line::Nukidora { pai, .. } if pai == "N");
    let place = played.lines.iter().position(after).expect("a north");
    let replaced = &played.lines[place + 1];
    assert!(
        matches!(replaced, Line::Tsumo { actor: 0, pai, .. } if pai == "P"),
        "{replaced:?}"
    );
    assert!(
        !played
            .lines
            .iter()
            .any(|line| matches!(line, Line::Dora { .. }))
    );
    // The hand as it stands does not have the north any more.
    assert_eq!(played.hands[0], "123456789t11mPPP ");
}

#[test]
fn others_win_on_a_north() {
    let rules = sanma();
    let hands = ["13579t13579sNEC", "123t456t789t11sNN", "2468t2468s9mFFWW"];
    let wall = wall(&rules, hands, "1m", "", INDICATORS);
    let played = play(
        rules,
        wall,
        &[('E', Action::Aside(Kind::NORTH)), ('S', Action::Win)],
    );
    assert_eq!(played.patterns, ["full-straight"]);
    assert_eq!(played.ways, [Way::Discard]);
    assert_eq!((played.deltas[0] < 0, played.deltas[2]), (true, 0));
    // It went to the winner.
    let state = &played.outcome;
    assert_eq!(state.wins().len(), 1);
    assert!(
        !played
            .lines
            .iter()
            .any(|line| matches!(line, Line::Tsumo { actor: 1, .. }))
    );
}

#[test]
fn a_north_ends_the_first_turn() {
    let rules = sanma();
    let hands = ["19t19s19mEWNCP55s", "2468t2468s9mFFWW", "3579t3579sCCPP5t"];
    let wall = wall(&rules, hands, "1m", "P", INDICATORS);
    let mut deal = start(&rules, wall, &mut ());
    assert!(deal.legal(Seat::EAST).contains(Action::NineOrphans));
    assert!(deal.legal(Seat::EAST).contains(Action::Aside(Kind::NORTH)));
    deal.act(Seat::EAST, Action::Aside(Kind::NORTH)).unwrap();
    assert_eq!(deal.state().waiting().first(), Some(Seat::EAST));
    assert!(!deal.legal(Seat::EAST).contains(Action::NineOrphans));
    assert!(!deal.legal(Seat::EAST).contains(Action::Aside(Kind::NORTH)));
    assert_eq!(deal.state().hand(Seat::EAST).aside().len(), 1);
}

/// In riichi the hand does not change, so only the drawn north may go.
#[test]
fn in_riichi_the_drawn_north_goes() {
    let rules = sanma();
    let hands = ["12345678tNN111s", "2468t2468s1mFFWW", "3579t3579sCCPPW"];
    let wall = wall(&rules, hands, "1m9m9m2s9m8sN", "P", INDICATORS);
    let mut deal = start(&rules, wall, &mut ());
    let east = Seat::EAST;
    deal.act(east, Action::Riichi).unwrap();
    assert!(!deal.legal(east).contains(Action::Aside(Kind::NORTH)));
    deal.act(east, drawn("1m")).unwrap();
    let mut kept = 0;
    while let Some(seat) = deal.state().waiting().first() {
        let legal = deal.legal(seat).clone();
        let view = deal.state().view(seat);
        let is_north = view.drawn() == Some(tile("N"));
        if seat == east && view.turn() == Some(east) {
            assert_eq!(legal.contains(Action::Aside(Kind::NORTH)), is_north);
            if is_north {
                deal.act(east, Action::Aside(Kind::NORTH)).unwrap();
                break;
            }
            kept += 1;
        }
        deal.act(seat, idle(&deal, seat)).unwrap();
    }
    assert_eq!(kept, 1);
    let hand = deal.state().hand(east);
    assert_eq!((hand.aside().len(), hand.concealed_len()), (1, 14));
    assert!(
        !deal.legal(east).contains(Action::Aside(Kind::NORTH))
            && deal.legal(east).contains(drawn("P"))
    );
}

/// A north between riichi and the win off the next discard ends ippatsu.
#[test]
fn a_north_ends_ippatsu() {
    let rules = sanma();
    let won = |front: &str, plan: &[(char, Action)]| {
        let hands = ["12345678tNN111s", "2468t2468s1mFFWN", "3579t3579sCCPPW"];
        let played = play(
            rules.clone(),
            wall(&rules, hands, front, "9t", INDICATORS),
            plan,
        );
        assert_eq!(played.ways, [Way::Discard]);
        assert!(played.patterns.iter().any(|id| id == "double-riichi"));
        played.patterns.iter().any(|id| id == "ippatsu")
    };
    let riichi = [('E', Action::Riichi), ('E', drawn("1m"))];
    let off = [('S', drawn("9t")), ('E', Action::Win)];
    assert!(won("1m9t", &[riichi, off].concat()));
    let north = [('S', Action::Aside(Kind::NORTH))];
    assert!(!won("1m9m", &[&riichi[..], &north, &off].concat()));
}

/// After a claim nothing is set aside.
#[test]
fn after_a_claim_nothing_goes() {
    let rules = sanma();
    let hands = ["12345678tNN111s", "2468t2468s1mPPWN", "3579t3579sCCFFW"];
    let wall = wall(&rules, hands, "P9m", "9m", INDICATORS);
    let mut deal = start(&rules, wall, &mut ());
    let south = Seat::SOUTH;
    deal.act(Seat::EAST, drawn("P")).unwrap();
    deal.act(south, act("pon PPP")).unwrap();
    assert_eq!(deal.state().view(south).turn(), Some(south));
    assert!(
        deal.state().hand(south).holds(tile("N"))
            && !deal.legal(south).contains(Action::Aside(Kind::NORTH))
    );
}

#[test]
fn nobody_chows() {
    let rules = sanma();
    let mut agents = paishan::agent::for_all("random", rules.plan()).unwrap();
    struct Claims(usize);
    impl paishan::game::Observer for Claims {
        fn event(&mut self, _: &paishan::state::DealState, event: &paishan::state::Event) {
            if let paishan::state::Event::Claimed { tiles, .. } = event {
                assert!(!tiles.group().family().is_run());
                self.0 += 1;
            }
        }
    }
    let mut claims = Claims(0);
    for game in 0..60 {
        paishan::simulate::play(
            &rules,
            &mut agents,
            paishan::game_seed(6, game),
            &mut claims,
        )
        .unwrap();
    }
    assert!(claims.0 > 50, "{}", claims.0);
}
