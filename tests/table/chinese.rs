//! `traditional` and `celestial` at the table: walls laid by hand, so that what hardly ever happens
//! happens. Sources: `rulesets/traditional.md` §3 to §10, `rulesets/celestial.md` §3 and §4.

use crate::common::rigged::{
    Played, act, drawn, forget_seed, held, idle, kind, one_deal, play, tile, wall,
};
use paishan::game::{ActionError, Deal, Ending, Match, Next, Outcome};
use paishan::log::{Announced, DrawnFrom, Line, LogOptions, Recorder, replay};
use paishan::ruleset::OptionValue;
use paishan::ruleset::PlayedDeal;
use paishan::state::{Action, Announcement, Way};
use paishan::{Notation, Player, Rules, Ruleset, Seat, SeatSet};

fn traditional(options: &[(&str, OptionValue)]) -> Rules {
    one_deal("traditional", options)
}

fn celestial(options: &[(&str, OptionValue)]) -> Rules {
    one_deal("celestial", options)
}

fn seat(letter: char) -> Seat {
    Seat::from_letter(letter).unwrap()
}

/// A deal on a wall of these hands and draws, played up to a decision of `who` that may do `what`;
/// everybody passes and throws what he draws, after these.
fn until<'a>(
    rules: &'a dyn Ruleset,
    hands: [&str; 4],
    (front, back): (&str, &str),
    plan: &[(char, Action)],
) -> Deal<&'a dyn Ruleset> {
    let series = Match::with_dealer(rules, 1, Player::FIRST);
    let wall = wall(rules, hands, front, back, "");
    let mut deal = Deal::start(rules, series.state().setup_with(wall));
    for (letter, action) in plan {
        while !deal.legal(seat(*letter)).contains(*action) {
            let next = deal.state().deciding().next().expect("the deal goes on");
            let idle = idle(&deal, next);
            deal.act(next, idle).unwrap();
        }
        deal.act(seat(*letter), *action).unwrap();
    }
    deal
}

/// Hands that can do nothing with one another's tiles.
const JUNK: [&str; 4] = [
    "147t258s369mESWN",
    "258t369s147mESWN",
    "369t147s258mESWC",
    "147t369s258mNFPC",
];

/// East can throw a 5 man, on which North wins.
const ON_FIVE: [&str; 4] = [
    "5m258s147t369mEEE",
    "258t369s147mSSWN",
    "369t147s258mSWNC",
    "123t456t789s46m99s",
];

/// The same, and West can claim it for a pung.
const ON_FIVE_WITH_PUNG: [&str; 4] = [ON_FIVE[0], ON_FIVE[1], "55m258s147t69mSWN", ON_FIVE[3]];

// ---------------------------------------------------------------- claims

#[test]
fn a_win_goes_before_a_pung_and_a_pung_before_a_chow() {
    for rules in [traditional(&[]), celestial(&[])] {
        let hands = [
            "5m258s147t369mEEE",
            "46m58s147t39mSSWN",
            "55m258s147t69mSWN",
            "123t456t789s46m99s",
        ];
        let chow = act("chi 456m");
        let all = [
            ('E', held("5m")),
            ('S', chow),
            ('W', act("pon 555m")),
            ('N', Action::Win),
        ];
        let played = play(rules.clone(), wall(&rules, hands, "S", "", ""), &all);
        assert_eq!(played.ways, [Way::Discard]);
        assert!(played.points[3] > Some(0));
        let claims = |line: &Line| matches!(line, Line::Chi { .. } | Line::Pon { .. });
        assert_eq!(played.count(claims), 0);
        // Without the win the pung goes before the chow.
        let played = play(rules.clone(), wall(&rules, hands, "S", "", ""), &all[..3]);
        let pung = |line: &Line| {
            matches!(
                line,
                Line::Pon {
                    actor: 2,
                    target: 0,
                    ..
                }
            )
        };
        assert_eq!(played.count(pung), 1);
        assert_eq!(played.count(claims), 1);
    }
}

