//! Reads which tiles are turned face up: `[turned]`.

use super::super::source::{RulesetError, Section};
use crate::wall::{BackOrder, IndicatorOrder, WallRules};

/// Reads the tiles that are turned before the first turn. Returns the ids of their rows.
pub(super) fn read_turned(
    root: &Section<'_>,
    wall: &mut WallRules,
) -> Result<Vec<String>, RulesetError> {
    let mut ids = Vec::new();
    let Some(section) = root.section("turned")? else {
        return Ok(ids);
    };
    section.only_tables()?;
    section.text("src")?;
    for (id, _, one) in section.ids() {
        let on = one.word("on", &[("dealt", ())])?;
        one.require("on", on)?;
        one.word("at", &[("end", ())])?;
        if wall.indicators.is_some() {
            let why = "one tile alone is turned before the first turn";
            return Err(one.conflict("on", "wall.indicators", why));
        }
        if wall.back != BackOrder::FromEnd {
            return Err(one.needs("at", "`wall.replacements = \"from-end\"`"));
        }
        wall.indicators = Some(IndicatorOrder::Last);
        one.text("doc")?;
        one.text("src")?;
        one.finish()?;
        ids.push(id.to_owned());
    }
    Ok(ids)
}
