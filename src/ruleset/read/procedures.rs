//! Reads rules that need code, and how requests are read: `[procedures] [penalties] [requests]`.

use super::super::plan::RequestRules;
use super::super::procedures::{
    AbortiveDrawRules, ChallengeRules, FalseWinRules, FishingRules, FuritenRules, KongInRiichi,
    Procedures, RiichiDeclarationRules, SwapCallRules,
};
use super::super::source::{RulesetError, RulesetFault, Section, nearest};
use super::terms::{flag_place, read_flag, read_ids, read_kinds};
use super::vocabulary::Vocabulary;
use crate::state::FlagSet;

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

pub(super) fn read_requests(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
) -> Result<RequestRules, RulesetError> {
    let Some(section) = root.section("requests")? else {
        return Ok(RequestRules::default());
    };
    let is = |key, strict, lenient| -> Result<bool, RulesetError> {
        let words = [(strict, false), (lenient, true)];
        Ok(section.word(key, &words)?.unwrap_or(false))
    };
    let mut win_counts = 0;
    for node in section.list("wins")? {
        let one = Section::of(section.texts(), node, "requests.wins")?;
        let count = one.int("count", 1..=5)?;
        win_counts |= 1 << one.require("count", count)?;
        one.finish()?;
    }
    let mut ura_flags = FlagSet::EMPTY;
    for (node, id) in read_ids(&section, "ura-with")? {
        ura_flags.insert(flag_place(&section, node, id, names)?);
    }
    let rules = RequestRules {
        ura_flags,
        win_counts,
        names_kong_feeder: false,
        win_tiles_are_counted: is("several-win-tiles", "bad-tile", "wrong-tile-count")?,
        robbed_kong_is_shown: section.bool("robbed-kong-is-shown")?.unwrap_or(false),
        open_is_optional: is("open", "required", "optional")?,
        from_in_settle_only: is("from", "exact", "in-settle")?,
        drawn_from_is_ignored: is("drawn-from", "refused", "ignored")?,
        melds_from_anyone: is("meld-from", "claimable", "anyone")?,
        misplaced_flower_is_bad: is("misplaced-flower", "bad-tile", "bad-request")?,
        contradictions_first: is("contradictions", "after-counts", "before-copies")?,
        counts_robbed_kong: section.bool("counts-robbed-kong")?.unwrap_or(false),
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}
