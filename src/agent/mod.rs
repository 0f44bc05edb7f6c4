//! Agents decide for a seat. An [`Agent`] sees the view of its seat and nothing else.

mod greedy;
mod interface;
mod recent;
mod simple;
mod value;

pub use greedy::Greedy;
pub use interface::Agent;
pub(crate) use interface::notify;
pub use simple::{First, Random};
pub use value::Value;

use crate::ruleset::Plan;

const _: Option<&dyn Agent> = None;

/// The names of the agents that come with the crate.
pub const NAMES: [&str; 4] = ["random", "first", "greedy", "value"];

/// The error for a name that no agent of the crate has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("unknown agent `{name}`; there are {}", NAMES.join(", "))]
#[non_exhaustive]
pub struct UnknownAgent {
    /// The name.
    pub name: String,
}

/// Makes the agent with one of the [`NAMES`] for a ruleset.
///
/// ```
/// use paishan::{Rules, agent};
/// let rules = Rules::by_id("woo")?;
/// assert!(agent::by_name("greedy", rules.plan()).is_ok());
/// let error = agent::by_name("timid", rules.plan()).err().expect("no agent is timid");
/// assert_eq!(error.to_string(), "unknown agent `timid`; there are random, first, greedy, value");
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`UnknownAgent`] for any other name.
pub fn by_name(name: &str, plan: &Plan) -> Result<Box<dyn Agent>, UnknownAgent> {
    Ok(match name {
        "random" => Box::new(Random::new()),
        "first" => Box::new(First),
        "greedy" => Box::new(Greedy::new(plan)),
        "value" => Box::new(Value::new(plan)),
        _ => {
            return Err(UnknownAgent {
                name: name.to_owned(),
            });
        }
    })
}

/// Makes one agent with one of the [`NAMES`] for every player of a table.
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
