//! Reads rules that need code: `[procedures] [penalties]`.

use super::super::procedures::{
    AbortiveDrawRules, ChallengeRules, FalseWinRules, FishingRules, FuritenRules, KongInRiichi,
    Procedures, RiichiDeclarationRules, SwapCallRules,
};
use super::super::source::{RulesetError, RulesetFault, Section, nearest};
use super::terms::{read_flag, read_kinds};
use super::vocabulary::Vocabulary;

pub(super) fn read_procedures(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<Procedures, RulesetError> {
    let mut rules = Procedures::default();
    if let Some(procedures) = root.section("procedures")? {
        if let Some(section) = procedures.section("challenge")? {
            rules.challenge = Some(read_challenge(section, names)?);
        }
        if let Some(section) = procedures.section("fishing")? {
            rules.fishing = Some(FishingRules {
                frozen: section.bool("frozen")?.unwrap_or(false),
            });
            section.text("src")?;
            section.finish()?;
        }
        rules.riichi = match procedures.section("riichi")? {
            Some(section) => Some(read_riichi(section, names)?),
            None => None,
        };
        if let Some(section) = procedures.section("furiten")? {
            let passed = [("legal-win", false), ("any-wait", true)];
            let in_riichi = [("until-draw", false), ("rest-of-deal", true)];
            let kinds = [("all", false), ("passed", true)];
            let until = [("draw", false), ("discard", true)];
            let furiten = FuritenRules {
                any_wait: section.word("passed", &passed)?.unwrap_or(false),
                riichi_for_good: section.word("in-riichi", &in_riichi)?.unwrap_or(true),
                own_discards: section.bool("own-discards")?.unwrap_or(true),
                passed_kind_only: section.word("kinds", &kinds)?.unwrap_or(false),
                until_discard: section.word("until", &until)?.unwrap_or(false),
                bars_drawn: section.bool("drawn-tiles")?.unwrap_or(false),
            };
            if furiten.bars_drawn && !furiten.until_discard {
                return Err(section.contradiction("drawn-tiles needs until = \"discard\""));
            }
            rules.furiten = Some(furiten);
            section.text("src")?;
            section.finish()?;
        }
        if let Some(section) = procedures.section("swap-call")? {
            let words = [
                ("allowed", None),
                (
                    "same-tile-forbidden",
                    Some(SwapCallRules { other_end: false }),
                ),
                ("forbidden", Some(SwapCallRules { other_end: true })),
            ];
            let word = section.word("discards", &words)?;
            rules.swap_call = section.require("discards", word)?;
            section.text("src")?;
            section.finish()?;
        }
        if let Some(section) = procedures.section("abortive-draws")? {
            let orphans = read_kinds(&section, "orphans", names)?;
            let is =
                |key| -> Result<bool, RulesetError> { Ok(section.bool(key)?.unwrap_or(false)) };
            rules.abortive_draws = Some(AbortiveDrawRules {
                nine_orphans: orphans.filter(|_| is("nine-orphans").unwrap_or(false)),
                four_winds: is("four-winds")?,
                four_kongs: is("four-kongs")?,
                four_riichi: is("four-riichi")?,
            });
            is("nine-orphans")?;
            section.text("src")?;
            section.finish()?;
        }
        procedures.finish()?;
    }
    if let Some(penalties) = root.section("penalties")? {
        if let Some(section) = penalties.section("false-win")? {
            let pays = section.int("pays-each", 0..=1_000_000_000)?;
            let times = section.int("times", 1..=1000)?.unwrap_or(1);
            rules.false_win = Some(FalseWinRules {
                playable: section.bool("playable")?.unwrap_or(false),
                pays_each: times * section.require("pays-each", pays)?,
            });
            section.text("src")?;
            section.finish()?;
        }
        if let Some(section) = penalties.section("dead-hand")? {
            rules.dead_hands = true;
            section.text("src")?;
            section.finish()?;
        }
        penalties.finish()?;
    }
    Ok(rules)
}

fn read_riichi(
    section: Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<RiichiDeclarationRules, RulesetError> {
    let kongs = [
        ("none", KongInRiichi::None),
        ("same-waits", KongInRiichi::SameWaits),
        ("same-shape", KongInRiichi::SameShape),
    ];
    let rules = RiichiDeclarationRules {
        live_tiles: section.int("live-tiles", 0..=1000)?.unwrap_or(0) as usize,
        points: section.int("points", 0..=1_000_000_000)?.unwrap_or(0),
        while_furiten: section.bool("while-furiten")?.unwrap_or(true),
        kongs: section.word("kongs", &kongs)?.unwrap_or(KongInRiichi::None),
        flag: read_flag(&section, "flag", names)?,
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}

fn read_challenge(
    section: Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<ChallengeRules, RulesetError> {
    let from_kong = section.int("from-kong", 1..=4)?;
    let mut waiting_on = Vec::new();
    for node in section.list("waiting-on")? {
        let id = section.text_of(node, "waiting-on")?;
        let place = names.forms.iter().position(|form| *form == id);
        waiting_on.push(place.ok_or_else(|| {
            let fault = RulesetFault::UnknownName {
                what: "form",
                found: id.to_owned(),
                suggestion: nearest(id, names.forms.iter().copied()),
            };
            section.texts().error(node.place, 0, fault)
        })?);
    }
    let rules = ChallengeRules {
        from_kong: section.require("from-kong", from_kong)? as usize,
        waiting_on,
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}
