//! How far an unfinished hand is from a complete one, from one that is worth enough, or from one with a pattern.
//!
//! ```text
//! paishan distance --ruleset riichi-tenhou --seen 7m3m 222444t555s23m77mE
//! paishan distance --ruleset riichi-tenhou --pattern four-concealed-pons 222444t555s23m77mE
//! paishan distance --ruleset mcr --worth 8 --by discard 123t456s789m22s34t
//! ```

use crate::hand::HandArgs;
use crate::output::Fault;
use crate::rules::RulesArgs;
use paishan::Decimal;
use paishan::request::{Accepted, Distance, Goal, Nearest, Unfinished};
use paishan::ruleset::Plan;

/// Says how far an unfinished hand is from a complete one, and which tiles help. Tiles with which `[win]` would refuse a
/// ready hand are not listed.
#[derive(clap::Args)]
pub struct Args {
    /// Concealed tiles, with or without the drawn tile.
    hand: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// A hand that wins worth at least this many fan, doubles or han.
    #[arg(long, conflicts_with_all = ["points", "pattern"], value_parser = decimal)]
    worth: Option<Decimal>,
    /// A hand that wins worth at least this many points.
    #[arg(long, conflicts_with = "pattern")]
    points: Option<i64>,
    /// A hand that wins with this pattern.
    #[arg(long, value_name = "ID")]
    pattern: Option<String>,
    /// Tiles that are visible elsewhere: discards, melds of others.
    #[arg(long, value_name = "TILES", default_value = "")]
    seen: String,
    /// The greatest distance that is searched for, with --worth, --points or --pattern and where `[win]` may refuse complete
    /// hands: 0 to 3.
    #[arg(long, default_value_t = 2)]
    within: u8,
    #[command(flatten)]
    with: HandArgs,
    /// Indicators that lie face up.
    #[arg(long, value_name = "TILES", default_value = "")]
    indicators: String,
}

fn decimal(text: &str) -> Result<Decimal, String> {
    Decimal::parse(text).ok_or_else(|| "a number with at most one decimal place".to_owned())
}

impl Args {
    fn unfinished(&self, plan: &Plan) -> Result<Unfinished, String> {
        let goal = match (self.worth, self.points, &self.pattern) {
            (Some(worth), ..) => Goal::Worth(worth),
            (_, Some(points), _) => Goal::Points(points),
            (_, _, Some(id)) => Goal::Pattern(id.clone()),
            _ => Goal::Complete,
        };
        let told = |error: paishan::ParseTilesError| error.to_string();
        let tiles = |text: &str| self.with.notation.parse(text).map_err(told);
        let hand = self.with.hand(&self.hand).map_err(told)?;
        let mut unfinished = Unfinished::new(hand, goal);
        unfinished.seen = tiles(&self.seen)?;
        unfinished.indicators = tiles(&self.indicators)?;
        unfinished.round = self.with.round;
        unfinished.within = self.within;
        unfinished.win = self.with.win(plan, unfinished.win.tile)?;
        Ok(unfinished)
    }

    fn accepts(&self, accepts: &[Accepted], left: u32) -> String {
        let one = |one: &Accepted| {
            let tile = self.with.notation.print_one(one.kind.into());
            format!("{tile} ({})", one.left)
        };
        let all: Vec<String> = accepts.iter().map(one).collect();
        format!("{left} tiles: {}", all.join(" "))
    }

    fn told(&self, nearest: &Nearest, goal: &Goal, plan: &Plan) -> String {
        // Of hands that are farther away, what `[win] when` refuses is not looked at.
        let at_least = match (goal, nearest.distance) {
            (Goal::Complete, Distance::Exactly(distance))
                if plan.may_refuse_waits() && distance > self.within as i8 =>
            {
                "at least "
            }
            _ => "",
        };
        let mut out = match nearest.distance {
            Distance::Exactly(-1) => "The hand is complete.\n".to_owned(),
            Distance::Exactly(0) => "The hand is ready.\n".to_owned(),
            Distance::Exactly(distance) => {
                format!("The hand is {at_least}{distance} away from ready.\n")
            }
            Distance::Beyond(within) => {
                format!("The hand is more than {within} away from ready, or can never be.\n")
            }
            _ => String::new(),
        };
        if !nearest.accepts.is_empty() {
            out.push_str(&self.accepts(&nearest.accepts, nearest.left()));
            out.push('\n');
        }
        let mut discards: Vec<_> = nearest.discards.iter().collect();
        discards.sort_by_key(|discard| std::cmp::Reverse(discard.left()));
        for discard in discards {
            let tile = self.with.notation.print_one(discard.kind.into());
            let accepts = self.accepts(&discard.accepts, discard.left());
            out.push_str(&format!("discard {tile}: {accepts}\n"));
        }
        out
    }
}

pub fn run(args: &Args) -> Result<String, Fault> {
    let rules = args.rules.load()?;
    let unfinished = args.unfinished(rules.plan())?;
    let nearest = unfinished.nearest(&rules);
    let nearest = nearest.map_err(|error| format!("{error} ({})", error.code()))?;
    Ok(args.told(&nearest, &unfinished.goal, rules.plan()))
}
