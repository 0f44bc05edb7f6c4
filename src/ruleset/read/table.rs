//! Reads what lies on the table and what may be done there: `[wall] [deal] [melds] [turn] [claims] [kongs]`.

use super::super::keys::{self, KeyType};
use super::super::play::{
    AddedTo, AsideRules, ClaimKind, ClaimRank, IndicatorTurn, KongAfterClaim, PlayRules, Winners,
};
use super::super::source::{Node, RulesetError, RulesetFault, Section, Value, nearest};
use super::turned::TurnedSection;
use super::vocabulary::FAMILIES;
use super::wild::{WildKinds, read_wild};
use crate::counts::MAX_COPIES;
use crate::decompose::{Grammar, SpecialForm};
use crate::meld::Family;
use crate::score::{ChowFrom, FamilySet};
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use crate::tile_set::TileSet;
use crate::wall::{BackOrder, DiceSum, IndicatorOrder, Roll, SpareStacks, WallRules};
use smallvec::SmallVec;

fn read_roll(section: &Section<'_>, node: &Node) -> Result<Roll, RulesetError> {
    section.asks_items("rolls", || keys::DICE);
    let bad = || section.bad(node, "rolls", &keys::DICE.to_string());
    let Value::Text(text) = &node.value else {
        return Err(bad());
    };
    let roll = text.split_once('d').and_then(|(dice, sides)| {
        Some(Roll {
            dice: dice.parse().ok().filter(|n| (1..=3).contains(n))?,
            sides: sides.parse().ok().filter(|n| (2..=20).contains(n))?,
        })
    });
    roll.ok_or_else(bad)
}

/// The most tiles of a reserve.
const MAX_RESERVE: i64 = 100;

/// Reads a reserve: a number of tiles, or a number of stacks and some tiles.
fn read_reserve(section: &Section<'_>, height: usize) -> Result<usize, RulesetError> {
    let whole = match section.node("reserve").map(|node| &node.value) {
        Some(Value::Table(_)) => {
            let parts = section.section("reserve")?;
            let parts = parts.ok_or_else(|| section.missing("reserve"))?;
            let stacks = parts.int("stacks", 0..=MAX_RESERVE)?.unwrap_or(0) as usize;
            let tiles = parts.int("tiles", 0..=MAX_RESERVE)?.unwrap_or(0) as usize;
            parts.finish()?;
            height * stacks + tiles
        }
        _ => section.int("reserve", 0..=MAX_RESERVE)?.unwrap_or(0) as usize,
    };
    if whole as i64 > MAX_RESERVE {
        return Err(section.too_many("tiles in the reserve", whole, MAX_RESERVE as usize));
    }
    Ok(whole)
}

