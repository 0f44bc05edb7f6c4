//! Tiles laid aside: several rows of `[aside]`, and rows that are refused.

use crate::common::rigged::{act, play, start, wall};
use paishan::{Kind, Rules, Seat, Wall};

/// Norths as in `riichi-sanma`, red dragons that nobody wins on, and two flowers.
const THREE_ROWS: &str = r#"
ruleset = { id = "three-rows", extends = "riichi-sanma" }
match = { ends = [{ deals = 1 }] }
aside.red = { tiles = "C", lay = "choice" }
aside.flower = { tiles = "hi", own = ["h", "i"] }
flags.red-replaced = { when = "replaced(red)" }
flags.north-replaced = { when = "replaced(north)" }
flags.flower-replaced = { when = "replaced(flower)" }
flags.four-aside = { when = "asides == 4" }
[patterns.own]
bonus-han = 1
when = "winner and aside(own-flower, laid) == 1"
[patterns.three]
bonus-han = 1
when = "winner and aside(any except N) == 3"
"#;

/// East is dealt both flowers, and gets a one and a red dragon for them, then a one for a north, and a white dragon.
fn laid_wall(rules: &Rules) -> Wall {
    let hands = ["123t456t789tPPhi", "2468s2468t9mFFWW", "1379s1357tFWWEE"];
    wall(rules, hands, "N", "1mC1mP", "SSSS7sF")
}

#[test]
fn several_rows_are_laid_aside() {
    let rules = Rules::from_toml("three-rows.toml", THREE_ROWS).unwrap();
    let mut deal = start(&rules, laid_wall(&rules), &mut ());
    let east = Seat::EAST;
    // Both flowers were laid before the first draw.
    let aside = |deal: &paishan::game::Deal<_>| {
        let tiles = deal.state().hand(east).aside().tiles();
        tiles.map(|tile| tile.to_string()).collect::<String>()
    };
    assert_eq!(aside(&deal), "hi");
    for kind in ["C", "N"] {
        assert!(deal.legal(east).contains(act(&format!("nukidora {kind}"))));
    }
    assert!(!deal.legal(east).contains(act("nukidora P")));
    deal.act(east, act("nukidora N")).unwrap();
    assert_eq!(aside(&deal), "Nhi");
    assert!(!deal.legal(east).contains(act("nukidora N")));
    deal.act(east, act("nukidora C")).unwrap();
    assert_eq!(aside(&deal), "NChi");
    assert_eq!(deal.state().asides(), 4);
    assert_eq!(deal.state().hand(east).aside().count(Kind::RED), 1);
    deal.act(east, act("hora")).unwrap();
    let outcome = deal.outcome().unwrap();
    let win = outcome.wins()[0].1;
    let has = |flag: &str| win.flags.contains(rules.plan().flag(flag).unwrap());
    assert!(has("red-replaced") && has("four-aside"));
    assert!(!has("north-replaced") && !has("flower-replaced"));
    let rules = Rules::from_toml("three-rows.toml", THREE_ROWS).unwrap();
    let laid_wall = self::laid_wall(&rules);
    let plan = ["nukidora N", "nukidora C", "hora"].map(|action| ('E', act(action)));
    let played = play(rules, laid_wall, &plan);
    for id in ["own", "three", "north-set-aside", "white-dragon"] {
        assert!(played.patterns.iter().any(|own| own == id), "{id}");
    }
}

#[test]
fn wrong_rows_are_refused() {
    for (rows, fault) in [
        ("aside.more = { tiles = \"5t\" }", "must be"),
        (
            "aside.more = { tiles = \"Nhi\", lay = \"choice\" }",
            "must be tiles that no other row has, but another has N",
        ),
        (
            "aside.more = { tiles = \"hi\", lay = \"choice\" }",
            "must be kinds where `lay = \"choice\"`",
        ),
        (
            "aside.more = { tiles = \"5t\", lay = \"choice\" }",
            "must be flowers, full winds, dragons and jokers",
        ),
        (
            "aside.more = { tiles = \"C\", lay = \"choice\", dealt = \"own-turn\" }",
            "`aside.more.dealt` needs `lay = \"forced\"`",
        ),
        (
            "aside.more = { tiles = \"h\", rob = true }",
            "`aside.more.rob` needs `lay = \"choice\"`",
        ),
        (
            "aside.more = { tiles = \"h\", win-on = [\"riichi\"] }",
            "`aside.more.win-on` needs `dealt = \"after-draw\"`",
        ),
        (
            "aside.more = { tiles = \"h\", dealt = \"after-draw\", win-on = [\"riichi\"] }",
            "needs no other row beside one with `win-on`",
        ),
        (
            "aside.more = { tiles = \"h\", own = [\"E\"] }",
            "`aside.more.own` must be flowers",
        ),
        (
            "aside.more = { tiles = \"h\" }\naside.other = { tiles = \"i\", dealt = \"own-turn\" }",
            "`aside.other.dealt` conflicts with `aside.more.dealt`",
        ),
        (
            "tiles.copies = [{ tiles = \"h\", count = 1 }]",
            "must be kinds; rows of [aside] bring flowers into play",
        ),
        (
            "flags.x = { when = \"replaced(nort)\" }",
            "`nort`; did you mean `north`?",
        ),
    ] {
        let text = format!("ruleset = {{ id = \"x\", extends = \"riichi-sanma\" }}\n{rows}\n");
        let said = Rules::from_toml("x.toml", &text).unwrap_err().to_string();
        assert!(said.contains(fault), "{rows}\n{said}");
    }
}
