//! Reads which tiles stand for others: `[wild]`.

use super::super::keys::{self, KeyType};
use super::super::play::{WildClaims, WildRules, WildStep, WildSwap};
use super::super::source::{RulesetError, RulesetFault, Section};
use super::forms::ClassNames;
use super::tiles::{Classes, read_tile_list};
use crate::decompose::{FormItem, Grammar, SpecialForm, WildCopies, WildScope, WildScopeError};
use crate::meld::{Family, Group};
use crate::score::condition;
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use crate::tile_set::TileSet;

/// The most wild tiles of a set that stand for any kind. With more there would be too many ways to read a hand of groups
/// and a pair.
const MAX_WILD: usize = 4;

/// The most wild tiles where special forms alone win, and the most that stand for some kinds only.
const MAX_LIMITED: usize = 8;

/// The kinds that are always wild.
pub(super) struct WildKinds {
    /// Those that stand for any kind.
    pub(super) any: KindSet,
    /// The others, each row in turn.
    pub(super) scopes: Vec<WildScope>,
    /// How many of them may stand in forms for copies that the set does not have.
    pub(super) beyond: u8,
}

impl WildKinds {
    /// The wild kinds that are never themselves, besides the joker.
    pub(super) fn never(&self) -> KindSet {
        let never = |scope: &WildScope| scope.kinds.difference(scope.stands_for);
        let scopes = self.scopes.iter().map(never);
        scopes.fold(KindSet::EMPTY, KindSet::union)
    }
}

/// Reads which kinds are always wild, and what they stand for. [`read_wild`] reads the other keys.
pub(super) fn read_wild_kinds(
    root: &Section<'_>,
    tiles: &TileSet,
    classes: &Classes,
) -> Result<WildKinds, RulesetError> {
    let (mut any, mut scopes) = (KindSet::EMPTY, Vec::new());
    let mut copies = WildCopies::Set;
    let section = root.section("wild")?;
    for (_, _, one) in section.iter().flat_map(Section::ids) {
        let kinds = read_kinds(&one, tiles)?;
        let text = one.text_as("as", keys::KINDS)?;
        let (Some(text), Some(node)) = (text, one.node("as")) else {
            any = any.union(kinds);
            // Rows that differ are refused later.
            if read_common(&one)?.0 == WildCopies::Any {
                copies = WildCopies::Any;
            }
            continue;
        };
        let stands_for = condition::class(text, &ClassNames(classes))
            .map_err(|error| one.texts().condition(node.place, error))?
            .fixed_kinds()
            .intersection(tiles.copies().kinds());
        scopes.push(WildScope { kinds, stands_for });
    }
    // Where groups and a pair win, the decomposer counts more copies of each kind.
    let only_forms = root.need("win")?.bool("standard")? == Some(false);
    let beyond = match copies {
        WildCopies::Any if only_forms => tiles.copies().count_in(any) as u8,
        WildCopies::Any | WildCopies::Set => 0,
    };
    Ok(WildKinds {
        any,
        scopes,
        beyond,
    })
}

/// The error of wild tiles that cannot stand for what their rows say, at the row at fault.
pub(super) fn wild_fault(root: &Section<'_>, error: WildScopeError) -> RulesetError {
    let section = root.section("wild").ok().flatten();
    let mut limited = section
        .iter()
        .flat_map(Section::ids)
        .filter(|(_, _, one)| one.has("as"));
    let row = error.scope().and_then(|scope| limited.nth(scope));
    match row {
        Some((_, _, one)) => one.fault(RulesetFault::Wild(error)),
        None => root.fault(RulesetFault::Wild(error)),
    }
}

pub(super) fn read_wild(
    root: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
    wild: &WildKinds,
    turned: &[String],
    forced: KindSet,
) -> Result<WildRules, RulesetError> {
    let mut rules = WildRules::default();
    if let Some(section) = root.section("wild")? {
        section.only_tables()?;
        section.text("src")?;
        let plain = section.ids().filter(|(_, _, one)| !one.has("as")).count();
        if plain > 1 {
            return Err(section.too_many("rows without `as`", plain, 1));
        }
        let mut first = None;
        for (id, _, one) in section.ids() {
            let common = read_common(&one)?;
            let (before, expected) = *first.get_or_insert((id, common));
            let differing = [
                ("copies", expected.0 != common.0),
                ("discard", expected.1 != common.1),
            ];
            if let Some((key, _)) = differing.into_iter().find(|(_, differs)| *differs) {
                let why = "all rows must have the same";
                return Err(one.conflict(key, format!("wild.{before}"), why));
            }
            (rules.copies, rules.discard) = common;
            // Other functions read these keys.
            for key in ["tiles", "as", "in-forms"] {
                one.node(key);
            }
            match one.has("as") {
                true => check_limited(&one, grammar)?,
                false => rules = read_row(&one, tiles, grammar, wild, turned, rules)?,
            }
            one.text("doc")?;
            one.text("src")?;
            one.finish()?;
        }
        let limited = wild.scopes.iter().map(|scope| scope.kinds);
        let limited = limited.fold(KindSet::EMPTY, KindSet::union);
        let most = tiles.copies().count_in(limited) as usize;
        if most > MAX_LIMITED {
            return Err(section.too_many("wild tiles with `as`", most, MAX_LIMITED));
        }
        if rules.turned.is_some() && !wild.scopes.is_empty() {
            let why = "with a turned tile all wild tiles stand for any kind";
            return Err(section.conflict("", "turned", why));
        }
        rules.kinds = wild.any.union(limited);
    }
    // A joker that must be laid aside is in no hand.
    let joker = KindSet::one(Kind::JOKER).intersection(tiles.copies().kinds());
    if !joker.is_subset(rules.kinds.union(forced)) {
        return Err(root.needs("tiles.copies", "a row of [wild] with the joker, `J`"));
    }
    Ok(rules)
}

