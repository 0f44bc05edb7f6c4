//! The tables of rulesets and flags in `src/protocol/interface.md` are what the rulesets say. Written anew with
//! `PAISHAN_WRITE=1 cargo test --test rules interface`.

use crate::common::ruleset_with;
use crate::generated;
use paishan::protocol::{Body, Responder, Value};
use paishan::ruleset::{self, Plan, Source};
use paishan::score::SettlementRules;
use paishan::wall::IndicatorOrder;
use serde_json::json;

/// The numbers of players who may win in one `settle` request. The interface refuses other numbers before it checks the
/// hands, so empty hands show them.
fn winners_together(plan: &Plan) -> String {
    let seats: Vec<String> = "ESWN56"
        .chars()
        .take(plan.players())
        .map(String::from)
        .collect();
    let players: Vec<_> = seats
        .iter()
        .map(|seat| json!({"seat": seat, "hand": ""}))
        .collect();
    // Only a tile of another player is shared.
    let Some(by) = plan.ways().iter().find(|way| !way.is_self_draw()) else {
        return "1".to_owned();
    };
    let by = by.word();
    let may_win = |count: &usize| {
        let wins: Vec<_> = seats[1..=*count]
            .iter()
            .map(|seat| json!({"seat": seat, "tile": "1t", "by": by, "from": "E"}))
            .collect();
        let request = json!({
            "type": "settle", "ruleset": plan.id(), "round": "E", "players": players, "wins": wins,
        });
        let request: Value = serde_json::from_value(request).unwrap();
        let Body::Error { error, .. } = Responder::new().answer(&request).body else {
            panic!("{}: empty hands win", plan.id());
        };
        assert!(!error.message.contains("won by"), "{}", plan.id());
        error.message != "these players cannot win together"
    };
    let counts: Vec<usize> = (1..plan.players()).filter(may_win).collect();
    match counts[..] {
        [first, .., last] if last - first == counts.len() - 1 => format!("{first}–{last}"),
        _ => counts
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// The members of a request that not every ruleset has.
fn members(plan: &Plan) -> String {
    let (procedures, settlement) = (&plan.procedures(), plan.settlement());
    let indicators = plan.wall().indicators;
    let is_riichi = matches!(settlement, SettlementRules::Riichi(_));
    let members = [
        ("round", plan.matches().round_winds),
        ("bonus", indicators == Some(IndicatorOrder::TopsThenBottoms)),
        (
            "dora",
            indicators == Some(IndicatorOrder::TopsBeyondReplacements),
        ),
        (
            "ura",
            indicators == Some(IndicatorOrder::TopsBeyondReplacements),
        ),
        (
            "turned",
            indicators == Some(IndicatorOrder::Last) || !plan.play().turned().is_empty(),
        ),
        ("honba", plan.has_counters()),
        ("deposits", settlement.deposit() > 0),
        ("quads", plan.kong_flag().is_some()),
        ("set_aside", !plan.play().aside.kinds().is_empty()),
        ("out", plan.play().plays_on),
        ("dead", procedures.dead_hands),
        ("penalty", procedures.false_win.is_some()),
        ("draw", is_riichi),
        ("nagashi", is_riichi),
        ("false-win", is_riichi),
    ];
    let members = members.iter().filter(|(_, has)| *has);
    members
        .map(|(name, _)| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn row(plan: &Plan) -> Vec<String> {
    let sum = plan.score().family().columns().join(", ");
    let has_minimum = plan.score().minimum().is_some();
    vec![
        match plan.options().get("players") {
            Some(_) => format!("{} (option `players`)", plan.players()),
            None => plan.players().to_string(),
        },
        plan.decomposer().grammar().hand_tiles().to_string(),
        sum,
        yes(has_minimum),
        yes(plan.score().losers.is_some()),
        winners_together(plan),
        members(plan),
    ]
}

/// A condition of the merged file of a ruleset: a key of a section.
fn condition(text: &str, section: &str, key: &str) -> String {
    let start = format!("[{section}]\n");
    let Some((_, rest)) = text.split_once(&start) else {
        return String::new();
    };
    let key = format!("{key} = ");
    let body = rest.lines().take_while(|line| !line.starts_with('['));
    let value = body.filter_map(|line| line.strip_prefix(&key)).next();
    let Some(value) = value else {
        return String::new();
    };
    let value: String = serde_json::from_str(value).unwrap();
    let words: Vec<&str> = value.split_whitespace().collect();
    format!("`{}`", words.join(" ").replace('|', "\\|"))
}

/// Puts the ids of equal rows together. The order is that of the first of them.
fn grouped(
    rows: impl IntoIterator<Item = (String, Vec<String>)>,
) -> Vec<(Vec<String>, Vec<String>)> {
    let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (id, row) in rows {
        match groups.iter_mut().find(|(_, other)| *other == row) {
            Some((ids, _)) => ids.push(id),
            None => groups.push((vec![id], row)),
        }
    }
    groups
}

fn listed(ids: &[String]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    ids.join(", ")
}

fn tables() -> String {
    let plans: Vec<_> = ruleset::ids().map(|id| ruleset_with(id, &[])).collect();
    let mut text =
        "| ruleset | players | tiles | score | minimum | losers score | winners | members |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    let rows = plans
        .iter()
        .map(|rules| (rules.plan().id().to_owned(), row(rules.plan())));
    for (ids, row) in grouped(rows) {
        text.push_str(&format!("| {} | {} |\n", listed(&ids), row.join(" | ")));
    }
    text.push_str("\n| flag | in | `when` | `consistent` |\n| --- | --- | --- | --- |\n");
    let mut flags: Vec<String> = vec!["every win".to_owned()];
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for rules in &plans {
        let plan = rules.plan();
        let merged = Source::BuiltIn(plan.id().to_owned()).resolved().unwrap();
        let own = plan
            .flags()
            .iter()
            .map(|flag| (format!("`{}`", flag.id), format!("flags.{}", flag.id)));
        for (flag, section) in std::iter::once((flags[0].clone(), "win".to_owned())).chain(own) {
            let conditions = ["when", "consistent"];
            let conditions = conditions.map(|key| condition(&merged, &section, key));
            if flag.starts_with('`') || conditions.iter().any(|text| !text.is_empty()) {
                rows.push((
                    plan.id().to_owned(),
                    [vec![flag.clone()], conditions.to_vec()].concat(),
                ));
            }
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
    }
    let mut groups = grouped(rows);
    groups.sort_by_key(|(_, row)| flags.iter().position(|flag| *flag == row[0]));
    for (ids, row) in groups {
        let [flag, conditions @ ..] = &row[..] else {
            continue;
        };
        text.push_str(&format!(
            "| {flag} | {} | {} |\n",
            listed(&ids),
            conditions.join(" | ")
        ));
    }
    text
}

#[test]
fn the_tables_of_the_interface_are_what_the_rulesets_say() {
    generated::compare("src/protocol/interface.md", "interface", &tables());
}
