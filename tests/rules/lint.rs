//! What loads but looks wrong, with line and column; the built-in rulesets are looked through as well.

use paishan::lint::{Judgement, Lint, LintKind, judge, lint};
use paishan::ruleset::{self, Source};

fn mine(lines: &str) -> Source {
    Source::text(
        "my.toml",
        format!("ruleset = {{ id = \"my\", extends = \"uzje\" }}\n{lines}"),
    )
}

/// What a search finds is told at the key that causes it, too.
#[test]
fn what_a_search_finds_of_a_parent_is_told_at_the_key_that_causes_it() {
    let starts = |lint: &(LintKind, usize, String), start: &str| {
        let (_, line, message) = lint;
        assert!(*line == 2 && message.starts_with(start), "{lint:?}");
    };
    let broken = over("uzje", "options.threshold.default = 4.5\n");
    let broken: Vec<_> = broken
        .iter()
        .filter(|(kind, ..)| *kind == LintKind::Invariant)
        .collect();
    assert_eq!(broken.len(), 2);
    for lint in broken {
        starts(
            lint,
            "because of `options.threshold.default`: rulesets/uzje.toml:",
        );
    }
    let dear = over(
        "hong-kong-old-style",
        "options.minimum = { max = 900, default = 900 }\n",
    );
    let dear = dear.iter().find(|(kind, ..)| *kind == LintKind::NoWin);
    starts(
        dear.expect("no hand wins"),
        "because of `options.minimum.default`: rulesets/hong-kong-old-style.toml:",
    );
}

/// The lints about what the file of one's own says, and not about what its parent says because of it.
fn of_mine(lines: &str) -> Vec<Lint> {
    let mut lints = lint(&mine(lines), &[]).unwrap();
    lints.retain(is_mine);
    lints
}

fn is_mine(lint: &Lint) -> bool {
    lint.file == "my.toml" && !lint.message.starts_with("because of")
}

fn texts(lints: &[Lint]) -> Vec<String> {
    lints.iter().map(ToString::to_string).collect()
}

/// A name that no parent has is misspelt, so nothing is switched off.
#[test]
fn what_is_not_there_cannot_be_switched_off() {
    let load = |lines: &str| mine(lines).load(&[]).map_err(|error| error.to_string());
    assert!(
        load("[patterns.woo-off-discard]\nenabled = false\n")
            .is_err_and(|said| said.contains("switches nothing off"))
    );
    let known = load("").unwrap().plan().score().patterns()[0].id.clone();
    assert!(load(&format!("[patterns.{known}]\nenabled = false\n")).is_ok());
}

#[test]
fn misspelt_keys_are_errors_with_line_and_column() {
    let fault = lint(
        &mine("[patterns.orchard]\nsupercedes = [\"flower-match\"]\n"),
        &[],
    )
    .unwrap_err();
    assert_eq!(
        fault.to_string(),
        "my.toml:3:1: unknown key `supercedes` in [patterns.orchard]; did you mean `supersedes`?"
    );
}

#[test]
fn dead_branches_and_patterns_that_cannot_occur_are_told() {
    let lints = of_mine(
        "[patterns.dead]\nfan = 1.0\nwhen = \"winning-tile is 5t\"\n\
         [patterns.half]\nfan = 1.0\nwhen = \"self-draw and (winning-tile is 5t or suits == 1)\"\n\
         [patterns.alive]\nfan = 1.0\nwhen = \"winning-tile is ft\"\n",
    );
    let told: Vec<_> = lints
        .iter()
        .filter(|lint| matches!(lint.kind, LintKind::Never | LintKind::DeadBranch))
        .map(|lint| (lint.kind, lint.line, lint.column))
        .collect();
    assert_eq!(
        told,
        [(LintKind::Never, 4, 1), (LintKind::DeadBranch, 7, 1)],
        "{:?}",
        texts(&lints)
    );
    // With five players tongs have all ranks.
    let five = [("players".to_owned(), 5.into())];
    let lints = lint(
        &mine("[patterns.dead]\nfan = 1.0\nwhen = \"winning-tile is 5t\"\n"),
        &five,
    )
    .unwrap();
    assert!(
        lints.iter().all(|lint| lint.kind != LintKind::Never),
        "{:?}",
        texts(&lints)
    );
}

/// No hand has such groups, so many suits or melds, or `han` that only open hands would have.
#[test]
fn groups_and_numbers_that_no_hand_has_are_told() {
    let told = |id: &str, lines: &str| -> Vec<(LintKind, usize)> {
        let source = Source::text(
            "my.toml",
            format!("ruleset = {{ id = \"my\", extends = \"{id}\" }}\n{lines}"),
        );
        let mut lints = lint(&source, &[]).unwrap();
        lints.retain(|lint| is_mine(lint) && lint.kind != LintKind::Example);
        lints.iter().map(|lint| (lint.kind, lint.line)).collect()
    };
    let pattern = |key: &str, text: &str| format!("[patterns.x]\nbase = 2\n{key} = \"{text}\"\n");
    for when in [
        "melds(arith, dragon) == 1",
        "melds(gem|power, any) >= 1",
        "suits == 4",
        "melds(pung, any) > 4",
        "has-groups(chow 8 t)",
        "has-groups(pung 10 t)",
        "aside(J) >= 1",
        "aside(glnu) >= 1",
        "aside(hg) == 2",
    ] {
        assert_eq!(
            told("woo", &pattern("when", when)),
            [(LintKind::Never, 4)],
            "{when}"
        );
    }
    assert_eq!(
        told("woo", &pattern("per", "melds(gem, any)")),
        [(LintKind::Never, 4)]
    );
    assert_eq!(
        told(
            "woo",
            &pattern("when", "suits == 3 and melds(arith, 3t|2t|1t) == 4")
        ),
        []
    );
    for when in ["suits == 4", "declared-melds == 5", "winner and suits == 4"] {
        let lints = told("woo", &format!("[win]\nwhen = \"{when}\"\n"));
        assert!(lints.contains(&(LintKind::Never, 3)), "{lints:?}");
    }
    let open = "[patterns.x]\nhan = 1\nwhen = \"not closed and red-fives == 2\"\n";
    assert_eq!(told("riichi-mcgill", open), [(LintKind::Never, 3)]);
    let clash = "[patterns.a]\nbase = 2\nwhen = \"suits == 1\"\nsupersedes = [\"b\", \"b\"]\n\
                 [patterns.b]\nbase = 2\nwhen = \"closed\"\nsupersedes = [\"a\"]\n";
    assert_eq!(
        told("woo", clash),
        [(LintKind::Clash, 5), (LintKind::Unused, 5)]
    );
    // Nothing at a table sets the first flag; a judge may set one that settlement names.
    let flag = "[flags.odd]\ndoc = \"x\"\n[patterns.x]\nbase = 2\nwhen = \"odd\"\n";
    assert_eq!(told("woo", flag), [(LintKind::Flag, 2)]);
    let judged = "[flags.odd]\ndoc = \"x\"\n[settlement]\ngiver-pays-all = \"odd\"\n";
    assert_eq!(told("traditional", judged), []);
}

