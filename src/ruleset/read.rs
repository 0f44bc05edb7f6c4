//! Reads the sections of a ruleset file into a [`Plan`].

use super::options::{OptionValue, Options};
use super::plan::{
    AddedTo, ClaimKind, ClaimRank, FirstDealer, Flag, FlowersLaid, Invariant, LoadError, MatchEnd,
    MatchRules, NextDealer, Plan, PlayRules, Procedures, Winners,
};
use super::source::{Node, RulesetError, RulesetFault, Section, Texts, Value, nearest};
use crate::counts::{Counts, MAX_COPIES};
use crate::decimal::Decimal;
use crate::decompose::{Decomposer, Grammar, SpecialForm};
use crate::meld::Family;
use crate::notation::Notation;
use crate::score::condition::{self, Constant, Names};
use crate::score::facts::Scope;
use crate::score::{
    ChowFrom, Condition, DoublesRules, FamilySet, FanRules, LoserRules, Pattern, PatternStatus,
    PatternValue, ScoreFamily, ScoreRules, SettlementRules, WinRules,
};
use crate::seat::MAX_PLAYERS;
use crate::set::{FlowerSet, KindSet};
use crate::state::{FlagSet, Way};
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::wall::{BackOrder, DiceSum, IndicatorOrder, MAX_WALL, Roll, SpareStacks, WallRules};
use smallvec::SmallVec;

/// The names that conditions may use beside the facts.
struct Vocabulary<'a> {
    options: &'a Options,
    flags: Vec<&'a str>,
    classes: &'a [(String, KindSet)],
    forms: Vec<&'a str>,
}

impl Names for Vocabulary<'_> {
    fn option(&self, name: &str) -> Option<Constant> {
        Names::option(self.options, name)
    }

    fn flag(&self, name: &str) -> Option<usize> {
        self.flags.iter().position(|flag| *flag == name)
    }

    fn class(&self, name: &str) -> Option<KindSet> {
        let found = self.classes.iter().find(|(class, _)| class == name);
        found.map(|(_, kinds)| *kinds)
    }

    fn form(&self, name: &str) -> Option<u8> {
        let place = self.forms.iter().position(|form| *form == name)?;
        Some(place as u8 + 1)
    }

    fn nearest(&self, what: &'static str, name: &str) -> Option<String> {
        let classes = self.classes.iter().map(|(class, _)| class.as_str());
        match what {
            "fact" => {
                let facts = crate::score::facts::FACTS.iter().map(|fact| fact.name());
                let flags = self.flags.iter().copied();
                nearest(name, facts.chain(flags).chain(self.options.names()))
            }
            "class" => nearest(name, classes.chain(["any", "seat-wind", "round-wind"])),
            "option" => nearest(name, self.options.names()),
            "form" => nearest(name, self.forms.iter().copied().chain(["standard"])),
            "way" => nearest(name, Way::WORDS.map(|(word, _)| word)),
            "family" => nearest(name, FAMILIES.map(|(word, _)| word)),
            "place" => nearest(name, ["low", "middle", "high"]),
            _ => None,
        }
    }
}

/// Before classes and flags are known only options have names.
impl Names for Options {
    fn option(&self, name: &str) -> Option<Constant> {
        self.get(name).map(|value| match value {
            OptionValue::Bool(value) => Constant::Bool(*value),
            OptionValue::Int(value) => Constant::Int(*value),
            OptionValue::Text(value) => Constant::Word(value.clone()),
            // No condition compares decimals or tables; as a word neither equals anything.
            OptionValue::Decimal(value) => Constant::Word(value.to_string()),
            OptionValue::Values(_) => Constant::Word(String::new()),
        })
    }

    fn flag(&self, _: &str) -> Option<usize> {
        None
    }

    fn class(&self, _: &str) -> Option<KindSet> {
        None
    }

    fn form(&self, _: &str) -> Option<u8> {
        None
    }

    fn nearest(&self, _: &'static str, name: &str) -> Option<String> {
        nearest(name, self.names())
    }
}

const FAMILIES: [(&str, Family); 6] = [
    ("pair", Family::Pair),
    ("pung", Family::Pung),
    ("kong", Family::Kong),
    ("arith", Family::Arith),
    ("gem", Family::Gem),
    ("power", Family::Power),
];
impl Plan {
    /// Reads the tree of a ruleset with options set. Texts are those the tree was made of.
    pub(super) fn read(
        texts: &Texts,
        tree: &Node,
        set: &[(String, OptionValue)],
    ) -> Result<Self, LoadError> {
        let options = Options::read(&Section::root(texts, tree)?)?.with(set)?;
        let tree = tree.clone().resolve(texts, &options)?;
        let root = Section::root(texts, &tree)?;
        // Read above; asking for it again marks it as known.
        root.section("options")?;
        Ok(Self::build(&root, options)?)
    }

