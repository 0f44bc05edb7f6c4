//! For each yaku, bonus and limit hand of `riichi-mcgill` one hand that has it and one that narrowly has
//! not. Source: `rulesets/riichi-mcgill.md` §9.

use crate::common::patterns::{Row, answer, check, closed, open};
use paishan::protocol::Responder;
use serde_json::{Value as Json, json};

/// Pinfu in three suits, won by South on a discard of West in riichi.
pub fn base() -> Json {
    json!({
        "ruleset": "riichi-mcgill", "round": "E", "options": {},
        "seat": "S", "hand": "123t456s678m99s34t", "melds": [], "flowers": "",
        "tile": "5t", "by": "discard", "from": "W", "flags": ["riichi"],
    })
}

fn by(by: &str, flags: &[&str]) -> Json {
    json!({"by": by, "flags": flags})
}

pub fn rows() -> Vec<Row> {
    let hand = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile});
    let drawn = |hand: &str, tile: &str| json!({"hand": hand, "tile": tile, "by": "wall"});
    let melds = |hand: &str, tile: &str, melds: Json| json!({"hand": hand, "tile": tile, "melds": melds, "flags": []});
    let gift = |seat: &str, by: &str| json!({"seat": seat, "by": by, "flags": ["first-turn"]});
    let man =
        |option: &str, flags: &[&str]| json!({"flags": flags, "options": {"gift-of-man": option}});
    let kan = |by: &str| json!({"hand": "456s678m99s34t", "melds": [closed("1111t")], "by": by, "flags": []});
    let dora = |dora: &str| json!({"dora": dora});
    let ura = |flags: &[&str]| json!({"ura": "8s", "flags": flags});
    vec![
        ("riichi", json!({}), json!({"flags": ["double-riichi"]})),
        (
            "double-riichi",
            json!({"flags": ["riichi", "double-riichi"]}),
            json!({}),
        ),
        (
            "ippatsu",
            json!({"flags": ["riichi", "ippatsu"]}),
            json!({"flags": ["riichi", "ippatsu"], "options": {"ippatsu": false}}),
        ),
        (
            "concealed-self-pick",
            by("wall", &[]),
            by("discard", &["riichi"]),
        ),
        (
            "pinfu",
            json!({}),
            // The pair is the round wind.
            hand("123t456s678mEE34t", "5t"),
        ),
        (
            "all-simples",
            melds("456s678m88s34t", "5t", json!([open("234t")])),
            hand("234t456s678m99s34t", "5t"),
        ),
        (
            "identical-chiis",
            hand("345t456s678m99s34t", "5t"),
            melds("456s678m99s34t", "5t", json!([open("345t")])),
        ),
        (
            "seat-wind",
            melds("456s678m99s34t", "5t", json!([open("SSS")])),
            melds("456s678m99s34t", "5t", json!([open("WWW")])),
        ),
        (
            "round-wind",
            melds("456s678m99s34t", "5t", json!([open("EEE")])),
            melds("456s678m99s34t", "5t", json!([open("SSS")])),
        ),
        (
            "red-dragon",
            melds("456s678m99s34t", "5t", json!([open("CCC")])),
            hand("123t456s678mCC34t", "5t"),
        ),
        (
            "green-dragon",
            melds("456s678m99s34t", "5t", json!([closed("FFFF")])),
            hand("123t456s678mFF34t", "5t"),
        ),
        (
            "white-dragon",
            hand("PPP456s678m99s34t", "5t"),
            hand("CCC456s678m99s34t", "5t"),
        ),
        (
            "last-tile-self-pick",
            by("wall", &["last-tile"]),
            by("wall", &[]),
        ),
        (
            "last-tile-discard",
            by("discard", &["last-tile"]),
            by("wall", &["last-tile"]),
        ),
        ("win-off-a-kan-replacement", kan("replacement"), kan("wall")),
        (
            "robbed-kan",
            by("robbed-kong", &["riichi"]),
            by("discard", &["riichi"]),
        ),
        (
            "seven-pairs",
            hand("1122t3344s5577m9t", "9t"),
            // Also two twos of equal chiis: those count instead.
            hand("112233t445566s9t", "9t"),
        ),
        (
            "mixed-chiis",
            hand("345s345m678m99s34t", "5t"),
            hand("345s456m678m99s34t", "5t"),
        ),
        (
            "full-straight",
            hand("123456t678m99s78t", "9t"),
            hand("123456t678m99s78t", "6t"),
        ),
        (
            "mixed-pons",
            hand("333t333s33m678m99s", "3m"),
            hand("333t333s44m678m99s", "4m"),
        ),
        (
            "all-pons",
            melds("333s44m88s", "4m", json!([open("222t"), open("EEE")])),
            melds("345s44m88s", "4m", json!([open("222t"), open("EEE")])),
        ),
        (
            "three-concealed-pons",
            hand("222t999s444m88s56m", "7m"),
            hand("222t999s44m88s567m", "4m"),
        ),
        (
            "three-kans",
            melds(
                "99s34t",
                "5t",
                json!([open("2222t"), closed("3333s"), open("8888m")]),
            ),
            melds(
                "99s34t",
                "5t",
                json!([open("2222t"), closed("3333s"), open("888m")]),
            ),
        ),
        (
            "outside-hand",
            hand("123t789s12mEEE99s", "3m"),
            hand("123t678s12mEEE99s", "3m"),
        ),
        (
            "all-terminals-and-honors",
            melds("999s11mEE", "E", json!([open("999t"), open("CCC")])),
            melds("999s22mEE", "E", json!([open("999t"), open("CCC")])),
        ),
        (
            "little-three-dragons",
            melds("456sPP34t", "5t", json!([open("CCC"), open("FFF")])),
            melds("456s88s34t", "5t", json!([open("CCC"), open("FFF")])),
        ),
        (
            "half-flush",
            hand("123s456s99sEEE34s", "5s"),
            hand("123s456t99sEEE34s", "5s"),
        ),
        (
            "pure-outside-hand",
            hand("123t789s12m999t99s", "3m"),
            hand("123t789s12mEEE99s", "3m"),
        ),
        (
            "double-identical-chiis",
            hand("112233t445566s9t", "9t"),
            hand("112233t445567s9t", "9t"),
        ),
        (
            "full-flush",
            hand("123s456s789s99s34s", "5s"),
            hand("123s456s789sEE34s", "5s"),
        ),
        (
            "gift-of-man",
            man("mangan", &["first-turn"]),
            man("none", &["first-turn"]),
        ),
        ("dora", dora("9t"), dora("2s")),
        ("ura-dora", ura(&["riichi"]), ura(&[])),
        (
            "red-five",
            json!({"hand": "123t4R6s678m99s34t"}),
            json!({"hand": "123t456s678m99s34t"}),
        ),
        ("gift-of-heaven", gift("E", "wall"), gift("S", "wall")),
        ("gift-of-earth", gift("S", "wall"), gift("E", "wall")),
        (
            "gift-of-man",
            man("limit", &["first-turn"]),
            man("limit", &["riichi"]),
        ),
        (
            "eight-dealer-keeps",
            json!({"seat": "E", "flags": ["eight-dealer-keeps"]}),
            json!({"seat": "E", "flags": ["eight-dealer-keeps"], "options": {"eight-dealer-keeps": false}}),
        ),
        (
            "thirteen-orphans",
            hand("19t199s19mESWNCF", "P"),
            hand("19t19s19mESWNCFP", "P"),
        ),
        (
            "thirteen-way-thirteen-orphans",
            hand("19t19s19mESWNCFP", "P"),
            hand("19t199s19mESWNCF", "P"),
        ),
        (
            "nine-gates",
            hand("1112234567899s", "9s"),
            hand("1112345678999s", "5s"),
        ),
        (
            "pure-nine-gates",
            hand("1112345678999s", "9s"),
            hand("1112234567899s", "9s"),
        ),
        (
            "four-concealed-pons",
            drawn("222t999s444m88s55m", "5m"),
            hand("222t999s444m88s55m", "5m"),
        ),
        (
            "pair-wait-on-four-concealed-pons",
            hand("222t999s444m888s5m", "5m"),
            drawn("222t999s444m88s55m", "5m"),
        ),
        (
            "big-three-dragons",
            hand("CCCFFFPPP99s34t", "5t"),
            hand("CCCFFFPP999s34t", "5t"),
        ),
        (
            "little-four-winds",
            hand("EEESSSWWWNN34t", "5t"),
            hand("EEESSSWWWCC34t", "5t"),
        ),
        (
            "big-four-winds",
            hand("EEESSSWWWNN99s", "N"),
            hand("EEESSSWWWNN99s", "9s"),
        ),
        (
            "all-honors",
            hand("EEESSSWWWCCFF", "F"),
            hand("EESSWWNNCCFFP", "P"),
        ),
        (
            "big-seven-stars",
            hand("EESSWWNNCCFFP", "P"),
            json!({"hand": "EESSWWNNCCFFP", "tile": "P", "options": {"big-seven-stars": false}}),
        ),
        (
            "all-terminals",
            hand("111t999t11s99s999m", "1s"),
            hand("111t999t11sEE999m", "1s"),
        ),
        (
            "perfect-green",
            hand("223344s666s88sFF", "F"),
            hand("223344s777s88sFF", "F"),
        ),
        (
            "four-kans",
            melds(
                "9s",
                "9s",
                json!([open("2222t"), closed("3333s"), open("8888m"), open("EEEE")]),
            ),
            melds(
                "9s",
                "9s",
                json!([open("2222t"), closed("3333s"), open("8888m"), open("EEE")]),
            ),
        ),
        (
            "the-chariot",
            hand("2233445566778t", "8t"),
            hand("2233445566778s", "8s"),
        ),
    ]
}

