//! Malaysian mahjong on walls laid by hand: jokers in claimed melds, jokers taken out and laid down, flowers that are
//! paid at once. Source: `rulesets/malaysian.toml`.

use crate::common::rigged::{act, drawn, held, idle, kind, one_deal, play, start, wall};
use paishan::game::Observer;
use paishan::log::Line;
use paishan::state::{Action, DealState, Event, Legal, Phase, Way, Window};
use paishan::{Kind, Rules, Seat};

fn malaysian() -> Rules {
    one_deal("malaysian", &[("minimum", 0.into())])
}

/// South holds two jokers and tiles around the 5t that East discards.
const HANDS: [&str; 3] = ["52468tEEWWCPPF", "46113tJJEWNFCC", "78978913tNNFFS"];

#[test]
fn discards_are_claimed_with_jokers() {
    let rules = malaysian();
    let mut deal = start(&rules, wall(&rules, HANDS, "9t", "", ""), &mut ());
    let south = Seat::EAST.next(3);
    deal.act(Seat::EAST, held("5t")).unwrap();
    // Without jokers there are the chows of 3t and 4t and of 4t and 6t. A lone tile goes with one joker, none with two.
    let claims: Vec<Action> = deal.legal(south).iter().collect();
    let jokers: Vec<Action> = claims
        .iter()
        .copied()
        .filter(|action| !matches!(action, Action::Claim(tiles) if tiles.jokers() == 0))
        .collect();
    let expected = [
        Action::Pass,
        act("pon JJ5t"),
        act("chi 45tJ"),
        act("chi J56t"),
        act("chi 56tJ"),
        act("chi J45t"),
        act("chi 3tJ5t"),
    ];
    assert_eq!(claims.len(), jokers.len() + 2);
    assert_eq!(jokers.len(), expected.len(), "{jokers:?}");
    assert!(
        expected.iter().all(|action| jokers.contains(action)),
        "{jokers:?}"
    );
    // West holds no joker, and may not chow from East.
    assert!(deal.legal(south.next(3)).is_empty());
    let claim = act("chi 56tJ");
    deal.act(south, claim).unwrap();
    let meld = deal.state().hand(south).melds()[0];
    assert_eq!(
        (meld.group().to_string(), meld.jokers()),
        ("567t".to_owned(), 1)
    );
    assert_eq!(meld.joker_stands_for(), Some(kind("7t")));
    assert_eq!(
        deal.state()
            .hand(south)
            .concealed()
            .get(paishan::Kind::JOKER),
        1
    );
}

#[test]
fn a_joker_is_taken_for_its_tile() {
    let rules = malaysian();
    // South draws the 7t that its joker stands for.
    let wall = wall(&rules, HANDS, "9t2t1t7t", "", "");
    let mut deal = start(&rules, wall, &mut ());
    let south = Seat::EAST.next(3);
    let claim = act("chi 56tJ");
    deal.act(Seat::EAST, held("5t")).unwrap();
    deal.act(south, claim).unwrap();
    deal.act(south, held("S")).unwrap_err();
    deal.act(south, held("F")).unwrap();
    let take = act("swap 56tJ");
    for _ in 0..40 {
        let seat = deal.state().waiting().first().unwrap();
        if deal.legal(seat).contains(take) {
            break;
        }
        let action = idle(&deal, seat);
        deal.act(seat, action).unwrap();
    }
    assert!(deal.legal(south).contains(take));
    deal.act(south, take).unwrap();
    let hand = deal.state().hand(south);
    assert_eq!(hand.melds()[0].jokers(), 0);
    assert_eq!(hand.concealed().get(paishan::Kind::JOKER), 2);
    assert!(!hand.kinds().contains(kind("7t")));
    // The joker is the tile just drawn. It may not be discarded, and the meld has no other.
    assert!(!deal.legal(south).contains(take) && !deal.legal(south).contains(drawn("J")));
    assert!(deal.legal(south).contains(Action::Aside(Kind::JOKER)));
}

#[test]
fn a_pung_with_a_joker_is_no_kong_before_the_joker_is_out() {
    let rules = malaysian();
    let hands = ["E13579t2468tFPP", "EJ147t258tNNCCW", "13456789tSSWNF"];
    let wall = wall(&rules, hands, "CFSEFSE", "", "");
    let plan = [('E', held("E")), ('S', act("pon JEE")), ('S', held("7t"))];
    let mut deal = start(&rules, wall, &mut ());
    let south = Seat::EAST.next(3);
    for (letter, action) in plan {
        let seat = Seat::all(3).find(|seat| seat.letter() == letter).unwrap();
        while deal.legal(seat).is_empty() || !deal.legal(seat).contains(action) {
            let other = deal.state().waiting().first().unwrap();
            deal.act(other, idle(&deal, other)).unwrap();
        }
        deal.act(seat, action).unwrap();
    }
    let added = Action::AddedKong(kind("E"));
    let take = act("swap JEE");
    let mut seen = [false; 2];
    for _ in 0..60 {
        let Some(seat) = deal.state().waiting().first() else {
            break;
        };
        let legal = deal.legal(seat).clone();
        let mut action = idle(&deal, seat);
        if seat == south && legal.contains(take) {
            assert!(!legal.contains(added), "a joker is still in it");
            action = take;
            seen[0] = true;
        } else if legal.contains(added) {
            action = added;
            seen[1] = true;
        }
        deal.act(seat, action).unwrap();
        if seen == [true; 2] {
            break;
        }
    }
    assert_eq!(seen, [true; 2]);
    let meld = deal.state().hand(south).melds()[0];
    assert_eq!(
        (meld.group().to_string(), meld.jokers()),
        ("EEEE".to_owned(), 0)
    );
}

