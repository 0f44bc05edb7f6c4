//! The native half of the Python package `paishan`. The Python half is in `paishan/`, where users find the documentation.

#[path = "../../cli/src/agents.rs"]
mod agents;
mod env;
mod error;
mod game;
#[path = "../../cli/src/input.rs"]
#[allow(dead_code, reason = "of the files of the command line it uses a part")]
mod input;
#[path = "../../cli/src/output.rs"]
#[allow(dead_code, reason = "of the files of the command line it uses a part")]
mod output;
#[allow(dead_code, reason = "of the files of the command line it uses a part")]
mod playtest;
#[path = "../../cli/src/progress.rs"]
mod progress;
mod records;
mod rules;
mod table;
mod team;
mod text;

use pyo3::prelude::*;

/// The native half of `paishan`.
#[pymodule]
fn _paishan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("RulesError", py.get_type::<error::RulesError>())?;
    module.add("ActionError", py.get_type::<error::ActionError>())?;
    module.add("LogError", py.get_type::<error::LogError>())?;
    module.add("RequestError", py.get_type::<error::RequestError>())?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<rules::ActionSpace>()?;
    module.add_class::<rules::Observation>()?;
    module.add_class::<env::Env>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<text::Responder>()?;
    module.add_function(wrap_pyfunction!(rules::rulesets, module)?)?;
    module.add_class::<records::Decisions>()?;
    module.add_function(wrap_pyfunction!(text::lint, module)?)?;
    module.add_function(wrap_pyfunction!(text::tiles, module)?)?;
    module.add_function(wrap_pyfunction!(text::hand, module)?)?;
    module.add_function(wrap_pyfunction!(playtest::playtest, module)?)?;
    module.add_function(wrap_pyfunction!(playtest::merge, module)?)?;
    module.add_function(wrap_pyfunction!(records::own_log, module)?)?;
    module.add_function(wrap_pyfunction!(records::plain_log, module)?)?;
    module.add_function(wrap_pyfunction!(records::tenhou, module)?)?;
    module.add_function(wrap_pyfunction!(records::record, module)?)?;
    Ok(())
}