#[test]
fn the_nearest_of_two_winners_wins_alone() {
    for rules in [traditional(&[]), celestial(&[])] {
        let hands = [
            "5m258s147t369mSWN",
            JUNK[2],
            "46m123s789s55tNNN",
            "46m123t789t55sEEE",
        ];
        let plan = [('E', held("5m")), ('W', Action::Win), ('N', Action::Win)];
        let played = play(rules.clone(), wall(&rules, hands, "S", "", ""), &plan);
        let winners: Vec<Seat> = played
            .outcome
            .wins()
            .iter()
            .map(|(seat, _)| *seat)
            .collect();
        assert_eq!(winners, [seat('W')]);
    }
}

#[test]
fn a_chow_is_claimed_from_the_player_before_only_but_a_win_from_anyone() {
    let rules = traditional(&[]);
    // West and South hold 46m; only South follows East. North would win with any set.
    let hands = [
        "5m258s147t369mEEE",
        "46m58s147t19mSSWN",
        "46m258s147t3mSWNC",
        "123t456t789s46mCC",
    ];
    let deal = until(&rules, hands, ("S", ""), &[('E', held("5m"))]);
    let legal = |letter| deal.legal(seat(letter));
    let runs = |letter| {
        legal(letter)
            .claims()
            .filter(|tiles| tiles.group().family().is_run())
            .count()
    };
    assert_eq!([runs('S'), runs('W'), runs('N')], [1, 0, 0]);
    assert!(legal('N').contains(Action::Win));
    assert!(!deal.state().waiting().contains(seat('W')));
}

// ---------------------------------------------------------------- kongs

#[test]
fn an_added_kong_is_robbed_and_becomes_the_pung_again() {
    for rules in [traditional(&[]), celestial(&[])] {
        let hands = [
            "55m258s147t69mESW",
            "123t456t789s46m11s",
            "369t147s28mESWWC",
            "5m258s147t36mNFPC",
        ];
        let five = kind("5m");
        let plan = [
            ('N', held("5m")),
            ('E', act("pon 555m")),
            ('E', Action::AddedKong(five)),
            ('S', Action::Win),
        ];
        // South does not win on the discard: he waits for the kong.
        let played = play(
            rules.clone(),
            wall(&rules, hands, "NNCFPPP5m", "", ""),
            &plan,
        );
        assert_eq!(played.ways, [Way::RobbedKong]);
        let robbing = ["robbing-kong", "robbing-the-kong"];
        let is_robbing = |id: &String| robbing.contains(&id.as_str());
        assert!(
            played.patterns.iter().any(is_robbing),
            "{:?}",
            played.patterns
        );
        assert!(played.hands[0].ends_with(" 555m"), "{}", played.hands[0]);
        assert_eq!(played.deltas.iter().sum::<i64>(), 0);
    }
}

#[test]
fn a_concealed_kong_is_shown_and_never_robbed() {
    for rules in [traditional(&[]), celestial(&[])] {
        // South waits for a 1 of tong alone.
        let hands = [
            "1111t258s36mESWE",
            "9t19s19mESWNCFPP",
            "369t147s258mSWNC",
            "447t369s258mNFCP",
        ];
        let plan = [('E', Action::ConcealedKong(kind("1t")))];
        let played = play(rules.clone(), wall(&rules, hands, "8s", "8m", ""), &plan);
        let hora = |line: &Line| matches!(line, Line::Hora { .. });
        let ankan = |line: &Line| matches!(line, Line::Ankan { actor: 0, consumed, hidden: None } if consumed[0] == "1t");
        assert_eq!((played.count(ankan), played.count(hora)), (1, 0));
    }
}

#[test]
fn kongs_are_declared_after_a_claim_too() {
    for rules in [traditional(&[]), celestial(&[])] {
        let hands = [
            "55m7777s258t36mEW",
            JUNK[0],
            "369t14s258mESWCC",
            "5m258s147t36mNFPC",
        ];
        let plan = [
            ('N', held("5m")),
            ('E', act("pon 555m")),
            ('E', Action::ConcealedKong(kind("7s"))),
        ];
        let played = play(
            rules.clone(),
            wall(&rules, hands, "NNCF", "8m8m", ""),
            &plan,
        );
        let back = |line: &Line| matches!(line, Line::Tsumo { actor: 0, pai, from: DrawnFrom::Back } if pai == "8m");
        assert_eq!(played.count(back), 1);
    }
}

