//! Ùzje at the table: walls laid by hand, so that what hardly ever happens happens.

use crate::common::rigged::{Plan, Played, act, idle, kind, one_deal, play, tile, wall};
use paishan::game::{Deal, Match};
use paishan::log::Line;
use paishan::ruleset::OptionValue;
use paishan::state::{Action, Way};
use paishan::{Player, Rules, Ruleset, Seat};

fn uzje(options: &[(&str, OptionValue)]) -> Rules {
    one_deal("uzje", options)
}

/// Hands that can do nothing.
const JUNK: [&str; 3] = ["1479s258bm1ftSSZ", "58cs69adm1ftWNFP", "269es37cem1ftNCC"];

#[test]
fn ivies_on_the_wall_are_won_on_another_players_flower() {
    let rules = uzje(&[]);
    let hands = [JUNK[0], "hijkopq36as14xm", "r269es37cem1ftNC", JUNK[1]];
    let wall = wall(&rules, hands, "8s8m9m", "2s2s2s2m2m2m3m3m", "");
    let played = play(rules, wall, &[('S', Action::Win)]);
    assert_eq!(played.patterns, ["ivies-on-the-wall"]);
    assert_eq!(played.points, [None, Some(100), None, None]);
    assert_eq!(played.deltas, [0, 200, -200, 0]);
    assert_eq!(played.ways, [Way::Discard]);
}

#[test]
fn eight_dealt_flowers_cross_the_sea() {
    let rules = uzje(&[]);
    let hands = [JUNK[0], "hijkopqr36as14m", JUNK[2], JUNK[1]];
    let wall = wall(&rules, hands, "8s8m", "2s2s2s2m2m2m3m3m", "");
    let played = play(rules, wall, &[('S', Action::Win)]);
    assert_eq!(played.patterns, ["crossing-the-sea"]);
    assert_eq!(played.deltas, [-5000, 15_000, -5000, -5000]);
    assert_eq!(played.ways, [Way::Wall]);
}

#[test]
fn six_flowers_are_won_at_once_or_never() {
    // Five are dealt, the sixth is drawn as a replacement.
    let deal = |plan: Plan<'_>| {
        let rules = uzje(&[]);
        let hands = [JUNK[0], "hijko36as14xdmW", JUNK[2], JUNK[1]];
        let wall = wall(&rules, hands, "8s8m9m", "2s2s2sp2mq3m3m", "");
        play(rules, wall, plan)
    };
    let played = deal(&[('S', Action::Win)]);
    assert_eq!(played.patterns, ["six-flowers"]);
    assert_eq!(played.deltas, [-2, 6, -2, -2]);
    assert_eq!(played.ways, [Way::Replacement]);
    // Whoever passes is not asked again, though he keeps his flowers and gets a seventh.
    let played = deal(&[]);
    assert_eq!(played.points, [None; 4]);
    let asked = |line: &Line| {
        let Line::Decision {
            actor: 1, legal, ..
        } = line
        else {
            return false;
        };
        matches!(legal[..], [Line::None, Line::Hora { .. }])
    };
    assert_eq!(played.count(asked), 1);
    let flowers = |line: &Line| matches!(line, Line::Flower { actor: 1, .. });
    assert!(played.count(flowers) >= 7);
}

#[test]
fn an_added_quad_is_robbed_by_all_who_wait() {
    let rules = uzje(&[]);
    let hands = [
        "555m2789es1ftEES",
        "46m123s789mCCC99s",
        "37m456s89xmFFF88s",
        "5m14xs268bm1ftWNP",
    ];
    // North throws the 5 man that East makes a trip of; East's own is added a turn later.
    let wall = wall(&rules, hands, "1s6mEes6sE", "4s4s", "");
    let n = kind("5m");
    let throw = Action::Discard {
        tile: n.into(),
        drawn: false,
    };
    let played = play(
        rules,
        wall,
        &[
            ('N', throw),
            ('E', act("pon 555m")),
            ('E', Action::AddedKong(n)),
            ('S', Action::Win),
            ('W', Action::Win),
        ],
    );
    assert_eq!(played.ways, [Way::RobbedKong; 2]);
    assert!(played.patterns.contains(&"quad-rob".to_owned()));
    assert!(played.hands[0].ends_with(" 555m"), "{}", played.hands[0]);
    assert!(played.deltas[0] < 0 && played.deltas[3] == 0);
    assert_eq!(played.deltas.iter().sum::<i64>(), 0);
    // Each win is booked by itself.
    let paid: Vec<_> = played
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Hora(hora) => Some((hora.actor, hora.deltas.clone()?)),
            _ => None,
        })
        .collect();
    assert_eq!(paid.len(), 2);
    for (actor, deltas) in &paid {
        let paying: Vec<_> = (0..4).filter(|p| deltas[*p].tenths() != 0).collect();
        assert_eq!(paying, [0, *actor]);
    }
}

