//! Scores one hand and explains it line by line. With the other hands of the table, it also says what everybody
//! pays, and why.
//!
//! ```text
//! paishan score --seat W --from E 123s456s789mEEE5m 5m
//! paishan score --meld 139s --meld closed:CCCC --flowers ho \
//!     --bonus 4m --svg hand.svg 149m0s7sdsE E
//! paishan score --ruleset woo --seat S CCC55m123t444sPP
//! paishan score --ruleset traditional --seat S --from W \
//!     --other E=111t258s369mESWN --other W=PPP369t147s258mE --other N=247t258s369mESWC \
//!     123t456t789s23m55m 1m
//! ```

use crate::hand::{self, HandArgs};
use crate::output::{self, Fault};
use crate::rules::{LangArgs, RulesArgs};
use paishan::decompose::{Holding, Scratch};
use paishan::draw::{self, Row, svg};
use paishan::request::{Goal, MOST_CHANGES, Request, SeatHand, Table};
use paishan::ruleset::{Plan, Ruleset};
use paishan::score::ScoreError;
use paishan::state::{OnTable, Win};
use paishan::{Notation, Number, ParseTilesError, Seat, Tile, Wording};
use std::path::PathBuf;

/// Scores one hand and explains it.
#[derive(clap::Args)]
pub struct Args {
    /// Concealed tiles without the winning tile, such as `123s456s789sEECC`.
    hand: String,
    /// The winning tile; none for the hand of a player who did not win.
    tile: Option<String>,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    names: LangArgs,
    #[command(flatten)]
    with: HandArgs,
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
    honba: u32,
    /// Deposits on the table.
    #[arg(long, default_value_t = 0)]
    deposits: u32,
    /// Kongs in a row, for a win on a tile drawn for a kong.
    #[arg(long)]
    kongs_in_row: Option<u8>,
    /// Says why a pattern does not count, and what would have to change; may be repeated.
    #[arg(long = "why-not", value_name = "PATTERN")]
    why_not: Vec<String>,
    /// Writes a picture of the hand here.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Another hand as written.
fn other(notation: Notation, text: &str) -> Result<SeatHand, String> {
    let (seat, rest) = text.split_once('=').unwrap_or((text, ""));
    let (tiles, flowers) = rest.split_once('/').unwrap_or((rest, ""));
    let mut parts = tiles.split('+');
    let hand = parts.next().unwrap_or_default();
    let seat = seat.parse().map_err(|error| format!("{error}"))?;
    hand::read(notation, seat, hand, parts, flowers).map_err(|error| error.to_string())
}

impl Args {
    fn tiles(&self, text: &str) -> Result<Vec<Tile>, ParseTilesError> {
        self.with.notation.parse(text)
    }

    fn wording(&self) -> Wording {
        self.with.notation.in_lang(self.names.lang)
    }

    /// What is asked for this hand, with `tile` as the winning tile.
    fn request(&self, plan: &Plan, tile: Option<Tile>) -> Result<Request, String> {
        let win = tile.map(|tile| self.with.win(plan, tile)).transpose()?;
        let kongs_in_row = self.kongs_in_row.unwrap_or_default();
        let win = win.map(|win| Win {
            kongs_in_row,
            ..win
        });
        let read = || -> Result<Request, ParseTilesError> {
            let mut request = Request::of_hand(self.with.hand(&self.hand)?, win);
            request.indicators = self.tiles(&[&*self.bonus, &*self.dora].concat())?;
            request.under_indicators = self.tiles(&self.ura)?;
            Ok(request)
        };
        let mut request = read().map_err(|error| error.to_string())?;
        request.round = self.with.round;
        request.on_table = OnTable {
            counters: self.honba,
            deposits: self.deposits,
        };
        Ok(request)
    }

    /// The request for this hand, or for the table if there are other hands.
    fn whole(&self, plan: &Plan) -> Result<Request, String> {
        let tile = self
            .tile
            .as_ref()
            .map(|tile| self.with.notation.parse_one(tile));
        let tile = tile.transpose().map_err(|error| error.to_string())?;
        let mut request = self.request(plan, tile)?;
        for text in &self.others {
            request.hands.push(other(self.with.notation, text)?);
        }
        request.hands.sort_by_key(|hand| hand.seat);
        Ok(request)
    }

