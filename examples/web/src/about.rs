//! What rulesets are: their names, tiles, options and their texts.

use crate::{Answered, Engine, Fault, Request, told};
use paishan::draw::{Piece, svg};
use paishan::protocol::{Value, read_score};
use paishan::ruleset::{self, OptionType, OptionValue, Plan, Source};
use paishan::seat::Seat;
use paishan::tile::{Face, Flower, Wind};
use paishan::{Lang, Rules, Tile};
use serde::Serialize;

#[derive(Serialize)]
struct Listed {
    id: &'static str,
    name: String,
    players: usize,
    langs: Vec<String>,
}

#[derive(Serialize)]
struct ListAnswer {
    rulesets: Vec<Listed>,
}

/// The built-in rulesets.
pub fn rulesets(lang: Lang) -> Answered {
    let mut rulesets = Vec::new();
    for id in ruleset::ids() {
        let rules = Rules::by_id(id)?;
        let plan = rules.plan();
        rulesets.push(Listed {
            id,
            name: plan.names().get(lang).to_owned(),
            players: plan.players(),
            langs: langs(plan),
        });
    }
    told(ListAnswer { rulesets })
}

/// The languages in which the ruleset has a name, English first.
fn langs(plan: &Plan) -> Vec<String> {
    let mut langs = vec![Lang::EN.as_str().to_owned()];
    let others = plan.names().langs().filter(|lang| *lang != Lang::EN);
    langs.extend(others.map(|lang| lang.as_str().to_owned()));
    langs
}

#[derive(Serialize)]
struct TileAnswer {
    /// The tile in `ujmj` notation.
    tile: String,
    name: String,
    copies: u8,
    /// `t`, `s` or `m` for number tiles, `honour`, `joker` or `flower`.
    group: &'static str,
}

#[derive(Serialize)]
struct FlagAnswer<'a> {
    id: &'a str,
    doc: &'a str,
}

#[derive(Serialize)]
struct OptionAnswer<'a> {
    name: &'a str,
    title: &'a str,
    doc: &'a str,
    #[serde(flatten)]
    kind: Kind<'a>,
    default: Value,
    value: Value,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Kind<'a> {
    Bool,
    Int { min: i64, max: i64, step: i64 },
    Decimal { min: Value, max: Value, step: Value },
    Enum { values: &'a [String] },
    Ints { len: usize, min: i64, max: i64 },
    Words { values: &'a [String] },
    PatternValues { patterns: Vec<&'a str> },
    Other,
}

impl<'a> From<&'a OptionType> for Kind<'a> {
    fn from(kind: &'a OptionType) -> Self {
        let value = |decimal| Value::from(OptionValue::Decimal(decimal));
        match kind {
            OptionType::Bool => Self::Bool,
            OptionType::Int { min, max, step } => Self::Int {
                min: *min,
                max: *max,
                step: *step,
            },
            OptionType::Decimal { min, max, step } => Self::Decimal {
                min: value(*min),
                max: value(*max),
                step: value(*step),
            },
            OptionType::Enum { values } => Self::Enum { values },
            OptionType::Ints { len, min, max } => Self::Ints {
                len: *len,
                min: *min,
                max: *max,
            },
            OptionType::Words { values } => Self::Words { values },
            OptionType::PatternValues { patterns } => Self::PatternValues {
                patterns: patterns.iter().map(|one| one.id.as_str()).collect(),
            },
            _ => Self::Other,
        }
    }
}

#[derive(Serialize)]
struct PatternAnswer<'a> {
    id: &'a str,
    name: &'a str,
    doc: &'a str,
}

#[derive(Serialize)]
struct AboutAnswer<'a> {
    ruleset: &'a str,
    name: &'a str,
    doc: &'a str,
    version: &'a str,
    hash: String,
    langs: Vec<String>,
    players: usize,
    /// The seats in order, as letters.
    seats: Vec<char>,
    /// The winds, from East, with their names.
    winds: Vec<(char, &'a str)>,
    /// The size of a hand between turns.
    hand: usize,
    tiles: Vec<TileAnswer>,
    flags: Vec<FlagAnswer<'a>>,
    ways: Vec<&'static str>,
    /// Members of a `score` request that the ruleset has.
    members: Vec<&'static str>,
    score: String,
    /// Settlement needs the points of losing hands.
    settles_losers: bool,
    patterns: Vec<PatternAnswer<'a>>,
    options: Vec<OptionAnswer<'a>>,
}

