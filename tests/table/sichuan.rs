//! Sichuan mahjong on walls laid by hand: what is chosen before the first turn, play after wins, kongs that are paid
//! at once, and the end of the wall. Source: `rulesets/sichuan.toml`.

use crate::common::rigged::{Played, act, drawn, held, kind, one_deal, play, start, tile, wall};
use paishan::game::Ending;
use paishan::log::{Line, LogOptions, Recorder};
use paishan::ruleset::OptionValue;
use paishan::state::{Action, Phase, Way};
use paishan::{Notation, Player, Rules, Seat, Suit};

fn sichuan(exchange: bool) -> Rules {
    one_deal("sichuan", &[("exchange", OptionValue::Bool(exchange))])
}

/// The suits that E, S, W and N do without.
fn without(suits: &str) -> Vec<(char, Action)> {
    let suit = |letter| Suit::from_letter(letter).expect("a suit");
    let all = "ESWN".chars().zip(suits.chars());
    all.map(|(seat, letter)| (seat, Action::Missing(suit(letter))))
        .collect()
}

fn played(
    hands: [&str; 4],
    front: &str,
    back: &str,
    suits: &str,
    plan: &[(char, Action)],
) -> Played {
    let rules = sichuan(false);
    let wall = wall(&rules, hands, front, back, "");
    play(rules, wall, &[&without(suits)[..], plan].concat())
}

/// East has nothing but odd tiles; South, West and North wait for the 5t.
const THREE_WAIT: [&str; 4] = [
    "5t113579s113579m",
    "123456789m22m46t",
    "123456789s22s46t",
    "46788t2468s2468m",
];

#[test]
fn play_goes_on_after_the_last_winner() {
    let plan = [('E', held("5t")), ('S', Action::Win), ('W', Action::Win)];
    let played = played(THREE_WAIT, "9m", "", "tsmt", &plan);
    assert_eq!(played.ways, [Way::Discard; 2]);
    assert_eq!(played.outcome.ending, Ending::Exhausted);
    let paid = played.payments("win");
    assert_eq!(paid, [('E', 'S', 1), ('E', 'W', 1)]);
    let won = |line: &Line| matches!(line, Line::Hora { .. });
    let place = played.lines.iter().position(won).expect("a win");
    // North draws next, and neither winner acts again.
    assert!(matches!(
        &played.lines[place + 1],
        Line::Hora(hora) if hora.actor == 2
    ));
    assert!(matches!(
        played.lines[place + 2],
        Line::Tsumo { actor: 3, .. }
    ));
    for line in &played.lines[place + 2..] {
        assert!(
            !matches!(line, Line::Tsumo { actor: 1 | 2, .. }),
            "{line:?}"
        );
    }
    assert!(matches!(
        played.lines[played.lines.len() - 3],
        Line::Ryukyoku { .. }
    ));
}

#[test]
fn the_deal_ends_when_one_is_left() {
    // North draws the tile for which South and West wait, after they have won.
    let hands = [
        THREE_WAIT[0],
        THREE_WAIT[1],
        THREE_WAIT[2],
        "234567m2345677t",
    ];
    let plan = [
        ('E', held("5t")),
        ('S', Action::Win),
        ('W', Action::Win),
        ('N', Action::Win),
    ];
    let played = played(hands, "9m7t", "", "tsms", &plan);
    assert_eq!(played.outcome.ending, Ending::Won);
    assert_eq!(played.ways, [Way::Discard, Way::Discard, Way::Wall]);
    // Only East is left to pay North: one more than the hand.
    assert_eq!(played.deltas, [-4, 1, 1, 2]);
    assert_eq!(
        played.count(|line| matches!(line, Line::Ryukyoku { .. })),
        0
    );
    let scores = played.lines.iter().rev().find_map(|line| match line {
        Line::Hora(hora) => hora.scores.clone(),
        _ => None,
    });
    let scores = scores.expect("a win");
    let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
    assert_eq!(scores, ["-4", "1", "1", "2"]);
}

#[test]
fn kongs_are_paid_at_once() {
    // East has a concealed kong, then adds to a pung: what it has just drawn, or what it held before.
    let hands = [
        "1111m22m468m468t7t",
        "22m13579s13579t1s",
        "13579s13579t1s99m",
        "2468s2468t99m357m",
    ];
    let kong = [('E', Action::ConcealedKong(kind("1m")))];
    let first = played(hands, "3m", "9s", "ssmm", &kong);
    let paid = first.payments("kong");
    assert_eq!(paid, [('S', 'E', 2), ('W', 'E', 2), ('N', 'E', 2)]);
    let line = first
        .lines
        .iter()
        .find(|line| matches!(line, Line::Paid { .. }));
    let Some(Line::Paid { actor, reason, .. }) = line else {
        panic!("no payment in the log");
    };
    assert_eq!((*actor, &**reason), (0, "kong"));
    // Nobody was ready with the wall used up, East neither, so the payment went back.
    assert_eq!(
        first.payments("kong-refund"),
        [('E', 'S', 2), ('E', 'W', 2), ('E', 'N', 2)]
    );
    assert_eq!(first.deltas, [0; 4]);
}

