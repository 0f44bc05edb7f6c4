//! Scores one hand under several rulesets, side by side. If the points under the named rulesets differ, it explains each
//! score, and why patterns of the others do not count.
//!
//! ```text
//! paishan compare 123s456s789sEECC C
//! paishan compare --in uzje --in my.toml --seat S --from E 222s333s444s55m66m 6m
//! ```

use crate::hand;
use crate::rules::{self, LangArgs};
use paishan::request::{Request, Table};
use paishan::ruleset::{self, Source};
use paishan::score::Explanation;
use paishan::{Notation, Rules, Seat, Wind, Wording};

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
    #[command(flatten)]
    names: LangArgs,
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

/// The hand under one ruleset.
struct Scored<'a> {
    name: &'a str,
    /// The explanation, also of a hand that is worth too little to win.
    told: Result<Explanation, String>,
    table: Option<Table<'a>>,
}

impl<'a> Scored<'a> {
    fn new(
        name: &'a str,
        rules: &'a Result<Rules, String>,
        request: &Request,
        wording: Wording,
    ) -> Self {
        let table = rules.as_ref().map_err(Clone::clone).and_then(|rules| {
            let table = request.check(rules);
            table.map_err(|error| error.to_string())
        });
        let told = table.as_ref().map_err(Clone::clone).and_then(|table| {
            let told = table.explain(wording);
            told.map_err(|error| error.to_string())
        });
        let table = table.ok();
        Self { name, told, table }
    }

    /// The points of a win.
    fn points(&self) -> Option<i64> {
        let told = self.told.as_ref().ok()?;
        told.wins.then_some(told.points)
    }

    /// The ids and names of the patterns that count.
    fn counted(&self) -> impl Iterator<Item = (&str, &str)> {
        let patterns = self.told.iter().flat_map(|told| &told.patterns);
        patterns.map(|one| (one.id.as_str(), one.name.as_str()))
    }

    /// The line of the ruleset.
    fn line(&self) -> String {
        let points = self
            .points()
            .map_or("–".to_owned(), |points| points.to_string());
        let said = match &self.told {
            Err(error) => error.clone(),
            Ok(told) => {
                let patterns = told.patterns.iter().map(|one| match one.times {
                    1 => one.name.clone(),
                    times => format!("{times} × {}", one.name),
                });
                let patterns = patterns.collect::<Vec<_>>().join(", ");
                let groups: Vec<String> = told.groups.iter().map(ToString::to_string).collect();
                format!("{}: {patterns}  {}", told.headline, groups.join(" "))
            }
        };
        format!("{points:>7}  {said}")
    }

    /// The explanation, and why patterns that count under other rulesets do not count here.
    fn explained(&self, all: &[Scored<'_>]) -> String {
        let mut out = format!("\n-- {} --\n", self.name);
        let (Ok(told), Some(table)) = (&self.told, &self.table) else {
            return out + &self.line() + "\n";
        };
        out.push_str(&told.brief().to_string());
        let mut elsewhere: Vec<(&str, &str)> = all.iter().flat_map(Scored::counted).collect();
        elsewhere.sort_unstable();
        elsewhere.dedup_by_key(|(id, _)| *id);
        let is_told = |id: &str| told.left_out.iter().any(|one| one.id == id);
        let (mut unknown, mut reasons) = (Vec::new(), String::new());
        for (id, name) in elsewhere.into_iter().filter(|(id, _)| !is_told(id)) {
            match table.why_not(id) {
                Ok(None) => unknown.push(name),
                Ok(Some(why)) if !why.is_empty() => {
                    reasons.push_str(&format!("  not {name}: {}\n", why.join("; ")));
                }
                _ => {}
            }
        }
        if !unknown.is_empty() {
            out.push_str(&format!("  no such patterns: {}\n", unknown.join(", ")));
        }
        out + &reasons
    }
}

pub fn run(args: &Args) -> Result<String, String> {
    let sources = args.sources()?;
    let widths = sources.iter().map(|(name, _)| name.chars().count());
    let width = widths.max().unwrap_or(0);
    let request = args.request()?;
    let rules: Vec<Result<Rules, String>> = sources
        .iter()
        .map(|(_, source)| source.load(&[]).map_err(|error| error.to_string()))
        .collect();
    let wording = Notation::Ujmj.in_lang(args.names.lang);
    let named = sources.iter().zip(&rules);
    let all: Vec<Scored<'_>> = named
        .map(|((name, _), rules)| Scored::new(name, rules, &request, wording))
        .collect();
    let lines = all
        .iter()
        .map(|one| format!("{:<width$}  {}\n", one.name, one.line()));
    let mut out: String = lines.collect();
    let differs = all.windows(2).any(|two| two[0].points() != two[1].points());
    if differs && !args.rulesets.is_empty() {
        out.extend(all.iter().map(|one| one.explained(&all)));
    }
    Ok(out)
}
