//! [`EncodeError`].

use crate::state::Action;

/// The error for actions and views that cannot be written into arrays.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// An array has the wrong length.
    #[error("an array has {have} elements, not {want}")]
    Length {
        /// The number of elements that the array has.
        have: usize,
        /// The number of elements that it must have.
        want: usize,
    },
    /// The rules of the file never allow the action.
    #[error("`{action}` has no number: the rules of the file never allow it")]
    NoNumber {
        /// The action.
        action: Action,
    },
    /// The view is of a deal under other rules.
    #[error("the view is of other rules (hash {found:016x}, not {expected:016x})")]
    OtherRules {
        /// The hash of the rules of the deal.
        found: u64,
        /// The hash of the rules of the encoding.
        expected: u64,
    },
}

impl EncodeError {
    /// Checks the length of an array.
    #[inline]
    pub(super) fn check_len(have: usize, want: usize) -> Result<(), Self> {
        match have == want {
            true => Ok(()),
            false => Err(Self::Length { have, want }),
        }
    }
}