#[test]
fn a_claimed_kong_is_paid_by_its_giver_and_an_added_one_by_all() {
    let hands = [
        "1t2468s2468m357s9m",
        "111t2233m468s567m",
        "13579m3579t2246t",
        "2468s2468t99m357m",
    ];
    let claimed = [('E', held("1t")), ('S', act("daiminkan 1111t"))];
    let first = played(hands, "9s", "9t", "tstm", &claimed);
    assert_eq!(first.payments("kong"), [('E', 'S', 2)]);
    // South draws the last 1t, or keeps it for a turn.
    let hands = [
        "2t2468s2468m357s9m",
        "11t2t2233m468s567m",
        "1t13579m3579t246t",
        "2468s2468t99m357m",
    ];
    let pung = [
        ('E', held("2t")),
        ('S', held("4s")),
        ('W', held("1t")),
        ('S', act("pon 111t")),
        ('S', held("6s")),
        ('W', drawn("8t")),
        ('E', drawn("9t")),
    ];
    let now = [('S', Action::AddedKong(kind("1t")))];
    let front = "9s5s7t8t3s9t1t";
    let second = played(hands, front, "9t", "tstm", &[&pung[..], &now].concat());
    let paid = [('W', 'S', 1), ('N', 'S', 1), ('E', 'S', 1)];
    let mut all = second.payments("kong");
    all.sort_unstable();
    let mut expected = paid.to_vec();
    expected.sort_unstable();
    assert_eq!(all, expected);
    let later = [('S', held("8s")), ('S', Action::AddedKong(kind("1t")))];
    let third = played(hands, front, "9t", "tstm", &[&pung[..], &later].concat());
    assert_eq!(third.payments("kong"), []);
}

#[test]
fn the_discard_after_a_kong_gives_its_payment_back() {
    let hands = [
        "1111m5t468m99m357s",
        "123456789s22s46t",
        "3579m13579t1119s",
        "2468s2468t77m357m",
    ];
    let plan = [
        ('E', Action::ConcealedKong(kind("1m"))),
        ('E', held("5t")),
        ('S', Action::Win),
    ];
    let played = played(hands, "3m", "9m", "tmss", &plan);
    assert_eq!(played.patterns, ["mahjong", "shoot-after-kong"]);
    assert_eq!(played.payments("win"), [('E', 'S', 2)]);
    let kong = played.payments("kong");
    let returned = played.payments("kong-returned");
    let back: Vec<_> = returned.iter().map(|&(a, b, n)| (b, a, n)).collect();
    assert_eq!(kong, back);
    assert_eq!(kong.len(), 3);
}

/// East makes two kongs in a row and discards the 5t, on which South wins.
const TWO_KONGS: [&str; 4] = [
    "1111m2222m5t68m57s",
    "123456789s22s46t",
    "3579m13579t1119s",
    "2468s2468t77m357m",
];

fn after_two_kongs(option: &str) -> Played {
    let options = [
        ("exchange", OptionValue::Bool(false)),
        ("kongs-before-discard", option.into()),
    ];
    let rules = one_deal("sichuan", &options);
    let wall = wall(&rules, TWO_KONGS, "3m", "9m8m", "");
    let plan = [
        ('E', Action::ConcealedKong(kind("1m"))),
        ('E', Action::ConcealedKong(kind("2m"))),
        ('E', held("5t")),
        ('S', Action::Win),
    ];
    play(rules, wall, &[&without("tmss")[..], &plan].concat())
}

#[test]
fn the_discard_after_kongs_in_a_row_gives_all_their_payments_back() {
    let played = after_two_kongs("returned");
    let back = played.payments("kong-returned");
    assert_eq!(back, [('E', 'S', 4), ('E', 'W', 4), ('E', 'N', 4)]);
    assert_eq!(played.payments("kong").len(), 6);
}

#[test]
fn the_payments_of_kongs_in_a_row_may_go_to_the_winner() {
    let played = after_two_kongs("to-winner");
    let to_winner = played.payments("kong-passed-on");
    assert_eq!(to_winner, [('E', 'S', 12)]);
    // Nothing is left to go back at the end of the wall.
    assert_eq!(played.payments("kong-refund"), []);
}

