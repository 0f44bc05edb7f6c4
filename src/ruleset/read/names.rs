//! Reads what tiles and actions are called: `[tiles.names] [actions.names]`.

use super::super::keys::KeyType;
use super::super::source::{RulesetError, RulesetFault, Section};
use crate::lang::Names;
use crate::notation::{TileNames, TileWords};
use crate::state::ActionNames;
use crate::tile::Tile;

/// The names of single tiles: `[tiles.names.tile]`.
fn single(section: &Section<'_>) -> Result<Vec<(Tile, Names)>, RulesetError> {
    section.asks("<id>", || KeyType::Names);
    let mut all = Vec::new();
    for entry in section.entries() {
        let key = entry.key.as_str();
        let tile = key.parse().ok().filter(|tile: &Tile| !tile.is_red());
        let Some(tile) = tile else {
            let fault = RulesetFault::BadValue {
                key: section.join(key),
                expected: "a kind or a flower, such as `xt`".to_owned(),
            };
            return Err(section.texts().error(entry.place, 0, fault));
        };
        let names = section.names_at(key, &entry.node, &[])?;
        if !names.is_empty() {
            all.push((tile, Names::new(key, names)));
        }
    }
    Ok(all)
}

/// The names that a file gives.
fn given(root: &Section<'_>) -> Result<(TileNames, ActionNames), RulesetError> {
    let section = |key| match root.section(key)? {
        Some(section) => section.section("names"),
        None => Ok(None),
    };
    let tiles = match section("tiles")? {
        None => TileNames::default(),
        Some(section) => {
            let words = TileWords::read(|key, words| section.names(key, words))?;
            let single = section.section("tile")?.as_ref().map(single).transpose()?;
            section.finish()?;
            TileNames {
                words,
                single: single.unwrap_or_default(),
            }
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