    fn build(root: &Section<'_>, options: Options) -> Result<Self, RulesetError> {
        let header = root.need("ruleset")?;
        let text = |key| header.text(key).map(|t| t.unwrap_or_default().to_owned());
        let id = header.text("id")?;
        let id = header.require("id", id)?.to_owned();
        let name = text("name")?;
        let version = text("version")?;
        let doc = text("doc")?;
        let source = text("source")?;
        header.text("extends")?;
        let procedures = [("uzje", Procedures::Uzje)];
        let procedures = header.word("procedures", &procedures)?.unwrap_or_default();
        let players = header.int("players", 3..=MAX_PLAYERS as i64)?;
        let players = header.require("players", players)? as usize;

        let tiles_section = root.need("tiles")?;
        let red_fives_written = tiles_section.bool("red-fives-written")?.unwrap_or(true);
        let (tiles, classes) = read_tiles(&tiles_section)?;
        let wall = read_wall(root, &tiles, players)?;
        let grammar = read_grammar(root, &tiles)?;
        let play = read_play(root, &grammar)?;

        let flag_section = root.section("flags")?;
        let vocabulary = Vocabulary {
            options: &options,
            flags: flag_section
                .iter()
                .flat_map(Section::ids)
                .map(|(id, ..)| id)
                .collect(),
            classes: &classes,
            forms: root
                .node("forms")
                .into_iter()
                .flat_map(|node| match &node.value {
                    Value::Table(entries) => &entries[..],
                    _ => &[],
                })
                .map(|entry| entry.key.as_str())
                .collect(),
        };
        let (flags, flag_readings) = match &flag_section {
            Some(section) => read_flags(section, &vocabulary)?,
            None => (Vec::new(), Vec::new()),
        };
        let WinSection {
            ways,
            requires,
            kong_flag,
            flower_patterns,
        } = read_win(root, &vocabulary)?;
        let win = read_win_rules(root, players)?;
        let mut score = read_score(root, &vocabulary, win)?;
        score.flag_readings = flag_readings;
        for (node, id) in flower_patterns {
            let place = pattern_place(root.texts(), &score.patterns, node, id)?;
            score.flower_wins.push(place);
        }
        let invariants = read_invariants(root, &score.patterns)?;
        let forms = vocabulary.forms.iter().map(|&id| id.to_owned()).collect();
        let settlement = {
            let section = root.need("settlement")?;
            let words = [
                ("own-points", SettlementRules::OwnPoints),
                ("giver-or-halves", SettlementRules::GiverOrHalves),
            ];
            let family = section.word("family", &words)?;
            let family = section.require("family", family)?;
            section.text("src")?;
            section.finish()?;
            family
        };
        let matches = read_match(root)?;
        header.finish()?;
        let plan = Self {
            id,
            name,
            version,
            doc,
            source,
            players,
            tiles,
            red_fives_written,
            wall,
            play,
            decomposer: Decomposer::new(grammar),
            score,
            settlement,
            matches,
            forms,
            flags,
            invariants,
            kong_flag,
            procedures,
            ways,
            requires,
            options,
            classes,
        };
        if !plan.score.flower_wins.is_empty() && plan.play.flowers != FlowersLaid::AfterDraw {
            let message = "`on-flower` wins need `flowers = \"after-draw\"` in [deal]";
            return Err(root.need("win")?.contradiction(message));
        }
        plan.check(root)?;
        Ok(plan)
    }

    /// What no single section can tell, and keys at the top that nobody knows.
    fn check(&self, root: &Section<'_>) -> Result<(), RulesetError> {
        let dealt: usize = self.wall.packets.iter().map(|&n| usize::from(n)).sum();
        if dealt != 13 {
            let message = format!("[deal] packets hold {dealt} tiles a player, a hand has 13");
            return Err(root.contradiction(message));
        }
        if self.tiles.len() > MAX_WALL {
            let message = format!(
                "{} tiles, a wall holds at most {MAX_WALL}",
                self.tiles.len()
            );
            return Err(root.contradiction(message));
        }
        if dealt * self.players + self.wall.reserve + 1 > self.tiles.len() {
            let message = format!(
                "{} tiles are too few for {} players and a reserve of {}",
                self.tiles.len(),
                self.players,
                self.wall.reserve
            );
            return Err(root.contradiction(message));
        }
        // Asked for by their readers; whatever else stands at the top is unknown.
        for key in [
            "tiles",
            "wall",
            "deal",
            "melds",
            "forms",
            "turn",
            "claims",
            "kongs",
            "win",
            "flags",
            "invariants",
            "score",
            "patterns",
            "settlement",
            "match",
        ] {
            root.node(key);
        }
        root.again().finish()
    }
}

