//! Reads what a win is and what it is worth: `[win] [flags] [score] [patterns] [invariants]`.

use super::super::keys::{self, KeyType};
use super::super::plan::{ClaimConditions, Flag, Invariant};
use super::super::play::ClaimKind;
use super::super::source::{Node, RulesetError, RulesetFault, Section, Texts, Value, nearest};
use super::han_fu::{read_han_fu, read_liable};
use super::table::{CHOW_FROM, read_families};
use super::terms::{
    read_combinations, read_condition, read_flag, read_ids, read_per, read_resolved,
};
use super::vocabulary::Vocabulary;
use crate::decimal::Decimal;
use crate::decompose::Grammar;
use crate::lang::Names;
use crate::score::condition;
use crate::score::condition::Formula;
use crate::score::facts::Scope;
use crate::score::{
    Amounts, ChowFrom, Condition, FamilySet, LoserRules, MAX_PATTERNS, MOST_SUMS, Minimum, Pattern,
    PatternStatus, PatternValue, ScoreFamily, ScoreRules, SumsRules, Tie, WinRules,
};
use crate::state::{FlagSet, Way};
use smallvec::SmallVec;

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

/// Reads a condition that is judged before the concealed tiles are known, so it may ask for declared melds and flowers alone.
fn read_of_melds(
    section: &Section<'_>,
    key: &'static str,
    scope: Scope,
    names: &Vocabulary<'_>,
) -> Result<Option<Condition>, RulesetError> {
    let condition = read_condition(section, key, scope, names)?;
    match (&condition, section.node(key)) {
        (Some(asked), Some(node)) if asked.asks_concealed() => {
            let expected = "a condition on declared melds and flowers only";
            Err(section.bad(node, key, expected))
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
            let condition = read_of_melds(&section, "when", Scope::Claim, names)?;
            section.text("src")?;
            let condition = section.require("when", condition)?;
            section.finish()?;
            Ok(Some(condition))
        }
    };
    let mut found = ClaimConditions::default();
    // The first is a win, of which other keys tell.
    for (place, (key, _)) in ClaimKind::WORDS.into_iter().enumerate().skip(1) {
        found[place] = condition(key)?;
    }
    let asks = found.iter().any(Option::is_some);
    Ok(asks.then(|| Box::new(found)))
}

pub(super) fn read_flags(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Vec<Flag>, RulesetError> {
    section.only_tables()?;
    let mut flags = Vec::new();
    let read = |id: &str, node: &Node, one: Section<'_>| {
        if crate::score::facts::is_name(id) {
            let fault = RulesetFault::NameTaken {
                name: id.to_owned(),
            };
            return Err(section.texts().error(node.place, 0, fault));
        }
        let consistent = read_of_melds(&one, "consistent", Scope::Hand, names)?;
        let [circumstances, melds, _] = consistent.map(Condition::by_stage).unwrap_or_default();
        let flag = Flag {
            id: id.to_owned(),
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            when: read_condition(&one, "when", Scope::Table, names)?,
            consistent: [circumstances, melds],
        };
        one.text("src")?;
        one.finish()?;
        Ok(flag)
    };
    for (id, node, one) in section.ids() {
        flags.extend(section.texts().note(read(id, node, one)));
    }
    section.texts().check_noted()?;
    if flags.len() > FlagSet::MAX {
        return Err(section.too_many("flags", flags.len(), FlagSet::MAX));
    }
    Ok(flags)
}

/// The section `[win]`.
pub(super) struct WinSection {
    pub(super) ways: SmallVec<[Way; 4]>,
    /// What every win must meet, see [`Condition::by_stage`].
    pub(super) when: [Option<Condition>; 3],
    /// The same for people, with the values of options.
    pub(super) shown_when: Option<String>,
    pub(super) kong_flag: Option<usize>,
    pub(super) kong_feeder_answers: bool,
    /// What the sums of a hand must meet to win.
    pub(super) minimum: Option<Minimum>,
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
    let when = read_condition(&section, "when", Scope::Hand, names)?;
    let shown = read_resolved(&section, "when", Scope::Hand, names)?;
    let kong_flag = read_flag(&section, "kongs-in-row", names)?;
    // Other functions read these keys.
    section.node("then");
    section.node("standard");
    let win = WinSection {
        ways,
        when: when.map(Condition::by_stage).unwrap_or_default(),
        // Options may make it true.
        shown_when: shown.filter(|text| text != "true"),
        kong_flag,
        kong_feeder_answers: section.bool("kong-feeder-answers")?.unwrap_or(false),
        minimum: read_minimum(&section, names)?,
    };
    section.text("src")?;
    section.finish()?;
    Ok(win)
}