/// Reads the keys that all rows share.
fn read_common(one: &Section<'_>) -> Result<(WildCopies, bool), RulesetError> {
    let copies = [("set", WildCopies::Set), ("any", WildCopies::Any)];
    let copies = one.word("copies", &copies)?.unwrap_or_default();
    Ok((copies, one.bool("discard")?.unwrap_or(false)))
}

/// Checks a row of tiles that stand for some kinds only.
fn check_limited(one: &Section<'_>, grammar: &Grammar) -> Result<(), RulesetError> {
    for key in ["turned", "in-forms", "claimed", "swap", "swap-after-claim"] {
        if one.has(key) {
            let why = "a wild tile that stands for some kinds only is not turned and is in no form and no claimed meld";
            return Err(one.conflict(key, "as", why));
        }
    }
    if one.node("tiles").is_none() {
        return Err(one.missing("tiles"));
    }
    match grammar.standard {
        true => Ok(()),
        false => Err(one.conflict("as", "win.standard", "special forms alone win")),
    }
}

/// Reads the row of the tiles that stand for any kind. `rules` has what all rows share.
fn read_row(
    one: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
    wild: &WildKinds,
    turned: &[String],
    rules: WildRules,
) -> Result<WildRules, RulesetError> {
    let kinds = wild.any;
    let turned = read_step(one, turned)?;
    if turned.is_none() && !one.has("tiles") {
        return Err(one.missing("tiles"));
    }
    if turned.is_some() && red_suit(tiles).is_some() {
        let why = "a kind with red fives cannot be wild";
        return Err(one.conflict("turned", "tiles.red-fives", why));
    }
    let others = tiles.kinds().difference(kinds).iter();
    let by_turned = others
        .map(|kind| usize::from(tiles.copies().get(kind)))
        .max();
    let by_turned = by_turned.filter(|_| turned.is_some()).unwrap_or_default();
    let most = tiles.copies().count_in(kinds) as usize + by_turned;
    let limit = match grammar.standard {
        true => MAX_WILD,
        false => MAX_LIMITED,
    };
    if most > limit {
        return Err(one.too_many("wild tiles", most, limit));
    }
    let claimed = read_claimed(one, tiles, grammar)?;
    let words = [
        ("never", WildSwap::Never),
        ("own", WildSwap::Own),
        ("any", WildSwap::Any),
    ];
    let swap = one.word("swap", &words)?.unwrap_or_default();
    let only_jokers = kinds == KindSet::one(Kind::JOKER) && wild.scopes.is_empty();
    if claimed.any() && (!only_jokers || turned.is_some()) {
        return Err(one.needs("claimed", "jokers, `J`, as the only wild tiles"));
    }
    if swap != WildSwap::Never && !claimed.any() {
        return Err(one.needs("swap", "`claimed`: wild tiles in claimed melds"));
    }
    let swap_after_claim = one.bool("swap-after-claim")?.unwrap_or(false);
    if swap_after_claim && swap == WildSwap::Never {
        return Err(one.needs("swap-after-claim", "`swap`: `own` or `any`"));
    }
    Ok(WildRules {
        turned,
        claimed,
        swap,
        swap_after_claim,
        ..rules
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
        quint: most("quint", 4)? as u8,
        sextet: most("sextet", 5)? as u8,
        chow: most("chow", 1)? as u8,
    };
    if claimed.any() && red_suit(tiles).is_some() {
        let why = "melds have red fives or wild tiles, but not both";
        return Err(section.conflict("", "tiles.red-fives", why));
    }
    for family in [Family::Kong, Family::Quint, Family::Sextet] {
        let most = claimed.most_in(Group::same(family, Kind::EAST));
        if most > 0 && !grammar.has(family) {
            let needs = format!("a {} in [melds]", family.word());
            return Err(section.needs(family.word(), needs));
        }
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

/// Checks that wild tiles can stand for themselves in the forms that need them. `any` are the kinds that always stand for
/// any kind, and `turned` says whether a turned tile tells of such a kind.
pub(super) fn check_wild_items(
    root: &Section<'_>,
    forms: &[SpecialForm],
    wild: &WildKinds,
    turned: bool,
) -> Result<(), RulesetError> {
    let stand = (turned || !wild.any.is_empty())
        && !wild.any.contains(Kind::JOKER)
        && wild.scopes.is_empty();
    let is_wild = |item: &FormItem| matches!(item, FormItem::Wild(_));
    let section = root.section("forms")?;
    let sections = section.iter().flat_map(Section::ids);
    let mut faulty = sections
        .zip(forms)
        .filter(|(_, form)| !stand && form.ways.iter().flatten().any(is_wild));
    match faulty.next() {
        Some(((_, _, one), _)) => {
            let needs = "a row of [wild] whose tiles stand for any kind, no jokers, for `wild`";
            Err(one.needs("groups", needs))
        }
        None => Ok(()),
    }
}
