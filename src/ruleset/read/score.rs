//! Reads what a win is and what it is worth: `[win] [flags] [score] [patterns] [invariants]`.

use super::super::keys::{self, KeyType};
use super::super::plan::{ClaimConditions, Flag, Invariant};
use super::super::source::{Node, RulesetError, RulesetFault, Section, Texts, nearest};
use super::han_fu::{read_han_fu, read_liable};
use super::table::{CHOW_FROM, read_families};
use super::terms::{read_combinations, read_condition, read_flag, read_ids, read_per};
use super::vocabulary::Vocabulary;
use crate::decimal::Decimal;
use crate::decompose::Grammar;
use crate::lang::Names;
use crate::score::condition;
use crate::score::facts::Scope;
use crate::score::{
    ChowFrom, Condition, DoublesRules, FamilySet, FanCurve, FanRules, LoserRules, MAX_PATTERNS,
    Pattern, PatternStatus, PatternValue, PointTable, ScoreFamily, ScoreRules, Tie, WinRules,
};
use crate::state::{FlagSet, Way};
use smallvec::SmallVec;
use std::ops::RangeInclusive;

pub(super) fn read_win_rules(root: &Section<'_>, players: usize) -> Result<WinRules, RulesetError> {
    let claims = root.need("claims")?;
    let chow_from = claims
        .word("chow-from", &CHOW_FROM)?
        .unwrap_or(ChowFrom::Previous);
    let mut rules = WinRules {
        completes: FamilySet::ALL,
        run_from: ChowFrom::Any,
        players,
    };
    if let Some(win) = claims.section("win")? {
        if win.node("completes").is_some() {
            rules.completes = read_families(&win, "completes")?;
        }
        if win.bool("chow-from-anyone")? == Some(false) {
            rules.run_from = chow_from;
        }
        win.text("src")?;
        win.finish()?;
    }
    Ok(rules)
}