#[test]
fn patterns_that_follow_from_others_are_told() {
    let pair = |more: &str| {
        of_mine(&format!(
            "[patterns.two]\nfan = 1.0\nwhen = \"melds(pung|kong, any) >= 2\"\n\
             [patterns.three]\nfan = 2.0\nwhen = \"melds(pung|kong, arrow) == 3 and suits == 1\"\n{more}"
        ))
    };
    let told: Vec<Lint> = pair("")
        .into_iter()
        .filter(|lint| lint.kind == LintKind::Implied)
        .collect();
    assert_eq!(told.len(), 1, "{:?}", texts(&told));
    assert_eq!((told[0].line, told[0].column), (5, 11));
    assert!(
        told[0]
            .message
            .contains("every hand with `three` has `two`"),
        "{}",
        told[0]
    );
    // The line is that of the table, whatever name it gives the pattern.
    let named: Vec<Lint> = pair("id = \"trio\"\n")
        .into_iter()
        .filter(|lint| lint.message.contains("every hand with `trio`"))
        .collect();
    assert_eq!((named[0].line, named[0].column), (5, 11));
    let told = pair("supersedes = [\"two\"]\n");
    assert!(
        told.iter().all(|lint| lint.kind != LintKind::Implied),
        "{:?}",
        texts(&told)
    );
}

#[test]
fn idle_options_and_uneven_walls_are_told() {
    let lints = of_mine("[options.idle]\ntype = \"bool\"\ndefault = true\n");
    assert_eq!(
        texts(&lints),
        [
            "my.toml:2:10: option `idle` changes nothing while the others are set as they are   [option]"
        ]
    );
    let source = Source::BuiltIn("uzje".into());
    let wall = |players: i64| {
        let lints = lint(&source, &[("players".to_owned(), players.into())]).unwrap();
        lints.iter().any(|lint| lint.kind == LintKind::Wall)
    };
    // 176 tiles with flowers: four walls of 22 × 2, but not three of one length.
    assert!(!wall(4) && wall(3));
}

/// Source: the key points of the designer; proved where the values suffice, refuted with a hand.
#[test]
fn invariants_are_proved_or_refuted_with_a_hand() {
    let judged = |threshold: &str, lines: &str| {
        let options = [ruleset::parse_option(&format!("threshold={threshold}")).unwrap()];
        let rules = mine(lines).load(&options).unwrap();
        let of = |id: &str| {
            rules
                .plan()
                .invariants()
                .iter()
                .find(|one| one.id == id)
                .cloned()
                .unwrap()
        };
        judge(rules.plan(), &of("closed-self-draw-wins"))
    };
    assert_eq!(judged("2.5", ""), Judgement::Proved);
    let Judgement::Refuted { hand, worth } = judged("4.5", "") else {
        panic!("a closed hand and self-draw are 3.6 fan");
    };
    assert_eq!(worth, "3.6 fan, too little to win", "{hand}");
    assert!(hand.contains(" from the wall"), "{hand}");
    let lints = lint(
        &mine("[invariants.mine]\ngiven = \"self-draw\"\nthen = \"wins\"\ndoc = \"Self-draw wins.\"\n"),
        &[],
    )
    .unwrap();
    let told = lints
        .iter()
        .find(|lint| lint.kind == LintKind::Invariant)
        .unwrap();
    assert_eq!(
        (told.file.as_str(), told.line, told.column),
        ("my.toml", 2, 13),
        "{told}"
    );
}

#[test]
fn golden_hands_are_checked() {
    let example = |expect: &str| {
        format!(
            "[[examples]]\nround = \"E\"\n\
             player = {{ seat = \"S\", hand = \"123s456s789sEECC\", melds = [], flowers = \"\" }}\n\
             win = {{ tile = \"C\", by = \"wall\", flags = [] }}\nexpect = {expect}\n"
        )
    };
    let lints = of_mine(&example("{ fan = 99.0 }"));
    assert_eq!(lints.len(), 1, "{:?}", texts(&lints));
    assert_eq!((lints[0].kind, lints[0].line), (LintKind::Example, 2));
    let found = lints[0].message.rsplit(' ').next().unwrap();
    assert_eq!(of_mine(&example(&format!("{{ fan = {found} }}"))), []);
    let told = of_mine(&example("{ patterns = [\"self-draw\"] }"));
    assert!(
        told[0]
            .message
            .starts_with("expected the patterns self-draw, found "),
        "{}",
        told[0]
    );
    let told = of_mine(&example("{ fann = 1.0 }"));
    let strict = |expect: &str| of_mine(&example(expect))[0].message.clone();
    assert_eq!(
        strict("{ han = 3 }"),
        "unknown key `han` in `expect`; there are points, fan, patterns and error"
    );
    assert_eq!(
        strict("{ points = \"two\" }"),
        "`points` in `expect` must be a number"
    );
    assert_eq!(strict("{}"), "`expect` expects nothing");
    assert!(
        told[0].message.starts_with("unknown key `fann`"),
        "{}",
        told[0]
    );
}

