//! American mahjong on walls laid by hand: jokers in claimed pungs, kongs and quints, kongs without a replacement, hands of the
//! card alone, tiles passed. Source: `rulesets/american.toml`.

use crate::common::rigged::{act, held, idle, kind, one_deal, start, tiles, wall};
use paishan::decompose::Holding;
use paishan::game::{Deal, Observer};
use paishan::log::{Line, LogOptions, Recorder};
use paishan::state::Action;
use paishan::{Hand, Kind, Meld, Notation, Rules, Ruleset, Seat};

fn american() -> Rules {
    one_deal("american", &[("charleston", "none".into())])
}

const SOUTH: Seat = Seat::SOUTH;

/// Plays idly until a seat may act so, and does.
fn until(deal: &mut Deal<&dyn Ruleset>, seat: Seat, action: Action) {
    for _ in 0..40 {
        if deal.legal(seat).contains(action) {
            deal.act(seat, action).unwrap();
            return;
        }
        let other = deal.state().waiting().first().expect("the deal goes on");
        deal.act(other, idle(deal, other)).unwrap();
    }
    panic!("{seat} never may {action}");
}

/// The options of a log that has the legal actions.
fn with_legal() -> LogOptions {
    let mut options = LogOptions::new(vec!["table".to_owned(); 4], Notation::Ujmj);
    options.with_legal = true;
    options
}

/// Lets other seats act idly until a seat is asked.
fn wait_for(deal: &mut Deal<&dyn Ruleset>, seat: Seat, observer: &mut dyn Observer) {
    while !deal.state().waiting().contains(seat) {
        let other = deal.state().waiting().first().expect("the deal goes on");
        deal.act_observed(other, idle(deal, other), observer)
            .unwrap();
    }
}

/// A set has four winds of a kind, so the fifth is a joker. No other hand wins with these tiles.
#[test]
fn jokers_stand_for_copies_that_the_set_does_not_have() {
    let rules = american();
    for hand in ["CCCFFFPPPEEEEJ", "CCCFFFPPPWWWJJ"] {
        let hand: Hand = hand.parse().unwrap();
        let decomposer = rules.plan().decomposer();
        assert!(decomposer.is_complete(&Holding::from(&hand)), "{hand}");
    }
}

#[test]
fn kongs_take_jokers_and_four_tiles_of_the_hand() {
    let rules = american();
    let hands = [
        "6t1234567s12345m",
        "66tJJJ789s6789mN",
        "1122334455tCCC",
        "EEESSSWWWFFPP",
    ];
    let mut deal = start(&rules, wall(&rules, hands, "N", "", ""), &mut ());
    deal.act(Seat::EAST, held("6t")).unwrap();
    let mut claims: Vec<String> = deal
        .legal(SOUTH)
        .iter()
        .map(|one| one.to_string())
        .collect();
    claims.sort();
    let expected = [
        "daiminkan J666t",
        "daiminkan JJ666t",
        "daiminkan JJ66t",
        "daiminkan JJJ66t",
        "daiminkan JJJ6t",
        "none",
        "pon 666t",
        "pon J66t",
        "pon JJ6t",
    ];
    assert_eq!(claims, expected);
    let left = deal.state().wall().remaining();
    deal.act(SOUTH, act("daiminkan JJ66t")).unwrap();
    assert_eq!(deal.state().wall().remaining(), left);
    let hand = *deal.state().hand(SOUTH);
    assert_eq!((hand.melds()[0].jokers(), hand.concealed_len()), (2, 10));
    // Only discards and the exchange are left, and a joker stays in the hand.
    let legal: Vec<Action> = deal.legal(SOUTH).iter().collect();
    let others = legal
        .iter()
        .filter(|one| !matches!(one, Action::Discard { .. }));
    assert!(others.eq(&[act("swap JJ66t")]));
    assert!(!legal.contains(&held("J")) && legal.contains(&held("6t")));
}

#[test]
fn a_hand_of_the_card_wins_with_a_declared_kong() {
    let rules = american();
    let hands = [
        "6t123456s123459m",
        "66t55t7777s888mJN",
        "1122334499tCCC",
        "EEESSSWWWFFPP",
    ];
    // West draws and discards the tile that South waits for.
    let mut deal = start(&rules, wall(&rules, hands, "N8m", "", ""), &mut ());
    deal.act(Seat::EAST, held("6t")).unwrap();
    until(&mut deal, SOUTH, act("daiminkan J666t"));
    until(&mut deal, SOUTH, held("N"));
    until(&mut deal, SOUTH, Action::Win);
    let outcome = deal.outcome().expect("it is won");
    let change = |seat| outcome.change(rules.plan(), deal.state(), seat);
    let changes: Vec<i64> = Seat::all(4).map(change).collect();
    // 25 points; who discards pays them twice.
    assert_eq!(changes, [-25, 100, -50, -25]);
}

