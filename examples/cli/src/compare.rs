//! Scores one hand under several rulesets, side by side.
//!
//! ```text
//! paishan compare 123s456s789sEECC C
//! paishan compare --in uzje --in my.toml --seat S --from E 222s333s444s55m66m 6m
//! ```

use crate::{hand, rules};
use paishan::request::Request;
use paishan::ruleset::{self, Plan, Source};
use paishan::score::{Score, ScoreError};
use paishan::{Notation, Ruleset, Seat, Wind};

/// Scores one hand under several rulesets, side by side.
#[derive(clap::Args)]
pub struct Args {
    /// Concealed tiles without the winning tile, such as `123s456s789sEECC`.
    hand: String,
    /// The winning tile.
    tile: String,
    /// A ruleset to score under, by id or as a file; may be repeated. All that are built in, for none.
    #[arg(long = "in", value_name = "ID or FILE")]
    rulesets: Vec<String>,
    /// The seat: E, S, W, N.
    #[arg(long, default_value = "S")]
    seat: Seat,
    /// The wind of the round.
    #[arg(long, default_value = "E")]
    round: Wind,
    /// The seat whose discard it was; drawn from the wall, for none.
    #[arg(long)]
    from: Option<Seat>,
    /// A declared meld: tiles, `closed:` before them for a concealed one; may be repeated.
    #[arg(long = "meld", value_name = "[closed:]TILES")]
    melds: Vec<String>,
    /// Flowers laid down.
    #[arg(long, default_value = "")]
    flowers: String,
}

impl Args {
    fn sources(&self) -> Result<Vec<(String, Source)>, String> {
        if self.rulesets.is_empty() {
            let built_in = |id: &str| (id.to_owned(), Source::BuiltIn(id.to_owned()));
            return Ok(ruleset::ids().map(built_in).collect());
        }
        let named = |name: &String| Ok((name.clone(), rules::named(name)?));
        self.rulesets.iter().map(named).collect()
    }

    fn request(&self) -> Result<Request, String> {
        let notation = Notation::Ujmj;
        let melds = self.melds.iter().map(String::as_str);
        let hand = hand::read(notation, self.seat, &self.hand, melds, &self.flowers);
        let hand = hand.map_err(|error| error.to_string())?;
        let tile = notation
            .parse_one(&self.tile)
            .map_err(|error| error.to_string())?;
        let mut request = Request::of_hand(hand, Some(hand::win(tile, None, self.from)));
        request.round = self.round;
        Ok(request)
    }
}

/// Patterns, each once and how often.
fn patterns(plan: &Plan, score: &Score) -> String {
    let named = plan.score().told(score).map(|counted| match counted.times {
        1 => counted.pattern.id.clone(),
        times => format!("{times} × {}", counted.pattern.id),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The line of one ruleset.
fn line(request: &Request, rules: &dyn Ruleset) -> Result<String, String> {
    let plan = rules.plan();
    let table = request.check(rules).map_err(|error| error.to_string())?;
    match table.score() {
        Ok(score) => {
            let read = score.print_groups(Notation::Ujmj).join(" ");
            let (tally, patterns) = (plan.score().sum_in_words(&score), patterns(plan, &score));
            Ok(format!(
                "{:>7}  {tally}: {patterns}  [{read}]",
                score.points
            ))
        }
        Err(error) => match &error {
            ScoreError::BelowMinimum(score) => Err(format!(
                "{error} ({}): {}",
                plan.score().sum_in_words(score),
                patterns(plan, score)
            )),
            _ => Err(error.to_string()),
        },
    }
}

pub fn run(args: &Args) -> Result<String, String> {
    let sources = args.sources()?;
    let width = sources
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let request = args.request()?;
    let mut out = String::new();
    for (name, source) in &sources {
        let rules = source.load(&[]).map_err(|error| error.to_string());
        let line = rules.and_then(|rules| line(&request, &rules));
        let line = line.unwrap_or_else(|error| format!("{:>7}  {error}", "–"));
        out.push_str(&format!("{name:<width$}  {line}\n"));
    }
    Ok(out)
}