#[test]
fn each_pattern_has_a_hand_and_a_near_miss() {
    check(&base(), &rows());
}

/// The answer's han, fu, limits, points and name.
fn worth(change: Json) -> (i64, i64, i64, i64, String) {
    let mut responder = Responder::new();
    let answer = answer(&mut responder, &base(), &change);
    let number = |name: &str| answer[name].as_i64().unwrap_or(-1);
    let name = answer["name"].as_str().unwrap_or_default().to_owned();
    (
        number("han"),
        number("fu"),
        number("limits"),
        number("points"),
        name,
    )
}

#[test]
fn options_change_han_fu_and_limits() {
    let with = |options: Json, mut change: Json| {
        change["options"] = options;
        worth(change)
    };
    let none = String::new;
    // Riichi and pinfu.
    assert_eq!(worth(json!({})), (2, 30, 0, 2000, none()));
    let wind_pair = || json!({"seat": "E", "hand": "123t456s678mEE34t"});
    // 20 + 10 + 4 up to 40, and 20 + 10 + 2 as well: one more pon tells them apart.
    assert_eq!(with(json!({"double-wind-pair-fu": 2}), wind_pair()).1, 40);
    let pons = || json!({"seat": "E", "hand": "222t456s678mEE34t"});
    assert_eq!(with(json!({}), pons()).1, 40);
    let open_hand = || json!({"hand": "456s678m88s34t", "melds": [open("234t")], "flags": []});
    assert_eq!(with(json!({}), open_hand()).1, 30);
    assert_eq!(with(json!({"open-pinfu-fu": 20}), open_hand()).1, 20);
    // Four han and thirty fu.
    let four = || json!({"hand": "345s345m678m99s34t"});
    assert_eq!(
        with(json!({}), four()),
        (4, 30, 0, 8000, "mangan".to_owned())
    );
    assert_eq!(
        with(json!({"rounded-up-mangan": false}), four()),
        (4, 30, 0, 7700, none())
    );
    let many = || json!({"dora": "2t2t3t3t4t"});
    let counted = |option: &str| with(json!({"counted-limit": option}), many());
    assert_eq!(counted("limit").3, counted("triple-mangan").3);
    let two_limits = || json!({"hand": "EEESSSWWWNNCC", "tile": "N"});
    assert_eq!(with(json!({}), two_limits()).2, 3);
    assert_eq!(with(json!({"double-limit-hands": []}), two_limits()).2, 2);
    assert_eq!(with(json!({"multiple-limits": false}), two_limits()).2, 2);
    let second = json!({"multiple-limits": false, "double-limit-hands": []});
    assert_eq!(with(second, two_limits()).2, 1);
}
