//! Scores one hand and explains it line by line. With the other hands of the table, it also says what everybody
//! pays, and why.
//!
//! ```text
//! cargo run --release --example score_hand -- --seat W --from E 123s456s789mEEE5m 5m
//! cargo run --release --example score_hand -- --meld 139s --meld closed:CCCC --flowers ho \
//!     --bonus 4m --svg hand.svg 149m0s7sdsE E
//! cargo run --release --example score_hand -- --ruleset woo --seat S CCC55m123t444sPP
//! cargo run --release --example score_hand -- --ruleset traditional --seat S --from W \
//!     --other E=111t258s369mESWN --other W=PPP369t147s258mE --other N=247t258s369mESWC \
//!     123t456t789s23m55m 1m
//! ```

#[path = "common/output.rs"]
mod output;
#[path = "common/rules.rs"]
mod rules;

use clap::Parser;
use output::Fault;
use paishan::decompose::{Holding, Scratch};
use paishan::draw::{self, Row, svg};
use paishan::hand::SetAside;
use paishan::protocol::{
    Asked, Body, PlayerAsked, Responder, ScoreAnswer, TallyAnswer, Value, WinAsked,
};
use paishan::ruleset::{self, OptionMap, Plan, Ruleset, Source};
use paishan::score::{PatternValue, ScoreFamily};
use paishan::{Hand, Meld, Notation, Tile};
use rules::RulesArgs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Scores one hand and explains it.
#[derive(Parser)]
#[command(version, about, after_help = output::STATUS)]
struct Args {
    /// Concealed tiles without the winning tile, such as `123s456s789sEECC`.
    hand: String,
    /// The winning tile; none for the hand of a player who did not win.
    tile: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// The seat: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: String,
    /// The wind of the round.
    #[arg(long, default_value = "E")]
    round: String,
    /// How the winning tile came: wall, replacement, discard, robbed-kong. With --from a discard
    /// is assumed, without it the wall.
    #[arg(long)]
    by: Option<String>,
    /// The seat whose tile it was.
    #[arg(long)]
    from: Option<String>,
    /// A circumstance such as last-tile; may be repeated.
    #[arg(long = "flag")]
    flags: Vec<String>,
    /// A declared meld: tiles, `closed:` before them for a concealed one; may be repeated.
    #[arg(long = "meld", value_name = "[closed:]TILES")]
    melds: Vec<String>,
    /// Flowers laid down.
    #[arg(long, default_value = "")]
    flowers: String,
    /// Tiles set aside, such as norths in riichi-sanma.
    #[arg(long, value_name = "TILES", default_value = "")]
    set_aside: String,
    /// Another hand of the table: its seat, concealed tiles, melds each after a `+`, flowers after a
    /// `/`, such as `N=47t2s8m+3333s+closed:CCCC+FFF/hi`. With all of them the table is settled.
    #[arg(long = "other", value_name = "SEAT=HAND[+MELD][/FLOWERS]")]
    others: Vec<String>,
    /// Indicators (bonus tiles) that lie face up.
    #[arg(long, default_value = "")]
    bonus: String,
    /// Dora indicators (riichi).
    #[arg(long, default_value = "")]
    dora: String,
    /// The indicators under them.
    #[arg(long, default_value = "")]
    ura: String,
    /// Counters on the table.
    #[arg(long, default_value_t = 0)]
    honba: i64,
    /// Deposits on the table.
    #[arg(long, default_value_t = 0)]
    deposits: i64,
    /// Quads in a row, for a win on a tile drawn for a quad.
    #[arg(long)]
    quads: Option<i64>,
    /// Writes a picture of the hand here.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How tiles are written: ujmj or mpsz.
    #[arg(long, default_value = "ujmj")]
    notation: String,
}

/// A meld as written, and whether it is open.
fn raw_meld(meld: &str) -> (bool, &str) {
    match meld.strip_prefix("closed:") {
        Some(tiles) => (false, tiles),
        None => (true, meld),
    }
}

/// A hand as written: its melds, and flowers behind a `/`.
fn player<'a>(
    seat: &str,
    hand: &str,
    melds: impl Iterator<Item = (bool, &'a str)>,
    flowers: &str,
) -> PlayerAsked {
    PlayerAsked {
        seat: seat.to_owned(),
        hand: hand.to_owned(),
        melds: melds
            .map(|(open, tiles)| (open, tiles.to_owned()))
            .collect(),
        flowers: flowers.to_owned(),
        ..PlayerAsked::default()
    }
}