/// Four groups are all that a hand has, and where losers score nothing only winning hands matter.
#[test]
fn patterns_of_four_groups_imply_each_other() {
    let implied = |when: &str| {
        let lints = of_mine(&format!(
            "[tiles.classes]\nsome-winds = \"ESW\"\n\
             [patterns.pungs]\nfan = 1.0\nwhen = \"winner and melds(pung|kong, any) == 4\"\n\
             [patterns.odd]\nfan = 2.0\nwhen = \"{when}\"\n"
        ));
        let told = "every hand with `odd` has `pungs`, too";
        lints.iter().any(|lint| lint.message.starts_with(told))
    };
    assert!(implied("melds(kong, any) == 4"));
    assert!(implied(
        "melds(pung|kong, any, concealed) == 4 and self-draw"
    ));
    assert!(!implied("melds(kong, any) == 3"));
    assert!(!implied("melds(arith, any) == 4"));
}

/// An example is scored with the options that it has, and with the default ones where it has none.
#[test]
fn golden_hands_are_scored_with_their_options() {
    let lints = |options: &str, fan: &str| {
        of_mine(&format!(
            "[options.much]\ntype = \"decimal\"\nmin = 1.0\nmax = 3.0\nstep = 1.0\ndefault = 1.0\ndoc = \"Much.\"\n\
             [patterns.odd]\nfan = {{ option = \"much\" }}\nwhen = \"self-draw\"\n\
             [[examples]]\nround = \"E\"\nplayer = {{ seat = \"S\", hand = \"123s456s789sEECC\" }}\n\
             win = {{ tile = \"C\", by = \"wall\" }}\n{options}expect = {{ fan = {fan} }}\n"
        ))
    };
    let found = |options: &str| {
        let lints = lints(options, "99.0");
        assert_eq!(lints.len(), 1, "{:?}", texts(&lints));
        let found = lints[0].message.rsplit(' ').next().unwrap();
        found.parse::<f64>().unwrap()
    };
    let (usual, more) = (found(""), found("options = { much = 3.0 }\n"));
    assert!((more - usual - 2.0).abs() < 1e-9, "{usual} and {more}");
    let wrong = lints("options = { mush = 3.0 }\n", "1.0");
    assert!(
        wrong[0].message.contains("did you mean `much`?"),
        "{}",
        wrong[0]
    );
}

/// A pattern that takes the others away must be worth as much as they together; other families know their
/// own minimum.
#[test]
fn proofs_reckon_with_what_is_superseded_and_with_the_family() {
    let threshold = [ruleset::parse_option("threshold=3.5").unwrap()];
    let both = "patterns.both = { fan = 3.0, when = \"self-draw and closed\", supersedes = [\"self-draw\", \"closed-hand\"] }\n";
    let rules = mine(both).load(&threshold).unwrap();
    let judged = judge(rules.plan(), &rules.plan().invariants()[0]);
    assert!(matches!(judged, Judgement::Refuted { .. }), "{judged:?}");

    let judged = |given: &str, then: &str| {
        let source = Source::text(
            "my.toml",
            format!(
                "ruleset.extends = \"hong-kong-old-style\"\n\
                 [invariants.mine]\ngiven = \"{given}\"\nthen = \"{then}\"\n"
            ),
        );
        let rules = source.load(&[]).unwrap();
        judge(rules.plan(), &rules.plan().invariants()[0])
    };
    // What takes others away may be taken away itself, and a win on a flower counts little else.
    let chain = mine(
        "[patterns.taker]\nfan = 1.0\nwhen = \"self-draw\"\nsupersedes = [\"middle\"]\n\
         [patterns.middle]\nfan = 2.6\nwhen = \"melds(pung|kong, any) >= 1\"\nsupersedes = [\"closed-hand\"]\n\
         [invariants.one]\ngiven = \"closed and self-draw\"\nthen = \"fan >= 4.6\"\n\
         [invariants.two]\ngiven = \"closed and self-draw\"\nthen = \"fan >= 2.0\"\n\
         [invariants.three]\ngiven = \"closed\"\nthen = \"fan > 2.7\"\n\
         [invariants.four]\ngiven = \"closed and self-draw\"\nthen = \"fan > 4.6\"\n",
    );
    let chain = chain.load(&[]).unwrap();
    let of_chain = |id: &str| {
        let all = &chain.plan().invariants();
        judge(chain.plan(), all.iter().find(|one| one.id == id).unwrap())
    };
    // What is superseded takes nothing away, so a closed hand keeps its fan. A win on a flower may have less.
    assert_eq!(of_chain("one"), Judgement::Open);
    assert!(matches!(of_chain("four"), Judgement::Refuted { .. }));
    assert_eq!(of_chain("two"), Judgement::Proved);
    assert_ne!(of_chain("three"), Judgement::Proved);
    // As the guide to ruleset files has it.
    let rules = mine(
        "[invariants.mine]\ngiven = \"closed and self-draw and complete\"\nthen = \"fan >= option(threshold)\"\n",
    );
    for (threshold, is_proved) in [("threshold=2.5", true), ("threshold=4.5", false)] {
        let rules = rules
            .load(&[ruleset::parse_option(threshold).unwrap()])
            .unwrap();
        let own = rules
            .plan()
            .invariants()
            .iter()
            .find(|one| one.id == "mine")
            .unwrap();
        let judged = judge(rules.plan(), own);
        assert_eq!(judged == Judgement::Proved, is_proved, "{judged:?}");
        assert_ne!(judged, Judgement::Open);
    }
    let all_pungs = "melds(pung|kong, any) == 4";
    assert_eq!(judged(all_pungs, "doubles > 2.5"), Judgement::Proved);
    // The minimum falls as bonus doubles rise, but no pattern adds more bonus doubles than doubles.
    assert_eq!(judged(all_pungs, "wins"), Judgement::Proved);
    assert!(matches!(
        judged("self-draw", "wins"),
        Judgement::Refuted { .. }
    ));
    // What falls as hands get dearer is not proved, but nothing refutes it.
    assert_eq!(judged(all_pungs, "points <= 1024"), Judgement::Open);
    assert!(matches!(
        judged(all_pungs, "doubles < 4"),
        Judgement::Refuted { .. }
    ));
    let nothing = judged(
        "self-draw and not closed",
        "doubles >= 1 + 0.5 - 1 or not wins",
    );
    assert_ne!(nothing, Judgement::Proved);
}