/// Reads what the sums of a hand must meet to win.
fn read_minimum(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Option<Minimum>, RulesetError> {
    let condition = read_condition(section, "minimum", Scope::Sums, names)?;
    let text = read_resolved(section, "minimum", Scope::Sums, names)?;
    Ok(condition.map(|condition| Minimum {
        text: text.unwrap_or_default(),
        condition,
    }))
}

/// Reads a formula over the sums.
fn read_formula(
    section: &Section<'_>,
    key: &'static str,
    names: &Vocabulary<'_>,
) -> Result<Option<Formula>, RulesetError> {
    let text = section.text_as(key, KeyType::Formula)?;
    let (Some(text), Some(node)) = (text, section.node(key)) else {
        return Ok(None);
    };
    let formula = condition::formula(text, names)
        .map_err(|error| section.texts().condition(node.place, error))?;
    let shown = read_resolved(section, key, Scope::Sums, names)?;
    Ok(Some(formula.shown_as(shown.unwrap_or_default())))
}

/// Reads how columns become points.
fn read_sums(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
    minimum: Option<Minimum>,
) -> Result<SumsRules, RulesetError> {
    let columns = names.columns;
    let mut greatest = 0;
    section.asks_items("greatest", || KeyType::Text);
    for node in section.list("greatest")? {
        let name = section.text_of(node, "greatest")?;
        match columns.place(name) {
            Some(place) => greatest |= 1 << place,
            None => {
                let fault = RulesetFault::UnknownName {
                    what: "column of `sums`",
                    found: name.to_owned(),
                    suggestion: nearest(name, columns.names.iter().copied()),
                };
                return Err(section.texts().error(node.place, 0, fault));
            }
        }
    }
    let mut shown: Vec<String> = columns.names.iter().map(|&name| name.to_owned()).collect();
    if let Some(called) = section.section("called")? {
        called.asks("<id>", || KeyType::Text);
        for (place, name) in columns.names.iter().enumerate() {
            if let Some(node) = called.named(name) {
                shown[place] = called.text_of(node, name)?.to_owned();
            }
        }
        called.finish()?;
    }
    let reached = read_formula(section, "reached", names)?;
    let worth = read_formula(section, "worth", names)?;
    let worth = section.require("worth", worth)?;
    names.worth.set(Some(worth.is()));
    let points = read_formula(section, "points", names)?;
    names.worth.set(None);
    Ok(SumsRules {
        names: columns.names.iter().map(|&name| name.to_owned()).collect(),
        shown,
        whole: columns.is_whole(),
        greatest,
        // What nothing asks for is no part of the plan, so that the lint finds it.
        limit: columns.limit.filter(|_| names.asks_limit.get()),
        limits_alone: section.bool("limits-alone")?.unwrap_or(false),
        listed_each: section
            .word("listed", &[("once", false), ("each", true)])?
            .unwrap_or(false),
        reached,
        worth,
        points,
        minimum,
    })
}

pub(super) fn read_score(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
    minimum: Option<Minimum>,
    win: WinRules,
    grammar: &Grammar,
) -> Result<ScoreRules, RulesetError> {
    let section = root.need("score")?;
    // `Columns` has read these keys.
    for key in ["sums", "quantum", "limit", "tables"] {
        section.node(key);
    }
    let family = match names.columns.is_han_fu() {
        true => ScoreFamily::HanFu(read_han_fu(root, &section, names, minimum)?),
        false => ScoreFamily::Sums(read_sums(&section, names, minimum)?),
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
    let mut patterns = read_patterns(&patterns, names, values.as_ref())?;
    for (node, id) in doubled {
        let place = pattern_place(root.texts(), &patterns, node, id)?;
        match &mut patterns[place].value {
            PatternValue::Limits(limits) => *limits *= 2,
            PatternValue::Sums(amounts) => amounts.limits *= 2,
            _ => {}
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
    rules.quantum = names.columns.quantum;
    rules.losers = losers;
    rules.ties = ties;
    Ok(rules)
}

const TIES: [(&str, Tie); 3] = [
    ("fewest-patterns", Tie::FewestPatterns),
    ("most-patterns", Tie::MostPatterns),
    ("first-patterns", Tie::FirstPatterns),
];

/// Reads what a pattern is worth. `over` is the value that `[score.values]` sets for it.
fn read_value(
    one: &Section<'_>,
    names: &Vocabulary<'_>,
    over: Option<&Node>,
) -> Result<PatternValue, RulesetError> {
    let value = match names.columns.is_han_fu() {
        true => read_han(one, over)?,
        false => read_amounts(one, names, over)?,
    };
    match over {
        // No limits: the pattern is switched off, whatever it is worth.
        Some(node) if one.decimal_of(node, "values")?.tenths() == 0 => Ok(PatternValue::Limits(0)),
        _ => Ok(value),
    }
}

/// Reads what a pattern adds to the columns, and its limits.
fn read_amounts(
    one: &Section<'_>,
    names: &Vocabulary<'_>,
    over: Option<&Node>,
) -> Result<PatternValue, RulesetError> {
    let columns = names.columns;
    let exact = |place: usize, node: &Node, value: Decimal| {
        let quantum = columns.quantum[place];
        match value.tenths() % quantum.tenths() {
            0 => Ok(value),
            _ => {
                let expected = format!("a multiple of {quantum}, the quantum");
                Err(one.bad(node, columns.names[place], &expected))
            }
        }
    };
    let mut amounts = [Decimal::default(); MOST_SUMS];
    let mut is_there = false;
    one.asks("<column>", || KeyType::Decimal);
    one.asks("<column>", || KeyType::Amounts);
    for (place, (amount, name)) in amounts.iter_mut().zip(&columns.names).enumerate() {
        let Some(node) = one.named(name) else {
            continue;
        };
        is_there = true;
        *amount = match &node.value {
            Value::Text(text) => condition::number(text, names)
                .map_err(|error| one.texts().condition(node.place, error))?,
            _ => one.decimal_of(node, name)?,
        };
        exact(place, node, *amount)?;
    }
    let mut limits = one.int("limits", 0..=1000)?;
    if !is_there && limits.is_none() {
        let keys = columns.names.iter().map(|name| format!("`{name}`"));
        let keys = keys.collect::<Vec<_>>().join(", ");
        let expected = format!("a pattern with {keys} (columns of `sums`) or `limits`");
        return Err(one.must_be("", expected));
    }
    if let Some(node) = over {
        let value = one.decimal_of(node, "values")?;
        let first = amounts.iter().position(|amount| amount.tenths() != 0);
        match first.map(|first| (first, amounts[first])) {
            // Columns to which the pattern adds as much change with the first one.
            Some((first, was)) => {
                exact(first, node, value)?;
                for amount in amounts.iter_mut().filter(|amount| **amount == was) {
                    *amount = value;
                }
            }
            None if limits.is_some() => {
                if value.tenths() % 10 != 0 || !(0..=10_000).contains(&value.tenths()) {
                    return Err(one.bad(node, "limits", "a whole number from 0 to 1000"));
                }
                limits = Some(value.tenths() / 10);
            }
            None => {}
        }
    }
    let limits = limits.unwrap_or(0) as u32;
    Ok(PatternValue::Sums(Amounts::new(amounts, limits)))
}

/// Reads what a pattern is worth in han and fu.
fn read_han(one: &Section<'_>, over: Option<&Node>) -> Result<PatternValue, RulesetError> {
    let hans = || 0..=1000;
    // An option may write a whole number as a decimal.
    let whole = |key: &'static str| {
        let Some(own) = one.int(key, hans())? else {
            return Ok(None);
        };
        let Some(node) = over else {
            return Ok(Some(own));
        };
        let tenths = one.decimal_of(node, key)?.tenths();
        if tenths % 10 != 0 || !hans().contains(&(tenths / 10)) {
            return Err(one.bad(node, key, "a whole number from 0 to 1000"));
        }
        Ok(Some(tenths / 10))
    };
    let number = |key| Ok::<_, RulesetError>(whole(key)?.map(|number| number as u32));
    let open = one.int("open", hans())?.unwrap_or(0);
    let own = one.int("han", hans())?.unwrap_or(0);
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
    let values = [
        whole("han")?.map(of_both),
        number("bonus-han")?.map(PatternValue::BonusHan),
        number("han-alone")?.map(PatternValue::HanAlone),
        number("limits")?.map(PatternValue::Limits),
    ];
    let mut values = values.into_iter().flatten();
    match (values.next(), values.next()) {
        (Some(value), None) => Ok(value),
        _ => {
            let expected =
                "a pattern with exactly one of `han`, `bonus-han`, `han-alone`, `limits`";
            Err(one.must_be("", expected))
        }
    }
}

pub(super) fn read_patterns(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
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
            value: read_value(&one, names, over)?,
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
    // Columns cannot be compared, so the most valuable combinations could not be chosen.
    let mut combining = patterns.iter().filter(|one| !one.combines.is_empty());
    if let Some(first) = combining.next() {
        let of = |pattern: &Pattern| match pattern.value {
            PatternValue::Sums(amounts) => amounts.first().map(|(column, _)| column),
            _ => None,
        };
        if let Some(other) = combining.find(|one| of(one) != of(first)) {
            let why = "patterns with `combines` all add to the same column";
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
