//! Reads who pays whom: `[settlement]`.

use super::super::keys::KeyType;
use super::super::source::{RulesetError, Section};
use super::terms::{read_flag, read_kinds};
use super::vocabulary::Vocabulary;
use crate::score::{
    AllPayRules, DealerExtra, FlowerSetPay, KongPay, KongsOnDiscard, LinearRules, RiichiRules,
    SettlementRules, Share, WallEnd,
};
use crate::tile::{self, Flower};

pub(super) fn read_settlement(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<SettlementRules, RulesetError> {
    #[derive(Clone, Copy)]
    enum Kind {
        OwnPoints,
        AllPay,
        Linear,
        Riichi,
    }
    let section = root.need("settlement")?;
    let words = [
        ("own-points", Kind::OwnPoints),
        ("all-pay", Kind::AllPay),
        ("linear", Kind::Linear),
        ("riichi", Kind::Riichi),
    ];
    let family = section.word("family", &words)?;
    // Keys of one family are accepted in all of them, so that a ruleset can extend one of another family.
    let amounts = || 0..=1_000_000_000;
    let all_pay = AllPayRules {
        dealer_factor: section.int("dealer-factor", 1..=100)?.unwrap_or(1),
        losers_settle: section.bool("losers-settle")?.unwrap_or(false),
        winner_pays_higher: section.bool("winner-pays-higher")?.unwrap_or(false),
        giver_pays_all: read_flag(&section, "giver-pays-all", names)?,
        par: section.int("par", amounts())?,
    };
    let share = |key| -> Result<Share, RulesetError> {
        let (times, plus) = match section.list(key)? {
            [] => return Ok(Share::default()),
            [times, plus] => (times, plus),
            _ => {
                let expected = "two numbers: times the points, and how much on top";
                return Err(section.must_be(key, expected));
            }
        };
        section.asks_items(key, || KeyType::Decimal);
        let tenths = section.decimal_of(times, key)?.tenths();
        let plus = section.int_of(plus, key, 0..=1_000_000)?;
        let is_half = (key, tenths, plus) == ("self-draw", 5, 0);
        if !is_half && (tenths % 10 != 0 || !(0..=10_000_000).contains(&tenths)) {
            let expected =
                "a whole number from 0 to 1000000; with `self-draw = [0.5, 0]` each pays half";
            return Err(section.bad(times, key, expected));
        }
        Ok(Share {
            halves: tenths / 5,
            plus,
        })
    };
    let kongs = match section.section("kongs")? {
        None => KongPay::default(),
        Some(kongs) => {
            let points = |key| kongs.int(key, 0..=1_000_000).map(Option::unwrap_or_default);
            let on_discard = [
                ("kept", KongsOnDiscard::Kept),
                ("returned", KongsOnDiscard::Returned),
                ("to-winner", KongsOnDiscard::ToWinner),
            ];
            let pay = KongPay {
                concealed: points("concealed")?,
                added: points("added")?,
                added_later: points("added-later")?,
                on_discard: kongs.word("on-discard", &on_discard)?.unwrap_or_default(),
                claimed_giver: points("claimed-giver")?,
                claimed_others: points("claimed-others")?,
            };
            kongs.text("src")?;
            kongs.finish()?;
            pay
        }
    };
    let wall_end = match section.section("exhausted")? {
        None => WallEnd::default(),
        Some(end) => {
            let rules = WallEnd {
                not_ready: end
                    .word("not-ready", &[("nothing", false), ("best", true)])?
                    .unwrap_or(false),
                holds_missing_suit: end.int("missing-suit", amounts())?.unwrap_or(0),
                returns_kongs: end.bool("returns-kongs")?.unwrap_or(false),
            };
            end.text("src")?;
            end.finish()?;
            rules
        }
    };
    let flower_sets = match section.section("flower-sets")? {
        None => FlowerSetPay::default(),
        Some(sets) => {
            let points = |key| sets.int(key, 0..=1_000_000).map(Option::unwrap_or_default);
            let pay = FlowerSetPay {
                dealt: points("dealt")?,
                later: points("later")?,
            };
            sets.text("src")?;
            sets.finish()?;
            pay
        }
    };
    // What is paid for tiles that are not in play has no place in the plan, so that the lint finds it.
    let flowers = names.tiles.flowers();
    let has_series = (0..Flower::COUNT / 4).any(|set| {
        Flower::all()
            .skip(4 * set)
            .take(4)
            .all(|one| flowers.contains(one))
    });
    let has_joker = names.tiles.copies().get(tile::Kind::JOKER) != 0;
    let joker = section.int("joker", 0..=1_000_000)?.unwrap_or(0);
    let linear = LinearRules {
        kongs,
        wall_end,
        flower_sets: if has_series {
            flower_sets
        } else {
            FlowerSetPay::default()
        },
        joker: if has_joker { joker } else { 0 },
        giver: share("giver")?,
        others: share("others")?,
        self_draw: share("self-draw")?,
        dealer: match section.list("dealer")? {
            [] => DealerExtra::default(),
            [plus, each] => DealerExtra {
                plus: section.int_of(plus, "dealer", 0..=1_000_000)?,
                each: section.int_of(each, "dealer", 0..=1_000_000)?,
            },
            _ => {
                let expected =
                    "two numbers: what is paid on top, and how much more for each deal kept";
                return Err(section.must_be("dealer", expected));
            }
        },
    };
    let false_win = section.word("false-win", &[("none", false), ("mangan", true)])?;
    let nagashi = section.bool("nagashi")?.unwrap_or(false);
    let nagashi_tiles = read_kinds(&section, "nagashi-tiles", names)?;
    if nagashi && nagashi_tiles.is_none() {
        return Err(section.missing("nagashi-tiles"));
    }
    let riichi = RiichiRules {
        counter: section.int("counter", amounts())?.unwrap_or(0),
        deposit: section.int("deposit", amounts())?.unwrap_or(0),
        not_ready: section.int("not-ready", amounts())?.unwrap_or(0),
        mangan: section.int("mangan", amounts())?.unwrap_or(0),
        false_win: false_win.unwrap_or(false),
        nagashi: nagashi_tiles.filter(|_| nagashi),
        empty_waits: section.bool("empty-waits")?.unwrap_or(false),
    };
    let rules = match section.require("family", family)? {
        Kind::Riichi => SettlementRules::Riichi(riichi),
        Kind::OwnPoints => SettlementRules::OwnPoints,
        Kind::AllPay => SettlementRules::AllPay(all_pay),
        Kind::Linear
            if [linear.giver, linear.others, linear.self_draw] == [Share::default(); 3] =>
        {
            return Err(section.missing("giver"));
        }
        Kind::Linear => SettlementRules::Linear(linear),
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}
