//! Explanations: their steps come to the points, and they say what counts first.

use paishan::game::{Observer, Outcome};
use paishan::protocol::{Value, answer};
use paishan::ruleset;
use paishan::score::{Explanation, Operation, Quantity, Step};
use paishan::state::DealState;
use paishan::{Notation, Request, Rules, Seat, Wind, agent, simulate};
use std::collections::{BTreeSet, HashMap};

/// Adds the steps up a second time. Returns the points.
fn added_up(told: &Explanation) -> i64 {
    let mut tenths: HashMap<Quantity, i64> = HashMap::new();
    for Step {
        of,
        operation,
        amount,
        value,
        reason,
        ..
    } in &told.steps
    {
        let (before, amount) = (tenths.get(of).copied().unwrap_or(0), amount.tenths());
        let of_payment = |quantity| tenths.get(&quantity).copied().unwrap_or(0) / 10;
        let after = match operation {
            Operation::Add => before + amount,
            Operation::RoundUp => (before + amount - 1).div_euclid(amount) * amount,
            Operation::AtLeast => before.max(amount),
            Operation::Becomes => amount,
            other => panic!("{other:?}"),
        };
        // What a formula gives.
        if reason.contains("× 2^") {
            let (fu, han) = (of_payment(Quantity::Fu), of_payment(Quantity::Han));
            assert_eq!(
                amount / 10,
                fu * 2_i64.pow((2 + han).min(20) as u32),
                "{told}"
            );
        }
        if reason == "`fan`" {
            let fan = of_payment(Quantity::Column("fan".to_owned()));
            assert_eq!(amount / 10, fan, "{told}");
        }
        if reason == "`base * pow2(doubles)`" {
            let of = |column: &str| of_payment(Quantity::Column(column.to_owned()));
            assert_eq!(amount / 10, of("base") << of("doubles"), "{told}");
        }
        assert_eq!(after, value.tenths(), "{told}");
        tenths.insert(of.clone(), after);
    }
    tenths.get(&Quantity::Points).copied().unwrap_or(0) / 10
}

/// Explains every win and checks it.
struct Explains<'a> {
    rules: &'a Rules,
    wins: usize,
    most: usize,
}

impl Observer for Explains<'_> {
    fn wants_more(&self) -> bool {
        self.wins < self.most
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        self.explain(state, part);
    }
}

impl Explains<'_> {
    fn explain(&mut self, state: &DealState, outcome: &Outcome) {
        if outcome.wins().is_empty() {
            return;
        }
        let request = Request::of_deal(self.rules.plan(), state, outcome);
        let table = request.check(self.rules).unwrap();
        for input in table.inputs() {
            let Some(score) = &outcome.settlement.scores[input.seat] else {
                continue;
            };
            let plan = self.rules.plan();
            let told = plan.explain(&input, score, Notation::Ujmj);
            assert_eq!(told.points, score.points);
            assert_eq!(added_up(&told), score.points, "{}\n{told}", plan.id());
            let ids: Vec<&str> = told.patterns.iter().map(|one| &*one.id).collect();
            let counted: Vec<&str> = plan
                .score()
                .told(score)
                .map(|one| &*one.pattern.id)
                .collect();
            assert_eq!(ids, counted);
            if let Some(other) = &told.runner_up {
                assert!(other.points <= score.points, "{told}");
            }
            // A form without groups has none that the tile completes.
            let winning = told.groups.iter().filter(|group| group.winning).count();
            let wins = input.win.is_some_and(|win| !win.tile.is_flower());
            let is_standard = told.groups.len() > plan.decomposer().grammar().groups();
            assert!(winning == usize::from(wins) || winning == 0 && !is_standard);
            // Nothing that counts is told as left out, and nothing twice.
            assert!(told.left_out.iter().all(|one| {
                let same = plan
                    .score()
                    .patterns()
                    .iter()
                    .filter(|pattern| pattern.id == one.id);
                same.count() > 1 || !ids.contains(&&*one.id)
            }));
            self.wins += usize::from(input.win.is_some());
        }
    }
}

