//! Guides to the crate, for those who [build apps, servers and bots](apps), [design rules](designers), [do
//! research](researchers) or [run a club](clubs), and the [reference of the keys](keys) of a ruleset file.

/// Apps, servers and bots.
#[doc = include_str!("apps.md")]
pub mod apps {}

/// Rule designers.
#[doc = include_str!("designers.md")]
pub mod designers {}

/// Researchers.
#[doc = include_str!("researchers.md")]
pub mod researchers {}

/// Clubs.
#[doc = include_str!("clubs.md")]
pub mod clubs {}

/// Reference of the keys of ruleset files.
#[doc = include_str!("keys.md")]
pub mod keys {}
