//! Help for those who write rules: lints at their places, differences, and many games played by agents.

use crate::{Answered, Engine, Fault, Place, Request, told};
use paishan::agent::{self, Agent};
use paishan::lint::{self, Judgement, judge};
use paishan::simulate::{PriceUnit, Statistics, run};
use paishan::{Decimal, Rules, Seed};
use serde::Serialize;

#[derive(Serialize)]
struct Lint {
    kind: &'static str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Proved<'a> {
    id: &'a str,
    doc: &'a str,
}

#[derive(Serialize)]
struct LintAnswer<'a> {
    ruleset: &'a str,
    name: &'a str,
    hash: String,
    lints: Vec<Lint>,
    /// Invariants that the values prove.
    proved: Vec<Proved<'a>>,
}

/// Checks a ruleset.
pub fn lint(request: &Request) -> Answered {
    let (source, options) = (request.choice().source()?, &request.options.0);
    let rules = source.load(options)?;
    let lints = match request.quick {
        true => Vec::new(),
        false => lint::lint(&source, options)?,
    };
    let plan = rules.plan();
    let proved = plan
        .invariants()
        .iter()
        .filter(|invariant| !request.quick && judge(rules.plan(), invariant) == Judgement::Proved);
    told(LintAnswer {
        ruleset: plan.id(),
        name: plan.name(),
        hash: format!("{:016x}", plan.content_hash()),
        lints: lints
            .into_iter()
            .map(|lint| Lint {
                kind: lint.kind.word(),
                place: Place {
                    file: lint.file,
                    line: lint.line,
                    column: lint.column,
                    message: lint.message,
                },
            })
            .collect(),
        proved: proved
            .map(|invariant| Proved {
                id: &invariant.id,
                doc: &invariant.doc,
            })
            .collect(),
    })
}

#[derive(Serialize)]
struct Difference {
    path: Vec<String>,
    before: Option<String>,
    after: Option<String>,
    /// The difference in a line.
    words: String,
}

#[derive(Serialize)]
struct DifferencesAnswer {
    differences: Vec<Difference>,
}

/// How two rulesets differ.
pub fn differences(request: &Request) -> Answered {
    let (before, after) = (request.before.source()?, request.after.source()?);
    let found = before.differences(&after)?.into_iter();
    let differences = found.map(|one| Difference {
        words: one.to_string(),
        path: one.path,
        before: one.before,
        after: one.after,
    });
    told(DifferencesAnswer {
        differences: differences.collect(),
    })
}

/// A pattern and how often it counted.
#[derive(Serialize)]
struct PatternShare<'a> {
    id: &'a str,
    name: &'a str,
    /// Winning hands that it counted in.
    wins: u64,
    /// What it is worth in the unit of the ruleset.
    price: Option<Decimal>,
}

#[derive(Serialize)]
struct SimulateAnswer<'a> {
    statistics: &'a Statistics,
    patterns: Vec<PatternShare<'a>>,
    /// The unit of prices.
    unit: &'a str,
    units_per_point: i64,
    players: usize,
}

fn agents(names: &[String], rules: &Rules) -> Result<Vec<Box<dyn Agent>>, Fault> {
    let plan = rules.plan();
    let all = match names {
        [name] => agent::for_all(name, plan).map_err(Fault::request)?,
        names => names
            .iter()
            .map(|name| agent::by_name(name, plan))
            .collect::<Result<_, _>>()
            .map_err(Fault::request)?,
    };
    Ok(all)
}

impl Engine {
    /// Plays matches and adds up their statistics. All are sums, so a page can add those of several requests.
    pub(crate) fn simulate(&mut self, request: &Request) -> Answered {
        let rules = self.rules(&request.choice())?;
        // Unknown names are errors before anything is played.
        agents(&request.agents, &rules)?;
        let players = || agents(&request.agents, &rules).unwrap_or_default();
        let games = request.from..request.to.max(request.from);
        let statistics =
            run(&rules, players, Seed::from(request.seed), games).map_err(Fault::request)?;
        let plan = rules.plan();
        let unit = PriceUnit::of(plan);
        let counted = plan.score().patterns().iter();
        told(SimulateAnswer {
            patterns: counted
                .zip(&statistics.summary.patterns)
                .map(|(pattern, wins)| PatternShare {
                    id: &pattern.id,
                    name: pattern.names.get(paishan::Lang::EN),
                    wins: *wins,
                    price: unit.price(pattern),
                })
                .collect(),
            unit: unit.name(),
            units_per_point: plan.units_per_point(),
            players: plan.players(),
            statistics: &statistics,
        })
    }
}
