//! Reads which tiles are turned face up from the wall: `[turned]`.

use super::super::play::{MAX_TURNED_ROWS, TurnedOn, TurnedRow};
use super::super::source::{RulesetError, Section};
use crate::list::List;
use crate::state::MAX_TURNED;
use crate::wall::{BackOrder, IndicatorOrder, WallRules};

/// The section `[turned]`.
#[derive(Default)]
pub(super) struct TurnedSection {
    /// The rows of tiles that are turned while a deal goes on.
    pub(super) rows: List<TurnedRow, MAX_TURNED_ROWS>,
    /// Their ids.
    pub(super) ids: Vec<String>,
    /// The ids of rows of tiles that are turned when the tiles are dealt.
    pub(super) dealt: Vec<String>,
}

/// Reads the section. The wall keeps a tile for a row of dealt tiles.
pub(super) fn read_turned(
    root: &Section<'_>,
    wall: &mut WallRules,
) -> Result<TurnedSection, RulesetError> {
    let mut turned = TurnedSection::default();
    let Some(section) = root.section("turned")? else {
        return Ok(turned);
    };
    section.only_tables()?;
    section.text("src")?;
    let have = section.ids().count();
    if have > MAX_TURNED_ROWS {
        return Err(section.too_many("rows", have, MAX_TURNED_ROWS));
    }
    for (id, _, one) in section.ids() {
        let on = one.word("on", &TurnedOn::WORDS)?;
        let at = one.word("at", &[("next", false), ("end", true)])?;
        let count = one.int("count", 0..=MAX_TURNED as i64)?;
        match one.require("on", on)? {
            TurnedOn::Dealt => {
                if wall.indicators.is_some() {
                    let why = "one tile alone is turned before the first turn";
                    return Err(one.conflict("on", "wall.indicators", why));
                }
                if at != Some(true) || count.is_some_and(|count| count != 1) {
                    return Err(
                        one.needs("on", "`at = \"end\"` and a `count` of 1 if it is `dealt`")
                    );
                }
                if wall.back != BackOrder::FromEnd {
                    return Err(one.needs("at", "`wall.replacements = \"from-end\"`"));
                }
                wall.indicators = Some(IndicatorOrder::Last);
                turned.dealt.push(id.to_owned());
            }
            on => {
                turned.rows.push(TurnedRow {
                    on,
                    count: count.unwrap_or(1) as u8,
                    at_end: at.unwrap_or(false),
                });
                turned.ids.push(id.to_owned());
            }
        }
        one.text("doc")?;
        one.text("src")?;
        one.finish()?;
    }
    let tiles: usize = turned.rows.iter().map(|row| usize::from(row.count)).sum();
    match tiles > MAX_TURNED {
        true => Err(section.too_many("tiles", tiles, MAX_TURNED)),
        false => Ok(turned),
    }
}
