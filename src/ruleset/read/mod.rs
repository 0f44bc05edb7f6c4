//! Reads the sections of a ruleset file into a [`Plan`].

mod aside;
pub(super) mod columns;
mod forms;
mod han_fu;
mod names;
mod opening;
mod payments;
mod resolve;
mod score;
mod settlement;
mod table;
pub(super) mod terms;
mod tiles;
mod turned;
pub(super) mod vocabulary;
mod wild;

use super::matches::{DealerKeepsOn, FirstDealer, MatchEnd, MatchRules, NextDealer, ResultRules};
use super::options::{OptionValue, Options, VALUES};
use super::plan::{Flag, LoadError, Plan};
use super::play::Winners;
use super::procedures::Procedures;
use super::source::{Node, RulesetError, RulesetErrors, RulesetFault, Section, Texts, limits};
use super::text;
use crate::decompose::Decomposer;
use crate::lang::Names;
use crate::score::facts::Fact;
use crate::score::{PatternValue, PaymentHook, SettlementRules};
use crate::seat::MAX_PLAYERS;
use crate::state::{OpeningChoice, Way};
use crate::tile::Kind;
use crate::wall::MAX_WALL;
use aside::{AsideSection, read_aside};
use columns::Columns;
use forms::read_forms;
use names::read_names;
use opening::read_opening;
use payments::{Game, read_payments};
use score::{
    WinSection, pattern_place, read_claim_conditions, read_flags, read_invariants, read_score,
    read_win, read_win_rules,
};
use settlement::read_settlement;
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use table::{read_grammar, read_play, read_wall};
use terms::read_conditions;
use tiles::read_tiles;
use turned::read_turned;
use vocabulary::{FAMILIES, Vocabulary};
use wild::{check_wild_items, read_wild_kinds, wild_fault};

/// The most deals of a match, if the file does not say.
const DEFAULT_MAX_DEALS: i64 = 10_000;

impl Plan {
    /// Reads the tree of a ruleset, with options set. `texts` are those that the tree was made of.
    pub(crate) fn read(
        texts: &Texts,
        tree: &Node,
        set: &[(String, OptionValue)],
    ) -> Result<Self, LoadError> {
        let root = Section::root(texts, tree)?;
        let mut options = Options::read(&root)?;
        let sets_values = set.iter().any(|(name, value)| {
            name == VALUES && matches!(value, OptionValue::Values(_)) && options.get(name).is_none()
        });
        if sets_values {
            options.declare_values(&root)?;
        }
        let options = options.with(set)?;
        let patterns = tree.member("patterns").map(Node::keys).unwrap_or_default();
        let mut tree = tree.resolve(texts, &options)?;
        if let (true, Some(OptionValue::Values(values))) = (sets_values, options.get(VALUES)) {
            tree.put_values(values);
        }
        let root = Section::root(texts, &tree)?;
        // It was read above. Asking again marks the key as known.
        root.section("options")?;
        let in_force = options
            .iter()
            .map(|(spec, value)| format!("{} {value:?}\n", spec.name));
        let content_hash = text::hash(&tree, in_force);
        texts.take_noted();
        root.note_missing();
        let misspelt = root.note_unknown();
        let of_keys = texts.take_noted();
        // Any other error may follow from a section that is not there.
        let is_of_section = |error: &RulesetError| match &error.fault {
            RulesetFault::MissingKey { .. } => true,
            RulesetFault::UnknownKey { table, .. } => table.is_empty(),
            _ => false,
        };
        if of_keys.iter().any(is_of_section) {
            return Err(RulesetErrors::new(of_keys).into());
        }
        let built = Self::build(&root, options, &patterns);
        let mut errors = texts.take_noted();
        if !of_keys.is_empty() {
            // Errors at tables with unknown keys may follow from these.
            let follows = |error: &RulesetError| {
                let place = texts.place_of(error);
                matches!(error.fault, RulesetFault::UnknownKey { .. })
                    || place.is_some_and(|place| misspelt.contains(&place))
            };
            errors.extend(built.err());
            errors.retain(|error| !follows(error));
            errors.extend(of_keys);
            return Err(RulesetErrors::new(errors).into());
        }
        match built {
            Ok(plan) if errors.is_empty() => Ok(Self {
                content_hash,
                ..plan
            }),
            built => {
                errors.extend(built.err());
                Err(RulesetErrors::new(errors).into())
            }
        }
    }

