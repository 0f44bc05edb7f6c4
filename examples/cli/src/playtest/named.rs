//! Statistics as `summary.json` has them: what is counted for each pattern stands beside its id.

use paishan::Lang;
use paishan::ruleset::Plan;
use paishan::simulate::Statistics;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The members of [`Statistics`] that are lists in the order of the ruleset's patterns. `patterns` of its summary is
/// one, too.
const LISTS: [&str; 3] = ["pattern_times", "pattern_pairs", "pattern_ranks"];

/// What is counted for a pattern. Rows are in the order of the ruleset's patterns.
#[derive(Serialize, Deserialize)]
struct Row {
    id: String,
    /// The English name, if the ruleset gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Winning hands with it.
    hands: u64,
    /// How often it counted in them.
    times: u64,
    /// The final places of players who won with it, first place first.
    places: Vec<u64>,
    /// Winning hands with it and with a pattern of an earlier row.
    with: BTreeMap<String, u64>,
}

/// Statistics whose patterns have ids.
#[derive(Serialize, Deserialize)]
pub struct Named {
    #[serde(flatten)]
    rest: Map<String, Value>,
    patterns: Vec<Row>,
}

impl Named {
    /// Names the patterns of statistics.
    pub fn new(statistics: &Statistics, plan: &Plan) -> serde_json::Result<Self> {
        let mut rest: Map<_, _> = serde_json::from_value(serde_json::to_value(statistics)?)?;
        for list in LISTS {
            rest.remove(list);
        }
        if let Some(Value::Object(summary)) = rest.get_mut("summary") {
            summary.remove("patterns");
        }
        let patterns = plan.score().patterns();
        let row = |(i, pattern): (usize, &paishan::score::Pattern)| {
            let count = |list: &[u64]| list.get(i).copied().unwrap_or_default();
            let with = patterns[..i].iter().enumerate();
            let with = with.map(|(before, other)| (other.id.clone(), statistics.both(before, i)));
            Row {
                id: pattern.id.clone(),
                name: pattern.names.given_in(Lang::EN).map(str::to_owned),
                hands: count(&statistics.summary.patterns),
                times: count(&statistics.pattern_times),
                places: statistics
                    .pattern_ranks
                    .get(i)
                    .copied()
                    .unwrap_or_default()
                    .to_vec(),
                with: with.filter(|(_, both)| *both > 0).collect(),
            }
        };
        Ok(Self {
            rest,
            patterns: patterns.iter().enumerate().map(row).collect(),
        })
    }

    /// The statistics again.
    pub fn statistics(self) -> serde_json::Result<Statistics> {
        let Self { mut rest, patterns } = self;
        // Of several patterns with one id the first counts.
        let mut places = BTreeMap::new();
        for (i, row) in patterns.iter().enumerate() {
            places.entry(row.id.as_str()).or_insert(i);
        }
        let mut pairs = Vec::new();
        for (i, row) in patterns.iter().enumerate().skip(1) {
            let mut before = vec![0; i];
            for (id, both) in &row.with {
                let place = places
                    .get(id.as_str())
                    .and_then(|&place| before.get_mut(place));
                let fault = || {
                    serde::de::Error::custom(format!("no pattern `{id}` is before `{}`", row.id))
                };
                *place.ok_or_else(fault)? = *both;
            }
            pairs.push(before);
        }
        let column = |of: fn(&Row) -> Value| patterns.iter().map(of).collect::<Value>();
        let lists = [
            column(|row| row.times.into()),
            serde_json::to_value(pairs)?,
            column(|row| row.places.clone().into()),
        ];
        if let Some(Value::Object(summary)) = rest.get_mut("summary") {
            summary.insert("patterns".to_owned(), column(|row| row.hands.into()));
        }
        rest.extend(LISTS.map(str::to_owned).into_iter().zip(lists));
        serde_json::from_value(Value::Object(rest))
    }
}
