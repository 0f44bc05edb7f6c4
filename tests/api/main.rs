//! What other crates use: saved matches, values on a wire.

#[path = "../common/mod.rs"]
mod common;

mod extremes;
mod hostile;
mod saving;
mod wire;
