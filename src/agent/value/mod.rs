//! The agent [`Value`]: what it learns of a ruleset, how it weighs hands, how it decides.

mod agent;
mod course;
mod gain;
mod goal;
mod knowledge;
mod partials;
mod weigh;

pub use agent::Value;
