//! Numbers for machine learning. [`ActionSpace`] numbers the actions of a ruleset. An [`Encoder`] writes what a seat may
//! know into arrays, as an [`Observation`] describes. A [`Checkpoint`] stores a match at any moment as bytes.

mod bytes;
mod encoder;
mod error;
mod observation;
mod scalars;
mod space;
mod uses;

pub use bytes::{BytesError, Checkpoint, ResumeCheckpointError};
pub use encoder::Encoder;
pub use error::EncodeError;
pub use observation::{Observation, Plane};
pub use scalars::Scalar;
pub use space::{ActionSpace, Block};