fn read_tile_list(
    section: &Section<'_>,
    node: &Node,
    key: &str,
) -> Result<Vec<Tile>, RulesetError> {
    let text = match &node.value {
        Value::Text(text) => text,
        // Parts in a row, each of which may have an `if`.
        Value::List(parts) => {
            let mut tiles = Vec::new();
            for part in parts {
                tiles.extend(match &part.value {
                    Value::Table(_) => {
                        let part = Section::of(section.texts(), part, key)?;
                        let node = part.node("tiles");
                        let node = part.require("tiles", node)?;
                        let tiles = read_tile_list(section, node, key)?;
                        part.finish()?;
                        tiles
                    }
                    _ => read_tile_list(section, part, key)?,
                });
            }
            return Ok(tiles);
        }
        _ => return Err(section.bad(node, key, "tiles in ujmj notation")),
    };
    Notation::Ujmj.parse(text).map_err(|error| {
        let fault = RulesetFault::BadValue {
            key: key.to_owned(),
            expected: format!("tiles in ujmj notation: {error}"),
        };
        section.texts().error(node.place, 0, fault)
    })
}

type Classes = Vec<(String, KindSet)>;

fn read_tiles(section: &Section<'_>) -> Result<(TileSet, Classes), RulesetError> {
    let mut copies = Counts::EMPTY;
    let mut flowers = FlowerSet::EMPTY;
    for node in section.list("copies")? {
        let part = Section::of(section.texts(), node, "tiles.copies")?;
        let tiles = part.node("tiles");
        let tiles = read_tile_list(&part, part.require("tiles", tiles)?, "tiles")?;
        let count = part.int("count", 1..=i64::from(MAX_COPIES))?;
        let count = part.require("count", count)? as u8;
        for tile in tiles {
            match (tile.kind(), tile.as_flower()) {
                (Some(kind), _) => copies.set(kind, count),
                (None, Some(flower)) if count == 1 => flowers.insert(flower),
                _ => return Err(part.contradiction("flowers are one of each")),
            }
        }
        part.finish()?;
    }
    let mut reds = [0; 3];
    let red_list = section.list("red-fives")?;
    if !red_list.is_empty() && red_list.len() != reds.len() {
        return Err(section.contradiction("red-fives are three counts: tongs, socks, mans"));
    }
    for (red, node) in reds.iter_mut().zip(red_list) {
        *red = section.int_of(node, "red-fives", 0..=i64::from(MAX_COPIES))? as u8;
    }
    let mut classes = Classes::new();
    if let Some(list) = section.section("classes")? {
        for entry in list.entries() {
            let tiles = read_tile_list(&list, &entry.node, &entry.key)?;
            if tiles.iter().any(|tile| tile.is_flower()) {
                let message = format!("class `{}`: flowers are in no class", entry.key);
                return Err(list.contradiction(message));
            }
            let kinds = tiles.iter().filter_map(|tile| tile.kind()).collect();
            classes.push((entry.key.clone(), kinds));
        }
    }
    section.text("src")?;
    section.again().finish()?;
    Ok((TileSet::new(copies, reds, flowers), classes))
}

fn read_roll(section: &Section<'_>, node: &Node) -> Result<Roll, RulesetError> {
    let expected = "dice such as `2d6`: one to three dice of up to twenty sides";
    let Value::Text(text) = &node.value else {
        return Err(section.bad(node, "rolls", expected));
    };
    let roll = text.split_once('d').and_then(|(dice, sides)| {
        Some(Roll {
            dice: dice.parse().ok().filter(|n| (1..=3).contains(n))?,
            sides: sides.parse().ok().filter(|n| (2..=20).contains(n))?,
        })
    });
    roll.ok_or_else(|| section.bad(node, "rolls", expected))
}

