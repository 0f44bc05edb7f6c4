use super::*;
use crate::decompose::Grammar;
use crate::hand::Hand;
use crate::meld::Family;
use crate::ruleset::{Plan, Rules};
use crate::score::facts::{self, Argument, SumFact};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{FlagSet, Win};
use crate::state::{TurnedId, Way};
use crate::tile::{Kind, Tile, Wind};
use crate::tile_set::TileSet;
use std::sync::LazyLock;

struct Some3;

impl Names for Some3 {
    fn option(&self, name: &str) -> Option<Constant> {
        match name {
            "flag-option" => Some(Constant::Bool(true)),
            "three" => Some(Constant::Int(3)),
            "mode" => Some(Constant::Word(
                "fast".into(),
                vec!["fast".into(), "slow".into()],
            )),
            _ => None,
        }
    }
    fn players(&self) -> Option<usize> {
        Some(3)
    }
    fn flag(&self, name: &str) -> Option<usize> {
        (name == "last-tile").then_some(0)
    }
    fn spend(&self, _: usize) -> bool {
        true
    }
    fn condition(&self, name: &str) -> Option<&Named> {
        static LATE: LazyLock<Named> = LazyLock::new(|| named("draws-left == 0", &Some3).unwrap());
        (name == "late").then(|| &*LATE)
    }
    fn set(&self) -> Option<(&TileSet, &Grammar)> {
        static WOO: LazyLock<Rules> = LazyLock::new(|| Rules::by_id("woo").unwrap());
        let plan = WOO.plan();
        Some((&plan.tiles, plan.decomposer.grammar()))
    }
    fn sum(&self, name: &str) -> Option<(SumFact, FactType)> {
        let fact = match name {
            "limits" => SumFact::Limits,
            "worth" => SumFact::Worth,
            _ => return None,
        };
        Some((fact, FactType::Int))
    }
    fn limit(&self) -> Option<i64> {
        Some(320)
    }
    fn meld(&self, name: &str) -> Option<Family> {
        (name == "chow").then_some(Family::Arith)
    }
    fn class(&self, name: &str) -> Option<KindSet> {
        (name == "dragon").then(|| [Kind::RED, Kind::GREEN, Kind::WHITE].into_iter().collect())
    }
    fn turned(&self, name: &str) -> Option<TurnedId> {
        (name == "birds").then(|| TurnedId::at(0))
    }
    fn step(&self, name: &str) -> Option<u8> {
        (name == "first").then_some(0)
    }
    fn known(&self, what: &'static str) -> Vec<&str> {
        match what {
            "class" => vec!["dragon"],
            _ => Vec::new(),
        }
    }
}

fn holds(text: &str) -> bool {
    let win = Win {
        tile: Tile::plain(Kind::RED),
        way: Way::Wall,
        from: None,
        flags: FlagSet::EMPTY,
        kongs_in_row: 0,
    };
    let hand = Hand::new();
    let set = TileSet::default();
    let reading = Reading::circumstances(&set, &hand, Seat::EAST, Wind::East, Some(&win));
    condition(text, Scope::Hand, &Some3)
        .unwrap()
        .holds(&reading)
}

#[test]
fn conditions_mean_what_they_say() {
    for text in [
        "winner",
        "winner and not last-tile",
        "last-tile or self-draw and dealer",
        "not not winner",
        "(last-tile or winner) and three == 3",
        "three - 1 == 2 and three + 1 > 3 and 2 <= three",
        "way is wall and way is not discard",
        "seat is E and not (seat is 5)",
        "winning-tile in dragon",
        "winning-tile in any except F|P",
        "winning-tile is C",
        "option(three) == 3",
        "7 / 2 == three and 2 * three == 6 and 1 + 2 * three - 7 / 2 * 2 == 1",
        "round-up(7, 5) == 10 and round-up(10, 5) == 10 and round-down(7, 5) == 5",
        "min(three, 2, 9) == 2 and max(three, 2) == 3 and pow2(three) == 8 and pow2(suits) == 1",
        "if(winner, 1, 2) == 1 and if(not winner, 1, suits + 2) == 2 and if(three == 3, winner, dealer)",
        "(0 - 7) / 2 == 0 - 4 and max(0, suits - 5) == 0",
        "mode is fast and mode is not slow and flag-option",
        "melds(any, dragon) == 0 and count(19t|dragon) == 0",
        "all-tiles(dragon) and not has(dragon)",
    ] {
        assert!(holds(text), "{text}");
    }
    for text in [
        "not winner",
        "winning-tile in dragon except C",
        "three < 3",
        "way is discard",
    ] {
        assert!(!holds(text), "{text}");
    }
}

