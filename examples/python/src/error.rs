//! Python exceptions for the errors of the library.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    paishan,
    RulesError,
    PyValueError,
    "Raised for a ruleset or an option that cannot be loaded. The text names file, line and column."
);
create_exception!(
    paishan,
    ActionError,
    PyValueError,
    "Raised for an action that is not legal. Nothing has moved."
);
create_exception!(
    paishan,
    LogError,
    PyValueError,
    "Raised for a record that cannot be read or replayed. The text names the line."
);
create_exception!(
    paishan,
    RequestError,
    PyValueError,
    "Raised for a request that is refused. `code` has the code of the interface, `answer` the whole answer."
);

/// A `ValueError` with the text of an error.
pub fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