fn read_wall(
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
        return Err(section.contradiction("at most two rolls of dice"));
    }
    let sums = [
        ("none", DiceSum::None),
        ("roll-1", DiceSum::Roll(0)),
        ("roll-2", DiceSum::Roll(1)),
        ("all", DiceSum::All),
    ];
    let sum = |key| -> Result<DiceSum, RulesetError> {
        let sum = section.word(key, &sums)?.unwrap_or(DiceSum::None);
        match sum {
            DiceSum::Roll(i) if i >= rolls.len() => {
                Err(section.contradiction(format!("`{key}` names a roll that is not made")))
            }
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
    let reserve = section.int("reserve", 0..=100)?.unwrap_or(0) as usize;
    let reserve_moves = section.bool("reserve-moves")?.unwrap_or(false);
    let orders = [
        ("from-end", BackOrder::FromEnd),
        ("by-stack", BackOrder::ByStack),
        ("before-reserve", BackOrder::BeforeReserve),
    ];
    let back = section.word("replacements", &orders)?;
    let back = section.require("replacements", back)?;
    let indicators = [("tops-then-bottoms", IndicatorOrder::TopsThenBottoms)];
    let indicators = section.word("indicators", &indicators)?;
    section.text("src")?;
    // A reserve that moves is eaten from the live wall's side; one that stays holds whole stacks.
    let overlaps = match back {
        BackOrder::BeforeReserve => !reserve_moves,
        BackOrder::ByStack => reserve % 2 != 0 || reserve_moves && reserve == 0,
        BackOrder::FromEnd => false,
    };
    if overlaps {
        return Err(section.contradiction(
            "with these `replacements`, `reserve` and `reserve-moves` a tile could be drawn twice",
        ));
    }
    // Replacements from within the reserve would take indicators.
    if indicators.is_some() && (back != BackOrder::BeforeReserve || reserve == 0) {
        return Err(section.contradiction(
            "`indicators` need a `reserve` that replacements leave alone (`before-reserve`)",
        ));
    }
    section.finish()?;
    if tiles.len() % usize::from(height) != 0 || tiles.len() / usize::from(height) < players {
        return Err(root.need("wall")?.contradiction(format!(
            "{} tiles do not fill {players} walls that are {height} high",
            tiles.len()
        )));
    }

    let deal = root.need("deal")?;
    let first = [("dealer", true), ("next", false)];
    let dealer_first = deal.word("first", &first)?.unwrap_or(true);
    let packets = deal
        .list("packets")?
        .iter()
        .map(|node| deal.int_of(node, "packets", 1..=13).map(|n| n as u8))
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
        back,
        indicators,
        dealer_first,
        packets,
    })
}

/// Three ranks such as `124` or `018`, in `ujmj` digits.
fn read_ranks(section: &Section<'_>, node: &Node) -> Result<[u8; 3], RulesetError> {
    let expected = "three rising ranks such as `124`";
    let Value::Text(text) = &node.value else {
        return Err(section.bad(node, "shapes", expected));
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
        _ => Err(section.bad(node, "shapes", expected)),
    }
}

/// The most special forms and patterns that a ruleset may have.
const MAX_FORMS: usize = 100;
const MAX_PATTERNS: usize = 1000;

fn read_grammar(root: &Section<'_>, tiles: &TileSet) -> Result<Grammar, RulesetError> {
    let melds = root.need("melds")?;
    melds.only_tables()?;
    let mut runs: Vec<(Family, [u8; 3])> = Vec::new();
    let (mut has_pung, mut has_kong) = (false, false);
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
                    }) if all == "all" => (1..=8).collect(),
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
            Family::Pair => {}
        }
        one.text("doc")?;
        one.text("src")?;
        one.finish()?;
    }
    let mut forms = Vec::new();
    if let Some(section) = root.section("forms")? {
        section.only_tables()?;
        if section.entries().len() > MAX_FORMS {
            return Err(section.contradiction(format!("more than {MAX_FORMS} forms")));
        }
        for (_, _, one) in section.ids() {
            #[derive(Clone, Copy)]
            enum Shape {
                Pairs,
                OneEach,
                Straight,
            }
            let words = [
                ("pairs", Shape::Pairs),
                ("one-each", Shape::OneEach),
                ("straight", Shape::Straight),
            ];
            let shape = one.word("shape", &words)?;
            forms.push(match one.require("shape", shape)? {
                Shape::Straight => SpecialForm::Straight,
                Shape::Pairs => SpecialForm::Pairs {
                    distinct: one.bool("distinct")?.unwrap_or(true),
                },
                Shape::OneEach => {
                    let node = one.node("tiles");
                    let node = one.require("tiles", node)?;
                    let mut wanted = Counts::EMPTY;
                    for tile in read_tile_list(&one, node, "tiles")? {
                        let fits = tile.kind().is_some_and(|kind| wanted.try_add(kind));
                        if !fits {
                            return Err(one.contradiction("no hand has these tiles"));
                        }
                    }
                    let twice = one.bool("one-twice")?.unwrap_or(true);
                    if wanted.total() + usize::from(twice) != 14 {
                        return Err(one.contradiction("a hand has fourteen tiles"));
                    }
                    SpecialForm::OneEach {
                        tiles: wanted,
                        twice,
                    }
                }
            });
            one.text("doc")?;
            one.text("src")?;
            one.finish()?;
        }
    }
    Grammar::new(*tiles.copies(), 4, &runs, has_pung, has_kong, forms)
        .map_err(|error| melds.contradiction(error))
}

fn read_families(section: &Section<'_>, key: &'static str) -> Result<FamilySet, RulesetError> {
    let mut families = FamilySet::default();
    for node in section.list(key)? {
        families.insert(section.word_of(node, key, &FAMILIES)?);
    }
    Ok(families)
}