impl Args {
    /// The melds as written, each with whether it is open.
    fn raw_melds(&self) -> impl Iterator<Item = (bool, &str)> {
        self.melds.iter().map(|meld| raw_meld(meld))
    }

    /// The hand that is scored.
    fn own(&self) -> PlayerAsked {
        PlayerAsked {
            set_aside: self.set_aside.clone(),
            ..player(&self.seat, &self.hand, self.raw_melds(), &self.flowers)
        }
    }

    /// Every player who is given, in seat order.
    fn players(&self) -> Vec<PlayerAsked> {
        let mut players = vec![self.own()];
        for other in &self.others {
            let (seat, rest) = other.split_once('=').unwrap_or((other, ""));
            let (tiles, flowers) = rest.split_once('/').unwrap_or((rest, ""));
            let mut parts = tiles.split('+');
            let hand = parts.next().unwrap_or_default();
            players.push(player(seat, hand, parts.map(raw_meld), flowers));
        }
        players.sort_by_key(|player| "ESWN56".find(&player.seat));
        players
    }

    /// What is asked for this hand alone, with `tile` as the winning tile. Programs and people take the same path.
    fn asked(&self, source: &Source, tile: Option<&str>) -> Asked {
        let win = tile.map(|tile| WinAsked {
            tile: tile.to_owned(),
            by: self.by.clone(),
            from: self.from.clone(),
            flags: self.flags.clone(),
            quads: self.quads,
        });
        Asked {
            rules: source.clone(),
            options: OptionMap(ruleset::merged(&self.rules.options)),
            notation: self.notation.clone(),
            round: self.round.clone(),
            bonus: self.bonus.clone(),
            dora: self.dora.clone(),
            ura: self.ura.clone(),
            honba: self.honba,
            deposits: self.deposits,
            players: vec![self.own()],
            win,
        }
    }

    /// The request for this hand, or for the table if there are other hands.
    fn request(&self, source: &Source) -> Value {
        let asked = self.asked(source, self.tile.as_deref());
        if self.others.is_empty() {
            return asked.score();
        }
        let players = self.players();
        Asked { players, ..asked }.settle(&self.seat)
    }

    /// The hand as it lies on the table, and its last tile. `None` if the tiles are no hand.
    fn hand(&self, plan: &Plan) -> Option<(Hand, Option<Tile>)> {
        let notation = Notation::by_name(&self.notation)?;
        let grammar = plan.decomposer.grammar();
        let mut melds = Vec::new();
        for (open, tiles) in self.raw_melds() {
            let tiles = notation.parse(tiles).ok()?;
            let kinds: Option<Vec<_>> = tiles.iter().map(|tile| tile.kind()).collect();
            melds.push(Meld {
                open,
                ..Meld::concealed(grammar.meld_of(&kinds?)?)
            });
        }
        let tiles = notation.parse(&self.hand).ok()?;
        let flowers = notation.parse(&self.flowers).ok()?;
        let last = match &self.tile {
            Some(tile) => Some(notation.parse_one(tile).ok()?),
            None => None,
        };
        let groups = grammar.groups();
        let mut hand = Hand::try_new_for(groups, &plan.tiles, &tiles, &melds, &flowers).ok()?;
        let aside = notation.parse(&self.set_aside).ok()?;
        if let Some(tile) = aside.first() {
            hand.set_aside = SetAside::new(tile.kind()?, aside.len())?;
        }
        Some((hand, last))
    }