/// Faults of invariants have their place; what a hand comes to is known to `then` alone.
#[test]
fn invariants_are_checked_as_they_are_read() {
    let fault = |given: &str, then: &str| {
        let text = format!("[invariants.mine]\ngiven = \"{given}\"\nthen = \"{then}\"\n");
        lint(&mine(&text), &[]).unwrap_err().to_string()
    };
    assert_eq!(
        fault("closedd", "wins"),
        "my.toml:3:10: no fact `closedd`; did you mean `closed`?"
    );
    assert_eq!(
        fault("closed", "wins and closed"),
        "my.toml:4:18: `closed` is not known here; it is a fact about declared melds"
    );
    assert!(fault("fan > 2", "wins").starts_with("my.toml:3:10: `fan` is not known here"));
    let types = fault("closed", "fan > wins");
    assert!(
        types.starts_with("my.toml:4:15: expected a number with one decimal"),
        "{types}"
    );
    assert!(fault("closed", "fan > 2.55").starts_with("my.toml:4:15: "));
    let missing = lint(&mine("[invariants.mine]\ngiven = \"closed\"\n"), &[]).unwrap_err();
    assert!(missing.to_string().contains("`then`"), "{missing}");
}

/// Patterns that options take away may be priced and superseded; options of the middle are no idle ones; what
/// wins on a flower counts alone.
#[test]
fn what_is_there_only_sometimes_is_no_fault() {
    let lints = of_mine(
        "[options.idle]\ntype = \"int\"\nmin = 0\nmax = 10\ndefault = 3\n\
         [patterns.sometimes]\nfan = 0.2\nwhen = \"closed\"\nif = \"idle == 5\"\n\
         [patterns.more]\nfan = 0.4\nwhen = \"closed and self-draw\"\nsupersedes = [\"sometimes\", \"closed-hand\", \"self-draw\"]\n",
    );
    assert_eq!(texts(&lints), [] as [String; 0]);
    let lints = lint(&Source::BuiltIn("uzje".into()), &[]).unwrap();
    assert!(
        lints
            .iter()
            .all(|lint| !lint.message.contains("`six-flowers` has")),
        "{:?}",
        texts(&lints)
    );
}

/// What is intended has `accept` in the file.
#[test]
fn built_in_rulesets_lint_clean() {
    for id in ruleset::ids() {
        let lints = lint(&Source::BuiltIn(id.to_owned()), &[]).unwrap();
        assert_eq!(texts(&lints), [] as [String; 0]);
    }
}

#[test]
fn keys_and_names_without_effect_are_told() {
    let text = "ruleset = { id = \"my\", extends = \"sichuan\" }\n\
        [tiles.classes]\nmine = \"12t\"\n\
        [conditions]\nmy-draw = \"self-draw\"\n\
        [flags.idle]\nwhen = \"self-draw\"\n\
        [settlement]\ndealer-factor = 2\ndeposit = 1000\nlosers-settle = false\n\
        [payments.nothing]\non = \"kong\"\namount = \"0 * declared-melds\"\n\
        [patterns.row]\ndoubles = 2\nwhen = \"kongs-in-row >= 2\"\n";
    let source = Source::text("my.toml", text);
    let told: Vec<_> = lint(&source, &[])
        .unwrap()
        .into_iter()
        .map(|lint| (lint.kind, lint.line, lint.message))
        .collect();
    let unused = |line, message: &str| (LintKind::Unused, line, message.to_owned());
    let idle = |line, key: &str| {
        unused(
            line,
            &format!("`{key}` changes nothing, whatever the options are"),
        )
    };
    let want = [
        unused(3, "nothing depends on `mine` of [tiles.classes]"),
        unused(5, "nothing depends on `my-draw` of [conditions]"),
        unused(6, "nothing depends on `idle` of [flags]"),
        idle(9, "settlement.dealer-factor"),
        idle(10, "settlement.deposit"),
        idle(12, "payments.nothing"),
    ];
    for one in &want {
        assert!(told.contains(one), "{one:?}: {told:?}");
    }
    let others: Vec<_> = told.iter().filter(|one| !want.contains(one)).collect();
    let [(LintKind::DeadBranch, 17, message)] = &others[..] else {
        panic!("{others:?}");
    };
    assert!(
        message.contains("`kongs-in-row`, which stays 0"),
        "{message}"
    );
}

/// A key is idle only if it is so with every option.
#[test]
fn keys_that_an_option_needs_are_not_told() {
    let lints = of_mine(
        "[options.mine]\ntype = \"bool\"\ndefault = false\n\
         [patterns.sometimes]\nfan = 0.2\nwhen = \"self-draw and my-draw\"\nif = \"mine\"\n\
         supersedes = [\"self-draw\"]\n\
         [conditions]\nmy-draw = \"closed\"\n",
    );
    assert_eq!(texts(&lints), [] as [String; 0]);
}