#[test]
fn a_discard_never_joins_an_exposed_pung() {
    let rules = traditional(&[]);
    let hands = [
        "55m258s147t69mESW",
        JUNK[0],
        "5m258s147t36mSWCC",
        "5m258s147t36mNFPC",
    ];
    let plan = [('N', held("5m")), ('E', act("pon 555m")), ('W', held("5m"))];
    let deal = until(&rules, hands, ("NNCF", ""), &plan);
    assert!(!deal.legal(Seat::EAST).contains(act("daiminkan 5555m")));
}

#[test]
fn an_undeclared_kong_scores_as_a_concealed_pung() {
    let rules = traditional(&[]);
    let hands = [
        "5m258s147t369mEEE",
        "258t369s147mSSWN",
        "PPPP258s147t36m5s",
        "123t456t789s46m99s",
    ];
    let plan = [('E', held("5m")), ('N', Action::Win)];
    let played = play(rules.clone(), wall(&rules, hands, "S", "", ""), &plan);
    // 8 points and a double, rounded up.
    assert_eq!(played.points[2], Some(20));
}

// ---------------------------------------------------------------- reserve and flowers

#[test]
fn no_kong_without_a_loose_tile_but_flowers_go_on_from_the_wall() {
    // The Kong Box of one column and the column of the breach: four Loose Tiles.
    let rules = traditional(&[("kong-box", 1.into())]);
    let hands = [
        "hijk1111t58s36mE",
        "2222t58s369mSWNN",
        "47t25s169mWWNCFP",
        "47t258s369mSCCFP",
    ];
    let series = Match::with_dealer(&rules, 1, Player::FIRST);
    let wall_of = |front| wall(&rules, hands, front, "7s7s7s7s", "");
    // All four are taken for the dealt seasons.
    let deal = Deal::start(&rules, series.state().setup_with(wall_of("8s9s")));
    assert!(!deal.state().wall().has_replacement());
    let kong = Action::ConcealedKong(kind("1t"));
    assert!(!deal.legal(Seat::EAST).contains(kong));
    // A flower drawn later is replaced from the front.
    let played = play(rules.clone(), wall_of("8so9spq4m"), &[]);
    let front: Vec<(&str, &DrawnFrom)> = played
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Tsumo {
                actor: 1,
                pai,
                from,
            } => Some((pai.as_str(), from)),
            _ => None,
        })
        .take(2)
        .collect();
    assert_eq!(front, [("o", &DrawnFrom::Front), ("9s", &DrawnFrom::Front)]);
    let flowers = played.count(|line| matches!(line, Line::Flower { .. }));
    assert!(flowers >= 7);
}

#[test]
fn a_win_with_a_flowers_replacement_says_so_and_after_a_kong_it_stays_the_kongs() {
    let rules = traditional(&[]);
    let hands = ["123t456t789s23m55m", JUNK[0], JUNK[2], "147t258s369mNFPC"];
    let plan = [('E', Action::Win)];
    let played = play(rules.clone(), wall(&rules, hands, "o", "1m", ""), &plan);
    assert_eq!(played.ways, [Way::Replacement]);
    // East's fourteenth tile was the flower: still his original hand.
    assert_eq!(played.flags(), ["after-flower", "first-turn"]);
    assert!(played.patterns.contains(&"loose-tile".to_owned()));
    assert!(played.patterns.contains(&"heavens-blessing".to_owned()));

    let hands = [
        "7777s456t789t23m5m",
        "147t258s369mESWN",
        "369t14s258mESSWC",
        "147t369s258mNFPC",
    ];
    let plan = [('E', Action::ConcealedKong(kind("7s"))), ('E', Action::Win)];
    let played = play(rules.clone(), wall(&rules, hands, "5m", "o1m", ""), &plan);
    assert_eq!(played.flags(), ["after-kong"]);
    assert!(!played.patterns.contains(&"heavens-blessing".to_owned()));
}

#[test]
fn dealt_flowers_are_replaced_in_seat_order_before_the_dealer_draws() {
    for rules in [traditional(&[]), celestial(&[])] {
        let hands = [
            "h47t258s369mESWN",
            "258t369s147mESWN",
            "oj7t147s258mESWC",
            "147t369s258mNFPC",
        ];
        let played = play(rules.clone(), wall(&rules, hands, "8s", "1tp4t1t", ""), &[]);
        let told: Vec<String> = played.lines[2..]
            .iter()
            .filter_map(|line| match line {
                Line::Flower { actor, pai } => Some(format!("{actor} lays {pai}")),
                Line::Tsumo { actor, pai, .. } => Some(format!("{actor} draws {pai}")),
                _ => None,
            })
            .take(9)
            .collect();
        let want = [
            "0 lays h",
            "0 draws 1t",
            "2 lays j",
            "2 draws p",
            "2 lays p",
            "2 draws 4t",
            "2 lays o",
            "2 draws 1t",
            "0 draws 8s",
        ];
        assert_eq!(told, want, "{}", rules.plan().id());
    }
}

