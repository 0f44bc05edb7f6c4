//! Reads who pays whom: `[settlement]`.

use super::super::source::{RulesetError, Section};
use super::terms::read_flag;
use super::vocabulary::Vocabulary;
use crate::score::{AllPayRules, RiichiRules, SettlementRules};

pub(super) fn read_settlement(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<SettlementRules, RulesetError> {
    #[derive(Clone, Copy)]
    enum Kind {
        OwnPoints,
        AllPay,
        Rows,
        Riichi,
    }
    let section = root.need("settlement")?;
    let words = [
        ("own-points", Kind::OwnPoints),
        ("all-pay", Kind::AllPay),
        ("rows", Kind::Rows),
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
    let false_win = section.word("false-win", &[("none", false), ("mangan", true)])?;
    let riichi = RiichiRules {
        counter: section.int("counter", amounts())?.unwrap_or(0),
        deposit: section.int("deposit", amounts())?.unwrap_or(0),
        mangan: section.int("mangan", amounts())?.unwrap_or(0),
        false_win: false_win.unwrap_or(false),
        empty_waits: section.bool("empty-waits")?.unwrap_or(false),
    };
    let rules = match section.require("family", family)? {
        Kind::Riichi => SettlementRules::Riichi(riichi),
        Kind::OwnPoints => SettlementRules::OwnPoints,
        Kind::AllPay => SettlementRules::AllPay(all_pay),
        Kind::Rows => SettlementRules::Rows,
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}
