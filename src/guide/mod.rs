//! Guides to the crate.

/// Reference of the keys of ruleset files.
#[doc = include_str!("keys.md")]
pub mod keys {}
