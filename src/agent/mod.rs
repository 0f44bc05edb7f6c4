//! Agents decide for a seat. An [`Agent`] sees the view of its seat and nothing else.

mod greedy;
mod interface;
mod recent;
mod simple;
mod value;

pub use greedy::Greedy;
pub use interface::Agent;
pub use simple::{First, Random};
pub use value::Value;

use crate::ruleset::Plan;

const _: Option<&dyn Agent> = None;

/// The names of the agents that come with the crate.
pub const NAMES: [&str; 4] = ["random", "first", "greedy", "value"];

/// Makes the agent with one of the [`NAMES`] for a ruleset. `None` for any other name.
pub fn by_name(name: &str, plan: &Plan) -> Option<Box<dyn Agent>> {
    match name {
        "random" => Some(Box::new(Random::new())),
        "first" => Some(Box::new(First)),
        "greedy" => Some(Box::new(Greedy::new(plan))),
        "value" => Some(Box::new(Value::new(plan))),
        _ => None,
    }
}

/// Makes one agent with one of the [`NAMES`] for every player of a table. `None` for any other name.
///
/// ```
/// use paishan::{Ruleset, agent, ruleset, simulate};
/// let woo = ruleset::by_id("woo", &[])?;
/// let mut agents = agent::for_all("greedy", woo.plan()).expect("an agent of the crate");
/// simulate::play(&woo, &mut agents, 7, &mut ())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn for_all(name: &str, plan: &Plan) -> Option<Vec<Box<dyn Agent>>> {
    (0..plan.players).map(|_| by_name(name, plan)).collect()
}
