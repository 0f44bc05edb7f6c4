//! Whole games: played, recorded, counted, settled again.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod answers;
mod changsha;
mod chinese;
mod extra;
mod findings;
mod finished;
mod hangzhou;
mod host;
mod ledger;
mod matches;
mod mcr;
mod pages;
mod perft;
mod regions;
mod riichi;
mod rounds;
mod sichuan;
mod statistics;
mod streams;
mod taiwanese;
mod turned;
mod uzje;
mod vietnamese;
mod views;