    /// `patterns` are all patterns of the file, even those that options take away.
    fn build(
        root: &Section<'_>,
        options: Options,
        patterns: &[&str],
    ) -> Result<Self, RulesetError> {
        let header = root.need("ruleset")?;
        let text = |key| header.text(key).map(|t| t.unwrap_or_default().to_owned());
        let id = header.text("id")?;
        let id = header.require("id", id)?.to_owned();
        let names = Names::new(&id, header.names("name", &[])?);
        let version = text("version")?;
        let doc = text("doc")?;
        let source = text("source")?;
        header.text("extends")?;
        let players = header.int("players", 2..=MAX_PLAYERS as i64)?;
        let players = header.require("players", players)? as usize;

        let tiles_section = root.need("tiles")?;
        let (tiles, classes) = read_tiles(&tiles_section)?;
        let (tile_names, action_names) = read_names(root)?;
        let AsideSection {
            rules: aside,
            ids: aside_ids,
            wins: aside_wins,
            own,
        } = read_aside(root, &tiles)?;
        let tiles = tiles.with_flowers(aside.flowers(), own);
        let mut wall = read_wall(root, &tiles, players)?;
        let dealt: usize = wall.packets.iter().map(|&n| usize::from(n)).sum();
        if !matches!(dealt, 10 | 13 | 16) {
            let expected = format!("10, 13 or 16 tiles a player in all, not {dealt}");
            return Err(root.must_be("deal.packets", expected));
        }
        let groups = dealt / 3;
        let wild = read_wild_kinds(root, &tiles, &classes)?;
        let forms = read_forms(root, &tiles, &classes, 3 * groups + 2, wild.beyond)?;
        let grammar = read_grammar(root, &tiles, forms, groups, aside.forced(), &wild)?;
        let turned = read_turned(root, &mut wall)?;
        let play = read_play(root, &tiles, &grammar, aside, &wild, &turned)?;
        check_wild_items(root, grammar.forms(), &wild, play.wild.turned.is_some())?;
        let decomposer = Decomposer::new(grammar.clone())
            .with_wild_scopes(wild.any, &wild.scopes, play.wild.copies)
            .map_err(|error| wild_fault(root, error))?;
        let (turned_ids, turned_when_dealt) = (turned.ids, turned.dealt.into_iter().next());
        wall.aside = tiles.copies().count_in(aside.kinds()) as usize;
        wall.forced = aside.forced();

        let flag_section = root.section("flags")?;
        let mut melds = Vec::new();
        for (name, _, one) in root.need("melds")?.ids() {
            melds.extend(
                one.word("family", &FAMILIES[1..])?
                    .map(|family| (name, family)),
            );
        }
        let columns = Columns::read(root)?;
        let mut vocabulary = Vocabulary {
            columns: &columns,
            asks_limit: Cell::new(false),
            worth: Cell::new(None),
            options: &options,
            players,
            flags: flag_section
                .iter()
                .flat_map(Section::ids)
                .map(|(id, ..)| id)
                .collect(),
            conditions: Vec::new(),
            letters_left: Cell::new(limits::LETTERS),
            tiles: &tiles,
            grammar: &grammar,
            melds,
            classes: &classes.kinds,
            honours: classes.honours,
            asides: &aside_ids,
            turned: &turned_ids,
            steps: root.node("opening").map(Node::keys).unwrap_or_default(),
            patterns,
            forms: root.node("forms").map(Node::keys).unwrap_or_default(),
        };
        let named = match root.section("conditions")? {
            Some(section) => read_conditions(&section, &mut vocabulary)?,
            None => Vec::new(),
        };
        let opening = read_opening(root, &vocabulary)?;
        let texts = root.texts();
        let flags = match &flag_section {
            Some(section) => read_flags(section, &vocabulary),
            None => Ok(Vec::new()),
        };
        let invariants = read_invariants(root, &vocabulary);
        let settlement = read_settlement(root, &vocabulary);
        let game = Game {
            plays_on: play.plays_on,
            has_aside: !tiles.flowers().is_empty() || !aside.kinds().is_empty(),
            shows: opening.iter().any(|step| step.shows().is_some()),
            turns: !play.turned().is_empty(),
            family: settlement.as_ref().ok().copied(),
        };
        let payments = read_payments(root, &vocabulary, &game);
        let matches = read_match(root);
        // What follows asks for flags by their number. So it waits until these are known to be right.
        for error in [
            flags.as_ref().err(),
            invariants.as_ref().err(),
            settlement.as_ref().err(),
            payments.as_ref().err(),
            matches.as_ref().err(),
        ] {
            error
                .into_iter()
                .for_each(|error| texts.note_error(error.clone()));
        }
        let WinSection {
            ways,
            when,
            shown_when,
            kong_flag,
            kong_feeder_answers,
            minimum,
        } = read_win(root, &vocabulary)?;
        if ways.contains(&Way::Turned) {
            let section = root.need("win")?;
            if turned_when_dealt.is_none() {
                let row = "a row of [turned] with `on = \"dealt\"` for `turned`";
                return Err(section.needs("ways", row));
            }
            if play.plays_on {
                let why = "a win on the turned tile ends the deal";
                return Err(section.conflict("ways", "win.then", why));
            }
        }
        let claim_conditions = read_claim_conditions(root, &vocabulary)?;
        let win = read_win_rules(root, players)?;
        let score = read_score(root, &vocabulary, minimum, win, &grammar)?;
        texts.check_noted()?;
        let flags = flags?;
        let asks_visible = |flag: &Flag| {
            let when = flag.when.as_ref();
            when.is_some_and(|when| when.asks(Fact::VisibleCopies))
        };
        let asks_visible_copies = flags.iter().any(asks_visible);
        let may_refuse = |way| {
            let mut parts = when.iter().flatten();
            !parts.all(|part| part.holds_for_all(way))
        };
        let [may_refuse_drawn, may_refuse_claimed] = [Way::Wall, Way::Discard].map(may_refuse);
        let [of_circumstances, of_melds, of_reading] = when;
        let score = score.requiring(of_reading);
        let places = aside_wins
            .into_iter()
            .map(|(node, id)| pattern_place(root.texts(), score.patterns(), node, id));
        let places = places.collect::<Result<_, _>>()?;
        let score = score.winning_on_flowers(places);
        let mut procedures = Procedures::read(root, &vocabulary)?;
        let forms = vocabulary.forms.iter().map(|&id| id.to_owned()).collect();
        let (settlement, payments) = (settlement?, payments?);
        let score = score.asked(|fact| payments.asks(PaymentHook::Win, |other| other == fact));
        // What nothing asks for is no part of the plan, so that the lint finds it.
        let score = score.liable_where(|pattern| match settlement {
            SettlementRules::Riichi(_) => matches!(pattern.value, PatternValue::Limits(_)),
            _ => payments.pays(PaymentHook::Win),
        });
        if let Some(riichi) = &mut procedures.riichi {
            riichi.points *= payments.units_per_point();
        }
        header.finish()?;
        let plan = Self {
            id,
            names,
            version,
            doc,
            source,
            content_hash: 0,
            players,
            tiles,
            aside_ids,
            turned_ids,
            turned_when_dealt,
            opening,
            wall,
            play,
            laid_runs: grammar
                .shapes()
                .filter(|(_, shape)| play.lay_down.contains(shape.family()))
                .map(|(id, _)| id)
                .collect(),
            decomposer: Arc::new(decomposer),
            by_turned: match play.wild.turned {
                None => Vec::new(),
                Some(_) => vec![OnceLock::new(); Kind::COUNT],
            },
            score,
            settlement,
            payments,
            matches: matches?,
            forms,
            flags,
            invariants: invariants?,
            kong_flag,
            asks_visible_copies,
            procedures,
            ways,
            may_refuse_drawn,
            may_refuse_claimed,
            when: [of_circumstances, of_melds],
            win_when: shown_when,
            named,
            claim_conditions,
            kong_feeder_answers,
            options,
            classes: classes.kinds,
            tile_names,
            action_names,
        };
        plan.check_play_on(root)?;
        plan.check_opening(root)?;
        let all_win = plan.play.winners == Winners::All;
        if all_win && matches!(plan.settlement, SettlementRules::AllPay(_)) {
            let why = "losers pay among themselves only where one player wins";
            let section = root.need("settlement")?;
            return Err(section.conflict("family", "claims.winners", why));
        }
        plan.check(root)?;
        Ok(plan)
    }