#[test]
fn with_wall_and_reserve_used_up_a_flower_ends_the_hand() {
    // Nine kongs' worth of Loose Tiles never come: one column and the breach, all for flowers.
    let rules = celestial(&[("sacred-hill", 1.into())]);
    let hands = [JUNK[0], JUNK[1], JUNK[2], JUNK[3]];
    let plan = rules.plan();
    let n = plan.tiles().len();
    let base = wall(&rules, hands, "", "h", "");
    // The last tile of the Great Wall is a flower, and so is the only tile of the Sacred Hill.
    let mut order: Vec<_> = base.tiles().collect();
    let last = n - 2;
    let place = order.iter().position(|t| *t == tile("i")).unwrap();
    order.swap(place, last);
    // No other flower is drawn before.
    for flower in ["j", "k", "o", "p", "q", "r"] {
        let place = order.iter().position(|t| *t == tile(flower)).unwrap();
        assert!(place < last && place > 52, "{flower} at {place}");
    }
    let broken = (Seat::EAST, 0);
    let wall =
        paishan::Wall::from_tiles(plan.wall(), plan.tiles(), 4, &order, &[], broken).unwrap();
    let played = play(rules.clone(), wall, &[]);
    assert!(played.outcome.wins().is_empty());
    let last_lines: Vec<&Line> = played.lines.iter().rev().take(4).collect();
    assert!(
        matches!(
            last_lines[..],
            [
                Line::EndGame { .. },
                Line::EndKyoku { .. },
                Line::Ryukyoku { .. },
                Line::Flower { .. }
            ]
        ),
        "{last_lines:?}"
    );
}

#[test]
fn the_last_tile_is_played_out() {
    let rules = traditional(&[]);
    let plan = rules.plan();
    let played = play(rules.clone(), wall(&rules, JUNK, "", "", ""), &[]);
    let drawn =
        |from| played.count(|line| matches!(line, Line::Tsumo { from: end, .. } if *end == from));
    let flowers = played.count(|line| matches!(line, Line::Flower { .. }));
    let discards = played.count(|line| matches!(line, Line::Dahai { .. }));
    assert_eq!(
        52 + drawn(DrawnFrom::Front),
        plan.tiles().len() - plan.wall().reserve
    );
    // Every tile drawn is thrown, or is a flower: so is the last.
    assert_eq!(
        discards,
        drawn(DrawnFrom::Front) + drawn(DrawnFrom::Back) - flowers
    );
    let end = &played.lines[played.lines.len() - 3];
    assert!(matches!(end, Line::Ryukyoku { reason, .. } if reason == "fanpai"));
    assert_eq!(played.deltas, [0; 4]);
    assert_eq!(played.points, [None; 4]);
}

#[test]
fn the_last_tile_of_the_wall_wins_more_when_it_is_drawn() {
    for (rules, pattern) in [
        (traditional(&[("flowers", false.into())]), "last-tile"),
        (celestial(&[("flowers", false.into())]), "moon-from-the-sea"),
    ] {
        let plan = rules.plan();
        let n = plan.tiles().len();
        let last = n - plan.wall().reserve - 1;
        // Whose turn the last draw is: East draws first.
        let drawer = (last - 52) % 4;
        let mut hands = JUNK;
        hands[drawer] = "123t456t789s46m99s";
        let fillers = ["147t258s369mESWN", "147t258s369mESWN", "147t258s369mESWC"];
        for (place, hand) in (1..4).zip(fillers) {
            hands[(drawer + place) % 4] = hand;
        }
        let base = wall(&rules, hands, "", "5m5m5m5m", "");
        let mut order: Vec<_> = base.tiles().collect();
        let five = order.iter().rposition(|t| *t == tile("5m")).unwrap();
        order.swap(five, last);
        let dice: Vec<Vec<u8>> = base.dice().map(|roll| roll.to_vec()).collect();
        let wall =
            paishan::Wall::from_tiles(plan.wall(), plan.tiles(), 4, &order, &dice, base.broken)
                .unwrap();
        let winner = Seat::new(drawer).unwrap().letter();
        let played = play(rules.clone(), wall, &[(winner, Action::Win)]);
        assert_eq!(played.flags(), ["last-tile"]);
        assert!(played.patterns.contains(&pattern.to_owned()));
    }
}

