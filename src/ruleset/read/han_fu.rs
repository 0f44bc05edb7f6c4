//! Reads the han-and-fu family: `[fu]`, its own keys of `[score]`, and liability for patterns.

use super::super::keys;
use super::super::source::{RulesetError, Section, Value};
use super::table::read_families;
use super::terms::{read_condition, read_per};
use super::vocabulary::Vocabulary;
use crate::score::condition;
use crate::score::facts::Scope;
use crate::score::{FuRow, HanFuRules, Liable, LimitRow, Minimum};

pub(super) fn read_han_fu(
    root: &Section<'_>,
    section: &Section<'_>,
    names: &Vocabulary<'_>,
    minimum: Option<Minimum>,
) -> Result<HanFuRules, RulesetError> {
    let amounts = || 1..=1_000_000_000;
    let hans = || 0..=1000;
    let mut fu = Vec::new();
    let rows = root.need("fu")?;
    rows.only_tables()?;
    for (id, _, one) in rows.ids() {
        let value = one.int("fu", 0..=1000)?;
        fu.push(FuRow {
            id: id.to_owned(),
            fu: one.require("fu", value)?,
            when: read_condition(&one, "when", Scope::Hand, names)?,
            per: read_per(&one, names)?,
            exact: one.bool("exact")?.unwrap_or(false),
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            src: one.text("src")?.unwrap_or_default().to_owned(),
        });
        one.finish()?;
    }
    let mut table: Vec<LimitRow> = Vec::new();
    for node in section.list("table")? {
        let one = section.table_of(node, "table")?;
        let (han, base, name) = (
            one.int("han", hans())?,
            one.int("base", amounts())?,
            one.text("name")?,
        );
        let row = LimitRow {
            han: one.require("han", han)? as u32,
            base: one.require("base", base)?,
            name: one.require("name", name)?.to_owned(),
        };
        if table.last().is_some_and(|last| last.han >= row.han) {
            return Err(one.must_be("han", "more than in the row before"));
        }
        table.push(row);
        one.finish()?;
    }
    let from = section.int("limit-from", amounts())?;
    let rounded_from = section.int("rounded-up-from", amounts())?;
    let limit_from = match (section.bool("rounded-up")?, rounded_from) {
        (Some(true), Some(rounded)) => rounded,
        _ => section.require("limit-from", from)?,
    };
    let limit_base = section.int("limit-base", amounts())?;
    let limit_name = section.text("limit-name")?;
    Ok(HanFuRules {
        fu,
        open_least: section.int("open-least-fu", 0..=1000)?.unwrap_or(0),
        minimum,
        table,
        limit_from,
        limit_base: section.require("limit-base", limit_base)?,
        limit_name: section.require("limit-name", limit_name)?.to_owned(),
        limits_add: section.bool("limits-add")?.unwrap_or(true),
    })
}

/// Reads who is liable for a pattern: its key `liable`.
pub(super) fn read_liable(
    one: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Option<Liable>, RulesetError> {
    let Some(section) = one.section("liable")? else {
        return Ok(None);
    };
    let (class, node) = (
        section.text_as("class", keys::CLASS)?,
        section.node("class"),
    );
    let class = match (class, node) {
        (Some(text), Some(node)) => condition::class(text, names)
            .map_err(|error| section.texts().condition(node.place, error))?,
        _ => return Err(section.missing("class")),
    };
    let is_last =
        matches!(section.node("meld"), Some(node) if matches!(node.value, Value::Text(_)));
    let nth = match is_last {
        true => section.word("meld", &[("last", None)])?,
        false => section.int("meld", 1..=4)?.map(|nth| Some(nth as usize)),
    };
    let families = read_families(&section, "families")?;
    let liable = Liable {
        families: section.require("families", Some(families).filter(|some| !some.is_empty()))?,
        class,
        nth: section.require("meld", nth)?,
        not_added: section.bool("not-added")?.unwrap_or(false),
    };
    section.finish()?;
    Ok(Some(liable))
}
