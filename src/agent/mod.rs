//! Agents decide for a seat. An [`Agent`] sees the view of its seat and nothing else.

mod greedy;
mod interface;
mod opening;
mod reasons;
mod recent;
mod simple;
mod slips;
mod value;

pub use greedy::Greedy;
pub use interface::Agent;
pub(crate) use interface::notify;
pub use reasons::{Decision, Estimate, Pursued, Weighed};
pub use simple::{First, Random};
pub use slips::Slips;
pub use value::{Search, Value};

use crate::ruleset::Plan;

const _: Option<&dyn Agent> = None;

/// The names of the agents that come with the crate. `search` takes about 50 ms a decision, and the others microseconds.
pub const NAMES: [&str; 5] = ["random", "first", "greedy", "value", "search"];

/// The most nodes that a name may have.
const MOST_NODES: u64 = 1_000_000_000;

/// Names of agents of graded strength, from the weakest to the strongest, for [`by_name`]: `value` with ever fewer slips.
/// The [guide for researchers](crate::guide::researchers) says how strong each of them is.
pub const LEVELS: [&str; 6] = [
    "value-60", "value-40", "value-20", "value-10", "value-5", "value",
];

/// The error for a name that no agent of the crate has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error(
    "unknown agent `{name}`; there are {}; all but search with slips: `value-20` slips in 20 of 100 decisions; `search-500` with a \
     budget of 500 nodes",
    NAMES.join(", ")
)]
#[non_exhaustive]
pub struct UnknownAgent {
    /// The name.
    pub name: String,
}

/// Makes the agent with a name for a ruleset. The name is one of the [`NAMES`]. After it a hyphen and a number from 1 to
/// 100 may say how many of 100 decisions are [`Slips`]. After `search` the number is the budget in nodes ([`Search::new`]), from 1
/// to 10^9.
///
/// ```
/// use paishan::{Rules, agent};
/// let rules = Rules::by_id("woo")?;
/// assert!(agent::by_name("greedy", rules.plan()).is_ok());
/// let error = agent::by_name("timid", rules.plan()).err().expect("no agent is timid");
/// assert!(error.to_string().starts_with("unknown agent `timid`; there are random, first, greedy, value, search;"));
/// assert!(agent::by_name("greedy-15", rules.plan()).is_ok());
/// assert!(agent::by_name("search-500", rules.plan()).is_ok());
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`UnknownAgent`] for any other name.
pub fn by_name(name: &str, plan: &Plan) -> Result<Box<dyn Agent>, UnknownAgent> {
    let unknown = || UnknownAgent {
        name: name.to_owned(),
    };
    Ok(match name.split_once('-') {
        Some(("search", nodes)) => {
            let nodes = number_of(nodes, MOST_NODES).ok_or_else(unknown)?;
            Box::new(Search::new(plan, nodes))
        }
        Some((agent, percent)) => {
            let percent = number_of(percent, 100).ok_or_else(unknown)?;
            let agent = by_name(agent, plan).map_err(|_| unknown())?;
            Box::new(Slips::new(agent, percent as u8))
        }
        None => match name {
            "random" => Box::new(Random::new()),
            "first" => Box::new(First),
            "greedy" => Box::new(Greedy::new(plan)),
            "value" => Box::new(Value::new(plan)),
            "search" => Box::new(Search::new(plan, Search::NODES)),
            _ => return Err(unknown()),
        },
    })
}

/// Reads a number from 1 to `most` that is written without a sign or leading zeros.
fn number_of(text: &str, most: u64) -> Option<u64> {
    let number = text
        .parse::<u64>()
        .ok()
        .filter(|number| (1..=most).contains(number))?;
    (text.len() == number.to_string().len()).then_some(number)
}

/// Makes one agent with a name that [`by_name`] takes for every player of a table.
///
/// ```
/// use paishan::{Rules, agent, simulate};
/// let woo = Rules::by_id("woo")?;
/// let mut agents = agent::for_all("greedy", woo.plan())?;
/// simulate::play(&woo, &mut agents, 7, &mut ())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`UnknownAgent`] for any other name.
pub fn for_all(name: &str, plan: &Plan) -> Result<Vec<Box<dyn Agent>>, UnknownAgent> {
    (0..plan.players).map(|_| by_name(name, plan)).collect()
}