// ---------------------------------------------------------------- calling and standing

/// Hands of which South's is ready once he throws the 9 man.
const READY: [&str; 4] = [
    "147t258s369mESWN",
    "123t456t789s23m9m5m",
    "147t258s369mESWC",
    "147t258s369mNFPC",
];

fn announced(played: &Played) -> Vec<(usize, Announced)> {
    played
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Declare { actor, what } => Some((*actor, *what)),
            _ => None,
        })
        .collect()
}

#[test]
fn calling_is_announced_by_the_table_with_the_discard() {
    let rules = traditional(&[]);
    // South draws a 5 man: one tile short once the 9 is thrown.
    let wall = || wall(&rules, READY, "N5mFP", "", "");
    let plan = [('S', held("9m")), ('S', drawn("9t"))];
    let played = play(rules.clone(), wall(), &plan[..1]);
    assert_eq!(announced(&played)[0], (1, Announced::Calling));
    let place = played
        .lines
        .iter()
        .position(|line| matches!(line, Line::Declare { .. }))
        .unwrap();
    assert!(matches!(
        &played.lines[place + 1],
        Line::Decision { actor: 1, .. }
    ));
    assert!(matches!(&played.lines[place + 2], Line::Dahai { actor: 1, pai, .. } if pai == "9m"));
    // It is announced once as long as he stays so.
    assert_eq!(
        announced(&played)
            .iter()
            .filter(|(actor, _)| *actor == 1)
            .count(),
        1
    );
    // Whoever keeps the 9 and throws a 2 is not calling.
    let played = play(rules.clone(), wall(), &[('S', held("2m"))]);
    let mut lines = played.lines.iter();
    let first = lines.find(|line| {
        let declares = matches!(line, Line::Declare { actor: 1, .. });
        declares || matches!(line, Line::Dahai { actor: 1, .. })
    });
    assert!(matches!(first, Some(Line::Dahai { pai, .. }) if pai == "2m"));
}

#[test]
fn a_standing_hand_is_announced_with_the_first_discard_and_pays() {
    let rules = traditional(&[]);
    let wall = wall(&rules, READY, "N5mFP", "", "");
    let plan = [('S', Action::Stand), ('S', held("9m"))];
    let mut deal = {
        let series = Match::with_dealer(&rules, 1, Player::FIRST);
        Deal::start(&rules, series.state().setup_with(wall.clone()))
    };
    while !deal.legal(seat('S')).contains(Action::Stand) {
        let next = deal.state().deciding().next().unwrap();
        let idle = idle(&deal, next);
        deal.act(next, idle).unwrap();
    }
    deal.act(seat('S'), Action::Stand).unwrap();
    // Nothing is left but to throw the 9.
    let legal: Vec<Action> = deal.legal(seat('S')).iter().collect();
    assert_eq!(legal, [held("9m")]);
    assert_eq!(
        deal.state().view(Seat::EAST).announced(seat('S')),
        Some(Announcement::Standing)
    );
    deal.act(seat('S'), held("9m")).unwrap();
    assert!(!deal.legal(seat('S')).contains(Action::Stand));

    let played = play(rules.clone(), wall, &[plan[0], plan[1], ('S', Action::Win)]);
    assert_eq!(announced(&played), [(1, Announced::Standing)]);
    assert_eq!(played.flags(), ["standing"]);
    assert!(played.patterns.contains(&"standing".to_owned()));
}