    /// Checks what is chosen before the first turn.
    fn check_opening(&self, root: &Section<'_>) -> Result<(), RulesetError> {
        let section = root.section("opening")?;
        let (Some(section), hand) = (&section, self.decomposer.grammar().hand_tiles()) else {
            return Ok(());
        };
        let choosing = self
            .opening
            .iter()
            .find(|step| step.choice() == OpeningChoice::MissingSuit);
        if let (Some(step), true) = (choosing, self.procedures.riichi.is_some()) {
            let why = "barred tiles must be discarded first";
            return Err(section.conflict(&step.id, "procedures.riichi", why));
        }
        let passing = self
            .opening
            .iter()
            .find_map(|step| Some((step, step.passes()?)));
        let Some((step, rules)) = passing else {
            return Ok(());
        };
        let (tiles, flowers) = (usize::from(rules.tiles), self.tiles.flowers().len());
        if tiles + flowers > hand {
            let what = "tiles to pass beside the flowers of a hand";
            return Err(section.too_many(what, tiles, hand.saturating_sub(flowers)));
        }
        match self.procedures.dead_hands {
            true => {
                let why = "a dead hand gives and takes no tiles";
                Err(section.conflict(&step.id, "penalties.dead-hand", why))
            }
            false => Ok(()),
        }
    }