fn explain_wins(most: usize) {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let mut explains = Explains {
            rules: &rules,
            wins: 0,
            most,
        };
        for seed in 0.. {
            if !explains.wants_more() {
                break;
            }
            // `value` wins with dearer hands, but deliberates a hundred times as long.
            let name = match seed % 2 == 1 && explains.wins < 100 {
                true => "value",
                false => "greedy",
            };
            let mut agents = agent::for_all(name, rules.plan()).unwrap();
            simulate::play(&rules, &mut agents, seed, &mut explains).unwrap();
        }
    }
}

#[test]
fn steps_come_to_the_points() {
    explain_wins(20);
}

#[test]
#[ignore = "takes long: cargo test --release --test patterns many_wins -- --ignored"]
fn steps_come_to_the_points_of_many_wins() {
    explain_wins(10_000);
}

fn told(id: &str, request: Request) -> Explanation {
    let rules = Rules::by_id(id).unwrap();
    rules.explain(&request, Notation::Ujmj).unwrap()
}

fn won(hand: &str, tile: &str) -> Request {
    Request::won(&hand.parse().unwrap(), tile.parse().unwrap())
}

/// The first line says why a hand does not win.
#[test]
fn what_is_missing_comes_first() {
    for (id, hand, tile, headline) in [
        (
            "uzje",
            "456s789mWWW5m+123s",
            "5m",
            "Not enough to win: 0 fan, and `fan > 2.5` is needed",
        ),
        (
            "riichi-mcgill",
            "456s789mNN34t+234t",
            "5t",
            "Not enough to win: no yaku",
        ),
        (
            "mcr",
            "678s123mCC34t+999t",
            "5t",
            "Not enough to win: 1 fan, and `fan - bonus >= 8` is needed",
        ),
    ] {
        let told = told(id, won(hand, tile).seat(Seat::SOUTH).off(Seat::EAST));
        assert_eq!(told.headline, headline, "{id}");
        assert!(!told.wins && told.points == 0);
        assert!(told.to_string().starts_with(headline));
    }
}

/// Fu row by row, as the table of `rulesets/riichi-mcgill.md` §10 lists them, and who pays what.
#[test]
fn fu_are_explained_row_by_row() {
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    // A concealed pung of simples, an open pung of the round wind, a middle wait, drawn.
    let request = won("444s24t66m678s+EEE", "3t").seat(Seat::SOUTH);
    let told = rules.explain(&request, Notation::Ujmj).unwrap();
    let fu: i64 = told
        .fu
        .iter()
        .map(|row| row.fu * i64::from(row.times))
        .sum();
    assert_eq!(fu, 20 + 4 + 4 + 2 + 2, "{told}");
    assert_eq!(told.headline, "1500 points (400 / 700): 1 han 40 fu");
    let pung = told.fu.iter().find(|row| row.made_of == ["444s"]);
    assert_eq!(pung.map(|row| row.fu), Some(4), "{told}");
}