#[test]
fn whoever_stands_claims_nothing_and_stays_one_tile_short() {
    // South draws a 6 of tong and throws the red dragon: 123t 456t 555s 78m 99m.
    let hands = [
        "147t28s369mESWPP",
        "12345t555s78m99mC",
        "369t147s258mEEWW",
        "147t369s258mFFPP",
    ];
    let rules = |frozen: bool| traditional(&[("standing-frozen", frozen.into())]);
    let stand = [('S', Action::Stand), ('S', held("C"))];
    let free = rules(false);
    // North throws the fourth 5 of socks: no kong of it, nor a pung.
    let discard = [stand[0], stand[1], ('N', drawn("5s"))];
    let deal = until(&free, hands, ("N6tF5s", ""), &discard);
    assert!(deal.legal(seat('S')).is_empty());
    let draws_five = |rules: &dyn Ruleset| -> Vec<Action> {
        let mut deal = until(rules, hands, ("N6tFNN5s", ""), &stand);
        while deal.state().view(seat('S')).drawn() != Some(tile("5s")) {
            let next = deal.state().deciding().next().unwrap();
            let idle = idle(&deal, next);
            deal.act(next, idle).unwrap();
        }
        deal.legal(seat('S')).iter().collect()
    };
    let kong = Action::ConcealedKong(kind("5s"));
    assert_eq!(draws_five(&free), [kong, held("5s"), drawn("5s")]);
    assert_eq!(draws_five(&rules(true)), [drawn("5s")]);
}

#[test]
fn only_the_first_discard_may_come_with_a_standing_hand() {
    let rules = traditional(&[]);
    let plan = [('S', drawn("N"))];
    let mut deal = until(&rules, READY, ("NNFP5m", ""), &plan);
    while let Some(next) = deal.state().deciding().next() {
        assert!(!deal.legal(seat('S')).contains(Action::Stand));
        let idle = idle(&deal, next);
        deal.act(next, idle).unwrap();
    }
}

#[test]
fn the_other_game_knows_no_announcements() {
    let rules = celestial(&[]);
    let played = play(
        rules.clone(),
        wall(&rules, READY, "N5mFP", "", ""),
        &[('S', held("9m"))],
    );
    assert_eq!(announced(&played), []);
}

#[test]
fn earths_blessing_is_won_on_the_dealers_first_discard() {
    let rules = traditional(&[]);
    let hands = ON_FIVE;
    let plan = [('E', held("5m")), ('N', Action::Win)];
    let played = play(rules.clone(), wall(&rules, hands, "S", "", ""), &plan);
    assert_eq!(played.flags(), ["first-turn"]);
    assert_eq!(played.points[3], Some(500));
    assert_eq!(
        played.deltas[0],
        -1000 - 2 * played.points[1].unwrap() - 2 * played.points[2].unwrap()
            + 4 * played.points[0].unwrap()
    );
}

// ---------------------------------------------------------------- penalties

#[test]
fn a_false_win_ends_the_hand_and_is_paid_to_each() {
    let rules = traditional(&[("penalties", true.into()), ("limit", 300.into())]);
    let wall = || wall(&rules, JUNK, "8s", "", "");
    let played = play(rules.clone(), wall(), &[('E', Action::FalseWin)]);
    assert_eq!(played.deltas, [-1800, 600, 600, 600]);
    assert_eq!(played.outcome.ending, Ending::FalseWin(Seat::EAST));
    assert_eq!(played.points, [None; 4]);
    let shown: Vec<bool> = played
        .lines
        .iter()
        .find_map(|line| match line {
            Line::Ryukyoku {
                reason,
                tehais: Some(tehais),
                ..
            } if reason == "false-mahjong" => {
                Some(tehais.iter().map(|hand| hand[0] != "?").collect())
            }
            _ => None,
        })
        .unwrap();
    assert_eq!(shown, [true, false, false, false]);
    let choice = |line: &Line| matches!(line, Line::Decision { legal, chosen, .. } if matches!(legal[*chosen], Line::Penalty { .. }));
    assert_eq!(played.count(choice), 1);
    // The dealer stays, as after a drawn hand.
    let end = |line: &Line| matches!(line, Line::Penalty { dead: false, .. });
    assert_eq!(played.count(end), 1);
    // On a discard: of two the nearer pays, and what is a claim goes first.
    let two = [
        ('E', drawn("8s")),
        ('W', Action::FalseWin),
        ('N', Action::FalseWin),
    ];
    let played = play(rules.clone(), wall(), &two);
    assert_eq!(played.deltas, [600, 600, -1800, 600]);
    let hands = [
        "5m258s147t369mESW",
        "55m28s147t36mEWNC",
        "369t147s28mSSWNC",
        "147t369s28mNFPPC",
    ];
    let plan = [
        ('E', held("5m")),
        ('S', act("pon 555m")),
        ('W', Action::FalseWin),
    ];
    let wall = crate::common::rigged::wall(&rules, hands, "8s", "", "");
    let played = play(rules.clone(), wall, &plan);
    assert!(!matches!(played.outcome.ending, Ending::FalseWin(_)));
    assert_eq!(
        played.count(|line| matches!(line, Line::Pon { actor: 1, .. })),
        1
    );
}

