//! How far an unfinished hand is from a complete one, from one that is worth enough, or from one with a pattern.
//!
//! ```text
//! paishan distance --ruleset riichi-tenhou --seen 7m3m 222444t555s23m77mE
//! paishan distance --ruleset riichi-tenhou --pattern four-concealed-pons 222444t555s23m77mE
//! paishan distance --ruleset mcr --worth 8 --by discard 123t456s789m22s34t
//! ```

use crate::hand;
use crate::output::Fault;
use crate::rules::RulesArgs;
use crate::score::{notation, way};
use paishan::request::{Accepted, Distance, Goal, Nearest, Unfinished};
use paishan::ruleset::Plan;
use paishan::state::Way;
use paishan::{Decimal, Notation, Seat, Wind};

/// Says how far an unfinished hand is from a complete one, and which tiles help.
#[derive(clap::Args)]
pub struct Args {
    /// Concealed tiles, with or without the drawn tile.
    hand: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// A hand that wins with at least so many fan, doubles or han.
    #[arg(long, conflicts_with_all = ["points", "pattern"], value_parser = decimal)]
    worth: Option<Decimal>,
    /// A hand that wins with at least so many points.
    #[arg(long, conflicts_with = "pattern")]
    points: Option<i64>,
    /// A hand that wins with this pattern.
    #[arg(long, value_name = "ID")]
    pattern: Option<String>,
    /// Tiles that are visible elsewhere: discards, melds of others.
    #[arg(long, value_name = "TILES", default_value = "")]
    seen: String,
    /// The greatest distance that is searched for with --worth, --points or --pattern: 0 to 3.
    #[arg(long, default_value_t = 2)]
    within: u8,
    /// The seat: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: Seat,
    /// The wind of the round.
    #[arg(long, default_value = "E")]
    round: Wind,
    /// How the winning tile is to come: wall, replacement, discard, robbed-kong. With --from a discard is
    /// assumed, without it the wall.
    #[arg(long, value_parser = way)]
    by: Option<Way>,
    /// The seat whose tile it is to be.
    #[arg(long)]
    from: Option<Seat>,
    /// A circumstance of the win such as riichi; may be repeated.
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
    /// Indicators that lie face up.
    #[arg(long, value_name = "TILES", default_value = "")]
    indicators: String,
    /// How tiles are written: ujmj or mpsz.
    #[arg(long, default_value = "ujmj", value_parser = notation)]
    notation: Notation,
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
        let tiles = |text: &str| self.notation.parse(text).map_err(told);
        let melds = self.melds.iter().map(String::as_str);
        let hand = hand::read(self.notation, self.seat, &self.hand, melds, &self.flowers);
        let mut unfinished = Unfinished::new(hand.map_err(told)?, goal);
        unfinished.hand.set_aside = tiles(&self.set_aside)?;
        unfinished.seen = tiles(&self.seen)?;
        unfinished.indicators = tiles(&self.indicators)?;
        unfinished.round = self.round;
        unfinished.within = self.within;
        unfinished.win = hand::win(unfinished.win.tile, self.by, self.from);
        let flags = plan.flag_set(self.flags.iter().map(String::as_str));
        unfinished.win.flags = flags.map_err(|error| error.to_string())?;
        Ok(unfinished)
    }

    fn accepts(&self, accepts: &[Accepted], left: u32) -> String {
        let one = |one: &Accepted| {
            let tile = self.notation.print_one(one.kind.into());
            format!("{tile} ({})", one.left)
        };
        let all: Vec<String> = accepts.iter().map(one).collect();
        format!("{left} tiles: {}", all.join(" "))
    }

    fn told(&self, nearest: &Nearest) -> String {
        let mut out = match nearest.distance {
            Distance::Exactly(-1) => "The hand is complete.\n".to_owned(),
            Distance::Exactly(0) => "The hand is ready.\n".to_owned(),
            Distance::Exactly(distance) => format!("The hand is {distance} away from ready.\n"),
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
            let tile = self.notation.print_one(discard.kind.into());
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
    Ok(args.told(&nearest))
}