/// A name is idle only if its tile is out of play with every option.
#[test]
fn names_of_tiles_that_are_not_in_play_are_told() {
    let text = "ruleset = { id = \"my\", extends = \"hong-kong-old-style\" }\n\
        [tiles.names.tile]\nE = \"sunrise\"\nxt = \"ten\"\nh = \"plum\"\ng = \"cat\"\n";
    let source = Source::text("my.toml", text);
    let without = ruleset::parse_option("flowers=false").unwrap();
    let lints = lint(&source, &[without]).unwrap();
    let told = texts(&lints).into_iter();
    let told: Vec<String> = told.filter(|one| one.contains("names a tile")).collect();
    assert_eq!(
        told,
        [
            "my.toml:4:1: `tiles.names.tile.xt` names a tile that is not in play   [unused]",
            "my.toml:6:1: `tiles.names.tile.g` names a tile that is not in play   [unused]"
        ]
    );
}

#[test]
fn lints_are_accepted_with_a_reason() {
    let text = |accept: &str| {
        format!("[patterns.mine]\nfan = 0.2\nwhen = \"self-draw and closed\"\n{accept}")
    };
    let implied = |accept: &str| texts(&of_mine(&text(accept)));
    assert!(implied("").iter().all(|lint| lint.ends_with("[implied]")));
    assert_eq!(implied("").len(), 2);
    let accepted = "accept = { implied = \"both count\" }\n";
    assert_eq!(implied(accepted), [] as [String; 0]);
    assert_eq!(
        implied("accept = { implied = \"both count\", wall = \"why\" }\n"),
        ["my.toml:5:43: the table has no finding `wall` to accept   [unused]"]
    );
    let fault = lint(&mine(&text("accept = { implied = \"\" }\n")), &[]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "my.toml:5:10: `accept` must be a table of reasons by the kind of lint"
    );
    let plain = mine(&text("")).load(&[]).unwrap();
    let reasons = mine(&text(accepted)).load(&[]).unwrap();
    assert_eq!(plain.plan().content_hash(), reasons.plan().content_hash());
}

#[test]
fn no_way_to_win_and_a_tile_twice_are_errors() {
    let fault = |text: &str| lint(&mine(text), &[]).unwrap_err().to_string();
    assert_eq!(
        fault("win.ways = []\n"),
        "my.toml:2:12: `win.ways` must be a list of at least one way to win"
    );
    let twice = fault(
        "[tiles]\ncopies = [{ tiles = \"12t\", count = 4 }, { tiles = \"2t\", count = 2 }]\n",
    );
    assert!(
        twice.ends_with("must be tiles that are listed once, but 2t is listed twice"),
        "{twice}"
    );
}

/// Where nothing can replace a flower or a kong, the game is over before it begins.
#[test]
fn a_wall_without_replacements_is_told() {
    let text = |wall: &str| {
        format!("[ruleset]\nid = \"x\"\nextends = \"hong-kong-old-style\"\n[wall]\n{wall}\n")
    };
    let told = |wall: &str| -> Vec<String> {
        let source = Source::text("x.toml", text(wall));
        let lints = lint(&source, &[]).unwrap().into_iter();
        let of_wall = lints.filter(|lint| lint.kind == LintKind::Wall);
        of_wall.map(|lint| lint.message).collect()
    };
    let broken = told("reserve = 0\nreserve-moves = false");
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(broken[0].starts_with("kongs need"), "{broken:?}");
    let both = told(
        "reserve = 0
reserve-moves = false
reserve-then-wall = false",
    );
    assert!(both[0].starts_with("flowers and kongs need"), "{both:?}");
    // Kongs without replacements need none.
    let card = "[ruleset]\nid = \"x\"\nextends = \"american\"\n[wall]\nreserve = 0\nreserve-moves = false\n";
    let lints = lint(&Source::text("x.toml", card), &[]).unwrap();
    let of_wall = lints.iter().find(|lint| lint.kind == LintKind::Wall);
    assert_eq!(of_wall, None);
    assert!(told("reserve = 14\nreserve-moves = false").is_empty());
    assert!(told("reserve = 0\nreserve-moves = true").is_empty());
}

/// The lints of a file over a built-in ruleset as kind, line and message.
fn over(parent: &str, lines: &str) -> Vec<(LintKind, usize, String)> {
    let text = format!("ruleset = {{ id = \"my\", extends = \"{parent}\" }}\n{lines}");
    let lints = lint(&Source::text("my.toml", text), &[]).unwrap();
    let lints = lints
        .into_iter()
        .inspect(|lint| assert_eq!(lint.file, "my.toml", "{lint}"));
    lints
        .map(|lint| (lint.kind, lint.line, lint.message))
        .collect()
}

