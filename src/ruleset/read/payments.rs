//! Reads what is paid for: `[payments]`.

use super::super::keys::KeyType;
use super::super::source::{RulesetError, RulesetFault, Section, limits, nearest};
use super::terms::{read_condition, read_resolved};
use super::vocabulary::Vocabulary;
use crate::meld::Family;
use crate::score::condition::{self, Amount};
use crate::score::facts::{EventFact, Fact, FamilySet, Scope};
use crate::score::{PaymentFormulas, PaymentHook, PaymentRow, PaymentRules, Pays, SettlementRules};

/// What else the rows depend on.
pub(super) struct Game {
    /// Play goes on after a win.
    pub(super) plays_on: bool,
    /// Flowers or other tiles may be laid aside.
    pub(super) has_aside: bool,
    /// A hand may be shown before the first turn.
    pub(super) shows: bool,
    /// Tiles are turned face up from the wall.
    pub(super) turns: bool,
    /// Who pays for a win beside the rows. `None` where this is not known.
    pub(super) family: Option<SettlementRules>,
}

/// Why a row may not ask for a fact, if so.
fn unknown(
    row: (PaymentHook, &'static str),
    fact: &Fact,
    within_seats: bool,
    game: &Game,
) -> Option<String> {
    let (on, key) = row;
    let of_two = matches!(
        fact,
        Fact::Event(
            EventFact::Gave
                | EventFact::Liable
                | EventFact::WithDealer
                | EventFact::BestWin
                | EventFact::TurnedTo { .. }
        )
    );
    let goes_on = on.is_within_deal() || on == PaymentHook::Win && game.plays_on;
    match () {
        () if !on.knows(fact) => Some(format!("which is not known `on = \"{}\"`", on.word())),
        () if !game.turns && matches!(fact, Fact::Event(EventFact::Turned { .. })) => {
            Some("which needs a row of [turned]".to_owned())
        }
        () if goes_on && !fact.is_public() => {
            let laid = match fact {
                Fact::Aside { .. } => "; `aside(…, laid)` is not",
                _ => "",
            };
            Some(format!("which is hidden while the deal goes on{laid}"))
        }
        () if fact.scope() == Scope::Hand && (key == "who" || within_seats) => {
            let declared = match fact {
                Fact::Melds { families, .. } if *families != FamilySet::one(Family::Pair) => {
                    "; they know `declared(…)`"
                }
                _ => "",
            };
            Some(format!(
                "which is about the winner's hand, so `who` and `seats(…)` do not know it{declared}"
            ))
        }
        () if of_two && key == "when" && !within_seats => {
            let why = "which is about two seats, so only `who`, `amount` and `seats(…)` know it";
            Some(why.to_owned())
        }
        () => None,
    }
}

/// Refuses a key that asks for a fact that it may not know.
fn check_facts(
    section: &Section<'_>,
    (on, key): (PaymentHook, &'static str),
    game: &Game,
    any_fact: impl Fn(&dyn Fn(&Fact, bool) -> bool) -> bool,
) -> Result<(), RulesetError> {
    let why = std::cell::RefCell::new(None);
    let found = any_fact(&|fact, within_seats| {
        let Some(unknown) = unknown((on, key), fact, within_seats, game) else {
            return false;
        };
        let name = fact.name().unwrap_or("a flag of a win");
        *why.borrow_mut() = Some((name, unknown));
        true
    });
    match (found, why.into_inner(), section.node(key)) {
        (true, Some((fact, why)), Some(node)) => {
            let key = section.join(key);
            let fault = RulesetFault::UnknownFact { key, fact, why };
            Err(section.texts().error(node.place, 0, fault))
        }
        _ => Ok(()),
    }
}

pub(super) fn read_payments(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
    game: &Game,
) -> Result<PaymentRules, RulesetError> {
    let section = root.section("payments")?;
    let mut rows = Vec::new();
    // The account that rows fill, and what is to be returned: each with its section.
    let (mut account, mut returned) = (None, Vec::new());
    // A faulty row may be the one that is needed.
    let mut has_faults = false;
    if let Some(section) = &section {
        section.only_tables()?;
        let have = section.entries().len();
        if have > limits::PAYMENTS {
            return Err(section.too_many("payments", have, limits::PAYMENTS));
        }
        for (id, _, one) in section.ids() {
            let row = read_row(&one, id, names, game);
            let Some((row, of)) = section.texts().note(row) else {
                has_faults = true;
                continue;
            };
            match (&row.pays, of) {
                (Pays::Returns { .. }, Some(of)) => returned.push((one.again(), of)),
                (Pays::Amount { .. }, Some(of)) => match account {
                    Some(other) if other != of => {
                        let have = "accounts of payments that may be returned";
                        section.texts().note_error(one.too_many(have, 2, 1));
                    }
                    _ => account = Some(of),
                },
                _ => {}
            }
            one.finish()?;
            rows.push(row);
        }
    }
    for (one, of) in &returned {
        if let (true, Some(node)) = (account != Some(*of), one.node("returns")) {
            let fault = RulesetFault::UnknownName {
                what: "account of a row of [payments]",
                found: (*of).to_owned(),
                suggestion: nearest(of, account),
            };
            root.texts()
                .note_error(root.texts().error(node.place, 0, fault));
        }
    }
    let pays_wins = rows.iter().any(|row| row.on == PaymentHook::Win);
    if game.family == Some(SettlementRules::Rows) && !pays_wins && !has_faults {
        let needs = "a row `on = \"win\"` in [payments]";
        return Err(root.need("settlement")?.needs("family", needs));
    }
    // What an option sets to 0 is not paid.
    rows.retain(|row| match &row.pays {
        Pays::Amount { amount: sum, .. } | Pays::Split { total: sum, .. } => !sum.is_nothing(),
        Pays::Returns { .. } => true,
    });
    Ok(PaymentRules::new(rows))
}

/// Reads a row. Returns it with the account that it fills or returns.
fn read_row<'a>(
    one: &Section<'a>,
    id: &str,
    names: &Vocabulary<'_>,
    game: &Game,
) -> Result<(PaymentRow, Option<&'a str>), RulesetError> {
    let on = one.word("on", &PaymentHook::WORDS)?;
    let on = one.require("on", on)?;
    match on {
        PaymentHook::Kong if !names.grammar.has_kong => {
            return Err(one.needs("on", "a kong in [melds]"));
        }
        PaymentHook::Aside if !game.has_aside => {
            return Err(one.needs("on", "a row of [aside] with tiles in play"));
        }
        PaymentHook::Shown if !game.shows => {
            return Err(one.needs("on", "a step of [opening] with `show`"));
        }
        PaymentHook::Win if matches!(game.family, Some(SettlementRules::Riichi(_))) => {
            let why = "the family `riichi` pays for wins";
            return Err(one.conflict("on", "settlement.family", why));
        }
        _ => {}
    }
    let when = read_condition(one, "when", Scope::Payment, names)?;
    if let Some(when) = &when {
        check_facts(one, (on, "when"), game, |is| when.any_fact_within(is))?;
    }
    let doc = one.text("doc")?.unwrap_or_default().to_owned();
    one.text("src")?;
    let formula = |key| read_resolved(one, key, Scope::Payment, names);
    let formulas = PaymentFormulas {
        when: formula("when")?,
        who: formula("who")?,
        amount: formula("amount")?,
        split: formula("split")?,
    };
    let row = |pays| PaymentRow {
        id: id.to_owned(),
        doc,
        on,
        formulas,
        when,
        pays,
    };
    if let Some(of) = one.text("returns")? {
        if let Some(key) = ["who", "amount", "split", "account"]
            .iter()
            .find(|key| one.has(key))
        {
            let why = "a row that returns payments pays nothing else";
            return Err(one.conflict(key, one.join("returns"), why));
        }
        let last = one.word("what", &[("all", false), ("last", true)])?;
        let of_giver = one.word("of", &[("actor", false), ("giver", true)])?;
        let to_actor = one.word("to", &[("payers", false), ("actor", true)])?;
        if let (Some(true), on) = (of_giver, on)
            && !matches!(on, PaymentHook::Kong | PaymentHook::Win)
        {
            return Err(one.needs("of", "a tile that was given, as `on = \"win\"`"));
        }
        let pays = Pays::Returns {
            last: last.unwrap_or(false),
            of_giver: of_giver.unwrap_or(false),
            to_actor: to_actor.unwrap_or(false),
        };
        if on == PaymentHook::DealEnd {
            return Err(one.needs("returns", "`on = \"kong\"`, `aside`, `win` or `exhausted`"));
        }
        return Ok((row(pays), Some(of)));
    }
    let who = read_condition(one, "who", Scope::Payment, names)?;
    if let Some(who) = &who {
        check_facts(one, (on, "who"), game, |is| who.any_fact_within(is))?;
    }
    let has_both = one.has("amount") && one.has("split");
    let (each, total) = (
        read_amount(one, (on, "amount"), names, game)?,
        read_amount(one, (on, "split"), names, game)?,
    );
    if has_both {
        let why = "a row pays an amount from each or splits one";
        return Err(one.conflict("split", one.join("amount"), why));
    }
    if let Some(total) = total {
        if let Some(key) = ["account"].iter().find(|key| one.has(key)) {
            let why = "the parts of a split are not noted";
            return Err(one.conflict(key, one.join("split"), why));
        }
        return Ok((row(Pays::Split { who, total }), None));
    }
    let amount = one.require("amount", each)?;
    let account = one.text("account")?;
    if account.is_some() && !on.is_within_deal() {
        return Err(one.needs("account", "`on = \"kong\"` or `on = \"aside\"`"));
    }
    let noted = account.is_some();
    Ok((row(Pays::Amount { who, amount, noted }), account))
}

/// Reads an amount: one key of a row.
fn read_amount(
    one: &Section<'_>,
    (on, key): (PaymentHook, &'static str),
    names: &Vocabulary<'_>,
    game: &Game,
) -> Result<Option<Amount>, RulesetError> {
    let text = one.text_as(key, KeyType::Amount)?;
    let (Some(text), Some(node)) = (text, one.node(key)) else {
        return Ok(None);
    };
    let amount =
        condition::amount(text, names).map_err(|error| one.texts().condition(node.place, error))?;
    check_facts(one, (on, key), game, |is| amount.any_fact_within(is))?;
    if amount.may_be_negative() {
        let expected = "a number that is never negative, as `max(0, …)` is";
        return Err(one.bad(node, key, expected));
    }
    if !amount.is_in_halves() {
        return Err(one.bad(node, key, "a number of whole or half points"));
    }
    let is_rows = game
        .family
        .is_none_or(|family| family == SettlementRules::Rows);
    if amount.has_halves() && !is_rows {
        let expected =
            "a number of whole points; half points need `family = \"rows\"` in [settlement]";
        return Err(one.bad(node, key, expected));
    }
    Ok(Some(amount))
}