pub(super) fn read_wall(
    root: &Section<'_>,
    tiles: &TileSet,
    players: usize,
) -> Result<WallRules, RulesetError> {
    let section = root.need("wall")?;
    let height = section.int("height", 1..=4)?.unwrap_or(2) as u8;
    let rolls: SmallVec<[Roll; 2]> = section
        .list("rolls")?
        .iter()
        .map(|node| read_roll(&section, node))
        .collect::<Result<_, _>>()?;
    if rolls.len() > 2 {
        return Err(section.too_many("rolls of dice", rolls.len(), 2));
    }
    let sums = [
        ("none", DiceSum::None),
        ("roll-1", DiceSum::Roll(0)),
        ("roll-2", DiceSum::Roll(1)),
        ("all", DiceSum::All),
        ("lowest", DiceSum::Lowest),
    ];
    let sum = |key| -> Result<DiceSum, RulesetError> {
        let sum = section.word(key, &sums)?.unwrap_or(DiceSum::None);
        match sum {
            DiceSum::Roll(i) if i >= rolls.len() => Err(section.needs(key, "this roll in `rolls`")),
            sum => Ok(sum),
        }
    };
    let break_wall = sum("break-wall")?;
    let break_count = sum("break-count")?;
    let ring = [("with-turns", true), ("against-turns", false)];
    let ring_with_turns = section.word("ring", &ring)?.unwrap_or(true);
    let draw = [("onward", true), ("backward", false)];
    let draw_onward = section.word("draw", &draw)?.unwrap_or(true);
    let spare = [
        ("opposite", SpareStacks::Opposite),
        ("first", SpareStacks::First),
    ];
    let spare_stacks = section
        .word("spare-stacks", &spare)?
        .unwrap_or(SpareStacks::First);
    let reserve = read_reserve(&section, usize::from(height))?;
    let reserve_then_wall = section.bool("reserve-then-wall")?.unwrap_or(false);
    let reserve_moves = section.bool("reserve-moves")?.unwrap_or(false);
    let orders = [
        ("from-end", BackOrder::FromEnd),
        ("by-stack", BackOrder::ByStack),
        ("before-reserve", BackOrder::BeforeReserve),
    ];
    let back = section.word("replacements", &orders)?;
    let back = section.require("replacements", back)?;
    let most_replacements = section.int("most-replacements", 0..=MAX_RESERVE)?;
    let most_replacements = most_replacements.map(|most| most as usize);
    let indicators = [
        ("tops-then-bottoms", IndicatorOrder::TopsThenBottoms),
        (
            "tops-beyond-replacements",
            IndicatorOrder::TopsBeyondReplacements,
        ),
    ];
    let indicators = section.word("indicators", &indicators)?;
    // `read_play` reads this key.
    section.node("under-indicators");
    section.text("src")?;
    // A reserve that moves is used up from the side of the live wall. One that stays holds whole stacks.
    // Tiles are taken by stacks only where stacks are two high.
    let overlaps = match back {
        BackOrder::BeforeReserve => !reserve_moves,
        BackOrder::ByStack => height != 2 || reserve % 2 != 0 || reserve_moves && reserve == 0,
        BackOrder::FromEnd => false,
    };
    if overlaps {
        let needs = "another `reserve` or `reserve-moves`: a tile could be drawn twice";
        return Err(section.needs("replacements", needs));
    }
    let most_indicators = section.int("most-indicators", 1..=100)?;
    let most_indicators = most_indicators.map(|most| most as usize);
    // Replacements from within the reserve must not take indicators. Where the reserve moves, each indicator after the
    // first comes with a replacement, which takes a tile more from ordinary draws.
    let clear = match indicators {
        // `[turned]` brings a last tile.
        None | Some(IndicatorOrder::Last) => true,
        Some(IndicatorOrder::TopsThenBottoms) => {
            let fits = most_indicators.is_none_or(|most| most <= reserve);
            back == BackOrder::BeforeReserve && reserve > 0 && fits
        }
        Some(IndicatorOrder::TopsBeyondReplacements) => {
            let places = |most: usize| most.is_multiple_of(2) && most + 2 <= reserve;
            let fits = |most: usize| match most_indicators {
                None => places(most),
                Some(indicators) => {
                    let moved = if reserve_moves { indicators - 1 } else { 0 };
                    places(most) && most + 2 * indicators <= reserve + moved
                }
            };
            back == BackOrder::ByStack && most_replacements.is_some_and(fits)
        }
    };
    if !clear {
        let needs = "a `reserve` that holds them all and in which replacements leave them alone";
        return Err(section.needs("indicators", needs));
    }
    section.finish()?;
    if !tiles.len().is_multiple_of(usize::from(height))
        || tiles.len() / usize::from(height) < players
    {
        let len = tiles.len();
        let expected =
            format!("a divisor of {len} tiles, with a stack for each of {players} players");
        return Err(root.need("wall")?.must_be("height", expected));
    }

    let deal = root.need("deal")?;
    let first = [("dealer", true), ("next", false)];
    let dealer_first = deal.word("first", &first)?.unwrap_or(true);
    let packets = deal
        .list("packets")?
        .iter()
        .map(|node| deal.int_of(node, "packets", 1..=16).map(|n| n as u8))
        .collect::<Result<_, _>>()?;
    Ok(WallRules {
        height,
        rolls,
        break_wall,
        break_count,
        ring_with_turns,
        draw_onward,
        spare_stacks,
        reserve,
        reserve_moves,
        reserve_then_wall,
        back,
        most_replacements,
        // Known once `[aside]` is read.
        aside: 0,
        forced: KindSet::EMPTY,
        indicators,
        most_indicators,
        dealer_first,
        packets,
    })
}

/// Reads three ranks such as `124` or `018`, in `ujmj` digits.
fn read_ranks(section: &Section<'_>, node: &Node) -> Result<[u8; 3], RulesetError> {
    section.asks_items("shapes", || keys::RANKS);
    let bad = || section.bad(node, "shapes", &keys::RANKS.to_string());
    let Value::Text(text) = &node.value else {
        return Err(bad());
    };
    let ranks: Option<Vec<u8>> = text
        .bytes()
        .map(|digit| {
            let rank = crate::tile::RANK_DIGITS.iter().position(|&c| c == digit)?;
            Some(rank as u8)
        })
        .collect();
    match ranks.as_deref() {
        Some(&[a, b, c]) if a < b && b < c => Ok([a, b, c]),
        _ => Err(bad()),
    }
}

