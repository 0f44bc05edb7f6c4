//! Numbers for machine learning. [`ActionSpace`] numbers the actions of a ruleset. An [`Encoder`] writes what a seat may
//! know into arrays, as an [`Observation`] describes.

mod encoder;
mod error;
mod observation;
mod scalars;
mod space;
mod uses;

pub use encoder::Encoder;
pub use error::EncodeError;
pub use observation::{Observation, Plane};
pub use scalars::Scalar;
pub use space::{ActionSpace, Block};
