//! Riichi for three on walls laid by hand: norths that are set aside. Source: `rulesets/riichi-sanma.toml`.

use crate::common::rigged::{drawn, held, one_deal, play, wall};
use paishan::game::{Deal, Match};
use paishan::log::Line;
use paishan::state::{Action, Way};
use paishan::{Player, Ruleset, Seat, Wall};
use std::sync::Arc;

fn sanma() -> Arc<dyn Ruleset> {
    one_deal("riichi-sanma", &[])
}

/// The third, the second and the first indicator, each with the tile under it.
const INDICATORS: &str = "SSSS7sF";

fn deal(rules: &dyn Ruleset, wall: Wall) -> Deal<&dyn Ruleset> {
    let series = Match::with_dealer(rules, 1, Player::FIRST);
    Deal::start(rules, series.setup_with(wall), &mut ())
}

#[test]
fn a_north_is_replaced_and_counts() {
    let rules = sanma();
    let hands = ["123t456t789tNPP1m", "2468s2468t1mCCFW", "13579s357tCFWWE"];
    let wall = wall(&*rules, hands, "2s9m9m1m", "P", INDICATORS);
    let plan = [
        ('E', Action::SetAside),
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
    let wall = wall(&*rules, hands, "1m", "", INDICATORS);
    let played = play(rules, wall, &[('E', Action::SetAside), ('S', Action::Win)]);
    assert_eq!(played.patterns, ["full-straight"]);
    assert_eq!(played.ways, [Way::Discard]);
    assert_eq!((played.deltas[0] < 0, played.deltas[2]), (true, 0));
    // It went to the winner.
    let state = &played.outcome;
    assert_eq!(state.wins.len(), 1);
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
    let wall = wall(&*rules, hands, "1m", "P", INDICATORS);
    let mut deal = deal(&*rules, wall);
    assert!(deal.legal(Seat::EAST).can_declare_draw());
    assert!(deal.legal(Seat::EAST).can_set_aside());
    deal.act(Seat::EAST, Action::SetAside, &mut ()).unwrap();
    assert_eq!(deal.state().waiting().first(), Some(Seat::EAST));
    assert!(!deal.legal(Seat::EAST).can_declare_draw());
    assert!(!deal.legal(Seat::EAST).can_set_aside());
    assert_eq!(deal.state().hand(Seat::EAST).set_aside.len(), 1);
}

/// In riichi the hand does not change, so only the drawn north may go. It ends ippatsu. After a claim nothing goes.
#[test]
fn in_riichi_the_drawn_north_goes() {
    let rules = sanma();
    let hands = ["123t456t789tNN11s", "2468t2468s1mFFWW", "3579t3579sCCPP5t"];
    let wall = wall(&*rules, hands, "1m9m9m2s9m8sN", "P", INDICATORS);
    let mut deal = deal(&*rules, wall);
    let east = Seat::EAST;
    deal.act(east, Action::Riichi, &mut ()).unwrap();
    assert!(!deal.legal(east).can_set_aside());
    deal.act(east, drawn("1m"), &mut ()).unwrap();
    let mut turns = 0;
    let mut set_aside = 0;
    while let Some(seat) = deal.state().waiting().first() {
        let legal = *deal.legal(seat);
        let is_north = deal.state().view(seat).drawn().and_then(|tile| tile.kind())
            == Some(paishan::Kind::NORTH);
        if seat == east && deal.state().view(east).claimable().is_none() {
            turns += 1;
            assert_eq!(legal.can_set_aside(), is_north);
            if is_north && !legal.can_win() {
                set_aside += 1;
            }
        }
        if legal.can_win() {
            break;
        }
        let action = if legal.can_set_aside() && is_north {
            Action::SetAside
        } else {
            crate::common::rigged::idle(&deal, seat)
        };
        deal.act(seat, action, &mut ()).unwrap();
    }
    assert!(
        turns > 0 && set_aside == 0,
        "the drawn north completes the hand"
    );
}

#[test]
fn nobody_chows() {
    let rules = sanma();
    let mut agents = paishan::agent::for_all("random", rules.plan()).unwrap();
    struct Claims(usize);
    impl paishan::game::Observer for Claims {
        fn event(&mut self, _: &paishan::state::DealState, event: &paishan::state::Event) {
            if let paishan::state::Event::Claimed { group, .. } = event {
                assert!(!group.family().is_run());
                self.0 += 1;
            }
        }
    }
    let mut claims = Claims(0);
    for game in 0..60 {
        paishan::simulate::play(
            &*rules,
            &mut agents,
            paishan::game_seed(6, game),
            &mut claims,
        )
        .unwrap();
    }
    assert!(claims.0 > 50, "{}", claims.0);
}