/// South claims a quint with two jokers, West takes one of them out of it, and South wins with the rest.
#[test]
fn a_quint_is_claimed_swapped_out_of_and_won_with() {
    let rules = american();
    let hands = [
        "7m1245688s12349m",
        "77mJJ11333555mN",
        "BBBB111223333s",
        "EEESSSWWWFFPP",
    ];
    let mut lines = Vec::new();
    let options = with_legal();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    let wall = wall(&rules, hands, "N7m5m", "", "");
    let mut deal = start(&rules, wall, &mut recorder);
    let actions = [
        (Seat::EAST, "dahai 7m"),
        (SOUTH, "daiminkan JJ777m"),
        (SOUTH, "dahai N"),
        (Seat::WEST, "swap JJ777m"),
        (Seat::WEST, "dahai 1s"),
        (Seat::NORTH, "dahai 5m tsumogiri"),
        (SOUTH, "hora"),
    ];
    for (seat, action) in actions {
        wait_for(&mut deal, seat, &mut recorder);
        deal.act_observed(seat, act(action), &mut recorder).unwrap();
        let quint = deal.state().hand(SOUTH).melds().first();
        if action.starts_with("daiminkan") {
            let quint = quint.expect("it is declared");
            assert_eq!(quint.group().to_string(), "77777m");
            // Five tiles of the hand, no replacement, and no kong.
            let hand = deal.state().hand(SOUTH);
            assert_eq!((quint.jokers(), hand.concealed_len()), (2, 9));
            assert_eq!(deal.state().kongs(), 0);
        }
        if action.starts_with("swap") {
            assert_eq!(quint.map(Meld::jokers), Some(1));
        }
    }
    let outcome = deal.outcome().expect("it is won");
    let change = |seat| outcome.change(rules.plan(), deal.state(), seat);
    let changes: Vec<i64> = Seat::all(4).map(change).collect();
    // 45 points; who discards pays them twice.
    assert_eq!(changes, [-45, 180, -45, -90]);
    drop(recorder);
    let quint = lines.iter().find_map(|line| match line {
        Line::Daiminkan { consumed, .. } => Some(consumed.join(" ")),
        _ => None,
    });
    assert_eq!(quint.as_deref(), Some("J J 7m 7m"));
}

/// Six alike need a file that names them: the claim takes six tiles of the hand.
#[test]
fn sextets_are_claimed_where_the_file_names_them() {
    let text = |more: &str| {
        format!(
            "ruleset = {{ id = \"x\", extends = \"american\" }}\nmelds.sextet.family = \"sextet\"\n\
             wild.joker.in-forms = [\"pung\", \"kong\", \"quint\", \"sextet\"]\nwild.joker.claimed = {{ sextet = 3 }}\noptions.deals.default = 1\n\
             options.charleston.default = \"none\"\n\
             forms.sixes = {{ concealed = false, groups = \"sextet r a, sextet r b, pair wind\" }}\n{more}"
        )
    };
    let precedence = "claims.precedence = [\"win\", \"pung|kong|quint|sextet\", \"chow\"]\n";
    let rules = Rules::from_toml("x.toml", &text(precedence)).unwrap();
    let hands = [
        "7m1245688s12349m",
        "777mJJJ7777sJNN",
        "BBBB111223333s",
        "EEESSSWWWFFPP",
    ];
    let mut deal = start(&rules, wall(&rules, hands, "N", "", ""), &mut ());
    deal.act(Seat::EAST, held("7m")).unwrap();
    let claims = deal.legal(SOUTH).claims();
    let sextets = claims.filter(|tiles| tiles.group().len() == 6);
    let claims: Vec<String> = sextets.map(|one| one.to_string()).collect();
    // Four jokers are too many.
    assert_eq!(claims, ["JJ7777m", "JJJ777m"]);
    deal.act(SOUTH, act("daiminkan JJJ777m")).unwrap();
    assert_eq!(deal.state().hand(SOUTH).concealed_len(), 8);
    let refused = |text: &str| Rules::from_toml("x.toml", text).unwrap_err().to_string();
    let error = refused(&text(""));
    assert!(error.contains("claims.precedence"), "{error}");
    assert!(error.contains("quint, sextet"), "{error}");
    let kongs = "ruleset = { id = \"x\", extends = \"woo\" }\nmelds.quint.family = \"quint\"\n";
    let error = refused(kongs);
    assert!(error.contains("replacement = false"), "{error}");
    let claimed = text(precedence).replace("melds.sextet.family = \"sextet\"\n", "");
    let error = refused(&claimed);
    assert!(error.contains("a sextet in [melds]"), "{error}");
    let copies = format!("{}wild.joker.copies = \"set\"\n", text(precedence));
    let error = refused(&copies);
    assert!(error.contains("no tiles for such a hand"), "{error}");
}