#[test]
fn a_hand_that_is_complete_after_a_claim_is_no_false_win() {
    let rules = traditional(&[("penalties", true.into())]);
    let hands = [
        "5m258s147t369mSWN",
        "123t456t789s55mPP",
        "369t147s28mESWCF",
        "147t369s258mNFCC",
    ];
    let plan = [('E', held("5m")), ('S', act("pon 555m"))];
    let mut deal = until(&rules, hands, ("8s", ""), &plan);
    while deal.state().view(seat('S')).turn() != Some(seat('S')) {
        let next = deal.state().deciding().next().unwrap();
        let idle = idle(&deal, next);
        deal.act(next, idle).unwrap();
    }
    let legal = deal.legal(seat('S'));
    assert!(!legal.contains(Action::FalseWin) && !legal.contains(Action::Win));
    assert!(legal.contains(held("P")));
}

#[test]
fn a_standing_hand_lays_nothing_down() {
    let text = "ruleset = { id = \"x\", extends = \"woo\" }\nprocedures = { fishing = {} }\n";
    let rules = Rules::from_toml("x.toml", text).unwrap();
    // Woo deals to South first; East is last.
    let hands = [
        "123t456t789s23m9m5m",
        "258t369s147mESWN",
        "369t147s258mESWC",
        "147t369s258mNFPC",
    ];
    let series = Match::with_dealer(&rules, 1, Player::FIRST);
    let wall = wall_dealt_last(&rules, hands, "5m");
    let mut deal = Deal::start(&rules, series.state().setup_with(wall));
    let lays = |deal: &Deal<_>| {
        let deal: &Deal<&Rules> = deal;
        let legal = deal.legal(Seat::EAST);
        legal.iter().any(|a| matches!(a, Action::Lay(_)))
    };
    assert!(lays(&deal));
    deal.act(Seat::EAST, Action::Stand).unwrap();
    assert!(!lays(&deal));
}

/// A wall dealt to the dealer last.
fn wall_dealt_last(rules: &dyn Ruleset, hands: [&str; 4], front: &str) -> paishan::Wall {
    let [east, south, west, north] = hands;
    wall(rules, [south, west, north, east], front, "", "")
}

#[test]
fn without_penalties_the_table_refuses_what_is_no_win() {
    let rules = traditional(&[]);
    let deal = until(&rules, JUNK, ("8s", ""), &[]);
    assert!(!deal.legal(Seat::EAST).contains(Action::FalseWin));
    assert_eq!(deal.state().waiting(), SeatSet::one(Seat::EAST));
}

#[test]
fn a_dead_hand_plays_on_for_nothing() {
    let rules = traditional(&[]);
    let hands = ON_FIVE_WITH_PUNG;
    // North could win and West could claim the 5 man; both hands are dead.
    let mut deal = until(&rules, hands, ("S", ""), &[('E', held("5m"))]);
    assert!(deal.state().waiting().contains(seat('N')));
    deal.declare_dead(seat('N')).unwrap();
    assert!(!deal.state().waiting().contains(seat('N')));
    assert!(deal.state().waiting().contains(seat('W')));
    deal.declare_dead(seat('W')).unwrap();
    // Nobody is left to claim it: South is on turn.
    assert_eq!(deal.state().waiting(), SeatSet::one(seat('S')));
    while let Some(next) = deal.state().deciding().next() {
        if matches!(next.letter(), 'W' | 'N') {
            let legal = deal.legal(next);
            assert!(legal.iter().all(|a| matches!(a, Action::Discard { .. })));
        }
        let idle = idle(&deal, next);
        deal.act(next, idle).unwrap();
    }
    // It is dead once for all, and nobody sits at a fifth seat.
    assert!(deal.state().view(Seat::EAST).is_dead(seat('N')));
    let nobody = Seat::new(4).unwrap();
    let refused = deal.declare_dead(nobody);
    assert_eq!(refused, Err(ActionError::NoSuchSeat { seat: nobody }));
    let over = deal.declare_dead(Seat::EAST);
    assert_eq!(over, Err(ActionError::Over));
    let other = celestial(&[]);
    let mut deal = until(&other, JUNK, ("8s", ""), &[]);
    let refused = deal.declare_dead(Seat::EAST);
    assert_eq!(refused, Err(ActionError::NoDeadHands));
}

