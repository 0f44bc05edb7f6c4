//! `hong-kong-old-style` and its options: what limit hands and single patterns are worth, who pays, and what a player may do
//! at a table laid by hand.

use crate::common::rigged::{
    act, drawn as drawn_discard, held, idle, kind, one_deal, start, tiles, wall,
};
use paishan::meld::Meld;
use paishan::ruleset::OptionValue;
use paishan::score::{ScoreInput, TableFacts};
use paishan::state::{Action, DrawSource, OnTable, Way, Win};
use paishan::tile::Wind;
use paishan::{Hand, Rules, Ruleset, Seat};

fn hong_kong(options: &[(&str, OptionValue)]) -> Rules {
    one_deal("hong-kong-old-style", options)
}

fn off(tile: &str) -> Win {
    Win::off(tile.parse().unwrap(), Seat::EAST)
}

fn drawn(tile: &str) -> Win {
    Win::drawn(tile.parse().unwrap())
}

/// What a hand of South is worth.
fn points(options: &[(&str, OptionValue)], hand: &str, win: Win) -> i64 {
    let (rules, hand): (_, Hand) = (hong_kong(options), hand.parse().unwrap());
    let input = ScoreInput::new(&hand, Seat::SOUTH, Wind::East, Some(&win));
    rules.score_hand(&input).unwrap().points
}

#[test]
fn a_limit_hand_is_worth_the_last_row_of_its_steps() {
    let orphans = |options: &[(&str, OptionValue)]| points(options, "19t19s19mESWNCFP", off("E"));
    for (steps, most) in [("spicy", 1024), ("half-spicy", 384), ("bands", 64)] {
        assert_eq!(orphans(&[("steps", steps.into())]), most, "{steps}");
        let low = [("steps", steps.into()), ("limit", 128.into())];
        assert_eq!(orphans(&low), most.min(128), "{steps}");
    }
}

/// The last tile of the wall may be a replacement.
#[test]
fn the_last_tile_may_be_a_replacement() {
    let rules = hong_kong(&[]);
    let plan = rules.plan();
    let hand: Hand = "123t456s5s789m234m".parse().unwrap();
    let win = Win {
        way: Way::Replacement,
        ..drawn("5s")
    };
    for (left, is_last) in [(0, true), (1, false)] {
        let mut facts = TableFacts::default();
        facts.draws_left = left;
        facts.source = Some(DrawSource::Kong);
        let flags = plan.flags_at_table(&hand, Seat::SOUTH, Wind::East, &win, facts);
        assert_eq!(flags.contains(plan.flag("last-tile").unwrap()), is_last);
        let win = Win { flags, ..win };
        let checked = plan.check_win(&[], hand.aside(), Seat::SOUTH, Wind::East, &win);
        assert_eq!(checked, Ok(()));
    }
}

/// Each hand has a bonus tile that is not its seat's, so that these are no faan.
#[test]
fn options_set_what_patterns_are_worth() {
    let two = |option: &str, values: [OptionValue; 2], hand: &str, win: Win| {
        values.map(|value| points(&[(option, value), ("steps", "spicy".into())], hand, win))
    };
    // Two pungs of dragons, concealed, and the pair of the third: 2 + 2 or 3 + 1.
    let little = "234t56sCCCFFFPP/h";
    let values = [4.into(), 5.into()];
    assert_eq!(two("little-dragons", values, little, off("7s")), [32, 64]);
    // 3 + 5 + 1.
    let great = "23t55sCCCFFFPPP/h";
    let values = ["faan".into(), "limit".into()];
    assert_eq!(two("great-dragons", values, great, off("4t")), [512, 1024]);
    let switch = || [false.into(), true.into()];
    // Four pungs, one of them of a dragon, nothing claimed but the last tile.
    let mixed = "111t999sNN111mCC/h";
    let two = |option, hand, win| two(option, switch(), hand, win);
    assert_eq!(two("mixed-terminals", mixed, off("C")), [32, 64]);
    let simple = "111t999sNN222mCC/h";
    assert_eq!(two("mixed-terminals", simple, off("C")), [32, 32]);
    // The last tile completes the pair. A drawn one is a limit in any case.
    let pungs = "111t999s444m222sN/h";
    let option = "concealed-pungs-off-discard";
    assert_eq!(two(option, pungs, off("N")), [16, 1024]);
    assert_eq!(two(option, pungs, drawn("N")), [1024, 1024]);
}