fn orphans_rob(quads: &str, plan: Plan<'_>) -> Played {
    let rules = uzje(&[("closed-quads", quads.into())]);
    let hands = [
        "1111t258bm36asEE",
        "ft1fs1fmESWNCFPP",
        "269es37cem88mNCC",
        "58cs69adm33mWNFZ",
    ];
    let wall = wall(&rules, hands, "8s", "4s4s", "");
    play(rules, wall, plan)
}

#[test]
fn orphans_rob_a_closed_quad_that_is_shown() {
    let kong = Action::ConcealedKong(kind("1t"));
    let played = orphans_rob("shown", &[('E', kong), ('S', Action::Win)]);
    assert_eq!(played.patterns, ["thirteen-orphans"]);
    assert_eq!(played.deltas, [-10_000, 10_000, 0, 0]);
    assert!(played.hands[0].starts_with("111t"), "{}", played.hands[0]);
    let flags = |line: &Line| matches!(line, Line::Hora(hora) if hora.flags.as_ref().unwrap() == &["closed-kong"]);
    assert_eq!(played.count(flags), 1);
}

#[test]
fn orphans_challenge_a_hidden_quad_and_win_on_it() {
    let kong = Action::ConcealedKong(kind("1t"));
    let plan = [('E', kong), ('S', Action::Challenge), ('S', Action::Win)];
    let played = orphans_rob("hidden", &plan);
    assert_eq!(played.patterns, ["thirteen-orphans"]);
    let shown = |line: &Line| {
        matches!(
            line,
            Line::Challenge {
                actor: 1,
                target: 0,
                ..
            }
        )
    };
    assert_eq!(played.count(shown), 1);
}

#[test]
fn a_second_hidden_quad_may_be_challenged_by_all_and_stays_known() {
    let rules = uzje(&[("closed-quads", "hidden".into())]);
    let hands = [
        "4444s7777m36sESP",
        "269es35cem1ftNCC",
        "58cs69adm33mWWFZ",
        "28es35em1ftCCWNP",
    ];
    let wall = wall(&rules, hands, "8s", "8m9mxmfm", "");
    let series = Match::with_dealer(&rules, 1, Player::FIRST);
    let mut deal = Deal::start(&rules, series.state().setup_with(wall));
    let (east, south) = (Seat::EAST, Seat::EAST.after(1, 4));
    let melds = |deal: &Deal<_>, seat| -> Vec<bool> {
        let state: &paishan::state::DealState = Deal::<&Rules>::state(deal);
        state
            .view(seat)
            .melds(east)
            .map(|meld| meld.is_some())
            .collect()
    };
    deal.act(east, Action::ConcealedKong(kind("4s"))).unwrap();
    // The first quad passes: nobody waits on orphans.
    assert_eq!(deal.state().waiting(), paishan::SeatSet::one(east));
    assert_eq!(melds(&deal, east), [true]);
    assert_eq!(melds(&deal, south), [false]);
    let shown = deal.state().view(south).snapshot();
    assert_eq!(shown.melds[0][0].tiles, "????");
    deal.act(east, Action::ConcealedKong(kind("7m"))).unwrap();
    assert_eq!(deal.state().waiting().len(), 3);
    for seat in [1, 2, 3].map(|step| east.after(step, 4)) {
        assert!(deal.state().view(seat).claimable().is_none());
        let action = if seat == south {
            Action::Challenge
        } else {
            Action::Pass
        };
        deal.act(seat, action).unwrap();
    }
    assert_eq!(deal.state().waiting(), paishan::SeatSet::one(east));
    assert_eq!(melds(&deal, south), [false, true]);
    assert_eq!(deal.state().view(south).turned().count(), 3);
}

#[test]
fn quads_in_a_row_are_counted_up_to_the_winning_draw() {
    let rules = uzje(&[]);
    // 4444s, then 7777m with the replacement, then the pair with the next one.
    let hands = [
        "4444s777m369sCCE",
        "269es35cem1ftNNF",
        "58cs69adm33mWWFZ",
        "28es35em1ftWNPPS",
    ];
    let wall = wall(&rules, hands, "C", "7mE", "");
    let plan = [
        ('E', Action::ConcealedKong(kind("4s"))),
        ('E', Action::ConcealedKong(kind("7m"))),
        ('E', Action::Win),
    ];
    let played = play(rules, wall, &plan);
    assert_eq!(played.ways, [Way::Replacement]);
    assert!(
        played.patterns.contains(&"multi-quad-draw".to_owned()),
        "{:?}",
        played.patterns
    );
    assert!(!played.patterns.contains(&"quad-draw".to_owned()));
    let two = |line: &Line| matches!(line, Line::Hora(hora) if hora.kongs_in_row == Some(2));
    assert_eq!(played.count(two), 1);
    assert_eq!(played.count(|line| matches!(line, Line::Dora { .. })), 2);
}