    /// Checks that the rest of the rules can do with a deal that goes on after a win.
    fn check_play_on(&self, root: &Section<'_>) -> Result<(), RulesetError> {
        if !self.play.plays_on {
            return Ok(());
        }
        let win = root.need("win")?;
        if self.settlement != SettlementRules::Rows {
            let needs = "a settlement of the family `rows`, where winners are paid one by one";
            return Err(win.needs("then", needs));
        }
        let at_end = self
            .payments
            .rows()
            .iter()
            .find(|row| row.on == PaymentHook::DealEnd);
        if let Some(row) = at_end {
            let why = "`deal-end` does not know of deals that go on after a win";
            return Err(win.conflict("then", format!("payments.{}", row.id), why));
        }
        let others = [
            (!self.score.flower_wins().is_empty(), "aside"),
            (!self.play.turned.is_empty(), "turned"),
            (self.score.losers.is_some(), "score.losers"),
            (self.play.rob_concealed, "kongs.rob"),
            (self.procedures.riichi.is_some(), "procedures.riichi"),
            (self.procedures.false_win.is_some(), "penalties.false-win"),
        ];
        let why = "it does not know of deals that go on after a win";
        match others.into_iter().find(|&(is_used, _)| is_used) {
            Some((_, other)) => Err(win.conflict("then", other, why)),
            None => Ok(()),
        }
    }

    /// Checks what no single section can tell.
    fn check(&self, root: &Section<'_>) -> Result<(), RulesetError> {
        let dealt: usize = self.wall.packets.iter().map(|&n| usize::from(n)).sum();
        if self.tiles.len() > MAX_WALL {
            return Err(root.too_many("tiles", self.tiles.len(), MAX_WALL));
        }
        let least = dealt * self.players + self.wall.reserve + 1;
        if least > self.tiles.len() {
            return Err(root.fault(RulesetFault::TooFew {
                what: "tiles for the hands, the reserve and a draw",
                have: self.tiles.len(),
                least,
            }));
        }
        Ok(())
    }
}

