//! Taiwanese mahjong on walls laid by hand: what a missed discard bars, wins on flowers, and values that options set. Source: `rulesets/taiwanese.toml`.

use crate::common::rigged::{act, drawn, held, idle, one_deal, play, points, score, wall};
use paishan::game::{Deal, Match};
use paishan::state::{Action, Phase};
use paishan::{Player, Rules, Ruleset, Seat};

fn seat(letter: char) -> Seat {
    Seat::from_letter(letter).unwrap()
}

/// North waits for the 3m and the 6m. East and South hold one of both.
const NORTH_WAITS: [&str; 4] = [
    "36m258t147sEESSWWCF",
    "36m258t147sNNPPCCFF",
    "147m369t258sESWNPCF",
    "123456789t12399s45m",
];

/// A deal on these hands and draws in which these discards and claims are made. Others pass and discard what they
/// draw.
fn after<'a>(
    rules: &'a dyn Ruleset,
    hands: [&str; 4],
    front: &str,
    back: &str,
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

fn with_missed_discard(on: bool) -> Rules {
    one_deal("taiwanese", &[("missed-discard", on.into())])
}

/// Whether North may win once East's 3m was passed and these draws and further decisions followed.
fn north_may_win(rules: &dyn Ruleset, front: &str, plan: &[(char, Action)]) -> bool {
    let plan = [&[('E', held("3m"))], plan].concat();
    let mut deal = after(rules, NORTH_WAITS, front, "", &plan);
    // South's discard is answered first by those who cannot win.
    let north = seat('N');
    while deal
        .state()
        .deciding()
        .next()
        .is_some_and(|next| next != north)
        && matches!(deal.state().phase(), Phase::Claims(_))
    {
        let next = deal.state().deciding().next().unwrap();
        deal.act(next, Action::Pass).unwrap();
    }
    deal.legal(north).contains(Action::Win)
}

#[test]
fn a_missed_kind_is_barred_until_the_next_own_discard() {
    for on in [true, false] {
        let rules = with_missed_discard(on);
        let wins = |front, plan: &[(char, Action)]| north_may_win(&rules, front, plan);
        // South discards the missed kind in the same turn, or the other one.
        assert_eq!(wins("7m8m", &[('S', held("3m"))]), !on);
        assert!(wins("7m8m", &[('S', held("6m"))]));
        // North draws one of them.
        let west = [('W', drawn("9m"))];
        assert_eq!(wins("7m8m9m3m", &west), !on);
        assert!(wins("7m8m9m6m", &west));
        // North has discarded since.
        let later = [('N', drawn("7m")), ('S', held("3m"))];
        assert!(wins("7m8m9m7m8m8m", &later));
        // The bar does not come back in North's next turn.
        let later = [('N', drawn("7m")), ('W', drawn("1m"))];
        assert!(wins("7m8m9m7m8m8m1m3m", &later));
    }
}

/// North chows the 1s with 2s and 3s and discards its own 1s. That is a discard without a draw.
#[test]
fn a_missed_kind_is_barred_until_a_draw_or_a_discard() {
    for (until, wins) in [("discard", true), ("draw", false)] {
        let text = format!(
            "ruleset = {{ id = \"my\", extends = \"taiwanese\" }}\n\
             [procedures.furiten]\nuntil = \"{until}\"\ndrawn-tiles = false\n"
        );
        let rules = Rules::from_toml("my.toml", &text).unwrap();
        let chow = act("chi 123s");
        let plan = [
            ('W', drawn("1s")),
            ('N', chow),
            ('N', held("1s")),
            ('E', drawn("3m")),
        ];
        assert_eq!(north_may_win(&rules, "7m8m1s3m", &plan), wins, "{until}");
    }
}

#[test]
fn what_is_drawn_is_barred_only_until_a_discard() {
    let text = "ruleset = { id = \"my\", extends = \"taiwanese\" }\n\
                [procedures.furiten]\nuntil = \"draw\"\n";
    let said = Rules::from_toml("my.toml", text).unwrap_err();
    assert!(
        said.to_string().contains("drawn-tiles` needs `until"),
        "{said}"
    );
}

/// North is dealt seven flowers. East draws the last one, or North does.
const SEVEN_FLOWERS: [&str; 4] = [
    "36m258t147sEESSWWCF",
    "36m258t147sNNPPCCFF",
    "147m369t258sESWNPCF",
    "hijkopq369t147s258m",
];

#[test]
fn the_eighth_flower_wins() {
    let rules = one_deal("taiwanese", &[("flower-wins", true.into())]);
    let replacements = "2m8m2m8m4t4t7t7t";
    let wins = [('N', Action::Win)];
    // East's base, tai and dealer: 3 + 8 + 1.
    let wall_of = |front| wall(&rules, SEVEN_FLOWERS, front, replacements, "");
    let robbed = play(rules.clone(), wall_of("5m7m9m9mr"), &wins);
    assert_eq!(robbed.patterns, ["seven-flowers"]);
    assert_eq!(robbed.deltas, [-12, 0, 0, 12]);
    let drawn = play(rules.clone(), wall_of("5m7m9mr"), &wins);
    assert_eq!(drawn.patterns, ["eight-flowers"]);
    assert_eq!(drawn.deltas, [-12, -11, -11, 34]);
}

/// What a hand is worth under options.
fn worth(options: &str, player: &str, win: &str) -> i64 {
    let request = format!(
        r#"{{"type": "score", "ruleset": "taiwanese", "options": {{{options}}}, "round": "N", "player": {player}, "win": {win}}}"#
    );
    points(&score(&request))
}

#[test]
fn options_set_values_on_which_tables_differ() {
    let discard = r#"{"tile": "5s", "by": "discard", "from": "W"}"#;
    let flush = r#"{"seat": "S", "hand": "1122334556778899s"}"#;
    let more = |option, player, win| worth(option, player, win) - worth("", player, win);
    assert_eq!(more(r#""full-flush": 12"#, flush, discard), 4);
    let pungs = r#"{"seat": "S", "hand": "111333s555777t4566m"}"#;
    let third = r#"{"tile": "3m", "by": "discard", "from": "W"}"#;
    assert_eq!(more(r#""four-concealed-pungs": 6"#, pungs, third), 1);
    let dealer = r#"{"seat": "E", "hand": "1122334556778899s"}"#;
    let dealt = r#"{"tile": "5s", "by": "wall", "flags": ["first-draw"]}"#;
    assert_eq!(more(r#""heavenly-hand": 24"#, dealer, dealt), 8);
}

#[test]
fn a_flower_set_counts_with_its_seat_flower_or_for_it() {
    let win = r#"{"tile": "5s", "by": "discard", "from": "W"}"#;
    let flowers = |option, flowers: &str| {
        let player =
            format!(r#"{{"seat": "S", "hand": "1122334556778899s", "flowers": "{flowers}"}}"#);
        let without = r#"{"seat": "S", "hand": "1122334556778899s", "flowers": "o"}"#;
        worth(option, &player, win) - worth(option, without, win)
    };
    let apart = r#""flower-set-and-seat": false"#;
    for (held, beside, alone) in [
        ("hijk", 3, 2),
        ("hijkp", 4, 3),
        ("hijko", 3, 2),
        ("ip", 2, 2),
    ] {
        assert_eq!(flowers("", held), beside, "{held}");
        assert_eq!(flowers(apart, held), alone, "{held}");
    }
}