const CHOW_FROM: [(&str, ChowFrom); 3] = [
    ("previous", ChowFrom::Previous),
    ("next", ChowFrom::Next),
    ("any", ChowFrom::Any),
];

fn read_play(root: &Section<'_>, grammar: &Grammar) -> Result<PlayRules, RulesetError> {
    let deal = root.need("deal")?;
    let laid = [
        ("own-turn", FlowersLaid::OwnTurn),
        ("after-draw", FlowersLaid::AfterDraw),
        ("before-play", FlowersLaid::BeforePlay),
    ];
    let flowers = deal
        .word("flowers", &laid)?
        .unwrap_or(FlowersLaid::BeforePlay);
    for key in ["first", "packets", "src"] {
        deal.node(key);
    }
    deal.finish()?;

    let lay_down = match root.section("turn")? {
        Some(turn) => {
            let families = read_families(&turn, "lay-down")?;
            turn.text("src")?;
            turn.finish()?;
            families
        }
        None => FamilySet::default(),
    };

    let claims = root.need("claims")?;
    let precedence = read_precedence(&claims)?;
    let winners = [("nearest", Winners::Nearest), ("all", Winners::All)];
    let winners = claims
        .word("winners", &winners)?
        .unwrap_or(Winners::Nearest);
    let chow_from = claims
        .word("chow-from", &CHOW_FROM)?
        .unwrap_or(ChowFrom::Previous);
    claims.section("win")?;
    let last = [("any", false), ("win-only", true)];
    let last_discard_wins_only = claims.word("last-discard", &last)?.unwrap_or(false);
    claims.text("src")?;
    claims.finish()?;

    let (mut claimed_kong_on_laid, mut added_to) = (false, AddedTo::None);
    let (mut hidden_kongs, mut kong_after_claim, mut kong_through_flowers) = (false, true, true);
    let (mut rob_added, mut rob_concealed) = (false, false);
    if let Some(kongs) = root.section("kongs")? {
        let shown = [("shown", false), ("hidden", true)];
        hidden_kongs = kongs.word("concealed", &shown)?.unwrap_or(false);
        kong_after_claim = kongs.bool("after-claim")?.unwrap_or(true);
        kong_through_flowers = kongs.bool("through-flowers")?.unwrap_or(true);
        for node in kongs.list("rob")? {
            match kongs.word_of(node, "rob", &[("added", true), ("concealed", false)])? {
                true => rob_added = true,
                false => rob_concealed = true,
            }
        }
        claimed_kong_on_laid = kongs.bool("claimed-on-laid")?.unwrap_or(false);
        let words = [
            ("none", AddedTo::None),
            ("laid", AddedTo::Laid),
            ("claimed", AddedTo::Claimed),
        ];
        added_to = kongs.word("added-to", &words)?.unwrap_or(AddedTo::None);
        kongs.text("src")?;
        if !grammar.has_kong() {
            return Err(kongs.contradiction("the ruleset has no kongs in [melds]"));
        }
        kongs.finish()?;
    }
    Ok(PlayRules {
        flowers,
        lay_down,
        precedence,
        winners,
        chow_from,
        claimed_kong_on_laid,
        added_to,
        hidden_kongs,
        rob_added,
        rob_concealed,
        kong_after_claim,
        kong_through_flowers,
        last_discard_wins_only,
    })
}