fn read_result(section: Section<'_>) -> Result<ResultRules, RulesetError> {
    let points = || -1_000_000_000..=1_000_000_000;
    let mut by_rank = [0; MAX_PLAYERS];
    for (rank, node) in section.list("by-rank")?.iter().enumerate() {
        match by_rank.get_mut(rank) {
            Some(place) => *place = section.int_of(node, "by-rank", points())?,
            None => return Err(section.too_many("ranks", rank + 1, MAX_PLAYERS)),
        }
    }
    let return_points = section.int("return-points", points())?;
    let deposits = [("first", true), ("lost", false)];
    let rules = ResultRules {
        return_points: section.require("return-points", return_points)?,
        by_rank,
        deposits_to_first: section.word("deposits", &deposits)?.unwrap_or(true),
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}

fn read_match(root: &Section<'_>) -> Result<MatchRules, RulesetError> {
    let section = root.need("match")?;
    let first = [
        ("random", FirstDealer::Random),
        ("fixed", FirstDealer::Fixed),
        ("roll", FirstDealer::Roll),
    ];
    let next = [
        ("winner", NextDealer::Winner),
        ("rotate", NextDealer::Rotate),
        ("dealer-keeps", NextDealer::DealerKeeps(DealerKeepsOn::Draw)),
    ];
    let mut ends = SmallVec::new();
    for end in section.list("ends")? {
        let one = section.table_of(end, "ends")?;
        let many = 1..=1_000_000_000;
        let deals = one.int("deals", many.clone())?;
        let rounds = one.int("rounds", many)?;
        let totals = -1_000_000_000..=1_000_000_000;
        let below = one.int("below", totals.clone())?;
        let goal = one.int("goal", totals)?;
        let dealer = one.section("dealer-leads")?;
        ends.push(match (deals, rounds, below, goal, dealer) {
            (Some(deals), None, None, None, None) => MatchEnd::Deals(deals as u32),
            (None, Some(rounds), None, None, None) => MatchEnd::Rounds(rounds as u32),
            (None, Some(rounds), None, Some(goal), None) => MatchEnd::RoundsOrGoal {
                rounds: rounds as u32,
                goal,
            },
            (None, None, Some(points), None, None) => MatchEnd::Below(points),
            (None, Some(rounds), None, Some(goal), Some(dealer)) => {
                let end = MatchEnd::DealerLeads {
                    rounds: rounds as u32,
                    goal,
                    on_win: dealer.bool("on-win")?.unwrap_or(false),
                    on_ready: dealer.bool("on-ready")?.unwrap_or(false),
                    by_choice: dealer.bool("by-choice")?.unwrap_or(false),
                };
                dealer.finish()?;
                end
            }
            _ => {
                let expected = "each `deals`, `rounds`, `rounds` with a `goal`, `below`, or `dealer-leads` with \
                                `rounds` and a `goal`";
                return Err(section.must_be("ends", expected));
            }
        });
        one.finish()?;
    }
    // The other ends depend on totals, so they may never come.
    let is_certain =
        |end: &MatchEnd| !matches!(end, MatchEnd::Below(_) | MatchEnd::DealerLeads { .. });
    if !ends.iter().any(is_certain) {
        return Err(section.needs("ends", "an end after `deals` or `rounds`"));
    }
    let keeps_on = [
        ("win", DealerKeepsOn::Win),
        ("tenpai", DealerKeepsOn::Ready),
        ("draw", DealerKeepsOn::Draw),
    ];
    let keeps_on = section.word("dealer-keeps-on", &keeps_on)?;
    let keeps_kongs = section.int("dealer-keeps-kongs", 0..=100)?;
    let next_dealer = match (section.word("next-dealer", &next)?, keeps_on) {
        (Some(NextDealer::DealerKeeps(_)), Some(on)) => NextDealer::DealerKeeps(on),
        (next, _) => next.unwrap_or(NextDealer::Rotate),
    };
    let result = match section.section("result")? {
        Some(result) => Some(read_result(result)?),
        None => None,
    };
    let rules = MatchRules {
        result,
        start_points: section
            .int("start-points", -1_000_000_000..=1_000_000_000)?
            .unwrap_or(0),
        ends,
        max_deals: section
            .int("max-deals", 1..=1_000_000)?
            .unwrap_or(DEFAULT_MAX_DEALS) as u32,
        round_winds: section.bool("round-winds")?.unwrap_or(false),
        first_dealer: section
            .word("first-dealer", &first)?
            .unwrap_or(FirstDealer::Random),
        next_dealer,
        keeps_kongs: keeps_kongs.map_or(u32::MAX, |kongs| kongs as u32),
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}
