//! The golden hands of `mcr`.

use paishan::Rules;
use paishan::lint::lint;
use paishan::ruleset::Source;
use std::collections::BTreeSet;

/// Each pattern has a hand that has it and a near miss, and all are scored as they say.
#[test]
fn golden_hands_have_their_fan() {
    let text = include_str!("../golden/mcr.toml");
    let source = Source::text("tests/golden/mcr.toml", text);
    let lints: Vec<String> = lint(&source, &[])
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(lints.is_empty(), "{lints:#?}");
    let mcr = Rules::by_id("mcr").unwrap();
    let patterns = mcr.plan().score().patterns().iter();
    let ids: BTreeSet<&str> = patterns.map(|pattern| pattern.id.as_str()).collect();
    let hands: Vec<&str> = text.split("[[examples]]").skip(1).collect();
    let (near, has): (Vec<&str>, Vec<&str>) = hands
        .into_iter()
        .partition(|hand| hand.contains("near miss"));
    assert_eq!((has.len(), near.len()), (ids.len(), ids.len()));
    let mut left = near.into_iter();
    for hand in has {
        let said = hand.split('"').nth(1).unwrap();
        let id = said.split(": ").nth(1).unwrap().replace(' ', "-");
        assert!(ids.contains(&*id), "{id}");
        let expects = |hand: &str| {
            hand.split("expect")
                .nth(1)
                .unwrap()
                .contains(&format!("\"{id}\""))
        };
        assert!(expects(hand), "{hand}");
        assert!(!expects(left.next().unwrap()), "{id}");
    }
}
