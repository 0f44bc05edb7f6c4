//! Reads which tiles stand for others: `[wild]`.

use super::super::play::{WildClaims, WildRules};
use super::super::source::{RulesetError, Section};
use super::table::read_tile_list;
use crate::decompose::{Grammar, WildCopies};
use crate::meld::Group;
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use crate::tile_set::TileSet;

/// The most wild tiles of a set. With more there would be too many ways to read a hand.
const MAX_WILD: usize = 4;

pub(super) fn read_wild(
    root: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
) -> Result<WildRules, RulesetError> {
    let mut rules = WildRules::default();
    if let Some(section) = root.section("wild")? {
        section.only_tables()?;
        section.text("src")?;
        let rows = section.ids().count();
        if rows > 1 {
            return Err(section.too_many("rows", rows, 1));
        }
        for (_, _, one) in section.ids() {
            rules = read_row(&one, tiles, grammar)?;
            one.text("doc")?;
            one.text("src")?;
            one.finish()?;
        }
    }
    if tiles.copies().get(Kind::JOKER) > 0 && !rules.kinds.contains(Kind::JOKER) {
        return Err(root.needs("tiles.copies", "a row of [wild] with the joker, `J`"));
    }
    Ok(rules)
}

fn read_row(
    one: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
) -> Result<WildRules, RulesetError> {
    let kinds = read_kinds(one, tiles)?;
    let copies = [("set", WildCopies::Set), ("any", WildCopies::Any)];
    let copies = one.word("copies", &copies)?.unwrap_or_default();
    let claimed = read_claimed(one, tiles, grammar)?;
    let swap = one.word("swap", &[("never", false), ("own", true)])?;
    let swap = swap.unwrap_or(false);
    if claimed.any() && kinds != KindSet::one(Kind::JOKER) {
        return Err(one.needs("claimed", "jokers, `J`, as the only wild tiles"));
    }
    if swap && !claimed.any() {
        return Err(one.needs("swap", "`claimed`: wild tiles in claimed melds"));
    }
    Ok(WildRules {
        kinds,
        copies,
        claimed,
        swap,
        discard: one.bool("discard")?.unwrap_or(false),
    })
}

/// Reads the wild kinds.
fn read_kinds(one: &Section<'_>, tiles: &TileSet) -> Result<KindSet, RulesetError> {
    let node = one.node("tiles");
    let node = one.require("tiles", node)?;
    let mut kinds = KindSet::EMPTY;
    for tile in read_tile_list(one, node, "tiles")? {
        match tile.kind().filter(|_| tiles.contains(tile)) {
            Some(kind) if kind != Kind::ZERO && !tile.is_red() => kinds.insert(kind),
            _ => return Err(one.bad(node, "tiles", "kinds in play, no zero and no flower")),
        }
    }
    let copies = kinds
        .iter()
        .map(|kind| usize::from(tiles.copies().get(kind)));
    let held: usize = copies.sum();
    if held > MAX_WILD {
        return Err(one.too_many("wild tiles", held, MAX_WILD));
    }
    let has_reds = |kind: Kind| {
        let reds = kind.suit().map_or(0, |suit| tiles.reds(suit));
        reds > 0 && kind.rank() == Some(Rank::FIVE)
    };
    if kinds.iter().any(has_reds) {
        let why = "a kind with red fives cannot be wild";
        return Err(one.conflict("tiles", "tiles.red-fives", why));
    }
    Ok(kinds)
}

/// Reads how many tiles of a claimed meld may be wild.
fn read_claimed(
    one: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
) -> Result<WildClaims, RulesetError> {
    let Some(section) = one.section("claimed")? else {
        return Ok(WildClaims::default());
    };
    let most = |key, most| section.int(key, 0..=most).map(Option::unwrap_or_default);
    let claimed = WildClaims {
        pung: most("pung", 2)? as u8,
        chow: most("chow", 1)? as u8,
    };
    if claimed.any() && Suit::ALL.into_iter().any(|suit| tiles.reds(suit) > 0) {
        let why = "melds have red fives or wild tiles, but not both";
        return Err(section.conflict("", "tiles.red-fives", why));
    }
    let is_plain = |group: Group| group.is_consecutive();
    let mut runs = grammar
        .shapes()
        .map(|(_, shape)| shape.group(Suit::Circles));
    if claimed.chow > 0 && !(grammar.shapes().len() > 0 && runs.all(is_plain)) {
        return Err(section.needs("chow", "runs of three ranks in a row only"));
    }
    section.finish()?;
    Ok(claimed)
}