/// West exchanges the joker of South's pung for the tile that it has drawn, and wins with the joker.
#[test]
fn a_joker_of_another_player_is_exchanged() {
    let rules = american();
    let hands = [
        "6t124568s112349m",
        "66t55t7777s888mJN",
        "BBBB111223333s",
        "EEESSSWWWFFPP",
    ];
    let mut lines = Vec::new();
    let options = with_legal();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    let wall = wall(&rules, hands, "N6tNN", "", "");
    let mut deal = start(&rules, wall, &mut recorder);
    let swap = act("swap J66t");
    let actions = [
        (Seat::EAST, "dahai 6t"),
        (SOUTH, "pon J66t"),
        (SOUTH, "dahai N"),
        (Seat::WEST, "swap J66t"),
    ];
    for (seat, action) in actions {
        wait_for(&mut deal, seat, &mut recorder);
        // South holds the other 6t after its claim, too.
        let has_meld = !deal.state().hand(SOUTH).melds().is_empty();
        assert_eq!(deal.legal(seat).contains(swap), has_meld);
        deal.act_observed(seat, act(action), &mut recorder).unwrap();
    }
    let meld = deal.state().hand(SOUTH).melds()[0];
    assert_eq!(
        (meld.group().to_string(), meld.jokers()),
        ("666t".to_owned(), 0)
    );
    assert_eq!(count(&deal, Seat::WEST, "J"), 1);
    assert_eq!(count(&deal, Seat::WEST, "6t"), 0);
    assert!(!deal.legal(Seat::WEST).contains(swap));
    deal.act_observed(Seat::WEST, Action::Win, &mut recorder)
        .unwrap();
    drop(recorder);
    let swaps = lines.iter().flat_map(|line| match line {
        Line::Decision { legal, .. } => legal.to_vec(),
        line => vec![line.clone()],
    });
    let swaps: Vec<String> = swaps
        .filter(|line| matches!(line, Line::Swap { .. }))
        .map(|line| serde_json::to_string(&line).unwrap())
        .collect();
    // South may take its own joker. West may take it too, and does.
    let own = r#"{"type":"swap","actor":1,"pai":"6t","meld":["J","6t","6t"]}"#;
    let line = r#"{"type":"swap","actor":2,"target":1,"pai":"6t","meld":["J","6t","6t"]}"#;
    assert_eq!(swaps, [own, line, line]);
}

