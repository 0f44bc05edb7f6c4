//! The agents that an argument names.

use paishan::agent;
use paishan::ruleset::Plan;

/// Agents that do not ask what a hand is worth. What they win with says little about values.
pub const IGNORE_WORTH: [&str; 3] = ["random", "first", "greedy"];

/// Reads one name for all players, or one for each, separated by commas. `more` are names beside those of the
/// library.
pub fn names(text: &str, plan: &Plan, more: &[&str]) -> Result<Vec<String>, String> {
    let given: Vec<&str> = text.split(',').map(str::trim).collect();
    for name in given.iter().filter(|name| !more.contains(name)) {
        let more: String = more.iter().map(|name| format!("; and {name}")).collect();
        agent::by_name(name, plan).map_err(|error| format!("{error}{more}"))?;
    }
    match given[..] {
        [one] => Ok(vec![one.to_owned(); plan.players()]),
        _ if given.len() == plan.players() => {
            Ok(given.iter().map(|&name| name.to_owned()).collect())
        }
        _ => Err(format!(
            "{} agents for {} players",
            given.len(),
            plan.players()
        )),
    }
}
