//! Reads the tiles of the set, classes and lists of tiles: `[tiles]`.

use super::super::keys::KeyType;
use super::super::source::{Entry, Node, RulesetError, RulesetFault, Section, Value};
use crate::counts::{Counts, MAX_COPIES, MOST_COPIES};
use crate::decompose::Honours;
use crate::notation::Notation;
use crate::set::{FlowerSet, KindSet};
use crate::tile::{Kind, Rank, Suit, Tile};
use crate::tile_set::TileSet;

pub(super) fn read_tile_list(
    section: &Section<'_>,
    node: &Node,
    key: &str,
) -> Result<Vec<Tile>, RulesetError> {
    section.asks(key, || KeyType::Tiles);
    read_tile_parts(section, node, key)
}

pub(super) fn read_tile_parts(
    section: &Section<'_>,
    node: &Node,
    key: &str,
) -> Result<Vec<Tile>, RulesetError> {
    let text = match &node.value {
        Value::Text(text) => text,
        // Parts in a row, each of which may have an `if`.
        Value::List(parts) => {
            let mut tiles = Vec::new();
            for part in parts {
                tiles.extend(match &part.value {
                    Value::Table(_) => {
                        let part = Section::of(section.texts(), part, key)?;
                        let node = part.node("tiles");
                        let node = part.require("tiles", node)?;
                        let tiles = read_tile_parts(section, node, key)?;
                        part.finish()?;
                        tiles
                    }
                    _ => read_tile_parts(section, part, key)?,
                });
            }
            return Ok(tiles);
        }
        _ => return Err(section.bad(node, key, &KeyType::Tiles.to_string())),
    };
    Notation::Ujmj.parse(text).map_err(|error| {
        let fault = RulesetFault::BadValue {
            key: key.to_owned(),
            expected: format!(
                "{}, whose suits are `t`, `s` and `m`: {error}",
                KeyType::Tiles
            ),
        };
        section.texts().error(node.place, 0, fault)
    })
}

/// The tables of `[tiles.suits]`.
pub(super) fn suits<'a>(tiles: &Section<'a>) -> Result<Vec<(Suit, Section<'a>)>, RulesetError> {
    let Some(section) = tiles.section("suits")? else {
        return Ok(Vec::new());
    };
    section.only_tables()?;
    let suit = |entry: &'a Entry| {
        let (letter, texts) = (entry.key.as_str(), section.texts());
        let suit = letter.parse().map_err(|_| {
            let fault = RulesetFault::BadValue {
                key: section.join(letter),
                expected: "a suit: `t`, `s` or `m`".to_owned(),
            };
            texts.error(entry.place, 0, fault)
        })?;
        Ok((suit, Section::of(texts, &entry.node, section.join(letter))?))
    };
    section.entries().iter().map(suit).collect()
}

/// What conditions and forms know about tiles.
pub(super) struct Classes {
    /// The kinds of each class.
    pub(super) kinds: Vec<(String, KindSet)>,
    pub(super) honours: Honours,
}

/// Reads the kinds in play, red fives, classes and the honours of suits. Rows of `[aside]` add the flowers.
pub(super) fn read_tiles(section: &Section<'_>) -> Result<(TileSet, Classes), RulesetError> {
    let mut copies = Counts::EMPTY;
    let mut listed = Vec::new();
    for node in section.list("copies")? {
        let part = section.table_of(node, "copies")?;
        let tiles = part.node("tiles");
        let tiles = read_tile_list(&part, part.require("tiles", tiles)?, "tiles")?;
        let count = part.int("count", 1..=i64::from(MOST_COPIES))?;
        let count = part.require("count", count)? as u8;
        for tile in tiles {
            if listed.contains(&tile) {
                let is_letter = |tile: &Tile| {
                    let rank = tile.kind().and_then(Kind::rank);
                    rank.is_some_and(|rank| rank.get() > 9)
                };
                let hint = match listed.iter().any(is_letter) {
                    true => " (`x` and `a` to `f` are ranks; suits are `t`, `s` and `m`)",
                    false => "",
                };
                let expected =
                    format!("tiles that are listed once, but {tile} is listed twice{hint}");
                return Err(part.must_be("tiles", expected));
            }
            listed.push(tile);
            match tile.kind() {
                Some(kind) if count > kind.most_copies() => {
                    let expected = format!("at most {} for {tile}", kind.most_copies());
                    return Err(part.must_be("count", expected));
                }
                Some(kind) => copies.set(kind, count),
                None => {
                    let expected = "kinds; rows of [aside] bring flowers into play";
                    return Err(part.must_be("tiles", expected));
                }
            }
        }
        part.finish()?;
    }
    let mut reds = [0; 3];
    let red_list = section.list("red-fives")?;
    if !red_list.is_empty() && red_list.len() != reds.len() {
        let expected = "three counts: circles, bamboos, characters";
        return Err(section.must_be("red-fives", expected));
    }
    for (red, node) in reds.iter_mut().zip(red_list) {
        *red = section.int_of(node, "red-fives", 0..=i64::from(MAX_COPIES))? as u8;
    }
    for (suit, &red) in Suit::ALL.into_iter().zip(&reds) {
        let fives = copies.get(Kind::number(suit, Rank::FIVE));
        if red > fives {
            let what = "red fives of one suit";
            return Err(section.too_many(what, usize::from(red), usize::from(fives)));
        }
    }
    let mut classes = Classes {
        kinds: Vec::new(),
        honours: Honours::default(),
    };
    let is_honour = |kind: Kind| kind.is_honour() && copies.get(kind) > 0;
    for (suit, one) in suits(section)? {
        one.asks("honour", || KeyType::Tiles);
        let Some(node) = one.node("honour") else {
            continue;
        };
        match read_tile_list(&one, node, "honour")?[..] {
            [tile] if tile.kind().is_some_and(is_honour) => {
                classes.honours[suit.lane()] = tile.kind();
            }
            _ => return Err(one.bad(node, "honour", "one honour in play, such as `P`")),
        }
    }
    if let Some(list) = section.section("classes")? {
        for entry in list.entries() {
            let tiles = read_tile_list(&list, &entry.node, &entry.key)?;
            if tiles.iter().any(|tile| tile.is_flower()) {
                return Err(list.must_be(&entry.key, "tiles that are not flowers"));
            }
            let kinds = tiles.iter().filter_map(|tile| tile.kind()).collect();
            classes.kinds.push((entry.key.clone(), kinds));
        }
    }
    section.text("src")?;
    // Another function reads this key.
    section.node("names");
    section.again().finish()?;
    Ok((TileSet::new(copies, reds, FlowerSet::EMPTY), classes))
}