#[test]
fn no_quad_in_the_turn_of_a_claimed_trip() {
    let rules = uzje(&[]);
    let hands = [
        "7777m55m279es1ftE",
        "36as14xdm1fsWNFP",
        "269es38cem1ftNCC",
        "5m14xs268bm1ftWFP",
    ];
    let wall = wall(&rules, hands, "1s6mE6s", "4s4s", "");
    let series = Match::with_dealer(&rules, 1, Player::FIRST);
    let mut deal = Deal::start(&rules, series.state().setup_with(wall));
    let quad = Action::ConcealedKong(kind("7m"));
    assert!(deal.legal(Seat::EAST).contains(quad));
    let five = Action::Discard {
        tile: tile("5m"),
        drawn: false,
    };
    while !deal.legal(Seat::EAST).contains(act("pon 555m")) {
        let seat = deal.state().deciding().next().unwrap();
        let action = match seat.letter() {
            'N' if deal.legal(seat).contains(five) => five,
            _ => idle(&deal, seat),
        };
        deal.act(seat, action).unwrap();
    }
    deal.act(Seat::EAST, act("pon 555m")).unwrap();
    assert!(!deal.legal(Seat::EAST).contains(quad));
    assert!(!deal.legal(Seat::EAST).is_empty());
}

#[test]
fn hidden_quads_are_turned_up_when_the_game_ends() {
    let rules = uzje(&[("closed-quads", "hidden".into())]);
    let hands = [
        "4444s7777m36sESP",
        "269es35cem1ftNCC",
        "58cs69adm33mWWFZ",
        "28es35em1ftCCWNP",
    ];
    let wall = wall(&rules, hands, "8s", "8m9mxmfm", "");
    let plan = [
        ('E', Action::ConcealedKong(kind("4s"))),
        ('E', Action::ConcealedKong(kind("7m"))),
        ('S', Action::Challenge),
    ];
    let quads = |lines: &[Line]| -> Vec<(usize, String)> {
        let Some(Line::EndKyoku { hidden_kongs, .. }) = lines
            .iter()
            .rfind(|line| matches!(line, Line::EndKyoku { .. }))
        else {
            panic!("the hand ends");
        };
        let quads = hidden_kongs.iter().flatten();
        quads
            .map(|quad| (quad.actor, quad.consumed.join(" ")))
            .collect()
    };
    let all = [(0, "4s 4s 4s 4s".to_owned()), (0, "7m 7m 7m 7m".to_owned())];
    let played = play(rules.clone(), wall.clone(), &plan);
    assert_eq!(quads(&played.lines), all);

    // In what another player sees they are the same, though one lay hidden to the end.
    let series = Match::with_dealer(&rules as &dyn Ruleset, 1, Player::FIRST);
    let mut lines = Vec::new();
    let mut options =
        paishan::log::LogOptions::new(vec!["rigged".to_owned(); 4], paishan::Notation::Ujmj);
    options.viewer = Player::new(2);
    let mut recorder = paishan::log::Recorder::new(rules.plan(), options, |line| lines.push(line));
    use paishan::game::Observer;
    recorder.match_started(series.state());
    let setup = series.state().setup_with(wall);
    let mut deal = Deal::start_observed(&rules as &dyn Ruleset, setup, &mut recorder);
    let mut plan = plan.iter().peekable();
    while let Some(seat) = deal.state().deciding().next() {
        let planned = plan.next_if(|(letter, action)| {
            *letter == seat.letter() && deal.legal(seat).contains(*action)
        });
        let action = planned.map_or_else(|| idle(&deal, seat), |(_, action)| *action);
        deal.act_observed(seat, action, &mut recorder).unwrap();
    }
    for seat in Seat::all(4) {
        let shown = deal.state().view(seat).snapshot();
        assert_eq!(shown.melds[0][0].tiles, "4444s");
        assert_eq!(shown.melds[0][1].tiles, "7777m");
    }
    let outcome = deal.outcome().unwrap().clone();
    let mut series = series.clone();
    let next = series.finish(&deal).unwrap();
    recorder.deal_ended(series.state(), deal.state(), &outcome, next);
    recorder.match_ended(series.state());
    drop(recorder);
    assert_eq!(quads(&lines), all);
    let checked = |lines: &[Line]| paishan::log::replay(lines, |_, _| Ok(&rules));
    checked(&lines).unwrap();
    // A quad that is left out, invented, or another one is a fault.
    for change in [
        |quads: &mut Vec<paishan::log::HiddenKong>| drop(quads.pop()),
        |quads: &mut Vec<paishan::log::HiddenKong>| quads.push(quads[0].clone()),
        |quads: &mut Vec<paishan::log::HiddenKong>| quads[1].consumed = vec!["8m".to_owned(); 4],
        |quads: &mut Vec<paishan::log::HiddenKong>| quads[0].actor = 1,
    ] {
        let mut changed = lines.clone();
        for line in &mut changed {
            if let Line::EndKyoku { hidden_kongs, .. } = line {
                change(hidden_kongs.as_mut().unwrap());
            }
        }
        checked(&changed).unwrap_err();
    }
}