#[test]
fn faults_tell_what_and_where() {
    let fault = |text| condition(text, Scope::Hand, &Some3).unwrap_err();
    let say = |text| fault(text).to_string();
    assert_eq!(
        say("melds(pung, drgaon) == 1"),
        "no class `drgaon`; did you mean `dragon`?"
    );
    assert_eq!(fault("melds(pung, drgaon) == 1").at(), 12);
    assert_eq!(say("winer"), "no fact `winer`");
    assert_eq!(say("suits"), "expected true or false, `suits` is a number");
    assert_eq!(
        say("winner and suits"),
        "expected true or false, `suits` is a number"
    );
    assert_eq!(
        say("winner == 1"),
        "expected true or false, `1` is a number"
    );
    assert_eq!(
        say("winner < winner"),
        "expected a number, `winner` is true or false"
    );
    assert_eq!(
        say("winner and"),
        "expected a name or a number, found the end"
    );
    assert_eq!(say("(winner"), "expected `)`, found the end");
    assert_eq!(
        say("winner $"),
        "expected a name, a number or an operator, found `$`"
    );
    assert_eq!(
        say("draws-left == 0"),
        "`draws-left` is not known here; it is a fact about the deal at the table, where flags are set"
    );
    assert_eq!(say("closed && winner"), "expected `and`, found `&&`");
    assert_eq!(say("closed || winner"), "expected `or`, found `||`");
    assert_eq!(say("!closed"), "expected `not`, found `!`");
    assert_eq!(
        say("suits = 1"),
        "expected `==`, or `is` before a word, found `=`"
    );
    assert_eq!(fault("winner and late").at(), 11);
    assert_eq!(
        say("melds(run, any)"),
        "no family `run`; did you mean `arith`?"
    );
    let divisor = "`suits - 1` may be less than 1, and nothing is divided by that";
    assert_eq!(
        say("7 / (suits - 1) == 1"),
        divisor.replace("suits - 1", "(suits - 1)")
    );
    assert_eq!(say("round-up(7, suits - 1) == 1"), divisor);
    assert_eq!(fault("7 / (suits - 1) == 1").at(), 4);
    let fine = "7 / max(1, suits - 1) == 1 and round-down(7, suits + 1) == 7";
    assert!(condition(fine, Scope::Hand, &Some3).is_ok());
    assert_eq!(
        say("if(winner, 1) == 1"),
        "expected a condition and two numbers in `if`, found `)`"
    );
    assert_eq!(
        say("if(suits, 1, 2) == 1"),
        "expected true or false, `suits` is a number"
    );
    assert_eq!(
        say("min(suits) == 1"),
        "expected at least two numbers, found `)`"
    );
    assert_eq!(
        say("winner * 2 == 1"),
        "expected a number, `winner` is true or false"
    );
    assert_eq!(say("seats(winner) == 1"), "no fact `seats`");
    assert!(say("ready").starts_with("`ready` is not known here; it is a fact about a payment"));
    assert!(matches!(
        condition(&"(".repeat(100_000), Scope::Hand, &Some3),
        Err(ConditionError::TooDeep { .. })
    ));
    let long = format!("{}1 > 0", "1 + ".repeat(100_000));
    assert!(matches!(
        condition(&long, Scope::Hand, &Some3),
        Err(ConditionError::TooDeep { .. })
    ));
    let scope = |text, scope| condition(text, scope, &Some3);
    assert!(scope("discards == 0", Scope::Table).is_ok());
    assert!(scope("closed", Scope::Circumstances).is_err());
    assert!(scope("winner", Scope::Options).is_err());
    assert!(scope("three == 3", Scope::Options).is_ok());
    assert!(
        Scope::ALL
            .into_iter()
            .all(|of| scope("players == three", of).is_ok())
    );
    assert!(scope("suits / (players - 2) == 1", Scope::Hand).is_ok());
    assert!(count("suits + 1", Scope::Hand, &Some3).is_ok());
}

