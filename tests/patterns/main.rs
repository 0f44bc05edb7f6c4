//! Patterns and their values, derived a second time.

#[path = "../common/mod.rs"]
mod common;

mod celestial;
mod explain;
mod illustrations;
mod nearest;
mod repair;
mod riichi;
mod traditional;
mod uzje;