/// Reads the grammar of hands of `groups` groups and a pair, and of special forms.
pub(super) fn read_grammar(
    root: &Section<'_>,
    tiles: &TileSet,
    forms: Vec<SpecialForm>,
    groups: usize,
    forced: KindSet,
    wild: &WildKinds,
) -> Result<Grammar, RulesetError> {
    let melds = root.need("melds")?;
    melds.only_tables()?;
    let mut runs: Vec<(Family, [u8; 3])> = Vec::new();
    let (mut has_pung, mut has_kong) = (false, false);
    let mut larger = Vec::new();
    for (_, _, one) in melds.ids() {
        let family = one.word("family", &FAMILIES[1..])?;
        let family = one.require("family", family)?;
        match family {
            Family::Pung => has_pung = true,
            Family::Kong => has_kong = true,
            Family::Arith => {
                let zero = one.bool("zero")?.unwrap_or(false);
                let steps = match one.node("steps") {
                    Some(Node {
                        value: Value::Text(all),
                        ..
                    }) if all == "all" => {
                        one.asks("steps", || KeyType::Words(&["all"]));
                        (1..=8).collect()
                    }
                    Some(_) => one
                        .list("steps")?
                        .iter()
                        .map(|node| one.int_of(node, "steps", 1..=8))
                        .collect::<Result<Vec<_>, _>>()?,
                    None => return Err(one.missing("steps")),
                };
                for step in steps {
                    let step = step as u8;
                    let first = if zero { 0 } else { 1 };
                    let ranks = (first..=16).map(|a| [a, a + step, a + 2 * step]);
                    runs.extend(ranks.filter(|r| r[2] <= 16).map(|r| (family, r)));
                }
            }
            Family::Gem | Family::Power => {
                for node in one.list("shapes")? {
                    runs.push((family, read_ranks(&one, node)?));
                }
            }
            Family::Quint | Family::Sextet => {
                if super::forms::read_replacement(root)? {
                    return Err(one.needs("family", "`[kongs] replacement = false`"));
                }
                larger.push(family);
            }
            Family::Pair => {}
        }
        one.text("doc")?;
        one.text("src")?;
        one.finish()?;
    }
    let has_reds = Suit::ALL.into_iter().any(|suit| tiles.reds(suit) > 0);
    if has_reds && runs.iter().any(|(_, ranks)| ranks.contains(&0)) {
        let why = "a run with the zero tile cannot also tell red fives from plain ones";
        return Err(melds.conflict("", "tiles.red-fives", why));
    }
    // A tile that never is itself is in no run.
    let in_runs = tiles.copies().kinds().difference(wild.never());
    runs.retain(|(_, ranks)| {
        let has = |suit, rank| {
            Rank::new(rank).is_none_or(|rank| in_runs.contains(Kind::number(suit, rank)))
        };
        let is_whole = |suit: &Suit| ranks.iter().all(|&rank| has(*suit, rank));
        Suit::ALL.iter().any(is_whole)
    });
    let mut copies = *tiles.copies();
    for kind in forced.iter() {
        copies.set(kind, 0);
    }
    // `read_win` reads the other keys.
    let win = root.need("win")?;
    let standard = win.bool("standard")?.unwrap_or(true);
    if !standard && forms.is_empty() {
        return Err(win.needs("standard", "a form in [forms]"));
    }
    // Groups are made of up to four tiles of a kind. The readers of wild tiles limit the others.
    let is_wild = |kind| wild.any.contains(kind) || wild.never().contains(kind);
    let is_many = |kind: &Kind| copies.get(*kind) > MAX_COPIES && !is_wild(*kind);
    if let Some(kind) = copies.kinds().iter().find(is_many).filter(|_| standard) {
        let expected = format!(
            "at most four of {kind}: more are wild tiles, or parts of forms where `win.standard` is false"
        );
        return Err(root.need("tiles")?.must_be("copies", expected));
    }
    let grammar = Grammar::new(copies, groups, &runs, has_pung, has_kong, forms)
        .map_err(|error| melds.fault(error.into()))?
        .with_larger(larger);
    Ok(match standard {
        true => grammar,
        false => grammar.only_forms(),
    })
}

pub(super) fn read_families(
    section: &Section<'_>,
    key: &'static str,
) -> Result<FamilySet, RulesetError> {
    let mut families = FamilySet::default();
    for node in section.list(key)? {
        families.insert(section.word_of(node, key, &FAMILIES)?);
    }
    Ok(families)
}

