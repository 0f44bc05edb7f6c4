//! What a seat may do, derived a second time; what it must not know; what is refused.

#[path = "../common/mod.rs"]
mod common;

mod actions;
mod encode;
mod matches;
mod refusals;
mod riichi;
mod secrets;