/// South claims a pung with a joker, takes a joker of its own and one of East's, and discards. A tile is laid aside only
/// after a draw.
#[test]
fn jokers_are_exchanged_after_a_claim() {
    let hands = [
        "E66sJ12345s1234m",
        "66t6sJ55t777s888mN",
        "1122334499tC6sN",
        "6tEESSSWWWFFPP",
    ];
    let key = |value: bool| {
        format!(
            "ruleset = {{ id = \"x\", extends = \"american\" }}\n[wild.joker]\nswap-after-claim = {value}\n\
             [aside.north]\ntiles = \"N\"\nlay = \"choice\"\n[wall]\nreserve-moves = true\n"
        )
    };
    for may_swap in [false, true] {
        let rules = Rules::from_toml("x.toml", &key(may_swap)).unwrap();
        let rules = rules.with("charleston", "none").unwrap();
        let wall = wall(&rules, hands, "9999m88t", "", "");
        let mut deal = start(&rules, wall, &mut ());
        deal.act(Seat::EAST, held("E")).unwrap();
        until(&mut deal, Seat::WEST, held("6s"));
        until(&mut deal, Seat::EAST, act("pon J66s"));
        until(&mut deal, Seat::EAST, held("1m"));
        until(&mut deal, Seat::NORTH, held("6t"));
        until(&mut deal, SOUTH, act("pon J66t"));
        let swaps = |deal: &Deal<&dyn Ruleset>| -> Vec<String> {
            let legal = deal.legal(SOUTH);
            let swaps = legal.iter().filter(|one| matches!(one, Action::Swap(_)));
            swaps.map(|one| one.to_string()).collect()
        };
        if !may_swap {
            assert!(swaps(&deal).is_empty());
            continue;
        }
        assert_eq!(swaps(&deal), ["swap J66t", "swap J66s"]);
        for (swap, jokers, left) in [("swap J66t", 1, "swap J66s"), ("swap J66s", 2, "")] {
            deal.act(SOUTH, act(swap)).unwrap();
            assert_eq!(count(&deal, SOUTH, "J"), jokers);
            assert_eq!(swaps(&deal).concat(), left);
        }
        let (east, south) = (deal.state().hand(Seat::EAST), deal.state().hand(SOUTH));
        assert_eq!(
            (east.melds()[0].jokers(), south.melds()[0].jokers()),
            (0, 0)
        );
        assert_eq!((south.concealed_len(), count(&deal, SOUTH, "6t")), (11, 0));
        // Nothing was drawn, so the turn ends with a discard.
        assert_eq!(deal.state().view(SOUTH).drawn(), None);
        let is_discard = |one| matches!(one, Action::Discard { drawn: false, .. });
        assert!(deal.legal(SOUTH).iter().all(is_discard));
        deal.act(SOUTH, held("N")).unwrap();
        until(&mut deal, Seat::WEST, act("nukidora N"));
    }
}

/// South and West have declared the same flowers and jokers. Whoever may exchange one takes it from the nearest, first from
/// the own meld.
#[test]
fn of_like_melds_the_nearest_gives_the_joker() {
    let rules = american();
    let hands = [
        "B123456s123459m",
        "BJJ55t7777s888mN",
        "BJJ1122334499t",
        "BEESSSWWWFFPP",
    ];
    let mut deal = start(&rules, wall(&rules, hands, "NBNBB", "", ""), &mut ());
    deal.act(Seat::EAST, held("B")).unwrap();
    until(&mut deal, SOUTH, act("pon JJB"));
    until(&mut deal, SOUTH, held("B"));
    until(&mut deal, Seat::WEST, act("pon JJB"));
    let owner = |deal: &Deal<&dyn Ruleset>, seat: Seat| {
        let Action::Swap(tiles) = act("swap JJB") else {
            panic!()
        };
        deal.state().view(seat).swap_owner(tiles)
    };
    assert_eq!(owner(&deal, Seat::EAST), Some(SOUTH));
    assert_eq!(owner(&deal, Seat::WEST), Some(Seat::WEST));
    assert_eq!(owner(&deal, Seat::NORTH), Some(SOUTH));
    until(&mut deal, Seat::NORTH, act("swap JJB"));
    let jokers = |seat: Seat| deal.state().hand(seat).melds()[0].jokers();
    assert_eq!((jokers(SOUTH), jokers(Seat::WEST)), (1, 2));
}

/// Groups and a pair are no hand, and neither are pairs with jokers.
#[test]
fn the_card_alone_says_what_is_complete() {
    let rules = american();
    let decomposer = rules.plan().decomposer();
    let complete = |text: &str, melds: &[&str]| {
        let melds: Vec<Meld> = melds
            .iter()
            .map(|text| Meld::of_tiles(&tiles(text)).unwrap())
            .collect();
        let set = rules.plan().tiles();
        let hand = Hand::try_new(set, &tiles(text), &melds, &[]).unwrap();
        decomposer.is_complete(&Holding::from(&hand))
    };
    assert!(!complete("111222333t444s55m", &[]));
    assert!(!complete("1122558899t22s44m", &[]));
    assert!(complete("11223344556677t", &[]));
    assert!(!complete("112233445566t7tJ", &[]));
    assert!(complete("1112223344tJJJJ", &[]));
    assert!(complete("BBBB1111223333s", &[]));
    assert!(complete("BBBB1111s22s", &["3333s"]));
    assert!(!complete("BBBB1111s22s1m", &["333s"]));
    assert!(complete("BBJJJJJJJJ4t5s66m", &[]));
    assert!(complete("11333t5555t7777tJ", &[]));
    assert!(!complete("11333t5555t777tEE", &[]));
    assert!(complete("BBBBB33444t5555t", &[]));
    let eight = "BBBBBBBB11t22s3m";
    let hand: Hand = eight.parse().unwrap();
    assert_eq!(hand.concealed().get(Kind::BLOSSOM), 8);
    assert!(decomposer.waits(&Holding::from(&hand)).is_empty());
}

