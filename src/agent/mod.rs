//! Agents decide for a seat. An [`Agent`] sees the view of its seat and nothing else.

mod greedy;
mod interface;
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
pub use value::Value;

use crate::ruleset::Plan;

const _: Option<&dyn Agent> = None;

/// The names of the agents that come with the crate.
pub const NAMES: [&str; 4] = ["random", "first", "greedy", "value"];

/// Names of agents of graded strength, from the weakest to the strongest, for [`by_name`]: `value` with ever fewer slips.
/// The [guide for researchers](crate::guide::researchers) says how strong each of them is.
pub const LEVELS: [&str; 6] = [
    "value-60", "value-40", "value-20", "value-10", "value-5", "value",
];

/// The error for a name that no agent of the crate has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error(
    "unknown agent `{name}`; there are {}, and each of them with slips: `value-20` slips in 20 of 100 decisions",
    NAMES.join(", ")
)]
#[non_exhaustive]
pub struct UnknownAgent {
    /// The name.
    pub name: String,
}

/// Makes the agent with a name for a ruleset. The name is one of the [`NAMES`]. After it a hyphen and a number from 1 to
/// 100 may say how many of 100 decisions are [`Slips`].
///
/// ```
/// use paishan::{Rules, agent};
/// let rules = Rules::by_id("woo")?;
/// assert!(agent::by_name("greedy", rules.plan()).is_ok());
/// let error = agent::by_name("timid", rules.plan()).err().expect("no agent is timid");
/// assert!(error.to_string().starts_with("unknown agent `timid`; there are random, first, greedy, value"));
/// assert!(agent::by_name("greedy-15", rules.plan()).is_ok());
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
            let slips = name
                .split_once('-')
                .filter(|(agent, _)| NAMES.contains(agent));
            let slips = slips.and_then(|(agent, percent)| Some((agent, percent_of(percent)?)));
            let Some((agent, percent)) = slips else {
                return Err(UnknownAgent {
                    name: name.to_owned(),
                });
            };
            Box::new(Slips::new(by_name(agent, plan)?, percent))
        }
    })
}

/// Reads a number from 1 to 100 that is written without a sign or leading zeros.
fn percent_of(text: &str) -> Option<u8> {
    let percent = text
        .parse::<u8>()
        .ok()
        .filter(|percent| (1..=100).contains(percent))?;
    (text.len() == percent.to_string().len()).then_some(percent)
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
