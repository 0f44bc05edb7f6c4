//! Reads what tiles and actions are called: `[tiles.suits] [tiles.names] [actions.names]`.

use super::super::keys::KeyType;
use super::super::source::{RulesetError, RulesetFault, Section};
use super::tiles::suits;
use crate::lang::Names;
use crate::notation::{SuitNames, TileNames, TileWords};
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

/// What the suits and their tiles are called.
fn suit_names(tiles: Option<&Section<'_>>) -> Result<[SuitNames; 3], RulesetError> {
    let mut all = ["circles", "bamboos", "characters"].map(|suit| SuitNames {
        suit: Names::new(suit, Vec::new()),
        tile: Names::new("{rank} of {suit}", Vec::new()),
    });
    for (suit, section) in tiles.map(suits).transpose()?.unwrap_or_default() {
        let SuitNames { suit, tile } = &mut all[suit.lane()];
        suit.give(section.names("name", &[])?);
        tile.give(section.names("tile", &["rank", "suit"])?);
        // Another function reads this key.
        section.node("honour");
        section.finish()?;
    }
    Ok(all)
}

/// The names that a file gives.
fn given<'a>(root: &Section<'a>) -> Result<(TileNames, ActionNames), RulesetError> {
    let names = |section: Option<&Section<'a>>| match section {
        Some(section) => section.section("names"),
        None => Ok(None),
    };
    let section = root.section("tiles")?;
    let mut tiles = TileNames {
        suits: suit_names(section.as_ref())?,
        ..TileNames::default()
    };
    if let Some(section) = names(section.as_ref())? {
        tiles.words = TileWords::read(|key, words| section.names(key, words))?;
        let single = section.section("tile")?.as_ref().map(single).transpose()?;
        tiles.single = single.unwrap_or_default();
        section.finish()?;
    }
    let actions = match names(root.section("actions")?.as_ref())? {
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
