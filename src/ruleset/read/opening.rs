//! Reads what is chosen before the first turn: `[opening]`.

use super::super::opening::{MAX_STEPS, OpeningRule, OpeningStep, PassRules, PassTo};
use super::super::source::{Node, RulesetError, RulesetFault, Section, Value};
use super::terms::{read_condition, read_kinds};
use super::vocabulary::Vocabulary;
use crate::lang::Names;
use crate::list::List;
use crate::score::facts::Scope;
use crate::set::KindSet;
use crate::state::MAX_EXCHANGED;
use crate::tile::Suit;

pub(super) fn read_opening(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Vec<OpeningStep>, RulesetError> {
    let mut steps: Vec<OpeningStep> = Vec::new();
    let Some(section) = root.section("opening")? else {
        return Ok(steps);
    };
    section.only_tables()?;
    let have = section.entries().len();
    if have > MAX_STEPS {
        return Err(section.too_many("steps", have, MAX_STEPS));
    }
    for (id, _, one) in section.ids() {
        let does = read_rule(&one, names)?;
        // A seat has one chosen suit.
        let is_choice = |does: &OpeningRule| matches!(does, OpeningRule::Choose);
        let is_alike = |other: &OpeningStep| is_choice(&other.does) && is_choice(&does);
        if let Some(other) = steps.iter().find(|step| is_alike(step)) {
            let why = "one step chooses a suit";
            return Err(one.conflict("", section.join(&other.id), why));
        }
        steps.push(OpeningStep {
            id: id.to_owned(),
            names: Names::new(id, one.names("name", &[])?),
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            does,
        });
        one.text("src")?;
        one.finish()?;
    }
    Ok(steps)
}

/// Reads what a step does: one of three things.
fn read_rule(one: &Section<'_>, names: &Vocabulary<'_>) -> Result<OpeningRule, RulesetError> {
    let pass = one.section("pass")?;
    let choose = one.word("choose", &[("suit", ())])?;
    let bars = one.word("bars", &[("chosen", ())])?;
    let show = one.section("show")?;
    match (pass, choose, show) {
        (Some(pass), None, None) => Ok(OpeningRule::Pass(read_pass(pass, names)?)),
        (None, Some(()), None) => {
            one.require("bars", bars)?;
            let suits = (0..3).filter(|&lane| names.tiles.copies().lane(lane) != 0);
            match suits.count() {
                have @ 0..2 => Err(one.fault(RulesetFault::TooFew {
                    what: "suits to choose from",
                    have,
                    least: 2,
                })),
                _ => Ok(OpeningRule::Choose),
            }
        }
        (None, None, Some(show)) => {
            let when = read_condition(&show, "when", Scope::Held, names)?;
            let when = show.require("when", when)?;
            let node = show.node("when").and_then(Node::as_text);
            let text = node.unwrap_or_default().to_owned();
            show.finish()?;
            Ok(OpeningRule::Show { when, text })
        }
        _ => Err(one.needs("", "one of `pass`, `choose` and `show`")),
    }
}

fn read_pass(pass: Section<'_>, names: &Vocabulary<'_>) -> Result<PassRules, RulesetError> {
    let count = pass.int("tiles", 1..=MAX_EXCHANGED as i64)?;
    let mut to = List::over(PassTo::Next);
    let direction = |node: &Node, to: PassTo| match to {
        PassTo::Across if !names.players.is_multiple_of(2) => {
            let expected = "`next` or `previous`: `across` is for an even number of players";
            Err(pass.bad(node, "to", expected))
        }
        to => Ok(to),
    };
    match pass.node("to") {
        Some(node) if matches!(node.value, Value::Text(_)) => {
            if let Some(one) = pass.word("to", &PassTo::WORDS)? {
                to.push(direction(node, one)?);
            }
        }
        _ => {
            for node in pass.list("to")? {
                if to.len() == 6 {
                    return Err(pass.bad(node, "to", "at most six directions"));
                }
                to.push(direction(node, pass.word_of(node, "to", &PassTo::WORDS)?)?);
            }
        }
    }
    if to.is_empty() {
        return Err(pass.missing("to"));
    }
    if Suit::ALL.into_iter().any(|suit| names.tiles.reds(suit) > 0) {
        let why = "passed tiles are named by their kinds, so red fives and plain ones cannot be told apart";
        return Err(pass.conflict("", "tiles.red-fives", why));
    }
    let rules = PassRules {
        tiles: pass.require("tiles", count)? as u8,
        of: read_kinds(&pass, "of", names)?.unwrap_or(KindSet::ALL),
        same_suit: pass.bool("same-suit")?.unwrap_or(false),
        to,
    };
    pass.finish()?;
    Ok(rules)
}