fn read_precedence(claims: &Section<'_>) -> Result<[ClaimRank; 4], RulesetError> {
    let words = [
        ("win", ClaimKind::Win),
        ("kong", ClaimKind::Kong),
        ("pung", ClaimKind::Pung),
        ("chow", ClaimKind::Chow),
    ];
    let mut ranks = words.map(|(_, kind)| (kind, 0));
    let list = claims.list("precedence")?;
    let mut named = 0;
    for (i, node) in list.iter().enumerate() {
        for word in claims.text_of(node, "precedence")?.split('|') {
            let found = words.iter().position(|(w, _)| *w == word.trim());
            match found {
                Some(at) if ranks[at].1 == 0 => {
                    ranks[at].1 = (list.len() - i) as u8;
                    named += 1;
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
    if named != words.len() {
        return Err(claims.contradiction("precedence must name win, kong, pung and chow"));
    }
    Ok(ranks)
}

fn read_win_rules(root: &Section<'_>, players: usize) -> Result<WinRules, RulesetError> {
    let claims = root.need("claims")?;
    let chow_from = claims
        .word("chow-from", &CHOW_FROM)?
        .unwrap_or(ChowFrom::Previous);
    let mut rules = WinRules {
        completes: FamilySet::ALL,
        run_from: ChowFrom::Any,
        players,
    };
    if let Some(win) = claims.section("win")? {
        if win.node("completes").is_some() {
            rules.completes = read_families(&win, "completes")?;
        }
        if win.bool("chow-from-anyone")? == Some(false) {
            rules.run_from = chow_from;
        }
        win.text("src")?;
        win.finish()?;
    }
    Ok(rules)
}

fn read_condition(
    section: &Section<'_>,
    key: &'static str,
    scope: Scope,
    names: &Vocabulary<'_>,
) -> Result<Option<Condition>, RulesetError> {
    let (Some(text), Some(node)) = (section.text(key)?, section.node(key)) else {
        return Ok(None);
    };
    condition::condition(text, scope, names)
        .map(Some)
        .map_err(|error| section.texts().condition(node.place, error))
}

type Flags = (Vec<Flag>, Vec<(usize, Condition)>);

/// The flags, and those that rule readings out.
fn read_flags(section: &Section<'_>, names: &Vocabulary<'_>) -> Result<Flags, RulesetError> {
    section.only_tables()?;
    let mut flags = Vec::new();
    let mut readings = Vec::new();
    for (id, node, one) in section.ids() {
        if crate::score::facts::is_name(id) {
            let message = format!("conditions have a fact called `{id}` already");
            let fault = RulesetFault::Contradiction(message);
            return Err(section.texts().error(node.place, 0, fault));
        }
        let when = read_condition(&one, "when", Scope::Table, names)?;
        let reading = read_condition(&one, "requires-reading", Scope::Hand, names)?;
        readings.extend(reading.map(|condition| (flags.len(), condition)));
        flags.push(Flag {
            id: id.to_owned(),
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            when: one.require("when", when)?,
            requires: read_condition(&one, "requires", Scope::Circumstances, names)?,
            requires_hand: read_condition(&one, "requires-hand", Scope::Hand, names)?,
        });
        one.text("src")?;
        one.finish()?;
    }
    if flags.len() > FlagSet::MAX {
        let message = format!(
            "{} flags, at most {} are possible",
            flags.len(),
            FlagSet::MAX
        );
        return Err(section.contradiction(message));
    }
    Ok((flags, readings))
}

/// The section `[win]`.
struct WinSection<'a> {
    ways: SmallVec<[Way; 4]>,
    requires: Option<Condition>,
    kong_flag: Option<usize>,
    flower_patterns: Vec<(&'a Node, &'a str)>,
}

fn pattern_place(
    texts: &Texts,
    patterns: &[Pattern],
    node: &Node,
    id: &str,
) -> Result<usize, RulesetError> {
    let ids = || patterns.iter().map(|pattern| pattern.id.as_str());
    ids().position(|known| known == id).ok_or_else(|| {
        let fault = RulesetFault::UnknownName {
            what: "pattern",
            found: id.to_owned(),
            suggestion: nearest(id, ids()),
        };
        texts.error(node.place, 0, fault)
    })
}

fn read_invariants(
    root: &Section<'_>,
    patterns: &[Pattern],
) -> Result<Vec<Invariant>, RulesetError> {
    let mut invariants = Vec::new();
    let Some(section) = root.section("invariants")? else {
        return Ok(invariants);
    };
    section.only_tables()?;
    for (id, _, one) in section.ids() {
        let places = one
            .list("patterns")?
            .iter()
            .map(|node| {
                let id = one.text_of(node, "patterns")?;
                pattern_place(root.texts(), patterns, node, id)
            })
            .collect::<Result<_, _>>()?;
        invariants.push(Invariant {
            id: id.to_owned(),
            patterns: places,
            lacks_at_most: one.decimal("lacks-at-most")?.unwrap_or_default(),
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            src: one.text("src")?.unwrap_or_default().to_owned(),
        });
        one.finish()?;
    }
    Ok(invariants)
}

fn read_win<'a>(
    root: &Section<'a>,
    names: &Vocabulary<'_>,
) -> Result<WinSection<'a>, RulesetError> {
    let section = root.need("win")?;
    let ways = section
        .list("ways")?
        .iter()
        .map(|node| section.word_of(node, "ways", &Way::WORDS))
        .collect::<Result<_, _>>()?;
    let requires = read_condition(&section, "requires", Scope::Circumstances, names)?;
    let kong_flag = match (section.text("kongs-in-row")?, section.node("kongs-in-row")) {
        (Some(flag), Some(node)) => Some(names.flag(flag).ok_or_else(|| {
            let fault = RulesetFault::UnknownName {
                what: "flag",
                found: flag.to_owned(),
                suggestion: nearest(flag, names.flags.iter().copied()),
            };
            section.texts().error(node.place, 0, fault)
        })?),
        _ => None,
    };
    let flower_patterns = section
        .list("on-flower")?
        .iter()
        .map(|node| Ok((node, section.text_of(node, "on-flower")?)))
        .collect::<Result<_, RulesetError>>()?;
    section.text("src")?;
    section.finish()?;
    Ok(WinSection {
        ways,
        requires,
        kong_flag,
        flower_patterns,
    })
}

fn read_score(
    root: &Section<'_>,
    names: &Vocabulary<'_>,
    win: WinRules,
) -> Result<ScoreRules, RulesetError> {
    let section = root.need("score")?;
    let is_fan = section.word("family", &[("doubles", false), ("fan", true)])?;
    let quantum = section.decimal("quantum")?.unwrap_or(Decimal::whole(1));
    if quantum.tenths() < 1 {
        return Err(section.contradiction("`quantum` must be more than 0"));
    }
    let amounts = 1..=1_000_000_000;
    let (family, kinds) = if section.require("family", is_fan)? {
        let minimum = section.decimal("minimum")?;
        let limit = section.int("limit", amounts)?;
        let fan_per_limit = section.int("fan-per-limit", 1..=1000)?;
        let rules = FanRules {
            minimum: section.require("minimum", minimum)?,
            limit: section.require("limit", limit)?,
            fan_per_limit: section.require("fan-per-limit", fan_per_limit)? as u32,
        };
        (ScoreFamily::Fan(rules), ValueKinds::Fan)
    } else {
        let cap = section.int("cap", amounts)?;
        let rules = DoublesRules {
            cap,
            bonus_doubled: section.bool("bonus-doubled")?.unwrap_or(false),
        };
        let has_cap = cap.is_some();
        (ScoreFamily::Doubles(rules), ValueKinds::Doubles { has_cap })
    };
    let values = section.section("values")?;
    let losers = match section.section("losers")? {
        Some(losers) => {
            let mut pairs = Vec::new();
            for node in losers.list("pairs")? {
                let text = losers.text_of(node, "pairs")?;
                let class = condition::class(text, names)
                    .map_err(|error| losers.texts().condition(node.place, error))?;
                pairs.push(class);
            }
            let rules = LoserRules {
                kongs: losers.bool("kongs")?.unwrap_or(false),
                pairs,
                most_pairs: losers.int("most-pairs", 0..=7)?.unwrap_or(7) as usize,
            };
            losers.text("src")?;
            losers.finish()?;
            Some(rules)
        }
        None => None,
    };
    section.text("src")?;
    section.finish()?;
    let patterns = root.need("patterns")?;
    Ok(ScoreRules {
        patterns: read_patterns(&patterns, names, kinds, quantum, values.as_ref())?,
        family,
        flower_wins: Vec::new(),
        flag_readings: Vec::new(),
        win,
        losers,
    })
}

/// What the patterns of a score family may be worth.
#[derive(Clone, Copy)]
enum ValueKinds {
    Doubles { has_cap: bool },
    Fan,
}

/// What a pattern is worth; `over` is the value set for it in `[score.values]`.
fn read_value(
    one: &Section<'_>,
    kinds: ValueKinds,
    quantum: Decimal,
    over: Option<&Node>,
) -> Result<PatternValue, RulesetError> {
    let exact = |key, node: &Node, value: Decimal| {
        if value.tenths() % quantum.tenths() == 0 {
            Ok(value)
        } else {
            let expected = format!("a multiple of {quantum}, the quantum");
            Err(one.bad(node, key, &expected))
        }
    };
    let doubles = 0..=20;
    let points = |key| -> Result<Option<i64>, RulesetError> {
        match (one.int(key, -1_000_000..=1_000_000)?, one.node(key)) {
            (Some(value), Some(node)) => {
                exact(key, node, Decimal::whole(value)).map(|_| Some(value))
            }
            _ => Ok(None),
        }
    };
    let yes = |key, value| Ok(one.bool(key)?.filter(|&yes| yes).map(|_| value));
    let fan = |key: &'static str| -> Result<Option<PatternValue>, RulesetError> {
        let Some(node) = one.node(key) else {
            return Ok(None);
        };
        let node = over.unwrap_or(node);
        let value = exact(key, node, one.decimal_of(node, key)?)?;
        if value.tenths() < 0 {
            return Err(one.bad(node, key, "0 or more"));
        }
        Ok(Some(PatternValue::Fan(value)))
    };
    let limits = |key: &'static str| -> Result<Option<PatternValue>, RulesetError> {
        let Some(node) = one.node(key) else {
            return Ok(None);
        };
        let node = over.unwrap_or(node);
        let tenths = one.decimal_of(node, key)?.tenths();
        if tenths % 10 != 0 || !(0..=10_000).contains(&tenths) {
            return Err(one.bad(node, key, "a whole number of limits from 0 to 1000"));
        }
        Ok(Some(PatternValue::Limits((tenths / 10) as u32)))
    };
    let (values, keys) = match kinds {
        ValueKinds::Doubles { .. } => (
            vec![
                points("points")?.map(PatternValue::Points),
                one.int("doubles", doubles.clone())?
                    .map(|n| PatternValue::Doubles(n as u32)),
                points("bonus")?.map(PatternValue::Bonus),
                one.int("final-doubles", doubles)?
                    .map(|n| PatternValue::FinalDoubles(n as u32)),
                yes("limit", PatternValue::Limit)?,
            ],
            "`points`, `doubles`, `bonus`, `final-doubles`, `limit`",
        ),
        ValueKinds::Fan => (
            vec![
                fan("value")?,
                limits("limits")?,
                yes("least", PatternValue::LeastFan)?,
            ],
            "`value`, `limits`, `least`",
        ),
    };
    let mut values = values.into_iter().flatten();
    let (Some(value), None) = (values.next(), values.next()) else {
        return Err(one.contradiction(format!("a pattern must have exactly one of {keys}")));
    };
    if let (PatternValue::Limit, ValueKinds::Doubles { has_cap: false }) = (value, kinds) {
        return Err(one.contradiction("a limit needs a `cap` in [score]"));
    }
    Ok(value)
}