#[test]
fn a_log_with_a_dead_hand_replays() {
    let rules = traditional(&[]);
    let hands = ON_FIVE_WITH_PUNG;
    for with_legal in [false, true] {
        let mut series = Match::with_dealer(&rules, 1, Player::FIRST);
        let mut options = LogOptions::new(vec!["judged".to_owned(); 4], Notation::Ujmj);
        options.with_legal = with_legal;
        let mut lines = Vec::new();
        let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
        use paishan::game::Observer;
        recorder.match_started(series.state());
        let wall = wall(&rules, hands, "S", "", "");
        let mut deal = Deal::start_observed(&rules, series.state().setup_with(wall), &mut recorder);
        deal.act_observed(Seat::EAST, held("5m"), &mut recorder)
            .unwrap();
        deal.declare_dead_observed(seat('W'), &mut recorder)
            .unwrap();
        deal.declare_dead_observed(seat('W'), &mut recorder)
            .unwrap();
        let win = Action::Win;
        deal.act_observed(seat('N'), win, &mut recorder).unwrap();
        let outcome: Outcome = deal.outcome().unwrap().clone();
        let scores = &outcome.settlement.scores;
        assert_eq!(
            scores[seat('W')].as_ref().map(|score| score.points),
            Some(0)
        );
        let next = series.finish(&deal).expect("the current deal");
        recorder.deal_ended(series.state(), deal.state(), &outcome, next);
        recorder.match_ended(series.state());
        drop(recorder);
        forget_seed(&mut lines);
        let dead = |line: &Line| {
            matches!(
                line,
                Line::Penalty {
                    actor: 2,
                    dead: true,
                    ..
                }
            )
        };
        assert_eq!(lines.iter().filter(|line| dead(line)).count(), 1);
        let rules = &rules;
        let replayed = replay(&lines, |_, _| Ok(rules));
        assert!(replayed.unwrap().complete);
    }
}

// ---------------------------------------------------------------- the match

#[test]
fn the_dealer_stays_when_he_wins_and_when_nobody_does() {
    for id in ["traditional", "celestial"] {
        let rules = Rules::by_id(id).unwrap();
        let player = |p| Player::new(p).unwrap();
        let next = |dealer, winners: &[Player]| {
            rules.next_dealer(&PlayedDeal {
                dealer: player(dealer),
                winners,
                exhausted: winners.is_empty(),
                dealer_was_ready: false,
                kongs: 0,
                dealer_ends: false,
            })
        };
        assert_eq!(next(2, &[]), player(2));
        assert_eq!(next(2, &[player(2)]), player(2));
        assert_eq!(next(3, &[player(1)]), player(0));
    }
}

#[test]
fn a_player_below_nothing_ends_the_game() {
    let broke = |bankruptcy: bool| {
        let options = [
            ("start-points".to_owned(), 100.into()),
            ("bankruptcy".to_owned(), bankruptcy.into()),
        ];
        let rules = Rules::by_id_with("traditional", &options).unwrap();
        let hands = ON_FIVE;
        let mut series = Match::with_dealer(&rules, 1, Player::FIRST);
        let wall = wall(&rules, hands, "S", "", "");
        let mut deal = Deal::start(&rules, series.state().setup_with(wall));
        deal.act(Seat::EAST, held("5m")).unwrap();
        deal.act(seat('N'), Action::Win).unwrap();
        let next = series.finish(&deal).expect("the current deal");
        // Payments are booked in full.
        assert!(series.totals()[0] < 0);
        assert_eq!(series.totals().iter().sum::<i64>(), 400);
        next
    };
    assert_eq!(broke(true), Next::End);
    assert_eq!(broke(false), Next::Pass);
}
