//! Reads which tiles stand for others: `[wild]`.

use super::super::keys::KeyType;
use super::super::play::{WildClaims, WildRules, WildStep, WildSwap};
use super::super::source::{RulesetError, Section};
use super::tiles::read_tile_list;
use crate::decompose::{Grammar, WildCopies};
use crate::meld::Group;
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use crate::tile_set::TileSet;

/// The most wild tiles of a set. With more there would be too many ways to read a hand of groups and a pair.
const MAX_WILD: usize = 4;

/// The most wild tiles where special forms alone win.
const MAX_WILD_IN_FORMS: usize = 8;

pub(super) fn read_wild(
    root: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
    turned: &[String],
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
            rules = read_row(&one, tiles, grammar, turned)?;
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
    turned: &[String],
) -> Result<WildRules, RulesetError> {
    let kinds = read_kinds(one, tiles)?;
    let turned = read_step(one, turned)?;
    if turned.is_none() && kinds.is_empty() {
        return Err(one.missing("tiles"));
    }
    if turned.is_some() && red_suit(tiles).is_some() {
        let why = "a kind with red fives cannot be wild";
        return Err(one.conflict("turned", "tiles.red-fives", why));
    }
    // A turned tile adds at most four.
    let most = tiles.copies().count_in(kinds) as usize + 4 * usize::from(turned.is_some());
    let limit = match grammar.standard {
        true => MAX_WILD,
        false => MAX_WILD_IN_FORMS,
    };
    if most > limit {
        return Err(one.too_many("wild tiles", most, limit));
    }
    // `read_forms` reads this key.
    one.node("in-forms");
    let copies = [("set", WildCopies::Set), ("any", WildCopies::Any)];
    let copies = one.word("copies", &copies)?.unwrap_or_default();
    let claimed = read_claimed(one, tiles, grammar)?;
    let words = [
        ("never", WildSwap::Never),
        ("own", WildSwap::Own),
        ("any", WildSwap::Any),
    ];
    let swap = one.word("swap", &words)?.unwrap_or_default();
    if claimed.any() && (kinds != KindSet::one(Kind::JOKER) || turned.is_some()) {
        return Err(one.needs("claimed", "jokers, `J`, as the only wild tiles"));
    }
    if swap != WildSwap::Never && !claimed.any() {
        return Err(one.needs("swap", "`claimed`: wild tiles in claimed melds"));
    }
    Ok(WildRules {
        kinds,
        turned,
        copies,
        claimed,
        swap,
        discard: one.bool("discard")?.unwrap_or(false),
    })
}

/// Reads the wild kind of a deal in which a tile is turned: one of the rows `turned` of `[turned]`.
fn read_step(one: &Section<'_>, turned: &[String]) -> Result<Option<WildStep>, RulesetError> {
    let step = one.int("step", 0..=1)?;
    one.asks("turned", || KeyType::Id("turned"));
    let Some(node) = one.node("turned") else {
        return match step {
            None => Ok(None),
            Some(_) => Err(one.needs("step", "`turned`")),
        };
    };
    let id = one.text_of(node, "turned")?;
    if !turned.iter().any(|row| row == id) {
        return Err(one.bad(node, "turned", "a row of [turned] with `on = \"dealt\"`"));
    }
    Ok(Some(match step {
        Some(1) => WildStep::Next,
        _ => WildStep::Itself,
    }))
}

/// The kinds that are always wild.
fn read_kinds(one: &Section<'_>, tiles: &TileSet) -> Result<KindSet, RulesetError> {
    let mut kinds = KindSet::EMPTY;
    let Some(node) = one.node("tiles") else {
        return Ok(kinds);
    };
    for tile in read_tile_list(one, node, "tiles")? {
        match tile.kind().filter(|_| tiles.contains(tile)) {
            Some(kind) if kind != Kind::ZERO && !tile.is_red() => kinds.insert(kind),
            _ => return Err(one.bad(node, "tiles", "kinds in play, no zero and no flower")),
        }
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

/// A suit with red fives.
fn red_suit(tiles: &TileSet) -> Option<Suit> {
    Suit::ALL.into_iter().find(|&suit| tiles.reds(suit) > 0)
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
        kong: most("kong", 3)? as u8,
        chow: most("chow", 1)? as u8,
    };
    if claimed.any() && red_suit(tiles).is_some() {
        let why = "melds have red fives or wild tiles, but not both";
        return Err(section.conflict("", "tiles.red-fives", why));
    }
    if claimed.kong > 0 && !grammar.has_kong() {
        return Err(section.needs("kong", "a kong in [melds]"));
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