/// Conditions of payments, flags, shown hands and fu are proved impossible as those of patterns are.
#[test]
fn impossible_conditions_are_told_wherever_they_are() {
    let win =
        |when: &str| format!("[payments.z]\non = \"win\"\namount = \"1\"\nwhen = \"{when}\"\n");
    let aside =
        |when: &str| format!("[payments.z]\non = \"aside\"\namount = \"1\"\nwhen = \"{when}\"\n");
    let kong =
        |when: &str| format!("[payments.z]\non = \"kong\"\namount = \"1\"\nwhen = \"{when}\"\n");
    let flag = |when: &str| {
        format!(
            "patterns.z = {{ fan = 1, when = \"z-flag\" }}\n\n[flags.z-flag]\nwhen = \"{when}\"\n"
        )
    };
    let pattern = |when: &str| format!("[patterns.z]\nfan = 1\n\nwhen = \"{when}\"\n");
    for (parent, lines) in [
        ("singaporean", aside("completes(vwyz)")),
        ("singaporean", aside("aside(vwyz, laid) == 4")),
        ("singaporean", win("has(J)")),
        ("singaporean", win("melds(gem, any) >= 1")),
        ("singaporean", win("way is robbed-kong and self-draw")),
        ("singaporean", kong("made is claimed and added-drawn")),
        ("changsha", win("has(CFP)")),
        ("changsha", win("round is S")),
        ("changsha", kong("declared(any, CFP) >= 1")),
        ("singaporean", win("declared(pair, any) >= 1")),
        ("singaporean", win("declared(pung|kong, any) >= 5")),
        ("changsha", win("self-draw and way is discard")),
        (
            "taiwanese",
            "[payments.z]\non = \"exhausted\"\namount = \"1\"\nwhen = \"barred >= 1\"\n".to_owned(),
        ),
        ("mcr", flag("self-draw and way is discard")),
        ("mcr", flag("stands")),
        ("mcr", flag("in-riichi")),
        ("mcr", pattern("wilds >= 1")),
        ("mcr", pattern("red-fives >= 1")),
        ("mcr", pattern("dora >= 1")),
        ("mcr", pattern("way is robbed-kong") + "[kongs]\nrob = []\n"),
        (
            "mcr",
            "[opening.z]\n\n\nshow = { when = \"suits == 9\" }\n".to_owned(),
        ),
        (
            "riichi-ema",
            "[fu.z]\nfu = 2\n\nwhen = \"wilds >= 1\"\n".to_owned(),
        ),
    ] {
        let told = over(parent, &lines);
        let never = told
            .iter()
            .filter(|(kind, line, _)| *kind == LintKind::Never && *line == 5);
        assert_eq!(never.count(), 1, "{parent}: {lines}{told:?}");
    }
    let who = "[payments.z]\non = \"win\"\namount = \"1\"\nwho = \"gave and self-draw\"\n";
    assert_eq!(over("singaporean", who)[0].0, LintKind::Never);
    let amount = "[payments.z]\non = \"win\"\namount = \"count(Z)\"\n";
    assert!(
        over("singaporean", amount)
            .iter()
            .any(|(kind, line, _)| (*kind, *line) == (LintKind::Never, 4))
    );
    // What is possible is no finding.
    for when in [
        "self-draw and way is wall",
        "way is discard and not self-draw",
        "has(ES)",
        "round is S",
        "declared(any, any) == 4",
        "players == 3",
    ] {
        let never = |(kind, ..): &(LintKind, usize, String)| *kind == LintKind::Never;
        assert!(!over("singaporean", &win(when)).iter().any(never), "{when}");
    }
}

#[test]
fn a_limit_and_a_column_that_nothing_asks_for_are_told() {
    let told = over("mcr", "[score]\nlimit = 300\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].2.starts_with("`score.limit` changes nothing"),
        "{told:?}"
    );
    let told = over("mcr", "[score]\nsums = [\"fan\", \"bonus\", \"x\"]\n");
    assert_eq!(
        told,
        [(
            LintKind::Unused,
            3,
            "no pattern adds to the column `x`".to_owned()
        )]
    );
}

#[test]
fn a_liability_of_which_there_is_no_meld_is_told() {
    let text = |liable: &str| {
        format!(
            "[patterns.z]\nfan = 1\nwhen = \"melds(pung|kong, honour) == 3\"\nliable = {{ {liable} }}\n"
        )
    };
    for liable in [
        "families = [\"gem\"], class = \"dragon\", meld = 3",
        "families = [\"pung\"], class = \"Z\", meld = 3",
    ] {
        let told = over("mcr", &text(liable));
        let is_told = |(kind, line, message): &(LintKind, usize, String)| {
            (*kind, *line) == (LintKind::Never, 5) && message.contains("no seat is liable")
        };
        assert!(told.iter().any(is_told), "{told:?}");
    }
    let fault = Source::text(
        "my.toml",
        format!(
            "ruleset = {{ id = \"my\", extends = \"mcr\" }}\n{}",
            text("class = \"dragon\", meld = 3")
        ),
    );
    let fault = fault.load(&[]).unwrap_err().to_string();
    assert!(
        fault.ends_with("[patterns.z.liable] has no `families`"),
        "{fault}"
    );
}

/// A lint about a pattern of the parent is told at the key of the child that causes it.
#[test]
fn lints_of_a_parent_are_told_at_the_key_that_causes_them() {
    let told = over("hong-kong-old-style", "[aside.flower]\ntiles = \"CFP\"\n");
    assert!(!told.is_empty());
    for (_, line, message) in &told {
        assert_eq!(*line, 3, "{message}");
    }
    let dead = |message: &String| {
        message.starts_with("because of `aside.flower.tiles`: rulesets/hong-kong-old-style.toml:")
    };
    assert!(told.iter().any(|(.., message)| dead(message)), "{told:?}");
}

#[test]
fn an_example_accepts_its_lint_and_a_misspelt_kind_is_told() {
    let text = |accept: &str| {
        format!(
            "{}\n[[examples]]\nround = \"E\"\nplayer = {{ seat = \"S\", hand = \"123s456sCCCFF22t\", melds = [] }}\nwin = {{ tile = \"F\", by = \"wall\", flags = [] }}\nexpect = {{ points = 99 }}\n{accept}",
            ruleset::keys::SKELETON
        )
    };
    let told = |accept: &str| texts(&lint(&Source::text("my.toml", text(accept)), &[]).unwrap());
    assert!(told("")[0].contains("expected 99 points"), "{:?}", told(""));
    assert_eq!(
        told("accept = { example = \"a draft\" }\n"),
        [] as [String; 0]
    );
    let misspelt = told("accept = { exmaple = \"a draft\" }\n");
    assert!(
        misspelt[1].contains("`exmaple` is no kind of finding; did you mean `example`?"),
        "{misspelt:?}"
    );
}

#[test]
fn a_wall_lint_knows_kinds_laid_aside_and_kongs_that_no_seat_makes() {
    let text = ruleset::keys::SKELETON.replace(
        "reserve = 14\nreserve-moves = true",
        "reserve = 0\nreserve-moves = false",
    );
    let told = |text: String| -> Vec<String> {
        let lints = lint(&Source::text("my.toml", text), &[]).unwrap();
        let of_wall = lints.into_iter().filter(|lint| lint.kind == LintKind::Wall);
        of_wall.map(|lint| lint.message).collect()
    };
    assert!(told(text.clone())[0].starts_with("kongs need"));
    let none = text.replace("added-to = \"claimed\"", "at-most = 0");
    assert_eq!(told(none.clone()), [] as [String; 0]);
    let aside = told(none + "[aside.x]\ntiles = \"CFP\"\n");
    assert!(aside[0].starts_with("tiles laid aside need"), "{aside:?}");
}