#[test]
fn every_fact_of_the_docs_compiles() {
    for fact in facts::FACTS {
        let example = |argument: &Argument| match argument {
            Argument::Class => "dragon",
            Argument::Families => "pung|kong",
            Argument::Side => "open",
            Argument::Copies => "4",
            Argument::Bonus => "hgz|J",
            Argument::Laid => "laid",
            Argument::Replaced => "kong",
            Argument::Groups => "chow r a, pung r+1 b",
            Argument::Way => "wall",
            Argument::Seat | Argument::Wind => "E",
            Argument::Family => "pung",
            Argument::Place => "low",
            Argument::Shape => "standard",
            Argument::Kong => "added",
            Argument::Turned => "birds",
            Argument::Counted => "dealer",
            Argument::Step => "first",
        };
        let usage = fact.arguments.iter().fold(fact.usage(), |usage, argument| {
            usage.replacen(argument.placeholder(), example(argument), 1)
        });
        let compiled = match fact.value {
            FactType::Decimal => {
                let compared = format!("{usage} >= 2.5 - 1");
                condition(&compared, fact.scope, &Some3).map(|_| ())
            }
            FactType::Int => count(&usage, fact.scope, &Some3).map(|_| ()),
            FactType::Bool => condition(&usage, fact.scope, &Some3).map(|_| ()),
        };
        assert_eq!(compiled, Ok(()), "{usage}");
    }
}

/// The names of a ruleset.
struct Of<'a>(&'a Plan);

impl Names for Of<'_> {
    fn option(&self, _: &str) -> Option<Constant> {
        None
    }
    fn flag(&self, name: &str) -> Option<usize> {
        self.0.flag(name)
    }
    fn class(&self, name: &str) -> Option<KindSet> {
        let found = self.0.classes.iter().find(|(class, _)| class == name);
        found.map(|(_, kinds)| *kinds)
    }
    fn form(&self, name: &str) -> Option<u8> {
        let place = self.0.forms.iter().position(|form| form == name)?;
        Some(place as u8 + 1)
    }
    fn known(&self, _: &'static str) -> Vec<&str> {
        Vec::new()
    }
}

/// The same expression, where each list has at least two parts, and no part is a list of the same kind.
fn flat(expr: &Expr) -> Expr {
    let both = |sides: &[Expr; 2]| Box::new([flat(&sides[0]), flat(&sides[1])]);
    let is_all = matches!(expr, Expr::All(_));
    match expr {
        Expr::Constant(_) | Expr::Fact(_) => expr.clone(),
        Expr::Not(inner) => Expr::Not(Box::new(flat(inner))),
        Expr::Plus(sides) => Expr::Plus(both(sides)),
        Expr::Minus(sides) => Expr::Minus(both(sides)),
        Expr::Of(operation, parts) => Expr::Of(*operation, parts.iter().map(flat).collect()),
        Expr::Seats(inner) => Expr::Seats(Box::new(flat(inner))),
        Expr::Table(table, inner) => Expr::Table(table.clone(), Box::new(flat(inner))),
        Expr::Compare(comparison, sides) => Expr::Compare(*comparison, both(sides)),
        Expr::All(parts) | Expr::Any(parts) => {
            let parts = parts.iter().map(flat).flat_map(|part| match part {
                Expr::All(parts) if is_all => parts,
                Expr::Any(parts) if !is_all => parts,
                part => vec![part],
            });
            let mut parts: Vec<Expr> = parts.collect();
            match (parts.len(), is_all) {
                (1, _) => parts.remove(0),
                (_, true) => Expr::All(parts),
                (_, false) => Expr::Any(parts),
            }
        }
    }
}

/// A condition that is written out is compiled to the same condition again.
#[test]
fn written_conditions_mean_the_same() {
    let mut same = 0;
    for id in crate::ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let plan = &**rules.plan();
        let names = plan.rule_names();
        for pattern in plan.score.patterns() {
            let Some(when) = &pattern.when else { continue };
            let text = when.written(&names);
            // Options have no names here, and a long condition stands for groups.
            let is_option = when
                .expr
                .any_part(&|part| matches!(part, Expr::Constant(_)))
                && condition(&text, Scope::Hand, &Of(plan)).is_err();
            if is_option || when.expr.size() > 200 {
                continue;
            }
            let again = condition(&text, Scope::Hand, &Of(plan));
            let again = again.unwrap_or_else(|error| panic!("{id}: {text}: {error}"));
            assert_eq!(flat(&again.expr), flat(&when.expr), "{id}: {text}");
            same += 1;
        }
    }
    assert!(same > 500, "{same}");
}

#[test]
fn conditions_are_written_with_brackets_and_names() {
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let plan = &**rules.plan();
    for text in [
        "suits - (aside(flower) + wilds) == 3",
        "suits - aside(flower) + wilds == 3",
        "not (suits == 1)",
        "form is seven-pairs",
        "form is standard",
        "all-tiles(honour|terminal)",
        "has(wind except seat-wind|round-wind)",
        "melds(pung|kong, any, open) >= 2",
        "declared(kong, dragon, concealed) >= 2",
        "round is S",
    ] {
        let compiled = condition(text, Scope::Hand, &Of(plan)).unwrap();
        assert_eq!(compiled.written(&plan.rule_names()), text);
    }
}