/// Reads `requires-hand`. It is judged before the concealed tiles are known, so it may ask for declared melds and
/// flowers alone.
fn read_of_melds(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Option<Condition>, RulesetError> {
    let condition = read_condition(section, "requires-hand", Scope::Hand, names)?;
    match (&condition, section.node("requires-hand")) {
        (Some(asked), Some(node)) if asked.asks_concealed() => {
            let expected = "a condition on declared melds and flowers only; `requires-reading` knows all tiles";
            Err(section.bad(node, "requires-hand", expected))
        }
        _ => Ok(condition),
    }
}

/// Reads what a seat must meet to claim a discard for a meld.
pub(super) fn read_claim_conditions(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Option<Box<ClaimConditions>>, RulesetError> {
    let claims = root.need("claims")?;
    let condition = |key| match claims.section(key)? {
        None => Ok(None),
        Some(section) => {
            let condition = read_of_melds(&section, names)?;
            section.text("src")?;
            let condition = section.require("requires-hand", condition)?;
            section.finish()?;
            Ok(Some(condition))
        }
    };
    let found = ClaimConditions {
        kong: condition("kong")?,
        pung: condition("pung")?,
        chow: condition("chow")?,
    };
    let asks = found.kong.is_some() || found.pung.is_some() || found.chow.is_some();
    Ok(asks.then(|| Box::new(found)))
}

pub(super) type Flags = (Vec<Flag>, Vec<(usize, Condition)>);

/// Reads the flags. Beside them are the conditions by which some flags rule readings out.
pub(super) fn read_flags(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Flags, RulesetError> {
    section.only_tables()?;
    let mut flags = Vec::new();
    let mut readings = Vec::new();
    let read = |id: &str, node: &Node, one: Section<'_>| {
        if crate::score::facts::is_name(id) {
            let fault = RulesetFault::NameTaken {
                name: id.to_owned(),
            };
            return Err(section.texts().error(node.place, 0, fault));
        }
        let reading = read_condition(&one, "requires-reading", Scope::Hand, names)?;
        let flag = Flag {
            id: id.to_owned(),
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            when: read_condition(&one, "when", Scope::Table, names)?,
            requires: read_condition(&one, "requires", Scope::Circumstances, names)?,
            requires_hand: read_of_melds(&one, names)?,
        };
        one.text("src")?;
        one.finish()?;
        Ok((flag, reading))
    };
    for (id, node, one) in section.ids() {
        if let Some((flag, reading)) = section.texts().note(read(id, node, one)) {
            readings.extend(reading.map(|condition| (flags.len(), condition)));
            flags.push(flag);
        }
    }
    section.texts().check_noted()?;
    if flags.len() > FlagSet::MAX {
        return Err(section.too_many("flags", flags.len(), FlagSet::MAX));
    }
    Ok((flags, readings))
}

/// The section `[win]`.
pub(super) struct WinSection {
    pub(super) ways: SmallVec<[Way; 4]>,
    pub(super) requires: Option<Condition>,
    pub(super) requires_hand: Option<Condition>,
    pub(super) requires_reading: Option<Condition>,
    pub(super) kong_flag: Option<usize>,
    pub(super) kong_feeder_answers: bool,
}

pub(super) fn pattern_place(
    texts: &Texts,
    patterns: &[Pattern],
    node: &Node,
    id: &str,
) -> Result<usize, RulesetError> {
    let ids = || patterns.iter().map(|pattern| pattern.id.as_str());
    ids().position(|known| known == id).ok_or_else(|| {
        let fault = RulesetFault::UnknownName {
            what: "pattern",
            found: id.to_owned(),
            suggestion: nearest(id, ids()),
        };
        texts.error(node.place, 0, fault)
    })
}

pub(super) fn read_invariants(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Vec<Invariant>, RulesetError> {
    let mut invariants = Vec::new();
    let Some(section) = root.section("invariants")? else {
        return Ok(invariants);
    };
    section.only_tables()?;
    let read = |id: &str, one: Section<'_>| {
        let given = read_condition(&one, "given", Scope::Hand, names)?;
        let then = read_condition(&one, "then", Scope::Result, names)?;
        let (given, then) = (one.require("given", given)?, one.require("then", then)?);
        let invariant = Invariant {
            id: id.to_owned(),
            given,
            then,
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            src: one.text("src")?.unwrap_or_default().to_owned(),
        };
        one.finish()?;
        Ok(invariant)
    };
    for (id, _, one) in section.ids() {
        invariants.extend(section.texts().note(read(id, one)));
    }
    Ok(invariants)
}

pub(super) fn read_win(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<WinSection, RulesetError> {
    let section = root.need("win")?;
    let ways: SmallVec<[Way; 4]> = section
        .list("ways")?
        .iter()
        .map(|node| section.word_of(node, "ways", &Way::WORDS))
        .collect::<Result<_, _>>()?;
    match (section.node("ways"), ways.is_empty()) {
        (None, _) => return Err(section.missing("ways")),
        (Some(node), true) => {
            return Err(section.bad(node, "ways", "a list of at least one way to win"));
        }
        (Some(_), false) => {}
    }
    let requires = read_condition(&section, "requires", Scope::Circumstances, names)?;
    let kong_flag = read_flag(&section, "kongs-in-row", names)?;
    // Other functions read these keys.
    section.node("then");
    section.node("standard");
    let win = WinSection {
        ways,
        requires,
        requires_hand: read_of_melds(&section, names)?,
        requires_reading: read_condition(&section, "requires-reading", Scope::Hand, names)?,
        kong_flag,
        kong_feeder_answers: section.bool("kong-feeder-answers")?.unwrap_or(false),
    };
    section.text("src")?;
    section.finish()?;
    Ok(win)
}

pub(super) fn read_score(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
    win: WinRules,
    grammar: &Grammar,
) -> Result<ScoreRules, RulesetError> {
    let section = root.need("score")?;
    #[derive(Clone, Copy)]
    enum Kind {
        Doubles,
        Fan,
        HanFu,
    }
    let words = [
        ("doubles", Kind::Doubles),
        ("fan", Kind::Fan),
        ("han-fu", Kind::HanFu),
    ];
    let kind = section.word("family", &words)?;
    let quantum = section.decimal("quantum")?.unwrap_or(Decimal::whole(1));
    if quantum.tenths() < 1 {
        return Err(section.must_be("quantum", "more than 0"));
    }
    let amounts = 1..=1_000_000_000;
    let (family, kinds) = match section.require("family", kind)? {
        Kind::HanFu => {
            let rules = read_han_fu(root, &section, names)?;
            (ScoreFamily::HanFu(rules), ValueKinds::HanFu)
        }
        Kind::Fan => {
            let at_least = section.decimal("at-least")?;
            let below = at_least.map(|least| Decimal::from_tenths(least.tenths() - 1));
            let is_own = |key| section.node(key).is_some_and(Node::is_own);
            let minimum = match (section.decimal("minimum")?, below) {
                // A child says either, whatever its parent says.
                (minimum, Some(_)) if is_own("minimum") && !is_own("at-least") => minimum,
                (Some(_), below @ Some(_)) if is_own("at-least") && !is_own("minimum") => below,
                (Some(_), Some(_)) => {
                    let why = "`at-least` is the least that wins, `minimum` the most that does not";
                    let minimum = section.join("minimum");
                    return Err(section.conflict("at-least", minimum, why));
                }
                (minimum, below) => minimum.or(below),
            };
            let limit = section.int("limit", amounts)?;
            let fan_per_limit = section.int("fan-per-limit", 1..=1000)?;
            let table = read_point_table(&section, "fan", "points")?;
            let curves = [
                ("preferred-numbers", Curve::Preferred),
                ("plain", Curve::Plain),
                ("table", Curve::Table),
            ];
            let curve = match (section.word("curve", &curves)?, table) {
                (None | Some(Curve::Preferred), None) => FanCurve::Preferred {
                    limit: section.require("limit", limit)?,
                    fan_per_limit: section.require("fan-per-limit", fan_per_limit)? as u32,
                },
                (Some(Curve::Plain), None) => FanCurve::Plain,
                (Some(Curve::Table), Some(table)) => {
                    let last = table.last().unwrap_or_default();
                    let limit = limit.unwrap_or(last);
                    FanCurve::Table { table, limit }
                }
                (Some(Curve::Table), None) => return Err(section.missing("table")),
                (_, Some(_)) => {
                    return Err(section.needs("table", "`curve = \"table\"`"));
                }
            };
            let rules = FanRules {
                minimum: section.require("minimum", minimum)?,
                curve,
            };
            (ScoreFamily::Fan(rules), ValueKinds::Fan)
        }
        Kind::Doubles => {
            let limit = section.int("limit", amounts)?;
            let rules = DoublesRules {
                limit,
                capped: section.bool("capped")?.unwrap_or(true),
                round_up_to: section.int("round-up-to", 1..=1_000_000)?.unwrap_or(1),
                bonus_doubled: section.bool("bonus-doubled")?.unwrap_or(false),
                minimum: section.int("minimum", 0..=100)?.unwrap_or(0) as u32,
                minimum_points: section.int("minimum-points", 0..=1_000_000)?.unwrap_or(0),
                table: read_point_table(&section, "doubles", "factor")?,
            };
            let has_limit = limit.is_some();
            (
                ScoreFamily::Doubles(rules),
                ValueKinds::Doubles { has_limit },
            )
        }
    };
    let doubled = read_ids(&section, "double-limits", "patterns")?;
    let answered = match section.node("answered") {
        Some(_) => Some(read_ids(&section, "answered", "patterns")?),
        None => None,
    };
    let values = section.section("values")?;
    let ties = section
        .list("ties")?
        .iter()
        .map(|node| section.word_of(node, "ties", &TIES))
        .collect::<Result<_, _>>()?;
    let losers = match section.section("losers")? {
        Some(losers) => {
            let mut pairs = Vec::new();
            losers.asks_items("pairs", || keys::CLASS);
            for node in losers.list("pairs")? {
                let text = losers.text_of(node, "pairs")?;
                let class = condition::class(text, names)
                    .map_err(|error| losers.texts().condition(node.place, error))?;
                pairs.push(class);
            }
            let rules = LoserRules {
                kongs: losers.bool("kongs")?.unwrap_or(false),
                pairs,
                most_pairs: losers.int("most-pairs", 0..=7)?.unwrap_or(7) as usize,
            };
            losers.text("src")?;
            losers.finish()?;
            Some(rules)
        }
        None => None,
    };
    section.text("src")?;
    section.finish()?;
    let patterns = root.need("patterns")?;
    let mut patterns = read_patterns(&patterns, names, kinds, quantum, values.as_ref())?;
    for (node, id) in doubled {
        let place = pattern_place(root.texts(), &patterns, node, id)?;
        if let PatternValue::Limits(limits) = &mut patterns[place].value {
            *limits *= 2;
        }
    }
    if let Some(answered) = answered {
        let mut places = Vec::new();
        for (node, id) in answered {
            places.push(pattern_place(root.texts(), &patterns, node, id)?);
        }
        for (place, pattern) in patterns.iter_mut().enumerate() {
            if !places.contains(&place) {
                pattern.liable = None;
            }
        }
    }
    let mut rules = ScoreRules::new(patterns, family, win, grammar);
    rules.quantum = quantum;
    rules.losers = losers;
    rules.ties = ties;
    Ok(rules)
}

const TIES: [(&str, Tie); 3] = [
    ("fewest-patterns", Tie::FewestPatterns),
    ("most-patterns", Tie::MostPatterns),
    ("first-patterns", Tie::FirstPatterns),
];

/// The words of `curve`.
#[derive(Clone, Copy)]
enum Curve {
    Preferred,
    Plain,
    Table,
}

/// Reads `table`. Each row has a least sum and what it comes to. `None` if there are no rows.
fn read_point_table(
    section: &Section<'_>,
    sum: &'static str,
    worth: &'static str,
) -> Result<Option<PointTable>, RulesetError> {
    let mut rows = Vec::new();
    for node in section.list("table")? {
        let one = section.table_of(node, "table")?;
        let (from, points) = (one.decimal(sum)?, one.int(worth, 0..=1_000_000_000)?);
        rows.push((one.require(sum, from)?, one.require(worth, points)?));
        one.finish()?;
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let rising = || section.must_be("table", format!("rows that rise in {sum}"));
    PointTable::new(rows).map(Some).ok_or_else(rising)
}

/// Which values the patterns of a score family may have.
#[derive(Clone, Copy)]
pub(super) enum ValueKinds {
    Doubles { has_limit: bool },
    Fan,
    HanFu,
}

/// Reads what a pattern is worth. `over` is the value that `[score.values]` sets for it.
pub(super) fn read_value(
    one: &Section<'_>,
    kinds: ValueKinds,
    quantum: Decimal,
    over: Option<&Node>,
) -> Result<PatternValue, RulesetError> {
    let exact = |key, node: &Node, value: Decimal| {
        if value.tenths() % quantum.tenths() == 0 {
            Ok(value)
        } else {
            let expected = format!("a multiple of {quantum}, the quantum");
            Err(one.bad(node, key, &expected))
        }
    };
    // A whole number. An option may write it as a decimal.
    let whole = |key: &'static str, range: RangeInclusive<i64>| {
        let Some(own) = one.int(key, range.clone())? else {
            return Ok(None);
        };
        let Some(node) = over else {
            return Ok(Some(own));
        };
        let tenths = one.decimal_of(node, key)?.tenths();
        if tenths % 10 != 0 || !range.contains(&(tenths / 10)) {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            return Err(one.bad(node, key, &expected));
        }
        Ok(Some(tenths / 10))
    };
    let number = |key, range| Ok(whole(key, range)?.map(|number| number as u32));
    let points = |key| -> Result<Option<i64>, RulesetError> {
        match (whole(key, -1_000_000..=1_000_000)?, one.node(key)) {
            (Some(value), Some(node)) => {
                let node = over.unwrap_or(node);
                exact(key, node, Decimal::whole(value)).map(|_| Some(value))
            }
            _ => Ok(None),
        }
    };
    let yes = |key, value| match (one.bool(key)?, over) {
        (Some(true), Some(node)) if one.decimal_of(node, key)?.tenths() != 0 => {
            let expected = "0, for the pattern has no number: it can be switched off and no more";
            Err(one.bad(node, key, expected))
        }
        (is, _) => Ok(is.filter(|&yes| yes).map(|_| value)),
    };
    let fan = |key: &'static str| -> Result<Option<Decimal>, RulesetError> {
        let Some(node) = one.node(key) else {
            return Ok(None);
        };
        one.asks(key, || KeyType::Decimal);
        let node = over.unwrap_or(node);
        let value = exact(key, node, one.decimal_of(node, key)?)?;
        if value.tenths() < 0 {
            return Err(one.bad(node, key, "0 or more"));
        }
        Ok(Some(value))
    };
    let limits = || Ok(number("limits", 0..=1000)?.map(PatternValue::Limits));
    let (values, keys) = match kinds {
        ValueKinds::Doubles { .. } => (
            vec![
                points("points")?.map(PatternValue::Points),
                number("doubles", 0..=20)?.map(PatternValue::Doubles),
                points("bonus")?.map(PatternValue::Bonus),
                number("final-doubles", 0..=20)?.map(PatternValue::FinalDoubles),
                yes("limit", PatternValue::Limit)?,
                points("limit-points")?.map(PatternValue::LimitPoints),
            ],
            "`points`, `doubles`, `bonus`, `final-doubles`, `limit`, `limit-points`",
        ),
        ValueKinds::HanFu => {
            let han = || 0..=1000;
            let open = one.int("open", han())?.unwrap_or(0);
            let own = one.int("han", han())?.unwrap_or(0);
            // What another value takes from or adds to a closed hand, it does to an open one, down to 1 han.
            let of_both = |closed: i64| {
                let open = match (open, over) {
                    (0, _) | (_, None) => open,
                    (open, Some(_)) => (open + closed - own).max(closed.min(1)),
                };
                PatternValue::Han {
                    closed: closed as u32,
                    open: open as u32,
                }
            };
            let values = vec![
                whole("han", han())?.map(of_both),
                number("bonus-han", han())?.map(PatternValue::BonusHan),
                number("han-alone", han())?.map(PatternValue::HanAlone),
                limits()?,
            ];
            (values, "`han`, `bonus-han`, `han-alone`, `limits`")
        }
        ValueKinds::Fan => (
            vec![
                fan("value")?.map(PatternValue::Fan),
                fan("bonus")?.map(PatternValue::BonusFan),
                limits()?,
                yes("least", PatternValue::LeastFan)?,
            ],
            "`value`, `bonus`, `limits`, `least`",
        ),
    };
    let mut values = values.into_iter().flatten();
    let (Some(value), None) = (values.next(), values.next()) else {
        let family = match kinds {
            ValueKinds::Doubles { .. } => "doubles",
            ValueKinds::Fan => "fan",
            ValueKinds::HanFu => "han-fu",
        };
        let expected =
            format!("a pattern with exactly one of {keys} (values of the score family `{family}`)");
        return Err(one.must_be("", expected));
    };
    if let (PatternValue::Limit, ValueKinds::Doubles { has_limit: false }) = (value, kinds) {
        return Err(one.needs("limit", "a `limit` in [score]"));
    }
    match over {
        // No limits: the pattern is switched off, whatever it is worth.
        Some(node) if one.decimal_of(node, "values")?.tenths() == 0 => Ok(PatternValue::Limits(0)),
        _ => Ok(value),
    }
}

pub(super) fn read_patterns(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
    kinds: ValueKinds,
    quantum: Decimal,
    overrides: Option<&Section<'_>>,
) -> Result<Vec<Pattern>, RulesetError> {
    section.only_tables()?;
    let ids: Vec<&str> = section.ids().map(|(id, ..)| id).collect();
    if ids.len() > MAX_PATTERNS {
        return Err(section.too_many("patterns", ids.len(), MAX_PATTERNS));
    }
    if let Some(over) = overrides {
        over.asks("<id>", || KeyType::Decimal);
    }
    for entry in overrides.iter().flat_map(|over| over.entries()) {
        let id = entry.key.as_str();
        if !ids.contains(&id) && !names.is_gone(id) {
            let fault = RulesetFault::UnknownName {
                what: "pattern",
                found: entry.key.clone(),
                suggestion: nearest(&entry.key, ids.iter().copied()),
            };
            return Err(section.texts().error(entry.place, 0, fault));
        }
    }
    let places = |one: &Section<'_>, key| -> Result<Vec<usize>, RulesetError> {
        let mut places = Vec::new();
        for (node, other) in read_ids(one, key, "patterns")? {
            match ids.iter().position(|id| *id == other) {
                Some(place) => places.push(place),
                None if names.is_gone(other) => {}
                None => {
                    let fault = RulesetFault::UnknownName {
                        what: "pattern",
                        found: other.to_owned(),
                        suggestion: nearest(other, ids.iter().copied()),
                    };
                    return Err(one.texts().error(node.place, 0, fault));
                }
            }
        }
        Ok(places)
    };
    let statuses = [
        ("fixed", PatternStatus::Fixed),
        ("provisional", PatternStatus::Provisional),
        ("assumed", PatternStatus::Assumed),
    ];
    let read = |id: &str, one: Section<'_>| {
        // Of several values for one pattern the last counts.
        let over = overrides
            .iter()
            .flat_map(|over| over.entries().iter().rev())
            .find(|entry| entry.key == id)
            .map(|entry| &entry.node);
        let mut when = read_condition(&one, "when", Scope::Hand, names)?;
        let beside_melds = when.clone();
        let combines = read_combinations(&one, names, &mut when)?;
        if !combines.is_empty() && one.node("per").is_some() {
            let why = "both say how often the pattern counts";
            return Err(one.conflict("combines", one.join("per"), why));
        }
        let shown = one.text("id")?.unwrap_or(id);
        let pattern = Pattern {
            id: shown.to_owned(),
            names: Names::new(shown, one.names("name", &[])?),
            key: id.to_owned(),
            liable: read_liable(&one, names)?,
            value: read_value(&one, kinds, quantum, over)?,
            when,
            per: read_per(&one, names)?,
            combines,
            beside_melds,
            supersedes: places(&one, "supersedes")?,
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            src: one.text("src")?.unwrap_or_default().to_owned(),
            status: one.word("status", &statuses)?.unwrap_or_default(),
        };
        let beside = places(&one, "beside")?;
        let otherwise = one.bool("otherwise")?.unwrap_or(false);
        if !otherwise && one.node("beside").is_some() {
            return Err(one.needs("beside", "`otherwise = true`"));
        }
        one.finish()?;
        Ok((pattern, otherwise.then_some(beside)))
    };
    let (mut patterns, mut otherwise) = (Vec::new(), Vec::new());
    for (place, (id, _, one)) in section.ids().enumerate() {
        if let Some((pattern, beside)) = section.texts().note(read(id, one)) {
            patterns.push(pattern);
            otherwise.extend(beside.map(|beside| (place, beside)));
        }
    }
    // The places of patterns hold only if all of them were read.
    section.texts().check_noted()?;
    // Points and doubles cannot be compared, so the most valuable combinations could not be chosen.
    let mut combining = patterns.iter().filter(|one| !one.combines.is_empty());
    if let (ValueKinds::Doubles { .. }, Some(first)) = (kinds, combining.next()) {
        let kind = std::mem::discriminant(&first.value);
        if let Some(other) = combining.find(|one| std::mem::discriminant(&one.value) != kind) {
            let why = "patterns with `combines` are all worth points, or all worth doubles";
            let [key, other] = [first, other].map(|one| format!("{}.combines", one.id));
            return Err(section.conflict(&key, section.join(&other), why));
        }
    }
    let is_otherwise = |place| otherwise.iter().any(|(other, _)| *other == place);
    for (place, pattern) in patterns.iter_mut().enumerate() {
        let gives_way =
            |(one, beside): &(usize, Vec<usize>)| (!beside.contains(&place)).then_some(*one);
        if !is_otherwise(place) {
            pattern
                .supersedes
                .extend(otherwise.iter().filter_map(gives_way));
        }
    }
    Ok(patterns)
}