pub(super) const CHOW_FROM: [(&str, ChowFrom); 4] = [
    ("previous", ChowFrom::Previous),
    ("next", ChowFrom::Next),
    ("any", ChowFrom::Any),
    ("nobody", ChowFrom::Nobody),
];

/// What comes after a win.
pub(super) const AFTER_WIN: [(&str, bool); 2] = [("end", false), ("play-on", true)];

pub(super) fn read_play(
    root: &Section<'_>,
    tiles: &TileSet,
    grammar: &Grammar,
    aside: AsideRules,
    wild: &WildKinds,
    turned: &TurnedSection,
) -> Result<PlayRules, RulesetError> {
    let deal = root.need("deal")?;
    // `read_wall` reads these keys.
    for key in ["first", "packets"] {
        deal.node(key);
    }
    deal.text("src")?;
    deal.finish()?;

    let mut lay_down = FamilySet::default();
    if let Some(turn) = root.section("turn")? {
        lay_down = read_families(&turn, "lay-down")?;
        turn.text("src")?;
        turn.finish()?;
    }

    let claims = root.need("claims")?;
    let precedence = read_precedence(&claims, grammar)?;
    let winners = [("nearest", Winners::Nearest), ("all", Winners::All)];
    let winners = claims
        .word("winners", &winners)?
        .unwrap_or(Winners::Nearest);
    let several = [
        ("nearest", Winners::Nearest),
        ("all", Winners::All),
        ("draw", Winners::Nobody),
    ];
    let two = match claims.bool("double-win")? {
        Some(true) => Winners::All,
        Some(false) => Winners::Nearest,
        None => winners,
    };
    let three = claims.word("triple-win", &several)?.unwrap_or(winners);
    let chow_from = claims
        .word("chow-from", &CHOW_FROM)?
        .unwrap_or(ChowFrom::Previous);
    // Read where conditions are.
    for (key, _) in ClaimKind::WORDS {
        claims.section(key)?;
    }
    let last = [("any", false), ("win-only", true)];
    let last_discard_wins_only = claims.word("last-discard", &last)?.unwrap_or(false);
    claims.text("src")?;
    claims.finish()?;

    let (mut claimed_kong_on_laid, mut added_to) = (false, AddedTo::None);
    let (mut hidden_kongs, mut kong_through_aside) = (false, true);
    let mut kong_after_claim = KongAfterClaim::AfterReplacement;
    let (mut rob_added, mut rob_concealed) = (false, false);
    let mut rob_concealed_form = None;
    let (mut most_kongs, mut added_when_drawn) = (None, false);
    let mut indicator_turns = [IndicatorTurn::AfterReplacement; 3];
    let (mut kong_ura, mut replacement_win_turns) = (true, true);
    let kong_replacement = super::forms::read_replacement(root)?;
    if let Some(kongs) = root.section("kongs")? {
        // `read_replacement` reads this key.
        kongs.node("replacement");
        if !kong_replacement && grammar.standard {
            return Err(kongs.needs("replacement", "`[win] standard = false`"));
        }
        let shown = [("shown", false), ("hidden", true)];
        hidden_kongs = kongs.word("concealed", &shown)?.unwrap_or(false);
        let after = [
            ("never", KongAfterClaim::Never),
            ("after-replacement", KongAfterClaim::AfterReplacement),
            ("always", KongAfterClaim::Always),
        ];
        kong_after_claim = kongs
            .word("after-claim", &after)?
            .unwrap_or(kong_after_claim);
        kong_through_aside = kongs.bool("through-aside")?.unwrap_or(true);
        let robbed = [("added", true), ("concealed", false)];
        for node in kongs.list("rob")? {
            let added = if let Value::Table(_) = node.value {
                // A concealed kong that only one form can rob.
                let one = kongs.table_of(node, "rob")?;
                let kong = one.word("kong", &robbed)?;
                let kong = one.require("kong", kong)?;
                let form = one.text_as("form", KeyType::Id("forms"))?;
                let id = one.require("form", form)?;
                let known = || {
                    root.node("forms")
                        .map(|node| node.keys())
                        .unwrap_or_default()
                };
                let place = known().iter().position(|key| *key == id);
                rob_concealed_form = Some(place.ok_or_else(|| {
                    let fault = RulesetFault::UnknownName {
                        what: "form",
                        found: id.to_owned(),
                        suggestion: nearest(id, known()),
                    };
                    kongs.texts().error(node.place, 0, fault)
                })?);
                if kong {
                    return Err(one.needs("form", "`kong = \"concealed\"`"));
                }
                one.finish()?;
                false
            } else {
                kongs.word_of(node, "rob", &robbed)?
            };
            match added {
                true => rob_added = true,
                false => rob_concealed = true,
            }
        }
        let times = [
            ("at-once", IndicatorTurn::AtOnce),
            ("after-replacement", IndicatorTurn::AfterReplacement),
            ("after-discard", IndicatorTurn::AfterDiscard),
        ];
        for (time, key) in indicator_turns.iter_mut().zip([
            "indicator-concealed",
            "indicator-claimed",
            "indicator-added",
        ]) {
            *time = kongs.word(key, &times)?.unwrap_or(*time);
        }
        if kongs.bool("indicators")? == Some(false) {
            indicator_turns = [IndicatorTurn::Never; 3];
        }
        most_kongs = kongs.int("at-most", 0..=100)?.map(|most| most as u8);
        kong_ura = kongs.bool("ura")?.unwrap_or(true);
        replacement_win_turns = kongs.bool("replacement-win-turns")?.unwrap_or(true);
        claimed_kong_on_laid = kongs.bool("claimed-on-laid")?.unwrap_or(false);
        let words = [
            ("none", AddedTo::None),
            ("laid", AddedTo::Laid),
            ("claimed", AddedTo::Claimed),
        ];
        added_to = kongs.word("added-to", &words)?.unwrap_or(AddedTo::None);
        let added = [("any", false), ("drawn", true)];
        added_when_drawn = kongs.word("added-tile", &added)?.unwrap_or(false);
        kongs.text("src")?;
        if !kong_replacement && (added_to != AddedTo::None || rob_added || rob_concealed) {
            let key = match added_to {
                AddedTo::None => "rob",
                _ => "added-to",
            };
            let why = "kongs without a replacement are only claimed";
            return Err(kongs.conflict(key, kongs.join("replacement"), why));
        }
        if !grammar.has_kong() {
            return Err(kongs.needs("", "kongs in [melds]"));
        }
        kongs.finish()?;
    }
    Ok(PlayRules {
        aside,
        lay_down,
        precedence,
        winners,
        several_winners: [two, three],
        chow_from,
        claimed_kong_on_laid,
        added_to,
        kong_replacement,
        hidden_kongs,
        rob_added,
        rob_concealed,
        rob_concealed_form,
        indicator_turns,
        ura: root.need("wall")?.bool("under-indicators")?.unwrap_or(true),
        kong_ura,
        replacement_win_turns,
        kong_after_claim,
        most_kongs,
        added_when_drawn,
        wild: read_wild(root, tiles, grammar, wild, &turned.dealt, aside.forced())?,
        kong_through_aside,
        last_discard_wins_only,
        plays_on: root.need("win")?.word("then", &AFTER_WIN)?.unwrap_or(false),
        turned: turned.rows,
    })
}