    /// Describes a hand that is no win: its distance and the accepted tiles, or which of the tiles that complete it win
    /// under the same circumstances.
    fn advice(&self, rules: &dyn Ruleset, table: &Table<'_>) -> Option<String> {
        let (plan, notation) = (rules.plan(), self.with.notation);
        let holding = Holding::from(
            table
                .inputs()
                .find(|input| input.seat == self.with.seat)?
                .hand,
        );
        let mut scratch = Scratch::new();
        let (distance, accepts) = plan.decomposer().accepts(&holding, &mut scratch);
        if distance != 0 {
            let accepts = notation.print_kinds(accepts.iter()).join(" ");
            return Some(format!("It is {distance} away from ready; {accepts} help."));
        }
        let (mut winning, mut poor, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for tile in accepts.iter().map(Tile::plain) {
            let request = self.request(plan, Some(tile)).ok()?;
            let tile = notation.print_one(tile);
            match request.check(rules).ok().map(|table| table.score()) {
                Some(Ok(_)) => winning.push(tile),
                Some(Err(ScoreError::BelowMinimum(_))) => poor.push(tile),
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

/// The hand drawn for the terminal, and as a picture if one is wanted.
fn drawn(args: &Args, table: &Table<'_>) -> Result<String, Fault> {
    let Some(own) = table.inputs().find(|input| input.seat == args.with.seat) else {
        return Ok(String::new());
    };
    let row = Row::of_hand(own.hand, own.win.map(|win| win.tile));
    if let Some(path) = &args.svg {
        output::write(path, svg::row(&row).as_bytes())?;
    }
    Ok(format!("{}\n", draw::text::row(&row)))
}

pub fn run(args: &Args) -> Result<String, Fault> {
    let rules = args.rules.load()?;
    let request = args.whole(rules.plan())?;
    let table = request.check(&rules);
    let table = table.map_err(|error| format!("{error} ({})", error.code()))?;
    let scored = match args.others.is_empty() {
        true => scored(args, &rules, &table)?,
        false => settled(args, rules.plan(), &table)?,
    };
    Ok(format!("{}{scored}", drawn(args, &table)?))
}

/// What is said of a hand without a score.
fn refused(error: &ScoreError, advice: Option<String>) -> String {
    let advice = advice.unwrap_or_default();
    format!("{error} ({}). {advice}", error.code())
        .trim_end()
        .to_owned()
}

/// The fewest changes that reach a goal.
fn repaired(args: &Args, table: &Table<'_>, goal: &Goal, so_that: &str) -> Result<String, String> {
    let repair = table.repair(goal).map_err(|error| error.to_string())?;
    let Some(repair) = repair else {
        return Ok(format!(
            "  {so_that}: more than {MOST_CHANGES} changes needed\n"
        ));
    };
    let changes = repair.changes.iter();
    let words: Vec<String> = changes
        .map(|one| one.describe(args.with.notation))
        .collect();
    Ok(format!("  {so_that}: {}\n", words.join("; ")))
}

fn scored(args: &Args, rules: &dyn Ruleset, table: &Table<'_>) -> Result<String, String> {
    match table.explain(args.wording()) {
        Ok(told) => {
            let name = rules.plan().names().get(args.names.lang);
            let mut out = format!("{name}\n\n{told}");
            if !told.wins && table.inputs().any(|input| input.win.is_some()) {
                out.push_str(&repaired(args, table, &Goal::Win, "to win")?);
            }
            for id in &args.why_not {
                let why = table.why_not(id).map_err(|error| error.to_string())?;
                let why = why.ok_or_else(|| format!("there is no pattern `{id}`"))?;
                out.push_str(&match why.is_empty() {
                    true => format!("{id} counts\n"),
                    false => format!("{id} does not count: {}\n", why.join("; ")),
                });
                if !why.is_empty() && table.inputs().any(|input| input.win.is_some()) {
                    out.push_str(&repaired(
                        args,
                        table,
                        &Goal::Pattern(id.clone()),
                        "it counts",
                    )?);
                }
            }
            Ok(out)
        }
        Err(error @ ScoreError::NotAWin) => Err(refused(&error, args.advice(rules, table))),
        Err(error) => Err(refused(&error, None)),
    }
}

fn settled(args: &Args, plan: &Plan, table: &Table<'_>) -> Result<String, String> {
    let settlement = table.settle().map_err(|error| refused(&error, None))?;
    let per_point = plan.units_per_point();
    let mut out = String::new();
    for (seat, told) in table.explain_settlement(&settlement, args.wording()) {
        out.push_str(&format!("-- {seat} --\n\n{told}\n"));
    }
    for payment in &settlement.payments {
        out.push_str(&payment.describe(plan.payments()));
        out.push('\n');
    }
    for seat in Seat::all(plan.players()) {
        let delta = Number::of_units(settlement.deltas[seat], per_point);
        out.push_str(&format!("{seat} {delta}\n"));
    }
    Ok(out)
}