/// South wins off a later discard of East, who is not ready at the end of the wall: what the kong brought goes back to all
/// who paid, South too.
#[test]
fn payments_for_kongs_go_back_to_winners_too() {
    let hands = [
        "1111m15t468m99m57s",
        "123456789s22s46t",
        "3579m13579t1119s",
        "2468s2468t77m357m",
    ];
    let plan = [
        ('E', Action::ConcealedKong(kind("1m"))),
        ('E', held("1t")),
        ('E', held("5t")),
        ('S', Action::Win),
    ];
    let played = played(hands, "3m", "9m", "tmss", &plan);
    assert_eq!(played.outcome.ending, Ending::Exhausted);
    assert!(!played.outcome.ready.contains(Seat::EAST));
    let back = played.payments("kong-refund");
    assert_eq!(back, [('E', 'S', 2), ('E', 'W', 2), ('E', 'N', 2)]);
}

/// At the end of the wall South is ready, East and West are not, and North still holds the suit that it declared missing:
/// it had too many tiles of it.
#[test]
fn the_end_of_the_wall_is_settled() {
    let hands = [
        "1135799s113579m",
        "123456789m99m46s",
        "123456789s2468m",
        "1112223334445t",
    ];
    let played = played(hands, "", "", "tttt", &[]);
    assert_eq!(played.outcome.ending, Ending::Exhausted);
    assert!(played.outcome.ready.contains(Seat::SOUTH));
    assert!(!played.outcome.ready.contains(Seat::NORTH));
    let pigs = played.payments("holds-missing-suit");
    assert_eq!(pigs, [('N', 'E', 16), ('N', 'S', 16), ('N', 'W', 16)]);
    // North pays nothing more. The others pay South, if they are not ready.
    let not_ready = played.payments("not-ready");
    for seat in "EW".chars() {
        let pays = not_ready.contains(&(seat, 'S', 1));
        let own = Seat::from_letter(seat).expect("a seat");
        assert_eq!(pays, !played.outcome.ready.contains(own), "{seat}");
    }
    assert!(!not_ready.is_empty() && not_ready.iter().all(|&(from, ..)| from != 'N'));
    let ends = played.lines.iter().find_map(|line| match line {
        Line::Ryukyoku { tenpais, .. } => tenpais.clone(),
        _ => None,
    });
    assert!(ends.expect("the end of the wall")[1]);
}

/// Two win off the discard after a kong: what it brought goes back once, and the lines of the log tell all of it.
#[test]
fn several_win_off_the_discard_after_a_kong() {
    let hands = [
        "1111m5t68m99m1357s",
        "234567s222888s5t",
        "22334455m8877m5t",
        "1469s12468t6m9m39s",
    ];
    let plan = [
        ('E', Action::ConcealedKong(kind("1m"))),
        ('E', held("5t")),
        ('S', Action::Win),
        ('W', Action::Win),
    ];
    let played = played(hands, "3m", "9m", "tmss", &plan);
    assert_eq!(played.payments("kong-returned").len(), 3);
    let mut sums = vec![0_i64; 4];
    for line in &played.lines {
        let (deltas, scores) = match line {
            Line::Paid { deltas, scores, .. } => (deltas, scores),
            Line::Hora(hora) => (hora.deltas.as_ref().unwrap(), hora.scores.as_ref().unwrap()),
            Line::Ryukyoku { deltas, scores, .. } => {
                (deltas.as_ref().unwrap(), scores.as_ref().unwrap())
            }
            _ => continue,
        };
        for (sum, delta) in sums.iter_mut().zip(deltas) {
            *sum += delta.tenths() / 10;
        }
        let told: Vec<i64> = scores.iter().map(|score| score.tenths() / 10).collect();
        assert_eq!(told, sums, "{line:?}");
    }
    assert_eq!(sums, played.deltas);
}

/// Rules that do not go together are refused when they are read.
#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |extends: &str, more: &str, part: &str| {
        let text = format!("ruleset = {{ id = \"x\", extends = \"{extends}\" }}\n{more}");
        let error = Rules::from_toml("x.toml", &text).err();
        let error = error.unwrap_or_else(|| panic!("loads: {more}")).to_string();
        assert!(error.contains(part), "{error}");
    };
    for (more, part) in [
        (
            "kongs = { rob = [\"added\", \"concealed\"] }",
            "`kongs.rob`",
        ),
        (
            "penalties = { false-win = { playable = true, pays-each = 8 } }",
            "`penalties.false-win`",
        ),
        ("score = { losers = { enabled = true } }", "`score.losers`"),
        ("penalties = { dead-hand = {} }", "`penalties.dead-hand`"),
        ("opening.exchange.pass.tiles = 5", "tiles"),
        ("opening.exchange.choose = \"suit\"", "one of `pass`"),
        (
            "opening.more = { choose = \"suit\", bars = \"chosen\" }",
            "`opening.missing-suit`",
        ),
        ("turned.birds = { on = \"win\" }", "`turned`"),
    ] {
        refused("sichuan", more, part);
    }
    refused("woo", "win = { then = \"play-on\" }", "rows");
    let winds = "tiles = { copies = [{ tiles = \"ESWNCFP\", count = 4 }] }\nopening.missing-suit = { choose = \"suit\", bars = \"chosen\" }";
    refused("two-player", winds, "0 suits");
    refused(
        "malaysian",
        "opening.exchange.pass = { tiles = 1, to = \"across\" }",
        "even number of players",
    );
    refused(
        "two-player",
        "opening.suit.choose = \"suit\"",
        "[opening.suit] has no `bars`",
    );
}