#[test]
fn answers_explain_if_asked() {
    let ask = |text: &str| {
        let request: Value = serde_json::from_str(text).unwrap();
        serde_json::to_value(answer(&request)).unwrap()
    };
    let text = |more: &str| {
        format!(
            r#"{{"type": "score", "ruleset": "woo", "player": {{"seat": "N", "hand": "111234567s55s67s"}},
                "win": {{"tile": "8s", "by": "discard", "from": "W"}}{more}}}"#
        )
    };
    let plain = ask(&text(""));
    let mut explained = ask(&text(r#", "explain": true"#));
    let told = explained
        .as_object_mut()
        .unwrap()
        .remove("explanation")
        .unwrap();
    assert_eq!(plain, explained);
    assert_eq!(told["points"], 144);
    let request = won("111234567s55s67s", "8s");
    let request = request.seat(Seat::NORTH).off(Seat::WEST);
    let expected = serde_json::to_value(self::told("woo", request)).unwrap();
    assert_eq!(told, expected);
    let wrong = ask(&text(r#", "explain": "yes""#));
    assert_eq!(wrong["error"]["code"], "bad-request");
}

/// A limit hand leaves other patterns out, and a pattern that supersedes another says so.
#[test]
fn what_does_not_count_is_told_with_its_reason() {
    let told = told(
        "riichi-mcgill",
        won("EEESSSWWWNN11t", "N").seat(Seat::SOUTH).off(Seat::EAST),
    );
    assert_eq!(
        told.steps
            .iter()
            .filter(|step| step.of == Quantity::Limits)
            .count(),
        told.patterns.len()
    );
    let reasons: Vec<&str> = told.left_out.iter().map(|one| &*one.reason).collect();
    assert!(reasons.contains(&"the hand is a limit hand"), "{told}");
    let payment = told.steps.iter().find(|step| step.of == Quantity::Payment);
    assert!(payment.is_some_and(|step| step.amount.tenths() >= 80_000));
}

/// The parts of a condition that fail are named, those of the reading that lacks least.
#[test]
fn why_a_pattern_does_not_count() {
    let why = |id: &str, request: Request, pattern: &str| {
        let rules = Rules::by_id(id).unwrap();
        rules.why_not(&request, pattern).unwrap().unwrap()
    };
    let off = |hand, tile| won(hand, tile).seat(Seat::SOUTH).off(Seat::EAST);
    let hand = || off("234t456s34m678m99s", "5m");
    assert!(why("riichi-tenhou", hand(), "pinfu").is_empty());
    assert_eq!(
        why("riichi-tenhou", hand(), "riichi"),
        ["`riichi` does not hold"]
    );
    let toitoi = why("riichi-tenhou", hand(), "all-pons");
    assert!(toitoi[0].contains(" is 0, not 4"), "{toitoi:?}");
    let simples = why("riichi-tenhou", hand(), "all-simples");
    assert_eq!(simples.len(), 1, "{simples:?}");
    // What is superseded says by what.
    let flush = off("123m456m789m22m34m", "5m");
    let half = why("riichi-tenhou", flush, "half-flush");
    assert!(!half.is_empty(), "{half:?}");
    let rules = Rules::by_id("riichi-tenhou").unwrap();
    assert_eq!(rules.why_not(&hand(), "nothing"), Ok(None));
}

/// For every win of some matches: a pattern counts or there is a reason why not.
#[test]
fn every_pattern_counts_or_says_why_not() {
    struct Asks<'a>(&'a Rules, usize);
    impl Observer for Asks<'_> {
        fn wants_more(&self) -> bool {
            self.1 < 6
        }
        fn paid(&mut self, state: &DealState, part: &Outcome) {
            if part.wins().is_empty() {
                return;
            }
            let plan = self.0.plan();
            let request = Request::of_deal(plan, state, part);
            let table = request.check(self.0).unwrap();
            let counted = table.explain(Notation::Ujmj).unwrap().patterns;
            for pattern in plan.score().patterns() {
                let why = table.why_not(&pattern.id).unwrap().unwrap();
                let counts = counted.iter().any(|one| one.id == pattern.id);
                assert_eq!(why.is_empty(), counts, "{}: {why:?}", pattern.id);
            }
            self.1 += 1;
        }
    }
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let mut asks = Asks(&rules, 0);
        for seed in 0..3 {
            let mut agents = agent::for_all("greedy", rules.plan()).unwrap();
            simulate::play(&rules, &mut agents, seed, &mut asks).unwrap();
        }
        assert!(asks.1 > 2, "{id}");
    }
}

/// Every case with a score, such as the worked examples of the sources, is explained: the last step comes to the expected
/// points, and the expected patterns count.
#[test]
fn cases_are_explained() {
    let mut explained = 0;
    for file in std::fs::read_dir("tests/cases").unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let (mut request, expected) = (case["request"].clone(), &case["answer"]);
            if request["type"] != "score" || expected["ok"] != true {
                continue;
            }
            request["explain"] = true.into();
            let request: Value = serde_json::from_value(request).unwrap();
            let answer = serde_json::to_value(answer(&request)).unwrap();
            let told = &answer["explanation"];
            let why = &case["why"];
            assert_eq!(told["points"], expected["points"], "{why}\n{told}");
            let steps = told["steps"].as_array().unwrap().iter();
            let last = steps.rev().find(|step| step["of"] == "points");
            let last = last.map_or(0, |step| step["value"].as_i64().unwrap());
            assert_eq!(told["points"], last, "{why}\n{told}");
            let ids = |patterns: &serde_json::Value| -> BTreeSet<String> {
                let patterns = patterns.as_array().unwrap().iter();
                let ids = patterns.filter_map(|one| one["id"].as_str());
                ids.map(str::to_owned).collect()
            };
            let (told, expected) = (&told["patterns"], &expected["patterns"]);
            assert_eq!(ids(told), ids(expected), "{why}\n{told}");
            explained += 1;
        }
    }
    assert!(explained > 300, "{explained}");
}