/// A key about what the game does not have, and an item of a list that changes nothing.
#[test]
fn keys_and_items_that_the_game_gives_no_effect_are_told() {
    let told = |parent: &str, lines: &str, what: &str| {
        let told = over(parent, lines);
        let is_told = |(kind, _, message): &(LintKind, usize, String)| {
            *kind == LintKind::Unused && message.starts_with(&format!("`{what}"))
        };
        assert!(told.iter().any(is_told), "{parent}: {lines}{told:?}");
    };
    let key = |parent: &str, section: &str, key: &str, value: &str| {
        let lines = format!("[{section}]\n{key} = {value}\n");
        told(parent, &lines, &format!("{section}.{key}` changes nothing"));
    };
    for (parent, section, name, value) in [
        ("sichuan", "wall", "reserve-then-wall", "true"),
        ("vietnamese", "wall", "spare-stacks", "\"opposite\""),
        ("mcr", "wall", "under-indicators", "false"),
        ("mcr", "wall", "most-indicators", "2"),
        ("uzje", "wall", "under-indicators", "false"),
        ("mcr", "turn", "lay-down", "[\"gem\", \"pair\"]"),
        ("two-player", "claims", "winners", "\"all\""),
        ("two-player", "claims", "double-win", "true"),
        ("riichi-sanma", "claims", "triple-win", "\"draw\""),
        ("american", "claims", "chow-from", "\"any\""),
        ("mcr", "kongs", "indicators", "false"),
        ("mcr", "kongs", "indicator-added", "\"at-once\""),
        ("mcr", "kongs", "replacement-win-turns", "false"),
        ("mcr", "kongs", "claimed-on-laid", "true"),
        ("mcr", "kongs", "at-most", "100"),
        ("sichuan", "kongs", "through-aside", "false"),
        ("american", "kongs", "concealed", "\"hidden\""),
        ("american", "kongs", "after-claim", "\"always\""),
        ("american", "kongs", "added-tile", "\"drawn\""),
        ("american", "win", "kong-feeder-answers", "true"),
        ("mcr", "match", "dealer-keeps-kongs", "3"),
        ("mcr", "procedures.furiten", "in-riichi", "\"until-draw\""),
        ("mcr", "procedures.abortive-draws", "four-riichi", "true"),
    ] {
        key(parent, section, name, value);
    }
    for (parent, lines, what) in [
        // Rows of which nothing asks anything.
        ("mcr", "[turned.x]\non = \"win\"\n", "turned.x`"),
        ("mcr", "[turned.x]\non = \"win\"\ncount = 0\n", "turned.x`"),
        (
            "sichuan",
            "[turned.x]\non = \"dealt\"\nat = \"end\"\n",
            "turned.x`",
        ),
        ("mcr", "[aside.x]\ntiles = \"\"\n", "aside.x`"),
        ("mcr", "[melds.x]\nfamily = \"gem\"\n", "melds.x`"),
        (
            "mcr",
            "[procedures.challenge]\nfrom-kong = 1\n",
            "procedures.challenge`",
        ),
        (
            "mcr",
            "[procedures.swap-call]\ndiscards = \"allowed\"\n",
            "procedures.swap-call`",
        ),
        (
            "american",
            "[claims.chow]\nwhen = \"declared-melds <= 1\"\n",
            "claims.chow`",
        ),
        (
            "mcr",
            "[patterns.x]\nfan = 0\nwhen = \"closed\"\n",
            "patterns.x`",
        ),
        ("riichi-ema", "[fu.x]\nfu = 0\nwhen = \"closed\"\n", "fu.x`"),
        // A way to win and the kongs that are robbed need each other.
        (
            "mcr",
            "[win]\nways = [\"wall\", \"discard\"]\n[kongs]\nrob = [\"added\", \"concealed\"]\n",
            "kongs.rob`",
        ),
        (
            "mcr",
            "[win]\nways = [\"wall\", \"discard\", \"robbed-kong\"]\n[kongs]\nrob = []\n",
            "robbed-kong` in `win.ways`",
        ),
        // Items of lists.
        (
            "woo",
            "[turn]\nlay-down = [\"arith\", \"pung\", \"gem\"]\n",
            "gem` in `turn.lay-down`",
        ),
        (
            "mcr",
            "[claims.win]\ncompletes = [\"pair\", \"gem\"]\n",
            "gem` in `claims.win.completes`",
        ),
        (
            "mcr",
            "[match]\nends = [{ deals = 16 }, { deals = 20 }]\n",
            "{ deals = 20 }` in `match.ends`",
        ),
        // Keys that need each other.
        (
            "mcr",
            "[payments.x]\non = \"kong\"\namount = \"1\"\naccount = \"y\"\n",
            "payments.x.account`",
        ),
        (
            "mcr",
            "[match]\nends = [{ deals = 16 }]\nmax-deals = 100\n",
            "match.max-deals`",
        ),
        (
            "mcr",
            "[flags.x]\nwhen = \"replaced(kong)\"\n[win]\nkongs-in-row = \"x\"\n",
            "win.kongs-in-row`",
        ),
        (
            "riichi-ema",
            "[patterns.x]\nhan = 1\nopen = 1\nwhen = \"closed\"\n",
            "patterns.x.open`",
        ),
        (
            "riichi-ema",
            "[settlement]\nfalse-win = \"none\"\nmangan = 3000\n",
            "settlement.mangan`",
        ),
        (
            "riichi-ema",
            "[procedures.furiten]\nown-discards = false\n[procedures.riichi]\nwhile-furiten = false\n",
            "procedures.riichi.while-furiten`",
        ),
    ] {
        told(parent, lines, what);
    }
    // What the file takes from its parent has an effect, even if it says the same as no key.
    for lines in [
        "[kongs]\nrob = [\"concealed\"]\n",
        "[wall]\nreserve-moves = false\nreserve = 8\n",
    ] {
        let told = over("mcr", lines);
        assert!(
            told.iter().all(|(kind, ..)| *kind != LintKind::Unused),
            "{told:?}"
        );
    }
}

