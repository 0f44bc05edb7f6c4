//! Deals on walls that are laid by hand.

#[path = "../common/mod.rs"]
mod common;

mod american;
mod aside;
mod chinese;
mod hangzhou;
mod hong_kong;
mod last_discard;
mod malaysian;
mod riichi;
mod sanma;
mod sichuan;
mod taiwanese;
mod uzje;