/// The members of a `score` request that not every ruleset has, found by reading requests that have them.
fn members(plan: &Plan) -> Vec<&'static str> {
    let reads = |around: &str, player: &str, win: &str| {
        let text = format!(
            r#"{{"player": {{"seat": "E", "hand": ""{player}}}, "win": {{"tile": "1s", "by": "wall"{win}}}{around}}}"#
        );
        let value: Option<Value> = serde_json::from_slice(text.as_bytes()).ok();
        value.is_some_and(|value| read_score(plan, &value).is_ok())
    };
    let round = r#", "round": "E""#;
    let has_round = !reads("", "", "");
    let base = if has_round { round } else { "" };
    let mut members = Vec::new();
    if has_round {
        members.push("round");
    }
    for (member, example) in [
        ("bonus", r#", "bonus": """#),
        ("dora", r#", "dora": """#),
        ("ura", r#", "ura": """#),
        ("honba", r#", "honba": 0"#),
        ("deposits", r#", "deposits": 0"#),
    ] {
        if reads(&format!("{base}{example}"), "", "") {
            members.push(member);
        }
    }
    if reads(base, r#", "set_aside": """#, "") {
        members.push("set_aside");
    }
    let after_kong = r#", "flags": ["after-kong"]"#;
    let in_a_row = r#", "flags": ["after-kong"], "quads": 1"#;
    if reads(base, "", after_kong) && reads(base, "", in_a_row) {
        members.push("quads");
    }
    members
}

fn group(tile: Tile) -> &'static str {
    match tile.face() {
        Face::Flower(_) => "flower",
        Face::RedFive(suit) => suit_group(suit),
        Face::Plain(kind) => match kind.suit() {
            Some(suit) => suit_group(suit),
            None if kind == paishan::Kind::JOKER => "joker",
            None => "honour",
        },
    }
}

const fn suit_group(suit: paishan::Suit) -> &'static str {
    match suit {
        paishan::Suit::Circles => "t",
        paishan::Suit::Bamboos => "s",
        paishan::Suit::Characters => "m",
    }
}

fn tile_answers(plan: &Plan, lang: Lang) -> Vec<TileAnswer> {
    let mut tiles: Vec<TileAnswer> = Vec::new();
    for tile in plan.tiles().iter() {
        let text = tile.to_string();
        match tiles.last_mut() {
            Some(last) if last.tile == text => last.copies += 1,
            _ => tiles.push(TileAnswer {
                name: plan.tile_names().tile(tile, lang),
                tile: text,
                copies: 1,
                group: group(tile),
            }),
        }
    }
    tiles
}

impl Engine {
    /// What a page needs to know of a ruleset.
    pub(crate) fn about(&mut self, request: &Request) -> Answered {
        let rules = self.rules(&request.choice())?;
        let (plan, lang) = (rules.plan(), request.lang);
        let option = |(spec, value): (&'_ _, &OptionValue)| {
            let spec: &ruleset::OptionSpec = spec;
            (spec.clone(), value.clone())
        };
        let options: Vec<(ruleset::OptionSpec, OptionValue)> =
            plan.options().iter().map(option).collect();
        told(AboutAnswer {
            ruleset: plan.id(),
            name: plan.names().get(lang),
            doc: plan.doc(),
            version: plan.version(),
            hash: format!("{:016x}", plan.content_hash()),
            langs: langs(plan),
            players: plan.players(),
            seats: Seat::all(plan.players()).map(Seat::letter).collect(),
            winds: Wind::ALL
                .into_iter()
                .map(|wind| (wind.letter(), plan.tile_names().wind(wind, lang)))
                .collect(),
            hand: plan.decomposer().grammar().hand_tiles(),
            tiles: tile_answers(plan, lang),
            flags: plan
                .flags()
                .iter()
                .map(|flag| FlagAnswer {
                    id: &flag.id,
                    doc: &flag.doc,
                })
                .collect(),
            ways: plan.ways().iter().map(|way| way.word()).collect(),
            members: members(plan),
            score: plan.score().family().columns().join(" and "),
            settles_losers: plan.settlement().settles_losers(),
            patterns: plan
                .score()
                .patterns()
                .iter()
                .map(|pattern| PatternAnswer {
                    id: &pattern.id,
                    name: pattern.names.get(lang),
                    doc: &pattern.doc,
                })
                .collect(),
            options: options
                .iter()
                .map(|(spec, value)| OptionAnswer {
                    name: &spec.name,
                    title: spec.names.get(lang),
                    doc: &spec.doc,
                    kind: (&spec.kind).into(),
                    default: spec.default.clone().into(),
                    value: value.clone().into(),
                })
                .collect(),
        })
    }
}

#[derive(Serialize)]
struct SheetAnswer {
    sheet: String,
}

/// The pictures of all tiles, and of one that lies face down. Options may add tiles to a ruleset.
pub fn tiles() -> Answered {
    let kinds = paishan::Kind::all().map(Tile::plain);
    let reds = paishan::Suit::ALL.into_iter().map(Tile::red_five);
    let flowers = Flower::all().map(Tile::flower);
    let up = kinds.chain(reds).chain(flowers).map(Piece::Up);
    told(SheetAnswer {
        sheet: svg::sheet(up.chain([Piece::Down])),
    })
}

#[derive(Serialize)]
struct TextAnswer<'a> {
    ruleset: &'a str,
    text: &'static str,
    /// The text with everything that it extends.
    resolved: String,
}

/// The text of a built-in ruleset.
pub fn text(request: &Request) -> Answered {
    let id = request.ruleset.as_deref().unwrap_or_default();
    let text = ruleset::text(id)
        .ok_or_else(|| Fault::new("unknown-ruleset", format!("unknown ruleset `{id}`")))?;
    told(TextAnswer {
        ruleset: id,
        text,
        resolved: Source::BuiltIn(id.to_owned())
            .resolved()
            .unwrap_or_default(),
    })
}
