//! What other crates use: saved matches, values on a wire, the README.

#[path = "../common/mod.rs"]
mod common;

mod extremes;
mod hostile;
mod readme;
mod saving;
mod wire;