/// What East to North gain, in half points, from a win of South with these melds. Each is fed by a seat; without one it is a
/// concealed kong.
fn gains(options: &[(&str, OptionValue)], melds: &[(&str, Option<char>)], win: Win) -> Vec<i64> {
    let rules = hong_kong(options);
    let plan = rules.plan();
    let meld = |(text, fed): &(&str, Option<char>)| {
        let kinds: Vec<_> = tiles(text).iter().filter_map(|tile| tile.kind()).collect();
        let group = plan.decomposer().grammar().meld_of(&kinds).unwrap();
        match fed {
            Some(fed) => Meld::claimed(group, kinds[0].into(), Seat::from_letter(*fed).unwrap()),
            None => Meld::concealed(group),
        }
        .unwrap()
    };
    let concealed = tiles(["345sN", "N"][melds.len() - 3]);
    let melds: Vec<Meld> = melds.iter().map(meld).collect();
    let winner = Hand::try_new(plan.tiles(), &concealed, &melds, &[]).unwrap();
    let other: Hand = "147t258s369mESWC".parse().unwrap();
    let hands = [&other, &winner, &other, &other];
    let inputs: Vec<_> = Seat::all(4)
        .zip(hands)
        .map(|(seat, hand)| {
            let win = Some(&win).filter(|_| seat == Seat::SOUTH);
            ScoreInput::new(hand, seat, Wind::East, win)
        })
        .collect();
    let settled = rules.settle_hands(&inputs, OnTable::default()).unwrap();
    Seat::all(4).map(|seat| settled.deltas[seat]).collect()
}

#[test]
fn feeders_of_a_fourth_meld_or_a_kong_pay_for_all() {
    let (north, west) = (Some('N'), Some('W'));
    let three = [("222s", north), ("444s", north), ("CCC", north)];
    let four = |last| [three[0], three[1], three[2], last];
    let fourth = |melds: &[_], win| gains(&[("fourth-meld", true.into())], melds, win);
    // All pungs of one suit and honours with a dragon: 3 + 3 + 1, one more for no flower and for a drawn tile.
    let shared = vec![-512, 1536, -512, -512];
    assert_eq!(
        fourth(&four(("666s", west)), drawn("N")),
        [0, 1536, -1536, 0]
    );
    assert_eq!(gains(&[], &four(("666s", west)), drawn("N")), shared);
    // Nobody fed a concealed kong. Who discards the last tile pays alone in any case.
    assert_eq!(fourth(&four(("6666s", None)), drawn("N")), shared);
    assert_eq!(fourth(&four(("666s", west)), off("N")), [-512, 512, 0, 0]);
    assert_eq!(
        fourth(&three, drawn("N"))
            .iter()
            .filter(|&&sum| sum < 0)
            .count(),
        3
    );
    // Only a replacement makes who fed the kong pay.
    let kong = |melds: &[_], is_replacement: bool| {
        let rules = hong_kong(&[]);
        let mut win = drawn("N");
        if is_replacement {
            win.way = Way::Replacement;
            win.flags.insert(rules.plan().flag("after-kong").unwrap());
        }
        gains(&[("fed-kong", true.into())], melds, win)
    };
    assert_eq!(kong(&four(("6666s", west)), true), [0, 3072, -3072, 0]);
    assert_eq!(kong(&four(("6666s", west)), false), shared);
    assert_eq!(
        kong(&four(("6666s", None)), true),
        [-1024, 3072, -1024, -1024]
    );
}

/// North waits for 5m and passes on East's. South and West discard the next ones before North has drawn, East the last one.
#[test]
fn a_missed_win_is_barred_until_the_next_draw() {
    let hands = [
        "5m258s147t369mEEE",
        "258t369s147mSSWN",
        "369t147s258mSWNC",
        "123t456t789s46m99s",
    ];
    for missed in [false, true] {
        let rules = hong_kong(&[("minimum", 0.into()), ("missed-win", missed.into())]);
        let laid = wall(&rules, hands, "W5mCF5m", "", "");
        let mut deal = start(&rules, laid, &mut ());
        let north = Seat::NORTH;
        let mut offered = Vec::new();
        let fives = [held("5m"), drawn_discard("5m")];
        while offered.len() < 4 {
            let seat = deal.state().deciding().next().expect("the deal goes on");
            let five = fives
                .into_iter()
                .find(|&five| deal.legal(seat).contains(five));
            let action = five.unwrap_or_else(|| idle(&deal, seat));
            let discards_five = five.is_some();
            deal.act(seat, action).unwrap();
            if discards_five {
                offered.push(deal.legal(north).contains(Action::Win));
                while deal.legal(north).contains(Action::Pass) {
                    deal.act(north, Action::Pass).unwrap();
                }
            }
        }
        assert_eq!(offered, [true, !missed, !missed, true]);
    }
}

#[test]
fn kongs_may_need_a_drawn_tile() {
    let hands = [
        "55m7777s258t36mEW",
        "147t258s369mESWN",
        "369t14s258mESWCC",
        "5m258s147t36mNFPC",
    ];
    for (word, may) in [("always", true), ("after-replacement", false)] {
        let rules = hong_kong(&[("kongs-after-claim", word.into())]);
        let mut deal = start(&rules, wall(&rules, hands, "NNCF", "8m8m", ""), &mut ());
        let kong = Action::ConcealedKong(kind("7s"));
        assert!(deal.legal(Seat::EAST).contains(kong));
        let pung = act("pon 555m");
        while !deal.legal(Seat::EAST).contains(pung) {
            let seat = deal.state().deciding().next().expect("the deal goes on");
            let action = match deal.legal(seat).contains(held("5m")) && seat == Seat::NORTH {
                true => held("5m"),
                false => idle(&deal, seat),
            };
            deal.act(seat, action).unwrap();
        }
        deal.act(Seat::EAST, pung).unwrap();
        assert_eq!(deal.legal(Seat::EAST).contains(kong), may, "{word}");
    }
}
