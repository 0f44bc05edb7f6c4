//! Reads which tiles are laid beside the hand: `[aside]`.

use super::super::keys::KeyType;
use super::super::play::{AsideRow, AsideRules, DealtAside, MAX_ASIDE};
use super::super::source::{Node, RulesetError, Section};
use super::terms::read_ids;
use super::tiles::{read_tile_list, read_tile_parts};
use crate::aside::Aside;
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use crate::set::{FlowerSet, KindSet};
use crate::tile::Tile;
use crate::tile_set::TileSet;

/// The section `[aside]`.
pub(super) struct AsideSection<'a> {
    pub(super) rules: AsideRules,
    /// The ids of the rows.
    pub(super) ids: Vec<String>,
    /// The flowers of each seat.
    pub(super) own: BySeat<FlowerSet>,
    /// The patterns that win on a tile laid aside.
    pub(super) wins: Vec<(&'a Node, &'a str)>,
}

pub(super) fn read_aside<'a>(
    root: &Section<'a>,
    tiles: &TileSet,
) -> Result<AsideSection<'a>, RulesetError> {
    let mut rows: Vec<AsideRow> = Vec::new();
    let (mut ids, mut wins) = (Vec::new(), Vec::new());
    let mut own = BySeat::<FlowerSet>::default();
    // When dealt tiles are laid aside, with the row that says so first.
    let mut dealt: Option<(DealtAside, &str)> = None;
    let section = root.section("aside")?;
    if let Some(section) = &section {
        section.only_tables()?;
        if section.entries().len() > MAX_ASIDE {
            let have = section.entries().len();
            return Err(section.too_many("rows", have, MAX_ASIDE));
        }
        for (id, _, one) in section.ids() {
            let row = read_row(&one, tiles, &rows)?;
            if let Some(time) = read_dealt(&one, &row)? {
                if time != DealtAside::BeforePlay && !row.kinds.is_empty() {
                    return Err(one.needs("tiles", "`dealt = \"before-play\"` for kinds"));
                }
                match dealt {
                    Some((other, row)) if other != time => {
                        let why = "all dealt tiles are laid aside at the same time";
                        return Err(one.conflict("dealt", section.join(row) + ".dealt", why));
                    }
                    _ => dealt = Some((time, id)),
                }
            }
            let won = read_ids(&one, "win-on", "patterns")?;
            if !won.is_empty() {
                if dealt.is_none_or(|(time, row)| row != id || time != DealtAside::AfterDraw) {
                    return Err(one.needs("win-on", "`dealt = \"after-draw\"`"));
                }
                wins = won;
            }
            read_own(&one, &mut own)?;
            one.text("doc")?;
            one.text("src")?;
            one.finish()?;
            ids.push(id.to_owned());
            rows.push(row);
        }
        // Conditions call every flower `flower`.
        let of_row = ids.iter().position(|id| id == "flower");
        let has_others = |place: usize| {
            let mut others = rows.iter().enumerate();
            others.any(|(other, row)| other != place && !row.flowers.is_empty())
        };
        if of_row.is_some_and(has_others) {
            let why = "another row has flowers, too, and in conditions `flower` is every flower: give its tiles to a row with another name, and switch an inherited row off with `aside.flower.enabled = false`";
            return Err(section.conflict("flower", "aside", why));
        }
        // The flowers that are drawn in a turn are not noted row by row.
        let is_used = |row: &AsideRow| !row.flowers.is_empty() || !row.kinds.is_empty();
        if !wins.is_empty() && rows.iter().filter(|row| is_used(row)).count() > 1 {
            return Err(section.needs("", "no other row beside one with `win-on`"));
        }
    }
    let dealt = dealt.map_or(DealtAside::BeforePlay, |(time, _)| time);
    let rules = AsideRules::new(&rows, dealt);
    Ok(AsideSection {
        rules,
        ids,
        own,
        wins,
    })
}

/// Reads the tiles of a row, and how they are laid aside. Its flowers come into play; kinds that are not in play do not count. `before` are other rows.
fn read_row(
    one: &Section<'_>,
    tiles: &TileSet,
    before: &[AsideRow],
) -> Result<AsideRow, RulesetError> {
    let (mut flowers, mut kinds) = (FlowerSet::EMPTY, KindSet::EMPTY);
    let listed = match one.node("tiles") {
        Some(node) => read_tile_list(one, node, "tiles")?,
        None => Vec::new(),
    };
    for tile in listed {
        match (tile.as_flower(), tile.kind()) {
            (Some(flower), _) => flowers.insert(flower),
            (_, Some(kind)) if Aside::takes(tile) => {
                if tiles.contains(tile) {
                    kinds.insert(kind);
                }
            }
            _ => {
                let expected = "flowers, full winds, dragons and jokers";
                return Err(one.must_be("tiles", expected));
            }
        }
    }
    let taken = |row: &AsideRow| {
        let flowers = row.flowers.intersection(flowers).iter().map(Tile::flower);
        let kinds = row.kinds.intersection(kinds).iter().map(Tile::plain);
        flowers.chain(kinds).next()
    };
    if let Some(tile) = before.iter().find_map(taken) {
        let expected = format!("tiles that no other row has, but another has {tile}");
        return Err(one.must_be("tiles", expected));
    }
    let lay = one.word("lay", &[("forced", false), ("choice", true)])?;
    let by_choice = lay.unwrap_or(false);
    let rob = one.bool("rob")?.unwrap_or(false);
    match by_choice {
        true if !flowers.is_empty() => Err(one.must_be("tiles", "kinds where `lay = \"choice\"`")),
        false if rob => Err(one.needs("rob", "`lay = \"choice\"`")),
        _ => Ok(AsideRow {
            flowers,
            kinds,
            by_choice,
            rob,
        }),
    }
}

/// Reads which flowers belong to which seat. The list begins anew for further seats.
fn read_own(one: &Section<'_>, own: &mut BySeat<FlowerSet>) -> Result<(), RulesetError> {
    let mut all = Vec::new();
    for node in one.list("own")? {
        one.asks_items("own", || KeyType::Tiles);
        let flowers = read_tile_parts(one, node, "own")?;
        let flowers: Option<FlowerSet> = flowers.iter().map(|tile| tile.as_flower()).collect();
        all.push(flowers.ok_or_else(|| one.bad(node, "own", "flowers"))?);
    }
    if !all.is_empty() {
        for (place, seat) in Seat::all(MAX_PLAYERS).enumerate() {
            own[seat] = own[seat].union(all[place % all.len()]);
        }
    }
    Ok(())
}

/// Reads when dealt tiles of a row are laid aside. `None` for a row that leaves it to the player.
fn read_dealt(one: &Section<'_>, row: &AsideRow) -> Result<Option<DealtAside>, RulesetError> {
    let times = [
        ("own-turn", DealtAside::OwnTurn),
        ("after-draw", DealtAside::AfterDraw),
        ("before-play", DealtAside::BeforePlay),
    ];
    match one.word("dealt", &times)? {
        Some(_) if row.by_choice => Err(one.needs("dealt", "`lay = \"forced\"`")),
        time if row.by_choice => Ok(time),
        time => Ok(Some(time.unwrap_or(DealtAside::BeforePlay))),
    }
}