/// East lays a joker down and draws the last tile of its hand in its place. South holds two jokers.
#[test]
fn a_joker_is_laid_down_and_jokers_are_paid() {
    let rules = malaysian();
    let hands = ["123456789tEEEJ", "1357tSSWWNCCJJ", "2468246tNNFFPP"];
    let played = play(
        malaysian(),
        wall(&rules, hands, "Pg", "P", ""),
        &[('E', Action::Aside(Kind::JOKER)), ('E', Action::Win)],
    );
    assert_eq!(played.ways, [Way::Replacement]);
    let patterns: Vec<&str> = played.patterns.iter().map(String::as_str).collect();
    assert_eq!(patterns, ["no-flowers", "heaven"]);
    // East has laid its joker down, so it is none any more. South has two.
    assert_eq!(
        played.payments("jokers"),
        [('E', 'S', 100), ('W', 'S', 100)]
    );
    // Two limits, from each of the two others twice.
    assert_eq!(played.deltas, [1600 - 100, -800 + 200, -800 - 100]);
}

/// South is dealt three animals, and draws the fourth. West is dealt all four faces.
#[test]
fn series_of_flowers_are_paid_at_once() {
    let rules = malaysian();
    // At the end of the wall lie more flowers, so that later series may be complete, too.
    let hands = ["1357913tEESSCF", "2468tWWNNCFgln", "2468tWWNNPvwyz"];
    let wall = wall(&rules, hands, "9tu", "5577t9tPP", "");
    let played = play(malaysian(), wall, &[('E', drawn("9t"))]);
    let paid = played.payments("flower-set");
    assert_eq!(
        paid[..4],
        [
            ('E', 'W', 100),
            ('S', 'W', 100),
            ('E', 'S', 50),
            ('W', 'S', 50)
        ]
    );
    let lines = paid.len() / 2;
    let paid: Vec<&Line> = played
        .lines
        .iter()
        .filter(|line| matches!(line, Line::Paid { reason, .. } if reason == "flower-set"))
        .collect();
    assert_eq!(paid.len(), lines, "{paid:?}");
}

/// Rules about jokers that make no sense are refused when they are read.
#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |extends: &str, more: &str, part: &str| {
        let text = format!("ruleset = {{ id = \"x\", extends = \"{extends}\" }}\n{more}");
        let error = Rules::from_toml("x.toml", &text).err();
        let error = error.unwrap_or_else(|| panic!("loads: {more}")).to_string();
        assert!(error.contains(part), "{error}");
    };
    let joker = "{ tiles = \"J\", count = 4 }";
    let woo = "{ tiles = \"123456789t123456789s123456789mESWNCFP\", count = 4 }";
    refused("malaysian", "wild.joker.claimed.pung = 3", "from 0 to 2");
    refused(
        "malaysian",
        "claims = { chow = { src = \"x\" } }",
        "[claims.chow] has no `when`",
    );
    refused(
        "malaysian",
        "claims = { chow = { when = \"has(wind)\" } }",
        "declared melds and flowers only",
    );
    refused(
        "malaysian",
        "win = { then = \"play-on\" }",
        "`payments.jokers`",
    );
    refused(
        "malaysian",
        "melds = { chow = { steps = [2] } }",
        "three ranks in a row",
    );
    let tiles = format!("tiles.copies = [{woo}, {joker}]\nwild.x.tiles = \"JP\"");
    refused("woo", &tiles, "a ruleset may have 4");
    let reds = format!(
        "tiles = {{ copies = [{woo}, {joker}], red-fives = [1, 1, 1] }}\nwild.x = {{ tiles = \"J\", claimed = {{ pung = 1 }} }}"
    );
    refused("woo", &reds, "red fives or wild tiles");
}

/// The last discard makes no meld, and after a claim nobody makes a kong before a replacement is drawn.
#[test]
fn kongs_need_a_drawn_tile_and_the_last_discard_only_wins() {
    struct Seen {
        after_claims: u32,
        last: u32,
    }
    impl Observer for Seen {
        fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, _: Action) {
            let is_kong =
                |action: &Action| matches!(action, Action::ConcealedKong(_) | Action::AddedKong(_));
            let fours = state.hand(seat).concealed().at_least(4);
            match state.phase() {
                Phase::Turn(turn) if turn.drawn.is_none() => {
                    assert!(!legal.iter().any(|action| is_kong(&action)));
                    self.after_claims += u32::from(!fours.is_empty());
                }
                Phase::Claims(claims) if claims.window == Window::Discard => {
                    let is_last = state.wall().draws_left() == 0;
                    let melds = legal
                        .iter()
                        .any(|action| !matches!(action, Action::Win | Action::Pass));
                    assert!(!(is_last && melds));
                }
                _ => {}
            }
        }

        fn event(&mut self, state: &DealState, event: &Event) {
            let is_discard = matches!(event, Event::Discarded { .. });
            self.last += u32::from(is_discard && state.wall().draws_left() == 0);
        }
    }
    let rules = Rules::by_id("malaysian").unwrap();
    let agent = || paishan::agent::by_name("random", rules.plan()).unwrap();
    let mut agents: Vec<_> = (0..3).map(|_| agent()).collect();
    let mut seen = Seen {
        after_claims: 0,
        last: 0,
    };
    for game in 0..60 {
        let seed = paishan::game_seed(3, game);
        paishan::simulate::play(&rules, &mut agents, seed, &mut seen).unwrap();
    }
    assert!(seen.after_claims > 0 && seen.last > 0);
}