/// Three tiles go to the right, then across, then to the left, and no joker is among them.
#[test]
fn tiles_are_passed_three_times() {
    let rules = one_deal("american", &[]);
    let hands = [
        "6t1234567s12345m",
        "66tJJJ789s6789mN",
        "1122334455tCCC",
        "EEESSSWWWFFPP",
    ];
    let mut deal = start(&rules, wall(&rules, hands, "N", "", ""), &mut ());
    let passes = [
        (["6t", "6t", "9m"], Seat::WEST),
        (["6m", "7m", "8m"], Seat::NORTH),
        (["7s", "8s", "9s"], Seat::EAST),
    ];
    for (given, to) in passes {
        assert!(!deal.legal(SOUTH).contains(Action::Exchange(Kind::JOKER)));
        let before: Vec<u8> = given.iter().map(|tile| count(&deal, to, tile)).collect();
        for tile in given {
            deal.act(SOUTH, Action::Exchange(kind(tile))).unwrap();
        }
        for seat in [Seat::EAST, Seat::WEST, Seat::NORTH] {
            for _ in 0..3 {
                // The first tiles, which `to` did not hold or gives away itself.
                let action = deal.legal(seat).nth(0).unwrap();
                deal.act(seat, action).unwrap();
            }
        }
        let after: Vec<u8> = given.iter().map(|tile| count(&deal, to, tile)).collect();
        assert!(
            after
                .iter()
                .zip(&before)
                .all(|(after, before)| after > before),
            "{to}"
        );
    }
    assert_eq!(deal.state().wall().taken().0, 53);
    assert_eq!(count(&deal, SOUTH, "J"), 3);
    let sizes = Seat::all(4).map(|seat| deal.state().hand(seat).concealed_len());
    assert_eq!(sizes.collect::<Vec<_>>(), [14, 13, 13, 13]);
}

fn count(deal: &Deal<&dyn Ruleset>, seat: Seat, tile: &str) -> u8 {
    deal.state().hand(seat).concealed().get(kind(tile))
}

/// Whoever holds more than three blossoms may claim a pung, and then a kong of the other three and a fifth.
#[test]
fn a_pung_and_a_kong_of_one_kind_are_two_melds() {
    // No hand of the card has both.
    let rules = american().with("any-exposure", true).unwrap();
    let hands = [
        "6t123456s123459m",
        "BBBBB789s6789mN",
        "1122334455tCCC",
        "EEESSSWWWFFPP",
    ];
    let mut lines = Vec::new();
    let options = with_legal();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    let wall = wall(&rules, hands, "BNNB", "", "");
    let mut deal = start(&rules, wall, &mut recorder);
    let actions = [
        (Seat::EAST, "dahai B tsumogiri"),
        (SOUTH, "pon BBB"),
        (SOUTH, "dahai N"),
        (Seat::WEST, "dahai N tsumogiri"),
        (Seat::NORTH, "dahai N tsumogiri"),
        (Seat::EAST, "dahai B tsumogiri"),
        (SOUTH, "daiminkan BBBB"),
    ];
    for (seat, action) in actions {
        wait_for(&mut deal, seat, &mut recorder);
        deal.act_observed(seat, act(action), &mut recorder).unwrap();
    }
    let hand = deal.state().hand(SOUTH);
    assert_eq!((hand.melds().len(), count(&deal, SOUTH, "B")), (2, 0));
    drop(recorder);
    let kongs = lines.iter().flat_map(|line| match line {
        Line::Daiminkan { .. } => vec![line.clone()],
        Line::Decision { legal, .. } => legal.to_vec(),
        _ => Vec::new(),
    });
    let kongs: Vec<Line> = kongs
        .filter(|line| matches!(line, Line::Daiminkan { .. }))
        .collect();
    assert!(kongs.len() > 2);
    for kong in kongs {
        assert!(
            matches!(kong, Line::Daiminkan { laid: None, .. }),
            "{kong:?}"
        );
    }
}
