//! Agents with a budget of time.

use paishan::agent::{self, Agent, Search, UnknownAgent};
use paishan::ruleset::Plan;
use std::time::{Duration, Instant};

/// How long an agent such as `search-50ms` searches a decision. `None` for other names.
pub fn time_of(name: &str) -> Option<Duration> {
    let number = name.strip_prefix("search-")?.strip_suffix("ms")?;
    let millis = number.parse().ok().filter(|millis| *millis > 0)?;
    let is_plain = number == format!("{millis}");
    is_plain.then(|| Duration::from_millis(millis))
}

/// Makes an agent of the library, or one with a budget of time.
pub fn by_name(name: &str, plan: &Plan) -> Result<Box<dyn Agent>, UnknownAgent> {
    let Some(time) = time_of(name) else {
        return agent::by_name(name, plan);
    };
    let agent = Search::while_true(plan, move || {
        let start = Instant::now();
        move || start.elapsed() < time
    });
    Ok(Box::new(agent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_may_have_milliseconds() {
        assert_eq!(time_of("search-50ms"), Some(Duration::from_millis(50)));
        for name in [
            "search-50",
            "search-0ms",
            "search-050ms",
            "search-+5ms",
            "value-5ms",
        ] {
            assert_eq!(time_of(name), None, "{name}");
        }
    }
}
