//! The agents [`Value`], what it learns of a ruleset, how it weighs hands, how it decides, and [`Search`].

mod agent;
mod bonus;
mod course;
mod difference;
mod gain;
mod goal;
mod knowledge;
mod known;
mod learn;
mod outlook;
mod partials;
mod search;
mod signs;
mod table;
mod waits;
mod weigh;
mod worlds;

pub use agent::Value;
pub use search::Search;