fn read_patterns(
    section: &Section<'_>,
    names: &Vocabulary<'_>,
    kinds: ValueKinds,
    quantum: Decimal,
    overrides: Option<&Section<'_>>,
) -> Result<Vec<Pattern>, RulesetError> {
    section.only_tables()?;
    let ids: Vec<&str> = section.ids().map(|(id, ..)| id).collect();
    if ids.len() > MAX_PATTERNS {
        return Err(section.contradiction(format!("more than {MAX_PATTERNS} patterns")));
    }
    for entry in overrides.iter().flat_map(|over| over.entries()) {
        if !ids.contains(&entry.key.as_str()) {
            let fault = RulesetFault::UnknownName {
                what: "pattern",
                found: entry.key.clone(),
                suggestion: nearest(&entry.key, ids.iter().copied()),
            };
            return Err(section.texts().error(entry.place, 0, fault));
        }
    }
    let mut patterns = Vec::new();
    for (id, _, one) in section.ids() {
        // The last one set counts.
        let over = overrides
            .iter()
            .flat_map(|over| over.entries().iter().rev())
            .find(|entry| entry.key == id)
            .map(|entry| &entry.node);
        let value = read_value(&one, kinds, quantum, over)?;
        let per = match (one.text("per")?, one.node("per")) {
            (Some(text), Some(node)) => Some(
                condition::count(text, Scope::Hand, names)
                    .map_err(|error| one.texts().condition(node.place, error))?,
            ),
            _ => None,
        };
        let mut supersedes = Vec::new();
        for node in one.list("supersedes")? {
            let other = one.text_of(node, "supersedes")?;
            match ids.iter().position(|id| *id == other) {
                Some(place) => supersedes.push(place),
                None => {
                    let fault = RulesetFault::UnknownName {
                        what: "pattern",
                        found: other.to_owned(),
                        suggestion: nearest(other, ids.iter().copied()),
                    };
                    return Err(one.texts().error(node.place, 0, fault));
                }
            }
        }
        let statuses = [
            ("fixed", PatternStatus::Fixed),
            ("provisional", PatternStatus::Provisional),
            ("assumed", PatternStatus::Assumed),
        ];
        patterns.push(Pattern {
            id: id.to_owned(),
            value,
            when: read_condition(&one, "when", Scope::Hand, names)?,
            per,
            supersedes,
            doc: one.text("doc")?.unwrap_or_default().to_owned(),
            src: one.text("src")?.unwrap_or_default().to_owned(),
            status: one.word("status", &statuses)?.unwrap_or_default(),
        });
        one.finish()?;
    }
    Ok(patterns)
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
        ("dealer-keeps", NextDealer::DealerKeeps),
    ];
    let [end] = section.list("ends")? else {
        return Err(section.contradiction("`ends` must leave exactly one end of the match"));
    };
    let one = Section::of(section.texts(), end, "match.ends")?;
    let many = 1..=1_000_000_000;
    let end = match (one.int("deals", many.clone())?, one.int("rounds", many)?) {
        (Some(deals), None) => MatchEnd::Deals(deals as u32),
        (None, Some(rounds)) => MatchEnd::Rounds(rounds as u32),
        _ => return Err(one.contradiction("an end is after `deals` or after `rounds`")),
    };
    one.finish()?;
    let rules = MatchRules {
        start_points: section
            .int("start-points", -1_000_000_000..=1_000_000_000)?
            .unwrap_or(0),
        end,
        round_winds: section.bool("round-winds")?.unwrap_or(false),
        first_dealer: section
            .word("first-dealer", &first)?
            .unwrap_or(FirstDealer::Random),
        next_dealer: section
            .word("next-dealer", &next)?
            .unwrap_or(NextDealer::Rotate),
    };
    section.text("src")?;
    section.finish()?;
    Ok(rules)
}
