//! Rulesets: those of one's own, the built-in ones, what docs say of them; the layers of the source.

#[path = "../common/mod.rs"]
mod common;

mod cases;
mod circumstances;
mod citations;
mod combinations;
mod facts;
mod generated;
mod interface;
mod keys;
mod language;
mod layers;
mod lint;
mod mcr;
mod names;
mod of_ones_own;
mod payments;
mod presets;
mod procedures;
mod references;
