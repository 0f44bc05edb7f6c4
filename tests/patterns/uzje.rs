//! For each pattern of Ùzje one hand that has it and one that narrowly has not.

use crate::common::patterns::{Row, check, closed, open};
use paishan::{Rules, ruleset};
use serde_json::{Value as Json, json};

/// A hand of nothing but a trip of East and a closed hand, won by West on a discard of East.
pub fn base() -> Json {
    json!({
        "ruleset": "uzje", "round": "S", "options": {}, "bonus": "",
        "seat": "W", "hand": "123s456s789mEEE5m", "melds": [], "flowers": "",
        "tile": "5m", "by": "discard", "from": "E", "flags": [],
    })
}

pub fn rows() -> Vec<Row> {
    let hand = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile});
    let drawn = |hand: &str, tile: &str, flags: &[&str]| json!({"hand": hand, "tile": tile, "by": "wall", "flags": flags});
    let quads = |melds: Json, hand: &str, quads: i32| json!({"hand": hand, "melds": melds, "by": "replacement", "flags": ["after-kong"], "quads": quads});
    let two = json!([open("9999m"), closed("7777s")]);
    let three = json!([open("9999m"), closed("7777s"), closed("8888s")]);
    let five_tong = |tile: &str| {
        json!({"hand": format!("123s456sEEE{tile}"), "tile": tile, "melds": [closed("9999m")], "by": "replacement",
               "flags": ["after-kong"], "options": {"tongs": "all"}})
    };
    let robbed = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile, "by": "robbed-kong"});
    let flowers = |flowers: &str| json!({"flowers": flowers});
    let on_flower = |flowers: &str, by: &str| json!({"hand": "1479s258cm1ftESZ", "flowers": flowers, "tile": "q", "by": by});
    let tongs =
        |tongs: &str| json!({"hand": "111ftEEECCCPPP", "tile": "ft", "options": {"tongs": tongs}});
    vec![
        ("self-draw", json!({"by": "wall"}), json!({})),
        (
            "closed-hand",
            json!({}),
            json!({"hand": "456s789mEEE5m", "melds": [open("123s")]}),
        ),
        (
            "sea-scoop",
            json!({"by": "wall", "flags": ["last-tile"]}),
            json!({"flags": ["last-tile"]}),
        ),
        (
            "sea-scoop-1t",
            drawn("123s456s789mEEE1t", "1t", &["last-tile"]),
            drawn("123s456s789mEEEft", "ft", &["last-tile"]),
        ),
        (
            "pond-scoop",
            json!({"flags": ["last-tile"]}),
            json!({"by": "wall", "flags": ["last-tile"]}),
        ),
        (
            "pond-scoop-3m",
            json!({"hand": "123s456s789mEEE3m", "tile": "3m", "flags": ["last-tile"]}),
            json!({"hand": "123s456s789mEEE3m", "tile": "3m"}),
        ),
        (
            "quad-draw",
            quads(json!([closed("9999m")]), "123s456sEEE5m", 1),
            json!({"by": "replacement", "flags": ["after-flower"], "flowers": "h"}),
        ),
        (
            "multi-quad-draw",
            quads(two.clone(), "123sEEE5m", 2),
            quads(two, "123sEEE5m", 1),
        ),
        (
            "multi-quad-extra",
            quads(three.clone(), "123s5m", 3),
            quads(three, "123s5m", 2),
        ),
        ("quad-draw-5t", five_tong("5t"), five_tong("6t")),
        (
            "quad-rob",
            robbed("123s46s789mEEE55m", "5s"),
            hand("123s46s789mEEE55m", "5s"),
        ),
        (
            "quad-rob-2s",
            robbed("13s456s789mEEE55m", "2s"),
            robbed("24s456s789mEEE55m", "3s"),
        ),
        ("bonus-tile", json!({"bonus": "5m"}), json!({"bonus": "6m"})),
        ("flower-match", flowers("jq"), flowers("hikopr")),
        ("orchard", flowers("hijk"), flowers("hijopq")),
        (
            "six-flowers",
            on_flower("hijop", "wall"),
            on_flower("hijo", "wall"),
        ),
        (
            "ivies-on-the-wall",
            on_flower("hijkopr", "discard"),
            on_flower("hijkop", "discard"),
        ),
        ("seat-wind", hand("123s456s789mWWW5m", "5m"), json!({})),
        (
            "round-wind",
            hand("123s456s789mSSS5m", "5m"),
            hand("123s456s789mWWW5m", "5m"),
        ),
        ("arrow-tiles", hand("123s456s789mCCC5m", "5m"), json!({})),
        ("clean-suit", hand("123s456s789sEEE5s", "5s"), json!({})),
        ("clean-tongs", tongs("terminals"), tongs("all")),
        (
            "pure-suit",
            hand("123s456s789s369s5s", "5s"),
            hand("123s456s789s369sE", "E"),
        ),
        (
            "single-differences",
            hand("123s456s567s789mE", "E"),
            hand("123s456s789m369sE", "E"),
        ),
        (
            "all-powers",
            hand("149s49fs149mZ18mE", "E"),
            hand("149s49fs149m123mE", "E"),
        ),
        (
            "all-gems",
            hand("124s248s139m48fmE", "E"),
            hand("124s248s139m123mE", "E"),
        ),
        (
            "rock-field",
            hand("111s222s333mEEE5m", "5m"),
            hand("111s222s345mEEE5m", "5m"),
        ),
        (
            "twin-melds",
            hand("123s123s456m789mE", "E"),
            hand("123s124s456m789mE", "E"),
        ),
        (
            "archery-class",
            hand("123s456sCCCFFFP", "P"),
            hand("123s456sCCCFFFE", "E"),
        ),
        (
            "seven-pairs",
            hand("114477sEESSCCP", "P"),
            hand("114477sEESSCCP", "E"),
        ),
        (
            "ultra-long-straight",
            hand("123456789xabcs", "ds"),
            hand("123456789xabcs", "es"),
        ),
        ("crossing-the-sea", flowers("hijkopqr"), flowers("hijkopq")),
        (
            "thirteen-orphans",
            hand("1ft1fs1fmESWNCFP", "P"),
            hand("1ft1fs1fmESWNCFP", "Z"),
        ),
        (
            "fourteen-orphans",
            hand("1ft1fs1fmESWNCFP", "Z"),
            hand("1ft1fs1fmESWNCFP", "P"),
        ),
        (
            "four-winds",
            hand("EEESSSWWWNNN5m", "5m"),
            hand("EEESSSWWWN555m", "N"),
        ),
        (
            "three-winds",
            hand("EEESSSWWWN555m", "N"),
            hand("EEESSS123sN555m", "N"),
        ),
        (
            "honourable",
            hand("EEECCCFFFZZZW", "W"),
            hand("EEECCCFFF111sW", "W"),
        ),
    ]
}

#[test]
fn each_pattern_has_a_hand_and_a_near_miss() {
    check(&base(), &rows());
}

/// The designer's key points, for the values of the file and for values that break them.
#[test]
fn the_key_points_are_kept_and_broken_ones_are_named() {
    let broken = |options: &[&str]| -> Vec<String> {
        let options: Vec<_> = options
            .iter()
            .map(|text| ruleset::parse_option(text).unwrap())
            .collect();
        let rules = Rules::by_id_with("uzje", &options).unwrap();
        rules
            .plan()
            .invariants()
            .iter()
            .filter(|invariant| !paishan::lint::is_proved(rules.plan(), invariant))
            .map(|invariant| invariant.id.clone())
            .collect()
    };
    assert!(broken(&[]).is_empty());
    assert!(broken(&["threshold=3.5"]).is_empty());
    assert_eq!(
        broken(&["values.self-draw=0", "values.closed-hand=2.4"]),
        ["closed-self-draw-wins"]
    );
    assert_eq!(broken(&["threshold=4.5"]).len(), 2);
    assert_eq!(
        broken(&["values.closed-hand=1.4"]),
        ["closed-self-draw-wins", "closed-hand-nearly-wins"]
    );
}
