//! Reads which tiles are turned face up from the wall: `[turned]`.

use super::super::play::{MAX_TURNED_ROWS, TurnedOn, TurnedRow};
use super::super::source::{RulesetError, Section};
use crate::list::List;
use crate::state::MAX_TURNED;

/// The section `[turned]`: the rows and their ids.
pub(super) type TurnedSection = (List<TurnedRow, MAX_TURNED_ROWS>, Vec<String>);

pub(super) fn read_turned(root: &Section<'_>) -> Result<TurnedSection, RulesetError> {
    let (mut rows, mut ids) = (List::new(), Vec::new());
    let Some(section) = root.section("turned")? else {
        return Ok((rows, ids));
    };
    section.only_tables()?;
    let have = section.entries().len();
    if have > MAX_TURNED_ROWS {
        return Err(section.too_many("rows", have, MAX_TURNED_ROWS));
    }
    for (id, _, one) in section.ids() {
        let on = one.word("on", &TurnedOn::WORDS)?;
        let at = one.word("at", &[("next", false), ("end", true)])?;
        let count = one.int("count", 0..=MAX_TURNED as i64)?;
        rows.push(TurnedRow {
            on: one.require("on", on)?,
            count: count.unwrap_or(1) as u8,
            at_end: at.unwrap_or(false),
        });
        one.text("doc")?;
        one.text("src")?;
        one.finish()?;
        ids.push(id.to_owned());
    }
    let tiles: usize = rows.iter().map(|row| usize::from(row.count)).sum();
    match tiles > MAX_TURNED {
        true => Err(section.too_many("tiles", tiles, MAX_TURNED)),
        false => Ok((rows, ids)),
    }
}