#[test]
fn tiles_are_exchanged_by_the_dice_and_hidden() {
    let rules = sichuan(true);
    let hands = [
        "123t123456789s9m",
        "456t123456789m9s",
        "789t1234567m123s",
        "123t1234567m456s",
    ];
    let wall = wall(&rules, hands, "", "", "");
    // The dice show 1 and 2, so all give to the player before.
    let mut seen = Vec::new();
    let options = {
        let mut options = LogOptions::new(vec!["x".to_owned(); 4], Notation::Ujmj);
        options.viewer = Player::new(3);
        options
    };
    let mut recorder = Recorder::new(rules.plan(), options, |line| seen.push(line));
    let mut deal = start(&rules, wall, &mut recorder);
    let east = deal.legal(Seat::EAST).exchange_kinds();
    // One 9m is no three of a suit, and 8s leaves too few after it.
    assert!(!east.contains(kind("9m")) && !east.contains(kind("8s")));
    assert!(east.contains(kind("1t")) && !east.contains(kind("2t")));
    let gifts = [("E", "123t"), ("S", "456t"), ("W", "789t"), ("N", "123t")];
    for place in 0..3 {
        for (seat, tiles) in gifts {
            let seat = Seat::from_letter(seat.chars().next().unwrap()).unwrap();
            let chosen = crate::common::rigged::tiles(tiles)[place];
            // Nothing moves until all have chosen.
            assert_eq!(deal.state().hand(seat).size(), 13);
            let before = deal.state().view(seat).chosen_for_exchange().len();
            assert_eq!(before, place);
            deal.act_observed(
                seat,
                Action::Exchange(chosen.kind().unwrap()),
                &mut recorder,
            )
            .unwrap();
        }
    }
    drop(recorder);
    let hand = |seat| Notation::Ujmj.print(deal.state().hand(seat).tiles());
    assert_eq!(hand(Seat::EAST), "456t123456789s9m");
    assert_eq!(hand(Seat::SOUTH), "789t9s123456789m");
    assert_eq!(hand(Seat::WEST), "123t123s1234567m");
    assert_eq!(hand(Seat::NORTH), "123t456s1234567m");
    let told: Vec<(usize, usize, &str)> = seen
        .iter()
        .filter_map(|line| match line {
            Line::Exchange { actor, target, pai } => Some((*actor, (*target)?, &**pai)),
            _ => None,
        })
        .collect();
    // North gave to West and received from East.
    assert_eq!(told.len(), 12);
    for (actor, target, pai) in told {
        assert_eq!(target, (actor + 3) % 4);
        assert_eq!(pai == "?", actor != 3 && target != 3);
    }
    assert!(matches!(deal.state().phase(), Phase::Opening(_)));
    assert_eq!(deal.legal(Seat::EAST).len(), 3);
}

#[test]
fn the_missing_suit_binds() {
    let rules = sichuan(false);
    let hands = [
        "5t113579s113579m",
        "55t123456789m22s",
        "123456789s46t22m",
        "46788t2468s2468m",
    ];
    let wall = wall(&rules, hands, "9m", "", "");
    let mut deal = start(&rules, wall, &mut ());
    for (letter, action) in without("ttts") {
        let seat = Seat::from_letter(letter).unwrap();
        // Nobody knows before all have declared.
        assert_eq!(deal.state().view(Seat::EAST).missing_suit(seat), None);
        deal.act(seat, action).unwrap();
    }
    let view = deal.state().view(Seat::NORTH);
    assert_eq!(view.missing_suit(Seat::EAST), Some(Suit::Circles));
    // East must discard the 5t. South has two, but does without them; West waits for it, but still holds others.
    let actions: Vec<Action> = deal.legal(Seat::EAST).iter().collect();
    assert_eq!(actions, [held("5t")]);
    deal.act(Seat::EAST, held("5t")).unwrap();
    assert_eq!(deal.state().waiting().first(), Some(Seat::SOUTH));
    assert!(deal.state().view(Seat::SOUTH).drawn().is_some());
    let kinds = deal.legal(Seat::SOUTH).discard_kinds();
    assert!(kinds.contains(tile("5t").kind().unwrap()));
    assert!(kinds.iter().all(|kind| kind.suit() == Some(Suit::Circles)));
}
