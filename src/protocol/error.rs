//! [`ErrorAnswer`]: the error member of an answer.

use crate::hand::HandError;
use crate::notation::ParseTilesError;
use crate::request::{NearestError, RequestError};
use crate::ruleset::{FlagError, LoadError};
use crate::score::ScoreError;
use serde::Serialize;

/// An error code with a message.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// The error code, as listed in the [module](super).
    pub code: &'static str,
    /// A message for people.
    pub message: String,
}

impl ErrorAnswer {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message }
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new("bad-request", message)
    }
}

macro_rules! answer_from {
    ($($error:ty),*) => {$(
        impl From<$error> for ErrorAnswer {
            fn from(error: $error) -> Self {
                Self::new(error.code(), error.to_string())
            }
        }
    )*};
}

answer_from!(
    ParseTilesError,
    HandError,
    ScoreError,
    LoadError,
    RequestError,
    NearestError
);

impl From<FlagError> for ErrorAnswer {
    fn from(error: FlagError) -> Self {
        Self::bad_request(error.to_string())
    }
}
