//! Reads what tiles and actions are called: `[tiles.names] [actions.names]`.

use super::super::source::{RulesetError, Section};
use crate::notation::TileNames;
use crate::state::ActionNames;

/// The names that a file gives.
fn given(root: &Section<'_>) -> Result<(TileNames, ActionNames), RulesetError> {
    let section = |key| match root.section(key)? {
        Some(section) => section.section("names"),
        None => Ok(None),
    };
    let tiles = match section("tiles")? {
        None => TileNames::default(),
        Some(section) => {
            let names = TileNames::read(|key, words| section.names(key, words))?;
            section.finish()?;
            names
        }
    };
    let actions = match section("actions")? {
        None => ActionNames::default(),
        Some(section) => {
            let names = ActionNames::read(|key, words| section.names(key, words))?;
            section.finish()?;
            names
        }
    };
    Ok((tiles, actions))
}

/// The names of `rulesets/names.toml`.
#[cfg(feature = "toml")]
fn defaults() -> Result<&'static (TileNames, ActionNames), RulesetError> {
    use super::super::built_in::NAMES;
    use super::super::source::Texts;
    use std::sync::OnceLock;
    static READ: OnceLock<Result<(TileNames, ActionNames), RulesetError>> = OnceLock::new();
    let read = || {
        let mut texts = Texts::default();
        let tree = texts.add(NAMES.file, NAMES.text)?;
        given(&Section::root(&texts, &tree)?)
    };
    READ.get_or_init(read).as_ref().map_err(Clone::clone)
}

/// What tiles and actions are called.
pub(super) fn read_names(root: &Section<'_>) -> Result<(TileNames, ActionNames), RulesetError> {
    let (tiles, actions) = given(root)?;
    #[cfg(feature = "toml")]
    let (tiles, actions) = {
        let (default_tiles, default_actions) = defaults()?;
        (tiles.over(default_tiles), actions.over(default_actions))
    };
    Ok((tiles, actions))
}