fn read_precedence(
    claims: &Section<'_>,
    grammar: &Grammar,
) -> Result<[ClaimRank; ClaimKind::WORDS.len()], RulesetError> {
    let words = ClaimKind::WORDS;
    let mut ranks = words.map(|(_, kind)| (kind, 0));
    claims.asks_items("precedence", || keys::CLAIMS);
    let list = claims.list("precedence")?;
    for (i, node) in list.iter().enumerate() {
        for word in claims.text_of(node, "precedence")?.split('|') {
            let found = words.iter().position(|(w, _)| *w == word.trim());
            match found {
                Some(at) if ranks[at].1 == 0 => {
                    ranks[at].1 = (list.len() - i) as u8;
                }
                Some(_) => return Err(claims.bad(node, "precedence", "each claim once")),
                None => {
                    let fault = RulesetFault::UnknownName {
                        what: "claim",
                        found: word.trim().to_owned(),
                        suggestion: nearest(word.trim(), words.map(|(w, _)| w)),
                    };
                    return Err(claims.texts().error(node.place, 0, fault));
                }
            }
        }
    }
    let larger = grammar.larger().map(Family::word);
    let mut needed = ["win", "kong", "pung", "chow"].into_iter().chain(larger);
    let is_named = |word: &str| {
        (words.iter().zip(&ranks)).any(|((own, _), (_, rank))| *own == word && *rank > 0)
    };
    if !needed.all(is_named) {
        let larger: String = grammar
            .larger()
            .map(|one| format!(", {}", one.word()))
            .collect();
        let expected = format!("a list that names each of win, kong, pung, chow{larger}");
        return Err(claims.must_be("precedence", expected));
    }
    Ok(ranks)
}