/// A wall of the parent is told at the key of the child that spoils it.
#[test]
fn a_wall_of_a_parent_is_told_at_the_key_that_causes_it() {
    let wall = over(
        "hong-kong-old-style",
        "[tiles]\ncopies = [{ tiles = \"123456789t123456789s123456789mESWNCF\", count = 4 }, { tiles = \"P\", count = 2 }]\n",
    );
    let of_wall = wall
        .iter()
        .find(|(kind, ..)| *kind == LintKind::Wall)
        .expect("a lint of the wall");
    assert_eq!(of_wall.1, 3);
    assert!(
        of_wall
            .2
            .starts_with("because of `tiles.copies`: rulesets/"),
        "{of_wall:?}"
    );
}

/// What no key of the child causes alone is told at its key `extends`.
#[test]
fn a_lint_of_a_parent_that_keys_cause_together_is_told_at_extends() {
    let jokers = |honours: &str| {
        format!(
            "tiles.copies = [{{ tiles = \"123456789t123456789s123456789m{honours}\", count = 4 }}, {{ tiles = \"J\", count = 2 }}]\nwild.joker.tiles = \"J\"\n"
        )
    };
    for (parent, honours) in [("sichuan", ""), ("riichi-mcgill", "ESWNCFP")] {
        let told = over(parent, &jokers(honours));
        let wall = told.iter().find(|(kind, ..)| *kind == LintKind::Wall);
        let (_, line, message) = wall.expect("a lint of the wall");
        assert_eq!(*line, 1, "{told:?}");
        let start = format!("because of keys of this file: rulesets/{parent}.toml:");
        assert!(message.starts_with(&start), "{message}");
    }
    // Of several files it is the one that has the keys.
    let club = format!(
        "ruleset = {{ id = \"club\", extends = \"sichuan\" }}\n{}",
        jokers("")
    );
    let mine = "\nruleset = { id = \"my\", extends = \"./club.toml\" }\n";
    let read = |path: &str| (path == "club.toml").then(|| club.clone());
    let source = Source::with_parents("my.toml", mine, read).unwrap();
    let lints = lint(&source, &[]).unwrap();
    let wall = lints.iter().find(|lint| lint.kind == LintKind::Wall);
    let wall = wall.expect("a lint of the wall").to_string();
    assert!(
        wall.starts_with("club.toml:1:") && wall.contains("because of keys of this file"),
        "{wall}"
    );
}

/// What a condition implies by the way of the win, by flags, by numbers of the same tiles and by the tiles that are left.
#[test]
fn patterns_that_follow_by_ways_flags_and_numbers_are_told() {
    let implied = |one: &str, other: &str| {
        let text = format!(
            "{}\n[patterns.one]\nfan = 1\nwhen = \"{one}\"\n[patterns.other]\nfan = 1\nwhen = \"{other}\"\n",
            ruleset::keys::SKELETON
        );
        let lints = lint(&Source::text("my.toml", text), &[]).unwrap();
        lints.iter().any(|lint| {
            lint.message
                .starts_with("every hand with `one` has `other`")
        })
    };
    for (one, other) in [
        ("way is replacement", "self-draw"),
        ("way is robbed-kong", "not self-draw and winner"),
        ("last-tile", "self-draw"),
        ("winner and kinds(dragon) == 3", "winner and has(dragon)"),
        (
            "winner and melds(pung|kong, dragon) >= 2",
            "winner and count(dragon) >= 6",
        ),
        (
            "winner and melds(pung|kong, seat-wind) >= 1",
            "winner and has(honour)",
        ),
        (
            "winner and melds(chow, any) == 4",
            "winner and melds(pung|kong, any) == 0",
        ),
        (
            "winner and melds(pung|kong, any, concealed) == 4",
            "winner and closed",
        ),
        ("winner and declared-melds == 0", "winner and closed"),
        (
            "winner and declared(pung, dragon, open) >= 2",
            "winner and melds(pung|kong, dragon) >= 2",
        ),
        (
            "winner and declared(pung, dragon) >= 2",
            "winner and declared-melds >= 2",
        ),
        (
            "winner and declared(pung, dragon) >= 1",
            "winner and declared(any, honour) >= 1",
        ),
        ("winner and all-tiles(honour)", "winner and suits == 0"),
        ("winner and suits == 0", "winner and all-tiles(honour)"),
        (
            "winner and all-tiles(honour)",
            "winner and melds(chow, any) == 0",
        ),
        ("winner and same-run-in-suits == 3", "winner and suits == 3"),
        ("winner and not has(honour)", "winner and count(honour) < 1"),
    ] {
        assert!(implied(one, other), "{one} / {other}");
    }
    for (one, other) in [
        ("self-draw", "way is replacement"),
        (
            "winner and melds(pung, dragon) >= 2",
            "winner and declared(pung, dragon) >= 1",
        ),
        ("winner and has(dragon)", "winner and kinds(dragon) == 3"),
        ("winner and has(seat-wind)", "winner and has(dragon)"),
        (
            "winner and melds(pung|kong, any, concealed) == 3",
            "winner and closed",
        ),
        (
            "winner and melds(chow, any) == 3",
            "winner and melds(pung|kong, any) == 0",
        ),
        ("winner and all-tiles(honour)", "winner and has(dragon)"),
    ] {
        assert!(!implied(one, other), "{one} / {other}");
    }
}