/// Worked examples of the source documents, in words that their readers know.
#[test]
fn worked_examples_read_as_in_their_sources() {
    let melded = |hand: &str, tile: &str, indicators: &str| {
        let mut request = won(hand, tile).seat(Seat::SOUTH).off(Seat::WEST);
        request.indicators = Notation::Ujmj.parse(indicators).unwrap();
        request
    };
    let mut drawn = won("123s456s789mEEE5m/hijk", "5m").seat(Seat::WEST);
    drawn.indicators = Notation::Ujmj.parse("8m").unwrap();
    drawn.round = Wind::South;
    let examples: [(&str, Request, &[&str]); 5] = [
        // "if the player has only the Bamboo suit and has a base score of 18 it becomes 144 (i.e., 18 × 2 × 2 × 2)"
        (
            "woo",
            won("111234567s55s67s", "8s")
                .seat(Seat::NORTH)
                .off(Seat::WEST),
            &[
                "144 points: doubles 3, points 18: 144",
                "poong-closed-terminal 8 points 111s",
                "base + 10 18 woo",
            ],
        ),
        // "Having 5 bonus tiles is enough to win on an otherwise scoreless hand if the threshold is set at 2.5 f", with
        // "valid examples of ariths".
        (
            "uzje",
            melded("777m4s+369s+5xem+xcfs", "4s", "7m4s"),
            &["2 points: 3 fan", "bonus-tile 5 × 0.6 fan", "worth 3 `fan`"],
        ),
        // "7 f ⇒ 50 pt". The orchard "supersedes Flowers".
        (
            "uzje",
            drawn,
            &[
                "50 points: 7.2 fan",
                "not flower-match (0.6 fan): counted in orchard",
            ],
        ),
        // "When all hands have been scored they are rounded up to the nearest 10 points."
        (
            "traditional",
            won("111t456t789s5m+PPP", "5m")
                .seat(Seat::SOUTH)
                .off(Seat::WEST),
            &[
                "70 points: doubles 1, points 34: 68, rounded up",
                "only-tile 2 points",
                "dragon-set 1 double PPP",
            ],
        ),
        // A self-drawn pinfu has 20 fu ("pinfu tsumo ari").
        (
            "riichi-mcgill",
            won("234s567m678t44t23m", "4m").seat(Seat::SOUTH),
            &[
                "2700 points (700 / 1,300): 3 han 20 fu",
                "pinfu 1 han, closed 678t 234s 234m 567m",
                "fu + 20 20 base",
                "points + 1300 1300 E pays 2 × 640, rounded up to 100",
            ],
        ),
    ];
    for (id, request, lines) in examples {
        let told = told(id, request);
        assert_eq!(added_up(&told), told.points);
        // The examples have ids in the place of names.
        let counted = told.patterns.iter().map(|one| (&one.name, &one.id));
        let left_out = told.left_out.iter().map(|one| (&one.name, &one.id));
        let mut names: Vec<_> = counted.chain(left_out).collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let brief = names
            .into_iter()
            .fold(told.brief().to_string(), |text, (name, id)| {
                text.replace(name, id)
            });
        let text: Vec<String> = brief
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        for line in lines {
            assert!(text.iter().any(|one| one == line), "{line}\n{told}");
        }
        // With documentation there are as many lines, and each pattern names its source.
        let whole = told.to_string();
        assert_eq!(whole.lines().count(), text.len());
        assert!(told.patterns.iter().all(|one| whole.contains(&one.src)));
    }
}