    /// Describes a hand that is no win: its distance and the accepted tiles, or which of the tiles that complete it win
    /// under the same circumstances.
    fn advice(&self, plan: &Plan, source: &Source, responder: &mut Responder) -> Option<String> {
        let notation = Notation::by_name(&self.notation)?;
        let holding = Holding::from(&self.hand(plan)?.0);
        let mut scratch = Scratch::new();
        let (distance, accepts) = plan.decomposer.accepts(&holding, &mut scratch);
        let accepts = notation.print_kinds(accepts.iter());
        if distance != 0 {
            let accepts = accepts.join(" ");
            return Some(format!("It is {distance} away from ready; {accepts} help."));
        }
        let (mut winning, mut poor, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for tile in accepts {
            let request = self.asked(source, Some(&tile)).score();
            match responder.answer(&request).body {
                Body::Score(_) => winning.push(tile),
                Body::Error { score: Some(_), .. } => poor.push(tile),
                _ => refused.push(tile),
            }
        }
        let mut out = match winning.is_empty() {
            true => "It needs one more tile, but no tile wins.".to_owned(),
            false => format!("It is ready and waits for {}.", winning.join(" ")),
        };
        for (tiles, why) in [
            (poor, "it is complete but not worth enough to win"),
            (refused, "it is complete but no win"),
        ] {
            if !tiles.is_empty() {
                out.push_str(&format!(" With {} {why}.", tiles.join(" ")));
            }
        }
        Some(out)
    }
}

fn is_han_fu(plan: &Plan) -> bool {
    matches!(plan.score.family(), ScoreFamily::HanFu(_))
}

/// What a value adds, in words.
fn worth(value: PatternValue, plan: &Plan) -> String {
    match value {
        PatternValue::Points(points) => format!("{points} points"),
        PatternValue::Bonus(points) => format!("{points} points bonus"),
        PatternValue::Doubles(1) => "1 double".to_owned(),
        PatternValue::Doubles(doubles) => format!("{doubles} doubles"),
        PatternValue::FinalDoubles(doubles) => format!("{doubles} double at the end"),
        PatternValue::LimitPoints(points) => format!("limit, {points}"),
        PatternValue::Limit => match &plan.score.family() {
            ScoreFamily::Doubles(rules) => format!("limit, {}", rules.limit.unwrap_or_default()),
            _ => "limit".to_owned(),
        },
        PatternValue::Fan(fan) => format!("{fan} f"),
        PatternValue::BonusFan(fan) => format!("{fan} f bonus"),
        PatternValue::LeastFan => "the least that wins".to_owned(),
        PatternValue::Limits(1) if is_han_fu(plan) => "limit hand".to_owned(),
        PatternValue::Limits(limits) if is_han_fu(plan) => format!("{limits} × limit hand"),
        PatternValue::Limits(limits) => format!("{limits} l"),
        PatternValue::Han { closed, open } if closed == open => format!("{closed} han"),
        PatternValue::Han { closed, open: 0 } => format!("{closed} han, closed"),
        PatternValue::Han { closed, open } => format!("{closed} han, open {open}"),
        PatternValue::BonusHan(han) => format!("{han} han, no yaku"),
        PatternValue::HanAlone(han) => format!("{han} han, alone"),
    }
}

fn explain(plan: &Plan, score: &ScoreAnswer, won: bool) -> String {
    let mut out = format!(
        "{}\n\nread as  {}\n\n",
        plan.name,
        score.arrangement.join(" ")
    );
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for pattern in &score.patterns {
        // In fan and han a pattern has one line with the product. Elsewhere it has a line for each time.
        let known = plan.score.patterns().iter().find(|p| p.id == pattern.id);
        if let Some(PatternValue::BonusHan(han)) = known.map(|known| known.value) {
            let times = pattern.value.tenths() / (10 * i64::from(han.max(1)));
            counted.push((&pattern.id, times as usize));
            continue;
        }
        if let Some(PatternValue::Fan(fan)) = known.map(|known| known.value) {
            let times = pattern.value.tenths() / fan.tenths().max(1);
            counted.push((&pattern.id, times as usize));
            continue;
        }
        match counted.last_mut() {
            Some((id, times)) if *id == pattern.id => *times += 1,
            _ => counted.push((&pattern.id, 1)),
        }
    }
    for (id, times) in &counted {
        let Some(pattern) = plan.score.patterns().iter().find(|p| p.id == *id) else {
            continue;
        };
        let times = if *times > 1 {
            format!("{times} × ")
        } else {
            String::new()
        };
        out.push_str(&format!(
            "{:<26}{:<26}{}  [{}]\n",
            id,
            format!("{times}{}", worth(pattern.value, plan)),
            pattern.doc,
            pattern.src
        ));
    }
    if counted.is_empty() {
        out.push_str("nothing counts\n");
    }
    out.push_str(&match &score.tally {
        TallyAnswer::Doubles {
            base,
            doubles,
            bonus,
            limit,
            uncapped,
        } => {
            let mut sum = format!("\nbase {base}");
            if *doubles > 0 {
                sum.push_str(&format!(", doubles {doubles}"));
            }
            if *bonus > 0 {
                sum.push_str(&format!(", bonus {bonus}"));
            }
            if *doubles > 0 || *bonus > 0 {
                sum.push_str(&format!(": {uncapped}"));
            }
            if score.points > *uncapped && !*limit {
                sum.push_str(", rounded up");
            }
            if *limit {
                sum.push_str(if score.points < *uncapped {
                    ", held down to the limit"
                } else {
                    ", worth the limit"
                });
            }
            sum
        }
        TallyAnswer::HanFu {
            limits: limits @ 1..,
            ..
        } => format!("\n{limits} limits"),
        TallyAnswer::HanFu { han, fu, name, .. } => {
            let name = name.as_ref().map(|name| format!(": {name}"));
            format!("\n{han} han {fu} fu{}", name.unwrap_or_default())
        }
        TallyAnswer::Fan { fan, limits: 0 } => format!("\n{fan} f"),
        TallyAnswer::Fan { fan, limits } => format!("\n{fan} f, {limits} l"),
        _ => String::new(),
    });
    out.push_str(&format!("\n{} points\n", score.points));
    if won {
        out.push_str(&missed(plan, &counted));
    }
    out
}

/// Patterns of the win itself that did not count, if that helps to see what was close.
fn missed(plan: &Plan, counted: &[(&str, usize)]) -> String {
    let helpful = plan.score.patterns().iter().filter(|pattern| {
        let per_set = matches!(pattern.value, PatternValue::Points(_));
        !per_set && !counted.iter().any(|(id, _)| *id == pattern.id)
    });
    let lines: Vec<String> = helpful
        .map(|pattern| {
            let worth = worth(pattern.value, plan);
            format!("  {:<30}{worth:<26}{}", pattern.id, pattern.doc)
        })
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\ndid not count\n{}\n", lines.join("\n"))
}

/// The hand drawn for the terminal, and as a picture if one is wanted.
fn drawn(args: &Args, plan: &Plan) -> Result<String, Fault> {
    let Some((hand, last)) = args.hand(plan) else {
        return Ok(String::new());
    };
    let row = Row::of_hand(&hand, last);
    if let Some(path) = &args.svg {
        output::write(path, svg::row(&row).as_bytes())?;
    }
    Ok(format!("{}\n", draw::text::row(&row)))
}

fn run(args: &Args) -> Result<String, Fault> {
    let source = args.rules.source()?;
    let rules = source
        .load(&args.rules.options)
        .map_err(|error| error.to_string());
    let drawing = match &rules {
        Ok(rules) => drawn(args, rules.plan())?,
        Err(_) => String::new(),
    };
    Ok(format!("{drawing}{}", scored(args, &source, rules)?))
}

fn scored(
    args: &Args,
    source: &Source,
    rules: Result<Arc<dyn Ruleset>, String>,
) -> Result<String, String> {
    let mut responder = Responder::new();
    let answer = responder.answer(&args.request(source));
    match (answer.body, rules) {
        (Body::Score(score), Ok(rules)) => Ok(explain(rules.plan(), &score, args.tile.is_some())),
        (
            Body::Settle {
                scores,
                deltas,
                payments,
            },
            Ok(rules),
        ) => {
            let mut out = String::new();
            for (seat, score) in "ESWN56".chars().zip(&scores) {
                let Some(score) = score else { continue };
                let text = explain(rules.plan(), score, false);
                let text = text.trim_start_matches(rules.plan().name.as_str());
                out.push_str(&format!("-- {seat} --{text}\n"));
            }
            for payment in &payments {
                out.push_str(&payment.why);
                out.push('\n');
            }
            for (seat, delta) in "ESWN56".chars().zip(&deltas) {
                out.push_str(&format!("{seat} {delta}\n"));
            }
            Ok(out)
        }
        (
            Body::Error {
                score: Some(score), ..
            },
            Ok(rules),
        ) => {
            let text = explain(rules.plan(), &score, true);
            Ok(format!("{text}not enough to win\n"))
        }
        (Body::Error { error, .. }, Ok(rules)) if error.code == "not-a-win" => {
            let advice = args.advice(rules.plan(), source, &mut responder);
            let advice = advice.unwrap_or_default();
            Err(format!("{} ({}). {advice}", error.message, error.code))
        }
        (Body::Error { error, .. }, _) => Err(format!("{} ({})", error.message, error.code)),
        (_, Err(error)) => Err(error),
        _ => Err("a score was asked for and something else came".to_owned()),
    }
}

fn main() -> ExitCode {
    output::end_with("score_hand", run(&Args::parse()))
}
